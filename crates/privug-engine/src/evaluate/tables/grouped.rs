//! Tables of groups: each row stands for many people who are alike in every column that the script reads.
//!
//! The secret of a row is the mean of its people's secrets. Whatever is affine in the secret, row by row, is the mean of
//! what it would be for each of them; sums and means over rows count a row as often as it has people. What is neither is
//! refused: only the operations listed here know how many people a row stands for.

use std::rc::Rc;

use super::super::fault::Outcome;
use super::super::state::State;
use super::super::value::Value;
use super::column;
use super::{Accessor, Frame, Series, not_of_groups};
use crate::evaluate::tables;
use crate::network::{Affine, NodeId};
use crate::number::{Constants, Field, Rational, Scalar, Wide};
use privug_language::program::{Builtin, Method, PandasFunction, TableMethod};

/// So deep are lists and dictionaries looked into.
const NESTED: usize = 4;

/// How the rows of a table stand for people.
#[derive(Debug, Clone)]
pub struct GroupTable {
    /// The table's place.
    pub table: usize,
    /// How many people each row stands for.
    pub sizes: Vec<u64>,
    /// The mean of their secrets, exactly; `None` for those who have none.
    pub means: Vec<Option<Rational>>,
    /// The variance of the secrets within each row's people.
    pub variances: Vec<f64>,
    /// The smallest and the largest secret of the group that each row stands for.
    pub ranges: Vec<(f64, f64)>,
    /// The columns that nobody has grouped by: a script that looks at one is refused.
    pub unread: Vec<String>,
    /// The column with everybody's own prior mean, which nobody is grouped by either, and the means of it in each row: only
    /// the prior may look at them.
    pub prior_means: Option<(usize, Vec<Option<Rational>>)>,
    /// The column with everybody's own weight, which nobody is grouped by either, and what each row has in the place of the
    /// weights of its people; `None` where they are missing.
    pub weights: Option<(usize, Vec<Option<Rational>>)>,
    /// Groups that two rows stand for, because their people have different weights.
    pub pairs: Vec<RowPair>,
}

/// Two rows that stand for a group together. Somebody's expected distance from what the group shares is c₁·x̄₁ + c₂·x̄₂ of the
/// two rows' means, with c₁ + c₂ = 1 and c₁·w₁ + c₂·w₂ = w for their weight w (docs/scale.md).
#[derive(Debug, Clone)]
pub struct RowPair {
    /// The two, one after the other.
    pub first: u32,
    /// Somebody with the smallest weight, somebody with the largest, and somebody in the middle.
    pub people: [Somebody; 3],
}

/// Somebody of a group that two rows stand for.
#[derive(Debug, Clone, Copy)]
pub struct Somebody {
    /// c₁ and c₂
    pub parts: [f64; 2],
    /// The part of their own variance that no figure depends on: 1 − c₁²/n₁ − c₂²/n₂. It is 0 if they are a row by themselves.
    pub left: f64,
}

/// Whether a value is made of rows that stand for many people.
fn is_of_groups<S: Scalar>(state: &State<S>, value: &Value<S>) -> bool {
    match value {
        Value::Frame(handle) => tables::frame(state, *handle).index.sizes().is_some(),
        Value::Series(series) => series.index.sizes().is_some(),
        Value::Groups(groups) => groups.frame.index.sizes().is_some(),
        Value::Loc(located) => is_of_groups(state, &located.value),
        _ => false,
    }
}

/// The same for what is in a list or a dictionary, or in one in there; what is nested deeper is taken to be.
fn holds_groups<S: Scalar>(state: &State<S>, value: &Value<S>, depth: usize) -> bool {
    let below = |part: &Value<S>| depth == 0 || holds_groups(state, part, depth - 1);
    match value {
        Value::List(handle) | Value::Tuple(handle) => state.heap.sequence(*handle).iter().any(below),
        Value::Dict(handle) | Value::Object(handle, _) => {
            state.heap.dict(*handle).entries.iter().any(|(_, part)| below(part))
        }
        other => is_of_groups(state, other),
    }
}

