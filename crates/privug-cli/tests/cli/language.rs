//! The examples of docs/language.md run as the page says.
//!
//! A block with a `def` is a whole file; any other is the body of a function. `# refused: P301 P302` says with which codes
//! it is refused, `# run:` with which options it runs. Those with `# table:` are tested with the library's audits.

use crate::header;
use crate::run::{privug_with_input, root};

#[test]
fn the_examples_of_the_language_page_run() {
    let page = std::fs::read_to_string(root().join("docs/language.md")).expect("the language page");
    let examples: Vec<&str> =
        page.split("```python\n").skip(1).filter_map(|rest| rest.split_once("```\n")).map(|(code, _)| code).collect();
    assert!(examples.len() > 20, "only {} examples", examples.len());
    let mut failures = Vec::new();
    for example in examples.into_iter().filter(|example| !example.starts_with("# table:")) {
        let cases = header::read(example);
        let case = cases.first();
        let options = case.map_or(Vec::new(), |case| case.options.iter().map(String::as_str).collect());
        let arguments: Vec<&str> = ["analyze", "-", "--json"].into_iter().chain(options).collect();
        let run = privug_with_input(&arguments, program(example).as_bytes());
        match case.and_then(|case| case.refused.first()) {
            Some(codes) if run.code == Some(1) && run.codes().join(" ") == *codes => {}
            Some(_) => failures.push(format!("not refused as it says:\n{example}{}", run.stderr)),
            None if run.code == Some(0) => {}
            None => failures.push(format!("refused:\n{example}{}", run.stderr)),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn program(example: &str) -> String {
    if example.contains("def ") {
        return example.to_owned();
    }
    let body: String = example.lines().map(|line| format!("    {line}\n")).collect();
    let result = if example.contains("return ") { "" } else { "    return Normal(0, 1)\n" };
    format!("def main():\n{body}{result}")
}
