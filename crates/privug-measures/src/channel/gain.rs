//! What a guess is worth: gain functions of guess and secret, and the g-leakage that they define.

/// What each guess gains for each value of the secret. Gains are finite and not negative.
#[derive(Debug, Clone, PartialEq)]
pub struct Gain {
    /// For each guess, a gain for each value of the secret.
    rows: Vec<Vec<f64>>,
}

/// Why numbers are no gain function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GainError {
    /// There is nothing to guess.
    NoGuess,
    /// A gain is negative, infinite or not a number.
    NotAGain(f64),
    /// A guess has fewer or more gains than the secret has values.
    Shape {
        /// How many it has.
        found: usize,
        /// How many the secret has.
        expected: usize,
    },
}

impl Gain {
    /// A gain function; its rows are guesses, its columns values of the secret.
    pub fn new(rows: Vec<Vec<f64>>, secrets: usize) -> Result<Self, GainError> {
        if rows.is_empty() {
            return Err(GainError::NoGuess);
        }
        for row in &rows {
            if row.len() != secrets {
                return Err(GainError::Shape { found: row.len(), expected: secrets });
            }
            if let Some(bad) = row.iter().find(|gain| !(gain.is_finite() && **gain >= 0.0)) {
                return Err(GainError::NotAGain(*bad));
            }
        }
        Ok(Gain { rows })
    }

    /// For each guess, a gain for each value of the secret.
    pub(super) fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// What the best guess is expected to gain. Of joint probabilities, its share of that.
    pub fn vulnerability(&self, probabilities: &[f64]) -> f64 {
        let expected = |row: &Vec<f64>| row.iter().zip(probabilities).map(|(gain, p)| gain * p).sum::<f64>();
        self.rows.iter().map(expected).fold(0.0, f64::max)
    }
}
