# First get team details
team = dynamodb.get_item(
    Key={
        'PK': 'TEAM#' + team_id,
        'SK': 'PROFILE'
    }
)

# Then get all team members via GSI2
members = dynamodb.query(
    IndexName='GSI2', 
    KeyConditionExpression='GSI2PK = :team',
    ExpressionAttributeValues={
        ':team': 'TEAM#' + team_id
    }
)
