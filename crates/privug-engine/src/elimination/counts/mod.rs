//! Where all that was seen are sums over independent people, everybody is answered at once.
//!
//! People with the same distribution who add the same to the same sums are one class. What is known about one of them is
//! worked out once for each class, however many there are.

mod alike;
mod apart;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::lattice::{self, Allowed, Block, Unsolved};
use super::owners::Owners;
use super::seen::{self, Seen, SeenSum, Ways};
use super::{
    Accuracy, Asked, Distribution, Eliminated, Joint, KindOfTwo, KnownSecret, OfTwo, Refusal, SecretDistributions,
    TRUNCATED, UNIT, alternatives, answer_questions, distribution::joint_probability, order, sums, threshold_error,
};
use crate::choices::{Diagram, Law, Mass};
use crate::counts::{self, Scaled};
use crate::evaluate::{Answer, ChoiceModel, NamedChoice};
use crate::network::Network;
use crate::number::{Constants, Scalar};
use crate::posterior;
use alike::Building;
use privug_language::source::Span;

/// What is known about all secrets, if nothing was seen or will be published but sums; `None` if there is more to it.
///
/// Questions about few people are further secrets; where they are about more, they are looked at one by one.
pub(super) fn answer_everybody<S: Scalar>(
    network: &Network<S>,
    model: &mut ChoiceModel<S>,
    options: &posterior::Options,
) -> Result<Option<Eliminated<S>>, Refusal<S>> {
    let own = model.secrets.len();
    if !model.questions.is_empty() {
        let question = |value: &Diagram| NamedChoice {
            name: String::new(),
            span: Span::START,
            value: *value,
            observed: false,
            range: None,
        };
        let questions: Vec<NamedChoice> = model.questions.iter().map(question).collect();
        model.secrets.extend(questions);
        let found = answer_secrets(model);
        model.secrets.truncate(own);
        if let Ok(Some(mut found)) = found {
            let is_open = model.is_open();
            let answered = found.secrets.split_off(own).into_iter();
            let answer = |found: KnownSecret<S>| {
                let found = found.distributions();
                Asked {
                    before: found.prior.clone(),
                    after: (!is_open).then(|| found.posterior.clone()),
                    accuracy: found.accuracy,
                }
            };
            return Ok(Some(Eliminated { questions: answered.map(answer).collect(), ..found }));
        }
    }
    let Some(found) = answer_secrets(model)? else { return Ok(None) };
    Ok(Some(Eliminated { questions: answer_questions(network, model, options)?, ..found }))
}

/// The same without the questions.
fn answer_secrets<S: Scalar>(model: &mut ChoiceModel<S>) -> Result<Option<Eliminated<S>>, Refusal<S>> {
    let eliminated = |secrets: Vec<KnownSecret<S>>, log_evidence_nats: f64| Eliminated {
        secrets,
        log_evidence_nats,
        certain_won: false,
        questions: Vec::new(),
    };
    let seen = match seen::read(model) {
        None => return Ok(None),
        Some(Ways::One(seen)) => seen,
        Some(Ways::Several(ways)) => {
            let found = alternatives::answer(model, ways)?;
            let shared = |found: Found<S>| {
                let secrets = found.classes.into_iter().map(KnownSecret::Shared).collect();
                eliminated(secrets, found.ln_evidence)
            };
            return Ok(found.map(shared));
        }
    };
    if let Some((secrets, ln_evidence)) = apart::answer(model, &seen)? {
        return Ok(Some(eliminated(secrets, ln_evidence)));
    }
    let Some(people) = People::read(model, &seen)? else { return Ok(None) };
    let found = match &seen.open {
        Some(output) => people.channels(model, *output)?,
        None => match people.posteriors(model, &seen, None) {
            Ok((found, _)) => found,
            Err(Unsolved::Other) => return Ok(None),
            Err(Unsolved::Refused(refusal)) => return Err(refusal),
        },
    };
    let of_class = |class: &u32| KnownSecret::Shared(Rc::clone(&found.classes[*class as usize]));
    let secrets = people.classes_of_secrets.iter().map(of_class).collect();
    Ok(Some(eliminated(secrets, found.ln_evidence)))
}

