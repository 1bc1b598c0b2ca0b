//! `monotable backup`, `restore` and `check` on directories, and backups that a server makes by itself.

use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::items::{TABLE, create, create_table, put, scan};
use crate::process::{Data, Ended, Server, Signal, assert_whole, place, run};

/// Runs a command with its paths.
fn command(words: &[&str], paths: &[(&str, &Path)]) -> Ended {
    let mut arguments: Vec<OsString> = words.iter().map(OsString::from).collect();
    for (flag, path) in paths {
        arguments.extend([OsString::from(flag), path.as_os_str().to_owned()]);
    }
    run(&arguments)
}

#[track_caller]
fn succeeded(ended: Ended) -> String {
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""), "{}", ended.output);
    ended.output
}

#[track_caller]
fn refused(ended: Ended, text: &str) {
    assert_eq!(ended.code, Some(1), "{}", ended.output);
    assert!(ended.errors.contains(text), "{}", ended.errors);
}

/// The only directory in another.
fn only(directory: &Path) -> PathBuf {
    let mut entries = fs::read_dir(directory).unwrap();
    let path = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none(), "{}", directory.display());
    path
}

/// The body of a page of a server.
fn page(server: &Server, path: &str) -> String {
    let host = server.url().strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text.split_once("\r\n\r\n").unwrap().1.to_owned()
}

#[test]
fn a_backup_is_made_checked_and_restored_by_commands() {
    let place = place();
    let (data, backups, into) = (place.database(), place.file("backups"), place.file("restored"));
    let server = Server::start(Data::Directory(&data));
    let mut client = server.client();
    create(&mut client, json!({"DeletionProtectionEnabled": true}));
    for number in 0..50 {
        client.done("PutItem", &put(&format!("item {number}"), number));
    }
    let before = scan(&mut client);
    let in_use = command(&["backup"], &[("--data", &data), ("--to", &backups)]);
    refused(in_use, "is a server using it?");
    server.tell(Signal::Terminate);
    server.wait();
    fs::create_dir(data.join("blobs")).unwrap();
    fs::write(data.join("blobs/a"), "picture").unwrap();

    let paths: [(&str, &Path); 2] = [("--data", &data), ("--to", &backups)];
    let output = succeeded(command(&["backup", "--name", "first"], &paths));
    assert!(output.starts_with("items: 50 items, digest "), "{output}");
    let backup = only(&backups);
    let whole = run(&["check".as_ref(), backup.as_os_str()]);
    assert!(succeeded(whole).contains("\nWhole: "));
    let restored = succeeded(command(&["restore"], &[("--from", &backups), ("--into", &into)]));
    assert!(restored.contains("every item, index entry and file is right"), "{restored}");
    assert_whole(&into);
    assert_eq!(fs::read_to_string(into.join("blobs/a")).unwrap(), "picture");
    let again = command(&["restore"], &[("--from", &backups), ("--into", &into)]);
    refused(again, "already contains files");
    let server = Server::start(Data::Directory(&into));
    assert_eq!(scan(&mut server.client()), before);
    let protected = server.client().refused("DeleteTable", &json!({"TableName": TABLE}));
    assert_eq!(protected, "ValidationException");
    drop(server);

    let rows = backup.join("rows-00000");
    let mut bytes = fs::read(&rows).unwrap();
    bytes[100] ^= 4;
    fs::write(&rows, bytes).unwrap();
    refused(run(&["check".as_ref(), backup.as_os_str()]), "rows-00000");
    let elsewhere = place.file("elsewhere");
    let damaged = command(&["restore"], &[("--from", &backup), ("--into", &elsewhere)]);
    refused(damaged, "rows-00000");
    assert!(!elsewhere.exists());
    let too_early =
        command(&["restore", "--at", "1000"], &[("--from", &backups), ("--into", &elsewhere)]);
    refused(too_early, "has no backup of that time");
    let none = command(&["restore"], &[("--from", &data), ("--into", &elsewhere)]);
    refused(none, "is a database, not a backup");
    place.remove().unwrap();
}

#[test]
fn a_server_makes_backups_and_drills_and_shows_them() {
    let place = place();
    let (data, backups) = (place.database(), place.file("backups"));
    let to = backups.to_str().unwrap();
    let schedule = ["--backup-every", "24h", "--backup-to", to, "--drill-every", "24h"];
    let first = Server::start(Data::Directory(&data));
    create_table(&mut first.client());
    first.client().done("PutItem", &put("a", 1));
    first.tell(Signal::Terminate);
    first.wait();
    let mut server = Server::start_with(Data::Directory(&data), &schedule);
    assert!(server.greeting().contains("backups     every 1d in "));
    // The first backup and the first drill are due at once.
    while !page(&server, "/ready").contains("the last drill passed") {
        std::thread::yield_now();
    }
    assert!(page(&server, "/ready").starts_with("ready\nThe newest backup is "));
    let metrics = page(&server, "/metrics");
    for line in
        ["monotable_drill_passed 1\n", "monotable_drill_items 1\n", "monotable_backup_failing 0\n"]
    {
        assert!(metrics.contains(line), "{metrics}");
    }
    let listed = server.client().done("ListBackups", &json!({"BackupType": "AWS_BACKUP"}));
    assert_eq!(listed["BackupSummaries"][0]["TableName"], TABLE);
    server.kill();
    let into = place.file("restored");
    succeeded(command(&["restore"], &[("--from", &only(&backups)), ("--into", &into)]));
    assert_whole(&into);
    place.remove().unwrap();
}

#[test]
fn flags_of_backups_need_each_other() {
    for (flags, text) in [
        (&["--backup-every", "24h"][..], "--backup-to"),
        (&["--backup-to", "x", "--drill-every", "24h"], "--backup-every"),
        (&["--backup-to", "x", "--backup-every", "1s"], "a minute at least"),
        (&["--buckets", "nowhere"], "is not a directory"),
    ] {
        let ended = run(&[&["serve", "--memory", "--listen", "127.0.0.1:0"], flags].concat());
        assert_ne!(ended.code, Some(0), "{flags:?}");
        assert!(ended.errors.contains(text), "{flags:?}: {}", ended.errors);
    }
}
