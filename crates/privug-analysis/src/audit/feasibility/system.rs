//! What the published figures say about the sums of classes: those that follow, and the rest in separate parts.
//!
//! A figure of which all classes but one are known gives that one. With disjoint and nested tables this finds everything:
//! the innermost figure is one class, and what it leaves of the next is another. Figures that still have several unknown
//! classes fall into parts that share none; each part is a system of its own for [`Simplex`].

use std::collections::BTreeMap;

use super::classes::Class;
use super::simplex::{Bounds, Simplex};
use super::support::is_whole;
use privug_engine::number::{Integer, Rational, Scalar};

/// A figure over classes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SystemRow {
    /// Which figure of the release.
    pub(super) figure: usize,
    /// Σ weight·sum of the class.
    pub(super) terms: Vec<(usize, Rational)>,
    /// What it is.
    pub(super) value: Rational,
    /// What it is known to be: the same for a published figure, something around it for a rounded one, nothing for one that
    /// is suppressed.
    pub(super) known: Bounds,
    /// Whether it is none of its bounds: a figure in the middle between two multiples is published as the even one.
    pub(super) is_open: bool,
}

/// How much is known about a figure besides its terms.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Seen {
    Published,
    /// The sum of the row lies at most so far below and above what it is; whether it can be so far off.
    Rounded(Rational, Rational, bool),
    Suppressed,
}

/// Some classes that figures connect.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) classes: Vec<usize>,
    pub(super) rows: Vec<usize>,
    pub(super) simplex: Simplex,
    pub(super) bounds: Vec<Bounds>,
    pub(super) values: Vec<Rational>,
    /// What each row was multiplied by, so that its weights are whole.
    pub(super) scales: Vec<Rational>,
}

/// All figures over all classes.
#[derive(Debug)]
pub(super) struct System {
    pub(super) classes: Vec<Class>,
    pub(super) rows: Vec<SystemRow>,
    /// The row that gives the sum of a class once the others in it are known.
    pub(super) given_by: Vec<Option<usize>>,
    /// What is known of the sum of each class from figures of that class alone, and from the support.
    pub(super) bounds: Vec<Bounds>,
    pub(super) parts: Vec<Part>,
    /// The part of each class that is not known.
    pub(super) part_of: Vec<Option<usize>>,
}

impl System {
    /// `figures` has the figure of each row of the classes, and how it is seen.
    pub(super) fn new(classes: Vec<Class>, figures: &[(usize, Seen)]) -> Self {
        let mut terms: Vec<Vec<(usize, Rational)>> = vec![Vec::new(); figures.len()];
        for (class, made) in classes.iter().enumerate() {
            made.rows.iter().for_each(|(row, weight)| terms[*row as usize].push((class, weight.clone())));
        }
        let rows: Vec<SystemRow> =
            figures.iter().zip(terms).map(|((figure, seen), terms)| row(*figure, seen, terms, &classes)).collect();
        let bounds =
            classes.iter().map(|class| Bounds { lower: class.lower.clone(), upper: class.upper.clone() }).collect();
        let given_by = vec![None; classes.len()];
        let part_of = vec![None; classes.len()];
        let mut system = System { classes, rows, given_by, bounds, parts: Vec::new(), part_of };
        system.follow();
        system.take_apart();
        system
    }

    /// Finds the classes that follow one after the other.
    fn follow(&mut self) {
        let is_exact = |row: &SystemRow| row.known.lower.is_some() && row.known.lower == row.known.upper;
        let mut unknown: Vec<usize> = self.rows.iter().map(|row| row.terms.len()).collect();
        let mut due: Vec<usize> =
            (0..self.rows.len()).filter(|row| unknown[*row] == 1 && is_exact(&self.rows[*row])).collect();
        due.reverse();
        while let Some(row) = due.pop() {
            let is_unknown = |(class, _): &&(usize, Rational)| self.given_by[*class].is_none();
            let Some((class, _)) = self.rows[row].terms.iter().find(is_unknown) else { continue };
            let class = *class;
            self.given_by[class] = Some(row);
            let total = self.classes[class].total.clone();
            self.bounds[class] = Bounds { lower: Some(total.clone()), upper: Some(total) };
            for (other, _) in &self.classes[class].rows {
                let other = *other as usize;
                unknown[other] -= 1;
                if unknown[other] == 1 && is_exact(&self.rows[other]) {
                    due.push(other);
                }
            }
        }
        for row in 0..self.rows.len() {
            if unknown[row] == 1 && !is_exact(&self.rows[row]) {
                self.narrow(row);
            }
        }
    }

