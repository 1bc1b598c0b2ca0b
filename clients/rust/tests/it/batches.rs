//! BatchGetItem and BatchWriteItem.

use aws_sdk_dynamodb::types::{DeleteRequest, KeysAndAttributes, PutRequest, WriteRequest};

use crate::endpoint::{Item, client, create_table, item, n};

fn put(stored: Item) -> WriteRequest {
    let request = PutRequest::builder().set_item(Some(stored)).build().unwrap();
    WriteRequest::builder().put_request(request).build()
}

fn delete(key: Item) -> WriteRequest {
    let request = DeleteRequest::builder().set_key(Some(key)).build().unwrap();
    WriteRequest::builder().delete_request(request).build()
}

#[tokio::test]
async fn a_batch_writes_gets_and_deletes() {
    let client = client();
    let name = create_table(&client).await;
    let sort_keys: Vec<_> = (0..25).map(|number| number.to_string()).collect();
    let puts = sort_keys.iter().map(|sk| put(item("a", sk, [("number", n(sk))]))).collect();
    let written = client.batch_write_item().request_items(&name, puts).send().await.unwrap();
    assert!(written.unprocessed_items().unwrap().is_empty());

    let keys = sort_keys.iter().map(|sk| item("a", sk, [])).collect();
    let keys = KeysAndAttributes::builder().set_keys(Some(keys)).build().unwrap();
    let got = client.batch_get_item().request_items(&name, keys.clone()).send().await.unwrap();
    assert_eq!(got.responses().unwrap()[&name].len(), 25);

    let deletes = sort_keys.iter().map(|sk| delete(item("a", sk, []))).collect();
    client.batch_write_item().request_items(&name, deletes).send().await.unwrap();
    let got = client.batch_get_item().request_items(&name, keys).send().await.unwrap();
    assert_eq!(got.responses().unwrap()[&name], []);
}

#[tokio::test]
async fn a_batch_names_every_key_once() {
    let client = client();
    let name = create_table(&client).await;
    let twice = vec![put(item("a", "b", [])), delete(item("a", "b", []))];
    let error = client.batch_write_item().request_items(&name, twice).send().await.unwrap_err();
    let error = error.into_service_error();
    let text = "Provided list of item keys contains duplicates";
    assert_eq!(error.meta().message(), Some(text));
}
