//! Missing values: every figure leaves them out as pandas does, and nobody loses a secret that is not there.

use privug::audit::People;
use privug::number::Exact;
use privug::table::Missing;

use crate::support::{figures, input, lifted, messages, returning, try_table};

/// A gap in every column: six people, of whom bob has no income and dora no sex.
const GAPS: &str = "name,sex,age,member,income\n\
                    ann,female,25,True,100\n\
                    bob,male,31,,\n\
                    ,female,,False,300\n\
                    dora,,41,True,400\n\
                    emil,male,52,False,500.5\n\
                    fay,female,33,True,600\n";

fn with_gaps(expression: &str) -> privug::audit::Input {
    let mut input = returning(expression);
    input.tables = vec![("people".to_owned(), try_table(GAPS, Missing::AsPandas).expect("a table"))];
    input.priors = vec!["Normal(300, std=100)".to_owned()];
    input
}

fn values(expression: &str) -> Vec<(String, f64)> {
    let release = lifted::<f64>(&with_gaps(expression));
    figures(&release).into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn value(expression: &str) -> f64 {
    values(expression)[0].1
}

#[test]
fn figures_leave_missing_values_out_one_by_one() {
    assert_eq!(value("people.income.sum()"), 1900.5);
    assert_eq!(value("people.income.mean()"), 1900.5 / 5.0);
    assert_eq!(value("people[people.sex == 'male'].income.sum()"), 500.5);
    // Who is not known to be male is not male.
    assert_eq!(value("people[people.sex != 'male'].income.sum()"), 1400.0);
    assert_eq!(value("people[~(people.age > 32)].income.sum()"), 400.0);
    assert_eq!(value("people[people.age > 32].income.mean()"), 1500.5 / 3.0);
    // The mean of six ages, one of which is missing.
    assert_eq!(value("people.income.sum() + people.age.mean()"), 1900.5 + 182.0 / 5.0);
    // Products with a gap are left out of a sum, and spoil an inner product.
    assert_eq!(value("(people.income * people.age).sum()"), 100.0 * 25.0 + 400.0 * 41.0 + 500.5 * 52.0 + 600.0 * 33.0);
    assert!(values("people.income @ people.age").is_empty());
    assert!(values("sum(people.income)").is_empty());
    assert_eq!(value("sum(people.income.dropna())"), 1900.5);
}

#[test]
fn groups_leave_missing_keys_out_and_count_what_there_is() {
    let sums = values("people.groupby('sex').income.sum()");
    assert_eq!(sums, [("female".to_owned(), 1000.0), ("male".to_owned(), 500.5)]);
    let means = values("people.groupby('sex').income.mean()");
    assert_eq!(means, [("female".to_owned(), 1000.0 / 3.0), ("male".to_owned(), 500.5)]);
    assert_eq!(value("people.income.sum() + people.income.count()"), 1905.5);
    assert_eq!(value("people.income.sum() + people.income.size"), 1906.5);
    assert_eq!(value("people.income.sum() + people.groupby('sex').size().sum()"), 1905.5);
    assert_eq!(value("people.income.sum() + people.groupby('sex').income.count().sum()"), 1904.5);
    assert_eq!(value("people.income.sum() + people.sex.nunique() + len(people.sex.unique())"), 1905.5);
    let crossed = values("pd.crosstab(people.sex, people.member, values=people.income, aggfunc='sum', margins=True)");
    // emil is the only man whose income and membership are known.
    assert_eq!(crossed.iter().map(|(_, value)| *value).sum::<f64>(), 4.0 * 1500.5);
}

#[test]
fn gaps_can_be_asked_for_filled_and_dropped() {
    assert_eq!(value("people.income.sum() + people.income.isna().sum() + people.age.notna().sum()"), 1906.5);
    assert_eq!(value("people.income.fillna(1000).sum()"), 2900.5);
    assert_eq!(value("people.dropna().income.sum()"), 1200.5);
    assert_eq!(value("people.dropna(subset=['sex', 'income']).income.sum()"), 1500.5);
    assert_eq!(value("people[people.sex.fillna('male') == 'male'].income.sum()"), 900.5);
    let said = messages(&privug::audit::lift::<f64>(&with_gaps("people.sex.fillna(1)")).expect_err("refused"));
    assert!(said[0].starts_with("P407 the column `sex` is filled with an integer"), "{said:?}");
}

#[test]
fn whoever_has_no_secret_has_none_to_lose() {
    let release = lifted::<f64>(&with_gaps("people.income.mean()"));
    assert_eq!((release.secrets.len(), release.truths.as_slice()), (5, [100.0, 300.0, 400.0, 500.5, 600.0].as_slice()));
    assert_eq!((&release.people, release.rows.as_slice()), (&People::Rows(6), [vec![0, 2, 3, 4, 5]].as_slice()));
    assert!(release.notes[0].starts_with("1 row has no value of `people.income`"), "{:?}", release.notes);
    let mut named = with_gaps("people.income.mean()");
    named.person = Some("name".to_owned());
    let names = ["ann", "bob", "(no name)", "dora", "emil", "fay"].map(str::to_owned).to_vec();
    assert_eq!(lifted::<f64>(&named).people, People::Named { column: "name".to_owned(), names });
    // Five of the six, in rationals too.
    assert_eq!(lifted::<Exact>(&with_gaps("people.income.mean()")).outputs[0].value.ratio().to_string(), "3801/10");
}

#[test]
fn a_mean_over_nobody_is_published_as_nan_and_tells_nothing() {
    for expression in ["people[people.age > 99].income.mean()", "people[people.name == 'bob'].income.mean()"] {
        let release = lifted::<f64>(&with_gaps(expression));
        assert!(release.outputs.is_empty());
        assert!(release.notes.iter().any(|note| note.contains("published as NaN")), "{:?}", release.notes);
    }
    let sum = lifted::<f64>(&with_gaps("people[people.name == 'bob'].income.sum()"));
    assert!(sum.outputs.is_empty() && sum.unexamined.len() == 1);
}

#[test]
fn whoever_has_a_secret_needs_a_prior() {
    let mut input = with_gaps("people.income.mean()");
    input.priors = vec!["Normal(10 * age, std=100)".to_owned()];
    let said = messages(&privug::audit::lift::<f64>(&input).expect_err("refused"));
    assert!(said[0].contains("row 3 has a secret, but no prior"), "{said:?}");
    input.priors = vec!["Normal(10 * age.fillna(40), std=100)".to_owned()];
    let release = lifted::<f64>(&input);
    let means: Vec<f64> = release.secrets.iter().map(|secret| *release.network.node(secret.node).constant).collect();
    assert_eq!(means, [250.0, 400.0, 410.0, 520.0, 330.0]);
    input.priors = vec!["Normal(Normal(300, std=50, per=sex), std=100)".to_owned()];
    let said = messages(&privug::audit::lift::<f64>(&input).expect_err("refused"));
    assert!(said[0].contains("row 4 has a secret, but no prior"), "{said:?}");
}

#[test]
fn a_column_without_any_value_is_no_secret() {
    let mut input = input("def release(people):\n    return people.x.mean()\n");
    input.tables = vec![("people".to_owned(), try_table("a,x\n1,\n2,NA\n", Missing::AsPandas).expect("a table"))];
    input.secrets = vec!["people.x".to_owned()];
    input.priors = vec!["Normal(0, 1)".to_owned()];
    let said = messages(&privug::audit::lift::<f64>(&input).expect_err("refused"));
    assert!(said[0].starts_with("P804 the column `x` has no values"), "{said:?}");
}
