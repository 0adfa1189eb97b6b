//! Sums over ranges of positive numbers without a single subtraction.

use crate::number::Wide;

/// A binary tree of partial sums over a list.
#[derive(Debug)]
pub(super) struct SumTree<W> {
    /// Node i has children 2i and 2i + 1; the list is the second half.
    nodes: Vec<W>,
}

impl<W: Wide> SumTree<W> {
    pub(super) fn new(list: impl ExactSizeIterator<Item = W>) -> Self {
        let length = list.len();
        let mut nodes = vec![W::zero(); length];
        nodes.extend(list);
        for index in (1..length).rev() {
            nodes[index] = nodes[2 * index].add(&nodes[2 * index + 1]);
        }
        SumTree { nodes }
    }

    /// The sum over the places start ≤ i < end.
    pub(super) fn sum(&self, start: usize, end: usize) -> W {
        let length = self.nodes.len() / 2;
        let (mut left, mut right) = (start + length, end + length);
        let mut sum = W::zero();
        while left < right {
            if left % 2 == 1 {
                sum = sum.add(&self.nodes[left]);
                left += 1;
            }
            if right % 2 == 1 {
                right -= 1;
                sum = sum.add(&self.nodes[right]);
            }
            (left, right) = (left / 2, right / 2);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::DoubleDouble;

    #[test]
    fn every_range_sums_its_own_numbers() {
        for length in 0..20usize {
            let tree = SumTree::new((0..length).map(|value| DoubleDouble::from((value * value) as f64)));
            for start in 0..=length {
                for end in start..=length {
                    let expected: usize = (start..end).map(|value| value * value).sum();
                    assert_eq!(tree.sum(start, end).to_f64(), expected as f64);
                }
            }
        }
    }
}
