//! CreateTable: names, keys, indexes, billing.

use monotable::dynamodb::{
    AttributeDefinition, BillingMode, CreateTable, IndexDefinition, KeySchemaElement, KeyType,
    Projection, ProvisionedThroughput, ScalarType,
};

use super::{
    Case, IN_USE, Message, TABLE, VALIDATION, check, constraint, invalid, parameter, refused,
};

/// Returns a table with a partition key and a sort key; `extra` attributes are for indexes.
fn table(extra: &[&str]) -> CreateTable {
    let plain = CreateTable::new("new-table").partition_key("PK", "S").unwrap();
    let keyed = plain.sort_key("SK", "S").unwrap();
    extra.iter().fold(keyed, |table, attribute| table.attribute(attribute, "S").unwrap())
}

fn element(attribute_name: &str, key_type: KeyType) -> KeySchemaElement {
    KeySchemaElement { attribute_name: attribute_name.to_owned(), key_type }
}

fn with_schema(schema: &[(&str, KeyType)]) -> CreateTable {
    let key_schema = schema.iter().map(|(name, key_type)| element(name, *key_type)).collect();
    CreateTable { key_schema, ..table(&[]) }
}

fn with_definitions(names: &[&str]) -> CreateTable {
    let definition =
        |name: &&str| AttributeDefinition { name: (*name).to_owned(), scalar_type: ScalarType::S };
    CreateTable { attribute_definitions: names.iter().map(definition).collect(), ..table(&[]) }
}

fn index(name: &str) -> IndexDefinition {
    IndexDefinition::new(name, &["a"], &[])
}

fn units(read_capacity_units: u64, write_capacity_units: u64) -> ProvisionedThroughput {
    ProvisionedThroughput { read_capacity_units, write_capacity_units }
}

#[test]
fn a_table_has_a_name_of_its_own() {
    check(|| {
        let named = |name: &str| CreateTable { table_name: name.to_owned(), ..table(&[]) };
        let long = "x".repeat(256);
        let pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
        vec![
            constraint(
                "short",
                named("ab"),
                "ab",
                "tableName",
                "have length greater than or equal to 3",
            ),
            constraint(
                "long",
                named(&long),
                &long,
                "tableName",
                "have length less than or equal to 255",
            ),
            constraint("blank", named("a b c"), "a b c", "tableName", pattern),
            refused(
                IN_USE,
                "taken",
                named(TABLE),
                Message::Exactly(format!("Table already exists: {TABLE}")),
            ),
        ]
    });
}

#[test]
fn a_key_is_a_partition_key_and_perhaps_a_sort_key() {
    check(|| {
        let (hash, range) = (KeyType::Hash, KeyType::Range);
        vec![
            constraint(
                "none",
                with_schema(&[]),
                "[]",
                "keySchema",
                "have length greater than or equal to 1",
            ),
            constraint(
                "three",
                with_schema(&[("PK", hash), ("SK", range), ("x", range)]),
                "[KeySchemaElement(attributeName=PK, keyType=HASH), \
                 KeySchemaElement(attributeName=SK, keyType=RANGE), \
                 KeySchemaElement(attributeName=x, keyType=RANGE)]",
                "keySchema",
                "have length less than or equal to 2",
            ),
            invalid(
                "a sort key first",
                with_schema(&[("PK", range), ("SK", hash)]),
                "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
            ),
            invalid(
                "two partition keys",
                with_schema(&[("PK", hash), ("SK", hash)]),
                "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
            ),
            invalid(
                "one attribute for both",
                with_schema(&[("PK", hash), ("PK", range)]),
                "Both the Hash Key and the Range Key element in the KeySchema have the same name",
            ),
        ]
    });
}

