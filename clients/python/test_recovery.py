"""Point-in-time recovery, on a server of its own that keeps its log."""

import datetime
import os
import subprocess

import boto3
import pytest
from botocore.exceptions import ClientError
from table_definition import keys, strings

SECOND = datetime.timedelta(seconds=1)


@pytest.fixture
def keeping(tmp_path):
    """A client of a server that keeps its log."""
    arguments = ["serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "data"]
    arguments += ["--backup-to", tmp_path / "backups", "--backup-every", "24h", "--keep-log", "24h"]
    program = [os.environ["MONOTABLE_PROGRAM"], *arguments]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
        try:
            url = server.stdout.readline().split()[-1]
            yield boto3.client("dynamodb", endpoint_url=url)
        finally:
            server.terminate()


def ids(client, table):
    return sorted(item["pk"]["S"] for item in client.scan(TableName=table)["Items"])


def restore(client, target, **when):
    client.restore_table_to_point_in_time(
        SourceTableName="books", TargetTableName=target, **when
    )
    client.get_waiter("table_exists").wait(TableName=target, WaiterConfig={"Delay": 1})
    return ids(client, target)


def test_a_table_is_restored_to_a_point_in_time(keeping):
    keeping.create_table(
        TableName="books",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=keys("pk"),
        AttributeDefinitions=strings("pk"),
    )
    latest = {"UseLatestRestorableTime": True}
    with pytest.raises(keeping.exceptions.PointInTimeRecoveryUnavailableException):
        restore(keeping, "none", **latest)
    specification = {"PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": 7}
    keeping.update_continuous_backups(
        TableName="books", PointInTimeRecoverySpecification=specification
    )
    keeping.put_item(TableName="books", Item={"pk": {"S": "first"}})
    # Clients send whole seconds: the second item comes in a later one.
    described = keeping.describe_continuous_backups(TableName="books")
    backups = described["ContinuousBackupsDescription"]
    recovery = backups["PointInTimeRecoveryDescription"]
    assert backups["ContinuousBackupsStatus"] == "ENABLED"
    assert recovery["RecoveryPeriodInDays"] == 7
    between = recovery["LatestRestorableDateTime"].replace(microsecond=0) + SECOND
    while recovery["LatestRestorableDateTime"] <= between:
        described = keeping.describe_continuous_backups(TableName="books")
        recovery = described["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
    keeping.put_item(TableName="books", Item={"pk": {"S": "second"}})
    assert restore(keeping, "between", RestoreDateTime=between) == ["first"]
    assert restore(keeping, "latest", **latest) == ["first", "second"]
    with pytest.raises(ClientError) as refused:
        restore(keeping, "early", RestoreDateTime=between - 3600 * SECOND)
    assert refused.value.response["Error"]["Code"] == "InvalidRestoreTimeException"
