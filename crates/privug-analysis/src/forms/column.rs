//! Columns as sums of parts, where writing out every element would not fit.
//!
//! The mean of a group beside each of its members (`groupby(…).transform("mean")`) has a thousand different rows, repeated a
//! million times. Such a column is kept as
//!
//! ```text
//! element i = offsetᵢ + Σₖ rowsₖ[placeₖ(i)]
//! ```
//!
//! with a few columns of rows that are written out, and for each of them which row is in which element. Sums of groups count how
//! often each row is in each group, and combine the rows: nothing is ever written out for every element. What needs all elements
//! is refused, as it would be without.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Forms, FormsError, Rows};

/// Columns with more terms are kept as parts, if that saves most of them.
const MOST_WRITTEN_OUT: usize = 20_000_000;

/// No row: the part is not in this element.
const NONE: u32 = u32::MAX;

/// So many pairs of groups and rows are counted in a table; more are sorted.
const MOST_COUNTED: usize = 1 << 24;

/// A column of affine forms, written out or as parts.
#[derive(Debug, Clone)]
pub enum Column {
    /// Every element for itself.
    Whole(Arc<Forms>),
    /// A sum of parts.
    Parts(Arc<Parts>),
}

/// A sum of parts.
#[derive(Debug, Clone)]
pub struct Parts {
    /// What is added to each element; NaN if it is missing.
    offsets: Vec<f64>,
    parts: Vec<Part>,
}

#[derive(Debug, Clone)]
struct Part {
    /// Without offsets.
    rows: Arc<Forms>,
    /// The row in each element; `None` if it is its own.
    places: Option<Vec<u32>>,
}

impl From<Forms> for Column {
    fn from(forms: Forms) -> Self {
        Column::Whole(Arc::new(forms))
    }
}

impl Part {
    fn place(&self, at: usize) -> Option<usize> {
        match &self.places {
            None => Some(at),
            Some(places) => (places[at] != NONE).then(|| places[at] as usize),
        }
    }

    fn terms(&self, at: usize) -> usize {
        self.place(at).map_or(0, |row| self.rows.terms(row).len())
    }

    /// The same part with each row changed by a number that may differ between its elements.
    fn changed(
        &self,
        numbers: &[f64],
        len: usize,
        change: impl Fn(&Forms, &[f64]) -> Result<Forms, FormsError>,
    ) -> Result<Part, FormsError> {
        if let ([_], _) | (_, None) = (numbers, &self.places) {
            return Ok(Part { rows: Arc::new(change(&self.rows, numbers)?), places: self.places.clone() });
        }
        // One new row for each row and number that meet.
        let mut known: HashMap<(usize, u64), u32> = HashMap::new();
        let (mut rows, mut factors) = (Vec::new(), Vec::new());
        let mut places = vec![NONE; len];
        for (at, place) in places.iter_mut().enumerate() {
            let Some(row) = self.place(at) else { continue };
            *place = *known.entry((row, numbers[at].to_bits())).or_insert_with(|| {
                rows.push(row as i64);
                factors.push(numbers[at]);
                rows.len() as u32 - 1
            });
        }
        Ok(Part { rows: Arc::new(change(&self.rows.take(&rows)?, &factors)?), places: Some(places) })
    }

    /// How often each row is in each group.
    fn counted(&self, groups: &[i64], count: usize) -> Rows {
        let rows = self.rows.len();
        let pairs = groups.iter().enumerate().filter_map(|(at, group)| {
            let group = usize::try_from(*group).ok().filter(|group| *group < count)?;
            self.place(at).map(|row| group * rows + row)
        });
        let mut counts: Vec<(usize, u32)> = Vec::new();
        if rows.saturating_mul(count) <= MOST_COUNTED {
            let mut table = vec![0_u32; rows * count];
            pairs.for_each(|pair| table[pair] += 1);
            counts.extend(table.into_iter().enumerate().filter(|(_, times)| *times > 0));
        } else {
            let mut sorted: Vec<usize> = pairs.collect();
            sorted.sort_unstable();
            for pair in sorted {
                match counts.last_mut() {
                    Some((last, times)) if *last == pair => *times += 1,
                    _ => counts.push((pair, 1)),
                }
            }
        }
        let mut found = Rows { starts: vec![0; count + 1], places: Vec::new(), weights: Some(Vec::new()) };
        for (pair, times) in counts {
            found.starts[pair / rows + 1] += 1;
            found.places.push((pair % rows) as u32);
            found.weights.get_or_insert_default().push(f64::from(times));
        }
        (0..count).for_each(|group| found.starts[group + 1] += found.starts[group]);
        found
    }
}

