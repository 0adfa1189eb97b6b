//! Round numbers along an axis, labelled so that neighbours can be told apart.

/// The marks of an axis, relative to its origin.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    /// What is added to every label, as text.
    pub offset: Option<String>,
    /// The power of ten that every label is multiplied by.
    pub exponent: i32,
    /// Position relative to the origin of the axis, and label.
    pub marks: Vec<(f64, String)>,
}

/// A step of 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    mantissa: f64,
    exponent: i32,
}

/// How far a label may reach beyond the end of its axis.
const OVERHANG: f64 = 13.0;

/// How long labels may be.
struct Length {
    /// Numbers this many steps away from 0 get an offset.
    most_steps: f64,
    /// Numbers of these magnitudes are written without a power of ten.
    plain: std::ops::Range<i32>,
}

const USUAL: Length = Length { most_steps: 1e7, plain: -4..9 };
const SHORT: Length = Length { most_steps: 1e3, plain: -3..4 };

impl Step {
    /// The smallest step that is at least `length`.
    fn at_least(length: f64) -> Option<Step> {
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let exponent = libm::floor(libm::log10(length)) as i32;
        let fraction = length / power_of_ten(exponent);
        let (mantissa, exponent) = match fraction {
            fraction if fraction <= 1.000_001 => (1.0, exponent),
            fraction if fraction <= 2.000_001 => (2.0, exponent),
            fraction if fraction <= 5.000_001 => (5.0, exponent),
            _ => (1.0, exponent + 1),
        };
        Some(Step { mantissa, exponent })
    }

    fn length(self) -> f64 {
        self.mantissa * power_of_ten(self.exponent)
    }
}

/// 10ⁿ, also where 10⁻ⁿ would overflow.
pub(super) fn power_of_ten(exponent: i32) -> f64 {
    libm::pow(10.0, f64::from(exponent))
}

/// About `count` ticks between origin + low and origin + high; none if that is no range.
pub(super) fn ticks(origin: f64, low: f64, high: f64, count: usize) -> Ticks {
    ticks_of(origin, low, high, count, &USUAL)
}

fn ticks_of(origin: f64, low: f64, high: f64, count: usize, allowed: &Length) -> Ticks {
    let none = Ticks { offset: None, exponent: 0, marks: Vec::new() };
    let Some(step) = Step::at_least((high - low) / count.max(1) as f64) else { return none };
    let length = step.length();
    let farthest = (origin + low).abs().max((origin + high).abs());
    if length <= 0.0 || !farthest.is_finite() {
        return none;
    }
    if farthest / length < allowed.most_steps {
        let (exponent, marks) = labelled(step, origin, low, high, &allowed.plain);
        return Ticks { offset: None, exponent, marks };
    }
    let (offset, text) = round_offset(origin + 0.5 * (low + high), high - low, step);
    // Exact, as both are close to each other.
    let shift = offset - origin;
    let (exponent, marks) = labelled(step, 0.0, low - shift, high - shift, &allowed.plain);
    let marks = marks.into_iter().map(|(position, label)| (position + shift, label)).collect();
    Ticks { offset: Some(text), exponent, marks }
}

/// The multiples of the step between origin + low and origin + high, and the power of ten left out of their labels.
fn labelled(step: Step, origin: f64, low: f64, high: f64, plain: &std::ops::Range<i32>) -> (i32, Vec<(f64, String)>) {
    let length = step.length();
    // A little slack keeps the multiples at the very ends.
    let first = libm::ceil((origin + low) / length - 1e-6);
    let last = libm::floor((origin + high) / length + 1e-6);
    let largest = first.abs().max(last.abs()) * step.mantissa;
    let magnitude = if largest > 0.0 { libm::floor(libm::log10(largest) + 1e-9) as i32 + step.exponent } else { 0 };
    let exponent = if plain.contains(&magnitude) { 0 } else { magnitude };
    let decimals = (exponent - step.exponent).max(0) as usize;
    let count = (last - first).clamp(-1.0, 100.0) as i64;
    let marks = (0..=count)
        .map(|index| {
            let multiple = first + index as f64;
            let value = multiple * step.mantissa * power_of_ten(step.exponent - exponent);
            (multiple * length - origin, grouped(value, decimals))
        })
        .collect();
    (exponent, marks)
}

