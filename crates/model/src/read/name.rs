//! The name of a row that can't be read: its primary key. It costs nothing as long as rows can be read.

use monotable_design::meta::{EntityMeta, TableMeta};
use monotable_types::{AttributeValue, Item};

use crate::backend::Row;
use crate::entity::RowSet;
use crate::error::{Error, Result};
use crate::key::ParsedParts;

/// Makes the value of a row that is the entity at a position of the set. An error names the row.
pub(crate) fn make<S: RowSet>(
    table: &TableMeta,
    position: usize,
    row: Row,
    parts: &ParsedParts,
) -> Result<S> {
    let mut row = row.into_item();
    let attributes = [Some(table.partition_key), table.sort_key];
    let key = attributes.map(|attribute| taken(S::ENTITIES[position], &mut row, attribute?));
    S::decode(position, row.into(), parts).map_err(|error| match error {
        Error::Decode { entity, message } => {
            Error::Decode { entity, message: format!("`{}`: {message}", text(&key)) }
        }
        other => other,
    })
}

/// The value of a key attribute: out of the row, unless a field is read from it.
fn taken(entity: &EntityMeta, row: &mut Item, attribute: &str) -> Option<AttributeValue> {
    let is_read = entity
        .fields
        .iter()
        .any(|field| field.attribute == attribute || field.aliases.contains(&attribute));
    if is_read { row.get(attribute).cloned() } else { row.remove(attribute) }
}

fn text(key: &[Option<AttributeValue>]) -> String {
    let texts: Vec<&str> = key.iter().flatten().filter_map(AttributeValue::as_s).collect();
    texts.join(" / ")
}
