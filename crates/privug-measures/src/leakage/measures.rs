//! The table of measures: one name, unit and plain sentence for each, shared by every report and requirement.
//!
//! Where outputs have no value yet, measures say what publishing *would* tell. Most do not depend on the values: they
//! are functions of the variance that all outputs leave. The others are not known then.

use super::{AgainstTruth, Knowledge, Normal};

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
    /// The prior and the variance that all outputs leave.
    Always(fn(&Measures) -> f64),
    /// The values that were seen; without them, another measure answers a similar question.
    WithValues(fn(&Knowledge) -> f64, &'static str),
    /// The prior and the truth.
    WithTruth(fn(&AgainstTruth) -> f64),
    /// The values that were seen, and the truth.
    WithTruthAndValues(fn(&AgainstTruth) -> f64, &'static str),
    /// A channel: only discrete secrets and mixtures have it.
    OfChannel,
}

/// A measure of one secret, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reading {
    /// Its value.
    Value(f64),
    /// It compares with the truth, which was not given.
    NeedsTruth,
    /// It depends on the values of unobserved outputs.
    NeedsValues {
        /// The name of a measure that does not.
        instead: &'static str,
    },
    /// Nobody knows, or secrets of this kind do not have it.
    Unknown,
}

impl Reading {
    /// The value, if there is one.
    pub fn value(self) -> Option<f64> {
        match self {
            Reading::Value(value) => Some(value),
            Reading::NeedsTruth | Reading::NeedsValues { .. } | Reading::Unknown => None,
        }
    }
}

impl Measure {
    /// The measure of that name.
    pub fn named(name: &str) -> Option<&'static Measure> {
        MEASURES.iter().find(|measure| measure.name == name)
    }

    /// Whether nothing that is published changes it.
    pub fn is_of_the_prior(&self) -> bool {
        self.name.starts_with("prior_") || self.name.ends_with("_prior") || self.name == "guess_tolerance"
    }

    /// The least and the largest value that it can have at all.
    pub fn bounds(&self) -> (f64, f64) {
        const NEVER_NEGATIVE: &[&str] = &[
            "mutual_information_bits",
            "channel_capacity_bits",
            "maximal_leakage_bits",
            "posterior_std",
            "posterior_variance",
        ];
        match self.unit {
            Unit::Probability | Unit::YesNo => (0.0, 1.0),
            Unit::Bits | Unit::Secret | Unit::SecretSquared | Unit::Ratio => {
                let is_divergence = self.name.starts_with("kl_") || self.name == "max_kl_bits";
                let least = if is_divergence || NEVER_NEGATIVE.contains(&self.name) { 0.0 } else { f64::NEG_INFINITY };
                (least, f64::INFINITY)
            }
        }
    }

    /// Whether its sign says in which direction, and its size how much.
    pub fn is_signed(&self) -> bool {
        matches!(self.name, "mean_shift" | "effect_size" | "truth_z_posterior")
    }

    /// Its value, or what is missing to have one.
    pub fn read(&self, measures: &Measures) -> Reading {
        let truth = |read: fn(&AgainstTruth) -> f64| match &measures.against_truth {
            Some(truth) => Reading::Value(read(truth)),
            None => Reading::NeedsTruth,
        };
        match self.read {
            Read::Always(read) => Reading::Value(read(measures)),
            Read::WithTruth(read) => truth(read),
            Read::WithTruthAndValues(..) if measures.against_truth.is_none() => Reading::NeedsTruth,
            Read::WithValues(_, instead) | Read::WithTruthAndValues(_, instead) if measures.knowledge.is_open() => {
                Reading::NeedsValues { instead }
            }
            Read::WithValues(read, _) => Reading::Value(read(&measures.knowledge)),
            Read::WithTruthAndValues(read, _) => truth(read),
            Read::OfChannel => Reading::Unknown,
        }
    }

    /// Its value; `None` if it needs a truth, or values, that were not given.
    pub fn value(&self, measures: &Measures) -> Option<f64> {
        self.read(measures).value()
    }
}

