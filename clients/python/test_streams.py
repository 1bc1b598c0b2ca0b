"""DynamoDB Streams through its own client of boto3."""

import pytest

KEY = {"pk": {"S": "a"}, "sk": {"S": "b"}}


@pytest.fixture
def stream(client, create_table):
    """A table with a stream of both images: its name and the stream's ARN."""
    name = create_table(
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    )
    arn = client.describe_table(TableName=name)["Table"]["LatestStreamArn"]
    return name, arn


def records(streams, arn, kind="TRIM_HORIZON", **more):
    """Everything that is in the stream now."""
    found = []
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        iterator = streams.get_shard_iterator(
            StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType=kind, **more
        )["ShardIterator"]
        while iterator:
            answer = streams.get_records(ShardIterator=iterator, Limit=2)
            found += answer["Records"]
            iterator = answer.get("NextShardIterator") if answer["Records"] else None
    return found


def test_every_change_is_recorded_with_both_images(client, streams, stream):
    name, arn = stream
    client.put_item(TableName=name, Item={**KEY, "number": {"N": "1"}})
    client.put_item(TableName=name, Item={**KEY, "number": {"N": "2"}})
    client.put_item(TableName=name, Item={**KEY, "number": {"N": "2"}})
    client.delete_item(TableName=name, Key=KEY)

    insert, modify, remove = records(streams, arn)
    assert [insert["eventName"], modify["eventName"], remove["eventName"]] == [
        "INSERT",
        "MODIFY",
        "REMOVE",
    ]
    assert insert["eventSource"] == "aws:dynamodb"
    assert insert["awsRegion"] == "us-east-1"
    assert insert["dynamodb"]["Keys"] == KEY
    assert insert["dynamodb"]["NewImage"]["number"] == {"N": "1"}
    assert "OldImage" not in insert["dynamodb"]
    assert modify["dynamodb"]["OldImage"]["number"] == {"N": "1"}
    assert modify["dynamodb"]["NewImage"]["number"] == {"N": "2"}
    assert remove["dynamodb"]["OldImage"]["number"] == {"N": "2"}
    assert "NewImage" not in remove["dynamodb"]
    numbers = [int(record["dynamodb"]["SequenceNumber"]) for record in (insert, modify, remove)]
    assert numbers == sorted(set(numbers))
    assert insert["dynamodb"]["ApproximateCreationDateTime"].tzinfo is not None


def test_a_stream_is_read_from_any_place(client, streams, stream):
    name, arn = stream
    for number in range(4):
        client.put_item(TableName=name, Item={**KEY, "number": {"N": str(number)}})
    everything = records(streams, arn)
    second = everything[1]["dynamodb"]["SequenceNumber"]
    at = records(streams, arn, "AT_SEQUENCE_NUMBER", SequenceNumber=second)
    after = records(streams, arn, "AFTER_SEQUENCE_NUMBER", SequenceNumber=second)
    assert (len(everything), len(at), len(after)) == (4, 3, 2)
    assert records(streams, arn, "LATEST") == []


@pytest.mark.parametrize(
    ("view", "images"),
    [
        ("KEYS_ONLY", set()),
        ("NEW_IMAGE", {"NewImage"}),
        ("OLD_IMAGE", {"OldImage"}),
    ],
)
def test_a_record_has_the_images_of_its_view(client, streams, create_table, view, images):
    name = create_table(StreamSpecification={"StreamEnabled": True, "StreamViewType": view})
    client.put_item(TableName=name, Item=KEY)
    client.put_item(TableName=name, Item={**KEY, "more": {"BOOL": True}})
    [found] = streams.list_streams(TableName=name)["Streams"]
    record = records(streams, found["StreamArn"])[-1]["dynamodb"]
    assert {"NewImage", "OldImage"} & set(record) == images
    assert record["StreamViewType"] == view


def test_streams_are_listed_and_described(client, streams, stream):
    name, arn = stream
    assert arn in [found["StreamArn"] for found in streams.list_streams()["Streams"]]
    description = streams.describe_stream(StreamArn=arn)["StreamDescription"]
    assert description["TableName"] == name
    assert description["StreamStatus"] == "ENABLED"
    assert description["StreamViewType"] == "NEW_AND_OLD_IMAGES"
    assert [key["AttributeName"] for key in description["KeySchema"]] == ["pk", "sk"]

    client.update_table(TableName=name, StreamSpecification={"StreamEnabled": False})
    description = streams.describe_stream(StreamArn=arn)["StreamDescription"]
    assert description["StreamStatus"] == "DISABLED"


def test_a_stream_that_is_not_there_is_not_found(streams):
    with pytest.raises(streams.exceptions.ResourceNotFoundException):
        streams.describe_stream(
            StreamArn="arn:aws:dynamodb:us-east-1:000000000000:table/nowhere"
            "/stream/2026-01-01T00:00:00.000"
        )
