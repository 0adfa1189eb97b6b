//! Of how few people a figure of many is, in effect.
//!
//! *Outweighed.* A total in which five people count a thousand times as much as two hundred others is one of five: what the
//! others add hides them like noise of the standard deviation σ·√Σwᵢ², and that is next to nothing. People are left out,
//! those with the smallest weights first, as long as this is at most a part of what the largest weight adds.
//!
//! *Digits.* Secrets are written with so many decimals: xᵢ = b + u·kᵢ with integers 0 ≤ kᵢ ≤ K. With wᵢ·u = g·qᵢ + rᵢ and
//! integers qᵢ, a figure tells g·Σqᵢkᵢ + Σrᵢkᵢ. If K·Σ|rᵢ| < g, the second sum is known from the first digits on: both
//! are as good as published. So the total of whole numbers in which one person counts 1.000001 times shows the value of this
//! person behind the point, and a thousand times one count and another are two counts. The same is asked again of what is left.

use privug_engine::sorting::CompactSort;

/// A remainder that is so much smaller than the largest step is a rounding error.
const ROUNDED: f64 = 1.0 / (1_u64 << 49) as f64;

/// Doubles have so many digits.
const SHOWN: f64 = 1.0 / (1_u64 << 52) as f64;

/// Larger integers are not exact in doubles.
const LARGEST: f64 = (1_u64 << 53) as f64;

/// Most decimals that secrets are looked at with.
const DECIMALS: i32 = 9;

/// Those whom others outweigh amount to at most this part of the largest weight, whatever a policy says about estimates:
/// somebody with a few rows of their own outweighs nobody.
const MOST_HIDDEN: f64 = 0.25;

/// Of so many weights the remainders by the smallest are tried.
const TRIED: usize = 64;

/// That a figure is in effect about fewer people than have a weight in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InEffect {
    /// How many people it is about, or the fewest that a part of its digits is about.
    pub people: usize,
    /// Why.
    pub because: Because,
    /// By how much one of them can change it, or these digits of it.
    pub reach: f64,
}

/// Why a figure of many people is one of few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// The others have next to no weight.
    Outweighed,
    /// Its digits show sums about different people.
    Digits,
}

/// The steps in which the secrets of a column are written: its unit, and how many of these lie between the smallest and the
/// largest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Steps {
    pub(super) unit: f64,
    pub(super) count: f64,
}

impl Steps {
    /// Those of some values; `None` if they have too many digits, or are all the same.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let decimals = (0..=DECIMALS).find(|decimals| {
            let scale = 10_f64.powi(*decimals);
            // The nearest multiple is the value itself, as it is written.
            values.iter().all(|value| (value * scale).round() / scale == *value && (value * scale).abs() < LARGEST)
        })?;
        let unit = 10_f64.powi(-decimals);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (most > least).then(|| Steps { unit, count: ((most - least) / unit).round() })
    }
}

/// The greatest common divisor.
pub(super) fn divisor(mut one: u64, mut other: u64) -> u64 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// What somebody adds to a figure: `step` times an integer between 0 and `count`, of so many people who are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summand {
    pub(super) person: usize,
    pub(super) people: usize,
    pub(super) step: f64,
    pub(super) count: f64,
}

/// How many people are left without those who are outweighed, of (|weight|, people); `part` is what the others may amount to,
/// of the largest weight.
pub(super) fn outweighing(mut weights: Vec<(f64, usize)>, part: f64) -> Option<InEffect> {
    let part = part.min(MOST_HIDDEN);
    let largest = weights.iter().map(|(weight, _)| *weight).fold(0.0, f64::max);
    let all: usize = weights.iter().map(|(_, people)| people).sum();
    weights.retain(|(weight, _)| *weight <= part * largest);
    weights.sort_compact_by(|one, other| one.0.total_cmp(&other.0));
    let (mut hidden, mut squares) = (0, 0.0);
    for (weight, people) in weights {
        let room = (((part * largest).powi(2) - squares) / (weight * weight)).max(0.0);
        let some = if weight == 0.0 { people } else { people.min(room as usize) };
        squares += weight * weight * some as f64;
        hidden += some;
    }
    (hidden > 0).then_some(InEffect { people: all - hidden, because: Because::Outweighed, reach: f64::INFINITY })
}

