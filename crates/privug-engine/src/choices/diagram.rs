//! Decision diagrams: functions of choices, shared wherever they are equal.
//!
//! A diagram asks one choice after the other, in the order in which they were made, and ends in a leaf. The answers of a
//! choice are integers, and an edge stands for all of them up to its bound: a range of ten million numbers that is only
//! compared with two of them has three edges. Equal parts are one node, so that the size is that of what still
//! matters about the choices made so far, not the number of worlds.

use std::collections::HashMap as StandardMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// Numbers of nodes are hashed by one multiplication each: nobody outside chooses them.
#[derive(Debug, Default)]
pub struct NodeHasher(u64);

impl Hasher for NodeHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.write_u64(word.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)));
        }
        for byte in words.remainder() {
            self.write_u64(u64::from(*byte));
        }
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// A map whose keys are numbers that nobody outside chooses.
pub type NodeMap<K, V> = StandardMap<K, V, BuildHasherDefault<NodeHasher>>;

/// The same without values.
pub type NodeSet<K> = std::collections::HashSet<K, BuildHasherDefault<NodeHasher>>;

type HashMap<K, V> = NodeMap<K, V>;

/// A diagram: a leaf, or a node that asks a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Diagram(u32);

const LEAF: u32 = 1 << 31;

impl Diagram {
    /// In no world.
    pub const FALSE: Diagram = Diagram(LEAF);
    /// In every world.
    pub const TRUE: Diagram = Diagram(LEAF | 1);
    /// No value.
    pub const ABSENT: Diagram = Diagram(LEAF | 2);

    /// The largest number that a leaf can have.
    pub const LAST_LEAF: u32 = LEAF - 1;

    /// The leaf with a number.
    #[inline]
    pub fn leaf(number: u32) -> Diagram {
        debug_assert!(number < LEAF);
        Diagram(LEAF | number)
    }

    /// The number of the leaf that this is.
    #[inline]
    pub fn as_leaf(self) -> Option<u32> {
        (self.0 & LEAF != 0).then_some(self.0 & !LEAF)
    }
}

/// The answers up to a bound, from where the edge before ends; the last edge has the largest bound there is.
pub type Edge = (i64, Diagram);

/// The edges of a node, by their number: a million people who are asked the same have a million nodes and one shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape(u32);

impl Shape {
    /// Different shapes have different numbers.
    pub fn number(self) -> u32 {
        self.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    choice: u32,
    shape: Shape,
}

/// There are more nodes than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooWide;

/// All diagrams of a run.
#[derive(Debug)]
pub struct Diagrams {
    nodes: Vec<Node>,
    /// The first node that asks each choice; most choices are asked in one way only.
    first: Vec<u32>,
    /// All others.
    known: HashMap<Node, u32>,
    shapes: Vec<Rc<[Edge]>>,
    known_shapes: HashMap<Rc<[Edge]>, Shape>,
    /// How many choices the longest way through a node of each shape asks.
    levels: Vec<u32>,
    /// Whether a node of each shape leads to [`Diagram::ABSENT`].
    absent: Vec<bool>,
    conjunctions: HashMap<(Diagram, Diagram), Diagram>,
    negations: HashMap<Diagram, Diagram>,
    alternatives: HashMap<(Diagram, Diagram, Diagram), Diagram>,
    /// Edges of nodes that are being put together, those of the innermost at the end.
    pub(super) open_edges: Vec<Edge>,
    /// A map for what is found on the way of one operation, kept for the next.
    relabelled: HashMap<Diagram, Diagram>,
    /// Parts that were looked at.
    work: usize,
    pub(super) limit: usize,
}

/// No node.
const NONE: u32 = u32::MAX;

/// So many times more nodes are allowed than shapes: a node without edges of its own takes little room.
const NODES_FOR_A_SHAPE: usize = 16;

/// The map of an operation that has met more nodes is not kept: emptying it takes as long as it is large.
const SMALL_OPERATION: usize = 256;
/// Parts of diagrams that a run may look at: some two seconds.
const MAX_WORK: usize = 5_000_000;

impl Diagrams {
    /// No diagrams yet; at most so many different ways to go on after a choice.
    pub fn new(limit: usize) -> Self {
        Diagrams {
            nodes: Vec::new(),
            first: Vec::new(),
            known: HashMap::default(),
            shapes: Vec::new(),
            known_shapes: HashMap::default(),
            levels: Vec::new(),
            absent: Vec::new(),
            conjunctions: HashMap::default(),
            negations: HashMap::default(),
            alternatives: HashMap::default(),
            open_edges: Vec::new(),
            relabelled: HashMap::default(),
            work: 0,
            limit,
        }
    }

