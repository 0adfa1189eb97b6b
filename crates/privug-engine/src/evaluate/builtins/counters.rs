//! Arithmetic of `Counter`s: `+`, `-`, `&` and `|`, which keep what is counted more than 0 times.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use crate::evaluate::choices;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Builtin, Logic};

/// What two counts of the same thing become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Counting {
    Add,
    Subtract,
    Least,
    Most,
}

impl Counting {
    /// What an operator does to counts.
    pub(in super::super) fn of_binary(operator: Binary) -> Option<Self> {
        match operator {
            Binary::Add => Some(Counting::Add),
            Binary::Subtract => Some(Counting::Subtract),
            Binary::Multiply
            | Binary::Divide
            | Binary::FloorDivide
            | Binary::Remainder
            | Binary::Power
            | Binary::MatrixMultiply => None,
        }
    }

    /// The same for `&` and `|`.
    pub(in super::super) fn of_logic(operator: Logic) -> Option<Self> {
        match operator {
            Logic::And => Some(Counting::Least),
            Logic::Or => Some(Counting::Most),
            Logic::Xor => None,
        }
    }

    fn joined(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Counting::Add => a.checked_add(b),
            Counting::Subtract => a.checked_sub(b),
            Counting::Least => Some(a.min(b)),
            Counting::Most => Some(a.max(b)),
        }
    }
}

/// Whether a value is a `Counter`.
pub(in super::super) fn is_counter<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    matches!(value, Value::Dict(handle) if state.heap.dict(*handle).default == Some(Builtin::Counter))
}

/// Two `Counter`s joined; `None` if one of them is something else.
pub(in super::super) fn joined_counters<S: Scalar>(
    state: &mut State<S>,
    counting: Option<Counting>,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let Some(counting) = counting.filter(|_| is_counter(state, left) && is_counter(state, right)) else {
        return Ok(None);
    };
    if state.worlds.exist()
        && (choices::lift::holds_choice(state, left, 0) || choices::lift::holds_choice(state, right, 0))
    {
        let values = [choices::lift::expanded(state, left, 0)?, choices::lift::expanded(state, right, 0)?];
        let joined = choices::lift::lift(state, &values, false, &mut |state, values| {
            joined_counts(state, counting, &values[0], &values[1])
        });
        return joined.map(Some);
    }
    joined_counts(state, counting, left, right).map(Some)
}

fn joined_counts<S: Scalar>(
    state: &mut State<S>,
    counting: Counting,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    let result = state.new_dict()?;
    let (Value::Dict(a), Value::Dict(b), Value::Dict(handle)) = (left, right, &result) else {
        return Ok(Value::Poison);
    };
    state.heap.dicts[*handle as usize].default = Some(Builtin::Counter);
    choices::arrivals::require_order(state, *a)?;
    choices::arrivals::require_order(state, *b)?;
    let (own, other) = (state.heap.dict(*a).entries.clone(), state.heap.dict(*b).entries.clone());
    state.budget.spend_steps((own.len() + other.len()) as u64)?;
    for (key, count) in own {
        let second = counted_in(state, *b, &key)?.unwrap_or(0);
        let given = (self::count(&count)?, second);
        keep_count(state, *handle, key, counting, given)?;
    }
    for (key, count) in other {
        if counted_in(state, *a, &key)?.is_none() {
            let given = (0, self::count(&count)?);
            keep_count(state, *handle, key, counting, given)?;
        }
    }
    Ok(result)
}

fn keep_count<S: Scalar>(
    state: &mut State<S>,
    handle: u32,
    key: Value<S>,
    counting: Counting,
    (a, b): (i64, i64),
) -> Outcome<()> {
    match counting.joined(a, b) {
        Some(count) if count > 0 => state.insert(handle, key, Value::Int(count)),
        Some(_) => Ok(()),
        None => Err(Fault::new(Code::Overflow, "a count is too large for an integer")),
    }
}

fn counted_in<S: Scalar>(state: &mut State<S>, handle: u32, key: &Value<S>) -> Outcome<Option<i64>> {
    let key = state.key(key)?;
    let dict = state.heap.dict(handle);
    let count = dict.positions.get(&key).map(|place| dict.entries[*place].1.clone());
    count.map(|count| self::count(&count)).transpose()
}

fn count<S: Scalar>(value: &Value<S>) -> Outcome<i64> {
    match value {
        Value::Int(count) => Ok(*count),
        Value::Bool(count) => Ok(i64::from(*count)),
        other => Err(Fault::new(Code::TypeMismatch, format!("a `Counter` counts {}", other.kind()))),
    }
}

/// Why a `Counter` is not changed by an operator.
pub(in super::super) fn refuse_to_join_in_place() -> Box<Fault> {
    let hint = "write `counter = counter + other`";
    Fault::hinted(Code::TypeMismatch, "a `Counter` is changed by an in-place operator", hint)
}
