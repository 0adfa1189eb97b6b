//! `Normal` and `MultivariateNormal`: the rules P-Asg-Ind and P-Asg-Dep of the paper's figure 2.

use super::super::Note;
use super::super::fault::{Fault, Outcome};
use super::super::ndarray::Kind;
use super::super::random::Total;
use super::super::state::State;
use super::super::value::Value;
use super::arguments::{Argument, Arguments, given};
use super::semidefinite;
use super::vectors;
use crate::evaluate::{containers, ndarray, random, tables, text};
use crate::network::NodeId;
use crate::number::{Constants, Field, Scalar, Wide};
use privug_language::diagnostic::Code;
use privug_language::program::CallShape;

/// Pivots of a covariance matrix below this fraction of its diagonal may be rounding error.
const DOUBTFUL_PIVOT: f64 = 1e-13;
/// Below this fraction, the rounding of the entries (2⁻⁵³) shows among the first nine digits of a pivot.
const BLURRED_PIVOT: f64 = 3.814_697_265_625e-6; // 2⁻¹⁸

/// `Normal(mean, variance)`; a standard deviation only by its name.
pub(super) fn normal<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    if let Some(rows) = &state.tables.prior_rows {
        let rows = rows.clone();
        return tables::prior::normal_column(state, arguments, rows);
    }
    let parameters = ["mean|mu|loc", "variance|var", "size", "std|sigma|sd|scale"];
    let [mean, variance, size, std_dev] = arguments.bind("Normal", parameters, 1, 2)?;
    let mean = given(mean)?;
    let variance = self::variance(state, "Normal", variance, std_dev)?;
    let Some(size) = size else { return normal_variable(state, mean, &variance) };
    let shape = ndarray::create::shape_of(state, size.value).map_err(|fault| fault.at_argument(size.index))?;
    if matches!(size.value, Value::List(_)) || shape.is_empty() {
        let fault = Fault::new(Code::TypeMismatch, "the size is an integer or a tuple of integers");
        return Err(fault.at_argument(size.index));
    }
    let count = shape.iter().try_fold(1u64, |size, length| size.checked_mul(*length as u64)).unwrap_or(u64::MAX);
    state.budget.check_elements(count)?;
    state.budget.spend_steps(count)?;
    let variables = if count > 0 && mean.value.as_random().is_none() {
        normal_sources(state, mean, &variance, count as usize)?
    } else {
        (0..count).map(|_| normal_variable(state, mean, &variance)).collect::<Outcome<_>>()?
    };
    ndarray::create::new_array(state, variables, shape, Kind::Float)
}

