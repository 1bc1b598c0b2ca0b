table.meta.client.transact_write_items(
    TransactItems=[
        {
            'Put': {
                'TableName': table_name,
                'Item': team_item,
                'ConditionExpression': 'attribute_not_exists(PK)'
            }
        },
        {
            'Put': {
                'TableName': table_name,
                'Item': membership_item,
                'ConditionExpression': 'attribute_not_exists(PK)'
            }
        }
    ]
)
