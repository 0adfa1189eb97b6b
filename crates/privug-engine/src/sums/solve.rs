//! From a group of people and the sum of their secrets to everybody's posterior.

use super::base::Base;
use super::cells::{Cell, Posterior, Rest, TooCoarse};
use super::fourier::{Density, Kind, Spectrum};
use super::known::{self, closed_form};
use super::lattice;
use super::law::{Law, Parts};
use super::tilt::tilt;

/// A bracket of this relative width is narrow enough.
const WANTED: f64 = 1e-4;
/// One that is wider than this is no answer.
const ACCEPTED: f64 = 0.02;
/// Where lognormal laws are cut, in standard deviations of the logarithm.
const CUTS: [f64; 2] = [6.0, 8.0];
/// The same where people may be at an atom.
const CUTS_BESIDE_ATOMS: [f64; 2] = [8.0, 9.5];
/// The largest Fourier transform.
const MOST_POINTS: usize = 1 << 20;
/// The most numbers that are kept at a time, for all kinds of people together.
pub(super) const MOST_NUMBERS: usize = 1 << 25;
/// Sums that differ by this part of what they are made of are the same.
const SAME: f64 = 1e-12;

/// What is published about a group.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The laws of the people in it, and how many have each.
    pub members: Vec<(Law, usize)>,
    /// What is added to their sum: noise, or what rounding leaves open.
    pub noise: Option<Law>,
    /// The sum.
    pub sum: f64,
}

/// Why no posterior is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsolved {
    /// The laws exclude the sum.
    Impossible,
    /// It is not worked out, because of this.
    Unknown(&'static str),
}

/// How many points of Fourier transforms may still be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget(pub u64);

impl Budget {
    pub(super) fn take(&mut self, points: usize) -> Result<(), Unsolved> {
        match self.0.checked_sub(points as u64) {
            Some(left) => {
                self.0 = left;
                Ok(())
            }
            None => Err(Unsolved::Unknown("the computation is too large")),
        }
    }
}

/// What is known about a member of each kind, in their order.
pub fn posteriors(evidence: &Evidence, budget: &mut Budget) -> Result<Vec<Posterior>, Unsolved> {
    let Evidence { members, noise, sum } = evidence;
    if members.iter().any(|(law, _)| !law.is_supported()) {
        return Err(Unsolved::Unknown("a prior has a density and more than one value with a probability of its own"));
    }
    // Whoever is known beforehand is no part of the sum.
    let constants: f64 = members.iter().filter_map(|(law, count)| Some(law.constant()? * *count as f64)).sum();
    let open: Vec<(&Law, usize)> =
        members.iter().filter(|(law, _)| law.constant().is_none()).map(|(law, count)| (law, *count)).collect();
    let left = sum - constants;
    let mut found = if open.is_empty() {
        Vec::new()
    } else if open.iter().all(|(law, _)| law.is_discrete()) {
        lattice::posteriors(&open, noise.as_ref(), left, budget)?
    } else if open.iter().any(|(law, _)| law.is_discrete()) {
        return Err(Unsolved::Unknown(
            "some contributors to a figure have a continuous prior, and some a discrete one",
        ));
    } else {
        let parts: Vec<Parts> = open.iter().map(|(law, _)| law.parts()).collect();
        let mut kinds: Vec<Kind<'_>> =
            parts.iter().zip(&open).map(|(parts, (_, count))| Kind { parts, count: *count }).collect();
        let noise = noise.as_ref().map(Law::parts);
        kinds.extend(noise.iter().map(|parts| Kind { parts, count: 1 }));
        Group { kinds: &kinds, people: open.len(), sum: left, is_exact: noise.is_none() }.solve(budget)?
    };
    let mut found = found.drain(..);
    let all = members.iter().map(|(law, _)| match law.constant() {
        Some(value) => Ok(Posterior::certain(value, 1.0)),
        None => found.next().ok_or(Unsolved::Impossible),
    });
    all.collect()
}

/// People with densities, and perhaps noise behind them.
#[derive(Clone, Copy)]
struct Group<'g> {
    kinds: &'g [Kind<'g>],
    /// So many of the kinds are people.
    people: usize,
    sum: f64,
    is_exact: bool,
}

