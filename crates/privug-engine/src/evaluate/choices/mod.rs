//! Random values with finitely many answers inside a run.
//!
//! There is always a set of worlds that the instruction under way is carried out in. A value that depends on choices is
//! a diagram whose leaves are ordinary values; an operation on it is carried out once for each combination of leaves. A
//! branch on such a value is taken both ways (see `threads`), and what is written on one of them keeps its old value in
//! the other worlds (see `writes`).

pub(super) mod arrays;
pub(super) mod arrivals;
pub(super) mod calls;
mod conclude;
pub(super) mod dictionaries;
pub(super) mod distributions;
pub(super) mod evidence;
pub(super) mod lift;
pub(super) mod lists;
pub(super) mod matrices;
pub(super) mod model;
pub(super) mod operators;
pub(super) mod orders;
pub(super) mod picks;
mod runs;
pub(super) mod sets;
pub(super) mod shapes;
pub(super) mod sums;
pub(super) mod tallies;
mod threads;
pub(super) mod writes;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub use model::{Answer, ChoiceModel, GaussianSeen, NamedChoice, SumOfChoices};
pub use orders::{OrderStatistic, Ordered};
pub(super) use threads::{MAX_ROUNDS_IN_WORLDS, Split, endless_loop};

use super::fault::{Fault, Outcome};
use super::state::State;
use super::value::{Handle, Value};
use crate::choices::{Diagram, Diagrams, Law, TooWide};
use crate::evaluate::compare;
use crate::network::NodeId;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::source::Span;
use sums::Sum;

/// Different nodes of diagrams that a run may make.
const MAX_NODES: usize = 1_000_000;

/// A value that has more values than this gets no choice of its own.
const MAX_DERIVED_VALUES: usize = 256;

/// After so many parts of diagrams a run is a long one: then values with few values get choices of their own earlier,
/// when they ask so many choices one after the other.
const BUSY: usize = 20_000;
const SHORT_LEVELS: u32 = 5;
const FEW_VALUES: usize = 4;

/// A value that depends on choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chosen {
    /// A leaf of the diagram, by its number.
    Diagram(Diagram),
    /// A sum that is not worked out yet, by its number: see [`Sum`].
    Sum(u32),
    /// An element at a random place, by its number: see [`picks`].
    Pick(u32),
}

/// A Gaussian value that was seen in some worlds.
#[derive(Debug, Clone)]
pub(super) struct SeenInWorlds<S> {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) worlds: Diagram,
    pub(super) value: Diagram,
    pub(super) observed: S,
    pub(super) noise_variance: S,
}

/// The choices of a run, and which worlds are being looked at.
#[derive(Debug)]
pub(super) struct Worlds<S> {
    pub(super) diagrams: Diagrams,
    pub(super) laws: Vec<Law<S>>,
    /// What each choice is called in messages.
    pub(super) spans: Vec<Span>,
    /// The values of leaves; the first two are `False` and `True`, so that events are booleans.
    pub(super) leaves: Vec<Value<S>>,
    numbers: HashMap<LeafKey, u32>,
    sums: Vec<Sum>,
    orders: Vec<OrderStatistic>,
    /// The values of the order statistics.
    order_values: Vec<Diagram>,
    /// Whether what the function returns is being looked at, after its end.
    pub(super) is_publishing: bool,
    /// What [`Sum::All`] adds up.
    summed_lists: Vec<Rc<[Diagram]>>,
    /// Large sums taken apart, as far as anybody has asked, and the values that sums can have.
    terms: RefCell<HashMap<u32, Rc<sums::Terms>>>,
    ranges: RefCell<HashMap<u32, (i64, i64)>>,
    expanded: HashMap<u32, Diagram>,
    known_shapes: shapes::KnownShapes,
    picks: Vec<picks::Pick<S>>,
    /// The dictionaries that count random values, and what they count.
    tallies: HashMap<Handle, Rc<[Value<S>]>>,
    /// Dictionaries whose keys come in another order in some worlds: when each came.
    pub(in crate::evaluate) arrivals: HashMap<Handle, arrivals::Arrivals<S>>,
    /// Whether nobody asks for the order of keys.
    pub(super) is_order_free: bool,
    /// What is seen of the result, by its path, while the result is taken apart.
    pub(super) observed_paths: Vec<String>,
    /// Counts that were published without being mentioned: these are 0.
    pub(super) unmentioned: Vec<String>,
    integral: HashMap<Diagram, bool>,
    /// How many operations under way have been carried out on operands in which nothing was left to choose.
    unchosen: u32,
    /// The choices that stand for sums.
    summed: HashMap<u32, u32>,
    thresholds: HashMap<NodeId, u32>,
    /// The worlds that the instruction under way is carried out in.
    pub(super) active: Diagram,
    /// What was seen of choices lately.
    pub(super) event: Diagram,
    /// What was seen of choices before that: each is an event of its own, so that none grows without end.
    pub(super) earlier_events: Vec<Diagram>,
    /// The choices that stand for values which depend on long chains of them.
    derived: HashMap<Diagram, Diagram>,
    /// Whether anything was.
    pub(super) has_seen: bool,
    /// Worlds that what was seen excludes, and in which the program would have failed afterwards. What was seen does not
    /// end a world: what is known of a secret beforehand is asked of all of them.
    pub(super) failed: Diagram,
    /// Choices whose distribution was cut off.
    truncated: Vec<u32>,
    pub(super) seen: Vec<SeenInWorlds<S>>,
    /// The worlds that lists and dictionaries were made in, where these are not all.
    births: HashMap<(bool, Handle), Diagram>,
    /// How often the elements of lists have changed their places in some worlds: a loop that goes through one would be lost.
    pub(super) reshaped: HashMap<Handle, u32>,
}

