//! People who add to several sums, of each of which a few values are possible: everybody is gone through once, forwards
//! and backwards, and what is kept is how much each sum has so far.
//!
//! Two counts of the same people, one within the other, need not be kept both: that at most k are below and more than k
//! not above is the case exactly if one of those in between is the one at which the count passes from k to k + 1, when the
//! people before it are counted up to the upper bound and the people behind it up to the lower. Every number is a sum of
//! products of numbers that are not negative.

use super::lattice::{Allowed, Block};
use crate::choices::{Mass, NodeMap};
use crate::number::Scalar;

/// States that are kept, for all people together.
const MAX_STATES: usize = 6_000_000;
/// Steps from one state to the next.
pub(super) const MAX_STEPS: u64 = 60_000_000;
/// The same in rationals, which grow: so many times fewer.
const EXACT: u64 = 40;

/// What is known about people.
pub(super) struct Windowed<S> {
    /// For each block, how likely each contribution of one of them is.
    pub(super) posteriors: Vec<Vec<S>>,
    /// How likely is what was seen.
    pub(super) evidence: Mass<S>,
    /// By which share of itself rounding can move any of them.
    pub(super) relative_error: f64,
}

/// Why nothing was found.
pub(super) enum Failure {
    /// There are too many combinations.
    TooWide,
    /// It cannot have been seen.
    Impossible,
}

/// How much of what was seen is decided already; one number for each part of it.
type State = Box<[i32]>;

/// How likely each state is.
type Reached<S> = NodeMap<State, Mass<S>>;

/// What has happened to a window for good.
const DONE: i32 = i32::MIN;

/// A part of what was seen.
enum Part {
    /// A sum, and the values that it may have.
    Window { sum: usize, allowed: Allowed },
    /// At most `count` of the people are below, and at least `count` + `marks` are not above: the coordinate of the lower
    /// count, and that of the upper. With `is_mirrored`, below and above are exchanged.
    Passing { lower: usize, upper: usize, count: i64, marks: i32, is_mirrored: bool },
}

/// What is known about one person of each block. Contributions are integers, and so are the windows.
///
/// At most so many steps are taken, however many there are to take.
pub(super) fn solve<S: Scalar>(
    blocks: &[Block<S>],
    allowed: &[Allowed],
    most_steps: u64,
) -> Result<Windowed<S>, Failure> {
    let people: u64 = blocks.iter().map(|block| block.count).sum();
    let parts = parts(blocks, allowed, people)?;
    // What the people from one on can still add to each window, at least and at most.
    let mut order: Vec<usize> = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        if order.len() as u64 + block.count > MAX_STATES as u64 {
            return Err(Failure::TooWide);
        }
        order.extend(std::iter::repeat_n(number, block.count as usize));
    }
    let moves = Moves { parts: &parts, left: remaining(blocks, &parts, &order)? };
    let limit = if S::EXACT { most_steps / EXACT } else { most_steps };
    let mut steps = 0u64;
    let mut walk = |from: &Reached<S>, place: usize| -> Result<Reached<S>, Failure> {
        let mut next: Reached<S> = NodeMap::default();
        for (state, mass) in in_order(from) {
            for (contribution, share) in &blocks[order[place]].contributions {
                moves.step(state, contribution, place + 1, &mut |after| {
                    steps += 1;
                    let share = mass.mul(share);
                    next.entry(after).and_modify(|sum| *sum = sum.add(&share)).or_insert(share);
                });
            }
            // Everybody is gone through twice.
            if steps > limit.saturating_mul(2) {
                return Err(Failure::TooWide);
            }
        }
        if next.is_empty() { Err(Failure::Impossible) } else { Ok(next) }
    };
    // What is reached before everybody would take much room: it is kept before one in √n, and found again from there.
    let stride = (order.len() as f64).sqrt().ceil().max(1.0) as usize;
    let start: State = parts.iter().map(|_| 0).collect();
    let first = moves.settled(start, 0).ok_or(Failure::Impossible)?;
    let mut reached: Reached<S> = NodeMap::from_iter([(first, Mass::one())]);
    let mut kept: Vec<Reached<S>> = Vec::with_capacity(stride + 1);
    let (mut states, mut widest) = (0usize, 1usize);
    for place in 0..order.len() {
        let next = walk(&reached, place)?;
        let before = std::mem::replace(&mut reached, next);
        states += reached.len();
        widest = widest.max(reached.len());
        if states > MAX_STATES {
            return Err(Failure::TooWide);
        }
        if place % stride == 0 {
            kept.push(before);
        }
    }
    let evidence = reached.values().next().cloned().ok_or(Failure::Impossible)?;
    let mut posteriors: Vec<Vec<S>> = vec![Vec::new(); blocks.len()];
    let mut backward: Reached<S> = reached.into_keys().map(|state| (state, Mass::one())).collect();
    while let Some(before) = kept.pop() {
        let from = kept.len() * stride;
        let mut forward = vec![before];
        for place in from..(from + stride).min(order.len()) - 1 {
            let next = walk(&forward[place - from], place)?;
            forward.push(next);
        }
        for (at, reached) in forward.iter().enumerate().rev() {
            let (place, block) = (from + at, order[from + at]);
            let contributions = &blocks[block].contributions;
            // One person of each block stands for all of them.
            let is_asked = posteriors[block].is_empty();
            let mut shares = vec![Mass::zero(); contributions.len()];
            let mut before: Reached<S> = NodeMap::default();
            for (state, mass) in in_order(reached) {
                let mut value = Mass::zero();
                for ((contribution, share), sum) in contributions.iter().zip(&mut shares) {
                    let mut behind = Mass::zero();
                    moves.step(state, contribution, place + 1, &mut |after| {
                        if let Some(rest) = backward.get(&after) {
                            behind = behind.add(rest);
                        }
                    });
                    let part = share.mul(&behind);
                    value = value.add(&part);
                    if is_asked {
                        *sum = sum.add(&part.mul(mass));
                    }
                }
                before.insert(state.clone(), value);
            }
            if is_asked {
                posteriors[block] = shares.iter().map(|share| share.div(&evidence).scalar()).collect();
            }
            backward = before;
        }
    }
    // On each way through, one product for each person, and sums of what meets: at most two ways from each contribution.
    let meeting = blocks.iter().map(|block| block.contributions.len()).max().unwrap_or(1);
    let roundings = 2 * order.len() * (2 * meeting + 4) + 2 * widest + 16;
    let relative_error = if S::EXACT { 0.0 } else { 2.0 * roundings as f64 * (f64::EPSILON / 2.0) };
    Ok(Windowed { posteriors, evidence, relative_error })
}

