//! What cannot be audited is refused with a code, a place and a hint.

use privug::evaluate::Limits;

use crate::support::{input, refusal, returning};

/// The first line of what is said about an expression.
fn refused(expression: &str) -> String {
    refusal(&returning(expression)).remove(0)
}

#[track_caller]
fn assert_refused(expression: &str, expected: &str) {
    let said = refused(expression);
    assert!(said.starts_with(expected), "{expression}\n  says {said}\n  not  {expected}");
}

#[test]
fn secrets_decide_nothing() {
    assert_refused("people[people.income > 300].income.sum()", "P304 the column `income` is secret and is compared");
    assert_refused(
        "people.groupby('income').age.sum()",
        "P802 rows are grouped by the column `income`, which is secret",
    );
    assert_refused("people[people.income.isin([100])].age.sum()", "P802");
    assert_refused("people[people.income.between(1, 2)].age.sum()", "P304");
    assert_refused("people.income.unique()", "P802");
    assert_refused("people.income.value_counts()", "P802");
    assert_refused("pd.crosstab(people.income, people.sex)", "P802");
    assert_refused("people.income.sort_values()", "P802 rows are put in order by the column `income`, which is secret");
    assert_refused("people.groupby(people.income * 2).age.sum()", "P802");
}

#[test]
fn figures_that_are_not_linear_are_refused() {
    for method in ["median", "max", "min", "std", "var", "quantile", "nlargest", "describe"] {
        assert_refused(&format!("people.income.{method}()"), &format!("P306 `.{method}()` of a secret column"));
        // Groups have no `nlargest` here, whatever it is of.
        let code = if method == "nlargest" { "P120" } else { "P306" };
        assert_refused(&format!("people.groupby('sex').income.{method}()"), code);
    }
    assert_refused("people.income * people.income", "P301");
    assert_refused("people.weight / people.income", "P302");
    assert_refused("people.income ** 2", "P303");
    assert_refused("np.log(people.income.mean())", "P306");
    assert_refused("max(people.income)", "P306");
}

/// pandas has integers of 64 bits, which wrap around: another number than Python's own.
#[test]
fn integers_that_pandas_would_let_wrap_around_are_refused() {
    for grown in ["people.age * 1_000_000_000_000_000_000", "people.age ** 20", "people.age + (2**63 - 1)"] {
        assert_refused(&format!("people[{grown} > 0].income.sum()"), "P405 an integer of a column is too large");
    }
}

#[test]
fn unknown_columns_are_told_with_the_nearest_one() {
    let said = refused("people.incme.mean()");
    assert_eq!(said, "P801 the table has no column `incme` | did you mean `income`? | people.incme");
    assert_refused("people['salary'].sum()", "P801 the table has no column `salary` | the columns are `name`, `sex`");
    assert_refused("people.groupby('sexx').income.sum()", "P801 the table has no column `sexx` | did you mean `sex`?");
    assert_refused("people.groupby('sex').incom.sum()", "P801");
    assert_refused("people.groupby('sex').income.sum()['mal']", "P404 there is no group `mal` | did you mean `male`?");
}

#[test]
fn rows_that_do_not_belong_together_are_not_combined() {
    assert_refused("people[people[people.age > 30].sex == 'male'].income.sum()", "P803");
    assert_refused("people.income.groupby(people[people.age > 30].sex).sum()", "P803");
}

#[test]
fn masks_are_joined_by_their_own_operators() {
    assert_refused(
        "people[(people.sex == 'male') and (people.age > 30)].income.sum()",
        "P407 the truth value of a column is ambiguous",
    );
    assert_refused("people[people.age > 20 & people.age < 30].income.sum()", "P119");
    assert_refused("people[20 < people.age < 30].income.sum()", "P407 the truth value of a column is ambiguous");
    assert_refused("people[people.age].income.sum()", "P407 rows are chosen by a column of integers");
    assert_refused(
        "people[people.age == 'young'].income.sum()",
        "P407 the column `age` holds integers and is compared with a string",
    );
    assert_refused("'male' in people.sex", "P407");
}

#[test]
fn what_tables_do_not_have_is_told() {
    assert_refused("people.income.mean", "P120 a column has no `.mean` | call it: `.mean()`");
    assert_refused("people.income.size()", "P120 a column has no `.size` here | without parentheses");
    assert_refused("people.income.apply(3)", "P120 a column has no `.apply` here");
    assert_refused("pd.merge(people, people)", "P802 rows are matched by the column `income`, which is secret");
    assert_refused("people.name.sum()", "P407 the column `name` holds strings");
    assert_refused("people.pivot_table(values='income', index='sex', aggfunc='median')", "P408");
    assert_refused("people.income + people.name", "P407 `+` does not take the column `name`");
}

