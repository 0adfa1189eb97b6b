//! How many values of a table of groups lie within a width of a bound of the column: between two numbers.
//!
//! Of a group of n people with the distances dᵢ from the bound, the smallest a and the largest b, the mean m and the variance v
//! are known. If a ≤ t < b, at least one of them is within t, and at least one is not. More than t are at most
//!
//! - n·(m − a)/(t − a) of them (Markov's inequality), and, if t > m, n·v/(v + (t − m)²) (Cantelli's);
//!
//! and within t are at most n·(b − m)/(b − t), and, if t < m, n·v/(v + (m − t)²).

use crate::audit::near_bound::Bound;
use privug_tables::register::Groups;

/// Halvings of the interval in which a width is looked for.
const HALVINGS: usize = 50;

/// Counts that differ by less are the same.
const SAME: f64 = 1e-9;

/// How far the people of a group are from a bound.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FromBound {
    people: f64,
    least: f64,
    most: f64,
    mean: f64,
    variance: f64,
}

impl FromBound {
    /// At least and at most so many are within a width.
    fn within(&self, width: f64) -> [f64; 2] {
        let FromBound { people, least, most, mean, variance } = *self;
        if width < least {
            return [0.0; 2];
        }
        if width >= most {
            return [people; 2];
        }
        let off = width - mean;
        let cantelli = |applies: bool| if applies { variance / (variance + off * off) } else { 1.0 };
        let beyond = ((mean - least) / (width - least)).min(cantelli(off > 0.0)) * people;
        let near = ((most - mean) / (most - width)).min(cantelli(off < 0.0)) * people;
        let at_most = |count: f64| (count * (1.0 + f64::EPSILON * 16.0) + SAME).floor();
        [(people - at_most(beyond)).max(1.0), at_most(near).clamp(1.0, people - 1.0)]
    }
}

/// How far all people of a table are from a bound.
pub(in crate::audit) struct Near {
    /// Groups of which somebody is as near as is looked for.
    groups: Vec<FromBound>,
    people: f64,
    widest: f64,
}

impl Near {
    /// From one bound of a column with this range, up to the `widest` width.
    pub(in crate::audit) fn new(groups: &Groups, bound: Bound, (least, most): (f64, f64), widest: f64) -> Self {
        let unit = 10_f64.powi(groups.scale as i32);
        let known = (0..groups.sizes.len()).filter_map(|group| Some((group, groups.sums[group]?)));
        let of = |(group, sum): (usize, i128)| {
            let people = groups.sizes[group] as f64;
            let mean = (sum as f64 / unit / people).clamp(groups.least[group], groups.most[group]);
            let (near, far, mean) = match bound {
                Bound::Smallest => (groups.least[group] - least, groups.most[group] - least, mean - least),
                Bound::Largest => (most - groups.most[group], most - groups.least[group], most - mean),
            };
            FromBound { people, least: near, most: far, mean, variance: groups.variances[group] }
        };
        let all = || known.clone().map(of);
        Near {
            people: all().map(|group| group.people).sum(),
            groups: all().filter(|group| group.least <= widest).collect(),
            widest,
        }
    }

    /// The width up to which less than a share of all people are within, for certain.
    pub(in crate::audit) fn surely_few(&self, share: f64) -> f64 {
        self.up_to(share, 1)[0]
    }

    /// The width up to which less than a share of all people may be within.
    pub(in crate::audit) fn perhaps_few(&self, share: f64) -> f64 {
        self.up_to(share, 0)[1]
    }

    /// An interval around the width from which on the smaller or larger count reaches a share.
    fn up_to(&self, share: f64, which: usize) -> [f64; 2] {
        let is_few = |width: f64| {
            self.groups.iter().map(|group| group.within(width)[which]).sum::<f64>() < share * self.people - SAME
        };
        if is_few(self.widest) {
            return [self.widest; 2];
        }
        if !is_few(0.0) {
            return [0.0; 2];
        }
        let (mut low, mut high) = (0.0, self.widest);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            *(if is_few(middle) { &mut low } else { &mut high }) = middle;
        }
        [low, high]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a group of people with these distances is known by.
    fn known(values: &[f64]) -> FromBound {
        let people = values.len() as f64;
        let mean = values.iter().sum::<f64>() / people;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / people;
        let (least, most) = values.iter().fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), x| (a.min(*x), b.max(*x)));
        FromBound { people, least, most, mean, variance }
    }

    /// Numbers below others, the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, count: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % count
        }
    }

    #[test]
    fn counts_are_between_the_two_numbers() {
        let mut random = Random(5);
        for _ in 0..4000 {
            let count = 1 + random.below(12);
            let is_skewed = random.below(2) == 1;
            let value = |random: &mut Random| {
                let value = random.below(20) as f64;
                if is_skewed { value.powi(3) } else { value }
            };
            let values: Vec<f64> = (0..count).map(|_| value(&mut random)).collect();
            let group = known(&values);
            for width in values.iter().copied().chain([0.0, 0.5, 3.5, 11.0, 300.5]) {
                let within = values.iter().filter(|value| **value <= width).count() as f64;
                let [least, most] = group.within(width);
                assert!((least..=most).contains(&within), "{values:?}: {within} within {width}, not {least} to {most}");
            }
        }
    }

    #[test]
    fn groups_of_one_or_two_tell_it_exactly() {
        let near = |values: &[&[f64]]| Near {
            groups: values.iter().map(|values| known(values)).collect(),
            people: values.iter().map(|values| values.len() as f64).sum(),
            widest: 100.0,
        };
        let near = near(&[&[0.0], &[1.0, 7.0], &[3.0], &[90.0, 95.0]]);
        // Less than half are nearer than the third, and less than three quarters nearer than the fifth.
        for (share, wanted) in [(0.5, 3.0), (0.75, 90.0)] {
            let (surely, perhaps) = (near.surely_few(share), near.perhaps_few(share));
            assert!((surely - wanted).abs() < 1e-9 && (perhaps - wanted).abs() < 1e-9, "{surely} {perhaps}");
        }
    }
}
