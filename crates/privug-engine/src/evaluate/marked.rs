//! Values that were rounded or shown in a text: what may still be done with them.
//!
//! A rounded figure is judged as if published unrounded: whoever sees that can round it for themselves, so it
//! tells at least as much. That holds for what is published, shifted or scaled by public numbers, and for nothing else: the
//! difference of a figure and itself rounded is not zero, a sum of rounded values is no rounded sum, and noise on top of a
//! rounded value does not hide what it would hide of the value. So a rounded value is a node of its own, and what becomes of
//! it is looked up in the network in the end.

use super::Named;
use super::fault::{Fault, Outcome};
use super::run::Run;
use super::running::Stop;
use super::secrets::Secrets;
use super::state::State;
use super::value::Value;
use super::{Evidence, Quantity};
use crate::network::{Affine, Network, NodeId};
use crate::number::Scalar;
use privug_language::diagnostic::Code;

/// A node that stands for another, rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) node: NodeId,
    /// Whether it is part of a text, with which nothing is computed any more.
    pub(super) is_text: bool,
}

/// What a node has to do with rounded values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Nothing.
    Plain,
    /// It is one, shifted or scaled.
    Rounded,
    /// It is part of a text.
    Text,
    /// It was computed from one and something else, at the node.
    Mixed(NodeId),
}

/// What all nodes have to do with rounded values.
#[derive(Debug)]
pub(super) struct Uses {
    /// The first rounded value; nodes before it have nothing to do with any.
    first: usize,
    uses: Vec<Use>,
}

impl Uses {
    /// Follows rounded values through a network.
    pub(super) fn new<S: Scalar>(network: &Network<S>, marks: &[Mark]) -> Self {
        let first = marks.first().map_or(network.len(), |mark| mark.node.0 as usize);
        let mut found = Uses { first, uses: Vec::new() };
        let mut marks = marks.iter().peekable();
        for place in first..network.len() {
            let id = NodeId(place as u32);
            let mark = marks.next_if(|mark| mark.node == id);
            let inherited = found.inherited(network, id);
            found.uses.push(match (inherited, mark) {
                (Use::Mixed(_), _) | (_, None) => inherited,
                (_, Some(mark)) if mark.is_text => Use::Text,
                (_, Some(_)) => Use::Rounded,
            });
        }
        found
    }

    /// What a node has of its parents.
    fn inherited<S: Scalar>(&self, network: &Network<S>, id: NodeId) -> Use {
        let node = network.node(id);
        let mut parents = 0;
        let mut found = Use::Plain;
        for term in node.terms {
            parents += term.count as usize;
            for parent in term.parents().skip_while(|parent| *parent < self.first) {
                match self.of_node(NodeId(parent as u32)) {
                    Use::Plain => {}
                    Use::Rounded => found = Use::Rounded,
                    Use::Text => return Use::Mixed(id),
                    mixed @ Use::Mixed(_) => return mixed,
                }
            }
        }
        if found == Use::Rounded && (parents > 1 || !node.noise_variance.is_zero()) { Use::Mixed(id) } else { found }
    }

    fn of_node(&self, node: NodeId) -> Use {
        (node.0 as usize).checked_sub(self.first).map_or(Use::Plain, |at| self.uses[at])
    }

    /// What a variable has to do with rounded values.
    pub(super) fn of<S: Scalar>(&self, variable: &Affine<S>) -> Use {
        match self.of_node(variable.node) {
            Use::Text if variable.scale != S::one() || !variable.offset.is_zero() => Use::Mixed(variable.node),
            other => other,
        }
    }
}

/// The error for a rounded value that something is computed with.
pub(super) fn mixed() -> Box<Fault> {
    Fault::hinted(
        Code::NonlinearFunction,
        "a rounded value, or one in a string, is used in a further computation, which is not linear in the secret",
        "round only the published result",
    )
}

/// A random variable as a rounded value; anything else as it is.
pub(super) fn marked<S: Scalar>(state: &mut State<S>, value: &Value<S>, is_text: bool) -> Outcome<Value<S>> {
    let Some(x) = value.as_random() else { return Ok(value.clone()) };
    mark(state, &x, is_text).map(Value::random)
}

/// The same of a random variable.
pub(super) fn mark<S: Scalar>(state: &mut State<S>, x: &Affine<S>, is_text: bool) -> Outcome<Affine<S>> {
    let terms = (!x.scale.is_zero()).then(|| (x.node, x.scale.clone()));
    let copy = state.push_node(x.offset.clone(), terms, S::zero())?;
    state.tables.marks.push(Mark { node: copy.node, is_text });
    Ok(copy)
}

