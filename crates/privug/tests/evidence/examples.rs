//! Small analyses whose answers are known from elsewhere.

use privug::analysis::{Binding, BindingKind, Observed, Request, Status};

use crate::support::{assert_close, assert_gaussian, exact, float, run};

#[test]
fn a_filter_tracks_an_accelerating_body() {
    // Constant start; in each round position, velocity and acceleration move at once, and the position is seen
    // through noise of variance 1. The answer was worked out in fractions elsewhere.
    let program = "
def main():
    x, v, a = 0, 2, 1
    for seen in [1, 3, 6, 10, 15]:
        x, v, a = x + v, v + a, a + Normal(0, 1)
        condition(x + Normal(0, 1), seen)
    return x
";
    assert_gaussian(program, "1295/89", "76/89");
    let observed = program.replace("condition(x + Normal(0, 1), seen)", "observe(x + Normal(0, 0), seen, std=1)");
    assert_gaussian(&observed, "1295/89", "76/89");
}

#[test]
fn one_statement_after_the_other_gives_the_same_filter() {
    let program = "
def main():
    x, v, a = 0, 2, 1
    for seen in [1, 3, 6, 10, 15]:
        x = x + v
        condition(x + Normal(0, 1), seen)
        v = v + a
        a = a + Normal(0, 1)
    return x
";
    assert_gaussian(program, "1295/89", "76/89");
}

#[test]
fn two_sums_that_differ_by_one_person_disclose_that_person() {
    let program = "
def main():
    people = [Normal(30 + i, 20) for i in range(12)]
    condition(sum(people), 444)
    condition(sum(people[1:]), 410)
    return people
";
    let analysis = float(program);
    let victim = &analysis.secrets.get(0);
    assert!(victim.knowledge.fully_disclosed());
    assert_eq!((victim.posterior_mean, victim.knowledge.posterior_variance), (34.0, 0.0));
    assert!(analysis.secrets.iter().skip(1).all(|other| !other.knowledge.fully_disclosed()));
    let numbers = exact(program).exact.expect("exact numbers");
    assert_eq!((numbers.mean[0].as_str(), numbers.variance[0].as_str()), ("34", "0"));
    assert_eq!(numbers.variance[1], "200/11");
}

#[test]
fn two_averages_that_differ_by_one_person_disclose_that_person() {
    // 1/12 and 1/11 are no doubles: the disclosure must not drown in their rounding.
    let program = "
def main():
    people = [Normal(30 + i, 20) for i in range(12)]
    condition(sum(people) / 12, 37)
    condition(sum(people[1:]) / 11, 410 / 11)
    return people[0]
";
    let analysis = float(program);
    assert_eq!(analysis.secrets.get(0).knowledge.posterior_variance, 0.0);
    assert_close(analysis.secrets.get(0).posterior_mean, 34.0, 13);
    assert_gaussian(program, "34", "0");
}

#[test]
fn an_average_age_seen_through_rounding_tells_a_little() {
    // One of 100 ages N(35, 4): the average is N(35, 4/100), seen as 44 ± 0.1. Gain (4/100)/(4/100 + 1/100) = 4/5,
    // so 35 + 4/5·9 = 42.2 for everyone, and the variance falls by (4/100)²/(5/100) = 0.032.
    let program = "def average(ages):\n    return sum(ages) / len(ages)\n";
    let request = |exact| Request {
        bindings: vec![
            Binding::read(BindingKind::Prior, "ages=[Normal(35, 4) for _ in range(100)]").expect("a binding"),
        ],
        secrets: vec!["ages[0]".into()],
        observations: vec![Observed::read("44±0.1").expect("a value")],
        exact,
        ..Request::new("average.py", program)
    };
    let numbers = run(request(true)).exact.expect("exact numbers");
    assert_eq!((numbers.mean[0].as_str(), numbers.variance[0].as_str()), ("211/5", "496/125"));
    let analysis = run(request(false));
    let victim = analysis.secrets.get(0);
    assert_close(victim.posterior_mean, 42.2, 15);
    assert_close(victim.knowledge.posterior_variance, 3.968, 15);
    assert_close(victim.knowledge.variance_reduction, 0.032, 15);
}

/// The published programs of the case study's authors: standard deviations, running totals, and three averages of
/// which the last follows from the others.
fn authors_style(std_dev: &str) -> String {
    let group = |name: &str, means: [u32; 10]| {
        let mut lines = String::new();
        for (i, mean) in means.iter().enumerate() {
            lines += &format!("    {name}_{i} = Normal(mu={mean}_000, std={std_dev})\n");
        }
        lines += &format!("    {name}_total = {name}_0 + {name}_1\n");
        for i in 2..10 {
            lines += &format!("    {name}_total = {name}_total + {name}_{i}\n");
        }
        lines + &format!("    {name}_average = 0.1*{name}_total\n")
    };
    let men = group("men", [480, 490, 440, 420, 500, 470, 450, 460, 500, 480]);
    let women = group("women", [430, 460, 400, 420, 480, 450, 410, 440, 430, 390]);
    format!(
        "def agg():\n{men}{women}    total = men_total + women_total\n    average = 0.05*total\n    \
         condition(\"men_average\", 472_000)\n    condition(\"women_average\", 425_000)\n    \
         condition(\"average\", 448_500)\n    return men_0\n"
    )
}

