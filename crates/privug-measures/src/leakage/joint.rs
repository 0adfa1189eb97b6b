//! Leakage about several secrets together: joint mutual information and divergences, in bits.
//!
//! The secrets are independent parts zᵢ of variance pᵢ, the outputs yₖ = Σᵢ sₖᵢ·zᵢ + εₖ with independent noise of variance
//! nₖ (see [`Channel`]). With G = N^(−½)·S·P·Sᵀ·N^(−½), the signal measured in the noise,
//!
//! ```text
//! ln det Σ₀/det Σ₁ = ln det(1 + G)       tr(Σ₁⁻¹Σ₀ − 1) = tr G       tr(1 − Σ₀⁻¹Σ₁) = tr G(1 + G)⁻¹
//! ```
//!
//! for the covariances Σ₀, Σ₁ of the secrets before and after. All are found by elimination of D + A, where D = N and
//! A = S·P·Sᵀ or, if there are fewer secrets than outputs, D = P⁻¹ and A = Sᵀ·N⁻¹·S: G has the same eigenvalues. Leaks are
//! carried along as such and never as a difference from 1, so that a leak of 1e-100 bits keeps its digits; and in
//! rationals only the logarithm is rounded.

use super::information::HALF_NAT_IN_BITS;
use privug_engine::gaussian::special::x_minus_ln_1p;
use privug_engine::number::{Constants, Field, Wide};
use privug_engine::posterior::{Channel, natural_logarithm};

/// Above this many secrets there is no answer: the work grows with the third power.
pub const MAX_JOINT_SECRETS: usize = 300;

/// How far the mutual information may be off, relative to it.
const INFORMATION_TOLERANCE: f64 = 1e-12;
/// How far the divergences may be off, relative to them: as far as means may be.
const DIVERGENCE_TOLERANCE: f64 = 1e-9;

/// What is told about several secrets together, in bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointLeak {
    /// I(secrets; outputs) = ½ log₂ det(1 + G) (Cover & Thomas 2006, theorem 8.4.1). ∞ if the outputs determine some
    /// combination of secrets that was uncertain.
    pub mutual_information_bits: f64,
    /// D(posterior ‖ prior) = ½ (ln det(1 + G) − tr G(1 + G)⁻¹ + dᵀΣ₀⁻¹d)/ln 2 (Kullback 1959), d the shift of the means.
    pub kl_posterior_prior_bits: f64,
    /// D(prior ‖ posterior) = ½ (tr G − ln det(1 + G) + dᵀΣ₁⁻¹d)/ln 2.
    pub kl_prior_posterior_bits: f64,
}

/// The measures; `None` if rounding could spoil a digit that is promised, which exact arithmetic never does.
pub fn joint_leak<W: Wide>(channel: &Channel<W>) -> Option<JointLeak> {
    if channel.disclosed {
        let infinite = f64::INFINITY;
        return Some(JointLeak {
            mutual_information_bits: infinite,
            kl_posterior_prior_bits: infinite,
            kl_prior_posterior_bits: infinite,
        });
    }
    let system = System::of(channel);
    let factor = Eliminated::of(&system);
    let error = factor.error(&system, channel.error);
    let log_det: f64 = factor.gains.iter().map(ln_1p).sum();
    if error > INFORMATION_TOLERANCE * log_det {
        return None;
    }
    let shift = system.shift(&factor, channel);
    let after_from_before = factor.excess_after(&system) + shift.before;
    let before_from_after = factor.excess_before() + shift.after;
    // The excesses are sums of what the logarithm is a sum of, to second order.
    let relative = 4.0 * error / log_det.max(f64::MIN_POSITIVE) + channel.error;
    for (divergence, distance) in [(after_from_before, shift.before), (before_from_after, shift.after)] {
        if relative * divergence + 2.0 * shift.error * distance.sqrt() > DIVERGENCE_TOLERANCE * divergence {
            return None;
        }
    }
    Some(JointLeak {
        mutual_information_bits: HALF_NAT_IN_BITS * log_det,
        kl_posterior_prior_bits: HALF_NAT_IN_BITS * after_from_before,
        kl_prior_posterior_bits: HALF_NAT_IN_BITS * before_from_after,
    })
}

