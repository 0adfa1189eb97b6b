//! Several targets together: what all observations say about them, as independent parts and independent noise.
//!
//! The targets t₁, t₂, … are placed first, each as what the earlier ones do not determine (zᵢ, of variance pᵢ), then the
//! observations, each as what the targets and the earlier observations do not determine (εₖ, of variance nₖ). With the
//! coefficients of that one factorisation,
//!
//! ```text
//! observation − what the earlier ones let expect:   yₖ = Σᵢ sₖᵢ·zᵢ + εₖ
//! ```
//!
//! so that what is told about the targets is told about independent z through independent noise. An observation without
//! noise that the earlier observations do not determine discloses a combination of targets. That these are zero is
//! decided as it is for single targets: for certain, or not at all.

use crate::network::{Affine, Network};
use crate::number::{Constants, Field, Scalar};

use super::condition::refuse;
use super::learn::Learner;
use super::poll::Poll;
use super::range::{power_of_two, scale};
use super::sweep::Sweeper;
use super::{Observation, Options, Refusal, Status, Subject};

/// What observations say about targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel<W> {
    /// Whether they determine a combination of targets that the prior did not.
    pub disclosed: bool,
    /// pᵢ > 0
    pub prior: Vec<W>,
    /// nₖ > 0
    pub noise: Vec<W>,
    /// (i, sₖᵢ) for each k, those that are not 0.
    pub signal: Vec<Vec<(usize, W)>>,
    /// The observed yₖ minus its mean before; 0 without a value.
    pub surprise: Vec<W>,
    /// Bounds on the errors of these.
    pub surprise_errors: Vec<f64>,
    /// Σ of bounds on the relative errors of all p and n; the error of sₖᵢ, relative to √(nₖ/pᵢ), is at most that too.
    pub error: f64,
}

impl<W> Default for Channel<W> {
    fn default() -> Self {
        Channel {
            disclosed: false,
            prior: Vec::new(),
            noise: Vec::new(),
            signal: Vec::new(),
            surprise: Vec::new(),
            surprise_errors: Vec::new(),
            error: 0.0,
        }
    }
}

/// Finds what all observations, seen or not, say about the targets together.
pub fn channel<S: Scalar>(
    network: &Network<S>,
    observations: &[Observation<S>],
    targets: &[Affine<S>],
    options: &Options,
) -> Result<Channel<S::Wide>, Refusal<S>> {
    let mut poll = Poll::new(options);
    let mut sweeper = Sweeper::new(network);
    let mut alone = Learner::new(network, observations, &mut sweeper, &mut poll)?;
    let outcomes = alone.learn(&mut poll)?;
    let unseen = |variable: &Affine<S>| Observation { variable: variable.clone(), value: None };
    let order = &alone.order;
    let placed: Vec<Observation<S>> =
        targets.iter().chain(order.iter().map(|&index| &observations[index].variable)).map(unseen).collect();
    let mut both = Learner::new(network, &placed, &mut sweeper, &mut poll)?;
    both.projector.begin();

    let mut channel = Channel::default();
    // Of the values themselves, at the observations' own units.
    let mut value_errors: Vec<f64> = Vec::new();
    for position in 0..placed.len() {
        let subject = match position.checked_sub(targets.len()) {
            None => Subject::Target(position),
            Some(observation) => Subject::Observation(order[observation]),
        };
        let at = |interrupt| refuse(interrupt, subject);
        let placement = both.projector.observe(&mut poll).map_err(at)?;
        channel.error += placement.error;
        let Some(observation) = position.checked_sub(targets.len()) else {
            channel.prior.extend(placement.pivot);
            continue;
        };
        let Some(pivot) = placement.pivot else {
            channel.disclosed |= matches!(outcomes[order[observation]].status, Status::Used { .. });
            continue;
        };
        let parts = channel.prior.len();
        let mut signal = vec![S::Wide::zero(); parts];
        let (deviation, error) = alone.deviation(observation).map_err(|error| at(error.into()))?;
        let mut surprise = scale(&deviation, -placement.exponent);
        for (basis, c) in &placement.onto {
            let basis = *basis as usize;
            let Some(earlier) = basis.checked_sub(parts) else {
                signal[basis] = signal[basis].add(c);
                continue;
            };
            poll.spend(channel.signal[earlier].len() as u64 + 1).map_err(at)?;
            for (part, s) in &channel.signal[earlier] {
                signal[*part] = signal[*part].sub(&c.mul(s));
            }
            surprise = surprise.sub(&c.mul(&channel.surprise[earlier]));
        }
        let through = placement.combination.iter().filter_map(|(basis, x)| {
            let earlier = (*basis as usize).checked_sub(parts)?;
            Some(x.abs() * value_errors[earlier])
        });
        let value_error = error * power_of_two(-placement.exponent);
        let error = value_error + through.sum::<f64>();
        let signal: Vec<(usize, S::Wide)> = signal.into_iter().enumerate().filter(|(_, s)| !s.is_zero()).collect();
        poll.store(signal.len() + 3).map_err(at)?;
        channel.signal.push(signal);
        channel.surprise.push(surprise);
        channel.surprise_errors.push(error);
        channel.noise.push(pivot);
        value_errors.push(value_error);
    }
    Ok(channel)
}
