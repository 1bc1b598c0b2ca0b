//! The writes of a store.

use monotable_types::Item;

use super::batch::Batch;
use super::create::Create;
use super::delete::{Delete, DeleteByKey};
use super::edit::Edit;
use super::put::Put;
use super::rekey::Rekey;
use super::transact::Transact;
use super::update::IntoUpdate;
use super::verify::{self, Drift};
use super::{execute, row};
use crate::entity::{Editable, Entity, EntityKey, Replaceable};
use crate::error::{Error, Result};
use crate::store::Store;
use crate::table::{Holds, Table};

impl<T: Table> Store<T> {
    /// Creates a row where none is, or only one that has expired. The result is the entity as it is
    /// stored: with version 1 and its stamps.
    ///
    /// # Errors
    /// [`Error::Exists`] and [`Error::UniqueTaken`].
    pub fn create<E: Entity>(&self, entity: &E) -> Create<E>
    where
        T: Holds<E>,
    {
        Create::new(self.context(), entity)
    }

    /// Writes an entity over whatever is there, and returns it as it is stored. Attributes that the
    /// entity does not know survive.
    ///
    /// # Errors
    /// [`Error::UniqueTaken`], and [`Error::VersionConflict`] where others keep being faster.
    pub async fn put<E: Replaceable>(&self, entity: &E) -> Result<E>
    where
        T: Holds<E>,
    {
        let context = self.context();
        let put = Put(entity.clone());
        if !Put::<E>::reads_first() {
            let plan = |_| put.clone().plan(context, None);
            let (_, answer) = execute::run(context, plan(None)?, plan).await?;
            return returned(self, answer.row);
        }
        let key = put.key(context)?;
        let plan = |seen| put.clone().plan(context, seen);
        known(execute::settle(context, key, plan).await?)
    }

    /// Changes an entity that was read: only what is different is written, with every index key that
    /// depends on it, if nobody changed the row since. If nothing is different, nothing is written, and
    /// the row is read to see that it is still there and unchanged.
    ///
    /// # Errors
    /// [`Error::VersionConflict`], [`Error::NotFound`], [`Error::UniqueTaken`],
    /// [`Error::KeyChanged`] and [`Error::Immutable`].
    pub async fn edit<E: Editable>(&self, entity: E, change: impl FnOnce(&mut E)) -> Result<E>
    where
        T: Holds<E>,
    {
        let context = self.context();
        let edit = Edit::new(entity, change);
        let key = edit.key(context)?;
        let plan = |stored| edit.plan(context, stored);
        execute::confirm(context, key, edit.reads_first, plan).await
    }

    /// Moves an entity that was read to the key of `new` and changes it to that, if nobody changed it
    /// since and no other row has the key. Sentinels and mirrors whose keys stay are changed in place, the
    /// version counts on, and attributes that the entity does not know move along. Where the key stays,
    /// it is an [`edit`](Self::edit).
    ///
    /// # Errors
    /// [`Error::VersionConflict`], [`Error::NotFound`], [`Error::Exists`], [`Error::UniqueTaken`], and
    /// [`Error::Immutable`] for fields that never change and are not part of the key.
    pub async fn rekey<E: Editable>(&self, old: &E, new: &E) -> Result<E>
    where
        T: Holds<E>,
    {
        let context = self.context();
        let rekey = Rekey { old: old.clone(), new: new.clone() };
        let key = rekey.key(context)?;
        let plan = |stored: Option<Option<Item>>| rekey.plan(context, stored.flatten());
        execute::confirm(context, key, true, plan).await
    }

    /// Changes single attributes of a row that nobody has to read before, and returns the entity as it
    /// is then.
    ///
    /// # Errors
    /// [`Error::NotFound`] and [`Error::ConditionFailed`]; [`Error::Decode`] if the row can't be read as
    /// the entity, which then may have been changed all the same.
    pub async fn update<U: IntoUpdate>(&self, update: U) -> Result<U::Entity>
    where
        T: Holds<U::Entity>,
    {
        let context = self.context();
        let update = update.into_update();
        if !update.reads_first(context) {
            let plan = |_| update.plan(context, None);
            let (_, answer) = execute::run(context, plan(None)?, plan).await?;
            return returned(self, answer.row);
        }
        let key = update.key(context)?;
        let plan = |seen| update.plan(context, seen);
        known(execute::settle(context, key, plan).await?)
    }

    /// Deletes an entity that was read, if nobody changed it since.
    ///
    /// # Errors
    /// [`Error::VersionConflict`] and [`Error::NotFound`].
    pub async fn delete<E: Entity>(&self, entity: &E) -> Result<()>
    where
        T: Holds<E>,
    {
        let context = self.context();
        let delete = Delete::new(entity.clone());
        let key = delete.key(context)?;
        let plan = |stored| Ok((delete.plan(context, stored)?, ()));
        execute::confirm(context, key, delete.reads_first, plan).await
    }

    /// Deletes whatever is there under a key, and tells whether there was something.
    ///
    /// # Errors
    /// If the backend fails.
    pub async fn delete_by_key<K: EntityKey>(&self, key: &K) -> Result<bool>
    where
        T: Holds<K::Entity>,
    {
        let context = self.context();
        let delete = DeleteByKey(key.clone());
        let Some(read) = delete.reads(context)? else {
            let row = execute::single(context, delete.plan(context, None)?).await?.into_item()?;
            let presence = super::presence::Presence::of(context, K::Entity::META);
            return Ok(presence.holds(row.as_ref()));
        };
        let plan = |seen| {
            let writes = delete.plan(context, seen)?;
            let is_there = !writes.is_empty();
            Ok((writes, is_there))
        };
        match execute::settle(context, read, plan).await {
            // Somebody else was faster.
            Err(Error::NotFound { .. }) => Ok(false),
            result => result,
        }
    }

    /// Several operations at once, all or nothing.
    pub fn transact(&self) -> Transact<T> {
        Transact::new(self.context())
    }

    /// Many rows without conditions, each on its own.
    pub fn batch(&self) -> Batch<T> {
        Batch::new(self.context())
    }

    /// What is wrong with everything that is derived from an entity: the index keys and the type in its
    /// own row, its mirrors, and the sentinels of its unique constraints. Other programs, imports and
    /// declarations that came later than the row can make them so.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn verify<E: Entity>(&self, entity: &E) -> Result<Vec<Drift>>
    where
        T: Holds<E>,
    {
        verify::verify(self.context(), entity).await
    }

    /// Writes what [`verify`](Self::verify) finds missing or different, and tells what that was.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::VersionConflict`], [`Error::UniqueTaken`] when another entity
    /// holds a value of this one, and [`Error::Exists`] when a mirror repeats another.
    pub async fn repair<E: Entity>(&self, entity: &E) -> Result<Vec<Drift>>
    where
        T: Holds<E>,
    {
        verify::repair(self.context(), entity).await
    }
}

/// The entity that the backend returned.
fn returned<T: Table, E: Entity>(store: &Store<T>, row: Option<crate::backend::Row>) -> Result<E> {
    match row {
        Some(row) => row::decode(store.context(), row),
        None => Err(Error::NotFound { entity: E::META.name }),
    }
}

/// The entity that was known before the answer.
fn known<E: Entity>(entity: Option<E>) -> Result<E> {
    entity.ok_or(Error::NotFound { entity: E::META.name })
}
