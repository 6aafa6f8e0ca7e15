//! SQLite databases: the rows that a query of the case's finds.
//!
//! What its makers advise for files from strangers (sqlite.org/security.html) is done: a defensive connection, a schema that is not
//! trusted, an authorizer, bounds on everything. A rollback journal is not played back: it can name other files to be
//! removed.

use std::fs;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rusqlite::{
    Connection, Error, OpenFlags,
    config::DbConfig,
    hooks::{AuthAction, AuthContext, Authorization},
    limits::Limit,
    types::ValueRef,
};
use serde_json::Value;

use crate::json_pattern::JsonPattern;

/// The end of the name of the file that holds what was committed last, where a database is in WAL mode and was not closed.
pub(crate) const WAL: &str = "-wal";

/// How many steps of its virtual machine a query may take: seconds, on a slow machine.
const MOST_STEPS: u64 = 100_000_000;

/// Between two looks at the number of steps.
const STEPS: i32 = 10_000;

/// How many rows a query may find, and of how many bytes.
const MOST_ROWS: usize = 10_000;
const MOST_BYTES: usize = 16 << 20;

/// How large one text or blob may be, in bytes.
const LONGEST: i32 = 16 << 20;

/// All that SQLite may take in this process, in bytes.
const HEAP: u64 = 256 << 20;

/// A query and what its rows must be.
#[derive(Clone, Debug)]
pub(crate) struct QueryExpectation {
    pub(crate) query: String,
    pub(crate) rows: JsonPattern,
}

/// The rows that a query finds in a database, as an array of arrays in JSON: integers and floating-point numbers as numbers,
/// text as a string, a blob as a string in base64, NULL as null.
///
/// # Errors
///
/// In a few words, why it finds nothing.
pub(crate) fn query(database: &[u8], wal: Option<&[u8]>, query: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot be looked into: {error}"))?;
    let path = folder.path().join("db");
    let write = || -> std::io::Result<()> {
        fs::write(&path, database)?;
        wal.map_or(Ok(()), |wal| fs::write(folder.path().join(format!("db{WAL}")), wal))
    };
    write().map_err(|error| format!("cannot be looked into: {error}"))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let rows = Connection::open_with_flags(&path, flags).and_then(|mut connection| {
        defend(&mut connection)?;
        rows(&connection, query)
    });
    match rows.map_err(|error| in_words(&error))? {
        Some(rows) => Ok(Value::Array(rows).to_string()),
        None => Err(format!("it finds more than {MOST_ROWS} rows, or {} MB of them", MOST_BYTES >> 20)),
    }
}

/// Says what is wrong with a query before there is a database: tables are not known yet.
///
/// # Errors
///
/// In a few words, what is wrong.
pub(crate) fn check_query(query: &str) -> Result<(), String> {
    let checked = Connection::open_in_memory().and_then(|mut connection| {
        defend(&mut connection)?;
        connection.prepare(query).map(|statement| statement.column_count())
    });
    match checked.map_err(|error| in_words(&error)) {
        Ok(0) => Err("no query: it finds no rows".to_owned()),
        Err(error) if !error.contains("no such table") => Err(format!("no query: {error}")),
        _ => Ok(()),
    }
}

/// Before the first look at the file.
fn defend(connection: &mut Connection) -> rusqlite::Result<()> {
    for (setting, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    ] {
        connection.set_db_config(setting, value)?;
    }
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, LONGEST),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, value)?;
    }
    let mut steps = 0;
    let is_enough = move || {
        steps += u64::from(STEPS.unsigned_abs());
        steps > MOST_STEPS
    };
    connection.progress_handler(STEPS, Some(is_enough))?;
    // Without a file of shared memory beside it; what is temporary stays in memory, which is bounded.
    connection.execute_batch(&format!(
        "PRAGMA hard_heap_limit = {HEAP}; PRAGMA mmap_size = 0; PRAGMA locking_mode = EXCLUSIVE; \
         PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON; PRAGMA query_only = ON"
    ))?;
    connection.authorizer(Some(|context: AuthContext<'_>| match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive | AuthAction::Function { .. } => {
            Authorization::Allow
        }
        // As the modules of virtual tables ask.
        AuthAction::Pragma { pragma_value: None, .. } => Authorization::Allow,
        _ => Authorization::Deny,
    }))
}

