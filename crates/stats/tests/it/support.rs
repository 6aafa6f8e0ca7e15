//! Fixtures, and how close a figure has to be.

use std::{fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};

/// Relative, of figures with a closed form.
pub(crate) const CLOSE: f64 = 1e-12;

/// The cases of a file of `tests/fixtures`.
pub(crate) fn cases<T: DeserializeOwned>(name: &str) -> T {
    #[derive(Deserialize)]
    struct Fixture<T> {
        cases: T,
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str::<Fixture<T>>(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).cases
}

/// `actual` differs from `expected` by at most `tolerance` of it, or of 1 where it is smaller.
#[track_caller]
pub(crate) fn assert_close(actual: f64, expected: f64, tolerance: f64, what: &str) {
    let distance = (actual - expected).abs();
    assert!(distance <= tolerance * expected.abs().max(1.0), "{what}: {actual:e}, expected {expected:e}");
}

/// The same for probabilities, which may be tiny: relative, down to what SciPy itself rounds to 0.
#[track_caller]
pub(crate) fn assert_p(actual: f64, expected: f64, tolerance: f64, what: &str) {
    let distance = (actual - expected).abs();
    assert!(distance <= tolerance * expected.abs() + 1e-300, "{what}: {actual:e}, expected {expected:e}");
}
