//! The density plot of an analysis.

use super::model::{Curve, CurveStyle, DensityPlot, Panel};
use crate::analysis::Analysis;

/// What was known before and is known after about every secret; `truths[i]` is the true value of the i-th secret.
pub fn density_plot(analysis: &Analysis, truths: &[Option<f64>]) -> DensityPlot {
    let panels = analysis.secrets.iter().enumerate().map(|(index, secret)| {
        let known = &secret.knowledge;
        let curve = |label: &str, mean, variance, style| Curve { label: label.to_owned(), mean, variance, style };
        Panel {
            name: secret.name.clone(),
            curves: vec![
                curve("before", known.prior_mean, known.prior_variance, CurveStyle::Before),
                curve("after", secret.posterior_mean, known.posterior_variance, CurveStyle::After),
            ],
            truth: truths.get(index).copied().flatten(),
            interval_level: 0.95,
        }
    });
    DensityPlot {
        title: format!("What is known before and after the outputs of {}", analysis.function),
        unit: None,
        panels: panels.collect(),
    }
}
