//! Changes to an analysis that must change nothing, or change the answer in a known way.

use dashu_ratio::RBig;
use privug::analysis::{Analysis, Observed, Request};
use proptest::prelude::*;

use crate::support::numbers::{about_root, literal, value};
use crate::support::{cases, exact, float, ratio, run};

/// People with priors, and published weighted sums of them.
#[derive(Debug, Clone)]
struct Survey {
    /// Mean, variance, and where the person really is.
    people: Vec<[RBig; 3]>,
    /// Weights, and the variance of the noise.
    sums: Vec<(Vec<RBig>, RBig)>,
}

fn surveys() -> impl Strategy<Value = Survey> {
    let choose = |texts: &'static [&'static str]| prop::sample::select(texts).prop_map(value);
    let person = (
        choose(&["0", "10", "-3.5", "480000"]),
        choose(&["1", "4", "100", "0.01", "(1/3)", "1e6"]),
        choose(&["0", "1", "-1.5", "0.3"]),
    );
    let person = person.prop_map(|(mean, variance, draw)| {
        let truth = &mean + draw * about_root(&variance);
        [mean, variance, truth]
    });
    (2usize..6).prop_flat_map(move |count| {
        let weight = choose(&["0", "1", "1", "0.1", "(1/3)", "-2", "12"]);
        let noise = choose(&["0", "0", "0.25", "100"]);
        let sum = (prop::collection::vec(weight, count), noise);
        (prop::collection::vec(person.clone(), count), prop::collection::vec(sum, 1..5))
            .prop_map(|(people, sums)| Survey { people, sums })
    })
}

impl Survey {
    fn priors(&self) -> String {
        let priors =
            self.people.iter().map(|[mean, variance, _]| format!("Normal({}, {})", literal(mean), literal(variance)));
        format!("    people = [{}]\n", priors.collect::<Vec<_>>().join(", "))
    }

    fn value(&self, index: usize) -> RBig {
        let terms = self.sums[index].0.iter().zip(&self.people);
        terms.fold(RBig::ZERO, |sum, (weight, [_, _, truth])| sum + weight * truth)
    }

    fn expression(&self, index: usize) -> String {
        let terms = self.sums[index].0.iter().enumerate();
        terms.map(|(i, weight)| format!("{} * people[{i}]", literal(weight))).collect::<Vec<_>>().join(" + ")
    }

    fn evidence(&self, index: usize) -> String {
        let (expression, value) = (self.expression(index), literal(&self.value(index)));
        let noise = &self.sums[index].1;
        if noise.is_zero() {
            format!("    condition({expression}, {value})\n")
        } else {
            format!("    observe({expression}, {value}, variance={})\n", literal(noise))
        }
    }

    fn program(&self, order: impl IntoIterator<Item = usize>) -> String {
        let evidence: String = order.into_iter().map(|index| self.evidence(index)).collect();
        format!("def main():\n{}{evidence}    return people\n", self.priors())
    }

    fn whole(&self) -> String {
        self.program(0..self.sums.len())
    }
}

/// Posterior means and covariances.
fn answer(analysis: &Analysis) -> (Vec<RBig>, Vec<Vec<RBig>>) {
    let numbers = analysis.exact.as_ref().expect("exact numbers");
    let read = |row: &Vec<String>| row.iter().map(|text| ratio(text)).collect();
    (read(&numbers.mean), numbers.covariance.as_ref().expect("covariances").iter().map(read).collect())
}

fn observed(text: &str) -> Observed {
    Observed::read(text).expect("a value")
}

