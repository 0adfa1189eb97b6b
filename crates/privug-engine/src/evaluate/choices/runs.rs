//! A function that was run once for each combination of the discrete values that it asked for: each run is a recording, and
//! holds in the worlds in which the values are what the function was told.
//!
//! Runs share their first steps with the run before them, up to where they were told something else; what was drawn or
//! seen there is one variable, or one observation, for both.

use super::{lift, operators};
use crate::choices::Diagram;
use crate::evaluate::choices;
use crate::evaluate::fault::Fault;
use crate::evaluate::outcome;
use crate::evaluate::outcome::Part;
use crate::evaluate::replay::Played;
use crate::evaluate::run::{Found, Run, Seen};
use crate::evaluate::running::Stop;
use crate::evaluate::tape::{NamedValue, Recording};
use crate::evaluate::value::Value;
use crate::number::Scalar;
use privug_language::diagnostic::Code;
use privug_language::program::ResultName;
use privug_language::source::Span;

/// What one run has found, and where it holds.
struct Ended<S> {
    worlds: Diagram,
    secrets: Vec<(Part<S>, Span)>,
    outputs: Vec<Part<S>>,
    quantities: Vec<Value<S>>,
}

impl<S: Scalar> Run<'_, '_, S> {
    /// Plays the other runs of a recording, whose first was played already, and puts all of them together.
    pub(in crate::evaluate) fn replay_worlds(
        &mut self,
        recording: &Recording,
        mut played: Played<S>,
    ) -> Result<Found<S>, Stop> {
        // What was given beside the function is the same in all runs.
        let mut observed = Seen::default();
        for seen in &recording.seen {
            let first = observed.parts.len();
            let value = self.recorded(played.values(), seen.value, seen.span)?;
            self.observe_parts(&value, &seen.path, seen.span, &mut observed)?;
            if let Some((std_dev, span)) = &seen.std_dev {
                let value = self.recorded(played.values(), *std_dev, *span)?;
                self.set_noise(&mut observed.parts[first..], &value, *span)?;
            }
        }
        let mut runs = vec![self.ended(recording, &played)?];
        for other in &recording.others {
            self.machine.state.worlds.active = played.go_back(other.shared_steps);
            self.play(&other.tape, &mut played)?;
            runs.push(self.ended(other, &played)?);
        }
        self.machine.state.worlds.active = Diagram::TRUE;
        let span = recording.published.as_ref().map_or(Span::START, |published| published.span);
        self.check_coverage(&runs, span)?;
        let outputs = match &recording.published {
            Some(published) => {
                let parts = self.joined_outputs(&runs, published.span)?;
                self.publish_choices(parts, observed, published.span)?
            }
            None => Vec::new(),
        };
        let mut operands = Vec::with_capacity(recording.quantities.len());
        for (place, (_, span)) in recording.quantities.iter().enumerate() {
            let values = runs.iter().map(|run| (run.worlds, run.quantities[place].clone()));
            let value = self.joined(values.collect(), *span)?;
            operands.push((value, *span));
        }
        let secrets = self.joined_secrets(&runs, span)?;
        self.conclude(secrets, outputs, &operands, span)
    }

    /// What a run has found: in the worlds that it ended in.
    fn ended(&mut self, recording: &Recording, played: &Played<S>) -> Result<Ended<S>, Stop> {
        let worlds = self.machine.state.worlds.active;
        let mut secrets = Vec::new();
        for secret in &recording.secrets {
            let parts = self.named_parts(secret, played)?;
            secrets.extend(parts.into_iter().map(|part| (part, secret.span)));
        }
        let outputs = match &recording.published {
            Some(published) => self.named_parts(published, played)?,
            None => Vec::new(),
        };
        let mut quantities = Vec::new();
        for (quantity, span) in &recording.quantities {
            quantities.push(self.recorded(played.values(), *quantity, *span)?);
        }
        Ok(Ended { worlds, secrets, outputs, quantities })
    }

    fn named_parts(&mut self, named: &NamedValue, played: &Played<S>) -> Result<Vec<Part<S>>, Stop> {
        let mut all = Vec::with_capacity(named.parts.len());
        for part in &named.parts {
            let value = self.recorded(played.values(), part.value, named.span)?;
            let name = ResultName::Text(part.name.clone());
            let inner = outcome::parts_at(&mut self.machine.state, &value, &name, part.path.clone());
            all.extend(self.check(inner, named.span)?.unwrap_or_default());
        }
        Ok(all)
    }

