//! Whether the published values fit the prior, and whether a mistaken variance is why they do not.

use privug_engine::network::{Network, NodeId, Variables};
use privug_engine::number::Scalar;
use privug_engine::posterior::{self, Observation, Prepared, Surprise};
use privug_engine::stages::Stages;
use privug_language::source::Sources;

/// What the published values say about the prior.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PriorCheck {
    /// How far the values are from what the prior predicts.
    pub surprise: Surprise,
    /// Whether the prior is refuted, and would not be if positional variances were standard deviations.
    pub cured_by_std: bool,
}

impl PriorCheck {
    /// Checks a prior, from what conditioning on the observations found.
    pub(crate) fn new<S: Stages>(
        surprise: Surprise,
        network: &Network<S>,
        observations: &[Observation<S>],
        sources: &Sources,
        options: &posterior::Options,
    ) -> Self {
        let cured_by_std = surprise.is_refuted()
            && !is_beyond_cure(surprise, network, sources)
            && with_std_for_variance(network, sources).is_some_and(|network| {
                let again = S::survey(&network, observations, &Variables::default(), options, &mut Prepared::default());
                again.is_ok_and(|again| !again.surprise.is_refuted())
            });
        PriorCheck { surprise, cured_by_std }
    }
}

/// Whether the prior would be refuted with standard deviations in the place of variances as well, as far as that can be told without
/// another network.
///
/// With G the covariances of the values and r how far these are from their means, `squares` is rᵀ·G⁻¹·r. If no variance grows
/// by more than a factor c ≥ 1, the other covariances are at most c·G, so that theirs is at least rᵀ·G⁻¹·r/c.
fn is_beyond_cure<S: Scalar>(surprise: Surprise, network: &Network<S>, sources: &Sources) -> bool {
    /// More than rounding makes of `squares`.
    const ROUNDING: f64 = 1e-3;
    let mut most = 1.0;
    for (index, variance) in network.noise_variances(0..network.len()).iter().enumerate() {
        // The square of a variance is so many times the variance.
        let factor = variance.to_f64();
        if factor > most && is_mistakable(sources.text(network.span(NodeId(index as u32)))) {
            most = factor;
        }
    }
    let squares = surprise.squares / most * (1.0 - ROUNDING);
    surprise.squares.is_finite() && Surprise { squares, ..surprise }.is_refuted()
}

/// The network as if every variance that is a second argument without a name were a standard deviation; `None` if there
/// is no such variance.
fn with_std_for_variance<S: Scalar>(network: &Network<S>, sources: &Sources) -> Option<Network<S>> {
    let (mut changed, mut any) = (Network::default(), false);
    let mut last = None;
    for index in 0..network.len() {
        let id = NodeId(index as u32);
        let (node, span) = (network.node(id), network.span(id));
        let mut variance = node.noise_variance.clone();
        if !variance.is_zero() {
            // Neighbours mostly come from one place.
            let is_mistakable = match last {
                Some((place, is_mistakable)) if place == span => is_mistakable,
                _ => is_mistakable(sources.text(span)),
            };
            last = Some((span, is_mistakable));
            if is_mistakable {
                variance = variance.mul(&variance);
                any = true;
            }
        }
        let mut terms = node.parents().map(|(parent, weight)| (parent, weight.clone()));
        match (node.divisor, terms.next()) {
            (Some(divisor), Some((parent, _))) => changed.push_quotient(parent, divisor.clone(), span),
            (_, first) => changed.push(node.constant.clone(), first.into_iter().chain(terms), variance, span),
        };
        for (_, rest) in network.rests(index..index + 1) {
            changed.add_rest(rest.clone());
        }
    }
    any.then_some(changed)
}

/// Whether a call of `Normal` gives its variance without a name.
fn is_mistakable(call: &str) -> bool {
    let named = ["std", "sigma", "sd=", "sd =", "scale", "var"];
    call.contains("Normal(") && !call.contains("Multivariate") && !named.iter().any(|name| call.contains(name))
}

#[cfg(test)]
mod tests {
    use crate::analysis::{Note, Request, analyze};

    /// Whether the data refute the prior, and whether a standard deviation would cure that.
    fn refuted(prior: &str, value: f64) -> Option<bool> {
        refuted_of(&format!("[{prior} for _ in range(4)]"), value)
    }

    /// The same of four people.
    fn refuted_of(people: &str, value: f64) -> Option<bool> {
        let condition = format!("condition(sum(xs) / 4, {value})");
        let program = format!("def f():\n    xs = {people}\n    {condition}\n    return xs\n");
        let mut request = Request::new("f.py", program);
        request.secrets = vec!["xs[0]".to_owned()];
        analyze(&request).expect("an analysis").notes.iter().find_map(|note| match note {
            Note::PriorRefuted { check, .. } => Some(check.cured_by_std),
            _ => None,
        })
    }

    #[test]
    fn a_variance_is_mentioned_only_where_taking_it_for_a_standard_deviation_would_cure() {
        // ± √(10/4) is 19 standard deviations off, ± 10/2 only 6: still refuted.
        assert_eq!(refuted("Normal(100, 10)", 130.0), Some(false));
        // 5 standard deviations or, with std=10, 1.6.
        assert_eq!(refuted("Normal(100, 10)", 108.0), Some(true));
        assert_eq!(refuted("Normal(100, std=3)", 108.0), Some(false));
        assert_eq!(refuted("Normal(100, std=10)", 108.0), None);
    }

    #[test]
    fn what_is_told_of_standard_deviations_is_what_a_prior_with_them_says() {
        let mut told = [0, 0];
        for variances in ["0.25, 0.25, 0.25, 0.25", "1, 1, 1, 1", "3, 3, 3, 3", "10, 10, 10, 10", "2, 7, 0.5, 12"] {
            for value in [100.5, 101.0, 103.0, 106.0, 108.0, 112.0, 120.0, 160.0, 1e6] {
                let people = |variance: &str| format!("[Normal(100, {variance}) for v in [{variances}]]");
                let Some(cured) = refuted_of(&people("v"), value) else { continue };
                assert_eq!(cured, refuted_of(&people("v ** 2"), value).is_none(), "{variances} {value}");
                told[usize::from(cured)] += 1;
            }
        }
        assert!(told.iter().all(|count| *count > 3), "{told:?}");
    }
}
