//! The rules of `ARCHITECTURE.md` hold: read from the imports, not from good intentions.
//!
//! Crates and the modules inside them are stages in an order; an import that points back is a failure. The page shows
//! the graph that the imports make, between two marks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::{Outcome, Part};

pub const PART: Part = Part {
    name: "architecture",
    about: "imports point one way, and ARCHITECTURE.md shows them as they are",
    run: |context| match check(&context.root) {
        Ok(()) => Outcome::Passed,
        Err(reasons) => Outcome::Failed(reasons.join("\n")),
    },
};

/// The crates, each with its modules: what comes later may import what comes earlier, and nothing else.
const STAGES: &[(&str, &[&str])] = &[
    ("privug-tables", &["table", "register"]),
    ("privug-language", &["words", "source", "diagnostic", "syntax", "program", "question"]),
    (
        "privug-engine",
        &[
            "sorting",
            "threads",
            "number",
            "gaussian",
            "mechanism",
            "network",
            "choices",
            "counts",
            "sums",
            "posterior",
            "evaluate",
            "elimination",
            "stages",
        ],
    ),
    ("privug-measures", &["leakage", "channel"]),
    ("privug-analysis", &["driver", "query", "analysis", "compare", "sweep", "forms", "audit"]),
    ("privug-reports", &["report"]),
    ("privug", &["internal"]),
];

/// A text that only some crates may contain, and why.
const CONFINED: &[(&str, &[&str], &str)] = &[
    ("ruff_python", &["privug-language"], "the parser's types stay behind one boundary"),
    ("std::fs", &["privug-tables"], "only the reader of tables opens files"),
    ("File::open", &["privug-tables"], "only the reader of tables opens files"),
    ("println!", &[], "the library prints nothing"),
    ("static mut", &[], "the library has no globals"),
    ("process::exit", &[], "the library does not end the program"),
    ("process::abort", &[], "the library does not end the program"),
    ("process::Command", &[], "the library starts no other program"),
];

const BEGIN: &str = "<!-- imports: written by `cargo xtask docs` -->\n";
const END: &str = "<!-- end of imports -->\n";

/// What a crate imports: its own modules by module, and other crates.
type Imports = BTreeMap<String, BTreeSet<String>>;

fn check(root: &Path) -> Result<(), Vec<String>> {
    let mut reasons = Vec::new();
    let imports = all_imports(root, &mut reasons);
    back_edges(&imports, &mut reasons);
    confined(root, &mut reasons);
    walks(root, &mut reasons);
    super::proofs::check(root, &mut reasons);
    match fs::read_to_string(root.join("ARCHITECTURE.md")) {
        Ok(page) if with_graph(&page, &graph(&imports)).as_deref() == Some(&page) => {}
        Ok(_) => {
            reasons.push("ARCHITECTURE.md does not show the imports as they are: run `cargo xtask docs`".to_owned())
        }
        Err(error) => reasons.push(format!("ARCHITECTURE.md cannot be read: {error}")),
    }
    if reasons.is_empty() { Ok(()) } else { Err(reasons) }
}

/// A way through the code may have so many functions: more than that nobody follows.
const MOST_HOPS: usize = 25;

/// The functions that `ARCHITECTURE.md` leads a reader through exist, and are not too many.
fn walks(root: &Path, reasons: &mut Vec<String>) {
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap_or_default();
    let walks: Vec<&str> = page
        .split("<!-- walk -->\n")
        .skip(1)
        .filter_map(|text| Some(text.split_once("<!-- end of walk -->")?.0))
        .collect();
    if walks.len() != 2 {
        reasons.push("ARCHITECTURE.md walks through one program and one audit, between its marks".to_owned());
    }
    for walk in walks {
        let hops: Vec<&str> = walk.lines().filter(|line| !line.is_empty()).collect();
        if hops.len() > MOST_HOPS {
            reasons.push(format!("ARCHITECTURE.md walks through {} functions, more than {MOST_HOPS}", hops.len()));
        }
        for (place, hop) in hops.iter().enumerate() {
            if let Err(reason) = check_hop(root, place + 1, hop) {
                reasons.push(format!("ARCHITECTURE.md: {hop}: {reason}"));
            }
        }
    }
}

/// ``3. `crates/…/request.rs` `from_arguments`: what it does``
fn check_hop(root: &Path, place: usize, hop: &str) -> Result<(), String> {
    let parts: Vec<&str> = hop.splitn(5, '`').collect();
    let [number, file, " ", function, _] = parts[..] else { return Err("it names no file and function".to_owned()) };
    if number != format!("{place}. ") {
        return Err(format!("it is number {place}"));
    }
    let text = fs::read_to_string(root.join(file)).map_err(|error| error.to_string())?;
    let is_there = ["(", "<"].iter().any(|next| text.contains(&format!("fn {function}{next}")));
    if is_there { Ok(()) } else { Err("there is no such function".to_owned()) }
}

/// `ARCHITECTURE.md` with the graph of the imports as they are.
pub fn page(root: &Path) -> Result<String, String> {
    let mut reasons = Vec::new();
    let imports = all_imports(root, &mut reasons);
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).map_err(|error| error.to_string())?;
    with_graph(&page, &graph(&imports)).ok_or_else(|| "ARCHITECTURE.md has no marks for the imports".to_owned())
}

