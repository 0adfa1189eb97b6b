//! The verbs of this stage: each compiles a request once and gives it to the driver.

use super::line::{Line, Ran};
use super::options::{self, Options};
use super::request::Request;
use super::result::Analysis;
use crate::driver::{Language, Pass, Texts, Work, decide, on_large_stack};
use privug_engine::evaluate::Recording;
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::program::{Given, Program, Role};
use privug_language::source::{SourceId, Span};

/// Analyses a program.
pub fn analyze(request: &Request) -> Result<Analysis, Refusal> {
    // Another thread for the run would take as long to start as a short program takes.
    on_large_stack(|| {
        let compiled = Compiled::here(request)?;
        decide(&compiled.line(), request.exact)
    })
}

/// Analyses a program as if doubles had left something undecided: in exact rationals that follow the run in doubles.
#[doc(hidden)]
pub fn analyze_again(request: &Request) -> Result<Analysis, Refusal> {
    let compiled = Compiled::new(request)?;
    on_large_stack(|| compiled.line().in_rationals(&Pass::Again(None)).map_err(Into::into))
}

/// Looks for errors only: all that can be found without values for the parameters, and all that running the function
/// finds if it has them.
pub fn check(request: &Request) -> Result<(), Refusal> {
    match Compiled::new(request) {
        Ok(compiled) if compiled.has_all_arguments() => on_large_stack(|| decide(&compiled.line(), false)).map(|_| ()),
        Ok(_) => Ok(()),
        Err(Refusal { sources, mut diagnostics }) => {
            // Which function is meant matters only when one is to be run.
            diagnostics.retain(|diagnostic| diagnostic.code != Code::AmbiguousEntryPoint);
            if diagnostics.is_empty() { Ok(()) } else { Err(Refusal { sources, diagnostics }) }
        }
    }
}

/// A request whose texts are read and whose program is compiled.
pub(crate) struct Compiled<'r> {
    request: &'r Request,
    texts: Texts,
    options: Options,
    program: Program,
}

impl<'r> Compiled<'r> {
    /// Reads and compiles everything.
    pub(crate) fn new(request: &'r Request) -> Result<Self, Refusal> {
        on_large_stack(|| Compiled::here(request))
    }

    /// The same on the stack at hand, which is a large one.
    fn here(request: &'r Request) -> Result<Self, Refusal> {
        let mut texts = Texts::new(&request.path, &request.program);
        let mut compile = || -> Result<(Options, Program), Vec<Diagnostic>> {
            let options = options::read(request, &mut texts.sources)?;
            let program = texts.compile(request.function.as_deref(), &options.expressions, Language::Plain)?;
            Ok((options, program))
        };
        match compile() {
            Ok((options, program)) => Ok(Compiled { request, texts, options, program }),
            Err(diagnostics) => Err(texts.refuse(diagnostics)),
        }
    }

    /// Runs the program with other values of the first parameters that are bound to values, and says what it reveals.
    pub(crate) fn analyze_at(&self, values: &[Given]) -> Result<Analysis, Refusal> {
        let (mut texts, mut given) = (self.texts.clone(), self.options.given.clone());
        for ((name, place, source), value) in self.options.parameters.iter().zip(values) {
            texts.sources.replace(*source, format!("{name}={value}"));
            given[*place] = value.clone();
        }
        let line = Line { texts: &texts, given: &given, ..self.line() };
        on_large_stack(|| decide(&line, self.request.exact))
    }

    fn line(&self) -> Line<'_> {
        let Compiled { request, texts, options, program } = self;
        Line { request, texts, options, given: &options.given, ran: Ran::Program(program) }
    }

    /// Whether every parameter is bound or has a default.
    fn has_all_arguments(&self) -> bool {
        let roles = || self.program.expressions.iter().map(|expression| &expression.role);
        let bound =
            |name: &str| roles().any(|role| matches!(role, Role::Prior(bound) | Role::Set(bound) if bound == name));
        let entry = self.program.function(self.program.entry);
        entry.parameters.iter().all(|parameter| parameter.default.is_some() || bound(&parameter.name))
    }
}

/// The questions of a request about a program that a front end runs itself.
///
/// The front end computes the [`expressions`](Questions::expressions), records the run, and gives the recording to
/// [`analyze_recording`].
pub struct Questions<'r> {
    request: &'r Request,
    texts: Texts,
    options: Options,
}

impl<'r> Questions<'r> {
    /// Reads the questions; the request's bindings are the front end's own business.
    pub fn read(request: &'r Request) -> Result<Self, Refusal> {
        let mut texts = Texts::new(&request.path, &request.program);
        match on_large_stack(|| options::read(request, &mut texts.sources)) {
            Ok(options) => Ok(Questions { request, texts, options }),
            Err(diagnostics) => Err(texts.refuse(diagnostics)),
        }
    }

    /// What the front end has to compute, in order: what for, the text, and its place.
    pub fn expressions(&self) -> impl Iterator<Item = (&Role, &str, Span)> {
        let sources = &self.texts.sources;
        self.options.expressions.iter().map(|source| (&source.role, sources.text(source.span), source.span))
    }

    /// For each observed value among the expressions, which part of the output it is about.
    pub fn observed_paths(&self) -> &[String] {
        &self.options.observed_paths
    }

    /// The text of the program.
    pub fn program_source(&self) -> SourceId {
        self.texts.program
    }

    /// Adds another text that the program's steps may be found in.
    pub fn add_source(&mut self, path: &str, text: &str) -> SourceId {
        self.texts.sources.add(path, text)
    }
}

/// Analyses the run of a program that a front end has recorded.
pub fn analyze_recording(questions: &Questions<'_>, recording: &Recording) -> Result<Analysis, Refusal> {
    let Questions { request, texts, options } = questions;
    let line = Line { request, texts, options, given: &options.given, ran: Ran::Recorded(recording) };
    on_large_stack(|| decide(&line, request.exact))
}
