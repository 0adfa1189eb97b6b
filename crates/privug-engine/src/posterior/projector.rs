//! Rows seen from the observations, with every decision certain or refused.
//!
//! In doubles, with Σ c_l·q_l = Σ x_l·a_l, what is left of a row t after the observations is off by at most
//!
//! ```text
//! ‖rest‖:   ‖ν_t‖ + Σ |x_l|·‖ν_l‖                  from the rounding of the program's numbers (ν bounds a row's error)
//! ‖rest‖²:  γ·(‖t‖ + Σ |x_l|·‖a_l‖)²               from the factorisation itself, γ a few units of roundoff for each term
//! ```
//!
//! to first order: errors within the span of the observations are orthogonal to what is left. The x stay small where
//! the c double with every row (running totals). `docs/proofs/projection.md` has the proof.

use std::ops::Range;

use crate::network::{Network, NodeId};
use crate::number::{Constants, Field as _, Scalar, Wide};

use super::factor::{Factor, Field, Numbers, Projection, Vector};
use super::groups::{Found, Groups};
use super::ladder::Ladder;
use super::poll::{Interrupt, Poll, WORTH_A_THREAD, in_parallel};
use super::profile::Explained;
use super::range::OutOfRange;
use super::residue::{Primes, Residues};
use super::row::Row;
use super::units::ScaledRow;

/// How much larger than its error bound something has to be: variances are then right to 2⁻³², nine digits and more.
pub(super) const CERTAIN: f64 = 8_589_934_592.0; // 2³³

/// Besides the terms of an inner product and those of a column of the factorisation, each entry takes a few roundings.
const STEPS_AROUND: usize = 16;

/// Where an observation stands among the earlier ones. Numbers are in units of 2^exponent.
#[derive(Debug)]
pub(super) struct Placement<W> {
    pub exponent: i32,
    /// ⟨a, a⟩
    pub variance: W,
    /// c_l = ⟨a, q_l⟩/⟨q_l, q_l⟩, ascending in l.
    pub onto: Vec<(u32, W)>,
    /// The x with Σ c_l·q_l = Σ x_l·a_l.
    pub combination: Vec<(u32, f64)>,
    /// ⟨q, q⟩ of the new basis vector, unless the observation is redundant.
    pub pivot: Option<W>,
    /// Bound on the relative error of that.
    pub error: f64,
    /// ‖a‖ + Σ |x_l|·‖a_l‖
    pub size: f64,
    /// γ
    pub rounding: f64,
}

/// What was learnt from one basis vector, in the units of its observation.
#[derive(Debug, Clone)]
pub(super) struct Evidence<W> {
    /// Published value minus what the earlier ones let expect; `None` if no value was seen.
    pub innovation: Option<W>,
    /// Bound on the error of (value − mean).
    pub error: f64,
}

/// A target as seen from the observations. Numbers are in units of 2^exponent.
#[derive(Debug)]
pub(super) struct View<W> {
    pub exponent: i32,
    pub prior_variance: W,
    /// c_l, ascending in l.
    pub onto: Vec<(u32, W)>,
    /// x_l of the observations that were seen.
    pub combination: Vec<(u32, f64)>,
    /// Covariance with each observation that overlaps, in units of 2^(exponent + exponent of the observation).
    pub alone: Vec<(u32, W)>,
    /// Variance left by the observations that were seen; exactly 0 if they disclose the target.
    pub variance_after_seen: W,
    /// Variance left by all observations.
    pub variance_after_all: W,
    /// Bound on the error of Σ c_l·innovation_l.
    pub shift_error: f64,
}

/// A source of variance 1 as seen from the observations; see [`Profile`](super::profile::Profile).
#[derive(Debug)]
pub(super) struct SourceView<W> {
    pub explained: Explained<W>,
    pub explained_by_all: Option<Box<Explained<W>>>,
    /// c_l of the basis vectors that were seen.
    pub onto: Vec<(u32, W)>,
    pub shift_error: f64,
    pub bend: (f64, f64),
}

