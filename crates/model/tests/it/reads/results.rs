//! Complete results, folds, and batches in the order of their keys.

use monotable_engine::Faults;
use monotable_model::codegen::Error;

use super::board::{Board, BoardReads, PostKey, boards, boards_with, fill, id, post};

#[tokio::test]
async fn all_rows_up_to_what_was_declared() {
    let (store, _) = boards().await;
    fill(&store, 5).await;
    assert_eq!(store.few(&id("b")).await.unwrap().len(), 5);
    fill(&store, 6).await;
    let error = store.few(&id("b")).await.unwrap_err();
    assert!(matches!(error, Error::LimitReached { .. }), "{error}");
    assert!(error.to_string().contains("few"), "{error}");
}

#[tokio::test]
async fn a_fold_needs_its_one_row() {
    let (store, _) = boards().await;
    assert!(store.view(&id("b")).await.unwrap().is_none());
    fill(&store, 3).await;
    assert!(store.view(&id("b")).await.unwrap().is_none(), "posts without a board are no view");
    store.create(&Board { board_id: id("b"), title: "B".into() }).await.unwrap();
    let view = store.view(&id("b")).await.unwrap().unwrap();
    assert_eq!((view.board.title.as_str(), view.posts.len()), ("B", 3));
}

#[tokio::test]
async fn one_row_reports_its_cost() {
    let (store, _) = boards().await;
    assert!(store.board(&id("b")).await.unwrap().is_none());
    store.create(&Board { board_id: id("b"), title: "B".into() }).await.unwrap();
    let response = store.board(&id("b")).consistent().response().await.unwrap();
    assert_eq!(response.value.unwrap().title, "B");
    assert_eq!((response.units, response.pattern), (1.0, "board"));
}

#[tokio::test]
async fn complete_results_report_their_cost() {
    let (store, _) = boards().await;
    fill(&store, 4).await;
    store.create(&Board { board_id: id("b"), title: "B".into() }).await.unwrap();
    let few = store.few(&id("b")).response().await.unwrap();
    assert_eq!((few.value.len(), few.units, few.pattern), (5, 0.5, "few"));
    let view = store.view(&id("b")).consistent().response().await.unwrap();
    assert_eq!((view.value.unwrap().posts.len(), view.units, view.pattern), (4, 1.0, "view"));
    let posts = store.posts_by_key(&keys(4)).response().await.unwrap();
    assert_eq!((posts.value.len(), posts.units, posts.pattern), (4, 2.0, "posts_by_key"));
    let moment = store.posts_by_key(&keys(4)).at_one_moment().response().await.unwrap();
    assert_eq!((moment.value, moment.units), (posts.value, 8.0));
    let mut stream = store.posts(&id("b")).stream();
    assert_eq!(stream.units(), 0.0);
    while stream.next().await.is_some() {}
    assert_eq!(stream.units(), 0.5);
}

/// Keys in an order of their own, with repeats and rows that are not there.
fn keys(count: u32) -> Vec<PostKey> {
    (0..count).map(|n| PostKey::new(id("b"), (n * 7) % 40 + 1)).collect()
}

#[tokio::test]
async fn a_batch_is_aligned_with_its_keys() {
    let (store, _) = boards().await;
    fill(&store, 30).await;
    let posts = store.posts_by_key(&keys(250)).await.unwrap();
    for (key, found) in keys(250).iter().zip(posts) {
        let expected = (key.seq <= 30).then(|| post("b", key.seq));
        assert_eq!(found, expected);
    }
    assert!(store.posts_by_key(&[]).await.unwrap().is_empty());
    let few = store.posts_by_key(&keys(20)).at_one_moment().await.unwrap();
    assert_eq!(few.len(), 20);
}

#[tokio::test]
async fn a_batch_is_complete_although_some_of_it_was_left_over() {
    let (store, _) = boards_with(|options| {
        options.faults = Faults { unprocessed_share: 0.3, ..Faults::default() };
    })
    .await;
    fill(&store, 30).await;
    let posts = store.posts_by_key(&keys(100)).await.unwrap();
    assert_eq!(
        posts.iter().flatten().count(),
        keys(100).iter().filter(|key| key.seq <= 30).count()
    );
}
