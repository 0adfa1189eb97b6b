//! `Bernoulli`, `Categorical`, `DiscreteUniform`, `Binomial`, `Poisson` and `Geometric`.

use std::rc::Rc;

use super::Chosen;
use super::sums::Sum;
use super::{calls, lift, sums};
use crate::choices::{Diagram, Law, Mass};
use crate::evaluate::Note;
use crate::evaluate::builtins::{Argument, Arguments, given};
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::ndarray::Kind;
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{arithmetic, builtins, choices, compare, containers, ndarray, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Builtin;

/// Probabilities may miss 1 by so much, which the rounding of decimals explains.
const SUM_TOLERANCE: f64 = 1e-9;
/// A range with more answers is not spelled out, only compared.
const MAX_SPELLED_OUT: u64 = 4096;
/// Distributions without an end are followed until less than this is left.
const NEGLIGIBLE_TAIL: f64 = 1e-300;
/// But not further than this.
const MAX_ANSWERS: usize = 1 << 20;

/// One draw: its answers and how likely they are.
struct Draw<S> {
    values: Vec<Value<S>>,
    probabilities: Vec<Mass<S>>,
}

/// A call to one of the discrete distributions.
pub(in crate::evaluate) fn discrete<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let (name, parameters): (&str, [&str; 3]) = match builtin {
        Builtin::Bernoulli => ("Bernoulli", ["p|probability", "size", ""]),
        Builtin::Categorical => ("Categorical", ["probabilities|p|probs", "size", ""]),
        Builtin::DiscreteUniform => ("DiscreteUniform", ["lower|low", "upper|high", "size"]),
        Builtin::Binomial => ("Binomial", ["n", "p|probability", "size"]),
        Builtin::Poisson => ("Poisson", ["mu|mean|rate|lam", "size", ""]),
        _ => ("Geometric", ["p|probability", "size", ""]),
    };
    // One coin of a million.
    if builtin == Builtin::Bernoulli && matches!(arguments.values, [Value::Float(_)]) && arguments.shape.positional == 1
    {
        return draw(state, builtin, arguments.values, &[0]);
    }
    let size_at = if parameters[2].is_empty() { 1 } else { 2 };
    let bound = arguments.bind(name, parameters, size_at, size_at)?;
    let size = bound[size_at];
    let drawn: Vec<Argument<'_, S>> =
        bound[..size_at].iter().map(|argument| given(*argument)).collect::<Outcome<_>>()?;
    if let Some(random) = drawn.iter().find(|argument| argument.value.as_random().is_some()) {
        let message = format!("a parameter of `{name}` is a Gaussian variable");
        let hint = "its parameters are numbers, or depend on discrete values only";
        return Err(Fault::hinted(Code::RandomVariance, message, hint).at_argument(random.index));
    }
    let values: Vec<Value<S>> = drawn.iter().map(|argument| argument.value.clone()).collect();
    let places: Vec<usize> = drawn.iter().map(|argument| argument.index).collect();
    let Some(size) = size else { return draw(state, builtin, &values, &places) };
    let shape = ndarray::create::shape_of(state, size.value).map_err(|fault| fault.at_argument(size.index))?;
    let count = shape.iter().try_fold(1u64, |size, length| size.checked_mul(*length as u64)).unwrap_or(u64::MAX);
    state.budget.check_elements(count)?;
    state.budget.spend_steps(count)?;
    let drawn = draw_many(state, builtin, &values, &places, count)?;
    let kind = if builtin == Builtin::Bernoulli { Kind::Bool } else { Kind::Int };
    match builtin {
        // The answers of a dictionary may be anything.
        Builtin::Categorical if matches!(values[0], Value::Dict(_)) => state.list(drawn),
        _ => ndarray::create::new_array(state, drawn, shape, kind),
    }
}

