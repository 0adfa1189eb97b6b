//! `condition`, `observe` and `gaussian_mechanism`.

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::Value;
use super::super::{Evidence, MechanismUse, Named, Note};
use super::arguments::{Argument, Arguments, given};
use crate::mechanism::{self, CalibrationError, Method};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Binary;

impl<S: Scalar> State<S> {
    /// `condition(x, value)`: x was seen to be exactly the value.
    pub(super) fn condition(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let [variable, value] = arguments.bind("condition", ["variable|x|event", "value"], 1, 2)?;
        if value.is_none() {
            let event = given(variable)?;
            let seen = self.condition_on_event(&arguments.shape.subject, event.value);
            return seen.map_err(|fault| fault.at_argument(event.index));
        }
        self.see(&arguments.shape.subject, given(variable)?, given(value)?, &S::zero())
    }

    /// `observe(x, value, std=…)`: x was seen through independent Gaussian noise.
    pub(super) fn observe(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let parameters = ["variable|x", "value", "variance|var", "std|sigma|sd|scale"];
        let [variable, value, variance, std_dev] = arguments.bind("observe", parameters, 2, 2)?;
        let noise_variance = self.variance("observe", variance, std_dev)?;
        self.see(&arguments.shape.subject, given(variable)?, given(value)?, &noise_variance)
    }

    /// Notes down what was seen; lists element by element.
    fn see(
        &mut self,
        name: &str,
        variable: Argument<'_, S>,
        value: Argument<'_, S>,
        noise_variance: &S,
    ) -> Outcome<Value<S>> {
        if self.has_holes(variable.value) || self.has_holes(value.value) {
            self.see_in_worlds(name.to_owned(), variable.value, value.value, noise_variance)?;
        } else if let (
            Value::List(_) | Value::Tuple(_) | Value::Array(_),
            Value::List(_) | Value::Tuple(_) | Value::Array(_),
        ) = (variable.value, value.value)
        {
            let (variables, values) = (self.elements(variable.value)?, self.elements(value.value)?);
            if variables.len() != values.len() {
                let message = format!("{} variables are seen to have {} values", variables.len(), values.len());
                return Err(Fault::new(Code::LengthMismatch, message).at_argument(value.index));
            }
            for (index, (x, seen)) in variables.iter().zip(&values).enumerate() {
                self.see_one(format!("{name}[{index}]"), (x, variable.index), (seen, value.index), noise_variance)?;
            }
        } else {
            let (x, seen) = ((variable.value, variable.index), (value.value, value.index));
            self.see_one(name.to_owned(), x, seen, noise_variance)?;
        }
        Ok(Value::None)
    }

    fn see_one(
        &mut self,
        name: String,
        (variable, variable_index): (&Value<S>, usize),
        (value, value_index): (&Value<S>, usize),
        noise_variance: &S,
    ) -> Outcome<()> {
        // Where values are discrete, one that turns out to be certain is as good as any other.
        let is_certain = self.worlds.exist() && variable.as_random().is_none();
        let in_worlds = Self::is_choice(variable) || Self::is_choice(value) || self.worlds.are_split() || is_certain;
        if in_worlds {
            return self.see_in_worlds(name, variable, value, noise_variance);
        }
        if variable.as_random().is_some() && value.as_random().is_some() {
            return self.see_equal(&name, variable, value, noise_variance);
        }
        let Some(affine) = variable.as_random() else {
            let message = format!("`{name}` is {}, not a random variable", variable.kind());
            let hint = "observe something that depends on a `Normal`";
            return Err(Fault::hinted(Code::ConditionOnConstant, message, hint).at_argument(variable_index));
        };
        let value = self.observed_value(value).map_err(|fault| fault.at_argument(value_index))?;
        let seen = Named { name, span: self.span, variable: affine };
        self.observe_through_noise(seen, value, noise_variance.clone())
    }

    /// Two Gaussian values were seen to be equal: their difference is 0.
    fn see_equal(&mut self, name: &str, one: &Value<S>, other: &Value<S>, noise_variance: &S) -> Outcome<()> {
        let difference = self.binary(Binary::Subtract, one, other)?;
        match (difference.as_random(), self.number(&difference).and_then(|number| number.scalar())) {
            (Some(variable), _) => {
                let seen = Named { name: format!("difference of {name}"), span: self.span, variable };
                self.observe_through_noise(seen, S::zero(), noise_variance.clone())
            }
            (None, Some(number)) if number.is_zero() || !noise_variance.is_zero() => Ok(()),
            (None, _) => {
                let message = format!("`{name}` was seen to be equal to a value that it always differs from");
                Err(Fault::hinted(Code::Contradiction, message, "their difference is a number other than 0"))
            }
        }
    }

