//! What the parts of a request say: the expressions to be computed with the program, and where each stands.

use super::request::{BindingKind, GainRequest, Observed, Operand, Request, Required, Tolerance};
use crate::query::{Operands, Query, Requirement, Subject, parse_query, parse_requirement, unknown_measure};
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::program::{ExpressionSource, Given, Role};
use privug_language::source::{SourceId, Sources, Span};
use privug_measures::channel::CHANNEL_MEASURES;
use privug_measures::leakage::DEFAULT_LEVEL;
use privug_measures::leakage::measure_names;

/// What a request says.
pub(super) struct Options {
    pub(super) expressions: Vec<ExpressionSource>,
    /// The values among them.
    pub(super) given: Vec<Given>,
    /// The parameters that are bound to values: the parameter, its place among the values, and the text that shows it.
    pub(super) parameters: Vec<(String, usize, SourceId)>,
    pub(super) observed_paths: Vec<String>,
    pub(super) queries: Vec<Query>,
    pub(super) requirements: Vec<Requirement>,
    /// Pairs of questions' expressions whose difference is needed.
    pub(super) differences: Vec<(usize, usize)>,
    pub(super) truths: Vec<TruthPlace>,
    /// What a guess is worth, and where that was written.
    pub(super) gain: Option<(GainRequest, Span)>,
    /// How close a guess must be, and where that was written.
    pub(super) tolerance: Option<(Tolerance, Span)>,
    pub(super) level: f64,
}

/// The true value of a secret.
pub(super) struct TruthPlace {
    /// Which secret; the only one if not given.
    pub(super) secret: Option<String>,
    pub(super) span: Span,
    /// The value as it was written.
    pub(super) text: String,
    /// Place of its value among the questions' expressions.
    pub(super) value: usize,
}

/// Reads a request; each option becomes a source of its own, named by its flag.
pub(super) fn read(request: &Request, sources: &mut Sources) -> Result<Options, Vec<Diagnostic>> {
    let options = Options {
        expressions: Vec::new(),
        given: Vec::new(),
        parameters: Vec::new(),
        observed_paths: Vec::new(),
        queries: Vec::new(),
        requirements: Vec::new(),
        differences: Vec::new(),
        truths: Vec::new(),
        gain: read_gain(request, sources),
        tolerance: None,
        level: request.level.unwrap_or(DEFAULT_LEVEL),
    };
    let mut reader = Reader { request, sources, options, errors: Vec::new() };
    reader.bindings();
    reader.secrets_and_observations();
    reader.questions();
    reader.numbers();
    if reader.errors.is_empty() { Ok(reader.options) } else { Err(reader.errors) }
}

