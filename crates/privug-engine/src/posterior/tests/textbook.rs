//! Conditioning as in a textbook: the joint covariance matrix, one observation after the other, in exact rationals.

use super::*;

/// Means and covariances of all nodes.
pub(super) struct Joint {
    mean: Vec<Rational>,
    covariance: Vec<Vec<Rational>>,
}

impl Joint {
    /// Σᵢⱼ = Σₖ wᵢₖ·Σₖⱼ for j < i, and Σᵢᵢ = Σₖ wᵢₖ·Σₖᵢ + vᵢ.
    pub(super) fn new(network: &Network<Rational>) -> Self {
        let size = network.len();
        let mut joint = Joint { mean: Vec::new(), covariance: vec![vec![Rational::ZERO; size]; size] };
        for i in 0..size {
            let node = network.node(NodeId(i as u32));
            let terms: Vec<(usize, &Rational)> =
                node.parents().map(|(parent, weight)| (parent.0 as usize, weight)).collect();
            let mean = terms.iter().fold(node.constant.clone(), |sum, (k, w)| sum + *w * &joint.mean[*k]);
            joint.mean.push(mean);
            for j in 0..i {
                let sum = terms.iter().fold(Rational::ZERO, |sum, (k, w)| sum + *w * &joint.covariance[*k][j]);
                joint.covariance[i][j] = sum.clone();
                joint.covariance[j][i] = sum;
            }
            let own = terms.iter().fold(node.noise_variance.clone(), |sum, (k, w)| sum + *w * &joint.covariance[*k][i]);
            joint.covariance[i][i] = own;
        }
        joint
    }

    /// Conditions on offset + scale·node = value; returns whether it told anything. The value is assumed possible.
    pub(super) fn observe(&mut self, variable: &Affine<Rational>, value: &Rational) -> bool {
        let node = variable.node.0 as usize;
        let variance = self.covariance[node][node].clone();
        if variable.scale == Rational::ZERO || variance == Rational::ZERO {
            return false;
        }
        let innovation = (value - &variable.offset) / &variable.scale - &self.mean[node];
        let gains: Vec<Rational> = self.covariance[node].iter().map(|covariance| covariance / &variance).collect();
        let row = self.covariance[node].clone();
        for ((mean, covariances), gain) in self.mean.iter_mut().zip(&mut self.covariance).zip(&gains) {
            *mean = &*mean + gain * &innovation;
            for (covariance, with_node) in covariances.iter_mut().zip(&row) {
                *covariance = &*covariance - gain * with_node;
            }
        }
        true
    }

    pub(super) fn mean(&self, variable: &Affine<Rational>) -> Rational {
        &variable.offset + &variable.scale * &self.mean[variable.node.0 as usize]
    }

    pub(super) fn covariance(&self, a: &Affine<Rational>, b: &Affine<Rational>) -> Rational {
        &a.scale * &b.scale * &self.covariance[a.node.0 as usize][b.node.0 as usize]
    }
}
