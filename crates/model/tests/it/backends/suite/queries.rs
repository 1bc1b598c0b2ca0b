//! Pages of one partition, of the table and of indexes.

use std::sync::Arc;

use monotable_expression::{
    Condition, attribute_exists, attribute_type, begins_with, contains, key, path, size,
};
use monotable_model::backend::request::{IndexShape, Query};
use monotable_types::{
    AttributeDefinition, AttributeValue, Item, KeySchemaElement, Projection, ScalarType, TypeName,
    item, list, set,
};

use super::subject::{Subject, items, refused, row, shape, texts};

/// Puts ten rows of one partition, and a few in others.
async fn with_games(subject: &Subject) {
    for number in 0..10 {
        let sk = format!("GAME#{number}");
        subject.put(row("TEAM#1", &sk, item! { "number" => number })).await;
    }
    for (pk, sk) in [("TEAM#1", "FIELD"), ("TEAM#1", "HALL"), ("TEAM#2", "GAME#5")] {
        subject.put(row(pk, sk, item! {})).await;
    }
}

pub(super) async fn rows_come_in_the_order_of_the_sort_key(subject: Subject) {
    subject.put_all(["b", "a", "c", "ab", "B", "é"].map(|sk| row("P", sk, item! {}))).await;
    let expected = ["B", "a", "ab", "b", "c", "é"];
    let forward = subject.query_of(key("PK").eq("P"));
    let read = items(subject.query_pages(forward.clone()).await);
    assert_eq!(texts(&read, "SK"), expected);
    let read = items(subject.query_pages(Query { forward: false, ..forward }).await);
    let backward: Vec<&str> = expected.iter().rev().copied().collect();
    assert_eq!(texts(&read, "SK"), backward);
}

pub(super) async fn key_conditions_bound_the_sort_key(subject: Subject) {
    with_games(&subject).await;
    let sk = || key("SK");
    for (condition, expected) in [
        (sk().eq("GAME#3"), vec!["GAME#3"]),
        (sk().lt("GAME#1"), vec!["FIELD", "GAME#0"]),
        (sk().le("GAME#1"), vec!["FIELD", "GAME#0", "GAME#1"]),
        (sk().gt("GAME#8"), vec!["GAME#9", "HALL"]),
        (sk().ge("GAME#9"), vec!["GAME#9", "HALL"]),
        (sk().between("GAME#4", "GAME#6"), vec!["GAME#4", "GAME#5", "GAME#6"]),
        (sk().begins_with("H"), vec!["HALL"]),
        (sk().begins_with("NONE"), vec![]),
    ] {
        let query = subject.query_of(key("PK").eq("TEAM#1").and(condition.clone()));
        let read = items(subject.query_pages(query).await);
        assert_eq!(texts(&read, "SK"), expected, "{condition:?}");
    }
}

pub(super) async fn pages_join_without_gap_or_repetition(subject: Subject) {
    with_games(&subject).await;
    let all = subject.query_of(key("PK").eq("TEAM#1").and(key("SK").begins_with("GAME#")));
    let expected: Vec<String> = (0..10).map(|number| format!("GAME#{number}")).collect();
    for (forward, limit) in [(true, 3), (false, 3), (true, 1), (false, 10), (true, 100)] {
        let query = Query { forward, limit: Some(limit), ..all.clone() };
        let pages = subject.query_pages(query).await;
        assert!(pages.iter().all(|page| page.rows.len() <= limit as usize));
        assert!(pages.iter().all(|page| page.scanned as usize == page.rows.len()));
        // The cost of an empty page is not specified.
        assert!(pages.iter().all(|page| page.units > 0.0 || page.scanned == 0));
        let mut read = texts(&items(pages), "SK");
        if !forward {
            read.reverse();
        }
        assert_eq!(read, expected, "forward: {forward}, limit: {limit}");
    }
}

pub(super) async fn filters_leave_short_pages(subject: Subject) {
    with_games(&subject).await;
    let query = Query {
        filter: Some(path("number").is_in([0, 5, 6])),
        limit: Some(4),
        ..subject.query_of(key("PK").eq("TEAM#1").and(key("SK").begins_with("GAME#")))
    };
    let pages = subject.query_pages(query).await;
    let found: Vec<usize> = pages.iter().map(|page| page.rows.len()).collect();
    let scanned: Vec<u32> = pages.iter().map(|page| page.scanned).collect();
    assert_eq!((found, scanned), (vec![1, 2, 0], vec![4, 4, 2]));
}

