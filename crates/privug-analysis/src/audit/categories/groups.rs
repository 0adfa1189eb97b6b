//! The published groups of frequency tables, and what the rules of offices say about them.
//!
//! A *group* is a set of people about whom it is published how many have a value, or one of some values: with n people of
//! whom y have it,
//!
//! - small count: 0 < y < limit;
//! - class disclosure: one value is that of all n, or of all but one, who then knows that of all others;
//! - revealing zero: y = 0, though the attacker considered the value possible for somebody in the group;
//! - l-diversity: e^H, with H the entropy of the values in the group; as many equally frequent values have that entropy;
//! - t-closeness: the distance of the distributions in the group and in the whole table, ½·Σ|pᵥ − qᵥ| for categories, and
//!   Σₖ|Σ_{v≤k}(pᵥ − qᵥ)| / (m − 1) for m ordered numbers (the earth mover's distance of Li, Li and Venkatasubramanian).

use super::super::persons::Persons;
use super::super::policy::{Policy, Rule, Verdict};
use super::super::release::{Discrete, SecretValue};
use super::tallies::{Part, Tallied};

/// A figure that counts how many people of a group have one of some values.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counted {
    pub(super) column: usize,
    /// Which values are counted.
    pub(super) values: Vec<bool>,
    /// How many entries there are in the group.
    pub(super) group: i64,
    /// How many of them have one of the values.
    pub(super) count: i64,
    /// How many of the group really have each value.
    pub(super) histogram: Vec<i64>,
    /// Whether each value was possible for somebody.
    pub(super) was_possible: Vec<bool>,
}

/// What a figure counts; `None` if it is no count. The parts of a figure stand code by code, and by entry within a code.
pub(super) fn counted(tallied: &Tallied, persons: &Persons, discrete: &[&Discrete]) -> Option<Counted> {
    let first = tallied.parts.first()?;
    let column = persons.column(first.entry as usize);
    let belief = discrete[column];
    let start = persons.entries(column).start;
    let mut weights = vec![0i64; belief.values.len()];
    let mut blocks: Vec<&[Part]> = Vec::new();
    for block in tallied.parts.chunk_by(|a, b| a.code == b.code) {
        *weights.get_mut(block[0].code as usize)? = block[0].weight;
        if block.iter().any(|part| part.weight != block[0].weight) {
            return None;
        }
        blocks.push(block);
    }
    let entries = blocks[0].iter().map(|part| part.entry);
    if blocks[1..].iter().any(|block| !block.iter().map(|part| part.entry).eq(entries.clone())) {
        return None;
    }
    // Against the first value, the others weigh 1 or 0; or −1 or 0 where the first is counted too.
    let (low, high) = (weights.iter().min().copied()?, weights.iter().max().copied()?);
    let values: Vec<bool> = match (low, high) {
        (_, 0) if weights.iter().all(|weight| *weight == 0 || *weight == low) => {
            weights.iter().map(|weight| *weight == 0).collect()
        }
        (0, _) if weights.iter().all(|weight| *weight == 0 || *weight == high) => {
            weights.iter().map(|weight| *weight == high).collect()
        }
        _ => return None,
    };
    let mut histogram = vec![0i64; weights.len()];
    let mut has_law = vec![false; belief.laws.len()];
    for entry in entries {
        let place = (entry as usize).checked_sub(start)?;
        *histogram.get_mut(*belief.truths.get(place)? as usize)? += 1;
        has_law[belief.law_of[place] as usize] = true;
    }
    let laws = || belief.laws.iter().zip(&has_law).filter(|(_, has)| **has).map(|(law, _)| law);
    let was_possible = (0..weights.len()).map(|code| laws().any(|law| law[code] > 0.0)).collect();
    let count = histogram.iter().zip(&values).filter(|(_, counted)| **counted).map(|(count, _)| count).sum();
    Some(Counted { column, values, group: histogram.iter().sum(), count, histogram, was_possible })
}

/// Whether values have an order that distances can be measured in.
pub(super) fn are_ordered(values: &[SecretValue]) -> bool {
    values.len() > 2 && values.iter().all(|value| value.number().is_some())
}

