//! A second way to the same posterior: all observations at once, over the independent sources of randomness, by
//! Gaussian elimination on theorem 5 (with any generalised inverse).

use dashu_ratio::RBig;

/// `constant + Σ coefficient·source`, sources having mean 0.
#[derive(Debug, Clone, Default)]
pub struct Row {
    pub constant: RBig,
    pub coefficients: Vec<RBig>,
}

impl Row {
    /// A source of its own.
    pub fn source(index: usize) -> Row {
        let mut coefficients = vec![RBig::ZERO; index];
        coefficients.push(RBig::ONE);
        Row { constant: RBig::ZERO, coefficients }
    }

    /// constant + Σ weight·row
    pub fn combine<'a>(terms: impl IntoIterator<Item = (&'a RBig, &'a Row)>, constant: &RBig) -> Row {
        let mut sum = Row { constant: constant.clone(), coefficients: Vec::new() };
        for (weight, row) in terms {
            sum.constant += weight * &row.constant;
            if sum.coefficients.len() < row.coefficients.len() {
                sum.coefficients.resize(row.coefficients.len(), RBig::ZERO);
            }
            for (total, coefficient) in sum.coefficients.iter_mut().zip(&row.coefficients) {
                *total += weight * coefficient;
            }
        }
        sum
    }

    fn covariance(&self, other: &Row, variances: &[RBig]) -> RBig {
        let pairs = self.coefficients.iter().zip(&other.coefficients).zip(variances);
        let terms = pairs.filter(|((a, b), _)| !a.is_zero() && !b.is_zero());
        terms.fold(RBig::ZERO, |sum, ((a, b), variance)| sum + a * b * variance)
    }
}

/// Means and covariances of the targets given the observations; `None` if these contradict each other.
pub fn posterior(
    variances: &[RBig],
    observations: &[(Row, RBig)],
    targets: &[Row],
) -> Option<(Vec<RBig>, Vec<Vec<RBig>>)> {
    let (k, m) = (observations.len(), targets.len());
    // [ Σ_bb | x_b − μ_b | Σ_ba ], reduced until the left part is diagonal.
    let mut table: Vec<Vec<RBig>> = Vec::new();
    for (row, value) in observations {
        let mut line: Vec<RBig> = observations.iter().map(|(other, _)| row.covariance(other, variances)).collect();
        line.push(value - &row.constant);
        line.extend(targets.iter().map(|target| row.covariance(target, variances)));
        table.push(line);
    }
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for column in 0..k {
        let taken = pivots.len();
        let Some(found) = (taken..k).find(|&line| !table[line][column].is_zero()) else { continue };
        table.swap(taken, found);
        let pivot = table[taken][column].clone();
        table[taken].iter_mut().for_each(|entry| *entry = &*entry / &pivot);
        let pivot_line = table[taken].clone();
        for (index, line) in table.iter_mut().enumerate() {
            if index != taken && !line[column].is_zero() {
                let factor = line[column].clone();
                line.iter_mut().zip(&pivot_line).for_each(|(entry, other)| *entry -= &factor * other);
            }
        }
        pivots.push((taken, column));
    }
    if table[pivots.len()..].iter().any(|line| !line[k].is_zero()) {
        return None;
    }
    let mut means = Vec::with_capacity(m);
    let mut covariances = Vec::with_capacity(m);
    for target in targets {
        let gains: Vec<(RBig, usize)> = pivots
            .iter()
            .map(|&(line, column)| (target.covariance(&observations[column].0, variances), line))
            .collect();
        let explained = |at: usize| gains.iter().fold(RBig::ZERO, |sum, (gain, line)| sum + gain * &table[*line][at]);
        means.push(&target.constant + explained(k));
        let row = targets.iter().enumerate();
        let row = row.map(|(at, other)| target.covariance(other, variances) - explained(k + 1 + at));
        covariances.push(row.collect());
    }
    Some((means, covariances))
}
