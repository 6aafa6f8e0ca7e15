//! Who starts a solution, and how it is talked to.

use crate::{http::Server, pytest::PytestSuite};

/// How a solution is tried.
#[derive(Debug)]
pub enum Harness {
    /// Cases: a program that is run once per case.
    Program,
    /// Cases: a server that is started once per case and asked over HTTP.
    Server(Server),
    /// Tests in SlopCodeBench's format: pytest starts the solution, as often as it likes.
    Pytest(PytestSuite),
}

impl Harness {
    /// How the server is started, where there is one.
    pub(crate) fn server(&self) -> Option<&Server> {
        match self {
            Self::Server(server) => Some(server),
            Self::Program | Self::Pytest(_) => None,
        }
    }

    /// The suite of tests, where there is one.
    pub fn pytest(&self) -> Option<&PytestSuite> {
        match self {
            Self::Pytest(suite) => Some(suite),
            Self::Program | Self::Server(_) => None,
        }
    }
}
