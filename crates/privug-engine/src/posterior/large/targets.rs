//! What is known of any target, with every decision certain or left to `factor`.
//!
//! With b the covariances of a target t with the observations, x = G⁻¹·b and h = bᵀ·x, what is left of its variance is
//! ‖t‖² − h. That this is nothing is proven as it is for observations (`dependence`).

use crate::network::Affine;
use crate::number::{Constants, Field, Rational, Scalar, Wide};

use super::super::TargetOutcome;
use super::super::learn::affine;
use super::super::outcome::{check_mean, check_own_mean, left_alone};
use super::super::poll::{Interrupt, Poll};
use super::super::range::{narrow_finite, narrow_scaled_variance, power_of_two, scale};
use super::super::row::Row;
use super::super::units::ScaledRow;
use super::cholesky::Order;
use super::{BLOCK_ADVANTAGE, Blocks, CERTAIN, LONGER, MOST_RELATIVE, ROUNDOFF, widened};

/// What an observation adds to the reduction of a variance is rounding below this part of all of it.
const ADDS_NOTHING: f64 = 1e-26;

/// A target in units of 2^exponent.
pub(super) struct View<W> {
    pub(super) scaled: ScaledRow<W>,
    /// Covariance with each observation that shares a source: position, and in units of its row.
    pub(super) alone: Vec<(usize, W)>,
    /// z = L⁻¹·b
    pub(super) z: Vec<f64>,
    pub(super) reduction: W,
    /// Exactly 0 if the observations disclose it.
    pub(super) variance: W,
    pub(super) shift: W,
    pub(super) shift_error: f64,
    /// Position of an observation, and its weight for the nodes.
    pub(super) weights: Vec<(usize, f64)>,
}

