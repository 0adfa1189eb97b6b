//! The table of the measures of discrete secrets and mixtures: a name, a unit and a plain sentence for each.

use crate::leakage::{Measure, Unit, of_channel};

/// All measures of a discrete secret, in the order of reports.
pub const CHANNEL_MEASURES: &[Measure] = &[
    of_channel(
        "mutual_information_bits",
        Unit::Bits,
        "How many bits the outputs reveal about the secret: on average, or by the values that were seen.",
    ),
    of_channel("prior_entropy_bits", Unit::Bits, "The attacker's uncertainty before."),
    of_channel("posterior_entropy_bits", Unit::Bits, "The attacker's uncertainty after, averaged over all outputs."),
    of_channel("bayes_vulnerability_prior", Unit::Probability, "The chance of guessing the secret in one try, before."),
    of_channel(
        "bayes_vulnerability_posterior",
        Unit::Probability,
        "The chance of guessing the secret in one try, after.",
    ),
    of_channel(
        "min_entropy_leakage_bits",
        Unit::Bits,
        "How many times the chance of guessing the secret in one try doubles; negative if these values made it smaller.",
    ),
    of_channel(
        "guessing_entropy_prior",
        Unit::Ratio,
        "The expected number of guesses needed to find the secret, before.",
    ),
    of_channel(
        "guessing_entropy_posterior",
        Unit::Ratio,
        "The expected number of guesses needed to find the secret, after.",
    ),
    of_channel(
        "max_posterior",
        Unit::Probability,
        "The largest probability that any value of the secret has under any possible output.",
    ),
    of_channel(
        "max_kl_bits",
        Unit::Bits,
        "How far the attacker's belief moves under the output that moves it most (KL divergence from the prior).",
    ),
    of_channel(
        "kl_posterior_prior_bits",
        Unit::Bits,
        "How far the values that were seen moved the attacker's belief (KL divergence from the prior).",
    ),
    of_channel(
        "total_variation",
        Unit::Probability,
        "The largest change in the probability of any event, averaged over all outputs.",
    ),
    of_channel("channel_capacity_bits", Unit::Bits, "The largest mutual information under any prior."),
    of_channel(
        "maximal_leakage_bits",
        Unit::Bits,
        "The largest min-entropy leakage under any prior, whatever the attacker wants to guess.",
    ),
    of_channel("g_vulnerability_prior", Unit::Ratio, "What the attacker gains by the best guess, before."),
    of_channel("g_vulnerability_posterior", Unit::Ratio, "What the attacker gains by the best guess, after."),
    of_channel("g_leakage", Unit::Bits, "How many times the expected gain of the best guess doubles."),
    of_channel("truth_probability_prior", Unit::Probability, "The probability of the true value, before."),
    of_channel("truth_probability_posterior", Unit::Probability, "The probability of the true value, after."),
    of_channel("fully_disclosed", Unit::YesNo, "Whether some possible output leaves nothing to learn."),
];

/// The measure of that name.
pub fn channel_measure(name: &str) -> Option<&'static Measure> {
    CHANNEL_MEASURES.iter().find(|measure| measure.name == name)
}