/// Where the probabilities of choices are themselves certified only (the normal distribution function, a distribution that
/// was cut off), so are those of sums: each is a sum of products of one share for each person.
fn certified<S: Scalar>(
    model: &ChoiceModel<S>,
    people: &People<S>,
    found: Rc<SecretDistributions<S>>,
) -> Rc<SecretDistributions<S>> {
    let has_thresholds = model.laws.iter().any(|law| matches!(law, Law::Threshold { .. }));
    let is_cut = !model.truncated.is_empty();
    if !has_thresholds && !is_cut {
        return found;
    }
    let count: u64 = people.classes.iter().map(|class| class.count).sum();
    let (mut relative_error, mut absolute_error) = match found.accuracy {
        Accuracy::Exact { relative_error } => (relative_error, 0.0),
        Accuracy::Certified { relative_error, absolute_error } => (relative_error, absolute_error),
    };
    if has_thresholds {
        let terms = model.sums.values().flat_map(|sum| sum.terms.iter());
        let of_one = terms.map(|(term, _)| threshold_error(model, &[*term])).fold(0.0, f64::max);
        relative_error += 2.0 * of_one * count as f64;
    }
    if is_cut {
        absolute_error += TRUNCATED * count as f64;
    }
    let accuracy = Accuracy::Certified { relative_error, absolute_error };
    Rc::new(SecretDistributions { accuracy, ..(*found).clone() })
}

/// What one person can add to the sums: which sum, and how much.
type Contribution = Vec<(u32, i64)>;

/// People who are alike.
struct Class<S> {
    contributions: Vec<(Contribution, Mass<S>)>,
    count: u64,
}

/// A secret of people who are alike.
struct SecretClass<S> {
    class: u32,
    prior: Vec<(u32, Mass<S>)>,
    /// For each contribution: how likely the secret is what, together with it.
    joint: Vec<Vec<(u32, Mass<S>)>>,
}

/// Everybody, by class.
pub(super) struct People<S> {
    classes: Vec<Class<S>>,
    secrets: Vec<SecretClass<S>>,
    /// The class of each secret.
    pub(super) classes_of_secrets: Vec<u32>,
}

/// What is found about each class of secrets.
pub(super) struct Found<S> {
    pub(super) classes: Vec<Rc<SecretDistributions<S>>>,
    pub(super) ln_evidence: f64,
}

/// A term of a sum: which sum, what is added, and how many times.
#[derive(Clone, Copy)]
struct Term {
    owner: u32,
    sum: u32,
    diagram: Diagram,
    factor: i64,
}

impl<S: Scalar> People<S> {
    pub(super) fn read(model: &mut ChoiceModel<S>, seen: &Seen) -> Result<Option<Self>, Refusal<S>> {
        let mut owners = Owners::new(model.laws.len());
        let mut terms: Vec<Term> = Vec::new();
        for (place, sum) in seen.sums.iter().enumerate() {
            let mut all = sum.terms.clone();
            for (answer, factor) in &sum.answers {
                if model.laws[*answer as usize].listed().is_none() {
                    return Ok(None);
                }
                all.push((sums::spelled_out(model, *answer)?, *factor));
            }
            terms.reserve(all.len());
            for (diagram, factor) in all {
                let Some(owner) = owners.join(model, diagram) else { return Ok(None) };
                terms.push(Term { owner, sum: place as u32, diagram, factor });
            }
        }
        let mut secrets: Vec<(u32, u32)> = Vec::with_capacity(model.secrets.len());
        for (number, secret) in model.secrets.iter().enumerate() {
            let leaves_are_plain = |leaf: &u32| !matches!(model.answers[*leaf as usize], Answer::Gaussian(_));
            let is_plain = match single(model, secret.value) {
                Some(_) => {
                    let edges = model.diagrams.edges(secret.value).iter();
                    edges.filter_map(|(_, to)| to.as_leaf()).all(|leaf| leaves_are_plain(&leaf))
                }
                None => model.diagrams.leaves_of(secret.value).iter().all(leaves_are_plain),
            };
            let Some(owner) = owners.join(model, secret.value) else { return Ok(None) };
            if !is_plain {
                return Ok(None);
            }
            secrets.push((owner, number as u32));
        }
        for term in &mut terms {
            term.owner = owners.root(term.owner);
        }
        for (owner, _) in &mut secrets {
            *owner = owners.root(*owner);
        }
        let mut facts: HashMap<u32, Diagram> = HashMap::new();
        for (choice, event) in &seen.facts {
            let so_far = facts.entry(owners.root(*choice)).or_insert(Diagram::TRUE);
            *so_far = model.diagrams.and(*so_far, *event)?;
        }
        terms.sort_by_key(|term| term.owner);
        secrets.sort_unstable();
        Self::classify(model, &terms, &secrets, &mut facts, &owners).map(Some)
    }

