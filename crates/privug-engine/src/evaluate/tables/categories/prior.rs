//! Discrete priors: `Bernoulli`, `Categorical`, `DiscreteUniform` and `Binomial` of a whole secret column.

use crate::sorting::CompactSort;
use std::collections::HashMap;
use std::rc::Rc;

use super::super::super::builtins::{Argument, Arguments, given};
use super::super::super::fault::{Fault, Outcome};
use super::super::super::state::State;
use super::super::super::value::Value;
use super::super::{Column, Index, Label, Series, not_of_groups};
use super::{ChoiceColumn, ChoiceSource};
use crate::evaluate::tables::categories;
use crate::evaluate::{builtins, containers, tables, text};
use crate::number::{Rational, Scalar};
use privug_language::diagnostic::Code;
use privug_language::program::Builtin;

/// Probabilities may miss 1 by so much, which the rounding of decimals explains.
const SUM_TOLERANCE: f64 = 1e-9;
/// A secret with more values is no category.
const MAX_VALUES: usize = 4096;

/// Distributions of some labels, and which of them each row has.
struct Laws<S> {
    labels: Vec<Label>,
    laws: Vec<Vec<S>>,
    law_of: Vec<u32>,
}

/// A discrete distribution for each row of a table.
pub(in super::super::super) fn discrete_column<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    arguments: &Arguments<'_, S>,
    index: Index,
) -> Outcome<Value<S>> {
    if index.sizes().is_some() {
        return Err(not_of_groups("a secret of categories"));
    }
    let count = index.len();
    tables::spend_rows(state, count)?;
    let laws = match builtin {
        Builtin::Bernoulli => {
            let [p] = arguments.bind("Bernoulli", ["p|probability"], 1, 1)?;
            let p = given(p)?;
            let of_row = probabilities(state, p, &index)?;
            let labels = vec![Label::Bool(false), Label::Bool(true)];
            let is_one = of_row.is_single();
            collected(labels, count, is_one, |row| vec![S::one().sub(of_row.get(row)), of_row.get(row).clone()])
        }
        Builtin::Categorical => {
            let [probabilities, by] = arguments.bind("Categorical", ["probabilities|p|probs", "by"], 1, 2)?;
            categorical_laws(state, given(probabilities)?, by, &index)?
        }
        Builtin::DiscreteUniform => {
            let [lower, upper] = arguments.bind("DiscreteUniform", ["lower|low", "upper|high"], 2, 2)?;
            let (lower, upper) = (integer_of(given(lower)?)?, integer_of(given(upper)?)?);
            let size = upper.checked_sub(lower).and_then(|size| size.checked_add(1)).unwrap_or(i64::MAX);
            if !(1..=MAX_VALUES as i64).contains(&size) {
                return Err(too_many(size.max(0) as usize));
            }
            let labels = (lower..=upper).map(Label::Int).collect();
            let each = S::one().div(&S::from_i64(size));
            collected(labels, count, true, |_| vec![each.clone(); size as usize])
        }
        Builtin::Binomial => {
            let [trials, p] = arguments.bind("Binomial", ["n", "p|probability"], 2, 2)?;
            let trials = integer_of(given(trials)?)?;
            let p = probabilities(state, given(p)?, &index)?;
            if !(0..MAX_VALUES as i64).contains(&trials) {
                return Err(too_many(trials.unsigned_abs() as usize + 1));
            }
            let labels = (0..=trials).map(Label::Int).collect();
            collected(labels, count, p.is_single(), |row| binomial_law(trials as usize, p.get(row)))
        }
        _ => {
            let message = "this distribution has infinitely many values, and cannot be the prior of a column";
            let hint = "give the probabilities of the values: `Categorical({0: 0.9, 1: 0.1})`";
            return Err(Fault::hinted(Code::BadProbability, message, hint));
        }
    };
    laid_out(state, laws, index)
}

