//! Functions and methods whose arguments depend on choices, and elements at random places.

use super::Chosen;
use super::{
    arrays, dictionaries, distributions, lift, lists, matrices, operators, orders, picks, sets, sums, tallies, writes,
};
use crate::choices::Diagram;
use crate::evaluate::builtins::Arguments;
use crate::evaluate::fault::{Fault, NO_SUCH_ELEMENT, Outcome};
use crate::evaluate::state::State;
use crate::evaluate::value::Value;
use crate::evaluate::{arithmetic, builtins, choices, containers, exceptions, ndarray};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Builtin, CallShape, Iteration, Method, NumpyFunction};

/// `object[index]` where one of them depends on choices, or the list has holes.
pub(in crate::evaluate) fn index_choices<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    index: &Value<S>,
) -> Outcome<Value<S>> {
    if lift::has_holes(state, object)
        && let (Value::List(handle) | Value::Tuple(handle), Value::Int(position)) = (object, index)
    {
        let elements = state.heap.sequence(*handle).to_vec();
        return writes::index_holes(state, &elements, *position);
    }
    if let Some(element) = picks::picked(state, object, index)? {
        return Ok(element);
    }
    let values = [object.clone(), lift::expanded(state, index, 1)?];
    // Which worlds it is looked up in matters where something is missing in some of them.
    let is_default = matches!(object, Value::Dict(handle) if state.heap.dict(*handle).default.is_some());
    let tells_apart = is_default || lift::has_holes(state, object);
    let element = lift::lift(state, &values, tells_apart, &mut |state, values| {
        if let (Value::List(handle) | Value::Tuple(handle), Value::Int(position)) = (&values[0], &values[1])
            && lift::has_holes(state, &values[0])
        {
            let elements = state.heap.sequence(*handle).to_vec();
            return writes::index_holes(state, &elements, *position);
        }
        containers::index_value(state, &values[0], &values[1])
    })?;
    require_presence(state, &element)?;
    Ok(element)
}

/// Makes sure that a value is there in all worlds that are being looked at.
pub(in crate::evaluate) fn require_presence<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<()> {
    let hint = "it is added on one path through the program but looked up on all; check with `in` or `len` first";
    let fault = Fault::hinted(Code::MissingKey, NO_SUCH_ELEMENT, hint);
    require_presence_or(state, value, fault)
}

/// The same, with what to say otherwise.
pub(in crate::evaluate) fn require_presence_or<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    fault: Box<Fault>,
) -> Outcome<()> {
    let running = choices::running(state)?;
    let present = lift::presence(state, value)?;
    let missing = state.worlds.diagrams.without(running, present);
    let missing = missing.map_err(|too_wide| choices::too_wide(state, too_wide, &[running, present]))?;
    if missing == Diagram::FALSE {
        return Ok(());
    }
    let is_told = lift::is_impossible(state, missing)
        || exceptions::raise_there(state, &fault, missing)?
        || choices::is_harmless(state, &fault, missing)?;
    if is_told { Ok(()) } else { Err(fault) }
}

/// Makes sure that there is no value in any world that is being looked at: where there is one, the fault is raised.
pub(in crate::evaluate) fn require_absence_or<S: Scalar>(
    state: &mut State<S>,
    value: &Value<S>,
    fault: Box<Fault>,
) -> Outcome<()> {
    let running = choices::running(state)?;
    let present = lift::presence(state, value)?;
    let present = operators::conjunction(state, running, present)?;
    let is_told = present == Diagram::FALSE
        || lift::is_impossible(state, present)
        || exceptions::raise_there(state, &fault, present)?
        || choices::is_harmless(state, &fault, present)?;
    if is_told { Ok(()) } else { Err(fault) }
}

