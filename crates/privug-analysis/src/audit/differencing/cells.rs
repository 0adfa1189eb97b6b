//! People whom no figure without noise tells apart, and these figures as sums of whole numbers over them.

use privug_engine::sorting::CompactSort;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::super::dependent::gcd;
use super::super::implied::Sum;
use super::Figures;

/// Figures that weigh people differently are left out if they have more weights together.
const MOST_WEIGHTS: usize = 2_000_000;
/// Weights are in proportion to whole numbers if their ratios are fractions with denominators up to this, to within so much.
const LARGEST_DENOMINATOR: f64 = 10_000.0;
const SAME_RATIO: f64 = 1e-13;
/// No weight is larger.
const LARGEST: f64 = (1u64 << 40) as f64;

/// Sets of people who have the same weights in all of these figures.
pub(super) struct Cells {
    /// Who is in each, by entry.
    pub(super) members: Vec<Vec<u32>>,
    /// The atom that each is a part of.
    atom_of: Vec<u32>,
    /// How many cells each atom has.
    parts: Vec<usize>,
    /// The figures, ascending.
    pub(super) used: Vec<usize>,
    /// What each of these is over the cells, up to a factor.
    pub(super) sums: Vec<Sum>,
    /// Whether all of them weigh everybody alike.
    pub(super) are_flat: bool,
}

impl Cells {
    /// `sets` has the atoms of each figure.
    pub(super) fn new(of: &Figures<'_>, sets: &[Vec<u32>], published: &[usize]) -> Self {
        let atoms = of.weighed.members();
        let is_plain = |figure: &&usize| of.noise(**figure) == 0.0 && !sets[**figure].is_empty();
        let mut used: Vec<usize> = published.iter().filter(is_plain).copied().collect();
        used.sort_unstable();
        let weights: usize = used.iter().filter_map(|figure| of.weighed.each(*figure)).map(<[_]>::len).sum();
        let mut whole: HashMap<usize, Vec<(u32, i64)>> = HashMap::new();
        if weights <= MOST_WEIGHTS {
            let found = used.iter().filter_map(|figure| Some((*figure, whole_weights(of.weighed.each(*figure)?)?)));
            whole.extend(found);
        }
        used.retain(|figure| of.weighed.is_flat(*figure) || whole.contains_key(figure));
        let mut of_entry: HashMap<u32, Sum> = HashMap::new();
        for (place, figure) in used.iter().enumerate() {
            for (entry, weight) in whole.get(figure).into_iter().flatten() {
                of_entry.entry(*entry).or_default().push((place, *weight));
            }
        }
        let are_flat = of_entry.is_empty();
        let mut cells =
            Cells { members: Vec::new(), atom_of: Vec::new(), parts: Vec::new(), used, sums: Vec::new(), are_flat };
        cells.sums.resize(cells.used.len(), Vec::new());
        let mut of_atom: Vec<Vec<usize>> = Vec::with_capacity(atoms.len());
        for (atom, entries) in atoms.into_iter().enumerate() {
            let mut alike: BTreeMap<&[(usize, i64)], Vec<u32>> = BTreeMap::new();
            match are_flat {
                true => drop(alike.insert(&[], entries)),
                false => entries.into_iter().for_each(|entry| {
                    let key = of_entry.get(&entry).map_or(&[][..], Vec::as_slice);
                    alike.entry(key).or_default().push(entry);
                }),
            }
            cells.parts.push(alike.len());
            of_atom.push((cells.members.len()..cells.members.len() + alike.len()).collect());
            for (key, entries) in alike {
                key.iter().for_each(|(place, weight)| cells.sums[*place].push((cells.members.len(), *weight)));
                cells.members.push(entries);
                cells.atom_of.push(atom as u32);
            }
        }
        for (place, figure) in cells.used.iter().enumerate().filter(|(_, figure)| of.weighed.is_flat(**figure)) {
            let all = sets[*figure].iter().flat_map(|atom| &of_atom[*atom as usize]);
            cells.sums[place] = all.map(|cell| (*cell, 1)).collect();
        }
        cells
    }

    /// The atoms that some cells make up, ascending; `None` if they do not make up whole ones.
    pub(super) fn atoms(&self, sum: &[(usize, i64)]) -> Option<Vec<u32>> {
        let mut met: BTreeMap<u32, usize> = BTreeMap::new();
        sum.iter().for_each(|(cell, _)| *met.entry(self.atom_of[*cell]).or_default() += 1);
        let is_whole = met.iter().all(|(atom, count)| self.parts[*atom as usize] == *count);
        is_whole.then(|| met.into_keys().collect())
    }

