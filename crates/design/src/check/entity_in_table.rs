//! The rules for one entity in its table, without K01 to K03 and those of attributes that another
//! entity has, too: I01, I02, K04, K11, D01 of codecs, D02, L01, W06.

use super::attributes::field_with;
use super::codec_attributes::codec_attributes;
use super::entity_rules::has_counter;
use super::keys_in_table;
use super::report::Report;
use super::rows::{entity_index, is_native, plain_attribute, table_entity, table_index, table_row};
use super::shared_attributes::shared_attributes;
use super::taken_attributes;
use super::template_rules::{KeyUse, order};
use super::verdict::Message;
use crate::meta::{Codec, EntityMeta, IndexKind, IndexMeta, Segment, TableMeta, TypeAttribute};
use crate::{rules, text};

/// One entity. If it is [near](is_near) no other one, only its own keys are compared.
pub(super) const fn entity(table: &TableMeta, position: usize, is_near: bool, report: &mut Report) {
    let entity = table.entities[position];
    if entity.is_unreadable() {
        return;
    }
    if is_near {
        neighbours(table, position, report);
    } else {
        let (_, from) = table.entities.split_at(position);
        let (entities, _) = from.split_at(1);
        neighbours(&TableMeta { entities, ..*table }, 0, report);
    }
    sort_key(table, entity, report);
    let mut index = 0;
    while index < entity.indexes.len() {
        match table_index(table, entity.indexes[index].index) {
            Some(known) => {
                whole_key(table, entity, known, report);
                native_order(entity, index, known, report);
            }
            None => unknown_index(table, entity, index, report),
        }
        index += 1;
    }
    taken_attributes::names(table, entity, report);
    taken_attributes::types(table, position, report);
    shared_attributes(table, entity, report);
    taken_expiry(table, entity, report);
    expiry(table, entity, report);
    codec(table, entity, report);
    codec_attributes(table, entity, report);
    reserved_type_name(table, entity, report);
    sources(table, entity, report);
}

/// The rules that compare the keys and names of an entity with those of every other one.
const fn neighbours(table: &TableMeta, position: usize, report: &mut Report) {
    keys_in_table::same_key(table, position, report);
    keys_in_table::shared_partition(table, position, report);
    same_type_name(table, position, report);
    same_name(table, position, report);
}

/// Returns whether two entities can break a rule together by their keys or their names. Fields are
/// not considered, so only the keys of the entities are needed.
pub(super) const fn is_near(table: &TableMeta, position: usize) -> bool {
    let entity = table.entities[position];
    let (mut earlier, _) = table.entities.split_at(position);
    while let [other, rest @ ..] = earlier {
        if text::equal(other.name, entity.name) || text::equal(other.type_name, entity.type_name) {
            return true;
        }
        earlier = rest;
    }
    keys_in_table::is_near(table, position)
}

/// K11: the table has a sort key and the entity none, or the other way round.
pub(super) const fn sort_key(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    match (table.sort_key, &entity.key.sort) {
        (Some(name), None) if report.wants(&rules::K11, &[entity.allows, table.allows]) => {
            let message =
                Message::new(&rules::K11).push(entity.name).push(" has no sort key, but ");
            let message = message.push(table.name).push(" has the sort key ").push(name);
            report.add(message.end_with_fix("give the entity a template for it"));
        }
        (None, Some(sort)) if report.wants(&rules::K11, &[entity.allows, table.allows]) => {
            let message = Message::new(&rules::K11).push(entity.name).push(" has the sort key \"");
            let message =
                message.push(sort.text).push("\", but ").push(table.name).push(" has none");
            report.add(message.end_with(
                "rows that differ only there would get one key",
                "declare the sort key of the table",
            ));
        }
        _ => {}
    }
}

