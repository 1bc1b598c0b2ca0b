"""Parts of table definitions, as CreateTable and UpdateTable take them."""


def keys(partition, sort=None):
    """A key schema."""
    schema = [{"AttributeName": partition, "KeyType": "HASH"}]
    if sort:
        schema.append({"AttributeName": sort, "KeyType": "RANGE"})
    return schema


def strings(*names):
    """Attribute definitions, all of type S."""
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


def index(name, partition, sort=None, **projection):
    """A secondary index with all attributes unless told otherwise."""
    return {
        "IndexName": name,
        "KeySchema": keys(partition, sort),
        "Projection": projection or {"ProjectionType": "ALL"},
    }
