response = table.query(
    KeyConditionExpression='...',
    Limit=50
)

# Get next page
if 'LastEvaluatedKey' in response:
    next_response = table.query(
        KeyConditionExpression='...',
        Limit=50,
        ExclusiveStartKey=response['LastEvaluatedKey']
    )