/// Refuses what would count such a row once.
pub(in super::super) fn refuse_groups<S: Scalar>(state: &State<S>, value: &Value<S>, what: &str) -> Outcome<()> {
    if is_of_groups(state, value) { Err(not_of_groups(what)) } else { Ok(()) }
}

/// Only these functions know how many people a row stands for.
pub(in super::super) fn check_groups<S: Scalar>(
    state: &State<S>,
    builtin: Builtin,
    values: &[Value<S>],
) -> Outcome<()> {
    let knows = matches!(
        builtin,
        Builtin::Len
            | Builtin::Sum
            | Builtin::ArraySum
            | Builtin::Mean
            | Builtin::StatisticsMean
            | Builtin::FloatMean
            | Builtin::Average
            | Builtin::Dot
            | Builtin::Where
            | Builtin::Crosstab
            | Builtin::PivotTable
            | Builtin::Concat
            | Builtin::Normal
            | Builtin::Pandas(PandasFunction::Cut | PandasFunction::IsMissing(_))
    );
    // Several columns in a list: they are added up row by row, crossed, or joined.
    let knows_lists =
        matches!(builtin, Builtin::Len | Builtin::Sum | Builtin::Crosstab | Builtin::PivotTable | Builtin::Concat);
    if state.tables.group_secret.is_none() {
        return Ok(());
    }
    let is_refused = |value: &Value<S>| match is_of_groups(state, value) {
        true => !knows,
        false => !knows_lists && holds_groups(state, value, NESTED),
    };
    match values.iter().position(is_refused) {
        Some(place) => Err(not_of_groups("this").at_argument(place)),
        None => Ok(()),
    }
}

/// The same for methods and attributes. Those that go column by column meet the columns that were not read.
pub(in super::super) fn check_method_of_groups<S: Scalar>(
    state: &State<S>,
    method: Method,
    object: &Value<S>,
    values: &[Value<S>],
) -> Outcome<()> {
    if !is_of_groups(state, object) {
        let is_table = matches!(object, Value::Frame(_) | Value::Series(_) | Value::Groups(_) | Value::Array(_));
        let is_given = is_table
            && state.tables.group_secret.is_some()
            && values.iter().any(|value| holds_groups(state, value, NESTED));
        return if is_given { Err(not_of_groups(&format!("`.{}`", method.name()))) } else { Ok(()) };
    }
    let of_columns = matches!(
        method,
        Method::Sum
            | Method::Mean
            | Method::Count
            | Method::Shape
            | Method::Copy
            | Method::AsType
            | Method::Dot
            | Method::Table(
                TableMethod::GroupBy
                    | TableMethod::PivotTable
                    | TableMethod::Assign
                    | TableMethod::Aggregate
                    | TableMethod::GroupSizes
                    | TableMethod::GetGroup
                    | TableMethod::IsIn
                    | TableMethod::Between
                    | TableMethod::Unique
                    | TableMethod::UniqueCount
                    | TableMethod::ValueCounts
                    | TableMethod::Transform
                    | TableMethod::Rename
                    | TableMethod::WithoutColumns
                    | TableMethod::WithoutMissing
                    | TableMethod::FillMissing
                    | TableMethod::IsMissing(_)
                    | TableMethod::Minimum
                    | TableMethod::Maximum
                    | TableMethod::StandardDeviation
                    | TableMethod::Variance
                    | TableMethod::NotLinear(_)
                    | TableMethod::Loc
                    | TableMethod::Empty
                    | TableMethod::GroupCount
            )
    );
    // What is done to each cell by itself: people who are alike stay so, and of a secret only what is affine is taken.
    let of_cells = match object {
        Value::Series(_) => matches!(
            method,
            Method::Table(
                TableMethod::Map
                    | TableMethod::Replace
                    | TableMethod::Where(_)
                    | TableMethod::Operator(_)
                    | TableMethod::Compare(_)
                    | TableMethod::TextAccessor
                    | TableMethod::DateAccessor
            )
        ),
        Value::Loc(accessed) => matches!(accessed.accessor, Accessor::Text | Accessor::Date),
        _ => false,
    };
    // The number of cells of a frame is one of groups.
    let is_size = method == Method::Size && matches!(object, Value::Series(_));
    if of_columns || of_cells || is_size { Ok(()) } else { Err(not_of_groups(&format!("`.{}`", method.name()))) }
}

