//! What was published before: figures of earlier releases, by the names of people, beside those of a new one.
//!
//! Two releases that are harmless each may disclose somebody together. A ledger keeps the weights and the values of what
//! was published; [`After`] puts them before the figures of a new release.

use std::collections::HashMap;

use super::grouped::OldRelease;
use super::release::{Count, CountOf, Output, Release, Unexamined};
use super::run::{Lift, Lifted};
use privug_engine::network::Affine;
use privug_engine::number::{Constants, Exact, Field, Scalar, Wide};
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::Span;
use serde_json::Value;

/// The `schema` of a ledger's file.
pub const LEDGER_SCHEMA: &str = "privug.ledger/1";

/// The published value of a figure and that of the table now may differ by so much of its parts' size.
const TOLERANCE: f64 = 1e-9;

/// What was published before.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ledger {
    path: String,
    text: String,
    figures: Vec<OldFigure>,
    counts: Vec<(String, i64, Vec<String>)>,
    unexamined: Vec<(String, String, Option<f64>)>,
    /// Releases that were recorded by groups of people.
    registers: Vec<OldRelease>,
}

/// (Σ weight·secret)/divisor + offset.
#[derive(Debug, Clone, PartialEq)]
struct OldFigure {
    name: String,
    /// The person, the secret column, and the weight.
    weights: Vec<(String, String, f64)>,
    divisor: f64,
    offset: f64,
    value: f64,
    /// To multiples of what it was rounded; 0 if it was not.
    unit: f64,
}

impl Ledger {
    /// Reads a ledger's file.
    pub fn read(path: &str, text: &str) -> Result<Self, Refusal> {
        let mut ledger = Ledger { path: path.to_owned(), text: text.to_owned(), ..Ledger::default() };
        ledger.fill().map_err(|message| {
            let hint = "give a file that `privug.Ledger` wrote";
            ledger.refuse(Code::MalformedOption, &format!("this is not a ledger: {message}"), hint)
        })?;
        Ok(ledger)
    }

    fn fill(&mut self) -> Result<(), String> {
        let document: Value = serde_json::from_str(&self.text).map_err(|error| error.to_string())?;
        if document["schema"] != LEDGER_SCHEMA {
            return Err(format!("its schema is not `{LEDGER_SCHEMA}`"));
        }
        for release in list(&document, "releases")? {
            let of = text(release, "name")?;
            for other in list(release, "unexamined")? {
                let name = format!("{of}: {}", text(other, "name")?);
                self.unexamined.push((name, text(other, "kind")?.to_owned(), other["value"].as_f64()));
            }
            if !release["by"].is_null() {
                self.registers.push(OldRelease::read(release)?);
                continue;
            }
            for figure in list(release, "figures")? {
                let weights = list(figure, "weights")?.iter().map(|weight| {
                    let part = |at: usize| weight[at].as_str().map(str::to_owned).ok_or("a weight names no person");
                    let number = weight[2].as_f64().ok_or("a weight is not a number")?;
                    Ok::<_, String>((part(0)?, part(1)?, number))
                });
                self.figures.push(OldFigure {
                    name: format!("{of}: {}", text(figure, "name")?),
                    weights: weights.collect::<Result<_, _>>()?,
                    divisor: number(figure, "divisor")?,
                    offset: number(figure, "offset")?,
                    value: number(figure, "value")?,
                    unit: number(figure, "unit")?,
                });
            }
            for count in list(release, "counts")? {
                let people = list(count, "people")?.iter().filter_map(|name| name.as_str().map(str::to_owned));
                let number = count["count"].as_i64().ok_or("a count is not a number")?;
                self.counts.push((format!("{of}: {}", text(count, "name")?), number, people.collect()));
            }
        }
        if self.figures.iter().any(|figure| figure.divisor == 0.0 || figure.weights.is_empty()) {
            return Err("a figure has no weights, or is divided by 0".to_owned());
        }
        Ok(())
    }

    /// The columns that people must be grouped by, for the releases that were recorded by groups.
    pub fn columns(&self) -> Vec<String> {
        let mut all: Vec<String> = self.registers.iter().flat_map(|release| release.columns().to_vec()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The file's text with one more release, which an audit by groups has recorded.
    pub fn with_release(text: Option<&str>, name: &str, recorded: &Value) -> Result<String, String> {
        let mut document = match text {
            None => serde_json::json!({"schema": LEDGER_SCHEMA, "releases": []}),
            Some(text) => serde_json::from_str(text).map_err(|error| error.to_string())?,
        };
        let mut release = recorded.clone();
        release["name"] = Value::from(name);
        let releases = document["releases"].as_array_mut().ok_or("`releases` is not a list")?;
        if releases.iter().any(|known| known["name"] == release["name"]) {
            return Err(format!("a release called `{name}` is in it already"));
        }
        releases.push(release);
        serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
    }

    fn refuse(&self, code: Code, message: &str, hint: &str) -> Refusal {
        let mut sources = privug_language::source::Sources::default();
        let source = sources.add(self.path.as_str(), "");
        let diagnostic = Diagnostic::error(code, Span { source, start: 0, end: 0 }, message).hint(hint);
        Refusal { sources, diagnostics: vec![diagnostic] }
    }
}

fn list<'v>(value: &'v Value, key: &str) -> Result<&'v Vec<Value>, String> {
    value[key].as_array().ok_or_else(|| format!("`{key}` is not a list"))
}

