//! The end of a run with choices: its secrets, what it publishes, what is asked.

use std::collections::HashMap;

use super::NamedChoice;
use super::{evidence, model};
use crate::evaluate::fault::Fault;
use crate::evaluate::outcome::{Part, Plain};
use crate::evaluate::run::{Found, Observed, Run, Seen, result_name};
use crate::evaluate::running::{Returned, Stop};
use crate::evaluate::secrets::Secrets;
use crate::evaluate::value::Value;
use crate::evaluate::{compare, outcome, text};
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::{Comparison, Expression, Role};
use privug_language::source::Span;

impl<S: Scalar> Run<'_, '_, S> {
    /// What a program with choices has found.
    pub(in crate::evaluate) fn find_choices(
        &mut self,
        values: &[(&Expression, Value<S>)],
        returned: &Returned<S>,
        return_span: Span,
    ) -> Result<Found<S>, Stop> {
        let result_name = result_name(self.machine.program, returned.name);
        let mut outputs = Vec::new();
        let asks = values.iter().any(|(expression, _)| expression.role == Role::Secret);
        if asks {
            if matches!(returned.value, Value::Poison) {
                return Err(Stop);
            }
            let all_observed = self.observed()?;
            self.machine.state.worlds.observed_paths =
                all_observed.parts.iter().map(|part| part.path.clone()).collect();
            let parts = outcome::parts(&mut self.machine.state, &returned.value, &result_name);
            self.machine.state.worlds.observed_paths.clear();
            let Some(parts) = self.check(parts, return_span)? else { return Err(Stop) };
            outputs = self.publish_choices(parts, all_observed, return_span)?;
        }
        let returned_value = [(returned.value.clone(), result_name, return_span)];
        let named = values.iter().filter(|(expression, _)| expression.role == Role::Secret);
        let named: Vec<_> =
            named.map(|(expression, value)| (value.clone(), expression.name.clone(), expression.span)).collect();
        let mut secrets = Vec::new();
        for (value, name, span) in if asks { named.as_slice() } else { &returned_value } {
            if matches!(value, Value::Poison) {
                return Err(Stop);
            }
            let parts = match outcome::elements_of_one_choice(&self.machine.state, value, name) {
                Some(parts) => parts,
                None => {
                    let parts = outcome::parts(&mut self.machine.state, value, name);
                    self.check(parts, *span)?.unwrap_or_default()
                }
            };
            secrets.extend(parts.into_iter().map(|part| (part, *span)));
        }
        let operands: Vec<(Value<S>, Span)> = values
            .iter()
            .filter(|(expression, _)| expression.role == Role::Query)
            .map(|(expression, value)| (value.clone(), expression.span))
            .collect();
        self.conclude(secrets, outputs, &operands, return_span)
    }

    /// Puts what a run has found together.
    pub(in crate::evaluate) fn conclude(
        &mut self,
        parts: Vec<(Part<S>, Span)>,
        outputs: Vec<NamedChoice>,
        operands: &[(Value<S>, Span)],
        return_span: Span,
    ) -> Result<Found<S>, Stop> {
        let (mut secrets, mut questions, mut plain) = (Vec::new(), Vec::new(), Plain::default());
        for (part, span) in parts {
            match self.named_choice(part.name, &part.value, span, false)? {
                Ok(secret) => secrets.push(secret),
                Err(name) => plain.add(name),
            }
        }
        if secrets.is_empty() {
            // What was refused may have been random.
            if !self.machine.diagnostics.is_empty() {
                return Err(Stop);
            }
            let hint = "return a random value, or bind the inputs to distributions with `--prior`";
            self.machine.report(Fault::hinted(Code::NothingRandom, "the result is not random", hint), return_span)?;
            return Err(Stop);
        }
        self.note_constants(&plain, return_span);
        let seen = self.machine.state.worlds.forget_events();
        for question in &self.inputs.questions {
            let asked = model::asked(&mut self.machine.state, question, operands);
            let span = operands.first().map_or(return_span, |(_, span)| *span);
            questions.push(self.check(asked, span)?.ok_or(Stop)?);
        }
        self.machine.state.worlds.recall_events(seen);
        let numbers = operands.iter().map(|(value, _)| model::plain_number(&self.machine.state, value)).collect();
        let choices = self.choice_model(secrets, outputs, questions, numbers, return_span)?;
        Ok(Found {
            secrets: Secrets::default(),
            quantities: Vec::new(),
            differences: Vec::new(),
            choices: Some(choices),
        })
    }

