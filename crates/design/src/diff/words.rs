//! Changes in plain words.

use std::fmt;

use super::change::{Change, EntityChange, FieldChange, FieldLocation, OldName, Role};
use crate::ir::{
    Codec, CopyOf, EntityIndex, Form, Index, IndexKind, Key, Mirror, Projection, Shards, Unique,
    WireType,
};

impl fmt::Display for Change {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TableName { from, to: now } => {
                write!(to, "the table's name was `{from}` and is `{now}`")
            }
            Self::TableKey { from, to: now } => {
                write!(to, "the table's key was {} and is {}", codes(from), codes(now))
            }
            Self::TypeAttribute { from, to: now, .. } => {
                let (from, now) = (or_none(from.as_ref()), or_none(now.as_ref()));
                write!(to, "the type of a row was in {from} and is in {now}")
            }
            Self::TtlAttribute { from, to: now } => {
                let (from, now) = (or_none(from.as_ref()), or_none(now.as_ref()));
                write!(to, "the expiry of a row was in {from} and is in {now}")
            }
            Self::IndexAdded(index) => {
                write!(to, "index {} is new: {}", index.name, index_text(index))
            }
            Self::IndexRemoved(index) => write!(to, "index {} is gone", index.name),
            Self::IndexChanged { from, to: now } => {
                let (from, new) = (index_text(from), index_text(now));
                write!(to, "index {} was {from}, and is {new}", now.name)
            }
            Self::EntityAdded(entity) => write!(to, "entity {entity} is new"),
            Self::EntityRemoved { entity, .. } => write!(to, "entity {entity} is gone"),
            Self::EntityRenamed { from, to: now } => {
                write!(to, "entity {from} is called {now} now")
            }
            Self::Entity { entity, change } => change.push(entity, to),
            Self::RuleAdded(rule) => write!(to, "rule key {rule} is new"),
            Self::RuleRemoved(rule) => write!(to, "rule key {rule} is gone"),
            Self::RuleChanged(rule) => {
                write!(to, "rows of the rule key {rule} have other keys, attributes or types")
            }
            Self::PatternAdded(pattern) => write!(to, "pattern {pattern} is new"),
            Self::PatternRemoved(pattern) => write!(to, "pattern {pattern} is gone"),
            Self::PatternChanged(pattern) => {
                write!(
                    to,
                    "pattern {pattern} has other arguments, another request or another result"
                )
            }
        }
    }
}

impl EntityChange {
    fn push(&self, entity: &str, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TypeName { from, to: now, .. } => {
                write!(to, "the type of {entity} rows was `{from}` and is `{now}`")
            }
            Self::Codec { from, to: now } => {
                let (from, now) = (codec_text(from), codec_text(now));
                write!(to, "the codec of {entity} was {from} and is {now}")
            }
            Self::Key { from, to: now } => {
                let (from, now) = (key_text(from), key_text(now));
                write!(to, "the key of {entity} was {from} and is {now}")
            }
            Self::IndexKeysAdded { index, .. } => {
                write!(to, "{entity} newly writes the keys of index {index}")
            }
            Self::IndexKeysChanged { from, to: now } => {
                let (from, keys) = (index_keys_text(from), index_keys_text(now));
                write!(
                    to,
                    "the keys of {entity} for index {} were {from} and are {keys}",
                    now.index
                )
            }
            Self::IndexKeysRemoved { index, .. } => {
                write!(to, "{entity} no longer writes the keys of index {index}")
            }
            Self::UniqueAdded(name) => {
                write!(to, "the unique constraint `{name}` of {entity} is new")
            }
            Self::UniqueChanged { from, to: now, .. } => {
                let (from, constraint) = (unique_text(from), unique_text(now));
                let name = &now.name;
                write!(
                    to,
                    "the unique constraint `{name}` of {entity} was {from}, and is {constraint}"
                )
            }
            Self::UniqueRemoved(name) => {
                write!(to, "the unique constraint `{name}` of {entity} is gone")
            }
            Self::MirrorAdded(mirror) => {
                write!(to, "{entity} is newly written {}", mirror_text(mirror))
            }
            Self::MirrorRemoved(mirror) => {
                write!(to, "{entity} is no longer written {}", mirror_text(mirror))
            }
            Self::Role { role, from, to: now } => {
                let name = |name: &Option<String>| {
                    name.as_ref().map_or_else(|| "no field".to_owned(), |name| format!("`{name}`"))
                };
                let (from, now) = (name(from), name(now));
                write!(to, "the {} of {entity} was {from} and is {now}", role.word())
            }
            Self::Field { field, change } => change.push(&format!("`{field}` of {entity}"), to),
        }
    }
}

