//! Other tables with the same published figures that differ from the real one in a few classes only.
//!
//! A *move* adds d to the sums of some classes and takes d from others, such that no figure changes. If all sums stay
//! within what is possible, the class at which it begins can be d larger (or smaller) than it is, and who knows their own
//! value can exclude the move only if their class is one that it changes. So a few moves with no such class in common
//! widen the interval for outsiders and contributors alike (docs/proofs/moves.md). In a table with margins in two
//! dimensions a move has four cells, in one with three two-way margins eight: they are found at once, where a program for
//! every contributor and every cell would be far too much.

use super::classes::Class;
use super::simplex::Side;
use super::system::System;
use crate::audit::exact::decimal;
use crate::audit::persons::Persons;
use privug_engine::number::{Constants, Rational, Scalar};

/// No move changes more classes.
const MOST_CLASSES: usize = 24;

/// A search for one move gives up after so many classes were tried, and so many times those of the longest figure.
const MOST_TRIED: usize = 4_000;
const MOST_FIGURES_TRIED: usize = 8;

/// A class that is changed, and whether it becomes larger.
type Change = (usize, bool);

/// The classes of one part, and by how much their sums can move.
pub(super) struct Moves {
    /// The figures of each class: the place of the figure, and whether its weight is positive.
    rows: Vec<Vec<(usize, bool)>>,
    /// The classes of each figure.
    classes: Vec<Vec<(usize, bool)>>,
    /// How much smaller and larger each sum can become; `None` is no bound.
    room: Vec<[Option<Rational>; 2]>,
    /// The same for every contributor, who knows their own part of it.
    contributors_room: Vec<[Option<Rational>; 2]>,
    /// What a sum changes by, if not by anything.
    step: Vec<Option<Rational>>,
    /// Which sums are possible between the bounds is not known.
    has_holes: Vec<bool>,
}

/// How far a class can certainly move.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moved {
    pub(super) by: Rational,
    /// Also to its own contributors, each of whom knows their own value.
    pub(super) by_contributors: Rational,
}

impl Moves {
    /// The moves of a part; `None` where figures give classes other weights than ±1, or where people hold several entries.
    pub(super) fn new(system: &System, part: usize, truths: &[f64], persons: &Persons) -> Option<Self> {
        if !persons.is_plain() {
            return None;
        }
        let part = &system.parts[part];
        let mut place = vec![usize::MAX; system.classes.len()];
        part.classes.iter().enumerate().for_each(|(at, class)| place[*class] = at);
        let mut moves = Moves {
            rows: vec![Vec::new(); part.classes.len()],
            classes: Vec::new(),
            room: Vec::with_capacity(part.classes.len()),
            contributors_room: Vec::with_capacity(part.classes.len()),
            step: Vec::new(),
            has_holes: Vec::new(),
        };
        for row in &part.rows {
            let row = &system.rows[*row];
            if row.known.lower.is_none() && row.known.upper.is_none() {
                continue;
            }
            let figure = moves.classes.len();
            moves.classes.push(Vec::new());
            // Weights that are all the same factor of ±1 leave the same sums alone.
            let unknown = || row.terms.iter().filter(|(class, _)| place[*class] != usize::MAX);
            let (_, first) = unknown().next()?;
            for (class, weight) in unknown() {
                let is_same = weight == first;
                if !is_same && *weight != -first.clone() {
                    return None;
                }
                moves.rows[place[*class]].push((figure, is_same));
                moves.classes[figure].push((place[*class], is_same));
            }
        }
        for (at, class) in part.classes.iter().enumerate() {
            let class = &system.classes[*class];
            let bounds = &part.bounds[at];
            let below = bounds.lower.as_ref().map(|lower| &class.total - lower);
            let above = bounds.upper.as_ref().map(|upper| upper - &class.total);
            let own = [Side::Smallest, Side::Largest].map(|side| of_others(class, side, truths));
            let [others_below, others_above] = own;
            let least = super::system::smaller;
            moves.contributors_room.push([least(below.clone(), others_below), least(above.clone(), others_above)]);
            moves.room.push([below, above]);
            moves.step.push(class.step().cloned());
            moves.has_holes.push(class.has_holes());
        }
        Some(moves)
    }

    /// By how much a class can become larger or smaller, whatever one contributor of any other class knows: `wanted`, or
    /// as far as its bound where that is nearer. `None` if no moves were found that show it.
    ///
    /// A contributor of a class that the first move changes and the second does not can exclude the first move only; the
    /// other way round, the second.
    pub(super) fn of(&self, class: usize, is_up: bool, wanted: &Rational, work: &mut u64) -> Option<Moved> {
        let by = self.amount(class, is_up, wanted)?;
        if Constants::is_zero(&by) {
            return Some(Moved { by_contributors: by.clone(), by });
        }
        let first = self.find(class, is_up, &by, &[], work)?;
        let closed = self.closed(class, &first, &by);
        if !closed.is_empty() && self.find(class, is_up, &by, &closed, work).is_none() {
            for one in &closed {
                self.find(class, is_up, &by, std::slice::from_ref(one), work)?;
            }
        }
        let is_open = is_enough(&self.contributors_room[class][usize::from(is_up)], &by);
        Some(Moved { by_contributors: if is_open { by.clone() } else { Rational::ZERO }, by })
    }

