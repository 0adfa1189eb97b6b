//! The search for the largest or smallest value of a parameter for which the requirements hold.

use super::Axis;
use super::grid::swept;
use crate::analysis::{Analysis, Request};
use privug_language::diagnostic::Refusal;

/// Values that are tried before the search, to see where the requirements hold.
const PROBES: usize = 25;
/// Halvings of the bracket: more than enough to reach neighbouring doubles.
const MAX_HALVINGS: usize = 200;

/// How the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The requirements hold on one side of the value and fail on the other.
    Found,
    /// They hold at the end of the range that was asked for, so the range itself is the bound.
    HoldsAtEnd,
    /// They hold nowhere that was tried.
    HoldsNowhere,
}

/// What the search found.
#[derive(Debug, Clone)]
pub struct Calibrated {
    /// How it ended.
    pub outcome: Outcome,
    /// The value; the end of the range that was asked for if they hold nowhere.
    pub value: f64,
    /// The nearest value that was tried and for which the requirements fail.
    pub fails_at: Option<f64>,
    /// Whether the requirements switched more than once over the values that were tried: then there may be more
    /// ranges in which they hold.
    pub switches_repeatedly: bool,
    /// How many runs it took.
    pub runs: usize,
    /// The final run, at the value.
    pub analysis: Analysis,
}

/// Finds the largest value (or the smallest) for which all requirements of the request hold.
pub fn calibrate(request: &Request, axis: &Axis, smallest: bool) -> Result<Calibrated, Refusal> {
    swept(request, std::slice::from_ref(axis), |swept| {
        search(&swept.axes[0], smallest, |value| swept.analyze(&[value]))
    })
}

/// The same for analyses that come from anywhere: `run` makes one for each value of the parameter.
pub fn search<E>(
    axis: &Axis,
    smallest: bool,
    mut run: impl FnMut(f64) -> Result<Analysis, E>,
) -> Result<Calibrated, E> {
    let (low, high) = (axis.from.min(axis.to), axis.from.max(axis.to));
    let ordered =
        Axis { from: if smallest { low } else { high }, to: if smallest { high } else { low }, ..axis.clone() };
    // From the wanted end on: the first value that holds is the best of those tried.
    let probes = ordered.values(PROBES);
    let mut holds = Vec::with_capacity(probes.len());
    for value in &probes {
        holds.push(run(*value)?.meets_requirements());
    }
    let mut runs = probes.len();
    let switches = holds.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let first = holds.iter().position(|holds| *holds);
    let (outcome, value, fails_at) = match first {
        None => (Outcome::HoldsNowhere, probes[0], Some(probes[0])),
        Some(0) => {
            let fails = holds.iter().position(|holds| !*holds).map(|index| probes[index]);
            (Outcome::HoldsAtEnd, probes[0], fails)
        }
        Some(index) => {
            let (mut good, mut bad) = (probes[index], probes[index - 1]);
            for _ in 0..MAX_HALVINGS {
                let middle = axis.between(good, bad, 0.5);
                if middle == good || middle == bad || !(good.min(bad)..=good.max(bad)).contains(&middle) {
                    break;
                }
                runs += 1;
                if run(middle)?.meets_requirements() { good = middle } else { bad = middle }
            }
            (Outcome::Found, good, Some(bad))
        }
    };
    let analysis = run(value)?;
    Ok(Calibrated { outcome, value, fails_at, switches_repeatedly: switches > 1, runs: runs + 1, analysis })
}
