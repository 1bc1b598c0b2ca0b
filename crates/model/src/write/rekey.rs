//! `rekey`: moves an entity that was read to another primary key, with its derived rows.

use std::sync::Arc;

use monotable_types::Item;

use super::change::{check_immutable, derived_rows, merged, own_row};
use super::edit::{EditPlan, own_when};
use super::erased::{SharedEntity, make_mut};
use super::operation::{Change, Conditional, Leaves, When, left};
use super::outcome::Outcome;
use super::plan::{Label, Plan, Planned};
use super::presence::{self, Presence};
use super::unchanged::{self, confirmed, key_fields};
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::{Editable, Entity, Moment};
use crate::error::Result;

/// Moves an entity that was read to the key of `new` and changes it to that, if it has not changed
/// since and no other row has the key. Sentinels and mirrors whose keys stay the same are changed
/// in place, the version increases as usual, and unknown attributes move along. If the key stays
/// the same, it is an [`edit`](super::edit()).
///
/// It fails like an edit, or with [`Error::Exists`](crate::Error::Exists); immutable fields that
/// are not part of the key must not differ.
pub fn rekey<E: Editable>(old: &E, new: &E) -> Rekey<E> {
    let (old, new) = (Arc::new(old.clone()), Arc::new(new.clone()));
    Change::planned(RekeyPlan { old, new, when: When::default() })
}

/// A move to another key: see [`rekey`].
pub type Rekey<E> = Change<E, RekeyPlan>;

/// Plans a [`Rekey`].
#[derive(Debug)]
pub struct RekeyPlan {
    old: SharedEntity,
    new: SharedEntity,
    when: When,
}

impl Conditional for RekeyPlan {
    fn when(&mut self) -> &mut When {
        &mut self.when
    }
}

impl Planned for RekeyPlan {
    fn label(&self) -> Label {
        Label::new("rekey", self.old.meta().name)
    }

    /// Returns the key of the row, because its unknown attributes move along.
    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        context.primary_key(self.old.meta(), &*self.old).map(Some)
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let (old, new) = (&*self.old, &*self.new);
        let meta = old.meta();
        let key = context.primary_key(meta, old)?;
        if context.primary_key(meta, new)? == key {
            let mut edit = EditPlan::new(Arc::clone(&self.old), Arc::clone(&self.new));
            edit.when = self.when.clone();
            return edit.plan_from(context, Some(row));
        }
        check_immutable(old, new, |field| key_fields(meta).any(|of_key| of_key == field))?;
        let fields = old.fields()?;
        let stored = confirmed(context, &key, old, &fields, row, &self.when)?;
        let mut new = Arc::clone(&self.new);
        let moving = make_mut(&mut new);
        moving.set_version(old.version().unwrap_or_default() + 1);
        moving.stamp(context.now(), Moment::Changed);
        let moved = merged(context, &stored, &fields, &*new, new.fields()?)?;
        let replaced: Vec<&str> =
            stored.keys().map(String::as_str).filter(|name| !key.contains_key(*name)).collect();
        let unchanged = unchanged::condition(context, old, &stored, &replaced, meta.indexes);
        let left = own_when(context, meta, Action::Delete(key), unchanged, &self.when)?;
        let free = Presence::of(context, meta).absent();
        let taken = presence::exists(context, meta);
        let moved = own_row(context, Action::Put(moved), Some(free), Returns::Nothing, taken);
        let mut writes = vec![left, moved];
        writes.extend(derived_rows(context, Some(old), Some(&*new))?);
        Ok(Plan::new(writes).leaving(new))
    }
}

impl Leaves for RekeyPlan {
    type Together<E: Entity> = E;
    type Alone<E: Entity> = E;

    fn alone<E: Entity>(_: &Context, outcome: Result<Outcome>) -> Result<E> {
        left(outcome)
    }
}
