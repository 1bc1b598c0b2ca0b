//! The types of the standard library that can be used in keys: text and integers.

use std::fmt::Write;

use monotable_design::part::{Charset, Form, PartKind};

use super::{KeyError, KeyPart, PartText};

/// Patterns take arguments as they are declared, by value or by reference.
impl<T: PartText + ?Sized> PartText for &T {
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
        (**self).write(pad, text)
    }
}

impl PartText for str {
    fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
        check_text(self)?;
        text.push_str(self);
        Ok(())
    }
}

impl PartText for String {
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
        self.as_str().write(pad, text)
    }
}

impl KeyPart for String {
    const KIND: PartKind = PartKind::TEXT;

    fn parse(text: &str) -> Result<Self, KeyError> {
        check_text(text)?;
        Ok(text.to_owned())
    }
}

fn check_text(text: &str) -> Result<(), KeyError> {
    if text.is_empty() {
        return Err(KeyError::Empty);
    }
    match text.chars().find(|character| !is_allowed(*character)) {
        Some(character) => Err(KeyError::Character { text: text.to_owned(), character }),
        None => Ok(()),
    }
}

/// Returns whether keys may contain the character. Control characters are refused because they are
/// invisible, and the greatest character because it ends the ranges of queries: nothing may sort
/// after it.
fn is_allowed(character: char) -> bool {
    !character.is_control() && character != char::MAX
}

macro_rules! unsigned_parts {
    ($($number:ty),*) => {$(
        impl PartText for $number {
            fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
                write_unsigned(u64::from(*self), pad, text)
            }
        }

        impl KeyPart for $number {
            const KIND: PartKind = PartKind::unsigned(<$number>::MAX.ilog10() as u8 + 1);

            fn parse(text: &str) -> Result<Self, KeyError> {
                // The standard library accepts a plus sign, which keys never contain.
                let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
                text.parse().ok().filter(|_| is_plain).ok_or(KeyError::Unparsable)
            }
        }
    )*};
}

unsigned_parts!(u8, u16, u32, u64);

fn write_unsigned(number: u64, pad: u8, text: &mut String) -> Result<(), KeyError> {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(number);
    if pad > 0 && digits.len() > usize::from(pad) {
        return Err(KeyError::TooWide { number, pad });
    }
    text.extend(std::iter::repeat_n('0', usize::from(pad).saturating_sub(digits.len())));
    text.push_str(digits);
    Ok(())
}

/// The form of signed integers.
const SIGNED: PartKind = PartKind {
    form: Form::Signed,
    // Digits and the minus sign.
    charset: Charset::Date,
    may_be_empty: false,
    width: 0,
    is_identity: false,
};

macro_rules! signed_parts {
    ($($number:ty),*) => {$(
        impl PartText for $number {
            fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
                append(text, format_args!("{self}"));
                Ok(())
            }
        }

        impl KeyPart for $number {
            const KIND: PartKind = SIGNED;

            fn parse(text: &str) -> Result<Self, KeyError> {
                let number: Self = text.parse().map_err(|_| KeyError::Unparsable)?;
                // Only the canonical text is accepted: no plus sign, no leading zeros, no `-0`.
                if number.to_string() == text { Ok(number) } else { Err(KeyError::Unparsable) }
            }
        }
    )*};
}

signed_parts!(i8, i16, i32, i64);

fn append(text: &mut String, part: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(part: &dyn PartText, pad: u8) -> Result<String, KeyError> {
        let mut text = String::new();
        part.write(pad, &mut text)?;
        Ok(text)
    }

    #[test]
    fn unsigned_numbers_are_padded_and_never_truncated() {
        assert_eq!(text(&7_u8, 4).unwrap(), "0007");
        assert_eq!(text(&0_u64, 0).unwrap(), "0");
        assert_eq!(text(&9999_u16, 4).unwrap(), "9999");
        assert_eq!(text(&10_000_u16, 4), Err(KeyError::TooWide { number: 10_000, pad: 4 }));
        assert_eq!(text(&u64::MAX, 20).unwrap(), u64::MAX.to_string());
    }

    #[test]
    fn kinds_know_the_digits_of_their_greatest_value() {
        let digits = |kind: PartKind| match kind.form {
            Form::Unsigned { digits } => digits,
            _ => 0,
        };
        assert_eq!([u8::KIND, u16::KIND, u32::KIND, u64::KIND].map(digits), [3, 5, 10, 20],);
    }

    #[test]
    fn numbers_are_read_only_from_their_canonical_text() {
        assert_eq!(<u32 as KeyPart>::parse("0042"), Ok(42));
        for wrong in ["", "+1", "-1", " 1", "4294967296"] {
            assert_eq!(<u32 as KeyPart>::parse(wrong), Err(KeyError::Unparsable), "{wrong}");
        }
        assert_eq!(<i8 as KeyPart>::parse("-128"), Ok(-128));
        for wrong in ["-0", "+1", "01", "-129", "--1"] {
            assert_eq!(<i8 as KeyPart>::parse(wrong), Err(KeyError::Unparsable), "{wrong}");
        }
    }

    #[test]
    fn text_must_not_be_empty_or_contain_controls_or_the_greatest_character() {
        assert_eq!(text(&String::from("Åse #1"), 0).unwrap(), "Åse #1");
        assert_eq!(text(&String::new(), 0), Err(KeyError::Empty));
        assert_eq!(
            text(&String::from("a\nb"), 0),
            Err(KeyError::Character { text: "a\nb".into(), character: '\n' })
        );
        let greatest = String::from("\u{10FFFF}x");
        assert_eq!(
            text(&greatest, 0),
            Err(KeyError::Character { text: greatest.clone(), character: char::MAX })
        );
        assert_eq!(text(&String::from("\u{10FFFE}"), 0).unwrap(), "\u{10FFFE}");
    }
}
