//! What conditioning needs to know about rows: how they project on the observations before them.
//!
//! Two implementations answer: [`Rounded`](super::rounded::Rounded) orthogonalises rows and keeps error bounds,
//! [`Exact`](super::exact::Exact) factors the matrix of inner products, which is smaller and, without rounding, safe.

use super::range::{Interrupt, Poll};
use super::sweep::{Entry, Row};

/// Where an observation stands among the earlier ones. Numbers are in units of 2^exponent.
#[derive(Debug)]
pub(super) struct Placement<W> {
    pub exponent: i32,
    /// ⟨a, a⟩
    pub variance: W,
    /// c_l = ⟨a, q_l⟩/⟨q_l, q_l⟩, ascending in l.
    pub onto: Vec<(u32, W)>,
    /// The x with Σ c_l·q_l = Σ x_l·a_l, to first order of rounding.
    pub combination: Vec<(u32, f64)>,
    /// The new basis vector, unless the observation is redundant.
    pub basis: Option<BasisVector<W>>,
}

/// q = (a − Σ c_l·q_l)·2^−shift
#[derive(Debug)]
pub(super) struct BasisVector<W> {
    pub shift: i32,
    /// ⟨q, q⟩ in units of 2^(2·(exponent + shift)).
    pub squared_norm: W,
}

/// What was learnt from one basis vector, in its units.
#[derive(Debug, Clone)]
pub(super) struct Evidence<W> {
    /// Published value minus what the earlier ones let expect; `None` if no value was seen.
    pub innovation: Option<W>,
    /// Bound on the error of (value − mean), in units of the row before it was orthogonalised.
    pub error: f64,
}

/// A target as seen from the observations. Numbers are in units of 2^exponent.
#[derive(Debug)]
pub(super) struct View<W> {
    pub exponent: i32,
    pub prior_variance: W,
    /// c_l, ascending in l.
    pub onto: Vec<(u32, W)>,
    /// Covariance with each observation that overlaps, in units of 2^(exponent + exponent of the observation).
    pub alone: Vec<(u32, W)>,
    /// Variance left by the observations that were seen; exactly 0 if they disclose the target.
    pub variance_after_seen: W,
    /// Variance left by all observations.
    pub variance_after_all: W,
    /// Bound on the error of Σ c_l·innovation_l.
    pub shift_error: f64,
}

/// Projects rows on observations.
pub(super) trait Geometry<W> {
    /// Places the next observation, and adds it to the basis unless it is redundant.
    fn observe(&mut self, poll: &mut Poll) -> Result<Placement<W>, Interrupt>;

    /// Takes note of the evidence, one for each basis vector; those that were seen come first.
    fn learn(&mut self, evidence: &[Evidence<W>]);

    /// Looks at a target.
    fn view(&mut self, row: &Row<W>, poll: &mut Poll) -> Result<View<W>, Interrupt>;

    /// The x with Σ c_l·q_l = Σ x_l·a_l over basis vectors and the observations they were made of.
    fn combination(&mut self, onto: &[(u32, f64)]) -> Vec<(u32, f64)>;

    /// ⟨t, u⟩ of two targets, in units of the given powers of two.
    fn inner_product(&self, t: (&Row<W>, i32), u: (&Row<W>, i32)) -> W;

    /// ⟨q_l, q_l⟩
    fn squared_norm(&self, row: u32) -> &W;
}

/// Calls `meet` for every source of two rows with its entry in each.
pub(super) fn zip_sources<'a, W>(
    t: &'a Row<W>,
    u: &'a Row<W>,
    mut meet: impl FnMut(u32, Option<&'a Entry<W>>, Option<&'a Entry<W>>),
) {
    let (mut t, mut u) = (t.entries.iter().peekable(), u.entries.iter().peekable());
    // Sweeps go from the last source to the first.
    while let Some(source) = t.peek().into_iter().chain(u.peek()).map(|entry| entry.source).max() {
        let own = |entry: &&Entry<W>| entry.source == source;
        meet(source, t.next_if(own), u.next_if(own));
    }
}
