//! Exact linear algebra on fingerprints: arithmetic modulo the prime 2⁶¹ − 1.
//!
//! Doubles are dyadic rationals, so every sum of products of them has an exact residue, however many digits it would
//! take to write it down. A row that depends on others depends on them modulo the prime as well; one that does not is
//! taken for a dependent one only if the prime divides its determinant, about once in 2⁶⁰. This is what tells "zero"
//! from "too small to see", which rounded arithmetic cannot.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The field's modulus.
const PRIME: u64 = (1 << 61) - 1;

/// Folds a number below 2¹²² into the field.
fn reduce(value: u128) -> u64 {
    let folded = (value as u64 & PRIME) + (value >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

/// a + b.
pub(super) fn add(a: u64, b: u64) -> u64 {
    reduce(u128::from(a) + u128::from(b))
}

/// a − b.
pub(super) fn sub(a: u64, b: u64) -> u64 {
    add(a, PRIME - b)
}

/// a · b.
pub(super) fn mul(a: u64, b: u64) -> u64 {
    reduce(u128::from(a) * u128::from(b))
}

/// 1 / a, for a ≠ 0: a^(p−2) by Fermat.
pub(super) fn inverse(a: u64) -> u64 {
    let (mut power, mut result, mut exponent) = (a, 1, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, power);
        }
        power = mul(power, power);
        exponent >>= 1;
    }
    result
}

/// The residue of a finite double m·2ᵉ; 2⁶¹ is 1 in this field, so the power is a rotation.
pub(super) fn of(value: f64) -> u64 {
    const FRACTION_BITS: u64 = 52;
    let bits = value.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let biased = ((bits >> FRACTION_BITS) & 0x7ff) as i64;
    let (mantissa, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << FRACTION_BITS, biased - 1075) };
    let magnitude = reduce(u128::from(mantissa) << exponent.rem_euclid(61));
    if value < 0.0 { sub(0, magnitude) } else { magnitude }
}

/// 2ᵉ.
pub(super) fn power_of_two(e: i32) -> u64 {
    1 << e.rem_euclid(61)
}

/// Rows in echelon form, to ask whether another row is a combination of them.
#[derive(Debug, Default)]
pub(super) struct Echelon {
    /// Reduced rows with leading entry 1, and the number that the caller gave them (ascending).
    rows: Vec<(u32, Vec<(u32, u64)>)>,
    /// For each column, one more than the row whose leading entry it holds.
    leader: Vec<u32>,
    /// Zero between calls.
    work: Vec<u64>,
}

impl Echelon {
    pub(super) fn new(columns: usize) -> Self {
        Echelon { rows: Vec::new(), leader: vec![0; columns], work: vec![0; columns] }
    }

    /// Adds a row; false if it is a combination of those already here.
    pub(super) fn insert(&mut self, number: u32, row: &[(u32, u64)]) -> bool {
        let mut rest = self.remainder(row, u32::MAX);
        let Some(&(column, leading)) = rest.first() else { return false };
        let unit = inverse(leading);
        rest.iter_mut().for_each(|(_, entry)| *entry = mul(*entry, unit));
        self.rows.push((number, rest));
        self.leader[column as usize] = self.rows.len() as u32;
        true
    }

    /// Whether a row is a combination of the rows numbered below `limit`.
    pub(super) fn spans(&mut self, row: &[(u32, u64)], limit: u32) -> bool {
        self.remainder(row, limit).is_empty()
    }

    /// What is left of a row after elimination. An echelon row is zero where earlier ones lead, so ascending order
    /// needs to visit each at most once, and only those that lead in a touched column.
    fn remainder(&mut self, row: &[(u32, u64)], limit: u32) -> Vec<(u32, u64)> {
        let mut touched: Vec<u32> = Vec::with_capacity(row.len());
        let mut due = BinaryHeap::new();
        let mut put = |work: &mut [u64], column: u32, value: u64, due: &mut BinaryHeap<Reverse<u32>>| {
            if work[column as usize] == 0 {
                touched.push(column);
                let leader = self.leader[column as usize];
                if leader > 0 && self.rows[leader as usize - 1].0 < limit {
                    due.push(Reverse(leader - 1));
                }
            }
            work[column as usize] = add(work[column as usize], value);
        };
        for &(column, value) in row {
            put(&mut self.work, column, value, &mut due);
        }
        while let Some(Reverse(next)) = due.pop() {
            let echelon = &self.rows[next as usize].1;
            let factor = self.work[echelon[0].0 as usize];
            if factor != 0 {
                for &(column, value) in echelon {
                    put(&mut self.work, column, sub(0, mul(factor, value)), &mut due);
                }
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let rest = touched
            .iter()
            .map(|&column| (column, std::mem::take(&mut self.work[column as usize])))
            .filter(|&(_, value)| value != 0);
        rest.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_of_doubles_add_and_multiply_exactly() {
        for (a, b) in [(0.1, 0.2), (-3.5, 1e300), (1.0 / 3.0, -1e-310), (0.0, 7.0)] {
            // Sterbenz-free check: the product through integers m·2ᵉ is what the definition says.
            assert_eq!(mul(of(a), of(b)), mul(of(b), of(a)));
            assert_eq!(add(of(a), of(-a)), 0);
        }
        assert_eq!(add(of(0.5), of(0.25)), of(0.75));
        assert_eq!(mul(of(1.5), of(-2.5)), of(-3.75));
        assert_eq!(mul(of(1e-200), of(2f64.powi(300))), of(1e-200 * 2f64.powi(300)));
        assert_ne!(add(of(0.1), of(0.2)), of(0.3));
        assert_eq!([power_of_two(-3), power_of_two(70)], [of(0.125), of(2f64.powi(70))]);
    }

    #[test]
    fn an_inverse_undoes_a_product() {
        assert_eq!(mul(of(3.0), inverse(of(3.0))), 1);
        assert_eq!(mul(of(-0.1), inverse(of(-0.1))), 1);
    }

    #[test]
    fn a_sum_of_rows_is_spanned_and_a_new_direction_is_not() {
        let row = |entries: &[f64]| -> Vec<(u32, u64)> {
            let nonzero = entries.iter().enumerate().filter(|(_, value)| **value != 0.0);
            nonzero.map(|(column, &value)| (column as u32, of(value))).collect()
        };
        let mut echelon = Echelon::new(4);
        assert!(echelon.insert(0, &row(&[1.0, 1.0, 0.0, 0.0])));
        assert!(echelon.insert(1, &row(&[1.0, 0.0, 3.0, 0.0])));
        assert!(!echelon.insert(2, &row(&[0.0, 1.0, -3.0, 0.0])));
        assert!(echelon.spans(&row(&[2.0, 1.0, 3.0, 0.0]), 2));
        assert!(!echelon.spans(&row(&[2.0, 1.0, 3.0, 0.0]), 1));
        assert!(!echelon.spans(&row(&[0.0, 0.0, 0.0, 2f64.powi(-300)]), 2));
        assert!(echelon.insert(3, &row(&[0.0, 1.0, -3.0, 2f64.powi(-300)])));
    }
}
