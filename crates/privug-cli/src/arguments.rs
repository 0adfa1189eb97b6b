//! The command line as it is typed.

use clap::{Args, Parser, Subcommand};

/// Tells how much a data-analysis program reveals about the people in its data.
///
/// Privug models what an attacker knows as Gaussian distributions, runs the program on them, conditions on what was
/// published, and reports, exactly, what the attacker knows afterwards.
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
    /// Look for errors in a program without reporting results
    Check(Check),
    /// Explain a diagnostic's code, or list them all
    Explain(Explain),
}

const ANALYZE_EXAMPLES: &str = "\
Examples:
  The priors and the observations are in the program; what it returns is the secret:
    privug analyze programs/public_statistics/case1.py

  An ordinary function; the priors and what was published are given beside it:
    privug analyze average.py --prior 'ages=[Normal(35, 4) for _ in range(100)]' \\
        --observe '44±0.1' --secret 'ages[0]'

Exit codes: 0 fine, 1 the program or its data was refused, 2 wrong usage, 3 a requirement failed.";

/// The program and what its parameters are.
#[derive(Debug, Args)]
pub struct Program {
    /// The program, and which of its functions (default: the only one, or `main`); `-` reads standard input
    #[arg(value_name = "PROGRAM.py[:FUNCTION]")]
    pub program: String,
    /// Bind a parameter to the attacker's prior, such as 'ages=[Normal(35, 4) for _ in range(100)]' (repeatable)
    #[arg(long, value_name = "NAME=EXPRESSION", help_heading = "Inputs")]
    pub prior: Vec<String>,
    /// Bind a parameter to a number, text or list, such as epsilon=0.5 (repeatable)
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Inputs")]
    pub set: Vec<String>,
    /// What the attacker wants to know, such as 'ages[0]'; what the function returns is then the published output
    /// (repeatable)
    #[arg(long, value_name = "EXPRESSION", help_heading = "Inputs")]
    pub secret: Vec<String>,
    /// The value that the published output was seen to have: 44, '44±0.1' (or 44+-0.1), 'return[1]=3.5' (repeatable)
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, help_heading = "Inputs")]
    pub observe: Vec<String>,
    /// How much the analysis may use up.
    #[command(flatten)]
    pub limits: Limits,
}

/// How much an analysis may use up; 0 keeps the default.
#[derive(Debug, Args)]
pub struct Limits {
    /// Steps the program may take
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_steps: Option<u64>,
    /// Random variables it may make
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_variables: Option<u64>,
    /// Elements its lists may have, all together
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_elements: Option<u64>,
    /// Calls within calls
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_depth: Option<u32>,
    /// Bits of an integer or exact rational
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_bits: Option<usize>,
    /// How many times the default work and memory conditioning may take
    #[arg(long, value_name = "FACTOR", help_heading = "Limits")]
    pub max_work: Option<u64>,
}

/// `privug analyze`
#[derive(Debug, Args)]
pub struct Analyze {
    /// The program.
    #[command(flatten)]
    pub program: Program,
    /// Compute in exact rational arithmetic: 0.1 is 1/10, and results are printed as fractions
    #[arg(long)]
    pub exact: bool,
    /// Print the result as JSON (schema privug.analysis/1)
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print no report; the exit code and diagnostics tell
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
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
    /// Print nothing if all is well
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
}

/// `privug explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// The code, such as P301; without it, all codes are listed
    pub code: Option<String>,
}