/// A column of a new source with these distributions.
fn laid_out<S: Scalar>(state: &mut State<S>, laws: Laws<S>, index: Index) -> Outcome<Value<S>> {
    let Laws { labels, laws, law_of } = laws;
    if labels.len() > MAX_VALUES {
        return Err(too_many(labels.len()));
    }
    let mut order: Vec<usize> = (0..labels.len()).collect();
    order.sort_compact_by(|a, b| labels[*a].cmp(&labels[*b]));
    if let Some(twice) = order.windows(2).find(|pair| labels[pair[0]] == labels[pair[1]]) {
        let message = format!("`{}` has two probabilities", labels[twice[0]].show());
        return Err(Fault::new(Code::BadProbability, message));
    }
    let mut checked: Vec<Vec<f64>> = Vec::with_capacity(laws.len());
    let mut exact: Vec<Vec<Rational>> = Vec::new();
    for law in &laws {
        let whole = law.iter().fold(S::zero(), |sum, p| sum.add(p));
        let law_in_doubles: Vec<f64> = law.iter().map(S::to_f64).collect();
        let sum = whole.to_f64();
        if let Some(bad) = law_in_doubles.iter().find(|p| !(0.0..=1.0 + SUM_TOLERANCE).contains(*p)) {
            let message = format!("a probability is {bad}, not between 0 and 1");
            return Err(Fault::new(Code::BadProbability, message));
        }
        if !((sum - 1.0).abs() <= SUM_TOLERANCE) {
            let message = format!("the probabilities add up to {sum}, not to 1");
            return Err(Fault::hinted(Code::BadProbability, message, "divide each by their sum"));
        }
        let shares: Vec<S> = order.iter().map(|place| law[*place].div(&whole)).collect();
        checked.push(shares.iter().map(S::to_f64).collect());
        exact.extend(shares.iter().map(|share| share.exact_value().cloned()).collect::<Option<Vec<Rational>>>());
    }
    let labels: Vec<Label> = order.iter().map(|place| labels[*place].clone()).collect();
    let count = index.len();
    // One for each value but the first: that one is what is left.
    let indicators = count * labels.len().saturating_sub(1).max(1);
    tables::spend_bytes(state, indicators * size_of::<S>() + count * size_of::<u32>())?;
    let first_indicator = state.push_sources(indicators, &S::zero(), &S::one())?;
    let source =
        Rc::new(ChoiceSource { labels, laws: checked, exact_laws: exact, law_of, first_indicator, truths: None });
    let column: ChoiceColumn<S> = categories::choice_column(state, source, (0..count as u32).collect())?;
    Ok(Value::Series(Rc::new(Series { name: None, column: Column::Choices(Rc::new(column)), index })))
}

fn categorical_laws<S: Scalar>(
    state: &mut State<S>,
    probabilities: Argument<'_, S>,
    by: Option<Argument<'_, S>>,
    index: &Index,
) -> Outcome<Laws<S>> {
    let at = |fault: Box<Fault>| fault.at_argument(probabilities.index);
    let count = index.len();
    if let Some(by) = by {
        return laws_by_group(state, probabilities, by, index);
    }
    let (labels, weights): (Vec<Label>, Vec<Value<S>>) = match probabilities.value {
        Value::Dict(handle) => {
            let entries = state.heap.dict(*handle).entries.clone();
            let labels: Option<Vec<Label>> =
                entries.iter().map(|(key, _)| tables::frames::label_of(state, key)).collect();
            let labels =
                labels.ok_or_else(|| at(Fault::new(Code::BadProbability, "a value is neither a string nor a number")));
            (labels?, entries.into_iter().map(|(_, weight)| weight).collect())
        }
        Value::List(_) | Value::Tuple(_) | Value::Array(_) => {
            let weights = containers::elements(state, probabilities.value)?;
            ((0..weights.len() as i64).map(Label::Int).collect(), weights)
        }
        Value::Series(series) if matches!(&series.index, Index::Keys(keys) if keys.scalar) => {
            let Index::Keys(keys) = &series.index else { return Err(at(no_probabilities(probabilities.value))) };
            let labels = keys.labels.iter().map(|key| key[0].clone()).collect();
            (labels, tables::column::cells(state, &series.column)?)
        }
        other => return Err(at(no_probabilities(other))),
    };
    if labels.is_empty() {
        return Err(at(Fault::new(Code::BadProbability, "there are no probabilities")));
    }
    let mut of_value = Vec::with_capacity(weights.len());
    for weight in &weights {
        let argument = Argument { value: weight, index: probabilities.index };
        of_value.push(self::probabilities(state, argument, index)?);
    }
    let is_one = of_value.iter().all(Probabilities::is_single);
    Ok(collected(labels, count, is_one, |row| of_value.iter().map(|p| p.get(row).clone()).collect()))
}

