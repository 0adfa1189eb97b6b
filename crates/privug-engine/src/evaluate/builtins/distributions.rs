//! `Normal` and `MultivariateNormal`: the rules P-Asg-Ind and P-Asg-Dep of the paper's figure 2.

use super::super::Note;
use super::super::fault::{Fault, Outcome};
use super::super::ndarray::Kind;
use super::super::random::Total;
use super::super::state::State;
use super::super::value::Value;
use super::arguments::{Argument, Arguments, given};
use super::semidefinite;
use crate::network::NodeId;
use crate::number::{Constants, Field, Scalar, Wide};
use privug_language::diagnostic::Code;
use privug_language::program::CallShape;

/// Pivots of a covariance matrix below this fraction of its diagonal may be rounding error.
const DOUBTFUL_PIVOT: f64 = 1e-13;
/// Below this fraction, the rounding of the entries (2⁻⁵³) shows among the first nine digits of a pivot.
const BLURRED_PIVOT: f64 = 3.814_697_265_625e-6; // 2⁻¹⁸

impl<S: Scalar> State<S> {
    /// `Normal(mean, variance)`; a standard deviation only by its name.
    pub(super) fn normal(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        if let Some(rows) = &self.tables.prior_rows {
            let rows = rows.clone();
            return self.normal_column(arguments, rows);
        }
        let parameters = ["mean|mu|loc", "variance|var", "size", "std|sigma|sd|scale"];
        let [mean, variance, size, std_dev] = arguments.bind("Normal", parameters, 1, 2)?;
        let mean = given(mean)?;
        let variance = self.variance("Normal", variance, std_dev)?;
        let Some(size) = size else { return self.normal_variable(mean, &variance) };
        let shape = self.shape_of(size.value).map_err(|fault| fault.at_argument(size.index))?;
        if matches!(size.value, Value::List(_)) || shape.is_empty() {
            let fault = Fault::new(Code::TypeMismatch, "the size is an integer or a tuple of integers");
            return Err(fault.at_argument(size.index));
        }
        let count = shape.iter().try_fold(1u64, |size, length| size.checked_mul(*length as u64)).unwrap_or(u64::MAX);
        self.budget.check_elements(count)?;
        self.budget.spend_steps(count)?;
        let variables = if count > 0 && mean.value.as_random().is_none() {
            self.normal_sources(mean, &variance, count as usize)?
        } else {
            (0..count).map(|_| self.normal_variable(mean, &variance)).collect::<Outcome<_>>()?
        };
        self.new_array(variables, shape, Kind::Float)
    }

    /// `Normal(mean, variance)` of two ordinary numbers; `None`, and nothing made, for everything else.
    pub(in super::super) fn quick_normal(&mut self, shape: &CallShape, values: &[Value<S>]) -> Option<Value<S>> {
        let [mean, variance, ..] = values else { return None };
        // In a prior for a whole table, every row has a variable of its own.
        if S::EXACT || self.tables.prior_rows.is_some() || shape.positional != 2 || !shape.keywords.is_empty() {
            return None;
        }
        let plain = |value: &Value<S>| match value {
            Value::Float(value) => Some(value.clone()),
            Value::Int(value) if value.unsigned_abs() <= 1 << 53 => Some(S::from_i64(*value)),
            _ => None,
        };
        let (mean, variance) = (plain(mean)?, plain(variance)?);
        if !(variance > S::zero()) {
            return None;
        }
        self.push_node(mean, [], variance).ok().map(Value::random)
    }

    /// Independent variables around one number, made all at once.
    fn normal_sources(&mut self, mean: Argument<'_, S>, variance: &S, count: usize) -> Outcome<Vec<Value<S>>> {
        self.note_constant(variance);
        let mean = self.parameter("the mean", mean.value).map_err(|fault| fault.at_argument(mean.index))?;
        let first = self.push_sources(count, &mean, variance)?;
        let nodes = (first.0..).take(count).map(NodeId);
        Ok(nodes.map(|node| Value::Random { node, scale: S::one(), offset: S::zero() }).collect())
    }

    fn note_constant(&mut self, variance: &S) {
        if variance.is_zero() {
            let message = "a variance of 0 makes this a constant".to_owned();
            self.note(Note { message, span: self.span });
        }
    }

