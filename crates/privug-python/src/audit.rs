//! Audits: tables in, a report and columns with everybody out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use numpy::{IntoPyArray, PyReadonlyArray1};
use privug::analysis::WorkLimits;
use privug::audit::{
    self, About, After, Attacker, Audit, DefenceTexts, Input, Ledger, Lift, LiveRelease, Place, PolicyTexts, Settings,
    read_policy,
};
use privug::diagnostic::{Code, Diagnostic, Front, Refusal};
use privug::evaluate::Limits;
use privug::report::html::{Provenance, audit_to_html};
use privug::report::{self, Palette, plot};
use privug::source::{Sources, Span};
use privug::table::{Data, NO_LABEL, Table, TableError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::program_error;
use crate::forms::Forms;
use crate::supervise::supervise;

/// A table that is handed over column by column.
#[pyclass(module = "privug._privug")]
pub struct RawTable {
    columns: Vec<(String, Data)>,
    row_count: usize,
}

impl RawTable {
    pub fn table(&self, name: &str) -> Result<Table, Refusal> {
        Table::from_columns(self.columns.clone(), self.row_count).map_err(|error| bad_table(name, error))
    }
}

/// Says what is wrong with a table.
fn bad_table(name: &str, mut error: TableError) -> Refusal {
    let mut sources = Sources::default();
    error.path = format!("table `{name}`");
    let source = sources.add(error.path.as_str(), "");
    let hint = error.hint.take();
    let mut diagnostic = Diagnostic::error(Code::BadTable, Span { source, start: 0, end: 0 }, error.to_string());
    diagnostic.hint = hint.map(String::from);
    Refusal { sources, diagnostics: vec![diagnostic] }
}

#[pymethods]
impl RawTable {
    #[new]
    fn new(row_count: usize) -> Self {
        RawTable { columns: Vec::new(), row_count }
    }

    /// A column of numbers; NaN is missing.
    fn numbers(&mut self, name: String, values: PyReadonlyArray1<'_, f64>) -> PyResult<()> {
        self.columns.push((name, Data::Numbers(Arc::new(values.as_slice()?.to_vec()))));
        Ok(())
    }

    /// A column of integers, none of them missing.
    fn integers(&mut self, name: String, values: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        self.columns.push((name, Data::Integers(Arc::new(values.as_slice()?.to_vec()))));
        Ok(())
    }

    /// A column of booleans; `missing` says where there is none.
    #[pyo3(signature = (name, values, missing=None))]
    fn booleans(
        &mut self,
        name: String,
        values: PyReadonlyArray1<'_, bool>,
        missing: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let values = values.as_slice()?;
        let data = match missing {
            None => Data::Booleans(Arc::new(values.to_vec())),
            Some(missing) => {
                let missing = missing.as_slice()?;
                if missing.len() != values.len() {
                    return Err(PyValueError::new_err("the mask has another length"));
                }
                let cells = values.iter().zip(missing).map(|(value, missing)| (!missing).then_some(*value));
                Data::OptionalBooleans(Arc::new(cells.collect()))
            }
        };
        self.columns.push((name, data));
        Ok(())
    }

    /// A column of texts: the number of each row's label, negative where it is missing, and the labels.
    fn texts(&mut self, name: String, codes: PyReadonlyArray1<'_, i64>, labels: Vec<String>) -> PyResult<()> {
        let code = |code: &i64| match u32::try_from(*code) {
            Err(_) => Ok(NO_LABEL),
            Ok(code) if (code as usize) < labels.len() => Ok(code),
            Ok(_) => Err(PyValueError::new_err("a code has no label")),
        };
        let codes = codes.as_slice()?.iter().map(code).collect::<PyResult<Vec<u32>>>()?;
        let labels = labels.iter().map(|label| Arc::from(label.as_str())).collect();
        self.columns.push((name, Data::Texts { codes: Arc::new(codes), labels: Arc::new(labels) }));
        Ok(())
    }
}

/// What is audited and how: tables, secrets, what the attacker believes, rules and defences.
#[pyclass(frozen, module = "privug._privug")]
pub struct AuditRequest {
    pub tables: Vec<(String, Table)>,
    pub secrets: Vec<String>,
    pub priors: Vec<String>,
    pub person: Option<String>,
    pub attacker: Attacker,
    pub limits: Limits,
    settings: Settings,
    ledger: Option<Ledger>,
    exact: bool,
}

impl AuditRequest {
    pub fn input(&self, path: String, program: String, function: Option<String>) -> Input {
        Input {
            path,
            program,
            function,
            tables: self.tables.clone(),
            secrets: self.secrets.clone(),
            priors: self.priors.clone(),
            person: self.person.clone(),
            attacker: self.attacker.clone(),
            limits: self.limits.clone(),
            cancelled: None,
        }
    }

    /// Audits something that runs in either arithmetic; Ctrl-C stops it.
    pub fn run<L: Lift + Send>(
        &self,
        py: Python<'_>,
        path: String,
        function: Option<String>,
        lift: impl FnOnce(Arc<AtomicBool>) -> L + Send,
    ) -> PyResult<RawAudit> {
        let cancelled = Arc::new(AtomicBool::new(false));
        let mut settings = self.settings.clone();
        settings.about = About {
            path,
            function,
            secrets: self.secrets.clone(),
            priors: self.priors.clone(),
            defences: settings.defences.describe(),
        };
        settings.cancelled = Some(cancelled.clone());
        let found = supervise(py, &cancelled, || {
            let release = lift(cancelled.clone());
            match &self.ledger {
                Some(ledger) => audit::audit(&After { ledger, release: &release }, &settings, self.exact, &|_| ()),
                None => audit::audit(&release, &settings, self.exact, &|_| ()),
            }
        })?;
        found.map(|audit| RawAudit { audit }).map_err(|refusal| program_error(py, &refusal))
    }
}

#[pymethods]
impl AuditRequest {
    #[new]
    #[pyo3(signature = (tables, secrets, priors, *, person=None, known=Vec::new(), sensitive=Vec::new(), policy=None,
        rules=Vec::new(), noise=Vec::new(), suppress=Vec::new(), round=Vec::new(), support=Vec::new(), strict=false,
        published_before=None, top=10, exact=false, max_steps=None, max_variables=None,
        max_elements=None, max_depth=None, max_bits=None, max_work=None))]
    #[expect(clippy::too_many_arguments, reason = "the options of an audit, each by its name")]
    fn new(
        py: Python<'_>,
        tables: Vec<(String, PyRef<'_, RawTable>)>,
        secrets: Vec<String>,
        priors: Vec<String>,
        person: Option<String>,
        known: Vec<String>,
        sensitive: Vec<String>,
        policy: Option<(String, String)>,
        rules: Vec<String>,
        noise: Vec<String>,
        suppress: Vec<String>,
        round: Vec<String>,
        support: Vec<String>,
        strict: bool,
        published_before: Option<(String, String)>,
        top: usize,
        exact: bool,
        max_steps: Option<u64>,
        max_variables: Option<u64>,
        max_elements: Option<u64>,
        max_depth: Option<u32>,
        max_bits: Option<usize>,
        max_work: Option<u64>,
    ) -> PyResult<Self> {
        let refused = |refusal: Refusal| program_error(py, &refusal);
        let tables = tables.into_iter().map(|(name, table)| table.table(&name).map(|table| (name, table)));
        let tables = tables.collect::<Result<Vec<_>, Refusal>>().map_err(refused)?;
        let policy = read_policy(&PolicyTexts { file: policy, rules }).map_err(refused)?;
        let ledger = published_before.map(|(path, text)| Ledger::read(&path, &text)).transpose().map_err(refused)?;
        let mut limits = Limits::default();
        limits.steps = max_steps.unwrap_or(limits.steps);
        limits.variables = max_variables.unwrap_or(limits.variables);
        limits.elements = max_elements.unwrap_or(limits.elements);
        limits.depth = max_depth.unwrap_or(limits.depth);
        limits.number_bits = max_bits.unwrap_or(limits.number_bits);
        let mut work = WorkLimits::default();
        work.cells = work.cells.saturating_mul(max_work.unwrap_or(1));
        work.operations = work.operations.saturating_mul(max_work.unwrap_or(1));
        let defences = DefenceTexts { noise, suppress, round };
        let about = About::default();
        let settings =
            Settings { about, policy, defences, supports: support, strict, record: false, top, work, cancelled: None };
        let attacker = Attacker { known, sensitive, releases_rows: false };
        Ok(AuditRequest { tables, secrets, priors, person, attacker, limits, settings, ledger, exact })
    }

    /// Audits a script's text, which is not executed.
    #[pyo3(signature = (path, program, function=None))]
    fn audit_source(
        &self,
        py: Python<'_>,
        path: String,
        program: String,
        function: Option<String>,
    ) -> PyResult<RawAudit> {
        let input = self.input(path.clone(), program, function.clone());
        self.run(py, path, function, |cancelled| Input { cancelled: Some(cancelled), ..input })
    }

    /// Audits what a function published when it was run on secret columns. `path` and `text` are its file; the forms
    /// are the figures, each published at some bytes of the file.
    #[expect(clippy::too_many_arguments, reason = "the parts of a release, each by its name")]
    fn audit_live(
        &self,
        py: Python<'_>,
        path: String,
        text: String,
        function: Option<String>,
        forms: &Forms,
        figures: Vec<Figure>,
        counts: Vec<(Figure, i64, Option<PyReadonlyArray1<'_, i64>>)>,
        unexamined: Vec<(Figure, String, Option<f64>)>,
        notes: Vec<String>,
    ) -> PyResult<RawAudit> {
        if figures.len() != forms.len() {
            return Err(PyValueError::new_err("there is not one name for each figure"));
        }
        let counts = counts.into_iter().map(|(figure, count, rows)| Ok((place(figure), count, rows_behind(rows)?)));
        let release = LiveRelease {
            input: only_tables(&self.input(path.clone(), String::new(), None)),
            path: path.clone(),
            text,
            figures: figures.into_iter().map(place).collect(),
            forms: (*forms.whole(py)?).clone(),
            counts: counts.collect::<PyResult<_>>()?,
            unexamined: unexamined.into_iter().map(|(figure, kind, value)| (place(figure), kind, value)).collect(),
            notes,
        };
        self.run(py, path, function, |cancelled| LiveRelease {
            input: Input { cancelled: Some(cancelled), ..release.input },
            ..release
        })
    }
}

/// The same input with a program that only takes the tables: what it gives is not used.
pub fn only_tables(input: &Input) -> Input {
    let names: Vec<&str> = input.tables.iter().map(|(name, _)| name.as_str()).collect();
    let program = format!("def release({}):\n    return len({})\n", names.join(", "), names.first().unwrap_or(&""));
    Input { path: "<tables>".to_owned(), program, function: None, ..input.clone() }
}

/// The rows behind a count; `None` are all.
pub fn rows_behind(rows: Option<PyReadonlyArray1<'_, i64>>) -> PyResult<Option<Vec<u32>>> {
    let Some(rows) = rows else { return Ok(None) };
    let row = |row: &i64| u32::try_from(*row).map_err(|_| PyValueError::new_err("a row is negative"));
    rows.as_slice()?.iter().map(row).collect::<PyResult<Vec<u32>>>().map(Some)
}

/// A figure's name, and the bytes of the file where it is published.
pub type Figure = (String, u32, u32);

pub fn place((name, start, end): Figure) -> Place {
    Place { name, start, end }
}

/// The result of an audit; `privug.Audit` is the class around it.
#[pyclass(frozen, module = "privug._privug")]
pub struct RawAudit {
    pub audit: Audit,
}

#[pymethods]
impl RawAudit {
    /// The JSON document `privug.audit/1`.
    fn to_json(&self, py: Python<'_>, all_people: bool) -> String {
        py.detach(|| report::audit_to_json(&self.audit, all_people).to_string())
    }

    /// The report for a terminal.
    fn to_text(&self, top: usize, coloured: bool) -> String {
        let palette = if coloured { Palette::COLOURED } else { Palette::PLAIN };
        report::audit_to_text(&self.audit, top, Front::Python, palette)
    }

    /// The report as a self-contained HTML page; what made it and when are the caller's to say.
    fn to_html(&self, py: Python<'_>, command: String, date: String) -> String {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        py.detach(|| audit_to_html(&self.audit, Front::Python, &Provenance { command, version, date }))
    }

    /// How much of the attacker's uncertainty is taken away, from how many people.
    fn to_svg(&self, py: Python<'_>) -> String {
        py.detach(|| plot::to_svg(&report::audit_plot(&self.audit)))
    }

    #[getter]
    fn verdict(&self) -> &'static str {
        self.audit.verdict.name()
    }

    /// Everybody, as columns by the names of the JSON; `row` counts from 0 here.
    fn people<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (audit, people) = (&self.audit, &self.audit.people);
        let entries = || 0..people.len();
        let columns = PyDict::new(py);
        let names: Vec<_> = entries().map(|entry| audit.name(entry).into_owned()).collect();
        columns.set_item("person", names)?;
        let rows: Vec<i64> = entries().map(|entry| audit.persons.row(entry) as i64).collect();
        columns.set_item("row", rows.into_pyarray(py))?;
        if audit.persons.columns() > 1 {
            let secrets: Vec<&str> = entries().filter_map(|entry| audit.column_of(entry)).collect();
            columns.set_item("secret", secrets)?;
        }
        columns.set_item("verdict", people.verdict.iter().map(|verdict| verdict.name()).collect::<Vec<_>>())?;
        let whole = |entry: usize| audit.verdicts.verdict(audit.persons.of_entry(entry)).name();
        columns.set_item("person_verdict", entries().map(whole).collect::<Vec<_>>())?;
        let rules = |entry: usize| {
            let broken = people.broken_rules(entry, &audit.policy);
            broken.iter().map(|(rule, _)| rule.name()).collect::<Vec<_>>().join(" ")
        };
        columns.set_item("rules", entries().map(rules).collect::<Vec<_>>())?;
        columns.set_item("fully_disclosed", people.fully_disclosed.clone().into_pyarray(py))?;
        for (name, values) in [
            ("truth", &people.truth),
            ("prior_mean", &people.prior_mean),
            ("prior_variance", &people.prior_variance),
            ("posterior_mean", &people.posterior_mean),
            ("posterior_variance", &people.posterior_variance),
            ("mean_shift", &people.mean_shift),
            ("relative_std", &people.relative_std),
            ("mutual_information_bits", &people.mutual_information_bits),
            ("near_truth_prior", &people.near_truth_prior),
            ("near_truth_posterior", &people.near_truth_posterior),
        ] {
            columns.set_item(name, values.clone().into_pyarray(py))?;
        }
        for (name, values, prior) in [
            ("baseline_mean", &people.baseline_mean, &people.prior_mean),
            ("baseline_variance", &people.baseline_variance, &people.prior_variance),
        ] {
            let values = if values.is_empty() { prior } else { values };
            columns.set_item(name, values.clone().into_pyarray(py))?;
        }
        if let Some(possible) = &audit.possible {
            for (name, values) in [
                ("possible_lower", &possible.lower),
                ("possible_upper", &possible.upper),
                ("interval_percent", &possible.outsider_percent),
                ("interval_percent_contributor", &possible.contributor_percent),
            ] {
                columns.set_item(name, values.clone().into_pyarray(py))?;
            }
        }
        let figures: Vec<i64> = people.figures.iter().map(|count| i64::from(*count)).collect();
        let smallest = people.smallest_frequency.iter().zip(&people.figures);
        let smallest: Vec<Option<u32>> = smallest.map(|(least, count)| Some(*least).filter(|_| *count > 0)).collect();
        columns.set_item("figures", figures.into_pyarray(py))?;
        columns.set_item("smallest_frequency", smallest)?;
        if let Some(brackets) = &people.brackets {
            columns.set_item("method", entries().map(|entry| brackets.of(entry).method()).collect::<Vec<_>>())?;
            for (place, name) in ["posterior_mean", "posterior_std", "interval"].into_iter().enumerate() {
                for (end, side) in ["lower", "upper"].into_iter().enumerate() {
                    let number = |entry: usize| {
                        let of = brackets.of(entry);
                        [of.mean, of.std_dev, of.interval][place].map_or(f64::NAN, |bounds| bounds[end])
                    };
                    let column: Vec<f64> = entries().map(number).collect();
                    columns.set_item(format!("{name}_{side}"), column.into_pyarray(py))?;
                }
            }
        }
        if let Some(discrete) = &people.discrete {
            let value =
                |entry: usize| discrete.values[discrete.of(entry).column][discrete.truths[entry] as usize].show();
            columns.set_item("value", entries().map(value).collect::<Vec<_>>())?;
            let method = |entry: usize| discrete.of(entry).certainty.name();
            columns.set_item("method", entries().map(method).collect::<Vec<_>>())?;
            // With several secrets the columns would hold values of one that another does not have.
            if let [values] = discrete.values.as_slice() {
                for (code, value) in values.iter().enumerate() {
                    let before: Vec<f64> = entries().map(|entry| discrete.of(entry).prior[code]).collect();
                    let after = |entry: usize| match discrete.of(entry).certainty {
                        audit::Certainty::Unknown => f64::NAN,
                        audit::Certainty::Exact | audit::Certainty::Certified(_) => discrete.of(entry).posterior[code],
                    };
                    let after: Vec<f64> = entries().map(after).collect();
                    columns.set_item(format!("prior[{}]", value.show()), before.into_pyarray(py))?;
                    columns.set_item(format!("posterior[{}]", value.show()), after.into_pyarray(py))?;
                }
            }
        }
        Ok(columns)
    }

    /// Which figures, times what, a disclosed secret is the sum of: (entry, name of the figure, weight).
    fn disclosed_by(&self) -> (Vec<usize>, Vec<&str>, Vec<f64>) {
        let (mut entries, mut figures, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for (entry, combination) in &self.audit.disclosed_by {
            for (figure, weight) in combination {
                entries.push(*entry);
                figures.push(self.audit.figures[*figure].name.as_str());
                weights.push(*weight);
            }
        }
        (entries, figures, weights)
    }
}