/// What tells leaves apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum LeafKey {
    Unbound,
    None,
    Missing,
    Bool(bool),
    Int(i64),
    Number(bool, u64, Option<String>),
    Text(String),
    Random(NodeId, [u64; 2], [Option<String>; 2]),
    Tuple(Vec<LeafKey>),
    /// Everything with a place in the heap is itself.
    Handle(u8, Handle),
    /// Never equal to another.
    Own(u32),
}

impl LeafKey {
    /// Whether values with equal keys are the same; functions, for one, are never known to be.
    fn is_comparable(&self) -> bool {
        match self {
            LeafKey::Own(_) => false,
            LeafKey::Tuple(parts) => parts.iter().all(LeafKey::is_comparable),
            LeafKey::Unbound
            | LeafKey::None
            | LeafKey::Missing
            | LeafKey::Bool(_)
            | LeafKey::Int(_)
            | LeafKey::Number(..)
            | LeafKey::Text(_)
            | LeafKey::Random(..)
            | LeafKey::Handle(..) => true,
        }
    }
}

impl<S: Scalar> Worlds<S> {
    pub(super) fn new() -> Self {
        let leaves = vec![Value::Bool(false), Value::Bool(true), Value::Unbound];
        let numbers =
            HashMap::from([(LeafKey::Bool(false), 0), (LeafKey::Bool(true), 1), (LeafKey::Unbound, UNBOUND_LEAF)]);
        Worlds {
            diagrams: Diagrams::new(MAX_NODES),
            laws: Vec::new(),
            spans: Vec::new(),
            leaves,
            numbers,
            sums: Vec::new(),
            orders: Vec::new(),
            order_values: Vec::new(),
            is_publishing: false,
            summed_lists: Vec::new(),
            terms: RefCell::new(HashMap::new()),
            ranges: RefCell::new(HashMap::new()),
            expanded: HashMap::new(),
            known_shapes: shapes::KnownShapes::default(),
            picks: Vec::new(),
            tallies: HashMap::new(),
            arrivals: HashMap::new(),
            is_order_free: false,
            observed_paths: Vec::new(),
            unmentioned: Vec::new(),
            integral: HashMap::new(),
            unchosen: 0,
            summed: HashMap::new(),
            thresholds: HashMap::new(),
            active: Diagram::TRUE,
            event: Diagram::TRUE,
            earlier_events: Vec::new(),
            derived: HashMap::new(),
            has_seen: false,
            failed: Diagram::FALSE,
            truncated: Vec::new(),
            seen: Vec::new(),
            births: HashMap::new(),
            reshaped: HashMap::new(),
        }
    }

    /// Whether a choice was made.
    pub(super) fn exist(&self) -> bool {
        !self.laws.is_empty()
    }

