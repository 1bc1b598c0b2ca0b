//! `Tags`.

use std::collections::BTreeMap;

use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::Reader;

/// A list of tags as sent in a request; the engine keeps them as a map.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tags(Option<Vec<(Option<String>, Option<String>)>>);

impl Tags {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let tags = reader.list(|reader| {
            let (mut key, mut value) = (None, None);
            reader.structure("Tag", Holder::Collection, |reader, name| {
                match name {
                    "Key" => key = reader.text()?,
                    "Value" => value = reader.text()?,
                    _ => reader.ignore()?,
                }
                Ok(())
            })?;
            Ok((key, value))
        })?;
        Ok(Self(tags))
    }

    /// Returns whether the request has the member at all.
    pub(crate) fn is_given(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the tags in the engine's form.
    ///
    /// # Errors
    ///
    /// A tag lacks its key or its value, or two tags have the same key.
    pub(crate) fn checked(self) -> Result<BTreeMap<String, String>> {
        let mut tags = BTreeMap::new();
        for (key, value) in self.0.into_iter().flatten() {
            let Some(key) = key else {
                return Err(Failure::validation("The Tag Key provided is invalid, Key: null"));
            };
            let Some(value) = value else {
                return Err(Failure::validation("The Tag Value provided is invalid, Value: null"));
            };
            if tags.contains_key(&key) {
                return Err(Failure::validation(format!(
                    "Duplicate Tag Keys provided as input: Duplicate Tag Key found {key}"
                )));
            }
            tags.insert(key, value);
        }
        Ok(tags)
    }
}
