//! Recording to [`Model`]: the second way to a model, for programs that a front end has run itself.

use super::Model;
use super::fault::{Fault, Outcome};
use super::ndarray::Kind;
use super::run::{Found, Inputs, Run, Seen, finish};
use super::running::{Machine, Stop};
use super::secrets::Secrets;
use super::state::State;
use super::tape::{Recorded, Recording, Step, Tape};
use super::value::Value;
use super::{arithmetic, builtins, choices, compare, containers, ndarray, outcome};
use crate::choices::Diagram;
use crate::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::program::{Binary, Builtin, CallShape, Function, FunctionId, Program, ResultName};
use privug_language::source::Span;

/// A double whose shortest decimal has more digits than this was computed, not written down.
const MAX_WRITTEN_DIGITS: usize = 15;
/// Steps between two looks at whether the run is cancelled.
const PAUSE_MASK: usize = (1 << 12) - 1;

/// Plays a recording back.
pub fn replay<S: Scalar>(recording: &Recording, inputs: &Inputs) -> Result<Model<S>, Vec<Diagnostic>> {
    let program = no_program();
    let follows = inputs.follows_doubles;
    let machine = Machine::new(&program, inputs.limits.clone(), inputs.cancelled.clone(), follows);
    let mut run = Run { machine: machine.map_err(|diagnostic| vec![diagnostic])?, inputs };
    let result = run.replay(recording);
    finish(run.machine, result)
}

/// The program of a run that needs none.
fn no_program() -> Program {
    let module = Function {
        name: "<recording>".to_owned(),
        span: Span::START,
        parameters: Vec::new(),
        takes_more: false,
        takes_more_named: false,
        written: false,
        variables: Vec::new(),
        register_count: 0,
        loop_count: 0,
        code: Vec::new(),
        spans: Vec::new(),
        handlers: Vec::new(),
    };
    Program {
        functions: vec![module],
        literals: Vec::new(),
        call_shapes: Vec::new(),
        result_names: Vec::new(),
        classes: Vec::new(),
        written_methods: Vec::new(),
        entry: FunctionId(0),
        expressions: Vec::new(),
    }
}

/// A recording as far as it was played: the results of its steps, and the worlds that each was taken in.
pub(super) struct Played<S> {
    values: Vec<Value<S>>,
    worlds: Vec<Diagram>,
}

impl<S> Default for Played<S> {
    fn default() -> Self {
        Played { values: Vec::new(), worlds: Vec::new() }
    }
}

impl<S> Played<S> {
    /// The results.
    pub(super) fn values(&self) -> &[Value<S>] {
        &self.values
    }

    /// Forgets what was played after the first steps; gives the worlds that the run was in there.
    pub(super) fn go_back(&mut self, steps: usize) -> Diagram {
        let worlds = self.worlds.get(steps).copied().unwrap_or(Diagram::TRUE);
        self.values.truncate(steps);
        self.worlds.truncate(steps);
        worlds
    }
}

impl<S: Scalar> Run<'_, '_, S> {
    fn replay(&mut self, recording: &Recording) -> Result<Found<S>, Stop> {
        let mut played = Played::default();
        self.play(&recording.tape, &mut played)?;
        if self.machine.state.worlds.exist() {
            return self.replay_worlds(recording, played);
        }
        let values = played.values;
        let (mut secrets, mut quantities) = (Secrets::default(), Vec::new());
        for note in &recording.notes {
            self.machine.state.note(note.clone());
        }
        for secret in &recording.secrets {
            let mut parts = Vec::with_capacity(secret.parts.len());
            for part in &secret.parts {
                let value = self.recorded(&values, part.value, secret.span)?;
                parts.push((value, ResultName::Text(part.name.clone())));
            }
            secrets.append(self.random_parts(&parts, secret.span)?);
        }
        for (quantity, span) in &recording.quantities {
            let value = self.recorded(&values, *quantity, *span)?;
            quantities.push(self.quantity(&value, *span)?);
        }
        if let Some(published) = &recording.published {
            let mut observed = Seen::default();
            for seen in &recording.seen {
                let value = self.recorded(&values, seen.value, seen.span)?;
                let first = observed.parts.len();
                self.observe_parts(&value, &seen.path, seen.span, &mut observed)?;
                if let Some((std_dev, span)) = &seen.std_dev {
                    let value = self.recorded(&values, *std_dev, *span)?;
                    self.set_noise(&mut observed.parts[first..], &value, *span)?;
                }
            }
            let mut parts = Vec::with_capacity(published.parts.len());
            for part in &published.parts {
                let value = self.recorded(&values, part.value, published.span)?;
                let name = ResultName::Text(part.name.clone());
                let inner = outcome::parts_at(&mut self.machine.state, &value, &name, part.path.clone());
                parts.extend(self.check(inner, published.span)?.unwrap_or_default());
            }
            self.publish_parts(&parts, observed, published.span)?;
        }
        let differences = self.differences(&quantities)?;
        Ok(Found { secrets, quantities, differences, choices: None })
    }

