//! The design as owned data, written as JSON and read back: what documents and tools are made from.
//!
//! `docs/design-format.md` describes every member. Templates are texts here, fields are referenced
//! by name instead of by number, and all other information of the constants in
//! [`meta`](crate::meta) is kept.

mod entity;
mod error;
mod of;
mod pattern;
mod rule;

pub use entity::{
    Charset, Codec, CopyOf, Entity, EntityIndex, Field, Form, Key, KeyPart, Mirror, Shards, Unique,
    WireType,
};
pub use error::DesignError;
pub use pattern::{Argument, Operation, Pattern, PatternSet, PresenceTest, Shape, SortTest};
pub use rule::{Rule, RuleAttributes, RuleKind};

use serde::{Deserialize, Serialize};

/// The version of the JSON form. It rises with every change of the form.
pub const VERSION: u32 = 1;

/// The design of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// The version of the form: [`VERSION`].
    pub monotable_design: u32,
    /// The name of the table's type.
    pub name: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// The table's name, with variables such as `{environment}` in it.
    pub table_name: String,
    /// The attribute of the partition key.
    pub partition_key: String,
    /// The attribute of the sort key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort_key: Option<String>,
    /// The attribute with the type of a row; `None` if the keys determine the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_attribute: Option<String>,
    /// The attribute that holds a row's expiry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_attribute: Option<String>,
    /// The codec of every entity, if the table requires one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codec: Option<Codec>,
    /// The secondary indexes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indexes: Vec<Index>,
    /// The entities.
    pub entities: Vec<Entity>,
    /// The keys of rules that are kept as rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// The access patterns, trait by trait.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pattern_sets: Vec<PatternSet>,
    /// The stores that must support the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
    /// Rules not followed by the table as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allows: Vec<Allow>,
    /// Where it is declared.
    pub location: Location,
}

/// A location in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    /// The file, as the compiler names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// A rule not followed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allow {
    /// The rule's code.
    pub rule: String,
    /// The reason.
    pub because: String,
}

/// A store that can contain a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The engine in the same process.
    Embedded,
    /// Amazon DynamoDB.
    #[serde(rename = "dynamodb")]
    DynamoDb,
    /// ScyllaDB Alternator.
    Alternator,
}

/// A secondary index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// Global or local.
    pub kind: IndexKind,
    /// The attributes of the partition key.
    pub partition: Vec<String>,
    /// The attributes of the sort key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<String>,
    /// Which attributes it carries.
    pub projection: Projection,
    /// Rules not followed by this index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allows: Vec<Allow>,
}

/// The kind of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IndexKind {
    /// A partition key of its own.
    Global,
    /// The table's partition key, another sort key.
    Local,
}

/// Which attributes an index carries besides the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Projection {
    /// All.
    All,
    /// None.
    KeysOnly,
    /// These.
    Include(Vec<String>),
}

impl Design {
    /// Returns the JSON form, indented, with a newline at the end.
    pub fn to_json(&self) -> String {
        // Every key of the form is a string, so that serialization can't fail.
        let mut json = serde_json::to_string_pretty(self).unwrap_or_default();
        json.push('\n');
        json
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    ///
    /// The text is not JSON, is not a design, or has another version than [`VERSION`].
    pub fn from_json(json: &str) -> Result<Self, DesignError> {
        let value: serde_json::Value =
            serde_json::from_str(json).map_err(|error| DesignError::Json(error.to_string()))?;
        match value.get("monotable_design").map(serde_json::Value::as_u64) {
            None => return Err(DesignError::NoDesign),
            Some(Some(version)) if version == u64::from(VERSION) => {}
            Some(_) => {
                let version = value["monotable_design"].to_string();
                return Err(DesignError::Version(version));
            }
        }
        // Parsed from the text again, because only then does the error contain the position.
        serde_json::from_str(json).map_err(|error| DesignError::Form(error.to_string()))
    }

    /// Returns the entity with a name.
    pub fn entity(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name == name)
    }
}

#[cfg(test)]
mod tests;
