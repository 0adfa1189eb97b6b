//! Arrays of choices with several dimensions: how they are made, added up along an axis, and multiplied.

use super::Chosen;
use super::lift::as_element;
use super::{arrays, lift};
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::ndarray::{Kind, broadcast};
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{arithmetic, builtins, containers, ndarray};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Builtin, CallShape, Method};

/// Arrays have at most so many dimensions, as in numpy.
const MAX_DIMENSIONS: usize = 64;

/// Whether a value is an array with several dimensions.
pub(super) fn is_matrix<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    matches!(value, Value::Array(handle) if state.heap.array(*handle).shape.len() > 1)
}

/// The elements of lists in lists, row by row, and their shape.
pub(super) fn nested_elements<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    depth: usize,
) -> Outcome<(Vec<Value<S>>, Vec<usize>)> {
    let elements = containers::elements(state, value)?;
    let is_list = |value: &Value<S>| matches!(value, Value::List(_) | Value::Tuple(_) | Value::Array(_));
    let uneven = || {
        let message = "the rows of an array of random choices have different lengths";
        Fault::hinted(Code::LengthMismatch, message, "keep them in lists")
    };
    let is_chosen_list = |state: &State<S>, value: &Value<S>| match value {
        Value::Choice(Chosen::Diagram(diagram)) => {
            let leaves = state.worlds.diagrams.leaves_of(*diagram);
            leaves.iter().any(|leaf| is_list(&state.worlds.leaves[*leaf as usize]))
        }
        _ => false,
    };
    if depth > MAX_DIMENSIONS || elements.iter().any(|element| is_chosen_list(state, element)) {
        return Err(uneven());
    }
    if !elements.iter().any(is_list) {
        let length = elements.len();
        return Ok((elements, vec![length]));
    }
    let (mut all, mut shape) = (Vec::new(), None);
    for row in &elements {
        if !is_list(row) {
            return Err(uneven());
        }
        let (row, own) = nested_elements(state, row, depth + 1)?;
        if *shape.get_or_insert_with(|| own.clone()) != own {
            return Err(uneven());
        }
        all.extend(row);
    }
    let mut lengths = vec![elements.len()];
    lengths.extend(shape.unwrap_or_default());
    Ok((all, lengths))
}

/// A function of the language on an array of choices with several dimensions; `None` if it goes through its rows like
/// through a list.
pub(super) fn matrix_function<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Option<Value<S>>> {
    let method = match builtin {
        Builtin::Len
        | Builtin::Enumerate
        | Builtin::Zip
        | Builtin::Reversed
        | Builtin::List
        | Builtin::Tuple
        | Builtin::Array
        | Builtin::AsArray
        | Builtin::Sum
        | Builtin::Print
        | Builtin::Iteration(_) => return Ok(None),
        Builtin::ArraySum => Some(Method::Sum),
        Builtin::Mean => Some(Method::Mean),
        Builtin::ArrayMin => Some(Method::Min),
        Builtin::ArrayMax => Some(Method::Max),
        Builtin::ArrayAny => Some(Method::Any),
        Builtin::ArrayAll => Some(Method::All),
        _ => None,
    };
    if let (Some(method), [object, rest @ ..]) = (method, values)
        && let Some(axis) = axis_of(shape, 1, rest)
    {
        return reduced_choices(state, method, object, axis).map(Some);
    }
    if let (Builtin::MatrixMultiply | Builtin::Dot, [left, right]) = (builtin, values)
        && shape.keywords.is_empty()
    {
        return matrix_product(state, left, right).map(Some);
    }
    let values = values.iter().map(|value| lift::expanded(state, value, 0)).collect::<Outcome<Vec<_>>>()?;
    let result =
        lift::lift(state, &values, true, &mut |state, values| builtins::call_builtin(state, builtin, shape, values));
    result.map(Some)
}

/// A method of an array of choices with several dimensions; `None` if it only looks at its shape.
pub(super) fn matrix_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Option<Value<S>>> {
    match method {
        Method::ToList
        | Method::Copy
        | Method::Size
        | Method::Shape
        | Method::Dimensions
        | Method::Transposed
        | Method::Reshape
        | Method::Ravel
        | Method::Flatten => return Ok(None),
        Method::Sum | Method::Mean | Method::Min | Method::Max | Method::Any | Method::All
            if let Some(axis) = axis_of(shape, 0, values) =>
        {
            return reduced_choices(state, method, object, axis).map(Some);
        }
        Method::Dot if let [other] = values => return matrix_product(state, object, other).map(Some),
        _ => {}
    }
    let mut all = vec![lift::expanded(state, object, 0)?];
    for value in values {
        all.push(lift::expanded(state, value, 0)?);
    }
    let result = lift::lift(state, &all, true, &mut |state, all| {
        builtins::call_method(state, method, &all[0], shape, &all[1..])
    });
    result.map(Some)
}