    /// Plays all steps from where the last run and this one part.
    pub(super) fn play(&mut self, tape: &Tape, played: &mut Played<S>) -> Result<(), Stop> {
        for (index, (step, span)) in tape.steps.iter().zip(&tape.spans).enumerate().skip(played.values.len()) {
            let state = &mut self.machine.state;
            played.worlds.push(state.worlds.active);
            state.span = *span;
            let counted = state.budget.spend_steps(1);
            let looked = if index & PAUSE_MASK == 0 { state.budget.check_cancelled() } else { Ok(()) };
            let outcome = counted.and(looked).and_then(|()| carry_out(state, step, &played.values));
            let value = self.check(outcome, *span)?.unwrap_or(Value::Poison);
            played.values.push(value);
        }
        Ok(())
    }

    pub(super) fn recorded(&mut self, values: &[Value<S>], place: Recorded, span: Span) -> Result<Value<S>, Stop> {
        let value = read(&mut self.machine.state, values, place);
        self.check(value, span)?.ok_or(Stop)
    }
}

fn read<S: Scalar>(state: &mut State<S>, values: &[Value<S>], place: Recorded) -> Outcome<Value<S>> {
    match place {
        Recorded::Value(step) => Ok(values[step as usize].clone()),
        Recorded::Element(step, position) => match &values[step as usize] {
            Value::Array(handle) => {
                Ok(state.heap.array_element(*handle, i64::from(position)).cloned().unwrap_or(Value::Poison))
            }
            Value::List(handle) => {
                Ok(state.heap.sequence(*handle).get(position as usize).cloned().unwrap_or(Value::Poison))
            }
            _ => Ok(Value::Poison),
        },
    }
}

fn carry_out<S: Scalar>(state: &mut State<S>, step: &Step, values: &[Value<S>]) -> Outcome<Value<S>> {
    match step {
        Step::Integer(value) => state.integer(value.clone()),
        Step::Float(value) => double(state, *value).map(Value::Float),
        Step::Ratio(numerator, denominator) => match (S::from_integer(numerator), S::from_integer(denominator)) {
            (Some(a), Some(b)) => state.float(a.div(&b)),
            _ => Err(Fault::new(Code::Overflow, "an integer is too large for a double")),
        },
        Step::Text(text) => state.text(text.clone()),
        Step::Boolean(value) => Ok(Value::Bool(*value)),
        Step::Nothing => Ok(Value::None),
        Step::Numbers(numbers) => self::numbers(state, numbers, vec![numbers.len()]),
        Step::Matrix { columns, numbers } => {
            let shape = vec![numbers.len() / (*columns).max(1), *columns];
            self::numbers(state, numbers, shape)
        }
        Step::Binary(operator, left, right) => {
            let (a, b) = (read(state, values, *left)?, read(state, values, *right)?);
            if matches!(operator, Binary::Multiply | Binary::Divide | Binary::MatrixMultiply) {
                note_computed(state, &[&a, &b]);
            }
            arithmetic::binary(state, *operator, &a, &b)
        }
        Step::Negative(place) => {
            let value = read(state, values, *place)?;
            arithmetic::negative(state, &value)
        }
        Step::Compare(operator, left, right) => {
            let (a, b) = (read(state, values, *left)?, read(state, values, *right)?);
            compare::compare(state, *operator, &a, &b)
        }
        // In no world, nothing more can be assumed.
        Step::Assume(..) if state.worlds.active == Diagram::FALSE => Ok(Value::None),
        Step::Assume(choice, told) => {
            let (choice, told) = (read(state, values, *choice)?, read(state, values, *told)?);
            let (event, active) = (choices::event_of(state, &choice, &told)?, state.worlds.active);
            state.worlds.active = choices::operators::conjunction(state, active, event)?;
            Ok(Value::None)
        }
        Step::Call(builtin, shape, arguments) => {
            let arguments: Vec<Value<S>> =
                arguments.iter().map(|place| read(state, values, *place)).collect::<Outcome<_>>()?;
            if matches!(builtin, Builtin::Dot | Builtin::MultivariateNormal) {
                note_computed(state, &arguments.iter().collect::<Vec<_>>());
            }
            match builtins::call_builtin(state, *builtin, shape, &arguments)? {
                // Vectors of a recording behave as arrays.
                Value::List(handle) => {
                    let elements = state.heap.sequence(handle).to_vec();
                    ndarray::create::array(state, elements)
                }
                other => Ok(other),
            }
        }
        Step::Normals { mean, spread, is_std_dev, count } => {
            let (mean, spread) = (read(state, values, *mean)?, read(state, values, *spread)?);
            normals(state, &mean, &spread, *is_std_dev, *count as usize)
        }
        Step::Pick(vector, positions) => match &values[*vector as usize] {
            Value::Array(handle) => {
                state.budget.spend_steps(positions.len() as u64)?;
                let element = |position: &u32| state.heap.array_element(*handle, i64::from(*position)).cloned();
                match positions.iter().map(element).collect::<Option<Vec<_>>>() {
                    Some(picked) => {
                        let (shape, kind) = (vec![picked.len()], state.heap.array(*handle).kind);
                        ndarray::create::new_array(state, picked, shape, kind)
                    }
                    None => Ok(Value::Poison),
                }
            }
            _ => Ok(Value::Poison),
        },
        Step::Sequence(places) => {
            let elements =
                places.iter().map(|place| read(state, values, *place)).collect::<Outcome<Vec<Value<S>>>>()?;
            // Numbers and random variables are computed with; everything else is only held together.
            let is_vector =
                elements.iter().all(|element| ndarray::kind::is_number(element) || element.as_random().is_some());
            if is_vector && !elements.iter().any(|element| matches!(element, Value::BigInt(_))) {
                return ndarray::create::array(state, elements);
            }
            state.list(elements)
        }
        Step::Dictionary(entries) => {
            let dictionary = state.new_dict()?;
            let Value::Dict(handle) = dictionary else { return Ok(Value::Poison) };
            for (key, value) in entries {
                let (key, value) = (read(state, values, *key)?, read(state, values, *value)?);
                state.insert(handle, key, value)?;
            }
            Ok(dictionary)
        }
    }
}

