//! What is known about every secret of every row, column by column, and what the policy says about it.

use super::categories::Distributions;
use super::contributions::Involvement;
use super::grouped::Nearness;
use super::persons::Persons;
use super::policy::{Policy, Rule, Verdict};
use super::skewed::Brackets;
use super::verdicts::PersonVerdicts;
use privug_engine::number::Scalar;
use privug_engine::posterior::Marginals;
use privug_measures::leakage::Knowledge;

/// Columns with one entry for each row of the table, or for each row and secret column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PeopleColumns {
    /// The real value of the secret.
    pub truth: Vec<f64>,
    /// Mean before.
    pub prior_mean: Vec<f64>,
    /// Variance before.
    pub prior_variance: Vec<f64>,
    /// Mean after.
    pub posterior_mean: Vec<f64>,
    /// Posterior minus prior mean.
    pub mean_shift: Vec<f64>,
    /// Variance after; exactly 0 for those who are disclosed.
    pub posterior_variance: Vec<f64>,
    /// Prior minus posterior variance.
    pub variance_reduction: Vec<f64>,
    /// Mutual information with all published figures; of a prior that is not Gaussian, what these very figures tell.
    pub mutual_information_bits: Vec<f64>,
    /// Posterior by prior standard deviation; 1 for those who were known before.
    pub relative_std: Vec<f64>,
    /// The attacker's probability of being near the truth, before.
    pub near_truth_prior: Vec<f64>,
    /// The same after.
    pub near_truth_posterior: Vec<f64>,
    /// Whether the figures determine a secret that was uncertain.
    pub fully_disclosed: Vec<bool>,
    /// How many published figures the person contributes to.
    pub figures: Vec<u32>,
    /// The fewest contributors of one of these; `u32::MAX` for those in none.
    pub smallest_frequency: Vec<u32>,
    /// Mean that the attacker would have had the person's record not been in the data; empty if nothing is shared between
    /// people: then it is the prior's.
    pub baseline_mean: Vec<f64>,
    /// Variance that they would have.
    pub baseline_variance: Vec<f64>,
    /// What the rule says about what is possible at all; empty if nobody looked.
    pub possible: Vec<Verdict>,
    /// The worst that a rule says.
    pub verdict: Vec<Verdict>,
    /// The distributions of discrete secrets. Being near the truth is then being right.
    pub discrete: Option<Box<Distributions>>,
    /// What is known where priors are skewed. Of what rules look at, the columns then have the worse end.
    pub brackets: Option<Box<Brackets>>,
}

/// The rules about people, in the order of [`Rule::ALL`].
pub(super) const RULES: [Rule; 7] = [
    Rule::FullDisclosure,
    Rule::RelativeStd,
    Rule::MutualInformation,
    Rule::NearTruth,
    Rule::IntervalPercent,
    Rule::AttributeDisclosure,
    Rule::Unknown,
];
/// The place of the rule that depends on everybody's own value.
pub(super) const NEAR_TRUTH: usize = 3;

/// How near the attacker is to a truth, and what the rule about that says. `scale` is how large the secret is where the
/// truth is nearly 0.
pub(super) fn near_verdict(knowledge: &Knowledge, truth: f64, scale: f64, policy: &Policy) -> Nearness {
    let radius = policy.near_truth_percent / 100.0 * truth.abs().max(scale);
    let [before, after] = knowledge.within_of_truth(truth, radius).unwrap_or([f64::NAN; 2]);
    Nearness { before, after, verdict: near_rule(before, after, policy) }
}

fn near_rule(before: f64, after: f64, policy: &Policy) -> Verdict {
    let gained = after - before >= policy.near_truth_gain && after > before;
    if gained { policy.near_truth.at_most(after) } else { Verdict::Pass }
}

