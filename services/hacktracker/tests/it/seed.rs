//! The seed's own rows and queries: rows that are printed there are read by the model, and queries that
//! are printed there find what the model writes.

mod queries;
pub(crate) mod rows;

use std::sync::Arc;

use monotable::dynamodb::{GetItem, PutItem, Query, Scan};
use monotable::prelude::*;
use monotable::{AttributeValue, Clock, Database, Item, ManualClock, Options, item};
use monotable_hacktracker::table::{
    GameStatus, HackTracker, HackTrackerReads, MembershipStatus, Role, TeamType,
};
pub(crate) use monotable_testkit::service::seed::printed_item;
use serde_json::{Value, json};

use crate::world::World;
pub(crate) use crate::world::id;

/// The table's name.
pub(crate) const TABLE: &str = "hacktracker-test";

/// The table, seen from above and from below.
pub(crate) struct Raw {
    pub(crate) db: Store<HackTracker>,
    pub(crate) database: Database,
}

impl Raw {
    /// Returns an empty table at 2026-01-01T00:00:00Z.
    pub(crate) async fn new() -> Self {
        let clock = Arc::new(ManualClock::new(1_767_225_600_000));
        let options = Options { clock: clock as Arc<dyn Clock>, ..Options::default() };
        let database = Database::memory_with(options);
        let settings = HackTracker::settings().environment("test");
        let db = settings.open(Embedded::new(database.clone())).await.unwrap();
        Self { db, database }
    }

    /// Writes a printed row past the model, as it is.
    pub(crate) fn put(&self, printed: &str) -> Item {
        let row = printed_item(printed);
        self.database.put_item(PutItem::new(TABLE, row.clone())).unwrap();
        row
    }

    /// Writes printed rows past the model.
    pub(crate) fn put_all<'a>(&self, printed: impl IntoIterator<Item = &'a str>) {
        for row in printed {
            self.put(row);
        }
    }

    /// Returns a row as it is stored.
    pub(crate) fn row(&self, partition: &str, sort: &str) -> Option<Item> {
        let key = item! { "PK" => partition, "SK" => sort };
        let found = self.database.get_item(GetItem::new(TABLE, key)).unwrap();
        found.item.map(|item| item.to_item())
    }

    /// Returns every row as it is stored.
    pub(crate) fn rows(&self) -> Vec<Item> {
        let page = self.database.scan(Scan::new(TABLE)).unwrap();
        assert!(page.last_evaluated_key.is_none(), "one page holds what tests write");
        page.items.into_iter().map(|item| item.to_item()).collect()
    }

    /// Returns one page of a query in DynamoDB's own terms.
    pub(crate) fn query(&self, query: Query) -> (Vec<Item>, Option<Item>) {
        let page = self.database.query(query).unwrap();
        let items = page.items.into_iter().map(|item| item.to_item()).collect();
        (items, page.last_evaluated_key)
    }
}

#[tokio::test]
async fn the_printed_rows_are_read() {
    let raw = Raw::new().await;
    raw.put_all(rows::ALL);
    let (user_id, team_id) = (id(rows::USER_ID), id(rows::TEAM_ID));
    let db = &raw.db;

    let user = db.user(&user_id).await.unwrap().unwrap();
    assert_eq!((user.email.as_str(), user.last_name.as_str()), ("john.doe@example.com", "Doe"));
    assert_eq!((user.is_active(), user.stamps.version), (true, 0));
    assert_eq!(db.user_by_subject(&user_id).await.unwrap(), Some(user));

    let team = db.team(&team_id).await.unwrap().unwrap();
    assert_eq!((team.kind(), team.is_active()), (TeamType::Managed, true));
    let membership = db.membership(&user_id, &team_id).await.unwrap().unwrap();
    assert_eq!((membership.role, membership.status), (Role::Owner, MembershipStatus::Active));
    assert_eq!(membership.invited_by, None);

    let player = db.player(&team_id, &id(rows::PLAYER_ID)).await.unwrap().unwrap();
    assert_eq!((player.player_number, player.is_ghost), (Some(12), false));
    assert_eq!((player.positions.join(" "), player.pa_count), ("SS 2B".to_owned(), None));
    assert_eq!(player.user_id, Some(user_id.clone()));

    let game = db.game(&id(rows::GAME_ID)).await.unwrap().unwrap();
    assert_eq!((game.status, game.planned_innings()), (GameStatus::Scheduled, 7));
    assert!(game.lineup.is_empty());

    // Whatever the printed rows are in an index for is found there.
    assert_eq!(db.teams(Default::default()).page().await.unwrap().rows, [team]);
    assert_eq!(db.games_of(&team_id).page().await.unwrap().rows, [game]);
    assert_eq!(db.memberships(&user_id).page().await.unwrap().rows, [membership]);
    assert_eq!(db.roster(&team_id).page().await.unwrap().rows, [player]);
}

#[tokio::test]
async fn ghosts_and_creators_store_the_nulls_that_are_printed() {
    let world = World::new().await;
    let team = world.post("ann", "/teams", json!({ "name": "Sluggers" })).await.json();
    let team_id = team["teamId"].as_str().unwrap();
    let path = format!("/teams/{team_id}/players");
    let ghost = world.post("ann", &path, json!({ "firstName": "Bob" })).await.json();
    let player_id = ghost["playerId"].as_str().unwrap();
    let row = |partition: String, sort: String| {
        let key = item! { "PK" => partition, "SK" => sort };
        let found = world.database.get_item(GetItem::new("hacktracker-dev", key)).unwrap();
        found.item.unwrap().to_item()
    };
    let membership = row("USER#ann".into(), format!("TEAM#{team_id}"));
    assert_eq!(membership.get("invitedBy"), Some(&AttributeValue::Null));
    let player = || row(format!("TEAM#{team_id}"), format!("PLAYER#{player_id}"));
    assert_eq!(player().get("userId"), Some(&AttributeValue::Null));
    assert_eq!(player().get("GSI4PK"), None);
    // Also of a member who joins and leaves.
    let invite = json!({ "role": "player", "playerId": player_id });
    let invite = world.post("ann", &format!("/teams/{team_id}/invites"), invite).await.json();
    let token = json!({ "token": invite["token"] });
    assert_eq!(world.post("bob", "/invites/accept", token).await.status, 200);
    assert_eq!(player().get("userId"), Some(&AttributeValue::S("bob".into())));
    assert!(player().contains_key("GSI4PK"));
    let invited = row("USER#bob".into(), format!("TEAM#{team_id}"));
    assert_eq!(invited.get("invitedBy"), Some(&AttributeValue::S("ann".into())));
    world.delete("ann", &format!("{path}/{player_id}/link")).await;
    assert_eq!(player().get("userId"), Some(&AttributeValue::Null));
    assert_eq!(player().get("GSI4PK"), None);
    let shown = world.get("ann", &format!("{path}/{player_id}")).await.json();
    assert_eq!(shown["userId"], Value::Null);
}
