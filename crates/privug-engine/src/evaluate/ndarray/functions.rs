//! numpy's functions by their names.

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::array::Array;
use super::kind::Kind;
use super::reduce::Reduction;
use super::{assembly, contraction, create, elementwise, linear, places, product, reduce, shape, subscript, weighted};
use crate::evaluate::{arithmetic, builtins, compare, containers, marked, tables};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison, NumpyFunction};

/// Calls a function of numpy.
pub(in super::super) fn numpy_function<S: Scalar>(
    state: &mut State<S>,
    function: NumpyFunction,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let name = function.name();
    match function {
        NumpyFunction::Add => numpy_operator(state, name, Binary::Add, arguments),
        NumpyFunction::Subtract => numpy_operator(state, name, Binary::Subtract, arguments),
        NumpyFunction::Multiply => numpy_operator(state, name, Binary::Multiply, arguments),
        NumpyFunction::Divide => numpy_operator(state, name, Binary::Divide, arguments),
        NumpyFunction::Negative => {
            let value = array_value(state, arguments.one(name)?)?;
            elementwise::binary_arrays(state, Binary::Multiply, &value, &Value::Int(-1))
        }
        NumpyFunction::Square => {
            let value = array_value(state, arguments.one(name)?)?;
            elementwise::binary_arrays(state, Binary::Multiply, &value, &value)
        }
        NumpyFunction::AddAt => weighted::add_at(state, arguments),
        NumpyFunction::AddReduce => {
            let [values, axis] = arguments.bind(name, ["array", "axis"], 1, 2)?;
            let axis = axis.map_or(Value::Int(0), |axis| axis.value.clone());
            reduce::reduce(state, Reduction::Sum, given(values)?.value, Some(&axis), false)
        }
        NumpyFunction::AddReduceAt => weighted::add_reduce_at(state, arguments),
        NumpyFunction::Append => assembly::appended(state, arguments),
        NumpyFunction::ArgExtreme { largest } => places::place_of_extreme(state, name, largest, arguments),
        NumpyFunction::ArgSort => places::sorting_order(state, arguments),
        NumpyFunction::Sort => {
            let values = public_values(state, name, arguments.one(name)?)?;
            let order = places::order_of(state, &values)?;
            let sorted = order.into_iter().map(|at| values[at].clone()).collect();
            create::array(state, sorted)
        }
        NumpyFunction::ArraySplit | NumpyFunction::Split => assembly::split_array(state, function, arguments),
        NumpyFunction::AtLeast { dimensions } => {
            let array = create::as_array(state, arguments.one(name)?)?;
            assembly::of_dimensions(state, &array, usize::from(dimensions))
        }
        NumpyFunction::Bincount => weighted::bincount(state, arguments),
        NumpyFunction::BroadcastTo => {
            let [values, shape] = arguments.bind(name, ["array", "shape"], 2, 2)?;
            let (array, shape) =
                (create::as_array(state, given(values)?.value)?, create::shape_of(state, given(shape)?.value)?);
            assembly::stretched_to(state, &array, &shape)
        }
        NumpyFunction::Ceil | NumpyFunction::Floor => whole_numbers(state, name, function, arguments),
        NumpyFunction::Clip => clipped(state, arguments),
        NumpyFunction::Maximum | NumpyFunction::Minimum => {
            let [left, right] = arguments.bind(name, ["x1", "x2"], 2, 2)?;
            let wanted = if function == NumpyFunction::Maximum { Comparison::Greater } else { Comparison::Less };
            extremes(state, name, given(left)?.value, given(right)?.value, wanted)
        }
        NumpyFunction::ColumnStack | NumpyFunction::HStack | NumpyFunction::VStack | NumpyFunction::Stack => {
            assembly::stacked_arrays(state, function, arguments)
        }
        NumpyFunction::Convolve => weighted::convolved(state, arguments),
        NumpyFunction::Correlate => weighted::correlated(state, arguments),
        NumpyFunction::CountNonzero => {
            let values = public_values(state, name, arguments.one(name)?)?;
            let mut count = 0;
            for value in &values {
                count += i64::from(compare::truth(state, value)?);
            }
            Ok(Value::NumpyInt(count))
        }
        NumpyFunction::Delete => assembly::deleted(state, arguments),
        NumpyFunction::Diagonal => assembly::diagonal(state, arguments),
        NumpyFunction::Diff => weighted::differences(state, arguments),
        NumpyFunction::Digitize => places::digitized(state, arguments),
        NumpyFunction::Searchsorted => places::search_sorted(state, arguments),
        NumpyFunction::Einsum => contraction::einsum(state, arguments),
        NumpyFunction::Tensordot => contraction::tensordot(state, arguments),
        NumpyFunction::Inner => {
            let [left, right] = arguments.bind(name, ["a", "b"], 2, 2)?;
            let (left, right) = (array_value(state, given(left)?.value)?, array_value(state, given(right)?.value)?);
            let right_array = create::as_array(state, &right)?;
            let right = if right_array.shape.len() == 2 { product::transposed(state, &right_array)? } else { right };
            product::dot(state, &left, &right)
        }
        NumpyFunction::Outer => {
            let [left, right] = arguments.bind(name, ["a", "b"], 2, 2)?;
            let (a, b) = (create::as_array(state, given(left)?.value)?, create::as_array(state, given(right)?.value)?);
            let (a, b) = (shape::flat_array(state, &a)?, shape::flat_array(state, &b)?);
            let (rows, columns) = (a.size(), b.size());
            let (a, b) = (shape::reshaped(state, &a, &[rows, 1])?, shape::reshaped(state, &b, &[1, columns])?);
            let (a, b) = (create::view(state, a)?, create::view(state, b)?);
            elementwise::binary_arrays(state, Binary::Multiply, &a, &b)
        }
        NumpyFunction::ExpandDimensions => {
            let [values, axis] = arguments.bind(name, ["a", "axis"], 2, 2)?;
            let array = create::as_array(state, given(values)?.value)?;
            let axis = reduce::one_axis(given(axis)?.value, array.shape.len() + 1)?;
            let mut shape = array.shape.clone();
            shape.insert(axis, 1);
            let reshaped = shape::reshaped(state, &array, &shape)?;
            create::view(state, reshaped)
        }
        NumpyFunction::Eye => {
            let [rows, columns] = arguments.bind(name, ["N", "M"], 1, 2)?;
            let rows = containers::whole(given(rows)?.value, "a size")?.max(0) as usize;
            let columns = match columns {
                Some(columns) => containers::whole(columns.value, "a size")?.max(0) as usize,
                None => rows,
            };
            state.budget.check_elements((rows as u64).saturating_mul(columns as u64))?;
            let element = |at: usize| S::from_i64(i64::from(at / columns.max(1) == at % columns.max(1)));
            let elements = (0..rows * columns).map(|at| Value::NumpyFloat(element(at))).collect();
            create::new_array(state, elements, vec![rows, columns], Kind::Float)
        }
        NumpyFunction::Filled { like } => {
            let [model, value, kind] = arguments.bind(name, ["a", "fill_value", "dtype"], 1, 2)?;
            let array = create::as_array(state, given(model)?.value)?;
            let kind = builtins::vectors::dtype(state, kind)?.unwrap_or(array.kind);
            let value = match (like, value) {
                (Some(number), None) => Value::Int(i64::from(number)),
                (None, Some(value)) => value.value.clone(),
                _ => return Err(Fault::new(Code::WrongArguments, format!("`{name}` has other arguments"))),
            };
            create::filled_array(state, array.shape.clone(), value, kind)
        }
        NumpyFunction::FlatNonzero => {
            let values = public_values(state, name, arguments.one(name)?)?;
            let mut places = Vec::new();
            for (at, value) in values.iter().enumerate() {
                if compare::truth(state, value)? {
                    places.push(Value::NumpyInt(at as i64));
                }
            }
            let shape = vec![places.len()];
            create::new_array(state, places, shape, Kind::Int)
        }
        NumpyFunction::Flip => assembly::flipped(state, arguments),
        NumpyFunction::Gradient => weighted::gradient(state, arguments),
        NumpyFunction::Histogram => weighted::histogram(state, arguments),
        NumpyFunction::Interpolate => weighted::interpolated(state, arguments),
        NumpyFunction::IsIn => {
            let [values, wanted] = arguments.bind(name, ["element", "test_elements"], 2, 2)?;
            let array = create::as_array(state, given(values)?.value)?;
            let wanted = public_values(state, name, given(wanted)?.value)?;
            public_array(state, name, &array)?;
            elementwise::map_array(state, &array, Kind::Bool, |state, value| {
                for other in &wanted {
                    if elementwise::compare_scalars(state, Comparison::Equal, value, other)? {
                        return Ok(Value::NumpyBool(true));
                    }
                }
                Ok(Value::NumpyBool(false))
            })
        }
        NumpyFunction::IsNan => match arguments.one(name)? {
            Value::Missing => Ok(Value::NumpyBool(true)),
            Value::Series(series) => {
                let series = series.clone();
                Ok(Value::Series(std::rc::Rc::new(tables::gaps::missing_mask(state, &series, true)?)))
            }
            other => {
                // Arrays hold ordinary numbers only.
                let array = create::as_array(state, other)?;
                elementwise::map_array(state, &array, Kind::Bool, |_, _| Ok(Value::NumpyBool(false)))
            }
        },
        NumpyFunction::Inverse
        | NumpyFunction::PseudoInverse
        | NumpyFunction::Solve
        | NumpyFunction::LeastSquares
        | NumpyFunction::PolynomialFit => linear::linear_algebra(state, function, arguments),
        NumpyFunction::PolynomialValue => {
            let [coefficients, at] = arguments.bind(name, ["p", "x"], 2, 2)?;
            let at = given(at)?.value.clone();
            let mut total = Value::Int(0);
            for coefficient in containers::elements(state, given(coefficients)?.value)? {
                let product = arithmetic::binary(state, Binary::Multiply, &total, &at)?;
                total = arithmetic::binary(state, Binary::Add, &product, &coefficient)?;
            }
            Ok(total)
        }
        NumpyFunction::Vandermonde => {
            let [values, count, increasing] = arguments.bind(name, ["x", "N", "increasing"], 1, 2)?;
            let values = public_values(state, name, given(values)?.value)?;
            let count = count.map_or(Ok(values.len() as i64), |count| containers::whole(count.value, "`N`"))?.max(0);
            let increasing = increasing.map_or(Ok(false), |increasing| compare::truth(state, increasing.value))?;
            linear::powers(state, &values, count as usize, increasing)
        }
        NumpyFunction::Logical { any } => {
            let [left, right] = arguments.bind(name, ["x1", "x2"], 2, 2)?;
            let operator = if any { privug_language::program::Logic::Or } else { privug_language::program::Logic::And };
            elementwise::logic_of(state, operator, given(left)?.value, given(right)?.value, false)
        }
        NumpyFunction::LogicalNot => elementwise::inverted(state, arguments.one(name)?),
        NumpyFunction::NanMean | NumpyFunction::NanSum => {
            let [values, axis] = arguments.bind(name, ["a", "axis"], 1, 2)?;
            let values = given(values)?.value;
            let reduction = if function == NumpyFunction::NanMean { Reduction::Mean } else { Reduction::Sum };
            match values {
                Value::Series(series) => tables::counted::skipping_gaps(state, reduction == Reduction::Mean, series),
                // Arrays have no gaps.
                other => reduce::reduce(state, reduction, other, axis.map(|axis| axis.value), false),
            }
        }
        NumpyFunction::Ravel => {
            let array = create::as_array(state, arguments.one(name)?)?;
            let flat = shape::flat_array(state, &array)?;
            create::view(state, flat)
        }
        NumpyFunction::Repeat => {
            let [values, times, axis] = arguments.bind(name, ["a", "repeats", "axis"], 2, 3)?;
            let array = create::as_array(state, given(values)?.value)?;
            assembly::repeated_array(state, &array, given(times)?.value, axis.map(|axis| axis.value))
        }
        NumpyFunction::Reshape => {
            let [values, shape] = arguments.bind(name, ["a", "shape|newshape"], 2, 2)?;
            let array = create::as_array(state, given(values)?.value)?;
            shape::reshape(state, &array, std::slice::from_ref(given(shape)?.value))
        }
        NumpyFunction::Roll => assembly::rolled(state, arguments),
        NumpyFunction::Round => rounded_array(state, arguments),
        NumpyFunction::Select => selected(state, arguments),
        NumpyFunction::Squeeze => {
            let array = create::as_array(state, arguments.one(name)?)?;
            assembly::squeezed_array(state, &array)
        }
        NumpyFunction::SwapAxes => {
            let [values, first, second] = arguments.bind(name, ["a", "axis1", "axis2"], 3, 3)?;
            let array = create::as_array(state, given(values)?.value)?;
            let dimensions = array.shape.len();
            let mut order: Vec<usize> = (0..dimensions).collect();
            order.swap(
                reduce::one_axis(given(first)?.value, dimensions)?,
                reduce::one_axis(given(second)?.value, dimensions)?,
            );
            create::view(state, array.permuted(&order))
        }
        NumpyFunction::Take => {
            let [values, places] = arguments.bind(name, ["a", "indices"], 2, 2)?;
            let array = create::as_array(state, given(values)?.value)?;
            let flat = shape::flat_array(state, &array)?;
            subscript::index_array(state, &flat, given(places)?.value)
        }
        NumpyFunction::Tile => {
            let [values, times] = arguments.bind(name, ["A", "reps"], 2, 2)?;
            let array = create::as_array(state, given(values)?.value)?;
            let times = containers::whole(given(times)?.value, "the number of repetitions")?.max(0) as usize;
            let flat = assembly::of_dimensions(state, &array, 1)?;
            if array.shape.len() > 1 {
                return Err(Fault::new(Code::BadArgument, "`tile` repeats arrays of one dimension here"));
            }
            state.budget.check_elements((array.size() as u64).saturating_mul(times as u64))?;
            let parts = state.list(vec![flat; times])?;
            shape::concatenated(state, &parts, None)
        }
        NumpyFunction::Transpose => {
            let array = create::as_array(state, arguments.one(name)?)?;
            product::transposed(state, &array)
        }
        NumpyFunction::Trapezoid => weighted::trapezoid(state, arguments),
        NumpyFunction::Unique => assembly::distinct(state, arguments),
    }
}

