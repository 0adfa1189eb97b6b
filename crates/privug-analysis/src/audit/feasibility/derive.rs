//! Why so little is possible for somebody: which figures bound the secret, and how.

use std::collections::BTreeMap;

use super::columns::interval;
use super::reach::held;
use super::simplex::{Bounds, Side};
use super::solve::{Known, SIDES};
use super::system::{System, larger, smaller};
use super::{BoundSide, Circumstances, Derivation};
use crate::audit::exact::decimal;
use crate::audit::release::Release;
use crate::audit::rows::Row;
use privug_engine::number::{Constants, Rational, Scalar};

/// Longer combinations are counted.
const TERMS: usize = 6;

/// Work that finding the figures behind one bound may take.
const WORK: u64 = 20_000_000;

/// How little is possible for an entry of a class; `None` if it cannot be told.
pub(super) fn derivation<S: Scalar>(
    release: &Release<S>,
    system: &mut System,
    known: &[Known],
    rows: &[&Row],
    around: &Circumstances<'_>,
    (entry, class): (usize, usize),
) -> Option<Derivation> {
    let persons = around.persons;
    let member = system.classes[class].members.iter().position(|(member, _)| *member as usize == entry)?;
    let kind = system.classes[class].kind(member).clone();
    let person = persons.of_entry(entry) as u32;
    let support = around.supports[kind.column].as_ref();
    let truth = decimal(release.truths[entry])?;
    let (outsider, _) = interval(&known[class], &kind, None);
    let (insider, who) = interval(&known[class], &kind, Some(person));
    // What an outsider knows is said without a contributor.
    let told_to_all = outsider.distance(support, &truth) == insider.distance(support, &truth);
    let (found, who) = if told_to_all { (outsider, [None, None]) } else { (insider, who) };
    let distance = found.distance(support, &truth)?;
    let is_lower = found.lower.as_ref().is_some_and(|lower| {
        Some(lower) != support.and_then(|support| support.lower.as_ref()) && &truth - lower == distance
    });
    let bound = if is_lower { found.lower.clone()? } else { found.upper.clone()? };
    let by = who[usize::from(!is_lower)];
    let index = usize::from(is_lower == (kind.unit > Rational::ZERO));
    let (figures, is_sum) = behind(system, known, around, &release.truths, class, index, by)?;
    let Combined { figures, times, value } = combination(rows, system, &figures)?;

    let count = system.classes[class].members.len();
    let known_count = by.map_or(0, |by| held_count(system, class, around, by));
    let is_point = found.lower.is_some() && found.lower == found.upper;
    Some(Derivation {
        entry,
        column: kind.column,
        bound: Constants::to_f64(&bound),
        side: match (is_point, is_lower) {
            (true, _) => BoundSide::Exactly,
            (false, true) => BoundSide::AtLeast,
            (false, false) => BoundSide::AtMost,
        },
        truth: Constants::to_f64(&truth),
        figures,
        times,
        is_sum,
        value,
        secrets: count,
        insider: by.map(|by| by as usize),
        insider_contributes: known_count > 0,
        support: support.filter(|_| count > 1 + known_count || !is_sum).map(|support| support.words.clone()),
    })
}

/// How many entries of a class a person has.
fn held_count(system: &System, class: usize, around: &Circumstances<'_>, person: u32) -> usize {
    let members = system.classes[class].members.iter();
    members.filter(|(entry, _)| around.persons.of_entry(*entry as usize) as u32 == person).count()
}

