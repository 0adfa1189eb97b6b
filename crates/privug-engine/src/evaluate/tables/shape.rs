//! Tables of counts by a secret: which rows and columns pandas shows of them, and in which order, is secret as well.
//!
//! `value_counts` lists the commonest value first, and leaves out what nobody has; so does a crossed table, of which a column
//! is there if anybody at all has its value. Published as a whole such a table tells nothing more than its counts. But its first
//! row, its length or one of its rows alone tell something that no count says. So only what does not depend on the shape
//! may be done with it: labels are looked up, all cells are computed with, sums are taken, all of it is published. With equal
//! counts even that is too much: pandas lists first whichever value appears first in the table.

use std::rc::Rc;

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::{Accessor, Index, Keys, Label, Series};
use crate::evaluate::tables;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, Method, TableMethod};

/// What of a table's shape depends on a secret.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct Shape {
    /// Which rows there are, and their order.
    pub(super) rows: bool,
    pub(super) columns: bool,
    /// Whether only a part of the counts that decide this is left, so that not all of it may be published.
    pub(super) is_part: bool,
    /// Whether rows are called by their positions.
    pub(super) is_numbered: bool,
    /// Whether some counts (equal ones, or all with `sort=False`) stand in the order in which their values appear in the
    /// table: the first tells the value of the first person who has any of them.
    pub(super) is_tied: bool,
    /// Whether the keys are those of `groupby(sort=False)`, whose parts are in the order in which they appear.
    pub(super) is_by_appearance: bool,
}

impl Shape {
    pub(super) fn of_rows() -> Self {
        Shape { rows: true, ..Shape::default() }
    }

    pub(super) fn is_secret(self) -> bool {
        self.rows || self.columns
    }
}

/// A container in a container, at most.
const NESTED: usize = 2;

fn secret_shape_of<S: Scalar>(state: &State<S>, value: &Value<S>) -> Shape {
    let of_index = |index: &Index| match index {
        Index::Keys(keys) => keys.shape,
        Index::Rows { .. } | Index::Positions(_) => Shape::default(),
    };
    match value {
        // A column has no columns.
        Value::Series(series) => Shape { columns: false, ..of_index(&series.index) },
        Value::Frame(handle) => of_index(&tables::frame(state, *handle).index),
        Value::Loc(accessed) => secret_shape_of(state, &accessed.value),
        _ => Shape::default(),
    }
}

fn holds_secret_shape<S: Scalar>(state: &State<S>, value: &Value<S>, depth: usize) -> bool {
    match value {
        Value::List(handle) | Value::Tuple(handle) if depth > 0 => {
            state.heap.sequence(*handle).iter().any(|value| holds_secret_shape(state, value, depth - 1))
        }
        Value::Dict(handle) if depth > 0 => {
            state.heap.dict(*handle).entries.iter().any(|(_, value)| holds_secret_shape(state, value, depth - 1))
        }
        value => secret_shape_of(state, value).is_secret(),
    }
}

/// Refuses what goes by the rows of a table of which these are secret.
pub(in super::super) fn refuse_secret_shape<S: Scalar>(state: &State<S>, value: &Value<S>, what: &str) -> Outcome<()> {
    if secret_shape_of(state, value).is_secret() { Err(secret_shape(what)) } else { Ok(()) }
}

/// Only these functions do not depend on which rows there are.
pub(in super::super) fn check_shape<S: Scalar>(state: &State<S>, builtin: Builtin, values: &[Value<S>]) -> Outcome<()> {
    let is_free = matches!(
        builtin,
        Builtin::Print | Builtin::Round | Builtin::Sum | Builtin::ArraySum | Builtin::Str | Builtin::Abs
    );
    // What a container holds is looked at by functions of tables and arrays only.
    let depth = match builtin {
        Builtin::Concat | Builtin::Concatenate | Builtin::Array | Builtin::AsArray => NESTED,
        Builtin::Numpy(_) | Builtin::Pandas(_) => NESTED,
        _ => 0,
    };
    if !is_free && values.iter().any(|value| holds_secret_shape(state, value, depth)) {
        return Err(secret_shape("a function goes through"));
    }
    Ok(())
}

/// The same for methods of such tables, and of others that are given one.
pub(in super::super) fn check_method_shape<S: Scalar>(
    state: &State<S>,
    method: Method,
    object: &Value<S>,
    values: &[Value<S>],
) -> Outcome<()> {
    let is_operator = matches!(method, Method::Table(TableMethod::Operator(_)));
    if secret_shape_of(state, object).is_secret() {
        let is_free = is_operator
            || matches!(
                method,
                Method::Sum
                    | Method::Copy
                    | Method::AsType
                    | Method::Transposed
                    | Method::Get
                    | Method::Table(
                        TableMethod::Round
                            | TableMethod::FillMissing
                            | TableMethod::Rename
                            | TableMethod::Loc
                            | TableMethod::ByIndex
                            | TableMethod::ToFrame
                            | TableMethod::Unstack
                            | TableMethod::ResetIndex
                            | TableMethod::Write
                    )
            );
        if !is_free {
            return Err(secret_shape(&format!("`.{}` goes by", method.name())));
        }
    }
    let is_table = matches!(object, Value::Frame(_) | Value::Series(_) | Value::Groups(_) | Value::Loc(_));
    if is_table && !is_operator && values.iter().any(|value| holds_secret_shape(state, value, NESTED)) {
        return Err(secret_shape(&format!("`.{}` goes by", method.name())));
    }
    Ok(())
}

