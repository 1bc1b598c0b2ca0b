//! Sentinels: the rows that keep values unique. The key of a sentinel contains the value; the row
//! names the owner of the value and expires with it.

use monotable_design::meta::{EntityMeta, Segment, Template, UniqueMeta};
use monotable_design::part::Charset;
use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item};

use super::change::Unfit;
use super::erased::ErasedEntity;
use super::plan::{Failure, Hold, PlannedWrite};
use super::presence::{Presence, expiry_attribute};
use super::row;
use crate::backend::request::{Action, Returns, Write};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::{KeyError, Parts, check_lengths, encode_free_text, render};

/// The attribute with the key of the owner.
pub(crate) const OWNER: &str = "owner";
/// The type attribute of a sentinel.
const TYPE_NAME: &str = "UNIQUE";
/// The start of default templates, which encode free text.
const DEFAULT_PREFIX: &str = "UNIQUE#";

/// The row of one value of one constraint.
pub(super) struct Sentinel {
    entity: &'static EntityMeta,
    constraint: &'static UniqueMeta,
    /// Its primary key.
    pub(super) key: Item,
    /// The complete row.
    pub(super) row: Item,
}

/// Returns the sentinels of an entity: one per constraint, except those with an absent field.
pub(super) fn sentinels(
    context: &Context,
    entity: &dyn ErasedEntity,
    unfit: Unfit,
) -> Result<Vec<Sentinel>> {
    let meta = entity.meta();
    if meta.unique.is_empty() {
        return Ok(Vec::new());
    }
    let owner = AttributeValue::M(context.primary_key(meta, entity)?);
    let mut sentinels = Vec::with_capacity(meta.unique.len());
    for constraint in meta.unique {
        let key = match key(context, constraint, entity) {
            Err(_) if unfit == Unfit::None => None,
            key => key.map_err(|error| Error::Key { entity: meta.name, error })?,
        };
        let Some(key) = key else { continue };
        let mut row = key.clone();
        row.insert(OWNER.to_owned(), owner.clone());
        row.extend(row::type_attribute(context, TYPE_NAME));
        if let (Some(attribute), Some(expiry)) = (expiry_attribute(meta), entity.expires_at()) {
            row.insert(attribute.to_owned(), expiry.as_seconds().into());
        }
        sentinels.push(Sentinel { entity: meta, constraint, key, row });
    }
    Ok(sentinels)
}

/// Returns the key of a value's sentinel; `None` while a field of the constraint is absent.
///
/// # Errors
///
/// A value is not valid in a key.
pub(crate) fn key(
    context: &Context,
    constraint: &UniqueMeta,
    parts: &dyn Parts,
) -> Result<Option<Item>, KeyError> {
    let Some(partition) = text(&constraint.partition, parts)? else { return Ok(None) };
    let Some(sort) = text(&constraint.sort, parts)? else { return Ok(None) };
    check_lengths(&partition, Some(&sort))?;
    Ok(Some(context.key_item(partition, Some(sort))))
}

/// Renders a template of a constraint. Default templates encode free text, so that different values
/// never render the same key.
fn text(template: &Template, parts: &dyn Parts) -> Result<Option<String>, KeyError> {
    if !template.text.starts_with(DEFAULT_PREFIX) {
        return render(template, parts, None);
    }
    let mut text = String::new();
    for segment in template.segments {
        match segment {
            Segment::Literal(literal) => text.push_str(literal),
            Segment::Field { position, pad, kind, .. } => {
                let mut part = String::new();
                if !parts.write_part(*position, *pad, &mut part)? {
                    return Ok(None);
                }
                match kind.charset {
                    Charset::Any => text.push_str(&encode_free_text(&part)),
                    _ => text.push_str(&part),
                }
            }
            Segment::Shard => return Ok(None),
        }
    }
    Ok(Some(text))
}

impl Sentinel {
    /// Returns the write that takes the value.
    pub(super) fn claim(self, context: &Context) -> PlannedWrite {
        let condition = Presence::of(context, self.entity).absent().or(self.is_own());
        self.put(context, condition).holding(Hold::Taken)
    }

    /// Returns the write that keeps the value with another expiry, or for the same entity under
    /// another key.
    fn keep(self, context: &Context, before: &Self) -> PlannedWrite {
        let free = Presence::of(context, self.entity).absent();
        let condition = if self.is_owned(&before.row) {
            free.or(self.is_own())
        } else {
            free.or(before.is_own()).or(self.is_own())
        };
        self.put(context, condition).holding(Hold::Kept)
    }

    fn put(self, context: &Context, condition: Condition) -> PlannedWrite {
        let failure = self.taken();
        planned(context, Action::Put(self.row), condition, failure)
    }

    /// Returns the write that releases the value.
    fn release(self, context: &Context) -> PlannedWrite {
        let condition = attribute_not_exists(context.table.partition_key).or(self.is_own());
        let failure = self.taken();
        planned(context, Action::Delete(self.key), condition, failure).holding(Hold::GivenUp)
    }

    /// Returns whether the existing row belongs to the same owner.
    pub(super) fn is_owned(&self, row: &Item) -> bool {
        row.get(OWNER) == self.row.get(OWNER)
    }

    /// Returns the name of the constraint.
    pub(super) fn constraint(&self) -> &'static str {
        self.constraint.name
    }

    fn is_own(&self) -> Condition {
        path(OWNER).eq(self.row.get(OWNER).cloned().unwrap_or(AttributeValue::Null))
    }

    fn taken(&self) -> Failure {
        let (entity, constraint) = (self.entity.name, self.constraint.name);
        Box::new(move |_| Error::UniqueTaken { entity, constraint })
    }
}

/// Returns the writes that release the values of a row, from a value that has its fields.
pub(super) fn releases(
    context: &Context,
    entity: &'static EntityMeta,
    owner: &Item,
    parts: &dyn Parts,
) -> Vec<PlannedWrite> {
    let mut writes = Vec::new();
    for constraint in entity.unique.iter().filter(|constraint| constraint.is_released) {
        // A value that is not valid in a key has no sentinel.
        let Ok(Some(key)) = key(context, constraint, parts) else { continue };
        let mut row = key.clone();
        row.insert(OWNER.to_owned(), AttributeValue::M(owner.clone()));
        writes.push(Sentinel { entity, constraint, key, row }.release(context));
    }
    writes
}

/// Returns the writes that turn the sentinels before a change into those after it.
pub(super) fn moved(
    context: &Context,
    old: Vec<Sentinel>,
    new: Vec<Sentinel>,
) -> Vec<PlannedWrite> {
    let mut writes = Vec::new();
    let is_kept = |old: &Sentinel| new.iter().any(|new| new.key == old.key);
    let (kept, gone): (Vec<_>, Vec<_>) = old.into_iter().partition(is_kept);
    for sentinel in new {
        match kept.iter().find(|kept| kept.key == sentinel.key) {
            Some(kept) if kept.row == sentinel.row => {}
            Some(kept) => writes.push(sentinel.keep(context, kept)),
            None => writes.push(sentinel.claim(context)),
        }
    }
    let released = gone.into_iter().filter(|sentinel| sentinel.constraint.is_released);
    writes.extend(released.map(|sentinel| sentinel.release(context)));
    writes
}

fn planned(
    context: &Context,
    action: Action,
    condition: Condition,
    failure: Failure,
) -> PlannedWrite {
    let write = Write {
        table: std::sync::Arc::clone(&context.table_name),
        action,
        condition: Some(condition),
        return_on_failure: false,
        returns: Returns::Nothing,
        returns_units: false,
    };
    PlannedWrite::new(write, failure)
}
