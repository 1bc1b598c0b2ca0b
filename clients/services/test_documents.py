"""The services against their own OpenAPI documents, by schemathesis: whatever a document allows to be
asked, and what it does not, is answered as the document says.

Every operation is asked by a user of its own, who has a team with something of everything, so that
nobody asks too often and most ids lead somewhere.
"""

import itertools
import os
import random
import time
from collections import Counter

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

SEED = int(os.environ.get("SCHEMATHESIS_SEED", "20260501"))
SERVICE = f"{os.environ['AWS_ENDPOINT_URL']}/hacktracker"
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# Its answer goes on for as long as somebody listens.
EVENTS = "followLive"
schema = schemathesis.openapi.from_url(f"{SERVICE}/openapi.json")
schema.config.generation.update(modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
numbers = itertools.count(1)
session = requests.Session()
statuses = {}


@pytest.fixture(scope="session", autouse=True)
def the_seed():
    print(f"\nschemathesis with SCHEMATHESIS_SEED={SEED}")


class Person:
    """A user with a team that has something of everything."""

    def __init__(self, name):
        self.headers = {
            "X-User-Id": name,
            "X-User-Email": f"{name}@example.org",
            "X-User-Roles": "admin",
        }
        self.ids = {"userId": name}
        self.renew()

    def ask(self, method, path, body=None):
        response = requests.request(method, SERVICE + path, json=body, headers=self.headers, timeout=10)
        assert response.ok, (path, response.text)
        return response.json()

    def renew(self):
        """Makes what a request may have deleted."""
        team = self.ask("POST", "/teams", {"name": "Sluggers"})["teamId"]
        players = [self.add_player(team) for _ in range(2)]
        lineup = {"teamId": team, "lineup": players, "status": "IN_PROGRESS"}
        game = self.ask("POST", "/games", lineup)["gameId"]
        at_bat = {"playerId": players[0], "result": "1B"}
        self.ask("POST", f"/games/{game}/atbats", at_bat)
        share = self.ask("POST", f"/games/{game}/shares")
        invite = self.ask("POST", f"/teams/{team}/invites", {"role": "player"})
        self.ids |= {
            "teamId": team,
            "playerId": self.add_player(team),
            "gameId": game,
            "atBatId": self.ask("POST", f"/games/{game}/atbats", at_bat)["atBatId"],
            "batterId": players[0],
            "inviteId": invite["inviteId"],
            "inviteToken": invite["token"],
            "shareId": share["shareId"],
            "token": share["token"],
        }

    def add_player(self, team):
        return self.ask("POST", f"/teams/{team}/players", {"firstName": "Nel"})["playerId"]


@pytest.fixture
def person():
    return Person(f"tester-{os.getpid()}-{next(numbers)}")


@schema.exclude(operation_id=EVENTS).parametrize()
@seed(SEED)
@settings(
    max_examples=8,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_documented(case, person):
    chance = random.Random(f"{SEED} {case.path_parameters} {case.body}")
    if chance.random() < 0.8:
        known = {name: person.ids[name] for name in case.path_parameters if name in person.ids}
        case.path_parameters = {**case.path_parameters, **known}
    if chance.random() < 0.95:
        # Whoever is known by a header needs none of the tokens that are made up.
        case.headers.pop("Authorization", None)
    response = case.call(headers=person.headers, session=session)
    if response.status_code == 431:
        # The server itself refuses heads of more than 16 KB, before a service sees them.
        assert len(response.request.url) > 15_000
        return
    statuses.setdefault(case.operation.definition.raw["operationId"], Counter())[response.status_code] += 1
    case.validate_response(response, checks=CHECKS)


# A life of a team, request by request: by the owner or by another one, with what is said.
STORY = [
    ("updateUser", "owner", {"firstName": "Ann"}),
    ("updateTeam", "owner", {"description": "Fridays"}),
    ("createSeason", "owner", {"name": "Spring 2026"}),
    ("addPlayers", "owner", {"players": [{"firstName": "Mary Ann", "playerNumber": 12}]}),
    ("updatePlayer", "owner", {"positions": ["SS", "2B"]}),
    ("acceptInvite", "other", lambda ids: {"token": ids["inviteToken"]}),
    ("linkPlayer", "owner", lambda ids: {"userId": ids["otherId"]}),
    ("setAvailability", "other", {"answer": "yes"}),
    ("unlinkPlayer", "other", None),
    ("recordAtBat", "owner", lambda ids: {"playerId": ids["batterId"], "result": "HR", "rbis": 1}),
    ("updateAtBat", "owner", {"result": "2B"}),
    ("deleteAtBat", "owner", None),
    ("undoLastAtBat", "owner", None),
    ("suspendGame", "owner", None),
    ("rescheduleGame", "owner", {"scheduledStart": "2026-06-02T18:30:00Z"}),
    ("updateGame", "owner", {"opponentName": "Night Owls"}),
    ("startGame", "owner", None),
    ("finishGame", "owner", {"teamScore": 5, "opponentScore": 3}),
    ("reopenGame", "owner", None),
    ("finishGame", "owner", None),
    ("shareGame", "owner", None),
    ("revokeShare", "owner", None),
    ("deleteGame", "owner", None),
    ("createGame", "owner", lambda ids: {"teamId": ids["teamId"]}),
    ("removePlayer", "owner", None),
    ("invite", "owner", {"role": "scorekeeper"}),
    ("changeRole", "owner", {"role": "manager"}),
    ("transferTeam", "owner", lambda ids: {"userId": ids["otherId"]}),
    ("removeMember", "owner", None),
    ("deleteTeam", "other", None),
    ("restoreTeam", "other", None),
    ("deleteUser", "owner", None),
]


def operations():
    """The operations of the document by their names."""
    return {
        result.ok().definition.raw["operationId"]: result.ok() for result in schema.get_all_operations()
    }


# Whom a path with a user is about, unless it is the other one.
ABOUT_THE_OWNER = {"updateUser", "removeMember", "deleteUser"}


def test_what_is_done_is_as_documented():
    people = {who: Person(f"{who}-{os.getpid()}") for who in ("owner", "other")}
    owner, other = people["owner"].ids, people["other"].ids
    ids = {**owner, "otherId": other["userId"]}
    known = operations()
    for name, who, said in STORY:
        values = {**ids, "userId": (owner if name in ABOUT_THE_OWNER else other)["userId"]}
        names = [parameter.name for parameter in known[name].path_parameters]
        body = said(ids) if callable(said) else said
        case = known[name].Case(
            path_parameters={name: values[name] for name in names},
            **({} if body is None else {"body": body, "media_type": "application/json"}),
        )
        response = case.call(headers=people[who].headers, session=session)
        while response.status_code == 429:
            time.sleep(float(response.headers["retry-after"][0]))
            response = case.call(headers=people[who].headers, session=session)
        assert response.status_code < 300, (name, response.text)
        case.validate_response(response, checks=CHECKS)
        statuses.setdefault(name, Counter())[response.status_code] += 1


def test_events_are_as_documented():
    person = Person(f"listener-{os.getpid()}")
    path = f"{SERVICE}/games/{person.ids['gameId']}/events"
    with requests.get(path, headers=person.headers, stream=True, timeout=10) as response:
        assert (response.status_code, response.headers["Content-Type"]) == (200, "text/event-stream")
        assert next(response.iter_lines(decode_unicode=True))


def test_every_operation_was_answered_and_done():
    assert set(operations()) - {EVENTS} == set(statuses)
    done = {name for name, counts in statuses.items() if any(status < 300 for status in counts)}
    assert set(statuses) == done
