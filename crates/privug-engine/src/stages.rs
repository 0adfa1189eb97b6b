//! The verbs of the stages, compiled here and once for each arithmetic.
//!
//! The stages are generic, and a generic function is compiled in the crate that calls it: without this trait, the whole
//! engine is compiled again wherever an analysis or an audit runs it. Its functions are those of doubles and of exact
//! rationals, and not generic any more.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::elimination::{self, Eliminated};
use crate::evaluate::{self, ChoiceModel, GroupTable, Inputs, Limits, Model, Published, Recording, SecretColumn};
use crate::network::{Affine, Network, Variables};
use crate::number::{Exact, Scalar};
use crate::posterior::{self, Channel, Observation, Options, Posterior, Prepared, Survey, TargetOutcome};
use privug_language::diagnostic::Diagnostic;
use privug_language::program::Program;
use privug_tables::table::Table;

/// An arithmetic that programs can be run and conditioned in.
pub trait Stages: Scalar {
    /// See [`evaluate::evaluate`].
    fn evaluate(program: &Program, inputs: &Inputs) -> Result<Model<Self>, Vec<Diagnostic>>;

    /// See [`evaluate::replay`].
    fn replay(recording: &Recording, inputs: &Inputs) -> Result<Model<Self>, Vec<Diagnostic>>;

    /// See [`evaluate::evaluate_release`].
    fn evaluate_release(
        program: &Program,
        tables: &[(String, Table)],
        secrets: &[SecretColumn],
        limits: &Limits,
        cancelled: Option<Arc<AtomicBool>>,
        follows_doubles: bool,
        groups: Option<&GroupTable>,
    ) -> Result<Published<Self>, Vec<Diagnostic>>;

    /// See [`posterior::condition`].
    fn condition(
        network: &Network<Self>,
        observations: &[Observation<Self>],
        targets: &[Affine<Self>],
        options: &Options,
    ) -> Result<Posterior<Self>, posterior::Refusal<Self>>;

    /// See [`posterior::survey_prepared`].
    fn survey(
        network: &Network<Self>,
        observations: &[Observation<Self>],
        targets: &Variables<Self>,
        options: &Options,
        prepared: &mut Prepared<Self>,
    ) -> Result<Survey<Self>, posterior::Refusal<Self>>;

    /// See [`posterior::explain`].
    fn explain(
        network: &Network<Self>,
        observations: &[Observation<Self>],
        targets: &[Affine<Self>],
        options: &Options,
        prepared: &mut Prepared<Self>,
    ) -> Result<Vec<TargetOutcome<Self>>, posterior::Refusal<Self>>;

    /// See [`posterior::channel`].
    fn channel(
        network: &Network<Self>,
        observations: &[Observation<Self>],
        targets: &[Affine<Self>],
        options: &Options,
    ) -> Result<Channel<Self::Wide>, posterior::Refusal<Self>>;

    /// See [`elimination::eliminate`].
    fn eliminate(
        network: &Network<Self>,
        model: &mut ChoiceModel<Self>,
        options: &Options,
    ) -> Result<Eliminated<Self>, elimination::Refusal<Self>>;
}

macro_rules! compile_stages {
    ($scalar:ty) => {
        impl Stages for $scalar {
            #[inline(never)]
            fn evaluate(program: &Program, inputs: &Inputs) -> Result<Model<Self>, Vec<Diagnostic>> {
                evaluate::evaluate(program, inputs)
            }

            #[inline(never)]
            fn replay(recording: &Recording, inputs: &Inputs) -> Result<Model<Self>, Vec<Diagnostic>> {
                evaluate::replay(recording, inputs)
            }

            #[inline(never)]
            fn evaluate_release(
                program: &Program,
                tables: &[(String, Table)],
                secrets: &[SecretColumn],
                limits: &Limits,
                cancelled: Option<Arc<AtomicBool>>,
                follows_doubles: bool,
                groups: Option<&GroupTable>,
            ) -> Result<Published<Self>, Vec<Diagnostic>> {
                evaluate::evaluate_release(program, tables, secrets, limits, cancelled, follows_doubles, groups)
            }

            #[inline(never)]
            fn condition(
                network: &Network<Self>,
                observations: &[Observation<Self>],
                targets: &[Affine<Self>],
                options: &Options,
            ) -> Result<Posterior<Self>, posterior::Refusal<Self>> {
                posterior::condition(network, observations, targets, options)
            }

            #[inline(never)]
            fn survey(
                network: &Network<Self>,
                observations: &[Observation<Self>],
                targets: &Variables<Self>,
                options: &Options,
                prepared: &mut Prepared<Self>,
            ) -> Result<Survey<Self>, posterior::Refusal<Self>> {
                posterior::survey_prepared(network, observations, targets, options, prepared)
            }

            #[inline(never)]
            fn explain(
                network: &Network<Self>,
                observations: &[Observation<Self>],
                targets: &[Affine<Self>],
                options: &Options,
                prepared: &mut Prepared<Self>,
            ) -> Result<Vec<TargetOutcome<Self>>, posterior::Refusal<Self>> {
                posterior::explain(network, observations, targets, options, prepared)
            }

            #[inline(never)]
            fn channel(
                network: &Network<Self>,
                observations: &[Observation<Self>],
                targets: &[Affine<Self>],
                options: &Options,
            ) -> Result<Channel<Self::Wide>, posterior::Refusal<Self>> {
                posterior::channel(network, observations, targets, options)
            }

            #[inline(never)]
            fn eliminate(
                network: &Network<Self>,
                model: &mut ChoiceModel<Self>,
                options: &Options,
            ) -> Result<Eliminated<Self>, elimination::Refusal<Self>> {
                elimination::eliminate(network, model, options)
            }
        }
    };
}

compile_stages!(f64);
compile_stages!(Exact);
