//! People that every published figure sees alike, taken together.
//!
//! An entry with the value x and the weight w in the first figure that it is in stands for z = w·x. Entries whose weights
//! in all figures are in the same proportions are one *class*: the figures depend on the sum of their z only, and any sum
//! between Σ lower and Σ upper is possible. So there are as many unknowns as classes, however many people there are.

use std::collections::HashMap;

use super::support::Supports;
use crate::audit::exact::decimal;
use crate::audit::persons::Persons;
use crate::audit::rows::{Row, Weights};
use privug_engine::number::{Constants, Rational, Scalar};

/// Entries of a class with the same unit and the same support.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kind {
    /// w: what their values are multiplied by.
    pub(super) unit: Rational,
    /// The secret column.
    pub(super) column: usize,
    /// Smallest and largest z of one of them.
    pub(super) lower: Option<Rational>,
    pub(super) upper: Option<Rational>,
    /// What z changes by, if not by anything.
    pub(super) step: Option<Rational>,
    pub(super) has_holes: bool,
}

/// Entries that are seen alike.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Class {
    /// The rows it is in, ascending, and its weight there; that of the first is 1.
    pub(super) rows: Vec<(u32, Rational)>,
    pub(super) kinds: Vec<Kind>,
    /// The entries, and the kind of each.
    pub(super) members: Vec<(u32, u32)>,
    /// Σ of the smallest, of the largest and of the real z.
    pub(super) lower: Option<Rational>,
    pub(super) upper: Option<Rational>,
    pub(super) total: Rational,
}

impl Class {
    pub(super) fn kind(&self, member: usize) -> &Kind {
        &self.kinds[self.members[member].1 as usize]
    }

    /// The same class without its members.
    pub(super) fn clone_without_members(&self) -> Class {
        let Class { rows, kinds, members: _, lower, upper, total } = self;
        Class {
            rows: rows.clone(),
            kinds: kinds.clone(),
            members: Vec::new(),
            lower: lower.clone(),
            upper: upper.clone(),
            total: total.clone(),
        }
    }

    /// What the sum changes by, if all members change by the same and not by anything. Then every sum that differs from the
    /// real one by a multiple of it, between the bounds, is possible.
    pub(super) fn step(&self) -> Option<&Rational> {
        match &self.kinds[..] {
            [kind] if !kind.has_holes => kind.step.as_ref(),
            _ => None,
        }
    }

    /// Whether not every sum between the bounds is possible, and which are is not known.
    pub(super) fn has_holes(&self) -> bool {
        self.kinds.iter().any(|kind| kind.has_holes)
            || (self.kinds.len() > 1 && self.kinds.iter().any(|k| k.step.is_some()))
    }
}

/// A weight that can be compared and hashed: the bits of a double, or a place in a list of rationals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Code {
    Double(u64),
    Listed(u32),
}

/// The classes of all entries that are in a row; rows that have none are left out of nothing.
pub(super) fn classes(rows: &[&Row], truths: &[f64], persons: &Persons, supports: &Supports) -> Vec<Class> {
    let mut listed: Vec<Rational> = Vec::new();
    let (starts, columns) = by_entry(rows, truths.len(), &mut listed);
    let value = |code: Code| match code {
        Code::Double(bits) => <Rational as Scalar>::from_f64(f64::from_bits(bits)).unwrap_or(Rational::ZERO),
        Code::Listed(place) => listed[place as usize].clone(),
    };
    let mut known: HashMap<(usize, &[(u32, Code)]), (usize, u32)> = HashMap::new();
    let mut directions: HashMap<Vec<(u32, Rational)>, usize> = HashMap::new();
    let mut classes: Vec<Class> = Vec::new();
    for entry in 0..truths.len() {
        let weights = &columns[starts[entry]..starts[entry + 1]];
        let Some((_, first)) = weights.first() else { continue };
        let column = persons.column(entry);
        let (class, kind) = *known.entry((column, weights)).or_insert_with(|| {
            let unit = value(*first);
            let direction: Vec<(u32, Rational)> =
                weights.iter().map(|(row, code)| (*row, value(*code) / &unit)).collect();
            let class = *directions.entry(direction.clone()).or_insert_with(|| {
                classes.push(Class { rows: direction, ..Class::default() });
                classes.len() - 1
            });
            let kinds = &mut classes[class].kinds;
            kinds.push(kind_of(unit, column, supports));
            (class, kinds.len() as u32 - 1)
        });
        classes[class].members.push((entry as u32, kind));
    }
    for class in &mut classes {
        add_up(class, truths);
    }
    classes
}

