//! An axis of a line plot or heatmap: linear or logarithmic, with a place for what lies beyond every number.

use super::ticks::{decades, power_of_ten, ticks, ticks_that_fit};

/// Pixels for infinite values at an end of an axis.
const STRIP: f64 = 24.0;

/// An axis of a certain length in pixels.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    log: bool,
    /// Numbers are relative to this, so that small differences of huge numbers stay visible.
    origin: f64,
    /// Ends relative to the origin, or their logarithms.
    low: f64,
    high: f64,
    length: f64,
    /// What stands for values beyond the lower end, if there are any.
    pub below: Option<&'static str>,
    /// The same for the upper end.
    pub above: Option<&'static str>,
    /// Pixels from the lower end, and labels.
    pub ticks: Vec<(f64, String)>,
    /// Ticks without labels.
    pub minor: Vec<f64>,
    /// What the labels are to be read with.
    pub words: Option<String>,
}

/// Where a value lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// So many pixels from the lower end.
    On(f64),
    /// Beyond the lower end, at so many pixels.
    Below(f64),
    /// Beyond the upper end.
    Above(f64),
    /// It is no number.
    Nowhere,
}

/// How the labels of an axis are measured.
pub(super) struct Labels<'a> {
    /// How many at most.
    pub most: usize,
    /// Room along the axis that a label needs.
    pub extent: &'a dyn Fn(&str) -> f64,
}

impl Axis {
    /// An axis on which all the values have a place.
    pub fn new(values: &[f64], log: bool, length: f64, labels: &Labels) -> Axis {
        let drawn = || values.iter().copied().filter(|value| value.is_finite() && (!log || *value > 0.0));
        let smallest = drawn().fold(f64::INFINITY, f64::min);
        let largest = drawn().fold(f64::NEG_INFINITY, f64::max);
        let too_low = |value: &f64| *value == f64::NEG_INFINITY || (log && *value <= 0.0);
        let below = values.iter().any(too_low).then(|| match (log, values.iter().any(|value| *value < 0.0)) {
            (false, _) => "−∞",
            (true, false) => "0",
            (true, true) => "≤ 0",
        });
        let above = values.contains(&f64::INFINITY).then_some("∞");
        let mut axis = Axis {
            log,
            origin: 0.0,
            low: 0.0,
            high: 1.0,
            length,
            below,
            above,
            ticks: vec![],
            minor: vec![],
            words: None,
        };
        if smallest > largest {
            return axis;
        }
        if log {
            axis.set_logarithmic(smallest, largest, labels);
        } else {
            axis.set_linear(smallest, largest, labels);
        }
        axis.keep_off_the_ends(labels);
        axis
    }

    /// Leaves out labels that would touch those of the ends.
    fn keep_off_the_ends(&mut self, labels: &Labels) {
        let ends = [(self.below, self.below_pixel()), (self.above, self.above_pixel())];
        for (end, place) in ends.into_iter().filter_map(|(label, pixel)| Some((label?, pixel))) {
            let half = (labels.extent)(end) / 2.0;
            self.ticks.retain(|(pixel, label)| (pixel - place).abs() >= half + (labels.extent)(label) / 2.0 + 3.0);
        }
    }

    fn set_linear(&mut self, smallest: f64, largest: f64, labels: &Labels) {
        // Half of the largest double: differences stay finite.
        let (smallest, largest) = (smallest.clamp(-8e307, 8e307), largest.clamp(-8e307, 8e307));
        let near_zero = smallest >= 0.0 && smallest < 0.5 * largest;
        self.origin = if near_zero { 0.0 } else { smallest };
        let range = largest - self.origin;
        (self.low, self.high) = match range {
            range if range > 0.0 => (if near_zero { 0.0 } else { -0.05 * range }, 1.05 * range),
            _ => {
                let margin = if smallest == 0.0 { 1.0 } else { smallest.abs() * 0.1 };
                (-margin, margin)
            }
        };
        let found = ticks_that_fit((self.origin, self.low, self.high), self.inner_length(), labels.most, labels.extent);
        self.words = found.words();
        self.ticks = found.marks.into_iter().map(|(position, label)| (self.pixels(position), label)).collect();
    }