/// What the measures depend on besides the knowledge.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Setting {
    /// How close a guess must be to count, in the secret's unit; a tenth of the prior standard deviation if not given.
    pub guess_tolerance: Option<f64>,
    /// The true value of the secret.
    pub truth: Option<f64>,
    /// The level of credible intervals; [`DEFAULT_LEVEL`] if not given.
    pub level: Option<f64>,
}

/// The level of credible intervals where none is given.
pub const DEFAULT_LEVEL: f64 = 0.95;

/// The tolerance of a guess where none is given, in prior standard deviations.
pub const DEFAULT_TOLERANCE_IN_PRIOR_STDS: f64 = 0.1;

/// The values of all measures for one secret.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    knowledge: Knowledge,
    /// The same once all outputs are published.
    published: Knowledge,
    guess_tolerance: f64,
    level: f64,
    against_truth: Option<AgainstTruth>,
}

impl Measures {
    /// Measures what was learned.
    pub fn of(knowledge: &Knowledge, setting: &Setting) -> Self {
        let default_tolerance = DEFAULT_TOLERANCE_IN_PRIOR_STDS * knowledge.prior_std();
        Measures {
            knowledge: *knowledge,
            published: knowledge.as_if_published(),
            guess_tolerance: setting.guess_tolerance.unwrap_or(default_tolerance),
            level: setting.level.unwrap_or(DEFAULT_LEVEL),
            against_truth: setting.truth.and_then(|truth| knowledge.against_truth(truth)),
        }
    }

    /// The value of the measure of that name; `None` if there is none, or it needs a truth or values that were not given.
    pub fn value(&self, name: &str) -> Option<f64> {
        Measure::named(name).and_then(|measure| measure.value(self))
    }