    /// The variance that a call gives, one way or the other.
    pub(in super::super) fn variance(
        &mut self,
        function: &str,
        variance: Option<Argument<'_, S>>,
        std_dev: Option<Argument<'_, S>>,
    ) -> Outcome<S> {
        let (argument, squared) = match (variance, std_dev) {
            (Some(variance), None) => (variance, false),
            (None, Some(std_dev)) => (std_dev, true),
            (Some(_), Some(std_dev)) => {
                let message = format!("`{function}` is given a variance and a standard deviation");
                return Err(Fault::hinted(Code::VarianceTwice, message, "keep one of them").at_argument(std_dev.index));
            }
            (None, None) => {
                let message = format!("`{function}` needs a variance");
                let hint = "give the variance as second argument, or the standard deviation as `std=...`";
                return Err(Fault::hinted(Code::VarianceTwice, message, hint));
            }
        };
        if argument.value.as_random().is_some() {
            let hint = "the spread must be a number that is known beforehand";
            let fault = Fault::hinted(Code::RandomVariance, "the variance is random", hint);
            return Err(fault.at_argument(argument.index));
        }
        let what = if squared { "the standard deviation" } else { "the variance" };
        let value = self.parameter(what, argument.value).map_err(|fault| fault.at_argument(argument.index))?;
        if value < S::zero() {
            let message = format!("{what} is negative: {}", self.show(argument.value));
            let hint = "the second argument of `Normal` is a variance; a standard deviation is given as `std=...`";
            return Err(Fault::hinted(Code::NegativeVariance, message, hint).at_argument(argument.index));
        }
        if !squared {
            return self.finite(value);
        }
        self.squared(&value).map_err(|fault| fault.at_argument(argument.index))
    }

    /// The variance that a standard deviation stands for; it must neither overflow nor vanish.
    pub(in super::super) fn squared(&self, std_dev: &S) -> Outcome<S> {
        let variance = self.finite(std_dev.mul(std_dev))?;
        if !std_dev.is_zero() && (variance.is_zero() || (!S::EXACT && variance.to_f64().is_subnormal())) {
            let message = "the square of the standard deviation is too small for a double";
            return Err(Fault::hinted(Code::ScaleOutOfRange, message, "choose other units, or use `--exact`"));
        }
        Ok(variance)
    }

    fn normal_variable(&mut self, mean: Argument<'_, S>, variance: &S) -> Outcome<Value<S>> {
        self.note_constant(variance);
        // P-Asg-Dep: the mean is an affine expression of earlier variables.
        if let Some(x) = mean.value.as_random() {
            let terms = (!x.scale.is_zero()).then_some((x.node, x.scale));
            return self.push_node(x.offset, terms, variance.clone()).map(Value::random);
        }
        let mean = self.parameter("the mean", mean.value).map_err(|fault| fault.at_argument(mean.index))?;
        self.push_node(mean, [], variance.clone()).map(Value::random)
    }

    /// `MultivariateNormal(means, covariances)`: with Σ = L·D·Lᵀ, xᵢ = meanᵢ + zᵢ + Σⱼ<ᵢ Lᵢⱼ·zⱼ and zᵢ ~ N(0, Dᵢ).
    pub(super) fn multivariate_normal(&mut self, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
        let parameters = ["mean|mu|loc", "covariance|cov|covariance_matrix"];
        let [mean, covariance] = arguments.bind("MultivariateNormal", parameters, 2, 2)?;
        let (mean, covariance) = (given(mean)?, given(covariance)?);
        let means = self.elements(mean.value).map_err(|fault| fault.at_argument(mean.index))?;
        let matrix = self.covariance_matrix(covariance, means.len())?;
        let factors = if self.certainty.irrational {
            self.factorise_rounded(&matrix)
        } else {
            self.factorise(&matrix).map(|(lower, pivots)| ((0..means.len()).collect(), lower, pivots))
        };
        let (order, lower, pivots) = factors.map_err(|fault| fault.at_argument(covariance.index))?;
        let mut noises = Vec::with_capacity(means.len());
        for pivot in &pivots {
            let variance = self.finite(pivot.narrow())?;
            noises.push(self.push_node(S::zero(), [], variance)?);
        }
        let mut variables = vec![Value::None; means.len()];
        for (row, place) in order.into_iter().enumerate() {
            let mean_value = &means[place];
            let mut terms = Vec::new();
            let constant = match mean_value.as_random() {
                Some(x) => {
                    terms.push((x.node, x.scale));
                    x.offset
                }
                None => self.parameter("a mean", mean_value).map_err(|fault| fault.at_argument(mean.index))?,
            };
            for (noise, factor) in noises.iter().zip(&lower[row]) {
                terms.push((noise.node, self.finite(factor.narrow())?));
            }
            terms.push((noises[row].node, S::one()));
            let mut total = Total::new();
            total.add(&constant);
            variables[place] = Value::random(self.sum_terms(terms, &total)?);
        }
        self.array(variables)
    }

    fn covariance_matrix(&mut self, argument: Argument<'_, S>, size: usize) -> Outcome<Vec<Vec<S>>> {
        let refuse = |message: String| Err(Fault::new(Code::BadCovariance, message).at_argument(argument.index));
        let rows = self.elements(argument.value).map_err(|fault| fault.at_argument(argument.index))?;
        if rows.len() != size {
            return refuse(format!("there are {size} means and {} rows of covariances", rows.len()));
        }
        let mut matrix = Vec::with_capacity(size);
        for row in &rows {
            let entries = self.elements(row).map_err(|fault| fault.at_argument(argument.index))?;
            if entries.len() != size {
                return refuse(format!("a row has {} covariances instead of {size}", entries.len()));
            }
            let entries: Outcome<Vec<S>> = entries.iter().map(|entry| self.parameter("a covariance", entry)).collect();
            matrix.push(entries.map_err(|fault| fault.at_argument(argument.index))?);
        }
        for row in 0..size {
            for column in 0..row {
                if matrix[row][column] != matrix[column][row] {
                    return refuse(format!("the matrix is not symmetric at row {row}, column {column}"));
                }
            }
        }
        Ok(matrix)
    }

