//! Defences applied to the figures of a release.

use std::collections::BTreeSet;

use super::{Defence, Defences, Kind, Sensitivity};
use crate::audit::{Contributions, Release};
use privug_engine::mechanism::{Calibration, calibrate};
use privug_engine::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic, Refusal, nearest};
use privug_language::words::number;

/// What protects each figure; every list has one entry for each.
#[derive(Debug, Clone, Default)]
pub(in crate::audit) struct Protection {
    pub(in crate::audit) suppressed: Vec<bool>,
    /// Standard deviation of the noise that a defence adds; 0 without.
    pub(in crate::audit) noise_std: Vec<f64>,
    /// What the figure is rounded to a multiple of; 0 without.
    pub(in crate::audit) rounded_to: Vec<f64>,
    /// Whether it is rounded up or down at random, the nearer multiple being likelier.
    pub(in crate::audit) rounded_at_random: Vec<bool>,
    pub(in crate::audit) notes: Vec<String>,
}

/// Finds the figures that each defence names, and the noise that each needs.
pub(in crate::audit) fn protect<S: Scalar>(
    release: &Release<S>,
    defences: &Defences,
    contributions: &[Contributions],
) -> Result<Protection, Refusal> {
    let count = release.names().count();
    let mut protection = Protection {
        suppressed: vec![false; count],
        noise_std: vec![0.0; count],
        rounded_to: vec![0.0; count],
        rounded_at_random: vec![false; count],
        notes: Vec::new(),
    };
    let mut errors = Vec::new();
    for defence in &defences.all {
        let figures = match named(release, defence) {
            Ok(figures) => figures,
            Err(error) => {
                errors.push(*error);
                continue;
            }
        };
        let mut calibrations = Vec::new();
        for figure in &figures {
            match defence.kind {
                Kind::Suppress => protection.suppressed[*figure] = true,
                // Counts are judged as if they were published as they are.
                _ if *figure >= release.outputs.len() => {}
                Kind::Round(unit) => {
                    (protection.rounded_to[*figure], protection.rounded_at_random[*figure]) = (unit, false);
                }
                Kind::RoundAtRandom(base) => {
                    (protection.rounded_to[*figure], protection.rounded_at_random[*figure]) = (base, true);
                }
                Kind::Noise(std) => protection.noise_std[*figure] = std,
                Kind::Mechanism { epsilon, delta, sensitivity, method } => {
                    let sensitivity = match sensitivity {
                        Sensitivity::Given(sensitivity) => sensitivity,
                        Sensitivity::Range(range) => range * contributions[*figure].largest_weight,
                        Sensitivity::RangeOfData => range_of(release) * contributions[*figure].largest_weight,
                    };
                    match calibrate(method, sensitivity, epsilon, delta) {
                        Ok(calibration) => {
                            protection.noise_std[*figure] = calibration.std_dev;
                            calibrations.push(calibration);
                        }
                        Err(error) => {
                            let message = format!("`{}`: {error}", release.outputs[*figure].name);
                            errors.push(Diagnostic::error(Code::BadDefence, defence.span, message));
                            break;
                        }
                    }
                }
            }
        }
        if let Kind::Mechanism { sensitivity, .. } = defence.kind {
            protection.notes.extend(mechanism_note(defence, sensitivity, &calibrations, range_of(release)));
        }
    }
    protection.notes.extend(general_notes(&protection));
    if errors.is_empty() { Ok(protection) } else { Err(defences.refuse(errors)) }
}

/// max − min.
fn range_of<S>(release: &Release<S>) -> f64 {
    let (low, high) = release.range();
    if low <= high { high - low } else { 0.0 }
}

/// A name without the white space, which nobody types the same twice.
fn squeezed(name: &str) -> String {
    name.split_whitespace().collect()
}

/// The table that a figure belongs to: its name up to the first bracket.
pub(in crate::audit) fn table_of(name: &str) -> &str {
    name.split_once('[').map_or(name, |(table, _)| table)
}

/// The figures that a defence is about: the one of that name, or all of a table. What was published before is out, and
/// nothing protects it any more.
fn named<S>(release: &Release<S>, defence: &Defence) -> Result<Vec<usize>, Box<Diagnostic>> {
    let (outputs, counts) = release.earlier;
    let is_new = |figure: usize| match figure.checked_sub(release.outputs.len()) {
        None => figure >= outputs,
        Some(count) => count >= counts,
    };
    let all = || (0..release.names().count()).filter(|figure| is_new(*figure));
    let Some(name) = &defence.name else { return Ok(all().collect()) };
    let wanted = squeezed(name);
    let is_meant = |figure: &str| {
        let figure = squeezed(figure);
        let behind = figure.strip_prefix(&wanted);
        behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(['[', '.']))
    };
    let figures = release.names().enumerate();
    let figures: Vec<usize> = figures.filter(|(_, figure)| is_meant(figure)).map(|(index, _)| index).collect();
    let new: Vec<usize> = figures.iter().copied().filter(|figure| is_new(*figure)).collect();
    if !new.is_empty() {
        return Ok(new);
    }
    if !figures.is_empty() {
        let message = format!("`{name}` was published earlier, and cannot be withdrawn");
        let hint = "defences apply to the figures of the new release";
        return Err(Box::new(Diagnostic::error(Code::BadDefence, defence.span, message).hint(hint)));
    }
    let tables: BTreeSet<&str> = release.names().map(table_of).collect();
    let names = release.names().chain(tables.iter().copied());
    let hint = match nearest(name, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let shown: Vec<String> = tables.iter().take(10).map(|table| format!("`{table}`")).collect();
            format!("the figures are {}{}", shown.join(", "), if tables.len() > 10 { ", …" } else { "" })
        }
    };
    let message = format!("there is no published figure `{name}`");
    Err(Box::new(Diagnostic::error(Code::UnknownFigure, defence.span, message).hint(hint)))
}

