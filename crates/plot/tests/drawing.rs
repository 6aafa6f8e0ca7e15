//! Figures are drawn the same to the byte, and hold what their data holds.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use slopbench_plot::{
    Along, Axis, Datum, Emphasis, Figure, IntervalShape, Mark, Notation, Panel, ReferenceLine, Series,
};

fn phases() -> Axis {
    let names = ["Start", "Early", "Mid", "Late", "Final"];
    Axis::ordinal("", names.map(|name| (name.to_owned(), "n=93".to_owned())))
}

/// Values with an interval around each; `None` is a gap.
fn series(name: &str, values: [Option<f64>; 5]) -> Series {
    let datum = |(x, y): (usize, Option<f64>)| Datum {
        low: y.map(|y| y - 0.04),
        high: y.map(|y| y + 0.06),
        n: Some(90),
        missing: Some(3),
        ..Datum::at(x as f64, y)
    };
    Series { name: name.to_owned(), data: values.into_iter().enumerate().map(datum).collect(), ..Series::default() }
}

/// What is compared over progress: hues, markers, dashes, gaps, whiskers, an area, many thin lines, a reference.
fn progress() -> Figure {
    let strict = series("strict <script>&\"'", [Some(0.3), Some(0.22), None, Some(0.11), Some(0.05)]);
    let isolated = series("isolated", [Some(0.42), Some(0.35), Some(0.31), Some(f64::NAN), Some(0.2)]);
    let core = series("core", [0.61, 0.6, 0.55, 0.52, 0.5].map(Some));
    let many = (0..5).map(|number| {
        let values = [0.3, 0.34, 0.4, 0.41, 0.45].map(|value| Some(value + 0.03 * f64::from(number)));
        Series { emphasis: Emphasis::Context, ..series(&format!("model {number}"), values) }
    });
    let pooled = Series {
        emphasis: Emphasis::Strong,
        interval: IntervalShape::Band,
        annotation: "m +0.04".to_owned(),
        ..series("all", [0.36, 0.4, 0.46, 0.47, 0.51].map(Some))
    };
    let human = ReferenceLine {
        name: "human panel".to_owned(),
        along: Along::Values,
        at: 0.31,
        low: Some(0.28),
        high: Some(0.34),
        n: Some(48),
    };
    let solved = Panel {
        title: "Solved".to_owned(),
        x: phases(),
        y: Axis::linear("share of checkpoints", Notation::Percent).with([0.0]),
        series: vec![strict, isolated, core],
        ..Panel::default()
    };
    let erosion = Panel {
        title: "Erosion".to_owned(),
        x: phases(),
        y: Axis::linear("fraction", Notation::Number).with([0.0]),
        series: many.chain([pooled]).collect(),
        references: vec![human],
        ..Panel::default()
    };
    Figure {
        name: "progress".to_owned(),
        title: "Solve rates and erosion over progress".to_owned(),
        subtitle: "5 configurations\u{202e}, 20 problems".to_owned(),
        description: "Solve rates fall, erosion rises".to_owned(),
        synthetic: true,
        panels: vec![solved, erosion],
        context: "each of 5 configurations".to_owned(),
        notes: vec!["Checkpoints with a workspace; brackets are 95% intervals, problems drawn whole.".to_owned()],
        ..Figure::default()
    }
}

fn panel(title: &str, y: Axis, series: Vec<Series>) -> Panel {
    let x = Axis::linear("place", Notation::Number);
    Panel { title: title.to_owned(), x, y, series, ..Panel::default() }
}

fn points(name: &str, mark: Mark, places: &[(f64, f64)]) -> Series {
    let data = places.iter().map(|(x, y)| Datum::at(*x, Some(*y))).collect();
    Series { name: name.to_owned(), mark, data, ..Series::default() }
}

/// What data may be like: nothing, one point, below 0, of all sizes, not a number, not above 0 for a logarithm.
fn edges() -> Figure {
    let number = || Axis::linear("", Notation::Number);
    let huge = [(1.0, -1e308), (2.0, 1e308), (3.0, f64::INFINITY), (f64::NAN, 1.0)];
    let log = Axis::log("US dollars", Notation::Dollars);
    Figure {
        name: "edges".to_owned(),
        title: "What data may be like".to_owned(),
        panels: vec![
            panel("No series", number(), Vec::new()),
            panel("No value", number(), vec![points("a", Mark::Line, &[(1.0, f64::NAN)])]),
            panel("One point", number(), vec![points("a", Mark::Line, &[(3.0, 0.25)])]),
            Panel {
                x: phases(),
                ..panel("Below 0", number(), vec![points("a", Mark::Bar, &[(1.0, -3.0), (2.0, 2.0), (4.0, -0.5)])])
            },
            panel("All sizes", number(), vec![points("a", Mark::Line, &huge)]),
            panel(
                "Logarithms",
                log,
                vec![points("a", Mark::Line, &[(1.0, 0.02), (2.0, 0.0), (3.0, 5.0), (4.0, 70.0)])],
            ),
        ],
        ..Figure::default()
    }
}