/// A request while it is read.
struct Reader<'r> {
    request: &'r Request,
    sources: &'r mut Sources,
    options: Options,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    /// The place of a value; `before` is how it is shown if it has no text of its own.
    fn place(&mut self, option: &str, value: &Operand, before: &str) -> Span {
        match value {
            Operand::Source(written) => {
                let source = self.sources.add(option, written.text.as_str());
                Span { source, start: written.part.start as u32, end: written.part.end as u32 }
            }
            Operand::Value(given) => {
                let text = format!("{before}{given}");
                let (start, end) = (before.len() as u32, text.len() as u32);
                Span { source: self.sources.add(option, text), start, end }
            }
        }
    }

    /// Something to be computed, or a value.
    fn expression(&mut self, role: Role, value: &Operand, span: Span) -> ExpressionSource {
        let given = match value {
            Operand::Source(_) => None,
            Operand::Value(given) => {
                self.options.given.push(given.clone());
                Some(self.options.given.len() - 1)
            }
        };
        ExpressionSource { role, span, given }
    }

    fn bindings(&mut self) {
        for binding in &self.request.bindings {
            let span = self.place(binding.kind.option(), &binding.value, &format!("{}=", binding.name));
            let role = match binding.kind {
                BindingKind::Prior => Role::Prior(binding.name.clone()),
                BindingKind::Set | BindingKind::Swept => Role::Set(binding.name.clone()),
            };
            let expression = self.expression(role, &binding.value, span);
            if let Some(place) = expression.given {
                self.options.parameters.push((binding.name.clone(), place, span.source));
            }
            self.options.expressions.push(expression);
        }
    }

    fn secrets_and_observations(&mut self) {
        for text in &self.request.secrets {
            let id = self.sources.add("--secret", text.as_str());
            self.options.expressions.push(ExpressionSource::text(Role::Secret, trimmed(id, text)));
        }
        for observed in &self.request.observations {
            let span = self.observed(observed);
            if self.request.secrets.is_empty() && self.errors.is_empty() {
                let message = "an observation is given, but no secret";
                let hint = "name what the attacker wants to know with `--secret`, such as `--secret 'ages[0]'`";
                self.errors.push(Diagnostic::error(Code::SecretExpected, span, message).hint(hint));
            }
        }
    }

    fn observed(&mut self, observed: &Observed) -> Span {
        let before = if observed.path.is_empty() { String::new() } else { format!("return{}=", observed.path) };
        let span = self.place("--observe", &observed.value, &before);
        let value = self.expression(Role::ObservedValue, &observed.value, span);
        self.options.observed_paths.push(observed.path.clone());
        self.options.expressions.push(value);
        if let Some(std) = &observed.std {
            let span = match (&observed.value, std) {
                // Both are parts of one text.
                (Operand::Source(value), Operand::Source(std)) if value.text == std.text => {
                    Span { start: std.part.start as u32, end: std.part.end as u32, ..span }
                }
                _ => self.place("--observe", std, &format!("{}±", observed.value)),
            };
            let std = self.expression(Role::ObservedStd, std, span);
            self.options.expressions.push(std);
        }
        Span { start: 0, end: self.sources.get(span.source).text.len() as u32, ..span }
    }

    /// Questions, requirements and truths: all that is computed with the program.
    fn questions(&mut self) {
        let mut operands = Operands::default();
        let names = all_measure_names();
        for text in &self.request.queries {
            let id = self.sources.add("--query", text.as_str());
            match parse_query(self.sources, id, &mut operands) {
                Ok(query) => self.options.queries.push(query),
                Err(found) => self.errors.extend(found),
            }
        }
        for required in &self.request.requirements {
            match self.requirement(required, &mut operands, &names) {
                Ok(requirement) => self.options.requirements.push(requirement),
                Err(found) => self.errors.extend(found),
            }
        }
        for truth in &self.request.truths {
            let before = truth.secret.as_ref().map_or(String::new(), |secret| format!("{secret}="));
            let span = self.place("--truth", &truth.value, &before);
            let value = operands.expressions.len();
            operands.expressions.push(self.expression(Role::Query, &truth.value, span));
            let (secret, text) = (truth.secret.clone(), truth.value.to_string());
            self.options.truths.push(TruthPlace { secret, span, text, value });
        }
        self.options.expressions.extend(operands.expressions);
        self.options.differences = operands.differences;
    }

    fn requirement(
        &mut self,
        required: &Required,
        operands: &mut Operands,
        names: &[&'static str],
    ) -> Result<Requirement, Vec<Diagnostic>> {
        let (measure, bound, limit) = match required {
            Required::Source(text) => {
                let id = self.sources.add("--require", text.as_str());
                return parse_requirement(self.sources, id, operands, names);
            }
            Required::Measure { measure, bound, limit } => (measure, *bound, Operand::Value(Given::Float(*limit))),
        };
        let text = format!("{measure} {} {limit}", bound.symbol());
        let id = self.sources.add("--require", text.as_str());
        let span = trimmed(id, &text);
        let Some(name) = names.iter().find(|name| *name == measure) else {
            return Err(vec![unknown_measure(measure, Span { end: measure.len() as u32, ..span }, names)]);
        };
        let place = operands.expressions.len();
        operands.expressions.push(self.expression(Role::Query, &limit, span));
        Ok(Requirement { text, span, subject: Subject::Measure(name), bound, limit: place })
    }

    /// The level and the tolerance.
    fn numbers(&mut self) {
        let level = self.options.level;
        if !(level > 0.0 && level < 1.0) {
            let id = self.sources.add("--level", level.to_string());
            let message = format!("the level {level} is not between 0 and 1");
            let error = Diagnostic::error(Code::BadLevel, Span { source: id, start: 0, end: 0 }, message);
            self.errors.push(error.hint("write 95 % as `0.95`"));
        }
        if let Some(tolerance) = self.request.tolerance {
            let text = tolerance.to_string();
            let id = self.sources.add("--tolerance", text.as_str());
            self.options.tolerance = Some((tolerance, trimmed(id, &text)));
        }
    }
}

/// What a guess is worth.
fn read_gain(request: &Request, sources: &mut Sources) -> Option<(GainRequest, Span)> {
    let gain = request.gain.clone()?;
    let text = match &gain {
        GainRequest::Expression(text) => text.as_str(),
        GainRequest::Table(table) => table.path.as_str(),
    };
    let id = sources.add("--gain", text);
    let span = trimmed(id, text);
    Some((gain, span))
}

/// All of a source but the white space around it.
fn trimmed(source: SourceId, text: &str) -> Span {
    let start = text.len() - text.trim_start().len();
    Span { source, start: start as u32, end: (start + text.trim().len()) as u32 }
}

/// The measures of Gaussian and of discrete secrets.
fn all_measure_names() -> Vec<&'static str> {
    let mut names = measure_names();
    let discrete = CHANNEL_MEASURES.iter().map(|measure| measure.name);
    let further: Vec<&'static str> = discrete.filter(|name| !names.contains(name)).collect();
    names.extend(further);
    names
}
