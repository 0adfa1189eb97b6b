//! From a run with choices to what is known about its secrets: variable elimination over choices, sums and Gaussians.
//!
//! Worlds in which the same Gaussian values were seen are one class: its probability is added up over the diagram, its
//! density comes from conditioning the network once. Everything is a sum of products of numbers that are not negative.

mod alternatives;
mod classes;
mod clouds;
mod counts;
mod distribution;
mod intervals;
mod lattice;
mod orders;
mod owners;
mod seen;
mod sums;
mod threshold;
mod windows;

use std::collections::HashMap;
use std::rc::Rc;

use crate::choices::{Diagram, Law, Mass, NodeMap, Swept, TooWide, sweep, unrank};
use crate::evaluate::{Answer, ChoiceModel, NamedChoice};
use crate::network::Network;
use crate::number::Scalar;
use crate::posterior;
use classes::Classes;
pub use clouds::{Cloud, Clouds};
pub use distribution::{LEAST_OUTPUT, order};
use intervals::intervals;
use privug_language::source::Span;

/// What is known about one secret, before and after.
#[derive(Debug, Clone)]
pub struct SecretDistributions<S> {
    /// Before anything was seen.
    pub prior: Distribution<S>,
    /// After what was seen.
    pub posterior: Distribution<S>,
    /// With what will be published and has no value yet; `None` if there is nothing, or if it is not discrete.
    pub joint: Option<Box<Joint<S>>>,
    /// The same where outputs are Gaussian; `None` if none is, or if there are too many classes of worlds.
    pub clouds: Option<Box<Clouds<S>>>,
    /// How the probabilities were obtained.
    pub accuracy: Accuracy,
}

/// What is known about a secret.
#[derive(Debug, Clone)]
pub enum KnownSecret<S> {
    /// The same as about all that are like it.
    Shared(Rc<SecretDistributions<S>>),
    /// Two probabilities: of very many people who are all different.
    OfTwo(OfTwo<S>),
}

/// What is known about a secret that is one of two values when all that is published was seen.
#[derive(Debug, Clone)]
pub struct OfTwo<S> {
    /// What it has in common with others.
    pub kind: Rc<KindOfTwo<S>>,
    /// How likely each value was before.
    pub prior: [S; 2],
    /// And after what was seen; none is impossible.
    pub posterior: [S; 2],
}

/// What secrets of two values have in common.
#[derive(Debug)]
pub struct KindOfTwo<S> {
    /// The values, in their order.
    pub values: [Answer<S>; 2],
    /// How the probabilities were obtained.
    pub accuracy: Accuracy,
}

impl<S: Scalar> KnownSecret<S> {
    /// Both distributions, written out.
    pub fn distributions(&self) -> Rc<SecretDistributions<S>> {
        match self {
            KnownSecret::Shared(found) => Rc::clone(found),
            KnownSecret::OfTwo(OfTwo { kind, prior, posterior }) => {
                let of = |p: &[S; 2]| Distribution::Discrete(kind.values.iter().cloned().zip(p.clone()).collect());
                let (prior, posterior) = (of(prior), of(posterior));
                Rc::new(SecretDistributions { prior, posterior, joint: None, clouds: None, accuracy: kind.accuracy })
            }
        }
    }
}

/// How probabilities were obtained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Accuracy {
    /// Sums of products of the given probabilities: as rationals exactly; in doubles each is off by at most the relative
    /// bound.
    Exact {
        /// 0 in rationals.
        relative_error: f64,
    },
    /// Densities, the normal distribution function, a distribution that was cut off or a Fourier sum enter: each probability
    /// is off by at most both bounds together, in rationals as well.
    Certified {
        /// A share of each probability.
        relative_error: f64,
        /// The same for all.
        absolute_error: f64,
    },
}

/// The probability that distributions without an end are cut off at.
pub const TRUNCATED: f64 = 1e-290;

impl Accuracy {
    /// That of sums over people: exact unless a bound says how far off each probability can be.
    fn of_counts(relative_error: f64, bound: Option<f64>) -> Self {
        match bound {
            None => Accuracy::Exact { relative_error },
            Some(absolute_error) => Accuracy::Certified { relative_error, absolute_error },
        }
    }
}

