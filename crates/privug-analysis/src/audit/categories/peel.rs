//! What follows from the figures one by one: how many people of a class have a value.
//!
//! With N the number of people of class c who have value v, a figure is Σ a(c, v)·N(c, v). One with a single open N gives it;
//! one at the least or the largest that is still possible tells all of its N; and what is left of a class is what the rest of
//! it does not have. This is repeated until nothing changes: disjoint and nested tables are solved by it altogether.

use super::classes::{Classes, Tally};
use std::collections::VecDeque;

/// What is seen of a figure.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Evidence {
    /// Its value.
    Exact(i64),
    /// How likely what is published would be, for each value from the first on.
    Likely {
        /// The first value.
        from: i64,
        /// The likelihoods; the first and the last are not 0.
        weights: Vec<f64>,
    },
}

impl Evidence {
    /// The least and the largest value that are possible.
    pub(super) fn range(&self) -> (i64, i64) {
        match self {
            Evidence::Exact(total) => (*total, *total),
            Evidence::Likely { from, weights } => (*from, from + weights.len() as i64 - 1),
        }
    }
}

/// A class on the way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    pub(super) size: i64,
    /// How many have each value, where that is known.
    pub(super) known: Vec<Option<i64>>,
    /// The figure that told it.
    pub(super) told_by: Vec<Option<u32>>,
    /// Whether it was told as what other numbers leave of a figure, not because the figure is as small or as large as it can be by
    /// itself.
    pub(super) is_left: Vec<bool>,
}

impl State {
    /// How many have a value that is not known.
    pub(super) fn rest(&self) -> i64 {
        self.size - self.known.iter().flatten().sum::<i64>()
    }

    pub(super) fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.known.len()).filter(|code| self.known[*code].is_none())
    }

    pub(super) fn is_solved(&self) -> bool {
        self.known.iter().all(Option::is_some)
    }

    /// The least and the largest that the class can add to a figure.
    fn range(&self, weights: &[i64]) -> (i64, i64) {
        let fixed: i64 = self.known.iter().zip(weights).map(|(known, weight)| known.unwrap_or(0) * weight).sum();
        let rest = self.rest();
        let open = || self.open().map(|code| weights[code]);
        match (open().min(), open().max()) {
            (Some(least), Some(most)) => (fixed + rest * least, fixed + rest * most),
            _ => (fixed, fixed),
        }
    }
}

/// Figures over classes, and what follows from them.
#[derive(Debug)]
pub(super) struct Peeled<'a> {
    pub(super) tallies: &'a [Tally],
    pub(super) evidence: &'a [Evidence],
    pub(super) classes: Vec<State>,
    /// The figures of each class, and the place of the class among their terms.
    pub(super) figures_of: Vec<Vec<(u32, u32)>>,
    /// The least and the largest that each figure can be, and how many of its classes are open.
    bounds: Vec<(i64, i64, usize)>,
    /// The least and the largest that each could be before anything was followed.
    first_bounds: Vec<(i64, i64)>,
}

/// Some figures contradict each other: there is a mistake in here, as the real values satisfy them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contradiction;

/// Follows the figures as far as they lead one by one. `possible` says of each class which values it can have.
pub(super) fn peel<'a>(
    classes: &Classes,
    possible: impl Fn(usize, usize) -> bool,
    tallies: &'a [Tally],
    evidence: &'a [Evidence],
) -> Result<Peeled<'a>, Contradiction> {
    let states = classes.all.iter().enumerate().map(|(index, class)| State {
        size: class.size(),
        known: (0..class.histogram.len()).map(|code| (!possible(index, code)).then_some(0)).collect(),
        told_by: vec![None; class.histogram.len()],
        is_left: vec![false; class.histogram.len()],
    });
    let mut figures_of = vec![Vec::new(); classes.all.len()];
    for (figure, tally) in tallies.iter().enumerate() {
        for (place, (class, _)) in tally.terms.iter().enumerate() {
            figures_of[*class as usize].push((figure as u32, place as u32));
        }
    }
    let mut peeled = Peeled {
        tallies,
        evidence,
        classes: states.collect(),
        figures_of,
        bounds: Vec::new(),
        first_bounds: Vec::new(),
    };
    peeled.bounds = tallies.iter().map(|tally| peeled.bounds_of(tally)).collect();
    let mut due: VecDeque<u32> = (0..tallies.len() as u32).collect();
    for class in 0..peeled.classes.len() {
        peeled.settle(class, None, &mut due);
    }
    peeled.first_bounds = peeled.bounds.iter().map(|(least, most, _)| (*least, *most)).collect();
    while let Some(figure) = due.pop_front() {
        peeled.follow(figure, &mut due)?;
    }
    Ok(peeled)
}

