//! Ranges keep their last bucket and stay within their prefix.

use monotable_model::time::Date;

use super::board::{Board, BoardReads, boards, fill, id, numbers};

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
