//! Which values of each secret column are possible at all: as it was said, or as the column shows.

use std::collections::BTreeSet;
use std::thread;

use crate::audit::exact::decimal;
use crate::audit::persons::Persons;
use crate::audit::release::{People, Release};
use privug_engine::number::{Rational, Scalar};
use privug_language::diagnostic::{Code, Diagnostic, nearest};
use privug_language::question::{Possible, SupportStatement, parse_support};
use privug_language::source::{Sources, Span};
use privug_language::syntax;
use privug_language::words::number;

/// What is possible in one column.
#[derive(Debug, Clone, PartialEq)]
pub struct Support {
    /// The column, as `people.income`.
    pub column: String,
    /// The smallest value.
    pub lower: Option<Rational>,
    /// The largest.
    pub upper: Option<Rational>,
    /// Only `lower` plus multiples of this are possible.
    pub step: Option<Rational>,
    /// Not all of these multiples are.
    pub has_holes: bool,
    /// In words, such as `income >= 0`.
    pub words: String,
    /// It was not said: the column shows it.
    pub is_evident: bool,
}

/// The support of each secret column, where one is known.
pub(in crate::audit) type Supports = Vec<Option<Support>>;

/// Reads what was said; everything else is checked against the release.
pub(in crate::audit) fn read_supports(
    texts: &[String],
    sources: &mut Sources,
) -> Result<Vec<SupportStatement>, Vec<Diagnostic>> {
    let ids: Vec<_> = texts.iter().map(|text| sources.add("--support", text.as_str())).collect();
    let sources = &*sources;
    let read = || {
        let mut statements = Vec::new();
        let mut errors = Vec::new();
        for id in ids {
            match parse_support(sources, id) {
                Ok(statement) => statements.push(statement),
                Err(found) => errors.extend(found),
            }
        }
        if errors.is_empty() { Ok(statements) } else { Err(errors) }
    };
    // Deep syntax trees need more stack than a thread usually has.
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("privug".to_owned()).stack_size(syntax::STACK_BYTES);
        match builder.spawn_scoped(scope, read) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => panic!("no thread can be started: {error}"),
        }
    })
}

