//! Deletes or replaces rows that cannot be decoded as their entity: their attributes determine
//! their derived rows.

use monotable_design::meta::EntityMeta;
use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item};

use super::change::{Unfit, merged, own_row};
use super::erased::{SharedEntity, make_mut};
use super::plan::{Plan, PlannedWrite};
use super::presence::{self, Presence};
use super::send::key_of;
use super::{mirror, row, unique};
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::Moment;
use crate::error::{Error, Result};
use crate::key::{KeyError, Parts};

/// Returns the writes that delete a row with its sentinels and mirrors. `error` is the error of
/// decoding it, which is returned if only the entity determines its mirrors.
pub(super) fn delete(
    context: &Context,
    entity: &'static EntityMeta,
    key: Item,
    stored: &Item,
    error: Error,
) -> Result<Vec<PlannedWrite>> {
    let derived = given_up(context, entity, &key, stored, error)?;
    let mut writes = vec![own(context, entity, Action::Delete(key), stored)];
    writes.extend(derived);
    Ok(writes)
}

/// Returns the plan that replaces a row with an entity. Unknown attributes are kept, and the
/// version increases if the row has one.
pub(super) fn replace(
    context: &Context,
    key: Item,
    stored: &Item,
    mut new: SharedEntity,
    error: Error,
) -> Result<Plan> {
    let entity = new.meta();
    let version = entity.version.and_then(|field| row::attribute_of(entity, field));
    let version = version.and_then(|attribute| stored.get(attribute)?.as_n()?.to_u64());
    let written = make_mut(&mut new);
    written.set_version(version.unwrap_or_default().saturating_add(1));
    written.stamp(context.now(), Moment::Created);
    let row = match merged(context, stored, &Item::new(), &*new, new.fields()?) {
        Err(Error::Encode { .. }) => row::encode(context, &*new)?,
        row => row?,
    };
    let given_up = given_up(context, entity, &key, stored, error)?;
    let mut taken = Vec::new();
    for sentinel in unique::sentinels(context, &*new, Unfit::Error)? {
        taken.push(sentinel.claim(context));
    }
    for mirror in mirror::mirrors(context, &*new, Unfit::Error)? {
        taken.push(mirror.put(context));
    }
    let is_taken = |given_up: &PlannedWrite| {
        let key = key_of(context, &given_up.write);
        taken.iter().any(|taken| key_of(context, &taken.write) == key)
    };
    let given_up: Vec<_> = given_up.into_iter().filter(|one| !is_taken(one)).collect();
    let mut writes = vec![own(context, entity, Action::Put(row), stored)];
    writes.extend(taken);
    writes.extend(given_up);
    Ok(Plan::new(writes).leaving(new))
}

/// Returns the writes that release the derived rows of a row. `error` is returned if only the
/// entity determines them.
fn given_up(
    context: &Context,
    entity: &'static EntityMeta,
    key: &Item,
    stored: &Item,
    error: Error,
) -> Result<Vec<PlannedWrite>> {
    let attributes = Attributes { entity, stored };
    let mut writes = unique::releases(context, entity, key, &attributes);
    for one in entity.mirrors {
        let Some(templates) = &one.key else { return Err(error) };
        writes.extend(mirror::delete_by(context, entity, templates, &attributes));
    }
    Ok(writes)
}

/// Returns the write of the row itself, if it has not changed since it was read, as far as that can
/// be determined.
fn own(
    context: &Context,
    entity: &'static EntityMeta,
    action: Action,
    stored: &Item,
) -> PlannedWrite {
    let deciding = entity.unique.iter().flat_map(|constraint| constraint.fields).copied();
    let deciding = deciding.chain(entity.version).filter_map(|field| row::holder_of(entity, field));
    let same = deciding.map(|attribute| match stored.get(attribute) {
        Some(value) => path(attribute).eq(value.clone()),
        None => attribute_not_exists(attribute),
    });
    let present = Presence::of(context, entity).present();
    let condition = same.fold(present, Condition::and);
    let failure = presence::changed(context, entity, None);
    own_row(context, action, Some(condition), Returns::Nothing, failure)
}

/// The fields of a row from its attributes, as far as they are texts and numbers.
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
