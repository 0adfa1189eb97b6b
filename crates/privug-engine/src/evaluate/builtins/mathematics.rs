//! The functions of `math`, on numbers known beforehand.

use dashu_base::{BitTest, Gcd, Signed, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::super::fault::{Fault, Outcome};
use super::super::state::State;
use super::super::value::{Number, Value};
use super::arguments::Arguments;
use super::numbers;
use crate::evaluate::arithmetic;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::MathFunction;

/// `math.function(...)` of single numbers.
pub(super) fn mathematics<S: Scalar>(
    state: &mut State<S>,
    function: MathFunction,
    arguments: &Arguments<'_, S>,
) -> Outcome<Value<S>> {
    let name = format!("{function:?}").to_lowercase();
    let numbers: Vec<Number<S>> = arguments
        .values
        .iter()
        .enumerate()
        .map(|(index, value)| numbers::required_number(state, &name, value).map_err(|fault| fault.at_argument(index)))
        .collect::<Outcome<_>>()?;
    let (least, most) = match function {
        MathFunction::Log => (1, 2),
        MathFunction::Atan2
        | MathFunction::Pow
        | MathFunction::Hypot
        | MathFunction::Fmod
        | MathFunction::CopySign
        | MathFunction::Gcd
        | MathFunction::Comb => (2, 2),
        _ => (1, 1),
    };
    if numbers.len() < least || numbers.len() > most || !arguments.shape.keywords.is_empty() {
        let message = format!("`{name}` takes {least} argument{}", if least == 1 { "" } else { "s" });
        return Err(Fault::new(Code::WrongArguments, message));
    }
    mathematical(state, function, &name, &numbers)
}

pub(super) fn mathematical<S: Scalar>(
    state: &mut State<S>,
    function: MathFunction,
    name: &str,
    numbers: &[Number<S>],
) -> Outcome<Value<S>> {
    match function {
        MathFunction::Floor => return rounded_down(state, &numbers[0]),
        MathFunction::Ceil => {
            let negated = negated_number(&numbers[0])?;
            let down = rounded_down(state, &negated)?;
            return arithmetic::negative(state, &down);
        }
        MathFunction::Trunc => {
            let negative = state.scalar(&numbers[0])? < S::zero();
            let which = if negative { MathFunction::Ceil } else { MathFunction::Floor };
            return mathematical(state, which, name, numbers);
        }
        MathFunction::Gcd | MathFunction::Comb | MathFunction::Factorial | MathFunction::IntegerSqrt => {
            return integer_function(state, function, name, numbers);
        }
        MathFunction::Fabs => {
            let value = state.scalar(&numbers[0])?;
            return state.float(match value {
                zero if zero.is_zero() => S::zero(),
                negative if negative < S::zero() => negative.neg(),
                positive => positive,
            });
        }
        MathFunction::Pow => {
            let (base, exponent) = (state.scalar(&numbers[0])?, state.scalar(&numbers[1])?);
            return arithmetic::power(state, &base, &exponent).map(Value::Float);
        }
        MathFunction::Sqrt => {
            let value = state.scalar(&numbers[0])?;
            if let Some(root) = exact_root(&value) {
                return state.float(match value.double() {
                    Some(double) => root.followed_by(double.sqrt()),
                    None => root,
                });
            }
        }
        _ => {}
    }
    let arguments: Vec<f64> =
        numbers.iter().map(|number| state.scalar(number).map(|scalar| scalar.to_f64())).collect::<Outcome<_>>()?;
    let result = real_function(function, arguments[0], arguments.get(1).copied());
    if result.is_nan() || (result.is_infinite() && is_pole(function, arguments[0])) {
        let message = format!("`{name}` is not defined for {}", arguments[0]);
        return Err(Fault::new(Code::DomainError, message));
    }
    let result = arithmetic::irrational(state, result)?;
    state.float(result)
}

fn negated_number<S: Scalar>(number: &Number<S>) -> Outcome<Number<S>> {
    Ok(match number {
        Number::Float(value) => Number::Float(value.neg()),
        other => Number::BigInt(-other.integer().unwrap_or(IBig::ZERO)),
    })
}

fn rounded_down<S: Scalar>(state: &mut State<S>, number: &Number<S>) -> Outcome<Value<S>> {
    match number {
        Number::Float(value) => {
            let floor = value.floor();
            state.integer(floor)
        }
        other => state.number_value(other.clone()),
    }
}

fn integer_function<S: Scalar>(
    state: &mut State<S>,
    function: MathFunction,
    name: &str,
    numbers: &[Number<S>],
) -> Outcome<Value<S>> {
    let integers: Vec<IBig> = numbers
        .iter()
        .map(|number| {
            number.integer().ok_or_else(|| Fault::new(Code::TypeMismatch, format!("`{name}` takes integers")))
        })
        .collect::<Outcome<_>>()?;
    let undefined = || Fault::new(Code::DomainError, format!("`{name}` is not defined for {}", integers[0]));
    let natural = |value: &IBig| UBig::try_from(value.clone()).map_err(|_| undefined());
    let small = |value: &IBig| u32::try_from(value.clone()).map_err(|_| undefined());
    let result = match function {
        MathFunction::Gcd => {
            let (a, b) = (integers[0].clone().unsigned_abs(), integers[1].clone().unsigned_abs());
            state.budget.spend_product(a.bit_len(), b.bit_len())?;
            if a.is_zero() && b.is_zero() { IBig::ZERO } else { IBig::from(a.gcd(b)) }
        }
        MathFunction::IntegerSqrt => {
            let value = natural(&integers[0])?;
            state.budget.spend_product(value.bit_len(), value.bit_len())?;
            IBig::from(value.sqrt())
        }
        MathFunction::Factorial => {
            let n = small(&integers[0])?;
            state.budget.check_bits((n as usize).saturating_mul(32))?;
            // Each factor is multiplied with what may be as long as the result.
            let words = u64::from(n) * u64::from(n.max(1).ilog2() + 1) / 64;
            state.budget.spend_steps(u64::from(n).saturating_mul(words + 1) / 8)?;
            (1..=n).fold(IBig::ONE, |product, factor| product * IBig::from(factor))
        }
        _ => {
            let (n, k) = (small(&integers[0])?, small(&integers[1])?);
            let k = k.min(n.saturating_sub(k));
            state.budget.check_bits((k as usize).saturating_mul(32))?;
            state.budget.spend_steps(u64::from(k).saturating_mul(u64::from(k) / 2 + 1) / 4)?;
            if integers[1] > integers[0] {
                IBig::ZERO
            } else {
                (0..k).fold(IBig::ONE, |product, i| product * IBig::from(n - i) / IBig::from(i + 1))
            }
        }
    };
    state.integer(result)
}

/// √value where that is a rational number, so that exact arithmetic stays exact.
fn exact_root<S: Scalar>(value: &S) -> Option<S> {
    let ratio = value.exact_value()?;
    if ratio.numerator().is_negative() {
        return None;
    }
    let root = |value: UBig| {
        let root = value.sqrt();
        (&root * &root == value).then_some(root)
    };
    let numerator = root(ratio.numerator().clone().unsigned_abs())?;
    let denominator = root(ratio.denominator().clone())?;
    let (a, b) = (S::from_integer(&numerator.into())?, S::from_integer(&denominator.into())?);
    Some(a.div(&b))
}

/// Whether an infinite result is no overflow but a place where the function has no value.
fn is_pole(function: MathFunction, x: f64) -> bool {
    match function {
        MathFunction::Log | MathFunction::Log2 | MathFunction::Log10 => x == 0.0,
        MathFunction::Log1p => x == -1.0,
        MathFunction::Atanh => x.abs() == 1.0,
        MathFunction::Gamma | MathFunction::LogGamma => x <= 0.0,
        _ => false,
    }
}

fn real_function(function: MathFunction, x: f64, second: Option<f64>) -> f64 {
    let y = second.unwrap_or(f64::NAN);
    match function {
        MathFunction::Sqrt => x.sqrt(),
        MathFunction::Cbrt => x.cbrt(),
        MathFunction::Exp => x.exp(),
        MathFunction::Exp2 => x.exp2(),
        MathFunction::Expm1 => x.exp_m1(),
        MathFunction::Log => match second {
            None => x.ln(),
            Some(base) if base <= 0.0 || base == 1.0 => f64::NAN,
            Some(base) => x.ln() / base.ln(),
        },
        MathFunction::Log2 => x.log2(),
        MathFunction::Log10 => x.log10(),
        MathFunction::Log1p => x.ln_1p(),
        MathFunction::Sin => x.sin(),
        MathFunction::Cos => x.cos(),
        MathFunction::Tan => x.tan(),
        MathFunction::Asin => x.asin(),
        MathFunction::Acos => x.acos(),
        MathFunction::Atan => x.atan(),
        MathFunction::Atan2 => x.atan2(y),
        MathFunction::Sinh => x.sinh(),
        MathFunction::Cosh => x.cosh(),
        MathFunction::Tanh => x.tanh(),
        MathFunction::Asinh => libm::asinh(x),
        MathFunction::Acosh => libm::acosh(x),
        MathFunction::Atanh => libm::atanh(x),
        MathFunction::Erf => libm::erf(x),
        MathFunction::Erfc => libm::erfc(x),
        MathFunction::Gamma => libm::tgamma(x),
        MathFunction::LogGamma => libm::lgamma(x),
        MathFunction::Degrees => x.to_degrees(),
        MathFunction::Radians => x.to_radians(),
        MathFunction::Hypot => x.hypot(y),
        MathFunction::Fmod => x % y,
        MathFunction::CopySign => x.copysign(y),
        // These have been dealt with before.
        MathFunction::Floor
        | MathFunction::Ceil
        | MathFunction::Trunc
        | MathFunction::Fabs
        | MathFunction::Pow
        | MathFunction::IntegerSqrt
        | MathFunction::Gcd
        | MathFunction::Factorial
        | MathFunction::Comb => f64::NAN,
    }
}
