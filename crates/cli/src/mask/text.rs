//! The replacements of personal values: equal for equal values, in any row and any spelling.

use monotable::model::key::{decode_free_text, encode_free_text};
use monotable_types::{AttributeValue, Number, Set};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Replaces values by others that are derived from a secret. Without it nobody can find the
/// original value.
pub(super) struct Mask {
    secret: Vec<u8>,
}

/// Returns the compared form: texts that differ in case or in surrounding spaces belong to the same
/// person.
pub(super) fn canonical(text: &str) -> String {
    text.trim().to_lowercase()
}

impl Mask {
    /// Creates a mask with this secret.
    pub(super) fn new(secret: Vec<u8>) -> Self {
        Self { secret }
    }

    /// Returns the replacement of a text, in the same form: an address, a web address, a number, a
    /// day, or words.
    pub(super) fn text(&self, text: &str) -> String {
        let known = canonical(text);
        if known.is_empty() {
            return text.to_owned();
        }
        let hash = self.hash(&known);
        let name = hex::encode(&hash[..6]);
        if known.contains('@') {
            return format!("p{name}@example.invalid");
        }
        if known.contains("://") {
            return format!("https://example.invalid/p{name}");
        }
        if is_day(&known) {
            let [month, day] = [1 + hash[7] % 12, 1 + hash[8] % 28];
            return format!("{}-{month:02}-{day:02}", 1950 + u16::from(hash[6] % 50));
        }
        let is_number =
            |character: char| character.is_ascii_digit() || "+-() ./".contains(character);
        if known.chars().all(is_number) && known.chars().any(|character| character.is_ascii_digit())
        {
            return self.digits(&known, &hash);
        }
        format!("p{name}")
    }

    /// Replaces the digits of a number one by one, so that its length and its signs stay.
    fn digits(&self, text: &str, hash: &[u8; 32]) -> String {
        let mut position = 0;
        let replace = |character: char| {
            if !character.is_ascii_digit() {
                return character;
            }
            // Not zero: a number must not begin with it.
            let digit = b'1' + hash[position % hash.len()] % 9;
            position += 1;
            char::from(digit)
        };
        text.chars().map(replace).collect()
    }

    /// Returns the replacement of a value with everything in it.
    pub(super) fn value(&self, value: &AttributeValue) -> AttributeValue {
        use AttributeValue as V;
        match value {
            V::S(text) => V::S(self.text(text)),
            V::N(number) => V::N(self.number(number)),
            V::B(bytes) => V::B(self.hash(&hex::encode(bytes))[..bytes.len().min(32)].to_vec()),
            V::M(members) => {
                V::M(members.iter().map(|(name, it)| (name.clone(), self.value(it))).collect())
            }
            V::L(items) => V::L(items.iter().map(|it| self.value(it)).collect()),
            V::Ss(texts) => V::Ss(set(texts, |text| self.text(text))),
            V::Ns(numbers) => V::Ns(set(numbers, |number| self.number(number))),
            V::Bool(_) | V::Null | V::Bs(_) => value.clone(),
        }
    }

    fn number(&self, number: &Number) -> Number {
        let text = number.to_string();
        let hash = self.hash(&text);
        self.digits(&text, &hash).parse().unwrap_or(*number)
    }

    /// Does the same for a value in JSON.
    pub(super) fn json(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => self.text(text).into(),
            Value::Number(number) => {
                let text = number.to_string();
                let hash = self.hash(&text);
                serde_json::from_str(&self.digits(&text, &hash)).unwrap_or(Value::Null)
            }
            Value::Array(items) => items.iter().map(|item| self.json(item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, it)| (name.clone(), self.json(it))).collect()
            }
            Value::Bool(_) | Value::Null => value.clone(),
        }
    }

    /// Does the same for the text of a value in a key, in its encoding there.
    pub(super) fn key_text(&self, text: &str) -> String {
        let decoded = decoded(text);
        let masked = self.text(&decoded);
        if percent_encoded(&decoded) == text && text != decoded {
            return percent_encoded(&masked);
        }
        if encode_free_text(&decoded) == text { encode_free_text(&masked) } else { masked }
    }

    fn hash(&self, text: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(&self.secret);
        hash.update(text.as_bytes());
        hash.finalize().into()
    }
}

/// Masks the elements of a set, which has at least one.
fn set<T: Ord + Clone>(elements: &Set<T>, masked: impl Fn(&T) -> T) -> Set<T> {
    let mut masked = elements.iter().map(masked);
    match masked.next() {
        Some(first) => Set::of(first, masked),
        None => unreachable!("a set is never empty"),
    }
}

/// Returns the value of a text in a key.
pub(super) fn decoded(text: &str) -> String {
    decode_free_text(text).unwrap_or_else(|_| text.to_owned())
}

/// Encodes everything but letters, digits and the signs that web addresses may contain.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'~' | b'-' => {
                encoded.push(char::from(byte));
            }
            other => encoded += &format!("%{other:02X}"),
        }
    }
    encoded
}

fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(position, byte)| match position {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_keeps_its_form_and_is_the_same_everywhere() {
        let mask = Mask::new(b"secret".to_vec());
        let [ann, other] = ["Ann@Example.org", "bob@example.org"].map(|text| mask.text(text));
        assert!(ann.ends_with("@example.invalid") && ann != other, "{ann}");
        assert_eq!(ann, mask.text(" ann@example.org"));
        assert_eq!(ann, canonical(&ann), "names that are folded are folded alike");
        assert_eq!(mask.key_text("ann%40example.org"), ann.replace('@', "%40"));
        assert_eq!(mask.key_text("ann@example.org"), ann);
        assert_eq!(mask.key_text("Ann%20Lee"), mask.text("ann lee"));
        let phone = mask.text("+49 30 123-456");
        assert_eq!(phone.len(), 14);
        assert!(phone.starts_with('+') && phone != "+49 30 123-456", "{phone}");
        assert!(mask.text("https://x.org/ann").starts_with("https://example.invalid/"));
        let day = mask.text("1990-02-29");
        assert!(day.parse::<monotable::prelude::Date>().is_ok(), "{day}");
        assert_eq!(mask.text(""), "");
        assert_ne!(Mask::new(b"other".to_vec()).text("ann"), mask.text("ann"));
        let list = AttributeValue::L(vec!["Ann".into(), 5.into()]);
        let AttributeValue::L(masked) = mask.value(&list) else { panic!("a list stays a list") };
        assert_eq!(masked[0], AttributeValue::S(mask.text("ann")));
        assert!(matches!(masked[1], AttributeValue::N(_)) && masked[1] != 5.into());
    }
}
