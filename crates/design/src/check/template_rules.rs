//! The rules for one template of an entity by itself: K04 to K08 and K11.

use super::overlap::FieldText;
use super::report::Report;
use super::rows::plain_attribute;
use super::verdict::Message;
use crate::meta::{EntityMeta, FieldMeta, Segment, Template};
use crate::part::{Form, PartKind};
use crate::{rules, text};

/// Which template of an entity. Positions count from 0 in the lists of the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUse {
    /// The partition key of the table.
    Partition,
    /// The sort key of the table.
    Sort,
    /// One attribute of the partition key of an index.
    IndexPartition {
        /// The position in the entity's indexes.
        index: usize,
        /// The position of the attribute.
        attribute: usize,
    },
    /// One attribute of the sort key of an index.
    IndexSort {
        /// The position in the entity's indexes.
        index: usize,
        /// The position of the attribute.
        attribute: usize,
    },
    /// The partition key of the row that keeps a unique constraint.
    UniquePartition {
        /// The position in the entity's constraints.
        constraint: usize,
    },
    /// The sort key of the row that keeps a unique constraint.
    UniqueSort {
        /// The position in the entity's constraints.
        constraint: usize,
    },
    /// The partition key of a mirror.
    MirrorPartition {
        /// The position in the entity's mirrors.
        mirror: usize,
    },
    /// The sort key of a mirror.
    MirrorSort {
        /// The position in the entity's mirrors.
        mirror: usize,
    },
}

impl KeyUse {
    /// Returns the template, if the entity has it.
    pub const fn template(self, entity: &EntityMeta) -> Option<&Template> {
        match self {
            Self::Partition => Some(&entity.key.partition),
            Self::Sort => entity.key.sort.as_ref(),
            Self::IndexPartition { index, attribute } => {
                Some(&entity.indexes[index].partition[attribute])
            }
            Self::IndexSort { index, attribute } => Some(&entity.indexes[index].sort[attribute]),
            Self::UniquePartition { constraint } => Some(&entity.unique[constraint].partition),
            Self::UniqueSort { constraint } => Some(&entity.unique[constraint].sort),
            Self::MirrorPartition { mirror } => match &entity.mirrors[mirror].key {
                Some(key) => Some(&key.partition),
                None => None,
            },
            Self::MirrorSort { mirror } => match &entity.mirrors[mirror].key {
                Some(key) => key.sort.as_ref(),
                None => None,
            },
        }
    }

    const fn is_primary(self) -> bool {
        matches!(self, Self::Partition | Self::Sort)
    }

    /// Returns whether rows are read in the order of this key. The rows of unique constraints never are.
    const fn is_ordered(self) -> bool {
        matches!(self, Self::Sort | Self::IndexSort { .. } | Self::MirrorSort { .. })
    }

    const fn is_index(self) -> bool {
        matches!(self, Self::IndexPartition { .. } | Self::IndexSort { .. })
    }
}

/// Goes on with the name of the key: `the sort key of Player`.
pub(super) const fn push_key(message: Message, entity: &EntityMeta, key: KeyUse) -> Message {
    match key {
        KeyUse::Partition => message.push("the partition key of "),
        KeyUse::Sort => message.push("the sort key of "),
        KeyUse::IndexPartition { index, .. } => message
            .push("the partition key for index ")
            .push(entity.indexes[index].index)
            .push(" of "),
        KeyUse::IndexSort { index, .. } => {
            message.push("the sort key for index ").push(entity.indexes[index].index).push(" of ")
        }
        KeyUse::UniquePartition { constraint } => {
            message.push("the unique constraint ").push(entity.unique[constraint].name).push(" of ")
        }
        KeyUse::UniqueSort { constraint } => message
            .push("the sort key of the unique constraint ")
            .push(entity.unique[constraint].name)
            .push(" of "),
        KeyUse::MirrorPartition { .. } => message.push("the partition key of a mirror of "),
        KeyUse::MirrorSort { .. } => message.push("the sort key of a mirror of "),
    }
    .push(entity.name)
}

