//! What is seen of a figure that is published as it is, or rounded to a base.

use super::super::defence::Protection;
use super::super::observe::published;
use super::peel::Evidence;
use privug_engine::number::Scalar;

/// So many values on each side of the real one are tried; a coarser rounding is taken as if there were none.
const MOST_VALUES: i64 = 1 << 16;

/// What a figure with this real value and weight total tells. `least` and `most` are what its total can be at all.
///
/// - rounded to the nearest multiple of the unit: all totals that are rounded to the same are equally likely to be seen so;
/// - rounded at random to a base b, up with probability r/b where r is the rest: a total with the rest r is seen as the
///   multiple below with probability 1 − r/b and as the one above with probability r/b. Which of the two will be published
///   is not known beforehand: this is the likelier one, and [`other_outcome`] the other.
pub(super) fn evidence<S: Scalar>(
    value: &S,
    total: i64,
    unit: f64,
    bounds: (i64, i64),
    protection: &Protection,
    figure: usize,
) -> Evidence {
    let base = protection.rounded_to[figure];
    told(value, total, unit, bounds, protection, figure, (value.to_f64() / base).round() * base)
}

/// What a figure tells that is rounded at random and published as the less likely of two multiples; `None` if there is only one.
pub(super) fn other_outcome<S: Scalar>(
    value: &S,
    total: i64,
    unit: f64,
    bounds: (i64, i64),
    protection: &Protection,
    figure: usize,
) -> Option<Evidence> {
    let (base, real) = (protection.rounded_to[figure], value.to_f64());
    if !protection.rounded_at_random[figure] || base <= 0.0 {
        return None;
    }
    let likelier = (real / base).round() * base;
    if (likelier - real).abs() <= 1e-9 * base {
        return None;
    }
    let other = if likelier > real { likelier - base } else { likelier + base };
    Some(told(value, total, unit, bounds, protection, figure, other))
}

/// `multiple` is what is published of a figure that is rounded at random.
fn told<S: Scalar>(
    value: &S,
    total: i64,
    unit: f64,
    (least, most): (i64, i64),
    protection: &Protection,
    figure: usize,
    multiple: f64,
) -> Evidence {
    let base = protection.rounded_to[figure];
    if base <= 0.0 || !unit.is_finite() {
        return Evidence::Exact(total);
    }
    let real = value.to_f64();
    let value_of = |other: i64| real + unit * (other - total) as f64;
    let likelihood: Box<dyn Fn(i64) -> f64> = if protection.rounded_at_random[figure] {
        Box::new(move |other| {
            let rest = (value_of(other) - multiple).abs() / base;
            // Rounding errors of shares are no rests.
            if rest >= 1.0 - 1e-9 { 0.0 } else { 1.0 - rest }
        })
    } else {
        let seen = published(value, base);
        Box::new(move |other| f64::from(u8::from(published(&value_of(other), base) == seen)))
    };
    let mut from = total;
    while from > least && total - from < MOST_VALUES && likelihood(from - 1) > 0.0 {
        from -= 1;
    }
    let mut to = total;
    while to < most && to - total < MOST_VALUES && likelihood(to + 1) > 0.0 {
        to += 1;
    }
    if total - from == MOST_VALUES || to - total == MOST_VALUES {
        return Evidence::Exact(total);
    }
    if from == to {
        return Evidence::Exact(total);
    }
    Evidence::Likely { from, weights: (from..=to).map(likelihood).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: f64, base: f64, at_random: bool) -> Evidence {
        let protection =
            Protection { rounded_to: vec![base], rounded_at_random: vec![at_random], ..Protection::default() };
        evidence(&value, value as i64, 1.0, (0, 100), &protection, 0)
    }

    #[test]
    fn a_rounded_count_is_one_of_those_that_are_rounded_to_it() {
        // From the middle to the even multiple: 8 to 12 are rounded to 10; 0 to 2 to 0.
        assert_eq!(of(9.0, 5.0, false), Evidence::Likely { from: 8, weights: vec![1.0; 5] });
        assert_eq!(of(1.0, 5.0, false), Evidence::Likely { from: 0, weights: vec![1.0; 3] });
        assert_eq!(of(7.0, 0.0, false), Evidence::Exact(7));
    }

    #[test]
    fn a_count_rounded_at_random_is_likelier_the_nearer_it_is() {
        let Evidence::Likely { from, weights } = of(7.0, 3.0, true) else { panic!("rounded") };
        // 7 is published as 6 with probability 2/3; 4 and 5, 7 and 8 may be behind a 6.
        assert_eq!((from, weights.len()), (4, 5));
        for (weight, wanted) in weights.iter().zip([1.0, 2.0, 3.0, 2.0, 1.0]) {
            assert!((weight - wanted / 3.0).abs() < 1e-12);
        }
        // As 9 with probability 1/3; that of 9 itself would be known.
        let protection = Protection { rounded_to: vec![3.0], rounded_at_random: vec![true], ..Protection::default() };
        let other = |value: f64| other_outcome(&value, value as i64, 1.0, (0, 100), &protection, 0);
        let Some(Evidence::Likely { from, weights }) = other(7.0) else { panic!("9 may be published") };
        assert_eq!((from, weights.len()), (7, 5));
        assert_eq!(other(9.0), None);
    }
}
