//! The rules on what scripts really publish: counts, people with several rows, secrets of few values, several secrets.

use privug::audit::{Audit, Figure, Input, Policy, Rule, Settings, Verdict, audit};
use privug::report::reason_sentence;

use crate::support::{input, messages, table};

fn about(people: &str, expression: &str) -> Input {
    let program = format!("import numpy as np\nimport pandas as pd\n\ndef release(people):\n    return {expression}\n");
    let mut input = input(&program);
    input.tables = vec![("people".to_owned(), table(people))];
    input.priors = vec!["Normal(mean=50, std=20)".to_owned()];
    input
}

fn audited(input: &Input) -> Audit {
    run(input, false)
}

fn run(input: &Input, exact: bool) -> Audit {
    let settings = Settings { top: 10, ..Settings::default() };
    let found = audit(input, &settings, exact, &|_| {});
    found.unwrap_or_else(|refusal| panic!("{}\n{}", input.program, messages(&refusal).join("\n")))
}

fn figure<'a>(audit: &'a Audit, name: &str) -> &'a Figure {
    let names: Vec<&str> = audit.figures.iter().map(|figure| figure.name.as_str()).collect();
    audit.figures.iter().find(|figure| figure.name == name).unwrap_or_else(|| panic!("no {name} in {names:?}"))
}

fn says(audit: &Audit, rule: Rule, verdict: Verdict) -> String {
    let reason = audit.reasons.iter().find(|reason| (reason.rule, reason.verdict) == (rule, verdict));
    reason.map_or_else(|| panic!("{:?}", audit.reasons), |reason| reason_sentence(audit, reason))
}

/// A table of people: their group, and an income that differs for everybody.
fn groups(sizes: &[(&str, usize)]) -> String {
    let mut text = "g,age,income\n".to_owned();
    let all = sizes.iter().flat_map(|(name, size)| std::iter::repeat_n(name, *size));
    for (row, name) in all.enumerate() {
        text.push_str(&format!("{name},{},{}\n", 20 + row % 50, 40.0 + 0.37 * row as f64));
    }
    text
}

#[test]
fn a_published_group_of_one_fails_however_it_is_counted() {
    let people = groups(&[("a", 30), ("b", 1), ("c", 20)]);
    for (expression, name) in [
        ("{\"n\": people.groupby('g').size()}", "n[b]"),
        ("{\"n\": people.g.value_counts()}", "n[b]"),
        ("{\"n\": people.groupby('g').income.count()}", "n[b]"),
        ("{\"n\": people.groupby('g').income.agg(['mean', 'count'])}", "n[b, count]"),
        ("{\"n\": pd.crosstab(people.g, people.g)}", "n[b, b]"),
        ("{\"n\": people.pivot_table('income', 'g', aggfunc='count')}", "n[b, income]"),
        ("{\"n\": len(people[people.g == 'b'])}", "n"),
        ("{\"n\": people[people.g == 'b'].shape[0]}", "n"),
        ("{\"n\": people[people.g == 'b'].income.size}", "n"),
        ("{\"n\": (people.g == 'b').sum()}", "n"),
        ("{\"n\": np.sum(people.g == 'b')}", "n"),
        ("{\"n\": people[people.g == 'b'].age.nunique()}", "n"),
        ("{k: len(rows) for k, rows in people.groupby('g')}", "b"),
        ("{\"n\": max(people.groupby('g').size()['b'], 0)}", "n"),
        ("{\"n\": people.groupby('g').size().to_dict()}", "n.b"),
    ] {
        let found = audited(&about(&people, expression));
        let one = figure(&found, name);
        assert_eq!((one.contributions.contributors, one.verdict), (1, Verdict::Fail), "{expression}");
        assert_eq!(one.broken, [(Rule::MinimumFrequency, Verdict::Fail)]);
        assert_eq!(found.verdict, Verdict::Fail);
    }
}

#[test]
fn large_counts_pass_and_nobody_is_behind_a_count_of_zero() {
    let people = groups(&[("a", 30), ("b", 20)]);
    let found = audited(&about(&people, "{'n': people.groupby('g').size(), 'none': len(people[people.age > 99])}"));
    assert_eq!(found.verdict, Verdict::Pass, "{:?}", found.reasons);
    let counted: Vec<(f64, usize)> =
        found.figures.iter().map(|one| (one.value, one.contributions.contributors)).collect();
    assert_eq!(counted, [(30.0, 30), (20.0, 20), (0.0, 0)]);
}

