//! A design grows: rows written before get the keys, mirrors and sentinels of the new one.

use monotable_engine::{Database, PutItem};
use monotable_model::backend::Embedded;
use monotable_model::codegen::{Rows, Store};
use monotable_model::{Backfilled, DriftKind};
use monotable_model_derive::Id;
use monotable_types::item;
use serde::{Deserialize, Serialize};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemberId(String);

/// The design of last year.
mod before {
    use monotable_model_derive::{Entity, table};
    use serde::{Deserialize, Serialize};

    use super::MemberId;

    #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[entity(type = "MEMBER")]
    #[key(pk = "MEMBER#{member_id}", sk = "MEMBER")]
    pub struct Member {
        pub member_id: MemberId,
        pub email: String,
        pub city: String,
    }

    table! {
        /// Members by id only.
        pub Club {
            name = "club";
            key(PK, SK);
            type_attribute = kind;
            entities(Member);
        }
    }
}

/// The design of today: an index, a unique address and a second row.
mod after {
    use monotable_model::codegen::{One, Rows};
    use monotable_model_derive::{Entity, access_patterns, table};
    use serde::{Deserialize, Serialize};

    use super::MemberId;

    #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[entity(type = "MEMBER")]
    #[key(pk = "MEMBER#{member_id}", sk = "MEMBER")]
    #[index(GSI1: pk = "CITY#{city}", sk = "MEMBER#{member_id}")]
    #[unique(email)]
    #[mirror(pk = "MEMBERS", sk = "MEMBER#{member_id}")]
    pub struct Member {
        pub member_id: MemberId,
        pub email: String,
        pub city: String,
    }

    table! {
        /// Members by id, city and address.
        pub Club {
            name = "club";
            key(PK, SK);
            type_attribute = kind;
            index GSI1(GSI1PK, GSI1SK);
            entities(Member);
            patterns(ClubReads);
        }
    }

    /// The access patterns.
    #[access_patterns(Club)]
    pub trait ClubReads {
        /// Members of a city.
        #[query(index = GSI1, pk = "CITY#{city}")]
        fn members_of(&self, city: &str) -> Rows<Member>;
        /// All members in one partition.
        #[query(pk = "MEMBERS")]
        fn all_members(&self) -> Rows<Member>;
        /// Everything, for administrators.
        #[scan(admin)]
        fn dump(&self) -> Rows<Member>;
        /// One member.
        #[get(pk = "MEMBER#{member_id}", sk = "MEMBER")]
        fn member(&self, member_id: &MemberId) -> One<Member>;
    }
}

use after::ClubReads as _;

/// Returns a table with members of last year's design, opened with today's.
async fn grown(emails: &[&str]) -> Store<after::Club> {
    grown_in(&Database::memory(), emails).await
}

async fn grown_in(database: &Database, emails: &[&str]) -> Store<after::Club> {
    let new = after::Club::open(Embedded::new(database.clone())).await.unwrap();
    let old = before::Club::open(Embedded::new(database.clone())).await.unwrap();
    for (number, email) in emails.iter().enumerate() {
        let member_id = MemberId::new(format!("m{number:03}")).unwrap();
        let city = if number.is_multiple_of(2) { "Oslo" } else { "Rome" }.to_owned();
        old.create(&before::Member { member_id, email: (*email).to_owned(), city }).await.unwrap();
    }
    new
}

async fn count(rows: Rows<after::Member>) -> usize {
    rows.count().await.unwrap()
}

/// Step by step to the end, each step from the cursor of the one before.
async fn backfill(store: &Store<after::Club>) -> Vec<Backfilled> {
    let mut steps = vec![store.backfill::<after::Member>(None, 7).await.unwrap()];
    while let Some(next) = steps[steps.len() - 1].next.clone() {
        steps.push(store.backfill::<after::Member>(Some(&next), 7).await.unwrap());
    }
    steps
}

