//! Bringing rows up to date with their declaration: after a new index, a new unique constraint or a new
//! mirror, or after somebody wrote rows by hand.

use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::read::{Cursor, everything};
use crate::store::Store;
use crate::table::{Holds, Table};
use crate::write::{Drift, DriftKind};

/// What one step of a [`backfill`](Store::backfill) did.
#[derive(Clone, Debug, PartialEq)]
pub struct Backfilled {
    /// Rows of the entity that were looked at.
    pub seen: usize,
    /// What was wrong and is right now.
    pub repaired: Vec<Drift>,
    /// What can't be made right without a decision: values of a unique constraint that several rows
    /// have.
    pub conflicts: Vec<Drift>,
    /// Where the next step starts; none at the end.
    pub next: Option<Cursor>,
}

impl<T: Table> Store<T> {
    /// Looks at up to `rows` rows of an entity and makes right what is derived from their fields: index
    /// keys, the type attribute, mirrors, sentinels of unique constraints.
    ///
    /// Keep [`next`](Backfilled::next) and go on from there, also after a crash: what is right already
    /// stays as it is, and a row that somebody changes meanwhile is looked at again. The table is read
    /// to its end, so run it where reading everything is fine.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`] for a cursor of something else, and what the backend says.
    pub async fn backfill<E: Entity>(
        &self,
        from: Option<&Cursor>,
        rows: usize,
    ) -> Result<Backfilled>
    where
        T: Holds<E>,
    {
        let mut page = everything::<T, E>(self).take(rows);
        if let Some(cursor) = from {
            page = page.after(cursor);
        }
        let page = page.page().await?;
        let mut done = Backfilled {
            seen: page.rows.len(),
            repaired: Vec::new(),
            conflicts: Vec::new(),
            next: page.next,
        };
        for entity in &page.rows {
            let drifts = match self.repair(entity).await {
                Ok(drifts) => drifts,
                // Somebody deleted it meanwhile: there is nothing left to make right.
                Err(Error::NotFound { .. }) => continue,
                Err(Error::UniqueTaken { .. }) => self.verify(entity).await?,
                Err(error) => return Err(error),
            };
            let (conflicts, repaired): (Vec<Drift>, Vec<Drift>) =
                drifts.into_iter().partition(|drift| drift.kind == DriftKind::Taken);
            done.repaired.extend(repaired);
            done.conflicts.extend(conflicts);
        }
        Ok(done)
    }
}
