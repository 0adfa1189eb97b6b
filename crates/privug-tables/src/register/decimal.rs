//! Numbers as the decimals they are written as, so that sums do not depend on their order.

/// units · 10^−scale
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    /// The digits.
    pub units: i128,
    /// How many of them stand behind the point.
    pub scale: u32,
}

/// More digits after the decimal point than this are refused: sums of such numbers have no room left before it.
pub(super) const MAX_SCALE: u32 = 18;

/// Integers below this have at most 15 digits: any two decimals with so many digits are different doubles.
const FIFTEEN_DIGITS: f64 = 1e15;

const POWERS: [f64; MAX_SCALE as usize + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];

impl Decimal {
    /// The shortest decimal that reads back as this double; `None` if it has too many digits after the decimal point.
    pub fn of(value: f64) -> Option<Decimal> {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e')?;
        let exponent: i32 = exponent.parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let units: i128 = format!("{whole}{fraction}").parse().ok()?;
        let scale = fraction.len() as i32 - exponent;
        match u32::try_from(scale) {
            Ok(scale) if scale <= MAX_SCALE => Some(Decimal { units, scale }),
            Ok(_) => None,
            Err(_) => Some(Decimal { units: units.checked_mul(10i128.checked_pow(scale.unsigned_abs())?)?, scale: 0 }),
        }
    }

    /// The decimal in a text such as `-120.50`; `None` if it is none, or has too many digits.
    pub fn read(text: &str) -> Option<Decimal> {
        let text = text.trim();
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = whole.trim_start_matches(['-', '+']);
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(digits) || !is_digits(fraction) || digits.len() + fraction.len() == 0 {
            return None;
        }
        let units: i128 = format!("{digits}{fraction}").parse().ok()?;
        Some(Decimal { units: if whole.starts_with('-') { -units } else { units }, scale: fraction.len() as u32 })
    }

    /// The same number with more digits after the decimal point.
    pub(super) fn at(self, scale: u32) -> Option<i128> {
        self.units.checked_mul(10i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }
}

/// value · 10^scale, if that is a whole number of at most 15 digits which reads back as the same double.
pub(super) fn quick_units(value: f64, scale: u32) -> Option<i64> {
    let units = (value * POWERS[scale as usize]).round();
    (units.abs() < FIFTEEN_DIGITS && units / POWERS[scale as usize] == value).then_some(units as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_double_is_the_shortest_decimal_that_it_is_read_from() {
        let of = |value: f64| Decimal::of(value).map(|decimal| (decimal.units, decimal.scale));
        assert_eq!(of(0.1), Some((1, 1)));
        assert_eq!(of(-123.45), Some((-12345, 2)));
        assert_eq!(of(480_000.0), Some((480_000, 0)));
        assert_eq!(of(0.1 + 0.2), Some((30000000000000004, 17)));
        assert_eq!((of(1e-30), of(1e60)), (None, None));
    }

    #[test]
    fn the_quick_way_says_the_same_or_nothing() {
        let mut state = 7u64;
        for _ in 0..100_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = f64::from((state >> 40) as u32) / 1000.0 - 5000.0;
            let slow = Decimal::of(value).expect("few digits");
            for scale in 0..6 {
                match quick_units(value, scale) {
                    Some(units) => assert_eq!(slow.at(scale), Some(i128::from(units)), "{value}"),
                    None => assert!(slow.scale > scale, "{value}"),
                }
            }
        }
        assert_eq!((quick_units(0.1 + 0.2, 1), quick_units(1e18, 0)), (None, None));
    }

    #[test]
    fn texts_of_decimals_are_read_to_the_last_digit() {
        assert_eq!(Decimal::read(" -120.50 "), Some(Decimal { units: -12050, scale: 2 }));
        assert_eq!(Decimal::read("12345678901234567890123.45").map(|one| one.units), Some(1234567890123456789012345));
        assert_eq!([Decimal::read("1e5"), Decimal::read(""), Decimal::read("."), Decimal::read("1.2.3")], [None; 4]);
    }
}
