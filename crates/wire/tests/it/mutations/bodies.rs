//! Valid requests with as many members as can be combined, as the start of random changes.

/// An operation and a valid body.
pub(super) const BODIES: &[(&str, &str)] = &[
    (
        "PutItem",
        r##"{"TableName":"league","Item":{"PK":{"S":"a"},"SK":{"S":"c"},"n":{"N":"1.5E2"},
            "b":{"B":"AAEC"},"t":{"BOOL":true},"z":{"NULL":true},"ss":{"SS":["a","b"]},
            "ns":{"NS":["1","2"]},"bs":{"BS":["AA==","AQ=="]},
            "m":{"M":{"l":{"L":[{"S":"\u00e4"},{"N":"0"}]}}}},
            "ConditionExpression":"attribute_not_exists(#k) OR size(#k) > :n",
            "ExpressionAttributeNames":{"#k":"PK"},
            "ExpressionAttributeValues":{":n":{"N":"3"}},"ReturnValues":"ALL_OLD",
            "ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE",
            "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}"##,
    ),
    (
        "PutItem",
        r#"{"TableName":"plain","Item":{"id":{"S":"a"}},"ConditionalOperator":"OR","Expected":{
            "a":{"Exists":false},"b":{"ComparisonOperator":"IN",
            "AttributeValueList":[{"S":"x"},{"S":"y"}]}}}"#,
    ),
    (
        "GetItem",
        r##"{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},"ConsistentRead":true,
            "ProjectionExpression":"#c, l[0], score",
            "ExpressionAttributeNames":{"#c":"city"},"ReturnConsumedCapacity":"TOTAL"}"##,
    ),
    (
        "GetItem",
        r#"{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},
            "AttributesToGet":["city","score"]}"#,
    ),
    (
        "UpdateItem",
        r##"{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},
            "UpdateExpression":"SET #l[0] = :v, x = if_not_exists(x, :n) ADD score :n REMOVE y",
            "ConditionExpression":"score BETWEEN :n AND :n","ReturnValues":"UPDATED_NEW",
            "ExpressionAttributeNames":{"#l":"l"},
            "ExpressionAttributeValues":{":v":{"S":"v"},":n":{"N":"1"}},
            "ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"}"##,
    ),
    (
        "UpdateItem",
        r#"{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},"AttributeUpdates":{
            "score":{"Action":"ADD","Value":{"N":"1"}},"l":{"Action":"ADD","Value":{"L":[]}},
            "city":{"Action":"DELETE"},"tags":{"Value":{"SS":["a"]}}},
            "Expected":{"score":{"Value":{"N":"1"}}},"ReturnValues":"ALL_NEW"}"#,
    ),
    (
        "DeleteItem",
        r#"{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},"ReturnValues":"ALL_OLD",
            "ConditionExpression":"contains(city, :c) AND NOT attribute_type(city, :t)",
            "ExpressionAttributeValues":{":c":{"S":"G"},":t":{"S":"N"}}}"#,
    ),
    (
        "Query",
        r##"{"TableName":"league","IndexName":"by-score","KeyConditionExpression":
            "PK = :p AND score >= :n","FilterExpression":"#c IN (:p, :g)",
            "ProjectionExpression":"PK, #c","ExpressionAttributeNames":{"#c":"city"},
            "ExpressionAttributeValues":{":p":{"S":"a"},":n":{"N":"0"},":g":{"S":"Graz"}},
            "Select":"SPECIFIC_ATTRIBUTES","Limit":5,"ScanIndexForward":false,
            "ConsistentRead":true,"ReturnConsumedCapacity":"INDEXES",
            "ExclusiveStartKey":{"PK":{"S":"a"},"SK":{"S":"z"},"score":{"N":"9"}}}"##,
    ),
    (
        "Query",
        r#"{"TableName":"league","KeyConditions":{
            "PK":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]},
            "SK":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"S":"a"},{"S":"z"}]}},
            "QueryFilter":{"city":{"ComparisonOperator":"NOT_NULL"}},
            "AttributesToGet":["city"]}"#,
    ),
    (
        "Scan",
        r##"{"TableName":"league","IndexName":"by-city","FilterExpression":"#c > :c",
            "ExpressionAttributeNames":{"#c":"city"},
            "ExpressionAttributeValues":{":c":{"S":"A"}},"Segment":1,"TotalSegments":4,
            "Limit":3,"Select":"COUNT","ReturnConsumedCapacity":"TOTAL"}"##,
    ),
    (
        "Scan",
        r#"{"TableName":"plain","ExclusiveStartKey":{"id":{"S":"a"}},"ConditionalOperator":"AND",
            "ScanFilter":{"a":{"ComparisonOperator":"NE","AttributeValueList":[{"N":"1"}]},
            "b":{"ComparisonOperator":"NULL"}},"AttributesToGet":["id"]}"#,
    ),
    (
        "BatchGetItem",
        r##"{"RequestItems":{"league":{"Keys":[{"PK":{"S":"a"},"SK":{"S":"b"}},
            {"PK":{"S":"a"},"SK":{"S":"c"}}],"ProjectionExpression":"#c",
            "ExpressionAttributeNames":{"#c":"city"},"ConsistentRead":true},
            "numbers":{"Keys":[{"id":{"N":"1"}}]}},"ReturnConsumedCapacity":"INDEXES"}"##,
    ),
    (
        "BatchWriteItem",
        r#"{"RequestItems":{"league":[
            {"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"S":"b"},"score":{"N":"1"}}}},
            {"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"c"}}}}],
            "blobs":[{"PutRequest":{"Item":{"id":{"B":"AA=="}}}}]},
            "ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"}"#,
    ),
    (
        "TransactGetItems",
        r##"{"TransactItems":[{"Get":{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},
            "ProjectionExpression":"#c","ExpressionAttributeNames":{"#c":"city"}}},
            {"Get":{"TableName":"plain","Key":{"id":{"S":"a"}}}}],
            "ReturnConsumedCapacity":"INDEXES"}"##,
    ),
    (
        "TransactWriteItems",
        r##"{"TransactItems":[
            {"Put":{"TableName":"plain","Item":{"id":{"S":"a"}},
                "ConditionExpression":"attribute_not_exists(#i)",
                "ExpressionAttributeNames":{"#i":"id"},
                "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},
            {"Update":{"TableName":"league","Key":{"PK":{"S":"a"},"SK":{"S":"b"}},
                "UpdateExpression":"SET score = score + :n",
                "ExpressionAttributeValues":{":n":{"N":"1"}}}},
            {"Delete":{"TableName":"numbers","Key":{"id":{"N":"1"}}}},
            {"ConditionCheck":{"TableName":"blobs","Key":{"id":{"B":"AA=="}},
                "ConditionExpression":"attribute_not_exists(id)"}}],
            "ClientRequestToken":"token","ReturnConsumedCapacity":"INDEXES",
            "ReturnItemCollectionMetrics":"SIZE"}"##,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement":"SELECT PK, l[0] FROM \"league\" WHERE PK = ? AND score < 5",
            "Parameters":[{"S":"a"}],"ConsistentRead":true,"Limit":3,
            "ReturnConsumedCapacity":"TOTAL"}"#,
    ),
    (
        "ExecuteTransaction",
        r#"{"TransactStatements":[{"Statement":"INSERT INTO plain VALUE {'id':'q','v':[1,'x']}"},
            {"Statement":"UPDATE league SET v = ? WHERE PK = 'a' AND SK = 'b'","Parameters":[{"N":"2"}]}],
            "ClientRequestToken":"token"}"#,
    ),
    (
        "BatchExecuteStatement",
        r#"{"Statements":[{"Statement":"SELECT * FROM plain WHERE id = 'a'"},
            {"Statement":"SELECT * FROM plain WHERE id = ?","Parameters":[{"S":"b"}]}]}"#,
    ),
    (
        "CreateTable",
        r#"{"TableName":"new","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},
            {"AttributeName":"b","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},
            {"AttributeName":"b","AttributeType":"N"}],
            "LocalSecondaryIndexes":[{"IndexName":"lll","KeySchema":[
            {"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],
            "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["c"]}}],
            "GlobalSecondaryIndexes":[{"IndexName":"ggg","KeySchema":[
            {"AttributeName":"b","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],
            "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},
            "Tags":[{"Key":"k","Value":"v"}],"DeletionProtectionEnabled":true,
            "TableClass":"STANDARD"}"#,
    ),
    (
        "UpdateTable",
        r#"{"TableName":"plain","AttributeDefinitions":
            [{"AttributeName":"x","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[
            {"Create":{"IndexName":"xxx","KeySchema":[{"AttributeName":"x","KeyType":"HASH"}],
            "Projection":{"ProjectionType":"KEYS_ONLY"}}}]}"#,
    ),
    (
        "UpdateTimeToLive",
        r#"{"TableName":"plain","TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}}"#,
    ),
    (
        "TagResource",
        r#"{"ResourceArn":"arn:aws:dynamodb:us-east-1:123456789012:table/plain",
            "Tags":[{"Key":"k","Value":"v"}]}"#,
    ),
    ("ListTables", r#"{"Limit":2,"ExclusiveStartTableName":"blobs"}"#),
];
