//! Reads single attributes of a stored row straight from its bytes.

use monotable_engine::{Container, ItemVisitor, ReadItem};
use monotable_types::{AttributeValue, Number};

/// Takes the attributes of a row that have these names, each with the position of its name. The
/// others are skipped without an allocation.
pub(in crate::backend) fn take(
    row: &ReadItem,
    names: &[&str],
    found: &mut dyn FnMut(usize, AttributeValue),
) {
    let mut taking = Taking { names, open: None, depth: 0, found, compound: Vec::new() };
    row.visit(&mut taking);
    let Taking { found, compound, .. } = taking;
    for position in compound {
        if let Some(value) = row.get(names[position]) {
            found(position, value);
        }
    }
}

struct Taking<'n> {
    names: &'n [&'n str],
    /// The position of the name whose value comes next, if it is one of the names.
    open: Option<usize>,
    /// How many nested values the visit is inside of.
    depth: usize,
    found: &'n mut dyn FnMut(usize, AttributeValue),
    /// The positions of nested values, which are decoded as a whole.
    compound: Vec<usize>,
}

impl Taking<'_> {
    fn value(&mut self, value: impl FnOnce() -> AttributeValue) {
        if let Some(position) = self.open.take() {
            (self.found)(position, value());
        }
    }
}

impl ItemVisitor for Taking<'_> {
    fn attribute(&mut self, name: &str) {
        if self.depth == 0 {
            self.open = self.names.iter().position(|known| *known == name);
        }
    }

    fn string(&mut self, text: &str) {
        self.value(|| AttributeValue::S(text.to_owned()));
    }

    fn number(&mut self, number: &Number) {
        self.value(|| AttributeValue::N(*number));
    }

    fn binary(&mut self, bytes: &[u8]) {
        self.value(|| AttributeValue::B(bytes.to_owned()));
    }

    fn boolean(&mut self, value: bool) {
        self.value(|| AttributeValue::Bool(value));
    }

    fn null(&mut self) {
        self.value(|| AttributeValue::Null);
    }

    fn begin(&mut self, _container: Container) {
        self.compound.extend(self.open.take());
        self.depth += 1;
    }

    fn end(&mut self, _container: Container) {
        self.depth -= 1;
    }
}

#[cfg(test)]
mod tests {
    use monotable_engine::{CreateTable, Database, GetItem, PutItem};
    use monotable_types::{item, list, map};

    use super::*;

    #[test]
    fn requested_attributes_are_taken_in_their_stored_form() {
        let database = Database::memory();
        database
            .create_table(CreateTable::new("league").partition_key("PK", "S").unwrap())
            .unwrap();
        let stored = item! {
            "PK" => "a",
            "bytes" => AttributeValue::B(vec![1, 2]),
            "inner" => map! { "name" => "not this", "list" => list!["nor this", 1] },
            "list" => list![1, map! { "number" => 2 }],
            "name" => "Ada",
            "none" => AttributeValue::Null,
            "number" => 7,
            "unwanted" => list!["x"],
            "yes" => true,
        };
        database.put_item(PutItem::new("league", stored.clone())).unwrap();
        let row =
            database.get_item(GetItem::new("league", item! { "PK" => "a" })).unwrap().item.unwrap();

        let names = ["yes", "name", "missing", "list", "number", "inner", "none", "bytes"];
        let mut taken = vec![None; names.len()];
        take(&row, &names, &mut |position, value| taken[position] = Some(value));
        let expected = names.map(|name| stored.get(name).cloned());
        assert_eq!(taken, expected);
    }
}
