//! The measures of a discrete secret by name, of all outputs that are possible or of the one that was seen.

use super::{
    Capacity, Gain, capacity, entropy_bits, entropy_bits_of_classes, guessing_entropy_of_classes, kl_bits,
    maximal_leakage_bits, total_variation, vulnerability_of_classes,
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

    /// Of a value that was obtained like this, the end that a requirement is judged by: the upper one where more is worse.
    pub fn worse_end(self, value: f64, more_is_worse: bool) -> f64 {
        match self {
            Method::Exact => value,
            Method::Certified { high, .. } if more_is_worse => high,
            Method::Certified { low, .. } => low,
        }
    }
}

/// How many values are possible.
fn possible_values(probabilities: &[f64], sizes: &[f64]) -> f64 {
    probabilities.iter().zip(sizes).filter(|(p, _)| **p > 0.0).map(|(_, size)| size).sum()
}

/// Whether doubles have the digits to tell how far these beliefs are from the prior: a prior probability that is possible but
/// below the doubles has lost them, which matters where the value has become likelier.
fn has_digits(prior: &[f64], beliefs: &[&[f64]]) -> bool {
    let lost = |place: &usize| prior[*place] > 0.0 && prior[*place] < f64::MIN_POSITIVE;
    let mut lost = (0..prior.len()).filter(lost);
    lost.all(|place| beliefs.iter().all(|belief| belief[place] <= prior[place]))
}

/// log₂ (after / before); what differs by the rounding of a sum only is equal.
fn leakage_bits(after: f64, before: f64) -> f64 {
    if (after - before).abs() <= 4.0 * f64::EPSILON * before { 0.0 } else { (after / before).log2() }
}

/// How far off probabilities can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uncertainty {
    /// Bounds the sum of the errors of all probabilities.
    pub error: f64,
    /// How many probabilities there are.
    pub values: usize,
    /// The smallest prior probability of a value of the secret.
    pub least_prior: f64,
    /// The smallest probability of an output.
    pub least_output: f64,
}

/// The values of the measures of one secret.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChannelMeasures {
    values: Vec<(&'static str, f64, Method)>,
    /// The place of the output under which some value of the secret is most likely, where outputs were not seen.
    pub surest_output: Option<usize>,
    /// The place of the output that moves the attacker's belief most, where outputs were not seen.
    pub most_moving_output: Option<usize>,
}

impl ChannelMeasures {
    /// Nothing is known.
    pub fn unknown() -> Self {
        ChannelMeasures::default()
    }

    /// Nothing is known yet. A million secrets have as many lists, which had better not grow one by one.
    fn with_room() -> Self {
        /// Those of a discrete secret, with its moments.
        const MOST: usize = 20;
        ChannelMeasures { values: Vec::with_capacity(MOST), ..ChannelMeasures::default() }
    }

