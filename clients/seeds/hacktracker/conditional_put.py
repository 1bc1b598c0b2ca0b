table.put_item(
    Item=item,
    ConditionExpression='attribute_not_exists(PK) AND attribute_not_exists(SK)'
)
