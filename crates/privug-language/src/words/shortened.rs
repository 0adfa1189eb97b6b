//! Texts that are too long to be shown.

/// The text; one of more than so many characters without its middle.
pub fn shortened(text: &str, most: usize) -> String {
    // The last place where it may end, without going through megabytes.
    if text.char_indices().nth(most).is_none() {
        return text.to_owned();
    }
    let place = |place: Option<(usize, char)>| place.map_or(text.len(), |(place, _)| place);
    let start = place(text.char_indices().nth(most / 2));
    let end = place(text.char_indices().rev().nth((most / 3).saturating_sub(1)));
    format!("{} … {}", &text[..start], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_lose_their_middle() {
        assert_eq!(shortened("abcdefghij", 6), "abc … ij");
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("", 6), "");
        assert_eq!(shortened(&"é".repeat(1_000_000), 6), "ééé … éé");
    }
}
