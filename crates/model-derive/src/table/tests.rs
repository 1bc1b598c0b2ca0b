//! Messages about declarations of tables.

use expect_test::{Expect, expect};

use super::table;
use crate::diagnostics::messages;

/// Checks the messages of a table with these statements, one a line.
fn check(statements: &str, expected: Expect) {
    let expanded = table(format!("pub League {{ {statements} }}").parse().unwrap());
    expected.assert_eq(&messages(expanded));
}

#[test]
fn a_whole_table_has_no_errors() {
    check(
        r##"
        name = "league-{environment}";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI2(GSI2PK, GSI2SK);
        index GSI4(GSI4PK) projection(include(number, "first-name"));
        index "by-region"((tenant, region), (date, id)) projection(keys_only) allow(I03, because = "for the console");
        local index LSI1(SK2) projection(all);
        ttl = ttl;
        codec = envelope("data");
        targets(embedded, dynamodb);
        stamps Stamps(version = ver, created = "created-at" | createdAt | born, updated = updatedAt);
        stamps Lease(expires = ttl);
        entities(Team, roster::Player);
        patterns(LeagueReads, reads::Others);
        allow(I03, because = "…")
        "##,
        expect![[""]],
    );
    check("name = \"teams\"; key(type); type_attribute = none; entities(Team);", expect![[""]]);
}

