"""Query and Scan through boto3: conditions, filters, pages, indexes, segments."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError
from table_definition import index, strings


@pytest.fixture
def games(create_table, resource):
    """Two teams of thirty games each, with an index of the games by status."""
    name = create_table(
        AttributeDefinitions=strings("pk", "sk", "status"),
        GlobalSecondaryIndexes=[index("by-status", "status", "sk")],
        LocalSecondaryIndexes=[
            index(
                "status-of-team",
                "pk",
                "status",
                ProjectionType="INCLUDE",
                NonKeyAttributes=["score"],
            )
        ],
    )
    table = resource.Table(name)
    with table.batch_writer() as batch:
        for team in ("TEAM#1", "TEAM#2"):
            for number in range(30):
                batch.put_item(
                    Item={
                        "pk": team,
                        "sk": f"GAME#{number:03}",
                        "status": "FINAL" if number % 3 == 0 else "SCHEDULED",
                        "score": number,
                        "text": "x" * 100,
                    }
                )
    return table


def sort_keys(answer):
    return [item["sk"] for item in answer["Items"]]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (Key("sk").eq("GAME#007"), ["GAME#007"]),
        (Key("sk").lt("GAME#002"), ["GAME#000", "GAME#001"]),
        (Key("sk").lte("GAME#001"), ["GAME#000", "GAME#001"]),
        (Key("sk").gt("GAME#028"), ["GAME#029"]),
        (Key("sk").gte("GAME#028"), ["GAME#028", "GAME#029"]),
        (Key("sk").between("GAME#010", "GAME#012"), ["GAME#010", "GAME#011", "GAME#012"]),
        (Key("sk").begins_with("GAME#02"), [f"GAME#{number:03}" for number in range(20, 30)]),
    ],
)
def test_key_conditions_select_ranges(games, condition, expected):
    answer = games.query(KeyConditionExpression=Key("pk").eq("TEAM#1") & condition)
    assert sort_keys(answer) == expected
    assert answer["Count"] == answer["ScannedCount"] == len(expected)


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        (Attr("status").eq("FINAL"), 10),
        (Attr("status").ne("FINAL"), 20),
        (Attr("score").between(5, 9), 5),
        (Attr("score").is_in([1, 2, 99]), 2),
        (Attr("status").begins_with("SCHED"), 20),
        (Attr("text").contains("xxx"), 30),
        (Attr("text").size().gt(100), 0),
        (Attr("missing").not_exists(), 30),
        (Attr("score").attribute_type("N"), 30),
        (~Attr("status").eq("FINAL") & (Attr("score").lt(3) | Attr("score").gt(27)), 4),
    ],
)
def test_filters_keep_what_matches(games, condition, count):
    answer = games.query(KeyConditionExpression=Key("pk").eq("TEAM#1"), FilterExpression=condition)
    assert answer["Count"] == len(answer["Items"]) == count
    assert answer["ScannedCount"] == 30


def test_a_query_does_not_filter_by_its_keys(games):
    with pytest.raises(ClientError) as refused:
        games.query(
            KeyConditionExpression=Key("pk").eq("TEAM#1"), FilterExpression=Attr("sk").eq("x")
        )
    assert "Filter Expression can only contain non-primary key attributes" in str(refused.value)


def test_pages_follow_each_other_in_both_directions(games):
    for forward in (True, False):
        found, start = [], {}
        while True:
            answer = games.query(
                KeyConditionExpression=Key("pk").eq("TEAM#1"),
                ScanIndexForward=forward,
                Limit=7,
                **start,
            )
            found += sort_keys(answer)
            if "LastEvaluatedKey" not in answer:
                break
            assert set(answer["LastEvaluatedKey"]) == {"pk", "sk"}
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
        assert found == sorted(found, reverse=not forward)
        assert len(found) == 30


def test_the_paginators_bring_everything_once(client, games):
    pages = list(
        client.get_paginator("query").paginate(
            TableName=games.name,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": "TEAM#2"}},
            PaginationConfig={"PageSize": 8},
        )
    )
    assert [page["Count"] for page in pages] == [8, 8, 8, 6]

    scanned = client.get_paginator("scan").paginate(
        TableName=games.name, PaginationConfig={"PageSize": 9}
    )
    keys = [(item["pk"]["S"], item["sk"]["S"]) for page in scanned for item in page["Items"]]
    assert len(keys) == len(set(keys)) == 60

    result = client.get_paginator("scan").paginate(
        TableName=games.name, PaginationConfig={"MaxItems": 10, "PageSize": 4}
    )
    assert len(result.build_full_result()["Items"]) == 10
    assert result.resume_token


def test_a_page_ends_at_one_megabyte(table):
    with table.batch_writer() as batch:
        for number in range(4):
            batch.put_item(Item={"pk": "big", "sk": str(number), "text": "x" * 350_000})
    answer = table.query(KeyConditionExpression=Key("pk").eq("big"))
    assert answer["Count"] == 3
    assert answer["LastEvaluatedKey"] == {"pk": "big", "sk": "2"}


def test_a_global_index_is_queried(games):
    answer = games.query(
        IndexName="by-status",
        KeyConditionExpression=Key("status").eq("FINAL") & Key("sk").lt("GAME#006"),
    )
    assert sort_keys(answer) == ["GAME#000", "GAME#000", "GAME#003", "GAME#003"]
    answer = games.query(
        IndexName="by-status", KeyConditionExpression=Key("status").eq("FINAL"), Limit=1
    )
    assert set(answer["LastEvaluatedKey"]) == {"pk", "sk", "status"}
    assert games.scan(IndexName="by-status", Select="COUNT")["Count"] == 60


def test_a_global_index_is_never_read_consistently(games):
    with pytest.raises(ClientError) as refused:
        games.query(
            IndexName="by-status",
            KeyConditionExpression=Key("status").eq("FINAL"),
            ConsistentRead=True,
        )
    assert "Consistent reads are not supported on global secondary indexes" in str(refused.value)


def test_a_local_index_projects_and_fetches(games):
    query = {
        "IndexName": "status-of-team",
        "KeyConditionExpression": Key("pk").eq("TEAM#1") & Key("status").eq("FINAL"),
        "ConsistentRead": True,
    }
    first = games.query(**query)["Items"][0]
    assert set(first) == {"pk", "sk", "status", "score"}
    first = games.query(**query, Select="ALL_ATTRIBUTES")["Items"][0]
    assert "text" in first


def test_only_what_is_selected_is_returned(games):
    query = {"KeyConditionExpression": Key("pk").eq("TEAM#1")}
    answer = games.query(**query, Select="COUNT")
    assert answer["Count"] == 30
    assert "Items" not in answer
    answer = games.query(**query, ProjectionExpression="sk, score", Limit=1)
    assert answer["Items"] == [{"sk": "GAME#000", "score": 0}]


def test_the_segments_of_a_scan_are_the_whole_table(client, games):
    def segment(number):
        pages = client.get_paginator("scan").paginate(
            TableName=games.name,
            Segment=number,
            TotalSegments=4,
            PaginationConfig={"PageSize": 5},
        )
        return [(item["pk"]["S"], item["sk"]["S"]) for page in pages for item in page["Items"]]

    with ThreadPoolExecutor(4) as pool:
        found = [key for keys in pool.map(segment, range(4)) for key in keys]
    assert len(found) == len(set(found)) == 60


def test_the_legacy_conditions_still_work(client, games):
    answer = client.query(
        TableName=games.name,
        KeyConditions={
            "pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "TEAM#1"}]},
            "sk": {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": [{"S": "GAME#00"}]},
        },
        QueryFilter={
            "status": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "FINAL"}]}
        },
        AttributesToGet=["sk"],
    )
    assert [item["sk"]["S"][-1] for item in answer["Items"]] == ["0", "3", "6", "9"]
    answer = client.scan(
        TableName=games.name,
        ScanFilter={"score": {"ComparisonOperator": "GT", "AttributeValueList": [{"N": "28"}]}},
    )
    assert answer["Count"] == 2


def test_a_query_tells_what_it_read(games):
    answer = games.query(
        KeyConditionExpression=Key("pk").eq("TEAM#1"), ReturnConsumedCapacity="TOTAL"
    )
    assert answer["ConsumedCapacity"] == {"TableName": games.name, "CapacityUnits": 0.5 * 2}


def test_an_index_has_keys_of_several_attributes(create_table, resource):
    name = create_table(
        AttributeDefinitions=strings("pk", "sk", "league", "season", "day", "hour"),
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-time",
                "KeySchema": [
                    {"AttributeName": "league", "KeyType": "HASH"},
                    {"AttributeName": "season", "KeyType": "HASH"},
                    {"AttributeName": "day", "KeyType": "RANGE"},
                    {"AttributeName": "hour", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
    table = resource.Table(name)
    for day, hour in (("02", "09"), ("01", "20"), ("01", "10")):
        table.put_item(
            Item={
                "pk": day,
                "sk": hour,
                "league": "A",
                "season": "2026",
                "day": day,
                "hour": hour,
            }
        )
    condition = Key("league").eq("A") & Key("season").eq("2026")
    for more, expected in [
        (None, ["10", "20", "09"]),
        (Key("day").eq("01"), ["10", "20"]),
        (Key("day").eq("01") & Key("hour").gt("10"), ["20"]),
    ]:
        query = condition & more if more else condition
        answer = table.query(IndexName="by-time", KeyConditionExpression=query)
        assert [item["hour"] for item in answer["Items"]] == expected
