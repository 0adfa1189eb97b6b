//! Earlier releases of a register: weights by the signature of a group, never by person.
//!
//! A signature is what a group is alike in, and whether its people have a secret. A figure that was published before has one
//! weight for all people of a signature, so it is a figure of every table that is grouped by these columns, or by more.

use std::collections::HashMap;

use super::statistics::rational;
use crate::audit::exact;
use crate::audit::release::{Count, CountOf, Output, Release};
use crate::audit::rows::{Weights, rows};
use privug_engine::network::Affine;
use privug_engine::number::{Constants, Rational, Scalar};
use privug_language::source::{SourceId, Span};
use privug_tables::register::Groups;
use serde_json::{Value, json};

/// The published value of a figure and that of the table now may differ by so much of its parts' size.
const TOLERANCE: f64 = 1e-9;

/// What people of a group are alike in, and whether they have a secret.
type Signature = (Vec<Option<String>>, bool);

/// A release that was recorded by groups.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::audit) struct OldRelease {
    name: String,
    /// The columns of the signatures.
    by: Vec<String>,
    /// Each with how many people it was about.
    signatures: Vec<(Signature, u64)>,
    figures: Vec<OldFigure>,
    counts: Vec<(String, i64, Vec<usize>)>,
}

/// (Σ weight·secret)/divisor + offset, with one weight for each signature.
#[derive(Debug, Clone, PartialEq)]
struct OldFigure {
    name: String,
    weights: Vec<(usize, Rational)>,
    divisor: Rational,
    offset: f64,
    value: f64,
}

fn signature(groups: &Groups, by: &[usize], group: usize) -> Signature {
    (by.iter().map(|place| groups.keys[*place].1.show(group)).collect(), groups.sums[group].is_some())
}

/// What a release tells, to be put into a ledger; in words, why it cannot be.
pub(in crate::audit) fn record<S: Scalar>(
    release: &Release<S>,
    suppressed: &[bool],
    noise_std: &[f64],
    program: SourceId,
) -> Result<Value, String> {
    let Some(of) = &release.groups else { return Err("only audits by groups can be recorded".to_owned()) };
    let groups = &of.groups;
    if groups.weights.is_some() {
        let words = "people in the same group have individual weights, whose sums do not suffice for later releases";
        return Err(words.to_owned());
    }
    let all: Vec<usize> = (0..groups.keys.len()).collect();
    let mut places: HashMap<Signature, usize> = HashMap::new();
    let mut sizes: Vec<u64> = Vec::new();
    let mut place_of = Vec::with_capacity(groups.len());
    let mut listed = Vec::new();
    for group in 0..groups.len() {
        let signature = signature(groups, &all, group);
        let place = *places.entry(signature.clone()).or_insert_with(|| {
            sizes.push(0);
            listed.push(signature);
            sizes.len() - 1
        });
        sizes[place] += groups.sizes[group];
        place_of.push(place);
    }
    // What comes from the ledger itself is in it already.
    let is_new = |span: Span| span.source == program;
    let published: Vec<usize> = (0..release.outputs.len())
        .filter(|figure| !suppressed[*figure] && is_new(release.outputs[*figure].span))
        .collect();
    let mut figures = Vec::with_capacity(published.len());
    for (figure, row) in published.iter().zip(rows(release, &published)) {
        let output = &release.outputs[*figure];
        let row = row.ok_or_else(|| format!("the weights of `{}` are not known exactly", output.name))?;
        if row.noise_variance > 0.0 || noise_std[*figure] > 0.0 {
            return Err(format!("`{}` is published with noise, and its value is not known here", output.name));
        }
        let factor = row.factor.ok_or_else(|| format!("the weights of `{}` are not known exactly", output.name))?;
        let weights: Vec<(usize, Rational)> = match row.weights {
            Weights::Doubles(weights) => weights
                .into_iter()
                .filter_map(|(entry, weight)| Some((entry as usize, exact::rational(&weight)?)))
                .collect(),
            Weights::Rationals(weights) => {
                weights.into_iter().map(|(entry, weight)| (entry as usize, weight)).collect()
            }
        };
        let (up, down) = (Rational::from(factor.numerator().clone()), Rational::from(factor.denominator().clone()));
        let mut by_place: HashMap<usize, Rational> = HashMap::new();
        let (mut total, mut size) = (Rational::ZERO, 0.0);
        for (entry, weight) in weights {
            let group = of.group(entry);
            let own = weight * &up / Rational::from(groups.sizes[group]);
            let part = &own * rational(groups.sums[group].unwrap_or(0), groups.scale) / &down;
            size += Constants::to_f64(&part).abs();
            total += part;
            // Rows of one signature that are not alike would need a column that was not recorded.
            if by_place.insert(place_of[group], own.clone()).is_some_and(|known| known != own) {
                return Err(format!("people in the same group have different weights in `{}`", output.name));
            }
        }
        let value = output.value.to_f64();
        let offset = value - Constants::to_f64(&total);
        let offset = if offset.abs() <= 1e-12 * (size + value.abs()) { 0.0 } else { offset };
        let mut weights: Vec<(usize, String)> =
            by_place.into_iter().map(|(place, weight)| (place, weight.to_string())).collect();
        weights.sort_unstable();
        figures.push(json!({
            "name": output.name, "weights": weights, "divisor": down.to_string(), "offset": offset, "value": value,
        }));
    }
    let first = release.outputs.len();
    let is_out = |place: usize| suppressed.get(place).copied().unwrap_or(false);
    let (mut counts, mut unexamined) = (Vec::new(), Vec::new());
    for (place, count) in release.counts.iter().enumerate() {
        if is_out(first + place) || !is_new(count.span) {
            continue;
        }
        if !count.is_sum() {
            unexamined.push(json!({"name": count.name, "kind": "a count", "value": count.count}));
            continue;
        }
        let mut behind: Vec<usize> = match &count.rows {
            None => (0..listed.len()).collect(),
            Some(rows) => rows.iter().map(|row| place_of[*row as usize]).collect(),
        };
        behind.sort_unstable();
        behind.dedup();
        counts.push(json!({"name": count.name, "count": count.count, "signatures": behind}));
    }
    for other in release.unexamined.iter().filter(|other| is_new(other.span)) {
        unexamined.push(json!({"name": other.name, "kind": other.kind, "value": other.value}));
    }
    let signatures: Vec<Value> =
        listed.iter().zip(&sizes).map(|((cells, has_secret), people)| json!([cells, has_secret, people])).collect();
    let by: Vec<&str> = groups.keys.iter().map(|(name, _)| name.as_str()).collect();
    Ok(json!({
        "by": by, "signatures": signatures, "figures": figures, "counts": counts, "unexamined": unexamined,
    }))
}

