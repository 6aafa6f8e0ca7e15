//! Tests of paired differences, and p-values of several of them.

use serde::Deserialize;
use slopbench_stats::{
    Resampling,
    adjust::{benjamini_hochberg, holm},
    effect::rank_biserial,
    permutation::paired_permutation,
    sign::sign_test,
    wilcoxon::{WilcoxonMethod, ZeroRule, wilcoxon},
};

use crate::support::{CLOSE, assert_close, assert_p, cases};

#[derive(Deserialize)]
struct SignedRanks {
    differences: Vec<f64>,
    pratt: bool,
    positive: f64,
    negative: f64,
    auto: f64,
    /// Where SciPy has an exact value.
    exact: Option<f64>,
    normal: f64,
    continuity: f64,
    rank_biserial: Option<f64>,
}

#[test]
fn wilcoxons_test_is_scipys_by_each_method_with_ties_and_zeros() {
    let cases = cases::<Vec<SignedRanks>>("wilcoxon.json");
    for case in &cases {
        let zeros = if case.pratt { ZeroRule::Pratt } else { ZeroRule::Wilcoxon };
        let p = |method| wilcoxon(&case.differences, zeros, method).unwrap().p;
        let what = format!("{} differences, {zeros:?}", case.differences.len());
        let test = wilcoxon(&case.differences, zeros, WilcoxonMethod::Auto).unwrap();
        assert_eq!((test.positive, test.negative), (case.positive, case.negative), "{what}");
        assert_p(test.p, case.auto, CLOSE, &what);
        assert_p(p(WilcoxonMethod::Normal { continuity: false }), case.normal, CLOSE, &what);
        assert_p(p(WilcoxonMethod::Normal { continuity: true }), case.continuity, CLOSE, &what);
        if let Some(expected) = case.exact {
            assert_p(p(WilcoxonMethod::Exact), expected, CLOSE, &what);
        }
        if let Some(expected) = case.rank_biserial {
            assert_close(rank_biserial(&case.differences, zeros).unwrap(), expected, CLOSE, &what);
        }
    }
    let with_ties = |case: &&SignedRanks| case.exact.is_some() && case.differences.contains(&0.0);
    assert!(cases.iter().filter(with_ties).count() > 10, "exact values with zeros are among the cases");
}

#[derive(Deserialize)]
struct Permuted {
    differences: Vec<f64>,
    mean: f64,
    p: f64,
    resamples: usize,
    seed: u64,
}

#[test]
fn permutations_are_scipys_and_draws_the_keystreams() {
    let cases = cases::<Vec<Permuted>>("permutation.json");
    assert!(cases.iter().any(|case| case.resamples > 1), "draws are among the cases");
    for case in cases {
        let resampling = Resampling { resamples: case.resamples, seed: case.seed };
        let test = paired_permutation(&case.differences, resampling).unwrap();
        assert_eq!(test.exact, case.resamples == 1);
        assert_close(test.mean, case.mean, CLOSE, "mean");
        assert_p(test.p, case.p, CLOSE, &format!("{} differences", test.n));
    }
}

#[derive(Deserialize)]
struct Signs {
    differences: Vec<f64>,
    positive: usize,
    negative: usize,
    p: f64,
}

#[test]
fn the_sign_test_is_scipys_binomial() {
    for case in cases::<Vec<Signs>>("sign.json") {
        let test = sign_test(&case.differences).unwrap();
        assert_eq!((test.positive, test.negative), (case.positive, case.negative));
        assert_p(test.p, case.p, CLOSE, &format!("{} of {}", test.positive, case.differences.len()));
    }
}

#[derive(Deserialize)]
struct Several {
    p: Vec<f64>,
    holm: Vec<f64>,
    benjamini_hochberg: Vec<f64>,
}

#[test]
fn several_tests_are_corrected_as_statsmodels_does() {
    for case in cases::<Vec<Several>>("adjust.json") {
        for (adjusted, expected) in
            [(holm(&case.p).unwrap(), case.holm), (benjamini_hochberg(&case.p).unwrap(), case.benjamini_hochberg)]
        {
            assert_eq!(adjusted.len(), expected.len());
            adjusted.iter().zip(expected).for_each(|(one, other)| assert_p(*one, other, CLOSE, "adjusted"));
        }
    }
}
