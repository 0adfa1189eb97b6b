//! The pandas part of the language: the same numbers, and the right weights.

use privug::number::Exact;

use crate::support::{assert_both_runs_agree, figures, input, lifted, plain_weights, returning};

/// The only figure of an expression, and its weights.
fn figure(expression: &str) -> (f64, Vec<f64>) {
    let release = lifted::<f64>(&returning(expression));
    assert_eq!(release.outputs.len(), 1, "{expression}");
    assert_both_runs_agree(&lifted::<Exact>(&returning(expression)));
    let name = release.outputs[0].name.clone();
    (release.outputs[0].value, plain_weights(&release, &name))
}

#[test]
fn columns_are_found_by_attribute_and_by_name() {
    for expression in ["people.income.sum()", "people['income'].sum()", "people[['age', 'income']].income.sum()"] {
        assert_eq!(figure(expression), (3100.0, vec![1.0; 5]), "{expression}");
    }
}

#[test]
fn masks_choose_rows() {
    let men = (2200.0, vec![0.0, 1.0, 1.0, 0.0, 1.0]);
    for expression in [
        "people[people.sex == 'male'].income.sum()",
        "people.income[people.sex == 'male'].sum()",
        "people.loc[people.sex == 'male'].income.sum()",
        "people.loc[people.sex == 'male', 'income'].sum()",
        "people.loc[people['sex'] == 'male', ['age', 'income']].income.sum()",
        "people[~(people.sex != 'male')].income.sum()",
        "people[people.sex.isin(['male', 'other'])].income.sum()",
        "people[(people.sex == 'male') & (people.age > 20)].income.sum()",
        "people[(people.sex == 'male') | (people.age > 50)].income.sum()",
        "people[('male' == people.sex) ^ (people.age > 50)].income.sum()",
        "people[people.age > 20][people.sex == 'male'].income.sum()",
        "people.groupby('sex').get_group('male').income.sum()",
        "np.sum(people[people.sex == 'male'].income)",
        "sum(people[people.sex == 'male'].income)",
        "sum([income for income in people[people.sex == 'male'].income])",
    ] {
        assert_eq!(figure(expression), men, "{expression}");
    }
    let young = (300.0, vec![1.0, 1.0, 0.0, 0.0, 0.0]);
    for expression in [
        "people[people.age.between(25, 28)].income.sum()",
        "people[people.age.between(24, 29, inclusive='neither')].income.sum()",
        "people[people.age < 30].income.sum()",
        "people[30 > people.age].income.sum()",
        "people[people.age <= 28.5].income.sum()",
        "people[people.weight.isin([1.5, 2])].income.sum()",
    ] {
        assert_eq!(figure(expression), young, "{expression}");
    }
}

#[test]
fn means_are_weighted_as_they_are_written() {
    let expected = [1.5, 2.0, 0.5, 1.0, 3.0].map(|weight| weight / 8.0).to_vec();
    for expression in [
        "(people.weight * people.income).sum() / people.weight.sum()",
        "np.average(people.income, weights=people.weight)",
        "np.dot(people.weight, people.income) / people.weight.sum()",
        "people.weight.dot(people.income) / np.sum(people.weight)",
        "(people.weight @ people.income) / people.weight.sum()",
    ] {
        assert_eq!(figure(expression), (6350.0 / 8.0, expected.clone()), "{expression}");
    }
    for expression in ["people.income.mean()", "np.mean(people.income)", "people.income.sum() / people.shape[0]"] {
        assert_eq!(figure(expression), (620.0, vec![0.2; 5]), "{expression}");
    }
}

#[test]
fn columns_are_computed_from_columns() {
    assert_eq!(figure("(people.income + people.age).sum()"), (3258.0, vec![1.0; 5]));
    assert_eq!(figure("(2 * people.income - people.income / 2).sum()"), (4650.0, vec![1.5; 5]));
    assert_eq!(figure("(-people.income).sum()"), (-3100.0, vec![-1.0; 5]));
    assert_eq!(figure("(people.income + people.income).sum()"), (6200.0, vec![2.0; 5]));
    assert_eq!(
        figure("np.where(people.sex == 'male', people.income, 0).sum()"),
        (2200.0, vec![0.0, 1.0, 1.0, 0.0, 1.0])
    );
    assert_eq!(figure("people.assign(x=people.income * 2).x.sum()"), (6200.0, vec![2.0; 5]));
}

#[test]
fn a_column_can_be_added_to_a_table_and_to_a_part_of_it() {
    let program = "
def release(people):
    people['double'] = people.income * 2
    men = people[people.sex == 'male']
    men['more'] = men.double + 1
    men['one'] = 1
    return men.more.sum() + men.one.sum()
";
    let release = lifted::<f64>(&input(program));
    assert_eq!(figures(&release)[0].1, 4406.0);
    assert_eq!(plain_weights(&release, "men.more.sum() + men.one.sum()"), [0.0, 2.0, 2.0, 0.0, 2.0]);
}

