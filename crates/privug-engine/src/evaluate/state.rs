//! The state of a run, put together from its parts.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dashu_base::BitTest;
use dashu_int::IBig;

use super::budget::{BYTES_PER_STEP, Budget};
use super::builder::NetworkBuilder;
use super::certainty::Certainty;
use super::choices;
use super::choices::Worlds;
use super::exceptions::Exceptions;
use super::fault::{Fault, Outcome};
use super::heap::{Dict, Heap, Range};
use super::tables::TableLayer;
use super::value::{Key, Number, Value};
use super::{Limits, Note};
use crate::network::{Affine, NodeId};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::Builtin;
use privug_language::source::Span;

/// The state of a run, apart from its registers.
pub(super) struct State<S: Scalar> {
    /// Values of variable size.
    pub(super) heap: Heap<S>,
    /// What may still be used up.
    pub(super) budget: Budget,
    /// The model, as far as it is built.
    pub(super) builder: NetworkBuilder<S>,
    /// Discrete choices, and the worlds that the run is in: where guarded values come in.
    pub(super) worlds: Worlds<S>,
    /// Exceptions on their way to a handler.
    pub(super) exceptions: Exceptions<S>,
    /// How far numbers can be relied on.
    pub(super) certainty: Certainty,
    /// What only tables need.
    pub(super) tables: TableLayer<S>,
    pub(super) notes: Vec<Note>,
    /// Where the instruction that is being carried out stands.
    pub(super) span: Span,
    /// Whether something is secret, so that all that leaves the program is a release.
    pub(super) publishes: bool,
    /// Of each class, whether its objects are compared by a rule of their own.
    pub(super) own_equality: Vec<bool>,
}

impl<S: Scalar> State<S> {
    pub(super) fn new(limits: Limits, cancelled: Option<Arc<AtomicBool>>, follows_doubles: bool) -> Self {
        State {
            heap: Heap::new(),
            budget: Budget::new(limits, cancelled),
            builder: NetworkBuilder::new(),
            worlds: Worlds::new(),
            exceptions: Exceptions::default(),
            certainty: Certainty::new(follows_doubles),
            tables: TableLayer::new(),
            notes: Vec::new(),
            span: Span::START,
            publishes: false,
            own_equality: Vec::new(),
        }
    }

    /// A small list costs more than its elements.
    const CONTAINER_ELEMENTS: u64 = 2;

    pub(super) fn new_sequence(&mut self, elements: Vec<Value<S>>) -> Outcome<u32> {
        self.budget.spend_elements(elements.len() as u64 + Self::CONTAINER_ELEMENTS)?;
        self.heap.sequences.push(elements);
        let handle = self.heap.sequences.len() as u32 - 1;
        choices::writes::note_birth(self, false, handle);
        Ok(handle)
    }

    /// Frees a sequence that nothing refers to any more.
    pub(super) fn forget(&mut self, handle: u32) {
        if !self.heap.axes.is_empty() {
            self.heap.axes.remove(&handle);
        }
        let mut elements = std::mem::take(&mut self.heap.sequences[handle as usize]);
        self.budget.give_back_elements(elements.len() as u64 + Self::CONTAINER_ELEMENTS);
        elements.clear();
        if elements.capacity() > self.heap.spare.capacity() {
            self.heap.spare = elements;
        }
        if handle as usize + 1 == self.heap.sequences.len() {
            self.heap.sequences.pop();
        }
    }

    pub(super) fn list(&mut self, elements: Vec<Value<S>>) -> Outcome<Value<S>> {
        self.new_sequence(elements).map(Value::List)
    }

    pub(super) fn tuple(&mut self, elements: Vec<Value<S>>) -> Outcome<Value<S>> {
        self.new_sequence(elements).map(Value::Tuple)
    }

    pub(super) fn new_dict(&mut self) -> Outcome<Value<S>> {
        self.budget.spend_elements(Self::CONTAINER_ELEMENTS)?;
        self.heap.dicts.push(Dict { entries: Vec::new(), positions: Default::default(), default: None });
        let handle = self.heap.dicts.len() as u32 - 1;
        choices::writes::note_birth(self, true, handle);
        Ok(Value::Dict(handle))
    }

    /// `dict[key] = value`
    pub(super) fn insert(&mut self, handle: u32, key: Value<S>, value: Value<S>) -> Outcome<()> {
        self.insert_entry(handle, key, value, true)
    }

    /// The same where nobody asks for the order of keys: of a set, or of an object's attributes.
    pub(super) fn insert_in_any_order(&mut self, handle: u32, key: Value<S>, value: Value<S>) -> Outcome<()> {
        self.insert_entry(handle, key, value, false)
    }

