//! Filters by value and by presence.

use monotable_types::{AttributeValue, item};

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

#[tokio::test]
async fn an_attribute_that_is_null_is_absent() {
    let (store, backend) = boards_of_others().await;
    fill(&store, 2).await;
    let row = item! {
        "pk" => "BOARD#b", "sk" => "POST#00003", "board_id" => "b", "seq" => 3, "author" => "ada",
        "day" => "2026-12-30", "topic" => "cats", "answer" => AttributeValue::Null,
    };
    put_raw(&backend, row).await;
    let unanswered = store.unanswered(&id("b")).page().await.unwrap();
    assert_eq!(numbers(&unanswered.rows), [1, 2, 3]);
    assert_eq!(store.answered(&id("b"), "cats").count().await.unwrap(), 0);
}
