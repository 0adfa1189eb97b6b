//! What cannot be audited by groups, as far as it is seen before anybody is grouped.

use std::thread;

use super::columns::{only_statistics, own_prior_means};
use crate::audit::lift::Input;
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::{Sources, Span};
use privug_language::syntax;

/// The distributions of secrets that are not numbers on a scale.
const DISCRETE: [&str; 6] = ["Bernoulli", "Categorical", "DiscreteUniform", "Binomial", "Poisson", "Geometric"];

/// Refuses an audit by groups of which it is known beforehand that groups do not tell enough.
pub fn fits_groups(input: &Input) -> Result<(), Refusal> {
    let [secret] = input.secrets.as_slice() else {
        return refuse("--secret", "", "several secrets cannot be audited by groups", "audit them separately");
    };
    let (table, secret) = match secret.trim().split_once('.') {
        Some((table, column)) => (table.trim(), column.trim()),
        None => (input.tables.first().map_or("", |(name, _)| name.as_str()), secret.trim()),
    };
    if let Some(person) = &input.person {
        let hint = "omit `--person` if every row is a different person";
        return refuse("--person", person, "people with several rows cannot be audited by groups", hint);
    }
    if input.attacker.releases_rows {
        let message = "released rows contain individual values, which groups do not";
        return refuse("--release-rows", "", message, "audit the table itself, person by person");
    }
    if let Some(known) = input.attacker.known.first() {
        let message = "people are grouped by what the script reads, not by what the attacker knows";
        return refuse("--known", known, message, "audit the table itself, person by person");
    }
    for prior in &input.priors {
        let mentioned = mentions(prior);
        if DISCRETE.iter().any(|name| mentioned.contains(*name)) {
            let message = "a discrete secret cannot be audited by groups";
            return refuse("--prior", prior, message, "audit the table itself, person by person");
        }
        if mentioned.contains(table) {
            let message = format!("the prior uses `{table}` itself, which is grouped");
            let hint = "use the names of its columns: `Normal(base, 100)`";
            return refuse("--prior", prior, &message, hint);
        }
        if !only_statistics(prior, secret) {
            let message = format!("the prior depends on individual values of `{secret}`, which groups do not contain");
            let hint = format!(
                "only `{secret}.mean()`, `.std()`, `.var()`, `.sum()` and `.count()` of the secret are available"
            );
            return refuse("--prior", prior, &message, &hint);
        }
    }
    Ok(())
}

/// Refuses sums of prior means that stand for everybody's own where the prior is not `Normal(column, …)` and nothing else: groups
/// may come from a plan for another audit.
pub(super) fn sums_fit(input: &Input, names: &[String], own: &str) -> Result<(), Refusal> {
    if own_prior_means(&input.program, &input.priors, names, &[]).as_deref() == Some(own) {
        return Ok(());
    }
    let message = format!("the groups contain only sums of `{own}`, which suffice only for `Normal({own}, …)`");
    let prior = input.priors.first().map_or("", String::as_str);
    refuse("--prior", prior, &message, "create the groups with the script and the prior of this audit")
}

/// Refuses sums of weights where the prior looks at everybody's own.
pub(super) fn weights_fit(input: &Input, own: &str) -> Result<(), Refusal> {
    match input.priors.iter().find(|prior| mentions(prior).contains(own)) {
        None => Ok(()),
        Some(prior) => {
            let message = format!("the groups contain only sums of `{own}`, and the prior uses individual values");
            refuse("--prior", prior, &message, "group by the column, or bin it")
        }
    }
}

/// The names in a text.
pub(super) fn mentions(text: &str) -> std::collections::BTreeSet<String> {
    on_a_stack(|| syntax::mentions(text.trim()))
}

/// Deep syntax trees need more stack than a thread usually has.
pub(super) fn on_a_stack<T: Send>(read: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("privug".to_owned()).stack_size(syntax::STACK_BYTES);
        match builder.spawn_scoped(scope, read) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => panic!("no thread can be started: {error}"),
        }
    })
}

fn refuse(option: &str, text: &str, message: &str, hint: &str) -> Result<(), Refusal> {
    let mut sources = Sources::default();
    let source = sources.add(option, text);
    let span = Span { source, start: 0, end: text.len() as u32 };
    Err(Refusal { sources, diagnostics: vec![Diagnostic::error(Code::NotOfGroups, span, message).hint(hint)] })
}
