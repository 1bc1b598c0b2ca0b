//! Declarations of rule keys that can't be read, with their messages.

use expect_test::{Expect, expect};

use super::derive;
use crate::diagnostics::messages;

fn check(declaration: &str, expected: Expect) {
    let expanded = derive(&syn::parse_str(declaration).unwrap());
    expected.assert_eq(&messages(expanded));
}

#[test]
fn a_whole_declaration_has_no_errors() {
    check(
        r#"#[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME", value = gameId, type = "ActiveGame")]
        struct ActiveGame { team_id: TeamId }"#,
        expect![""],
    );
    check(
        r#"#[rule(Log, pk = "match#{match_id}", sk = "log#{seq:06}", snapshot = "state")]
        struct MatchLog { match_id: MatchId }"#,
        expect![""],
    );
    check(r#"#[rule(Counter, pk = "ALL", sk = "GAMES")] struct Games;"#, expect![""]);
}

#[test]
fn the_kind_and_the_key_are_needed() {
    check(
        "struct ActiveGame { team_id: TeamId }",
        expect![[
            r#"`ActiveGame` has no key: add `#[rule(Guard, pk = "TEAM#{team_id}", sk = "…")]` with the kind of the rule and the templates"#
        ]],
    );
    check(
        r#"#[rule(pk = "A", sk = "B")] struct ActiveGame {}"#,
        expect![[
            r#"`ActiveGame` has no key: add `#[rule(Guard, pk = "TEAM#{team_id}", sk = "…")]` with the kind of the rule and the templates"#
        ]],
    );
    check(
        r#"#[rule(Gaurd, pk = "A", sk = "B")] struct ActiveGame {}"#,
        expect![
            "`Gaurd` is unknown here: a rule is a `Guard`, `Counter`, `Lock`, `RateWindow`, `Idempotency`, `Log`, `Job`, `Record`, and has `pk`, `sk`, `snapshot`, `value`, `version`, `expiry`, `lease`, `sequence`, `formerly`, `type`, `crate` and `allow(…)`; did you mean `Guard`?"
        ],
    );
    check(
        r#"#[rule(Guard, Guard, pk = "A")] struct ActiveGame {}"#,
        expect!["`Guard` is given twice"],
    );
}

#[test]
fn templates_and_fields_fit() {
    check(
        r#"#[rule(Guard, pk = "TEAM#{teamid}", sk = "ACTIVE_GAME")] struct ActiveGame { team_id: TeamId }"#,
        expect![[r#"
            [T001] the partition key of `ActiveGame` uses `{teamid}`, but the struct has no such field; did you mean `team_id`?
            `team_id` is in no template of `ActiveGame`, so that rows with different values would have the same key; put it into a template, or remove it"#]],
    );
    check(
        r#"#[rule(Guard, pk = "TEAM#{shard}", sk = "X")] struct ActiveGame { team_id: Option<TeamId> }"#,
        expect![[r#"
            a field of a rule key is always there: take the `Option` away
            the key of a rule has no `{shard}`: it is one row
            `team_id` is in no template of `ActiveGame`, so that rows with different values would have the same key; put it into a template, or remove it"#]],
    );
    check(
        r#"#[rule(Guard, pk = "A")] enum ActiveGame { A }"#,
        expect!["a rule key is a struct of the fields in its key"],
    );
    check(
        r#"#[rule(Guard, pk = "A")] struct ActiveGame(String);"#,
        expect![
            "a rule key has named fields, which its templates use: write `struct ActiveGame { team_id: TeamId }`"
        ],
    );
    check(
        r#"#[rule(Guard, pk = "A")] struct ActiveGame<T> { t: T }"#,
        expect!["a rule key has no parameters: write one struct for each key"],
    );
}

#[test]
fn numbers_belong_in_sort_keys() {
    check(
        r#"#[rule(RateWindow, pk = "rate#{user_id}", sk = "calls")] struct Calls { user_id: UserId }"#,
        expect!["the sort key of `Calls` has `{window}` once: add it"],
    );
    check(
        r#"#[rule(RateWindow, Counter, pk = "rate#{window}", sk = "{window}")] struct Calls { window: u64 }"#,
        expect![[r#"
            a `RateWindow` has a number in its key, so that nothing else can have the same key; declare another key for the other rule
            `window` is the number that the rule writes; rename the field
            `{window}` belongs in the sort key, not in the partition key"#]],
    );
    check(
        r#"#[rule(Log, pk = "log", sk = "{seq}")] struct Events;"#,
        expect![[r#"
        a log has a snapshot: add its sort key, such as `snapshot = "state"`
        `{seq}` in the sort key of `Events` has no padding, so that 10 sorts before 9; write `{seq:06}`"#]],
    );
    check(
        r#"#[rule(Log, pk = "log", sk = "{seq:06}", snapshot = "{seq:06}")] struct Events;"#,
        expect!["`{seq}` belongs in the sort key, not in the snapshot"],
    );
}

#[test]
fn attributes_belong_to_kinds() {
    check(
        r#"#[rule(Guard, pk = "A", sk = "B", lease = ttl, snapshot = "C")] struct ActiveGame {}"#,
        expect!["`lease` is an attribute of `Lock`, `Job` only"],
    );
    check(
        r#"#[rule(Guard, pk = "A", sk = "B", snapshot = "C")] struct ActiveGame {}"#,
        expect!["only a `Log` has a snapshot"],
    );
}