/// e^H of the values in a group.
pub(super) fn diversity(histogram: &[i64]) -> f64 {
    let all: i64 = histogram.iter().sum();
    let part = |count: &i64| {
        let p = *count as f64 / all as f64;
        if p > 0.0 { -p * p.ln() } else { 0.0 }
    };
    histogram.iter().map(part).sum::<f64>().exp()
}

/// The distance of two distributions, given as counts.
pub(super) fn closeness(group: &[i64], whole: &[i64], ordered: bool) -> f64 {
    let share = |histogram: &[i64], code: usize| histogram[code] as f64 / histogram.iter().sum::<i64>().max(1) as f64;
    let differences = (0..group.len()).map(|code| share(group, code) - share(whole, code));
    match ordered {
        false => differences.map(f64::abs).sum::<f64>() / 2.0,
        true => {
            let mut sum = 0.0;
            let moved: f64 = differences
                .map(|difference| {
                    sum += difference;
                    f64::abs(sum)
                })
                .sum();
            moved / (group.len() as f64 - 1.0)
        }
    }
}

/// What the rules say about a count that is published as it is. `people` are those in the group and those who are counted;
/// `whole` is the histogram of the whole table.
pub(super) fn judge(
    counted: &Counted,
    (in_group, with_value): (usize, usize),
    sensitive: &[bool],
    whole: &[i64],
    ordered: bool,
    policy: &Policy,
) -> Vec<(Rule, Verdict)> {
    let mut broken = Vec::new();
    let mut say = |rule: Rule, verdict: Verdict| {
        if verdict != Verdict::Pass {
            broken.push((rule, verdict));
        }
    };
    say(Rule::MinimumFrequency, policy.minimum_frequency.at_least(in_group as f64));
    if with_value > 0 {
        say(Rule::SmallCount, policy.small_count.at_least(with_value as f64));
    }
    // The value of those who are counted, or of all others, if that is only one.
    let only = |wanted: bool| {
        let mut of =
            (0..counted.values.len()).filter(|code| counted.values[*code] == wanted && counted.was_possible[*code]);
        of.next().filter(|_| of.next().is_none())
    };
    let shared = |code: Option<usize>, count: i64| {
        code.is_some_and(|code| sensitive[code]) && counted.group > 1 && count >= counted.group - 1
    };
    if shared(only(true), counted.count) || shared(only(false), counted.group - counted.count) {
        say(Rule::ClassDisclosure, policy.class_disclosure);
    }
    // Where only some values are sensitive, excluding one of these is harmless.
    let all_sensitive = sensitive.iter().all(|sensitive| *sensitive);
    let excluded = (0..counted.values.len())
        .any(|code| counted.values[code] && counted.was_possible[code] && (all_sensitive || !sensitive[code]));
    if counted.count == 0 && excluded {
        say(Rule::RevealingZero, policy.revealing_zero);
    }
    say(Rule::LDiversity, policy.l_diversity.at_least(diversity(&counted.histogram)));
    say(Rule::TCloseness, policy.t_closeness.at_most(closeness(&counted.histogram, whole, ordered)));
    broken.sort_unstable();
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diversity_is_the_number_of_equally_frequent_values() {
        assert!((diversity(&[5, 5, 5, 0]) - 3.0).abs() < 1e-12);
        assert!((diversity(&[7, 0]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn closeness_is_that_of_the_paper() {
        // Li, Li and Venkatasubramanian (2007): incomes 3k to 11k, {3, 4, 5} against all nine is 0.375, {6, 8, 11} is 0.167.
        let whole = [1; 9];
        assert!((closeness(&[1, 1, 1, 0, 0, 0, 0, 0, 0], &whole, true) - 0.375).abs() < 1e-12);
        assert!((closeness(&[0, 0, 0, 1, 0, 1, 0, 0, 1], &whole, true) - 1.0 / 6.0).abs() < 1e-12);
        assert!((closeness(&[1, 0], &[1, 1], false) - 0.5).abs() < 1e-12);
    }
}
