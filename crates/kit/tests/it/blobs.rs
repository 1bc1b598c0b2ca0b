//! Blobs in memory and in directories: what each store must do, links to blobs, and orphans.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use monotable::model::time::Timestamp;
use monotable_kit::blobs::{BlobKey, BlobStore, Blobs, DirectoryBlobs, LinkError, MemoryBlobs};
use monotable_kit::{BoxFuture, Problem};

const KEY: [u8; 32] = [3; 32];
const HOUR: Duration = Duration::from_secs(60 * 60);

fn now() -> Timestamp {
    "2026-06-01T09:30:00Z".parse().unwrap()
}

fn key(text: &str) -> BlobKey {
    text.parse().unwrap()
}

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Lists everything below a segment, page by page.
async fn listed(store: &dyn BlobStore, segment: &str) -> Vec<(String, Timestamp)> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = store.list(segment, after.as_ref()).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.key.clone());
        all.extend(page.into_iter().map(|blob| (blob.key.to_string(), blob.stored_at)));
    }
    all.sort();
    all
}

/// What every store must do.
async fn check_store(store: &dyn BlobStore) {
    let (one, other) = (key("shop/a/b/1.jpg"), key("shop/a/b-2"));
    assert_eq!(store.get(&one).await.unwrap(), None);
    store.delete(&one).await.unwrap();
    store.put(&one, Bytes::from_static(b"first"), now()).await.unwrap();
    store.put(&one, Bytes::from_static(b""), now() + HOUR).await.unwrap();
    store.put(&other, Bytes::from_static(b"\0\xff"), now()).await.unwrap();
    store.put(&key("shops/a"), Bytes::from_static(b"x"), now()).await.unwrap();
    assert_eq!(store.get(&one).await.unwrap().as_deref(), Some(&b""[..]));
    assert_eq!(store.get(&other).await.unwrap().as_deref(), Some(&b"\0\xff"[..]));
    assert_eq!(store.get(&key("shop/a")).await.unwrap(), None);
    assert_eq!(store.get(&key("shop/a/b-2/c")).await.unwrap(), None);
    let expected = [("shop/a/b-2", now()), ("shop/a/b/1.jpg", now() + HOUR)];
    assert_eq!(listed(store, "shop").await, expected.map(|(key, at)| (key.to_owned(), at)));
    store.delete(&one).await.unwrap();
    assert_eq!(store.get(&one).await.unwrap(), None);
    assert_eq!(listed(store, "shop").await.len(), 1);
    store.delete(&key("shop/a/b-2/c")).await.unwrap();
    store.delete(&other).await.unwrap();
    assert_eq!(listed(store, "shop").await, []);
    assert_eq!(listed(store, "none").await, []);
}

/// Checks lists of more than one page, in directories of all kinds. `put` stores an empty blob.
async fn check_lists(store: &dyn BlobStore, put: impl AsyncFn(&str)) {
    let mut keys: Vec<String> =
        (0..2_500).map(|at| format!("shop/{}/{}/x.{at}", at % 7, at % 3)).collect();
    keys.extend(["shop/0-a/1", "shop/00/1"].map(str::to_owned));
    for text in &keys {
        put(text).await;
    }
    keys.sort();
    let found: Vec<String> = listed(store, "shop").await.into_iter().map(|(key, _)| key).collect();
    assert_eq!(found, keys);
}

#[test]
fn a_steady_link_is_the_same_for_half_an_hour() {
    let blobs = Blobs::new(Arc::new(MemoryBlobs::default()), "shop", &KEY);
    let (picture, minute) = (key("a/1.jpg"), Duration::from_secs(60));
    let link = blobs.steady_link(&picture, now());
    assert_eq!(blobs.steady_link(&picture, now() + 30 * minute - Duration::from_millis(1)), link);
    assert_ne!(blobs.steady_link(&picture, now() + 30 * minute), link);
    assert_ne!(blobs.steady_link(&key("a/2.jpg"), now()), link);
    assert_eq!(blobs.open_link(&link, now() + 59 * minute), Ok(picture));
    assert_eq!(blobs.open_link(&link, now() + HOUR), Err(LinkError::Expired));
}

