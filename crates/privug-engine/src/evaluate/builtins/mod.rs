//! The functions of the language.

mod arguments;
pub(super) mod characters;
pub(super) mod collections;
pub(super) mod counters;
pub(super) mod distributions;
pub(super) mod evidence;
pub(super) mod iteration;
pub(super) mod lists;
pub(super) mod mathematics;
pub(super) mod methods;
pub(super) mod middle;
pub(super) mod numbers;
mod semidefinite;
pub(super) mod sequences;
pub(super) mod vectors;

use super::callbacks::positional;
use super::fault::{Fault, Outcome};
use super::ndarray::Reduction;
use super::state::State;
use super::value::Value;
use crate::evaluate::{choices, ndarray, objects, tables};
use crate::number::Scalar;
pub(super) use arguments::{Argument, Arguments, given};
pub(super) use counters::Counting;
pub(super) use lists::{insertion_of, nothing_there, position_of};
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, CallShape, Method, NumpyFunction, SetMethod, TableMethod};

/// Calls a function of the language.
pub(super) fn call_builtin<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Value<S>> {
    check_usable(values)?;
    if values.iter().any(|value| matches!(value, Value::Poison)) {
        return Ok(Value::Poison);
    }
    if builtin == Builtin::FrozenSet {
        let set = call_builtin(state, Builtin::Set, shape, values)?;
        return Ok(choices::sets::frozen(state, set));
    }
    if is_order_free(builtin, shape)
        && let [Value::Set(set), rest @ ..] = values
        && !matches!(builtin, Builtin::Len | Builtin::Set | Builtin::Sorted)
    {
        let elements = choices::sets::set_elements(state, *set)?;
        let elements = state.list(elements)?;
        let values: Vec<Value<S>> = std::iter::once(elements).chain(rest.iter().cloned()).collect();
        return call_builtin(state, builtin, shape, &values);
    }
    if !state.worlds.exist() {
        return call_plainly(state, builtin, shape, values);
    }
    let before = std::mem::replace(&mut state.worlds.is_order_free, is_order_free(builtin, shape));
    let result = match choices::calls::call_on_choices(state, builtin, shape, values) {
        Ok(Some(result)) => Ok(result),
        Ok(None) => call_plainly(state, builtin, shape, values),
        Err(fault) => Err(fault),
    };
    state.worlds.is_order_free = before;
    result
}

/// The same, of values that do not depend on choices.
pub(super) fn call_plainly<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Value<S>> {
    let arguments = Arguments { shape, values };
    if let Builtin::Pandas(_) | Builtin::Round | Builtin::Numpy(NumpyFunction::Round) = builtin {
        tables::publish::look_at_call(state, "call", values.get(1..).unwrap_or_default());
    }
    refuse_tables(builtin, values)?;
    tables::grouped::check_groups(state, builtin, values)?;
    tables::shape::check_shape(state, builtin, values)?;
    let rows = if keeps_rows(builtin) { tables::public::rows_of_all(values)? } else { None };
    let result = call_by_position(state, builtin, &arguments)?;
    // What numpy computes row by row from a column is a column of the same rows.
    match (rows, &result) {
        (Some(rows), Value::Array(_)) => tables::public::in_rows(state, &result, &rows),
        _ => Ok(result),
    }
}

