//! Priors that are skewed, bounded or as the data are: `LogNormal`, `Gamma`, `Uniform`, `Laplace`, `Empirical` and `Mixture` of a
//! whole secret column.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::builtins::{Argument, Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::belief::{Belief, Skewed};
use super::prior::Parameter;
use super::{Column, Index, RandomColumn, Series};
use super::{column, grouping, prior};
use crate::evaluate::{containers, tables, text};
use crate::network::{Affine, NodeId};
use crate::number::Scalar;
use crate::sums::Law;
use privug_language::diagnostic::Code;
use privug_language::program::PriorLaw;

/// Weights may miss 1 by so much, which the rounding of decimals explains.
const SUM_TOLERANCE: f64 = 1e-9;
/// A lognormal law that is wider than this spans too many orders of magnitude.
const WIDEST_SIGMA: f64 = 20.0;

/// A law for every row, or `None` where something that it needs is missing. Rows share laws that may be as long as the table.
type LawOfRow = Vec<Option<Rc<Law>>>;

/// A law for each row of a table.
pub(in super::super) fn law_column<S: Scalar>(
    state: &mut State<S>,
    law: PriorLaw,
    arguments: &Arguments<'_, S>,
    index: Index,
) -> Outcome<Value<S>> {
    if index.sizes().is_some() {
        return Err(super::not_of_groups("a prior that is not Gaussian"));
    }
    let count = index.len();
    tables::spend_rows(state, count)?;
    let laws = match law {
        PriorLaw::LogNormal => {
            let [mu, sigma, mean, std] = arguments.bind("LogNormal", ["mu", "sigma", "mean", "std|sd"], 0, 2)?;
            let by_moments = either_pair("LogNormal", ["mu", "sigma"], [mu, sigma], ["mean", "std"], [mean, std])?;
            let (first, second) = two_parameters(state, &by_moments, &index)?;
            let of = |a: f64, b: f64| match by_moments.is_second {
                false => Law::LogNormal { mu: a, sigma: b },
                true => {
                    let variance = (b / a).powi(2).ln_1p();
                    Law::LogNormal { mu: a.ln() - 0.5 * variance, sigma: variance.sqrt() }
                }
            };
            let is_good = |a: f64, b: f64| b > 0.0 && (!by_moments.is_second || a > 0.0);
            let laws = rows(count, &first, &second, is_good, of);
            let laws = laws.map_err(|row| bad_row(row, "a positive standard deviation, and a positive mean"))?;
            let wide =
                laws.iter().flatten().any(|law| matches!(**law, Law::LogNormal { sigma, .. } if sigma > WIDEST_SIGMA));
            if wide {
                let message = "`sigma` is the standard deviation of the logarithm, and more than 20 here";
                let hint = "give the moments of the secret itself by name: `LogNormal(mean=450_000, std=200_000)`";
                return Err(Fault::hinted(Code::BadArgument, message, hint));
            }
            laws
        }
        PriorLaw::Gamma => {
            let names = ["shape|k|alpha", "rate|beta", "scale", "mean", "std|sd"];
            let [shape, rate, scale, mean, std] = arguments.bind("Gamma", names, 0, 2)?;
            let is_scale = scale.is_some();
            if rate.is_some() && scale.is_some() {
                let hint = "the rate is the reciprocal of the scale: give one of them";
                return Err(Fault::hinted(Code::WrongArguments, "`Gamma` has a rate and a scale", hint));
            }
            let given = [shape, rate.or(scale)];
            let by_moments = either_pair("Gamma", ["shape", "rate"], given, ["mean", "std"], [mean, std])?;
            let (first, second) = two_parameters(state, &by_moments, &index)?;
            let of = |a: f64, b: f64| match (by_moments.is_second, is_scale) {
                (true, _) => Law::Gamma { shape: (a / b).powi(2), rate: a / (b * b) },
                (false, true) => Law::Gamma { shape: a, rate: 1.0 / b },
                (false, false) => Law::Gamma { shape: a, rate: b },
            };
            rows(count, &first, &second, |a, b| a > 0.0 && b > 0.0, of)
                .map_err(|row| bad_row(row, "two positive numbers"))?
        }
        PriorLaw::Uniform => {
            let [low, high] = arguments.bind("Uniform", ["lower|low", "upper|high"], 2, 2)?;
            let low = of_rows(state, "the lower bound", given(low)?, &index)?;
            let high = of_rows(state, "the upper bound", given(high)?, &index)?;
            let of = |low: f64, high: f64| Law::Uniform { low, high };
            rows(count, &low, &high, |low, high| low < high, of)
                .map_err(|row| bad_row(row, "a lower bound below the upper one"))?
        }
        PriorLaw::Laplace => {
            let [mean, scale] = arguments.bind("Laplace", ["mean|mu|loc", "scale|b"], 2, 2)?;
            let mean = of_rows(state, "the mean", given(mean)?, &index)?;
            let scale = of_rows(state, "the scale", given(scale)?, &index)?;
            let of = |mean: f64, scale: f64| Law::Laplace { mean, scale };
            rows(count, &mean, &scale, |_, scale| scale > 0.0, of).map_err(|row| bad_row(row, "a positive scale"))?
        }
        PriorLaw::Empirical => {
            let [values, by] = arguments.bind("Empirical", ["values|data", "by"], 1, 2)?;
            empirical(state, given(values)?, by, &index)?
        }
        PriorLaw::Mixture => {
            let [weights, parts] = arguments.bind("Mixture", ["weights|w|p", "components|parts|comp_dists"], 2, 2)?;
            mixture(state, given(weights)?, given(parts)?, &index)?
        }
    };
    lay_out_laws(state, laws, index)
}

