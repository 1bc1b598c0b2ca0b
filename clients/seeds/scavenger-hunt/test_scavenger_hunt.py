"""ScavengerHuntData: every access pattern of its table, written as the document abbreviates them.

The document has no code, only patterns such as `QUERY_GSI1(GSI1PK=TEAM#{team_id},
SK.begins_with(MESSAGE#))`.
"""

import pytest
from boto3.dynamodb.conditions import Key
from table_definition import index, keys, strings

IDS = {
    "game_id": "1f0c",
    "level_id": "2f0c",
    "team_id": "3f0c",
    "user_id": "4f0c",
}


@pytest.fixture
def table(client, create_table, resource):
    indexed = [f"GSI{number}{part}" for number in range(1, 4) for part in ("PK", "SK")]
    name = create_table(
        KeySchema=keys("PK", "SK"),
        AttributeDefinitions=strings("PK", "SK", *indexed),
        GlobalSecondaryIndexes=[
            index(f"GSI{number}", f"GSI{number}PK", f"GSI{number}SK") for number in range(1, 4)
        ],
    )
    client.update_time_to_live(
        TableName=name,
        TimeToLiveSpecification={"Enabled": True, "AttributeName": "deleted_at"},
    )
    table = resource.Table(name)
    with table.batch_writer() as batch:
        for item in entities():
            batch.put_item(Item=item)
    return table


def entity(kind, *key_values, **attributes):
    """An item of the table in section 3: PK, SK, then the keys of the indexes in order."""
    names = ["PK", "SK", *(f"GSI{number}{part}" for number in (1, 2, 3) for part in ("PK", "SK"))]
    values = [value.format(**IDS) for value in key_values]
    times = {"created_at": "2025-10-25T12:00:00Z", "updated_at": "2025-10-25T12:00:00Z"}
    return {**dict(zip(names, values)), "ItemType": kind, **times, **attributes}


def entities():
    yield entity("GAME", "GAME#{game_id}", "#METADATA", name="Hunt")
    level = ("GAME#{game_id}", "LEVEL#{level_id}", "LEVEL#{level_id}", "GAME#{game_id}")
    yield entity("LEVEL", *level)
    yield entity("TEAM", "GAME#{game_id}", "TEAM#{team_id}", name="Hunters", difficulty_level=2)
    user = ("TEAM#{team_id}", "USER#{user_id}", "USER#{user_id}", "#METADATA")
    yield entity("USER", *user)
    progress = ("TEAM#{team_id}", "LEVEL#{level_id}", "LEVEL#{level_id}", "TEAM#{team_id}")
    yield entity("TEAM_LEVEL", *progress, index=0)
    for kind, attributes in (("MESSAGE", {"text": "hello"}), ("PHOTO", {"url": "https://x"})):
        for time in (1761390000, 1761390060):
            moment = f"{kind}#{time}#{time}"
            partitions = ("USER#{user_id}", "TEAM#{team_id}", "GAME#{game_id}", "LEVEL#{level_id}")
            key_values = [value for partition in partitions for value in (partition, moment)]
            yield entity(kind, *key_values, **attributes)
    moment = "COORDINATE_SNAPSHOT#1761390000#9"
    yield entity("COORDINATE_SNAPSHOT", "USER#{user_id}", moment, "TEAM#{team_id}", moment)


@pytest.mark.parametrize(
    ("partition", "sort", "kind"),
    [
        ("GAME#{game_id}", "#METADATA", "GAME"),
        ("GAME#{game_id}", "LEVEL#{level_id}", "LEVEL"),
        ("GAME#{game_id}", "TEAM#{team_id}", "TEAM"),
    ],
)
def test_an_entity_is_got_by_its_keys(table, partition, sort, kind):
    key = {"PK": partition.format(**IDS), "SK": sort.format(**IDS)}
    assert table.get_item(Key=key, ConsistentRead=True)["Item"]["ItemType"] == kind


@pytest.mark.parametrize(
    ("index_name", "partition", "prefix", "kinds"),
    [
        (None, "GAME#{game_id}", "LEVEL#", ["LEVEL"]),
        (None, "GAME#{game_id}", "TEAM#", ["TEAM"]),
        (None, "TEAM#{team_id}", "USER#", ["USER"]),
        ("GSI1", "USER#{user_id}", "", ["USER"]),
        (None, "TEAM#{team_id}", "LEVEL#", ["TEAM_LEVEL"]),
        ("GSI1", "LEVEL#{level_id}", "", ["LEVEL", "TEAM_LEVEL"]),
        (None, "USER#{user_id}", "MESSAGE#", ["MESSAGE", "MESSAGE"]),
        ("GSI1", "TEAM#{team_id}", "MESSAGE#", ["MESSAGE", "MESSAGE"]),
        ("GSI2", "GAME#{game_id}", "MESSAGE#", ["MESSAGE", "MESSAGE"]),
        ("GSI3", "LEVEL#{level_id}", "MESSAGE#", ["MESSAGE", "MESSAGE"]),
        (None, "USER#{user_id}", "PHOTO#", ["PHOTO", "PHOTO"]),
        ("GSI1", "TEAM#{team_id}", "PHOTO#", ["PHOTO", "PHOTO"]),
        ("GSI2", "GAME#{game_id}", "PHOTO#", ["PHOTO", "PHOTO"]),
        ("GSI3", "LEVEL#{level_id}", "PHOTO#", ["PHOTO", "PHOTO"]),
        (None, "USER#{user_id}", "COORDINATE_SNAPSHOT#", ["COORDINATE_SNAPSHOT"]),
        ("GSI1", "TEAM#{team_id}", "COORDINATE_SNAPSHOT#", ["COORDINATE_SNAPSHOT"]),
    ],
)
def test_a_pattern_finds_its_entities_in_order(table, index_name, partition, prefix, kinds):
    name = index_name or ""
    condition = Key(f"{name}PK").eq(partition.format(**IDS))
    if prefix:
        condition &= Key(f"{name}SK").begins_with(prefix)
    where = {"IndexName": index_name} if index_name else {}
    items = table.query(KeyConditionExpression=condition, **where)["Items"]
    assert [item["ItemType"] for item in items] == kinds
    assert [item[f"{name}SK"] for item in items] == sorted(item[f"{name}SK"] for item in items)