pub(super) const fn template(entity: &EntityMeta, key: KeyUse, report: &mut Report) {
    let Some(template) = key.template(entity) else { return };
    // A field alone may be an attribute of a native index key, which only the table declares.
    let is_numeric_text = !(key.is_index() && plain_attribute(entity, template).is_some());
    let mut at = 0;
    while at < template.segments.len() {
        if let Segment::Field { name, position, pad, kind, .. } = &template.segments[at]
            && !is_number_of_rule(entity, *position)
        {
            if key.is_ordered() && is_numeric_text {
                order(entity, key, name, *pad, kind, report);
            }
            width(entity, key, name, (*position, *pad), kind, report);
            if matches!(kind.form, Form::UnsortableTime)
                && report.wants(&rules::K08, &[entity.allows])
            {
                let message = Message::new(&rules::K08).push("`{").push(name).push("}` in ");
                let message = push_key(message, entity, key);
                report.add(message.push(" is a time with an offset or a varying width").end());
            }
            if key.is_primary() && !is_fixed(entity, *position, kind) {
                mutable(entity, key, name, report);
            }
        }
        if matches!(template.segments[at], Segment::Shard) && key.is_primary() {
            shard(entity, key, report);
        }
        delimiter(entity, key, template, at, report);
        at += 1;
    }
    empty(entity, key, template, report);
}

/// Returns whether a position stands for the number of a window or an event, which the rule itself writes.
const fn is_number_of_rule(entity: &EntityMeta, position: u16) -> bool {
    entity.is_rule_row() && position as usize == entity.fields.len()
}

/// How the templates of unique constraints begin that no declaration chose.
const ENCODED_PREFIX: &str = "UNIQUE#";

/// Returns whether free text is written so that it contains no `#`, as in the default template of a unique
/// constraint.
const fn is_encoded(key: KeyUse, template: &Template) -> bool {
    matches!(key, KeyUse::UniquePartition { .. } | KeyUse::UniqueSort { .. })
        && text::starts_with(template.text, ENCODED_PREFIX)
}

/// K04: the text of a number does not sort.
pub(super) const fn order(
    entity: &EntityMeta,
    key: KeyUse,
    name: &str,
    pad: u8,
    kind: &PartKind,
    report: &mut Report,
) {
    let is_wrong = match kind.form {
        Form::Unsigned { .. } => pad == 0 && kind.width == 0,
        Form::Signed => true,
        _ => false,
    };
    if !is_wrong || !report.wants(&rules::K04, &[entity.allows]) {
        return;
    }
    let message = Message::new(&rules::K04).push("`{").push(name).push("}` in ");
    let message = push_key(message, entity, key).push(" is a number ");
    report.add(match kind.form {
        Form::Unsigned { digits } => {
            let message = message.push("written without padding").why();
            let message = message.push("write `{").push(name).push(":0");
            message.push_number(digits as usize, 1).push("}`")
        }
        _ => message.push("with a sign").end_with_fix(
            "store a number without sign, such as the distance from the least value, and pad it",
        ),
    });
}

/// K05: the padding is narrower than the type.
const fn width(
    entity: &EntityMeta,
    key: KeyUse,
    name: &str,
    (position, pad): (u16, u8),
    kind: &PartKind,
    report: &mut Report,
) {
    let Form::Unsigned { digits } = kind.form else { return };
    if pad == 0 || pad >= digits || !report.wants(&rules::K05, &[entity.allows]) {
        return;
    }
    let message = Message::new(&rules::K05).push("`{").push(name).push(":0");
    let message = message.push_number(pad as usize, 1).push("}` in ");
    let message = push_key(message, entity, key).push(" has room for ");
    let message = message.push_number(pad as usize, 1).push(" digits, but ");
    let message = message.push(rust_type(entity, position)).push(" has up to ");
    let message = message.push_number(digits as usize, 1).why();
    let message = message.push("write `{").push(name).push(":0").push_number(digits as usize, 1);
    report.add(message.push("}`, or take a smaller type"));
}

const fn rust_type(entity: &EntityMeta, position: u16) -> &'static str {
    match field(entity, position) {
        Some(field) if !text::starts_with(field.rust_type, "Option<") => field.rust_type,
        _ => "its type",
    }
}

const fn field(entity: &EntityMeta, position: u16) -> Option<&'static FieldMeta> {
    if (position as usize) < entity.fields.len() {
        Some(&entity.fields[position as usize])
    } else {
        None
    }
}

