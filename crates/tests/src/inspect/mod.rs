//! A look into files that are no text: databases and archives, as a solution wrote them.
//!
//! Outside of any sandbox, so that what is expected of them enters none. The bytes are hostile: everything that reading them
//! takes is bounded, by amounts and never by a clock, and nothing is unpacked to the machine.

mod archive;
mod sqlite;

pub(crate) use archive::{ArchiveKind, members};
pub(crate) use sqlite::{QueryExpectation, WAL, check_query, query};
