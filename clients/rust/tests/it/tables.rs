//! Tables, their settings, and what there is to know about them.

use std::time::Duration;

use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::types::{
    BillingMode, CreateGlobalSecondaryIndexAction, GlobalSecondaryIndex,
    GlobalSecondaryIndexUpdate, KeyType, Projection, ProjectionType, Replica, TableStatus, Tag,
    TimeToLiveSpecification, TimeToLiveStatus,
};

use crate::endpoint::{client, create_table, item, key, s, string, unique_name};

#[tokio::test]
async fn a_table_comes_describes_itself_and_goes() {
    let client = client();
    let name = unique_name();
    let index = GlobalSecondaryIndex::builder()
        .index_name("by-city")
        .key_schema(key("city", KeyType::Hash))
        .projection(Projection::builder().projection_type(ProjectionType::All).build())
        .build()
        .unwrap();
    let create = client.create_table().table_name(&name).billing_mode(BillingMode::PayPerRequest);
    let create = create.key_schema(key("pk", KeyType::Hash)).global_secondary_indexes(index);
    let create = create.attribute_definitions(string("pk")).attribute_definitions(string("city"));
    create.clone().send().await.unwrap();
    let wait = Duration::from_secs(20);
    client.wait_until_table_exists().table_name(&name).wait(wait).await.unwrap();

    let described = client.describe_table().table_name(&name).send().await.unwrap();
    let table = described.table().unwrap();
    assert_eq!(table.table_status(), Some(&TableStatus::Active));
    assert_eq!(table.item_count(), Some(0));
    assert_eq!(table.global_secondary_indexes()[0].index_name(), Some("by-city"));
    assert!(table.creation_date_time().is_some());

    let again = create.send().await.unwrap_err().into_service_error();
    assert!(again.is_resource_in_use_exception(), "{again:?}");
    client.delete_table().table_name(&name).send().await.unwrap();
    client.wait_until_table_not_exists().table_name(&name).wait(wait).await.unwrap();
    let gone = client.describe_table().table_name(&name).send().await.unwrap_err();
    assert!(gone.into_service_error().is_resource_not_found_exception());
}

#[tokio::test]
async fn tables_are_listed_page_by_page() {
    let client = client();
    let mut names = Vec::new();
    for _ in 0..4 {
        names.push(create_table(&client).await);
    }
    let pages = client.list_tables().into_paginator().page_size(2).items().send();
    let listed = pages.collect::<Result<Vec<_>, _>>().await.unwrap();
    assert!(names.iter().all(|name| listed.contains(name)));
}

#[tokio::test]
async fn an_index_added_later_holds_what_was_there() {
    let client = client();
    let name = create_table(&client).await;
    let stored = item("a", "b", [("city", s("Seattle"))]);
    let put = client.put_item().table_name(&name).set_item(Some(stored.clone()));
    put.send().await.unwrap();
    let create = CreateGlobalSecondaryIndexAction::builder()
        .index_name("by-city")
        .key_schema(key("city", KeyType::Hash))
        .projection(Projection::builder().projection_type(ProjectionType::All).build())
        .build()
        .unwrap();
    let update = GlobalSecondaryIndexUpdate::builder().create(create).build();
    let change = client.update_table().table_name(&name).attribute_definitions(string("city"));
    change.global_secondary_index_updates(update).send().await.unwrap();
    let index = loop {
        let answer = client.describe_table().table_name(&name).send().await.unwrap();
        let index = answer.table().unwrap().global_secondary_indexes()[0].clone();
        if index.index_status().is_some_and(|status| status.as_str() == "ACTIVE") {
            break index;
        }
    };
    assert_eq!(index.index_name(), Some("by-city"));
    let query = client.query().table_name(&name).index_name("by-city");
    let query = query.key_condition_expression("city = :city");
    let found = query.expression_attribute_values(":city", s("Seattle")).send().await.unwrap();
    assert_eq!(found.items(), [stored]);
}

#[tokio::test]
async fn expiry_and_tags_are_kept() {
    let client = client();
    let name = create_table(&client).await;
    let expiry = TimeToLiveSpecification::builder().enabled(true).attribute_name("ttl");
    let update = client.update_time_to_live().table_name(&name);
    update.time_to_live_specification(expiry.build().unwrap()).send().await.unwrap();
    let described = client.describe_time_to_live().table_name(&name).send().await.unwrap();
    let expiry = described.time_to_live_description().unwrap();
    assert_eq!(expiry.time_to_live_status(), Some(&TimeToLiveStatus::Enabled));
    assert_eq!(expiry.attribute_name(), Some("ttl"));

    let described = client.describe_table().table_name(&name).send().await.unwrap();
    let arn = described.table().unwrap().table_arn().unwrap();
    let tag = |key: &str| Tag::builder().key(key).value("x").build().unwrap();
    let tags = client.tag_resource().resource_arn(arn).tags(tag("a")).tags(tag("b"));
    tags.send().await.unwrap();
    client.untag_resource().resource_arn(arn).tag_keys("a").send().await.unwrap();
    let listed = client.list_tags_of_resource().resource_arn(arn).send().await.unwrap();
    assert_eq!(listed.tags(), [tag("b")]);
}

#[tokio::test]
async fn what_the_server_has_not_is_told() {
    let client = client();
    let name = create_table(&client).await;
    assert_eq!(client.list_global_tables().send().await.unwrap().global_tables(), []);
    let copied = client.create_global_table().global_table_name(&name);
    let copied = copied.replication_group(Replica::builder().region_name("eu-west-1").build());
    let error = copied.send().await.unwrap_err().into_service_error();
    assert_eq!(error.meta().code(), Some("ValidationException"));
    assert!(error.meta().message().unwrap().contains("is not supported"));
    let restored = client.restore_table_to_point_in_time().source_table_name(&name);
    let restored = restored.target_table_name("restored").use_latest_restorable_time(true).send();
    let error = restored.await.unwrap_err().into_service_error();
    assert_eq!(error.meta().code(), Some("PointInTimeRecoveryUnavailableException"));
    let limits = client.describe_limits().send().await.unwrap();
    assert!(limits.table_max_read_capacity_units().unwrap() > 0);
}
