//! Leakage about several secrets together: joint mutual information and divergences, in bits.
//!
//! Secrets that the prior makes affine functions of the others add nothing and are left out, so that a singular prior
//! is no obstacle; a direction that the outputs determine makes the measures infinite. On the secrets that remain,
//! with Σ₀ and Σ₁ the covariances and R = Σ₀ − Σ₁: Q = L₀⁻¹RL₀⁻ᵀ and Y = L₁⁻¹RL₁⁻ᵀ where Σ = LLᵀ, and
//!
//!   ln det Σ₀/det Σ₁ = −ln det(1 − Q) = ln det(1 + Y).

use super::information::HALF_NAT_IN_BITS;
use super::knowledge::log_variance_ratio_nats;
use privug_engine::gaussian::special::x_minus_ln_1p;

/// Above this many secrets there is no answer: the work grows with the third power.
pub const MAX_JOINT_SECRETS: usize = 300;

/// What was known and is known about several Gaussian secrets; matrices by rows.
#[derive(Debug, Clone, Copy)]
pub struct JointKnowledge<'a> {
    /// Covariance before, Σ₀.
    pub prior_covariance: &'a [Vec<f64>],
    /// Covariance after, Σ₁.
    pub posterior_covariance: &'a [Vec<f64>],
    /// Σ₀ − Σ₁, computed without cancellation.
    pub reduction: &'a [Vec<f64>],
    /// Posterior − prior mean; not needed for mutual information.
    pub mean_shift: &'a [f64],
}

/// The two divergences between what was and is known, in bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointDivergences {
    /// D(posterior ‖ prior).
    pub kl_posterior_prior_bits: f64,
    /// D(prior ‖ posterior).
    pub kl_prior_posterior_bits: f64,
}

impl JointKnowledge<'_> {
    /// ½ log₂(det Σ₀/det Σ₁), with Σ₁ and the reduction those of all outputs (Cover & Thomas 2006, theorem 8.4.1).
    ///
    /// ∞ if some direction has less than 64·m units in the last place of its variance left: rounded covariances cannot
    /// tell that from a disclosure, and the error is on the side of caution. `None` for more than [`MAX_JOINT_SECRETS`],
    /// matrices that do not fit together, or numbers that are not finite.
    pub fn mutual_information_bits(&self) -> Option<f64> {
        self.is_well_formed().then(|| match self.compare() {
            Comparison::Disclosed => f64::INFINITY,
            Comparison::Uncertain(whitened) => HALF_NAT_IN_BITS * whitened.log_det_ratio,
        })
    }

    /// D(posterior ‖ prior) = ½ (−tr Q − ln det(1 − Q) + dᵀΣ₀⁻¹d)/ln 2 and
    /// D(prior ‖ posterior) = ½ (tr Y − ln det(1 + Y) + dᵀΣ₁⁻¹d)/ln 2 (Kullback 1959).
    ///
    /// `None` as above, or if the shift has another length.
    pub fn divergences_bits(&self) -> Option<JointDivergences> {
        let fits =
            self.mean_shift.len() == self.prior_covariance.len() && self.mean_shift.iter().all(|d| d.is_finite());
        (fits && self.is_well_formed()).then(|| match self.compare() {
            Comparison::Disclosed => {
                JointDivergences { kl_posterior_prior_bits: f64::INFINITY, kl_prior_posterior_bits: f64::INFINITY }
            }
            Comparison::Uncertain(whitened) => {
                let bits = |excess: f64, factor: &Factor| {
                    let shift = factor.whiten_vector(self.mean_shift);
                    HALF_NAT_IN_BITS * (excess + shift.iter().map(|d| d * d).sum::<f64>())
                };
                JointDivergences {
                    kl_posterior_prior_bits: bits(whitened.excess_of_prior, &whitened.prior),
                    kl_prior_posterior_bits: bits(whitened.excess_of_posterior, &whitened.posterior),
                }
            }
        })
    }

    fn is_well_formed(&self) -> bool {
        let order = self.prior_covariance.len();
        let matrices = [self.prior_covariance, self.posterior_covariance, self.reduction];
        order <= MAX_JOINT_SECRETS
            && matrices.iter().all(|matrix| {
                matrix.len() == order
                    && matrix.iter().all(|row| row.len() == order && row.iter().all(|x| x.is_finite()))
                    && (0..order).all(|i| matrix[i][i] >= 0.0)
            })
    }

    fn compare(&self) -> Comparison {
        let everyone: Vec<usize> = (0..self.prior_covariance.len()).collect();
        let prior = Factor::of(self.prior_covariance, &everyone);
        let posterior = Factor::of(self.posterior_covariance, &prior.members);
        if posterior.members.len() < prior.members.len() {
            return Comparison::Disclosed;
        }
        let (q, y) = (prior.whiten_matrix(self.reduction), posterior.whiten_matrix(self.reduction));
        let trace = |matrix: &[Vec<f64>]| (0..matrix.len()).map(|i| matrix[i][i]).sum::<f64>();
        let (log_det_ratio, excess_of_prior, excess_of_posterior) = match small_leak(&q) {
            Some((log_det_ratio, excess)) => (log_det_ratio, excess, excess_of_one_plus(&y)),
            None => {
                // Here the ratio is at least 2, and its logarithm not small against its parts.
                let variances: f64 = prior
                    .members
                    .iter()
                    .map(|&i| log_variance_ratio_nats(self.posterior_covariance[i][i], self.reduction[i][i]))
                    .sum();
                let log_det_ratio = variances + prior.log_det_correlation() - posterior.log_det_correlation();
                (log_det_ratio, log_det_ratio - trace(&q), trace(&y) - log_det_ratio)
            }
        };
        Comparison::Uncertain(Box::new(Whitened {
            prior,
            posterior,
            log_det_ratio,
            excess_of_prior,
            excess_of_posterior,
        }))
    }
}

