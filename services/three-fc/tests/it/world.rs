//! The service in memory, and what most tests begin with.

use std::sync::Arc;
use std::time::Duration;

use monotable::dynamodb::{DeleteItem, GetItem};
use monotable::{Database, Item, ManualClock, item};
use monotable_host::Service;
use monotable_testkit::service::{self, Backing, Request, Response, Subject, Testing};
use monotable_three_fc::table::{
    Game, GameStatus, Stamps, TeamSnapshot, ThreeFc, ThreeFcReads as _,
};
use monotable_three_fc::{App, ThreeFcService};
use serde_json::{Value, json};

use crate::{invariants, storage};

/// A process of the service.
pub(crate) type World = service::World<Football>;

/// 3FC, for its tests.
pub(crate) struct Football;

impl Subject for Football {
    type App = App;
    type Table = ThreeFc;

    const HIDDEN_FIELDS: &'static [&'static str] =
        &["pk", "sk", "tokenHash", "claimedByUserId", "adminCount"];

    fn service() -> Box<dyn Service> {
        Box::new(ThreeFcService::default())
    }

    fn backend(database: &Database, clock: &Arc<ManualClock>) -> Backing {
        storage::backend(database, clock)
    }

    fn invariants(world: &World) -> Testing<'_, Vec<String>> {
        Box::pin(invariants::always(world))
    }

    fn quiet_invariants(world: &World) -> Testing<'_, Vec<String>> {
        Box::pin(invariants::quiet(world))
    }

    /// Works until no job is left.
    fn finish_work(world: &World) -> Testing<'_, bool> {
        Box::pin(async {
            for _ in 0..20 {
                world.app.work().await.unwrap();
                if world.app.db.job_tickets().page().await.unwrap().rows.is_empty() {
                    return true;
                }
                // A job that a dead worker had taken is free again after a while.
                world.clock.advance_ms(60 * 1000);
            }
            false
        })
    }
}

/// What most tests begin with.
pub(crate) trait Setup: Sized {
    /// Returns the league `l1` of admin ann, scorekeeper sam and viewer vic, with season `s1` and session `x1`;
    /// eve is the admin of the league `l2`, and zoe has an account.
    async fn league() -> Self;

    /// Writes a game of the session `x1`.
    async fn game(&self, id: &str, status: GameStatus) -> Game;

    /// Gives a user an account.
    async fn account(&self, user: &str);

    /// Sends a PATCH.
    async fn patch(&self, actor: &str, path: &str, body: Value) -> Response;

    /// Returns a row as it is stored.
    fn row(&self, partition: &str, sort: &str) -> Option<Item>;

    /// Deletes a row past the service.
    fn remove(&self, partition: &str, sort: &str);

    /// Returns whether the table has such a row.
    fn has(&self, partition: &str, sort: &str) -> bool {
        self.row(partition, sort).is_some()
    }
}

impl Setup for World {
    async fn league() -> Self {
        let world = Self::new().await;
        for user in ["ann", "sam", "vic", "zoe", "eve"] {
            world.account(user).await;
        }
        let league = json!({ "leagueId": "l1", "name": "One", "slug": "one" });
        done(world.post("ann", "/v1/leagues", league).await, 201);
        done(
            world.post("eve", "/v1/leagues", json!({ "leagueId": "l2", "name": "Two" })).await,
            201,
        );
        for (user, role) in [("sam", "scorekeeper"), ("vic", "viewer")] {
            let path = format!("/v1/leagues/l1/acl/{user}");
            done(world.put("ann", &path, json!({ "role": role })).await, 200);
        }
        let season = json!({ "seasonId": "s1", "name": "Autumn", "slug": "autumn" });
        done(world.post("ann", "/v1/leagues/l1/seasons", season).await, 201);
        let session = json!({ "sessionId": "x1", "sessionDate": "2027-01-15" });
        done(world.post("sam", "/v1/seasons/s1/sessions", session).await, 201);
        world
    }

    async fn game(&self, game: &str, status: GameStatus) -> Game {
        let db = &self.app.db;
        let session = db.session(&id("x1")).await.unwrap().unwrap();
        let games = session.game_count.unwrap();
        db.edit(session, |session| session.game_count = Some(games + 1)).await.unwrap();
        let teams = ["red", "blue", "yellow"];
        let start = self.now() + Duration::from_secs(60 * u64::from(games));
        let team = |team_id: &str| TeamSnapshot {
            team_id: id(team_id),
            name: team_id.to_uppercase(),
            color: None,
        };
        let game = Game {
            game_id: id(game),
            league_id: id("l1"),
            season_id: id("s1"),
            session_id: id("x1"),
            status,
            game_start_ts: start.into(),
            location: None,
            third_length_minutes: Some(20),
            team_ids: teams.map(id).to_vec(),
            teams: teams.map(team).to_vec(),
            thirds: Vec::new(),
            tallies: Vec::new(),
            changes: 0,
            result: None,
            finished_at: None,
            public_visible: true,
            stamps: Stamps::default(),
        };
        db.create(&game).await.unwrap()
    }

    async fn account(&self, user: &str) {
        done(self.get(user, "/v1/me").await, 200);
    }

    async fn patch(&self, actor: &str, path: &str, body: Value) -> Response {
        self.request(actor, "PATCH".parse().unwrap(), path, body, &[]).await
    }

    fn row(&self, partition: &str, sort: &str) -> Option<Item> {
        let get = GetItem::new(self.table.as_str(), item! { "pk" => partition, "sk" => sort });
        self.database.get_item(get).unwrap().item.map(|item| item.to_item())
    }

    fn remove(&self, partition: &str, sort: &str) {
        let key = item! { "pk" => partition, "sk" => sort };
        self.database.delete_item(DeleteItem::new(self.table.as_str(), key)).unwrap();
    }
}

/// Checks the status of a response, and returns its body.
pub(crate) fn done(response: Response, status: u16) -> Value {
    assert_eq!(response.status, status, "{}", response.text);
    response.value()
}

/// An id.
pub(crate) fn id<I: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> I {
    text.parse().unwrap()
}

/// Sends requests of users at the same time, each with the `Idempotency-Key` if there is one.
pub(crate) async fn at_once(
    world: &Arc<World>,
    requests: impl IntoIterator<Item = (&'static str, String, Value)>,
    key: Option<&'static str>,
) -> Vec<Response> {
    let mut running = tokio::task::JoinSet::new();
    for (user, route, body) in requests {
        let world = Arc::clone(world);
        running.spawn(async move {
            let headers: Vec<_> = key.map(|key| ("idempotency-key", key)).into_iter().collect();
            world.send(user, Request::new(&route, body).headers(&headers)).await
        });
    }
    running.join_all().await
}