    /// Puts people who are alike together. Terms and secrets are in the order of whom they belong to.
    fn classify(
        model: &mut ChoiceModel<S>,
        terms: &[Term],
        secrets: &[(u32, u32)],
        facts: &mut HashMap<u32, Diagram>,
        owners: &Owners,
    ) -> Result<Self, Refusal<S>> {
        let mut people = Building::new();
        let mut classes_of_secrets = vec![0u32; secrets.len()];
        let (mut next_term, mut next_secret) = (0, 0);
        let mut key = Vec::new();
        loop {
            let owner = match (terms.get(next_term), secrets.get(next_secret)) {
                (Some(term), Some((owner, _))) => term.owner.min(*owner),
                (Some(term), None) => term.owner,
                (None, Some((owner, _))) => *owner,
                (None, None) => break,
            };
            let term_end = next_term + terms[next_term..].iter().take_while(|term| term.owner == owner).count();
            let secret_end = next_secret + secrets[next_secret..].iter().take_while(|(own, _)| *own == owner).count();
            let (own_terms, own_secrets) = (&terms[next_term..term_end], &secrets[next_secret..secret_end]);
            (next_term, next_secret) = (term_end, secret_end);
            let event = facts.remove(&owner).unwrap_or(Diagram::TRUE);
            // People with one choice each are recognised without working anything out.
            let is_quick = event == Diagram::TRUE
                && owners.is_alone(owner)
                && own_secrets.len() <= 1
                && people.quick_key(model, owner, own_terms, own_secrets, &mut key);
            if is_quick && let Some((class, secret_class)) = people.quick.get(&key).copied() {
                people.classes[class as usize].count += 1;
                if let [(_, number)] = own_secrets {
                    classes_of_secrets[*number as usize] = secret_class;
                }
                continue;
            }
            let class = people.class(model, event, own_terms)?;
            people.classes[class as usize].count += 1;
            let mut last = 0;
            for (_, number) in own_secrets {
                last = people.secret(model, event, own_terms, class, model.secrets[*number as usize].value)?;
                classes_of_secrets[*number as usize] = last;
            }
            if is_quick {
                people.quick.insert(key.clone(), (class, last));
            }
        }
        // What was seen of people who are in no sum.
        for (_, event) in facts.drain() {
            let class = people.class(model, event, &[])?;
            people.classes[class as usize].count += 1;
        }
        Ok(People { classes: people.classes, secrets: people.secrets, classes_of_secrets })
    }