impl<S> Distribution<S> {
    /// Whether there is only one value that it can be. This is decided by what is possible, never by a probability that
    /// was rounded to 1.
    pub fn is_certain(&self) -> bool
    where
        S: Scalar,
    {
        match self {
            Distribution::Discrete(values) => values.len() == 1 && !matches!(values[0].0, Answer::Range(..)),
            Distribution::Mixture(parts) => parts.len() == 1 && parts[0].variance.is_zero(),
        }
    }
}

/// A distribution.
#[derive(Debug, Clone, PartialEq)]
pub enum Distribution<S> {
    /// Values and their probabilities.
    Discrete(Vec<(Answer<S>, S)>),
    /// Gaussian variables, one of which it is; possibly cut off.
    Mixture(Vec<Component<S>>),
}

/// One part of a mixture.
#[derive(Debug, Clone, PartialEq)]
pub struct Component<S> {
    /// How likely it is this one.
    pub weight: S,
    /// Its mean, before it is cut off.
    pub mean: S,
    /// Its variance, before it is cut off; 0 for a number.
    pub variance: S,
    /// It lies above this.
    pub low: f64,
    /// And not above this.
    pub high: f64,
}

/// The joint distribution of a secret and of what will be published, given what was seen.
#[derive(Debug, Clone)]
pub struct Joint<S> {
    /// What the secret can be. Of a Gaussian variable: on which side of the thresholds it lies.
    pub secrets: Vec<Answer<S>>,
    /// What can be published.
    pub outputs: Vec<Vec<Answer<S>>>,
    /// The names of the outputs.
    pub names: Vec<String>,
    /// Probabilities: for each output, of each secret.
    pub probabilities: Vec<Vec<S>>,
    /// The probability of each secret before anything was seen.
    pub prior: Vec<S>,
    /// Mean and variance of each secret that is Gaussian; `None` if they depend on Gaussian values that were seen.
    pub components: Option<Vec<Option<(S, S)>>>,
    /// Whether secrets are sides of thresholds.
    pub of_sides: bool,
}

/// All that elimination finds.
#[derive(Debug, Clone)]
pub struct Eliminated<S> {
    /// What is known about each secret.
    pub secrets: Vec<KnownSecret<S>>,
    /// The logarithm of the probability, or probability density, of what was seen.
    pub log_evidence_nats: f64,
    /// Whether worlds in which a value is certain have won over worlds in which it is one of a continuum.
    pub certain_won: bool,
    /// What questions are about.
    pub questions: Vec<Asked<S>>,
}

/// The distribution of what a question is about.
#[derive(Debug, Clone)]
pub struct Asked<S> {
    /// Before anything was seen.
    pub before: Distribution<S>,
    /// After what was seen; `None` where outputs have no value yet.
    pub after: Option<Distribution<S>>,
    /// How the probabilities were obtained.
    pub accuracy: Accuracy,
}

/// Half the distance of 1 to the next double.
const UNIT: f64 = f64::EPSILON / 2.0;

/// How far off the shares of thresholds in a diagram are together, relatively: Φ is good to a few units in the last place,
/// and moves by z² times the rounding of a threshold z. A mean that was rounded moves z by its last digit, in standard
/// deviations. `docs/proofs/choices.md` has the proof.
fn threshold_error<S: Scalar>(model: &ChoiceModel<S>, diagrams: &[Diagram]) -> f64 {
    let mut error = 0.0;
    for node in diagrams.iter().flat_map(|diagram| model.diagrams.nodes_of(*diagram)) {
        let law = model.diagrams.choice(node).map(|choice| &model.laws[choice as usize]);
        if let Some(Law::Threshold { normal, .. }) = law {
            for z in model.diagrams.edges(node).iter().map(|(bound, _)| normal.z_score(unrank(*bound))) {
                let moved = normal.mean().abs() / normal.std_dev();
                error += if z.is_finite() { 8.0 * UNIT * (8.0 + z * z + moved * (1.0 + z.abs())) } else { 0.0 };
            }
        }
    }
    error
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal<S> {
    /// Too many combinations.
    TooWide,
    /// What was seen cannot have happened: where, if it is about a Gaussian value.
    Contradiction(Option<Span>),
    /// A Gaussian variable that was compared enters something else.
    Entangled(Span),
    /// Conditioning a class of worlds was refused.
    Conditioning(posterior::Refusal<S>, Span),
    /// What is published or asked for is, in some worlds, something that has random values in it.
    Opaque(Span),
    /// Cancelled from outside.
    Cancelled,
}

impl<S> From<TooWide> for Refusal<S> {
    fn from(_: TooWide) -> Self {
        Refusal::TooWide
    }
}

/// Works out what is known about the secrets of a run with choices.
pub fn eliminate<S: Scalar>(
    network: &Network<S>,
    model: &mut ChoiceModel<S>,
    options: &posterior::Options,
) -> Result<Eliminated<S>, Refusal<S>> {
    threshold::check(network, model)?;
    if let Some(found) = counts::answer_everybody(network, model, options)? {
        return Ok(found);
    }
    let names: Vec<NamedChoice> = model.secrets.clone();
    let mut secrets = Vec::with_capacity(names.len());
    let mut log_evidence_nats = 0.0;
    let mut certain_won = false;
    for secret in &names {
        if options.cancelled.as_ref().is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed)) {
            return Err(Refusal::Cancelled);
        }
        let mut query = Query::new(network, model, options, secret)?;
        let found = query.answer()?;
        log_evidence_nats = found.log_evidence_nats;
        certain_won |= found.certain_won;
        secrets.push(KnownSecret::Shared(Rc::new(found.secret)));
    }
    let questions = answer_questions(network, model, options)?;
    Ok(Eliminated { secrets, log_evidence_nats, certain_won, questions })
}

