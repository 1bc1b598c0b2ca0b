//! What a file of credentials may say, and what it is told otherwise.

use std::fs;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use monotable_wire::access::Principal;

use super::*;

const ACTIONS: [&str; 5] = ["BatchGetItem", "GetItem", "ListTables", "PutItem", "Query"];

const GOOD: &str = r#"
[[key]]
access_key = "AKIAEXAMPLE00000001"
secret_key = "correct horse battery"
name = "reporting"
tables = ["league", "hunt-*"]
actions = ["GetItem", "dynamodb:Query"]

[[key]]
access_key = "AKIAEXAMPLE00000002"
secret_key = "another horse battery"
tables = ["*"]
actions = ["*"]
"#;

fn read(text: &str) -> Result<KeyRing, CredentialsError> {
    parse(Path::new("keys.toml"), text, &ACTIONS, &mut Vec::new())
}

/// Compares the error that a text gives. No secret of a test lacks the word "horse".
fn check(text: &str, expected: Expect) {
    let error = read(text).unwrap_err();
    expected.assert_eq(&error.to_string());
    assert!(!format!("{error} {error:?}").contains("horse"), "{error:?}");
}

/// Compares the error of the good file with one change.
fn check_changed(from: &str, to: &str, expected: Expect) {
    assert!(GOOD.contains(from), "{from}");
    check(&GOOD.replacen(from, to, 1), expected);
}

#[test]
fn a_good_file_gives_its_keys() {
    let keys = read(GOOD).unwrap();
    assert_eq!(keys.len(), 2);
    let reporting = keys.find("AKIAEXAMPLE00000001").unwrap();
    assert_eq!(reporting.name(), "reporting");
    let other = keys.find("AKIAEXAMPLE00000002").unwrap();
    assert_eq!(other.name(), "AKIAEXAMPLE00000002");
    let expected = [
        ("GetItem", "league", true),
        ("Query", "hunt-1", true),
        ("PutItem", "league", false),
        ("GetItem", "other", false),
    ];
    for (action, table, allowed) in expected {
        let touches = [monotable_wire::Touch { action, table: Some(table) }];
        let principal = Principal { name: "a", account: "b", region: "c" };
        assert_eq!(reporting.permissions().authorize(principal, &touches).is_ok(), allowed);
        assert!(other.permissions().authorize(principal, &touches).is_ok());
    }
    assert!(!format!("{keys:?}").contains("horse"));
}

#[test]
fn a_file_without_keys_is_refused() {
    check("", expect![[""]]);
    check("# nothing\n", expect![[""]]);
    check("key = []", expect![[""]]);
    check("[key]\naccess_key = \"a\"", expect![[""]]);
    check("key = [1]", expect![[""]]);
}

#[test]
fn syntax_errors_name_the_line_and_hide_it() {
    check_changed("\"correct horse battery\"", "\"correct horse battery", expect![[""]]);
    check_changed("\"correct horse battery\"", "correct horse battery", expect![[""]]);
    check_changed("name =", "secret_key = \"a horse\"\nname =", expect![[""]]);
    check_changed("[[key]]", "[[key]", expect![[""]]);
}

#[test]
fn unknown_and_missing_fields_are_named() {
    check_changed("actions =", "action =", expect![[""]]);
    check_changed("[[key]]", "[other]\na = 1\n[[key]]", expect![[""]]);
    check_changed("access_key = \"AKIAEXAMPLE00000001\"\n", "", expect![[""]]);
    check_changed("secret_key = \"correct horse battery\"\n", "", expect![[""]]);
    check_changed("tables = [\"league\", \"hunt-*\"]\n", "", expect![[""]]);
    check_changed("actions = [\"GetItem\", \"dynamodb:Query\"]\n", "", expect![[""]]);
}

