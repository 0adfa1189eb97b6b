//! Whether the published values fit the prior, and whether a mistaken variance is why they do not.

use privug_engine::network::{Network, NodeId, Variables};
use privug_engine::number::Scalar;
use privug_engine::posterior::{self, Observation, Surprise};
use privug_engine::stages::Stages;
use privug_language::source::Sources;
use privug_language::words::number;

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
                let again = S::survey(&network, observations, &Variables::default(), options);
                again.is_ok_and(|again| !again.surprise.is_refuted())
            });
        PriorCheck { surprise, cured_by_std }
    }

    /// What to say if the data refute the prior; `furthest` is the value that is furthest away, with its name, and by how
    /// many standard deviations.
    pub(crate) fn note(&self, furthest: Option<(&str, f64, f64)>) -> Option<String> {
        let Surprise { squares, observations } = self.surprise;
        if !self.surprise.is_refuted() {
            return None;
        }
        let log10 = self.surprise.log_p_value() / std::f64::consts::LN_10;
        let p_value = if log10 < -300.0 { "p < 1e-300".to_owned() } else { format!("p = {:.0e}", 10f64.powf(log10)) };
        let figures = if observations == 1 { "1 figure" } else { &format!("{} figures", number(observations as f64)) };
        let mut note = format!(
            "the data refute the prior: the values are {} times as far from what it predicts as it expects (χ² = {} for \
             {figures}, {p_value})",
            number(self.surprise.ratio()),
            number(squares),
        );
        if let Some((name, value, z)) = furthest {
            note.push_str(&format!("; `{name}` = {} is {} standard deviations away", number(value), number(z.abs())));
        }
        note.push_str(match self.cured_by_std {
            true => {
                ". If the second argument of Normal were a standard deviation, they would fit; it is a variance, so write \
                 `std=`"
            }
            false => ". What is said here is about an attacker who believes it all the same; is it what you meant?",
        });
        Some(note)
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
    use crate::analysis::{Request, analyze};

    fn notes(program: &str) -> Vec<String> {
        let mut request = Request::new("f.py", program);
        request.secrets = vec!["xs[0]".to_owned()];
        analyze(&request).expect("an analysis").notes
    }

    fn program(prior: &str, value: f64) -> String {
        format!("def f():\n    xs = [{prior} for _ in range(4)]\n    condition(sum(xs) / 4, {value})\n    return xs\n")
    }

    #[test]
    fn a_variance_is_mentioned_only_where_taking_it_for_a_standard_deviation_would_cure() {
        // ± √(10/4) is 19 standard deviations off, ± 10/2 only 6: still refuted.
        let said = |prior: &str, value: f64| notes(&program(prior, value)).join("\n");
        assert!(said("Normal(100, 10)", 130.0).contains("the data refute the prior"));
        assert!(!said("Normal(100, 10)", 130.0).contains("`std=`"));
        // 5 standard deviations or, with std=10, 1.6.
        let cured = said("Normal(100, 10)", 108.0);
        assert!(cured.contains("the data refute the prior") && cured.contains("write `std=`"), "{cured}");
        let named = said("Normal(100, std=3)", 108.0);
        assert!(named.contains("the data refute the prior") && !named.contains("`std=`"), "{named}");
        assert!(!said("Normal(100, std=10)", 108.0).contains("refute"));
    }
}
