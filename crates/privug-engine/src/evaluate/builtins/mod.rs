//! The functions of the language.

mod arguments;
mod characters;
mod collections;
mod counters;
mod distributions;
mod evidence;
mod iteration;
mod lists;
mod mathematics;
mod methods;
mod middle;
mod numbers;
mod semidefinite;
mod sequences;
mod vectors;

use super::callbacks::positional;
use super::fault::{Fault, Outcome};
use super::ndarray::Reduction;
use super::state::State;
use super::value::Value;
use crate::number::Scalar;
pub(super) use arguments::{Argument, Arguments, given};
pub(super) use counters::Counting;
pub(super) use lists::{insertion_of, nothing_there, position_of};
use privug_language::diagnostic::Code;
use privug_language::program::{Builtin, CallShape, Method, NumpyFunction, SetMethod, TableMethod};

impl<S: Scalar> State<S> {
    /// Calls a function of the language.
    pub(super) fn call_builtin(
        &mut self,
        builtin: Builtin,
        shape: &CallShape,
        values: &[Value<S>],
    ) -> Outcome<Value<S>> {
        check_usable(values)?;
        if values.iter().any(|value| matches!(value, Value::Poison)) {
            return Ok(Value::Poison);
        }
        if is_order_free(builtin, shape)
            && let [Value::Set(set), rest @ ..] = values
            && !matches!(builtin, Builtin::Len | Builtin::Set | Builtin::Sorted)
        {
            let elements = self.set_elements(*set)?;
            let elements = self.list(elements)?;
            let values: Vec<Value<S>> = std::iter::once(elements).chain(rest.iter().cloned()).collect();
            return self.call_builtin(builtin, shape, &values);
        }
        if !self.worlds.exist() {
            return self.call_plainly(builtin, shape, values);
        }
        let before = std::mem::replace(&mut self.worlds.is_order_free, is_order_free(builtin, shape));
        let result = match self.call_on_choices(builtin, shape, values) {
            Ok(Some(result)) => Ok(result),
            Ok(None) => self.call_plainly(builtin, shape, values),
            Err(fault) => Err(fault),
        };
        self.worlds.is_order_free = before;
        result
    }

    /// The same, of values that do not depend on choices.
    fn call_plainly(&mut self, builtin: Builtin, shape: &CallShape, values: &[Value<S>]) -> Outcome<Value<S>> {
        let arguments = Arguments { shape, values };
        refuse_tables(builtin, values)?;
        self.check_groups(builtin, values)?;
        self.check_shape(builtin, values)?;
        let rows = if keeps_rows(builtin) { self.rows_of_all(values)? } else { None };
        let result = self.call_by_position(builtin, &arguments)?;
        // What numpy computes row by row from a column is a column of the same rows.
        match (rows, &result) {
            (Some(rows), Value::Array(_)) => self.in_rows(&result, &rows),
            _ => Ok(result),
        }
    }

