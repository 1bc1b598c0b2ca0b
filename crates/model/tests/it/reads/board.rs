//! The table of the reading tests: posts on boards, in one partition, in an index, and spread.

use std::sync::Arc;

use monotable_engine::{ManualClock, Options};
use monotable_model::backend::request::{Action, Returns, Write};
use monotable_model::backend::{Backend as _, Embedded};
use monotable_model::codegen::{All, Fold, Many, One, Rows, Store};
use monotable_model::time::{Date, EpochSeconds};
use monotable_model_derive::{Aggregate, Entity, Id, access_patterns, table};
use monotable_types::Item;
use serde::{Deserialize, Serialize};

use crate::rows::keys::{MatchLog, Setting, Tokens};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BoardId(String);

/// A board.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "BOARD#{board_id}", sk = "METADATA")]
pub struct Board {
    pub board_id: BoardId,
    pub title: String,
}

/// A post, which may end by itself.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W01, because = "tests load posts in batches"))]
#[key(pk = "BOARD#{board_id}", sk = "POST#{seq:05}")]
#[index(
    GSI1:
    pk = "AUTHOR#{author}",
    sk = "{day}#{seq:05}",
    allow(K03, because = "only posts have authors")
)]
#[index(
    GSI2:
    pk = "ALL#{shard}",
    sk = "{seq:05}#{board_id}",
    shards = 4,
    by = seq,
    allow(K03, because = "only posts are in ALL")
)]
#[entity(allow(K05, because = "tests have few posts"))]
pub struct Post {
    pub board_id: BoardId,
    #[immutable]
    pub seq: u32,
    pub author: BoardId,
    pub day: Date,
    pub topic: String,
    #[serde(alias = "reply")]
    pub answer: Option<String>,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// A word that posts of a board are found by.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TAGS#{board_id}", sk = "NAME#{name}")]
pub struct Tag {
    pub board_id: BoardId,
    #[immutable]
    pub name: String,
}

/// A board with its posts.
#[derive(Aggregate, Clone, Debug, PartialEq)]
pub struct BoardView {
    pub board: Board,
    pub posts: Vec<Post>,
}

table! {
    /// Boards and posts.
    pub Boards {
        name = "boards";
        key(pk, sk);
        type_attribute = none;
        index GSI1(g1pk, g1sk);
        index GSI2(g2pk, g2sk);
        ttl = ttl;
        entities(Board, Post, Tag);
        rules(Tokens, Setting, MatchLog);
        patterns(BoardReads);
    }
}

/// The access patterns.
#[access_patterns(Boards)]
pub trait BoardReads {
    /// A board.
    #[get(pk = "BOARD#{board_id}", sk = "METADATA")]
    fn board(&self, board_id: &BoardId) -> One<Board>;
    /// A board's posts.
    #[query(pk = "BOARD#{board_id}", sk = begins_with("POST#"))]
    fn posts(&self, board_id: &BoardId) -> Rows<Post>;
    /// A board's posts, newest first.
    #[query(pk = "BOARD#{board_id}", sk = begins_with("POST#"), descending)]
    fn newest(&self, board_id: &BoardId) -> Rows<Post>;
    /// A board's posts about something.
    #[query(pk = "BOARD#{board_id}", sk = begins_with("POST#"))]
    fn posts_about(&self, board_id: &BoardId, #[filter] topic: &str) -> Rows<Post>;
    /// A board's posts without an answer.
    #[query(pk = "BOARD#{board_id}", sk = begins_with("POST#"), filter(absent(answer)))]
    fn unanswered(&self, board_id: &BoardId) -> Rows<Post>;
    /// A board's posts about something, with an answer.
    #[query(pk = "BOARD#{board_id}", sk = begins_with("POST#"), filter(exists(answer)))]
    fn answered(&self, board_id: &BoardId, #[filter] topic: &str) -> Rows<Post>;
    /// A board's posts with one answer.
    #[query(pk = "BOARD#{board_id}", sk = begins_with("POST#"))]
    fn answered_so(&self, board_id: &BoardId, #[filter] answer: &str) -> Rows<Post>;
    /// A board and its posts.
    #[query(pk = "BOARD#{board_id}")]
    fn board_page(&self, board_id: &BoardId) -> Rows<(Board, Post)>;
    /// A board and its posts, at once.
    #[query(pk = "BOARD#{board_id}", items_max = 5)]
    fn few(&self, board_id: &BoardId) -> All<(Board, Post)>;
    /// A board with its posts.
    #[query(pk = "BOARD#{board_id}", items_max = 10_000)]
    fn view(&self, board_id: &BoardId) -> Fold<BoardView>;
    /// Posts of an author in some days.
    #[query(index = GSI1, pk = "AUTHOR#{author}", sk = "{from}"..="{to}")]
    fn posts_between(&self, author: &BoardId, from: Date, to: Date) -> Rows<Post>;
    /// Posts of an author since a day.
    #[query(index = GSI1, pk = "AUTHOR#{author}", sk = "{from}"..)]
    fn posts_since(&self, author: &BoardId, from: Date) -> Rows<Post>;
    /// Posts of an author up to a day.
    #[query(index = GSI1, pk = "AUTHOR#{author}", sk = ..="{to}")]
    fn posts_until(&self, author: &BoardId, to: Date) -> Rows<Post>;
    /// Posts of a board from a number on.
    #[query(pk = "BOARD#{board_id}", sk = "POST#{seq:05}"..)]
    fn posts_from(&self, board_id: &BoardId, seq: u32) -> Rows<Post>;
    /// Posts of a board after a number.
    #[query(pk = "BOARD#{board_id}", sk = after("POST#{seq:05}"))]
    fn posts_after(&self, board_id: &BoardId, seq: u32) -> Rows<Post>;
    /// Posts of a board before a number.
    #[query(pk = "BOARD#{board_id}", sk = before("POST#{seq:05}"))]
    fn posts_before(&self, board_id: &BoardId, seq: u32) -> Rows<Post>;
    /// Tags of a board that begin so.
    #[query(pk = "TAGS#{board_id}", sk = begins_with("NAME#{prefix}"))]
    fn tags_like(&self, board_id: &BoardId, prefix: &str) -> Rows<Tag>;
    /// Tags of a board from one on.
    #[query(pk = "TAGS#{board_id}", sk = "NAME#{from}"..)]
    fn tags_from(&self, board_id: &BoardId, from: &str) -> Rows<Tag>;
    /// All posts, in order.
    #[query(index = GSI2, pk = "ALL#{shard}", shards = 4)]
    fn all_posts(&self) -> Rows<Post>;
    /// All posts, newest first.
    #[query(index = GSI2, pk = "ALL#{shard}", shards = 4, descending)]
    fn all_newest(&self) -> Rows<Post>;
    /// A board's first post about something.
    #[query(pk = "BOARD#{board_id}", sk = begins_with("POST#"))]
    fn first_about(&self, board_id: &BoardId, #[filter] topic: &str) -> One<Post>;
    /// Many posts.
    #[batch_get]
    fn posts_by_key(&self, keys: &[PostKey]) -> Many<Post>;
    /// Many boards.
    #[batch_get]
    fn boards_by_key(&self, keys: &[BoardKey]) -> Many<Board>;
    /// Everything, for administrators.
    #[scan(admin)]
    fn dump(&self) -> Rows<(Board, Post)>;
}

/// When the tests start.
pub const START_MS: u64 = 1_800_000_000_000;

/// Returns an empty table with a fixed clock.
pub async fn boards() -> (Store<Boards>, Arc<ManualClock>) {
    boards_with(|_| {}).await
}

/// Returns a fresh table on an engine with other options.
pub async fn boards_with(change: impl FnOnce(&mut Options)) -> (Store<Boards>, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(START_MS));
    let mut options = Options { clock: Arc::clone(&clock) as _, ..Options::default() };
    change(&mut options);
    let store = Boards::open(Embedded::memory_with(options)).await.unwrap();
    (store, clock)
}

pub fn id(text: &str) -> BoardId {
    BoardId::new(text).unwrap()
}

pub fn post(board: &str, seq: u32) -> Post {
    let day = ["2026-12-30", "2026-12-31", "2027-01-01"][seq as usize % 3];
    Post {
        board_id: id(board),
        seq,
        author: id("ada"),
        day: day.parse().unwrap(),
        topic: if seq.is_multiple_of(10) { "cats" } else { "dogs" }.to_owned(),
        answer: seq.is_multiple_of(4).then(|| "yes".to_owned()),
        ttl: None,
    }
}

/// Posts 1 to `count` on board `b`.
pub async fn fill(store: &Store<Boards>, count: u32) {
    for seq in 1..=count {
        store.put(&post("b", seq)).await.unwrap();
    }
}

pub fn numbers(posts: &[Post]) -> Vec<u32> {
    posts.iter().map(|post| post.seq).collect()
}

/// Returns a fresh table, and the backend that other programs write to.
pub async fn boards_of_others() -> (Store<Boards>, Embedded) {
    let clock = Arc::new(ManualClock::new(START_MS));
    let backend = Embedded::memory_with(Options { clock, ..Options::default() });
    (Boards::open(backend.clone()).await.unwrap(), backend)
}

/// Adds a row as other programs do.
pub async fn put_raw(backend: &Embedded, row: Item) {
    let write = Write {
        table: "boards".into(),
        action: Action::Put(row),
        condition: None,
        return_on_failure: false,
        returns: Returns::Nothing,
        returns_units: false,
    };
    backend.write(write).await.unwrap();
}
