//! The verb of this stage: [`evaluate`], which binds the parameters, runs the function and collects what it is about.

use crate::sorting::CompactSort;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::choices::ChoiceModel;
use super::fault::{Fault, Outcome};
use super::literals::given_value;
use super::outcome::{Part, Plain};
use super::running::{Machine, Returned, Stop};
use super::secrets::Secrets;
use super::value::Value;
use super::{Evidence, Limits, Model, Named, Note, Quantity};
use super::{builtins, outcome, random};
use crate::network::Affine;
use crate::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::program::{Computed, Expression, Given, Program, ResultName, Role};
use privug_language::question::QueryKind;
use privug_language::source::Span;

/// What was given beside the program, apart from its expressions.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// For each observed value among the program's expressions, in order: which part of the result it is about, as in
    /// `[1]['men']` (empty for all of it).
    pub observed_paths: Vec<String>,
    /// What is asked, in terms of the questions' expressions.
    pub questions: Vec<QueryKind>,
    /// Pairs of questions' expressions whose difference is asked for, by their places among the questions.
    pub differences: Vec<(usize, usize)>,
    /// The values that are given for this run, by their places.
    pub given: Vec<Given>,
    /// What the run may use up.
    pub limits: Limits,
    /// Set from outside to stop the run.
    pub cancelled: Option<Arc<AtomicBool>>,
    /// In exact arithmetic: whether the program does what it does in doubles. What Python decides (comparisons, `int`,
    /// `str`, keys) is decided by doubles, and only coefficients and observed values are exact.
    pub follows_doubles: bool,
}

/// Runs a program.
pub fn evaluate<S: Scalar>(program: &Program, inputs: &Inputs) -> Result<Model<S>, Vec<Diagnostic>> {
    let follows = inputs.follows_doubles;
    let machine = Machine::new(program, inputs.limits.clone(), inputs.cancelled.clone(), follows);
    let mut run = Run { machine: machine.map_err(|diagnostic| vec![diagnostic])?, inputs };
    let result = run.evaluate();
    finish(run.machine, result)
}

/// The model that a run has built, or what is wrong with it.
pub(super) fn finish<S: Scalar>(
    machine: Machine<'_, S>,
    result: Result<Found<S>, Stop>,
) -> Result<Model<S>, Vec<Diagnostic>> {
    match result {
        Ok(found) if machine.diagnostics.is_empty() => {
            let state = machine.state;
            Ok(Model {
                network: state.builder.network,
                choices: found.choices,
                evidence: state.builder.evidence,
                secrets: found.secrets,
                quantities: found.quantities,
                differences: found.differences,
                mechanisms: state.builder.mechanisms,
                notes: state.notes,
                doubt: state.certainty.doubt,
                rounded: state.certainty.rounded,
                known_rounded: state.certainty.known_rounded.get(),
            })
        }
        _ => {
            let mut diagnostics = machine.diagnostics;
            if diagnostics.is_empty() {
                let span = machine.program.functions[0].span;
                diagnostics.push(Diagnostic::error(Code::Cancelled, span, "the run stopped without a result"));
            }
            diagnostics.sort_compact_by_key(|diagnostic| diagnostic.span);
            // Where the rounding of a number may have decided, rationals have to tell.
            let is_doubtful = machine.state.certainty.doubt.is_some() && !S::EXACT;
            if let Some(found) = diagnostics.iter_mut().find(|found| found.code == Code::Contradiction)
                && is_doubtful
            {
                found.code = Code::Undecidable;
                diagnostics.retain(|found| found.code == Code::Undecidable);
            }
            Err(diagnostics)
        }
    }
}

/// A run under way.
pub(super) struct Run<'p, 'i, S: Scalar> {
    pub(super) machine: Machine<'p, S>,
    pub(super) inputs: &'i Inputs,
}

/// What a run is about.
pub(super) struct Found<S> {
    pub(super) secrets: Secrets<S>,
    pub(super) quantities: Vec<Quantity<S>>,
    pub(super) differences: Vec<Option<Affine<S>>>,
    pub(super) choices: Option<ChoiceModel<S>>,
}

/// Values by the name of the variable that holds them.
type Scope<S> = HashMap<String, Value<S>>;

