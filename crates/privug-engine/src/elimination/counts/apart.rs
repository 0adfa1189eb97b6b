//! Very many people with two answers each who add to one sum: only their probabilities are looked at.
//!
//! The general way tells people apart by all that they add to all sums. Here that is one probability, so that a million
//! different people are a list of doubles.

use std::rc::Rc;

use rayon::slice::ParallelSliceMut;

use super::super::seen::Seen;
use super::super::{Accuracy, Refusal, SecretDistributions, UNIT};
use super::{KindOfTwo, KnownSecret, OfTwo, discrete, order};
use crate::choices::{Diagram, Law};
use crate::counts;
use crate::evaluate::ChoiceModel;
use crate::number::Scalar;
use crate::threads;

/// With fewer people the general way is as quick.
const MANY: usize = 5000;

/// What a person with one choice of two answers adds.
struct Person {
    /// What is added at least.
    low: i64,
    /// How likely no more is added, and how likely one more.
    law: [f64; 2],
    /// The answer with which it is.
    high_answer: usize,
    /// What the two probabilities add up to.
    total: f64,
}

/// What is known about all secrets, and the logarithm of the probability of what was seen.
type Known<S> = (Vec<KnownSecret<S>>, f64);

/// The same when one sum was seen; `None` if there is more to it.
pub(super) fn answer<S: Scalar>(model: &ChoiceModel<S>, seen: &Seen) -> Result<Option<Known<S>>, Refusal<S>> {
    let [sum] = &seen.sums[..] else { return Ok(None) };
    let [(value, highest)] = sum.allowed[..] else { return Ok(None) };
    let is_one_sum = value == highest && seen.open.is_none() && seen.facts.is_empty() && sum.answers.is_empty();
    if S::EXACT || !is_one_sum || sum.terms.len() < MANY || !model.truncated.is_empty() {
        return Ok(None);
    }
    // By choice: where the person is in the list, or nobody.
    let mut places = vec![u32::MAX; model.laws.len()];
    let mut people: Vec<Person> = Vec::with_capacity(sum.terms.len());
    let (mut least, mut ln_totals) = (sum.number, 0.0);
    for (diagram, factor) in &sum.terms {
        let Some((choice, person)) = person(model, *diagram, *factor) else { return Ok(None) };
        let place = &mut places[choice as usize];
        let Some(sum) = least.checked_add(person.low).filter(|_| *place == u32::MAX) else { return Ok(None) };
        least = sum;
        *place = people.len() as u32;
        if person.total != 1.0 {
            ln_totals += person.total.ln();
        }
        people.push(person);
    }
    let mut secrets = Vec::with_capacity(model.secrets.len());
    for secret in &model.secrets {
        let owner = model.diagrams.single(secret.value).map(|(choice, _)| places[choice as usize]);
        match owner.filter(|owner| *owner != u32::MAX) {
            Some(owner) => secrets.push(owner),
            None => return Ok(None),
        }
    }
    let (kinds, kind_of) = kinds(&people);
    // Where many are alike, the general way finds out more about them.
    if kinds.len() < people.len() / 4 {
        return Ok(None);
    }
    let mut asked = vec![false; kinds.len()];
    secrets.iter().for_each(|place| asked[kind_of[*place as usize] as usize] = true);
    let Some(ones) = value.checked_sub(least) else { return Ok(None) };
    let Ok(known) = counts::given_sum_of(&kinds, ones, &asked) else { return Ok(None) };
    let Some(known) = known else { return Err(Refusal::Contradiction(None)) };
    // Two roundings of each probability, and those of the general way.
    let relative_error = known.relative_error + 24.0 * UNIT;
    let bound = known.bound.map(|bound| bound + 8.0 * UNIT);
    let accuracy = Accuracy::of_counts(relative_error, bound);
    let mut found = Vec::with_capacity(secrets.len());
    // The leaves of the last secret, and what it has in common with the next.
    let mut last: Option<([u32; 2], Rc<KindOfTwo<S>>)> = None;
    for (secret, place) in model.secrets.iter().zip(&secrets) {
        let person = &people[*place as usize];
        let posterior = &known.posteriors[kind_of[*place as usize] as usize];
        let Some((choice, _)) = model.diagrams.single(secret.value) else { return Ok(None) };
        let Law::Finite(prior) = &model.laws[choice as usize] else { return Ok(None) };
        let [Some(first), Some(second)] = [0, 1].map(|answer| leaf_at(model, secret.value, answer)) else {
            return Ok(None);
        };
        let leaves = [first, second];
        let answers = leaves.map(|leaf| &model.answers[leaf as usize]);
        let share = |answer: usize| S::from_f64(posterior[usize::from(answer == person.high_answer)]);
        let before = [prior[0].clone(), prior[1].clone()];
        let after = [0, 1].map(|answer| share(answer).unwrap_or_else(S::zero));
        if answers[0] == answers[1] || after.iter().any(S::is_zero) {
            found.push(KnownSecret::Shared(Rc::new(SecretDistributions {
                prior: discrete(answers.into_iter().zip(before)),
                posterior: discrete(answers.into_iter().zip(after)),
                clouds: None,
                joint: None,
                accuracy,
            })));
            continue;
        }
        let is_turned = order(answers[0], answers[1]).is_gt();
        let in_order = |pair: [S; 2]| if is_turned { turned(pair) } else { pair };
        let kind = match &last {
            Some((known, kind)) if *known == leaves => Rc::clone(kind),
            _ => {
                let values = answers.map(Clone::clone);
                let values = if is_turned { turned(values) } else { values };
                Rc::new(KindOfTwo { values, accuracy })
            }
        };
        last = Some((leaves, Rc::clone(&kind)));
        found.push(KnownSecret::OfTwo(OfTwo { kind, prior: in_order(before), posterior: in_order(after) }));
    }
    Ok(Some((found, known.ln_probability + ln_totals)))
}

