//! What remains possible: given everything that is published and the support of the secrets, the smallest and the largest
//! value that each secret, and each suppressed figure, can have.
//!
//! This needs no prior. All figures are linear in the secrets, so what is possible is a polytope, and the interval of a secret
//! is found exactly: [`classes`] merges people that all figures see alike, [`system`] finds what follows directly, and
//! [`simplex`] the rest, in integers. [`reach`] says what the sums of classes mean for their members. The published figures
//! are those of the real table, so the truth is always possible and no interval is empty.

mod classes;
mod columns;
mod derive;
mod moves;
#[cfg(test)]
mod moves_tests;
mod outside;
mod reach;
pub(super) mod simplex;
mod solve;
mod support;
mod system;
#[cfg(test)]
mod tests;

use std::sync::atomic::Ordering;

use super::assess::{Progress, Settings};
use super::defence::Protection;
use super::exact::decimal;
use super::observe::published as rounded;
use super::persons::Persons;
use super::policy::Verdict;
use super::release::Release;
use super::rows::{Row, rows};
use privug_engine::number::{Constants, Rational, Scalar};

pub(super) use outside::outside;
pub use solve::Method;
pub use support::Support;
pub(super) use support::{Supports, read_supports, supports};

use classes::classes;
use columns::Columns;
use solve::Solver;
use system::{Seen, System};

/// More than this is not worked out, whatever may be used up elsewhere: some ten seconds.
const MOST_WORK: u64 = 400_000_000;

/// How many people it is said of why so little is possible.
const DERIVED: usize = 10;

/// What is possible for everybody.
#[derive(Debug, Clone, PartialEq)]
pub struct Feasibility {
    /// What was taken to be possible in the secret columns, where something was.
    pub supports: Vec<Support>,
    /// The smallest value that an outsider must consider possible, one for each entry; −∞ if there is none.
    pub lower: Vec<f64>,
    /// The largest.
    pub upper: Vec<f64>,
    /// How near the truth a bound that the release gives is, in percent of the truth, for outsiders; ∞ if the release gives
    /// none.
    pub outsider_percent: Vec<f64>,
    /// The same for the contributor who knows most, besides the person.
    pub contributor_percent: Vec<f64>,
    /// How these relate to what is possible.
    pub method: Vec<Method>,
    /// What the rule says.
    pub verdict: Vec<Verdict>,
    /// The suppressed figures.
    pub suppressed: Vec<SuppressedRange>,
    /// Why so little is possible for some people: those of whom the rule says worst.
    pub derivations: Vec<Derivation>,
}

/// What a suppressed figure can be.
#[derive(Debug, Clone, PartialEq)]
pub struct SuppressedRange {
    /// The figure.
    pub figure: usize,
    /// Its smallest value; −∞ if there is none, NaN if that was not worked out.
    pub lower: f64,
    /// Its largest.
    pub upper: f64,
    /// How near the nearer of them is to the real one, in percent of it.
    pub percent: f64,
    /// Whether these are exact.
    pub is_certain: bool,
}

/// Why a person can have no more, or no less.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivation {
    /// Whose secret.
    pub entry: usize,
    /// In which of the secret columns.
    pub column: usize,
    /// The bound that the release gives.
    pub bound: f64,
    /// On which side of the secret it lies.
    pub side: BoundSide,
    /// What the secret really is.
    pub truth: f64,
    /// The figures that the bound follows from.
    pub figures: Vec<usize>,
    /// What each of them is multiplied by; empty where they are many.
    pub times: Vec<f64>,
    /// Whether that adds up `secrets` secrets, of which this is one.
    pub is_sum: bool,
    /// The value of the combination, where it was worked out.
    pub value: Option<f64>,
    /// How many secrets are known together.
    pub secrets: usize,
    /// The person who has to know their own secret for this.
    pub insider: Option<usize>,
    /// Whether that is one of the `secrets`.
    pub insider_contributes: bool,
    /// What everybody knows to be possible, where the bound rests on it.
    pub support: Option<String>,
}

/// On which side of a secret a bound lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundSide {
    /// The secret is the bound.
    Exactly,
    /// The secret is at least the bound.
    AtLeast,
    /// The secret is at most the bound.
    AtMost,
}

/// What is looked at besides the release.
pub(super) struct Circumstances<'a> {
    pub(super) persons: &'a Persons,
    pub(super) supports: &'a Supports,
    pub(super) protection: &'a Protection,
    /// The standard deviation of each secret column.
    pub(super) spreads: &'a [f64],
    pub(super) settings: &'a Settings,
}

