//! Texts of users on their way to a reader: nothing in them may move a cursor, hide or turn what stands beside it.

use std::borrow::Cow;

/// Control characters, characters of no width, marks that turn the direction of text, and what is no character at all.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(letter) & 0xfffe == 0xfffe
}

/// The text on one line, with the numbers of characters that nobody sees in their place: `⟨U+001B⟩`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        push_visible(&mut shown, letter);
    }
    Cow::Owned(shown)
}

/// Adds a character, or its number if nobody would see it.
pub fn push_visible(text: &mut String, letter: char) {
    if is_unseen(letter) {
        text.push_str(&format!("⟨U+{:04X}⟩", u32::from(letter)));
    } else {
        text.push(letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_shown_by_its_number() {
        assert_eq!(visible("red\u{1b}[31m\r\n\u{202e}\u{9b}"), "red⟨U+001B⟩[31m⟨U+000D⟩⟨U+000A⟩⟨U+202E⟩⟨U+009B⟩");
        assert!(matches!(visible("Ærø שלום 🙂"), Cow::Borrowed(_)));
    }
}
