//! The pages that are made from code are up to date.

use super::Part;
use crate::pages;

pub const PART: Part = Part {
    name: "pages",
    about: "the pages made from code are up to date",
    run: |context| pages::check(context).into(),
};
