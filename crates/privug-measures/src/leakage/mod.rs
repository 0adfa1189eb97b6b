//! How much was learned about a secret: from what an attacker knew before and knows after, to the measures of leakage.

mod distance;
mod guessing;
mod information;
mod joint;
mod knowledge;
mod measures;
mod region;
mod truth;

pub use information::{OutputAlone, chain_shares_bits, entropy_bits, output_mutual_information_bits};
pub use joint::{JointDivergences, JointKnowledge, MAX_JOINT_SECRETS};
pub use knowledge::Knowledge;
pub use measures::{DEFAULT_TOLERANCE_IN_PRIOR_STDS, MEASURES, Measure, Measures, Setting, Unit, measure_names};
pub use privug_engine::gaussian::{Normal, normal};
pub use region::Region;
pub use truth::{AgainstTruth, NEARNESS_PERCENT};
