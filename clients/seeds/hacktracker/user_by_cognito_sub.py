response = table.query(
    IndexName='GSI1',
    KeyConditionExpression='GSI1PK = :pk AND GSI1SK = :sk',
    ExpressionAttributeValues={
        ':pk': f'COGNITO#{cognito_sub}',
        ':sk': 'USER'
    }
)
