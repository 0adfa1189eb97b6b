//! Files that are not programs, standard input, and readers that go away.

use std::io::Read;
use std::process::Stdio;

use crate::run::{command, privug, privug_with_input};

const CASE_1: &str = "programs/public_statistics/case1.py";

#[test]
fn a_missing_file_and_a_directory_cannot_be_read() {
    for path in ["no_such_file.py", "programs", "no_such_folder/case1.py"] {
        let run = privug(&["analyze", path, "--json"]);
        assert_eq!((run.code, run.codes()), (Some(1), vec!["P001".to_owned()]), "{path}");
        assert!(run.stderr.contains(path) && run.stderr.contains("cannot be read"), "{}", run.stderr);
    }
}

#[test]
fn what_is_not_text_is_refused() {
    assert_eq!(privug_with_input(&["check", "-", "--json"], b"def main():\n\0\n").codes(), ["P003"]);
    assert_eq!(privug_with_input(&["check", "-", "--json"], b"x = '\xff\xfe'\n").codes(), ["P002"]);
    let binary = env!("CARGO_BIN_EXE_privug");
    assert_eq!(privug(&["check", binary, "--json"]).codes(), ["P003"]);
}

#[test]
fn an_empty_file_has_no_function() {
    for text in [&b""[..], b"\n\n", b"# only a comment", b"\xef\xbb\xbf"] {
        assert_eq!(privug_with_input(&["analyze", "-", "--json"], text).codes(), ["P008"]);
    }
}

#[test]
fn a_byte_order_mark_and_windows_line_breaks_are_no_errors() {
    let text = b"\xef\xbb\xbfdef main():\r\n    x = Normal(0, 1)\r\n    return x\r\n";
    let run = privug_with_input(&["analyze", "-", "--json"], text);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn tabs_mixed_with_spaces_are_refused() {
    let text = b"def main():\n    x = Normal(0, 1)\n\treturn x\n";
    let run = privug_with_input(&["analyze", "-", "--json"], text);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.codes()[0], "P004");
}

#[test]
fn a_dash_reads_standard_input() {
    let text = std::fs::read(crate::run::root().join(CASE_1)).expect("case 1");
    let run = privug_with_input(&["analyze", "-", "--json"], &text);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.json()["program"], serde_json::json!({"path": "-", "function": "agg"}));
    assert_eq!(run.json()["posterior"]["mean"], serde_json::json!([483_000.0]));
}

#[test]
fn a_function_can_be_named_behind_the_file() {
    let file = "crates/privug-cli/tests/refused/P010_ambiguous.py";
    let ambiguous = privug(&["analyze", file, "--json"]);
    assert_eq!((ambiguous.code, ambiguous.codes()), (Some(1), vec!["P010".to_owned()]));
    assert!(ambiguous.stderr.contains("first, second"), "{}", ambiguous.stderr);
    for (function, mean) in [("first", 1.0), ("second", 2.0)] {
        let run = privug(&["analyze", &format!("{file}:{function}"), "--json"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.json()["posterior"]["mean"], serde_json::json!([mean]));
    }
    // Which function is meant does not matter when nothing is run.
    assert_eq!(privug(&["check", file]).code, Some(0));
    let main = b"def helper():\n    return 1\n\n\ndef main():\n    return Normal(helper(), 1)\n";
    assert_eq!(privug_with_input(&["analyze", "-", "--json"], main).json()["program"]["function"], "main");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    // Without a reader the first write fails; with one that leaves after a byte, a later one does.
    let many = "def main():\n    return Normal(0, 1, size=2000)\n";
    let file = std::env::temp_dir().join(format!("privug-many-{}.py", std::process::id()));
    std::fs::write(&file, many).expect("a temporary file");
    let path = file.display().to_string();
    for arguments in [&["analyze", CASE_1][..], &["analyze", &path, "--json"], &["explain"]] {
        let mut child =
            command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("privug starts");
        let mut stdout = child.stdout.take().expect("a pipe");
        if arguments[0] == "analyze" {
            let mut first = [0];
            stdout.read_exact(&mut first).expect("a byte");
        }
        drop(stdout);
        let output = child.wait_with_output().expect("privug ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert_eq!((output.status.code(), stderr.as_ref()), (Some(0), ""), "{arguments:?}");
    }
    std::fs::remove_file(file).expect("the temporary file");
}

#[test]
fn a_page_says_which_command_made_it() {
    let file = std::env::temp_dir().join(format!("privug page {}.html", std::process::id()));
    let path = file.to_str().expect("a name");
    for (arguments, said) in [
        (vec!["analyze", CASE_1, "--quiet"], "privug analyze programs/public_statistics/case1.py --quiet --html"),
        (vec!["compare", CASE_1, "programs/public_statistics/dp_case1.py"], "What 2 releases reveal about "),
        (vec!["sweep", CASE_1, "x=1..2"], ""),
    ] {
        let run = command(&arguments).args(["--html", path]).env("SOURCE_DATE_EPOCH", "951782400").output();
        let run = run.expect("the program starts");
        let page = std::fs::read_to_string(&file).unwrap_or_default();
        let _ = std::fs::remove_file(&file);
        // A program that is refused leaves no page behind.
        assert_eq!(run.status.code(), Some(i32::from(said.is_empty())));
        assert_eq!(page.is_empty(), said.is_empty());
        assert!(page.contains(said) && (page.is_empty() || page.contains("2000-02-29 00:00 UTC")), "{said}");
    }
    let refused = privug(&["analyze", CASE_1, "--quiet", "--html", "no_such_folder/page.html"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("cannot be written"), "{}", refused.stderr);
}
