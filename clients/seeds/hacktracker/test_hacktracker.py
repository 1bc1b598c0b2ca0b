"""HackTracker: its snippets, with its own example items, on a table with its five indexes."""

from datetime import datetime, timezone

import pytest
from boto3.dynamodb.conditions import Key
from seeds.snippet import Snippets
from table_definition import index, keys, strings

snippets = Snippets(__file__)
TEAM_ID = "a6f27724-7042-4816-94d3-a2183ef50a09"
COGNITO_SUB = "12345678-1234-1234-1234-123456789012"


@pytest.fixture
def table(create_table, resource):
    indexed = [f"GSI{number}{part}" for number in range(1, 6) for part in ("PK", "SK")]
    name = create_table(
        KeySchema=keys("PK", "SK"),
        AttributeDefinitions=strings("PK", "SK", *indexed),
        GlobalSecondaryIndexes=[
            index(f"GSI{number}", f"GSI{number}PK", f"GSI{number}SK") for number in range(1, 6)
        ],
    )
    return resource.Table(name)


@pytest.fixture
def examples(table):
    """The example items of the document, all stored."""
    items = {name: snippets.item(name) for name in ("user", "team", "membership", "player", "game")}
    for item in items.values():
        table.put_item(Item=item)
    return items


def test_a_user_is_found_by_cognito_sub(table, examples):
    found = snippets.run("user_by_cognito_sub", table=table, cognito_sub=COGNITO_SUB)
    assert found["response"]["Items"] == [examples["user"]]


def test_the_entities_of_a_type_are_listed(table, examples):
    found = snippets.run("entities_of_a_type", table=table)
    assert found["response"]["Items"] == [examples["team"]]


def test_the_games_of_a_team_are_listed(table, examples):
    found = snippets.run("games_of_a_team", table=table, team_id=TEAM_ID)
    assert found["response"]["Items"] == [examples["game"]]


def test_the_roster_is_read_from_the_partition_of_the_team(table, examples):
    class Recorder:
        answers = []

        def query(self, **parameters):
            self.answers.append(table.query(**parameters)["Items"])

    snippets.run("roster_and_games", table=Recorder(), team_id=TEAM_ID)
    assert Recorder.answers == [[examples["player"]], [examples["game"]]]


def test_a_conditional_put_succeeds_once(table):
    item = snippets.item("team")
    snippets.run("conditional_put", table=table, item=item)
    with pytest.raises(table.meta.client.exceptions.ConditionalCheckFailedException):
        snippets.run("conditional_put", table=table, item=item)


def test_team_and_membership_are_created_together_or_not_at_all(table):
    names = {
        "table": table,
        "table_name": table.name,
        "team_item": snippets.item("team"),
        "membership_item": snippets.item("membership"),
    }
    snippets.run("transaction", **names)
    assert table.scan()["Count"] == 2

    table.delete_item(Key={key: names["team_item"][key] for key in ("PK", "SK")})
    with pytest.raises(table.meta.client.exceptions.TransactionCanceledException) as cancelled:
        snippets.run("transaction", **names)
    reasons = cancelled.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "ConditionalCheckFailed"]
    assert table.scan()["Count"] == 1


def test_the_timestamp_of_a_change_is_stored(table):
    item = snippets.item("player")
    snippets.run("timestamp", item=item, datetime=datetime, timezone=timezone)
    table.put_item(Item=item)
    stored = table.get_item(Key={"PK": item["PK"], "SK": item["SK"]})["Item"]
    assert stored["updatedAt"] == item["updatedAt"] != snippets.item("player")["updatedAt"]


def test_the_next_page_begins_where_the_first_ended(table):
    with table.batch_writer() as batch:
        for number in range(70):
            batch.put_item(Item={"PK": f"TEAM#{TEAM_ID}", "SK": f"PLAYER#{number:03}"})

    class RosterOfTheTeam:
        """The document writes '...' for the condition."""

        def query(self, **parameters):
            parameters["KeyConditionExpression"] = Key("PK").eq(f"TEAM#{TEAM_ID}")
            return table.query(**parameters)

    found = snippets.run("pages", table=RosterOfTheTeam())
    assert found["response"]["Count"] == 50
    assert found["next_response"]["Count"] == 20
    assert found["next_response"]["Items"][0]["SK"] == "PLAYER#050"
