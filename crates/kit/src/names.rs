//! Names that users choose for themselves and for their teams: which are accepted, and how they are
//! stored.
//!
//! Letters are those of any script, with their marks. E-mail addresses and telephone numbers are
//! here too, because they identify people like names.

use std::ops::RangeInclusive;

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Bytes of an e-mail address at most.
const EMAIL_BYTES_MAX: usize = 254;
/// Bytes in front of the `@` at most.
const MAILBOX_BYTES_MAX: usize = 64;
/// The number of digits of an E.164 telephone number.
const PHONE_DIGITS: RangeInclusive<usize> = 8..=15;

/// The rule for a kind of names.
///
/// ```
/// use monotable_kit::names::{NameRule, Spaces};
///
/// const TEAM: NameRule = NameRule::new(3..=50).digits().signs("-'&", "hyphens, apostrophes and ampersands");
/// assert_eq!(TEAM.read("  Żółw   & Co 9 "), Ok("Żółw & Co 9".to_owned()));
/// assert_eq!(TEAM.read("Sox!").unwrap_err(), "may have letters, digits, spaces, hyphens, apostrophes and ampersands, not '!'");
/// # let _ = Spaces::Single;
/// ```
#[derive(Clone, Debug)]
pub struct NameRule {
    length: RangeInclusive<usize>,
    has_digits: bool,
    spaces: Spaces,
    signs: &'static str,
    signs_in_words: &'static str,
}

/// What happens to spaces inside a name. Those around it are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spaces {
    /// Several become one.
    Collapsed,
    /// Several are refused.
    Single,
}

impl NameRule {
    /// Accepts names of this length: letters, and spaces between them.
    pub const fn new(length: RangeInclusive<usize>) -> Self {
        let spaces = Spaces::Collapsed;
        Self { length, has_digits: false, spaces, signs: "", signs_in_words: "" }
    }

    /// Accepts digits, too.
    #[must_use]
    pub const fn digits(mut self) -> Self {
        self.has_digits = true;
        self
    }

    /// Accepts these signs, too; `in_words` names them in messages: "hyphens and periods".
    #[must_use]
    pub const fn signs(mut self, signs: &'static str, in_words: &'static str) -> Self {
        (self.signs, self.signs_in_words) = (signs, in_words);
        self
    }

    /// Sets what happens to spaces inside a name.
    #[must_use]
    pub const fn spaces(mut self, spaces: Spaces) -> Self {
        self.spaces = spaces;
        self
    }

    /// Returns a name as it is stored.
    ///
    /// # Errors
    /// Returns the message for the field.
    pub fn read(&self, text: &str) -> Result<String, String> {
        let name = match self.spaces {
            Spaces::Collapsed => collapsed(text),
            Spaces::Single => text.trim().to_owned(),
        };
        check_length(&name, &self.length)?;
        if name.contains("  ") {
            return Err("may have single spaces only".to_owned());
        }
        if let Some(character) = name.chars().find(|character| !self.allows(*character)) {
            return Err(format!("may have {}, not {character:?}", self.in_words()));
        }
        let is_readable =
            |character| is_letter(character) || self.has_digits && is_digit(character);
        if name.chars().any(is_readable) {
            return Ok(name);
        }
        let missing = if self.has_digits { "a letter or a digit" } else { "a letter" };
        Err(format!("must have {missing}"))
    }

    fn allows(&self, character: char) -> bool {
        is_part_of_letter(character)
            || self.has_digits && is_digit(character)
            || character == ' '
            || self.signs.contains(character)
    }

    /// Returns the accepted characters, in words.
    fn in_words(&self) -> String {
        let digits = if self.has_digits { "digits, " } else { "" };
        match self.spaces {
            Spaces::Collapsed => format!("letters, {digits}spaces, {}", self.signs_in_words),
            Spaces::Single => format!("letters, {digits}{} and single spaces", self.signs_in_words),
        }
    }
}

/// Returns a visible text of this length, without spaces around it.
///
/// # Errors
/// Returns the message for the field.
pub fn visible_text(text: &str, length: RangeInclusive<usize>) -> Result<String, String> {
    let text = text.trim();
    check_length(text, &length)?;
    if text.chars().any(char::is_control) {
        return Err("may have no control characters".to_owned());
    }
    Ok(text.to_owned())
}

/// Returns the form that all names share which look the same: full-width letters, composed and
/// typographic characters become plain ones, several spaces one.
///
/// ```
/// use monotable_kit::names::same_form;
///
/// assert_eq!(same_form(" Ｂｏｂ  O’Ne\u{301}il "), "Bob O'Néil");
/// ```
pub fn same_form(name: &str) -> String {
    let plain: String = name.nfkc().map(|sign| if sign == '’' { '\'' } else { sign }).collect();
    collapsed(&plain)
}

/// Returns an e-mail address, in lower case.
///
/// # Errors
/// Returns the message for the field.
pub fn email(text: &str) -> Result<String, String> {
    let address = text.trim().to_lowercase();
    let parts = address.rsplit_once('@');
    let is_address = parts.is_some_and(|(mailbox, host)| is_mailbox(mailbox) && is_host(host));
    if is_address && address.len() <= EMAIL_BYTES_MAX {
        Ok(address)
    } else {
        Err("must be an e-mail address".to_owned())
    }
}

/// Returns an E.164 telephone number: `+` and 8 to 15 digits.
///
/// # Errors
/// Returns the message for the field.
pub fn phone(text: &str) -> Result<String, String> {
    let number = text.trim();
    let digits = number.strip_prefix('+').unwrap_or_default();
    if PHONE_DIGITS.contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit()) {
        Ok(number.to_owned())
    } else {
        Err("must be + and 8 to 15 digits".to_owned())
    }
}

fn is_mailbox(mailbox: &str) -> bool {
    let is_inside = |character: char| !character.is_whitespace() && !character.is_control();
    (1..=MAILBOX_BYTES_MAX).contains(&mailbox.len())
        && mailbox.chars().all(is_inside)
        && !mailbox.contains(['@', '"', '(', ')', ',', ':', ';', '<', '>', '[', '\\', ']'])
        && !mailbox.starts_with('.')
        && !mailbox.ends_with('.')
        && !mailbox.contains("..")
}

fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        let is_inside = |character: char| character.is_alphanumeric() || character == '-';
        !label.is_empty()
            && label.chars().all(is_inside)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    host.contains('.') && host.split('.').all(is_label)
}

fn check_length(text: &str, length: &RangeInclusive<usize>) -> Result<(), String> {
    if length.contains(&text.chars().count()) {
        return Ok(());
    }
    Err(format!("must have {} to {} characters", length.start(), length.end()))
}

/// Returns the text with single spaces inside and none around.
fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a character is a letter by itself.
pub fn is_letter(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Letter
}

/// Returns whether a character changes the letter in front of it.
pub fn is_mark(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Mark
}

/// Returns whether a character is a digit of any script, and not another sign for a number.
pub fn is_decimal(character: char) -> bool {
    character.general_category() == GeneralCategory::DecimalNumber
}

/// Returns whether a character is a letter, a mark on one, or one of the two joiners that some
/// scripts need.
fn is_part_of_letter(character: char) -> bool {
    is_letter(character) || is_mark(character) || matches!(character, '\u{200c}' | '\u{200d}')
}

fn is_digit(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Number
}
