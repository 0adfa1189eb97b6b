//! numpy's functions by their names.

use super::super::builtins::{Arguments, given};
use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::array::Array;
use super::kind::Kind;
use super::reduce::Reduction;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison, NumpyFunction};

impl<S: Scalar> State<S> {
    /// Calls a function of numpy.
    pub(in super::super) fn numpy_function(
        &mut self,
        function: NumpyFunction,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        let name = function.name();
        match function {
            NumpyFunction::Add => self.numpy_operator(name, Binary::Add, arguments),
            NumpyFunction::Subtract => self.numpy_operator(name, Binary::Subtract, arguments),
            NumpyFunction::Multiply => self.numpy_operator(name, Binary::Multiply, arguments),
            NumpyFunction::Divide => self.numpy_operator(name, Binary::Divide, arguments),
            NumpyFunction::Negative => {
                let value = self.array_value(arguments.one(name)?)?;
                self.binary_arrays(Binary::Multiply, &value, &Value::Int(-1))
            }
            NumpyFunction::Square => {
                let value = self.array_value(arguments.one(name)?)?;
                self.binary_arrays(Binary::Multiply, &value, &value)
            }
            NumpyFunction::AddAt => self.add_at(arguments),
            NumpyFunction::AddReduce => {
                let [values, axis] = arguments.bind(name, ["array", "axis"], 1, 2)?;
                let axis = axis.map_or(Value::Int(0), |axis| axis.value.clone());
                self.reduce(Reduction::Sum, given(values)?.value, Some(&axis), false)
            }
            NumpyFunction::AddReduceAt => self.add_reduce_at(arguments),
            NumpyFunction::Append => self.appended(arguments),
            NumpyFunction::ArgExtreme { largest } => self.place_of_extreme(name, largest, arguments),
            NumpyFunction::ArgSort => self.sorting_order(arguments),
            NumpyFunction::Sort => {
                let values = self.public_values(name, arguments.one(name)?)?;
                let order = self.order_of(&values)?;
                let sorted = order.into_iter().map(|at| values[at].clone()).collect();
                self.array(sorted)
            }
            NumpyFunction::ArraySplit | NumpyFunction::Split => self.split_array(function, arguments),
            NumpyFunction::AtLeast { dimensions } => {
                let array = self.as_array(arguments.one(name)?)?;
                self.of_dimensions(&array, usize::from(dimensions))
            }
            NumpyFunction::Bincount => self.bincount(arguments),
            NumpyFunction::BroadcastTo => {
                let [values, shape] = arguments.bind(name, ["array", "shape"], 2, 2)?;
                let (array, shape) = (self.as_array(given(values)?.value)?, self.shape_of(given(shape)?.value)?);
                self.stretched_to(&array, &shape)
            }
            NumpyFunction::Ceil | NumpyFunction::Floor => self.whole_numbers(name, function, arguments),
            NumpyFunction::Clip => self.clipped(arguments),
            NumpyFunction::Maximum | NumpyFunction::Minimum => {
                let [left, right] = arguments.bind(name, ["x1", "x2"], 2, 2)?;
                let wanted = if function == NumpyFunction::Maximum { Comparison::Greater } else { Comparison::Less };
                self.extremes(name, given(left)?.value, given(right)?.value, wanted)
            }
            NumpyFunction::ColumnStack | NumpyFunction::HStack | NumpyFunction::VStack | NumpyFunction::Stack => {
                self.stacked_arrays(function, arguments)
            }
            NumpyFunction::Convolve => self.convolved(arguments),
            NumpyFunction::Correlate => self.correlated(arguments),
            NumpyFunction::CountNonzero => {
                let values = self.public_values(name, arguments.one(name)?)?;
                let mut count = 0;
                for value in &values {
                    count += i64::from(self.truth(value)?);
                }
                Ok(Value::Int(count))
            }
            NumpyFunction::Delete => self.deleted(arguments),
            NumpyFunction::Diagonal => self.diagonal(arguments),
            NumpyFunction::Diff => self.differences(arguments),
            NumpyFunction::Digitize => self.digitized(arguments),
            NumpyFunction::Searchsorted => self.search_sorted(arguments),
            NumpyFunction::Einsum => self.einsum(arguments),
            NumpyFunction::Tensordot => self.tensordot(arguments),
            NumpyFunction::Inner => {
                let [left, right] = arguments.bind(name, ["a", "b"], 2, 2)?;
                let (left, right) = (self.array_value(given(left)?.value)?, self.array_value(given(right)?.value)?);
                let right_array = self.as_array(&right)?;
                let right = if right_array.shape.len() == 2 { self.transposed(&right_array)? } else { right };
                self.dot(&left, &right)
            }
            NumpyFunction::Outer => {
                let [left, right] = arguments.bind(name, ["a", "b"], 2, 2)?;
                let (a, b) = (self.as_array(given(left)?.value)?, self.as_array(given(right)?.value)?);
                let (a, b) = (self.flat_array(&a)?, self.flat_array(&b)?);
                let (rows, columns) = (a.size(), b.size());
                let (a, b) = (self.reshaped(&a, &[rows, 1])?, self.reshaped(&b, &[1, columns])?);
                let (a, b) = (self.view(a)?, self.view(b)?);
                self.binary_arrays(Binary::Multiply, &a, &b)
            }
            NumpyFunction::Kronecker => {
                Err(Fault::hinted(Code::UnknownMember, "`kron` is not supported", "use `np.outer` and `.ravel()`"))
            }
            NumpyFunction::ExpandDimensions => {
                let [values, axis] = arguments.bind(name, ["a", "axis"], 2, 2)?;
                let array = self.as_array(given(values)?.value)?;
                let axis = self.one_axis(given(axis)?.value, array.shape.len() + 1)?;
                let mut shape = array.shape.clone();
                shape.insert(axis, 1);
                let reshaped = self.reshaped(&array, &shape)?;
                self.view(reshaped)
            }
            NumpyFunction::Eye => {
                let [rows, columns] = arguments.bind(name, ["N", "M"], 1, 2)?;
                let rows = self.whole(given(rows)?.value, "a size")?.max(0) as usize;
                let columns = match columns {
                    Some(columns) => self.whole(columns.value, "a size")?.max(0) as usize,
                    None => rows,
                };
                self.budget.check_elements((rows as u64).saturating_mul(columns as u64))?;
                let element = |at: usize| S::from_i64(i64::from(at / columns.max(1) == at % columns.max(1)));
                let elements = (0..rows * columns).map(|at| Value::NumpyFloat(element(at))).collect();
                self.new_array(elements, vec![rows, columns], Kind::Float)
            }
            NumpyFunction::Filled { like } => {
                let [model, value, kind] = arguments.bind(name, ["a", "fill_value", "dtype"], 1, 2)?;
                let array = self.as_array(given(model)?.value)?;
                let kind = self.dtype(kind)?.unwrap_or(array.kind);
                let value = match (like, value) {
                    (Some(number), None) => Value::Int(i64::from(number)),
                    (None, Some(value)) => value.value.clone(),
                    _ => return Err(Fault::new(Code::WrongArguments, format!("`{name}` has other arguments"))),
                };
                self.filled_array(array.shape.clone(), value, kind)
            }
            NumpyFunction::FlatNonzero => {
                let values = self.public_values(name, arguments.one(name)?)?;
                let mut places = Vec::new();
                for (at, value) in values.iter().enumerate() {
                    if self.truth(value)? {
                        places.push(Value::NumpyInt(at as i64));
                    }
                }
                let shape = vec![places.len()];
                self.new_array(places, shape, Kind::Int)
            }
            NumpyFunction::Flip => self.flipped(arguments),
            NumpyFunction::Gradient => self.gradient(arguments),
            NumpyFunction::Histogram => self.histogram(arguments),
            NumpyFunction::Interpolate => self.interpolated(arguments),
            NumpyFunction::IsIn => {
                let [values, wanted] = arguments.bind(name, ["element", "test_elements"], 2, 2)?;
                let array = self.as_array(given(values)?.value)?;
                let wanted = self.public_values(name, given(wanted)?.value)?;
                self.public_array(name, &array)?;
                self.map_array(&array, Kind::Bool, |state, value| {
                    for other in &wanted {
                        if state.compare_scalars(Comparison::Equal, value, other)? {
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
                    Ok(Value::Series(std::rc::Rc::new(self.missing_mask(&series, true)?)))
                }
                other => {
                    // Arrays hold ordinary numbers only.
                    let array = self.as_array(other)?;
                    self.map_array(&array, Kind::Bool, |_, _| Ok(Value::NumpyBool(false)))
                }
            },
            NumpyFunction::Inverse
            | NumpyFunction::PseudoInverse
            | NumpyFunction::Solve
            | NumpyFunction::LeastSquares
            | NumpyFunction::PolynomialFit => self.linear_algebra(function, arguments),
            NumpyFunction::PolynomialValue => {
                let [coefficients, at] = arguments.bind(name, ["p", "x"], 2, 2)?;
                let at = given(at)?.value.clone();
                let mut total = Value::Int(0);
                for coefficient in self.elements(given(coefficients)?.value)? {
                    let product = self.binary(Binary::Multiply, &total, &at)?;
                    total = self.binary(Binary::Add, &product, &coefficient)?;
                }
                Ok(total)
            }
            NumpyFunction::Vandermonde => {
                let [values, count, increasing] = arguments.bind(name, ["x", "N", "increasing"], 1, 2)?;
                let values = self.public_values(name, given(values)?.value)?;
                let count = count.map_or(Ok(values.len() as i64), |count| self.whole(count.value, "`N`"))?.max(0);
                let increasing = increasing.map_or(Ok(false), |increasing| self.truth(increasing.value))?;
                self.powers(&values, count as usize, increasing)
            }
            NumpyFunction::Logical { any } => {
                let [left, right] = arguments.bind(name, ["x1", "x2"], 2, 2)?;
                let operator =
                    if any { privug_language::program::Logic::Or } else { privug_language::program::Logic::And };
                self.logic_of(operator, given(left)?.value, given(right)?.value, false)
            }
            NumpyFunction::LogicalNot => self.inverted(arguments.one(name)?),
            NumpyFunction::NanMean | NumpyFunction::NanSum => {
                let [values, axis] = arguments.bind(name, ["a", "axis"], 1, 2)?;
                let values = given(values)?.value;
                let reduction = if function == NumpyFunction::NanMean { Reduction::Mean } else { Reduction::Sum };
                match values {
                    Value::Series(series) => self.skipping_gaps(reduction == Reduction::Mean, series),
                    // Arrays have no gaps.
                    other => self.reduce(reduction, other, axis.map(|axis| axis.value), false),
                }
            }
            NumpyFunction::Ravel => {
                let array = self.as_array(arguments.one(name)?)?;
                let flat = self.flat_array(&array)?;
                self.view(flat)
            }
            NumpyFunction::Repeat => {
                let [values, times, axis] = arguments.bind(name, ["a", "repeats", "axis"], 2, 3)?;
                let array = self.as_array(given(values)?.value)?;
                self.repeated_array(&array, given(times)?.value, axis.map(|axis| axis.value))
            }
            NumpyFunction::Reshape => {
                let [values, shape] = arguments.bind(name, ["a", "shape|newshape"], 2, 2)?;
                let array = self.as_array(given(values)?.value)?;
                self.reshape(&array, std::slice::from_ref(given(shape)?.value))
            }
            NumpyFunction::Roll => self.rolled(arguments),
            NumpyFunction::Round => self.rounded_array(arguments),
            NumpyFunction::Select => self.selected(arguments),
            NumpyFunction::Squeeze => {
                let array = self.as_array(arguments.one(name)?)?;
                self.squeezed_array(&array)
            }
            NumpyFunction::SwapAxes => {
                let [values, first, second] = arguments.bind(name, ["a", "axis1", "axis2"], 3, 3)?;
                let array = self.as_array(given(values)?.value)?;
                let dimensions = array.shape.len();
                let mut order: Vec<usize> = (0..dimensions).collect();
                order.swap(
                    self.one_axis(given(first)?.value, dimensions)?,
                    self.one_axis(given(second)?.value, dimensions)?,
                );
                self.view(array.permuted(&order))
            }
            NumpyFunction::Take => {
                let [values, places] = arguments.bind(name, ["a", "indices"], 2, 2)?;
                let array = self.as_array(given(values)?.value)?;
                let flat = self.flat_array(&array)?;
                self.index_array(&flat, given(places)?.value)
            }
            NumpyFunction::Tile => {
                let [values, times] = arguments.bind(name, ["A", "reps"], 2, 2)?;
                let array = self.as_array(given(values)?.value)?;
                let times = self.whole(given(times)?.value, "the number of repetitions")?.max(0) as usize;
                let flat = self.of_dimensions(&array, 1)?;
                if array.shape.len() > 1 {
                    return Err(Fault::new(Code::BadArgument, "`tile` repeats arrays of one dimension here"));
                }
                self.budget.check_elements((array.size() as u64).saturating_mul(times as u64))?;
                let parts = self.list(vec![flat; times])?;
                self.concatenated(&parts, None)
            }
            NumpyFunction::Transpose => {
                let array = self.as_array(arguments.one(name)?)?;
                self.transposed(&array)
            }
            NumpyFunction::Trapezoid => self.trapezoid(arguments),
            NumpyFunction::Unique => self.distinct(arguments),
        }
    }

    fn numpy_operator(&mut self, name: &str, operator: Binary, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [left, right] = arguments.bind(name, ["x1", "x2"], 2, 2)?;
        let (left, right) = (given(left)?.value, given(right)?.value);
        if matches!(left, Value::Series(_)) || matches!(right, Value::Series(_)) {
            return self.binary(operator, left, right);
        }
        self.binary_arrays(operator, left, right)
    }

    /// A value as an array, or as the number that it is.
    pub(super) fn array_value(&mut self, value: &Value<S>) -> Outcome<Value<S>> {
        let array = self.as_array(value)?;
        self.view(array)
    }

    /// The elements of an array that is known beforehand.
    pub(super) fn public_values(&mut self, name: &str, value: &Value<S>) -> Outcome<Vec<Value<S>>> {
        let array = self.as_array(value)?;
        self.public_array(name, &array)?;
        self.budget.spend_steps(array.size() as u64)?;
        Ok(self.heap.array_values(&array))
    }

    /// Refuses an array with random variables in it.
    pub(super) fn public_array(&self, name: &str, array: &Array) -> Outcome<()> {
        let elements = self.heap.array_values(array);
        if elements.iter().any(|value| value.as_random().is_some() || matches!(value, Value::Choice(_))) {
            let message = format!("`{name}` of random variables is not linear in them");
            let hint = "only sums, differences and multiples of random variables are Gaussian";
            return Err(Fault::hinted(Code::NonlinearFunction, message, hint));
        }
        Ok(())
    }

    /// Whole numbers of an array.
    pub(super) fn whole_values(&mut self, what: &str, value: &Value<S>) -> Outcome<Vec<i64>> {
        let values = self.public_values(what, value)?;
        values.iter().map(|value| self.whole(value, what)).collect()
    }

    fn whole_numbers(
        &mut self,
        name: &str,
        function: NumpyFunction,
        arguments: &Arguments<'_, S>,
    ) -> Outcome<Value<S>> {
        let array = self.as_array(arguments.one(name)?)?;
        self.public_array(name, &array)?;
        if array.kind != Kind::Float {
            return self.view(array);
        }
        self.map_array(&array, Kind::Float, |state, value| {
            let number = state.parameter("a number", value)?;
            let whole = match function {
                NumpyFunction::Floor => number.floor(),
                _ => -number.neg().floor(),
            };
            S::from_integer(&whole)
                .map(Value::NumpyFloat)
                .ok_or_else(|| Fault::new(Code::Overflow, "a number is too large"))
        })
    }

    fn clipped(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, low, high] = arguments.bind("clip", ["a", "a_min|min", "a_max|max"], 1, 3)?;
        let mut result = given(values)?.value.clone();
        for (bound, wanted) in [(low, Comparison::Greater), (high, Comparison::Less)] {
            if let Some(bound) = bound.filter(|bound| !matches!(bound.value, Value::None)) {
                result = self.extremes("clip", &result, bound.value, wanted)?;
            }
        }
        self.array_value(&result)
    }

    fn extremes(&mut self, name: &str, left: &Value<S>, right: &Value<S>, wanted: Comparison) -> Outcome<Value<S>> {
        for side in [left, right] {
            let array = self.as_array(side)?;
            self.public_array(name, &array)?;
        }
        let (a, b) = (self.array_value(left)?, self.array_value(right)?);
        let better = self.compare_arrays(wanted, &a, &b)?;
        self.where_arrays(&better, &a, &b)
    }

    /// `np.round(a, decimals)`: what depends on a secret is judged as if it were published unrounded.
    fn rounded_array(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [values, decimals] = arguments.bind("round", ["a", "decimals"], 1, 2)?;
        let values = given(values)?.value;
        let digits = decimals.map_or(Ok(0), |decimals| self.whole(decimals.value, "the number of decimals"))?;
        if let Value::Series(series) = values {
            let shape = super::super::callbacks::positional(1);
            return self
                .rounded_series(series, &Arguments { shape: &shape, values: &[Value::Int(digits)] })
                .map(Value::Series);
        }
        let array = self.as_array(values)?;
        let is_secret = self.heap.array_values(&array).iter().any(|value| value.as_random().is_some());
        if self.stays_unrounded(is_secret, "an array")? {
            return self.map_array(&array, array.kind, |state, value| state.marked(value, false));
        }
        match array.kind {
            Kind::Bool => {
                let hint = "leave it out, or make them integers with `.astype(int)`";
                return Err(Fault::hinted(Code::TypeMismatch, "`round` of booleans", hint));
            }
            Kind::Int if digits >= 0 => return self.view(array),
            Kind::Int => {
                return self.map_array(&array, array.kind, |state, value| {
                    let Some(integer) = state.number(value).and_then(|number| number.integer()) else {
                        return Err(Fault::new(Code::TypeMismatch, format!("{} is rounded", value.kind())));
                    };
                    let rounded = state.round_integer(integer, digits.unsigned_abs())?;
                    let Ok(rounded) = i64::try_from(&rounded) else {
                        return Err(Fault::new(Code::Overflow, "the rounded integer is too large for numpy"));
                    };
                    Ok(Value::NumpyInt(rounded))
                });
            }
            Kind::Float | Kind::Text => {}
        }
        self.map_array(&array, array.kind, |state, value| {
            let number = state.parameter("a number", value)?;
            state.round_as_numpy(&number, digits).map(Value::NumpyFloat)
        })
    }

    fn selected(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [conditions, choices, otherwise] = arguments.bind("select", ["condlist", "choicelist", "default"], 2, 3)?;
        let conditions = self.elements(given(conditions)?.value)?;
        let choices = self.elements(given(choices)?.value)?;
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
                Value::Series(mask) => self.where_columns(mask, choice, &result)?,
                other => self.where_arrays(other, choice, &result)?,
            };
        }
        Ok(result)
    }
}
