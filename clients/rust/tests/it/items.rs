//! Single items: values, return values, conditions, and refusals.

use aws_sdk_dynamodb::config::Credentials;
use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{
    AttributeValue, ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure,
};

use crate::endpoint::{client, client_with, create_table, item, n, s};

#[tokio::test]
async fn values_of_every_kind_come_back_equal() {
    let client = client();
    let name = create_table(&client).await;
    let map = [("deep".to_owned(), AttributeValue::L(vec![n("1.5"), AttributeValue::Null(true)]))];
    let stored = item(
        "a",
        "b",
        [
            ("empty", s("")),
            ("unicode", s("ünïcödé 🚀 \u{0} \u{2028} \\ \"")),
            ("digits", n("12345678901234567890123456789012345678")),
            ("small", n(format!("0.{}1", "0".repeat(129)))),
            ("binary", AttributeValue::B(Blob::new((0..=255).collect::<Vec<u8>>()))),
            ("flag", AttributeValue::Bool(false)),
            ("strings", AttributeValue::Ss(vec!["a".into(), "b".into()])),
            ("numbers", AttributeValue::Ns(vec!["-1".into(), "2".into()])),
            ("binaries", AttributeValue::Bs(vec![Blob::new([1]), Blob::new([2])])),
            ("map", AttributeValue::M(map.into())),
        ],
    );
    let put = client.put_item().table_name(&name).set_item(Some(stored.clone()));
    put.send().await.unwrap();
    let get = client.get_item().table_name(&name).key("pk", s("a")).key("sk", s("b"));
    assert_eq!(get.clone().send().await.unwrap().item(), Some(&stored));
    let projected =
        get.projection_expression("#map.deep[0]").expression_attribute_names("#map", "map");
    let found = projected.consistent_read(true).send().await.unwrap();
    let inner = found.item().unwrap()["map"].as_m().unwrap();
    assert_eq!(inner["deep"], AttributeValue::L(vec![n("1.5")]));
}

#[tokio::test]
async fn updates_and_deletes_return_what_they_are_asked_for() {
    let client = client();
    let name = create_table(&client).await;
    let update = client
        .update_item()
        .table_name(&name)
        .key("pk", s("a"))
        .key("sk", s("b"))
        .update_expression("SET wins = if_not_exists(wins, :zero) + :one")
        .expression_attribute_values(":zero", n(0))
        .expression_attribute_values(":one", n(1))
        .return_consumed_capacity(ReturnConsumedCapacity::Total);
    let new = update.clone().return_values(ReturnValue::AllNew).send().await.unwrap();
    assert_eq!(new.attributes(), Some(&item("a", "b", [("wins", n(1))])));
    assert_eq!(new.consumed_capacity().unwrap().capacity_units(), Some(1.0));
    let old = update.return_values(ReturnValue::UpdatedOld).send().await.unwrap();
    assert_eq!(old.attributes().unwrap()["wins"], n(1));
    let delete = client.delete_item().table_name(&name).key("pk", s("a")).key("sk", s("b"));
    let deleted = delete.return_values(ReturnValue::AllOld).send().await.unwrap();
    assert_eq!(deleted.attributes(), Some(&item("a", "b", [("wins", n(2))])));
}

#[tokio::test]
async fn a_failed_condition_is_an_error_with_the_item_in_it() {
    let client = client();
    let name = create_table(&client).await;
    let stored = item("a", "b", [("wins", n(1))]);
    let put = client
        .put_item()
        .table_name(&name)
        .set_item(Some(stored.clone()))
        .condition_expression("attribute_not_exists(pk)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    put.clone().send().await.unwrap();
    let error = put.send().await.unwrap_err().into_service_error();
    assert!(error.is_conditional_check_failed_exception());
    assert_eq!(error.message(), Some("The conditional request failed"));
    let aws_sdk_dynamodb::operation::put_item::PutItemError::ConditionalCheckFailedException(
        failed,
    ) = error
    else {
        panic!("another error: {error:?}");
    };
    assert_eq!(failed.item(), Some(&stored));
}

#[tokio::test]
async fn refusals_have_aws_names_and_texts() {
    let client = client();
    let name = create_table(&client).await;
    let put = client.put_item().table_name(&name).set_item(Some(item("a", "b", [("x", n("ten"))])));
    let error = put.send().await.unwrap_err();
    assert_eq!(error.code(), Some("ValidationException"));
    let text =
        "1 validation error detected: The parameter cannot be converted to a numeric value: ten";
    assert_eq!(error.message(), Some(text));
    let get = client.get_item().table_name("nowhere").key("pk", s("a"));
    let error = get.send().await.unwrap_err().into_service_error();
    assert!(error.is_resource_not_found_exception());
}

#[tokio::test]
async fn a_wrong_secret_is_refused() {
    let forger = Credentials::new("CLIENTSEVERYTHING", "not-the-secret", None, None, "test");
    let error = client_with(forger).list_tables().send().await.unwrap_err();
    assert_eq!(error.code(), Some("InvalidSignatureException"));
}

#[tokio::test]
async fn many_requests_at_once_are_all_answered() {
    let client = client();
    let name = create_table(&client).await;
    let add = client
        .update_item()
        .table_name(&name)
        .key("pk", s("a"))
        .key("sk", s("b"))
        .update_expression("ADD visits :one")
        .expression_attribute_values(":one", n(1));
    let tasks: Vec<_> = (0..200).map(|_| tokio::spawn(add.clone().send())).collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let get = client.get_item().table_name(&name).key("pk", s("a")).key("sk", s("b"));
    assert_eq!(get.send().await.unwrap().item().unwrap()["visits"], n(200));
}
