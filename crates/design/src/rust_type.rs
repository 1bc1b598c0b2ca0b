//! Rust types as they are written in a declaration, as far as their text shows what they are.

use crate::meta::WireType;

/// The name of a type, without references, `Option`, path and arguments: `UserId` of
/// `Option<&ids::UserId>`.
#[derive(Clone, Copy)]
pub(crate) struct TypeName<'a> {
    bytes: &'a [u8],
    /// Whether arguments follow it.
    has_arguments: bool,
}

impl<'a> TypeName<'a> {
    /// Returns the name in the text of a type; empty for an array, a slice or a tuple.
    pub(crate) const fn of(rust_type: &'a str) -> Self {
        let mut rest = rust_type.as_bytes();
        loop {
            rest = match rest {
                [b'&', behind @ ..] | [b'm', b'u', b't', b' ', behind @ ..] => behind,
                [b'\'', behind @ ..] => behind_space(behind),
                _ => match last_word(rest) {
                    (b"Option", [b'<', inside @ ..]) => inside,
                    (bytes, behind) => {
                        return Self { bytes, has_arguments: matches!(behind, [b'<', ..]) };
                    }
                },
            };
        }
    }

    /// Returns whether both are types of the program's own, known by nothing but their names, which differ.
    pub(crate) const fn is_other(self, other: Self) -> bool {
        self.is_own() && other.is_own() && !is_same(self.bytes, other.bytes)
    }

    const fn is_own(self) -> bool {
        let is_known = !matches!(known(self.bytes), WireType::Unknown);
        !is_known && !self.has_arguments && !self.bytes.is_empty()
    }
}

/// Returns the DynamoDB type that serde writes for a type, as far as its text shows it.
pub const fn wire_type(rust_type: &str) -> WireType {
    match rust_type.as_bytes() {
        [b'[' | b'(', ..] | [b'&', b'[', ..] => WireType::L,
        _ => known(TypeName::of(rust_type).bytes),
    }
}

const fn known(name: &[u8]) -> WireType {
    match name {
        b"str" | b"String" | b"char" | b"Date" | b"Timestamp" => WireType::S,
        b"u8" | b"u16" | b"u32" | b"u64" | b"u128" | b"usize" => WireType::N,
        b"i8" | b"i16" | b"i32" | b"i64" | b"i128" | b"isize" => WireType::N,
        b"f32" | b"f64" | b"EpochSeconds" | b"Number" => WireType::N,
        b"bool" => WireType::Bool,
        b"Vec" | b"VecDeque" | b"BTreeSet" | b"HashSet" => WireType::L,
        b"BTreeMap" | b"HashMap" => WireType::M,
        _ => WireType::Unknown,
    }
}

/// Returns the last word of a path, and the text after it.
const fn last_word(text: &[u8]) -> (&[u8], &[u8]) {
    let (mut start, mut end) = (0, 0);
    while end < text.len() {
        match text[end] {
            b':' => start = end + 1,
            byte if byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii() => {}
            _ => break,
        }
        end += 1;
    }
    let (path, behind) = text.split_at(end);
    (path.split_at(start).1, behind)
}

const fn behind_space(text: &[u8]) -> &[u8] {
    let mut rest = text;
    while let [byte, behind @ ..] = rest {
        rest = behind;
        if *byte == b' ' {
            break;
        }
    }
    rest
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && !crate::text::differ(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_known_by_its_last_word() {
        for (rust_type, name, expected) in [
            ("u8", "u8", WireType::N),
            ("&str", "str", WireType::S),
            ("&'static str", "str", WireType::S),
            ("&mut String", "String", WireType::S),
            ("Option<&'a model::ids::UserId>", "UserId", WireType::Unknown),
            ("std::option::Option<Option<bool>>", "bool", WireType::Bool),
            ("Vec<u8>", "Vec", WireType::L),
            ("&[u8]", "", WireType::L),
            ("(u8, u8)", "", WireType::L),
            ("std::collections::BTreeMap<String, u8>", "BTreeMap", WireType::M),
            ("Option<>", "", WireType::Unknown),
            ("Straße", "Straße", WireType::Unknown),
        ] {
            assert_eq!(TypeName::of(rust_type).bytes, name.as_bytes(), "{rust_type}");
            assert_eq!(wire_type(rust_type), expected, "{rust_type}");
        }
    }

    #[test]
    fn only_types_without_arguments_differ_by_their_names() {
        let is_other = |one, other| TypeName::of(one).is_other(TypeName::of(other));
        assert!(is_other("&UserId", "Option<ids::TeamId>"));
        assert!(!is_other("&UserId", "Option<ids::UserId>"));
        assert!(!is_other("&str", "UserId"));
        assert!(!is_other("Cow<'_, str>", "UserId"));
        assert!(!is_other("[u8; 4]", "UserId"));
    }
}
