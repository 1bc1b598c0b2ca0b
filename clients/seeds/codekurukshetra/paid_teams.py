response = dynamodb.query(
    IndexName='GSI3',
    KeyConditionExpression='GSI3PK = :status',
    ExpressionAttributeValues={
        ':status': 'PAYMENT_STATUS#paid'
    }
)