/// `object[index] = value` where the place depends on choices.
pub(in crate::evaluate) fn set_index_choices<S: Scalar>(
    state: &mut State<S>,
    object: &Value<S>,
    index: &Value<S>,
    value: &Value<S>,
) -> Outcome<()> {
    let values = [object.clone(), lift::expanded(state, index, 1)?];
    lift::lift(state, &values, true, &mut |state, values| {
        let (object, index) = (values[0].clone(), values[1].clone());
        writes::change(state, &object, |state| match (&object, &index) {
            (Value::List(handle), Value::Int(position)) if lift::has_holes(state, &object) => {
                writes::set_holes(state, *handle, *position, value)
            }
            (Value::List(_), Value::Slice(_)) if lift::has_holes(state, &object) => {
                let message = "a slice is assigned to a list whose length is random";
                Err(Fault::hinted(Code::RandomIndex, message, "make a new list"))
            }
            _ => containers::set_index(state, &object, &index, value.clone()),
        })?;
        Ok(Value::None)
    })?;
    Ok(())
}

/// A function of the language on choices; `None` if it takes them like any value.
pub(in crate::evaluate) fn call_on_choices<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Option<Value<S>>> {
    // What a view shows is a list to whoever goes through it.
    let is_shown = |state: &State<S>, value: &Value<S>| {
        matches!(value, Value::View(handle, _) if builtin != Builtin::Len
                && !tallies::is_tally(state, *handle) && lift::holds_choice(state, &Value::Dict(*handle), 0) && !lift::has_holes(state, value))
    };
    if values.iter().any(|value| is_shown(state, value)) {
        let mut shown = values.to_vec();
        for value in shown.iter_mut().filter(|value| matches!(value, Value::View(..))) {
            if is_shown(state, value) {
                let elements = containers::elements(state, value)?;
                *value = state.list(elements)?;
            }
        }
        return builtins::call_builtin(state, builtin, shape, &shown).map(Some);
    }
    // What goes through all of an iterator finds in it what a list would have, with what is missing in some worlds.
    if let (
        Builtin::Sum
        | Builtin::Set
        | Builtin::Sorted
        | Builtin::Min
        | Builtin::Max
        | Builtin::Any
        | Builtin::All
        | Builtin::Counter,
        [Value::Iterator(_), rest @ ..],
    ) = (builtin, values)
    {
        let elements = containers::elements(state, &values[0])?;
        let listed = state.list(elements)?;
        let listed: Vec<Value<S>> = std::iter::once(listed).chain(rest.iter().cloned()).collect();
        return builtins::call_builtin(state, builtin, shape, &listed).map(Some);
    }
    let direct = values.iter().any(|value| matches!(value, Value::Choice(_)));
    let holes = values.iter().any(|value| lift::has_holes(state, value));
    if let (true, Builtin::Len, [view @ Value::View(_, _)]) = (holes, builtin, values) {
        return lift::guarded_length(state, view).map(Some);
    }
    let inside = direct || values.iter().any(|value| lift::holds_choice(state, value, 0));
    if !inside {
        return Ok(None);
    }
    if values.iter().any(|value| matrices::is_matrix(state, value))
        && let Some(result) = matrices::matrix_function(state, builtin, shape, values)?
    {
        return Ok(Some(result));
    }
    Ok(Some(match (builtin, values) {
        (Builtin::Len, [only]) if !direct => {
            if !holes {
                return Ok(None);
            }
            lift::guarded_length(state, only)?
        }
        (
            Builtin::Enumerate
            | Builtin::Zip
            | Builtin::Reversed
            | Builtin::List
            | Builtin::Tuple
            | Builtin::Dict
            | Builtin::Condition
            | Builtin::Observe
            | Builtin::Iteration(_),
            _,
        ) if !direct && !holes => return Ok(None),
        // Where elements are missing does not matter to these.
        (Builtin::Iteration(Iteration::Chain | Iteration::ChainOf) | Builtin::Next, _) if !direct => {
            return Ok(None);
        }
        (Builtin::Divmod | Builtin::Operator(_), _) => return Ok(None),
        (Builtin::Dict, [Value::Dict(handle)])
            if holes && shape.positional == 1 && !tallies::is_tally(state, *handle) =>
        {
            let copy = dictionaries::copied(state, *handle)?;
            if let Value::Dict(copy) = copy {
                state.heap.dicts[copy as usize].default = None;
            }
            copy
        }
        // What is missing in some worlds is missing in the copy as well.
        (Builtin::List, [Value::List(handle)]) if !direct => {
            let elements = state.heap.sequence(*handle).to_vec();
            state.list(elements)?
        }
        (Builtin::Set, [_]) => sets::set_in_worlds(state, &values[0])?,
        (Builtin::Sorted, [Value::Set(set), ..]) => {
            let sorted = sets::sorted_set(state, *set, shape, values)?;
            state.list(sorted)?
        }
        (Builtin::Condition | Builtin::Observe, _) => return Ok(None),
        (Builtin::Array | Builtin::AsArray, [Value::List(_) | Value::Tuple(_) | Value::Array(_)]) if !holes => {
            let (elements, lengths) = matrices::nested_elements(state, &values[0], 0)?;
            let kind = arrays::kind_of_elements(state, &elements)?;
            ndarray::create::new_array(state, elements, lengths, kind)?
        }
        (Builtin::Counter, [list])
            if !direct
                && !holes
                && !matches!(list, Value::Dict(_))
                && is_flat(state, list)
                && let Some(tally) = tallies::tallied(state, list)? =>
        {
            tally
        }
        (Builtin::Numpy(NumpyFunction::Bincount), _)
            if !direct
                && !holes
                && let Some(counts) = tallies::counted_bins(state, shape, values)? =>
        {
            counts
        }
        (Builtin::Sorted, [list]) if !direct && !holes && shape.keywords.is_empty() && is_flat(state, list) => {
            let sorted = orders::sorted_choices(state, list)?;
            state.list(sorted)?
        }
        (Builtin::Sorted, [list, Value::Bool(reverse)])
            if !direct && !holes && shape.keywords == ["reverse"] && is_flat(state, list) =>
        {
            let mut sorted = orders::sorted_choices(state, list)?;
            if *reverse {
                sorted.reverse();
            }
            state.list(sorted)?
        }
        (Builtin::Sorted, [list])
            if !direct
                && !holes
                && shape.keywords.is_empty()
                && let Some(sorted) = orders::sorted_tuples(state, list)? =>
        {
            state.list(sorted)?
        }
        (Builtin::Median(median), [list, rest @ ..]) if !direct && !holes && shape.keywords.is_empty() => {
            let sorted = orders::sorted_choices(state, list)?;
            builtins::middle::middle_of(state, median, &sorted, rest.first())?
        }
        (Builtin::Numpy(NumpyFunction::Sort), [list]) if !direct && !holes && is_flat(state, list) => {
            let sorted = orders::sorted_choices(state, list)?;
            let (length, kind) = (sorted.len(), arrays::kind_of_elements(state, &sorted)?);
            ndarray::create::new_array(state, sorted, vec![length], kind)?
        }
        (Builtin::Numpy(NumpyFunction::CountNonzero), [list]) if !direct && !holes && is_flat(state, list) => {
            let mut events = Vec::new();
            for element in containers::elements(state, list)? {
                let event = choices::truth_event(state, &element)?;
                events.push(choices::settle(state, event));
            }
            let events = state.list(events)?;
            sum_elements(state, &events, &Value::Int(0))?
        }
        (builtin, [list, rest @ ..])
            if !direct
                && !holes
                && is_elementwise(builtin)
                && is_flat(state, list)
                && rest.iter().all(|value| !lift::holds_choice(state, value, 0) && state.number(value).is_some())
                && let Some(array) = element_by_element(state, builtin, shape, list, rest)? =>
        {
            array
        }
        (Builtin::ArrayMin | Builtin::ArrayMax, [list]) if !direct && !holes && is_flat(state, list) => {
            let builtin = if builtin == Builtin::ArrayMin { Builtin::Min } else { Builtin::Max };
            let elements = containers::elements(state, list)?;
            orders::extreme_of(state, builtin, &elements)?
        }
        (Builtin::Sum, [list]) if !matches!(list, Value::Choice(_)) => sum_elements(state, list, &Value::Int(0))?,
        (Builtin::Sum, [list, start]) if !matches!(list, Value::Choice(_)) => sum_elements(state, list, start)?,
        (Builtin::ArraySum | Builtin::ExactSum, [list]) if !matches!(list, Value::Choice(_)) => {
            sum_elements(state, list, &Value::Int(0))?
        }
        (Builtin::Mean | Builtin::StatisticsMean | Builtin::FloatMean | Builtin::Average, [list])
            if !matches!(list, Value::Choice(_)) =>
        {
            mean_elements(state, list)?
        }
        (Builtin::Any | Builtin::ArrayAny, [list]) if !matches!(list, Value::Choice(_)) => any_of(state, list, false)?,
        (Builtin::All | Builtin::ArrayAll, [list]) if !matches!(list, Value::Choice(_)) => any_of(state, list, true)?,
        (Builtin::Min | Builtin::Max, values)
            if !holes && shape.keywords.is_empty() && !matches!(values, [Value::Choice(_)]) =>
        {
            let elements = match values {
                [only] => containers::elements(state, only)?,
                several => several.to_vec(),
            };
            orders::extreme_of(state, builtin, &elements)?
        }
        (Builtin::Where, [mask, then, otherwise]) => arrays::choose_elements(state, mask, then, otherwise)?,
        (builtin, _) if distributions::is_discrete(builtin) => return Ok(None),
        (Builtin::Print, _) => return Ok(None),
        // What an object is an instance of does not depend on what it holds.
        (Builtin::IsInstance, _) if !direct => return Ok(None),
        _ => {
            let values = values.iter().map(|value| lift::expanded(state, value, 0)).collect::<Outcome<Vec<_>>>()?;
            // An object is not taken apart by what it holds.
            if !values.iter().any(is_choice) {
                return builtins::call_plainly(state, builtin, shape, &values).map(Some);
            }
            let has_effects = builtin == Builtin::GaussianMechanism || may_be_used_up(state, &values);
            lift::lift(state, &values, has_effects, &mut |state, values| {
                builtins::call_builtin(state, builtin, shape, values)
            })?
        }
    }))
}

