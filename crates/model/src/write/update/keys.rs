//! The index keys that an update writes, from the fields that it sets and the key of its row.

use monotable_design::meta::{EntityIndexMeta, EntityMeta, Segment, Template, WireType};
use monotable_types::{AttributeValue, Item};

use super::{PartTexts, UpdatePlan};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::{KeyError, PartText, Parts};
use crate::write::index_keys::{self, IndexKeys};
use crate::write::send::refused;
use crate::write::{row, unchanged};

impl UpdatePlan {
    /// Returns the update with the time as a part of index keys that contain the time of the last
    /// change.
    pub(super) fn stamped(&self, context: &Context) -> Result<Option<Self>> {
        let meta = self.meta();
        let Some(updated) = meta.updated else { return Ok(None) };
        let is_part = |index| index_keys::positions(index).any(|position| position == updated);
        if !meta.indexes.iter().any(is_part) {
            return Ok(None);
        }
        let texts = match meta.fields[usize::from(updated)].wire_type {
            WireType::N => part_texts(meta, updated, &context.now_seconds())?,
            _ => part_texts(meta, updated, &context.now())?,
        };
        let mut stamped = self.clone();
        stamped.parts.push((updated, Some(texts)));
        Ok(Some(stamped))
    }

    /// Returns the fields of the key as attributes, which a new row needs.
    pub(super) fn key_fields(&self, context: &Context) -> Result<Item> {
        let meta = self.meta();
        let key_error = |error| Error::Key { entity: meta.name, error };
        let mut attributes = Item::new();
        for position in unchanged::key_fields(meta) {
            let Some(attribute) = row::attribute_of(meta, position) else { continue };
            let mut text = String::new();
            self.key.parts().write_part(position, 0, &mut text).map_err(key_error)?;
            let value = match meta.fields[usize::from(position)].wire_type {
                WireType::N => text.parse().map(AttributeValue::N).ok(),
                _ => Some(text.into()),
            };
            attributes.insert(
                attribute.to_owned(),
                value.ok_or(KeyError::Unparsable).map_err(key_error)?,
            );
        }
        attributes.retain(|attribute, _| !index_keys::is_primary(context, attribute));
        Ok(attributes)
    }

    /// Returns the index keys that change: those with a part that is set. A row that may be new
    /// gets all keys that are known.
    pub(super) fn index_keys(&self, context: &Context) -> Result<IndexKeys> {
        let meta = self.meta();
        let mut keys = IndexKeys::new();
        for index in meta.indexes {
            let is_touched = index_keys::positions(index).any(|position| self.is_set(position));
            let is_known = index_keys::positions(index).all(|position| self.is_known(position));
            let is_new = self.creates && is_known;
            if !is_touched && !is_new {
                continue;
            }
            // In an index that contains every row, keys do not depend on each other.
            let is_wanted = |template: &Template| {
                index.is_sparse
                    || is_new
                    || positions(index, template).any(|position| self.is_set(position))
            };
            for template in index.partition.iter().chain(index.sort).filter(|one| is_wanted(one)) {
                if let Some(missing) =
                    positions(index, template).find(|position| !self.is_known(*position))
                {
                    let field = meta.fields[usize::from(missing)].name;
                    return Err(refused(format!(
                        "an update of {} changes a key of index {} without `{field}`, which is part of it; set both",
                        meta.name, index.index
                    )));
                }
            }
            let rendered = index_keys::some(context, meta, index, self, &is_wanted)?;
            index_keys::merge(&mut keys, rendered);
        }
        Ok(keys)
    }

