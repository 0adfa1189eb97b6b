//! Operators and functions that go through arrays element by element, with numpy's broadcasting.

use std::cmp::Ordering;

use super::super::builtins::Counting;
use super::super::compare::compare_numbers;
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Number, Value};
use super::array::{Array, broadcast, shape_text};
use super::kind::{Kind, too_large};
use super::{create, kind, product, subscript};
use crate::evaluate::{arithmetic, builtins, choices, compare, containers, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison, Logic, SetMethod};

/// One side of an operator.
pub(in super::super) enum Operand<S> {
    Array(Array),
    /// The same for every element.
    Single(Value<S>),
}

impl<S: Scalar> Operand<S> {
    pub(in super::super) fn shape(&self) -> &[usize] {
        match self {
            Operand::Array(array) => &array.shape,
            Operand::Single(_) => &[],
        }
    }
}

/// A value beside an array: lists, tuples and ranges count as arrays.
pub(in super::super) fn operand<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Operand<S>> {
    Ok(match value {
        Value::Array(_) | Value::List(_) | Value::Tuple(_) | Value::Range(_) => {
            Operand::Array(create::as_array(state, value)?)
        }
        single => Operand::Single(single.clone()),
    })
}

pub(in super::super) fn operand_kind<S: Scalar>(operand: &Operand<S>) -> Outcome<Kind> {
    match operand {
        Operand::Array(array) => Ok(array.kind),
        Operand::Single(value) => kind::kind_of(value),
    }
}

/// The elements of an operand, stretched to a shape.
pub(in super::super) fn stretched<S: Scalar>(state: &State<S>, operand: &Operand<S>, shape: &[usize]) -> Stretched<S> {
    match operand {
        Operand::Array(array) if array.shape == shape => Stretched::All(state.heap.array_values(array)),
        Operand::Array(array) => Stretched::All(state.heap.array_values(&array.stretched(shape))),
        Operand::Single(value) => Stretched::Single(value.clone()),
    }
}

/// The shape of what two operands give together.
pub(in super::super) fn common_shape<S: Scalar>(left: &Operand<S>, right: &Operand<S>) -> Outcome<Vec<usize>> {
    broadcast(left.shape(), right.shape()).ok_or_else(|| shapes_differ(left.shape(), right.shape()))
}

/// Goes through two operands together.
fn zip_operands<S: Scalar>(
    state: &mut State<S>,
    left: &Operand<S>,
    right: &Operand<S>,
    mut operation: impl FnMut(&mut State<S>, &Value<S>, &Value<S>) -> Outcome<Value<S>>,
) -> Outcome<(Vec<Value<S>>, Vec<usize>)> {
    let shape = common_shape(left, right)?;
    let count = size_of_shape(&shape)?;
    state.budget.spend_steps(count as u64)?;
    state.budget.check_elements(count as u64)?;
    let (a, b) = (stretched(state, left, &shape), stretched(state, right, &shape));
    let mut results = Vec::with_capacity(count);
    for index in 0..count {
        results.push(operation(state, a.get(index), b.get(index))?);
    }
    Ok((results, shape))
}

/// `left operator right` where one of the two is an array, or the operator is `@`.
pub(in super::super) fn binary_arrays<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    if operator == Binary::MatrixMultiply {
        return product::matrix_multiply(state, left, right);
    }
    let (left_side, right_side) = (operand(state, left)?, operand(state, right)?);
    let (results, shape, kind) = elementwise(state, operator, &left_side, &right_side)?;
    create::new_array(state, results, shape, kind)
}

fn elementwise<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Operand<S>,
    right: &Operand<S>,
) -> Outcome<(Vec<Value<S>>, Vec<usize>, Kind)> {
    let kind = result_kind(operator, left, right)?;
    // numpy computes these powers without `pow`, which rounds differently.
    let exponent = match (operator, right, kind) {
        (Binary::Power, Operand::Single(exponent), Kind::Float) if operand_kind(left)? == Kind::Float => {
            state.number(exponent)
        }
        _ => None,
    };
    let exponent = exponent.and_then(|number| number.scalar()).map(|exponent| exponent.to_f64());
    let (results, shape) = zip_operands(state, left, right, |state, a, b| match exponent {
        Some(2.0) => kind::numpy_binary(state, Binary::Multiply, a, a),
        Some(-1.0) => kind::numpy_binary(state, Binary::Divide, &Value::NumpyFloat(S::one()), a),
        Some(0.5) if !S::EXACT && a.as_random().is_none() => square_root(state, a),
        _ => kind::numpy_binary(state, operator, a, b),
    })?;
    Ok((results, shape, kind))
}

