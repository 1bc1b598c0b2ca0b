"""HackTracker against its own OpenAPI document.

Every operation is asked by a user of its own, who has a team with something of everything, so that
nobody asks too often and most ids lead somewhere.
"""

import itertools
import os
import random
import time

import pytest
import requests
from service_document import SEED, Document, few_examples

document = Document("hacktracker", "followLive", "followShared")
numbers = itertools.count(1)


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
        response = requests.request(method, document.url + path, json=body, headers=self.headers, timeout=10)
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


@document.parametrize()
@few_examples
def test_answers_are_as_documented(case, person):
    chance = random.Random(f"{SEED} {case.path_parameters} {case.body}")
    if chance.random() < 0.8:
        known = {name: person.ids[name] for name in case.path_parameters if name in person.ids}
        case.path_parameters = {**case.path_parameters, **known}
    if chance.random() < 0.95:
        # Whoever is known by a header needs none of the tokens that are made up.
        case.headers.pop("Authorization", None)
    document.check(case, document.call(case, person.headers))


# A life of a team, request by request: by the owner or by another one, with what is said.
STORY = [
    ("createTeam", "owner", {"name": "Fridays"}),
    ("addPlayer", "owner", {"firstName": "Zoe"}),
    ("endInning", "owner", None),
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
    ("revokeInvite", "owner", None),
    ("changeRole", "owner", {"role": "manager"}),
    ("transferTeam", "owner", lambda ids: {"userId": ids["otherId"]}),
    ("removeMember", "owner", None),
    ("deleteTeam", "other", None),
    ("restoreTeam", "other", None),
    ("deleteUser", "owner", None),
]


# Whom a path with a user is about, unless it is the other one.
ABOUT_THE_OWNER = {"updateUser", "removeMember", "deleteUser", "getUser", "getCareer", "exportUser"}


def test_what_is_done_is_as_documented():
    people = {who: Person(f"{who}-{os.getpid()}") for who in ("owner", "other")}
    owner, other = people["owner"].ids, people["other"].ids
    ids = {**owner, "otherId": other["userId"]}
    known = document.operations()
    reads = [name for name, operation in known.items() if operation.method == "get"]
    reads = [(name, "owner", None) for name in reads if name not in document.events]
    for name, who, said in reads + STORY:
        values = {**ids, "userId": (owner if name in ABOUT_THE_OWNER else other)["userId"]}
        names = [parameter.name for parameter in known[name].path_parameters]
        body = said(ids) if callable(said) else said
        case = known[name].Case(
            path_parameters={name: values[name] for name in names},
            **({} if body is None else {"body": body, "media_type": "application/json"}),
        )
        response = document.call(case, people[who].headers)
        while response.status_code == 429:
            time.sleep(float(response.headers["retry-after"][0]))
            response = document.call(case, people[who].headers)
        assert response.status_code < 300, (name, response.text)
        document.check(case, response)
        if name == "invite":
            ids["inviteId"] = response.json()["inviteId"]


def test_events_are_as_documented():
    person = Person(f"listener-{os.getpid()}")
    document.check_events(f"/games/{person.ids['gameId']}/events", person.headers)
    document.check_events(f"/share/{person.ids['token']}/events", {})


def test_every_operation_was_answered_and_done():
    document.check_everything_was_done()