/// A column of variables with these laws: the network knows their means and variances.
fn lay_out_laws<S: Scalar>(state: &mut State<S>, laws: LawOfRow, index: Index) -> Outcome<Value<S>> {
    let mut known: HashMap<String, u32> = HashMap::new();
    // What is known of a law that rows share is found once.
    let mut shared: HashMap<*const Law, (u32, S, S)> = HashMap::new();
    let mut cells = Vec::with_capacity(laws.len());
    for law in &laws {
        let Some(law) = law else {
            cells.push(None);
            continue;
        };
        let (place, mean, variance) = match shared.get(&Rc::as_ptr(law)) {
            Some(found) => found.clone(),
            None => {
                let place = *known.entry(format!("{law:?}")).or_insert_with(|| {
                    state.builder.laws.push(Law::clone(law));
                    state.builder.laws.len() as u32 - 1
                });
                let number = |value: f64| {
                    S::from_f64(value).filter(|_| value.is_finite()).ok_or_else(|| {
                        Fault::new(Code::BadArgument, format!("`{}` has no finite mean and variance", law.words()))
                    })
                };
                let found = (place, number(law.mean())?, number(law.variance().max(0.0))?);
                shared.insert(Rc::as_ptr(law), found.clone());
                found
            }
        };
        let variable = state.push_node(mean, [], variance)?;
        state.builder.law_of_node.insert(variable.node, place);
        cells.push(Some(variable));
    }
    let column = match cells.iter().map(|x| x.as_ref().map(|x| x.node)).collect::<Option<Vec<NodeId>>>() {
        Some(nodes) => Column::Random(Rc::new(RandomColumn { nodes, scales: None, offsets: None })),
        None => column::column_of(state, cells.into_iter().map(|x| x.map_or(Value::Missing, Value::random)).collect())?,
    };
    Ok(Value::Series(Rc::new(Series { name: None, column, index })))
}

/// What kind of belief the variables of a column have: Gaussian, or laws of which each stands for itself.
pub(in super::super) fn belief_of<S: Scalar>(state: &State<S>, variables: &[Affine<S>]) -> Outcome<Belief> {
    let has_law = |x: &Affine<S>| state.builder.law_of_node.contains_key(&x.node);
    if !variables.iter().any(has_law) {
        // A Gaussian variable may not stand on one that is none.
        return if state.builder.law_of_node.is_empty() { Ok(Belief::Gaussian) } else { Err(not_alone()) };
    }
    let mut laws: Vec<Law> = Vec::new();
    let mut places: HashMap<u32, u32> = HashMap::new();
    let mut seen = std::collections::HashSet::new();
    let mut law_of = Vec::with_capacity(variables.len());
    for x in variables {
        let is_plain = x.scale == S::one() && x.offset.is_zero();
        let Some(known) = state.builder.law_of_node.get(&x.node).filter(|_| is_plain && seen.insert(x.node)) else {
            return Err(not_alone());
        };
        law_of.push(*places.entry(*known).or_insert_with(|| {
            laws.push(state.builder.laws[*known as usize].clone());
            laws.len() as u32 - 1
        }));
    }
    Ok(Belief::Skewed(Skewed { laws, law_of }))
}

