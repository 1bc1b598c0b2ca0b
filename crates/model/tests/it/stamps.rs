//! Stamps: version, times and expiry in one field, in every codec.

use std::sync::Arc;

use monotable_engine::{Database, GetItem, ManualClock, Options, PutItem};
use monotable_model::backend::Embedded;
use monotable_model::time::{EpochSeconds, Timestamp};
use monotable_model::{
    Entity, Error, MirrorOf, One, Rows, Settings, Store, access_patterns, ids, table,
};
use monotable_types::{Item, item};
use serde::{Deserialize, Serialize};

ids! {
    /// A club.
    pub(crate) ClubId,
    pub(crate) PersonId,
}

table! {
    /// Clubs and their members.
    pub(crate) Clubs {
        name = "clubs";
        key(PK, SK);
        type_attribute = kind;
        index GSI1(GSI1PK, GSI1SK);
        ttl = ttl;
        stamps Stamps(version = ver, created = createdAt | created_at | born, updated = updatedAt);
        stamps Versioned(version = ver | revision);
        stamps Lease(expires = ttl, version = ver);
        entities(Club, Board, Person, Article, Cell, Ticket);
        patterns(ClubReads);
    }
}

/// A club, which is listed by the time of its creation.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W01, because = "imports overwrite"), allow(W02, because = "a motto comes first"))]
#[key(pk = "CLUB#{club_id}", sk = "CLUB")]
#[index(GSI1: pk = "CLUBS", sk = "{created}#{club_id}")]
pub(crate) struct Club {
    pub(crate) club_id: ClubId,
    #[serde(default)]
    pub(crate) name: String,
    pub(crate) motto: Option<String>,
    #[stamps]
    #[serde(skip)]
    pub(crate) stamps: Stamps,
}

/// A member of a club, listed by the last change.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "CLUB#{club_id}", sk = "PERSON#{person_id}")]
#[index(GSI1: pk = "PEOPLE", sk = "{updated}")]
#[mirror(pk = "PERSON#{person_id}", sk = "{created}")]
#[mirror(Board)]
pub(crate) struct Person {
    pub(crate) club_id: ClubId,
    pub(crate) person_id: PersonId,
    pub(crate) name: String,
    #[stamps]
    #[serde(skip)]
    pub(crate) stamps: Stamps,
}

/// The public part of a person.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "BOARD#{person_id}", sk = "BOARD")]
pub(crate) struct Board {
    pub(crate) person_id: PersonId,
    pub(crate) name: String,
    #[stamps]
    #[serde(skip)]
    pub(crate) stamps: Versioned,
}

impl MirrorOf<Person> for Board {
    fn mirror_of(person: &Person) -> Option<Self> {
        Some(Self {
            person_id: person.person_id.clone(),
            name: person.name.clone(),
            stamps: Versioned { version: person.stamps.version },
        })
    }
}

/// A text whose fields are a JSON string.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = envelope("data"))]
#[key(pk = "CLUB#{club_id}", sk = "ARTICLE")]
pub(crate) struct Article {
    pub(crate) club_id: ClubId,
    pub(crate) title: String,
    #[stamps]
    #[serde(skip)]
    pub(crate) stamps: Stamps,
}

/// A value under a key.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "CELL#{club_id}", sk = "v")]
pub(crate) struct Cell {
    #[key_only]
    pub(crate) club_id: ClubId,
    pub(crate) text: String,
    #[stamps]
    #[serde(skip)]
    pub(crate) stamps: Stamps,
}

/// An admission that ends by itself.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "TICKET#{club_id}", sk = "v")]
pub(crate) struct Ticket {
    #[key_only]
    pub(crate) club_id: ClubId,
    pub(crate) seat: u16,
    #[stamps]
    #[serde(skip)]
    pub(crate) stamps: Lease,
}

