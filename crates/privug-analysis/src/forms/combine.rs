//! Linear combinations of forms: sums of groups, running sums, products with matrices.

use super::arithmetic::loses_digits;
use super::decimals::{Whole, is_plain};
use super::{Form, Forms, FormsError, check_terms};

/// A sparse matrix: which elements, times what, each result is the sum of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// Where each row begins; one more than there are rows.
    pub starts: Vec<usize>,
    /// The elements.
    pub places: Vec<u32>,
    /// What each is multiplied by; `None` if all are 1.
    pub weights: Option<Vec<f64>>,
}

impl Rows {
    /// The elements of each group, in their order; those with a negative number, and missing ones, are in none.
    pub fn of_groups(groups: &[i64], count: usize, missing: &[bool]) -> Self {
        let group = |at: usize| usize::try_from(groups[at]).ok().filter(|group| *group < count && !missing[at]);
        let mut starts = vec![0_usize; count + 1];
        (0..groups.len()).filter_map(group).for_each(|group| starts[group + 1] += 1);
        (0..count).for_each(|group| starts[group + 1] += starts[group]);
        let mut next = starts.clone();
        let mut places = vec![0_u32; starts[count]];
        for at in 0..groups.len() {
            if let Some(group) = group(at) {
                places[next[group]] = at as u32;
                next[group] += 1;
            }
        }
        Rows { starts, places, weights: None }
    }
}

impl Rows {
    /// The elements between each two places; missing ones are in none.
    fn of_windows(bounds: &[(u32, u32)], missing: &[bool]) -> Self {
        let mut rows = Rows { starts: vec![0], places: Vec::new(), weights: None };
        for (start, end) in bounds {
            rows.places.extend((*start..*end).filter(|at| !missing[*at as usize]));
            rows.starts.push(rows.places.len());
        }
        rows
    }
}

/// The terms of one result on their way.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    terms: Vec<(u32, f64)>,
}

impl Forms {
    /// Σⱼ mᵢⱼ·(element j) for each row i of a matrix.
    pub fn combined(&self, rows: &Rows) -> Result<Self, FormsError> {
        let count = rows.starts.len().saturating_sub(1);
        let mut all = Self::with_capacity(count);
        all.is_rounded = self.is_rounded;
        let mut gathered = Gathered::default();
        if let Some(place) = rows.places.iter().find(|place| **place as usize >= self.len()) {
            return Err(FormsError::OutOfRange(i64::from(*place)));
        }
        for row in 0..count {
            let places = &rows.places[rows.starts[row]..rows.starts[row + 1]];
            let weights = rows.weights.as_ref().map(|weights| &weights[rows.starts[row]..rows.starts[row + 1]]);
            let parts = places.iter().enumerate().map(|(place, at)| {
                let weight = weights.map_or(1.0, |weights| weights[place]);
                (self.get(*at as usize), weight)
            });
            all.push_combination(&mut gathered, parts, row)?;
        }
        all.pad();
        Ok(all)
    }

    /// The sum of each group; those with a negative number, and missing ones, are in none.
    pub fn sums(&self, groups: &[i64], count: usize) -> Result<Self, FormsError> {
        if groups.len() != self.len() {
            return Err(FormsError::Length);
        }
        let plain = self.divisors.is_none() && self.units.is_none();
        match plain.then(|| self.scattered(groups, count)).flatten() {
            Some(sums) => Ok(sums),
            None => self.combined(&Rows::of_groups(groups, count, &self.missing())),
        }
    }

    /// The same where every group meets its secrets in ascending order, each once, as a table's rows do. The rows are read
    /// one after the other and written to their groups: with the rows of a group far apart, reading group by group would
    /// wait for memory at each. `None` where the order is another.
    fn scattered(&self, groups: &[i64], count: usize) -> Option<Self> {
        let group = |at: usize| groups[at].try_into().ok().filter(|group: &usize| *group < count);
        let mut starts = vec![0_u32; count + 1];
        for at in 0..self.len() {
            if let Some(group) = group(at) {
                starts[group + 1] += self.starts[at + 1] - self.starts[at];
            }
        }
        (0..count).for_each(|group| starts[group + 1] += starts[group]);
        let total = starts[count] as usize;
        let mut next = starts[..count].to_vec();
        let mut sources = vec![0_u32; total];
        let mut weights = vec![0.0; total];
        let mut offsets = vec![0.0; count];
        for (at, offset) in self.offsets.iter().enumerate() {
            let Some(group) = group(at).filter(|_| !offset.is_nan()) else { continue };
            offsets[group] += offset;
            for term in self.terms(at) {
                let place = next[group] as usize;
                if next[group] > starts[group] && sources[place - 1] >= self.sources[term] {
                    return None;
                }
                sources[place] = self.sources[term];
                weights[place] = self.weights[term];
                next[group] += 1;
            }
        }
        // A sum of offsets that is no number is said by the general way.
        offsets.iter().all(|offset| offset.is_finite()).then_some(Forms {
            starts,
            sources,
            weights,
            offsets,
            divisors: None,
            units: None,
            is_rounded: self.is_rounded,
        })
    }

