"""CodeKurukshetra: its snippets, on the table that its own setup script creates.

The snippets call `dynamodb` what boto3 calls a table, and write transactions as a context manager,
which boto3 does not have. `MainTable` is what they leave undefined.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from seeds.codekurukshetra.main_table import MainTable
from seeds.snippet import Snippets
from table_definition import index, keys, strings

snippets = Snippets(__file__)
NAME = "codekurukshetra_main"


@pytest.fixture
def dynamodb(client, resource):
    """The table as the document's own setup script makes it."""

    def create_table(name):
        client.create_table(
            TableName=name,
            KeySchema=keys("PK", "SK"),
            AttributeDefinitions=strings("PK", "SK"),
            BillingMode="PAY_PER_REQUEST",
        )

    def create_gsi(name, partition, sort):
        client.update_table(
            TableName=NAME,
            AttributeDefinitions=strings(partition, sort),
            GlobalSecondaryIndexUpdates=[{"Create": index(name, partition, sort)}],
        )
        client.get_waiter("table_exists").wait(TableName=NAME)

    def seed_config_data():
        resource.Table(NAME).put_item(Item=snippets.item("config"))

    alarms = []
    script = snippets.run(
        "setup_database",
        create_table=create_table,
        create_gsi=create_gsi,
        seed_config_data=seed_config_data,
        setup_cloudwatch_alarms=lambda: alarms.append("not DynamoDB's"),
    )
    script["setup_database"]()
    assert alarms
    yield MainTable(resource.Table(NAME))
    client.delete_table(TableName=NAME)


def stored(dynamodb, example, **more):
    """Stores an example. The examples lack the sort keys that the indexes of the script need."""
    item = {**snippets.item(example), **more}
    for number in (1, 2, 3):
        item.setdefault(f"GSI{number}SK", item["PK"])
    dynamodb.put_item(Item=item)
    return item


def test_the_setup_script_makes_the_table_with_its_indexes(client, dynamodb):
    table = client.describe_table(TableName=NAME)["Table"]
    names = [index["IndexName"] for index in table["GlobalSecondaryIndexes"]]
    assert sorted(names) == ["GSI1", "GSI2", "GSI3"]
    config = dynamodb.get_item(Key={"PK": "CONFIG", "SK": "HACKATHON"})["Item"]
    assert config == snippets.item("config")


def test_an_email_is_looked_up_before_registration(dynamodb):
    assert snippets.run("email_exists", dynamodb=dynamodb)["response"]["Items"] == []
    participant = stored(dynamodb, "participant", GSI1PK="EMAIL#user@example.com")
    found = snippets.run("email_exists", dynamodb=dynamodb)
    assert found["response"]["Items"] == [participant]


def test_a_participant_is_created(dynamodb):
    snippets.run("create_participant", dynamodb=dynamodb, participant_id="1", email="a@example.com")
    key = {"PK": "PARTICIPANT#1", "SK": "PROFILE"}
    item = dynamodb.get_item(Key=key)["Item"]
    assert item == {**key, "GSI1PK": "EMAIL#a@example.com"}


def test_a_team_is_read_with_its_members(dynamodb):
    team = stored(dynamodb, "team")
    member = stored(dynamodb, "participant", GSI2PK="TEAM#team-uuid-here")
    found = snippets.run("team_with_members", dynamodb=dynamodb, team_id="team-uuid-here")
    assert found["team"]["Item"] == team
    assert found["members"]["Items"] == [member]


def test_team_and_payment_change_in_one_transaction(dynamodb):
    stored(dynamodb, "team", payment_status="pending")
    snippets.run("payment_transaction", dynamodb=dynamodb, team_id="team-uuid-here", payment_id="7")
    team = dynamodb.get_item(Key={"PK": "TEAM#team-uuid-here", "SK": "PROFILE"})["Item"]
    assert team["payment_status"] == "paid"
    assert "Item" in dynamodb.get_item(Key={"PK": "PAYMENT#7", "SK": "TRANSACTION"})


def test_teams_are_listed_by_payment_and_by_track(dynamodb):
    paid = stored(dynamodb, "team", PK="TEAM#1", GSI3PK="PAYMENT_STATUS#paid")
    track = stored(dynamodb, "team", PK="TEAM#2", GSI3PK="TRACK#ai-ml")
    assert snippets.run("paid_teams", dynamodb=dynamodb)["response"]["Items"] == [paid]
    assert snippets.run("teams_of_a_track", dynamodb=dynamodb)["response"]["Items"] == [track]


def test_a_team_registers_as_a_whole(dynamodb):
    items = {
        "team_item": snippets.item("team"),
        "member_item": snippets.item("participant"),
        "payment_item": snippets.item("payment"),
    }
    register = snippets.run("register_team", dynamodb=dynamodb, **items)["register_team"]
    register({}, [{}])
    assert dynamodb.scan()["Count"] == 4  # With the configuration.

    with pytest.raises(dynamodb.meta.client.exceptions.TransactionCanceledException) as cancelled:
        register({}, [{}])
    reasons = cancelled.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == [
        "ConditionalCheckFailed",
        "ConditionalCheckFailed",
        "None",
    ]


def test_the_same_member_twice_is_refused(dynamodb):
    """As written, the loop of the document puts one and the same item for every member."""
    item = snippets.item("participant")
    register = snippets.run(
        "register_team",
        dynamodb=dynamodb,
        team_item=snippets.item("team"),
        member_item=item,
        payment_item=snippets.item("payment"),
    )["register_team"]
    with pytest.raises(dynamodb.meta.client.exceptions.ClientError) as refused:
        register({}, [{}, {}])
    assert refused.value.response["Error"]["Message"] == (
        "Transaction request cannot include multiple operations on one item"
    )


def test_the_backup_command_does_not_exist(client):
    """AWS's command line has no `put-backup-policy`, so that nothing is ever sent."""
    script = Path(__file__).with_name("backup_policy.sh").read_text()
    aws = f"{sys.executable} -m awscli"
    ran = subprocess.run(
        ["sh", "-c", f'aws() {{ {aws} "$@"; }}\n{script}'], capture_output=True, text=True
    )
    assert ran.returncode != 0
    assert "Invalid choice" in ran.stderr
