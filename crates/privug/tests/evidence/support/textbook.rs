//! The paper's rules as they stand in figure 2: a dense mean vector and covariance matrix in rationals, changed
//! statement by statement. Slow, and simple enough to be checked by eye.

use dashu_ratio::RBig;

/// ⟨μ, Σ⟩
#[derive(Debug, Clone, Default)]
pub struct Textbook {
    pub mean: Vec<RBig>,
    pub covariance: Vec<Vec<RBig>>,
}

/// What an observation did.
#[derive(Debug, Clone, PartialEq)]
pub enum Learned {
    /// It told something: value minus mean, and variance, both just before.
    Used { innovation: RBig, variance: RBig },
    /// It was known already.
    Redundant,
    /// Something else was known already.
    Contradiction { implied: RBig },
}

impl Textbook {
    fn push(&mut self, mean: RBig, covariances: Vec<RBig>, variance: RBig) -> usize {
        for (row, covariance) in self.covariance.iter_mut().zip(&covariances) {
            row.push(covariance.clone());
        }
        let mut row = covariances;
        row.push(variance);
        self.covariance.push(row);
        self.mean.push(mean);
        self.mean.len() - 1
    }

    /// P-Asg-Ind: X = Normal(c₁, c₂)
    pub fn independent(&mut self, c1: &RBig, c2: &RBig) -> usize {
        self.push(c1.clone(), vec![RBig::ZERO; self.mean.len()], c2.clone())
    }

    /// P-Asg-Dep: X = Normal(c₁·Y + c₂, c₃)
    pub fn dependent(&mut self, c1: &RBig, y: usize, c2: &RBig, c3: &RBig) -> usize {
        let covariances = self.covariance[y].iter().map(|covariance| c1 * covariance).collect();
        let variance = c1 * c1 * &self.covariance[y][y] + c3;
        self.push(c1 * &self.mean[y] + c2, covariances, variance)
    }

    /// P-Op-PM: X = Y + c
    pub fn plus(&mut self, y: usize, c: &RBig) -> usize {
        let row = self.covariance[y].clone();
        let variance = row[y].clone();
        self.push(&self.mean[y] + c, row, variance)
    }

    /// P-Op-MD: X = Y · c
    pub fn times(&mut self, y: usize, c: &RBig) -> usize {
        let row = self.covariance[y].iter().map(|covariance| covariance * c).collect();
        let variance = &self.covariance[y][y] * c * c;
        self.push(&self.mean[y] * c, row, variance)
    }

    /// P-Sum: X = Y + Z
    pub fn sum(&mut self, y: usize, z: usize) -> usize {
        let row = self.covariance[y].iter().zip(&self.covariance[z]).map(|(a, b)| a + b).collect();
        let (yz, zy) = (self.covariance[y][z].clone(), &self.covariance[z][y]);
        let variance = &self.covariance[y][y] + &self.covariance[z][z] + yz + zy;
        self.push(&self.mean[y] + &self.mean[z], row, variance)
    }

    /// X = constant + Σ weight·variable, by the rules one after the other; what they leave behind in between is
    /// forgotten, which is the marginal.
    pub fn combine(&mut self, terms: &[(RBig, usize)], constant: &RBig) -> usize {
        let size = self.mean.len();
        let mut total = self.independent(&RBig::ZERO, &RBig::ZERO);
        for (weight, variable) in terms {
            let product = self.times(*variable, weight);
            total = self.sum(total, product);
        }
        let result = self.plus(total, constant);
        self.swap(size, result);
        self.truncate(size + 1);
        size
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.mean.swap(a, b);
        self.covariance.swap(a, b);
        self.covariance.iter_mut().for_each(|row| row.swap(a, b));
    }

    fn truncate(&mut self, size: usize) {
        self.mean.truncate(size);
        self.covariance.truncate(size);
        self.covariance.iter_mut().for_each(|row| row.truncate(size));
    }

    /// P-Cond: condition(X, c). The variable stays, as the constant that it was observed to be.
    pub fn condition(&mut self, x: usize, c: &RBig) -> Learned {
        let variance = self.covariance[x][x].clone();
        if variance.is_zero() {
            let implied = self.mean[x].clone();
            return if implied == *c { Learned::Redundant } else { Learned::Contradiction { implied } };
        }
        let innovation = c - &self.mean[x];
        let column = self.covariance[x].clone();
        let step = &innovation / &variance;
        for (mean, covariance) in self.mean.iter_mut().zip(&column) {
            *mean += &step * covariance;
        }
        for (row, a) in self.covariance.iter_mut().zip(&column) {
            if a.is_zero() {
                continue;
            }
            let factor = a / &variance;
            for (entry, b) in row.iter_mut().zip(&column) {
                if !b.is_zero() {
                    *entry -= &factor * b;
                }
            }
        }
        Learned::Used { innovation, variance }
    }
}
