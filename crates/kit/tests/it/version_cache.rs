//! Values that are kept as long as a row has the version that they were read at.

use std::sync::Arc;
use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable_kit::VersionCache;

fn at(second: u32) -> Timestamp {
    format!("2026-05-01T12:00:{second:02}Z").parse().unwrap()
}

fn cache(entries_max: usize) -> VersionCache<&'static str, Vec<u32>> {
    VersionCache::new(entries_max, Duration::from_secs(5))
}

#[test]
fn a_value_is_found_at_its_version_until_it_is_too_old() {
    let cache = cache(8);
    cache.keep("g1", 3, Arc::new(vec![1, 2]), at(0));
    assert_eq!(cache.find(&"g1", 3, at(4)).as_deref(), Some(&vec![1, 2]));
    assert_eq!(cache.find(&"g1", 3, at(5)), None);
    assert_eq!(cache.find(&"g1", 2, at(0)), None);
    assert_eq!(cache.find(&"g2", 3, at(0)), None);
}

#[test]
fn an_older_version_does_not_replace_a_newer_one_and_no_version_is_none() {
    let cache = cache(8);
    cache.keep("g1", 3, Arc::new(vec![3]), at(0));
    cache.keep("g1", 2, Arc::new(vec![2]), at(1));
    assert_eq!(cache.find(&"g1", 3, at(1)).as_deref(), Some(&vec![3]));
    cache.keep("g2", 0, Arc::new(vec![0]), at(1));
    assert_eq!(cache.find(&"g2", 0, at(1)), None);
}

#[test]
fn a_change_moves_the_value_on_and_leaves_readers_what_they_have() {
    let cache = cache(8);
    cache.keep("g1", 3, Arc::new(vec![1]), at(0));
    let read = cache.find(&"g1", 3, at(0)).unwrap();
    cache.advance(&"g1", 3, |plays| plays.push(2));
    assert_eq!(*read, [1]);
    assert_eq!(cache.find(&"g1", 4, at(0)).as_deref(), Some(&vec![1, 2]));
    // A change of another version is none of this value.
    cache.advance(&"g1", 3, |plays| plays.push(9));
    assert_eq!(cache.find(&"g1", 4, at(0)).as_deref(), Some(&vec![1, 2]));
}

#[test]
fn what_was_not_used_for_longest_goes_first() {
    let cache = cache(2);
    for subject in ["a", "b"] {
        cache.keep(subject, 1, Arc::new(Vec::new()), at(0));
        assert!(cache.find(&subject, 1, at(0)).is_some());
    }
    assert!(cache.find(&"a", 1, at(0)).is_some());
    cache.keep("c", 1, Arc::new(Vec::new()), at(0));
    let known = ["a", "b", "c"].map(|subject| cache.find(&subject, 1, at(0)).is_some());
    assert_eq!(known, [true, false, true]);
}

#[tokio::test]
async fn what_is_read_is_kept_if_the_version_is_still_the_same() {
    let cache = cache(8);
    let read = async |version, value: u32, version_after: u64| {
        let value = async move { Ok::<_, ()>(vec![value]) };
        let version_after = async move { Ok(Some(version_after)) };
        cache.read(&"g1", version, at(0), value, version_after).await.unwrap()[0]
    };
    assert_eq!(read(1, 10, 2).await, 10);
    assert_eq!(read(1, 11, 1).await, 11);
    assert_eq!(read(1, 12, 1).await, 11);
    assert_eq!(read(2, 13, 2).await, 13);
}