/// I01: the entity writes keys of an index that does not exist.
const fn unknown_index(table: &TableMeta, entity: &EntityMeta, at: usize, report: &mut Report) {
    if report.wants(&rules::I01, &[entity.allows, table.allows]) {
        let message = Message::new(&rules::I01).push(entity.name).push(" writes keys of index ");
        let message = message.push(entity.indexes[at].index).push(", which ").push(table.name);
        report.add(message.push(" does not declare").end_with(
            "nothing could ever read them",
            "declare the index in the table, or remove `#[index(..)]` from the entity",
        ));
    }
}

/// I02: the entity writes other attributes than the key of the index has.
const fn whole_key(table: &TableMeta, entity: &EntityMeta, index: &IndexMeta, report: &mut Report) {
    let Some(written) = entity_index(entity, index.name) else { return };
    let is_local = matches!(index.kind, IndexKind::Local);
    let missing = if written.partition.len() < index.partition.len() && !is_local {
        Some(index.partition[written.partition.len()])
    } else if written.sort.len() < index.sort.len() {
        Some(index.sort[written.sort.len()])
    } else if (written.partition.len() > index.partition.len() && !is_local)
        || written.sort.len() > index.sort.len()
    {
        None
    } else {
        return;
    };
    if !report.wants(&rules::I02, &[entity.allows, index.allows, table.allows]) {
        return;
    }
    let message = Message::new(&rules::I02).push(entity.name);
    report.add(match missing {
        Some(attribute) => {
            let message = message.push(" does not write `").push(attribute);
            message
                .push("`, a key of index ")
                .push(index.name)
                .end_with_fix("write every key of it")
        }
        None => {
            let message = message.push(" writes more keys than index ").push(index.name);
            message.push(" has").end_with("no pattern could read them", "write exactly its keys")
        }
    });
}

/// K04 for a field alone in an index sort key, which is a number as it is only if the index is on it.
const fn native_order(entity: &EntityMeta, index: usize, known: &IndexMeta, report: &mut Report) {
    let sort = entity.indexes[index].sort;
    let mut attribute = 0;
    while attribute < sort.len() && attribute < known.sort.len() {
        if plain_attribute(entity, &sort[attribute]).is_some()
            && !is_native(entity, &sort[attribute], known.sort[attribute])
            && let [Segment::Field { name, pad, kind, .. }] = sort[attribute].segments
        {
            order(entity, KeyUse::IndexSort { index, attribute }, name, *pad, kind, report);
        }
        attribute += 1;
    }
}

/// L01: a field that is not an expiry is written to the table's `ttl` attribute.
const fn taken_expiry(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let Some(attribute) = table.ttl_attribute else { return };
    let Some(field) = field_with(entity, attribute) else { return };
    let is_expiry = match entity.ttl {
        Some(position) => text::equal(entity.fields[position as usize].name, field.name),
        None => false,
    };
    if !is_expiry && report.wants(&rules::L01, &[entity.allows, table.allows]) {
        let message = Message::new(&rules::L01).push("field `").push(field.name).push("` of ");
        let message = message.push(entity.name).push(" is written to `").push(attribute);
        let message = message.push("`, by which ").push(table.name).push(" expires rows");
        report.add(message.end_with(
            "its value would be taken for a time in epoch seconds, and the row for expired",
            "mark the field `#[ttl]`, or rename its attribute",
        ));
    }
}

