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
            && with_std_for_variance(network, sources).is_some_and(|network| {
                let again = S::survey(&network, observations, &Variables::default(), options, &mut Prepared::default());
                again.is_ok_and(|again| !again.surprise.is_refuted())
            });
        PriorCheck { surprise, cured_by_std }
    }
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
        let condition = format!("condition(sum(xs) / 4, {value})");
        let program = format!("def f():\n    xs = [{prior} for _ in range(4)]\n    {condition}\n    return xs\n");
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
}
