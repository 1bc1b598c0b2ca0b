"""Every kind of value, to its edges, through boto3's serializer and without it."""

from decimal import Decimal

import pytest
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer
from botocore.exceptions import ClientError
from table_definition import keys

KEY = {"pk": "value", "sk": "1"}
RAW_KEY = {"pk": {"S": "value"}, "sk": {"S": "1"}}


def stored(table, value):
    table.put_item(Item={**KEY, "value": value})
    return table.get_item(Key=KEY)["Item"]["value"]


@pytest.mark.parametrize(
    "number",
    [
        "0",
        "1",
        "-1",
        "3.14",
        "12345678901234567890123456789012345678",
        "-12345678901234567890123456789012345678",
        "0.12345678901234567890123456789012345678",
        "1E-130",
        "-1E-130",
        "100000000000000000000",
    ],
)
def test_numbers_keep_every_digit(table, number):
    assert stored(table, Decimal(number)) == Decimal(number)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("-0", "0"),
        ("-0.0", "0"),
        ("00042", "42"),
        ("3.1400", "3.14"),
        ("1.5E2", "150"),
        ("+5", "5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1E-3", "0.001"),
        # boto3's own Decimal context refuses to read more than 38 digits, zeros included.
        ("1E+125", "1" + "0" * 125),
        ("-9.9999999999999999999999999999999999999E+125", "-" + "9" * 38 + "0" * 88),
    ],
)
def test_numbers_are_told_in_one_way(client, name, written, read):
    client.put_item(TableName=name, Item={**RAW_KEY, "value": {"N": written}})
    answer = client.get_item(TableName=name, Key=RAW_KEY)
    assert answer["Item"]["value"] == {"N": read}


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("1E+126", "Number overflow. Attempting to store a number with magnitude larger than "),
        ("1E-131", "Number underflow. Attempting to store a number with magnitude smaller than "),
        (
            "123456789012345678901234567890123456789",
            "Attempting to store more than 38 significant digits in a Number",
        ),
        ("ten", "The parameter cannot be converted to a numeric value: ten"),
        ("NaN", "The parameter cannot be converted to a numeric value: NaN"),
    ],
)
def test_numbers_beyond_the_limits_are_refused(client, name, number, message):
    with pytest.raises(ClientError) as refused:
        client.put_item(TableName=name, Item={**RAW_KEY, "value": {"N": number}})
    assert refused.value.response["Error"]["Code"] == "ValidationException"
    assert message in refused.value.response["Error"]["Message"]


@pytest.mark.parametrize(
    "value",
    [
        "",
        "text",
        'ünïcödé 🚀 \u0000 \\ " \n \u2028',
        True,
        False,
        None,
        [],
        {},
        [1, "two", None, [True, {"deep": "er"}]],
        {"a": {"b": {"c": [{"d": Decimal("1.5")}]}}},
        {"key with spaces.and[marks]": 1},
        {"a", "b", "ü"},
        {Decimal("1"), Decimal("2.5"), Decimal("-3")},
    ],
    ids=repr,
)
def test_values_come_back_equal(table, value):
    assert stored(table, value) == value


@pytest.mark.parametrize("payload", [b"", b"\x00", bytes(range(256)), b"x" * 1000])
def test_binary_comes_back_equal(table, payload):
    assert stored(table, payload) == Binary(payload)
    assert stored(table, Binary(payload)) == Binary(payload)


def test_sets_of_binary_come_back_equal(table):
    members = {Binary(b"one"), Binary(b"two"), Binary(b"\xff\x00")}
    assert stored(table, members) == members


def test_documents_may_nest_thirty_two_levels_and_no_more(table):
    def nested(levels):
        value = "bottom"
        for _ in range(levels - 1):
            value = [value]
        return value

    assert stored(table, nested(32)) == nested(32)
    with pytest.raises(ClientError) as refused:
        stored(table, nested(33))
    assert "Nesting Levels have exceeded supported limits" in str(refused.value)


def test_what_the_serializer_writes_the_server_returns(client, name):
    value = {
        "string": "s",
        "number": Decimal("1.5"),
        "binary": b"\x01\x02",
        "strings": {"a"},
        "numbers": {Decimal("1")},
        "binaries": {b"\x03"},
        "list": [1, None],
        "flag": True,
    }
    serialized = TypeSerializer().serialize(value)
    client.put_item(TableName=name, Item={**RAW_KEY, "value": serialized})
    answer = client.get_item(TableName=name, Key=RAW_KEY)["Item"]["value"]
    expected = {**value, "binary": Binary(b"\x01\x02"), "binaries": {Binary(b"\x03")}}
    assert TypeDeserializer().deserialize(answer) == expected


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"SS": []}, "An string set  may not be empty"),
        ({"NS": []}, "An number set  may not be empty"),
        ({"BS": []}, "Binary sets should not be empty"),
        ({"SS": ["a", "a"]}, 'Input collection ["a", "a"] contains duplicates.'),
        ({"NS": ["1", "1.0"]}, "Input collection contains duplicates."),
        ({"NULL": False}, "Null attribute value types must have the value of true"),
    ],
)
def test_values_that_cannot_be_are_refused(client, name, value, message):
    with pytest.raises(ClientError) as refused:
        client.put_item(TableName=name, Item={**RAW_KEY, "value": value})
    assert refused.value.response["Error"]["Code"] == "ValidationException"
    assert message in refused.value.response["Error"]["Message"]


def test_an_item_may_have_400_kilobytes_and_no_more(table):
    room = 400 * 1024 - len("pkvalue") - len("sk1") - len("value")
    table.put_item(Item={**KEY, "value": "x" * room})
    assert len(table.get_item(Key=KEY)["Item"]["value"]) == room
    with pytest.raises(ClientError) as refused:
        table.put_item(Item={**KEY, "value": "x" * (room + 1)})
    error = refused.value.response["Error"]
    assert error["Message"] == "Item size has exceeded the maximum allowed size"


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("N", [Decimal("-5"), Decimal("0"), Decimal("0.001"), Decimal("7"), Decimal("1E+20")]),
        ("B", [Binary(b"\x00"), Binary(b"\x00\x01"), Binary(b"\x7f"), Binary(b"\xff")]),
        ("S", ["A", "Z", "a", "ä", "🚀"]),
    ],
)
def test_sort_keys_are_in_order(create_table, resource, kind, values):
    table = resource.Table(
        create_table(
            KeySchema=keys("pk", "sk"),
            AttributeDefinitions=[
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": kind},
            ],
        )
    )
    for value in reversed(values):
        table.put_item(Item={"pk": "one", "sk": value})
    query = {
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": "one"},
    }
    assert [item["sk"] for item in table.query(**query)["Items"]] == values
    backwards = table.query(**query, ScanIndexForward=False)["Items"]
    assert [item["sk"] for item in backwards] == values[::-1]