impl<S: Scalar> Run<'_, '_, S> {
    fn evaluate(&mut self) -> Result<Found<S>, Stop> {
        let program = self.machine.program;
        self.machine.run_module()?;
        let mut bound = Scope::new();
        for expression in &program.expressions {
            if let Role::Prior(name) | Role::Set(name) = &expression.role {
                let value = self.compute(expression, &bound)?;
                if matches!(expression.role, Role::Set(_)) {
                    self.refuse_random(&value, expression)?;
                }
                bound.insert(name.clone(), value);
            }
        }
        let arguments = self.arguments(&bound)?;
        let entry = program.function(program.entry);
        let parameters: HashSet<&str> = entry.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let inputs: Scope<S> = entry.parameters.iter().map(|p| p.name.clone()).zip(arguments.iter().cloned()).collect();
        // What is about the inputs alone is looked up before the function can change them.
        let about = |expression: &Expression| {
            let Computed::By(function) = expression.computed else { return true };
            let mentioned = &program.function(function).parameters;
            mentioned.iter().all(|parameter| parameters.contains(parameter.name.as_str()))
        };
        let mut asked: HashMap<usize, Value<S>> = HashMap::new();
        for (index, expression) in program.expressions.iter().enumerate() {
            if matches!(expression.role, Role::Secret | Role::Query) && about(expression) {
                asked.insert(index, self.compute(expression, &inputs)?);
            }
        }
        let kept = self.machine.kept_by_module();
        let mut returned = self.machine.call(program.entry, arguments)?;
        // Secrets that are computed below move the machine to their own texts.
        let return_span = self.machine.state.span;
        self.machine.refuse_keeping(&kept, return_span)?;
        match self.machine.without_records(std::mem::replace(&mut returned.value, Value::None), 0) {
            Ok(shown) => returned.value = shown,
            Err(fault) => {
                self.machine.report(fault, return_span)?;
                return Err(Stop);
            }
        }
        let variables = entry.variables.iter().cloned().zip(returned.variables.iter().cloned()).collect();
        let (mut secrets, mut quantities) = (Secrets::default(), Vec::new());
        let mut values = Vec::new();
        // What is asked about has a prior: it is computed also in worlds that what was seen has excluded.
        let seen = self.machine.state.worlds.forget_events();
        for (index, expression) in program.expressions.iter().enumerate() {
            if !matches!(expression.role, Role::Secret | Role::Query) {
                continue;
            }
            let value = match asked.remove(&index) {
                Some(value) => value,
                None => self.compute(expression, &variables)?,
            };
            values.push((expression, value));
        }
        self.machine.state.worlds.recall_events(seen);
        if self.machine.state.worlds.exist() {
            self.refuse_marked_worlds()?;
            return self.find_choices(&values, &returned, return_span);
        }
        for (expression, value) in values {
            if expression.role == Role::Secret {
                secrets.append(self.random_parts(&[(value, expression.name.clone())], expression.span)?);
            } else {
                quantities.push(self.quantity(&value, expression.span)?);
            }
        }
        if program.expressions.iter().any(|expression| expression.role == Role::Secret) {
            self.publish(&returned, return_span)?;
        } else {
            let name = result_name(program, returned.name);
            secrets = self.random_parts(&[(returned.value.clone(), name)], return_span)?;
        }
        self.check_marked(&secrets, &quantities)?;
        let differences = self.differences(&quantities)?;
        Ok(Found { secrets, quantities, differences, choices: None })
    }

    /// What a question's expression is: a random variable or a number.
    pub(super) fn quantity(&mut self, value: &Value<S>, span: Span) -> Result<Quantity<S>, Stop> {
        if let Some(variable) = value.as_random() {
            return Ok(Quantity::Random(variable));
        }
        // What went wrong has been said.
        if matches!(value, Value::Poison) {
            return Err(Stop);
        }
        let number = self.machine.state.number(value).map(|number| self.machine.state.scalar(&number));
        let number = number.map(|number| number.map(|number| number.settled()));
        let number = number.unwrap_or_else(|| {
            let message = format!("a question is about random variables and numbers, not {}", value.kind());
            Err(Fault::new(Code::MalformedQuery, message))
        });
        self.check(number, span)?.map(Quantity::Number).ok_or(Stop)
    }