/// ln(1 + t) for t ≥ 0, also beyond the range of doubles.
fn ln_1p<W: Wide>(t: &W) -> f64 {
    let double = t.to_f64();
    if double.is_finite() { double.ln_1p() } else { natural_logarithm(t) }
}

/// D + A, by rows.
struct System<W> {
    /// D > 0
    diagonal: Vec<W>,
    /// The lower triangle of A, with its diagonal.
    told: Vec<Vec<W>>,
    /// Whether the rows are outputs (or else secrets).
    by_output: bool,
    /// How many products an entry of A is a sum of, at most.
    summands: usize,
}

/// How far the means moved, in units of the beliefs.
struct Shift {
    /// dᵀΣ₀⁻¹d
    before: f64,
    /// dᵀΣ₁⁻¹d
    after: f64,
    /// Bound on the error of the roots of both, from that of the values.
    error: f64,
}

impl<W: Wide> System<W> {
    fn of(channel: &Channel<W>) -> Self {
        let by_output = channel.noise.len() <= channel.prior.len();
        let summands = channel.noise.len().max(channel.prior.len());
        if by_output {
            let row = |k: usize| (0..=k).map(move |l| product(&channel.signal[k], &channel.signal[l], &channel.prior));
            let told = (0..channel.noise.len()).map(|k| row(k).collect()).collect();
            return System { diagonal: channel.noise.clone(), told, by_output, summands };
        }
        let mut told: Vec<Vec<W>> = (0..channel.prior.len()).map(|i| vec![W::zero(); i + 1]).collect();
        for (signal, noise) in channel.signal.iter().zip(&channel.noise) {
            for (place, (i, s)) in signal.iter().enumerate() {
                let scaled = s.div(noise);
                for (j, other) in &signal[..=place] {
                    told[*i][*j] = told[*i][*j].add(&scaled.mul(other));
                }
            }
        }
        System { diagonal: channel.prior.iter().map(|p| W::one().div(p)).collect(), told, by_output, summands }
    }

    fn len(&self) -> usize {
        self.diagonal.len()
    }

    fn entry(&self, i: usize, j: usize) -> &W {
        if i >= j { &self.told[i][j] } else { &self.told[j][i] }
    }

    /// A·x
    fn times(&self, x: &[W]) -> Vec<W> {
        let row = |i: usize| (0..self.len()).fold(W::zero(), |sum, j| sum.add(&self.entry(i, j).mul(&x[j])));
        (0..self.len()).map(row).collect()
    }

    /// By outputs, with x = (N + A)⁻¹y: dᵀΣ₀⁻¹d = xᵀAx and dᵀΣ₁⁻¹d = xᵀAx + xᵀA·N⁻¹·Ax. By secrets, with
    /// u = (P⁻¹ + A)⁻¹·Sᵀ·N⁻¹·y: uᵀP⁻¹u and uᵀP⁻¹u + uᵀAu.
    fn shift(&self, factor: &Eliminated<W>, channel: &Channel<W>) -> Shift {
        let dot = |a: &[W], b: &[W]| a.iter().zip(b).fold(W::zero(), |sum, (a, b)| sum.add(&a.mul(b)));
        let squared_errors = channel.surprise_errors.iter().zip(&channel.noise).map(|(error, noise)| {
            let relative = error / noise.to_f64().sqrt();
            relative * relative
        });
        let squares = channel.surprise.iter().zip(&channel.noise).map(|(y, noise)| y.mul(y).div(noise).to_f64());
        let error = squared_errors.sum::<f64>().sqrt() + channel.error * squares.sum::<f64>().sqrt();
        if channel.surprise.iter().all(Constants::is_zero) {
            return Shift { before: 0.0, after: 0.0, error: 0.0 };
        }
        let (before, more) = if self.by_output {
            let x = factor.solve(&channel.surprise);
            let told = self.times(&x);
            let scaled: Vec<W> = told.iter().zip(&self.diagonal).map(|(a, d)| a.div(d)).collect();
            (dot(&x, &told), dot(&told, &scaled))
        } else {
            let mut right = vec![W::zero(); self.len()];
            for ((signal, noise), y) in channel.signal.iter().zip(&channel.noise).zip(&channel.surprise) {
                let scaled = y.div(noise);
                for (i, s) in signal {
                    right[*i] = right[*i].add(&s.mul(&scaled));
                }
            }
            let u = factor.solve(&right);
            let scaled: Vec<W> = u.iter().zip(&self.diagonal).map(|(u, d)| u.mul(d)).collect();
            (dot(&u, &scaled), dot(&u, &self.times(&u)))
        };
        Shift { before: before.to_f64(), after: before.add(&more).to_f64(), error }
    }
}

