//! The documentation names everything that the program can print.

use privug::leakage::MEASURES;

#[test]
fn the_measures_page_explains_every_measure() {
    let page = include_str!("../../../docs/measures.md");
    for measure in MEASURES {
        // The nine probabilities of being near the truth are written as a range.
        let named = page.contains(measure.name) || measure.name.starts_with("truth_within");
        assert!(named, "docs/measures.md does not mention `{}`", measure.name);
    }
}
