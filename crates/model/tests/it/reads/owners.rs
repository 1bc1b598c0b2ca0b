//! The owner of a unique value is found through the row that keeps the value.

use std::sync::Arc;

use monotable_engine::{ManualClock, Options};
use monotable_model::backend::Embedded;
use monotable_model::codegen::{One, Store};
use monotable_model::time::EpochSeconds;
use monotable_model::{Error, key::KeyError};
use monotable_model_derive::{Entity, Id, access_patterns, table};
use serde::{Deserialize, Serialize};

use super::board::START_MS;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemberId(String);

/// Somebody with an address of his own, for some time.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(L03, because = "the guards expire with their member"))]
#[key(pk = "MEMBER#{member_id}", sk = "MEMBER")]
#[unique(email)]
#[unique(club, number, name = "shirt", pk = "CLUB#{club}", sk = "SHIRT#{number:03}")]
#[unique(serial, release = never, allow(U03, because = "a serial is never given twice"))]
pub struct Member {
    pub member_id: MemberId,
    pub email: String,
    pub club: MemberId,
    pub number: Option<u8>,
    pub serial: Option<u32>,
    #[version]
    pub ver: u64,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

table! {
    /// Members.
    pub Members {
        name = "members";
        key(PK, SK);
        type_attribute = ItemType;
        ttl = ttl;
        entities(Member);
        patterns(MemberReads);
    }
}

/// The access patterns.
#[access_patterns(Members)]
pub trait MemberReads {
    /// Whose address it is.
    #[get(unique = email)]
    fn by_email(&self, email: &str) -> One<Member>;
    /// The member with a shirt number: arguments are matched by name.
    #[get(unique = shirt)]
    fn by_shirt(&self, number: u8, club: &MemberId) -> One<Member>;
    /// Whose serial it is.
    #[get(unique = serial)]
    fn by_serial(&self, serial: u32) -> One<Member>;
}

async fn members() -> (Store<Members>, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(START_MS));
    let options = Options { clock: Arc::clone(&clock) as _, ..Options::default() };
    (Members::open(Embedded::memory_with(options)).await.unwrap(), clock)
}

fn id(text: &str) -> MemberId {
    MemberId::new(text).unwrap()
}

fn member(name: &str) -> Member {
    Member {
        member_id: id(name),
        email: format!("{name} #1@example.org"),
        club: id("red"),
        number: None,
        serial: None,
        ver: 0,
        ttl: None,
    }
}

#[tokio::test]
async fn the_owner_of_a_value_is_found() {
    let (store, _) = members().await;
    assert_eq!(store.by_email("ann #1@example.org").await.unwrap(), None);
    let ann = store.create(&Member { number: Some(7), ..member("ann") }).await.unwrap();
    store.create(&member("bob")).await.unwrap();
    assert_eq!(store.by_email("ann #1@example.org").await.unwrap(), Some(ann.clone()));
    assert_eq!(store.by_shirt(7, &id("red")).await.unwrap(), Some(ann));
    assert_eq!(store.by_shirt(8, &id("red")).await.unwrap(), None);
    let response = store.by_email("ann #1@example.org").response().await.unwrap();
    // Both reads are consistent: one unit each.
    assert_eq!((response.units, response.pattern), (2.0, "by_email"));
    let empty = store.by_email("").await;
    assert_eq!(empty, Err(Error::Key { entity: "by_email", error: KeyError::Empty }));
}

#[tokio::test]
async fn a_released_value_has_no_owner() {
    let (store, _) = members().await;
    let ann = store.create(&Member { serial: Some(9), ..member("ann") }).await.unwrap();
    let ann = store.edit(ann, |ann| (ann.email, ann.serial) = ("new".into(), None)).await.unwrap();
    assert_eq!(store.by_email("ann #1@example.org").await.unwrap(), None);
    assert_eq!(store.by_email("new").await.unwrap(), Some(ann.clone()));
    // The serial is still taken, but has no owner.
    assert_eq!(store.by_serial(9).await.unwrap(), None);
    store.delete(&ann).await.unwrap();
    assert_eq!(store.by_email("new").await.unwrap(), None);
}

#[tokio::test]
async fn an_expired_owner_is_absent() {
    let (store, clock) = members().await;
    let end = EpochSeconds::new(i64::try_from(START_MS / 1_000).unwrap() + 10);
    let ann = store.create(&Member { ttl: Some(end), ..member("ann") }).await.unwrap();
    assert_eq!(store.by_email(&ann.email).await.unwrap(), Some(ann.clone()));
    clock.advance_ms(10_000);
    assert_eq!(store.by_email(&ann.email).await.unwrap(), None);
    assert_eq!(store.by_email(&ann.email).including_expired().await.unwrap(), Some(ann));
}
