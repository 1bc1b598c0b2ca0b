//! Adds the primary key to the error of a row that cannot be decoded. It costs almost nothing as
//! long as rows can be decoded.

use monotable_design::meta::{EntityMeta, TableMeta};
use monotable_types::AttributeValue;

use crate::backend::{Aside, Row};
use crate::entity::RowSet;
use crate::error::{Error, Result};
use crate::key::ParsedParts;

/// Decodes a row as the entity at a position of the set. An error contains the key of the row.
pub(crate) fn make<S: RowSet>(
    table: &TableMeta,
    position: usize,
    row: Row,
    parts: &ParsedParts,
) -> Result<S> {
    let (row, label) = Label::take(table, S::ENTITIES[position], row);
    S::decode(position, row, parts).map_err(|error| label.name(error))
}

/// The key attributes of a row that is being decoded.
struct Label {
    /// The key attributes that fields are read from as well.
    copied: [Option<AttributeValue>; 2],
    aside: Aside,
}

impl Label {
    /// Takes the key attributes that no field is read from out of a row, and copies the others.
    fn take(table: &TableMeta, entity: &EntityMeta, mut row: Row) -> (Row, Self) {
        let key = [Some(table.partition_key), table.sort_key];
        let read = key.map(|name| name.filter(|name| is_read(entity, name)));
        let copied = read.map(|name| row.get(name?));
        let aside = row.set_aside(key.map(|name| name.filter(|name| !read.contains(&Some(*name)))));
        (row, Self { copied, aside })
    }

    /// Adds the key to the message of a row that cannot be decoded.
    #[cold]
    fn name(self, error: Error) -> Error {
        match error {
            Error::Decode { entity, message } => {
                let values = self.copied.into_iter().zip(self.aside.values());
                let values: Vec<_> =
                    values.filter_map(|(copied, aside)| copied.or(aside)).collect();
                let texts: Vec<_> = values.iter().filter_map(AttributeValue::as_s).collect();
                Error::Decode { entity, message: format!("`{}`: {message}", texts.join(" / ")) }
            }
            other => other,
        }
    }
}

/// Returns whether a field of an entity is read from an attribute.
fn is_read(entity: &EntityMeta, attribute: &str) -> bool {
    entity
        .fields
        .iter()
        .any(|field| field.attribute == attribute || field.aliases.contains(&attribute))
}
