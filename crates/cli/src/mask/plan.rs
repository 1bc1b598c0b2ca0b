//! The personal parts of a table, by its design: which fields, in which attributes and keys.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail, ensure};
use monotable::design::Design;
use monotable::design::ir::{Codec, Entity, Key, RuleKind};
use monotable_types::{AttributeValue, Item};

use super::template::{Part, Template};

/// The rules for masking the rows of a table.
pub(super) struct Plan {
    kinds: Vec<RowKind>,
    type_attribute: Option<String>,
    partition_key: String,
}

/// A kind of row: an entity, a sentinel of a unique value, or a rule that is kept as rows.
pub(super) struct RowKind {
    pub(super) name: String,
    type_name: Option<String>,
    /// The templates of key attributes; that of the primary key first.
    pub(super) keys: Vec<(String, Template)>,
    primary: usize,
    /// The personal fields, by their names in keys.
    pub(super) fields: BTreeSet<String>,
    /// The locations of their values in attributes.
    pub(super) paths: Vec<Path>,
    /// Whether rows are left out.
    pub(super) is_left_out: bool,
    /// Whether personal values in it are searched for, because the design does not describe it.
    pub(super) is_opaque: bool,
    /// Whether a value of it may be compressed.
    pub(super) is_value_row: bool,
}

/// In the path of a value: each member of a map, or each element of a list.
pub(super) const EACH: &str = "*";

/// The location of a personal value.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) attribute: String,
    /// Members of a map, or of the JSON text in the attribute; [`EACH`] is each of them, or each element of a list.
    pub(super) members: Vec<String>,
    pub(super) is_json: bool,
    /// Whether the value is left out instead of masked: it is encrypted, or a member of a field.
    pub(super) is_left_out: bool,
}

impl Plan {
    /// Creates a plan from a design and its personal fields, such as `Participant.email`.
    ///
    /// # Errors
    /// Fails for a field that the design does not have, or that can't be masked.
    pub(super) fn new(design: &Design, personal: &[String]) -> Result<Self> {
        let mut by_entity: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for field in personal {
            let (entity, path) =
                field.split_once('.').with_context(|| format!("{field:?} is not ENTITY.FIELD"))?;
            ensure!(
                design.entities.iter().any(|known| known.name == entity),
                "the design has no entity {entity:?}, which {field} names"
            );
            by_entity.entry(entity).or_default().push(path);
        }
        ensure!(!by_entity.is_empty(), "no field is personal; name fields with --personal");
        let mut kinds = Vec::new();
        for entity in &design.entities {
            let mut paths = by_entity.remove(&*entity.name).unwrap_or_default();
            // A copy is as personal as its source.
            let copies = entity.fields.iter().filter(|field| {
                field.copy_of.as_ref().is_some_and(|copy| {
                    personal.contains(&format!("{}.{}", copy.entity, copy.field))
                })
            });
            paths.extend(copies.map(|field| field.name.as_str()));
            add_entity(design, entity, &paths, &mut kinds)
                .with_context(|| format!("the entity {}", entity.name))?;
        }
        for rule in &design.rules {
            let keys = keys(design, &rule.key)?;
            kinds.push(RowKind {
                name: rule.name.clone(),
                type_name: None,
                primary: keys.len(),
                keys,
                fields: BTreeSet::new(),
                paths: Vec::new(),
                is_left_out: is_in_flight(&rule.kinds, &rule.name),
                is_opaque: true,
                is_value_row: false,
            });
        }
        Ok(Self {
            kinds,
            type_attribute: design.type_attribute.clone(),
            partition_key: design.partition_key.clone(),
        })
    }

    /// Returns the kind of a row.
    ///
    /// # Errors
    /// Fails if no part of the design has such rows.
    pub(super) fn kind(&self, item: &Item) -> Result<&RowKind> {
        let shown = self.type_attribute.as_ref().and_then(|name| item.get(name)?.as_s());
        let fits = |kind: &&RowKind| {
            kind.keys[..kind.primary].iter().all(|(attribute, template)| {
                let key = item.get(attribute).and_then(AttributeValue::as_s);
                key.is_some_and(|key| template.split(key).is_some())
            })
        };
        let is_named = |kind: &&RowKind| kind.type_name.as_deref() == shown;
        let mut fitting = self.kinds.iter().filter(fits);
        let found = fitting
            .clone()
            .find(is_named)
            .or_else(|| fitting.find(|kind| shown.is_none() || kind.type_name.is_none()));
        found.with_context(|| {
            let key = item.get(&self.partition_key).and_then(AttributeValue::as_s);
            let word = key.and_then(|key| key.split('#').next()).unwrap_or_default();
            format!(
                "a row whose partition key begins with {word:?} is of no kind in the design; its personal data is unknown"
            )
        })
    }
}

/// Rows of unfinished work of services: sign-in, e-mails, and requests under another name.
const ROWS_IN_FLIGHT: [&str; 7] =
    ["AuthKey", "DeadLetter", "Delivered", "JobTicket", "OutboxMessage", "RequestRecord", "Task"];

