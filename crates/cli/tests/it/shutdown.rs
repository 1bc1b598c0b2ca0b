//! A server that is asked to stop while clients write: what it has acknowledged is there afterwards.

use std::os::unix::net::UnixDatagram;
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::items::{create_table, put, scan};
use crate::process::{Data, Server, Signal, assert_whole, place};

const CLIENTS: usize = 8;
/// After so many writes the server is asked to stop.
const WRITES_MIN: usize = 200;

fn stop_under_load(signal: Signal) {
    let place = place();
    let directory = place.database();
    let server = Server::start(Data::Directory(&directory));
    create_table(&mut server.client());
    let (acknowledge, acknowledged) = channel();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let mut client = server.client();
            let acknowledge = acknowledge.clone();
            std::thread::spawn(move || {
                for round in 0.. {
                    let id = format!("{number}-{round}");
                    let Some(answer) = client.try_ask("PutItem", &put(&id, round)) else { break };
                    assert_eq!(answer.status, 200, "{}", answer.body);
                    acknowledge.send(id).unwrap();
                }
            })
        })
        .collect();
    drop(acknowledge);
    let mut ids: Vec<String> = acknowledged.iter().take(WRITES_MIN).collect();
    server.tell(signal);
    let ended = server.wait();
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""), "{signal:?}");
    assert!(ended.output.ends_with("Stopped.\n"), "{}", ended.output);
    ids.extend(acknowledged);
    for client in clients {
        client.join().unwrap();
    }
    assert_whole(&directory);
    let server = Server::start(Data::Directory(&directory));
    let items = scan(&mut server.client());
    for id in &ids {
        assert!(items.contains_key(id), "{id} was acknowledged before {signal:?}");
    }
    // At most the last request of each client was done without an answer.
    assert!(items.len() <= ids.len() + CLIENTS, "{} items, {} known", items.len(), ids.len());
    drop(server);
    place.remove().unwrap();
}

#[test]
fn ctrl_c_loses_nothing() {
    stop_under_load(Signal::Interrupt);
}

#[test]
fn a_service_manager_loses_nothing() {
    stop_under_load(Signal::Terminate);
}

#[test]
fn a_service_manager_hears_of_readiness_life_and_the_end() {
    let place = place();
    let path = place.file("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let environment = [
        ("NOTIFY_SOCKET", path.clone().into_os_string()),
        ("WATCHDOG_USEC", "100000".into()),
        ("MONOTABLE_SERVE_MEMORY", "true".into()),
        ("MONOTABLE_SERVE_LISTEN", "127.0.0.1:0".into()),
    ];
    let server = Server::spawn_in(&["serve"], &environment);
    let hear = || {
        let mut text = [0; 64];
        let length = socket.recv(&mut text).unwrap();
        String::from_utf8(text[..length].to_vec()).unwrap()
    };
    // The first sign of life may come before the socket is served.
    let mut heard = vec![hear(), hear()];
    heard.sort();
    assert_eq!(heard, ["READY=1", "WATCHDOG=1"]);
    assert_eq!(hear(), "WATCHDOG=1");
    server.tell(Signal::Terminate);
    let mut last = hear();
    while last == "WATCHDOG=1" {
        last = hear();
    }
    assert_eq!(last, "STOPPING=1");
    let ended = server.wait();
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""));
    place.remove().unwrap();
}
