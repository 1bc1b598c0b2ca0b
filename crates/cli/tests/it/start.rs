//! Servers that start, and those that must not: with a code that scripts see and a text that says
//! what to do.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use monotable_testkit::crash::fault::KINDS;
use monotable_testkit::crash::shim::Shim;

use crate::items::{create_table, get, put};
use crate::process::{BUILD_DIRECTORY, Data, Server, Signal, assert_whole, place, run, run_in};

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
fn everything_that_a_server_writes_is_its_owners_alone() {
    fn assert_private(path: &Path) {
        let mode = fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{}", path.display());
        if path.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| assert_private(&entry.unwrap().path()));
        }
    }
    let place = place();
    let directory = place.database();
    let server = Server::start(Data::Directory(&directory));
    create_table(&mut server.client());
    assert_private(&directory);
    server.tell(Signal::Terminate);
    assert_eq!(server.wait().errors, "");
    assert_private(&directory);
    // A directory that was opened to others is reported, and left as it is.
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o755)).unwrap();
    let server = Server::start(Data::Directory(&directory));
    server.tell(Signal::Terminate);
    let errors = server.wait().errors;
    assert!(errors.contains("is open to other users; to close it: chmod 700"), "{errors}");
    place.remove().unwrap();
}

#[test]
fn a_check_tells_whole_whole_after_recovery_and_damaged_apart() {
    let place = place();
    let directory = place.database();
    let server = Server::start(Data::Directory(&directory));
    let mut client = server.client();
    create_table(&mut client);
    for number in 0..5 {
        client.done("PutItem", &put("a", number));
    }
    server.tell(Signal::Terminate);
    server.wait();
    let check = || run(&["check", text(&directory)]);
    let ended = check();
    let whole = "Whole: every checksum, index entry and count is right.";
    assert!(ended.code == Some(0) && ended.output.ends_with(&format!("{whole}\n")), "{ended:?}");
    // As if the process had been killed while it wrote the last commit.
    let segment = directory.join("log").join("0000000001");
    let bytes = fs::read(&segment).unwrap();
    fs::write(&segment, &bytes[..bytes.len() - 10]).unwrap();
    let ended = check();
    let damaged = format!("error: Damaged: {} is damaged at byte ", segment.display());
    assert!(ended.code == Some(1) && ended.errors.starts_with(&damaged), "{ended:?}");
    fs::remove_file(directory.join("CLOSED")).unwrap();
    fs::remove_file(directory.join("SYNCED")).unwrap();
    for _ in 0..2 {
        let ended = check();
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let recovered = ended.output.lines().last().unwrap();
        assert!(recovered.starts_with("Whole after recovery: "), "{recovered}");
        assert!(
            recovered.contains("cut off what looks like one unfinished commit ("),
            "{recovered}"
        );
        assert!(recovered.contains(text(&segment)), "{recovered}");
        assert_eq!(fs::read(&segment).unwrap().len(), bytes.len() - 10, "a check cuts nothing");
    }
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    fs::write(&segment, changed).unwrap();
    let ended = check();
    assert!(ended.code == Some(1) && ended.errors.starts_with(&damaged), "{ended:?}");
    place.remove().unwrap();
}

#[test]
fn a_full_disk_at_the_start_is_named() {
    let place = place();
    let directory = place.database();
    let Some(shim) = Shim::compile(Path::new(BUILD_DIRECTORY)).unwrap() else { return };
    let full = KINDS.iter().find(|kind| kind.name == "disk-full").unwrap();
    let demo = ["serve", "--listen", "127.0.0.1:0", "--demo", "--data", text(&directory)];
    let run = |nth| {
        let report = place.file("report");
        let environment = shim.environment(&place.data(), &report, &full.settings(nth));
        let ended = run_in(&demo, &environment);
        assert_eq!((ended.code, &*ended.output), (Some(1), ""), "{}", ended.errors);
        assert!(ended.errors.contains("No space left on device"), "call {nth}: {}", ended.errors);
        assert!(ended.errors.contains("free some space"), "call {nth}: {}", ended.errors);
        assert!(ended.errors.contains(text(&directory)), "call {nth}: {}", ended.errors);
        for word in ["Error:", "Os {", "try again"] {
            assert!(!ended.errors.contains(word), "call {nth}: {}", ended.errors);
        }
    };
    // While the database is made.
    run(1);
    run(20);
    // When it is opened, and while secrets and the demo are written.
    drop(Server::start(Data::Directory(&directory)));
    for nth in [1, 3, 10, 30] {
        run(nth);
    }
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
        "refusing to listen on 0.0.0.0:0 without credentials: everyone who can reach it could \
         read and change all data. Pass --credentials FILE, listen on the loopback (127.0.0.1), or \
         pass --allow-anonymous if that is what you want.",
    );
}

#[test]
fn everybody_is_let_in_where_that_is_allowed() {
    // The last address counts, and a warning is in the banner.
    let flags = ["--allow-anonymous", "--listen", "0.0.0.0:0"];
    let arguments = [&["serve", "--memory"], &flags[..]].concat();
    let mut server = Server::spawn(&arguments);
    let greeting = server.greeting();
    let warning = "  access      WARNING: everyone who can connect can read and change all data\n";
    assert!(greeting.contains(warning), "{greeting}");
    create_table(&mut server.client());
    let keys = ["serve", "--memory", "--allow-anonymous", "--credentials", "keys.toml"];
    assert_eq!(run(&keys).code, Some(2));
}

#[test]
fn the_banner_shows_what_weakens_the_database() {
    let place = place();
    let directory = place.database();
    let flags = ["--relaxed", "5ms", "--faults", "no-ttl,index-lag=200ms"];
    let greeting = Server::start_with(Data::Directory(&directory), &flags).greeting();
    for line in [
        "  durability  relaxed: a crash of the machine can lose the last 5ms\n",
        "  faults      injected on purpose: no-ttl,index-lag=200ms\n",
    ] {
        assert!(greeting.contains(line), "{greeting}");
    }
    let greeting = Server::start(Data::Memory).greeting();
    assert!(!greeting.contains("durability") && !greeting.contains("faults"), "{greeting}");
    place.remove().unwrap();
}

#[test]
fn a_port_alone_is_one_of_this_machine() {
    for listen in ["0", ":0", "localhost:0"] {
        let server = Server::spawn(&["serve", "--memory", "--listen", listen]);
        assert!(server.url().starts_with("http://127.0.0.1:"), "{listen}: {}", server.url());
    }
}

#[test]
fn mistakes_in_arguments_are_named() {
    refuses(
        &["serve", "--memory", "--listen", "127.0.0.1:0", "--faults", "unprocessed=2"],
        "--faults unprocessed=2: \"2\" is not a share; write a number from 0 to 1, such as 0.05",
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
