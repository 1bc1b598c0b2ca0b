//! Servers that start, and those that must not: with a code that scripts see and a text that says
//! what to do.

use std::fs;
use std::path::Path;

use crate::items::{create_table, get, put};
use crate::process::{Data, Server, Signal, assert_whole, place, run};

/// The code 1, nothing on standard output, and this on standard error.
#[track_caller]
fn refuses(arguments: &[&str], text: &str) {
    let ended = run(arguments);
    assert_eq!((ended.code, &*ended.output), (Some(1), ""), "{}", ended.errors);
    assert_eq!(ended.errors, format!("error: {text}\n"));
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_new_directory_becomes_a_database_and_an_existing_one_is_kept() {
    let place = place();
    let directory = place.database();
    let server = Server::start(Data::Directory(&directory));
    let mut client = server.client();
    create_table(&mut client);
    client.done("PutItem", &put("a", 1));
    server.tell(Signal::Terminate);
    assert_eq!(server.wait().code, Some(0));
    assert_whole(&directory);
    let server = Server::start(Data::Directory(&directory));
    assert_eq!(server.client().done("GetItem", &get("a"))["Item"]["n"]["N"], "1");
    drop(server);
    // An empty directory is as good as none.
    place.clear().unwrap();
    fs::create_dir(&directory).unwrap();
    create_table(&mut Server::start(Data::Directory(&directory)).client());
    assert_whole(&directory);
    place.remove().unwrap();
}

#[test]
fn a_directory_is_used_by_one_server_at_a_time() {
    let place = place();
    let directory = place.database();
    let server = Server::start(Data::Directory(&directory));
    let text_of_lock = format!(
        "the database in {} is in use by another process; stop that process, or choose another \
         directory",
        directory.display()
    );
    refuses(&["serve", "--listen", "127.0.0.1:0", "--data", text(&directory)], &text_of_lock);
    refuses(&["check", text(&directory)], &text_of_lock);
    create_table(&mut server.client());
    server.kill();
    assert_whole(&directory);
    place.remove().unwrap();
}

#[test]
fn what_is_no_database_is_left_alone() {
    let place = place();
    let file = place.file("file");
    fs::write(&file, "mine").unwrap();
    let of_file = format!("{} is a file; give a directory", file.display());
    refuses(&["serve", "--listen", "127.0.0.1:0", "--data", text(&file)], &of_file);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    let folder = place.file("folder");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("letter"), "mine").unwrap();
    let of_folder = format!(
        "{} holds files but no Monotable database; give an empty or new directory",
        folder.display()
    );
    refuses(&["serve", "--listen", "127.0.0.1:0", "--data", text(&folder)], &of_folder);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    place.remove().unwrap();
}

#[test]
fn a_port_is_used_by_one_server_at_a_time() {
    let server = Server::start(Data::Memory);
    let address = server.url().strip_prefix("http://").unwrap();
    let ended = run(&["serve", "--memory", "--listen", address]);
    assert_eq!((ended.code, &*ended.output), (Some(1), ""));
    let begin = format!("error: can't listen on {address}: ");
    assert!(ended.errors.starts_with(&begin), "{}", ended.errors);
    let advice = ". Choose another address with --listen.";
    assert!(ended.errors.contains(advice), "{}", ended.errors);
    create_table(&mut server.client());
}

#[test]
fn everybody_is_kept_out_unless_there_are_keys() {
    refuses(
        &["serve", "--memory", "--listen", "0.0.0.0:0"],
        "refusing to listen on 0.0.0.0:0 without credentials: everybody who can reach it could \
         read and change all data. Pass --credentials FILE, or listen on the loopback (127.0.0.1).",
    );
}

#[test]
fn mistakes_in_arguments_are_named() {
    refuses(
        &["serve", "--memory", "--listen", "127.0.0.1:0", "--faults", "unprocessed=2"],
        "--faults: \"unprocessed=2\" is none of: index-lag=200ms, unprocessed=0.1, conflicts=0.05, \
         hot-partition=READ/WRITE units, no-ttl: a share is between 0 and 1",
    );
    refuses(
        &["serve", "--memory", "--listen", "127.0.0.1:0", "--credentials", "/no/such/file"],
        "/no/such/file: can't be read: No such file or directory (os error 2)",
    );
    let place = place();
    let file = place.file("keys.toml");
    fs::write(&file, "\n[[key]]\naccess_key = \"x\"\n").unwrap();
    let ended = run(&["serve", "--memory", "--credentials", text(&file)]);
    assert_eq!((ended.code, &*ended.output), (Some(1), ""), "{}", ended.errors);
    let error = format!("error: {}, line 3: access_key must have 3 to 128 letters", file.display());
    assert!(ended.errors.lines().any(|line| line.starts_with(&error)), "{}", ended.errors);
    place.remove().unwrap();
}

#[test]
fn a_check_needs_a_database() {
    let place = place();
    let missing = place.database();
    let error = format!("there is no database in {}: nothing to check", missing.display());
    refuses(&["check", text(&missing)], &error);
    assert!(!missing.exists(), "a check creates nothing");
    fs::create_dir(&missing).unwrap();
    refuses(&["check", text(&missing)], &error);
    assert_eq!(fs::read_dir(&missing).unwrap().count(), 0, "nor in an empty directory");
    place.remove().unwrap();
}
