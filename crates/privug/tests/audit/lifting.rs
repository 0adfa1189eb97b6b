//! What is published, under which names, with which weights on whom.

use privug::audit::{Input, Lift, People};
use privug::evaluate::Limits;
use privug::number::{Constants, Exact, Scalar};
use privug::table::{Missing, read};

use crate::support::{
    PEOPLE, assert_both_runs_agree, example, figures, input, lifted, plain_weights, prior_of, returning, table,
    try_table, weights,
};

fn incomes(program: &str) -> Input {
    Input {
        path: program.to_owned(),
        program: std::fs::read_to_string(example(program)).expect("an example"),
        function: None,
        tables: vec![("people".to_owned(), read(&example("incomes.csv"), Missing::Refuse).expect("a table"))],
        secrets: vec!["people.income".to_owned()],
        priors: vec!["Normal(prior_mean, prior_variance)".to_owned()],
        person: Some("id".to_owned()),
        attacker: Default::default(),
        limits: Limits::default(),
        cancelled: None,
    }
}

#[test]
fn the_example_publishes_three_averages_and_eight_group_means() {
    let release = lifted::<f64>(&incomes("release.py"));
    let names: Vec<&str> = release.outputs.iter().map(|output| output.name.as_str()).collect();
    let expected = [
        "men 21-30",
        "all 21-30",
        "men",
        "by group[21-30, female]",
        "by group[21-30, male]",
        "by group[31-40, female]",
        "by group[31-40, male]",
        "by group[41-50, female]",
        "by group[41-50, male]",
        "by group[51-60, female]",
        "by group[51-60, male]",
    ];
    assert_eq!(names, expected);
    assert_eq!(release.outputs[0].value, 472_000.0);
    assert_eq!(release.outputs[4].value, 472_000.0);
    assert_eq!((release.secrets.len(), release.truths[0]), (80, 500_000.0));
    assert_eq!(prior_of(&release.network, &release.secrets.get(0)), (480_000.0, 100.0));
    let People::Named { column, names } = &release.people else { panic!("people have names") };
    assert_eq!((column.as_str(), names[79].as_str()), ("id", "80"));
    assert_both_runs_agree(&lifted::<Exact>(&incomes("release.py")));
}

#[test]
fn a_mean_is_a_sum_with_unit_weights_that_is_divided() {
    let release = lifted::<f64>(&incomes("release.py"));
    let men = &release.outputs[2];
    assert_eq!((men.variable.scale, men.variable.offset), (1.0, 0.0));
    let mean = release.network.node(men.variable.node);
    assert_eq!((mean.divisor, mean.parents().count()), (Some(&40.0), 1));
    let node = release.network.node(mean.terms[0].first);
    assert_eq!((node.parents().count(), *node.constant), (40, 0.0));
    assert!(node.parents().all(|(_, weight)| *weight == 1.0));
    let words = release.sources.text(men.span);
    assert_eq!(words, "people[people.sex == \"male\"].income.mean()");
}

#[test]
fn a_run_in_rationals_chooses_the_rows_that_doubles_choose() {
    // 0.1 + 0.2 is more than 0.3 to Python, and 3 * 1.1 is more than 3.3.
    let body = [
        ("'few'", "people[people.weight < 5 * (0.1 + 0.2)].income.sum()"),
        ("'some'", "people[people.weight * 1.1 == 3.3].income.sum() + people.income.sum()"),
        ("str(0.1 + 0.2)", "people.income.sum() * (2 if 0.1 + 0.2 == 0.3 else 3)"),
        ("'mean'", "people[people.weight > people.weight.mean() - 0.1 - 0.2 + 0.3 - 0.1].income.mean() * 0.1"),
    ];
    let figures: Vec<String> = body.iter().map(|(name, figure)| format!("        {name}: {figure},\n")).collect();
    let input = input(&format!("def release(people):\n    return {{\n{}    }}\n", figures.concat()));
    let script = input.compile().expect("a script");
    let first = script.in_doubles().expect("a release");
    let second = script.in_rationals(true).expect("a release");
    assert_eq!(first.outputs[2].name, "0.30000000000000004");
    assert_eq!(first.outputs.len(), second.outputs.len());
    for (a, b) in first.outputs.iter().zip(&second.outputs) {
        assert_eq!(a.name, b.name);
        assert!(
            (a.value - b.value.to_f64()).abs() <= 1e-12 * a.value.abs(),
            "{}: {} is not {:?}",
            a.name,
            a.value,
            b.value
        );
        let (of_first, of_second) = (weights(&first, &a.variable).0, weights(&second, &b.variable).0);
        for (a, b) in of_first.iter().zip(&of_second) {
            assert!((a - b.to_f64()).abs() <= 1e-15, "{a} is not {b:?}");
            assert_eq!(b.double(), None);
        }
    }
    let tenth = weights(&second, &second.outputs[3].variable).0;
    assert!(tenth.iter().any(|weight| weight.to_exact_string().is_some_and(|text| text.ends_with("0"))), "{tenth:?}");
}

#[test]
fn each_secret_is_a_node_of_its_own() {
    let release = lifted::<f64>(&incomes("release.py"));
    let nodes: std::collections::HashSet<u32> = release.secrets.iter().map(|secret| secret.node.0).collect();
    assert_eq!(nodes.len(), 80);
    assert!(release.secrets.iter().all(|secret| secret.scale == 1.0 && secret.offset == 0.0));
}