    /// Every world must have been run: what is not known of a world is not guessed.
    fn check_coverage(&mut self, runs: &[Ended<S>], span: Span) -> Result<(), Stop> {
        let mut covered = Diagram::FALSE;
        for run in runs {
            let more = operators::disjunction(&mut self.machine.state, covered, run.worlds);
            covered = self.check(more, span)?.ok_or(Stop)?;
        }
        if covered == Diagram::TRUE {
            return Ok(());
        }
        let message = "the function was not run for all possible values of its choices";
        let hint = "pass the program as a file or source text, which is analysed without being run";
        self.machine.report(Fault::hinted(Code::TooManyWorlds, message, hint), span)?;
        Err(Stop)
    }

    /// The value that is each run's own in its worlds. Each run adds its leaf to one tree: none of them needs a choice of its
    /// own on the way, as values do that a program computes with.
    fn joined(&mut self, values: Vec<(Diagram, Value<S>)>, span: Span) -> Result<Value<S>, Stop> {
        let mut all = values.into_iter();
        let Some((_, mut joined)) = all.next() else { return Err(Stop) };
        for (worlds, value) in all {
            if matches!(value, Value::Poison) || matches!(joined, Value::Poison) {
                return Ok(Value::Poison);
            }
            let either = lift::joined(&mut self.machine.state, worlds, &value, &joined);
            let either = self.check(either, span)?.ok_or(Stop)?;
            joined = choices::settle(&self.machine.state, either);
        }
        Ok(joined)
    }

    fn joined_secrets(&mut self, runs: &[Ended<S>], span: Span) -> Result<Vec<(Part<S>, Span)>, Stop> {
        let names = |run: &Ended<S>| -> Vec<String> { run.secrets.iter().map(|(part, _)| part.name.clone()).collect() };
        let first = names(&runs[0]);
        if runs.iter().any(|run| names(run) != first) {
            let message = "the secret has different parts in different worlds";
            let hint = "name parts that always exist, such as secret='votes[0]'";
            self.machine.report(Fault::hinted(Code::NothingRandom, message, hint), span)?;
            return Err(Stop);
        }
        let mut secrets = Vec::with_capacity(first.len());
        for (place, name) in first.into_iter().enumerate() {
            let span = runs[0].secrets[place].1;
            let values = runs.iter().map(|run| (run.worlds, run.secrets[place].0.value.clone())).collect();
            let value = self.joined(values, span)?;
            secrets.push((Part { name, path: String::new(), value }, span));
        }
        Ok(secrets)
    }

    /// What is published: part by part, or in one piece where runs publish other parts.
    fn joined_outputs(&mut self, runs: &[Ended<S>], span: Span) -> Result<Vec<Part<S>>, Stop> {
        let paths = |run: &Ended<S>| -> Vec<String> { run.outputs.iter().map(|part| part.path.clone()).collect() };
        let first = paths(&runs[0]);
        if runs.iter().all(|run| paths(run) == first) {
            let mut outputs = Vec::with_capacity(first.len());
            for (place, path) in first.into_iter().enumerate() {
                let values = runs.iter().map(|run| (run.worlds, run.outputs[place].value.clone())).collect();
                let value = self.joined(values, span)?;
                let name = runs[0].outputs[place].name.clone();
                let is_shared = runs.iter().all(|run| run.outputs[place].name == name);
                let name = if is_shared { name } else { format!("return{path}") };
                outputs.push(Part { name, path, value });
            }
            return Ok(outputs);
        }
        let mut whole = Vec::with_capacity(runs.len());
        for run in runs {
            let mut pairs = Vec::with_capacity(run.outputs.len());
            for part in &run.outputs {
                if part.value.as_random().is_some() {
                    let message = "the output has different parts in different worlds, including Gaussian variables";
                    let hint = "return the same parts in all worlds";
                    self.machine.report(Fault::hinted(Code::UnknownResult, message, hint), span)?;
                    return Err(Stop);
                }
                let path = self.machine.state.text(part.path.clone());
                let path = self.check(path, span)?.ok_or(Stop)?;
                let pair = self.machine.state.tuple(vec![path, part.value.clone()]);
                pairs.push(self.check(pair, span)?.ok_or(Stop)?);
            }
            let value = self.machine.state.tuple(pairs);
            whole.push((run.worlds, self.check(value, span)?.ok_or(Stop)?));
        }
        let value = self.joined(whole, span)?;
        Ok(vec![Part { name: "return".to_owned(), path: String::new(), value }])
    }
}
