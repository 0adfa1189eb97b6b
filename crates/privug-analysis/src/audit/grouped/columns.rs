//! Which columns of a table a script and a prior read.

use super::fits::mentions;
use privug_language::syntax;

/// What a prior may be made of the real secrets: statistics of all of them, which groups tell as well.
const STATISTICS: [&str; 5] = ["mean", "std", "var", "sum", "count"];

/// Whether the secret is in a prior only as `income.mean()` and the like.
pub(super) fn only_statistics(prior: &str, secret: &str) -> bool {
    syntax::only_methods_of(prior.trim(), secret, &STATISTICS)
}

/// The columns that are named in a script or a prior, of those that there are: whatever reads another one is refused when
/// it does.
pub fn columns_read(program: &str, priors: &[String], names: &[String]) -> Vec<String> {
    let mut mentioned = mentions(program);
    priors.iter().for_each(|prior| mentioned.extend(mentions(prior)));
    names.iter().filter(|name| mentioned.contains(*name)).cloned().collect()
}