/// Bars, steps, points beside a diagonal, names down the side, text.
fn forms() -> Figure {
    let names = ["erosion, CC > 10", "verbosity", "a name that is far longer than there is room for beside a plot"];
    let named = Axis::ordinal("", names.map(|name| (name.to_owned(), String::new())));
    let with_interval = |name: &str, shift: f64| Series {
        mark: Mark::Point,
        data: (0..3_u32)
            .map(|row| {
                let y = f64::from(row) * 0.2 - 0.3 + shift;
                Datum { low: Some(y - 0.1), high: Some(y + 0.1), n: Some(31), ..Datum::at(f64::from(row), Some(y)) }
            })
            .collect(),
        ..points(name, Mark::Point, &[])
    };
    let bars = |name: &str, values: [f64; 3]| {
        let places: Vec<_> = (0..3_u32).map(f64::from).zip(values).collect();
        points(name, Mark::Bar, &places)
    };
    let first = ["First", "Middle", "Final"].map(|name| (name.to_owned(), String::new()));
    let diagonal = ReferenceLine {
        name: "the same".to_owned(),
        along: Along::Diagonal,
        at: 0.0,
        low: Some(-0.5),
        high: Some(0.5),
        n: None,
    };
    let place = ReferenceLine {
        along: Along::Positions,
        name: "release".to_owned(),
        at: 2.0,
        low: None,
        high: None,
        ..diagonal.clone()
    };
    let mut labelled = points("pass rate", Mark::Step, &[(0.0, 1.0), (2.0, 2.0), (4.0, 3.0)]);
    labelled.data[2].label = "the last".to_owned();
    let mut text = points("", Mark::Text, &[(1.0, 2.5)]);
    text.data[0].label = "here".to_owned();
    let scatter = points("cost", Mark::Point, &[(1.0, 1.2), (2.0, 1.8), (3.0, 3.3)]);
    Figure {
        name: "forms".to_owned(),
        title: "Forms of marks".to_owned(),
        panels: vec![
            Panel {
                x: named,
                flipped: true,
                series: vec![with_interval("pass rate", 0.0), with_interval("cost", 0.15)],
                ..panel("Down the side", Axis::linear("Spearman's ρ", Notation::Signed), Vec::new())
            },
            Panel {
                x: Axis::ordinal("", first),
                ..panel(
                    "Bars",
                    Axis::linear("", Notation::Number),
                    vec![bars("pass rate", [0.2, 0.5, 0.4]), bars("cost", [0.1, -0.2, 0.3])],
                )
            },
            Panel {
                references: vec![place],
                ..panel("Steps", Axis::linear("", Notation::Number), vec![labelled, text])
            },
            Panel { references: vec![diagonal], ..panel("Pairs", Axis::linear("", Notation::Number), vec![scatter]) },
        ],
        ..Figure::default()
    }
}

#[test]
fn figures_are_drawn_the_same_to_the_byte() {
    insta::assert_binary_snapshot!("progress.svg", progress().svg().into_bytes());
    insta::assert_binary_snapshot!("narrow.svg", progress().svg_of_width(400.0).into_bytes());
    insta::assert_binary_snapshot!("edges.svg", edges().svg().into_bytes());
    insta::assert_binary_snapshot!("forms.svg", forms().svg().into_bytes());
}

#[test]
fn no_coordinate_is_anything_but_a_number() {
    for figure in [progress(), edges(), forms(), Figure::default()] {
        let svg = figure.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf\"") && !svg.contains("inf "), "{}", figure.name);
        // Nothing is drawn outside, however wide the data.
        let places = svg.split(" x=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
        assert!(places.clone().all(|x| (-1.0..=641.0).contains(&x)), "{}: {places:?}", figure.name);
    }
}

#[test]
fn foreign_text_is_no_markup_and_turns_nothing() {
    let svg = progress().svg();
    assert!(!svg.contains("<script") && svg.contains("strict &lt;script&gt;&amp;&quot;&#39;"), "{svg}");
    assert!(!svg.contains('\u{202e}') && svg.contains("5 configurations\u{fffd}"), "{svg}");
}

#[test]
fn a_missing_value_is_a_gap_that_is_told() {
    let svg = progress().svg();
    // Of three lines with five points each, two have a gap.
    assert_eq!(svg.matches("n = 90 (3 missing)</title>").count(), 4 + 4 + 5 + 5);
    assert!(svg.contains("isolated from 0.420 at Start") || svg.contains("isolated from 42.0% at Start"), "{svg}");
    assert!(svg.contains("1 without a value"), "{svg}");
    assert!(svg.contains("human panel: 0.310 [0.280, 0.340], n = 48"), "{svg}");
}

#[test]
fn the_data_is_had_as_json_and_as_csv() {
    let figure = progress();
    let mut without = figure.clone();
    // JSON has no number that is none.
    without.panels[0].series[1].data[3] = Datum::at(3.0, None);
    let json = serde_json::to_string(&without).unwrap();
    assert_eq!(serde_json::from_str::<Figure>(&json).unwrap(), without);
    let csv = String::from_utf8(figure.csv().unwrap()).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 1 + 3 * 5 + 6 * 5 + 1);
    assert_eq!(rows[0], "figure,panel,series,drawn,x,position,y,low,high,n,missing,name,synthetic");
    assert_eq!(rows[1], "progress,Solved,\"strict <script>&\"\"'\",line,0,Start,0.3,0.26,0.36,90,3,,true");
    assert_eq!(rows[9], "progress,Solved,isolated,line,3,Late,,,,90,3,,true");
    assert_eq!(rows[46], "progress,Erosion,human panel,reference,,,0.31,0.28,0.34,48,,,true");
}
