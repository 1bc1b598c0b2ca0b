//! The table itself: one definition, changes of the model, and a fresh one for every test.

use monotable::dynamodb::{
    CreateTable, DescribeTable, DescribeTimeToLive, IndexDefinition, UpdateItem, UpdateTable,
    UpdateTimeToLive,
};
use monotable::expression::Update;
use monotable::item;
use monotable::model::IntoUpdate as _;
use monotable::rows::Step;

use super::*;

/// Complaint 3: the table is defined in two places. (Templates for CloudFormation, CDK and
/// Terraform do not exist yet.)
#[tokio::test]
async fn the_model_is_the_definition_of_the_table() {
    let world = World::new().await;
    let described = world.database.describe_table(DescribeTable::new("league-dev")).unwrap().table;
    let indexes: Vec<&str> =
        described.global_secondary_indexes.iter().map(|index| index.index_name.as_str()).collect();
    assert_eq!(indexes, ["GSI1", "GSI2"]);
    let expiry = DescribeTimeToLive::new("league-dev");
    let expiry = world.database.describe_time_to_live(expiry).unwrap();
    assert_eq!(expiry.attribute_name.as_deref(), Some("ttl"));
    world.db.verify_table().await.unwrap();

    // A table that differs from the declaration is refused, with every difference.
    let database = Database::memory();
    let other = CreateTable::new("league-prod")
        .partition_key("PK", "S")
        .and_then(|table| table.sort_key("SK", "S"))
        .and_then(|table| table.attribute("GSI1PK", "S"))
        .unwrap()
        .global_index(IndexDefinition::new("GSI1", &["GSI1PK"], &[]));
    database.create_table(other).unwrap();
    let open = League::settings().environment("prod").open(Embedded::new(database)).await;
    let Err(Error::TableDiffers { table, differences }) = open else { panic!("it differs") };
    assert_eq!(table, "league-prod");
    assert_eq!(
        differences,
        [
            "the key of index GSI1 is (GSI1PK), not (GSI1PK, GSI1SK)",
            "index GSI2 is missing",
            "time to live is off, not on for ttl"
        ]
    );
}

/// A process can end between the two steps of creating a table.
#[tokio::test]
async fn a_table_without_its_time_to_live_gets_it_when_it_is_opened() {
    let world = World::new().await;
    let expiry = || {
        let expiry = DescribeTimeToLive::new("league-dev");
        world.database.describe_time_to_live(expiry).unwrap().attribute_name
    };
    world.database.update_time_to_live(UpdateTimeToLive::disable("league-dev", "ttl")).unwrap();
    assert_eq!(expiry(), None);
    League::open(Embedded::new(world.database.clone())).await.unwrap();
    assert_eq!(expiry().as_deref(), Some("ttl"));
}

/// Rows of an older program may have an expiry in the past, which must not count before a backfill
/// has checked them.
#[tokio::test]
async fn a_time_to_live_that_is_off_stays_so_where_a_backfill_switches_it_on() {
    let world = World::new().await;
    let expiry = || {
        let expiry = DescribeTimeToLive::new("league-dev");
        world.database.describe_time_to_live(expiry).unwrap().attribute_name
    };
    world.database.update_time_to_live(UpdateTimeToLive::disable("league-dev", "ttl")).unwrap();
    let settings = League::settings().expiry_as_found();
    let db = settings.open(Embedded::new(world.database.clone())).await.unwrap();
    assert_eq!(expiry(), None);
    for _ in 0..2 {
        db.enable_expiry().await.unwrap();
        assert_eq!(expiry().as_deref(), Some("ttl"));
    }
    // One that is on is as declared, and so is a new table.
    League::settings().expiry_as_found().open(Embedded::new(world.database.clone())).await.unwrap();
    let fresh = Database::memory();
    League::settings().expiry_as_found().open(Embedded::new(fresh.clone())).await.unwrap();
    let new = fresh.describe_time_to_live(DescribeTimeToLive::new("league-dev")).unwrap();
    assert_eq!(new.attribute_name.as_deref(), Some("ttl"));
}

/// The model as it was.
mod before {
    use super::super::model::TeamId;
    use monotable::prelude::*;

    #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[key(pk = "CLUB#{club_id}", sk = "METADATA")]
    pub(super) struct Club {
        pub club_id: TeamId,
        pub motto: String,
    }

    table! {
        /// Clubs.
        pub(super) Clubs {
            name = "clubs";
            key(PK, SK);
            type_attribute = ItemType;
            entities(Club);
            patterns(ClubReads);
        }
    }

    #[access_patterns(Clubs)]
    pub(super) trait ClubReads {
        /// One club.
        #[get(pk = "CLUB#{club_id}", sk = "METADATA")]
        fn club(&self, club_id: &TeamId) -> One<Club>;
    }
}

/// The model as it is: a new attribute, a new index on it, and one attribute that it forgot.
mod after {
    use super::super::model::{Field, TeamId};
    use monotable::prelude::*;

    #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[key(pk = "CLUB#{club_id}", sk = "METADATA")]
    #[index(GSI1: sparse, pk = "CITY#{city}", sk = "CLUB#{club_id}")]
    pub(super) struct Club {
        pub club_id: TeamId,
        pub city: Option<Field>,
    }

