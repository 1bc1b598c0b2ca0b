//! The services from outside: their pages followed to the letter, which of them are open and to whom,
//! tokens, restarts, and what is refused before anything is written.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;

use serde_json::{Value, json};

use crate::process::{Data, FIELD_KEYS, Server, assert_whole, place, run};

const HACKTRACKER: &str = include_str!("../../../../docs/services/hacktracker.md");
const BTL_RUN: &str = include_str!("../../../../docs/services/btl-run.md");
const CODEKURUKSHETRA: &str = include_str!("../../../../docs/services/codekurukshetra.md");
const SCAVENGER_HUNT: &str = include_str!("../../../../docs/services/scavenger-hunt.md");
const THREE_FC: &str = include_str!("../../../../docs/services/3fc.md");

/// Status and body of a GET.
fn get(server: &Server, path: &str, token: Option<&str>) -> (u16, Value) {
    let identity = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
    ask(server, &format!("GET {path}"), &identity.unwrap_or_default())
}

/// Status and body of what is asked with headers, and without a body.
fn ask(server: &Server, line: &str, headers: &str) -> (u16, Value) {
    ask_at(server.url(), "localhost", line, headers)
}

/// The same of a URL, under a name of the host.
fn ask_at(url: &str, host: &str, line: &str, headers: &str) -> (u16, Value) {
    let (status, body) = ask_text(url, host, line, headers);
    (status, serde_json::from_str(&body).unwrap_or_default())
}

