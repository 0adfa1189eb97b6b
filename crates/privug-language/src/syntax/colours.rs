//! The tokens of a text that a reader sees in colours.

use std::ops::Range;
use std::thread;

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Mode;
use ruff_text_size::Ranged;

use super::{Origin, STACK_BYTES, guard};
use crate::source::Sources;

/// What a coloured token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// A word of the language.
    Keyword,
    /// A name, which may be that of a function of privug.
    Name,
    /// A number.
    Number,
    /// A string, or a part of one between expressions.
    Text,
    /// A comment.
    Comment,
}

/// The coloured tokens of a text with their bytes, in order; none of a text that is not parsed.
pub fn colours(text: &str) -> Vec<(Colour, Range<usize>)> {
    let source = Sources::default().add("", "");
    if guard::scan(text, Mode::Module, Origin::of(source)).is_err() {
        return Vec::new();
    }
    // A tree as deep as the guard lets through needs a large stack, also to be dropped.
    thread::scope(|scope| {
        let parsing = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || tokens(text));
        parsing.ok().and_then(|thread| thread.join().ok()).unwrap_or_default()
    })
}

fn tokens(text: &str) -> Vec<(Colour, Range<usize>)> {
    let parsed = ruff_python_parser::parse_unchecked(text, Mode::Module.into());
    let coloured = parsed.tokens().iter().filter_map(|token| {
        let range = token.range();
        let bytes = range.start().to_usize()..range.end().to_usize();
        Some((colour(token.kind())?, bytes))
    });
    coloured.collect()
}

fn colour(kind: TokenKind) -> Option<Colour> {
    Some(match kind {
        TokenKind::Comment => Colour::Comment,
        TokenKind::Int | TokenKind::Float | TokenKind::Complex => Colour::Number,
        TokenKind::String
        | TokenKind::FStringStart
        | TokenKind::FStringMiddle
        | TokenKind::FStringEnd
        | TokenKind::TStringStart
        | TokenKind::TStringMiddle
        | TokenKind::TStringEnd => Colour::Text,
        TokenKind::Name => Colour::Name,
        kind if kind.is_non_soft_keyword() => Colour::Keyword,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<(Colour, &str)> {
        colours(text).into_iter().map(|(colour, bytes)| (colour, &text[bytes])).collect()
    }

    #[test]
    fn tokens_have_the_colours_of_python() {
        use Colour::{Comment, Keyword, Name, Number, Text};
        assert_eq!(
            words("x = Normal(480_000, 1.5e3)  # if \"so\"\nif match is None: y = 'it\\'s'\n"),
            [
                (Name, "x"),
                (Name, "Normal"),
                (Number, "480_000"),
                (Number, "1.5e3"),
                (Comment, "# if \"so\""),
                (Keyword, "if"),
                (Name, "match"),
                (Keyword, "is"),
                (Keyword, "None"),
                (Name, "y"),
                (Text, "'it\\'s'"),
            ]
        );
        assert_eq!(words("f'a{n:>3}'"), [(Text, "f'"), (Text, "a"), (Name, "n"), (Text, ">3"), (Text, "'")]);
        assert_eq!(words("\"\"\"What it # does\nends\"\"\"")[0].1.lines().count(), 2);
    }

    #[test]
    fn a_text_that_is_too_deep_has_no_colours() {
        assert_eq!(words(&"(".repeat(10_000)), []);
    }

    proptest! {
        #[test]
        fn tokens_lie_one_behind_the_other(text in "[a-z0-9 '\"#\\\\é🙂_.(\n{}]{0,60}") {
            let mut end = 0;
            for (_, bytes) in colours(&text) {
                prop_assert!(bytes.start >= end && text.get(bytes.clone()).is_some());
                end = bytes.end;
            }
        }
    }
}
