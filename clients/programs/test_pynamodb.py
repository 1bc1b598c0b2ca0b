"""PynamoDB: models, indexes, conditions, batches and transactions."""

import pytest
from pynamodb.attributes import (
    BinaryAttribute,
    JSONAttribute,
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
    UTCDateTimeAttribute,
    VersionAttribute,
)
from pynamodb.connection import Connection
from pynamodb.exceptions import DoesNotExist, PutError, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite


class ByCity(GlobalSecondaryIndex):
    class Meta:
        index_name = "by-city"
        projection = AllProjection()
        billing_mode = "PAY_PER_REQUEST"

    city = UnicodeAttribute(hash_key=True)
    wins = NumberAttribute(range_key=True)


class Address(MapAttribute):
    street = UnicodeAttribute()
    number = NumberAttribute(null=True)


class Team(Model):
    class Meta:
        table_name = "pynamodb-teams"
        billing_mode = "PAY_PER_REQUEST"

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    city = UnicodeAttribute(default="Seattle")
    wins = NumberAttribute(default=0)
    tags = UnicodeSetAttribute(null=True)
    address = Address(null=True)
    history = ListAttribute(null=True)
    logo = BinaryAttribute(null=True, legacy_encoding=False)
    extra = JSONAttribute(null=True)
    founded = UTCDateTimeAttribute(null=True)
    by_city = ByCity()


class Versioned(Model):
    class Meta:
        table_name = "pynamodb-versioned"
        billing_mode = "PAY_PER_REQUEST"

    pk = UnicodeAttribute(hash_key=True)
    version = VersionAttribute()


@pytest.fixture(autouse=True)
def tables():
    for model in (Team, Versioned):
        model.create_table(wait=True)
    yield
    for model in (Team, Versioned):
        model.delete_table()


def test_a_model_is_saved_and_read():
    team = Team(
        "TEAM#1",
        "METADATA",
        tags={"a", "b"},
        address=Address(street="Main", number=5),
        history=["one", 2, {"three": [3]}],
        logo=b"\x00\xff",
        extra={"any": ["thing"]},
    )
    team.save(condition=Team.pk.does_not_exist())
    found = Team.get("TEAM#1", "METADATA", consistent_read=True)
    assert found.serialize() == team.serialize()
    assert found.address.number == 5
    assert found.logo == b"\x00\xff"
    with pytest.raises(PutError) as refused:
        team.save(condition=Team.pk.does_not_exist())
    assert refused.value.cause_response_code == "ConditionalCheckFailedException"


def test_a_model_is_updated_and_deleted():
    team = Team("TEAM#1", "METADATA", tags={"a"})
    team.save()
    team.update(
        actions=[Team.wins.add(3), Team.tags.add({"b"}), Team.city.set("Portland")],
        condition=Team.wins == 0,
    )
    assert (team.wins, team.tags, team.city) == (3, {"a", "b"}, "Portland")
    with pytest.raises(UpdateError):
        team.update(actions=[Team.wins.set(0)], condition=Team.wins > 5)
    team.delete()
    with pytest.raises(DoesNotExist):
        Team.get("TEAM#1", "METADATA")


def test_queries_and_scans_bring_models():
    with Team.batch_write() as batch:
        for number in range(40):
            city = "Seattle" if number % 4 == 0 else "Portland"
            batch.save(Team("LEAGUE", f"{number:03}", wins=number, city=city))
    assert Team.count("LEAGUE") == 40
    found = Team.query("LEAGUE", Team.sk.startswith("01"), filter_condition=Team.wins > 12)
    assert [team.wins for team in found] == list(range(13, 20))
    paged = Team.query("LEAGUE", page_size=7, scan_index_forward=False)
    assert [team.sk for team in paged][0] == "039"
    seattle = Team.by_city.query("Seattle", Team.wins >= 30)
    assert [team.wins for team in seattle] == [32, 36]
    assert len(list(Team.scan(Team.city == "Seattle", page_size=9))) == 10
    keys = [("LEAGUE", f"{number:03}") for number in range(5)]
    assert len(list(Team.batch_get(keys))) == 5


def test_transactions_are_all_or_nothing():
    connection = Connection()
    with TransactWrite(connection=connection) as transaction:
        transaction.save(Team("A", "1", wins=1))
        transaction.save(Team("B", "1", wins=2))
    with TransactGet(connection=connection) as transaction:
        first = transaction.get(Team, "A", "1")
        second = transaction.get(Team, "B", "1")
    assert (first.get().wins, second.get().wins) == (1, 2)

    with pytest.raises(TransactWriteError) as cancelled:
        with TransactWrite(connection=connection) as transaction:
            transaction.delete(Team("A", "1"))
            transaction.save(Team("B", "1"), condition=Team.pk.does_not_exist())
    codes = [reason and reason.code for reason in cancelled.value.cancellation_reasons]
    assert codes == [None, "ConditionalCheckFailed"]
    assert Team.get("A", "1").wins == 1


def test_a_version_keeps_writers_apart():
    Versioned("a").save()
    first, second = Versioned.get("a"), Versioned.get("a")
    first.save()
    assert first.version == 2
    with pytest.raises(PutError):
        second.save()
