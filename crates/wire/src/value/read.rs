//! Attribute values from JSON, straight into the engine's type.
//!
//! A value can be well-formed JSON and still be invalid: a number with 39 digits, an empty set. AWS
//! reports that later than other errors, so reading continues and keeps the first such [`Problem`]
//! for the operation to report.

use std::collections::BTreeMap;

use monotable_types::{AttributeValue, Item, Number, Set, SetError, limits};

use super::problem::{Duplicates, Problem};
use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::Reader;
use crate::layer::{COUNTED_LEVELS_MAX, Layer};

const CLASS: &str = "AttributeValue";
const EMPTY: &str =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
const SEVERAL: &str = "Supplied AttributeValue has more than one datatypes set, must contain exactly \
     one of the supported datatypes";

/// A map of attributes in a request: an item, a key, or expression values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Attributes {
    pub(crate) item: Item,
    /// The first invalid value, and the attribute it belongs to.
    pub(crate) problem: Option<(String, Problem)>,
}

impl Attributes {
    /// Reads the map, if it is there.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut attributes = Self::default();
        let found = reader.map(CLASS, |reader, name| {
            let (value, problem) = read_value(reader, Holder::Collection)?;
            if let Some(problem) = problem
                && problem.precedes(attributes.problem.as_ref().map(|(_, problem)| problem))
            {
                attributes.problem = Some((name.clone().into_owned(), problem));
            }
            attributes.item.insert(name.into_owned(), value);
            Ok(())
        })?;
        Ok(found.then_some(attributes))
    }

    /// Returns the attributes, if each value is valid.
    pub(crate) fn checked(self, layer: Layer) -> Result<Item> {
        match self.problem {
            None => Ok(self.item),
            Some((_, problem)) => Err(Failure::validation(problem.text(layer))),
        }
    }

    /// Returns whether a value is nested so deeply that the older layer checks the request.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.problem.as_ref().is_some_and(|(_, problem)| problem.is_too_deep())
    }

    /// Removes a value that is nested too deeply, and returns the name of its attribute: AWS checks
    /// everything else first.
    pub(crate) fn take_too_deep(&mut self) -> Option<String> {
        let (name, _) = self.problem.take_if(|(_, problem)| problem.is_too_deep())?;
        if let Some(value) = self.item.get_mut(&name) {
            make_empty(value);
        }
        Some(name)
    }
}

/// Replaces a value by an empty one of the same type.
pub(crate) fn make_empty(value: &mut AttributeValue) {
    match value {
        AttributeValue::M(map) => map.clear(),
        AttributeValue::L(list) => list.clear(),
        _ => {}
    }
}

/// Reads one value. An invalid value yields a placeholder and the problem.
pub(crate) fn read_value(
    reader: &mut Reader<'_>,
    holder: Holder,
) -> Result<(AttributeValue, Option<Problem>)> {
    let mut values = Values { problem: None };
    let value = values.read(reader, holder, 1)?;
    Ok((value, values.problem))
}

/// Reads values and keeps the first problem.
struct Values {
    problem: Option<Problem>,
}

impl Values {
    fn note(&mut self, problem: Problem) {
        if problem.precedes(self.problem.as_ref()) {
            self.problem = Some(problem);
        }
    }

    fn note_contents(&mut self, text: impl Into<String>) {
        self.note(Problem::Contents(text.into()));
    }

    fn read(
        &mut self,
        reader: &mut Reader<'_>,
        holder: Holder,
        level: usize,
    ) -> Result<AttributeValue> {
        let mut found = None;
        let mut several = false;
        reader.structure(CLASS, holder, |reader, datatype| {
            if let Some(value) = self.datatype(reader, datatype, level)? {
                several |= found.is_some();
                found = Some(value);
            }
            Ok(())
        })?;
        if several {
            self.note(Problem::Datatypes(SEVERAL));
        }
        Ok(found.unwrap_or_else(|| {
            self.note(Problem::Datatypes(EMPTY));
            AttributeValue::Null
        }))
    }

