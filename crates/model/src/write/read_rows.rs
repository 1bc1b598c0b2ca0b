//! Reads rows before they are written: consistently, and several in one request.

use std::sync::Arc;

use monotable_types::Item;
use monotable_types::limits::BATCH_GET_MAX;

use super::row;
use crate::backend::Row;
use crate::backend::request::{BatchGet, Get};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::retry::{Cause, Retry};

/// Reads a row consistently.
pub(crate) async fn read(context: &Context, key: Item) -> Result<Option<Item>> {
    let table = Arc::clone(&context.table_name);
    let request = Get { table, key, consistent: true, returns_units: false };
    let response = context.get(request).await?;
    Ok(response.row.map(Row::into_item).transpose()?)
}

/// Reads rows consistently, one for each requested key.
pub(super) async fn read_all(
    context: &Context,
    keys: Vec<Option<Item>>,
) -> Result<Vec<Option<Item>>> {
    let mut wanted: Vec<Item> = Vec::new();
    for key in keys.iter().flatten() {
        if !wanted.contains(key) {
            wanted.push(key.clone());
        }
    }
    let mut rows = Vec::new();
    match wanted.len() {
        0 => {}
        1 => rows.extend(read(context, wanted.remove(0)).await?),
        _ => {
            let mut retry = Retry::new();
            while !wanted.is_empty() {
                let rest = wanted.split_off(wanted.len().min(BATCH_GET_MAX));
                let request = BatchGet {
                    table: Arc::clone(&context.table_name),
                    keys: std::mem::replace(&mut wanted, rest),
                    consistent: true,
                    returns_units: false,
                };
                let response = context.batch_get(request).await?;
                let progress = !response.rows.is_empty();
                for row in response.rows {
                    rows.push(row.into_item()?);
                }
                if !response.unprocessed.is_empty() {
                    wanted.extend(response.unprocessed);
                    if progress {
                        retry = Retry::new();
                    }
                    if !retry.pause(&*context.backend, Cause::Throttled).await? {
                        return Err(Error::Incomplete { unprocessed: wanted.len() });
                    }
                }
            }
        }
    }
    let find = |key: Option<Item>| {
        let key = key?;
        rows.iter().find(|row| row::key_of(context, row) == key).cloned()
    };
    Ok(keys.into_iter().map(find).collect())
}
