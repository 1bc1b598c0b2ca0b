"""Tables through boto3: create, describe, change, list, delete, and wait for them."""

import json

import pytest
from botocore.exceptions import WaiterError
from table_definition import index, keys, strings


def test_a_new_table_describes_itself(client, create_table):
    name = create_table(
        AttributeDefinitions=strings("pk", "sk", "city"),
        GlobalSecondaryIndexes=[index("by-city", "city", "sk")],
        LocalSecondaryIndexes=[index("by-city-local", "pk", "city", ProjectionType="KEYS_ONLY")],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        TableClass="STANDARD_INFREQUENT_ACCESS",
        DeletionProtectionEnabled=False,
        Tags=[{"Key": "team", "Value": "seattle"}],
    )
    table = client.describe_table(TableName=name)["Table"]

    assert table["TableName"] == name
    assert table["TableStatus"] == "ACTIVE"
    assert table["KeySchema"] == keys("pk", "sk")
    assert table["ItemCount"] == 0
    assert table["TableSizeBytes"] == 0
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert table["TableArn"].endswith(f"table/{name}")
    assert table["LatestStreamArn"].startswith(table["TableArn"] + "/stream/")
    assert table["LatestStreamLabel"] in table["LatestStreamArn"]
    assert table["StreamSpecification"]["StreamViewType"] == "NEW_AND_OLD_IMAGES"
    assert table["TableClassSummary"]["TableClass"] == "STANDARD_INFREQUENT_ACCESS"
    assert table["DeletionProtectionEnabled"] is False
    assert table["CreationDateTime"].tzinfo is not None

    [by_city] = table["GlobalSecondaryIndexes"]
    assert by_city["IndexName"] == "by-city"
    assert by_city["IndexStatus"] == "ACTIVE"
    assert by_city["Projection"] == {"ProjectionType": "ALL"}
    [local] = table["LocalSecondaryIndexes"]
    assert local["Projection"] == {"ProjectionType": "KEYS_ONLY"}


def test_provisioned_throughput_is_kept_and_changed(client, create_table):
    name = create_table(
        BillingMode="PROVISIONED",
        ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
    )
    throughput = client.describe_table(TableName=name)["Table"]["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (5, 6)

    client.update_table(
        TableName=name,
        ProvisionedThroughput={"ReadCapacityUnits": 7, "WriteCapacityUnits": 8},
    )
    client.get_waiter("table_exists").wait(TableName=name)
    throughput = client.describe_table(TableName=name)["Table"]["ProvisionedThroughput"]
    assert (throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]) == (7, 8)

    client.update_table(TableName=name, BillingMode="PAY_PER_REQUEST")
    table = client.describe_table(TableName=name)["Table"]
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"


def test_an_index_added_later_holds_the_items_that_were_there(client, resource, name):
    table = resource.Table(name)
    table.put_item(Item={"pk": "USER#1", "sk": "METADATA", "email": "john@example.com"})
    client.update_table(
        TableName=name,
        AttributeDefinitions=strings("email"),
        GlobalSecondaryIndexUpdates=[{"Create": index("by-email", "email")}],
    )
    wait_for_indexes(client, name, ["by-email"])
    found = table.query(
        IndexName="by-email",
        KeyConditionExpression="email = :email",
        ExpressionAttributeValues={":email": "john@example.com"},
    )
    assert [item["pk"] for item in found["Items"]] == ["USER#1"]

    client.update_table(
        TableName=name,
        GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by-email"}}],
    )
    wait_for_indexes(client, name, [])


def wait_for_indexes(client, name, expected):
    """AWS has no waiter for indexes; every program asks until they are active."""
    for _ in range(1000):
        indexes = client.describe_table(TableName=name)["Table"].get("GlobalSecondaryIndexes", [])
        names = [index["IndexName"] for index in indexes]
        if names == expected and all(index["IndexStatus"] == "ACTIVE" for index in indexes):
            return
    pytest.fail(f"the indexes of {name} are still {indexes}")


def test_a_protected_table_is_not_deleted(client, create_table):
    name = create_table(DeletionProtectionEnabled=True)
    with pytest.raises(client.exceptions.ClientError) as refused:
        client.delete_table(TableName=name)
    assert refused.value.response["Error"]["Code"] == "ValidationException"

    client.update_table(TableName=name, DeletionProtectionEnabled=False)
    client.delete_table(TableName=name)


def test_the_waiters_see_tables_come_and_go(client, name):
    client.get_waiter("table_exists").wait(TableName=name)
    description = client.delete_table(TableName=name)["TableDescription"]
    assert description["TableStatus"] == "DELETING"
    client.get_waiter("table_not_exists").wait(TableName=name)

    with pytest.raises(WaiterError):
        client.get_waiter("table_exists").wait(
            TableName=name, WaiterConfig={"Delay": 0, "MaxAttempts": 2}
        )


