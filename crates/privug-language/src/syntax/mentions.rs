//! The names and texts that a program is written with, whatever it does with them.

use std::collections::BTreeSet;

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::Ranged;

use super::{Origin, guard};
use crate::source::SourceId;

/// Every name in a program, and every string that is written out in it, without comments. What has an error in it may have
/// more of them.
pub fn mentions(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if guard::scan(text, Mode::Module, Origin::of(SourceId(0))).is_err() {
        return found;
    }
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    for token in parsed.tokens().iter() {
        let written = &text[token.range().start().to_usize()..token.range().end().to_usize()];
        match token.kind() {
            TokenKind::Name => {
                found.insert(written.to_owned());
            }
            TokenKind::String => {
                let quoted = written.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
                let quote = if quoted.starts_with("\"\"\"") || quoted.starts_with("'''") { 3 } else { 1 };
                if quoted.len() >= 2 * quote {
                    found.insert(quoted[quote..quoted.len() - quote].to_owned());
                }
            }
            // Nothing else can name a column: what an f-string makes is known only when it runs.
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_attributes_and_strings_are_found_and_comments_are_not() {
        let text = "def f(p):\n    # by id\n    return p[p.sex == 'm'].groupby(\"age group\")['income'].mean(), r'x', b'', f'a{p}'\n";
        let found = mentions(text);
        for name in ["f", "p", "sex", "m", "age group", "income", "mean", "x"] {
            assert!(found.contains(name), "{name}");
        }
        assert!(!found.contains("id") && !found.contains("by id") && !found.contains("a"));
        assert!(mentions("x = '").len() < 3);
        assert!(mentions(&"(".repeat(100_000)).is_empty());
    }
}
