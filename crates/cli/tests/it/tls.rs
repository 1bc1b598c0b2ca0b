//! A server with a certificate: its clients, and what it reads again.

use std::fs;
use std::path::{Path, PathBuf};

use monotable_load::{Credentials, Endpoint, Error, Keys};
use serde_json::{Value, json};

use crate::client::Client;
use crate::process::{Data, FIELD_KEYS, Server, Signal, place, run};

/// The files of a certificate that a server has signed itself.
fn files(directory: &Path) -> [String; 2] {
    ["tls-certificate.pem", "tls-key.pem"].map(|name| directory.join(name).display().to_string())
}

/// Makes a certificate in a new directory.
fn make(directory: &Path) -> [String; 2] {
    drop(Server::start_with(Data::Directory(directory), &["--tls-self-signed"]));
    files(directory)
}

/// A client that trusts one certificate.
fn client(url: &str, certificate: &str, credentials: Credentials) -> Client {
    Client::new(Endpoint::parse(url, Some(Path::new(certificate))).unwrap(), credentials)
}

#[test]
fn a_self_signed_certificate_lasts_and_is_for_database_and_services() {
    let place = place();
    let directory = place.database();
    let start = || {
        let flags =
            ["--tls-self-signed", "--services", "all", "--field-keys", FIELD_KEYS, "--quiet"];
        Server::start_with(Data::Directory(&directory), &flags)
    };
    let mut server = start();
    assert!(server.url().starts_with("https://127.0.0.1:"), "{}", server.url());
    let greeting = server.greeting();
    assert!(greeting.contains(&format!(" {}/ has links", server.url())), "{greeting}");
    assert!(!greeting.contains("phone"), "nobody else can connect: {greeting}");
    let [certificate, key] = files(&directory);
    let tables =
        client(server.url(), &certificate, Credentials::default()).done("ListTables", &json!({}));
    assert_eq!(
        tables["TableNames"],
        json!([
            "3fc-dev-app",
            "ScavengerHuntData-dev",
            "btlrun_kv",
            "codekurukshetra_main",
            "hacktracker-dev"
        ])
    );
    let untrusted = Endpoint::parse(server.url(), None).unwrap();
    let error = monotable_load::Client::new(untrusted, Credentials::default())
        .call("ListTables", "{}")
        .unwrap_err();
    assert!(matches!(error, Error::NotSecure { .. }), "{error}");
    let plain = server.url().replace("https", "http");
    let (status, text) =
        monotable_load::Client::new(Endpoint::parse(&plain, None).unwrap(), Credentials::default())
            .call("ListTables", "{}")
            .unwrap();
    assert_eq!(status, 400);
    assert!(text.contains("begin its URL with https://"), "{text}");
    drop(server);
    let before = fs::read(&certificate).unwrap();
    let server = start();
    client(server.url(), &certificate, Credentials::default()).done("ListTables", &json!({}));
    assert_eq!(fs::read(&certificate).unwrap(), before);
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(key).unwrap().permissions());
    assert_eq!(mode & 0o077, 0);
    drop(server);
    place.remove().unwrap();
}

#[test]
fn a_phone_gets_the_address_as_a_code() {
    let flags =
        ["--tls-self-signed", "--services", "all", "--services-listen", "0.0.0.0:0", "--quiet"];
    let mut server = Server::start_with(Data::Memory, &flags);
    let greeting = server.greeting();
    let invitation = greeting.lines().find(|line| line.starts_with("On a phone")).unwrap();
    assert!(invitation.contains("in the same network: https://"), "{invitation}");
    assert!(!invitation.contains("0.0.0.0"), "{invitation}");
    assert!(greeting.lines().filter(|line| line.contains('█')).count() > 10, "{greeting}");
}

#[test]
fn certificates_that_can_not_be_used_are_explained_before_anything_is_written() {
    let (place, other) = (place(), place());
    let [certificate, key] = make(&place.database());
    let [_, other_key] = make(&other.database());
    let fresh = place.file("fresh");
    for (flags, expected) in [
        (vec!["--tls-cert", &certificate], "--tls-key <FILE>"),
        (vec!["--tls-cert", &certificate, "--tls-key", "/nowhere"], "error: can't read /nowhere: "),
        (
            vec!["--tls-cert", &certificate, "--tls-key", &other_key],
            "does not belong to the certificate in ",
        ),
        (vec!["--tls-cert", &key, "--tls-key", &key], "contains no certificate"),
        (
            vec!["--tls-cert", &certificate, "--tls-key", &key, "--tls-self-signed"],
            "cannot be used with",
        ),
    ] {
        let data = fresh.to_str().unwrap();
        let ended = run(&[&["serve", "--data", data, "--listen", "0"][..], &flags].concat());
        assert_ne!(ended.code, Some(0));
        assert!(ended.errors.contains(expected), "{}", ended.errors);
        assert!(!fresh.exists());
    }
    place.remove().unwrap();
    other.remove().unwrap();
}