    /// The job that sets the cities of clubs.
    #[derive(RuleKey, Clone, Debug)]
    #[rule(Job, pk = "JOB#cities", sk = "BACKFILL")]
    pub(super) struct Cities;

    table! {
        /// Clubs.
        pub(super) Clubs {
            name = "clubs";
            key(PK, SK);
            type_attribute = ItemType;
            index GSI1(GSI1PK, GSI1SK);
            entities(Club);
            rules(Cities);
            patterns(ClubReads);
        }
    }

    #[access_patterns(Clubs)]
    pub(super) trait ClubReads {
        /// One club.
        #[get(pk = "CLUB#{club_id}", sk = "METADATA")]
        fn club(&self, club_id: &TeamId) -> One<Club>;
        /// The clubs of a city.
        #[query(index = GSI1, pk = "CITY#{city}")]
        fn clubs_in(&self, city: &Field) -> Rows<Club>;
        /// All clubs, for administrators.
        #[scan(admin)]
        fn clubs(&self) -> Rows<Club>;
    }
}

/// Complaint 12: a new attribute or index needs a backfill. The difference of two models is a plan,
/// missing parts are reported, old rows remain readable, and resumable steps update them.
#[tokio::test]
async fn old_rows_are_read_and_filled_in_by_steps() {
    use after::ClubReads as _;

    let plan = before::Clubs::design().plan_to(&after::Clubs::design()).to_markdown();
    let position = |words: &str| plan.find(words).unwrap_or_else(|| panic!("{words}: {plan}"));
    assert!(position("GSI1") < position("ackfill"), "first the index, then its keys: {plan}");

    let database = Database::memory();
    let old = before::Clubs::open(Embedded::new(database.clone())).await.unwrap();
    for number in 0..60 {
        let club_id = TeamId::new(format!("c{number:02}")).unwrap();
        old.create(&before::Club { club_id, motto: "Onward".to_owned() }).await.unwrap();
    }

    // The new model reports what the table lacks.
    let open = after::Clubs::open(Embedded::new(database.clone())).await;
    let Err(Error::TableDiffers { differences, .. }) = open else { panic!("it differs") };
    assert_eq!(differences, ["index GSI1 is missing"]);
    let change = UpdateTable::new("clubs")
        .attribute("GSI1PK", "S")
        .and_then(|change| change.attribute("GSI1SK", "S"))
        .unwrap()
        .create_index(IndexDefinition::new("GSI1", &["GSI1PK"], &["GSI1SK"]));
    database.update_table(change).unwrap();
    database.maintain().unwrap();

    // Rows from before are read as they are.
    let db = after::Clubs::open(Embedded::new(database.clone())).await.unwrap();
    let first = TeamId::new("c00").unwrap();
    assert_eq!(db.club(&first).await.unwrap().unwrap().city, None);

    // A job sets the new field, 25 rows a step; the index keys follow.
    let portland = Field::new("Portland").unwrap();
    let job = after::Cities.job::<Option<Cursor>>();
    db.run(job.start(None)).await.unwrap();
    let (reads, city) = (db.clone(), portland.clone());
    let run = job.run(move |cursor: Option<Cursor>| {
        let (db, city) = (reads.clone(), city.clone());
        async move {
            let request = db.clubs().take(25);
            let request = match &cursor {
                Some(cursor) => request.after(cursor),
                None => request,
            };
            let page = request.page().await?;
            let step = match page.next {
                Some(next) => Step::next(Some(next)),
                None => Step::done(),
            };
            Ok(page.rows.iter().fold(step, |step, club| {
                step.add(after::Club::update(&club.key()).city(Some(city.clone())).into_update())
            }))
        }
    });
    assert!(db.run(run).await.unwrap().steps >= 3);
    assert_eq!(db.clubs_in(&portland).count().await.unwrap(), 60);

    // Rows without the new keys are found and repaired, a few at a time.
    let key = after::ClubKey::new(first.clone());
    let raw = UpdateItem::new("clubs", item! { "PK" => "CLUB#c00", "SK" => "METADATA" });
    let forget = Update::new().remove("GSI1PK").remove("GSI1SK");
    database.update_item(raw.update(forget)).unwrap();
    assert_eq!(db.clubs_in(&portland).count().await.unwrap(), 59);
    let (mut cursor, mut repaired) = (None, 0);
    loop {
        let step = db.backfill::<after::Club>(cursor.as_ref(), 25).await.unwrap();
        repaired += step.repaired.len();
        cursor = step.next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((repaired, db.clubs_in(&portland).count().await.unwrap()), (1, 60));
    assert!(db.club(&key.club_id).await.unwrap().is_some());

    // What the new model does not know is still there for the old one.
    let motto = before::ClubReads::club(&old, &first).await.unwrap().unwrap().motto;
    assert_eq!(motto, "Onward");
}

/// Complaint 13: tests need Docker, a JVM and seconds.
#[tokio::test]
async fn a_test_has_a_database_of_its_own() {
    let mut worlds = Vec::new();
    for number in 0..100 {
        let db = League::open(Embedded::memory()).await.unwrap();
        db.create(&team("red", &format!("Team {number}"))).await.unwrap();
        worlds.push(db);
    }
    let red = TeamId::new("red").unwrap();
    for (number, db) in worlds.iter().enumerate() {
        assert_eq!(db.team(&red).await.unwrap().unwrap().name, format!("Team {number}"));
    }
}
