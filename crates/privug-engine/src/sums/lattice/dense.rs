//! Probabilities of sums on a lattice at all frequencies: a fast Fourier transform.

use super::super::fft::{Complex, rounding, transform};
use super::{Kind, Others, Tilted, Window};

/// The transforms of all kinds of people, at every frequency.
pub(super) struct Dense<'a> {
    tilted: &'a Tilted<'a>,
    points: usize,
    /// The logarithms of the transforms of one person of each kind, and of all people together.
    logs: Vec<Vec<Complex>>,
    all: Vec<Complex>,
    /// How far each transform may be off, and the logarithm of what the product of all is at most.
    errors: Vec<f64>,
    bounds: Vec<f64>,
}

impl<'a> Dense<'a> {
    pub(super) fn new(tilted: &'a Tilted<'a>, points: usize) -> Self {
        let kinds = tilted.kinds;
        let mut dense = Dense {
            tilted,
            points,
            logs: Vec::with_capacity(kinds.len()),
            all: vec![Complex::ZERO; points],
            errors: Vec::with_capacity(kinds.len()),
            bounds: vec![0.0; points],
        };
        for (place, kind) in kinds.iter().enumerate() {
            let mut x = vec![Complex::ZERO; points];
            let mut squares = 0.0;
            for ((k, _), p) in kind.values.iter().zip(&tilted.probabilities[place]) {
                squares += p * p;
                x[k.rem_euclid(points as i64) as usize].re += p;
            }
            transform(&mut x, true);
            let error = rounding(points) * (points as f64 * squares).sqrt() + 1e-15;
            dense.errors.push(error);
            for ((value, sum), bound) in x.iter_mut().zip(&mut dense.all).zip(&mut dense.bounds) {
                *value = if value.size() > 1e-280 { value.ln() } else { Complex { re: -644.0, im: 0.0 } };
                *sum = *sum + value.scale(kind.count as f64);
                *bound += kind.count as f64 * (value.re.exp() + error).ln();
            }
            dense.logs.push(x);
        }
        dense
    }

    /// What the others' sum tells about each value of a person of a kind.
    pub(super) fn others(&self, place: usize, kind: &Kind, window: Window, largest: i64) -> Others {
        let points = self.points;
        let people: f64 = self.tilted.kinds.iter().map(|kind| kind.count as f64).sum();
        let mut x = vec![Complex::ZERO; points];
        let mut error = 0.0;
        // What the rounding of transforms does to their product: |Π(f + e)| − |Π f| ≤ Π(|f| + e) − Π|f|.
        for (j, x) in x.iter_mut().enumerate() {
            let ln = self.all[j] - self.logs[place][j];
            let ln_most = self.bounds[j] - (self.logs[place][j].re.exp() + self.errors[place]).ln();
            let size = ln.re.exp();
            error += (ln_most.exp() - size).max(0.0) + 4.0 * f64::EPSILON * people * size;
            *x = ln.exp();
        }
        transform(&mut x, false);
        let scale = 1.0 / points as f64;
        let norm = x.iter().map(|value| value.re * value.re).sum::<f64>().sqrt() * scale;
        let error = error * scale + rounding(points) * norm;
        let of_value = |(k, _): &(i64, f64)| {
            let sums = (window.from..=window.to).filter(|sum| (0..=largest).contains(&(sum - k)));
            let each = sums.map(|sum| {
                let value = x[(sum - k).rem_euclid(points as i64) as usize].re * scale;
                (self.tilted.back(sum - window.from), value)
            });
            each.fold((0.0, 0.0), |(sum, weights), (back, value)| (sum + back * value, weights + back))
        };
        Others { sums: kind.values.iter().map(of_value).collect(), error }
    }
}
