"""Looks back at the other tests of this folder: no operation of the SDK was forgotten."""

from pathlib import Path

import pytest


def test_every_operation_was_called(request, client, streams, called_operations):
    files = {item.path for item in request.session.items}
    if not set(Path(__file__).parent.glob("test_*.py")) <= files:
        pytest.skip("only when all tests of the folder run")
    known = set(client.meta.service_model.operation_names)
    known |= set(streams.meta.service_model.operation_names)
    assert known - called_operations == set()
