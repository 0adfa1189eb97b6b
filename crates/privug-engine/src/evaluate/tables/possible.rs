//! Whether a prior believes in the values that a secret column really has.
//!
//! An attacker who rules out the truth learns nothing that means anything: what figures tell them is about a world that is
//! not this one, and may look harmless. That the values add up to what the prior says does not make it possible.

use super::super::fault::{Fault, Outcome};
use super::belief::Belief;
use super::grouped::GroupTable;
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
                if differs(only, truth) {
                    return refuse(format!("it assumes {only} with certainty"), KNOWN_HINT);
                }
            }
            Belief::Skewed(skewed) => {
                let law = skewed.law_of[place] as usize;
                if !admitted[law].admits(truth, SAME) {
                    let hint = "choose a prior under which every value of the column is possible";
                    return refuse(format!("it is `{}`", skewed.laws[law].words()), hint);
                }
            }
            Belief::Discrete(_) => {}
        }
    }
    Ok(())
}

const KNOWN_HINT: &str = "a variance of 0 is for values that the attacker knows; give one above 0 to all others";

fn differs(known: f64, truth: f64) -> bool {
    (known - truth).abs() > SAME * known.abs().max(truth.abs())
}

/// The same where rows stand for groups: `means` are those of the groups, in these rows. A Gaussian prior excludes nothing unless
/// it knows a value for certain; then everybody in the group has that one.
pub(super) fn possible_in_groups<S: Scalar>(
    network: &Network<S>,
    means: &[Affine<S>],
    groups: &GroupTable,
    rows: &[u32],
) -> Outcome<()> {
    for (mean, row) in means.iter().zip(rows) {
        let Some(only) = constant(network, mean) else { continue };
        let row = *row as usize;
        if groups.prior_means.is_some() && groups.sizes[row] > 1 {
            let message =
                "people with prior means of their own are known for certain, which sums of these cannot confirm";
            return Err(Fault::hinted(Code::NotOfGroups, message, KNOWN_HINT));
        }
        let (least, most) = groups.ranges[row];
        if let Some(truth) = [least, most].into_iter().find(|truth| differs(only, *truth)) {
            let message =
                format!("somebody has {truth}, which the prior considers impossible: it assumes {only} with certainty");
            return Err(Fault::hinted(Code::Contradiction, message, KNOWN_HINT));
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