fn numpy_operator<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    operator: Binary,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [left, right] = arguments.bind(name, ["x1", "x2"], 2, 2)?;
    let (left, right) = (given(left)?.value, given(right)?.value);
    if matches!(left, Value::Series(_)) || matches!(right, Value::Series(_)) {
        return arithmetic::binary(state, operator, left, right);
    }
    elementwise::binary_arrays(state, operator, left, right)
}

/// A value as an array, or as the number that it is.
pub(super) fn array_value<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    let array = create::as_array(state, value)?;
    create::view(state, array)
}

/// The elements of an array that is known beforehand.
pub(super) fn public_values<S: Scalar>(state: &mut State<S>, name: &str, value: &Value<S>) -> Outcome<Vec<Value<S>>> {
    let array = create::as_array(state, value)?;
    public_array(state, name, &array)?;
    state.budget.spend_steps(array.size() as u64)?;
    Ok(state.heap.array_values(&array))
}

/// Refuses an array with random variables in it.
pub(super) fn public_array<S: Scalar>(state: &State<S>, name: &str, array: &Array) -> Outcome<()> {
    let elements = state.heap.array_values(array);
    if elements.iter().any(|value| value.as_random().is_some() || matches!(value, Value::Choice(_))) {
        let message = format!("`{name}` of random variables is not linear in them");
        let hint = "only sums, differences and multiples of random variables are Gaussian";
        return Err(Fault::hinted(Code::NonlinearFunction, message, hint));
    }
    Ok(())
}

