//! A partition that is spread is read as one, in order, both ways.

use proptest::prelude::*;

use super::board::{BoardReads, boards, numbers, post};

/// Reads all posts page by page, and back again.
async fn both_ways(sequence: &[u32], take: usize, newest_first: bool) {
    let (store, _) = boards().await;
    for seq in sequence {
        store.put(&post("b", *seq)).await.unwrap();
    }
    let mut expected = sequence.to_vec();
    expected.sort_unstable();
    expected.dedup();
    if newest_first {
        expected.reverse();
    }
    let ask =
        || if newest_first { store.all_newest().take(take) } else { store.all_posts().take(take) };
    let mut pages = vec![ask().page().await.unwrap()];
    while let Some(next) = pages[pages.len() - 1].next.clone() {
        pages.push(ask().after(&next).page().await.unwrap());
    }
    let seen: Vec<u32> = pages.iter().flat_map(|page| numbers(&page.rows)).collect();
    assert_eq!(seen, expected);
    assert!(
        pages.iter().rev().skip(1).all(|page| page.rows.len() == take),
        "only the last is short"
    );
    let mut page = pages.pop().unwrap();
    for expected in pages.iter().rev() {
        page = ask().before(&page.previous.unwrap()).page().await.unwrap();
        assert_eq!(page.rows, expected.rows);
    }
    assert!(page.previous.is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn shards_read_as_one(
        sequence in prop::collection::vec(0_u32..60, 0..40),
        take in 1_usize..12,
        newest_first: bool,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(both_ways(&sequence, take, newest_first));
    }
}
