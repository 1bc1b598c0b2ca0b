//! One test for each rule of CreateTable, with AWS's text.

mod indexes;

use expect_test::{Expect, expect};
use monotable_types::{AttributeDefinition, KeySchemaElement, Projection, ScalarType};

use super::*;
use crate::table::ProvisionedThroughput;

fn check(request: CreateTable, message: Expect) {
    message.assert_eq(&request.validate().unwrap_err().to_string());
}

/// A table with partition key `pk`, sort key `sk` and the attributes `a` to `d` for indexes.
fn table() -> CreateTable {
    let keys = CreateTable::new("teams").partition_key("pk", "S").unwrap();
    keys.sort_key("sk", "N").unwrap()
}

fn with_attributes(names: &[&str]) -> CreateTable {
    names.iter().fold(table(), |request, name| request.attribute(name, "S").unwrap())
}

fn global(index: IndexDefinition) -> CreateTable {
    with_attributes(&["a", "b"]).global_index(index)
}

fn local(index: IndexDefinition) -> CreateTable {
    with_attributes(&["a", "b"]).local_index(index)
}

fn index(partition: &[&str], sort: &[&str]) -> IndexDefinition {
    IndexDefinition::new("by-a", partition, sort)
}

fn units(read_capacity_units: u64, write_capacity_units: u64) -> ProvisionedThroughput {
    ProvisionedThroughput { read_capacity_units, write_capacity_units }
}

fn provisioned(request: CreateTable) -> CreateTable {
    CreateTable { billing_mode: None, provisioned_throughput: Some(units(5, 5)), ..request }
}

fn keyed(key_schema: Vec<KeySchemaElement>, names: &[&str]) -> CreateTable {
    let define = |name: &&str| AttributeDefinition::new(*name, ScalarType::S);
    CreateTable {
        key_schema,
        attribute_definitions: names.iter().map(define).collect(),
        ..CreateTable::new("teams")
    }
}

#[test]
fn the_rules_let_a_full_table_through() {
    let include = Projection::Include(vec!["x".to_owned(), "y".to_owned()]);
    let request = with_attributes(&["a", "b", "c", "d"])
        .global_index(IndexDefinition::new("one", &["a"], &[]).projection(include))
        .global_index(IndexDefinition::new("many", &["a", "b"], &["c", "d", "pk", "sk"]))
        .local_index(IndexDefinition::new("local", &["pk"], &["b"]));
    assert_eq!(request.validate(), Ok(()));
    let index = index(&["a"], &["b"]).provisioned_throughput(units(1, 1));
    assert_eq!(provisioned(global(index)).validate(), Ok(()));
}

#[test]
fn a_table_name_has_three_characters() {
    let request = CreateTable { table_name: "ab".to_owned(), ..CreateTable::default() };
    check(
        request,
        expect![[
            "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"
        ]],
    );
}

#[test]
fn a_key_schema_is_not_empty() {
    check(
        CreateTable::new("teams"),
        expect![[
            "1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal to 1"
        ]],
    );
}

#[test]
fn a_key_schema_has_two_elements_at_most() {
    let schema = ["a", "b", "c"].map(KeySchemaElement::hash).to_vec();
    check(
        keyed(schema, &["a", "b", "c"]),
        expect![[
            "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), KeySchemaElement(attributeName=b, keyType=HASH), KeySchemaElement(attributeName=c, keyType=HASH)]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2"
        ]],
    );
}

#[test]
fn constraints_are_listed_together_global_indexes_first() {
    let request =
        CreateTable {
            provisioned_throughput: Some(units(0, 0)),
            ..local(IndexDefinition::new("by?b", &["pk"], &["b"]))
                .global_index(IndexDefinition::new("a", &["a"], &[]))
        };
    check(
        request,
        expect![[
            "4 validation errors detected: Value '0' at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1; Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1; Value 'a' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3; Value 'by?b' at 'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
        ]],
    );
}

