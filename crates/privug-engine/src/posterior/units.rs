//! Rows in units in which squares and products of doubles neither overflow nor vanish: every source or group of them is
//! divided by the power of two of its standard deviation, every row by that of its largest entry. Rationals stay as they
//! are.

use std::ops::Range;

use crate::network::{Network, NodeId};
use crate::number::{Constants, Field as _, Scalar, Wide};

use super::factor::{Field, Numbers, Vector};
use super::groups::{Groups, unit_variance};
use super::poll::Interrupt;
use super::projector::CERTAIN;
use super::range::{OutOfRange, exponent, power_of_two, scale};
use super::residue::{Primes, Residues};
use super::row::{Part, Row};

/// Numbers below 2⁻⁴⁴⁰ of their neighbours would vanish when squared.
const RELATIVE_EXPONENT: i32 = 440;
/// Numbers beyond 2^±960 would lose digits when scaled.
const ABSOLUTE_EXPONENT: i32 = 960;
/// Sums in which squares are added up.
const SUMS: usize = 4;
/// Stands for errors so small that their squares vanish.
const NOISE_FLOOR: f64 = 1e-140;

/// A row in units of 2^exponent.
#[derive(Debug, Clone)]
pub(super) struct ScaledRow<W> {
    pub exponent: i32,
    /// ⟨t, t⟩
    pub squared_norm: W,
    /// Its root as a double.
    pub norm: f64,
    /// Bound on the norm of what the rounding of the program's numbers may have done to the row.
    pub noise: f64,
    /// How many sources it depends on.
    pub terms: usize,
}

impl<W: Wide> ScaledRow<W> {
    /// Refuses a variance that the rounding of the program's numbers could change visibly. One that something is left of
    /// is not in doubt: what is left is larger than the bound.
    pub(super) fn check(&self) -> Result<(), Interrupt> {
        let certain = self.noise == 0.0 || self.norm >= CERTAIN * self.noise;
        if certain { Ok(()) } else { Err(Interrupt::Doubtful) }
    }
}

impl<S: Scalar> Groups<'_, S> {
    /// An observation with the merged row, which depends on so many sources.
    pub(super) fn scaled_observation(
        &self,
        row: &Row<S::Wide>,
        terms: usize,
    ) -> Result<ScaledRow<S::Wide>, OutOfRange> {
        let units: Vec<&(S::Wide, i32)> =
            row.sources().map(|(source, _)| self.unit(self.of_observed(source))).collect();
        let mut scaling = Scaling::of::<S>(row, units.iter().map(|(_, e)| *e))?;
        for ((_, part), (variance, e)) in row.sources().zip(units) {
            scaling.add(part, variance, *e);
        }
        Ok(scaling.finish(terms))
    }

    /// The coefficients of a merged row on the groups, in the units of both.
    pub(super) fn coefficients<'r>(
        &'r self,
        row: &'r Row<S::Wide>,
        exponent: i32,
    ) -> impl Iterator<Item = (u32, S::Wide)> + use<'r, S> {
        row.sources().map(move |(source, part)| {
            let group = self.of_observed(source);
            (group, scale(&part.coefficient, self.unit(group).1 - exponent))
        })
    }

    /// The same on some of the groups, in doubles, times 2^extra.
    pub(super) fn coefficients_within(
        &self,
        row: &Row<S::Wide>,
        groups: Range<usize>,
        exponent: i32,
        extra: i32,
    ) -> impl Iterator<Item = (u32, f64)> {
        // In two factors, because one alone may leave the range of doubles.
        let factors = move |e: i32| {
            let power = e - exponent + extra;
            (power_of_two(power / 2), power_of_two(power - power / 2))
        };
        let mut last = (0, factors(0));
        row.sources_within(self.first_sources(groups)).map(move |(source, part)| {
            let group = self.of_observed(source);
            let (_, e) = self.unit(group);
            if *e != last.0 {
                last = (*e, factors(*e));
            }
            (group, part.coefficient.to_f64() * last.1.0 * last.1.1)
        })
    }

    /// The same as a vector.
    pub(super) fn vector(&self, row: &Row<S::Wide>, scaled: &ScaledRow<S::Wide>) -> Vector<S::Wide> {
        let coefficients = self.coefficients(row, scaled.exponent);
        let products = coefficients.map(|(group, coefficient)| (group, coefficient.mul(&self.unit(group).0)));
        Vector { squared_norm: scaled.squared_norm.clone(), products: products.collect() }
    }

    /// A target, also as a vector.
    pub(super) fn scaled_target(
        &self,
        row: &Row<S::Wide>,
    ) -> Result<(ScaledRow<S::Wide>, Vector<S::Wide>), OutOfRange> {
        let own = |source: u32| unit_variance(self.network.node(NodeId(source)).noise_variance);
        let units: Vec<(S::Wide, i32)> = row.sources().map(|(source, _)| own(source)).collect();
        let mut scaling = Scaling::of::<S>(row, units.iter().map(|(_, e)| *e))?;
        let mut products = Vec::with_capacity(row.len);
        for ((source, part), (variance, e)) in row.sources().zip(&units) {
            let coefficient = scaling.add(part, variance, *e);
            if let Some(group) = self.of(NodeId(source)) {
                let (_, of_group) = self.unit(group);
                products.push((group, scale(&coefficient.mul(variance), e - of_group)));
            }
        }
        let scaled = scaling.finish(row.len);
        let vector = Vector { squared_norm: scaled.squared_norm.clone(), products: summed(&Numbers::new(), products) };
        Ok((scaled, vector))
    }

    /// An observation modulo the primes, given the residues' variances; powers of two do not matter for dependence.
    pub(super) fn observation_residues(
        &self,
        row: &Row<S::Wide>,
        primes: &Primes,
        variances: &[Residues],
    ) -> Vector<Residues> {
        let mut vector = Vector { squared_norm: primes.nought(), products: Vec::with_capacity(row.len) };
        for (source, part) in row.sources() {
            let (group, residue) = (self.of_observed(source), part.residue);
            let product = primes.times(&residue, &variances[group as usize]);
            vector.squared_norm = primes.sum_of_product(&vector.squared_norm, &product, &residue);
            vector.products.push((group, product));
        }
        vector
    }

    /// A target modulo the primes.
    pub(super) fn target_residues(&self, row: &Row<S::Wide>, primes: &Primes) -> Vector<Residues> {
        let mut squared_norm = primes.nought();
        let mut products = Vec::with_capacity(row.len);
        for (source, part) in row.sources() {
            let product = primes.times(&part.residue, &primes.variance_of(source));
            squared_norm = primes.sum_of_product(&squared_norm, &product, &part.residue);
            products.extend(self.of(NodeId(source)).map(|group| (group, product)));
        }
        Vector { squared_norm, products: summed(primes, products) }
    }
}