impl Group<'_> {
    fn total(&self, of: impl Fn(&Parts) -> f64) -> f64 {
        self.kinds.iter().map(|kind| kind.count as f64 * of(kind.parts)).sum()
    }

    fn solve(&self, budget: &mut Budget) -> Result<Vec<Posterior>, Unsolved> {
        if let Some(certain) = self.certain()? {
            return Ok(certain);
        }
        let mut found: Vec<Option<Posterior>> = vec![None; self.people];
        for (kind, slot) in found.iter_mut().enumerate() {
            if let Some(others) = closed_form(&self.others(kind)) {
                budget.take(1 << 15)?;
                *slot = known::posterior(self.kinds[kind].parts, &others, self.sum).ok();
            }
        }
        if found.iter().any(Option::is_none) {
            self.transformed(&mut found, budget)?;
        }
        let good = |one: &Posterior| one.relative_error <= ACCEPTED;
        let all: Option<Vec<Posterior>> = found.into_iter().map(|one| one.filter(good)).collect();
        all.ok_or(Unsolved::Unknown("the sum is too far from what the prior expects, or the prior too steep"))
    }

    /// All but one of a kind.
    fn others(&self, kind: usize) -> Vec<(&Parts, usize)> {
        let count = |place: usize| self.kinds[place].count - usize::from(place == kind);
        (0..self.kinds.len())
            .map(|place| (self.kinds[place].parts, count(place)))
            .filter(|(_, count)| *count > 0)
            .collect()
    }

    /// Where only one possibility is left, or none.
    fn certain(&self) -> Result<Option<Vec<Posterior>>, Unsolved> {
        let (least, most) = (self.total(|parts| parts.support().0), self.total(|parts| parts.support().1));
        let size = self.total(|parts| parts.support().0.abs().min(parts.support().1.abs()).min(1e300));
        let tolerance = SAME * (self.sum.abs() + size);
        let is = |bound: f64| bound.is_finite() && (self.sum - bound).abs() <= tolerance;
        let people = &self.kinds[..self.people];
        let all_at = |value: &dyn Fn(&Parts) -> f64, probability: &dyn Fn(&Parts) -> f64| {
            people.iter().map(|kind| Posterior::certain(value(kind.parts), probability(kind.parts))).collect()
        };
        let atom_at = |parts: &Parts, at: f64| parts.atom().filter(|(atom, _)| *atom == at).map_or(0.0, |(_, p)| p);
        if self.is_exact && people.iter().map(|kind| kind.count).sum::<usize>() == 1 {
            return Ok(Some(vec![Posterior::certain(self.sum, atom_at(people[0].parts, self.sum))]));
        }
        // The value at which all are certainly; that the sum is exactly this has a probability, and all else only a density.
        let atoms = self.total(|parts| parts.atom().map_or(f64::NAN, |(at, _)| at));
        if is(atoms) {
            let value = |parts: &Parts| parts.atom().map_or(f64::NAN, |(at, _)| at);
            return Ok(Some(all_at(&value, &|parts| parts.atom().map_or(0.0, |(_, p)| p))));
        }
        if is(least) {
            return Ok(Some(all_at(&|parts| parts.support().0, &|parts| atom_at(parts, parts.support().0))));
        }
        if is(most) {
            return Ok(Some(all_at(&|parts| parts.support().1, &|parts| atom_at(parts, parts.support().1))));
        }
        if self.sum < least || self.sum > most {
            return Err(Unsolved::Impossible);
        }
        Ok(None)
    }

    /// The posteriors that have no closed form. Lognormal laws are cut near first: that is quick, and good for most sums.
    fn transformed(&self, found: &mut [Option<Posterior>], budget: &mut Budget) -> Result<(), Unsolved> {
        // Where people may be at an atom, a single density may be left of a sum: the jump at a cut must be nothing beside it.
        let has_atoms = self.kinds.iter().any(|kind| kind.parts.atom().is_some());
        for cut in if has_atoms { CUTS_BESIDE_ATOMS } else { CUTS } {
            let parts: Vec<Parts> = self.kinds.iter().map(|kind| kind.parts.cut(cut)).collect();
            let kinds: Vec<Kind<'_>> =
                parts.iter().zip(self.kinds).map(|(parts, kind)| Kind { parts, count: kind.count }).collect();
            Group { kinds: &kinds, ..*self }.transformed_once(found, budget)?;
            let is_cut = parts.iter().zip(self.kinds).any(|(cut, kind)| cut != kind.parts);
            if !is_cut || found.iter().all(|one| one.as_ref().is_some_and(|one| one.relative_error <= WANTED)) {
                break;
            }
        }
        Ok(())
    }

    fn transformed_once(&self, found: &mut [Option<Posterior>], budget: &mut Budget) -> Result<(), Unsolved> {
        let moments = |parts: &Parts| {
            let mean = parts.bases.iter().map(|(w, base)| w * base.mean()).sum::<f64>()
                + parts.atoms.iter().map(|(at, w)| w * at).sum::<f64>();
            let square = parts.bases.iter().map(|(w, base)| w * (base.variance() + base.mean().powi(2))).sum::<f64>()
                + parts.atoms.iter().map(|(at, w)| w * at * at).sum::<f64>();
            (mean, square - mean * mean)
        };
        let mean = self.total(|parts| moments(parts).0);
        let std_dev = self.total(|parts| moments(parts).1).sqrt();
        let theta = tilt(self.kinds, self.sum, mean, std_dev);
        let is_good = |one: &Option<Posterior>| one.as_ref().is_some_and(|one| one.relative_error <= WANTED);
        let missing: Vec<usize> = (0..self.people).filter(|kind| !is_good(&found[*kind])).collect();
        let ranges: Vec<(f64, f64)> = missing.iter().map(|kind| self.range(*kind)).collect();
        let widest = ranges.iter().map(|(low, high)| high - low).fold(0.0, f64::max);
        let mut step = self.first_step(std_dev);
        let mut length = (widest + 2.0 * std_dev).max(12.0 * std_dev).max(8.0 * step);
        // What remains of the errors of either kind after each attempt: where neither gets smaller, that is all there is.
        let mut remains = f64::INFINITY;
        let mut stalled = 0;
        loop {
            // A step of which the sum is a multiple.
            let steps = (self.sum.abs() / step).ceil();
            let fitted = if steps > 0.0 { self.sum.abs() / steps } else { step };
            let wanted = length / fitted;
            if !(wanted <= MOST_POINTS as f64) {
                return Ok(());
            }
            let points = (wanted.ceil() as usize).next_power_of_two().max(64);
            if points * self.kinds.len() > MOST_NUMBERS {
                return Ok(());
            }
            budget.take(points * (self.kinds.len() + 1))?;
            let spectrum = Spectrum::new(self.kinds, theta, fitted, points);
            let (mut coarse, mut short) = (0.0_f64, 0.0_f64);
            for (kind, range) in missing.iter().zip(&ranges) {
                budget.take(points)?;
                let density = spectrum.without(*kind, self.sum - range.1, self.sum - range.0);
                let (posterior, errors) = self.posterior(&spectrum, &density, *kind, *range);
                let slot = &mut found[*kind];
                if let Ok(new) = posterior
                    && slot.as_ref().is_none_or(|old| new.relative_error < old.relative_error)
                {
                    *slot = Some(new);
                }
                if !is_good(slot) {
                    (coarse, short) = (coarse.max(errors.coarse), short.max(errors.short));
                }
            }
            if coarse == 0.0 && short == 0.0 {
                return Ok(());
            }
            let now = coarse.max(short);
            stalled = if now > 0.7 * remains { stalled + 1 } else { 0 };
            remains = now.min(remains);
            // More frequencies may even do harm: next to a cut a transform falls slowly in the end.
            if stalled == 2 || (remains.is_finite() && !now.is_finite()) {
                return Ok(());
            }
            if coarse >= short { step = 0.5 * fitted } else { length *= 2.0 }
        }
    }

    /// What a person's secret can be, up to a negligible part.
    fn range(&self, kind: usize) -> (f64, f64) {
        let own = known::range(self.kinds[kind].parts);
        let ends = |end: fn((f64, f64)) -> f64| {
            self.others(kind).into_iter().map(|(parts, count)| count as f64 * end(parts.support())).sum::<f64>()
        };
        (own.0.max(self.sum - ends(|support| support.1)), own.1.min(self.sum - ends(|support| support.0)))
    }

    /// The step to begin with.
    fn first_step(&self, std_dev: f64) -> f64 {
        let mut step = std_dev / 64.0;
        for (_, base) in self.kinds.iter().flat_map(|kind| &kind.parts.bases) {
            if let Base::LogNormal { mu, sigma, .. } = base {
                step = step.min(0.1 * mu.exp() * sigma.min(1.0));
            }
        }
        step
    }

    /// The posterior of a person of a kind, and how much of its width each kind of error makes up.
    fn posterior(
        &self,
        spectrum: &Spectrum,
        density: &Density,
        kind: usize,
        (low, high): (f64, f64),
    ) -> (Result<Posterior, TooCoarse>, Errors) {
        let parts = self.kinds[kind].parts;
        let (step, theta) = (spectrum.step, spectrum.theta);
        let sum_steps = (self.sum / step).round() as i64;
        let [size, slope, bend] = density.bends;
        let curvature = theta * theta * size + 2.0 * theta.abs() * slope + bend;
        let interpolation = 0.125 * step * step * curvature;
        let h = |place: i64| (theta * step * place as f64).exp() * density.at(sum_steps - place);
        let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
        let mut cells = Vec::with_capacity((last - first).max(0) as usize);
        let mut next = h(first);
        for place in first..last {
            let ends = [next, h(place + 1)];
            next = ends[1];
            let (a, b) = (step * place as f64, step * (place + 1) as f64);
            let prior: f64 = parts.bases.iter().map(|(w, base)| w * base.mass(a, b)).sum();
            if !(prior > 0.0) {
                continue;
            }
            let moment: f64 = parts.bases.iter().map(|(w, base)| w * base.first_moment(a, b)).sum();
            let at = ((moment / prior - a) / step).clamp(0.0, 1.0);
            let tilted = (theta * a).exp().max((theta * b).exp());
            let up = tilted * (density.error + interpolation) + 1e-9 * ends[0].abs().max(ends[1].abs());
            let down = up + tilted * density.wrapped;
            let mean = ends[0] + (ends[1] - ends[0]) * at;
            let bracket = [(mean - down).max(0.0), mean + up];
            // ∫ (x − a)·p·H by step and prior: between r² and r for the second moment in the cell.
            let rise = ends[1] - ends[0];
            let moments = [ends[0] * at + rise * at * at, ends[0] * at + rise * at];
            let (least, most) = (moments[0].min(moments[1]) - down, moments[0].max(moments[1]) + up);
            let place = match bracket[0] > 0.0 {
                true => [(least / bracket[1]).clamp(0.0, 1.0), (most / bracket[0]).clamp(0.0, 1.0)],
                false => [0.0, 1.0],
            };
            let range = [(ends[0].min(ends[1]) - down).max(0.0), (ends[0].max(ends[1]) + up).max(0.0)];
            cells.push(Cell { left: a, width: step, prior, mean: bracket.map(|bound| bound.max(0.0)), range, place });
        }
        let mut rest = Rest { most: size + density.error, tilt: theta.abs(), ..Rest::default() };
        if let Some((at, weight)) = parts.atom() {
            let steps = (self.sum - at) / step;
            let below = steps.floor();
            let part = steps - below;
            let value = density.at(below as i64) * (1.0 - part) + density.at(below as i64 + 1) * part;
            let up = density.error + 0.125 * step * step * bend + 1e-9 * value.abs();
            let tilted = (theta * at).exp();
            let h = [(value - up - density.wrapped).max(0.0) * tilted, (value + up).max(0.0) * tilted];
            rest.atom = Some(Cell { left: at, width: 0.0, prior: weight, mean: h, range: h, place: [0.0; 2] });
        }
        if density.at_atoms > 0.0 {
            let others = self.others(kind).into_iter();
            let atoms: f64 = others.map(|(parts, count)| count as f64 * parts.atom().map_or(0.0, |(at, _)| at)).sum();
            let at = self.sum - atoms;
            let own: f64 = parts.bases.iter().map(|(w, base)| w * base.ln_density(at).exp()).sum();
            rest.single = Some((at, own * (theta * at).exp() * density.at_atoms));
        }
        self.cut_off(kind, (low, high), spectrum, &mut rest);
        let errors = Errors { coarse: density.error + interpolation, short: density.wrapped };
        (Posterior::of(&cells, &rest), errors)
    }

    /// What lies outside the range that is looked at.
    fn cut_off(&self, kind: usize, (low, high): (f64, f64), spectrum: &Spectrum, rest: &mut Rest) {
        let theta = spectrum.theta;
        let ends = |end: fn((f64, f64)) -> f64| {
            self.others(kind).into_iter().map(|(parts, count)| count as f64 * end(parts.support())).sum::<f64>()
        };
        let (least, most) = (self.sum - ends(|support| support.1), self.sum - ends(|support| support.0));
        for (weight, base) in &self.kinds[kind].parts.bases {
            for (end, upper, is_cut) in [(high, true, high < most), (low, false, low > least)] {
                if is_cut {
                    // A lognormal law that is tilted up has no finite tail: there the density is taken as it is.
                    let as_it_is = theta > 0.0 && matches!(base, Base::LogNormal { .. });
                    let (tilt, most) = if as_it_is { (0.0, spectrum.most(kind, self.sum)) } else { (theta, rest.most) };
                    let tail = base.tail_moments(tilt, end, upper);
                    (0..3).for_each(|j| rest.moments[j] += weight * tail[j] * most);
                    rest.most = rest.most.max(most);
                    rest.prior += weight * if upper { base.above(end) } else { base.below(end) };
                }
            }
        }
    }
}

/// What makes a bracket wide.
struct Errors {
    /// Too few frequencies, or too large a step.
    coarse: f64,
    /// Too short an interval.
    short: f64,
}