#[access_patterns(Clubs)]
pub(crate) trait ClubReads {
    /// One club.
    #[get(pk = "CLUB#{club_id}", sk = "CLUB")]
    fn club(&self, club_id: &ClubId) -> One<Club>;
    /// All clubs, the oldest first.
    #[query(index = GSI1, pk = "CLUBS")]
    fn clubs(&self) -> Rows<Club>;
    /// The clubs from a time on.
    #[query(index = GSI1, pk = "CLUBS", sk = "{from}"..)]
    fn clubs_since(&self, from: Timestamp) -> Rows<Club>;
    /// The clubs with a version.
    #[query(index = GSI1, pk = "CLUBS")]
    fn clubs_of_version(&self, #[filter] version: u64) -> Rows<Club>;
    /// The people by their last change.
    #[query(index = GSI1, pk = "PEOPLE")]
    fn people(&self) -> Rows<Person>;
    /// A text.
    #[get(pk = "CLUB#{club_id}", sk = "ARTICLE")]
    fn article(&self, club_id: &ClubId) -> One<Article>;
    /// A value.
    #[get(pk = "CELL#{club_id}", sk = "v")]
    fn cell(&self, club_id: &ClubId) -> One<Cell>;
    /// An admission.
    #[get(pk = "TICKET#{club_id}", sk = "v")]
    fn ticket(&self, club_id: &ClubId) -> One<Ticket>;
    /// The public part of a person.
    #[get(pk = "BOARD#{person_id}", sk = "BOARD")]
    fn board(&self, person_id: &PersonId) -> One<Board>;
}

/// 2026-01-01T00:00:00Z.
const START_MS: u64 = 1_767_225_600_000;
const START: &str = "2026-01-01T00:00:00.000Z";
const LATER: &str = "2026-01-01T00:01:00.000Z";

struct World {
    db: Store<Clubs>,
    database: Database,
    clock: Arc<ManualClock>,
}

async fn world() -> World {
    let clock = Arc::new(ManualClock::new(START_MS));
    let options = Options { clock: Arc::clone(&clock) as Arc<_>, ..Options::default() };
    let database = Database::memory_with(options);
    let db = Settings::<Clubs>::new().open(Embedded::new(database.clone())).await.unwrap();
    World { db, database, clock }
}

impl World {
    fn row(&self, partition: &str, sort: &str) -> Option<Item> {
        let get = GetItem::new("clubs", item! { "PK" => partition, "SK" => sort });
        self.database.get_item(get).unwrap().item.map(Item::from)
    }

    fn write_raw(&self, row: Item) {
        self.database.put_item(PutItem::new("clubs", row)).unwrap();
    }