    fn set_logarithmic(&mut self, smallest: f64, largest: f64, labels: &Labels) {
        let (low, high) = (libm::log10(smallest), libm::log10(largest));
        let margin = if high > low { 0.04 * (high - low) } else { 0.3 };
        (self.low, self.high) = (low - margin, high + margin);
        let powers = decades(power_of_ten_of(self.low), power_of_ten_of(self.high), labels.most);
        if powers.len() >= 2 {
            self.ticks =
                powers.into_iter().map(|(exponent, label)| (self.pixels(f64::from(exponent)), label)).collect();
        } else {
            let (smallest, largest) = (power_of_ten_of(self.low), power_of_ten_of(self.high));
            let found = ticks(0.0, smallest, largest, labels.most.min(4));
            self.words = found.words();
            self.ticks = found
                .marks
                .into_iter()
                .filter(|(value, _)| *value > 0.0)
                .map(|(value, label)| (self.pixels(libm::log10(value)), label))
                .collect();
        }
        self.thin(labels);
        if self.high - self.low <= 5.0 {
            let exponents = libm::floor(self.low) as i32..=libm::floor(self.high) as i32;
            self.minor = exponents
                .flat_map(|exponent| (2..10).map(move |digit| libm::log10(f64::from(digit)) + f64::from(exponent)))
                .filter(|position| *position >= self.low && *position <= self.high)
                .map(|position| self.pixels(position))
                .collect();
        }
    }

    /// Leaves out labels that would touch the one before.
    fn thin(&mut self, labels: &Labels) {
        let mut end = f64::NEG_INFINITY;
        self.ticks.retain(|(pixel, label)| {
            let half = (labels.extent)(label) / 2.0;
            let keeps = pixel - half >= end + 6.0;
            if keeps {
                end = pixel + half;
            }
            keeps
        });
    }

    fn start(&self) -> f64 {
        if self.below.is_some() { STRIP } else { 0.0 }
    }

    fn inner_length(&self) -> f64 {
        self.length - self.start() - if self.above.is_some() { STRIP } else { 0.0 }
    }

    fn pixels(&self, position: f64) -> f64 {
        self.start() + (position - self.low) / (self.high - self.low) * self.inner_length()
    }

    /// The pixel of values beyond the lower end.
    pub fn below_pixel(&self) -> f64 {
        STRIP / 3.0
    }

    /// The pixel of values beyond the upper end.
    pub fn above_pixel(&self) -> f64 {
        self.length - STRIP / 3.0
    }

    /// Where a value lies.
    pub fn place(&self, value: f64) -> Place {
        if value.is_nan() {
            return Place::Nowhere;
        }
        if value == f64::INFINITY {
            return Place::Above(self.above_pixel());
        }
        if value == f64::NEG_INFINITY || (self.log && value <= 0.0) {
            return Place::Below(self.below_pixel());
        }
        let position = if self.log { libm::log10(value) } else { value - self.origin };
        Place::On(self.pixels(position).clamp(0.0, self.length))
    }
}

/// 10ˣ, never 0 or infinite.
fn power_of_ten_of(exponent: f64) -> f64 {
    let whole = libm::floor(exponent);
    (power_of_ten(whole as i32) * libm::pow(10.0, exponent - whole)).clamp(f64::MIN_POSITIVE, f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: &[f64], log: bool) -> Axis {
        Axis::new(values, log, 400.0, &Labels { most: 6, extent: &|label| 7.0 * label.chars().count() as f64 })
    }

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn zero_and_infinity_have_a_place_on_a_logarithmic_axis() {
        let found = axis(&[0.0, 0.01, 1.0, 100.0, f64::INFINITY], true);
        assert_eq!((found.below, found.above), (Some("0"), Some("∞")));
        assert_eq!(labels(&found), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(found.place(0.0), Place::Below(8.0));
        assert_eq!(found.place(f64::NAN), Place::Nowhere);
    }

    #[test]
    fn quantities_that_start_near_zero_start_at_zero() {
        let found = axis(&[0.1, 3.0], false);
        assert_eq!(found.place(0.0), Place::On(0.0));
        assert_eq!(labels(&found), ["0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]);
    }

    #[test]
    fn less_than_a_decade_still_has_ticks() {
        assert!(labels(&axis(&[0.2, 0.9], true)).len() >= 2);
        assert!(!labels(&axis(&[5.0], true)).is_empty());
        assert!(!labels(&axis(&[5.0], false)).is_empty());
    }

    #[test]
    fn small_differences_of_huge_numbers_get_an_offset() {
        let found = axis(&[1e9, 1e9 + 0.001], false);
        assert!(found.words.is_some() && labels(&found).len() >= 2, "{found:?}");
    }
}
