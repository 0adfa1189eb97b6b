//! Results for people and for programs: one file for each format.

mod audit;
mod choices;
mod comparison;
mod escape;
pub mod html;
mod json;
mod notes;
pub mod plot;
mod sweep;
mod text;
mod verification;

pub use audit::{
    PeopleWriter, audit_plot, audit_to_json, audit_to_text, reason_sentence, write_groups_csv, write_groups_parquet,
    write_people_csv, write_people_parquet,
};
pub use choices::{channel_to_csv, channel_to_json, channel_to_text};
pub use comparison::{comparison_plot, comparison_to_json, comparison_to_text};
pub use json::{AnalysisJson, to_json, to_json_text};
pub use notes::{sentence, sentences};
pub use privug_language::words::{number, number_near};
use privug_language::words::{shortened, three_digits};
pub use sweep::{calibration_to_json, calibration_to_text, sweep_plot, sweep_to_csv, sweep_to_json, sweep_to_text};
pub use text::{Palette, SketchStyle, to_text};
pub use verification::verification_to_text;