/// What belongs to the same group, added up.
fn summed<F: Field>(field: &F, mut products: Vec<(u32, F::Element)>) -> Vec<(u32, F::Element)> {
    // Stable, so that sums do not depend on how it sorts.
    products.sort_by_key(|(group, _)| *group);
    products.dedup_by(|(group, product), (before, sum)| {
        let same = group == before;
        if same {
            *sum = field.plus(sum, product);
        }
        same
    });
    products
}

/// A row being scaled.
struct Scaling<'r, W> {
    /// The power of two of the largest entry.
    exponent: i32,
    /// Its square in several sums, one after the other: each addition waits for the one before it.
    squares: [W; SUMS],
    added: usize,
    squared_noise: f64,
    /// The last part that was scaled.
    last: Option<Scaled<'r, W>>,
}

/// A part in the units of its row and of a source. Most rows have few of them.
struct Scaled<'r, W> {
    part: &'r Part<W>,
    e: i32,
    coefficient: W,
    square: W,
    squared_error: f64,
}

impl<'r, W: Wide> Scaling<'r, W> {
    /// Of a row over sources with these units.
    fn of<S: Scalar<Wide = W>>(row: &Row<W>, units: impl Iterator<Item = i32>) -> Result<Self, OutOfRange> {
        let mut scaling = Scaling {
            exponent: 0,
            squares: std::array::from_fn(|_| W::zero()),
            added: 0,
            squared_noise: 0.0,
            last: None,
        };
        if S::EXACT {
            return Ok(scaling);
        }
        let entries = row.sources().zip(units).filter(|((_, part), _)| !part.coefficient.is_zero());
        let mut sizes = entries.map(|((_, part), e)| exponent(part.coefficient.to_f64()) + e);
        let Some(first) = sizes.next() else { return Ok(scaling) };
        let (least, largest) =
            sizes.fold((first, first), |(least, largest), size| (least.min(size), largest.max(size)));
        scaling.exponent = largest;
        let in_range = largest.abs() <= ABSOLUTE_EXPONENT && least >= largest - RELATIVE_EXPONENT;
        if in_range { Ok(scaling) } else { Err(OutOfRange) }
    }

    /// Adds what the row has of a source; gives its coefficient.
    fn add(&mut self, part: &'r Part<W>, variance: &W, e: i32) -> &W {
        let is_last = self.last.as_ref().is_some_and(|last| std::ptr::eq(last.part, part) && last.e == e);
        let scaled = match self.last.take().filter(|_| is_last) {
            Some(scaled) => scaled,
            None => self.scaled(part, e),
        };
        let sum = &mut self.squares[self.added % SUMS];
        *sum = sum.add(&variance.mul(&scaled.square));
        self.added += 1;
        self.squared_noise += variance.to_f64() * scaled.squared_error;
        &self.last.insert(scaled).coefficient
    }

    fn scaled(&self, part: &'r Part<W>, e: i32) -> Scaled<'r, W> {
        let coefficient = scale(&part.coefficient, e - self.exponent);
        let error = match part.error > 0.0 {
            true => part.error * power_of_two(e - self.exponent) + NOISE_FLOOR,
            false => 0.0,
        };
        Scaled { part, e, square: coefficient.mul(&coefficient), coefficient, squared_error: error * error }
    }

    fn finish(self, terms: usize) -> ScaledRow<W> {
        let squared_norm = self.squares.iter().fold(W::zero(), |total, sum| total.add(sum));
        let norm = squared_norm.to_f64().sqrt();
        ScaledRow { exponent: self.exponent, norm, noise: self.squared_noise.sqrt(), terms, squared_norm }
    }
}

/// ⟨t, u⟩ of two rows, in units of the given powers of two.
pub(super) fn inner_product<S: Scalar>(
    network: &Network<S>,
    (t, t_exponent): (&Row<S::Wide>, i32),
    (u, u_exponent): (&Row<S::Wide>, i32),
) -> S::Wide {
    let mut product = S::Wide::zero();
    let mut others = u.sources().peekable();
    for (source, a) in t.sources() {
        // Sweeps go from the last source to the first.
        while others.next_if(|(other, _)| *other > source).is_some() {}
        let Some((_, b)) = others.next_if(|(other, _)| *other == source) else { continue };
        let (variance, e) = unit_variance(network.node(NodeId(source)).noise_variance);
        let (a, b) = (scale(&a.coefficient, e - t_exponent), scale(&b.coefficient, e - u_exponent));
        product = product.add(&variance.mul(&a.mul(&b)));
    }
    product
}
