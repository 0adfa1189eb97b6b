//! The command line as it is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::files::ending;

/// Measures how much a data-analysis program reveals about the people in its data.
///
/// Privug models what an attacker knows as distributions, Gaussian or discrete, runs the program on them, conditions on
/// what was published, and reports, exactly, what the attacker knows afterwards.
#[derive(Debug, Parser)]
#[command(name = "privug", version, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Analyse a program: what does an attacker know before and after seeing its outputs?
    #[command(after_help = ANALYZE_EXAMPLES)]
    Analyze(Analyze),
    /// Audit what a script publishes about a table: who is at risk, which figures are responsible, and may it be published?
    #[command(after_help = AUDIT_EXAMPLES)]
    Audit(Box<Audit>),
    /// Print the channel P(output | secret): how likely each output is for each value of a discrete secret
    #[command(after_help = CHANNEL_EXAMPLES)]
    Channel(Channel),
    /// Compare releases: the same secret under several programs or parameters, side by side
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(Compare),
    /// Run the analysis for many values of a parameter, and tabulate measures
    #[command(after_help = SWEEP_EXAMPLES)]
    Sweep(Sweep),
    /// Find the largest (or smallest) value of a parameter for which requirements hold
    #[command(after_help = CALIBRATE_EXAMPLES)]
    Calibrate(Calibrate),
    /// Print the SQL queries that group a table in its database, for `audit --groups`
    #[command(after_help = PLAN_EXAMPLES)]
    Plan(Box<Plan>),
    /// Calibrate the Gaussian mechanism of differential privacy on its own
    Mechanism(Mechanism),
    /// Check a program for errors without reporting results
    Check(Check),
    /// Explain an error code, or list them all
    Explain(Explain),
}

const ANALYZE_EXAMPLES: &str = "\
Examples:
  The priors and the observations are in the program; what it returns is the secret:
    privug analyze programs/public_statistics/case1.py

  An ordinary function; the priors and what was published are given alongside:
    privug analyze average.py --prior 'ages=[Normal(35, 4) for _ in range(100)]' \\
        --observe '44±0.1' --secret 'ages[0]'

Exit codes: 0 success, 1 the program or its data was refused, 2 usage error, 3 a requirement is not met.";

const PLAN_EXAMPLES: &str = "\
Example:
    privug plan release.py --table people=sample.parquet --secret people.income \\
        --prior 'Normal(mean=450_000, std=60_000)' --dialect duckdb

The first query groups people who agree in all columns that the script names: counts, exact sums and the three
largest contributions, and nothing else, leave the engine. Save its result as a Parquet or CSV file for `privug audit
--groups`. The second joins the results back.";

const CHANNEL_EXAMPLES: &str = "\
Example:
  privug channel programs/choices/randomized_response.py --secret smokes
  privug channel programs/choices/randomized_response.py --secret smokes --exact --csv";

const AUDIT_EXAMPLES: &str = "\
Examples:
  privug audit programs/audit/release.py --table people=programs/audit/incomes.csv \\
      --secret people.income --prior 'Normal(prior_mean, prior_variance)' --person id --html report.html
  … --suppress 'by group[21-30, male]' --round 1000     try out defences without editing the script
  … --rule minimum_frequency.fail=5 --rule dominance=off     change the rules, or put them in --policy FILE.toml

Exit codes: 0 pass, 1 the script or its data was refused, 2 usage error, 3 fail, 4 review.";

const COMPARE_EXAMPLES: &str = "\
Each release is a program, with options of its own in the same quotes:
  privug compare programs/public_statistics/case1.py programs/public_statistics/dp_case1.py
  privug compare 'release.py --set epsilon=0.5' 'release.py --set epsilon=2 --label loose'

Exit codes: 0 success, 3 no release meets all requirements.";

const SWEEP_EXAMPLES: &str = "\
Example:
  privug sweep release.py epsilon=0.05..5 --log --steps 40 --measure mutual_information_bits --measure posterior_std";