/// States in an order that is the same every time: sums of doubles depend on it.
fn in_order<M>(states: &NodeMap<State, M>) -> Vec<(&State, &M)> {
    let mut all: Vec<(&State, &M)> = states.iter().collect();
    all.sort_unstable_by(|a, b| a.0.cmp(b.0));
    all
}

/// What was seen, in parts. Windows that always hold are left out.
fn parts<S: Scalar>(blocks: &[Block<S>], allowed: &[Allowed], people: u64) -> Result<Vec<Part>, Failure> {
    let people = i64::try_from(people).map_err(|_| Failure::TooWide)?;
    let vectors = || blocks.iter().flat_map(|block| block.contributions.iter().map(|(vector, _)| vector));
    let is_count = |sum: usize| vectors().all(|vector| (0..=1).contains(&vector[sum]));
    // What a count may be at most, or at least, if that is all that is known of it.
    let at_most = |sum: usize| match allowed[sum][..] {
        [(low, high)] if low <= 0 && high < people => Some(high),
        _ => None,
    };
    let at_least = |sum: usize| match allowed[sum][..] {
        [(low, high)] if low > 0 && high >= people => Some(low),
        _ => None,
    };
    let mut parts = Vec::new();
    let mut used = vec![false; allowed.len()];
    for lower in (0..allowed.len()).filter(|sum| is_count(*sum)) {
        let Some(count) = at_most(lower) else { continue };
        let within = |upper: usize| vectors().all(|vector| vector[lower] <= vector[upper]);
        let upper = (0..allowed.len()).find(|upper| {
            let is_free = *upper != lower && !used[*upper] && !used[lower] && is_count(*upper);
            is_free && at_least(*upper).is_some_and(|least| (1..=4).contains(&(least - count))) && within(*upper)
        });
        let Some((upper, least)) = upper.and_then(|upper| at_least(upper).map(|least| (upper, least))) else {
            continue;
        };
        if count < 0 {
            return Err(Failure::Impossible);
        }
        (used[lower], used[upper]) = (true, true);
        // Those above are counted where they are fewer.
        let above = people - least;
        let is_mirrored = above < count;
        let (count, marks) = (if is_mirrored { above } else { count }, (least - count) as i32);
        parts.push(Part::Passing { lower, upper, count, marks, is_mirrored });
    }
    for (sum, allowed) in allowed.iter().enumerate().filter(|(sum, _)| !used[*sum]) {
        parts.push(Part::Window { sum, allowed: allowed.clone() });
    }
    Ok(parts)
}

