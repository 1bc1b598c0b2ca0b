//! Constraints of BatchGetItem and BatchWriteItem.

use crate::fixture::{NOT_FOUND, VALIDATION as INVALID, check_refusals};

const NULL_ITEMS: &str = "Value null at 'requestItems' failed to satisfy constraint: Member must \
    not be null";
const CAPACITY: &str = "Value 'a' at 'returnConsumedCapacity' failed to satisfy constraint: Member \
    must satisfy enum value set: [INDEXES, TOTAL, NONE]";

#[test]
fn a_batch_has_tables() {
    let get = format!("2 validation errors detected: {NULL_ITEMS}; {CAPACITY}");
    let write = format!(
        "3 validation errors detected: {NULL_ITEMS}; {CAPACITY}; Value 'b' at \
         'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum \
         value set: [SIZE, NONE]"
    );
    let body = r#"{"ReturnConsumedCapacity":"a","ReturnItemCollectionMetrics":"b"}"#;
    check_refusals(&[
        ("BatchGetItem", body, INVALID, &get),
        ("BatchWriteItem", body, INVALID, &write),
        (
            "BatchGetItem",
            r#"{"RequestItems":{}}"#,
            INVALID,
            "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: \
             Member must have length greater than or equal to 1",
        ),
        (
            "BatchWriteItem",
            r#"{"RequestItems":{}}"#,
            INVALID,
            "The requestItems parameter is required for BatchWriteItem",
        ),
    ]);
}