    /// The same where irrational numbers were rounded: more digits than the entries have would decide nothing.
    fn factorise_rounded(&mut self, matrix: &[Vec<S>]) -> Outcome<(Vec<usize>, Vec<Vec<S::Wide>>, Vec<S::Wide>)> {
        let size = matrix.len() as u64;
        self.budget.spend_steps(size.saturating_mul(size).saturating_mul(size) / 3)?;
        let doubles: Vec<Vec<f64>> = matrix.iter().map(|row| row.iter().map(Constants::to_f64).collect()).collect();
        let factors = semidefinite::factorise(&doubles)?;
        if factors.dependent > 0 {
            let message = format!(
                "up to the rounding of the covariances, {} of these {size} variables follow from the others; they are \
                 taken to",
                factors.dependent
            );
            self.note(Note { message, span: self.span });
        }
        let mut wide = |value: &f64| -> Outcome<S::Wide> {
            let scalar = S::from_f64(*value).map(|scalar| S::Wide::widen(&scalar));
            scalar.ok_or_else(|| Fault::new(Code::NotFinite, "a covariance is not a finite number"))
        };
        let mut lower = Vec::with_capacity(factors.lower.len());
        for row in &factors.lower {
            lower.push(row.iter().map(&mut wide).collect::<Outcome<Vec<_>>>()?);
        }
        let pivots = factors.pivots.iter().map(&mut wide).collect::<Outcome<Vec<_>>>()?;
        Ok((factors.order, lower, pivots))
    }

    /// Σ = L·D·Lᵀ with ones on the diagonal of L: the strictly lower part of L, row by row, and D.
    fn factorise(&mut self, matrix: &[Vec<S>]) -> Outcome<(Vec<Vec<S::Wide>>, Vec<S::Wide>)> {
        let size = matrix.len() as u64;
        self.budget.spend_steps(size.saturating_mul(size).saturating_mul(size) / 3)?;
        let rounded = matrix.iter().flatten().any(S::is_rounded);
        let mut blurred = false;
        let mut lower: Vec<Vec<S::Wide>> = Vec::with_capacity(matrix.len());
        let mut pivots: Vec<S::Wide> = Vec::with_capacity(matrix.len());
        for (row, entries) in matrix.iter().enumerate() {
            let mut factors: Vec<S::Wide> = Vec::with_capacity(row);
            for column in 0..row {
                let mut rest = S::Wide::widen(&entries[column]);
                for earlier in 0..column {
                    let product = factors[earlier].mul(&lower[column][earlier]).mul(&pivots[earlier]);
                    rest = rest.sub(&product);
                }
                let scale = entries[row].to_f64().abs().sqrt() * matrix[column][column].to_f64().abs().sqrt();
                if pivots[column].is_zero() {
                    if self.is_negligible(&rest, scale) || blurred {
                        factors.push(S::Wide::zero());
                    } else {
                        return Err(not_semidefinite());
                    }
                } else {
                    factors.push(rest.div(&pivots[column]));
                }
            }
            let mut pivot = S::Wide::widen(&entries[row]);
            for (factor, earlier) in factors.iter().zip(&pivots) {
                pivot = pivot.sub(&factor.mul(factor).mul(earlier));
            }
            let diagonal = entries[row].to_f64().abs();
            if rounded && pivot.to_f64().abs() < BLURRED_PIVOT * diagonal {
                // Exact arithmetic has to decide, also about what follows from here.
                blurred = true;
                self.certainty.doubt_at(self.span);
            }
            if self.is_negligible(&pivot, diagonal) || (blurred && pivot < S::Wide::zero()) {
                pivot = S::Wide::zero();
            } else if pivot < S::Wide::zero() {
                return Err(not_semidefinite());
            }
            lower.push(factors);
            pivots.push(pivot);
        }
        Ok((lower, pivots))
    }

    /// Whether a difference is zero; if only rounding can tell, exact arithmetic has to.
    fn is_negligible(&mut self, rest: &S::Wide, scale: f64) -> bool {
        if rest.is_zero() {
            return true;
        }
        let negligible = !S::EXACT && rest.to_f64().abs() <= DOUBTFUL_PIVOT * scale;
        if negligible {
            self.certainty.doubt_at(self.span);
        }
        negligible
    }
}

pub(super) fn not_semidefinite() -> Box<Fault> {
    let hint = "no combination of the variables may have a negative variance; check the off-diagonal entries";
    Fault::hinted(Code::BadCovariance, "the covariance matrix is not positive semidefinite", hint)
}
