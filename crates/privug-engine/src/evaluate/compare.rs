//! Comparing values and asking for their truth.

use std::cmp::Ordering;

use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::{Number, Part, Value};
use super::{choices, containers, iterators, ndarray, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, Comparison};

/// Values nested deeper than this are not compared or looked through.
pub(super) const MAX_VALUE_DEPTH: usize = 100;

/// `left operator right`
pub(super) fn compare<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    if let (Value::Int(a), Value::Int(b)) = (left, right) {
        match operator {
            Comparison::Equal => return Ok(Value::Bool(a == b)),
            Comparison::NotEqual => return Ok(Value::Bool(a != b)),
            Comparison::Less => return Ok(Value::Bool(a < b)),
            Comparison::LessEqual => return Ok(Value::Bool(a <= b)),
            Comparison::Greater => return Ok(Value::Bool(a > b)),
            Comparison::GreaterEqual => return Ok(Value::Bool(a >= b)),
            Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot => {}
        }
    }
    if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
        return Ok(Value::Poison);
    }
    if matches!(left, Value::Counted(_)) || matches!(right, Value::Counted(_)) {
        state.tables.tells_rows.set(true);
    }
    if matches!(left, Value::Unbound) || matches!(right, Value::Unbound) {
        return Err(Fault::new(Code::UsedBeforeAssignment, "a variable is compared before it has a value"));
    }
    if let Some(result) = choices::operators::compare_gaussians(state, operator, left, right)? {
        return Ok(result);
    }
    if state.worlds.exist()
        && let Some(result) = choices::operators::compare_on_choices(state, operator, left, right)?
    {
        return Ok(result);
    }
    compare_plainly(state, operator, left, right)
}

/// The same, of values that do not depend on choices, or only by what objects in them hold.
pub(super) fn compare_plainly<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    if let (Value::Frame(handle), Some(_)) = (left, state.number(right))
        && !matches!(operator, Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot)
    {
        return tables::more::frame_comparison(state, operator, *handle, right);
    }
    let is_membership = matches!(operator, Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot);
    if !is_membership && (tables::axes::is_axis(state, left) || tables::axes::is_axis(state, right)) {
        let (left, right) = (tables::axes::axis_column(state, left)?, tables::axes::axis_column(state, right)?);
        return tables::elementwise::compare_columns(state, operator, &left.plain(), &right.plain());
    }
    if matches!(left, Value::Series(_)) || matches!(right, Value::Series(_)) {
        return tables::elementwise::compare_columns(state, operator, &left.plain(), &right.plain());
    }
    let elementwise = !matches!(operator, Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot);
    if elementwise && (matches!(left, Value::Array(_)) || matches!(right, Value::Array(_))) {
        return ndarray::elementwise::compare_arrays(state, operator, left, right);
    }
    let is_list = |value: &Value<S>| matches!(value, Value::List(_) | Value::Tuple(_) | Value::Range(_));
    if elementwise && (left.is_numpy_scalar() && is_list(right) || is_list(left) && right.is_numpy_scalar()) {
        return ndarray::elementwise::compare_arrays(state, operator, left, right);
    }
    // Beside anything else than a number or a text, numpy leaves `==` to Python.
    let is_plain = |value: &Value<S>| matches!(value, Value::None | Value::Dict(_) | Value::View(..));
    let is_numpy = left.is_numpy_scalar() || right.is_numpy_scalar();
    if elementwise && is_numpy && !is_plain(left) && !is_plain(right) {
        return ndarray::elementwise::compare_scalars(state, operator, left, right).map(Value::NumpyBool);
    }
    if matches!(left, Value::Missing) || matches!(right, Value::Missing) {
        return compare_missing(state, operator, left, right);
    }
    if let Some(result) = choices::sets::compare_sets(state, operator, left, right)? {
        return Ok(result);
    }
    Ok(Value::Bool(match operator {
        Comparison::Equal => equal(state, left, right, 0)?,
        Comparison::NotEqual => !equal(state, left, right, 0)?,
        Comparison::Less => order(state, operator, left, right)? == Ordering::Less,
        Comparison::LessEqual => order(state, operator, left, right)? != Ordering::Greater,
        Comparison::Greater => order(state, operator, left, right)? == Ordering::Greater,
        Comparison::GreaterEqual => order(state, operator, left, right)? != Ordering::Less,
        Comparison::In => contains(state, right, left)?,
        Comparison::NotIn => !contains(state, right, left)?,
        Comparison::Is => same(left, right)?,
        Comparison::IsNot => !same(left, right)?,
    }))
}

