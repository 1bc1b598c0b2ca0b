//! The service in memory, and what most tests begin with.

#[path = "world/rows.rs"]
mod rows;

use std::sync::Arc;
use std::time::Duration;

use monotable::{Database, ManualClock};
use monotable_hacktracker::table::{HackTracker, HackTrackerReads as _, Role, TeamType};
use monotable_hacktracker::{App, HackTrackerService};
use monotable_host::Service;
use monotable_kit::Principal;
use monotable_testkit::service::{self, Backing, Subject, Testing};
use serde_json::{Value, json};

pub(crate) use self::rows::Rows;
use crate::{invariants, storage};

/// The table's name.
pub(crate) const TABLE: &str = "hacktracker-dev";
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// A process of the service.
pub(crate) type World = service::World<Softball>;

/// HackTracker, for its tests.
pub(crate) struct Softball;

impl Subject for Softball {
    type App = App;
    type Table = HackTracker;

    const HIDDEN_FIELDS: &'static [&'static str] = &["PK", "SK", "tokenHash", "listShard"];

    fn service() -> Box<dyn Service> {
        Box::new(HackTrackerService::default())
    }

    fn principal(user: &str) -> Principal {
        let roles = if user == "admin" { vec!["admin".to_owned()] } else { Vec::new() };
        let email = Some(format!("{user}@example.org"));
        Principal { id: user.to_owned(), email, email_verified: true, roles }
    }

    fn backend(database: &Database, clock: &Arc<ManualClock>) -> Backing {
        storage::backend(database, clock)
    }

    fn quiet_invariants(world: &World) -> Testing<'_, Vec<String>> {
        Box::pin(invariants::quiet(world))
    }

    /// Works until no job is due within a day.
    fn finish_work(world: &World) -> Testing<'_, bool> {
        Box::pin(async {
            for _ in 0..20 {
                world.app.work().await.unwrap();
                let tickets = world.app.db.job_tickets().page().await.unwrap().rows;
                let soon = world.app.db.now() + Duration::from_millis(DAY_MS);
                if tickets.iter().all(|ticket| ticket.due_at > soon) {
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
    /// Returns the team `red` of owner ann, manager meg, scorekeeper sam and player pat, with nine players.
    async fn red() -> Self;

    /// Creates a game of the team `red` with its lineup and these fields; returns its id.
    async fn game(&self, fields: Value) -> String;

    /// Records a plate appearance of a player of `red`, by the scorekeeper; returns its id.
    async fn at_bat(&self, game: &str, player: usize, fields: Value) -> String;
}

impl Setup for World {
    async fn red() -> Self {
        let world = Self::new().await;
        let members = [
            ("ann", Role::Owner),
            ("meg", Role::Manager),
            ("sam", Role::Scorekeeper),
            ("pat", Role::Player),
        ];
        world.team("red", TeamType::Managed, &members, 9).await;
        world
    }

    async fn game(&self, fields: Value) -> String {
        let mut body = json!({ "teamId": "red", "lineup": lineup() });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let created = self.post("sam", "/games", body).await;
        assert_eq!(created.status, 201, "{}", created.text);
        created.json()["gameId"].as_str().unwrap().to_owned()
    }

    async fn at_bat(&self, game: &str, player: usize, fields: Value) -> String {
        let mut body = json!({ "playerId": format!("red-{player}"), "result": "1B" });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let recorded = self.post("sam", &format!("/games/{game}/atbats"), body).await;
        assert_eq!(recorded.status, 201, "{}", recorded.text);
        recorded.json()["atBatId"].as_str().unwrap().to_owned()
    }
}

/// Returns the nine players of `red`.
pub(crate) fn lineup() -> Vec<String> {
    (1..=9).map(|number| format!("red-{number}")).collect()
}

/// Returns an id.
pub(crate) fn id<I: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> I {
    text.parse().unwrap()
}
