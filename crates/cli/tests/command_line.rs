//! What the binary answers, as data: `tests/cmd/*.trycmd`. `TRYCMD=overwrite` accepts what it says now.

#[test]
fn answers_are_as_written() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").default_bin_name("slopbench");
}