/// `Categorical(table, by=column)`: a row of probabilities for each group, or a figure for each group and value.
fn laws_by_group<S: Scalar>(
    state: &mut State<S>,
    table: Argument<'_, S>,
    by: Argument<'_, S>,
    index: &Index,
) -> Outcome<Laws<S>> {
    let at = |fault: Box<Fault>| fault.at_argument(table.index);
    let Value::Series(group) = by.value else {
        let message = format!("`by` takes a column, not {}", by.value.kind());
        return Err(Fault::new(Code::TypeMismatch, message).at_argument(by.index));
    };
    if !group.index.same(index) {
        let fault = Fault::hinted(Code::DifferentRows, "`by` has different rows", "take it from the secret's table");
        return Err(fault.at_argument(by.index));
    }
    let mut entries: Vec<(Label, Label, S)> = Vec::new();
    let mut enter = |state: &mut State<S>, group: &Label, value: &Label, weight: &Value<S>| -> Outcome<()> {
        let p = match weight {
            Value::Missing => S::zero(),
            weight => builtins::vectors::parameter(state, "the probability", weight).map_err(at)?.settled(),
        };
        entries.push((group.clone(), value.clone(), p));
        Ok(())
    };
    match table.value {
        Value::Frame(handle) => {
            let frame = tables::frame(state, *handle).clone();
            let Index::Keys(keys) = frame.index.clone() else { return Err(at(no_probabilities(table.value))) };
            for position in 0..frame.columns.len() {
                let column = tables::frames::frame_column(state, &frame, position)?;
                let cells = tables::column::cells(state, &column.column)?;
                let [value] = frame.columns[position].label.as_slice() else {
                    return Err(at(no_probabilities(table.value)));
                };
                for (key, cell) in keys.labels.iter().zip(&cells) {
                    enter(state, &key[0], value, cell)?;
                }
            }
        }
        Value::Series(series) => {
            let Index::Keys(keys) = &series.index else { return Err(at(no_probabilities(table.value))) };
            let cells = tables::column::cells(state, &series.column)?;
            for (key, cell) in keys.labels.iter().zip(&cells) {
                let [group, value] = key.as_slice() else { return Err(at(no_probabilities(table.value))) };
                enter(state, group, value, cell)?;
            }
        }
        other => return Err(at(no_probabilities(other))),
    }
    let mut labels: Vec<Label> = entries.iter().map(|(_, value, _)| value.clone()).collect();
    labels.sort();
    labels.dedup();
    let mut laws: Vec<Vec<S>> = Vec::new();
    let mut places: HashMap<Label, u32> = HashMap::new();
    for (group, value, p) in &entries {
        let place = *places.entry(group.clone()).or_insert_with(|| {
            laws.push(vec![S::zero(); labels.len()]);
            laws.len() as u32 - 1
        });
        if let Ok(code) = labels.binary_search(value) {
            let sum = &mut laws[place as usize][code];
            *sum = sum.add(p);
        }
    }
    let mut law_of = Vec::with_capacity(index.len());
    for row in 0..index.len() {
        let label = tables::column::row_label(state, group, row)?;
        let place = label.as_ref().and_then(|label| places.get(label));
        let Some(place) = place else {
            let shown = label.map_or("nothing".to_owned(), |label| format!("`{}`", label.show()));
            let message = format!("row {} has {shown} there, which the table has no probabilities for", row + 1);
            return Err(Fault::new(Code::BadProbability, message).at_argument(by.index));
        };
        law_of.push(*place);
    }
    Ok(Laws { labels, laws, law_of })
}

/// A probability for all rows, or one for each.
fn probabilities<S: Scalar>(
    state: &mut State<S>,
    argument: Argument<'_, S>,
    index: &Index,
) -> Outcome<Probabilities<S>> {
    let at = |fault: Box<Fault>| fault.at_argument(argument.index);
    let Value::Series(series) = argument.value else {
        let p = builtins::vectors::parameter(state, "the probability", argument.value).map_err(at)?;
        return Ok(Probabilities::Single(p.settled()));
    };
    if !series.index.same(index) {
        let hint = "use columns of the secret's table";
        return Err(at(Fault::hinted(Code::DifferentRows, "a probability has other rows than the secret", hint)));
    }
    let mut rows = Vec::with_capacity(series.len());
    for row in 0..series.len() {
        let cell = tables::column::cell(state, &series.column, row)?;
        let number = state.number(&cell).and_then(|number| number.scalar());
        match number.filter(|p| (0.0..=1.0).contains(&p.to_f64())) {
            Some(p) => rows.push(p.settled()),
            None => {
                let message = format!("the probability in row {} is {}", row + 1, text::show(state, &cell));
                return Err(at(Fault::hinted(Code::BadProbability, message, "give a number from 0 to 1")));
            }
        }
    }
    Ok(Probabilities::Rows(rows))
}

fn integer_of<S: Scalar>(argument: Argument<'_, S>) -> Outcome<i64> {
    match argument.value.plain() {
        Value::Int(value) => Ok(value),
        other => {
            let message = format!("this is {}, not an integer", other.kind());
            Err(Fault::new(Code::TypeMismatch, message).at_argument(argument.index))
        }
    }
}