    /// How many nodes were made.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no node was made.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The choice that a diagram asks first; leaves ask none.
    #[inline]
    pub fn choice(&self, diagram: Diagram) -> Option<u32> {
        diagram.as_leaf().is_none().then(|| self.nodes[diagram.0 as usize].choice)
    }

    /// How many choices the longest way through a diagram asks.
    #[inline]
    pub fn levels(&self, diagram: Diagram) -> u32 {
        self.shape(diagram).map_or(0, |shape| self.levels[shape.0 as usize])
    }

    /// Whether there is no value in some worlds.
    #[inline]
    pub fn is_partial(&self, diagram: Diagram) -> bool {
        diagram == Diagram::ABSENT || self.shape(diagram).is_some_and(|shape| self.absent[shape.0 as usize])
    }

    /// How many parts were looked at so far.
    pub fn work(&self) -> usize {
        self.work
    }

    /// The shape of a node; leaves have none.
    #[inline]
    pub fn shape(&self, diagram: Diagram) -> Option<Shape> {
        diagram.as_leaf().is_none().then(|| self.nodes[diagram.0 as usize].shape)
    }

    /// The choice and the shape of a diagram that asks one choice and no more.
    pub fn single(&self, diagram: Diagram) -> Option<(u32, Shape)> {
        let shape = self.shape(diagram)?;
        (self.levels[shape.0 as usize] == 1).then(|| (self.nodes[diagram.0 as usize].choice, shape))
    }

    /// The diagram that asks a choice, and goes on like others of a shape.
    pub fn shaped(&mut self, choice: u32, shape: Shape) -> Result<Diagram, TooWide> {
        let node = Node { choice, shape };
        let place = choice as usize;
        let first = self.first.get(place).copied().unwrap_or(NONE);
        if first != NONE {
            if self.nodes[first as usize].shape == shape {
                return Ok(Diagram(first));
            }
            if let Some(number) = self.known.get(&node) {
                return Ok(Diagram(*number));
            }
        }
        if self.nodes.len() >= self.limit.saturating_mul(NODES_FOR_A_SHAPE) {
            return Err(TooWide);
        }
        let number = self.nodes.len() as u32;
        if first == NONE {
            self.first.resize(self.first.len().max(place + 1), NONE);
            self.first[place] = number;
        } else {
            self.known.insert(node, number);
        }
        self.nodes.push(node);
        Ok(Diagram(number))
    }

    /// The edges of a node; none of a leaf.
    #[inline]
    pub fn edges(&self, diagram: Diagram) -> &[Edge] {
        self.shape(diagram).map_or(&[], |shape| &self.shapes[shape.0 as usize])
    }

    /// The diagram that asks a choice first. Bounds rise; the last edge takes all that is left.
    pub fn decide(&mut self, choice: u32, edges: impl IntoIterator<Item = Edge>) -> Result<Diagram, TooWide> {
        let start = self.open_edges.len();
        for edge in edges {
            self.add_edge(start, edge);
        }
        self.close_node(choice, start)
    }

    /// One more edge of the node whose edges begin at a place; equal neighbours are one.
    #[inline]
    pub(super) fn add_edge(&mut self, start: usize, (bound, to): Edge) {
        match self.open_edges[start..].last_mut() {
            Some(last) if last.1 == to => last.0 = bound,
            _ => self.open_edges.push((bound, to)),
        }
    }

    /// The node whose edges begin at a place.
    pub(super) fn close_node(&mut self, choice: u32, start: usize) -> Result<Diagram, TooWide> {
        if let Some(last) = self.open_edges[start..].last_mut() {
            last.0 = i64::MAX;
        }
        if let [(_, only)] = self.open_edges[start..] {
            self.open_edges.truncate(start);
            return Ok(only);
        }
        let shape = match self.known_shapes.get(&self.open_edges[start..]) {
            Some(known) => *known,
            None => self.new_shape(self.open_edges[start..].into())?,
        };
        self.open_edges.truncate(start);
        self.shaped(choice, shape)
    }