/// A function of numpy on each element of its own; `None` if it does not take single values.
fn element_by_element<S: Scalar>(
    state: &mut State<S>,
    builtin: Builtin,
    shape: &CallShape,
    list: &Value<S>,
    rest: &[Value<S>],
) -> Outcome<Option<Value<S>>> {
    let mut elements = Vec::new();
    for element in containers::elements(state, list)? {
        let result = lift::lift(state, &[element], false, &mut |state, element| {
            let mut values = element.to_vec();
            values.extend_from_slice(rest);
            builtins::call_builtin(state, builtin, shape, &values)
        });
        match result {
            Ok(value) if !matches!(value, Value::Array(_) | Value::List(_)) => elements.push(value),
            Ok(_) | Err(_) => return Ok(None),
        }
    }
    let (length, kind) = (elements.len(), arrays::kind_of_elements(state, &elements)?);
    ndarray::create::new_array(state, elements, vec![length], kind).map(Some)
}

/// Whether a list or array has one dimension.
pub(super) fn is_flat<S: Scalar>(state: &State<S>, list: &Value<S>) -> bool {
    let is_single = |value: &Value<S>| !matches!(value, Value::List(_) | Value::Tuple(_) | Value::Array(_));
    match list {
        Value::Array(handle) => state.heap.array(*handle).shape.len() == 1,
        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).iter().all(is_single),
        _ => false,
    }
}

