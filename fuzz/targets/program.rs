//! The whole line on any bytes: program text to report.

use privug::analysis::Request;

/// Answers or refuses what the bytes say.
pub fn run(bytes: &[u8]) {
    let exact = bytes.first() == Some(&b'!');
    let text = String::from_utf8_lossy(if exact { &bytes[1..] } else { bytes });
    super::analyse(&super::limited(Request { exact, ..Request::new("program.py", text) }));
}