#[test]
fn what_is_given_beside_the_script_is_checked() {
    let with = |change: fn(&mut privug::audit::Input)| {
        let mut changed = returning("people.income.sum()");
        change(&mut changed);
        refusal(&changed).remove(0)
    };
    let said = with(|input| input.secrets = vec!["people.incme".to_owned()]);
    assert_eq!(said, "P801 the table `people` has no column `incme` | did you mean `income`? | people.incme");
    assert!(
        with(|input| input.secrets = vec!["persons.income".to_owned()]).starts_with("P804 there is no table `persons`")
    );
    assert!(
        with(|input| input.secrets = vec!["people.sex".to_owned()]).starts_with("P804 the column `sex` holds strings")
    );
    assert!(
        with(|input| input.person = Some("nam".to_owned()))
            .starts_with("P805 the secret's table has no column `nam` | did you mean `name`?")
    );
    assert!(with(|input| input.tables[0].0 = "persons".to_owned()).starts_with("P804"));
    let two = with(|input| {
        let copy = ("staff".to_owned(), input.tables[0].1.clone());
        input.tables.push(copy);
    });
    assert!(two.starts_with("P013 `release` has no parameter `staff`"), "{two}");
    // A misspelt value would protect nobody.
    let sensitive = |text: &str| {
        let mut changed = returning("people.sex.value_counts()");
        changed.secrets = vec!["people.sex".to_owned()];
        changed.priors = vec!["Categorical(people.sex.value_counts(normalize=True))".to_owned()];
        changed.attacker.sensitive = vec![text.to_owned()];
        refusal(&changed).remove(0)
    };
    let near = sensitive("sex == \"femal\"");
    assert!(near.starts_with("P014 `sex` cannot be `femal` | did you mean `female`?"), "{near}");
    let none = sensitive("sex in [\"x\"]");
    assert!(none.starts_with("P014 no possible value of `sex` is sensitive by this"), "{none}");
    let missing = refusal(&input("def release(people, staff):\n    return people.income.sum()\n")).remove(0);
    assert!(
        missing.starts_with(
            "P012 the parameter `staff` of `release` has no table | give it one with `--table staff=FILE`, or a default if it is not a table: `staff=...`"
        )
    );
}

#[test]
fn the_secret_of_a_column_with_a_text_names_its_row() {
    let mut mixed = returning("people.income.sum()");
    mixed.tables[0].1 = crate::support::table("income\n1\n2\nunknown\n4\n");
    mixed.priors = vec!["Normal(0, 1)".to_owned()];
    let said = refusal(&mixed).remove(0);
    assert!(said.starts_with("P804 row 3, column `income`: `unknown` is not a number"), "{said}");
}

#[test]
fn observations_and_random_numbers_have_no_place_in_a_release() {
    let observing =
        "def release(people):\n    total = people.income.sum()\n    condition(total, 3)\n    return total\n";
    assert!(refusal(&input(observing)).remove(0).starts_with("P806"));
    assert_refused("people.income.sum() + Normal(0, 1)", "P807");
    assert_refused("people.groupby('sex')", "P807 `people.groupby('sex')` is a grouping");
    assert_refused("np.sum(people)", "P407 this function does not take a table");
}

#[test]
fn whatever_is_done_with_tables_is_computed_or_refused() {
    let objects = include_str!("../data/table_objects.txt").lines().enumerate();
    let uses: Vec<&str> = include_str!("../data/table_uses.txt").lines().collect();
    // Always the same half of the pairs, the other one than the Python tests take, unless a run is thorough.
    let is_thorough = std::env::var("PRIVUG_TESTS_TIMES").is_ok_and(|times| times != "1");
    let mut lifted = 0;
    for (at, object) in objects {
        for (place, usage) in uses.iter().enumerate() {
            if !is_thorough && (at + place) % 2 == 0 {
                continue;
            }
            let body = usage.replace('X', &format!("({object})"));
            let imports = "import math\nimport numpy as np\nimport pandas as pd\n\n";
            let mut one = input(&format!("{imports}def release(people):\n    return {body}\n"));
            one.limits = Limits { steps: 100_000, variables: 10_000, elements: 100_000, ..Limits::default() };
            // Neither run may panic, whatever it says.
            lifted += usize::from(privug::audit::lift::<f64>(&one).is_ok());
        }
    }
    let least = if is_thorough { 900 } else { 450 };
    assert!(lifted > least, "only {lifted} of them are computed");
}

#[test]
fn several_errors_are_reported_at_once() {
    let program = "
def release(people):
    a = people.incme.sum()
    b = people.income.median()
    return a + b
";
    let codes: Vec<String> = refusal(&input(program)).iter().map(|said| said[..4].to_owned()).collect();
    assert_eq!(codes, ["P801", "P306"]);
}

#[test]
fn budgets_cover_tables() {
    let mut small = returning("people.groupby(['sex', 'age_group']).income.sum()");
    small.limits = Limits { steps: 20, ..Limits::default() };
    assert!(refusal(&small).remove(0).starts_with("P601"));
    small.limits = Limits { elements: 20, ..Limits::default() };
    assert!(refusal(&small).remove(0).starts_with("P603"));
    small.limits = Limits { variables: 6, ..Limits::default() };
    assert!(refusal(&small).remove(0).starts_with("P602"));
    small.limits = Limits::default();
    small.cancelled = Some(std::sync::Arc::new(true.into()));
    assert!(refusal(&small).remove(0).starts_with("P608"));
}
