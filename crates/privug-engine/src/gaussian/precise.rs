//! The normal distribution to hundreds of digits, in integers: what the doubles are tested against. Nothing here is shared
//! with them.

use crate::number::Constants;
use dashu_int::IBig;
use dashu_ratio::RBig;

/// Bits behind the point.
const BITS: usize = 2700;

/// A number times 2^BITS, rounded down.
#[derive(Debug, Clone, PartialEq, PartialOrd)]
pub(crate) struct Fixed(IBig);

impl Fixed {
    pub(crate) fn one() -> Self {
        Fixed(IBig::ONE << BITS)
    }

    /// A double, exactly unless it is below 2⁻¹⁶⁰⁰.
    pub(crate) fn of(value: f64) -> Self {
        let ratio = RBig::try_from(value).expect("finite");
        Fixed((ratio.numerator() << BITS) / IBig::from(ratio.denominator().clone()))
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Fixed(&self.0 + &other.0)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        Fixed(&self.0 - &other.0)
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        Fixed((&self.0 * &other.0) >> BITS)
    }

    pub(crate) fn over(&self, other: &Self) -> Self {
        Fixed((&self.0 << BITS) / &other.0)
    }

    fn over_integer(&self, divisor: u64) -> Self {
        Fixed(&self.0 / IBig::from(divisor))
    }

    /// How far a double is from this, relative to this.
    pub(crate) fn relative_error(&self, value: f64) -> f64 {
        let error = RBig::from_parts(Fixed::of(value).0 - &self.0, self.0.clone().try_into().expect("positive"));
        Constants::to_f64(&error).abs()
    }

    pub(crate) fn to_f64(&self) -> f64 {
        Constants::to_f64(&RBig::from_parts(self.0.clone(), dashu_int::UBig::ONE << BITS))
    }

    fn root(&self) -> Self {
        // Newton's steps from above: n, then (n + a/n)/2 until it no longer falls.
        let square = &self.0 << BITS;
        let mut guess = (&self.0).max(&Fixed::one().0).clone();
        loop {
            let next: IBig = (&guess + &square / &guess) >> 1;
            if next >= guess {
                return Fixed(guess);
            }
            guess = next;
        }
    }

    /// e to this power: the series at a small part of it, squared again and again.
    pub(crate) fn exp(&self) -> Self {
        const HALVINGS: usize = 16;
        let part = Fixed(&self.0 >> HALVINGS);
        let (mut term, mut sum) = (Fixed::one(), Fixed::one());
        for k in 1..400 {
            term = term.times(&part).over_integer(k);
            sum = sum.plus(&term);
        }
        (0..HALVINGS).fold(sum, |power, _| power.times(&power))
    }

    /// π by Machin: 16·arctan(1/5) − 4·arctan(1/239).
    fn pi() -> Self {
        let arctan = |inverse: u64| {
            let mut power = Fixed::one().over_integer(inverse);
            let mut sum = power.clone();
            for k in 1..1200u64 {
                power = power.over_integer(inverse * inverse);
                let term = power.over_integer(2 * k + 1);
                sum = if k % 2 == 1 { sum.minus(&term) } else { sum.plus(&term) };
            }
            sum
        };
        Fixed(arctan(5).0 * IBig::from(16) - arctan(239).0 * IBig::from(4))
    }

    /// 1 − Φ of this number, which is not negative: ½ − φ(z)·Σ z^(2k+1)/(2k+1)!!, all terms positive.
    fn upper_tail(&self, peak: &Fixed) -> Self {
        let square = self.times(self);
        let (mut term, mut sum) = (self.clone(), self.clone());
        let mut k = 1;
        while term.0 > IBig::ONE {
            term = term.times(&square).over_integer(2 * k + 1);
            sum = sum.plus(&term);
            k += 1;
        }
        let density = peak.times(&Fixed(-(square.0 >> 1)).exp());
        Fixed(Fixed::one().0 >> 1).minus(&density.times(&sum))
    }
}

/// 1/√(2π)
fn peak() -> Fixed {
    static PEAK: std::sync::OnceLock<Fixed> = std::sync::OnceLock::new();
    PEAK.get_or_init(|| Fixed::one().over(&Fixed(Fixed::pi().0 << 1).root())).clone()
}

/// φ(z)
pub(crate) fn density(z: &Fixed) -> Fixed {
    peak().times(&Fixed(-(z.times(z).0 >> 1)).exp())
}

/// 1 − Φ(z).
pub(crate) fn survival(z: &Fixed) -> Fixed {
    let peak = peak();
    if z.0 < IBig::ZERO {
        return Fixed::one().minus(&Fixed(-z.0.clone()).upper_tail(&peak));
    }
    z.upper_tail(&peak)
}

#[test]
fn the_reference_agrees_with_known_digits() {
    // Abramowitz and Stegun, table 26.1: 1 − Φ(1) = 0.158655253931457, 1 − Φ(5) = 2.8665157187919e−7.
    assert!(survival(&Fixed::of(1.0)).relative_error(0.158_655_253_931_457) < 1e-14);
    assert!(survival(&Fixed::of(5.0)).relative_error(2.866_515_718_791_9e-7) < 1e-13);
    assert!(Fixed::of(1.0).exp().relative_error(std::f64::consts::E) < 2e-16);
    assert!(Fixed::pi().relative_error(std::f64::consts::PI) < 2e-16);
}