    /// Returns whether the row leaves an index and thereby affects another index with the same
    /// attribute. Only the row shows whether it is in that index.
    pub(super) fn leaves_shared_key(&self, context: &Context) -> bool {
        let meta = self.meta();
        let removed = |position| self.parts.contains(&(position, None));
        if !self.parts.iter().any(|(_, texts)| texts.is_none()) {
            return false;
        }
        let (touched, others): (Vec<&EntityIndexMeta>, Vec<&EntityIndexMeta>) =
            meta.indexes.iter().partition(|index| self.touches(index));
        let shared = |attribute| {
            others
                .iter()
                .any(|other| index_keys::attributes(context, other).any(|one| one == attribute))
        };
        touched
            .into_iter()
            .filter(|index| index_keys::positions(index).any(removed))
            .flat_map(|index| index_keys::attributes(context, index))
            .filter(|attribute| !index_keys::is_written(context, meta, attribute))
            .any(shared)
    }

    /// Returns whether a key in some index has a part that the update does not set, but that has a
    /// default value in a row without the attribute.
    pub(super) fn leaves_default(&self) -> bool {
        let meta = self.meta();
        let mut positions = meta.indexes.iter().flat_map(index_keys::positions);
        positions.any(|position| {
            let field = &meta.fields[usize::from(position)];
            !self.is_known(position)
                && unchanged::has_default(field)
                && meta.updated != Some(position)
        })
    }

    /// Returns whether a part of a key in the index is set, or is the time of the change.
    fn touches(&self, index: &EntityIndexMeta) -> bool {
        let meta = self.meta();
        index_keys::positions(index)
            .any(|position| self.is_set(position) || meta.updated == Some(position))
    }

    fn is_set(&self, position: u16) -> bool {
        self.parts.iter().any(|(known, _)| *known == position)
    }

    fn is_known(&self, position: u16) -> bool {
        let meta = self.meta();
        self.is_set(position) || unchanged::key_fields(meta).any(|known| known == position)
    }
}

/// The values of an update for the templates of index keys: what is set, and the key's own fields.
impl Parts for UpdatePlan {
    fn write_part(&self, position: u16, pad: u8, text: &mut String) -> Result<bool, KeyError> {
        match self.parts.iter().find(|(known, _)| *known == position) {
            None => self.key.parts().write_part(position, pad, text),
            Some((_, None)) => Ok(false),
            Some((_, Some(texts))) => match texts.iter().find(|(known, _)| *known == pad) {
                Some((_, part)) => {
                    text.push_str(part);
                    Ok(true)
                }
                None => Ok(false),
            },
        }
    }
}

/// Returns the text of a key part in every padding that a template uses.
pub(super) fn part_texts(
    entity: &'static EntityMeta,
    position: u16,
    value: &dyn PartText,
) -> Result<PartTexts> {
    let templates =
        entity.indexes.iter().flat_map(|index| index.partition.iter().chain(index.sort));
    let mut pads: Vec<u8> = templates
        .flat_map(|template| template.segments)
        .filter_map(|segment| match segment {
            Segment::Field { position: at, pad, .. } if *at == position => Some(*pad),
            _ => None,
        })
        // The field that decides the shard is rendered without padding.
        .chain(std::iter::once(0))
        .collect();
    pads.sort_unstable();
    pads.dedup();
    let text = |pad| {
        let mut text = String::new();
        value.write(pad, &mut text).map(|()| (pad, text))
    };
    let texts: Result<PartTexts, KeyError> = pads.into_iter().map(text).collect();
    texts.map_err(|error| Error::Key { entity: entity.name, error })
}

/// Returns the fields in a template.
fn fields(template: &Template) -> impl Iterator<Item = u16> {
    template.segments.iter().filter_map(|segment| match segment {
        Segment::Field { position, .. } => Some(*position),
        Segment::Literal(_) | Segment::Shard => None,
    })
}

/// Returns the fields that one key of an index depends on.
fn positions(index: &EntityIndexMeta, template: &Template) -> impl Iterator<Item = u16> {
    let has_shard = template.segments.iter().any(|segment| matches!(segment, Segment::Shard));
    let shard = index.shards.filter(|_| has_shard).map(|shards| shards.by);
    fields(template).chain(shard)
}
