//! The known name nearest to a misspelt one.

/// The candidate with the fewest edits from `name`, if it is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer names are not typed by hand, and the distance costs the product of the lengths.
    const MAX_LENGTH: usize = 64;
    if name.len() > MAX_LENGTH {
        return None;
    }
    // Of one or two letters any other name is one edit away.
    let length = name.chars().count();
    let limit = if length < 3 { 0 } else { (length / 3).max(1) };
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= MAX_LENGTH && *candidate != name)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The names there are, for a hint: `its parameters are a, b`; of many only the first.
pub fn listed(one: &str, many: &str, names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(AsRef::as_ref).collect();
    let words = if let [_] = names { one } else { many };
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{words} {}{more}", shown.join(", "))
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(&a.to_lowercase(), &b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_one_that_may_have_been_meant() {
        let names = ["Normal", "condition", "average", "total"];
        assert_eq!(nearest("normal", names), Some("Normal"));
        assert_eq!(nearest("averge", names), Some("average"));
        assert_eq!(nearest("conditoin", names), Some("condition"));
        assert_eq!(nearest("x", names), None);
        assert_eq!(nearest("income", names), None);
        assert_eq!(nearest("z", ["x", "y"]), None);
    }

    #[test]
    fn one_name_and_several_are_listed_as_people_do() {
        assert_eq!(listed("it is", "they are", &["a"]), "it is a");
        assert_eq!(listed("it is", "they are", &["a", "b"]), "they are a, b");
        assert!(listed("it is", "they are", &["x"; 13]).ends_with("x, …"));
    }
}
