//! `delete`: the row, and the rows that exist because of it.

use monotable_design::meta::Segment;
use monotable_expression::Condition;
use monotable_types::Item;

use super::change::{all_of, beside, has_rows_beside, own_row, same_values, same_version};
use super::plan::{Operation, Plan, PlannedWrite};
use super::presence::{self, Presence};
use super::row;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Entity, EntityKey};
use crate::error::Result;

/// Deletes an entity that was read, unless somebody changed it since.
pub(super) struct Delete<E>(pub(super) E);

impl<E: Entity> Delete<E> {
    pub(super) fn plan(self, context: &Context) -> Result<Vec<PlannedWrite>> {
        let key = context.primary_key(E::META, &self.0)?;
        let present = Presence::of(context, E::META).present();
        let condition = std::iter::once(present).chain(unchanged(&self.0)?);
        let failure = presence::changed(context, E::META, &key, None);
        let action = Action::Delete(key);
        let own = own_row(context, action, all_of(condition), Returns::Nothing, failure);
        let mut writes = vec![own];
        writes.extend(beside(context, Some(&self.0), None)?);
        Ok(writes)
    }
}

/// That the row is still the one whose other rows are known.
fn unchanged<E: Entity>(entity: &E) -> Result<Vec<Condition>> {
    if let Some(same) = same_version(entity) {
        return Ok(vec![same]);
    }
    if !has_rows_beside(E::META) {
        return Ok(Vec::new());
    }
    let fields = row::fields(entity)?;
    let is_deciding = |attribute: &&String| {
        deciding_fields::<E>().any(|field| match row::attribute_of(E::META, field) {
            Some(known) => known == attribute.as_str(),
            // Fields that share an attribute are in one that no field has for itself.
            None => !E::META.fields.iter().any(|field| field.attribute == attribute.as_str()),
        })
    };
    let attributes = fields.keys().filter(is_deciding).map(String::as_str);
    Ok(same_values(E::META, &fields, attributes))
}

/// The fields that the keys of sentinels and mirrors are made of: all, where another entity's
/// code decides.
fn deciding_fields<E: Entity>() -> impl Iterator<Item = u16> {
    let templates = E::META.unique.iter().flat_map(|unique| [unique.partition, unique.sort]);
    let mirrors = E::META.mirrors.iter().filter_map(|mirror| mirror.key);
    let templates =
        templates.chain(mirrors.flat_map(|key| std::iter::once(key.partition).chain(key.sort)));
    let in_templates =
        templates.flat_map(|template| template.segments).filter_map(|segment| match segment {
            Segment::Field { position, .. } => Some(*position),
            Segment::Literal(_) | Segment::Shard => None,
        });
    let is_foreign = E::META.mirrors.iter().any(|mirror| mirror.key.is_none());
    let all = if is_foreign { E::META.fields.len() } else { 0 };
    in_templates.chain((0..all).filter_map(|position| u16::try_from(position).ok()))
}

impl<E: Entity> Operation for Delete<E> {
    fn label(&self) -> String {
        format!("delete {}", E::META.name)
    }

    fn plan(self: Box<Self>, context: &Context, _: Option<Item>) -> Result<Plan> {
        Ok(Plan { writes: (*self).plan(context)?, entity: None })
    }
}

/// Deletes whatever is there under a key.
pub(super) struct DeleteByKey<K>(pub(super) K);

impl<K: EntityKey> DeleteByKey<K> {
    /// The row that must be seen first: it tells which other rows exist because of it.
    pub(super) fn reads(&self, context: &Context) -> Result<Option<Item>> {
        match has_rows_beside(K::Entity::META) {
            true => context.primary_key(K::Entity::META, &self.0).map(Some),
            false => Ok(None),
        }
    }

    pub(super) fn plan(self, context: &Context, seen: Option<Item>) -> Result<Vec<PlannedWrite>> {
        let entity = K::Entity::META;
        let key = context.primary_key(entity, &self.0)?;
        if !has_rows_beside(entity) {
            let failure = presence::changed(context, entity, &key, None);
            let action = Action::Delete(key);
            return Ok(vec![own_row(context, action, None, Returns::Old, failure)]);
        }
        // What has expired is absent already, and its other rows may belong to somebody else.
        let presence = Presence::of(context, entity);
        match seen.filter(|seen| presence.holds(Some(seen))) {
            None => Ok(Vec::new()),
            Some(seen) => Delete(row::decode::<K::Entity>(context, seen.into())?).plan(context),
        }
    }
}

impl<K: EntityKey> Operation for DeleteByKey<K> {
    fn label(&self) -> String {
        format!("delete {}", K::Entity::META.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.reads(context)
    }

    fn plan(self: Box<Self>, context: &Context, row: Option<Item>) -> Result<Plan> {
        Ok(Plan { writes: (*self).plan(context, row)?, entity: None })
    }
}
