//! Which observations follow from others, proven: rounded weights are guessed to be simple fractions, and the guess is
//! checked without rounding.
//!
//! Let every row be divided by one of its coefficients, its lead. The rows of tables (sums and means of people, whatever
//! they are divided by) are then made of 0 and 1, and what is redundant among them is a combination with simple weights.
//! A floating-point solution is near these; that
//!
//! ```text
//! Σ x_l·a_l = t        in every group of sources
//! ```
//!
//! holds for the fractions x is checked in integers, or modulo two primes (see `residue`) where a row has several
//! different coefficients. A wrong guess is found out, and then nothing is said. That the other observations are
//! independent is proven by the bounds of their factorisation. `docs/proofs/dependence.md` has the proof.

use std::collections::BTreeMap;

use dashu_int::IBig;

use crate::network::NodeId;
use crate::number::{Constants, Field as _, Rational, Scalar, Wide};

use super::super::factor::Field;
use super::super::poll::{Interrupt, Poll};
use super::super::projector::Projector;
use super::super::residue::{Primes, Residues};
use super::super::row::{Part, Row};
use super::fraction::Fraction;

/// What a row is divided by.
#[derive(Debug, Clone)]
pub(super) struct Lead<W> {
    /// The coefficient.
    pub coefficient: W,
    /// The same in the units of the row.
    scaled: f64,
    residue: Residues,
    /// Whether it is the only one of the row.
    is_flat: bool,
    /// Whether no coefficient of the row depends on a rounded weight.
    is_exact: bool,
}

impl<W: Wide> Lead<W> {
    /// Of a row in units of 2^exponent; `None` if it depends on nothing.
    pub(super) fn of(row: &Row<W>, exponent: i32) -> Option<Self> {
        let first = row.runs.first()?.part;
        let Part { coefficient, residue, .. } = &row.parts[first as usize];
        let scaled = super::super::range::scale(coefficient, -exponent).to_f64();
        let is_flat = row.runs.iter().all(|run| run.part == first);
        Some(Lead { coefficient: coefficient.clone(), scaled, residue: *residue, is_flat, is_exact: row.exact })
    }
}

/// A row as a combination of observations: position and weight, of rows that are divided by their leads.
pub(super) type Combination = Vec<(usize, Fraction)>;

/// Rows being compared with combinations of observations.
pub(super) struct Dependence<'a, S: Scalar> {
    projector: &'a Projector<'a, S>,
    /// The lead of each observation, by its position.
    leads: Vec<Option<Lead<S::Wide>>>,
    integers: Sums<i128>,
    residues: Sums<Residues>,
}

impl<'a, S: Scalar> Dependence<'a, S> {
    /// On the observations at these positions, in these units besides those of their rows.
    pub(super) fn new(projector: &'a Projector<'a, S>, units: &[i32]) -> Self {
        let lead = |(position, unit): (usize, &i32)| {
            Lead::of(projector.merged(position), projector.row(position).exponent + unit)
        };
        let leads = units.iter().enumerate().map(lead).collect();
        let groups = projector.group_count();
        Dependence { projector, leads, integers: Sums::new(groups, 0), residues: Sums::new(groups, [0, 0]) }
    }

    /// The lead of an observation that depends on something.
    pub(super) fn lead(&self, position: usize) -> Option<&Lead<S::Wide>> {
        self.leads[position].as_ref()
    }

    /// The sum of the logarithms of the leads of some observations, in the units of their rows.
    pub(super) fn log_leads(&self, positions: impl Iterator<Item = usize>) -> f64 {
        positions.filter_map(|position| self.lead(position)).map(|lead| lead.scaled.abs().ln()).sum()
    }

    /// The weights of a combination that is a row with this lead, for rows as they are; `None` if they leave the range.
    pub(super) fn at_nodes(
        &self,
        lead: Option<&Lead<S::Wide>>,
        combination: &[(usize, Rational)],
    ) -> Option<Vec<(usize, S::Wide)>> {
        let wide = |integer: &IBig| -> Option<S::Wide> {
            let parts = S::integer_parts(integer)?;
            Some(parts.iter().fold(S::Wide::zero(), |sum, part| sum.add_narrow(part)))
        };
        let at_node = |(position, weight): &(usize, Rational)| {
            let ratio = lead?.coefficient.div(&self.lead(*position)?.coefficient);
            let weight = wide(weight.numerator())?.div(&wide(weight.denominator().as_ibig())?);
            Some((*position, ratio.mul(&weight)))
        };
        combination.iter().map(at_node).collect()
    }