impl Parts {
    fn of(column: &Column) -> Self {
        match column {
            Column::Parts(parts) => (**parts).clone(),
            Column::Whole(forms) => Parts {
                offsets: forms.offsets.clone(),
                parts: vec![Part { rows: Arc::new(forms.without_offsets()), places: None }],
            },
        }
    }

    fn len(&self) -> usize {
        self.offsets.len()
    }

    fn take(&self, places: &[i64]) -> Result<Self, FormsError> {
        if let Some(place) = places.iter().find(|place| **place < -1 || **place >= self.len() as i64) {
            return Err(FormsError::OutOfRange(*place));
        }
        let at = |place: i64| usize::try_from(place).ok();
        let offsets = places.iter().map(|place| at(*place).map_or(f64::NAN, |at| self.offsets[at])).collect();
        let parts = self.parts.iter().map(|part| {
            let taken =
                places.iter().map(|place| at(*place).and_then(|at| part.place(at)).map_or(NONE, |row| row as u32));
            Part { rows: part.rows.clone(), places: Some(taken.collect()) }
        });
        Ok(Parts { offsets, parts: parts.collect() })
    }

    /// One element, written out.
    fn element(&self, at: usize) -> Result<Forms, FormsError> {
        let mut sum = Forms::of_numbers(&self.offsets[at..=at]);
        if self.offsets[at].is_nan() {
            return Ok(sum);
        }
        for part in &self.parts {
            if let Some(row) = part.place(at) {
                sum = sum.plus_forms(&part.rows.take(&[row as i64])?, 1.0)?;
            }
        }
        Ok(sum)
    }

    fn whole(&self) -> Result<Forms, FormsError> {
        let total = (0..self.len()).map(|at| self.parts.iter().map(|part| part.terms(at)).sum::<usize>()).sum();
        super::check_terms(total)?;
        let mut sum = Forms::of_numbers(&self.offsets);
        for part in &self.parts {
            // What is not in an element adds nothing to it.
            let rows = Forms::concat(&[&part.rows, &Forms::of_numbers(&[0.0])])?;
            let none = part.rows.len() as i64;
            let places: Vec<i64> = (0..self.len()).map(|at| part.place(at).map_or(none, |row| row as i64)).collect();
            sum = sum.plus_forms(&rows.take(&places)?, 1.0)?;
        }
        Ok(sum)
    }

    fn sums(&self, groups: &[i64], count: usize) -> Result<Forms, FormsError> {
        if groups.len() != self.len() {
            return Err(FormsError::Length);
        }
        let present = groups.iter().zip(&self.offsets);
        let groups: Vec<i64> = present.map(|(group, offset)| if offset.is_nan() { -1 } else { *group }).collect();
        let mut sum = Forms::of_numbers(&self.offsets).sums(&groups, count)?;
        for part in &self.parts {
            let of_part = match &part.places {
                None => part.rows.sums(&groups, count)?,
                Some(_) => part.rows.combined(&part.counted(&groups, count))?,
            };
            sum = sum.plus_forms(&of_part, 1.0)?;
        }
        Ok(sum)
    }

    fn combined(&self, matrix: &Rows) -> Result<Forms, FormsError> {
        if let Some(place) = matrix.places.iter().find(|place| **place as usize >= self.len()) {
            return Err(FormsError::OutOfRange(i64::from(*place)));
        }
        let mut sum = Forms::of_numbers(&self.offsets).combined(matrix)?;
        for part in &self.parts {
            let (rows, is_rounded) = on_rows(matrix, |at| part.place(at));
            let of_part = part.rows.combined(&rows)?;
            sum = sum.plus_forms(&if is_rounded { of_part.inexact() } else { of_part }, 1.0)?;
        }
        Ok(sum)
    }
}

