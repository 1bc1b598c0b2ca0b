"""CodeKurukshetra over one table with the snippets of its design document, which run as they were written: they find
what the service wrote, and the service finds what they write."""

import itertools
import os
import time
from pathlib import Path

import pytest
import requests
from seeds.codekurukshetra.main_table import MainTable
from seeds.snippet import Snippets

SERVICE = f"{os.environ['AWS_ENDPOINT_URL']}/codekurukshetra/hackathon"
ADMIN = {"X-User-Id": "program", "X-User-Roles": "admin"}
snippets = Snippets(Path(__file__).parents[1] / "seeds" / "codekurukshetra" / "snippets")
numbers = itertools.count(1)


@pytest.fixture
def dynamodb(resource):
    return MainTable(resource.Table("codekurukshetra_main"))


def ask(method, path, headers, body=None):
    """The data of a response that is no refusal."""
    while True:
        response = requests.request(method, SERVICE + path, json=body, headers=headers, timeout=10)
        if response.status_code != 429:
            assert response.ok, (path, response.text)
            return response.json()["data"] if response.text else None
        time.sleep(float(response.headers["Retry-After"]))


def person(name, email):
    return {
        "first_name": "Nel",
        "last_name": "Iyer",
        "email": email,
        "phone": "9876543210",
        "college": "Example University",
        "year": "3rd Year",
        "is_leader": name == "leader",
    }


@pytest.fixture
def team():
    """A team of two that has just registered, for the track of the document's query."""
    number = f"{os.getpid()}-{next(numbers)}"
    leader = f"leader-{number}@example.org"
    body = {
        "name": f"Team {number}",
        "track": "ai-ml",
        "members": [person("leader", leader), person("other", f"other-{number}@example.org")],
    }
    headers = {"X-User-Id": f"leader-{number}", "X-User-Email": leader}
    registered = ask("POST", "/register/team", headers, body)
    yield registered
    ask("DELETE", f"/team/{registered['team_id']}", ADMIN)


def listed(query):
    """The teams that the service lists, by their own keys and by their facets."""
    found = []
    for index in ("rows", "facets"):
        page = ask("GET", f"/admin/registrations?limit=100&index={index}&{query}", ADMIN)
        found.append({row["team_id"] for row in page["registrations"]})
    assert found[0] == found[1]
    return found[0]


def ids(response):
    return {item["team_id"] for item in response["Items"]}


def test_paid_teams_and_those_of_a_track_are_found(dynamodb, team):
    paid = listed("payment_status=paid")
    assert paid, "there are paid teams in the sample data"
    assert ids(snippets.run("paid_teams", dynamodb=dynamodb)["response"]) == paid
    of_track = ids(snippets.run("teams_of_a_track", dynamodb=dynamodb)["response"])
    assert team["team_id"] in of_track
    assert of_track == listed("track=ai-ml")


def test_a_team_is_read_with_its_members(dynamodb, team):
    found = snippets.run("team_with_members", dynamodb=dynamodb, team_id=team["team_id"])
    stored = found["team"]["Item"]
    shown = ask("GET", f"/team/{team['team_id']}", ADMIN)
    assert (stored["name"], stored["track"]) == (shown["name"], "ai-ml")
    assert stored["member_count"] == 2
    members = {item["participant_id"] for item in found["members"]["Items"]}
    assert members == set(team["member_ids"])


def test_an_email_is_looked_up_before_registration(dynamodb):
    assert snippets.run("email_exists", dynamodb=dynamodb)["response"]["Items"] == []
    leader = "user@example.com"
    body = {
        "name": f"Team of the user {os.getpid()}",
        "members": [person("leader", leader), person("other", f"friend-{os.getpid()}@example.com")],
    }
    registered = ask("POST", "/register/team", {"X-User-Id": "the-user", "X-User-Email": leader}, body)
    try:
        found = snippets.run("email_exists", dynamodb=dynamodb)["response"]["Items"]
        assert [item["participant_id"] for item in found] == registered["member_ids"][:1]
    finally:
        ask("DELETE", f"/team/{registered['team_id']}", ADMIN)
    assert snippets.run("email_exists", dynamodb=dynamodb)["response"]["Items"] == []


def test_what_the_payment_transaction_leaves_is_found_and_repaired(dynamodb, team):
    """It sets the status of the team, and nothing that follows from it."""
    key = {"PK": f"TEAM#{team['team_id']}", "SK": "PROFILE"}
    payment = {"PK": f"PAYMENT#{team['team_id']}", "SK": "TRANSACTION"}
    snippets.run("payment_transaction", dynamodb=dynamodb, team_id=team["team_id"], payment_id=team["team_id"])
    try:
        assert team["team_id"] not in ids(snippets.run("paid_teams", dynamodb=dynamodb)["response"])
        found = ask("POST", "/admin/check", ADMIN, {})["findings"]
        kinds = {finding["kind"] for finding in found if finding["row"] == key["PK"]}
        assert kinds == {"keys", "states"}
        ask("POST", "/admin/check", ADMIN, {"repair": True})
        assert team["team_id"] in ids(snippets.run("paid_teams", dynamodb=dynamodb)["response"])
        found = ask("POST", "/admin/check", ADMIN, {})["findings"]
        assert {finding["kind"] for finding in found if finding["row"] == key["PK"]} == {"states"}
    finally:
        # No money came.
        dynamodb.update_item(
            Key=key,
            UpdateExpression="SET payment_status = :pending",
            ExpressionAttributeValues={":pending": "pending"},
        )
        dynamodb.delete_item(Key=payment)
        ask("POST", "/admin/check", ADMIN, {"repair": True})


def test_a_team_that_the_document_registers_is_a_team(dynamodb):
    """Its rows have no sort keys for the indexes, which the repair adds."""
    team, member = snippets.item("team"), snippets.item("participant")
    leader = member["participant_id"]
    team["leader_participant_id"], team["member_count"] = leader, 1
    member["team_id"] = team["team_id"]
    rows = {"team_item": team, "member_item": member, "payment_item": snippets.item("payment")}
    register = snippets.run("register_team", dynamodb=dynamodb, **rows)["register_team"]
    register({}, [{}])
    try:
        shown = ask("GET", f"/team/{team['team_id']}", ADMIN)
        assert (shown["name"], shown["payment_status"]) == ("Code Warriors", "paid")
        found = snippets.run("team_with_members", dynamodb=dynamodb, team_id=team["team_id"])
        assert found["members"]["Items"] == [], "the index has no row without a sort key"
        ask("POST", "/admin/check", ADMIN, {"repair": True})
        found = snippets.run("team_with_members", dynamodb=dynamodb, team_id=team["team_id"])
        assert [item["participant_id"] for item in found["members"]["Items"]] == [leader]
        assert team["team_id"] in ids(snippets.run("paid_teams", dynamodb=dynamodb)["response"])
    finally:
        for row in rows.values():
            dynamodb.delete_item(Key={"PK": row["PK"], "SK": row["SK"]})
        for _ in range(2):
            ask("POST", "/admin/check", ADMIN, {"repair": True})
