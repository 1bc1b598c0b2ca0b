//! A server with keys: who has one is served, others change nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use monotable_load::{Credentials, Keys};

use crate::items::{create_table, get, put, scan};
use crate::process::{Data, Server, Signal, place};

const FILE: &str = r#"
[[key]]
access_key = "AKIAADMINISTRATOR"
secret_key = "a secret that nobody guesses"
tables = ["*"]
actions = ["*"]

[[key]]
access_key = "AKIAREADER"
secret_key = "another secret that nobody guesses"
name = "reader"
tables = ["items"]
actions = ["GetItem"]
"#;

fn keys(access_key: &str, secret_key: &str) -> Credentials {
    let (access_key, secret_key) = (access_key.to_owned(), secret_key.to_owned());
    let keys = Some(Keys { access_key, secret_key, session_token: None });
    Credentials { keys, ..Credentials::default() }
}

#[test]
fn only_keys_of_the_file_are_served_and_only_as_it_says() {
    let place = place();
    let file = place.file("keys.toml");
    fs::write(&file, FILE).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let server = Server::start_with(Data::Memory, &["--credentials", file.to_str().unwrap()]);
    let administrator = || keys("AKIAADMINISTRATOR", "a secret that nobody guesses");
    let mut client = server.client_with(administrator());
    create_table(&mut client);
    client.done("PutItem", &put("a", 1));

    let strangers = [
        (keys("AKIASTRANGER", "a secret that nobody guesses"), "UnrecognizedClientException"),
        (keys("AKIAADMINISTRATOR", "a secret guessed"), "InvalidSignatureException"),
        (keys("AKIAREADER", "a secret that nobody guesses"), "InvalidSignatureException"),
        // Well formed, but not computed, and of a key that is not there.
        (Credentials::default(), "UnrecognizedClientException"),
    ];
    for (credentials, exception) in strangers {
        let mut stranger = server.client_with(credentials);
        for (operation, request) in [("PutItem", put("a", 2)), ("GetItem", get("a"))] {
            assert_eq!(stranger.refused(operation, &request), exception);
        }
    }
    let mut reader = server.client_with(keys("AKIAREADER", "another secret that nobody guesses"));
    assert_eq!(reader.done("GetItem", &get("a"))["Item"]["n"]["N"], "1");
    assert_eq!(reader.refused("PutItem", &put("a", 3)), "AccessDeniedException");
    let items = scan(&mut client);
    assert_eq!((items.len(), &items["a"]["n"]["N"]), (1, &"1".into()));

    server.tell(Signal::Terminate);
    let ended = server.wait();
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""));
    assert!(
        ended.output.contains("access      requests signed with a key of "),
        "{}",
        ended.output
    );
    assert!(!ended.output.contains("secret that"), "secrets are shown to nobody");
    place.remove().unwrap();
}

#[test]
fn a_file_that_others_can_read_is_warned_of() {
    let place = place();
    let file = place.file("keys.toml");
    fs::write(&file, FILE).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let server = Server::start_with(Data::Memory, &["--credentials", file.to_str().unwrap()]);
    // Who is answered knows that the server listens to signals.
    server.client().refused("GetItem", &get("a"));
    server.tell(Signal::Interrupt);
    let ended = server.wait();
    assert_eq!(ended.code, Some(0));
    assert!(ended.errors.contains("Z warning: "), "{}", ended.errors);
    assert!(!ended.errors.contains("secret that"), "secrets are shown to nobody");
    place.remove().unwrap();
}
