//! The table of measures: one name, unit and plain sentence for each, shared by every report and requirement.

use super::{AgainstTruth, Knowledge};

/// What a measure counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bits of information.
    Bits,
    /// The unit of the secret (years, dollars).
    Secret,
    /// The square of the secret's unit.
    SecretSquared,
    /// A chance between 0 and 1.
    Probability,
    /// A pure number.
    Ratio,
    /// 1 for yes, 0 for no; a JSON boolean.
    YesNo,
}

impl Unit {
    /// The unit in words; empty for pure numbers.
    pub fn label(self) -> &'static str {
        match self {
            Unit::Bits => "bits",
            Unit::Secret => "unit of the secret",
            Unit::SecretSquared => "unit of the secret, squared",
            Unit::Probability => "probability",
            Unit::Ratio => "",
            Unit::YesNo => "yes or no",
        }
    }
}

/// A measure of the table.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// Its name in JSON and in requirements.
    pub name: &'static str,
    /// What it counts in.
    pub unit: Unit,
    /// What it means, in one plain sentence.
    pub meaning: &'static str,
    read: Read,
}

/// Where the value comes from.
#[derive(Debug, Clone, Copy)]
enum Read {
    Always(fn(&Measures) -> f64),
    WithTruth(fn(&AgainstTruth) -> f64),
}

impl Measure {
    /// The measure of that name.
    pub fn named(name: &str) -> Option<&'static Measure> {
        MEASURES.iter().find(|measure| measure.name == name)
    }

    /// Its value; `None` if it was not asked for (it needs a truth).
    pub fn value(&self, measures: &Measures) -> Option<f64> {
        match self.read {
            Read::Always(read) => Some(read(measures)),
            Read::WithTruth(read) => measures.against_truth.as_ref().map(read),
        }
    }
}

/// What the measures depend on besides the knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Setting {
    /// How close a guess must be to count, in the secret's unit; a tenth of the prior standard deviation if not given.
    pub guess_tolerance: Option<f64>,
    /// The true value of the secret.
    pub truth: Option<f64>,
}

/// The tolerance of a guess where none is given, in prior standard deviations.
pub const DEFAULT_TOLERANCE_IN_PRIOR_STDS: f64 = 0.1;

/// The values of all measures for one secret.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    knowledge: Knowledge,
    guess_tolerance: f64,
    against_truth: Option<AgainstTruth>,
}

impl Measures {
    /// Measures what was learned.
    pub fn of(knowledge: &Knowledge, setting: &Setting) -> Self {
        let default_tolerance = DEFAULT_TOLERANCE_IN_PRIOR_STDS * knowledge.prior_std();
        Measures {
            knowledge: *knowledge,
            guess_tolerance: setting.guess_tolerance.unwrap_or(default_tolerance),
            against_truth: setting.truth.and_then(|truth| knowledge.against_truth(truth)),
        }
    }

    /// The value of the measure of that name; `None` if there is none, or it needs a truth that was not given.
    pub fn value(&self, name: &str) -> Option<f64> {
        Measure::named(name).and_then(|measure| measure.value(self))
    }