    fn new_shape(&mut self, edges: Rc<[Edge]>) -> Result<Shape, TooWide> {
        if self.shapes.len() >= self.limit {
            return Err(TooWide);
        }
        let below = edges.iter().map(|(_, to)| self.levels(*to)).max();
        self.levels.push(below.unwrap_or(0) + 1);
        self.absent.push(edges.iter().any(|(_, to)| self.is_partial(*to)));
        let shape = Shape(self.shapes.len() as u32);
        self.known_shapes.insert(Rc::clone(&edges), shape);
        self.shapes.push(edges);
        Ok(shape)
    }

    /// What some diagrams are for each answer of the first choice that any of them asks.
    #[inline]
    fn split<const N: usize>(&mut self, diagrams: [Diagram; N]) -> Result<Option<(u32, Parts<N>)>, TooWide> {
        let Some(choice) = diagrams.iter().filter_map(|diagram| self.choice(*diagram)).min() else { return Ok(None) };
        let edges = diagrams.map(|diagram| {
            let node = diagram.as_leaf().is_none().then(|| self.nodes[diagram.0 as usize]);
            let asking = node.filter(|node| node.choice == choice);
            asking.map(|node| Rc::clone(&self.shapes[node.shape.0 as usize]))
        });
        self.look_at(edges.iter().flatten().map(|edges| edges.len()).max().unwrap_or(1))?;
        Ok(Some((choice, Parts { diagrams, edges, places: [0; N], is_over: false })))
    }

    /// Counts parts that are looked at.
    #[inline]
    pub(super) fn look_at(&mut self, parts: usize) -> Result<(), TooWide> {
        self.work += parts;
        if self.work > MAX_WORK { Err(TooWide) } else { Ok(()) }
    }