    /// A minute passes.
    fn wait(&self) {
        self.clock.advance_ms(60_000);
    }
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn id(text: &str) -> ClubId {
    ClubId::new(text).unwrap()
}

fn club(club_id: &str, name: &str) -> Club {
    Club { club_id: id(club_id), name: name.into(), motto: None, stamps: Stamps::default() }
}

fn person(name: &str) -> Person {
    let person_id = PersonId::new("p1").unwrap();
    Person { club_id: id("red"), person_id, name: name.into(), stamps: Stamps::default() }
}

#[tokio::test]
async fn the_layer_fills_the_stamps() {
    let w = world().await;
    let red = w.db.create(&club("red", "Red")).await.unwrap();
    let stamps = Stamps { version: 1, created: time(START), updated: time(START) };
    assert_eq!(red.stamps, stamps);
    let stored = item! {
        "PK" => "CLUB#red", "SK" => "CLUB", "kind" => "Club", "club_id" => "red", "name" => "Red",
        "ver" => 1, "createdAt" => START, "updatedAt" => START,
        "GSI1PK" => "CLUBS", "GSI1SK" => format!("{START}#red"),
    };
    assert_eq!(w.row("CLUB#red", "CLUB"), Some(stored));
    assert_eq!(w.db.club(&red.club_id).await.unwrap(), Some(red.clone()));
    w.wait();
    let red = w.db.edit(red, |club| club.name = "Reds".into()).await.unwrap();
    assert_eq!(red.stamps, Stamps { version: 2, updated: time(LATER), ..stamps });
    assert_eq!(w.db.club(&red.club_id).await.unwrap(), Some(red));
}

#[tokio::test]
async fn an_edit_cannot_change_stamps() {
    let w = world().await;
    let red = w.db.create(&club("red", "Red")).await.unwrap();
    let error = w.db.edit(red.clone(), |club| club.stamps.created = time(LATER)).await.unwrap_err();
    assert!(matches!(error, Error::Immutable { field: "created", .. }), "{error:?}");
    let red = w.db.edit(red, |club| {
        club.name = "Reds".into();
        club.stamps.version = 70;
        club.stamps.updated = time(LATER);
    });
    let red = red.await.unwrap();
    assert_eq!((red.stamps.version, red.stamps.updated), (2, time(START)));
}

#[tokio::test]
async fn an_edit_of_an_older_state_is_refused() {
    let w = world().await;
    let old = w.db.create(&club("red", "Red")).await.unwrap();
    w.db.edit(old.clone(), |club| club.name = "Reds".into()).await.unwrap();
    let error = w.db.edit(old, |club| club.name = "Blues".into()).await.unwrap_err();
    assert!(matches!(error, Error::VersionConflict { .. }), "{error:?}");
}

#[tokio::test]
async fn an_update_counts_and_stamps_and_can_test_stamps() {
    let w = world().await;
    let red = w.db.create(&club("red", "Red")).await.unwrap();
    w.wait();
    let update = || Club::update(&red.key()).motto(Some("Go".into()));
    let refused = w.db.update(update().when(club::version().gt(1))).await.unwrap_err();
    assert!(matches!(refused, Error::ConditionFailed { .. }), "{refused:?}");
    let is_same = club::version().eq(1).and(club::created().eq(time(START)));
    let is_same = is_same.and(club::updated().lt(time(LATER)));
    let changed = w.db.update(update().when(is_same)).await;
    let changed = changed.unwrap();
    assert_eq!((changed.stamps.version, changed.stamps.updated), (2, time(LATER)));
    assert_eq!(changed.stamps.created, time(START));
}

#[tokio::test]
async fn an_update_that_creates_is_in_the_index_of_its_creation() {
    let w = world().await;
    let update = Club::update(&ClubKey::new(id("red"))).motto(Some("Go".into())).or_create();
    let created = w.db.update(update).await.unwrap();
    assert_eq!(created.stamps, Stamps { version: 1, created: time(START), updated: time(START) });
    assert_eq!(w.db.clubs().page().await.unwrap().rows, [created]);
}

#[tokio::test]
async fn stamps_are_parts_of_keys() {
    let w = world().await;
    w.db.create(&club("z", "First")).await.unwrap();
    w.wait();
    let second = w.db.create(&club("a", "Second")).await.unwrap();
    let names = |rows: Vec<Club>| rows.into_iter().map(|club| club.name).collect::<Vec<_>>();
    assert_eq!(names(w.db.clubs().page().await.unwrap().rows), ["First", "Second"]);
    assert_eq!(names(w.db.clubs_since(time(LATER)).page().await.unwrap().rows), ["Second"]);
    w.db.edit(second, |club| club.name = "Third".into()).await.unwrap();
    assert_eq!(names(w.db.clubs_of_version(2).page().await.unwrap().rows), ["Third"]);
}

#[tokio::test]
async fn the_key_of_the_last_change_follows_it() {
    let w = world().await;
    let ann = w.db.create(&person("Ann")).await.unwrap();
    w.wait();
    let ann = w.db.edit(ann, |person| person.name = "Anna".into()).await.unwrap();
    let row = w.row("CLUB#red", "PERSON#p1").unwrap();
    assert_eq!(row["GSI1SK"].as_s(), Some(LATER));
    assert_eq!(w.db.people().page().await.unwrap().rows, std::slice::from_ref(&ann));
    assert_eq!(w.db.verify(&ann).await.unwrap(), []);
}

#[tokio::test]
async fn mirrors_have_the_stamps() {
    let w = world().await;
    let ann = w.db.create(&person("Ann")).await.unwrap();
    w.wait();
    let ann = w.db.edit(ann, |person| person.name = "Anna".into()).await.unwrap();
    let same = w.row("PERSON#p1", START).unwrap();
    assert_eq!((&same["ver"], &same["updatedAt"]), (&2.into(), &LATER.into()));
    let board = w.db.board(&ann.person_id).await.unwrap().unwrap();
    assert_eq!((board.name.as_str(), board.stamps.version), ("Anna", 2));
    let mut damaged = same;
    damaged.insert("ver".to_owned(), 9.into());
    w.write_raw(damaged);
    assert_eq!(w.db.verify(&ann).await.unwrap().len(), 1);
    w.db.repair(&ann).await.unwrap();
    assert_eq!(w.row("PERSON#p1", START).unwrap()["ver"], 2.into());
}

#[tokio::test]
async fn a_put_keeps_the_time_of_creation() {
    let w = world().await;
    w.db.create(&club("red", "Red")).await.unwrap();
    w.wait();
    let red = w.db.put(&club("red", "Crimson")).await.unwrap();
    let stamps = Stamps { version: 2, created: time(START), updated: time(LATER) };
    assert_eq!((red.name.as_str(), red.stamps), ("Crimson", stamps));
}

#[tokio::test]
async fn stamps_are_stored_outside_an_envelope() {
    let w = world().await;
    let article = Article { club_id: id("red"), title: "News".into(), stamps: Stamps::default() };
    let article = w.db.create(&article).await.unwrap();
    let stored = item! {
        "PK" => "CLUB#red", "SK" => "ARTICLE", "kind" => "Article",
        "data" => r#"{"club_id":"red","title":"News"}"#,
        "ver" => 1, "createdAt" => START, "updatedAt" => START,
    };
    assert_eq!(w.row("CLUB#red", "ARTICLE"), Some(stored));
    assert_eq!(w.db.article(&article.club_id).await.unwrap(), Some(article.clone()));
    let article = w.db.edit(article, |article| article.title = "Old".into()).await.unwrap();
    assert_eq!(w.db.article(&article.club_id).await.unwrap(), Some(article));
}

#[tokio::test]
async fn json_text_of_another_program_cannot_set_stamps() {
    let w = world().await;
    w.write_raw(item! {
        "PK" => "CLUB#red", "SK" => "ARTICLE", "kind" => "Article",
        "data" => r#"{"club_id":"red","title":"News","ver":7,"note":1}"#,
    });
    let article = w.db.article(&id("red")).await.unwrap().unwrap();
    assert_eq!(article.stamps, Stamps::default());
    w.db.edit(article, |article| article.title = "Old".into()).await.unwrap();
    let row = w.row("CLUB#red", "ARTICLE").unwrap();
    assert_eq!(row["data"].as_s(), Some(r#"{"club_id":"red","title":"Old","note":1}"#));
    assert_eq!(row["ver"], 1.into());
}

#[tokio::test]
async fn stamps_are_attributes_of_a_value_row() {
    let w = world().await;
    let cell = Cell { club_id: id("red"), text: "a".into(), stamps: Stamps::default() };
    let cell = w.db.create(&cell).await.unwrap();
    let stored = item! {
        "PK" => "CELL#red", "SK" => "v", "kind" => "Cell",
        "v" => r#"{"text":"a"}"#, "ct" => "application/json",
        "ver" => 1, "createdAt" => START, "updatedAt" => START,
    };
    assert_eq!(w.row("CELL#red", "v"), Some(stored));
    let cell = w.db.edit(cell, |cell| cell.text = "b".into()).await.unwrap();
    assert_eq!(w.db.cell(&cell.club_id).await.unwrap(), Some(cell));
}

#[tokio::test]
async fn an_expiry_is_a_stamp_that_programs_set() {
    let w = world().await;
    let ends = EpochSeconds::new((START_MS / 1000 + 90) as i64);
    let stamps = Lease { expires: Some(ends), ..Lease::default() };
    let ticket = w.db.create(&Ticket { club_id: id("red"), seat: 7, stamps }).await.unwrap();
    assert_eq!(ticket.expires_at(), Some(ends));
    assert_eq!(w.row("TICKET#red", "v").unwrap()["ttl"], ends.as_seconds().into());
    w.wait();
    let later = ends + std::time::Duration::from_secs(60);
    let update = Ticket::update(&ticket.key()).expires(Some(later));
    let ticket = w.db.update(update.when(ticket::expires().eq(ends))).await.unwrap();
    assert_eq!(ticket.stamps, Lease { version: 2, expires: Some(later) });
    w.wait();
    assert_eq!(w.db.ticket(&ticket.club_id).await.unwrap(), Some(ticket.clone()));
    w.wait();
    assert_eq!(w.db.ticket(&ticket.club_id).await.unwrap(), None);
    let again = Ticket { stamps: Lease::default(), ..ticket };
    let again = w.db.create(&again).await.unwrap();
    assert_eq!(again.stamps, Lease { version: 1, expires: None });
    assert!(!w.row("TICKET#red", "v").unwrap().contains_key("ttl"));
}

#[tokio::test]
async fn rows_of_older_programs_lack_stamps_or_have_them_under_old_names() {
    let w = world().await;
    let row = item! { "PK" => "CLUB#red", "SK" => "CLUB", "kind" => "Club", "club_id" => "red" };
    w.write_raw(row.clone());
    let red = w.db.club(&id("red")).await.unwrap().unwrap();
    assert_eq!(red.stamps, Stamps::default());
    assert_eq!(red.version(), Some(0));
    let red = w.db.edit(red, |club| club.name = "Red".into()).await.unwrap();
    assert_eq!((red.stamps.version, red.stamps.created), (1, Timestamp::default()));

    let born = "2020-02-02T00:00:00.000Z";
    let old = item! { "born" => born, "ver" => 4, "updatedAt" => born };
    w.write_raw(row.into_iter().chain(old).collect());
    let red = w.db.club(&id("red")).await.unwrap().unwrap();
    assert_eq!(red.stamps, Stamps { version: 4, created: time(born), updated: time(born) });
    let step = w.db.backfill::<Club>(None, 10).await.unwrap();
    assert!(step.conflicts.is_empty() && step.unreadable.is_empty(), "{step:?}");
    assert_eq!(w.db.clubs().page().await.unwrap().rows, std::slice::from_ref(&red));
    let red = w.db.edit(red, |club| club.name = "Red".into()).await.unwrap();
    assert_eq!(red.stamps.version, 5);
    let stored = w.row("CLUB#red", "CLUB").unwrap();
    assert_eq!((stored.get("born"), stored["createdAt"].as_s()), (None, Some(born)));
}

#[tokio::test]
async fn a_stamp_of_another_type_makes_a_row_unreadable() {
    let w = world().await;
    w.write_raw(item! {
        "PK" => "CLUB#red", "SK" => "CLUB", "kind" => "Club", "club_id" => "red", "ver" => "many",
    });
    let error = w.db.club(&id("red")).await.unwrap_err();
    let text =
        "a row of Club can't be read: `CLUB#red / CLUB`: ver: expected a number, found a string";
    assert_eq!(error.to_string(), text);
}

#[test]
fn stamps_are_a_struct_to_serde_where_it_sees_them() {
    let stamps = Lease { version: 3, expires: Some(EpochSeconds::new(7)) };
    let text = serde_json::to_string(&stamps).unwrap();
    assert_eq!(text, r#"{"expires":7,"version":3}"#);
    assert_eq!(serde_json::from_str::<Lease>(&text).unwrap(), stamps);
    assert_eq!(serde_json::from_str::<Lease>("{}").unwrap(), Lease::default());
}

#[test]
fn ids_are_texts_to_serde() {
    let red: ClubId = serde_json::from_str("\"red\"").unwrap();
    assert_eq!(red, id("red"));
    assert_eq!(serde_json::to_string(&red).unwrap(), "\"red\"");
    let map = std::collections::BTreeMap::from([(red, 1)]);
    assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"red":1}"#);
    assert!(ClubId::new("a#b").is_err());
}