    /// Every measure that has a value, in the order of the table.
    pub fn values(&self) -> impl Iterator<Item = (&'static Measure, f64)> + '_ {
        MEASURES.iter().filter_map(|measure| measure.value(self).map(|value| (measure, value)))
    }

    /// How close a guess had to be to count, in the secret's unit.
    pub fn guess_tolerance(&self) -> f64 {
        self.guess_tolerance
    }

    /// The comparison with the truth, if one was given.
    pub fn against_truth(&self) -> Option<&AgainstTruth> {
        self.against_truth.as_ref()
    }

    /// What was measured.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }
}

const fn always(name: &'static str, unit: Unit, meaning: &'static str, read: fn(&Measures) -> f64) -> Measure {
    Measure { name, unit, meaning, read: Read::Always(read) }
}

const fn with_truth(name: &'static str, unit: Unit, meaning: &'static str, read: fn(&AgainstTruth) -> f64) -> Measure {
    Measure { name, unit, meaning, read: Read::WithTruth(read) }
}

/// Every scalar measure, in the order in which reports show them; those of a truth come last.
pub const MEASURES: &[Measure] = &[
    always(
        "mutual_information_bits",
        Unit::Bits,
        "How many bits all published outputs together tell about the secret on average, whatever their values are.",
        |m| m.knowledge.mutual_information_bits(),
    ),
    always(
        "kl_posterior_prior_bits",
        Unit::Bits,
        "How far the values actually seen have moved the attacker's belief, measured from the new belief to the old one.",
        |m| m.knowledge.kl_posterior_prior_bits(),
    ),
    always(
        "kl_prior_posterior_bits",
        Unit::Bits,
        "How far the values actually seen have moved the attacker's belief, measured from the old belief to the new one.",
        |m| m.knowledge.kl_prior_posterior_bits(),
    ),
    always(
        "fully_disclosed",
        Unit::YesNo,
        "Whether the attacker now knows a secret exactly that was uncertain before.",
        |m| f64::from(u8::from(m.knowledge.fully_disclosed())),
    ),
    always("prior_mean", Unit::Secret, "The attacker's best guess before anything was published.", |m| {
        m.knowledge.prior_mean
    }),
    always("prior_variance", Unit::SecretSquared, "How uncertain the attacker was before, as a variance.", |m| {
        m.knowledge.prior_variance
    }),
    always("prior_std", Unit::Secret, "How uncertain the attacker was before, as a standard deviation.", |m| {
        m.knowledge.prior_std()
    }),
    always("posterior_mean", Unit::Secret, "The attacker's best guess after seeing the outputs.", |m| {
        m.knowledge.posterior_mean()
    }),
    always(
        "posterior_variance",
        Unit::SecretSquared,
        "How uncertain the attacker is after seeing the outputs, as a variance.",
        |m| m.knowledge.posterior_variance,
    ),
    always(
        "posterior_std",
        Unit::Secret,
        "How uncertain the attacker is after seeing the outputs, as a standard deviation.",
        |m| m.knowledge.posterior_std(),
    ),
    always("mean_shift", Unit::Secret, "How far the attacker's best guess has moved.", |m| m.knowledge.mean_shift),
    always(
        "variance_reduction",
        Unit::SecretSquared,
        "By how much the variance of the attacker's belief has shrunk.",
        |m| m.knowledge.variance_reduction,
    ),
    always(
        "effect_size",
        Unit::Ratio,
        "How far the best guess has moved, in standard deviations of the belief that is left.",
        |m| m.knowledge.effect_size(),
    ),
    always(
        "prior_entropy_bits",
        Unit::Bits,
        "The uncertainty before, as differential entropy; only differences of it have a meaning of their own.",
        |m| m.knowledge.prior_entropy_bits(),
    ),
    always(
        "posterior_entropy_bits",
        Unit::Bits,
        "The uncertainty after, as differential entropy; only differences of it have a meaning of their own.",
        |m| m.knowledge.posterior_entropy_bits(),
    ),
    always(
        "total_variation",
        Unit::Probability,
        "The most by which the probability of any event about the secret has changed.",
        |m| m.knowledge.total_variation(),
    ),
    always(
        "hellinger",
        Unit::Ratio,
        "How different the beliefs before and after are, from 0 (the same) to 1 (no overlap).",
        |m| m.knowledge.hellinger(),
    ),
    always(
        "wasserstein2",
        Unit::Secret,
        "How far the belief has moved and narrowed, as a distance in the secret's own unit.",
        |m| m.knowledge.wasserstein2(),
    ),
    always("guess_tolerance", Unit::Secret, "How close a guess must be to the secret to count as right.", |m| {
        m.guess_tolerance
    }),
    always(
        "bayes_vulnerability_prior",
        Unit::Probability,
        "The chance that the attacker's best guess was right within the tolerance before.",
        |m| m.knowledge.prior_vulnerability(m.guess_tolerance),
    ),
    always(
        "bayes_vulnerability_posterior",
        Unit::Probability,
        "The chance that the attacker's best guess is right within the tolerance after seeing the outputs.",
        |m| m.knowledge.posterior_vulnerability(m.guess_tolerance),
    ),
    always(
        "multiplicative_leakage",
        Unit::Ratio,
        "How many times more often the attacker's best guess is right than before.",
        |m| m.knowledge.multiplicative_leakage(m.guess_tolerance),
    ),
    always("additive_leakage", Unit::Probability, "By how much the chance of a right guess has grown.", |m| {
        m.knowledge.additive_leakage(m.guess_tolerance)
    }),
    always(
        "min_entropy_leakage_bits",
        Unit::Bits,
        "How many times more often the best guess is right, as a number of doublings.",
        |m| m.knowledge.min_entropy_leakage_bits(m.guess_tolerance),
    ),
    always(
        "density_leakage_limit",
        Unit::Ratio,
        "How many times more often a guess is right that must be ever closer: old over new standard deviation.",
        |m| m.knowledge.density_leakage_limit(),
    ),
    always("density_leakage_limit_bits", Unit::Bits, "The same as a number of doublings.", |m| {
        m.knowledge.density_leakage_limit_bits()
    }),
    always(
        "squared_error_prior",
        Unit::SecretSquared,
        "The mean squared error of the attacker's best guess before.",
        |m| m.knowledge.prior_variance,
    ),
    always(
        "squared_error_posterior",
        Unit::SecretSquared,
        "The mean squared error of the attacker's best guess after seeing the outputs.",
        |m| m.knowledge.posterior_variance,
    ),
    always(
        "squared_error_ratio",
        Unit::Ratio,
        "How many times smaller the mean squared error of the best guess has become.",
        |m| m.knowledge.squared_error_ratio(),
    ),
    with_truth(
        "truth_error_prior",
        Unit::Secret,
        "How far the attacker's best guess was from the truth before.",
        |truth| truth.error_prior,
    ),
    with_truth(
        "truth_error_posterior",
        Unit::Secret,
        "How far the attacker's best guess is from the truth after seeing the outputs.",
        |truth| truth.error_posterior,
    ),
    with_truth(
        "truth_within_1_percent_prior",
        Unit::Probability,
        "The chance the attacker gave before to a value within 1 % of the truth.",
        |truth| truth.within_prior[0],
    ),
    with_truth(
        "truth_within_1_percent_posterior",
        Unit::Probability,
        "The chance the attacker now gives to a value within 1 % of the truth.",
        |truth| truth.within_posterior[0],
    ),
    with_truth(
        "truth_within_5_percent_prior",
        Unit::Probability,
        "The chance the attacker gave before to a value within 5 % of the truth.",
        |truth| truth.within_prior[1],
    ),
    with_truth(
        "truth_within_5_percent_posterior",
        Unit::Probability,
        "The chance the attacker now gives to a value within 5 % of the truth.",
        |truth| truth.within_posterior[1],
    ),
    with_truth(
        "truth_within_10_percent_prior",
        Unit::Probability,
        "The chance the attacker gave before to a value within 10 % of the truth.",
        |truth| truth.within_prior[2],
    ),
    with_truth(
        "truth_within_10_percent_posterior",
        Unit::Probability,
        "The chance the attacker now gives to a value within 10 % of the truth.",
        |truth| truth.within_posterior[2],
    ),
    with_truth(
        "truth_z_posterior",
        Unit::Ratio,
        "How many standard deviations the truth lies above the attacker's best guess.",
        |truth| truth.z_posterior,
    ),
    with_truth(
        "truth_percentile_posterior",
        Unit::Probability,
        "The chance the attacker now gives to a value not above the truth.",
        |truth| truth.percentile_posterior,
    ),
];

/// The names of all measures.
pub fn measure_names() -> Vec<&'static str> {
    MEASURES.iter().map(|measure| measure.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leakage::NEARNESS_PERCENT;
    use privug_engine::gaussian::testing::assert_relative;

    fn case_study() -> Knowledge {
        Knowledge::after_all_outputs(480_000.0, 100.0, 3000.0, 90.0, 10.0)
    }

    #[test]
    fn names_are_distinct_and_carry_their_unit() {
        for (index, measure) in MEASURES.iter().enumerate() {
            assert!(MEASURES[..index].iter().all(|earlier| earlier.name != measure.name), "{} twice", measure.name);
            assert_eq!(measure.name.ends_with("_bits"), measure.unit == Unit::Bits, "{}", measure.name);
            assert!(measure.meaning.ends_with('.') && measure.meaning.matches(". ").count() == 0, "{}", measure.name);
        }
        for percent in NEARNESS_PERCENT {
            assert!(Measure::named(&format!("truth_within_{percent}_percent_posterior")).is_some());
        }
    }

    #[test]
    fn the_case_study_can_be_read_by_name() {
        let measures = Measures::of(&case_study(), &Setting { truth: Some(500_000.0), ..Setting::default() });
        let value = |name: &str| measures.value(name).unwrap_or(f64::NAN);
        assert_relative(value("mutual_information_bits"), 0.076_001_546_722_524_99, 1e-14);
        assert_relative(value("kl_posterior_prior_bits"), 64_921.280_706_798_03, 1e-14);
        assert_relative(value("kl_prior_posterior_bits"), 72_134.756_192_625_94, 1e-14);
        assert_eq!([value("posterior_mean"), value("posterior_variance")], [483_000.0, 90.0]);
        assert_eq!([value("squared_error_prior"), value("squared_error_posterior")], [100.0, 90.0]);
        assert_eq!([value("fully_disclosed"), value("guess_tolerance")], [0.0, 1.0]);
        assert_eq!(value("truth_error_posterior"), 17_000.0);
        assert_eq!(measures.value("no_such_measure"), None);
    }

    #[test]
    fn a_truth_is_needed_for_what_compares_with_it() {
        let without = Measures::of(&case_study(), &Setting::default());
        assert_eq!(without.value("truth_error_prior"), None);
        assert!(without.values().all(|(measure, _)| !measure.name.starts_with("truth_")));
        let with = Measures::of(&case_study(), &Setting { truth: Some(1.0), guess_tolerance: Some(2.0) });
        assert_eq!(with.values().count(), MEASURES.len());
        assert_eq!(with.guess_tolerance(), 2.0);
    }

    #[test]
    fn constants_and_disclosed_secrets_have_every_measure() {
        for knowledge in [
            Knowledge::after_all_outputs(7.0, 0.0, 0.0, 0.0, 0.0),
            Knowledge::after_all_outputs(7.0, 4.0, 1.0, 0.0, 4.0),
        ] {
            let measures = Measures::of(&knowledge, &Setting { truth: Some(7.0), ..Setting::default() });
            for (measure, value) in measures.values() {
                assert!(!value.is_nan(), "{}", measure.name);
            }
        }
    }
}