fn square_root<S: Scalar>(state: &mut State<S>, a: &Value<S>) -> Outcome<Value<S>> {
    let value = builtins::vectors::parameter(state, "a number", a)?.to_f64();
    if value < 0.0 {
        return Err(Fault::new(Code::DomainError, format!("{value} has no real power 0.5")));
    }
    arithmetic::irrational(state, value.sqrt()).map(Value::NumpyFloat)
}

fn result_kind<S: Scalar>(operator: Binary, left: &Operand<S>, right: &Operand<S>) -> Outcome<Kind> {
    let kind = operand_kind(left)?.max(operand_kind(right)?);
    Ok(match (operator, kind) {
        (_, Kind::Text) => {
            let message = format!("`{}` of an array of strings", operator.symbol());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
        (Binary::Divide, _) => Kind::Float,
        // numpy has smaller integers for these.
        (Binary::Power | Binary::FloorDivide | Binary::Remainder, Kind::Bool) => {
            let message = format!("`{}` of numpy's booleans", operator.symbol());
            return Err(Fault::hinted(Code::TypeMismatch, message, "multiply by 1 first"));
        }
        (Binary::Power, _) if operand_kind(left)? == Kind::Bool => {
            let message = format!("`{}` of numpy's booleans", operator.symbol());
            return Err(Fault::hinted(Code::TypeMismatch, message, "multiply by 1 first"));
        }
        (_, kind) => kind,
    })
}

/// `left operator= right` for what can be changed in place.
pub(in super::super) fn binary_in_place<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    match (left, operator) {
        (Value::Dict(_), _)
            if builtins::counters::is_counter(state, left) && builtins::counters::is_counter(state, right) =>
        {
            Err(builtins::counters::refuse_to_join_in_place())
        }
        (Value::List(handle), Binary::Add) if !matches!(right, Value::Array(_)) && !right.is_numpy_scalar() => {
            if matches!(right, Value::Poison) {
                return Ok(Value::Poison);
            }
            let values = containers::elements(state, right)?;
            state.budget.spend_elements(values.len() as u64)?;
            state.heap.sequences[*handle as usize].extend(values);
            Ok(left.clone())
        }
        (Value::List(handle), Binary::Multiply) if matches!(right, Value::Int(_) | Value::Bool(_)) => {
            let count = containers::whole(right, "the factor")?;
            let repeated = arithmetic::repeated(state, *handle, count)?;
            state.heap.sequences[*handle as usize] = repeated;
            Ok(left.clone())
        }
        (Value::Set(handle), Binary::Subtract) if matches!(right, Value::Set(_)) => {
            let left_over = arithmetic::binary(state, operator, left, right)?;
            choices::sets::replace_set(state, *handle, &left_over)?;
            Ok(left.clone())
        }
        (Value::Array(handle), Binary::MatrixMultiply) => {
            let product = product::matrix_multiply(state, left, right)?;
            let same = matches!(&product, Value::Array(other)
                    if state.heap.array(*other).shape == state.heap.array(*handle).shape);
            if !same {
                return Err(Fault::new(Code::LengthMismatch, "`@=` cannot change the shape of an array"));
            }
            let target = state.heap.array(*handle).clone();
            if let Value::Array(other) = &product
                && state.heap.array(*other).kind > target.kind
            {
                return Err(cannot_take(target.kind, state.heap.array(*other).kind));
            }
            subscript::assign_array(state, &target, &product, true)?;
            Ok(left.clone())
        }
        (Value::Array(handle), _) if !matches!(right, Value::Poison | Value::Series(_)) => {
            let target = state.heap.array(*handle).clone();
            let right_side = operand(state, right)?;
            let left_side = Operand::Array(target.clone());
            let (results, shape, kind) = elementwise(state, operator, &left_side, &right_side)?;
            write_results(state, &target, results, &shape, kind)?;
            Ok(left.clone())
        }
        _ => arithmetic::binary(state, operator, left, right),
    }
}

