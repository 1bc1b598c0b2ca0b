//! Reads that the backend throttles: they wait and are sent again.

use std::time::Duration;

use monotable_model::backend::BackendError;
use monotable_model::codegen::{Error, Store};
use monotable_model::rows::LogKey as _;

use super::board::{Board, BoardKey, BoardReads, Boards, Post, PostKey, fill, id};
use crate::rows::keys::{MatchLog, Setting, record, tokens};
use crate::writes::scripted::{Scripted, scripted_for};

fn throttled(times: usize) -> Vec<BackendError> {
    vec![BackendError::Throttled("too much".to_owned()); times]
}

/// Waits of about 100, 200 and 400 ms.
pub(crate) fn is_back_off(pauses: &[Duration]) -> bool {
    let longest = [100, 200, 400].map(Duration::from_millis);
    let is_near = |(pause, longest): (&Duration, Duration)| (longest / 2..=longest).contains(pause);
    pauses.len() == longest.len() && pauses.iter().zip(longest).all(is_near)
}

/// Returns every way to read something.
async fn read(store: &Store<Boards>, way: usize) -> Option<Result<(), Error>> {
    let (b, key) = (id("b"), [PostKey::new(id("b"), 1)]);
    Some(match way {
        0 => store.board(&b).await.map(drop),
        1 => store.posts_by_key(&key).await.map(drop),
        2 => store.posts_by_key(&key).at_one_moment().await.map(drop),
        3 => store.posts(&b).page().await.map(drop),
        4 => store.all_posts().count().await.map(drop),
        5 => store.few(&b).await.map(drop),
        6 => store.first_about(&b, "x").await.map(drop),
        7 => store.dump().page().await.map(drop),
        8 => store.backfill::<Post>(None, 10).await.map(drop),
        9 => store.run(tokens("c").value()).await.map(drop),
        10 => store.run(record::<u8>("c", "r").read()).await.map(drop),
        11 => store.run(Setting::records::<u8>(&"c".to_owned())).await.map(drop),
        12 => store
            .run(MatchLog { match_id: "l".to_owned() }.log::<u8, u8>().read(0, 9))
            .await
            .map(drop),
        13 => store.verify_table().await,
        14 => store.verify(&Board { board_id: b, title: "B".into() }).await.map(drop),
        15 => store.delete_by_key(&BoardKey::new(b)).await.map(drop),
        _ => return None,
    })
}

async fn boards() -> (Store<Boards>, Scripted) {
    let (store, backend) = scripted_for::<Boards>().await;
    fill(&store, 3).await;
    store.create(&Board { board_id: id("b"), title: "B".into() }).await.unwrap();
    (store, backend)
}

#[tokio::test]
async fn every_read_that_is_throttled_waits_and_is_sent_again() {
    for way in 0.. {
        let (store, backend) = boards().await;
        backend.then_reads(throttled(3));
        match read(&store, way).await {
            None => break,
            Some(Err(error)) => panic!("{way}: {error}"),
            Some(Ok(())) if backend.reads_left() == 3 => assert_eq!(way, 15, "it reads nothing"),
            Some(Ok(())) => {
                let pauses = backend.take_pauses();
                // Shards are read side by side, so that each waits for itself.
                assert!(way == 4 || is_back_off(&pauses), "{way}: {pauses:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_read_fails_after_three_retries() {
    for way in 0..15 {
        let (store, backend) = boards().await;
        backend.then_reads(throttled(100));
        let error = read(&store, way).await.unwrap().unwrap_err();
        assert!(matches!(error, Error::Backend(BackendError::Throttled(_))), "{way}: {error}");
        assert!(way == 4 || is_back_off(&backend.take_pauses()), "{way}");
    }
}

#[tokio::test]
async fn a_read_that_failed_for_good_is_not_sent_again() {
    let (store, backend) = boards().await;
    backend.then_reads([BackendError::Failed("gone".to_owned())]);
    let error = store.board(&id("b")).await.unwrap_err();
    assert!(matches!(error, Error::Backend(BackendError::Failed(_))), "{error}");
    assert!(backend.take_pauses().is_empty());
}
