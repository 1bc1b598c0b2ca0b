//! Maps and sets without an order, and floats of many digits: what a row says does not depend on the order
//! in which it was written down.

use std::collections::{HashMap, HashSet};

use monotable_model::backend::Embedded;
use monotable_model::{Entity, Id, One, Store, access_patterns, table};
use serde::{Deserialize, Serialize};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct BoardId(String);

/// One JSON text.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = envelope("data"))]
#[key(pk = "BOARD#{board_id}", sk = "BOARD")]
#[unique(title)]
pub(crate) struct Board {
    pub(crate) board_id: BoardId,
    pub(crate) title: String,
    pub(crate) scores: HashMap<String, f64>,
    pub(crate) tags: HashSet<u32>,
    #[version]
    pub(crate) ver: u64,
}

/// One compressed text.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "STATE#{board_id}", sk = "STATE")]
pub(crate) struct State {
    pub(crate) board_id: BoardId,
    pub(crate) scores: HashMap<String, f64>,
    pub(crate) tags: HashSet<u32>,
    #[version]
    pub(crate) ver: u64,
}

/// Attributes, twice.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "LABEL#{board_id}", sk = "LABEL")]
#[mirror(pk = "LABELS", sk = "LABEL#{board_id}")]
pub(crate) struct Label {
    pub(crate) board_id: BoardId,
    pub(crate) scores: HashMap<String, f64>,
    pub(crate) tags: HashSet<u32>,
    #[version]
    pub(crate) ver: u64,
}

table! {
    /// What has no order.
    pub(crate) Unordered {
        name = "unordered";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Board, State, Label);
        patterns(UnorderedReads);
    }
}

#[access_patterns(Unordered)]
pub(crate) trait UnorderedReads {
    /// A board.
    #[get(pk = "BOARD#{board_id}", sk = "BOARD")]
    fn board(&self, board_id: &BoardId) -> One<Board>;
    /// A state.
    #[get(pk = "STATE#{board_id}", sk = "STATE")]
    fn state(&self, board_id: &BoardId) -> One<State>;
    /// A label.
    #[get(pk = "LABEL#{board_id}", sk = "LABEL")]
    fn label(&self, board_id: &BoardId) -> One<Label>;
}

fn id() -> BoardId {
    BoardId::new("b1").unwrap()
}

/// Floats that a careless reader rounds to their neighbours, and enough entries to have no order.
fn scores(count: u32) -> HashMap<String, f64> {
    let floats = [0.030_366_074_329_203_574, 0.925_542_908_441_669_3, 1e-130, 0.1, -7.5];
    let name = |number| format!("player-{number}");
    (0..count)
        .zip(floats.into_iter().cycle())
        .map(|(number, score)| (name(number), score))
        .collect()
}

async fn open() -> Store<Unordered> {
    Unordered::open(Embedded::memory()).await.unwrap()
}

#[tokio::test]
async fn a_json_text_with_maps_and_sets_can_be_changed_and_deleted() {
    let db = open().await;
    let board = Board {
        board_id: id(),
        title: "first".to_owned(),
        scores: scores(20),
        tags: (0..20).collect(),
        ver: 0,
    };
    let created = db.create(&board).await.unwrap();
    let read = db.board(&id()).await.unwrap().unwrap();
    assert_eq!(read, created);
    let edited = db.edit(created, |board| board.title = "second".to_owned()).await.unwrap();
    let read = db.board(&id()).await.unwrap().unwrap();
    assert_eq!(read, edited);
    db.edit(read.clone(), |_| ()).await.unwrap();
    db.transact().edit(&read, |board| board.tags = (5..30).collect()).await.unwrap();
    let read = db.board(&id()).await.unwrap().unwrap();
    assert_eq!((read.title.as_str(), read.tags.len(), read.ver), ("second", 25, 3));
    db.delete(&read).await.unwrap();
    assert_eq!(db.board(&id()).await.unwrap(), None);
}

#[tokio::test]
async fn so_can_one_that_is_compressed() {
    let db = open().await;
    let state = State { board_id: id(), scores: scores(900), tags: (0..20).collect(), ver: 0 };
    let created = db.create(&state).await.unwrap();
    assert_eq!(db.state(&id()).await.unwrap().as_ref(), Some(&created));
    let edited = db.edit(created, |state| state.tags.clear()).await.unwrap();
    let read = db.state(&id()).await.unwrap().unwrap();
    assert_eq!(read, edited);
    db.delete(&read).await.unwrap();
}

#[tokio::test]
async fn so_can_a_row_with_a_mirror() {
    let db = open().await;
    let label = Label { board_id: id(), scores: scores(20), tags: (0..20).collect(), ver: 0 };
    let created = db.create(&label).await.unwrap();
    let edited = db.edit(created, |label| label.scores.clear()).await.unwrap();
    let read = db.label(&id()).await.unwrap().unwrap();
    assert_eq!(read, edited);
    db.delete(&read).await.unwrap();
}

#[tokio::test]
async fn what_another_life_says_is_still_something_else() {
    let db = open().await;
    let board = |tags| Board {
        board_id: id(),
        title: "title".to_owned(),
        scores: scores(20),
        tags,
        ver: 0,
    };
    let old = db.create(&board((0..20).collect())).await.unwrap();
    assert!(db.delete_by_key(&old.key()).await.unwrap());
    db.create(&board((1..21).collect())).await.unwrap();
    assert!(db.edit(old.clone(), |board| board.scores.clear()).await.is_err());
    assert!(db.delete(&old).await.is_err());
}