/// A method of each row, column or the like, or of all elements.
fn reduced_choices<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    axis: Option<Value<S>>,
) -> Outcome<Value<S>> {
    let (elements, lengths) = nested_elements(state, object, 0)?;
    let none =
        CallShape { positional: 0, keywords: Vec::new(), spans: Vec::new(), subject: String::new(), names: Vec::new() };
    let Some(axis) = axis else {
        let all = flat(state, elements)?;
        return builtins::call_method(state, method, &all, &none, &[]);
    };
    let axis = ndarray::reduce::one_axis(&axis, lengths.len())?;
    let (before, along): (usize, usize) = (lengths[..axis].iter().product(), lengths[axis]);
    let behind: usize = lengths[axis + 1..].iter().product();
    let mut results = Vec::with_capacity(before * behind);
    for start in 0..before {
        for offset in 0..behind {
            let at = |step: usize| elements[(start * along + step) * behind + offset].clone();
            let lane = flat(state, (0..along).map(at).collect())?;
            results.push(builtins::call_method(state, method, &lane, &none, &[])?);
        }
    }
    let mut rest = lengths;
    rest.remove(axis);
    let kind = match method {
        Method::Any | Method::All => Kind::Bool,
        Method::Mean => Kind::Float,
        _ => arrays::kind_of_elements(state, &results)?,
    };
    let results = results.iter().map(|element| as_element(element, kind)).collect();
    ndarray::create::new_array(state, results, rest, kind)
}

fn flat<S: Scalar>(state: &mut State<S>, elements: Vec<Value<S>>) -> Outcome<Value<S>> {
    let (length, kind) = (elements.len(), arrays::kind_of_elements(state, &elements)?);
    ndarray::create::new_array(state, elements, vec![length], kind)
}

/// `left @ right`, of vectors and matrices.
pub(super) fn matrix_product<S: Scalar>(state: &mut State<S>, left: &Value<S>, right: &Value<S>) -> Outcome<Value<S>> {
    let (a, a_shape) = nested_elements(state, left, 0)?;
    let (b, b_shape) = nested_elements(state, right, 0)?;
    let (rows, inner) = match a_shape[..] {
        [inner] => (1, inner),
        [rows, inner] => (rows, inner),
        _ => (0, usize::MAX),
    };
    let (own, columns) = match b_shape[..] {
        [own] => (own, 1),
        [own, columns] => (own, columns),
        _ => (0, 0),
    };
    if own != inner {
        let message = format!("arrays of shapes {a_shape:?} and {b_shape:?} have no product");
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    if arrays::kind_of_elements(state, &a)? == Kind::Bool && arrays::kind_of_elements(state, &b)? == Kind::Bool {
        let message = "the product of two arrays of booleans is one of booleans in numpy";
        return Err(Fault::hinted(Code::TypeMismatch, message, "make one of them integers: `.astype(int)`"));
    }
    let mut results = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let mut total = Value::Int(0);
            for step in 0..inner {
                let (x, y) = (a[row * inner + step].plain(), b[step * columns + column].plain());
                let product = arithmetic::binary(state, Binary::Multiply, &x, &y)?;
                total = arithmetic::binary(state, Binary::Add, &total, &product)?;
            }
            results.push(total);
        }
    }
    let shape: Vec<usize> = match (a_shape.len(), b_shape.len()) {
        (1, 1) => return Ok(results.remove(0)),
        (1, _) => vec![columns],
        (_, 1) => vec![rows],
        _ => vec![rows, columns],
    };
    let kind = arrays::kind_of_elements(state, &results)?;
    let results = results.iter().map(|element| as_element(element, kind)).collect();
    ndarray::create::new_array(state, results, shape, kind)
}

/// The axis that a call names: `Some(None)` if it names none, `None` if it is called in another way.
fn axis_of<S: Scalar>(shape: &CallShape, before: u32, values: &[Value<S>]) -> Option<Option<Value<S>>> {
    match values {
        [] => Some(None),
        [axis @ Value::Int(_)] => {
            let is_axis = shape.positional == before + 1 || shape.keywords == ["axis"];
            is_axis.then(|| Some(axis.clone()))
        }
        _ => None,
    }
}

/// Where the element at a place of an array is in one that is stretched to its shape.
pub(super) fn stretched(place: usize, shape: &[usize], own: &[usize]) -> usize {
    let (mut rest, mut index, mut stride) = (place, 0, 1);
    for (axis, length) in shape.iter().enumerate().rev() {
        let step = rest % length;
        rest /= length;
        if let Some(own_axis) = (axis + own.len()).checked_sub(shape.len()) {
            if own[own_axis] > 1 {
                index += step * stride;
            }
            stride *= own[own_axis];
        }
    }
    index
}

/// The shape of two arrays together.
pub(super) fn shape_together(a: &[usize], b: &[usize]) -> Outcome<Vec<usize>> {
    broadcast(a, b).ok_or_else(|| match (a, b) {
        ([a], [b]) => Fault::new(Code::LengthMismatch, format!("arrays of {a} and {b} elements")),
        _ => Fault::new(Code::LengthMismatch, format!("arrays of shapes {a:?} and {b:?}")),
    })
}