/// Σᵢ aᵢ·bᵢ·pᵢ of two sparse rows.
fn product<W: Wide>(a: &[(usize, W)], b: &[(usize, W)], prior: &[W]) -> W {
    let mut b = b.iter().peekable();
    a.iter().fold(W::zero(), |sum, (i, x)| {
        while b.next_if(|(j, _)| j < i).is_some() {}
        match b.next_if(|(j, _)| j == i) {
            Some((_, y)) => sum.add(&x.mul(y).mul(&prior[*i])),
            None => sum,
        }
    })
}

/// D + A = L·Δ·Lᵀ with Δⱼ = Dⱼ(1 + gⱼ) and gⱼ = (Aⱼⱼ − xⱼ)/Dⱼ, where xⱼ = Σ_{k<j} lⱼₖ²·Δₖ ≥ 0.
struct Eliminated<W> {
    /// Rows of L left of the diagonal.
    lower: Vec<Vec<W>>,
    /// Δ
    pivots: Vec<W>,
    /// g
    gains: Vec<W>,
    /// x/D
    extras: Vec<W>,
}

impl<W: Wide> Eliminated<W> {
    fn of(system: &System<W>) -> Self {
        let size = system.len();
        let mut factor: Eliminated<W> =
            Eliminated { lower: Vec::with_capacity(size), pivots: vec![], gains: vec![], extras: vec![] };
        for j in 0..size {
            let mut scaled: Vec<W> = Vec::with_capacity(j); // l_jk·Δ_k
            for (k, row) in factor.lower.iter().enumerate() {
                let known = row.iter().zip(&scaled).filter(|(l, s)| !l.is_zero() && !s.is_zero());
                scaled.push(known.fold(system.told[j][k].clone(), |rest, (l, s)| rest.sub(&l.mul(s))));
            }
            let row: Vec<W> = scaled.iter().zip(&factor.pivots).map(|(s, pivot)| s.div(pivot)).collect();
            let extra = row.iter().zip(&scaled).fold(W::zero(), |sum, (l, s)| sum.add(&l.mul(s)));
            let gain = system.told[j][j].sub(&extra);
            // A is positive semidefinite, so that only rounding makes this negative.
            let gain = if gain < W::zero() { W::zero() } else { gain };
            let diagonal = &system.diagonal[j];
            factor.pivots.push(diagonal.add(&gain));
            factor.gains.push(gain.div(diagonal));
            factor.extras.push(extra.div(diagonal));
            factor.lower.push(row);
        }
        factor
    }

    /// tr G − ln det(1 + G) = Σ gⱼ − ln(1 + gⱼ) + xⱼ/Dⱼ: all terms nonnegative.
    fn excess_before(&self) -> f64 {
        let terms = self.gains.iter().zip(&self.extras);
        terms.map(|(gain, extra)| x_minus_ln_1p(gain.to_f64()) + extra.to_f64()).sum()
    }

