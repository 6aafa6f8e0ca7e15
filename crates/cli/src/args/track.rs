//! The language that solutions are written in.

use slopbench_tests::Track;

#[derive(clap::Args)]
pub(crate) struct TrackArgs {
    /// Language that solutions are written in: python, javascript, go, rust or java.
    #[arg(long, default_value_t, value_name = "TRACK")]
    pub(crate) track: Track,
}
