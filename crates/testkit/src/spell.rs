//! Rewrites the expression trees of an operation as DynamoDB's text, for the parser to read back.

use std::collections::BTreeMap;

use monotable_engine::{Expression, Substitutions, TransactWrite};
use monotable_expression::{Condition, KeyCondition, Printer, Projection, Update};

use crate::operation::Operation;

/// Returns the same operation with its expressions as text.
pub(crate) fn as_text(mut operation: Operation) -> Operation {
    match &mut operation {
        Operation::PutItem(put) => text(&mut put.substitutions, [&mut put.condition]),
        Operation::DeleteItem(delete) => text(&mut delete.substitutions, [&mut delete.condition]),
        Operation::UpdateItem(request) => {
            text(
                &mut request.substitutions,
                [&mut request.update as &mut dyn Printed, &mut request.condition],
            );
        }
        Operation::GetItem(get) => text(&mut get.substitutions, [&mut get.projection]),
        Operation::Query(query) => text(
            &mut query.substitutions,
            [
                &mut query.key_condition as &mut dyn Printed,
                &mut query.filter,
                &mut query.projection,
            ],
        ),
        Operation::Scan(scan) => {
            text(
                &mut scan.substitutions,
                [&mut scan.filter as &mut dyn Printed, &mut scan.projection],
            );
        }
        Operation::BatchGetItem(batch) => {
            for request in batch.request_items.values_mut() {
                text(&mut request.substitutions, [&mut request.projection]);
            }
        }
        Operation::TransactGetItems(request) => {
            for get in &mut request.transact_items {
                text(&mut get.substitutions, [&mut get.projection]);
            }
        }
        Operation::TransactWriteItems(request) => {
            request.transact_items.iter_mut().for_each(action_as_text);
        }
        _ => {}
    }
    operation
}

fn action_as_text(action: &mut TransactWrite) {
    match action {
        TransactWrite::Put(put) => text(&mut put.substitutions, [&mut put.condition]),
        TransactWrite::Update(request) => {
            text(
                &mut request.substitutions,
                [&mut request.update as &mut dyn Printed, &mut request.condition],
            );
        }
        TransactWrite::Delete(delete) => text(&mut delete.substitutions, [&mut delete.condition]),
        TransactWrite::ConditionCheck(check) => {
            text(&mut check.substitutions, [&mut check.condition])
        }
    }
}

/// An expression that can be printed in place.
trait Printed {
    fn print(&mut self, printer: &mut Printer);
}

macro_rules! printed {
    ($($tree:ty => $print:ident),*) => {$(
        impl Printed for Option<Expression<$tree>> {
            fn print(&mut self, printer: &mut Printer) {
                if let Some(Expression::Tree(tree)) = self {
                    *self = Some(Expression::Text(printer.$print(tree)));
                }
            }
        }
    )*};
}

printed!(Condition => condition, Update => update, Projection => projection, KeyCondition => key_condition);

fn text<'a, P: Printed + ?Sized + 'a>(
    substitutions: &mut Substitutions,
    expressions: impl IntoIterator<Item = &'a mut P>,
) {
    let mut printer = Printer::new();
    for expression in expressions {
        expression.print(&mut printer);
    }
    let (names, values) = printer.finish();
    substitutions.names = none_if_empty(names);
    substitutions.values = none_if_empty(values);
}

fn none_if_empty<V>(map: BTreeMap<String, V>) -> Option<BTreeMap<String, V>> {
    (!map.is_empty()).then_some(map)
}