/// `Empirical(values)`, or with `by=column` the values of each group.
fn empirical<S: Scalar>(
    state: &mut State<S>,
    values: Argument<'_, S>,
    by: Option<Argument<'_, S>>,
    index: &Index,
) -> Outcome<LawOfRow> {
    let at = |fault: Box<Fault>| fault.at_argument(values.index);
    let numbers: Vec<Option<f64>> = match values.value {
        Value::Series(series) => {
            if by.is_some() && !series.index.same(index) {
                return Err(at(Fault::new(Code::DifferentRows, "the values have other rows than the secret")));
            }
            let cells = column::cells(state, &series.column)?;
            let mut numbers = Vec::with_capacity(cells.len());
            for cell in &cells {
                numbers.push(one_number(state, cell).map_err(at)?);
            }
            numbers
        }
        Value::List(_) | Value::Tuple(_) | Value::Array(_) if by.is_none() => {
            let elements = containers::elements(state, values.value)?;
            let mut numbers = Vec::with_capacity(elements.len());
            for element in &elements {
                numbers.push(one_number(state, element).map_err(at)?);
            }
            numbers
        }
        other => {
            let message = format!("the values are {}", other.kind());
            let hint = "give a column of the table or, without `by=`, a list of numbers";
            return Err(at(Fault::hinted(Code::TypeMismatch, message, hint)));
        }
    };
    let Some(by) = by else {
        let law = empirical_law(numbers.iter().flatten().copied());
        let law = law.ok_or_else(|| at(Fault::new(Code::BadArgument, "there are no values")))?;
        return Ok(vec![Some(Rc::new(law)); index.len()]);
    };
    let Value::Series(group) = by.value else {
        let message = format!("`by` takes a column, not {}", by.value.kind());
        return Err(Fault::new(Code::TypeMismatch, message).at_argument(by.index));
    };
    if !group.index.same(index) {
        let fault = Fault::hinted(Code::DifferentRows, "`by` has different rows", "take it from the secret's table");
        return Err(fault.at_argument(by.index));
    }
    let grouped = grouping::group(state, std::slice::from_ref(group), true)?;
    let members = grouped.members();
    let laws: Vec<Option<Rc<Law>>> = (0..members.count())
        .map(|place| empirical_law(members.rows(place).iter().filter_map(|row| numbers[*row as usize])).map(Rc::new))
        .collect();
    Ok(grouped.codes.iter().map(|code| laws.get(*code as usize).cloned().flatten()).collect())
}

