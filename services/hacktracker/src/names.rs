//! Names of people and teams, addresses and telephone numbers: what is taken, and how it is kept.
//!
//! Letters are those of any script, with the marks that belong to them. Nothing here knows requests.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Characters of a first or last name.
const PERSON_LENGTH_MAX: usize = 50;
const EMAIL_LENGTH_MAX: usize = 254;

/// Returns the description of a team; an empty one is none.
pub(crate) fn description(text: &str) -> Result<Option<String>, String> {
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

/// A team's name: 3 to 50 letters, digits, spaces, hyphens, apostrophes, periods and ampersands.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn team(text: &str) -> Result<String, String> {
    let name = collapsed(text);
    if !(3..=50).contains(&name.chars().count()) {
        return Err("must have 3 to 50 characters".to_owned());
    }
    let is_allowed = |character: char| {
        is_letter(character) || is_digit(character) || " -'’.&".contains(character)
    };
    if let Some(character) = name.chars().find(|character| !is_allowed(*character)) {
        return Err(format!(
            "may have letters, digits, spaces, hyphens, apostrophes, periods and ampersands, not {character:?}"
        ));
    }
    let is_readable = name.chars().any(|character| is_base(character) || is_digit(character));
    is_readable.then_some(name).ok_or_else(|| "must have a letter or a digit".to_owned())
}

/// A player's first or last name: 1 to 50 letters, hyphens, apostrophes, periods and single spaces
/// between them.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn player(text: &str) -> Result<String, String> {
    let name = person(text)?;
    if name.contains("  ") {
        return Err("may have single spaces only".to_owned());
    }
    let is_allowed = |character: char| is_letter(character) || " -'’.".contains(character);
    if let Some(character) = name.chars().find(|character| !is_allowed(*character)) {
        return Err(format!(
            "may have letters, hyphens, apostrophes, periods and single spaces, not {character:?}"
        ));
    }
    let is_readable = name.chars().any(is_base);
    is_readable.then_some(name).ok_or_else(|| "must have a letter".to_owned())
}

/// The first or last name of an account: 1 to 50 characters that can be seen.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn person(text: &str) -> Result<String, String> {
    let name = text.trim();
    if !(1..=PERSON_LENGTH_MAX).contains(&name.chars().count()) {
        return Err(format!("must have 1 to {PERSON_LENGTH_MAX} characters"));
    }
    match name.chars().any(char::is_control) {
        false => Ok(name.to_owned()),
        true => Err("may have no control characters".to_owned()),
    }
}

/// An e-mail address, kept in lower case.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn email(text: &str) -> Result<String, String> {
    let address = text.trim().to_lowercase();
    let is_host = |host: &str| {
        host.contains('.')
            && host.split('.').all(|label| {
                let is_inside = |character: char| character.is_alphanumeric() || character == '-';
                !label.is_empty()
                    && label.chars().all(is_inside)
                    && !label.starts_with('-')
                    && !label.ends_with('-')
            })
    };
    let is_mailbox = |mailbox: &str| {
        let is_inside = |character: char| !character.is_whitespace() && !character.is_control();
        (1..=64).contains(&mailbox.len())
            && mailbox.chars().all(is_inside)
            && !mailbox.contains(['@', '"', '(', ')', ',', ':', ';', '<', '>', '[', '\\', ']'])
            && !mailbox.starts_with('.')
            && !mailbox.ends_with('.')
            && !mailbox.contains("..")
    };
    match address.rsplit_once('@') {
        Some((mailbox, host))
            if address.len() <= EMAIL_LENGTH_MAX && is_mailbox(mailbox) && is_host(host) =>
        {
            Ok(address)
        }
        _ => Err("must be an e-mail address".to_owned()),
    }
}

/// A telephone number of E.164: `+` and 8 to 15 digits.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn phone(text: &str) -> Result<String, String> {
    let number = text.trim();
    let digits = number.strip_prefix('+').unwrap_or_default();
    match (8..=15).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit()) {
        true => Ok(number.to_owned()),
        false => Err("must be + and 8 to 15 digits".to_owned()),
    }
}

/// The text with single spaces inside and none around.
fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A letter, a mark on one, or one of the two joiners that some scripts can't do without.
fn is_letter(character: char) -> bool {
    is_base(character)
        || character.general_category_group() == GeneralCategoryGroup::Mark
        || matches!(character, '\u{200c}' | '\u{200d}')
}

/// A letter that stands by itself.
fn is_base(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Letter
}

fn is_digit(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Number
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(take: fn(&str) -> Result<String, String>, texts: &[&str], expected: Expect) {
        let taken = texts.iter().map(|text| match take(text) {
            Ok(kept) => format!("{text} -> {kept}\n"),
            Err(why) => format!("{text}: {why}\n"),
        });
        expected.assert_eq(&taken.collect::<String>());
    }

    #[test]
    fn teams_have_names_of_any_script() {
        check(
            team,
            &[
                "  Seattle   Sluggers ",
                "O'Malley & Co. 9-ers",
                "हिन्दी वाले",
                "東京巨人",
                "Żółw Łódź",
            ],
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
            team,
            &["ab", " a  ", &long, "Sluggers!", "a#b", "Sox 🧦", "-- --", "\u{301}\u{301}\u{301}"],
            expect![[r#"
                ab: must have 3 to 50 characters
                 a  : must have 3 to 50 characters
                xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: must have 3 to 50 characters
                Sluggers!: may have letters, digits, spaces, hyphens, apostrophes, periods and ampersands, not '!'
                a#b: may have letters, digits, spaces, hyphens, apostrophes, periods and ampersands, not '#'
                Sox 🧦: may have letters, digits, spaces, hyphens, apostrophes, periods and ampersands, not '🧦'
                -- --: must have a letter or a digit
                ́́́: must have a letter or a digit
            "#]],
        );
    }

    #[test]
    fn players_have_names_of_any_script() {
        check(
            player,
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
            assert_eq!(team(text), Err("must have a letter or a digit".to_owned()));
            assert_eq!(player(text), Err("must have a letter".to_owned()));
        }
        assert_eq!(team("1-2").as_deref(), Ok("1-2"));
    }

    #[test]
    fn addresses_are_kept_in_lower_case_and_must_look_like_some() {
        check(
            email,
            &[
                "Ann@Example.ORG",
                " a+b@x.co ",
                "a@b",
                "a b@x.org",
                "@x.org",
                "a@@x.org",
                "a@-x.org",
            ],
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
}