#[test]
fn groups_have_sums_means_counts_and_sizes() {
    let all = |expression: &str| {
        let release = lifted::<f64>(&returning(expression));
        assert_both_runs_agree(&lifted::<Exact>(&returning(expression)));
        figures(&release).into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>()
    };
    let expect =
        |pairs: &[(&str, f64)]| pairs.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect::<Vec<_>>();
    let by_sex = expect(&[("female", 900.0), ("male", 2200.0)]);
    for expression in [
        "people.groupby('sex').income.sum()",
        "people.groupby('sex')['income'].sum()",
        "people.groupby('sex')[['income', 'age']].sum()['income']",
        "people.groupby(people.sex).income.sum()",
        "people.income.groupby(people.sex).sum()",
        "people.groupby('sex').income.agg('sum')",
        "{key: group.income.sum() for key, group in people.groupby('sex')}",
        "{key: group.sum() for key, group in people.groupby('sex').income}",
        "dict(people.groupby('sex').income.sum().items())",
        "people.groupby('sex').income.sum().to_dict()",
        "people.groupby('sex').income.mean() * people.groupby('sex').size()",
        "people.groupby('sex').income.mean() * people.groupby('sex').income.count()",
    ] {
        assert_eq!(all(expression), by_sex, "{expression}");
    }
    let crossed =
        expect(&[("21-30, female", 100.0), ("21-30, male", 200.0), ("31-40, female", 800.0), ("31-40, male", 1000.0)]);
    assert_eq!(all("people.groupby(['age_group', 'sex']).income.mean()"), crossed);
    assert_eq!(
        all("people.groupby(['age_group', 'sex']).income.mean()['31-40']"),
        expect(&[("female", 800.0), ("male", 1000.0)])
    );
    assert_eq!(
        all("{'x': people.groupby(['age_group', 'sex']).income.mean()[('31-40', 'male')]}"),
        expect(&[("x", 1000.0)])
    );
    let both = all("people.groupby('sex').income.agg(['mean', 'count'])");
    assert_eq!(both, expect(&[("female, mean", 450.0), ("male, mean", 2200.0 / 3.0)]));
}

#[test]
fn crossed_tables_have_cells_margins_and_gaps() {
    let names = |expression: &str| {
        let release = lifted::<f64>(&returning(expression));
        assert_both_runs_agree(&lifted::<Exact>(&returning(expression)));
        figures(&release).into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Vec<_>>()
    };
    let expected: Vec<(String, f64)> = [
        ("21-30, female", 100.0),
        ("21-30, male", 200.0),
        ("21-30, All", 300.0),
        ("31-40, female", 800.0),
        ("31-40, male", 2000.0),
        ("31-40, All", 2800.0),
        ("All, female", 900.0),
        ("All, male", 2200.0),
        ("All, All", 3100.0),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    for expression in [
        "pd.crosstab(people.age_group, people.sex, values=people.income, aggfunc='sum', margins=True)",
        "people.pivot_table(values='income', index='age_group', columns='sex', aggfunc='sum', margins=True)",
        "pd.pivot_table(people, values='income', index='age_group', columns='sex', aggfunc='sum', margins=True)",
    ] {
        assert_eq!(names(expression), expected, "{expression}");
    }
    let adults = "people[people.age != 25].pivot_table(values='income', index='age_group', columns='sex')";
    let shown: Vec<String> = names(adults).into_iter().map(|(name, _)| name).collect();
    assert_eq!(shown, ["21-30, male", "31-40, female", "31-40, male"]);
    let cell =
        "{'x': pd.crosstab(people.age_group, people.sex, values=people.income, aggfunc='mean').loc['31-40', 'male']}";
    assert_eq!(names(cell), [("x".to_owned(), 1000.0)]);
}

#[test]
fn public_columns_can_be_asked_anything() {
    let program = "
import numpy as np

def release(people):
    assert len(people) == 5 and people.shape[0] == 5 and people.shape == (5, 9) and people.sex.size == 5
    assert list(people.sex.unique()) == ['female', 'male'] and people.sex.nunique() == 2
    assert people.sex.value_counts().to_dict() == {'male': 3, 'female': 2}
    assert people.age.min() == 25 and people.age.max() == 39 and people.age.median() == 31
    assert people.age.mean() == 31.6 and people.income.count() == 5
    assert abs(people.age.std() - 5.549774770204643) < 1e-12
    assert 'age' in people.columns and people.age.tolist()[0] == 25
    assert people.groupby('sex').size()['male'] == 3 and people.groupby('sex').ngroups == 2
    total = 0
    for key, group in people.groupby(['sex', 'age_group']):
        sex, ages = key
        assert (group.sex == sex).sum() == len(group)
        total += group.income.sum()
    return total
";
    assert_eq!(figures(&lifted(&input(program))), [("total", 3100.0)]);
}

#[test]
fn sums_of_published_doubles_are_accurate() {
    let mut content = "g,income\n".to_owned();
    for row in 0..2000 {
        content.push_str(&format!("{},{}\n", row % 2, if row < 1000 { "1e16" } else { "0.1" }));
    }
    let mut many = returning("people.income.sum(), people.groupby('g').income.sum()");
    many.tables[0].1 = crate::support::table(&content);
    many.priors = vec!["Normal(0, 1)".to_owned()];
    let values: Vec<f64> = figures(&lifted(&many)).into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, [1e19 + 100.0, 5e18 + 50.0, 5e18 + 50.0]);
}
