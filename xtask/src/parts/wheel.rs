//! The wheel for this platform: built for release, installed into an environment of its own, and used from there.

use std::path::Path;
use std::time::Instant;

use super::{Outcome, Part};
use crate::context::Context;

pub const PART: Part = Part { name: "wheel", about: "the wheel for this platform, built, installed and used", run };

/// What the installed package has to do: a live audit, which needs the compiled part, pandas and the Python side.
const USE: &str = r#"
import pandas, privug
people = pandas.DataFrame({"sex": ["f", "m"] * 10, "income": range(300, 320)})
found = privug.audit(lambda people: people.groupby("sex")["income"].mean(), people=people, secret="people.income",
                     prior="Normal(310, std=6)")
assert found.verdict == "pass" and len(found.people) == 20 and len(found.figures) == 2, found
"#;

fn run(context: &Context) -> Outcome {
    if !context.has_python() {
        return Outcome::Skipped("python3 with its venv module is not installed".to_owned());
    }
    build_and_use(context).into()
}

fn build_and_use(context: &Context) -> Result<(), String> {
    let target = context.root.join("target");
    let (environment, wheels) = (target.join("wheel-venv"), target.join("wheels"));
    let _ = std::fs::remove_dir_all(&wheels);
    context.run(context.command("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
    let program = |name: &str| environment.join("bin").join(name).to_string_lossy().into_owned();
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    context.run(context.command(&program("python")).args(pip).args(["maturin>=1.9,<2", "pandas"]))?;
    let start = Instant::now();
    let mut build = context.command(&program("maturin"));
    build.current_dir(context.root.join("crates/privug-python"));
    context.run(build.args(["build", "--release", "--locked", "--quiet", "--out"]).arg(&wheels))?;
    let wheel = only_wheel(&wheels)?;
    println!("{} in {:.0} s", wheel.display(), start.elapsed().as_secs_f64());
    context.run(context.command(&program("python")).args(pip).arg("--no-deps").arg(&wheel))?;
    context.run(context.command(&program("privug")).arg("--version"))?;
    // Not from the repository, where the sources of the package are.
    let mut used = context.command(&program("python"));
    context.run(used.current_dir(&target).args(["-c", USE]))
}

fn only_wheel(folder: &Path) -> Result<std::path::PathBuf, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut wheels =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "whl"));
    match (wheels.next(), wheels.next()) {
        (Some(wheel), None) => Ok(wheel),
        (Some(_), Some(_)) | (None, _) => Err("maturin did not build one wheel".to_owned()),
    }
}