#[tokio::test]
async fn old_rows_get_what_the_new_design_derives() {
    let emails: Vec<String> = (0..30).map(|number| format!("m{number}@example.org")).collect();
    let store = grown(&emails.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert_eq!(count(store.members_of("Oslo")).await, 0, "no keys, not in the index");
    assert_eq!(count(store.all_members()).await, 0);
    let steps = backfill(&store).await;
    assert!(steps.len() > 3 && steps.iter().all(|step| step.conflicts.is_empty()));
    assert_eq!(steps.iter().map(|step| step.seen).sum::<usize>(), 30);
    assert_eq!(count(store.members_of("Oslo")).await, 15);
    assert_eq!(count(store.members_of("Rome")).await, 15);
    assert_eq!(count(store.all_members()).await, 30);
    assert_eq!(count(store.dump()).await, 30, "a mirror is not a second member");
    let again = backfill(&store).await;
    assert!(again.iter().all(|step| step.repaired.is_empty()), "what is right stays as it is");
    let taken = after::Member {
        member_id: MemberId::new("new").unwrap(),
        email: "m3@example.org".to_owned(),
        city: "Oslo".to_owned(),
    };
    assert!(store.create(&taken).await.is_err(), "the address is kept by a sentinel now");
}

#[tokio::test]
async fn a_value_of_two_rows_is_reported_and_left_unchanged() {
    let store = grown(&["same@example.org", "other@example.org", "same@example.org"]).await;
    let steps = backfill(&store).await;
    let conflicts: Vec<_> = steps.iter().flat_map(|step| &step.conflicts).collect();
    assert_eq!(conflicts.len(), 1);
    assert_eq!(conflicts[0].kind, DriftKind::Taken);
    let of = conflicts[0].of["PK"].as_s().and_then(|key| key.strip_prefix("MEMBER#")).unwrap();
    let member = store.member(&MemberId::new(of).unwrap()).await.unwrap().unwrap();
    assert_eq!(member.email, "same@example.org");
    // Everything else about the row is right.
    assert_eq!(count(store.members_of("Oslo")).await, 2);
    assert_eq!(count(store.all_members()).await, 3);
    // The decision: one of them goes.
    store.delete(&member).await.unwrap();
    assert!(backfill(&store).await.iter().all(|step| step.conflicts.is_empty()));
}

#[tokio::test]
async fn unreadable_rows_are_skipped_and_reported() {
    let database = Database::memory();
    let store = grown_in(&database, &["a@example.org", "", "b@example.org", "c@example.org"]).await;
    let mut row = item! { "PK" => "MEMBER#m002", "SK" => "MEMBER", "kind" => "MEMBER" };
    database.put_item(PutItem::new("club", row.clone())).unwrap();
    row.insert("PK".to_owned(), "MEMBER#m004".into());
    database.put_item(PutItem::new("club", row)).unwrap();
    let steps = backfill(&store).await;
    let mut told: Vec<String> =
        steps.iter().flat_map(|step| &step.unreadable).map(ToString::to_string).collect();
    told.sort();
    assert_eq!(
        told,
        [
            "a row of Member can't be read: `MEMBER#m001 / MEMBER`: a key part is empty; give it a value",
            "a row of Member can't be read: `MEMBER#m002 / MEMBER`: missing field `email`",
            "a row of Member can't be read: `MEMBER#m004 / MEMBER`: missing field `email`",
        ]
    );
    assert_eq!(count(store.all_members()).await, 2, "all others are made right");
}

#[tokio::test]
async fn rows_under_another_key_than_their_fields_render_are_reported() {
    let database = Database::memory();
    let store = grown_in(&database, &["a@example.org", "b@example.org"]).await;
    // The template was `M#{member_id}` once, and a row was copied without changing its fields.
    for (pk, member, email) in
        [("M#m005", "m005", "c@example.org"), ("MEMBER#m006", "m001", "b@example.org")]
    {
        let row = item! {
            "PK" => pk, "SK" => "MEMBER", "kind" => "MEMBER",
            "member_id" => member, "email" => email, "city" => "Oslo",
        };
        database.put_item(PutItem::new("club", row)).unwrap();
    }
    for steps in [backfill(&store).await, backfill(&store).await] {
        let told = steps.iter().flat_map(|step| &step.unreadable).map(ToString::to_string);
        let mut told: Vec<String> = told.collect();
        told.sort();
        assert_eq!(
            told,
            [
                "a row of Member can't be read: `M#m005 / MEMBER`: its fields render another key, `MEMBER#m005 / MEMBER`",
                "a row of Member can't be read: `MEMBER#m006 / MEMBER`: its fields render another key, `MEMBER#m001 / MEMBER`",
            ]
        );
    }
    assert_eq!(count(store.all_members()).await, 2, "all others are made right");
}
