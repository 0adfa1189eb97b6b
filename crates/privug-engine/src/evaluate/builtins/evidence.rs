//! `condition`, `observe` and `gaussian_mechanism`.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::super::{Evidence, MechanismUse, Named, Note};
use super::arguments::{Argument, Arguments, given};
use super::{distributions, vectors};
use crate::evaluate::{arithmetic, choices, containers, random, text};
use crate::mechanism::{self, CalibrationError, Method};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

/// `condition(x, value)`: x was seen to be exactly the value.
pub(super) fn condition<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [variable, value] = arguments.bind("condition", ["variable|x|event", "value"], 1, 2)?;
    if value.is_none() {
        let event = given(variable)?;
        let seen = choices::evidence::condition_on_event(state, &arguments.shape.subject, event.value);
        return seen.map_err(|fault| fault.at_argument(event.index));
    }
    see(state, &arguments.shape.subject, given(variable)?, given(value)?, &S::zero())
}

/// `observe(x, value, std=…)`: x was seen through independent Gaussian noise.
pub(super) fn observe<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let parameters = ["variable|x", "value", "variance|var", "std|sigma|sd|scale"];
    let [variable, value, variance, std_dev] = arguments.bind("observe", parameters, 2, 2)?;
    let noise_variance = distributions::variance(state, "observe", variance, std_dev)?;
    see(state, &arguments.shape.subject, given(variable)?, given(value)?, &noise_variance)
}

/// Notes down what was seen; lists element by element.
fn see<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    variable: Argument<'_, S>,
    value: Argument<'_, S>,
    noise_variance: &S,
) -> Outcome<Value<S>> {
    if choices::lift::has_holes(state, variable.value) || choices::lift::has_holes(state, value.value) {
        choices::evidence::see_in_worlds(state, name.to_owned(), variable.value, value.value, noise_variance)?;
    } else if let (
        Value::List(_) | Value::Tuple(_) | Value::Array(_),
        Value::List(_) | Value::Tuple(_) | Value::Array(_),
    ) = (variable.value, value.value)
    {
        let (variables, values) =
            (containers::elements(state, variable.value)?, containers::elements(state, value.value)?);
        if variables.len() != values.len() {
            let message = format!("{} values are observed for {} variables", variables.len(), values.len());
            return Err(Fault::new(Code::LengthMismatch, message).at_argument(value.index));
        }
        for (index, (x, seen)) in variables.iter().zip(&values).enumerate() {
            see_one(state, format!("{name}[{index}]"), (x, variable.index), (seen, value.index), noise_variance)?;
        }
    } else {
        let (x, seen) = ((variable.value, variable.index), (value.value, value.index));
        see_one(state, name.to_owned(), x, seen, noise_variance)?;
    }
    Ok(Value::None)
}

fn see_one<S: Scalar>(
    state: &mut State<S>,
    name: String,
    (variable, variable_index): (&Value<S>, usize),
    (value, value_index): (&Value<S>, usize),
    noise_variance: &S,
) -> Outcome<()> {
    // Where values are discrete, one that turns out to be certain is as good as any other.
    let is_certain = state.worlds.exist() && variable.as_random().is_none();
    let in_worlds = choices::calls::is_choice(variable)
        || choices::calls::is_choice(value)
        || state.worlds.are_split()
        || is_certain;
    if in_worlds {
        return choices::evidence::see_in_worlds(state, name, variable, value, noise_variance);
    }
    if variable.as_random().is_some() && value.as_random().is_some() {
        return see_equal(state, &name, variable, value, noise_variance);
    }
    let Some(affine) = variable.as_random() else {
        let message = format!("`{name}` is {}, not a random variable", variable.kind());
        let hint = "observe something that depends on a `Normal`";
        return Err(Fault::hinted(Code::ConditionOnConstant, message, hint).at_argument(variable_index));
    };
    let value = observed_value(state, value).map_err(|fault| fault.at_argument(value_index))?;
    let seen = Named { name, span: state.span, variable: affine };
    observe_through_noise(state, seen, value, noise_variance.clone())
}

/// Two Gaussian values were seen to be equal: their difference is 0.
fn see_equal<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    one: &Value<S>,
    other: &Value<S>,
    noise_variance: &S,
) -> Outcome<()> {
    let difference = arithmetic::binary(state, Binary::Subtract, one, other)?;
    match (difference.as_random(), state.number(&difference).and_then(|number| number.scalar())) {
        (Some(variable), _) => {
            let seen = Named { name: format!("difference of {name}"), span: state.span, variable };
            observe_through_noise(state, seen, S::zero(), noise_variance.clone())
        }
        (None, Some(number)) if number.is_zero() || !noise_variance.is_zero() => Ok(()),
        (None, _) => {
            let message = format!("`{name}` is observed to equal a value from which it always differs");
            Err(Fault::hinted(Code::Contradiction, message, "their difference is a number other than 0"))
        }
    }
}