impl<S: Scalar> Run<'_, '_, S> {
    /// Refuses what depends on rounded values in another way than by being published.
    pub(super) fn check_marked(&mut self, secrets: &Secrets<S>, quantities: &[Quantity<S>]) -> Result<(), Stop> {
        let state = &self.machine.state;
        if state.tables.marks.is_empty() {
            return Ok(());
        }
        let uses = Uses::new(&state.builder.network, &state.tables.marks);
        let rounded = |variable: &Affine<S>| uses.of(variable) != Use::Plain;
        let asked = quantities.iter().any(|quantity| match quantity {
            Quantity::Random(variable) => rounded(variable),
            Quantity::Number(_) => false,
        });
        let fault = if asked || secrets.variables().iter().any(|variable| rounded(&variable)) {
            let message = "the query is about a rounded value, which is not Gaussian";
            Some((Fault::hinted(Code::NonlinearFunction, message, "ask about it unrounded"), self.first_mark()))
        } else {
            state.builder.evidence.iter().find_map(|seen| self.misused(&uses, seen))
        };
        match fault {
            Some((fault, span)) => self.machine.report(fault, span).and(Err(Stop)),
            None => Ok(()),
        }
    }

    fn misused(&self, uses: &Uses, evidence: &Evidence<S>) -> Option<(Box<Fault>, privug_language::source::Span)> {
        let Evidence { seen: Named { span, variable, .. }, value, .. } = evidence;
        match (uses.of(variable), value) {
            (Use::Plain, _) | (Use::Rounded | Use::Text, None) => None,
            (Use::Rounded | Use::Text | Use::Mixed(_), Some(_)) => {
                let message = "a rounded value is observed, and the posterior given it is not Gaussian";
                let hint = "remove the rounding, and observe the value with the standard deviation that rounding adds, as `44±0.3`";
                Some((Fault::hinted(Code::NonlinearFunction, message, hint), *span))
            }
            (Use::Mixed(node), None) => Some((mixed(), self.machine.state.builder.network.span(node))),
        }
    }

    /// Where something is rounded for the first time.
    fn first_mark(&self) -> privug_language::source::Span {
        let state = &self.machine.state;
        state.tables.marks.first().map_or(state.span, |mark| state.builder.network.span(mark.node))
    }

    /// Where a program has choices, what is rounded may tell which world it is.
    pub(super) fn refuse_marked_worlds(&mut self) -> Result<(), Stop> {
        if self.machine.state.tables.marks.is_empty() {
            return Ok(());
        }
        let message = "a random variable is rounded in a program with choices, and where it is rounded may reveal them";
        let span = self.first_mark();
        let fault = Fault::hinted(Code::NonlinearFunction, message, "return it unrounded");
        self.machine.report(fault, span).and(Err(Stop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use privug_language::source::Span;

    #[test]
    fn a_rounded_value_may_be_scaled_and_nothing_else() {
        let mut network: Network<f64> = Network::default();
        let secret = network.push(0.0, [], 1.0, Span::START);
        let other = network.push(0.0, [], 1.0, Span::START);
        let rounded = network.push(0.0, [(secret, 1.0)], 0.0, Span::START);
        let scaled = network.push(3.0, [(rounded, 2.0)], 0.0, Span::START);
        let difference = network.push(0.0, [(rounded, 1.0), (secret, -1.0)], 0.0, Span::START);
        let noisy = network.push(0.0, [(scaled, 1.0)], 4.0, Span::START);
        let after = network.push(0.0, [(difference, 1.0)], 0.0, Span::START);
        let uses = Uses::new(&network, &[Mark { node: rounded, is_text: false }]);
        let of = |node| uses.of(&Affine { node, scale: 1.0, offset: 0.0 });
        assert_eq!([secret, other, rounded, scaled].map(of), [Use::Plain, Use::Plain, Use::Rounded, Use::Rounded]);
        assert_eq!(
            [difference, noisy, after].map(of),
            [Use::Mixed(difference), Use::Mixed(noisy), Use::Mixed(difference)]
        );
        let texts = Uses::new(&network, &[Mark { node: rounded, is_text: true }]);
        assert_eq!(texts.of(&Affine { node: rounded, scale: 1.0, offset: 0.0 }), Use::Text);
        assert_eq!(texts.of(&Affine { node: rounded, scale: 2.0, offset: 0.0 }), Use::Mixed(rounded));
        assert_eq!(texts.of(&Affine { node: scaled, scale: 1.0, offset: 0.0 }), Use::Mixed(scaled));
    }
}
