//! Parts that the requests of several operations share: expressions as text or tree, return
//! options, and setters.

use std::collections::BTreeMap;

use monotable_expression::{
    Condition, ExpressionError, ExpressionKind, KeyCondition, Placeholders, Projection, Reason,
    Update, parse_condition, parse_key_condition, parse_projection, parse_update,
};
use monotable_types::AttributeValue;

use crate::error::{Error, Result};

/// An expression of a request: DynamoDB's text, or a tree built in Rust.
///
/// A tree contains its names and values; a text refers to the request's `names` and `values`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression<T> {
    /// DynamoDB's expression text, parsed when the request runs.
    Text(String),
    /// A tree built in Rust.
    Tree(T),
    /// A tree that was translated from a legacy parameter by [`monotable_expression::legacy`].
    /// DynamoDB's messages about it are different.
    Legacy(T),
}

impl<T> Expression<T> {
    /// Returns whether errors have the messages for legacy parameters.
    pub(crate) fn is_legacy(&self) -> bool {
        matches!(self, Self::Legacy(_))
    }
}

impl<T> From<&str> for Expression<T> {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T> From<String> for Expression<T> {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

macro_rules! from_tree {
    ($($tree:ty),*) => {$(
        impl From<$tree> for Expression<$tree> {
            fn from(tree: $tree) -> Self {
                Self::Tree(tree)
            }
        }
    )*};
}

from_tree!(Condition, KeyCondition, Projection, Update);

/// The `#name` and `:value` placeholders that a request's expression texts refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Substitutions {
    /// `ExpressionAttributeNames`; `None` when the request has none.
    pub names: Option<BTreeMap<String, String>>,
    /// `ExpressionAttributeValues`; `None` when the request has none.
    pub values: Option<BTreeMap<String, AttributeValue>>,
}

impl Substitutions {
    /// Adds one `#name`.
    pub fn add_name(&mut self, placeholder: impl Into<String>, name: impl Into<String>) {
        self.names.get_or_insert_default().insert(placeholder.into(), name.into());
    }

    /// Adds one `:value`.
    pub fn add_value(&mut self, placeholder: impl Into<String>, value: impl Into<AttributeValue>) {
        self.values.get_or_insert_default().insert(placeholder.into(), value.into());
    }
}

/// Resolves all expressions of one request, and then reports unused placeholders.
pub(crate) struct Resolver<'a> {
    placeholders: Placeholders<'a>,
    substitutions: &'a Substitutions,
    saw_text: bool,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(substitutions: &'a Substitutions) -> Self {
        let placeholders =
            Placeholders::new(substitutions.names.as_ref(), substitutions.values.as_ref());
        Self { placeholders, substitutions, saw_text: false }
    }