    /// What is known about each class when sums were seen.
    ///
    /// With `weighs`, everybody is gone through in so many steps, so that the probability of what was seen is known as a
    /// number.
    pub(super) fn posteriors(
        &self,
        model: &ChoiceModel<S>,
        seen: &Seen,
        weighs: Option<u64>,
    ) -> Result<(Found<S>, Option<Mass<S>>), Unsolved<S>> {
        let mut ln_evidence = 0.0;
        let mut evidence = Some(Mass::one());
        let mut posteriors: Vec<Vec<S>> = vec![Vec::new(); self.classes.len()];
        let exact = if S::EXACT { 0.0 } else { 8.0 * UNIT };
        let mut bounds: Vec<(f64, Option<f64>)> = vec![(exact, None); self.classes.len()];
        let mut asked = vec![false; self.classes.len()];
        self.secrets.iter().for_each(|secret| asked[secret.class as usize] = true);
        let mut together = Owners::new(seen.sums.len());
        for class in &self.classes {
            let mut sums = class.contributions.iter().flat_map(|(contribution, _)| contribution).map(|(sum, _)| *sum);
            if let Some(first) = sums.next() {
                sums.for_each(|sum| together.unite(first, sum));
            }
        }
        // The classes of each part that hangs together; those that add to no sum are alone.
        let mut parts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for sum in 0..seen.sums.len() as u32 {
            parts.entry(together.root(sum)).or_default();
        }
        for (number, class) in self.classes.iter().enumerate() {
            let first = class.contributions.iter().find_map(|(contribution, _)| contribution.first());
            match first {
                Some((sum, _)) => parts.entry(together.root(*sum)).or_default().push(number),
                None => {
                    let mass = &class.contributions[0].1;
                    if mass.is_zero() {
                        return Err(Unsolved::Refused(Refusal::Contradiction(None)));
                    }
                    ln_evidence += class.count as f64 * mass.ln();
                    evidence = evidence.map(|evidence| (0..class.count).fold(evidence, |all, _| all.mul(mass)));
                    posteriors[number] = vec![S::one()];
                }
            }
        }
        for (root, members) in parts {
            let sums: Vec<u32> = (0..seen.sums.len() as u32).filter(|sum| together.root(*sum) == root).collect();
            let places: HashMap<u32, usize> = sums.iter().enumerate().map(|(place, sum)| (*sum, place)).collect();
            let allowed: Vec<Allowed> = sums
                .iter()
                .map(|sum| {
                    let SeenSum { number, allowed, .. } = &seen.sums[*sum as usize];
                    allowed.iter().map(|(low, high)| (low - number, high - number)).collect()
                })
                .collect();
            let block = |number: &usize| {
                let class = &self.classes[*number];
                let dense = |contribution: &Contribution| {
                    let mut vector = vec![0; sums.len()];
                    contribution.iter().for_each(|(sum, value)| vector[places[sum]] = *value);
                    vector
                };
                let contributions = class.contributions.iter().map(|(c, mass)| (dense(c), mass.clone())).collect();
                Block { contributions, count: class.count, is_asked: asked[*number] }
            };
            let blocks: Vec<Block<S>> = members.iter().map(block).collect();
            let solved = match weighs {
                Some(steps) => lattice::in_windows(&blocks, &allowed, steps)?,
                None => lattice::solve(&blocks, &allowed)?,
            };
            ln_evidence += solved.ln_evidence;
            evidence = evidence.zip(solved.evidence).map(|(all, one)| all.mul(&one));
            for (number, posterior) in members.iter().zip(solved.posteriors) {
                posteriors[*number] = posterior;
                bounds[*number] = (solved.relative_error + exact, solved.bound);
            }
        }
        let found = self.secrets.iter().map(|secret| {
            let class = secret.class as usize;
            let mut after: Vec<(u32, S)> = Vec::new();
            for ((joint, p), (_, whole)) in
                secret.joint.iter().zip(&posteriors[class]).zip(&self.classes[class].contributions)
            {
                after.extend(joint.iter().map(|(leaf, mass)| (*leaf, mass.div(whole).scalar().mul(p))));
            }
            let prior = secret.prior.iter().map(|(leaf, mass)| (*leaf, mass.scalar())).collect();
            Rc::new(SecretDistributions {
                prior: discrete(of_leaves(model, prior).into_iter()),
                posterior: discrete(of_leaves(model, after).into_iter()),
                clouds: None,
                joint: None,
                accuracy: Accuracy::of_counts(bounds[class].0, bounds[class].1),
            })
        });
        let classes = found.map(|found| certified(model, self, found)).collect();
        Ok((Found { classes, ln_evidence }, evidence))
    }