/// A double as the number that was meant. One that the function has computed is that double, and known to be rounded, where doubles
/// decide.
fn double<S: Scalar>(state: &State<S>, value: f64) -> Outcome<S> {
    let number = if S::EXACT && state.certainty.follows_doubles && has_many_digits(value) {
        state.certainty.rounded_at(state.span);
        S::from_f64(value).map(|number| number.followed().known_to_be_rounded())
    } else {
        S::from_written(value).map(|number| state.followed(number))
    };
    number.ok_or_else(|| Fault::new(Code::NotFinite, format!("{value} is not an ordinary number")))
}

fn numbers<S: Scalar>(state: &mut State<S>, numbers: &[f64], shape: Vec<usize>) -> Outcome<Value<S>> {
    let numbers = numbers.iter().map(|number| double(state, *number).map(Value::NumpyFloat));
    let numbers = numbers.collect::<Outcome<_>>()?;
    ndarray::create::new_array(state, numbers, shape, Kind::Float)
}

/// Independent variables, each with the mean and the spread in its place.
fn normals<S: Scalar>(
    state: &mut State<S>,
    mean: &Value<S>,
    spread: &Value<S>,
    is_std_dev: bool,
    count: usize,
) -> Outcome<Value<S>> {
    let (means, spreads) = (spread_out(state, mean, count)?, spread_out(state, spread, count)?);
    let keyword = if is_std_dev { "std" } else { "variance" };
    let shape = CallShape {
        positional: 1,
        keywords: vec![keyword.to_owned()],
        spans: vec![state.span; 2],
        subject: String::new(),
        names: Vec::new(),
    };
    state.budget.spend_steps(count as u64)?;
    let mut variables = Vec::with_capacity(count);
    for (mean, spread) in means.into_iter().zip(spreads) {
        variables.push(builtins::call_builtin(state, Builtin::Normal, &shape, &[mean, spread])?);
    }
    ndarray::create::array(state, variables)
}

