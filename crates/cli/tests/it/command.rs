//! The command line itself.

use std::process::Command;

use crate::process::run;

/// The code of the command line's own refusals, as clap has it.
const USAGE: Option<i32> = Some(2);

#[test]
fn every_command_explains_itself() {
    for (arguments, words) in [
        (
            &["--help"][..],
            &[
                "A DynamoDB-compatible database",
                "serve",
                "bench",
                "token",
                "check",
                "completions",
                "Usage: monotable",
            ][..],
        ),
        (
            &["serve", "--help"],
            &[
                "--data",
                "--memory",
                "--listen",
                "--credentials",
                "--faults",
                "\nStorage:\n",
                "\nNetwork:\n",
                "\nServices:\n",
                "\nIdentity:\n",
                "\nNarration:\n",
                "\nFaults:\n",
            ],
        ),
        (&["token", "--help"], &["--token-secret", "--issuer", "--audience", "--hours"]),
        (&["check", "--help"], &["<DIR>", "no server is using"]),
        (&["bench", "--help"], &["--endpoint", "--seconds", "--json", "creates a table"]),
        (&["help", "serve"], &["Usage: monotable serve"]),
    ] {
        let ended = run(arguments);
        assert_eq!((ended.code, &*ended.errors), (Some(0), ""), "{arguments:?}");
        for word in words {
            assert!(ended.output.contains(word), "{arguments:?} without {word}: {}", ended.output);
        }
    }
    let version = run(&["--version"]);
    assert_eq!(version.code, Some(0));
    let number = format!("monotable {}", env!("CARGO_PKG_VERSION"));
    // Only a checkout of this program has a commit.
    let commit = git(&["ls-files", "--error-unmatch", "build.rs"])
        .and_then(|_| git(&["log", "-1", "--abbrev=12", "--format= (%h %cs)"]));
    assert_eq!(version.output.trim_end(), number + commit.unwrap_or_default().trim_end());
}

/// What git prints in the folder of this program, if it does.
fn git(arguments: &[&str]) -> Option<String> {
    let folder = env!("CARGO_MANIFEST_DIR");
    let output = Command::new("git").args(arguments).current_dir(folder).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
}

#[test]
fn tokens_are_signed_without_flags_that_sign_nothing() {
    let help = run(&["token", "--help"]).output;
    for flag in ["--jwks", "--algorithm", "--development-identity"] {
        assert!(!help.contains(flag), "{help}");
    }
}

#[test]
fn shells_complete_the_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = run(&["completions", shell]);
        assert_eq!((ended.code, &*ended.errors), (Some(0), ""), "{shell}");
        assert!(ended.output.contains("services-listen"), "{shell}");
    }
}

#[test]
fn arguments_that_contradict_each_other_are_refused() {
    for (arguments, text) in [
        (
            &["serve", "--memory", "--data", "somewhere"][..],
            "the argument '--memory' cannot be used with '--data <DIR>'",
        ),
        (
            &["serve", "--memory", "--relaxed", "5ms"],
            "the argument '--memory' cannot be used with '--relaxed <TIME>'",
        ),
        (
            &["serve", "--relaxed", "5"],
            "write a whole number and a unit (ms, s, m, h, d): 200ms or 2s",
        ),
        (&["serve", "--listen", "localhost"], "such as 8000, localhost:8000 or 127.0.0.1:8000"),
        (&["serve", "--listen", "127.0.0.1:99999"], "give a port up to 65535"),
        (&["serve", "--writes-per-second", "0"], "give a number from 1 to"),
        (&["serve", "--region", "my region"], "such as us-east-1"),
        (&["serve", "--unheard-of"], "unexpected argument '--unheard-of' found"),
        (&["check"], "the following required arguments were not provided"),
        (&["bench"], "the following required arguments were not provided"),
        (&[], "Usage: monotable"),
    ] {
        let ended = run(arguments);
        assert_eq!((ended.code, &*ended.output), (USAGE, ""), "{arguments:?}");
        assert!(ended.errors.contains(text), "{arguments:?}: {}", ended.errors);
    }
}

#[test]
fn an_error_starts_with_what_is_wrong_and_what_to_do() {
    let port = |port: u16| {
        let listen = format!("use '--listen {port}', or '--listen 127.0.0.1:{port}'");
        format!("error: the port is part of --listen: {listen}\n")
    };
    for (arguments, text) in [
        (&["serve", "--port", "9260"][..], port(9260)),
        (&["serve", "-p", "9260"], port(9260)),
        (&["serve", "--port", "99999"], port(8000)),
        (&["serve", "--port"], port(8000)),
        (
            &["token", ""],
            "error: invalid value '' for '<USER>': the user id is empty; give one, such as ann\n"
                .to_owned(),
        ),
        (
            &["token", "a#b"],
            "error: invalid value 'a#b' for '<USER>': a user id can't contain `#`; give one such \
             as ann\n"
                .to_owned(),
        ),
        (
            &["token", "ann", "--role", ""],
            "error: invalid value '' for '--role <ROLE>': the role is empty; give one, such as \
             admin\n"
                .to_owned(),
        ),
    ] {
        let ended = run(arguments);
        assert_eq!((ended.code, &*ended.output), (USAGE, ""), "{arguments:?}");
        assert!(ended.errors.starts_with(&text), "{arguments:?}: {}", ended.errors);
    }
}