    /// Both.
    pub fn and(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, TooWide> {
        match (a, b) {
            (Diagram::FALSE, _) | (_, Diagram::FALSE) => return Ok(Diagram::FALSE),
            (Diagram::TRUE, other) | (other, Diagram::TRUE) => return Ok(other),
            _ if a == b => return Ok(a),
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.conjunctions.get(&key) {
            return Ok(*known);
        }
        let Some((choice, mut parts)) = self.split([a, b])? else { return Ok(Diagram::FALSE) };
        let start = self.open_edges.len();
        while let Some((bound, [a, b])) = parts.next() {
            let both = self.and(a, b)?;
            self.add_edge(start, (bound, both));
        }
        let result = self.close_node(choice, start)?;
        // Like a node, an entry takes room.
        if self.conjunctions.len() >= self.limit {
            self.conjunctions.clear();
        }
        self.conjunctions.insert(key, result);
        Ok(result)
    }

    /// The opposite.
    pub fn not(&mut self, event: Diagram) -> Result<Diagram, TooWide> {
        match event {
            Diagram::TRUE => return Ok(Diagram::FALSE),
            Diagram::FALSE => return Ok(Diagram::TRUE),
            _ => {}
        }
        if let Some(known) = self.negations.get(&event) {
            return Ok(*known);
        }
        let (choice, edges) = self.asked(event);
        let start = self.open_edges.len();
        for (bound, to) in edges.iter() {
            let opposite = self.not(*to)?;
            self.add_edge(start, (*bound, opposite));
        }
        let result = self.close_node(choice, start)?;
        self.negations.insert(event, result);
        self.negations.insert(result, event);
        Ok(result)
    }

    /// The choice that a node asks, and its edges.
    fn asked(&self, node: Diagram) -> (u32, Rc<[Edge]>) {
        let Node { choice, shape } = self.nodes[node.0 as usize];
        (choice, Rc::clone(&self.shapes[shape.0 as usize]))
    }

    /// Either or both.
    pub fn or(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, TooWide> {
        self.either(a, Diagram::TRUE, b)
    }

    /// `a` and not `b`.
    pub fn without(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, TooWide> {
        self.either(b, Diagram::FALSE, a)
    }

    /// `then` where the event happens, `otherwise` elsewhere.
    pub fn either(&mut self, event: Diagram, then: Diagram, otherwise: Diagram) -> Result<Diagram, TooWide> {
        match event {
            Diagram::TRUE => return Ok(then),
            Diagram::FALSE => return Ok(otherwise),
            _ if then == otherwise => return Ok(then),
            _ => {}
        }
        let key = (event, then, otherwise);
        if let Some(result) = self.alternatives.get(&key) {
            return Ok(*result);
        }
        let Some((choice, mut parts)) = self.split([event, then, otherwise])? else { return Ok(otherwise) };
        let start = self.open_edges.len();
        while let Some((bound, [event, then, otherwise])) = parts.next() {
            let either = self.either(event, then, otherwise)?;
            self.add_edge(start, (bound, either));
        }
        let result = self.close_node(choice, start)?;
        if self.alternatives.len() >= self.limit {
            self.alternatives.clear();
        }
        self.alternatives.insert(key, result);
        Ok(result)
    }

    /// The same decisions with other leaves.
    pub fn relabel(
        &mut self,
        diagram: Diagram,
        leaf: &mut dyn FnMut(u32) -> Result<Diagram, TooWide>,
    ) -> Result<Diagram, TooWide> {
        let mut known = std::mem::take(&mut self.relabelled);
        let result = self.relabel_with(diagram, leaf, &mut known);
        if known.len() <= SMALL_OPERATION {
            known.clear();
            self.relabelled = known;
        }
        result
    }

    fn relabel_with(
        &mut self,
        diagram: Diagram,
        leaf: &mut dyn FnMut(u32) -> Result<Diagram, TooWide>,
        known: &mut HashMap<Diagram, Diagram>,
    ) -> Result<Diagram, TooWide> {
        if let Some(result) = known.get(&diagram) {
            return Ok(*result);
        }
        let result = match diagram.as_leaf() {
            Some(number) => leaf(number)?,
            None => {
                let (choice, edges) = self.asked(diagram);
                let start = self.open_edges.len();
                for (bound, to) in edges.iter() {
                    let relabelled = self.relabel_with(*to, leaf, known)?;
                    self.add_edge(start, (*bound, relabelled));
                }
                self.close_node(choice, start)?
            }
        };
        known.insert(diagram, result);
        Ok(result)
    }

    /// All nodes of a diagram, those that ask earlier choices first.
    pub fn nodes_of(&self, diagram: Diagram) -> Vec<Diagram> {
        let mut seen: std::collections::HashSet<Diagram, BuildHasherDefault<NodeHasher>> = Default::default();
        let mut open = vec![diagram];
        while let Some(next) = open.pop() {
            if next.as_leaf().is_none() && seen.insert(next) {
                open.extend(self.edges(next).iter().map(|(_, to)| *to));
            }
        }
        let mut nodes: Vec<Diagram> = seen.into_iter().collect();
        nodes.sort_by_key(|node| (self.choice(*node), *node));
        nodes
    }

    /// The leaves of a diagram, each once, in the order of their numbers.
    pub fn leaves_of(&self, diagram: Diagram) -> Vec<u32> {
        if let Some(only) = diagram.as_leaf() {
            return vec![only];
        }
        let leaves_below = |node: Diagram| self.edges(node).iter().filter_map(|(_, to)| to.as_leaf());
        let mut leaves: Vec<u32> = match self.single(diagram) {
            // Of very many people each is asked on its own.
            Some(_) => leaves_below(diagram).collect(),
            None => self.nodes_of(diagram).into_iter().flat_map(leaves_below).collect(),
        };
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// The choices that diagrams depend on, in order.
    pub fn choices_of(&self, diagrams: &[Diagram]) -> Vec<u32> {
        let mut choices: Vec<u32> = Vec::new();
        for diagram in diagrams {
            match self.single(*diagram) {
                Some((choice, _)) => choices.push(choice),
                None => choices.extend(self.nodes_of(*diagram).into_iter().filter_map(|node| self.choice(node))),
            }
        }
        choices.sort_unstable();
        choices.dedup();
        choices
    }
}

/// Diagrams on their way through the answers of a choice.
struct Parts<const N: usize> {
    diagrams: [Diagram; N],
    /// The edges of those that ask the choice.
    edges: [Option<Rc<[Edge]>>; N],
    places: [usize; N],
    is_over: bool,
}

impl<const N: usize> Parts<N> {
    /// What the diagrams are up to the next bound.
    #[inline]
    fn next(&mut self) -> Option<(i64, [Diagram; N])> {
        if self.is_over {
            return None;
        }
        let mut bound = i64::MAX;
        let mut part = self.diagrams;
        for ((to, edges), place) in part.iter_mut().zip(&self.edges).zip(&self.places) {
            if let Some(edges) = edges {
                bound = bound.min(edges[*place].0);
                *to = edges[*place].1;
            }
        }
        for (edges, place) in self.edges.iter().zip(&mut self.places) {
            if let Some(edges) = edges {
                *place += usize::from(edges[*place].0 == bound);
            }
        }
        self.is_over = bound == i64::MAX;
        Some((bound, part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The leaf that a diagram has in a world.
    fn at(diagrams: &Diagrams, mut diagram: Diagram, world: &[i64]) -> u32 {
        while let Some(choice) = diagrams.choice(diagram) {
            let answer = world[choice as usize];
            let edge = diagrams.edges(diagram).iter().find(|(bound, _)| answer <= *bound);
            diagram = edge.expect("the last edge takes all").1;
        }
        diagram.as_leaf().expect("a leaf")
    }

    fn worlds() -> impl Iterator<Item = [i64; 3]> {
        (0..3).flat_map(|a| (0..3).flat_map(move |b| (0..3).map(move |c| [a, b, c])))
    }

    #[test]
    fn operations_are_those_of_each_world() {
        let mut diagrams = Diagrams::new(1000);
        let mut number = |choice: u32| {
            diagrams.decide(choice, (0..3).map(|answer| (answer, Diagram::leaf(answer as u32)))).expect("small")
        };
        let (a, b, c) = (number(0), number(1), number(2));
        let (sum, tuples) = diagrams.product(Diagram::TRUE, &[a, b, c]).expect("small");
        let mut odd = |leaf: u32| Ok(Diagram::leaf(tuples[leaf as usize].iter().sum::<u32>() % 2));
        let odd = diagrams.relabel(sum, &mut odd).expect("small");
        let mut low = |leaf: u32| Ok(Diagram::leaf(u32::from(leaf < 1)));
        let low = diagrams.relabel(b, &mut low).expect("small");
        let both = diagrams.and(odd, low).expect("small");
        let any = diagrams.or(odd, low).expect("small");
        let chosen = diagrams.either(odd, a, c).expect("small");
        for world in worlds() {
            let is_odd = world.iter().sum::<i64>() % 2 == 1;
            let is_low = world[1] < 1;
            assert_eq!(at(&diagrams, both, &world), u32::from(is_odd && is_low));
            assert_eq!(at(&diagrams, any, &world), u32::from(is_odd || is_low));
            assert_eq!(at(&diagrams, chosen, &world) as i64, if is_odd { world[0] } else { world[2] });
        }
        // Whether a sum is odd has two states before each choice.
        assert_eq!(diagrams.nodes_of(odd).len(), 5);
    }

    #[test]
    fn equal_diagrams_are_one() {
        let mut diagrams = Diagrams::new(1000);
        let x = diagrams.decide(0, [(0, Diagram::FALSE), (1, Diagram::TRUE)]).expect("small");
        let not = diagrams.not(x).expect("small");
        assert_eq!(diagrams.not(not).expect("small"), x);
        assert_eq!(diagrams.and(x, not), Ok(Diagram::FALSE));
        assert_eq!(diagrams.or(x, not), Ok(Diagram::TRUE));
        assert_eq!(diagrams.decide(3, [(0, x), (7, x)]), Ok(x));
    }

    #[test]
    fn too_many_nodes_are_refused() {
        let mut diagrams = Diagrams::new(2);
        let make = |diagrams: &mut Diagrams, choice: u32, leaf: u32| {
            diagrams.decide(choice, [(0, Diagram::FALSE), (1, Diagram::leaf(leaf))])
        };
        assert!(make(&mut diagrams, 0, 1).is_ok() && make(&mut diagrams, 0, 2).is_ok());
        assert_eq!(make(&mut diagrams, 0, 3), Err(TooWide));
        // Others of the same shape take less room.
        let all = NODES_FOR_A_SHAPE as u32 * 2;
        assert!((1..all - 1).all(|choice| make(&mut diagrams, choice, 1).is_ok()));
        assert_eq!(make(&mut diagrams, all, 1), Err(TooWide));
    }
}
