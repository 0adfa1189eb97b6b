//! The measures of a discrete secret by name, of all outputs that are possible or of the one that was seen.

use super::{
    Capacity, capacity, entropy_bits, guessing_entropy, kl_bits, maximal_leakage_bits, total_variation, vulnerability,
};

/// How a number was obtained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    /// A closed form, rounded at the end.
    Exact,
    /// Between bounds that are proven.
    Certified {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
}

impl Method {
    /// As in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Method::Exact => "exact",
            Method::Certified { .. } => "certified",
        }
    }
}

/// A measure and what it means.
#[derive(Debug, Clone, Copy)]
pub struct ChannelMeasure {
    /// As in the JSON and in requirements.
    pub name: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// Whether nothing that is published changes it.
    pub is_of_the_prior: bool,
}

const fn measure(name: &'static str, meaning: &'static str) -> ChannelMeasure {
    ChannelMeasure { name, meaning, is_of_the_prior: false }
}

const fn before(name: &'static str, meaning: &'static str) -> ChannelMeasure {
    ChannelMeasure { name, meaning, is_of_the_prior: true }
}

/// All measures of a discrete secret, in the order of reports.
pub const CHANNEL_MEASURES: &[ChannelMeasure] = &[
    measure("mutual_information_bits", "How many bits of uncertainty about the secret the outputs take away."),
    before("prior_entropy_bits", "How uncertain the attacker is before, in bits."),
    measure("posterior_entropy_bits", "How uncertain the attacker is after, in bits, expected over all outputs."),
    before("bayes_vulnerability_prior", "The probability of guessing the secret at once, before."),
    measure("bayes_vulnerability_posterior", "The probability of guessing the secret at once, after."),
    measure("min_entropy_leakage_bits", "By how many doublings the probability of guessing at once grows."),
    before("guessing_entropy_prior", "The expected number of guesses until the secret is found, before."),
    measure("guessing_entropy_posterior", "The expected number of guesses until the secret is found, after."),
    measure("max_posterior", "The largest probability of any value of the secret under any possible output."),
    measure("max_kl_bits", "How far the most telling output moves the attacker's belief, in bits."),
    measure("kl_posterior_prior_bits", "How far the output that was seen has moved the attacker's belief, in bits."),
    measure("total_variation", "The largest change of the probability of any event, expected over all outputs."),
    measure("channel_capacity_bits", "The most bits that the outputs could tell, whatever the attacker knew before."),
    measure("maximal_leakage_bits", "The largest min-entropy leakage, whatever the attacker knew before."),
    measure("fully_disclosed", "Whether some possible output leaves nothing to learn."),
];

/// The values of the measures of one secret.
#[derive(Debug, Clone, PartialEq)]
pub struct ChannelMeasures {
    values: Vec<(&'static str, f64, Method)>,
    /// The output that tells most, by its place, where outputs were not seen.
    pub most_telling: Option<usize>,
}

impl ChannelMeasures {
    /// Nothing is known.
    pub fn unknown() -> Self {
        ChannelMeasures { values: Vec::new(), most_telling: None }
    }

    /// What carries over from the sides of thresholds to the Gaussian variable that lies on one of them: the information,
    /// but not its entropy and not the chance of guessing it.
    #[must_use]
    pub fn of_sides(mut self) -> Self {
        const CARRIED_OVER: &[&str] =
            &["mutual_information_bits", "max_kl_bits", "total_variation", "channel_capacity_bits"];
        self.values.retain(|(name, _, _)| CARRIED_OVER.contains(name));
        self.values.push(("fully_disclosed", 0.0, Method::Exact));
        self
    }

    /// The value of a measure; `None` if it is not known.
    pub fn get(&self, name: &str) -> Option<(f64, Method)> {
        self.values.iter().find(|(known, _, _)| *known == name).map(|(_, value, method)| (*value, *method))
    }

    /// All values that are known.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64, Method)> {
        self.values.iter().copied()
    }

    /// Adds a measure that only some analyses have.
    pub fn push(&mut self, name: &'static str, value: f64, method: Method) {
        self.values.push((name, value, method));
    }

    /// Of the values that were seen: a prior and a posterior over the same values.
    pub fn of_output(prior: &[f64], posterior: &[f64]) -> Self {
        let (h_prior, h_posterior) = (entropy_bits(prior), entropy_bits(posterior));
        let (v_prior, v_posterior) = (vulnerability(prior), vulnerability(posterior));
        let kl = kl_bits(posterior, prior);
        let settled =
            prior.iter().filter(|p| **p > 0.0).count() > 1 && posterior.iter().filter(|p| **p > 0.0).count() == 1;
        let values = vec![
            ("mutual_information_bits", h_prior - h_posterior, Method::Exact),
            ("prior_entropy_bits", h_prior, Method::Exact),
            ("posterior_entropy_bits", h_posterior, Method::Exact),
            ("bayes_vulnerability_prior", v_prior, Method::Exact),
            ("bayes_vulnerability_posterior", v_posterior, Method::Exact),
            ("min_entropy_leakage_bits", (v_posterior / v_prior).log2(), Method::Exact),
            ("guessing_entropy_prior", guessing_entropy(prior), Method::Exact),
            ("guessing_entropy_posterior", guessing_entropy(posterior), Method::Exact),
            ("max_posterior", v_posterior, Method::Exact),
            ("max_kl_bits", kl, Method::Exact),
            ("kl_posterior_prior_bits", kl, Method::Exact),
            ("total_variation", total_variation(posterior, prior), Method::Exact),
            ("fully_disclosed", f64::from(u8::from(settled)), Method::Exact),
        ];
        ChannelMeasures { values, most_telling: None }
    }

