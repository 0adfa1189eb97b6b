//! What the attacker believes: one distribution for each row, all rows at once.

use crate::support::{lifted, prior_of, refusal, returning};

fn priors(prior: &str) -> Vec<(f64, f64)> {
    let mut input = returning("people.income.sum()");
    input.priors = vec![prior.to_owned()];
    let release = lifted::<f64>(&input);
    release.secrets.iter().map(|secret| prior_of(&release.network, &secret)).collect()
}

#[test]
fn parameters_are_columns_or_numbers() {
    assert_eq!(priors("Normal(prior_mean, prior_variance)")[3], (790.0, 7.0));
    assert_eq!(priors("Normal(mean=450_000, std=60_000)"), vec![(450_000.0, 3.6e9); 5]);
    assert_eq!(priors("Normal(100 + 10*age, std=weight)")[1], (380.0, 4.0));
    assert_eq!(priors("Normal(np.where(sex == 'male', 500, 400), 9)")[..2], [(400.0, 9.0), (500.0, 9.0)]);
}

#[test]
fn the_real_marginals_can_be_used() {
    let variance: f64 = [100.0f64, 200.0, 400.0, 800.0, 1600.0].iter().map(|x| (x - 620.0).powi(2)).sum::<f64>() / 4.0;
    let (mean, found) = priors("Normal(income.mean(), std=income.std())")[0];
    assert_eq!(mean, 620.0);
    assert!((found - variance).abs() < 1e-9 * variance);
    assert_eq!(priors("Normal(income.mean(), income.var())")[0], (620.0, variance));
}

#[test]
fn a_variable_can_be_shared_by_the_rows_of_a_group() {
    let mut input = returning("people.income.sum()");
    input.priors = vec!["Normal(Normal(500, 100, per=age_group), std=20)".to_owned()];
    let release = lifted::<f64>(&input);
    let parents: Vec<u32> =
        release.secrets.iter().map(|secret| release.network.node(secret.node).terms[0].first.0).collect();
    assert_eq!((parents[0], parents[2]), (parents[1], parents[3]));
    assert_ne!(parents[0], parents[2]);
    let shared = release.network.node(privug::network::NodeId(parents[0]));
    assert_eq!((*shared.constant, *shared.noise_variance), (500.0, 100.0));
    assert_eq!(prior_of(&release.network, &release.secrets.get(4)), (0.0, 400.0));
}

#[test]
fn shared_terms_can_be_added_and_secrets_stay_their_own_nodes() {
    let mut input = returning("people.income.sum()");
    input.priors = vec!["500 + Normal(0, 25, per=sex) + Normal(0, 16, per=age_group) + Normal(0, 9)".to_owned()];
    let release = lifted::<f64>(&input);
    let nodes: std::collections::HashSet<u32> = release.secrets.iter().map(|secret| secret.node.0).collect();
    assert_eq!(nodes.len(), 5);
    assert!(release.secrets.iter().all(|secret| secret.scale == 1.0 && secret.offset == 0.0));
    input.priors = vec!["Normal(0, 25, per=sex)".to_owned()];
    let release = lifted::<f64>(&input);
    let nodes: std::collections::HashSet<u32> = release.secrets.iter().map(|secret| secret.node.0).collect();
    assert_eq!(nodes.len(), 5);
}

#[test]
fn priors_that_are_none_are_refused() {
    let refused = |prior: &str| {
        let mut input = returning("people.income.sum()");
        input.priors = vec![prior.to_owned()];
        refusal(&input).join("\n")
    };
    assert!(refused("450_000").starts_with("P016 the prior is an integer"), "{}", refused("450_000"));
    assert!(refused("age").starts_with("P016 the prior is a column of integers"));
    assert!(
        refused("Normal(prior_mena, 4)").starts_with("P201 `prior_mena` is not defined | did you mean `prior_mean`?")
    );
    assert!(refused("Normal(name, 4)").starts_with("P407 the mean is the column `name`, which holds strings"));
    assert!(refused("Normal(0, prior_mean - 100)").starts_with("P401 the variance is negative in row 1: -10"));
    assert!(refused("Normal(prior_mean, 4, per=sex)").starts_with("P408 rows 1 and 4 of `female` share a variable"));
    assert!(refused("Normal(0, 4, size=3)").starts_with("P205 a prior has no `size`"));
    assert!(refused("Normal(0,").starts_with("P004"));
    assert!(refused(" ").starts_with("P014 the prior is empty"));
    assert!(refused("Normal(500 if sex == 'male' else 400, 9)").contains("np.where"));
}
