//! Names of tributes: letters of any script, digits, spaces, hyphens and apostrophes.

use monotable_kit::Refuse as _;
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

use crate::refusal::Refusal;

const NAME_CHARACTERS_MAX: usize = 50;

/// Returns the name as it is stored: single spaces inside and none around, and in a canonical form,
/// so that names which look the same are equal.
///
/// # Errors
/// Fails if it is empty, too long, has other characters or contains "admin".
pub fn tribute_name(text: &str) -> Result<String, Refusal> {
    let plain: String = text.nfkc().map(|sign| if sign == '’' { '\'' } else { sign }).collect();
    let name = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_mark =
        |character: char| character.general_category_group() == GeneralCategoryGroup::Mark;
    let is_allowed = |character: char| {
        let group = character.general_category_group();
        matches!(group, GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark)
            || character.general_category() == GeneralCategory::DecimalNumber
            || " -'".contains(character)
    };
    let is_sound = (1..=NAME_CHARACTERS_MAX).contains(&name.chars().count())
        && name.chars().all(is_allowed)
        && name.chars().any(char::is_alphanumeric)
        && !name.starts_with(is_mark)
        && !name.to_lowercase().contains("admin");
    Refusal::InvalidName.unless(is_sound).map(|()| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_any_script_are_names() {
        for name in ["Zoë", "Łukasz", "अर्जुन", "O'Neil", "Jean-Luc 2", "陳大文"] {
            assert_eq!(tribute_name(name).as_deref(), Ok(name));
        }
        assert_eq!(tribute_name("  a \t b ").as_deref(), Ok("a b"));
    }

    #[test]
    fn names_that_look_the_same_are_the_same() {
        assert_eq!(tribute_name("Ze\u{301}d"), tribute_name("Z\u{e9}d"));
        assert_eq!(tribute_name("O’Neil").as_deref(), Ok("O'Neil"));
        assert_eq!(tribute_name("Ｂｏｂ").as_deref(), Ok("Bob"));
        assert_eq!(tribute_name("Ａdmin"), Err(Refusal::InvalidName));
        assert_eq!(tribute_name("\u{301}a"), Err(Refusal::InvalidName));
    }

    #[test]
    fn other_characters_and_administrators_are_not() {
        let long = "x".repeat(51);
        for name in
            ["", "  ", "a#b", "<b>", "The ADMINistrator", "a\u{0}b", "--", "x½", long.as_str()]
        {
            assert_eq!(tribute_name(name), Err(Refusal::InvalidName), "{name:?}");
        }
    }
}