    /// Reads one member of a value, unless it is `null` or not a data type.
    fn datatype(
        &mut self,
        reader: &mut Reader<'_>,
        datatype: &str,
        level: usize,
    ) -> Result<Option<AttributeValue>> {
        Ok(match datatype {
            "S" => reader.text()?.map(AttributeValue::S),
            "N" => reader.borrowed_text()?.map(|text| AttributeValue::N(self.number(&text))),
            "B" => reader.blob()?.map(AttributeValue::B),
            "BOOL" => reader.truth()?.map(AttributeValue::Bool),
            "NULL" => reader.truth()?.map(|is_null| {
                if !is_null {
                    self.note_contents(
                        "One or more parameter values were invalid: Null attribute value types must \
                         have the value of true",
                    );
                }
                AttributeValue::Null
            }),
            "M" => self.map(reader, level)?.map(AttributeValue::M),
            "L" => self.list(reader, level)?.map(AttributeValue::L),
            "SS" => reader.texts()?.map(|texts| self.string_set(texts)),
            "NS" => reader.texts()?.map(|texts| self.number_set(&texts)),
            "BS" => {
                let blobs = reader.list(Reader::blob)?;
                blobs.map(|blobs| self.binary_set(blobs.into_iter().flatten().collect()))
            }
            _ => {
                reader.ignore()?;
                None
            }
        })
    }

    /// Returns whether another level may follow; beyond the levels that are counted, the value is
    /// skipped.
    fn descend(&mut self, reader: &mut Reader<'_>, level: usize) -> Result<bool> {
        if level >= limits::NESTING_DEPTH_MAX {
            match &mut self.problem {
                Some(Problem::Nesting(levels)) => *levels = (level + 1).max(*levels),
                Some(_) => {}
                None => self.problem = Some(Problem::Nesting(level + 1)),
            }
        }
        if level < COUNTED_LEVELS_MAX {
            return Ok(true);
        }
        reader.ignore()?;
        Ok(false)
    }

    fn map(
        &mut self,
        reader: &mut Reader<'_>,
        level: usize,
    ) -> Result<Option<BTreeMap<String, AttributeValue>>> {
        let mut map = BTreeMap::new();
        let found = reader.map(CLASS, |reader, name| {
            if self.descend(reader, level)? {
                map.insert(name.into_owned(), self.read(reader, Holder::Collection, level + 1)?);
            }
            Ok(())
        })?;
        Ok(found.then_some(map))
    }

    fn list(
        &mut self,
        reader: &mut Reader<'_>,
        level: usize,
    ) -> Result<Option<Vec<AttributeValue>>> {
        let list = reader.list(|reader| {
            Ok(if self.descend(reader, level)? {
                Some(self.read(reader, Holder::Collection, level + 1)?)
            } else {
                None
            })
        })?;
        Ok(list.map(|list| list.into_iter().flatten().collect()))
    }

    fn number(&mut self, text: &str) -> Number {
        text.parse().unwrap_or_else(|error| {
            self.note(Problem::Number(text.to_owned(), error));
            Number::ZERO
        })
    }

    fn string_set(&mut self, texts: Vec<String>) -> AttributeValue {
        if has_duplicates(&texts) {
            self.note(Problem::Duplicates(Duplicates::Texts(texts)));
            return AttributeValue::Null;
        }
        match Set::new(texts) {
            Ok(set) => AttributeValue::Ss(set),
            Err(_) => self.empty_set("An string set  may not be empty"),
        }
    }

    fn number_set(&mut self, texts: &[String]) -> AttributeValue {
        let numbers = texts.iter().map(|text| self.number(text)).collect();
        match Set::new(numbers) {
            Ok(set) => AttributeValue::Ns(set),
            Err(SetError::Empty) => self.empty_set("An number set  may not be empty"),
            Err(SetError::Duplicate { .. }) => {
                self.note(Problem::Duplicates(Duplicates::Numbers));
                AttributeValue::Null
            }
        }
    }

    fn binary_set(&mut self, blobs: Vec<Vec<u8>>) -> AttributeValue {
        if has_duplicates(&blobs) {
            self.note(Problem::Duplicates(Duplicates::Binaries(blobs)));
            return AttributeValue::Null;
        }
        match Set::new(blobs) {
            Ok(set) => AttributeValue::Bs(set),
            Err(_) => self.empty_set("Binary sets should not be empty"),
        }
    }

    fn empty_set(&mut self, why: &str) -> AttributeValue {
        self.note_contents(format!("One or more parameter values were invalid: {why}"));
        AttributeValue::Null
    }
}

fn has_duplicates<T: Ord>(elements: &[T]) -> bool {
    let mut sorted: Vec<&T> = elements.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
