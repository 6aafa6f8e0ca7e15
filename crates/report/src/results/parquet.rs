//! Apache Parquet, which pandas, Polars, DuckDB and R read with types and missing values as they are.

use std::sync::Arc;

use parquet::{
    basic::{LogicalType, Repetition, Type as PhysicalType},
    column::writer::ColumnWriter,
    data_type::ByteArray,
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::types::{Type, TypePtr},
};
use slopbench_analysis::{
    TidyRow,
    columns::{COLUMNS, ColumnValues, TidyColumn},
};

use super::error::ExportError;

/// Every observation: a row per checkpoint, a column each as in CSV. All columns may be null.
///
/// # Errors
///
/// [`ExportError::Parquet`] if a column is not as its type: a bug.
pub fn observations_parquet(rows: &[TidyRow]) -> Result<Vec<u8>, ExportError> {
    write(rows).map_err(|error| ExportError::Parquet(error.to_string()))
}

fn write(rows: &[TidyRow]) -> Result<Vec<u8>, ParquetError> {
    let fields = COLUMNS.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("observations").with_fields(fields).build()?);
    let created_by = format!("slopbench {}", env!("CARGO_PKG_VERSION"));
    let properties = Arc::new(WriterProperties::builder().set_created_by(created_by).build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties)?;
    let mut group = writer.next_row_group()?;
    for column in COLUMNS {
        let Some(mut open) = group.next_column()? else { break };
        put(open.untyped(), column, rows)?;
        open.close()?;
    }
    group.close()?;
    writer.into_inner()
}

fn field(column: &TidyColumn) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match column.values {
        ColumnValues::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnValues::Flag(_) => (PhysicalType::BOOLEAN, None),
        ColumnValues::Integer(_) => (PhysicalType::INT64, None),
        ColumnValues::Real(_) => (PhysicalType::DOUBLE, None),
    };
    let builder = Type::primitive_type_builder(column.name, physical);
    Ok(Arc::new(builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()?))
}

fn put(writer: &mut ColumnWriter<'_>, column: &TidyColumn, rows: &[TidyRow]) -> Result<(), ParquetError> {
    match (writer, column.values) {
        (ColumnWriter::ByteArrayColumnWriter(writer), ColumnValues::Text(of)) => {
            let (values, levels) = split(rows, |row| of(row).map(|text| ByteArray::from(text.into_bytes())));
            writer.write_batch(&values, Some(&levels), None)?;
        }
        (ColumnWriter::BoolColumnWriter(writer), ColumnValues::Flag(of)) => {
            let (values, levels) = split(rows, of);
            writer.write_batch(&values, Some(&levels), None)?;
        }
        (ColumnWriter::Int64ColumnWriter(writer), ColumnValues::Integer(of)) => {
            let (values, levels) = split(rows, of);
            writer.write_batch(&values, Some(&levels), None)?;
        }
        (ColumnWriter::DoubleColumnWriter(writer), ColumnValues::Real(of)) => {
            let (values, levels) = split(rows, of);
            writer.write_batch(&values, Some(&levels), None)?;
        }
        _ => return Err(ParquetError::General(format!("the column {} has another type", column.name))),
    }
    Ok(())
}

/// The values that are there, and for each row whether one is: its definition level.
fn split<T>(rows: &[TidyRow], of: impl Fn(&TidyRow) -> Option<T>) -> (Vec<T>, Vec<i16>) {
    let values: Vec<Option<T>> = rows.iter().map(of).collect();
    let levels = values.iter().map(|value| i16::from(value.is_some())).collect();
    (values.into_iter().flatten().collect(), levels)
}