#[test]
fn a_small_group_that_follows_from_counts_fails_though_it_is_not_published() {
    let people = groups(&[("a", 30), ("b", 1), ("c", 20)]);
    let script = "{'all': len(people), 'n': people.groupby('g').size()[people.groupby('g').size() >= 10]}";
    let found = audited(&about(&people, script));
    assert_eq!(found.verdict, Verdict::Fail);
    let words = says(&found, Rule::MinimumFrequency, Verdict::Fail);
    assert!(words.contains("a group of 1 person") && words.contains("`all`, `n[a]`, `n[c]`"), "{words}");
    // Without the total nothing follows.
    let found = audited(&about(&people, "people.groupby('g').size()[people.groupby('g').size() >= 10]"));
    assert_eq!(found.verdict, Verdict::Pass, "{:?}", found.reasons);
}

#[test]
fn what_no_rule_looks_at_never_passes() {
    let people = groups(&[("a", 30), ("b", 20)]);
    for (expression, kind) in [
        ("people.age.mean()", "a number"),
        ("people.age.max()", "an integer"),
        ("f\"{len(people)} people\"", "a string"),
        ("len(people) > 3", "a boolean"),
        ("100 * len(people[people.g == 'a']) / len(people)", "a number"),
        ("len(people) + 0", "an integer"),
        ("(people.g == 'a').mean()", "a number"),
        ("people.age.sum()", "an integer"),
        ("12", "an integer"),
    ] {
        let found = audited(&about(&people, &format!("{{'it': {expression}, 'm': people.income.mean()}}")));
        assert_eq!(found.verdict, Verdict::Review, "{expression}: {:?}", found.reasons);
        let words = says(&found, Rule::Unexamined, Verdict::Review);
        assert!(words.contains(&format!("`it` ({kind})")), "{words}");
    }
}

#[test]
fn a_count_is_an_integer_like_any_other() {
    let people = groups(&[("a", 30), ("b", 20)]);
    let body = "n = len(people)\n    s = people.groupby('g').size()\n    d = {s['a']: 7}\n    \
                return {'i': [n + 1, n // 7, n % 7, -n, round(n / 4), int(n), n in range(51), n == 50, d[30],\n        \
                [5] * s['b'] == [5] * 20, list(range(n))[s['b']], s.sum(), (s * 2)['a'], f'{n:5d}', n if n else 0,\n        \
                (s > 25)['b'], np.zeros(s['b'])[3], sorted(s)[0], min(s), abs(n), n ** 2, str(n)],\n        \
                'm': people.income.sum() / n}\n";
    let mut script = about(&people, "0");
    script.program = format!("import numpy as np\n\ndef release(people):\n    {body}");
    let found = audited(&script);
    let shown: Vec<f64> = found.figures.iter().filter(|one| one.name.starts_with('i')).map(|one| one.value).collect();
    assert!(!shown.is_empty());
    let by_name = |index: usize| figure(&found, &format!("i[{index}]")).value;
    let expected = [51.0, 7.0, 1.0, -50.0, 12.0, 50.0, 1.0, 1.0, 7.0, 1.0, 20.0, 50.0, 60.0];
    for (index, value) in expected.into_iter().enumerate() {
        assert_eq!(by_name(index), value, "i[{index}]");
    }
    assert_eq!((by_name(14), by_name(15), by_name(16), by_name(17)), (50.0, 0.0, 0.0, 20.0));
    assert_eq!((by_name(18), by_name(19), by_name(20)), (20.0, 50.0, 2500.0));
    assert_eq!(figure(&found, "m").contributions.contributors, 50);
}

/// `men` with `years` rows each.
fn years(men: usize, years: usize) -> String {
    let mut text = "nr,year,g,income\n".to_owned();
    for row in 0..men * years {
        let (man, year) = (row / years, row % years);
        text.push_str(&format!("{man},{year},{},{}\n", man % 2, 30.0 + man as f64 + 0.7 * (year * year) as f64));
    }
    text
}

#[test]
fn rows_of_a_person_are_one_person() {
    let mut script = about(
        &years(24, 8),
        "{'all': people.income.mean(), 'of one': people[people.nr == 3].income.mean(), \
          'n': people.groupby('nr').size(), 'years': people.groupby('year').size()}",
    );
    let found = audited(&script);
    assert_eq!(figure(&found, "of one").contributions.contributors, 8);
    assert_eq!((found.everybody().as_str(), found.count(Verdict::Pass)), ("192 people", 192));
    script.person = Some("nr".to_owned());
    let found = audited(&script);
    assert_eq!((found.everybody().as_str(), found.persons.count()), ("24 people (192 rows)", 24));
    let of_one = figure(&found, "of one");
    assert_eq!((of_one.contributions.contributors, of_one.verdict), (1, Verdict::Fail));
    assert_eq!(figure(&found, "all").contributions.contributors, 24);
    assert_eq!((figure(&found, "n[3]").contributions.contributors, figure(&found, "n[3]").value), (1, 8.0));
    assert_eq!(figure(&found, "years[0]").contributions.contributors, 24);
    // Everybody counts once, and man 3's total is known exactly though no row of his is.
    let counts = [Verdict::Fail, Verdict::Review, Verdict::Pass].map(|verdict| found.count(verdict));
    assert_eq!(counts.iter().sum::<usize>(), 24);
    assert!(!found.people.fully_disclosed.contains(&true));
    assert_eq!((found.disclosed(), found.verdicts.is_disclosed(3)), (1, true));
    assert!(says(&found, Rule::FullDisclosure, Verdict::Fail).contains("1 person"), "{:?}", found.reasons);
}

