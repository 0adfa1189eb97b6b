//! Running a function on tables twice: on the attacker's random variables, and on the real values.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::fault::{Fault, Outcome};
use super::super::machine::{Machine, Stop};
use super::super::value::Value;
use super::super::{Limits, Note};
use super::pairing::{check_public, paired};
use super::results::Figure;
use super::{Column, Frame, FrameColumn, Index, Label, RandomColumn};
use crate::network::{Affine, Network};
use crate::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::program::{Expression, Program, Role};
use privug_language::source::Span;
use privug_tables::table::{Data, Table};

/// Which column of which table is secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretColumn {
    /// The table's place.
    pub table: usize,
    /// The column's place in it.
    pub column: usize,
}

/// What a function publishes about a table, in both runs.
#[derive(Debug)]
pub struct Published<S> {
    /// The attacker's random variables.
    pub network: Network<S>,
    /// The secret of each row that has one, a node of its own.
    pub secrets: Vec<Affine<S>>,
    /// The rows of these.
    pub rows: Vec<u32>,
    /// The figures that depend on the secret.
    pub figures: Vec<PublishedFigure<S>>,
    /// The names of those that do not.
    pub public: Vec<String>,
    /// The names of those that are NaN: nobody with a value is in them.
    pub empty: Vec<String>,
    /// What the script's author should hear.
    pub notes: Vec<Note>,
    /// Where floating point lost the certainty that exact arithmetic has.
    pub doubt: Option<Span>,
    /// Where exact arithmetic had to round an irrational number.
    pub rounded: Option<Span>,
}

/// One figure that depends on the secret.
#[derive(Debug)]
pub struct PublishedFigure<S> {
    /// What it is called.
    pub name: String,
    /// What the attacker knows it to be.
    pub variable: Affine<S>,
    /// What it really is.
    pub value: S,
    /// Where it is computed.
    pub span: Span,
}

/// Runs a function on tables.
pub fn evaluate_release<S: Scalar>(
    program: &Program,
    tables: &[(String, Table)],
    secret: SecretColumn,
    limits: &Limits,
    cancelled: Option<Arc<AtomicBool>>,
) -> Result<Published<S>, Vec<Diagnostic>> {
    let frames: Vec<Frame<S>> = tables.iter().zip(0..).map(|((_, table), id)| frame_of_table(table, id)).collect();
    let machine = || Machine::new(program, limits.clone(), cancelled.clone()).map_err(|diagnostic| vec![diagnostic]);
    let mut attacked = Release { machine: machine()?, tables, frames: frames.clone() };
    let modelled = attacked.modelled(secret);
    let (secrets, figures, return_span) = attacked.ended(modelled)?;
    let mut real = Release { machine: machine()?, tables, frames };
    real.machine.state.real = true;
    let ran = real.machine.run_module().and_then(|()| real.run()).map(|(figures, _)| figures);
    let values = real.ended(ran)?;
    let program_source = program.functions[0].span.source;
    let network = std::mem::take(&mut attacked.machine.state.network);
    let mut published = Published {
        network,
        rows: attacked.rows_with_secret(secret),
        secrets,
        figures: Vec::new(),
        public: Vec::new(),
        empty: Vec::new(),
        notes: std::mem::take(&mut attacked.machine.state.notes),
        doubt: attacked.machine.state.doubt,
        rounded: attacked.machine.state.rounded.or(real.machine.state.rounded),
    };
    for note in std::mem::take(&mut real.machine.state.notes) {
        if !published.notes.contains(&note) {
            published.notes.push(note);
        }
    }
    for (figure, value) in paired(figures, values).map_err(|fault| vec![fault.at(return_span)])? {
        let random = figure.value.as_random().filter(|x| is_random(&published.network, x));
        let Some(variable) = random else {
            match figure.value {
                Value::None
                | Value::Missing
                | Value::Bool(_)
                | Value::Int(_)
                | Value::BigInt(_)
                | Value::Float(_)
                | Value::Text(_)
                | Value::Range(_)
                | Value::Random { .. } => {
                    check_public(&attacked.machine.state, &figure, &real.machine.state, &value)
                        .map_err(|fault| vec![fault.at(return_span)])?;
                    match figure.value {
                        Value::None => {}
                        Value::Missing => published.empty.push(figure.name),
                        _ => published.public.push(figure.name),
                    }
                }
                // Nothing may be taken for public only because nobody looked into it.
                other => return Err(vec![not_a_number(&figure.name, &other).at(return_span)]),
            }
            continue;
        };
        let made = published.network.span(variable.node);
        let span = if made.source == program_source { made } else { return_span };
        let number = real.machine.state.number(&value).map(|number| real.machine.state.scalar(&number));
        let value = match number {
            Some(number) => number.map_err(|fault| vec![fault.at(span)])?,
            None => return Err(vec![not_a_number(&figure.name, &value).at(span)]),
        };
        published.figures.push(PublishedFigure { name: figure.name, variable, value, span });
    }
    Ok(published)
}

