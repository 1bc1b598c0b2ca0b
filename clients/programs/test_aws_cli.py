"""AWS's command line: tables, items, queries, waiters and errors."""

import json
import subprocess
import sys

import pytest


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "awscli", "dynamodb", *arguments, "--output", "json"],
        capture_output=True,
        text=True,
    )


def aws(*arguments):
    """Runs a command that must succeed; its output is JSON or nothing."""
    ran = run(*arguments)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout) if ran.stdout.strip() else None


@pytest.fixture
def table():
    name = "cli-games"
    aws(
        "create-table",
        f"--table-name={name}",
        "--billing-mode=PAY_PER_REQUEST",
        "--attribute-definitions",
        "AttributeName=pk,AttributeType=S",
        "AttributeName=sk,AttributeType=N",
        "--key-schema",
        "AttributeName=pk,KeyType=HASH",
        "AttributeName=sk,KeyType=RANGE",
    )
    aws("wait", "table-exists", f"--table-name={name}")
    yield name
    aws("delete-table", f"--table-name={name}")
    aws("wait", "table-not-exists", f"--table-name={name}")


def test_items_are_put_got_and_queried(table):
    assert table in aws("list-tables")["TableNames"]
    for number in (10, 2, 1):
        item = {"pk": {"S": "TEAM#1"}, "sk": {"N": str(number)}, "text": {"S": "ü 🚀"}}
        aws("put-item", f"--table-name={table}", "--item", json.dumps(item))
    key = json.dumps({"pk": {"S": "TEAM#1"}, "sk": {"N": "2"}})
    got = aws("get-item", f"--table-name={table}", "--key", key)
    assert got["Item"]["text"] == {"S": "ü 🚀"}
    queried = aws(
        "query",
        f"--table-name={table}",
        "--key-condition-expression=pk = :pk",
        "--expression-attribute-values",
        '{":pk": {"S": "TEAM#1"}}',
        "--page-size=2",
    )
    assert [item["sk"]["N"] for item in queried["Items"]] == ["1", "2", "10"]
    assert aws("scan", f"--table-name={table}", "--select=COUNT")["Count"] == 3


def test_a_refusal_is_printed(table):
    ran = run("get-item", f"--table-name={table}", "--key", '{"pk": {"S": "a"}}')
    assert ran.returncode != 0
    assert "ValidationException" in ran.stderr
    assert "The provided key element does not match the schema" in ran.stderr