#[test]
fn a_difference_that_tells_the_total_of_one_person_discloses_the_person() {
    let mut script =
        about(&years(24, 3), "{'all': people.income.sum(), 'others': people[people.nr != 5].income.sum()}");
    script.person = Some("nr".to_owned());
    let found = audited(&script);
    assert_eq!((found.disclosed(), found.verdicts.verdict(5)), (1, Verdict::Fail));
    assert!(says(&found, Rule::FullDisclosure, Verdict::Fail).ends_with(": nr 5"));
}

#[test]
fn a_ward_where_everybody_is_ill_fails_and_a_yes_or_no_is_to_be_reviewed() {
    let ward = |ill: usize, well: usize| {
        let one = |ward: &str, income: &str| format!("{ward},{income}\n");
        let first = one("a", "1").repeat(20);
        format!("g,income\n{first}{}{}", one("b", "1").repeat(ill), one("b", "0").repeat(well))
    };
    let found = audited(&about(&ward(10, 10), "people.groupby('g').income.mean()"));
    let names = |found: &Audit| -> Vec<(String, Vec<Rule>)> {
        let rules = |figure: &Figure| figure.broken.iter().map(|(rule, _)| *rule).collect();
        found.figures.iter().map(|figure| (figure.name.clone(), rules(figure))).collect()
    };
    assert_eq!(names(&found), [("a".to_owned(), vec![Rule::SameValue]), ("b".to_owned(), vec![])]);
    assert_eq!(found.verdict, Verdict::Fail);
    // Mixed, so that no figure tells everybody's: still no Gaussian.
    let found = audited(&about(&ward(10, 10), "people.income.mean()"));
    assert_eq!(found.verdict, Verdict::Review);
    let words = says(&found, Rule::DiscreteSecret, Verdict::Review);
    assert!(words.contains("`people.income` has only 2 different values"), "{words}");
}

#[test]
fn a_mean_of_zero_is_judged_and_zeros_are_compared_on_the_scale_of_the_column() {
    let mut people = "g,income\n".to_owned();
    (0..56).for_each(|_| people.push_str("a,0\n"));
    (0..44).for_each(|row| people.push_str(&format!("b,{}\n", 100 + row)));
    let found = audited(&about(&people, "{'a': people[people.g == 'a'].income.mean()}"));
    let rules: Vec<Rule> = figure(&found, "a").broken.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(rules, [Rule::PPercent, Rule::SameValue]);
    // The incomes have a standard deviation of 60.5: near 0 is within 6.05 of it.
    assert!(found.people.near_truth_prior[0] > 0.005 && found.people.near_truth_prior[0] < 0.05);
    let mut noisy = about(&people, "{'a': people[people.g == 'a'].income.mean()}");
    noisy.priors = vec!["Normal(mean=3, std=1)".to_owned()];
    assert!(audited(&noisy).people.near_truth_posterior[0] > 0.99);
}

#[test]
fn exactly_ten_percent_is_allowed_in_both_arithmetics() {
    // The rest is 10 % of the largest, exactly: 0.1 + … of 8.0 make 0.8.
    let mut people = "g,income\na,8.0\na,1.1\n".to_owned();
    (0..8).for_each(|_| people.push_str("a,0.1\n"));
    for value in ["0.3", "0.7", "1.3", "2.9"] {
        // And scaled, where sums of doubles are off by a little.
        let factor: f64 = value.parse().expect("a number");
        let cell = |x: f64| format!("b,{:.6}\n", x * factor);
        people.push_str(&cell(8.0));
        people.push_str(&cell(1.1));
        (0..8).for_each(|_| people.push_str(&cell(0.1)));
        let script = "{'t': people[people.g == 'b'].income.sum(), 'm': people[people.g == 'a'].income.mean()}";
        for exact in [false, true] {
            let found = run(&about(&people, script), exact);
            let shares = figure(&found, "m").concentration;
            assert_eq!(shares.estimate_percent, Some(10.0));
            let broken = |name: &str| figure(&found, name).broken.iter().any(|(rule, _)| *rule == Rule::PPercent);
            assert!(!broken("m"), "{value} {exact}");
        }
        people.truncate("g,income\na,8.0\na,1.1\n".len() + 8 * "a,0.1\n".len());
    }
    // One millionth of a millionth less is not.
    let less = people.replacen("a,0.1\n", "a,0.0999999999999\n", 1);
    for exact in [false, true] {
        let found = run(&about(&less, "{'m': people.income.mean()}"), exact);
        assert!(figure(&found, "m").broken.contains(&(Rule::PPercent, Verdict::Fail)), "{exact}");
    }
    assert_eq!(Policy::default().p_percent.fail, Some(10.0));
}

