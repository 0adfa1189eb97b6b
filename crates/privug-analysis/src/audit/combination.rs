//! The combinations of published figures that disclose people, and the patterns among them.

use privug_engine::sorting::CompactSort;
use std::collections::BTreeMap;

use super::defence::table_of;
use privug_engine::posterior::TargetOutcome;

/// Weights below this share of the largest (each times its figure's standard deviation) are rounding.
const NEGLIGIBLE: f64 = 1e-9;

/// The figures that a disclosed target is a combination of, with their weights; `std_devs` are those of the figures.
pub(super) fn combination_of<S>(target: &TargetOutcome<S>, std_devs: &[f64]) -> Vec<(usize, f64)> {
    let size = |(figure, weight): &(usize, f64)| (weight * std_devs[*figure]).abs();
    let largest = target.weights.iter().map(size).fold(0.0, f64::max);
    target.weights.iter().filter(|weight| size(weight) > NEGLIGIBLE * largest).copied().collect()
}

/// Figures that together disclose people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combination {
    /// The figures, ascending.
    pub figures: Vec<usize>,
    /// Those whom they disclose, ascending.
    pub people: Vec<usize>,
}

/// Puts people with the same combination together; those of most people first.
pub(super) fn group(found: impl Iterator<Item = (usize, Vec<usize>)>) -> Vec<Combination> {
    let mut groups: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (person, figures) in found {
        groups.entry(figures).or_default().push(person);
    }
    let mut combinations: Vec<Combination> = groups
        .into_iter()
        .map(|(figures, mut people)| {
            people.sort_unstable();
            Combination { figures, people }
        })
        .collect();
    combinations
        .sort_compact_by_key(|combination| (std::cmp::Reverse(combination.people.len()), combination.people.clone()));
    combinations
}

/// Combinations of figures from the same tables, such as one cell of each of two tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Each table, and how many of its figures are combined.
    pub tables: Vec<(String, usize)>,
    /// How many combinations there are like this.
    pub combinations: usize,
    /// How many people they disclose.
    pub people: usize,
    /// The first of the combinations, as an example.
    pub example: usize,
}

/// The patterns among combinations, those that disclose most people first.
pub fn patterns(combinations: &[Combination], name: impl Fn(usize) -> String) -> Vec<Pattern> {
    let mut found: BTreeMap<Vec<(String, usize)>, Pattern> = BTreeMap::new();
    for (index, combination) in combinations.iter().enumerate() {
        let mut tables: BTreeMap<String, usize> = BTreeMap::new();
        for figure in &combination.figures {
            *tables.entry(table_of(&name(*figure)).to_owned()).or_default() += 1;
        }
        let tables: Vec<(String, usize)> = tables.into_iter().collect();
        let new = || Pattern { tables: tables.clone(), combinations: 0, people: 0, example: index };
        let pattern = found.entry(tables.clone()).or_insert_with(new);
        pattern.combinations += 1;
        pattern.people += combination.people.len();
    }
    let mut patterns: Vec<Pattern> = found.into_values().collect();
    patterns.sort_compact_by_key(|pattern| (std::cmp::Reverse(pattern.people), pattern.example));
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_with_the_same_combination_stand_together_and_tables_make_patterns() {
        let names = ["mean[a]", "mean[b]", "without head[a]", "without head[b]", "all"];
        let found = [(7, vec![0, 2]), (3, vec![1, 3]), (9, vec![4]), (1, vec![4])];
        let combinations = group(found.into_iter());
        assert_eq!(combinations[0], Combination { figures: vec![4], people: vec![1, 9] });
        assert_eq!(combinations.len(), 3);
        let patterns = patterns(&combinations, |figure| names[figure].to_owned());
        let shown: Vec<_> = patterns.iter().map(|one| (one.tables.len(), one.combinations, one.people)).collect();
        assert_eq!(shown, [(1, 1, 2), (2, 2, 2)]);
        assert_eq!(patterns[1].tables, [("mean".to_owned(), 1), ("without head".to_owned(), 1)]);
        assert_eq!(combinations[patterns[1].example].people, [3]);
    }
}
