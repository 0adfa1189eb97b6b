//! Weights as whole numbers over a whole divisor, where doubles would lose digits.
//!
//! A double of at most 15 digits stands for the decimal that it is written as, here as in exact arithmetic: 0.3 is 3/10. So
//! 0.3·(7·x − 4·y)/28 is (21·x − 12·y)/280, while the doubles 0.3·7 and 0.3·4 are no multiples of it any more.

use super::Form;

/// Whole numbers below this are doubles, and so are their sums and products that stay below it.
const WHOLE: f64 = 9_007_199_254_740_992.0; // 2⁵³

/// A double as a whole number and the power of ten that it is divided by; `None` if it has more digits.
///
/// Two decimals of at most 15 digits are never the same double, so a decimal that gives the double is the one that it is
/// written as.
fn decimal(value: f64) -> Option<(f64, f64)> {
    const MOST: f64 = 1e15;
    const MOST_PLACES: i32 = 12;
    for places in 0..=MOST_PLACES {
        // Exact up to 10²².
        let ten = 10.0_f64.powi(places);
        let whole = (value * ten).round();
        if whole.abs() >= MOST {
            return None;
        }
        if whole / ten == value {
            return Some((whole, ten));
        }
    }
    None
}

/// Whether a double is the decimal that it is written as: a whole number, or one with a few binary places.
pub(super) fn is_plain(value: f64) -> bool {
    (value.fract() == 0.0 && value.abs() < 1e15) || ((value * 256.0).fract() == 0.0 && value.abs() < 1e7)
}

/// The product of two whole numbers.
fn product(one: f64, other: f64) -> Option<f64> {
    let product = one * other;
    (product.abs() < WHOLE).then_some(product)
}

/// Terms of a form with whole weights, and its whole divisor.
pub(super) struct Whole {
    pub(super) terms: Vec<(u32, f64)>,
    pub(super) divisor: f64,
}

impl Whole {
    fn of(form: Form<'_>) -> Option<Whole> {
        let (divisor, tens) = decimal(form.divisor)?;
        let weights = form.weights.iter().map(|weight| decimal(*weight)).collect::<Option<Vec<(f64, f64)>>>()?;
        let most = weights.iter().fold(1.0_f64, |most, (_, ten)| most.max(*ten));
        let whole = |(weight, ten): &(f64, f64)| product(product(*weight, most / ten)?, tens);
        let weights = weights.iter().map(whole).collect::<Option<Vec<f64>>>()?;
        let terms = form.sources.iter().copied().zip(weights).collect();
        Some(Whole { terms, divisor: product(divisor, most)? })
    }

    /// The form times a number, over another.
    pub(super) fn scaled(form: Form<'_>, by: f64, over: f64) -> Option<Whole> {
        let own = Whole::of(form)?;
        let ((by, by_tens), (over, over_tens)) = (decimal(by)?, decimal(over)?);
        let (factor, divisor) = (product(by, over_tens)?, product(product(own.divisor, over)?, by_tens)?);
        let terms = own.terms.iter().map(|(source, weight)| Some((*source, product(*weight, factor)?)));
        Some(Whole { terms: terms.collect::<Option<_>>()?, divisor }.reduced())
    }

    /// Σ weight·form
    pub(super) fn combined<'a>(parts: impl Iterator<Item = (Form<'a>, f64)>) -> Option<Whole> {
        let mut divisor = 1.0;
        let mut all = Vec::new();
        for (form, weight) in parts {
            if form.sources.is_empty() || weight == 0.0 {
                continue;
            }
            let (weight, tens) = decimal(weight)?;
            let own = Whole::of(form)?;
            let own = Whole { divisor: product(own.divisor, tens)?, ..own };
            divisor = super::combine::common_multiple(divisor, own.divisor)?;
            all.push((own, weight));
        }
        let mut terms: Vec<(u32, f64)> = Vec::new();
        for (own, weight) in all {
            let scale = product(weight, divisor / own.divisor)?;
            for (source, own) in own.terms {
                terms.push((source, product(own, scale)?));
            }
        }
        terms.sort_by_key(|(source, _)| *source);
        let mut sums: Vec<(u32, f64)> = Vec::with_capacity(terms.len());
        for (source, weight) in terms {
            match sums.last_mut().filter(|last| last.0 == source) {
                Some(last) => last.1 += weight,
                None => sums.push((source, weight)),
            }
            if sums.last().is_some_and(|(_, sum)| sum.abs() >= WHOLE) {
                return None;
            }
        }
        sums.retain(|(_, weight)| *weight != 0.0);
        Some(Whole { terms: sums, divisor }.reduced())
    }

    /// The same in lowest terms, so that numbers stay small.
    fn reduced(mut self) -> Whole {
        let mut common = self.divisor.abs() as u64;
        for (_, weight) in &self.terms {
            let (mut a, mut b) = (weight.abs() as u64, common);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            common = a;
            if common == 1 {
                return self;
            }
        }
        if self.terms.is_empty() || common == 0 {
            return self;
        }
        let common = common as f64;
        self.divisor /= common;
        self.terms.iter_mut().for_each(|(_, weight)| *weight /= common);
        self
    }
}
