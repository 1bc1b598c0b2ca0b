//! Trees back to text, for whoever sends them to DynamoDB itself.
//!
//! Every name and every value becomes a placeholder, so reserved words and odd characters need no
//! care. Parsing the text gives the same tree, provided that it is one that the parser can make.

use std::collections::BTreeMap;
use std::fmt::Write;

use monotable_types::AttributeValue;

use crate::{
    Condition, KeyCondition, KeyTest, Operand, Path, Projection, SetOperand, SetValue, Step, Update,
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
    /// The placeholder of each name, so that a name has only one.
    name_numbers: BTreeMap<String, usize>,
    values: BTreeMap<String, AttributeValue>,
}

/// Where a condition stands, which decides whether it needs parentheses.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Alone,
    WithinAnother,
}

impl Printer {
    /// A printer for the expressions of one request.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text of a `ConditionExpression` or `FilterExpression`.
    pub fn condition(&mut self, condition: &Condition) -> String {
        let mut text = String::new();
        self.write_condition(condition, Place::Alone, &mut text);
        text
    }

    /// The text of an `UpdateExpression`; empty if the update is.
    pub fn update(&mut self, update: &Update) -> String {
        let mut sections = Vec::new();
        if !update.set.is_empty() {
            let actions = update.set.iter().map(|(path, value)| {
                let path = self.path(path);
                format!("{path} = {}", self.set_value(value))
            });
            sections.push(format!("SET {}", actions.collect::<Vec<_>>().join(", ")));
        }
        if !update.remove.is_empty() {
            sections.push(format!("REMOVE {}", self.paths(&update.remove)));
        }
        for (section, actions) in [("ADD", &update.add), ("DELETE", &update.delete)] {
            if !actions.is_empty() {
                let actions = actions.iter().map(|(path, value)| {
                    let path = self.path(path);
                    format!("{path} {}", self.value(value))
                });
                let actions: Vec<_> = actions.collect();
                sections.push(format!("{section} {}", actions.join(", ")));
            }
        }
        sections.join(" ")
    }

    /// The text of a `ProjectionExpression`.
    pub fn projection(&mut self, projection: &Projection) -> String {
        self.paths(&projection.paths)
    }

    /// The text of a `KeyConditionExpression`.
    pub fn key_condition(&mut self, condition: &KeyCondition) -> String {
        let terms = condition.terms.iter().map(|term| {
            let name = self.name(&term.attribute);
            match &term.test {
                KeyTest::Eq(value) => format!("{name} = {}", self.value(value)),
                KeyTest::Lt(value) => format!("{name} < {}", self.value(value)),
                KeyTest::Le(value) => format!("{name} <= {}", self.value(value)),
                KeyTest::Gt(value) => format!("{name} > {}", self.value(value)),
                KeyTest::Ge(value) => format!("{name} >= {}", self.value(value)),
                KeyTest::Between(low, high) => {
                    let low = self.value(low);
                    format!("{name} BETWEEN {low} AND {}", self.value(high))
                }
                KeyTest::BeginsWith(prefix) => {
                    format!("begins_with({name}, {})", self.value(prefix))
                }
            }
        });
        terms.collect::<Vec<_>>().join(" AND ")
    }

    /// `ExpressionAttributeNames` and `ExpressionAttributeValues` for what was printed. DynamoDB
    /// wants an empty one left out of the request.
    pub fn finish(self) -> (BTreeMap<String, String>, BTreeMap<String, AttributeValue>) {
        let names = self.name_numbers.into_iter();
        let names = names.map(|(name, number)| (format!("#n{number}"), name));
        (names.collect(), self.values)
    }

    fn write_condition(&mut self, condition: &Condition, place: Place, text: &mut String) {
        match condition {
            Condition::And(conditions) => self.write_all(conditions, " AND ", place, text),
            Condition::Or(conditions) => self.write_all(conditions, " OR ", place, text),
            Condition::Not(inner) => {
                text.push_str("NOT (");
                self.write_condition(inner, Place::Alone, text);
                text.push(')');
            }
            leaf => text.push_str(&self.leaf(leaf)),
        }
    }