    /// What carries over from the sides of thresholds to the Gaussian variable that lies on one of them: the information,
    /// but not its entropy and not the chance of guessing it.
    #[must_use]
    pub fn of_sides(mut self) -> Self {
        const CARRIED_OVER: &[&str] =
            &["mutual_information_bits", "max_kl_bits", "total_variation", "channel_capacity_bits"];
        self.values.retain(|(name, _, _)| CARRIED_OVER.contains(name));
        self.push("fully_disclosed", 0.0);
        self.surest_output = None;
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

    /// Adds a measure that is a closed form.
    pub fn push(&mut self, name: &'static str, value: f64) {
        self.values.push((name, value, Method::Exact));
    }

    /// Adds a measure, unless it is not known.
    fn push_some(&mut self, name: &'static str, value: Option<f64>) {
        if let Some(value) = value {
            self.push(name, value);
        }
    }

    /// Adds a measure that was obtained in some way.
    pub fn push_known(&mut self, name: &'static str, value: f64, method: Method) {
        self.values.push((name, value, method));
    }

    /// Adds a measure that lies between two bounds; the upper one stands for it.
    pub fn push_certified(&mut self, name: &'static str, low: f64, high: f64) {
        let method = if low == high { Method::Exact } else { Method::Certified { low, high } };
        self.values.push((name, high, method));
    }

    /// Puts other bounds in the place of a measure; without them it is not known.
    pub(super) fn replace(&mut self, name: &'static str, bounds: Option<(f64, f64)>) {
        let place = self.values.iter().position(|(known, _, _)| *known == name);
        match (place, bounds) {
            (Some(place), Some((low, high))) => {
                let method = if low == high { Method::Exact } else { Method::Certified { low, high } };
                self.values[place] = (name, high, method);
            }
            (None, Some((low, high))) => self.push_certified(name, low, high),
            (Some(place), None) => drop(self.values.remove(place)),
            (None, None) => {}
        }
    }

    /// Of the values that were seen: a prior and a posterior over the same values.
    ///
    /// The information that these values gave is the divergence D(posterior ‖ prior): its mean over all outputs is the
    /// mutual information, and unlike the difference of entropies it is not negative, so that a rare value which became
    /// likely is not mistaken for nothing learned.
    pub fn of_output(prior: &[f64], posterior: &[f64], gain: Option<&Gain>) -> Self {
        ChannelMeasures::of_output_in_classes(prior, posterior, &vec![1.0; prior.len()], gain)
    }

    /// The same where each probability is that of a class of so many equally likely values.
    pub fn of_output_in_classes(prior: &[f64], posterior: &[f64], sizes: &[f64], gain: Option<&Gain>) -> Self {
        let kl = kl_bits(posterior, prior);
        let vulnerability = |probabilities: &[f64]| vulnerability_of_classes(probabilities, sizes);
        let entropy_bits = |probabilities: &[f64]| entropy_bits_of_classes(probabilities, sizes);
        let guessing_entropy = |probabilities: &[f64]| guessing_entropy_of_classes(probabilities, sizes);
        let possible = |probabilities: &[f64]| possible_values(probabilities, sizes);
        let (v_prior, v_posterior) = (vulnerability(prior), vulnerability(posterior));
        let mut measures = ChannelMeasures::with_room();
        let kl = has_digits(prior, &[posterior]).then_some(kl);
        measures.push_some("mutual_information_bits", kl);
        measures.push("prior_entropy_bits", entropy_bits(prior));
        measures.push("posterior_entropy_bits", entropy_bits(posterior));
        measures.push("bayes_vulnerability_prior", v_prior);
        measures.push("bayes_vulnerability_posterior", v_posterior);
        measures.push("min_entropy_leakage_bits", leakage_bits(v_posterior, v_prior));
        measures.push("guessing_entropy_prior", guessing_entropy(prior));
        measures.push("guessing_entropy_posterior", guessing_entropy(posterior));
        measures.push("max_posterior", v_posterior);
        measures.push_some("max_kl_bits", kl);
        measures.push_some("kl_posterior_prior_bits", kl);
        measures.push("total_variation", total_variation(posterior, prior));
        measures.push_gain(gain.map(|gain| (gain.vulnerability(prior), gain.vulnerability(posterior))));
        measures.push("fully_disclosed", f64::from(u8::from(possible(prior) > 1.0 && possible(posterior) == 1.0)));
        measures
    }

    /// Of a channel: the joint probabilities, for each output of each secret, given what was seen before; and the prior
    /// of before anything was seen, which all measures start from.
    ///
    /// The capacity and the maximal leakage are about all priors; where something was seen that is not part of the channel
    /// (`has_evidence`), they say nothing about it, and are not known.
    pub fn of_channel(prior: &[f64], joint: &[Vec<f64>], has_evidence: bool, gain: Option<&Gain>) -> Self {
        ChannelMeasures::of_channel_in_classes(prior, joint, &vec![1.0; prior.len()], has_evidence, gain)
    }

    /// The same where each probability is that of a class of so many equally likely values. Within a class, outputs tell
    /// nothing, so that information, capacity and maximal leakage are those of the classes.
    pub fn of_channel_in_classes(
        prior: &[f64],
        joint: &[Vec<f64>],
        sizes: &[f64],
        has_evidence: bool,
        gain: Option<&Gain>,
    ) -> Self {
        let vulnerability = |probabilities: &[f64]| vulnerability_of_classes(probabilities, sizes);
        let entropy_bits = |probabilities: &[f64]| entropy_bits_of_classes(probabilities, sizes);
        let guessing_entropy = |probabilities: &[f64]| guessing_entropy_of_classes(probabilities, sizes);
        let rows: Vec<(usize, f64, Vec<f64>)> = joint
            .iter()
            .enumerate()
            .map(|(place, row)| (place, row.iter().sum::<f64>(), row))
            .filter(|(_, weight, _)| *weight > 0.0)
            .map(|(place, weight, row)| (place, weight, row.iter().map(|p| p / weight).collect()))
            .collect();
        let expected = |of: &dyn Fn(&[f64]) -> f64| rows.iter().map(|(_, weight, row)| weight * of(row)).sum::<f64>();
        let largest = |of: &dyn Fn(&[f64]) -> f64| {
            let all = rows.iter().map(|(place, _, row)| (of(row), *place));
            // The first of those that are equally large.
            all.fold(
                (f64::NEG_INFINITY, None),
                |best: (f64, Option<usize>), (value, place)| {
                    if value > best.0 { (value, Some(place)) } else { best }
                },
            )
        };
        let possible = |probabilities: &[f64]| possible_values(probabilities, sizes);
        let v_prior = vulnerability(prior);
        let v_posterior: f64 = joint.iter().map(|row| vulnerability(row)).sum();
        let v_leakage = leakage_bits(v_posterior, v_prior);
        let (max_posterior, surest) = largest(&|row| vulnerability(row));
        let (max_kl, most_moving) = largest(&|row| kl_bits(row, prior));
        let beliefs: Vec<&[f64]> = rows.iter().map(|(_, _, row)| &row[..]).collect();
        let has_digits = has_digits(prior, &beliefs);
        let settled = possible(prior) > 1.0 && rows.iter().any(|(_, _, row)| possible(row) == 1.0);
        let mut measures = ChannelMeasures::with_room();
        // Without evidence, an output under which such a value becomes likelier is as unlikely itself, and adds nothing.
        let information = (has_digits || !has_evidence).then(|| expected(&|row| kl_bits(row, prior)));
        measures.push_some("mutual_information_bits", information);
        measures.push("prior_entropy_bits", entropy_bits(prior));
        measures.push("posterior_entropy_bits", expected(&|row| entropy_bits(row)));
        measures.push("bayes_vulnerability_prior", v_prior);
        measures.push("bayes_vulnerability_posterior", v_posterior);
        measures.push("min_entropy_leakage_bits", if has_evidence { v_leakage } else { v_leakage.max(0.0) });
        measures.push("guessing_entropy_prior", guessing_entropy(prior));
        measures.push("guessing_entropy_posterior", expected(&|row| guessing_entropy(row)));
        measures.push("max_posterior", max_posterior);
        measures.push_some("max_kl_bits", has_digits.then_some(max_kl));
        measures.push("total_variation", expected(&|row| total_variation(row, prior)));
        if !has_evidence && has_digits {
            let channel: Vec<Vec<f64>> = (0..prior.len())
                .filter(|secret| prior[*secret] > 0.0)
                .map(|secret| joint.iter().map(|row| row[secret] / prior[secret]).collect())
                .collect();
            let Capacity { low_bits, high_bits } = capacity(&channel);
            measures.push_certified("channel_capacity_bits", low_bits, high_bits);
            measures.push("maximal_leakage_bits", maximal_leakage_bits(&channel));
        }
        let gained = |gain: &Gain| joint.iter().map(|row| gain.vulnerability(row)).sum::<f64>();
        measures.push_gain(gain.map(|gain| (gain.vulnerability(prior), gained(gain))));
        measures.push("fully_disclosed", f64::from(u8::from(settled)));
        (measures.surest_output, measures.most_moving_output) = (surest, most_moving.filter(|_| has_digits));
        measures
    }

    /// Makes bounds of the values, where probabilities are known up to an error only.
    ///
    /// Entropies of distributions whose total variation is at most T differ by at most T log₂(values) + h(T) (Fannes and
    /// Audenaert); a mutual information is made of three of them, a divergence of one and of an expectation of log π. What is
    /// about one output or one secret is off by as much more as that one is unlikely. What a guess gains is not known then.
    pub fn loosen(&mut self, uncertainty: &Uncertainty) {
        let Uncertainty { error, values, least_prior, least_output } = *uncertainty;
        if error <= 0.0 {
            return;
        }
        let bits = |error: f64| {
            let share = error.min(0.5);
            let entropy = share * (values as f64 + 1.0).log2() + entropy_bits(&[share, 1.0 - share]);
            3.0 * entropy + 2.0 * share * least_prior.log2().abs()
        };
        let count = values as f64;
        self.values.retain(|(name, _, _)| !name.starts_with("g_"));
        for (name, value, method) in &mut self.values {
            let slack = match *name {
                "max_posterior" => 2.0 * error / least_output,
                "max_kl_bits" => bits(2.0 * error / least_output),
                "channel_capacity_bits" => bits(2.0 * error / least_prior),
                "min_entropy_leakage_bits" => 4.0 * error * count,
                "maximal_leakage_bits" => 4.0 * error * count / least_prior,
                "guessing_entropy_prior" | "guessing_entropy_posterior" => error * count,
                name if name.ends_with("_bits") => bits(error),
                "fully_disclosed" => continue,
                _ => error,
            };
            let (low, high) = match *method {
                Method::Exact => (*value, *value),
                Method::Certified { low, high } => (low, high),
            };
            // What the measure cannot be is no bound worth telling.
            let (least, most) = match *name {
                "min_entropy_leakage_bits" => (f64::NEG_INFINITY, f64::INFINITY),
                "max_posterior" | "total_variation" => (0.0, 1.0),
                "bayes_vulnerability_prior" | "bayes_vulnerability_posterior" => (0.0, 1.0),
                _ => (0.0, f64::INFINITY),
            };
            *method = Method::Certified { low: (low - slack).max(least), high: (high + slack).min(most) };
        }
    }

    /// What the best guess gains, before and after.
    fn push_gain(&mut self, gained: Option<(f64, f64)>) {
        let Some((before, after)) = gained else { return };
        self.push("g_vulnerability_prior", before);
        self.push("g_vulnerability_posterior", after);
        // Where no guess gains anything, before or after, nothing was learned about it.
        self.push("g_leakage", if before == after { 0.0 } else { (after / before).log2() });
    }
}