/// Observations being placed, then targets being looked at.
#[derive(Debug)]
pub(super) struct Projector<'a, S: Scalar> {
    groups: Groups<'a, S>,
    rows: Vec<ScaledRow<S::Wide>>,
    /// The same before they were scaled, with one source of each group.
    merged: Vec<Row<S::Wide>>,
    factor: Factor<Numbers<S::Wide>>,
    primes: Primes,
    /// See [`Options::mean_tolerance`](super::Options).
    pub mean_tolerance: f64,
    ladder: Ladder,
    placed: usize,
    /// The observation of each basis vector.
    used: Vec<usize>,
    fingerprints: Option<Fingerprints>,
    lesson: Lesson,
}

/// The observations before any of them is placed.
#[derive(Debug)]
pub(super) struct Unplaced<W> {
    groups: Found<W>,
    rows: Vec<ScaledRow<W>>,
    merged: Vec<Row<W>>,
    pub(super) primes: Primes,
}

/// The same factorisation modulo primes, of the observations without rounded weights; only made if something may be 0.
#[derive(Debug)]
struct Fingerprints {
    /// What stands for the variances of groups.
    variances: Vec<Residues>,
    factor: Factor<Primes>,
    /// The basis vector among the others that each of these corresponds to, ascending.
    numbers: Vec<u32>,
    placed: usize,
}

/// What bounds on means need to know about the evidence: with y the weights of Σ y_l·a_l = Σ innovation_l/⟨q_l, q_l⟩·q_l,
#[derive(Debug, Default)]
struct Lesson {
    /// How many basis vectors were seen.
    seen: u32,
    value_errors: Vec<f64>,
    /// ‖Σ y_l·a_l‖
    surprise: f64,
    /// Σ |y_l|·‖ν_l‖
    noise: f64,
    /// Σ |y_l|·‖a_l‖
    size: f64,
}

/// What may be zero.
#[derive(Clone, Copy)]
enum Suspect<'a, W> {
    /// What is left of the observation in this place.
    Observation(usize),
    /// What is left of a target with this row.
    Target(&'a Row<W>),
}

/// Bounds of what is left of a row.
struct Bounds {
    /// ‖ν_t‖ + Σ |x_l|·‖ν_l‖
    noise: f64,
    /// ‖t‖ + Σ |x_l|·‖a_l‖
    size: f64,
    /// γ
    rounding: f64,
}

impl Bounds {
    /// Bound on the relative error of a variance that is left.
    fn relative_error(&self, rest: f64) -> f64 {
        self.rounding * self.size * self.size / rest + 2.0 * self.noise / rest.sqrt()
    }
}

impl<'a, S: Scalar> Projector<'a, S> {
    /// Of the given rows of observations; an error names the row.
    pub(super) fn new(
        network: &'a Network<S>,
        rows: Vec<Row<S::Wide>>,
        primes: Primes,
        poll: &Poll<'_>,
    ) -> Result<Self, (usize, OutOfRange)> {
        let groups = Groups::new(network, &rows);
        let prepare = |index: usize| {
            let row = groups.merged(&rows[index]);
            let scaled = groups.scaled_observation(&row, rows[index].len).map_err(|error| (index, error))?;
            Ok((scaled, row))
        };
        let entries: usize = rows.iter().map(|row| row.len).sum();
        let prepared = if entries >= WORTH_A_THREAD {
            in_parallel(rows.len(), poll, || (), |(), index, _| prepare(index))?
        } else {
            (0..rows.len()).map(prepare).collect::<Result<_, _>>()?
        };
        let (rows, merged) = prepared.into_iter().unzip();
        Ok(Self::again(network, Unplaced { groups: groups.found(), rows, merged, primes }, poll))
    }

    /// Of observations that were looked at before; the network may have grown since.
    pub(super) fn again(network: &'a Network<S>, unplaced: Unplaced<S::Wide>, poll: &Poll<'_>) -> Self {
        let Unplaced { groups, rows, merged, primes } = unplaced;
        Projector {
            factor: Factor::new(Numbers::new(), 0, 0, |_| std::iter::empty()),
            primes,
            mean_tolerance: poll.options().mean_tolerance,
            groups: Groups::again(network, groups),
            rows,
            merged,
            ladder: Ladder::default(),
            placed: 0,
            used: Vec::new(),
            fingerprints: None,
            lesson: Lesson::default(),
        }
    }

