//! The whole line in one call: [`Request`] in, [`Analysis`] out. Every front end goes through here.

mod assemble;
mod choices;
mod line;
mod measure;
mod notes;
mod options;
mod prior;
mod request;
mod requirement;
mod result;
mod run;
mod secrets;
mod verify;
mod worlds;
mod written;

pub use choices::{
    Belief, Chance, Channel, ChannelOutput, ChoiceOutput, ChoiceSecret, Choices, GaussianOutput, KnownChoice, Part,
    PlainValue,
};
pub(crate) use measure::{knowledge, leaks_by_output};
pub use notes::{Furthest, Inconclusive, Names, Note};
pub use prior::PriorCheck;
pub use request::{
    Binding, BindingKind, GainRequest, GainTable, Observed, Operand, Request, Required, Tolerance, Truth, WorkLimits,
    Written,
};
pub use result::{
    Analysis, Arithmetic, Composition, CovarianceMatrices, ExactNumbers, JointMeasures, ObservationResult, OutputLeak,
    OutputResult, RequirementResult, SecretResult, Status,
};
pub(crate) use run::Compiled;
#[doc(hidden)]
pub use run::analyze_again;
pub use run::{Questions, analyze, analyze_recording, check};
pub use secrets::{Known, Secrets};
pub use verify::{Verification, verify};
