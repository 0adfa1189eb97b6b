//! Everything that is known about each figure of a discrete secret, put together.

use std::collections::{BTreeMap, BTreeSet};

use super::super::combination::Combination;
use super::super::contributions::Contributions;
use super::super::defence::Protection;
use super::super::figures::Concentration;
use super::super::in_effect::InEffect;
use super::super::observe::published;
use super::super::persons::Persons;
use super::super::policy::{Policy, Rule, Verdict};
use super::super::release::{Discrete, Release};
use super::super::result::{Figure, FigureStatus};
use super::super::tabulate::public_figures;
use super::classes::Classes;
use super::groups::{Counted, are_ordered, counted, judge};
use super::solve::Solution;
use super::suppressed::Recovered;
use super::tallies::Tallied;
use privug_engine::number::Scalar;

/// More figures that another follows from are not listed.
const LISTED: usize = 20;

/// What the rules say about a figure by itself.
#[derive(Debug)]
pub(super) struct Judged {
    counted: Option<Counted>,
    /// How many people are in the group, and how many of them are counted.
    pub(super) people: (usize, usize),
    /// Of a suppressed figure: the classes that it weighs, each with the weights of the codes if it weighs all of the class
    /// alike.
    pub(super) classes: Vec<(u32, Option<Vec<i64>>)>,
    /// Whether everybody has one row.
    pub(super) is_plain: bool,
    pub(super) broken: Vec<(Rule, Verdict)>,
}

impl Judged {
    pub(super) fn new(
        tallied: &Tallied,
        classes: &Classes,
        persons: &Persons,
        discrete: &[&Discrete],
        truths: &[u32],
        is_published: bool,
    ) -> Self {
        let touched = if is_published { Vec::new() } else { weighed(tallied, classes) };
        let counted = if tallied.is_irregular { None } else { counted(tallied, persons, discrete) };
        let mut people = (0, 0);
        if let Some(counted) = &counted {
            people = (counted.group as usize, counted.count as usize);
            if !persons.is_plain() {
                let entries: BTreeSet<u32> = tallied.parts.iter().map(|part| part.entry).collect();
                let who = |entry: &&u32| counted.values[truths[**entry as usize] as usize];
                let persons_of = |entries: &mut dyn Iterator<Item = &u32>| {
                    entries.map(|entry| persons.of_entry(*entry as usize)).collect::<BTreeSet<_>>().len()
                };
                people = (persons_of(&mut entries.iter()), persons_of(&mut entries.iter().filter(who)));
            }
        } else {
            people.0 =
                tallied.parts.iter().map(|part| persons.of_entry(part.entry as usize)).collect::<BTreeSet<_>>().len();
        }
        Judged { counted, people, classes: touched, is_plain: persons.is_plain(), broken: Vec::new() }
    }

    pub(super) fn by_rules(
        mut self,
        sensitive: &[Vec<bool>],
        whole: &[Vec<i64>],
        discrete: &[&Discrete],
        rounded: bool,
        policy: &Policy,
    ) -> Self {
        self.broken = match &self.counted {
            // What a rounded count tells about people is judged by what it tells about people.
            _ if rounded => Vec::new(),
            Some(counted) => {
                let ordered = are_ordered(&discrete[counted.column].values);
                judge(counted, self.people, &sensitive[counted.column], &whole[counted.column], ordered, policy)
            }
            None => {
                let verdict = policy.minimum_frequency.at_least(self.people.0 as f64);
                if verdict == Verdict::Pass { Vec::new() } else { vec![(Rule::MinimumFrequency, verdict)] }
            }
        };
        self
    }

    /// A figure whose digits show a sum about few people; what they show is followed no further.
    pub(super) fn in_effect(mut self, few: Option<&InEffect>, policy: &Policy) -> Self {
        if let Some(few) = few {
            let frequency = policy.minimum_frequency.at_least(few.people as f64);
            let said = [(Rule::MinimumFrequency, frequency), (Rule::Unexamined, policy.unexamined)];
            self.broken.retain(|(rule, _)| *rule != Rule::MinimumFrequency);
            self.broken.extend(said.into_iter().filter(|(_, verdict)| *verdict != Verdict::Pass));
            self.broken.sort_unstable();
        }
        self
    }

    /// Whether it says how many people have one of some values.
    pub(super) fn is_count(&self) -> bool {
        self.counted.is_some()
    }
}

impl Judged {
    /// Rows that are released as they are: how many agree counts, not how many of these have a value.
    pub(super) fn of_rows(mut self, policy: &Policy) -> Self {
        self.broken.retain(|(rule, _)| matches!(rule, Rule::ClassDisclosure | Rule::LDiversity | Rule::TCloseness));
        let verdict = policy.k_anonymity.at_least(self.people.0 as f64);
        if verdict != Verdict::Pass {
            self.broken.push((Rule::KAnonymity, verdict));
        }
        self.broken.sort_unstable();
        self
    }
}

