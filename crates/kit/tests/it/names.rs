//! Names, addresses and telephone numbers: what is accepted, and how it is kept.

use expect_test::{Expect, expect};
use monotable_kit::names::{NameRule, Spaces, email, phone, same_form, visible_text};

const TEAM: NameRule =
    NameRule::new(3..=50).digits().signs("-'’.&", "hyphens, apostrophes, periods and ampersands");
const PERSON: NameRule =
    NameRule::new(1..=50).spaces(Spaces::Single).signs("-'’.", "hyphens, apostrophes, periods");

fn check(read: impl Fn(&str) -> Result<String, String>, texts: &[&str], expected: Expect) {
    let shown = texts.iter().map(|text| match read(text) {
        Ok(kept) => format!("{text} -> {kept}\n"),
        Err(why) => format!("{text}: {why}\n"),
    });
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn letters_of_any_script_make_names() {
    check(
        |text| TEAM.read(text),
        &["  Seattle   Sluggers ", "O'Malley & Co. 9-ers", "हिन्दी वाले", "東京巨人", "Żółw Łódź"],
        expect![[r#"
              Seattle   Sluggers  -> Seattle Sluggers
            O'Malley & Co. 9-ers -> O'Malley & Co. 9-ers
            हिन्दी वाले -> हिन्दी वाले
            東京巨人 -> 東京巨人
            Żółw Łódź -> Żółw Łódź
        "#]],
    );
    let long = "x".repeat(51);
    check(
        |text| TEAM.read(text),
        &["ab", " a  ", &long, "Sluggers!", "a#b", "Sox 🧦", "-- --"],
        expect![[r#"
            ab: must have 3 to 50 characters
             a  : must have 3 to 50 characters
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: must have 3 to 50 characters
            Sluggers!: may have letters, digits, spaces, hyphens, apostrophes, periods and ampersands, not '!'
            a#b: may have letters, digits, spaces, hyphens, apostrophes, periods and ampersands, not '#'
            Sox 🧦: may have letters, digits, spaces, hyphens, apostrophes, periods and ampersands, not '🧦'
            -- --: must have a letter or a digit
        "#]],
    );
}

#[test]
fn several_spaces_can_be_refused() {
    check(
        |text| PERSON.read(text),
        &["Mary Ann", "O'Neil-Łuk", "J.R.", "علي", "Zoe\u{308}", "A  B", "R2D2", "-", "", " "],
        expect![[r#"
            Mary Ann -> Mary Ann
            O'Neil-Łuk -> O'Neil-Łuk
            J.R. -> J.R.
            علي -> علي
            Zoë -> Zoë
            A  B: may have single spaces only
            R2D2: may have letters, hyphens, apostrophes, periods and single spaces, not '2'
            -: must have a letter
            : must have 1 to 50 characters
             : must have 1 to 50 characters
        "#]],
    );
}

#[test]
fn marks_and_joiners_alone_are_no_names() {
    for text in ["\u{301}\u{301}\u{301}", "\u{200d}\u{200c}\u{200d}", "-\u{301}.", "- -"] {
        assert_eq!(TEAM.read(text), Err("must have a letter or a digit".to_owned()));
        assert_eq!(PERSON.read(text), Err("must have a letter".to_owned()));
    }
    assert_eq!(TEAM.read("1-2").as_deref(), Ok("1-2"));
}

#[test]
fn texts_can_be_seen() {
    assert_eq!(visible_text(" R2 D2! ", 1..=9).as_deref(), Ok("R2 D2!"));
    assert_eq!(visible_text("a\u{7}", 1..=9), Err("may have no control characters".to_owned()));
    assert_eq!(visible_text("0123456789", 1..=9), Err("must have 1 to 9 characters".to_owned()));
}

#[test]
fn names_that_look_the_same_have_one_form() {
    assert_eq!(same_form("Ze\u{301}d"), same_form("Z\u{e9}d"));
    assert_eq!(same_form(" O’Neil \t Jr"), "O'Neil Jr");
    assert_eq!(same_form("Ｂｏｂ"), "Bob");
    assert_ne!(same_form("Bob"), same_form("bob"));
}

#[test]
fn addresses_are_kept_in_lower_case() {
    check(
        email,
        &["Ann@Example.ORG", " a+b@x.co ", "a@b", "a b@x.org", "@x.org", "a@@x.org", "a@-x.org"],
        expect![[r#"
            Ann@Example.ORG -> ann@example.org
             a+b@x.co  -> a+b@x.co
            a@b: must be an e-mail address
            a b@x.org: must be an e-mail address
            @x.org: must be an e-mail address
            a@@x.org: must be an e-mail address
            a@-x.org: must be an e-mail address
        "#]],
    );
    check(
        phone,
        &["+15550100", "15550100", "+1555010", "+1234567890123456", "+1555 0100"],
        expect![[r#"
            +15550100 -> +15550100
            15550100: must be + and 8 to 15 digits
            +1555010: must be + and 8 to 15 digits
            +1234567890123456: must be + and 8 to 15 digits
            +1555 0100: must be + and 8 to 15 digits
        "#]],
    );
}
