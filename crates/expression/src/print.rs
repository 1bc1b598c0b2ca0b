//! Prints trees as text, for requests to DynamoDB.
//!
//! Every name and every value becomes a placeholder, so reserved words and special characters need no
//! escaping. Parsing the text gives the same tree, provided that the parser can make it.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use monotable_types::AttributeValue;

use crate::{
    Condition, KeyCondition, KeyTerm, KeyTest, Operand, Path, Projection, SetOperand, SetValue,
    Step, Update,
};

/// Prints the expressions of one request and collects their placeholders.
///
/// ```
/// use monotable_expression::{Printer, attribute_exists, path};
///
/// let mut printer = Printer::new();
/// let text = printer.condition(&attribute_exists("PK").and(path("status").eq("open")));
/// assert_eq!(text, "attribute_exists(#n0) AND #n1 = :v0");
/// let (names, values) = printer.finish();
/// assert_eq!(names["#n1"], "status");
/// assert_eq!(values[":v0"].as_s(), Some("open"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Printer {
    /// Every name once, at the position that is the number of its placeholder.
    names: Vec<String>,
    values: Vec<AttributeValue>,
}

/// The context of a condition, which decides whether it needs parentheses.
#[derive(Clone, Copy, PartialEq)]
enum Context {
    Alone,
    WithinAnother,
}

impl Printer {
    /// Makes a printer for the expressions of one request.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the text of a `ConditionExpression` or `FilterExpression`.
    pub fn condition(&mut self, condition: &Condition) -> String {
        let mut text = String::new();
        self.write_condition(condition, Context::Alone, &mut text);
        text
    }

    /// Returns the text of an `UpdateExpression`; empty if the update is.
    pub fn update(&mut self, update: &Update) -> String {
        let mut text = String::new();
        self.section("SET ", &update.set, &mut text, |printer, (path, value), text| {
            printer.path(path, text);
            text.push_str(" = ");
            printer.set_value(value, text);
        });
        self.section("REMOVE ", &update.remove, &mut text, Self::path);
        for (section, actions) in [("ADD ", &update.add), ("DELETE ", &update.delete)] {
            self.section(section, actions, &mut text, |printer, (path, value), text| {
                printer.path(path, text);
                text.push(' ');
                printer.value(value, text);
            });
        }
        text
    }

    /// Returns the text of a `ProjectionExpression`.
    pub fn projection(&mut self, projection: &Projection) -> String {
        let mut text = String::new();
        self.list(&projection.paths, &mut text, Self::path);
        text
    }

    /// Returns the text of a `KeyConditionExpression`.
    pub fn key_condition(&mut self, condition: &KeyCondition) -> String {
        let mut text = String::new();
        for (position, term) in condition.terms.iter().enumerate() {
            if position > 0 {
                text.push_str(" AND ");
            }
            self.key_term(term, &mut text);
        }
        text
    }

    /// Returns `ExpressionAttributeNames` and `ExpressionAttributeValues` for the printed
    /// expressions. DynamoDB requires that a request leaves out an empty one.
    pub fn finish(self) -> (BTreeMap<String, String>, BTreeMap<String, AttributeValue>) {
        let names = self.names.into_iter().enumerate();
        let values = self.values.into_iter().enumerate();
        (
            names.map(|(number, name)| (format!("#n{number}"), name)).collect(),
            values.map(|(number, value)| (format!(":v{number}"), value)).collect(),
        )
    }

    fn write_condition(&mut self, condition: &Condition, context: Context, text: &mut String) {
        match condition {
            Condition::And(conditions) => self.write_all(conditions, " AND ", context, text),
            Condition::Or(conditions) => self.write_all(conditions, " OR ", context, text),
            Condition::Not(inner) => {
                text.push_str("NOT (");
                self.write_condition(inner, Context::Alone, text);
                text.push(')');
            }
            leaf => self.leaf(leaf, text),
        }
    }

    fn write_all(
        &mut self,
        conditions: &[Condition],
        joint: &str,
        context: Context,
        text: &mut String,
    ) {
        // A single condition has no parenthesis, which could be redundant.
        if let [only] = conditions {
            return self.write_condition(only, context, text);
        }
        if context == Context::WithinAnother {
            text.push('(');
        }
        for (position, condition) in conditions.iter().enumerate() {
            if position > 0 {
                text.push_str(joint);
            }
            self.write_condition(condition, Context::WithinAnother, text);
        }
        if context == Context::WithinAnother {
            text.push(')');
        }
    }

