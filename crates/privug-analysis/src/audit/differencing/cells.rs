//! People whom no figure of some kind tells apart, and these figures as sums of whole numbers over them.
//!
//! Figures without noise that weigh people in proportions of whole numbers are of one kind; with noise that hides nobody they are
//! another. The third are figures with weights in no such proportions, such as those of a survey: most of them weigh people by
//! the same weights wᵢ, so that they are sums of whole numbers over wᵢ·xᵢ.

use privug_engine::sorting::CompactSort;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::super::dependent::gcd;
use super::super::implied::Sum;
use super::super::vanishing::LARGEST_SET;
use super::Figures;

/// Figures that weigh people differently are left out if they have more weights together.
const MOST_WEIGHTS: usize = 2_000_000;
/// Weights are in proportion to whole numbers if their ratios are fractions with denominators up to this, to within so much.
const LARGEST_DENOMINATOR: f64 = 10_000.0;
const SAME_RATIO: f64 = 1e-13;
/// No weight is larger.
const LARGEST: f64 = (1u64 << 40) as f64;

/// Ratios of weights that differ by less are meant to be the same.
const SAME: f64 = 1e-9;
/// What stands for a ratio that is none of whole numbers: something else for each.
const LARGEST_STAND_IN: u64 = 1 << 30;

/// The atoms of each figure, and the entries of each atom.
pub(super) type Atoms<'a> = (&'a [Vec<u32>], &'a [Vec<u32>]);

/// Which figures are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    /// Those with noise as well, as far as it hides nobody.
    Noisy,
    /// Those without noise that weigh people in no proportion of whole numbers.
    Odd,
}

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
    /// What the noise of each has to be multiplied by.
    pub(super) times: Vec<f64>,
    /// Whether all of them weigh everybody alike.
    pub(super) are_flat: bool,
    /// What everybody's value is multiplied by, by entry, if by anything.
    pub(super) units: Option<HashMap<u32, f64>>,
    /// Whether some weights are no ratios but stand for them: then it is known who is left, but not with which weights.
    pub(super) have_stand_ins: bool,
}