/// The support of each secret column. What was said must fit the real values.
pub(in crate::audit) fn supports<S>(
    release: &Release<S>,
    persons: &Persons,
    statements: &[SupportStatement],
) -> Result<Supports, Vec<Diagnostic>> {
    let mut found: Supports = vec![None; release.columns.len()];
    let mut errors = Vec::new();
    for statement in statements {
        let column = match column_of(&release.columns, statement) {
            Ok(column) => column,
            Err(error) => {
                errors.push(*error);
                continue;
            }
        };
        let words = release.sources.name_of(statement.span);
        let support = found[column].get_or_insert_with(|| Support::anything(&release.columns[column]));
        if let Err(error) = support.narrow(statement, &words) {
            errors.push(*error);
        }
    }
    for (column, support) in found.iter().enumerate() {
        let Some(support) = support else { continue };
        let outside = persons.entries(column).find(|entry| !support.admits(release.truths[*entry]));
        if let (Some(entry), Some(span)) = (outside, span_of(&release.columns[column], statements)) {
            errors.push(impossible(release, persons, entry, support, span));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    for (column, support) in found.iter_mut().enumerate() {
        if support.is_none() {
            *support = evident(&release.columns[column], &release.truths[persons.entries(column)]);
        }
    }
    Ok(found)
}

/// The secret column that a statement names.
fn column_of(columns: &[String], statement: &SupportStatement) -> Result<usize, Box<Diagnostic>> {
    let named = |column: &String| *column == statement.column || short(column) == statement.column;
    columns.iter().position(named).ok_or_else(|| {
        let hint = match nearest(&statement.column, columns.iter().map(|column| short(column))) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the secrets are {}", columns.join(", ")),
        };
        let message = format!("`{}` is not a secret column", statement.column);
        Box::new(Diagnostic::error(Code::BadSupport, statement.span, message).hint(hint))
    })
}

fn short(column: &str) -> &str {
    column.split_once('.').map_or(column, |(_, name)| name)
}

fn span_of(column: &str, statements: &[SupportStatement]) -> Option<Span> {
    let is_about = |one: &&SupportStatement| one.column == column || one.column == short(column);
    statements.iter().rfind(is_about).map(|statement| statement.span)
}

fn impossible<S>(release: &Release<S>, persons: &Persons, entry: usize, support: &Support, span: Span) -> Diagnostic {
    let row = persons.row(entry);
    let whose = match &release.people {
        People::Rows(_) => format!("row {}", row + 1),
        People::Named { column, .. } => format!("{column} {} (row {})", release.people.name(row), row + 1),
    };
    let value = number(release.truths[entry]);
    let message = format!("`{}` is {value} in {whose}, which is impossible by `{}`", support.column, support.words);
    Diagnostic::error(Code::BadSupport, span, message).hint("correct the cell, or the support")
}

impl Support {
    /// Before anything is said.
    fn anything(column: &str) -> Self {
        Support {
            column: column.to_owned(),
            lower: None,
            upper: None,
            step: None,
            has_holes: false,
            words: String::new(),
            is_evident: false,
        }
    }

    fn narrow(&mut self, statement: &SupportStatement, words: &str) -> Result<(), Box<Diagnostic>> {
        let refuse = |message: &str, hint: &str| {
            Err(Box::new(Diagnostic::error(Code::BadSupport, statement.span, message).hint(hint)))
        };
        let read = |text: &String| match <Rational as Scalar>::from_literal(text) {
            Some(value) => Ok(value),
            None => refuse("this number has too many digits", "use other units").map(|()| Rational::ZERO),
        };
        for possible in &statement.possible {
            match possible {
                Possible::AtLeast(limit) => self.at_least(read(limit)?),
                Possible::AtMost(limit) => self.at_most(read(limit)?),
                Possible::OneOf(_) | Possible::Whole { .. } if self.step.is_some() => {
                    return refuse("the values of this column are listed twice", "keep one of the lists");
                }
                Possible::OneOf(values) => {
                    let values: BTreeSet<Rational> = values.iter().map(read).collect::<Result<_, _>>()?;
                    self.one_of(values.into_iter().collect());
                }
                Possible::Whole { first, last } => {
                    self.at_least(Rational::from(*first));
                    self.at_most(Rational::from(*last));
                    self.step = Some(Rational::ONE);
                }
            }
        }
        if let (Some(lower), Some(upper)) = (&self.lower, &self.upper)
            && lower > upper
        {
            return refuse("no value would be possible", "check the bounds");
        }
        if let (Some(step), Some(lower)) = (&self.step, &self.lower) {
            // A bound between two listed values is at the next of them; that nothing lies in between is known already.
            self.has_holes |= self.upper.as_ref().is_some_and(|upper| !is_whole(&((upper - lower) / step)));
        }
        self.words = match self.words.is_empty() {
            true => words.to_owned(),
            false => format!("{} and {words}", self.words),
        };
        Ok(())
    }

    fn at_least(&mut self, limit: Rational) {
        if self.lower.as_ref().is_none_or(|lower| *lower < limit) {
            // Listed values may begin behind a bound that is none of them.
            self.has_holes |= self.step.is_some();
            self.lower = Some(limit);
        }
    }

    fn at_most(&mut self, limit: Rational) {
        if self.upper.as_ref().is_none_or(|upper| *upper > limit) {
            self.has_holes |= self.step.is_some();
            self.upper = Some(limit);
        }
    }

    /// Values in ascending order.
    fn one_of(&mut self, values: Vec<Rational>) {
        let (Some(first), Some(last)) = (values.first().cloned(), values.last().cloned()) else { return };
        let step = values.get(1).map_or(Rational::ONE, |second| second - &first);
        self.has_holes |= values.windows(2).any(|pair| &pair[1] - &pair[0] != step);
        self.has_holes |= self.lower.as_ref().is_some_and(|lower| *lower > first);
        self.has_holes |= self.upper.as_ref().is_some_and(|upper| *upper < last);
        self.at_least(first);
        self.at_most(last);
        self.step = Some(step);
    }

    /// Whether a real value is possible. Of values with holes between them only the ends are checked.
    fn admits(&self, value: f64) -> bool {
        let Some(value) = decimal(value) else { return false };
        let is_on_step = match (&self.step, &self.lower) {
            (Some(step), Some(lower)) if !self.has_holes => is_whole(&((&value - lower) / step)),
            _ => true,
        };
        is_on_step
            && self.lower.as_ref().is_none_or(|lower| value >= *lower)
            && self.upper.as_ref().is_none_or(|upper| value <= *upper)
    }
}

pub(super) fn is_whole(value: &Rational) -> bool {
    Rational::from(Scalar::floor(value)) == *value
}

/// A column with two values, of more than two rows, has no others: yes and no, 1 and 2.
fn evident(column: &str, truths: &[f64]) -> Option<Support> {
    let mut values: Vec<f64> = Vec::new();
    for truth in truths {
        // Both zeros are one value.
        if !values.contains(truth) {
            values.push(*truth);
            if values.len() > 2 {
                return None;
            }
        }
    }
    if values.len() != 2 || truths.len() <= 2 {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let mut support = Support::anything(column);
    support.one_of(values.iter().map(|value| decimal(*value)).collect::<Option<Vec<_>>>()?);
    support.words = format!("{} in {{{}, {}}}", short(column), number(values[0]), number(values[1]));
    support.is_evident = true;
    Some(support)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::testing::Table;

    fn read(truths: &[f64], texts: &[&str]) -> Result<Option<Support>, String> {
        let mut table = Table::new(truths, 1.0);
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let persons = Persons::of_rows(&table.release.people, 1);
        let said = |errors: Vec<Diagnostic>| format!("{}; {:?}", errors[0].message, errors[0].hint);
        let statements = read_supports(&texts, &mut table.release.sources).map_err(said)?;
        supports(&table.release, &persons, &statements).map(|mut found| found.remove(0)).map_err(said)
    }

    #[test]
    fn bounds_are_put_together_and_lists_have_a_step() {
        let of = |texts: &[&str]| read(&[1.0, 2.0, 3.0], texts).expect("possible").expect("a support");
        let found = of(&["income >= 0", "people.income <= 10"]);
        assert_eq!((found.lower, found.upper, found.step), (Some(Rational::ZERO), Some(Rational::from(10)), None));
        assert_eq!(found.words, "income >= 0 and people.income <= 10");
        let found = of(&["income in {3, 1, 2}"]);
        assert_eq!((found.step, found.has_holes), (Some(Rational::ONE), false));
        assert!(of(&["income in {1, 2, 3, 5}"]).has_holes);
        assert!(of(&["income in range(9)", "income >= 0.5"]).has_holes);
        assert_eq!(of(&["income in range(9)"]).step, Some(Rational::ONE));
    }

    #[test]
    fn two_values_are_evident_and_three_are_not() {
        let found = read(&[0.0, 1.0, 1.0, -0.0], &[]).expect("possible").expect("evident");
        assert_eq!(
            (found.words.as_str(), found.is_evident, found.step),
            ("income in {0, 1}", true, Some(Rational::ONE))
        );
        assert_eq!(read(&[0.0, 1.0, 2.0], &[]), Ok(None));
        assert_eq!(read(&[0.0, 0.0, 0.0], &[]), Ok(None));
        // What is said counts, not what the column shows.
        assert!(!read(&[0.0, 1.0, 1.0], &["income >= 0"]).expect("possible").expect("said").is_evident);
    }

    #[test]
    fn what_the_data_refute_is_refused_with_the_row() {
        let said = read(&[1.0, -2.0, 3.0], &["income >= 0"]).expect_err("impossible");
        assert!(said.contains("`people.income` is -2 in row 2, which is impossible by `income >= 0`"), "{said}");
        assert!(read(&[0.0, 0.5, 1.0], &["income in {0, 1}"]).is_err());
        assert!(read(&[0.0], &["incme >= 0"]).expect_err("unknown").contains("did you mean `income`?"));
        assert!(
            read(&[0.0], &["income >= 1", "income <= 0"]).expect_err("nothing").contains("no value would be possible")
        );
        assert!(read(&[0.0], &["income in {0, 1}", "income in {1, 2}"]).expect_err("twice").contains("listed twice"));
    }
}