#[test]
fn names_of_tables_are_map_keys() {
    const RULES: &str = "at 'requestItems' failed to satisfy constraint: Map keys must satisfy \
        constraint: [Member must have length less than or equal to 255, Member must have length \
        greater than or equal to 3, Member must satisfy regular expression pattern: \
        [a-zA-Z0-9_.-]+]";
    let message = |printed: &str| format!("1 validation error detected: Value '{printed}' {RULES}");
    let get = r#"{"ab":{"Keys":[{"id":{"S":"a"}}],"ConsistentRead":true},"good":{"Keys":[]}}"#;
    let both = format!("2 validation errors detected: Value '{get}' {RULES}; {CAPACITY}");
    let large = format!(r#"{{"id":{{"S":"{}"}}}}"#, "x".repeat(4096));
    check_refusals(&[
        ("BatchGetItem", &format!(r#"{{"RequestItems":{get}}}"#), INVALID, &message(get)),
        (
            "BatchGetItem",
            &format!(r#"{{"RequestItems":{get},"ReturnConsumedCapacity":"a"}}"#),
            INVALID,
            &both,
        ),
        (
            "BatchGetItem",
            &format!(r#"{{"RequestItems":{{"ab":{{"Keys":[{large}]}},"good":{{"Keys":[]}}}}}}"#),
            INVALID,
            &message("{ab=..., good=...}"),
        ),
        ("BatchWriteItem", r#"{"RequestItems":{"a!b":[]}}"#, INVALID, &message("{a!b=[]}")),
        (
            "BatchWriteItem",
            r#"{"RequestItems":{"a!b":[]},"ReturnConsumedCapacity":"a"}"#,
            INVALID,
            &format!("1 validation error detected: {CAPACITY}"),
        ),
    ]);
}

#[test]
fn a_batch_of_writes_is_printed_as_java_prints_it() {
    let fields = |set: &str| {
        let fields = [
            "s",
            "n",
            "b",
            "iNT",
            "dECIMAL",
            "dOUBLE",
            "sS",
            "nS",
            "bS",
            "iNTSET",
            "dECIMALSET",
            "dOUBLESET",
            "m",
            "l",
            "nULL",
            "bOOL",
        ];
        let (name, _) = set.split_once('=').unwrap();
        let printed = fields
            .map(|field| if field == name { set.to_owned() } else { format!("{field}=null") });
        format!("AttributeValue({})", printed.join(", "))
    };
    let inner = fields("bOOL=true");
    let item = format!(
        "{{b={}, l={}, pk={}}}",
        fields("b=java.nio.HeapByteBuffer[pos=0 lim=1 cap=1]"),
        fields(&format!("l=[{inner}]")),
        fields("s=x")
    );
    let put = format!(
        "WriteRequest(putRequest=PutRequest(item={item}, workloadProfileName=null), \
         deleteRequest=null)"
    );
    let delete = format!(
        "WriteRequest(putRequest=null, deleteRequest=DeleteRequest(key={{pk={}}}, \
         workloadProfileName=null))",
        fields("n=1")
    );
    check_refusals(&[(
        "BatchWriteItem",
        r#"{"RequestItems":{"a!b":[
            {"PutRequest":{"Item":{"pk":{"S":"x"},"b":{"B":"AA=="},"l":{"L":[{"BOOL":true}]}}}},
            {"DeleteRequest":{"Key":{"pk":{"N":"1"}}}}]}}"#,
        INVALID,
        &format!(
            "1 validation error detected: Value '{{a!b=[{put}, {delete}]}}' at 'requestItems' \
             failed to satisfy constraint: Map keys must satisfy constraint: [Member must have \
             length less than or equal to 255, Member must have length greater than or equal to 3, \
             Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"
        ),
    )]);
}

#[test]
fn a_get_of_a_table_has_1_to_100_keys() {
    let get = |count: usize| {
        let keys: Vec<String> =
            (0..count).map(|id| format!(r#"{{"id":{{"N":"{id}"}}}}"#)).collect();
        format!(r#"{{"Keys":[{}]}}"#, keys.join(","))
    };
    let one = |count| format!(r#"{{"RequestItems":{{"absent":{}}}}}"#, get(count));
    let two = format!(r#"{{"RequestItems":{{"absent":{},"other":{}}}}}"#, get(60), get(41));
    check_refusals(&[
        (
            "BatchGetItem",
            &one(0),
            INVALID,
            "1 validation error detected: Value at 'RequestItems.absent.member.Keys' failed to \
             satisfy constraint: Member must have length greater than or equal to 1",
        ),
        (
            "BatchGetItem",
            &one(101),
            INVALID,
            "1 validation error detected: Value at 'RequestItems.absent.member.Keys' failed to \
             satisfy constraint: Member must have length less than or equal to 100",
        ),
        ("BatchGetItem", &two, INVALID, "Too many items requested for the BatchGetItem call"),
        ("BatchGetItem", &one(100), NOT_FOUND, "Requested resource not found"),
        (
            "BatchGetItem",
            r#"{"RequestItems":{"absent":{},"other":{"Keys":[null],"AttributesToGet":[]}}}"#,
            INVALID,
            "3 validation errors detected: Value null at 'requestItems.absent.member.keys' failed \
             to satisfy constraint: Member must not be null; Value null at \
             'requestItems.other.member.keys.1.member' failed to satisfy constraint: Member must \
             not be null; Value '[]' at 'requestItems.other.member.attributesToGet' failed to \
             satisfy constraint: Member must have length greater than or equal to 1",
        ),
    ]);
}

#[test]
fn a_write_to_a_table_has_1_to_25_requests() {
    let write = |count: usize| {
        let puts: Vec<String> = (0..count)
            .map(|id| format!(r#"{{"PutRequest":{{"Item":{{"id":{{"N":"{id}"}}}}}}}}"#))
            .collect();
        format!("[{}]", puts.join(","))
    };
    let message = |printed: &str| {
        format!(
            "1 validation error detected: Value '{printed}' at 'requestItems' failed to satisfy \
             constraint: Map value must satisfy constraint: [Member must have length less than or \
             equal to 25, Member must have length greater than or equal to 1]"
        )
    };
    let one = |count| format!(r#"{{"RequestItems":{{"absent":{}}}}}"#, write(count));
    let two = format!(r#"{{"RequestItems":{{"absent":{},"other":{}}}}}"#, write(13), write(13));
    check_refusals(&[
        ("BatchWriteItem", &one(0), INVALID, &message("{absent=[]}")),
        ("BatchWriteItem", &one(26), INVALID, &message("{absent=[...]}")),
        ("BatchWriteItem", &two, INVALID, "Too many items requested for the BatchWriteItem call"),
        ("BatchWriteItem", &one(25), NOT_FOUND, "Requested resource not found"),
    ]);
}

#[test]
fn a_write_is_a_put_or_a_delete() {
    const NOT_ONE: &str = "Supplied AttributeValue has more than one datatypes set, must contain \
        exactly one of the supported datatypes";
    check_refusals(&[
        ("BatchWriteItem", r#"{"RequestItems":{"absent":[{}]}}"#, INVALID, NOT_ONE),
        (
            "BatchWriteItem",
            r#"{"RequestItems":{"absent":
                [{"PutRequest":{"Item":{}},"DeleteRequest":{"Key":{}}}]}}"#,
            INVALID,
            NOT_ONE,
        ),
        (
            "BatchWriteItem",
            r#"{"RequestItems":{"absent":[{"PutRequest":{}},{"DeleteRequest":{"Item":{}}}]}}"#,
            INVALID,
            "2 validation errors detected: Value null at \
             'requestItems.absent.member.1.member.putRequest.item' failed to satisfy constraint: \
             Member must not be null; Value null at \
             'requestItems.absent.member.2.member.deleteRequest.key' failed to satisfy constraint: \
             Member must not be null",
        ),
    ]);
}

#[test]
fn a_batch_names_an_item_once() {
    const REPEATED: &str = "Provided list of item keys contains duplicates";
    check_refusals(&[
        (
            "BatchGetItem",
            r#"{"RequestItems":{"absent":{"Keys":[{"id":{"N":"1"}},{"id":{"N":"1.0"}}]}}}"#,
            INVALID,
            REPEATED,
        ),
        (
            "BatchWriteItem",
            r#"{"RequestItems":{"plain":[
                {"PutRequest":{"Item":{"id":{"S":"a"}}}},
                {"DeleteRequest":{"Key":{"id":{"S":"a"}}}}]}}"#,
            INVALID,
            REPEATED,
        ),
    ]);
}

#[test]
fn keys_of_a_batch_fit_their_table() {
    const MISMATCH: &str = "The provided key element does not match the schema";
    check_refusals(&[
        (
            "BatchGetItem",
            r#"{"RequestItems":{"plain":{"Keys":[{"id":{"N":"1"}}]}}}"#,
            INVALID,
            MISMATCH,
        ),
        (
            "BatchWriteItem",
            r#"{"RequestItems":{"plain":[{"PutRequest":{"Item":{"other":{"S":"a"}}}}]}}"#,
            INVALID,
            MISMATCH,
        ),
        (
            "BatchWriteItem",
            r#"{"RequestItems":{"plain":[{"DeleteRequest":{"Key":{"id":{"S":""}}}}]}}"#,
            INVALID,
            "One or more parameter values are not valid. The AttributeValue for a key attribute \
             cannot contain an empty string value. Key: id",
        ),
    ]);
}
