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

/// The name that is the mean of everybody's own normal distribution: the prior is `Normal(name, …)` or `Normal(…, mean=name)`
/// and nothing else, and the name stands nowhere else in it. `None` for all other priors.
pub fn own_mean(text: &str) -> Option<String> {
    if guard::scan(text, Mode::Module, Origin::of(SourceId(0))).is_err() {
        return None;
    }
    let parsed = parse_unchecked(text, ParseOptions::from(Mode::Module));
    let is_space =
        |kind: TokenKind| matches!(kind, TokenKind::Newline | TokenKind::NonLogicalNewline | TokenKind::EndOfFile);
    let tokens = parsed.tokens().iter().filter(|token| !is_space(token.kind()));
    let mut tokens: Vec<(TokenKind, &str)> = tokens
        .map(|token| (token.kind(), &text[token.range().start().to_usize()..token.range().end().to_usize()]))
        .collect();
    if let [(TokenKind::Name, _), (TokenKind::Equal, _), ..] = tokens.as_slice() {
        tokens.drain(..2);
    }
    let [(TokenKind::Name, "Normal"), (TokenKind::Lpar, _), arguments @ .., (TokenKind::Rpar, _)] = tokens.as_slice()
    else {
        return None;
    };
    // The arguments of this very call, which its last parenthesis ends.
    let (mut depth, mut start, mut parts) = (0i32, 0, Vec::new());
    for (place, (kind, _)) in arguments.iter().enumerate() {
        match kind {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth -= 1,
            TokenKind::Comma if depth == 0 => {
                parts.push(&arguments[start..place]);
                start = place + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    parts.push(&arguments[start..]);
    let name = parts.iter().enumerate().find_map(|(place, part)| match part {
        [(TokenKind::Name, name)] if place == 0 => Some(*name),
        [(TokenKind::Name, "mean" | "mu" | "loc"), (TokenKind::Equal, _), (TokenKind::Name, name)] => Some(*name),
        _ => None,
    })?;
    // With `per=` people share a variable; that the others are arguments by name is left to the check of the call.
    let names = || tokens.iter().filter(|(kind, _)| *kind == TokenKind::Name).map(|(_, written)| *written);
    let is_own = names().filter(|written| *written == name).count() == 1 && names().all(|written| written != "per");
    is_own.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_their_own_is_a_name_and_nothing_else() {
        for text in [
            "Normal(expected, std=100)",
            "Normal(expected, variance)",
            "Normal(std=sqrt(age), mean=expected)",
            "income=Normal(mu=expected, var=base * (1 + base))",
            " Normal(\n  expected,\n 9,\n)",
        ] {
            assert_eq!(own_mean(text.trim()).as_deref(), Some("expected"), "{text}");
        }
        for text in [
            "Normal(expected + 1, 100)",
            "Normal(expected.mean(), 100)",
            "2 * Normal(expected, 100)",
            "Normal(expected, 100) + Normal(0, 1)",
            "Normal(Normal(expected, 1), 100)",
            "Normal(expected, std=expected)",
            "Normal(expected, 100, per=region)",
            "Normal(100, expected)",
            "Gamma(expected, 100)",
            "Normal(expected, 100",
            "Normal()",
            "",
        ] {
            assert_eq!(own_mean(text), None, "{text}");
        }
    }

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