    /// A figure of one unknown class that is known to within bounds.
    fn narrow(&mut self, row: usize) {
        let SystemRow { terms, value, known, is_open, .. } = &self.rows[row];
        let Some((class, weight)) = terms.iter().find(|(class, _)| self.given_by[*class].is_none()) else { return };
        // value − bound is what the class, times its weight, can be off.
        let total = &self.classes[*class].total;
        let step = self.classes[*class].step();
        let weight_size = if *weight < Rational::ZERO { -weight.clone() } else { weight.clone() };
        let known = steps_within(known, value, step.map(|step| step * weight_size).as_ref(), *is_open);
        let moved = |bound: &Option<Rational>| bound.as_ref().map(|bound| total + (bound - value) / weight);
        let (mut lower, mut upper) = (moved(&known.lower), moved(&known.upper));
        if *weight < Rational::ZERO {
            (lower, upper) = (upper, lower);
        }
        let bounds = &mut self.bounds[*class];
        bounds.lower = larger(bounds.lower.take(), lower);
        bounds.upper = smaller(bounds.upper.take(), upper);
    }

    fn take_apart(&mut self) {
        let mut leader: Vec<usize> = (0..self.classes.len()).collect();
        let mut rows_left = Vec::new();
        for (place, row) in self.rows.iter().enumerate() {
            let mut unknown = row.terms.iter().map(|(class, _)| *class).filter(|class| self.given_by[*class].is_none());
            let Some(first) = unknown.next() else { continue };
            let mut several = false;
            for other in unknown {
                several = true;
                let (one, other) = (find(&mut leader, first), find(&mut leader, other));
                leader[one] = other;
            }
            if several {
                rows_left.push((place, first));
            }
        }
        let mut rows_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (row, class) in rows_left {
            rows_of.entry(find(&mut leader, class)).or_default().push(row);
        }
        let mut classes_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for class in (0..self.classes.len()).filter(|class| self.given_by[*class].is_none()) {
            let first = find(&mut leader, class);
            if rows_of.contains_key(&first) {
                classes_of.entry(first).or_default().push(class);
            }
        }
        for (first, rows) in rows_of {
            let classes = classes_of.remove(&first).unwrap_or_default();
            classes.iter().for_each(|class| self.part_of[*class] = Some(self.parts.len()));
            let part = self.part(classes, rows);
            self.parts.push(part);
        }
    }

    fn part(&self, classes: Vec<usize>, rows: Vec<usize>) -> Part {
        let place: BTreeMap<usize, usize> = classes.iter().enumerate().map(|(place, class)| (*class, place)).collect();
        let mut bounds: Vec<Bounds> = classes.iter().map(|class| self.bounds[*class].clone()).collect();
        let mut values: Vec<Rational> = classes.iter().map(|class| self.classes[*class].total.clone()).collect();
        let mut sums = Vec::with_capacity(rows.len());
        let mut scales = Vec::with_capacity(rows.len());
        for row in &rows {
            let SystemRow { terms, value, known, is_open, .. } = &self.rows[*row];
            let unknown = || terms.iter().filter_map(|(class, weight)| Some((*place.get(class)?, weight)));
            let mut scale = Rational::ONE;
            for (_, weight) in unknown() {
                scale = &scale * Rational::from(Integer::from((weight * &scale).denominator().clone()));
            }
            let sum: Vec<(usize, Integer)> =
                unknown().map(|(place, weight)| (place, (weight * &scale).numerator().clone())).collect();
            let total = sum
                .iter()
                .fold(Rational::ZERO, |sum, (place, weight)| sum + &values[*place] * Rational::from(weight.clone()));
            let moved = |bound: &Option<Rational>| bound.as_ref().map(|bound| &total + (bound - value) * &scale);
            let known = Bounds { lower: moved(&known.lower), upper: moved(&known.upper) };
            let step = self.common_step(&classes, &sum);
            bounds.push(steps_within(&known, &total, step.as_ref(), *is_open));
            values.push(total);
            sums.push(sum);
            scales.push(scale);
        }
        let simplex = Simplex::new(classes.len(), &sums, bounds.clone(), values.clone());
        Part { classes, rows, simplex, bounds, values, scales }
    }

