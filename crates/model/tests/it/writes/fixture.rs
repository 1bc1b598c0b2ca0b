//! A separate table for each test, with a fixed clock, and access to the stored rows.

use std::sync::Arc;

use monotable_engine::{ManualClock, Options};
use monotable_model::backend::request::{Action, Returns};
use monotable_model::backend::request::{Get, Query, Scan, Write};
use monotable_model::backend::{Backend, Embedded};
use monotable_model::time::{EpochSeconds, Timestamp};
use monotable_model::{Settings, Store};
use monotable_types::{Item, item};

use crate::league::{
    Game, League, Note, Player, PlayerId, PlayerKey, Session, Team, TeamId, UserId,
};

/// 2026-01-01T00:00:00Z.
pub(crate) const START_MS: u64 = 1_767_225_600_000;
pub(crate) const START_SECONDS: i64 = 1_767_225_600;

pub(crate) struct Fixture {
    pub(crate) db: Store<League>,
    pub(crate) backend: Embedded,
    pub(crate) clock: Arc<ManualClock>,
}

pub(crate) async fn fixture() -> Fixture {
    let clock = Arc::new(ManualClock::new(START_MS));
    let options = Options { clock: Arc::clone(&clock) as Arc<_>, ..Options::default() };
    let backend = Embedded::memory_with(options);
    let db = Settings::<League>::new().open(backend.clone()).await.unwrap();
    Fixture { db, backend, clock }
}

impl Fixture {
    /// Returns every row of the table.
    pub(crate) async fn rows(&self) -> Vec<Item> {
        self.scan(None).await
    }

    /// Returns every row of the table, or of an index.
    pub(crate) async fn scan(&self, index: Option<&'static str>) -> Vec<Item> {
        let scan = Scan {
            table: TABLE.into(),
            index,
            filter: None,
            consistent: index.is_none(),
            limit: None,
            start_key: None,
            segment: None,
        };
        let page = self.backend.scan(scan).await.unwrap();
        assert!(page.last_key.is_none(), "the tests are smaller than a page");
        page.rows.into_iter().map(|row| row.into_item().unwrap()).collect()
    }

    /// Returns the rows of one partition of an index, in its order.
    pub(crate) async fn query(
        &self,
        index: &'static str,
        attribute: &str,
        value: &str,
    ) -> Vec<Item> {
        let query = Query {
            table: TABLE.into(),
            index: Some(index),
            key_condition: monotable_expression::key(attribute).eq(value),
            filter: None,
            forward: true,
            consistent: false,
            limit: None,
            start_key: None,
        };
        let page = self.backend.query(query).await.unwrap();
        page.rows.into_iter().map(|row| row.into_item().unwrap()).collect()
    }

    /// Returns one row as it is stored.
    pub(crate) async fn row(&self, partition: &str, sort: &str) -> Option<Item> {
        let key = item! { "PK" => partition, "SK" => sort };
        let get = Get { table: TABLE.into(), key, consistent: true, returns_units: false };
        self.backend.get(get).await.unwrap().row.map(|row| row.into_item().unwrap())
    }

    /// Writes a row as other programs do.
    pub(crate) async fn write_raw(&self, row: Item) {
        let write = Write {
            table: TABLE.into(),
            action: Action::Put(row),
            condition: None,
            return_on_failure: false,
            returns: Returns::Nothing,
            returns_units: false,
        };
        self.backend.write(write).await.unwrap();
    }

    /// Adds attributes to a stored row as other programs do.
    pub(crate) async fn add_raw(&self, partition: &str, sort: &str, more: Item) {
        let mut row = self.row(partition, sort).await.unwrap();
        row.extend(more);
        self.write_raw(row).await;
    }

    /// Returns the keys of the sentinels, in order.
    pub(crate) async fn sentinels(&self) -> Vec<String> {
        let mut keys: Vec<String> = self
            .rows()
            .await
            .iter()
            .filter_map(|row| row["PK"].as_s())
            .filter(|key| key.starts_with("UNIQUE#"))
            .map(str::to_owned)
            .collect();
        keys.sort();
        keys
    }
}

const TABLE: &str = "league-dev";

pub(crate) fn now() -> Timestamp {
    Timestamp::from_ms(i64::try_from(START_MS).unwrap()).unwrap()
}

pub(crate) fn seconds(after_start: i64) -> EpochSeconds {
    EpochSeconds::new(START_SECONDS + after_start)
}

pub(crate) fn team(id: &str, name: &str) -> Team {
    Team {
        team_id: TeamId::new(id).unwrap(),
        name: name.to_owned(),
        motto: None,
        founded: 1900,
        ver: 0,
        created_at: Timestamp::EPOCH,
        updated_at: Timestamp::EPOCH,
    }
}

pub(crate) fn player(team: &str, id: &str) -> Player {
    Player {
        team_id: TeamId::new(team).unwrap(),
        player_id: PlayerId::new(id).unwrap(),
        user_id: None,
        position: None,
        number: None,
        nick_name: None,
        goals: 0,
        ver: 0,
        updated_at: Timestamp::EPOCH,
    }
}

pub(crate) fn player_key(team: &str, id: &str) -> PlayerKey {
    PlayerKey::new(TeamId::new(team).unwrap(), PlayerId::new(id).unwrap())
}

pub(crate) fn user(id: &str) -> UserId {
    UserId::new(id).unwrap()
}

pub(crate) fn session(id: &str, token: Option<&str>, ttl: Option<i64>) -> Session {
    Session {
        session_id: id.to_owned(),
        token: token.map(str::to_owned),
        visits: 0,
        ver: 0,
        ttl: ttl.map(seconds),
    }
}

pub(crate) fn note(id: &str, text: &str) -> Note {
    Note { note_id: id.to_owned(), topic: None, text: text.to_owned(), mark: None, likes: 0 }
}

pub(crate) fn game(id: &str, place: &str) -> Game {
    Game { game_id: id.to_owned(), place: place.to_owned(), state: "planned".to_owned(), ver: 0 }
}