fn call_by_position<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    match builtin {
        Builtin::Range => sequences::range_of(state, arguments),
        Builtin::NotImplemented => Err(Fault::hinted(
            Code::UnknownFunction,
            "`NotImplemented` is called",
            "`raise NotImplementedError`, or return it",
        )),
        Builtin::Len => sequences::len(state, arguments),
        Builtin::Sum => sequences::sum(state, arguments),
        Builtin::Min => sequences::extreme(state, arguments, std::cmp::Ordering::Less, "min"),
        Builtin::Max => sequences::extreme(state, arguments, std::cmp::Ordering::Greater, "max"),
        Builtin::Abs => numbers::absolute(state, arguments),
        Builtin::Round => numbers::round(state, arguments),
        Builtin::Sorted => sequences::sorted(state, arguments),
        Builtin::Enumerate => sequences::enumerate(state, arguments),
        Builtin::Zip => sequences::zip(state, arguments),
        Builtin::Reversed => sequences::reversed(state, arguments),
        Builtin::List => sequences::list_of(state, arguments),
        Builtin::Tuple => sequences::tuple_of(state, arguments),
        Builtin::Dict => sequences::dict_of(state, arguments),
        Builtin::Float => numbers::to_float(state, arguments),
        Builtin::Int => numbers::to_int(state, arguments),
        Builtin::Bool => numbers::to_bool(state, arguments),
        Builtin::Str => numbers::to_text(state, arguments),
        Builtin::Format => numbers::formatted(state, arguments),
        Builtin::Any => sequences::any(state, arguments),
        Builtin::All => sequences::all(state, arguments),
        Builtin::Print => sequences::print(state, arguments),
        Builtin::Pow => numbers::pow(state, arguments),
        Builtin::Math(function) => mathematics::mathematics(state, function, arguments),
        Builtin::Mean => vectors::mean(state, arguments),
        Builtin::StatisticsMean => sequences::statistics_mean(state, arguments, false),
        Builtin::FloatMean => sequences::statistics_mean(state, arguments, true),
        Builtin::ExactSum => sequences::exact_sum(state, arguments),
        Builtin::ArrayMath(function) => vectors::array_mathematics(state, function, arguments),
        Builtin::ArrayAbs => vectors::array_absolute(state, arguments),
        Builtin::ArrayMin => vectors::array_reduction(state, Reduction::Min, "min", arguments),
        Builtin::ArrayMax => vectors::array_reduction(state, Reduction::Max, "max", arguments),
        Builtin::ArrayProduct => vectors::array_reduction(state, Reduction::Product, "prod", arguments),
        Builtin::ArrayAny => vectors::array_reduction(state, Reduction::Any, "any", arguments),
        Builtin::ArrayAll => vectors::array_reduction(state, Reduction::All, "all", arguments),
        Builtin::MatrixMultiply => vectors::matmul_of(state, arguments),
        Builtin::Array => vectors::array_of(state, arguments, true),
        Builtin::AsArray => vectors::array_of(state, arguments, false),
        Builtin::ArraySum => vectors::array_sum(state, arguments),
        Builtin::Average => vectors::average(state, arguments),
        Builtin::Dot => vectors::dot_of(state, arguments),
        Builtin::Zeros => vectors::filled(state, arguments, "zeros", 0),
        Builtin::Ones => vectors::filled(state, arguments, "ones", 1),
        Builtin::Full => vectors::full(state, arguments),
        Builtin::Arange => vectors::arange(state, arguments),
        Builtin::Linspace => vectors::linspace(state, arguments),
        Builtin::Concatenate => vectors::concatenate(state, arguments),
        Builtin::CumulativeSum => vectors::cumulative_sum(state, arguments),
        Builtin::Product => vectors::product(state, arguments),
        Builtin::Normal => distributions::normal(state, arguments),
        Builtin::MultivariateNormal => distributions::multivariate_normal(state, arguments),
        Builtin::Bernoulli
        | Builtin::Categorical
        | Builtin::DiscreteUniform
        | Builtin::Binomial
        | Builtin::Poisson
        | Builtin::Geometric => match state.tables.prior_rows.clone() {
            Some(rows) => tables::categories::prior::discrete_column(state, builtin, arguments, rows),
            None => choices::distributions::discrete(state, builtin, arguments),
        },
        Builtin::PriorLaw(law) => match state.tables.prior_rows.clone() {
            Some(rows) => tables::skewed::law_column(state, law, arguments, rows),
            // The checker lets it stand in priors of columns only.
            None => Err(Fault::new(Code::UnknownDistribution, format!("`{}` is not supported as a prior", law.name()))),
        },
        Builtin::Condition => evidence::condition(state, arguments),
        Builtin::Observe => evidence::observe(state, arguments),
        Builtin::GaussianMechanism => evidence::gaussian_mechanism(state, arguments),
        Builtin::Where => vectors::choose(state, arguments),
        Builtin::IsInstance => objects::is_instance(state, arguments),
        Builtin::Crosstab => tables::pivot::crosstab(state, arguments),
        Builtin::PivotTable => tables::pivot::pivot_table(state, None, arguments),
        Builtin::Concat => tables::joined::concat(state, arguments),
        Builtin::Map | Builtin::Filter => {
            let hint = "such as `[float(x) for x in xs]`";
            Err(Fault::hinted(Code::WrongArguments, "a function and an iterable are required", hint))
        }
        Builtin::Set | Builtin::FrozenSet => collections::set_from(state, arguments),
        Builtin::Counter => collections::counter(state, arguments),
        Builtin::OrderedDict => {
            let dict = sequences::dict_of(state, arguments)?;
            if let Value::Dict(handle) = dict {
                // What it has besides: two of them are equal if their keys are in the same order.
                state.heap.dicts[handle as usize].default = Some(Builtin::OrderedDict);
            }
            Ok(dict)
        }
        Builtin::DefaultDict => {
            let hint = "specify the default factory: `defaultdict(list)`";
            Err(Fault::hinted(Code::WrongArguments, "`defaultdict` needs a function", hint))
        }
        Builtin::ShiftLeft | Builtin::ShiftRight => {
            numbers::shifted_bits(state, builtin == Builtin::ShiftLeft, arguments)
        }
        Builtin::Median(median) => middle::median(state, median, arguments),
        Builtin::Divmod => iteration::quotient_and_rest(state, arguments),
        Builtin::Ord => characters::code_of(state, arguments),
        Builtin::Chr => characters::character(state, arguments),
        Builtin::Next => iteration::next_of(state, arguments),
        Builtin::Mode => iteration::mode(state, arguments),
        Builtin::Iteration(function) => iteration::iterated(state, function, arguments),
        Builtin::Operator(function) => iteration::operator_function(state, function, arguments),
        Builtin::Reduce => {
            let hint = "such as `reduce(lambda a, b: a + b, xs)`";
            Err(Fault::hinted(Code::WrongArguments, "a function and an iterable are required", hint))
        }
        Builtin::Numpy(function) => ndarray::functions::numpy_function(state, function, arguments),
        Builtin::Pandas(function) => tables::functions::pandas_function(state, function, arguments),
    }
}