    /// Takes away what was seen, for what is asked of all worlds.
    pub(super) fn forget_events(&mut self) -> (Diagram, Vec<Diagram>) {
        (std::mem::replace(&mut self.event, Diagram::TRUE), std::mem::take(&mut self.earlier_events))
    }

    /// Puts back what was seen.
    pub(super) fn recall_events(&mut self, (event, earlier): (Diagram, Vec<Diagram>)) {
        self.event = event;
        self.earlier_events = earlier;
    }

    /// Whether only some worlds are being looked at.
    pub(super) fn are_split(&self) -> bool {
        self.active != Diagram::TRUE
    }
}

/// The leaf of worlds without a value.
const UNBOUND_LEAF: u32 = 2;

/// The worlds that are being looked at and that nothing seen so far excludes.
pub(super) fn live<S: Scalar>(state: &mut State<S>) -> Outcome<Diagram> {
    let (active, event) = (state.worlds.active, state.worlds.event);
    let live = state.worlds.diagrams.and(active, event);
    live.map_err(|too_wide| self::too_wide(state, too_wide, &[active, event]))
}

/// The worlds that are being looked at and in which the program goes on.
pub(super) fn running<S: Scalar>(state: &mut State<S>) -> Outcome<Diagram> {
    let (active, failed) = (state.worlds.active, state.worlds.failed);
    if failed == Diagram::FALSE {
        return Ok(active);
    }
    let running = state.worlds.diagrams.without(active, failed);
    running.map_err(|too_wide| self::too_wide(state, too_wide, &[active, failed]))
}

/// Whether a fault happens only in worlds that what was seen excludes; then the program ends there.
pub(super) fn is_harmless<S: Scalar>(state: &mut State<S>, fault: &Fault, worlds: Diagram) -> Outcome<bool> {
    if !state.worlds.has_seen || !fault.is_of_its_worlds() {
        return Ok(false);
    }
    let event = state.worlds.event;
    let mut possible = operators::conjunction(state, worlds, event)?;
    for event in state.worlds.earlier_events.clone() {
        possible = operators::conjunction(state, possible, event)?;
    }
    if possible != Diagram::FALSE {
        return Ok(false);
    }
    let failed = state.worlds.failed;
    state.worlds.failed = operators::disjunction(state, failed, worlds)?;
    Ok(true)
}

/// A new choice.
pub(super) fn new_choice<S: Scalar>(state: &mut State<S>, law: Law<S>) -> Outcome<u32> {
    if (state.worlds.laws.len() as u64) >= state.budget.limits.variables {
        let message = format!("the program makes more than {} random variables", state.budget.limits.variables);
        return Err(Fault::hinted(Code::VariableLimit, message, "raise it with `--max-variables`"));
    }
    state.worlds.laws.push(law);
    state.worlds.spans.push(state.span);
    Ok(state.worlds.laws.len() as u32 - 1)
}

/// The same value; one that depends on a long chain of choices gets a choice of its own, so that what is computed
/// from it does not go through the chain again.
pub(super) fn shortened<S: Scalar>(state: &mut State<S>, diagram: Diagram) -> Outcome<Diagram> {
    let levels = state.worlds.diagrams.levels(diagram);
    let is_busy = state.worlds.diagrams.work() > BUSY && levels >= SHORT_LEVELS;
    if levels < state.budget.limits.levels && !is_busy {
        return Ok(diagram);
    }
    if let Some(known) = state.worlds.derived.get(&diagram) {
        return Ok(*known);
    }
    let leaves = state.worlds.diagrams.leaves_of(diagram);
    if levels < state.budget.limits.levels && leaves.len() > FEW_VALUES {
        return Ok(diagram);
    }
    let choices = state.worlds.diagrams.choices_of(&[diagram]);
    let has_sums =
        choices.iter().any(|choice| matches!(state.worlds.laws[*choice as usize], Law::Sum(_) | Law::Order(_)));
    // Where there is no value is known by the choices themselves, and would be forgotten; so would be which container is
    // filled or changed in which worlds.
    let is_container = |leaf: &u32| {
        let value = &state.worlds.leaves[*leaf as usize];
        matches!(value, Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Array(_) | Value::Object(..))
            || (matches!(value, Value::Tuple(_)) && lift::holds_choice(state, value, 0))
    };
    let is_known_by_worlds = leaves.contains(&UNBOUND_LEAF) || leaves.iter().any(is_container);
    if leaves.len() > MAX_DERIVED_VALUES || has_sums || is_known_by_worlds {
        return Ok(diagram);
    }
    let choice = new_choice(state, Law::Derived(diagram, leaves.clone().into()))?;
    let edges = leaves.iter().enumerate().map(|(answer, leaf)| (answer as i64, Diagram::leaf(*leaf)));
    let derived = state.worlds.diagrams.decide(choice, edges);
    let derived = derived.map_err(|too_wide| self::too_wide(state, too_wide, &[diagram]))?;
    state.worlds.derived.insert(diagram, derived);
    Ok(derived)
}