/// A matrix over elements as one over the rows that are in them, and whether a weight lost digits.
fn on_rows(matrix: &Rows, place: impl Fn(usize) -> Option<usize>) -> (Rows, bool) {
    let mut found = Rows { starts: vec![0], places: Vec::new(), weights: Some(Vec::new()) };
    let mut is_rounded = false;
    for row in matrix.starts.windows(2) {
        let mut weighted: Vec<(u32, f64)> = (row[0]..row[1])
            .filter_map(|at| {
                let weight = matrix.weights.as_ref().map_or(1.0, |weights| weights[at]);
                place(matrix.places[at] as usize).map(|row| (row as u32, weight))
            })
            .collect();
        weighted.sort_by_key(|(row, _)| *row);
        for (row, weight) in weighted {
            let weights = found.weights.get_or_insert_default();
            let start = found.starts[found.starts.len() - 1];
            match weights.last_mut() {
                Some(last) if found.places.len() > start && found.places.last() == Some(&row) => {
                    let sum = *last + weight;
                    is_rounded |= sum - *last != weight || sum - weight != *last;
                    *last = sum;
                }
                _ => {
                    found.places.push(row);
                    weights.push(weight);
                }
            }
        }
        found.starts.push(found.places.len());
    }
    (found, is_rounded)
}

