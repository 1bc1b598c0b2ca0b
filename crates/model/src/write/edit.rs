//! `edit`: writes the difference between an entity as it was read and as it should be.

use std::sync::Arc;

use monotable_design::meta::{Codec, EntityMeta};
use monotable_expression::Condition;
use monotable_types::Item;

use super::change::{
    check_immutable, check_key, derived_rows, difference, index_difference, merged, own_row,
};
use super::erased::{ErasedEntity, SharedEntity, make_mut};
use super::operation::{Change, Conditional, Leaves, When, left};
use super::outcome::Outcome;
use super::plan::{Label, Plan, Planned, PlannedWrite};
use super::unchanged::{self, confirmed};
use super::{index_keys, presence};
use crate::backend::request::{Action, Returns};
use crate::codec;
use crate::context::Context;
use crate::entity::{Editable, Entity, Moment};
use crate::error::{Error, Result};

/// Changes an entity that was read: writes only the differences, with every index key that depends
/// on them, if the row has not changed since. Without differences nothing is written, but the row
/// must still exist and be unchanged. The result is the entity as stored.
///
/// It fails with [`Error::VersionConflict`](crate::Error::VersionConflict),
/// [`NotFound`](crate::Error::NotFound), [`UniqueTaken`](crate::Error::UniqueTaken),
/// [`KeyChanged`](crate::Error::KeyChanged) or [`Immutable`](crate::Error::Immutable).
///
/// ```ignore
/// let team = db.run(edit(&team, |team| team.name = name)).await?;
/// ```
pub fn edit<E: Editable>(entity: &E, change: impl FnOnce(&mut E)) -> Edit<E> {
    let mut new = entity.clone();
    change(&mut new);
    Change::planned(EditPlan::new(Arc::new(entity.clone()), Arc::new(new)))
}

/// A change of an entity that was read: see [`edit`].
pub type Edit<E> = Change<E, EditPlan>;

/// Plans an [`Edit`].
#[derive(Clone, Debug)]
pub struct EditPlan {
    old: SharedEntity,
    new: SharedEntity,
    pub(super) when: When,
    /// Whether the stored row must be read first.
    reads_first: bool,
}

impl Conditional for EditPlan {
    fn when(&mut self) -> &mut When {
        &mut self.when
    }
}

impl EditPlan {
    pub(super) fn new(old: SharedEntity, new: SharedEntity) -> Self {
        let reads_first = is_merged(old.meta());
        Self { old, new, when: When::default(), reads_first }
    }

    /// Returns the writes. If the stored row was read, the change is based on its contents;
    /// otherwise on those of the entity.
    pub(super) fn plan_from(
        &mut self,
        context: &Context,
        stored: Option<Option<Item>>,
    ) -> Result<Plan> {
        let (old, meta) = (&*self.old, self.old.meta());
        let key = check_key(context, old, &*self.new)?;
        check_immutable(old, &*self.new, |_| false)?;
        let version = old.version().unwrap_or_default();
        let new = make_mut(&mut self.new);
        new.set_version(version);
        let (fields, mut after) = (old.fields()?, new.fields()?);
        if after == fields {
            // The check reports errors of the row together with the failures of other operations.
            let confirm = |stored| confirmed(context, &key, old, &fields, stored, &self.when).ok();
            let before = stored.and_then(confirm);
            let before = before.as_ref().unwrap_or(&fields);
            let condition = unchanged::same_incarnation(context, old, before);
            let check = self.own(context, Action::Check(key), condition)?;
            return Ok(Plan::new(vec![check]).leaving(Arc::clone(&self.old)));
        }
        new.set_version(version + 1);
        new.stamp(context.now(), Moment::Changed);
        stamp_fields(new, &mut after)?;
        let new = &*self.new;
        let confirm = |stored| confirmed(context, &key, old, &fields, stored, &self.when);
        let stored = stored.map(confirm);
        let (condition, update) = match stored.transpose()? {
            Some(stored) if is_merged(meta) => {
                let update = difference(&stored, &merged(context, &stored, &fields, new, after)?);
                let replaced = roots(&update);
                let indexes = meta.indexes;
                let condition = unchanged::condition(context, old, &stored, &replaced, indexes);
                (condition, update)
            }
            // Everything else keeps its form, also one that older programs wrote.
            stored => {
                let update = difference(&fields, &after);
                let (indexes, keys) = index_difference(context, old, new)?;
                let before = stored.as_ref().unwrap_or(&fields);
                let replaced = roots(&update);
                let condition = unchanged::condition(context, old, before, &replaced, indexes);
                (condition, index_keys::add(update, keys))
            }
        };
        let own = self.own(context, Action::Update(key, update), condition)?;
        let mut writes = vec![own];
        writes.extend(derived_rows(context, Some(old), Some(new))?);
        Ok(Plan::new(writes).leaving(Arc::clone(&self.new)))
    }

    /// Returns the write of the entity's own row, which must be unchanged and meet the caller's
    /// condition.
    fn own(&self, context: &Context, action: Action, unchanged: Condition) -> Result<PlannedWrite> {
        own_when(context, self.old.meta(), action, unchanged, &self.when)
    }
}

/// Returns a write of an entity's own row under the condition that it is unchanged, and under the caller's.
pub(super) fn own_when(
    context: &Context,
    entity: &'static EntityMeta,
    action: Action,
    unchanged: Condition,
    when: &When,
) -> Result<PlannedWrite> {
    let when = when.tree()?;
    let failure = presence::changed(context, entity, when.clone());
    let condition = when.into_iter().fold(unchanged, Condition::and);
    Ok(own_row(context, action, Some(condition), Returns::Nothing, failure))
}

/// Updates the encoded fields of an entity after its version and its stamps were set. Only an
/// entity that declares these as its own fields is encoded again.
fn stamp_fields(entity: &dyn ErasedEntity, fields: &mut Item) -> Result<()> {
    let meta = entity.meta();
    if let Some(stamps) = entity.stamps() {
        codec::write_stamps(meta, &stamps, fields)
            .map_err(|error| Error::Encode { entity: meta.name, error })?;
    } else if meta.version.is_some() || meta.updated.is_some() {
        *fields = entity.fields()?;
    }
    Ok(())
}

/// Returns the attributes that an update changes.
fn roots(update: &monotable_expression::Update) -> Vec<&str> {
    update.paths().map(|path| path.root.as_str()).collect()
}

/// Returns whether a change must be merged into the stored row: if several fields share an
/// attribute, whose other contents must be kept; if mirrors depend on all fields; or if previous
/// names must be removed.
fn is_merged(entity: &'static EntityMeta) -> bool {
    !matches!(entity.codec, Codec::Plain)
        || !entity.mirrors.is_empty()
        || codec::has_aliases(entity)
}

impl Planned for EditPlan {
    fn label(&self) -> Label {
        Label::new("edit", self.old.meta().name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        let key = || context.primary_key(self.old.meta(), &*self.old);
        self.reads_first.then(key).transpose()
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        self.plan_from(context, self.reads_first.then_some(row))
    }

    fn reading_first(&self) -> Option<Box<dyn Planned>> {
        (!self.reads_first).then(|| Box::new(Self { reads_first: true, ..self.clone() }) as Box<_>)
    }
}

impl Leaves for EditPlan {
    type Together<E: Entity> = E;
    type Alone<E: Entity> = E;

    fn alone<E: Entity>(_: &Context, outcome: Result<Outcome>) -> Result<E> {
        left(outcome)
    }
}