#[test]
fn all_missing_statements_are_reported() {
    check(
        "",
        expect![[r#"
        table `League` has no name; write `name = "league-{environment}";`
        table `League` has no primary key; write `key(PK, SK);`
        [D02] table `League` does not declare how the type of a row is determined; rows of several entities are returned together, and their types would be guesses; write `type_attribute = ItemType;` with the attribute that holds it, or `type_attribute = none;` if the keys tell
        table `League` has no entities; write `entities(Team, Player);`"#]],
    );
    check(
        "name = \"a b\"; key(PK); entities(Team);",
        expect![[r#"
        ` ` is not valid in the name of a table: DynamoDB accepts letters, digits, `_`, `.` and `-`
        [D02] table `League` does not declare how the type of a row is determined; rows of several entities are returned together, and their types would be guesses; write `type_attribute = ItemType;` with the attribute that holds it, or `type_attribute = none;` if the keys tell"#]],
    );
}

#[test]
fn names_are_given_once() {
    check(
        r##"
        name = "teams"; name = "clubs"; key(PK); type_attribute = none;
        index GSI1(APK); index GSI1(BPK);
        entities(Team, Player, other::Team);
        "##,
        expect![[r#"
            `name` is given twice; remove one of them
            table `League` has `Team` twice; remove one of them
            there are two indexes `GSI1`; rename one of them"#]],
    );
}

#[test]
fn every_statement_is_read_for_its_own_errors() {
    check(
        r##"
        name = "a b";
        key(A, B, C);
        type_atribute = ItemType;
        index GSI1;
        index GSI2();
        index GSI3(A, B, C);
        index GSI4(A) project(all);
        index GSI5(A) projection(some);
        index GSI6(A) allow(I03);
        local GSI7(A);
        local index GSI8(A, B);
        ttl ttl;
        codec = json;
        targets(aws);
        entities(Team<u8>);
        patterns(Reads) too;
        "##,
        expect![[r#"
            ` ` is not valid in the name of a table: DynamoDB accepts letters, digits, `_`, `.` and `-`
            a primary key has one or two attributes: `key(PK, SK)` or `key(pk)`
            a table has no `type_atribute` (it has name, key, type_attribute, index, local index, ttl, codec, targets, stamps, entities, rules, patterns, allow); did you mean `type_attribute`?
            name the key attributes of `GSI1`: `index GSI1(GSI1PK, GSI1SK)`, or `index GSI1(GSI1PK)`
            name the key attributes of `GSI2`: `index GSI2(GSI2PK, GSI2SK)`, or `index GSI2(GSI2PK)`
            name the key attributes of `GSI3`: `index GSI3(GSI3PK, GSI3SK)`, or `index GSI3(GSI3PK)`
            an index has no `project`; its keys can be followed by `projection(…)` and `allow(…)`
            a projection is `all`, `keys_only` or `include(attribute, …)`
            an exception needs its reason, which is printed in the design document: write `allow(I03, because = "…")`
            write `local index LSI1(LSI1SK)`
            name the key attributes of `GSI8`: `local index GSI8(GSI8SK)`
            expected `=`
            there is no codec `json`; write `plain`, `envelope("data")` or `value_row`
            a target is `embedded`, `dynamodb` or `alternator`
            an entity has no type parameters
            expected `;`
            [D02] table `League` does not declare how the type of a row is determined; rows of several entities are returned together, and their types would be guesses; write `type_attribute = ItemType;` with the attribute that holds it, or `type_attribute = none;` if the keys tell"#]],
    );
}

#[test]
fn the_name_of_a_table_is_one_that_dynamodb_takes() {
    let of =
        |name: &str| format!("name = \"{name}\"; key(PK); type_attribute = none; entities(Team);");
    check(&of(""), expect!["`` can't be the name of a table: DynamoDB takes 3 to 255 characters"]);
    check(
        &of("t1"),
        expect!["`t1` can't be the name of a table: DynamoDB takes 3 to 255 characters"],
    );
    check(&of(&"t".repeat(255)), expect![[""]]);
    let long = format!("pub League {{ {} }}", of(&"t".repeat(256)));
    assert!(!messages(table(long.parse().unwrap())).is_empty());
    check(&of("{environment}"), expect![[""]]);
    check(&of("a{environment}"), expect![[""]]);
    check(&of("a-{n:03}"), expect!["`n` is a text and takes no padding; write `{n}`"]);
    check(&of("a-{n"), expect!["`a-{n` has a `{` without a `}` after it"]);
}

#[test]
fn a_missing_semicolon_hides_no_later_error() {
    check(
        r##"
        name = "teams"
        key(PK, SK)
        type_attribute = none;
        index GSI1(A, B)
        local index LSI1(C) projection(all)
        entities(Team);
        "##,
        expect![[r#"
            expected `;`
            expected `;`
            expected `;`
            expected `;`"#]],
    );
}

#[test]
fn an_attribute_of_the_table_has_one_purpose() {
    let of = |rest: &str| format!("name = \"teams\"; key(PK, SK); entities(Team); {rest}");
    check(
        &of("type_attribute = PK;"),
        expect![
            "[D01] `PK` is the partition key and the type attribute of `League`; one of the two values would replace the other; name another attribute"
        ],
    );
    check(
        &of("type_attribute = kind; ttl = kind;"),
        expect![
            "[D01] `kind` is the type attribute and the expiry of `League`; one of the two values would replace the other; name another attribute"
        ],
    );
    check(
        &of("type_attribute = SK; ttl = SK;"),
        expect![[r#"
        [D01] `SK` is the sort key and the type attribute of `League`; one of the two values would replace the other; name another attribute
        [D01] `SK` is the sort key and the expiry of `League`; one of the two values would replace the other; name another attribute"#]],
    );
    check(&of("type_attribute = kind; ttl = ttl;"), expect![[""]]);
}

#[test]
fn indexes_are_such_that_dynamodb_takes() {
    let of = |key: &str, index: &str| {
        format!("name = \"teams\"; key({key}); type_attribute = none; {index}; entities(Team);")
    };
    check(
        &of("PK, SK", "index G1(G1PK)"),
        expect!["`G1` can't be the name of an index: DynamoDB takes 3 to 255 characters"],
    );
    check(
        &of("PK, SK", "index \"by region\"(region)"),
        expect![
            "` ` is not valid in the name of an index: DynamoDB accepts letters, digits, `_`, `.` and `-`"
        ],
    );
    check(
        &of("PK, SK", "index GSI1(team, team)"),
        expect![
            "`team` is two keys of index `GSI1`: DynamoDB takes an attribute once; name another one"
        ],
    );
    check(
        &of("PK, SK", "index GSI1((team, city), (street, city))"),
        expect![
            "`city` is two keys of index `GSI1`: DynamoDB takes an attribute once; name another one"
        ],
    );
    check(
        &of("PK, SK", "local index LSI1(PK)"),
        expect![
            "`PK` is two keys of index `LSI1`: DynamoDB takes an attribute once; name another one"
        ],
    );
    check(
        &of("PK", "local index LSI1(SK2)"),
        expect![
            "a local index sorts the partitions of its table in another order, and this table has no sort key; write `index LSI1(…)`, or give the table a sort key"
        ],
    );
    check(
        &of("PK, PK", "index GSI1(team)"),
        expect![
            "`PK` is two keys of the table: DynamoDB takes an attribute once; name another one"
        ],
    );
    check(&of("PK, SK", "index INV(SK, PK)"), expect![[""]]);
}

#[test]
fn stamps_are_named_once_with_an_attribute_each() {
    let of = |stamps: &str| {
        format!("name = \"teams\"; key(PK); type_attribute = none; {stamps}; entities(Team);")
    };
    check(&of("stamps Stamps(version = ver); stamps Times(created = c)"), expect![[""]]);
    check(
        &of("stamps Stamps(versoin = ver, changed = c)"),
        expect![[r#"
        `Stamps` can't have `versoin`: stamps are `version`, `created`, `updated` and `expires`; did you mean `version`?
        `Stamps` can't have `changed`: stamps are `version`, `created`, `updated` and `expires`"#]],
    );
    check(
        &of("stamps Stamps(version = ver, version = v)"),
        expect!["`version` is given twice; remove one of them"],
    );
    check(
        &of("stamps Stamps(version = ver, created = c | ver)"),
        expect![
            "[D01] `ver` is two attributes of `Stamps`; one of the two values would replace the other; name another attribute"
        ],
    );
    check(
        &of("stamps Stamps()"),
        expect![
            "name the stamps and their attributes: `stamps Stamps(version = ver, created = createdAt, updated = updatedAt);`"
        ],
    );
    check(
        &of("stamps (version = ver)"),
        expect![
            "stamps are a type and its attributes: write `stamps Stamps(version = ver, created = createdAt, updated = updatedAt);`"
        ],
    );
    check(
        &of("stamps Stamps"),
        expect![
            "stamps are a type and its attributes: write `stamps Stamps(version = ver, created = createdAt, updated = updatedAt);`"
        ],
    );
    check(&of("stamps Stamps(version)"), expect!["expected `=`"]);
    check(
        &of("stamps Stamps(version = ver); stamps Stamps(created = c)"),
        expect!["there are two stamps `Stamps`; rename one of them"],
    );
}
