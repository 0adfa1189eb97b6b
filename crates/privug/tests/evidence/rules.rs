//! One test for each rule of the paper's figure 2 and each lemma behind it, with the numbers worked out by hand.

use crate::support::{assert_gaussian, exact, float};

#[test]
fn exp_constants_variables_and_operations_are_arithmetic() {
    // Exp-Const, Exp-Var, Exp-Op and D-Asg: c = 2, m = 3·2 − 10/4 = 7/2, v = 7/2 + 1/2 = 4.
    let program = "
def main():
    c = 2
    m = 3 * c - 10 / 4
    v = m + 0.5
    x = Normal(m, v)
    return x
";
    assert_gaussian(program, "7/2", "4");
}

#[test]
fn d_asg_replaces_the_old_value() {
    let program = "
def main():
    m = 1
    m = m + m
    m = m * m
    x = Normal(m, 1)
    m = 100
    return x
";
    assert_gaussian(program, "4", "1");
}

#[test]
fn p_asg_ind_adds_a_variable_that_is_independent_of_the_others() {
    let program = "
def main():
    X = Normal(15, 2)
    Y = Normal(20, 1)
    return X, Y
";
    assert_gaussian(program, "15 20", "2 0; 0 1");
}

#[test]
fn p_asg_dep_covaries_with_what_its_mean_depends_on() {
    let program = "
def main():
    X = Normal(15, 2)
    Y = Normal(20, 1)
    Z = Normal(2 * X, 1)
    return X, Y, Z
";
    assert_gaussian(program, "15 20 30", "2 0 4; 0 1 0; 4 0 9");
}

#[test]
fn p_asg_dep_depends_also_through_others() {
    assert_gaussian(&chain(""), "50 95 85", "2 4 4; 4 9 9; 4 9 13");
}

#[test]
fn p_asg_dep_given_the_parent_is_the_line_and_the_variance_that_were_written() {
    // Lemma (dependent assignments): Z | Y = 7 ~ N(3·7 − 5, 4).
    let program = "
def main():
    Y = Normal(2, 9)
    Z = Normal(3 * Y - 5, 4)
    condition(Y, 7)
    return Z
";
    assert_gaussian(program, "16", "4");
}

#[test]
fn p_op_pm_shifts_the_mean_alone() {
    let program = "
def main():
    X = Normal(1, 1)
    Y = X + 2
    Z = X - 2
    U = 2 + X
    V = 2 - X
    return X, Y, Z, U, V
";
    let covariances = "1 1 1 1 -1; 1 1 1 1 -1; 1 1 1 1 -1; 1 1 1 1 -1; -1 -1 -1 -1 1";
    assert_gaussian(program, "1 3 -1 3 1", covariances);
}

#[test]
fn p_op_md_scales_the_mean_the_variance_and_the_covariances() {
    let program = "
def main():
    X = Normal(1, 1)
    Y = X + 2
    Z = Y * 2
    return X, Y, Z
";
    assert_gaussian(program, "1 3 6", "1 1 2; 1 1 2; 2 2 4");
}

#[test]
fn p_op_md_divides_the_variance_by_the_square() {
    // The rule's `c² ⊕ Σ` means Σ/c² for a division.
    let program = "
def main():
    X = Normal(6, 9)
    Y = X / 3
    Z = -X / 6
    return X, Y, Z
";
    assert_gaussian(program, "6 2 -1", "9 3 -3/2; 3 1 -1/2; -3/2 -1/2 1/4");
}

#[test]
fn p_op_md_by_zero_is_a_constant() {
    let program = "
def main():
    X = Normal(6, 9)
    return X, 0 * X + 5
";
    assert_gaussian(program, "6 5", "9 0; 0 0");
}

#[test]
fn p_sum_adds_means_variances_and_twice_the_covariance() {
    let program = "
def main():
    X = Normal(15, 2)
    Y = Normal(2, 1)
    Z = X + Y
    return X, Y, Z
";
    assert_gaussian(program, "15 2 17", "2 0 2; 0 1 1; 2 1 3");
    // Lemma (sum): Y and Z covary by 1, so U = Y + Z has the variance 1 + 3 + 2·1.
    let program = "
def main():
    X = Normal(15, 2)
    Y = Normal(2, 1)
    Z = X + Y
    U = Y + Z
    V = Z - X
    return Y, U, V
";
    assert_gaussian(program, "2 19 2", "1 2 1; 2 6 2; 1 2 1");
}

#[test]
fn p_sum_of_a_variable_with_itself_is_its_double() {
    let program = "
def main():
    X = Normal(3, 2)
    return X + X, X - X
";
    assert_gaussian(program, "6 0", "8 0; 0 0");
}

