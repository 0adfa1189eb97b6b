//! Options in messages, as each front end writes them: `--observe` on the command line is `observe=` in Python.
//!
//! A message names an option by its id, which is how the command line spells it. A front end that spells options otherwise
//! has its messages addressed to it.

use super::{Diagnostic, Refusal};

/// Who is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Front {
    /// Somebody at a terminal.
    CommandLine,
    /// Somebody who writes Python.
    Python,
}

/// What an option is in Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keyword {
    /// `query='P(x > 3)'`
    Text(&'static str),
    /// `max_steps=…`
    Number(&'static str),
    /// `prior={'ages': …}`, or its value alone if it names nothing.
    Named(&'static str),
    /// `exact=True`
    Flag(&'static str),
}

/// Every option that a message may name.
const OPTIONS: &[(&str, Keyword)] = &[
    ("--exact", Keyword::Flag("exact")),
    ("--gain", Keyword::Text("gain")),
    ("--known", Keyword::Text("known")),
    ("--level", Keyword::Number("level")),
    ("--live", Keyword::Flag("live")),
    ("--max-bits", Keyword::Number("max_bits")),
    ("--max-depth", Keyword::Number("max_depth")),
    ("--max-elements", Keyword::Number("max_elements")),
    ("--max-steps", Keyword::Number("max_steps")),
    ("--max-variables", Keyword::Number("max_variables")),
    ("--max-work", Keyword::Number("max_work")),
    ("--measure", Keyword::Text("measure")),
    ("--missing", Keyword::Text("missing")),
    ("--noise", Keyword::Text("noise")),
    ("--observe", Keyword::Text("observe")),
    ("--person", Keyword::Text("person")),
    ("--policy", Keyword::Text("policy")),
    ("--prior", Keyword::Named("prior")),
    ("--published-before", Keyword::Text("published_before")),
    ("--query", Keyword::Text("query")),
    ("--require", Keyword::Text("require")),
    ("--round", Keyword::Number("round")),
    ("--rule", Keyword::Text("rules")),
    ("--secret", Keyword::Text("secret")),
    ("--sensitive", Keyword::Text("sensitive")),
    ("--set", Keyword::Named("set")),
    ("--strict", Keyword::Flag("strict")),
    ("--sum-weights", Keyword::Text("sum_weights")),
    ("--support", Keyword::Text("support")),
    ("--suppress", Keyword::Text("suppress")),
    ("--table", Keyword::Named("tables")),
    ("--tolerance", Keyword::Text("tolerance")),
    ("--truth", Keyword::Named("truth")),
];

impl Refusal {
    /// The same, spoken to a front end.
    #[must_use]
    pub fn addressed(mut self, front: Front) -> Self {
        self.diagnostics = self.diagnostics.into_iter().map(|diagnostic| diagnostic.addressed(front)).collect();
        let is_option = |name: &str| OPTIONS.iter().any(|(option, _)| *option == name);
        self.sources.rename(|name| if is_option(name) { addressed(name, front) } else { name.to_owned() });
        self
    }
}

impl Diagnostic {
    fn addressed(mut self, front: Front) -> Self {
        self.message = addressed(&self.message, front);
        self.hint = self.hint.map(|hint| addressed(&hint, front));
        for (_, words) in &mut self.related {
            *words = addressed(words, front);
        }
        self
    }
}

/// A text with its options as a front end writes them.
pub fn addressed(text: &str, front: Front) -> String {
    match front {
        Front::CommandLine => text.to_owned(),
        Front::Python => in_python(text),
    }
}

fn in_python(text: &str) -> String {
    let (mut written, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find("--") {
        written.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(|c: char| c != '-' && !c.is_ascii_lowercase()).unwrap_or(rest.len());
        let Some((_, keyword)) = OPTIONS.iter().find(|(option, _)| *option == &rest[..end]) else {
            written.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        };
        let in_quotes = written.matches('`').count() % 2 == 1;
        let (value, length) = if in_quotes { value(&rest[end..]) } else { (None, 0) };
        written.push_str(&keyword.with(value));
        rest = &rest[end + length..];
    }
    written + rest
}

/// The value behind an option, without its quotation marks, and how long it is with the space before it.
fn value(text: &str) -> (Option<&str>, usize) {
    let Some(word) = text.strip_prefix(' ') else { return (None, 0) };
    if let Some(quoted) = word.strip_prefix('\'') {
        return match quoted.find('\'') {
            Some(end) => (Some(&quoted[..end]), end + 3),
            None => (None, 0),
        };
    }
    let end = word.find([' ', '`']).unwrap_or(word.len());
    if end == 0 { (None, 0) } else { (Some(&word[..end]), end + 1) }
}

impl Keyword {
    fn with(self, value: Option<&str>) -> String {
        let named = |value: &str| -> Option<(String, String)> {
            let (name, of) = value.split_once('=').filter(|(name, _)| !name.contains(['(', ' ']))?;
            Some((name.to_owned(), of.to_owned()))
        };
        match (self, value) {
            (Keyword::Flag(name), _) => format!("{name}=True"),
            (Keyword::Text(name) | Keyword::Number(name) | Keyword::Named(name), None) => format!("{name}="),
            (Keyword::Text(name), Some(value)) => format!("{name}='{value}'"),
            (Keyword::Number(name), Some(value)) => format!("{name}={value}"),
            (Keyword::Named(name), Some(value)) => match named(value) {
                Some((key, value)) if is_expression(&value) => format!("{name}={{'{key}': '{value}'}}"),
                Some((key, value)) => format!("{name}={{'{key}': {value}}}"),
                None if is_expression(value) => format!("{name}='{value}'"),
                None => format!("{name}={value}"),
            },
        }
    }
}

/// Whether Python would take a value for something else without quotation marks.
fn is_expression(value: &str) -> bool {
    value.contains('(')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options that Python does not have, for tables that it does not read in this way.
    const OF_THE_COMMAND_LINE: &[&str] =
        &["--", "--decimals", "--grouped", "--groups", "--log", "--record", "--release-rows", "--verify"];

    #[test]
    fn every_option_that_a_message_names_is_known_to_python() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut pending: Vec<_> =
            ["language", "tables", "engine", "analysis"].map(|name| crates.join(format!("privug-{name}/src"))).into();
        let mut named = std::collections::BTreeSet::new();
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                pending
                    .extend(std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                named.extend(line.match_indices("`--").map(|(at, _)| {
                    let option = &line[at + 1..];
                    let end = option.find(|c: char| c != '-' && !c.is_ascii_lowercase()).unwrap_or(option.len());
                    option[..end].to_owned()
                }));
            }
        }
        assert!(named.contains("--observe") && named.contains("--support"), "{named:?}");
        named.retain(|option| {
            !OPTIONS.iter().any(|(known, _)| known == option) && !OF_THE_COMMAND_LINE.contains(&option.as_str())
        });
        assert!(named.is_empty(), "{named:?} are not spelled as Python does");
    }

    #[test]
    fn python_has_keywords_where_the_command_line_has_options() {
        for (typed, python) in [
            ("raise it with `--max-steps`", "raise it with `max_steps=`"),
            ("choose other units, or use `--exact`", "choose other units, or use `exact=True`"),
            ("observe the values (`--observe`)", "observe the values (`observe=`)"),
            ("`--secret 'ages[0]'`, say", "`secret='ages[0]'`, say"),
            ("ask with `--query 'P(x > 3)'`", "ask with `query='P(x > 3)'`"),
            ("`--set epsilon=0.5`", "`set={'epsilon': 0.5}`"),
            (
                "`--prior 'ages=[Normal(35, 4) for _ in range(3)]'`",
                "`prior={'ages': '[Normal(35, 4) for _ in range(3)]'}`",
            ),
            ("`--prior 'Normal(mean=450_000, std=60_000)'`", "`prior='Normal(mean=450_000, std=60_000)'`"),
            ("`--truth 500_000`, or `--truth 'ages[0]=44'`", "`truth=500_000`, or `truth={'ages[0]': 44}`"),
            ("--observe", "observe="),
            ("a -- b --unknown c `--", "a -- b --unknown c `--"),
        ] {
            assert_eq!(addressed(typed, Front::Python), python);
            assert_eq!(addressed(typed, Front::CommandLine), typed);
        }
    }
}
