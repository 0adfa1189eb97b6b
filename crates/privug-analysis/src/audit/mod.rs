//! Auditing a whole table: every person, everything that is published.
//!
//! [`lift`] runs a pandas script twice, on the real values and on the attacker's random variables; the result is a
//! [`Release`]. Everything after that looks at a release only: posteriors of all people, disclosure rules, verdicts.

mod assess;
mod categories;
mod columns;
mod combination;
mod contributions;
mod counterfactual;
mod counts;
mod defence;
mod dependent;
mod differencing;
mod exact;
mod explain;
mod feasibility;
mod few;
mod figures;
mod given;
mod grouped;
mod implied;
mod in_effect;
mod ledger;
mod lift;
mod live;
mod near_bound;
mod notes;
mod observe;
mod people;
mod persons;
mod policy;
mod reasons;
mod release;
mod result;
mod rounded;
mod rows;
mod run;
mod sensitive;
mod skewed;
mod tabulate;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod totals;
mod vanishing;
mod verdicts;
mod weight;

pub use assess::{Progress, Settings};
pub use categories::{Certainty, Distribution, Distributions};
pub use combination::{Combination, Pattern, patterns};
pub use contributions::{Contributions, Involvement};
pub use defence::DefenceTexts;
pub use exact::ExactShares;
pub use feasibility::{BoundSide, Derivation, Feasibility, Method, Support, SuppressedRange};
pub use figures::Concentration;
pub use grouped::{
    DISCLOSED_MOST, Dialect, GroupedInput, GroupedPeople, HAS_SECRET, KEY, Members, NearTruth, Plan, PlanInput,
    RESULTS, WEIGHT_RESULTS, columns_read, fits_groups, may_be_summed, own_prior_means, plan, quoted_source,
};
pub use in_effect::{Because, InEffect};
pub use ledger::{After, LEDGER_SCHEMA, Ledger};
pub use lift::{Attacker, Input, lift};
pub use live::{LiveRelease, Place};
pub use near_bound::{Bound, NearBound};
pub use people::PeopleColumns;
pub use persons::Persons;
pub use policy::{Policy, PolicyTexts, Rule, Thresholds, Verdict, read_policy};
pub use reasons::{Finding, Reason};
pub use release::{Belief, Count, CountOf, Discrete, Median, Output, People, Release, SecretValue, Skewed, Unexamined};
pub use result::{About, Audit, AuditGroups, Figure, FigureLeak, FigureStatus, PersonDetail, PersonName};
pub use run::{Lift, Lifted, audit};
pub use skewed::{Bracket, Brackets};
pub use verdicts::{PersonVerdicts, Totals};