    pub(super) fn differences(&mut self, quantities: &[Quantity<S>]) -> Result<Vec<Option<Affine<S>>>, Stop> {
        let mut differences = Vec::new();
        for (left, right) in &self.inputs.differences {
            let difference = match (&quantities[*left], &quantities[*right]) {
                (Quantity::Random(a), Quantity::Random(b)) => {
                    let difference = random::add(&mut self.machine.state, a, b, true);
                    self.check(difference, Span::START)?.and_then(|value| value.as_random())
                }
                _ => None,
            };
            differences.push(difference);
        }
        Ok(differences)
    }

    /// Computes an expression given beside the program.
    fn compute(&mut self, expression: &Expression, scope: &Scope<S>) -> Result<Value<S>, Stop> {
        let function = match expression.computed {
            Computed::By(function) => function,
            Computed::Given(place) => {
                self.machine.state.span = expression.span;
                let value = given_value(&mut self.machine.state, &self.inputs.given[place]);
                return Ok(self.check(value, expression.span)?.unwrap_or(Value::Poison));
            }
        };
        let arguments: Vec<Value<S>> = self
            .machine
            .program
            .function(function)
            .parameters
            .iter()
            .map(|parameter| scope.get(&parameter.name).cloned().unwrap_or(Value::Unbound))
            .collect();
        let returned = self.machine.call(function, arguments)?;
        Ok(returned.value)
    }

    fn refuse_random(&mut self, value: &Value<S>, expression: &Expression) -> Result<(), Stop> {
        let parts = outcome::parts(&mut self.machine.state, value, &expression.name);
        let parts = self.check(parts, expression.span)?.unwrap_or_default();
        if parts.iter().any(|part| part.value.as_random().is_some()) {
            let hint = "bind distributions with `--prior`";
            let fault = Fault::hinted(Code::MalformedOption, "`--set` binds a parameter to a random value", hint);
            self.machine.report(fault, expression.span)?;
        }
        Ok(())
    }

    /// Notes a fault down and goes on without a value.
    pub(super) fn check<T>(&mut self, outcome: Outcome<T>, span: Span) -> Result<Option<T>, Stop> {
        match outcome {
            Ok(value) => Ok(Some(value)),
            Err(fault) => self.machine.report(fault, span).map(|()| None),
        }
    }

