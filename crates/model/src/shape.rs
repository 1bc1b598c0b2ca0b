//! The shape of a declared table, for creating it and for comparing it with an existing one.

use std::collections::BTreeSet;

use monotable_design::meta::{self, IndexKind, IndexMeta, TableMeta, WireType};
use monotable_types::{AttributeDefinition, KeySchemaElement, Projection, ScalarType};

use crate::backend::request::{IndexShape, TableShape};

/// Returns the shape of a declaration, with the table's name in one environment.
pub(crate) fn declared(table: &TableMeta, table_name: &str) -> TableShape {
    let mut key = vec![KeySchemaElement::hash(table.partition_key)];
    key.extend(table.sort_key.map(KeySchemaElement::range));
    TableShape {
        table: table_name.to_owned(),
        key,
        indexes: table.indexes.iter().map(|index| index_shape(table, index)).collect(),
        attributes: attributes(table),
        ttl_attribute: table.ttl_attribute.map(str::to_owned),
        is_protected: false,
    }
}

fn index_shape(table: &TableMeta, index: &IndexMeta) -> IndexShape {
    let partition: &[&str] = match index.kind {
        IndexKind::Local => &[table.partition_key],
        _ => index.partition,
    };
    let partition = partition.iter().map(|name| KeySchemaElement::hash(*name));
    let sort = index.sort.iter().map(|name| KeySchemaElement::range(*name));
    IndexShape {
        name: index.name.to_owned(),
        is_local: index.kind == IndexKind::Local,
        key: partition.chain(sort).collect(),
        projection: match index.projection {
            meta::Projection::All => Projection::All,
            meta::Projection::KeysOnly => Projection::KeysOnly,
            meta::Projection::Include(attributes) => {
                Projection::Include(attributes.iter().map(|name| (*name).to_owned()).collect())
            }
        },
    }
}

/// Returns the type of every key attribute: a string, unless it is a numeric field of an entity.
fn attributes(table: &TableMeta) -> Vec<AttributeDefinition> {
    let of_indexes =
        table.indexes.iter().flat_map(|index| index.partition.iter().chain(index.sort));
    let names: BTreeSet<&str> =
        of_indexes.copied().chain([table.partition_key]).chain(table.sort_key).collect();
    names.into_iter().map(|name| AttributeDefinition::new(name, scalar_type(table, name))).collect()
}

fn scalar_type(table: &TableMeta, attribute: &str) -> ScalarType {
    let is_number = table
        .entities
        .iter()
        .flat_map(|entity| entity.fields)
        .any(|field| field.attribute == attribute && field.wire_type == WireType::N);
    if is_number { ScalarType::N } else { ScalarType::S }
}

/// Returns the differences of an existing table from the declaration, in words.
///
/// Indexes that only the existing table has are not reported: they cost something, but the model
/// does not depend on them.
pub(crate) fn differences(declared: &TableShape, live: &TableShape) -> Vec<String> {
    let mut found = Vec::new();
    if declared.key != live.key {
        found.push(format!(
            "the primary key is {}, not {}",
            key_text(&live.key),
            key_text(&declared.key)
        ));
    }
    for index in &declared.indexes {
        match live.indexes.iter().find(|candidate| candidate.name == index.name) {
            None => found.push(format!("index {} is missing", index.name)),
            Some(live) => index_differences(index, live, &mut found),
        }
    }
    for wanted in &declared.attributes {
        match live.attributes.iter().find(|attribute| attribute.name == wanted.name) {
            Some(there) if there.scalar_type != wanted.scalar_type => found.push(format!(
                "the key attribute {} has type {}, not {}",
                wanted.name,
                there.scalar_type.as_str(),
                wanted.scalar_type.as_str()
            )),
            _ => {}
        }
    }
    match (&declared.ttl_attribute, &live.ttl_attribute) {
        (Some(wanted), None) => found.push(format!("time to live is off, not on for {wanted}")),
        (Some(wanted), Some(there)) if wanted != there => {
            found.push(format!("time to live is on for {there}, not for {wanted}"));
        }
        (None, Some(there)) => {
            found.push(format!("time to live is on for {there}, but the model has none"));
        }
        _ => {}
    }
    found
}

