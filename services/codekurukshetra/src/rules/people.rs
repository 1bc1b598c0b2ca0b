//! What people enter about themselves: what is accepted, and how it is kept.

use monotable_kit::names::{self, NameRule};
use unicode_normalization::UnicodeNormalization as _;

const NAME: NameRule = NameRule::new(1..=50).signs("-'’.", "hyphens, apostrophes and periods");
/// The characters of a LinkedIn address at most.
const LINK_LENGTH_MAX: usize = 200;
/// The hosts of LinkedIn: this one, and those below it.
const LINKEDIN: &str = "linkedin.com";
/// The calling code of India.
const INDIA: &str = "+91";
/// Letters and digits of a GitHub name at most.
const GITHUB_LETTERS_MAX: usize = 39;

/// How far somebody's studies are, as people say it.
pub const YEARS: &[&str] = &["1st Year", "2nd Year", "3rd Year", "4th Year", "Other"];

/// Returns a first or last name.
///
/// # Errors
/// Describes the error as the message of a field.
pub fn name(text: &str) -> Result<String, String> {
    NAME.read(text)
}

/// Returns an e-mail address: composed, in lower case, without spaces around it.
///
/// # Errors
/// Describes the error as the message of a field.
pub fn email(text: &str) -> Result<String, String> {
    names::email(&text.nfc().collect::<String>())
}

/// Returns a telephone number: `+91-XXXXXXXXXX` for a mobile number of India, which may come without the
/// calling code, or E.164.
///
/// # Errors
/// Describes the error as the message of a field.
pub fn phone(text: &str) -> Result<String, String> {
    let number: String = text.trim().chars().filter(|one| !matches!(one, ' ' | '-')).collect();
    let national = match number.strip_prefix('+') {
        None => number.as_str(),
        Some(_) => match number.strip_prefix(INDIA) {
            None => return names::phone(&number),
            Some(national) => national,
        },
    };
    let is_mobile = national.len() == 10
        && national.starts_with(['6', '7', '8', '9'])
        && national.bytes().all(|digit| digit.is_ascii_digit());
    if is_mobile {
        Ok(format!("{INDIA}-{national}"))
    } else {
        Err("must be a mobile number of India, or + and 8 to 15 digits".to_owned())
    }
}

/// Returns a telephone number that an older program kept, in whatever way it was spelled.
///
/// # Errors
/// Describes the error as the message of a field.
pub fn legacy_phone(text: &str) -> Result<String, String> {
    let is_kept = |one: &char| one.is_ascii_digit() || *one == '+';
    let number: String = text.chars().filter(is_kept).collect();
    let international = number.strip_prefix("00").map(|rest| format!("+{rest}"));
    let number = international.unwrap_or(number);
    let national = match number.len() {
        12 => number.strip_prefix("91"),
        11 => number.strip_prefix('0'),
        _ => None,
    };
    phone(national.unwrap_or(&number))
}

/// Returns the name of a GitHub account.
///
/// # Errors
/// Describes the error as the message of a field.
pub fn github_username(text: &str) -> Result<String, String> {
    let is_part =
        |part: &str| !part.is_empty() && part.chars().all(|one| one.is_ascii_alphanumeric());
    let letters = text.chars().filter(|one| *one != '-').count();
    if letters <= GITHUB_LETTERS_MAX && text.split('-').all(is_part) {
        Ok(text.to_owned())
    } else {
        Err("must be letters and digits with single hyphens between them".to_owned())
    }
}

/// Returns the address of a page of LinkedIn.
///
/// # Errors
/// Describes the error as the message of a field.
pub fn linkedin(text: &str) -> Result<String, String> {
    if is_linkedin(text) {
        Ok(text.to_owned())
    } else {
        Err("must be an address such as https://www.linkedin.com/in/name".to_owned())
    }
}