    fn leaf(&mut self, condition: &Condition, text: &mut String) {
        match condition {
            Condition::Compare { left, comparator, right } => {
                self.operand(left, text);
                put(text, format_args!(" {comparator} "));
                self.operand(right, text);
            }
            Condition::Between { operand, low, high } => {
                self.operand(operand, text);
                text.push_str(" BETWEEN ");
                self.operand(low, text);
                text.push_str(" AND ");
                self.operand(high, text);
            }
            Condition::In { operand, list } => {
                self.operand(operand, text);
                text.push_str(" IN (");
                self.list(list, text, Self::operand);
                text.push(')');
            }
            Condition::AttributeExists(path) => {
                self.function("attribute_exists(", text, |printer, text| printer.path(path, text));
            }
            Condition::AttributeNotExists(path) => {
                let print = |printer: &mut Self, text: &mut String| printer.path(path, text);
                self.function("attribute_not_exists(", text, print);
            }
            Condition::AttributeType(operand, type_name) => {
                self.function("attribute_type(", text, |printer, text| {
                    printer.operand(operand, text);
                    text.push_str(", ");
                    printer.value(&type_name.as_str().into(), text);
                });
            }
            Condition::BeginsWith(operand, prefix) => {
                self.function("begins_with(", text, |printer, text| {
                    printer.list(&[operand, prefix], text, |printer, one, text| {
                        printer.operand(one, text);
                    });
                });
            }
            Condition::Contains(operand, part) => {
                self.function("contains(", text, |printer, text| {
                    printer.list(&[operand, part], text, |printer, one, text| {
                        printer.operand(one, text);
                    });
                });
            }
            Condition::And(_) | Condition::Or(_) | Condition::Not(_) => {
                self.write_condition(condition, Context::Alone, text);
            }
        }
    }

    fn key_term(&mut self, term: &KeyTerm, text: &mut String) {
        let (sign, value) = match &term.test {
            KeyTest::Eq(value) => (" = ", value),
            KeyTest::Lt(value) => (" < ", value),
            KeyTest::Le(value) => (" <= ", value),
            KeyTest::Gt(value) => (" > ", value),
            KeyTest::Ge(value) => (" >= ", value),
            KeyTest::Between(low, high) => {
                self.name(&term.attribute, text);
                text.push_str(" BETWEEN ");
                self.value(low, text);
                text.push_str(" AND ");
                return self.value(high, text);
            }
            KeyTest::BeginsWith(prefix) => {
                return self.function("begins_with(", text, |printer, text| {
                    printer.name(&term.attribute, text);
                    text.push_str(", ");
                    printer.value(prefix, text);
                });
            }
        };
        self.name(&term.attribute, text);
        text.push_str(sign);
        self.value(value, text);
    }

    fn operand(&mut self, operand: &Operand, text: &mut String) {
        match operand {
            Operand::Path(path) => self.path(path, text),
            Operand::Value(value) => self.value(value, text),
            Operand::Size(path) => {
                self.function("size(", text, |printer, text| printer.path(path, text));
            }
        }
    }

    fn set_value(&mut self, value: &SetValue, text: &mut String) {
        let (left, sign, right) = match value {
            SetValue::Operand(operand) => return self.set_operand(operand, text),
            SetValue::Plus(left, right) => (left, " + ", right),
            SetValue::Minus(left, right) => (left, " - ", right),
        };
        self.set_operand(left, text);
        text.push_str(sign);
        self.set_operand(right, text);
    }

    fn set_operand(&mut self, operand: &SetOperand, text: &mut String) {
        match operand {
            SetOperand::Path(path) => self.path(path, text),
            SetOperand::Value(value) => self.value(value, text),
            SetOperand::IfNotExists(path, default) => {
                self.function("if_not_exists(", text, |printer, text| {
                    printer.path(path, text);
                    text.push_str(", ");
                    printer.set_operand(default, text);
                });
            }
            SetOperand::ListAppend(first, second) => {
                self.function("list_append(", text, |printer, text| {
                    printer.set_operand(first, text);
                    text.push_str(", ");
                    printer.set_operand(second, text);
                });
            }
        }
    }

