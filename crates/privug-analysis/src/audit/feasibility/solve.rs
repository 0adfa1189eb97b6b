//! The largest and smallest sums of all classes, for outsiders and for every contributor.

use std::collections::BTreeMap;

use super::classes::Class;
use super::moves::{Moved, Moves};
use super::reach::{Held, Reach, held, holding_most, signed};
use super::simplex::{Exhausted, Side};
use super::system::{System, larger, smaller};
use crate::audit::persons::Persons;
use privug_engine::number::{Rational, Scalar};

/// What is known of one class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    /// By [`Side`]: upwards, and downwards with the sign changed.
    pub(super) reach: [Reach; 2],
    /// How good that is.
    pub(super) method: Method,
}

/// How what is known relates to what is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// It is the smallest and the largest that is possible.
    Exact,
    /// At least so much is possible: everybody in the class may share its real sum in another way.
    Certified,
    /// It may be more than is possible.
    Unknown,
}

impl Method {
    /// As in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::Certified => "certified",
            Method::Unknown => "unknown",
        }
    }
}

/// Parts with more numbers than this, times their classes, are worked out only for those who need it.
const SMALL: usize = 5_000_000;

/// What is known of one suppressed figure's row: the smallest and the largest value.
pub(super) type Range = [Option<Rational>; 2];

pub(super) const SIDES: [Side; 2] = [Side::Largest, Side::Smallest];

/// Solves the system. Tells after each part how many of how many are done; `stop` says whether to go on.
pub(super) struct Solver<'a> {
    pub(super) truths: &'a [f64],
    pub(super) persons: &'a Persons,
    pub(super) work: u64,
    pub(super) done: &'a dyn Fn(usize, usize),
    pub(super) is_cancelled: &'a dyn Fn() -> bool,
    /// Whether the rule says nothing against anybody of a class, given this.
    pub(super) passes: &'a dyn Fn(&Class, &Known) -> bool,
    /// How far the sum of a class has to be able to move for that.
    pub(super) wanted: &'a dyn Fn(&Class) -> Rational,
}

