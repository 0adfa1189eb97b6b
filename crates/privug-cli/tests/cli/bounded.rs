//! What a run may use up, from outside: memory under every budget, and Ctrl-C at any time.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::run::{Run, command, root};

/// A folder for this test alone, empty.
fn empty_folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It need not exist yet.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Runs a program with this much address space, in kilobytes.
fn within(kilobytes: u64, program: &str, arguments: &str) -> Run {
    let folder = empty_folder(&format!("bounded-{kilobytes}-{}", arguments.replace([' ', '-'], "")));
    let path = folder.join("program.py");
    fs::write(&path, program).expect("the program is written");
    let binary = env!("CARGO_BIN_EXE_privug");
    let script = format!("ulimit -v {kilobytes}; exec '{binary}' analyze '{}' --json {arguments}", path.display());
    let output = Command::new("sh").args(["-c", &script]).current_dir(root()).output();
    output.expect("a shell starts").into()
}

/// The stack for deep syntax trees, half a gigabyte, is reserved and not used; the rest is for the program.
const ADDRESS_SPACE: u64 = 2_000_000;

#[test]
fn a_budget_is_used_up_before_the_memory_that_goes_with_it() {
    let programs = [
        (
            "P601",
            "--max-steps 5_000_000",
            "    xs = []\n    for i in range(1_000_000):\n        for j in range(1_000_000):\n            xs = [xs, i]\n",
        ),
        (
            "P602",
            "--max-variables 2_000_000",
            "    x = Normal(0, 1)\n    for i in range(100_000_000):\n        x = x + Normal(i, 1)\n",
        ),
        ("P603", "--max-elements 2_000_000", "    xs = []\n    for i in range(100_000_000):\n        xs.append(i)\n"),
        ("P603", "--max-elements 2_000_001", "    xs = [[0] for i in range(100_000_000)]\n"),
        ("P604", "--max-depth 500", "    return count(10_000)\n\ndef count(n):\n    return 1 + count(n - 1)\n"),
        ("P605", "--max-bits 100_000", "    n = 3\n    for i in range(1_000):\n        n = n * n\n"),
        ("P605", "--exact --max-bits 100_000", "    n = 1 / 3\n    for i in range(1_000):\n        n = n * n\n"),
    ];
    for (code, arguments, body) in programs {
        let run = within(
            ADDRESS_SPACE,
            &format!("def main():\n{body}    return Normal(0, 1)\n"),
            &arguments.replace('_', ""),
        );
        assert_eq!((run.code, run.codes()), (Some(1), vec![code.to_owned()]), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn ctrl_c_ends_a_run_and_leaves_no_file_behind() {
    let folder = empty_folder("interrupted");
    let program = folder.join("program.py");
    let text = "def main():\n    n = 0\n    for i in range(10**12):\n        n = n + i\n    return Normal(n, 1)\n";
    fs::write(&program, text).expect("the program is written");
    let (page, plot) = (folder.join("page.html"), folder.join("plot.svg"));
    let arguments = [
        "analyze",
        program.to_str().expect("UTF-8"),
        "--max-steps",
        "1000000000000000",
        "--html",
        page.to_str().expect("UTF-8"),
        "--plot",
        plot.to_str().expect("UTF-8"),
    ];
    let mut child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("privug starts");
    // Long enough to be in the loop; if it were not, Ctrl-C would still have to end it.
    thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().expect("a status").is_none(), "the program ended by itself");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let left: Vec<_> =
        fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left, ["program.py"]);
}
