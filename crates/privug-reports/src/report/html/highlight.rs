//! Python source in colours: enough of its tokens to make a program easy to read, line by line.

/// What a piece of a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Keyword,
    /// A function of privug.
    Privug,
    Number,
    Text,
    Comment,
}

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "break", "class", "continue", "def", "del", "elif", "else",
    "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
    "pass", "raise", "return", "try", "while", "with", "yield",
];

const PRIVUG: &[&str] = &["Normal", "MultivariateNormal", "condition", "observe", "gaussian_mechanism"];

/// What a line begins inside of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Code,
    /// A text between three of these quotes.
    Text(char),
}

/// The pieces of a line in order, and what the next line begins inside of.
pub(super) fn pieces(line: &str, state: State) -> (Vec<(Kind, &str)>, State) {
    let mut pieces: Vec<(Kind, &str)> = Vec::new();
    let mut rest = line;
    let mut state = state;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match state {
            State::Text(quote) => {
                let length = closing(rest, quote);
                state = if length.1 { State::Code } else { state };
                (Kind::Text, length.0)
            }
            State::Code => match first {
                '#' => (Kind::Comment, rest.len()),
                '"' | '\'' if opens_long_text(rest, first) => {
                    let (length, ended) = closing(&rest[3..], first);
                    state = if ended { State::Code } else { State::Text(first) };
                    (Kind::Text, 3 + length)
                }
                '"' | '\'' => (Kind::Text, short_text(rest, first)),
                letter if letter.is_ascii_digit() => (Kind::Number, word(rest, true)),
                letter if letter.is_alphabetic() || letter == '_' => {
                    let length = word(rest, false);
                    let kind = match &rest[..length] {
                        name if KEYWORDS.contains(&name) => Kind::Keyword,
                        name if PRIVUG.contains(&name) => Kind::Privug,
                        _ => Kind::Plain,
                    };
                    (kind, length)
                }
                letter => (Kind::Plain, letter.len_utf8()),
            },
        };
        let (piece, behind) = rest.split_at(length);
        match pieces.last_mut() {
            // Neighbours of a kind are one piece.
            Some((last, text)) if *last == kind => {
                let start = line.len() - rest.len() - text.len();
                *text = &line[start..line.len() - behind.len()];
            }
            _ => pieces.push((kind, piece)),
        }
        rest = behind;
    }
    (pieces, state)
}

fn opens_long_text(rest: &str, quote: char) -> bool {
    rest.chars().take(3).filter(|letter| *letter == quote).count() == 3
}

/// Bytes up to and including three quotes, or all; and whether there are such quotes.
fn closing(text: &str, quote: char) -> (usize, bool) {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        if !escaped && opens_long_text(&text[at..], quote) {
            return (at + 3, true);
        }
        escaped = letter == '\\' && !escaped;
    }
    (text.len(), false)
}

/// Bytes of a text on one line, quotes included.
fn short_text(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        if letter == quote && !escaped {
            return at + letter.len_utf8();
        }
        escaped = letter == '\\' && !escaped;
    }
    text.len()
}

/// Bytes of a name or a number.
fn word(text: &str, is_number: bool) -> usize {
    let goes_on = |letter: char| letter.is_alphanumeric() || letter == '_' || (is_number && letter == '.');
    text.find(|letter| !goes_on(letter)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_is_cut_into_its_tokens() {
        let (found, state) = pieces("x = Normal(480_000, 1.5)  # if \"so\"", State::Code);
        assert_eq!(
            found,
            [
                (Kind::Plain, "x = "),
                (Kind::Privug, "Normal"),
                (Kind::Plain, "("),
                (Kind::Number, "480_000"),
                (Kind::Plain, ", "),
                (Kind::Number, "1.5"),
                (Kind::Plain, ")  "),
                (Kind::Comment, "# if \"so\""),
            ]
        );
        assert_eq!(state, State::Code);
    }

    #[test]
    fn a_text_may_go_over_several_lines() {
        let (found, state) = pieces("    \"\"\"What it # does", State::Code);
        assert_eq!((found[1], state), ((Kind::Text, "\"\"\"What it # does"), State::Text('"')));
        let (found, state) = pieces("ends\"\"\" if 'it\\'s'", state);
        assert_eq!((found[0], state), ((Kind::Text, "ends\"\"\""), State::Code));
        assert_eq!(found[2..], [(Kind::Keyword, "if"), (Kind::Plain, " "), (Kind::Text, "'it\\'s'")]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(line in "[a-z0-9 '\"#\\\\é🙂_.(]{0,40}", inside in any::<bool>()) {
            let state = if inside { State::Text('"') } else { State::Code };
            let (found, _) = pieces(&line, state);
            let joined: String = found.iter().map(|(_, text)| *text).collect();
            prop_assert_eq!(joined, line);
        }
    }
}
