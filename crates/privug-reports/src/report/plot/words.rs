//! What a density plot says in words: the key of the curves, and notes on how they are drawn.

use super::arrange::{Arrangement, Relation, distributions};
use super::model::{Curve, CurveStyle, Panel};
use super::ticks::{minus, trim_zeros, with_separators};
use crate::report::{number, number_near};
use privug_measures::leakage::Normal;

/// Means that differ less than this part of the standard deviation look the same.
const LOOKS_THE_SAME: f64 = 0.03;

/// A number with the digits down to a hundredth of the leading digit of `resolution`; all that matter if that is 0.
pub(super) fn quantity(value: f64, resolution: f64, unit: Option<&str>) -> String {
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    format!("{}{unit}", rounded_number(value, resolution, 2))
}

/// A number with `digits` digits after the leading one of `resolution`.
fn rounded_number(value: f64, resolution: f64, digits: i32) -> String {
    let plain = value == 0.0 || (1e-4..1e15).contains(&value.abs());
    if resolution > 0.0 && resolution.is_finite() && plain {
        // From 7 on it counts as 10, so that 9.99 and 10 get the same digits.
        let decimals = digits - libm::floor(libm::log10(resolution) + 0.155) as i32;
        if decimals <= 12 {
            let text = format!("{value:.*}", decimals.max(0) as usize);
            let trimmed = trim_zeros(&text);
            return if trimmed == "-0" { "0".to_owned() } else { with_separators(trimmed) };
        }
    }
    if value.is_finite() && value.abs() > 1e15 * resolution && resolution > 0.0 {
        // No digit more than the double has.
        return minus(&if plain { format!("{value}") } else { format!("{value:e}") });
    }
    minus(&number_near(value, resolution))
}

/// A level such as 0.95 as `95 %`.
pub(super) fn percent(level: f64) -> String {
    format!("{} %", minus(&number(level * 100.0)))
}

/// What is said of a curve, the longest form first.
pub(super) fn curve_words(curve: &Curve, level: f64, resolution: Resolution, unit: Option<&str>) -> Vec<String> {
    let label = &curve.label;
    let Some(normal) = Normal::new(curve.mean, curve.variance) else {
        let (mean, variance) = (minus(&number(curve.mean)), minus(&number(curve.variance)));
        return vec![
            format!("{label}: not a normal distribution (mean {mean}, variance {variance})"),
            format!("{label}: not a normal distribution"),
        ];
    };
    if !curve.placed {
        return unplaced_words(label, &normal, level, resolution, unit);
    }
    if normal.is_constant() {
        return vec![format!("{label}: known exactly: {}", quantity(normal.mean(), 0.0, unit))];
    }
    let std_dev = normal.std_dev();
    let spread = minus(&significant(std_dev, resolution.std_digits));
    let mean = quantity(normal.mean(), resolution.of_means.min(std_dev), None);
    let with_unit = unit.map(|unit| format!("{spread} {unit}")).unwrap_or(spread.clone());
    let mut forms = Vec::new();
    if let Some((low, high)) = normal.credible_interval(level).filter(|_| level > 0.0 && level < 1.0) {
        let (low, high) = (rounded_number(low, std_dev, 1), rounded_number(high, std_dev, 1));
        // A huge mean swallows the interval.
        if low != high {
            forms.push(format!("{label}: {mean} ± {with_unit}, {} within {low} … {high}", percent(level)));
        }
    }
    forms.push(format!("{label}: {mean} ± {with_unit}"));
    forms.push(format!("{label}: {mean} ± {spread}"));
    forms
}

/// The same of a curve whose mean is not known yet.
fn unplaced_words(label: &str, normal: &Normal, level: f64, resolution: Resolution, unit: Option<&str>) -> Vec<String> {
    if normal.is_constant() {
        return vec![format!("{label}: known exactly, whatever the value is"), format!("{label}: known exactly")];
    }
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    let spread = minus(&significant(normal.std_dev(), resolution.std_digits));
    let mut forms = Vec::new();
    if let Some((low, high)) = normal.credible_interval(level).filter(|_| level > 0.0 && level < 1.0) {
        let half = minus(&significant((high - low) / 2.0, resolution.std_digits));
        forms.push(format!("{label}: ± {spread}{unit}, {} within ± {half} of a mean not yet known", percent(level)));
    }
    forms.push(format!("{label}: ± {spread}{unit} around a mean not yet known"));
    forms.push(format!("{label}: ± {spread}{unit}"));
    forms
}