/// The same with the body as it is.
pub(crate) fn ask_text(url: &str, host: &str, line: &str, headers: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    let head = format!("{line} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

/// The lines `export NAME=token` of a greeting.
fn exports(greeting: &str) -> String {
    let lines = greeting.lines().filter(|line| line.trim_start().starts_with("export "));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

/// What a page's commands print, run as they stand, and its refusals: those that the page shows.
fn follow(page: &str) -> String {
    let place = place();
    let directory = place.database();
    let mut server = Server::start_with(Data::Directory(&directory), &["--demo", "--quiet"]);
    let greeting = server.greeting();
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let commands: String = blocks.collect();
    let commands = commands.replace("http://127.0.0.1:8000", server.url());
    let commands = commands.replace("monotable-data/", &format!("{}/", directory.display()));
    let script = exports(&greeting) + &commands;
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
        r#""losses":0"#,
        r#""runsFor":1"#,
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
fn the_page_of_3fc_ends_with_a_result_and_a_table() {
    let output = follow(THREE_FC);
    let refusals: Vec<&str> = output.lines().filter(|line| line.contains("\"error\":")).collect();
    let [refusal] = refusals[..] else { panic!("{refusals:?}") };
    assert!(refusal.contains(r#""code":"player_in_other_team""#), "{refusal}");
    for text in [
        r#""email":"robin@example.org""#,
        r#""userId":"demo-sam""#,
        r#""winnerTeamId":"red""#,
        r#""wins":1"#,
        r#""nickname":"Yun""#,
    ] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
    assert_eq!(output.matches(r#""scorerPlayerId""#).count(), 4, "{output}");
}

#[test]
fn the_page_of_codekurukshetra_ends_with_a_team_that_has_paid_and_arrived() {
    let output = follow(CODEKURUKSHETRA);
    let refusals: Vec<&str> =
        output.lines().filter(|line| line.contains("\"success\":false")).collect();
    let [taken, twice] = refusals[..] else { panic!("{refusals:?}") };
    let shown = CODEKURUKSHETRA.split("```json\n").nth(1).unwrap().lines().next().unwrap();
    assert_eq!(taken, shown);
    assert!(twice.contains("ALREADY_CHECKED_IN"), "{twice}");
    assert!(twice.contains("Tara Rao of Second Wind arrived already"), "{twice}");
    for text in [
        r#""registration_status":"confirmed""#,
        r#""name":"Tara Rao","team_name":"Second Wind","event_name":"CodeKurukshetra""#,
        r#""points":{"Execution":7,"Impact":8,"Innovation":9,"Presentation":6}"#,
        r#""total_teams":"#,
        ",tara@demo.example,",
        r#""reason":"badges""#,
    ] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
}

#[test]
fn the_page_of_scavenger_hunt_ends_with_a_winner() {
    let output = follow(SCAVENGER_HUNT);
    let refusals: Vec<&str> = output.lines().filter(|line| line.contains("\"error\":")).collect();
    let [config, wrong] = refusals[..] else { panic!("{refusals:?}") };
    for field in ["teams", "levelsInGame", "levels[0].levelName", "levels[0].clues"] {
        assert!(config.contains(field), "no {field} in {config}");
    }
    let shown = SCAVENGER_HUNT.split("```json\n").nth(1).unwrap().lines().next().unwrap();
    assert_eq!(wrong, shown);
    for text in [
        r#""endScreen":"win""#,
        r#""endScreen":"finish""#,
        r#""kind":"clue""#,
        r#""accepted":true"#,
        r#""hasWon":true"#,
        r#""reason":"The best photo of the day""#,
        r#""state":"ended""#,
        "2,Teal,2,200,The mill,",
        "application/zip",
        "\n204\n",
    ] {
        assert!(output.contains(text), "no {text} in\n{output}");
    }
}

/// A server with all services and no lines of log.
const OPEN: &[&str] = &["--quiet", "--services", "all", "--field-keys", FIELD_KEYS];

#[test]
fn a_request_opens_no_service() {
    let place = place();
    let directory = place.database();
    for flags in [&["--quiet"][..], &["--quiet", "--services", "none"]] {
        let server = Server::start_with(Data::Directory(&directory), flags);
        for path in ["/hacktracker/docs", "/hacktracker/health", "/btl-run/nothing", "/btl-run"] {
            assert_eq!(get(&server, path, None).0, 404, "{path}");
        }
        assert_eq!(server.client().done("ListTables", &json!({})), json!({ "TableNames": [] }));
        assert!(!directory.join("token-secret").exists());
        server.kill();
    }
    assert_whole(&directory);
    place.remove().unwrap();
}

#[test]
fn only_the_services_that_are_named_are_open() {
    let flags = ["--quiet", "--services", "btl-run", "--table", "btl-run=kv-{environment}"];
    let mut server = Server::start_with(Data::Memory, &flags);
    let greeting = server.greeting();
    let address = server.url();
    assert!(greeting.contains("  services    btl-run\n"), "{greeting}");
    assert!(greeting.contains(&format!("  start page  {address}/ has links")), "{greeting}");
    assert_eq!(get(&server, "/btl-run/health", None).1["status"], "ok");
    assert_eq!(get(&server, "/hacktracker/health", None).0, 404);
    let tables = server.client().done("ListTables", &json!({}));
    assert_eq!(tables, json!({ "TableNames": ["kv-dev"] }));
}

#[test]
fn services_can_have_a_port_of_their_own() {
    let flags = [OPEN, &["--services-listen", "0", "--metrics-listen", ":0"]].concat();
    let mut server = Server::start_with(Data::Memory, &flags);
    let greeting = server.greeting();
    let url = |label: &str| {
        let line = greeting.lines().find(|line| line.trim_start().starts_with(label)).unwrap();
        let url = line[line.find("http://").unwrap()..].split([' ', ',']).next().unwrap();
        url.trim_end_matches("/metrics").trim_end_matches('/').to_owned()
    };
    let (services, metrics) = (url("start page"), url("metrics"));
    assert_ne!(services, server.url());
    for (url, line, statuses) in [
        (server.url(), "GET /hacktracker/health", [404, 404]),
        (&services, "GET /hacktracker/health", [200, 200]),
        (&services, "GET /hacktracker/metrics", [404, 404]),
        (&services, "GET /metrics", [404, 404]),
        (&services, "POST /", [404, 404]),
        (server.url(), "GET /metrics", [200, 403]),
        (&metrics, "GET /metrics", [200, 200]),
        (&metrics, "GET /btl-run/health", [404, 404]),
    ] {
        let local = ask_at(url, "localhost", line, "").0;
        let proxied = ask_at(url, "example.com", line, "X-Forwarded-For: 1.2.3.4\r\n").0;
        assert_eq!([local, proxied], statuses, "{url} {line}");
    }
    server.client().done("ListTables", &json!({}));
    // One page has the metrics of the database and of every service.
    let page = ask_text(&metrics, "localhost", "GET /metrics", "").1;
    for series in [
        "monotable_request_duration_seconds_count{operation=\"ListTables\"} 1",
        "monotable_service_requests_total{service=\"hacktracker\",method=\"GET\",route=\"/health\",status=\"200\"} 2",
        "monotable_service_requests_total{service=\"hacktracker\",method=\"\",route=\"(none)\",status=\"404\"} 2",
        "monotable_jobs_done_total{service=\"hacktracker\"} 0",
        "monotable_tasks_done_total{service=\"btl-run\"} 0",
    ] {
        assert!(page.contains(&format!("\n{series}\n")), "{series} in {page}");
    }
}

#[test]
fn browsers_get_a_page_of_what_they_may_see_and_programs_get_dynamodbs_text() {
    const HTML: &str = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
    let server = Server::start_with(Data::Memory, &[OPEN, &["--faults", "no-ttl"]].concat());
    let get = |host: &str, path: &str, headers: &str| {
        ask_text(server.url(), host, &format!("GET {path}"), headers)
    };
    let (status, page) = get("localhost", "/", HTML);
    assert_eq!(status, 200);
    for part in ["<code>hacktracker-dev</code>", "href=\"/btl-run/docs\"", "on purpose: no-ttl."] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    let style =
        page.split("rel=\"stylesheet\" href=\"/assets/").nth(1).unwrap().split('"').next().unwrap();
    let (status, text) = get("localhost", &format!("/assets/{style}"), "");
    assert_eq!((status, text.contains("prefers-color-scheme: dark")), (200, true));
    let (status, page) = get("example.com", "/", &format!("{HTML}X-Forwarded-For: 1.2.3.4\r\n"));
    assert_eq!((status, page.contains("href=\"/btl-run/docs\"")), (200, true));
    assert!(!page.contains("hacktracker-dev") && !page.contains("no-ttl"), "{page}");
    let (status, text) = get("localhost", "/", "Accept: */*\r\n");
    assert_eq!((status, &*text), (200, "healthy: dynamodb.us-east-1.amazonaws.com "));
}

#[test]
fn services_are_reached_through_a_proxy_and_the_database_is_not() {
    let server = Server::start_with(Data::Memory, OPEN);
    let proxied =
        |line: &str| ask_at(server.url(), "example.com", line, "X-Forwarded-For: 1.2.3.4\r\n").0;
    assert_eq!(proxied("GET /hacktracker/health"), 200);
    assert_eq!(proxied("POST /"), 403);
    assert_eq!(proxied("GET /metrics"), 403);
    // A page whose name resolves to this machine.
    assert_eq!(ask_at(server.url(), "evil.example", "POST /", "").0, 403);
}

#[test]
fn who_claims_to_be_anybody_is_on_this_machine() {
    let server = Server::start_with(Data::Memory, &[OPEN, &["--development-identity"]].concat());
    let ann = "X-User-Id: ann\r\nX-User-Email: ann@example.org\r\n";
    let line = "GET /hacktracker/users/context";
    assert_eq!(ask(&server, line, ann).0, 200);
    assert_eq!(ask_at(server.url(), "example.com", line, ann).0, 403);
    assert_eq!(ask(&server, line, &format!("{ann}X-Real-IP: 1.2.3.4\r\n")).0, 403);
}

#[test]
fn a_service_that_can_not_be_opened_stops_the_start() {
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
    let folder = directory.to_str().unwrap();
    let ended = run(&["serve", "--listen", "0", "--data", folder, "--services", "hacktracker"]);
    assert_eq!(ended.code, Some(1));
    let error = "error: the service hacktracker can't be opened: ";
    assert!(ended.errors.starts_with(error), "{}", ended.errors);
    // The database itself is served.
    let server = Server::start(Data::Directory(&directory));
    let tables = server.client().done("ListTables", &json!({}));
    assert_eq!(tables, json!({ "TableNames": ["hacktracker-dev"] }));
    drop(server);
    place.remove().unwrap();
}

#[test]
fn nobody_need_send_a_body_that_is_not_taken() {
    let server = Server::start_with(Data::Memory, &[OPEN, &["--development-identity"]].concat());
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
fn malformed_requests_are_refused_in_the_form_of_the_service() {
    let server = Server::start_with(Data::Memory, OPEN);
    let told = |service: &str, request: String| {
        let mut stream = TcpStream::connect(server.url().strip_prefix("http://").unwrap()).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let mut form: Value = serde_json::from_str(body).unwrap();
        let has_id = form.as_object_mut().unwrap().remove("requestId").is_some();
        assert_eq!(has_id, service == "btl-run", "{answer}");
        assert!(head.to_lowercase().contains("\r\nx-request-id: "), "{answer}");
        let keys: Vec<&String> = form.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["code", "error"], "{answer}");
        let status = head.split(' ').nth(1).unwrap();
        format!("{status} {}", form["code"].as_str().unwrap())
    };
    for service in ["hacktracker", "btl-run"] {
        let post = |headers: &str| format!("POST /{service}/x HTTP/1.1\r\n{headers}\r\n");
        for (request, expected) in [
            (post("no header\r\n"), "400 MALFORMED_REQUEST"),
            (post("Content-Length: two\r\n"), "400 MALFORMED_REQUEST"),
            (post("Transfer-Encoding: chunked\r\n") + "x\r\n", "400 MALFORMED_REQUEST"),
            (format!("GET /{service}/a b HTTP/1.1\r\n\r\n"), "400 MALFORMED_REQUEST"),
            (post(&format!("a: {}\r\n", "b".repeat(20_000))), "400 HEADERS_TOO_LARGE"),
            (
                post("Content-Encoding: br\r\nContent-Length: 2\r\n") + "{}",
                "415 UNSUPPORTED_MEDIA_TYPE",
            ),
        ] {
            assert_eq!(told(service, request.clone()), expected, "{request}");
        }
    }
}

#[test]
fn tokens_are_signed_before_and_beside_the_server_and_outlive_it() {
    let place = place();
    let directory = place.database();
    let folder = directory.to_str().unwrap();
    let sign = || {
        let ended = run(&["token", "ann", "--email", "ann@example.org", "--data", folder]);
        assert_eq!(ended.code, Some(0), "{}", ended.errors);
        ended.output.trim().to_owned()
    };
    let early = sign();
    let server = Server::start_with(Data::Directory(&directory), OPEN);
    assert_eq!(get(&server, "/hacktracker/users/context", None).0, 401);
    for token in [&early, &sign()] {
        let (status, context) = get(&server, "/hacktracker/users/context", Some(token));
        assert_eq!((status, &context["userId"]), (200, &json!("ann")), "{context}");
    }
    server.kill();
    let server = Server::start_with(Data::Directory(&directory), OPEN);
    assert_eq!(get(&server, "/hacktracker/users/context", Some(&early)).0, 200);
    let forged = format!("{early}x");
    assert_eq!(get(&server, "/hacktracker/users/context", Some(&forged)).0, 401);
    drop(server);
    place.remove().unwrap();
}

#[test]
fn a_token_can_be_signed_beside_a_server_without_services() {
    let place = place();
    let directory = place.database();
    let server = Server::start(Data::Directory(&directory));
    let ended = run(&["token", "ann", "--data", directory.to_str().unwrap()]);
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""));
    drop(server);
    place.remove().unwrap();
}

#[test]
fn tokens_that_no_service_would_accept_are_not_signed() {
    let place = place();
    let directory = place.database();
    let folder = directory.to_str().unwrap();
    for arguments in [
        &[""][..],
        &["a b"],
        &["ann", "--hours", "0"],
        &["ann", "--hours", "1000000"],
        &["ann", "--email", "notanemail"],
        &["ann", "--role", ""],
        &["ann", "--jwks", "keys.json"],
    ] {
        let ended = run(&[&["token", "--data", folder], arguments].concat());
        assert_eq!((ended.code, &*ended.output), (Some(2), ""), "{arguments:?}: {}", ended.errors);
        assert!(!directory.exists(), "{arguments:?}");
    }
}

#[test]
fn the_secret_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = place();
    let directory = place.database();
    drop(Server::start_with(Data::Directory(&directory), OPEN));
    for file in ["token-secret", "cursor-secret"] {
        let mode = directory.join(file).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    place.remove().unwrap();
}

#[test]
fn short_secrets_are_refused_and_their_file_is_named() {
    let place = place();
    let directory = place.database();
    drop(Server::start_with(Data::Directory(&directory), OPEN));
    let data = directory.to_str().unwrap();
    for file in ["token-secret", "cursor-secret"] {
        let path = directory.join(file);
        let secret = std::fs::read(&path).unwrap();
        for short in ["", "\n", "0123456789012345678901234567890\n"] {
            std::fs::write(&path, short).unwrap();
            let serve = ["serve", "--listen", "0", "--data", data];
            let ended = run(&[&serve, OPEN].concat());
            assert_eq!(ended.code, Some(1), "{file}: {}", ended.errors);
            let names = |text| assert!(ended.errors.contains(text), "{file}: {}", ended.errors);
            names(path.to_str().unwrap());
            names("at least 32 random ones");
        }
        std::fs::write(&path, secret).unwrap();
    }
    place.remove().unwrap();
}

#[test]
fn settings_that_can_not_work_are_refused_before_anything_is_written() {
    let place = place();
    let directory = place.database();
    let folder = directory.to_str().unwrap();
    let keys = place.file("keys.toml");
    std::fs::write(&keys, "").unwrap();
    let keys = keys.to_str().unwrap();
    for (arguments, code, text) in [
        (&["--development-identity", "--environment", "prod"][..], 1, "prod"),
        (&["--development-identity", "--credentials", keys], 1, "leave one of them out"),
        (&["--development-identity", "--services-listen", "0.0.0.0:0"], 1, "the loopback only"),
        (
            &["--development-identity", "--listen", "0.0.0.0:0", "--allow-anonymous"],
            1,
            "the loopback only",
        ),
        (&["--jwks", "/nowhere/keys.json"], 1, "/nowhere/keys.json"),
        (&["--token-secret", "/nowhere/secret"], 1, "/nowhere/secret"),
        (&["--table", "hacktracker=no spaces"], 1, "hacktracker can't have the table"),
        (&["--table", "hacktracker=x{environment}y{other}"], 1, "hacktracker can't have the table"),
        (&["--table", "hacktracker=one", "--table", "btl-run=one"], 1, "can't share the table one"),
        (&["--environment", "Prod/1"], 2, "an environment has letters"),
        (&["--cors-origin", "*"], 2, "such as https://app.example.org"),
        (&["--cors-origin", "example.org"], 2, "such as https://app.example.org"),
        (&["--services", "chess"], 2, "there is no service \"chess\""),
        (&["--services", "btl-run", "--table", "hacktracker=abc"], 1, "add --services hacktracker"),
        (&["--services", "none", "--backfill"], 1, "--backfill has no effect without a service"),
        (
            &["--services", "none", "--narrator", "http://127.0.0.1:1", "--narrator-model", "m"],
            1,
            "--narrator has no effect",
        ),
        (&["--services", "none", "--services-listen", "0"], 1, "--services-listen has no effect"),
        (
            &["--backend", "dynamodb", "--relaxed", "5ms"],
            1,
            "--relaxed is for the embedded database",
        ),
        (
            &["--backend", "dynamodb", "--allow-anonymous"],
            1,
            "--allow-anonymous is for the embedded",
        ),
        (&["--backend", "dynamodb", "--services", "none"], 1, "add --services all"),
        (
            &["--endpoint-url", "http://127.0.0.1:1"],
            1,
            "--endpoint-url has no effect on the embedded",
        ),
        (&["--endpoint-url", "ftp://127.0.0.1:1"], 2, "begins with http:// or https://"),
        (&["--create-tables"], 1, "--create-tables has no effect on the embedded"),
        (
            &["--backend", "alternator"],
            1,
            "  hacktracker: transactions: each command writes all its rows, or none",
        ),
        #[cfg(not(feature = "cloud"))]
        (&["--backend", "dynamodb"], 1, "cargo build --release --features cloud"),
    ] {
        let mut all = vec!["serve", "--data", folder];
        if !arguments.contains(&"--listen") {
            all.extend(["--listen", "0"]);
        }
        if !arguments.contains(&"--services") {
            all.extend(OPEN);
        }
        let ended = run(&[&all, arguments].concat());
        assert_eq!(ended.code, Some(code), "{arguments:?}: {}", ended.errors);
        assert!(ended.errors.contains(text), "{arguments:?}: {}", ended.errors);
        assert!(!directory.exists(), "{arguments:?}");
    }
    place.remove().unwrap();
}

#[test]
fn personal_data_needs_a_key_apart_from_it() {
    let place = place();
    let directory = place.database();
    let data = directory.to_str().unwrap();
    let serve = ["serve", "--listen", "0", "--data", data, "--services", "codekurukshetra"];
    let ended = run(&serve);
    assert_eq!(ended.code, Some(1), "{}", ended.errors);
    assert!(ended.errors.contains("--field-keys KEYS"), "{}", ended.errors);
    assert!(!directory.exists(), "nothing was written");
    let short = place.file("short");
    std::fs::write(&short, "01234567890123456789012345678901\nshort\n").unwrap();
    let ended = run(&[&serve[..], &["--field-keys", short.to_str().unwrap()]].concat());
    assert_eq!(ended.code, Some(1), "{}", ended.errors);
    assert!(ended.errors.contains("key 2 for encrypted fields has 5 bytes"), "{}", ended.errors);
    assert!(!directory.exists(), "nothing was written");
    drop(Server::start_with(Data::Memory, &["--quiet", "--services", "codekurukshetra"]));
    drop(Server::start_with(Data::Directory(&directory), &["--quiet", "--demo"]));
    let kept = directory.join("field-keys");
    let mode = std::os::unix::fs::PermissionsExt::mode(&kept.metadata().unwrap().permissions());
    assert_eq!(mode & 0o077, 0);
    let before = std::fs::read(&kept).unwrap();
    // From now on the directory has a key.
    let flags = ["--quiet", "--services", "codekurukshetra"];
    drop(Server::start_with(Data::Directory(&directory), &flags));
    assert_eq!(std::fs::read(&kept).unwrap(), before);
    place.remove().unwrap();
}

#[test]
fn every_file_of_a_directory_is_in_the_document_of_the_format() {
    let format = include_str!("../../../../docs/format.md");
    let tree = format.split("```").nth(1).unwrap();
    let place = place();
    let directory = place.database();
    drop(Server::start_with(Data::Directory(&directory), &["--quiet", "--demo"]));
    for entry in std::fs::read_dir(&directory).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(tree.contains(&format!("── {name}")), "docs/format.md does not name {name}");
    }
    place.remove().unwrap();
}
