//! Access patterns in the owned form.

use serde::{Deserialize, Serialize};

use super::entity::{KeyPart, is_false};
use super::{Allow, Location};

/// The access patterns of one trait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatternSet {
    /// The trait's name.
    pub name: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// The patterns.
    pub patterns: Vec<Pattern>,
}

/// One access pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// The function's name.
    pub name: String,
    /// The question that it answers, from its documentation comment.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// The operation on the table.
    pub operation: Operation,
    /// The index that it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Argument>,
    /// Templates of the partition key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partition: Vec<String>,
    /// Conditions on the sort key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<SortTest>,
    /// The unique constraint by whose value a row is read, instead of by a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unique: Option<String>,
    /// Attributes that its rows must have or lack.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub presence: Vec<PresenceTest>,
    /// The names of the entities that it returns.
    pub returns: Vec<String>,
    /// How much of the result it returns.
    pub shape: Shape,
    /// Whether it reads backwards.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_descending: bool,
    /// Whether it reads consistently.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_consistent: bool,
    /// Over how many partitions it is spread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<u16>,
    /// Rows evaluated at most in one request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Rows that the collection has at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items_max: Option<u32>,
    /// Expected requests a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests_per_second: Option<u32>,
    /// Whether it is for administrators only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_admin: bool,
    /// Rules not followed by this pattern.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allows: Vec<Allow>,
    /// Where it is declared.
    pub location: Location,
}

/// One argument of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// The type in Rust.
    pub rust_type: String,
    /// The attribute that is filtered by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// The form of its text in the key, if it is part of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_part: Option<KeyPart>,
}

/// The operation of a pattern on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// One row by its key.
    Get,
    /// Rows of one partition.
    Query,
    /// Many rows by their keys.
    BatchGet,
    /// Everything.
    Scan,
}

/// A condition on one attribute of the sort key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortTest {
    /// Exactly this.
    Equals(String),
    /// Everything that starts so.
    BeginsWith(String),
    /// From the first to all that starts like the second.
    Between(String, String),
    /// From here to the end of the same literal prefix.
    From(String),
    /// From the start of the same literal prefix to all that starts so.
    UpTo(String),
    /// Everything after it, within the same literal prefix.
    After(String),
    /// Everything before it, within the same literal prefix.
    Before(String),
}

/// A filter by whether rows have an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PresenceTest {
    /// Rows that have it.
    Exists(String),
    /// Rows that don't.
    Absent(String),
}

/// How much of the result a pattern returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// The row, or the first one.
    One,
    /// Page by page.
    Rows,
    /// All rows at once.
    All,
    /// One value folded from all rows.
    Fold,
}
