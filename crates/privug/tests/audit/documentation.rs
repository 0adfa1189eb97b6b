//! The examples on tables of docs/language.md run as the page says.

use privug::audit::lift;
use privug::number::Exact;

use crate::support::{assert_both_runs_agree, input, lifted, messages};

#[test]
fn the_examples_on_tables_run() {
    let page = include_str!("../../../../docs/language.md");
    let blocks = page.split("```python\n").skip(1).filter_map(|rest| rest.split_once("```\n")).map(|(code, _)| code);
    let examples: Vec<&str> = blocks.filter(|code| code.starts_with("# table: people\n")).collect();
    assert!(examples.len() >= 7, "only {} examples", examples.len());
    for example in examples {
        let input = input(&program(example));
        match example.lines().find_map(|line| line.strip_prefix("# refused: ")) {
            Some(codes) => {
                let Err(refusal) = lift::<f64>(&input) else { panic!("not refused:\n{example}") };
                let found: Vec<&str> = refusal.diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect();
                assert_eq!(found.join(" "), codes, "{example}\n{}", messages(&refusal).join("\n"));
            }
            None => {
                assert!(!lifted::<f64>(&input).outputs.is_empty(), "{example}");
                assert_both_runs_agree(&lifted::<Exact>(&input));
            }
        }
    }
}

#[test]
fn the_priors_of_the_page_are_priors() {
    let page = include_str!("../../../../docs/language.md");
    let section =
        page.split("### Priors of a column").nth(1).expect("a section").split("###").next().expect("its text");
    let table = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |"));
    let mut priors: Vec<&str> = table.map(|(prior, _)| prior).collect();
    priors.push("450_000 + Normal(0, std=40_000, per=age_group) + Normal(0, std=30_000, per=household) + Normal(0, 4)");
    assert_eq!(priors.len(), 7);
    for prior in priors {
        let mut input = input("def release(people):\n    return people.income.sum()\n");
        input.priors = vec![prior.to_owned()];
        assert_eq!(lifted::<f64>(&input).secrets.len(), 5, "{prior}");
    }
}

/// A block without a function is the body of one.
fn program(example: &str) -> String {
    if example.contains("def ") {
        return example.to_owned();
    }
    let body: String = example.lines().map(|line| format!("    {line}\n")).collect();
    format!("import numpy as np\nimport pandas as pd\n\n\ndef release(people):\n{body}")
}
