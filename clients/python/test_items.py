"""Single items through boto3: put, get, update, delete, and what they return."""

from decimal import Decimal

import pytest
from boto3.dynamodb.conditions import Attr
from table_definition import index, strings

KEY = {"pk": "TEAM#1", "sk": "METADATA"}
TEAM = {**KEY, "name": "Seattle Sluggers", "wins": 3, "tags": {"a", "b"}}


def test_an_item_comes_back_as_it_was_put(table):
    assert "Attributes" not in table.put_item(Item=TEAM)
    assert table.get_item(Key=KEY)["Item"] == TEAM
    assert table.get_item(Key=KEY, ConsistentRead=True)["Item"] == TEAM
    assert "Item" not in table.get_item(Key={"pk": "TEAM#2", "sk": "METADATA"})


def test_a_put_returns_what_it_replaced(table):
    assert "Attributes" not in table.put_item(Item=TEAM, ReturnValues="ALL_OLD")
    assert table.put_item(Item=KEY, ReturnValues="ALL_OLD")["Attributes"] == TEAM
    assert table.get_item(Key=KEY)["Item"] == KEY


def test_a_delete_returns_what_it_deleted(table):
    table.put_item(Item=TEAM)
    assert table.delete_item(Key=KEY, ReturnValues="ALL_OLD")["Attributes"] == TEAM
    assert "Attributes" not in table.delete_item(Key=KEY, ReturnValues="ALL_OLD")


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ("NONE", None),
        ("ALL_OLD", TEAM),
        ("UPDATED_OLD", {"wins": 3, "tags": {"a", "b"}, "name": "Seattle Sluggers"}),
        ("ALL_NEW", {**KEY, "wins": 4, "tags": {"a", "c"}, "losses": 1}),
        ("UPDATED_NEW", {"wins": 4, "tags": {"a", "c"}, "losses": 1}),
    ],
)
def test_an_update_returns_what_it_is_asked_for(table, returned, expected):
    table.put_item(Item=TEAM)
    answer = table.update_item(
        Key=KEY,
        UpdateExpression="SET wins = wins + :one, losses = if_not_exists(losses, :zero) + :one, "
        "tags = :tags REMOVE #name",
        ExpressionAttributeNames={"#name": "name"},
        ExpressionAttributeValues={":one": 1, ":zero": 0, ":tags": {"a", "c"}},
        ReturnValues=returned,
    )
    assert answer.get("Attributes") == expected


def test_every_clause_of_an_update_is_applied(table):
    table.put_item(
        Item={**KEY, "list": [1, 2], "set": {1, 2, 3}, "count": 5, "map": {"a": {"b": 1}}, "x": 1}
    )
    answer = table.update_item(
        Key=KEY,
        UpdateExpression="SET #list = list_append(#list, :more), #map.a.c = :two "
        "REMOVE x, #map.a.b ADD #count :two DELETE #set :gone",
        ExpressionAttributeNames={
            "#list": "list",
            "#map": "map",
            "#count": "count",
            "#set": "set",
        },
        ExpressionAttributeValues={":more": [3], ":two": 2, ":gone": {1}},
        ReturnValues="ALL_NEW",
    )
    attributes = answer["Attributes"]
    assert attributes["count"] == 7
    assert attributes["set"] == {Decimal(2), Decimal(3)}
    assert attributes["map"] == {"a": {"c": 2}}
    assert attributes["list"] == [1, 2, 3]
    assert "x" not in attributes


def test_an_update_creates_the_item_that_was_not_there(table):
    table.update_item(
        Key=KEY, UpdateExpression="ADD visits :one", ExpressionAttributeValues={":one": 1}
    )
    assert table.get_item(Key=KEY)["Item"] == {**KEY, "visits": 1}


