//! Rows from before a field had its name: read, changed, and rid of the old name, in every codec.

use monotable::dynamodb::{GetItem, PutItem};
use monotable::model::Entity as _;
use monotable::prelude::*;
use monotable::{AttributeValue, Database, Item, item};

use super::declared::TeamId;

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "NOTE", allow(W01, because = "imports overwrite"))]
#[key(pk = "NOTE#{team_id}", sk = "METADATA")]
struct Note {
    team_id: TeamId,
    #[serde(alias = "content", alias = "body")]
    text: Option<String>,
    pinned: bool,
    #[version]
    #[serde(alias = "revision")]
    ver: u64,
}

/// Like a note, but its fields are JSON in one attribute, except for one.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "LETTER", codec = envelope("data"))]
#[key(pk = "LETTER#{team_id}", sk = "METADATA")]
struct Letter {
    #[key_only]
    team_id: TeamId,
    #[serde(alias = "content")]
    text: String,
    #[top]
    #[serde(alias = "state")]
    status: String,
    #[version]
    ver: u64,
}

/// As a note, but its fields are the value of a key-value row.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "CELL", codec = value_row)]
#[key(pk = "CELL#{team_id}", sk = "METADATA")]
struct Cell {
    #[key_only]
    team_id: TeamId,
    #[serde(alias = "content")]
    text: String,
    #[version]
    ver: u64,
}

table! {
    Texts {
        name = "texts";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Note, Letter, Cell);
        patterns(TextReads);
        allow(D01, because = "each codec is tried");
    }
}

#[access_patterns(Texts)]
trait TextReads {
    /// A note.
    #[get(pk = "NOTE#{team_id}", sk = "METADATA")]
    fn note(&self, team_id: &TeamId) -> One<Note>;
    /// A letter.
    #[get(pk = "LETTER#{team_id}", sk = "METADATA")]
    fn letter(&self, team_id: &TeamId) -> One<Letter>;
    /// A cell.
    #[get(pk = "CELL#{team_id}", sk = "METADATA")]
    fn cell(&self, team_id: &TeamId) -> One<Cell>;
}

fn id() -> TeamId {
    TeamId::new("t1").unwrap()
}

/// Returns a table with one row of another program in it.
async fn with_row(row: Item) -> (Store<Texts>, Database) {
    let database = Database::memory();
    let store = Texts::open(Embedded::new(database.clone())).await.unwrap();
    database.put_item(PutItem::new("texts", row)).unwrap();
    (store, database)
}

fn stored(database: &Database, partition: &str) -> Item {
    let key = item! { "PK" => partition, "SK" => "METADATA" };
    database.get_item(GetItem::new("texts", key)).unwrap().item.unwrap().to_item()
}

fn old_note() -> Item {
    item! {
        "PK" => "NOTE#t1", "SK" => "METADATA", "ItemType" => "NOTE", "team_id" => "t1",
        "content" => "Hello", "pinned" => false, "revision" => 5, "extra" => "kept",
    }
}

#[tokio::test]
async fn an_attribute_with_an_old_name_is_read_and_renamed_by_an_edit() {
    let (db, database) = with_row(old_note()).await;
    let note = db.note(&id()).await.unwrap().unwrap();
    assert_eq!((note.text.as_deref(), note.ver), (Some("Hello"), 5));

    let note = db.edit(note, |note| note.pinned = true).await.unwrap();
    let row = stored(&database, "NOTE#t1");
    assert_eq!((row.get("content"), row.get("revision")), (None, None));
    assert_eq!(row.get("text"), Some(&AttributeValue::from("Hello")));
    assert_eq!(row.get("ver"), Some(&AttributeValue::from(6)));
    assert_eq!(row.get("extra"), Some(&AttributeValue::from("kept")));
    assert_eq!(db.note(&id()).await.unwrap().unwrap(), note);
}