fn kind_of(unit: Rational, column: usize, supports: &Supports) -> Kind {
    let (mut lower, mut upper, mut step, mut has_holes) = (None, None, None, false);
    if let Some(support) = &supports[column] {
        let scaled = |bound: &Option<Rational>| bound.as_ref().map(|bound| bound * &unit);
        (lower, upper) = (scaled(&support.lower), scaled(&support.upper));
        if unit < Rational::ZERO {
            (lower, upper) = (upper, lower);
        }
        step = support.step.as_ref().map(|step| if unit < Rational::ZERO { -(step * &unit) } else { step * &unit });
        has_holes = support.has_holes;
    }
    Kind { unit, column, lower, upper, step, has_holes }
}

/// The bounds and the real sum of a class.
fn add_up(class: &mut Class, truths: &[f64]) {
    let mut counts = vec![0_i64; class.kinds.len()];
    let mut sums = vec![Sum::default(); class.kinds.len()];
    for (entry, kind) in &class.members {
        counts[*kind as usize] += 1;
        sums[*kind as usize].add(truths[*entry as usize]);
    }
    class.lower = Some(Rational::ZERO);
    class.upper = Some(Rational::ZERO);
    for ((kind, count), sum) in class.kinds.iter().zip(counts).zip(sums) {
        let count = Rational::from(count);
        let plus = |sum: Option<Rational>, bound: &Option<Rational>| Some(sum? + bound.as_ref()? * &count);
        class.lower = plus(class.lower.take(), &kind.lower);
        class.upper = plus(class.upper.take(), &kind.upper);
        class.total += sum.total() * &kind.unit;
    }
}

/// A sum of numbers as they are written; whole numbers are added as such.
#[derive(Debug, Clone, Default)]
struct Sum {
    whole: i128,
    rest: Rational,
}

impl Sum {
    fn add(&mut self, value: f64) {
        // Whole doubles of this size, two million million of them, stay below 2¹²⁷.
        if value.fract() == 0.0 && value.abs() < 1e18 {
            self.whole += value as i128;
        } else {
            self.rest += decimal(value).unwrap_or(Rational::ZERO);
        }
    }

    fn total(self) -> Rational {
        self.rest + Rational::from(self.whole)
    }
}

/// The rows and weights of every entry, one after the other, and where those of each begin.
fn by_entry(rows: &[&Row], entries: usize, listed: &mut Vec<Rational>) -> (Vec<usize>, Vec<(u32, Code)>) {
    let mut starts = vec![0_usize; entries + 1];
    for row in rows {
        match &row.weights {
            Weights::Doubles(weights) => weights.iter().for_each(|(entry, _)| starts[*entry as usize + 1] += 1),
            Weights::Rationals(weights) => weights.iter().for_each(|(entry, _)| starts[*entry as usize + 1] += 1),
        }
    }
    for entry in 0..entries {
        starts[entry + 1] += starts[entry];
    }
    let mut next = starts.clone();
    let mut columns = vec![(0, Code::Double(0)); starts[entries]];
    let mut places: HashMap<Rational, u32> = HashMap::new();
    for (number, row) in rows.iter().enumerate() {
        let mut put = |entry: u32, code: Code| {
            columns[next[entry as usize]] = (number as u32, code);
            next[entry as usize] += 1;
        };
        match &row.weights {
            Weights::Doubles(weights) => {
                weights.iter().for_each(|(entry, weight)| put(*entry, Code::Double(weight.to_bits())));
            }
            Weights::Rationals(weights) => {
                for (entry, weight) in weights {
                    // A weight that is a double has one code only.
                    let double = Constants::to_f64(weight);
                    let code = match <Rational as Scalar>::from_f64(double) {
                        Some(same) if same == *weight => Code::Double(double.to_bits()),
                        _ => Code::Listed(*places.entry(weight.clone()).or_insert_with(|| {
                            listed.push(weight.clone());
                            listed.len() as u32 - 1
                        })),
                    };
                    put(*entry, code);
                }
            }
        }
    }
    (starts, columns)
}
