//! Whether a prior believes in the values that a secret column really has.
//!
//! An attacker who rules out the truth learns nothing that means anything: what figures tell them is about a world that is
//! not this one, and may look harmless. That the values add up to what the prior says does not make it possible.

use super::super::fault::{Fault, Outcome};
use super::belief::Belief;
use crate::network::{Affine, Network};
use crate::number::Scalar;
use crate::sums::{Law, Possible};
use privug_language::diagnostic::Code;

/// A double that is meant to be the value of the table differs from it by less than this part.
const SAME: f64 = 1e-9;

/// Refuses a prior that excludes a real value. `truths` has the row and the value of each secret.
pub(super) fn possible<S: Scalar>(
    network: &Network<S>,
    variables: &[Affine<S>],
    belief: &Belief,
    truths: impl Iterator<Item = (u32, Option<f64>)>,
) -> Outcome<()> {
    let admitted: Vec<Possible> = match belief {
        Belief::Skewed(skewed) => skewed.laws.iter().map(Law::possible).collect(),
        Belief::Gaussian | Belief::Discrete(_) => Vec::new(),
    };
    for (place, (row, truth)) in truths.enumerate() {
        let Some(truth) = truth else { continue };
        let refuse = |believed: String, hint: &str| {
            let message = format!("row {} is {truth}, which the prior considers impossible: {believed}", row + 1);
            Err(Fault::hinted(Code::Contradiction, message, hint))
        };
        match belief {
            Belief::Gaussian => {
                let Some(only) = constant(network, &variables[place]) else { continue };
                if (only - truth).abs() > SAME * only.abs().max(truth.abs()) {
                    let hint = "a variance of 0 is for values that the attacker knows; give one above 0 to all others";
                    return refuse(format!("it knows {only} for certain"), hint);
                }
            }
            Belief::Skewed(skewed) => {
                let law = skewed.law_of[place] as usize;
                if !admitted[law].admits(truth, SAME) {
                    let hint = "choose a prior that every value of the column is possible under";
                    return refuse(format!("it is `{}`", skewed.laws[law].words()), hint);
                }
            }
            Belief::Discrete(_) => {}
        }
    }
    Ok(())
}

/// The only value of a variable that is none.
fn constant<S: Scalar>(network: &Network<S>, x: &Affine<S>) -> Option<f64> {
    let node = network.node(x.node);
    let is_constant = x.scale.is_zero() || (node.terms.is_empty() && node.noise_variance.is_zero());
    is_constant.then(|| x.scale.mul(node.constant).add(&x.offset).to_f64())
}