enum Comparison {
    /// Some direction with prior variance has none left.
    Disclosed,
    Uncertain(Box<Whitened>),
}

struct Whitened {
    prior: Factor,
    posterior: Factor,
    /// ln(det Σ₀/det Σ₁).
    log_det_ratio: f64,
    /// −tr Q − ln det(1 − Q).
    excess_of_prior: f64,
    /// tr Y − ln det(1 + Y).
    excess_of_posterior: f64,
}

/// −ln det(1 − Q) and −tr Q − ln det(1 − Q) by elimination, if every pivot 1 − x_j is at least ½.
///
/// With 1 − Q = L·diag(1 − x)·Lᵀ, x_j = Q_jj + s_j where s_j = Σ_k l_jk²(1 − x_k) ≥ 0: the leak itself is carried along
/// instead of being lost against 1, and the results are sums of nonnegative −ln(1 − x_j) and −x_j − ln(1 − x_j) + s_j.
fn small_leak(q: &[Vec<f64>]) -> Option<(f64, f64)> {
    let mut lower = Vec::with_capacity(q.len());
    let mut pivots: Vec<f64> = Vec::with_capacity(q.len());
    let (mut log_det, mut excess) = (0.0, 0.0);
    for (j, row) in q.iter().enumerate() {
        let (factors, extra) = eliminate(&lower, &pivots, |k| -row[k]);
        let x = row[j] + extra;
        if x.is_nan() || x > 0.5 {
            return None;
        }
        log_det -= (-x).ln_1p();
        excess += x_minus_ln_1p(-x) + extra;
        lower.push(factors);
        pivots.push(1.0 - x);
    }
    // Only rounding makes them negative, where nothing was learned.
    Some((log_det.max(0.0), excess.max(0.0)))
}

/// tr Y − ln det(1 + Y) by the same elimination: pivots 1 + t_j with t_j = Y_jj − s_j, terms t_j − ln(1 + t_j) + s_j.
fn excess_of_one_plus(y: &[Vec<f64>]) -> f64 {
    let mut lower = Vec::with_capacity(y.len());
    let mut pivots: Vec<f64> = Vec::with_capacity(y.len());
    let mut excess = 0.0;
    for (j, row) in y.iter().enumerate() {
        let (factors, extra) = eliminate(&lower, &pivots, |k| row[k]);
        // Y is positive semidefinite, so that only rounding makes this negative.
        let t = (row[j] - extra).max(0.0);
        excess += x_minus_ln_1p(t) + extra;
        lower.push(factors);
        pivots.push(1.0 + t);
    }
    excess
}

/// The next row l_j of the unit lower factor of L·D·Lᵀ, from the entries left of the diagonal, and Σ_k l_jk²·d_k.
fn eliminate(lower: &[Vec<f64>], pivots: &[f64], entry: impl Fn(usize) -> f64) -> (Vec<f64>, f64) {
    let mut scaled: Vec<f64> = Vec::with_capacity(lower.len()); // l_jk·d_k
    for (k, row) in lower.iter().enumerate() {
        let known: f64 = row.iter().zip(&scaled).map(|(l, s)| l * s).sum();
        scaled.push(entry(k) - known);
    }
    let extra = scaled.iter().zip(pivots).map(|(s, d)| s * s / d).sum();
    let factors = scaled.iter().zip(pivots).map(|(s, d)| s / d).collect();
    (factors, extra)
}

