//! HackTracker: an at-bat that is recorded, and the box score of a game.

mod engine;
mod service;
mod world;

use std::sync::Arc;

use monotable::{Clock, SystemClock};
use monotable_bench::Result;

use self::world::{Act, World};
use crate::clients::{self, Limit};
use crate::measured::Slice;
use crate::subject::{DatabaseLocation, Databases, Subject, share};

/// The service with its games, and the same rows for the engine.
pub(crate) struct HackTracker(World);

impl Subject for HackTracker {
    const NAME: &'static str = "hacktracker";
    const ACTS: &'static [Act] = &[Act::RecordAtBat, Act::BoxScore];
    type Act = Act;

    fn act_name(act: Act) -> &'static str {
        match act {
            Act::RecordAtBat => "recordAtBat",
            Act::BoxScore => "boxscore",
        }
    }

    async fn prepare(
        location: DatabaseLocation<'_>,
        callers: usize,
        slices: usize,
    ) -> Result<Self> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        Ok(Self(World::new(location.databases(&clock)?, callers, slices).await?))
    }

    fn databases(&self) -> &Databases {
        &self.0.databases
    }

    async fn service_slice(&self, act: Act, round: usize, limit: Limit) -> Result<Slice> {
        let World { service, games, callers, slices, .. } = &self.0;
        let games = share(games, round, *slices);
        clients::slice(games.chunks(games.len() / callers), limit, |games, watch| {
            service::client(service.clone(), act, games.to_vec(), watch)
        })
        .await
    }

    async fn engine_slice(&self, act: Act, round: usize, limit: Limit) -> Result<Slice> {
        let World { databases, games, callers, slices, .. } = &self.0;
        let games = share(games, round, *slices);
        clients::slice(games.chunks(games.len() / callers), limit, |games, watch| {
            engine::client(databases.engine.clone(), act, games.to_vec(), watch)
        })
        .await
    }
}
