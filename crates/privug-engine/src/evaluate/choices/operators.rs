//! Operators whose operands depend on choices.

use super::lift::as_element;
use super::matrices::{shape_together, stretched};
use super::shapes::Operator;
use super::{arrays, arrivals, calls, distributions, lift, matrices, sets, shapes, sums, tallies};
use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::ndarray::Kind;
use crate::evaluate::state::State;
use crate::evaluate::value::{Part, Value};
use crate::evaluate::{arithmetic, choices, compare, containers, ndarray};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison};

/// `left operator right` where one of them depends on choices.
pub(in crate::evaluate) fn binary_choices<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    if let Some(sum) = sums::sum_of(state, operator, left, right)? {
        return Ok(sum);
    }
    shapes::by_shape(state, Operator::Binary(operator), left, right, &mut |state| {
        let values = [lift::expanded(state, left, 0)?, lift::expanded(state, right, 0)?];
        lift::lift(state, &values, false, &mut |state, values| {
            arithmetic::binary(state, operator, &values[0], &values[1])
        })
    })
}

/// An operator on arrays that hold choices, element by element.
pub(in crate::evaluate) fn array_choices<S: Scalar>(
    state: &mut State<S>,
    left: &Value<S>,
    right: &Value<S>,
    kind: Kind,
    operation: &mut dyn FnMut(&mut State<S>, &Value<S>, &Value<S>) -> Outcome<Value<S>>,
) -> Outcome<Value<S>> {
    let side = |state: &mut State<S>, value: &Value<S>| -> Outcome<Option<(Vec<Value<S>>, Vec<usize>)>> {
        Ok(match value {
            Value::Array(handle) => {
                let array = state.heap.array(*handle).clone();
                Some((state.heap.array_values(&array), array.shape))
            }
            Value::List(_) | Value::Tuple(_) => {
                let elements = containers::elements(state, value)?;
                let length = elements.len();
                Some((elements, vec![length]))
            }
            _ => None,
        })
    };
    let (a, b) = (side(state, left)?, side(state, right)?);
    let shape = match (&a, &b) {
        (Some((_, a)), Some((_, b))) => shape_together(a, b)?,
        (Some((_, shape)), None) | (None, Some((_, shape))) => shape.clone(),
        (None, None) => vec![0],
    };
    let size: usize = shape.iter().product();
    let mut elements = Vec::with_capacity(size);
    for place in 0..size {
        let at = |side: &Option<(Vec<Value<S>>, Vec<usize>)>, single: &Value<S>| match side {
            Some((elements, own)) => elements[stretched(place, &shape, own)].plain(),
            None => single.plain(),
        };
        let element = operation(state, &at(&a, left), &at(&b, right))?;
        elements.push(as_element(&element, kind));
    }
    ndarray::create::new_array(state, elements, shape, kind)
}

