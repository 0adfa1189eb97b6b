//! What is possible for every entry, and what the rule says: bounds that the release gives, relative to the truth.

use super::Circumstances;
use super::classes::{Class, Kind};
use super::reach::signed;
use super::simplex::Side;
use super::solve::{Known, Method, SIDES};
use super::support::Support;
use super::system::System;
use crate::audit::exact::{self, decimal};
use crate::audit::policy::{Thresholds, Verdict};
use privug_engine::number::{Constants, Rational};
use privug_engine::sorting::CompactSort;

/// Doubles are off by far less than this part of a percentage.
const NEAR: f64 = 1e-9;

/// One for each entry.
pub(super) struct Columns {
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    pub(super) outsider_percent: Vec<f64>,
    pub(super) contributor_percent: Vec<f64>,
    pub(super) method: Vec<Method>,
    pub(super) verdict: Vec<Verdict>,
    /// `u32::MAX` for those in no figure.
    class: Vec<u32>,
}

/// The smallest and the largest value of a secret; `None` is no bound.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Interval {
    pub(super) lower: Option<Rational>,
    pub(super) upper: Option<Rational>,
}

/// The interval of a member, in the unit of the secret. With a person, that of the worst contributor besides them, and who
/// gives the lower and the upper bound.
pub(super) fn interval(known: &Known, kind: &Kind, person: Option<u32>) -> (Interval, [Option<u32>; 2]) {
    let mut ends = [None, None];
    let mut who = [None, None];
    for (index, side) in SIDES.into_iter().enumerate() {
        let (found, by) = match person {
            Some(person) => known.reach[index].for_insider(side, kind, person),
            None => (known.reach[index].for_outsider(side, kind), None),
        };
        let end = found.map(|most| signed(side, &most) / &kind.unit);
        let is_upper = (side == Side::Largest) == (kind.unit > Rational::ZERO);
        ends[usize::from(is_upper)] = end;
        who[usize::from(is_upper)] = by;
    }
    let [lower, upper] = ends;
    (Interval { lower, upper }, who)
}

impl Interval {
    /// How near the bounds are that the release gives: the smaller distance from the truth, `None` if it gives none. A bound
    /// of the support is known to everybody and tells nothing.
    pub(super) fn distance(&self, support: Option<&Support>, truth: &Rational) -> Option<Rational> {
        let told = |bound: &Option<Rational>, of_support: Option<&Rational>| {
            let bound = bound.as_ref().filter(|bound| Some(*bound) != of_support)?;
            Some(if bound < truth { truth - bound } else { bound - truth })
        };
        let below = told(&self.lower, support.and_then(|support| support.lower.as_ref()));
        let above = told(&self.upper, support.and_then(|support| support.upper.as_ref()));
        super::system::smaller(below, above)
    }
}

/// An interval in doubles, to judge many people quickly.
struct Quick<'i> {
    exact: &'i Interval,
    /// The bounds that the release gives.
    told: [Option<f64>; 2],
}

impl<'i> Quick<'i> {
    fn new(exact: &'i Interval, support: Option<&Support>) -> Self {
        let told = |bound: &Option<Rational>, of_support: Option<&Rational>| {
            bound.as_ref().filter(|bound| Some(*bound) != of_support).map(Constants::to_f64)
        };
        let below = told(&exact.lower, support.and_then(|support| support.lower.as_ref()));
        let above = told(&exact.upper, support.and_then(|support| support.upper.as_ref()));
        Quick { exact, told: [below, above] }
    }
}

/// Relative to the truth or, where that is 0, to the spread of the column; exactly where a threshold is near.
struct Judge<'a> {
    thresholds: &'a Thresholds,
}

impl Judge<'_> {
    fn percent(&self, quick: &Quick<'_>, support: Option<&Support>, truth: f64, spread: f64) -> (f64, Verdict) {
        let distances = quick.told.into_iter().flatten().map(|bound| (bound - truth).abs());
        let distance = distances.fold(f64::INFINITY, f64::min);
        let scale = if truth == 0.0 { spread } else { truth.abs() };
        let percent = match distance {
            f64::INFINITY => return (f64::INFINITY, Verdict::Pass),
            0.0 => 0.0,
            distance => 100.0 * distance / scale,
        };
        let limits = || [self.thresholds.review, self.thresholds.fail].into_iter().flatten();
        let is_near = |limit: f64| (percent - limit).abs() <= NEAR * limit.max(1.0);
        if (percent < NEAR || limits().any(is_near))
            && let (Some(real), Some(scale)) = (decimal(truth), decimal(scale))
            && let Some(distance) = quick.exact.distance(support, &real)
        {
            if Constants::is_zero(&distance) {
                return (0.0, exact::verdict(self.thresholds, &Rational::ZERO, true));
            }
            if !Constants::is_zero(&scale) {
                let percent = Rational::from(100) * distance / scale;
                return (Constants::to_f64(&percent), exact::verdict(self.thresholds, &percent, true));
            }
        }
        (percent, self.thresholds.at_least(percent))
    }
}

