//! Where the others' sum has a density in closed form: a single other, or others whose sums are of the same kind.

use super::base::Base;
use super::cells::{Cell, Posterior, Rest, TooCoarse};
use super::law::Parts;

/// Cells on each side of the middle.
const CELLS: usize = 24_000;

/// What others' sum is, if it has a density in closed form.
pub(super) fn closed_form(others: &[(&Parts, usize)]) -> Option<Parts> {
    if let [(parts, 1)] = others {
        return Some((*parts).clone());
    }
    let mut sum: Option<Base> = None;
    for (parts, count) in others {
        let ([], [(_, base)]) = (parts.atoms.as_slice(), parts.bases.as_slice()) else { return None };
        let times = *count as f64;
        sum = Some(match (sum, *base) {
            (None, Base::Gamma { shape, rate }) => Base::Gamma { shape: shape * times, rate },
            (Some(Base::Gamma { shape: all, rate: same }), Base::Gamma { shape, rate }) if rate == same => {
                Base::Gamma { shape: all + shape * times, rate }
            }
            (None, Base::Normal { mean, std_dev }) => {
                Base::Normal { mean: mean * times, std_dev: std_dev * times.sqrt() }
            }
            (Some(Base::Normal { mean: all, std_dev: spread }), Base::Normal { mean, std_dev }) => {
                Base::Normal { mean: all + mean * times, std_dev: spread.hypot(std_dev * times.sqrt()) }
            }
            _ => return None,
        });
    }
    sum.map(|base| Parts { atoms: Vec::new(), bases: vec![(1.0, base)] })
}

/// The posterior of x given x + y = s, where y is the others' sum.
pub(super) fn posterior(x: &Parts, y: &Parts, s: f64) -> Result<Posterior, TooCoarse> {
    let [x_range, y_range] = [x, y].map(range);
    let (low, high) = (x_range.0.max(s - y_range.1), x_range.1.min(s - y_range.0));
    if !(high >= low) {
        return Err(TooCoarse);
    }
    // Fine at both ends, where densities may be steep.
    let half = 0.5 * (high - low);
    let edge = |place: usize| {
        let part = |steps: usize| half * (steps as f64 / CELLS as f64).powi(3);
        if place <= CELLS { low + part(place) } else { high - part(2 * CELLS - place) }
    };
    let ln_y = |t: f64| y.bases.iter().map(|(w, base)| w.ln() + base.ln_density(t)).fold(f64::NEG_INFINITY, f64::max);
    // A scale, so that nothing underflows: where the product is largest.
    let product = |at: f64| {
        let ln_x = x.bases.iter().map(|(w, base)| w.ln() + base.ln_density(at)).fold(f64::NEG_INFINITY, f64::max);
        ln_x + ln_y(s - at)
    };
    let peak = (1..2 * CELLS).step_by(16).map(edge).filter(|at| product(*at).is_finite());
    let peak = peak.max_by(|a, b| product(*a).total_cmp(&product(*b)));
    let scale = peak.map_or(0.0, |at| ln_y(s - at));
    let bounds = |parts: &Parts, a: f64, b: f64, scale: f64| {
        let mut found = [0.0; 2];
        for (weight, base) in &parts.bases {
            let ends = [a, b].map(|end| base.ln_density(end));
            let top = if (a..=b).contains(&base.mode()) { base.ln_density(base.mode()) } else { f64::NEG_INFINITY };
            // A cell that the support ends in has parts without any density.
            let inside = base.support().0 <= a && b <= base.support().1;
            found[0] += if inside { weight * (ends[0].min(ends[1]) - scale).exp() } else { 0.0 };
            found[1] += weight * (ends[0].max(ends[1]).max(top) - scale).exp();
        }
        found
    };
    let mass = |parts: &Parts, a: f64, b: f64| parts.bases.iter().map(|(w, base)| w * base.mass(a, b)).sum::<f64>();
    let mut cells = Vec::with_capacity(2 * CELLS + 1);
    for place in 0..2 * CELLS {
        let (a, b) = (edge(place), edge(place + 1));
        let prior = mass(x, a, b);
        if !(b > a && prior > 0.0) {
            continue;
        }
        let h = bounds(y, s - b, s - a, scale);
        let p = bounds(x, a, b, 0.0);
        let of_y = mass(y, s - b, s - a) * (-scale).exp();
        // ∫ p·H lies between the bounds of either factor times the mass of the other.
        let least = (prior * h[0]).max(p[0] * of_y);
        let most = [prior * h[1], p[1] * of_y].into_iter().filter(|bound| bound.is_finite()).fold(f64::MAX, f64::min);
        let first = x.bases.iter().map(|(w, base)| w * base.first_moment(a, b)).sum::<f64>();
        let place = ((first / prior - a) / (b - a)).clamp(0.0, 1.0);
        let place = match h[0] > 0.0 && h[1].is_finite() {
            true => [place * h[0] / h[1] - 1e-6, place * h[1] / h[0] + 1e-6].map(|place| place.clamp(0.0, 1.0)),
            false => [0.0, 1.0],
        };
        cells.push(Cell { left: a, width: b - a, prior, mean: [least / prior, most / prior], range: h, place });
    }
    let mut rest = Rest::default();
    if let Some((at, weight)) = x.atom() {
        let h = bounds(y, s - at, s - at, scale)[1];
        rest.atom = Some(Cell { left: at, width: 0.0, prior: weight, mean: [h; 2], range: [h; 2], place: [0.0; 2] });
    }
    rest.single = y.atom().map(|(at, weight)| {
        let density: f64 = x.bases.iter().map(|(w, base)| w * base.ln_density(s - at).exp()).sum();
        (s - at, weight * density * (-scale).exp())
    });
    // What was cut off of infinite tails.
    let most = y.bases.iter().map(|(w, base)| w * (base.ln_density(base.mode()) - scale).exp()).sum();
    for (weight, base) in &x.bases {
        for (end, upper) in [(high, true), (low, false)] {
            let is_cut = if upper { s - high > y.support().0 } else { s - low < y.support().1 };
            let tail_starts = base.tail_moments(0.0, end, upper)[0] > 0.0;
            if is_cut && tail_starts {
                let tail = base.tail_moments(0.0, end, upper);
                (0..3).for_each(|j| rest.moments[j] += weight * tail[j] * most);
                rest.prior += weight * tail[0].min(1.0);
            }
        }
    }
    rest.most = most;
    Posterior::of(&cells, &rest)
}

/// Where all but a negligible part of a law lies.
pub(super) fn range(parts: &Parts) -> (f64, f64) {
    let (mut low, mut high) = parts.support();
    for (upper, end) in [(false, &mut low), (true, &mut high)] {
        if end.is_finite() {
            continue;
        }
        let sign = if upper { 1.0 } else { -1.0 };
        for (_, base) in &parts.bases {
            let spread = base.variance().sqrt();
            let mut distance = 2.0 * spread;
            while distance < 1e12 * spread
                && !(base.tail_moments(0.0, base.mean() + sign * distance, upper)[2] < 1e-14 * base.variance())
            {
                distance *= 1.3;
            }
            let reached = base.mean() + sign * distance;
            *end = match end.is_finite() {
                true if upper => end.max(reached),
                true => end.min(reached),
                false => reached,
            };
        }
        for (value, _) in &parts.atoms {
            *end = if upper { end.max(*value) } else { end.min(*value) };
        }
    }
    (low, high)
}
