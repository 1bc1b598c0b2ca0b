"""Runs the snippets of design documents as they were written.

A snippet is the text of one code block. What the document leaves undefined (`table`, `team_id`)
is handed in by name; the names that the snippet defines come back.
"""

import json
import re
import runpy
from decimal import Decimal
from pathlib import Path


class Snippets:
    """The snippets and example items beside a test."""

    def __init__(self, test):
        self.folder = Path(test).parent

    def run(self, name, **names):
        return runpy.run_path(str(self.folder / f"{name}.py"), init_globals=names)

    def item(self, name):
        """An example item. One of the documents has comments in its JSON."""
        text = (self.folder / f"{name}.json").read_text()
        return json.loads(re.sub(r"\s// .*", "", text), parse_float=Decimal)
