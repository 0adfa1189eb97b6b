//! One sweep over the choices, earliest first: how likely each combination of leaves of several diagrams is.
//!
//! Several events need not be one diagram, and a value that was given a choice of its own ([`Law::Derived`]) is followed
//! together with the diagram it comes from. What is kept between two choices is what still matters about the earlier ones.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::rc::Rc;

use super::{Diagram, Diagrams, Law, Mass, NodeMap, TooWide};
use crate::number::Scalar;

/// Combinations of what still matters that a sweep may meet.
const MAX_STATES: usize = 1 << 21;
/// More combinations of leaves are not told apart.
const MAX_TUPLES: usize = 1 << 17;
/// Parts that ask more are not decided at once, unless they are events.
const FEW_LEVELS: u32 = 3;
/// Diagrams looked at on the way, for all combinations together.
const MAX_WORK: usize = 120_000_000;

/// What a sweep has found.
#[derive(Debug)]
pub struct Swept<S> {
    /// Leaves, one of each factor, and how likely they are; in the order of the leaves' numbers.
    pub tuples: Vec<(Box<[u32]>, Mass<S>)>,
    /// The choices that were asked.
    pub choices: Vec<u32>,
    /// At most so many roundings are behind each probability.
    pub roundings: usize,
}

/// Diagrams in the middle of a sweep: where each of them is that has begun and still matters, by their numbers.
type State = Box<[(u32, Diagram)]>;

/// What waits for a choice, in the order in which it came: sums of doubles depend on it, and it is the same every time.
struct Bucket<S> {
    entries: Vec<Waiting<S>>,
    /// The last entry with each digest.
    last: NodeMap<u64, u32>,
}

struct Waiting<S> {
    state: State,
    mass: Mass<S>,
    roundings: usize,
    /// Another entry with the same digest.
    other: Option<u32>,
}

impl<S> Default for Bucket<S> {
    fn default() -> Self {
        Bucket { entries: Vec::new(), last: NodeMap::default() }
    }
}

impl<S: Scalar> Bucket<S> {
    /// Adds what arrives at a state; whether the state is new.
    fn add(&mut self, state: State, mass: Mass<S>, roundings: usize) -> bool {
        let digest = self.last.hasher().hash_one(&state);
        let last = self.last.get(&digest).copied();
        let mut at = last;
        while let Some(place) = at {
            let known = &mut self.entries[place as usize];
            if known.state == state {
                known.mass = known.mass.add(&mass);
                known.roundings = roundings.max(known.roundings) + 1;
                return false;
            }
            at = known.other;
        }
        self.last.insert(digest, self.entries.len() as u32);
        self.entries.push(Waiting { state, mass, roundings, other: last });
        true
    }
}

/// The choices that diagrams depend on, also through choices that stand for values.
pub fn choices_behind<S>(diagrams: &Diagrams, laws: &[Law<S>], roots: &[Diagram]) -> Vec<u32> {
    let mut found: BTreeSet<u32> = BTreeSet::new();
    let mut open: Vec<Diagram> = roots.to_vec();
    while !open.is_empty() {
        let choices = diagrams.choices_of(&std::mem::take(&mut open));
        for choice in choices.into_iter().filter(|choice| found.insert(*choice)) {
            if let Law::Derived(from, _) = &laws[choice as usize] {
                open.push(*from);
            }
        }
    }
    found.into_iter().collect()
}

