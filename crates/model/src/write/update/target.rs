//! Updates of rows that were read first, because derived rows change with them or because they may
//! have expired.

use monotable_expression::{Condition, Update};
use monotable_types::Item;

use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::write::change::{derived_rows, own_row};
use crate::write::erased::EntityType;
use crate::write::index_keys::{self, IndexKeys};
use crate::write::plan::Plan;
use crate::write::presence::{self, Presence};
use crate::write::send::refused;
use crate::write::{change, row, unchanged};

/// An update whose row was read.
pub(super) struct Target<'a> {
    pub(super) context: &'a Context,
    pub(super) entity: EntityType,
    pub(super) key: Item,
    /// The changes without the keys in indexes.
    pub(super) update: Update,
    /// The keys in those indexes that the update affects.
    pub(super) keys: IndexKeys,
    pub(super) when: Option<Condition>,
}

impl Target<'_> {
    /// Returns the change of the existing row, with its derived rows.
    pub(super) fn over(self, seen: Item) -> Result<Plan> {
        let Self { context, entity, key, update, keys, when } = self;
        let meta = entity.meta;
        let mut changed = seen.clone();
        apply(&update, &mut changed)?;
        let old = change::stored(context, entity, &key, seen.clone())?;
        let new = entity.decode(context, changed)?;
        // An attribute that is removed from one index may be in another, which the update does not
        // affect.
        let standing = index_keys::all(context, meta, &*new)?;
        let keys = standing.into_iter().filter(|(name, _)| keys.contains_key(name)).collect();
        let update = index_keys::add(update, keys);
        let fields = old.fields()?;
        let replaced: Vec<&str> = fields.keys().map(String::as_str).collect();
        let unchanged = unchanged::condition(context, &*old, &seen, &replaced, meta.indexes);
        let failure = presence::changed(context, meta, when.clone());
        let condition = Some(match when {
            Some(when) => unchanged.and(when),
            None => unchanged,
        });
        let action = Action::Update(key, update);
        let mut writes = vec![own_row(context, action, condition, Returns::Nothing, failure)];
        writes.extend(derived_rows(context, Some(&*old), Some(&*new))?);
        Ok(Plan::new(writes).leaving(new))
    }

    /// Returns a new row with the values of the update, and with the defaults of all other fields.
    pub(super) fn fresh(self) -> Result<Plan> {
        let Self { context, entity, key: mut row, update, when, .. } = self;
        let meta = entity.meta;
        apply(&update, &mut row)?;
        if when.as_ref().is_some_and(|when| !when.evaluate(&Item::new())) {
            return Err(Error::ConditionFailed { entity: meta.name, row: None });
        }
        let new = entity.decode(context, row)?;
        let row = row::encode(context, &*new)?;
        let failure = presence::changed(context, meta, None);
        let failure = presence::not_replaced(context, meta, failure);
        let condition = Some(Presence::of(context, meta).absent());
        let action = Action::Put(row);
        let mut writes = vec![own_row(context, action, condition, Returns::Nothing, failure)];
        writes.extend(derived_rows(context, None, Some(&*new))?);
        Ok(Plan::new(writes).leaving(new))
    }
}

fn apply(update: &Update, row: &mut Item) -> Result<()> {
    update.apply(row).map_err(|error| refused(error.to_string()))
}
