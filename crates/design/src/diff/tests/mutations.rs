//! Every member of the JSON form is changed in turn: the change is noticed, or the member is one of
//! those that rows and requests don't show.

use serde_json::{Value, json};

use crate::Design;
use crate::fixtures::example;

/// Members that document the design.
const DOCUMENTATION: &[&str] = &["doc", "location", "allows", "name"];

/// Members that only rules use; `name` and `codec` are those of the table.
const RULES: &[&str] = &[
    "codec",
    "targets",
    "is_immutable",
    "is_counter",
    "digits",
    "charset",
    "may_be_empty",
    "is_optional",
    "is_identity",
    "rule",
];

/// The location of a field that is not only in the key.
const PLACES: &[&str] = &["is_top_level", "is_value"];

/// Optional members that the running example leaves out somewhere: the object that may have them, and
/// a value.
fn absent() -> Vec<(&'static str, &'static str, Value)> {
    let shards = json!({"count": 4, "by": "team_id"});
    let flags = ["is_required", "is_top_level", "is_key_only", "is_value"];
    let mut members: Vec<_> =
        flags.iter().map(|&flag| ("/entities/*/fields/*", flag, json!(true))).collect();
    members.extend([
        ("/entities/*/fields/*", "aliases", json!(["before"])),
        ("/entities/*/fields/*", "copy_of", json!({"entity": "Game", "field": "start"})),
        ("/entities/*/key", "shards", shards.clone()),
        ("/entities/*/mirrors/*", "key", json!({"partition": "{team_id}", "sort": "X"})),
        ("/entities/*/mirrors/*/key", "shards", shards.clone()),
        ("/entities/*/indexes/*", "is_sparse", json!(true)),
        ("/entities/*/indexes/*", "shards", shards),
        ("/entities/*/unique/*", "is_sparse", json!(true)),
        ("/entities/*", "version", json!("team_id")),
        ("/entities/*", "ttl", json!("team_id")),
        ("/entities/*", "created", json!("team_id")),
        ("/entities/*", "updated", json!("team_id")),
        ("/rules/*", "snapshot", json!("STATE")),
        ("/rules/*/attributes", "lease", json!("lease")),
        ("/rules/*/attributes", "expiry", json!("ttl")),
        ("/rules/*/attributes", "former_value", json!("value")),
        ("/pattern_sets/*/patterns/*", "index", json!("BySize")),
        ("/pattern_sets/*/patterns/*", "is_descending", json!(true)),
        ("/pattern_sets/*/patterns/*", "is_consistent", json!(true)),
        ("/pattern_sets/*/patterns/*", "is_admin", json!(true)),
        ("/pattern_sets/*/patterns/*", "shards", json!(4)),
        ("/pattern_sets/*/patterns/*", "unique", json!("name")),
        ("/pattern_sets/*/patterns/*", "presence", json!([{"exists": "name"}])),
        ("/pattern_sets/*/patterns/*", "limit", json!(4)),
        ("/pattern_sets/*/patterns/*", "items_max", json!(4)),
        ("/pattern_sets/*/patterns/*", "requests_per_second", json!(4)),
        ("/pattern_sets/*/patterns/*/arguments/*", "filter", json!("name")),
    ]);
    members
}

/// Other values for a member, the first of which that makes a design is taken.
fn others(value: &Value) -> Vec<Value> {
    let words = [
        "local",
        "global",
        "keys_only",
        "value_row",
        "N",
        "S",
        "word",
        "text",
        "any",
        "digits",
        "scan",
        "get",
        "fold",
        "rows",
        "alternator",
        "job",
    ];
    match value {
        Value::String(text) => {
            // Where only certain words are allowed, a longer text is refused.
            let mut others = vec![json!(format!("{text}X"))];
            others.extend(words.iter().filter(|word| *word != text).map(|word| json!(word)));
            others
        }
        Value::Number(number) => vec![json!(number.as_u64().unwrap_or_default() + 1)],
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Array(_) => vec![json!([]), json!(["X"]), json!(["X", "Y"])],
        Value::Object(_) | Value::Null => vec![Value::Null, json!("all"), json!("plain")],
    }
}

