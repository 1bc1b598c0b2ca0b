//! P03 and P04 for values that a pattern writes out, prefixes that end with a value, and mirrors.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{DAY, ID, Test, U32, WORD, entity, pattern, table};
use crate::meta::SortTest;

const BEGINS: Test = SortTest::BeginsWith;
const EQUALS: Test = SortTest::Equals;

#[test]
fn p03_a_prefix_ends_where_a_value_of_the_key_ends() {
    let row = entity("Row", &[("team_id", ID), ("user_id", ID), ("row_id", ID)]);
    let row = row.key("TEAM#{team_id}", "U#{user_id}#{row_id}").build();
    let rows = |text| {
        let of_user = pattern("of_user", "TEAM#{team_id}", Some((BEGINS, text)), &[row]);
        check::pattern(&table(&[row], &[], &[]), &of_user)
    };
    check(
        rows("U#{user_id}"),
        expect![
            "[P03] pattern of_user begins with `{user_id}`, where the key of Row continues with `#`; `1` would also find the rows of `10`; write begins_with(\"U#{user_id}#\")"
        ],
    );
    fine(rows("U#{user_id}#"));
    check(
        rows("U#{user_id}#{row_id}"),
        expect![[
            r#"[P03] pattern of_user begins with `{row_id}`, where the key of Row ends; `1` would also find the rows of `10`; write `sk = "U#{user_id}#{row_id}"` for this value alone, take a `&str` to look for beginnings, or let the key continue with a `#` and write begins_with("U#{user_id}#{row_id}#")"#
        ]],
    );
    fine(rows("U#{text}"));
    fine(rows("U#{user_id}#{text}"));
}

#[test]
fn a_fixed_value_of_a_field_hides_no_later_error() {
    let row = entity("Row", &[("team_id", ID), ("state", WORD), ("shirt", U32), ("row_id", ID)]);
    let row = row.key("TEAM#{team_id}", "S#{state}#{shirt:010}#{row_id}").build();
    let rows = |test: Test, text| {
        let open = pattern("open", "TEAM#{team_id}", Some((test, text)), &[row]);
        check::pattern(&table(&[row], &[], &[]), &open)
    };
    check(
        rows(SortTest::From, "S#OPEN#{shirt}"),
        expect![
            "[P04] `{shirt}` in pattern open is padded to 10 digits in the key of Row; another number of digits is another text, which finds no row or a wrong one; write `{shirt:010}`"
        ],
    );
    check(
        rows(EQUALS, "S#OPEN#0000000007#{shirt:010}"),
        expect![
            "[P04] `{shirt}` in pattern open is a number, but `{row_id}` in the key of Row is a text; their texts are never equal, so the pattern finds nothing; give the argument the type of the field"
        ],
    );
    check(
        rows(BEGINS, "S#OPEN#0000000007#{row_id}"),
        expect![[
            r#"[P03] pattern open begins with `{row_id}`, where the key of Row ends; `1` would also find the rows of `10`; write `sk = "S#OPEN#0000000007#{row_id}"` for this value alone, take a `&str` to look for beginnings, or let the key continue with a `#` and write begins_with("S#OPEN#0000000007#{row_id}#")"#
        ]],
    );
    fine(rows(SortTest::From, "S#OPEN#{shirt:010}"));
    fine(rows(EQUALS, "S#OPEN#0000000007#{row_id}"));
    fine(rows(BEGINS, "S#OPEN#{text}"));
    fine(rows(BEGINS, "S#OP"));
}

#[test]
fn p03_an_entity_and_its_mirror_are_two_rows() {
    let seat =
        entity("Seat", &[("team_id", ID), ("row_id", ID)]).key("TEAM#{team_id}", "ROW#{row_id}");
    let seat = seat.mirror("Seat", Some(["TEAM#{team_id}", "SEAT#{row_id}"])).build();
    let seats = |sort| {
        let seats = pattern("seats", "TEAM#{team_id}", sort, &[seat]);
        check::pattern(&table(&[seat], &[], &[]), &seats)
    };
    check(
        seats(None),
        expect![[
            r#"[P03] pattern seats finds every Seat twice: "TEAM#{team_id}" / "ROW#{row_id}" and its mirror "TEAM#{team_id}" / "SEAT#{row_id}" lie inside its key range; both are the same entity, and are paid for and returned one by one; narrow the sort key to one of them"#
        ]],
    );
    fine(seats(Some((BEGINS, "SEAT#"))));
    fine(seats(Some((BEGINS, "ROW#"))));
    let game = entity("Game", &[("home", ID), ("guest", ID), ("day", DAY)]);
    let game = game.key("TEAM#{home}", "HOME#{day}");
    let game = game.mirror("Game", Some(["TEAM#{guest}", "AWAY#{day}"])).build();
    let games = pattern("games", "TEAM#{team_id}", None, &[game]);
    fine(check::pattern(&table(&[game], &[], &[]), &games));
}
