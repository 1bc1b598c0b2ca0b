//! What the values inside keys look like: the facts about a type that decide whether a template with
//! it sorts rightly, can be parsed back, and can't be confused with another.

/// The form of one key part, as a constant of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartKind {
    /// What kind of value it is.
    pub form: Form,
    /// Which characters its text may consist of.
    pub charset: Charset,
    /// Whether its text may be empty.
    pub may_be_empty: bool,
    /// How many bytes its text always has; 0 when that varies.
    pub width: u8,
    /// Whether the value identifies its entity and so never changes: typed ids.
    pub is_identity: bool,
}

/// What kind of value a key part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text, sorted byte by byte.
    Text,
    /// A whole number without sign: sorts only when padded to `digits`.
    Unsigned {
        /// The digits of the type's greatest value.
        digits: u8,
    },
    /// A whole number with a sign: never sorts as text.
    Signed,
    /// A day, written as `YYYY-MM-DD`.
    Date,
    /// An instant in UTC with a fixed number of fractional digits.
    Instant,
    /// A time in another form: with an offset, or with a varying number of digits. Never sorts.
    UnsortableTime,
    /// One of a few words.
    Word,
}

/// Which characters a key part may consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// `0` to `9`.
    Digits,
    /// Digits and `-`.
    Date,
    /// Digits, `-`, `:`, `.`, `T` and `Z`.
    Instant,
    /// Letters, digits and `. _ ~ @ + : -`: typed ids and words.
    Identifier,
    /// Anything.
    Any,
}

impl Charset {
    /// Returns whether a byte of UTF-8 text may occur.
    pub const fn contains(self, byte: u8) -> bool {
        match self {
            Self::Digits => byte.is_ascii_digit(),
            Self::Date => byte.is_ascii_digit() || byte == b'-',
            Self::Instant => {
                byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'.' | b'T' | b'Z')
            }
            Self::Identifier => {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'.' | b'_' | b'~' | b'@' | b'+' | b':' | b'-')
            }
            Self::Any => true,
        }
    }
}

impl PartKind {
    /// Free text.
    pub const TEXT: Self = Self {
        form: Form::Text,
        charset: Charset::Any,
        may_be_empty: true,
        width: 0,
        is_identity: false,
    };
    /// A typed id.
    pub const IDENTITY: Self = Self {
        form: Form::Text,
        charset: Charset::Identifier,
        may_be_empty: false,
        width: 0,
        is_identity: true,
    };
    /// One of a few words.
    pub const WORD: Self = Self { form: Form::Word, is_identity: false, ..Self::IDENTITY };

    /// Returns a whole number without sign.
    pub const fn unsigned(digits: u8) -> Self {
        Self {
            form: Form::Unsigned { digits },
            charset: Charset::Digits,
            may_be_empty: false,
            width: 0,
            is_identity: false,
        }
    }
}