impl PeopleColumns {
    /// Measures everybody. `scale` is how large the secret of an entry is where the truth is nearly 0: the spread of its
    /// column.
    pub(super) fn measure<S: Scalar>(
        marginals: Marginals<S>,
        truths: &[f64],
        scale: impl Fn(usize) -> f64,
        involvement: Involvement,
        policy: &Policy,
    ) -> Self {
        let marginals = marginals.into_doubles();
        let count = truths.len();
        let [mut prior_variance, mut mean_shift, mut posterior_variance, mut variance_reduction] =
            [(); 4].map(|()| Vec::with_capacity(count));
        let mut fully_disclosed = Vec::with_capacity(count);
        for spread in marginals.spreads() {
            prior_variance.push(spread.prior_variance);
            mean_shift.push(spread.mean_shift);
            posterior_variance.push(spread.posterior_variance);
            variance_reduction.push(spread.variance_reduction);
            fully_disclosed.push(spread.fully_disclosed);
        }
        let mut people = PeopleColumns {
            truth: truths.to_vec(),
            prior_variance,
            mean_shift,
            posterior_variance,
            variance_reduction,
            fully_disclosed,
            prior_mean: marginals.prior_mean,
            posterior_mean: marginals.posterior_mean,
            figures: involvement.figures,
            smallest_frequency: involvement.smallest_frequency,
            mutual_information_bits: Vec::with_capacity(count),
            relative_std: Vec::with_capacity(count),
            near_truth_prior: Vec::with_capacity(count),
            near_truth_posterior: Vec::with_capacity(count),
            baseline_mean: Vec::new(),
            baseline_variance: Vec::new(),
            possible: Vec::new(),
            verdict: Vec::with_capacity(count),
            discrete: None,
            brackets: None,
        };
        for person in 0..count {
            let knowledge = people.knowledge(person);
            let uncertain = knowledge.prior_variance > 0.0;
            people.mutual_information_bits.push(knowledge.mutual_information_bits());
            people.relative_std.push(if uncertain { knowledge.posterior_std() / knowledge.prior_std() } else { 1.0 });
            let near = near_verdict(&knowledge, truths[person], scale(person), policy);
            people.near_truth_prior.push(near.before);
            people.near_truth_posterior.push(near.after);
            let worst = people.verdicts(person, policy).into_iter().max().unwrap_or_default();
            people.verdict.push(worst);
        }
        people
    }

    /// Takes into account what is possible at all, one verdict for each entry.
    pub(super) fn judge_possible(&mut self, possible: Vec<Verdict>, policy: &Policy) {
        self.possible = possible;
        for person in 0..self.len() {
            let worst = self.verdicts(person, policy).into_iter().max().unwrap_or_default();
            self.verdict[person] = worst;
        }
    }

    /// Keeps what is known where priors are skewed, and judges everybody by it.
    pub(super) fn keep(&mut self, brackets: Brackets, policy: &Policy) {
        self.brackets = Some(Box::new(brackets));
        for person in 0..self.len() {
            let worst = self.verdicts(person, policy).into_iter().max().unwrap_or_default();
            self.verdict[person] = worst;
        }
    }

    /// How many people there are.
    pub fn len(&self) -> usize {
        self.truth.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.truth.is_empty()
    }

    /// What was and is known about a person.
    pub fn knowledge(&self, person: usize) -> Knowledge {
        Knowledge::after_all_outputs(
            self.prior_mean[person],
            self.prior_variance[person],
            self.mean_shift[person],
            self.posterior_variance[person],
            self.variance_reduction[person],
        )
    }

    /// The part of the attacker's standard deviation that the release takes away: 0 is nothing, 1 is everything.
    pub fn uncertainty_removed(&self, person: usize) -> f64 {
        if let Some(discrete) = &self.discrete {
            return discrete.of(person).uncertainty_removed();
        }
        if self.brackets.is_some() {
            return (1.0 - self.relative_std[person]).max(if self.relative_std[person].is_nan() {
                f64::NAN
            } else {
                0.0
            });
        }
        let (variance, reduction) = (self.prior_variance[person], self.variance_reduction[person]);
        if variance > 0.0 { (reduction / variance) / (1.0 + self.relative_std[person]) } else { 0.0 }
    }

