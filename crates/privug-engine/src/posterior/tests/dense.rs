//! Conditioning as in a textbook, in doubles: the covariance matrix of the people, one figure after the other.

/// Means and covariances of people.
pub(super) struct Dense {
    pub(super) mean: Vec<f64>,
    pub(super) covariance: Vec<Vec<f64>>,
    prior: Vec<f64>,
    pub(super) log_evidence_nats: f64,
    /// Σ innovation²/variance
    pub(super) squares: f64,
}

impl Dense {
    pub(super) fn new(mean: Vec<f64>, covariance: Vec<Vec<f64>>) -> Self {
        let prior = (0..mean.len()).map(|person| covariance[person][person]).collect();
        Dense { mean, covariance, prior, log_evidence_nats: 0.0, squares: 0.0 }
    }

    /// Conditions on Σ weight·secret + noise = value; says whether it told anything.
    pub(super) fn observe(&mut self, weights: &[(usize, f64)], noise: f64, value: f64) -> bool {
        let with: Vec<f64> =
            self.covariance.iter().map(|row| weights.iter().map(|(person, w)| w * row[*person]).sum()).collect();
        let variance = noise + weights.iter().map(|(person, w)| w * with[*person]).sum::<f64>();
        // What the variance would be without the earlier figures: a redundant one has lost all of it but roundings.
        let scale = noise + weights.iter().map(|(person, w)| w * w * self.prior[*person]).sum::<f64>();
        if variance <= 1e-9 * scale {
            return false;
        }
        let innovation = value - weights.iter().map(|(person, w)| w * self.mean[*person]).sum::<f64>();
        self.log_evidence_nats -= ((std::f64::consts::TAU * variance).ln() + innovation * innovation / variance) / 2.0;
        self.squares += innovation * innovation / variance;
        for (person, row) in self.covariance.iter_mut().enumerate() {
            let gain = with[person] / variance;
            self.mean[person] += gain * innovation;
            if gain != 0.0 {
                row.iter_mut().zip(&with).for_each(|(covariance, with)| *covariance -= gain * with);
            }
        }
        true
    }

    /// Whether a person is disclosed.
    pub(super) fn is_disclosed(&self, person: usize) -> bool {
        self.covariance[person][person] <= 1e-9 * self.prior[person]
    }
}
