//! Services on DynamoDB's API, which another server of ours answers: started, refused, several side by side, and
//! without an answer.

mod request;
mod side_by_side;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use monotable_testkit::crash::place::Place;
use serde_json::{Value, json};

use self::request::{Method, send};
use crate::process::{Data, Ended, Server, Signal, place, run_in};

/// An endpoint, and the directory with the secrets of the services on it.
struct Cloud {
    endpoint: Server,
    place: Place,
}

impl Cloud {
    fn new() -> Self {
        Self { endpoint: Server::start(Data::Memory), place: place() }
    }

    /// The arguments of a server whose services keep their tables at the endpoint.
    fn arguments(&self, more: &[&str]) -> Vec<OsString> {
        let directory = self.place.database();
        let fixed = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--backend",
            "dynamodb",
            "--endpoint-url",
            self.endpoint.url(),
            "--region",
            "us-east-1",
            "--services",
            "hacktracker,3fc",
            "--development-identity",
            "--writes-per-second",
            "100000",
            "--quiet",
            "--data",
        ];
        let fixed = fixed.iter().map(OsString::from);
        fixed.chain([directory.into_os_string()]).chain(more.iter().map(OsString::from)).collect()
    }

    fn start(&self, more: &[&str]) -> Server {
        Server::spawn_in(&self.arguments(more), &keys(&self.place.database()))
    }

    fn refused(&self, more: &[&str]) -> Ended {
        run_in(&self.arguments(more), &keys(&self.place.database()))
    }

    /// Stops the endpoint and removes the directory; one of a failed test stays, to be looked at.
    fn end(self) {
        drop(self.endpoint);
        self.place.remove().unwrap();
    }

    fn tables(&self) -> Value {
        self.endpoint.client().done("ListTables", &json!({}))["TableNames"].clone()
    }
}

/// Keys for an endpoint that checks none, and no settings of whoever runs the tests.
fn keys(directory: &Path) -> Vec<(&'static str, OsString)> {
    let nowhere = directory.join("nowhere").into_os_string();
    vec![
        ("AWS_ACCESS_KEY_ID", "any".into()),
        ("AWS_SECRET_ACCESS_KEY", "any".into()),
        ("AWS_CONFIG_FILE", nowhere.clone()),
        ("AWS_SHARED_CREDENTIALS_FILE", nowhere),
        ("AWS_EC2_METADATA_DISABLED", "true".into()),
    ]
}

