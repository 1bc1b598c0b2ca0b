//! 3FC: a goal that is recorded, and the page of a game; alone, the standings of a long season, and a game
//! that many spectators follow.

mod alone;
mod engine;
mod service;
mod world;

use std::sync::Arc;
use std::time::Duration;

use monotable::{Clock, SystemClock};
use monotable_bench::Result;

use self::world::{Act, World};
use crate::clients;
use crate::measured::{Alone, Slice};
use crate::subject::{DatabaseLocation, Subject, share};

/// The service with its games, and the same rows for the engine.
pub(crate) struct ThreeFc(World);

impl Subject for ThreeFc {
    const NAME: &'static str = "three-fc";
    const ACTS: &'static [Act] = &[Act::RecordGoal, Act::GamePage];
    type Act = Act;

    fn act_name(act: Act) -> &'static str {
        match act {
            Act::RecordGoal => "recordGoal",
            Act::GamePage => "game page",
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
        let World { service, token, games, callers, slices, .. } = &self.0;
        let games = share(games, round, *slices);
        clients::slice(games.chunks(games.len() / callers), duration, |games, watch| {
            service::client(service.clone(), token.clone(), act, games.to_vec(), watch)
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

    async fn alone(&self) -> Result<Vec<Alone>> {
        Ok(vec![alone::standings(&self.0).await?, alone::spectators(&self.0).await?])
    }
}