/// Puts the results of an operation in place of an array's elements.
fn write_results<S: Scalar>(
    state: &mut State<S>,
    target: &Array,
    results: Vec<Value<S>>,
    shape: &[usize],
    kind: Kind,
) -> Outcome<()> {
    if shape != target.shape {
        return Err(shapes_differ(&target.shape, shape));
    }
    if kind > target.kind {
        return Err(cannot_take(target.kind, kind));
    }
    let buffer = target.buffer as usize;
    for (position, result) in target.positions().zip(results) {
        let result = kind::cast(state, &result, target.kind)?;
        state.heap.sequences[buffer][position] = result;
    }
    Ok(())
}

/// `left operator right`, element by element.
pub(in super::super) fn compare_arrays<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    if !matches!(operator, Comparison::Equal | Comparison::NotEqual) {
        refuse_texts_and_numbers(state, left, right)?;
    }
    let (left_side, right_side) = (operand(state, left)?, operand(state, right)?);
    let (results, shape) = zip_operands(state, &left_side, &right_side, |state, a, b| {
        compare_scalars(state, operator, a, b).map(Value::NumpyBool)
    })?;
    create::new_array(state, results, shape, Kind::Bool)
}

/// Texts and numbers have no order, also where there are none of them.
fn refuse_texts_and_numbers<S: Scalar>(state: &State<S>, left: &Value<S>, right: &Value<S>) -> Outcome<()> {
    let is_text = |value: &Value<S>| match value {
        Value::Array(handle) => Some(state.heap.array(*handle).kind == Kind::Text),
        Value::Text(_) => Some(true),
        _ => state.number(value).map(|_| false),
    };
    match (is_text(left), is_text(right)) {
        (Some(a), Some(b)) if a != b => {
            Err(Fault::new(Code::TypeMismatch, "strings and numbers cannot be put in order"))
        }
        _ => Ok(()),
    }
}

/// A comparison of single values, as numpy makes it.
pub(in super::super) fn compare_scalars<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    a: &Value<S>,
    b: &Value<S>,
) -> Outcome<bool> {
    let (a, b) = match (a, b) {
        (Value::NumpyBool(_), Value::BigInt(_)) | (Value::BigInt(_), Value::NumpyBool(_)) => {
            return Err(too_large());
        }
        // numpy makes both doubles.
        (Value::NumpyInt(_) | Value::NumpyBool(_), Value::NumpyFloat(_) | Value::Float(_))
        | (Value::NumpyFloat(_), Value::NumpyInt(_) | Value::NumpyBool(_) | Value::Int(_) | Value::BigInt(_)) => {
            let mut number =
                |value: &Value<S>| builtins::vectors::parameter(state, "a number", value).map(Value::Float);
            (number(a)?, number(b)?)
        }
        _ => (a.plain(), b.plain()),
    };
    if matches!(operator, Comparison::Equal | Comparison::NotEqual) {
        let equal = compare::equal(state, &a, &b, 0)?;
        return Ok(equal == (operator == Comparison::Equal));
    }
    let order = match (state.number(&a), state.number(&b)) {
        (Some(x), Some(y)) => compare_numbers(&x, &y).unwrap_or(Ordering::Equal),
        _ => compare::order(state, operator, &a, &b)?,
    };
    Ok(match operator {
        Comparison::Less => order.is_lt(),
        Comparison::LessEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterEqual => order.is_ge(),
        Comparison::Equal
        | Comparison::NotEqual
        | Comparison::In
        | Comparison::NotIn
        | Comparison::Is
        | Comparison::IsNot => {
            let message = format!("`{}` of arrays", operator.symbol());
            return Err(Fault::new(Code::TypeMismatch, message));
        }
    })
}

/// `left & right` and the like: of columns, arrays and booleans.
pub(in super::super) fn logic_of<S: Scalar>(
    state: &mut State<S>,
    operator: Logic,
    left: &Value<S>,
    right: &Value<S>,
    in_place: bool,
) -> Outcome<Value<S>> {
    logic_in_worlds(state, operator, left, right, in_place, false)
}

