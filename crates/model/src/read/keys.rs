//! The keys of a pattern for given arguments: partitions, and ranges that include their last
//! bucket.

use monotable_design::meta::{PatternMeta, Segment, SortTest, Template};
use monotable_expression::{KeyCondition, KeyTerm, KeyTest};
use monotable_types::{AttributeValue, Item, Number};

use super::continuation::{Continuation, continuation};
use super::route::Route;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::key::{KeyError, PartText, Parts as _, render};

/// The greatest character, which sorts after all others. No part of a key contains it.
const LAST: char = char::MAX;

/// The arguments of a pattern that are used in its keys, in order.
pub(crate) type Arguments<'a> = [&'a dyn PartText];

/// Returns the primary key that a pattern reads.
pub(crate) fn primary_key(
    context: &Context,
    pattern: &'static PatternMeta,
    arguments: &Arguments<'_>,
) -> Result<Item> {
    let [partition, ..] = pattern.partition else { return Err(incomplete(pattern)) };
    let partition = rendered(pattern, partition, arguments, None)?;
    let sort = match pattern.sort {
        [] => None,
        [SortTest::Equals(template), ..] => Some(rendered(pattern, template, arguments, None)?),
        [..] => return Err(incomplete(pattern)),
    };
    Ok(context.key_item(partition, sort))
}

/// Returns the key condition of a query pattern, in one shard of its partition.
pub(crate) fn key_condition(
    route: &'static Route,
    arguments: &Arguments<'_>,
    shard: Option<u16>,
) -> Result<KeyCondition> {
    let pattern = route.pattern;
    let mut terms = Vec::with_capacity(pattern.partition.len() + pattern.sort.len());
    for (position, (template, attribute)) in
        pattern.partition.iter().zip(route.partition).enumerate()
    {
        let text = rendered(pattern, template, arguments, shard)?;
        let value = key_value(pattern, route.is_number_in_partition(position), text)?;
        terms.push(KeyTerm { attribute: (*attribute).to_owned(), test: KeyTest::Eq(value) });
    }
    for (position, (test, attribute)) in pattern.sort.iter().zip(route.sort).enumerate() {
        let is_number = route.is_number_in_sort(position);
        let range = Range { pattern, is_number, position, arguments, shard };
        if let Some(test) = range.test(test)? {
            terms.push(KeyTerm { attribute: (*attribute).to_owned(), test });
        }
    }
    Ok(KeyCondition { terms })
}

fn incomplete(pattern: &PatternMeta) -> Error {
    Error::Settings(format!("pattern `{}` does not give the whole key", pattern.name))
}

fn rendered(
    pattern: &'static PatternMeta,
    template: &Template,
    arguments: &Arguments<'_>,
    shard: Option<u16>,
) -> Result<String> {
    render(template, &arguments, shard)
        .and_then(|text| text.filter(|text| !text.is_empty()).ok_or(KeyError::Empty))
        .map_err(|error| Error::Key { entity: pattern.name, error })
}

/// Returns the value of a key attribute.
fn key_value(
    pattern: &'static PatternMeta,
    is_number: bool,
    text: String,
) -> Result<AttributeValue> {
    if !is_number {
        return Ok(AttributeValue::S(text));
    }
    match text.parse::<Number>() {
        Ok(number) => Ok(AttributeValue::N(number)),
        Err(_) => Err(Error::Key { entity: pattern.name, error: KeyError::Unparsable }),
    }
}

/// One attribute of a sort key, with the arguments of its condition.
struct Range<'a> {
    pattern: &'static PatternMeta,
    is_number: bool,
    position: usize,
    arguments: &'a Arguments<'a>,
    shard: Option<u16>,
}

