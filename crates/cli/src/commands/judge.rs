use std::path::Path;

use slopbench_judge::calibration::{
    CalibrationError, CalibrationReport, CalibrationSample, Drift, JudgedItems, read_sheet,
};
use slopbench_report::{calibration, drift};

use crate::{
    Failure,
    args::{Args, CalibrateCommand, JudgeCommand},
    commands::rubric,
    output::{Status, print, print_json},
};

impl From<CalibrationError> for Failure {
    fn from(error: CalibrationError) -> Self {
        match error {
            CalibrationError::Write { .. } => Self::infrastructure(error),
            _ => Self::configuration(error),
        }
    }
}

pub(crate) fn run(args: &Args, command: &JudgeCommand) -> Result<Status, Failure> {
    match command {
        JudgeCommand::Calibrate(CalibrateCommand::Sample { judgements, out, pairs, by, seed }) => {
            let sample = CalibrationSample::draw(&JudgedItems::load(judgements)?, *pairs, by, *seed)?;
            sampled(args, &sample, out)?;
        }
        JudgeCommand::Calibrate(CalibrateCommand::Read { sample, sheets }) => {
            let key = CalibrationSample::load(&sample.join("key.json"))?;
            let people = sheets.iter().map(|sheet| read_sheet(&key, sheet)).collect::<Result<Vec<_>, _>>()?;
            let report = CalibrationReport::new(&key, &people)?;
            report.write(&sample.join("calibration.json"))?;
            match args.json {
                true => print_json(&report)?,
                false => print(calibration(&report))?,
            }
        }
        JudgeCommand::Rubric(rubric) => rubric::run(args, rubric)?,
        JudgeCommand::Compare { first, second } => {
            let found = Drift::between(&JudgedItems::load(first)?, &JudgedItems::load(second)?)?;
            match args.json {
                true => print_json(&found)?,
                false => print(drift(&found))?,
            }
        }
    }
    Ok(Status::Ok)
}

fn sampled(args: &Args, sample: &CalibrationSample, out: &Path) -> Result<(), Failure> {
    let [key, html, csv] = sample.write(out)?;
    if args.json {
        return print_json(&[key, html, csv]);
    }
    let (drawn, judged, not_judged) = (sample.items.len(), sample.judged, sample.not_judged);
    print(format!(
        "drew {drawn} of {judged} judged items ({not_judged} were not judged)\n\
         give people one of {} and {}\nkeep {} from them: it has the judge's scores\n",
        html.display(),
        csv.display(),
        key.display()
    ))
}