    /// The joint distribution of each class of secrets and a sum that will be published.
    fn channels(&self, model: &ChoiceModel<S>, output: Diagram) -> Result<Found<S>, Refusal<S>> {
        let sum = model.diagrams.choice(output).and_then(|choice| model.sums.get(&choice)).ok_or(Refusal::TooWide)?;
        let mut lines: Vec<Line<S>> = Vec::with_capacity(self.classes.len());
        let mut start = sum.number - sum.low;
        let mut ln_evidence = 0.0;
        for class in &self.classes {
            let line = Line::new(class)?;
            start += line.low * class.count as i64;
            ln_evidence += class.count as f64 * line.total.ln();
            lines.push(line);
        }
        let work = counts::work(lines.iter().map(|line| (line.law.len() as u64, line.count)));
        if work.saturating_mul(self.secrets.len() as u64) > MAX_CHANNEL_WORK {
            return Err(Refusal::TooWide);
        }
        let rounding = counts::rounding(lines.iter().map(|line| (line.law.len() as u64, line.count)));
        let mut classes = Vec::with_capacity(self.secrets.len());
        for secret in &self.secrets {
            let own = secret.class as usize;
            let others = others(&lines, own);
            let edges = model.diagrams.edges(output);
            // For each leaf of the output and of the secret, the probability.
            let mut rows: BTreeMap<u32, BTreeMap<u32, Mass<S>>> = BTreeMap::new();
            let mut after: BTreeMap<u32, Mass<S>> = BTreeMap::new();
            for (joint, (contribution, _)) in secret.joint.iter().zip(&self.classes[own].contributions) {
                let added = contribution.first().map_or(0, |(_, value)| *value) - lines[own].low;
                for (leaf, mass) in joint {
                    let mass = mass.div(&lines[own].total);
                    after.entry(*leaf).and_modify(|sum| *sum = sum.add(&mass)).or_insert_with(|| mass.clone());
                    for (rest, share) in others.iter().enumerate().filter(|(_, share)| !share.is_zero()) {
                        let answer = start + added + rest as i64;
                        let edge = edges.partition_point(|(bound, _)| *bound < answer);
                        let Some(to) = edges.get(edge).and_then(|(_, to)| to.as_leaf()) else { continue };
                        let share = share.mul(&mass);
                        let cell = rows.entry(to).or_default().entry(*leaf);
                        cell.and_modify(|sum| *sum = sum.add(&share)).or_insert(share);
                    }
                }
            }
            let prior = secret.prior.iter().map(|(leaf, mass)| (*leaf, mass.scalar())).collect();
            classes.push(Rc::new(SecretDistributions {
                prior: discrete(of_leaves(model, prior).into_iter()),
                posterior: discrete(after.iter().map(|(leaf, mass)| (&model.answers[*leaf as usize], mass.scalar()))),
                clouds: None,
                joint: Some(Box::new(self.joint_of(model, rows, secret))),
                accuracy: Accuracy::of_counts(if S::EXACT { 0.0 } else { rounding }, None),
            }));
        }
        let classes = classes.into_iter().map(|found| certified(model, self, found)).collect();
        Ok(Found { classes, ln_evidence })
    }
}

impl<S: Scalar> People<S> {
    fn joint_of(
        &self,
        model: &ChoiceModel<S>,
        rows: BTreeMap<u32, BTreeMap<u32, Mass<S>>>,
        secret: &SecretClass<S>,
    ) -> Joint<S> {
        let answer = |leaf: &u32| model.answers[*leaf as usize].clone();
        let cells = |row: BTreeMap<u32, Mass<S>>| row.into_iter().map(|(leaf, mass)| (answer(&leaf), mass)).collect();
        let rows = rows.into_iter().map(|(output, row)| (vec![answer(&output)], cells(row))).collect();
        let prior: Vec<(Answer<S>, S)> =
            secret.prior.iter().map(|(leaf, mass)| (answer(leaf), mass.scalar())).collect();
        joint(model, rows, &prior)
    }
}

/// What people who are alike can add to the only sum.
struct Line<S> {
    low: i64,
    /// The probabilities of `low`, `low` + 1, …
    law: Vec<S>,
    count: u64,
    /// How likely is what was seen of one of them.
    total: Mass<S>,
}

impl<S: Scalar> Line<S> {
    fn new(class: &Class<S>) -> Result<Self, Refusal<S>> {
        let total = class.contributions.iter().fold(Mass::zero(), |sum, (_, mass)| sum.add(mass));
        let value = |contribution: &Contribution| contribution.first().map_or(0, |(_, value)| *value);
        let values = class.contributions.iter().map(|(contribution, _)| value(contribution));
        let (low, high) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
        let width = high.checked_sub(low).filter(|width| *width < MAX_WIDTH).ok_or(Refusal::TooWide)?;
        let mut law = vec![S::zero(); width as usize + 1];
        for (contribution, mass) in &class.contributions {
            law[(value(contribution) - low) as usize] = mass.div(&total).scalar();
        }
        Ok(Line { low, law, count: class.count, total })
    }
}