    /// One argument for each parameter of the analysed function.
    fn arguments(&mut self, bound: &Scope<S>) -> Result<Vec<Value<S>>, Stop> {
        let program = self.machine.program;
        let entry = program.function(program.entry);
        let mut arguments = Vec::new();
        for parameter in &entry.parameters {
            let value = match (bound.get(&parameter.name), parameter.default) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => self.machine.default_value(default, &[]),
                (None, None) => {
                    let name = &parameter.name;
                    let message = format!("the parameter `{name}` of `{}` has no value", entry.name);
                    let hint = format!("give it one with `--prior '{name}=...'` or `--set {name}=...`");
                    self.machine.report(Fault::hinted(Code::ParameterWithoutValue, message, hint), parameter.span)?;
                    Value::Poison
                }
            };
            arguments.push(value);
        }
        let further = self.machine.push_further(program.entry, (Vec::new(), Vec::new()), &mut arguments);
        self.check(further, entry.span)?;
        if self.machine.diagnostics.is_empty() { Ok(arguments) } else { Err(Stop) }
    }

    /// The random variables in values that are to be known; numbers in them are no news.
    pub(super) fn random_parts(&mut self, values: &[(Value<S>, ResultName)], span: Span) -> Result<Secrets<S>, Stop> {
        let (mut found, mut plain) = (Secrets::default(), Plain::default());
        for (value, name) in values {
            if matches!(value, Value::Poison) {
                return Err(Stop);
            }
            let collected =
                outcome::collect_secrets(&mut self.machine.state, value, name, span, &mut found, &mut plain);
            self.check(collected, span)?;
        }
        if found.is_empty() {
            let what = match values {
                [(Value::None, _)] => "nothing is returned".to_owned(),
                [(other, _)] if plain.count > 0 => format!("the result is {}, not a random variable", other.kind()),
                _ if plain.count == 0 => "the result is empty".to_owned(),
                _ => "the result is not a random variable".to_owned(),
            };
            let hint = "return a random variable, or bind the inputs to distributions with `--prior`";
            self.machine.report(Fault::hinted(Code::NothingRandom, what, hint), span)?;
            return Err(Stop);
        }
        self.note_constants(&plain, span);
        Ok(found)
    }

    pub(super) fn note_constants(&mut self, plain: &Plain, span: Span) {
        if let Some(first) = &plain.first {
            let others = if plain.count > 1 { format!(" (and {} more)", plain.count - 1) } else { String::new() };
            let message = format!("`{first}`{others} is not random, so there is nothing to learn about it");
            self.machine.state.note(Note { message, span });
        }
    }

    /// Makes the result's parts evidence: what was observed of them, or that they will be published.
    fn publish(&mut self, returned: &Returned<S>, span: Span) -> Result<(), Stop> {
        let name = &result_name(self.machine.program, returned.name);
        let all_observed = self.observed()?;
        self.publish_value(&returned.value, name, all_observed, span)
    }

    fn publish_value(
        &mut self,
        value: &Value<S>,
        name: &ResultName,
        all_observed: Seen<S>,
        span: Span,
    ) -> Result<(), Stop> {
        if matches!(value, Value::Poison) {
            return Err(Stop);
        }
        let parts = outcome::parts(&mut self.machine.state, value, name);
        let Some(parts) = self.check(parts, span)? else { return Err(Stop) };
        self.publish_parts(&parts, all_observed, span)
    }

    pub(super) fn publish_parts(&mut self, parts: &[Part<S>], all_observed: Seen<S>, span: Span) -> Result<(), Stop> {
        self.check_lengths(parts, &all_observed.lists)?;
        let mut observed: HashMap<String, Observed<S>> = HashMap::new();
        for part in all_observed.parts {
            let (path, span) = (part.path.clone(), part.span);
            if observed.insert(path.clone(), part).is_some() {
                let message = format!("`return{path}` is observed twice");
                let fault = Fault::hinted(Code::ObservedTwice, message, "keep one of the observations");
                self.machine.report(fault, span)?;
            }
        }
        let mut constants = Plain::default();
        let mut outputs = 0;
        for part in parts {
            let seen = observed.remove(&part.path);
            match (part.named(span), seen) {
                (Some(seen_as), value) => {
                    outputs += 1;
                    self.publish_part(seen_as, value)?;
                }
                (None, Some(value)) => {
                    let message = format!("the output `{}` is {}, not random", part.name, part.value.kind());
                    self.machine.report(Fault::new(Code::NoSuchOutput, message), value.span)?;
                }
                (None, None) => constants.add(part.name.clone()),
            }
        }
        let mut unknown: Vec<&Observed<S>> = observed.values().collect();
        // A list of values has one place for all of them.
        unknown.sort_compact_by(|a, b| (a.span, &a.path).cmp(&(b.span, &b.path)));
        for left in unknown {
            let message = format!("there is no output `return{}`", left.path);
            self.machine.report(Fault::hinted(Code::NoSuchOutput, message, output_hint(parts)), left.span)?;
        }
        if outputs == 0 {
            let hint = "with `--secret`, what the function returns is the published output; it must depend on the data";
            let fault = Fault::hinted(Code::NothingRandom, "the published output is not random", hint);
            // What was refused on the way is the reason.
            if self.machine.state.builder.evidence.is_empty() && self.machine.diagnostics.is_empty() {
                self.machine.report(fault, span)?;
            }
        }
        self.note_constants(&constants, span);
        Ok(())
    }

    /// A list of values observes all outputs of a list, not the first few of them.
    fn check_lengths(&mut self, parts: &[Part<S>], lists: &[ObservedList]) -> Result<(), Stop> {
        if lists.is_empty() {
            return Ok(());
        }
        let mut containers: HashSet<&str> = HashSet::new();
        for part in parts {
            let ends = part.path.match_indices('[').map(|(at, _)| at).skip(1);
            containers.extend(ends.chain([part.path.len()]).map(|end| &part.path[..end]));
        }
        for list in lists {
            let (path, length) = (&list.path, list.length);
            if containers.contains(format!("{path}[{length}]").as_str()) {
                let message = format!("{length} values are observed for `return{path}`, which has more");
                let hint = "observe all of them, or name the observed ones, as in `return[0]=3.5`";
                self.machine.report(Fault::hinted(Code::NoSuchOutput, message, hint), list.span)?;
            }
        }
        Ok(())
    }

    fn publish_part(&mut self, output: Named<S>, observed: Option<Observed<S>>) -> Result<(), Stop> {
        let state = &mut self.machine.state;
        let Some(observed) = observed else {
            state.builder.evidence.push(Evidence { seen: output, value: None, noise_variance: S::zero() });
            return Ok(());
        };
        let recorded =
            builtins::evidence::observe_through_noise(state, output, observed.value, observed.noise_variance);
        self.check(recorded, observed.span).map(|_| ())
    }

    /// What was observed, part by part.
    pub(super) fn observed(&mut self) -> Result<Seen<S>, Stop> {
        let program = self.machine.program;
        let mut all = Seen::default();
        let mut paths = self.inputs.observed_paths.iter();
        // The parts of the observation that a standard deviation behind it belongs to.
        let mut latest = 0;
        for expression in &program.expressions {
            match expression.role {
                Role::ObservedValue => {
                    latest = all.parts.len();
                    let value = self.compute(expression, &Scope::new())?;
                    let path = paths.next().cloned().unwrap_or_default();
                    self.observe_parts(&value, &path, expression.span, &mut all)?;
                }
                Role::ObservedStd => {
                    let value = self.compute(expression, &Scope::new())?;
                    self.set_noise(&mut all.parts[latest..], &value, expression.span)?;
                }
                Role::Prior(_) | Role::Set(_) | Role::Secret | Role::Query | Role::ColumnPrior(_) => {}
            }
        }
        Ok(all)
    }

    /// Lets parts be seen through noise of this standard deviation.
    pub(super) fn set_noise(&mut self, parts: &mut [Observed<S>], value: &Value<S>, span: Span) -> Result<(), Stop> {
        let variance = builtins::evidence::variance_of_noise(&mut self.machine.state, value);
        if let Some(variance) = self.check(variance, span)? {
            for part in parts {
                part.noise_variance = variance.clone();
            }
        }
        Ok(())
    }

    /// Adds the parts of a value that was seen.
    pub(super) fn observe_parts(
        &mut self,
        value: &Value<S>,
        path: &str,
        span: Span,
        all: &mut Seen<S>,
    ) -> Result<(), Stop> {
        let parts =
            outcome::parts_at(&mut self.machine.state, value, &ResultName::Text(String::new()), path.to_owned());
        let Some(parts) = self.check(parts, span)? else { return Ok(()) };
        for part in parts {
            let number = match builtins::evidence::observed_value(&mut self.machine.state, &part.value) {
                // A discrete output may be a text or nothing at all.
                Err(_) if self.machine.state.worlds.exist() => Ok(S::zero()),
                number => number,
            };
            if let Some(value) = self.check(number, span)? {
                let raw = part.value;
                all.parts.push(Observed { path: part.path, raw, value, noise_variance: S::zero(), span });
            }
        }
        let lists = outcome::list_lengths(&self.machine.state, value, path);
        all.lists.extend(lists.into_iter().map(|(path, length)| ObservedList { path, length, span }));
        Ok(())
    }
}

