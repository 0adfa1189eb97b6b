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
pub use joint::{JointLeak, MAX_JOINT_SECRETS, joint_leak};
pub use knowledge::Knowledge;
pub(crate) use measures::of_channel;
pub use measures::{
    DEFAULT_LEVEL, DEFAULT_TOLERANCE_IN_PRIOR_STDS, MEASURES, Measure, Measures, Reading, Setting, Unit, measure_names,
};
pub use privug_engine::gaussian::{Normal, normal};
pub use region::Region;
pub use truth::{AgainstTruth, NEARNESS_PERCENT};
