//! Which e^(θx) to multiply all laws with, so that what was seen is what is expected.

use super::base::Base;
use super::fourier::{Kind, ln_transform};

/// A sum within so many standard deviations of its mean needs no tilting.
const NEAR: f64 = 1.0;
/// Steps of the search.
const STEPS: usize = 60;

/// The θ for which the tilted mean is about `sum`, as far as all laws allow it.
pub(super) fn tilt(kinds: &[Kind<'_>], sum: f64, mean: f64, std_dev: f64) -> f64 {
    if (sum - mean).abs() <= NEAR * std_dev {
        return 0.0;
    }
    let has_atoms = kinds.iter().any(|kind| kind.parts.atom().is_some());
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (_, base) in kinds.iter().flat_map(|kind| &kind.parts.bases) {
        let (from, to) = base.tilts();
        // Beside atoms, a jump at the cut of a lognormal law must stay as small as it is.
        let to = if has_atoms && matches!(base, Base::LogNormal { .. }) { 0.0 } else { to };
        (low, high) = (low.max(from), high.min(to));
    }
    // ln E e^(θS) − θs is convex, and least where the tilted mean is s.
    let height = |theta: f64| {
        let all = kinds.iter().map(|kind| kind.count as f64 * ln_transform(kind.parts, theta));
        all.sum::<f64>() - theta * sum
    };
    let upward = sum > mean;
    let limit = if upward { high } else { low };
    if limit.abs() == 0.0 {
        return 0.0;
    }
    // Stay away from where a transform becomes infinite.
    let within = |theta: f64| if limit.is_finite() { theta.abs().min(0.95 * limit.abs()) } else { theta.abs() };
    let sign = if upward { 1.0 } else { -1.0 };
    let mut end = within((sum - mean).abs() / (std_dev * std_dev));
    for _ in 0..STEPS {
        let next = within(2.0 * end);
        if next <= end || height(sign * next) >= height(sign * end) {
            end = next;
            break;
        }
        end = next;
    }
    let (mut from, mut to) = (0.0, end);
    for _ in 0..STEPS {
        let (a, b) = (from + (to - from) / 3.0, to - (to - from) / 3.0);
        if height(sign * a) < height(sign * b) { to = b } else { from = a }
    }
    sign * 0.5 * (from + to)
}