    /// The sum of the elements between each two places, without those that are missing: moving and growing windows.
    pub fn windows(&self, bounds: &[(u32, u32)]) -> Result<Self, FormsError> {
        if let Some((_, end)) = bounds.iter().find(|(_, end)| *end as usize > self.len()) {
            return Err(FormsError::OutOfRange(i64::from(*end)));
        }
        match self.copied(bounds)? {
            Some(sums) => Ok(sums),
            None => self.combined(&Rows::of_windows(bounds, &self.missing())),
        }
    }

    /// The same where no two elements have a secret in common and all are in ascending order, as a table's rows are: the terms
    /// of a window are a part of the column's. `None` where the order is another.
    fn copied(&self, bounds: &[(u32, u32)]) -> Result<Option<Self>, FormsError> {
        let is_plain = self.divisors.is_none() && self.units.is_none();
        let is_ascending = self.sources.is_sorted_by(|one, other| one < other);
        let has_terms = |at: usize| self.starts[at] < self.starts[at + 1];
        if !is_plain || !is_ascending || (0..self.len()).any(|at| self.offsets[at].is_nan() && has_terms(at)) {
            return Ok(None);
        }
        let place = |at: u32| self.starts[at as usize] as usize;
        let total = bounds.iter().map(|(start, end)| place(*end).saturating_sub(place(*start))).sum();
        check_terms(total)?;
        let mut all = Self::with_capacity(bounds.len());
        all.is_rounded = self.is_rounded;
        all.sources.reserve_exact(total);
        all.weights.reserve_exact(total);
        let has_offsets = self.offsets.iter().any(|offset| !offset.is_nan() && *offset != 0.0);
        for (at, (start, end)) in bounds.iter().enumerate() {
            let end = end.max(start);
            all.sources.extend_from_slice(&self.sources[place(*start)..place(*end)]);
            all.weights.extend_from_slice(&self.weights[place(*start)..place(*end)]);
            let inside = if has_offsets { &self.offsets[*start as usize..*end as usize] } else { &[] };
            let offset: f64 = inside.iter().filter(|offset| !offset.is_nan()).sum();
            if !offset.is_finite() {
                return Err(FormsError::NotFinite(at));
            }
            // A sum of nothing is 0, never −0.
            all.finish(offset + 0.0);
        }
        Ok(Some(all))
    }

    /// The running sum of each group: element i is the sum of all up to i in the same group. Missing elements stay
    /// missing and are not added.
    pub fn running(&self, groups: &[i64]) -> Result<Self, FormsError> {
        if groups.len() != self.len() {
            return Err(FormsError::Length);
        }
        let mut all = Self::with_capacity(self.len());
        all.is_rounded = self.is_rounded;
        let mut last: std::collections::HashMap<i64, usize> = std::collections::HashMap::new();
        let mut gathered = Gathered::default();
        for (at, group) in groups.iter().enumerate() {
            if self.offsets[at].is_nan() || *group < 0 {
                all.finish(f64::NAN);
                continue;
            }
            let before = last.insert(*group, at);
            let Some(before) = before else {
                all.push_combination(&mut gathered, [(self.get(at), 1.0)].into_iter(), at)?;
                continue;
            };
            all.pad();
            let sum = all.take(&[before as i64])?;
            all.push_combination(&mut gathered, [(sum.get(0), 1.0), (self.get(at), 1.0)].into_iter(), at)?;
        }
        all.pad();
        Ok(all)
    }

