# Transaction to update both team and payment
with dynamodb.transact_write_items() as transaction:
    # Update team payment status
    transaction.update(
        Key={'PK': 'TEAM#' + team_id, 'SK': 'PROFILE'},
        UpdateExpression='SET payment_status = :status',
        ExpressionAttributeValues={':status': 'paid'}
    )
    
    # Create payment record
    transaction.put(
        Item={
            'PK': 'PAYMENT#' + payment_id,
            'SK': 'TRANSACTION',
            # ... payment details
        }
    )