fn sum_elements<S: Scalar>(state: &mut State<S>, list: &Value<S>, start: &Value<S>) -> Outcome<Value<S>> {
    let elements = containers::elements(state, list)?;
    if elements.len() > 1
        && let Some(sum) = sums::sum_of_integers(state, &elements)?
    {
        return match start {
            Value::Int(0) => Ok(sum),
            start => arithmetic::binary(state, Binary::Add, start, &sum),
        };
    }
    let mut total = start.clone();
    for element in elements {
        let present = lift::presence(state, &element)?;
        let element = if present == Diagram::TRUE {
            element.plain()
        } else {
            lift::either(state, present, &element, &Value::Int(0))?
        };
        total = arithmetic::binary(state, Binary::Add, &total, &element)?;
    }
    Ok(total)
}

fn mean_elements<S: Scalar>(state: &mut State<S>, list: &Value<S>) -> Outcome<Value<S>> {
    let sum = sum_elements(state, list, &Value::Int(0))?;
    let length = lift::guarded_length(state, list)?;
    arithmetic::binary(state, Binary::Divide, &sum, &length)
}

fn any_of<S: Scalar>(state: &mut State<S>, list: &Value<S>, all: bool) -> Outcome<Value<S>> {
    let mut found = if all { Diagram::TRUE } else { Diagram::FALSE };
    for element in containers::elements(state, list)? {
        let present = lift::presence(state, &element)?;
        let happens = if present == Diagram::TRUE {
            choices::truth_event(state, &element)?
        } else {
            let neutral = Value::Bool(all);
            let element = lift::either(state, present, &element, &neutral)?;
            choices::truth_event(state, &element)?
        };
        found = if all {
            operators::conjunction(state, found, happens)?
        } else {
            operators::disjunction(state, found, happens)?
        };
    }
    Ok(choices::settle(state, found))
}

