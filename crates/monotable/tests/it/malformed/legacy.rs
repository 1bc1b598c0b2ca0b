//! Parameters from before there were expressions: `Expected`, `QueryFilter`, `KeyConditions`,
//! `AttributeUpdates`, `AttributesToGet`. They become the same trees, or are refused on the way.

use std::collections::BTreeMap;

use monotable::dynamodb::{Query, UpdateItem};
use monotable::expression::legacy::{
    AttributeAction, AttributeUpdate, ComparisonOperator, ExpectedAttribute, FilterCondition,
    attribute_updates, attributes_to_get, expected, filter, key_conditions,
};
use monotable::{AttributeValue, list, set};

use super::{TABLE, VALIDATION, key, load, query};
use crate::support::stores::on_both_stores;

fn check<T: std::fmt::Debug, E: std::fmt::Display>(outcome: Result<T, E>, why: &str) {
    let message = outcome.unwrap_err_or_text();
    assert_eq!(message, format!("One or more parameter values were invalid: {why}"));
}

/// The message of a refusal, or what was accepted.
trait Refusal {
    fn unwrap_err_or_text(self) -> String;
}

impl<T: std::fmt::Debug, E: std::fmt::Display> Refusal for Result<T, E> {
    fn unwrap_err_or_text(self) -> String {
        match self {
            Ok(accepted) => format!("accepted: {accepted:?}"),
            Err(error) => error.to_string(),
        }
    }
}

fn of<T>(value: T) -> BTreeMap<String, T> {
    BTreeMap::from([("a".to_owned(), value)])
}

fn compare(operator: ComparisonOperator, values: Vec<AttributeValue>) -> FilterCondition {
    FilterCondition { comparison_operator: operator, attribute_value_list: values }
}

#[test]
fn expected_names_a_value_or_an_operator() {
    let expect = |attribute| expected(&of(attribute), None);
    let plain = ExpectedAttribute::default;
    check(
        expect(ExpectedAttribute {
            value: Some(1.into()),
            attribute_value_list: Some(vec![1.into()]),
            ..plain()
        }),
        "Value and AttributeValueList cannot be used together for Attribute: a",
    );
    check(
        expect(ExpectedAttribute {
            exists: Some(true),
            comparison_operator: Some(ComparisonOperator::Eq),
            ..plain()
        }),
        "Exists and ComparisonOperator cannot be used together for Attribute: a",
    );
    check(
        expect(ExpectedAttribute { attribute_value_list: Some(vec![1.into()]), ..plain() }),
        "AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
    );
    check(expect(plain()), "Value must be provided when Exists is null for Attribute: a");
    check(
        expect(ExpectedAttribute { exists: Some(true), ..plain() }),
        "Value must be provided when Exists is true for Attribute: a",
    );
    check(
        expect(ExpectedAttribute { exists: Some(false), value: Some(1.into()), ..plain() }),
        "Value cannot be used when Exists is false for Attribute: a",
    );
}

#[test]
fn filters_have_as_many_values_as_their_operator_takes() {
    let filter = |operator, values| filter(&of(compare(operator, values)), None);
    type Operator = ComparisonOperator;
    check(
        filter(Operator::Eq, Vec::new()),
        "Invalid number of argument(s) for the EQ ComparisonOperator",
    );
    check(
        filter(Operator::Between, vec![1.into()]),
        "Invalid number of argument(s) for the BETWEEN ComparisonOperator",
    );
    check(
        filter(Operator::Null, vec![1.into()]),
        "Invalid number of argument(s) for the NULL ComparisonOperator",
    );
    check(
        filter(Operator::In, vec![1.into(), "x".into()]),
        "AttributeValues inside AttributeValueList must be of same type",
    );
    check(
        filter(Operator::BeginsWith, vec![1.into()]),
        "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type",
    );
    check(
        filter(Operator::Lt, vec![list![1]]),
        "ComparisonOperator LT is not valid for L AttributeValue type",
    );
    assert_eq!(
        filter(Operator::Between, vec![2.into(), 1.into()]).unwrap_err_or_text(),
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper \
         bound"
    );
}

#[test]
fn key_conditions_have_a_form_that_an_index_supports() {
    assert_eq!(
        key_conditions(&BTreeMap::new()).unwrap_err_or_text(),
        "Conditions can be of length 1 or 2 only"
    );
    let contains = compare(ComparisonOperator::Contains, vec!["x".into()]);
    assert_eq!(
        key_conditions(&of(contains)).unwrap_err_or_text(),
        "Attempted conditional constraint is not an indexable operation"
    );
    on_both_stores(|db| {
        load(db);
        let other = key_conditions(&of(compare(ComparisonOperator::Eq, vec!["x".into()]))).unwrap();
        let refused = db.query(Query::new(TABLE).key_condition(other)).unwrap_err();
        assert_eq!(refused.code(), VALIDATION);
        assert_eq!(refused.to_string(), "Query condition missed key schema element: PK");
    });
}

#[test]
fn attribute_updates_have_values_for_their_action() {
    let updates =
        |action, value| attribute_updates(&of(AttributeUpdate { action: Some(action), value }));
    check(
        updates(AttributeAction::Put, None),
        "Only DELETE action is allowed when no attribute value is specified",
    );
    check(
        updates(AttributeAction::Delete, Some(1.into())),
        "DELETE action with value is not supported for the type N",
    );
    check(
        updates(AttributeAction::Add, Some("x".into())),
        "ADD action is not supported for the type S",
    );
}

#[test]
fn attribute_updates_fit_the_item() {
    on_both_stores(|db| {
        load(db);
        let action = Some(AttributeAction::Add);
        let value = Some(set!["x"].into());
        let updates = BTreeMap::from([("wins".to_owned(), AttributeUpdate { action, value })]);
        let update = attribute_updates(&updates).unwrap();
        let refused = db.update_item(UpdateItem::new(TABLE, key()).update(update)).unwrap_err();
        assert_eq!(refused.code(), VALIDATION);
    });
}

#[test]
fn attributes_to_get_are_distinct() {
    check(
        attributes_to_get(&["a".to_owned(), "b".to_owned(), "a".to_owned()]),
        "Duplicate value in attribute name: a",
    );
}

#[test]
fn trees_need_no_placeholders_and_text_does() {
    on_both_stores(|db| {
        load(db);
        let tree = monotable::expression::key("PK").eq("TEAM#1");
        assert_eq!(db.query(Query::new(TABLE).key_condition(tree.clone())).unwrap().count, 1);
        let refused = db.query(query().key_condition(tree)).unwrap_err();
        assert_eq!(refused.code(), VALIDATION, "`:pk` is used by nothing");
    });
}
