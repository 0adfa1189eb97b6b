//! The plot of an analysis: densities, or probabilities of values.

use super::beliefs;
use super::model::{BarPlot, Curve, CurveStyle, DensityPlot, Panel, Plot};
use privug_analysis::analysis::{Analysis, SecretResult};

/// The curve of what is known after: of what was seen or, if outputs without a value will tell more, as if they were
/// published. Their values are not known, so that it stands where the mean is expected to be.
pub(crate) fn after(secret: &SecretResult, label: &str, style: CurveStyle) -> Curve {
    let known = secret.knowledge.as_if_published();
    Curve {
        label: label.to_owned(),
        mean: secret.posterior_mean,
        variance: known.posterior_variance,
        style,
        placed: !secret.knowledge.is_open(),
    }
}

/// What was known about a secret, and what is known or will be.
pub fn before_and_after(secret: &SecretResult) -> [Curve; 2] {
    let known = &secret.knowledge;
    let (mean, variance) = (known.prior_mean, known.prior_variance);
    let label = if known.is_open() { "as if published" } else { "after" };
    [
        Curve { label: "before".to_owned(), mean, variance, style: CurveStyle::Before, placed: true },
        after(secret, label, CurveStyle::After),
    ]
}

/// What was known before and is known after about every secret, of whatever kind.
pub fn analysis_plot(analysis: &Analysis) -> Plot {
    let Some(choices) = &analysis.choices else { return density_plot(analysis).into() };
    BarPlot {
        title: format!("What is known before and after the outputs of {}", analysis.function),
        panels: choices.secrets.iter().map(beliefs::panel).collect(),
    }
    .into()
}

/// What was known before and is known after about every Gaussian secret.
pub fn density_plot(analysis: &Analysis) -> DensityPlot {
    let panels = analysis.secrets.iter().map(|secret| Panel {
        name: secret.name.clone(),
        curves: before_and_after(&secret).into(),
        truth: secret.truth,
        interval_level: analysis.level,
    });
    let after = if analysis.is_open() { "once published: the outputs of" } else { "after the outputs of" };
    DensityPlot {
        title: format!("What is known before and {after} {}", analysis.function),
        unit: None,
        panels: panels.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_analysis::analysis::{Request, Truth, analyze};

    #[test]
    fn an_analysis_becomes_a_panel_for_each_secret() {
        // y = x + 2 observed: x is 3 exactly.
        let program = "def f():\n    x = Normal(1, 4)\n    z = Normal(0, 1)\n    y = x + 2\n    condition(y, 5)\n    return [x, z]\n";
        let request = Request { truths: vec![Truth::read("x=3")], ..Request::new("f.py", program) };
        let plot = density_plot(&analyze(&request).expect("an analysis"));
        assert_eq!(plot.panels.len(), 2);
        let [before, after] = plot.panels[0].curves.as_slice() else { panic!("two curves") };
        assert_eq!((before.mean, before.variance, after.mean, after.variance), (1.0, 4.0, 3.0, 0.0));
        assert_eq!((plot.panels[0].truth, plot.panels[1].truth), (Some(3.0), None));
    }
}
