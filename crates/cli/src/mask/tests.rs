//! A table of people, masked.

use monotable::design::Design;
use monotable::model::codec::{pack_value, unpack_value};
use monotable_engine::item;
use monotable_types::Item;
use serde_json::{Value, json};

use super::plan::Plan;
use super::rows::MaskedRows;
use super::text::Mask;

const DESIGN: &str = r##"{
  "monotable_design": 1, "name": "Club", "table_name": "club", "partition_key": "PK", "sort_key": "SK",
  "type_attribute": "type",
  "indexes": [{ "name": "GSI1", "kind": "global", "partition": ["GSI1PK"], "sort": ["GSI1SK"], "projection": "all" }],
  "entities": [
    {
      "name": "Person", "type_name": "Person", "codec": "plain",
      "fields": [
        { "name": "id", "attribute": "id", "rust_type": "PersonId", "wire_type": "S", "is_required": true },
        { "name": "email", "attribute": "email", "rust_type": "String", "wire_type": "S", "is_required": true },
        { "name": "name", "attribute": "fullName", "rust_type": "String", "wire_type": "S", "is_required": true },
        { "name": "phone", "attribute": "phone", "rust_type": "Option<EncryptedText>", "wire_type": "S" },
        { "name": "device", "attribute": "device", "rust_type": "Device", "wire_type": "M" }
      ],
      "key": { "partition": "PERSON#{id}", "sort": "PROFILE" },
      "indexes": [{ "index": "GSI1", "partition": ["EMAIL#{email}"], "sort": ["PERSON#{id}"] }],
      "unique": [{ "name": "email", "fields": ["email"], "partition": "UNIQUE#{email}", "sort": "PERSON" }],
      "location": { "file": "club.rs", "line": 1 }
    },
    {
      "name": "Note", "type_name": "Note", "codec": { "envelope": { "data": "data" } },
      "fields": [
        { "name": "id", "attribute": "id", "rust_type": "NoteId", "wire_type": "S", "is_key_only": true },
        { "name": "author", "attribute": "author", "rust_type": "String", "wire_type": "S",
          "copy_of": { "entity": "Person", "field": "name" } },
        { "name": "text", "attribute": "text", "rust_type": "String", "wire_type": "S" }
      ],
      "key": { "partition": "NOTE#{id}", "sort": "NOTE" },
      "location": { "file": "club.rs", "line": 9 }
    },
    {
      "name": "Match", "type_name": "Match", "codec": "value_row", "fields": [],
      "key": { "partition": "MATCH#{id}", "sort": "STATE" },
      "location": { "file": "club.rs", "line": 15 }
    }
  ],
  "rules": [
    {
      "name": "Requests", "kinds": ["idempotency"], "key": { "partition": "REQUEST#{id}", "sort": "REQUEST" },
      "attributes": { "value": "value" }, "location": { "file": "club.rs", "line": 20 }
    },
    {
      "name": "Seats", "kinds": ["guard"], "key": { "partition": "SEAT#{holder}", "sort": "SEAT" },
      "attributes": { "value": "value" }, "location": { "file": "club.rs", "line": 21 }
    }
  ],
  "location": { "file": "club.rs", "line": 30 }
}"##;
const PERSONAL: [&str; 6] = [
    "Person.email",
    "Person.name",
    "Person.phone",
    "Person.device.address",
    "Match.roster.*.name",
    "Match.story",
];

fn rows() -> Vec<Item> {
    let person = |id: &str, email: &str, name: &str| {
        item! {
            "PK" => format!("PERSON#{id}"), "SK" => "PROFILE", "type" => "Person", "id" => id, "email" => email,
            "fullName" => name, "phone" => "v1:0123456789abcdef", "GSI1SK" => format!("PERSON#{id}"),
            "GSI1PK" => format!("EMAIL#{}", email.replace('@', "%40")),
        }
    };
    let mut ann = person("1", "ann@example.org", "Ann Lee");
    ann.insert("device".to_owned(), item! { "address" => "10.1.2.3", "kind" => "phone" }.into());
    vec![
        ann,
        person("2", "bob@example.org", "Bob May"),
        item! { "PK" => "UNIQUE#ann%40example.org", "SK" => "PERSON", "owner" => "EMAIL#ann%40example.org" },
        item! {
            "PK" => "NOTE#7", "SK" => "NOTE", "type" => "Note",
            "data" => r#"{"author":"Ann Lee","text":"Bring gloves."}"#,
        },
        item! { "PK" => "REQUEST#1", "SK" => "REQUEST", "value" => "Hello, ann@example.org" },
        item! {
            "PK" => "SEAT#Ann%20Lee", "SK" => "SEAT",
            "value" => r#"{"seat":7,"by":"Bob May","key":"EMAIL#bob%40example.org"}"#,
        },
    ]
}

fn masked(rows: &[Item], allowed: &[&str]) -> Result<Vec<Option<Item>>, String> {
    let design = Design::from_json(DESIGN).unwrap();
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let plan = Plan::new(&design, &owned(&PERSONAL)).unwrap();
    let mut masked = MaskedRows::new(plan, Mask::new(b"secret".to_vec()), &owned(allowed));
    let learn =
        |masked: &mut MaskedRows, item| masked.learn(item).map_err(|error| error.to_string());
    rows.iter().try_for_each(|item| learn(&mut masked, item))?;
    rows.iter().map(|item| masked.masked(item).map_err(|error| error.to_string())).collect()
}

