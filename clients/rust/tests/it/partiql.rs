//! PartiQL: statements alone, in batches and in transactions.

use aws_sdk_dynamodb::types::{BatchStatementRequest, ParameterizedStatement};

use crate::endpoint::{client, create_table, item, n, s};

#[tokio::test]
async fn statements_insert_select_and_refuse() {
    let client = client();
    let name = create_table(&client).await;
    let insert = client
        .execute_statement()
        .statement(format!("INSERT INTO \"{name}\" VALUE {{'pk': ?, 'sk': 'x', 'number': ?}}"))
        .parameters(s("a"))
        .parameters(n(1));
    insert.clone().send().await.unwrap();
    let error = insert.send().await.unwrap_err().into_service_error();
    assert!(error.is_duplicate_item_exception(), "{error:?}");
    let select = client.execute_statement().statement(format!("SELECT * FROM \"{name}\""));
    let found = select.send().await.unwrap();
    assert_eq!(found.items(), [item("a", "x", [("number", n(1))])]);
}

#[tokio::test]
async fn batches_and_transactions_of_statements_are_answered() {
    let client = client();
    let name = create_table(&client).await;
    let insert = |pk: &str| {
        let text = format!("INSERT INTO \"{name}\" VALUE {{'pk': '{pk}', 'sk': 'x'}}");
        ParameterizedStatement::builder().statement(text).build().unwrap()
    };
    let write = client.execute_transaction().transact_statements(insert("a"));
    write.transact_statements(insert("b")).send().await.unwrap();
    let write = client.execute_transaction().transact_statements(insert("c"));
    let again = write.transact_statements(insert("a")).send().await.unwrap_err();
    assert!(again.into_service_error().is_transaction_canceled_exception());

    let select = |table: &str| {
        let text = format!("SELECT pk FROM \"{table}\" WHERE pk = 'a' AND sk = 'x'");
        BatchStatementRequest::builder().statement(text).build().unwrap()
    };
    let batch = client.batch_execute_statement().statements(select(&name));
    let answer = batch.statements(select("nowhere")).send().await.unwrap();
    assert_eq!(answer.responses()[0].item().unwrap()["pk"], s("a"));
    let error = answer.responses()[1].error().unwrap();
    assert_eq!(error.code().unwrap().as_str(), "ResourceNotFound");
}