    /// Appends Σ weight·form. `at` is where it is said that something is wrong.
    pub(super) fn push_combination<'a>(
        &mut self,
        gathered: &mut Gathered,
        parts: impl Iterator<Item = (Form<'a>, f64)> + Clone,
        at: usize,
    ) -> Result<(), FormsError> {
        let mut offset = 0.0;
        let (mut unit, mut secret_parts) = (0.0, 0);
        let mut divisor = 1.0;
        let mut common = true;
        for (form, weight) in parts.clone() {
            if form.offset.is_nan() || weight.is_nan() {
                self.finish(f64::NAN);
                self.pad();
                return Ok(());
            }
            offset += weight * form.offset;
            if form.sources.is_empty() || weight == 0.0 {
                continue;
            }
            secret_parts += 1;
            unit = f64::max(unit, form.unit * weight.abs());
            match common_multiple(divisor, form.divisor) {
                Some(multiple) => divisor = multiple,
                None => common = false,
            }
        }
        if unit > 0.0 && secret_parts > 1 {
            return Err(FormsError::Rounded(at));
        }
        if !common {
            divisor = 1.0;
        }
        if !offset.is_finite() {
            return Err(FormsError::NotFinite(at));
        }
        gathered.terms.clear();
        let mut is_lost = false;
        for (form, weight) in parts.clone() {
            if form.sources.is_empty() || weight == 0.0 {
                continue;
            }
            let factor = if common { divisor / form.divisor } else { 1.0 };
            let scale = weight * factor;
            is_lost |= loses_digits(weight, factor, scale);
            for (source, own) in form.sources.iter().zip(form.weights) {
                let mut scaled = own * scale;
                is_lost |= loses_digits(*own, scale, scaled);
                if !common && form.divisor != 1.0 {
                    scaled /= form.divisor;
                    is_lost = true;
                }
                if !scaled.is_normal() {
                    return Err(FormsError::NotFinite(at));
                }
                gathered.terms.push((*source, scaled));
            }
        }
        if !gathered.terms.is_sorted_by(|one, other| one.0 < other.0) {
            gathered.terms.sort_by_key(|(source, _)| *source);
        }
        let before = self.sources.len();
        is_lost |= self.append_gathered(&gathered.terms);
        if is_lost {
            match Whole::combined(parts) {
                Some(whole) => {
                    self.sources.truncate(before);
                    self.weights.truncate(before);
                    self.sources.extend(whole.terms.iter().map(|(source, _)| *source));
                    self.weights.extend(whole.terms.iter().map(|(_, weight)| *weight));
                    divisor = whole.divisor;
                }
                None => self.is_rounded = true,
            }
        }
        check_terms(self.sources.len())?;
        self.finish(offset);
        if self.sources.len() as u32 > self.starts[self.len() - 1] {
            self.set_divisor(divisor);
            self.set_unit(unit);
        }
        self.pad();
        Ok(())
    }

    /// Appends sorted terms; those of one secret are added, and what cancels is left out. Whether digits are lost.
    fn append_gathered(&mut self, terms: &[(u32, f64)]) -> bool {
        let mut is_lost = false;
        let mut at = 0;
        while at < terms.len() {
            let (source, mut weight) = terms[at];
            let mut size = weight.abs();
            at += 1;
            while at < terms.len() && terms[at].0 == source {
                let next = terms[at].1;
                let sum = weight + next;
                // Knuth's two-sum: what the sum of two doubles lost.
                let virtual_next = sum - weight;
                let lost = (weight - (sum - virtual_next)) + (next - virtual_next);
                // Other decimals than theirs would be read from the sum.
                is_lost |= lost != 0.0 || (sum != 0.0 && !(is_plain(weight) && is_plain(next) && is_plain(sum)));
                weight = sum;
                size = size.max(next.abs());
                at += 1;
            }
            let cancelled = weight.abs() <= 4.0 * f64::EPSILON * size;
            is_lost |= cancelled && weight != 0.0;
            if !cancelled {
                self.sources.push(source);
                self.weights.push(weight);
            }
        }
        is_lost
    }
}

/// A number that is a whole multiple of two divisors, exactly; `None` if none is found.
pub(super) fn common_multiple(one: f64, other: f64) -> Option<f64> {
    if one == other || other == 1.0 {
        return Some(one);
    }
    if one == 1.0 {
        return Some(other);
    }
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2⁵³
    let is_whole = |value: f64| value.fract() == 0.0 && value.abs() < EXACT;
    if !is_whole(one) || !is_whole(other) {
        return None;
    }
    let (mut a, mut b) = (one.abs() as u64, other.abs() as u64);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let multiple = one.abs() / a as f64 * other.abs();
    (multiple < EXACT).then_some(multiple)
}