fn with_graph(page: &str, graph: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}{graph}{END}{after}"))
}

/// The modules of all crates with what they import: `privug-engine/posterior` to `privug-engine/network`.
fn all_imports(root: &Path, reasons: &mut Vec<String>) -> Imports {
    let mut imports = Imports::new();
    for (name, modules) in STAGES {
        let source = root.join("crates").join(name).join("src");
        let mut seen = BTreeSet::new();
        for path in rust_files(&source) {
            let relative = path.strip_prefix(&source).unwrap_or(&path);
            let first = relative.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
            let module = first.unwrap_or_default().trim_end_matches(".rs").to_owned();
            if module == "lib" {
                continue;
            }
            seen.insert(module.clone());
            if !modules.contains(&module.as_str()) {
                reasons.push(format!("`{module}` of {name} has no place in the order of stages"));
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let found = imports.entry(format!("{name}/{module}")).or_default();
            found.extend(imported(&text, name).into_iter().filter(|other| *other != format!("{name}/{module}")));
        }
        for missing in modules.iter().filter(|module| !seen.contains(**module)) {
            reasons.push(format!("{name} has no module `{missing}`"));
        }
    }
    imports
}

/// The modules that a text names, by `crate::module` and `privug_other::module`.
fn imported(text: &str, own: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for (name, _) in STAGES {
            let marks = [format!("{}::", name.replace('-', "_")), "crate::".to_owned()];
            let marks = if *name == own { &marks[..] } else { &marks[..1] };
            for mark in marks {
                for (at, _) in line.match_indices(mark.as_str()) {
                    let is_word = line[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
                    let rest = &line[at + mark.len()..];
                    let module: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    if !is_word && !module.is_empty() {
                        found.insert(format!("{name}/{module}"));
                    }
                }
            }
        }
    }
    found.retain(|module| order(module).is_some());
    found
}

/// Where a module stands in the order of stages.
fn order(module: &str) -> Option<(usize, usize)> {
    let (name, module) = module.split_once('/')?;
    let stage = STAGES.iter().position(|(stage, _)| *stage == name)?;
    let place = STAGES[stage].1.iter().position(|known| *known == module)?;
    Some((stage, place))
}

fn back_edges(imports: &Imports, reasons: &mut Vec<String>) {
    for (module, others) in imports {
        for other in others.iter().filter(|other| order(other) > order(module)) {
            reasons.push(format!("{module} imports {other}, which comes after it"));
        }
    }
}

fn confined(root: &Path, reasons: &mut Vec<String>) {
    for (name, _) in STAGES {
        // Tests may do what they like.
        let is_test =
            |path: &Path| path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("test"));
        for path in rust_files(&root.join("crates").join(name).join("src")).into_iter().filter(|path| !is_test(path)) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            let code = lines.collect::<Vec<_>>().join("\n");
            for (forbidden, allowed, why) in CONFINED {
                if code.contains(forbidden) && !allowed.contains(name) {
                    reasons.push(format!("{} contains `{forbidden}`: {why}", path.display()));
                }
            }
        }
    }
}

/// One line for each module, in the order of stages.
fn graph(imports: &Imports) -> String {
    let mut text = String::from("```text\n");
    let mut modules: Vec<&String> = imports.keys().collect();
    modules.sort_by_key(|module| order(module));
    let mut last = "";
    for module in modules {
        let (name, short) = module.split_once('/').unwrap_or((module, ""));
        if name != last {
            text.push_str(&format!("{name}\n"));
            last = name;
        }
        let mut others: Vec<&String> = imports[module].iter().collect();
        others.sort_by_key(|other| order(other));
        let others: Vec<&str> =
            others.iter().filter_map(|other| other.split_once('/')).map(|(_, short)| short).collect();
        let arrow = if others.is_empty() { String::new() } else { format!(" ─▶ {}", others.join(", ")) };
        text.push_str(&format!("  {short}{arrow}\n"));
    }
    text.push_str("```\n");
    text
}

pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod reading {
    use super::*;

    #[test]
    fn imports_are_found_wherever_they_stand() {
        let text = "use crate::network::{A, B};\n// crate::posterior\nlet x = privug_language::source::Span::START;\n";
        let found = imported(text, "privug-engine");
        let expected = ["privug-engine/network", "privug-language/source"].map(str::to_owned);
        assert_eq!(found, BTreeSet::from(expected));
    }

    #[test]
    fn an_import_that_points_back_is_a_reason_to_fail() {
        let edge = |from: &str, to: &str| BTreeMap::from([(from.to_owned(), BTreeSet::from([to.to_owned()]))]);
        let mut reasons = Vec::new();
        back_edges(&edge("privug-reports/report", "privug-engine/number"), &mut reasons);
        assert!(reasons.is_empty());
        back_edges(&edge("privug-engine/number", "privug-engine/posterior"), &mut reasons);
        back_edges(&edge("privug-analysis/audit", "privug-reports/report"), &mut reasons);
        assert_eq!(reasons.len(), 2);
    }
}
