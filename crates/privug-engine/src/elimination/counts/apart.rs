//! Very many people with two answers each who add to one sum: only their probabilities are looked at.
//!
//! The general way tells people apart by all that they add to all sums. Here that is one probability, so that a million
//! different people are a list of doubles.

use std::rc::Rc;

use super::super::seen::Seen;
use super::super::{Accuracy, Refusal, SecretDistributions, UNIT};
use super::{Found, discrete};
use crate::choices::{Diagram, Law};
use crate::counts;
use crate::evaluate::ChoiceModel;
use crate::number::Scalar;

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

/// What is known about all secrets when one sum was seen; `None` if there is more to it.
pub(super) fn answer<S: Scalar>(model: &ChoiceModel<S>, seen: &Seen) -> Result<Option<Found<S>>, Refusal<S>> {
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
    // Equal probabilities are one kind.
    let key = |person: &Person| person.law.map(f64::to_bits);
    let mut different: Vec<[u64; 2]> = people.iter().map(key).collect();
    different.sort_unstable();
    let mut kinds: Vec<(Vec<f64>, u64)> = Vec::new();
    for (place, law) in different.iter().enumerate() {
        match kinds.last_mut().filter(|_| place > 0 && different[place - 1] == *law) {
            Some((_, count)) => *count += 1,
            None => kinds.push((law.map(f64::from_bits).to_vec(), 1)),
        }
    }
    // Where many are alike, the general way finds out more about them.
    if kinds.len() < people.len() / 4 {
        return Ok(None);
    }
    different.dedup();
    let kind_of = |place: u32| different.binary_search(&key(&people[place as usize])).unwrap_or(0);
    let mut asked = vec![false; kinds.len()];
    secrets.iter().for_each(|place| asked[kind_of(*place)] = true);
    let Some(ones) = value.checked_sub(least) else { return Ok(None) };
    let Ok(known) = counts::given_sum_of(&kinds, ones, &asked) else { return Ok(None) };
    let Some(known) = known else { return Err(Refusal::Contradiction(None)) };
    // Two roundings of each probability, and those of the general way.
    let relative_error = known.relative_error + 24.0 * UNIT;
    let bound = known.bound.map(|bound| bound + 8.0 * UNIT);
    let mut classes = Vec::with_capacity(secrets.len());
    for (secret, place) in model.secrets.iter().zip(&secrets) {
        let person = &people[*place as usize];
        let posterior = &known.posteriors[kind_of(*place)];
        let Some((choice, _)) = model.diagrams.single(secret.value) else { return Ok(None) };
        let Law::Finite(prior) = &model.laws[choice as usize] else { return Ok(None) };
        let [Some(first), Some(second)] = [0, 1].map(|answer| leaf_at(model, secret.value, answer)) else {
            return Ok(None);
        };
        let answers = [&model.answers[first as usize], &model.answers[second as usize]];
        let share = |answer: usize| S::from_f64(posterior[usize::from(answer == person.high_answer)]);
        let before = [prior[0].clone(), prior[1].clone()];
        let after = [0, 1].map(|answer| share(answer).unwrap_or_else(S::zero));
        classes.push(Rc::new(SecretDistributions {
            prior: discrete(answers.into_iter().zip(before)),
            posterior: discrete(answers.into_iter().zip(after)),
            clouds: None,
            joint: None,
            accuracy: Accuracy::of_counts(relative_error, bound),
        }));
    }
    Ok(Some(Found { classes, ln_evidence: known.ln_probability + ln_totals }))
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
