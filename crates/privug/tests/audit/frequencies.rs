//! Discrete secrets: what follows though it is suppressed or not published, medians, and fractions.

use crate::categories::{of_table, rules};
use crate::support::{input, table};
use privug::audit::{Audit, Certainty, DefenceTexts, FigureStatus, Input, Rule, Settings, Verdict, audit};
use privug::report::reason_sentence;

#[test]
fn a_median_leaves_out_missing_values_and_overlapping_ones_are_unknown() {
    // In ward A 1, 3 and nothing: the median is the mean of two, 2.
    let csv = "ward,sex,x\nA,f,1\nA,m,3\nA,f,\nB,m,2\n";
    let prior = "Categorical({1: 0.5, 2: 0.25, 3: 0.25})";
    let found = of_table(csv, "x", prior, "people.groupby('ward').x.median()");
    let figures: Vec<f64> = found.figures.iter().map(|figure| figure.value).collect();
    assert_eq!(figures, [2.0, 2.0]);
    let discrete = found.people.discrete.as_ref().expect("discrete");
    // (1, 3), (3, 1) with 1/8 each, or (2, 2) with 1/16.
    for (found, wanted) in discrete.of(0).posterior.iter().zip([0.4, 0.2, 0.4]) {
        assert!((found - wanted).abs() < 1e-12);
    }
    // The only one in B is disclosed.
    assert_eq!((discrete.of_entry.len(), found.people.fully_disclosed[2], found.verdict), (3, true, Verdict::Fail));
    // The median of all is about the same people: what both tell is not worked out, and does not pass.
    let rows: String = (0..60).map(|row| format!("{},f,{}\n", ["A", "B"][row % 2], row % 3)).collect();
    let csv = format!("ward,sex,x\n{rows}");
    let both = "{'by': people.groupby('ward').x.median(), 'all': people.x.median()}";
    let found = of_table(&csv, "x", "Categorical([0.4, 0.3, 0.3])", both);
    let discrete = found.people.discrete.as_ref().expect("discrete");
    assert!((0..60).all(|row| discrete.of(row).certainty == Certainty::Unknown));
    assert!(rules(&found).contains(&(Rule::Unknown, Verdict::Review)));
    // So are a median and a sum, and what is made of two medians is refused.
    let sum = "{'by': people.groupby('ward').x.median(), 'sum': people.x.sum()}";
    assert_ne!(of_table(&csv, "x", "Categorical([0.4, 0.3, 0.3])", sum).verdict, Verdict::Pass);
    let program = "def release(people):\n    m = people.groupby('ward').x.median()\n    return m['A'] - m['B']\n";
    let difference = Input {
        tables: vec![("people".to_owned(), table(&csv))],
        secrets: vec!["people.x".to_owned()],
        priors: vec!["Categorical([0.4, 0.3, 0.3])".to_owned()],
        ..input(program)
    };
    assert!(audit(&difference, &Settings::default(), false, &|_| {}).is_err());
}

#[test]
fn suppressed_cells_that_only_a_wide_combination_gives_away_are_recovered() {
    // Three wards by three ages; the counts of the ill are published for all pairs of wards and for all ages.
    let mut csv = String::from("ward,age,ill\n");
    for (ward, ill) in [("A", 12), ("B", 2), ("C", 14)] {
        (0..30).for_each(|row| csv.push_str(&format!("{ward},{},{}\n", row % 3, u8::from(row < ill))));
    }
    let pairs = "{'AB': people.ill[people.ward != 'C'].sum(), 'AC': people.ill[people.ward != 'B'].sum(), \
                 'BC': people.ill[people.ward != 'A'].sum(), 'B': people.ill[people.ward == 'B'].sum()}";
    let program = format!("def release(people):\n    return {pairs}\n");
    let of = |suppress: &[&str]| {
        let of_table = Input {
            tables: vec![("people".to_owned(), table(&csv))],
            secrets: vec!["people.ill".to_owned()],
            priors: vec!["Bernoulli(0.3)".to_owned()],
            ..input(&program)
        };
        let suppress = suppress.iter().map(|name| (*name).to_owned()).collect();
        let defences = DefenceTexts { suppress, ..DefenceTexts::default() };
        audit(&of_table, &Settings { defences, ..Settings::default() }, false, &|_| {}).expect("understood")
    };
    let found = of(&["B"]);
    // No single subtraction gives it, but half of AB + BC - AC does: two people, as if it were published.
    let cell = found.figures.iter().find(|figure| figure.name == "B").expect("there");
    assert_eq!(cell.broken, [(Rule::SmallCount, Verdict::Fail), (Rule::Recoverable, Verdict::Review)]);
    assert_eq!(found.verdict, Verdict::Fail);
    let FigureStatus::Suppressed { recovered_from, .. } = &cell.status else { panic!("suppressed") };
    assert_eq!(recovered_from, &[0, 1, 2]);
    // Without one of the pairs it does not follow.
    let found = of(&["B", "AC"]);
    let cell = found.figures.iter().find(|figure| figure.name == "B").expect("there");
    assert_eq!(cell.broken, []);
}

