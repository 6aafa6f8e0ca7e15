use slopbench_metrics::{composites::Judged, measure};

use crate::{
    Failure,
    args::{Args, MeasureArgs},
    output::{Status, print, print_json},
    setup,
};

pub(crate) fn run(args: &Args, measure_args: &MeasureArgs) -> Result<Status, Failure> {
    let rules = setup::rules(measure_args.rules.rules.as_deref())?;
    let mut measurement = measure(&measure_args.path, &rules)?;
    if let (0, Some(first)) = (measurement.total.files, measurement.skipped.first()) {
        // Figures of nothing would read as perfect ones.
        let line = first.line.map_or(String::new(), |line| format!(":{line}"));
        let (root, file, count) = (measure_args.path.display(), &first.path, measurement.skipped.len());
        let message = format!("nothing in {root} could be measured: {file}{line}: {} ({count} left out)", first.detail);
        return Err(Failure::configuration(message));
    }
    measurement
        .judge(Judged { rubric_violations: measure_args.rubric_violations, lint_errors: measure_args.lint_errors });
    match args.json {
        true => print_json(&measurement)?,
        false => print(&slopbench_report::measurement(&measurement, measure_args.top))?,
    }
    Ok(Status::Ok)
}
