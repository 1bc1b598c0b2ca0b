//! Writing: errors of transactions, unprocessed writes, concurrent changes, and copies that drift.

use monotable::dynamodb::PutItem;
use monotable::model::{Condition, DriftKind, Error};

use super::*;

/// Complaint 8: it is unknown which item of a transaction failed.
#[tokio::test]
async fn a_failed_transaction_names_its_operations() {
    let db = World::new().await.db;
    let red = db.create(&team("red", "Red Sox")).await.unwrap();
    let stale = db.create(&player("p1")).await.unwrap();
    db.edit(stale.clone(), |player| player.number = Some(7)).await.unwrap();
    let missing = TeamKey::new(TeamId::new("nobody").unwrap());
    let mut tx = db.transact();
    let fine = tx.add(create(player("p2")));
    let named = tx.add(create(team("blue", "Red Sox")));
    let numbered = tx.add(edit(&stale, |player| player.number = Some(9)));
    let winners = tx.add(check(&red.key(), model::team::wins().ge(10_u64)));
    let won = tx.add(Team::update(&missing).add_wins(1));
    let error = tx.commit().await.unwrap_err();
    let failed: Vec<_> = error
        .failures()
        .iter()
        .map(|failure| (failure.label.to_string(), failure.key.as_str()))
        .collect();
    assert_eq!(
        failed,
        [
            ("create Team".to_owned(), "TEAM#blue / METADATA"),
            ("edit Player".to_owned(), "TEAM#red / PLAYER#p1"),
            ("check Team".to_owned(), "TEAM#red / METADATA"),
            ("update Team".to_owned(), "TEAM#nobody / METADATA"),
        ]
    );
    assert_eq!(error.of(fine), None);
    assert!(matches!(error.of(named), Some(Error::UniqueTaken { constraint: "name", .. })));
    assert!(error.of(numbered).is_some_and(Error::is_conflict));
    assert!(matches!(error.of(winners), Some(Error::ConditionFailed { .. })));
    assert!(matches!(error.of(won), Some(Error::NotFound { entity: "Team" })));
    assert_eq!(db.roster(&red.team_id).count().await.unwrap(), 1, "nothing happened");
}

/// Complaint 9: items that a batch leaves unprocessed are lost.
#[tokio::test]
async fn unprocessed_rows_of_a_batch_are_not_lost() {
    let red = TeamId::new("red").unwrap();
    let players: Vec<Player> = (0..80).map(|number| player(&format!("p{number:02}"))).collect();

    // DynamoDB leaves half of everything over.
    let world = World::with(|options| options.faults.unprocessed_share = 0.5).await;
    let batch = players.iter().fold(world.db.batch(), |batch, player| batch.put(player));
    batch.await.unwrap();
    assert_eq!(world.db.roster(&red).count().await.unwrap(), 80);

    // No write succeeds: the remaining ones are returned, and can be retried.
    let world = World::with(|options| options.faults.unprocessed_share = 1.0).await;
    let batch = players.iter().fold(world.db.batch(), |batch, player| batch.put(player));
    let incomplete = batch.await.unwrap_err();
    assert_eq!(incomplete.left.len(), 80);
    assert!(matches!(incomplete.cause, Error::Incomplete { unprocessed: 80 }));
}

/// Complaint 10: optimistic locking ends where transactions begin.
#[tokio::test]
async fn versions_guard_every_write_path() {
    let db = World::new().await.db;
    let stale = db.create(&player("p1")).await.unwrap();
    assert_eq!(stale.stamps.version, 1);
    let fresh = db.edit(stale.clone(), |player| player.number = Some(7)).await.unwrap();
    assert_eq!(fresh.stamps.version, 2);
    let fresh = db.update(Player::update(&fresh.key()).number(Some(8))).await.unwrap();
    assert_eq!(fresh.stamps.version, 3);

    let number = |player: &mut Player| player.number = Some(9);
    for error in [
        db.edit(stale.clone(), number).await.unwrap_err(),
        db.delete(&stale).await.unwrap_err(),
        db.transact().with(edit(&stale, number)).await.unwrap_err(),
        db.transact().with(delete(&stale)).await.unwrap_err(),
    ] {
        assert!(error.is_conflict(), "{error}");
    }
    let mut tx = db.transact();
    let edited = tx.add(edit(&fresh, |player| player.number = None));
    assert_eq!(tx.commit().await.unwrap()[edited].stamps.version, 4);
    reported_by_the_compiler("entity/w03_edit", "W03");
}

