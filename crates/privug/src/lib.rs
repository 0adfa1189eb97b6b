//! Privug tells how much a data-analysis program reveals about the people in its data.
//!
//! ```
//! use privug::analysis::{Binding, BindingKind, Observed, Request, analyze};
//!
//! let mut request = Request::new("average.py", "def average(ages):\n    return sum(ages) / len(ages)\n");
//! request.bindings = vec![Binding::read(BindingKind::Prior, "ages=[Normal(35, 4) for _ in range(100)]").expect("a binding")];
//! request.secrets = vec!["ages[0]".into()];
//! request.observations = vec![Observed::read("44±0.1").expect("a value")];
//! let analysis = analyze(&request).expect("an analysis");
//! let secret = analysis.secrets.get(0);
//! assert!((secret.posterior_mean - 42.2).abs() < 1e-12);
//! assert!((secret.knowledge.posterior_variance - 3.968).abs() < 1e-12);
//! ```
//!
//! The stages, in the order in which data goes through them:
//!
//! | stage | in | out |
//! |---|---|---|
//! | [`syntax`] | text | syntax tree |
//! | [`program`] | syntax tree | checked [`program::Program`] |
//! | [`evaluate`] | program | [`evaluate::Model`]: a [`network`] and what was observed of it |
//! | [`posterior`] | network and observations | [`posterior::Posterior`] |
//! | [`leakage`] | prior and posterior | measures of what was learned |
//! | [`report`] | analysis | text, JSON, plots |
//!
//! [`analysis`] runs them all; [`query`] answers questions, [`compare`] and [`sweep`] run many analyses, [`mechanism`]
//! calibrates noise, [`audit`] looks at a whole [`table`] of people. [`number`] has the arithmetics, [`source`] and
//! [`diagnostic`] what users read when something is wrong.

pub mod internal;

pub use privug_analysis::{analysis, audit, compare, forms, query, sweep};
pub use privug_engine::{evaluate, mechanism, network, number, posterior, stages};
pub use privug_language::{diagnostic, program, source, syntax};
pub use privug_measures::{channel, leakage};
pub use privug_reports::report;
pub use privug_tables::{register, table};