/// Finds what is possible; `None` if no support is known, or nobody asks.
pub(super) fn feasibility<S: Scalar>(
    release: &Release<S>,
    around: &Circumstances<'_>,
    progress: &dyn Fn(Progress),
) -> Option<Feasibility> {
    let Circumstances { persons, supports, protection, settings, .. } = around;
    if supports.iter().all(Option::is_none) || settings.policy.interval_percent.is_off() {
        return None;
    }
    progress(Progress::Begin("bounding secrets"));
    // Noise has no bounds, so a figure with noise excludes nothing.
    let all: Vec<usize> = (0..release.outputs.len()).collect();
    let traced = rows(release, &all);
    let is_missing = all.iter().any(|figure| traced[*figure].is_none() && !protection.suppressed[*figure]);
    let mut figures: Vec<(usize, Seen)> = Vec::new();
    let mut kept: Vec<&Row> = Vec::new();
    for (figure, row) in all.iter().zip(&traced) {
        let Some(row) = row else { continue };
        if row.weights.len() > 0 && (protection.suppressed[*figure] || is_bare(row, *figure, protection)) {
            figures.push((*figure, seen(release, row, *figure, protection)));
            kept.push(row);
        }
    }
    let classes = classes(&kept, &release.truths, persons, supports);
    let mut system = System::new(classes, &figures);
    let is_cancelled = || settings.cancelled.as_ref().is_some_and(|cancelled| cancelled.load(Ordering::Relaxed));
    let mut solver = Solver {
        truths: &release.truths,
        persons,
        work: settings.work.operations.min(MOST_WORK),
        done: &|done, of| progress(Progress::Step(done, of)),
        is_cancelled: &is_cancelled,
        passes: &|class, known| columns::all_pass(class, known, around, &release.truths),
        wanted: &|class| columns::wanted(class, around, &release.truths),
    };
    let mut known = solver.classes(&mut system);
    if is_missing {
        known.iter_mut().for_each(|known| known.doubt(true));
    }
    let suppressed = (0..system.rows.len()).filter(|row| figures[*row].1 == Seen::Suppressed);
    let suppressed: Vec<SuppressedRange> = suppressed
        .map(|row| {
            let range = solver.suppressed(&mut system, row, &known);
            suppressed_range(&system, row, kept[row], &release.outputs[figures[row].0].value.to_f64(), range)
        })
        .collect();
    let columns = Columns::of(&system, &known, release.truths.len(), around, &release.truths);
    let worst = columns.worst(DERIVED);
    let derivations = worst
        .into_iter()
        .filter_map(|(entry, class)| derive::derivation(release, &mut system, &known, &kept, around, (entry, class)));
    let derivations = derivations.collect();
    let Columns { lower, upper, outsider_percent, contributor_percent, method, verdict, .. } = columns;
    Some(Feasibility {
        supports: supports.iter().flatten().cloned().collect(),
        lower,
        upper,
        outsider_percent,
        contributor_percent,
        method,
        verdict,
        suppressed,
        derivations,
    })
}

/// Whether a published figure has no noise.
fn is_bare(row: &Row, figure: usize, protection: &Protection) -> bool {
    row.noise_variance == 0.0 && protection.noise_std[figure] == 0.0
}

/// What is known of a figure's row, besides that it is what it is.
fn seen<S: Scalar>(release: &Release<S>, row: &Row, figure: usize, protection: &Protection) -> Seen {
    if protection.suppressed[figure] {
        return Seen::Suppressed;
    }
    if protection.rounded_at_random[figure] {
        // Which multiple it becomes is not known, and either tells less than the figure itself.
        return Seen::Published;
    }
    let unit = protection.rounded_to[figure];
    let value = &release.outputs[figure].value;
    let (Some(half), Some(value), Some(published), Some(factor)) = (
        decimal(unit).map(|unit| unit / Rational::from(2)).filter(|half| *half > Rational::ZERO),
        decimal(value.to_f64()),
        decimal(rounded(value, unit)),
        row.factor.as_ref().filter(|factor| !Constants::is_zero(*factor)),
    ) else {
        return Seen::Published;
    };
    // The figure lies within half a unit of what is published; whatever rounding did to it, the truth does.
    let off = &published - &value;
    let up = (&off + &half) / factor;
    let down = (&half - &off) / factor;
    let positive = |room: Rational| if room < Rational::ZERO { Rational::ZERO } else { room };
    // From the middle to the even multiple.
    let multiple = &published / (&half + &half);
    let is_open = Scalar::floor(&(&multiple / Rational::from(2)))
        != Scalar::floor(&((&multiple + Rational::ONE) / Rational::from(2)));
    match *factor > Rational::ZERO {
        true => Seen::Rounded(positive(down), positive(up), is_open),
        false => Seen::Rounded(positive(-up), positive(-down), is_open),
    }
}

fn suppressed_range(
    system: &System,
    row: usize,
    of: &Row,
    value: &f64,
    found: Option<(solve::Range, bool)>,
) -> SuppressedRange {
    let figure = system.rows[row].figure;
    let unknown = SuppressedRange { figure, lower: f64::NAN, upper: f64::NAN, percent: f64::NAN, is_certain: false };
    let (Some(([low, high], is_certain)), Some(factor)) = (found, &of.factor) else { return unknown };
    let real = &system.rows[row].value;
    let off = |bound: Option<Rational>| bound.map(|bound| Constants::to_f64(&((bound - real) * factor)));
    let (mut below, mut above) = (off(low), off(high));
    if *factor < Rational::ZERO {
        (below, above) = (above, below);
    }
    let nearest = [below, above].into_iter().flatten().map(f64::abs).fold(f64::INFINITY, f64::min);
    SuppressedRange {
        figure,
        lower: below.map_or(f64::NEG_INFINITY, |below| value + below),
        upper: above.map_or(f64::INFINITY, |above| value + above),
        percent: if nearest == 0.0 { 0.0 } else { 100.0 * nearest / value.abs() },
        is_certain,
    }
}
