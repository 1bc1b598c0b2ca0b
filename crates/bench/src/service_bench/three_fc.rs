//! 3FC: a goal that is recorded, and the page of a game; alone, the standings of a long season, and a game
//! that many spectators follow.

mod alone;
mod engine;
mod service;
mod world;

use std::sync::Arc;

use monotable::{Clock, SystemClock};
use monotable_bench::Result;

use self::world::{Act, World};
use crate::clients::{self, Limit};
use crate::measured::{Alone, Slice};
use crate::subject::{DatabaseLocation, Databases, Subject, share};

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

    fn databases(&self) -> &Databases {
        &self.0.databases
    }

    async fn service_slice(&self, act: Act, round: usize, limit: Limit) -> Result<Slice> {
        let World { service, token, games, callers, slices, .. } = &self.0;
        let games = share(games, round, *slices);
        clients::slice(games.chunks(games.len() / callers), limit, |games, watch| {
            service::client(service.clone(), token.clone(), act, games.to_vec(), watch)
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

    async fn alone(&self) -> Result<Vec<Alone>> {
        Ok(vec![alone::standings(&self.0).await?, alone::spectators(&self.0).await?])
    }
}
