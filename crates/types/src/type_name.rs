//! The names of the ten attribute types, as DynamoDB writes them in JSON and in `attribute_type`.

use std::fmt;
use std::str::FromStr;

/// The type of an [`AttributeValue`](crate::AttributeValue).
///
/// ```
/// use monotable_types::TypeName;
///
/// assert_eq!("NULL".parse(), Ok(TypeName::Null));
/// assert_eq!(TypeName::Ss.to_string(), "SS");
/// assert!("bool".parse::<TypeName>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeName {
    /// String, `S`.
    S,
    /// Number, `N`.
    N,
    /// Binary, `B`.
    B,
    /// Boolean, `BOOL`.
    Bool,
    /// Null, `NULL`.
    Null,
    /// Map, `M`.
    M,
    /// List, `L`.
    L,
    /// String set, `SS`.
    Ss,
    /// Number set, `NS`.
    Ns,
    /// Binary set, `BS`.
    Bs,
}

/// The error of a text that is not the name of an attribute type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the name of an attribute type")]
pub struct UnknownTypeName(
    /// The text.
    pub String,
);

impl TypeName {
    /// Every type, in the order of the definition.
    pub const ALL: [Self; 10] = [
        Self::S,
        Self::N,
        Self::B,
        Self::Bool,
        Self::Null,
        Self::M,
        Self::L,
        Self::Ss,
        Self::Ns,
        Self::Bs,
    ];

    /// Returns the name as DynamoDB writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
            Self::Bool => "BOOL",
            Self::Null => "NULL",
            Self::M => "M",
            Self::L => "L",
            Self::Ss => "SS",
            Self::Ns => "NS",
            Self::Bs => "BS",
        }
    }
}

impl fmt::Display for TypeName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for TypeName {
    type Err = UnknownTypeName;

    fn from_str(text: &str) -> Result<Self, UnknownTypeName> {
        Self::ALL
            .into_iter()
            .find(|name| name.as_str() == text)
            .ok_or_else(|| UnknownTypeName(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for name in TypeName::ALL {
            assert_eq!(name.as_str().parse(), Ok(name));
        }
    }
}
