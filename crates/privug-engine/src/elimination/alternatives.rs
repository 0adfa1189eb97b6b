//! Where what was seen, or will be published, is one of several things that exclude each other: each is answered on its
//! own, and the answers are put together by how likely each is.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::counts::{Found, People, discrete, joint};
use super::lattice::Unsolved;
use super::seen::Way;
use super::{Accuracy, Distribution, Joint, Refusal, SecretDistributions, windows};
use crate::choices::Mass;
use crate::evaluate::{Answer, ChoiceModel};
use crate::number::Scalar;

/// Probabilities of answers in one way, times the ways.
const MAX_WORK: usize = 20_000_000;

/// What is known about one secret on one way.
struct OnWay<S> {
    outputs: Box<[u32]>,
    evidence: Mass<S>,
    secrets: Vec<Rc<SecretDistributions<S>>>,
}

/// What is known about all secrets; `None` if it is not found like this.
pub(super) fn answer<S: Scalar>(model: &mut ChoiceModel<S>, ways: Vec<Way>) -> Result<Option<Found<S>>, Refusal<S>> {
    if ways.len().saturating_mul(model.secrets.len()) > MAX_WORK {
        return Err(Refusal::TooWide);
    }
    let steps = windows::MAX_STEPS / ways.len().max(1) as u64;
    let is_open = model.outputs.iter().any(|output| !output.observed);
    let mut found: Vec<OnWay<S>> = Vec::new();
    for way in ways {
        let people = match People::read(model, &way.seen) {
            Ok(Some(people)) => people,
            Ok(None) => return Ok(None),
            Err(Refusal::Contradiction(_)) => continue,
            Err(refusal) => return Err(refusal),
        };
        let (known, evidence) = match people.posteriors(model, &way.seen, Some(steps)) {
            Ok(known) => known,
            Err(Unsolved::Refused(Refusal::Contradiction(_))) => continue,
            Err(Unsolved::Other) => return Ok(None),
            Err(Unsolved::Refused(refusal)) => return Err(refusal),
        };
        let Some(evidence) = evidence else { return Ok(None) };
        let secrets = people.classes_of_secrets.iter().map(|class| Rc::clone(&known.classes[*class as usize]));
        found.push(OnWay { outputs: way.outputs, evidence, secrets: secrets.collect() });
    }
    if found.is_empty() {
        return Err(Refusal::Contradiction(None));
    }
    let total = found.iter().fold(Mass::zero(), |sum, way| sum.add(&way.evidence));
    let mut known: HashMap<Vec<usize>, Rc<SecretDistributions<S>>> = HashMap::new();
    let mut classes = Vec::with_capacity(model.secrets.len());
    for number in 0..model.secrets.len() {
        let alike: Vec<usize> = found.iter().map(|way| Rc::as_ptr(&way.secrets[number]) as usize).collect();
        let together = match known.get(&alike) {
            Some(together) => Rc::clone(together),
            None => {
                let together = Rc::new(together(model, &found, number, &total, is_open));
                known.insert(alike, Rc::clone(&together));
                together
            }
        };
        classes.push(together);
    }
    Ok(Some(Found { classes, ln_evidence: total.ln() }))
}

/// What is known about one secret on all ways together.
fn together<S: Scalar>(
    model: &ChoiceModel<S>,
    found: &[OnWay<S>],
    number: usize,
    total: &Mass<S>,
    is_open: bool,
) -> SecretDistributions<S> {
    let mut posterior: Vec<(Answer<S>, Mass<S>)> = Vec::new();
    let mut rows: BTreeMap<Box<[u32]>, Vec<(Answer<S>, Mass<S>)>> = BTreeMap::new();
    let add = |sums: &mut Vec<(Answer<S>, Mass<S>)>, answer: &Answer<S>, mass: &Mass<S>| match sums
        .iter_mut()
        .find(|(known, _)| known == answer)
    {
        Some((_, sum)) => *sum = sum.add(mass),
        None => sums.push((answer.clone(), mass.clone())),
    };
    let mut relative_error = 0.0f64;
    for way in found {
        let secret = &way.secrets[number];
        relative_error = relative_error.max(match secret.accuracy {
            Accuracy::Exact { relative_error } | Accuracy::Certified { relative_error, .. } => relative_error,
        });
        let Distribution::Discrete(values) = &secret.posterior else { continue };
        for (answer, p) in values {
            let mass = Mass::of(p.clone()).mul(&way.evidence).div(total);
            add(&mut posterior, answer, &mass);
            if is_open {
                add(rows.entry(way.outputs.clone()).or_default(), answer, &mass);
            }
        }
    }
    // The evidence of each way is as far off as its probabilities; sums and quotients follow.
    let roundings = (found.len() + 8) as f64 * f64::EPSILON;
    let relative_error = if S::EXACT { 0.0 } else { 4.0 * relative_error + roundings };
    let prior = found[0].secrets[number].prior.clone();
    SecretDistributions {
        posterior: discrete(posterior.iter().map(|(answer, mass)| (answer, mass.scalar()))),
        clouds: None,
        joint: is_open.then(|| Box::new(of_rows(model, &rows, &prior))),
        prior,
        accuracy: Accuracy::Exact { relative_error },
    }
}

fn of_rows<S: Scalar>(
    model: &ChoiceModel<S>,
    rows: &BTreeMap<Box<[u32]>, Vec<(Answer<S>, Mass<S>)>>,
    prior: &Distribution<S>,
) -> Joint<S> {
    let published = |outputs: &[u32]| outputs.iter().map(|leaf| model.answers[*leaf as usize].clone()).collect();
    let rows = rows.iter().map(|(outputs, row)| (published(outputs), row.clone())).collect();
    let before = match prior {
        Distribution::Discrete(values) => values.clone(),
        Distribution::Mixture(_) => Vec::new(),
    };
    joint(model, rows, &before)
}