fn assert_same_in_doubles(a: &Analysis, b: &Analysis) -> Result<(), TestCaseError> {
    for (a, b) in a.secrets.iter().zip(b.secrets.iter()) {
        let (v, w) = (a.knowledge.posterior_variance, b.knowledge.posterior_variance);
        prop_assert!((v - w).abs() <= 1e-9 * v, "{}: {v} and {w}", a.name);
        let mean = a.posterior_mean.abs();
        // Of a disclosed secret, the mean is right to 2⁻³³ of itself or of the prior standard deviation, each time.
        let disclosed = 2.4e-10 * mean.max(a.knowledge.prior_variance.sqrt());
        let scale = if v == 0.0 { disclosed } else { 1e-9 * v.sqrt() + 1e-13 * mean.max(1.0) };
        prop_assert!((a.posterior_mean - b.posterior_mean).abs() <= scale);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn the_order_of_observations_does_not_matter(survey in surveys()) {
        let forwards = survey.whole();
        let backwards = survey.program((0..survey.sums.len()).rev());
        prop_assert_eq!(answer(&exact(&forwards)), answer(&exact(&backwards)));
        assert_same_in_doubles(&float(&forwards), &float(&backwards))?;
    }

    #[test]
    fn names_and_the_grouping_of_sums_do_not_matter(survey in surveys()) {
        let renamed = survey.whole().replace("people", "q");
        let swapped: String = renamed
            .lines()
            .map(|line| match line.split_once('(') {
                Some((verb, rest)) if verb.trim() == "condition" || verb.trim() == "observe" => {
                    let (sum, value) = rest.split_once(", ").expect("two arguments");
                    let parts: Vec<&str> = sum.split(" + ").collect();
                    let grouped = parts.iter().rev().fold("0".to_owned(), |rest, part| format!("({part} + {rest})"));
                    format!("{verb}({grouped}, {value}\n")
                }
                _ => format!("{line}\n"),
            })
            .collect();
        prop_assert_eq!(answer(&exact(&survey.whole())), answer(&exact(&swapped)));
        assert_same_in_doubles(&float(&survey.whole()), &float(&swapped))?;
    }

    #[test]
    fn other_units_scale_means_and_variances(survey in surveys(), factor in prop::sample::select(&["1000", "0.01", "-3", "(1/7)"][..])) {
        let c = value(factor);
        let square = &c * &c;
        let mut scaled = survey.clone();
        for [mean, variance, truth] in &mut scaled.people {
            (*mean, *variance, *truth) = (&*mean * &c, &*variance * &square, &*truth * &c);
        }
        scaled.sums.iter_mut().for_each(|(_, noise)| *noise = &*noise * &square);
        let (means, covariances) = answer(&exact(&survey.whole()));
        let expected_means: Vec<RBig> = means.iter().map(|mean| mean * &c).collect();
        let expected: Vec<Vec<RBig>> =
            covariances.iter().map(|row| row.iter().map(|entry| entry * &square).collect()).collect();
        prop_assert_eq!(answer(&exact(&scaled.whole())), (expected_means, expected));
    }

    #[test]
    fn two_steps_are_as_good_as_one(survey in surveys(), at in any::<prop::sample::Index>()) {
        // The posterior after the first observations becomes the prior of the others.
        let split = at.index(survey.sums.len() + 1);
        let (means, covariances) = answer(&exact(&survey.program(0..split)));
        let list = |numbers: &[RBig]| format!("[{}]", numbers.iter().map(literal).collect::<Vec<_>>().join(", "));
        let rows: Vec<String> = covariances.iter().map(|row| list(row)).collect();
        let evidence: String = (split..survey.sums.len()).map(|index| survey.evidence(index)).collect();
        let second = format!(
            "def main():\n    people = MultivariateNormal({}, [{}])\n{evidence}    return people\n",
            list(&means),
            rows.join(", ")
        );
        prop_assert_eq!(answer(&exact(&second)), answer(&exact(&survey.whole())));
    }

    #[test]
    fn one_result_alone_is_the_marginal_of_all(survey in surveys()) {
        let (means, covariances) = answer(&exact(&survey.whole()));
        for (i, mean) in means.iter().enumerate() {
            let alone = survey.whole().replace("return people", &format!("return people[{i}]"));
            prop_assert_eq!(answer(&exact(&alone)), (vec![mean.clone()], vec![vec![covariances[i][i].clone()]]));
        }
    }

    #[test]
    fn an_independent_stranger_changes_nothing(survey in surveys()) {
        let stranger = "    other = Normal(7, 1e6)\n    condition(3 * other + 1, 100)\n    return people\n";
        let program = survey.whole().replace("    return people\n", stranger);
        prop_assert_eq!(answer(&exact(&program)), answer(&exact(&survey.whole())));
        assert_same_in_doubles(&float(&program), &float(&survey.whole()))?;
    }

    #[test]
    fn more_outputs_never_raise_a_variance(survey in surveys()) {
        let mut before: Option<Vec<Vec<RBig>>> = None;
        for count in 0..=survey.sums.len() {
            let (_, after) = answer(&exact(&survey.program(0..count)));
            if let Some(before) = before {
                prop_assert!((0..after.len()).all(|i| after[i][i] <= before[i][i]));
            }
            before = Some(after);
        }
        let doubles = float(&survey.whole());
        for secret in doubles.secrets.iter() {
            prop_assert!(secret.knowledge.posterior_variance <= secret.knowledge.prior_variance);
        }
    }

    #[test]
    fn outputs_may_be_observed_from_outside(survey in surveys()) {
        // `--secret` and `--observe` say the same as `condition` in the program, and what is not observed yet counts
        // in full for what would be known.
        let exact_sums: Vec<usize> = (0..survey.sums.len()).filter(|&index| survey.sums[index].1.is_zero()).collect();
        prop_assume!(!exact_sums.is_empty());
        let outputs: Vec<String> = exact_sums.iter().map(|&index| survey.expression(index)).collect();
        let program = format!("def main():\n{}    return [{}]\n", survey.priors(), outputs.join(", "));
        let published = |count: usize| Request {
            secrets: vec!["people".into()],
            observations: exact_sums[..count]
                .iter()
                .enumerate()
                .map(|(at, &index)| observed(&format!("return[{at}]={}", literal(&survey.value(index)))))
                .collect(),
            exact: true,
            ..Request::new("program.py", program.clone())
        };
        let inside = exact(&survey.program(exact_sums.iter().copied()));
        let outside = run(published(exact_sums.len()));
        prop_assert_eq!(answer(&outside), answer(&inside));
        for (unseen, seen) in run(published(0)).secrets.iter().zip(inside.secrets.iter()) {
            let (unseen, seen) = (&unseen.knowledge, &seen.knowledge);
            prop_assert_eq!(unseen.posterior_variance, unseen.prior_variance);
            prop_assert_eq!(unseen.variance_if_all_published, seen.posterior_variance);
            prop_assert_eq!(unseen.reduction_if_all_published, seen.variance_reduction);
        }
    }
}
