//! Unordered maps and sets, floats of many digits, flattened fields: the meaning of a row does not
//! depend on how it was written.

use std::collections::{BTreeMap, HashMap, HashSet};

use monotable_model::backend::Embedded;
use monotable_model::{Entity, Id, One, Store, access_patterns, edit, table};
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

/// Fields of other types, and a flattened map, next to its own fields.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = envelope("data"), allow(W01, because = "imports overwrite"))]
#[key(pk = "FLAT#{board_id}", sk = "FLAT")]
pub(crate) struct Flat {
    #[immutable]
    pub(crate) board_id: BoardId,
    #[serde(flatten)]
    pub(crate) size: Size,
    #[serde(flatten)]
    pub(crate) more: BTreeMap<String, u32>,
    #[version]
    pub(crate) ver: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Size {
    pub(crate) width: Option<u32>,
    pub(crate) height: u32,
}

/// The same as a value.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "SIZE#{board_id}", sk = "SIZE")]
pub(crate) struct SizeRow {
    #[key_only]
    pub(crate) board_id: BoardId,
    #[serde(flatten)]
    pub(crate) size: Size,
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
        entities(Board, State, Label, Flat, SizeRow);
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
    /// A flat one.
    #[get(pk = "FLAT#{board_id}", sk = "FLAT")]
    fn flat(&self, board_id: &BoardId) -> One<Flat>;
    /// A size.
    #[get(pk = "SIZE#{board_id}", sk = "SIZE")]
    fn size(&self, board_id: &BoardId) -> One<SizeRow>;
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
    db.transact().with(edit(&read, |board| board.tags = (5..30).collect())).await.unwrap();
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
async fn flattened_fields_are_written_once() {
    let db = open().await;
    let flat = Flat {
        board_id: id(),
        size: Size { width: None, height: 3 },
        more: [("a".to_owned(), 1), ("b".to_owned(), 2)].into(),
        ver: 0,
    };
    let flat = db.create(&flat).await.unwrap();
    let flat = db.edit(flat, |flat| flat.size.width = Some(4)).await.unwrap();
    assert_eq!(db.flat(&id()).await.unwrap().as_ref(), Some(&flat));
    let flat = db.edit(flat, |flat| flat.more.retain(|name, _| name != "a")).await.unwrap();
    assert_eq!(db.flat(&id()).await.unwrap().as_ref(), Some(&flat));
    let put = db.put(&Flat { more: BTreeMap::new(), ..flat }).await.unwrap();
    assert_eq!(db.flat(&id()).await.unwrap().as_ref(), Some(&put));
    let moved = Flat { board_id: BoardId::new("b2").unwrap(), ..put.clone() };
    let moved = db.rekey(&put, &moved).await.unwrap();
    assert_eq!(db.flat(&moved.board_id).await.unwrap().as_ref(), Some(&moved));
    db.delete(&moved).await.unwrap();

    let size = SizeRow { board_id: id(), size: Size { width: None, height: 3 }, ver: 0 };
    let size = db.create(&size).await.unwrap();
    let size = db.edit(size, |row| row.size.height = 5).await.unwrap();
    assert_eq!(db.size(&id()).await.unwrap(), Some(size));
}

#[tokio::test]
async fn another_incarnation_is_still_different() {
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
