//! Which people are alike: the same distribution, and the same added to the same sums.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::{Class, Contribution, SecretClass, Term};
use crate::choices::{DEAD, Diagram, Law, Mass, masses};
use crate::elimination::Refusal;
use crate::evaluate::ChoiceModel;
use crate::number::Scalar;

/// People who are being told apart.
pub(super) struct Building<S> {
    pub(super) classes: Vec<Class<S>>,
    known_classes: HashMap<ClassKey, u32>,
    pub(super) secrets: Vec<SecretClass<S>>,
    /// The class and the secret's class of people with one choice, by what they look like.
    pub(super) quick: HashMap<Vec<u64>, (u32, u32)>,
    /// Numbers of distributions.
    laws: HashMap<LawKey, u64>,
    /// The distribution that was asked for last: people who were made together share it.
    last_law: Option<(Rc<[S]>, u64)>,
}

/// What a distribution is told apart by: its doubles, or its ratios.
#[derive(PartialEq, Eq, Hash)]
enum LawKey {
    Doubles(Vec<u64>),
    Ratios(String),
}

/// What a class is told apart by: contributions, each with the doubles of its probability, or all of it spelled out.
#[derive(PartialEq, Eq, Hash)]
enum ClassKey {
    Doubles(Vec<(Contribution, u64, i64)>),
    Ratios(String),
}

impl ClassKey {
    fn of<S: Scalar>(found: &[(Contribution, Mass<S>)]) -> Self {
        if S::EXACT {
            return ClassKey::Ratios(format!("{found:?}"));
        }
        let parts = found.iter().map(|(contribution, mass)| {
            let (value, exponent) = mass.parts();
            (contribution.clone(), value.to_f64().to_bits(), exponent)
        });
        ClassKey::Doubles(parts.collect())
    }
}

impl<S: Scalar> Building<S> {
    /// Nobody yet.
    pub(super) fn new() -> Self {
        Building {
            classes: Vec::new(),
            known_classes: HashMap::new(),
            secrets: Vec::new(),
            quick: HashMap::new(),
            laws: HashMap::new(),
            last_law: None,
        }
    }

    /// What a person with one choice looks like; false if it has to be worked out.
    pub(super) fn quick_key(
        &mut self,
        model: &ChoiceModel<S>,
        choice: u32,
        terms: &[Term],
        secrets: &[(u32, u32)],
        key: &mut Vec<u64>,
    ) -> bool {
        key.clear();
        let Law::Finite(probabilities) = &model.laws[choice as usize] else { return false };
        key.push(self.law(probabilities));
        for term in terms {
            let Some((_, shape)) = model.diagrams.single(term.diagram) else { return false };
            key.extend([u64::from(term.sum), term.factor as u64, u64::from(shape.number())]);
        }
        for (_, number) in secrets {
            let Some((_, shape)) = model.diagrams.single(model.secrets[*number as usize].value) else { return false };
            key.extend([u64::MAX, u64::from(shape.number())]);
        }
        true
    }

    /// The number of a distribution.
    fn law(&mut self, probabilities: &Rc<[S]>) -> u64 {
        if let Some((last, number)) = &self.last_law
            && Rc::ptr_eq(last, probabilities)
        {
            return *number;
        }
        let key = if S::EXACT {
            let ratios: Vec<String> = probabilities.iter().filter_map(Scalar::to_exact_string).collect();
            LawKey::Ratios(ratios.join(" "))
        } else {
            LawKey::Doubles(probabilities.iter().map(|p| p.to_f64().to_bits()).collect())
        };
        let next = self.laws.len() as u64;
        let number = *self.laws.entry(key).or_insert(next);
        self.last_law = Some((Rc::clone(probabilities), number));
        number
    }

    /// The class of people with these terms.
    pub(super) fn class(
        &mut self,
        model: &mut ChoiceModel<S>,
        event: Diagram,
        terms: &[Term],
    ) -> Result<u32, Refusal<S>> {
        let mut found: BTreeMap<Contribution, Mass<S>> = BTreeMap::new();
        for (contribution, _, mass) in worked_out(model, event, terms, Diagram::TRUE)? {
            found.entry(contribution).and_modify(|sum| *sum = sum.add(&mass)).or_insert(mass);
        }
        if found.is_empty() {
            return Err(Refusal::Contradiction(None));
        }
        let mut found: Vec<(Contribution, Mass<S>)> = found.into_iter().collect();
        // One that adds nothing is told apart from one that is in no sum by being there twice at most.
        found.shrink_to_fit();
        let key = ClassKey::of(&found);
        let next = self.classes.len() as u32;
        let class = *self.known_classes.entry(key).or_insert(next);
        if class == next {
            self.classes.push(Class { contributions: found, count: 0 });
        }
        Ok(class)
    }

