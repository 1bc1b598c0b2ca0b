//! The command line itself.

use crate::process::run;

/// The code of the command line's own refusals, as clap has it.
const USAGE: Option<i32> = Some(2);

#[test]
fn every_command_explains_itself() {
    for (arguments, words) in [
        (&["--help"][..], &["serve", "bench", "check", "Usage: monotable"][..]),
        (&["serve", "--help"], &["--data", "--memory", "--listen", "--credentials", "--faults"]),
        (&["check", "--help"], &["<DIR>", "no server is using"]),
        (&["bench", "--help"], &["--endpoint", "--seconds", "--json", "A table of its own"]),
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
    assert_eq!(version.output, format!("monotable {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn arguments_that_contradict_each_other_are_refused() {
    for (arguments, text) in [
        (
            &["serve", "--memory", "--data", "somewhere"][..],
            "the argument '--memory' cannot be used with '--data <DIR>'",
        ),
        (
            &["serve", "--memory", "--relaxed", "5"],
            "the argument '--memory' cannot be used with '--relaxed <MILLISECONDS>'",
        ),
        (&["serve", "--listen", "nowhere"], "invalid value 'nowhere' for '--listen <ADDRESS>'"),
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
