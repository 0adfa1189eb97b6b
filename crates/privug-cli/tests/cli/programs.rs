//! Every program in `programs/` gives the numbers that its own head states.
//!
//! ```text
//! # expect: prior mean 480000 variance 100             `prior` or `posterior`, then fields of the JSON and their values
//! # expect: posterior mean [50, 95] covariance [[2, 4], [4, 9]]     more than one secret: lists
//! # expect: exact mean 13/3 variance 2/3               the same in exact arithmetic, as fractions
//! # expect: mutual_information_bits 0.076              a field of `leakage` of the first secret
//! # expect: status used redundant                      the status of each observation
//! # expect: probabilities False 1/3 True 2/3           values of the first secret, exactly, or about if they are decimal
//! # expect: note fully disclosed                       words that are in one of the notes
//! ```
//!
//! Numbers are compared with a relative error of 1e-9, fractions and words exactly.

use serde_json::Value;

use crate::header::{self, Case};
use crate::run::{privug, python_files, root};

const RELATIVE_ERROR: f64 = 1e-9;

#[test]
fn every_example_gives_the_numbers_it_states() {
    let mut failures = Vec::new();
    // Those of audits read tables, and have tests of their own.
    let audits = root().join("programs/audit");
    let files: Vec<_> =
        python_files(&root().join("programs")).into_iter().filter(|file| !file.starts_with(&audits)).collect();
    assert!(files.len() >= 15, "only {} programs", files.len());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a program");
        let name = file.strip_prefix(root()).expect("a path in the repository").display().to_string();
        let cases = header::read(&text);
        if cases.iter().all(|case| case.expected.is_empty()) {
            failures.push(format!("{name}: no `# expect:` line"));
        }
        for case in &cases {
            failures
                .extend(check(&name, case).into_iter().map(|failure| format!("{name} {:?}: {failure}", case.options)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Programs in the manner of other tools' tests give the answers that those tools give.
#[test]
fn programs_of_peers_give_their_answers() {
    let mut failures = Vec::new();
    let mut count = 0;
    for file in python_files(&root().join("crates/privug-cli/tests/peers")) {
        let text = std::fs::read_to_string(&file).expect("a program");
        let name = file.strip_prefix(root()).expect("a path in the repository").display().to_string();
        for case in header::read(&text) {
            count += 1;
            assert!(!case.expected.is_empty(), "{name} {:?} expects nothing", case.function);
            let found = check(&name, &case);
            failures.extend(found.into_iter().map(|failure| format!("{name} {:?}: {failure}", case.function)));
        }
    }
    assert!(count >= 40, "only {count} programs");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What a program's run gives in another way than it states.
fn check(name: &str, case: &Case) -> Vec<String> {
    let program = format!("{name}{}", case.function.as_deref().unwrap_or(""));
    let run = |exact: bool| {
        let mut arguments = vec!["analyze", &program, "--json"];
        arguments.extend(case.options.iter().map(String::as_str));
        arguments.extend(exact.then_some("--exact"));
        let run = privug(&arguments);
        if run.code == Some(0) { Ok(run.json()) } else { Err(run.stderr) }
    };
    let document = match run(false) {
        Ok(document) => document,
        Err(stderr) => return vec![stderr],
    };
    let mut failures = Vec::new();
    for line in &case.expected {
        let (subject, rest) = line.split_once(' ').unwrap_or((line, ""));
        let result = match subject {
            "prior" | "posterior" => fields(rest, &document[subject]),
            "exact" => run(true).and_then(|document| fields(rest, &document["exact"])),
            "status" => {
                let observations = document["observations"].as_array().expect("a list");
                let got: Vec<&str> = observations.iter().filter_map(|seen| seen["status"].as_str()).collect();
                if got.join(" ") == rest { Ok(()) } else { Err(format!("the status is {}", got.join(" "))) }
            }
            "note" => {
                let notes = document["notes"].as_array().expect("a list");
                let found = notes.iter().filter_map(Value::as_str).any(|note| note.contains(rest));
                if found { Ok(()) } else { Err(format!("no such note: {notes:?}")) }
            }
            "probabilities" => run(true).and_then(|document| probabilities(rest, &document["distributions"][0])),
            "query" => compare(rest, &document["queries"][0]["after"]),
            measure => compare(rest, &document["leakage"][0][measure]),
        };
        if let Err(difference) = result {
            failures.push(format!("`{line}`: {difference}"));
        }
    }
    failures
}

/// `False 1/3 True 2/3`: the values and their probabilities, all that have any.
fn probabilities(text: &str, distribution: &Value) -> Result<(), String> {
    let words = header::words(text);
    let posterior = distribution["posterior"].as_array().ok_or("there is no distribution")?;
    let possible: Vec<&Value> = posterior.iter().filter(|entry| entry["exact"].as_str() != Some("0")).collect();
    if words.len() != 2 * possible.len() {
        return Err(format!("the distribution is {posterior:?}"));
    }
    for (pair, entry) in words.chunks_exact(2).zip(possible) {
        let value = match &entry["value"] {
            Value::String(text) => text.clone(),
            Value::Bool(truth) => if *truth { "True" } else { "False" }.to_owned(),
            other => other.to_string(),
        };
        // Fractions are compared as they are, decimal numbers with a small error.
        let same = match pair[1].contains('.') {
            true => compare(&pair[1], &entry["probability"]).is_ok(),
            false => entry["exact"].as_str() == Some(&pair[1]),
        };
        if value != pair[0] || !same {
            return Err(format!("{} has {}", value, entry["exact"]));
        }
    }
    Ok(())
}

/// `mean 480000 variance 100`: pairs of a field and its value.
fn fields(text: &str, object: &Value) -> Result<(), String> {
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (field, behind) = rest.split_once(' ').ok_or_else(|| format!("`{rest}` has no value"))?;
        let next = behind.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (value, others) = behind.split_at(next);
        // One secret is written without brackets.
        let value = value.trim();
        let value = if value.starts_with('[') { value.to_owned() } else { format!("[{value}]") };
        compare(&value, &object[field]).map_err(|difference| format!("{field}: {difference}"))?;
        rest = others.trim();
    }
    Ok(())
}

/// Compares a written value with one from a document: lists element by element, numbers with a small error.
fn compare(expected: &str, got: &Value) -> Result<(), String> {
    let expected = expected.trim();
    if let Some(inner) = expected.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let elements = split_elements(inner);
        let values = got.as_array().ok_or_else(|| format!("{got} is not a list"))?;
        if elements.len() != values.len() {
            return Err(format!("{got} has {} elements instead of {}", values.len(), elements.len()));
        }
        return elements.iter().zip(values).try_for_each(|(element, value)| compare(element, value));
    }
    let same = match got {
        Value::Number(number) => {
            let (number, expected) = (number.as_f64(), expected.parse::<f64>().ok());
            number
                .zip(expected)
                .is_some_and(|(got, expected)| (got - expected).abs() <= RELATIVE_ERROR * expected.abs())
        }
        Value::String(text) => text == expected,
        Value::Bool(truth) => truth.to_string() == expected,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    if same { Ok(()) } else { Err(format!("{got} instead of {expected}")) }
}

/// Splits at the commas outside brackets.
fn split_elements(text: &str) -> Vec<&str> {
    let (mut elements, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, character) in text.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                elements.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    elements.push(text[start..].trim());
    elements
}

#[test]
fn a_wrong_number_is_noticed() {
    let document: Value = serde_json::json!({"mean": [50.0, 95.0], "covariance": [[2.0, 4.0], [4.0, 9.0]]});
    assert!(fields("mean [50, 95] covariance [[2, 4], [4, 9]]", &document).is_ok());
    assert!(fields("mean [50, 95.0001]", &document).is_err());
    assert!(fields("mean 50", &document).is_err());
    assert!(fields("covariance [[2, 4], [4, 8]]", &document).is_err());
    assert!(fields("variance 2", &document).is_err());
    assert!(compare("0", &serde_json::json!(1e-300)).is_err());
}
