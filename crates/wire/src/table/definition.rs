//! `AttributeDefinitions` and `KeySchema`.

use monotable_types::{AttributeDefinition, Constraints, KeySchemaElement, KeyType, ScalarType};

use crate::error::Result;
use crate::field::Holder;
use crate::json::Reader;
use crate::parameters::choose;

const SCALAR_TYPES: &[(&str, ScalarType)] =
    &[("B", ScalarType::B), ("N", ScalarType::N), ("S", ScalarType::S)];
const KEY_TYPES: &[(&str, KeyType)] = &[("HASH", KeyType::Hash), ("RANGE", KeyType::Range)];

/// An attribute with its type or its part in a key.
#[derive(Clone, Debug, Default)]
struct Element {
    attribute_name: Option<String>,
    word: Option<String>,
}

/// Reads a list of elements whose value is the member `word_name`.
fn read_elements(
    reader: &mut Reader<'_>,
    class: &str,
    word_name: &str,
) -> Result<Option<Vec<Element>>> {
    reader.list(|reader| {
        let mut element = Element::default();
        reader.structure(class, Holder::Collection, |reader, name| {
            match name {
                "AttributeName" => element.attribute_name = reader.text()?,
                name if name == word_name => element.word = reader.text()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(element)
    })
}

impl Element {
    /// Returns the name and the meaning if both are there, and notes errors.
    fn checked<T: Copy>(
        self,
        constraints: &mut Constraints,
        path: &str,
        word_name: &str,
        choices: &[(&str, T)],
    ) -> Option<(String, T)> {
        if self.attribute_name.is_none() {
            constraints.null(&format!("{path}.attributeName"));
        }
        let word_path = format!("{path}.{word_name}");
        if self.word.is_none() {
            constraints.null(&word_path);
        }
        let choice = choose(constraints, &word_path, self.word.as_deref(), choices);
        Some((self.attribute_name?, choice?))
    }
}

/// Returns each element of a list with AWS's path of it.
fn checked_elements<T: Copy>(
    elements: Vec<Element>,
    constraints: &mut Constraints,
    path: &str,
    word_name: &str,
    choices: &[(&str, T)],
) -> Vec<(String, T)> {
    let mut checked = Vec::new();
    for (at, element) in elements.into_iter().enumerate() {
        let path = format!("{path}.{}.member", at + 1);
        checked.extend(element.checked(constraints, &path, word_name, choices));
    }
    checked
}

/// `KeySchema`
#[derive(Clone, Debug, Default)]
pub(crate) struct KeySchema(Option<Vec<Element>>);

impl KeySchema {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self(read_elements(reader, "KeySchemaElement", "KeyType")?))
    }

    /// Returns the keys in the engine's form, and notes errors.
    pub(crate) fn checked(
        self,
        constraints: &mut Constraints,
        path: &str,
    ) -> Vec<KeySchemaElement> {
        let Some(elements) = self.0 else {
            constraints.null(path);
            return Vec::new();
        };
        checked_elements(elements, constraints, path, "keyType", KEY_TYPES)
            .into_iter()
            .map(|(attribute_name, key_type)| KeySchemaElement { attribute_name, key_type })
            .collect()
    }
}

/// `AttributeDefinitions`
#[derive(Clone, Debug, Default)]
pub(crate) struct AttributeDefinitions(Option<Vec<Element>>);

impl AttributeDefinitions {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self(read_elements(reader, "AttributeDefinition", "AttributeType")?))
    }

    /// Notes that the definitions are missing, where they are required.
    pub(crate) fn require(&self, constraints: &mut Constraints) {
        if self.0.is_none() {
            constraints.null("attributeDefinitions");
        }
    }

    /// Returns the definitions in the engine's form, and notes errors.
    pub(crate) fn checked(self, constraints: &mut Constraints) -> Vec<AttributeDefinition> {
        let elements = self.0.unwrap_or_default();
        let path = "attributeDefinitions";
        checked_elements(elements, constraints, path, "attributeType", SCALAR_TYPES)
            .into_iter()
            .map(|(name, scalar_type)| AttributeDefinition { name, scalar_type })
            .collect()
    }
}