/// The number of the leaf with a value.
pub(super) fn leaf<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> u32 {
    let key = leaf_key(state, value, 0);
    let next = state.worlds.leaves.len() as u32;
    let number = *state.worlds.numbers.entry(key).or_insert(next);
    if number == next {
        state.worlds.leaves.push(value.clone());
    }
    number
}

fn leaf_key<S: Scalar>(state: &State<S>, value: &Value<S>, depth: usize) -> LeafKey {
    let number =
        |numpy: bool, value: &S| LeafKey::Number(numpy, (value.to_f64() + 0.0).to_bits(), value.to_exact_string());
    match value {
        Value::Unbound => LeafKey::Unbound,
        Value::None => LeafKey::None,
        Value::Missing => LeafKey::Missing,
        Value::Bool(value) | Value::NumpyBool(value) => LeafKey::Bool(*value),
        Value::Int(value) | Value::NumpyInt(value) => LeafKey::Int(*value),
        Value::Counted(counted) => LeafKey::Int(counted.count),
        Value::BigInt(handle) => LeafKey::Text(format!("int {}", state.heap.integer(*handle))),
        Value::Float(value) => number(false, value),
        Value::NumpyFloat(value) => number(true, value),
        Value::Text(handle) => LeafKey::Text(state.heap.text(*handle).to_owned()),
        Value::Random { node, scale, offset } => LeafKey::Random(
            *node,
            [scale.to_f64().to_bits(), offset.to_f64().to_bits()],
            [scale.to_exact_string(), offset.to_exact_string()],
        ),
        Value::Tuple(handle) if depth < 8 => {
            let parts = state.heap.sequence(*handle).iter();
            LeafKey::Tuple(parts.map(|part| leaf_key(state, part, depth + 1)).collect())
        }
        Value::Tuple(handle) | Value::List(handle) => LeafKey::Handle(0, *handle),
        Value::Array(handle) => LeafKey::Handle(1, *handle),
        Value::Dict(handle) | Value::Object(handle, _) => LeafKey::Handle(2, *handle),
        Value::Range(handle) => LeafKey::Handle(3, *handle),
        Value::Iterator(handle) => LeafKey::Handle(4, *handle),
        Value::Slice(handle) => LeafKey::Handle(5, *handle),
        Value::Frame(handle) => LeafKey::Handle(6, *handle),
        Value::Set(handle) => LeafKey::Handle(7, *handle),
        Value::Choice(_)
        | Value::Poison
        | Value::View(_, _)
        | Value::Series(_)
        | Value::Groups(_)
        | Value::Loc(_)
        | Value::Function(_) => LeafKey::Own(state.worlds.leaves.len() as u32),
    }
}

/// The value that a diagram stands for: its leaf, if it has only one.
pub(super) fn settle<S: Scalar>(state: &State<S>, diagram: Diagram) -> Value<S> {
    match diagram.as_leaf() {
        Some(leaf) => state.worlds.leaves[leaf as usize].clone(),
        None => Value::Choice(Chosen::Diagram(diagram)),
    }
}

/// Whether a value depends on one choice, and is a number, a boolean or a text for each of its answers.
pub(super) fn is_plain_choice<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    let Value::Choice(Chosen::Diagram(diagram)) = value else { return false };
    let is_plain = |leaf: u32| {
        let leaf = &state.worlds.leaves[leaf as usize];
        matches!(leaf, Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_))
    };
    let diagrams = &state.worlds.diagrams;
    diagrams.single(*diagram).is_some()
        && diagrams.edges(*diagram).iter().all(|(_, to)| to.as_leaf().is_some_and(is_plain))
}