#[test]
fn every_key_attribute_is_defined_and_nothing_else() {
    check(|| {
        vec![
            invalid(
                "fewer than keys",
                with_definitions(&["PK"]),
                "Invalid KeySchema: Some index key attribute have no definition",
            ),
            invalid(
                "one twice",
                with_definitions(&["PK", "SK", "PK"]),
                "Attribute Name is duplicated: PK",
            ),
            refused(
                VALIDATION,
                "others",
                with_definitions(&["a", "b"]),
                // AWS prints the names in the order of a Java hash map.
                Message::Unknown,
            ),
            parameter(
                "one too many",
                with_definitions(&["PK", "SK", "a"]),
                "Number of attributes in KeySchema does not exactly match number of attributes \
                 defined in AttributeDefinitions",
            ),
            refused(
                VALIDATION,
                "one too many beside an index",
                table(&["a", "b"]).global_index(index("by-a")),
                Message::Unknown,
            ),
            refused(
                VALIDATION,
                "an undefined index key",
                table(&["b"]).global_index(index("by-a")),
                Message::Unknown,
            ),
        ]
    });
    let refused = CreateTable::new("new-table").partition_key("PK", "SS").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "1 validation error detected: Value 'SS' at 'attributeDefinitions.1.member.attributeType' \
         failed to satisfy constraint: Member must satisfy enum value set: [B, N, S]"
    );
}

#[test]
fn capacity_agrees_with_billing() {
    check(|| {
        let billed = |billing_mode, provisioned_throughput| CreateTable {
            billing_mode,
            provisioned_throughput,
            ..table(&[])
        };
        let (on_demand, provisioned) =
            (Some(BillingMode::PayPerRequest), Some(BillingMode::Provisioned));
        let missing = "ReadCapacityUnits and WriteCapacityUnits must both be specified when \
                       BillingMode is PROVISIONED";
        vec![
            parameter(
                "on demand with capacity",
                billed(on_demand, Some(units(5, 5))),
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode \
                 is PAY_PER_REQUEST",
            ),
            parameter("provisioned without", billed(provisioned, None), missing),
            parameter("provisioned by default", billed(None, None), missing),
            constraint(
                "no reads",
                billed(provisioned, Some(units(0, 5))),
                "0",
                "provisionedThroughput.readCapacityUnits",
                "have value greater than or equal to 1",
            ),
            invalid(
                "endless reads",
                billed(provisioned, Some(units(1_000_000_000_001, 1))),
                "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
            ),
            parameter(
                "an index without",
                CreateTable {
                    billing_mode: None,
                    provisioned_throughput: Some(units(5, 5)),
                    ..table(&["a"]).global_index(index("by-a"))
                },
                "ProvisionedThroughput is not specified for index: by-a",
            ),
            parameter(
                "an index with, on demand",
                table(&["a"]).global_index(index("by-a").provisioned_throughput(units(5, 5))),
                "ProvisionedThroughput should not be specified for index: by-a when BillingMode is \
                 PAY_PER_REQUEST",
            ),
        ]
    });
}

#[test]
fn local_indexes_share_the_partition_key() {
    check(|| {
        let local = |partition: &[&str], sort: &[&str]| {
            table(&["a"]).local_index(IndexDefinition::new("by-a", partition, sort))
        };
        let no_sort_key = CreateTable::new("new-table").partition_key("PK", "S").unwrap();
        let many = ["a", "b", "c", "d", "e", "f"];
        let six = many.iter().fold(table(&many), |table, name| {
            table.local_index(IndexDefinition::new(format!("by-{name}"), &["PK"], &[name]))
        });
        vec![
            parameter(
                "an empty list",
                CreateTable { local_secondary_indexes: Some(Vec::new()), ..table(&[]) },
                "List of LocalSecondaryIndexes is empty",
            ),
            parameter(
                "a table without sort key",
                no_sort_key.attribute("a", "S").unwrap().local_index(IndexDefinition::new(
                    "by-a",
                    &["PK"],
                    &["a"],
                )),
                "Table KeySchema does not have a range key, which is required when specifying a \
                 LocalSecondaryIndex",
            ),
            parameter(
                "no sort key",
                CreateTable {
                    attribute_definitions: table(&[]).attribute_definitions,
                    ..local(&["PK"], &[])
                },
                "Index KeySchema does not have a range key for index: by-a",
            ),
            parameter(
                "another partition key",
                local(&["a"], &["SK"]),
                "Index KeySchema does not have the same leading hash key as table KeySchema for \
                 index: by-a. index hash key: a, table hash key: PK",
            ),
            parameter("six", six, "Number of LocalSecondaryIndexes exceeds per-table limit of 5"),
        ]
    });
}

