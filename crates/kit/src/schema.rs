//! Schemas of bodies and queries: one declaration for validation and for OpenAPI.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::problem::FieldProblem;

pub(crate) use self::check::empty_body;
pub(crate) use self::form::{ELEMENTS_MAX, SentFields, read_fields};
pub(crate) use self::scalar::{LINE_LENGTH_MAX, id as check_id};

mod check;
mod form;
mod query;
mod report;
mod scalar;
#[cfg(test)]
mod tests;

/// An object: its fields, and restrictions.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// Its name in the OpenAPI document.
    pub name: &'static str,
    /// Its description, for the document.
    pub about: &'static str,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Fields that exist and can't be written; a request that contains one gets an error of its
    /// own.
    pub read_only: Vec<&'static str>,
    /// Whether an object without any field is an error.
    pub must_say_something: bool,
    /// Whether a body is the value of the only field itself, and no object with that field.
    pub is_bare: bool,
    /// Returns what is wrong with several fields together.
    pub check: Option<ObjectCheck>,
}

/// Returns what is wrong with several fields of an object together. Each of them may be wrong by itself.
pub type ObjectCheck = fn(&Map<String, Value>) -> Vec<FieldProblem>;

/// Normalizes a value, or returns what is wrong with it.
pub type FieldCheck = fn(&mut Value) -> Result<(), String>;

/// A field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Other names that are accepted for it.
    pub aliases: &'static [&'static str],
    /// Its kind.
    pub kind: Kind,
    /// Whether it is required.
    pub required: bool,
    /// Whether it may be null, which removes the value.
    pub nullable: bool,
    /// Its label in forms, if it is not its name.
    pub label: Option<&'static str>,
    /// Its description, for the document.
    pub description: &'static str,
    /// Normalizes a value that its kind accepts, or returns what is wrong with it.
    pub check: Option<FieldCheck>,
    /// A valid value, for the document and for tests.
    pub example: Option<Value>,
}

/// The kind of a value.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A text of this length, after spaces around it are removed. It has no control characters,
    /// except for line feeds in texts that may have more than 200 characters.
    Text {
        /// The number of characters.
        length: RangeInclusive<usize>,
    },
    /// An identifier, as in a key: letters, digits and `._~@+:-`, 1 to 128 of them.
    Id,
    /// A whole number.
    Integer {
        /// Its range.
        range: RangeInclusive<i64>,
    },
    /// A number.
    Number {
        /// Its range.
        range: RangeInclusive<f64>,
    },
    /// True or false.
    Flag,
    /// A time with its offset, RFC 3339.
    Instant,
    /// A day, `2026-06-01`.
    Day,
    /// A file: base64, or a data URL, which also declares its media type.
    File,
    /// One of these words, in any case; it is normalized to its first spelling.
    Word(&'static [&'static str]),
    /// A list of values.
    List {
        /// The kind of its elements.
        of: Box<Kind>,
        /// The number of its elements.
        length: RangeInclusive<usize>,
        /// Whether elements must be distinct.
        is_unique: bool,
    },
    /// An object.
    Object(Schema),
    /// An object with any names, whose values are of one kind.
    Map(Box<Kind>),
    /// One of several.
    OneOf(Vec<Kind>),
    /// Any JSON value.
    Anything,
}

impl Schema {
    /// Creates an object of these fields.
    pub fn object(name: &'static str, fields: impl Into<Vec<Field>>) -> Self {
        Self { name, fields: fields.into(), ..Self::default() }
    }

    /// Creates a body that is a value itself, which the route finds under the field's name.
    pub fn bare(name: &'static str, field: Field) -> Self {
        Self { is_bare: true, ..Self::object(name, [field.required()]) }
    }

    /// Sets the description.
    #[must_use]
    pub fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }

    /// Adds fields that exist and can't be written.
    #[must_use]
    pub fn read_only(mut self, names: impl Into<Vec<&'static str>>) -> Self {
        self.read_only.extend(names.into());
        self
    }

    /// Adds the fields of a view that are not fields of this body as fields that can't be written.
    #[must_use]
    pub fn read_only_of(mut self, view: &Self) -> Self {
        let names = view.fields.iter().map(|field| field.name);
        let shown: Vec<&str> = names.filter(|name| self.field(name).is_none()).collect();
        self.read_only.extend(shown);
        self
    }

    /// Makes an object without any field an error.
    #[must_use]
    pub fn must_say_something(mut self) -> Self {
        self.must_say_something = true;
        self
    }

    /// Checks several fields together.
    #[must_use]
    pub fn checked(mut self, check: ObjectCheck) -> Self {
        self.check = Some(check);
        self
    }
}

