//! Events about one secret: sets of numbers made of intervals, their algebra and their probability.

use std::cmp::Ordering;

use privug_engine::gaussian::Normal;

/// A gap between numbers: just before `value`, or just after it.
///
/// Cuts make open and closed ends the same thing: [a, b) is what lies between the cut before a and the cut before b.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cut {
    value: f64,
    after: bool,
}

impl Cut {
    /// Before every number.
    const START: Cut = Cut { value: f64::NEG_INFINITY, after: true };
    /// After every number.
    const END: Cut = Cut { value: f64::INFINITY, after: false };

    fn before(value: f64) -> Self {
        // No number is infinite, so that nothing lies at an infinite end; and −0 is 0.
        Cut { value: value + 0.0, after: value == f64::NEG_INFINITY }
    }

    fn after(value: f64) -> Self {
        Cut { value: value + 0.0, after: value != f64::INFINITY }
    }

    fn order(&self, other: &Self) -> Ordering {
        self.value.total_cmp(&other.value).then(self.after.cmp(&other.after))
    }
}

/// A set of numbers: finitely many intervals, each end in or out.
///
/// Kept as cuts in strictly rising order; every second stretch between them, from the first cut on, belongs to the set.
#[derive(Debug, Clone, PartialEq)]
pub struct Region(Vec<Cut>);

impl Region {
    /// No number.
    pub fn nothing() -> Self {
        Region(Vec::new())
    }

    /// Every number.
    pub fn everything() -> Self {
        Region(vec![Cut::START, Cut::END])
    }

    /// {x < bound}, or {x ≤ bound} if `inclusive`; `None` for NaN.
    pub fn below(bound: f64, inclusive: bool) -> Option<Self> {
        Self::between(f64::NEG_INFINITY, false, bound, inclusive)
    }

    /// {x > bound}, or {x ≥ bound} if `inclusive`; `None` for NaN.
    pub fn above(bound: f64, inclusive: bool) -> Option<Self> {
        Self::between(bound, inclusive, f64::INFINITY, false)
    }

    /// {x = value}; `None` for NaN.
    pub fn point(value: f64) -> Option<Self> {
        Self::between(value, true, value, true)
    }

    /// The numbers from `low` to `high`, with or without its ends; nothing if they are in the wrong order, `None` for NaN.
    pub fn between(low: f64, low_inclusive: bool, high: f64, high_inclusive: bool) -> Option<Self> {
        if low.is_nan() || high.is_nan() {
            return None;
        }
        let start = if low_inclusive { Cut::before(low) } else { Cut::after(low) };
        let end = if high_inclusive { Cut::after(high) } else { Cut::before(high) };
        Some(if start.order(&end) == Ordering::Less { Region(vec![start, end]) } else { Region::nothing() })
    }

    /// The numbers that are not in it.
    pub fn complement(&self) -> Self {
        let mut cuts = self.0.clone();
        // Crossing the first cut enters the set, so a new first cut turns it inside out.
        if cuts.first() == Some(&Cut::START) {
            cuts.remove(0);
        } else {
            cuts.insert(0, Cut::START);
        }
        if cuts.last() == Some(&Cut::END) {
            cuts.pop();
        } else {
            cuts.push(Cut::END);
        }
        Region(cuts)
    }