/// Independent random values with the same parameters.
fn draw_many<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    values: &[Value<S>],
    places: &[usize],
    count: u64,
) -> Outcome<Vec<Value<S>>> {
    let mut drawn = Vec::with_capacity(count as usize);
    for _ in 0..count.min(1) {
        drawn.push(draw(state, builtin, values, places)?);
    }
    // All have the distribution of the first, and its answers.
    let like = match drawn.first() {
        Some(Value::Choice(Chosen::Diagram(first))) => {
            let single = state.worlds.diagrams.single(*first);
            single.map(|(choice, shape)| (state.worlds.laws[choice as usize].clone(), shape))
        }
        _ => None,
    };
    for _ in 1..count {
        drawn.push(match &like {
            Some((law, shape)) => {
                let choice = choices::new_choice(state, law.clone())?;
                let diagram = state.worlds.diagrams.shaped(choice, *shape);
                choices::settle(state, diagram.map_err(|too_wide| choices::too_wide(state, too_wide, &[]))?)
            }
            None => draw(state, builtin, values, places)?,
        });
    }
    Ok(drawn)
}

/// One random value; where the parameters depend on choices, one for each of their values.
fn draw<S: Scalar>(state: &mut State<S>, builtin: Builtin, values: &[Value<S>], places: &[usize]) -> Outcome<Value<S>> {
    if values.iter().any(|value| lift::holds_choice(state, value, 0)) {
        let values = values.iter().map(|value| lift::expanded(state, value, 0)).collect::<Outcome<Vec<_>>>()?;
        return lift::lift(state, &values, false, &mut |state, values| draw(state, builtin, values, places));
    }
    // What went wrong has been said.
    let is_poison = |value: &Value<S>| match value {
        Value::Poison => true,
        Value::List(handle) | Value::Tuple(handle) => {
            state.heap.sequence(*handle).iter().any(|part| matches!(part, Value::Poison))
        }
        Value::Dict(handle) => state.heap.dict(*handle).entries.iter().any(|(_, p)| matches!(p, Value::Poison)),
        _ => false,
    };
    if values.iter().any(is_poison) {
        return Ok(Value::Poison);
    }
    let at = |fault: Box<Fault>, which: usize| fault.at_argument(places[which]);
    if builtin == Builtin::DiscreteUniform {
        let lower = containers::whole(&values[0], "the lower end").map_err(|fault| at(fault, 0))?;
        let upper = containers::whole(&values[1], "the upper end").map_err(|fault| at(fault, 1))?;
        return draw_uniform(state, lower, upper).map_err(|fault| at(fault, 1));
    }
    let draw = match builtin {
        Builtin::Bernoulli => {
            let p = probability(state, &values[0]).map_err(|fault| at(fault, 0))?;
            let probabilities: Rc<[S]> = Rc::from([S::one().sub(&p), p]);
            if probabilities.iter().all(|p| !p.is_zero()) {
                return toss(state, probabilities);
            }
            let probabilities = probabilities.iter().cloned().map(Mass::of).collect();
            Draw { values: vec![Value::Bool(false), Value::Bool(true)], probabilities }
        }
        Builtin::Categorical => categorical(state, &values[0]).map_err(|fault| at(fault, 0))?,
        Builtin::Binomial => {
            let n = containers::whole(&values[0], "the number of trials").map_err(|fault| at(fault, 0))?;
            let p = probability(state, &values[1]).map_err(|fault| at(fault, 1))?;
            if !(0..=MAX_ANSWERS as i64).contains(&n) {
                let message = format!("the number of trials is {n}");
                return Err(at(Fault::new(Code::BadProbability, message), 0));
            }
            counts(state, binomial(n, &p))?
        }
        Builtin::Poisson => {
            let mu =
                builtins::vectors::parameter(state, "the mean", &values[0]).map_err(|fault| at(fault, 0))?.settled();
            let counts = poisson::<S>(mu.to_f64());
            let bad = || Fault::new(Code::BadProbability, "the mean of `Poisson` is negative, or too large");
            let draw = self::counts(state, counts.ok_or_else(|| at(bad(), 0))?)?;
            return make_truncated(state, "Poisson", draw);
        }
        _ => {
            let p = probability(state, &values[0]).map_err(|fault| at(fault, 0))?;
            let bad = || {
                let message = "the probability of success is 0, or too small to write the answers out";
                Fault::new(Code::BadProbability, message)
            };
            let probabilities = geometric(&p).ok_or_else(|| at(bad(), 0))?;
            let mut draw = counts(state, probabilities)?;
            draw.values = (1..=draw.values.len() as i64).map(Value::Int).collect();
            return make_truncated(state, "Geometric", draw);
        }
    };
    make_choice(state, draw)
}

