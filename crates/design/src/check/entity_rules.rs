//! The rules for an entity by itself, beyond its templates: K11 and I02 for optional fields, L03, U03, and
//! D01 for stamps.

use super::report::Report;
use super::template_rules::{KeyUse, is_fixed, push_key};
use super::verdict::Message;
use crate::meta::{EntityMeta, FieldMeta, Segment, Template, UniqueMeta};
use crate::part::PartKind;
use crate::stamp::Stamp;
use crate::{rules, text};

pub(super) const fn entity_rules(entity: &EntityMeta, report: &mut Report) {
    required(entity, KeyUse::Partition, report);
    required(entity, KeyUse::Sort, report);
    let mut constraint = 0;
    while constraint < entity.unique.len() {
        if !entity.unique[constraint].is_sparse {
            required(entity, KeyUse::UniquePartition { constraint }, report);
            required(entity, KeyUse::UniqueSort { constraint }, report);
        }
        release(entity, &entity.unique[constraint], report);
        constraint += 1;
    }
    let mut index = 0;
    while index < entity.indexes.len() {
        sparse(entity, index, report);
        index += 1;
    }
    expiry(entity, report);
    stamps(entity, report);
}

/// Returns the first field of a template that may be absent.
const fn optional_field(template: &Template) -> Option<&'static str> {
    let mut at = 0;
    while at < template.segments.len() {
        if let Segment::Field { name, is_optional: true, .. } = &template.segments[at] {
            return Some(name);
        }
        at += 1;
    }
    None
}

/// K11: a key that must always be there has an optional field. A mirror is simply absent with it.
const fn required(entity: &EntityMeta, key: KeyUse, report: &mut Report) {
    let Some(template) = key.template(entity) else { return };
    let Some(name) = optional_field(template) else { return };
    if report.wants(&rules::K11, &[entity.allows]) {
        let message = Message::new(&rules::K11).push("`{").push(name).push("}` in ");
        let message = push_key(message, entity, key).push(" is Option<_> and may be absent");
        let is_unique = matches!(key, KeyUse::UniquePartition { .. } | KeyUse::UniqueSort { .. });
        report.add(if is_unique {
            message.end_with(
                "nothing can be kept unique without a value",
                "mark the constraint `sparse`, if entities without the field are welcome",
            )
        } else {
            message.end_with_fix("make the field required")
        });
    }
}

/// I02: an optional field in the key of an index that is not sparse.
const fn sparse(entity: &EntityMeta, index: usize, report: &mut Report) {
    let written = &entity.indexes[index];
    if written.is_sparse {
        return;
    }
    let attributes = written.partition.len();
    let mut at = 0;
    while at < attributes + written.sort.len() {
        let (key, template) = if at < attributes {
            (KeyUse::IndexPartition { index, attribute: at }, &written.partition[at])
        } else {
            let attribute = at - attributes;
            (KeyUse::IndexSort { index, attribute }, &written.sort[attribute])
        };
        if let Some(name) = optional_field(template)
            && report.wants(&rules::I02, &[entity.allows])
        {
            let message = Message::new(&rules::I02).push("`{").push(name).push("}` in ");
            let message =
                push_key(message, entity, key).push(" is Option<_> and may be absent").why();
            let message = message.push("write `#[index(").push(written.index);
            report.add(message.push(": sparse, ..)]` if such rows shall stay out of it"));
        }
        at += 1;
    }
}

/// U03: the old value of a unique field stays taken.
const fn release(entity: &EntityMeta, unique: &UniqueMeta, report: &mut Report) {
    if unique.is_released {
        return;
    }
    let mut at = 0;
    while at < unique.fields.len() {
        let position = unique.fields[at];
        if !is_fixed(entity, position, &part_kind(unique, position))
            && report.wants(&rules::U03, &[entity.allows])
        {
            let message = Message::new(&rules::U03).push("`").push(unique.name).push("` of ");
            let message = message.push(entity.name).push(" is unique and `");
            let message = message.push(entity.fields[position as usize].name);
            report.add(message.push("` can change, but the old value is not released").end());
        }
        at += 1;
    }
}