/// The pointers of all members below a value.
fn pointers(value: &Value, pointer: &str, found: &mut Vec<String>) {
    let members: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), member)).collect()
        }
        Value::Array(elements) => {
            elements.iter().enumerate().map(|(at, element)| (at.to_string(), element)).collect()
        }
        _ => return,
    };
    for (name, member) in members {
        let pointer = format!("{pointer}/{name}");
        pointers(member, &pointer, found);
        found.push(pointer);
    }
}

/// Returns a pointer with `*` for every position in a list.
fn general(pointer: &str) -> String {
    let is_position =
        |name: &&str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let names: Vec<_> =
        pointer.split('/').map(|name| if is_position(&name) { "*" } else { name }).collect();
    names.join("/")
}

/// Returns whether rows and requests don't show a member.
fn is_hidden(pointer: &str) -> bool {
    let names: Vec<_> = pointer.split('/').skip(1).collect();
    let is_documentation = match names.as_slice() {
        ["name"] => true,
        names => names.iter().any(|name| *name != "name" && DOCUMENTATION.contains(name)),
    };
    let is_rule = names.iter().any(|name| match *name {
        "codec" => names.len() == 1,
        // Changes of a pattern's arguments are always reported.
        name => RULES.contains(&name) && names[0] != "pattern_sets",
    });
    // Without its templates a field is not part of a key.
    let is_whole_part = names[0] == "entities" && names.last() == Some(&"key_part");
    // A local index may leave out the partition key that it shares with the table.
    let is_left_out = pointer == "/indexes/1/partition";
    is_documentation || is_rule || is_whole_part || is_left_out
}

fn design(json: &Value) -> Option<Design> {
    Design::from_json(&json.to_string()).ok()
}

#[track_caller]
fn check(older: &Design, newer: &Design, pointer: &str) {
    assert_eq!(older.changes_to(older), []);
    for (one, other) in [(older, newer), (newer, older)] {
        let changes = one.changes_to(other);
        assert_eq!(changes.is_empty(), is_hidden(pointer), "{pointer}: {changes:?}");
        // Steps must only concern things that changed.
        assert!(!changes.is_empty() || one.plan_to(other).steps.is_empty(), "{pointer}");
    }
}

#[test]
fn every_member_that_rows_or_requests_show_is_noticed() {
    let older = Design::of(&example());
    let json: Value = serde_json::from_str(&older.to_json()).expect("JSON");
    let mut members = Vec::new();
    pointers(&json, "", &mut members);
    let mut checked = 0;
    for pointer in members {
        let mut changed = json.clone();
        let member = changed.pointer_mut(&pointer).expect("a member").clone();
        let newer = others(&member).into_iter().find_map(|other| {
            *changed.pointer_mut(&pointer)? = other;
            design(&changed).filter(|newer| *newer != older)
        });
        // The version of the form, and objects that can't be left out: their members have their turn.
        let Some(newer) = newer else {
            assert!(member.is_object() || pointer == "/monotable_design", "{pointer}");
            continue;
        };
        check(&older, &newer, &pointer);
        checked += 1;
    }
    assert!(checked > 250, "{checked}");
}

#[test]
fn members_that_come_and_go_are_noticed() {
    let older = Design::of(&example());
    let json: Value = serde_json::from_str(&older.to_json()).expect("JSON");
    let mut members = Vec::new();
    pointers(&json, "", &mut members);
    for (object, name, value) in absent() {
        let mut checked = 0;
        for pointer in members.iter().filter(|pointer| general(pointer) == object) {
            let mut changed = json.clone();
            let place = changed.pointer_mut(pointer).expect("an object");
            // A field that is only in the key is not stored anywhere else, whatever other members
            // claim.
            let is_elsewhere = place.get("is_key_only").is_some() && PLACES.contains(&name);
            if place.get(name).is_none() && !is_elsewhere {
                place[name] = value.clone();
                let newer = design(&changed).expect("a design");
                check(&older, &newer, &format!("{pointer}/{name}"));
                checked += 1;
            }
        }
        assert!(checked > 0, "{object}/{name}");
    }
}