    /// The observation at a position as the combination that these weights are near; `None` if it is none, or not for sure.
    pub(super) fn of_observation(
        &mut self,
        position: usize,
        weights: impl Iterator<Item = (usize, f64)>,
        poll: &mut Poll,
    ) -> Result<Option<Combination>, Interrupt> {
        let Some(lead) = self.leads[position].clone() else { return Ok(Some(Vec::new())) };
        let Some(guess) = self.guess(&lead, weights) else { return Ok(None) };
        let entries: Vec<_> = entries(self.projector, position).collect();
        Ok(self.check(&lead, &guess, &entries, poll)?.then_some(guess))
    }

    /// The same of a target with this row in units of 2^exponent.
    pub(super) fn of_target(
        &mut self,
        row: &Row<S::Wide>,
        exponent: i32,
        weights: impl Iterator<Item = (usize, f64)>,
        poll: &mut Poll,
    ) -> Result<Option<Combination>, Interrupt> {
        let Some(lead) = Lead::of(row, exponent) else { return Ok(Some(Vec::new())) };
        let Some(entries) = self.in_groups(row) else { return Ok(None) };
        let Some(guess) = self.guess(&lead, weights) else { return Ok(None) };
        Ok(self.check(&lead, &guess, &entries, poll)?.then_some(guess))
    }

    /// A target's parts of groups; `None` if it has not the same part of all sources of each.
    fn in_groups<'r>(&self, row: &'r Row<S::Wide>) -> Option<Vec<(u32, &'r Part<S::Wide>)>> {
        let groups = self.projector.groups();
        let mut found: BTreeMap<u32, (&Part<S::Wide>, usize)> = BTreeMap::new();
        for (source, part) in row.sources() {
            let (before, count) = found.entry(groups.of(NodeId(source))?).or_insert((part, 0));
            if !std::ptr::eq(*before, part) {
                return None;
            }
            *count += 1;
        }
        let whole = found.iter().all(|(group, (_, count))| groups.size(*group) == *count);
        whole.then(|| found.into_iter().map(|(group, (part, _))| (group, part)).collect())
    }

    fn guess(&self, lead: &Lead<S::Wide>, weights: impl Iterator<Item = (usize, f64)>) -> Option<Combination> {
        if !lead.is_exact {
            return None;
        }
        let mut guess = Combination::new();
        for (position, weight) in weights {
            let Some(of) = &self.leads[position] else { continue };
            let weight = Fraction::near(weight * (of.scaled / lead.scaled))?;
            if !weight.is_zero() {
                if !of.is_exact {
                    return None;
                }
                guess.push((position, weight));
            }
        }
        Some(guess)
    }

    /// Whether a combination is the row with these parts of groups, for certain.
    fn check(
        &mut self,
        lead: &Lead<S::Wide>,
        guess: &Combination,
        of_row: &[(u32, &Part<S::Wide>)],
        poll: &mut Poll,
    ) -> Result<bool, Interrupt> {
        let projector = self.projector;
        let cells: usize = guess.iter().map(|(position, _)| projector.merged(*position).len).sum();
        poll.spend((cells + of_row.len()) as u64 + 1)?;
        let leads = &self.leads;
        let lead_of = |position: usize| leads[position].as_ref().filter(|lead| lead.is_exact);
        if lead.is_flat && guess.iter().all(|(position, _)| lead_of(*position).is_some_and(|lead| lead.is_flat)) {
            let Some(common) = common_denominator(guess) else { return Ok(false) };
            for (position, weight) in guess {
                let weight = i128::from(weight.numerator) * (common / i128::from(weight.denominator));
                entries(projector, *position).for_each(|(group, _)| self.integers.add(group, |sum| sum + weight));
            }
            of_row.iter().for_each(|(group, _)| self.integers.add(*group, |sum| sum - common));
            return Ok(self.integers.all_vanish(|sum| *sum == 0));
        }
        let primes = projector.primes();
        for (position, weight) in guess {
            let Some(of) = lead_of(*position) else { return Ok(false) };
            let Some(weight) = residue_of(primes, *weight).and_then(|weight| primes.quotient(&weight, &of.residue))
            else {
                return Ok(false);
            };
            for (group, part) in entries(projector, *position) {
                self.residues.add(group, |sum| primes.sum_of_product(sum, &weight, &part.residue));
            }
        }
        let Some(weight) = primes.quotient(&primes.one(), &lead.residue) else { return Ok(false) };
        for (group, part) in of_row {
            self.residues.add(*group, |sum| primes.minus(sum, &primes.times(&weight, &part.residue)));
        }
        Ok(self.residues.all_vanish(|sum| primes.vanishes(sum)))
    }
}

