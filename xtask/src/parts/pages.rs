//! The pages that are made from code are up to date.

use super::{Outcome, Part};
use crate::pages;

pub const PART: Part = Part {
    name: "pages",
    about: "the pages made from code are up to date",
    run: |context| match pages::check(context) {
        Ok(_) => Outcome::Passed,
        Err(reason) => Outcome::Failed(reason),
    },
};
