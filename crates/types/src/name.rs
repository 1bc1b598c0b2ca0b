//! Names of tables and indexes, checked once where they enter.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use crate::limits::{NAME_LENGTH_MAX, NAME_LENGTH_MIN};

/// Why a text is no table or index name. `Display` is AWS's text for the parameter the name was
/// sent in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("1 validation error detected: {}", .constraints.join("; "))]
pub struct NameError {
    constraints: Vec<String>,
}

fn check(text: &str, parameter: &str) -> Result<(), NameError> {
    let mut constraints = Vec::new();
    let mut fail = |rule: String| {
        constraints.push(format!(
            "Value '{text}' at '{parameter}' failed to satisfy constraint: Member must {rule}"
        ));
    };
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    if text.is_empty() || !text.bytes().all(allowed) {
        fail("satisfy regular expression pattern: [a-zA-Z0-9_.-]+".to_owned());
    }
    if text.len() < NAME_LENGTH_MIN {
        fail(format!(
            "have length greater than or equal to {NAME_LENGTH_MIN}"
        ));
    }
    if text.len() > NAME_LENGTH_MAX {
        fail(format!(
            "have length less than or equal to {NAME_LENGTH_MAX}"
        ));
    }
    if constraints.is_empty() {
        Ok(())
    } else {
        Err(NameError { constraints })
    }
}

macro_rules! name {
    ($(#[$documentation:meta])* $name:ident, $parameter:literal) => {
        $(#[$documentation])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<&str> for $name {
            type Error = NameError;

            fn try_from(text: &str) -> Result<Self, NameError> {
                check(text, $parameter)?;
                Ok(Self(text.into()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;

            fn try_from(text: String) -> Result<Self, NameError> {
                Self::try_from(text.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                Self::try_from(text)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(formatter, "{:?}", self.as_str())
            }
        }
    };
}

name! {
    /// The name of a table: 3 to 255 of `a-z A-Z 0-9 _ . -`. Cheap to clone.
    ///
    /// ```
    /// use monotable_types::TableName;
    ///
    /// assert_eq!(TableName::try_from("teams")?.as_str(), "teams");
    /// assert!(TableName::try_from("no spaces").is_err());
    /// # Ok::<(), monotable_types::NameError>(())
    /// ```
    TableName, "tableName"
}

name! {
    /// The name of a secondary index: 3 to 255 of `a-z A-Z 0-9 _ . -`. Cheap to clone.
    IndexName, "indexName"
}
