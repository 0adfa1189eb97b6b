//! Figures that weigh people in the same proportions: what follows from them is a question about sums.
//!
//! With wᵢ the weight of somebody in a survey, the figures Σ wᵢ·xᵢ of different groups, and means that divide them by Σ wᵢ,
//! are sums of yᵢ = wᵢ·xᵢ up to a factor each. Figures are put into families by that, the largest first; two
//! families become one where a figure has people of both.

use std::collections::HashMap;

use super::SAME;

/// More families than this are not looked for.
const MOST_FAMILIES: usize = 64;

/// Figures t·Σ baseᵢ·xᵢ with the same bases.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Family {
    /// By entry; `None` if all are 1.
    base: Option<HashMap<u32, f64>>,
    /// The figures and their factors t.
    pub(super) figures: Vec<(usize, f64)>,
}

impl Family {
    /// Figures in which everybody has the same weight.
    pub(super) fn flat() -> Self {
        Family::default()
    }

    pub(super) fn is_flat(&self) -> bool {
        self.base.is_none()
    }

    /// The base of somebody who is in one of the figures.
    pub(super) fn base(&self, entry: u32) -> f64 {
        self.base.as_ref().map_or(1.0, |base| base.get(&entry).copied().unwrap_or(1.0))
    }

    /// t of a figure with these weights; `None` if it has nobody of the family, or other proportions.
    fn factor(&self, weights: &[(u32, f64)]) -> Option<f64> {
        let base = self.base.as_ref()?;
        let mut ratios = weights.iter().filter_map(|(entry, weight)| Some(weight / base.get(entry)?));
        let first = ratios.next().filter(|ratio| ratio.is_finite() && *ratio != 0.0)?;
        ratios.all(|ratio| (ratio - first).abs() <= SAME * first.abs()).then_some(first)
    }

    /// Takes in another family, whose bases are these times a factor; false if they disagree about somebody.
    fn merge(&mut self, other: &Family, factor: f64) -> bool {
        let (Some(base), Some(others)) = (&mut self.base, &other.base) else { return false };
        let agrees = |(entry, of_other): (&u32, &f64)| {
            base.get(entry).is_none_or(|own| (own - of_other * factor).abs() <= SAME * own.abs())
        };
        if !others.iter().all(agrees) {
            return false;
        }
        base.extend(others.iter().map(|(entry, of_other)| (*entry, of_other * factor)));
        self.figures.extend(other.figures.iter().map(|(figure, t)| (*figure, t / factor)));
        true
    }
}

/// The families of figures with weights that differ, from the weights of each.
pub(super) fn families(mut figures: Vec<(usize, Vec<(u32, f64)>)>) -> Vec<Family> {
    figures.sort_by_key(|(figure, weights)| (std::cmp::Reverse(weights.len()), *figure));
    let mut families: Vec<Family> = Vec::new();
    for (figure, weights) in &figures {
        let fitting: Vec<(usize, f64)> =
            families.iter().enumerate().filter_map(|(at, family)| Some((at, family.factor(weights)?))).collect();
        let Some((first, t)) = fitting.first().copied() else {
            if families.len() < MOST_FAMILIES {
                families.push(Family { base: Some(weights.iter().copied().collect()), figures: vec![(*figure, 1.0)] });
            }
            continue;
        };
        // The last first, so that places stay what they are.
        for (at, of_other) in fitting.iter().skip(1).rev() {
            let other = families.remove(*at);
            if !families[first].merge(&other, of_other / t) {
                families.insert(*at, other);
            }
        }
        let family = &mut families[first];
        if let Some(base) = &mut family.base {
            weights.iter().for_each(|(entry, weight)| {
                base.entry(*entry).or_insert(weight / t);
            });
        }
        family.figures.push((*figure, t));
    }
    families.retain(|family| family.figures.len() > 1);
    families
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighted(people: std::ops::Range<u32>, by: f64) -> Vec<(u32, f64)> {
        people.map(|person| (person, by * (1.0 + f64::from(person % 7)))).collect()
    }

    #[test]
    fn weighted_totals_and_means_of_the_same_survey_are_a_family() {
        // Two groups, a figure that links them, and one with other weights.
        let others: Vec<(u32, f64)> = (0..30).map(|person| (person, f64::from(person) + 0.5)).collect();
        let figures =
            vec![(0, weighted(0..20, 0.25)), (1, weighted(20..40, 3.0)), (2, weighted(15..30, 1.0)), (3, others)];
        let found = families(figures);
        assert_eq!(found.len(), 1, "{found:?}");
        let mut of: Vec<usize> = found[0].figures.iter().map(|(figure, _)| *figure).collect();
        of.sort_unstable();
        assert_eq!(of, [0, 1, 2]);
        // t·base is the weight that each has.
        for (figure, t) in &found[0].figures {
            let (range, by) = [(0..20, 0.25), (20..40, 3.0), (15..30, 1.0)][*figure].clone();
            for (entry, weight) in weighted(range, by) {
                assert!((t * found[0].base(entry) - weight).abs() < 1e-12 * weight);
            }
        }
    }
}