    fn call_by_position(&mut self, builtin: Builtin, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        match builtin {
            Builtin::Range => self.range_of(arguments),
            Builtin::Len => self.len(arguments),
            Builtin::Sum => self.sum(arguments),
            Builtin::Min => self.extreme(arguments, std::cmp::Ordering::Less, "min"),
            Builtin::Max => self.extreme(arguments, std::cmp::Ordering::Greater, "max"),
            Builtin::Abs => self.absolute(arguments),
            Builtin::Round => self.round(arguments),
            Builtin::Sorted => self.sorted(arguments),
            Builtin::Enumerate => self.enumerate(arguments),
            Builtin::Zip => self.zip(arguments),
            Builtin::Reversed => self.reversed(arguments),
            Builtin::List => self.list_of(arguments),
            Builtin::Tuple => self.tuple_of(arguments),
            Builtin::Dict => self.dict_of(arguments),
            Builtin::Float => self.to_float(arguments),
            Builtin::Int => self.to_int(arguments),
            Builtin::Bool => self.to_bool(arguments),
            Builtin::Str => self.to_text(arguments),
            Builtin::Any => self.any(arguments),
            Builtin::All => self.all(arguments),
            Builtin::Print => self.print(arguments),
            Builtin::Pow => self.pow(arguments),
            Builtin::Math(function) => self.mathematics(function, arguments),
            Builtin::Mean => self.mean(arguments),
            Builtin::StatisticsMean => self.statistics_mean(arguments, false),
            Builtin::FloatMean => self.statistics_mean(arguments, true),
            Builtin::ExactSum => self.exact_sum(arguments),
            Builtin::ArrayMath(function) => self.array_mathematics(function, arguments),
            Builtin::ArrayAbs => self.array_absolute(arguments),
            Builtin::ArrayMin => self.array_reduction(Reduction::Min, "min", arguments),
            Builtin::ArrayMax => self.array_reduction(Reduction::Max, "max", arguments),
            Builtin::ArrayProduct => self.array_reduction(Reduction::Product, "prod", arguments),
            Builtin::ArrayAny => self.array_reduction(Reduction::Any, "any", arguments),
            Builtin::ArrayAll => self.array_reduction(Reduction::All, "all", arguments),
            Builtin::MatrixMultiply => self.matmul_of(arguments),
            Builtin::Array => self.array_of(arguments, true),
            Builtin::AsArray => self.array_of(arguments, false),
            Builtin::ArraySum => self.array_sum(arguments),
            Builtin::Average => self.average(arguments),
            Builtin::Dot => self.dot_of(arguments),
            Builtin::Zeros => self.filled(arguments, "zeros", 0),
            Builtin::Ones => self.filled(arguments, "ones", 1),
            Builtin::Full => self.full(arguments),
            Builtin::Arange => self.arange(arguments),
            Builtin::Linspace => self.linspace(arguments),
            Builtin::Concatenate => self.concatenate(arguments),
            Builtin::CumulativeSum => self.cumulative_sum(arguments),
            Builtin::Product => self.product(arguments),
            Builtin::Normal => self.normal(arguments),
            Builtin::MultivariateNormal => self.multivariate_normal(arguments),
            Builtin::Bernoulli
            | Builtin::Categorical
            | Builtin::DiscreteUniform
            | Builtin::Binomial
            | Builtin::Poisson
            | Builtin::Geometric => match self.tables.prior_rows.clone() {
                Some(rows) => self.discrete_column(builtin, arguments, rows),
                None => self.discrete(builtin, arguments),
            },
            Builtin::PriorLaw(law) => match self.tables.prior_rows.clone() {
                Some(rows) => self.law_column(law, arguments, rows),
                // The checker lets it stand in priors of columns only.
                None => Err(Fault::new(Code::UnknownDistribution, format!("`{}` is no prior here", law.name()))),
            },
            Builtin::Condition => self.condition(arguments),
            Builtin::Observe => self.observe(arguments),
            Builtin::GaussianMechanism => self.gaussian_mechanism(arguments),
            Builtin::Where => self.choose(arguments),
            Builtin::IsInstance => self.is_instance(arguments),
            Builtin::Crosstab => self.crosstab(arguments),
            Builtin::PivotTable => self.pivot_table(None, arguments),
            Builtin::Concat => self.concat(arguments),
            Builtin::Map | Builtin::Filter => {
                let hint = "such as `[float(x) for x in xs]`";
                Err(Fault::hinted(Code::WrongArguments, "a function and what it is applied to are needed", hint))
            }
            Builtin::Set => self.set_from(arguments),
            Builtin::Counter => self.counter(arguments),
            Builtin::DefaultDict => {
                let hint = "say what a missing entry is: `defaultdict(list)`";
                Err(Fault::hinted(Code::WrongArguments, "`defaultdict` needs a function", hint))
            }
            Builtin::ShiftLeft | Builtin::ShiftRight => self.shifted_bits(builtin == Builtin::ShiftLeft, arguments),
            Builtin::Median(median) => self.median(median, arguments),
            Builtin::Divmod => self.quotient_and_rest(arguments),
            Builtin::Ord => self.code_of(arguments),
            Builtin::Chr => self.character(arguments),
            Builtin::Next => self.next_of(arguments),
            Builtin::Mode => self.mode(arguments),
            Builtin::Iteration(function) => self.iterated(function, arguments),
            Builtin::Operator(function) => self.operator_function(function, arguments),
            Builtin::Reduce => {
                let hint = "such as `reduce(lambda a, b: a + b, xs)`";
                Err(Fault::hinted(Code::WrongArguments, "a function and what it is applied to are needed", hint))
            }
            Builtin::Numpy(function) => self.numpy_function(function, arguments),
            Builtin::Pandas(function) => self.pandas_function(function, arguments),
        }
    }

    /// Calls a method.
    pub(super) fn call_method(
        &mut self,
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
            return self.call_builtin(builtin, &positional(2), &[object.clone(), digits]);
        }
        if self.worlds.exist() {
            if let Some(result) = self.method_on_choices(method, object, shape, values)? {
                return Ok(result);
            }
            if changes(method) {
                return self.change(object, |state| state.method(method, object, &Arguments { shape, values }));
            }
        }
        self.check_method_of_groups(method.on_tables(), object, values)?;
        self.check_method_shape(method.on_tables(), object, values)?;
        let made = self.method(method, object, &Arguments { shape, values })?;
        Ok(self.shaped_like(method.on_tables(), object, made))
    }
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
