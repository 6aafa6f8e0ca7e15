use slopbench_metrics::measure;

use crate::{
    Failure,
    args::{Args, MeasureArgs},
    output::{Status, print, print_json},
    setup,
};

pub(crate) fn run(args: &Args, measure_args: &MeasureArgs) -> Result<Status, Failure> {
    let rules = setup::rules(measure_args.rules.as_deref())?;
    let measurement = measure(&measure_args.path, &rules)?;
    match args.json {
        true => print_json(&measurement)?,
        false => print(&slopbench_report::measurement(&measurement, measure_args.top))?,
    }
    Ok(Status::Ok)
}
