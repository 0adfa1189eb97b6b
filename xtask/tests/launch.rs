//! What the benchmarks say about memory is the memory of the program that they measure.

use std::process::Command;

use serde_json::Value;

#[test]
fn the_peak_of_a_launched_process_is_its_own() {
    // Linux would count this as the peak of whatever is started directly from here.
    let ballast = vec![1u8; 300_000_000];
    let usage = std::env::temp_dir().join(format!("privug-launch-{}.json", std::process::id()));
    let mut launcher = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = launcher.arg("launch").arg(&usage).args(["sh", "-c", "echo 7; exit 3"]).output();
    let output = output.expect("the launcher starts");
    let found = std::fs::read_to_string(&usage).expect("the launcher leaves what was used");
    let _ = std::fs::remove_file(&usage);
    let found: Value = serde_json::from_str(&found).expect("the launcher writes JSON");
    assert!(ballast.iter().all(|byte| *byte == 1));
    assert_eq!((output.stdout.as_slice(), &found["exit_code"]), (b"7\n".as_slice(), &Value::from(3)));
    let peak = found["peak_bytes"].as_u64().expect("a number of bytes");
    assert!((100_000..100_000_000).contains(&peak), "{peak} bytes");
}