/// How finely numbers must be written to be told apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Resolution {
    /// The smallest difference between two means, within reason.
    pub of_means: f64,
    /// Digits of standard deviations.
    pub std_digits: i32,
}

/// How finely the numbers of a panel must be written.
pub(super) fn resolution(panel: &Panel) -> Resolution {
    let normals: Vec<Normal> = distributions(panel).into_iter().flatten().collect();
    let spread = normals.iter().map(Normal::std_dev).filter(|&std| std > 0.0).fold(f64::INFINITY, f64::min);
    let shift = normals
        .iter()
        .flat_map(|one| normals.iter().map(|other| (one.mean() - other.mean()).abs()))
        .filter(|&shift| shift > 0.0)
        .fold(f64::INFINITY, f64::min);
    let of_means = if spread.is_finite() { spread.min(shift.max(spread * 1e-6)) } else { 0.0 };
    let differ = |digits: &i32| {
        normals.iter().enumerate().all(|(index, one)| {
            normals[..index].iter().all(|other| {
                let (one, other) = (one.std_dev(), other.std_dev());
                one == other || significant(one, *digits) != significant(other, *digits)
            })
        })
    };
    let std_digits = (3..6).find(differ).unwrap_or(6);
    Resolution { of_means, std_digits }
}

/// What to know about how a panel is drawn, each a sentence.
pub(super) fn notes(panel: &Panel, arrangement: &Arrangement, unit: Option<&str>) -> Vec<String> {
    let normals = distributions(panel);
    let mut notes = Vec::new();
    match arrangement.relation {
        Relation::OneAxis => {}
        Relation::Broken => {
            notes.push(format!("The axis is broken, with the same scale in all parts.{}", distance(panel, &normals)))
        }
        Relation::OwnScales => notes.push(format!(
            "Each part has its own scale and height.{} A thin line or an arrow in one part shows where a narrower \
                 curve lies.",
            distance(panel, &normals)
        )),
    }
    if arrangement.relation != Relation::OwnScales && arrangement.cells.iter().any(|cell| cell.own_heights) {
        notes.push("Each curve is drawn to its own height: the densities differ too much.".to_owned());
    }
    notes.extend(almost_the_same(panel, &normals));
    if let Some(truth) = panel.truth {
        if !truth.is_finite() {
            notes.push("The true value is not a finite number.".to_owned());
        } else if !arrangement.cells.is_empty() && arrangement.cells.iter().all(|cell| cell.place(truth).is_none()) {
            notes.push(format!("The true value, {}, lies outside the plot.", quantity(truth, 0.0, unit)));
        }
    }
    if arrangement.cells.is_empty() {
        notes.push("There is no distribution to draw.".to_owned());
    }
    match arrangement.left_out.as_slice() {
        [] => {}
        [_] => notes.push("1 curve on a different scale is not drawn.".to_owned()),
        left_out => notes.push(format!("{} curves on different scales are not drawn.", left_out.len())),
    }
    notes
}

/// The first `Before` and the first `After` curve of a panel, if both are distributions.
fn before_and_after(panel: &Panel, normals: &[Option<Normal>]) -> Option<(usize, Normal, usize, Normal)> {
    let find = |style| panel.curves.iter().position(|curve| curve.style == style);
    let (before, after) = (find(CurveStyle::Before)?, find(CurveStyle::After)?);
    Some((before, normals[before]?, after, normals[after]?))
}