/// A number with few digits near the centre of the range, and its text.
fn round_offset(centre: f64, range: f64, step: Step) -> (f64, String) {
    let decimals = -(step.exponent + 1);
    if (0..=17).contains(&decimals) {
        let text = format!("{centre:.*}", decimals as usize);
        if let Ok(rounded) = text.parse::<f64>()
            && (rounded - centre).abs() <= range
            && centre.abs() < 1e15
        {
            return (rounded, with_separators(trim_zeros(&text)));
        }
    }
    let unit = power_of_ten(step.exponent + 1);
    let rounded = libm::round(centre / unit) * unit;
    if centre.abs() < 1e15 && unit >= 1.0 && (rounded - centre).abs() <= range {
        return (rounded, grouped(rounded, 0));
    }
    // So close that only the number itself will do: the shortest digits that read back to it.
    let magnitude = centre.abs();
    let text = if (1e-4..1e15).contains(&magnitude) || magnitude == 0.0 {
        with_separators(&format!("{centre}"))
    } else {
        let text = format!("{centre:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        format!("{} · 10{}", minus(mantissa), superscript(exponent.parse().unwrap_or(0)))
    };
    (centre, text)
}

impl Ticks {
    /// What the labels are to be read with, such as `480,000 + x · 10⁻⁵`.
    pub fn words(&self) -> Option<String> {
        let factor = (self.exponent != 0).then(|| format!("10{}", superscript(self.exponent)));
        match (&self.offset, factor) {
            (None, None) => None,
            (None, Some(factor)) => Some(format!("x · {factor}")),
            (Some(offset), None) => Some(format!("{offset} + x")),
            (Some(offset), Some(factor)) => Some(format!("{offset} + x · {factor}")),
        }
    }
}

/// The most ticks, up to `most`, whose labels keep apart on an axis of `width` pixels.
pub(super) fn ticks_that_fit(
    (origin, low, high): (f64, f64, f64),
    width: f64,
    most: usize,
    label_width: impl Fn(&str) -> f64,
) -> Ticks {
    let place = |position: f64| (position - low) / (high - low) * width;
    let fits = |ticks: &Ticks| {
        ticks.marks.windows(2).all(|pair| {
            let room = place(pair[1].0) - place(pair[0].0);
            label_width(&pair[0].1) / 2.0 + label_width(&pair[1].1) / 2.0 + 10.0 <= room
        })
    };
    let candidates = |allowed| {
        (1..=most.max(1) + 3).rev().map(move |count| ticks_of(origin, low, high, count, allowed)).map(|mut ticks| {
            ticks.marks.retain(|(position, label)| {
                let (middle, half) = (place(*position), label_width(label) / 2.0);
                middle - half >= -OVERHANG && middle + half <= width + OVERHANG
            });
            ticks
        })
    };
    // Two labels show a scale, one does not. Where long labels are close to each other, every second one may do, or
    // shorter ones.
    let pass = |allowed, strides: std::ops::Range<usize>| {
        candidates(allowed).find_map(|candidate| {
            strides.clone().find_map(|stride| {
                let marks: Vec<_> = candidate.marks.iter().step_by(stride).cloned().collect();
                let thinned = Ticks { marks, ..candidate.clone() };
                ((2..=most.max(2) + 1).contains(&thinned.marks.len()) && fits(&thinned)).then_some(thinned)
            })
        })
    };
    let found = pass(&USUAL, 1..2).or_else(|| pass(&USUAL, 2..5)).or_else(|| pass(&SHORT, 1..5));
    if let Some(found) = found {
        return found;
    }
    let one_mark = |ticks: &Ticks| !ticks.marks.is_empty();
    let found = candidates(&USUAL).find(one_mark).or_else(|| candidates(&SHORT).find(one_mark));
    let mut single = found.unwrap_or(Ticks { offset: None, exponent: 0, marks: Vec::new() });
    let middle = single.marks.len() / 2;
    single.marks = single.marks.split_off(middle);
    single.marks.truncate(1);
    single
}

/// The whole powers of ten between two positive numbers, thinned to about `count`, as (exponent, label).
pub(super) fn decades(low: f64, high: f64, count: usize) -> Vec<(i32, String)> {
    let (first, last) = (libm::ceil(libm::log10(low) - 1e-9) as i32, libm::floor(libm::log10(high) + 1e-9) as i32);
    let every = ((last - first) as f64 / count.max(1) as f64).ceil().max(1.0) as usize;
    let plain = first >= -4 && last <= 6;
    (first..=last)
        .filter(|exponent| exponent.rem_euclid(every as i32) == 0)
        .map(|exponent| {
            let label = if plain {
                grouped(power_of_ten(exponent), (-exponent).max(0) as usize)
            } else {
                format!("10{}", superscript(exponent))
            };
            (exponent, label)
        })
        .collect()
}

/// With thousands separators and a proper minus.
fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if zero { "0".to_owned() } else { with_separators(&text) }
}