/// The probability of each combination of leaves of the factors, in the worlds of all events.
pub fn sweep<S: Scalar>(
    diagrams: &Diagrams,
    laws: &[Law<S>],
    events: &[Diagram],
    factors: &[Diagram],
) -> Result<Swept<S>, TooWide> {
    let roots: Vec<Diagram> = events.iter().chain(factors).copied().collect();
    let choices = choices_behind(diagrams, laws, &roots);
    // Values with a choice of their own, each followed until its choice is asked.
    let followed: Vec<(u32, Diagram, &[u32])> = choices
        .iter()
        .filter_map(|choice| match &laws[*choice as usize] {
            Law::Derived(from, leaves) => Some((*choice, *from, &**leaves)),
            Law::Finite(_) | Law::Scaled(_) | Law::Uniform(_) | Law::Threshold { .. } | Law::Sum(_) | Law::Order(_) => {
                None
            }
        })
        .collect();
    let way = Way { diagrams, events: events.len(), roots: roots.len(), followed };
    let mut alone = Alone::new(&way, laws, &roots);
    let Some((start, beginning)) = way.start(&roots) else { return Ok(Swept::nothing(choices)) };
    let mut waiting: BTreeMap<u32, Bucket<S>> = BTreeMap::new();
    let mut ended: Bucket<S> = Bucket::default();
    let (mut states, mut work) = (0, 0);
    let mut arrive = |waiting: &mut BTreeMap<u32, Bucket<S>>,
                      state: State,
                      after: Option<u32>,
                      mass: Mass<S>,
                      roundings: usize|
     -> Result<(), TooWide> {
        work += state.len() + 1;
        // What has not begun yet begins at the first choice that it asks.
        let next = match after {
            Some(choice) => beginning.range(choice + 1..).next(),
            None => beginning.iter().next(),
        };
        let next = next.map(|(choice, _)| *choice);
        let bucket = match way.next_choice(&state).into_iter().chain(next).min() {
            Some(choice) => waiting.entry(choice).or_default(),
            None => &mut ended,
        };
        states += usize::from(bucket.add(state, mass, roundings));
        if states > MAX_STATES || work > MAX_WORK { Err(TooWide) } else { Ok(()) }
    };
    arrive(&mut waiting, start, None, Mass::one(), 0)?;
    while let Some((choice, bucket)) = waiting.pop_first() {
        let law = &laws[choice as usize];
        for Waiting { state, mass, roundings, .. } in bucket.entries {
            let mut state = state.into_vec();
            if let Some(begins) = beginning.get(&choice) {
                state.extend(begins);
                state.sort_unstable();
            }
            if let Law::Derived(_, leaves) = law {
                let value = way.value_of(&state, choice).and_then(|leaf| leaves.binary_search(&leaf).ok());
                let answer = value.ok_or(TooWide)? as i64;
                if let Some(after) = way.moved(&state, choice, answer) {
                    if !alone.is_met(&after) {
                        arrive(&mut waiting, after, Some(choice), mass, roundings)?;
                        continue;
                    }
                    for (state, mass, roundings) in alone.settled(after, mass, roundings) {
                        arrive(&mut waiting, state, Some(choice), mass, roundings)?;
                    }
                }
                continue;
            }
            let mut low = None;
            while low != Some(i64::MAX) {
                let from = low.map_or(i64::MIN, |low: i64| low + 1);
                let bound = state.iter().filter_map(|(_, at)| next_bound(diagrams, *at, choice, from)).min();
                let bound = bound.unwrap_or(i64::MAX);
                let share = law.between(low, bound);
                low = Some(bound);
                if share.is_zero() {
                    continue;
                }
                if let Some(after) = way.moved(&state, choice, bound) {
                    let (mass, roundings) = (mass.mul(&share), roundings + 2 + law.spelled_out());
                    if !alone.is_met(&after) {
                        arrive(&mut waiting, after, Some(choice), mass, roundings)?;
                        continue;
                    }
                    for (state, mass, roundings) in alone.settled(after, mass, roundings) {
                        arrive(&mut waiting, state, Some(choice), mass, roundings)?;
                    }
                }
            }
        }
    }
    // Events have happened, and values with a choice of their own have been asked: a state is one leaf of each factor.
    if ended.entries.len() > MAX_TUPLES {
        return Err(TooWide);
    }
    let roundings = ended.entries.iter().map(|entry| entry.roundings).max().unwrap_or(0);
    let of_factors = |state: &State| state.iter().filter_map(|(_, at)| at.as_leaf()).collect();
    let mut tuples: Vec<(Box<[u32]>, Mass<S>)> =
        ended.entries.into_iter().map(|entry| (of_factors(&entry.state), entry.mass)).collect();
    tuples.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    debug_assert!(tuples.windows(2).all(|pair| pair[0].0 != pair[1].0));
    Ok(Swept { tuples, choices, roundings })
}

impl<S> Swept<S> {
    /// No world is left.
    fn nothing(choices: Vec<u32>) -> Self {
        Swept { tuples: Vec::new(), choices, roundings: 0 }
    }
}

/// What a sweep goes through: events first, then factors, then values with a choice of their own.
struct Way<'d> {
    diagrams: &'d Diagrams,
    events: usize,
    roots: usize,
    followed: Vec<(u32, Diagram, &'d [u32])>,
}

/// Parts of diagrams that ask only what nothing else asks: the noise on an answer, say. Which leaf such a part has is
/// decided as soon as it is reached, so that nothing has to be remembered until its choices come.
struct Alone<'d, S> {
    diagrams: &'d Diagrams,
    laws: &'d [Law<S>],
    events: usize,
    /// For each choice, whether one diagram asks it and no other.
    choices: Vec<bool>,
    /// The leaves of such a part, how likely they are, and by how many roundings.
    known: NodeMap<Diagram, Rc<Outcomes<S>>>,
}

