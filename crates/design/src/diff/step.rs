//! One step of a plan, and its sentence.

use std::fmt;

use super::words::{codes, index_text};
use crate::ir::Index;

/// One thing to do, after everything before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A change that cannot be made in place and needs a decision first.
    Migrate {
        /// What changed, as a clause.
        what: String,
        /// Why it cannot be made in place.
        why: String,
        /// What to do instead, in the imperative.
        instead: String,
    },
    /// Let the older design read what the newer one writes, before it does.
    Tolerate {
        /// The entity.
        entity: String,
        /// What to change in the older design, as clauses.
        reasons: Vec<String>,
    },
    /// Create one global index: DynamoDB takes one change of a global index at a time.
    CreateIndex(Index),
    /// Deploy writers of the newer design, while readers stay unchanged.
    DeployWriters,
    /// Rewrite rows, because only the program knows what to write.
    Rewrite {
        /// The entity.
        entity: String,
        /// What for, as clauses.
        reasons: Vec<String>,
    },
    /// Let the modelling layer write what it derives from an entity's fields.
    Backfill {
        /// The entity.
        entity: String,
        /// What is written.
        writes: Vec<String>,
    },
    /// Verify that the rows of an entity match the newer design.
    Verify {
        /// The entity.
        entity: String,
        /// What must hold, as clauses.
        claims: Vec<String>,
    },
    /// Let an attribute decide when rows expire.
    StartExpiry {
        /// The attribute.
        attribute: String,
    },
    /// Let another attribute decide when rows expire.
    MoveExpiry {
        /// The attribute before.
        from: String,
        /// The attribute now.
        to: String,
    },
    /// Let rows no longer expire.
    StopExpiry {
        /// The attribute that decided.
        attribute: String,
    },
    /// Deploy readers of the newer design.
    DeployReaders,
    /// Delete one global index.
    DeleteIndex {
        /// Its name.
        index: String,
    },
    /// Delete rows that belong to nothing any more.
    DeleteRows {
        /// Which rows.
        rows: String,
    },
    /// Remove attributes that nothing reads or writes any more.
    RemoveAttributes {
        /// The entity whose rows have them.
        entity: String,
        /// The attributes, or the members of its envelope.
        attributes: Vec<String>,
    },
}

impl fmt::Display for Step {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Migrate { what, why, instead } => {
                write!(to, "Migrate, since {what}: {why}; {instead}.")
            }
            Self::Tolerate { entity, reasons } => write!(
                to,
                "Let the older design read {entity} rows of the newer one, and deploy it: {}.",
                reasons.join("; ")
            ),
            Self::CreateIndex(index) => {
                let text = index_text(index);
                write!(to, "Create the index {} ({text}), and wait until it is active.", index.name)
            }
            Self::DeployWriters => to.write_str(
                "Deploy the newer design to everything that writes, and let nothing rely on what is \
                 new until the rows are ready.",
            ),
            Self::Rewrite { entity, reasons } => {
                write!(to, "Rewrite every {entity} row: {}.", reasons.join("; "))
            }
            Self::Backfill { entity, writes } => write!(
                to,
                "Backfill {entity} with `store.backfill::<{entity}>(cursor, rows)` until there is no \
                 next cursor: it writes {}.",
                list(writes)
            ),
            Self::Verify { entity, claims } => {
                write!(to, "Verify {entity}: {}.", claims.join("; "))
            }
            Self::StartExpiry { attribute } => {
                write!(to, "Let rows expire by `{attribute}`, when no row has a wrong time there.")
            }
            Self::MoveExpiry { from, to: now } => write!(
                to,
                "Stop the expiry by `{from}`, and let rows expire by `{now}` an hour later: DynamoDB \
                 takes one such change an hour."
            ),
            Self::StopExpiry { attribute } => {
                write!(to, "Stop the expiry by `{attribute}`: rows stay until they are deleted.")
            }
            Self::DeployReaders => to.write_str(
                "Deploy the newer design to everything that reads, and wait until nothing of the \
                 older one runs.",
            ),
            Self::DeleteIndex { index } => {
                write!(to, "Delete the index {index}, and wait until it is gone.")
            }
            Self::DeleteRows { rows } => write!(to, "Delete {rows}, if they are no longer needed."),
            Self::RemoveAttributes { entity, attributes } => {
                let attributes = codes(attributes);
                write!(to, "Remove {attributes} from every {entity} row, if no longer needed.")
            }
        }
    }
}

/// Joins words with commas, and with "and" before the last.
fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
