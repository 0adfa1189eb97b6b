//! Weights of everybody's own in the groups that an engine gave: sums of how far they lie above the smallest of their group.

use super::decimal::Decimal;
use super::groups::{WEIGHT_DECIMALS, WEIGHT_SQUARE_DECIMALS};
use super::read::{Reader, refuse};
use super::summary::{LARGEST, PairSum};
use super::weights::Weights;
use crate::table::TableError;

/// What rounding to decimals may leave of a sum, as a part of it.
const LOST: f64 = 1e-9;

/// A column of everybody's own, and what is known of it in each group.
type Own<T> = Option<(String, Vec<Option<T>>)>;

impl Reader<'_> {
    /// The column with everybody's own weight and its sums, if there is one.
    pub(super) fn weights(
        &self,
        names: &[String],
        secret: &str,
        prior_means: Option<&(String, Vec<Option<PairSum>>)>,
    ) -> Result<Own<Weights>, TableError> {
        if self.table.column("privug_weight_column").is_none() {
            return Ok(None);
        }
        let own = self.column("privug_weight_column")?.show(0).unwrap_or_default();
        if !names.contains(&own) || own == secret || prior_means.is_some_and(|(prior, _)| *prior == own) {
            return Err(refuse("privug_weight_column", format!("the table that was grouped has no column `{own}`")));
        }
        if let Some(row) = self.whole("privug_weight_inexact")?.iter().position(|count| *count != 0) {
            let error = refuse("privug_weight_inexact", "weights are infinite, or too large to be added up");
            return Err(error.at_row(row + 1).hint("give weights and secrets in other units"));
        }
        let (rows, has_secret) = (self.whole("privug_rows")?, self.whole("privug_known")?);
        let known = self.whole("privug_weight_known")?;
        let ends = [self.numbers("privug_weight_least")?, self.numbers("privug_weight_most")?];
        let at = [self.whole("privug_weight_at_least")?, self.whole("privug_weight_at_most")?];
        let [sums, squares, products, absolute] = [
            self.decimals("privug_weight_sum")?,
            self.decimals("privug_weight_squares")?,
            self.decimals("privug_weight_products")?,
            self.decimals("privug_weight_absolute")?,
        ];
        let priors = match prior_means {
            None => vec![None; rows.len()],
            Some(_) => self.decimals("privug_weight_priors")?,
        };
        let mut largest = Vec::with_capacity(LARGEST);
        for place in 1..=LARGEST {
            largest.push(self.numbers(&format!("privug_weight_largest_{place}"))?);
        }
        let [secrets, sizes] = [self.decimals("privug_sum")?, self.decimals("privug_sum_absolute")?];
        let mut found = Vec::with_capacity(rows.len());
        for row in 0..rows.len() {
            if known[row] == 0 {
                found.push(None);
                continue;
            }
            let missing = || {
                let error = refuse("privug_weight_sum", "some of the sums of weights of the group are missing");
                error.at_row(row + 1).hint("did a sum overflow? give weights in other units")
            };
            let (Some(least), Some(most)) = (ends[0][row], ends[1][row]) else { return Err(missing()) };
            let is_sign_mixed = least.signum() * most.signum() < 0.0 || (least == 0.0) != (most == 0.0);
            if known[row] != rows[row] || least > most || at[0][row] == 0 || at[1][row] == 0 || is_sign_mixed {
                let error = refuse("privug_weight_known", "a group mixes people with different weights");
                return Err(error
                    .at_row(row + 1)
                    .hint("use the unchanged result of the query that `privug plan` printed"));
            }
            let count = rows[row] as f64;
            let pair = |one: &Option<Decimal>| one.map(PairSum::of_decimal);
            // Σf·w = least·Σf + Σf·(w − least)
            let above = |sum: &Option<Decimal>, of: Option<PairSum>| {
                let mut total = pair(sum)?;
                total.add_times(&of?, least);
                Some(total)
            };
            let one = PairSum { high: count, low: 0.0 };
            let sum = above(&sums[row], Some(one)).ok_or_else(missing)?;
            // Σw² = n·least² + 2·least·Σ(w − least) + Σ(w − least)²
            let (deviations, deviation_squares) = pair(&sums[row]).zip(pair(&squares[row])).ok_or_else(missing)?;
            let mut square = PairSum::default();
            square.add_product(least, least);
            let mut all_squares = deviation_squares;
            all_squares.add_times(&deviations, 2.0 * least);
            all_squares.add_times(&square, count);
            let [product, size] = match has_secret[row] > 0 {
                false => [PairSum::default(); 2],
                true => [
                    above(&products[row], pair(&secrets[row])).ok_or_else(missing)?,
                    above(&absolute[row], pair(&sizes[row])).ok_or_else(missing)?,
                ],
            };
            let prior = match prior_means.and_then(|(_, all)| all[row]) {
                None => PairSum::default(),
                Some(of) => above(&priors[row], Some(of)).ok_or_else(missing)?,
            };
            // What was rounded off the products must not matter. Where there are two weights, they are not needed.
            let off = |decimals: u32| count * 10f64.powi(-(decimals as i32));
            let spread = deviation_squares.high - deviations.high * deviations.high / count;
            let is_told = least == most
                || at[0][row] + at[1][row] == rows[row]
                || (off(WEIGHT_SQUARE_DECIMALS) <= LOST * spread && off(WEIGHT_DECIMALS) <= LOST * deviations.high);
            let size_above = pair(&absolute[row]).map_or(0.0, |sum| sum.high);
            let is_product_told = least == most || size_above == 0.0 || off(WEIGHT_DECIMALS) <= LOST * size_above;
            if !is_told || !is_product_told {
                let error = refuse("privug_weight_squares", "weights are too close together for their decimal places");
                return Err(error
                    .at_row(row + 1)
                    .hint("give weights and secrets in smaller units, or group by the weights"));
            }
            let kept = largest.iter().filter(|one| one[row].is_some()).count() as u64;
            if kept != has_secret[row].min(LARGEST as u64) {
                return Err(
                    refuse("privug_weight_largest_1", "the largest values of the group are missing").at_row(row + 1)
                );
            }
            found.push(Some(Weights {
                least,
                most,
                at_least: at[0][row],
                at_most: at[1][row],
                secrets: [f64::NAN; 2],
                prior_means: [f64::NAN; 2],
                sum,
                squares: all_squares,
                products: product,
                absolute: size,
                prior_products: prior,
                largest: std::array::from_fn(|place| largest[place][row].unwrap_or(-1.0)),
            }));
        }
        Ok(Some((own, found)))
    }
}