def test_tables_are_listed_page_by_page(client, create_table):
    names = [create_table() for _ in range(5)]
    pages = list(client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2}))
    listed = [name for page in pages for name in page["TableNames"]]
    assert set(names) <= set(listed)
    assert len(listed) == len(set(listed))
    assert all(len(page["TableNames"]) <= 2 for page in pages)

    after = client.list_tables(ExclusiveStartTableName=listed[0], Limit=1)
    assert after["TableNames"] == [listed[1]]


def test_the_resource_lists_loads_and_deletes_tables(resource):
    table = resource.create_table(
        TableName="through-the-resource",
        KeySchema=keys("id"),
        AttributeDefinitions=strings("id"),
        BillingMode="PAY_PER_REQUEST",
    )
    table.wait_until_exists()
    assert table.key_schema == keys("id")
    assert table.item_count == 0
    assert table.name in [table.name for table in resource.tables.all()]
    table.load()
    assert table.table_status == "ACTIVE"
    table.delete()
    table.wait_until_not_exists()
    assert table.name not in [table.name for table in resource.tables.all()]


def test_the_same_table_is_not_created_twice(client, name):
    with pytest.raises(client.exceptions.ResourceInUseException) as refused:
        client.create_table(
            TableName=name,
            KeySchema=keys("pk"),
            AttributeDefinitions=strings("pk"),
            BillingMode="PAY_PER_REQUEST",
        )
    assert name in refused.value.response["Error"]["Message"]


@pytest.mark.parametrize("operation", ["describe_table", "delete_table"])
def test_a_table_that_is_not_there_is_not_found(client, operation):
    with pytest.raises(client.exceptions.ResourceNotFoundException) as refused:
        getattr(client, operation)(TableName="nowhere")
    error = refused.value.response["Error"]
    assert error["Message"] == "Requested resource not found: Table: nowhere not found"


def test_a_key_without_a_definition_is_refused(client):
    with pytest.raises(client.exceptions.ClientError) as refused:
        client.create_table(
            TableName="never",
            KeySchema=keys("pk", "sk"),
            AttributeDefinitions=strings("pk"),
            BillingMode="PAY_PER_REQUEST",
        )
    assert refused.value.response["Error"]["Code"] == "ValidationException"


def test_the_limits_of_the_account_are_told(client):
    limits = client.describe_limits()
    for name in ("Account", "Table"):
        for kind in ("Read", "Write"):
            assert limits[f"{name}Max{kind}CapacityUnits"] > 0


def test_the_endpoint_tells_its_own_address(client):
    [endpoint] = client.describe_endpoints()["Endpoints"]
    assert client.meta.endpoint_url == f"http://{endpoint['Address']}"
    assert endpoint["CachePeriodInMinutes"] > 0


def test_settings_of_production_tables_are_kept(client, create_table):
    name = create_table(
        SSESpecification={"Enabled": True},
        OnDemandThroughput={"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 5},
        WarmThroughput={"ReadUnitsPerSecond": 15000, "WriteUnitsPerSecond": 5000},
    )
    table = client.describe_table(TableName=name)["Table"]
    assert table["SSEDescription"]["Status"] == "ENABLED"
    assert table["SSEDescription"]["KMSMasterKeyArn"].startswith("arn:aws:kms:")
    assert table["OnDemandThroughput"] == {"MaxReadRequestUnits": 10, "MaxWriteRequestUnits": 5}
    assert table["WarmThroughput"]["ReadUnitsPerSecond"] == 15000

    client.update_contributor_insights(TableName=name, ContributorInsightsAction="ENABLE")
    insights = client.describe_contributor_insights(TableName=name)
    assert insights["ContributorInsightsStatus"] == "ENABLED"
    client.update_contributor_insights(TableName=name, ContributorInsightsAction="DISABLE")


def test_a_resource_policy_is_kept_with_its_revision(client, name):
    arn = client.describe_table(TableName=name)["Table"]["TableArn"]
    statement = {"Effect": "Allow", "Principal": "*", "Action": "dynamodb:GetItem", "Resource": arn}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    revision = client.put_resource_policy(ResourceArn=arn, Policy=policy)["RevisionId"]
    kept = client.get_resource_policy(ResourceArn=arn)
    assert (kept["Policy"], kept["RevisionId"]) == (policy, revision)
    with pytest.raises(client.exceptions.PolicyNotFoundException):
        client.delete_resource_policy(ResourceArn=arn, ExpectedRevisionId="1")
    client.delete_resource_policy(ResourceArn=arn, ExpectedRevisionId=revision)
    with pytest.raises(client.exceptions.PolicyNotFoundException):
        client.get_resource_policy(ResourceArn=arn)