    fn resolve<T: Clone>(
        &mut self,
        expression: &Option<Expression<T>>,
        parse: impl FnOnce(&str, &mut Placeholders<'a>) -> Result<T, ExpressionError>,
    ) -> Result<Option<T>, ExpressionError> {
        match expression {
            None => Ok(None),
            Some(Expression::Tree(tree) | Expression::Legacy(tree)) => Ok(Some(tree.clone())),
            Some(Expression::Text(text)) => {
                self.saw_text = true;
                Ok(Some(parse(text, &mut self.placeholders)?))
            }
        }
    }

    pub(crate) fn condition(
        &mut self,
        expression: &Option<Expression<Condition>>,
        kind: ExpressionKind,
    ) -> Result<Option<Condition>> {
        Ok(self
            .resolve(expression, |text, placeholders| parse_condition(text, kind, placeholders))?)
    }

    pub(crate) fn update(
        &mut self,
        expression: &Option<Expression<Update>>,
    ) -> Result<Option<Update>> {
        Ok(self.resolve(expression, parse_update)?)
    }

    pub(crate) fn projection(
        &mut self,
        expression: &Option<Expression<Projection>>,
    ) -> Result<Option<Projection>> {
        Ok(self.resolve(expression, parse_projection)?)
    }

    /// Resolves the key condition. If it is a valid condition that no index can process, the inner
    /// error reports it: AWS does so only after it has read the other expressions.
    pub(crate) fn key_condition(
        &mut self,
        expression: &Option<Expression<KeyCondition>>,
    ) -> Result<Option<Result<KeyCondition>>> {
        match self.resolve(expression, parse_key_condition) {
            Ok(condition) => Ok(condition.map(Ok)),
            Err(error) if is_about_form(&error) => Ok(Some(Err(error.into()))),
            Err(error) => Err(error.into()),
        }
    }

    /// Reports unused placeholders, and placeholders without any expression; `absent` lists the
    /// possible expressions, where AWS does.
    pub(crate) fn finish(self, absent: Option<&str>) -> Result<()> {
        if self.saw_text {
            return Ok(self.placeholders.finish()?);
        }
        if self.substitutions.names.is_some() {
            return Err(Error::validation(
                "ExpressionAttributeNames can only be specified when using expressions",
            ));
        }
        if self.substitutions.values.is_some() {
            let absent = absent.map(|absent| format!(": {absent}")).unwrap_or_default();
            return Err(Error::validation(format!(
                "ExpressionAttributeValues can only be specified when using expressions{absent}"
            )));
        }
        Ok(())
    }
}

fn is_about_form(error: &ExpressionError) -> bool {
    use Reason::{KeyConditionRepeated, KeyNestedAttribute, KeyNestedOperation};
    match error {
        ExpressionError::KeyCondition(_) => true,
        ExpressionError::Invalid { reason, .. } => {
            matches!(reason, KeyConditionRepeated | KeyNestedAttribute | KeyNestedOperation)
        }
        _ => false,
    }
}

/// What a write returns of the item (`ReturnValues`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReturnValues {
    /// Nothing.
    #[default]
    None,
    /// The whole item as it was before.
    AllOld,
    /// The updated attributes as they were before.
    UpdatedOld,
    /// The whole item as it is now.
    AllNew,
    /// The updated attributes as they are now.
    UpdatedNew,
}

/// What a failed condition returns (`ReturnValuesOnConditionCheckFailure`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReturnOnConditionFailure {
    /// Nothing.
    #[default]
    None,
    /// The item that the condition was evaluated on.
    AllOld,
}

/// How a response reports capacity units (`ReturnConsumedCapacity`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReturnConsumedCapacity {
    /// Nothing.
    #[default]
    None,
    /// One total per table.
    Total,
    /// The total, and the share of the table and of each index.
    Indexes,
}

/// Whether the response contains item collection sizes (`ReturnItemCollectionMetrics`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReturnItemCollectionMetrics {
    /// No.
    #[default]
    None,
    /// For tables with a local secondary index.
    Size,
}

/// Whether a read must see every write acknowledged before it started (`ConsistentRead`).
///
/// The engine always reads the newest committed snapshot; the choice matters for the capacity
/// units, for indexes (a global index refuses strong reads) and under the index-lag fault mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Consistency {
    /// Half the capacity units.
    #[default]
    Eventual,
    /// The full capacity units.
    Strong,
}

/// Chainable setters for the fields that many requests share.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident : $kind:tt $($path:ident).+ $(=> $type:ty)?;)*) => {
        $( setters!(@one $(#[$doc])* $name, $kind, [$($path).+] $(, $type)?); )*
    };
    (@one $(#[$doc:meta])* $name:ident, some, [$($path:ident).+], $type:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, value: impl Into<$type>) -> Self {
            self.$($path).+ = Some(value.into());
            self
        }
    };
    (@one $(#[$doc:meta])* $name:ident, value, [$($path:ident).+], $type:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, value: $type) -> Self {
            self.$($path).+ = value;
            self
        }
    };
    (@one $(#[$doc:meta])* $name:ident, substitutions, [$($path:ident).+]) => {
        /// Defines one `#name` placeholder.
        #[must_use]
        pub fn name(mut self, placeholder: impl Into<String>, name: impl Into<String>) -> Self {
            self.$($path).+.add_name(placeholder, name);
            self
        }
        /// Defines one `:value` placeholder.
        #[must_use]
        pub fn value(
            mut self,
            placeholder: impl Into<String>,
            value: impl Into<monotable_types::AttributeValue>,
        ) -> Self {
            self.$($path).+.add_value(placeholder, value);
            self
        }
    };
}
pub(crate) use setters;