/// Integers from 0 on.
fn counts<S: Scalar>(state: &mut State<S>, probabilities: Vec<Mass<S>>) -> Outcome<Draw<S>> {
    state.budget.spend_elements(probabilities.len() as u64)?;
    let values = (0..probabilities.len() as i64).map(Value::Int).collect();
    Ok(Draw { values, probabilities })
}

/// A choice whose distribution goes on for ever.
fn make_truncated<S: Scalar>(state: &mut State<S>, name: &str, draw: Draw<S>) -> Outcome<Value<S>> {
    let value = make_choice(state, draw)?;
    if calls::is_choice(&value) {
        state.worlds.truncated.push(state.worlds.laws.len() as u32 - 1);
        let message =
            format!("values of `{name}` with a total probability below 1e-290 are ignored: they are infinitely many");
        let span = state.span;
        state.note(Note { span, message });
    }
    Ok(value)
}

/// A random boolean: the first two leaves are `False` and `True`.
fn toss<S: Scalar>(state: &mut State<S>, probabilities: Rc<[S]>) -> Outcome<Value<S>> {
    let choice = choices::new_choice(state, Law::Finite(probabilities))?;
    let diagram = state.worlds.diagrams.decide(choice, [(0, Diagram::FALSE), (1, Diagram::TRUE)]);
    let diagram = diagram.map_err(|too_wide| choices::too_wide(state, too_wide, &[]))?;
    Ok(choices::settle(state, diagram))
}

fn make_choice<S: Scalar>(state: &mut State<S>, draw: Draw<S>) -> Outcome<Value<S>> {
    // What cannot happen is no answer.
    let mut possible: Vec<Value<S>> = Vec::new();
    let mut probabilities: Vec<Mass<S>> = Vec::new();
    for (value, p) in draw.values.into_iter().zip(draw.probabilities) {
        if !p.is_zero() {
            possible.push(value);
            probabilities.push(p);
        }
    }
    if let [only] = &possible[..] {
        return Ok(only.clone());
    }
    let choice = choices::new_choice(state, Law::of_masses(probabilities))?;
    let mut edges = Vec::with_capacity(possible.len());
    for (answer, value) in possible.iter().enumerate() {
        edges.push((answer as i64, Diagram::leaf(choices::leaf(state, value))));
    }
    let diagram = state.worlds.diagrams.decide(choice, edges);
    let diagram = diagram.map_err(|too_wide| choices::too_wide(state, too_wide, &[]))?;
    Ok(choices::settle(state, diagram))
}

fn draw_uniform<S: Scalar>(state: &mut State<S>, lower: i64, upper: i64) -> Outcome<Value<S>> {
    let count = i128::from(upper) - i128::from(lower) + 1;
    if count < 1 {
        let message = format!("the upper end {upper} is below the lower end {lower}");
        return Err(Fault::hinted(Code::BadProbability, message, "both ends are possible values"));
    }
    let too_large = || Fault::new(Code::BadProbability, "the range is too large");
    let count = u64::try_from(count).ok().filter(|count| *count < 1 << 53).ok_or_else(too_large)?;
    if count > MAX_SPELLED_OUT {
        let choice = choices::new_choice(state, Law::Uniform(count))?;
        let answer = sums::add_sum(state, Sum::Answer(choice))?;
        let lower = sums::add_sum(state, Sum::Number(lower))?;
        let sum = sums::add_sum(state, Sum::Plus(lower, answer))?;
        return Ok(Value::Choice(Chosen::Sum(sum)));
    }
    let p = S::one().div(&S::from_i64(count as i64));
    let values = (lower..=upper).map(Value::Int).collect();
    make_choice(state, Draw { values, probabilities: vec![Mass::of(p); count as usize] })
}

/// A number from 0 to 1.
fn probability<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<S> {
    let p = builtins::vectors::parameter(state, "the probability", value)?.settled();
    if p < S::zero() || p > S::one() {
        let message = format!("the probability is {}, not between 0 and 1", text::show(state, value));
        return Err(Fault::new(Code::BadProbability, message));
    }
    Ok(p)
}

