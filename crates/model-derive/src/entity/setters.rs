//! Which fields a blind update may set: one by one, together with others, by adding, or not at all.
//!
//! An update does not see the row. So it can set a field of an index template only if it knows every
//! other field of that template: those of the primary key it knows, the rest must be set with it.

use std::collections::BTreeSet;

use super::field::Field;
use super::model::Entity;
use super::parse::{Index, Shards};
use crate::codec::Codec;
use crate::template::KeyTemplate;

/// One function of an update.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Setter {
    /// Sets one field that no index key has.
    Field(u16),
    /// Sets the fields that index keys are made of, all at once.
    Parts(Vec<u16>),
    /// Adds to a counter.
    Counter(u16),
}

impl Setter {
    /// Returns the name of the function.
    pub(super) fn name(&self, entity: &Entity) -> String {
        let name = |position: &u16| entity.fields[usize::from(*position)].name.as_str();
        match self {
            Self::Field(position) => name(position).to_owned(),
            Self::Counter(position) => format!("add_{}", name(position)),
            Self::Parts(positions) => positions.iter().map(name).collect::<Vec<_>>().join("_and_"),
        }
    }
}

/// Returns why nothing of an entity can be set blindly, if that is so.
pub(super) fn obstacle(entity: &Entity) -> Option<&'static str> {
    if !entity.mirrors.is_empty() {
        return Some("its mirrors are made from all of its fields");
    }
    // An update changes the stamp, so every other field of the key would have to be set each time.
    let is_stamp = |position: &u16| entity.fields[usize::from(*position)].marks.updated.is_some();
    groups(entity)
        .iter()
        .any(|group| group.len() > 1 && group.iter().any(is_stamp))
        .then_some("an index key is made of the time of its last change and of other fields")
}

/// Returns the functions of an update, in the order of their first fields.
pub(super) fn setters(entity: &Entity) -> Vec<Setter> {
    if obstacle(entity).is_some() {
        return Vec::new();
    }
    let groups = groups(entity);
    let mut setters = Vec::new();
    for (position, field) in entity.numbered() {
        let group = groups.iter().find(|group| group.contains(&position));
        match group {
            None if field.marks.counter.is_some() && is_attribute(entity, field) => {
                setters.push(Setter::Counter(position));
            }
            None if is_settable(entity, field) => setters.push(Setter::Field(position)),
            None => {}
            Some(group) => {
                let is_first = group.first() == Some(&position);
                let all = || group.iter().map(|position| &entity.fields[usize::from(*position)]);
                if is_first && all().all(|field| is_settable(entity, field)) {
                    setters.push(Setter::Parts(group.iter().copied().collect()));
                }
            }
        }
    }
    setters
}

/// Fields outside the primary key that index keys tie together.
fn groups(entity: &Entity) -> Vec<BTreeSet<u16>> {
    let mut groups: Vec<BTreeSet<u16>> = Vec::new();
    for index in &entity.indexes {
        for mut unit in units(entity, index) {
            // Whatever touches the new unit becomes one with it.
            groups.retain(|group| {
                let is_apart = group.is_disjoint(&unit);
                if !is_apart {
                    unit.extend(group);
                }
                is_apart
            });
            if !unit.is_empty() {
                groups.push(unit);
            }
        }
    }
    groups
}

/// Returns what is written together for one index: one attribute, or all when rows may stay out of it.
fn units(entity: &Entity, index: &Index) -> Vec<BTreeSet<u16>> {
    let shards = index.shards.as_ref();
    let templates = index.partition.iter().chain(&index.sort);
    let units: Vec<BTreeSet<u16>> =
        templates.map(|template| members(entity, template, shards)).collect();
    let is_optional = |position: &u16| entity.fields[usize::from(*position)].is_optional;
    if index.is_sparse || units.iter().flatten().any(is_optional) {
        return vec![units.into_iter().flatten().collect()];
    }
    units
}

fn members(entity: &Entity, template: &KeyTemplate, shards: Option<&Shards>) -> BTreeSet<u16> {
    let deciding = shards.filter(|_| template.is_sharded()).map(|shards| shards.by.to_string());
    let names = template.names().map(str::to_owned).chain(deciding);
    names.filter(|name| !entity.is_key(name)).filter_map(|name| entity.position(&name)).collect()
}

fn is_settable(entity: &Entity, field: &Field) -> bool {
    let is_unique =
        entity.unique.iter().any(|unique| unique.fields.iter().any(|name| *name == field.name));
    is_attribute(entity, field)
        && !entity.is_key(&field.name)
        && !is_unique
        && !field.is_managed()
        && !field.is_unwritten
}

/// Returns whether a field is a separate attribute that an update can change in place.
fn is_attribute(entity: &Entity, field: &Field) -> bool {
    match entity.codec {
        Codec::Plain => true,
        Codec::Envelope(_) => field.is_outside_data(),
        Codec::ValueRow => field.marks.ttl.is_some() || field.is_counted_value(),
    }
}