    /// Adds evidence; the noise becomes a variable of its own, so that all evidence is exact.
    pub(in super::super) fn observe_through_noise(
        &mut self,
        seen: Named<S>,
        value: S,
        noise_variance: S,
    ) -> Outcome<()> {
        // An observation takes as much room as several elements.
        self.budget.spend_elements(8)?;
        let Named { name, span, variable } = seen;
        let variable = if noise_variance.is_zero() {
            variable
        } else {
            let terms = (!variable.scale.is_zero()).then_some((variable.node, variable.scale));
            self.push_node(variable.offset, terms, noise_variance.clone())?
        };
        self.builder.evidence.push(Evidence {
            seen: Named { name, span, variable },
            value: Some(value),
            noise_variance,
        });
        Ok(())
    }

    /// A value that something was seen to have.
    pub(in super::super) fn observed_value(&mut self, value: &Value<S>) -> Outcome<S> {
        match self.number(value) {
            Some(number) => self.met_number(&number),
            None => {
                let message = format!("the observed value is {}, not a number", value.kind());
                Err(Fault::hinted(Code::ObservedValue, message, "give the number that was published"))
            }
        }
    }

    /// The variance of an observation's noise, given as a standard deviation.
    pub(in super::super) fn variance_of_noise(&mut self, value: &Value<S>) -> Outcome<S> {
        let std_dev = self.parameter("the standard deviation", value)?;
        if std_dev < S::zero() {
            return Err(Fault::new(Code::NegativeVariance, "the standard deviation of the noise is negative"));
        }
        self.squared(&std_dev)
    }

    /// `gaussian_mechanism(x, sensitivity=, epsilon=, delta=, calibration="analytic")` = x + N(0, σ²)
    pub(super) fn gaussian_mechanism(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let parameters = ["variable|x", "sensitivity", "epsilon", "delta", "calibration"];
        let [variable, sensitivity, epsilon, delta, calibration] =
            arguments.bind("gaussian_mechanism", parameters, 4, 1)?;
        let variable = given(variable)?;
        let numbers = [(sensitivity, "the sensitivity"), (epsilon, "epsilon"), (delta, "delta")];
        let mut values = [0.0; 3];
        for (value, (argument, what)) in values.iter_mut().zip(numbers) {
            let argument = given(argument)?;
            let number = self.parameter(what, argument.value).map_err(|fault| fault.at_argument(argument.index))?;
            *value = number.to_f64();
        }
        let method = self.calibration_method(calibration)?;
        let calibration = mechanism::calibrate(method, values[0], values[1], values[2]).map_err(|error| {
            let hint = match error {
                CalibrationError::ClassicNeedsSmallEpsilon { .. } => "use `calibration=\"analytic\"`",
                _ => "the sensitivity and ε are positive, δ lies between 0 and 1",
            };
            Fault::hinted(Code::BadMechanism, error.to_string(), hint)
        })?;
        if self.tables.real && self.number(variable.value).is_some() {
            let message = format!("the published value of `{}` is taken without its noise", arguments.shape.subject);
            self.note(Note { message, span: self.span });
            return Ok(variable.value.clone());
        }
        let Some(x) = variable.value.as_random() else {
            let message = format!("`{}` is {}, not a random variable", arguments.shape.subject, variable.value.kind());
            let hint = "apply the mechanism to something that depends on a `Normal`";
            return Err(Fault::hinted(Code::ConditionOnConstant, message, hint).at_argument(variable.index));
        };
        let noise_variance = self.noise_variance(calibration.variance)?;
        let name = arguments.shape.subject.clone();
        self.builder.mechanisms.push(MechanismUse { name, span: self.span, calibration });
        let terms = (!x.scale.is_zero()).then_some((x.node, x.scale));
        self.push_node(x.offset, terms, noise_variance).map(Value::random)
    }

    /// A calibrated variance is irrational; the double nearest to it is what the mechanism uses.
    fn noise_variance(&mut self, variance: f64) -> Outcome<S> {
        if S::EXACT {
            let message = "the mechanism's noise variance is irrational; the double nearest to it is used".to_owned();
            self.note(Note { message, span: self.span });
        }
        S::from_f64(variance).ok_or_else(|| Fault::new(Code::Overflow, "the noise is too large for a double"))
    }

    fn calibration_method(&self, argument: Option<Argument<'_, S>>) -> Outcome<Method> {
        let Some(argument) = argument else { return Ok(Method::Analytic) };
        let text = if let Value::Text(handle) = argument.value { self.heap.text(*handle) } else { "" };
        match Method::from_name(text) {
            Some(method) => Ok(method),
            None => {
                let message = format!("there is no calibration {}", self.show(argument.value));
                let hint = "the calibrations are \"analytic\" and \"classic\"";
                Err(Fault::hinted(Code::BadMechanism, message, hint).at_argument(argument.index))
            }
        }
    }
}