impl Schema {
    /// Returns an object made of the fields' examples, if every required field has one.
    pub(crate) fn example(&self) -> Option<Value> {
        if self.is_bare {
            return self.fields.first().and_then(|field| field.example.clone());
        }
        let mut example = Map::new();
        for field in &self.fields {
            match field.shown_example() {
                Some(value) => {
                    example.insert(field.name.to_owned(), value);
                }
                None if field.required => return None,
                None => {}
            }
        }
        (!example.is_empty()).then_some(Value::Object(example))
    }
}

impl Kind {
    /// Returns the fields of an object, also if the value can be something else.
    pub(crate) fn as_object(&self) -> Option<&Schema> {
        match self {
            Self::Object(schema) => Some(schema),
            Self::OneOf(kinds) => kinds.iter().find_map(Self::as_object),
            _ => None,
        }
    }

    /// Returns whether a value is an object with declared fields, or a list of such objects.
    pub(crate) fn has_objects(&self) -> bool {
        match self {
            Self::Object(_) => true,
            Self::List { of, .. } => of.has_objects(),
            _ => false,
        }
    }

    /// Returns an example of the kind. Texts have none, because a helpful one depends on their
    /// purpose.
    pub(crate) fn example(&self) -> Option<Value> {
        Some(match self {
            Self::Text { .. } | Self::Id | Self::File | Self::Anything => return None,
            Self::Integer { range } => 0.max(*range.start()).min(*range.end()).into(),
            Self::Number { range } => 0.0_f64.max(*range.start()).min(*range.end()).into(),
            Self::Flag => false.into(),
            Self::Instant => "2026-06-01T09:30:00.000Z".into(),
            Self::Day => "2026-06-01".into(),
            Self::Word(words) => (*words.first()?).into(),
            Self::List { of, length, .. } => match of.example() {
                Some(one) if *length.start() <= 1 && *length.end() > 0 => Value::Array(vec![one]),
                _ if *length.start() == 0 => Value::Array(Vec::new()),
                _ => return None,
            },
            Self::Object(schema) => return schema.example(),
            Self::Map(_) => Value::Object(Map::new()),
            Self::OneOf(kinds) => return kinds.iter().find_map(Self::example),
        })
    }
}

impl Field {
    /// Returns the field's own example, or one made of the object that it contains.
    fn shown_example(&self) -> Option<Value> {
        self.example.clone().or_else(|| match &self.kind {
            kind if kind.has_objects() => kind.example(),
            _ => None,
        })
    }

    /// Creates an optional field.
    pub fn new(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            aliases: &[],
            kind,
            required: false,
            nullable: false,
            label: None,
            description: "",
            check: None,
            example: None,
        }
    }

    /// Creates a text.
    pub fn text(name: &'static str, length: RangeInclusive<usize>) -> Self {
        Self::new(name, Kind::Text { length })
    }

    /// Creates an identifier.
    pub fn id(name: &'static str) -> Self {
        Self::new(name, Kind::Id)
    }

    /// Creates an integer.
    pub fn integer(name: &'static str, range: RangeInclusive<i64>) -> Self {
        Self::new(name, Kind::Integer { range })
    }

    /// Creates a number.
    pub fn number(name: &'static str, range: RangeInclusive<f64>) -> Self {
        Self::new(name, Kind::Number { range })
    }

    /// Creates a Boolean.
    pub fn flag(name: &'static str) -> Self {
        Self::new(name, Kind::Flag)
    }

    /// Creates a time.
    pub fn instant(name: &'static str) -> Self {
        Self::new(name, Kind::Instant)
    }

    /// Creates a day.
    pub fn day(name: &'static str) -> Self {
        Self::new(name, Kind::Day)
    }

    /// Creates a word.
    pub fn word(name: &'static str, words: &'static [&'static str]) -> Self {
        Self::new(name, Kind::Word(words))
    }

    /// Creates a list.
    pub fn list(name: &'static str, of: Kind, length: RangeInclusive<usize>) -> Self {
        Self::new(name, Kind::List { of: Box::new(of), length, is_unique: false })
    }

    /// Makes the field required.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Accepts null, which removes the value.
    #[must_use]
    pub fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// Accepts other names for it.
    #[must_use]
    pub fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Sets its label in forms.
    #[must_use]
    pub fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// Sets its description.
    #[must_use]
    pub fn about(mut self, description: &'static str) -> Self {
        self.description = description;
        self
    }

    /// Adds a check to the one of its kind.
    #[must_use]
    pub fn check(mut self, check: FieldCheck) -> Self {
        self.check = Some(check);
        self
    }

    /// Sets an example.
    #[must_use]
    pub fn example(mut self, example: impl Into<Value>) -> Self {
        self.example = Some(example.into());
        self
    }
}