    /// The class of a secret of a person.
    pub(super) fn secret(
        &mut self,
        model: &mut ChoiceModel<S>,
        event: Diagram,
        terms: &[Term],
        class: u32,
        secret: Diagram,
    ) -> Result<u32, Refusal<S>> {
        let prior = masses(&model.diagrams, &model.laws, secret);
        let mut joint = vec![Vec::new(); self.classes[class as usize].contributions.len()];
        for (contribution, leaf, mass) in worked_out(model, event, terms, secret)? {
            let contributions = &self.classes[class as usize].contributions;
            if let Ok(place) = contributions.binary_search_by(|(other, _)| other.cmp(&contribution)) {
                joint[place].push((leaf, mass));
            }
        }
        self.secrets.push(SecretClass { class, prior, joint });
        Ok(self.secrets.len() as u32 - 1)
    }
}

/// What a person adds, together with what the secret is, and how likely that is.
fn worked_out<S: Scalar>(
    model: &mut ChoiceModel<S>,
    event: Diagram,
    terms: &[Term],
    secret: Diagram,
) -> Result<Vec<(Contribution, u32, Mass<S>)>, Refusal<S>> {
    if let Some(found) = of_one_choice(model, event, terms, secret)? {
        return Ok(found);
    }
    let mut factors: Vec<Diagram> = vec![secret];
    factors.extend(terms.iter().map(|term| term.diagram));
    let (product, tuples) = model.diagrams.product(event, &factors)?;
    let mut found = Vec::with_capacity(tuples.len());
    for (leaf, mass) in masses(&model.diagrams, &model.laws, product) {
        if leaf == DEAD || mass.is_zero() {
            continue;
        }
        let tuple = &tuples[leaf as usize];
        let mut sums: BTreeMap<u32, i64> = BTreeMap::new();
        for (term, leaf) in terms.iter().zip(&tuple[1..]) {
            let value = model.integer(*leaf).checked_mul(term.factor).ok_or(Refusal::TooWide)?;
            let sum = sums.entry(term.sum).or_insert(0);
            *sum = sum.checked_add(value).ok_or(Refusal::TooWide)?;
        }
        found.push((sums.into_iter().collect(), tuple[0], mass));
    }
    Ok(found)
}

/// Choices with more answers are not gone through one by one.
const FEW_ANSWERS: usize = 64;

/// The same where one choice with few answers decides about all: they are gone through.
fn of_one_choice<S: Scalar>(
    model: &ChoiceModel<S>,
    event: Diagram,
    terms: &[Term],
    secret: Diagram,
) -> Result<Option<Vec<(Contribution, u32, Mass<S>)>>, Refusal<S>> {
    let Some(choice) = terms.first().and_then(|term| model.diagrams.choice(term.diagram)) else { return Ok(None) };
    let is_of_it = |diagram: Diagram| match model.diagrams.single(diagram) {
        Some((other, _)) => other == choice,
        None => diagram.as_leaf().is_some(),
    };
    let Law::Finite(probabilities) = &model.laws[choice as usize] else { return Ok(None) };
    let is_large = probabilities.len() > FEW_ANSWERS;
    if is_large || event != Diagram::TRUE || !is_of_it(secret) || !terms.iter().all(|term| is_of_it(term.diagram)) {
        return Ok(None);
    }
    let leaf_at = |diagram: Diagram, answer: i64| {
        let edges = model.diagrams.edges(diagram);
        let to = edges.get(edges.partition_point(|(bound, _)| *bound < answer)).map_or(diagram, |(_, to)| *to);
        to.as_leaf().ok_or(Refusal::TooWide)
    };
    let mut found: Vec<(Contribution, u32, Mass<S>)> = Vec::with_capacity(probabilities.len());
    for (answer, p) in probabilities.iter().enumerate().filter(|(_, p)| !p.is_zero()) {
        let mut contribution: Contribution = Vec::with_capacity(terms.len());
        for term in terms {
            let value = model.integer(leaf_at(term.diagram, answer as i64)?);
            let value = value.checked_mul(term.factor).ok_or(Refusal::TooWide)?;
            match contribution.iter_mut().find(|(sum, _)| *sum == term.sum) {
                Some((_, sum)) => *sum = sum.checked_add(value).ok_or(Refusal::TooWide)?,
                None => contribution.push((term.sum, value)),
            }
        }
        contribution.sort_unstable();
        let (leaf, mass) = (leaf_at(secret, answer as i64)?, Mass::of(p.clone()));
        match found.iter_mut().find(|(known, of, _)| *of == leaf && *known == contribution) {
            Some((_, _, sum)) => *sum = sum.add(&mass),
            None => found.push((contribution, leaf, mass)),
        }
    }
    Ok(Some(found))
}
