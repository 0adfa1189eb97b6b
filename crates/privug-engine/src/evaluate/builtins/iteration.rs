//! The functions of `itertools` and `operator`, `divmod` and `next`.

use super::super::fault::{Fault, Outcome};
use super::super::iterators::Walk;
use super::super::state::State;
use super::super::value::Value;
use super::arguments::{Argument, Arguments, given};
use super::collections;
use crate::evaluate::{arithmetic, choices, compare, containers, iterators, ndarray};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Binary, Iteration, Logic, OperatorFunction};

/// A function of `itertools`. Its result is worked out at once, and gone through once.
pub(super) fn iterated<S: Scalar>(
    state: &mut State<S>,
    function: Iteration,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let name = function.name();
    let items = match function {
        Iteration::Product => {
            let (lists, repeat) = lists_and_option(state, arguments, "repeat")?;
            let repeat = repeat.map_or(Ok(1), |repeat| how_many("repeat", &repeat))?;
            let elements = lists.iter().map(|list| 1 + list.len() as u64).sum::<u64>();
            state.budget.check_elements(elements.saturating_mul(repeat as u64))?;
            let pools: Vec<Vec<Value<S>>> = std::iter::repeat_n(lists, repeat).flatten().collect();
            let counts: Vec<usize> = pools.iter().map(Vec::len).collect();
            let count = counts.iter().try_fold(1u64, |product, count| product.checked_mul(*count as u64));
            check_arrangements(state, count, pools.len())?;
            // The last place changes fastest.
            let mut digits = vec![0usize; pools.len()];
            arranged(
                state,
                counts.iter().all(|count| *count > 0).then(|| digits.clone()),
                |_| {
                    for place in (0..digits.len()).rev() {
                        digits[place] += 1;
                        if digits[place] < counts[place] {
                            return Some(digits.clone());
                        }
                        digits[place] = 0;
                    }
                    None
                },
                &|place, digit| pools[place][digit].clone(),
            )?
        }
        Iteration::Combinations | Iteration::CombinationsWithReplacement => {
            let [pool, size] = arguments.bind(name, ["iterable", "r"], 2, 2)?;
            let pool = containers::elements(state, given(pool)?.value)?;
            let size = how_many("r", given(size)?.value)?;
            let again = function == Iteration::CombinationsWithReplacement;
            let exists = if again { size == 0 || !pool.is_empty() } else { size <= pool.len() };
            let size = if exists { size } else { 0 };
            let total = (pool.len() + if again { size.saturating_sub(1) } else { 0 }) as u64;
            check_arrangements(state, binomial(total, size as u64), size)?;
            let first: Vec<usize> = if again { vec![0; size] } else { (0..size).collect() };
            let mut places = first.clone();
            let total = pool.len();
            arranged(
                state,
                exists.then_some(first),
                |_| {
                    let last = |place: usize| if again { total - 1 } else { total - size + place };
                    let place = (0..size).rev().find(|place| places[*place] < last(*place))?;
                    places[place] += 1;
                    for next in place + 1..size {
                        places[next] = places[next - 1] + usize::from(!again);
                    }
                    Some(places.clone())
                },
                &|_, place| pool[place].clone(),
            )?
        }
        Iteration::Permutations => {
            let [pool, size] = arguments.bind(name, ["iterable", "r"], 1, 2)?;
            let pool = containers::elements(state, given(pool)?.value)?;
            let size = match size.map(|size| size.value) {
                None | Some(Value::None) => pool.len(),
                Some(size) => how_many("r", size)?,
            };
            let total = pool.len();
            let exists = size <= total;
            let size = if exists { size } else { 0 };
            let count = (0..size).try_fold(1u64, |product, taken| product.checked_mul((total - taken) as u64));
            check_arrangements(state, count, size)?;
            let mut places: Vec<usize> = (0..size).collect();
            arranged(
                state,
                exists.then(|| places.clone()),
                |_| {
                    // The next in the order of positions: the last place that can be raised, and the smallest behind it.
                    for place in (0..size).rev() {
                        let is_free = |candidate: &usize, before: &[usize]| !before.contains(candidate);
                        let raised = (places[place] + 1..total).find(|one| is_free(one, &places[..place]));
                        if let Some(raised) = raised {
                            places.truncate(place);
                            places.push(raised);
                            while places.len() < size {
                                let smallest = (0..total).find(|one| is_free(one, &places))?;
                                places.push(smallest);
                            }
                            return Some(places.clone());
                        }
                    }
                    None
                },
                &|_, place| pool[place].clone(),
            )?
        }
        Iteration::Chain => {
            let (lists, _) = lists_and_option(state, arguments, "")?;
            lists.concat()
        }
        Iteration::ChainOf => {
            let mut items = Vec::new();
            for list in containers::elements(state, arguments.one(name)?)? {
                items.extend(containers::elements(state, &list)?);
                state.budget.check_elements(items.len() as u64)?;
            }
            items
        }
        Iteration::Accumulate => {
            let [list, function, initial] = arguments.bind(name, ["iterable", "func|function", "initial"], 1, 2)?;
            if function.is_some_and(|function| !matches!(function.value, Value::None)) {
                return Err(Fault::new(Code::TypeMismatch, "the function of `accumulate` is not callable"));
            }
            let mut items: Vec<Value<S>> = initial.iter().map(|initial| initial.value.clone()).collect();
            for element in containers::elements(state, given(list)?.value)? {
                items.push(match items.last().cloned() {
                    Some(total) => arithmetic::binary(state, Binary::Add, &total, &element)?,
                    None => element,
                });
            }
            items
        }
        Iteration::GroupBy => {
            let [list] = arguments.bind(name, ["iterable"], 1, 1)?;
            let keyed =
                containers::elements(state, given(list)?.value)?.into_iter().map(|one| (one.clone(), one)).collect();
            return grouped_by(state, keyed);
        }
        Iteration::Pairwise => {
            let elements = containers::elements(state, arguments.one(name)?)?;
            let pairs = elements.windows(2).map(|pair| state.tuple(pair.to_vec()));
            pairs.collect::<Outcome<_>>()?
        }
        Iteration::Slice => {
            let bounds = match arguments.values {
                [_, stop] => vec![Value::None, stop.clone(), Value::None],
                [_, start, stop] => vec![start.clone(), stop.clone(), Value::None],
                [_, start, stop, step] => vec![start.clone(), stop.clone(), step.clone()],
                _ => return Err(Fault::new(Code::WrongArguments, "`islice` takes an iterable and a stop")),
            };
            for bound in bounds.iter().filter(|bound| !matches!(bound, Value::None)) {
                how_many("a bound of `islice`", bound)?;
            }
            // What is left of an iterator stays there in Python.
            if matches!(arguments.values[0], Value::Iterator(_)) {
                let hint = "make it a list first: `list(xs)[:n]`";
                return Err(Fault::hinted(Code::TypeMismatch, "`islice` of an iterator", hint));
            }
            let elements = containers::elements(state, &arguments.values[0])?;
            let list = state.list(elements)?;
            let part = containers::slice(state, &list, &bounds)?;
            containers::elements(state, &part)?
        }
        Iteration::Count => {
            let [start, step] = arguments.bind(name, ["start", "step"], 0, 2)?;
            let whole = |value: Option<Argument<'_, S>>, otherwise, what| match value {
                Some(value) => containers::whole(value.value, what),
                None => Ok(otherwise),
            };
            let (next, step) = (whole(start, 0, "the start of `count`")?, whole(step, 1, "the step of `count`")?);
            return iterators::iterator(state, Walk::Count { next, step, rounds: 0 }, &[]);
        }
        Iteration::Repeat => {
            let [value, times] = arguments.bind(name, ["object", "times"], 2, 2)?;
            let times = how_many("times", given(times)?.value)?;
            state.budget.check_elements(times as u64)?;
            vec![given(value)?.value.clone(); times]
        }
    };
    state.budget.spend_elements(items.len() as u64)?;
    iterators::iterator(state, Walk::Items { items: items.into_iter() }, &[])
}