/// The same; `changes_already` if other worlds are taken care of.
fn logic_in_worlds<S: Scalar>(
    state: &mut State<S>,
    operator: Logic,
    left: &Value<S>,
    right: &Value<S>,
    in_place: bool,
    changes_already: bool,
) -> Outcome<Value<S>> {
    if matches!(left, Value::Poison) || matches!(right, Value::Poison) {
        return Ok(Value::Poison);
    }
    if matches!(left, Value::Series(_)) || matches!(right, Value::Series(_)) {
        return tables::elementwise::logic(state, operator, left, right);
    }
    if in_place && state.worlds.are_split() && matches!(left, Value::Array(_) | Value::Set(_)) && !changes_already {
        return choices::writes::change(state, left, |state| logic_in_worlds(state, operator, left, right, true, true));
    }
    if in_place && builtins::counters::is_counter(state, left) && builtins::counters::is_counter(state, right) {
        return Err(builtins::counters::refuse_to_join_in_place());
    }
    if let Some(joined) = builtins::counters::joined_counters(state, Counting::of_logic(operator), left, right)? {
        return Ok(joined);
    }
    if let (Logic::Or, Value::Dict(a), Value::Dict(b)) = (operator, left, right)
        && !state.worlds.exist()
        && [*a, *b].into_iter().all(|handle| state.heap.dict(handle).default.is_none())
    {
        let joined = if in_place { left.clone() } else { state.new_dict()? };
        choices::arrivals::require_order(state, *a)?;
        choices::arrivals::require_order(state, *b)?;
        let own = if in_place { Vec::new() } else { state.heap.dict(*a).entries.clone() };
        let more = state.heap.dict(*b).entries.clone();
        if let Value::Dict(handle) = joined {
            for (key, value) in own.into_iter().chain(more) {
                state.insert(handle, key, value)?;
            }
        }
        return Ok(joined);
    }
    if let (Value::Set(a), Value::Set(b)) = (left, right) {
        let operation = match operator {
            Logic::And => SetMethod::Intersection,
            Logic::Or => SetMethod::Union,
            Logic::Xor => SetMethod::SymmetricDifference,
        };
        let joined = choices::sets::joined_sets(state, operation, *a, *b)?;
        if in_place {
            choices::sets::replace_set(state, *a, &joined)?;
            return Ok(left.clone());
        }
        return Ok(joined);
    }
    if choices::lift::holds_choice(state, left, 0) || choices::lift::holds_choice(state, right, 0) {
        let joined = choices::arrays::logic_on_choices(state, operator, left, right, in_place)?;
        if let (true, Value::Array(handle), Value::Array(results)) = (in_place, left, &joined) {
            // Everybody who knows the array sees the change.
            let (target, results) = (state.heap.array(*handle).clone(), state.heap.array(*results).clone());
            let values = state.heap.array_values(&results);
            write_results(state, &target, values, &results.shape, results.kind)?;
            return Ok(left.clone());
        }
        return Ok(joined);
    }
    if !matches!(left, Value::Array(_)) && !matches!(right, Value::Array(_)) {
        let is_boolean = |value: &Value<S>| matches!(value, Value::Bool(_) | Value::NumpyBool(_));
        if left.is_numpy_scalar() || right.is_numpy_scalar() || (is_boolean(left) && is_boolean(right)) {
            return kind::logic_scalars(state, operator, left, right);
        }
        return tables::elementwise::logic(state, operator, left, right);
    }
    let (left_side, right_side) = (operand(state, left)?, operand(state, right)?);
    let kind = operand_kind(&left_side)?.max(operand_kind(&right_side)?);
    let (results, shape) =
        zip_operands(state, &left_side, &right_side, |state, a, b| kind::logic_scalars(state, operator, a, b))?;
    // Also where there are no elements.
    if matches!(kind, Kind::Float | Kind::Text) {
        let message = format!("`{}` does not take an array of {}", operator.symbol(), kind.name());
        return Err(Fault::new(Code::TypeMismatch, message));
    }
    match (left, in_place) {
        (Value::Array(handle), true) => {
            let target = state.heap.array(*handle).clone();
            write_results(state, &target, results, &shape, kind)?;
            Ok(left.clone())
        }
        _ => create::new_array(state, results, shape, kind),
    }
}

/// `~value`
pub(in super::super) fn inverted<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    if choices::lift::holds_choice(state, value, 0) {
        return choices::arrays::inverted_choices(state, value);
    }
    match value {
        Value::Array(handle) => {
            let array = state.heap.array(*handle).clone();
            if matches!(array.kind, Kind::Float | Kind::Text) {
                let message = format!("`~` does not take an array of {}", array.kind.name());
                return Err(Fault::new(Code::TypeMismatch, message));
            }
            map_array(state, &array, array.kind, |_state, value| kind::invert_scalar(value))
        }
        Value::NumpyBool(_) | Value::NumpyInt(_) | Value::NumpyFloat(_) => kind::invert_scalar(value),
        other => tables::elementwise::invert(state, other),
    }
}