#[tokio::test]
async fn a_store_in_memory_does_what_every_store_must() {
    let store = MemoryBlobs::default();
    check_store(&store).await;
    let put = async |text: &str| store.put(&key(text), Bytes::new(), now()).await.unwrap();
    check_lists(&store, put).await;
    let copy = store.copy();
    store.delete(&store.keys()[0]).await.unwrap();
    assert_eq!(copy.keys().len(), store.keys().len() + 1);
}

#[tokio::test]
async fn a_store_in_a_directory_does_what_every_store_must() {
    let directory = directory();
    let root = directory.path().join("new/blobs");
    let store = DirectoryBlobs::open(&root).unwrap();
    check_store(&store).await;
    // Not through the store, which waits for the disk each time.
    let put = async |text: &str| {
        let path = root.join(text);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, b"").unwrap();
    };
    check_lists(&store, put).await;
    let again = DirectoryBlobs::open(&root).unwrap();
    assert_eq!(listed(&again, "shop").await.len(), 2_502);
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn only_the_owner_can_read_files() {
    let directory = directory();
    let root = directory.path().join("blobs");
    let store = DirectoryBlobs::open(&root).unwrap();
    store.put(&key("shop/a/1.jpg"), Bytes::from_static(b"x"), now()).await.unwrap();
    assert_eq!(mode(&root.join("shop/a/1.jpg")), 0o600);
    for path in ["", "shop", "shop/a"] {
        assert_eq!(mode(&root.join(path)), 0o700, "{path}");
    }
    store.delete(&key("shop/a/1.jpg")).await.unwrap();
    // Nothing is left of it, not even a directory.
    assert_eq!(std::fs::read_dir(&root).unwrap().count(), 1, "the drafts");
}

#[tokio::test]
async fn drafts_are_no_blobs_and_go_when_they_are_old() {
    let directory = directory();
    let store = DirectoryBlobs::open(directory.path()).unwrap();
    store.put(&key("shop/1"), Bytes::from_static(b"x"), now()).await.unwrap();
    let draft = directory.path().join(".drafts/0123");
    std::fs::write(&draft, b"half a photo").unwrap();
    DirectoryBlobs::open(directory.path()).unwrap();
    assert!(draft.exists(), "another process may be writing it");
    let old = std::time::SystemTime::now() - 25 * HOUR;
    std::fs::File::open(&draft).unwrap().set_modified(old).unwrap();
    let store_again = DirectoryBlobs::open(directory.path()).unwrap();
    assert!(!draft.exists());
    assert_eq!(listed(&store_again, "shop").await.len(), 1);
    assert!(".drafts".parse::<BlobKey>().is_err());
}

#[tokio::test]
async fn a_blob_that_can_not_be_written_is_an_error_without_its_name() {
    let directory = directory();
    let store = DirectoryBlobs::open(directory.path()).unwrap();
    store.put(&key("shop/secret-name"), Bytes::from_static(b"x"), now()).await.unwrap();
    // A directory is needed where a file is.
    let error = store.put(&key("shop/secret-name/1"), Bytes::new(), now()).await.unwrap_err();
    assert!(!error.to_string().contains("secret"), "{error}");
    assert_eq!(std::fs::read_dir(directory.path().join(".drafts")).unwrap().count(), 0);
    let blobs = Blobs::new(Arc::new(store), "shop", &KEY);
    let problem = blobs.put(&key("secret-name/1"), Bytes::new(), now()).await.unwrap_err();
    assert_eq!((problem.status(), problem.retry_after_seconds), (503, Some(1)));
    assert!(!problem.message.contains("secret"));
}

#[tokio::test]
async fn links_of_the_file_system_are_neither_listed_nor_followed_by_deletion() {
    let (directory, elsewhere) = (directory(), directory());
    let store = DirectoryBlobs::open(directory.path()).unwrap();
    std::fs::write(elsewhere.path().join("1"), b"x").unwrap();
    std::fs::create_dir(directory.path().join("shop")).unwrap();
    symlink(elsewhere.path(), directory.path().join("shop/link")).unwrap();
    assert_eq!(listed(&store, "shop").await, []);
    store.delete(&key("shop/link")).await.unwrap();
    assert!(elsewhere.path().join("1").exists());
}

