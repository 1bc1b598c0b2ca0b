"""What every Python test needs: clients of the endpoint, and tables that are gone afterwards.

The endpoint, the region and the keys come from AWS's own environment variables, which
`cargo xtask test --only clients` sets. Without an endpoint nothing runs: these tests must never
reach AWS.
"""

import itertools
import os

import boto3
import pytest
from table_definition import keys, strings

numbers = itertools.count(1)

# The operations called so far, by both clients.
called = set()


def pytest_configure(config):
    if not os.environ.get("AWS_ENDPOINT_URL"):
        raise pytest.UsageError("set AWS_ENDPOINT_URL, or run `cargo xtask test --only clients`")


def pytest_collection_modifyitems(items):
    """The test that looks back at the others comes last."""
    items.sort(key=lambda item: item.path.name == "test_every_operation.py")


def record(model, **_):
    called.add(model.name)


@pytest.fixture(scope="session")
def called_operations():
    return called


@pytest.fixture(scope="session")
def client():
    client = boto3.client("dynamodb")
    client.meta.events.register("before-call.dynamodb", record)
    return client


@pytest.fixture(scope="session")
def streams():
    client = boto3.client("dynamodbstreams")
    client.meta.events.register("before-call.dynamodb-streams", record)
    return client


@pytest.fixture(scope="session")
def resource():
    resource = boto3.resource("dynamodb")
    resource.meta.client.meta.events.register("before-call.dynamodb", record)
    return resource


@pytest.fixture
def create_table(client):
    """Creates tables with the keys `pk` and `sk` (strings) unless told otherwise."""
    names = []

    def create(**settings):
        name = f"table-{next(numbers)}"
        definition = {
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": keys("pk", "sk"),
            "AttributeDefinitions": strings("pk", "sk"),
        }
        client.create_table(**{**definition, **settings})
        client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
        names.append(name)
        return name

    yield create
    for name in names:
        try:
            client.delete_table(TableName=name)
        except client.exceptions.ResourceNotFoundException:
            pass


@pytest.fixture
def name(create_table):
    """The name of a new table."""
    return create_table()


@pytest.fixture
def table(resource, name):
    """A new table, through the resource interface."""
    return resource.Table(name)