/// `Mixture([0.05, 0.95], [0, LogNormal(…)])`
fn mixture<S: Scalar>(
    state: &mut State<S>,
    weights: Argument<'_, S>,
    parts: Argument<'_, S>,
    index: &Index,
) -> Outcome<LawOfRow> {
    let in_weights = |fault: Box<Fault>| fault.at_argument(weights.index);
    let mut numbers = Vec::new();
    for element in containers::elements(state, weights.value).map_err(in_weights)? {
        match one_number(state, &element).map_err(in_weights)? {
            Some(weight) if (0.0..=1.0 + SUM_TOLERANCE).contains(&weight) => numbers.push(weight),
            _ => {
                let message = format!("a weight is {}", text::show(state, &element));
                return Err(in_weights(Fault::hinted(Code::BadProbability, message, "give numbers from 0 to 1")));
            }
        }
    }
    let elements = containers::elements(state, parts.value).map_err(|fault| fault.at_argument(parts.index))?;
    let sum: f64 = numbers.iter().sum();
    if !((sum - 1.0).abs() <= SUM_TOLERANCE) {
        let message = format!("the weights add up to {sum}, not to 1");
        return Err(in_weights(Fault::hinted(Code::BadProbability, message, "divide each by their sum")));
    }
    if elements.len() != numbers.len() {
        let message = format!("there are {} weights and {} components", numbers.len(), elements.len());
        return Err(Fault::new(Code::WrongArguments, message).at_argument(parts.index));
    }
    let mut of_rows: Vec<Option<Vec<Rc<Law>>>> = vec![Some(Vec::new()); index.len()];
    for part in &elements {
        let laws = component(state, part, index).map_err(|fault| fault.at_argument(parts.index))?;
        for (all, law) in of_rows.iter_mut().zip(laws) {
            match (all.as_mut(), law) {
                (Some(all), Some(law)) => all.push(law),
                _ => *all = None,
            }
        }
    }
    let mut known: HashMap<Vec<*const Law>, Rc<Law>> = HashMap::new();
    let mut mixed = |parts: &Vec<Rc<Law>>| {
        let weighted = || numbers.iter().zip(parts).map(|(weight, law)| (weight / sum, Law::clone(law))).collect();
        let key = parts.iter().map(Rc::as_ptr).collect();
        Rc::clone(known.entry(key).or_insert_with(|| Rc::new(Law::Mixture(weighted()))))
    };
    let laws: LawOfRow = of_rows.iter().map(|parts| parts.as_ref().map(&mut mixed)).collect();
    if known.values().any(|law| !law.is_supported()) {
        let message = "a mixture of densities has more than one value with a probability of its own";
        let hint = "keep one of the numbers, such as 0, or use values only: `Empirical([...])`";
        return Err(Fault::hinted(Code::BadProbability, message, hint).at_argument(parts.index));
    }
    Ok(laws)
}

/// A component of a mixture: a number, or a distribution.
fn component<S: Scalar>(state: &mut State<S>, part: &Value<S>, index: &Index) -> Outcome<LawOfRow> {
    let wrong = |what: &str| {
        let hint = "give numbers, and distributions such as `LogNormal(mean=450_000, std=200_000)`";
        Fault::hinted(Code::TypeMismatch, format!("a component is {what}"), hint)
    };
    let Value::Series(series) = part else {
        let value = one_number(state, part).map_err(|_| wrong(part.kind()))?;
        return match value {
            Some(value) => Ok(vec![Some(Rc::new(Law::Empirical(vec![(value, 1.0)]))); index.len()]),
            None => Err(wrong("missing")),
        };
    };
    if !series.index.same(index) {
        return Err(Fault::new(Code::DifferentRows, "a component has other rows than the secret"));
    }
    let variables: Vec<Option<Affine<S>>> = match &series.column {
        Column::Random(column) => (0..index.len()).map(|row| Some(column.get(row))).collect(),
        Column::Cells(cells) => {
            let ok = |cell: &Value<S>| matches!(cell, Value::Missing) || cell.as_random().is_some();
            if !cells.iter().all(ok) {
                return Err(wrong("a column of numbers"));
            }
            cells.iter().map(Value::as_random).collect()
        }
        other => return Err(wrong(&format!("a column of {}", other.kind()))),
    };
    let mut shared: HashMap<u32, Rc<Law>> = HashMap::new();
    let of = |x: Option<Affine<S>>| {
        let Some(x) = x else { return Ok(None) };
        if !(x.scale == S::one() && x.offset.is_zero()) {
            return Err(not_alone());
        }
        if let Some(place) = state.builder.law_of_node.get(&x.node) {
            let law = || Rc::new(state.builder.laws[*place as usize].clone());
            return Ok(Some(Rc::clone(shared.entry(*place).or_insert_with(law))));
        }
        let node = state.builder.network.node(x.node);
        let variance = node.noise_variance.to_f64();
        if !node.terms.is_empty() || !(variance > 0.0) {
            return Err(not_alone());
        }
        Ok(Some(Rc::new(Law::Normal { mean: node.constant.to_f64(), std_dev: variance.sqrt() })))
    };
    variables.into_iter().map(of).collect()
}

