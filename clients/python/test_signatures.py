"""Signatures: the keys of clients/keys.toml, which the server of this folder asks for."""

import boto3
import pytest
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError

KEY = {"pk": {"S": "a"}, "sk": {"S": "b"}}


@pytest.fixture
def reader():
    """A client that may read, and nothing else."""
    return boto3.client(
        "dynamodb",
        aws_access_key_id="CLIENTSREADER",
        aws_secret_access_key="reads-in-tests-only",
    )


def refusal(call, **parameters):
    with pytest.raises(ClientError) as refused:
        call(**parameters)
    return refused.value.response["Error"]


def test_a_key_does_what_it_is_allowed(reader, name):
    assert "Item" not in reader.get_item(TableName=name, Key=KEY)
    query = {
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": "a"}},
    }
    assert reader.query(TableName=name, **query)["Count"] == 0
    statement = f"SELECT * FROM \"{name}\" WHERE pk = 'a'"
    assert reader.execute_statement(Statement=statement)["Items"] == []


def test_a_key_does_nothing_else(client, reader, name):
    for call, parameters in [
        (reader.put_item, {"TableName": name, "Item": KEY}),
        (reader.scan, {"TableName": name}),
        (reader.list_tables, {}),
        (reader.get_item, {"TableName": "another", "Key": KEY}),
        (reader.execute_statement, {"Statement": f"DELETE FROM \"{name}\" WHERE pk = 'a'"}),
        (
            reader.transact_write_items,
            {"TransactItems": [{"Put": {"TableName": name, "Item": KEY}}]},
        ),
    ]:
        error = refusal(call, **parameters)
        assert error["Code"] == "AccessDeniedException"
        assert "reader" in error["Message"]
    assert client.scan(TableName=name)["Count"] == 0


def test_a_wrong_secret_is_refused(name):
    forger = boto3.client(
        "dynamodb",
        aws_access_key_id="CLIENTSEVERYTHING",
        aws_secret_access_key="not-the-secret",
    )
    error = refusal(forger.get_item, TableName=name, Key=KEY)
    assert error["Code"] == "InvalidSignatureException"


def test_an_unknown_key_is_refused(name):
    stranger = boto3.client(
        "dynamodb", aws_access_key_id="STRANGER", aws_secret_access_key="whatever"
    )
    error = refusal(stranger.get_item, TableName=name, Key=KEY)
    assert error["Code"] == "UnrecognizedClientException"


def test_an_unsigned_request_is_refused(name):
    unsigned = boto3.client("dynamodb", config=Config(signature_version=UNSIGNED))
    error = refusal(unsigned.get_item, TableName=name, Key=KEY)
    assert error["Code"] == "MissingAuthenticationTokenException"
