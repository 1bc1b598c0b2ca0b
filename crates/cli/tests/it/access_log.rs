//! The access log of a server, and the form of its failures.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use monotable_load::{Credentials, Keys};
use serde_json::{Value, json};

use crate::items::{create_table, get, put};
use crate::process::{Data, Server, Signal, place, run};
use crate::services::ask_text;

const KEYS: &str = "[[key]]\naccess_key = \"AKIAANN\"\nsecret_key = \"a secret that nobody guesses\"\n\
                    name = \"ann\"\ntables = [\"*\"]\nactions = [\"*\"]\n";

fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_request_is_a_line_without_values() {
    let place = place();
    let (file, keys) = (place.file("access.log"), place.file("keys.toml"));
    fs::write(&keys, KEYS).unwrap();
    fs::set_permissions(&keys, fs::Permissions::from_mode(0o600)).unwrap();
    let [file_text, keys_text] = [&file, &keys].map(|path| path.to_str().unwrap());
    let flags = ["--access-log", file_text, "--credentials", keys_text];
    let server = Server::start_with(Data::Memory, &flags);
    let keys = Keys {
        access_key: "AKIAANN".to_owned(),
        secret_key: "a secret that nobody guesses".to_owned(),
        session_token: None,
    };
    let mut client = server.client_with(Credentials { keys: Some(keys), ..Credentials::default() });
    create_table(&mut client);
    let written = client.done("PutItem", &put("ann@example.org", 4_711));
    assert_eq!(written, json!({}), "the client has not asked for units");
    let mut read = get("ann@example.org");
    read["ReturnConsumedCapacity"] = "TOTAL".into();
    assert_eq!(client.done("GetItem", &read)["ConsumedCapacity"]["CapacityUnits"], 1.0);
    let query = json!({"TableName": "items", "KeyConditionExpression": "id = :id",
                       "ExpressionAttributeValues": {":id": {"S": "ann@example.org"}}});
    assert_eq!(client.done("Query", &query).get("ConsumedCapacity"), None);
    let batch = json!({"RequestItems": {"items": [{"PutRequest": {"Item": {"id": {"S": "b"}}}}]}});
    client.done("BatchWriteItem", &batch);
    let condition = json!({"TableName": "items", "Item": {"id": {"S": "b"}},
                           "ConditionExpression": "attribute_not_exists(id)"});
    assert_eq!(client.refused("PutItem", &condition), "ConditionalCheckFailedException");
    assert_eq!(server.client().refused("PutItem", &put("c", 1)), "UnrecognizedClientException");
    let strange = json!({"TableName": "ann@example.org", "Key": {}});
    client.refused("GetItem", &strange);
    server.tell(Signal::Terminate);
    assert_eq!(server.wait().errors, "");

    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("example.org") && !text.contains("4711"), "{text}");
    let mut lines = lines(&file);
    for line in &mut lines {
        let line = line.as_object_mut().unwrap();
        assert!(line.remove("time").unwrap().as_str().unwrap().ends_with('Z'));
        assert!(line.remove("latencyUs").unwrap().is_u64());
    }
    lines.retain(|line| line["operation"] != "DescribeTable");
    let expected = [
        json!({"key": "ann", "operation": "CreateTable", "tables": ["items"], "status": 200}),
        json!({"key": "ann", "operation": "PutItem", "tables": ["items"], "status": 200,
               "readUnits": 0.0, "writeUnits": 1.0}),
        json!({"key": "ann", "operation": "GetItem", "tables": ["items"], "status": 200,
               "readUnits": 1.0, "writeUnits": 0.0}),
        json!({"key": "ann", "operation": "Query", "tables": ["items"], "status": 200,
               "readUnits": 0.5, "writeUnits": 0.0}),
        json!({"key": "ann", "operation": "BatchWriteItem", "tables": ["items"], "status": 200,
               "readUnits": 0.0, "writeUnits": 1.0}),
        json!({"key": "ann", "operation": "PutItem", "tables": ["items"], "status": 400,
               "code": "ConditionalCheckFailedException"}),
        json!({"operation": "PutItem", "status": 400, "code": "UnrecognizedClientException"}),
        json!({"key": "ann", "operation": "GetItem", "status": 400, "code": "ValidationException"}),
    ];
    assert_eq!(lines, expected);
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "others can't read the log");
    place.remove().unwrap();
}

#[test]
fn a_hangup_opens_the_log_again() {
    let place = place();
    let (file, old) = (place.file("access.log"), place.file("access.log.1"));
    let flags = ["--access-log", file.to_str().unwrap(), "--services", "hacktracker"];
    let mut server = Server::start_with(Data::Memory, &flags);
    server.greeting();
    create_table(&mut server.client());
    fs::rename(&file, &old).unwrap();
    server.tell(Signal::Hangup);
    assert_eq!(server.line(), format!("Opened {} again.\n", file.display()));
    server.client().done("PutItem", &put("a", 1));
    let (status, _) = ask_text(server.url(), "localhost", "GET /hacktracker/health", "");
    assert_eq!(status, 200);
    server.tell(Signal::Terminate);
    assert_eq!(server.wait().errors, "");
    let operations = |file: &Path| -> Vec<String> {
        lines(file)
            .iter()
            .map(|line| line["operation"].as_str().unwrap_or("-").to_owned())
            .collect()
    };
    assert_eq!(operations(&old)[0], "CreateTable");
    assert_eq!(operations(&file)[0], "PutItem");
    assert_eq!(lines(&file)[1]["service"], "hacktracker");
    place.remove().unwrap();
}

#[test]
fn failures_can_be_json() {
    let ended = run(&["serve", "--log-format", "json", "--data", "/dev/null/x", "--listen", "0"]);
    assert_eq!(ended.code, Some(1));
    let line: Value = serde_json::from_str(ended.errors.trim_end()).unwrap();
    assert_eq!(line["level"], "error");
    assert!(line["message"].as_str().unwrap().contains("/dev/null/x"), "{line}");
}
