//! In which order classes are gone through, so that as few different sums as possible are open at a time.
//!
//! Figures that have had the same classes so far, with the same weights, have come to the same: they are one sum. With figures inside
//! each other the innermost classes go first, which begins all figures at once but only one sum; with figures that overlap it is
//! better to end those that have begun. Both ways are tried.

use std::collections::{BTreeMap, BTreeSet};

use super::walk::Kind;

/// With more classes times figures, sums are not told apart.
const MOST_COMPARED: usize = 20_000;

/// The order of the kinds.
pub(super) fn order(kinds: &[Kind], figures: usize) -> Vec<usize> {
    let touches = |place: usize, figure: usize| kinds[place].weights.iter().any(|weights| weights[figure] != 0);
    let figures_of: Vec<Vec<usize>> =
        (0..kinds.len()).map(|place| (0..figures).filter(|figure| touches(place, *figure)).collect()).collect();
    let by_figures = fewest_begun(kinds, &figures_of, figures);
    if kinds.len() * figures > MOST_COMPARED {
        return by_figures;
    }
    let by_sums = fewest_sums(kinds, &figures_of, figures);
    if widest(kinds, &figures_of, figures, &by_sums) < widest(kinds, &figures_of, figures, &by_figures) {
        by_sums
    } else {
        by_figures
    }
}

/// Those first that begin the fewest new figures, and end the most.
fn fewest_begun(kinds: &[Kind], figures_of: &[Vec<usize>], figures: usize) -> Vec<usize> {
    let mut left: Vec<usize> = vec![0; figures];
    figures_of.iter().flatten().for_each(|figure| left[*figure] += 1);
    let mut begun = vec![false; figures];
    let mut waiting: Vec<usize> = (0..kinds.len()).collect();
    let mut order = Vec::with_capacity(kinds.len());
    while !waiting.is_empty() {
        let cost = |place: usize| {
            let begins = figures_of[place].iter().filter(|figure| !begun[**figure]).count() as i64;
            let ends = figures_of[place].iter().filter(|figure| left[**figure] == 1).count() as i64;
            let fewest = figures_of[place].iter().map(|figure| left[*figure]).min().unwrap_or(0);
            (begins - ends, fewest, kinds[place].count, place)
        };
        let Some(at) = (0..waiting.len()).min_by_key(|at| cost(waiting[*at])) else { break };
        let place = waiting.swap_remove(at);
        for figure in &figures_of[place] {
            begun[*figure] = true;
            left[*figure] -= 1;
        }
        order.push(place);
    }
    order
}

/// The sums that are open while classes are gone through: figures with the same number have come to the same.
struct Sums {
    sum_of: Vec<usize>,
    /// How many classes of each figure are to come.
    left: Vec<usize>,
}

impl Sums {
    fn new(figures_of: &[Vec<usize>], figures: usize) -> Self {
        let mut left = vec![0; figures];
        figures_of.iter().flatten().for_each(|figure| left[*figure] += 1);
        // All figures have come to 0.
        Sums { sum_of: vec![0; figures], left }
    }

    /// The sums after a class, by the number of the sum before and what the class weighs in it.
    fn after(&self, kind: &Kind) -> Vec<usize> {
        let mut known: BTreeMap<(usize, Vec<i64>), usize> = BTreeMap::new();
        let mut sums = Vec::with_capacity(self.sum_of.len());
        for (figure, sum) in self.sum_of.iter().enumerate() {
            let weights: Vec<i64> = kind.weights.iter().map(|weights| weights[figure]).collect();
            let next = known.len();
            sums.push(*known.entry((*sum, weights)).or_insert(next));
        }
        sums
    }

    /// How many sums are open after a class.
    fn open_after(&self, kind: &Kind, of_kind: &[usize], is_begun: &[bool]) -> usize {
        let is_open = |figure: &usize| {
            let is_in = of_kind.binary_search(figure).is_ok();
            (is_in || is_begun[*figure]) && self.left[*figure] > usize::from(is_in)
        };
        let sums = self.after(kind);
        (0..sums.len()).filter(is_open).map(|figure| sums[figure]).collect::<BTreeSet<usize>>().len()
    }

    fn add(&mut self, kind: &Kind, of_kind: &[usize], is_begun: &mut [bool]) {
        self.sum_of = self.after(kind);
        for figure in of_kind {
            self.left[*figure] -= 1;
            is_begun[*figure] = true;
        }
    }
}

/// Those first that leave the fewest sums open; of these, those that are in the most figures.
fn fewest_sums(kinds: &[Kind], figures_of: &[Vec<usize>], figures: usize) -> Vec<usize> {
    let mut sums = Sums::new(figures_of, figures);
    let mut is_begun = vec![false; figures];
    let mut waiting: BTreeSet<usize> = (0..kinds.len()).collect();
    let mut order = Vec::with_capacity(kinds.len());
    loop {
        let cost = |place: &usize| {
            let of_kind = &figures_of[*place];
            let open = sums.open_after(&kinds[*place], of_kind, &is_begun);
            (open, std::cmp::Reverse(of_kind.len()), kinds[*place].count, *place)
        };
        let Some(place) = waiting.iter().copied().min_by_key(cost) else { return order };
        waiting.remove(&place);
        sums.add(&kinds[place], &figures_of[place], &mut is_begun);
        order.push(place);
    }
}

/// How many sums are open at once, at most.
fn widest(kinds: &[Kind], figures_of: &[Vec<usize>], figures: usize, order: &[usize]) -> usize {
    let mut sums = Sums::new(figures_of, figures);
    let mut is_begun = vec![false; figures];
    let mut widest = 0;
    for place in order {
        widest = widest.max(sums.open_after(&kinds[*place], &figures_of[*place], &is_begun));
        sums.add(&kinds[*place], &figures_of[*place], &mut is_begun);
    }
    widest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One person each, in some figures with a weight of 1.
    fn kinds(figures: usize, of: &[&[usize]]) -> Vec<Kind> {
        let kind = |in_figures: &&[usize]| {
            let one = (0..figures).map(|figure| i64::from(in_figures.contains(&figure))).collect();
            Kind {
                count: 1,
                weights: vec![vec![0; figures], one],
                laws: vec![0.5; 2],
                group_of: vec![Some(0), Some(1)],
            }
        };
        of.iter().map(kind).collect()
    }

    #[test]
    fn figures_inside_each_other_are_one_sum_from_the_innermost_on() {
        let kinds = kinds(4, &[&[3], &[2, 3], &[1, 2, 3], &[0, 1, 2, 3]]);
        assert_eq!(order(&kinds, 4), [3, 2, 1, 0]);
    }

    #[test]
    fn a_chain_of_overlaps_has_one_sum_open() {
        let kinds = kinds(3, &[&[0], &[1, 2], &[0, 1], &[2]]);
        let figures_of: Vec<Vec<usize>> = vec![vec![0], vec![1, 2], vec![0, 1], vec![2]];
        assert_eq!(widest(&kinds, &figures_of, 3, &order(&kinds, 3)), 1);
    }
}