/// A season, listed under its league and found by its own id.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "LEAGUE#{league_id}", sk = "SEASON#{season_id}")]
#[mirror(pk = "SEASON#{season_id}", sk = "METADATA")]
struct Season {
    pub league_id: TeamId,
    pub season_id: GameId,
    pub name: String,
    #[version]
    pub ver: u64,
}

table! {
    /// Seasons.
    Seasons {
        name = "seasons";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Season);
        patterns(SeasonReads);
    }
}

#[access_patterns(Seasons)]
trait SeasonReads {
    /// A season by its own id.
    #[get(pk = "SEASON#{season_id}", sk = "METADATA")]
    fn season(&self, season_id: &GameId) -> One<Season>;
    /// The seasons of a league.
    #[query(pk = "LEAGUE#{league_id}", sk = begins_with("SEASON#"))]
    fn seasons(&self, league_id: &TeamId) -> Rows<Season>;
}

/// Complaint 11: denormalised copies drift.
#[tokio::test]
async fn copies_follow_and_drift_is_repaired() {
    let database = Database::memory();
    let db = Seasons::open(Embedded::new(database.clone())).await.unwrap();
    let season = Season {
        league_id: TeamId::new("l1").unwrap(),
        season_id: GameId::new("s1").unwrap(),
        name: "Spring".to_owned(),
        ver: 0,
    };
    let season = db.create(&season).await.unwrap();
    let season = db.edit(season, |season| season.name = "Summer".to_owned()).await.unwrap();
    assert_eq!(db.season(&season.season_id).await.unwrap(), Some(season.clone()));
    assert_eq!(db.seasons(&season.league_id).first().await.unwrap(), Some(season.clone()));
    assert_eq!(db.verify(&season).await.unwrap(), []);

    // Another program writes past the model.
    let stray = item! {
        "PK" => "SEASON#s1", "SK" => "METADATA", "ItemType" => "Season",
        "league_id" => "l1", "season_id" => "s1", "name" => "Winter", "ver" => 2,
    };
    database.put_item(PutItem::new("seasons", stray)).unwrap();
    let drift = db.verify(&season).await.unwrap();
    assert_eq!(drift.iter().map(|drift| drift.kind).collect::<Vec<_>>(), [DriftKind::Differs]);
    assert_eq!(db.repair(&season).await.unwrap(), drift);
    assert_eq!(db.season(&season.season_id).await.unwrap(), Some(season.clone()));
    db.delete(&season).await.unwrap();
    assert_eq!(db.season(&season.season_id).await.unwrap(), None);
}

/// Complaint 14: expressions are texts with untyped placeholders.
#[tokio::test]
async fn expressions_are_typed_values() {
    let db = World::new().await.db;
    let key = db.create(&game("g1", "2026-05-01")).await.unwrap().key();
    // `status` and `date` are reserved words; a path needs no placeholder for them.
    let is_open: Condition<Game> = model::game::status()
        .is_in([Status::Scheduled, Status::InProgress])
        .and(model::game::date().ge("2026-01-01".parse::<Date>().unwrap()));
    let close = || Game::update(&key).status(Status::Final).when(is_open.clone());
    assert_eq!(db.update(close()).await.unwrap().status, Status::Final);
    match db.update(close()).await {
        Err(Error::ConditionFailed { entity: "Game", row: Some(row) }) => {
            assert_eq!(text(&row, "status"), Some("FINAL"));
        }
        other => panic!("{other:?}"),
    }
    let reopen = Game::update(&key).status(Status::Scheduled).when(!is_open);
    assert_eq!(db.update(reopen).await.unwrap().status, Status::Scheduled);
}
