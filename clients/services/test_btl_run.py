"""btl.run against its own OpenAPI document.

Every operation is asked with matches of its own: a lobby, and a match that is played and has an
alliance. Who asks is who may: the host, a player, the user who is both, or a program.
"""

import itertools
import os
import random
import time
import uuid

import pytest
import requests
from service_document import SEED, Document, few_examples

document = Document("btl-run", "followMatch")
numbers = itertools.count(1)

# Operations that only the player of a tribute may ask for.
OF_PLAYERS = {"submitAction", "readMessages", "sendMessage"}
# Operations that only a user with an identity may ask for.
OF_USERS = {"createMatch", "renewToken", "getProfile", "putProfile", "deleteProfile", "listMyMatches"}
# Operations that need a match which has not begun.
OF_LOBBIES = {"addAi", "joinMatch", "removeTribute", "renewInvite", "startMatch"}
TURNS_OF_A_DAY = 3
CHARMING = {"vitality": 5, "wits": 4, "combat": 2, "stealth": 4, "charm": 10}


def call(method, path, headers, body=None):
    """A request that works, sooner or later: ten may join in a minute from one address."""
    headers = {"Idempotency-Key": str(uuid.uuid4()), **headers}
    while True:
        response = requests.request(method, document.url + path, json=body, headers=headers, timeout=10)
        if response.status_code != 429:
            assert response.ok, (path, response.text)
            return response.json()
        time.sleep(float(response.headers["Retry-After"]))


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class Person:
    """A user who hosts a match, and may play in it."""

    def __init__(self, name):
        self.headers = {"user": {"X-User-Id": name, "X-User-Roles": "kv:admin"}, "nobody": {}}
        created = call("POST", "/match", self.headers["user"], {"mode": "quick", "aiCount": 12})
        self.headers["host"] = bearer(created["adminToken"])
        self.ids = {
            "id": created["matchId"],
            "code": created["inviteCode"],
            "tributeId": created["match"]["roster"][0]["id"],
            "day": "1",
            "pk": name,
            "sk": "theme",
            "key": name,
        }

    def join(self):
        body = {"code": self.ids["code"], "name": "Nel", "stats": CHARMING}
        joined = call("POST", f"/match/{self.ids['id']}/join", self.headers["user"], body)
        self.headers["player"] = bearer(joined["playerToken"])
        self.ids["playedId"] = joined["tributeId"]

    def as_host(self, what, body):
        return call("POST", f"/match/{self.ids['id']}/{what}", self.headers["host"], body)

    def has_found_allies(self):
        """Whether somebody agrees to an alliance before the player's tribute dies."""
        path = f"/match/{self.ids['id']}"
        while True:
            match = call("GET", path, self.headers["player"])
            own = next(one for one in match["roster"] if one["id"] == self.ids["playedId"])
            if own["allianceId"] or not own["alive"]:
                return own["alive"]
            body = {"turnId": match["turnId"], "action": "seek_alliance"}
            call("POST", f"{path}/action", self.headers["player"], body)

    def who(self, operation):
        """Who may ask for an operation."""
        if operation in OF_PLAYERS:
            return self.headers["player"]
        if operation in OF_USERS or "Value" in operation:
            return self.headers["user"]
        return self.headers["host"]


def name_of(case):
    return case.operation.definition.raw["operationId"]


@pytest.fixture
def people():
    """Whoever asks for an operation, by its name."""
    return {}


def prepared(operation, is_of_match):
    person = Person(f"tester-{os.getpid()}-{next(numbers)}")
    if operation in OF_PLAYERS:
        person.join()
    if is_of_match and operation not in OF_LOBBIES:
        person.as_host("start", {})
        for turn in range(1, TURNS_OF_A_DAY + 1):
            person.as_host("advance", {"turnId": f"d1t{turn}", "force": True})
    return person


@document.parametrize()
@few_examples
def test_answers_are_as_documented(case, people):
    name = name_of(case)
    if name not in people:
        people[name] = prepared(name, is_of_match="{id}" in case.path)
    person = people[name]
    chance = random.Random(f"{SEED} {case.path_parameters} {case.body}")
    if chance.random() < 0.8:
        known = {name: person.ids[name] for name in case.path_parameters if name in person.ids}
        case.path_parameters = {**case.path_parameters, **known}
    if chance.random() < 0.8 and "Idempotency-Key" in case.headers:
        # Keys that are made up are short, and were used before.
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if chance.random() < 0.9:
        case.headers.pop("Authorization", None)
        case.headers.update(person.who(name))
    document.check(case, document.call(case, {}))