fn text<'i>(item: &'i Item, name: &str) -> &'i str {
    item[name].as_s().unwrap()
}

#[test]
fn values_are_replaced_alike_in_attributes_keys_and_rules() {
    let rows = rows();
    let masked = masked(&rows, &[]).unwrap();
    let shown = format!("{masked:?}").to_lowercase();
    for original in ["ann", "lee", "bob", "may", "example.org", "10.1.2.3", "v1:"] {
        assert!(!shown.contains(original), "{original} in {shown}");
    }
    let [Some(ann), Some(bob), Some(unique), Some(note), None, Some(seat)] = &masked[..] else {
        panic!("{masked:?}")
    };
    let in_key = |email: &str| email.replace('@', "%40");
    let (email, other) = (text(ann, "email"), text(bob, "email"));
    assert_ne!(email, other);
    assert_eq!(text(ann, "PK"), "PERSON#1");
    assert_eq!(text(ann, "GSI1PK"), format!("EMAIL#{}", in_key(email)));
    assert_eq!(text(unique, "PK"), format!("UNIQUE#{}", in_key(email)));
    assert_eq!(text(unique, "owner"), format!("EMAIL#{}", in_key(email)));
    assert_eq!(ann["device"].as_m().unwrap().len(), 1, "the address is left out");
    assert!(!ann.contains_key("phone"), "what is encrypted is left out");
    let data: Value = serde_json::from_str(text(note, "data")).unwrap();
    assert_eq!(
        (&data["author"], &data["text"]),
        (&text(ann, "fullName").into(), &"Bring gloves.".into())
    );
    assert_eq!(text(seat, "PK"), format!("SEAT#{}", text(ann, "fullName")));
    let value: Value = serde_json::from_str(text(seat, "value")).unwrap();
    assert_eq!(value["by"], text(bob, "fullName"));
    assert_eq!(value["key"], format!("EMAIL#{}", in_key(other)));
    assert_eq!(value["seat"], 7);
}

#[test]
fn an_original_value_in_the_output_is_an_error_that_does_not_repeat_it() {
    for (data, reaches) in [
        (r#"{"text":"Write to ann@example.org."}"#, true),
        (r#"{"text":"Ann Lee has the key."}"#, true),
        (r#"{"text":"ann lee"}"#, true),
        (r#"{"text":"Ann has the key."}"#, false),
        (r#"{"text":"Bring gloves."}"#, false),
    ] {
        let mut rows = rows();
        rows[3].insert("data".to_owned(), data.into());
        let result = masked(&rows, &[]);
        assert_eq!(result.is_err(), reaches, "{data}: {result:?}");
        if let Err(error) = result {
            assert!(error.contains("Note.data would keep a personal value"), "{error}");
            assert!(!error.to_lowercase().contains("ann"), "{error}");
        }
        assert!(masked(&rows, &["Note.data"]).is_ok());
    }
}

#[test]
fn members_of_values_are_replaced_in_compressed_rows_too() {
    for story in ["Bob May hides.".to_owned(), "Bob May hides. ".repeat(1_000)] {
        let more = "x".repeat(story.len());
        let roster = json!([{ "name": "Bob May" }, { "name": "Zoe" }]);
        let value = json!({ "roster": roster, "story": story, "more": more });
        let mut row = item! { "PK" => "MATCH#1", "SK" => "STATE", "v" => value.to_string() };
        pack_value(&mut row).unwrap();
        let is_long = story.len() > 10_000;
        assert_eq!(row.contains_key("meta"), is_long);
        let all = [rows(), vec![row.clone()]].concat();
        let masked_rows = masked(&all, &[]).unwrap();
        let (bob, mut found) = (masked_rows[1].clone().unwrap(), masked_rows[6].clone().unwrap());
        assert_eq!(
            found.contains_key("meta"),
            row.contains_key("meta"),
            "a long value stays compressed"
        );
        unpack_value(&mut found).unwrap();
        let value: Value = serde_json::from_str(text(&found, "v")).unwrap();
        assert_eq!(value["roster"][0]["name"], text(&bob, "fullName"));
        assert!(!value.to_string().to_lowercase().contains("zoe"), "{value}");
        // A value at another place is found, compressed or not.
        let value = json!({ "winner": "Bob May", "more": more });
        row = item! { "PK" => "MATCH#1", "SK" => "STATE", "v" => value.to_string() };
        pack_value(&mut row).unwrap();
        let error = masked(&[rows(), vec![row]].concat(), &[]).unwrap_err();
        assert!(error.contains("Match.v would keep a personal value"), "{error}");
    }
}

#[test]
fn rows_that_the_design_does_not_have_are_refused() {
    let mut rows = rows();
    rows.push(item! { "PK" => "SECRET#ann@example.org", "SK" => "x" });
    let error = masked(&rows, &[]).unwrap_err();
    assert!(error.contains("begins with \"SECRET\" is of no kind"), "{error}");
    assert!(!error.contains("ann"), "{error}");
}

#[test]
fn fields_that_the_design_does_not_have_are_named() {
    let design = Design::from_json(DESIGN).unwrap();
    for (field, expected) in [
        ("email", "is not ENTITY.FIELD"),
        ("Nobody.email", "no entity \"Nobody\""),
        ("Person.shoe", "no field \"shoe\""),
    ] {
        let error = Plan::new(&design, &[field.to_owned()]).err().unwrap();
        assert!(format!("{error:#}").contains(expected), "{error:#}");
    }
    assert!(Plan::new(&design, &[]).is_err());
}
