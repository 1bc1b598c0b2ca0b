//! Two sparse indexes that share a key attribute, which stays as long as one of them needs it.

use monotable_model::backend::Backend;
use monotable_model::backend::Embedded;
use monotable_model::backend::request::{Get, Scan};
use monotable_model::{Entity, Id, Settings, Store, table};
use monotable_types::{Item, item};
use serde::{Deserialize, Serialize};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct TagId(String);

/// A person in two indexes by tags.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W02, because = "a tag may come before the person"))]
#[key(pk = "PERSON#{person_id}", sk = "PERSON")]
#[allow(clippy::duplicated_attributes, reason = "two indexes are sparse")]
#[index(GSI1: sparse, pk = "BY#{person_id}", sk = "LEFT#{left}")]
#[index(GSI2: sparse, pk = "BY#{person_id}", sk = "RIGHT#{right}")]
pub(crate) struct Person {
    pub(crate) person_id: TagId,
    pub(crate) left: Option<TagId>,
    pub(crate) right: Option<TagId>,
    #[version]
    pub(crate) ver: u64,
}

table! {
    /// People.
    pub(crate) People {
        name = "people";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(BY, LEFT) allow(I03, because = "tests look into it");
        index GSI2(BY, RIGHT) allow(I03, because = "tests look into it");
        entities(Person);
    }
}

fn tag(text: &str) -> TagId {
    TagId::new(text).unwrap()
}

fn key() -> PersonKey {
    PersonKey::new(tag("p1"))
}

async fn row(backend: &Embedded) -> Item {
    let key = item! { "PK" => "PERSON#p1", "SK" => "PERSON" };
    let get = Get { table: "people".into(), key, consistent: true, returns_units: false };
    backend.get(get).await.unwrap().row.map(|row| row.into_item().unwrap()).unwrap()
}

async fn count(backend: &Embedded, index: &'static str) -> usize {
    let scan = Scan {
        table: "people".into(),
        index: Some(index),
        filter: None,
        consistent: false,
        limit: None,
        start_key: None,
        segment: None,
    };
    backend.scan(scan).await.unwrap().rows.len()
}

async fn people() -> (Store<People>, Embedded) {
    let backend = Embedded::memory();
    let db = Settings::<People>::new().open(backend.clone()).await.unwrap();
    (db, backend)
}

#[tokio::test]
async fn a_row_leaves_one_index_and_stays_in_the_other() {
    let (db, backend) = people().await;
    let both = Person { person_id: tag("p1"), left: Some(tag("a")), right: Some(tag("b")), ver: 0 };
    db.create(&both).await.unwrap();
    let p = db.update(Person::update(&key()).left(None)).await.unwrap();
    assert_eq!((p.left.as_ref(), p.right.as_ref(), p.ver), (None, Some(&tag("b")), 2));
    assert_eq!((count(&backend, "GSI1").await, count(&backend, "GSI2").await), (0, 1));
    assert_eq!(db.verify(&p).await.unwrap(), []);
    // Now no index needs the attribute any more.
    let p = db.update(Person::update(&key()).right(None)).await.unwrap();
    let row = row(&backend).await;
    assert!(!row.contains_key("BY") && !row.contains_key("RIGHT"), "{row:?}");
    assert_eq!(db.verify(&p).await.unwrap(), []);
}

#[tokio::test]
async fn a_transaction_keeps_the_attribute_too() {
    let (db, backend) = people().await;
    let right = Person { person_id: tag("p1"), left: None, right: Some(tag("b")), ver: 0 };
    db.create(&right).await.unwrap();
    db.update(Person::update(&key()).left(Some(tag("a")))).await.unwrap();
    assert_eq!((count(&backend, "GSI1").await, count(&backend, "GSI2").await), (1, 1));
    db.transact().with(Person::update(&key()).left(None)).await.unwrap();
    assert_eq!((count(&backend, "GSI1").await, count(&backend, "GSI2").await), (0, 1));
    let both = Person::update(&key()).left(None).right(None);
    let p = db.update(both.or_create()).await.unwrap();
    assert_eq!((p.ver, db.verify(&p).await.unwrap()), (4, vec![]));
    assert!(!row(&backend).await.contains_key("BY"));
}
