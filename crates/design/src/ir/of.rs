//! From the constants to the owned form.

use super::{
    Allow, Argument, Charset, Codec, CopyOf, Design, Entity, EntityIndex, Field, Form, Index,
    IndexKind, Key, KeyPart, Location, Mirror, Operation, Pattern, PatternSet, PresenceTest,
    Projection, Rule, Shape, Shards, SortTest, Target, Unique, VERSION, WireType,
};
use crate::meta::{
    self, EntityMeta, FieldMeta, IndexMeta, KeyMeta, PatternMeta, Segment, ShardMeta, TableMeta,
    Template, TypeAttribute,
};
use crate::part::{self, PartKind};

impl Design {
    /// Returns the design of a table.
    pub fn of(table: &TableMeta) -> Self {
        Self {
            monotable_design: VERSION,
            name: table.name.to_owned(),
            doc: table.doc.to_owned(),
            table_name: table.table_name.to_owned(),
            partition_key: table.partition_key.to_owned(),
            sort_key: table.sort_key.map(str::to_owned),
            type_attribute: match table.type_attribute {
                TypeAttribute::Named(name) => Some(name.to_owned()),
                TypeAttribute::ByKey => None,
            },
            ttl_attribute: table.ttl_attribute.map(str::to_owned),
            codec: table.codec.map(codec),
            indexes: table.indexes.iter().map(index).collect(),
            entities: table.entities.iter().copied().map(entity).collect(),
            rules: table.rules.iter().copied().map(Rule::of).collect(),
            pattern_sets: table
                .pattern_sets
                .iter()
                .map(|set| PatternSet {
                    name: set.name.to_owned(),
                    doc: set.doc.to_owned(),
                    patterns: set.patterns.iter().map(pattern).collect(),
                })
                .collect(),
            targets: table.targets.iter().copied().map(target).collect(),
            allows: allows(table.allows),
            location: location(table.location),
        }
    }
}

pub(super) fn location(location: meta::Location) -> Location {
    Location { file: location.file.to_owned(), line: location.line }
}

pub(super) fn allows(allows: &[meta::Allow]) -> Vec<Allow> {
    let owned = |allow: &meta::Allow| Allow {
        rule: allow.rule.to_owned(),
        because: allow.because.to_owned(),
    };
    allows.iter().map(owned).collect()
}