/// The rows whose combination bounds the sum of a class, and whether the combination is that sum.
fn behind(
    system: &mut System,
    known: &[Known],
    around: &Circumstances<'_>,
    truths: &[f64],
    class: usize,
    index: usize,
    by: Option<u32>,
) -> Option<(BTreeMap<usize, Rational>, bool)> {
    let mut figures = BTreeMap::new();
    let Some(part) = system.part_of[class] else {
        if system.given_by[class].is_some() {
            given(system, class, &Rational::ONE, &mut figures);
            return Some((figures, true));
        }
        // A rounded figure: those of the class alone.
        let rows = system.classes[class].rows.iter().map(|(row, _)| *row as usize);
        let rows = rows.filter(|row| system.rows[*row].known != Bounds::default());
        rows.for_each(|row| {
            figures.insert(row, Rational::ONE);
        });
        return Some((figures, false));
    };
    let side = SIDES[index];
    let place = system.parts[part].classes.iter().position(|other| *other == class)?;
    let mut bounds = system.parts[part].bounds.clone();
    if let Some(by) = by {
        for (place, class) in system.parts[part].classes.iter().enumerate() {
            let of = |side: Side| held(&system.classes[*class], side, truths, around.persons).remove(&by);
            if let (Some(up), Some(down)) = (of(Side::Largest), of(Side::Smallest)) {
                let reach = &known[*class].reach;
                let bounds = &mut bounds[place];
                bounds.lower = larger(bounds.lower.take(), reach[0].least_sum(&up));
                bounds.upper = smaller(bounds.upper.take(), reach[1].least_sum(&down).map(|most| -most));
            }
        }
    }
    let values = system.parts[part].values.clone();
    let searched = &mut system.parts[part];
    searched.simplex.restart(&values, &bounds);
    let mut work = WORK;
    searched.simplex.extreme(place, side, &mut work).ok()??;
    let made_of = searched.simplex.made_of(place);
    let classes = searched.classes.len();
    let is_sum = made_of.iter().all(|(variable, _)| *variable >= classes);
    for (variable, factor) in made_of.into_iter().filter(|(variable, _)| *variable >= classes) {
        let row = system.parts[part].rows[variable - classes];
        let factor = factor * &system.parts[part].scales[variable - classes];
        without_given(system, row, &factor, &mut figures);
    }
    figures.retain(|_, factor| !Constants::is_zero(factor));
    Some((figures, is_sum))
}

/// Adds a row without the classes that are given by others.
fn without_given(system: &System, row: usize, factor: &Rational, figures: &mut BTreeMap<usize, Rational>) {
    *figures.entry(row).or_insert(Rational::ZERO) += factor;
    for (class, weight) in &system.rows[row].terms {
        if system.given_by[*class].is_some() {
            given(system, *class, &-(factor * weight), figures);
        }
    }
}

/// Adds `factor` times the sum of a class that is given: (row − Σ others)/weight, the others being given by earlier rows.
fn given(system: &System, class: usize, factor: &Rational, figures: &mut BTreeMap<usize, Rational>) {
    let mut due = vec![(class, factor.clone())];
    while let Some((class, factor)) = due.pop() {
        let Some(row) = system.given_by[class] else { continue };
        let terms = &system.rows[row].terms;
        let Some((_, weight)) = terms.iter().find(|(other, _)| *other == class) else { continue };
        let factor = factor / weight;
        *figures.entry(row).or_insert(Rational::ZERO) += &factor;
        let others = terms.iter().filter(|(other, _)| *other != class);
        due.extend(others.map(|(other, weight)| (*other, -(&factor * weight))));
        if due.len() > 100_000 {
            break;
        }
    }
    figures.retain(|_, factor| !Constants::is_zero(factor));
}

/// A combination of figures.
struct Combined {
    figures: Vec<usize>,
    times: Vec<f64>,
    value: Option<f64>,
}

/// Which figures a combination of rows is made of, what each is multiplied by, and the value of all where they are few.
fn combination(rows: &[&Row], system: &System, figures: &BTreeMap<usize, Rational>) -> Option<Combined> {
    let places = figures.keys().map(|row| system.rows[*row].figure).collect();
    if figures.len() > TERMS {
        return Some(Combined { figures: places, times: Vec::new(), value: None });
    }
    let mut times = Vec::new();
    let mut value = Rational::ZERO;
    for (row, factor) in figures {
        value += factor * &system.rows[*row].value;
        let divisor = rows[*row].factor.as_ref().filter(|factor| !Constants::is_zero(*factor))?;
        times.push(Constants::to_f64(&(factor / divisor)));
    }
    Some(Combined { figures: places, times, value: Some(Constants::to_f64(&value)) })
}