/// Calls a method.
pub(super) fn call_method<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Value<S>> {
    check_usable(std::slice::from_ref(object))?;
    check_usable(values)?;
    if matches!(object, Value::Poison) || values.iter().any(|value| matches!(value, Value::Poison)) {
        return Ok(Value::Poison);
    }
    // A figure of a column is numpy's number, which rounds itself.
    if let (Method::Table(TableMethod::Round), [] | [_], true) =
        (method, values, matches!(object, Value::Random { .. } | Value::Choice(_) | Value::Float(_)))
    {
        let digits = values.first().cloned().unwrap_or(Value::Int(0));
        let builtin = Builtin::Numpy(NumpyFunction::Round);
        return call_builtin(state, builtin, &positional(2), &[object.clone(), digits]);
    }
    // The same as the function of numpy.
    if let Method::ArgExtreme { largest } = method
        && !matches!(object, Value::Series(_) | Value::Frame(_) | Value::Groups(_) | Value::Loc(_))
    {
        let all: Vec<Value<S>> = std::iter::once(object.clone()).chain(values.iter().cloned()).collect();
        let mut spans = shape.spans.clone();
        spans.insert(0, state.span);
        let shape = CallShape { positional: shape.positional + 1, spans, ..shape.clone() };
        return call_builtin(state, Builtin::Numpy(NumpyFunction::ArgExtreme { largest }), &shape, &all);
    }
    if state.worlds.exist() {
        if let Some(result) = choices::calls::method_on_choices(state, method, object, shape, values)? {
            return Ok(result);
        }
        if changes(method) {
            return choices::writes::change(state, object, |state| {
                methods::method(state, method, object, &Arguments { shape, values })
            });
        }
    }
    if matches!(method, Method::Table(_)) {
        tables::publish::look_at_call(state, method.name(), values);
    }
    tables::grouped::check_method_of_groups(state, method.on_tables(), object, values)?;
    tables::shape::check_method_shape(state, method.on_tables(), object, values)?;
    let made = methods::method(state, method, object, &Arguments { shape, values })?;
    Ok(tables::shape::shaped_like(state, method.on_tables(), object, made))
}