/// A covariance as S·L·Lᵀ·S on the secrets that are not affine functions of others, S their standard deviations.
struct Factor {
    /// The secrets kept, in the order of elimination.
    members: Vec<usize>,
    /// Their standard deviations.
    std_devs: Vec<f64>,
    /// Rows of the lower triangular L, the last entry on the diagonal.
    lower: Vec<Vec<f64>>,
}

impl Factor {
    /// Cholesky factorisation of the correlations, the largest remaining variance first.
    ///
    /// What remains of a secret's own variance after the earlier ones counts as 0 below 64·m units in the last place:
    /// the entries are rounded, and say no more. Secrets without variance are left out too.
    fn of(covariance: &[Vec<f64>], candidates: &[usize]) -> Self {
        let std_dev = |i: usize| covariance[i][i].sqrt();
        let mut waiting: Vec<(usize, f64, Vec<f64>)> =
            candidates.iter().filter(|&&i| std_dev(i) > 0.0).map(|&i| (i, 1.0, Vec::new())).collect();
        let tolerance = 64.0 * f64::EPSILON * candidates.len() as f64;
        let mut factor = Factor { members: Vec::new(), std_devs: Vec::new(), lower: Vec::new() };
        while let Some(best) = (0..waiting.len()).max_by(|&a, &b| waiting[a].1.total_cmp(&waiting[b].1)) {
            let (member, left, mut row) = waiting.remove(best);
            if left <= tolerance {
                break;
            }
            let diagonal = left.sqrt();
            for (other, other_left, other_row) in &mut waiting {
                let correlation = covariance[member][*other] / std_dev(member) / std_dev(*other);
                let known: f64 = row.iter().zip(other_row.iter()).map(|(a, b)| a * b).sum();
                let entry = (correlation - known) / diagonal;
                *other_left -= entry * entry;
                other_row.push(entry);
            }
            row.push(diagonal);
            factor.members.push(member);
            factor.std_devs.push(std_dev(member));
            factor.lower.push(row);
        }
        factor
    }

    /// ln det of the correlations, Σ 2·ln L_jj.
    fn log_det_correlation(&self) -> f64 {
        self.lower.iter().enumerate().map(|(j, row)| 2.0 * row[j].ln()).sum()
    }

    /// L⁻¹·v in place, by forward substitution.
    fn solve(&self, v: &mut [f64]) {
        for (j, row) in self.lower.iter().enumerate() {
            let known: f64 = row[..j].iter().zip(v.iter()).map(|(l, x)| l * x).sum();
            v[j] = (v[j] - known) / row[j];
        }
    }

    /// L⁻¹S⁻¹v.
    fn whiten_vector(&self, v: &[f64]) -> Vec<f64> {
        let mut whitened: Vec<f64> =
            self.members.iter().zip(&self.std_devs).map(|(&i, std_dev)| v[i] / std_dev).collect();
        self.solve(&mut whitened);
        whitened
    }

    /// L⁻¹S⁻¹·A·S⁻¹L⁻ᵀ for a symmetric A.
    fn whiten_matrix(&self, matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let order = self.members.len();
        // Rows of A·S⁻¹L⁻ᵀ are whitened rows of A; then its columns.
        let half: Vec<Vec<f64>> = self.members.iter().map(|&i| self.whiten_vector(&matrix[i])).collect();
        let mut whitened = vec![vec![0.0; order]; order];
        for j in 0..order {
            let mut column: Vec<f64> = half.iter().zip(&self.std_devs).map(|(row, std_dev)| row[j] / std_dev).collect();
            self.solve(&mut column);
            whitened[j] = column;
        }
        whitened
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leakage::Knowledge;
    use privug_engine::gaussian::testing::assert_relative;
    use proptest::prelude::*;

    type Matrix = Vec<Vec<f64>>;

    /// A prior, and the posterior after one output wᵀx + N(0, noise) was seen `surprise` away from its mean.
    ///
    /// With h = wᵀΣ₀w: R = Σ₀w·wᵀΣ₀/(h + noise) and d = Σ₀w·surprise/(h + noise).
    struct OneOutput {
        prior: Matrix,
        posterior: Matrix,
        reduction: Matrix,
        shift: Vec<f64>,
        h: f64,
    }

    fn one_output(prior: Matrix, w: &[f64], noise: f64, surprise: f64) -> OneOutput {
        let column: Vec<f64> = prior.iter().map(|row| row.iter().zip(w).map(|(a, b)| a * b).sum()).collect();
        let h: f64 = column.iter().zip(w).map(|(a, b)| a * b).sum();
        let reduction: Matrix = column.iter().map(|a| column.iter().map(|b| a * b / (h + noise)).collect()).collect();
        let posterior =
            prior.iter().zip(&reduction).map(|(p, r)| p.iter().zip(r).map(|(p, r)| p - r).collect()).collect();
        let shift = column.iter().map(|a| a * surprise / (h + noise)).collect();
        OneOutput { prior, posterior, reduction, shift, h }
    }

    impl OneOutput {
        fn knowledge(&self) -> JointKnowledge<'_> {
            JointKnowledge {
                prior_covariance: &self.prior,
                posterior_covariance: &self.posterior,
                reduction: &self.reduction,
                mean_shift: &self.shift,
            }
        }
    }

