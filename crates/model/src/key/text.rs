//! Texts in keys: the grammar of typed ids, encoded free text, and maximum lengths.

use monotable_types::limits::{PARTITION_KEY_BYTES_MAX, SORT_KEY_BYTES_MAX};

use super::KeyError;

/// The maximum number of characters of an identifier.
pub const IDENTIFIER_CHARACTERS_MAX: usize = 128;

/// Checks a typed id: 1 to 128 letters, digits and `. _ ~ @ + : -`. None of them is the `#` between
/// the parts of a key, so two ids never read as one.
///
/// ```
/// use monotable_model::key::check_identifier;
///
/// assert!(check_identifier("01JK3Z8S7Q").is_ok());
/// assert!(check_identifier("x#shard0").is_err());
/// ```
///
/// # Errors
/// [`KeyError::Empty`], [`KeyError::IdentifierTooLong`] or [`KeyError::Character`].
pub fn check_identifier(text: &str) -> Result<(), KeyError> {
    if text.is_empty() {
        return Err(KeyError::Empty);
    }
    // The length is checked first, so that errors contain only texts of bounded length.
    if text.len() > IDENTIFIER_CHARACTERS_MAX {
        let characters = text.chars().count();
        if characters > IDENTIFIER_CHARACTERS_MAX {
            return Err(KeyError::IdentifierTooLong { characters });
        }
    }
    match text.chars().find(|character| !is_identifier(*character)) {
        Some(character) => Err(KeyError::Character { text: text.to_owned(), character }),
        None => Ok(()),
    }
}

fn is_identifier(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '.' | '_' | '~' | '@' | '+' | ':' | '-')
}

/// Encodes any text for use in a key: percent-encodes `%`, `#`, spaces, control characters and
/// U+10FFFF, which ends the ranges of queries. Used for the values of unique constraints, such as
/// e-mail addresses and names.
///
/// ```
/// use monotable_model::key::{decode_free_text, encode_free_text};
///
/// assert_eq!(encode_free_text("Red Stars #1"), "Red%20Stars%20%231");
/// assert_eq!(decode_free_text("Red%20Stars%20%231")?, "Red Stars #1");
/// # Ok::<(), monotable_model::key::KeyError>(())
/// ```
pub fn encode_free_text(text: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut encoded = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '%' | '#' | ' ' | char::MAX) || character.is_control() {
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                encoded.push('%');
                encoded.push(HEX[usize::from(byte >> 4)].into());
                encoded.push(HEX[usize::from(byte & 15)].into());
            }
        } else {
            encoded.push(character);
        }
    }
    encoded
}

/// Decodes a text that [`encode_free_text`] wrote.
///
/// # Errors
///
/// [`KeyError::Unparsable`] if a `%` is not followed by two hexadecimal digits, or the bytes are
/// not UTF-8.
pub fn decode_free_text(text: &str) -> Result<String, KeyError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, behind @ ..] = rest else { return Err(KeyError::Unparsable) };
        bytes.push(hexadecimal(*high)? << 4 | hexadecimal(*low)?);
        rest = behind;
    }
    String::from_utf8(bytes).map_err(|_| KeyError::Unparsable)
}

fn hexadecimal(digit: u8) -> Result<u8, KeyError> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'A'..=b'F' => Ok(digit - b'A' + 10),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(KeyError::Unparsable),
    }
}

/// Checks the lengths of rendered keys against DynamoDB's maximum: 2048 bytes for the partition
/// key, 1024 for the sort key.
///
/// # Errors
/// [`KeyError::TooLong`].
pub fn check_lengths(partition: &str, sort: Option<&str>) -> Result<(), KeyError> {
    check_length(partition, PARTITION_KEY_BYTES_MAX)?;
    sort.map_or(Ok(()), |sort| check_length(sort, SORT_KEY_BYTES_MAX))
}

fn check_length(text: &str, bytes_max: usize) -> Result<(), KeyError> {
    if text.len() > bytes_max {
        return Err(KeyError::TooLong { bytes: text.len(), bytes_max });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn identifiers_have_their_grammar() {
        assert_eq!(check_identifier("aZ09._~@+:-"), Ok(()));
        assert_eq!(check_identifier(""), Err(KeyError::Empty));
        assert_eq!(check_identifier(&"x".repeat(128)), Ok(()));
        assert_eq!(
            check_identifier(&"x".repeat(129)),
            Err(KeyError::IdentifierTooLong { characters: 129 })
        );
        assert_eq!(
            check_identifier(&"é".repeat(129)),
            Err(KeyError::IdentifierTooLong { characters: 129 })
        );
        for character in ['#', '/', ' ', '\u{0}', 'é', '%'] {
            let text = format!("a{character}b");
            assert_eq!(check_identifier(&text), Err(KeyError::Character { text, character }));
        }
    }

    #[test]
    fn errors_show_controls_as_escapes() {
        assert_eq!(
            check_identifier("a\nb").unwrap_err().to_string(),
            "`a\\nb` is not valid in a key: `\\n` is not allowed there"
        );
    }

    #[test]
    fn lengths_are_those_of_dynamodb() {
        assert_eq!(check_lengths(&"x".repeat(2048), Some(&"x".repeat(1024))), Ok(()));
        assert_eq!(
            check_lengths(&"x".repeat(2049), None),
            Err(KeyError::TooLong { bytes: 2049, bytes_max: 2048 })
        );
        assert_eq!(
            check_lengths("x", Some(&"é".repeat(513))),
            Err(KeyError::TooLong { bytes: 1026, bytes_max: 1024 })
        );
    }

    #[test]
    fn invalid_percent_codes_are_refused() {
        for text in ["%", "%2", "%2g", "%FF", "a%"] {
            assert_eq!(decode_free_text(text), Err(KeyError::Unparsable), "{text}");
        }
    }

    proptest! {
        #[test]
        fn free_text_is_decoded_and_contains_no_delimiters(text in any::<String>()) {
            let encoded = encode_free_text(&text);
            prop_assert!(!encoded.contains(['#', ' ', char::MAX]));
            prop_assert!(!encoded.chars().any(char::is_control));
            prop_assert_eq!(decode_free_text(&encoded), Ok(text));
        }
    }
}
