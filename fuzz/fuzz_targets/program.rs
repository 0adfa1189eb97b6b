//! The whole line on any bytes: program text to report.

#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use privug::analysis::Request;

fuzz_target!(|bytes: &[u8]| {
    let exact = bytes.first() == Some(&b'!');
    let text = String::from_utf8_lossy(if exact { &bytes[1..] } else { bytes });
    common::run(&common::limited(Request { exact, ..Request::new("program.py", text) }));
});
