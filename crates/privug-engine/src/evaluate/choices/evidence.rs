//! What is seen of random values: events, discrete values, and Gaussian values in some worlds.

use super::SeenInWorlds;
use crate::choices::Diagram;
use crate::evaluate::fault::{Fault, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{arithmetic, builtins, choices, compare, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Comparison};

/// What to do about an observation that is not among the values of a distribution that were kept.
const TOO_UNLIKELY: &str = "less likely values of `Poisson` and `Geometric` are ignored: check the observed value, or give the probabilities with `Categorical`";

/// `condition(event)`
pub(in crate::evaluate) fn condition_on_event<S: Scalar>(
    state: &mut State<S>,
    name: &str,
    event: &Value<S>,
) -> Outcome<Value<S>> {
    match event {
        Value::Choice(_) | Value::Bool(_) | Value::NumpyBool(_) => {}
        Value::Random { .. } => {
            let message = format!("`{name}` is a Gaussian variable: its observed value is missing");
            return Err(Fault::hinted(Code::ConditionOnConstant, message, "`condition(x, value)`"));
        }
        other => {
            let message = format!("`{name}` is {}, not an event", other.kind());
            let hint = "`condition(event)` takes a random boolean; `condition(x, value)` a value that was seen";
            return Err(Fault::hinted(Code::ConditionOnConstant, message, hint));
        }
    }
    let happens = choices::truth_event(state, event)?;
    see_event(state, name, happens)?;
    Ok(Value::None)
}

/// Something happened, in the worlds that are being looked at.
pub(in crate::evaluate) fn see_event<S: Scalar>(state: &mut State<S>, name: &str, event: Diagram) -> Outcome<()> {
    let (active, before) = (state.worlds.active, state.worlds.event);
    let excluded = state.worlds.diagrams.without(active, event);
    let excluded = excluded.map_err(|too_wide| choices::too_wide(state, too_wide, &[active, event]))?;
    let left = state.worlds.diagrams.without(before, excluded);
    let left = left.map_err(|too_wide| choices::too_wide(state, too_wide, &[before, excluded]))?;
    if left == Diagram::FALSE {
        if state.worlds.truncated.is_empty() {
            let message = format!("`{name}` is observed, but impossible");
            let hint = "its probability is 0 given the earlier observations";
            return Err(Fault::hinted(Code::Contradiction, message, hint));
        }
        let message = format!("`{name}` is observed, but impossible or less likely than 1e-290");
        return Err(Fault::hinted(Code::TooUnlikely, message, TOO_UNLIKELY));
    }
    // What asks many choices one after the other is put aside, as an event of its own.
    if state.worlds.diagrams.levels(left) < state.budget.limits.levels / 2 {
        state.worlds.event = left;
    } else {
        state.worlds.earlier_events.push(left);
        state.worlds.event = Diagram::TRUE;
    }
    state.worlds.has_seen = true;
    Ok(())
}

/// `condition(x, value)` where one of them depends on choices, or a Gaussian is seen in some worlds only.
pub(in crate::evaluate) fn see_in_worlds<S: Scalar>(
    state: &mut State<S>,
    name: String,
    variable: &Value<S>,
    value: &Value<S>,
    noise_variance: &S,
) -> Outcome<()> {
    let live = choices::live(state)?;
    // A number that a register holds in these worlds only is that number.
    let value = &number_here(state, value)?;
    let is_gaussian = can_be_gaussian(state, variable)? || can_be_gaussian(state, value)?;
    if !is_gaussian {
        if !noise_variance.is_zero() {
            let message = format!("`{name}` is discrete, but observed with Gaussian noise");
            let hint = "make the noise part of the program: `condition(Normal(x, variance), value)`";
            return Err(Fault::hinted(Code::ConditionOnConstant, message, hint));
        }
        let equal = compare::compare(state, Comparison::Equal, variable, value)?;
        let event = choices::truth_event(state, &equal)?;
        let given = format!("{name} == {}", text::show(state, value));
        return see_event(state, &given, event);
    }
    let (seen, observed) = match value {
        Value::Choice(_) | Value::Random { .. } => {
            (arithmetic::binary(state, Binary::Subtract, variable, value)?, S::zero())
        }
        _ => (variable.clone(), builtins::evidence::observed_value(state, value)?),
    };
    let seen = if noise_variance.is_zero() {
        seen
    } else {
        let noise = state.push_node(S::zero(), [], noise_variance.clone()).map(Value::random)?;
        arithmetic::binary(state, Binary::Add, &seen, &noise)?
    };
    let diagram = choices::diagram_of(state, &seen)?;
    let span = state.span;
    state.budget.spend_elements(8)?;
    let noise_variance = noise_variance.clone();
    state.worlds.seen.push(SeenInWorlds { name, span, worlds: live, value: diagram, observed, noise_variance });
    Ok(())
}

/// What a value is in the worlds that are being looked at, if it is one number there.
fn number_here<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Value<S>> {
    let Value::Choice(super::Chosen::Diagram(diagram)) = value else { return Ok(value.clone()) };
    let running = choices::running(state)?;
    let product = state.worlds.diagrams.product(running, &[*diagram]);
    let (_, tuples) = product.map_err(|too_wide| choices::too_wide(state, too_wide, &[running, *diagram]))?;
    match &tuples[..] {
        [only] => Ok(state.worlds.leaves[only[0] as usize].clone()),
        _ => Ok(value.clone()),
    }
}

/// Whether a value is Gaussian in some world.
pub(in crate::evaluate) fn can_be_gaussian<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<bool> {
    Ok(match value {
        Value::Random { .. } => true,
        Value::Choice(super::Chosen::Diagram(diagram)) => {
            let leaves = state.worlds.diagrams.leaves_of(*diagram);
            leaves.iter().any(|leaf| matches!(state.worlds.leaves[*leaf as usize], Value::Random { .. }))
        }
        _ => false,
    })
}
