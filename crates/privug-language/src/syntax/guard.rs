//! Refuses text that would build a tree too deep to handle, by looking at its tokens only.
//!
//! The depth of an expression is at most the number of tokens that are open at once: the tokens since the last comma,
//! added up over the enclosing brackets. Long lists are flat and pass; a chain of 100 000 `+` does not.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

use super::{MAX_SOURCE_BYTES, Origin};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// As CPython has it.
const MAX_BRACKETS: usize = 200;
/// As CPython has it.
const MAX_BLOCKS: usize = 100;
/// Tokens open at once; `x[0] + x[1] + …` may have about ten thousand terms.
const MAX_OPEN_TOKENS: usize = 30_000;

/// What the guard found, without the place.
type Finding = (Code, String, &'static str);

/// Looks at all tokens of the text.
pub(super) fn scan(text: &str, mode: Mode, origin: Origin) -> Result<(), Box<Diagnostic>> {
    let start = Span { source: origin.source, start: origin.offset, end: origin.offset };
    if text.len() > MAX_SOURCE_BYTES {
        let message = format!("the text has {} bytes; at most {MAX_SOURCE_BYTES} are read", text.len());
        return Err(Box::new(Diagnostic::error(Code::SourceTooLarge, start, message)));
    }
    let Some((code, message, hint)) = find(text, mode) else { return Ok(()) };
    let end = origin.offset + shortest_refused_prefix(text, mode) as u32;
    let span = Span { start: end.saturating_sub(1).max(origin.offset), end, ..start };
    Err(Box::new(Diagnostic::error(code, span, message).hint(hint)))
}

/// The lexer does not tell where its tokens are, so the place of a finding is searched for by bisection.
fn shortest_refused_prefix(text: &str, mode: Mode) -> usize {
    let (mut accepted, mut refused) = (0, text.len());
    while refused - accepted > 1 {
        let mut middle = accepted + (refused - accepted) / 2;
        while !text.is_char_boundary(middle) {
            middle += 1;
        }
        if middle >= refused {
            break;
        }
        if find(&text[..middle], mode).is_some() {
            refused = middle;
        } else {
            accepted = middle;
        }
    }
    refused
}

fn find(text: &str, mode: Mode) -> Option<Finding> {
    let mut lexer = lexer::lex(text, mode);
    // Tokens since the last comma, for each open bracket; the first entry is outside all brackets.
    let mut open = vec![0usize];
    let mut open_tokens = 0;
    let mut blocks = 0usize;
    loop {
        let last = open.len() - 1;
        match lexer.next_token() {
            TokenKind::EndOfFile => return None,
            TokenKind::Indent => blocks += 1,
            TokenKind::Dedent => blocks = blocks.saturating_sub(1),
            TokenKind::Newline | TokenKind::Semi => {
                open.truncate(1);
                open[0] = 0;
                open_tokens = 0;
            }
            TokenKind::Comma => {
                open_tokens -= open[last];
                open[last] = 0;
            }
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace | TokenKind::FStringStart => {
                open.push(1);
                open_tokens += 1;
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace | TokenKind::FStringEnd if last > 0 => {
                // The closed bracket is one part of what it stands in.
                open_tokens = open_tokens - open[last] + 1;
                open.pop();
                open[last - 1] += 1;
            }
            TokenKind::Comment | TokenKind::NonLogicalNewline => {}
            _ => {
                open[last] += 1;
                open_tokens += 1;
            }
        }
        if blocks > MAX_BLOCKS {
            let message = format!("blocks are nested more than {MAX_BLOCKS} deep");
            return Some((Code::NestedTooDeeply, message, "move the inner blocks into functions"));
        }
        if open.len() > MAX_BRACKETS {
            let message = format!("brackets are nested more than {MAX_BRACKETS} deep");
            return Some((Code::NestedTooDeeply, message, "name the inner parts and use the names"));
        }
        if open_tokens > MAX_OPEN_TOKENS {
            let message = format!("an expression has more than {MAX_OPEN_TOKENS} parts");
            let hint = "put the terms into a list and use `sum(...)`; lists may be of any length";
            return Some((Code::ExpressionTooLong, message, hint));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    fn scan_module(text: &str) -> Result<(), Box<Diagnostic>> {
        scan(text, Mode::Module, Origin::of(SourceId(0)))
    }

    #[test]
    fn long_lists_and_files_pass() {
        assert!(scan_module(&format!("x = [{}]", "1, ".repeat(100_000))).is_ok());
        assert!(scan_module(&"x = 1\n".repeat(100_000)).is_ok());
        assert!(scan_module(&format!("x = {}a[0]", "a[0] + ".repeat(5_000))).is_ok());
    }

    #[test]
    fn deep_nesting_is_refused_where_it_becomes_too_deep() {
        let refused = scan_module(&format!("x = {}1", "(".repeat(100_000))).unwrap_err();
        assert_eq!((refused.code, refused.span.start), (Code::NestedTooDeeply, 4 + MAX_BRACKETS as u32 - 1));
        let chain = scan_module(&format!("x = 1{}", " + 1".repeat(100_000))).unwrap_err();
        assert_eq!(chain.code, Code::ExpressionTooLong);
        let signs = scan_module(&format!("x = {}1", "-".repeat(100_000))).unwrap_err();
        assert_eq!(signs.code, Code::ExpressionTooLong);
    }
}
