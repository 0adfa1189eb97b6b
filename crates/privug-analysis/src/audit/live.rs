//! Releases that a front end computed itself, by running a function on columns of [`Forms`]: figures, counts, and what
//! nobody looked into, put onto the attacker's prior.

use std::collections::HashMap;
use std::sync::Arc;

use super::lift::{Input, Lifting};
use super::release::{Count, CountOf, Output, Release, Unexamined};
use super::run::{Lift, Lifted};
use crate::forms::{Form, Forms, Origin};
use privug_engine::network::{Affine, NodeId};
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
        let mut known: Known<S> = HashMap::new();
        for (at, place) in self.figures.iter().enumerate() {
            let output = self.output(&mut release, &mut known, at, place.name.clone(), span(place));
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
    fn output<S: Scalar>(
        &self,
        release: &mut Release<S>,
        known: &mut Known<S>,
        at: usize,
        name: String,
        span: Span,
    ) -> Output<S> {
        let form = self.forms.get(at);
        let offset = number(form.offset);
        let (node, sum) = match form.origin {
            Some(origin) => of_origin(release, known, origin, span),
            None => of_form(release, &form, span),
        };
        let value = sum.add_narrow(&offset).narrow();
        Output { name, variable: Affine { node, scale: S::one(), offset }, value, span }
    }
}

/// The nodes of origins that several figures have in common, by their addresses, and what they really are.
type Known<S> = HashMap<*const Origin, (NodeId, <S as Scalar>::Wide)>;

/// A double stands for the decimal that it is written as, as everywhere in exact arithmetic.
fn number<S: Scalar>(value: f64) -> S {
    S::from_written(value).unwrap_or_else(S::zero)
}

/// (Σⱼ wⱼ·xⱼ)/d
fn of_form<S: Scalar>(release: &mut Release<S>, form: &Form<'_>, span: Span) -> (NodeId, S::Wide) {
    let terms = form.sources.iter().copied().zip(form.weights.iter().copied());
    of_terms(release, terms, (Vec::new(), S::Wide::zero()), form.divisor, span)
}

/// (Σⱼ wⱼ·xⱼ + Σₖ cₖ·partₖ)/d
fn of_origin<S: Scalar>(
    release: &mut Release<S>,
    known: &mut Known<S>,
    origin: &Arc<Origin>,
    span: Span,
) -> (NodeId, S::Wide) {
    if let Some((node, value)) = known.get(&Arc::as_ptr(origin)) {
        return (*node, value.clone());
    }
    let (mut parts, mut sum) = (Vec::with_capacity(origin.parts.len()), S::Wide::zero());
    for (part, weight) in &origin.parts {
        let (node, value) = of_origin(release, known, part, span);
        let weight: S = number(*weight);
        sum = sum.add(&value.mul_narrow(&weight));
        parts.push((node, weight));
    }
    let made = of_terms(release, origin.terms.iter().copied(), (parts, sum), origin.divisor, span);
    known.insert(Arc::as_ptr(origin), made.clone());
    made
}

/// Secrets and other sums, each times a number, over a divisor: as a node, and what it really is.
fn of_terms<S: Scalar>(
    release: &mut Release<S>,
    secrets: impl Iterator<Item = (u32, f64)>,
    (mut terms, mut sum): (Vec<(NodeId, S)>, S::Wide),
    divisor: f64,
    span: Span,
) -> (NodeId, S::Wide) {
    let mut constant = S::zero();
    for (source, weight) in secrets {
        let weight: S = number(weight);
        let truth = number(release.truths[source as usize]);
        sum = sum.add(&S::Wide::widen(&weight).mul_narrow(&truth));
        let (of_secret, more) = release.weighted(source as usize, &weight);
        terms.extend(of_secret);
        constant = constant.add(&more);
    }
    let node = release.network.push(constant, terms, S::zero(), span);
    if divisor == 1.0 {
        return (node, sum);
    }
    let by: S = number(divisor);
    let value = sum.div(&S::Wide::widen(&by));
    (release.network.push_quotient(node, by, span), value)
}
