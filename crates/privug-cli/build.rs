//! How the shipped program is linked: without what nothing in it needs.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=shipped.ld");
    // Only the profile `dist` is compiled for size, and it ends at a panic. On this platform the compiler brings a linker that
    // understands both.
    let is_shipped = var("OPT_LEVEL").is_ok_and(|level| level == "s");
    if is_shipped && var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu") {
        let folder = var("CARGO_MANIFEST_DIR").unwrap_or_default();
        // Functions that are compiled to the same instructions are there once.
        println!("cargo::rustc-link-arg-bins=-Wl,--icf=all");
        println!("cargo::rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{folder}/shipped.ld");
    }
}