impl OldRelease {
    /// Reads one of a ledger's file.
    pub(in crate::audit) fn read(release: &Value) -> Result<Self, String> {
        let list =
            |value: &Value, key: &str| value[key].as_array().cloned().ok_or_else(|| format!("`{key}` is not a list"));
        let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| format!("{value} is not a string"));
        let number = |value: &Value| value.as_f64().ok_or_else(|| format!("{value} is not a number"));
        let ratio = |value: &Value| -> Result<Rational, String> {
            text(value)?.parse().map_err(|_| format!("{value} is not a fraction"))
        };
        let name = text(&release["name"])?;
        let by = list(release, "by")?.iter().map(text).collect::<Result<Vec<_>, _>>()?;
        let mut signatures = Vec::new();
        for one in list(release, "signatures")? {
            let cells = one[0].as_array().ok_or("a signature is not a list")?;
            let cells: Vec<Option<String>> = cells.iter().map(|cell| cell.as_str().map(str::to_owned)).collect();
            let (Some(has_secret), Some(people)) = (one[1].as_bool(), one[2].as_u64()) else {
                return Err("a signature does not say of how many people it is".to_owned());
            };
            if cells.len() != by.len() {
                return Err("a signature has too many or too few cells".to_owned());
            }
            signatures.push(((cells, has_secret), people));
        }
        let known = |place: &Value| {
            let place = place.as_u64().map(|place| place as usize).filter(|place| *place < signatures.len());
            place.ok_or_else(|| "there is no such signature".to_owned())
        };
        let mut figures = Vec::new();
        for figure in list(release, "figures")? {
            let weights = list(&figure, "weights")?;
            let weights = weights.iter().map(|weight| Ok::<_, String>((known(&weight[0])?, ratio(&weight[1])?)));
            let old = OldFigure {
                name: format!("{name}: {}", text(&figure["name"])?),
                weights: weights.collect::<Result<_, _>>()?,
                divisor: ratio(&figure["divisor"])?,
                offset: number(&figure["offset"])?,
                value: number(&figure["value"])?,
            };
            if old.weights.is_empty() || old.divisor == Rational::ZERO {
                return Err("a figure has no weights, or is divided by 0".to_owned());
            }
            figures.push(old);
        }
        let mut counts = Vec::new();
        for count in list(release, "counts")? {
            let behind = list(&count, "signatures")?.iter().map(known).collect::<Result<_, _>>()?;
            let people = count["count"].as_i64().ok_or("a count is not a number")?;
            counts.push((format!("{name}: {}", text(&count["name"])?), people, behind));
        }
        Ok(OldRelease { name, by, signatures, figures, counts })
    }

    /// The columns that people must be grouped by.
    pub(in crate::audit) fn columns(&self) -> &[String] {
        &self.by
    }

    /// How many figures and counts it has.
    pub(in crate::audit) fn len(&self) -> usize {
        self.figures.len() + self.counts.len()
    }

    /// The figures and counts, of the people of a release that is audited by groups; else why not, and what to do.
    pub(in crate::audit) fn outputs<S: Scalar>(
        &self,
        release: &mut Release<S>,
        span: Span,
    ) -> Result<(Vec<Output<S>>, Vec<Count>), (String, String)> {
        let Some(of) = release.groups.clone() else {
            return Err((
                format!("`{}` was recorded by groups of people", self.name),
                "audit by groups as well: `--grouped`".to_owned(),
            ));
        };
        let groups = &of.groups;
        let mut by = Vec::with_capacity(self.by.len());
        for column in &self.by {
            let Some(place) = groups.keys.iter().position(|(name, _)| name == column) else {
                return Err((
                    format!("`{}` distinguishes people by `{column}`, and these groups do not", self.name),
                    "recreate the groups with `--published-before`: it also groups by that column".to_owned(),
                ));
            };
            by.push(place);
        }
        let places: HashMap<&Signature, usize> =
            self.signatures.iter().enumerate().map(|(place, (signature, _))| (signature, place)).collect();
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.signatures.len()];
        for group in 0..groups.len() {
            if let Some(place) = places.get(&signature(groups, &by, group)) {
                members[*place].push(group);
            }
        }
        for (place, ((cells, _), people)) in self.signatures.iter().enumerate() {
            let now: u64 = members[place].iter().map(|group| groups.sizes[*group]).sum();
            if now != *people {
                let named: Vec<String> = self
                    .by
                    .iter()
                    .zip(cells)
                    .map(|(column, cell)| format!("{column}={}", cell.as_deref().unwrap_or("missing")))
                    .collect();
                return Err((
                    format!(
                        "`{}` was about {people} people with {}, and now there are {now}",
                        self.name,
                        named.join(", ")
                    ),
                    "audit with the people and the values as they were then".to_owned(),
                ));
            }
        }
        // Two rows may stand for a group.
        let mut entries_of: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
        (0..of.rows.len()).for_each(|entry| entries_of[of.group(entry)].push(entry));
        let mut outputs = Vec::with_capacity(self.figures.len());
        for figure in &self.figures {
            let (mut terms, mut constant) = (Vec::new(), S::zero());
            let (mut total, mut size) = (Rational::ZERO, figure.offset.abs());
            for (place, weight) in &figure.weights {
                for group in &members[*place] {
                    if entries_of[*group].is_empty() {
                        continue;
                    }
                    let part = weight * rational(groups.sums[*group].unwrap_or(0), groups.scale) / &figure.divisor;
                    size += Constants::to_f64(&part).abs();
                    total += part;
                    for entry in &entries_of[*group] {
                        let mean = &of.means[*entry];
                        let on_mean = S::from_ratio(&(weight * Rational::from(of.size(*entry))));
                        terms.push((mean.node, on_mean.mul(&mean.scale)));
                        constant = constant.add(&on_mean.mul(&mean.offset));
                    }
                }
            }
            let value = Constants::to_f64(&total) + figure.offset;
            if (value - figure.value).abs() > TOLERANCE * size {
                return Err((
                    format!(
                        "`{}` was published as {}, but is {value} in this table: values have changed since",
                        figure.name, figure.value
                    ),
                    "audit with the values as they were then".to_owned(),
                ));
            }
            let mut node = release.network.push(constant, terms, S::zero(), span);
            if figure.divisor != Rational::ONE {
                node = release.network.push_quotient(node, S::from_ratio(&figure.divisor), span);
            }
            let offset = S::from_written(figure.offset).unwrap_or_else(S::zero);
            let value = S::from_ratio(&total).add(&offset);
            outputs.push(Output {
                name: figure.name.clone(),
                variable: Affine { node, scale: S::one(), offset },
                value,
                span,
            });
        }
        let counts = self.counts.iter().map(|(name, count, behind)| {
            let within: std::collections::HashSet<u32> =
                behind.iter().flat_map(|place| members[*place].iter().map(|group| *group as u32)).collect();
            let of_row = &of.stand_ins.group;
            let rows = (0..of_row.len() as u32).filter(|row| within.contains(&of_row[*row as usize])).collect();
            Count { name: name.clone(), count: *count, of: CountOf::Rows, rows: Some(rows), span }
        });
        Ok((outputs, counts.collect()))
    }
}
