//! Bringing rows up to date with their declaration: after a new index, a new unique constraint or a new
//! mirror, or after somebody wrote rows by hand.

use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::read::{Cursor, everything};
use crate::retry::{Cause, Retry};
use crate::store::Store;
use crate::table::{Holds, Table};
use crate::write::{Drift, key_text, repair_own};

/// What one step of a [`backfill`](Store::backfill) did.
#[derive(Clone, Debug, PartialEq)]
pub struct Backfilled {
    /// Rows of the entity that were looked at.
    pub seen: usize,
    /// What was wrong and is right now.
    pub repaired: Vec<Drift>,
    /// What can't be made right without a decision: values of a unique constraint that several rows
    /// have. Everything else about these rows is right now.
    pub conflicts: Vec<Drift>,
    /// Why rows were passed over, each with its key: those that can't be read, those with a value that
    /// can't stand in a key, and those whose key is not the one that their fields make, because the template
    /// changed or another program wrote them.
    pub unreadable: Vec<Error>,
    /// Where the next step starts; none at the end.
    pub next: Option<Cursor>,
}

impl<T: Table> Store<T> {
    /// Looks at up to `rows` rows of an entity and makes right what is derived from their fields: index
    /// keys, the type attribute, mirrors, sentinels of unique constraints.
    ///
    /// Keep [`next`](Backfilled::next) and go on from there, also after a crash if the table was opened
    /// with a [cursor key](crate::Settings::cursor_key) of yours: what is right already
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
        let page = page.skip_unreadable().page_of_own_keys().await?;
        let mut done = Backfilled {
            seen: page.rows.len(),
            repaired: Vec::new(),
            conflicts: Vec::new(),
            unreadable: page.unreadable,
            next: page.next,
        };
        for entity in &page.rows {
            match self.make_right(entity).await {
                Ok((repaired, conflicts)) => {
                    done.repaired.extend(repaired);
                    done.conflicts.extend(conflicts);
                }
                // Somebody deleted it meanwhile: there is nothing left to make right.
                Err(Error::NotFound { .. }) => {}
                Err(error @ Error::Decode { .. }) => done.unreadable.push(error),
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    /// Makes a row right, again when somebody changes it or takes a value of it meanwhile.
    async fn make_right<E: Entity>(&self, entity: &E) -> Result<(Vec<Drift>, Vec<Drift>)> {
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