/// One value for each of `count` places.
fn spread_out<S: Scalar>(state: &mut State<S>, value: &Value<S>, count: usize) -> Outcome<Vec<Value<S>>> {
    if !matches!(value, Value::Array(_) | Value::List(_)) {
        return Ok(vec![value.clone(); count]);
    }
    let elements = containers::elements(state, value)?;
    if elements.len() != count {
        let message = format!("{} values are given for {count} random variables", elements.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    Ok(elements)
}

/// A coefficient such as 0.3333333333333333 was rounded before it got here, so exactness ends with it.
fn note_computed<S: Scalar>(state: &mut State<S>, values: &[&Value<S>]) {
    let is_new = S::EXACT && !state.certainty.follows_doubles && state.certainty.rounded.is_none();
    if is_new && values.iter().any(|value| is_computed(state, value)) {
        state.certainty.rounded = Some(state.span);
    }
}

/// Whether nobody would write so many digits.
fn has_many_digits(number: f64) -> bool {
    let digits = format!("{number:e}");
    let digits = digits.split('e').next().unwrap_or("");
    digits.bytes().filter(u8::is_ascii_digit).count() > MAX_WRITTEN_DIGITS
}

fn is_computed<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    match value {
        Value::Float(number) | Value::NumpyFloat(number) => {
            let written =
                S::from_literal(&format!("{:?}", number.to_f64())).is_some_and(|read| read == number.settled());
            written && has_many_digits(number.to_f64())
        }
        Value::Array(handle) => {
            let array = state.heap.array(*handle);
            state.heap.array_values(array).iter().any(|element| is_computed(state, element))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tape::{NamedPart, NamedValue};
    use super::*;
    use crate::number::Rational;

    fn normal(tape: &mut Tape, mean: f64, variance: f64) -> Recorded {
        let (mean, variance) = (tape.push(Step::Float(mean)), tape.push(Step::Float(variance)));
        let shape = CallShape {
            positional: 2,
            keywords: Vec::new(),
            spans: Vec::new(),
            subject: String::new(),
            names: Vec::new(),
        };
        let arguments = vec![Recorded::Value(mean), Recorded::Value(variance)];
        Recorded::Value(tape.push(Step::Call(Builtin::Normal, shape, arguments)))
    }

    fn asked(tape: Tape, value: Recorded) -> Recording {
        let part = NamedPart { value, name: "x".to_owned(), path: String::new() };
        let secret = NamedValue { parts: vec![part], span: Span::START };
        Recording { tape, secrets: vec![secret], ..Recording::default() }
    }

    #[test]
    fn a_recording_gives_the_same_network_as_the_program_would() {
        let mut tape = Tape::default();
        let x = normal(&mut tape, 1.0, 4.0);
        let factor = Recorded::Value(tape.push(Step::Float(0.1)));
        let scaled = Recorded::Value(tape.push(Step::Binary(Binary::Multiply, x, factor)));
        let model: Model<f64> = replay(&asked(tape.clone(), scaled), &Inputs::default()).expect("a model");
        assert_eq!((model.network.len(), model.secrets.variables().get(0).scale), (1, 0.1));
        let model: Model<Rational> = replay(&asked(tape, scaled), &Inputs::default()).expect("a model");
        assert_eq!(model.secrets.variables().get(0).scale.to_string(), "1/10");
        assert_eq!(model.rounded, None);
    }

    #[test]
    fn a_coefficient_that_was_computed_is_not_taken_as_exact() {
        let mut tape = Tape::default();
        let x = normal(&mut tape, 1.0, 4.0);
        let third = Recorded::Value(tape.push(Step::Float(1.0 / 3.0)));
        let scaled = Recorded::Value(tape.push(Step::Binary(Binary::Multiply, x, third)));
        let model: Model<Rational> = replay(&asked(tape, scaled), &Inputs::default()).expect("a model");
        assert_eq!(model.rounded, Some(Span::START));
    }

    #[test]
    fn vectors_are_picked_from_and_added_up() {
        let mut tape = Tape::default();
        let (means, variance) = (tape.push(Step::Numbers(vec![1.0, 2.0, 3.0])), tape.push(Step::Float(1.0)));
        let (mean, spread) = (Recorded::Value(means), Recorded::Value(variance));
        let people = tape.push(Step::Normals { mean, spread, is_std_dev: false, count: 3 });
        let ends = tape.push(Step::Pick(people, vec![0, 2]));
        let shape = CallShape {
            positional: 1,
            keywords: Vec::new(),
            spans: Vec::new(),
            subject: String::new(),
            names: Vec::new(),
        };
        let total = tape.push(Step::Call(Builtin::ArraySum, shape, vec![Recorded::Value(ends)]));
        let model: Model<f64> = replay(&asked(tape, Recorded::Value(total)), &Inputs::default()).expect("a model");
        let node = model.network.node(model.secrets.variables().get(0).node);
        assert_eq!(
            node.parents().map(|(parent, weight)| (parent.0, *weight)).collect::<Vec<_>>(),
            [(0, 1.0), (2, 1.0)]
        );
    }

    #[test]
    fn what_the_language_refuses_is_refused_at_its_place() {
        let mut tape = Tape { span: Span { start: 3, end: 5, ..Span::START }, ..Tape::default() };
        let x = normal(&mut tape, 0.0, -1.0);
        let refused = replay::<f64>(&asked(tape, x), &Inputs::default()).expect_err("a negative variance");
        assert_eq!((refused[0].code, refused[0].span.start), (Code::NegativeVariance, 3));
    }
}