    /// A·Aᵀ of A = [[2,0,0],[1,3,0],[-1,1,1]], on scales of 1, 1000 and 0.01.
    fn prior() -> Matrix {
        let scale = [1.0, 1e3, 1e-2];
        let rows = [[4.0, 2.0, -2.0], [2.0, 10.0, 2.0], [-2.0, 2.0, 3.0]];
        (0..3).map(|i| (0..3).map(|j| rows[i][j] * scale[i] * scale[j]).collect()).collect()
    }

    /// w = (1, 10⁻³, 200): in units of the scales (1, 1, 2), so h = 4 + 10 + 4·3 + 2(2 − 4 + 4) = 30.
    const WEIGHTS: [f64; 3] = [1.0, 1e-3, 200.0];

    #[test]
    fn one_output_tells_the_same_about_all_secrets_as_about_the_sum_it_measures() {
        for (noise, tolerance) in
            [(1e90, 1e-13), (1e12, 1e-13), (1e3, 1e-13), (30.0, 1e-13), (1.0, 1e-13), (1e-3, 1e-10)]
        {
            let surprise = 3.0 * f64::sqrt(noise);
            let case = one_output(prior(), &WEIGHTS, noise, surprise);
            assert_relative(case.h, 30.0, 1e-14);
            // The sum wᵀx is a sufficient statistic: prior variance 30, reduction 30²/(30 + noise), 30·noise/(30 + noise) left.
            let sum = Knowledge::after_all_outputs(
                0.0,
                30.0,
                30.0 * surprise / (30.0 + noise),
                30.0 * noise / (30.0 + noise),
                900.0 / (30.0 + noise),
            );
            let knowledge = case.knowledge();
            let divergences = knowledge.divergences_bits().expect("well formed");
            assert_relative(
                knowledge.mutual_information_bits().expect("small"),
                sum.mutual_information_bits(),
                tolerance,
            );
            assert_relative(divergences.kl_posterior_prior_bits, sum.kl_posterior_prior_bits(), tolerance);
            assert_relative(divergences.kl_prior_posterior_bits, sum.kl_prior_posterior_bits(), tolerance);
        }
    }

    #[test]
    fn independent_secrets_add_up_whatever_the_size_of_their_leaks() {
        let diagonal = |values: [f64; 3]| -> Matrix {
            (0..3).map(|i| (0..3).map(|j| if i == j { values[i] } else { 0.0 }).collect()).collect()
        };
        for reductions in [[1e-14, 1e-9, 1e-12], [0.3, 1e-5, 0.1], [0.3, 0.9, 1e-8]] {
            let scales = [1.0, 1e8, 1e-8];
            let shifts: Vec<f64> = (0..3).map(|i| 0.5 * f64::sqrt(reductions[i] * scales[i])).collect();
            let alone: Vec<Knowledge> = (0..3)
                .map(|i| {
                    let (v, r) = (scales[i], reductions[i]);
                    Knowledge::after_all_outputs(0.0, v, shifts[i], v * (1.0 - r), v * r)
                })
                .collect();
            let of = |read: fn(&Knowledge) -> f64| [0, 1, 2].map(|i| read(&alone[i]));
            let (prior, posterior) = (diagonal(of(|k| k.prior_variance)), diagonal(of(|k| k.posterior_variance)));
            let reduction = diagonal(of(|k| k.variance_reduction));
            let joint = JointKnowledge {
                prior_covariance: &prior,
                posterior_covariance: &posterior,
                reduction: &reduction,
                mean_shift: &shifts,
            };
            let sum = |read: fn(&Knowledge) -> f64| of(read).iter().sum::<f64>();
            let divergences = joint.divergences_bits().expect("well formed");
            let information = joint.mutual_information_bits().expect("well formed");
            assert_relative(information, sum(Knowledge::mutual_information_bits), 1e-14);
            assert_relative(divergences.kl_posterior_prior_bits, sum(Knowledge::kl_posterior_prior_bits), 1e-14);
            assert_relative(divergences.kl_prior_posterior_bits, sum(Knowledge::kl_prior_posterior_bits), 1e-14);
        }
    }

