//! The rules about indexes.

use super::*;

#[test]
fn with_indexes_every_definition_is_used() {
    check(
        global(index(&["a"], &[])),
        expect![[
            "One or more parameter values were invalid: Some AttributeDefinitions are not used. AttributeDefinitions: [pk, sk, a, b], keys used: [pk, sk, a]"
        ]],
    );
}

#[test]
fn a_list_of_local_indexes_is_not_empty() {
    check(
        CreateTable { local_secondary_indexes: Some(Vec::new()), ..table() },
        expect![[
            "One or more parameter values were invalid: List of LocalSecondaryIndexes is empty"
        ]],
    );
}

#[test]
fn local_indexes_need_a_sort_key() {
    let request = CreateTable::new("teams").partition_key("pk", "S").unwrap();
    let request = request.attribute("a", "S").unwrap();
    check(
        request.local_index(index(&["pk"], &["a"])),
        expect![[
            "One or more parameter values were invalid: Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex"
        ]],
    );
}

#[test]
fn a_local_index_has_a_sort_key() {
    check(
        local(index(&["pk"], &[])),
        expect![[
            "One or more parameter values were invalid: Index KeySchema does not have a range key for index: by-a"
        ]],
    );
}

#[test]
fn a_local_index_has_the_partition_key_of_its_table() {
    check(
        local(index(&["a"], &["b"])),
        expect![[
            "One or more parameter values were invalid: Index KeySchema does not have the same leading hash key as table KeySchema for index: by-a. index hash key: a, table hash key: pk"
        ]],
    );
}

#[test]
fn there_are_five_local_indexes_at_most() {
    let request = (0..6).fold(with_attributes(&["a"]), |request, number| {
        request.local_index(IndexDefinition::new(format!("index{number}"), &["pk"], &["a"]))
    });
    check(
        request,
        expect![[
            "One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table limit of 5"
        ]],
    );
}

#[test]
fn a_list_of_global_indexes_is_not_empty() {
    check(
        CreateTable { global_secondary_indexes: Some(Vec::new()), ..table() },
        expect![[
            "One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty"
        ]],
    );
}

#[test]
fn there_are_twenty_global_indexes_at_most() {
    let request = (0..21).fold(with_attributes(&["a"]), |request, number| {
        request.global_index(IndexDefinition::new(format!("index{number}"), &["a"], &[]))
    });
    check(
        request,
        expect![[
            "One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit of 20"
        ]],
    );
}

#[test]
fn global_and_local_indexes_share_their_names() {
    check(
        local(index(&["pk"], &["b"])).global_index(index(&["a"], &[])),
        expect![["One or more parameter values were invalid: Duplicate index name: by-a"]],
    );
}

#[test]
fn a_projection_by_name_names_something() {
    check(
        global(index(&["a"], &["b"]).projection(Projection::Include(Vec::new()))),
        expect![[
            "One or more parameter values were invalid: ProjectionType is INCLUDE, but NonKeyAttributes is not specified"
        ]],
    );
}

#[test]
fn a_projection_names_nothing_twice() {
    let names = vec!["x".to_owned(), "x".to_owned()];
    check(
        global(index(&["a"], &["b"]).projection(Projection::Include(names))),
        expect![[
            "One or more parameter values were invalid: Duplicate element in NonKeyAttributes: x"
        ]],
    );
}

#[test]
fn indexes_project_a_hundred_attributes_by_name_at_most() {
    let request = (0..6).fold(with_attributes(&["a"]), |request, number| {
        let names = (0..20).map(|name| format!("x{name}")).collect();
        let index = IndexDefinition::new(format!("index{number}"), &["a"], &[]);
        request.global_index(index.projection(Projection::Include(names)))
    });
    check(
        request,
        expect![[
            "One or more parameter values were invalid: Number of projected attributes exceeds per-table limit of 100"
        ]],
    );
}

#[test]
fn a_global_index_has_four_partition_attributes_at_most() {
    let five = ["a", "b", "c", "d", "pk"];
    check(
        with_attributes(&["a", "b", "c", "d"]).global_index(index(&five, &[])),
        expect![[
            "One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of HASH key attributes"
        ]],
    );
}

#[test]
fn a_global_index_has_four_sort_attributes_at_most() {
    let five = ["a", "b", "c", "d", "pk"];
    check(
        with_attributes(&["a", "b", "c", "d"]).global_index(index(&["sk"], &five)),
        expect![[
            "One or more parameter values were invalid: The KeySchema exceeds the maximum allowed number of RANGE key attributes"
        ]],
    );
}

#[test]
fn a_global_key_repeats_no_attribute() {
    check(
        global(index(&["a", "a"], &["b"])),
        expect![["The KeySchema contains multiple key attributes with the same name"]],
    );
    check(
        global(index(&["a"], &["a"])),
        expect![[
            "Both the Hash Key and the Range Key element in the KeySchema have the same name"
        ]],
    );
}

#[test]
fn in_a_global_key_partition_attributes_come_first() {
    let mut mixed = index(&["a"], &["b"]);
    mixed.key_schema.push(KeySchemaElement::hash("pk"));
    check(
        global(mixed),
        expect![[
            "One or more parameter values were invalid: All HASH key attributes must precede RANGE key attributes in the KeySchema"
        ]],
    );
    check(
        global(index(&[], &["a"])),
        expect![["Invalid KeySchema: The first KeySchemaElement is not a HASH key type"]],
    );
}