/// The law of each row, equal ones once. Where `is_one`, all rows have that of the first.
fn collected<S: Scalar>(labels: Vec<Label>, count: usize, is_one: bool, law: impl Fn(usize) -> Vec<S>) -> Laws<S> {
    if is_one {
        return Laws { labels, laws: if count > 0 { vec![law(0)] } else { Vec::new() }, law_of: vec![0; count] };
    }
    // Rationals that are the same double need not be the same.
    let key = |law: &[S]| -> (Vec<u64>, Option<Vec<String>>) {
        (law.iter().map(|p| p.to_f64().to_bits()).collect(), law.iter().map(S::to_exact_string).collect())
    };
    let mut known: HashMap<(Vec<u64>, Option<Vec<String>>), u32> = HashMap::new();
    let (mut laws, mut law_of) = (Vec::new(), Vec::with_capacity(count));
    for row in 0..count {
        let law = law(row);
        law_of.push(*known.entry(key(&law)).or_insert_with(|| {
            laws.push(law);
            laws.len() as u32 - 1
        }));
    }
    Laws { labels, laws, law_of }
}

/// One probability for all rows, or one for each.
enum Probabilities<S> {
    Single(S),
    Rows(Vec<S>),
}

impl<S> Probabilities<S> {
    fn get(&self, row: usize) -> &S {
        match self {
            Probabilities::Single(p) => p,
            Probabilities::Rows(rows) => &rows[row],
        }
    }

    fn is_single(&self) -> bool {
        matches!(self, Probabilities::Single(_))
    }
}

/// The binomial distribution: in rationals as it is, in doubles so that nothing underflows.
fn binomial_law<S: Scalar>(n: usize, p: &S) -> Vec<S> {
    if !S::EXACT {
        return binomial(n, p.to_f64()).into_iter().map(|p| S::from_f64(p).unwrap_or_else(S::zero)).collect();
    }
    let not = S::one().sub(p);
    let mut ways = S::one();
    let mut law = Vec::with_capacity(n + 1);
    for k in 0..=n {
        law.push(ways.mul(&p.powi(k as i32)).mul(&not.powi((n - k) as i32)));
        ways = ways.mul(&S::from_i64((n - k) as i64)).div(&S::from_i64(k as i64 + 1));
    }
    law
}

/// C(n, k)·pᵏ·(1 − p)ⁿ⁻ᵏ for k from 0, each from the one before, starting where it is largest.
fn binomial(n: usize, p: f64) -> Vec<f64> {
    if p == 0.0 || p == 1.0 {
        return (0..=n).map(|k| f64::from(u8::from(k == if p == 0.0 { 0 } else { n }))).collect();
    }
    let odds = p / (1.0 - p);
    let mode = (((n + 1) as f64 * p) as usize).min(n);
    let mut law = vec![0.0; n + 1];
    law[mode] = 1.0;
    for k in mode..n {
        law[k + 1] = law[k] * odds * (n - k) as f64 / (k + 1) as f64;
    }
    for k in (0..mode).rev() {
        law[k] = law[k + 1] / odds * (k + 1) as f64 / (n - k) as f64;
    }
    let sum: f64 = law.iter().sum();
    law.iter().map(|p| (p / sum).max(f64::MIN_POSITIVE)).collect()
}

fn too_many(count: usize) -> Box<Fault> {
    let message = format!("a secret with {count} values is no category");
    let hint = "give it at most 4096 values, or a Gaussian prior";
    Fault::hinted(Code::BadProbability, message, hint)
}

fn no_probabilities<S: Scalar>(value: &Value<S>) -> Box<Fault> {
    let message = format!("the probabilities are {}", value.kind());
    let hint = "give a dictionary `{\"a\": 0.2, \"b\": 0.8}`, `disease.value_counts(normalize=True)`, or a table of \
                probabilities with `by=column`";
    Fault::hinted(Code::BadProbability, message, hint)
}

#[cfg(test)]
mod tests {
    use super::binomial;

    #[test]
    fn binomial_probabilities_are_those_of_the_formula() {
        let law = binomial(4, 0.25);
        for (p, wanted) in law.iter().zip([81.0, 108.0, 54.0, 12.0, 1.0]) {
            assert!((p - wanted / 256.0).abs() < 1e-15);
        }
        assert_eq!((binomial(2, 0.0), binomial(2, 1.0)), (vec![1.0, 0.0, 0.0], vec![0.0, 0.0, 1.0]));
        assert!(binomial(4000, 0.5).iter().all(|p| *p > 0.0));
    }
}