/// The diagram of any value.
pub(super) fn diagram_of<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Diagram> {
    match value {
        Value::Choice(Chosen::Diagram(diagram)) => Ok(*diagram),
        Value::Choice(Chosen::Sum(sum)) => sums::expand_sum(state, *sum),
        Value::Choice(Chosen::Pick(pick)) => picks::expand_pick(state, *pick),
        other => Ok(Diagram::leaf(leaf(state, other))),
    }
}

/// The worlds in which a value is true.
pub(super) fn truth_event<S: Scalar>(state: &mut State<S>, value: &Value<S>) -> Outcome<Diagram> {
    match value {
        Value::Choice(_) => {
            let truth = lift::lift(state, std::slice::from_ref(value), false, &mut |state, values| {
                // A list that one of the values is may be empty in some of its worlds.
                if lift::has_holes(state, &values[0]) {
                    let event = truth_event(state, &values[0])?;
                    return Ok(settle(state, event));
                }
                compare::truth(state, &values[0]).map(Value::Bool)
            })?;
            let event = diagram_of(state, &truth)?;
            // Without a value, nothing happens.
            if lift::is_partial(state, event) { lift::leaf_event(state, event, 1) } else { Ok(event) }
        }
        other if lift::has_holes(state, other) => {
            let length = lift::guarded_length(state, other)?;
            let some = compare::compare(state, privug_language::program::Comparison::Greater, &length, &Value::Int(0))?;
            diagram_of(state, &some)
        }
        other => compare::truth(state, other).map(|truth| if truth { Diagram::TRUE } else { Diagram::FALSE }),
    }
}

/// The worlds in which a value is a known one, by the choices that it comes from themselves: a choice of its own would not
/// show which worlds all runs of a function together are.
pub(super) fn event_of<S: Scalar>(state: &mut State<S>, value: &Value<S>, known: &Value<S>) -> Outcome<Diagram> {
    let diagram = diagram_of(state, value)?;
    let mut equal = HashSet::new();
    for leaf in state.worlds.diagrams.leaves_of(diagram) {
        let value = state.worlds.leaves[leaf as usize].clone();
        if leaf != UNBOUND_LEAF {
            let found = compare::compare(state, privug_language::program::Comparison::Equal, &value, known)?;
            if compare::truth(state, &found)? {
                equal.insert(leaf);
            }
        }
    }
    let event = |leaf: u32| Ok(if equal.contains(&leaf) { Diagram::TRUE } else { Diagram::FALSE });
    let event = state.worlds.diagrams.relabel(diagram, &mut { event });
    event.map_err(|too_wide| self::too_wide(state, too_wide, &[diagram]))
}

/// What to say when diagrams grow too large.
#[cold]
pub(super) fn too_wide<S: Scalar>(state: &State<S>, _: TooWide, entangled: &[Diagram]) -> Box<Fault> {
    let choices = state.worlds.diagrams.choices_of(entangled);
    let bits: f64 = choices.iter().map(|choice| support_bits(state, *choice)).sum();
    let worlds = if bits < 60.0 { format!("{:.0}", bits.exp2()) } else { format!("2^{bits:.0}") };
    let count = match choices.len() {
        1 => "one choice".to_owned(),
        several => format!("{several} choices at once"),
    };
    let message = format!("a value depends on {count}, with {worlds} combinations");
    let hint =
        "compute sums over people with `+` and `sum` only, compare them with numbers, or analyse fewer choices at once";
    Fault::hinted(Code::TooManyWorlds, message, hint)
}

fn support_bits<S: Scalar>(state: &State<S>, choice: u32) -> f64 {
    match &state.worlds.laws[choice as usize] {
        Law::Finite(probabilities) => (probabilities.len() as f64).log2(),
        Law::Scaled(probabilities) => (probabilities.len() as f64).log2(),
        Law::Uniform(count) => (*count as f64).log2(),
        Law::Threshold { .. } => 1.0,
        Law::Order(number) => f64::from(state.worlds.orders[*number as usize].of.values).log2(),
        Law::Sum(sum) => sums::sum_range(state, *sum).map_or(64.0, |(low, high)| ((high - low + 1) as f64).log2()),
        Law::Derived(_, leaves) => (leaves.len() as f64).log2(),
    }
}