pub(super) async fn filters_take_every_condition(subject: Subject) {
    let one = item! {
        "name" => "Ada", "age" => 36, "tags" => set!["x", "y"], "langs" => list!["en", "fr"],
        "home" => AttributeValue::M(item! { "city" => "London", "zip" => "N1" }),
    };
    subject.put(row("P", "1", one)).await;
    subject.put(row("P", "2", item! { "name" => "Bob", "age" => 17, "limit" => 20 })).await;
    subject.put(row("P", "3", item! { "name" => "Cy" })).await;
    let home = || path("home").key("city");
    let conditions: [(Condition, &[&str]); 16] = [
        (path("name").eq("Ada"), &["1"]),
        (path("name").ne("Ada"), &["2", "3"]),
        (path("age").lt(18), &["2"]),
        (path("age").ge(36), &["1"]),
        (path("age").lt(path("limit")), &["2"]),
        (path("age").between(17, 36), &["1", "2"]),
        (path("name").is_in(["Bob", "Cy"]), &["2", "3"]),
        (attribute_exists("age"), &["1", "2"]),
        (!attribute_exists("age"), &["3"]),
        (attribute_type("age", TypeName::N), &["1", "2"]),
        (begins_with("name", "A"), &["1"]),
        (contains("tags", "x").or(contains("name", "y")), &["1", "3"]),
        (contains("langs", "fr").and(path("langs").index(0).eq("en")), &["1"]),
        (size("name").eq(3), &["1", "2"]),
        (home().eq("London").or(path("age").eq(17).and(path("name").eq("Bob"))), &["1", "2"]),
        (!path("age").ge(18).or(path("name").eq("Cy")), &["2"]),
    ];
    for (filter, expected) in conditions {
        let query = Query { filter: Some(filter.clone()), ..subject.query_of(key("PK").eq("P")) };
        let read = items(subject.query_pages(query).await);
        assert_eq!(texts(&read, "SK"), expected, "{filter:?}");
    }
}

/// Three rows of an index, one of them with only half of its key.
async fn with_users(subject: &Subject) -> [Item; 3] {
    let user = |sk: &str, more: Item| row("TEAM#1", sk, more);
    let users = [
        user("PLAYER#1", item! { "GSI1PK" => "USER#1", "GSI1SK" => "PLAYER#1", "name" => "Ada" }),
        user("PLAYER#2", item! { "GSI1PK" => "USER#1", "GSI1SK" => "PLAYER#2", "name" => "Bob" }),
        user("PLAYER#3", item! { "GSI1PK" => "USER#1", "name" => "Cy" }),
    ];
    subject.put_all(users.clone()).await;
    users
}

pub(super) async fn an_index_has_only_the_rows_with_its_keys(subject: Subject) {
    let users = with_users(&subject).await;
    let query = subject.index_query("GSI1", key("GSI1PK").eq("USER#1"));
    assert_eq!(items(subject.query_pages(query.clone()).await), users[..2]);
    let pages =
        subject.query_pages(Query { limit: Some(1), forward: false, ..query.clone() }).await;
    assert!(pages.len() >= 2);
    assert_eq!(texts(&items(pages), "SK"), ["PLAYER#2", "PLAYER#1"]);
    let moved = monotable_expression::Update::new().set("GSI1PK", "USER#2");
    let update = subject.update_of(item! { "PK" => "TEAM#1", "SK" => "PLAYER#1" }, moved);
    subject.backend.write(update).await.unwrap();
    assert_eq!(texts(&items(subject.query_pages(query).await), "SK"), ["PLAYER#2"]);
}

pub(super) async fn an_index_of_keys_has_only_keys(subject: Subject) {
    let team = item! { "league" => "north", "points" => 7, "name" => "Sluggers" };
    subject.put(row("TEAM#1", "METADATA", team)).await;
    let query = subject.index_query("GSI2", key("league").eq("north").and(key("points").gt(5)));
    let expected = row("TEAM#1", "METADATA", item! { "league" => "north", "points" => 7 });
    assert_eq!(items(subject.query_pages(query).await), [expected]);
}