    #[test]
    fn correlated_leaks_agree_with_their_determinants() {
        // Σ₀ = [[2, 1], [1, 2]], det 3; Σ₁ = [[1, 0.25], [0.25, 0.5]], det 7/16: ½ log₂(48/7).
        let (prior, posterior) = (vec![vec![2.0, 1.0], vec![1.0, 2.0]], vec![vec![1.0, 0.25], vec![0.25, 0.5]]);
        let reduction = vec![vec![1.0, 0.75], vec![0.75, 1.5]];
        let joint = JointKnowledge {
            prior_covariance: &prior,
            posterior_covariance: &posterior,
            reduction: &reduction,
            mean_shift: &[1.0, -1.0],
        };
        let log_ratio = (48.0f64 / 7.0).ln();
        assert_relative(joint.mutual_information_bits().expect("small"), 0.5 * (48.0f64 / 7.0).log2(), 1e-15);
        // Σ₀⁻¹ = [[2, −1], [−1, 2]]/3: tr Σ₀⁻¹Σ₁ = (2 − 0.5 + 1)/3 = 5/6 and dᵀΣ₀⁻¹d = 6/3.
        let forward = 0.5 * (5.0 / 6.0 - 2.0 + log_ratio + 2.0) / std::f64::consts::LN_2;
        // Σ₁⁻¹ = [[0.5, −0.25], [−0.25, 1]]·16/7: tr Σ₁⁻¹Σ₀ = (1 − 0.5 + 2)·16/7 = 40/7 and dᵀΣ₁⁻¹d = 2·16/7.
        let backward = 0.5 * (40.0 / 7.0 - 2.0 - log_ratio + 32.0 / 7.0) / std::f64::consts::LN_2;
        let divergences = joint.divergences_bits().expect("small");
        assert_relative(divergences.kl_posterior_prior_bits, forward, 1e-15);
        assert_relative(divergences.kl_prior_posterior_bits, backward, 1e-15);
    }

    #[test]
    fn small_correlated_leaks_agree_with_their_series() {
        // Σ₀ = 1 and R = t·[[2, 1], [1, 1]], tr R = 3t, tr R² = 7t², tr R³ = 18t³, tr R⁴ = 47t⁴ (A² = [[5, 3], [3, 2]]).
        let prior = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        for t in [1e-6, 1e-8, 1e-100] {
            let reduction = vec![vec![2.0 * t, t], vec![t, t]];
            let posterior = vec![vec![1.0 - 2.0 * t, -t], vec![-t, 1.0 - t]];
            let joint = JointKnowledge {
                prior_covariance: &prior,
                posterior_covariance: &posterior,
                reduction: &reduction,
                mean_shift: &[0.0, 0.0],
            };
            // −ln det(1 − R) = Σ tr R^k/k; without its first term it is the excess; tr R(1 − R)⁻¹ = Σ tr R^k.
            let tail = 7.0 * t * t / 2.0 + 18.0 * t * t * t / 3.0 + 47.0 * t.powi(4) / 4.0;
            let reverse = 7.0 * t * t / 2.0 + 18.0 * t * t * t * (2.0 / 3.0) + 47.0 * t.powi(4) * 0.75;
            assert_relative(
                joint.mutual_information_bits().expect("small"),
                HALF_NAT_IN_BITS * (3.0 * t + tail),
                1e-15,
            );
            let divergences = joint.divergences_bits().expect("small");
            assert_relative(divergences.kl_posterior_prior_bits, HALF_NAT_IN_BITS * tail, 1e-14);
            assert_relative(divergences.kl_prior_posterior_bits, HALF_NAT_IN_BITS * reverse, 1e-14);
        }
    }