/// Writes the keys of one user.
fn write_keys(file: &Path, access_key: &str) {
    let text = format!(
        "[[key]]\naccess_key = \"{access_key}\"\nsecret_key = \"a secret that nobody guesses\"\n\
         tables = [\"*\"]\nactions = [\"*\"]\n"
    );
    fs::write(file, text).unwrap();
    let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(file, private).unwrap();
}

fn signed(access_key: &str) -> Credentials {
    let keys = Keys {
        access_key: access_key.to_owned(),
        secret_key: "a secret that nobody guesses".to_owned(),
        session_token: None,
    };
    Credentials { keys: Some(keys), ..Credentials::default() }
}

#[test]
fn a_hangup_reads_certificate_and_credentials_again() {
    let (old, new) = (place(), place());
    let [old_certificate, old_key] = make(&old.database());
    let [new_certificate, new_key] = make(&new.database());
    let files: [PathBuf; 3] = ["cert.pem", "key.pem", "keys.toml"].map(|name| old.file(name));
    let [certificate, key, credentials] = files.each_ref().map(|file| file.to_str().unwrap());
    // Whole files only: the server may read them at any moment.
    let draft = old.file("draft.pem");
    let copy = |from: [&String; 2]| {
        for (from, to) in from.into_iter().zip([certificate, key]) {
            fs::copy(from, &draft).unwrap();
            fs::rename(&draft, to).unwrap();
        }
    };
    copy([&old_certificate, &old_key]);
    write_keys(&files[2], "AKIAOLD");
    let flags = ["--tls-cert", certificate, "--tls-key", key, "--credentials", credentials];
    let mut server = Server::start_with(Data::Memory, &flags);
    server.greeting();
    let list = json!({});
    let mut kept = client(server.url(), &old_certificate, signed("AKIAOLD"));
    kept.done("ListTables", &list);

    // Keys that do not fit: both stay as they are.
    copy([&new_certificate, &old_key]);
    write_keys(&files[2], "AKIANEW");
    server.tell(Signal::Hangup);
    copy([&new_certificate, &new_key]);
    // The first hangup may see the second pair: then it is the second that changes nothing.
    server.tell(Signal::Hangup);
    let line = server.line();
    assert_eq!(line, format!("Read {credentials} and {certificate} again.\n"));
    let mut fresh = client(server.url(), &new_certificate, signed("AKIANEW"));
    fresh.done("ListTables", &list);
    // A connection that was made before goes on, but the old key is not known any more.
    assert_eq!(kept.refused("ListTables", &list), "UnrecognizedClientException");
    let old_trust = Endpoint::parse(server.url(), Some(Path::new(&old_certificate))).unwrap();
    let refused =
        monotable_load::Client::new(old_trust, signed("AKIANEW")).call("ListTables", "{}");
    assert!(matches!(refused, Err(Error::NotSecure { .. })));
    server.tell(Signal::Terminate);
    let ended = server.wait();
    assert_eq!(ended.code, Some(0));
    assert!(
        ended.errors.is_empty()
            || ended.errors.contains("Z error: nothing is reloaded: the key in "),
        "{}",
        ended.errors
    );
    old.remove().unwrap();
    new.remove().unwrap();
}

#[test]
fn bench_speaks_https() {
    let place = place();
    let server = Server::start_with(Data::Directory(&place.database()), &["--tls-self-signed"]);
    let [certificate, _] = files(&place.database());
    let arguments = [
        ["bench", "--endpoint", server.url(), "--ca", &certificate].as_slice(),
        &["--seconds", "0.5", "--warm-up", "0", "--items", "50", "--connections", "2"],
        &["--operations", "get,query,batch", "--json"],
    ]
    .concat();
    let ended = run(&arguments);
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""));
    let report: Value = serde_json::from_str(&ended.output).unwrap();
    for figure in report["figures"].as_array().unwrap() {
        assert!(figure["requests"].as_u64().unwrap() > 0, "{figure}");
        assert_eq!(figure["errors"].as_array().map(Vec::len), Some(0), "{figure}");
    }
    place.remove().unwrap();
}
