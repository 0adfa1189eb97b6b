//! What is seen of random values: events, discrete values, and Gaussian values in some worlds.

use super::SeenInWorlds;
use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison};

impl<S: Scalar> State<S> {
    /// `condition(event)`
    pub(in crate::evaluate) fn condition_on_event(&mut self, name: &str, event: &Value<S>) -> Outcome<Value<S>> {
        match event {
            Value::Choice(_) | Value::Bool(_) | Value::NumpyBool(_) => {}
            Value::Random { .. } => {
                let message = format!("`{name}` is a Gaussian variable: which value was seen?");
                return Err(Fault::hinted(Code::ConditionOnConstant, message, "`condition(x, value)`"));
            }
            other => {
                let message = format!("`{name}` is {}, not an event", other.kind());
                let hint = "`condition(event)` takes a random boolean; `condition(x, value)` a value that was seen";
                return Err(Fault::hinted(Code::ConditionOnConstant, message, hint));
            }
        }
        let happens = self.truth_event(event)?;
        self.see_event(name, happens)?;
        Ok(Value::None)
    }

    /// Something happened, in the worlds that are being looked at.
    pub(in crate::evaluate) fn see_event(&mut self, name: &str, event: Diagram) -> Outcome<()> {
        let (active, before) = (self.worlds.active, self.worlds.event);
        let excluded = self.worlds.diagrams.without(active, event);
        let excluded = excluded.map_err(|too_wide| self.too_wide(too_wide, &[active, event]))?;
        let left = self.worlds.diagrams.without(before, excluded);
        let left = left.map_err(|too_wide| self.too_wide(too_wide, &[before, excluded]))?;
        if left == Diagram::FALSE {
            let message = format!("`{name}` was seen, but it cannot happen");
            let hint = if self.worlds.truncated.is_empty() {
                "its probability is 0, given what was seen before"
            } else {
                "its probability is below 1e-290, given what was seen before: values that are so unlikely are left out"
            };
            return Err(Fault::hinted(Code::Contradiction, message, hint));
        }
        // What asks many choices one after the other is put aside, as an event of its own.
        if self.worlds.diagrams.levels(left) < self.budget.limits.levels / 2 {
            self.worlds.event = left;
        } else {
            self.worlds.earlier_events.push(left);
            self.worlds.event = Diagram::TRUE;
        }
        self.worlds.has_seen = true;
        Ok(())
    }

    /// `condition(x, value)` where one of them depends on choices, or a Gaussian is seen in some worlds only.
    pub(in crate::evaluate) fn see_in_worlds(
        &mut self,
        name: String,
        variable: &Value<S>,
        value: &Value<S>,
        noise_variance: &S,
    ) -> Outcome<()> {
        let live = self.live()?;
        let is_gaussian = self.can_be_gaussian(variable)? || self.can_be_gaussian(value)?;
        if !is_gaussian {
            if !noise_variance.is_zero() {
                let message = format!("`{name}` is discrete, and observed through Gaussian noise");
                let hint = "make the noise part of the program: `condition(Normal(x, variance), value)`";
                return Err(Fault::hinted(Code::ConditionOnConstant, message, hint));
            }
            let equal = self.compare(Comparison::Equal, variable, value)?;
            let event = self.truth_event(&equal)?;
            return self.see_event(&format!("{name} == {}", self.show(value)), event);
        }
        let (seen, observed) = match value {
            Value::Choice(_) | Value::Random { .. } => (self.binary(Binary::Subtract, variable, value)?, S::zero()),
            _ => (variable.clone(), self.observed_value(value)?),
        };
        let seen = if noise_variance.is_zero() {
            seen
        } else {
            let noise = self.push_node(S::zero(), [], noise_variance.clone()).map(Value::random)?;
            self.binary(Binary::Add, &seen, &noise)?
        };
        let diagram = self.diagram_of(&seen)?;
        let span = self.span;
        self.budget.spend_elements(8)?;
        let noise_variance = noise_variance.clone();
        self.worlds.seen.push(SeenInWorlds { name, span, worlds: live, value: diagram, observed, noise_variance });
        Ok(())
    }

    /// Whether a value is Gaussian in some world.
    pub(in crate::evaluate) fn can_be_gaussian(&mut self, value: &Value<S>) -> Outcome<bool> {
        Ok(match value {
            Value::Random { .. } => true,
            Value::Choice(super::Chosen::Diagram(diagram)) => {
                let leaves = self.worlds.diagrams.leaves_of(*diagram);
                leaves.iter().any(|leaf| matches!(self.worlds.leaves[*leaf as usize], Value::Random { .. }))
            }
            _ => false,
        })
    }
}
