//! Reads members of a request into the types that AWS declares for them. A value of another kind is
//! a `SerializationException` with AWS's message; `null` means that the member is absent.

use std::borrow::Cow;

use monotable_types::AttributeValue;

use crate::error::{Failure, Result};
use crate::json::{Kind, Reader};

/// The package of AWS's classes, which messages contain.
const PACKAGE: &str = "com.amazonaws.dynamodb.v20120810";
const STRUCTURE_UNEXPECTED: &str = "Start of structure or map found where not expected";

/// How many entries the standard library's map allocates at a time.
const MAP_NODE_ENTRIES: usize = 11;
const MAP_NODE_BYTES: usize = MAP_NODE_ENTRIES * size_of::<(String, AttributeValue)>();

/// The container of a structure, which decides the message for a scalar in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// A named member.
    Member,
    /// An element of a list or a value of a map.
    Collection,
}

impl<'a> Reader<'a> {
    /// Reads a string, borrowed where possible.
    pub(crate) fn borrowed_text(&mut self) -> Result<Option<Cow<'a, str>>> {
        Ok(match self.kind()? {
            Kind::Null => {
                self.null()?;
                None
            }
            Kind::String => Some(self.string()?),
            kind => return Err(self.not_convertible(kind, "String")),
        })
    }

    /// Reads a string.
    pub(crate) fn text(&mut self) -> Result<Option<String>> {
        Ok(self.borrowed_text()?.map(Cow::into_owned))
    }

    /// Reads a boolean. AWS also accepts some words.
    pub(crate) fn truth(&mut self) -> Result<Option<bool>> {
        Ok(match self.kind()? {
            Kind::Null => {
                self.null()?;
                None
            }
            Kind::True | Kind::False => Some(self.boolean()?),
            Kind::String => {
                let word = self.string()?;
                match word.to_ascii_uppercase().as_str() {
                    "TRUE" | "1" | "YES" => Some(true),
                    "FALSE" | "0" | "NO" => Some(false),
                    _ => return Err(serialization("Unexpected token received from parser")),
                }
            }
            kind => return Err(self.not_convertible(kind, "Boolean")),
        })
    }

    /// Reads a 32-bit integer. Fractions are cut off, and larger numbers become the largest
    /// integer.
    pub(crate) fn integer(&mut self) -> Result<Option<i32>> {
        Ok(self
            .whole_number("Integer")?
            .map(|number| number.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32))
    }

    /// Reads a 64-bit integer by the same rules.
    pub(crate) fn long(&mut self) -> Result<Option<i64>> {
        self.whole_number("Long")
    }

    fn whole_number(&mut self, class: &str) -> Result<Option<i64>> {
        Ok(match self.kind()? {
            Kind::Null => {
                self.null()?;
                None
            }
            Kind::Number => {
                let text = self.number()?;
                // The conversion of a float saturates. Only counts and limits reach this line.
                Some(text.parse().unwrap_or_else(|_| text.parse::<f64>().unwrap_or(0.0) as i64))
            }
            kind => return Err(self.not_convertible(kind, class)),
        })
    }

    /// Reads a time in seconds since the epoch. AWS's clients send fractions and exponents.
    pub(crate) fn seconds(&mut self) -> Result<Option<f64>> {
        Ok(match self.kind()? {
            Kind::Null => {
                self.null()?;
                None
            }
            Kind::Number => Some(self.number()?.parse().unwrap_or(f64::NAN)),
            kind => return Err(self.not_convertible(kind, "Date")),
        })
    }

    /// Reads binary data in base 64.
    pub(crate) fn blob(&mut self) -> Result<Option<Vec<u8>>> {
        let text = match self.kind()? {
            Kind::Null => {
                self.null()?;
                return Ok(None);
            }
            Kind::String => self.string()?,
            Kind::Array => return Err(unrecognized_collection("class java.nio.ByteBuffer")),
            Kind::Object => return Err(serialization(STRUCTURE_UNEXPECTED)),
            _ => {
                return Err(serialization("only base-64-encoded strings are convertible to bytes"));
            }
        };
        if !text.len().is_multiple_of(4) {
            return Err(serialization(format!(
                "Base64 encoded length is expected a multiple of 4 bytes but found: {}",
                text.len()
            )));
        }
        match base64_simd::STANDARD.decode_to_vec(text.as_bytes()) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(_) => Err(serialization("Invalid last non-pad Base64 character dectected")),
        }
    }

    /// Reads a list with `element` for each element.
    pub(crate) fn list<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Option<Vec<T>>> {
        match self.kind()? {
            Kind::Null => {
                self.null()?;
                Ok(None)
            }
            Kind::Array => {
                let mut elements = Vec::new();
                self.array::<Failure>(|reader| {
                    reader.spend(size_of::<T>())?;
                    elements.push(element(reader)?);
                    Ok(())
                })?;
                Ok(Some(elements))
            }
            Kind::Object => Err(serialization(STRUCTURE_UNEXPECTED)),
            _ => Err(serialization("Unexpected field type")),
        }
    }

    /// Refuses a scalar in place of a list or map inside another one, with the internal Java
    /// message that AWS sends there.
    pub(crate) fn refuse_scalar(&mut self) -> Result<()> {
        match self.kind()? {
            Kind::Null | Kind::Array | Kind::Object => Ok(()),
            Kind::True | Kind::False | Kind::Number | Kind::String => {
                const TYPE: &str = "sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl";
                Err(serialization(format!(
                    "class {TYPE} cannot be cast to class java.lang.Class ({TYPE} and \
                     java.lang.Class are in module java.base of loader 'bootstrap')"
                )))
            }
        }
    }

    /// Reads a list of strings, without its `null` elements.
    pub(crate) fn texts(&mut self) -> Result<Option<Vec<String>>> {
        let texts = self.list(Self::text)?;
        Ok(texts.map(|texts| texts.into_iter().flatten().collect()))
    }

    /// Reads a map with values of AWS's `class`, with `entry` for each value. Returns whether the
    /// map is there.
    pub(crate) fn map(
        &mut self,
        class: &str,
        mut entry: impl FnMut(&mut Self, Cow<'a, str>) -> Result<()>,
    ) -> Result<bool> {
        match self.kind()? {
            Kind::Null => self.null()?,
            Kind::Object => {
                let mut entries = 0;
                self.object::<Failure>(|reader, name| {
                    // Nodes of a map are at least half full.
                    if entries % (MAP_NODE_ENTRIES / 2) == 0 {
                        reader.spend(MAP_NODE_BYTES)?;
                    }
                    entries += 1;
                    entry(reader, name)
                })?;
                return Ok(true);
            }
            Kind::Array => {
                let class = if class.contains('.') {
                    class.to_owned()
                } else {
                    format!("{PACKAGE}.{class}")
                };
                return Err(unrecognized_collection(&format!(
                    "java.util.Map<java.lang.String, {class}>"
                )));
            }
            _ => return Err(serialization("Unexpected field type")),
        }
        Ok(false)
    }

    /// Reads a structure of AWS's `class`, with `member` for the value of each member. Returns
    /// whether the structure is there.
    pub(crate) fn structure(
        &mut self,
        class: &str,
        holder: Holder,
        mut member: impl FnMut(&mut Self, &str) -> Result<()>,
    ) -> Result<bool> {
        match self.kind()? {
            Kind::Null => self.null()?,
            Kind::Object => {
                self.object(|reader, name| member(reader, &name))?;
                return Ok(true);
            }
            Kind::Array => {
                return Err(unrecognized_collection(&format!("class {PACKAGE}.{class}")));
            }
            _ if holder == Holder::Collection => {
                return Err(serialization("Unexpected value type in payload"));
            }
            _ => return Err(serialization("Unexpected field type")),
        }
        Ok(false)
    }

    /// Reads the body of a request: one structure, and nothing after it.
    pub(crate) fn body(
        &mut self,
        mut member: impl FnMut(&mut Self, &str) -> Result<()>,
    ) -> Result<()> {
        match self.kind()? {
            Kind::Object => self.object(|reader, name| member(reader, &name))?,
            Kind::Array => {
                return Err(serialization("Unrecognized collection type class java.util.Map"));
            }
            _ => return Err(serialization("Unexpected value type in payload")),
        }
        Ok(self.end()?)
    }

    /// Counts memory that is about to be used, and refuses a request that needs too much.
    fn spend(&mut self, bytes: usize) -> Result<()> {
        if self.spend_memory(bytes) {
            Ok(())
        } else {
            Err(Failure::validation(
                "The request has more lists and maps than this server takes in a body of its size",
            ))
        }
    }

    /// Skips the value of an unknown member.
    pub(crate) fn ignore(&mut self) -> Result<()> {
        Ok(self.skip()?)
    }

    fn not_convertible(&mut self, kind: Kind, class: &str) -> Failure {
        let found = match kind {
            Kind::True => "TRUE_VALUE",
            Kind::False => "FALSE_VALUE",
            Kind::String => "STRING_VALUE",
            Kind::Object => return serialization(STRUCTURE_UNEXPECTED),
            Kind::Array => return unrecognized_collection(&format!("class java.lang.{class}")),
            Kind::Null | Kind::Number => match self.number() {
                Ok(text) if text.contains(['.', 'e', 'E']) => "DECIMAL_VALUE",
                _ => "NUMBER_VALUE",
            },
        };
        serialization(format!("{found} cannot be converted to {class}"))
    }
}

fn serialization(message: impl Into<String>) -> Failure {
    Failure::Serialization(Some(message.into()))
}

fn unrecognized_collection(class: &str) -> Failure {
    serialization(format!("Unrecognized collection type {class}"))
}