    /// What each of [`RULES`] says.
    pub(super) fn verdicts(&self, person: usize, policy: &Policy) -> [Verdict; RULES.len()] {
        if let Some(discrete) = &self.discrete {
            return discrete.verdicts(person, policy);
        }
        if self.fully_disclosed[person] && policy.full_disclosure != Verdict::Pass {
            // That nothing is left and much was told follows, and need not be said as well.
            let mut verdicts = [Verdict::Pass; RULES.len()];
            verdicts[0] = policy.full_disclosure;
            return verdicts;
        }
        let is_unknown = self.brackets.as_ref().is_some_and(|brackets| !brackets.of(person).is_known());
        [
            Verdict::Pass,
            policy.relative_std.at_least(self.relative_std[person]),
            policy.mutual_information_bits.at_most(self.mutual_information_bits[person]),
            near_rule(self.near_truth_prior[person], self.near_truth_posterior[person], policy),
            self.possible.get(person).copied().unwrap_or_default(),
            Verdict::Pass,
            if is_unknown { policy.unknown } else { Verdict::Pass },
        ]
    }

    /// The rules that a person breaks, and how badly.
    pub fn broken_rules(&self, person: usize, policy: &Policy) -> Vec<(Rule, Verdict)> {
        let verdicts = RULES.into_iter().zip(self.verdicts(person, policy));
        verdicts.filter(|(_, verdict)| *verdict != Verdict::Pass).collect()
    }

