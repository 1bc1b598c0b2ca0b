//! The metrics of a server, and the files for Prometheus and Grafana that name them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::items::{create_table, get, put};
use crate::process::{Data, FIELD_KEYS, Server, place};
use crate::services::ask_text;

const ALERTS: &str = include_str!("../../../../docs/operations/alerts.yml");
const DASHBOARD: &str = include_str!("../../../../docs/operations/dashboard.json");

/// What names of metrics begin with.
const PREFIXES: [&str; 2] = ["monotable_", "process_"];

fn metrics(url: &str) -> String {
    let (status, text) = ask_text(url, "localhost", "GET /metrics", "");
    assert_eq!(status, 200);
    text
}

/// The names under which samples of the described metrics are found.
fn sample_names(text: &str) -> BTreeSet<String> {
    let described = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    described
        .flat_map(|(name, kind)| {
            let suffixes: &[&str] =
                if kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
            suffixes.iter().map(move |suffix| format!("{name}{suffix}"))
        })
        .collect()
}

/// The metrics that an expression of Prometheus names.
fn named(expression: &str) -> impl Iterator<Item = &str> {
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| PREFIXES.iter().any(|prefix| word.starts_with(prefix)))
}

fn values(text: &str) -> BTreeMap<&str, f64> {
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(k, v)| (k, v.parse().unwrap()))
        .collect()
}

#[test]
fn alert_rules_and_dashboard_name_metrics_that_exist() {
    let place = place();
    let log = place.file("access.log");
    let flags = ["--services", "all", "--quiet", "--field-keys", FIELD_KEYS];
    let flags = [&flags[..], &["--access-log", log.to_str().unwrap()]].concat();
    let server = Server::start_with(Data::Directory(&place.database()), &flags);
    let known = sample_names(&metrics(server.url()));
    let lines = ALERTS.lines().filter_map(|line| line.trim().strip_prefix("expr: "));
    let rules: Vec<&str> = lines.collect();
    assert_eq!(rules.len(), ALERTS.matches("- alert: ").count());
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap());
    let queries: Vec<&str> = targets.map(|target| target["expr"].as_str().unwrap()).collect();
    for expression in rules.iter().chain(&queries) {
        let names: Vec<&str> = named(expression).collect();
        assert!(!names.is_empty() || expression.starts_with("'up{"), "{expression}");
        for name in names {
            assert!(known.contains(name), "{name} of {expression} is no metric");
        }
    }
    drop(server);
    place.remove().unwrap();
}

#[test]
fn metrics_describe_process_connections_and_disk_and_are_open_to_others_at_an_address_of_their_own()
{
    let place = place();
    let flags = ["--metrics-listen", "127.0.0.1:0"];
    let mut server = Server::start_with(Data::Directory(&place.database()), &flags);
    let greeting = server.greeting();
    let line = greeting.lines().find(|line| line.contains("/metrics, for everyone")).unwrap();
    let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap();
    let mut client = server.client();
    create_table(&mut client);
    client.done("PutItem", &put("a", 1));
    client.done("GetItem", &get("a"));
    // Under a name of another machine.
    let (status, _) = ask_text(server.url(), "db.example.org", "GET /metrics", "");
    assert_eq!(status, 403);
    let url = format!("http://{address}");
    let (status, text) = ask_text(&url, "db.example.org", "GET /metrics", "");
    assert_eq!(status, 200);
    let values = values(&text);
    let version = format!("monotable_build_info{{version=\"{}\",", env!("CARGO_PKG_VERSION"));
    assert!(values.keys().any(|name| name.starts_with(&version)), "{text}");
    let at_least = |name: &str, least: f64| {
        let value = values.get(name).unwrap_or_else(|| panic!("{name} is missing: {text}"));
        assert!(*value >= least, "{name} is {value}");
    };
    // The client's, which is kept, and the one that asks.
    at_least("monotable_connections", 2.0);
    at_least("monotable_connections_total", 2.0);
    at_least("monotable_connections_max", 100.0);
    at_least("monotable_disk_used_bytes", 1.0);
    at_least("monotable_disk_size_bytes", values["monotable_disk_free_bytes"]);
    at_least("monotable_compactions_total", 0.0);
    at_least("monotable_unmerged_runs_max", 1.0);
    at_least("process_start_time_seconds", 1.7e9);
    at_least("process_cpu_seconds_total", 0.0);
    assert_eq!(values["monotable_writes_stopped"], 0.0);
    if cfg!(target_os = "linux") {
        at_least("process_resident_memory_bytes", 1e6);
        at_least("process_open_fds", 5.0);
        at_least("process_threads", 2.0);
    }
    drop(server);
    place.remove().unwrap();
}

#[test]
fn provisioned_units_are_shown() {
    let server = Server::start(Data::Memory);
    let units = json!({
        "BillingMode": "PROVISIONED",
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 7},
    });
    crate::items::create(&mut server.client(), units);
    let text = metrics(server.url());
    for (kind, units) in [("read", 5), ("write", 7)] {
        let line = format!(
            "monotable_provisioned_units{{table=\"items\",index=\"\",kind=\"{kind}\"}} {units}"
        );
        assert!(text.lines().any(|shown| shown == line), "{line} in {text}");
    }
}

#[test]
fn throttled_actions_of_transactions_count_as_throttled_requests() {
    let server = Server::start_with(Data::Memory, &["--faults", "hot-partition=3000/1"]);
    let mut client = server.client();
    create_table(&mut client);
    // An action of a transaction costs two units, so that it is throttled alone.
    let actions = json!({ "TransactItems": [{ "Put": put("b", 1) }] });
    assert_eq!(client.refused("TransactWriteItems", &actions), "TransactionCanceledException");
    let statement = "INSERT INTO items VALUE {'id': 'c'}";
    let statements = json!({ "TransactStatements": [{ "Statement": statement }] });
    assert_eq!(client.refused("ExecuteTransaction", &statements), "TransactionCanceledException");
    let text = metrics(server.url());
    let values = values(&text);
    for operation in ["TransactWriteItems", "ExecuteTransaction"] {
        let name = format!("monotable_throttled_requests_total{{operation=\"{operation}\"}}");
        assert_eq!(values.get(name.as_str()), Some(&1.0), "{name} in {text}");
    }
}
