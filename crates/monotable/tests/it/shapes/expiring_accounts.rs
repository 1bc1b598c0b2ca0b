//! Rows of two types under one key, where one of them expires: what has expired is absent for both.

use std::sync::Arc;

use monotable::dynamodb::{ManualClock, Options};
use monotable::model::time::EpochSeconds;
use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Name(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "NAME#{name}", sk = "OWNER")]
#[entity(
    allow(K01, because = "persons and reservations share one space of names"),
    allow(W01, because = "imports write over what is there"),
    allow(W02, because = "the first visit creates the person")
)]
struct Person {
    name: Name,
    #[serde(default)]
    visits: u32,
    #[version]
    ver: u64,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "NAME#{name}", sk = "OWNER")]
#[entity(allow(W01, because = "imports write over what is there"))]
struct Reservation {
    name: Name,
    #[ttl]
    ttl: Option<EpochSeconds>,
    #[version]
    ver: u64,
}

table! {
    /// Names, reserved for a while or taken.
    Names {
        name = "names";
        key(PK, SK);
        type_attribute = Type;
        ttl = ttl;
        entities(Person, Reservation);
        patterns(NameReads);
        allow(K01, because = "persons and reservations share one space of names");
    }
}

#[access_patterns(Names)]
trait NameReads {
    #[get(pk = "NAME#{name}", sk = "OWNER", allow(P03, because = "asks for one type"))]
    fn person(&self, name: &Name) -> One<Person>;
    #[get(pk = "NAME#{name}", sk = "OWNER")]
    fn owner(&self, name: &Name) -> One<(Person, Reservation)>;
}

const START_MS: u64 = 1_767_225_600_000;

/// Returns a reservation of `acme` that expires a minute after the start.
async fn names() -> (Store<Names>, Arc<ManualClock>, Reservation) {
    let clock = Arc::new(ManualClock::new(START_MS));
    let options = Options { clock: Arc::clone(&clock) as Arc<_>, ..Options::default() };
    let db = Names::open(Embedded::memory_with(options)).await.unwrap();
    let ttl = Some(EpochSeconds::new(START_MS as i64 / 1000 + 60));
    let acme = Reservation { name: Name::new("acme").unwrap(), ttl, ver: 0 };
    let acme = db.create(&acme).await.unwrap();
    (db, clock, acme)
}

fn person() -> Person {
    Person { name: Name::new("acme").unwrap(), visits: 1, ver: 0 }
}

#[tokio::test]
async fn an_expired_row_of_another_type_does_not_block_a_key() {
    for way in 0..9 {
        let (db, clock, acme) = names().await;
        clock.advance_ms(60_000);
        assert_eq!(db.owner(&acme.name).await.unwrap(), None);
        let key = PersonKey::new(acme.name.clone());
        let visit = || Person::update(&key).visits(1).or_create();
        match way {
            0 => drop(db.create(&person()).await.unwrap()),
            1 => drop(db.put(&person()).await.unwrap()),
            2 => drop(db.update(visit()).await.unwrap()),
            3 => drop(db.transact().with(create(person())).await.unwrap()),
            4 => drop(db.transact().with(put(person())).await.unwrap()),
            5 => drop(db.transact().with(visit()).await.unwrap()),
            6 => db.batch().put(&person()).await.unwrap(),
            7 => {
                assert!(!db.delete_by_key(&key).await.unwrap());
                drop(db.transact().with(check_absent(&key)).await.unwrap());
                drop(db.transact().with(delete_by_key(&key)).await.unwrap());
                db.create(&person()).await.unwrap();
            }
            _ => {
                let other = Person { name: Name::new("x").unwrap(), ..person() };
                let other = db.create(&other).await.unwrap();
                db.rekey(&other, &Person { name: acme.name.clone(), ..other.clone() })
                    .await
                    .unwrap();
            }
        }
        let found = db.person(&acme.name).await.unwrap().unwrap_or_else(|| panic!("way {way}"));
        assert_eq!(found.visits, 1, "way {way}");
        let Some(Owner::Person(_)) = db.owner(&acme.name).await.unwrap() else {
            panic!("way {way}")
        };
    }
}

#[tokio::test]
async fn a_row_that_has_not_expired_stays() {
    let (db, clock, acme) = names().await;
    clock.advance_ms(59_000);
    let key = PersonKey::new(acme.name.clone());
    assert_eq!(db.person(&acme.name).await.unwrap(), None);
    db.create(&person()).await.unwrap_err();
    db.put(&person()).await.unwrap_err();
    db.batch().put(&person()).await.unwrap_err();
    db.update(Person::update(&key).visits(1).or_create()).await.unwrap_err();
    db.transact().with(check_absent(&key)).await.unwrap_err();
    assert!(!db.delete_by_key(&key).await.unwrap());
    assert_eq!(db.owner(&acme.name).await.unwrap(), Some(Owner::Reservation(acme)));
}
