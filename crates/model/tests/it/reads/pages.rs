//! Pages are full whatever is dropped on the way, and go both ways.

use super::board::{Board, BoardPage, BoardReads, Post, boards, fill, id, numbers, post};

#[tokio::test]
async fn pages_follow_each_other_to_the_end() {
    let (store, _) = boards().await;
    fill(&store, 25).await;
    let first = store.posts(&id("b")).take(10).page().await.unwrap();
    assert_eq!(numbers(&first.rows), (1..=10).collect::<Vec<_>>());
    assert!(first.previous.is_none() && first.units > 0.0);
    assert_eq!(first.pattern, "posts");
    let second = store.posts(&id("b")).take(10).after(&first.next.unwrap()).page().await.unwrap();
    assert_eq!(numbers(&second.rows), (11..=20).collect::<Vec<_>>());
    let third = store.posts(&id("b")).take(10).after(&second.next.unwrap()).page().await.unwrap();
    assert_eq!(numbers(&third.rows), (21..=25).collect::<Vec<_>>());
    assert!(third.next.is_none());
}

#[tokio::test]
async fn a_page_may_ask_for_everything() {
    let (store, _) = boards().await;
    fill(&store, 60).await;
    let page = store.posts(&id("b")).take(usize::MAX).page().await.unwrap();
    assert_eq!((page.rows.len(), page.next), (60, None));
    let shards = store.all_posts().take(usize::MAX).page().await.unwrap();
    assert_eq!(shards.rows.len(), 60);
}

#[tokio::test]
async fn a_stream_and_a_count_end_at_their_limit() {
    let (store, _) = boards().await;
    fill(&store, 30).await;
    assert_eq!(store.posts(&id("b")).take(5).count().await.unwrap(), 5);
    assert_eq!(store.all_posts().take(5).count().await.unwrap(), 5, "over all shards");
    assert_eq!(store.posts(&id("b")).take(30).count().await.unwrap(), 30);
    assert_eq!(store.posts(&id("b")).take(31).count().await.unwrap(), 30);
    assert_eq!(store.posts(&id("b")).count().await.unwrap(), 30);
    let mut stream = store.newest(&id("b")).take(5).stream();
    let mut rows = Vec::new();
    while let Some(row) = stream.next().await {
        rows.push(row.unwrap());
    }
    assert_eq!(numbers(&rows), [30, 29, 28, 27, 26]);
    let first = store.posts(&id("b")).take(10).page().await.unwrap();
    let rest = store.posts(&id("b")).after(&first.next.unwrap()).take(600);
    assert_eq!(rest.count().await.unwrap(), 20);
}

#[tokio::test]
async fn the_last_full_page_has_no_next() {
    let (store, _) = boards().await;
    fill(&store, 10).await;
    let page = store.posts(&id("b")).take(10).page().await.unwrap();
    assert_eq!((page.rows.len(), page.next), (10, None));
}

#[tokio::test]
async fn going_back_gives_the_same_pages() {
    let (store, _) = boards().await;
    fill(&store, 25).await;
    for newest_first in [false, true] {
        let ask = || {
            if newest_first {
                store.newest(&id("b")).take(10)
            } else {
                store.posts(&id("b")).take(10)
            }
        };
        let first = ask().page().await.unwrap();
        let second = ask().after(&first.next.unwrap()).page().await.unwrap();
        let third = ask().after(&second.next.clone().unwrap()).page().await.unwrap();
        let back = ask().before(&third.previous.unwrap()).page().await.unwrap();
        assert_eq!(back.rows, second.rows);
        let onward = ask().after(&back.next.unwrap()).page().await.unwrap();
        assert_eq!(onward.rows, third.rows);
        let front = ask().before(&back.previous.unwrap()).page().await.unwrap();
        assert_eq!(front.rows, first.rows);
        assert!(front.previous.is_none());
    }
}

#[tokio::test]
async fn a_filter_makes_no_page_short() {
    let (store, _) = boards().await;
    fill(&store, 200).await;
    let page = store.posts_about(&id("b"), "cats").take(15).page().await.unwrap();
    assert_eq!(numbers(&page.rows), (1..=15).map(|n| n * 10).collect::<Vec<_>>());
    let rest = store.posts_about(&id("b"), "cats").take(15).after(&page.next.unwrap());
    let rest = rest.page().await.unwrap();
    assert_eq!(numbers(&rest.rows), [160, 170, 180, 190, 200]);
    assert!(rest.next.is_none());
}

#[tokio::test]
async fn a_budget_ends_a_page_early_and_the_next_one_continues() {
    let (store, _) = boards().await;
    fill(&store, 300).await;
    let mut seen = Vec::new();
    let mut page =
        store.posts_about(&id("b"), "cats").take(30).units_max(1.0).page().await.unwrap();
    assert!(page.rows.len() < 30);
    loop {
        seen.extend(numbers(&page.rows));
        let Some(next) = page.next else { break };
        let ask = store.posts_about(&id("b"), "cats").take(30).units_max(1.0).after(&next);
        page = ask.page().await.unwrap();
    }
    assert_eq!(seen, (1..=30).map(|n| n * 10).collect::<Vec<_>>());
}

#[tokio::test]
async fn several_entities_come_as_one_enum() {
    let (store, _) = boards().await;
    store.create(&Board { board_id: id("b"), title: "B".to_owned() }).await.unwrap();
    fill(&store, 2).await;
    let page = store.board_page(&id("b")).page().await.unwrap();
    let kinds: Vec<&str> = page
        .rows
        .iter()
        .map(|row| match row {
            BoardPage::Board(_) => "board",
            BoardPage::Post(_) => "post",
        })
        .collect();
    assert_eq!(kinds, ["board", "post", "post"]);
}

#[tokio::test]
async fn a_stream_reads_everything_and_a_count_counts_it() {
    let (store, _) = boards().await;
    fill(&store, 1_234).await;
    let mut stream = store.posts(&id("b")).stream();
    let mut seen = Vec::new();
    while let Some(post) = stream.next().await {
        seen.push(post.unwrap().seq);
    }
    assert_eq!(seen, (1..=1_234).collect::<Vec<_>>());
    assert_eq!(store.posts(&id("b")).count().await.unwrap(), 1_234);
    assert_eq!(store.newest(&id("b")).first().await.unwrap().unwrap().seq, 1_234);
    assert_eq!(store.dump().count().await.unwrap(), 1_234);
}

#[tokio::test]
async fn the_first_row_is_found_however_far_away_it_is() {
    let (store, _) = boards().await;
    fill(&store, 1_500).await;
    store.put(&Post { topic: "birds".to_owned(), ..post("b", 1_400) }).await.unwrap();
    let found = store.first_about(&id("b"), "birds").await.unwrap();
    assert_eq!(found.map(|post| post.seq), Some(1_400));
    let response = store.first_about(&id("b"), "birds").response().await.unwrap();
    assert_eq!(response.value.map(|post| post.seq), Some(1_400));
    assert!(response.units > 10.0, "everything before it was read: {}", response.units);
}

#[tokio::test]
async fn a_budget_of_nothing_still_gets_ahead() {
    let (store, _) = boards().await;
    fill(&store, 120).await;
    let cats = store.posts_about(&id("b"), "cats").units_max(0.0);
    assert_eq!(cats.count().await.unwrap(), 12);
}