impl Solver<'_> {
    /// What is known of every class.
    pub(super) fn classes(&mut self, system: &mut System) -> Vec<Known> {
        let mut known: Vec<Known> = (0..system.classes.len()).map(|class| self.alone(system, class)).collect();
        for part in 0..system.parts.len() {
            if (self.is_cancelled)() {
                return known;
            }
            self.part(system, part, &mut known);
            (self.done)(part + 1, system.parts.len());
        }
        known
    }

    /// Works out a part: all of it, or those classes for which it is not enough that members may share the real sum.
    fn part(&mut self, system: &mut System, part: usize, known: &mut [Known]) {
        let classes = system.parts[part].classes.clone();
        let mut inner: Vec<Known> =
            classes.iter().map(|class| self.sharing(&system.classes[*class], &[None, None])).collect();
        let is_small = classes.len() * classes.len() * system.parts[part].rows.len() <= SMALL;
        if !is_small {
            self.move_about(system, part, &mut inner);
        }
        let is_needed = |place: &usize| is_small || !(self.passes)(&system.classes[classes[*place]], &inner[*place]);
        let needed: Vec<usize> = (0..classes.len()).filter(is_needed).collect();
        let found = self
            .outsiders(system, part, &needed, known)
            .and_then(|()| if needed.is_empty() { Ok(()) } else { self.insiders(system, part, &needed, known) });
        if is_small && found.is_err() {
            self.move_about(system, part, &mut inner);
        }
        for (place, class) in classes.iter().enumerate() {
            let is_done = found.is_ok() && needed.contains(&place);
            if !is_done && (self.passes)(&system.classes[*class], &inner[place]) {
                known[*class] = inner[place].clone();
            } else {
                // What was found before the work was used up holds: only bounds that are nearer are not known.
                known[*class].doubt(!is_done);
            }
        }
    }

    /// What is possible if the sum of a class moves so far, by [`Side`], or not at all.
    pub(super) fn sharing(&self, class: &Class, moved: &[Option<Moved>; 2]) -> Known {
        let mut moved = moved.iter();
        let reach = SIDES.map(|side| {
            let total = signed(side, &class.total);
            let moved = moved.next().and_then(Option::as_ref);
            let plus = |by: Option<&Rational>| by.map_or_else(|| total.clone(), |by| &total + by);
            let mut reach = Reach::new(class, side, Some(plus(moved.map(|moved| &moved.by))));
            let largest = plus(moved.map(|moved| &moved.by_contributors));
            self.holders(class, side).iter().for_each(|(person, held)| reach.know(*person, held, &largest));
            reach
        });
        let method = if class.has_holes() { Method::Unknown } else { Method::Certified };
        Known { reach, method }
    }

    /// Widens what is known to be possible by moves, where the rule says something against somebody of a class.
    fn move_about(&mut self, system: &System, part: usize, inner: &mut [Known]) {
        let Some(moves) = Moves::new(system, part, self.truths, self.persons) else { return };
        for (place, class) in system.parts[part].classes.iter().enumerate() {
            let class = &system.classes[*class];
            if (self.passes)(class, &inner[place]) || (self.is_cancelled)() {
                continue;
            }
            // Further than the rule asks for, if that is possible as well.
            let wanted = (self.wanted)(class);
            let mut furthest = |is_up| {
                [2, 1]
                    .iter()
                    .find_map(|times| moves.of(place, is_up, &(&wanted * Rational::from(*times)), &mut self.work))
            };
            let moved = [furthest(true), furthest(false)];
            inner[place] = self.sharing(class, &moved);
        }
    }

    /// What is known from the bounds of a class alone, which is all if it is in no part.
    fn alone(&self, system: &System, class: usize) -> Known {
        let (made, bounds) = (&system.classes[class], &system.bounds[class]);
        let outsider = [bounds.upper.clone(), bounds.lower.as_ref().map(|lower| -lower.clone())];
        let [upper, lower] = outsider;
        let mut reach = [Reach::new(made, Side::Largest, upper), Reach::new(made, Side::Smallest, lower)];
        let is_part = system.part_of[class].is_some();
        if !is_part {
            for (side, reach) in SIDES.into_iter().zip(&mut reach) {
                let Some(largest) = reach.outsider.clone() else { continue };
                let found = self.holders(made, side);
                found.iter().for_each(|(person, held)| reach.know(*person, held, &largest));
            }
        }
        let is_given = system.given_by[class].is_some();
        let is_exact = !made.has_holes() || (is_given && made.members.len() == 1);
        Known { reach, method: if is_exact { Method::Exact } else { Method::Unknown } }
    }

    /// Whether everybody holds one entry of one kind: then the extremes are enough.
    fn is_simple(&self, class: &Class) -> bool {
        self.persons.is_plain() && class.kinds.len() == 1
    }

    /// The contributors who may count on one side, and what they hold. What is possible is a concave function of what is
    /// known, so that of members that are alike the extreme ones know most.
    fn holders(&self, class: &Class, side: Side) -> BTreeMap<u32, Held> {
        match self.is_simple(class) {
            true => holding_most(class, side, self.truths, self.persons),
            false => held(class, side, self.truths, self.persons),
        }
    }

    fn outsiders(
        &mut self,
        system: &mut System,
        part: usize,
        needed: &[usize],
        known: &mut [Known],
    ) -> Result<(), Exhausted> {
        for place in needed {
            let class = system.parts[part].classes[*place];
            for (index, side) in SIDES.into_iter().enumerate() {
                let (found, is_reached) = self.extreme(system, part, *place, side)?;
                known[class].reach[index].outsider = found;
                known[class].doubt(!is_reached);
            }
        }
        Ok(())
    }

    /// The largest sum (of the negatives: where the side is the smallest), and whether it is reached.
    fn extreme(
        &mut self,
        system: &mut System,
        part: usize,
        place: usize,
        side: Side,
    ) -> Result<(Option<Rational>, bool), Exhausted> {
        let (classes, part) = (&system.classes, &mut system.parts[part]);
        let Some(found) = part.simplex.extreme(place, side, &mut self.work)? else { return Ok((None, true)) };
        let found = signed(side, &found);
        if part.is_on_steps(classes) {
            return Ok((Some(found), true));
        }
        let class = &classes[part.classes[place]];
        let total = signed(side, &class.total);
        let on_step =
            class.step().map(|step| &total + Rational::from(Scalar::floor(&((&found - &total) / step))) * step);
        Ok((Some(on_step.unwrap_or(found)), false))
    }

    /// Looks at classes of a part with the eyes of every contributor.
    fn insiders(
        &mut self,
        system: &mut System,
        part: usize,
        needed: &[usize],
        known: &mut [Known],
    ) -> Result<(), Exhausted> {
        let places = system.parts[part].classes.clone();
        // What each contributor holds of each class, on both sides.
        let mut holdings: BTreeMap<u32, BTreeMap<usize, [Held; 2]>> = BTreeMap::new();
        let simple = places.iter().all(|class| self.is_simple(&system.classes[*class]));
        for (place, class) in places.iter().enumerate() {
            let class = &system.classes[*class];
            let mut who: Vec<u32> = Vec::new();
            for side in SIDES {
                match simple {
                    true => who.extend(self.holders(class, side).into_keys()),
                    false => who.extend(held(class, side, self.truths, self.persons).into_keys()),
                }
            }
            let sides = SIDES.map(|side| held_by(class, side, self.truths, self.persons, &who));
            for person in who {
                let of = |side: usize| sides[side].get(&person).cloned().unwrap_or_default();
                holdings.entry(person).or_default().insert(place, [of(0), of(1)]);
            }
        }
        let (values, bounds) = (system.parts[part].values.clone(), system.parts[part].bounds.clone());
        for (person, held) in holdings {
            if (self.is_cancelled)() {
                return Err(Exhausted);
            }
            let mut narrowed = bounds.clone();
            for (place, [up, down]) in &held {
                let reach = &known[places[*place]].reach;
                let least = reach[0].least_sum(up);
                let most = reach[1].least_sum(down).map(|most| -most);
                let bounds = &mut narrowed[*place];
                bounds.lower = larger(bounds.lower.take(), least);
                bounds.upper = smaller(bounds.upper.take(), most);
            }
            for place in needed.iter().copied() {
                for (index, side) in SIDES.into_iter().enumerate() {
                    system.parts[part].simplex.restart(&values, &narrowed);
                    let (found, is_reached) = self.extreme(system, part, place, side)?;
                    let nothing = Held::default();
                    let own = held.get(&place).map_or(&nothing, |held| &held[index]);
                    let known = &mut known[places[place]];
                    known.doubt(!is_reached);
                    if let Some(found) = found {
                        known.reach[index].know(person, own, &found);
                    }
                }
            }
        }
        system.parts[part].simplex.restart(&values, &bounds);
        Ok(())
    }

    /// The smallest and the largest value of a suppressed row; `None` if that was too much.
    pub(super) fn suppressed(&mut self, system: &mut System, row: usize, known: &[Known]) -> Option<(Range, bool)> {
        let unknown: Vec<(usize, Rational)> = {
            let terms = system.rows[row].terms.iter();
            terms.filter(|(class, _)| system.given_by[*class].is_none()).cloned().collect()
        };
        let value = system.rows[row].value.clone();
        // The row is its value plus `factor` times what a variable of the part moves by.
        let (part, variable, factor) = match &unknown[..] {
            [] => return Some(([Some(value.clone()), Some(value)], true)),
            [(class, weight)] => match system.part_of[*class] {
                // An inner interval is not what is possible.
                Some(part) if known[*class].method != Method::Exact => {
                    let place = system.parts[part].classes.iter().position(|other| other == class)?;
                    (part, place, weight.clone())
                }
                _ => {
                    let total = &system.classes[*class].total;
                    let [up, down] = &known[*class].reach;
                    let moved = |sum: Rational| &value + (sum - total) * weight;
                    let mut range =
                        [down.outsider.as_ref().map(|sum| moved(-sum.clone())), up.outsider.clone().map(moved)];
                    if *weight < Rational::ZERO {
                        range.reverse();
                    }
                    return Some((range, known[*class].method == Method::Exact));
                }
            },
            [(class, _), ..] => {
                let part = system.part_of[*class]?;
                let place = system.parts[part].rows.iter().position(|other| *other == row)?;
                let scale = &system.parts[part].scales[place];
                (part, system.parts[part].classes.len() + place, Rational::ONE / scale)
            }
        };
        let mut is_certain = unknown.iter().all(|(class, _)| !system.classes[*class].has_holes());
        let (values, bounds) = (system.parts[part].values.clone(), system.parts[part].bounds.clone());
        let mut range = [None, None];
        for (at, side) in [Side::Smallest, Side::Largest].into_iter().enumerate() {
            let part = &mut system.parts[part];
            part.simplex.restart(&values, &bounds);
            let found = part.simplex.extreme(variable, side, &mut self.work).ok()?;
            is_certain &= found.is_none() || part.is_on_steps(&system.classes);
            range[at] = found.map(|found| &value + (found - &values[variable]) * &factor);
        }
        if factor < Rational::ZERO {
            range.reverse();
        }
        Some((range, is_certain))
    }
}

impl Known {
    /// Notes that a bound may not be reached.
    pub(super) fn doubt(&mut self, is_doubtful: bool) {
        if is_doubtful {
            self.method = Method::Unknown;
        }
    }
}

/// What some persons hold of a class.
fn held_by(class: &Class, side: Side, truths: &[f64], persons: &Persons, who: &[u32]) -> BTreeMap<u32, Held> {
    if who.len() * 2 >= class.members.len() {
        return held(class, side, truths, persons);
    }
    let is_wanted = |entry: &u32| who.contains(&(persons.of_entry(*entry as usize) as u32));
    let members = class.members.iter().filter(|(entry, _)| is_wanted(entry)).copied().collect();
    held(&Class { members, ..class.clone_without_members() }, side, truths, persons)
}
