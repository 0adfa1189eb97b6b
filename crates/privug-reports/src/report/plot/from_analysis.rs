//! The density plot of an analysis.

use super::model::{Curve, CurveStyle, DensityPlot, Panel};
use privug_analysis::analysis::Analysis;

/// What was known before and is known after about every secret.
pub fn density_plot(analysis: &Analysis) -> DensityPlot {
    let panels = analysis.secrets.iter().map(|secret| {
        let known = &secret.knowledge;
        let curve = |label: &str, mean, variance, style| Curve { label: label.to_owned(), mean, variance, style };
        Panel {
            name: secret.name.clone(),
            curves: vec![
                curve("before", known.prior_mean, known.prior_variance, CurveStyle::Before),
                curve("after", secret.posterior_mean, known.posterior_variance, CurveStyle::After),
            ],
            truth: secret.truth,
            interval_level: 0.95,
        }
    });
    DensityPlot {
        title: format!("What is known before and after the outputs of {}", analysis.function),
        unit: None,
        panels: panels.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_analysis::analysis::{Request, analyze};

    #[test]
    fn an_analysis_becomes_a_panel_for_each_secret() {
        // y = x + 2 observed: x is 3 exactly.
        let program = "def f():\n    x = Normal(1, 4)\n    z = Normal(0, 1)\n    y = x + 2\n    condition(y, 5)\n    return [x, z]\n";
        let request = Request { truths: vec!["x=3".to_owned()], ..Request::new("f.py", program) };
        let plot = density_plot(&analyze(&request).expect("an analysis"));
        assert_eq!(plot.panels.len(), 2);
        let [before, after] = plot.panels[0].curves.as_slice() else { panic!("two curves") };
        assert_eq!((before.mean, before.variance, after.mean, after.variance), (1.0, 4.0, 3.0, 0.0));
        assert_eq!((plot.panels[0].truth, plot.panels[1].truth), (Some(3.0), None));
    }
}
