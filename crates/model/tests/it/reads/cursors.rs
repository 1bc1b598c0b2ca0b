//! Cursors can't be made up, altered, kept for ever, or taken to another query.

use monotable_model::Cursor;
use monotable_model::codegen::Error;

use super::board::{BoardReads, boards, fill, id};

fn is_invalid<T>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::InvalidCursor))
}

#[tokio::test]
async fn every_altered_character_is_noticed() {
    let (store, _) = boards().await;
    fill(&store, 5).await;
    let next = store.posts(&id("b")).take(2).page().await.unwrap().next.unwrap().to_string();
    for position in 0..next.len() {
        let mut bytes = next.clone().into_bytes();
        bytes[position] = if bytes[position] == b'A' { b'B' } else { b'A' };
        let forged: Cursor = String::from_utf8(bytes).unwrap().parse().unwrap();
        let page = store.posts(&id("b")).take(2).after(&forged).page().await;
        assert!(is_invalid(page), "character {position} was changed");
    }
    for cut in 0..next.len() {
        let cut: Cursor = next[..cut].parse().unwrap();
        assert!(is_invalid(store.posts(&id("b")).after(&cut).page().await));
    }
}

#[tokio::test]
async fn a_cursor_belongs_to_its_pattern_arguments_filter_and_way() {
    let (store, _) = boards().await;
    fill(&store, 30).await;
    let first = store.posts(&id("b")).take(2).page().await.unwrap();
    let next = first.next.unwrap();
    assert!(is_invalid(store.posts(&id("other")).after(&next).page().await));
    assert!(is_invalid(store.newest(&id("b")).after(&next).page().await));
    assert!(is_invalid(store.posts_from(&id("b"), 0).after(&next).page().await));
    assert!(is_invalid(store.posts_about(&id("b"), "cats").after(&next).page().await));
    assert!(is_invalid(store.posts(&id("b")).before(&next).page().await));
    let cats = store.posts_about(&id("b"), "cats").take(1).page().await.unwrap().next.unwrap();
    assert!(is_invalid(store.posts_about(&id("b"), "dogs").after(&cats).page().await));
    assert!(store.posts(&id("b")).take(20).after(&next).page().await.is_ok());
}

#[tokio::test]
async fn a_cursor_of_another_table_is_refused() {
    let (store, _) = boards().await;
    let (other, _) = boards().await;
    fill(&store, 5).await;
    fill(&other, 5).await;
    let next = store.posts(&id("b")).take(2).page().await.unwrap().next.unwrap();
    assert!(is_invalid(other.posts(&id("b")).after(&next).page().await), "another key signs there");
}

#[tokio::test]
async fn a_cursor_lasts_a_day() {
    let (store, clock) = boards().await;
    fill(&store, 5).await;
    let next = store.posts(&id("b")).take(2).page().await.unwrap().next.unwrap();
    clock.advance_ms(24 * 3_600_000 - 1_000);
    assert!(store.posts(&id("b")).after(&next).page().await.is_ok());
    clock.advance_ms(1_000);
    assert!(is_invalid(store.posts(&id("b")).after(&next).page().await));
}

#[tokio::test]
async fn a_cursor_outlives_its_row() {
    let (store, _) = boards().await;
    fill(&store, 5).await;
    let page = store.posts(&id("b")).take(2).page().await.unwrap();
    store.delete(&page.rows[1]).await.unwrap();
    let rest = store.posts(&id("b")).after(&page.next.unwrap()).page().await.unwrap();
    assert_eq!(rest.rows.len(), 3);
}
