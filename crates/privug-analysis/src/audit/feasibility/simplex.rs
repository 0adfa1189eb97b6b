//! The largest and the smallest value of a variable under linear constraints, in exact integers.
//!
//! Variables lie between bounds; some of them are *sums*, D·sᵢ = Σⱼ aᵢⱼ·xⱼ. The tableau expresses the basic variables by the
//! others with one common denominator D, and a pivot divides without a rest (Edmonds 1967, Bareiss 1968), so that nothing is
//! ever rounded; in tables with margins all entries stay −1, 0 or 1. The search starts from a point that is known to be
//! possible (the truth), so that there is no first phase. Where a step leads nowhere, Bland's rule (1977) decides, which
//! never cycles.

use privug_engine::number::{Constants, Integer, Rational};

/// Work is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::audit) struct Exhausted;

/// Where a variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Basic(usize),
    Free(usize),
}

/// Which side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::audit) enum Side {
    Largest,
    Smallest,
}

/// Bounds on a variable; `None` is infinite.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::audit) struct Bounds {
    pub(in crate::audit) lower: Option<Rational>,
    pub(in crate::audit) upper: Option<Rational>,
}

/// A system of constraints, and the point at which the search is.
#[derive(Debug, Clone)]
pub(in crate::audit) struct Simplex {
    denominator: Integer,
    /// One row for each basic variable, one column for each other.
    tableau: Vec<Vec<Integer>>,
    basic: Vec<usize>,
    free: Vec<usize>,
    place: Vec<Place>,
    bounds: Vec<Bounds>,
    values: Vec<Rational>,
}

impl Simplex {
    /// `sums` are rows over the first variables, with whole coefficients; the variable of row r comes after all of these.
    /// `values` and `bounds` are those of the variables, then those of the sums, and the values are possible.
    pub(in crate::audit) fn new(
        variables: usize,
        sums: &[Vec<(usize, Integer)>],
        bounds: Vec<Bounds>,
        values: Vec<Rational>,
    ) -> Self {
        let tableau = sums.iter().map(|sum| {
            let mut row = vec![Integer::ZERO; variables];
            sum.iter().for_each(|(variable, weight)| row[*variable] += weight);
            row
        });
        let place = (0..variables).map(Place::Free).chain((0..sums.len()).map(Place::Basic));
        Simplex {
            denominator: Integer::ONE,
            tableau: tableau.collect(),
            basic: (variables..variables + sums.len()).collect(),
            free: (0..variables).collect(),
            place: place.collect(),
            bounds,
            values,
        }
    }

    /// Goes back to a point that is possible, with other bounds on some variables.
    pub(in crate::audit) fn restart(&mut self, values: &[Rational], bounds: &[Bounds]) {
        self.values.clone_from_slice(values);
        self.bounds.clone_from_slice(bounds);
    }

    /// The value of each variable at the point where the search is.
    pub(in crate::audit) fn values(&self) -> &[Rational] {
        &self.values
    }

    /// The largest or the smallest value of a variable; `None` if there is none. Each changed number of the tableau takes one
    /// of `work`.
    pub(in crate::audit) fn extreme(
        &mut self,
        variable: usize,
        side: Side,
        work: &mut u64,
    ) -> Result<Option<Rational>, Exhausted> {
        let mut is_stuck = false;
        loop {
            let Some((column, is_up)) = self.entering(variable, side, is_stuck) else {
                return Ok(Some(self.values[variable].clone()));
            };
            let step = self.step(column, is_up);
            let Some((length, leaving)) = step else { return Ok(None) };
            is_stuck = Constants::is_zero(&length);
            self.walk(column, is_up, &length);
            let used = match leaving {
                Some(row) => self.pivot(row, column),
                None => self.basic.len() as u64,
            };
            *work = work.checked_sub(used.max(1)).ok_or(Exhausted)?;
        }
    }

    /// How a variable is made of the others at the point where the search is: these and their factors. At an extreme each of
    /// them with a factor is at a bound, so that this is the proof that nothing more is possible.
    pub(in crate::audit) fn made_of(&self, variable: usize) -> Vec<(usize, Rational)> {
        match self.place[variable] {
            Place::Free(_) => vec![(variable, Rational::ONE)],
            Place::Basic(row) => {
                let denominator = Rational::from(self.denominator.clone());
                let terms = self.free.iter().zip(&self.tableau[row]).filter(|(_, factor)| !factor.is_zero());
                terms.map(|(free, factor)| (*free, Rational::from(factor.clone()) / &denominator)).collect()
            }
        }
    }

    /// How a variable grows (or shrinks) as a column does, times the denominator; `None` if it does not.
    fn slope(&self, variable: usize, column: usize) -> Option<&Integer> {
        match self.place[variable] {
            Place::Free(place) => (place == column).then_some(&self.denominator),
            Place::Basic(row) => Some(&self.tableau[row][column]).filter(|slope| !slope.is_zero()),
        }
    }

