//! What is different about entities, apart from their fields.

use super::change::{Change, EntityChange, FieldChange, Role};
use super::field;
use super::pair::{Pairs, pair};
use super::template::{Names, derived};
use crate::Design;
use crate::ir::{Entity, EntityIndex, Mirror, Unique};

/// Entities by name; one with another name but the same key is the same, since no two entities of a
/// table can share a key.
pub(super) fn pairs<'a>(older: &'a Design, newer: &'a Design) -> Pairs<'a, Entity> {
    let is_same_name = |one: &Entity, other: &Entity| one.name == other.name;
    let is_same_key = |one: &Entity, other: &Entity| one.key == other.key;
    pair(&older.entities, &newer.entities, &[is_same_name, is_same_key])
}

/// Every entity of both designs.
pub(super) fn entities(older: &Design, newer: &Design, changes: &mut Vec<Change>) {
    let pairs = pairs(older, newer);
    let name = |entity: &Entity| entity.name.clone();
    changes.extend(pairs.added.into_iter().map(name).map(Change::EntityAdded));
    for &(from, to) in &pairs.both {
        if from.name != to.name {
            changes.push(Change::EntityRenamed { from: name(from), to: name(to) });
        }
        let names = Names(field::pairs(from, to).both);
        let entities = pairs.both.as_slice();
        let comparison =
            Comparison { older, newer, entities, from, to, names, changes: Vec::new() };
        let entity_changes = comparison.changes();
        let one = |change| Change::Entity { entity: name(to), change };
        changes.extend(entity_changes.into_iter().map(one));
    }
    changes.extend(pairs.removed.into_iter().map(|entity| Change::EntityRemoved {
        entity: entity.name.clone(),
        has_more_rows: !entity.unique.is_empty() || !entity.mirrors.is_empty(),
    }));
}

/// One entity in both designs.
struct Comparison<'a> {
    older: &'a Design,
    newer: &'a Design,
    /// The entities of both designs.
    entities: &'a [(&'a Entity, &'a Entity)],
    from: &'a Entity,
    to: &'a Entity,
    names: Names<'a>,
    changes: Vec<EntityChange>,
}

