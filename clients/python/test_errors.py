"""Errors as boto3 shows them: the class, the code, the message, the status."""

import boto3
import pytest
from botocore.exceptions import ClientError, ParamValidationError

KEY = {"pk": {"S": "a"}, "sk": {"S": "b"}}


def refusal(call, **parameters):
    with pytest.raises(ClientError) as refused:
        call(**parameters)
    return refused.value.response


def test_a_table_that_is_not_there_is_not_found(client):
    for call, parameters in [
        (client.get_item, {"Key": KEY}),
        (client.put_item, {"Item": KEY}),
        (client.delete_item, {"Key": KEY}),
        (client.update_item, {"Key": KEY}),
        (client.scan, {}),
        (
            client.query,
            {
                "KeyConditionExpression": "pk = :pk",
                "ExpressionAttributeValues": {":pk": {"S": "a"}},
            },
        ),
    ]:
        with pytest.raises(client.exceptions.ResourceNotFoundException) as refused:
            call(TableName="nowhere", **parameters)
        response = refused.value.response
        assert response["Error"]["Code"] == "ResourceNotFoundException"
        assert response["Error"]["Message"] == "Requested resource not found"
        assert response["ResponseMetadata"]["HTTPStatusCode"] == 400
        assert response["ResponseMetadata"]["RetryAttempts"] == 0


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("attribute_exists(", "Invalid ConditionExpression: Syntax error; "),
        ("size = :v", "Invalid ConditionExpression: Attribute name is a reserved keyword; "),
        ("a = :missing", "An expression attribute value used in expression is not defined; "),
        ("#missing = :v", "An expression attribute name used in the document path is not defined"),
        ("", "Invalid ConditionExpression: The expression can not be empty;"),
    ],
)
def test_expressions_that_make_no_sense_are_refused(client, name, expression, message):
    error = refusal(
        client.put_item,
        TableName=name,
        Item=KEY,
        ConditionExpression=expression,
        ExpressionAttributeValues={":v": {"S": "x"}},
    )["Error"]
    assert error["Code"] == "ValidationException"
    assert message in error["Message"]


def test_unused_placeholders_are_refused(client, name):
    error = refusal(
        client.put_item,
        TableName=name,
        Item=KEY,
        ConditionExpression="attribute_not_exists(pk)",
        ExpressionAttributeValues={":unused": {"S": "x"}},
    )["Error"]
    expected = "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}"
    assert expected in error["Message"]


def test_keys_must_fit_the_schema(client, name):
    error = refusal(client.get_item, TableName=name, Key={"pk": {"S": "a"}})["Error"]
    assert error["Message"] == "The provided key element does not match the schema"
    error = refusal(client.put_item, TableName=name, Item={"pk": {"S": "a"}})["Error"]
    assert error["Message"] == (
        "One or more parameter values were invalid: Missing the key sk in the item"
    )
    error = refusal(client.put_item, TableName=name, Item={**KEY, "sk": {"N": "1"}})["Error"]
    assert error["Message"] == (
        "One or more parameter values were invalid: Type mismatch for key sk expected: S actual: N"
    )
    error = refusal(client.put_item, TableName=name, Item={**KEY, "sk": {"S": ""}})["Error"]
    assert "cannot contain an empty string value. Key: sk" in error["Message"]


def test_the_sdk_checks_before_it_sends(client, name):
    with pytest.raises(ParamValidationError):
        client.put_item(TableName=name, Item={"pk": {"S": 1}})


def test_constraints_are_told_in_one_message(name):
    unchecked = boto3.client("dynamodb", config=boto3.session.Config(parameter_validation=False))
    error = refusal(unchecked.scan, TableName=name, Limit=0)["Error"]
    assert error["Code"] == "ValidationException"
    assert error["Message"].startswith("1 validation error detected: Value '0' at 'limit' failed")
    error = refusal(unchecked.get_item, TableName=name)["Error"]
    assert "Value null at 'key' failed to satisfy constraint" in error["Message"]
    error = refusal(unchecked.put_item, TableName=name, Item={"pk": {"S": 1}})["Error"]
    assert error["Code"] == "SerializationException"


def test_keys_are_not_updated(client, name):
    error = refusal(
        client.update_item,
        TableName=name,
        Key=KEY,
        UpdateExpression="SET sk = :v",
        ExpressionAttributeValues={":v": {"S": "x"}},
    )["Error"]
    assert error["Message"] == (
        "One or more parameter values were invalid: "
        "Cannot update attribute sk. This attribute is part of the key"
    )


def test_an_index_that_is_not_there_is_refused(client, name):
    error = refusal(
        client.query,
        TableName=name,
        IndexName="by-none",
        KeyConditionExpression="pk = :pk",
        ExpressionAttributeValues={":pk": {"S": "a"}},
    )["Error"]
    assert error["Message"] == "The table does not have the specified index: by-none"
