"""What the snippets leave undefined: a table of boto3 with transactions as a context manager."""

from contextlib import contextmanager


class Transaction:
    """Collects the actions of a `with` block."""

    def __init__(self, name):
        self.name = name
        self.actions = []

    def put(self, **parameters):
        self.actions.append({"Put": {"TableName": self.name, **parameters}})

    def update(self, **parameters):
        self.actions.append({"Update": {"TableName": self.name, **parameters}})


class MainTable:
    """A table of boto3 with transactions as a context manager."""

    def __init__(self, table):
        self.table = table

    def __getattr__(self, name):
        return getattr(self.table, name)

    @contextmanager
    def transact_write_items(self):
        transaction = Transaction(self.table.name)
        yield transaction
        self.table.meta.client.transact_write_items(TransactItems=transaction.actions)