/// A method on choices; `None` if it takes them like any value.
pub(in crate::evaluate) fn method_on_choices<S: Scalar>(
    state: &mut State<S>,
    method: Method,
    object: &Value<S>,
    shape: &CallShape,
    values: &[Value<S>],
) -> Outcome<Option<Value<S>>> {
    if let Some(result) = lists::list_in_worlds(state, method, object, values)? {
        return Ok(Some(result));
    }
    if let Some(result) = sets::entry_in_worlds(state, method, object, shape, values)? {
        return Ok(Some(result));
    }
    let direct = matches!(object, Value::Choice(_)) || values.iter().any(|value| matches!(value, Value::Choice(_)));
    let holes = lift::has_holes(state, object);
    let inside = direct
        || holes
        || lift::holds_choice(state, object, 0)
        || values.iter().any(|value| lift::holds_choice(state, value, 0));
    if !inside {
        return Ok(None);
    }
    if matrices::is_matrix(state, object)
        && let Some(result) = matrices::matrix_method(state, method, object, shape, values)?
    {
        return Ok(Some(result));
    }
    let on_object = matches!(object, Value::Choice(_));
    Ok(Some(match method {
        Method::Append | Method::Extend if !on_object => return Ok(None),
        // What of these is random was looked into above.
        Method::Pop | Method::Insert | Method::Remove | Method::Reverse | Method::Clear | Method::OfSet(_)
            if !on_object =>
        {
            return Ok(None);
        }
        Method::Update | Method::Copy if matches!(object, Value::Set(_)) => return Ok(None),
        Method::Copy if !on_object && !matches!(object, Value::Dict(_)) => return Ok(None),
        Method::Copy if let Value::Dict(handle) = object => dictionaries::copied(state, *handle)?,
        Method::Items
        | Method::Keys
        | Method::Values
        | Method::ToList
        | Method::Size
        | Method::Shape
        | Method::Dimensions
        | Method::Transposed
        | Method::Reshape
        | Method::Ravel
        | Method::Flatten
            if !direct && !holes =>
        {
            return Ok(None);
        }
        Method::Sum if !on_object && values.is_empty() => sum_elements(state, object, &Value::Int(0))?,
        Method::Mean if !on_object && values.is_empty() => mean_elements(state, object)?,
        Method::Any if !on_object && values.is_empty() => any_of(state, object, false)?,
        Method::All if !on_object && values.is_empty() => any_of(state, object, true)?,
        Method::Min | Method::Max if !on_object && values.is_empty() && !holes => {
            let builtin = if method == Method::Min { Builtin::Min } else { Builtin::Max };
            let elements = containers::elements(state, object)?;
            orders::extreme_of(state, builtin, &elements)?
        }
        Method::Sort
            if !on_object
                && values.is_empty()
                && !holes
                && matches!(object, Value::List(_))
                && is_flat(state, object) =>
        {
            let sorted = orders::sorted_choices(state, object)?;
            let Value::List(handle) = object else { return Ok(None) };
            writes::change(state, object, |state| {
                state.heap.sequences[*handle as usize] = sorted;
                Ok(Value::None)
            })?
        }
        Method::Count if !on_object && values.len() == 1 && !holes => {
            let elements = containers::elements(state, object)?;
            tallies::count_equal(state, &elements, &values[0])?
        }
        Method::Count if !on_object && values.len() == 1 => {
            let mut total = Value::Int(0);
            for element in containers::elements(state, object)? {
                let equal = operators::equal_element(state, &values[0], &element)?;
                let equal = choices::settle(state, equal);
                total = arithmetic::binary(state, Binary::Add, &total, &equal)?;
            }
            total
        }
        Method::Get
            if let (Value::Dict(handle), [key, Value::Int(0)]) = (object, values)
                && tallies::is_tally(state, *handle)
                && !lift::holds_choice(state, key, 0) =>
        {
            tallies::tally_entry(state, *handle, key)?
        }
        Method::Update | Method::SetDefault | Method::Sort if !on_object => {
            dictionaries::change_in_worlds(state, method, object, shape, values)?
        }
        Method::Get
            if let Value::Dict(handle) = object
                && holes
                && (1..=2).contains(&values.len())
                && shape.keywords.is_empty() =>
        {
            dictionaries::entry_or(state, *handle, &values[0], values.get(1).unwrap_or(&Value::None))?
        }
        Method::MostCommon
            if let Value::Dict(handle) = object
                && values.len() <= 1
                && shape.keywords.is_empty()
                && !values.iter().any(is_choice) =>
        {
            tallies::most_common(state, *handle, values.first())?
        }
        Method::Get if !on_object && !holes => {
            // Only the key is looked at.
            let mut arguments = values.to_vec();
            if let Some(key) = arguments.first_mut() {
                *key = lift::expanded(state, key, 0)?;
            }
            let object = object.clone();
            lift::lift(state, &arguments[..1], false, &mut |state, key| {
                let mut values = arguments.clone();
                values[0] = key[0].clone();
                builtins::methods::method(state, method, &object, &Arguments { shape, values: &values })
            })?
        }
        _ => {
            let mut all = vec![lift::expanded(state, object, 0)?];
            for value in values {
                all.push(lift::expanded(state, value, 0)?);
            }
            if !all.iter().any(is_choice) && !holes {
                return Ok(None);
            }
            lift::lift(state, &all, true, &mut |state, all| {
                builtins::call_method(state, method, &all[0], shape, &all[1..])
            })?
        }
    }))
}