/// Whether an expression depends on anything random at all.
fn is_random<S: Scalar>(network: &Network<S>, x: &Affine<S>) -> bool {
    let node = network.node(x.node);
    !x.scale.is_zero() && (!node.terms.is_empty() || !node.noise_variance.is_zero())
}

fn not_a_number<S: Scalar>(name: &str, value: &Value<S>) -> Box<Fault> {
    let message = format!("`{name}` is {}, so there is no figure to publish", value.kind());
    let hint = match value {
        Value::Random { .. } => "a script that is audited draws no random numbers; add noise with `gaussian_mechanism`",
        _ => "return numbers, columns and tables, and lists and dictionaries of them",
    };
    Fault::hinted(Code::RandomRelease, message, hint)
}

/// One of the two runs.
struct Release<'p, S: Scalar> {
    machine: Machine<'p, S>,
    tables: &'p [(String, Table)],
    frames: Vec<Frame<S>>,
}

impl<S: Scalar> Release<'_, S> {
    /// What a run gave, or what is wrong with it.
    fn ended<T>(&mut self, result: Result<T, Stop>) -> Result<T, Vec<Diagnostic>> {
        let mut diagnostics = std::mem::take(&mut self.machine.diagnostics);
        match result {
            Ok(value) if diagnostics.is_empty() => Ok(value),
            _ => {
                if diagnostics.is_empty() {
                    let span = self.machine.program.functions[0].span;
                    diagnostics.push(Diagnostic::error(Code::Cancelled, span, "the run stopped without a result"));
                }
                diagnostics.sort_by_key(|diagnostic| diagnostic.span);
                Err(diagnostics)
            }
        }
    }

    /// The run on the attacker's random variables.
    fn modelled(&mut self, secret: SecretColumn) -> Result<(Vec<Affine<S>>, Vec<Figure<S>>, Span), Stop> {
        let program = self.machine.program;
        self.machine.run_module()?;
        let prior = program.expressions.iter().find(|expression| matches!(expression.role, Role::ColumnPrior(_)));
        let secrets = match prior {
            Some(prior) => self.secrets(prior, secret)?,
            None => return Err(Stop),
        };
        let column = self.secret_column(secret, &secrets);
        self.frames[secret.table].columns[secret.column].column = column;
        let (figures, span) = self.run()?;
        if let Some(evidence) = self.machine.state.evidence.first() {
            let message = "an audited function observes something";
            let hint = "what it returns is what is published; what the attacker knows goes into the prior";
            let (fault, at) = (Fault::hinted(Code::ObservationInRelease, message, hint), evidence.seen.span);
            self.machine.report(fault, at)?;
        }
        Ok((secrets, figures, span))
    }

    /// The secrets' variables: the prior, computed for all rows at once.
    fn secrets(&mut self, prior: &Expression, secret: SecretColumn) -> Result<Vec<Affine<S>>, Stop> {
        let frame = self.frames[secret.table].clone();
        let function = self.machine.program.function(prior.function);
        let mut arguments = Vec::new();
        for parameter in &function.parameters {
            let column = match frame.position(&[Label::text(&parameter.name)]) {
                Some(position) => self.machine.state.frame_column(&frame, position),
                None => Err(Fault::new(Code::UnknownColumn, format!("there is no column `{}`", parameter.name))),
            };
            arguments.push(Value::Series(self.checked(column, prior.span)?));
        }
        self.machine.state.prior_rows = Some(frame.index.clone());
        let returned = self.machine.call(prior.function, arguments);
        self.machine.state.prior_rows = None;
        let value = returned?.value;
        if matches!(value, Value::Poison) {
            return Err(Stop);
        }
        let column = match &value {
            Value::Series(series) if series.index.same(&frame.index) => series.column.clone(),
            other => return self.refuse_prior(other.kind(), prior.span),
        };
        let rows = self.rows_with_secret(secret);
        let variables: Vec<Affine<S>> = match &column {
            Column::Random(column) => rows.iter().map(|row| column.get(*row as usize)).collect(),
            Column::Cells(cells) => {
                let mut variables = Vec::with_capacity(rows.len());
                for row in rows {
                    match &cells[row as usize] {
                        Value::Missing => return self.refuse_missing_prior(row, prior.span),
                        other => match other.as_random() {
                            Some(x) => variables.push(x),
                            None => return self.refuse_prior("not random in some rows", prior.span),
                        },
                    }
                }
                variables
            }
            other => return self.refuse_prior(&format!("a column of {}", other.kind()), prior.span),
        };
        let variables = self.own_nodes(variables);
        self.checked(variables, prior.span)
    }

    /// The rows whose secret is not missing.
    fn rows_with_secret(&self, secret: SecretColumn) -> Vec<u32> {
        let data = self.tables[secret.table].1.columns()[secret.column].data();
        (0..self.tables[secret.table].1.row_count() as u32).filter(|row| data.number(*row as usize).is_some()).collect()
    }

    /// The secret column as the attacker sees it: who has a value is known, the values are not.
    fn secret_column(&self, secret: SecretColumn, secrets: &[Affine<S>]) -> Column<S> {
        let count = self.tables[secret.table].1.row_count();
        if secrets.len() == count {
            return Column::Random(Rc::new(RandomColumn::from_variables(secrets.to_vec())));
        }
        let mut cells = vec![Value::Missing; count];
        for (row, x) in self.rows_with_secret(secret).into_iter().zip(secrets) {
            cells[row as usize] = Value::random(x.clone());
        }
        Column::Cells(Rc::new(cells))
    }

    fn refuse_missing_prior<T>(&mut self, row: u32, span: Span) -> Result<T, Stop> {
        let message = format!("row {} has a secret, but no prior: something in it is missing", row + 1);
        let hint = "fill the gaps of the columns in the prior, such as `prior_mean.fillna(450_000)`";
        self.machine.report(Fault::hinted(Code::NothingRandom, message, hint), span)?;
        Err(Stop)
    }

    fn refuse_prior<T>(&mut self, what: &str, span: Span) -> Result<T, Stop> {
        let message = format!("the prior is {what}, not a distribution for each row");
        let hint = "write what the attacker believes, such as `Normal(mean=450_000, std=60_000)`";
        self.machine.report(Fault::hinted(Code::NothingRandom, message, hint), span)?;
        Err(Stop)
    }

    /// A node of its own for each row, so that a figure's weight on a person can be read off.
    fn own_nodes(&mut self, secrets: Vec<Affine<S>>) -> Outcome<Vec<Affine<S>>> {
        let one = S::one();
        let is_plain = |x: &Affine<S>| x.scale == one && x.offset.is_zero();
        if secrets.iter().all(is_plain) && secrets.is_sorted_by(|a, b| a.node < b.node) {
            return Ok(secrets);
        }
        let mut variables = Vec::with_capacity(secrets.len());
        for x in secrets {
            let terms = (!x.scale.is_zero()).then_some((x.node, x.scale));
            variables.push(self.machine.state.push_node(x.offset, terms, S::zero())?);
        }
        Ok(variables)
    }

    fn checked<T>(&mut self, outcome: Outcome<T>, span: Span) -> Result<T, Stop> {
        match outcome {
            Ok(value) => Ok(value),
            Err(fault) => {
                self.machine.report(fault, span)?;
                Err(Stop)
            }
        }
    }

    /// Runs the function on the tables as they are.
    fn run(&mut self) -> Result<(Vec<Figure<S>>, Span), Stop> {
        let program = self.machine.program;
        let arguments = self.arguments()?;
        let returned = self.machine.call(program.entry, arguments)?;
        let span = self.machine.state.span;
        if matches!(returned.value, Value::Poison) {
            return Err(Stop);
        }
        let name = &program.result_names[returned.name as usize];
        let figures = self.machine.state.figures(&returned.value, name);
        let figures = self.checked(figures, span)?;
        if figures.iter().any(|figure| matches!(figure.value, Value::Poison)) {
            return Err(Stop);
        }
        Ok((figures, span))
    }

    /// One argument for each parameter: the table of its name, or the only table.
    fn arguments(&mut self) -> Result<Vec<Value<S>>, Stop> {
        let program = self.machine.program;
        let entry = program.function(program.entry);
        let mut arguments = Vec::new();
        for (position, parameter) in entry.parameters.iter().enumerate() {
            let named = self.tables.iter().position(|(name, _)| *name == parameter.name);
            let only = (position == 0 && self.tables.len() == 1).then_some(0);
            let value = match (named.or(only), parameter.default) {
                (Some(table), _) => {
                    let frame = self.machine.state.new_frame(self.frames[table].clone());
                    self.checked(frame, parameter.span)?
                }
                (None, Some(register)) => self.machine.global(register),
                (None, None) => {
                    let message = format!("the parameter `{}` of `{}` has no table", parameter.name, entry.name);
                    let hint = format!("give it one with `--table {}=FILE`", parameter.name);
                    self.machine.report(Fault::hinted(Code::ParameterWithoutValue, message, hint), parameter.span)?;
                    Value::Poison
                }
            };
            arguments.push(value);
        }
        if self.machine.diagnostics.is_empty() { Ok(arguments) } else { Err(Stop) }
    }
}

