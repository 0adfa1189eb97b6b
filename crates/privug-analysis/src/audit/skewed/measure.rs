//! What published sums tell about everybody with a skewed prior.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::assess::Progress;
use super::super::defence::Protection;
use super::super::observe::published as rounded_value;
use super::super::people::PeopleColumns;
use super::super::persons::Persons;
use super::super::policy::Policy;
use super::super::release::{Belief, Release};
use super::super::rows::{Row, Weights, rows};
use super::brackets::{Bracket, Brackets};
use super::groups::{Group, NotDisjoint, Sum, disjoint};
use crate::driver::Failure;
use privug_engine::number::{Constants, DoubleDouble, Rational, Scalar, Wide};
use privug_engine::stages::Stages;
use privug_engine::sums::{Budget, Evidence, Law, Posterior, Unsolved, posteriors};
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::Span;

/// How far beside the middle between two multiples a value certainly is that does not lie there, as a part of half a unit: more than
/// sums in doubles are off, and less than the digits of decimals.
const BESIDE: f64 = 1e-9;

/// Less than this of a variance is what rounding leaves of none.
const NEARLY_NOTHING: f64 = 1e-10;

/// Points of Fourier transforms for all groups together.
const MOST_POINTS: u64 = 1 << 29;

/// What measuring depends on besides the release.
pub(in super::super) struct Around<'a> {
    pub(in super::super) persons: &'a Persons,
    pub(in super::super) protection: &'a Protection,
    /// The figures that are not suppressed.
    pub(in super::super) published: &'a [usize],
    pub(in super::super) policy: &'a Policy,
    pub(in super::super) progress: &'a dyn Fn(Progress),
}

/// The law of each entry; `None` if all priors are Gaussian. Some of each is refused.
///
/// People with the same law share it: who is alike is told by whose law is the same one.
pub(in super::super) fn laws_of<S>(release: &Release<S>) -> Result<Option<Vec<Arc<Law>>>, Failure> {
    if !release.beliefs.iter().any(|belief| matches!(belief, Belief::Skewed(_))) {
        return Ok(None);
    }
    if release.groups.is_some() {
        let message = "a prior that is not Gaussian cannot be audited by groups";
        let hint = "give a Gaussian prior, or the table itself";
        return Err(refuse(release, place(release, None), Code::NotOfGroups, message.to_owned(), hint));
    }
    let mut laws = Vec::with_capacity(release.truths.len());
    for belief in &release.beliefs {
        let Belief::Skewed(skewed) = belief else {
            let message = "some secrets have a Gaussian prior, and some a skewed one";
            let hint = "give all of them priors of one kind, or audit them separately";
            return Err(refuse(release, place(release, None), Code::BadSecret, message.to_owned(), hint));
        };
        let shared: Vec<Arc<Law>> = skewed.laws.iter().cloned().map(Arc::new).collect();
        laws.extend(skewed.law_of.iter().map(|law| Arc::clone(&shared[*law as usize])));
    }
    Ok(Some(laws))
}

fn place<S>(release: &Release<S>, figure: Option<usize>) -> Span {
    release.outputs.get(figure.unwrap_or(0)).map_or(Span::START, |output| output.span)
}

fn refuse<S>(release: &Release<S>, span: Span, code: Code, message: String, hint: &str) -> Failure {
    let diagnostics = vec![Diagnostic::error(code, span, message).hint(hint)];
    Failure::Refused(Refusal { sources: release.sources.clone(), diagnostics })
}

/// What is published as sums of disjoint groups.
pub(in super::super) struct Disjoint {
    groups: Vec<Group>,
    blurs: Vec<Blur>,
    notes: Vec<String>,
}

/// The disjoint groups that the figures are about, or why what they tell cannot be worked out. Asked before anything that takes
/// long.
pub(in super::super) fn disjoint_groups<S: Stages>(
    release: &Release<S>,
    around: &Around<'_>,
) -> Result<Disjoint, Failure> {
    if around.persons.is_repeated() {
        let message = "several rows belong to one person, and the prior is not Gaussian";
        let hint = "several rows per person are supported for Gaussian priors only; sum them first";
        return Err(refuse(release, place(release, None), Code::BadPerson, message.to_owned(), hint));
    }
    let traced = rows(release, around.published);
    let Some(traced) = traced.into_iter().collect::<Option<Vec<Row>>>() else {
        let message = "the weights of people in a figure are not finite";
        return Err(refuse(release, place(release, None), Code::RandomRelease, message.to_owned(), "leave it out"));
    };
    let mut notes = Vec::new();
    let (groups, blurs) = grouped(release, &traced, around, &mut notes)?;
    Ok(Disjoint { groups, blurs, notes })
}

