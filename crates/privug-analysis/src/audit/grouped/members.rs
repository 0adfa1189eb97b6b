//! The people of groups, one by one, for what depends on everybody's own value.

use std::fmt::Debug;

use privug_tables::register::Rows;

/// People who can be gone through.
pub trait Members: Debug + Send + Sync {
    /// Goes through everybody, some at a time. What went wrong is told in words.
    fn visit(&self, each: &mut dyn FnMut(&Rows)) -> Result<(), String>;
}

/// How the rule about nearness to the truth was applied to groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NearTruth {
    /// How many people were judged by a bound, because nobody's own value was there to look at.
    pub bounded: u64,
}