fn is_linkedin(text: &str) -> bool {
    let Ok(address) = text.parse::<http::Uri>() else { return false };
    let (Some("https"), Some(authority)) = (address.scheme_str(), address.authority()) else {
        return false;
    };
    let host = authority.as_str().to_ascii_lowercase();
    let is_host = host.strip_suffix(LINKEDIN).is_some_and(|rest| {
        rest.is_empty() || rest.ends_with('.') && !rest.contains(['@', ':', '/'])
    });
    is_host && address.path().len() > 1 && text.chars().count() <= LINK_LENGTH_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_letters_of_any_script() {
        for (text, kept) in [
            ("Mary  Ann", "Mary Ann"),
            ("O'Neil-Smith", "O'Neil-Smith"),
            ("S.", "S."),
            ("अनन्या", "अनन्या"),
        ] {
            assert_eq!(name(text).as_deref(), Ok(kept));
        }
        for text in ["", " ", "-", "R2D2", "<b>", "=A1", &"a".repeat(51)] {
            assert!(name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn addresses_are_composed_and_in_lower_case() {
        assert_eq!(email(" Jose\u{301}@Example.ORG ").as_deref(), Ok("josé@example.org"));
        for text in ["", "a@", "a@b", "a b@example.org", "@example.org"] {
            assert!(email(text).is_err(), "{text}");
        }
    }

    #[test]
    fn mobile_numbers_of_india_have_one_form() {
        for text in
            ["9876543210", "98765 43210", "+91-9876543210", "+91 98765-43210", " +919876543210 "]
        {
            assert_eq!(phone(text).as_deref(), Ok("+91-9876543210"), "{text}");
        }
        for text in [
            "",
            "5876543210",
            "987654321",
            "98765432101",
            "+91 1123456789",
            "09876543210",
            "98765x3210",
        ] {
            assert!(phone(text).is_err(), "{text}");
        }
    }

    #[test]
    fn other_numbers_are_international() {
        assert_eq!(phone("+44 20 7946-0958").as_deref(), Ok("+442079460958"));
        for text in ["442079460958", "+44", "+44 (0) 20 7946 0958", "+1234567890123456"] {
            assert!(phone(text).is_err(), "{text}");
        }
    }

    #[test]
    fn older_numbers_are_read_in_any_spelling() {
        for text in [
            "(98765) 43210",
            "09876543210",
            "91 9876543210",
            "0091-98765.43210",
            "+91 (98765) 43210",
        ] {
            assert_eq!(legacy_phone(text).as_deref(), Ok("+91-9876543210"), "{text}");
        }
        assert_eq!(legacy_phone("0044 20 7946 0958").as_deref(), Ok("+442079460958"));
        assert_eq!(legacy_phone("9198765432").as_deref(), Ok("+91-9198765432"));
        for text in ["", "ask my brother", "12345"] {
            assert!(legacy_phone(text).is_err(), "{text}");
        }
    }

    #[test]
    fn github_names_have_single_hyphens_inside() {
        for text in ["a", "john-doe", "J0hn", &"a".repeat(39)] {
            assert!(github_username(text).is_ok(), "{text}");
        }
        for text in ["", "-a", "a-", "a--b", "a_b", "jö", &"a".repeat(40)] {
            assert!(github_username(text).is_err(), "{text}");
        }
    }

    #[test]
    fn links_lead_to_linkedin() {
        for text in [
            "https://linkedin.com/in/johndoe",
            "https://www.linkedin.com/in/john-doe/?locale=en",
            "https://IN.LinkedIn.com/in/x",
        ] {
            assert!(linkedin(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "linkedin.com/in/x",
            "http://linkedin.com/in/x",
            "https://linkedin.com",
            "https://linkedin.com.evil.example/in/x",
            "https://evil-linkedin.com/in/x",
            "https://user@linkedin.com/in/x",
            "https://evil.example:x@www.linkedin.com/in/x",
            "https://linkedin.com:8443/in/x",
            "https://linkedin.com/in/a b",
            "javascript:alert(1)//linkedin.com/",
            &format!("https://linkedin.com/in/{}", "x".repeat(200)),
        ] {
            assert!(linkedin(text).is_err(), "{text}");
        }
    }
}