/// How far the posterior is from the prior, and how much narrower.
fn distance(panel: &Panel, normals: &[Option<Normal>]) -> String {
    let Some((before, prior, after, posterior)) = before_and_after(panel, normals) else { return String::new() };
    let placed = panel.curves[after].placed;
    let (before, after) = (&panel.curves[before].label, &panel.curves[after].label);
    if prior.is_constant() {
        return String::new();
    }
    let shift = (posterior.mean() - prior.mean()) / prior.std_dev();
    let mut facts = Vec::new();
    let ratio = prior.std_dev() / posterior.std_dev();
    if ratio >= 2.0 && ratio.is_finite() {
        facts.push(format!("is {} times narrower", rounded(ratio)));
    }
    if placed && shift.is_finite() && shift.abs() >= 2.0 {
        let side = if shift > 0.0 { "above" } else { "below" };
        facts.push(format!("lies {} standard deviations {side} “{before}”", rounded(shift.abs())));
    }
    if facts.is_empty() { String::new() } else { format!(" “{after}” {}.", facts.join(" and ")) }
}

fn almost_the_same(panel: &Panel, normals: &[Option<Normal>]) -> Option<String> {
    let (before, prior, after, posterior) = before_and_after(panel, normals)?;
    let (before, after) = (&panel.curves[before].label, &panel.curves[after].label);
    if prior.is_constant() || posterior.is_constant() {
        return None;
    }
    let shift = (posterior.mean() - prior.mean()) / prior.std_dev();
    let narrower = 1.0 - posterior.std_dev() / prior.std_dev();
    if shift == 0.0 && narrower == 0.0 {
        return Some(format!("“{after}” looks the same as “{before}”: the two curves coincide."));
    }
    let change = if narrower < 0.0 { "larger" } else { "smaller" };
    (shift.abs() < LOOKS_THE_SAME && narrower.abs() < LOOKS_THE_SAME).then(|| {
        format!(
            "“{after}” is almost the same as “{before}”: the mean moves by {} of a standard deviation, which becomes \
             {} % {change}.",
            rounded(shift.abs()),
            rounded(narrower.abs() * 100.0)
        )
    })
}

/// Three digits are enough to compare.
fn rounded(value: f64) -> String {
    minus(&significant(value, 3))
}

/// A number with so many digits at most.
pub(super) fn significant(value: f64, digits: i32) -> String {
    let shift = if value == 0.0 { 0.0 } else { f64::from(digits) - 1.0 - libm::floor(libm::log10(value.abs())) };
    let unit = libm::pow(10.0, shift);
    let short = libm::round(value * unit) / unit;
    number(if short.is_finite() { short } else { value })
}

#[cfg(test)]
mod tests {
    use super::super::arrange::arrange;
    use super::*;

    fn panel(before: (f64, f64), after: (f64, f64), truth: Option<f64>) -> Panel {
        let curve = |label: &str, (mean, variance), style| Curve {
            label: label.to_owned(),
            mean,
            variance,
            style,
            placed: true,
        };
        let curves = vec![curve("before", before, CurveStyle::Before), curve("after", after, CurveStyle::After)];
        Panel { name: "income".to_owned(), curves, truth, interval_level: 0.95 }
    }

    #[test]
    fn a_curve_is_said_with_its_interval() {
        let panel = panel((480_000.0, 100.0), (483_000.0, 90.0), None);
        let words = curve_words(&panel.curves[0], 0.95, resolution(&panel), Some("kr."));
        assert_eq!(words[0], "before: 480,000 ± 10 kr., 95 % within 479,980 … 480,020");
        assert_eq!(words[1], "before: 480,000 ± 10 kr.");
    }

    #[test]
    fn a_disclosed_value_is_said_in_words() {
        let panel = panel((480_000.0, 100.0), (483_000.0, 0.0), None);
        assert_eq!(curve_words(&panel.curves[1], 0.95, resolution(&panel), None), ["after: known exactly: 483,000"]);
    }

    #[test]
    fn a_broken_axis_and_a_distant_truth_are_noted() {
        let panel = panel((480_000.0, 100.0), (483_000.0, 90.0), Some(500_000.0));
        assert_eq!(
            notes(&panel, &arrange(&panel), None),
            [
                "The axis is broken, with the same scale in all parts. “after” lies 300 standard deviations above “before”.",
                "The true value, 500,000, lies outside the plot."
            ]
        );
    }

    #[test]
    fn curves_that_cover_each_other_are_noted() {
        let panel = panel((0.0, 1.0), (0.001, 0.999), None);
        let found = notes(&panel, &arrange(&panel), None);
        assert!(found[0].contains("almost the same") && found[0].contains("0.001 of a standard"), "{found:?}");
    }
}