/// Nothing if there is too much.
fn rows(connection: &Connection, query: &str) -> rusqlite::Result<Option<Vec<Value>>> {
    let mut statement = connection.prepare(query)?;
    let columns = statement.column_count();
    let (mut found, mut rows, mut bytes) = (Vec::new(), statement.query([])?, 0);
    while let Some(row) = rows.next()? {
        let values = (0..columns).map(|column| row.get_ref(column).map(value)).collect::<Result<Vec<_>, _>>()?;
        bytes += values.iter().filter_map(Value::as_str).map(str::len).sum::<usize>();
        found.push(Value::Array(values));
        if found.len() > MOST_ROWS || bytes > MOST_BYTES {
            return Ok(None);
        }
    }
    Ok(Some(found))
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        // JSON has no infinity.
        ValueRef::Real(number) if !number.is_finite() => number.to_string().into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
        ValueRef::Blob(bytes) => BASE64_STANDARD.encode(bytes).into(),
    }
}

fn in_words(error: &Error) -> String {
    match error {
        Error::SqliteFailure(code, _) if code.code == rusqlite::ErrorCode::OperationInterrupted => {
            format!("the query takes more than {MOST_STEPS} steps")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// A database that was made by these statements, and what lies beside it before it is closed.
    fn database(statements: &str) -> (Vec<u8>, Option<Vec<u8>>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(statements).unwrap();
        (fs::read(&path).unwrap(), fs::read(folder.path().join("x.db-wal")).ok())
    }

    #[test]
    fn rows_come_out_as_json() {
        let (bytes, _) = database(
            "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2.5, NULL), (9223372036854775807, x'ff'), (9e999, 1.0)",
        );
        let expected = r#"[[1,"x"],[2.5,null],[9223372036854775807,"/w=="],["inf",1.0]]"#;
        assert_eq!(query(&bytes, None, "SELECT a, b FROM t ORDER BY rowid").unwrap(), expected);
        assert_eq!(query(&bytes, None, "SELECT count(*) FROM t WHERE a > 2").unwrap(), "[[3]]");
        assert!(query(&bytes, None, "SELECT x FROM t").unwrap_err().contains("no such column: x"));
        assert!(query(b"no database, though long enough to be one", None, "SELECT 1 FROM t").is_err());
        assert!(query(b"", None, "SELECT 1 FROM t").unwrap_err().contains("no such table"));
    }

    /// Committed, but not yet moved into the database's own file: a program that was killed leaves it so.
    #[test]
    fn what_is_in_the_write_ahead_log_counts() {
        let (bytes, wal) = database("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (7)");
        assert!(query(&bytes, None, "SELECT a FROM t").is_err());
        assert_eq!(query(&bytes, wal.as_deref(), "SELECT a FROM t").unwrap(), "[[7]]");
    }

    #[test]
    fn full_text_search_is_there() {
        let (bytes, _) = database("CREATE VIRTUAL TABLE t USING fts5(a); INSERT INTO t VALUES ('one two'), ('three')");
        assert_eq!(query(&bytes, None, "SELECT a FROM t WHERE t MATCH 'two'").unwrap(), r#"[["one two"]]"#);
    }

    #[test]
    fn a_hostile_schema_has_no_power() {
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT";
        let (bytes, _) = database(&format!(
            "CREATE VIEW t AS {endless} i FROM n; CREATE VIEW u AS {endless} zeroblob(9000000) b FROM n; \
            CREATE VIEW v AS SELECT load_extension('x'); CREATE VIEW w AS SELECT zeroblob(100000000) b"
        ));
        let fails = |text: &str| query(&bytes, None, text).unwrap_err();
        assert!(fails("SELECT count(*) FROM t").contains("takes more than"));
        assert!(fails("SELECT i FROM t").contains("more than 10000 rows"));
        assert_eq!(fails("SELECT b FROM u ORDER BY b"), "out of memory");
        assert!(fails("SELECT * FROM v").contains("load_extension"));
        assert!(fails("SELECT b FROM w").contains("too big"));
        for forbidden in ["ATTACH '/tmp/x.db' AS x", "DELETE FROM t", "PRAGMA query_only = OFF", "CREATE TABLE x (a)"] {
            assert!(query(&bytes, None, forbidden).is_err(), "{forbidden}");
        }
    }

    #[test]
    fn a_query_is_checked_before_there_is_a_database() {
        assert_eq!(check_query("SELECT a, b FROM t ORDER BY a"), Ok(()));
        assert_eq!(check_query("SELECT 1"), Ok(()));
        for (text, expected) in [
            ("SELEC a", "no query: near \"SELEC\": syntax error"),
            ("", "no query: "),
            ("CREATE TABLE t (a)", "no query: not authorized"),
            ("SELECT 1; SELECT 2", "no query: Multiple statements"),
            ("PRAGMA query_only = OFF", "no query: not authorized"),
        ] {
            let found = check_query(text).unwrap_err();
            assert!(found.starts_with(expected), "{text}: {found}");
        }
    }
}