fn turned<T>([first, second]: [T; 2]) -> [T; 2] {
    [second, first]
}

/// Different pairs of probabilities and how many people have them, and which of them each person has.
fn kinds(people: &[Person]) -> (Vec<([f64; 2], u64)>, Vec<u32>) {
    let key = |(place, person): (usize, &Person)| (person.law.map(f64::to_bits), place as u32);
    let mut sorted: Vec<([u64; 2], u32)> = people.iter().enumerate().map(key).collect();
    threads::within(|| sorted.par_sort_unstable());
    let mut kinds: Vec<([f64; 2], u64)> = Vec::with_capacity(people.len());
    let mut kind_of = vec![0; people.len()];
    let mut last = None;
    for (law, place) in sorted {
        match kinds.last_mut().filter(|_| last == Some(law)) {
            Some((_, count)) => *count += 1,
            None => kinds.push((law.map(f64::from_bits), 1)),
        }
        last = Some(law);
        kind_of[place as usize] = kinds.len() as u32 - 1;
    }
    (kinds, kind_of)
}

/// The choice of a term and what its person adds, if it is one of two answers, with which sums differ by 1.
fn person<S: Scalar>(model: &ChoiceModel<S>, diagram: Diagram, factor: i64) -> Option<(u32, Person)> {
    let (choice, _) = model.diagrams.single(diagram)?;
    let Law::Finite(probabilities) = &model.laws[choice as usize] else { return None };
    let [a, b] = &probabilities[..] else { return None };
    let (a, b) = (a.to_f64(), b.to_f64());
    let added = |answer| model.integer(leaf_at(model, diagram, answer)?).checked_mul(factor);
    let (first, second) = (added(0)?, added(1)?);
    if a <= 0.0 || b <= 0.0 || first.checked_sub(second)?.unsigned_abs() != 1 {
        return None;
    }
    let total = a + b;
    let (low, law, high_answer) = if first < second { (first, [a, b], 1) } else { (second, [b, a], 0) };
    let law = law.map(|p| p / total);
    Some((choice, Person { low, law, high_answer, total }))
}

/// The leaf of a diagram that asks one choice, for one of its answers.
fn leaf_at<S: Scalar>(model: &ChoiceModel<S>, diagram: Diagram, answer: usize) -> Option<u32> {
    let edges = model.diagrams.edges(diagram);
    let to = edges.get(edges.partition_point(|(bound, _)| *bound < answer as i64)).map(|(_, to)| *to)?;
    to.as_leaf()
}
