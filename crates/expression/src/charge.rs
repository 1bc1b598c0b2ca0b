//! The bytes of an update expression that UpdateItem counts against the 400 KB of an item: its values
//! and a fixed cost for each of its parts, independent of the resulting item.
//!
//! AWS does not document the figures. The public suite
//! github.com/paritysuite/dynamodb-conformance measured them by bisecting the limit in most regions.

use monotable_types::{AttributeValue, value_size_bytes};

use crate::{Path, SetOperand, SetValue, Step, Update};

/// The fixed cost of an update.
const UPDATE_BYTES: usize = 3;
/// The cost of each action of `SET` and `ADD`.
const WRITE_BYTES: usize = 19;
/// The cost of each action of `REMOVE` and `DELETE`.
const REMOVAL_BYTES: usize = 1;
/// The cost of each step of a written or removed path, in addition to its name or digits.
const TARGET_STEP_BYTES: usize = 4;
/// The cost of a path that is read.
const OPERAND_BYTES: usize = 1;
/// The cost of each element of a path that is read, in addition to its name or digits.
const OPERAND_ELEMENT_BYTES: usize = 14;
const PLUS_BYTES: usize = 34;
const MINUS_BYTES: usize = 37;
const IF_NOT_EXISTS_BYTES: usize = 39;
const LIST_APPEND_BYTES: usize = 37;

impl Update {
    /// Returns the bytes that the update expression adds to the size of the resulting item, when UpdateItem
    /// compares it with the limit.
    ///
    /// ```
    /// use monotable_expression::Update;
    ///
    /// let update = Update::new().set("name", "Ada").remove("draft");
    /// assert_eq!(update.charged_bytes(), 3 + (19 + 4 + 3) + (1 + 5));
    /// ```
    pub fn charged_bytes(&self) -> usize {
        let set = self.set.iter().map(|(path, value)| written(path, value.charged_bytes()));
        let add = self.add.iter().map(|(path, value)| written(path, value_size_bytes(value)));
        let removed = |path: &Path| REMOVAL_BYTES + target(path);
        let remove = self.remove.iter().map(removed);
        let delete = self.delete.iter().map(|(path, _): &(Path, AttributeValue)| removed(path));
        UPDATE_BYTES + set.chain(add).chain(remove).chain(delete).sum::<usize>()
    }
}

fn written(path: &Path, value_bytes: usize) -> usize {
    WRITE_BYTES + target(path) + value_bytes
}

fn target(path: &Path) -> usize {
    let steps = path.steps.iter().map(|step| TARGET_STEP_BYTES + step_bytes(step));
    path.root.len() + steps.sum::<usize>()
}

fn step_bytes(step: &Step) -> usize {
    match step {
        Step::Key(name) => name.len(),
        Step::Index(index) => index.checked_ilog10().unwrap_or(0) as usize + 1,
    }
}

impl SetValue {
    fn charged_bytes(&self) -> usize {
        match self {
            Self::Operand(operand) => operand.charged_bytes(),
            Self::Plus(left, right) => PLUS_BYTES + left.charged_bytes() + right.charged_bytes(),
            Self::Minus(left, right) => MINUS_BYTES + left.charged_bytes() + right.charged_bytes(),
        }
    }
}

impl SetOperand {
    fn charged_bytes(&self) -> usize {
        match self {
            Self::Path(path) => read(path),
            Self::Value(value) => value_size_bytes(value),
            Self::IfNotExists(path, default) => {
                IF_NOT_EXISTS_BYTES + read(path) + default.charged_bytes()
            }
            Self::ListAppend(first, second) => {
                LIST_APPEND_BYTES + first.charged_bytes() + second.charged_bytes()
            }
        }
    }
}

fn read(path: &Path) -> usize {
    let steps = path.steps.iter().map(|step| OPERAND_ELEMENT_BYTES + step_bytes(step));
    OPERAND_BYTES + OPERAND_ELEMENT_BYTES + path.root.len() + steps.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use monotable_types::{item, list, set};

    use super::*;
    use crate::path;

    #[track_caller]
    fn check(update: Update, bytes: usize) {
        assert_eq!(update.charged_bytes(), 3 + bytes, "{update:?}");
    }

    #[test]
    fn values_are_charged_with_their_path() {
        check(Update::new().set("b", "12345"), 19 + 1 + 5);
        check(Update::new().set("b", "x").set("c", "y"), 2 * (19 + 1 + 1));
        check(Update::new().set(path("d").key("leaf"), "x"), 19 + (1 + 4 + 4) + 1);
        check(Update::new().set(path("d").index(0), "x"), 19 + (1 + 4 + 1) + 1);
        check(Update::new().set(path("d").index(10), "x"), 19 + (1 + 4 + 2) + 1);
        check(Update::new().add("count", 1), 19 + 5 + 2);
        check(Update::new().add("tags", set!["s".repeat(500)]), 19 + 4 + 500);
    }

    #[test]
    fn reads_are_charged_by_their_path() {
        check(Update::new().set("c", SetOperand::Path(path("abcdefghij"))), 19 + 1 + 15 + 10);
        check(Update::new().set("c", SetOperand::Path(path("m").key("z"))), 19 + 1 + 1 + 15 + 15);
        let tenth = SetOperand::Path(path("l").index(10));
        check(Update::new().set("c", tenth), 19 + 1 + 1 + 15 + 16);
    }

    #[test]
    fn operators_and_functions_have_a_cost() {
        let number = || SetOperand::Path(path("n"));
        check(Update::new().set("n", number().plus(1)), 19 + 1 + 34 + 16 + 2);
        check(Update::new().set("n", number().minus(1)), 19 + 1 + 37 + 16 + 2);
        let default = SetOperand::if_not_exists("c", item! { "a" => "y".repeat(100) });
        check(Update::new().set("c", default), 19 + 1 + 39 + 16 + (3 + 1 + 1 + 100));
        let appended = SetOperand::list_append(path("l"), list!["0123456789"]);
        check(Update::new().set("l", appended), 19 + 1 + 37 + 16 + (3 + 1 + 10));
    }

    #[test]
    fn removals_are_not_charged() {
        check(Update::new().remove("abcdefghij"), 1 + 10);
        check(Update::new().remove(path("m").key("yyyyyyyyyy")), 1 + 1 + 4 + 10);
        check(Update::new().remove(path("l").index(10)), 1 + 1 + 4 + 2);
        check(Update::new().delete("ss", set!["q".repeat(20)]), 1 + 2);
    }
}
