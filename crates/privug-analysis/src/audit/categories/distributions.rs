//! What was and is known about every discrete secret, and what the policy says about it.

use super::super::people::RULES;
use super::super::policy::{Policy, Rule, Verdict};
use super::super::release::SecretValue;
use super::solve::Method;
use privug_engine::number::Rational;

/// How sure the probabilities are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Certainty {
    /// A closed form, rounded at the end.
    Exact,
    /// Added up, to within this bound.
    Certified(f64),
    /// They are not known: there was too much to work out.
    Unknown,
}

impl Certainty {
    /// The word for it in the JSON.
    pub fn name(self) -> &'static str {
        match self {
            Certainty::Exact => "exact",
            Certainty::Certified(_) => "certified",
            Certainty::Unknown => "unknown",
        }
    }

    /// How far off a probability can be.
    fn bound(self) -> f64 {
        match self {
            Certainty::Exact => 0.0,
            Certainty::Certified(bound) => bound,
            Certainty::Unknown => 1.0,
        }
    }

    /// That of a value which is made from two.
    pub(super) fn worse(self, other: Certainty) -> Certainty {
        match (self, other) {
            (Certainty::Unknown, _) | (_, Certainty::Unknown) => Certainty::Unknown,
            (one, other) if one.bound() + other.bound() > 0.0 => Certainty::Certified(one.bound().max(other.bound())),
            _ => Certainty::Exact,
        }
    }
}

impl From<Method> for Certainty {
    fn from(method: Method) -> Self {
        match method {
            Method::Exact => Certainty::Exact,
            Method::Certified(bound) => Certainty::Certified(bound),
            Method::Unknown => Certainty::Unknown,
        }
    }
}

/// What is known about the secret of anybody in a group of people whom the attacker cannot tell apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// The secret column.
    pub column: usize,
    /// The probability of each value before.
    pub prior: Vec<f64>,
    /// The same after; where it is not known, the prior of what is still possible.
    pub posterior: Vec<f64>,
    /// Whether the figures leave each value possible.
    pub possible: Vec<bool>,
    /// How sure the posterior is.
    pub certainty: Certainty,
    /// How many people these are.
    pub people: usize,
    /// Both distributions in rationals, where arithmetic is exact and they are not too long: before, and after.
    pub exact: Option<[Vec<Rational>; 2]>,
}

impl Distribution {
    /// The probability of a value before or after as a fraction such as `27/52`, where there is one.
    pub fn exact_text(&self, is_prior: bool, code: usize) -> Option<String> {
        let exact = self.exact.as_ref()?;
        Some(exact[usize::from(!is_prior)][code].to_string())
    }

    /// The only value that is possible, where there were several before.
    pub fn disclosed(&self) -> Option<usize> {
        let mut left = (0..self.possible.len()).filter(|code| self.possible[*code]);
        let only = left.next().filter(|_| left.next().is_none())?;
        let before = self.prior.iter().filter(|p| **p > 0.0).count();
        (before > 1).then_some(only)
    }

    /// The largest that the probability of a value can be.
    pub fn at_most(&self, code: usize) -> f64 {
        match (self.possible[code], self.certainty) {
            (false, _) => 0.0,
            (true, certainty) => (self.posterior[code] + certainty.bound()).min(1.0),
        }
    }

    /// 1 − H(posterior)/H(prior), where that is positive; NaN where the posterior is not known.
    pub fn uncertainty_removed(&self) -> f64 {
        let entropy = |law: &[f64]| law.iter().filter(|p| **p > 0.0).map(|p| -p * p.log2()).sum::<f64>();
        match self.certainty {
            Certainty::Unknown => f64::NAN,
            Certainty::Exact | Certainty::Certified(_) => {
                let before = entropy(&self.prior);
                if before > 0.0 { (1.0 - entropy(&self.posterior) / before).max(0.0) } else { 0.0 }
            }
        }
    }