/// Probabilities in a list, or by value in a dictionary.
fn categorical<S: Scalar>(state: &mut State<S>, given: &Value<S>) -> Outcome<Draw<S>> {
    let (values, weights): (Vec<Value<S>>, Vec<Value<S>>) = match given {
        Value::Dict(handle) => state.heap.dict(*handle).entries.iter().cloned().unzip(),
        Value::List(_) | Value::Tuple(_) | Value::Array(_) => {
            let weights = containers::elements(state, given)?;
            ((0..weights.len() as i64).map(Value::Int).collect(), weights)
        }
        other => {
            let message = format!("the probabilities are {}", other.kind());
            let hint = "give a list `[0.2, 0.8]`, or a dictionary `{\"a\": 0.2, \"b\": 0.8}`";
            return Err(Fault::hinted(Code::BadProbability, message, hint));
        }
    };
    if values.is_empty() {
        return Err(Fault::new(Code::BadProbability, "there are no probabilities"));
    }
    let mut probabilities = Vec::with_capacity(weights.len());
    let mut sum = S::zero();
    for weight in &weights {
        let p = probability(state, weight)?;
        sum = sum.add(&p);
        probabilities.push(p);
    }
    let distance = sum.sub(&S::one()).to_f64();
    if distance.abs() > SUM_TOLERANCE {
        let message = format!("the probabilities add up to {}, not to 1", sum.to_f64());
        return Err(Fault::hinted(Code::BadProbability, message, "divide each by their sum"));
    }
    // Thirds written as decimals miss 1 by a little; what is analysed is a distribution.
    if sum != S::one() {
        probabilities = probabilities.iter().map(|p| p.div(&sum)).collect();
    }
    Ok(Draw { values, probabilities: probabilities.into_iter().map(Mass::of).collect() })
}

/// `x > 3` of a Gaussian variable: an event that knows what it is about.
pub(super) fn threshold<S: Scalar>(
    state: &mut State<S>,
    operator: privug_language::program::Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    use privug_language::program::Comparison;
    let difference = match (left, right) {
        (Value::Random { .. }, Value::Random { .. }) => {
            arithmetic::binary(state, privug_language::program::Binary::Subtract, left, right)?
        }
        (Value::Random { .. }, _) => {
            arithmetic::binary(state, privug_language::program::Binary::Subtract, left, right)?
        }
        _ => {
            let swapped = sums::mirrored(operator);
            return threshold(state, swapped, right, left);
        }
    };
    let Some(affine) = difference.as_random() else {
        // Two equal variables: what is left is a number.
        return compare::compare(state, operator, &difference, &Value::Int(0));
    };
    let above = match operator {
        Comparison::Greater | Comparison::GreaterEqual => true,
        Comparison::Less | Comparison::LessEqual => false,
        Comparison::Equal
        | Comparison::NotEqual
        | Comparison::In
        | Comparison::NotIn
        | Comparison::Is
        | Comparison::IsNot => return Err(compare::random_equality()),
    };
    let (scale, offset) = (affine.scale.to_f64(), affine.offset.to_f64());
    if scale == 0.0 {
        return compare::compare(state, operator, &Value::Float(affine.offset.clone()), &Value::Int(0));
    }
    // offset + scale·x > 0 where x is above the threshold, if the scale is positive.
    let threshold = -offset / scale;
    let above = above == (scale > 0.0);
    let choice = match state.worlds.thresholds.get(&affine.node) {
        Some(choice) => *choice,
        None => {
            let (mean, normal) = marginal(state, affine.node)?;
            if normal.is_constant() {
                let number = affine.offset.add(&affine.scale.mul(&mean));
                return compare::compare(state, operator, &Value::Float(number), &Value::Int(0));
            }
            let choice = choices::new_choice(state, Law::Threshold { node: affine.node, normal })?;
            state.worlds.thresholds.insert(affine.node, choice);
            choice
        }
    };
    let (low, high) = if above { (Diagram::FALSE, Diagram::TRUE) } else { (Diagram::TRUE, Diagram::FALSE) };
    let event = state.worlds.diagrams.decide(choice, [(crate::choices::rank(threshold), low), (i64::MAX, high)]);
    let event = event.map_err(|too_wide| choices::too_wide(state, too_wide, &[]))?;
    Ok(choices::settle(state, event))
}

