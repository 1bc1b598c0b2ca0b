//! A filter for items that are read outside of a Query or Scan, such as those of an export.

use std::borrow::Cow;

use monotable_expression::{Condition, ExpressionKind, KeyCondition, Projection};
use monotable_types::{AttributeValue, Item};

use super::query::{check_filter, check_filter_paths};
use super::request::{Expression, Resolver, Substitutions};
use crate::error::Result;
use crate::layout::row_key::BASE_AREA;
use crate::read::key_range;
use crate::stored::ReadItem;
use crate::table::Table;
use crate::validate;

/// Selects items and their attributes. Its expressions are those of a Query.
#[derive(Clone, Debug)]
pub struct ItemFilter {
    key_condition: Option<KeyCondition>,
    filter: Option<Condition>,
    projection: Option<Projection>,
}

/// The expressions of an [`ItemFilter`].
#[derive(Clone, Debug, Default)]
pub struct ItemFilterExpressions {
    /// Equality of the partition key, and a comparison of the sort key.
    pub key_condition: Option<Expression<KeyCondition>>,
    /// Which items pass; it may contain key attributes only if there is no key condition.
    pub filter: Option<Expression<Condition>>,
    /// The attributes to return.
    pub projection: Option<Expression<Projection>>,
    /// `#names` and `:values` of all expressions.
    pub substitutions: Substitutions,
}

impl ItemFilter {
    pub(crate) fn new(table: &Table, expressions: &ItemFilterExpressions) -> Result<Self> {
        validate::substitutions(&expressions.substitutions)?;
        let mut resolver = Resolver::new(&expressions.substitutions);
        let key_condition = resolver.key_condition(&expressions.key_condition)?.transpose()?;
        let filter = resolver.condition(&expressions.filter, ExpressionKind::Filter)?;
        let projection = resolver.projection(&expressions.projection)?;
        resolver.finish(None)?;
        if let Some(condition) = &key_condition {
            key_range(table.id, BASE_AREA, &table.keys, condition)?;
            if let Some(filter) = &filter {
                check_filter(&table.keys, filter, "Filter Expression")?;
            }
        }
        if let Some(filter) = &filter {
            check_filter_paths(table, filter)?;
        }
        if let Some(projection) = &projection {
            validate::scalar_paths(table, &projection.paths)?;
        }
        Ok(Self { key_condition, filter, projection })
    }

    /// Returns the selected attributes of an item; `None` if it does not pass.
    pub fn apply(&self, item: ReadItem) -> Option<ReadItem> {
        let passes = |condition: &KeyCondition| {
            condition.terms.iter().all(|term| {
                item.get(&term.attribute).is_some_and(|value| term.test.matches(&value))
            })
        };
        if !self.key_condition.as_ref().is_none_or(passes) {
            return None;
        }
        if self.filter.is_none() && self.projection.is_none() {
            return Some(item);
        }
        let item = Attributes(item.to_item());
        if !self.filter.as_ref().is_none_or(|filter| filter.evaluate(&item)) {
            return None;
        }
        let item = match &self.projection {
            Some(projection) => projection.apply(&item),
            None => item.0,
        };
        Some(ReadItem::from(item))
    }
}

struct Attributes(Item);

impl monotable_expression::Attributes for Attributes {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        self.0.get(name).map(Cow::Borrowed)
    }
}
