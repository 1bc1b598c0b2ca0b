"""Batches through boto3: BatchGetItem, BatchWriteItem and the batch writer of tables."""

import pytest
from botocore.exceptions import ClientError


def test_the_batch_writer_writes_any_number_of_items(table):
    with table.batch_writer() as batch:
        for number in range(60):
            batch.put_item(Item={"pk": "many", "sk": f"{number:03}"})
        for number in range(10):
            batch.delete_item(Key={"pk": "many", "sk": f"{number:03}"})
    assert table.scan(Select="COUNT")["Count"] == 50


def test_the_batch_writer_keeps_the_last_of_equal_keys(table):
    with table.batch_writer(overwrite_by_pkeys=["pk", "sk"]) as batch:
        for number in range(5):
            batch.put_item(Item={"pk": "same", "sk": "key", "number": number})
    assert table.get_item(Key={"pk": "same", "sk": "key"})["Item"]["number"] == 4


def test_a_batch_gets_from_several_tables(client, create_table):
    names = [create_table(), create_table()]
    keys = [{"pk": {"S": "a"}, "sk": {"S": str(number)}} for number in range(3)]
    answer = client.batch_write_item(
        RequestItems={
            name: [{"PutRequest": {"Item": {**key, "text": {"S": "x"}}}} for key in keys]
            for name in names
        },
        ReturnConsumedCapacity="TOTAL",
    )
    assert answer["UnprocessedItems"] == {}
    assert [units["CapacityUnits"] for units in answer["ConsumedCapacity"]] == [3.0, 3.0]

    missing = {"pk": {"S": "not"}, "sk": {"S": "there"}}
    answer = client.batch_get_item(
        RequestItems={
            names[0]: {"Keys": [*keys, missing], "ConsistentRead": True},
            names[1]: {
                "Keys": keys[:1],
                "ProjectionExpression": "#text",
                "ExpressionAttributeNames": {"#text": "text"},
            },
        }
    )
    assert answer["UnprocessedKeys"] == {}
    assert len(answer["Responses"][names[0]]) == 3
    assert answer["Responses"][names[1]] == [{"text": {"S": "x"}}]


def test_the_resource_gets_batches_in_python_values(resource, table):
    table.put_item(Item={"pk": "a", "sk": "b", "number": 1})
    answer = resource.batch_get_item(RequestItems={table.name: {"Keys": [{"pk": "a", "sk": "b"}]}})
    assert answer["Responses"][table.name] == [{"pk": "a", "sk": "b", "number": 1}]
    resource.batch_write_item(
        RequestItems={table.name: [{"DeleteRequest": {"Key": {"pk": "a", "sk": "b"}}}]}
    )
    assert "Item" not in table.get_item(Key={"pk": "a", "sk": "b"})


def test_a_batch_is_too_large_from_its_twenty_sixth_write(client, name):
    puts = [
        {"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"S": str(number)}}}}
        for number in range(26)
    ]
    with pytest.raises(ClientError) as refused:
        client.batch_write_item(RequestItems={name: puts})
    assert refused.value.response["Error"]["Code"] == "ValidationException"
    assert client.scan(TableName=name)["Count"] == 0


def test_a_batch_names_every_key_once(client, name):
    key = {"pk": {"S": "a"}, "sk": {"S": "b"}}
    with pytest.raises(ClientError) as refused:
        client.batch_write_item(
            RequestItems={name: [{"PutRequest": {"Item": key}}, {"DeleteRequest": {"Key": key}}]}
        )
    error = refused.value.response["Error"]
    assert error["Message"] == "Provided list of item keys contains duplicates"
    with pytest.raises(ClientError) as refused:
        client.batch_get_item(RequestItems={name: {"Keys": [key, key]}})
    error = refused.value.response["Error"]
    assert error["Message"] == "Provided list of item keys contains duplicates"


def test_a_batch_for_a_table_that_is_not_there_is_not_found(client, name):
    key = {"pk": {"S": "a"}, "sk": {"S": "b"}}
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.batch_write_item(
            RequestItems={
                name: [{"PutRequest": {"Item": key}}],
                "nowhere": [{"PutRequest": {"Item": key}}],
            }
        )
    assert client.scan(TableName=name)["Count"] == 0


def test_a_batch_of_ten_megabytes_is_written_and_read_again(client, name):
    keys = [{"pk": {"S": "large"}, "sk": {"S": str(number)}} for number in range(25)]
    text = {"S": "x" * 400_000}
    puts = [{"PutRequest": {"Item": {**key, "text": text}}} for key in keys]
    assert client.batch_write_item(RequestItems={name: puts})["UnprocessedItems"] == {}
    found = client.batch_get_item(RequestItems={name: {"Keys": keys}})
    assert len(found["Responses"][name]) == 25
    assert all(item["text"] == text for item in found["Responses"][name])