def test_a_projection_keeps_the_shape_of_documents(table):
    table.put_item(Item={**KEY, "map": {"a": 1, "b": [10, 20, 30]}, "other": "x"})
    answer = table.get_item(
        Key=KEY,
        ProjectionExpression="pk, #map.b[1], #map.a",
        ExpressionAttributeNames={"#map": "map"},
    )
    assert answer["Item"] == {"pk": "TEAM#1", "map": {"a": 1, "b": [20]}}


def test_the_legacy_parameters_still_work(client, name):
    key = {"pk": {"S": "TEAM#1"}, "sk": {"S": "METADATA"}}
    client.put_item(TableName=name, Item=key, Expected={"pk": {"Exists": False}})
    client.update_item(
        TableName=name,
        Key=key,
        AttributeUpdates={"wins": {"Action": "ADD", "Value": {"N": "2"}}},
    )
    answer = client.get_item(TableName=name, Key=key, AttributesToGet=["wins"])
    assert answer["Item"] == {"wins": {"N": "2"}}
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.delete_item(
            TableName=name,
            Key=key,
            Expected={"wins": {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "2"}]}},
        )


def test_capacity_is_told_when_asked_for(table):
    answer = table.put_item(Item={**KEY, "text": "x" * 2000}, ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == {"TableName": table.name, "CapacityUnits": 2.0}
    answer = table.get_item(Key=KEY, ReturnConsumedCapacity="INDEXES")
    assert answer["ConsumedCapacity"] == {
        "TableName": table.name,
        "CapacityUnits": 0.5,
        "Table": {"CapacityUnits": 0.5},
    }


def test_every_answer_has_a_request_id_and_one_attempt(table):
    metadata = table.put_item(Item=KEY)["ResponseMetadata"]
    assert metadata["HTTPStatusCode"] == 200
    assert metadata["RetryAttempts"] == 0
    assert len(metadata["RequestId"]) == 52
    assert metadata["HTTPHeaders"]["content-type"] == "application/x-amz-json-1.0"
    assert metadata["HTTPHeaders"]["x-amz-crc32"].isdigit()


def test_a_failed_condition_changes_nothing(table):
    table.put_item(Item=TEAM)
    failed = table.meta.client.exceptions.ConditionalCheckFailedException
    with pytest.raises(failed) as refused:
        table.put_item(Item=KEY, ConditionExpression=Attr("pk").not_exists())
    assert refused.value.response["Error"]["Message"] == "The conditional request failed"
    assert "Item" not in refused.value.response
    assert table.get_item(Key=KEY)["Item"] == TEAM


def test_a_failed_condition_shows_the_item_when_asked(table):
    table.put_item(Item=TEAM)
    failed = table.meta.client.exceptions.ConditionalCheckFailedException
    item = {
        "pk": {"S": "TEAM#1"},
        "sk": {"S": "METADATA"},
        "name": {"S": "Seattle Sluggers"},
        "wins": {"N": "3"},
        "tags": {"SS": ["a", "b"]},
    }
    for call in (
        lambda **more: table.put_item(Item=KEY, **more),
        lambda **more: table.delete_item(Key=KEY, **more),
        lambda **more: table.update_item(Key=KEY, UpdateExpression="REMOVE wins", **more),
    ):
        with pytest.raises(failed) as refused:
            call(
                ConditionExpression=Attr("wins").gt(3),
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        assert refused.value.response["Item"] == item


def test_item_collections_are_measured(client, create_table):
    name = create_table(
        AttributeDefinitions=strings("pk", "sk", "city"),
        LocalSecondaryIndexes=[index("by-city", "pk", "city")],
    )
    answer = client.put_item(
        TableName=name,
        Item={"pk": {"S": "a"}, "sk": {"S": "b"}},
        ReturnItemCollectionMetrics="SIZE",
    )
    assert answer["ItemCollectionMetrics"] == {
        "ItemCollectionKey": {"pk": {"S": "a"}},
        "SizeEstimateRangeGB": [0.0, 1.0],
    }
