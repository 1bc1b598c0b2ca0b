//! Rows that can't be read as their entity, and are to be deleted all the same: what exists because of
//! them is told by their attributes.

use monotable_design::meta::EntityMeta;
use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item};

use super::change::own_row;
use super::plan::PlannedWrite;
use super::presence::{self, Presence};
use super::{mirror, row, unique};
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::{KeyError, Parts};

/// The writes that delete a row with its sentinels and mirrors. `error` says why it can't be read; it
/// stays the answer where only the entity tells which mirrors there are.
pub(super) fn delete(
    context: &Context,
    entity: &'static EntityMeta,
    key: Item,
    stored: &Item,
    error: Error,
) -> Result<Vec<PlannedWrite>> {
    let attributes = Attributes { entity, stored };
    let key_error = |error| Error::Key { entity: entity.name, error };
    let mut beside = unique::releases(context, entity, &key, &attributes).map_err(key_error)?;
    for one in entity.mirrors {
        let Some(templates) = &one.key else { return Err(error) };
        let delete = mirror::delete_by(context, entity, templates, &attributes);
        beside.extend(delete.map_err(key_error)?);
    }
    let deciding = entity.unique.iter().flat_map(|constraint| constraint.fields).copied();
    let deciding = deciding.chain(entity.version).filter_map(|field| row::holder_of(entity, field));
    let same = deciding.map(|attribute| match stored.get(attribute) {
        Some(value) => path(attribute).eq(value.clone()),
        None => attribute_not_exists(attribute),
    });
    let present = Presence::of(context, entity).present();
    let condition = same.fold(present, Condition::and);
    let failure = presence::changed(context, entity, None);
    let action = Action::Delete(key);
    let mut writes = vec![own_row(context, action, Some(condition), Returns::Nothing, failure)];
    writes.extend(beside);
    Ok(writes)
}

/// The fields of a row as its attributes say them, as far as they are texts and numbers.
struct Attributes<'a> {
    entity: &'static EntityMeta,
    stored: &'a Item,
}

impl Parts for Attributes<'_> {
    fn write_part(&self, position: u16, pad: u8, text: &mut String) -> Result<bool, KeyError> {
        let attribute = row::attribute_of(self.entity, position);
        match attribute.and_then(|attribute| self.stored.get(attribute)) {
            Some(AttributeValue::S(value)) => text.push_str(value),
            Some(AttributeValue::N(number)) => {
                text.push_str(&format!("{:0>1$}", number.to_string(), usize::from(pad)));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