/// Groups of neighbours with the same key, as pairs of the key and a list.
pub(in super::super) fn grouped_by<S: Scalar>(
    state: &mut State<S>,
    keyed: Vec<(Value<S>, Value<S>)>,
) -> Outcome<Value<S>> {
    let mut groups: Vec<(Value<S>, Vec<Value<S>>)> = Vec::new();
    for (key, element) in keyed {
        if choices::lift::holds_choice(state, &key, 0) || matches!(key, Value::Unbound) || key.as_random().is_some() {
            let hint = "count with `sum(...)` or a dictionary, whose keys are known";
            return Err(Fault::hinted(Code::RandomIndex, "`groupby` of keys that are random", hint));
        }
        match groups.last_mut() {
            Some((last, group)) if compare::equal(state, last, &key, 0)? => group.push(element),
            _ => groups.push((key, vec![element])),
        }
    }
    let mut pairs = Vec::with_capacity(groups.len());
    for (key, group) in groups {
        let group = state.list(group)?;
        pairs.push(state.tuple(vec![key, group])?);
    }
    iterators::iterator(state, Walk::Items { items: pairs.into_iter() }, &[])
}

/// Tuples of elements, one for each arrangement of their places.
fn arranged<S: Scalar>(
    state: &mut State<S>,
    first: Option<Vec<usize>>,
    mut next: impl FnMut(&[usize]) -> Option<Vec<usize>>,
    element: &dyn Fn(usize, usize) -> Value<S>,
) -> Outcome<Vec<Value<S>>> {
    let mut tuples = Vec::new();
    let mut places = first;
    while let Some(at) = places {
        let parts = at.iter().enumerate().map(|(place, digit)| element(place, *digit)).collect();
        tuples.push(state.tuple(parts)?);
        state.budget.spend_steps(1 + at.len() as u64)?;
        places = next(&at);
    }
    Ok(tuples)
}