/// Returns whether rows are responses, jobs, leases or counters of unfinished work, which a copy
/// must not continue.
fn is_in_flight(kinds: &[RuleKind], name: &str) -> bool {
    let has_known_name = ROWS_IN_FLIGHT.contains(&name);
    has_known_name
        || kinds.iter().all(|kind| match kind {
            RuleKind::Idempotency | RuleKind::Job | RuleKind::Lock | RuleKind::RateWindow => true,
            RuleKind::Guard | RuleKind::Counter | RuleKind::Log | RuleKind::Record => false,
        })
}

/// Returns the templates of a primary key, by attribute.
fn keys(design: &Design, key: &Key) -> Result<Vec<(String, Template)>> {
    let mut keys = vec![(design.partition_key.clone(), Template::parse(&key.partition)?)];
    if let (Some(attribute), Some(sort)) = (&design.sort_key, &key.sort) {
        keys.push((attribute.clone(), Template::parse(sort)?));
    }
    Ok(keys)
}

fn add_entity(
    design: &Design,
    entity: &Entity,
    personal: &[&str],
    kinds: &mut Vec<RowKind>,
) -> Result<()> {
    let mut paths = Vec::new();
    for name in personal {
        paths.push(path(entity, name)?);
    }
    let fields: BTreeSet<String> =
        personal.iter().filter(|name| !name.contains('.')).map(|name| (*name).to_owned()).collect();
    let rule =
        entity.rule.as_ref().and_then(|name| design.rules.iter().find(|it| it.name == *name));
    let mut index_keys = Vec::new();
    for written in &entity.indexes {
        let Some(index) = design.indexes.iter().find(|index| index.name == written.index) else {
            bail!("the index {} is missing in the design", written.index);
        };
        let attributes = index.partition.iter().chain(&index.sort);
        for (attribute, template) in attributes.zip(written.partition.iter().chain(&written.sort)) {
            index_keys.push((attribute.clone(), Template::parse(template)?));
        }
    }
    let mirrors = entity.mirrors.iter().filter_map(|mirror| mirror.key.as_ref());
    for key in std::iter::once(&entity.key).chain(mirrors) {
        let mut keys = keys(design, key)?;
        let primary = keys.len();
        keys.extend(index_keys.iter().cloned());
        kinds.push(RowKind {
            name: entity.name.clone(),
            type_name: Some(entity.type_name.clone()),
            keys,
            primary,
            fields: fields.clone(),
            paths: paths.clone(),
            is_left_out: ROWS_IN_FLIGHT.contains(&&*entity.name)
                || rule.is_some_and(|rule| is_in_flight(&rule.kinds, &rule.name)),
            is_opaque: false,
            is_value_row: entity.codec == Codec::ValueRow,
        });
    }
    for unique in &entity.unique {
        let key = Key {
            partition: unique.partition.clone(),
            sort: Some(unique.sort.clone()),
            shards: None,
        };
        let keys = keys(design, &key)?;
        kinds.push(RowKind {
            name: format!("{}, unique {}", entity.name, unique.name),
            type_name: None,
            primary: keys.len(),
            keys,
            fields: fields.clone(),
            paths: Vec::new(),
            is_left_out: false,
            is_opaque: true,
            is_value_row: false,
        });
    }
    Ok(())
}

/// Returns the path of a field, or of a member of it.
fn path(entity: &Entity, name: &str) -> Result<Path> {
    let mut words = name.split('.').map(str::to_owned);
    let field_name = words.next().unwrap_or_default();
    let rest: Vec<String> = words.collect();
    let Some(field) = entity.fields.iter().find(|field| field.name == field_name) else {
        // The design does not show the members of a value that is one struct.
        ensure!(entity.codec == Codec::ValueRow, "it has no field {field_name:?}");
        let members = [vec![field_name], rest].concat();
        return Ok(Path { attribute: "v".to_owned(), members, is_json: true, is_left_out: false });
    };
    let is_encrypted = field.rust_type.contains("Encrypted");
    ensure!(
        !(is_encrypted && field.is_required),
        "{field_name} is encrypted and required, so that it can be neither masked nor left out"
    );
    let is_left_out = is_encrypted || !rest.is_empty();
    let direct =
        |members| Path { attribute: field.attribute.clone(), members, is_json: false, is_left_out };
    let in_json = |attribute: &str| {
        let members = [vec![field.attribute.clone()], rest.clone()].concat();
        Path { attribute: attribute.to_owned(), members, is_json: true, is_left_out }
    };
    Ok(match &entity.codec {
        Codec::Plain => direct(rest),
        Codec::Envelope { .. } if field.is_top_level => direct(rest),
        Codec::Envelope { data } => in_json(data),
        Codec::ValueRow if field.is_value => {
            Path { attribute: "v".to_owned(), members: rest, is_json: false, is_left_out }
        }
        Codec::ValueRow => in_json("v"),
    })
}

impl RowKind {
    /// Returns the key attributes of a row, with their parts.
    pub(super) fn key_parts<'k>(
        &self,
        item: &'k Item,
    ) -> Vec<(&str, &'k str, Option<Vec<Part<'_, 'k>>>)> {
        let keys = self.keys.iter().filter_map(|(attribute, template)| {
            let text = item.get(attribute)?.as_s()?;
            Some((attribute.as_str(), text, template.split(text)))
        });
        keys.collect()
    }
}