/// The steps of one size: Σ and the largest of the counts.
struct Class {
    step: f64,
    total: f64,
    largest: f64,
}

/// The part of a figure's digits that is about the fewest people, if there are several; `size` is how large the figure can be.
pub(super) fn digits(mut summands: Vec<Summand>, size: f64) -> Option<InEffect> {
    summands.sort_compact_by(|one, other| other.step.abs().total_cmp(&one.step.abs()));
    let mut classes: Vec<Class> = Vec::new();
    let mut class_of: Vec<usize> = Vec::with_capacity(summands.len());
    let largest = summands.first().map_or(0.0, |summand| summand.step.abs());
    for Summand { people, step, count, .. } in &summands {
        let (step, total) = (step.abs(), count * *people as f64);
        match classes.last_mut().filter(|class| class.step - step <= ROUNDED * largest) {
            Some(class) => (class.total, class.largest) = (class.total + total, class.largest.max(*count)),
            None => classes.push(Class { step, total, largest: *count }),
        }
        class_of.push(classes.len() - 1);
    }
    if classes.len() < 2 {
        return None;
    }
    let people = |is_in: &dyn Fn(usize) -> bool| -> usize {
        let meant = summands.iter().zip(&class_of).filter(|(_, class)| is_in(**class));
        let mut whom: Vec<(usize, usize)> = meant.map(|(summand, _)| (summand.person, summand.people)).collect();
        whom.sort_unstable();
        whom.dedup_by_key(|(person, _)| *person);
        whom.iter().map(|(_, people)| people).sum()
    };
    let mut fewest: Option<InEffect> = None;
    let mut keep = |people: usize, reach: f64| {
        if people > 0 && fewest.is_none_or(|fewest| people < fewest.people) {
            fewest = Some(InEffect { people, because: Because::Digits, reach });
        }
    };
    let whole: Vec<f64> = classes.iter().map(|class| class.step).collect();
    let mut rest = whole.clone();
    for (unit, error) in units(&whole) {
        // Of the figure itself, and of what larger units left of it.
        for is_rest in [false, true] {
            let steps = if is_rest { &rest } else { &whole };
            let Some(left) = remainders(&classes, steps, (unit, error), SHOWN * size) else { continue };
            let reach = classes.iter().zip(&left).map(|(class, left)| left.abs() * class.largest).fold(0.0, f64::max);
            keep(people(&|class| (steps[class] / unit).round() != 0.0), unit);
            keep(people(&|class| left[class] != 0.0), reach);
            if is_rest {
                rest = left;
            }
        }
    }
    fewest
}

/// What a unit leaves of steps, if what that adds up to cannot be taken for a unit, and is shown.
fn remainders(classes: &[Class], steps: &[f64], (unit, error): (f64, f64), shown: f64) -> Option<Vec<f64>> {
    let mut left = Vec::with_capacity(steps.len());
    let (mut width, mut largest, mut is_above) = (0.0, 0.0_f64, false);
    for (class, step) in classes.iter().zip(steps) {
        let times = (step / unit).round();
        let rest = step - unit * times;
        let rest = if rest.abs() <= error * times.abs().max(1.0) { 0.0 } else { rest };
        is_above |= times != 0.0;
        width += rest.abs() * class.total;
        largest = largest.max(rest.abs() * class.largest);
        left.push(rest);
        if width >= unit {
            return None;
        }
    }
    (is_above && largest > shown).then_some(left)
}

