//! Updates existing rows to a changed declaration: after a new index, a new unique constraint or a
//! new mirror, or after manual changes.

use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::read::{Cursor, everything};
use crate::retry::{Cause, Retry};
use crate::store::Store;
use crate::table::{Holds, Table};
use crate::write::{Drift, key_text, repair_own};

/// The result of one step of a [`backfill`](Store::backfill).
#[derive(Clone, Debug, PartialEq)]
pub struct Backfilled {
    /// The number of rows of the entity that were checked.
    pub seen: usize,
    /// The differences that were repaired.
    pub repaired: Vec<Drift>,
    /// The differences that need a decision: unique values that several rows have. Everything else
    /// about these rows has been repaired.
    pub conflicts: Vec<Drift>,
    /// Errors of skipped rows, each with its key: rows that cannot be decoded, rows with a value
    /// that is not valid in a key, and rows whose key differs from the one that their fields
    /// render, because the template changed or another program wrote them.
    pub unreadable: Vec<Error>,
    /// The start of the next step; `None` at the end.
    pub next: Option<Cursor>,
}

impl<T: Table> Store<T> {
    /// Checks up to `rows` rows of an entity and repairs what is derived from their fields: index
    /// keys, the type attribute, mirrors, sentinels of unique constraints.
    ///
    /// Store [`next`](Backfilled::next) and continue from there, also after a crash if the table
    /// was opened with your own [cursor key](crate::Settings::cursor_key). Correct rows stay
    /// unchanged, and a row that is changed concurrently is checked again. A backfill reads the
    /// whole table, so run it where that is acceptable.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidCursor`] for a cursor of another query, and errors of the backend.
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
        let page = page.skip_unreadable().page_of_own_keys().await?;
        let mut done = Backfilled {
            seen: page.rows.len(),
            repaired: Vec::new(),
            conflicts: Vec::new(),
            unreadable: page.unreadable,
            next: page.next,
        };
        for entity in &page.rows {
            match self.repair_row(entity).await {
                Ok((repaired, conflicts)) => {
                    done.repaired.extend(repaired);
                    done.conflicts.extend(conflicts);
                }
                // The row was deleted in the meantime, so nothing needs repair.
                Err(Error::NotFound { .. }) => {}
                Err(error @ Error::Decode { .. }) => done.unreadable.push(error),
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    /// Repairs a row, and repeats that if the row or one of its unique values changes in the
    /// meantime.
    async fn repair_row<E: Entity>(&self, entity: &E) -> Result<(Vec<Drift>, Vec<Drift>)> {
        let context = self.context();
        let mut retry = Retry::new();
        loop {
            match repair_own(context, entity).await {
                Err(error @ (Error::VersionConflict { .. } | Error::UniqueTaken { .. })) => {
                    if !retry.pause(&*context.backend, Cause::Contended).await? {
                        return Err(error);
                    }
                }
                Err(Error::Key { entity: name, error }) => {
                    let key = context.primary_key(E::META, entity)?;
                    let message = format!("`{}`: {error}", key_text(context.table, &key));
                    return Err(Error::Decode { entity: name, message });
                }
                result => return result,
            }
        }
    }
}
