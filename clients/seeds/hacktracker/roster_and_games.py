# Get all players on a team
response = table.query(
    KeyConditionExpression='PK = :pk AND begins_with(SK, :sk_prefix)',
    ExpressionAttributeValues={
        ':pk': f'TEAM#{team_id}',
        ':sk_prefix': 'PLAYER#'
    }
)

# Get all games for a team
response = table.query(
    IndexName='GSI3',
    KeyConditionExpression='GSI3PK = :pk AND begins_with(GSI3SK, :sk_prefix)',
    ExpressionAttributeValues={
        ':pk': f'TEAM#{team_id}',
        ':sk_prefix': 'GAME#'
    }
)