/// Whether a method changes the container that it is called on.
fn changes(method: Method) -> bool {
    matches!(
        method,
        Method::Append
            | Method::Extend
            | Method::SetDefault
            | Method::Update
            | Method::Sort
            | Method::Pop
            | Method::Insert
            | Method::Remove
            | Method::Reverse
            | Method::Clear
            | Method::OfSet(SetMethod::Add | SetMethod::Discard)
    )
}

/// Whether a function gives the same whatever the order of the elements.
fn is_order_free(builtin: Builtin, shape: &CallShape) -> bool {
    let is_free = matches!(
        builtin,
        Builtin::Sorted
            | Builtin::Len
            | Builtin::Sum
            | Builtin::Min
            | Builtin::Max
            | Builtin::Any
            | Builtin::All
            | Builtin::Set
    );
    is_free && !shape.keywords.iter().any(|keyword| keyword == "key")
}

/// Functions that go through elements would find the names of a table's columns.
fn refuse_tables<S: Scalar>(builtin: Builtin, values: &[Value<S>]) -> Outcome<()> {
    let of_columns = matches!(
        builtin,
        Builtin::Mean
            | Builtin::StatisticsMean
            | Builtin::FloatMean
            | Builtin::ExactSum
            | Builtin::Array
            | Builtin::AsArray
            | Builtin::ArrayMath(_)
            | Builtin::ArrayAbs
            | Builtin::ArrayMin
            | Builtin::ArrayMax
            | Builtin::ArrayProduct
            | Builtin::ArrayAny
            | Builtin::ArrayAll
            | Builtin::MatrixMultiply
            | Builtin::ArraySum
            | Builtin::Average
            | Builtin::Dot
            | Builtin::Concatenate
            | Builtin::CumulativeSum
            | Builtin::Product
            | Builtin::Numpy(_)
            | Builtin::Reversed
    );
    let is_table = |value: &Value<S>| match value {
        Value::Frame(_) => !matches!(builtin, Builtin::Array | Builtin::AsArray),
        Value::Groups(_) | Value::Loc(_) => true,
        Value::Series(_) => builtin == Builtin::Reversed,
        _ => false,
    };
    match values.iter().position(is_table).filter(|_| of_columns) {
        Some(index) => {
            let message = format!("this function does not take {}", values[index].kind());
            Err(Fault::hinted(Code::TypeMismatch, message, "use it on one column").at_argument(index))
        }
        None => Ok(()),
    }
}

fn check_usable<S>(values: &[Value<S>]) -> Outcome<()> {
    match values.iter().position(|value| matches!(value, Value::Unbound)) {
        Some(index) => {
            let message = "a variable is used before it has a value";
            Err(Fault::new(Code::UsedBeforeAssignment, message).at_argument(index))
        }
        None => Ok(()),
    }
}

/// Whether a function of numpy computes each element by itself, or a running sum.
fn keeps_rows(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::ArrayMath(_)
            | Builtin::ArrayAbs
            | Builtin::CumulativeSum
            | Builtin::Numpy(
                NumpyFunction::Add
                    | NumpyFunction::Subtract
                    | NumpyFunction::Multiply
                    | NumpyFunction::Divide
                    | NumpyFunction::Negative
                    | NumpyFunction::Square
                    | NumpyFunction::Floor
                    | NumpyFunction::Ceil
                    | NumpyFunction::Round
                    | NumpyFunction::Clip
                    | NumpyFunction::Maximum
                    | NumpyFunction::Minimum
                    | NumpyFunction::IsNan
                    | NumpyFunction::Logical { .. }
                    | NumpyFunction::LogicalNot
            )
    )
}
