//! HackTracker: an at-bat that is recorded, and the box score of a game.

mod engine;
mod service;
mod world;

use std::sync::Arc;
use std::time::Duration;

use monotable::{Clock, SystemClock};
use monotable_bench::Result;

use self::world::{Act, World};
use crate::clients;
use crate::measured::Slice;
use crate::subject::{DatabaseLocation, Subject, share};

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

    async fn service_slice(&self, act: Act, round: usize, duration: Duration) -> Result<Slice> {
        let World { service, games, callers, slices, .. } = &self.0;
        let games = share(games, round, *slices);
        clients::slice(games.chunks(games.len() / callers), duration, |games, watch| {
            service::client(service.clone(), act, games.to_vec(), watch)
        })
        .await
    }

    async fn engine_slice(&self, act: Act, round: usize, duration: Duration) -> Result<Slice> {
        let World { databases, games, callers, slices, .. } = &self.0;
        let games = share(games, round, *slices);
        clients::slice(games.chunks(games.len() / callers), duration, |games, watch| {
            engine::client(databases.engine.clone(), act, games.to_vec(), watch)
        })
        .await
    }
}
