//! The JSON form: what it looks like, that nothing is lost, and how it refuses other texts.

use expect_test::expect;

use super::{Design, DesignError};
use crate::fixtures::example;

#[test]
fn the_form_is_read_back_as_it_was() {
    let design = Design::of(&example());
    let json = design.to_json();
    assert_eq!(Design::from_json(&json), Ok(design));
    expect_test::expect_file!["design.json"].assert_eq(&json);
}

#[test]
fn the_example_of_the_documentation_is_a_design() {
    let text = include_str!("../../../../docs/design-format.md");
    let (_, json) = text.split_once("```json\n").expect("an example");
    let (json, _) = json.split_once("```").expect("its end");
    let design = Design::from_json(json).expect("a design");
    assert_eq!(Design::from_json(&design.to_json()), Ok(design));
}

#[track_caller]
fn refused(json: &str, expected: expect_test::Expect) {
    let error = Design::from_json(json).map(|design| design.name).expect_err("no design");
    expected.assert_eq(&error.to_string());
}

#[test]
fn other_texts_are_refused_with_the_reason() {
    refused("{", expect!["the design is not JSON: EOF while parsing an object at line 1 column 1"]);
    refused(
        "{}",
        expect!["this is not a design: it lacks `monotable_design` with the version of its format"],
    );
    refused(
        "[1]",
        expect!["this is not a design: it lacks `monotable_design` with the version of its format"],
    );
    refused(
        r#"{"monotable_design": 2}"#,
        expect![
            "the design has format 2, but this program reads format 1; generate it again with a current version of the program that made it, or use a matching version of this program"
        ],
    );
    refused(
        r#"{"monotable_design": "one"}"#,
        expect![[
            r#"the design has format "one", but this program reads format 1; generate it again with a current version of the program that made it, or use a matching version of this program"#
        ]],
    );
    refused(
        r#"{"monotable_design": 1}"#,
        expect!["the design does not follow format 1: missing field `name` at line 1 column 23"],
    );
    let json = Design::of(&example()).to_json();
    refused(
        &json.replacen("\"table_name\"", "\"tabel_name\"", 1),
        expect![
            "the design does not follow format 1: unknown field `tabel_name`, expected one of `monotable_design`, `name`, `doc`, `table_name`, `partition_key`, `sort_key`, `type_attribute`, `ttl_attribute`, `codec`, `indexes`, `entities`, `rules`, `pattern_sets`, `targets`, `allows`, `location` at line 5 column 14"
        ],
    );
    assert_eq!(Design::from_json("{}"), Err(DesignError::NoDesign));
}