/// Measures everybody anew; what was there before was measured as if priors were Gaussian. Says what to be careful about.
pub(in super::super) fn measure<S: Stages>(
    people: &mut PeopleColumns,
    release: &Release<S>,
    laws: &[&Law],
    disjoint: Disjoint,
    radius: &dyn Fn(usize) -> f64,
    around: &Around<'_>,
) -> Result<Vec<String>, Failure> {
    let Disjoint { groups, blurs, mut notes } = disjoint;
    let mut found = Brackets {
        near_truth: vec![[f64::NAN; 2]; people.len()],
        group_of: vec![u32::MAX; people.len()],
        of_entry: vec![u32::MAX; people.len()],
        ..Brackets::default()
    };
    let mut budget = Budget(MOST_POINTS);
    let mut unknown: Vec<&'static str> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        (around.progress)(Progress::Step(number, groups.len()));
        found.told_by.push(group.from.iter().map(|place| around.published[*place]).collect());
        let blur = group.blurred.map(|place| &blurs[place]);
        match solved(release, laws, group, blur, &mut budget) {
            Ok(solved) => found.take(people, group, &solved, laws, number as u32, radius),
            Err(Unsolved::Unknown(reason)) => {
                unknown.push(reason);
                let mut shared: HashMap<*const Law, u32> = HashMap::new();
                for (entry, _) in &group.weights {
                    let entry = *entry as usize;
                    found.group_of[entry] = number as u32;
                    let known = &mut found.known;
                    found.of_entry[entry] = *shared.entry(laws[entry]).or_insert_with(|| {
                        known.push(Bracket::unknown(laws[entry].clone()));
                        known.len() as u32 - 1
                    });
                }
            }
            Err(Unsolved::Impossible) => {
                let figure = around.published[*group.from.last().unwrap_or(&0)];
                let name = &release.outputs[figure].name;
                let message = format!(
                    "no secrets that are possible under the prior add up to `{name}` and the figures before it"
                );
                let hint = "does the prior exclude a value that somebody has?";
                return Err(refuse(release, release.outputs[figure].span, Code::Contradiction, message, hint));
            }
        }
    }
    found.untouched(people, laws, radius);
    found.fill(people, radius);
    people.keep(found, around.policy);
    unknown.sort_unstable();
    for reason in unknown.chunk_by(|a, b| a == b) {
        let groups = if reason.len() == 1 { "1 group".to_owned() } else { format!("{} groups", reason.len()) };
        notes.push(format!("what is learned about the people of {groups} is unknown: {}", reason[0]));
    }
    notes.push(
        "people are independent under this prior: without a person's record the attacker would know only the prior, so the counterfactual baseline is the prior"
            .to_owned(),
    );
    Ok(notes)
}

/// What is added to a figure, in units of its row.
#[derive(Debug, Clone, PartialEq)]
struct Blur {
    law: Option<Law>,
    /// What is published, less the real value.
    shift: f64,
    /// Whether a figure in the middle between two multiples is published as this one, where it is rounded: it is if the multiple is even.
    takes_middle: Option<bool>,
}

/// The disjoint groups that the figures are about.
fn grouped<S: Stages>(
    release: &Release<S>,
    traced: &[Row],
    around: &Around<'_>,
    notes: &mut Vec<String>,
) -> Result<(Vec<Group>, Vec<Blur>), Failure> {
    let blurs: Vec<Blur> = traced
        .iter()
        .zip(around.published)
        .map(|(row, figure)| blur(release, row, *figure, around.protection))
        .collect::<Result<_, _>>()?;
    let sums = |with_rounding: bool| -> Vec<Sum> {
        let is_blurred = |blur: &Blur| match &blur.law {
            Some(Law::Uniform { .. }) => with_rounding,
            Some(_) => true,
            None => false,
        };
        traced
            .iter()
            .zip(&blurs)
            .map(|(row, blur)| Sum { weights: weights(row), is_blurred: is_blurred(blur) })
            .collect()
    };
    let is_rounded = |blur: &Blur| matches!(blur.law, Some(Law::Uniform { .. }));
    let mut found = disjoint(&sums(true));
    if found.is_err() && blurs.iter().any(is_rounded) {
        found = disjoint(&sums(false));
        if found.is_ok() {
            let words = "rounded figures that share people with other figures are judged as if published unrounded";
            notes.push(words.to_owned());
        }
    }
    let refused = |error: NotDisjoint| match error {
        NotDisjoint::Overlap(a, b) => {
            let [one, other] = [a, b].map(|place| &release.outputs[around.published[place]]);
            let is_noisy = |place: usize| matches!(&blurs[place].law, Some(law) if !matches!(law, Law::Uniform { .. }));
            let reason = match is_noisy(a) || is_noisy(b) {
                true => "at least one has noise, so their difference is not a sum",
                false => "neither contains the other",
            };
            let message = format!("`{}` and `{}` have people in common, and {reason}", one.name, other.name);
            let hint = "with a prior that is not Gaussian, sums must be about disjoint or nested groups: the posterior given overlapping sums has no closed form. Audit them with a Gaussian prior, or publish one of them";
            refuse(release, other.span, Code::OverlappingSums, message, hint)
        }
        NotDisjoint::TooMuch => {
            let message = "there are too many figures about the same people to find disjoint groups".to_owned();
            let hint = "publish fewer figures at once, or audit with a Gaussian prior";
            refuse(release, place(release, None), Code::OverlappingSums, message, hint)
        }
    };
    Ok((found.map_err(refused)?, blurs))
}