#[test]
fn suppressed_cells_of_a_row_are_known_together_by_its_margin() {
    // Ward B has one case of TB and one of HIV; both cells are suppressed in both tables, the margins are not.
    let mut csv = String::from("ward,sex,d\n");
    for ward in ["A", "B", "C"] {
        for row in 0..40 {
            let d = match (ward, row) {
                ("B", 0) => "HIV",
                ("B", 1) => "TB",
                ("B", _) if row < 25 => "flu",
                (_, row) if row < 12 => "HIV",
                (_, row) if row < 25 => "TB",
                _ if row % 2 == 0 => "flu",
                _ => "none",
            };
            csv.push_str(&format!("{ward},{},{d}\n", ["f", "m"][row % 2]));
        }
    }
    let program = "import pandas as pd\n\ndef release(people):\n    \
                   return {'t': pd.crosstab(people.ward, people.d, margins=True)}\n";
    let of = |suppress: &[&str]| {
        let of_table = Input {
            tables: vec![("people".to_owned(), table(&csv))],
            secrets: vec!["people.d".to_owned()],
            priors: vec!["Categorical(people.d.value_counts(normalize=True))".to_owned()],
            ..input(program)
        };
        let suppress = suppress.iter().map(|name| (*name).to_owned()).collect();
        let defences = DefenceTexts { suppress, ..DefenceTexts::default() };
        audit(&of_table, &Settings { defences, ..Settings::default() }, false, &|_| {}).expect("understood")
    };
    // Complementary cells of another ward hide which of the two is how many, but not that they are two.
    let found = of(&["t[B, HIV]", "t[B, TB]", "t[A, HIV]", "t[A, TB]"]);
    assert!(found.figures.iter().all(|figure| !figure.broken.iter().any(|(rule, _)| *rule == Rule::Recoverable)));
    let reason = found.reasons.iter().find(|reason| reason.rule == Rule::SmallCount && reason.verdict == Verdict::Fail);
    let words = reason_sentence(&found, reason.expect("two people"));
    assert!(words.contains("`t[B, HIV]`, `t[B, TB]` together count 2 people"), "{words}");
    assert_eq!(found.verdict, Verdict::Fail);
    // Without complementary cells each is recovered.
    let found = of(&["t[B, HIV]"]);
    let cell = found.figures.iter().find(|figure| figure.name == "t[B, HIV]").expect("there");
    assert!(cell.broken.contains(&(Rule::Recoverable, Verdict::Review)) && cell.verdict == Verdict::Fail);
}

#[test]
fn fractions_are_those_that_are_worked_out_by_hand() {
    // One of two people said yes, who do so with 1/5 and 1/2: 1/5·1/2 against 4/5·1/2.
    let csv = "p,x\n0.2,1\n0.5,0\n";
    let of_table = Input {
        tables: vec![("people".to_owned(), table(csv))],
        secrets: vec!["people.x".to_owned()],
        priors: vec!["Bernoulli(p)".to_owned()],
        ..input("def release(people):\n    return people.x.sum()\n")
    };
    let found = audit(&of_table, &Settings::default(), true, &|_| {}).expect("understood");
    let discrete = found.people.discrete.as_ref().expect("discrete");
    assert_eq!([0, 1].map(|row| discrete.of(row).exact_text(false, 1)), [Some("1/5".into()), Some("4/5".into())]);
    assert_eq!(discrete.of(0).exact_text(true, 1), Some("1/5".into()));
    assert_eq!(discrete.of(0).certainty, Certainty::Exact);
}

/// Who is ill, of people whose risk is in the table.
fn of_risks(csv: &str, returned: &str) -> Audit {
    let of_table = Input {
        tables: vec![("people".to_owned(), table(csv))],
        secrets: vec!["people.ill".to_owned()],
        priors: vec!["Bernoulli(risk)".to_owned()],
        ..input(&format!("def release(people):\n    return {returned}\n"))
    };
    audit(&of_table, &Settings::default(), false, &|_| {}).expect("understood")
}

#[test]
fn different_priors_and_crossing_figures_do_not_hide_a_difference() {
    // Five of fifty people are only in the larger figure. Everybody has another prior.
    let rows = |row: usize| {
        let (few, cross) = (u8::from(row < 5), u8::from((2..25).contains(&row)));
        format!("{few},{cross},{},{}\n", 0.2 + row as f64 / 200.0, u8::from(row.is_multiple_of(3)))
    };
    let csv = format!("few,cross,risk,ill\n{}", (0..50).map(rows).collect::<String>());
    let two = "{'all': people.ill.sum(), 'most': people.ill[people.few == 0].sum()}";
    assert!(rules(&of_risks(&csv, two)).contains(&(Rule::Differencing, Verdict::Fail)));
    // A third figure has three of the five, and twenty of the others.
    let three = "{'all': people.ill.sum(), 'most': people.ill[people.few == 0].sum(), \
                 'cross': people.ill[people.cross == 1].sum()}";
    assert!(rules(&of_risks(&csv, three)).contains(&(Rule::Differencing, Verdict::Fail)));
    // Without the figure of most there is nothing to subtract.
    let apart = "{'all': people.ill.sum(), 'cross': people.ill[people.cross == 1].sum()}";
    assert!(!rules(&of_risks(&csv, apart)).contains(&(Rule::Differencing, Verdict::Fail)));
}

#[test]
fn rounding_to_one_hides_nothing() {
    let csv = format!("ill\n{}", "1\n1\n0\n0\n0\n");
    let of = |round: &[&str]| {
        let of_table = Input {
            tables: vec![("people".to_owned(), table(&csv))],
            secrets: vec!["people.ill".to_owned()],
            priors: vec!["Bernoulli(0.4)".to_owned()],
            ..input("def release(people):\n    return people.ill.sum()\n")
        };
        let defences =
            DefenceTexts { round: round.iter().map(|unit| (*unit).to_owned()).collect(), ..DefenceTexts::default() };
        audit(&of_table, &Settings { defences, ..Settings::default() }, false, &|_| {}).expect("understood")
    };
    let plain = rules(&of(&[]));
    assert!(plain.contains(&(Rule::SmallCount, Verdict::Fail)));
    assert_eq!(rules(&of(&["1"])), plain);
    assert_eq!(rules(&of(&["0.01"])), plain);
    assert!(!rules(&of(&["5"])).contains(&(Rule::SmallCount, Verdict::Fail)));
}