/// Σ n·((x − x̄)² + v) / (N − 1) over rows of n people each, N together, with the variance v within a row: that of the
/// secret in its own prior, and 0 of columns that people were grouped by.
pub(super) fn variance_of_groups<S: Scalar>(state: &mut State<S>, series: &Series<S>) -> Outcome<Option<S>> {
    let Some(sizes) = series.index.sizes() else { return Ok(None) };
    let within = match &state.tables.group_secret {
        Some((name, variances)) if state.tables.prior_rows.is_some() && series.name.as_deref() == Some(name) => {
            Some(variances.clone())
        }
        _ => None,
    };
    let wide = |value: &S| S::Wide::widen(value);
    let table_rows = sizes;
    let sizes: Vec<i64> = (0..series.len()).map(|row| sizes.at(row) as i64).collect();
    let mut values: Vec<(S::Wide, S::Wide, usize)> = Vec::with_capacity(series.len());
    let mut people = 0;
    for (row, cell) in column::cells(state, &series.column)?.iter().enumerate() {
        if let Some(number) = state.number(cell) {
            values.push((wide(&state.scalar(&number)?), wide(&S::from_i64(sizes[row])), row));
            people += sizes[row];
        }
    }
    if people < 2 {
        return Ok(None);
    }
    let total = values.iter().fold(S::Wide::zero(), |sum, (value, size, _)| sum.add(&value.mul(size)));
    let mean = total.div(&wide(&S::from_i64(people)));
    let squares = values.iter().fold(S::Wide::zero(), |sum, (value, size, row)| {
        let distance = value.sub(&mean);
        let own = within.as_ref().and_then(|within| S::from_f64(within[table_rows.row(*row)])).unwrap_or_else(S::zero);
        sum.add(&distance.mul(&distance).add(&wide(&own)).mul(size))
    });
    let variance = squares.div(&wide(&S::from_i64(people - 1)));
    state.finite(variance.narrow()).map(Some)
}

/// Somebody of each group: the mean of the group, and how far one of n people lies from it.
///
/// With xᵢ = s + dᵢ, where s is what the group shares and the dᵢ are independent N(·, v), the mean of the group is
/// x̄ = s + d̄, and xᵢ − x̄ = dᵢ − d̄ has the variance v·(1 − 1/n) and is independent of x̄ and of everybody else's
/// secret (docs/scale.md). So somebody is x̄ + N(0, v·(1 − 1/n)).
///
/// Of a group that two rows stand for, the one row has somebody with the smallest weight and the other somebody with the
/// largest; somebody in between comes apart.
#[allow(clippy::type_complexity, reason = "two columns")]
pub(super) fn members<S: Scalar>(
    state: &mut State<S>,
    means: &[Affine<S>],
    sizes: &[u64],
    rows: &[u32],
    pairs: &[RowPair],
) -> Outcome<(Vec<Affine<S>>, Vec<Affine<S>>)> {
    let mut members = Vec::with_capacity(means.len());
    let mut between = Vec::with_capacity(pairs.len());
    let mut pairs = pairs.iter().peekable();
    for (entry, (mean, size)) in means.iter().zip(sizes).enumerate() {
        if members.len() > entry {
            continue;
        }
        if let Some(pair) = pairs.next_if(|pair| pair.first == rows[entry]) {
            let two = [entry, entry + 1].map(|entry| (&means[entry], sizes[entry]));
            members.push(member_of_pair(state, two, pair.people[0])?);
            members.push(member_of_pair(state, two, pair.people[1])?);
            between.push(member_of_pair(state, two, pair.people[2])?);
            continue;
        }
        members.push(if *size == 1 {
            mean.clone()
        } else {
            // The noise of a group's mean is v/n; (n − 1)·v/n is what a person is off.
            let spread = own_variance(state, mean.node).mul(&S::from_i64(*size as i64 - 1));
            state.push_node(S::zero(), [(mean.node, S::one())], spread)?
        });
    }
    Ok((members, between))
}

