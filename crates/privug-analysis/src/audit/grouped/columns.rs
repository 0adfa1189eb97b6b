//! Which columns of a table a script and a prior read.

use super::fits::{mentions, on_a_stack};
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

/// The column with everybody's own prior mean, which need not be grouped by: the prior is `Normal(column, …)`, and neither the
/// script nor what is known of earlier releases (`also`) looks at it. The sums of it in each group do in its place.
pub fn own_prior_means(program: &str, priors: &[String], names: &[String], also: &[String]) -> Option<String> {
    let [prior] = priors else { return None };
    let name = on_a_stack(|| syntax::own_mean(prior.trim()))?;
    let mentioned = mentions(program);
    // A script may call something else `Normal`.
    let is_free = !mentioned.contains(&name) && !mentioned.contains("Normal") && !also.contains(&name);
    (is_free && names.contains(&name)).then_some(name)
}

/// Whether sums of a column may do in its place, where it is nearly everybody's own: the script names it, and neither the priors
/// nor what is known of earlier releases (`also`) do. What the script does with it is seen when it runs.
pub fn may_be_summed(column: &str, program: &str, priors: &[String], also: &[String]) -> bool {
    let is_named = |text: &String| mentions(text).contains(column);
    mentions(program).contains(column) && !priors.iter().any(is_named) && !also.iter().any(|other| other == column)
}