/// Whole numbers of an array.
pub(super) fn whole_values<S: Scalar>(state: &mut State<S>, what: &str, value: &Value<S>) -> Outcome<Vec<i64>> {
    let values = public_values(state, what, value)?;
    values.iter().map(|value| containers::whole(value, what)).collect()
}

fn whole_numbers<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    function: NumpyFunction,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let array = create::as_array(state, arguments.one(name)?)?;
    public_array(state, name, &array)?;
    if array.kind != Kind::Float {
        return create::view(state, array);
    }
    elementwise::map_array(state, &array, Kind::Float, |state, value| {
        let number = builtins::vectors::parameter(state, "a number", value)?;
        let double = number.to_f64();
        let is_floor = function == NumpyFunction::Floor;
        // The sign of a zero: rationals have none.
        if !S::EXACT && (if is_floor { double.floor() } else { double.ceil() }) == 0.0 && double.is_sign_negative() {
            return Ok(Value::NumpyFloat(S::zero().neg()));
        }
        let whole = match function {
            NumpyFunction::Floor => number.floor(),
            _ => -number.neg().floor(),
        };
        S::from_integer(&whole)
            .map(Value::NumpyFloat)
            .ok_or_else(|| Fault::new(Code::Overflow, "a number is too large"))
    })
}

