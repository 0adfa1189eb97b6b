//! Text to syntax tree: ruff's Python parser behind a guard that keeps hostile text from exhausting the stack.
//!
//! The tree is ruff's own. It is turned into our types in one place, `program/`, and dropped there; both must happen on
//! a thread with [`STACK_BYTES`] of stack, because dropping a deep tree recurses.

mod colours;
mod guard;
mod mentions;

pub use mentions::{mentions, only_methods_of, own_mean};

pub use colours::{Colour, colours};

use ruff_python_ast::{Expr, ModModule};
use ruff_python_parser::{Mode, ParseError};
use ruff_text_size::{Ranged, TextRange};

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Sources, Span};

/// Stack that parsing, checking and dropping may need, given the guard's limits. It is reserved, not touched.
pub const STACK_BYTES: usize = 512 << 20;

/// Source text above this is refused.
pub const MAX_SOURCE_BYTES: usize = 256 << 20;

/// At most this many syntax errors are worth reading.
const MAX_SYNTAX_ERRORS: usize = 20;

/// Where a tree's text lies: its source, and the offset of the tree's first byte in it.
#[derive(Debug, Clone, Copy)]
pub struct Origin {
    /// The source.
    pub source: SourceId,
    /// What to add to the parser's offsets.
    pub offset: u32,
}

impl Origin {
    /// The start of a source.
    pub fn of(source: SourceId) -> Self {
        Origin { source, offset: 0 }
    }

    /// The parser's range as a span.
    pub fn span(self, range: TextRange) -> Span {
        let (start, end) = (range.start().to_u32(), range.end().to_u32());
        Span { source: self.source, start: start + self.offset, end: end + self.offset }
    }
}

/// Parses a whole program.
pub fn parse_module(sources: &Sources, id: SourceId) -> Result<ModModule, Vec<Diagnostic>> {
    let text = &*sources.get(id).text;
    let origin = Origin::of(id);
    guard::scan(text, Mode::Module, origin).map_err(|diagnostic| vec![*diagnostic])?;
    let parsed = ruff_python_parser::parse_unchecked(text, Mode::Module.into());
    let errors = syntax_errors(text, parsed.errors(), origin);
    if !errors.is_empty() {
        return Err(errors);
    }
    match parsed.into_syntax() {
        ruff_python_ast::Mod::Module(module) => Ok(module),
        ruff_python_ast::Mod::Expression(_) => unreachable!("a module was asked for"),
    }
}

/// Parses one expression, the text of which starts at `origin`.
pub fn parse_expression(text: &str, origin: Origin) -> Result<Expr, Vec<Diagnostic>> {
    guard::scan(text, Mode::Expression, origin).map_err(|diagnostic| vec![*diagnostic])?;
    let parsed = ruff_python_parser::parse_unchecked(text, Mode::Expression.into());
    let errors = syntax_errors(text, parsed.errors(), origin);
    if !errors.is_empty() {
        return Err(errors);
    }
    match parsed.into_syntax() {
        ruff_python_ast::Mod::Expression(expression) => Ok(*expression.body),
        ruff_python_ast::Mod::Module(_) => unreachable!("an expression was asked for"),
    }
}

/// What the parser says, in the order of the text: the first place is mostly the mistake, and others follow from it.
fn syntax_errors(text: &str, errors: &[ParseError], origin: Origin) -> Vec<Diagnostic> {
    let mut errors: Vec<&ParseError> = errors.iter().collect();
    errors.sort_by_key(|error| error.range().start());
    let said = errors.into_iter().take(MAX_SYNTAX_ERRORS).map(|error| {
        let message = error.error.to_string();
        let range = error.range();
        let found = Diagnostic::error(Code::SyntaxError, origin.span(range), format!("invalid Python: {message}"));
        let rest = text.get(range.start().to_usize()..).unwrap_or("").trim_end();
        let behind = text.get(range.end().to_usize()..).unwrap_or("").trim_start();
        if behind.starts_with('=') && !behind.starts_with("==") {
            return found.hint("`=` assigns a value; to compare, write `==`");
        }
        match rest.chars().next() {
            Some('‘' | '’' | '“' | '”' | '„') => found.hint("write straight quotation marks: `'` or `\"`"),
            None => found.hint("the text ends too early: is a bracket or a quotation mark not closed?"),
            Some(_) => found,
        }
    });
    said.collect()
}