    /// The observations as they were before.
    pub(super) fn unplaced(self) -> Unplaced<S::Wide> {
        Unplaced { groups: self.groups.found(), rows: self.rows, merged: self.merged, primes: self.primes }
    }

    /// ⟨q_l, q_l⟩
    pub(super) fn pivot(&self, basis: u32) -> &S::Wide {
        self.factor.pivot(basis)
    }

    /// Begins to place observations.
    pub(super) fn begin(&mut self) {
        let Projector { groups, rows, merged, .. } = self;
        let coefficients = |index: usize| groups.coefficients(&merged[index], rows[index].exponent);
        self.factor = Factor::new(Numbers::new(), groups.len(), rows.len(), coefficients);
    }

    /// Places the next observation, and adds it to the basis unless it is redundant.
    pub(super) fn observe(&mut self, poll: &mut Poll) -> Result<Placement<S::Wide>, Interrupt> {
        let index = self.placed;
        let vector = self.groups.vector(&self.merged[index], &self.rows[index]);
        let projection = self.factor.project(&vector, poll)?;
        let all = self.factor.len();
        let rest = self.factor.rest(&projection, all);
        let steps: Vec<(u32, f64)> = projection.onto.iter().map(|(basis, c)| (*basis, c.to_f64())).collect();
        let combination = self.ladder.combination(steps.iter().copied());
        let bounds = self.bounds(&self.rows[index], &combination, steps.len());
        let pivot = self.is_nonzero(&rest, &bounds, Suspect::Observation(index), all, poll)?.then_some(rest);
        if pivot.is_none() {
            self.rows[index].check()?;
        }
        let rounded = pivot.as_ref().filter(|_| !S::EXACT);
        let error = rounded.map_or(0.0, |pivot| bounds.relative_error(pivot.to_f64()));
        if pivot.is_some() {
            poll.store(1 + steps.len())?;
            self.ladder.push(steps, 1.0);
            self.used.push(index);
        }
        self.factor.place(&projection.onto, pivot.clone());
        self.placed += 1;
        let row = &self.rows[index];
        Ok(Placement {
            exponent: row.exponent,
            variance: row.squared_norm.clone(),
            onto: projection.onto,
            combination,
            pivot,
            error,
            size: bounds.size,
            rounding: bounds.rounding,
        })
    }

    /// Bounds of what is left of a row with so many c.
    fn bounds(&self, row: &ScaledRow<S::Wide>, combination: &[(u32, f64)], steps: usize) -> Bounds {
        let (mut noise, mut size, mut terms) = (row.noise, row.norm, row.terms);
        let mut longest = steps;
        for (basis, x) in combination {
            let observation = &self.rows[self.used[*basis as usize]];
            noise += x.abs() * observation.noise;
            size += x.abs() * observation.norm;
            terms = terms.max(observation.terms);
            // An x may vanish where a c does not: every c is a rounding.
            longest = longest.max(self.ladder.steps(*basis));
        }
        let roundings = terms + 2 * longest + STEPS_AROUND;
        Bounds { noise, size, rounding: S::Wide::UNIT_ROUNDOFF * roundings as f64 }
    }