fn index_differences(declared: &IndexShape, live: &IndexShape, found: &mut Vec<String>) {
    let name = &declared.name;
    if declared.is_local != live.is_local {
        let kind = |shape: &IndexShape| if shape.is_local { "local" } else { "global" };
        found.push(format!("index {name} is {}, not {}", kind(live), kind(declared)));
    }
    if declared.key != live.key {
        found.push(format!(
            "the key of index {name} is {}, not {}",
            key_text(&live.key),
            key_text(&declared.key)
        ));
    }
    if !carries(&live.projection, &declared.projection) {
        found.push(format!(
            "index {name} carries {}, not {}",
            projection_text(&live.projection),
            projection_text(&declared.projection)
        ));
    }
}

/// Returns whether an index with one projection has every attribute of the other.
fn carries(live: &Projection, declared: &Projection) -> bool {
    match (live, declared) {
        (Projection::All, _) | (_, Projection::KeysOnly) => true,
        (_, Projection::All) => false,
        (Projection::KeysOnly, Projection::Include(wanted)) => wanted.is_empty(),
        (Projection::Include(there), Projection::Include(wanted)) => {
            wanted.iter().all(|attribute| there.contains(attribute))
        }
    }
}

fn key_text(key: &[KeySchemaElement]) -> String {
    let names: Vec<&str> = key.iter().map(|element| element.attribute_name.as_str()).collect();
    format!("({})", names.join(", "))
}

fn projection_text(projection: &Projection) -> String {
    match projection {
        Projection::All => "all attributes".to_owned(),
        Projection::KeysOnly => "keys only".to_owned(),
        Projection::Include(attributes) => attributes.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> TableShape {
        TableShape {
            table: "league".to_owned(),
            key: vec![KeySchemaElement::hash("PK"), KeySchemaElement::range("SK")],
            indexes: vec![IndexShape {
                name: "GSI1".to_owned(),
                is_local: false,
                key: vec![KeySchemaElement::hash("GSI1PK"), KeySchemaElement::range("GSI1SK")],
                projection: Projection::Include(vec!["number".to_owned()]),
            }],
            attributes: ["GSI1PK", "GSI1SK", "PK", "SK"]
                .map(|name| AttributeDefinition::new(name, ScalarType::S))
                .to_vec(),
            ttl_attribute: Some("ttl".to_owned()),
            is_protected: false,
        }
    }

    fn check(change: impl FnOnce(&mut TableShape), expected: &[&str]) {
        let mut live = shape();
        change(&mut live);
        assert_eq!(differences(&shape(), &live), expected);
    }

    #[test]
    fn a_table_as_declared_has_no_differences() {
        check(|_| {}, &[]);
        check(|live| live.indexes[0].projection = Projection::All, &[]);
    }

    #[test]
    fn every_difference_is_reported() {
        check(|live| live.indexes.clear(), &["index GSI1 is missing"]);
        check(
            |live| live.key = vec![KeySchemaElement::hash("pk")],
            &["the primary key is (pk), not (PK, SK)"],
        );
        check(
            |live| live.indexes[0].projection = Projection::KeysOnly,
            &["index GSI1 carries keys only, not number"],
        );
        check(|live| live.ttl_attribute = None, &["time to live is off, not on for ttl"]);
        check(
            |live| live.ttl_attribute = Some("expires".to_owned()),
            &["time to live is on for expires, not for ttl"],
        );
        check(
            |live| live.attributes[0].scalar_type = ScalarType::N,
            &["the key attribute GSI1PK has type N, not S"],
        );
        check(
            |live| {
                live.indexes[0].key.pop();
            },
            &["the key of index GSI1 is (GSI1PK), not (GSI1PK, GSI1SK)"],
        );
    }
}
