//! The documentation names everything that the program can print.

use privug::analysis::WorkLimits;
use privug::channel::CHANNEL_MEASURES;
use privug::evaluate::Limits;
use privug::leakage::MEASURES;

#[test]
fn the_measures_page_explains_every_measure() {
    let page = include_str!("../../../docs/measures.md");
    for measure in MEASURES.iter().chain(CHANNEL_MEASURES) {
        // The nine probabilities of being near the truth are written as a range.
        let named = page.contains(measure.name) || measure.name.starts_with("truth_within");
        assert!(named, "docs/measures.md does not mention `{}`", measure.name);
    }
}

#[test]
fn the_limits_page_states_every_default() {
    let page = include_str!("../../../docs/limits.md");
    let (limits, work) = (Limits::default(), WorkLimits::default());
    let defaults = [
        limits.steps,
        limits.variables,
        limits.elements,
        u64::from(limits.depth),
        limits.number_bits as u64,
        work.cells,
        work.operations,
    ];
    for default in defaults {
        let text = spaced(default);
        assert!(page.contains(&text), "docs/limits.md does not mention {text}");
    }
}

/// 1048576 as `1 048 576`.
fn spaced(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