#[test]
fn global_indexes_have_names_keys_and_projections() {
    check(|| {
        let with = |index: IndexDefinition| table(&["a"]).global_index(index);
        let least = "have length greater than or equal to 3";
        let path = "globalSecondaryIndexes.1.member.indexName";
        let include = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            with(index("by-a").projection(Projection::Include(names)))
        };
        let many = (0..21).fold(table(&["a"]), |table, number| {
            table.global_index(index(&format!("index-{number}")))
        });
        vec![
            parameter(
                "an empty list",
                CreateTable { global_secondary_indexes: Some(Vec::new()), ..table(&[]) },
                "List of GlobalSecondaryIndexes is empty",
            ),
            constraint("a short name", with(index("ab")), "ab", path, least),
            parameter(
                "a name twice",
                with(index("by-a")).global_index(index("by-a")),
                "Duplicate index name: by-a",
            ),
            parameter(
                "the name of a local index",
                with(index("by-a")).local_index(IndexDefinition::new("by-a", &["PK"], &["a"])),
                "Duplicate index name: by-a",
            ),
            parameter(
                "nothing included",
                include(&[]),
                "ProjectionType is INCLUDE, but NonKeyAttributes is not specified",
            ),
            parameter(
                "something included twice",
                include(&["x", "y", "x"]),
                "Duplicate element in NonKeyAttributes: x",
            ),
            parameter("21", many, "GlobalSecondaryIndex count exceeds the per-table limit of 20"),
        ]
    });
}

#[test]
fn global_indexes_have_up_to_four_attributes_on_either_side() {
    check(|| {
        let names = ["a", "b", "c", "d", "e"];
        let with = |partition: &[&str], sort: &[&str]| {
            table(&names).global_index(IndexDefinition::new("by-many", partition, sort))
        };
        let mixed = {
            let mut table = with(&["a"], &["b", "c", "d", "e"]);
            let indexes = table.global_secondary_indexes.as_mut().unwrap();
            indexes[0].key_schema.swap(0, 1);
            table
        };
        let cases: Vec<Case> = vec![
            parameter(
                "five partition attributes",
                with(&names, &[]),
                "The KeySchema exceeds the maximum allowed number of HASH key attributes",
            ),
            parameter(
                "five sort attributes",
                with(&["PK"], &names),
                "The KeySchema exceeds the maximum allowed number of RANGE key attributes",
            ),
            invalid(
                "an attribute twice",
                with(&["a", "b"], &["c", "d", "e", "a"]),
                "The KeySchema contains multiple key attributes with the same name",
            ),
            parameter(
                "sort before partition",
                mixed,
                "All HASH key attributes must precede RANGE key attributes in the KeySchema",
            ),
        ];
        cases
    });
}

#[test]
fn tags_of_a_new_table_are_tags() {
    check(|| {
        let tagged = |key: &str, value: &str| CreateTable {
            tags: [(key.to_owned(), value.to_owned())].into(),
            ..table(&[])
        };
        let long = "k".repeat(129);
        vec![
            invalid("no key", tagged("", "v"), "The Tag Key provided is invalid, Key: "),
            invalid(
                "a long key",
                tagged(&long, "v"),
                format!("The Tag Key provided is invalid, Key: {long}"),
            ),
            invalid(
                "of AWS",
                tagged("aws:a", "v"),
                "Tag Key cannot be prefixed with aws:, Key: aws:a",
            ),
        ]
    });
}
