//! A figure of an audit.

use std::borrow::Cow;

use serde::Serialize;

use super::{Broken, broken};
use crate::report::json::Real;
use privug_analysis::audit::{self, Audit, FigureStatus};

#[derive(Serialize)]
pub(super) struct Figure<'a> {
    name: &'a str,
    line: usize,
    value: Option<Real>,
    published: Option<Real>,
    noise_std: Real,
    status: &'static str,
    follows_from: Vec<&'a str>,
    contributors: Option<usize>,
    largest: Vec<Contributor<'a>>,
    dominance_percent: Option<Real>,
    estimate_percent: Option<Real>,
    z: Real,
    discloses: usize,
    verdict: &'static str,
    rules: Vec<Broken>,
    #[serde(skip_serializing_if = "Option::is_none")]
    possible: Option<Possible>,
}

#[derive(Serialize)]
struct Contributor<'a> {
    person: Cow<'a, str>,
    share: Real,
}

/// What a suppressed figure can be, given everything that is published.
#[derive(Serialize)]
struct Possible {
    lower: Option<Real>,
    upper: Option<Real>,
    interval_percent: Option<Real>,
    method: &'static str,
}

pub(super) fn figure<'a>(audit: &'a Audit, figure: &'a audit::Figure) -> Figure<'a> {
    let contributions = &figure.contributions;
    let from = match &figure.status {
        FigureStatus::Used | FigureStatus::Count | FigureStatus::Unexamined { .. } => &[][..],
        FigureStatus::Redundant { implied_by } => implied_by,
        FigureStatus::Suppressed { recovered_from, .. } => recovered_from,
    };
    let largest = contributions.largest.iter().map(|(person, size)| Contributor {
        person: audit.person_name(*person),
        share: Real(if contributions.total > 0.0 { size / contributions.total } else { 0.0 }),
    });
    let is_known = !matches!(figure.status, FigureStatus::Unexamined { .. });
    let mut ranges = audit.possible.iter().flat_map(|possible| &possible.suppressed);
    let range = ranges.find(|range| audit.figures[range.figure].name == figure.name);
    Figure {
        name: &figure.name,
        line: figure.line,
        value: Real::known(figure.value),
        published: Real::known(figure.published).filter(|_| figure.is_published()),
        noise_std: Real(figure.noise_std),
        status: figure.status.name(),
        follows_from: from.iter().map(|place| audit.figures[*place].name.as_str()).collect(),
        contributors: is_known.then_some(contributions.contributors),
        largest: largest.collect(),
        dominance_percent: figure.concentration.dominance_percent.map(Real),
        estimate_percent: figure.concentration.estimate_percent.map(Real),
        z: Real(figure.z),
        discloses: figure.discloses,
        verdict: figure.verdict.name(),
        rules: broken(&figure.broken),
        possible: range.map(|range| Possible {
            lower: Real::known(range.lower),
            upper: Real::known(range.upper),
            interval_percent: Real::known(range.percent),
            method: if range.is_certain { "exact" } else { "unknown" },
        }),
    }
}