fn texts(templates: &[Template]) -> Vec<String> {
    templates.iter().map(|template| template.text.to_owned()).collect()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn target(target: meta::Target) -> Target {
    match target {
        meta::Target::Embedded => Target::Embedded,
        meta::Target::DynamoDb => Target::DynamoDb,
        meta::Target::Alternator => Target::Alternator,
    }
}

fn codec(codec: meta::Codec) -> Codec {
    match codec {
        meta::Codec::Plain => Codec::Plain,
        meta::Codec::Envelope { data } => Codec::Envelope { data: data.to_owned() },
        meta::Codec::ValueRow => Codec::ValueRow,
    }
}

fn index(index: &IndexMeta) -> Index {
    Index {
        name: index.name.to_owned(),
        kind: match index.kind {
            meta::IndexKind::Global => IndexKind::Global,
            meta::IndexKind::Local => IndexKind::Local,
        },
        partition: names(index.partition),
        sort: names(index.sort),
        projection: match index.projection {
            meta::Projection::All => Projection::All,
            meta::Projection::KeysOnly => Projection::KeysOnly,
            meta::Projection::Include(attributes) => Projection::Include(names(attributes)),
        },
        allows: allows(index.allows),
    }
}

fn entity(entity: &EntityMeta) -> Entity {
    let name = |position: u16| field_name(entity, position);
    let fields = entity.fields.iter().enumerate();
    Entity {
        name: entity.name.to_owned(),
        doc: entity.doc.to_owned(),
        type_name: entity.type_name.to_owned(),
        codec: codec(entity.codec),
        fields: fields
            .map(|(position, one)| field(one, key_part(&templates(entity), position)))
            .collect(),
        key: key(entity, &entity.key),
        indexes: entity
            .indexes
            .iter()
            .map(|written| EntityIndex {
                index: written.index.to_owned(),
                partition: texts(written.partition),
                sort: texts(written.sort),
                is_sparse: written.is_sparse,
                shards: written.shards.map(|shards| spread(entity, shards)),
            })
            .collect(),
        unique: entity
            .unique
            .iter()
            .map(|unique| Unique {
                name: unique.name.to_owned(),
                fields: unique.fields.iter().copied().map(name).collect(),
                is_sparse: unique.is_sparse,
                partition: unique.partition.text.to_owned(),
                sort: unique.sort.text.to_owned(),
                is_released: unique.is_released,
            })
            .collect(),
        mirrors: entity
            .mirrors
            .iter()
            .map(|mirror| Mirror {
                entity: mirror.entity.to_owned(),
                key: mirror.key.as_ref().map(|other| key(entity, other)),
            })
            .collect(),
        version: entity.version.map(name),
        ttl: entity.ttl.map(name),
        created: entity.created.map(name),
        updated: entity.updated.map(name),
        rule: entity.rule.map(|rule| rule.row.name.to_owned()),
        allows: allows(entity.allows),
        location: location(entity.location),
    }
}

fn field_name(entity: &EntityMeta, position: u16) -> String {
    entity.fields.get(usize::from(position)).map(|field| field.name.to_owned()).unwrap_or_default()
}

pub(super) fn key(entity: &EntityMeta, key: &KeyMeta) -> Key {
    Key {
        partition: key.partition.text.to_owned(),
        sort: key.sort.map(|sort| sort.text.to_owned()),
        shards: key.shards.map(|shards| spread(entity, shards)),
    }
}

fn spread(entity: &EntityMeta, shards: ShardMeta) -> Shards {
    Shards { count: shards.count, by: field_name(entity, shards.by) }
}

fn field(field: &FieldMeta, key_part: Option<KeyPart>) -> Field {
    Field {
        name: field.name.to_owned(),
        attribute: field.attribute.to_owned(),
        aliases: names(field.aliases),
        rust_type: field.rust_type.to_owned(),
        wire_type: match field.wire_type {
            meta::WireType::S => WireType::S,
            meta::WireType::N => WireType::N,
            meta::WireType::B => WireType::B,
            meta::WireType::Bool => WireType::Bool,
            meta::WireType::L => WireType::L,
            meta::WireType::M => WireType::M,
            meta::WireType::Unknown => WireType::Unknown,
        },
        is_required: field.is_required,
        is_immutable: field.is_immutable,
        is_counter: field.is_counter,
        is_top_level: field.is_top_level,
        is_key_only: field.is_key_only,
        is_value: field.is_value,
        copy_of: field
            .copy_of
            .map(|copy| CopyOf { entity: copy.entity.to_owned(), field: copy.field.to_owned() }),
        key_part,
        doc: field.doc.to_owned(),
    }
}

/// Returns every template of an entity.
fn templates(entity: &EntityMeta) -> Vec<&Template> {
    let keys = entity.mirrors.iter().filter_map(|mirror| mirror.key.as_ref());
    let keys = std::iter::once(&entity.key).chain(keys);
    let mut templates: Vec<_> =
        keys.flat_map(|key| std::iter::once(&key.partition).chain(&key.sort)).collect();
    for written in entity.indexes {
        templates.extend(written.partition.iter().chain(written.sort));
    }
    templates.extend(entity.unique.iter().flat_map(|unique| [&unique.partition, &unique.sort]));
    templates
}

/// Returns what the field or argument at a position is like in the first template that has it.
fn key_part(templates: &[&Template], wanted: usize) -> Option<KeyPart> {
    templates.iter().flat_map(|template| template.segments).find_map(|segment| match segment {
        Segment::Field { position, kind, is_optional, .. } if usize::from(*position) == wanted => {
            Some(part(*kind, *is_optional))
        }
        _ => None,
    })
}

fn part(kind: PartKind, is_optional: bool) -> KeyPart {
    let (form, digits) = match kind.form {
        part::Form::Text => (Form::Text, None),
        part::Form::Unsigned { digits } => (Form::Unsigned, Some(digits)),
        part::Form::Signed => (Form::Signed, None),
        part::Form::Date => (Form::Date, None),
        part::Form::Instant => (Form::Instant, None),
        part::Form::UnsortableTime => (Form::UnsortableTime, None),
        part::Form::Word => (Form::Word, None),
    };
    KeyPart {
        form,
        digits,
        charset: match kind.charset {
            part::Charset::Digits => Charset::Digits,
            part::Charset::Date => Charset::Date,
            part::Charset::Instant => Charset::Instant,
            part::Charset::Identifier => Charset::Identifier,
            part::Charset::Any => Charset::Any,
        },
        width: (kind.width > 0).then_some(kind.width),
        may_be_empty: kind.may_be_empty,
        is_optional,
        is_identity: kind.is_identity,
    }
}

fn pattern(pattern: &PatternMeta) -> Pattern {
    let mut templates: Vec<_> = pattern.partition.iter().collect();
    templates.extend(pattern.sort.iter().flat_map(|test| match test {
        meta::SortTest::Between(from, to) => vec![from, to],
        meta::SortTest::Equals(key)
        | meta::SortTest::BeginsWith(key)
        | meta::SortTest::From(key)
        | meta::SortTest::UpTo(key)
        | meta::SortTest::After(key)
        | meta::SortTest::Before(key) => vec![key],
    }));
    templates.extend(pattern.unique.iter().flat_map(|unique| unique.fields));
    let arguments = pattern.arguments.iter().enumerate();
    Pattern {
        name: pattern.name.to_owned(),
        doc: pattern.doc.to_owned(),
        operation: match pattern.operation {
            meta::Operation::Get => Operation::Get,
            meta::Operation::Query => Operation::Query,
            meta::Operation::BatchGet => Operation::BatchGet,
            meta::Operation::Scan => Operation::Scan,
        },
        index: pattern.index.map(str::to_owned),
        arguments: arguments
            .map(|(position, argument)| Argument {
                name: argument.name.to_owned(),
                rust_type: argument.rust_type.to_owned(),
                filter: argument.filter.map(str::to_owned),
                key_part: key_part(&templates, position),
            })
            .collect(),
        partition: texts(pattern.partition),
        sort: pattern.sort.iter().map(sort_test).collect(),
        unique: pattern.unique.map(|unique| unique.constraint.to_owned()),
        presence: pattern.presence.iter().map(presence_test).collect(),
        returns: pattern.returns.iter().map(|entity| entity.name.to_owned()).collect(),
        shape: match pattern.shape {
            meta::Shape::One => Shape::One,
            meta::Shape::Rows => Shape::Rows,
            meta::Shape::All => Shape::All,
            meta::Shape::Fold => Shape::Fold,
        },
        is_descending: pattern.is_descending,
        is_consistent: pattern.is_consistent,
        shards: pattern.shards,
        limit: pattern.limit,
        items_max: pattern.items_max,
        requests_per_second: pattern.requests_per_second,
        is_admin: pattern.is_admin,
        allows: allows(pattern.allows),
        location: location(pattern.location),
    }
}

fn presence_test(test: &meta::PresenceTest) -> PresenceTest {
    match *test {
        meta::PresenceTest::Exists(attribute) => PresenceTest::Exists(attribute.to_owned()),
        meta::PresenceTest::Absent(attribute) => PresenceTest::Absent(attribute.to_owned()),
    }
}

fn sort_test(test: &meta::SortTest) -> SortTest {
    let text = |template: &Template| template.text.to_owned();
    match test {
        meta::SortTest::Equals(key) => SortTest::Equals(text(key)),
        meta::SortTest::BeginsWith(key) => SortTest::BeginsWith(text(key)),
        meta::SortTest::Between(from, to) => SortTest::Between(text(from), text(to)),
        meta::SortTest::From(key) => SortTest::From(text(key)),
        meta::SortTest::UpTo(key) => SortTest::UpTo(text(key)),
        meta::SortTest::After(key) => SortTest::After(text(key)),
        meta::SortTest::Before(key) => SortTest::Before(text(key)),
    }
}
