# Put item in main table
dynamodb.put_item(
    Item={
        'PK': 'PARTICIPANT#' + participant_id,
        'SK': 'PROFILE',
        'GSI1PK': 'EMAIL#' + email,
        # ... other attributes
    }
)
