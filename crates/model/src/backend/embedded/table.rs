//! Converts the shape of a table from and to the engine's types.

use monotable_engine::{CreateTable, IndexDefinition, IndexDescription, TableDescription};

use crate::backend::request::{IndexShape, RECOVERY_DAYS, TableShape};

pub(super) fn creation(shape: TableShape) -> CreateTable {
    let mut creation = CreateTable {
        attribute_definitions: shape.attributes,
        key_schema: shape.key,
        deletion_protection: shape.is_protected,
        recovery_days: shape.is_protected.then_some(u64::from(RECOVERY_DAYS)),
        ..CreateTable::new(shape.table)
    };
    for index in shape.indexes {
        let indexes = if index.is_local {
            &mut creation.local_secondary_indexes
        } else {
            &mut creation.global_secondary_indexes
        };
        indexes.get_or_insert_default().push(IndexDefinition {
            key_schema: index.key,
            projection: index.projection,
            ..IndexDefinition::new(index.name, &[], &[])
        });
    }
    creation
}

pub(super) fn shape(table: TableDescription, ttl_attribute: Option<String>) -> TableShape {
    let index = |is_local| {
        move |index: IndexDescription| IndexShape {
            name: index.index_name,
            is_local,
            key: index.key_schema,
            projection: index.projection,
        }
    };
    let global = table.global_secondary_indexes.into_iter().map(index(false));
    let local = table.local_secondary_indexes.into_iter().map(index(true));
    TableShape {
        table: table.table_name,
        key: table.key_schema,
        indexes: global.chain(local).collect(),
        attributes: table.attribute_definitions,
        ttl_attribute,
        is_protected: false,
    }
    .sorted()
}
