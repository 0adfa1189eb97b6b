//! What is to be known, possibly very much of it: the names of a list's million elements are made when they are asked
//! for.

use super::Named;
use crate::network::{Affine, Variables};
use crate::number::Scalar;
use privug_language::source::Span;

/// Random variables with names, and where they were named.
#[derive(Debug, Clone)]
pub struct Secrets<S> {
    names: Names,
    variables: Variables<S>,
    /// Where they were named, each with the first of those in a row that were named there.
    spans: Vec<(usize, Span)>,
}

impl<S> Default for Secrets<S> {
    fn default() -> Self {
        Secrets { names: Names::default(), variables: Variables::default(), spans: Vec::new() }
    }
}

impl<S: Scalar> Secrets<S> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// The variables.
    pub fn variables(&self) -> &Variables<S> {
        &self.variables
    }

    /// Their names.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Where one was named.
    pub fn span(&self, index: usize) -> Span {
        let after = self.spans.partition_point(|(first, _)| *first <= index);
        self.spans[after - 1].1
    }

    pub(super) fn push(&mut self, secret: Named<S>) {
        self.names.push(secret.name);
        self.note_span(secret.span);
        self.variables.push(secret.variable);
    }

    /// Adds all elements of a list or tuple.
    pub(super) fn push_elements(&mut self, list: &str, span: Span, elements: impl Iterator<Item = Affine<S>>) {
        let before = self.len();
        self.note_span(span);
        elements.for_each(|variable| self.variables.push(variable));
        self.names.push_elements(list, self.len() - before);
    }

    pub(super) fn append(&mut self, other: Secrets<S>) {
        let start = self.len();
        self.names.append(other.names);
        self.spans.extend(other.spans.into_iter().map(|(first, span)| (first + start, span)));
        self.variables.append(other.variables);
    }

    fn note_span(&mut self, span: Span) {
        if self.spans.last().is_none_or(|(_, last)| *last != span) {
            self.spans.push((self.variables.len(), span));
        }
    }
}

/// Names, of which those of a list's elements are kept as one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    runs: Vec<Run>,
    len: usize,
}

/// Names in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    /// The number of the first.
    start: usize,
    /// The name, or that of the list.
    text: String,
    /// Whether they are a list's elements.
    is_list: bool,
}

impl Names {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The name with that number.
    pub fn get(&self, index: usize) -> String {
        let after = self.runs.partition_point(|run| run.start <= index);
        let run = &self.runs[after - 1];
        if run.is_list { format!("{}[{}]", run.text, index - run.start) } else { run.text.clone() }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = String> {
        (0..self.len).map(|index| self.get(index))
    }

    fn push(&mut self, text: String) {
        self.runs.push(Run { start: self.len, text, is_list: false });
        self.len += 1;
    }

    /// The names of so many elements of a list.
    fn push_elements(&mut self, list: &str, count: usize) {
        if count > 0 {
            self.runs.push(Run { start: self.len, text: list.to_owned(), is_list: true });
        }
        self.len += count;
    }

    fn append(&mut self, other: Names) {
        let start = self.len;
        self.runs.extend(other.runs.into_iter().map(|run| Run { start: run.start + start, ..run }));
        self.len += other.len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_were_given() {
        let mut names = Names::default();
        names.push("total".to_owned());
        names.push_elements("ages", 2);
        names.push_elements("nobody", 0);
        let mut more = Names::default();
        more.push_elements("rest", 3);
        more.push("last".to_owned());
        names.append(more);
        let all: Vec<String> = names.iter().collect();
        assert_eq!(all, ["total", "ages[0]", "ages[1]", "rest[0]", "rest[1]", "rest[2]", "last"]);
        assert_eq!(names.len(), 7);
    }
}
