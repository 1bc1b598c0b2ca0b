response = dynamodb.query(
    IndexName='GSI3',
    KeyConditionExpression='GSI3PK = :track', 
    ExpressionAttributeValues={
        ':track': 'TRACK#ai-ml'
    }
)
