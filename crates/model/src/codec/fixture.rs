//! Declarations for the tests of the codecs, shorter than those of the macros.

use monotable_design::meta::{Codec, EntityMeta, FieldMeta, KeyMeta, Location, Template, WireType};

/// A field, by default a required string.
#[derive(Clone, Copy)]
pub(super) struct Field(FieldMeta);

impl Field {
    pub(super) const fn new(attribute: &'static str) -> Self {
        Self(FieldMeta {
            name: attribute,
            attribute,
            aliases: &[],
            rust_type: "String",
            wire_type: WireType::S,
            is_required: true,
            is_immutable: false,
            is_counter: false,
            is_top_level: false,
            is_key_only: false,
            is_value: false,
            stamp: None,
            copy_of: None,
            doc: "",
        })
    }

    pub(super) const fn formerly(mut self, aliases: &'static [&'static str]) -> Self {
        self.0.aliases = aliases;
        self
    }

    pub(super) const fn of_type(mut self, wire_type: WireType) -> Self {
        self.0.wire_type = wire_type;
        self
    }

    pub(super) const fn optional(mut self) -> Self {
        self.0.is_required = false;
        self
    }

    pub(super) const fn top_level(mut self) -> Self {
        self.0.is_top_level = true;
        self
    }

    pub(super) const fn key_only(mut self) -> Self {
        self.0.is_key_only = true;
        self
    }

    pub(super) const fn value(mut self) -> Self {
        self.0.is_value = true;
        self
    }

    pub(super) const fn meta(self) -> FieldMeta {
        self.0
    }
}

/// Returns an entity with these fields.
pub(super) const fn entity(codec: Codec, fields: &'static [FieldMeta]) -> EntityMeta {
    EntityMeta {
        name: "Thing",
        doc: "",
        type_name: "thing",
        codec,
        fields,
        key: KeyMeta { partition: Template { text: "X", segments: &[] }, sort: None, shards: None },
        indexes: &[],
        unique: &[],
        mirrors: &[],
        version: None,
        ttl: None,
        created: None,
        updated: None,
        rule: None,
        allows: &[],
        location: Location { file: "", line: 0 },
    }
}