/// What was seen of a result.
pub(super) struct Seen<S> {
    pub(super) parts: Vec<Observed<S>>,
    pub(super) lists: Vec<ObservedList>,
}

impl<S> Default for Seen<S> {
    fn default() -> Self {
        Seen { parts: Vec::new(), lists: Vec::new() }
    }
}

/// A value that a part of the result was seen to have.
pub(super) struct Observed<S> {
    pub(super) path: String,
    /// As it was written.
    pub(super) raw: Value<S>,
    value: S,
    pub(super) noise_variance: S,
    pub(super) span: Span,
}

/// A list of values that was seen, and which part of the result it is about.
pub(super) struct ObservedList {
    path: String,
    length: usize,
    span: Span,
}

fn output_hint<S>(parts: &[Part<S>]) -> String {
    const SHOWN: usize = 5;
    if let [only] = parts
        && only.path.is_empty()
    {
        return "the function returns a single value: observe one number, with a decimal point, such as `44.5`"
            .to_owned();
    }
    let shown: Vec<String> = parts.iter().take(SHOWN).map(|part| format!("`return{}`", part.path)).collect();
    let more = if parts.len() > SHOWN { ", …" } else { "" };
    format!("the outputs are {}{more}", shown.join(", "))
}

/// How a result is named; one that different statements return has no text of its own.
pub(super) fn result_name(program: &Program, number: u32) -> ResultName {
    program.result_names.get(number as usize).cloned().unwrap_or_else(|| ResultName::Text("return".to_owned()))
}
