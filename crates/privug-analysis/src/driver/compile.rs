//! The texts of a piece of work, and the program that is compiled from them, once.

use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::program::{self, ExpressionSource, Program};
use privug_language::source::{SourceId, Sources, Span};
use privug_language::syntax;

/// What the function may do with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// Numbers, texts, lists and random variables.
    Plain,
    /// Tables as well.
    Tables,
}

/// A program and the texts that are given beside it.
#[derive(Debug, Clone)]
pub(crate) struct Texts {
    pub(crate) sources: Sources,
    pub(crate) program: SourceId,
}

impl Texts {
    /// The program's text alone.
    pub(crate) fn new(path: &str, program: &str) -> Self {
        let mut sources = Sources::default();
        let program = sources.add(path, program);
        Texts { sources, program }
    }

    /// The start of the program, for what is about no place in particular.
    pub(crate) fn start(&self) -> Span {
        Span { source: self.program, start: 0, end: 0 }
    }

    /// Adds a text given beside the program, and gives the place of all of it but the white space around it.
    pub(crate) fn add(&mut self, name: &str, text: &str) -> Span {
        let source = self.sources.add(name, text);
        let start = text.len() - text.trim_start().len();
        Span { source, start: start as u32, end: (start + text.trim().len()) as u32 }
    }

    /// Why there is no result, with the texts that it is about.
    pub(crate) fn refuse(&self, diagnostics: Vec<Diagnostic>) -> Refusal {
        Refusal { sources: self.sources.clone(), diagnostics }
    }

    /// Parses and checks the program, and the expressions given beside it.
    pub(crate) fn compile(
        &mut self,
        function: Option<&str>,
        expressions: &[ExpressionSource],
        language: Language,
    ) -> Result<Program, Vec<Diagnostic>> {
        let source = self.sources.get(self.program);
        let (path, nul) = (source.name.clone(), source.text.find('\0'));
        if let Some(at) = nul {
            let span = Span { start: at as u32, end: at as u32 + 1, ..self.start() };
            let message = "the file is not a text file: it contains NUL bytes";
            return Err(vec![Diagnostic::error(Code::BinaryFile, span, message).hint("check the path")]);
        }
        let module = syntax::parse_module(&self.sources, self.program)?;
        let entry = function.map(|name| {
            let text = format!("{path}:{name}");
            let end = text.len() as u32;
            let source = self.sources.add("PROGRAM", text);
            (name, Span { source, start: end - name.len() as u32, end })
        });
        match language {
            Language::Plain => program::check(&self.sources, self.program, &module, entry, expressions),
            Language::Tables => program::check_with_tables(&self.sources, self.program, &module, entry, expressions),
        }
    }
}