    fn insert_entry(&mut self, handle: u32, key: Value<S>, value: Value<S>, in_order: bool) -> Outcome<()> {
        let hashed = self.key(&key)?;
        if let Key::Text(text) = &hashed {
            self.budget.spend_elements(text.len() as u64 / BYTES_PER_STEP)?;
        }
        if self.worlds.exist() && choices::tallies::is_tally(self, handle) {
            return Err(choices::tallies::refuse_to_change_tally());
        }
        match self.heap.dict(handle).positions.get(&hashed).copied() {
            Some(position) => {
                if in_order && self.worlds.exist() {
                    choices::arrivals::note_again(self, handle, position)?;
                }
                self.heap.dicts[handle as usize].entries[position].1 = value;
            }
            None => {
                self.budget.spend_elements(Self::CONTAINER_ELEMENTS)?;
                let dict = &mut self.heap.dicts[handle as usize];
                dict.positions.insert(hashed, dict.entries.len());
                dict.entries.push((key, value));
                if let Some(arrivals) = self.worlds.arrivals.get_mut(&handle) {
                    arrivals.note_new();
                }
            }
        }
        Ok(())
    }

    /// Whether a set can be a key: it is a `frozenset`, and has the same elements in all worlds.
    fn is_frozen(&self, set: u32) -> bool {
        let dict = self.heap.dict(set);
        let is_there = |(_, entry): &(Value<S>, Value<S>)| matches!(entry, Value::None);
        dict.default == Some(Builtin::FrozenSet) && dict.entries.iter().all(is_there)
    }

    /// A value as a dictionary's key.
    pub(super) fn key(&mut self, value: &Value<S>) -> Outcome<Key> {
        match value {
            Value::Text(handle) => self.budget.spend_bytes_of_text(self.heap.text(*handle).len())?,
            Value::BigInt(handle) => self.budget.spend_steps(self.heap.integer(*handle).bit_len() as u64 / 64)?,
            _ => {}
        }
        Ok(match value {
            Value::None => Key::None,
            Value::Bool(value) | Value::NumpyBool(value) => Key::Int(IBig::from(u8::from(*value))),
            Value::Int(value) | Value::NumpyInt(value) => Key::Int(IBig::from(*value)),
            Value::Counted(counted) => Key::Int(IBig::from(counted.count)),
            Value::BigInt(handle) => Key::Int(self.heap.integer(*handle).clone()),
            Value::Float(value) | Value::NumpyFloat(value) => {
                let floor = value.floor();
                match value.cmp_integer(&floor) {
                    Some(std::cmp::Ordering::Equal) => Key::Int(floor),
                    _ => Key::Ratio(value.to_exact_string().unwrap_or_else(|| format!("{:?}", value.to_f64()))),
                }
            }
            Value::Text(handle) => Key::Text(self.heap.text(*handle).to_owned()),
            Value::Tuple(handle) => {
                // Tuples nest only as deep as the text that wrote them, unless a program builds them in a loop.
                let elements = self.heap.sequence(*handle).to_vec();
                self.budget.spend_steps(elements.len() as u64)?;
                if elements.iter().any(|element| matches!(element, Value::Tuple(_))) {
                    return Err(Fault::hinted(Code::TypeMismatch, "a key is a tuple of tuples", "use a flat tuple"));
                }
                Key::Tuple(elements.iter().map(|element| self.key(element)).collect::<Outcome<_>>()?)
            }
            Value::Set(handle) if self.is_frozen(*handle) => {
                let elements: Vec<Value<S>> =
                    self.heap.dict(*handle).entries.iter().map(|(key, _)| key.clone()).collect();
                self.budget.spend_steps(elements.len() as u64)?;
                if elements.iter().any(|element| matches!(element, Value::Tuple(_) | Value::Set(_))) {
                    return Err(Fault::hinted(
                        Code::TypeMismatch,
                        "a key is a set of tuples or sets",
                        "use a flat one",
                    ));
                }
                let mut keys = elements.iter().map(|element| self.key(element)).collect::<Outcome<Vec<Key>>>()?;
                keys.sort_unstable();
                Key::Set(keys)
            }
            Value::Random { .. } | Value::Choice(_) => {
                return Err(Fault::hinted(
                    Code::RandomIndex,
                    "a random variable cannot be a key",
                    "use a number or a string that is known beforehand",
                ));
            }
            Value::List(_)
            | Value::Array(_)
            | Value::Dict(_)
            | Value::Range(_)
            | Value::Iterator(_)
            | Value::View(_, _)
            | Value::Slice(_)
            | Value::Frame(_)
            | Value::Series(_)
            | Value::Groups(_)
            | Value::Loc(_)
            | Value::Function(_)
            | Value::Set(_)
            | Value::Object(..)
            | Value::Missing
            | Value::Unbound
            | Value::Poison => {
                return Err(Fault::new(Code::TypeMismatch, format!("{} cannot be a key", value.kind())));
            }
        })
    }