    /// How many people there are in some cells.
    pub(super) fn people(&self, of: &Figures<'_>, cells: impl Iterator<Item = usize>) -> usize {
        let entries = cells.flat_map(|cell| &self.members[cell]);
        let mut people: Vec<usize> = entries.map(|entry| of.persons.of_entry(*entry as usize)).collect();
        people.sort_unstable();
        people.dedup();
        people.into_iter().map(|person| of.persons.size(person)).sum::<u64>() as usize
    }

    /// Whether every two figures have nobody in common, or one lies inside the other, and all weigh everybody alike.
    pub(super) fn are_nested(&self) -> bool {
        let mut by_size: Vec<&Sum> = self.sums.iter().collect();
        by_size.sort_compact_by_key(|sum| std::cmp::Reverse(sum.len()));
        // The smallest figure so far that a cell is in: of a smaller one, all cells must have the same.
        let mut inside_of: Vec<Option<usize>> = vec![None; self.members.len()];
        for (figure, sum) in by_size.into_iter().enumerate() {
            let first = sum.first().and_then(|(cell, _)| inside_of[*cell]);
            if sum.iter().any(|(cell, _)| inside_of[*cell] != first) {
                return false;
            }
            sum.iter().for_each(|(cell, _)| inside_of[*cell] = Some(figure));
        }
        self.are_flat
    }
}

/// Weights as whole numbers in the same proportions; `None` if they are in none.
pub(super) fn whole_weights(weights: &[(u32, f64)]) -> Option<Vec<(u32, i64)>> {
    let least = weights.iter().map(|(_, weight)| weight.abs()).fold(f64::INFINITY, f64::min);
    let mut known: HashMap<u64, (f64, f64)> = HashMap::new();
    let mut common = 1i64;
    for (_, weight) in weights {
        if let Entry::Vacant(new) = known.entry(weight.to_bits()) {
            let (_, denominator) = *new.insert(fraction(weight / least)?);
            common = (common / gcd(common, denominator as i64)).checked_mul(denominator as i64)?;
            if common as f64 > LARGEST {
                return None;
            }
        }
    }
    let whole = weights.iter().map(|(entry, weight)| {
        let (numerator, denominator) = known[&weight.to_bits()];
        let whole = numerator * (common as f64 / denominator);
        (whole.abs() <= LARGEST).then_some((*entry, whole as i64))
    });
    whole.collect()
}

/// The fraction that a number is meant to be, by its continued fraction.
fn fraction(value: f64) -> Option<(f64, f64)> {
    let (mut numerators, mut denominators) = ((1.0, value.floor()), (0.0, 1.0));
    let mut rest = value - value.floor();
    while (numerators.1 / denominators.1 - value).abs() > SAME_RATIO * value.abs() {
        let next = (1.0 / rest).floor();
        numerators = (numerators.1, next * numerators.1 + numerators.0);
        denominators = (denominators.1, next * denominators.1 + denominators.0);
        rest = 1.0 / rest - next;
        // Not a number is no fraction either.
        if !(denominators.1 <= LARGEST_DENOMINATOR && numerators.1.abs() <= LARGEST) {
            return None;
        }
    }
    (value.is_finite() && numerators.1.abs() <= LARGEST).then_some((numerators.1, denominators.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_hours_are_in_proportion_to_the_hours() {
        let hours = [35.0, 37.5, 40.0, -12.0];
        let total: f64 = hours.iter().sum();
        let weights: Vec<(u32, f64)> = (0..).zip(hours.iter().map(|hours| hours / total)).collect();
        let found = whole_weights(&weights).expect("whole numbers");
        // 12 is the smallest: 70/24, 75/24, 80/24 and −24/24.
        assert_eq!(found, [(0, 70), (1, 75), (2, 80), (3, -24)]);
    }

    #[test]
    fn weights_in_no_proportion_are_none() {
        let weights = [(0, 1.0), (1, std::f64::consts::PI)];
        assert_eq!(whole_weights(&weights), None);
        assert_eq!(whole_weights(&[(0, 1.0), (1, f64::NAN)]), None);
        assert_eq!(whole_weights(&[(0, 1e-300), (1, 1e300)]), None);
    }
}