impl FieldChange {
    fn push(&self, field: &str, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added { is_required: true } => write!(to, "{field} is new and required"),
            Self::Added { is_required: false } => write!(to, "{field} is new"),
            Self::Removed { renamed_to, .. } if renamed_to.is_empty() => {
                write!(to, "{field} is gone")
            }
            Self::Removed { renamed_to, .. } => {
                let names = codes(renamed_to);
                write!(to, "{field} is gone; new with the same type: {names}")
            }
            Self::Renamed { from } => write!(to, "{field} was called `{from}` in Rust"),
            Self::Attribute { from, to: now, old_name, .. } => {
                let read = match old_name {
                    OldName::Unread => "are not read",
                    OldName::Unseen | OldName::Read => "are read",
                };
                write!(to, "{field} was `{from}` and is `{now}`; rows with the old name {read}")
            }
            Self::AliasAdded(alias) => write!(to, "{field} is also read from `{alias}`"),
            Self::AliasRemoved(alias) => write!(to, "{field} is no longer read from `{alias}`"),
            Self::Type { from, to: now } => {
                let (was, is) = (type_text(from), type_text(now));
                write!(to, "the type of {field} was {was} and is {is}")
            }
            Self::Required => write!(to, "{field} is required"),
            Self::Optional => write!(to, "{field} is no longer required"),
            Self::Location { from, to: now, .. } => {
                write!(to, "{field} was {} and is {}", from.words(), now.words())
            }
            Self::Copy { from, to: now } => {
                let (from, now) = (copy_text(from.as_ref()), copy_text(now.as_ref()));
                write!(to, "{field} was {from} and is {now}")
            }
            Self::KeyText { from, to: now, .. } => {
                let (from, now) = (form_text(*from), form_text(*now));
                write!(to, "in keys {field} was {from} and is {now}")
            }
        }
    }
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Ttl => "expiry",
            Self::Created => "time of creation",
            Self::Updated => "time of the last change",
        }
    }
}

impl FieldLocation {
    fn words(self) -> &'static str {
        match self {
            Self::Field => "where the codec puts fields",
            Self::TopLevel => "outside the `data` of the envelope",
            Self::Key => "in the key only",
            Self::Value => "the whole value of the row",
        }
    }
}

/// Formats names as code and joins them with commas.
pub(super) fn codes(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

fn or_none(name: Option<&String>) -> String {
    name.map_or_else(|| "no attribute".to_owned(), |name| format!("`{name}`"))
}

/// Returns the definition of an index in words.
pub(super) fn index_text(index: &Index) -> String {
    let kind = match index.kind {
        IndexKind::Global => "global",
        IndexKind::Local => "local",
    };
    let mut keys = Vec::new();
    if !index.partition.is_empty() {
        keys.push(format!("partition key {}", codes(&index.partition)));
    }
    if !index.sort.is_empty() {
        keys.push(format!("sort key {}", codes(&index.sort)));
    }
    let projection = match &index.projection {
        Projection::All => "with all attributes".to_owned(),
        Projection::KeysOnly => "with keys only".to_owned(),
        Projection::Include(attributes) => format!("with keys and {}", codes(attributes)),
    };
    format!("{kind}, {}, {projection}", keys.join(", "))
}

fn codec_text(codec: &Codec) -> String {
    match codec {
        Codec::Plain => "plain".to_owned(),
        Codec::Envelope { data } => format!("an envelope in `{data}`"),
        Codec::ValueRow => "a value row".to_owned(),
    }
}

fn copy_text(copy: Option<&CopyOf>) -> String {
    match copy {
        Some(copy) => format!("a copy of `{}` of {}", copy.field, copy.entity),
        None => "no copy".to_owned(),
    }
}

fn type_text((rust, wire): &(String, WireType)) -> String {
    match wire_word(*wire) {
        Some(word) => format!("`{rust}` ({word})"),
        None => format!("`{rust}`"),
    }
}

/// Returns a type of rows in words, if it is known.
pub(super) fn wire_word(wire_type: WireType) -> Option<&'static str> {
    match wire_type {
        WireType::S => Some("a string"),
        WireType::N => Some("a number"),
        WireType::B => Some("a binary"),
        WireType::Bool => Some("a Boolean"),
        WireType::L => Some("a list"),
        WireType::M => Some("a map"),
        WireType::Unknown => None,
    }
}

fn key_text(key: &Key) -> String {
    let templates = std::iter::once(&key.partition).chain(&key.sort);
    templates_text(templates, key.shards.as_ref())
}

fn index_keys_text(keys: &EntityIndex) -> String {
    let text = templates_text(keys.partition.iter().chain(&keys.sort), keys.shards.as_ref());
    if keys.is_sparse { text + " (sparse)" } else { text }
}

fn templates_text<'a>(
    templates: impl Iterator<Item = &'a String>,
    shards: Option<&Shards>,
) -> String {
    let templates: Vec<_> = templates.map(|template| format!("`{template}`")).collect();
    let text = templates.join(" / ");
    match shards {
        Some(shards) => format!("{text} over {} partitions by `{}`", shards.count, shards.by),
        None => text,
    }
}

fn unique_text(unique: &Unique) -> String {
    let Unique { name, fields, partition, sort, .. } = unique;
    let mut text = format!("`{name}` over {}, kept by `{partition}` / `{sort}`", codes(fields));
    text.push_str(if unique.is_released { ", released" } else { ", never released" });
    text.push_str(if unique.is_sparse { ", sparse" } else { "" });
    text
}

/// Returns a mirror in words that follow "written".
pub(super) fn mirror_text(mirror: &Mirror) -> String {
    match &mirror.key {
        Some(key) => format!("as {} under {}", mirror.entity, key_text(key)),
        None => format!("as {}", mirror.entity),
    }
}

fn form_text((form, width): (Form, Option<u8>)) -> String {
    let form = match form {
        Form::Text => "text",
        Form::Unsigned => "a number without sign",
        Form::Signed => "a number with a sign",
        Form::Date => "a day",
        Form::Instant => "an instant",
        Form::UnsortableTime => "a time that does not sort",
        Form::Word => "a word",
    };
    match width {
        Some(width) => format!("{form} of {width} bytes"),
        None => form.to_owned(),
    }
}
