//! Result files: drawn, written whole, refused with a word.

use std::fs;
use std::path::PathBuf;

use crate::run::privug;

const CASE_1: &str = "programs/public_statistics/case1.py";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn plots_are_written_as_their_ending_says() {
    let folder = folder("plots");
    let commands: [&[&str]; 3] = [
        &["analyze", CASE_1, "--quiet"],
        &["compare", CASE_1, "programs/public_statistics/dp_case1.py", "--quiet"],
        &["sweep", "programs/mechanism.py", "epsilon=0.1..1", "--steps", "3"],
    ];
    for command in commands {
        for (ending, start) in [("svg", &b"<svg"[..]), ("png", &b"\x89PNG"[..])] {
            let path = folder.join(format!("{}.{ending}", command[0]));
            let mut arguments = command.to_vec();
            let text = path.to_str().expect("a path");
            arguments.extend(["--plot", text]);
            let run = privug(&arguments);
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{arguments:?}");
            let bytes = fs::read(&path).expect("a file");
            assert!(bytes.starts_with(start) || bytes.windows(start.len()).take(200).any(|part| part == start));
        }
    }
    let left: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 6, "nothing else is left behind: {left:?}");
}

#[test]
fn files_that_cannot_be_written_are_refused_and_leave_nothing() {
    let folder = folder("unwritable");
    let odd = folder.join("plot.gif");
    let run = privug(&["analyze", CASE_1, "--quiet", "--plot", odd.to_str().expect("a path")]);
    assert_eq!(run.code, Some(2));
    let missing = folder.join("missing/plot.svg");
    let run = privug(&["analyze", CASE_1, "--quiet", "--plot", missing.to_str().expect("a path")]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("cannot be written"), "{}", run.stderr);
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
}
