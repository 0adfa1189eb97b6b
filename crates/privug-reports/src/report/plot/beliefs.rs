//! Beliefs as bars: the values of a discrete secret, or a mixture cut into ranges.

use super::model::{BarPanel, BarSeries, CurveStyle};
use privug_analysis::analysis::{Belief, ChoiceSecret, PlainValue};
use privug_language::words::number_near;

/// Ranges that a continuum is cut into.
const RANGES: usize = 24;

/// What bars stand for.
pub(crate) enum Bins {
    /// One value each.
    Values(Vec<PlainValue>),
    /// Ends of ranges: each goes from one to the next, the first and the last to infinity.
    Ranges(Vec<f64>),
}

impl Bins {
    /// What they are called.
    pub(crate) fn labels(&self) -> Vec<String> {
        match self {
            Bins::Values(values) => values.iter().map(ToString::to_string).collect(),
            Bins::Ranges(ends) => {
                let step = if let [first, second, ..] = ends.as_slice() { second - first } else { 0.0 };
                let text = |end: f64| number_near(end, step);
                let mut labels: Vec<String> =
                    ends.first().map(|end| format!("up to {}", text(*end))).into_iter().collect();
                labels.extend(ends.windows(2).map(|pair| format!("{} to {}", text(pair[0]), text(pair[1]))));
                labels.extend(ends.last().map(|end| format!("above {}", text(*end))));
                labels
            }
        }
    }
}

/// What bars of several beliefs stand for.
pub(crate) fn bins(beliefs: &[&Belief]) -> Bins {
    if let Some(Belief::Discrete(values)) = beliefs.first() {
        return Bins::Values(values.iter().map(|chance| chance.value.clone()).collect());
    }
    let end = |level: f64| beliefs.iter().filter_map(move |belief| belief.quantile(level));
    let low = end(0.005).fold(f64::INFINITY, f64::min);
    let high = end(0.995).fold(f64::NEG_INFINITY, f64::max);
    if !(low < high) {
        return Bins::Ranges(vec![low]);
    }
    let step = round_step((high - low) / (RANGES - 4) as f64);
    let first = libm::floor(low / step);
    let ends = (0..RANGES - 1).map(|place| (first + place as f64) * step).take_while(|end| *end < high + step);
    Bins::Ranges(ends.collect())
}

/// The next larger number of the form 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let magnitude = libm::pow(10.0, libm::floor(libm::log10(step)));
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * magnitude).find(|round| *round >= step).unwrap_or(step)
}

/// The probability of each bar.
pub(crate) fn heights(belief: &Belief, bins: &Bins) -> Vec<f64> {
    match bins {
        Bins::Values(values) => values.iter().map(|value| belief.probability_of(value)).collect(),
        Bins::Ranges(ends) => {
            let mut sums: Vec<f64> = ends.iter().map(|end| belief.up_to(*end).unwrap_or(0.0)).collect();
            sums.push(1.0);
            let mut before = 0.0;
            sums.iter().map(|sum| (sum - std::mem::replace(&mut before, *sum)).max(0.0)).collect()
        }
    }
}

/// What is believed later: after what was seen, or if the surest output is seen; and what to call that.
pub(crate) fn later(secret: &ChoiceSecret, bins: &Bins) -> Option<(String, Vec<f64>)> {
    if !secret.is_open {
        return Some(("after".to_owned(), heights(&secret.posterior, bins)));
    }
    let (Bins::Values(values), Some(output)) = (bins, secret.surest_output()) else { return None };
    let after = secret.after_surest_output()?;
    let probability = |value: &PlainValue| after.iter().find(|(other, _)| other == value).map_or(0.0, |(_, p)| *p);
    let label = format!("if {} is seen", crate::report::choices::output_text(output));
    Some((label, values.iter().map(probability).collect()))
}

/// The bars of one secret.
pub(crate) fn panel(secret: &ChoiceSecret) -> BarPanel {
    let bins = bins(&[&secret.prior, &secret.posterior]);
    let before =
        BarSeries { label: "before".to_owned(), heights: heights(&secret.prior, &bins), style: CurveStyle::Before };
    let later = later(secret, &bins);
    let truth = match (&secret.truth, &bins) {
        (Some(truth), Bins::Values(values)) => values.iter().position(|value| *value == **truth),
        (Some(truth), Bins::Ranges(ends)) => truth.number().map(|at| ends.iter().filter(|end| at > **end).count()),
        (None, _) => None,
    };
    let series = std::iter::once(before);
    let series = series.chain(later.map(|(label, heights)| BarSeries { label, heights, style: CurveStyle::After }));
    BarPanel { name: secret.name.clone(), labels: bins.labels(), series: series.collect(), truth }
}