    /// Of a channel: the joint probabilities, for each output of each secret, and the prior that measures start from.
    pub fn of_channel(prior: &[f64], joint: &[Vec<f64>]) -> Self {
        let weight = |row: &[f64]| row.iter().sum::<f64>();
        let rows: Vec<(f64, Vec<f64>)> = joint
            .iter()
            .map(|row| (weight(row), row))
            .filter(|(weight, _)| *weight > 0.0)
            .map(|(weight, row)| (weight, row.iter().map(|p| p / weight).collect()))
            .collect();
        let expected = |of: &dyn Fn(&[f64]) -> f64| rows.iter().map(|(weight, row)| weight * of(row)).sum::<f64>();
        let h_prior = entropy_bits(prior);
        let h_posterior = expected(&|row| entropy_bits(row));
        let information = expected(&|row| kl_bits(row, prior));
        let v_prior = vulnerability(prior);
        let v_posterior: f64 = joint.iter().map(|row| vulnerability(row)).sum();
        let places: Vec<usize> =
            joint.iter().enumerate().filter(|(_, row)| weight(row) > 0.0).map(|(place, _)| place).collect();
        let largest = rows
            .iter()
            .zip(&places)
            .map(|((_, row), place)| (kl_bits(row, prior), vulnerability(row), *place))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(a.0.total_cmp(&b.0)));
        let max_kl = rows.iter().map(|(_, row)| kl_bits(row, prior)).fold(0.0, f64::max);
        let max_posterior = rows.iter().map(|(_, row)| vulnerability(row)).fold(0.0, f64::max);
        let many = prior.iter().filter(|p| **p > 0.0).count() > 1;
        let settled = many && rows.iter().any(|(_, row)| row.iter().filter(|p| **p > 0.0).count() == 1);
        let channel: Vec<Vec<f64>> = (0..prior.len())
            .filter(|secret| prior[*secret] > 0.0)
            .map(|secret| joint.iter().map(|row| row[secret] / prior[secret]).collect())
            .collect();
        let Capacity { low_bits, high_bits } = capacity(&channel);
        let values = vec![
            ("mutual_information_bits", information, Method::Exact),
            ("prior_entropy_bits", h_prior, Method::Exact),
            ("posterior_entropy_bits", h_posterior, Method::Exact),
            ("bayes_vulnerability_prior", v_prior, Method::Exact),
            ("bayes_vulnerability_posterior", v_posterior, Method::Exact),
            ("min_entropy_leakage_bits", (v_posterior / v_prior).log2().max(0.0), Method::Exact),
            ("guessing_entropy_prior", guessing_entropy(prior), Method::Exact),
            ("guessing_entropy_posterior", expected(&|row| guessing_entropy(row)), Method::Exact),
            ("max_posterior", max_posterior, Method::Exact),
            ("max_kl_bits", max_kl, Method::Exact),
            ("total_variation", expected(&|row| total_variation(row, prior)), Method::Exact),
            ("channel_capacity_bits", high_bits, Method::Certified { low: low_bits, high: high_bits }),
            ("maximal_leakage_bits", maximal_leakage_bits(&channel), Method::Exact),
            ("fully_disclosed", f64::from(u8::from(settled)), Method::Exact),
        ];
        ChannelMeasures { values, most_telling: largest.map(|(_, _, place)| place) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn randomized_response() {
        // Prior 0.3, honest with probability 3/4: the numbers of the issue that asked for it.
        let joint = vec![vec![0.7 * 0.75, 0.3 * 0.25], vec![0.7 * 0.25, 0.3 * 0.75]];
        let measures = ChannelMeasures::of_channel(&[0.7, 0.3], &joint);
        let value = |name: &str| measures.get(name).expect("a measure").0;
        assert!((value("mutual_information_bits") - 0.159_672_5).abs() < 5e-8);
        assert!((value("bayes_vulnerability_posterior") - 0.75).abs() < 1e-15);
        assert!((value("guessing_entropy_prior") - 1.3).abs() < 1e-15);
        assert!((value("guessing_entropy_posterior") - 1.25).abs() < 1e-15);
        assert!(
            (value("prior_entropy_bits") - value("posterior_entropy_bits") - value("mutual_information_bits")).abs()
                < 1e-15
        );
    }
}
