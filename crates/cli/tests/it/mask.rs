//! Tables without personal data, from those of services.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::process::{Data, FIELD_KEYS, Server, Signal, assert_whole, place, run};
use crate::services::ask_text;

fn tables(server: &Server) -> Vec<String> {
    let listed = server.client().done("ListTables", &json!({}));
    serde_json::from_value(listed["TableNames"].clone()).unwrap()
}

/// Everything that a table contains, as text.
fn contents(server: &Server, table: &str) -> Vec<Value> {
    let mut client = server.client();
    let (mut rows, mut request) = (Vec::new(), json!({ "TableName": table }));
    loop {
        let mut page = client.done("Scan", &request);
        rows.extend(page["Items"].as_array().unwrap().iter().cloned());
        match page["LastEvaluatedKey"].take() {
            Value::Null => return rows,
            last => request["ExclusiveStartKey"] = last,
        }
    }
}

fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => drop(found.insert(text.to_lowercase())),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => members.values().for_each(|member| texts(member, found)),
        _ => {}
    }
}

#[test]
fn sample_data_of_every_service_is_masked_and_can_be_served() {
    let (place, masked) = (place(), place());
    let (from, into) = (place.database(), masked.database());
    let quiet = ["--quiet", "--field-keys", FIELD_KEYS];
    let server = Server::start_with(Data::Directory(&from), &[&["--demo"], &quiet[..]].concat());
    let mut addresses = BTreeSet::new();
    for table in &tables(&server) {
        let mut found = BTreeSet::new();
        contents(&server, table).iter().for_each(|row| texts(row, &mut found));
        addresses
            .extend(found.into_iter().filter(|text| text.contains('@') && !text.contains(' ')));
    }
    assert!(addresses.len() > 5, "{addresses:?}");
    server.tell(Signal::Terminate);
    server.wait();
    let [from_text, into_text] = [&from, &into].map(|path| path.to_str().unwrap());
    for service in ["hacktracker", "btl-run", "3fc", "codekurukshetra", "scavenger-hunt"] {
        let state = masked.file(&format!("{service}.json"));
        let state = state.to_str().unwrap();
        let paths = ["--from", from_text, "--into", into_text, "--state", state];
        // A character sends clues as messages.
        let clues = ["--allow", "Level.clues", "--allow", "Level.easyClues"];
        let allowed = if service == "scavenger-hunt" { &clues[..] } else { &[] };
        let ended = run(&[&["mask", "--design", service], &paths[..], allowed].concat());
        assert_eq!(ended.code, Some(0), "{service}: {}", ended.errors);
        assert!(ended.output.contains(": verified"), "{}", ended.output);
    }
    assert_whole(&into);
    let flags = [&["--services", "all"], &quiet[..]].concat();
    let server = Server::start_with(Data::Directory(&into), &flags);
    let masked_tables = tables(&server);
    assert!(masked_tables.len() >= 5, "{masked_tables:?}");
    // Names are part of what a match is checked by.
    let rows = contents(&server, "btlrun_kv");
    let mut verified = 0;
    for row in rows.iter().filter(|row| row["sk"]["S"] == "state") {
        let id = row["pk"]["S"].as_str().unwrap().strip_prefix("match#").unwrap();
        let path = format!("GET /btl-run/match/{id}/verify");
        let (status, body) = ask_text(server.url(), "localhost", &path, "");
        assert_eq!(status, 200, "{body}");
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_ne!(body["isVerified"], false, "{body}");
        verified += usize::from(body["isVerified"] == true);
    }
    assert_eq!(verified, 1);
    for table in &masked_tables {
        let shown = json!(contents(&server, table)).to_string().to_lowercase();
        for address in &addresses {
            assert!(!shown.contains(address.as_str()), "{table} contains {address}");
        }
    }
    drop(server);
    for place in [place, masked] {
        place.remove().unwrap();
    }
}