pub(super) async fn a_local_index_can_be_read_consistently(subject: Subject) {
    for (sk, born) in [("1", "1990"), ("2", "1970"), ("3", "1980")] {
        let more = item! { "born" => born, "name" => sk, "other" => true };
        subject.put(row("TEAM#1", sk, more)).await;
    }
    let query = subject.query_of(key("PK").eq("TEAM#1").and(key("born").ge("1980")));
    let query = Query { index: Some("LSI1"), ..query };
    let read = items(subject.query_pages(query).await);
    assert_eq!(texts(&read, "name"), ["3", "1"]);
    assert!(read.iter().all(|item| !item.contains_key("other")));
}

pub(super) async fn a_global_index_can_not_be_read_consistently(subject: Subject) {
    let query = subject.index_query("GSI1", key("GSI1PK").eq("USER#1"));
    refused(subject.backend.query(Query { consistent: true, ..query }).await);
}

pub(super) async fn an_unknown_index_is_refused(subject: Subject) {
    refused(subject.backend.query(subject.index_query("GSI9", key("PK").eq("a"))).await);
}

pub(super) async fn numbers_sort_by_value(subject: Subject) {
    let points = ["-10", "-2.5", "0", "0.001", "2", "10", "1e20"];
    for (position, points) in points.iter().rev().enumerate() {
        let number = AttributeValue::N(points.parse().unwrap());
        let team = item! { "league" => "north", "points" => number };
        subject.put(row("TEAM", &position.to_string(), team)).await;
    }
    let query = subject.index_query("GSI2", key("league").eq("north"));
    let read = items(subject.query_pages(query).await);
    let sorted: Vec<_> = read.iter().map(|item| item["points"].clone()).collect();
    let expected: Vec<_> =
        points.iter().map(|points| AttributeValue::N(points.parse().unwrap())).collect();
    assert_eq!(sorted, expected);
}

pub(super) async fn a_page_ends_at_a_megabyte(subject: Subject) {
    let text = "x".repeat(300 * 1024);
    subject
        .put_all((0..5).map(|sk| row("P", &sk.to_string(), item! { "t" => text.as_str() })))
        .await;
    let pages = subject.query_pages(subject.query_of(key("PK").eq("P"))).await;
    assert!(pages.len() >= 2, "1.5 MB in one page");
    assert!(pages[0].last_key.is_some());
    assert_eq!(texts(&items(pages), "SK"), ["0", "1", "2", "3", "4"]);
}

pub(super) async fn index_keys_can_have_several_attributes(subject: Subject) {
    let string = |name: &str| AttributeDefinition::new(name, ScalarType::S);
    let table = format!("{}-wide", subject.table);
    let wide = monotable_model::backend::request::TableShape {
        indexes: vec![IndexShape {
            name: "WIDE".to_owned(),
            is_local: false,
            key: vec![
                KeySchemaElement::hash("country"),
                KeySchemaElement::hash("city"),
                KeySchemaElement::range("street"),
                KeySchemaElement::range("number"),
            ],
            projection: Projection::All,
        }],
        attributes: vec![
            string("PK"),
            string("SK"),
            string("city"),
            string("country"),
            AttributeDefinition::new("number", ScalarType::N),
            string("street"),
        ],
        ttl_attribute: None,
        ..shape(&table)
    };
    subject.backend.create_table(wide.clone()).await.unwrap();
    assert_eq!(subject.backend.describe_table(&table).await.unwrap(), Some(wide));
    let subject = Subject { table: Arc::from(table), ..subject };
    let house = |sk: &str, street: &str, number: i32| {
        let address = item! {
            "country" => "NZ", "city" => "Nelson", "street" => street, "number" => number,
        };
        row("P", sk, address)
    };
    subject.put_all([house("1", "Low", 9), house("2", "High", 10), house("3", "High", 9)]).await;
    let city = key("country").eq("NZ").and(key("city").eq("Nelson"));
    for (condition, expected) in [
        (city.clone(), vec!["3", "2", "1"]),
        (city.clone().and(key("street").eq("High")), vec!["3", "2"]),
        (city.and(key("street").eq("High")).and(key("number").gt(9)), vec!["2"]),
    ] {
        let read = items(subject.query_pages(subject.index_query("WIDE", condition)).await);
        assert_eq!(texts(&read, "SK"), expected);
    }
}
