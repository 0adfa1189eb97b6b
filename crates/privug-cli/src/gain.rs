//! `--gain`: an expression of `guess` and `secret`, or a table of gains in a CSV or JSON file.

use std::path::Path;

use privug::analysis::{GainRequest, GainTable};
use privug::diagnostic::{Code, Diagnostic, Refusal};
use privug::source::{Sources, Span};

use crate::request::read_text;

/// What a guess is worth. A name that ends in `.csv` or `.json` is that of a table.
pub fn read(text: &str) -> Result<GainRequest, Refusal> {
    let ending = Path::new(text.trim()).extension().map(|ending| ending.to_ascii_lowercase());
    let table = match ending.as_deref().and_then(|ending| ending.to_str()) {
        Some("csv") => csv(text.trim(), &contents(text)?),
        Some("json") => json(text.trim(), &contents(text)?),
        _ => return Ok(GainRequest::Expression(text.to_owned())),
    };
    table.map(GainRequest::Table).map_err(|message| malformed(text, message))
}

fn contents(text: &str) -> Result<String, Refusal> {
    read_text(
        text.trim(),
        "a table of gains must be a CSV or JSON file; anything else must be an expression in `guess` and `secret`",
    )
}

/// A column for the guesses, then one for each value of the secret, named by it.
fn csv(path: &str, contents: &str) -> Result<GainTable, String> {
    let mut lines = contents.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let header = lines.next().ok_or("the file is empty")?;
    let secrets: Vec<String> = cells(header)?.into_iter().skip(1).collect();
    let mut gains = Vec::new();
    for line in lines {
        let cells = cells(line)?;
        if cells.len() != secrets.len() + 1 {
            return Err(format!("`{line}` has {} cells instead of {}", cells.len(), secrets.len() + 1));
        }
        gains.push(cells[1..].iter().map(|cell| number(cell)).collect::<Result<Vec<f64>, String>>()?);
    }
    Ok(GainTable { path: path.to_owned(), secrets, gains })
}

/// The cells of a line; quotes hold commas.
fn cells(line: &str) -> Result<Vec<String>, String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = cells.len() - 1;
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cells[last].push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells[last].push(other),
        }
    }
    if quoted {
        Err(format!("a quote in `{line}` is not closed"))
    } else {
        Ok(cells.iter().map(|cell| cell.trim().to_owned()).collect())
    }
}

fn number(cell: &str) -> Result<f64, String> {
    cell.parse().map_err(|_| format!("`{cell}` is not a number"))
}

/// `{"secrets": […], "gains": [[…], …]}`
fn json(path: &str, contents: &str) -> Result<GainTable, String> {
    let document: serde_json::Value = serde_json::from_str(contents).map_err(|error| error.to_string())?;
    let list = |value: &serde_json::Value, name: &str| -> Result<Vec<serde_json::Value>, String> {
        value.as_array().cloned().ok_or_else(|| format!("`{name}` is not a list"))
    };
    let secret = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Bool(true) => "True".to_owned(),
        serde_json::Value::Bool(false) => "False".to_owned(),
        other => other.to_string(),
    };
    let secrets: Vec<String> = list(&document["secrets"], "secrets")?.iter().map(secret).collect();
    let mut gains = Vec::new();
    for row in list(&document["gains"], "gains")? {
        let row = list(&row, "gains")?;
        let numbers: Option<Vec<f64>> = row.iter().map(serde_json::Value::as_f64).collect();
        gains.push(
            numbers
                .filter(|numbers| numbers.len() == secrets.len())
                .ok_or("a row of `gains` needs a number for each secret")?,
        );
    }
    Ok(GainTable { path: path.to_owned(), secrets, gains })
}

fn malformed(text: &str, message: String) -> Refusal {
    let mut sources = Sources::default();
    let source = sources.add("--gain", text);
    let span = Span { source, start: 0, end: text.len() as u32 };
    let hint =
        "a CSV table has a column of guesses and one for each value of the secret; JSON has `secrets` and `gains`";
    Refusal { sources, diagnostics: vec![Diagnostic::error(Code::MalformedOption, span, message).hint(hint)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_gains_are_read() {
        let table = csv("t.csv", "guess,yes,\"no, never\"\na,1,0\nb,0.5,0.25\n").expect("a table");
        assert_eq!(table.secrets, ["yes", "no, never"]);
        assert_eq!(table.gains, [[1.0, 0.0], [0.5, 0.25]]);
        let same = json("t.json", r#"{"secrets": [true, 2, "x"], "gains": [[1, 0, 0.5]]}"#).expect("a table");
        assert_eq!(same.secrets, ["True", "2", "x"]);
        for bad in ["", "guess,a\nx,1,2\n", "guess,a\nx,one\n", "guess,\"a\nx,1\n"] {
            assert!(csv("t.csv", bad).is_err(), "{bad}");
        }
        for bad in ["", "[]", r#"{"secrets": ["a"], "gains": [[1, 2]]}"#, r#"{"secrets": ["a"], "gains": [["x"]]}"#] {
            assert!(json("t.json", bad).is_err(), "{bad}");
        }
    }
}
