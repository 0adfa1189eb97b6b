//! What a run may still use up: steps, elements, digits, and whether anybody still waits for its result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Limits;
use super::fault::{Fault, Outcome};
use privug_language::diagnostic::Code;

/// Going through a text costs a step for so many bytes.
pub(super) const BYTES_PER_STEP: u64 = 8;
/// Computing with long integers costs a step for so many products of two digits of 64 bits.
const WORDS_PER_STEP: u64 = 4;

/// The limits of a run, and how much of them is used up.
pub(super) struct Budget {
    pub(super) limits: Limits,
    pub(super) steps: u64,
    elements: u64,
    cancelled: Option<Arc<AtomicBool>>,
}

impl Budget {
    pub(super) fn new(limits: Limits, cancelled: Option<Arc<AtomicBool>>) -> Self {
        Budget { limits, steps: 0, elements: 0, cancelled }
    }

    /// Counts work that no instruction of its own stands for.
    pub(super) fn spend_steps(&mut self, count: u64) -> Outcome<()> {
        self.steps = self.steps.saturating_add(count);
        if self.steps > self.limits.steps {
            let message = format!("the program takes more than {} steps", self.limits.steps);
            return Err(Fault::hinted(Code::StepLimit, message, "is a loop too long? raise it with `--max-steps`"));
        }
        Ok(())
    }

    /// Counts going through a text.
    pub(super) fn spend_bytes_of_text(&mut self, bytes: usize) -> Outcome<()> {
        self.spend_steps(bytes as u64 / BYTES_PER_STEP)
    }

    /// Counts a product or quotient of integers with so many bits: that of long ones takes less than bit by bit.
    pub(super) fn spend_product(&mut self, a: usize, b: usize) -> Outcome<()> {
        let (short, long) = (a.min(b) as u64 / 64, a.max(b) as u64 / 64);
        if short == 0 {
            return self.spend_steps(long / WORDS_PER_STEP);
        }
        let words = long as f64 * (short as f64).powf(0.6);
        self.spend_steps(words as u64 / WORDS_PER_STEP)
    }

    pub(super) fn check_cancelled(&self) -> Outcome<()> {
        match &self.cancelled {
            Some(flag) if flag.load(Ordering::Relaxed) => {
                Err(Fault::new(Code::Cancelled, "the analysis was cancelled"))
            }
            _ => Ok(()),
        }
    }

    /// Counts elements of lists before they are made.
    pub(super) fn spend_elements(&mut self, count: u64) -> Outcome<()> {
        let fits = self.check_elements(count);
        self.elements = self.elements.saturating_add(count);
        fits
    }

    /// Makes sure that so many elements would still fit, before they are made.
    pub(super) fn check_elements(&self, count: u64) -> Outcome<()> {
        if self.elements.saturating_add(count) > self.limits.elements {
            let message = format!("the program's lists and strings have more than {} elements", self.limits.elements);
            let hint = "is something longer than intended? raise it with `--max-elements`";
            return Err(Fault::hinted(Code::SizeLimit, message, hint));
        }
        Ok(())
    }

    /// Counts one element, if the budget allows it.
    #[inline(always)]
    pub(super) fn try_spend_element(&mut self) -> bool {
        let is_left = self.elements < self.limits.elements;
        self.elements += u64::from(is_left);
        is_left
    }

    /// Gives elements back that were freed.
    pub(super) fn give_back_elements(&mut self, count: u64) {
        self.elements = self.elements.saturating_sub(count);
    }

    /// Makes sure that a number is not too long.
    pub(super) fn check_bits(&self, bits: usize) -> Outcome<()> {
        if bits > self.limits.number_bits {
            let message = format!("a number has {bits} bits; at most {} are allowed", self.limits.number_bits);
            return Err(Fault::hinted(Code::NumberLimit, message, "raise it with `--max-bits`"));
        }
        Ok(())
    }

    /// Makes sure that a run may have so many random variables.
    pub(super) fn check_variables(&self, count: u64) -> Outcome<()> {
        if count > self.limits.variables {
            let message = format!("the program makes more than {} random variables", self.limits.variables);
            return Err(Fault::hinted(Code::VariableLimit, message, "raise it with `--max-variables`"));
        }
        Ok(())
    }
}