#[test]
fn tables_are_created_only_on_demand_and_outlive_the_server() {
    let cloud = Cloud::new();
    let refused = cloud.refused(&[]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    for part in ["add --create-tables", "hacktracker", "the table does not exist"] {
        assert!(refused.errors.contains(part), "no {part}: {}", refused.errors);
    }
    assert_eq!(cloud.tables(), json!([]));

    let mut server = cloud.start(&["--create-tables"]);
    let greeting = server.greeting();
    let place = format!("DynamoDB at {}, region us-east-1", cloud.endpoint.url());
    assert!(greeting.contains(&place) && !greeting.contains("try"), "{greeting}");
    assert_eq!(cloud.tables(), json!(["3fc-dev-app", "hacktracker-dev"]));
    let described = json!({ "TableName": "3fc-dev-app" });
    let expiry = cloud.endpoint.client().done("DescribeTimeToLive", &described);
    assert_eq!(expiry["TimeToLiveDescription"]["TimeToLiveStatus"], "ENABLED");

    let team = json!({ "name": "Gulls", "teamType": "MANAGED" });
    let made = send(server.url(), Method::Post, "/hacktracker/teams", "ann", Some(&team)).unwrap();
    assert_eq!(made.status, 201, "{}", made.body);
    let path = format!("/hacktracker/teams/{}", made.json()["teamId"].as_str().unwrap());
    server.kill();

    let server = cloud.start(&[]);
    let read = send(server.url(), Method::Get, &path, "ann", None).unwrap();
    assert_eq!((read.status, &read.json()["name"]), (200, &json!("Gulls")), "{}", read.body);
    // There is no database behind its address.
    for (path, status) in [("/health", 200), ("/ready", 200), ("/metrics", 200), ("/other", 404)] {
        let page = send(server.url(), Method::Get, path, "ann", None).unwrap();
        assert_eq!(page.status, status, "{path}: {}", page.body);
    }
    let operation = json!({ "TableName": "hacktracker-dev" });
    let answer = send(server.url(), Method::Post, "/", "ann", Some(&operation)).unwrap();
    assert_eq!(answer.status, 404, "{}", answer.body);
    server.kill();
    cloud.end();
}

#[test]
fn a_table_of_somebody_else_stays_as_it_is() {
    let cloud = Cloud::new();
    let table = json!({
        "TableName": "hacktracker-dev",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{ "AttributeName": "id", "KeyType": "HASH" }],
        "AttributeDefinitions": [{ "AttributeName": "id", "AttributeType": "S" }],
    });
    let mut client = cloud.endpoint.client();
    client.done("CreateTable", &table);
    let described = json!({ "TableName": "hacktracker-dev" });
    let before = client.done("DescribeTable", &described);
    let refused = cloud.refused(&["--create-tables"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    for part in ["the primary key is (id), not (PK, SK)", "index GSI1 is missing"] {
        assert!(refused.errors.contains(part), "no {part}: {}", refused.errors);
    }
    assert_eq!(client.done("DescribeTable", &described), before);
    cloud.end();
}

#[test]
fn a_time_to_live_is_switched_on_in_a_new_table_and_not_in_one_with_rows() {
    let cloud = Cloud::new();
    drop(cloud.start(&["--create-tables"]));
    let mut client = cloud.endpoint.client();
    let disable = json!({
        "TableName": "3fc-dev-app",
        "TimeToLiveSpecification": { "AttributeName": "ttlEpoch", "Enabled": false },
    });
    client.done("UpdateTimeToLive", &disable);
    let put = json!({
        "TableName": "3fc-dev-app",
        "Item": { "pk": { "S": "a" }, "sk": { "S": "b" } },
    });
    client.done("PutItem", &put);
    let refused = cloud.refused(&["--create-tables"]);
    assert!(
        refused.errors.contains("time to live is off, not on for ttlEpoch"),
        "{}",
        refused.errors
    );
    let key = json!({ "pk": { "S": "a" }, "sk": { "S": "b" } });
    client.done("DeleteItem", &json!({ "TableName": "3fc-dev-app", "Key": key }));
    cloud.start(&["--create-tables"]).kill();
    cloud.end();
}

#[test]
fn services_without_their_backend_say_when_to_come_again() {
    let cloud = Cloud::new();
    let server = cloud.start(&["--create-tables"]);
    let teams = || send(server.url(), Method::Get, "/hacktracker/teams", "ann", None).unwrap();
    assert_eq!(teams().status, 200);
    let assert_unavailable = || {
        let answer = teams();
        assert_eq!(answer.status, 503, "{}", answer.body);
        assert_eq!(answer.header("retry-after"), Some("1"));
        assert!(answer.body.contains("try again"), "{}", answer.body);
    };
    // It is there and does not answer.
    cloud.endpoint.tell(Signal::Stop);
    assert_unavailable();
    cloud.endpoint.tell(Signal::Continue);
    while teams().status != 200 {}
    // It is gone.
    let Cloud { endpoint, place } = cloud;
    drop(endpoint);
    assert_unavailable();
    drop(server);
    place.remove().unwrap();
}

#[test]
fn a_directory_moves_to_an_endpoint_and_back() {
    let cloud = Cloud::new();
    let (local, back) = (place(), place());
    let arguments = ["--services", "hacktracker,3fc", "--development-identity", "--quiet"];
    let server = Server::start_with(Data::Directory(&local.database()), &arguments);
    let team = json!({ "name": "Gulls", "teamType": "MANAGED" });
    let made = send(server.url(), Method::Post, "/hacktracker/teams", "ann", Some(&team)).unwrap();
    let path = format!("/hacktracker/teams/{}", made.json()["teamId"].as_str().unwrap());
    server.kill();

    let copy = |from: &OsStr, to: &OsStr, what: &[&str]| {
        let state = back.file("state.json");
        let fixed = [OsStr::new("copy"), OsStr::new("--from"), from, OsStr::new("--to"), to];
        let named = ["--region", "us-east-1", "--state"].map(OsStr::new);
        let more = what.iter().map(OsStr::new);
        let all: Vec<&OsStr> =
            fixed.into_iter().chain(named).chain([state.as_os_str()]).chain(more).collect();
        let ended = run_in(&all, &keys(&local.database()));
        assert_eq!(ended.code, Some(0), "{}", ended.errors);
        ended.output
    };
    let url = OsStr::new(cloud.endpoint.url());
    let both = ["--services", "hacktracker,3fc"];
    let there = copy(local.database().as_os_str(), url, &both);
    let server = cloud.start(&[]);
    let read = send(server.url(), Method::Get, &path, "ann", None).unwrap();
    assert_eq!((read.status, &read.json()["name"]), (200, &json!("Gulls")), "{}", read.body);
    drop(server);

    // All tables of an address: its rows are those of the directory, so the digest is the same.
    let here = copy(url, back.database().as_os_str(), &[]);
    let sorted = |lines: &str| lines.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(sorted(&here), sorted(&there));
    let server = Server::start_with(Data::Directory(&back.database()), &arguments);
    let read = send(server.url(), Method::Get, &path, "ann", None).unwrap();
    assert_eq!(read.status, 200, "{}", read.body);
    drop(server);
    for place in [local, back] {
        place.remove().unwrap();
    }
    cloud.end();
}