#[test]
fn p_cond_moves_means_and_shrinks_covariances() {
    let program = "
def main():
    X = Normal(15, 2)
    Y = Normal(2, 1)
    Z = X + Y
    condition(Z, 1)
    return X, Y
";
    assert_gaussian(program, "13/3 -10/3", "2/3 -2/3; -2/3 2/3");
}

#[test]
fn p_cond_applies_to_any_variable_not_only_the_newest() {
    assert_gaussian(&chain("condition(X3, 85)"), "50 95 85", "10/13 16/13 0; 16/13 36/13 0; 0 0 0");
    assert_gaussian(&chain("condition(X1, 51)"), "51 97 87", "0 0 0; 0 1 1; 0 1 5");
    assert_gaussian(&chain("condition(\"X2\", 95)"), "50 95 85", "2/9 0 0; 0 0 0; 0 0 4");
}

#[test]
fn p_cond_leaves_the_observed_variable_as_a_constant_for_later_statements() {
    let program = "
def main():
    X = Normal(15, 2)
    Y = Normal(2, 1)
    Z = X + Y
    condition(Z, 1)
    U = Z + 10
    W = Normal(2 * Z, 3)
    return X, Z, U, W
";
    assert_gaussian(program, "13/3 1 11 2", "2/3 0 0 0; 0 0 0 0; 0 0 0 0; 0 0 0 3");
}

#[test]
fn p_cond_on_what_is_already_known_changes_nothing() {
    let program = "
def main():
    X = Normal(15, 2)
    Y = Normal(2, 1)
    condition(X + Y, 1)
    condition(2 * X + 2 * Y, 2)
    condition(Y + X, 1)
    return X
";
    assert_gaussian(program, "13/3", "2/3");
    let statuses: Vec<&str> = float(program).observations.iter().map(|o| o.status.name()).collect();
    assert_eq!(statuses, ["used", "redundant", "redundant"]);
}

#[test]
fn p_cond_given_independent_evidence_changes_nothing() {
    let program = "
def main():
    X = Normal(15, 2)
    Y = Normal(2, 1)
    condition(Y, 100)
    return X
";
    assert_gaussian(program, "15", "2");
}

#[test]
fn seq_runs_the_second_statement_in_the_state_that_the_first_left() {
    let program = "
def main():
    X = Normal(0, 1); Y = X + 1; X = Normal(Y, 1); Z = X + Y
    return X, Y, Z
";
    assert_gaussian(program, "1 1 2", "2 1 3; 1 1 2; 3 2 5");
}

#[test]
fn for_b_does_nothing() {
    for bound in ["0", "-3", "len([])"] {
        let program = format!(
            "
def main():
    X = Normal(1, 2)
    for i in range({bound}):
        X = X + Normal(100, 100)
        condition(X, 1)
    return X
"
        );
        assert_gaussian(&program, "1", "2");
    }
}

#[test]
fn for_i_repeats_its_body_and_counts() {
    let program = "
def main():
    X = Normal(1, 2)
    for i in range(4):
        X = X + Normal(i, i + 1)
    return X
";
    // 1 + (0 + 1 + 2 + 3), 2 + (1 + 2 + 3 + 4)
    assert_gaussian(program, "7", "12");
}

#[test]
fn for_i_conditions_in_every_round() {
    // Three looks at X through noise 1: precision 1/2 + 3, mean (1/2·0 + 6)/(7/2).
    let program = "
def main():
    X = Normal(0, 2)
    for seen in [1, 2, 3]:
        Y = Normal(X, 1)
        condition(Y, seen)
    return X
";
    assert_gaussian(program, "12/7", "2/7");
}

#[test]
fn ret_gives_the_marginal_of_what_is_returned() {
    let all = exact(&chain("condition(X3, 86)")).covariances.expect("covariances").posterior;
    for (i, name) in ["X1", "X2", "X3"].iter().enumerate() {
        let program = chain("condition(X3, 86)").replace("return X1, X2, X3", &format!("return {name}"));
        let one = exact(&program);
        assert_eq!(one.secrets.len(), 1);
        assert_eq!(one.secrets.get(0).knowledge.posterior_variance, all[i][i]);
    }
}

#[test]
fn termination_every_loop_ends_after_its_range() {
    let program = "
def main():
    X = Normal(0, 1)
    n = 3
    for i in range(n):
        n = n + 1
        X = X + 1
    return X
";
    assert_gaussian(program, "3", "1");
}

fn chain(evidence: &str) -> String {
    format!(
        "
def main():
    X1 = Normal(50, 2)
    X2 = Normal(2 * X1 - 5, 1)
    X3 = Normal(X2 - 10, 4)
    {evidence}
    return X1, X2, X3
"
    )
}