fn answer_questions<S: Scalar>(
    network: &Network<S>,
    model: &mut ChoiceModel<S>,
    options: &posterior::Options,
) -> Result<Vec<Asked<S>>, Refusal<S>> {
    let mut questions = Vec::new();
    for event in model.questions.clone() {
        let asked = NamedChoice { name: String::new(), span: Span::START, value: event, observed: false, range: None };
        let mut query = Query::new(network, model, options, &asked)?;
        query.is_question = true;
        let found = query.answer()?.secret;
        let after = (!model.is_open()).then_some(found.posterior);
        questions.push(Asked { before: found.prior, after, accuracy: found.accuracy });
    }
    Ok(questions)
}

/// How likely combinations of outputs and the secret are, by their leaves.
type Cells<S> = NodeMap<(Box<[u32]>, u32), Mass<S>>;

/// What is found about one secret.
struct Found<S> {
    secret: SecretDistributions<S>,
    log_evidence_nats: f64,
    certain_won: bool,
}

/// One secret on its way.
struct Query<'m, S> {
    network: &'m Network<S>,
    model: &'m mut ChoiceModel<S>,
    options: &'m posterior::Options,
    span: Span,
    /// Whether nobody asks what it has to do with what will be published.
    is_question: bool,
    /// The secret, or on which side of its thresholds it lies.
    secret: Diagram,
    /// The bounds of its sides, if the secret is a variable that was compared.
    cells: Option<threshold::Cells<S>>,
    events: Vec<Diagram>,
    /// Worlds in which the program comes to no end, which what was seen excludes.
    failed: Diagram,
    /// In which worlds each Gaussian value was seen, and the value.
    seen: Vec<(Diagram, Diagram)>,
    outputs: Vec<Diagram>,
}

impl<'m, S: Scalar> Query<'m, S> {
    fn new(
        network: &'m Network<S>,
        model: &'m mut ChoiceModel<S>,
        options: &'m posterior::Options,
        secret: &NamedChoice,
    ) -> Result<Self, Refusal<S>> {
        let cells = threshold::cells(network, model, secret)?;
        let value = match (secret.range, &cells) {
            (Some((choice, low)), _) => intervals(model, choice, low)?,
            (None, Some(cells)) => cells.diagram,
            (None, None) => secret.value,
        };
        let outputs: Vec<Diagram> =
            model.outputs.iter().filter(|output| !output.observed).map(|output| output.value).collect();
        let mut all = vec![value, model.failed];
        all.extend(&model.events);
        let outputs_at = all.len();
        all.extend(&outputs);
        for seen in &model.seen {
            all.extend([seen.worlds, seen.value]);
        }
        let all = sums::resolve(model, &all)?;
        let seen_at = outputs_at + outputs.len();
        Ok(Query {
            network,
            span: secret.span,
            is_question: false,
            secret: all[0],
            cells,
            failed: all[1],
            events: all[2..outputs_at].to_vec(),
            seen: all[seen_at..].chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
            outputs: all[outputs_at..seen_at].to_vec(),
            model,
            options,
        })
    }