fn weights(row: &Row) -> Vec<(u32, Rational)> {
    match &row.weights {
        Weights::Doubles(weights) => {
            let exact = |weight: f64| <Rational as Scalar>::from_f64(weight).unwrap_or(Rational::ZERO);
            weights.iter().map(|(entry, weight)| (*entry, exact(*weight))).collect()
        }
        Weights::Rationals(weights) => weights.clone(),
    }
}

/// The noise and the rounding of a figure.
fn blur<S: Stages>(release: &Release<S>, row: &Row, figure: usize, protection: &Protection) -> Result<Blur, Failure> {
    let unit = protection.rounded_to[figure];
    // Rounding at random tells less than the figure itself.
    let is_rounded = unit > 0.0 && !protection.rounded_at_random[figure];
    let variance = row.noise_variance;
    let noise = protection.noise_std[figure];
    if !is_rounded && noise == 0.0 && variance == 0.0 {
        return Ok(Blur { law: None, shift: 0.0, takes_middle: None });
    }
    let output = &release.outputs[figure];
    let factor = row.factor.as_ref().map(Constants::to_f64).filter(|factor| factor.is_finite() && *factor != 0.0);
    let Some(factor) = factor.filter(|_| !(is_rounded && (noise > 0.0 || variance > 0.0))) else {
        let message =
            format!("`{}` has noise and is rounded, which is supported for Gaussian priors only", output.name);
        return Err(refuse(release, output.span, Code::OverlappingSums, message, "choose one of the two defences"));
    };
    if is_rounded {
        let half = 0.5 * unit / factor.abs();
        let multiple = rounded_value(&output.value, unit);
        let shift = (multiple - output.value.to_f64()) / factor;
        let takes_middle = Some((multiple / unit).round() % 2.0 == 0.0);
        return Ok(Blur { law: Some(Law::Uniform { low: -half, high: half }), shift, takes_middle });
    }
    // The script's own noise is in units of the row already.
    let std_dev = (noise / factor.abs()).hypot(variance.sqrt());
    Ok(Blur { law: Some(Law::Normal { mean: 0.0, std_dev }), shift: 0.0, takes_middle: None })
}

/// The posterior of each kind of people in a group.
struct Solved {
    /// The kind of each entry, in the order of the group.
    kinds: Vec<u32>,
    posteriors: Vec<Posterior>,
}

fn solved<S: Stages>(
    release: &Release<S>,
    laws: &[&Law],
    group: &Group,
    blur: Option<&Blur>,
    budget: &mut Budget,
) -> Result<Solved, Unsolved> {
    // Weights relative to the first: where all are alike they are 1, and nothing is rounded.
    let first = group.weights.first().map_or(Rational::ONE, |(_, weight)| weight.clone());
    let relative: Vec<f64> = group.weights.iter().map(|(_, weight)| Constants::to_f64(&(weight / &first))).collect();
    if relative.iter().any(|weight| !(*weight > 0.0)) {
        return Err(Unsolved::Unknown("a figure is a difference, in which some people count negatively"));
    }
    let mut places: HashMap<(*const Law, u64), u32> = HashMap::new();
    let mut members: Vec<(Law, usize)> = Vec::new();
    let mut factors: Vec<f64> = Vec::new();
    let mut kinds = Vec::with_capacity(relative.len());
    let mut sum = DoubleDouble::zero();
    for ((entry, _), weight) in group.weights.iter().zip(&relative) {
        let law = laws[*entry as usize];
        let kind = *places.entry((std::ptr::from_ref(law), weight.to_bits())).or_insert_with(|| {
            members.push((law.scaled(*weight), 0));
            factors.push(*weight);
            members.len() as u32 - 1
        });
        members[kind as usize].1 += 1;
        kinds.push(kind);
        sum = sum.add_narrow(&(weight * release.truths[*entry as usize]));
    }
    let scale = 1.0 / Constants::to_f64(&first);
    // Single values may lie in the middle between two multiples. Where all people have densities, nothing does.
    let reach = match blur.and_then(|blur| blur.takes_middle) {
        Some(takes_middle) if members.iter().any(|(law, _)| law.has_values()) => {
            if takes_middle {
                1.0 + BESIDE
            } else {
                1.0 - BESIDE
            }
        }
        _ => 1.0,
    };
    let noise = blur.and_then(|blur| blur.law.as_ref()).map(|law| match law {
        Law::Uniform { low, high } => {
            let ends = [low * scale * reach, high * scale * reach];
            Law::Uniform { low: ends[0].min(ends[1]), high: ends[0].max(ends[1]) }
        }
        other => other.scaled(scale.abs()),
    });
    let sum = Constants::to_f64(&sum) + blur.map_or(0.0, |blur| blur.shift * scale);
    let found = posteriors(&Evidence { members, noise, sum }, budget)?;
    let posteriors = found.into_iter().zip(&factors).map(|(posterior, factor)| posterior.divided(*factor)).collect();
    Ok(Solved { kinds, posteriors })
}