type Outcomes<S> = Vec<(Diagram, Mass<S>, usize)>;

impl<'d, S: Scalar> Alone<'d, S> {
    fn new(way: &Way<'d>, laws: &'d [Law<S>], roots: &[Diagram]) -> Self {
        let all = roots.iter().copied().chain(way.followed.iter().map(|(_, from, _)| *from));
        let mut asked: NodeMap<u32, u32> = NodeMap::default();
        for diagram in all {
            for choice in way.diagrams.choices_of(&[diagram]) {
                *asked.entry(choice).or_insert(0) += 1;
            }
        }
        let has_law = |choice: u32| match &laws[choice as usize] {
            Law::Finite(_) | Law::Scaled(_) | Law::Uniform(_) | Law::Threshold { .. } => true,
            Law::Sum(_) | Law::Order(_) | Law::Derived(..) => false,
        };
        let alone = asked.into_iter().filter(|(choice, times)| *times == 1 && has_law(*choice));
        let mut choices = vec![false; laws.len()];
        alone.for_each(|(choice, _)| choices[choice as usize] = true);
        Alone { diagrams: way.diagrams, laws, events: way.events, choices, known: NodeMap::default() }
    }

    /// The leaves of a part that asks only what nothing else asks; `None` if it asks more.
    fn outcomes(&mut self, part: Diagram) -> Option<Rc<Outcomes<S>>> {
        let choice = self.diagrams.choice(part)?;
        if !self.choices[choice as usize] {
            return None;
        }
        if let Some(known) = self.known.get(&part) {
            return (!known.is_empty()).then(|| Rc::clone(known));
        }
        let mut found: BTreeMap<Diagram, (Mass<S>, usize)> = BTreeMap::new();
        let mut low = None;
        let mut is_alone = true;
        for (bound, to) in self.diagrams.edges(part) {
            let share = self.laws[choice as usize].between(low, *bound);
            low = Some(*bound);
            let below = match to.as_leaf() {
                Some(_) => Rc::new(vec![(*to, Mass::one(), 0)]),
                None => match self.outcomes(*to) {
                    Some(below) => below,
                    None => {
                        is_alone = false;
                        break;
                    }
                },
            };
            if share.is_zero() {
                continue;
            }
            let roundings = 2 + self.laws[choice as usize].spelled_out();
            for (leaf, mass, more) in below.iter() {
                let mass = mass.mul(&share);
                match found.entry(*leaf) {
                    std::collections::btree_map::Entry::Occupied(mut known) => {
                        let (sum, most) = known.get();
                        let next = (sum.add(&mass), (*most).max(more + roundings) + 1);
                        known.insert(next);
                    }
                    std::collections::btree_map::Entry::Vacant(place) => {
                        place.insert((mass, more + roundings));
                    }
                }
            }
        }
        // None at all says that it is not alone: a part that is has a leaf.
        let found: Outcomes<S> = if is_alone {
            found.into_iter().map(|(leaf, (mass, most))| (leaf, mass, most)).collect()
        } else {
            Vec::new()
        };
        let found = Rc::new(found);
        self.known.insert(part, Rc::clone(&found));
        (!found.is_empty()).then_some(found)
    }

    /// Whether a state may have something to decide that nothing else asks about.
    fn is_met(&self, state: &[(u32, Diagram)]) -> bool {
        state.iter().any(|(_, at)| self.diagrams.choice(*at).is_some_and(|choice| self.choices[choice as usize]))
    }

    /// A state in which all is decided that nothing else asks about: one for each combination of leaves.
    fn settled(&mut self, state: State, mass: Mass<S>, roundings: usize) -> Vec<(State, Mass<S>, usize)> {
        let mut all = vec![(Vec::with_capacity(state.len()), mass, roundings)];
        for (number, at) in state.iter() {
            let is_event = (*number as usize) < self.events;
            // An event happens or does not; of other values there may be many.
            let is_small = is_event || self.diagrams.levels(*at) <= FEW_LEVELS;
            let Some(outcomes) = (if is_small { self.outcomes(*at) } else { None }) else {
                all.iter_mut().for_each(|(so_far, _, _)| so_far.push((*number, *at)));
                continue;
            };
            let mut next = Vec::with_capacity(all.len() * outcomes.len());
            for (so_far, mass, roundings) in &all {
                for (leaf, share, more) in outcomes.iter() {
                    if is_event && *leaf == Diagram::FALSE {
                        continue;
                    }
                    let mut longer = so_far.clone();
                    if !is_event {
                        longer.push((*number, *leaf));
                    }
                    next.push((longer, mass.mul(share), roundings + more + 1));
                }
            }
            all = next;
        }
        all.into_iter().map(|(state, mass, roundings)| (state.into(), mass, roundings)).collect()
    }
}

