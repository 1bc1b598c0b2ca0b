//! Reads a struct from several sources: attributes of the row, JSON text, parts of the key.

use std::borrow::Cow;
use std::fmt;

use monotable_design::meta::WireType;
use monotable_types::AttributeValue;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Error as _, IgnoredAny, Visitor};

use super::CodecError;
use super::de::{TextDeserializer, ValueDeserializer};

/// The source of a field's value, other than JSON text.
pub(super) enum Source<'a> {
    Attribute(AttributeValue),
    /// The text of a key part, and the type of its field.
    Key(&'a str, WireType),
}

impl Source<'_> {
    pub(super) fn read_into<'de, T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, CodecError> {
        match self {
            Self::Attribute(value) => seed.deserialize(ValueDeserializer(value)),
            Self::Key(text, wire_type) => {
                seed.deserialize(TextDeserializer::of_type(text, wire_type))
            }
        }
    }
}

/// The sources of a struct.
pub(super) struct Joined<'a> {
    /// The attribute that contains the JSON text, for messages.
    pub(super) json_attribute: &'a str,
    pub(super) json: &'a str,
    /// Names in the JSON text with their current name, or `None` for names to drop.
    pub(super) renamed: Vec<(&'static str, Option<&'static str>)>,
    /// Fields that the JSON text cannot set, with their value in the row.
    pub(super) row: Vec<(&'static str, Option<Source<'a>>)>,
    /// Fields that are read from the key if the JSON text lacks them.
    pub(super) key: Vec<(&'static str, Source<'a>)>,
}

impl<'a> Joined<'a> {
    /// Reads the struct.
    pub(super) fn read<T: DeserializeOwned>(self) -> Result<T, CodecError> {
        T::deserialize(self)
    }
}

impl<'de> de::Deserializer<'de> for Joined<'de> {
    type Error = CodecError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        let attribute = self.json_attribute;
        let mut problem = None;
        let mut json = serde_json::Deserializer::from_str(self.json);
        let joining = JoiningVisitor { visitor, joined: self, problem: &mut problem };
        let read = de::Deserializer::deserialize_map(&mut json, joining)
            .and_then(|value| json.end().map(|()| value));
        read.map_err(|error| explain(error, problem, attribute))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

fn explain(error: serde_json::Error, problem: Option<CodecError>, attribute: &str) -> CodecError {
    match problem {
        _ if !error.is_data() => CodecError::damaged(error).inside(attribute),
        Some(problem) => problem,
        None => CodecError::unfit(error.to_string()).inside(attribute),
    }
}

/// Visits the fields of all sources on behalf of the struct's own visitor.
struct JoiningVisitor<'p, 'a, V> {
    visitor: V,
    joined: Joined<'a>,
    /// The error with its path, which the error type of the JSON reader cannot carry.
    problem: &'p mut Option<CodecError>,
}

impl<'a, V: Visitor<'a>> Visitor<'a> for JoiningVisitor<'_, 'a, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(formatter)
    }

    fn visit_map<A: de::MapAccess<'a>>(self, json: A) -> Result<V::Value, A::Error> {
        let Joined { json_attribute, renamed, row, key, .. } = self.joined;
        self.visitor.visit_map(JoinedAccess {
            json,
            json_attribute,
            renamed,
            row,
            row_next: 0,
            key,
            open: None,
            problem: self.problem,
        })
    }
}

struct JoinedAccess<'p, 'a, A> {
    json: A,
    json_attribute: &'a str,
    renamed: Vec<(&'static str, Option<&'static str>)>,
    row: Vec<(&'static str, Option<Source<'a>>)>,
    row_next: usize,
    key: Vec<(&'static str, Source<'a>)>,
    open: Option<Open<'a>>,
    problem: &'p mut Option<CodecError>,
}

/// The entry whose name has been returned, and whose value has not.
enum Open<'a> {
    Source(&'static str, Source<'a>),
    Json(Cow<'a, str>),
}

impl<'a, A: de::MapAccess<'a>> JoinedAccess<'_, 'a, A> {
    /// Returns the next entry: first those of the row, then those of the JSON text, then the
    /// remaining ones of the key.
    fn advance(&mut self) -> Result<Option<Open<'a>>, A::Error> {
        while let Some((name, source)) = self.row.get_mut(self.row_next) {
            self.row_next += 1;
            if let Some(source) = source.take() {
                return Ok(Some(Open::Source(name, source)));
            }
        }
        while let Some(name) = self.json.next_key_seed(NameSeed)? {
            let renamed = self.renamed.iter().find(|(alias, _)| *alias == name);
            let (name, is_replaced) = match renamed {
                None => (name, false),
                Some((_, Some(today))) => (Cow::Borrowed(*today), false),
                Some((_, None)) => (name, true),
            };
            if is_replaced || self.row.iter().any(|(row_name, _)| *row_name == name) {
                self.json.next_value::<IgnoredAny>()?;
                continue;
            }
            self.key.retain(|(key_name, _)| *key_name != name);
            return Ok(Some(Open::Json(name)));
        }
        Ok(self.key.pop().map(|(name, source)| Open::Source(name, source)))
    }

    fn keep(&mut self, problem: CodecError) -> A::Error {
        let error = A::Error::custom(&problem);
        *self.problem = Some(problem);
        error
    }
}

impl<'a, A: de::MapAccess<'a>> de::MapAccess<'a> for JoinedAccess<'_, 'a, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'a>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        self.open = self.advance()?;
        let name = match &self.open {
            None => return Ok(None),
            Some(Open::Source(name, _)) => *name,
            Some(Open::Json(name)) => name.as_ref(),
        };
        match seed.deserialize(TextDeserializer::new(name)) {
            Ok(key) => Ok(Some(key)),
            Err(problem) => Err(self.keep(problem)),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        match self.open.take() {
            None => Err(A::Error::custom("a value was requested before its name")),
            Some(Open::Source(name, source)) => {
                source.read_into(seed).map_err(|problem| self.keep(problem.inside(name)))
            }
            Some(Open::Json(name)) => self.json.next_value_seed(seed).inspect_err(|error| {
                let problem = CodecError::unfit(error.to_string());
                *self.problem = Some(problem.inside(&name).inside(self.json_attribute));
            }),
        }
    }
}

/// Reads a name, borrowed from the text where possible.
pub(super) struct NameSeed;

impl<'a> DeserializeSeed<'a> for NameSeed {
    type Value = Cow<'a, str>;

    fn deserialize<D: de::Deserializer<'a>>(
        self,
        deserializer: D,
    ) -> Result<Cow<'a, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'a> for NameSeed {
    type Value = Cow<'a, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_borrowed_str<E: de::Error>(self, name: &'a str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}