/// c₁·x̄₁ + c₂·x̄₂ + N(0, v·(1 − c₁²/n₁ − c₂²/n₂)): somebody of a group that two rows of n₁ and n₂ people stand for.
fn member_of_pair<S: Scalar>(state: &mut State<S>, rows: [(&Affine<S>, u64); 2], who: Somebody) -> Outcome<Affine<S>> {
    let number = |value: f64| S::from_f64(value).unwrap_or_else(S::zero);
    let terms = rows.iter().zip(who.parts).filter(|(_, part)| *part != 0.0);
    let terms: Vec<(NodeId, S)> = terms.map(|((mean, _), part)| (mean.node, number(part))).collect();
    let left = number(who.left);
    if let ([(node, _)], true) = (terms.as_slice(), left.is_zero()) {
        return Ok(Affine { node: *node, scale: S::one(), offset: S::zero() });
    }
    let (mean, size) = rows[0];
    let variance = own_variance(state, mean.node).mul(&S::from_i64(size as i64));
    state.push_node(S::zero(), terms, variance.mul(&left))
}

/// The variance of what is each person's own in the mean of a group.
fn own_variance<S: Scalar>(state: &State<S>, node: NodeId) -> S {
    let mut due = std::collections::BTreeMap::from([(node, S::one())]);
    let mut variance = S::zero();
    while let Some((node, weight)) = due.pop_last() {
        let made_of = state.builder.network.node(node);
        if state.builder.member_nodes.binary_search(&node).is_ok() {
            variance = variance.add(&weight.mul(&weight).mul(made_of.noise_variance));
        }
        let weight = made_of.divisor.map_or_else(|| weight.clone(), |divisor| weight.div(divisor));
        for (parent, factor) in made_of.parents() {
            let part = weight.mul(factor);
            due.entry(parent).and_modify(|sum| *sum = sum.add(&part)).or_insert(part);
        }
    }
    variance
}

impl GroupTable {
    /// How many people have no secret.
    pub fn without_secret(&self) -> u64 {
        self.means.iter().zip(&self.sizes).filter(|(mean, _)| mean.is_none()).map(|(_, size)| size).sum()
    }

    /// Hides what only the prior may look at, as a column that was not read.
    pub(super) fn hide_prior_means<S: Scalar>(&self, frame: &mut Frame<S>) {
        if let Some((place, _)) = &self.prior_means {
            frame.columns[*place].column = super::Column::Numbers(Rc::new(Vec::new()));
        }
    }

    /// Lets the rows of a table stand for people, with the means of their secrets in the secret's place.
    pub(super) fn apply<S: Scalar>(&self, frame: &mut Frame<S>, secret: usize, follows_doubles: bool) {
        use super::{Column, FrameColumn, Index, Label};
        if let Index::Rows { sizes, .. } = &mut frame.index {
            *sizes = Some(Rc::new(self.sizes.clone()));
        }
        let mean = |mean: &Rational| {
            let number = S::from_ratio(mean);
            if follows_doubles { number.followed() } else { number }
        };
        let column = |means: &[Option<Rational>]| match means.iter().all(Option::is_some) {
            true => Column::Numbers(Rc::new(means.iter().flatten().map(mean).collect())),
            false => {
                let cell =
                    |value: &Option<Rational>| value.as_ref().map_or(Value::Missing, |value| Value::Float(mean(value)));
                Column::Cells(Rc::new(means.iter().map(cell).collect()))
            }
        };
        frame.columns[secret].column = column(&self.means);
        if let Some((place, means)) = &self.prior_means {
            frame.columns[*place].column = column(means);
        }
        if let Some((place, weights)) = &self.weights {
            let weights = weights.iter().map(|weight| weight.as_ref().map(mean)).collect();
            frame.columns[*place].column = Column::Own(Rc::new(weights));
        }
        for name in &self.unread {
            let column = Column::Numbers(Rc::new(Vec::new()));
            frame.columns.push(FrameColumn { label: vec![Label::text(name)], column, rows: None });
        }
    }
}