    pub(super) fn text(&mut self, text: String) -> Outcome<Value<S>> {
        self.budget.spend_elements(text.len() as u64 / 8 + Self::CONTAINER_ELEMENTS)?;
        self.heap.texts.push(text);
        Ok(Value::Text(self.heap.texts.len() as u32 - 1))
    }

    pub(super) fn range(&mut self, range: Range) -> Outcome<Value<S>> {
        self.budget.spend_elements(Self::CONTAINER_ELEMENTS)?;
        self.heap.ranges.push(range);
        Ok(Value::Range(self.heap.ranges.len() as u32 - 1))
    }

    /// An integer of any size.
    pub(super) fn integer(&mut self, value: IBig) -> Outcome<Value<S>> {
        if let Ok(small) = i64::try_from(&value) {
            return Ok(Value::Int(small));
        }
        let bits = value.bit_len();
        self.budget.check_bits(bits)?;
        self.budget.spend_elements(bits as u64 / 128 + Self::CONTAINER_ELEMENTS)?;
        self.heap.integers.push(value);
        Ok(Value::BigInt(self.heap.integers.len() as u32 - 1))
    }

    /// A float that must be an ordinary number.
    pub(super) fn float(&self, value: S) -> Outcome<Value<S>> {
        self.finite(value).map(|value| Value::Float(self.followed(value)))
    }

    /// A number of the program, with the double that decides beside it if doubles decide. One with too many digits becomes
    /// that double: weights that are calibrated step by step would have more with each step.
    pub(super) fn followed(&self, value: S) -> S {
        const MOST_BITS: usize = 4096;
        if !S::EXACT || !self.certainty.follows_doubles {
            return value;
        }
        let value = if value.double().is_none() { value.followed() } else { value };
        if value.bits() <= MOST_BITS {
            return value;
        }
        self.certainty.rounded_at(self.span);
        match value.double().and_then(S::from_f64) {
            Some(double) => double.followed().known_to_be_rounded(),
            None => value,
        }
    }

    pub(super) fn finite(&self, value: S) -> Outcome<S> {
        if !value.is_finite() {
            let hint = "choose other units, such as thousands or millions";
            return Err(Fault::hinted(Code::Overflow, "the result is too large for a double", hint));
        }
        self.budget.check_bits(value.bits())?;
        Ok(value)
    }

    /// The number that a value is, if it is one.
    pub(super) fn number(&self, value: &Value<S>) -> Option<Number<S>> {
        match value {
            Value::Bool(value) | Value::NumpyBool(value) => Some(Number::Int(i64::from(*value))),
            Value::Int(value) | Value::NumpyInt(value) => Some(Number::Int(*value)),
            Value::Counted(counted) => Some(Number::Int(counted.count)),
            Value::BigInt(handle) => Some(Number::BigInt(self.heap.integer(*handle).clone())),
            Value::Float(value) | Value::NumpyFloat(value) => Some(Number::Float(value.clone())),
            Value::Unbound
            | Value::Poison
            | Value::None
            | Value::Missing
            | Value::Text(_)
            | Value::Random { .. }
            | Value::Choice(_)
            | Value::List(_)
            | Value::Tuple(_)
            | Value::Array(_)
            | Value::Dict(_)
            | Value::Range(_)
            | Value::Iterator(_)
            | Value::View(_, _)
            | Value::Slice(_)
            | Value::Frame(_)
            | Value::Series(_)
            | Value::Groups(_)
            | Value::Loc(_)
            | Value::Function(_)
            | Value::Set(_)
            | Value::Object(..) => None,
        }
    }

    pub(super) fn number_value(&mut self, number: Number<S>) -> Outcome<Value<S>> {
        match number {
            Number::Int(value) => Ok(Value::Int(value)),
            Number::BigInt(value) => self.integer(value),
            Number::Float(value) => self.float(value),
        }
    }

    pub(super) fn scalar(&self, number: &Number<S>) -> Outcome<S> {
        number.scalar().ok_or_else(|| Fault::new(Code::Overflow, "an integer is too large for a double"))
    }

    /// A new random variable, made where the run is.
    pub(super) fn push_node(
        &mut self,
        constant: S,
        terms: impl IntoIterator<Item = (NodeId, S)>,
        noise_variance: S,
    ) -> Outcome<Affine<S>> {
        self.builder.push_node(constant, terms, noise_variance, (&self.budget, self.span))
    }

    /// A new random variable: another divided by a number.
    pub(super) fn push_quotient(&mut self, parent: NodeId, divisor: S) -> Outcome<NodeId> {
        self.builder.push_quotient(parent, divisor, (&self.budget, self.span))
    }

    /// `count` new random variables that depend on nothing; gives the first.
    pub(super) fn push_sources(&mut self, count: usize, constant: &S, noise_variance: &S) -> Outcome<NodeId> {
        self.builder.push_sources(count, (constant, noise_variance), (&self.budget, self.span))
    }

    pub(super) fn note(&mut self, note: Note) {
        // A note inside a loop is worth saying once for its place.
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}
