//! The same secrets under several releases, side by side.

use crate::analysis::{Analysis, Request, analyze};
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::{Sources, Span};
use privug_measures::leakage::{Measure, Reading, Unit};

/// One release.
#[derive(Debug, Clone)]
pub struct Release {
    /// What it is called.
    pub label: String,
    /// What it reveals.
    pub analysis: Analysis,
}

/// Several releases; all have the same secrets in the same order.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The releases, the first being the one that the others are compared with.
    pub releases: Vec<Release>,
}

/// A measure of one secret under every release.
#[derive(Debug, Clone)]
pub struct Row {
    /// Place of the secret.
    pub secret: usize,
    /// The measure.
    pub measure: &'static Measure,
    /// Its value under each release; `None` if it depends on values that were not seen.
    pub values: Vec<Option<f64>>,
    /// Under each release, between which numbers it lies, where that is all that is proven; the value is the larger one.
    pub bounds: Vec<Option<(f64, f64)>>,
}

impl Row {
    /// How far each value is from the first; two infinities of one sign do not differ.
    pub fn differences(&self) -> Vec<Option<f64>> {
        let first = self.values.first().copied().flatten();
        let difference = |value: f64, first: f64| if value == first { 0.0 } else { value - first };
        self.values.iter().map(|value| Some(difference((*value)?, first?))).collect()
    }

    /// Between which numbers its value under a release lies.
    pub fn ends(&self, release: usize) -> Option<(f64, f64)> {
        let value = self.values[release]?;
        Some(self.bounds[release].unwrap_or((value, value)))
    }

    /// Between which numbers the difference between its value under a release and the first lies.
    pub fn difference_ends(&self, release: usize) -> Option<(f64, f64)> {
        let ((low, high), (first_low, first_high)) = (self.ends(release)?, self.ends(0)?);
        let difference = |one: f64, other: f64| if one == other { 0.0 } else { one - other };
        let (least, most) = (difference(low, first_high), difference(high, first_low));
        // Bounds as narrow as rounding say nothing that the numbers themselves do not.
        let size = low.abs().max(high.abs()).max(first_low.abs()).max(first_high.abs());
        if most - least <= 1e-9 * size {
            let between = difference(high, first_high);
            let between = if between.abs() <= most - least { 0.0 } else { between };
            return Some((between, between));
        }
        Some((least, most))
    }
}

/// Analyses all releases.
pub fn compare(releases: &[(String, Request)]) -> Result<Comparison, Refusal> {
    let mut compared: Vec<Release> = Vec::new();
    for (label, request) in releases {
        let analysis = analyze(request)?;
        if let Some(first) = compared.first()
            && first.analysis.secret_count() != analysis.secret_count()
        {
            let message = format!(
                "`{label}` has {} secrets, but `{}` has {}",
                analysis.secret_count(),
                first.label,
                first.analysis.secret_count()
            );
            return Err(refusal(label, message, "compare releases about the same secrets; name them with `--secret`"));
        }
        compared.push(Release { label: label.clone(), analysis });
    }
    if compared.is_empty() {
        return Err(refusal("", "there is nothing to compare".to_owned(), "name at least one program"));
    }
    Ok(Comparison { releases: compared })
}

fn refusal(label: &str, message: String, hint: &str) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add("compare", label);
    let span = Span { source, start: 0, end: label.len() as u32 };
    let diagnostic = Diagnostic::error(Code::NotComparable, span, message).hint(hint);
    Refusal { sources, diagnostics: vec![diagnostic] }
}

impl Comparison {
    /// The secrets' names, as the first release has them.
    pub fn secrets(&self) -> Vec<String> {
        self.releases[0].analysis.secret_names()
    }

    /// Every measure that all releases have, secret by secret.
    pub fn rows(&self) -> Vec<Row> {
        let first = &self.releases[0].analysis;
        let secrets = 0..first.secret_count();
        secrets
            .flat_map(|secret| {
                first.measures().iter().filter_map(move |measure| {
                    let readings = self.releases.iter().map(|release| release.analysis.reading(secret, measure.name));
                    let readings: Vec<Reading> = readings.collect();
                    let unknown = readings.iter().all(|reading| *reading == Reading::Unknown);
                    let told = !readings.contains(&Reading::NeedsTruth) && !unknown;
                    let values = readings.into_iter().map(Reading::value);
                    let bounds = self.releases.iter().map(|release| release.analysis.bounds(secret, measure.name));
                    told.then(|| Row { secret, measure, values: values.collect(), bounds: bounds.collect() })
                })
            })
            .collect()
    }

    /// For each requirement, whether each release meets it.
    pub fn requirements(&self) -> Vec<(String, Vec<bool>)> {
        let first = &self.releases[0].analysis.requirements;
        first
            .iter()
            .enumerate()
            .map(|(index, requirement)| {
                let holds = self.releases.iter().map(|release| release.analysis.requirements[index].holds);
                (requirement.text.clone(), holds.collect())
            })
            .collect()
    }

    /// Whether at least one release meets all requirements.
    pub fn some_release_meets_all(&self) -> bool {
        self.releases.iter().any(|release| release.analysis.meets_requirements())
    }
}

/// Whether a measure is worth a row in a table for people.
pub fn is_shown(measure: &Measure) -> bool {
    const SHOWN: &[&str] = &[
        "mutual_information_bits",
        "kl_posterior_prior_bits",
        "fully_disclosed",
        "posterior_mean",
        "posterior_std",
        "total_variation",
        "bayes_vulnerability_posterior",
        "max_posterior",
        "max_kl_bits",
        "min_entropy_leakage_bits",
        "guessing_entropy_posterior",
        "channel_capacity_bits",
        "g_leakage",
        "truth_probability_posterior",
        "truth_error_posterior",
        "truth_within_5_percent_posterior",
    ];
    SHOWN.contains(&measure.name) && (measure.unit != Unit::YesNo || measure.name == "fully_disclosed")
}