    /// The numbers in both.
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, |here, there| here && there)
    }

    /// The numbers in either.
    pub fn union(&self, other: &Self) -> Self {
        self.combine(other, |here, there| here || there)
    }

    /// Walks through the cuts of both and keeps those where the membership changes.
    fn combine(&self, other: &Self, member: impl Fn(bool, bool) -> bool) -> Self {
        let (mut i, mut j) = (0, 0);
        let mut cuts = Vec::new();
        let mut inside = false;
        while i < self.0.len() || j < other.0.len() {
            let order = match (self.0.get(i), other.0.get(j)) {
                (Some(a), Some(b)) => a.order(b),
                (Some(_), None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            let cut = if order == Ordering::Greater { other.0[j] } else { self.0[i] };
            i += usize::from(order != Ordering::Greater);
            j += usize::from(order != Ordering::Less);
            // After an odd number of its cuts one is inside a set.
            if member(i % 2 == 1, j % 2 == 1) != inside {
                inside = !inside;
                cuts.push(cut);
            }
        }
        Region(cuts)
    }

    /// Whether the number is in it.
    pub fn contains(&self, x: f64) -> bool {
        let place = Cut { value: x + 0.0, after: false };
        !x.is_nan() && self.0.iter().filter(|cut| cut.order(&place) != Ordering::Greater).count() % 2 == 1
    }

    /// Its intervals as (low, high), in rising order; a single number has low = high.
    pub fn intervals(&self) -> Vec<(f64, f64)> {
        self.0.chunks_exact(2).map(|ends| (ends[0].value, ends[1].value)).collect()
    }

    /// Probability of the event, as the sum over its disjoint intervals.
    ///
    /// Small probabilities keep their digits; ends matter only to a constant.
    pub fn probability(&self, normal: &Normal) -> f64 {
        if normal.is_constant() {
            return if self.contains(normal.mean()) { 1.0 } else { 0.0 };
        }
        let sum: f64 = self.intervals().into_iter().map(|(low, high)| normal.probability_between(low, high)).sum();
        // The sum of nothing is -0 in Rust.
        (sum + 0.0).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_engine::gaussian::testing::assert_relative;
    use proptest::prelude::*;

    fn between(low: f64, high: f64) -> Region {
        Region::between(low, false, high, false).expect("numbers")
    }

    fn normal(mean: f64, variance: f64) -> Normal {
        Normal::new(mean, variance).expect("valid")
    }

    #[test]
    fn nothing_has_a_probability_of_zero_without_a_sign() {
        let nothing = between(36.0, 34.0).probability(&normal(35.0, 4.0));
        assert!(nothing == 0.0 && nothing.is_sign_positive());
    }

    #[test]
    fn a_union_counts_the_overlap_once() {
        let unit = normal(0.0, 1.0);
        let union = between(-1.0, 0.5).union(&between(0.0, 1.0));
        assert_eq!(union.intervals(), [(-1.0, 1.0)]);
        // erf(1/√2).
        assert_relative(union.probability(&unit), 0.6826894921370859, 1e-15);
        let apart = between(-1.0, 0.0).union(&between(2.0, 3.0));
        assert_eq!(apart.intervals(), [(-1.0, 0.0), (2.0, 3.0)]);
    }

    #[test]
    fn both_far_tails_keep_their_digits() {
        let outside = between(-20.0, 20.0).complement();
        // Twice the upper tail at 20, mpmath.
        assert_relative(outside.probability(&normal(0.0, 1.0)), 2.0 * 2.7536241186062337e-89, 2e-15);
    }

    #[test]
    fn a_constant_honours_the_ends() {
        let five = normal(5.0, 0.0);
        let probability = |region: Option<Region>| region.expect("numbers").probability(&five);
        assert_eq!([probability(Region::below(5.0, false)), probability(Region::below(5.0, true))], [0.0, 1.0]);
        assert_eq!([probability(Region::above(5.0, false)), probability(Region::above(5.0, true))], [0.0, 1.0]);
        assert_eq!(probability(Region::point(5.0)), 1.0);
        assert_eq!(probability(Region::point(5.0).map(|five| five.complement())), 0.0);
        // (4, 5) ∪ (5, 6) has a hole at 5; closing one side of it fills it.
        let hole = between(4.0, 5.0).union(&between(5.0, 6.0));
        assert_eq!(hole.probability(&five), 0.0);
        assert_eq!(hole.intervals().len(), 2);
        let filled = hole.union(&Region::point(5.0).expect("a number"));
        assert_eq!((filled.probability(&five), filled.intervals()), (1.0, vec![(4.0, 6.0)]));
    }

    #[test]
    fn a_density_gives_no_mass_to_a_number() {
        let unit = normal(0.0, 1.0);
        assert_eq!(Region::point(0.0).expect("a number").probability(&unit), 0.0);
        assert_eq!(Region::point(0.0).expect("a number").complement().probability(&unit), 1.0);
    }

    #[test]
    fn strange_ends_are_harmless() {
        assert_eq!(Region::below(f64::NAN, true), None);
        assert_eq!(between(2.0, 1.0), Region::nothing());
        assert_eq!(between(1.0, 1.0), Region::nothing());
        assert_eq!(Region::point(f64::INFINITY), Some(Region::nothing()));
        assert_eq!(Region::below(f64::INFINITY, true), Some(Region::everything()));
        assert_eq!(Region::above(f64::NEG_INFINITY, true), Some(Region::everything()));
        assert_eq!(Region::above(f64::INFINITY, true), Some(Region::nothing()));
        assert_eq!(Region::nothing().complement(), Region::everything());
        assert_eq!(Region::everything().complement(), Region::nothing());
        assert!(Region::point(-0.0).expect("a number").contains(0.0));
    }

    fn regions() -> impl Strategy<Value = Region> {
        let ends = (-3..=3i8, any::<bool>(), -3..=3i8, any::<bool>());
        proptest::collection::vec(ends, 0..4).prop_map(|intervals| {
            intervals.into_iter().fold(Region::nothing(), |region, (low, closed_low, high, closed_high)| {
                let interval = Region::between(low.into(), closed_low, high.into(), closed_high);
                region.union(&interval.expect("numbers"))
            })
        })
    }

    proptest! {
        #[test]
        fn membership_follows_logic(a in regions(), b in regions(), half_steps in -8..=8i8) {
            let x = f64::from(half_steps) / 2.0;
            prop_assert_eq!(a.union(&b).contains(x), a.contains(x) || b.contains(x));
            prop_assert_eq!(a.intersection(&b).contains(x), a.contains(x) && b.contains(x));
            prop_assert_eq!(a.complement().contains(x), !a.contains(x));
            prop_assert_eq!(a.complement().complement(), a.clone());
            // De Morgan.
            prop_assert_eq!(a.union(&b).complement(), a.complement().intersection(&b.complement()));
        }

        #[test]
        fn probabilities_add_up(a in regions(), b in regions(), mean in -5.0..5.0f64, variance in 0.0..9.0f64) {
            let normal = normal(mean, variance);
            let p = |region: &Region| region.probability(&normal);
            prop_assert!((p(&a) + p(&a.complement()) - 1.0).abs() < 1e-14);
            prop_assert!((p(&a) + p(&b) - p(&a.union(&b)) - p(&a.intersection(&b))).abs() < 1e-14);
        }
    }
}
