//! The texts an analysis is made of (the program, the expressions given beside it), and places in them.

use std::sync::Arc;

/// Names one text of a [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// A range of bytes in one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span that points at no text in particular (the start of the first one).
    pub const START: Span = Span { source: SourceId(0), start: 0, end: 0 };

    /// The smallest span that covers both; they must lie in one text, else the first is returned.
    pub fn to(self, other: Span) -> Span {
        if self.source == other.source {
            Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
        } else {
            self
        }
    }
}

/// A place as people count it: both start at 1, columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One text and its name.
#[derive(Debug, Clone)]
pub struct Source {
    /// A file's path, or what the user typed the text for (`--prior`).
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
}

impl Source {
    fn new(name: String, text: Arc<str>) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        Source { name, text, line_starts }
    }

    /// The line and column of a byte.
    pub fn location(&self, byte: u32) -> Location {
        let byte = (byte as usize).min(self.text.len());
        let line = self.line_starts.partition_point(|start| *start as usize <= byte).max(1);
        let start = self.line_starts[line - 1] as usize;
        let column = self.text.get(start..byte).map_or(byte - start, |text| text.chars().count());
        Location { line, column: column + 1 }
    }

    /// The bytes of a line (from 1), without its line break.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.line_starts[line - 1] as usize;
        let end = self.line_starts.get(line).map_or(self.text.len(), |next| *next as usize - 1);
        start..end
    }
}

/// All texts of one analysis.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    all: Vec<Source>,
}

impl Sources {
    /// Adds a text. Texts longer than 4 GiB cannot be addressed by a [`Span`]; `parse` refuses far smaller ones.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceId {
        self.all.push(Source::new(name.into(), text.into()));
        SourceId(self.all.len() as u32 - 1)
    }

    /// Adds all texts of others; their numbers grow by what is returned.
    pub fn append(&mut self, mut others: Sources) -> u32 {
        let before = self.all.len() as u32;
        self.all.append(&mut others.all);
        before
    }

    /// Gives every text another name.
    pub fn rename(&mut self, name: impl Fn(&str) -> String) {
        self.all.iter_mut().for_each(|source| source.name = name(&source.name));
    }

    /// Puts another text in the place of one, as when a parameter takes another value.
    pub fn replace(&mut self, id: SourceId, text: impl Into<Arc<str>>) {
        let source = &mut self.all[id.0 as usize];
        *source = Source::new(std::mem::take(&mut source.name), text.into());
    }

    /// All texts in the order in which they were added; the program comes first.
    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.all.iter()
    }

    /// The text named by `id`.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.all[id.0 as usize]
    }

    /// The words a span covers.
    pub fn text(&self, span: Span) -> &str {
        let text = &self.get(span.source).text;
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of the span's first byte.
    pub fn location(&self, span: Span) -> Location {
        self.get(span.source).location(span.start)
    }

    /// The same words on one line: white space outside strings folded, for use as a name.
    pub fn name_of(&self, span: Span) -> String {
        self.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_count_lines_and_characters_from_one() {
        let mut sources = Sources::default();
        let id = sources.add("a.py", "é = 1\nb = 2\n");
        let source = sources.get(id);
        assert_eq!(source.location(0), Location { line: 1, column: 1 });
        assert_eq!(source.location(3), Location { line: 1, column: 3 });
        assert_eq!(source.location(7), Location { line: 2, column: 1 });
        assert_eq!(source.location(9_999), Location { line: 3, column: 1 });
        assert_eq!(&source.text[source.line_range(2)], "b = 2");
    }
}