    fn answer(&mut self) -> Result<Found<S>, Refusal<S>> {
        let prior = self.prior()?;
        // One tuple: what was seen of Gaussian values, the secret, the outputs.
        let mut factors = Vec::new();
        for (worlds, value) in &self.seen {
            factors.extend([*worlds, *value]);
        }
        let secret_at = factors.len();
        factors.push(self.secret);
        factors.extend(&self.outputs);
        let swept = self.swept(&self.events, &factors)?;
        let weighted = &swept.tuples;
        self.look_into(weighted.iter().map(|(tuple, _)| &tuple[secret_at..]))?;
        let classes = Classes::new(self, weighted.iter().map(|(tuple, _)| (&tuple[..secret_at], tuple[secret_at])))?;
        let mut total = Mass::zero();
        let mut posterior: HashMap<u32, Mass<S>> = HashMap::new();
        let mut components: Vec<(Mass<S>, S, S)> = Vec::new();
        let mut joint: Cells<S> = NodeMap::default();
        let mut possible = false;
        let is_scattered = self.has_gaussian_outputs(weighted.iter().map(|(tuple, _)| &tuple[secret_at..]));
        let is_listed = !self.outputs.is_empty() && !is_scattered && !self.is_question;
        let mut scattered: Vec<(&[u32], Mass<S>)> = Vec::new();
        for (tuple, mass) in weighted {
            let Some(class) = classes.weight(&tuple[..secret_at]) else { continue };
            possible = true;
            let weight = mass.mul(class);
            total = total.add(&weight);
            let leaf = tuple[secret_at];
            add_to(&mut posterior, leaf, &weight);
            if let Some((mean, variance)) = classes.gaussian(&tuple[..secret_at], leaf) {
                components.push((weight.clone(), mean.clone(), variance.clone()));
            }
            if is_scattered && !self.is_question {
                scattered.push((tuple, weight));
            } else if is_listed {
                add_to(&mut joint, (tuple[secret_at + 1..].into(), leaf), &weight);
            }
        }
        if !possible || total.is_zero() {
            return Err(Refusal::Contradiction(self.first_contradiction()?));
        }
        let accuracy = self.accuracy(&swept, &factors, &classes);
        let posterior = self.distribution(posterior, components, &total);
        let joint = if is_listed { Some(Box::new(self.joint(joint, &total, &classes)?)) } else { None };
        let clouds =
            if scattered.is_empty() { None } else { self.clouds(&scattered, secret_at, &total)?.map(Box::new) };
        Ok(Found {
            secret: SecretDistributions { prior, posterior, joint, clouds, accuracy },
            log_evidence_nats: total.ln(),
            certain_won: classes.certain_won,
        })
    }