fn mechanism_note(
    defence: &Defence,
    sensitivity: Sensitivity,
    calibrations: &[Calibration],
    range_of_data: f64,
) -> Option<String> {
    let first = calibrations.first()?;
    let name = defence.name.as_deref().unwrap_or("every figure");
    let std = |pick: fn(f64, f64) -> f64| calibrations.iter().map(|one| one.std_dev).fold(first.std_dev, pick);
    let (least, most) = (std(f64::min), std(f64::max));
    let noise = if least == most { number(least) } else { format!("{} to {}", number(least), number(most)) };
    let mut note = format!(
        "`{name}` gets Gaussian noise of standard deviation {noise} ({} calibration, ε {}, δ {})",
        first.method.name(),
        number(first.epsilon),
        number(first.delta)
    );
    if calibrations.len() > 1 {
        note.push_str("; ε and δ are per figure, and add up over figures about the same people");
    }
    if sensitivity == Sensitivity::RangeOfData {
        note.push_str(&format!(
            "; its sensitivity was taken from the range of the real values, {}, which gives no guarantee: specify `sensitivity=` or `range=`",
            number(range_of_data)
        ));
    }
    Some(note)
}

fn general_notes(protection: &Protection) -> Vec<String> {
    let mut notes = Vec::new();
    let published = |figure: &usize| !protection.suppressed[*figure];
    let figures = || (0..protection.suppressed.len()).filter(published);
    if figures().any(|figure| protection.noise_std[figure] > 0.0) {
        notes.push(
            "noise is random; a figure with noise is assumed to be published with its true value, which is the most likely outcome. How certain the attacker becomes does not depend on it; how close to the truth does"
                .to_owned(),
        );
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::{DefenceTexts, read_defences};
    use super::*;
    use crate::audit::contributions::contributions;
    use crate::audit::persons::Persons;
    use crate::audit::policy::Policy;
    use crate::audit::testing::Table;

    fn protected(texts: DefenceTexts) -> Result<Protection, Vec<String>> {
        let mut table = Table::new(&[100.0, 200.0, 350.0, 400.0], 1.0);
        table.mean("by group[a, male]", &[0, 1]);
        table.mean("by group[b, male]", &[2, 3]);
        table.sum("all", &[0, 1, 2, 3]);
        let persons = Persons::of_rows(&table.release.people, 1);
        let contributors = contributions(&table.release, &persons, &Policy::default(), &|_| {}).contributions;
        let defences = read_defences(&texts).expect("well-formed");
        let said =
            |refusal: Refusal| refusal.diagnostics.into_iter().map(|e| format!("{} {:?}", e.message, e.hint)).collect();
        protect(&table.release, &defences, &contributors).map_err(said)
    }

    fn texts(noise: &[&str], suppress: &[&str], round: &[&str]) -> DefenceTexts {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        DefenceTexts { noise: owned(noise), suppress: owned(suppress), round: owned(round) }
    }

    #[test]
    fn a_cell_a_table_and_everything_can_be_named() {
        let found =
            protected(texts(&["by group=normal(std=3)"], &["by group[a,male]"], &["10", "all=50"])).expect("known");
        assert_eq!(found.suppressed, [true, false, false]);
        assert_eq!(found.noise_std, [3.0, 3.0, 0.0]);
        assert_eq!(found.rounded_to, [10.0, 10.0, 50.0]);
        assert_eq!(found.notes.len(), 1);
    }

    #[test]
    fn what_was_published_before_is_not_protected_any_more() {
        let mut table = Table::new(&[100.0, 200.0, 350.0, 400.0], 1.0);
        table.sum("may: all", &[0, 1, 2, 3]);
        table.sum("some", &[0, 1, 2]);
        table.release.earlier = (1, 0);
        let persons = Persons::of_rows(&table.release.people, 1);
        let contributors = contributions(&table.release, &persons, &Policy::default(), &|_| {}).contributions;
        let protected =
            |texts: DefenceTexts| protect(&table.release, &read_defences(&texts).expect("well-formed"), &contributors);
        let found = protected(texts(&["normal(std=3)"], &[], &["10"])).expect("new figures");
        assert_eq!((found.noise_std, found.rounded_to), (vec![0.0, 3.0], vec![0.0, 10.0]));
        let refused = protected(texts(&[], &["may: all"], &[])).expect_err("it is out");
        assert!(refused.diagnostics[0].message.contains("was published earlier"), "{refused:?}");
    }

    #[test]
    fn unknown_names_are_refused_with_the_nearest() {
        let said = protected(texts(&[], &["by groop"], &[])).expect_err("unknown");
        assert!(said[0].contains("`by groop`") && said[0].contains("did you mean `by group`?"), "{said:?}");
        let said = protected(texts(&[], &["nothing of the kind"], &[])).expect_err("unknown");
        assert!(said[0].contains("the figures are `all`, `by group`"), "{said:?}");
    }

    #[test]
    fn the_sensitivity_of_a_mean_is_the_range_over_its_size() {
        // 0.9 and 0.01 with Δ = 300/2: Δ²·2·ln(125)/0.81.
        let noise = ["by group[a, male]=gaussian(epsilon=0.9, delta=0.01, calibration=classic)"];
        let found = protected(texts(&noise, &[], &[])).expect("known");
        let expected = 150.0 * (2.0 * 125f64.ln()).sqrt() / 0.9;
        assert!((found.noise_std[0] / expected - 1.0).abs() < 1e-12);
        assert!(found.notes[0].contains("range of the real values, 300"), "{:?}", found.notes);
    }
}