/// Returns whether a field never changes once its entity exists.
pub(super) const fn is_fixed(entity: &EntityMeta, position: u16, kind: &PartKind) -> bool {
    let is_created = match entity.created {
        Some(created) => created == position,
        None => false,
    };
    let is_immutable = match field(entity, position) {
        Some(field) => field.is_immutable,
        None => false,
    };
    kind.is_identity || is_immutable || is_created
}

/// K07: a field of the primary key can change.
const fn mutable(entity: &EntityMeta, key: KeyUse, name: &str, report: &mut Report) {
    if report.wants(&rules::K07, &[entity.allows]) {
        let message = Message::new(&rules::K07).push("`{").push(name).push("}` in ");
        report.add(push_key(message, entity, key).push(" can change").end());
    }
}

/// K07 for the field that decides on the shard.
const fn shard(entity: &EntityMeta, key: KeyUse, report: &mut Report) {
    let Some(shards) = entity.key.shards else { return };
    let Some(by) = field(entity, shards.by) else { return };
    let kind = match kind_of(entity, shards.by) {
        Some(kind) => kind,
        None => PartKind::TEXT,
    };
    if !is_fixed(entity, shards.by, &kind) && report.wants(&rules::K07, &[entity.allows]) {
        let message = Message::new(&rules::K07).push("`{shard}` in ");
        let message = push_key(message, entity, key).push(" is decided by `").push(by.name);
        report.add(message.push("`, which can change").end());
    }
}

/// Returns the kind of a field as the primary key shows it.
const fn kind_of(entity: &EntityMeta, wanted: u16) -> Option<PartKind> {
    let mut key = 0;
    while key < 2 {
        let template =
            match if key == 0 { KeyUse::Partition } else { KeyUse::Sort }.template(entity) {
                Some(template) => template,
                None => return None,
            };
        let mut at = 0;
        while at < template.segments.len() {
            if let Segment::Field { position, kind, .. } = &template.segments[at]
                && *position == wanted
            {
                return Some(*kind);
            }
            at += 1;
        }
        key += 1;
    }
    None
}

/// K06: a field may contain what follows it.
const fn delimiter(
    entity: &EntityMeta,
    key: KeyUse,
    template: &Template,
    at: usize,
    report: &mut Report,
) {
    if at + 1 >= template.segments.len() {
        return;
    }
    let name = match &template.segments[at] {
        Segment::Literal(_) => return,
        Segment::Field { name, .. } => name,
        Segment::Shard => "shard",
    };
    let text = FieldText::of(&template.segments[at]);
    if text.width > 0 {
        return;
    }
    let next = &template.segments[at + 1];
    if let Segment::Literal(literal) = next
        && (literal.is_empty()
            || !text.charset.contains(literal.as_bytes()[0])
            || (literal.as_bytes()[0] == b'#' && is_encoded(key, template)))
    {
        return;
    }
    if !report.wants(&rules::K06, &[entity.allows]) {
        return;
    }
    let message = Message::new(&rules::K06).push("`{").push(name).push("}` in ");
    let message = push_key(message, entity, key);
    report.add(match next {
        Segment::Literal(literal) => {
            message.push(" may contain the `").push_first(literal).push("` that follows it").end()
        }
        Segment::Field { name, .. } => message
            .push(" touches `{")
            .push(name)
            .push("}`")
            .end_with_fix("put a delimiter between them"),
        Segment::Shard => {
            message.push(" touches `{shard}`").end_with_fix("put a delimiter between them")
        }
    });
}

/// K11: the whole key may be empty.
const fn empty(entity: &EntityMeta, key: KeyUse, template: &Template, report: &mut Report) {
    let mut at = 0;
    while at < template.segments.len() {
        let is_empty = match &template.segments[at] {
            Segment::Literal(literal) => literal.is_empty(),
            field => FieldText::of(field).may_be_empty,
        };
        if !is_empty {
            return;
        }
        at += 1;
    }
    if report.wants(&rules::K11, &[entity.allows]) {
        let message = Message::new(&rules::K11).push("\"").push(template.text).push("\" in ");
        let message = push_key(message, entity, key).push(" can be an empty text");
        report
            .add(message.end_with_fix(
                "put a literal into the template, or use a type that is never empty",
            ));
    }
}