/// The classes that a figure weighs, and what it weighs the codes of each with if that is the same for everybody in it.
fn weighed(tallied: &Tallied, classes: &Classes) -> Vec<(u32, Option<Vec<i64>>)> {
    struct Weighed {
        parts: i64,
        weights: Vec<i64>,
        is_alike: bool,
    }
    let mut found: BTreeMap<u32, Weighed> = BTreeMap::new();
    for part in &tallied.parts {
        let class = classes.of_entry[part.entry as usize];
        let codes = classes.all[class as usize].histogram.len();
        let weighed =
            found.entry(class).or_insert_with(|| Weighed { parts: 0, weights: vec![0; codes], is_alike: true });
        weighed.parts += 1;
        let weight = &mut weighed.weights[part.code as usize];
        weighed.is_alike &= *weight == 0 || *weight == part.weight;
        *weight = part.weight;
    }
    let is_irregular = tallied.is_irregular;
    let of = |(class, weighed): (u32, Weighed)| {
        let codes = weighed.weights.iter().filter(|weight| **weight != 0).count() as i64;
        let is_whole = weighed.parts == codes * classes.all[class as usize].size();
        (class, (weighed.is_alike && is_whole && !is_irregular).then_some(weighed.weights))
    };
    found.into_iter().map(of).collect()
}

/// One entry for each figure of a release, then for each count, then for everything else.
#[expect(clippy::too_many_arguments, reason = "everything that an audit knows meets here")]
pub(super) fn figures<S: Scalar>(
    release: &Release<S>,
    contributions: Vec<Contributions>,
    judged: &[Judged],
    protection: &Protection,
    solution: &Solution<'_>,
    recovered: &Recovered,
    followed: &[usize],
    classes: &Classes,
    combinations: &[Combination],
    policy: &Policy,
    persons: &Persons,
) -> Vec<Figure> {
    let mut discloses = vec![0; release.outputs.len()];
    for combination in combinations {
        let whom: BTreeSet<usize> = combination.people.iter().map(|entry| persons.of_entry(*entry)).collect();
        combination.figures.iter().for_each(|figure| discloses[*figure] += whom.len());
    }
    let mut tells = vec![false; solution.peeled.tallies.len()];
    for class in &solution.peeled.classes {
        class.told_by.iter().flatten().for_each(|tally| tells[*tally as usize] = true);
    }
    solution.parts.iter().flatten().for_each(|tally| tells[*tally] = true);
    let mut place_of = vec![None; release.outputs.len()];
    followed.iter().enumerate().for_each(|(place, figure)| place_of[*figure] = Some(place));
    let from = |classes: &mut dyn Iterator<Item = usize>, but: usize| -> Vec<usize> {
        let told = classes.flat_map(|class| solution.peeled.classes[class].told_by.iter().flatten());
        let told: BTreeSet<usize> = told.map(|tally| followed[*tally as usize]).filter(|from| *from != but).collect();
        told.into_iter().take(LISTED).collect()
    };
    let made = contributions.into_iter().enumerate().map(|(index, contributions)| {
        let output = &release.outputs[index];
        let value = output.value.to_f64();
        let judged = &judged[index];
        let (status, broken, z) = match (protection.suppressed[index], place_of[index]) {
            (false, Some(place)) if !tells[place] => {
                let of = &solution.peeled.tallies[place].terms;
                let implied_by = from(&mut of.iter().map(|(class, _)| *class as usize), index);
                (
                    FigureStatus::Redundant { implied_by },
                    judged.broken.clone(),
                    z_score(place, solution, release, classes),
                )
            }
            (false, Some(place)) => {
                (FigureStatus::Used, judged.broken.clone(), z_score(place, solution, release, classes))
            }
            (false, None) => (FigureStatus::Used, judged.broken.clone(), 0.0),
            (true, _) => {
                let recovered_from = recovered.figures.get(&index).cloned().unwrap_or_default();
                let mut broken = Vec::new();
                if recovered.figures.contains_key(&index) && policy.recoverable != Verdict::Pass {
                    broken = judged.broken.clone();
                    broken.push((Rule::Recoverable, policy.recoverable));
                }
                (FigureStatus::Suppressed { recovered_from, posterior_std: f64::NAN }, broken, 0.0)
            }
        };
        Figure {
            name: output.name.clone(),
            line: release.sources.location(output.span).line,
            value,
            published: if protection.suppressed[index] { value } else { shown(&output.value, protection, index) },
            noise_std: protection.noise_std[index],
            status,
            concentration: Concentration { dominance_percent: None, estimate_percent: None },
            contributions,
            z,
            discloses: discloses[index],
            verdict: broken.iter().map(|(_, verdict)| *verdict).max().unwrap_or_default(),
            broken,
        }
    });
    let mut all: Vec<Figure> = made.collect();
    all.extend(public_figures(release, protection, persons, policy));
    all
}

/// What is published of a figure; of one that is rounded at random, the likelier multiple.
fn shown<S: Scalar>(value: &S, protection: &Protection, figure: usize) -> f64 {
    let base = protection.rounded_to[figure];
    if base > 0.0 && protection.rounded_at_random[figure] {
        return (value.to_f64() / base).round() * base;
    }
    published(value, base)
}

/// How many standard deviations a figure lies from what the prior predicts.
fn z_score<S: Scalar>(place: usize, solution: &Solution<'_>, release: &Release<S>, classes: &Classes) -> f64 {
    let tally = &solution.peeled.tallies[place];
    let (mut mean, mut variance) = (0.0, 0.0);
    for (class, weights) in &tally.terms {
        let class = &classes.all[*class as usize];
        let super::super::release::Belief::Discrete(discrete) = &release.beliefs[class.column] else { continue };
        let law = &discrete.laws[class.law as usize];
        let first: f64 = law.iter().zip(weights).map(|(p, weight)| p * *weight as f64).sum();
        let square: f64 = law.iter().zip(weights).map(|(p, weight)| p * (*weight as f64 - first).powi(2)).sum();
        mean += class.size() as f64 * first;
        variance += class.size() as f64 * square;
    }
    if variance > 0.0 { (tally.total as f64 - mean) / variance.sqrt() } else { 0.0 }
}