    /// The entries with the highest risk, the worst first: by the person's verdict, then by what the release reveals about them, then
    /// by how near the attacker is to the truth. Of each person only the worst one, for each secret column.
    pub(super) fn worst(&self, persons: &Persons, verdicts: &PersonVerdicts, most: usize) -> Vec<usize> {
        // NaN, where there is no knowledge, goes last.
        let size = |value: f64| if value.is_nan() { -1.0 } else { value };
        let risk = |person: usize| {
            let bits = size(self.mutual_information_bits[person]);
            (verdicts.verdict(persons.of_entry(person)), bits, size(self.near_truth_posterior[person]))
        };
        let worse_first = |one: &u32, other: &u32| {
            let (a, b) = (risk(*one as usize), risk(*other as usize));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2)).then(one.cmp(other))
        };
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        if persons.is_repeated() {
            let mut worst: Vec<u32> = vec![u32::MAX; persons.count() * persons.columns()];
            for entry in order {
                let place = persons.column(entry as usize) * persons.count() + persons.of_entry(entry as usize);
                if worst[place] == u32::MAX || worse_first(&entry, &worst[place]).is_lt() {
                    worst[place] = entry;
                }
            }
            // Somebody without a value in a column has no secret there.
            worst.retain(|entry| *entry != u32::MAX);
            order = worst;
        }
        if most < order.len() {
            if most > 0 {
                order.select_nth_unstable_by(most - 1, worse_first);
            }
            order.truncate(most);
        }
        order.sort_unstable_by(worse_first);
        order.into_iter().map(|person| person as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{People, Thresholds, Totals};
    use privug_engine::posterior::Spread;

    /// People with a prior N(100, 16), whose truth is `truth` and whose posterior is N(100 + shift, variance).
    fn people(posteriors: &[(f64, f64, f64)], policy: &Policy) -> PeopleColumns {
        let mut marginals = Marginals::default();
        for (_, shift, variance) in posteriors {
            let spread = Spread {
                mean_shift: *shift,
                prior_variance: 16.0,
                posterior_variance: *variance,
                variance_reduction: 16.0 - variance,
                variance_if_all_published: *variance,
                reduction_if_all_published: 16.0 - variance,
                fully_disclosed: *variance == 0.0,
            };
            marginals.push(100.0, 100.0 + shift, spread);
        }
        let truths: Vec<f64> = posteriors.iter().map(|(truth, _, _)| *truth).collect();
        let involvement = Involvement { figures: vec![1; truths.len()], smallest_frequency: vec![3; truths.len()] };
        PeopleColumns::measure(marginals, &truths, |_| 0.0, involvement, policy)
    }

    #[test]
    fn the_rules_say_what_their_formulas_say() {
        let on = Thresholds { review: Some(0.5), fail: Some(1.0) };
        let policy = Policy { mutual_information_bits: on, ..Policy::default() };
        let all = people(&[(120.0, 20.0, 0.0), (120.0, 0.0, 16.0), (120.0, 0.0, 4.0), (120.0, 0.0, 3.9)], &policy);
        // Disclosed: nothing left, infinitely many bits, surely near the truth (100 ± 4 was hardly within 12 of 120).
        assert_eq!(all.broken_rules(0, &policy), [(Rule::FullDisclosure, Verdict::Fail)]);
        let quiet = Policy { full_disclosure: Verdict::Pass, ..policy.clone() };
        let others = RULES[1..4].iter().map(|rule| (*rule, Verdict::Fail)).collect::<Vec<_>>();
        assert_eq!(all.broken_rules(0, &quiet), others);
        // Nothing learned.
        assert_eq!((all.broken_rules(1, &policy), all.relative_std[1]), (vec![], 1.0));
        // Exactly half of the standard deviation is exactly one bit: not beyond the limits of failing.
        assert_eq!((all.relative_std[2], all.mutual_information_bits[2]), (0.5, 1.0));
        assert_eq!(all.verdict, [Verdict::Fail, Verdict::Pass, Verdict::Review, Verdict::Fail]);
        assert_eq!([0, 1, 2].map(|person| all.uncertainty_removed(person)), [1.0, 0.0, 0.5]);
    }

    #[test]
    fn being_near_the_truth_counts_only_if_the_release_led_there() {
        let only = Policy {
            near_truth_percent: 5.0,
            relative_std: Default::default(),
            mutual_information_bits: Default::default(),
            ..Policy::default()
        };
        // N(100, 16) is within 5 of 100 with a probability of 0.79, N(100, 4) with 0.988; within 5.5 of 110 it was
        // hardly before, and N(106, 4) is with 0.77.
        let all = people(&[(100.0, 0.0, 15.0), (100.0, 0.0, 4.0), (110.0, 6.0, 4.0)], &only);
        assert_eq!(all.verdict, [Verdict::Pass, Verdict::Fail, Verdict::Review]);
        assert!((all.near_truth_prior[1] - 0.7887).abs() < 1e-4 && (all.near_truth_posterior[1] - 0.9876).abs() < 1e-4);
    }

    #[test]
    fn the_worst_come_first_and_equals_in_their_order() {
        let all = people(&[(1.0, 0.0, 9.0), (1.0, 0.0, 0.0), (1.0, 0.0, 9.0), (1.0, 0.0, 1.0)], &Policy::default());
        let worst = |persons: &Persons, most: usize| {
            let verdicts = PersonVerdicts::new(persons, &all, &Totals::default(), &Policy::default());
            all.worst(persons, &verdicts, most)
        };
        let plain = Persons::of_rows(&People::Rows(4), 1);
        assert_eq!(worst(&plain, 10), [1, 3, 0, 2]);
        assert_eq!(worst(&plain, 2), [1, 3]);
        assert_eq!(worst(&plain, 0), [0usize; 0]);
        // Rows 0 and 1 are one person, as are 2 and 3.
        let names = ["a", "a", "b", "b"].map(str::to_owned).to_vec();
        let pairs = Persons::of_rows(&People::Named { column: "nr".to_owned(), names }, 1);
        assert_eq!(worst(&pairs, 10), [1, 3]);
    }
}
