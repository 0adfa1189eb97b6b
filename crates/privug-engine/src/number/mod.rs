//! The numbers the engine runs on: the scalar type is a parameter of every stage after the program.
//!
//! [`Scalar`] is what a program's numbers and the network's coefficients are made of: `f64`, or exact rationals ([`Exact`]).
//! [`Wide`] is what conditioning computes in: pairs of doubles ([`DoubleDouble`], 106 bits) for `f64`, and the same
//! rationals for rationals. One algorithm serves both.

mod double_double;
mod exact;
mod field;
mod float;
mod rational;
mod rounding;

use std::cmp::Ordering;

use dashu_int::IBig;

pub use dashu_int::IBig as Integer;
pub use dashu_ratio::RBig as Rational;
pub use double_double::DoubleDouble;
pub use exact::Exact;
pub use field::{Constants, Field};
pub use rounding::{NUMBER_ERROR, ROUNDOFF, VALUE_TOLERANCE_ULPS};

/// A field of numbers that programs compute with.
pub trait Scalar: Field {
    /// What conditioning computes in.
    type Wide: Wide<Narrow = Self>;

    /// Whether arithmetic is exact, so that nothing is ever decided by a tolerance.
    const EXACT: bool;

    /// The number nearest to an integer; `None` if it is out of range.
    fn from_integer(value: &IBig) -> Option<Self>;
    /// The number nearest to a machine integer.
    fn from_i64(value: i64) -> Self;
    /// The same number as a double; `None` if it is infinite or not a number.
    fn from_f64(value: f64) -> Option<Self>;
    /// A Python float literal such as `1e-3` or `480_000.5`; `None` if it is malformed or out of range.
    fn from_literal(text: &str) -> Option<Self>;
    /// The number that a double was meant to be: exact arithmetic reads its shortest decimal, so that 0.1 is 1/10. `None`
    /// if it is infinite or not a number.
    fn from_written(value: f64) -> Option<Self>;
    /// The number nearest to a ratio.
    fn from_ratio(value: &Rational) -> Self;
    /// The same number, with the double nearest to it beside it: from here on doubles decide (see [`Exact`]).
    fn followed(self) -> Self;
    /// The same with a double that Python would have here.
    fn followed_by(self, double: f64) -> Self;
    /// The same number without: as a coefficient it decides nothing.
    fn settled(&self) -> Self;
    /// The same number, known to be rounded: by a function with irrational values, or because it had too many digits.
    fn known_to_be_rounded(self) -> Self;
    /// The double that decides; `None` where exact arithmetic does.
    fn double(&self) -> Option<f64>;
    /// The number itself, for scalars that are exact.
    fn exact_value(&self) -> Option<&Rational>;
    /// The exact value as text (`13/3`), for scalars that have one.
    fn to_exact_string(&self) -> Option<String>;

    /// The sum, if nothing of it is lost: neither a digit, nor the knowledge that a summand was rounded (see
    /// [`is_rounded`](Scalar::is_rounded)).
    fn joined(&self, other: &Self) -> Option<Self>;
    /// The product, if it is exact.
    fn exact_product(&self, other: &Self) -> Option<Self>;
    /// The quotient, if it is exact; the divisor is not zero.
    fn exact_quotient(&self, other: &Self) -> Option<Self>;
    /// Whether the number may be the nearest to another that was meant (0.1, 1/3) and not that one itself: a double whose
    /// mantissa is long. Such a number is off by at most 2⁻⁵¹ of itself. Exact arithmetic has those that are
    /// [known to be](Scalar::known_to_be_rounded).
    fn is_rounded(&self) -> bool;
    /// An integer as a sum of numbers, each exactly; `None` if it is out of range.
    fn integer_parts(value: &IBig) -> Option<Vec<Self>>;
    /// The power with an integer exponent.
    fn powi(&self, exponent: i32) -> Self;
    /// Largest integer not above the number.
    fn floor(&self) -> IBig;
    /// Whether this is an ordinary number (always true for rationals).
    fn is_finite(&self) -> bool;
    /// Compares with an integer without rounding it.
    fn cmp_integer(&self, other: &IBig) -> Option<Ordering>;
    /// How many bits the number takes to write down, for the size budget (0 where size is fixed).
    fn bits(&self) -> usize;
}

/// The field that conditioning computes in, at least as precise as its [`Scalar`].
pub trait Wide: Field {
    /// The scalar that this widens.
    type Narrow: Scalar;

    /// Bound on the relative error of one operation (0 where arithmetic is exact).
    const UNIT_ROUNDOFF: f64;

    /// The same number.
    fn widen(value: &Self::Narrow) -> Self;
    /// The nearest scalar.
    fn narrow(&self) -> Self::Narrow;
    /// The number as an unevaluated sum of two doubles, as nearly as they can.
    fn to_parts(&self) -> (f64, f64);
    /// Sum with a scalar.
    fn add_narrow(&self, other: &Self::Narrow) -> Self;
    /// Product with a scalar.
    fn mul_narrow(&self, other: &Self::Narrow) -> Self;
    /// The number times 2ᵉ, without rounding unless it leaves the range of doubles.
    fn times_power_of_two(&self, e: i32) -> Self;

    /// Bits of the mantissa that carry information. A coefficient that needs few of them (1, 0.5, 12) is taken as
    /// exact; one that fills a double (0.1, 1/3) has been rounded on its way here. Exact fields answer 0.
    fn mantissa_bits(&self) -> u32;

    /// What an operation on numbers of this size costs, in operations on short ones.
    fn operation_cost(&self) -> u64;
}
