//! Running the stages one after the other, in doubles and, where they cannot decide, in exact rationals.

use std::thread;

use super::assemble::{Findings, Learnt, assemble};
use super::choices;
use super::measure::{Together, asked_nodes};
use super::options::{self, Options};
use super::prior::PriorCheck;
use super::request::Request;
use super::result::{Analysis, Arithmetic};
use crate::query::{Query, QueryKind, Subject as Asked};
use privug_engine::elimination::{self, eliminate};
use privug_engine::evaluate::{ChoiceModel, Inputs, Model, Recording, evaluate, replay};
use privug_engine::network::Affine;
use privug_engine::number::{Exact, Scalar};
use privug_engine::posterior::{self, MAX_COVARIANCE_TARGETS, Observation, Posterior, Subject, condition, survey};
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::program::{self, Program, Role};
use privug_language::source::{SourceId, Sources, Span};
use privug_language::syntax;
use privug_measures::leakage::{MAX_JOINT_SECRETS, joint_leak};

/// Values that were written as doubles and agree up to this many units in the last place are the same published figure.
const VALUE_TOLERANCE_ULPS: f64 = 64.0;

/// Analyses a program.
pub fn analyze(request: &Request) -> Result<Analysis, Refusal> {
    on_large_stack(|| Line::new(request).analyze())
}

/// Analyses a program as if doubles had left something undecided: in exact rationals that follow the run in doubles.
#[doc(hidden)]
pub fn analyze_again(request: &Request) -> Result<Analysis, Refusal> {
    on_large_stack(|| Line::new(request).analyze_again())
}

/// The questions of a request about a program that a front end runs itself.
///
/// The front end computes the [`expressions`](Questions::expressions), records the run, and gives the recording to
/// [`analyze_recording`].
pub struct Questions<'r> {
    line: Line<'r>,
    options: Options,
}

impl<'r> Questions<'r> {
    /// Reads the questions; the request's bindings are the front end's own business.
    pub fn read(request: &'r Request) -> Result<Self, Refusal> {
        let mut line = Line::new(request);
        match on_large_stack(|| options::read(request, &mut line.sources)) {
            Ok(options) => Ok(Questions { line, options }),
            Err(diagnostics) => Err(line.refuse(diagnostics)),
        }
    }

    /// What the front end has to compute, in order: what for, the text, and its place.
    pub fn expressions(&self) -> impl Iterator<Item = (&Role, &str, Span)> {
        let sources = &self.line.sources;
        self.options.expressions.iter().map(|source| (&source.role, sources.text(source.span), source.span))
    }

    /// For each observed value among the expressions, which part of the output it is about.
    pub fn observed_paths(&self) -> &[String] {
        &self.options.observed_paths
    }

    /// The text of the program.
    pub fn program_source(&self) -> SourceId {
        self.line.program_source
    }

    /// Adds another text that the program's steps may be found in.
    pub fn add_source(&mut self, path: &str, text: &str) -> SourceId {
        self.line.sources.add(path, text)
    }
}

/// Analyses the run of a program that a front end has recorded.
pub fn analyze_recording(questions: &Questions<'_>, recording: &Recording) -> Result<Analysis, Refusal> {
    let Questions { line, options } = questions;
    on_large_stack(|| {
        let result = if line.request.exact {
            let tolerance = Some(VALUE_TOLERANCE_ULPS);
            line.run::<Exact>(&Ran::Recorded(recording), options, tolerance, false).map(|(analysis, _)| analysis)
        } else {
            line.run_float(&Ran::Recorded(recording), options)
        };
        result.map_err(|failure| line.refuse(failure.diagnostics()))
    })
}

/// Looks for errors only: all that can be found without values for the parameters, and all that running the function
/// finds if it has them.
pub fn check(request: &Request) -> Result<(), Refusal> {
    on_large_stack(|| Line::new(request).check())
}

/// Deep syntax trees need more stack than a thread usually has.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("privug".to_owned()).stack_size(syntax::STACK_BYTES);
        match builder.spawn_scoped(scope, work) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => panic!("no thread can be started: {error}"),
        }
    })
}

/// One request on its way through the stages.
struct Line<'r> {
    request: &'r Request,
    sources: Sources,
    program_source: SourceId,
}

