//! Files of credentials and their errors.

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

/// Compares the error of a text. Every secret in a test contains the word "horse".
fn check(text: &str, expected: Expect) {
    let error = read(text).unwrap_err();
    expected.assert_eq(&error.to_string());
    assert!(!format!("{error} {error:?}").contains("horse"), "{error:?}");
}

/// Compares the error of the valid file with one change.
fn check_changed(from: &str, to: &str, expected: Expect) {
    assert!(GOOD.contains(from), "{from}");
    check(&GOOD.replacen(from, to, 1), expected);
}

#[test]
fn a_key_may_have_no_actions() {
    let keys = read(&GOOD.replacen("\"GetItem\", \"dynamodb:Query\"", "", 1)).unwrap();
    let key = keys.find("AKIAEXAMPLE00000001").unwrap();
    let touches = [monotable_wire::Touch { action: "GetItem", table: Some("league"), index: None }];
    let principal = Principal { name: key.name(), account: "123456789012", region: "us-east-1" };
    assert!(key.permissions().authorize(principal, &touches).is_err());
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
        let touches = [monotable_wire::Touch { action, table: Some(table), index: None }];
        let principal = Principal { name: "a", account: "b", region: "c" };
        assert_eq!(reporting.permissions().authorize(principal, &touches).is_ok(), allowed);
        assert!(other.permissions().authorize(principal, &touches).is_ok());
    }
    assert!(!format!("{keys:?}").contains("horse"));
}

#[test]
fn a_file_without_keys_is_refused() {
    check(
        "",
        expect![
            "keys.toml: there are no keys. Add a [[key]] with access_key, secret_key, tables and actions."
        ],
    );
    check(
        "# nothing\n",
        expect![
            "keys.toml: there are no keys. Add a [[key]] with access_key, secret_key, tables and actions."
        ],
    );
    check(
        "key = []",
        expect![
            "keys.toml: there are no keys. Add a [[key]] with access_key, secret_key, tables and actions."
        ],
    );
    check(
        "[key]\naccess_key = \"a\"",
        expect!["keys.toml, line 1: 'key' must be a section. Write [[key]] on a line of its own."],
    );
    check(
        "key = [1]",
        expect!["keys.toml, line 1: 'key' must be a section. Write [[key]] on a line of its own."],
    );
}