    /// D(posterior ‖ prior) in bits; NaN where the posterior is not known.
    pub fn information_bits(&self) -> f64 {
        if self.certainty == Certainty::Unknown {
            return f64::NAN;
        }
        let part = |(after, before): (&f64, &f64)| if *after > 0.0 { after * (after / before).log2() } else { 0.0 };
        self.posterior.iter().zip(&self.prior).map(part).sum::<f64>().max(0.0)
    }
}

/// Everybody's discrete secrets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distributions {
    /// The values of each secret column.
    pub values: Vec<Vec<SecretValue>>,
    /// Which of them must not be learned.
    pub sensitive: Vec<Vec<bool>>,
    /// What is known, once for all people of whom it is the same.
    pub known: Vec<Distribution>,
    /// The place of each entry's among these.
    pub of_entry: Vec<u32>,
    /// The code of everybody's real value.
    pub truths: Vec<u32>,
}

impl Distributions {
    /// What is known about an entry.
    pub fn of(&self, entry: usize) -> &Distribution {
        &self.known[self.of_entry[entry] as usize]
    }

    /// Whether it is certain that an entry's value is a sensitive one, and was not before: which one or, where not all
    /// values are sensitive, that it is one of these.
    pub fn is_disclosed(&self, entry: usize) -> bool {
        let known = self.of(entry);
        let sensitive = &self.sensitive[known.column];
        let single = known.disclosed().is_some_and(|code| sensitive[code]);
        let harmless = |code: &usize| !sensitive[*code];
        let codes = 0..sensitive.len();
        let was_open = codes.clone().filter(harmless).any(|code| known.prior[code] > 0.0);
        single || (was_open && !codes.filter(harmless).any(|code| known.possible[code]))
    }

    /// The largest probability of one of the sensitive values where not all are, before and after.
    fn any_sensitive(&self, known: &Distribution) -> Option<(f64, f64)> {
        let sensitive = &self.sensitive[known.column];
        if sensitive.iter().all(|sensitive| *sensitive) {
            return None;
        }
        let of = |code: &usize| sensitive[*code];
        let before = (0..sensitive.len()).filter(of).map(|code| known.prior[code]).sum();
        let harmless: f64 = (0..sensitive.len()).filter(|code| !of(code)).map(|code| known.posterior[code]).sum();
        Some((before, (1.0 - harmless + known.certainty.bound()).clamp(0.0, 1.0)))
    }

    /// The highest probability of a sensitive value, or of all of them together, among those that the release raised by at
    /// least `gain`; the worse end of a bound counts.
    pub fn raised(&self, entry: usize, gain: f64) -> Option<f64> {
        let known = self.of(entry);
        if known.certainty == Certainty::Unknown {
            return None;
        }
        let sensitive = (0..known.prior.len()).filter(|code| self.sensitive[known.column][*code]);
        let single = sensitive.map(|code| (known.prior[code], known.at_most(code)));
        let raised = |(before, after): &(f64, f64)| after > before && after - before >= gain;
        let found = single.chain(self.any_sensitive(known)).filter(raised).map(|(_, after)| after);
        found.max_by(f64::total_cmp)
    }

    /// What each of [`RULES`] says about an entry.
    pub(in super::super) fn verdicts(&self, entry: usize, policy: &Policy) -> [Verdict; RULES.len()] {
        let known = self.of(entry);
        RULES.map(|rule| match rule {
            Rule::FullDisclosure if self.is_disclosed(entry) => policy.full_disclosure,
            // That much was told follows, and need not be said as well.
            Rule::AttributeDisclosure | Rule::MutualInformation
                if self.is_disclosed(entry) && policy.full_disclosure != Verdict::Pass =>
            {
                Verdict::Pass
            }
            Rule::AttributeDisclosure => {
                let raised = self.raised(entry, policy.attribute_gain);
                raised.map_or(Verdict::Pass, |p| policy.attribute_disclosure.at_most(p))
            }
            Rule::MutualInformation => policy.mutual_information_bits.at_most(known.information_bits()),
            Rule::Unknown if known.certainty == Certainty::Unknown => policy.unknown,
            _ => Verdict::Pass,
        })
    }
}
