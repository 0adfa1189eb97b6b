//! The shape of an array: which elements of a buffer it shows, in which order. Several arrays may show the same buffer.

use super::super::value::Handle;
use super::kind::Kind;

/// More dimensions than these are refused.
pub(in super::super) const MAX_DIMENSIONS: usize = 32;

/// A view of a buffer: element (i₀, i₁, …) is at `offset + Σ iₖ·stridesₖ`.
#[derive(Debug, Clone)]
pub(in super::super) struct Array {
    /// The sequence of the heap that holds the elements.
    pub(in super::super) buffer: Handle,
    pub(in super::super) offset: usize,
    pub(in super::super) shape: Vec<usize>,
    pub(in super::super) strides: Vec<isize>,
    pub(in super::super) kind: Kind,
}

impl Array {
    /// All elements of a buffer, row by row.
    pub(in super::super) fn rows(buffer: Handle, shape: Vec<usize>, kind: Kind) -> Self {
        let strides = row_strides(&shape);
        Array { buffer, offset: 0, shape, strides, kind }
    }

    pub(in super::super) fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// The length of the first dimension.
    pub(in super::super) fn len(&self) -> usize {
        self.shape.first().copied().unwrap_or(1)
    }

    pub(in super::super) fn is_contiguous(&self) -> bool {
        let mut expected = 1;
        for (length, stride) in self.shape.iter().zip(&self.strides).rev() {
            if *length > 1 && *stride != expected as isize {
                return false;
            }
            expected *= (*length).max(1);
        }
        true
    }

    /// Where the element of a one-dimensional array is; counts from the start only.
    #[inline(always)]
    pub(in super::super) fn element(&self, index: i64) -> Option<usize> {
        let ([length], [stride]) = (self.shape.as_slice(), self.strides.as_slice()) else { return None };
        ((index as u64) < *length as u64).then(|| (self.offset as isize + index as isize * stride) as usize)
    }

    /// Where the elements are, row by row.
    pub(in super::super) fn positions(&self) -> Positions<'_> {
        let index = vec![0; self.shape.len()];
        Positions { array: self, index, at: self.offset as isize, left: self.size() }
    }

    /// The part at one place of the first dimension.
    pub(in super::super) fn row(&self, index: usize) -> Array {
        Array {
            buffer: self.buffer,
            offset: (self.offset as isize + index as isize * self.strides[0]) as usize,
            shape: self.shape[1..].to_vec(),
            strides: self.strides[1..].to_vec(),
            kind: self.kind,
        }
    }

    /// The dimensions in another order.
    pub(in super::super) fn permuted(&self, order: &[usize]) -> Array {
        let shape = order.iter().map(|axis| self.shape[*axis]).collect();
        let strides = order.iter().map(|axis| self.strides[*axis]).collect();
        Array { shape, strides, ..self.clone() }
    }

    /// The same elements under a larger shape, which this one can be stretched to.
    pub(in super::super) fn stretched(&self, shape: &[usize]) -> Array {
        let missing = shape.len() - self.shape.len();
        let strides = (0..shape.len()).map(|axis| match axis.checked_sub(missing) {
            Some(own) if self.shape[own] == shape[axis] => self.strides[own],
            _ => 0,
        });
        Array { shape: shape.to_vec(), strides: strides.collect(), ..self.clone() }
    }

    /// The same elements under another shape, if no copy is needed.
    pub(in super::super) fn reshaped(&self, shape: &[usize]) -> Option<Array> {
        self.is_contiguous().then(|| Array { shape: shape.to_vec(), strides: row_strides(shape), ..self.clone() })
    }
}

fn row_strides(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis].max(1) as isize;
    }
    strides
}

/// numpy's broadcasting: shapes are aligned at their ends, and a length of 1 stretches. `None` if they do not fit.
pub(in super::super) fn broadcast(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let dimensions = a.len().max(b.len());
    let length = |shape: &[usize], axis: usize| match (axis + shape.len()).checked_sub(dimensions) {
        Some(own) => shape[own],
        None => 1,
    };
    (0..dimensions)
        .map(|axis| match (length(a, axis), length(b, axis)) {
            (x, y) if x == y => Some(x),
            (1, other) | (other, 1) => Some(other),
            _ => None,
        })
        .collect()
}

/// `(2, 3)`, as numpy writes shapes.
pub(in super::super) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [only] => format!("({only},)"),
        several => {
            let lengths: Vec<String> = several.iter().map(usize::to_string).collect();
            format!("({})", lengths.join(", "))
        }
    }
}

/// Places in a buffer, in the order of an array's elements.
pub(in super::super) struct Positions<'a> {
    array: &'a Array,
    index: Vec<usize>,
    at: isize,
    left: usize,
}

impl Iterator for Positions<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let position = self.at as usize;
        for axis in (0..self.index.len()).rev() {
            self.index[axis] += 1;
            self.at += self.array.strides[axis];
            if self.index[axis] < self.array.shape[axis] {
                break;
            }
            self.at -= self.array.strides[axis] * self.array.shape[axis] as isize;
            self.index[axis] = 0;
        }
        Some(position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Positions<'_> {}
