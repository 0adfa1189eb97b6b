//! Releases of small tables, and a look at what their figures are made of.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use privug::audit::{Input, Release, lift};
use privug::diagnostic::Refusal;
use privug::evaluate::Limits;
use privug::network::{Affine, Network};
use privug::number::{Exact, Field, Scalar};
use privug::stages::Stages;
use privug::table::{Missing, Table, TableError, read};

/// A directory in which tests may leave files.
pub fn scratch() -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("audit");
    std::fs::create_dir_all(&directory).expect("a directory for tests");
    directory
}

/// A file with this content, and a name that no other test uses.
pub fn file(extension: &str, content: &[u8]) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = scratch().join(format!("{}-{number}.{extension}", std::process::id()));
    std::fs::write(&path, content).expect("a file for a test");
    path
}

/// Reads a table from a text.
pub fn try_table(content: impl AsRef<[u8]>, missing: Missing) -> Result<Table, TableError> {
    let path = file("csv", content.as_ref());
    let table = read(&path, missing);
    std::fs::remove_file(&path).expect("the file of this test");
    table
}

pub fn table(content: &str) -> Table {
    try_table(content, Missing::Refuse).unwrap_or_else(|error| panic!("{error}"))
}

pub fn example(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../programs/audit").join(name)
}

/// Five people in two age groups and three households.
pub const PEOPLE: &str = include_str!("../data/people.csv");

pub fn input(program: &str) -> Input {
    Input {
        path: "release.py".to_owned(),
        program: program.to_owned(),
        function: None,
        tables: vec![("people".to_owned(), table(PEOPLE))],
        secrets: vec!["people.income".to_owned()],
        priors: vec!["Normal(prior_mean, prior_variance)".to_owned()],
        person: None,
        attacker: Default::default(),
        limits: Limits::default(),
        cancelled: None,
    }
}

/// A function whose body is one line.
pub fn returning(expression: &str) -> Input {
    input(&format!("import numpy as np\nimport pandas as pd\n\ndef release(people):\n    return {expression}\n"))
}

pub fn lifted<S: Stages>(input: &Input) -> Release<S> {
    lift(input).unwrap_or_else(|refusal| panic!("{}\n{}", input.program, messages(&refusal).join("\n")))
}

/// What is wrong, one line for each finding: code, message, hint and the words that it points at.
pub fn messages(refusal: &Refusal) -> Vec<String> {
    let show = |diagnostic: &privug::diagnostic::Diagnostic| {
        let hint = diagnostic.hint.as_deref().unwrap_or("-");
        let words = refusal.sources.text(diagnostic.span);
        format!("{} {} | {hint} | {words}", diagnostic.code.id(), diagnostic.message)
    };
    refusal.diagnostics.iter().map(show).collect()
}

pub fn refusal(input: &Input) -> Vec<String> {
    match lift::<f64>(input) {
        Ok(release) => panic!("{} is not refused: {:?}", input.program, release.outputs),
        Err(refusal) => messages(&refusal),
    }
}

/// Names and values of all figures.
pub fn figures(release: &Release<f64>) -> Vec<(&str, f64)> {
    release.outputs.iter().map(|output| (output.name.as_str(), output.value)).collect()
}

/// The weight of each person in a figure, and what is added.
pub fn weights<S: Scalar>(release: &Release<S>, variable: &Affine<S>) -> (Vec<S>, S) {
    let mut all = vec![S::zero(); release.network.len()];
    all[variable.node.0 as usize] = variable.scale.clone();
    let mut constant = variable.offset.clone();
    for index in (0..all.len()).rev() {
        let weight = all[index].clone();
        if weight.is_zero() || release.secrets.iter().any(|secret| secret.node.0 as usize == index) {
            continue;
        }
        let node = release.network.node(privug::network::NodeId(index as u32));
        constant = constant.add(&weight.mul(node.constant));
        let weight = node.divisor.map_or(weight.clone(), |divisor| weight.div(divisor));
        for (parent, factor) in node.parents() {
            let place = &mut all[parent.0 as usize];
            *place = place.add(&weight.mul(factor));
        }
        all[index] = S::zero();
    }
    let weights = release.secrets.iter().map(|secret| all[secret.node.0 as usize].clone()).collect();
    (weights, constant)
}

/// Every figure is what its weights make of the truths: both runs computed the same thing.
pub fn assert_both_runs_agree(release: &Release<Exact>) {
    for output in &release.outputs {
        let (weights, constant) = weights(release, &output.variable);
        let truths = release.truths.iter().map(|truth| Exact::from_literal(&format!("{truth:?}")).expect("a number"));
        let total = weights.iter().zip(truths).fold(constant, |sum, (weight, truth)| sum.add(&weight.mul(&truth)));
        assert_eq!(total, output.value, "{}", output.name);
    }
}

/// The weights of a figure as doubles.
pub fn plain_weights(release: &Release<f64>, name: &str) -> Vec<f64> {
    let output = release.outputs.iter().find(|output| output.name == name).unwrap_or_else(|| panic!("no {name}"));
    weights(release, &output.variable).0
}

/// The noise variance and the constant of a person's node.
pub fn prior_of(network: &Network<f64>, secret: &Affine<f64>) -> (f64, f64) {
    let node = network.node(secret.node);
    (*node.constant, *node.noise_variance)
}