fn text<'v>(value: &'v Value, key: &str) -> Result<&'v str, String> {
    value[key].as_str().ok_or_else(|| format!("`{key}` is not a string"))
}

fn number(value: &Value, key: &str) -> Result<f64, String> {
    value[key].as_f64().filter(|number| number.is_finite()).ok_or_else(|| format!("`{key}` is not a number"))
}

/// A release, after everything in a ledger.
#[derive(Clone, Copy)]
pub struct After<'a> {
    /// What was published before.
    pub ledger: &'a Ledger,
    /// What is to be published now.
    pub release: &'a dyn Lift,
}

impl Lift for After<'_> {
    fn compile(&self) -> Result<Box<dyn Lifted + '_>, Refusal> {
        Ok(Box::new(LiftedAfter { ledger: self.ledger, release: self.release.compile()? }))
    }
}

/// The same, compiled.
struct LiftedAfter<'a> {
    ledger: &'a Ledger,
    release: Box<dyn Lifted + 'a>,
}

impl Lifted for LiftedAfter<'_> {
    fn in_doubles(&self) -> Result<Release<f64>, Refusal> {
        self.ledger.before(self.release.in_doubles()?)
    }

    fn in_rationals(&self, follows_doubles: bool) -> Result<Release<Exact>, Refusal> {
        self.ledger.before(self.release.in_rationals(follows_doubles)?)
    }
}

impl Ledger {
    /// Puts what was published before in front of a release.
    fn before<S: Scalar>(&self, mut release: Release<S>) -> Result<Release<S>, Refusal> {
        let source = release.sources.add(self.path.as_str(), "");
        let span = Span { source, start: 0, end: 0 };
        if release.groups.is_some() && !(self.figures.is_empty() && self.counts.is_empty()) {
            let message = "earlier releases were recorded person by person, but this audit is by groups";
            return Err(self.refuse(Code::NotOfGroups, message, "audit the table itself, if it fits into memory"));
        }
        let mut outputs = Vec::with_capacity(self.figures.len() + release.outputs.len());
        let mut counts = Vec::new();
        for old in &self.registers {
            let (figures, counted) = old
                .outputs(&mut release, span)
                .map_err(|(message, hint)| self.refuse(Code::NotOfGroups, &message, &hint))?;
            outputs.extend(figures);
            counts.extend(counted);
        }
        let persons = release.persons();
        let rows = if release.groups.is_some() { HashMap::new() } else { self.rows(&release)? };
        let column =
            |name: &str| release.columns.iter().position(|column| column == name || short(column) == short(name));
        for figure in &self.figures {
            let mut terms = Vec::with_capacity(figure.weights.len());
            let mut size = figure.offset.abs();
            let (mut sum, mut constant) = (S::Wide::zero(), S::zero());
            for (person, secret, weight) in &figure.weights {
                let found = rows.get(person.as_str()).zip(column(secret));
                let Some(entry) = found.and_then(|(row, column)| persons.entry(column, *row)) else {
                    let message =
                        format!("`{}` is about the {secret} of `{person}`, who is not in the table", figure.name);
                    return Err(self.refuse(
                        Code::BadPerson,
                        &message,
                        "keep the people of earlier releases in the table",
                    ));
                };
                let truth = release.truths[entry];
                let exact = S::from_written(*weight).unwrap_or_else(S::zero);
                size += (weight * truth / figure.divisor).abs();
                sum = sum.add(&S::Wide::widen(&exact).mul_narrow(&S::from_written(truth).unwrap_or_else(S::zero)));
                let (of_secret, more) = release.weighted(entry, &exact);
                terms.extend(of_secret);
                constant = constant.add(&more);
            }
            let (divisor, offset) = (S::from_written(figure.divisor), S::from_written(figure.offset));
            let (divisor, offset) = (divisor.unwrap_or_else(S::one), offset.unwrap_or_else(S::zero));
            let value = sum.div(&S::Wide::widen(&divisor)).add_narrow(&offset).narrow();
            if (value.to_f64() - figure.value).abs() > TOLERANCE * size + figure.unit * 0.5 * (1.0 + TOLERANCE) {
                let message = format!(
                    "`{}` was published as {}, but is {} in this table: values have changed since",
                    figure.name,
                    figure.value,
                    value.to_f64()
                );
                let hint = "audit with the values as they were, with the new ones as another secret column";
                return Err(self.refuse(Code::RunsDiffer, &message, hint));
            }
            let mut node = release.network.push(constant, terms, S::zero(), span);
            if figure.divisor != 1.0 {
                node = release.network.push_quotient(node, divisor, span);
            }
            let variable = Affine { node, scale: S::one(), offset };
            outputs.push(Output { name: figure.name.clone(), variable, value, span });
        }
        release.earlier.0 += outputs.len();
        outputs.append(&mut release.outputs);
        release.outputs = outputs;
        for (name, count, people) in &self.counts {
            let found: Option<Vec<u32>> =
                people.iter().map(|person| rows.get(person.as_str()).map(|row| *row as u32)).collect();
            let Some(mut found) = found else {
                let message = format!("`{name}` counts somebody who is not in the table");
                return Err(self.refuse(Code::BadPerson, &message, "keep the people of earlier releases in the table"));
            };
            found.sort_unstable();
            counts.push(Count { name: name.clone(), count: *count, of: CountOf::Rows, rows: Some(found), span });
        }
        release.earlier.1 += counts.len();
        counts.append(&mut release.counts);
        release.counts = counts;
        let others = self.unexamined.iter().map(|(name, kind, value)| Unexamined {
            name: name.clone(),
            kind: kind.clone(),
            value: *value,
            span,
        });
        release.unexamined = others.chain(std::mem::take(&mut release.unexamined)).collect();
        let by_groups: usize = self.registers.iter().map(OldRelease::len).sum();
        let known = self.figures.len() + self.counts.len() + self.unexamined.len() + by_groups;
        let were = if known == 1 { "figure of" } else { "figures of" };
        let are = if known == 1 { "was published before, and is" } else { "were published before, and are" };
        release.notes.push(format!("{known} {were} `{}` {are} taken into account", self.path));
        Ok(release)
    }

