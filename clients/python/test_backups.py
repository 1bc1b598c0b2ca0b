"""Backups, exports, imports and bulk puts, with the directory that the server takes for all buckets.

`MONOTABLE_BUCKETS` names it. What is exported is read again by Amazon's own library of Ion, and by the server.
"""

import base64
import gzip
import hashlib
import itertools
import json
import os
import time
from decimal import Decimal
from pathlib import Path

import pytest
from amazon.ion import simpleion
from boto3.dynamodb.types import Binary, TypeDeserializer
from botocore.exceptions import ClientError

numbers = itertools.count(1)


@pytest.fixture
def bucket():
    """The directory of a new bucket."""
    path = Path(os.environ["MONOTABLE_BUCKETS"], f"python-{next(numbers)}")
    path.mkdir()
    return path


@pytest.fixture
def books(client, name):
    """A table with items of every type."""
    for number in range(60):
        item = {
            "pk": {"S": f"shelf {number % 7}"},
            "sk": {"S": f"book \"{number:03}\" äöü\n"},
            "price": {"N": f"{number}.50"},
            "huge": {"N": "12345678901234567890123456789012345678"},
            "cover": {"B": bytes([0, 255, number])},
            "tags": {"SS": ["a", "b'"]},
            "editions": {"NS": ["1", "2.5", "-3"]},
            "scans": {"BS": [b"x", b"\x00"]},
            "out": {"BOOL": number % 2 == 0},
            "none": {"NULL": True},
            "more": {"M": {"x y": {"L": [{"S": ""}, {"N": "1E-7"}]}}},
        }
        client.put_item(TableName=name, Item=item)
    return name


def items(client, name):
    """All items of a table, by their keys."""
    pages = client.get_paginator("scan").paginate(TableName=name)
    found = [item for page in pages for item in page["Items"]]
    return {(item["pk"]["S"], item["sk"]["S"]): item for item in found}


def digest(items):
    """A digest that does not depend on the order of items or sets."""

    def plain(value):
        if isinstance(value, dict):
            return {name: plain(part) for name, part in value.items()}
        if isinstance(value, (bytes, Binary)):
            return base64.b64encode(bytes(value)).decode()
        return value

    def sorted_sets(value):
        if isinstance(value, dict):
            return {
                name: sorted(map(plain, part)) if name in ("SS", "NS", "BS") else sorted_sets(part)
                for name, part in value.items()
            }
        if isinstance(value, list):
            return [sorted_sets(part) for part in value]
        return plain(value)

    text = json.dumps(sorted(json.dumps(sorted_sets(item), sort_keys=True) for item in items))
    return hashlib.sha256(text.encode()).hexdigest()


def wait(describe, member, status, **arn):
    """Waits until a job is no longer in progress."""
    while True:
        description = describe(**arn)[member]
        if description[status] not in ("IN_PROGRESS", "CREATING"):
            return description
        time.sleep(0.02)


def export(client, name, bucket, **more):
    arn = client.describe_table(TableName=name)["Table"]["TableArn"]
    started = client.export_table_to_point_in_time(TableArn=arn, S3Bucket=bucket.name, **more)
    arn = started["ExportDescription"]["ExportArn"]
    done = wait(client.describe_export, "ExportDescription", "ExportStatus", ExportArn=arn)
    assert done["ExportStatus"] == "COMPLETED", done
    return done


