use std::{env, path::Path};

use slopbench_history::gitignored;
use slopbench_metrics::{
    Configuration, Measurement, Roots, RuleDescription, Tier, composites::ExternalFindings, measure_roots,
    measurement::SkippedFile,
};

use crate::{
    Failure,
    args::{Args, Format, MeasureArgs},
    output::{Status, page, print, print_json, refuse},
};

pub(crate) fn run(args: &Args, measure_args: &MeasureArgs) -> Result<Status, Failure> {
    // clap sees no conflict with a global option that stands before the command.
    let format = match (args.json, measure_args.format) {
        (true, Some(_)) => return Err(Failure::configuration("--json is --format json; give one of the two")),
        (true, None) => Format::Json,
        (false, format) => format.unwrap_or(Format::Table),
    };
    let here = env::current_dir().map_err(|error| Failure::configuration(format!("no current folder: {error}")))?;
    let roots = match &measure_args.paths[..] {
        [only] => Roots::one(only)?,
        several => Roots::several(Path::new("."), several)?,
    }
    .named_by_folders();
    let roots = if measure_args.languages.is_empty() { roots } else { roots.only(&measure_args.languages)? };
    // Who heeds nothing measures as grading does.
    let gitignore = !measure_args.no_gitignore && !measure_args.no_config;
    let roots = if gitignore { roots.without_ignored(gitignored) } else { roots };
    let configuration = match (&measure_args.config, measure_args.no_config) {
        (_, true) => None,
        (Some(file), _) => Some(Configuration::load(file)?),
        (None, _) => Some(Configuration::find(roots.base())?),
    };
    let own_rules = measure_args.rules.rules.as_deref();
    let rules = configuration.as_ref().unwrap_or(&Configuration::default()).rules(own_rules)?;
    let mut measurement = measure_roots(&roots, &rules, configuration.as_ref())?;
    measurement.complete_composites(ExternalFindings {
        rubric_violations: measure_args.rubric_violations,
        lint_errors: measure_args.lint_errors,
    });
    refuse_nothing(&measurement, configuration.as_ref(), measure_args)?;
    Option::<Tier>::from(measure_args.tier).into_iter().for_each(|tier| measurement.keep(tier, &rules));
    write(&measurement, rules.descriptions(), format, measure_args.top, &roots.folder_below(&here))?;
    let configured = configuration.iter().flat_map(Configuration::fail_on);
    let failures: Vec<_> =
        configured.chain(&measure_args.fail_on).filter_map(|limit| limit.failure(&measurement.total)).collect();
    failures.iter().for_each(|failure| refuse(failure));
    Ok(Status::of_check(failures.is_empty()))
}

/// Figures of nothing would read as perfect ones, unless the configuration wants nothing measured.
fn refuse_nothing(
    measurement: &Measurement,
    configuration: Option<&Configuration>,
    args: &MeasureArgs,
) -> Result<(), Failure> {
    let unwanted = |skipped: &&SkippedFile| configuration.is_some_and(|wish| wish.excludes(&skipped.path));
    let mut failed = measurement.skipped.iter().filter(|skipped| !unwanted(skipped));
    match failed.next() {
        Some(first) if measurement.total.files == 0 => {
            let line = first.line.map_or(String::new(), |line| format!(":{line}"));
            let roots: Vec<_> = args.paths.iter().map(|path| path.display().to_string()).collect();
            let (roots, file, count) = (roots.join(", "), &first.path, measurement.skipped.len());
            let message =
                format!("nothing in {roots} could be measured: {file}{line}: {} ({count} left out)", first.detail);
            Err(Failure::configuration(message))
        }
        _ => Ok(()),
    }
}

/// Writes the measurement in a format. `folder` is where the measured folder lies below the current one.
fn write(
    measurement: &Measurement,
    rules: &[RuleDescription],
    format: Format,
    top: usize,
    folder: &str,
) -> Result<(), Failure> {
    match format {
        Format::Table => page(slopbench_report::measurement(measurement, top)),
        Format::Markdown => page(slopbench_report::markdown(measurement, rules, folder, top)),
        Format::Github => print(slopbench_report::annotations(measurement, rules, folder)),
        Format::Json => print_json(measurement),
        Format::Sarif => print_json(&slopbench_report::sarif(measurement, rules, folder)),
    }
}