    /// Whether what the first `limit` basis vectors leave is certainly not zero (true) or certainly zero (false).
    fn is_nonzero(
        &mut self,
        rest: &S::Wide,
        bounds: &Bounds,
        suspect: Suspect<'_, S::Wide>,
        limit: u32,
        poll: &mut Poll,
    ) -> Result<bool, Interrupt> {
        if S::EXACT {
            // What is exactly zero is so in what the program computes, whatever its numbers were rounded from.
            let certain = rest.is_zero() || bounds.noise == 0.0 || rest.to_f64().sqrt() >= CERTAIN * bounds.noise;
            return if certain { Ok(!rest.is_zero()) } else { Err(Interrupt::Doubtful) };
        }
        let rest = rest.to_f64();
        let precise = rest > 0.0 && rest >= CERTAIN * bounds.rounding * bounds.size * bounds.size;
        if precise && rest.sqrt() >= CERTAIN * bounds.noise {
            return Ok(true);
        }
        let exact = match suspect {
            Suspect::Observation(index) => self.merged[index].exact,
            Suspect::Target(row) => row.exact,
        };
        if exact {
            self.take_fingerprints(poll)?;
            let fingerprints = self.fingerprints.as_mut().expect("just taken");
            let residues = match suspect {
                Suspect::Observation(index) => {
                    self.groups.observation_residues(&self.merged[index], &self.primes, &fingerprints.variances)
                }
                Suspect::Target(row) => self.groups.target_residues(row, &self.primes),
            };
            let projection = fingerprints.factor.project(&residues, poll)?;
            let below = fingerprints.numbers.partition_point(|number| *number < limit) as u32;
            if self.primes.vanishes(&fingerprints.factor.rest(&projection, below)) {
                return Ok(false);
            }
        }
        // Without rounded weights nothing but more digits is missing.
        Err(if bounds.noise > 0.0 { Interrupt::Doubtful } else { Interrupt::OutOfRange })
    }

    /// The variance that the first `limit` basis vectors leave of a target.
    fn left(
        &mut self,
        (target, scaled): (&Row<S::Wide>, &ScaledRow<S::Wide>),
        projection: &Projection<S::Wide>,
        limit: u32,
        bounds: &Bounds,
        poll: &mut Poll,
    ) -> Result<S::Wide, Interrupt> {
        let rest = self.factor.rest(projection, limit);
        let random = target.len > 0;
        let nonzero = random && self.is_nonzero(&rest, bounds, Suspect::Target(target), limit, poll)?;
        if !nonzero {
            scaled.check()?;
        }
        Ok(if nonzero { rest } else { S::Wide::zero() })
    }

    /// Brings the factorisation modulo the primes up to the observations placed so far.
    fn take_fingerprints(&mut self, poll: &mut Poll) -> Result<(), Interrupt> {
        let fingerprints = self.fingerprints.get_or_insert_with(|| {
            let coefficients = |index: usize| {
                let row = &self.merged[index];
                let sources = row.sources().filter(|_| row.exact);
                sources.map(|(source, part)| (self.groups.of_observed(source), part.residue))
            };
            Fingerprints {
                variances: self.groups.residue_variances(&self.primes),
                factor: Factor::new(self.primes.clone(), self.groups.len(), self.merged.len(), coefficients),
                numbers: Vec::new(),
                placed: 0,
            }
        });
        while fingerprints.placed < self.placed {
            let index = fingerprints.placed;
            let number = self.used.binary_search(&index).ok();
            match number.filter(|_| self.merged[index].exact) {
                Some(number) => {
                    let (primes, row) = (&self.primes, &self.merged[index]);
                    let residues = self.groups.observation_residues(row, primes, &fingerprints.variances);
                    let projection = fingerprints.factor.project(&residues, poll)?;
                    let rest = fingerprints.factor.rest(&projection, fingerprints.factor.len());
                    // A row that depends on others only modulo a prime is left out: then less is certain.
                    let pivot = primes.is_unit(&rest).then_some(rest);
                    if pivot.is_some() {
                        fingerprints.numbers.push(number as u32);
                    }
                    fingerprints.factor.place(&projection.onto, pivot);
                }
                None => fingerprints.factor.place(&[], None),
            }
            fingerprints.placed += 1;
        }
        Ok(())
    }

    /// The group of a source, if an observation depends on it.
    pub(super) fn group(&self, source: NodeId) -> Option<u32> {
        self.groups.of(source)
    }

    /// How many coefficients all observations have on groups.
    pub(super) fn nonzeros(&self) -> usize {
        self.merged.iter().map(|row| row.len).sum()
    }