    #[test]
    fn a_secret_that_follows_from_the_others_adds_nothing() {
        // x, y independent with variance 1 and 2, their sum, and a constant; an output x + N(0, 1).
        let prior = vec![vec![1.0, 0.0, 1.0, 0.0], vec![0.0, 2.0, 2.0, 0.0], vec![1.0, 2.0, 3.0, 0.0], vec![0.0; 4]];
        let case = one_output(prior, &[1.0, 0.0, 0.0, 0.0], 1.0, 2.0);
        // About x: prior 1, posterior ½, shift 1: half a bit, D = ½(−½ + ln 2 + 1) nats.
        assert_relative(case.knowledge().mutual_information_bits().expect("small"), 0.5, 1e-14);
        let divergence = case.knowledge().divergences_bits().expect("small").kl_posterior_prior_bits;
        assert_relative(divergence, HALF_NAT_IN_BITS * (0.5 + std::f64::consts::LN_2), 1e-14);
    }

    #[test]
    fn a_published_sum_discloses_a_direction() {
        let prior = vec![vec![0.1, 0.0], vec![0.0, 0.3]];
        let case = one_output(prior, &[1.0, 1.0], 0.0, 1.0);
        assert_eq!(case.knowledge().mutual_information_bits(), Some(f64::INFINITY));
        let divergences = case.knowledge().divergences_bits().expect("small");
        assert_eq!(divergences.kl_posterior_prior_bits, f64::INFINITY);
        assert_eq!(divergences.kl_prior_posterior_bits, f64::INFINITY);
    }

    #[test]
    fn what_does_not_fit_together_has_no_answer() {
        let one = vec![vec![1.0]];
        let zero = vec![vec![0.0]];
        let nan = vec![vec![f64::NAN]];
        let joint = |prior, posterior, reduction, mean_shift| JointKnowledge {
            prior_covariance: prior,
            posterior_covariance: posterior,
            reduction,
            mean_shift,
        };
        assert_eq!(joint(&one, &nan, &one, &[0.0]).mutual_information_bits(), None);
        assert_eq!(joint(&one, &[], &one, &[0.0]).mutual_information_bits(), None);
        assert_eq!(joint(&one, &one, &zero, &[]).divergences_bits(), None);
        assert_eq!(joint(&[], &[], &[], &[]).mutual_information_bits(), Some(0.0));
        let large = vec![vec![0.0; MAX_JOINT_SECRETS + 1]; MAX_JOINT_SECRETS + 1];
        assert_eq!(joint(&large, &large, &large, &[]).mutual_information_bits(), None);
    }

    proptest! {
        /// One secret is a special case of several, except that ∞ begins where a variance is exactly 0.
        #[test]
        fn one_secret_is_the_scalar_case(scale in -12.0..-1e-9f64, shift in -3.0..3.0f64, v in 1e-6..1e6f64) {
            let r = 10f64.powf(scale);
            let alone = Knowledge::after_all_outputs(0.0, v, shift, v * (1.0 - r), v * r);
            let (prior, posterior) = (vec![vec![v]], vec![vec![v * (1.0 - r)]]);
            let reduction = vec![vec![v * r]];
            let joint = JointKnowledge {
                prior_covariance: &prior,
                posterior_covariance: &posterior,
                reduction: &reduction,
                mean_shift: &[shift],
            };
            let close = |a: f64, b: f64| a == b || (a / b - 1.0).abs() < 1e-13;
            prop_assert!(close(joint.mutual_information_bits().expect("one"), alone.mutual_information_bits()));
            let divergences = joint.divergences_bits().expect("one");
            prop_assert!(close(divergences.kl_posterior_prior_bits, alone.kl_posterior_prior_bits()));
            prop_assert!(close(divergences.kl_prior_posterior_bits, alone.kl_prior_posterior_bits()));
        }

        #[test]
        fn no_matrix_panics(values in proptest::collection::vec(any::<f64>(), 27), shift in any::<[f64; 3]>()) {
            let matrix = |from: usize| -> Matrix { values[9 * from..9 * from + 9].chunks(3).map(<[f64]>::to_vec).collect() };
            let (prior, posterior, reduction) = (matrix(0), matrix(1), matrix(2));
            let joint = JointKnowledge {
                prior_covariance: &prior,
                posterior_covariance: &posterior,
                reduction: &reduction,
                mean_shift: &shift,
            };
            let _ = (joint.mutual_information_bits(), joint.divergences_bits());
        }
    }
}