#[test]
fn a_third_average_that_follows_from_two_is_redundant() {
    for (std_dev, variance) in [("10", "90"), ("100", "9000")] {
        let program = authors_style(std_dev);
        assert_gaussian(&program, "483000", variance);
        let analysis = float(&program);
        let statuses: Vec<Status> = analysis.observations.iter().map(|observation| observation.status).collect();
        assert_eq!(statuses, [Status::Used, Status::Used, Status::Redundant]);
    }
}

#[test]
fn published_averages_that_cannot_both_be_right_are_refused() {
    let program = authors_style("10").replace("448_500", "448_501");
    let refusal = privug::analysis::analyze(&Request::new("p.py", program)).expect_err("they contradict");
    let finding = &refusal.diagnostics[0];
    assert_eq!(finding.code.id(), "P501");
    assert!(finding.message.contains("448501") && finding.message.contains("448500"), "{}", finding.message);
}

#[test]
fn every_spelling_of_a_spread_means_what_it_says() {
    for (call, variance) in [
        ("Normal(1, 9)", "9"),
        ("Normal(mean=1, variance=9)", "9"),
        ("Normal(mu=1, var=9)", "9"),
        ("Normal(loc=1, scale=3)", "9"),
        ("Normal(1, std=3)", "9"),
        ("Normal(1, sigma=3)", "9"),
        ("Normal(1, sd=3)", "9"),
        ("Normal(1, 9, size=1)[0]", "9"),
        ("MultivariateNormal([1], [[9]])[0]", "9"),
    ] {
        assert_gaussian(&format!("def main():\n    return {call}\n"), "1", variance);
    }
}

#[test]
fn a_multivariate_prior_has_the_covariances_that_were_written() {
    let program = "
def main():
    x, y, z = MultivariateNormal([1, 2, 3], [[4, 2, 0], [2, 5, 1], [0, 1, 3]])
    condition(y, 7)
    return x, y, z
";
    // Gains 2/5 and 1/5: means 1 + 2, 3 + 1; covariances less (2, 1)ᵀ(2, 1)/5.
    assert_gaussian(program, "3 7 4", "16/5 0 -2/5; 0 0 0; -2/5 0 14/5");
}

#[test]
fn a_nearly_singular_covariance_keeps_its_digits() {
    // The smallest pivot is 1e-6 beside entries of 100 that no double holds exactly.
    let program = "
def main():
    x, y = MultivariateNormal([0, 0], [[100, 100], [100, 100.000001]])
    condition(y, 0)
    return x
";
    // 100 − 100²/100.000001 = 100·0.000001/100.000001
    assert_close(float(program).secrets.get(0).knowledge.posterior_variance, 1e-4 / 100.000001, 12);
    let singular = "
def main():
    x, y, z = MultivariateNormal([0, 0, 0], [[1, 0.1, 0], [0.1, 0.010001, 0.000001], [0, 0.000001, 0.000001]])
    condition(x, 1)
    condition(y, 2)
    return z
";
    assert_gaussian(singular, "19/10", "0");
}

#[test]
fn totals_published_twice_agree_with_themselves() {
    // The second time, all values and means are 0, and what rounding leaves behind is 1e-62: no contradiction.
    let program = "
def main():
    g = Normal(0, 100, size=3)
    x = Normal(g[0] / 3, 1)
    condition(g[0], 0)
    condition(g[0] + g[1], 0)
    condition(g[0] + g[1] + g[2], 0)
    observe(x, 0.1, std=0.1)
    condition(g[1] / 2 + x / 10 + x / 2, 0)
    condition(g[0] + g[1], 0)
    condition(g[0] + g[1] + g[2], 0)
    return x
";
    assert_gaussian(program, "0", "0");
}

#[test]
fn what_rounding_leaves_of_one_observation_does_not_make_the_next_contradict() {
    let program = "
def main():
    g = Normal(0, 1, size=4)
    observe(g[0] / 0.1, 10, variance=100)
    total = 0
    for member, seen in zip(g, [1, 1, 0, 0]):
        total += member
        condition(total, seen)
    condition(g[3] / 2, 0)
    return g
";
    assert_gaussian(program, "1 0 -1 0", "0 0 0 0; 0 0 0 0; 0 0 0 0; 0 0 0 0");
}

#[test]
fn constants_that_cancel_leave_no_rounding_in_a_mean() {
    // 480000.1 − 480000 is 0.1 less 2e-11 in doubles: many standard deviations of x.
    let program = "
def main():
    x = Normal(0, 1e-24)
    return x + 480000.1 - 480000
";
    assert_eq!(float(program).secrets.get(0).posterior_mean, 0.1);
    let program = "
def main():
    x = Normal(0, 1)
    y = x / 2 + 35
    condition(y, 35)
    condition(1e-3 * y + y - y, 0.035)
    return x
";
    assert_gaussian(program, "0", "0");
}

#[test]
fn weights_that_cancel_do_not_make_what_is_implied_a_contradiction() {
    let program = "
def main():
    x = Normal(1, 1)
    condition(x / 2, 0.5)
    condition(2 * x + 1e-3 * x - 2 * x, 1e-3)
    return x
";
    assert_gaussian(program, "1", "0");
    let wrong = program.replace(", 1e-3)", ", 1.0000000001e-3)");
    let refusal = privug::analysis::analyze(&Request::new("p.py", wrong)).expect_err("they contradict");
    assert_eq!(refusal.diagnostics[0].code.id(), "P501");
}
