//! Rules of templates: the names in them, and what may stand for a name.

use monotable_design::check::KeyUse;
use monotable_design::rules;
use syn::Ident;
use syn::ext::IdentExt as _;

use crate::diagnostics::{Errors, did_you_mean};
use crate::entity::field::Absent;
use crate::entity::model::Entity;
use crate::entity::parse::{Mirror, Shards};
use crate::template::KeyTemplate;
use crate::types;

/// T001: names that no field has.
pub(super) fn names(entity: &Entity, errors: &mut Errors) {
    let known: Vec<String> = entity.fields.iter().map(|field| field.name.clone()).collect();
    let absent: Vec<String> =
        entity.absent.iter().map(|absent| absent.ident.unraw().to_string()).collect();
    for (key, template) in entity.templates() {
        // A default template adds nothing to the list of the constraint's fields.
        if let KeyUse::UniquePartition { constraint } = key
            && entity.unique[constraint].is_default
        {
            continue;
        }
        for Absent { ident, attribute, .. } in &entity.absent {
            if template.names().any(|name| ident.unraw() == name) {
                let what = format!(
                    "{} uses `{{{ident}}}`, which has `#[serde({attribute})]`",
                    owner(entity, key)
                );
                let fix = "let serde write the field, or use another one";
                errors.push(template.span(), rules::D04.message_with_fix(&what, fix));
            }
        }
        let mut all = known.clone();
        all.extend(absent.iter().cloned());
        template.check_names(&owner(entity, key), "the struct has no such field", &all, errors);
    }
    let deciding = entity.shards().map(|shards| &shards.by);
    let unique = entity.unique.iter().flat_map(|unique| &unique.fields);
    let own: Vec<String> = entity.own_fields().iter().map(|field| field.name.clone()).collect();
    for ident in deciding.chain(unique) {
        unknown(entity, ident, &own, errors);
    }
}

fn unknown(entity: &Entity, ident: &Ident, known: &[String], errors: &mut Errors) {
    if !known.iter().any(|known| ident == known) {
        let guess = did_you_mean(&ident.to_string(), known.iter().map(String::as_str));
        let message = format!("[T001] `{}` has no field `{ident}`{guess}", entity.ident);
        errors.push(ident.span(), message);
    }
}

/// K11: a part of the primary key that may be absent. A stamp is not known before the row is written.
pub(super) fn primary(entity: &Entity, errors: &mut Errors) {
    for (key, template) in entity.templates() {
        if !matches!(key, KeyUse::Partition | KeyUse::Sort) {
            continue;
        }
        for field in template.names().filter_map(|name| entity.field(name)) {
            if field.stamp.is_some() && field.marks.version.is_none() {
                let message = format!(
                    "`{{{}}}` in {} is a stamp, which the layer sets when it writes the row, so that \
                     nobody knows the key before; use a field of your own, such as `#[immutable] \
                     started_at: Timestamp`",
                    field.name,
                    owner(entity, key)
                );
                errors.push(template.span(), message);
            } else if field.is_optional {
                let what = format!(
                    "`{{{}}}` in {} is an `Option`, so that the key may be absent",
                    field.name,
                    owner(entity, key)
                );
                let fix = "take the `Option` away, or build the key from another field";
                errors.push(template.span(), rules::K11.message_with_fix(&what, fix));
            }
        }
    }
}

/// `{shard}` and `shards` belong together, and a key is found by its own fields.
pub(super) fn shards(entity: &Entity, errors: &mut Errors) {
    let mirrors = entity.mirrors.iter().filter_map(|mirror| match mirror {
        Mirror::Same(key) => Some((&key.shards, vec![&key.partition])),
        Mirror::Other(_) => None,
    });
    let indexes =
        entity.indexes.iter().map(|index| (&index.shards, index.partition.iter().collect()));
    let keys = [(&entity.key.shards, vec![&entity.key.partition])];
    let spread: Vec<(&Option<Shards>, Vec<&KeyTemplate>)> =
        keys.into_iter().chain(indexes).chain(mirrors).collect();
    for (shards, partition) in &spread {
        match (shards, partition.iter().find(|template| template.is_sharded())) {
            (None, Some(template)) => {
                let message = "`{shard}` needs to know how many there are and what decides: add \
                               `shards = 8, by = field`";
                errors.push(template.span(), message);
            }
            (Some(shards), None) => {
                let message = "a spread partition has its number in the key: write `{shard}` into \
                               `pk`, such as \"GAMES#{shard}\"";
                errors.push(shards.by.span(), message);
            }
            _ => {}
        }
    }
    for (_, template) in entity.templates() {
        let is_partition = spread
            .iter()
            .any(|(_, partition)| partition.iter().any(|known| std::ptr::eq(*known, template)));
        if template.is_sharded() && !is_partition {
            let message = "`{shard}` spreads partitions: it can stand in `pk` only, and in no \
                           unique constraint";
            errors.push(template.span(), message);
        }
    }
    if let Some(shards) = &entity.key.shards
        && !entity.is_key(&shards.by.to_string())
    {
        let message = format!(
            "`{}` decides on the shard of the primary key, but is no part of it, so that no key \
             could be made without the whole entity; put it into `pk` or `sk`, or choose another",
            shards.by
        );
        errors.push(shards.by.span(), message);
    }
}