/// A table's columns as the evaluator has them.
fn frame_of_table<S: Scalar>(table: &Table, id: u32) -> Frame<S> {
    let columns = table.columns().iter().map(|column| {
        let data = match column.data() {
            Data::Booleans(values) => Column::Booleans(values.clone()),
            Data::Integers(values) => Column::Integers(values.clone()),
            Data::Numbers(values) if !values.iter().any(|value| value.is_nan()) => {
                Column::Numbers(Rc::new(values.iter().map(|value| as_written(*value)).collect()))
            }
            Data::Numbers(values) => {
                let cell = |value: &f64| if value.is_nan() { Value::Missing } else { Value::Float(as_written(*value)) };
                Column::Cells(Rc::new(values.iter().map(cell).collect()))
            }
            Data::OptionalBooleans(values) => {
                let cell = |value: &Option<bool>| value.map_or(Value::Missing, Value::Bool);
                Column::Cells(Rc::new(values.iter().map(cell).collect()))
            }
            Data::Texts { codes, labels } => Column::Texts { codes: codes.clone(), labels: labels.clone() },
        };
        FrameColumn { label: vec![Label::text(column.name())], column: data, rows: None }
    });
    let index = Index::Rows { table: id, rows: None, count: table.row_count() };
    Frame { index, columns: columns.collect() }
}

/// A number of a table. Exact arithmetic takes it as the decimal that it is written as: 0.1 is one tenth.
fn as_written<S: Scalar>(value: f64) -> S {
    let read = if S::EXACT { S::from_literal(&format!("{value:?}")) } else { S::from_f64(value) };
    read.unwrap_or_else(S::zero)
}