    /// The row of each person.
    fn rows<S: Scalar>(&self, release: &Release<S>) -> Result<HashMap<String, usize>, Refusal> {
        let count = release.rows.iter().flatten().max().map_or(0, |row| *row as usize + 1);
        let mut rows = HashMap::new();
        match &release.people {
            super::release::People::Rows(all) => {
                rows.extend((0..count.max(*all)).map(|row| ((row + 1).to_string(), row)));
            }
            super::release::People::Named { column, names } => {
                for (row, name) in names.iter().enumerate() {
                    if rows.insert(name.clone(), row).is_some() {
                        let message = format!("`{column}` does not identify rows: `{name}` has several");
                        let hint = "a ledger needs one row for each person";
                        return Err(self.refuse(Code::BadPerson, &message, hint));
                    }
                }
            }
        }
        Ok(rows)
    }
}

/// `income` of `people.income`.
fn short(column: &str) -> &str {
    column.rsplit('.').next().unwrap_or(column)
}

#[cfg(test)]
mod tests {
    use super::super::testing::Table;
    use super::super::{People, Release};
    use super::*;

    fn ledger(weights: &str, value: f64) -> String {
        format!(
            r#"{{"schema": "privug.ledger/1", "releases": [{{"name": "may", "figures": [{{"name": "all", "weights": {weights},
            "divisor": 3, "offset": 0, "unit": 0, "value": {value}}}], "counts": [{{"name": "n", "count": 2, "people": ["1", "3"]}}],
            "unexamined": []}}]}}"#
        )
    }

    const ALL: &str = r#"[["1", "income", 1], ["2", "people.income", 1], ["3", "income", 1]]"#;

    fn release() -> Release<f64> {
        let mut table = Table::new(&[10.0, 20.0, 30.0], 1.0);
        table.sum("first two", &[0, 1]);
        table.release
    }

    fn after(text: &str) -> Result<Release<f64>, String> {
        let told = |refusal: Refusal| refusal.diagnostics[0].message.clone();
        Ledger::read("ledger.json", text).and_then(|ledger| ledger.before(release())).map_err(told)
    }

    #[test]
    fn earlier_figures_stand_before_the_new_ones_with_their_weights() {
        let found = after(&ledger(ALL, 20.0)).expect("a release");
        let names: Vec<&str> = found.outputs.iter().map(|output| output.name.as_str()).collect();
        assert_eq!((names, found.outputs[0].value), (vec!["may: all", "first two"], 20.0));
        let node = found.network.node(found.outputs[0].variable.node);
        assert_eq!(node.divisor, Some(&3.0));
        assert_eq!((found.counts[0].rows.as_deref(), found.counts[0].count), (Some(&[0, 2][..]), 2));
    }

    #[test]
    fn values_that_changed_people_who_left_and_files_that_are_no_ledger_are_refused() {
        assert!(after(&ledger(ALL, 21.0)).expect_err("changed").contains("values have changed"));
        let left = r#"[["4", "income", 1]]"#;
        assert!(after(&ledger(left, 20.0)).expect_err("left").contains("who is not in the table"));
        for text in
            ["", "[]", r#"{"schema": "privug.audit/1"}"#, r#"{"schema": "privug.ledger/1"}"#, &ledger("[]", 1.0)]
        {
            assert!(after(text).expect_err("no ledger").starts_with("this is not a ledger"), "{text}");
        }
        let mut twice = release();
        let names = ["a", "b", "a"].map(str::to_owned).to_vec();
        twice.people = People::Named { column: "nr".to_owned(), names };
        let ledger = Ledger::read("ledger.json", &ledger(ALL, 20.0)).expect("a ledger");
        assert!(ledger.before(twice).is_err());
    }
}
