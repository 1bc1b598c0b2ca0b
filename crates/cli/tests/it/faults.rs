//! What `--faults` makes clients meet, and that what they do about it works.

use serde_json::{Value, json};

use crate::client::Client;
use crate::items::{TABLE, create, create_table, get, key, put, scan};
use crate::process::{Data, Server};

fn server(faults: &str) -> (Server, Client) {
    let server = Server::start_with(Data::Memory, &["--faults", faults]);
    let client = server.client();
    (server, client)
}

/// Sends a batch again with what was left over until nothing is; how many times it took.
fn until_processed(
    client: &mut Client,
    operation: &str,
    mut requests: Value,
    mut each: impl FnMut(&Value),
) -> usize {
    let left_over = match operation {
        "BatchWriteItem" => "UnprocessedItems",
        _ => "UnprocessedKeys",
    };
    for round in 1.. {
        let mut answer = client.done(operation, &json!({"RequestItems": requests}));
        each(&answer);
        requests = answer[left_over].take();
        if requests.as_object().unwrap().is_empty() {
            return round;
        }
    }
    unreachable!("rounds have no end")
}

#[test]
fn unprocessed_entries_of_batches_are_finished_by_sending_them_again() {
    let (_server, mut client) = server("unprocessed=0.5");
    create_table(&mut client);
    let ids: Vec<String> = (0..25).map(|number| format!("item-{number}")).collect();
    let puts: Vec<Value> = ids.iter().map(|id| json!({"PutRequest": {"Item": key(id)}})).collect();
    let rounds = until_processed(&mut client, "BatchWriteItem", json!({TABLE: puts}), |_| {});
    // All 25 at once would be one chance in 33 million.
    assert!(rounds > 1);
    assert_eq!(scan(&mut client).into_keys().collect::<Vec<_>>(), {
        let mut sorted = ids.clone();
        sorted.sort();
        sorted
    });
    let keys: Vec<Value> = ids.iter().map(|id| key(id)).collect();
    let mut found = 0;
    let requests = json!({TABLE: {"Keys": keys}});
    let rounds = until_processed(&mut client, "BatchGetItem", requests, |answer| {
        found += answer["Responses"][TABLE].as_array().map_or(0, Vec::len);
    });
    assert!(rounds > 1);
    assert_eq!(found, 25, "each once");
}

#[test]
fn conflicts_change_nothing() {
    let (_server, mut client) = server("conflicts=1");
    create_table(&mut client);
    let action = json!({"Put": {"TableName": TABLE, "Item": key("a")}});
    let answer = client.ask("TransactWriteItems", &json!({"TransactItems": [action]}));
    assert_eq!(
        (answer.status, answer.exception()),
        (400, "TransactionCanceledException"),
        "{}",
        answer.body
    );
    assert_eq!(answer.body["CancellationReasons"][0]["Code"], "TransactionConflict");
    assert_eq!(client.refused("PutItem", &put("a", 1)), "TransactionConflictException");
    assert_eq!(scan(&mut client).len(), 0);
}

#[test]
fn a_hot_partition_is_throttled_and_others_are_not() {
    let (_server, mut client) = server("hot-partition=1000/20");
    create_table(&mut client);
    // A server that takes a second for 20 of these would be its own finding.
    let answer = (0..)
        .map(|number| client.ask("PutItem", &put("hot", number)))
        .find(|answer| answer.status != 200)
        .unwrap();
    assert_eq!(answer.exception(), "ProvisionedThroughputExceededException", "{}", answer.body);
    client.done("PutItem", &put("cold", 1));
    assert!(
        client.done("GetItem", &get("hot"))["Item"].is_object(),
        "reads have units of their own"
    );
}

#[test]
fn a_lagging_index_is_stale_and_then_fresh() {
    let (_server, mut client) = server("index-lag=500ms");
    let attributes = [("id", "S"), ("n", "N")]
        .map(|(name, kind)| json!({"AttributeName": name, "AttributeType": kind}));
    let index = json!({
        "IndexName": "by-number",
        "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    });
    create(
        &mut client,
        json!({"AttributeDefinitions": attributes, "GlobalSecondaryIndexes": [index]}),
    );
    let query = |number: u64| {
        json!({
            "TableName": TABLE,
            "IndexName": "by-number",
            "KeyConditionExpression": "n = :n",
            "ExpressionAttributeValues": {":n": {"N": number.to_string()}},
        })
    };
    // A table that is younger than the lag shows all of its index.
    let stale = (1..)
        .find(|number| {
            client.done("PutItem", &put("a", *number));
            client.done("Query", &query(*number))["Count"] == 0
        })
        .unwrap();
    let seen = client.done("GetItem", &get("a"));
    assert_eq!(seen["Item"]["n"]["N"], stale.to_string(), "the table does not lag");
    while client.done("Query", &query(stale))["Count"] == 0 {}
    assert_eq!(client.done("Query", &query(stale))["Items"][0]["id"]["S"], "a");
}
