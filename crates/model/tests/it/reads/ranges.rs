//! Ranges keep their last bucket and stay within their prefix.

use monotable_model::Error;
use monotable_model::key::KeyError;
use monotable_model::time::Date;

use super::board::{Board, BoardReads, Tag, boards, fill, id, numbers};

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_range_of_days_includes_the_last_day() {
    let (store, _) = boards().await;
    fill(&store, 9).await;
    // 1, 4, 7 are on the 31st; 2, 5, 8 on New Year; 3, 6, 9 on the 30th.
    let ada = id("ada");
    let between = store.posts_between(&ada, day("2026-12-30"), day("2026-12-31"));
    assert_eq!(numbers(&between.page().await.unwrap().rows), [3, 6, 9, 1, 4, 7]);
    let since = store.posts_since(&ada, day("2026-12-31")).page().await.unwrap();
    assert_eq!(numbers(&since.rows), [1, 4, 7, 2, 5, 8]);
    let until = store.posts_until(&ada, day("2026-12-31")).page().await.unwrap();
    assert_eq!(numbers(&until.rows), [3, 6, 9, 1, 4, 7]);
    let empty = store.posts_between(&ada, day("2026-12-31"), day("2026-12-30"));
    assert_eq!(empty.count().await.unwrap(), 0);
}

#[tokio::test]
async fn open_ranges_stay_within_their_prefix() {
    let (store, _) = boards().await;
    store
        .create(&Board { board_id: id("b"), title: "sorts before the posts".into() })
        .await
        .unwrap();
    fill(&store, 9).await;
    let b = id("b");
    assert_eq!(numbers(&store.posts_from(&b, 7).page().await.unwrap().rows), [7, 8, 9]);
    assert_eq!(numbers(&store.posts_after(&b, 7).page().await.unwrap().rows), [8, 9]);
    let before = store.posts_before(&b, 3).page().await.unwrap();
    assert_eq!((numbers(&before.rows), before.skipped), (vec![1, 2], 0));
    assert_eq!(store.posts_before(&b, 0).count().await.unwrap(), 0);
    assert_eq!(store.posts_after(&b, 99_999).count().await.unwrap(), 0);
}

fn tag(name: &str) -> Tag {
    Tag { board_id: id("b"), name: name.to_owned() }
}

#[tokio::test]
async fn an_empty_beginning_is_that_of_all() {
    let (store, _) = boards().await;
    for name in ["cat", "cow", "dog"] {
        store.create(&tag(name)).await.unwrap();
    }
    let like = |prefix: &'static str| store.tags_like(&id("b"), prefix);
    assert_eq!(like("c").page().await.unwrap().rows, [tag("cat"), tag("cow")]);
    let all = like("").take(2).page().await.unwrap();
    assert_eq!(all.rows, [tag("cat"), tag("cow")]);
    let rest = like("").after(&all.next.unwrap()).page().await.unwrap();
    assert_eq!(rest.rows, [tag("dog")]);
}

#[tokio::test]
async fn nothing_sorts_after_the_end_of_a_range() {
    let (store, _) = boards().await;
    let greatest = "\u{10FFFE}\u{10FFFE}";
    store.create(&tag("cat")).await.unwrap();
    store.create(&tag(greatest)).await.unwrap();
    let from = store.tags_from(&id("b"), "b").page().await.unwrap();
    assert_eq!(from.rows, [tag("cat"), tag(greatest)]);
    let refused = store.create(&tag("\u{10FFFF}x")).await;
    let error = KeyError::Character { text: "\u{10FFFF}x".to_owned(), character: char::MAX };
    assert_eq!(refused, Err(Error::Key { entity: "Tag", error }));
}
