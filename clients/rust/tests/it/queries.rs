//! Query and Scan: ranges, filters, pages, segments.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::Select;

use crate::endpoint::{client, create_table, item, n, s};

/// A table with thirty games of one team.
async fn games(client: &Client) -> String {
    let name = create_table(client).await;
    for number in 0..30 {
        let game = item("TEAM#1", &format!("GAME#{number:03}"), [("score", n(number))]);
        client.put_item().table_name(&name).set_item(Some(game)).send().await.unwrap();
    }
    name
}

#[tokio::test]
async fn conditions_and_filters_select_items() {
    let client = client();
    let name = games(&client).await;
    let query = client
        .query()
        .table_name(&name)
        .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
        .filter_expression("score >= :score")
        .expression_attribute_values(":pk", s("TEAM#1"))
        .expression_attribute_values(":prefix", s("GAME#01"))
        .expression_attribute_values(":score", n(17))
        .scan_index_forward(false);
    let found = query.send().await.unwrap();
    let scores: Vec<_> = found.items().iter().map(|game| game["score"].clone()).collect();
    assert_eq!(scores, [n(19), n(18), n(17)]);
    assert_eq!((found.count(), found.scanned_count()), (3, 10));
}

#[tokio::test]
async fn the_paginators_bring_everything_once() {
    let client = client();
    let name = games(&client).await;
    let query = client.query().table_name(&name).key_condition_expression("pk = :pk");
    let query = query.expression_attribute_values(":pk", s("TEAM#1")).limit(7);
    let pages = query.into_paginator().send().collect::<Result<Vec<_>, _>>().await.unwrap();
    let counts: Vec<_> = pages.iter().map(|page| page.count()).collect();
    assert_eq!(counts, [7, 7, 7, 7, 2]);
    let scan = client.scan().table_name(&name).limit(4).into_paginator().items().send();
    assert_eq!(scan.collect::<Result<Vec<_>, _>>().await.unwrap().len(), 30);
}

#[tokio::test]
async fn the_segments_of_a_scan_are_the_whole_table() {
    let client = client();
    let name = create_table(&client).await;
    for number in 0..20 {
        let stored = item(&number.to_string(), "x", []);
        client.put_item().table_name(&name).set_item(Some(stored)).send().await.unwrap();
    }
    let mut count = 0;
    for segment in 0..4 {
        let scan = client.scan().table_name(&name).segment(segment).total_segments(4);
        count += scan.select(Select::Count).send().await.unwrap().count();
    }
    assert_eq!(count, 20);
}
