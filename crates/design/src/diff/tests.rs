//! Changes and plans between designs, each kind once, and that none is overlooked.

mod entities;
mod fields;
mod mutations;
mod plans;
mod tables;

use expect_test::Expect;

use crate::Design;
use crate::fixtures::example;
use crate::ir::{Entity, Field};

/// Compares the changes from the running example to one that was changed, and the plan for them.
#[track_caller]
fn check(change: impl FnOnce(&mut Design), expected: Expect) {
    let older = Design::of(&example());
    let mut newer = older.clone();
    change(&mut newer);
    between(&older, &newer, expected);
}

#[track_caller]
fn between(older: &Design, newer: &Design, expected: Expect) {
    let changes = older.changes_to(newer);
    let changes: Vec<_> = changes.iter().map(|change| format!("{change}\n")).collect();
    let plan = older.plan_to(newer).to_markdown();
    let rule = if plan.is_empty() { "" } else { "--\n" };
    expected.assert_eq(&[changes.concat(), rule.to_owned(), plan].concat());
}

fn entity<'a>(design: &'a mut Design, name: &str) -> &'a mut Entity {
    design.entities.iter_mut().find(|entity| entity.name == name).expect(name)
}

fn field<'a>(design: &'a mut Design, name: &str, field: &str) -> &'a mut Field {
    let mut fields = entity(design, name).fields.iter_mut();
    fields.find(|one| one.name == field).expect(field)
}