/// Whether a value is an iterator in some world: going through it changes it.
fn may_be_used_up<S: Scalar>(state: &State<S>, values: &[Value<S>]) -> bool {
    let is_iterator = |value: &Value<S>| matches!(value, Value::Iterator(_));
    values.iter().any(|value| match value {
        Value::Choice(Chosen::Diagram(diagram)) => {
            let leaves = state.worlds.diagrams.leaves_of(*diagram);
            leaves.iter().any(|leaf| is_iterator(&state.worlds.leaves[*leaf as usize]))
        }
        other => is_iterator(other),
    })
}

/// Whether a value depends on choices itself.
pub(in crate::evaluate) fn is_choice<S: Scalar>(value: &Value<S>) -> bool {
    matches!(value, Value::Choice(Chosen::Diagram(_) | Chosen::Sum(_) | Chosen::Pick(_)))
}

/// Functions of numpy that look at one element at a time.
fn is_elementwise(builtin: Builtin) -> bool {
    match builtin {
        Builtin::ArrayAbs | Builtin::ArrayMath(_) => true,
        Builtin::Numpy(function) => matches!(
            function,
            NumpyFunction::Clip
                | NumpyFunction::Maximum
                | NumpyFunction::Minimum
                | NumpyFunction::Round
                | NumpyFunction::Floor
                | NumpyFunction::Ceil
                | NumpyFunction::Square
                | NumpyFunction::Negative
        ),
        _ => false,
    }
}
