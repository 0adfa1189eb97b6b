//! How the risk is distributed over people: the part of the attacker's uncertainty that the release takes away.

use crate::report::plot::{Bar, Histogram, Plot};
use privug_analysis::audit::Audit;

/// Bins from 0 to 100 %.
pub(in crate::report) const BINS: usize = 20;
/// With counts further apart than this, the axis is logarithmic, or the small ones could not be seen.
const FAR_APART: usize = 50;

/// How many people there are for each part of the uncertainty that is taken away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::report) struct Distribution {
    /// From 0 to below 100 %, in equal steps.
    pub(in crate::report) counts: [usize; BINS],
    /// All of it.
    pub(in crate::report) disclosed: usize,
    /// People of whom it is not known.
    pub(in crate::report) unknown: usize,
}

impl Distribution {
    pub(in crate::report) fn of(audit: &Audit) -> Self {
        let mut distribution = Distribution { counts: [0; BINS], disclosed: 0, unknown: 0 };
        // Of everybody the most that is taken away from one of their secrets; what is not a number is in no bin.
        let mut most: Vec<Option<f64>> = vec![None; audit.persons.count()];
        for entry in 0..audit.people.len() {
            let most = most[audit.persons.of_entry(entry)].get_or_insert(-1.0);
            *most = most.max(audit.people.uncertainty_removed(entry));
        }
        for (person, removed) in most.into_iter().enumerate() {
            let Some(removed) = removed else { continue };
            if audit.verdicts.is_disclosed(person) {
                distribution.disclosed += audit.persons.size(person) as usize;
            } else if removed >= 0.0 {
                distribution.counts[((removed * BINS as f64) as usize).min(BINS - 1)] +=
                    audit.persons.size(person) as usize;
            } else {
                distribution.unknown += audit.persons.size(person) as usize;
            }
        }
        distribution
    }

    /// The ends of a bin, in percent.
    pub(in crate::report) fn bounds(bin: usize) -> (f64, f64) {
        let step = 100.0 / BINS as f64;
        (step * bin as f64, step * (bin + 1) as f64)
    }
}

/// The distribution of risk over people.
pub fn audit_plot(audit: &Audit) -> Plot {
    let Distribution { counts, disclosed, unknown: _ } = Distribution::of(audit);
    let mut bars: Vec<Bar> = counts
        .iter()
        .enumerate()
        .map(|(bin, count)| {
            let (low, high) = Distribution::bounds(bin);
            Bar { low, high, count: *count, words: format!("{low} % to {high} %"), stands_out: false }
        })
        .collect();
    let step = 100.0 / BINS as f64;
    if disclosed > 0 {
        let words = "100 %: fully disclosed".to_owned();
        bars.push(Bar { low: 100.0, high: 100.0 + 0.9 * step, count: disclosed, words, stands_out: true });
    }
    let nonzero = || bars.iter().map(|bar| bar.count).filter(|count| *count > 0);
    let far_apart = nonzero().max().unwrap_or(0) > FAR_APART * nonzero().min().unwrap_or(1);
    Plot::Histogram(Histogram {
        title: "How much of the attacker's uncertainty the release removes".to_owned(),
        x_label: match audit.people.discrete {
            Some(_) => "reduction of the entropy, in percent".to_owned(),
            None => "reduction of the standard deviation, in percent".to_owned(),
        },
        y_label: "people".to_owned(),
        range: (0.0, 100.0),
        log_y: far_apart,
        bars,
    })
}