pub(super) fn with_separators(text: &str) -> String {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("−", rest));
    let whole = rest.split('.').next().unwrap_or(rest).len();
    let mut out = sign.to_owned();
    for (index, digit) in rest.char_indices() {
        if index > 0 && index < whole && (whole - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

pub(super) fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// The hyphens of numbers as minus signs.
pub(super) fn minus(text: &str) -> String {
    text.replace('-', "−")
}

fn superscript(exponent: i32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    exponent
        .to_string()
        .chars()
        .map(|letter| letter.to_digit(10).and_then(|digit| digits.get(digit as usize).copied()).unwrap_or('⁻'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(ticks: &Ticks) -> Vec<&str> {
        ticks.marks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers_with_separators() {
        let found = ticks(480_000.0, -36.0, 36.0, 4);
        assert_eq!(labels(&found), ["479,980", "480,000", "480,020"]);
        assert_eq!(found.marks[0].0, -20.0);
        assert_eq!(labels(&ticks(0.0, -0.5, 0.5, 5)), ["−0.4", "−0.2", "0", "0.2", "0.4"]);
    }

    #[test]
    fn a_huge_mean_becomes_an_offset() {
        let found = ticks(480_000.0, -3.6e-5, 3.6e-5, 4);
        assert_eq!(found.words().as_deref(), Some("480,000 + x · 10⁻⁵"));
        assert_eq!(labels(&found), ["−2", "0", "2"]);
        let found = ticks(483_123.456_789, -0.000_4, 0.000_4, 4);
        assert_eq!(found.offset.as_deref(), Some("483,123.457"));
        assert!(found.marks.iter().all(|(position, _)| position.abs() <= 0.000_401), "{found:?}");
    }

    #[test]
    fn a_mean_beyond_the_doubles_between_the_ticks_is_its_own_offset() {
        let found = ticks(1e300, -3.0, 3.0, 4);
        assert_eq!(found.words().as_deref(), Some("1 · 10³⁰⁰ + x"));
        assert_eq!(labels(&found), ["−2", "0", "2"]);
        assert_eq!(ticks(9_007_199_254_740_993.0, -3.0, 3.0, 4).offset.as_deref(), Some("9.007199254740992 · 10¹⁵"));
    }

    #[test]
    fn very_large_and_small_ranges_share_a_power_of_ten() {
        let found = ticks(0.0, -3e150, 3e150, 4);
        assert_eq!((found.exponent, labels(&found)), (150, vec!["−2", "0", "2"]));
        let found = ticks(0.0, 0.0, 1e-300, 4);
        assert_eq!((found.exponent, labels(&found)), (-300, vec!["0", "0.5", "1.0"]));
    }

    #[test]
    fn a_narrow_axis_gets_shorter_labels_rather_than_a_single_one() {
        let found = ticks_that_fit((480_000.0, -36.0, 36.0), 80.0, 3, |label| 6.5 * label.chars().count() as f64);
        assert_eq!(found.words().as_deref(), Some("480,000 + x"));
        assert!(found.marks.len() >= 2, "{found:?}");
    }

    #[test]
    fn decades_read_plainly_where_they_can() {
        let found: Vec<_> = decades(0.001, 1000.0, 10).into_iter().map(|(_, label)| label).collect();
        assert_eq!(found, ["0.001", "0.01", "0.1", "1", "10", "100", "1,000"]);
        assert_eq!(decades(1e-9, 1e9, 4).first().map(|(_, label)| label.as_str()), Some("10⁻⁵"));
    }

    proptest! {
        #[test]
        fn labels_differ_and_ticks_lie_inside(origin in any::<f64>(), exponent in -160i32..160, count in 1usize..9) {
            let radius = power_of_ten(exponent);
            let found = ticks(origin, -radius, radius, count);
            for pair in found.marks.windows(2) {
                prop_assert!(pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1, "{:?}", found);
            }
            for (position, _) in &found.marks {
                prop_assert!(position.abs() <= 1.001 * radius, "{:?}", found);
            }
        }
    }
}