/// For each place in the order and each part, the least and the most that the people from there on add.
fn remaining<S: Scalar>(blocks: &[Block<S>], parts: &[Part], order: &[usize]) -> Result<Vec<Vec<(i64, i64)>>, Failure> {
    let of_block = |block: &Block<S>| -> Vec<(i64, i64)> {
        let range = |part: &Part| match part {
            Part::Window { sum, .. } => {
                let values = block.contributions.iter().map(|(vector, _)| vector[*sum]);
                (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
            }
            Part::Passing { .. } => (0, 1),
        };
        parts.iter().map(range).collect()
    };
    let ranges: Vec<Vec<(i64, i64)>> = blocks.iter().map(of_block).collect();
    let mut left = vec![vec![(0i64, 0i64); parts.len()]; order.len() + 1];
    for (place, block) in order.iter().enumerate().rev() {
        for part in 0..parts.len() {
            let ((low, high), (least, most)) = (left[place + 1][part], ranges[*block][part]);
            let sum = low.checked_add(least).zip(high.checked_add(most));
            left[place][part] = sum.filter(|(low, high)| fits(*low) && fits(*high)).ok_or(Failure::TooWide)?;
        }
    }
    Ok(left)
}

fn fits(value: i64) -> bool {
    value.abs() < i64::from(i32::MAX) / 2
}

/// How states go on.
struct Moves<'b> {
    parts: &'b [Part],
    left: Vec<Vec<(i64, i64)>>,
}

impl Moves<'_> {
    /// The states after one more person, before the people from `place` on.
    fn step(&self, state: &State, contribution: &[i64], place: usize, found: &mut dyn FnMut(State)) {
        let mut after: State = state.clone();
        // Parts that can go on in another way too, and how.
        let mut others: Vec<(usize, i32)> = Vec::new();
        for (number, (part, value)) in self.parts.iter().zip(after.iter_mut()).enumerate() {
            if *value == DONE {
                continue;
            }
            match part {
                Part::Window { sum, .. } => *value += contribution[*sum] as i32,
                Part::Passing { lower, upper, marks, is_mirrored, .. } => {
                    let (is_low, is_high) = (contribution[*lower] == 1, contribution[*upper] == 0);
                    let (is_below, is_above) = if *is_mirrored { (is_high, is_low) } else { (is_low, is_high) };
                    let (count, phase) = (*value / (marks + 1), *value % (marks + 1));
                    let at = |count: i32, phase: i32| count * (marks + 1) + phase;
                    if is_below {
                        *value = at(count + 1, phase);
                    } else if !is_above && phase == 0 {
                        // Not there yet, or here.
                        *value = at(count + 1, 0);
                        others.push((number, at(count, 1)));
                    } else if !is_above && phase < *marks {
                        *value = at(count, phase + 1);
                    }
                }
            }
        }
        for chosen in 0..1u32 << others.len() {
            let mut way = after.clone();
            for (bit, (number, value)) in others.iter().enumerate() {
                if chosen >> bit & 1 == 1 {
                    way[*number] = *value;
                }
            }
            if let Some(way) = self.settled(way, place) {
                found(way);
            }
        }
    }

    /// A state as far as it matters before the people from `place` on; `None` if what was seen cannot come out any more.
    fn settled(&self, mut state: State, place: usize) -> Option<State> {
        for ((part, value), (least, most)) in self.parts.iter().zip(state.iter_mut()).zip(&self.left[place]) {
            if *value == DONE {
                continue;
            }
            match part {
                Part::Window { allowed, .. } => {
                    let (low, high) = (i64::from(*value) + least, i64::from(*value) + most);
                    if allowed.iter().any(|(from, to)| *from <= low && high <= *to) {
                        *value = DONE;
                    } else if !allowed.iter().any(|(from, to)| *from <= high && low <= *to) {
                        return None;
                    }
                }
                Part::Passing { count: wanted, marks, .. } => {
                    let (count, phase) = (i64::from(*value / (marks + 1)), *value % (marks + 1));
                    // Each person brings one of both on by one.
                    let needed = i64::from(marks - phase) + wanted - count;
                    if count > *wanted || needed > *most {
                        return None;
                    }
                }
            }
        }
        Some(state)
    }
}