/// The groups that an observation depends on, with its parts of them.
fn entries<'a, S: Scalar>(
    projector: &'a Projector<'a, S>,
    position: usize,
) -> impl Iterator<Item = (u32, &'a Part<S::Wide>)> {
    let sources = projector.merged(position).sources();
    sources.map(|(source, part)| (projector.groups().of_observed(source), part))
}

fn residue_of(primes: &Primes, fraction: Fraction) -> Option<Residues> {
    primes.quotient(&primes.of_double(fraction.numerator as f64), &primes.of_double(fraction.denominator as f64))
}

/// The least common multiple of the denominators, if it is not too large.
fn common_denominator(guess: &Combination) -> Option<i128> {
    const MOST: i128 = 1 << 60;
    guess.iter().try_fold(1i128, |common, (_, weight)| {
        let denominator = i128::from(weight.denominator);
        let (mut a, mut b) = (common, denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Some(common / a * denominator).filter(|common| *common <= MOST)
    })
}

/// A sum for each group, of which few are touched at a time.
struct Sums<T> {
    zero: T,
    sums: Vec<T>,
    is_touched: Vec<bool>,
    touched: Vec<u32>,
}

impl<T: Copy> Sums<T> {
    fn new(groups: usize, zero: T) -> Self {
        Sums { zero, sums: vec![zero; groups], is_touched: vec![false; groups], touched: Vec::new() }
    }

    fn add(&mut self, group: u32, sum: impl FnOnce(&T) -> T) {
        let place = group as usize;
        if !std::mem::replace(&mut self.is_touched[place], true) {
            self.touched.push(group);
        }
        self.sums[place] = sum(&self.sums[place]);
    }

    /// Whether all sums are zero; begins anew.
    fn all_vanish(&mut self, vanishes: impl Fn(&T) -> bool) -> bool {
        let mut all = true;
        for group in self.touched.drain(..) {
            let place = group as usize;
            all &= vanishes(&std::mem::replace(&mut self.sums[place], self.zero));
            self.is_touched[place] = false;
        }
        all
    }
}

/// The observations that follow from earlier ones, each as a combination of these, from combinations in any order.
///
/// Every combination is a vector n with Σ n_l·a_l = 0. Those that end in the same place are subtracted from each other
/// until all end in different ones: then the places where they end are those that follow from what is before them.
///
/// Besides, ln |det N|, with N the last weights of these vectors: by so much more, in rows divided by their leads, the
/// determinant of those that do not follow from earlier ones exceeds that of those that the combinations are made of. (The
/// minors of a matrix and the complementary ones of its kernel are in proportion; in the kernel's columns of what was
/// given as a combination there is the identity, and in those of the ends N, a triangle.)
pub(super) fn in_order(
    combinations: Vec<(usize, Combination)>,
    poll: &mut Poll,
) -> Result<(BTreeMap<usize, Vec<(usize, Rational)>>, f64), Interrupt> {
    let mut ends: BTreeMap<usize, BTreeMap<usize, Rational>> = BTreeMap::new();
    // The short ones first: then these are subtracted from the long ones, not the other way round.
    let mut combinations = combinations;
    combinations.sort_by_key(|(position, combination)| (combination.len(), *position));
    for (position, combination) in combinations {
        let terms = combination.into_iter().map(|(position, weight)| (position, weight.to_rational()));
        let mut vector: BTreeMap<usize, Rational> = terms.collect();
        vector.insert(position, -Rational::ONE);
        while let Some((last, weight)) = vector.last_key_value() {
            let (last, weight) = (*last, weight.clone());
            let Some(other) = ends.get(&last) else {
                ends.insert(last, vector);
                break;
            };
            poll.spend(other.len() as u64 * Wide::operation_cost(&weight))?;
            let factor = weight / &other[&last];
            for (position, weight) in other {
                let change = &factor * weight;
                let entry = vector.entry(*position).or_insert(Rational::ZERO);
                *entry -= change;
                if entry.is_zero() {
                    vector.remove(position);
                }
            }
        }
    }
    let solved = |(last, mut vector): (usize, BTreeMap<usize, Rational>)| {
        let own = -vector.remove(&last).unwrap_or(Rational::ONE);
        (last, vector.into_iter().map(|(position, weight)| (position, weight / &own)).collect())
    };
    let last = |(last, vector): (&usize, &BTreeMap<usize, Rational>)| vector[last].to_f64().value().abs().ln();
    let log_determinant = ends.iter().map(last).sum();
    Ok((ends.into_iter().map(solved).collect(), log_determinant))
}