/// A number, or `None` if it is missing.
fn one_number<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Option<f64>> {
    if matches!(value, Value::Missing) {
        return Ok(None);
    }
    match state.number(value).and_then(|number| number.scalar()).map(|number| number.to_f64()) {
        Some(number) if number.is_finite() => Ok(Some(number)),
        _ => Err(Fault::new(Code::TypeMismatch, format!("{} is not a number", text::show(state, value)))),
    }
}

fn of_rows<S: Scalar>(
    state: &mut State<S>,
    what: &str,
    argument: Argument<'_, S>,
    index: &Index,
) -> Outcome<Parameter<S>> {
    prior::number_parameter(state, what, argument.value, index).map_err(|fault| fault.at_argument(argument.index))
}

fn two_parameters<S: Scalar>(
    state: &mut State<S>,
    chosen: &Chosen<'_, S>,
    index: &Index,
) -> Outcome<(Parameter<S>, Parameter<S>)> {
    let [first, second] = chosen.names;
    Ok((
        of_rows(state, &format!("`{first}`"), chosen.arguments[0], index)?,
        of_rows(state, &format!("`{second}`"), chosen.arguments[1], index)?,
    ))
}

/// One of two ways to give two parameters.
fn either_pair<'a, S: Scalar>(
    law: &str,
    names: [&'static str; 2],
    one: [Option<Argument<'a, S>>; 2],
    other_names: [&'static str; 2],
    other: [Option<Argument<'a, S>>; 2],
) -> Outcome<Chosen<'a, S>> {
    match (one, other) {
        ([Some(a), Some(b)], [None, None]) => Ok(Chosen { is_second: false, names, arguments: [a, b] }),
        ([None, None], [Some(a), Some(b)]) => Ok(Chosen { is_second: true, names: other_names, arguments: [a, b] }),
        _ => {
            let [a, b, c, d] = [names[0], names[1], other_names[0], other_names[1]];
            let message = format!("`{law}` needs `{a}` and `{b}`, or `{c}` and `{d}`");
            Err(Fault::hinted(Code::WrongArguments, message, "give two of them, by name"))
        }
    }
}

/// Which of two ways was chosen.
struct Chosen<'a, S> {
    is_second: bool,
    names: [&'static str; 2],
    arguments: [Argument<'a, S>; 2],
}

/// The law of every row from two parameters; or the first row, from 1, with bad ones.
fn rows<S: Scalar>(
    count: usize,
    first: &Parameter<S>,
    second: &Parameter<S>,
    is_good: impl Fn(f64, f64) -> bool,
    law: impl Fn(f64, f64) -> Law,
) -> Result<LawOfRow, usize> {
    let of = |row: usize| {
        let (Some(a), Some(b)) = (first.get(row), second.get(row)) else { return Ok(None) };
        let (a, b) = (a.to_f64(), b.to_f64());
        if is_good(a, b) && a.is_finite() && b.is_finite() { Ok(Some(Rc::new(law(a, b)))) } else { Err(row + 1) }
    };
    (0..count).map(of).collect()
}

fn bad_row(row: usize, needed: &str) -> Box<Fault> {
    Fault::new(Code::BadArgument, format!("the prior of row {row} needs {needed}"))
}

/// The distribution of values, each with the part of those that have it.
fn empirical_law(values: impl Iterator<Item = f64>) -> Option<Law> {
    let mut all: Vec<f64> = values.map(|value| value + 0.0).collect();
    all.sort_by(f64::total_cmp);
    let count = all.len() as f64;
    let mut law: Vec<(f64, f64)> = Vec::new();
    for value in all {
        match law.last_mut() {
            Some((last, number)) if *last == value => *number += 1.0,
            _ => law.push((value, 1.0)),
        }
    }
    law.iter_mut().for_each(|(_, number)| *number /= count);
    (!law.is_empty()).then_some(Law::Empirical(law))
}

fn not_alone() -> Box<Fault> {
    let message = "a prior that is not Gaussian is used in an expression, or shared between people";
    let hint = "write the distribution of the secret itself: people are independent under such a prior";
    Fault::hinted(Code::BadArgument, message, hint)
}
