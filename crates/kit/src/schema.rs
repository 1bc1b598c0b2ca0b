//! What a body or a query may say: one declaration for the check of requests and for OpenAPI.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

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

/// An object: its fields, and what else may not be in it.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// Its name in the OpenAPI document.
    pub name: &'static str,
    /// What it is, for the document.
    pub about: &'static str,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Fields that exist and can't be written; naming one is its own mistake.
    pub read_only: Vec<&'static str>,
    /// Whether an object without any field is a mistake.
    pub must_say_something: bool,
    /// Whether a body is the value of the only field itself, and no object with that field.
    pub is_bare: bool,
}

/// Brings a value into its form, or returns what is wrong with it.
pub type FieldCheck = fn(&mut Value) -> Result<(), String>;

/// A field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Other names that are taken for it.
    pub aliases: &'static [&'static str],
    /// What it may be.
    pub kind: Kind,
    /// Whether it must be there.
    pub required: bool,
    /// Whether it may be null, which removes the value.
    pub nullable: bool,
    /// What it is called in forms, if not by its name.
    pub label: Option<&'static str>,
    /// What it means, for the document.
    pub description: &'static str,
    /// Brings a value that its kind accepts into its form, or returns what is wrong with it.
    pub check: Option<FieldCheck>,
    /// A value that is allowed, for the document and for tests.
    pub example: Option<Value>,
}

/// What a value may be.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A text with so many characters, after spaces around it are dropped. None of them is a control
    /// character, but texts that may have more than 200 may have line feeds.
    Text {
        /// Characters.
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
    /// One of these words; the letters' case does not matter, and the first spelling is kept.
    Word(&'static [&'static str]),
    /// A list of so many values.
    List {
        /// What they may be.
        of: Box<Kind>,
        /// How many.
        length: RangeInclusive<usize>,
        /// Whether none of them may be repeated.
        is_unique: bool,
    },
    /// An object.
    Object(Schema),
    /// An object with any names, whose values are of one kind.
    Map(Box<Kind>),
    /// One of several.
    OneOf(Vec<Kind>),
    /// Anything that JSON can say.
    Anything,
}

impl Schema {
    /// An object of these fields.
    pub fn object(name: &'static str, fields: impl Into<Vec<Field>>) -> Self {
        Self { name, fields: fields.into(), ..Self::default() }
    }

    /// A body that is a value itself, which the route finds under the field's name.
    pub fn bare(name: &'static str, field: Field) -> Self {
        Self { is_bare: true, ..Self::object(name, [field.required()]) }
    }

    /// Says what it is.
    #[must_use]
    pub fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }

    /// Fields that exist and can't be written.
    #[must_use]
    pub fn read_only(mut self, names: impl Into<Vec<&'static str>>) -> Self {
        self.read_only.extend(names.into());
        self
    }

    /// Fields of a view that are not fields of this body exist and can't be written.
    #[must_use]
    pub fn read_only_of(mut self, view: &Self) -> Self {
        let names = view.fields.iter().map(|field| field.name);
        let shown: Vec<&str> = names.filter(|name| self.field(name).is_none()).collect();
        self.read_only.extend(shown);
        self
    }

    /// An object without any field is a mistake.
    #[must_use]
    pub fn must_say_something(mut self) -> Self {
        self.must_say_something = true;
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

    /// Returns a value of the kind. Texts have none: which one helps readers depends on what it is for.
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
    /// The field's own example, or one made of the object that it holds.
    fn shown_example(&self) -> Option<Value> {
        self.example.clone().or_else(|| match &self.kind {
            kind if kind.has_objects() => kind.example(),
            _ => None,
        })
    }

    /// A field that may be left out.
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

    /// A text.
    pub fn text(name: &'static str, length: RangeInclusive<usize>) -> Self {
        Self::new(name, Kind::Text { length })
    }

    /// An identifier.
    pub fn id(name: &'static str) -> Self {
        Self::new(name, Kind::Id)
    }

    /// A whole number.
    pub fn integer(name: &'static str, range: RangeInclusive<i64>) -> Self {
        Self::new(name, Kind::Integer { range })
    }

    /// A number.
    pub fn number(name: &'static str, range: RangeInclusive<f64>) -> Self {
        Self::new(name, Kind::Number { range })
    }

    /// True or false.
    pub fn flag(name: &'static str) -> Self {
        Self::new(name, Kind::Flag)
    }

    /// A time.
    pub fn instant(name: &'static str) -> Self {
        Self::new(name, Kind::Instant)
    }

    /// A day.
    pub fn day(name: &'static str) -> Self {
        Self::new(name, Kind::Day)
    }

    /// One of some words.
    pub fn word(name: &'static str, words: &'static [&'static str]) -> Self {
        Self::new(name, Kind::Word(words))
    }

    /// A list.
    pub fn list(name: &'static str, of: Kind, length: RangeInclusive<usize>) -> Self {
        Self::new(name, Kind::List { of: Box::new(of), length, is_unique: false })
    }

    /// It must be there.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// It may be null, which removes the value.
    #[must_use]
    pub fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// Other names that are taken for it.
    #[must_use]
    pub fn aliases(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// Calls it something else in forms.
    #[must_use]
    pub fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }

    /// What it means.
    #[must_use]
    pub fn about(mut self, description: &'static str) -> Self {
        self.description = description;
        self
    }

    /// Checks more than its kind does.
    #[must_use]
    pub fn check(mut self, check: FieldCheck) -> Self {
        self.check = Some(check);
        self
    }

    /// A value that is allowed.
    #[must_use]
    pub fn example(mut self, example: impl Into<Value>) -> Self {
        self.example = Some(example.into());
        self
    }
}