/// The distribution of what all but one of a kind add.
fn others<S: Scalar>(lines: &[Line<S>], own: usize) -> Vec<Mass<S>> {
    let left = lines.iter().enumerate().map(|(place, line)| (line, line.count - u64::from(place == own)));
    let left = left.filter(|(line, count)| *count > 0 && line.law.len() > 1);
    if S::EXACT {
        let summands: Vec<(Vec<Mass<S>>, u64)> =
            left.map(|(line, count)| (line.law.iter().cloned().map(Mass::of).collect(), count)).collect();
        return counts::product::distribution(&summands);
    }
    let kinds: Vec<(Vec<f64>, u64)> =
        left.map(|(line, count)| (line.law.iter().map(Constants::to_f64).collect(), count)).collect();
    let mass = |share: Scaled| {
        let (value, exponent) = share.parts();
        Mass::new(S::from_f64(value).unwrap_or_else(S::zero), exponent)
    };
    counts::distribution(&kinds).into_iter().map(mass).collect()
}

/// A row of a channel: what is published, and how likely each value of the secret is together with it.
pub(super) type Row<S> = (Vec<Answer<S>>, Vec<(Answer<S>, Mass<S>)>);

/// The channel with these rows.
pub(super) fn joint<S: Scalar>(model: &ChoiceModel<S>, mut rows: Vec<Row<S>>, prior: &[(Answer<S>, S)]) -> Joint<S> {
    let mut secrets: Vec<Answer<S>> = Vec::new();
    for answer in rows.iter().flat_map(|(_, row)| row.iter().map(|(answer, _)| answer)) {
        if !secrets.contains(answer) {
            secrets.push(answer.clone());
        }
    }
    secrets.sort_by(order);
    rows.sort_by(|(a, _), (b, _)| {
        a.iter().zip(b).map(|(a, b)| order(a, b)).fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    let of = |row: &[(Answer<S>, Mass<S>)], secret: &Answer<S>| {
        let cells = row.iter().filter(|(answer, _)| answer == secret);
        cells.fold(Mass::zero(), |sum, (_, mass)| sum.add(mass))
    };
    let mut probabilities = Vec::with_capacity(rows.len());
    for (_, row) in &rows {
        let total = row.iter().fold(Mass::zero(), |sum, (_, mass)| sum.add(mass));
        probabilities.push(secrets.iter().map(|secret| joint_probability(&of(row, secret), &total)).collect());
    }
    let names = model.outputs.iter().filter(|output| !output.observed).map(|output| output.name.clone()).collect();
    let before = |secret: &Answer<S>| {
        let of_secret = prior.iter().filter(|(answer, _)| answer == secret);
        of_secret.fold(S::zero(), |sum, (_, p)| sum.add(p))
    };
    Joint {
        prior: secrets.iter().map(before).collect(),
        components: Some(vec![None; secrets.len()]),
        secrets,
        outputs: rows.into_iter().map(|(outputs, _)| outputs).collect(),
        names,
        probabilities,
        of_sides: false,
    }
}

/// Multiplications for all channels together.
const MAX_CHANNEL_WORK: u64 = 1 << 33;
/// Values that one person can add.
const MAX_WIDTH: i64 = 1 << 22;

/// The choice of a diagram that asks one and no more.
pub(super) fn single<S: Scalar>(model: &ChoiceModel<S>, diagram: Diagram) -> Option<u32> {
    model.diagrams.single(diagram).map(|(choice, _)| choice)
}

/// Leaves as what they stand for.
fn of_leaves<S: Scalar>(model: &ChoiceModel<S>, leaves: Vec<(u32, S)>) -> Vec<(&Answer<S>, S)> {
    leaves.into_iter().map(|(leaf, p)| (&model.answers[leaf as usize], p)).collect()
}

/// Probabilities of values, equal ones together, in the order of the values.
pub(super) fn discrete<'a, S: Scalar + 'a>(values: impl Iterator<Item = (&'a Answer<S>, S)>) -> Distribution<S> {
    let mut merged: Vec<(Answer<S>, S)> = Vec::with_capacity(values.size_hint().0);
    for (answer, p) in values {
        match merged.iter_mut().find(|(other, _)| other == answer) {
            Some((_, sum)) => *sum = sum.add(&p),
            None if p.is_zero() => {}
            None => merged.push((answer.clone(), p)),
        }
    }
    merged.sort_by(|(a, _), (b, _)| order(a, b));
    Distribution::Discrete(merged)
}