/// Whether numpy would join booleans by `or` where Python adds them.
pub(in crate::evaluate) fn refuse_boolean_sum<S: Scalar>(
    state: &State<S>,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<()> {
    let is_boolean = |value: &Value<S>| {
        matches!(value, Value::Array(handle) if state.heap.array(*handle).kind == Kind::Bool)
            || matches!(value, Value::Bool(_) | Value::NumpyBool(_))
    };
    if is_boolean(left) && is_boolean(right) {
        let message = "two boolean arrays are combined by arithmetic, which differs between numpy and Python";
        return Err(Fault::hinted(Code::TypeMismatch, message, "count with `sum(...)`"));
    }
    Ok(())
}

/// `left operator right`
pub(in crate::evaluate) fn compare_choices<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Value<S>> {
    if let Some(event) = sums::compare_sum(state, operator, left, right)? {
        return Ok(event);
    }
    if let Comparison::Equal | Comparison::NotEqual = operator
        && let Some(event) = tallies::tally_equals(state, left, right)?
    {
        let event = if operator == Comparison::Equal { event } else { negation(state, event)? };
        return Ok(choices::settle(state, event));
    }
    if let Some(result) = sets::compare_sets(state, operator, left, right)? {
        return Ok(result);
    }
    if let (Comparison::In | Comparison::NotIn, Value::Set(set)) = (operator, right) {
        let found = sets::in_set(state, left, *set)?;
        if operator == Comparison::In {
            return Ok(found);
        }
        let found = choices::truth_event(state, &found)?;
        let missing = negation(state, found)?;
        return Ok(choices::settle(state, missing));
    }
    if let (Comparison::In | Comparison::NotIn, Value::Dict(dict) | Value::View(dict, Part::Keys)) = (operator, right) {
        let key = lift::expanded(state, left, 0)?;
        return lift::lift(state, &[key], false, &mut |state, key| {
            let mut found = arrivals::has_key(state, *dict, &key[0])?;
            if operator == Comparison::NotIn {
                found = negation(state, found)?;
            }
            Ok(choices::settle(state, found))
        });
    }
    if let (Comparison::In | Comparison::NotIn, Value::List(_) | Value::Tuple(_) | Value::Array(_)) = (operator, right)
    {
        let mut found = Diagram::FALSE;
        for element in containers::elements(state, right)? {
            let equal = equal_element(state, left, &element)?;
            found = disjunction(state, found, equal)?;
        }
        let result = if operator == Comparison::NotIn { negation(state, found)? } else { found };
        return Ok(choices::settle(state, result));
    }
    shapes::by_shape(state, Operator::Comparison(operator), left, right, &mut |state| {
        let values = [lift::expanded(state, left, 0)?, lift::expanded(state, right, 0)?];
        // Objects are not taken apart by what they hold.
        if !values.iter().any(calls::is_choice) {
            return compare::compare_plainly(state, operator, &values[0], &values[1]);
        }
        lift::lift(state, &values, false, &mut |state, values| {
            compare::compare(state, operator, &values[0], &values[1])
        })
    })
}

/// The worlds in which an element of a list is there and equal to a value.
pub(super) fn equal_element<S: Scalar>(state: &mut State<S>, value: &Value<S>, element: &Value<S>) -> Outcome<Diagram> {
    let present = lift::presence(state, element)?;
    if present == Diagram::FALSE {
        return Ok(Diagram::FALSE);
    }
    let active = state.worlds.active;
    let running = choices::running(state)?;
    let here = conjunction(state, running, present)?;
    if here == Diagram::FALSE {
        return Ok(Diagram::FALSE);
    }
    state.worlds.active = here;
    let equal = compare::compare(state, Comparison::Equal, element, value)
        .and_then(|equal| choices::truth_event(state, &equal));
    state.worlds.active = active;
    conjunction(state, present, equal?)
}

pub(in crate::evaluate) fn conjunction<S: Scalar>(state: &mut State<S>, a: Diagram, b: Diagram) -> Outcome<Diagram> {
    state.worlds.diagrams.and(a, b).map_err(|too_wide| choices::too_wide(state, too_wide, &[a, b]))
}

pub(in crate::evaluate) fn disjunction<S: Scalar>(state: &mut State<S>, a: Diagram, b: Diagram) -> Outcome<Diagram> {
    state.worlds.diagrams.or(a, b).map_err(|too_wide| choices::too_wide(state, too_wide, &[a, b]))
}

pub(in crate::evaluate) fn negation<S: Scalar>(state: &mut State<S>, event: Diagram) -> Outcome<Diagram> {
    state.worlds.diagrams.not(event).map_err(|too_wide| choices::too_wide(state, too_wide, &[event]))
}

/// Arithmetic that involves choices, if this does.
pub(in crate::evaluate) fn binary_on_choices<S: Scalar>(
    state: &mut State<S>,
    operator: Binary,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let is_array = matches!(left, Value::Array(_)) || matches!(right, Value::Array(_));
    if is_array && (lift::holds_choice(state, left, 0) || lift::holds_choice(state, right, 0)) {
        if operator == Binary::MatrixMultiply {
            return matrices::matrix_product(state, left, right).map(Some);
        }
        refuse_boolean_sum(state, left, right)?;
        let kind = match operator {
            Binary::Divide => Kind::Float,
            Binary::Add
            | Binary::Subtract
            | Binary::Multiply
            | Binary::FloorDivide
            | Binary::Remainder
            | Binary::Power
            | Binary::MatrixMultiply => {
                arrays::kind_of_operand(state, left)?.max(arrays::kind_of_operand(state, right)?).max(Kind::Int)
            }
        };
        let result =
            array_choices(state, left, right, kind, &mut |state, a, b| arithmetic::binary(state, operator, a, b));
        return result.map(Some);
    }
    if calls::is_choice(left) || calls::is_choice(right) {
        return binary_choices(state, operator, left, right).map(Some);
    }
    Ok(None)
}

/// A comparison that involves choices, if this does.
pub(in crate::evaluate) fn compare_on_choices<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let elementwise = !matches!(operator, Comparison::In | Comparison::NotIn | Comparison::Is | Comparison::IsNot);
    let is_array = matches!(left, Value::Array(_)) || matches!(right, Value::Array(_));
    if elementwise && is_array && (lift::holds_choice(state, left, 0) || lift::holds_choice(state, right, 0)) {
        let result =
            array_choices(state, left, right, Kind::Bool, &mut |state, a, b| compare::compare(state, operator, a, b));
        return result.map(Some);
    }
    if lift::holds_choice(state, left, 0) || lift::holds_choice(state, right, 0) {
        let is_direct = matches!(left, Value::Choice(_)) || matches!(right, Value::Choice(_));
        match (operator, left, right) {
            // Which one it is does not depend on what it holds.
            (Comparison::Is | Comparison::IsNot, _, _) if !is_direct => return Ok(None),
            (Comparison::Equal | Comparison::NotEqual, Value::Object(one, _), Value::Object(other, _))
                if one != other =>
            {
                let message = "objects that hold random values are compared";
                let hint = "compare the values in them";
                return Err(Fault::hinted(Code::BranchOnRandom, message, hint));
            }
            (Comparison::Equal | Comparison::NotEqual, Value::Object(..), _)
            | (Comparison::Equal | Comparison::NotEqual, _, Value::Object(..))
                if !is_direct =>
            {
                return Ok(None);
            }
            _ => {}
        }
        return compare_choices(state, operator, left, right).map(Some);
    }
    Ok(None)
}