/// What is run: a program, or the recording of one.
enum Ran<'a> {
    Program(&'a Program),
    Recorded(&'a Recording),
}

/// Why a run in one arithmetic gave no result.
enum Failure {
    /// The input is refused.
    Refused(Vec<Diagnostic>),
    /// The rounding of the program's numbers decides; rationals can tell unless irrational numbers are rounded too.
    Doubtful(Span),
    /// Doubles have too few digits; rationals have enough.
    Imprecise(Span),
}

/// Names that a message lists.
const MAX_NAMES: usize = 6;

impl<'r> Line<'r> {
    fn new(request: &'r Request) -> Self {
        let mut sources = Sources::default();
        let program_source = sources.add(request.path.as_str(), request.program.as_str());
        Line { request, sources, program_source }
    }

    fn refuse(&self, diagnostics: Vec<Diagnostic>) -> Refusal {
        Refusal { sources: self.sources.clone(), diagnostics }
    }

    fn analyze(mut self) -> Result<Analysis, Refusal> {
        let (program, options) = self.compile().map_err(|diagnostics| self.refuse(diagnostics))?;
        let result = if self.request.exact {
            self.run::<Exact>(&Ran::Program(&program), &options, None, false).map(|(analysis, _)| analysis)
        } else {
            self.run_float(&Ran::Program(&program), &options)
        };
        result.map_err(|failure| self.refuse(failure.diagnostics()))
    }

    fn analyze_again(mut self) -> Result<Analysis, Refusal> {
        let (program, options) = self.compile().map_err(|diagnostics| self.refuse(diagnostics))?;
        let result = self.run::<Exact>(&Ran::Program(&program), &options, Some(VALUE_TOLERANCE_ULPS), true);
        result.map(|(analysis, _)| analysis).map_err(|failure| self.refuse(failure.diagnostics()))
    }

    fn check(mut self) -> Result<(), Refusal> {
        let compiled = self.compile();
        match compiled {
            Ok((program, options)) => {
                let entry = program.function(program.entry);
                let bound = |name: &str| {
                    program.expressions.iter().any(
                        |expression| matches!(&expression.role, Role::Prior(bound) | Role::Set(bound) if bound == name),
                    )
                };
                let runs = entry.parameters.iter().all(|p| p.default.is_some() || bound(&p.name));
                if !runs {
                    return Ok(());
                }
                let result = self.run_float(&Ran::Program(&program), &options);
                result.map(|_| ()).map_err(|failure| self.refuse(failure.diagnostics()))
            }
            Err(diagnostics) => {
                // Which function is meant matters only when one is to be run.
                let serious: Vec<Diagnostic> =
                    diagnostics.into_iter().filter(|diagnostic| diagnostic.code != Code::AmbiguousEntryPoint).collect();
                if serious.is_empty() { Ok(()) } else { Err(self.refuse(serious)) }
            }
        }
    }

    fn run_float(&self, ran: &Ran<'_>, options: &Options) -> Result<Analysis, Failure> {
        match self.run::<f64>(ran, options, None, false) {
            Ok((analysis, _)) => Ok(analysis),
            Err(Failure::Doubtful(span)) => self.decide_exactly(ran, options, span, true),
            Err(Failure::Imprecise(span)) => self.decide_exactly(ran, options, span, false),
            Err(refused) => Err(refused),
        }
    }

    /// Parses and checks the program and everything given beside it.
    fn compile(&mut self) -> Result<(Program, Options), Vec<Diagnostic>> {
        let start = Span { source: self.program_source, start: 0, end: 0 };
        if let Some(at) = self.request.program.find('\0') {
            let span = Span { start: at as u32, end: at as u32 + 1, ..start };
            let message = "the file is not a text file: it holds NUL bytes";
            return Err(vec![Diagnostic::error(Code::BinaryFile, span, message).hint("check the path")]);
        }
        let options = options::read(self.request, &mut self.sources)?;
        let module = syntax::parse_module(&self.sources, self.program_source)?;
        let entry = self.request.function.as_deref().map(|name| {
            let text = format!("{}:{name}", self.request.path);
            let end = text.len() as u32;
            let source = self.sources.add("PROGRAM", text);
            (name, Span { source, start: end - name.len() as u32, end })
        });
        let program = program::check(&self.sources, self.program_source, &module, entry, &options.expressions)?;
        Ok((program, options))
    }

    /// Runs the program again where rounding would decide, of the program's numbers or of those computed from them.
    fn decide_exactly(
        &self,
        ran: &Ran<'_>,
        options: &Options,
        doubt: Span,
        about_inputs: bool,
    ) -> Result<Analysis, Failure> {
        let (mut analysis, rounded) = self.run::<Exact>(ran, options, Some(VALUE_TOLERANCE_ULPS), true)?;
        let line = self.sources.location(doubt).line;
        if let Some(span) = rounded.filter(|_| about_inputs) {
            let message = "whether this tells anything new depends on how an irrational number is rounded";
            let hint = "write that number as a decimal, leave the observation out, or observe it through noise";
            let diagnostic = Diagnostic::error(Code::Undecidable, doubt, message).hint(hint);
            return Err(Failure::Refused(vec![diagnostic.related(span, "rounded here")]));
        }
        analysis.arithmetic = Arithmetic::Float;
        analysis.exact = None;
        analysis.notes.push(format!("double precision was inconclusive at line {line}; re-ran in exact arithmetic"));
        Ok(analysis)
    }

    /// Runs the program in one arithmetic; tells also where an irrational number was rounded.
    fn run<S: Scalar>(
        &self,
        ran: &Ran<'_>,
        options: &Options,
        value_tolerance_ulps: Option<f64>,
        follows_doubles: bool,
    ) -> Result<(Analysis, Option<Span>), Failure> {
        let inputs = Inputs {
            observed_paths: options.observed_paths.clone(),
            questions: options
                .queries
                .iter()
                .map(|query| query.kind.clone())
                .chain(asked_by_requirements(options))
                .collect(),
            differences: options.differences.clone(),
            limits: self.request.limits.clone(),
            cancelled: self.request.cancelled.clone(),
            follows_doubles,
        };
        let model: Result<Model<S>, Vec<Diagnostic>> = match ran {
            Ran::Program(program) => evaluate(program, &inputs),
            Ran::Recorded(recording) => replay(recording, &inputs),
        };
        let mut model = model.map_err(Failure::Refused)?;
        if let Some(span) = model.doubt {
            return Err(Failure::Doubtful(span));
        }
        let observations: Vec<Observation<S>> = model
            .evidence
            .iter()
            .map(|evidence| Observation { variable: evidence.seen.variable.clone(), value: evidence.value.clone() })
            .collect();
        let posterior_options = posterior::Options {
            max_cells: self.request.work.cells,
            max_operations: self.request.work.operations,
            cancelled: self.request.cancelled.clone(),
            value_tolerance_ulps,
            ..posterior::Options::default()
        };
        let function = match ran {
            Ran::Program(program) => &program.function(program.entry).name,
            Ran::Recorded(_) => self.request.function.as_deref().unwrap_or_default(),
        };
        if let Some(mut choices) = model.choices.take() {
            return self.run_choices(&model, &mut choices, options, &posterior_options, function);
        }
        let learnt = if model.secrets.len() > MAX_COVARIANCE_TARGETS {
            survey(&model.network, &observations, model.secrets.variables(), &posterior_options).map(Learnt::from)
        } else {
            let targets: Vec<Affine<S>> = model.secrets.variables().iter().collect();
            condition(&model.network, &observations, &targets, &posterior_options).map(Learnt::from)
        };
        let learnt = learnt.map_err(|refusal| self.explain(refusal, &model, |target| model.secrets.span(target)))?;
        let undecidable = model.rounded.is_some() && S::EXACT && value_tolerance_ulps.is_some();
        let together = if undecidable && (2..=MAX_JOINT_SECRETS).contains(&model.secrets.len()) {
            Together::Undecidable
        } else {
            self.together(&model, &observations, &posterior_options)?
        };
        let prior_check =
            PriorCheck::new(learnt.surprise, &model.network, &observations, &self.sources, &posterior_options);
        let asked_nodes = asked_nodes(&model);
        let asked_variables: Vec<Affine<S>> =
            asked_nodes.iter().map(|node| Affine { node: *node, scale: S::one(), offset: S::zero() }).collect();
        let asked = if asked_nodes.is_empty() {
            Posterior {
                observations: Vec::new(),
                log_evidence_nats: 0.0,
                log_evidence_error: 0.0,
                targets: Vec::new(),
                covariances: None,
            }
        } else {
            condition(&model.network, &observations, &asked_variables, &posterior_options)
                .map_err(|refusal| self.explain(refusal, &model, |target| model.network.span(asked_nodes[target])))?
        };
        let findings =
            Findings { model: &model, learnt, together, prior_check, asked_nodes: &asked_nodes, asked: &asked };
        let analysis = assemble(&self.sources, &self.request.path, function, options, findings);
        Ok((analysis.map_err(Failure::Refused)?, model.rounded))
    }

    /// The rest of the way for a program with choices.
    fn run_choices<S: Scalar>(
        &self,
        model: &Model<S>,
        choices: &mut ChoiceModel<S>,
        options: &Options,
        posterior_options: &posterior::Options,
        function: &str,
    ) -> Result<(Analysis, Option<Span>), Failure> {
        let found = eliminate(&model.network, choices, posterior_options)
            .map_err(|refusal| self.explain_elimination(refusal, model, choices))?;
        let results = choices::assemble(&self.sources, options, choices, &found).map_err(Failure::Refused)?;
        let queries: Vec<&Query> = options.queries.iter().chain(queries_of_requirements(options)).collect();
        let mut answers = choices::answers(&queries, choices, &found).map_err(Failure::Refused)?;
        let of_requirements = answers.split_off(options.queries.len());
        let requirements = choices::decide(options, choices, &results, &of_requirements).map_err(Failure::Refused)?;
        let mut notes: Vec<String> = model.notes.iter().map(|note| note.message.clone()).collect();
        if found.certain_won {
            notes.push(
                "what was seen is certain in some worlds and one value of a continuum in others: the former are infinitely \
                 more likely, and only they are left"
                    .to_owned(),
            );
        }
        let unknown = results.secrets.iter().filter(|secret| secret.measures.get("mutual_information_bits").is_none());
        let unknown: Vec<&str> = unknown.map(|secret| secret.name.as_str()).collect();
        if results.secrets.iter().any(|secret| secret.is_open) && !unknown.is_empty() {
            let names = unknown.join("`, `");
            notes.push(format!("how much will be told about `{names}` is not known: a mixture is published or secret"));
        }
        let analysis = Analysis::of_choices(
            &self.sources,
            &self.request.path,
            function,
            results,
            (answers, requirements, notes),
            (if S::EXACT { Arithmetic::Exact } else { Arithmetic::Float }, options.level, found.log_evidence_nats),
            model.network.source_count() + choices.laws.len(),
            model.mechanisms.clone(),
        );
        Ok((analysis, model.rounded))
    }

    /// A refusal to eliminate choices, in the user's terms.
    fn explain_elimination<S: Scalar>(
        &self,
        refusal: elimination::Refusal<S>,
        model: &Model<S>,
        choices: &ChoiceModel<S>,
    ) -> Failure {
        let start = Span { source: self.program_source, start: 0, end: 0 };
        let place = choices.secrets.first().map_or(start, |secret| secret.span);
        let diagnostic = match refusal {
            elimination::Refusal::TooWide => {
                let (count, bits) = choices.extent();
                let worlds = if bits < 40.0 { format!("{:.0}", bits.exp2()) } else { format!("2^{bits:.0}") };
                let seen = choices.seen.iter().map(|seen| seen.name.as_str());
                let named = choices.outputs.iter().chain(&choices.secrets).map(|named| named.name.as_str());
                let mut names: Vec<&str> = seen.chain(named).collect();
                names.dedup();
                names.truncate(MAX_NAMES);
                let message = format!(
                    "what was seen, what is published and the secret depend on {count} choices at once, with {worlds} \
                     combinations: `{}`",
                    names.join("`, `")
                );
                let hint = "sums over people may be published together; other functions of many people at once may not";
                Diagnostic::error(Code::TooManyWorlds, place, message).hint(hint)
            }
            elimination::Refusal::Contradiction(span) => {
                let span = span.unwrap_or(place);
                let message = "what was seen cannot have happened: its probability is 0";
                Diagnostic::error(Code::Contradiction, span, message).hint("check the observed values")
            }
            elimination::Refusal::Entangled(span) => {
                let message = "a Gaussian variable that is compared with numbers enters something else as well";
                let hint = "what is known of it would not be a piece of a normal distribution; publish its comparisons \
                            or its sums, not both";
                Diagnostic::error(Code::ComparisonOfRandom, span, message).hint(hint)
            }
            elimination::Refusal::Mixed(span) => {
                let message =
                    "a Gaussian output without a value is published beside discrete ones, or depends on choices";
                let hint = "observe its value with `--observe`";
                Diagnostic::error(Code::ValuesNeeded, span, message).hint(hint)
            }
            elimination::Refusal::Opaque(span) => {
                let message = "a random choice decides between values that have random variables or choices inside";
                let hint = "let the choice decide about numbers: return the list or dictionary once, with them in it";
                Diagnostic::error(Code::BranchOnRandom, span, message).hint(hint)
            }
            elimination::Refusal::Cancelled => Diagnostic::error(Code::Cancelled, start, "the analysis was cancelled"),
            elimination::Refusal::Conditioning(refusal, span) => {
                return match refusal {
                    posterior::Refusal::Doubtful { .. } => Failure::Doubtful(span),
                    posterior::Refusal::OutOfRange { .. } if !S::EXACT => Failure::Imprecise(span),
                    posterior::Refusal::OutOfRange { .. } => {
                        let message = "the result is too large or too small for a double";
                        Failure::Refused(vec![Diagnostic::error(Code::ScaleOutOfRange, span, message)])
                    }
                    other => self.explain(other, model, |_| span),
                };
            }
        };
        Failure::Refused(vec![diagnostic])
    }

    /// What is told about all secrets together. Where doubles have too few digits for it, rationals have enough.
    fn together<S: Scalar>(
        &self,
        model: &Model<S>,
        observations: &[Observation<S>],
        options: &posterior::Options,
    ) -> Result<Together, Failure> {
        if !(2..=MAX_JOINT_SECRETS).contains(&model.secrets.len()) {
            return Ok(Together::NotAsked);
        }
        let targets: Vec<Affine<S>> = model.secrets.variables().iter().collect();
        let imprecise = || Failure::Imprecise(model.secrets.span(0));
        match posterior::channel(&model.network, observations, &targets, options) {
            Ok(channel) => joint_leak(&channel).map(Together::Leak).ok_or_else(imprecise),
            Err(posterior::Refusal::TooLarge { .. }) => Ok(Together::TooMuchWork),
            Err(posterior::Refusal::Doubtful { .. } | posterior::Refusal::OutOfRange { .. }) if !S::EXACT => {
                Err(imprecise())
            }
            Err(refusal) => Err(self.explain(refusal, model, |target| model.secrets.span(target))),
        }
    }

    /// A refusal to condition, in the user's terms.
    fn explain<S: Scalar>(
        &self,
        refusal: posterior::Refusal<S>,
        model: &Model<S>,
        place_of_target: impl Fn(usize) -> Span,
    ) -> Failure {
        let place = |subject: Subject| match subject {
            Subject::Observation(index) => model.evidence[index].seen.span,
            Subject::Target(index) => place_of_target(index),
        };
        let start = Span { source: self.program_source, start: 0, end: 0 };
        let diagnostic = match refusal {
            posterior::Refusal::Doubtful { subject } => return Failure::Doubtful(place(subject)),
            posterior::Refusal::OutOfRange { subject } if !S::EXACT => return Failure::Imprecise(place(subject)),
            posterior::Refusal::OutOfRange { subject } => {
                let message = "the result is too large or too small for a double";
                Diagnostic::error(Code::ScaleOutOfRange, place(subject), message).hint("choose other units")
            }
            posterior::Refusal::Contradiction { observation, implied, given } => {
                let evidence = &model.evidence[observation];
                let name = &evidence.seen.name;
                let (implied, given) = (number_text(&implied), number_text(&given));
                let earlier = if observation == 0 { "the prior alone" } else { "what was observed before" };
                let message = format!("`{name}` is observed as {given}, but {earlier} implies {implied}");
                Diagnostic::error(Code::Contradiction, evidence.seen.span, message).hint(
                    "rounded figures need not fit together: give the values before rounding. What was published with \
                     noise is observed through it: `observe(x, value, std=...)` or `--observe 'value±std'`",
                )
            }
            posterior::Refusal::TooLarge { resource, needed, limit } => {
                let what = match resource {
                    posterior::Resource::Cells => "coefficients in memory",
                    posterior::Resource::Operations => "multiplications",
                };
                let message = format!("conditioning needs {needed:.1e} {what}; the limit is {limit:.1e}");
                let hint = "raise it with `--max-work`, or analyse fewer overlapping observations";
                Diagnostic::error(Code::WorkLimit, start, message).hint(hint)
            }
            posterior::Refusal::Cancelled => Diagnostic::error(Code::Cancelled, start, "the analysis was cancelled"),
        };
        Failure::Refused(vec![diagnostic])
    }
}

impl Failure {
    fn diagnostics(self) -> Vec<Diagnostic> {
        match self {
            Failure::Refused(diagnostics) => diagnostics,
            Failure::Doubtful(span) | Failure::Imprecise(span) => {
                let message = "whether this tells anything new could not be decided";
                vec![Diagnostic::error(Code::Undecidable, span, message)]
            }
        }
    }
}

/// A number as a person would write it.
fn number_text<S: Scalar>(number: &S) -> String {
    number.to_exact_string().unwrap_or_else(|| format!("{}", number.to_f64()))
}

/// The questions inside of requirements, in their order.
fn queries_of_requirements(options: &Options) -> impl Iterator<Item = &Query> {
    options.requirements.iter().filter_map(|requirement| match &requirement.subject {
        Asked::Query(query) => Some(query),
        Asked::Measure(_) => None,
    })
}

fn asked_by_requirements(options: &Options) -> impl Iterator<Item = QueryKind> {
    queries_of_requirements(options).map(|query| query.kind.clone())
}