impl<S: Scalar> Blocks<'_, S> {
    /// What is known about a target with this row; `None` where doubles do not suffice.
    pub(in super::super) fn outcome(
        &mut self,
        target: &Affine<S>,
        row: &Row<S::Wide>,
        poll: &mut Poll,
    ) -> Result<Option<TargetOutcome<S>>, Interrupt> {
        let found = self.view(row, poll).and_then(|view| match view {
            Some(view) => self.written(target, row, &view).map(Some),
            None => Ok(None),
        });
        match found {
            // The slow path says of what, and has more digits.
            Err(Interrupt::Doubtful | Interrupt::OutOfRange) => Ok(None),
            found => found,
        }
    }

    /// The same of a source that is all there is in one of the observations, in no time; without what each tells alone.
    pub(in super::super) fn published_alone(
        &mut self,
        target: &Affine<S>,
        row: &Row<S::Wide>,
        poll: &mut Poll,
    ) -> Result<Option<TargetOutcome<S>>, Interrupt> {
        let projector = &self.learner.projector;
        let Ok((scaled, vector)) = projector.groups().scaled_target(row) else { return Ok(None) };
        let [(group, product)] = vector.products.as_slice() else { return Ok(None) };
        let mut entries = self.independent.columns.column(*group as usize);
        let (Some((place, value)), None) = (entries.next(), entries.next()) else { return Ok(None) };
        drop(entries);
        let (position, _) = self.independent.kept[place];
        if projector.merged(position).len != 1 || projector.groups().size(*group) != 1 {
            return Ok(None);
        }
        // A product has the variance of its group in it, a column has not.
        let weight = product.to_f64() / (value * self.independent.columns.variances[*group as usize]);
        let noise = scaled.noise + weight.abs() * self.bounds.noise;
        let found = self.disclosed(row, (scaled, noise), &[(position, weight)], Vec::new(), Vec::new(), poll);
        match found.and_then(|view| view.map(|view| self.written(target, row, &view)).transpose()) {
            Err(Interrupt::Doubtful | Interrupt::OutOfRange) => Ok(None),
            found => found,
        }
    }

    /// The covariances of a target with the observations, and a bound on the size of the terms of those that were kept.
    fn covariances(&self, products: &[(u32, S::Wide)]) -> (Vec<(usize, S::Wide)>, Vec<f64>) {
        let columns = self.independent.all.as_deref().unwrap_or(&self.independent.columns);
        let mut sums: Vec<Option<(S::Wide, f64)>> = vec![None; columns.observations];
        let groups = self.learner.projector.groups();
        for (group, product) in products {
            let sources = groups.first_sources(*group as usize..*group as usize + 1);
            let (_, e) = groups.unit(*group);
            for (position, _) in columns.column(*group as usize) {
                let row = self.learner.projector.merged(position);
                let Some((_, part)) = row.sources_within(sources.clone()).next() else { continue };
                let coefficient = scale(&part.coefficient, e - self.learner.projector.row(position).exponent);
                let term = product.mul(&coefficient);
                let (sum, size) = sums[position].get_or_insert((S::Wide::zero(), 0.0));
                *size += term.to_f64().abs();
                *sum = sum.add(&term);
            }
        }
        let size =
            |position: usize, unit: i32| sums[position].as_ref().map_or(0.0, |(_, size)| size * power_of_two(-unit));
        let sizes = self.independent.kept.iter().map(|(position, unit)| size(*position, *unit)).collect();
        let covariances = sums.into_iter().enumerate();
        (covariances.filter_map(|(position, sum)| Some((position, sum?.0))).collect(), sizes)
    }

    fn view(&mut self, row: &Row<S::Wide>, poll: &mut Poll) -> Result<Option<View<S::Wide>>, Interrupt> {
        let (scaled, vector) = self.learner.projector.groups().scaled_target(row)?;
        let entries = 4.0 * self.cholesky.entries() as f64 / BLOCK_ADVANTAGE;
        poll.spend(vector.products.len() as u64 + entries as u64 + 1)?;
        let (alone, sizes) = self.covariances(&vector.products);
        let mut places = alone.iter().peekable();
        let b: Vec<S::Wide> = self
            .independent
            .kept
            .iter()
            .map(|(position, unit)| {
                while places.next_if(|(other, _)| other < position).is_some() {}
                let covariance = places.next_if(|(other, _)| other == position);
                covariance.map_or(S::Wide::zero(), |(_, covariance)| scale(covariance, -unit))
            })
            .collect();
        let rounded: Vec<f64> = b.iter().map(Constants::to_f64).collect();
        let z = self.cholesky.forward(&rounded);
        let h: f64 = z.iter().map(|z| z * z).sum();
        let mut x = rounded;
        self.cholesky.solve(&mut x);
        let bounds = &self.bounds;
        let norm = |numbers: &[f64]| numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
        let weight = (norm(&x) * (1.0 + LONGER)).min(bounds.longest(h));
        let of_height = bounds.of_height(weight, h.sqrt(), h, z.len());
        let error = of_height + 2.0 * weight * ROUNDOFF * norm(&sizes) + 8.0 * ROUNDOFF * scaled.squared_norm.to_f64();
        let noise = scaled.noise + weight * bounds.noise;
        let left = scaled.squared_norm.sub(&widened::<S>(h));
        let rest = left.to_f64();
        let is_certain = rest > 0.0 && rest >= CERTAIN * error && rest.sqrt() >= CERTAIN * noise;
        if is_certain && of_height > MOST_RELATIVE * h {
            return Ok(None);
        }
        if is_certain {
            let (mut shift, mut size) = (S::Wide::zero(), 0.0);
            for ((b, y), terms) in b.iter().zip(&self.y).zip(&sizes) {
                shift = shift.add(&b.mul(&widened::<S>(*y)));
                size += terms * y.abs();
            }
            let shift_error = weight * (bounds.residual + bounds.values)
                + noise * bounds.surprise
                + rest.sqrt() * bounds.y_noise
                + 4.0 * ROUNDOFF * size;
            let reduction = widened::<S>(h);
            let weights = Vec::new();
            return Ok(Some(View { scaled, alone, z, reduction, variance: left, shift, shift_error, weights }));
        }
        let used: Vec<(usize, f64)> =
            self.independent.kept.iter().zip(&x).map(|((position, _), x)| (*position, *x)).collect();
        self.disclosed(row, (scaled, noise), &used, alone, z, poll)
    }

    /// The view of a target that is the combination near these weights; `None` if it is not, or not for sure.
    fn disclosed(
        &mut self,
        row: &Row<S::Wide>,
        (scaled, noise): (ScaledRow<S::Wide>, f64),
        used: &[(usize, f64)],
        alone: Vec<(usize, S::Wide)>,
        z: Vec<f64>,
        poll: &mut Poll,
    ) -> Result<Option<View<S::Wide>>, Interrupt> {
        let used = used.iter().copied();
        let Some(combination) = self.dependence.of_target(row, scaled.exponent, used, poll)? else { return Ok(None) };
        scaled.check()?;
        let rationals: Vec<(usize, Rational)> =
            combination.iter().map(|(position, weight)| (*position, weight.to_rational())).collect();
        let lead = super::dependence::Lead::of(row, scaled.exponent);
        let Some(weights) = self.dependence.at_nodes(lead.as_ref(), &rationals) else { return Ok(None) };
        let implied = self.learner.combined(&weights)?;
        let unit = power_of_two(-scaled.exponent);
        let shift_error = implied.rounding * unit + noise * self.bounds.surprise;
        Ok(Some(View {
            alone,
            z,
            reduction: scaled.squared_norm.clone(),
            variance: S::Wide::zero(),
            shift: scale(&implied.shift, -scaled.exponent),
            shift_error,
            weights: weights.iter().map(|(position, weight)| (*position, weight.to_f64())).collect(),
            scaled,
        }))
    }

    /// A view in the user's units.
    pub(super) fn written(
        &self,
        target: &Affine<S>,
        row: &Row<S::Wide>,
        view: &View<S::Wide>,
    ) -> Result<TargetOutcome<S>, Interrupt> {
        let (learner, exponent) = (self.learner, view.scaled.exponent);
        let written = |variance: &S::Wide| narrow_scaled_variance(variance, &target.scale, exponent);
        let node_shift = scale(&view.shift, exponent);
        let node_mean = row.mean.value.add(&node_shift);
        let (before, after) = (&view.scaled.squared_norm, &view.variance);
        let mean_in_units = scale(&node_mean, -exponent).to_f64();
        check_mean(before, after, mean_in_units, view.shift_error, learner.projector.mean_tolerance)?;
        for (mean, variance) in [(&row.mean.value, before), (&node_mean, after)] {
            let std_dev = target.scale.to_f64().abs() * power_of_two(exponent) * variance.to_f64().sqrt();
            check_own_mean(target, &row.mean, affine(target, mean).to_f64(), std_dev)?;
        }
        let observation = |position: usize| learner.order[position];
        let scale_of = |position: usize| &learner.observations[observation(position)].variable.scale;
        let mut reductions = Vec::new();
        if self.order == Order::AsPublished {
            let all: f64 = view.z.iter().map(|z| z * z).sum();
            for ((position, _), z) in
                self.independent.kept.iter().zip(&view.z).filter(|(_, z)| *z * *z > ADDS_NOTHING * all)
            {
                let part = widened::<S>(z * z).mul_narrow(&target.scale).mul_narrow(&target.scale);
                reductions.push((observation(*position), narrow_finite(&part, 2 * exponent)?));
            }
        }
        let mut covariances_alone = Vec::with_capacity(view.alone.len());
        let mut variances_left_alone = Vec::with_capacity(view.alone.len());
        for (position, covariance) in &view.alone {
            let of_observation = learner.projector.row(*position);
            let left = left_alone(before, covariance, &of_observation.squared_norm, row.len.max(of_observation.terms));
            variances_left_alone.push((observation(*position), written(&left)?));
            let covariance = covariance.mul_narrow(&target.scale).mul_narrow(scale_of(*position));
            let covariance = narrow_finite(&covariance, exponent + of_observation.exponent)?;
            covariances_alone.push((observation(*position), covariance));
        }
        let of_target = target.scale.to_f64();
        let weights = view.weights.iter();
        let weights =
            weights.map(|(position, x)| (observation(*position), x * (of_target / scale_of(*position).to_f64())));
        let means = [affine(target, &row.mean.value), affine(target, &node_mean)];
        let rest = |mean: &S::Wide| mean.sub(&S::Wide::widen(&mean.narrow())).to_f64();
        let (posterior_variance, variance_reduction) = (written(after)?, written(&view.reduction)?);
        let fully_disclosed = !before.is_zero() && after.is_zero();
        Ok(TargetOutcome {
            prior_mean: narrow_finite(&means[0], 0)?,
            prior_variance: written(before)?,
            posterior_mean: narrow_finite(&means[1], 0)?,
            mean_rests: means.each_ref().map(rest),
            mean_shift: narrow_finite(&node_shift.mul_narrow(&target.scale), 0)?,
            variance_if_all_published: posterior_variance.clone(),
            reduction_if_all_published: variance_reduction.clone(),
            posterior_variance,
            variance_reduction,
            fully_disclosed,
            fully_disclosed_if_all_published: fully_disclosed,
            reductions,
            weights: weights.collect(),
            covariances_alone,
            variances_left_alone,
        })
    }
}
