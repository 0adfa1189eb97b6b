//! `cargo xtask`: testing everything that the repository holds, and writing the pages that are made from code.

mod bench;
mod beside;
mod context;
mod environments;
mod pages;
mod parts;
mod summary;

use std::process::ExitCode;

use bench::Extent;
use context::Context;

const HELP: &str = "\
Usage: cargo xtask COMMAND

  test [PART…]    run what is usual, or the named parts; the last line counts what passed, failed and was skipped
  test --thorough [PART…]
                  all parts, with all variants and many times as many random programs, as a nightly run would
  test --list     list the parts
  docs            write the pages that are made from code
  docs --check    tell whether they are up to date
  reproduce       compute the paper's examples, figures and tables anew, into docs/reproduction.md
  bench           measure everything beside its peers, into docs/performance.md: takes half an hour
  bench --quick   the same with small sizes, in a minute, into target/bench/
  bench SECTION…  some sections with the sizes of the page, such as `sparse counts`, into target/bench/
  bench build     how long building takes, from nothing and after a change; with --tests also all tests from nothing

With CI=true in the environment a part that is skipped has failed.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let context = Context::new();
    match arguments.as_slice() {
        ["test", "--list"] => {
            for part in parts::all() {
                println!("{:<14} {}", part.name, part.about);
            }
            ExitCode::SUCCESS
        }
        ["test", "--thorough", names @ ..] => match parts::named(names, true) {
            Ok(chosen) => summary::run(&context.thoroughly(), &chosen),
            Err(unknown) => wrong_usage(&format!("there is no part `{unknown}`; `cargo xtask test --list` lists them")),
        },
        ["test", names @ ..] => match parts::named(names, false) {
            Ok(chosen) => summary::run(&context, &chosen),
            Err(unknown) => wrong_usage(&format!("there is no part `{unknown}`; `cargo xtask test --list` lists them")),
        },
        ["docs"] => report(pages::write(&context).map(|()| "the pages are written".to_owned())),
        ["docs", "--check"] => report(pages::check(&context).map(|()| "the pages are up to date".to_owned())),
        [bench::launch::LAUNCH, usage, program, arguments @ ..] => bench::launch::launch(usage, program, arguments),
        ["bench"] => report(bench::run(&context, Extent::All)),
        ["bench", "--quick"] => report(bench::run(&context, Extent::Quick)),
        ["bench", "build"] => report(bench::build::run(&context, false)),
        ["bench", "build", "--tests"] => report(bench::build::run(&context, true)),
        ["bench", names @ ..] => report(bench::run(&context, Extent::Sections(names))),
        ["reproduce"] => report(pages::reproduce(&context).map(|()| "the pages are written".to_owned())),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        _ => wrong_usage(HELP),
    }
}

fn report(result: Result<String, String>) -> ExitCode {
    match result {
        Ok(words) => {
            println!("{words}");
            ExitCode::SUCCESS
        }
        Err(words) => {
            eprintln!("error: {words}");
            ExitCode::FAILURE
        }
    }
}

fn wrong_usage(words: &str) -> ExitCode {
    eprintln!("{words}");
    ExitCode::from(2)
}
