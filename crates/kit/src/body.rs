//! Typed requests: the body, the query and the path of an operation, each declared once as a struct.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::problem::Problem;
use crate::schema::Schema;

/// The body of a request, or its query parameters. Declared with `#[derive(Body)]`; `()` for none.
pub trait Body: Sized + Send + Sync + 'static {
    /// Whether a request may have no body.
    const IS_OPTIONAL: bool = false;

    /// Returns the schema; `None` if there is no body.
    fn schema() -> Option<Schema>;

    /// Creates the value from fields that the schema has accepted.
    ///
    /// # Errors
    /// Returns 400 if a type accepts less than its schema.
    fn read(fields: Map<String, Value>) -> Result<Self, Problem>;
}

impl Body for () {
    fn schema() -> Option<Schema> {
        None
    }

    fn read(_: Map<String, Value>) -> Result<Self, Problem> {
        Ok(())
    }
}

/// An optional body.
impl<B: Body> Body for Option<B> {
    const IS_OPTIONAL: bool = true;

    fn schema() -> Option<Schema> {
        B::schema()
    }

    fn read(fields: Map<String, Value>) -> Result<Self, Problem> {
        if fields.is_empty() { Ok(None) } else { B::read(fields).map(Some) }
    }
}

/// The values of a path. Declared with `#[derive(Path)]`; `()` for none.
pub trait Path: Sized + Send + Sync + 'static {
    /// Creates the value from the texts in a path.
    ///
    /// # Errors
    /// Returns 400 if a text is not a value of its type.
    fn read(values: &BTreeMap<String, String>) -> Result<Self, Problem>;
}

/// Declares the values of paths: `paths! { TeamPath { team_id: TeamId } }`.
#[macro_export]
macro_rules! paths {
    ($($(#[$attribute:meta])* $name:ident { $($field:ident: $type:ty),+ $(,)? })+) => {
        $(
            $(#[$attribute])*
            #[derive(Debug, $crate::Path)]
            pub(crate) struct $name {
                $(pub(crate) $field: $type,)+
            }
        )+
    };
}

impl Path for () {
    fn read(_: &BTreeMap<String, String>) -> Result<Self, Problem> {
        Ok(())
    }
}
