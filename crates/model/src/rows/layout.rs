//! The names of the attributes in which rules keep what they know.

use monotable_design::meta::TableMeta;

/// The attributes of a row that a rule keeps. The defaults are those of a key-value table; a table
/// with other habits names its own.
///
/// ```
/// use monotable_model::rows::{Guard, Layout};
///
/// let layout = Layout::default().value("owner_id").expiry("expires_at");
/// let guard = Guard::new("TEAM#t1", "ACTIVE_GAME").layout(layout);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(super) value: &'static str,
    pub(super) version: &'static str,
    pub(super) expiry: Option<&'static str>,
    pub(super) lease: &'static str,
    pub(super) sequence: &'static str,
    pub(super) type_name: Option<&'static str>,
}

/// Where the expiry stands in a table that declares no attribute for it.
const EXPIRY: &str = "ttl";

impl Default for Layout {
    fn default() -> Self {
        Self {
            value: "v",
            version: "ver",
            expiry: None,
            lease: "lease",
            sequence: "seq",
            type_name: None,
        }
    }
}

impl Layout {
    /// The attribute of the value: the holder of a guard, the number of a counter, the token of a
    /// lock. It is `v` unless set.
    #[must_use]
    pub fn value(mut self, attribute: &'static str) -> Self {
        self.value = attribute;
        self
    }

    /// The attribute of the version: of snapshots and jobs, and the fence of locks. It is `ver` unless
    /// set.
    #[must_use]
    pub fn version(mut self, attribute: &'static str) -> Self {
        self.version = attribute;
        self
    }

    /// The attribute of the expiry. It is the table's unless set, or `ttl` if the table has none.
    #[must_use]
    pub fn expiry(mut self, attribute: &'static str) -> Self {
        self.expiry = Some(attribute);
        self
    }

    /// The attribute of the end of a lease, of locks and jobs. It is `lease` unless set.
    #[must_use]
    pub fn lease(mut self, attribute: &'static str) -> Self {
        self.lease = attribute;
        self
    }

    /// The attribute of a snapshot's last sequence number. It is `seq` unless set.
    #[must_use]
    pub fn sequence(mut self, attribute: &'static str) -> Self {
        self.sequence = attribute;
        self
    }

    /// What the row's type attribute says, in tables that have one. It is the rule's name unless set,
    /// such as `GUARD`.
    #[must_use]
    pub fn type_name(mut self, name: &'static str) -> Self {
        self.type_name = Some(name);
        self
    }

    pub(super) fn expiry_in(&self, table: &TableMeta) -> &'static str {
        self.expiry.or(table.ttl_attribute).unwrap_or(EXPIRY)
    }
}