/// L01: the expiry is written where the table does not look.
const fn expiry(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let Some(position) = entity.ttl else { return };
    let field = &entity.fields[position as usize];
    let attribute = match entity.codec {
        Codec::Plain => field.attribute,
        Codec::Envelope { data } if !field.is_top_level => data,
        Codec::Envelope { .. } => field.attribute,
        Codec::ValueRow if field.stamp.is_none() => "ttl",
        Codec::ValueRow => field.attribute,
    };
    let is_right = match table.ttl_attribute {
        Some(expected) => text::equal(expected, attribute),
        None => false,
    };
    if is_right || !report.wants(&rules::L01, &[entity.allows, table.allows]) {
        return;
    }
    let message = Message::new(&rules::L01).push(entity.name).push(" writes its expiry to `");
    let message = message.push(attribute).push("`, but ").push(table.name);
    let is_hidden = matches!(entity.codec, Codec::Envelope { .. }) && !field.is_top_level;
    report.add(match table.ttl_attribute {
        Some(expected) => {
            let message = message.push(" expires rows by `").push(expected).push("`").why();
            let message = message.push(if is_hidden {
                "keep it outside the envelope with the name `"
            } else {
                "rename the attribute to `"
            });
            message.push(expected).push("`")
        }
        None => {
            let message = message.push(" has no ttl attribute").why();
            message.push("add `ttl = ").push(attribute).push(";` to the table")
        }
    });
}

/// D01: the rows of the entity have another form than the table requires.
const fn codec(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let Some(wanted) = table.codec else { return };
    let is_same = match (wanted, entity.codec) {
        (Codec::Plain, Codec::Plain) | (Codec::ValueRow, Codec::ValueRow) => true,
        (Codec::Envelope { data }, Codec::Envelope { data: other }) => text::equal(data, other),
        _ => false,
    };
    if !is_same && report.wants(&rules::D01, &[entity.allows, table.allows]) {
        let message = Message::new(&rules::D01).push(entity.name).push(" is written as ");
        let message = push_codec(message, entity.codec).push(", but ").push(table.name);
        let message = push_codec(message.push(" asks for "), wanted);
        report.add(message.end_with(
            "readers of the table would not find the fields where they expect them",
            "give the entity the codec of its table",
        ));
    }
}

const fn push_codec(message: Message, codec: Codec) -> Message {
    match codec {
        Codec::Plain => message.push("plain attributes"),
        Codec::Envelope { data } => message.push("an envelope in `").push(data).push("`"),
        Codec::ValueRow => message.push("a value row"),
    }
}

/// The type attribute of the rows of unique constraints.
const UNIQUE_TYPE_NAME: &str = "UNIQUE";

/// D02: the entity has the type name of what keeps unique values.
const fn reserved_type_name(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let TypeAttribute::Named(attribute) = table.type_attribute else { return };
    if text::equal(entity.type_name, UNIQUE_TYPE_NAME)
        && report.wants(&rules::D02, &[entity.allows, table.allows])
    {
        let message = Message::new(&rules::D02).push(entity.name).push(" writes \"");
        let message = message.push(UNIQUE_TYPE_NAME).push("\" to `").push(attribute);
        report.add(message.push("`, as the rows of unique constraints do").end_with(
            "such a row would be read as the entity",
            "give the entity another type name",
        ));
    }
}

/// D02: an earlier entity has the same type name.
const fn same_type_name(table: &TableMeta, position: usize, report: &mut Report) {
    let TypeAttribute::Named(attribute) = table.type_attribute else { return };
    let entity = table.entities[position];
    let mut other = 0;
    while other < position {
        let earlier = table.entities[other];
        if text::equal(earlier.type_name, entity.type_name)
            && report.wants(&rules::D02, &[entity.allows, earlier.allows, table.allows])
        {
            let message = Message::new(&rules::D02).push(earlier.name).push(" and ");
            let message = message.push(entity.name).push(" both write \"").push(entity.type_name);
            let message = message.push("\" to `").push(attribute).push("`");
            report.add(message.end_with_fix("give one of them another type name"));
        }
        other += 1;
    }
}

/// D02: an earlier struct has the same name. The rules, documents and mirrors know entities by it.
const fn same_name(table: &TableMeta, position: usize, report: &mut Report) {
    let entity = table.entities[position];
    let (mut earlier, _) = table.entities.split_at(position);
    while let [other, rest @ ..] = earlier {
        if text::equal(other.name, entity.name) && report.wants(&rules::D02, &[table.allows]) {
            let message = Message::new(&rules::D02).push(table.name).push(" has two entities ");
            report.add(message.push(entity.name).end_with(
                "patterns, mirrors and documents know an entity by the name of its struct",
                "rename one of the structs, and keep what its rows say with `#[entity(type = \"…\")]`",
            ));
        }
        earlier = rest;
    }
}

