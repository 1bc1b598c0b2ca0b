//! DynamoDB Streams, through its own client.

use aws_sdk_dynamodb::types::{StreamSpecification, StreamViewType};
use aws_sdk_dynamodbstreams::types::{AttributeValue, OperationType, ShardIteratorType};

use crate::endpoint::{client, create_table, item, n, streams};

#[tokio::test]
async fn every_change_is_recorded_with_both_images() {
    let (client, streams) = (client(), streams());
    let name = create_table(&client).await;
    let view = StreamSpecification::builder().stream_enabled(true);
    let view = view.stream_view_type(StreamViewType::NewAndOldImages).build().unwrap();
    let enable = client.update_table().table_name(&name).stream_specification(view);
    enable.send().await.unwrap();
    for number in 1..=2 {
        let stored = item("a", "b", [("number", n(number))]);
        client.put_item().table_name(&name).set_item(Some(stored)).send().await.unwrap();
    }
    let delete = client.delete_item().table_name(&name).set_key(Some(item("a", "b", [])));
    delete.send().await.unwrap();

    let listed = streams.list_streams().table_name(&name).send().await.unwrap();
    let arn = listed.streams()[0].stream_arn().unwrap();
    let described = streams.describe_stream().stream_arn(arn).send().await.unwrap();
    let shard = described.stream_description().unwrap().shards()[0].shard_id().unwrap();
    let iterator = streams.get_shard_iterator().stream_arn(arn).shard_id(shard);
    let iterator = iterator.shard_iterator_type(ShardIteratorType::TrimHorizon);
    let iterator = iterator.send().await.unwrap();
    let read = streams.get_records().shard_iterator(iterator.shard_iterator().unwrap());
    let answer = read.send().await.unwrap();

    let names: Vec<_> = answer.records().iter().map(|record| record.event_name()).collect();
    let expected = [OperationType::Insert, OperationType::Modify, OperationType::Remove];
    assert_eq!(names, expected.each_ref().map(Some));
    let changed = answer.records()[1].dynamodb().unwrap();
    let number = |value: i32| AttributeValue::N(value.to_string());
    assert_eq!(changed.old_image().unwrap()["number"], number(1));
    assert_eq!(changed.new_image().unwrap()["number"], number(2));
    assert!(answer.next_shard_iterator().is_some());
}
