//! Build dependencies count only where there is a build script.

fn main() {}