/// W06: what the entity copies, is mirrored by or reads is not in the table.
const fn sources(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    if let Some(rule) = entity.rule {
        rule_of(table, entity, &rule.row, report);
    }
    let mut at = 0;
    while at < entity.fields.len() {
        let field = &entity.fields[at];
        if let Some(copy) = field.copy_of {
            let is_there = match table_entity(table, copy.entity) {
                Some(source) => source.is_unreadable() || source.position(copy.field).is_some(),
                None => false,
            };
            if !is_there && report.wants(&rules::W06, &[entity.allows, table.allows]) {
                let message = Message::new(&rules::W06).push("field `").push(field.name);
                let message = message.push("` of ").push(entity.name).push(" is a copy of `");
                let message = message.push(copy.entity).push("::").push(copy.field);
                report.add(message.push("`, which is not in ").push(table.name).end());
            }
        }
        at += 1;
    }
    let mut at = 0;
    while at < entity.mirrors.len() {
        let mirror = entity.mirrors[at].entity;
        match table_entity(table, mirror) {
            None if report.wants(&rules::W06, &[entity.allows, table.allows]) => {
                let message = Message::new(&rules::W06).push(entity.name).push(" is mirrored by ");
                report.add(message.push(mirror).push(", which is not in ").push(table.name).end());
            }
            Some(mirror) if entity.mirrors[at].key.is_none() => {
                state_of_mirror(table, entity, mirror, report);
            }
            _ => {}
        }
        at += 1;
    }
}

/// W06: the rule key whose rows the entity reads is not in the table, or has other keys.
const fn rule_of(table: &TableMeta, entity: &EntityMeta, rule: &EntityMeta, report: &mut Report) {
    let mut is_listed = false;
    let mut listed = table.rules;
    while let [one, rest @ ..] = listed {
        is_listed = is_listed || text::equal(one.row.name, rule.name);
        listed = rest;
    }
    let is_same_key = match (table_row(entity, 0), table_row(rule, 0)) {
        (Some(mine), Some(theirs)) => mine.shares_key(theirs),
        _ => false,
    };
    if rule.is_unreadable()
        || (is_listed && is_same_key)
        || !report.wants(&rules::W06, &[entity.allows, table.allows])
    {
        return;
    }
    let message =
        Message::new(&rules::W06).push(entity.name).push(" reads the rows of the rule key ");
    let message = message.push(rule.name);
    report.add(if is_listed {
        message
            .push(", which have other keys")
            .end_with("it would never find one of them", "give both the same templates")
    } else {
        message
            .push(", which is not in ")
            .push(table.name)
            .end_with("nothing writes such rows", "add it to `rules(…)` of the `table!`")
    });
}

/// W06: an entity that is written with another one keeps something of its own.
const fn state_of_mirror(
    table: &TableMeta,
    entity: &EntityMeta,
    mirror: &EntityMeta,
    report: &mut Report,
) {
    let what = if !mirror.unique.is_empty() {
        "a unique constraint"
    } else if has_counter(mirror) {
        "a counter"
    } else if mirror.ttl.is_some() && entity.ttl.is_none() {
        "an expiry"
    } else if !mirror.mirrors.is_empty() {
        "a mirror"
    } else {
        return;
    };
    if report.wants(&rules::W06, &[mirror.allows, entity.allows, table.allows]) {
        let message = Message::new(&rules::W06).push(mirror.name).push(" is the mirror of ");
        let message = message.push(entity.name).push(" and has ").push(what).push(" of its own");
        report.add(message.end_with(
            "a mirror is written as a whole with its source, and nothing keeps what only it has",
            "remove it from the mirror, or declare it on the source",
        ));
    }
}