impl Brackets {
    /// Takes up what is known about the people of a group.
    fn take(
        &mut self,
        people: &mut PeopleColumns,
        group: &Group,
        solved: &Solved,
        laws: &[&Law],
        number: u32,
        radius: &dyn Fn(usize) -> f64,
    ) {
        let mut places: Vec<Option<u32>> = vec![None; solved.posteriors.len()];
        for ((entry, _), kind) in group.weights.iter().zip(&solved.kinds) {
            let (entry, kind) = (*entry as usize, *kind as usize);
            let posterior = &solved.posteriors[kind];
            let place = *places[kind].get_or_insert_with(|| {
                self.known.push(Bracket::of(laws[entry].clone(), posterior));
                self.known.len() as u32 - 1
            });
            self.group_of[entry] = number;
            self.of_entry[entry] = place;
            let (truth, radius) = (people.truth[entry], radius(entry));
            self.near_truth[entry] = posterior.probability_between(truth - radius, truth + radius);
            // A secret that is known beforehand is not disclosed by anything. Where one value seems to be left and the bounds
            // cannot exclude that it is the only one, the worse end counts.
            let prior_variance = people.prior_variance[entry];
            let seems_certain =
                posterior.variance[0] == 0.0 && posterior.variance[1] <= NEARLY_NOTHING * prior_variance;
            people.fully_disclosed[entry] = (posterior.is_certain() || seems_certain) && prior_variance > 0.0;
        }
    }

    /// Whoever is in no figure is known as before.
    fn untouched(&mut self, people: &PeopleColumns, laws: &[&Law], radius: &dyn Fn(usize) -> f64) {
        let mut shared: HashMap<*const Law, u32> = HashMap::new();
        for entry in 0..people.len() {
            if self.of_entry[entry] != u32::MAX {
                continue;
            }
            let known = &mut self.known;
            self.of_entry[entry] = *shared.entry(laws[entry]).or_insert_with(|| {
                known.push(Bracket::untouched(laws[entry].clone()));
                known.len() as u32 - 1
            });
            let (truth, radius) = (people.truth[entry], radius(entry));
            self.near_truth[entry] = [laws[entry].probability_between(truth - radius, truth + radius); 2];
        }
    }

    /// The columns of people: means in the middle of their bounds, and of all that rules look at the worse end.
    fn fill(&self, people: &mut PeopleColumns, radius: &dyn Fn(usize) -> f64) {
        let mut near_prior: HashMap<(*const Law, u64, u64), f64> = HashMap::new();
        for entry in 0..people.len() {
            let bracket = self.of(entry);
            let middle = |bounds: Option<[f64; 2]>| bounds.map_or(f64::NAN, |[low, high]| 0.5 * (low + high));
            let prior_variance = people.prior_variance[entry];
            people.posterior_mean[entry] = middle(bracket.mean);
            people.mean_shift[entry] = middle(bracket.mean) - people.prior_mean[entry];
            people.posterior_variance[entry] = middle(bracket.std_dev).powi(2);
            people.variance_reduction[entry] = prior_variance - people.posterior_variance[entry];
            let least = bracket.std_dev.map_or(f64::NAN, |[low, _]| low);
            people.relative_std[entry] = if prior_variance > 0.0 { least / prior_variance.sqrt() } else { 1.0 };
            people.mutual_information_bits[entry] = bracket.bits.map_or(f64::NAN, |[_, high]| high);
            people.near_truth_posterior[entry] = self.near_truth[entry][1];
            let (truth, law, radius) = (people.truth[entry], &bracket.prior, radius(entry));
            let key = (std::ptr::from_ref(law), truth.to_bits(), radius.to_bits());
            people.near_truth_prior[entry] =
                *near_prior.entry(key).or_insert_with(|| law.probability_between(truth - radius, truth + radius));
        }
    }
}