/// Types that are not valid in any template: floats, and fields that change without being read.
pub(super) fn parts(entity: &Entity, errors: &mut Errors) {
    for (key, template) in entity.templates() {
        for field in template.names().filter_map(|name| entity.field(name)) {
            let place = format!("`{{{}}}` in {}", field.name, owner(entity, key));
            let type_name = types::last_word(&field.part_type);
            if matches!(type_name.as_str(), "f32" | "f64") {
                let what = format!("{place} is an `{type_name}`, and texts of floats do not sort");
                let fix = "store a whole number without sign, such as cents or thousandths, and \
                           pad it";
                errors.push(template.span(), rules::K04.message_with_fix(&what, fix));
            }
            if is_foreign_time(&type_name) {
                let what = format!("{place} is a `{type_name}`");
                errors.push(template.span(), rules::K08.message(&what));
            }
            let change = match (field.marks.counter, field.marks.version) {
                (Some(_), _) => "is a counter",
                (None, Some(_)) => "is the version",
                (None, None) => continue,
            };
            let message = format!(
                "{place} {change}, which changes on the server without being read, so that the key \
                 would go stale; take it out of the template, or use a field that is set by `edit`"
            );
            errors.push(template.span(), message);
        }
    }
}

/// Times of other libraries, which are written with an offset or as many digits as they need.
fn is_foreign_time(type_name: &str) -> bool {
    matches!(type_name, "DateTime" | "NaiveDateTime" | "OffsetDateTime" | "SystemTime" | "Zoned")
}

/// U02, and indexes that are written twice.
pub(super) fn indexes(entity: &Entity, errors: &mut Errors) {
    for (at, index) in entity.indexes.iter().enumerate() {
        if let Some(span) = index.unique {
            let what =
                format!("index {} of `{}` can't keep values unique", index.name, entity.ident);
            errors.push(span, rules::U02.message(&what));
        }
        if entity.indexes[..at].iter().any(|other| other.name == index.name) {
            let message = format!("the keys of index {} are declared twice", index.name);
            errors.push(index.name.span(), message);
        }
    }
}

/// The templates of a constraint hold its fields, and nothing else.
pub(super) fn unique(entity: &Entity, errors: &mut Errors) {
    for (at, unique) in entity.unique.iter().enumerate() {
        if entity.unique[..at].iter().any(|other| other.name == unique.name) {
            let message = format!("there are two unique constraints `{}`", unique.name);
            errors.push(unique.span, message);
        }
        let names: Vec<&str> = unique.partition.names().chain(unique.sort.names()).collect();
        for field in &unique.fields {
            if !names.iter().any(|name| field == name) {
                let message = format!(
                    "`{field}` is in neither template of the unique constraint `{}`, so that other \
                     values of it would be refused too; write `{{{field}}}` into `pk` or `sk`",
                    unique.name
                );
                errors.push(field.span(), message);
            }
        }
        for name in names {
            if entity.field(name).is_some() && !unique.fields.iter().any(|field| field == name) {
                let message = format!(
                    "the template of the unique constraint `{}` uses `{{{name}}}`, which is none of \
                     its fields; name it in `#[unique({name}, …)]`",
                    unique.name
                );
                errors.push(unique.span, message);
            }
        }
    }
}

/// Returns what a template belongs to: "the sort key of `Player`".
fn owner(entity: &Entity, key: KeyUse) -> String {
    let what = match key {
        KeyUse::Partition => "the partition key".to_owned(),
        KeyUse::Sort => "the sort key".to_owned(),
        KeyUse::IndexPartition { index, .. } => {
            format!("the partition key for index {}", entity.indexes[index].name)
        }
        KeyUse::IndexSort { index, .. } => {
            format!("the sort key for index {}", entity.indexes[index].name)
        }
        KeyUse::UniquePartition { constraint } | KeyUse::UniqueSort { constraint } => {
            format!("the unique constraint `{}`", entity.unique[constraint].name)
        }
        KeyUse::MirrorPartition { .. } => "the partition key of a mirror".to_owned(),
        KeyUse::MirrorSort { .. } => "the sort key of a mirror".to_owned(),
    };
    format!("{what} of `{}`", entity.ident)
}
