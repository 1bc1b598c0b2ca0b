//! Audits: rows that record who changed what, created in the transaction of the change.

/// Declares the entity of a table's audit. A row has who did what to which row, summaries of the values
/// before and after without personal data, when, and by which request.
///
/// The module needs `monotable::prelude::*` and `std::collections::BTreeMap`. Name the subject whose audit
/// it is with the partition key of its rows, the id of an entry, and the id of users. `stamps: Stamps` behind
/// them gives rows the stamps of the table:
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
            /// When.
            #[immutable]
            pub at: Timestamp,
            /// The line of the audit.
            pub audit_id: $Id,
            /// Who did it.
            pub actor: $Actor,
            /// What was done, such as `deleteGame`.
            pub action: String,
            /// What it was done to, such as `GAME#g1`.
            pub entity: String,
            /// What of it was before, without personal data.
            #[serde(default)]
            pub before: BTreeMap<String, String>,
            /// What of it is after, without personal data.
            #[serde(default)]
            pub after: BTreeMap<String, String>,
            /// The request that did it.
            pub request_id: Option<String>,
            $(
                /// What the layer keeps of it.
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

            /// Records what of the row was before.
            #[must_use]
            pub fn was(mut self, what: &str, value: impl Into<String>) -> Self {
                self.before.insert(what.to_owned(), value.into());
                self
            }

            /// Records what of the row is after.
            #[must_use]
            pub fn is(mut self, what: &str, value: impl Into<String>) -> Self {
                self.after.insert(what.to_owned(), value.into());
                self
            }
        }
    };
}
