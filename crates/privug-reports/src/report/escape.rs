//! Text of users between tags and in quoted attributes, for pages and drawings alike.

/// The text with `&`, `<`, `>` and quotes as HTML and XML take them; `push` writes every other character.
pub(super) fn escaped(text: &str, mut push: impl FnMut(&mut String, char)) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => push(&mut escaped, letter),
        }
    }
    escaped
}