#[test]
fn syntax_errors_name_the_line_and_hide_it() {
    check_changed(
        "\"correct horse battery\"",
        "\"correct horse battery",
        expect![[r#"keys.toml, line 4: is not valid TOML: invalid basic string, expected `"`"#]],
    );
    check_changed(
        "\"correct horse battery\"",
        "correct horse battery",
        expect![
            "keys.toml, line 4: is not valid TOML: string values must be quoted, expected literal string"
        ],
    );
    check_changed(
        "name =",
        "secret_key = \"a horse\"\nname =",
        expect!["keys.toml, line 5: is not valid TOML: duplicate key"],
    );
    check_changed(
        "[[key]]",
        "[[key]",
        expect!["keys.toml, line 2: is not valid TOML: unclosed array table, expected `]`"],
    );
}

#[test]
fn unknown_and_missing_fields_are_named() {
    check_changed(
        "actions =",
        "action =",
        expect![
            "keys.toml, line 7, key AKIAEXAMPLE00000001: unknown field 'action'. A key has access_key, secret_key or secret_key_file, name, tables and actions."
        ],
    );
    check_changed(
        "[[key]]",
        "[other]\na = 1\n[[key]]",
        expect!["keys.toml, line 2: unknown entry 'other'. The file has [[key]] sections only."],
    );
    check_changed(
        "access_key = \"AKIAEXAMPLE00000001\"\n",
        "",
        expect![[
            r#"keys.toml, line 2: access_key is missing. Add access_key = "AKIAEXAMPLE00000001"."#
        ]],
    );
    check_changed(
        "secret_key = \"correct horse battery\"\n",
        "",
        expect![[
            r#"keys.toml, line 2, key AKIAEXAMPLE00000001: secret_key is missing. Add secret_key = "..." or secret_key_file."#
        ]],
    );
    check_changed(
        "tables = [\"league\", \"hunt-*\"]\n",
        "",
        expect![[
            r#"keys.toml, line 2, key AKIAEXAMPLE00000001: tables is missing. Add tables = ["*"] for all tables."#
        ]],
    );
    check_changed(
        "actions = [\"GetItem\", \"dynamodb:Query\"]\n",
        "",
        expect![[
            r#"keys.toml, line 2, key AKIAEXAMPLE00000001: actions is missing. Add actions = ["*"] for all actions."#
        ]],
    );
}

#[test]
fn wrong_types_are_named() {
    check_changed(
        "\"correct horse battery\"",
        "1234567890123456",
        expect!["keys.toml, line 4, key AKIAEXAMPLE00000001: secret_key must be a text in quotes."],
    );
    check_changed(
        "\"correct horse battery\"",
        "[\"correct horse battery\"]",
        expect!["keys.toml, line 4, key AKIAEXAMPLE00000001: secret_key must be a text in quotes."],
    );
    check_changed(
        "[\"league\", \"hunt-*\"]",
        "\"league\"",
        expect![[
            r#"keys.toml, line 6, key AKIAEXAMPLE00000001: tables must be a list of texts, such as ["league", "hunt-*"]."#
        ]],
    );
    check_changed(
        "[\"league\", \"hunt-*\"]",
        "[\"league\",\n1]",
        expect![[
            r#"keys.toml, line 7, key AKIAEXAMPLE00000001: tables must be a list of texts, such as ["league", "hunt-*"]."#
        ]],
    );
    check_changed(
        "\"AKIAEXAMPLE00000001\"",
        "1",
        expect!["keys.toml, line 3: access_key must be a text in quotes."],
    );
}

#[test]
fn keys_must_be_different_and_sendable() {
    check_changed(
        "AKIAEXAMPLE00000002",
        "AKIAEXAMPLE00000001",
        expect![
            "keys.toml, line 10, key AKIAEXAMPLE00000001: the key of line 3 has the same access_key. Give each key its own."
        ],
    );
    check_changed(
        "AKIAEXAMPLE00000001",
        "swapped/with+the horse",
        expect![
            "keys.toml, line 3: access_key must have 3 to 128 letters, digits and underscores."
        ],
    );
    check(
        &GOOD
            .replacen("AKIAEXAMPLE00000001", "swapped/with+the horse", 1)
            .replacen("name", "Name", 1),
        expect![
            "keys.toml, line 5: unknown field 'Name'. A key has access_key, secret_key or secret_key_file, name, tables and actions."
        ],
    );
    check_changed(
        "AKIAEXAMPLE00000001",
        "AK",
        expect![
            "keys.toml, line 3: access_key must have 3 to 128 letters, digits and underscores."
        ],
    );
    check_changed(
        "\"reporting\"",
        "\"re/porting\"",
        expect![
            "keys.toml, line 5, key AKIAEXAMPLE00000001: name must have 1 to 64 letters, digits and any of +=,.@_-"
        ],
    );
    check_changed(
        "\"reporting\"",
        "\"\"",
        expect![
            "keys.toml, line 5, key AKIAEXAMPLE00000001: name must have 1 to 64 letters, digits and any of +=,.@_-"
        ],
    );
}

#[test]
fn secrets_must_be_long_enough() {
    check_changed(
        "correct horse battery",
        "",
        expect![
            "keys.toml, line 4, key AKIAEXAMPLE00000001: the secret is empty. Make one with: openssl rand -base64 30"
        ],
    );
    check_changed(
        "correct horse battery",
        "horse",
        expect![
            "keys.toml, line 4, key AKIAEXAMPLE00000001: the secret has fewer than 16 characters. Make one with: openssl rand -base64 30"
        ],
    );
    check_changed(
        "correct horse battery",
        "horse horse hor",
        expect![
            "keys.toml, line 4, key AKIAEXAMPLE00000001: the secret has fewer than 16 characters. Make one with: openssl rand -base64 30"
        ],
    );
    check_changed(
        "correct horse battery",
        "correct horse battery ",
        expect![
            "keys.toml, line 4, key AKIAEXAMPLE00000001: the secret has spaces at its ends, or characters besides printable ASCII. Make one with: openssl rand -base64 30"
        ],
    );
    check_changed(
        "correct horse battery",
        "correct hörse bättery horse",
        expect![
            "keys.toml, line 4, key AKIAEXAMPLE00000001: the secret has spaces at its ends, or characters besides printable ASCII. Make one with: openssl rand -base64 30"
        ],
    );
    check_changed(
        "name =",
        "secret_key_file = \"a\"\nname =",
        expect![
            "keys.toml, line 4, key AKIAEXAMPLE00000001: secret_key and secret_key_file are both given. Keep one of them."
        ],
    );
}

#[test]
fn actions_and_tables_must_exist() {
    check_changed(
        "\"GetItem\"",
        "\"getitem\"",
        expect![
            "keys.toml, line 7, key AKIAEXAMPLE00000001: unknown action 'getitem'. Did you mean 'GetItem'?"
        ],
    );
    check_changed(
        "\"GetItem\"",
        "\"GetItme\"",
        expect![
            "keys.toml, line 7, key AKIAEXAMPLE00000001: unknown action 'GetItme'. Did you mean 'GetItem'?"
        ],
    );
    check_changed(
        "\"GetItem\"",
        "\n\"Frobnicate\"",
        expect![[
            r#"keys.toml, line 8, key AKIAEXAMPLE00000001: unknown action 'Frobnicate'. Use "*" for all, or some of: BatchGetItem, GetItem, ListTables, PutItem, Query."#
        ]],
    );
    check_changed(
        "\"league\"",
        "\"the league\"",
        expect![
            "keys.toml, line 6, key AKIAEXAMPLE00000001: 'the league' is not the name of a table: use letters, digits and _-. with * for any."
        ],
    );
    assert!(read(&GOOD.replace("\"league\", \"hunt-*\"", "")).is_ok(), "no tables, some actions");
}

/// A directory that is removed with the test.
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
    expect!["FOLDER/keys.toml, line 4, key AKIAEXAMPLE00000001: secret_key_file FOLDER/one.secret can't be read: No such file or directory (os error 2)"].assert_eq(&error);

    folder.write("one.secret", "\n", 0o600);
    let error = Credentials::read(&file, &ACTIONS).unwrap_err();
    assert!(matches!(error.problem, Problem::EmptySecret), "{error}");
}

#[test]
fn an_unreadable_file_is_named() {
    let error = Credentials::read(Path::new("no/such/keys.toml"), &ACTIONS).unwrap_err();
    expect!["no/such/keys.toml: can't be read: No such file or directory (os error 2)"]
        .assert_eq(&error.to_string());
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
