//! The database's own rows: table definitions, counts, chores and idempotency tokens.

use crate::layout::row_key::{AREA_PREFIX_BYTES, AreaId, SYSTEM_TABLE, TableId, area_prefix};

/// The number of the next table.
const NEXT_TABLE: AreaId = 0;
/// One row per table: its definition.
pub(crate) const TABLES: AreaId = 1;
/// One row per table: its counts.
const COUNTS: AreaId = 2;
/// One row per unfinished chore.
pub(crate) const CHORES: AreaId = 3;
/// One row per stored idempotency token.
const TOKENS: AreaId = 4;
/// The stored tokens in order of their expiry.
pub(crate) const TOKEN_EXPIRY: AreaId = 5;
/// How far the table files reach in the log, in stores on disk; see `store/checkpoint.rs`.
pub(crate) const CHECKPOINT: AreaId = 6;
/// One row per record of the layer above; see `op/records.rs`.
const RECORDS: AreaId = 7;

fn key(area: AreaId, rest: &[&[u8]]) -> Vec<u8> {
    let mut key = area_prefix(SYSTEM_TABLE, area).to_vec();
    rest.iter().for_each(|part| key.extend_from_slice(part));
    key
}

pub(crate) fn next_table_key() -> Vec<u8> {
    key(NEXT_TABLE, &[])
}

pub(crate) fn table_key(table: TableId) -> Vec<u8> {
    key(TABLES, &[&table.to_be_bytes()])
}

pub(crate) fn counts_key(table: TableId) -> Vec<u8> {
    key(COUNTS, &[&table.to_be_bytes()])
}

pub(crate) fn chore_key(kind: u8, table: TableId, area: AreaId) -> Vec<u8> {
    key(CHORES, &[&[kind], &table.to_be_bytes(), &area.to_be_bytes()])
}

pub(crate) fn token_key(token: &str) -> Vec<u8> {
    key(TOKENS, &[token.as_bytes()])
}

pub(crate) fn token_expiry_key(expiry_ms: u64, token: &str) -> Vec<u8> {
    key(TOKEN_EXPIRY, &[&expiry_ms.to_be_bytes(), token.as_bytes()])
}

/// Returns the row key of a record, which is also the prefix for records whose keys begin with it.
pub(crate) fn record_key(record: &str) -> Vec<u8> {
    key(RECORDS, &[record.as_bytes()])
}

/// Returns the key of a record, from its row key.
pub(crate) fn record_of_key(key: &[u8]) -> Option<&str> {
    std::str::from_utf8(key.get(AREA_PREFIX_BYTES..)?).ok()
}

/// Returns the token's own row key, from a row of [`TOKEN_EXPIRY`].
pub(crate) fn expiring_token(expiry_key: &[u8]) -> Option<Vec<u8>> {
    let (_, token) = expiry_key.get(AREA_PREFIX_BYTES..)?.split_first_chunk::<8>()?;
    Some(key(TOKENS, &[token]))
}

/// Returns the table that a row of [`TABLES`] or of the counts belongs to.
pub(crate) fn table_of_key(key: &[u8]) -> Option<TableId> {
    Some(TableId::from_be_bytes(key.get(AREA_PREFIX_BYTES..)?.try_into().ok()?))
}