# A match, request by request: by whom, with what is said.
STORY = [
    ("health", "nobody", None),
    ("ready", "nobody", None),
    ("createMatch", "user", {"mode": "quick", "aiCount": 12}),
    ("getInvite", "nobody", None),
    ("joinMatch", "nobody", lambda ids: {"code": ids["code"], "name": "Ann"}),
    ("addAi", "host", {}),
    ("removeTribute", "host", None),
    ("renewInvite", "host", {}),
    ("renewToken", "user", {"role": "host"}),
    ("startMatch", "host", {}),
    ("changeRules", "host", {"sponsors": True}),
    ("announce", "host", {"text": "The river rises."}),
    ("inject", "host", {"kind": "weather", "weather": "thick fog"}),
    ("advance", "host", {"turnId": "d1t1", "force": True}),
    ("advance", "host", {"turnId": "d1t2", "force": True}),
    ("advance", "host", {"turnId": "d1t3", "force": True}),
    ("getMatch", "nobody", None),
    ("readLog", "nobody", None),
    ("listSummaries", "nobody", None),
    ("readSummary", "nobody", None),
    ("endMatch", "host", {}),
    ("pinMatch", "host", {"pinned": True}),
    ("getRecap", "nobody", None),
    ("verifyMatch", "nobody", None),
    ("exportMatch", "nobody", {"format": "markdown"}),
    ("createValue", "user", {"tone": "light"}),
    ("putValue", "user", {"tone": "dark"}),
    ("mergeValue", "user", {"arena": "the old forest"}),
    ("getValue", "user", None),
    ("listValues", "user", None),
    ("deleteValue", "user", None),
    ("createValueOfOne", "user", {"tone": "light"}),
    ("putValueOfOne", "user", {"tone": "dark"}),
    ("mergeValueOfOne", "user", {"arena": "the old forest"}),
    ("getValueOfOne", "user", None),
    ("deleteValueOfOne", "user", None),
    ("putProfile", "user", {"displayName": "Zoë"}),
    ("getProfile", "user", None),
    ("listMyMatches", "user", None),
    ("deleteProfile", "user", None),
]
# What a player of a match with an alliance does.
STORY_OF_ALLIES = [
    ("sendMessage", "player", {"text": "Meet me at the mill."}),
    ("readMessages", "player", None),
    ("submitAction", "player", lambda ids: {"turnId": ids["turnId"], "action": "hide"}),
]


def tell(story, person):
    known = document.operations()
    for name, who, said in story:
        body = said(person.ids) if callable(said) else said
        takes_key = any(part.name == "Idempotency-Key" for part in known[name].headers)
        key = {"Idempotency-Key": str(uuid.uuid4())} if takes_key else {}
        case = known[name].Case(
            path_parameters={part.name: person.ids[part.name] for part in known[name].path_parameters},
            headers={**key, **person.headers[who]},
            **({} if body is None else {"body": body, "media_type": "application/json"}),
        )
        response = document.call(case, {})
        while response.status_code == 429:
            time.sleep(float(response.headers["retry-after"][0]))
            response = document.call(case, {})
        assert response.status_code < 300, (name, response.text)
        document.check(case, response)
        if name == "renewToken":
            person.headers["host"] = bearer(response.json()["adminToken"])


def test_what_is_done_is_as_documented():
    tell(STORY, Person(f"host-{os.getpid()}"))


def test_what_allies_do_is_as_documented():
    while True:
        person = Person(f"ally-{os.getpid()}-{next(numbers)}")
        person.join()
        person.as_host("start", {})
        if person.has_found_allies():
            break
    person.ids["turnId"] = call("GET", f"/match/{person.ids['id']}", {})["turnId"]
    tell(STORY_OF_ALLIES, person)


def test_events_are_as_documented():
    person = Person(f"listener-{os.getpid()}")
    document.check_events(f"/match/{person.ids['id']}/stream", {})


def test_every_operation_was_answered_and_done():
    document.check_everything_was_done()
