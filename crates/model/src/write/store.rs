//! The writes of a store.

use super::batch::Batch;
use super::create::create;
use super::delete::{delete, delete_by_key};
use super::edit::edit;
use super::erased::EntityType;
use super::operation::Run;
use super::put::put;
use super::rekey::rekey;
use super::transact::Transact;
use super::update::IntoUpdate;
use super::verify::{self, Drift};
use crate::entity::{Editable, Entity, EntityKey, Replaceable};
use crate::error::Result;
use crate::store::Store;
use crate::table::{Holds, Table};

impl<T: Table> Store<T> {
    /// Runs one operation or rule: `db.run(create(team))`, `db.run(guard.hold("g1"))`. To run
    /// several, all or nothing, [add](Transact::add) them to a transaction.
    ///
    /// # Errors
    ///
    /// The operation fails, or the backend fails.
    pub async fn run<R: Run<T>>(&self, operation: R) -> Result<R::Output> {
        operation.run_in(self.context()).await
    }

    /// Starts a transaction: several operations at once, all or nothing.
    pub fn transact(&self) -> Transact<T> {
        Transact::new(self.context())
    }

    /// Starts a batch: many rows without conditions, written independently of each other.
    pub fn batch(&self) -> Batch<T> {
        Batch::new(self.context())
    }

    /// Creates a row that must not exist: short for running [`create`](crate::create).
    ///
    /// # Errors
    /// [`Error::Exists`](crate::Error::Exists) and [`Error::UniqueTaken`](crate::Error::UniqueTaken).
    pub async fn create<E: Entity>(&self, entity: &E) -> Result<E>
    where
        T: Holds<E>,
    {
        self.run(create(entity.clone())).await
    }

    /// Writes an entity, whether or not its row exists: short for running [`put`](crate::put).
    ///
    /// # Errors
    /// [`Error::UniqueTaken`](crate::Error::UniqueTaken), and
    /// [`Error::VersionConflict`](crate::Error::VersionConflict) if other writers are faster several times in a row.
    pub async fn put<E: Replaceable>(&self, entity: &E) -> Result<E>
    where
        T: Holds<E>,
    {
        self.run(put(entity.clone())).await
    }

    /// Changes an entity that was read: short for running [`edit`](crate::edit).
    ///
    /// # Errors
    /// [`Error::VersionConflict`](crate::Error::VersionConflict) and others.
    pub async fn edit<E: Editable>(&self, entity: E, change: impl FnOnce(&mut E)) -> Result<E>
    where
        T: Holds<E>,
    {
        self.run(edit(&entity, change)).await
    }

    /// Moves an entity that was read to the key of `new`: short for running [`rekey`](crate::rekey).
    ///
    /// # Errors
    /// [`Error::VersionConflict`](crate::Error::VersionConflict),
    /// [`Error::Exists`](crate::Error::Exists) and others.
    pub async fn rekey<E: Editable>(&self, old: &E, new: &E) -> Result<E>
    where
        T: Holds<E>,
    {
        self.run(rekey(old, new)).await
    }

    /// Changes single attributes of a row without reading it, and returns the entity after the change: short
    /// for running the update.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound) and
    /// [`Error::ConditionFailed`](crate::Error::ConditionFailed);
    /// [`Error::Decode`](crate::Error::Decode) if the row can't be read as the entity, which then may
    /// have been changed nevertheless.
    pub async fn update<U: IntoUpdate + Send>(&self, update: U) -> Result<U::Entity>
    where
        T: Holds<U::Entity>,
    {
        self.run(update.into_update()).await
    }

    /// Deletes an entity that was read: short for running [`delete`](crate::delete).
    ///
    /// # Errors
    /// [`Error::VersionConflict`](crate::Error::VersionConflict) and
    /// [`Error::NotFound`](crate::Error::NotFound).
    pub async fn delete<E: Entity>(&self, entity: &E) -> Result<()>
    where
        T: Holds<E>,
    {
        self.run(delete(entity)).await
    }

    /// Deletes the row with a key, and returns whether there was one: short for running
    /// [`delete_by_key`](crate::delete_by_key).
    ///
    /// # Errors
    /// Fails if the backend fails.
    pub async fn delete_by_key<K: EntityKey>(&self, key: &K) -> Result<bool>
    where
        T: Holds<K::Entity>,
    {
        self.run(delete_by_key(key)).await
    }

    /// Lists what is wrong with everything that is derived from an entity: the index keys and the type in
    /// its own row, its mirrors, and the sentinels of its unique constraints. Other programs, imports and
    /// declarations that came later than the row can make them so.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound).
    pub async fn verify<E: Entity>(&self, entity: &E) -> Result<Vec<Drift>>
    where
        T: Holds<E>,
    {
        let key = self.context().primary_key(E::META, entity)?;
        verify::verify(self.context(), EntityType::of::<E>(), key).await
    }

    /// Repairs the differences that [`verify`](Self::verify) finds, and returns them.
    ///
    /// # Errors
    /// [`Error::NotFound`](crate::Error::NotFound),
    /// [`Error::VersionConflict`](crate::Error::VersionConflict),
    /// [`Error::UniqueTaken`](crate::Error::UniqueTaken) when another entity holds a value of this one,
    /// and [`Error::Exists`](crate::Error::Exists) when a mirror repeats another.
    pub async fn repair<E: Entity>(&self, entity: &E) -> Result<Vec<Drift>>
    where
        T: Holds<E>,
    {
        let key = self.context().primary_key(E::META, entity)?;
        verify::repair(self.context(), EntityType::of::<E>(), key).await
    }

    /// Writes the own row of an entity that was read from its mirror, because the own row was lost: everything that
    /// the mirror has, under the entity's own key. [`repair`](Self::repair) then writes what else follows from it.
    ///
    /// # Errors
    /// [`Error::Exists`](crate::Error::Exists) if it has its own row, [`Error::NotFound`](crate::Error::NotFound) if
    /// it has no mirror.
    pub async fn restore<E: Entity>(&self, entity: &E) -> Result<()>
    where
        T: Holds<E>,
    {
        verify::restore(self.context(), entity).await
    }
}
