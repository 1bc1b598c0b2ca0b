//! CSV: a header, columns separated by a delimiter, and doubled quotes inside quotes. Every
//! attribute outside the keys is a string.

use std::collections::BTreeMap;
use std::io::BufRead;

use monotable_engine::{AttributeDefinition, AttributeValue, Item, Number, ScalarType};

use super::lines::read_line;
use crate::codec::LineError;

/// The limit of columns.
const COLUMNS_MAX: usize = 65_536;

/// The columns of a file, and the types of the key columns.
pub(super) struct Columns {
    names: Option<Vec<String>>,
    delimiter: u8,
    keys: BTreeMap<String, ScalarType>,
}

impl Columns {
    pub(super) fn new(
        names: Option<Vec<String>>,
        delimiter: u8,
        definitions: &[AttributeDefinition],
    ) -> Self {
        let keys = definitions.iter().map(|it| (it.name.clone(), it.scalar_type)).collect();
        Self { names, delimiter, keys }
    }

    /// Reads the next item; returns `None` at the end.
    pub(super) fn next(
        &mut self,
        reader: &mut dyn BufRead,
        line: &mut Vec<u8>,
        bytes: &mut u64,
    ) -> Result<Option<Item>, LineError> {
        loop {
            let Some(fields) = self.record(reader, line, bytes)? else { return Ok(None) };
            if fields.len() == 1 && fields[0].is_empty() {
                continue;
            }
            let Some(names) = &self.names else {
                self.names = Some(fields);
                continue;
            };
            if fields.len() != names.len() {
                return Err(LineError::Item(format!(
                    "The line has {} columns, and the header {}",
                    fields.len(),
                    names.len()
                )));
            }
            let values = names.iter().zip(fields);
            let item = values.map(|(name, text)| Ok((name.clone(), self.value(name, text)?)));
            return item.collect::<Result<Item, LineError>>().map(Some);
        }
    }

    fn value(&self, name: &str, text: String) -> Result<AttributeValue, LineError> {
        let unfit = |what: &str| {
            Err(LineError::Item(format!("The key column {name} is not a valid {what}")))
        };
        match self.keys.get(name) {
            Some(ScalarType::N) => match text.trim().parse::<Number>() {
                Ok(number) => Ok(AttributeValue::N(number)),
                Err(_) => unfit("number"),
            },
            Some(ScalarType::B) => match base64_simd::STANDARD.decode_to_vec(text.as_bytes()) {
                Ok(bytes) => Ok(AttributeValue::B(bytes)),
                Err(_) => unfit("binary in base 64"),
            },
            Some(ScalarType::S) | None => Ok(AttributeValue::S(text)),
        }
    }

    /// Reads the fields of the next record. A line with an open quote continues on the next one.
    fn record(
        &self,
        reader: &mut dyn BufRead,
        line: &mut Vec<u8>,
        bytes: &mut u64,
    ) -> Result<Option<Vec<String>>, LineError> {
        let mut text = Vec::new();
        loop {
            if !read_line(reader, line)? {
                return if text.is_empty() {
                    Ok(None)
                } else {
                    Err(LineError::Syntax("A quote is open at the end".to_owned()))
                };
            }
            *bytes += line.len() as u64 + 1;
            text.extend_from_slice(line);
            if text.iter().filter(|&&byte| byte == b'"').count().is_multiple_of(2) {
                return self.split(&text).map(Some);
            }
            text.push(b'\n');
            if text.len() > COLUMNS_MAX * 128 {
                return Err(LineError::Syntax("A quoted column is too long".to_owned()));
            }
        }
    }

    fn split(&self, text: &[u8]) -> Result<Vec<String>, LineError> {
        let mut fields = Vec::new();
        let mut rest = text;
        loop {
            let (field, tail) = match rest.first() {
                Some(b'"') => quoted(&rest[1..])?,
                _ => {
                    let end = rest.iter().position(|&byte| byte == self.delimiter);
                    let (field, tail) = rest.split_at(end.unwrap_or(rest.len()));
                    if field.contains(&b'"') {
                        return Err(LineError::Item("A quote is not escaped".to_owned()));
                    }
                    (field.to_vec(), tail)
                }
            };
            let field = String::from_utf8(field)
                .map_err(|_| LineError::Item("A column is not UTF-8".to_owned()))?;
            fields.push(field);
            if fields.len() > COLUMNS_MAX {
                return Err(LineError::Item("There are too many columns".to_owned()));
            }
            match tail.split_first() {
                None => return Ok(fields),
                Some((byte, tail)) if *byte == self.delimiter => rest = tail,
                Some(_) => return Err(LineError::Item("A quote is not escaped".to_owned())),
            }
        }
    }
}

/// Splits a text behind an opening quote into the field and the rest behind the closing quote.
fn quoted(text: &[u8]) -> Result<(Vec<u8>, &[u8]), LineError> {
    let mut field = Vec::new();
    let mut rest = text;
    loop {
        let Some(end) = rest.iter().position(|&byte| byte == b'"') else {
            return Err(LineError::Item("A quote is not escaped".to_owned()));
        };
        field.extend_from_slice(&rest[..end]);
        match rest.get(end + 1) {
            Some(b'"') => {
                field.push(b'"');
                rest = &rest[end + 2..];
            }
            _ => return Ok((field, &rest[end + 1..])),
        }
    }
}

#[cfg(test)]
mod tests {
    use monotable_engine::item;

    use super::*;

    fn read(text: &str, names: Option<&[&str]>, delimiter: u8) -> Vec<Result<Item, LineError>> {
        let names = names.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        let keys = [AttributeDefinition::new("n", ScalarType::N)];
        let mut columns = Columns::new(names, delimiter, &keys);
        let (mut reader, mut line, mut bytes) = (text.as_bytes(), Vec::new(), 0);
        std::iter::from_fn(|| columns.next(&mut reader, &mut line, &mut bytes).transpose())
            .collect()
    }

    #[test]
    fn the_first_line_is_the_header() {
        let items = read("id,n,x\r\na,1,\"b, \"\"c\"\"\nd\"\n\ne,2.50,\n", None, b',');
        let expected = [
            Ok(item! { "id" => "a", "n" => 1, "x" => "b, \"c\"\nd" }),
            Ok(item! { "id" => "e", "n" => AttributeValue::N("2.5".parse().unwrap()), "x" => "" }),
        ];
        assert_eq!(items, expected);
    }

    #[test]
    fn a_given_header_makes_the_first_line_data() {
        assert_eq!(
            read("a\tb\n", Some(&["id", "x"]), b'\t'),
            [Ok(item! { "id" => "a", "x" => "b" })]
        );
    }

    #[test]
    fn lines_that_do_not_fit_are_refused_and_the_next_is_read() {
        let items = read("id,n\na\nb,x\nc,1,2\nd \"e\",1\n\"f\"g,1\nh,3\n", None, b',');
        let (last, wrong) = items.split_last().unwrap();
        assert_eq!(*last, Ok(item! { "id" => "h", "n" => 3 }));
        assert_eq!(wrong.len(), 5);
        assert!(wrong.iter().all(|it| matches!(it, Err(LineError::Item(_)))), "{wrong:?}");
        let open = read("id\n\"a", None, b',');
        assert!(matches!(open[..], [Err(LineError::Syntax(_)), ..]), "{open:?}");
    }
}
