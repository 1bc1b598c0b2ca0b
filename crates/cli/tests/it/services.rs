//! The services behind the port, as somebody meets them: their pages followed to the
//! letter, tokens, restarts, and what is refused before anything is written.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;

use serde_json::{Value, json};

use crate::process::{Data, Server, assert_whole, place, run};

const HACKTRACKER: &str = include_str!("../../../../docs/services/hacktracker.md");
const BTL_RUN: &str = include_str!("../../../../docs/services/btl-run.md");

/// Status and body of a GET.
fn get(server: &Server, path: &str, token: Option<&str>) -> (u16, Value) {
    let identity = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
    ask(server, &format!("GET {path}"), &identity.unwrap_or_default())
}

/// Status and body of what is asked with headers, and without a body.
fn ask(server: &Server, line: &str, headers: &str) -> (u16, Value) {
    let address = server.url().strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("{line} HTTP/1.1\r\nHost: x\r\n{headers}Connection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or_default())
}

/// The lines `export NAME=token` of a greeting.
fn exports(greeting: &str) -> String {
    let lines = greeting.lines().filter(|line| line.trim_start().starts_with("export "));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

/// What a page's commands print, run as they stand, and its refusals: those that the page shows.
fn follow(page: &str) -> String {
    let mut server = Server::start_with(Data::Memory, &["--demo", "--quiet"]);
    let greeting = server.greeting();
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let commands: String = blocks.collect();
    let script = exports(&greeting) + &commands.replace("http://127.0.0.1:8000", server.url());
    let ran = Command::new("sh").args(["-eu", "-c", &script]).output().unwrap();
    let output = String::from_utf8(ran.stdout).unwrap();
    let told = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{told}\n{output}");
    output
}

#[test]
fn the_page_of_hacktracker_works_as_it_is_printed() {
    let output = follow(HACKTRACKER);
    // The one refusal is the one that the page shows.
    let refusal = HACKTRACKER.split("```json\n").nth(1).unwrap().lines().next().unwrap();
    let refusals: Vec<&str> = output.lines().filter(|line| line.contains("\"error\":")).collect();
    assert_eq!(refusals, [refusal]);
    for text in [
        // Ann's double and Bob's single.
        r#""atBats":3"#,
        r#""atBats":2"#,
        r#""recordedRuns":1"#,
        "7,Ann,,",
        r#"{"games":1,"losses":0,"runsAgainst":0,"runsFor":1,"#,
        r#""leaders":[{"#,
        r#""teamName":"Portland Pioneers""#,
    ] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
}

#[test]
fn the_page_of_btl_run_ends_with_a_story_that_is_verified() {
    let output = follow(BTL_RUN);
    let refusals: Vec<&str> = output.lines().filter(|line| line.contains("\"error\":")).collect();
    let [refusal] = refusals[..] else { panic!("{refusals:?}") };
    assert!(refusal.contains(r#""code":"STALE_TURN""#), "{refusal}");
    for text in ["Robin", "the salt marsh", r#""isVerified":true"#] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
}

#[test]
fn a_service_that_nobody_asks_leaves_no_trace() {
    let place = place();
    let directory = place.database();
    let server = Server::start_with(Data::Directory(&directory), &["--quiet"]);
    assert_eq!(server.client().done("ListTables", &json!({})), json!({ "TableNames": [] }));
    assert!(!directory.join("token-secret").exists());
    assert_eq!(get(&server, "/hacktracker/health", None).1["status"], "ok");
    let tables = server.client().done("ListTables", &json!({}));
    assert_eq!(tables, json!({ "TableNames": ["hacktracker-dev"] }));
    server.kill();
    assert_whole(&directory);
    place.remove().unwrap();
}

#[test]
fn a_service_that_can_not_be_opened_says_so_and_the_server_goes_on() {
    let place = place();
    let directory = place.database();
    let server = Server::start_with(Data::Directory(&directory), &["--quiet"]);
    let another = json!({
        "TableName": "hacktracker-dev", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
    });
    server.client().done("CreateTable", &another);
    server.kill();
    let server = Server::start_with(Data::Directory(&directory), &["--quiet"]);
    let (status, told) = get(&server, "/hacktracker/teams", None);
    assert_eq!((status, &told["code"]), (503, &json!("UNAVAILABLE")), "{told}");
    let tables = server.client().done("ListTables", &json!({}));
    assert_eq!(tables, json!({ "TableNames": ["hacktracker-dev"] }));
    drop(server);
    place.remove().unwrap();
}

#[test]
fn nobody_need_send_a_body_that_is_not_taken() {
    let server = Server::start_with(Data::Memory, &["--quiet", "--development-identity"]);
    let told = |headers: &str| {
        let headers = format!("{headers}Content-Type: application/json\r\n");
        let (status, told) = ask(&server, "POST /hacktracker/teams", &headers);
        format!("{status} {}", told["code"].as_str().unwrap_or_default())
    };
    let length = "Content-Length: 20000000\r\n";
    assert_eq!(told(length), "401 UNAUTHENTICATED");
    let ann = "X-User-Id: ann\r\nX-User-Email: ann@example.org\r\n";
    assert_eq!(told(&format!("{ann}{length}")), "413 BODY_TOO_LARGE");
    assert_eq!(told(&format!("{ann}Content-Length: 262145\r\n")), "413 BODY_TOO_LARGE");
}

#[test]
fn tokens_are_signed_beside_the_server_and_outlive_it() {
    let place = place();
    let directory = place.database();
    let folder = directory.to_str().unwrap();
    let sign = || run(&["token", "ann", "--email", "ann@example.org", "--data", folder]);
    let early = sign();
    assert_eq!(early.code, Some(1));
    assert!(early.errors.contains("token-secret can't be read"), "{}", early.errors);
    let server = Server::start_with(Data::Directory(&directory), &["--quiet"]);
    assert_eq!(get(&server, "/hacktracker/users/context", None).0, 401);
    let token = sign().output;
    let token = token.trim();
    let (status, context) = get(&server, "/hacktracker/users/context", Some(token));
    assert_eq!((status, &context["userId"]), (200, &json!("ann")), "{context}");
    server.kill();
    let server = Server::start_with(Data::Directory(&directory), &["--quiet"]);
    assert_eq!(get(&server, "/hacktracker/users/context", Some(token)).0, 200);
    let forged = format!("{token}x");
    assert_eq!(get(&server, "/hacktracker/users/context", Some(&forged)).0, 401);
    drop(server);
    place.remove().unwrap();
}

#[test]
fn the_secret_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = place();
    let directory = place.database();
    let server = Server::start_with(Data::Directory(&directory), &["--quiet"]);
    get(&server, "/hacktracker/health", None);
    let mode = directory.join("token-secret").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    drop(server);
    place.remove().unwrap();
}

#[test]
fn identities_that_can_not_be_are_refused_before_anything_is_written() {
    let place = place();
    let directory = place.database();
    let folder = directory.to_str().unwrap();
    for (arguments, text) in [
        (&["--development-identity", "--environment", "prod"][..], "prod"),
        (&["--jwks", "/nowhere/keys.json"], "/nowhere/keys.json"),
        (&["--token-secret", "/nowhere/secret"], "/nowhere/secret"),
    ] {
        let all = [&["serve", "--listen", "127.0.0.1:0", "--data", folder][..], arguments].concat();
        let ended = run(&all);
        assert_eq!(ended.code, Some(1), "{}", ended.output);
        assert!(ended.errors.contains(text), "{}", ended.errors);
        assert!(!directory.exists(), "{arguments:?}");
    }
}
