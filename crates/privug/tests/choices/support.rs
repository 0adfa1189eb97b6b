//! How the tests analyse a program and read what is known of its result.

use privug::analysis::{Analysis, Belief, PlainValue, Request, analyze};
use privug::diagnostic::Code;

/// A program with `from privug import *` before it; its function is `main`.
pub fn request(source: &str, exact: bool) -> Request {
    let source = format!("from privug import *\nimport math\nimport numpy as np\n{source}");
    Request { exact, ..Request::new("program.py", source) }
}

/// The analysis of a program, which must not be refused.
pub fn analysis(source: &str, exact: bool) -> Analysis {
    match analyze(&request(source, exact)) {
        Ok(analysis) => analysis,
        Err(refusal) => panic!("refused: {:?}\n{source}", refusal.diagnostics),
    }
}

fn shown(value: &PlainValue) -> String {
    match value {
        PlainValue::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        PlainValue::Integer(value) => value.to_string(),
        PlainValue::Range(low, high) => format!("{low} to {high}"),
        PlainValue::Number(value) => value.to_string(),
        PlainValue::Text(text) | PlainValue::Other(text) => text.clone(),
        PlainValue::List(parts) => format!("[{}]", parts.iter().map(shown).collect::<Vec<_>>().join(", ")),
    }
}

fn told(belief: &Belief) -> String {
    let Belief::Discrete(values) = belief else { panic!("a mixture") };
    let value = |chance: &privug::analysis::Chance| {
        let exact = chance.exact.clone().unwrap_or_else(|| chance.probability.to_string());
        format!("{}: {exact}", shown(&chance.value))
    };
    values.iter().map(value).collect::<Vec<_>>().join("; ")
}

/// What is known of the first secret afterwards, in rationals: `False: 1/4; True: 3/4`.
pub fn posterior(source: &str) -> String {
    let choices = analysis(source, true).choices.expect("choices");
    told(&choices.secrets[0].posterior)
}

/// The same beforehand.
pub fn prior(source: &str) -> String {
    let choices = analysis(source, true).choices.expect("choices");
    told(&choices.secrets[0].prior)
}

/// The codes and lines of a refusal; the first line of the program is 4.
pub fn refused(source: &str) -> Vec<(Code, String)> {
    match analyze(&request(source, false)) {
        Ok(_) => panic!("answered\n{source}"),
        Err(refusal) => refusal.diagnostics.iter().map(|found| (found.code, found.message.clone())).collect(),
    }
}