    /// Every measure that has a value, in the order of the table.
    pub fn values(&self) -> impl Iterator<Item = (&'static Measure, f64)> + '_ {
        MEASURES.iter().filter_map(|measure| measure.value(self).map(|value| (measure, value)))
    }

    /// Whether the prior left nothing to learn.
    pub fn is_known_beforehand(&self) -> bool {
        self.knowledge.prior_variance == 0.0
    }

    /// How close a guess had to be to count, in the secret's unit.
    pub fn guess_tolerance(&self) -> f64 {
        self.guess_tolerance
    }

    /// The comparison of what was seen with the truth, if one was given.
    pub fn against_truth(&self) -> Option<&AgainstTruth> {
        self.against_truth.as_ref()
    }

    fn interval_width(&self, variance: f64) -> f64 {
        let interval = Normal::new(0.0, variance).and_then(|normal| normal.credible_interval(self.level));
        interval.map_or(f64::NAN, |(low, high)| high - low)
    }
}

/// A measure of channels, which is read from there.
pub(crate) const fn of_channel(name: &'static str, unit: Unit, meaning: &'static str) -> Measure {
    Measure { name, unit, meaning, read: Read::OfChannel }
}

const fn always(name: &'static str, unit: Unit, meaning: &'static str, read: fn(&Measures) -> f64) -> Measure {
    Measure { name, unit, meaning, read: Read::Always(read) }
}

const fn with_values(
    name: &'static str,
    unit: Unit,
    meaning: &'static str,
    instead: &'static str,
    read: fn(&Knowledge) -> f64,
) -> Measure {
    Measure { name, unit, meaning, read: Read::WithValues(read, instead) }
}

const fn with_truth(name: &'static str, unit: Unit, meaning: &'static str, read: fn(&AgainstTruth) -> f64) -> Measure {
    Measure { name, unit, meaning, read: Read::WithTruth(read) }
}

const fn with_truth_and_values(
    name: &'static str,
    unit: Unit,
    meaning: &'static str,
    instead: &'static str,
    read: fn(&AgainstTruth) -> f64,
) -> Measure {
    Measure { name, unit, meaning, read: Read::WithTruthAndValues(read, instead) }
}

/// Every scalar measure, in the order in which reports show them; those of a truth come last.
pub const MEASURES: &[Measure] = &[
    always(
        "mutual_information_bits",
        Unit::Bits,
        "How many bits all published outputs together reveal about the secret on average, whatever their values are.",
        |m| m.published.mutual_information_bits(),
    ),
    with_values(
        "kl_posterior_prior_bits",
        Unit::Bits,
        "How far the values actually seen have moved the attacker's belief, measured from the new belief to the old one.",
        "mutual_information_bits",
        |k| k.kl_posterior_prior_bits(),
    ),
    with_values(
        "kl_prior_posterior_bits",
        Unit::Bits,
        "How far the values actually seen have moved the attacker's belief, measured from the old belief to the new one.",
        "mutual_information_bits",
        |k| k.kl_prior_posterior_bits(),
    ),
    always(
        "fully_disclosed",
        Unit::YesNo,
        "Whether the outputs determine a secret exactly that was uncertain before.",
        |m| f64::from(u8::from(m.published.fully_disclosed())),
    ),
    always("prior_mean", Unit::Secret, "The attacker's best guess before anything was published.", |m| {
        m.published.prior_mean
    }),
    always("prior_variance", Unit::SecretSquared, "How uncertain the attacker was before, as a variance.", |m| {
        m.published.prior_variance
    }),
    always("prior_std", Unit::Secret, "How uncertain the attacker was before, as a standard deviation.", |m| {
        m.published.prior_std()
    }),
    with_values(
        "posterior_mean",
        Unit::Secret,
        "The attacker's best guess after seeing the outputs.",
        "posterior_std",
        |k| k.posterior_mean(),
    ),
    always(
        "posterior_variance",
        Unit::SecretSquared,
        "How uncertain the attacker is after seeing the outputs, as a variance.",
        |m| m.published.posterior_variance,
    ),
    always(
        "posterior_std",
        Unit::Secret,
        "How uncertain the attacker is after seeing the outputs, as a standard deviation.",
        |m| m.published.posterior_std(),
    ),
    with_values(
        "mean_shift",
        Unit::Secret,
        "How far the attacker's best guess has moved.",
        "variance_reduction",
        |k| k.mean_shift,
    ),
    always(
        "variance_reduction",
        Unit::SecretSquared,
        "By how much the variance of the attacker's belief has shrunk.",
        |m| m.published.variance_reduction,
    ),
    with_values(
        "effect_size",
        Unit::Ratio,
        "How far the best guess has moved, in posterior standard deviations.",
        "squared_error_ratio",
        |k| k.effect_size(),
    ),
    always(
        "prior_entropy_bits",
        Unit::Bits,
        "The uncertainty before, as differential entropy; only differences are meaningful.",
        |m| m.published.prior_entropy_bits(),
    ),
    always(
        "posterior_entropy_bits",
        Unit::Bits,
        "The uncertainty after, as differential entropy; only differences are meaningful.",
        |m| m.published.posterior_entropy_bits(),
    ),
    with_values(
        "total_variation",
        Unit::Probability,
        "The largest change in the probability of any event about the secret.",
        "mutual_information_bits",
        |k| k.total_variation(),
    ),
    with_values(
        "hellinger",
        Unit::Ratio,
        "How different the beliefs before and after are, from 0 (the same) to 1 (no overlap).",
        "mutual_information_bits",
        |k| k.hellinger(),
    ),
    with_values(
        "wasserstein2",
        Unit::Secret,
        "How far the belief has moved and narrowed, as a distance in the secret's own unit.",
        "posterior_std",
        |k| k.wasserstein2(),
    ),
    always("interval_width_prior", Unit::Secret, "The width of the credible interval before.", |m| {
        m.interval_width(m.published.prior_variance)
    }),
    always(
        "interval_width_posterior",
        Unit::Secret,
        "The width of the credible interval after seeing the outputs.",
        |m| m.interval_width(m.published.posterior_variance),
    ),
    always("guess_tolerance", Unit::Secret, "How close a guess must be to the secret to count as right.", |m| {
        m.guess_tolerance
    }),
    always(
        "bayes_vulnerability_prior",
        Unit::Probability,
        "The chance that the attacker's best guess was right within the tolerance before.",
        |m| m.published.prior_vulnerability(m.guess_tolerance),
    ),
    always(
        "bayes_vulnerability_posterior",
        Unit::Probability,
        "The chance that the attacker's best guess is right within the tolerance after seeing the outputs.",
        |m| m.published.posterior_vulnerability(m.guess_tolerance),
    ),
    always(
        "multiplicative_leakage",
        Unit::Ratio,
        "How many times more often the attacker's best guess is right than before.",
        |m| m.published.multiplicative_leakage(m.guess_tolerance),
    ),
    always("additive_leakage", Unit::Probability, "By how much the chance of a right guess has grown.", |m| {
        m.published.additive_leakage(m.guess_tolerance)
    }),
    always(
        "min_entropy_leakage_bits",
        Unit::Bits,
        "How many times more often the best guess is right, as a number of doublings.",
        |m| m.published.min_entropy_leakage_bits(m.guess_tolerance),
    ),
    always(
        "density_leakage_limit",
        Unit::Ratio,
        "The multiplicative leakage in the limit of ever closer guesses: old over new standard deviation.",
        |m| m.published.density_leakage_limit(),
    ),
    always("density_leakage_limit_bits", Unit::Bits, "The same as a number of doublings.", |m| {
        m.published.density_leakage_limit_bits()
    }),
    always(
        "squared_error_prior",
        Unit::SecretSquared,
        "The mean squared error of the attacker's best guess before.",
        |m| m.published.prior_variance,
    ),
    always(
        "squared_error_posterior",
        Unit::SecretSquared,
        "The mean squared error of the attacker's best guess after seeing the outputs.",
        |m| m.published.posterior_variance,
    ),
    always(
        "squared_error_ratio",
        Unit::Ratio,
        "How many times smaller the mean squared error of the best guess has become.",
        |m| m.published.squared_error_ratio(),
    ),
    with_truth(
        "truth_error_prior",
        Unit::Secret,
        "How far the attacker's best guess was from the truth before.",
        |truth| truth.error_prior,
    ),
    with_truth_and_values(
        "truth_error_posterior",
        Unit::Secret,
        "How far the attacker's best guess is from the truth after seeing the outputs.",
        "posterior_std",
        |truth| truth.error_posterior,
    ),
    with_truth(
        "truth_within_1_percent_prior",
        Unit::Probability,
        "The chance the attacker gave before to a value within 1 % of the truth.",
        |truth| truth.within_prior[0],
    ),
    with_truth_and_values(
        "truth_within_1_percent_posterior",
        Unit::Probability,
        "The chance the attacker now gives to a value within 1 % of the truth.",
        "bayes_vulnerability_posterior",
        |truth| truth.within_posterior[0],
    ),
    with_truth(
        "truth_within_5_percent_prior",
        Unit::Probability,
        "The chance the attacker gave before to a value within 5 % of the truth.",
        |truth| truth.within_prior[1],
    ),
    with_truth_and_values(
        "truth_within_5_percent_posterior",
        Unit::Probability,
        "The chance the attacker now gives to a value within 5 % of the truth.",
        "bayes_vulnerability_posterior",
        |truth| truth.within_posterior[1],
    ),
    with_truth(
        "truth_within_10_percent_prior",
        Unit::Probability,
        "The chance the attacker gave before to a value within 10 % of the truth.",
        |truth| truth.within_prior[2],
    ),
    with_truth_and_values(
        "truth_within_10_percent_posterior",
        Unit::Probability,
        "The chance the attacker now gives to a value within 10 % of the truth.",
        "bayes_vulnerability_posterior",
        |truth| truth.within_posterior[2],
    ),
    with_truth_and_values(
        "truth_z_posterior",
        Unit::Ratio,
        "How many standard deviations the truth lies above the attacker's best guess.",
        "posterior_std",
        |truth| truth.z_posterior,
    ),
    with_truth_and_values(
        "truth_percentile_posterior",
        Unit::Probability,
        "The chance the attacker now gives to a value not above the truth.",
        "posterior_std",
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
        let with = Measures::of(&case_study(), &Setting { truth: Some(1.0), guess_tolerance: Some(2.0), level: None });
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
