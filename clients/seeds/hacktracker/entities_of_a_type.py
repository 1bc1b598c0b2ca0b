# List all teams
response = table.query(
    IndexName='GSI2',
    KeyConditionExpression='GSI2PK = :pk',
    ExpressionAttributeValues={
        ':pk': 'ENTITY#TEAM'
    },
    Limit=50
)
