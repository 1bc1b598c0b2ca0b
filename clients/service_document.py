"""A service held against its own OpenAPI document by schemathesis: whatever the document allows to be
asked, and what it does not, is answered as the document says."""

import os
from collections import Counter

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
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def few_examples(test):
    """The same few examples in every run."""
    few = settings(
        max_examples=8, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    return seed(SEED)(few(test))


class Document:
    """The document of a service, with what was answered so far."""

    def __init__(self, service, *events):
        self.url = f"{os.environ['AWS_ENDPOINT_URL']}/{service}"
        # Their responses go on for as long as a client listens.
        self.events = set(events)
        self.schema = schemathesis.openapi.from_url(f"{self.url}/openapi.json")
        modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
        self.schema.config.generation.update(modes=modes)
        self.session = requests.Session()
        self.statuses = {}
        print(f"\nschemathesis for {service} with SCHEMATHESIS_SEED={SEED}")

    def operations(self):
        """The operations by their names."""
        results = [result.ok() for result in self.schema.get_all_operations()]
        return {operation.definition.raw["operationId"]: operation for operation in results}

    def parametrize(self):
        """A test for every operation, except those whose responses have no end."""
        return self.schema.exclude(operation_id=sorted(self.events)).parametrize()

    def call(self, case, headers):
        return case.call(headers=headers, session=self.session)

    def check(self, case, response):
        """Holds an answer against the document."""
        if response.status_code == 400 and len(response.request.url) > 15_000:
            # The server itself refuses heads of more than 16 KB, before a service sees them.
            return
        name = case.operation.definition.raw["operationId"]
        self.statuses.setdefault(name, Counter())[response.status_code] += 1
        case.validate_response(response, checks=CHECKS)

    def check_everything_was_done(self):
        assert set(self.operations()) - self.events == set(self.statuses)
        undone = {name: counts for name, counts in self.statuses.items() if min(counts) >= 300}
        assert not undone, f"never done: {undone}"

    def check_events(self, path, headers):
        with requests.get(self.url + path, headers=headers, stream=True, timeout=10) as response:
            kind = response.headers["Content-Type"]
            assert (response.status_code, kind) == (200, "text/event-stream")
            assert next(response.iter_lines(decode_unicode=True))
