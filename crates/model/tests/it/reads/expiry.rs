//! Expired rows are absent from the very second on, swept or not.

use std::collections::BTreeMap;

use monotable_model::Error;
use monotable_model::time::EpochSeconds;
use monotable_types::item;
use proptest::prelude::*;

use super::board::{
    Board, BoardKey, BoardReads, Post, PostKey, START_MS, boards, boards_of_others, id, numbers,
    post, put_raw,
};

fn ending(seq: u32, after_seconds: i64) -> Post {
    let start = i64::try_from(START_MS / 1_000).unwrap();
    Post { ttl: Some(EpochSeconds::new(start + after_seconds)), ..post("b", seq) }
}

#[tokio::test]
async fn a_row_is_gone_in_the_second_of_its_expiry() {
    let (store, clock) = boards().await;
    store.put(&ending(1, 10)).await.unwrap();
    store.put(&post("b", 2)).await.unwrap();
    clock.advance_ms(9_999);
    assert_eq!(store.posts(&id("b")).count().await.unwrap(), 2);
    clock.advance_ms(1);
    assert_eq!(numbers(&store.posts(&id("b")).page().await.unwrap().rows), [2]);
    assert_eq!(store.all_posts().count().await.unwrap(), 1);
    let keys = [PostKey::new(id("b"), 1), PostKey::new(id("b"), 2)];
    let found = store.posts_by_key(&keys).await.unwrap();
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
    let all = store.posts(&id("b")).including_expired().page().await.unwrap();
    assert_eq!(numbers(&all.rows), [1, 2]);
}

#[tokio::test]
async fn only_entities_with_an_expiry_expire() {
    let (store, backend) = boards_of_others().await;
    let row = item! { "pk" => "BOARD#b", "sk" => "METADATA", "board_id" => "b", "title" => "B", "ttl" => 300 };
    put_raw(&backend, row).await;
    let board = Board { board_id: id("b"), title: "B".to_owned() };
    assert_eq!(store.create(&board).await, Err(Error::Exists { entity: "Board" }));
    assert_eq!(store.board(&id("b")).await.unwrap(), Some(board.clone()));
    assert_eq!(store.boards_by_key(&[BoardKey::new(id("b"))]).await.unwrap(), [Some(board)]);
    assert_eq!(store.board_page(&id("b")).count().await.unwrap(), 1);
    assert_eq!(store.dump().count().await.unwrap(), 1);
}

/// One step of a history.
#[derive(Clone, Debug)]
enum Step {
    Put(u32, Option<i64>),
    Delete(u32),
    Wait(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0_u32..20, prop::option::of(0_i64..40)).prop_map(|(seq, ttl)| Step::Put(seq, ttl)),
        1 => (0_u32..20).prop_map(Step::Delete),
        2 => (0_u64..15).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// The table is never swept; the model forgets a row at once.
    #[test]
    fn without_sweeping_it_behaves_as_with_instant_deletion(steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (store, clock) = boards().await;
            let mut model = BTreeMap::new();
            let mut now = 0_i64;
            for step in steps {
                match step {
                    Step::Put(seq, ttl) => {
                        let ttl = ttl.map(|after| now + after);
                        let row = ttl.map_or_else(|| post("b", seq), |at| ending(seq, at));
                        store.put(&row).await.unwrap();
                        model.insert(seq, ttl);
                    }
                    Step::Delete(seq) => {
                        store.delete_by_key(&PostKey::new(id("b"), seq)).await.ok();
                        model.remove(&seq);
                    }
                    Step::Wait(seconds) => {
                        clock.advance_ms(seconds * 1_000);
                        now += i64::try_from(seconds).unwrap();
                    }
                }
                model.retain(|_, ttl| ttl.is_none_or(|at| at > now));
                let expected: Vec<u32> = model.keys().copied().collect();
                let page = store.posts(&id("b")).page().await.unwrap();
                assert_eq!(numbers(&page.rows), expected);
                assert_eq!(store.all_posts().take(30).page().await.unwrap().rows.len(), expected.len());
            }
        });
    }
}
