//! The table of `docs/proofs/README.md` is true: each bound has a page, a function that links to it, and tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::architecture::rust_files;

/// Adds what is wrong with the table.
pub fn check(root: &Path, reasons: &mut Vec<String>) {
    let folder = root.join("docs/proofs");
    let table = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
    let sources: String =
        rust_files(&root.join("crates")).iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
    let mut listed = BTreeSet::new();
    for line in table.lines().filter(|line| line.starts_with("| [")) {
        match row(line) {
            Some(row) => {
                let text = fs::read_to_string(root.join(row.file)).unwrap_or_default();
                reasons.extend(wrong(&row, &text, &sources).map(|reason| format!("docs/proofs/README.md: {reason}")));
                listed.insert(row.page.to_owned());
            }
            None => reasons.push(format!("docs/proofs/README.md: this row names no function or no test: {line}")),
        }
    }
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != "README.md" && !listed.remove(&name) {
            reasons.push(format!("docs/proofs/README.md does not list {name}"));
        }
    }
    reasons.extend(listed.iter().map(|name| format!("docs/proofs/{name} does not exist")));
}

/// ``| [page.md](page.md) | bound | `file` `function` | `test`, `test` | certain? |``
struct Row<'a> {
    page: &'a str,
    file: &'a str,
    function: &'a str,
    tests: Vec<&'a str>,
}

fn row(line: &str) -> Option<Row<'_>> {
    let cells: Vec<&str> = line.split(" | ").collect();
    let [page, _, function, tests, _] = cells[..] else { return None };
    let quoted = |cell: &'_ str| -> Vec<std::ops::Range<usize>> {
        let marks: Vec<usize> = cell.match_indices('`').map(|(at, _)| at).collect();
        marks.chunks_exact(2).map(|pair| pair[0] + 1..pair[1]).collect()
    };
    let [file, name] = quoted(function).try_into().ok()?;
    let tests: Vec<&str> = quoted(tests).into_iter().map(|range| &tests[range]).collect();
    let page = page.split_once("](")?.1.strip_suffix(')')?;
    (!tests.is_empty()).then_some(Row { page, file: &function[file], function: &function[name], tests })
}

fn wrong<'a>(row: &'a Row<'a>, text: &'a str, sources: &'a str) -> impl Iterator<Item = String> + 'a {
    let defines = |text: &str, kinds: &[&str], name: &str| {
        kinds.iter().any(|kind| {
            text.match_indices(&format!("{kind} {name}")).any(|(at, found)| {
                !text[at + found.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
            })
        })
    };
    let function = (!defines(text, &["fn", "struct", "const"], row.function))
        .then(|| format!("{} has no `{}`", row.file, row.function));
    let link = (!text.contains(&format!("docs/proofs/{}", row.page)))
        .then(|| format!("{} does not link to {}", row.file, row.page));
    let tests = row.tests.iter().filter(move |test| !defines(sources, &["fn"], test));
    function.into_iter().chain(link).chain(tests.map(|test| format!("there is no test `{test}`")))
}

#[cfg(test)]
mod reading {
    use super::*;

    const ROW: &str = "| [a.md](a.md) | a bound | `crates/a.rs` `bound` | `it_holds` | yes |";

    #[test]
    fn a_row_that_is_true_has_nothing_wrong() {
        let row = row(ROW).expect("a row");
        assert_eq!(
            (row.page, row.file, row.function, &row.tests[..]),
            ("a.md", "crates/a.rs", "bound", &["it_holds"][..])
        );
        let text = "/// See `docs/proofs/a.md`.\nfn bound() {}\n";
        assert_eq!(wrong(&row, text, "fn it_holds() {}").count(), 0);
    }

    #[test]
    fn a_missing_function_link_or_test_is_found() {
        let row = row(ROW).expect("a row");
        assert_eq!(wrong(&row, "fn bounded() {}", "fn it_holds_not() {}").count(), 3);
        assert!(super::row("| [a.md](a.md) | a bound | `bound` | | yes |").is_none());
    }
}