#[tokio::test]
async fn an_update_removes_previous_names() {
    let (db, database) = with_row(old_note()).await;
    let note = db.update(Note::update(&NoteKey::new(id())).text(None)).await.unwrap();
    assert_eq!((note.text, note.ver), (None, 6));
    let row = stored(&database, "NOTE#t1");
    assert_eq!((row.get("content"), row.get("revision"), row.get("text")), (None, None, None));
}

#[tokio::test]
async fn a_put_removes_previous_names() {
    let (db, database) = with_row(old_note()).await;
    let note = Note { team_id: id(), text: None, pinned: true, ver: 0 };
    let note = db.put(&note).await.unwrap();
    assert_eq!((note.text, note.ver), (None, 6));
    assert_eq!(stored(&database, "NOTE#t1").get("content"), None);
}

#[tokio::test]
async fn an_old_name_gives_way_to_the_name_of_today() {
    let mut row = old_note();
    row.insert("body".into(), "Older".into());
    let (db, database) = with_row(row.clone()).await;
    assert_eq!(db.note(&id()).await.unwrap().unwrap().text.as_deref(), Some("Hello"));
    row.insert("text".into(), "New".into());
    database.put_item(PutItem::new("texts", row)).unwrap();
    assert_eq!(db.note(&id()).await.unwrap().unwrap().text.as_deref(), Some("New"));
}

#[tokio::test]
async fn an_old_name_inside_an_envelope_is_read_and_renamed() {
    let json = r#"{"content":"Hello","extra":1}"#;
    let row = item! {
        "PK" => "LETTER#t1", "SK" => "METADATA", "ItemType" => "LETTER",
        "data" => json, "state" => "sent", "ver" => 1,
    };
    let (db, database) = with_row(row).await;
    let letter = db.letter(&id()).await.unwrap().unwrap();
    assert_eq!((letter.text.as_str(), letter.status.as_str()), ("Hello", "sent"));

    let letter = db.edit(letter, |letter| letter.text.push('!')).await.unwrap();
    let row = stored(&database, "LETTER#t1");
    assert_eq!(row.get("data"), Some(&AttributeValue::from(r#"{"text":"Hello!","extra":1}"#)));
    assert_eq!((row.get("state"), row.get("status")), (None, Some(&AttributeValue::from("sent"))));
    assert_eq!(db.letter(&id()).await.unwrap().unwrap(), letter);
}

#[tokio::test]
async fn an_envelope_with_both_names_has_the_value_of_today() {
    let json = r#"{"content":"Old","text":"New"}"#;
    let row = item! {
        "PK" => "LETTER#t1", "SK" => "METADATA", "ItemType" => "LETTER",
        "data" => json, "status" => "sent", "state" => "draft", "ver" => 1,
    };
    let (db, _) = with_row(row).await;
    let letter = db.letter(&id()).await.unwrap().unwrap();
    assert_eq!((letter.text.as_str(), letter.status.as_str()), ("New", "sent"));
}

#[tokio::test]
async fn an_old_name_inside_a_value_row_is_read_and_renamed() {
    let json = r#"{"content":"Hello","extra":1}"#;
    let row = item! {
        "PK" => "CELL#t1", "SK" => "METADATA", "ItemType" => "CELL",
        "v" => json, "ct" => "application/json", "ver" => 1,
    };
    let (db, database) = with_row(row).await;
    let cell = db.cell(&id()).await.unwrap().unwrap();
    assert_eq!(cell.text, "Hello");
    let cell = db.edit(cell, |cell| cell.text.push('!')).await.unwrap();
    let value = stored(&database, "CELL#t1").remove("v");
    assert_eq!(value, Some(AttributeValue::from(r#"{"text":"Hello!","extra":1}"#)));
    assert_eq!(db.cell(&id()).await.unwrap().unwrap(), cell);
}

#[test]
fn old_names_are_in_the_metadata() {
    assert_eq!(Note::META.fields[1].aliases, ["content", "body"]);
    assert_eq!(Note::META.fields[0].aliases, [""; 0]);
}
