"""What the server has not: questions are answered truly, changes are refused plainly."""

import datetime

import pytest
from botocore.exceptions import ClientError

ARN = "arn:aws:dynamodb:us-east-1:000000000000:table/nowhere"
BACKUP = f"{ARN}/backup/01489173575360-b308cd7d"
BULK = f"{ARN}/bulk-operation/01489173575360-b308cd7d"
TIME = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
DEFINITION = {
    "TableName": "imported",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def test_lists_of_what_is_not_there_are_empty(client, name):
    assert client.list_global_tables()["GlobalTables"] == []
    assert client.list_contributor_insights()["ContributorInsightsSummaries"] == []


def test_questions_about_a_table_are_answered(client, name):
    backups = client.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    recovery = backups["PointInTimeRecoveryDescription"]
    assert recovery["PointInTimeRecoveryStatus"] == "DISABLED"
    insights = client.describe_contributor_insights(TableName=name)
    assert insights["ContributorInsightsStatus"] == "DISABLED"
    kinesis = client.describe_kinesis_streaming_destination(TableName=name)
    assert kinesis["KinesisDataStreamDestinations"] == []
    scaling = client.describe_table_replica_auto_scaling(TableName=name)
    assert scaling["TableAutoScalingDescription"]["TableName"] == name


def test_what_is_the_case_anyway_is_granted(client, name):
    arn = client.describe_table(TableName=name)["Table"]["TableArn"]
    client.update_continuous_backups(
        TableName=name,
        PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": False},
    )
    client.update_contributor_insights(TableName=name, ContributorInsightsAction="DISABLE")
    client.delete_resource_policy(ResourceArn=arn)


@pytest.mark.parametrize(
    ("operation", "parameters", "code"),
    [
        ("describe_backup", {"BackupArn": BACKUP}, "BackupNotFoundException"),
        ("delete_backup", {"BackupArn": BACKUP}, "BackupNotFoundException"),
        ("describe_export", {"ExportArn": BACKUP}, "ExportNotFoundException"),
        ("describe_import", {"ImportArn": BACKUP}, "ImportNotFoundException"),
        (
            "describe_global_table",
            {"GlobalTableName": "nowhere"},
            "GlobalTableNotFoundException",
        ),
        (
            "describe_global_table_settings",
            {"GlobalTableName": "nowhere"},
            "GlobalTableNotFoundException",
        ),
        ("get_resource_policy", {"ResourceArn": ARN}, "ResourceNotFoundException"),
        ("describe_bulk_operation", {"BulkOperationArn": BULK}, "ResourceNotFoundException"),
        ("cancel_bulk_operation", {"BulkOperationArn": BULK}, "ResourceNotFoundException"),
        (
            "restore_table_to_point_in_time",
            {"TargetTableName": "target", "SourceTableName": "nowhere", "RestoreDateTime": TIME},
            "TableNotFoundException",
        ),
    ],
)
def test_things_that_are_not_there_are_not_found(client, operation, parameters, code):
    with pytest.raises(ClientError) as refused:
        getattr(client, operation)(**parameters)
    assert refused.value.response["Error"]["Code"] == code
    assert isinstance(refused.value, client.exceptions.from_code(code))


@pytest.mark.parametrize(
    ("operation", "parameters"),
    [
        (
            "create_global_table",
            {"GlobalTableName": "nowhere", "ReplicationGroup": [{"RegionName": "eu-west-1"}]},
        ),
        ("update_global_table", {"GlobalTableName": "nowhere", "ReplicaUpdates": []}),
        ("update_global_table_settings", {"GlobalTableName": "nowhere"}),
        ("enable_kinesis_streaming_destination", {"TableName": "nowhere", "StreamArn": ARN}),
        ("disable_kinesis_streaming_destination", {"TableName": "nowhere", "StreamArn": ARN}),
        ("update_kinesis_streaming_destination", {"TableName": "nowhere", "StreamArn": ARN}),
        ("update_table_replica_auto_scaling", {"TableName": "nowhere"}),
        (
            "search_vectors",
            {
                "TableName": "nowhere",
                "IndexName": "by-meaning",
                "SearchVector": [{"N": "1"}],
                "TopK": 1,
            },
        ),
    ],
)
def test_changes_of_what_is_not_there_are_refused(client, operation, parameters):
    with pytest.raises(ClientError) as refused:
        getattr(client, operation)(**parameters)
    error = refused.value.response["Error"]
    assert error["Code"] == "ValidationException"
    assert "is not supported" in error["Message"]


def test_a_table_with_what_is_not_there_is_refused(client):
    for setting in (
        {"GlobalTableSourceArn": ARN},
        {
            "VectorIndexes": [
                {
                    "IndexName": "by-meaning",
                    "VectorAttribute": {"AttributeName": "meaning"},
                    "Projection": {"ProjectionType": "ALL"},
                    "Dimensions": 3,
                    "DistanceFunction": "COSINE",
                }
            ]
        },
    ):
        with pytest.raises(ClientError) as refused:
            client.create_table(**{**DEFINITION, **setting})
        error = refused.value.response["Error"]
        assert error["Code"] == "ValidationException"
        assert "is not supported" in error["Message"]
    assert DEFINITION["TableName"] not in client.list_tables()["TableNames"]
