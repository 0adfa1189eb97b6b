//! Several diagrams as one, whose leaves tell the leaf of each: what an operation on several random values goes through.

use super::{Diagram, Diagrams, NodeMap, TooWide};

/// What the leaves of a product are: one leaf of each factor.
pub type Tuples = Vec<Box<[u32]>>;

/// More combinations are not told apart at once.
const MAX_TUPLES: usize = 1 << 17;
/// Nor are more looked at on the way to them.
const MAX_PRODUCT: usize = 1 << 19;
/// All diagrams of all combinations that are looked at for a product.
const MAX_PRODUCT_SIZE: usize = 1 << 25;

/// The leaf of a product in worlds that do not count.
pub const DEAD: u32 = Diagram::LAST_LEAF;

impl Diagrams {
    /// All diagrams at once, in the worlds of the event: the leaves are numbers of tuples, or [`DEAD`].
    pub fn product(&mut self, event: Diagram, factors: &[Diagram]) -> Result<(Diagram, Tuples), TooWide> {
        let mut building = Building { count: factors.len() + 1, ..Building::default() };
        building.stack.push(event);
        building.stack.extend_from_slice(factors);
        let product = self.product_of(0, &mut building)?;
        Ok((product, building.tuples))
    }

    /// The product of the diagrams that are on the stack from a place on.
    fn product_of(&mut self, first: usize, building: &mut Building) -> Result<Diagram, TooWide> {
        let end = first + building.count;
        if building.stack[first] == Diagram::FALSE {
            return Ok(Diagram::leaf(DEAD));
        }
        if let Some(result) = building.known.get(&building.stack[first..end]) {
            return Ok(*result);
        }
        let first_asked = building.stack[first..end].iter().filter_map(|diagram| self.choice(*diagram)).min();
        let result = match first_asked {
            None => Diagram::leaf(building.tuple(first, self.limit)?),
            Some(choice) => {
                let start = self.open_edges.len();
                let mut low = None;
                let mut parts = 0;
                while low != Some(i64::MAX) {
                    let from = low.map_or(i64::MIN, |low: i64| low + 1);
                    let mut bound = i64::MAX;
                    for place in first..end {
                        let mut at = building.stack[place];
                        if self.choice(at) == Some(choice) {
                            let edges = self.edges(at);
                            let (edge_bound, to) = edges[edges.partition_point(|(bound, _)| *bound < from)];
                            bound = bound.min(edge_bound);
                            at = to;
                        }
                        building.stack.push(at);
                    }
                    let part = self.product_of(end, building)?;
                    building.stack.truncate(end);
                    self.add_edge(start, (bound, part));
                    low = Some(bound);
                    parts += 1;
                }
                // Each is looked up among all others, which takes as long as two of an operation on two diagrams.
                self.look_at(2 * parts)?;
                self.close_node(choice, start)?
            }
        };
        building.size += building.count;
        if building.known.len() >= self.limit.min(MAX_PRODUCT) || building.size > MAX_PRODUCT_SIZE {
            return Err(TooWide);
        }
        building.known.insert(building.stack[first..end].into(), result);
        Ok(result)
    }
}

/// A product that is being put together.
#[derive(Default)]
struct Building {
    /// How many diagrams are multiplied, the event among them.
    count: usize,
    /// The diagrams that are being multiplied, for each part of each part.
    stack: Vec<Diagram>,
    size: usize,
    known: NodeMap<Box<[Diagram]>, Diagram>,
    numbers: NodeMap<Box<[u32]>, u32>,
    tuples: Tuples,
}

impl Building {
    /// The number of the leaves that are on the stack from a place on, behind the event.
    fn tuple(&mut self, first: usize, limit: usize) -> Result<u32, TooWide> {
        let leaves = self.stack[first + 1..first + self.count].iter();
        let tuple: Box<[u32]> = leaves.filter_map(|diagram| diagram.as_leaf()).collect();
        if let Some(number) = self.numbers.get(&tuple) {
            return Ok(*number);
        }
        self.size += tuple.len();
        if self.tuples.len() >= limit.min(MAX_TUPLES) || self.size > MAX_PRODUCT_SIZE {
            return Err(TooWide);
        }
        let number = self.tuples.len() as u32;
        self.numbers.insert(tuple.clone(), number);
        self.tuples.push(tuple);
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_leaves_out_dead_worlds() {
        let mut diagrams = Diagrams::new(1000);
        let x = diagrams.decide(0, [(0, Diagram::FALSE), (1, Diagram::TRUE)]).expect("small");
        let (product, tuples) = diagrams.product(x, &[x]).expect("small");
        assert_eq!(tuples, vec![Box::from([1])]);
        assert_eq!(diagrams.leaves_of(product), vec![0, DEAD]);
    }
}
