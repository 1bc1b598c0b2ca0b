//! Items as the seeds print them: JSON with comments, TypeScript object literals, Python dicts.
//!
//! The printed text stays in the tests as it is, so this reads a little of all three languages:
//! keys with and without quotes, three kinds of quotes, `` `match#${matchId}` `` and
//! `f'TEAM#{team_id}'`, `'TEAM#' + team_id`, `// Optional`, trailing commas. Anything else, such
//! as `JSON.stringify(state)`, is an expression that the test binds to a value. Numbers go from
//! text to [`Number`](monotable::Number) without a float between.

use std::collections::BTreeMap;

use monotable::{AttributeValue, Item};

/// A printed literal and the values of the expressions in it.
pub(crate) struct Literal<'a> {
    text: &'a str,
    bindings: BTreeMap<&'a str, AttributeValue>,
}

impl<'a> Literal<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, bindings: BTreeMap::new() }
    }

    /// Gives an expression of the literal its value.
    pub(crate) fn bind(mut self, expression: &'a str, value: impl Into<AttributeValue>) -> Self {
        self.bindings.insert(expression, value.into());
        self
    }

    /// Returns the item that the literal describes.
    pub(crate) fn item(self) -> Item {
        let mut reader = Reader { left: self.text, bindings: &self.bindings };
        let value = reader.value();
        reader.skip_blanks();
        assert_eq!(reader.left, "", "text behind the literal");
        match value {
            AttributeValue::M(item) => item,
            other => panic!("an item is a map, not {other:?}"),
        }
    }
}

/// Returns the item of a literal without expressions.
pub(crate) fn item(text: &str) -> Item {
    Literal::new(text).item()
}

struct Reader<'a> {
    left: &'a str,
    bindings: &'a BTreeMap<&'a str, AttributeValue>,
}

impl<'a> Reader<'a> {
    /// Leaves out blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.left = self.left.trim_start();
            if !self.left.starts_with("//") && !self.left.starts_with('#') {
                return;
            }
            self.left = self.left.split_once('\n').map_or("", |(_, next_line)| next_line);
        }
    }

    /// Returns whether the next character is this one, and if so, consumes it.
    fn eat(&mut self, character: char) -> bool {
        self.skip_blanks();
        let rest = self.left.strip_prefix(character);
        self.left = rest.unwrap_or(self.left);
        rest.is_some()
    }

    fn value(&mut self) -> AttributeValue {
        if self.eat('{') {
            return AttributeValue::M(self.entries());
        }
        if self.eat('[') {
            let mut elements = Vec::new();
            while !self.eat(']') {
                elements.push(self.value());
                self.eat(',');
            }
            return AttributeValue::L(elements);
        }
        let mut value = self.term();
        while self.eat('+') {
            value = AttributeValue::S(text_of(&value) + &text_of(&self.term()));
        }
        value
    }

    fn entries(&mut self) -> Item {
        let mut item = Item::new();
        while !self.eat('}') {
            let key = match self.quoted() {
                Some(text) => text,
                None => self.expression().to_owned(),
            };
            let value = if self.eat(':') {
                self.value()
            } else {
                // `{ pk, sk }` names variable and attribute at once.
                self.bound(&key)
            };
            assert!(item.insert(key.clone(), value).is_none(), "{key} is there twice");
            self.eat(',');
        }
        item
    }

    /// Returns a string, a word, a number, or an expression with a value.
    fn term(&mut self) -> AttributeValue {
        if let Some(text) = self.quoted() {
            return AttributeValue::S(text);
        }
        match self.expression() {
            "true" | "True" => AttributeValue::Bool(true),
            "false" | "False" => AttributeValue::Bool(false),
            "null" | "None" => AttributeValue::Null,
            number if number.starts_with(|first: char| first.is_ascii_digit() || first == '-') => {
                AttributeValue::N(number.replace('_', "").parse().unwrap())
            }
            expression => self.bound(expression),
        }
    }

    /// Returns a quoted text, if one comes next, with the expressions of a template replaced.
    fn quoted(&mut self) -> Option<String> {
        self.skip_blanks();
        let kinds = [("f'", '\'', "{"), ("`", '`', "${"), ("\"", '"', ""), ("'", '\'', "")];
        for (opening, closing, expression) in kinds {
            if let Some(rest) = self.left.strip_prefix(opening) {
                let (text, rest) = rest.split_once(closing).expect("quotes come in pairs");
                self.left = rest;
                return Some(match expression {
                    "" => text.to_owned(),
                    expression => self.filled(text, expression),
                });
            }
        }
        None
    }

    fn filled(&self, template: &str, opening: &str) -> String {
        let mut filled = String::new();
        let mut left = template;
        while let Some((before, behind)) = left.split_once(opening) {
            let (expression, rest) = behind.split_once('}').expect("a brace for each expression");
            filled.push_str(before);
            filled.push_str(&text_of(&self.bound(expression)));
            left = rest;
        }
        filled + left
    }

    /// Returns the source text up to the end of the value.
    fn expression(&mut self) -> &'a str {
        self.skip_blanks();
        let without_comment = self.left.split("//").next().unwrap_or_default();
        let mut open = 0;
        let end = without_comment.find(|character| {
            match character {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
            open == 0 && matches!(character, ',' | ':' | '}' | ']' | '+' | '\n')
        });
        let (expression, rest) = self.left.split_at(end.unwrap_or(without_comment.len()));
        self.left = rest;
        expression.trim()
    }

    fn bound(&self, expression: &str) -> AttributeValue {
        let value = self.bindings.get(expression);
        value.unwrap_or_else(|| panic!("`{expression}` has no value")).clone()
    }
}

fn text_of(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        other => panic!("{other:?} in a text"),
    }
}

mod tests {
    use monotable::{AttributeValue, item, list, map};

    use super::{Literal, item as read};

    #[test]
    fn json_with_a_comment_is_read() {
        let text = r#"{ "a": "x", "n": 1735689600  // Optional: later
            , "l": ["y", 0, true, null], "m": { "k": false }, "e": [] }"#;
        let expected = item! {
            "a" => "x",
            "n" => 1_735_689_600,
            "l" => list!["y", 0, true, AttributeValue::Null],
            "m" => map! { "k" => false },
            "e" => list![],
        };
        assert_eq!(read(text), expected);
    }

    #[test]
    fn numbers_keep_all_their_digits() {
        let digits = "12345678901234567890.123456789012345678";
        let read = read(&format!("{{ \"n\": {digits} }}"));
        assert_eq!(read["n"].as_n().unwrap().to_string(), digits);
    }

    #[test]
    fn typescript_is_read() {
        let text = "{
            pk: `match#${matchId}`,
            sk: `log#${seq.toString().padStart(6, '0')}`,
            v: JSON.stringify(event),
            ttl, // DynamoDB will auto-delete after expiration
        }";
        let read = Literal::new(text)
            .bind("matchId", "m1")
            .bind("seq.toString().padStart(6, '0')", "000007")
            .bind("JSON.stringify(event)", "{}")
            .bind("ttl", 99)
            .item();
        let expected = item! { "pk" => "match#m1", "sk" => "log#000007", "v" => "{}", "ttl" => 99 };
        assert_eq!(read, expected);
    }

    #[test]
    fn python_is_read() {
        let text = "{
            'PK': 'PARTICIPANT#' + participant_id,
            'SK': f'TEAM#{team_id}',
            # ... other attributes
        }";
        let read = Literal::new(text).bind("participant_id", "p1").bind("team_id", "t1").item();
        assert_eq!(read, item! { "PK" => "PARTICIPANT#p1", "SK" => "TEAM#t1" });
    }
}
