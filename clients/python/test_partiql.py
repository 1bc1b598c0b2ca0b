"""PartiQL through boto3: statements alone, in batches and in transactions."""

import pytest
from botocore.exceptions import ClientError
from table_definition import index, strings


@pytest.fixture
def teams(client, create_table):
    """A table with three teams and an index by city."""
    name = create_table(
        AttributeDefinitions=strings("pk", "sk", "city"),
        GlobalSecondaryIndexes=[index("by-city", "city", "sk")],
    )
    for number, city in enumerate(("Seattle", "Portland", "Seattle")):
        client.execute_statement(
            Statement=f"INSERT INTO \"{name}\" VALUE {{'pk': ?, 'sk': 'METADATA', 'city': ?, "
            f"'wins': {number}, 'tags': <<'a', 'b'>>, 'list': [1, 2], 'map': {{'x': true}}}}",
            Parameters=[{"S": f"TEAM#{number}"}, {"S": city}],
        )
    return name


def execute(client, statement, *parameters, **more):
    if parameters:
        more["Parameters"] = list(parameters)
    return client.execute_statement(Statement=statement, **more).get("Items", [])


def test_an_inserted_item_is_a_whole_document(client, teams):
    [item] = execute(
        client,
        f"SELECT * FROM \"{teams}\" WHERE pk = ? AND sk = 'METADATA'",
        {"S": "TEAM#1"},
    )
    assert item == {
        "pk": {"S": "TEAM#1"},
        "sk": {"S": "METADATA"},
        "city": {"S": "Portland"},
        "wins": {"N": "1"},
        "tags": {"SS": ["a", "b"]},
        "list": {"L": [{"N": "1"}, {"N": "2"}]},
        "map": {"M": {"x": {"BOOL": True}}},
    }


def test_a_select_projects_filters_and_uses_indexes(client, teams):
    items = execute(
        client,
        f'SELECT pk, "map".x FROM "{teams}"."by-city" WHERE city = ? AND wins > ?',
        {"S": "Seattle"},
        {"N": "0"},
    )
    assert items == [{"pk": {"S": "TEAM#2"}, "x": {"BOOL": True}}]
    assert len(execute(client, f"SELECT * FROM \"{teams}\" WHERE begins_with(city, 'P')")) == 1
    assert len(execute(client, f'SELECT * FROM "{teams}" WHERE wins IN [0, 2]')) == 2
    assert len(execute(client, f'SELECT * FROM "{teams}"')) == 3


def test_pages_of_statements_follow_each_other(client, teams):
    found, more = [], {}
    while True:
        answer = client.execute_statement(Statement=f'SELECT pk FROM "{teams}"', Limit=2, **more)
        found += [item["pk"]["S"] for item in answer["Items"]]
        if "NextToken" not in answer:
            break
        more = {"NextToken": answer["NextToken"]}
    assert sorted(found) == ["TEAM#0", "TEAM#1", "TEAM#2"]


def test_an_update_returns_what_it_is_asked_for(client, teams):
    items = execute(
        client,
        f'UPDATE "{teams}" SET wins = wins + 10 REMOVE city '
        "WHERE pk = 'TEAM#0' AND sk = 'METADATA' RETURNING ALL NEW *",
    )
    assert items[0]["wins"] == {"N": "10"}
    assert "city" not in items[0]


def test_a_delete_removes_the_item(client, teams):
    execute(client, f"DELETE FROM \"{teams}\" WHERE pk = 'TEAM#0' AND sk = 'METADATA'")
    assert len(execute(client, f'SELECT * FROM "{teams}"')) == 2


def test_the_same_item_is_not_inserted_twice(client, teams):
    with pytest.raises(client.exceptions.DuplicateItemException):
        execute(client, f"INSERT INTO \"{teams}\" VALUE {{'pk': 'TEAM#0', 'sk': 'METADATA'}}")


def test_a_failed_condition_is_an_error(client, teams):
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        execute(
            client,
            f"UPDATE \"{teams}\" SET wins = 0 WHERE pk = 'TEAM#0' AND sk = 'METADATA' AND wins > 5",
        )


def test_statements_that_make_no_sense_are_refused(client, teams):
    for statement in ("SELEKT", f'UPDATE "{teams}" SET wins = 1', "DROP TABLE x"):
        with pytest.raises(ClientError) as refused:
            execute(client, statement)
        assert refused.value.response["Error"]["Code"] == "ValidationException"
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        execute(client, 'SELECT * FROM "nowhere"')


def test_a_batch_answers_every_statement_for_itself(client, teams):
    answer = client.batch_execute_statement(
        Statements=[
            {"Statement": f"SELECT wins FROM \"{teams}\" WHERE pk = 'TEAM#2' AND sk = 'METADATA'"},
            {"Statement": "SELECT * FROM \"nowhere\" WHERE pk = 'a' AND sk = 'b'"},
        ]
    )
    found, missing = answer["Responses"]
    assert found["Item"] == {"wins": {"N": "2"}}
    assert missing["Error"]["Code"] == "ResourceNotFound"

    answer = client.batch_execute_statement(
        Statements=[
            {"Statement": f"INSERT INTO \"{teams}\" VALUE {{'pk': 'TEAM#0', 'sk': 'METADATA'}}"},
            {"Statement": f"INSERT INTO \"{teams}\" VALUE {{'pk': 'TEAM#9', 'sk': 'METADATA'}}"},
        ]
    )
    assert answer["Responses"][0]["Error"]["Code"] == "DuplicateItem"
    assert "Error" not in answer["Responses"][1]
    assert len(execute(client, f'SELECT * FROM "{teams}"')) == 4


def test_a_transaction_of_statements_is_all_or_nothing(client, teams):
    def insert(number):
        return {"Statement": f"INSERT INTO \"{teams}\" VALUE {{'pk': 'NEW#{number}', 'sk': 'x'}}"}

    client.execute_transaction(TransactStatements=[insert(1), insert(2)])
    assert len(execute(client, f'SELECT * FROM "{teams}"')) == 5

    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.execute_transaction(TransactStatements=[insert(3), insert(1)])
    reasons = cancelled.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "DuplicateItem"]
    assert len(execute(client, f'SELECT * FROM "{teams}"')) == 5

    answer = client.execute_transaction(
        TransactStatements=[
            {"Statement": f"SELECT pk FROM \"{teams}\" WHERE pk = 'NEW#{n}' AND sk = 'x'"}
            for n in (1, 2)
        ]
    )
    assert [response["Item"]["pk"]["S"] for response in answer["Responses"]] == ["NEW#1", "NEW#2"]