impl Cells {
    pub(super) fn new(of: &Figures<'_>, (sets, atoms): Atoms<'_>, published: &[usize], kind: Kind) -> Self {
        let is_meant = |figure: &&usize| match kind {
            Kind::Plain | Kind::Odd => of.noise(**figure) == 0.0,
            Kind::Noisy => !of.is_blurred(**figure),
        };
        let mut used: Vec<usize> =
            published.iter().filter(is_meant).filter(|figure| !sets[**figure].is_empty()).copied().collect();
        used.sort_unstable();
        let weights: usize = used.iter().filter_map(|figure| of.weighed.each(*figure)).map(<[_]>::len).sum();
        let mut whole: HashMap<usize, Vec<(u32, i64)>> = HashMap::new();
        if weights <= MOST_WEIGHTS {
            let found = used.iter().filter_map(|figure| Some((*figure, whole_weights(of.weighed.each(*figure)?)?)));
            whole.extend(found);
        }
        let mut units = None;
        let mut have_stand_ins = false;
        if kind == Kind::Odd {
            // Where all figures have weights, also those in whole proportions are compared in units of the weights: otherwise
            // everybody would be a cell of their own.
            let all_have_weights = !used.iter().any(|figure| of.weighed.is_flat(*figure));
            let is_odd =
                |figure: &usize| !of.weighed.is_flat(*figure) && (all_have_weights || !whole.contains_key(figure));
            let odd: Vec<usize> = used.iter().copied().filter(is_odd).collect();
            let in_units = InUnits::new(of, (sets, atoms), &used, if weights <= MOST_WEIGHTS { &odd } else { &[] });
            (whole, units, have_stand_ins) = (in_units.whole, Some(in_units.units), in_units.have_stand_ins);
            used.retain(|figure| whole.contains_key(figure));
        } else {
            used.retain(|figure| of.weighed.is_flat(*figure) || whole.contains_key(figure));
        }
        let times = used.iter().map(|figure| match (of.weighed.each(*figure), whole.get(figure)) {
            (Some([(_, weight), ..]), Some(whole)) => whole[0].1 as f64 / weight,
            _ => of.weighed.times_to_total(*figure).unwrap_or(1.0),
        });
        let times = times.collect();
        let mut of_entry: HashMap<u32, Sum> = HashMap::new();
        for (place, figure) in used.iter().enumerate() {
            for (entry, weight) in whole.get(figure).into_iter().flatten() {
                of_entry.entry(*entry).or_default().push((place, *weight));
            }
        }
        let are_flat = of_entry.is_empty();
        let (members, atom_of, parts, sums) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut cells = Cells { members, atom_of, parts, used, sums, times, are_flat, units, have_stand_ins };
        cells.sums.resize(cells.used.len(), Vec::new());
        let mut of_atom: Vec<Vec<usize>> = Vec::with_capacity(atoms.len());
        for (atom, entries) in atoms.iter().enumerate() {
            let mut alike: BTreeMap<&[(usize, i64)], Vec<u32>> = BTreeMap::new();
            match are_flat {
                true => drop(alike.insert(&[], entries.clone())),
                false => entries.iter().for_each(|entry| {
                    let key = of_entry.get(entry).map_or(&[][..], Vec::as_slice);
                    alike.entry(key).or_default().push(*entry);
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
        let is_flat = |figure: &usize| of.weighed.is_flat(*figure) && !whole.contains_key(figure);
        for (place, figure) in cells.used.iter().enumerate().filter(|(_, figure)| is_flat(figure)) {
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

/// Figures as sums over wᵢ·xᵢ, where wᵢ is what the largest figure with odd weights that somebody is in weighs them by.
struct InUnits {
    units: HashMap<u32, f64>,
    whole: HashMap<usize, Vec<(u32, i64)>>,
    have_stand_ins: bool,
}

impl InUnits {
    /// A ratio that is none of whole numbers is a number of its own, the same for the same ratio. What follows with such
    /// numbers follows with the real ones about the same people or fewer of them. A figure of which more ratios are unlike the
    /// others than figures could cancel is left out.
    fn new(of: &Figures<'_>, (sets, atoms): Atoms<'_>, used: &[usize], odd: &[usize]) -> Self {
        let mut by_size = odd.to_vec();
        by_size
            .sort_compact_by_key(|figure| (std::cmp::Reverse(of.weighed.each(*figure).map_or(0, <[_]>::len)), *figure));
        let mut units: HashMap<u32, f64> = HashMap::new();
        for (entry, weight) in by_size.iter().filter_map(|figure| of.weighed.each(*figure)).flatten() {
            units.entry(*entry).or_insert(*weight);
        }
        let mut found = InUnits { units, whole: HashMap::new(), have_stand_ins: false };
        if odd.is_empty() {
            return found;
        }
        for figure in used {
            let entries = || sets[*figure].iter().flat_map(|atom| &atoms[*atom as usize]);
            let ratios: Option<Vec<(u32, f64)>> = match of.weighed.each(*figure) {
                Some(each) => {
                    each.iter().map(|(entry, weight)| Some((*entry, weight / found.units.get(entry)?))).collect()
                }
                None => entries().map(|entry| Some((*entry, 1.0 / found.units.get(entry)?))).collect(),
            };
            // Whoever has no weight is in no figure with odd ones: such a figure is judged with those of whole numbers.
            let Some(mut ratios) = ratios else { continue };
            ratios.sort_unstable_by_key(|(entry, _)| *entry);
            if let Some(whole) = whole_weights(&ratios) {
                found.whole.insert(*figure, whole);
            } else if let Some(stand_ins) = stand_ins(&ratios, used.len() + LARGEST_SET) {
                found.have_stand_ins = true;
                found.whole.insert(*figure, stand_ins);
            }
        }
        found
    }
}

/// The commonest ratio as 1, and others as numbers that stand for them; `None` if more than so many people have others.
fn stand_ins(ratios: &[(u32, f64)], most: usize) -> Option<Vec<(u32, i64)>> {
    let mut values: Vec<f64> = ratios.iter().map(|(_, ratio)| *ratio).collect();
    values.sort_unstable_by(f64::total_cmp);
    let same = |a: f64, b: f64| (a - b).abs() <= SAME * a.abs();
    // Each with how many are the same as it.
    let mut runs: Vec<(f64, usize)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((of_run, count)) if same(*of_run, value) => *count += 1,
            _ => runs.push((value, 1)),
        }
    }
    let commonest = runs.iter().enumerate().max_by_key(|(_, (_, count))| *count).map(|(at, _)| at)?;
    if ratios.len() - runs[commonest].1 > most {
        return None;
    }
    let mut state = 2026u64;
    let numbers: Vec<i64> = (0..runs.len())
        .map(|run| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if run == commonest { 1 } else { ((state >> 33) % LARGEST_STAND_IN) as i64 + 2 }
        })
        .collect();
    let of_ratio = |ratio: f64| runs.iter().position(|(of_run, _)| same(*of_run, ratio)).map(|run| numbers[run]);
    ratios.iter().map(|(entry, ratio)| Some((*entry, of_ratio(*ratio)?))).collect()
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