def import_table(client, bucket, prefix, target, **more):
    started = client.import_table(
        S3BucketSource={"S3Bucket": bucket.name, "S3KeyPrefix": prefix},
        TableCreationParameters={
            "TableName": target,
            "AttributeDefinitions": [
                {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")
            ],
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            "BillingMode": "PAY_PER_REQUEST",
        },
        **more,
    )
    arn = started["ImportTableDescription"]["ImportArn"]
    done = wait(client.describe_import, "ImportTableDescription", "ImportStatus", ImportArn=arn)
    assert done["ImportStatus"] == "COMPLETED", done
    return done


def test_a_backup_is_listed_restored_and_deleted(client, books):
    before = items(client, books)
    made = client.create_backup(TableName=books, BackupName="before")["BackupDetails"]
    arn = made["BackupArn"]
    while client.describe_backup(BackupArn=arn)["BackupDescription"]["BackupDetails"][
        "BackupStatus"
    ] == "CREATING":
        time.sleep(0.02)
    listed = client.list_backups(TableName=books)["BackupSummaries"]
    assert [backup["BackupArn"] for backup in listed] == [arn]
    client.delete_item(TableName=books, Key={"pk": {"S": "shelf 0"}, "sk": {"S": "x"}})
    target = f"{books}-restored"
    client.restore_table_from_backup(TargetTableName=target, BackupArn=arn)
    client.get_waiter("table_exists").wait(TableName=target, WaiterConfig={"Delay": 1})
    assert items(client, target) == before
    summary = client.describe_table(TableName=target)["Table"]["RestoreSummary"]
    assert summary["SourceBackupArn"] == arn and not summary["RestoreInProgress"]
    with pytest.raises(client.exceptions.TableAlreadyExistsException):
        client.restore_table_from_backup(TargetTableName=target, BackupArn=arn)
    client.delete_table(TableName=target)
    client.delete_backup(BackupArn=arn)
    with pytest.raises(client.exceptions.BackupNotFoundException):
        client.describe_backup(BackupArn=arn)
    with pytest.raises(client.exceptions.TableNotFoundException):
        client.create_backup(TableName="nowhere", BackupName="none")


@pytest.mark.parametrize("format", ["DYNAMODB_JSON", "ION"])
def test_what_is_exported_is_imported_again(client, books, bucket, format):
    done = export(client, books, bucket, S3Prefix="daily", ExportFormat=format)
    assert done["ItemCount"] == 60
    listed = client.list_exports(TableArn=done["TableArn"])["ExportSummaries"]
    assert done["ExportArn"] in [summary["ExportArn"] for summary in listed]
    folder = Path(done["ExportManifest"]).parent
    target = f"{books}-imported-{format.lower()}"
    imported = import_table(
        client, bucket, f"{folder}/data/", target, InputFormat=format, InputCompressionType="GZIP"
    )
    assert (imported["ImportedItemCount"], imported["ErrorCount"]) == (60, 0)
    listed = client.list_imports(TableArn=imported["TableArn"])["ImportSummaryList"]
    assert [summary["ImportArn"] for summary in listed] == [imported["ImportArn"]]
    before, after = items(client, books), items(client, target)
    assert digest(after.values()) == digest(before.values())
    client.delete_table(TableName=target)


def data_files(bucket, done):
    """The data files of an export, which must be those of the manifests."""
    manifest = bucket / done["ExportManifest"]
    summary = json.loads(manifest.read_text())
    checksum = manifest.with_suffix(".checksum").read_text()
    assert base64.b64encode(hashlib.md5(manifest.read_bytes()).digest()).decode() == checksum
    lines = (bucket / summary["manifestFilesS3Key"]).read_text().splitlines()
    for file in map(json.loads, lines):
        path = bucket / file["dataFileS3Key"]
        md5 = hashlib.md5(path.read_bytes()).digest()
        assert base64.b64encode(md5).decode() == file["md5Checksum"]
        yield gzip.decompress(path.read_bytes())


def from_ion(value):
    """A value of Ion as AWS maps it, as boto3's resources have it."""
    annotations = [annotation.text for annotation in value.ion_annotations]
    kind = value.ion_type.name
    if annotations in (["$dynamodb_SS"], ["$dynamodb_NS"], ["$dynamodb_BS"]):
        return {from_ion(element) for element in value}
    assert annotations == []
    match kind:
        case "STRUCT":
            return {name: from_ion(part) for name, part in value.items()}
        case "LIST":
            return [from_ion(part) for part in value]
        case "NULL":
            return None
        case "BOOL":
            return bool(value)
        case "BLOB":
            return bytes(value)
        case "DECIMAL" | "INT":
            return Decimal(value)
        case "STRING":
            return str(value)
    raise AssertionError(f"a value of {kind}")


def plain(value):
    """A value of boto3 with bytes in place of its own class."""
    if isinstance(value, Binary):
        return bytes(value)
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return {plain(part) for part in value} if isinstance(value, set) else value


def test_amazons_library_of_ion_reads_an_export(client, books, bucket):
    done = export(client, books, bucket, ExportFormat="ION")
    found = {}
    for data in data_files(bucket, done):
        for line in data.decode().splitlines():
            item = from_ion(simpleion.loads(line))["Item"]
            found[item["pk"], item["sk"]] = item
    read = TypeDeserializer().deserialize
    expected = {key: plain(read({"M": item})) for key, item in items(client, books).items()}
    assert found == expected


def test_amazons_library_of_ion_reads_an_incremental_export():
    """The file of a test of the server: 15 minutes of changes are too long to wait for here."""
    lines = Path(__file__).with_name("incremental-export.ion").read_text().splitlines()
    found = {}
    for line in lines:
        record = from_ion(simpleion.loads(line))["Record"]
        micros = record["Metadata"]["WriteTimestampMicros"]
        found[record["Keys"]["id"]] = (record.get("OldImage"), record.get("NewImage"), int(micros))
    before = {"id": "changed", "price": Decimal("1.5"), "tags": {"a", "b"}}
    after = {"id": "changed", "price": Decimal(2000), "more": {"x y": [None]}}
    second = 1_000_000
    start = 1_791_500_851_275_000
    assert found == {
        "changed": (before, after, start + 4 * second),
        "new": (None, {"id": "new", "out": True}, start + 5 * second),
        "removed": ({"id": "removed", "cover": b"\x00\xff"}, None, start + 6 * second),
    }


def test_a_filter_and_a_token(client, books, bucket):
    more = {
        "FilterSpecification": {
            "FilterExpression": "price < :most",
            "ExpressionAttributeValues": {":most": {"N": "10"}},
            "ProjectionExpression": "pk, sk",
        },
        "ClientToken": f"token-{books}",
    }
    done = export(client, books, bucket, **more)
    lines = [json.loads(line) for data in data_files(bucket, done) for line in data.splitlines()]
    assert len(lines) == done["ItemCount"] == 10
    assert all(set(line["Item"]) == {"pk", "sk"} for line in lines)
    assert export(client, books, bucket, **more)["ExportArn"] == done["ExportArn"]
    with pytest.raises(client.exceptions.ExportConflictException):
        export(client, books, bucket, ClientToken=more["ClientToken"])


def test_items_are_put_in_bulk(client, name, bucket):
    lines = [
        json.dumps({"Item": {"pk": {"S": "bulk"}, "sk": {"S": str(number)}}})
        for number in range(500)
    ]
    lines.append(json.dumps({"Item": {"pk": {"S": "bulk"}}}))
    (bucket / "part.json.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    started = client.start_bulk_put_items(
        TableName=name,
        InputS3Configuration={
            "S3Bucket": bucket.name,
            "S3KeyPrefix": "part",
            "InputFormat": "DYNAMODB_JSON",
            "InputCompressionType": "GZIP",
        },
        OutputS3Configuration={"S3Bucket": bucket.name, "OutputType": ["ERROR"]},
    )["BulkOperationDescription"]
    arn = started["BulkOperationArn"]
    done = wait(
        client.describe_bulk_operation,
        "BulkOperationDescription",
        "BulkOperationStatus",
        BulkOperationArn=arn,
    )
    assert done["BulkOperationStatus"] == "COMPLETED_WITH_ERRORS"
    assert (done["ProcessedItemCount"], done["FailedItemCount"]) == (501, 1)
    assert len(items(client, name)) == 500
    listed = client.list_bulk_operations()["BulkOperationsSummaryList"]
    assert arn in [summary["BulkOperationArn"] for summary in listed]
    cancelled = client.cancel_bulk_operation(BulkOperationArn=arn)
    assert cancelled["BulkOperationStatus"] == "COMPLETED_WITH_ERRORS"


def test_other_buckets_are_refused_by_name(client, name):
    arn = client.describe_table(TableName=name)["Table"]["TableArn"]
    with pytest.raises(ClientError) as refused:
        client.export_table_to_point_in_time(TableArn=arn, S3Bucket="elsewhere")
    assert "The S3 bucket elsewhere is not supported" in refused.value.response["Error"]["Message"]