#[test]
fn wrong_types_are_named() {
    check_changed("\"correct horse battery\"", "1234567890123456", expect![[""]]);
    check_changed("\"correct horse battery\"", "[\"correct horse battery\"]", expect![[""]]);
    check_changed("[\"league\", \"hunt-*\"]", "\"league\"", expect![[""]]);
    check_changed("[\"league\", \"hunt-*\"]", "[\"league\",\n1]", expect![[""]]);
    check_changed("\"AKIAEXAMPLE00000001\"", "1", expect![[""]]);
}

#[test]
fn keys_must_be_different_and_sendable() {
    check_changed("AKIAEXAMPLE00000002", "AKIAEXAMPLE00000001", expect![[""]]);
    check_changed("AKIAEXAMPLE00000001", "swapped/with+the horse", expect![[""]]);
    check_changed("AKIAEXAMPLE00000001", "AK", expect![[""]]);
    check_changed("\"reporting\"", "\"re/porting\"", expect![[""]]);
    check_changed("\"reporting\"", "\"\"", expect![[""]]);
}

#[test]
fn secrets_must_be_long_enough() {
    check_changed("correct horse battery", "", expect![[""]]);
    check_changed("correct horse battery", "horse", expect![[""]]);
    check_changed("correct horse battery", "horse horse hors", expect![[""]]);
    check_changed("correct horse battery", "correct hörse bättery horse", expect![[""]]);
    check_changed("name =", "secret_key_file = \"a\"\nname =", expect![[""]]);
}

#[test]
fn actions_and_tables_must_exist() {
    check_changed("\"GetItem\"", "\"getitem\"", expect![[""]]);
    check_changed("\"GetItem\"", "\n\"Frobnicate\"", expect![[""]]);
    check_changed("\"GetItem\", \"dynamodb:Query\"", "", expect![[""]]);
    check_changed("\"league\"", "\"the league\"", expect![[""]]);
    assert!(read(&GOOD.replace("\"league\", \"hunt-*\"", "")).is_ok(), "no tables, some actions");
}

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("monotable-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str, mode: u32) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_secret_may_have_a_file_of_its_own() {
    let folder = Folder::new("secret-file");
    folder.write("one.secret", "correct horse battery\r\n", 0o600);
    let inline = "secret_key = \"correct horse battery\"";
    let text = GOOD.replace(inline, "secret_key_file = \"one.secret\"");
    let file = folder.write("keys.toml", &text, 0o600);
    let credentials = Credentials::read(&file, &ACTIONS).unwrap();
    assert_eq!((credentials.keys.len(), credentials.warnings), (2, vec![]));

    fs::remove_file(folder.0.join("one.secret")).unwrap();
    let error = Credentials::read(&file, &ACTIONS).unwrap_err().to_string();
    let error = error.replace(folder.0.to_str().unwrap(), "FOLDER");
    expect![[""]].assert_eq(&error);

    folder.write("one.secret", "\n", 0o600);
    let error = Credentials::read(&file, &ACTIONS).unwrap_err();
    assert!(matches!(error.problem, Problem::EmptySecret), "{error}");
}

#[test]
fn an_unreadable_file_is_named() {
    let error = Credentials::read(Path::new("no/such/keys.toml"), &ACTIONS).unwrap_err();
    expect![[""]].assert_eq(&error.to_string());
}

#[cfg(unix)]
#[test]
fn files_that_others_can_read_are_reported() {
    let folder = Folder::new("readable");
    let secret = folder.write("one.secret", "correct horse battery", 0o640);
    let inline = "secret_key = \"correct horse battery\"";
    let text = GOOD.replace(inline, "secret_key_file = \"one.secret\"");
    let file = folder.write("keys.toml", &text, 0o604);
    let warnings = Credentials::read(&file, &ACTIONS).unwrap().warnings;
    assert_eq!(
        warnings,
        [Warning::ReadableByOthers(file.clone()), Warning::ReadableByOthers(secret)]
    );
    let file = file.display();
    assert_eq!(
        warnings[0].to_string(),
        format!("{file} contains secrets and other users can read it. Run: chmod 600 {file}")
    );
}
