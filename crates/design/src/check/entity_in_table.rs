//! The rules for one entity in its table, apart from K01 to K03 and those of attributes that somebody
//! else has, too: I01, I02, K04, K11, D01 of codecs, D02, L01, W06.

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

/// Whether an entity and another one may break a rule together by their keys or their names. Fields are not
/// looked at, so that the keys of the entities are enough to know it.
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
            let message = Message::new(&rules::K11).say(entity.name).say(" has no sort key, but ");
            let message = message.say(table.name).say(" has the sort key ").say(name);
            report.add(message.end_with_fix("give the entity a template for it"));
        }
        (None, Some(sort)) if report.wants(&rules::K11, &[entity.allows, table.allows]) => {
            let message = Message::new(&rules::K11).say(entity.name).say(" has the sort key \"");
            let message = message.say(sort.text).say("\", but ").say(table.name).say(" has none");
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
        let message = Message::new(&rules::I01).say(entity.name).say(" writes keys of index ");
        let message = message.say(entity.indexes[at].index).say(", which ").say(table.name);
        report.add(message.say(" does not declare").end_with(
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
    let message = Message::new(&rules::I02).say(entity.name);
    report.add(match missing {
        Some(attribute) => {
            let message = message.say(" does not write `").say(attribute);
            message.say("`, a key of index ").say(index.name).end_with_fix("write every key of it")
        }
        None => {
            let message = message.say(" writes more keys than index ").say(index.name);
            message.say(" has").end_with("nobody could ask for them", "write exactly its keys")
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

/// L01: a field that is no expiry is written where the table looks for one.
const fn taken_expiry(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let Some(attribute) = table.ttl_attribute else { return };
    let Some(field) = field_with(entity, attribute) else { return };
    let is_expiry = match entity.ttl {
        Some(position) => text::equal(entity.fields[position as usize].name, field.name),
        None => false,
    };
    if !is_expiry && report.wants(&rules::L01, &[entity.allows, table.allows]) {
        let message = Message::new(&rules::L01).say("field `").say(field.name).say("` of ");
        let message = message.say(entity.name).say(" is written to `").say(attribute);
        let message = message.say("`, by which ").say(table.name).say(" expires rows");
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
    let message = Message::new(&rules::L01).say(entity.name).say(" writes its expiry to `");
    let message = message.say(attribute).say("`, but ").say(table.name);
    let is_hidden = matches!(entity.codec, Codec::Envelope { .. }) && !field.is_top_level;
    report.add(match table.ttl_attribute {
        Some(expected) => {
            let message = message.say(" expires rows by `").say(expected).say("`").why();
            let message = message.say(if is_hidden {
                "keep it beside the envelope with the name `"
            } else {
                "rename the attribute to `"
            });
            message.say(expected).say("`")
        }
        None => {
            let message = message.say(" has no ttl attribute").why();
            message.say("add `ttl = ").say(attribute).say(";` to the table")
        }
    });
}

/// D01: the rows of the entity have another form than the table asks for.
const fn codec(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let Some(wanted) = table.codec else { return };
    let is_same = match (wanted, entity.codec) {
        (Codec::Plain, Codec::Plain) | (Codec::ValueRow, Codec::ValueRow) => true,
        (Codec::Envelope { data }, Codec::Envelope { data: other }) => text::equal(data, other),
        _ => false,
    };
    if !is_same && report.wants(&rules::D01, &[entity.allows, table.allows]) {
        let message = Message::new(&rules::D01).say(entity.name).say(" is written as ");
        let message = say_codec(message, entity.codec).say(", but ").say(table.name);
        let message = say_codec(message.say(" asks for "), wanted);
        report.add(message.end_with(
            "who reads the table would not find the fields where they are expected",
            "give the entity the codec of its table",
        ));
    }
}

const fn say_codec(message: Message, codec: Codec) -> Message {
    match codec {
        Codec::Plain => message.say("plain attributes"),
        Codec::Envelope { data } => message.say("an envelope in `").say(data).say("`"),
        Codec::ValueRow => message.say("a value row"),
    }
}

/// What the rows of unique constraints say in the type attribute.
const UNIQUE_TYPE_NAME: &str = "UNIQUE";

/// D02: the entity has the type name of what keeps unique values.
const fn reserved_type_name(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let TypeAttribute::Named(attribute) = table.type_attribute else { return };
    if text::equal(entity.type_name, UNIQUE_TYPE_NAME)
        && report.wants(&rules::D02, &[entity.allows, table.allows])
    {
        let message = Message::new(&rules::D02).say(entity.name).say(" writes \"");
        let message = message.say(UNIQUE_TYPE_NAME).say("\" to `").say(attribute);
        report.add(message.say("`, as the rows of unique constraints do").end_with(
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
            let message = Message::new(&rules::D02).say(earlier.name).say(" and ");
            let message = message.say(entity.name).say(" both write \"").say(entity.type_name);
            let message = message.say("\" to `").say(attribute).say("`");
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
            let message = Message::new(&rules::D02).say(table.name).say(" has two entities ");
            report.add(message.say(entity.name).end_with(
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
                let message = Message::new(&rules::W06).say("field `").say(field.name);
                let message = message.say("` of ").say(entity.name).say(" is a copy of `");
                let message = message.say(copy.entity).say("::").say(copy.field);
                report.add(message.say("`, which is not in ").say(table.name).end());
            }
        }
        at += 1;
    }
    let mut at = 0;
    while at < entity.mirrors.len() {
        let mirror = entity.mirrors[at].entity;
        match table_entity(table, mirror) {
            None if report.wants(&rules::W06, &[entity.allows, table.allows]) => {
                let message = Message::new(&rules::W06).say(entity.name).say(" is mirrored by ");
                report.add(message.say(mirror).say(", which is not in ").say(table.name).end());
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
        Message::new(&rules::W06).say(entity.name).say(" reads the rows of the rule key ");
    let message = message.say(rule.name);
    report.add(if is_listed {
        message
            .say(", which have other keys")
            .end_with("it would never find one of them", "give both the same templates")
    } else {
        message
            .say(", which is not in ")
            .say(table.name)
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
        let message = Message::new(&rules::W06).say(mirror.name).say(" is the mirror of ");
        let message = message.say(entity.name).say(" and has ").say(what).say(" of its own");
        report.add(message.end_with(
            "a mirror is written as a whole with its source, and nothing keeps what only it has",
            "remove it from the mirror, or declare it on the source",
        ));
    }
}
