//! The secret columns of a table, on the two runs of a release: what the attacker knows of them, and what they really are.

use std::rc::Rc;

use super::super::fault::{Fault, Outcome};
use super::super::running::Stop;
use super::super::value::Value;
use super::categories::{self, ChoiceSource, NO_ROW, label};
use super::published::SecretColumn;
use super::release::Release;
use super::{Belief, Column, Label, RandomColumn, frames};
use crate::evaluate::{compare, tables};
use crate::network::{Affine, NodeId};
use crate::number::Scalar;
use privug_language::diagnostic::{Code, Diagnostic};
use privug_language::program::{Computed, Expression, FunctionId};
use privug_language::source::Span;
use privug_tables::table::Data;

impl<S: Scalar> Release<'_, S> {
    /// Which values are sensitive: those that an expression about the column holds for; all if there is none.
    pub(super) fn sensitive(
        &mut self,
        columns: &[SecretColumn],
        beliefs: &[Belief],
        expressions: &[&Expression],
    ) -> Result<Vec<Vec<bool>>, Stop> {
        let mut all = Vec::with_capacity(columns.len());
        for (secret, belief) in columns.iter().zip(beliefs) {
            let Belief::Discrete(discrete) = belief else {
                all.push(Vec::new());
                continue;
            };
            let name = self.tables[secret.table].1.columns()[secret.column].name();
            let about = |expression: &&Expression| {
                let Computed::By(function) = expression.computed else { return None };
                let parameters = &self.machine.program.function(function).parameters;
                let is_about = parameters.iter().any(|parameter| parameter.name == name);
                is_about.then_some((function, expression.span))
            };
            let about: Vec<(FunctionId, Span)> = expressions.iter().filter_map(about).collect();
            let mut sensitive = vec![about.is_empty(); discrete.values.len()];
            for (function, span) in about {
                for (value, sensitive) in discrete.values.iter().zip(&mut sensitive) {
                    let argument = frames::label_value(&mut self.machine.state, &label(value));
                    let argument = self.checked(argument, span)?;
                    let returned = self.machine.call(function, vec![argument])?.value;
                    let holds = compare::truth(&self.machine.state, &returned);
                    *sensitive |= self.checked(holds, span)?;
                }
            }
            all.push(sensitive);
        }
        Ok(all)
    }

    /// The prior, computed for all rows at once.
    pub(super) fn prior_column(&mut self, prior: &Expression, secret: SecretColumn) -> Result<Column<S>, Stop> {
        let frame = self.frames[secret.table].clone();
        // The prior of a column is never a number.
        let Computed::By(prior_function) = prior.computed else { return Err(Stop) };
        let function = self.machine.program.function(prior_function);
        let mut arguments = Vec::new();
        for parameter in &function.parameters {
            let column = match frame.position(&[Label::text(&parameter.name)]) {
                Some(position) => frames::frame_column(&mut self.machine.state, &frame, position),
                // The table itself.
                None if self.tables[secret.table].0 == parameter.name => {
                    let table = tables::new_frame(&mut self.machine.state, frame.clone());
                    arguments.push(self.checked(table, prior.span)?);
                    continue;
                }
                None => Err(Fault::new(Code::UnknownColumn, format!("there is no column `{}`", parameter.name))),
            };
            arguments.push(Value::Series(self.checked(column, prior.span)?));
        }
        self.machine.state.tables.prior_rows = Some(frame.index.clone());
        let returned = self.machine.call(prior_function, arguments);
        self.machine.state.tables.prior_rows = None;
        let value = returned?.value;
        if matches!(value, Value::Poison) {
            return Err(Stop);
        }
        match &value {
            Value::Series(series) if series.index.same(&frame.index) => Ok(series.column.clone()),
            other => self.refuse_prior(other.kind(), prior.span),
        }
    }

    /// The secrets' variables of a Gaussian prior.
    pub(super) fn secrets(
        &mut self,
        believed: &Column<S>,
        prior: &Expression,
        secret: SecretColumn,
    ) -> Result<Vec<Affine<S>>, Stop> {
        let data = self.tables[secret.table].1.columns()[secret.column].data();
        if !matches!(data, Data::Integers(_) | Data::Numbers(_)) {
            let message = format!("the secret holds {}, which have no continuous prior", data.kind());
            let hint =
                "give the probabilities of its values: `Bernoulli(0.02)`, `Categorical({\"a\": 0.2, \"b\": 0.8})`";
            self.machine.report(Fault::hinted(Code::BadSecret, message, hint), prior.span)?;
            return Err(Stop);
        }
        let rows = self.rows_with_secret(secret);
        let variables: Vec<Affine<S>> = match believed {
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
        Ok(variables)
    }

    /// The rows whose secret is not missing.
    pub(super) fn rows_with_secret(&self, secret: SecretColumn) -> Vec<u32> {
        let table = &self.tables[secret.table].1;
        let data = table.columns()[secret.column].data();
        (0..table.row_count() as u32).filter(|row| !data.is_missing(*row as usize)).collect()
    }

    /// The secret column as the attacker sees it: who has a value is known, the values are not.
    pub(super) fn secret_column(&self, secret: SecretColumn, secrets: &[Affine<S>]) -> Column<S> {
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

    /// The column of a discrete secret: who has a value is known.
    pub(super) fn choices(&mut self, secret: SecretColumn, source: Rc<ChoiceSource>) -> Outcome<Column<S>> {
        let data = self.tables[secret.table].1.columns()[secret.column].data();
        let row = |row: u32| if data.is_missing(row as usize) { NO_ROW } else { row };
        let rows = (0..source.row_count() as u32).map(row).collect();
        Ok(Column::Choices(Rc::new(categories::choice_column(&mut self.machine.state, source, rows)?)))
    }

    /// In the real run the same column knows its values.
    pub(super) fn reveal(
        &mut self,
        secret: SecretColumn,
        source: Rc<ChoiceSource>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let column = self.choices(secret, source).map_err(|fault| fault.at(span))?;
        self.frames[secret.table].columns[secret.column].column = column;
        Ok(())
    }

    pub(super) fn refuse_missing_prior<T>(&mut self, row: u32, span: Span) -> Result<T, Stop> {
        let message = format!("row {} has a secret, but no prior: something in it is missing", row + 1);
        let hint = "fill the gaps of the columns in the prior, such as `prior_mean.fillna(450_000)`";
        self.machine.report(Fault::hinted(Code::NothingRandom, message, hint), span)?;
        Err(Stop)
    }

    pub(super) fn refuse_prior<T>(&mut self, what: &str, span: Span) -> Result<T, Stop> {
        let message = format!("the prior is {what}, not a distribution for each row");
        let hint = "write the attacker's belief, such as `Normal(mean=450_000, std=60_000)`";
        self.machine.report(Fault::hinted(Code::NothingRandom, message, hint), span)?;
        Err(Stop)
    }

    /// A node of its own for each row, so that a figure's weight on a person can be read off; those up to `last` are
    /// other secrets' nodes.
    pub(super) fn own_nodes(&mut self, secrets: Vec<Affine<S>>, last: Option<NodeId>) -> Outcome<Vec<Affine<S>>> {
        let one = S::one();
        let is_plain = |x: &Affine<S>| x.scale == one && x.offset.is_zero() && Some(x.node) > last;
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
}
