//! TransactWriteItems and TransactGetItems.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    Get, Put, ReturnValuesOnConditionCheckFailure, TransactGetItem, TransactWriteItem, Update,
};

use crate::endpoint::{client, create_table, item, n};

/// A table with two accounts of ten each.
async fn accounts(client: &Client) -> String {
    let name = create_table(client).await;
    for sk in ["a", "b"] {
        let put = Put::builder().table_name(&name);
        let put = put.set_item(Some(item("ACCOUNT", sk, [("balance", n(10))]))).build().unwrap();
        let action = TransactWriteItem::builder().put(put).build();
        client.transact_write_items().transact_items(action).send().await.unwrap();
    }
    name
}

/// The actions that move money if there is enough.
fn pay(table: &str, amount: i64) -> Vec<TransactWriteItem> {
    [("a", -amount), ("b", amount)]
        .map(|(sk, change)| {
            let update = Update::builder()
                .table_name(table)
                .set_key(Some(item("ACCOUNT", sk, [])))
                .update_expression("SET balance = balance + :change")
                .condition_expression("balance >= :least")
                .expression_attribute_values(":change", n(change))
                .expression_attribute_values(":least", n(-change))
                .return_values_on_condition_check_failure(
                    ReturnValuesOnConditionCheckFailure::AllOld,
                );
            TransactWriteItem::builder().update(update.build().unwrap()).build()
        })
        .into()
}

async fn balances(client: &Client, table: &str) -> Vec<String> {
    let gets = ["a", "b"].map(|sk| {
        let get = Get::builder().table_name(table).set_key(Some(item("ACCOUNT", sk, [])));
        TransactGetItem::builder().get(get.build().unwrap()).build()
    });
    let read = client.transact_get_items().set_transact_items(Some(gets.into()));
    let answer = read.send().await.unwrap();
    let balance = |response: &aws_sdk_dynamodb::types::ItemResponse| {
        response.item().unwrap()["balance"].as_n().unwrap().clone()
    };
    answer.responses().iter().map(balance).collect()
}

#[tokio::test]
async fn everything_happens_together_or_not_at_all() {
    let client = client();
    let name = accounts(&client).await;
    let send =
        |amount| client.transact_write_items().set_transact_items(Some(pay(&name, amount))).send();
    send(4).await.unwrap();
    assert_eq!(balances(&client, &name).await, ["6", "14"]);

    let error = send(7).await.unwrap_err().into_service_error();
    let TransactWriteItemsError::TransactionCanceledException(cancelled) = error else {
        panic!("another error: {error:?}");
    };
    let [failed, fine] = cancelled.cancellation_reasons() else {
        panic!("other reasons: {cancelled:?}");
    };
    assert_eq!(failed.code(), Some("ConditionalCheckFailed"));
    assert_eq!(failed.item(), Some(&item("ACCOUNT", "a", [("balance", n(6))])));
    assert_eq!(fine.code(), Some("None"));
    assert_eq!(balances(&client, &name).await, ["6", "14"]);
}

#[tokio::test]
async fn a_token_makes_a_transaction_happen_once() {
    let client = client();
    let name = accounts(&client).await;
    let token = format!("once-{}-{name}", std::process::id());
    let send = |amount| {
        let write = client.transact_write_items().client_request_token(&token);
        write.set_transact_items(Some(pay(&name, amount))).send()
    };
    send(1).await.unwrap();
    send(1).await.unwrap();
    assert_eq!(balances(&client, &name).await, ["9", "11"]);
    let error = send(2).await.unwrap_err().into_service_error();
    assert!(error.is_idempotent_parameter_mismatch_exception());
}
