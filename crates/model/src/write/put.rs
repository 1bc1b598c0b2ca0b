//! `put`: an entity as it is given, whatever is there. What the entity does not know survives.

use std::sync::Arc;

use monotable_design::meta::Codec;
use monotable_expression::{SetOperand, Update};
use monotable_types::Item;

use super::change::{beside, difference, has_rows_beside, merged, own_row};
use super::plan::{Operation, Plan, PlannedWrite};
use super::presence::{self, Presence};
use super::{change, create, index_keys, row, unchanged, unreadable};
use crate::backend::request::{Action, Returns};
use crate::codec;
use crate::context::Context;
use crate::entity::{Entity, Moment};
use crate::error::{Error, Result};

/// Writes an entity over whatever is there.
#[derive(Clone)]
pub(super) struct Put<E>(pub(super) E);

impl<E: Entity> Put<E> {
    /// Whether the row must be seen first: because other rows exist because of it, because what an
    /// attribute holds besides the fields must survive, because it may have expired, or because old
    /// names have to go.
    pub(super) fn reads_first() -> bool {
        has_rows_beside(E::META)
            || E::META.ttl.is_some()
            || !matches!(E::META.codec, Codec::Plain)
            || codec::has_aliases(E::META)
    }

    pub(super) fn key(&self, context: &Context) -> Result<Item> {
        context.primary_key(E::META, &self.0)
    }

    /// The writes; with the entity as it is then, if that is known before the answer.
    pub(super) fn plan(
        self,
        context: &Context,
        seen: Option<Item>,
    ) -> Result<(Vec<PlannedWrite>, Option<E>)> {
        if !Self::reads_first() {
            return Ok((vec![self.blind(context)?], None));
        }
        let presence = Presence::of(context, E::META);
        let (writes, entity) = match seen.filter(|seen| presence.holds(Some(seen))) {
            Some(seen) => self.over(context, seen)?,
            None => {
                let failure = presence::changed(context, E::META, None);
                create::plan_when(context, self.0, presence.absent(), failure)?
            }
        };
        Ok((writes, Some(entity)))
    }

    /// One update that sets every attribute the entity knows, and removes those it lacks.
    fn blind(self, context: &Context) -> Result<PlannedWrite> {
        let mut entity = self.0;
        entity.stamp(context.now(), Moment::Created);
        let key = context.primary_key(E::META, &entity)?;
        let mut attributes = row::attributes(context, &entity)?;
        attributes.retain(|attribute, _| !key.contains_key(attribute));
        let stored = |position: Option<u16>| row::attribute_of(E::META, position?);
        let mut update = Update::new();
        if let Some(version) = stored(E::META.version) {
            attributes.remove(version);
            update = update.add(version, 1);
        }
        if let Some(created) = stored(E::META.created)
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
        let fields = (0..E::META.fields.len()).filter_map(|position| u16::try_from(position).ok());
        let fields = fields.filter_map(|position| row::attribute_of(E::META, position));
        let keys = index_keys::all(context, E::META, &entity)?;
        for attribute in fields.chain(keys.into_keys()) {
            if !is_written(&update, attribute) {
                update = update.remove(attribute);
            }
        }
        let failure = presence::changed(context, E::META, None);
        Ok(own_row(context, Action::Update(key, update), None, Returns::New, failure))
    }

    /// The change from the row that is there.
    fn over(self, context: &Context, stored: Item) -> Result<(Vec<PlannedWrite>, E)> {
        let key = self.key(context)?;
        let mut new = self.0;
        let old: E = match change::stored(context, &key, stored.clone()) {
            Err(error @ Error::Decode { .. }) => {
                let (mut writes, new) = unreadable::replace(context, key, &stored, new, error)?;
                if let Some(own) = writes.first_mut() {
                    presence::outrun(E::META, own);
                }
                return Ok((writes, new));
            }
            old => old?,
        };
        new.set_version(old.version().unwrap_or_default() + 1);
        new.stamp(context.now(), Moment::Changed);
        let mut row = merged(context, &stored, &row::fields(&old)?, &new)?;
        if let Some(created) = E::META.created
            && let Some(attribute) = row::attribute_of(E::META, created)
            && let Some(value) = stored.get(attribute)
        {
            row.insert(attribute.to_owned(), value.clone());
        }
        let new: E = row::decode(context, row.clone().into())?;
        let replaced = stored.keys().map(String::as_str);
        let condition = unchanged::condition(context, &old, &stored, replaced, E::META.indexes);
        let failure = presence::changed(context, E::META, None);
        let action = Action::Update(key, difference(&stored, &row));
        let mut own = own_row(context, action, Some(condition), Returns::Nothing, failure);
        presence::outrun(E::META, &mut own);
        let mut writes = vec![own];
        writes.extend(beside(context, Some(&old), Some(&new))?);
        Ok((writes, new))
    }
}

impl<E: Entity> Operation for Put<E> {
    fn label(&self) -> String {
        format!("put {}", E::META.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        match Self::reads_first() {
            true => self.key(context).map(Some),
            false => Ok(None),
        }
    }

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let (writes, entity) = self.clone().plan(context, row)?;
        let entity = entity.map(|entity| Arc::new(entity) as Arc<_>);
        Ok(Plan { writes, entity })
    }

    fn is_blind(&self) -> bool {
        true
    }
}
