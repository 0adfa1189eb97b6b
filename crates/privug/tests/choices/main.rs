//! Programs with choices: the language word by word, conditioning, thresholds of Gaussians, and hostile programs.

mod conditioning;
mod containers;
mod counts;
mod gaussian;
mod hostile;
mod language;
mod orders;
mod support;
mod tallies;
