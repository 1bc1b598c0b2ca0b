//! Creating and describing tables.

use std::sync::Arc;

use monotable_expression::key;
use monotable_model::backend::BackendError;
use monotable_model::backend::request::TableShape;
use monotable_types::{AttributeDefinition, AttributeValue, KeySchemaElement, ScalarType, item};

use super::subject::{Subject, items, shape};

pub(super) async fn a_created_table_is_described_as_requested(subject: Subject) {
    let described = subject.backend.describe_table(&subject.table).await.unwrap();
    assert_eq!(described, Some(shape(&subject.table)));
}

pub(super) async fn a_table_without_sort_key_and_indexes_works(subject: Subject) {
    let table = format!("{}-plain", subject.table);
    let plain = TableShape {
        table: table.clone(),
        key: vec![KeySchemaElement::hash("id")],
        indexes: Vec::new(),
        attributes: vec![AttributeDefinition::new("id", ScalarType::S)],
        ttl_attribute: None,
        is_protected: false,
    };
    subject.backend.create_table(plain.clone()).await.unwrap();
    assert_eq!(subject.backend.describe_table(&table).await.unwrap(), Some(plain));
    let subject = Subject { table: Arc::from(table), ..subject };
    let row = item! { "id" => "a", "n" => 1 };
    subject.put(row.clone()).await;
    assert_eq!(subject.get(item! { "id" => "a" }).await, Some(row.clone()));
    assert_eq!(items(subject.query_pages(subject.query_of(key("id").eq("a"))).await), [row]);
}

pub(super) async fn a_table_with_number_and_binary_keys_works(subject: Subject) {
    let table = format!("{}-scalars", subject.table);
    let scalars = TableShape {
        table: table.clone(),
        key: vec![KeySchemaElement::hash("year"), KeySchemaElement::range("digest")],
        indexes: Vec::new(),
        attributes: vec![
            AttributeDefinition::new("digest", ScalarType::B),
            AttributeDefinition::new("year", ScalarType::N),
        ],
        ttl_attribute: None,
        is_protected: false,
    };
    subject.backend.create_table(scalars.clone()).await.unwrap();
    assert_eq!(subject.backend.describe_table(&table).await.unwrap(), Some(scalars));
    let subject = Subject { table: Arc::from(table), ..subject };
    let row =
        |digest: &[u8]| item! { "year" => 2026, "digest" => AttributeValue::B(digest.to_vec()) };
    let rows = [row(&[0]), row(&[1]), row(&[1, 0]), row(&[127]), row(&[128]), row(&[255, 255])];
    subject.put_all(rows.iter().rev().cloned()).await;
    let all = subject.query_of(key("year").eq(AttributeValue::N("2026.0".parse().unwrap())));
    assert_eq!(items(subject.query_pages(all).await), rows);
    let prefixed = key("digest").begins_with(AttributeValue::B(vec![1]));
    let prefixed = subject.query_of(key("year").eq(2026).and(prefixed));
    assert_eq!(items(subject.query_pages(prefixed).await), rows[1..3]);
}

pub(super) async fn a_missing_table_has_no_description(subject: Subject) {
    assert_eq!(subject.backend.describe_table("no-such-table").await.unwrap(), None);
}

pub(super) async fn a_table_is_created_once(subject: Subject) {
    match subject.backend.create_table(shape(&subject.table)).await {
        Err(BackendError::TableExists(name)) => assert_eq!(*name, *subject.table),
        other => panic!("another answer: {other:?}"),
    }
}
