//! Audits: rows that record who changed what, created in the transaction of the change.

use serde::Serialize;
use serde_json::{Map, Value};

/// Declares the entity of a table's audit. A row contains who changed which row and how, when, and
/// in which request, with summaries of the values before and after, without personal data.
///
/// The module needs `monotable::prelude::*` and `std::collections::BTreeMap`. Name the partition
/// key with the subject of the audit, the id of an entry, and the id of users. `stamps: Stamps`
/// after them gives rows the stamps of the table:
///
/// ```
/// use std::collections::BTreeMap;
///
/// use monotable::prelude::*;
/// use monotable_kit::Request;
///
/// ids!(TeamId, AuditId, UserId);
///
/// monotable_kit::audit! {
///     /// What was done to a team.
///     pub Audit("TEAM#{team_id}") {
///         /// The team.
///         team_id: TeamId, audit_id: AuditId, actor: UserId
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let call = Request { request_id: "r1".to_owned(), ..Request::default() };
/// let (team, entry, ann) = (TeamId::new("t1")?, AuditId::new("a1")?, UserId::new("ann")?);
/// let entry = Audit::of(team, Timestamp::default(), entry, ann, &call, "renameTeam", "TEAM#t1");
/// let entry = entry.was("name", "Reds").is("name", "Blues");
/// assert_eq!((entry.before["name"].as_str(), entry.request_id.as_deref()), ("Reds", Some("r1")));
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! audit {
    (
        $(#[$about:meta])*
        $visibility:vis $Audit:ident($partition:literal) {
            $(#[$subject_about:meta])*
            $subject:ident: $Subject:ty, audit_id: $Id:ty, actor: $Actor:ty
            $(, stamps: $Stamps:ty)?
        }
    ) => {
        #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
        $(#[$about])*
        #[serde(rename_all = "camelCase")]
        #[key(pk = $partition, sk = "AUDIT#{at}#{audit_id}")]
        $visibility struct $Audit {
            $(#[$subject_about])*
            pub $subject: $Subject,
            /// The time of the change.
            #[immutable]
            pub at: Timestamp,
            /// The id of the entry.
            pub audit_id: $Id,
            /// The user who made the change.
            pub actor: $Actor,
            /// What was done, such as `deleteGame`.
            pub action: String,
            /// The row that was changed, such as `GAME#g1`.
            pub entity: String,
            /// The values before the change, without personal data.
            #[serde(default)]
            pub before: BTreeMap<String, String>,
            /// The values after the change, without personal data.
            #[serde(default)]
            pub after: BTreeMap<String, String>,
            /// The id of the request that made the change.
            pub request_id: Option<String>,
            $(
                /// The metadata that the layer maintains.
                #[stamps]
                #[serde(skip)]
                pub stamps: $Stamps,
            )?
        }

        impl $Audit {
            /// Records what a request does: `action` is its operation, `entity` the row, such as `GAME#g1`.
            pub fn of(
                $subject: $Subject,
                at: Timestamp,
                audit_id: $Id,
                actor: $Actor,
                request: &$crate::Request,
                action: &str,
                entity: impl Into<String>,
            ) -> Self {
                Self {
                    $subject,
                    at,
                    audit_id,
                    actor,
                    action: action.to_owned(),
                    entity: entity.into(),
                    before: BTreeMap::new(),
                    after: BTreeMap::new(),
                    request_id: Some(request.request_id.clone()).filter(|id| !id.is_empty()),
                    $(stamps: <$Stamps>::default(),)?
                }
            }
        }

        $crate::audit_summaries!($Audit);
    };
}

/// Declares how the summaries of an audit row are filled: the texts in its maps `before` and `after`. The tables whose audit rows
/// have keys of their own use it directly.
#[macro_export]
macro_rules! audit_summaries {
    ($Audit:ident) => {
        impl $Audit {
            /// Records a value from before the change.
            #[must_use]
            pub fn was(mut self, what: &str, value: impl Into<String>) -> Self {
                self.before.insert(what.to_owned(), value.into());
                self
            }

            /// Records a value from after the change.
            #[must_use]
            pub fn is(mut self, what: &str, value: impl Into<String>) -> Self {
                self.after.insert(what.to_owned(), value.into());
                self
            }
        }
    };
}

/// Returns the fields that differ between two rows, with texts for both values. Fields that are not
/// shown only report that they were added, changed or removed.
pub fn changed_fields(
    before: &impl Serialize,
    after: &impl Serialize,
    is_shown: fn(&str) -> bool,
) -> Vec<(String, String, String)> {
    let (old, new) = (fields(before), fields(after));
    let changed = new.keys().filter(|name| new.get(*name) != old.get(*name));
    let texts = changed.map(|name| {
        let value = |fields: &Map<String, Value>, hidden: &str| match fields.get(name) {
            None | Some(Value::Null) => "(none)".to_owned(),
            Some(_) if !is_shown(name) => hidden.to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        };
        let was = value(&old, "(set)");
        let is = value(&new, if was == "(none)" { "(set)" } else { "(changed)" });
        (name.clone(), was, is)
    });
    texts.collect()
}

/// Returns the fields of a row.
fn fields(row: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(row) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => Map::new(),
    }
}