    /// A sum of sums that change in steps changes in steps itself: in multiples of their greatest common divisor.
    fn common_step(&self, classes: &[usize], sum: &[(usize, Integer)]) -> Option<Rational> {
        let mut common = Rational::ZERO;
        for (place, weight) in sum {
            let mut step = self.classes[classes[*place]].step()? * Rational::from(weight.clone());
            if step < Rational::ZERO {
                step = -step;
            }
            while step > Rational::ZERO {
                let times = Rational::from(Scalar::floor(&(&common / &step)));
                let rest = &common - times * &step;
                common = std::mem::replace(&mut step, rest);
            }
        }
        Some(common).filter(|common| *common > Rational::ZERO)
    }
}

/// The bounds of what changes in steps from what it is: on the steps, and inside of open bounds.
fn steps_within(bounds: &Bounds, from: &Rational, step: Option<&Rational>, is_open: bool) -> Bounds {
    let Some(step) = step else { return bounds.clone() };
    let kept = |off: Rational| {
        let steps = off / step;
        let whole = Rational::from(Scalar::floor(&steps));
        let is_bound = whole == steps && whole > Rational::ZERO;
        if is_open && is_bound { (whole - Rational::ONE) * step } else { whole * step }
    };
    Bounds {
        lower: bounds.lower.as_ref().map(|lower| from - kept(from - lower)),
        upper: bounds.upper.as_ref().map(|upper| from + kept(upper - from)),
    }
}

impl Part {
    /// Whether the sums of classes that change in steps are on them where the search is: then the point is possible.
    pub(super) fn is_on_steps(&self, classes: &[Class]) -> bool {
        self.classes.iter().enumerate().all(|(place, class)| {
            let class = &classes[*class];
            class.step().is_none_or(|step| is_whole(&((&self.simplex.values()[place] - &class.total) / step)))
        })
    }
}

fn row(figure: usize, seen: &Seen, terms: Vec<(usize, Rational)>, classes: &[Class]) -> SystemRow {
    let value = terms.iter().fold(Rational::ZERO, |sum, (class, weight)| sum + weight * &classes[*class].total);
    let is_open = matches!(seen, Seen::Rounded(_, _, true));
    let known = match seen {
        Seen::Published => Bounds { lower: Some(value.clone()), upper: Some(value.clone()) },
        Seen::Rounded(below, above, _) => Bounds { lower: Some(&value - below), upper: Some(&value + above) },
        Seen::Suppressed => Bounds::default(),
    };
    SystemRow { figure, terms, value, known, is_open }
}

fn find(leader: &mut [usize], mut class: usize) -> usize {
    while leader[class] != class {
        leader[class] = leader[leader[class]];
        class = leader[class];
    }
    class
}

/// The larger of two lower bounds; `None` is no bound.
pub(super) fn larger(one: Option<Rational>, other: Option<Rational>) -> Option<Rational> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if one < other { other } else { one }),
        (one, other) => one.or(other),
    }
}

/// The smaller of two upper bounds; `None` is no bound.
pub(super) fn smaller(one: Option<Rational>, other: Option<Rational>) -> Option<Rational> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other < one { other } else { one }),
        (one, other) => one.or(other),
    }
}