/// What steps may be multiples of, but for a little, descending: themselves, what is between two, and what the smallest leaves;
/// with how far rounding may have moved it. Steps may be differences, and are as rounded as the largest.
fn units(steps: &[f64]) -> Vec<(f64, f64)> {
    let (smallest, rounded) = (steps[steps.len() - 1], ROUNDED * steps[0]);
    let between = steps.windows(2).map(|pair| (pair[0] - pair[1], rounded));
    let left = steps.iter().take(TRIED).map(|step| (step % smallest, rounded * (step / smallest)));
    let mut units: Vec<(f64, f64)> = steps.iter().map(|step| (*step, rounded)).chain(between).chain(left).collect();
    units.retain(|(unit, error)| unit > error);
    units.sort_compact_by(|one, other| other.0.total_cmp(&one.0));
    units.dedup();
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    /// People with values between 0 and 1000 in steps of one, and these weights.
    fn weighed(weights: &[f64]) -> Option<usize> {
        let summand = |(person, step): (usize, &f64)| Summand { person, people: 1, step: *step, count: 1000.0 };
        let size = weights.iter().map(|weight| 1000.0 * weight.abs()).sum();
        digits(weights.iter().enumerate().map(summand).collect(), size).map(|found| found.people)
    }

    #[test]
    fn digits_show_sums_of_their_own() {
        let with = |few: usize, weight: f64| [vec![weight; few], vec![1.0; 50]].concat();
        // Behind the point, in front of 50 · 1000, and not beyond what a double shows.
        assert_eq!(weighed(&with(1, 1.000001)), Some(1));
        assert_eq!(weighed(&with(3, -1e6)), Some(3));
        assert_eq!(weighed(&with(3, 17.0)), None);
        assert_eq!(weighed(&with(1, 1.0 + 1e-15)), None);
        // Not all of them are multiples of one of the weights.
        assert_eq!(weighed(&[vec![2.0; 20], vec![5.0; 20], vec![5.000001; 4]].concat()), Some(4));
        // Three numbers in one.
        assert_eq!(weighed(&[vec![1.0; 20], vec![1e5; 7], vec![1e10; 20]].concat()), Some(7));
    }

    #[test]
    fn weights_of_surveys_and_what_rounding_leaves_are_no_digits() {
        let weights: Vec<f64> = (0..40).map(|person| 0.5 + f64::from(person * 37 % 40) * 0.113).collect();
        assert_eq!(weighed(&weights), None);
        let total: f64 = weights.iter().sum();
        assert_eq!(weighed(&weights.iter().map(|weight| weight / total).collect::<Vec<f64>>()), None);
        assert_eq!(weighed(&[0.3, 0.1 + 0.2, 0.1 * 3.0, 0.6, 0.9]), None);
        assert_eq!(weighed(&[1.0; 30]), None);
        // A slope: each regressor less their mean.
        let mean = (0..34).map(|person| f64::from(person * 7 % 90)).sum::<f64>() / 34.0;
        assert_eq!(weighed(&(0..34).map(|person| f64::from(person * 7 % 90) - mean).collect::<Vec<f64>>()), None);
    }

    #[test]
    fn values_have_the_steps_that_they_are_written_in() {
        assert_eq!(Steps::of(&[500.0, 700.0, 1501.0]), Some(Steps { unit: 1.0, count: 1001.0 }));
        assert_eq!(Steps::of(&[0.1, 0.25, 0.4]), Some(Steps { unit: 0.01, count: 30.0 }));
        assert_eq!(Steps::of(&[1.0 / 3.0, 0.5]), None);
        assert_eq!(Steps::of(&[4.0, 4.0]), None);
    }

    #[test]
    fn whoever_hides_less_than_a_tenth_of_the_largest_weight_is_outweighed() {
        let left = |weights: Vec<(f64, usize)>| outweighing(weights, 0.1).map(|found| found.people);
        assert_eq!(left(vec![(1000.0, 5), (1.0, 199)]), Some(5));
        // √199 is more than a tenth of 100: some of them hide little, together they hide enough.
        assert_eq!(left(vec![(100.0, 5), (1.0, 199)]), Some(104));
        assert_eq!(left([vec![(100.0, 1); 5], vec![(1.0, 1); 199]].concat()), Some(104));
        assert_eq!(left(vec![(1.0, 12), (0.2, 3)]), None);
    }
}
