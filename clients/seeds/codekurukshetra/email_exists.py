# Query GSI1
response = dynamodb.query(
    IndexName='GSI1',
    KeyConditionExpression='GSI1PK = :email',
    ExpressionAttributeValues={
        ':email': 'EMAIL#user@example.com'
    }
)