    /// The column to move, and in which direction: that with the steepest slope, or where the last step led nowhere the
    /// first variable.
    fn entering(&self, variable: usize, side: Side, is_stuck: bool) -> Option<(usize, bool)> {
        let mut best: Option<(usize, bool)> = None;
        for (column, free) in self.free.iter().enumerate() {
            let Some(slope) = self.slope(variable, column) else { continue };
            let is_up = (*slope > Integer::ZERO) == (side == Side::Largest);
            let Bounds { lower, upper } = &self.bounds[*free];
            let bound = if is_up { upper } else { lower };
            if bound.as_ref().is_some_and(|bound| *bound == self.values[*free]) {
                continue;
            }
            let is_better = match best {
                None => true,
                Some((other, _)) if is_stuck => *free < self.free[other],
                Some((other, _)) => self.slope(variable, other).map(magnitude) < Some(magnitude(slope)),
            };
            if is_better {
                best = Some((column, is_up));
            }
        }
        best
    }

    /// How far a column can move, and which row stops it (`None`: its own bound); `None` if nothing does.
    fn step(&self, column: usize, is_up: bool) -> Option<(Rational, Option<usize>)> {
        let free = self.free[column];
        let Bounds { lower, upper } = &self.bounds[free];
        let own = match is_up {
            true => upper.as_ref().map(|upper| upper - &self.values[free]),
            false => lower.as_ref().map(|lower| &self.values[free] - lower),
        };
        let mut best = own.map(|length| (length, None));
        let denominator = Rational::from(self.denominator.clone());
        for (row, basic) in self.basic.iter().enumerate() {
            let factor = &self.tableau[row][column];
            if factor.is_zero() {
                continue;
            }
            let grows = (*factor > Integer::ZERO) == is_up;
            let Bounds { lower, upper } = &self.bounds[*basic];
            let room = match grows {
                true => upper.as_ref().map(|upper| upper - &self.values[*basic]),
                false => lower.as_ref().map(|lower| &self.values[*basic] - lower),
            };
            let Some(room) = room else { continue };
            let length = room * &denominator / Rational::from(magnitude(factor));
            let is_nearer = match &best {
                None => true,
                Some((nearest, stopped)) => {
                    let blocking = stopped.map_or(free, |row: usize| self.basic[row]);
                    length < *nearest || (length == *nearest && *basic < blocking)
                }
            };
            if is_nearer {
                best = Some((length, Some(row)));
            }
        }
        best
    }

    fn walk(&mut self, column: usize, is_up: bool, length: &Rational) {
        if Constants::is_zero(length) {
            return;
        }
        let signed = if is_up { length.clone() } else { -length.clone() };
        let part = &signed / Rational::from(self.denominator.clone());
        for (row, basic) in self.basic.iter().enumerate() {
            let factor = &self.tableau[row][column];
            if !factor.is_zero() {
                let moved = &part * Rational::from(factor.clone());
                self.values[*basic] += moved;
            }
        }
        let free = self.free[column];
        self.values[free] += signed;
    }

    /// Exchanges a basic variable with a free one; tells how many numbers changed.
    ///
    /// From D·xᵣ = p·xⱼ + Σ aᵣₖ·xₖ follows p·xⱼ = D·xᵣ − Σ aᵣₖ·xₖ, and in the other rows
    /// p·xᵢ = aᵢⱼ·xᵣ + Σ ((p·aᵢₖ − aᵢⱼ·aᵣₖ)/D)·xₖ: p is the new denominator.
    fn pivot(&mut self, row: usize, column: usize) -> u64 {
        let mut pivot_row = std::mem::take(&mut self.tableau[row]);
        let pivot = pivot_row[column].clone();
        let places: Vec<usize> =
            (0..pivot_row.len()).filter(|place| *place != column && !pivot_row[*place].is_zero()).collect();
        let mut used = places.len() as u64;
        let is_same = pivot == self.denominator;
        for (other, entries) in self.tableau.iter_mut().enumerate() {
            if other == row || (is_same && entries[column].is_zero()) {
                continue;
            }
            let factor = entries[column].clone();
            if is_same {
                for place in &places {
                    entries[*place] -= &factor * &pivot_row[*place] / &self.denominator;
                }
                used += places.len() as u64;
            } else {
                for (place, entry) in entries.iter_mut().enumerate().filter(|(place, _)| *place != column) {
                    if !entry.is_zero() || !(factor.is_zero() || pivot_row[place].is_zero()) {
                        *entry = (&pivot * &*entry - &factor * &pivot_row[place]) / &self.denominator;
                    }
                }
                used += entries.len() as u64;
            }
        }
        places.iter().for_each(|place| pivot_row[*place] = -pivot_row[*place].clone());
        pivot_row[column] = std::mem::replace(&mut self.denominator, pivot);
        self.tableau[row] = pivot_row;
        if self.denominator < Integer::ZERO {
            self.denominator = -self.denominator.clone();
            let entries = self.tableau.iter_mut().flatten().filter(|entry| !entry.is_zero());
            entries.for_each(|entry| *entry = -entry.clone());
        }
        let (leaving, entering) = (self.basic[row], self.free[column]);
        (self.basic[row], self.free[column]) = (entering, leaving);
        self.place[entering] = Place::Basic(row);
        self.place[leaving] = Place::Free(column);
        used
    }
}

fn magnitude(value: &Integer) -> Integer {
    if *value < Integer::ZERO { -value.clone() } else { value.clone() }
}