    /// An amount that the class can move by, as near to the wanted one as its bound and its steps allow.
    fn amount(&self, class: usize, is_up: bool, wanted: &Rational) -> Option<Rational> {
        if self.has_holes[class] {
            return None;
        }
        let mut by = wanted.clone();
        if let Some(step) = &self.step[class] {
            let steps = Rational::from(Scalar::floor(&(&by / step)));
            by = if &steps * step < by { (steps + Rational::ONE) * step } else { by };
        }
        Some(match &self.room[class][usize::from(is_up)] {
            Some(room) if *room < by => room.clone(),
            _ => by,
        })
    }

    /// The classes of a move of which some contributor knows that it is not possible.
    fn closed(&self, class: usize, found: &[Change], by: &Rational) -> Vec<usize> {
        let is_closed = |(other, is_up): &&Change| {
            *other != class && !is_enough(&self.contributors_room[*other][usize::from(*is_up)], by)
        };
        found.iter().filter(is_closed).map(|(other, _)| *other).collect()
    }

    /// A move that begins at a class and leaves the given classes as they are.
    fn find(&self, class: usize, is_up: bool, by: &Rational, without: &[usize], work: &mut u64) -> Option<Vec<Change>> {
        let mut search = Search {
            moves: self,
            by,
            without,
            changed: Vec::with_capacity(MOST_CLASSES),
            balance: vec![0; self.classes.len()],
            open: Vec::new(),
            tried: 0,
            most: MOST_TRIED + MOST_FIGURES_TRIED * self.classes.iter().map(Vec::len).max().unwrap_or(0),
        };
        search.change(class, is_up);
        let is_found = search.complete();
        *work = work.saturating_sub(search.tried as u64);
        (is_found && *work > 0).then_some(search.changed)
    }

    fn is_possible(&self, (class, is_up): Change, by: &Rational) -> bool {
        let fits = self.step[class].as_ref().is_none_or(|step| super::support::is_whole(&(by / step)));
        !self.has_holes[class] && fits && is_enough(&self.room[class][usize::from(is_up)], by)
    }
}

fn is_enough(room: &Option<Rational>, by: &Rational) -> bool {
    room.as_ref().is_none_or(|room| room >= by)
}

/// How far the sum of a class can move on a side with the value of one member fixed, whoever that is; `None` is no bound.
fn of_others(class: &Class, side: Side, truths: &[f64]) -> Option<Rational> {
    let mut unbounded = 0_usize;
    let mut all = Rational::ZERO;
    let mut most: Option<Rational> = None;
    for (member, (entry, _)) in class.members.iter().enumerate() {
        let kind = class.kind(member);
        let bound = if side == Side::Largest { &kind.upper } else { &kind.lower };
        let Some(bound) = bound else {
            unbounded += 1;
            continue;
        };
        let worth = decimal(truths[*entry as usize]).unwrap_or(Rational::ZERO) * &kind.unit;
        let own = if side == Side::Largest { bound - worth } else { worth - bound };
        all += &own;
        if most.as_ref().is_none_or(|most| own > *most) {
            most = Some(own);
        }
    }
    match unbounded {
        // With the only unbounded member fixed, the others are what is left.
        1 => Some(all),
        0 => Some(all - most.unwrap_or(Rational::ZERO)),
        _ => None,
    }
}

/// A depth-first search: the figure that is off and has been so longest is put right by one more class, those first that
/// put other figures right as well.
struct Search<'a> {
    moves: &'a Moves,
    by: &'a Rational,
    without: &'a [usize],
    changed: Vec<Change>,
    /// How many times `by` each figure is off.
    balance: Vec<i32>,
    /// The figures that are off, in the order in which they came to be.
    open: Vec<usize>,
    tried: usize,
    most: usize,
}

impl Search<'_> {
    fn change(&mut self, class: usize, is_up: bool) {
        self.changed.push((class, is_up));
        self.shift(class, is_up);
    }

    fn undo(&mut self) {
        if let Some((class, is_up)) = self.changed.pop() {
            self.shift(class, !is_up);
        }
    }

    fn shift(&mut self, class: usize, is_up: bool) {
        for (figure, is_positive) in &self.moves.rows[class] {
            let balance = &mut self.balance[*figure];
            let was = *balance;
            *balance += if *is_positive == is_up { 1 } else { -1 };
            if was == 0 {
                self.open.push(*figure);
            } else if *balance == 0 {
                self.open.retain(|other| other != figure);
            }
        }
    }

    /// By how much a change brings the figures nearer to what they are.
    fn gain(&self, class: usize, is_up: bool) -> i32 {
        let rows = self.moves.rows[class].iter();
        rows.map(|(figure, is_positive)| {
            let after = self.balance[*figure] + if *is_positive == is_up { 1 } else { -1 };
            self.balance[*figure].abs() - after.abs()
        })
        .sum()
    }

    fn complete(&mut self) -> bool {
        let Some(figure) = self.open.first().copied() else { return true };
        if self.changed.len() >= MOST_CLASSES {
            return false;
        }
        let is_over = self.balance[figure] > 0;
        let mut candidates: Vec<(i32, usize, bool)> = Vec::new();
        for (class, is_positive) in &self.moves.classes[figure] {
            let is_up = *is_positive != is_over;
            let change = (*class, is_up);
            self.tried += 1;
            let is_used = self.changed.iter().any(|(other, _)| other == class) || self.without.contains(class);
            if !is_used && self.moves.is_possible(change, self.by) {
                candidates.push((self.gain(*class, is_up), *class, is_up));
            }
        }
        candidates.sort_by_key(|(gain, class, _)| (-gain, *class));
        for (_, class, is_up) in candidates {
            if self.tried > self.most {
                return false;
            }
            self.change(class, is_up);
            if self.complete() {
                return true;
            }
            self.undo();
        }
        false
    }
}