#[test]
fn many_processes_write_and_delete_in_one_directory() {
    let directory = directory();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let mut tasks = tokio::task::JoinSet::new();
        for task in 0..8 {
            let store = DirectoryBlobs::open(directory.path()).unwrap();
            tasks.spawn(async move {
                for round in 0..20 {
                    let key = key(&format!("shop/a/b/{task}"));
                    let bytes = Bytes::from(vec![task; 100 + round]);
                    store.put(&key, bytes.clone(), now()).await.unwrap();
                    assert_eq!(store.get(&key).await.unwrap(), Some(bytes));
                    store.delete(&key).await.unwrap();
                }
            });
        }
        while let Some(done) = tasks.join_next().await {
            done.unwrap();
        }
    });
}

#[tokio::test]
async fn services_do_not_see_blobs_of_others() {
    let store = MemoryBlobs::default();
    let (shop, club) = (
        Blobs::new(Arc::new(store.clone()), "shop", &KEY),
        Blobs::new(Arc::new(store.clone()), "club", &KEY),
    );
    shop.put(&key("a/1"), Bytes::from_static(b"x"), now()).await.unwrap();
    assert_eq!(store.keys(), [key("shop/a/1")]);
    assert_eq!(shop.get(&key("a/1")).await.unwrap().as_deref(), Some(&b"x"[..]));
    assert_eq!(club.get(&key("a/1")).await.unwrap(), None);
    let link = shop.link(&key("a/1"), now());
    assert_eq!(club.open_link(&link, now()), Err(LinkError::Unknown));
}

#[test]
fn a_link_opens_one_blob_for_an_hour() {
    let blobs = Blobs::new(Arc::new(MemoryBlobs::default()), "shop", &KEY);
    let link = blobs.link(&key("team-7/level-9/1.jpg"), now());
    assert!(link.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
    assert!(!link.contains("team") && !link.contains("level"));
    let opened = |link: &str, at: Timestamp| blobs.open_link(link, at);
    let second = Duration::from_secs(1);
    for at in [now(), now() + (HOUR - second)] {
        assert_eq!(opened(&link, at), Ok(key("team-7/level-9/1.jpg")));
    }
    for at in [now() + HOUR, now() + HOUR + second, now() + 1_000 * HOUR] {
        assert_eq!(opened(&link, at), Err(LinkError::Expired));
    }
    // Another key of the server, and every text in which one character differs.
    let other = Blobs::new(Arc::new(MemoryBlobs::default()), "shop", &[4; 32]);
    assert_eq!(other.open_link(&link, now()), Err(LinkError::Unknown));
    for at in 0..link.len() {
        let mut forged = link.clone().into_bytes();
        forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
        let forged = String::from_utf8(forged).unwrap();
        // The last character may have bits that mean nothing, and must be 0.
        assert_eq!(opened(&forged, now()), Err(LinkError::Unknown), "{at}");
    }
    for forged in ["", "a", "..", &link[1..], &format!("{link}A"), &"A".repeat(link.len())] {
        assert_eq!(opened(forged, now()), Err(LinkError::Unknown), "{forged}");
    }
}

#[tokio::test]
async fn orphans_go_after_a_day_and_nothing_else_does() {
    let store = MemoryBlobs::default();
    let blobs = Blobs::new(Arc::new(store.clone()), "shop", &KEY);
    let other = Blobs::new(Arc::new(store.clone()), "club", &KEY);
    for at in 0..250 {
        blobs.put(&key(&format!("a/{at}")), Bytes::new(), now()).await.unwrap();
    }
    blobs.put(&key("new"), Bytes::new(), now() + HOUR).await.unwrap();
    other.put(&key("a/1"), Bytes::new(), now()).await.unwrap();
    let is_named = |key: BlobKey| -> BoxFuture<'static, bool> {
        Box::pin(async move { Ok(key.as_str().ends_with('7')) })
    };
    let day = now() + 24 * HOUR;
    let second = Duration::from_secs(1);
    assert_eq!(blobs.collect_orphans(day - second, is_named).await.unwrap(), 0);
    assert_eq!(blobs.collect_orphans(day, is_named).await.unwrap(), 225);
    assert_eq!(store.keys().len(), 25 + 2);
    let unknown = |_| -> BoxFuture<'static, bool> {
        Box::pin(async { Err(Problem::internal("the table is away")) })
    };
    assert!(blobs.collect_orphans(day, unknown).await.is_err());
    assert_eq!(store.keys().len(), 25 + 2);
}