impl Range<'_> {
    /// Returns the condition, or `None` if every key matches.
    fn test(&self, test: &SortTest) -> Result<Option<KeyTest>> {
        Ok(Some(match test {
            SortTest::Equals(template) => KeyTest::Eq(self.value(self.text(template)?)?),
            SortTest::BeginsWith(template) => match self.beginning(template)? {
                beginning if beginning.is_empty() => return Ok(None),
                beginning => KeyTest::BeginsWith(beginning.into()),
            },
            SortTest::Between(low, high) => self.between(self.text(low)?, self.last_of(high)?)?,
            SortTest::From(low) => self.on_to_the_end(low, self.text(low)?)?,
            SortTest::After(low) => match self.following(&self.text(low)?) {
                Continuation::Nothing if self.prefix(low)?.is_empty() => {
                    KeyTest::Gt(self.value(self.text(low)?)?)
                }
                Continuation::Nothing => {
                    self.on_to_the_end(low, format!("{}\0", self.text(low)?))?
                }
                Continuation::More(_) => self.on_to_the_end(low, self.last_of(low)?)?,
            },
            SortTest::UpTo(high) => self.up_from_the_start(high, self.last_of(high)?)?,
            SortTest::Before(high) if self.prefix(high)?.is_empty() => {
                KeyTest::Lt(self.value(self.text(high)?)?)
            }
            SortTest::Before(high) => self.up_from_the_start(high, before(self.text(high)?))?,
        }))
    }

    /// Returns the prefix of the keys. An empty text in last position matches everything, for
    /// search as you type.
    fn beginning(&self, template: &Template) -> Result<String> {
        match template.segments {
            [.., Segment::Field { position, pad, .. }]
                if self.arguments.write_part(*position, *pad, &mut String::new())
                    == Err(KeyError::Empty) =>
            {
                self.prefix(template)
            }
            _ => self.text(template),
        }
    }

    /// Returns a range. One that ends before it starts matches nothing; a query cannot express that
    /// directly.
    fn between(&self, low: String, high: String) -> Result<KeyTest> {
        Ok(match (self.value(low)?, self.value(high)?) {
            (AttributeValue::S(low), AttributeValue::S(high)) if high < low => no_text(high),
            (low, high) => KeyTest::Between(low, high),
        })
    }

    fn text(&self, template: &Template) -> Result<String> {
        rendered(self.pattern, template, self.arguments, self.shard)
    }

    fn value(&self, text: String) -> Result<AttributeValue> {
        key_value(self.pattern, self.is_number, text)
    }

    /// Returns the greatest text within a bound: if keys continue after it, this includes
    /// everything that starts with it.
    fn last_of(&self, template: &Template) -> Result<String> {
        let text = self.text(template)?;
        Ok(match self.following(&text) {
            Continuation::Nothing => text,
            Continuation::More(literal) => format!("{text}{literal}{LAST}"),
        })
    }

    /// Returns the range from a text to the last key that starts like the template before its last
    /// field.
    fn on_to_the_end(&self, template: &Template, low: String) -> Result<KeyTest> {
        let prefix = self.prefix(template)?;
        Ok(if prefix.is_empty() {
            KeyTest::Ge(self.value(low)?)
        } else {
            self.between(low, format!("{prefix}{LAST}"))?
        })
    }

    /// Returns the range from the first key that starts like the template before its last field, to
    /// a text.
    fn up_from_the_start(&self, template: &Template, high: String) -> Result<KeyTest> {
        let prefix = self.prefix(template)?;
        Ok(if prefix.is_empty() {
            KeyTest::Le(self.value(high)?)
        } else {
            self.between(prefix, high)?
        })
    }

    /// Returns the rendered template without its last field.
    fn prefix(&self, template: &Template) -> Result<String> {
        let fields = template.segments.iter();
        let end = fields.clone().rposition(|segment| !matches!(segment, Segment::Literal(_)));
        let mut prefix = String::new();
        for segment in &template.segments[..end.unwrap_or(0)] {
            let single = Template { text: template.text, segments: std::slice::from_ref(segment) };
            prefix.push_str(&self.text(&single)?);
        }
        Ok(prefix)
    }

    /// Returns how the keys of the returned entities continue after a text.
    fn following(&self, text: &str) -> Continuation {
        let mut following = Continuation::Nothing;
        for entity in self.pattern.returns {
            let keys = match self.pattern.index {
                None => entity.key.sort.as_slice(),
                Some(name) => entity
                    .indexes
                    .iter()
                    .find(|index| index.index == name)
                    .map_or(&[][..], |index| index.sort),
            };
            match keys.get(self.position).map(|key| continuation(key.segments, text)) {
                None | Some(Continuation::Nothing) => {}
                Some(Continuation::More(literal)) if following.admits(literal) => {
                    following = Continuation::More(literal);
                }
                Some(Continuation::More(_)) => return Continuation::More(""),
            }
        }
        following
    }
}

/// Returns a test that no key passes: no key ends with the greatest character.
fn no_text(text: String) -> KeyTest {
    KeyTest::Eq(format!("{text}{LAST}").into())
}

/// Returns the greatest text before a text, as far as keys are concerned.
fn before(text: String) -> String {
    let mut text = text;
    match text.pop() {
        None | Some('\0') => text,
        Some(last) => {
            // There are no characters between U+D7FF and U+E000.
            let previous = char::from_u32(u32::from(last) - 1).unwrap_or('\u{D7FF}');
            text.push(previous);
            text.push(LAST);
            text
        }
    }
}
