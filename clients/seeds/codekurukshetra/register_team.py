def register_team(team_data, members_data):
    with dynamodb.transact_write_items() as transaction:
        # 1. Create team
        transaction.put(
            Item=team_item,
            ConditionExpression='attribute_not_exists(PK)'
        )
        
        # 2. Create all members
        for member in members_data:
            transaction.put(
                Item=member_item,
                ConditionExpression='attribute_not_exists(GSI1PK)'  # Email unique
            )
        
        # 3. Create payment record
        transaction.put(Item=payment_item)