const CALIBRATE_EXAMPLES: &str = "\
Example:
  privug calibrate release.py epsilon=0.01..10 --require 'mutual_information_bits <= 0.1'

Exit codes: 0 a value was found, 3 the requirements hold nowhere in the range.";

/// The program and what its parameters are.
#[derive(Debug, Args)]
pub struct Program {
    /// The program, and which of its functions (default: the only one, or `main`); `-` reads standard input
    #[arg(value_name = "PROGRAM.py[:FUNCTION]")]
    pub program: String,
    /// Bind a parameter to the attacker's prior, such as 'ages=[Normal(35, 4) for _ in range(100)]' (repeatable)
    #[arg(long, value_name = "NAME=EXPRESSION", help_heading = "Inputs")]
    pub prior: Vec<String>,
    /// Bind a parameter to a number, string or list, such as epsilon=0.5 (repeatable)
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Inputs")]
    pub set: Vec<String>,
    /// What the attacker wants to know, such as 'ages[0]'; what the function returns is then the published output
    /// (repeatable)
    #[arg(long, value_name = "EXPRESSION", help_heading = "Inputs")]
    pub secret: Vec<String>,
    /// The observed value of the published output: 44, '44±0.1' (or 44+-0.1), 'return[1]=3.5' (repeatable)
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Inputs")]
    pub observe: Vec<String>,
    /// The budgets of the analysis.
    #[command(flatten)]
    pub limits: Limits,
}

/// The budgets of an analysis.
#[derive(Debug, Args)]
pub struct Limits {
    /// Maximum number of steps of the program
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_steps: Option<u64>,
    /// Maximum number of random variables
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_variables: Option<u64>,
    /// Maximum number of elements in all lists together
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_elements: Option<u64>,
    /// Maximum depth of nested calls
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_depth: Option<u32>,
    /// Maximum number of bits of an integer or exact rational
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_bits: Option<usize>,
    /// Work and memory that conditioning may take, as a multiple of the default
    #[arg(long, value_name = "FACTOR", help_heading = "Limits")]
    pub max_work: Option<u64>,
}

/// What measures refer to.
#[derive(Debug, Args)]
pub struct Measuring {
    /// The true value of the secret, such as 500_000 or 'ages[0]=44' (repeatable)
    #[arg(long, value_name = "[SECRET=]VALUE", allow_hyphen_values = true, help_heading = "Measures")]
    pub truth: Vec<String>,
    /// How close a guess must be to count as right: a number, or a percentage of the true value such as 5%
    /// [default: a tenth of the prior standard deviation]
    #[arg(long, value_name = "T", help_heading = "Measures")]
    pub tolerance: Option<String>,
    /// What a guess of a discrete secret is worth: an expression in guess and secret such as 'abs(guess - secret) <= 1',
    /// or a table in a .csv or .json file
    #[arg(long, value_name = "EXPRESSION|FILE", help_heading = "Measures")]
    pub gain: Option<String>,
    /// The level of credible intervals
    #[arg(long, value_name = "P", default_value_t = 0.95, help_heading = "Measures")]
    pub level: f64,
}