    /// Makes sure that all is told by which leaf the secret and each output are: there are the secret's leaf and those of the
    /// outputs in each tuple.
    fn look_into<'t>(&self, tuples: impl Iterator<Item = &'t [u32]>) -> Result<(), Refusal<S>> {
        let answer = |leaf: u32| &self.model.answers[leaf as usize];
        let spans: Vec<Span> =
            self.model.outputs.iter().filter(|output| !output.observed).map(|output| output.span).collect();
        let (mut gaussian, mut nameless) = (false, false);
        for tuple in tuples {
            if self.cells.is_none() {
                match answer(tuple[0]) {
                    Answer::Opaque(_) => return Err(Refusal::Opaque(self.span)),
                    Answer::Gaussian(_) => gaussian = true,
                    Answer::Other(_) | Answer::Text(_) | Answer::List(_) => nameless = true,
                    Answer::Bool(_) | Answer::Integer(_) | Answer::Range(..) | Answer::Number(_) => {}
                }
            }
            for (leaf, span) in tuple[1..].iter().zip(&spans) {
                match answer(*leaf) {
                    Answer::Opaque(_) => return Err(Refusal::Opaque(*span)),
                    Answer::Gaussian(_) => {}
                    plain => debug_assert!(plain.is_plain()),
                }
            }
        }
        // A mixture has numbers only.
        if gaussian && nameless { Err(Refusal::Opaque(self.span)) } else { Ok(()) }
    }

    /// How near the probabilities of this secret are to what they should be.
    ///
    /// All numbers are nonnegative, so that relative errors add up and never grow by cancellation: a path through the
    /// diagrams multiplies one share for each choice, ways that meet are added, and the total and the quotient follow. With
    /// u = 2⁻⁵³, γ = (roundings + leaves + 8)·u bounds a mass, and a probability is a quotient of two. Densities bring
    /// their own bounds, which conditioning proves. `docs/proofs/choices.md` has the proof.
    fn accuracy(&self, swept: &Swept<S>, factors: &[Diagram], classes: &Classes<S>) -> Accuracy {
        let choices = &swept.choices;
        let sums = (swept.roundings + swept.tuples.len() + 8) as f64 * UNIT;
        let is_cut = choices.iter().any(|choice| self.model.truncated.contains(choice));
        let is_threshold =
            choices.iter().any(|choice| matches!(self.model.laws[*choice as usize], Law::Threshold { .. }));
        if !classes.has_densities && !is_cut && !is_threshold {
            return Accuracy::Exact { relative_error: if S::EXACT { 0.0 } else { 2.0 * sums } };
        }
        let absolute_error = if is_cut { TRUNCATED } else { 0.0 };
        let mut roots: Vec<Diagram> = self.events.iter().chain(factors).copied().collect();
        roots.extend(choices.iter().filter_map(|choice| match &self.model.laws[*choice as usize] {
            Law::Derived(from, _) => Some(*from),
            Law::Finite(_) | Law::Scaled(_) | Law::Uniform(_) | Law::Sum(_) | Law::Order(_) | Law::Threshold { .. } => {
                None
            }
        }));
        let relative_error = 2.0 * (sums + classes.density_error + threshold_error(self.model, &roots));
        Accuracy::Certified { relative_error, absolute_error }
    }

    /// The first Gaussian value that cannot have been seen together with the earlier ones; `None` if there is none.
    fn first_contradiction(&mut self) -> Result<Option<Span>, Refusal<S>> {
        let all = std::mem::take(&mut self.seen);
        for count in 1..=all.len() {
            let mut factors = Vec::new();
            for (worlds, value) in &all[..count] {
                factors.extend([*worlds, *value]);
            }
            let swept = self.swept(&self.events, &factors)?;
            let possible: Vec<&[u32]> = swept.tuples.iter().map(|(tuple, _)| &**tuple).collect();
            let classes = Classes::new(self, possible.iter().map(|seen| (*seen, 0)))?;
            if !possible.iter().any(|seen| classes.weight(seen).is_some()) {
                return Ok(self.model.seen.get(count - 1).map(|seen| seen.span));
            }
        }
        Ok(None)
    }

    /// What is known before anything was seen, of the worlds in which the program comes to its end.
    fn prior(&mut self) -> Result<Distribution<S>, Refusal<S>> {
        let ends = self.model.diagrams.not(self.failed)?;
        let found = self.of_secret(ends)?;
        let mut components = Vec::new();
        if self.cells.is_none() {
            for (leaf, mass) in &found {
                if let Answer::Gaussian(affine) = &self.model.answers[*leaf as usize] {
                    let known = posterior::condition(self.network, &[], std::slice::from_ref(affine), self.options)
                        .map_err(|refusal| Refusal::Conditioning(refusal, self.span))?;
                    let target = &known.targets[0];
                    components.push((mass.clone(), target.prior_mean.clone(), target.prior_variance.clone()));
                }
            }
        }
        let total = found.iter().fold(Mass::zero(), |sum, (_, mass)| sum.add(mass));
        let distribution = self.distribution(found.into_iter().collect(), components, &total);
        Ok(match (&self.cells, distribution) {
            // Nothing is cut off before anything is seen.
            (Some(cells), _) => Distribution::Mixture(vec![cells.whole()]),
            (None, distribution) => distribution,
        })
    }

    /// How likely combinations of leaves are in the worlds of events.
    fn swept(&self, events: &[Diagram], factors: &[Diagram]) -> Result<Swept<S>, Refusal<S>> {
        let mut swept = sweep(&self.model.diagrams, &self.model.laws, events, factors)?;
        swept.tuples.retain(|(_, mass)| !mass.is_zero());
        Ok(swept)
    }

    /// How likely each leaf of the secret is in some worlds.
    fn of_secret(&self, worlds: Diagram) -> Result<Vec<(u32, Mass<S>)>, Refusal<S>> {
        let swept = self.swept(&[worlds], &[self.secret])?;
        Ok(swept.tuples.into_iter().map(|(leaves, mass)| (leaves[0], mass)).collect())
    }
}

fn add_to<K: std::hash::Hash + Eq, S: Scalar, H: std::hash::BuildHasher>(
    sums: &mut HashMap<K, Mass<S>, H>,
    key: K,
    mass: &Mass<S>,
) {
    sums.entry(key).and_modify(|sum| *sum = sum.add(mass)).or_insert_with(|| mass.clone());
}
