//! `monotable bench` against a server that was just started.

use serde_json::Value;

use crate::process::{Data, Server, run};

#[test]
fn a_short_measurement_gives_figures() {
    let server = Server::start(Data::Memory);
    let arguments = [
        ["bench", "--endpoint", server.url()].as_slice(),
        &["--seconds", "0.1", "--warm-up", "0", "--items", "50", "--connections", "2"],
        &["--operations", "get,query,update,put,transaction,batch", "--seed", "7", "--json"],
    ]
    .concat();
    let ended = run(&arguments);
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""));
    let report: Value = serde_json::from_str(&ended.output).unwrap();
    let figures = report["figures"].as_array().unwrap();
    let operations: Vec<&str> =
        figures.iter().map(|figure| figure["operation"].as_str().unwrap()).collect();
    assert_eq!(operations, ["get", "query", "update", "put", "transaction", "batch"]);
    for figure in figures {
        assert!(figure["requests"].as_u64().unwrap() > 0, "{figure}");
        assert_eq!(figure["errors"].as_array().map(Vec::len), Some(0), "{figure}");
    }
    let tables = server.client().done("ListTables", &serde_json::json!({}));
    assert_eq!(tables["TableNames"], serde_json::json!([]), "the table is deleted at the end");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    // A port that was free a moment ago.
    let url = Server::start(Data::Memory).url().to_owned();
    let ended = run(&["bench", "--endpoint", &url]);
    assert_eq!((ended.code, &*ended.output), (Some(1), ""));
    let begin = format!("error: no server responds at {url} (");
    assert!(ended.errors.starts_with(&begin), "{}", ended.errors);
}