    /// How many groups of sources there are.
    pub(super) fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// The variance of a group in its units.
    pub(super) fn variance(&self, group: u32) -> &S::Wide {
        &self.groups.unit(group).0
    }

    /// The row of an observation with one source of each group, by its place in the order of processing.
    pub(super) fn merged(&self, position: usize) -> &Row<S::Wide> {
        &self.merged[position]
    }

    /// The sources that observations depend on, in groups.
    pub(super) fn groups(&self) -> &Groups<'a, S> {
        &self.groups
    }

    /// The primes that the residues of coefficients are taken modulo of.
    pub(super) fn primes(&self) -> &Primes {
        &self.primes
    }

    /// The scaled row of an observation, by its place in the order of processing.
    pub(super) fn row(&self, position: usize) -> &ScaledRow<S::Wide> {
        &self.rows[position]
    }

    /// Bound on what the rounding of the program's numbers may have done to any coefficient of an observation, relative
    /// to it.
    pub(super) fn relative_noise(&self, position: usize) -> f64 {
        let Row { runs, parts, .. } = &self.merged[position];
        // Most rows have few parts.
        let parts = runs.chunk_by(|a, b| a.part == b.part).map(|same| &parts[same[0].part as usize]);
        let noises = parts.map(|part| match part.error {
            0.0 => 0.0,
            error => error / part.coefficient.to_f64().abs(),
        });
        noises.fold(0.0, f64::max)
    }

    /// The variance of a source in the units of its group, and the power of two of these.
    pub(super) fn unit_variance(&self, source: NodeId) -> (S::Wide, i32) {
        self.groups.unit_variance(source)
    }

    /// Which of some groups an observation depends on.
    pub(super) fn groups_within(&self, position: usize, groups: Range<usize>) -> impl Iterator<Item = u32> {
        let sources = self.merged[position].sources_within(self.groups.first_sources(groups));
        sources.map(|(source, _)| self.groups.of_observed(source))
    }

    /// Its coefficients on these in doubles, in the units of both times 2^−unit.
    pub(super) fn coefficients_within(
        &self,
        position: usize,
        groups: Range<usize>,
        unit: i32,
    ) -> impl Iterator<Item = (u32, f64)> {
        self.groups.coefficients_within(&self.merged[position], groups, self.rows[position].exponent, -unit)
    }

    /// What the observations that were seen say about any source of this group, apart from the shift itself.
    pub(super) fn profile(&mut self, group: u32, poll: &mut Poll) -> Result<SourceView<S::Wide>, Interrupt> {
        let vector = Vector { squared_norm: S::Wide::zero(), products: vec![(group, S::Wide::one())] };
        let projection = self.factor.project(&vector, poll)?;
        let (seen, all) = (self.lesson.seen, self.factor.len());
        let (explained, combination) = self.explained(&projection, seen);
        let nothing_unseen = projection.onto.last().is_none_or(|(basis, _)| *basis < seen);
        let explained_by_all = (!nothing_unseen).then(|| Box::new(self.explained(&projection, all).0));
        let onto = projection.onto.into_iter().take_while(|(basis, _)| *basis < seen).collect();
        let lesson = &self.lesson;
        let through_values =
            combination.iter().map(|(basis, x)| x.abs() * lesson.value_errors[*basis as usize]).sum::<f64>();
        let shift_error = through_values + explained.noise * lesson.surprise;
        let bend = (lesson.noise, explained.rounding * lesson.size);
        Ok(SourceView { explained, explained_by_all, onto, shift_error, bend })
    }

    /// What the first `limit` basis vectors explain of a source of variance 1, and the x of their observations.
    fn explained(&mut self, projection: &Projection<S::Wide>, limit: u32) -> (Explained<S::Wide>, Vec<(u32, f64)>) {
        let onto = projection.onto.iter().take_while(|(basis, _)| *basis < limit);
        let steps: Vec<(u32, f64)> = onto.map(|(basis, c)| (*basis, c.to_f64())).collect();
        let combination = self.ladder.combination(steps.iter().copied());
        let source = ScaledRow { exponent: 0, squared_norm: S::Wide::zero(), norm: 0.0, noise: 0.0, terms: 1 };
        let Bounds { noise, size, rounding } = self.bounds(&source, &combination, steps.len());
        let value = self.factor.rest(projection, limit).neg();
        (Explained { value, noise, size, rounding, error: 0.0, certain: CERTAIN }, combination)
    }

    /// Takes note of the evidence, one for each basis vector; those that were seen come first.
    pub(super) fn learn(&mut self, evidence: &[Evidence<S::Wide>]) {
        let mut weights = Vec::new();
        let mut surprise = 0.0;
        for (basis, evidence) in evidence.iter().enumerate() {
            let Some(innovation) = &evidence.innovation else { continue };
            let pivot = self.factor.pivot(basis as u32).to_f64();
            let innovation = innovation.to_f64();
            weights.push((basis as u32, innovation / pivot));
            surprise += innovation * innovation / pivot;
        }
        let seen = weights.len() as u32;
        let (mut noise, mut size) = (0.0, 0.0);
        for (basis, y) in self.ladder.combination(weights) {
            let row = &self.rows[self.used[basis as usize]];
            noise += y.abs() * row.noise;
            size += y.abs() * row.norm;
        }
        let value_errors = evidence.iter().map(|evidence| evidence.error).collect();
        self.lesson = Lesson { seen, value_errors, surprise: surprise.sqrt(), noise, size };
    }

    /// Looks at a target.
    pub(super) fn view(&mut self, row: &Row<S::Wide>, poll: &mut Poll) -> Result<View<S::Wide>, Interrupt> {
        let (target, vector) = self.groups.scaled_target(row)?;
        poll.spend(target.terms as u64 + 1)?;
        let projection = self.factor.project(&vector, poll)?;
        let (seen, all) = (self.lesson.seen, self.factor.len());
        let steps = |limit: u32| -> Vec<(u32, f64)> {
            let onto = projection.onto.iter().take_while(|(basis, _)| *basis < limit);
            onto.map(|(basis, c)| (*basis, c.to_f64())).collect()
        };
        let of_seen = steps(seen);
        let combination = self.ladder.combination(of_seen.iter().copied());
        let bounds = self.bounds(&target, &combination, of_seen.len());
        let variance_after_seen = self.left((row, &target), &projection, seen, &bounds, poll)?;
        let nothing_unseen = projection.onto.last().is_none_or(|(basis, _)| *basis < seen);
        let variance_after_all = if nothing_unseen {
            variance_after_seen.clone()
        } else {
            let combination = self.ladder.combination(steps(all));
            let bounds = self.bounds(&target, &combination, projection.onto.len());
            self.left((row, &target), &projection, all, &bounds, poll)?
        };
        let shift_error =
            if S::EXACT { 0.0 } else { self.shift_error(&combination, &bounds, variance_after_seen.to_f64()) };
        Ok(View {
            exponent: target.exponent,
            prior_variance: target.squared_norm,
            onto: projection.onto,
            combination,
            alone: projection.alone,
            variance_after_seen,
            variance_after_all,
            shift_error,
        })
    }

    /// How far Σ c_l·innovation_l of a target could be off, with x, y as above and r what is left of the target:
    ///
    /// ```text
    /// Σ |x_l|·value error_l + ⟨ν_t + Σ |x_l|·ν_l, |Σ y_l·a_l|⟩ + ⟨|r|, Σ |y_l|·ν_l⟩ + the rounding of the factorisation
    /// ```
    fn shift_error(&self, combination: &[(u32, f64)], bounds: &Bounds, variance_after: f64) -> f64 {
        let lesson = &self.lesson;
        let through_values: f64 =
            combination.iter().map(|(basis, x)| x.abs() * lesson.value_errors[*basis as usize]).sum();
        through_values
            + bounds.noise * lesson.surprise
            + variance_after.sqrt() * lesson.noise
            + bounds.rounding * bounds.size * lesson.size
    }
}
