//! Regular expressions of strings: those that mean the same here as in Python.

use std::rc::Rc;

use regex_lite::Regex;

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Frame, FrameColumn, Label, Series};
use super::{column, derived};
use crate::evaluate::{tables, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// A pattern, and whether it has parts that mean more in Python than ASCII.
pub(super) struct Pattern {
    regex: Regex,
    has_classes: bool,
}

impl Pattern {
    /// Reads a pattern of the part of Python's language that is read alike here.
    ///
    /// Left out is what other engines read otherwise: possessive and repeated quantifiers, repeated groups, whose last round
    /// decides what they hold, flags, look-around, references and classes within classes.
    pub(super) fn read(pattern: &str, ignores_case: bool) -> Outcome<Pattern> {
        let refuse = |what: &str| {
            let hint = "known are characters, `.`, `[...]`, `\\d`, `\\w`, `\\s`, `\\b`, `^`, `$`, `|`, groups and `*`, `+`, `?`, `{n}` behind one character";
            Err(Fault::hinted(Code::BadArgument, format!("{what} in a regular expression"), hint))
        };
        let mut has_classes = ignores_case;
        let mut left = pattern.chars().peekable();
        let (mut in_class, mut before) = (false, ' ');
        while let Some(one) = left.next() {
            // What a quantifier behind it would repeat: `r` stands for a quantifier, `c` for a character.
            let mut now = 'c';
            match one {
                '\\' => match left.next() {
                    Some('d' | 'D' | 'w' | 'W' | 's' | 'S') => has_classes = true,
                    Some('b' | 'B') if !in_class => has_classes = true,
                    Some('t' | 'n') => {}
                    Some(other) if other.is_ascii_punctuation() => {}
                    _ => return refuse("this escape is not known"),
                },
                '[' if in_class => return refuse("a class within a class is not known"),
                '[' => {
                    in_class = true;
                    if left.peek() == Some(&'^') {
                        left.next();
                    }
                    if left.peek() == Some(&']') {
                        return refuse("a class that begins with `]` is not known");
                    }
                }
                ']' if in_class => in_class = false,
                '&' | '~' | '-' if in_class && left.peek() == Some(&one) => return refuse("this class is not known"),
                _ if in_class => {}
                '(' => {
                    now = '(';
                    if left.peek() == Some(&'?') {
                        left.next();
                        match left.next() {
                            Some(':') => {}
                            Some('P') if left.next() == Some('<') => {}
                            _ => return refuse("this kind of group is not known"),
                        }
                    }
                }
                ')' => now = ')',
                '*' | '+' | '{' if before == ')' => return refuse("a repeated group is not known"),
                '*' | '+' | '{' if before == 'r' => return refuse("a repeated quantifier is not known"),
                '*' | '+' => now = 'r',
                '?' => now = 'r',
                '{' => {
                    let count: String = std::iter::from_fn(|| left.next_if(|next| *next != '}')).collect();
                    let is_count = |part: &str| !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit());
                    let is_known = match count.split_once(',') {
                        Some((least, most)) => is_count(least) && (most.is_empty() || is_count(most)),
                        None => is_count(&count),
                    };
                    if left.next() != Some('}') || !is_known {
                        return refuse("this quantifier is not known");
                    }
                    now = 'r';
                }
                _ => {}
            }
            before = now;
        }
        let flagged = if ignores_case { format!("(?i){pattern}") } else { pattern.to_owned() };
        match Regex::new(&flagged) {
            Ok(regex) => Ok(Pattern { regex, has_classes }),
            Err(_) => refuse("there is a mistake, or something that is not known"),
        }
    }

    /// A string that the pattern means the same of in Python: other alphabets have digits and letters too, and `$` is also
    /// before the end of the last line.
    fn check(&self, text: &str) -> Outcome<()> {
        if text.contains('\n') || (self.has_classes && !text.is_ascii()) {
            let hint = "run the script with `--live`";
            let message = "a regular expression of letters beyond ASCII, or of several lines";
            return Err(Fault::hinted(Code::BadArgument, message, hint));
        }
        Ok(())
    }

    pub(super) fn check_all<T: AsRef<str>>(&self, texts: &[T]) -> Outcome<()> {
        texts.iter().try_for_each(|text| self.check(text.as_ref()))
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    pub(super) fn replaced(&self, text: &str, with: &str) -> String {
        self.regex.replace_all(text, regex_lite::NoExpand(with)).into_owned()
    }
}

/// `column.str.extract(pattern, expand=True)`: what the groups of the pattern hold where it is found first.
pub(super) fn extracted<S: Scalar>(
    state: &mut State<S>,
    series: &Series<S>,
    (codes, labels): (&[u32], &[std::sync::Arc<str>]),
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [pattern, expands] = arguments.bind("extract", ["pat", "expand"], 1, 1)?;
    let expands = derived::flag(state, expands, true)?;
    let pattern = given(pattern)?;
    let pattern =
        Pattern::read(&text::show(state, pattern.value), false).map_err(|fault| fault.at_argument(pattern.index))?;
    pattern.check_all(labels)?;
    let names: Vec<Option<String>> =
        pattern.regex.capture_names().skip(1).map(|name| name.map(str::to_owned)).collect();
    if names.is_empty() {
        let hint = "put what is wanted into parentheses: `(\\d+)`";
        return Err(Fault::hinted(Code::BadArgument, "the pattern has no group", hint));
    }
    let mut columns = Vec::with_capacity(names.len());
    for (place, name) in names.iter().enumerate() {
        let mut made = Vec::with_capacity(labels.len());
        for label in labels {
            let found = pattern.regex.captures(label).and_then(|found| found.get(place + 1).map(|part| part.as_str()));
            made.push(match found {
                Some(found) => state.text(found.to_owned())?,
                None => Value::Missing,
            });
        }
        let values = codes.iter().map(|code| made.get(*code as usize).cloned().unwrap_or(Value::Missing)).collect();
        let label = vec![name.as_deref().map_or(Label::Int(place as i64), Label::text)];
        columns.push(FrameColumn { label, column: column::column_of(state, values)?, rows: None });
    }
    if let ([only], false) = (columns.as_slice(), expands) {
        let name = names[0].as_deref().map(Rc::from).or_else(|| series.name.clone());
        return Ok(Value::Series(Rc::new(Series { name, column: only.column.clone(), index: series.index.clone() })));
    }
    tables::new_frame(state, Frame { index: series.index.clone(), columns })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_other_engines_read_otherwise_are_refused() {
        for pattern in [
            "a++", "(a)*", "(ab)+", "(?i)a", "(?=a)", r"(a)\1", "[[a]]", "[a&&b]", r"\Aa", r"a\Z", "a{,2}", "a**",
            "[]a]",
        ] {
            assert!(Pattern::read(pattern, false).is_err(), "{pattern}");
        }
        for pattern in [r"^(\d{2})[A-Z]?$", "agri|trade", "(?P<year>[0-9]{4})-(?:0?[1-9])", r"a\.b", ".*?x", "a{1,}"] {
            assert!(Pattern::read(pattern, false).is_ok(), "{pattern}");
        }
    }
}
