"""Transactions through boto3: all or nothing, with a reason for every action."""

import uuid

import pytest
from botocore.exceptions import ClientError


def key(sort):
    return {"pk": {"S": "ACCOUNT"}, "sk": {"S": sort}}


@pytest.fixture
def accounts(client, name):
    """Two accounts with ten each."""
    for sort in ("a", "b"):
        client.put_item(TableName=name, Item={**key(sort), "balance": {"N": "10"}})
    return name


def pay(table, source, target, amount, **more):
    """The actions that move money if there is enough."""
    value = {":amount": {"N": str(amount)}}
    return [
        {
            "Update": {
                "TableName": table,
                "Key": key(source),
                "UpdateExpression": "SET balance = balance - :amount",
                "ConditionExpression": "balance >= :amount",
                "ExpressionAttributeValues": value,
                **more,
            }
        },
        {
            "Update": {
                "TableName": table,
                "Key": key(target),
                "UpdateExpression": "ADD balance :amount",
                "ExpressionAttributeValues": value,
            }
        },
    ]


def balances(client, table):
    answer = client.transact_get_items(
        TransactItems=[
            {
                "Get": {
                    "TableName": table,
                    "Key": key(sort),
                    "ProjectionExpression": "balance",
                }
            }
            for sort in ("a", "b", "missing")
        ]
    )
    assert "Item" not in answer["Responses"][2]
    return [int(response["Item"]["balance"]["N"]) for response in answer["Responses"][:2]]


def test_everything_happens_together(client, accounts):
    client.transact_write_items(TransactItems=pay(accounts, "a", "b", 4))
    assert balances(client, accounts) == [6, 14]


def test_all_kinds_of_actions_fit_in_one_transaction(client, accounts):
    answer = client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": accounts, "Item": {**key("c"), "balance": {"N": "0"}}}},
            {"Delete": {"TableName": accounts, "Key": key("b")}},
            {
                "ConditionCheck": {
                    "TableName": accounts,
                    "Key": key("a"),
                    "ConditionExpression": "attribute_exists(pk)",
                }
            },
        ],
        ReturnConsumedCapacity="TOTAL",
    )
    [capacity] = answer["ConsumedCapacity"]
    assert capacity["CapacityUnits"] == capacity["WriteCapacityUnits"] == 6.0
    assert client.scan(TableName=accounts)["Count"] == 2


def test_a_failed_condition_cancels_everything_and_says_which(client, accounts):
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.transact_write_items(TransactItems=pay(accounts, "a", "b", 11))
    response = cancelled.value.response
    assert response["Error"]["Code"] == "TransactionCanceledException"
    assert response["Error"]["Message"] == (
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[ConditionalCheckFailed, None]"
    )
    assert response["CancellationReasons"] == [
        {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"},
        {"Code": "None"},
    ]
    assert balances(client, accounts) == [10, 10]


def test_a_cancelled_transaction_shows_the_item_when_asked(client, accounts):
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.transact_write_items(
            TransactItems=pay(accounts, "a", "b", 11, ReturnValuesOnConditionCheckFailure="ALL_OLD")
        )
    reason = cancelled.value.response["CancellationReasons"][0]
    assert reason["Item"] == {**key("a"), "balance": {"N": "10"}}


def test_a_token_makes_a_transaction_happen_once(client, accounts):
    token = str(uuid.uuid4())
    for _ in range(3):
        client.transact_write_items(
            TransactItems=pay(accounts, "a", "b", 1), ClientRequestToken=token
        )
    assert balances(client, accounts) == [9, 11]
    with pytest.raises(client.exceptions.IdempotentParameterMismatchException):
        client.transact_write_items(
            TransactItems=pay(accounts, "a", "b", 2), ClientRequestToken=token
        )
    assert balances(client, accounts) == [9, 11]


def test_an_item_is_touched_once_in_a_transaction(client, accounts):
    with pytest.raises(ClientError) as refused:
        client.transact_write_items(TransactItems=pay(accounts, "a", "a", 1))
    error = refused.value.response["Error"]
    assert error["Code"] == "ValidationException"
    assert error["Message"] == (
        "Transaction request cannot include multiple operations on one item"
    )


def test_the_resource_client_takes_python_values(table):
    table.meta.client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": table.name, "Item": {"pk": "a", "sk": "b", "number": 7}}}
        ]
    )
    answer = table.meta.client.transact_get_items(
        TransactItems=[{"Get": {"TableName": table.name, "Key": {"pk": "a", "sk": "b"}}}]
    )
    assert answer["Responses"] == [{"Item": {"pk": "a", "sk": "b", "number": 7}}]


def test_a_hundred_items_fit_in_one_transaction(client, name):
    puts = [
        {"Put": {"TableName": name, "Item": {"pk": {"S": "a"}, "sk": {"S": str(number)}}}}
        for number in range(101)
    ]
    client.transact_write_items(TransactItems=puts[:100])
    assert client.scan(TableName=name, Select="COUNT")["Count"] == 100
    with pytest.raises(ClientError) as refused:
        client.transact_write_items(TransactItems=puts)
    assert refused.value.response["Error"]["Code"] == "ValidationException"