impl Columns {
    pub(super) fn of(
        system: &System,
        known: &[Known],
        entries: usize,
        around: &Circumstances<'_>,
        truths: &[f64],
    ) -> Self {
        let mut columns = Columns {
            lower: vec![f64::NEG_INFINITY; entries],
            upper: vec![f64::INFINITY; entries],
            outsider_percent: vec![f64::INFINITY; entries],
            contributor_percent: vec![f64::INFINITY; entries],
            method: vec![Method::Exact; entries],
            verdict: vec![Verdict::Pass; entries],
            class: vec![u32::MAX; entries],
        };
        for entry in 0..entries {
            if let Some(support) = &around.supports[around.persons.column(entry)] {
                columns.lower[entry] = support.lower.as_ref().map_or(f64::NEG_INFINITY, Constants::to_f64);
                columns.upper[entry] = support.upper.as_ref().map_or(f64::INFINITY, Constants::to_f64);
            }
        }
        for (class, made) in system.classes.iter().enumerate() {
            each(made, &known[class], around, truths, &mut |judged| {
                let Judged { entry, interval, outsider_percent, contributor_percent, verdict } = judged;
                columns.lower[entry] = interval.lower.as_ref().map_or(f64::NEG_INFINITY, Constants::to_f64);
                columns.upper[entry] = interval.upper.as_ref().map_or(f64::INFINITY, Constants::to_f64);
                columns.outsider_percent[entry] = outsider_percent;
                columns.contributor_percent[entry] = contributor_percent;
                columns.method[entry] = known[class].method;
                columns.verdict[entry] = verdict;
                columns.class[entry] = class as u32;
                true
            });
        }
        columns
    }

    /// The entries of which the rule says worst, one of each class, with their classes.
    pub(super) fn worst(&self, most: usize) -> Vec<(usize, usize)> {
        let is_told =
            |entry: &usize| self.verdict[*entry] > Verdict::Pass && self.contributor_percent[*entry].is_finite();
        let mut order: Vec<usize> = (0..self.verdict.len()).filter(is_told).collect();
        let key = |entry: &usize| (std::cmp::Reverse(self.verdict[*entry]), *entry);
        order.sort_compact_by(|one, other| {
            let percent = self.contributor_percent[*one].total_cmp(&self.contributor_percent[*other]);
            key(one).0.cmp(&key(other).0).then(percent).then(one.cmp(other))
        });
        let mut found: Vec<(usize, usize)> = Vec::new();
        for entry in order {
            let class = self.class[entry] as usize;
            if found.len() == most {
                break;
            }
            if !found.iter().any(|(_, other)| *other == class) {
                found.push((entry, class));
            }
        }
        found
    }
}

/// What the rule says of one entry.
struct Judged<'i> {
    entry: usize,
    /// For outsiders.
    interval: &'i Interval,
    outsider_percent: f64,
    contributor_percent: f64,
    verdict: Verdict,
}

/// Whether the rule says nothing against anybody of a class.
pub(super) fn all_pass(made: &Class, known: &Known, around: &Circumstances<'_>, truths: &[f64]) -> bool {
    let mut passes = true;
    each(made, known, around, truths, &mut |judged| {
        passes &= judged.verdict == Verdict::Pass;
        passes
    });
    passes
}

/// How far the sum of a class has to be able to move that the rule can say nothing against any member, whoever else shares it.
pub(super) fn wanted(made: &Class, around: &Circumstances<'_>, truths: &[f64]) -> Rational {
    let Thresholds { review, fail } = around.settings.policy.interval_percent;
    let percent = [review, fail].into_iter().flatten().fold(0.0, f64::max);
    let scale = |(entry, kind): &(u32, u32)| {
        let kind = &made.kinds[*kind as usize];
        let truth = truths[*entry as usize];
        let scale = decimal(if truth == 0.0 { around.spreads[kind.column] } else { truth })? * &kind.unit;
        Some(if scale < Rational::ZERO { -scale } else { scale })
    };
    let scales = made.members.iter().filter_map(scale);
    let largest = scales.fold(Rational::ZERO, |largest, scale| if scale > largest { scale } else { largest });
    largest * decimal(percent).unwrap_or(Rational::ZERO) / Rational::from(100)
}

/// Judges the members of a class one after the other, until told to stop.
fn each(
    made: &Class,
    known: &Known,
    around: &Circumstances<'_>,
    truths: &[f64],
    take: &mut dyn FnMut(Judged<'_>) -> bool,
) {
    let judge = Judge { thresholds: &around.settings.policy.interval_percent };
    // Nobody has this number: the interval of whoever is not one of the contributors that count.
    let of_kind = |kind: &Kind| (interval(known, kind, None).0, interval(known, kind, Some(u32::MAX)).0);
    let intervals: Vec<(Interval, Interval)> = made.kinds.iter().map(of_kind).collect();
    let support_of = |kind: &Kind| around.supports[kind.column].as_ref();
    let quick: Vec<(Quick<'_>, Quick<'_>)> = made
        .kinds
        .iter()
        .zip(&intervals)
        .map(|(kind, (out, inside))| (Quick::new(out, support_of(kind)), Quick::new(inside, support_of(kind))))
        .collect();
    for (entry, kind) in &made.members {
        let (entry, of_kind) = (*entry as usize, &made.kinds[*kind as usize]);
        let (support, spread, truth) = (support_of(of_kind), around.spreads[of_kind.column], truths[entry]);
        let (outsider, insider) = &quick[*kind as usize];
        let person = around.persons.of_entry(entry) as u32;
        let (out, worst_out) = judge.percent(outsider, support, truth, spread);
        let (inside, worst_in) = if known.reach.iter().any(|reach| reach.is_known_to(person)) {
            let own = interval(known, of_kind, Some(person)).0;
            judge.percent(&Quick::new(&own, support), support, truth, spread)
        } else {
            judge.percent(insider, support, truth, spread)
        };
        let worst = worst_out.max(worst_in);
        let verdict = match known.method {
            Method::Exact => worst,
            // More may be possible than is known to be.
            Method::Certified => worst.min(Verdict::Review),
            Method::Unknown => worst.max(Verdict::Review),
        };
        let judged = Judged {
            entry,
            interval: outsider.exact,
            outsider_percent: out,
            contributor_percent: inside.min(out),
            verdict,
        };
        if !take(judged) {
            return;
        }
    }
}
