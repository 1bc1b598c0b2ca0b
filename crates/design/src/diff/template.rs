//! Templates of two designs side by side: a field that got another name in Rust is still the same.

use crate::ir::{Codec, Entity, EntityIndex, Field, Index, IndexKind, Key};
use crate::template::{Piece, parse};

/// The fields of an entity that both designs have: the older one, and what it is now.
pub(super) struct Names<'a>(pub(super) Vec<(&'a Field, &'a Field)>);

impl Names<'_> {
    /// Returns what a field of the newer design was called before.
    pub(super) fn before<'b>(&'b self, name: &'b str) -> &'b str {
        let pair = self.0.iter().find(|(_, newer)| newer.name == name);
        pair.map_or(name, |(older, _)| older.name.as_str())
    }

    /// Returns a template of the newer design in the older names.
    pub(super) fn template(&self, text: &str) -> String {
        // A text that is not a template cannot be written with other names, and is compared as it
        // is.
        let Ok(pieces) = parse(text) else { return text.to_owned() };
        let pieces = pieces.into_iter().map(|piece| match piece {
            Piece::Literal(literal) => literal,
            Piece::Shard => "{shard}".to_owned(),
            Piece::Field { name, pad: 0 } => format!("{{{}}}", self.before(&name)),
            Piece::Field { name, pad } => format!("{{{}:0{pad}}}", self.before(&name)),
        });
        pieces.collect()
    }

    /// Several templates of the newer design in the older names.
    pub(super) fn templates(&self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| self.template(text)).collect()
    }

    /// Returns a key of the newer design in the older names.
    pub(super) fn key(&self, key: &Key) -> Key {
        let mut key = key.clone();
        key.partition = self.template(&key.partition);
        key.sort = key.sort.map(|sort| self.template(&sort));
        if let Some(shards) = &mut key.shards {
            shards.by = self.before(&shards.by).to_owned();
        }
        key
    }

    /// Returns the keys for an index of the newer design in the older names.
    pub(super) fn index_keys(&self, keys: &EntityIndex) -> EntityIndex {
        let mut keys = keys.clone();
        keys.partition = self.templates(&keys.partition);
        keys.sort = self.templates(&keys.sort);
        if let Some(shards) = &mut keys.shards {
            shards.by = self.before(&shards.by).to_owned();
        }
        keys
    }
}

/// Returns whether a template contains a field.
pub(super) fn has_field(text: &str, field: &str) -> bool {
    let is_field = |piece: &Piece| matches!(piece, Piece::Field { name, .. } if name == field);
    parse(text).is_ok_and(|pieces| pieces.iter().any(is_field))
}

/// Returns whether a field is an attribute of its own.
pub(super) fn is_attribute(entity: &Entity, field: &Field) -> bool {
    match entity.codec {
        Codec::Plain => !field.is_key_only,
        Codec::Envelope { .. } => field.is_top_level && !field.is_key_only,
        Codec::ValueRow => false,
    }
}

/// Returns the attributes that an entity writes for an index alone: not those that are fields as well.
pub(super) fn derived<'a>(
    entity: &Entity,
    indexes: &'a [Index],
    keys: &EntityIndex,
) -> Vec<&'a str> {
    let Some(index) = indexes.iter().find(|index| index.name == keys.index) else {
        return Vec::new();
    };
    let partition: &[String] = match index.kind {
        IndexKind::Global => &index.partition,
        // The table's own partition key.
        IndexKind::Local => &[],
    };
    let is_field = |attribute: &str| {
        let mut fields = entity.fields.iter();
        fields.any(|field| field.attribute == attribute && is_attribute(entity, field))
    };
    let attributes = partition.iter().chain(&index.sort).map(String::as_str);
    attributes.filter(|attribute| !is_field(attribute)).collect()
}
