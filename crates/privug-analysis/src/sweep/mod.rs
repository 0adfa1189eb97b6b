//! The same analysis for many values of a parameter, and the search for the value that just meets a requirement.

mod axis;
mod calibrate;
mod grid;

pub use axis::{Axis, Scale};
pub use calibrate::{Calibrated, Outcome, calibrate, search};
pub use grid::{Point, Sweep, sweep};
