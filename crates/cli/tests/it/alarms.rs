//! Alarms of a server: they fire, they clear, and both are reported.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::items::{create_table, put};
use crate::process::{Data, Server, Signal, place, run};
use crate::services::ask_text;

/// Far beyond what anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);
/// The alarm of the design of CodeKurukshetra, as it is printed there.
const PRINTED: &str = r#"{
  "MetricName": "ThrottledRequests",
  "Threshold": 10,
  "ComparisonOperator": "GreaterThanThreshold",
  "AlarmActions": ["arn:aws:sns:region:account:topic"]
}"#;

/// Receives webhooks; returns its address and what it is sent.
fn receiver() -> (String, Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (reports, received) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if line == "\r\n" {
                    break;
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            stream.get_mut().write_all(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap();
            if reports.send(serde_json::from_slice(&body).unwrap()).is_err() {
                return;
            }
        }
    });
    (url, received)
}

fn firing(server: &Server) -> bool {
    let (_, text) = ask_text(server.url(), "localhost", "GET /metrics", "");
    text.contains("monotable_alarm_firing{alarm=\"ThrottledRequests\"} 1")
}

#[test]
fn an_alarm_fires_and_clears_and_a_webhook_gets_both() {
    let place = place();
    let file = place.file("alarms.json");
    let mut alarm: Value = serde_json::from_str(PRINTED).unwrap();
    alarm["OKActions"] = alarm["AlarmActions"].clone();
    alarm["Period"] = 1.into();
    fs::write(&file, json!([alarm]).to_string()).unwrap();
    let (url, received) = receiver();
    let topic = format!("arn:aws:sns:region:account:topic={url}");
    let flags = ["--alarms", file.to_str().unwrap(), "--alarm-topic", &topic];
    // Every second write of the partition is throttled, or more of them.
    let flags = [&flags[..], &["--faults", "hot-partition=3000/1"]].concat();
    let server = Server::start_with(Data::Memory, &flags);
    let mut client = server.client();
    create_table(&mut client);
    assert!(!firing(&server));
    let fired = loop {
        for _ in 0..20 {
            client.ask("PutItem", &put("a", 1));
        }
        if let Ok(report) = received.try_recv() {
            break report;
        }
    };
    assert_eq!(
        (&fired["AlarmName"], &fired["NewStateValue"]),
        (&"ThrottledRequests".into(), &"ALARM".into())
    );
    assert_eq!(fired["OldStateValue"], "OK");
    assert_eq!(fired["Trigger"]["Threshold"], 10.0);
    let cleared = received.recv_timeout(PATIENCE).unwrap();
    assert_eq!(
        (&cleared["OldStateValue"], &cleared["NewStateValue"]),
        (&"ALARM".into(), &"OK".into())
    );
    assert!(!firing(&server));
    server.tell(Signal::Terminate);
    let errors = server.wait().errors;
    let lines: Vec<&str> = errors.lines().collect();
    assert!(lines[0].contains("Z warning: alarm ALARM: ThrottledRequests: "), "{errors}");
    assert!(lines[1].contains("Z warning: alarm OK: ThrottledRequests: "), "{errors}");
    place.remove().unwrap();
}

#[test]
fn the_alarm_of_a_design_is_accepted_as_it_is_printed() {
    let place = place();
    let file = place.file("alarms.json");
    fs::write(&file, PRINTED).unwrap();
    let server = Server::start_with(Data::Memory, &["--alarms", file.to_str().unwrap()]);
    assert!(!firing(&server));
    server.tell(Signal::Terminate);
    let errors = server.wait().errors;
    assert!(
        errors.contains("are only logged; add --alarm-topic arn:aws:sns:region:account:topic=URL")
    );
    place.remove().unwrap();
}

#[test]
fn alarms_are_reported_by_e_mail() {
    let place = place();
    let (file, directory) = (place.file("alarms.json"), place.database());
    let alarm = json!({"AlarmName": "disk", "MetricName": "DiskFreePercent", "Threshold": 101, "Period": 1,
                       "ComparisonOperator": "LessThanThreshold",
                       "AlarmActions": ["mailto:ops@example.org"]});
    fs::write(&file, alarm.to_string()).unwrap();
    let flags = ["--alarms", file.to_str().unwrap()];
    let server = Server::start_with(Data::Directory(&directory), &flags);
    let mails = directory.join("mail");
    let text = loop {
        let mut files = fs::read_dir(&mails).into_iter().flatten().map(|file| file.unwrap().path());
        if let Some(text) = files.find_map(|file| fs::read_to_string(file).ok())
            && text.contains("ALARM: disk")
        {
            break text;
        }
        std::thread::yield_now();
    };
    assert!(text.contains("ops@example.org"), "{text}");
    drop(server);
    place.remove().unwrap();
}

#[test]
fn alarms_that_can_not_be_used_are_explained_before_anything_is_written() {
    let place = place();
    let (file, fresh) = (place.file("alarms.json"), place.file("fresh"));
    let [file_text, data] = [&file, &fresh].map(|path| path.to_str().unwrap());
    let printed = |from: &str, to: &str| PRINTED.replace(from, to);
    for (text, more, expected) in [
        (printed("ThrottledRequests", "Throttles"), vec![], "there is no metric \"Throttles\""),
        (printed("arn:aws:sns:region:account:topic", "ops"), vec![], "alarms go to https://"),
        (
            printed("arn:aws:sns:region:account:topic", "mailto:x"),
            vec![],
            "is not an e-mail address",
        ),
        (PRINTED.to_owned(), vec!["--alarm-topic", "x"], "give TOPIC=URL"),
        (PRINTED.to_owned(), vec!["--alarm-topic", "x=ftp://y"], "alarms go to https://"),
    ] {
        fs::write(&file, text).unwrap();
        let flags = ["serve", "--listen", "0", "--data", data, "--alarms", file_text];
        let ended = run(&[&flags[..], &more].concat());
        assert_ne!(ended.code, Some(0));
        assert!(ended.errors.contains(expected), "{}", ended.errors);
        assert!(!fresh.exists());
    }
    let ended = run(&["serve", "--listen", "0", "--data", data, "--alarm-topic", "x=http://y"]);
    assert!(
        ended.errors.contains("--alarm-topic has no effect without alarms"),
        "{}",
        ended.errors
    );
    place.remove().unwrap();
}