/// `Normal(mean, variance)` of two ordinary numbers; `None`, and nothing made, for everything else.
pub(in super::super) fn quick_normal<S: Scalar>(
    state: &mut State<S>,
    shape: &CallShape,
    values: &[Value<S>],
) -> Option<Value<S>> {
    let [mean, variance, ..] = values else { return None };
    // In a prior for a whole table, every row has a variable of its own.
    if S::EXACT || state.tables.prior_rows.is_some() || shape.positional != 2 || !shape.keywords.is_empty() {
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
    state.push_node(mean, [], variance).ok().map(Value::random)
}

/// Independent variables around one number, made all at once.
fn normal_sources<S: Scalar>(
    state: &mut State<S>,
    mean: Argument<'_, S>,
    variance: &S,
    count: usize,
) -> Outcome<Vec<Value<S>>> {
    note_constant(state, variance);
    let mean = vectors::parameter(state, "the mean", mean.value).map_err(|fault| fault.at_argument(mean.index))?;
    let first = state.push_sources(count, &mean, variance)?;
    let nodes = (first.0..).take(count).map(NodeId);
    Ok(nodes.map(|node| Value::Random { node, scale: S::one(), offset: S::zero() }).collect())
}

fn note_constant<S: Scalar>(state: &mut State<S>, variance: &S) {
    if variance.is_zero() {
        let message = "a variance of 0 makes this a constant".to_owned();
        state.note(Note { message, span: state.span });
    }
}

/// The variance that a call gives, one way or the other.
pub(in super::super) fn variance<S: Scalar>(
    state: &mut State<S>,
    function: &str,
    variance: Option<Argument<'_, S>>,
    std_dev: Option<Argument<'_, S>>,
) -> Outcome<S> {
    let (argument, squared) = match (variance, std_dev) {
        (Some(variance), None) => (variance, false),
        (None, Some(std_dev)) => (std_dev, true),
        (Some(_), Some(std_dev)) => {
            let message = format!("`{function}` is given a variance and a standard deviation");
            return Err(Fault::hinted(Code::VarianceTwice, message, "remove one of them").at_argument(std_dev.index));
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
    let value = vectors::parameter(state, what, argument.value).map_err(|fault| fault.at_argument(argument.index))?;
    if value < S::zero() {
        let message = format!("{what} is negative: {}", text::show(state, argument.value));
        let hint = "the second argument of `Normal` is a variance; a standard deviation is given as `std=...`";
        return Err(Fault::hinted(Code::NegativeVariance, message, hint).at_argument(argument.index));
    }
    if !squared {
        return state.finite(value);
    }
    self::squared(state, &value).map_err(|fault| fault.at_argument(argument.index))
}

/// The variance that a standard deviation stands for; it must neither overflow nor vanish.
pub(in super::super) fn squared<S: Scalar>(state: &State<S>, std_dev: &S) -> Outcome<S> {
    let variance = state.finite(std_dev.mul(std_dev))?;
    if !std_dev.is_zero() && (variance.is_zero() || (!S::EXACT && variance.to_f64().is_subnormal())) {
        let message = "the square of the standard deviation is too small for a double";
        return Err(Fault::hinted(Code::ScaleOutOfRange, message, "choose other units, or use `--exact`"));
    }
    Ok(variance)
}

fn normal_variable<S: Scalar>(state: &mut State<S>, mean: Argument<'_, S>, variance: &S) -> Outcome<Value<S>> {
    note_constant(state, variance);
    // P-Asg-Dep: the mean is an affine expression of earlier variables.
    if let Some(x) = mean.value.as_random() {
        let terms = (!x.scale.is_zero()).then_some((x.node, x.scale));
        return state.push_node(x.offset, terms, variance.clone()).map(Value::random);
    }
    let mean = vectors::parameter(state, "the mean", mean.value).map_err(|fault| fault.at_argument(mean.index))?;
    state.push_node(mean, [], variance.clone()).map(Value::random)
}

/// `MultivariateNormal(means, covariances)`: with Σ = L·D·Lᵀ, xᵢ = meanᵢ + zᵢ + Σⱼ<ᵢ Lᵢⱼ·zⱼ and zᵢ ~ N(0, Dᵢ).
pub(super) fn multivariate_normal<S: Scalar>(state: &mut State<S>, arguments: &Arguments<'_, S>) -> Outcome<Value<S>> {
    let parameters = ["mean|mu|loc", "covariance|cov|covariance_matrix"];
    let [mean, covariance] = arguments.bind("MultivariateNormal", parameters, 2, 2)?;
    let (mean, covariance) = (given(mean)?, given(covariance)?);
    let means = containers::elements(state, mean.value).map_err(|fault| fault.at_argument(mean.index))?;
    let matrix = covariance_matrix(state, covariance, means.len())?;
    let factors = if state.certainty.irrational {
        factorise_rounded(state, &matrix)
    } else {
        factorise(state, &matrix).map(|(lower, pivots)| ((0..means.len()).collect(), lower, pivots))
    };
    let (order, lower, pivots) = factors.map_err(|fault| fault.at_argument(covariance.index))?;
    let mut noises = Vec::with_capacity(means.len());
    for pivot in &pivots {
        let variance = state.finite(pivot.narrow())?;
        noises.push(state.push_node(S::zero(), [], variance)?);
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
            None => vectors::parameter(state, "a mean", mean_value).map_err(|fault| fault.at_argument(mean.index))?,
        };
        for (noise, factor) in noises.iter().zip(&lower[row]) {
            terms.push((noise.node, state.finite(factor.narrow())?));
        }
        terms.push((noises[row].node, S::one()));
        let mut total = Total::new();
        total.add(&constant);
        variables[place] = Value::random(random::sum_terms(state, terms, &total)?);
    }
    ndarray::create::array(state, variables)
}

fn covariance_matrix<S: Scalar>(state: &mut State<S>, argument: Argument<'_, S>, size: usize) -> Outcome<Vec<Vec<S>>> {
    let refuse = |message: String| Err(Fault::new(Code::BadCovariance, message).at_argument(argument.index));
    let rows = containers::elements(state, argument.value).map_err(|fault| fault.at_argument(argument.index))?;
    if rows.len() != size {
        return refuse(format!("there are {size} means and {} rows of covariances", rows.len()));
    }
    let mut matrix = Vec::with_capacity(size);
    for row in &rows {
        let entries = containers::elements(state, row).map_err(|fault| fault.at_argument(argument.index))?;
        if entries.len() != size {
            return refuse(format!("a row has {} covariances instead of {size}", entries.len()));
        }
        let entries: Outcome<Vec<S>> =
            entries.iter().map(|entry| vectors::parameter(state, "a covariance", entry)).collect();
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
fn factorise_rounded<S: Scalar>(
    state: &mut State<S>,
    matrix: &[Vec<S>],
) -> Outcome<(Vec<usize>, Vec<Vec<S::Wide>>, Vec<S::Wide>)> {
    let size = matrix.len() as u64;
    state.budget.spend_steps(size.saturating_mul(size).saturating_mul(size) / 3)?;
    let doubles: Vec<Vec<f64>> = matrix.iter().map(|row| row.iter().map(Constants::to_f64).collect()).collect();
    let factors = semidefinite::factorise(&doubles)?;
    if factors.dependent > 0 {
        let message = format!(
            "up to the rounding of the covariances, {} of these {size} variables follow from the others; they are assumed to",
            factors.dependent
        );
        state.note(Note { message, span: state.span });
    }
    let follows = state.certainty.follows_doubles;
    let mut wide = |value: &f64| -> Outcome<S::Wide> {
        let known = |scalar: S| if follows { scalar.known_to_be_rounded() } else { scalar };
        let scalar = S::from_f64(*value).map(|scalar| S::Wide::widen(&known(scalar)));
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
fn factorise<S: Scalar>(state: &mut State<S>, matrix: &[Vec<S>]) -> Outcome<(Vec<Vec<S::Wide>>, Vec<S::Wide>)> {
    let size = matrix.len() as u64;
    state.budget.spend_steps(size.saturating_mul(size).saturating_mul(size) / 3)?;
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
                if is_negligible(state, &rest, scale) || blurred {
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
            state.certainty.doubt_at(state.span);
        }
        if is_negligible(state, &pivot, diagonal) || (blurred && pivot < S::Wide::zero()) {
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
fn is_negligible<S: Scalar>(state: &mut State<S>, rest: &S::Wide, scale: f64) -> bool {
    if rest.is_zero() {
        return true;
    }
    let negligible = !S::EXACT && rest.to_f64().abs() <= DOUBTFUL_PIVOT * scale;
    if negligible {
        state.certainty.doubt_at(state.span);
    }
    negligible
}

pub(super) fn not_semidefinite() -> Box<Fault> {
    let hint = "no combination of the variables may have a negative variance; check the off-diagonal entries";
    Fault::hinted(Code::BadCovariance, "the covariance matrix is not positive semidefinite", hint)
}