/// A function of every element of an array.
pub(in super::super) fn map_array<S: Scalar>(
    state: &mut State<S>,
    array: &Array,
    kind: Kind,
    mut function: impl FnMut(&mut State<S>, &Value<S>) -> Outcome<Value<S>>,
) -> Outcome<Value<S>> {
    state.budget.spend_steps(array.size() as u64)?;
    let values = state.heap.array_values(array);
    let results = values.iter().map(|value| function(state, value)).collect::<Outcome<Vec<_>>>()?;
    create::new_array(state, results, array.shape.clone(), kind)
}

/// `np.where(condition, yes, no)`
pub(in super::super) fn where_arrays<S: Scalar>(
    state: &mut State<S>,
    condition: &Value<S>,
    yes: &Value<S>,
    no: &Value<S>,
) -> Outcome<Value<S>> {
    let (condition, yes, no) = (operand(state, condition)?, operand(state, yes)?, operand(state, no)?);
    let kind = operand_kind(&yes)?.max(operand_kind(&no)?);
    let texts = [&yes, &no].iter().filter(|side| matches!(operand_kind(side), Ok(Kind::Text))).count();
    if texts == 1 {
        return Err(Fault::new(Code::TypeMismatch, "`where` chooses between strings and numbers"));
    }
    let shape = common_shape(&yes, &no)?;
    let shape = broadcast(condition.shape(), &shape).ok_or_else(|| shapes_differ(condition.shape(), &shape))?;
    let count = size_of_shape(&shape)?;
    state.budget.spend_steps(count as u64)?;
    state.budget.check_elements(count as u64)?;
    let chosen = stretched(state, &condition, &shape);
    let (yes, no) = (stretched(state, &yes, &shape), stretched(state, &no, &shape));
    let mut results = Vec::with_capacity(count);
    for index in 0..count {
        let truth = compare::truth(state, chosen.get(index))?;
        let value = if truth { yes.get(index) } else { no.get(index) };
        results.push(kind::cast(state, value, kind)?);
    }
    create::new_array(state, results, shape, kind)
}

/// Whether a value is equal to an element of an array.
pub(in super::super) fn array_contains<S: Scalar>(
    state: &mut State<S>,
    array: &Array,
    item: &Value<S>,
) -> Outcome<bool> {
    state.budget.spend_steps(array.size() as u64)?;
    let mut found = false;
    // All are compared, so that a random variable among them is noticed.
    for value in state.heap.array_values(array) {
        found |= compare_scalars(state, Comparison::Equal, &value, item)?;
    }
    Ok(found)
}

/// Whether a number is negative.
pub(in super::super) fn is_negative<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    match state.number(value) {
        Some(Number::Int(value)) => value < 0,
        Some(Number::BigInt(value)) => value < dashu_int::IBig::ZERO,
        Some(Number::Float(value)) => value < S::zero(),
        None => false,
    }
}

/// Elements stretched to a shape.
pub(in super::super) enum Stretched<S> {
    All(Vec<Value<S>>),
    Single(Value<S>),
}

impl<S> Stretched<S> {
    pub(in super::super) fn get(&self, index: usize) -> &Value<S> {
        match self {
            Stretched::All(values) => &values[index],
            Stretched::Single(value) => value,
        }
    }
}

fn cannot_take(target: Kind, kind: Kind) -> Box<Fault> {
    let message = format!("an array of {} cannot take {} in place", target.name(), kind.name());
    Fault::hinted(Code::TypeMismatch, message, "write `a = a + b`, which makes a new array")
}

pub(in super::super) fn shapes_differ(a: &[usize], b: &[usize]) -> Box<Fault> {
    let message = format!("arrays of shapes {} and {} are combined", shape_text(a), shape_text(b));
    let hint = "shapes are compared from their ends; lengths must be the same, or one of them 1";
    Fault::hinted(Code::LengthMismatch, message, hint)
}

/// How many elements a shape has.
pub(in super::super) fn size_of_shape(shape: &[usize]) -> Outcome<usize> {
    let size = shape.iter().try_fold(1usize, |size, length| size.checked_mul(*length));
    size.ok_or_else(|| Fault::new(Code::SizeLimit, "an array is too large"))
}
