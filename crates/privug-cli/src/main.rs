//! The `privug` program by itself, without Python.

use std::process::ExitCode;

fn main() -> ExitCode {
    privug_cli::run(std::env::args_os(), None)
}