impl Way<'_> {
    /// What is known before the first choice, and what begins at each choice; `None` if an event cannot happen.
    fn start(&self, roots: &[Diagram]) -> Option<(State, BTreeMap<u32, Vec<(u32, Diagram)>>)> {
        let mut start = Vec::new();
        let mut beginning: BTreeMap<u32, Vec<(u32, Diagram)>> = BTreeMap::new();
        let all = roots.iter().copied().chain(self.followed.iter().map(|(_, from, _)| *from));
        for (number, diagram) in all.enumerate() {
            let entry = (number as u32, diagram);
            match self.diagrams.choice(diagram) {
                Some(choice) => beginning.entry(choice).or_default().push(entry),
                None if number < self.events && diagram == Diagram::FALSE => return None,
                None if number < self.events => {}
                None => start.push(entry),
            }
        }
        Some((start.into(), beginning))
    }

    /// The first choice that something in a state asks. A value that is known waits for its own choice.
    fn next_choice(&self, state: &[(u32, Diagram)]) -> Option<u32> {
        let asked = |(number, at): &(u32, Diagram)| {
            let own = (*number as usize).checked_sub(self.roots).map(|place| self.followed[place].0);
            self.diagrams.choice(*at).or(own)
        };
        state.iter().filter_map(asked).min()
    }

    /// The leaf of the value whose choice this is.
    fn value_of(&self, state: &[(u32, Diagram)], choice: u32) -> Option<u32> {
        let is_own = |number: u32| {
            let place = (number as usize).checked_sub(self.roots);
            place.is_some_and(|place| self.followed[place].0 == choice)
        };
        state.iter().find(|(number, _)| is_own(*number)).and_then(|(_, at)| at.as_leaf())
    }

    /// Where everything is once a choice has been answered; `None` if an event does not happen.
    fn moved(&self, state: &[(u32, Diagram)], choice: u32, answer: i64) -> Option<State> {
        let mut after = Vec::with_capacity(state.len());
        for (number, at) in state {
            let place = *number as usize;
            let at = if self.diagrams.choice(*at) == Some(choice) {
                let edges = self.diagrams.edges(*at);
                edges[edges.partition_point(|(bound, _)| *bound < answer)].1
            } else if place >= self.roots && self.followed[place - self.roots].0 == choice {
                // Its choice is answered by it, and nobody asks again.
                continue;
            } else {
                *at
            };
            match at {
                Diagram::FALSE if place < self.events => return None,
                Diagram::TRUE if place < self.events => {}
                at => after.push((*number, at)),
            }
        }
        Some(after.into())
    }
}

