//! The check that somebody else's solution passes, too.

use slopbench_tests::{Problem, TRACKS, Track};

use crate::{
    Error,
    plays::evidence,
    report::CheckEvidence,
    subject::{Findings, Subject},
};

/// The tracks in which a problem has solutions beside Python's.
pub fn other_tracks(problem: &Problem) -> Vec<Track> {
    let tracks = TRACKS.iter().map(|definition| definition.track).filter(|track| *track != Track::Python);
    tracks.filter(|track| problem.dir.join("solution").join(track.definition().name).is_dir()).collect()
}

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let tracks = other_tracks(subject.problem);
    if tracks.is_empty() {
        return Ok(Findings::not_done(
            "no second solution stands in the folder: solution/ has no other track than python",
        ));
    }
    let (mut seen, mut flaws) = (Vec::new(), Vec::new());
    for track in tracks {
        let problem = Problem::load(&subject.problem.dir)?.in_track(track);
        for number in problem.checkpoints.iter().map(|checkpoint| checkpoint.number) {
            let solution = problem.reference(number);
            if !solution.is_dir() {
                flaws.push(format!("the second solution, in {track}, ends before checkpoint {number}"));
                continue;
            }
            let (context, what, cases) = (&subject.context.grading, format!("in {track}"), problem.suite(number));
            let plays = subject.log.play(context, &problem, &solution, &what, &cases)?;
            let play = evidence(number, &what, &plays);
            let flaw = |failure| format!("the second solution, in {track}, fails at checkpoint {number} {failure}");
            flaws.extend(play.failure.as_ref().map(flaw));
            seen.push(play);
        }
    }
    Ok(Findings::new(CheckEvidence::Plays(seen), flaws, Vec::new()))
}
