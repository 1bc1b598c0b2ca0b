//! Filters by value and by presence.

use monotable_types::{AttributeValue, Item, item};

use super::board::{BoardReads, boards_of_others, fill, id, numbers, put_raw};

#[tokio::test]
async fn rows_are_kept_by_whether_they_have_an_attribute() {
    let (store, _) = boards_of_others().await;
    fill(&store, 40).await;
    let unanswered = store.unanswered(&id("b")).take(10).page().await.unwrap();
    assert_eq!(numbers(&unanswered.rows), [1, 2, 3, 5, 6, 7, 9, 10, 11, 13]);
    let answered = store.answered(&id("b"), "cats").page().await.unwrap();
    assert_eq!(numbers(&answered.rows), [20, 40]);
}

/// Returns a post of another program, with more attributes.
fn post_of_others(sequence: u32, more: Item) -> Item {
    let mut row = item! {
        "pk" => "BOARD#b", "sk" => format!("POST#{sequence:05}"), "board_id" => "b",
        "seq" => sequence, "author" => "ada", "day" => "2026-12-30", "topic" => "cats",
    };
    row.extend(more);
    row
}

#[tokio::test]
async fn an_attribute_that_is_null_is_absent() {
    let (store, backend) = boards_of_others().await;
    fill(&store, 2).await;
    put_raw(&backend, post_of_others(3, item! { "answer" => AttributeValue::Null })).await;
    let unanswered = store.unanswered(&id("b")).page().await.unwrap();
    assert_eq!(numbers(&unanswered.rows), [1, 2, 3]);
    assert_eq!(store.answered(&id("b"), "cats").count().await.unwrap(), 0);
}

#[tokio::test]
async fn an_attribute_is_known_by_the_name_it_had_before() {
    let (store, backend) = boards_of_others().await;
    put_raw(&backend, post_of_others(1, item! { "reply" => "yes" })).await;
    put_raw(&backend, post_of_others(2, item! { "reply" => "yes", "answer" => "no" })).await;
    put_raw(&backend, post_of_others(3, item! { "answer" => "yes" })).await;
    put_raw(&backend, post_of_others(4, item! {})).await;
    let so = |answer| store.answered_so(&id("b"), answer);
    assert_eq!(numbers(&so("yes").page().await.unwrap().rows), [1, 3]);
    assert_eq!(numbers(&so("no").page().await.unwrap().rows), [2]);
    let answered = store.answered(&id("b"), "cats").page().await.unwrap();
    assert_eq!(numbers(&answered.rows), [1, 2, 3]);
    assert_eq!(numbers(&store.unanswered(&id("b")).page().await.unwrap().rows), [4]);
}