    /// ln det(1 + G) − tr G(1 + G)⁻¹ = Σⱼ ln(1 + gⱼ) − gⱼ/(1 + gⱼ) + Σ_{i>j} (L⁻¹)ᵢⱼ²·Dⱼ/Δᵢ: all terms nonnegative.
    fn excess_after(&self, system: &System<W>) -> f64 {
        let gains = self.gains.iter().map(|gain| {
            let g = gain.to_f64();
            if g < 1.0 { x_minus_ln_1p(-g / (1.0 + g)) } else { ln_1p(gain) - 1.0 + 1.0 / (1.0 + g) }
        });
        let mut sum: f64 = gains.sum();
        let mut inverse: Vec<Vec<W>> = Vec::with_capacity(self.lower.len()); // rows of L⁻¹ left of the diagonal
        for (i, row) in self.lower.iter().enumerate() {
            let mut inverted: Vec<W> = row.iter().map(Field::neg).collect();
            for (l, earlier) in row.iter().zip(&inverse).filter(|(l, _)| !l.is_zero()) {
                for (entry, known) in inverted.iter_mut().zip(earlier) {
                    *entry = entry.sub(&l.mul(known));
                }
            }
            let squares = inverted.iter().zip(&system.diagonal);
            let part = squares.fold(W::zero(), |sum, (entry, d)| sum.add(&entry.mul(entry).mul(d)));
            sum += part.div(&self.pivots[i]).to_f64();
            inverse.push(inverted);
        }
        sum
    }

    /// (D + A)⁻¹·b
    fn solve(&self, right: &[W]) -> Vec<W> {
        let mut x: Vec<W> = Vec::with_capacity(right.len());
        for (row, b) in self.lower.iter().zip(right) {
            x.push(row.iter().zip(&x).fold(b.clone(), |rest, (l, x)| rest.sub(&l.mul(x))));
        }
        for (x, pivot) in x.iter_mut().zip(&self.pivots) {
            *x = x.div(pivot);
        }
        for i in (0..x.len()).rev() {
            let (earlier, rest) = x.split_at_mut(i);
            for (x, l) in earlier.iter_mut().zip(&self.lower[i]) {
                *x = x.sub(&l.mul(&rest[0]));
            }
        }
        x
    }

    /// Bound on the error of ln det(1 + G), given that of the channel, e.
    ///
    /// A relative change of D or P by e changes it by e·tr G(1 + G)⁻¹ at most, and a change of the whitened signal
    /// W = N^(−½)·S·P^½ by ‖dW‖ ≤ e changes it by 2e·‖(1 + WWᵀ)⁻¹W‖ ≤ 2e·min(√tr G, √size). Elimination changes the
    /// entries of D + A by γ·√(diagonal·diagonal), and so Δⱼ by γ·(Σᵢ |L⁻¹ⱼᵢ|·√diagonalᵢ)²; while G is small, no more
    /// than it changes G itself, by γ·tr G. `docs/proofs/joint.md` has the proof.
    fn error(&self, system: &System<W>, channel_error: f64) -> f64 {
        let size = system.len() as f64;
        let trace: f64 = (0..system.len()).map(|j| system.told[j][j].div(&system.diagonal[j]).to_f64()).sum();
        if W::UNIT_ROUNDOFF == 0.0 || trace == 0.0 {
            return 0.0;
        }
        let inherited = channel_error * (trace.min(size) + 2.0 * trace.min(size).sqrt());
        let rounding = W::UNIT_ROUNDOFF * (4.0 * size + 2.0 * system.summands as f64 + 16.0);
        if trace <= 0.5 {
            return inherited + rounding * size * trace;
        }
        let roots: Vec<f64> =
            (0..system.len()).map(|j| (system.told[j][j].add(&system.diagonal[j])).to_f64().sqrt()).collect();
        let mut inverse: Vec<Vec<f64>> = Vec::with_capacity(system.len());
        let mut error = inherited;
        for (j, row) in self.lower.iter().enumerate() {
            let mut inverted: Vec<f64> = row.iter().map(|l| -l.to_f64()).collect();
            for (l, earlier) in row.iter().zip(&inverse) {
                let l = l.to_f64();
                inverted.iter_mut().zip(earlier).for_each(|(entry, known)| *entry -= l * known);
            }
            let width = roots[j] + inverted.iter().zip(&roots).map(|(entry, root)| entry.abs() * root).sum::<f64>();
            error += rounding * width * width / self.pivots[j].to_f64();
            inverse.push(inverted);
        }
        error
    }
}

#[cfg(test)]
mod tests;