impl Comparison<'_> {
    fn changes(mut self) -> Vec<EntityChange> {
        self.rows();
        self.index_keys();
        self.unique();
        self.mirrors();
        self.roles();
        let mut changes = field::fields(self.from, self.to);
        for change in &mut changes {
            if let EntityChange::Field { change: FieldChange::Removed { attribute, .. }, .. } =
                change
                && attribute.as_ref().is_some_and(|attribute| self.is_written(attribute))
            {
                *attribute = None;
            }
        }
        self.changes.extend(changes);
        self.changes
    }

    /// The type, the codec and the primary key.
    fn rows(&mut self) {
        let (from, to) = (self.from, self.to);
        if from.type_name != to.type_name {
            let attribute = self.newer.type_attribute.as_ref();
            self.changes.push(EntityChange::TypeName {
                from: from.type_name.clone(),
                to: to.type_name.clone(),
                is_stored: attribute.is_some() && attribute == self.older.type_attribute.as_ref(),
            });
        }
        if from.codec != to.codec {
            let (from, to) = (from.codec.clone(), to.codec.clone());
            self.changes.push(EntityChange::Codec { from, to });
        }
        if from.key != self.names.key(&to.key) {
            self.changes.push(EntityChange::Key { from: from.key.clone(), to: to.key.clone() });
        }
    }

    fn index_keys(&mut self) {
        let is_same = |one: &EntityIndex, other: &EntityIndex| one.index == other.index;
        let pairs = pair(&self.from.indexes, &self.to.indexes, &[is_same]);
        for added in pairs.added {
            let is_derived = !derived(self.to, &self.newer.indexes, added).is_empty();
            let index = added.index.clone();
            self.changes.push(EntityChange::IndexKeysAdded { index, is_derived });
        }
        for (from, to) in pairs.both {
            if *from != self.names.index_keys(to) {
                let (from, to) = (from.clone(), to.clone());
                self.changes.push(EntityChange::IndexKeysChanged { from, to });
            }
        }
        for removed in pairs.removed {
            let attributes = self.left_behind(removed);
            let index = removed.index.clone();
            self.changes.push(EntityChange::IndexKeysRemoved { index, attributes });
        }
    }

    /// Returns the attributes of an index's keys that nothing writes any more.
    fn left_behind(&self, removed: &EntityIndex) -> Vec<String> {
        let derived = derived(self.from, &self.older.indexes, removed).into_iter();
        derived.filter(|attribute| !self.is_written(attribute)).map(str::to_owned).collect()
    }

    /// Returns whether rows of the newer design have an attribute, as a field, a key or the type.
    fn is_written(&self, attribute: &str) -> bool {
        let Design { partition_key, sort_key, type_attribute, indexes, .. } = self.newer;
        let keys = self.to.indexes.iter().flat_map(|keys| derived(self.to, indexes, keys));
        let names = [Some(partition_key), sort_key.as_ref(), type_attribute.as_ref()];
        let fields = self.to.fields.iter().map(|field| field.attribute.as_str());
        let names = names.into_iter().flatten().map(String::as_str);
        names.chain(keys).chain(fields).any(|name| name == attribute)
    }

    /// Unique constraints by the rows that keep them, what is left by name.
    fn unique(&mut self) {
        let newer: Vec<_> =
            self.to.unique.iter().map(|unique| self.unique_before(unique)).collect();
        let is_same_name = |one: &Unique, other: &Unique| one.name == other.name;
        let is_same_row = |one: &Unique, other: &Unique| {
            (&one.partition, &one.sort) == (&other.partition, &other.sort)
        };
        // Rows decide before names: those of a constraint that is still kept must never be removed.
        let pairs = pair(&self.from.unique, &newer, &[is_same_row, is_same_name]);
        let name = |unique: &Unique| unique.name.clone();
        let mut changes: Vec<_> =
            pairs.added.into_iter().map(name).map(EntityChange::UniqueAdded).collect();
        for (from, to) in pairs.both {
            if from != to {
                let is_moved = !is_same_row(from, to) || from.is_sparse != to.is_sparse;
                let (from, to) = (from.clone(), to.clone());
                changes.push(EntityChange::UniqueChanged { from, to, is_moved });
            }
        }
        changes.extend(pairs.removed.into_iter().map(name).map(EntityChange::UniqueRemoved));
        self.changes.extend(changes);
    }

    /// Returns a constraint of the newer design in the older names of its fields.
    fn unique_before(&self, unique: &Unique) -> Unique {
        let before = |name: &String| self.names.before(name).to_owned();
        Unique {
            fields: unique.fields.iter().map(before).collect(),
            partition: self.names.template(&unique.partition),
            sort: self.names.template(&unique.sort),
            ..unique.clone()
        }
    }

    fn mirrors(&mut self) {
        let entity_before = |name: &String| {
            let pair = self.entities.iter().find(|(_, newer)| newer.name == *name);
            pair.map_or(name, |(older, _)| &older.name).clone()
        };
        let before = |mirror: &Mirror| Mirror {
            entity: entity_before(&mirror.entity),
            key: mirror.key.as_ref().map(|key| self.names.key(key)),
        };
        let newer: Vec<_> = self.to.mirrors.iter().map(before).collect();
        let pairs = pair(&self.from.mirrors, &newer, &[|one, other| one == other]);
        let added = pairs.added.into_iter().cloned().map(EntityChange::MirrorAdded);
        let removed = pairs.removed.into_iter().cloned().map(EntityChange::MirrorRemoved);
        self.changes.extend(added.chain(removed));
    }

    fn roles(&mut self) {
        let (from, to) = (self.from, self.to);
        let roles = [
            (Role::Version, &from.version, &to.version),
            (Role::Ttl, &from.ttl, &to.ttl),
            (Role::Created, &from.created, &to.created),
            (Role::Updated, &from.updated, &to.updated),
        ];
        for (role, from, to) in roles {
            if from.as_deref() != to.as_deref().map(|name| self.names.before(name)) {
                let (from, to) = (from.clone(), to.clone());
                self.changes.push(EntityChange::Role { role, from, to });
            }
        }
    }
}
