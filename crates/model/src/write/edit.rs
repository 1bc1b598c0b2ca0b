//! `edit`: the difference between an entity as it was read and as it shall be.

use monotable_design::meta::Codec;
use monotable_types::Item;

use super::change::{
    all_of, beside, check_immutable, check_key, difference, index_difference, merged, own_row,
    same_values, same_version,
};
use super::index_keys::{self, IndexKeys};
use super::plan::{Operation, Plan, PlannedWrite};
use super::presence::{self, Presence};
use super::row;
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Entity, Moment};
use crate::error::{Error, Result};

/// A change of an entity that was read.
pub(super) struct Edit<E> {
    old: E,
    new: E,
}

impl<E: Entity> Edit<E> {
    /// The change that `change` makes.
    pub(super) fn new(old: E, change: impl FnOnce(&mut E)) -> Self {
        let mut new = old.clone();
        change(&mut new);
        Self { old, new }
    }

    /// The row that must be seen first: where several fields share an attribute, what it holds
    /// besides them has to survive.
    pub(super) fn reads(&self, context: &Context) -> Result<Option<Item>> {
        match E::META.codec {
            Codec::Plain => Ok(None),
            Codec::Envelope { .. } | Codec::ValueRow => {
                context.primary_key(E::META, &self.old).map(Some)
            }
        }
    }

    /// The writes, and the entity as it is then.
    pub(super) fn plan(
        self,
        context: &Context,
        stored: Option<Item>,
    ) -> Result<(Vec<PlannedWrite>, E)> {
        let Self { old, mut new } = self;
        let key = check_key(context, &old, &new)?;
        check_immutable(&old, &new)?;
        new.set_version(old.version().unwrap_or_default());
        let old_fields = row::fields(&old)?;
        if row::fields(&new)? == old_fields {
            return Ok((Vec::new(), old));
        }
        new.set_version(old.version().unwrap_or_default() + 1);
        new.stamp(context.now(), Moment::Changed);
        let (before, update, keys) = match E::META.codec {
            Codec::Plain => {
                let update = difference(&old_fields, &row::fields(&new)?);
                (old_fields, update, index_difference(context, &old, &new)?)
            }
            Codec::Envelope { .. } | Codec::ValueRow => {
                let stored = unchanged(context, &key, &old, &old_fields, stored)?;
                let update = difference(&stored, &merged(context, &stored, &new)?);
                (stored, update, IndexKeys::new())
            }
        };
        let condition = match same_version(&old) {
            Some(same) => vec![same],
            None => same_values(E::META, &before, update.paths().map(|path| path.root.as_str())),
        };
        let update = index_keys::add(update, keys);
        let present = Presence::of(context, E::META).present();
        let condition = all_of(std::iter::once(present).chain(condition));
        let failure = presence::changed(context, E::META, &key, None);
        let action = Action::Update(key, update);
        let mut writes = vec![own_row(context, action, condition, Returns::Nothing, failure)];
        writes.extend(beside(context, Some(&old), Some(&new))?);
        Ok((writes, new))
    }
}

/// The stored row, if it still says what the entity says.
fn unchanged<E: Entity>(
    context: &Context,
    key: &Item,
    old: &E,
    old_fields: &Item,
    stored: Option<Item>,
) -> Result<Item> {
    let presence = Presence::of(context, E::META);
    let Some(stored) = stored.filter(|stored| presence.holds(Some(stored))) else {
        return Err(Error::NotFound { entity: E::META.name });
    };
    let is_same = match same_version(old) {
        Some(same) => same.evaluate(&stored),
        None => {
            let current: E = row::decode(context, stored.clone().into())?;
            row::fields(&current)? == *old_fields
        }
    };
    if !is_same {
        let key = row::key_text(context, key);
        return Err(Error::VersionConflict { entity: E::META.name, key });
    }
    Ok(stored)
}

impl<E: Entity> Operation for Edit<E> {
    fn label(&self) -> String {
        format!("edit {}", E::META.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.reads(context)
    }

    fn plan(self: Box<Self>, context: &Context, row: Option<Item>) -> Result<Plan> {
        let (writes, entity) = (*self).plan(context, row)?;
        Ok(Plan { writes, entity: Some(Box::new(entity)) })
    }
}