/// What a method made of a table, whose shape it has.
pub(in super::super) fn shaped_like<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    made: Value<S>,
) -> Value<S> {
    let shape = secret_shape_of(state, object);
    if !shape.is_secret() {
        return made;
    }
    let is_in_order = matches!(method, Method::Table(TableMethod::ByIndex | TableMethod::Unstack));
    // Which side became which is not followed.
    shaped(state, made, Shape { rows: true, columns: true, is_tied: shape.is_tied && !is_in_order, ..shape })
}

pub(super) fn shaped<S: Scalar>(state: &mut State<S>, made: Value<S>, shape: Shape) -> Value<S> {
    match made {
        Value::Series(series) => {
            let index = with_shape(&series.index, shape);
            Value::Series(Rc::new(Series { name: series.name.clone(), column: series.column.clone(), index }))
        }
        Value::Frame(handle) => {
            let frame = &mut state.heap.frames[handle as usize];
            frame.index = with_shape(&frame.index, shape);
            Value::Frame(handle)
        }
        other => other,
    }
}

/// Whether something may be looked up in a table: by its label, or by a mask over labels.
pub(super) fn check_lookup<S: Scalar>(state: &State<S>, object: &Value<S>, index: &Value<S>) -> Outcome<()> {
    let shape = secret_shape_of(state, object);
    if !shape.is_secret() {
        return Ok(());
    }
    let is_position = matches!(object, Value::Loc(accessed) if accessed.accessor != Accessor::Loc)
        || matches!(index, Value::Slice(_))
        || (shape.is_numbered && !matches!((object, index), (Value::Frame(_), _) | (_, Value::Series(_))));
    if is_position { Err(secret_shape("a place is looked up in")) } else { Ok(()) }
}

/// What was looked up in a table, with what is secret about its shape.
pub(super) fn looked_up<S: Scalar>(state: &mut State<S>, object: &Value<S>, found: Value<S>) -> Value<S> {
    let shape = secret_shape_of(state, object);
    if !shape.is_secret() {
        return found;
    }
    let (is_located, table) = match object {
        Value::Loc(accessed) => (true, &accessed.value),
        other => (false, other),
    };
    let Value::Frame(handle) = table else { return shaped(state, found, shape) };
    let (rows, columns) = (tables::frame(state, *handle).len(), tables::frame(state, *handle).columns.len());
    let is_numbered = shape.is_numbered;
    match (&found, is_located) {
        // A column: whether a row is shown depends on the other columns too.
        (Value::Series(_), false) => {
            let is_part = shape.is_part || (shape.rows && columns > 1 && !is_numbered);
            shaped(state, found, Shape { columns: false, is_part, ..shape })
        }
        // A row, the other way round.
        (Value::Series(_), true) => {
            let is_part = shape.is_part || (rows > 1 && !is_numbered);
            shaped(state, found, Shape { rows: true, columns: false, is_part, ..shape })
        }
        (Value::Frame(_), _) => shaped(state, found, Shape { is_part: shape.is_part || !is_numbered, ..shape }),
        _ => found,
    }
}

/// Refuses to publish a part of a table that shows which values others have.
pub(super) fn check_whole<S: Scalar>(state: &State<S>, value: &Value<S>) -> Outcome<()> {
    let shape = secret_shape_of(state, value);
    if shape.is_secret() && shape.is_tied {
        let message =
            "some counts of a secret's values are published in the order in which the values appear in the table";
        let hint = "put them in the order of their labels: `.value_counts().sort_index()`";
        return Err(Fault::hinted(Code::SecretDecides, message, hint));
    }
    if shape.is_secret() && shape.is_part { Err(secret_shape("a part is published of")) } else { Ok(()) }
}

/// The counts that are known and of somebody.
fn known_counts<S>(counts: &[(Vec<Label>, Value<S>)]) -> Vec<i64> {
    let number = |value: &Value<S>| match value {
        Value::Int(count) => Some(*count).filter(|count| *count != 0),
        _ => None,
    };
    counts.iter().filter_map(|(_, value)| number(value)).collect()
}

/// Whether there are several values, of which one has to appear first.
pub(super) fn has_several<S>(counts: &[(Vec<Label>, Value<S>)]) -> bool {
    known_counts(counts).len() > 1
}

/// Whether some counts, of somebody, are equal.
pub(super) fn has_ties<S>(counts: &[(Vec<Label>, Value<S>)]) -> bool {
    let mut numbers = known_counts(counts);
    numbers.sort_unstable();
    numbers.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether two columns have rows of their own that are secret: where one lacks a row, pandas has no number.
pub(super) fn differ<S>(a: &Series<S>, b: &Series<S>) -> bool {
    let is_secret = |index: &Index| matches!(index, Index::Keys(keys) if keys.shape.rows);
    let is_same = match (&a.index, &b.index) {
        (Index::Keys(a), Index::Keys(b)) => Rc::ptr_eq(a, b),
        _ => false,
    };
    (is_secret(&a.index) || is_secret(&b.index)) && !is_same
}

fn with_shape(index: &Index, shape: Shape) -> Index {
    let keys = match index {
        Index::Keys(keys) => Keys::shaped(keys.labels.clone(), keys.scalar, keys.levels.clone(), shape),
        Index::Rows { .. } | Index::Positions(_) => {
            let labels = (0..index.len() as i64).map(|row| vec![Label::Int(row)]).collect();
            Keys::shaped(labels, true, Vec::new(), Shape { is_numbered: true, ..shape })
        }
    };
    Index::Keys(keys)
}

/// `what` stands in front of the table.
pub(super) fn secret_shape(what: &str) -> Box<Fault> {
    let message = format!("{what} a table of which the rows, or their order, depend on a secret");
    let hint = "publish the whole table, or look up counts by their labels: `counts[\"flu\"]`";
    Fault::hinted(Code::SecretDecides, message, hint)
}