/// Where an edge of a diagram that asks this choice ends, from an answer on.
fn next_bound(diagrams: &Diagrams, at: Diagram, choice: u32, from: i64) -> Option<i64> {
    if diagrams.choice(at) != Some(choice) {
        return None;
    }
    let edges = diagrams.edges(at);
    edges.get(edges.partition_point(|(bound, _)| *bound < from)).map(|(bound, _)| *bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Field, Rational};

    fn coin(numerator: i64, denominator: i64) -> Law<Rational> {
        let p = Rational::from_i64(numerator).div(&Rational::from_i64(denominator));
        Law::Finite(Rc::from([Rational::from_i64(1).sub(&p), p]))
    }

    fn boolean(diagrams: &mut Diagrams, choice: u32) -> Diagram {
        diagrams.decide(choice, [(0, Diagram::FALSE), (1, Diagram::TRUE)]).expect("small")
    }

    #[test]
    fn several_events_are_one() {
        let mut diagrams = Diagrams::new(1000);
        let laws = vec![coin(1, 2), coin(1, 3), coin(1, 5)];
        let all: Vec<Diagram> = (0..3).map(|choice| boolean(&mut diagrams, choice)).collect();
        let either = diagrams.or(all[0], all[1]).expect("small");
        let other = diagrams.or(all[1], all[2]).expect("small");
        let both = diagrams.and(either, other).expect("small");
        let apart = sweep(&diagrams, &laws, &[either, other], &[all[0], all[2]]).expect("small");
        let together = sweep(&diagrams, &laws, &[both], &[all[0], all[2]]).expect("small");
        assert_eq!(apart.tuples, together.tuples);
        // P(x0 ∧ x2 ∧ (x0 ∨ x1) ∧ (x1 ∨ x2)) = 1/2 · 1/5
        assert_eq!(apart.tuples.last().map(|(leaves, mass)| (leaves.to_vec(), mass.scalar().to_string())), {
            Some((vec![1, 1], "1/10".to_owned()))
        });
    }

    #[test]
    fn a_value_with_a_choice_of_its_own_is_the_value() {
        let mut diagrams = Diagrams::new(1000);
        let mut laws = vec![coin(1, 2), coin(1, 3), coin(1, 5)];
        let all: Vec<Diagram> = (0..3).map(|choice| boolean(&mut diagrams, choice)).collect();
        let either = diagrams.or(all[0], all[1]).expect("small");
        laws.push(Law::Derived(either, Rc::from([0, 1])));
        let derived = boolean(&mut diagrams, 3);
        for event in [Diagram::TRUE, all[1], all[2]] {
            let direct = sweep(&diagrams, &laws, &[event], &[either, all[0], all[2]]).expect("small");
            let through = sweep(&diagrams, &laws, &[event], &[derived, all[0], all[2]]).expect("small");
            assert_eq!(direct.tuples, through.tuples);
        }
    }

    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        /// `docs/proofs/choices.md`: each probability is within as many roundings as the sweep has counted, however small it is.
        #[test]
        fn probabilities_are_within_the_roundings_that_were_counted(
            laws in vec(vec(prop_oneof![1 => Just(1e-200), 1 => Just(1e-17), 4 => 0.01..1.0f64], 2..9), 2..7),
            tables in vec(vec(0..3u32, 64), 2..4), seen in vec(0..4u8, 64),
        ) {
            let shares = |law: &Vec<f64>| -> Vec<f64> {
                let sum: f64 = law.iter().sum();
                law.iter().map(|p| p / sum).collect()
            };
            let exact = |p: &f64| <Rational as Scalar>::from_f64(*p).expect("finite");
            let doubles: Vec<Law<f64>> = laws.iter().map(|law| Law::Finite(shares(law).into())).collect();
            let rationals: Vec<Law<Rational>> =
                laws.iter().map(|law| Law::Finite(shares(law).iter().map(exact).collect())).collect();
            let mut diagrams = Diagrams::new(100_000);
            // A value of each choice by a table of its answers, and values of pairs of choices by sums of these.
            let value = |diagrams: &mut Diagrams, choice: usize, table: &[u32]| {
                let edges = (0..laws[choice].len()).map(|answer| (answer as i64, Diagram::leaf(table[answer] % 2)));
                let mut edges: Vec<(i64, Diagram)> = edges.collect();
                edges.last_mut().expect("an answer").0 = i64::MAX;
                diagrams.decide(choice as u32, edges).expect("small")
            };
            let mut event = Diagram::FALSE;
            for choice in 0..laws.len() {
                let table: Vec<u32> = seen[choice * 8..choice * 8 + 8].iter().map(|one| u32::from(*one > 0)).collect();
                let table: Vec<u32> = table.into_iter().chain([1]).collect();
                let one = value(&mut diagrams, choice, &table);
                event = diagrams.or(event, one).expect("small");
            }
            let factors: Vec<Diagram> = tables
                .iter()
                .map(|table| {
                    let mut all = Diagram::TRUE;
                    for choice in 0..laws.len() {
                        let one = value(&mut diagrams, choice, &table[choice * 8..]);
                        let other = value(&mut diagrams, laws.len() - 1 - choice, &table[20..]);
                        let either = diagrams.or(one, other).expect("small");
                        all = diagrams.and(all, either).expect("small");
                    }
                    all
                })
                .collect();
            let found = sweep(&diagrams, &doubles, &[event], &factors).expect("small");
            let truth = sweep(&diagrams, &rationals, &[event], &factors).expect("small");
            prop_assert_eq!(found.tuples.len(), truth.tuples.len());
            let bound = <Rational as Scalar>::from_f64(found.roundings as f64 * f64::EPSILON / 2.0).expect("finite");
            for ((leaves, mass), (same, wanted)) in found.tuples.iter().zip(&truth.tuples) {
                prop_assert_eq!(leaves, same);
                let wanted = wanted.scalar();
                let mass = exact(&mass.scalar());
                prop_assume!(wanted > exact(&1e-290));
                let off = if mass > wanted { &mass - &wanted } else { &wanted - &mass };
                prop_assert!(off <= bound.clone() * wanted, "{leaves:?}");
            }
        }
    }
}