#[test]
fn several_secrets_have_priors_of_their_own_and_both_are_hidden() {
    let mut people = "g,income,debt\n".to_owned();
    (0..30)
        .for_each(|row| people.push_str(&format!("{},{},{}\n", row % 2, 40.0 + 1.3 * row as f64, 10.0 + row as f64)));
    let mut script = about(
        &people,
        "{'income': people.income.mean(), 'debt': people.debt.mean(), \
                                      'net': people[people.g == 0].income.sum() - people[people.g == 0].debt.sum()}",
    );
    script.secrets = vec!["people.income".to_owned(), "people.debt".to_owned()];
    script.priors = vec!["debt=Normal(mean=20, std=5)".to_owned(), "income = Normal(mean=60, std=20)".to_owned()];
    let found = audited(&script);
    assert_eq!((found.people.len(), found.persons.count(), found.columns.len()), (60, 30, 2));
    assert_eq!((found.people.prior_mean[0], found.people.prior_mean[30]), (60.0, 20.0));
    assert_eq!((found.people.prior_variance[0], found.people.prior_variance[30]), (400.0, 25.0));
    assert_eq!((found.people.truth[1], found.people.truth[31]), (41.3, 11.0));
    // Both secrets of 15 people.
    assert_eq!(figure(&found, "net").contributions.contributors, 15);
    assert_eq!(found.entry_name(31), "2 (people.debt)");
    // Independent: the mean of one says nothing about the other.
    let mut alone = script.clone();
    alone.program = alone.program.replace("'net'", "#");
    alone.program = "def release(people):\n    return people.income.mean()\n".to_owned();
    let found = audited(&alone);
    assert!(found.people.mutual_information_bits[0] > 0.0);
    assert_eq!(found.people.mutual_information_bits[30], 0.0);
    // Correlated where a prior says so: Var(debt) = 0.25·400 + 9, and the mean of incomes tells about debts.
    alone.priors = vec!["income=Normal(60, 400)".to_owned(), "debt=Normal(0.5 * income, std=3)".to_owned()];
    let found = audited(&alone);
    assert_eq!((found.people.prior_mean[30], found.people.prior_variance[30]), (30.0, 109.0));
    let removed = 400.0 / 30.0 * 0.25;
    assert!((found.people.posterior_variance[30] - (109.0 - removed)).abs() < 1e-9);
    // A secret that is another one has variables of its own.
    alone.priors = vec!["income=Normal(60, 400)".to_owned(), "debt=income".to_owned()];
    assert_eq!(audited(&alone).people.prior_variance[30], 400.0);
}

#[test]
fn what_is_wrong_with_secrets_and_priors_is_said() {
    let people = "g,income,debt\na,1,2\nb,3,4\nc,5,7\n";
    let refused = |secrets: &[&str], priors: &[&str]| {
        let mut script = about(people, "people.income.mean()");
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        (script.secrets, script.priors) = (owned(secrets), owned(priors));
        let refusal = audit(&script, &Settings::default(), false, &|_| {}).expect_err("a refusal");
        messages(&refusal).join("\n")
    };
    let both = ["people.income", "people.debt"];
    for (said, expected) in [
        (refused(&both, &["Normal(1, 2)"]), "does not name one | name it: `income=Normal(1, 2)` | Normal(1, 2)"),
        (refused(&both, &["income=Normal(1, 2)"]), "`debt` has no prior | specify the attacker's belief"),
        (
            refused(&both, &["incme=Normal(1, 2)"]),
            "`incme` is not a secret, so it needs no prior | did you mean `income`?",
        ),
        (refused(&both, &["income=Normal(1, 2)", "income=Normal(3, 4)"]), "`income` has two priors"),
        (refused(&["income", "people.income"], &["income=Normal(1, 2)"]), "`people.income` is given twice"),
        (refused(&both, &["income=", "debt=Normal(1, 2)"]), "the prior is empty"),
        (refused(&both, &["income=Normal(debt, 2)", "debt=Normal(1, 2)"]), "debt"),
    ] {
        assert!(said.contains(expected), "{said}");
    }
}