#[test]
fn a_key_attribute_has_a_name() {
    check(
        keyed(vec![KeySchemaElement::hash("")], &[""]),
        expect![[
            "2 validation errors detected: Value '' at 'keySchema.1.member.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1; Value '' at 'attributeDefinitions.1.member.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1"
        ]],
    );
}

#[test]
fn an_index_projects_twenty_attributes_by_name_at_most() {
    let names = (0..21).map(|number| number.to_string()).collect();
    check(
        global(index(&["a"], &["b"]).projection(Projection::Include(names))),
        expect![[
            "1 validation error detected: Value '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must have length less than or equal to 20"
        ]],
    );
}

#[test]
fn a_table_on_demand_has_no_throughput() {
    check(
        CreateTable { provisioned_throughput: Some(units(5, 5)), ..table() },
        expect![[
            "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
        ]],
    );
}

#[test]
fn a_provisioned_table_has_throughput() {
    check(
        CreateTable { billing_mode: None, ..table() },
        expect![[
            "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED"
        ]],
    );
}

#[test]
fn throughput_is_bounded() {
    check(
        CreateTable {
            provisioned_throughput: Some(units(1_000_000_000_001, 5)),
            ..provisioned(table())
        },
        expect![["Given value 1000000000001 for ReadCapacityUnits is out of bounds"]],
    );
}

#[test]
fn a_provisioned_index_has_throughput() {
    check(
        provisioned(global(index(&["a"], &["b"]))),
        expect![[
            "One or more parameter values were invalid: ProvisionedThroughput is not specified for index: by-a"
        ]],
    );
}

#[test]
fn an_index_on_demand_has_no_throughput() {
    check(
        global(index(&["a"], &["b"]).provisioned_throughput(units(5, 5))),
        expect![[
            "One or more parameter values were invalid: ProvisionedThroughput should not be specified for index: by-a when BillingMode is PAY_PER_REQUEST"
        ]],
    );
}

#[test]
fn an_attribute_is_defined_once() {
    check(with_attributes(&["pk"]), expect![["Attribute Name is duplicated: pk"]]);
}

#[test]
fn there_are_as_many_definitions_as_key_attributes() {
    let schema = vec![KeySchemaElement::hash("pk"), KeySchemaElement::range("pk")];
    check(
        keyed(schema, &["pk"]),
        expect![["Invalid KeySchema: Some index key attribute have no definition"]],
    );
}

#[test]
fn key_attributes_are_defined() {
    let schema = vec![KeySchemaElement::hash("pk"), KeySchemaElement::range("sk")];
    check(
        keyed(schema, &["pk", "other"]),
        expect![[
            "One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. Keys: [pk, sk], AttributeDefinitions: [pk, other]"
        ]],
    );
}

#[test]
fn partition_and_sort_key_are_two_attributes() {
    let schema = vec![KeySchemaElement::hash("pk"), KeySchemaElement::range("pk")];
    check(
        keyed(schema, &["pk", "sk"]),
        expect![[
            "Both the Hash Key and the Range Key element in the KeySchema have the same name"
        ]],
    );
}

#[test]
fn the_partition_key_comes_first() {
    check(
        keyed(vec![KeySchemaElement::range("pk")], &["pk"]),
        expect![["Invalid KeySchema: The first KeySchemaElement is not a HASH key type"]],
    );
}

#[test]
fn the_sort_key_comes_second() {
    let schema = vec![KeySchemaElement::hash("pk"), KeySchemaElement::hash("sk")];
    check(
        keyed(schema, &["pk", "sk"]),
        expect![["Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"]],
    );
}

#[test]
fn without_indexes_only_key_attributes_are_defined() {
    check(
        with_attributes(&["a"]),
        expect![[
            "One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions"
        ]],
    );
}

#[test]
fn tags_of_a_new_table_follow_the_rules_of_tags() {
    let tags = [("aws:x".to_owned(), "y".to_owned())].into();
    check(
        CreateTable { tags, ..table() },
        expect![["Tag Key cannot be prefixed with aws:, Key: aws:x"]],
    );
}
