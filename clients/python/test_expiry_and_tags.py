"""Time to live and tags through boto3."""

import time

import pytest
from botocore.exceptions import ClientError


def test_expiry_is_enabled_and_disabled(client, name):
    description = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    assert description == {"TimeToLiveStatus": "DISABLED"}

    enabled = {"Enabled": True, "AttributeName": "expires"}
    answer = client.update_time_to_live(TableName=name, TimeToLiveSpecification=enabled)
    assert answer["TimeToLiveSpecification"] == enabled
    description = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    assert description == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}

    with pytest.raises(ClientError) as refused:
        client.update_time_to_live(TableName=name, TimeToLiveSpecification=enabled)
    assert refused.value.response["Error"]["Message"] == "TimeToLive is already enabled"

    client.update_time_to_live(
        TableName=name, TimeToLiveSpecification={**enabled, "Enabled": False}
    )
    description = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    assert description["TimeToLiveStatus"] == "DISABLED"


def test_what_has_not_expired_stays(client, table):
    client.update_time_to_live(
        TableName=table.name,
        TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"},
    )
    item = {"pk": "a", "sk": "b", "expires": int(time.time()) + 3600}
    table.put_item(Item=item)
    assert table.get_item(Key={"pk": "a", "sk": "b"})["Item"] == item


def test_tags_are_added_replaced_and_removed(client, name):
    arn = client.describe_table(TableName=name)["Table"]["TableArn"]
    client.tag_resource(
        ResourceArn=arn,
        Tags=[{"Key": "team", "Value": "a"}, {"Key": "stage", "Value": "test"}],
    )
    client.tag_resource(ResourceArn=arn, Tags=[{"Key": "team", "Value": "b"}])
    assert tags(client, arn) == {"team": "b", "stage": "test"}
    client.untag_resource(ResourceArn=arn, TagKeys=["stage", "never-there"])
    assert tags(client, arn) == {"team": "b"}


def test_all_tags_are_listed_at_once(client, name):
    arn = client.describe_table(TableName=name)["Table"]["TableArn"]
    many = [{"Key": f"key-{number}", "Value": str(number)} for number in range(25)]
    client.tag_resource(ResourceArn=arn, Tags=many)
    # Not by a paginator: one response has them all.
    page = client.list_tags_of_resource(ResourceArn=arn)
    assert len(page["Tags"]) == 25 and "NextToken" not in page


def test_a_table_is_created_with_its_tags(client, create_table):
    name = create_table(Tags=[{"Key": "team", "Value": "a"}])
    arn = client.describe_table(TableName=name)["Table"]["TableArn"]
    assert tags(client, arn) == {"team": "a"}


def test_tags_of_a_table_that_is_not_there_are_not_found(client, name):
    arn = client.describe_table(TableName=name)["Table"]["TableArn"].replace(name, "nowhere")
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.list_tags_of_resource(ResourceArn=arn)


def tags(client, arn):
    pages = client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
    return {tag["Key"]: tag["Value"] for page in pages for tag in page["Tags"]}
