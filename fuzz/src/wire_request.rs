//! Requests of every operation, as JSON: answered, and with JSON.

use monotable_wire::Operation;

use crate::endpoint;

/// The first byte chooses the operation, the rest is the request's body.
pub fn check(bytes: &[u8]) {
    let Some((&choice, body)) = bytes.split_first() else {
        return;
    };
    let operation = Operation::ALL[usize::from(choice) % Operation::ALL.len()];
    endpoint::call(operation, body);
}

/// A request of each kind that has a body worth changing.
pub fn seeds() -> Vec<Vec<u8>> {
    let bodies: &[(&str, &str)] = &[
        (
            "PutItem",
            r##"{"TableName":"tab","Item":{"pk":{"S":"p"},"sk":{"N":"1e2"},"m":{"M":{"l":{"L":[{"NULL":true},{"BOOL":false}]}}},"s":{"SS":["a","b"]},"n":{"NS":["1","2.5"]},"b":{"BS":["AAE="]}},"ConditionExpression":"attribute_not_exists(#p) OR a = :a","ExpressionAttributeNames":{"#p":"pk"},"ExpressionAttributeValues":{":a":{"S":"x"}},"ReturnValues":"ALL_OLD"}"##,
        ),
        (
            "GetItem",
            r##"{"TableName":"tab","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},"ProjectionExpression":"a, l[1]","ConsistentRead":true}"##,
        ),
        (
            "UpdateItem",
            r##"{"TableName":"tab","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},"UpdateExpression":"SET c = if_not_exists(c, :z) + :o REMOVE l[0]","ExpressionAttributeValues":{":z":{"N":"0"},":o":{"N":"1"}},"ReturnValues":"UPDATED_NEW"}"##,
        ),
        (
            "UpdateItem",
            r##"{"TableName":"tab","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},"AttributeUpdates":{"c":{"Action":"ADD","Value":{"N":"1"}}},"Expected":{"a":{"ComparisonOperator":"BEGINS_WITH","AttributeValueList":[{"S":"x"}]}}}"##,
        ),
        (
            "Query",
            r##"{"TableName":"tab","IndexName":"index","KeyConditionExpression":"a = :x AND begins_with(pk, :p)","FilterExpression":"size(l) > :n","ExpressionAttributeValues":{":x":{"S":"x"},":p":{"S":"p"},":n":{"N":"1"}},"Limit":2,"ScanIndexForward":false}"##,
        ),
        (
            "Scan",
            r##"{"TableName":"tab","Segment":0,"TotalSegments":2,"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"N":"0"}},"Select":"COUNT"}"##,
        ),
        (
            "BatchWriteItem",
            r##"{"RequestItems":{"tab":[{"PutRequest":{"Item":{"pk":{"S":"q"},"sk":{"N":"0"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"p"},"sk":{"N":"2"}}}}]}}"##,
        ),
        (
            "BatchGetItem",
            r##"{"RequestItems":{"tab":{"Keys":[{"pk":{"S":"p"},"sk":{"N":"1"}}],"AttributesToGet":["a"]}}}"##,
        ),
        (
            "TransactWriteItems",
            r##"{"TransactItems":[{"Put":{"TableName":"tab","Item":{"pk":{"S":"t"},"sk":{"N":"0"}}}},{"ConditionCheck":{"TableName":"tab","Key":{"pk":{"S":"p"},"sk":{"N":"1"}},"ConditionExpression":"attribute_exists(pk)"}}],"ClientRequestToken":"token"}"##,
        ),
        (
            "TransactGetItems",
            r##"{"TransactItems":[{"Get":{"TableName":"tab","Key":{"pk":{"S":"p"},"sk":{"N":"1"}}}}]}"##,
        ),
        (
            "CreateTable",
            r##"{"TableName":"new","AttributeDefinitions":[{"AttributeName":"h","AttributeType":"B"}],"KeySchema":[{"AttributeName":"h","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}"##,
        ),
        (
            "UpdateTable",
            r##"{"TableName":"tab","AttributeDefinitions":[{"AttributeName":"z","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"zzz","KeySchema":[{"AttributeName":"z","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}"##,
        ),
    ];
    bodies.iter().map(|(operation, body)| seed(operation, body)).collect()
}

fn seed(operation: &str, body: &str) -> Vec<u8> {
    let choice = Operation::ALL.iter().position(|known| known.name() == operation);
    let mut seed = vec![choice.map_or(0, |choice| choice as u8)];
    seed.extend_from_slice(body.as_bytes());
    seed
}