/// NaN is like nothing, not even itself.
fn compare_missing<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    let holds = match operator {
        Comparison::NotEqual | Comparison::IsNot => true,
        Comparison::In => contains(state, right, left)?,
        Comparison::NotIn => !contains(state, right, left)?,
        Comparison::Equal
        | Comparison::Less
        | Comparison::LessEqual
        | Comparison::Greater
        | Comparison::GreaterEqual
        | Comparison::Is => false,
    };
    Ok(Value::Bool(holds))
}

pub(super) fn random_comparison() -> Box<Fault> {
    Fault::hinted(
        Code::ComparisonOfRandom,
        "a random variable is compared, and the outcome would be random too",
        "compare numbers known beforehand, or ask for the probability with `--query 'P(x > 3)'`",
    )
}

/// The same for `==`: as a question it has an answer that is no use.
pub(super) fn random_equality() -> Box<Fault> {
    Fault::hinted(
        Code::ComparisonOfRandom,
        "a random variable is compared with `==`",
        "a single value of it has probability 0: ask about a range, such as `34.5 < x < 35.5`",
    )
}

/// `left == right`
pub(super) fn equal<S: Scalar>(state: &mut State<S>, left: &Value<S>, right: &Value<S>, depth: usize) -> Outcome<bool> {
    if depth > MAX_VALUE_DEPTH {
        return Err(too_deep());
    }
    if let (Some(a), Some(b)) = (state.number(left), state.number(right)) {
        return Ok(compare_numbers(&a, &b) == Some(Ordering::Equal));
    }
    match (left, right) {
        (Value::Random { .. }, _) | (_, Value::Random { .. }) => Err(random_equality()),
        (Value::Loc(accessed), _) | (_, Value::Loc(accessed)) if accessed.said().is_some() => {
            let message = "a string with figures in it is compared, and what it says depends on the secret";
            let hint = "publish the string as it is, and compare public values";
            Err(Fault::hinted(Code::SecretDecides, message, hint))
        }
        (Value::Array(_), _) | (_, Value::Array(_)) => Err(Fault::hinted(
            Code::TypeMismatch,
            "arrays inside lists are compared as a whole",
            "compare them by themselves, with `==` and `.all()`",
        )),
        (Value::Text(a), Value::Text(b)) => {
            state.budget.spend_bytes_of_text(state.heap.text(*a).len().min(state.heap.text(*b).len()))?;
            Ok(state.heap.text(*a) == state.heap.text(*b))
        }
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            let (a, b) = (state.heap.sequence(*a).to_vec(), state.heap.sequence(*b).to_vec());
            state.budget.spend_steps(a.len() as u64)?;
            if a.len() != b.len() {
                return Ok(false);
            }
            for (a, b) in a.iter().zip(&b) {
                if !equal(state, a, b, depth + 1)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::None, Value::None) => Ok(true),
        (Value::Range(a), Value::Range(b)) => {
            let (a, b) = (state.heap.range(*a), state.heap.range(*b));
            Ok(a.length == b.length && (a.length == 0 || (a.start == b.start && (a.length == 1 || a.step == b.step))))
        }
        (Value::Iterator(a), Value::Iterator(b)) => Ok(a == b),
        (Value::Set(a), Value::Set(b)) => {
            state.budget.spend_steps(state.heap.dict(*a).entries.len() as u64)?;
            let (a, b) = (state.heap.dict(*a), state.heap.dict(*b));
            Ok(a.entries.len() == b.entries.len() && a.positions.keys().all(|key| b.positions.contains_key(key)))
        }
        (Value::Object(..), Value::Object(..)) => {
            Err(Fault::hinted(Code::TypeMismatch, "objects are compared", "compare the attributes that matter"))
        }
        // What its class says of this is asked by the machine, which is not here: they are deep inside something.
        (Value::Object(_, class), _) | (_, Value::Object(_, class)) if state.own_equality[class.0 as usize] => {
            let message = "an object with an `==` of its own is compared inside something";
            Err(Fault::hinted(Code::TypeMismatch, message, "compare the objects one by one"))
        }
        (Value::View(_, _), Value::View(_, _)) => Err(Fault::hinted(
            Code::TypeMismatch,
            "views of dictionaries are compared",
            "make them lists: `list(d.keys())`",
        )),
        (Value::Dict(a), Value::Dict(b)) if a == b => Ok(true),
        (Value::Dict(a), Value::Dict(b)) => {
            let (first, other) = (state.heap.dict(*a).entries.clone(), *b);
            state.budget.spend_steps(first.len() as u64)?;
            if first.len() != state.heap.dict(other).entries.len() {
                return Ok(false);
            }
            let is_ordered = |handle: u32| state.heap.dict(handle).default == Some(Builtin::OrderedDict);
            let in_order = is_ordered(*a) && is_ordered(other);
            for (number, (key, value)) in first.iter().enumerate() {
                let key = state.key(key)?;
                let dict = state.heap.dict(other);
                let Some(place) = dict.positions.get(&key) else { return Ok(false) };
                if in_order && *place != number {
                    return Ok(false);
                }
                let counterpart = dict.entries[*place].1.clone();
                if !equal(state, value, &counterpart, depth + 1)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Which of two values comes first.
pub(super) fn order<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Ordering> {
    if let (Some(a), Some(b)) = (state.number(left), state.number(right)) {
        return compare_numbers(&a, &b).ok_or_else(|| Fault::new(Code::NotFinite, "a number is not finite"));
    }
    match (left, right) {
        (Value::Random { .. }, _) | (_, Value::Random { .. }) => Err(random_comparison()),
        (Value::Text(a), Value::Text(b)) => {
            state.budget.spend_bytes_of_text(state.heap.text(*a).len().min(state.heap.text(*b).len()))?;
            Ok(state.heap.text(*a).cmp(state.heap.text(*b)))
        }
        (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            let (a, b) = (state.heap.sequence(*a).to_vec(), state.heap.sequence(*b).to_vec());
            state.budget.spend_steps(a.len().min(b.len()) as u64)?;
            for (x, y) in a.iter().zip(&b) {
                let order = order_of_parts(state, operator, x, y, 0)?;
                if order != Ordering::Equal {
                    return Ok(order);
                }
            }
            Ok(a.len().cmp(&b.len()))
        }
        _ => {
            let message = format!("`{}` does not take {} and {}", operator.symbol(), left.kind(), right.kind());
            Err(Fault::new(Code::TypeMismatch, message))
        }
    }
}

/// The same of the elements of sequences, which may be sequences themselves.
fn order_of_parts<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
    depth: usize,
) -> Outcome<Ordering> {
    let ((Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b))) = (left, right) else {
        return order(state, operator, left, right);
    };
    if depth > MAX_VALUE_DEPTH {
        return Err(too_deep());
    }
    let (a, b) = (state.heap.sequence(*a).to_vec(), state.heap.sequence(*b).to_vec());
    state.budget.spend_steps(a.len().min(b.len()) as u64)?;
    for (x, y) in a.iter().zip(&b) {
        let order = order_of_parts(state, operator, x, y, depth + 1)?;
        if order != Ordering::Equal {
            return Ok(order);
        }
    }
    Ok(a.len().cmp(&b.len()))
}

/// What numpy would stretch to the shape of the other before it compares, which is seldom what was meant.
fn refuse_stretching<S: Scalar>(state: &State<S>, container: &Value<S>, item: &Value<S>) -> Outcome<()> {
    let is_list = |value: &Value<S>| {
        matches!(value, Value::List(_) | Value::Tuple(_) | Value::Range(_) | Value::Array(_) | Value::Series(_))
    };
    let stretches = match container {
        Value::Array(_) => is_list(item),
        Value::Range(_) => matches!(item, Value::Array(_)),
        Value::List(handle) | Value::Tuple(handle) => {
            let elements = state.heap.sequence(*handle);
            (item.is_numpy_scalar() && elements.iter().any(is_list))
                || (is_list(item) && elements.iter().any(Value::is_numpy_scalar))
        }
        _ => false,
    };
    if stretches {
        let message = format!("`in` of {} and {}", item.kind(), container.kind());
        return Err(Fault::hinted(Code::TypeMismatch, message, "compare the elements one by one"));
    }
    Ok(())
}

/// `item in container`
fn contains<S: Scalar>(state: &mut State<S>, container: &Value<S>, item: &Value<S>) -> Outcome<bool> {
    refuse_stretching(state, container, item)?;
    match container {
        Value::Dict(handle) | Value::Set(handle) => {
            let key = state.key(item)?;
            Ok(state.heap.dict(*handle).positions.contains_key(&key))
        }
        Value::Text(text) => match item {
            Value::Text(part) => {
                state.budget.spend_bytes_of_text(state.heap.text(*text).len())?;
                Ok(state.heap.text(*text).contains(state.heap.text(*part)))
            }
            _ => Err(Fault::new(Code::TypeMismatch, "`in <string>` requires a string on the left")),
        },
        Value::Array(handle) => {
            let array = state.heap.array(*handle).clone();
            ndarray::elementwise::array_contains(state, &array, item)
        }
        Value::View(handle, Part::Keys) => {
            let key = state.key(item)?;
            Ok(state.heap.dict(*handle).positions.contains_key(&key))
        }
        // What is looked at is used up.
        Value::Iterator(handle) => {
            while let Some(element) = iterators::advance(state, *handle)? {
                state.budget.spend_steps(1)?;
                if equal(state, &element, item, 0)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Range(handle) => {
            let range = state.heap.range(*handle);
            if item.as_random().is_some() {
                return Err(random_comparison());
            }
            let Some(number) = state.number(item) else { return Ok(false) };
            let whole = match &number {
                Number::Float(value) => value.floor(),
                other => other.integer().unwrap_or_default(),
            };
            let is_whole = compare_numbers(&number, &Number::BigInt(whole.clone())) == Some(Ordering::Equal);
            let (true, Ok(item)) = (is_whole, i64::try_from(&whole)) else { return Ok(false) };
            let distance = i128::from(item) - i128::from(range.start);
            let step = i128::from(range.step);
            Ok(distance % step == 0 && (0..i128::from(range.length)).contains(&(distance / step)))
        }
        _ => {
            for element in containers::elements(state, container)? {
                if equal(state, &element, item, 0)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}

/// Python's truth of a value.
pub(super) fn truth<S: Scalar>(state: &State<S>, value: &Value<S>) -> Outcome<bool> {
    Ok(match value {
        Value::None => false,
        Value::Missing => true,
        Value::Bool(value) | Value::NumpyBool(value) => *value,
        Value::Int(value) | Value::NumpyInt(value) => *value != 0,
        Value::Counted(counted) => {
            state.tables.tells_rows.set(true);
            counted.count != 0
        }
        Value::BigInt(_) | Value::Iterator(_) | Value::Slice(_) => true,
        Value::Float(value) | Value::NumpyFloat(value) => !value.is_zero(),
        Value::Text(handle) => !state.heap.text(*handle).is_empty(),
        Value::List(handle) | Value::Tuple(handle) => !state.heap.sequence(*handle).is_empty(),
        Value::Dict(handle) | Value::View(handle, _) => !state.heap.dict(*handle).entries.is_empty(),
        Value::Range(handle) => state.heap.range(*handle).length > 0,
        Value::Random { .. } | Value::Choice(_) => {
            return Err(Fault::hinted(
                Code::BranchOnRandom,
                "the program branches on a random value",
                "branch on values known beforehand; ask for probabilities with `--query`",
            ));
        }
        Value::Array(handle) => {
            let array = state.heap.array(*handle);
            if array.size() != 1 {
                let hint = "use `.any()`, `.all()` or `.size`";
                return Err(Fault::hinted(Code::TypeMismatch, "the truth value of an array is ambiguous", hint));
            }
            return truth(state, &state.heap.array_values(array)[0]);
        }
        Value::Set(handle) => !state.heap.dict(*handle).entries.is_empty(),
        Value::Function(_) => true,
        Value::Object(..) => {
            let hint = "write what you mean: `x is not None`, or one of its attributes";
            return Err(Fault::hinted(Code::TypeMismatch, "the truth value of an object is ambiguous", hint));
        }
        Value::Frame(_) | Value::Series(_) | Value::Groups(_) | Value::Loc(_) => {
            return Err(truth_of_table(value));
        }
        Value::Unbound => {
            return Err(Fault::new(Code::UsedBeforeAssignment, "a variable is used before it has a value"));
        }
        // The machine stops at a poisoned condition before it gets here.
        Value::Poison => false,
    })
}

fn truth_of_table<S: Scalar>(value: &Value<S>) -> Box<Fault> {
    let message = format!("the truth value of {} is ambiguous: it has many rows", value.kind());
    let hint = "join masks with `&`, `|` and `~`; choose between values with `np.where(mask, a, b)`";
    Fault::hinted(Code::TypeMismatch, message, hint)
}

/// `left is right`, for `None`, booleans and objects.
fn same<S>(left: &Value<S>, right: &Value<S>) -> Outcome<bool> {
    match (left, right) {
        (Value::None, Value::None) => Ok(true),
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        (Value::Object(a, _), Value::Object(b, _)) => Ok(a == b),
        (Value::None | Value::Bool(_) | Value::Object(..), _)
        | (_, Value::None | Value::Bool(_) | Value::Object(..)) => Ok(false),
        // Python may keep two equal numbers in one place.
        _ => Err(Fault::hinted(Code::IdentityTest, "`is` compares only with `None` and objects", "write `==`")),
    }
}

/// Compares without rounding integers.
pub(super) fn compare_numbers<S: Scalar>(a: &Number<S>, b: &Number<S>) -> Option<Ordering> {
    match (a, b) {
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
        (Number::Float(a), b) => a.cmp_integer(&b.integer()?),
        (a, Number::Float(b)) => b.cmp_integer(&a.integer()?).map(Ordering::reverse),
        (a, b) => Some(a.integer()?.cmp(&b.integer()?)),
    }
}

pub(super) fn too_deep() -> Box<Fault> {
    let message = format!("values are nested more than {MAX_VALUE_DEPTH} deep");
    Fault::hinted(Code::ValueNesting, message, "does a list contain itself?")
}