impl Column {
    /// How many elements there are.
    pub fn len(&self) -> usize {
        match self {
            Column::Whole(forms) => forms.len(),
            Column::Parts(parts) => parts.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same with every element for itself, if it fits.
    pub fn whole(&self) -> Result<Arc<Forms>, FormsError> {
        match self {
            Column::Whole(forms) => Ok(forms.clone()),
            Column::Parts(parts) => parts.whole().map(Arc::new),
        }
    }

    /// Whether a weight lost digits.
    pub fn is_rounded(&self) -> bool {
        match self {
            Column::Whole(forms) => forms.is_rounded(),
            Column::Parts(parts) => parts.parts.iter().any(|part| part.rows.is_rounded()),
        }
    }

    /// The same, of which the last digits of the weights are not certain.
    pub fn inexact(&self) -> Self {
        match self {
            Column::Whole(forms) => forms.inexact().into(),
            Column::Parts(parts) => {
                let mut parts = (**parts).clone();
                parts.parts.iter_mut().for_each(|part| part.rows = Arc::new(part.rows.inexact()));
                Column::Parts(Arc::new(parts))
            }
        }
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Column::Whole(forms) => forms.bytes(),
            Column::Parts(parts) => {
                let places = |part: &Part| part.places.as_ref().map_or(0, |places| places.len() * 4);
                let held = parts.parts.iter().map(|part| part.rows.bytes() + places(part));
                parts.offsets.len() * 8 + held.sum::<usize>()
            }
        }
    }

    /// Which elements are missing.
    pub fn missing(&self) -> Vec<bool> {
        match self {
            Column::Whole(forms) => forms.missing(),
            Column::Parts(parts) => parts.offsets.iter().map(|offset| offset.is_nan()).collect(),
        }
    }

    /// Which elements depend on a secret; of parts, those that have any in them, also if they cancel.
    pub fn depends(&self) -> Vec<bool> {
        match self {
            Column::Whole(forms) => forms.depends(),
            Column::Parts(parts) => {
                let has_terms = |at: usize| parts.parts.iter().any(|part| part.terms(at) > 0);
                (0..parts.len()).map(|at| !parts.offsets[at].is_nan() && has_terms(at)).collect()
            }
        }
    }

    /// One element as a column by itself.
    pub fn element(&self, at: usize) -> Result<Forms, FormsError> {
        match self {
            Column::Whole(forms) => forms.take(&[at as i64]),
            Column::Parts(parts) => parts.element(at),
        }
    }

    /// The elements at some places, in their order; missing ones for -1.
    pub fn take(&self, places: &[i64]) -> Result<Self, FormsError> {
        let forms = match self {
            Column::Parts(parts) => return Ok(Column::Parts(Arc::new(parts.take(places)?))),
            Column::Whole(forms) => forms,
        };
        let at = |place: &i64| usize::try_from(*place).ok().filter(|at| *at < forms.len());
        let total: usize = places.iter().filter_map(at).map(|at| forms.terms(at).len()).sum();
        if total > MOST_WRITTEN_OUT && forms.sources.len() + places.len() < total / 4 && forms.units.is_none() {
            return Ok(Column::Parts(Arc::new(Parts::of(self).take(places)?)));
        }
        forms.take(places).map(Column::from)
    }

    /// Columns one after the other.
    pub fn concat(columns: &[&Column]) -> Result<Self, FormsError> {
        let whole: Option<Vec<&Forms>> = columns
            .iter()
            .map(|column| match column {
                Column::Whole(forms) => Some(&**forms),
                Column::Parts(_) => None,
            })
            .collect();
        if let Some(whole) = whole {
            return Forms::concat(&whole).map(Column::from);
        }
        let len = columns.iter().map(|column| column.len()).sum();
        let mut all = Parts { offsets: Vec::with_capacity(len), parts: Vec::new() };
        for column in columns {
            let own = Parts::of(column);
            let before = all.offsets.len();
            for part in &own.parts {
                let mut places = vec![NONE; len];
                for at in 0..own.len() {
                    places[before + at] = part.place(at).map_or(NONE, |row| row as u32);
                }
                all.parts.push(Part { rows: part.rows.clone(), places: Some(places) });
            }
            all.offsets.extend_from_slice(&own.offsets);
        }
        Ok(Column::Parts(Arc::new(all)))
    }

    /// What is done to the rows and the offsets alike, with one number for all elements or one for each.
    fn changed(
        &self,
        numbers: &[f64],
        change: impl Fn(&Forms, &[f64]) -> Result<Forms, FormsError>,
    ) -> Result<Self, FormsError> {
        let parts = match self {
            Column::Whole(forms) => return change(forms, numbers).map(Column::from),
            Column::Parts(parts) => parts,
        };
        let offsets = change(&Forms::of_numbers(&parts.offsets), numbers)?.offsets;
        // Elements that are missing, or become so, need no row.
        let is_gap = |at: usize, number: f64| number.is_nan() || (numbers.len() > 1 && parts.offsets[at].is_nan());
        let finite = numbers.iter().enumerate().map(|(at, number)| if is_gap(at, *number) { 1.0 } else { *number });
        let finite: Vec<f64> = finite.collect();
        let changed = parts.parts.iter().map(|part| part.changed(&finite, parts.len(), &change));
        Ok(Column::Parts(Arc::new(Parts { offsets, parts: changed.collect::<Result<_, _>>()? })))
    }

    /// The sum with numbers.
    pub fn plus(&self, numbers: &[f64]) -> Result<Self, FormsError> {
        match self {
            Column::Whole(forms) => forms.plus(numbers).map(Column::from),
            Column::Parts(parts) => {
                let offsets = Forms::of_numbers(&parts.offsets).plus(numbers)?.offsets;
                Ok(Column::Parts(Arc::new(Parts { offsets, parts: parts.parts.clone() })))
            }
        }
    }

    /// The product with numbers.
    pub fn times(&self, numbers: &[f64]) -> Result<Self, FormsError> {
        self.changed(numbers, |forms, numbers| forms.times(numbers))
    }

    /// The quotient by numbers.
    pub fn over(&self, numbers: &[f64]) -> Result<Self, FormsError> {
        self.changed(numbers, |forms, numbers| forms.over(numbers))
    }

    /// The sum with `sign` times another column of the same length, or of one element.
    pub fn plus_forms(&self, other: &Column, sign: f64) -> Result<Self, FormsError> {
        if let (Column::Whole(one), Column::Whole(other)) = (self, other) {
            return one.plus_forms(other, sign).map(Column::from);
        }
        if other.len() != self.len() && other.len() != 1 {
            return Err(FormsError::Length);
        }
        let rounded = |column: &Column| match column {
            Column::Whole(forms) => forms.units.is_some(),
            Column::Parts(_) => false,
        };
        if rounded(self) || rounded(other) {
            return Err(FormsError::Rounded(0));
        }
        let other = other.times(&[sign])?;
        let spread = if other.len() == self.len() {
            other
        } else {
            Column::Parts(Arc::new(Parts::of(&other).take(&vec![0; self.len()])?))
        };
        let (mut one, two) = (Parts::of(self), Parts::of(&spread));
        one.offsets = Forms::of_numbers(&one.offsets).plus(&two.offsets)?.offsets;
        one.parts.extend(two.parts);
        Ok(Column::Parts(Arc::new(one)))
    }

    /// The sum of each group; those with a negative number, and missing ones, are in none.
    pub fn sums(&self, groups: &[i64], count: usize) -> Result<Self, FormsError> {
        match self {
            Column::Whole(forms) => forms.sums(groups, count),
            Column::Parts(parts) => parts.sums(groups, count),
        }
        .map(Column::from)
    }

    /// The sum of the elements between each two places, without those that are missing.
    pub fn windows(&self, bounds: &[(u32, u32)]) -> Result<Self, FormsError> {
        match self {
            Column::Whole(forms) => forms.windows(bounds),
            Column::Parts(parts) => parts.whole()?.windows(bounds),
        }
        .map(Column::from)
    }

    /// Σⱼ mᵢⱼ·(element j) for each row i of a matrix.
    pub fn combined(&self, matrix: &Rows) -> Result<Self, FormsError> {
        match self {
            Column::Whole(forms) => forms.combined(matrix),
            Column::Parts(parts) => parts.combined(matrix),
        }
        .map(Column::from)
    }

    /// The value of each element for some values of the secrets.
    pub fn at(&self, values: &[f64]) -> Vec<f64> {
        match self {
            Column::Whole(forms) => forms.at(values),
            Column::Parts(parts) => {
                let mut found = parts.offsets.clone();
                for part in &parts.parts {
                    let rows = part.rows.at(values);
                    let added = (0..found.len()).map(|at| part.place(at).map_or(0.0, |row| rows[row]));
                    found.iter_mut().zip(added).for_each(|(sum, more)| *sum += more);
                }
                found
            }
        }
    }

    /// The largest number of a secret that is in it.
    pub fn largest_source(&self) -> Option<u32> {
        match self {
            Column::Whole(forms) => forms.sources.iter().max().copied(),
            Column::Parts(parts) => parts.parts.iter().filter_map(|part| part.rows.sources.iter().max().copied()).max(),
        }
    }
}

impl Forms {
    /// The same without what is added to each element; a missing one is empty.
    fn without_offsets(&self) -> Self {
        Forms { offsets: vec![0.0; self.len()], ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five secrets, three groups of them, and the mean of its group beside each of twelve elements.
    fn parts() -> (Column, Column) {
        let secrets = Forms::of_secrets([Some(0), Some(1), None, Some(3), Some(4)]);
        let means = secrets.sums(&[0, 1, 1, 0, 2], 3).and_then(|sums| sums.over(&[2.0, 3.0, 1.0])).expect("means");
        let means = means.plus(&[1.0, 0.0, -2.5]).expect("shifted");
        let places = [0, 1, 2, 2, 1, 0, -1, 0, 0, 1, 2, 2];
        let lazy = Parts::of(&means.clone().into()).take(&places).expect("parts");
        (Column::Parts(Arc::new(lazy)), means.take(&places).expect("forms").into())
    }

    const VALUES: [f64; 5] = [3.0, -1.5, 7.0, 11.0, 0.25];

    fn alike(one: &Column, other: &Column) {
        assert_eq!(one.missing(), other.missing());
        let close = |a: f64, b: f64| (a.is_nan() && b.is_nan()) || (a - b).abs() < 1e-12;
        assert!(one.at(&VALUES).into_iter().zip(other.at(&VALUES)).all(|(a, b)| close(a, b)));
        let (one, other) = (one.whole().expect("fits"), other.whole().expect("fits"));
        for at in 0..one.len() {
            let (a, b) = (one.get(at), other.get(at));
            assert_eq!(a.sources, b.sources, "element {at}");
            let weights = |form: &super::super::Form<'_>| -> Vec<f64> {
                form.weights.iter().map(|weight| weight / form.divisor).collect()
            };
            assert!(weights(&a).into_iter().zip(weights(&b)).all(|(a, b)| close(a, b)), "element {at}");
            assert!(close(a.offset, b.offset));
        }
    }

    #[test]
    fn parts_compute_what_columns_that_are_written_out_do() {
        let (lazy, plain) = parts();
        let groups = [0, 0, 1, -1, 1, 1, 0, 2, 2, 0, 0, 1];
        let own: Column = Forms::of_secrets((0..12).map(|at| (at != 4).then_some(at % 5))).into();
        let factors: Vec<f64> = (0..12).map(|at| if at == 3 { f64::NAN } else { 1.0 + f64::from(at % 2) }).collect();
        let matrix = Rows {
            starts: vec![0, 3, 3, 5],
            places: vec![0, 7, 1, 2, 5],
            weights: Some(vec![2.0, -1.0, 0.5, 1.0, 3.0]),
        };
        let each: [fn(&Column) -> Column; 3] = [
            |column| column.clone(),
            |column| column.take(&[3, 3, -1, 0, 11, 5, 5, 2, 1, 9, 8, 7]).expect("taken"),
            |column| column.plus(&[1.5]).and_then(|sum| sum.over(&[3.0])).expect("changed"),
        ];
        for change in each {
            let (lazy, plain) = (change(&lazy), change(&plain));
            assert!(matches!(lazy, Column::Parts(_)));
            alike(&lazy, &plain);
            alike(&lazy.times(&factors).expect("lazy"), &plain.times(&factors).expect("plain"));
            alike(&lazy.over(&factors).expect("lazy"), &plain.over(&factors).expect("plain"));
            alike(&own.plus_forms(&lazy, -1.0).expect("lazy"), &own.plus_forms(&plain, -1.0).expect("plain"));
            alike(&lazy.plus_forms(&own, 1.0).expect("lazy"), &plain.plus_forms(&own, 1.0).expect("plain"));
            let one: Column = own.element(0).expect("one").into();
            alike(&lazy.plus_forms(&one, -1.0).expect("lazy"), &plain.plus_forms(&one, -1.0).expect("plain"));
            let (both, wide) =
                (own.plus_forms(&lazy, -1.0).expect("lazy"), own.plus_forms(&plain, -1.0).expect("plain"));
            alike(&both.sums(&groups, 3).expect("lazy"), &wide.sums(&groups, 3).expect("plain"));
            alike(&both.combined(&matrix).expect("lazy"), &wide.combined(&matrix).expect("plain"));
            let (joined, wide) = (Column::concat(&[&lazy, &own]), Column::concat(&[&plain, &own]));
            alike(&joined.expect("lazy"), &wide.expect("plain"));
            assert!(
                (0..12).all(|at| lazy.element(at).expect("one").at(&VALUES)[0].to_bits()
                    == plain.at(&VALUES)[at].to_bits()
                    || plain.missing()[at])
            );
        }
    }

    #[test]
    fn what_does_not_fit_is_kept_as_parts_and_summed_up() {
        let secrets = Forms::of_secrets((0..30_000).map(Some));
        let groups: Vec<i64> = (0..30_000).map(|at| at % 2).collect();
        let sums: Column = secrets.sums(&groups, 2).expect("sums").into();
        let spread = sums.take(&groups).expect("parts");
        assert!(matches!(spread, Column::Parts(_)) && spread.whole().is_err());
        let deviations =
            Column::from(secrets).times(&[15_000.0]).and_then(|x| x.plus_forms(&spread, -1.0)).expect("parts");
        let halves: Vec<i64> = (0..30_000).map(|at| i64::from(at >= 15_000)).collect();
        let found = deviations.sums(&halves, 2).and_then(|sums| sums.whole()).expect("two sums");
        // The half itself, 15 000 times, less its 7 500 members of each group times the sum of the group.
        assert_eq!(found.get(0).weights[..2], [7_500.0, 7_500.0]);
        assert_eq!(found.get(0).weights[29_998..], [-7_500.0, -7_500.0]);
        assert!(!found.is_rounded());
    }
}