/// Adds evidence; the noise becomes a variable of its own, so that all evidence is exact.
pub(in super::super) fn observe_through_noise<S: Scalar>(
    state: &mut State<S>,
    seen: Named<S>,
    value: S,
    noise_variance: S,
) -> Outcome<()> {
    // An observation takes as much room as several elements.
    state.budget.spend_elements(8)?;
    let Named { name, span, variable } = seen;
    let variable = if noise_variance.is_zero() {
        variable
    } else {
        let terms = (!variable.scale.is_zero()).then_some((variable.node, variable.scale));
        state.push_node(variable.offset, terms, noise_variance.clone())?
    };
    state.builder.evidence.push(Evidence { seen: Named { name, span, variable }, value: Some(value), noise_variance });
    Ok(())
}

/// A value that something was seen to have.
pub(in super::super) fn observed_value<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<S> {
    match state.number(value) {
        Some(number) => random::met_number(state, &number),
        None => {
            let message = format!("the observed value is {}, not a number", value.kind());
            Err(Fault::hinted(Code::ObservedValue, message, "give the number that was published"))
        }
    }
}

/// The variance of an observation's noise, given as a standard deviation.
pub(in super::super) fn variance_of_noise<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<S> {
    let std_dev = vectors::parameter(state, "the standard deviation", value)?;
    if std_dev < S::zero() {
        return Err(Fault::new(Code::NegativeVariance, "the standard deviation of the noise is negative"));
    }
    distributions::squared(state, &std_dev)
}

/// `gaussian_mechanism(x, sensitivity=, epsilon=, delta=, calibration="analytic")` = x + N(0, σ²)
pub(super) fn gaussian_mechanism<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let parameters = ["variable|x", "sensitivity", "epsilon", "delta", "calibration"];
    let [variable, sensitivity, epsilon, delta, calibration] =
        arguments.bind("gaussian_mechanism", parameters, 4, 1)?;
    let variable = given(variable)?;
    let numbers = [(sensitivity, "the sensitivity"), (epsilon, "epsilon"), (delta, "delta")];
    let mut values = [0.0; 3];
    for (value, (argument, what)) in values.iter_mut().zip(numbers) {
        let argument = given(argument)?;
        let number =
            vectors::parameter(state, what, argument.value).map_err(|fault| fault.at_argument(argument.index))?;
        *value = number.to_f64();
    }
    let method = calibration_method(state, calibration)?;
    let calibration = mechanism::calibrate(method, values[0], values[1], values[2]).map_err(|error| {
        let hint = match error {
            CalibrationError::ClassicNeedsSmallEpsilon { .. } => "use `calibration=\"analytic\"`",
            _ => "the sensitivity and ε are positive, δ lies between 0 and 1",
        };
        Fault::hinted(Code::BadMechanism, error.to_string(), hint)
    })?;
    if state.tables.real && state.number(variable.value).is_some() {
        let message = format!("the published value of `{}` is used without its noise", arguments.shape.subject);
        state.note(Note { message, span: state.span });
        return Ok(variable.value.clone());
    }
    let Some(x) = variable.value.as_random() else {
        let message = format!("`{}` is {}, not a random variable", arguments.shape.subject, variable.value.kind());
        let hint = "apply the mechanism to something that depends on a `Normal`";
        return Err(Fault::hinted(Code::ConditionOnConstant, message, hint).at_argument(variable.index));
    };
    let noise_variance = noise_variance(state, calibration.variance)?;
    let name = arguments.shape.subject.clone();
    state.builder.mechanisms.push(MechanismUse { name, span: state.span, calibration });
    let terms = (!x.scale.is_zero()).then_some((x.node, x.scale));
    state.push_node(x.offset, terms, noise_variance).map(Value::random)
}

/// A calibrated variance is irrational; the double nearest to it is what the mechanism uses.
fn noise_variance<S: Scalar>(state: &mut State<S>, variance: f64) -> Outcome<S> {
    if S::EXACT {
        let message = "the mechanism's noise variance is irrational; the double nearest to it is used".to_owned();
        state.note(Note { message, span: state.span });
    }
    S::from_f64(variance).ok_or_else(|| Fault::new(Code::Overflow, "the noise is too large for a double"))
}

fn calibration_method<S: Scalar>(state: &State<S>, argument: Option<Argument<'_, S>>) -> Outcome<Method> {
    let Some(argument) = argument else { return Ok(Method::Analytic) };
    let text = if let Value::Text(handle) = argument.value { state.heap.text(*handle) } else { "" };
    match Method::from_name(text) {
        Some(method) => Ok(method),
        None => {
            let message = format!("there is no calibration {}", text::show(state, argument.value));
            let hint = "the calibrations are \"analytic\" and \"classic\"";
            Err(Fault::hinted(Code::BadMechanism, message, hint).at_argument(argument.index))
        }
    }
}