impl Peeled<'_> {
    fn bounds_of(&self, tally: &Tally) -> (i64, i64, usize) {
        tally.terms.iter().fold((0, 0, 0), |(least, most, open), (class, weights)| {
            let (low, high) = self.classes[*class as usize].range(weights);
            (least + low, most + high, open + usize::from(low < high))
        })
    }

    /// Looks at one figure.
    fn follow(&mut self, figure: u32, due: &mut VecDeque<u32>) -> Result<(), Contradiction> {
        let (least, most, open) = self.bounds[figure as usize];
        let (from, to) = self.evidence[figure as usize].range();
        if to < least || from > most {
            return Err(Contradiction);
        }
        if open == 0 {
            return Ok(());
        }
        let terms = &self.tallies[figure as usize].terms;
        if to == least || from == most {
            let wants_least = to == least;
            let first = self.first_bounds[figure as usize];
            let is_left = if wants_least { least != first.0 } else { most != first.1 };
            for (class, weights) in terms {
                let state = &self.classes[*class as usize];
                let open = || state.open().map(|code| weights[code]);
                let bound = if wants_least { open().min() } else { open().max() };
                let Some(bound) = bound else { continue };
                let away: Vec<usize> = state.open().filter(|code| weights[*code] != bound).collect();
                if state.rest() > 0 && !away.is_empty() {
                    self.know(*class as usize, away.into_iter().map(|code| (code, 0)), (figure, is_left), due);
                }
            }
        } else if open == 1 && from == to {
            let is_open = |(class, weights): &&(u32, Vec<i64>)| {
                let (low, high) = self.classes[*class as usize].range(weights);
                low < high
            };
            let Some((class, weights)) = terms.iter().find(is_open) else { return Ok(()) };
            let state = &self.classes[*class as usize];
            // The open values have two weights; one of them belongs to a single value.
            let mut found: Vec<i64> = state.open().map(|code| weights[code]).collect();
            found.sort_unstable();
            found.dedup();
            if let [less, more] = found[..] {
                let raised = (from - least) / (more - less);
                if (from - least) % (more - less) != 0 {
                    return Err(Contradiction);
                }
                let with =
                    |weight: i64| -> Vec<usize> { state.open().filter(|code| weights[*code] == weight).collect() };
                let rest = state.rest();
                let told = match (with(more).as_slice(), with(less).as_slice()) {
                    ([only], _) => Some((*only, raised)),
                    (_, [only]) => Some((*only, rest - raised)),
                    _ => None,
                };
                if let Some(told) = told {
                    self.know(*class as usize, [told].into_iter(), (figure, true), due);
                }
            }
        }
        Ok(())
    }

    /// Takes note of how many have some values, and of what follows in the class. `by` is the figure, and whether it is what
    /// other numbers leave of it.
    fn know(
        &mut self,
        class: usize,
        told: impl Iterator<Item = (usize, i64)>,
        by: (u32, bool),
        due: &mut VecDeque<u32>,
    ) {
        let before: Vec<(i64, i64)> = self.ranges(class);
        let state = &mut self.classes[class];
        for (code, count) in told {
            state.known[code] = Some(count);
            (state.told_by[code], state.is_left[code]) = (Some(by.0), by.1);
        }
        self.settle(class, Some((before, by)), due);
    }

    fn ranges(&self, class: usize) -> Vec<(i64, i64)> {
        let range = |(figure, place): &(u32, u32)| {
            self.classes[class].range(&self.tallies[*figure as usize].terms[*place as usize].1)
        };
        self.figures_of[class].iter().map(range).collect()
    }

    /// What is left of a class with one open value is that value's; where nobody is left, nobody has the open ones.
    fn settle(&mut self, class: usize, changed: Option<(Vec<(i64, i64)>, (u32, bool))>, due: &mut VecDeque<u32>) {
        let before = changed.as_ref().map_or_else(|| self.ranges(class), |(before, _)| before.clone());
        let by = changed.map(|(_, by)| by);
        let state = &mut self.classes[class];
        let rest = state.rest();
        let open: Vec<usize> = state.open().collect();
        if rest == 0 || open.len() == 1 {
            for code in open {
                state.known[code] = Some(rest);
                state.told_by[code] = by.map(|(figure, _)| figure);
                state.is_left[code] = by.is_some_and(|(_, is_left)| is_left);
            }
        }
        for ((figure, _), (old, new)) in
            self.figures_of[class].clone().into_iter().zip(before.into_iter().zip(self.ranges(class)))
        {
            if old == new {
                continue;
            }
            let bounds = &mut self.bounds[figure as usize];
            bounds.0 += new.0 - old.0;
            bounds.1 += new.1 - old.1;
            if old.0 < old.1 && new.0 == new.1 {
                bounds.2 -= 1;
            }
            let (from, to) = self.evidence[figure as usize].range();
            if bounds.2 <= 1 || to == bounds.0 || from == bounds.1 {
                due.push_back(figure);
            }
        }
    }

    /// The figures that still have several classes open, or one that they did not solve.
    pub(super) fn open_figures(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.tallies.len()).filter(|figure| self.bounds[*figure].2 > 0)
    }

    /// Whether a figure leaves a class open.
    pub(super) fn is_open(&self, class: usize, weights: &[i64]) -> bool {
        let (low, high) = self.classes[class].range(weights);
        low < high
    }
}