/// The mean and the distribution of a Gaussian variable before anything is seen.
fn marginal<S: Scalar>(state: &mut State<S>, node: crate::network::NodeId) -> Outcome<(S, crate::gaussian::Normal)> {
    use crate::posterior::{Options, condition};
    let target = crate::network::Affine { node, scale: S::one(), offset: S::zero() };
    let posterior = condition(&state.builder.network, &[], &[target], &Options::default());
    let unknown = || Fault::new(Code::ComparisonOfRandom, "the variable's marginal distribution could not be computed");
    let posterior = posterior.map_err(|_| unknown())?;
    let prior = &posterior.targets[0];
    let normal = crate::gaussian::Normal::new(prior.prior_mean.to_f64(), prior.prior_variance.to_f64());
    Ok((prior.prior_mean.clone(), normal.ok_or_else(unknown)?))
}

/// A call whose shape is known: for tests and recordings.
pub(in crate::evaluate) fn is_discrete(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Bernoulli
            | Builtin::Categorical
            | Builtin::DiscreteUniform
            | Builtin::Binomial
            | Builtin::Poisson
            | Builtin::Geometric
    )
}

/// P(k) of n trials, k = 0, …, n: built up trial by trial, so that nothing is ever subtracted.
fn binomial<S: Scalar>(n: i64, p: &S) -> Vec<Mass<S>> {
    let q = S::one().sub(p);
    if p.is_zero() || q.is_zero() {
        let certain = if p.is_zero() { 0 } else { n };
        return (0..=n).map(|k| if k == certain { Mass::one() } else { Mass::zero() }).collect();
    }
    if S::EXACT {
        let mut term = q.powi(n as i32);
        let mut all = Vec::with_capacity(n as usize + 1);
        for k in 0..=n {
            all.push(Mass::of(term.clone()));
            term = term.mul(&S::from_i64(n - k)).div(&S::from_i64(k + 1)).mul(p).div(&q);
        }
        return all;
    }
    // From the most likely count outwards, by ratios, and divided by the sum at the end. Far out, doubles would vanish.
    let (p, q) = (p.to_f64(), q.to_f64());
    let mass = |value: f64| Mass::of(S::from_f64(value).unwrap_or_else(S::zero));
    let odds = mass(p).div(&mass(q));
    let mode = (((n + 1) as f64 * p).floor() as i64).clamp(0, n);
    let mut all = vec![Mass::one(); n as usize + 1];
    for k in mode..n {
        all[k as usize + 1] = all[k as usize].mul(&mass((n - k) as f64 / (k + 1) as f64)).mul(&odds);
    }
    for k in (1..=mode).rev() {
        all[k as usize - 1] = all[k as usize].mul(&mass(k as f64 / (n - k + 1) as f64)).div(&odds);
    }
    let total = all.iter().fold(Mass::zero(), |sum, mass| sum.add(mass));
    all.iter().map(|mass| mass.div(&total)).collect()
}

/// The same for a mean, as far as there is anything left.
fn poisson<S: Scalar>(mu: f64) -> Option<Vec<Mass<S>>> {
    if !(0.0..=1e5).contains(&mu) {
        return None;
    }
    if mu == 0.0 {
        return Some(vec![Mass::one()]);
    }
    let mode = mu.floor() as usize;
    let mut all = vec![0.0; mode + 1];
    all[mode] = 1.0;
    for k in (1..=mode).rev() {
        all[k - 1] = all[k] * (k as f64 / mu);
    }
    while all[all.len() - 1] > NEGLIGIBLE_TAIL {
        let k = all.len() as f64;
        all.push(all[all.len() - 1] * (mu / k));
    }
    Some(normalised(all))
}

/// The number of trials up to the first success.
fn geometric<S: Scalar>(p: &S) -> Option<Vec<Mass<S>>> {
    if p.is_zero() {
        return None;
    }
    let q = S::one().sub(p);
    let mut all = Vec::new();
    let mut left = S::one();
    while left.to_f64() > NEGLIGIBLE_TAIL && !left.is_zero() {
        if all.len() >= MAX_ANSWERS {
            return None;
        }
        all.push(Mass::of(left.mul(p)));
        left = left.mul(&q);
    }
    Some(all)
}

fn normalised<S: Scalar>(all: Vec<f64>) -> Vec<Mass<S>> {
    let total: f64 = all.iter().sum();
    all.into_iter().map(|p| Mass::of(S::from_f64(p / total).unwrap_or_else(S::zero))).collect()
}
