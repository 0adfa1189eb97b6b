//! Releases that a front end computed itself, by running a function on columns of [`Forms`]: figures, counts, and what
//! nobody looked into, put onto the attacker's prior.

use super::lift::{Input, Lifting};
use super::release::{Count, CountOf, Output, Release, Unexamined};
use super::run::{Lift, Lifted};
use crate::forms::Forms;
use privug_engine::network::Affine;
use privug_engine::number::{Constants, Exact, Field, Scalar, Wide};
use privug_language::diagnostic::{Code, Diagnostic, Refusal};
use privug_language::source::Span;

/// What a function published when it was run on forms.
#[derive(Debug, Clone)]
pub struct LiveRelease {
    /// The tables, the secrets and the prior; its program is only there to read them.
    pub input: Input,
    /// What the function's file is called.
    pub path: String,
    /// The function's file.
    pub text: String,
    /// One for each element of `forms`.
    pub figures: Vec<Place>,
    /// What each figure is to the attacker, over the secrets of the rows that have one; those of the first secret
    /// column first.
    pub forms: Forms,
    /// The counts: the number and the rows behind it, `None` for all.
    pub counts: Vec<(Place, i64, Option<Vec<u32>>)>,
    /// What else was published: what it is, and the number if it is one.
    pub unexamined: Vec<(Place, String, Option<f64>)>,
    /// What was assumed on the way.
    pub notes: Vec<String>,
}

/// A published value: what it is called, and the bytes of the file where it was published.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// What it is called.
    pub name: String,
    /// The first byte.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Lift for LiveRelease {
    fn compile(&self) -> Result<Box<dyn Lifted + '_>, Refusal> {
        Ok(Box::new(LiveLifting { live: self, prior: Lifting::new(&self.input)? }))
    }
}

/// A live release whose tables, secrets and prior are read.
struct LiveLifting<'a> {
    live: &'a LiveRelease,
    prior: Lifting<'a>,
}

impl Lifted for LiveLifting<'_> {
    fn in_doubles(&self) -> Result<Release<f64>, Refusal> {
        self.live.release(self.prior.lift(false)?)
    }

    fn in_rationals(&self, follows_doubles: bool) -> Result<Release<Exact>, Refusal> {
        self.live.release(self.prior.lift(follows_doubles)?)
    }
}

impl LiveRelease {
    /// Puts what was published in the place of what the program gives.
    fn release<S: Scalar>(&self, mut release: Release<S>) -> Result<Release<S>, Refusal> {
        let source = release.sources.add(self.path.as_str(), self.text.as_str());
        let end = self.text.len() as u32;
        let span = |place: &Place| Span { source, start: place.start.min(end), end: place.end.min(end) };
        if self.figures.is_empty() && self.counts.is_empty() && self.unexamined.is_empty() {
            let nowhere = Span { source, start: 0, end: 0 };
            let error = Diagnostic::error(Code::NothingRandom, nowhere, "the function publishes nothing");
            let diagnostics = vec![error.hint("return the published figures: is a `return` missing?")];
            return Err(Refusal { sources: release.sources, diagnostics });
        }
        release.outputs.clear();
        for (at, place) in self.figures.iter().enumerate() {
            let output = self.output(&mut release, at, place.name.clone(), span(place));
            release.outputs.push(output);
        }
        let counts = self.counts.iter().map(|(place, count, rows)| Count {
            name: place.name.clone(),
            count: *count,
            of: CountOf::Rows,
            rows: rows.clone(),
            span: span(place),
        });
        release.counts = counts.collect();
        let others = self.unexamined.iter().map(|(place, kind, value)| Unexamined {
            name: place.name.clone(),
            kind: kind.clone(),
            value: *value,
            span: span(place),
        });
        release.unexamined = others.collect();
        release.notes.extend(self.notes.iter().cloned());
        if self.forms.is_rounded() && S::EXACT {
            // The weights are those of doubles, so nothing that hangs on their last digits is certain.
            release.rounded = release.rounded.or(Some(Span::START));
        }
        Ok(release)
    }

    /// (Σⱼ wⱼ·xⱼ)/d + b as a variable, and what it really is.
    fn output<S: Scalar>(&self, release: &mut Release<S>, at: usize, name: String, span: Span) -> Output<S> {
        let form = self.forms.get(at);
        // A double stands for the decimal that it is written as, as everywhere in exact arithmetic.
        let number = |value: f64| S::from_written(value).unwrap_or_else(S::zero);
        let (mut sum, mut constant) = (S::Wide::zero(), S::zero());
        let mut terms = Vec::with_capacity(form.sources.len());
        for (source, weight) in form.sources.iter().zip(form.weights) {
            let weight = number(*weight);
            let truth = number(release.truths[*source as usize]);
            sum = sum.add(&S::Wide::widen(&weight).mul_narrow(&truth));
            let (of_secret, more) = release.weighted(*source as usize, &weight);
            terms.extend(of_secret);
            constant = constant.add(&more);
        }
        let (divisor, offset) = (number(form.divisor), number(form.offset));
        let value = sum.div(&S::Wide::widen(&divisor)).add_narrow(&offset).narrow();
        let mut node = release.network.push(constant, terms, S::zero(), span);
        if form.divisor != 1.0 {
            node = release.network.push_quotient(node, divisor, span);
        }
        Output { name, variable: Affine { node, scale: S::one(), offset }, value, span }
    }
}
