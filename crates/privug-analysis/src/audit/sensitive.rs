//! Whether what is called sensitive is about values that the secret can have: a misspelt one would protect nobody.

use super::release::Belief;
use privug_language::diagnostic::nearest;

/// So many values are listed.
const LISTED: usize = 12;

/// A statement about sensitive values that is mistaken: its text, what is wrong, and what to do.
pub(super) struct Mistaken {
    pub(super) text: String,
    pub(super) message: String,
    pub(super) hint: String,
}

/// Checks statements such as `disease in ["HIV", "TB"]` about a column with this belief, of whose values some are sensitive.
pub(super) fn check(statements: &[&str], column: &str, belief: &Belief, sensitive: &[bool]) -> Result<(), Mistaken> {
    let (Belief::Discrete(discrete), Some(first)) = (belief, statements.first()) else { return Ok(()) };
    let values: Vec<String> = discrete.values.iter().map(|value| value.show()).collect();
    let mut listed: Vec<&str> = values.iter().take(LISTED).map(String::as_str).collect();
    if values.len() > LISTED {
        listed.push("…");
    }
    let listed = format!("the values are {}", listed.join(", "));
    for statement in statements {
        for literal in quoted(statement).into_iter().filter(|literal| !values.iter().any(|value| value == literal)) {
            // A list that is used for several tables may name values that this one does not have.
            let Some(near) = nearest(&literal, values.iter().map(String::as_str)) else { continue };
            return Err(Mistaken {
                text: (*statement).to_owned(),
                message: format!("`{column}` cannot be `{literal}`"),
                hint: format!("did you mean `{near}`?"),
            });
        }
    }
    if sensitive.iter().any(|sensitive| *sensitive) {
        return Ok(());
    }
    let message = format!("no possible value of `{column}` is sensitive by this, so nobody would be protected");
    Err(Mistaken { text: (*first).to_owned(), message, hint: listed })
}

/// The texts in quotes, without escapes: these are left to Python's rules.
fn quoted(statement: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(char, String)> = None;
    for letter in statement.chars() {
        open = match open {
            None if letter == '"' || letter == '\'' => Some((letter, String::new())),
            None => None,
            Some((quote, text)) if letter == quote => {
                if !text.contains('\\') {
                    found.push(text);
                }
                None
            }
            Some((quote, mut text)) => {
                text.push(letter);
                Some((quote, text))
            }
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn texts_in_quotes_are_found() {
        assert_eq!(quoted(r#"disease in ["HIV", 'it"s']"#), ["HIV", "it\"s"]);
        assert_eq!(quoted("ill == 1 and x != \"open"), Vec::<String>::new());
    }
}