    /// A clause of an update, if it has actions; a space separates it from the one before.
    fn section<A>(
        &mut self,
        keyword: &str,
        actions: &[A],
        text: &mut String,
        print: impl FnMut(&mut Self, &A, &mut String),
    ) {
        if actions.is_empty() {
            return;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(keyword);
        self.list(actions, text, print);
    }

    fn list<A>(
        &mut self,
        elements: &[A],
        text: &mut String,
        mut print: impl FnMut(&mut Self, &A, &mut String),
    ) {
        for (position, element) in elements.iter().enumerate() {
            if position > 0 {
                text.push_str(", ");
            }
            print(self, element, text);
        }
    }

    fn function(
        &mut self,
        opening: &str,
        text: &mut String,
        arguments: impl FnOnce(&mut Self, &mut String),
    ) {
        text.push_str(opening);
        arguments(self, text);
        text.push(')');
    }

    fn path(&mut self, path: &Path, text: &mut String) {
        self.name(&path.root, text);
        for step in &path.steps {
            match step {
                Step::Key(name) => {
                    text.push('.');
                    self.name(name, text);
                }
                Step::Index(index) => put(text, format_args!("[{index}]")),
            }
        }
    }

    fn name(&mut self, name: &str, text: &mut String) {
        let number = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        put(text, format_args!("#n{number}"));
    }

    fn value(&mut self, value: &AttributeValue, text: &mut String) {
        put(text, format_args!(":v{}", self.values.len()));
        self.values.push(value.clone());
    }
}

/// Adds to a text, which cannot fail.
fn put(text: &mut String, arguments: fmt::Arguments<'_>) {
    let _ = text.write_fmt(arguments);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{key, path, size};
    use expect_test::{Expect, expect};
    use monotable_types::{list, set};

    fn check(print: impl FnOnce(&mut Printer) -> String, expected: Expect) {
        let mut printer = Printer::new();
        let text = print(&mut printer);
        let (names, values) = printer.finish();
        let names: Vec<_> = names.iter().map(|(key, name)| format!("{key}={name}")).collect();
        let values: Vec<_> = values.keys().map(String::as_str).collect();
        let printed = format!("{text}\n{}\n{}", names.join(" "), values.join(" "));
        expected.assert_eq(&printed);
    }

    #[test]
    fn conditions_have_only_the_necessary_parentheses() {
        let condition = path("a")
            .eq(1)
            .or(path("a").key("b").gt(size("c")).and(path("d").is_in([1, 2])))
            .or(!path("e").exists().and(path("f").begins_with("x")));
        check(
            |printer| printer.condition(&condition),
            expect![[r#"
                #n0 = :v0 OR (#n0.#n1 > size(#n2) AND #n3 IN (:v1, :v2)) OR NOT (attribute_exists(#n4) AND begins_with(#n5, :v3))
                #n0=a #n1=b #n2=c #n3=d #n4=e #n5=f
                :v0 :v1 :v2 :v3"#]],
        );
    }

    #[test]
    fn updates_print_their_sections_in_a_fixed_order() {
        let update = Update::new()
            .add("n", 1)
            .set("l", SetOperand::list_append(SetOperand::if_not_exists("l", list![]), list![1]))
            .set(path("m").index(3), SetOperand::from(path("x")).minus(2))
            .remove("y")
            .delete("s", set!["a"]);
        check(
            |printer| printer.update(&update),
            expect![[r#"
                SET #n0 = list_append(if_not_exists(#n0, :v0), :v1), #n1[3] = #n2 - :v2 REMOVE #n3 ADD #n4 :v3 DELETE #n5 :v4
                #n0=l #n1=m #n2=x #n3=y #n4=n #n5=s
                :v0 :v1 :v2 :v3 :v4"#]],
        );
    }

    #[test]
    fn placeholders_go_on_from_one_expression_to_the_next() {
        check(
            |printer| {
                let keys = key("PK").eq("p").and(key("SK").between("a", "b"));
                let keys = printer.key_condition(&keys);
                let paths = Projection::of([path("SK"), path("t").key("PK")]);
                format!("{keys} | {}", printer.projection(&paths))
            },
            expect![[r#"
                #n0 = :v0 AND #n1 BETWEEN :v1 AND :v2 | #n1, #n2.#n0
                #n0=PK #n1=SK #n2=t
                :v0 :v1 :v2"#]],
        );
    }
}