#[test]
fn margins_are_published_under_the_name_that_pandas_gives_them() {
    let release = lifted::<f64>(&incomes("margins.py"));
    let names: Vec<&str> = release.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names.len(), 15);
    assert_eq!(names[..3], ["mean income[21-30, female]", "mean income[21-30, male]", "mean income[21-30, All]"]);
    assert_eq!(names[12..], ["mean income[All, female]", "mean income[All, male]", "mean income[All, All]"]);
    assert_eq!((release.counts.len(), release.counts[0].name.as_str(), release.counts[0].count), (1, "people", 80));
    assert!(release.notes.is_empty() && release.unexamined.is_empty());
    assert_both_runs_agree(&lifted::<Exact>(&incomes("margins.py")));
}

#[test]
fn the_department_and_the_department_without_its_head_are_both_published() {
    let mut input = incomes("department.py");
    input.tables = vec![("staff".to_owned(), read(&example("department.csv"), Missing::Refuse).expect("a table"))];
    input.secrets = vec!["staff.salary".to_owned()];
    input.priors = vec!["Normal(mean=60_000, std=15_000)".to_owned()];
    input.person = Some("name".to_owned());
    let release = lifted::<f64>(&input);
    assert_eq!(plain_weights(&release, "sales without its head")[..6], [0.0, 0.25, 0.25, 0.25, 0.25, 0.0]);
    assert_eq!(plain_weights(&release, "by department[sales]")[..6], [0.2, 0.2, 0.2, 0.2, 0.2, 0.0]);
    assert_eq!(prior_of(&release.network, &release.secrets.get(0)), (60_000.0, 225_000_000.0));
}

#[test]
fn results_are_named_by_keys_indices_and_groups_at_any_depth() {
    let program = "
def release(people):
    means = people.groupby('sex').income.mean()
    return {
        'tables': {'margins': [people.income.mean(), people.income.sum()], 'by sex': means},
        2020: means['male'],
        ('a', 1): (means['female'], {'x': means['male']}),
    }
";
    let release = lifted::<f64>(&input(program));
    let names: Vec<&str> = release.outputs.iter().map(|output| output.name.as_str()).collect();
    let expected = [
        "tables.margins[0]",
        "tables.margins[1]",
        "tables.by sex[female]",
        "tables.by sex[male]",
        "2020",
        "a, 1[0]",
        "a, 1[1].x",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_single_figure_is_named_by_its_text_and_groups_by_their_keys() {
    let names = |expression: &str| {
        let release = lifted::<f64>(&returning(expression));
        release.outputs.into_iter().map(|output| output.name).collect::<Vec<String>>()
    };
    assert_eq!(names("people.income.mean()"), ["people.income.mean()"]);
    assert_eq!(names("people.groupby('sex').income.sum()"), ["female", "male"]);
    assert_eq!(names("people.income.sum(), people.income.mean()"), ["people.income.sum()", "people.income.mean()"]);
    assert_eq!(names("[people.income.sum() for _ in range(2)]"), ["[0]", "[1]"]);
    assert_eq!(names("people[people.age > 30].income"), ["2", "3", "4"]);
}

#[test]
fn figures_that_do_not_depend_on_the_secret_are_no_evidence() {
    let release = lifted::<f64>(&returning(
        "{'n': len(people), 'age': people.age.mean(), 'sum': people.income.sum(), 'none': 0 * people.income.sum()}",
    ));
    assert_eq!(figures(&release), [("sum", 3100.0)]);
    let counts: Vec<(&str, i64)> = release.counts.iter().map(|count| (count.name.as_str(), count.count)).collect();
    assert_eq!(counts, [("n", 5)]);
    let others: Vec<(&str, &str)> =
        release.unexamined.iter().map(|one| (one.name.as_str(), one.kind.as_str())).collect();
    assert_eq!(others, [("age", "a number"), ("none", "a number")]);
}

#[test]
fn several_tables_are_bound_by_name_and_one_by_position() {
    let program = "def release(staff, people):\n    return people.income.sum() / len(staff)\n";
    let mut both = input(program);
    both.tables.push(("staff".to_owned(), table("x\n1\n2\n")));
    assert_eq!(figures(&lifted(&both))[0].1, 1550.0);
    let one = input("def release(df, scale=10):\n    return df.income.sum() * scale\n");
    assert_eq!(figures(&lifted(&one))[0].1, 31_000.0);
}

#[test]
fn rows_with_missing_values_are_left_out_with_a_note_if_that_is_wanted() {
    let content = PEOPLE.replace("400,390", ",390").replace("bob,male", "bob,NA");
    let mut dropped = returning("people.income.sum()");
    dropped.tables[0].1 = try_table(content, Missing::DropRows).expect("a table");
    let release = lifted::<f64>(&dropped);
    assert_eq!((figures(&release)[0].1, release.secrets.len()), (2500.0, 3));
    assert_eq!(release.notes, ["table `people`: 2 rows are left out because of missing values, and not numbered"]);
    assert_eq!(release.people, People::Rows(3));
}

#[test]
fn the_mechanism_adds_noise_for_the_attacker_and_none_to_the_figure() {
    let release =
        lifted::<f64>(&returning("gaussian_mechanism(people.income.mean(), sensitivity=1, epsilon=1, delta=1e-5)"));
    assert_eq!(release.outputs[0].value, 620.0);
    let node = release.network.node(release.outputs[0].variable.node);
    assert!(*node.noise_variance > 1.0);
    assert!(release.notes[0].contains("without its noise"), "{:?}", release.notes);
}