    fn write_all(
        &mut self,
        conditions: &[Condition],
        joint: &str,
        place: Place,
        text: &mut String,
    ) {
        // One condition alone is itself: a parenthesis around it could turn out redundant.
        if let [only] = conditions {
            return self.write_condition(only, place, text);
        }
        if place == Place::WithinAnother {
            text.push('(');
        }
        for (position, condition) in conditions.iter().enumerate() {
            if position > 0 {
                text.push_str(joint);
            }
            self.write_condition(condition, Place::WithinAnother, text);
        }
        if place == Place::WithinAnother {
            text.push(')');
        }
    }

    fn leaf(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Compare { left, comparator, right } => {
                let left = self.operand(left);
                format!("{left} {comparator} {}", self.operand(right))
            }
            Condition::Between { operand, low, high } => {
                let (operand, low) = (self.operand(operand), self.operand(low));
                format!("{operand} BETWEEN {low} AND {}", self.operand(high))
            }
            Condition::In { operand, list } => {
                let operand = self.operand(operand);
                let list: Vec<_> = list.iter().map(|each| self.operand(each)).collect();
                format!("{operand} IN ({})", list.join(", "))
            }
            Condition::AttributeExists(path) => format!("attribute_exists({})", self.path(path)),
            Condition::AttributeNotExists(path) => {
                format!("attribute_not_exists({})", self.path(path))
            }
            Condition::AttributeType(path, type_name) => {
                let path = self.path(path);
                let type_name = self.value(&type_name.as_str().into());
                format!("attribute_type({path}, {type_name})")
            }
            Condition::BeginsWith(operand, prefix) => {
                let operand = self.operand(operand);
                format!("begins_with({operand}, {})", self.operand(prefix))
            }
            Condition::Contains(operand, part) => {
                let operand = self.operand(operand);
                format!("contains({operand}, {})", self.operand(part))
            }
            Condition::And(_) | Condition::Or(_) | Condition::Not(_) => self.condition(condition),
        }
    }

    fn operand(&mut self, operand: &Operand) -> String {
        match operand {
            Operand::Path(path) => self.path(path),
            Operand::Value(value) => self.value(value),
            Operand::Size(path) => format!("size({})", self.path(path)),
        }
    }

    fn set_value(&mut self, value: &SetValue) -> String {
        match value {
            SetValue::Operand(operand) => self.set_operand(operand),
            SetValue::Plus(left, right) => {
                let left = self.set_operand(left);
                format!("{left} + {}", self.set_operand(right))
            }
            SetValue::Minus(left, right) => {
                let left = self.set_operand(left);
                format!("{left} - {}", self.set_operand(right))
            }
        }
    }

    fn set_operand(&mut self, operand: &SetOperand) -> String {
        match operand {
            SetOperand::Path(path) => self.path(path),
            SetOperand::Value(value) => self.value(value),
            SetOperand::IfNotExists(path, default) => {
                let path = self.path(path);
                format!("if_not_exists({path}, {})", self.set_operand(default))
            }
            SetOperand::ListAppend(first, second) => {
                let first = self.set_operand(first);
                format!("list_append({first}, {})", self.set_operand(second))
            }
        }
    }

    fn paths(&mut self, paths: &[Path]) -> String {
        let paths: Vec<_> = paths.iter().map(|path| self.path(path)).collect();
        paths.join(", ")
    }

    fn path(&mut self, path: &Path) -> String {
        let mut text = self.name(&path.root);
        for step in &path.steps {
            match step {
                Step::Key(name) => {
                    text.push('.');
                    text.push_str(&self.name(name));
                }
                // Writing to a string cannot fail.
                Step::Index(index) => drop(write!(text, "[{index}]")),
            }
        }
        text
    }

    fn name(&mut self, name: &str) -> String {
        let next = self.name_numbers.len();
        let number = match self.name_numbers.get(name) {
            Some(number) => *number,
            None => *self.name_numbers.entry(name.to_owned()).or_insert(next),
        };
        format!("#n{number}")
    }

    fn value(&mut self, value: &AttributeValue) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value.clone());
        placeholder
    }
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
    fn conditions_have_the_parentheses_they_need_and_no_others() {
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