/// Refuses more arrangements than there is room for before they are made.
fn check_arrangements<S: Scalar>(state: &State<S>, count: Option<u64>, size: usize) -> Outcome<()> {
    state.budget.check_elements(count.and_then(|count| count.checked_mul(size.max(1) as u64)).unwrap_or(u64::MAX))
}

/// The lists that a function is given by position, and an option of its own.
#[expect(clippy::type_complexity, reason = "two values, which the sentence above names")]
fn lists_and_option<S: Scalar>(
    state: &mut State<S>,
    arguments: &Arguments<'_, S>,
    option: &str,
) -> Outcome<(Vec<Vec<Value<S>>>, Option<Value<S>>)> {
    let positional = arguments.shape.positional as usize;
    if let Some(unknown) = arguments.shape.keywords.iter().find(|name| *name != option) {
        return Err(Fault::new(Code::WrongArguments, format!("there is no parameter `{unknown}` here")));
    }
    let mut lists = Vec::with_capacity(positional);
    for value in &arguments.values[..positional] {
        lists.push(containers::elements(state, value)?);
    }
    Ok((lists, arguments.values.get(positional).cloned()))
}

fn how_many<S: Scalar>(what: &str, value: &Value<S>) -> Outcome<usize> {
    let count = containers::whole(value, what)?;
    usize::try_from(count).map_err(|_| Fault::new(Code::BadArgument, format!("{what} is {count}, below 0")))
}

/// `divmod(a, b)`
pub(super) fn quotient_and_rest<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [a, b] = arguments.bind("divmod", ["x", "y"], 2, 2)?;
    let (a, b) = (given(a)?.value, given(b)?.value);
    let quotient = arithmetic::binary(state, Binary::FloorDivide, a, b)?;
    let rest = arithmetic::binary(state, Binary::Remainder, a, b)?;
    state.tuple(vec![quotient, rest])
}

/// `next(xs)` and `next(xs, default)`; the first argument is a generator, or an iterator.
pub(super) fn next_of<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let [source, default] = arguments.bind("next", ["iterator", "default"], 1, 2)?;
    let (source, default) = (given(source)?.value, default.map(|default| default.value));
    match source {
        Value::List(_) => {
            let elements = containers::elements(state, source)?;
            choices::lists::first_of(state, &elements, default)
        }
        Value::Iterator(handle) if !state.worlds.are_split() => match iterators::advance(state, *handle)? {
            Some(item) if choices::dictionaries::is_hole(state, &item) => {
                let hint = "make it a list, and look at its first element";
                Err(Fault::hinted(Code::RandomIndex, "`next` of an iterator whose items are random", hint))
            }
            Some(item) => Ok(item),
            None => choices::lists::first_of(state, &[], default),
        },
        other => {
            let message = format!("`next` of {}", other.kind());
            Err(Fault::hinted(Code::TypeMismatch, message, "write `next(x for x in xs)`"))
        }
    }
}

/// A function of `operator`.
pub(super) fn operator_function<S: Scalar>(
    state: &mut State<S>,
    function: OperatorFunction,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let [a, b] = arguments.bind(function.name(), ["a", "b"], 2, 2)?;
    let (a, b) = (given(a)?.value, given(b)?.value);
    match function {
        OperatorFunction::Add => arithmetic::binary(state, Binary::Add, a, b),
        OperatorFunction::Subtract => arithmetic::binary(state, Binary::Subtract, a, b),
        OperatorFunction::Multiply => arithmetic::binary(state, Binary::Multiply, a, b),
        OperatorFunction::And => ndarray::elementwise::logic_of(state, Logic::And, a, b, false),
        OperatorFunction::Or => ndarray::elementwise::logic_of(state, Logic::Or, a, b, false),
        OperatorFunction::Xor => ndarray::elementwise::logic_of(state, Logic::Xor, a, b, false),
    }
}

/// `statistics.mode(xs)`: the most frequent value, the first of those that are as frequent.
pub(super) fn mode<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    arguments.one("mode")?;
    let Value::Dict(handle) = collections::counter(state, arguments)? else { return Ok(Value::Poison) };
    let mut best: Option<(Value<S>, i64)> = None;
    for (key, count) in state.heap.dict(handle).entries.clone() {
        let count = containers::whole(&count, "a count")?;
        if best.as_ref().is_none_or(|(_, most)| count > *most) {
            best = Some((key, count));
        }
    }
    best.map(|(key, _)| key).ok_or_else(|| Fault::new(Code::BadArgument, "`mode` of nothing"))
}

/// How many ways there are to choose; `None` if they are too many to count.
fn binomial(n: u64, k: u64) -> Option<u64> {
    if k > n {
        return Some(0);
    }
    let mut ways = 1u64;
    for place in 0..k.min(n - k) {
        ways = ways.checked_mul(n - place)? / (place + 1);
    }
    Some(ways)
}