const fn part_kind(unique: &UniqueMeta, wanted: u16) -> PartKind {
    let segments = [unique.partition.segments, unique.sort.segments];
    let mut part = 0;
    while part < segments.len() {
        let mut at = 0;
        while at < segments[part].len() {
            if let Segment::Field { position, kind, .. } = &segments[part][at]
                && *position == wanted
            {
                return *kind;
            }
            at += 1;
        }
        part += 1;
    }
    PartKind::TEXT
}

/// L03: an entity that expires has something that does not expire with it.
const fn expiry(entity: &EntityMeta, report: &mut Report) {
    if entity.ttl.is_none() {
        return;
    }
    let what = if !entity.unique.is_empty() {
        " expires, but has a unique constraint"
    } else if !entity.mirrors.is_empty() {
        " expires, but has a mirror"
    } else if has_counter(entity) {
        " expires, but has a counter"
    } else {
        return;
    };
    if report.wants(&rules::L03, &[entity.allows]) {
        report.add(Message::new(&rules::L03).push(entity.name).push(what).end());
    }
}

/// Returns whether a field is only ever added to.
pub(super) const fn has_counter(entity: &EntityMeta) -> bool {
    let mut at = 0;
    while at < entity.fields.len() {
        if entity.fields[at].is_counter {
            return true;
        }
        at += 1;
    }
    false
}

/// D01: a stamp has the name or the attribute of a field. Stamps among themselves are checked by
/// `table!`.
const fn stamps(entity: &EntityMeta, report: &mut Report) {
    let mut at = 0;
    while at < entity.fields.len() {
        let stamp = &entity.fields[at];
        if stamp.stamp.is_some() {
            stamp_beside_fields(entity, stamp, report);
        }
        if matches!(stamp.stamp, Some(Stamp::Expires)) {
            second_expiry(entity, at, report);
        }
        at += 1;
    }
}

/// L01: a field is an expiry in addition to that of the stamps.
const fn second_expiry(entity: &EntityMeta, stamp: usize, report: &mut Report) {
    let Some(expiry) = entity.ttl else { return };
    if expiry as usize != stamp && report.wants(&rules::L01, &[entity.allows]) {
        let message = Message::new(&rules::L01).push("`").push(entity.fields[expiry as usize].name);
        let message = message
            .push("` of ")
            .push(entity.name)
            .push(" is an expiry in addition to that of its");
        report.add(message.push(" stamps").end_with(
            "a row expires once, and one of the two values would be ignored",
            "remove the field, or choose stamps without `expires`",
        ));
    }
}

const fn stamp_beside_fields(entity: &EntityMeta, stamp: &FieldMeta, report: &mut Report) {
    let mut fields = entity.fields;
    while let [field, rest @ ..] = fields {
        let shared = shared_attribute(stamp, field);
        let is_same_name = text::equal(stamp.name, field.name);
        if field.stamp.is_none()
            && (is_same_name || shared.is_some())
            && report.wants(&rules::D01, &[entity.allows])
        {
            let message = Message::new(&rules::D01).push("`").push(field.name).push("` of ");
            let message = message.push(entity.name);
            report.add(match shared {
                Some(attribute) => {
                    let message = message.push(" and its stamp `").push(stamp.name);
                    message.push("` are both the attribute `").push(attribute).push("`").end_with(
                        "one of the two values would replace the other",
                        "rename the attribute of the field, or remove the field and use the stamp",
                    )
                }
                None => message.push(" has the name of a stamp").end_with(
                    "templates, conditions and documents could mean either of them",
                    "rename the field, and keep its attribute with `#[serde(rename = \"…\")]`",
                ),
            });
        }
        fields = rest;
    }
}

/// Returns a name, of today or before, that two fields have in rows.
const fn shared_attribute(one: &FieldMeta, other: &FieldMeta) -> Option<&'static str> {
    let is_others =
        text::equal(one.attribute, other.attribute) || text::is_in(other.aliases, one.attribute);
    if is_others {
        return Some(one.attribute);
    }
    let mut aliases = one.aliases;
    while let [alias, rest @ ..] = aliases {
        if text::equal(alias, other.attribute) || text::is_in(other.aliases, alias) {
            return Some(alias);
        }
        aliases = rest;
    }
    None
}
