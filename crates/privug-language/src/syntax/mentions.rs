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

/// Whether a name stands nowhere in an expression but in calls of some methods without arguments: `name.mean()`. It may be
/// the name that a value is given to: `name=...`.
pub fn only_methods_of(text: &str, name: &str, methods: &[&str]) -> bool {
    if guard::scan(text, Mode::Module, Origin::of(SourceId(0))).is_err() {
        return false;
    }
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let tokens: Vec<(TokenKind, &str)> = parsed
        .tokens()
        .iter()
        .map(|token| {
            let written = &text[token.range().start().to_usize()..token.range().end().to_usize()];
            (token.kind(), written)
        })
        .collect();
    let is_method = |behind: &[(TokenKind, &str)]| match behind {
        [(TokenKind::Dot, _), (TokenKind::Name, method), (TokenKind::Lpar, _), (TokenKind::Rpar, _), ..] => {
            methods.contains(method)
        }
        _ => false,
    };
    tokens.iter().enumerate().all(|(place, (kind, written))| {
        let is_meant = *kind == TokenKind::Name && *written == name;
        let is_target = place == 0 && tokens.get(1).is_some_and(|(kind, _)| *kind == TokenKind::Equal);
        // What is behind a dot is an attribute of something else.
        let is_attribute = place > 0 && tokens[place - 1].0 == TokenKind::Dot;
        !is_meant || is_target || is_attribute || is_method(&tokens[place + 1..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_anything_but_the_methods_is_noticed() {
        let only = |text: &str| only_methods_of(text, "income", &["mean", "std"]);
        assert!(
            only("Normal(income.mean(), std=income.std())") && only("income=Normal(base, 1)") && only("Normal(1, 2)")
        );
        for text in ["Normal(income, 1)", "Normal(income.round(), 1)", "Normal((income * 2).mean(), 1)", "income"] {
            assert!(!only(text), "{text}");
        }
        assert!(!only("Normal(income.mean, 1)") && !only("Normal(income[age > 3].mean(), 1)"));
    }

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
