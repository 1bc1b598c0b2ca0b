//! `put`: writes an entity, whether or not its row exists. Attributes that the entity does not know
//! are kept.

use std::sync::Arc;

use monotable_design::meta::{Codec, EntityMeta};
use monotable_expression::{SetOperand, Update};
use monotable_types::Item;

use super::change::{self, derived_rows, difference, has_derived_rows, merged, own_row};
use super::erased::{SharedEntity, make_mut};
use super::operation::{Change, Conditional, Leaves, When, left_or_returned};
use super::outcome::Outcome;
use super::plan::{Label, Plan, Planned, PlannedWrite};
use super::presence::{self, Presence};
use super::{create, index_keys, row, unchanged, unreadable};
use crate::backend::request::{Action, Returns};
use crate::codec;
use crate::context::Context;
use crate::entity::{Entity, Moment, Replaceable};
use crate::error::{Error, Result};

/// Writes an entity, whether or not its row exists. Attributes that the entity does not know are
/// kept. Alone it returns the entity as stored.
///
/// It fails with [`Error::UniqueTaken`], and with [`Error::VersionConflict`] if other writers are
/// faster several times in a row.
pub fn put<E: Replaceable>(entity: E) -> Put<E> {
    Change::planned(PutPlan { entity: Arc::new(entity), when: When::default() })
}

/// An unconditional write of an entity: see [`put`].
pub type Put<E> = Change<E, PutPlan>;

/// Plans a [`Put`].
#[derive(Debug)]
pub struct PutPlan {
    entity: SharedEntity,
    when: When,
}

impl Conditional for PutPlan {
    fn when(&mut self) -> &mut When {
        &mut self.when
    }
}

/// Returns whether the row must be read first: because it has derived rows, because an attribute
/// also contains unknown values to keep, because it may have expired, or because previous names
/// must be removed.
fn reads_first(context: &Context, entity: &'static EntityMeta) -> bool {
    has_derived_rows(entity)
        || Presence::of(context, entity).may_expire()
        || !matches!(entity.codec, Codec::Plain)
        || codec::has_aliases(entity)
}

impl PutPlan {
    /// Returns one update that sets every attribute the entity has, and removes those it lacks.
    fn blind(&self, context: &Context) -> Result<PlannedWrite> {
        let meta = self.entity.meta();
        let mut entity = Arc::clone(&self.entity);
        make_mut(&mut entity).stamp(context.now(), Moment::Created);
        let key = context.primary_key(meta, &*entity)?;
        let mut attributes = row::attributes(context, &*entity)?;
        attributes.retain(|attribute, _| !key.contains_key(attribute));
        let stored = |position: Option<u16>| row::attribute_of(meta, position?);
        let mut update = Update::new();
        if let Some(version) = stored(meta.version) {
            attributes.remove(version);
            update = update.add(version, 1);
        }
        if let Some(created) = stored(meta.created)
            && let Some(now) = attributes.remove(created)
        {
            update = update.set(created, SetOperand::if_not_exists(created, now));
        }
        let is_written = |update: &Update, attribute: &str| {
            key.contains_key(attribute) || update.paths().any(|path| path.root == attribute)
        };
        for (attribute, value) in attributes {
            update = update.set(attribute, value);
        }
        let fields = (0..meta.fields.len()).filter_map(|position| u16::try_from(position).ok());
        let fields = fields.filter_map(|position| row::attribute_of(meta, position));
        let keys = index_keys::all(context, meta, &*entity)?;
        for attribute in fields.chain(keys.into_keys()) {
            if !is_written(&update, attribute) {
                update = update.remove(attribute);
            }
        }
        let own_type = Presence::of(context, meta).own_type();
        let when = self.when.tree()?;
        let mut failure = presence::exists(context, meta);
        if when.is_some() {
            failure = presence::not_replaced(context, meta, presence::unmet(meta));
        }
        let condition = own_type.into_iter().chain(when).reduce(|all, one| all.and(one));
        Ok(own_row(context, Action::Update(key, update), condition, Returns::New, failure))
    }

    /// Returns the plan of a new row, which must not exist or have expired.
    fn fresh(&self, context: &Context) -> Result<Plan> {
        let meta = self.entity.meta();
        self.when.check(meta, None)?;
        let failure = presence::changed(context, meta, None);
        let failure = presence::not_replaced(context, meta, failure);
        let absent = Presence::of(context, meta).absent();
        create::plan_when(context, Arc::clone(&self.entity), absent, failure)
    }

    /// Returns the plan that changes the existing row.
    fn over(&self, context: &Context, stored: Item) -> Result<Plan> {
        let entity_type = self.entity.entity_type();
        let meta = entity_type.meta;
        self.when.check(meta, Some(&stored))?;
        let mut new = Arc::clone(&self.entity);
        let key = context.primary_key(meta, &*new)?;
        let old = match change::stored(context, entity_type, &key, stored.clone()) {
            Err(error @ Error::Decode { .. }) => {
                let mut plan = unreadable::replace(context, key, &stored, new, error)?;
                if let Some(own) = plan.writes.first_mut() {
                    presence::conflict_if_gone(meta, own);
                }
                return Ok(plan);
            }
            old => old?,
        };
        let replacing = make_mut(&mut new);
        replacing.set_version(old.version().unwrap_or_default() + 1);
        replacing.stamp(context.now(), Moment::Changed);
        let mut row = merged(context, &stored, &old.fields()?, &*new, new.fields()?)?;
        if let Some(created) = meta.created
            && let Some(attribute) = row::attribute_of(meta, created)
            && let Some(value) = stored.get(attribute)
        {
            row.insert(attribute.to_owned(), value.clone());
        }
        let new = entity_type.decode(context, row.clone())?;
        let replaced: Vec<&str> = stored.keys().map(String::as_str).collect();
        let condition = unchanged::condition(context, &*old, &stored, &replaced, meta.indexes);
        let failure = presence::changed(context, meta, None);
        let action = Action::Update(key, difference(&stored, &row));
        let mut own = own_row(context, action, Some(condition), Returns::Nothing, failure);
        presence::conflict_if_gone(meta, &mut own);
        let mut writes = vec![own];
        writes.extend(derived_rows(context, Some(&*old), Some(&*new))?);
        Ok(Plan::new(writes).leaving(new))
    }
}

impl Planned for PutPlan {
    fn label(&self) -> Label {
        Label::new("put", self.entity.meta().name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        let meta = self.entity.meta();
        reads_first(context, meta).then(|| context.primary_key(meta, &*self.entity)).transpose()
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let meta = self.entity.meta();
        if !reads_first(context, meta) {
            return Ok(Plan::new(vec![self.blind(context)?]));
        }
        let presence = Presence::of(context, meta);
        match row.filter(|row| presence.holds(Some(row))) {
            Some(stored) => self.over(context, stored),
            None => self.fresh(context),
        }
    }

    fn is_blind(&self) -> bool {
        true
    }
}

impl Leaves for PutPlan {
    type Together<E: Entity> = ();
    type Alone<E: Entity> = E;

    fn alone<E: Entity>(context: &Context, outcome: Result<Outcome>) -> Result<E> {
        left_or_returned(context, outcome)
    }
}
