//! Figures show what tables hold, the same to the byte.

use slopbench_analysis::{Cell, FIGURES, RunSet, figures, tables};
use slopbench_plot::{Along, Emphasis, Figure, Mark};
use slopbench_synthetic::SyntheticStudy;

use crate::support::written;

fn drawn(set: &RunSet, names: &[&str]) -> Vec<Figure> {
    let chosen: Vec<_> = match names {
        [] => FIGURES.iter().collect(),
        names => names.iter().map(|name| figures::find(name).unwrap()).collect(),
    };
    figures::build(set, &chosen, &[]).unwrap()
}

fn value(set: &RunSet, table: &str, row: usize, column: &str) -> Option<f64> {
    tables::find(table).unwrap().of(set).unwrap().cell(row, column).and_then(Cell::value)
}

#[test]
fn figures_of_a_small_study_are_the_same_to_the_byte() {
    let study = written(&SyntheticStudy::small(1));
    for figure in drawn(&study.set, &["overview", "figure-2", "figure-4"]) {
        insta::assert_binary_snapshot!(&format!("{}.svg", figure.name), figure.svg().into_bytes());
    }
    let again = written(&SyntheticStudy::small(1));
    let (first, second) = (drawn(&study.set, &[]), drawn(&again.set, &[]));
    assert!(first.len() >= FIGURES.len(), "{}", first.len());
    for (first, second) in first.iter().zip(&second) {
        assert_eq!(first.svg(), second.svg(), "{}", first.name);
        assert_eq!(first.csv().unwrap(), second.csv().unwrap(), "{}", first.name);
    }
}

#[test]
fn a_figure_has_the_cells_of_its_table() {
    let set = written(&SyntheticStudy::small(1)).set;
    let [solved] = &drawn(&set, &["figure-2"])[..] else { panic!("one figure") };
    let table = tables::find("figure-2").unwrap().of(&set).unwrap();
    let strict = &solved.panels[0].series[0];
    assert_eq!((strict.name.as_str(), strict.data.len()), ("strict", 5));
    for (phase, datum) in strict.data.iter().enumerate() {
        let Some(Cell::Figure(of)) = table.cell(phase, "strict") else { panic!("a statistic") };
        assert_eq!((datum.y, datum.low, datum.high), (Some(of.value), of.low, of.high));
        assert_eq!((datum.n, datum.missing), (Some(of.n), Some(of.missing)));
    }
    let [beside] = &drawn(&set, &["figure-4"])[..] else { panic!("one figure") };
    let human = &beside.panels[1].references[0];
    assert_eq!((human.along, human.n), (Along::Values, Some(48)));
    assert_eq!(Some(human.at), value(&set, "table-2", 3, "erosion"));
    // Pooled, then each configuration.
    let emphases: Vec<_> = beside.panels[1].series.iter().map(|series| series.emphasis).collect();
    assert_eq!(emphases, [vec![Emphasis::Strong], vec![Emphasis::Normal; 4]].concat());
    let [sensitivity] = &drawn(&set, &["sensitivity"])[..] else { panic!("one figure") };
    let panel = &sensitivity.panels[0];
    assert!(panel.flipped && panel.series[1].mark == Mark::Point && panel.x.ticks.len() == 12);
    assert_eq!(panel.series[1].data[3].y, value(&set, "table-6", 3, "cost_spearman"));
}

#[test]
fn prompts_have_a_figure_for_each_model_with_slopes() {
    let set = written(&SyntheticStudy::small(1)).set;
    let figures = drawn(&set, &["figure-5"]);
    let names: Vec<_> = figures.iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(names, ["figure-5-1", "figure-5-2"]);
    for figure in &figures {
        assert_eq!((figure.panels.len(), figure.synthetic), (5, true));
        for series in figure.panels.iter().flat_map(|panel| &panel.series) {
            assert!(series.annotation.starts_with("m +") || series.annotation.starts_with("m -"), "{series:?}");
        }
    }
}

#[test]
fn tables_that_are_made_already_are_shown() {
    let set = written(&SyntheticStudy::small(1)).set;
    let mut table = tables::find("figure-2").unwrap().of(&set).unwrap();
    table.notes = vec!["made already".to_owned()];
    let figures = figures::build(&set, &[figures::find("figure-2").unwrap()], &[table]).unwrap();
    assert_eq!(figures[0].notes, ["made already"]);
}

#[test]
fn of_what_is_missing_there_are_gaps_and_of_nothing_no_data() {
    let mut set = written(&SyntheticStudy::small(1)).set;
    for row in set.rows.iter_mut().filter(|row| row.checkpoint == 2) {
        row.code = None;
    }
    let nobody = RunSet::default();
    for set in [&set, &nobody] {
        for figure in drawn(set, &[]) {
            let svg = figure.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{}", figure.name);
            assert!(svg.contains("role=\"img\"") && svg.contains("</desc>"), "{}", figure.name);
        }
    }
    // Without runs, nothing was told in several ways, and nothing else has a value of these runs'.
    let empty = drawn(&nobody, &[]);
    assert!(empty.iter().all(|figure| figure.name != "figure-5"));
    let of_runs = empty.iter().flat_map(|figure| &figure.panels).flat_map(|panel| &panel.series);
    assert!(of_runs.flat_map(|series| &series.data).all(|datum| datum.value().is_none()));
}

#[test]
fn many_configurations_are_thin_lines_beside_all_of_them() {
    let models = (1..=5).map(|number| format!("synthetic-{number}")).collect();
    let set = written(&SyntheticStudy { models, ..SyntheticStudy::small(3) }).set;
    let [figure] = &drawn(&set, &["figure-3"])[..] else { panic!("one figure") };
    assert_eq!(figure.context, "each of 10 configurations");
    let thin = figure.panels[0].series.iter().filter(|series| series.emphasis == Emphasis::Context).count();
    assert_eq!((figure.panels[0].series.len(), thin), (11, 10));
    let svg = figure.svg();
    assert!(svg.contains("<title>synthetic-3, anti_slop</title>") && svg.contains(">each of 10 configurations</text>"));
}