/// `privug audit`
#[derive(Debug, Args)]
pub struct Audit {
    /// The script, and which of its functions (default: the only one, or `main`); `-` reads standard input
    #[arg(
        value_name = "SCRIPT.py[:FUNCTION]",
        required_unless_present = "release_rows",
        conflicts_with = "release_rows"
    )]
    pub program: Option<String>,
    /// A table that the function takes, as CSV, Parquet or Arrow: people=incomes.csv (repeatable); with --live the name may
    /// be omitted, and defaults to the file's. The table of people may be a folder of files, or several files of the same name
    #[arg(long, value_name = "NAME=FILE", required_unless_present = "groups", help_heading = "Inputs")]
    pub table: Vec<String>,
    /// Group people who agree in all relevant columns before auditing, so that the table need not fit into memory [default: for tables of
    /// several files, and for files of a gigabyte or more]
    #[arg(long, conflicts_with = "live", help_heading = "Inputs")]
    pub grouped: bool,
    /// Sum a column of weights that are nearly unique to each person, instead of grouping by it
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["live", "groups"], help_heading = "Inputs")]
    pub sum_weights: Option<String>,
    /// Groups of people instead of the table of people: the result of the query that `privug plan` prints
    #[arg(long, value_name = "FILE.csv|parquet", conflicts_with_all = ["live", "grouped"], help_heading = "Inputs")]
    pub groups: Option<PathBuf>,
    /// A secret column, such as people.income (repeatable); the attacker knows all other columns
    #[arg(long, value_name = "TABLE.COLUMN", required = true, help_heading = "Inputs")]
    pub secret: Vec<String>,
    /// What the attacker knows about each row's secret beforehand; the columns can be used, as in
    /// 'Normal(prior_mean, prior_variance)' or 'Normal(income.mean(), std=income.std())'; with several secrets one for
    /// each, as 'debt=Normal(0.3 * income, std=5000)', which may use the secrets before it (repeatable)
    #[arg(long, value_name = "[COLUMN=]EXPRESSION", required = true, help_heading = "Inputs")]
    pub prior: Vec<String>,
    /// The publicly known range of a secret: 'income >= 0', '0 <= score <= 100', 'ill in {0, 1}'
    /// (repeatable); the audit then also bounds every secret given all figures, whatever the prior
    #[arg(long, value_name = "STATEMENT", allow_hyphen_values = true, help_heading = "Inputs")]
    pub support: Vec<String>,
    /// Refuse a prior with more than 1 % of its probability outside the support, instead of warning
    #[arg(long, help_heading = "Inputs")]
    pub strict: bool,
    /// The column that identifies people: rows with the same value are one person [default: every row is a person]
    #[arg(long, value_name = "COLUMN", help_heading = "Inputs")]
    pub person: Option<String>,
    /// The columns that the attacker knows about everybody, such as ward,sex; for people who agree in these it is known how the
    /// other columns are distributed, but not who has which. For discrete secrets [default: all columns but the secrets]
    #[arg(long, value_name = "COLUMN,…", help_heading = "Inputs")]
    pub known: Vec<String>,
    /// The sensitive values of a discrete secret: 'disease in ["HIV", "TB"]' (repeatable) [default: all values]
    #[arg(long, value_name = "CONDITION", help_heading = "Inputs")]
    pub sensitive: Vec<String>,
    /// Audit the release of the table's own rows instead of a script: the columns of --known and the secrets. Rows that agree
    /// in the known columns are checked against the rule k_anonymity
    #[arg(long, help_heading = "Inputs")]
    pub release_rows: bool,
    /// How to treat missing values
    #[arg(long, value_enum, default_value_t = Missing::Pandas, help_heading = "Inputs")]
    pub missing: Missing,
    /// Rules and their thresholds, as TOML
    #[arg(long, value_name = "FILE.toml", help_heading = "Rules")]
    pub policy: Option<PathBuf>,
    /// Set a rule: minimum_frequency.fail=5, dominance=off, full_disclosure=review (repeatable; takes precedence over --policy)
    #[arg(long, value_name = "RULE[.KEY]=VALUE", help_heading = "Rules")]
    pub rule: Vec<String>,
    /// Add noise to a figure: 'NAME=normal(std=1000)' or 'NAME=gaussian(epsilon=0.5, delta=1e-5, range=100_000)'
    /// (repeatable; without NAME= for all figures)
    #[arg(long, value_name = "[NAME=]NOISE", help_heading = "Defences")]
    pub noise: Vec<String>,
    /// Suppress a figure or a table (repeatable)
    #[arg(long, value_name = "NAME", help_heading = "Defences")]
    pub suppress: Vec<String>,
    /// Round figures to multiples of this base; 'random(3)' rounds up or down at random, with the nearer multiple likelier
    /// (repeatable; without NAME= for all figures)
    #[arg(long, value_name = "[NAME=]UNIT", help_heading = "Defences")]
    pub round: Vec<String>,
    /// Run the unmodified script in Python, with real pandas on secret columns: reading a table's file yields the table, and what
    /// the script writes, prints or plots counts as published. Without this, nothing is ever executed. Requires the `privug` command
    /// that `pip install` installs
    #[arg(long, help_heading = "Inputs")]
    pub live: bool,
    /// Take earlier releases into account: a ledger written by `privug.Ledger` of the Python package, or by --record
    #[arg(long, value_name = "LEDGER.json", help_heading = "Inputs")]
    pub published_before: Option<PathBuf>,
    /// Record this release, audited by groups, in a ledger under a name: may=ledger.json. It stores weights by group,
    /// and names nobody
    #[arg(long, value_name = "NAME=LEDGER.json", help_heading = "Output", conflicts_with = "live")]
    pub record: Option<String>,
    /// Compute in exact rational arithmetic
    #[arg(long)]
    pub exact: bool,
    /// The budgets of the audit.
    #[command(flatten)]
    pub limits: Limits,
    /// How many of the people at risk to list in detail
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=1000), help_heading = "Output")]
    pub top: u32,
    /// Print the result as JSON (schema privug.audit/1)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// List everybody in the JSON, not only the people at risk
    #[arg(long, requires = "json", help_heading = "Output")]
    pub all_people: bool,
    /// Write a table with one row for each person
    #[arg(long, value_name = "FILE.csv|parquet", value_parser = ending(&["csv", "parquet"]), help_heading = "Output")]
    pub people: Option<PathBuf>,
    /// Plot the distribution of risk over people to a file
    #[arg(long, value_name = "FILE.svg|png", value_parser = ending(&["svg", "png"]), help_heading = "Output")]
    pub plot: Option<PathBuf>,
    /// Write a self-contained HTML report
    #[arg(long, value_name = "FILE.html", value_parser = ending(&["html", "htm"]), help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Print no report; only set the exit code
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// `privug plan`
#[derive(Debug, Args)]
pub struct Plan {
    /// The script, and which of its functions; `-` reads standard input
    #[arg(value_name = "SCRIPT.py[:FUNCTION]")]
    pub program: String,
    /// A file with the columns of the table, such as a sample of it: people=sample.parquet
    #[arg(long, value_name = "NAME=FILE")]
    pub table: Option<String>,
    /// All columns of the table, instead of a file with them: region,sex,income
    #[arg(long, value_name = "NAMES", conflicts_with = "table")]
    pub columns: Option<String>,
    /// The secret column, such as people.income
    #[arg(long, value_name = "TABLE.COLUMN")]
    pub secret: String,
    /// What the attacker knows about each row's secret beforehand: people are also grouped by the columns in it
    #[arg(long, value_name = "EXPRESSION", required = true)]
    pub prior: Vec<String>,
    /// The SQL dialect: spark, duckdb, postgres, bigquery, snowflake or trino
    #[arg(long, value_name = "NAME")]
    pub dialect: String,
    /// A ledger of earlier releases: people are grouped by its columns as well, so that it can be taken into account
    #[arg(long, value_name = "LEDGER.json")]
    pub published_before: Option<PathBuf>,
    /// The table's name in the database, such as register.people [default: the table of --secret]
    #[arg(long, value_name = "NAME")]
    pub source: Option<String>,
    /// The name of the table of results in the database, for the second query
    #[arg(long, value_name = "NAME", default_value = "privug_results")]
    pub results: String,
    /// How many decimals of the secret are summed; values with more are refused, never rounded
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=18))]
    pub decimals: u32,
    /// If the prior is `Normal(column, …)`, sum the prior means in the column instead of grouping by it: for prior means
    /// that are unique to each person
    #[arg(long)]
    pub sum_prior_means: bool,
    /// Sum a column of weights that are nearly unique to each person, instead of grouping by it
    #[arg(long, value_name = "COLUMN")]
    pub sum_weights: Option<String>,
    /// Print JSON (schema privug.plan/1)
    #[arg(long)]
    pub json: bool,
}