fn clipped<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, low, high] = arguments.bind("clip", ["a", "a_min|min", "a_max|max"], 1, 3)?;
    let mut result = given(values)?.value.clone();
    for (bound, wanted) in [(low, Comparison::Greater), (high, Comparison::Less)] {
        if let Some(bound) = bound.filter(|bound| !matches!(bound.value, Value::None)) {
            result = extremes(state, "clip", &result, bound.value, wanted)?;
        }
    }
    array_value(state, &result)
}

fn extremes<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    left: &Value<S>,
    right: &Value<S>,
    wanted: Comparison,
) -> Outcome<Value<S>> {
    for side in [left, right] {
        let array = create::as_array(state, side)?;
        public_array(state, name, &array)?;
    }
    let (a, b) = (array_value(state, left)?, array_value(state, right)?);
    let better = elementwise::compare_arrays(state, wanted, &a, &b)?;
    elementwise::where_arrays(state, &better, &a, &b)
}

/// `np.round(a, decimals)`: what depends on a secret is judged as if it were published unrounded.
fn rounded_array<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [values, decimals] = arguments.bind("round", ["a", "decimals"], 1, 2)?;
    let values = given(values)?.value;
    let digits = decimals.map_or(Ok(0), |decimals| containers::whole(decimals.value, "the number of decimals"))?;
    tables::publish::look(state, || format!("{digits} decimals"));
    if let Value::Series(series) = values {
        let shape = super::super::callbacks::positional(1);
        return tables::rounding::rounded_series(
            state,
            series,
            &Arguments { shape: &shape, values: &[Value::Int(digits)] },
        )
        .map(Value::Series);
    }
    let array = create::as_array(state, values)?;
    let is_secret = state.heap.array_values(&array).iter().any(|value| value.as_random().is_some());
    if tables::rounding::stays_unrounded(state, is_secret, "an array")? {
        return elementwise::map_array(state, &array, array.kind, |state, value| marked::marked(state, value, false));
    }
    match array.kind {
        Kind::Bool => {
            let hint = "leave it out, or make them integers with `.astype(int)`";
            return Err(Fault::hinted(Code::TypeMismatch, "`round` of booleans", hint));
        }
        Kind::Int if digits >= 0 => return create::view(state, array),
        Kind::Int => {
            return elementwise::map_array(state, &array, array.kind, |state, value| {
                let Some(integer) = state.number(value).and_then(|number| number.integer()) else {
                    return Err(Fault::new(Code::TypeMismatch, format!("{} is rounded", value.kind())));
                };
                let rounded = builtins::numbers::round_integer(state, integer, digits.unsigned_abs())?;
                let Ok(rounded) = i64::try_from(&rounded) else {
                    return Err(Fault::new(Code::Overflow, "the rounded integer is too large for numpy"));
                };
                Ok(Value::NumpyInt(rounded))
            });
        }
        Kind::Float | Kind::Text => {}
    }
    elementwise::map_array(state, &array, array.kind, |state, value| {
        let number = builtins::vectors::parameter(state, "a number", value)?;
        builtins::numbers::round_as_numpy(&number, digits).map(Value::NumpyFloat)
    })
}

fn selected<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [conditions, choices, otherwise] = arguments.bind("select", ["condlist", "choicelist", "default"], 2, 3)?;
    let conditions = containers::elements(state, given(conditions)?.value)?;
    let choices = containers::elements(state, given(choices)?.value)?;
    if conditions.len() != choices.len() || conditions.is_empty() {
        let message = format!("{} conditions and {} choices", conditions.len(), choices.len());
        return Err(Fault::new(Code::LengthMismatch, message));
    }
    let is_text = choices.iter().any(|choice| matches!(choice, Value::Text(_)));
    let mut result = match otherwise {
        Some(otherwise) => otherwise.value.clone(),
        None if is_text => {
            let hint = "say what it is otherwise: `default=\"other\"`";
            return Err(Fault::hinted(Code::BadArgument, "`select` would put 0 among strings", hint));
        }
        None => Value::Int(0),
    };
    // The first condition that holds decides.
    for (condition, choice) in conditions.iter().zip(&choices).rev() {
        result = match condition {
            Value::Series(mask) => tables::masks::where_columns(state, mask, choice, &result)?,
            other => elementwise::where_arrays(state, other, choice, &result)?,
        };
    }
    Ok(result)
}