/// Which of two is larger, where a Gaussian variable is one of them: a random event. Tables have their own rules.
pub(in crate::evaluate) fn compare_gaussians<S: Scalar>(
    state: &mut State<S>,
    operator: Comparison,
    left: &Value<S>,
    right: &Value<S>,
) -> Outcome<Option<Value<S>>> {
    let orders = match operator {
        Comparison::Less | Comparison::LessEqual | Comparison::Greater | Comparison::GreaterEqual => true,
        Comparison::Equal
        | Comparison::NotEqual
        | Comparison::In
        | Comparison::NotIn
        | Comparison::Is
        | Comparison::IsNot => false,
    };
    if !orders || state.tables.publishes_rows {
        return Ok(None);
    }
    let is_number = |state: &State<S>, value: &Value<S>| value.as_random().is_some() || state.number(value).is_some();
    match (left.as_random().is_some(), right.as_random().is_some()) {
        (true, _) if is_number(state, right) => distributions::threshold(state, operator, left, right).map(Some),
        (_, true) if is_number(state, left) => distributions::threshold(state, operator, left, right).map(Some),
        _ => {
            let has_random = |value: &Value<S>| match value {
                Value::Array(handle) => {
                    let array = state.heap.array(*handle);
                    array.kind == Kind::Float
                        && state.heap.array_values(array).iter().any(|element| element.as_random().is_some())
                }
                _ => false,
            };
            if has_random(left) || has_random(right) {
                let result = array_choices(state, left, right, Kind::Bool, &mut |state, a, b| {
                    compare::compare(state, operator, a, b)
                });
                return result.map(Some);
            }
            Ok(None)
        }
    }
}