/// How to treat missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Missing {
    /// Every figure skips them, as in pandas
    #[value(alias = "drop")]
    Pandas,
    /// They are an error
    #[value(alias = "error")]
    Refuse,
}

/// `privug compare`
#[derive(Debug, Args)]
pub struct Compare {
    /// The releases: 'PROGRAM.py[:FUNCTION] [--set …] [--prior …] [--observe …] [--label …]'
    #[arg(value_name = "RELEASE", required = true)]
    pub releases: Vec<String>,
    /// Bind a parameter of every release to the attacker's prior (repeatable)
    #[arg(long, value_name = "NAME=EXPRESSION", help_heading = "Inputs")]
    pub prior: Vec<String>,
    /// Bind a parameter of every release to a number, string or list (repeatable)
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Inputs")]
    pub set: Vec<String>,
    /// What the attacker wants to know (repeatable)
    #[arg(long, value_name = "EXPRESSION", help_heading = "Inputs")]
    pub secret: Vec<String>,
    /// What measures refer to.
    #[command(flatten)]
    pub measuring: Measuring,
    /// A requirement, such as 'mutual_information_bits <= 0.1' (repeatable)
    #[arg(long, value_name = "REQUIREMENT", help_heading = "Measures")]
    pub require: Vec<String>,
    /// Compute in exact rational arithmetic
    #[arg(long)]
    pub exact: bool,
    /// Print JSON (schema privug.comparison/1)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Plot the densities under all releases to a file
    #[arg(long, value_name = "FILE.svg|png", value_parser = ending(&["svg", "png"]), help_heading = "Output")]
    pub plot: Option<PathBuf>,
    /// Write a self-contained HTML report
    #[arg(long, value_name = "FILE.html", value_parser = ending(&["html", "htm"]), help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Print no report; only set the exit code
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// One release of a comparison, with options of its own.
#[derive(Debug, Parser)]
#[command(name = "RELEASE", no_binary_name = true, disable_version_flag = true)]
pub struct Release {
    /// The program.
    #[command(flatten)]
    pub program: Program,
    /// Its label in tables and plots
    #[arg(long)]
    pub label: Option<String>,
}

/// `privug sweep`
#[derive(Debug, Args)]
pub struct Sweep {
    /// The program.
    #[command(flatten)]
    pub program: Program,
    /// One or two parameters of the function and their ranges, such as epsilon=0.05..5
    #[arg(value_name = "PARAMETER=FROM..TO", required = true, num_args = 1..=2)]
    pub parameters: Vec<String>,
    /// Space the values evenly on a logarithmic scale
    #[arg(long)]
    pub log: bool,
    /// The number of values of each parameter
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub steps: u32,
    /// A measure by its JSON name, or a question such as 'P(x > 3)' (repeatable)
    #[arg(long, value_name = "MEASURE", default_value = "mutual_information_bits")]
    pub measure: Vec<String>,
    /// What measures refer to.
    #[command(flatten)]
    pub measuring: Measuring,
    /// Compute in exact rational arithmetic
    #[arg(long)]
    pub exact: bool,
    /// Print comma-separated values
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub csv: bool,
    /// Print JSON (schema privug.sweep/1)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Plot the measures over the parameter to a file
    #[arg(long, value_name = "FILE.svg|png", value_parser = ending(&["svg", "png"]), help_heading = "Output")]
    pub plot: Option<PathBuf>,
    /// Write a self-contained HTML report
    #[arg(long, value_name = "FILE.html", value_parser = ending(&["html", "htm"]), help_heading = "Output")]
    pub html: Option<PathBuf>,
}

/// `privug calibrate`
#[derive(Debug, Args)]
pub struct Calibrate {
    /// The program.
    #[command(flatten)]
    pub program: Program,
    /// A parameter of the function and its range, such as epsilon=0.01..10
    #[arg(value_name = "PARAMETER=FROM..TO")]
    pub parameter: String,
    /// What must hold, such as 'mutual_information_bits <= 0.1' (repeatable)
    #[arg(long, value_name = "REQUIREMENT", required = true)]
    pub require: Vec<String>,
    /// Find the smallest value instead of the largest
    #[arg(long)]
    pub smallest: bool,
    /// Search on a linear scale [default: logarithmic if both ends are positive]
    #[arg(long)]
    pub linear: bool,
    /// What measures refer to.
    #[command(flatten)]
    pub measuring: Measuring,
    /// Print JSON (schema privug.calibration/1)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print no report; only set the exit code
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// `privug mechanism`
#[derive(Debug, Args)]
pub struct Mechanism {
    /// The most by which the output can change when one person's record does
    #[arg(long, value_name = "Δ")]
    pub sensitivity: f64,
    /// ε, the privacy parameter
    #[arg(long, value_name = "ε")]
    pub epsilon: f64,
    /// δ, the probability with which the guarantee may fail
    #[arg(long, value_name = "δ")]
    pub delta: f64,
    /// Print JSON (schema privug.mechanism/1)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// `privug analyze`
#[derive(Debug, Args)]
pub struct Analyze {
    /// The program.
    #[command(flatten)]
    pub program: Program,
    /// What measures refer to.
    #[command(flatten)]
    pub measuring: Measuring,
    /// A question, answered before and after, such as 'P(490_000 < x < 510_000)' (repeatable)
    #[arg(long, value_name = "QUESTION", help_heading = "Measures")]
    pub query: Vec<String>,
    /// A requirement, such as 'mutual_information_bits <= 0.1'; exit 3 if it fails (repeatable)
    #[arg(long, value_name = "REQUIREMENT", help_heading = "Measures")]
    pub require: Vec<String>,
    /// Compute in exact rational arithmetic: 0.1 is 1/10, and results are printed as fractions
    #[arg(long)]
    pub exact: bool,
    /// Compute in doubles and in exact arithmetic, and report the largest difference; exit 1 if it exceeds 1e-9
    #[arg(long, conflicts_with = "exact")]
    pub verify: bool,
    /// Print the result as JSON (schema privug.analysis/1)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Plot the densities before and after to a file
    #[arg(long, value_name = "FILE.svg|png", value_parser = ending(&["svg", "png"]), help_heading = "Output")]
    pub plot: Option<PathBuf>,
    /// Write a self-contained HTML report
    #[arg(long, value_name = "FILE.html", value_parser = ending(&["html", "htm"]), help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Omit the density sketch from the text report
    #[arg(long, help_heading = "Output")]
    pub no_sketch: bool,
    /// Print no report, only diagnostics, and set the exit code
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// `privug channel`
#[derive(Debug, Args)]
pub struct Channel {
    /// The program.
    #[command(flatten)]
    pub program: Program,
    /// Compute in exact rational arithmetic: probabilities are printed as fractions
    #[arg(long)]
    pub exact: bool,
    /// Print comma-separated values, one line for each pair of a secret's value and an output
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub csv: bool,
    /// Print JSON (schema privug.channel/1)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// `privug check`
#[derive(Debug, Args)]
pub struct Check {
    /// The program.
    #[command(flatten)]
    pub program: Program,
    /// Print the diagnostics as JSON (schema privug.diagnostics/1)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print nothing if there are no errors
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// `privug explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// The code, such as P301; without it, all codes are listed
    pub code: Option<String>,
}