    /// Makes the result's parts outputs; those that are Gaussian in all worlds become evidence as ever.
    pub(in crate::evaluate) fn publish_choices(
        &mut self,
        parts: Vec<Part<S>>,
        all_observed: Seen<S>,
        span: Span,
    ) -> Result<Vec<NamedChoice>, Stop> {
        let is_choice = |part: &Part<S>| matches!(part.value, Value::Choice(_));
        let mut discrete = Vec::new();
        let mut left = Seen { parts: Vec::new(), lists: all_observed.lists };
        let mut observed: HashMap<String, Observed<S>> = HashMap::new();
        for part in all_observed.parts {
            if parts.iter().any(|known| is_choice(known) && known.path == part.path) {
                if observed.contains_key(&part.path) {
                    let fault = Fault::new(Code::ObservedTwice, format!("`return{}` is observed twice", part.path));
                    self.machine.report(fault, part.span)?;
                }
                observed.insert(part.path.clone(), part);
            } else {
                left.parts.push(part);
            }
        }
        for part in parts.iter().filter(|part| is_choice(part)) {
            let seen = observed.remove(&part.path).map(|seen| (seen.raw, seen.noise_variance, seen.span));
            let is_none = self.machine.state.worlds.unmentioned.contains(&part.path);
            let seen = seen.or_else(|| is_none.then(|| (Value::Int(0), S::zero(), span)));
            self.machine.state.worlds.is_publishing = seen.is_some();
            let output = self.named_choice(part.name.clone(), &part.value, span, seen.is_some())?;
            let Ok(output) = output else { continue };
            if output.range.is_some() {
                let message = format!("the output `{}` has too many possible values to write them out", part.name);
                let hint = "publish what it is compared with, or observe its value";
                self.machine.report(Fault::hinted(Code::TooManyWorlds, message, hint), span)?;
                return Err(Stop);
            }
            let Some((raw, noise_variance, seen_at)) = seen else {
                discrete.push(output);
                continue;
            };
            self.refuse_ambiguous(&output, &raw, seen_at)?;
            let state = &mut self.machine.state;
            let told = evidence::see_in_worlds(state, part.name.clone(), &part.value, &raw, &noise_variance);
            self.machine.state.worlds.is_publishing = false;
            self.check(told, seen_at)?;
            discrete.push(output);
        }
        let others: Vec<Part<S>> = parts.into_iter().filter(|part| !is_choice(part)).collect();
        if others.iter().any(|part| part.value.as_random().is_some()) || discrete.is_empty() || !left.parts.is_empty() {
            self.publish_parts(&others, left, span)?;
        }
        Ok(discrete)
    }

    /// 0 and `False` are equal, and whoever sees the output can tell them apart: which of them was seen?
    fn refuse_ambiguous(&mut self, output: &NamedChoice, seen: &Value<S>, span: Span) -> Result<(), Stop> {
        let state = &mut self.machine.state;
        let leaves = state.worlds.diagrams.leaves_of(output.value);
        let values: Vec<Value<S>> = leaves.iter().map(|leaf| state.worlds.leaves[*leaf as usize].clone()).collect();
        let mut equal = std::collections::BTreeSet::new();
        for value in values.iter().filter(|value| value.as_random().is_none()) {
            if matches!(compare::compare(state, Comparison::Equal, value, seen), Ok(Value::Bool(true))) {
                equal.insert(text::show(state, value));
            }
        }
        if equal.len() < 2 {
            return Ok(());
        }
        let values: Vec<String> = equal.iter().map(|value| format!("`{value}`")).collect();
        let message = format!(
            "`{}` can be {}, which are equal: it is not clear which was observed",
            output.name,
            values.join(" or ")
        );
        let hint = "return values of one type, such as `int(x)`, or a string for each";
        self.machine.report(Fault::hinted(Code::TypeMismatch, message, hint), span)?;
        Err(Stop)
    }
}
