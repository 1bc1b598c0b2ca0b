//! btl.run: a player's action, and a turn that is resolved.

mod engine;
mod service;
mod steps;
mod world;
mod written;

#[cfg(test)]
mod tests;

use monotable_bench::Result;

use self::world::{Act, World};
use self::written::Played;
use crate::clients::{self, Limit};
use crate::measured::Slice;
use crate::subject::{DatabaseLocation, Databases, Subject, share};

/// The service with its matches, and the same rows for the engine.
pub(crate) struct BtlRun(World);

impl Subject for BtlRun {
    const NAME: &'static str = "btl-run";
    const ACTS: &'static [Act] = &[Act::Advance, Act::SubmitAction];
    type Act = Act;

    fn act_name(act: Act) -> &'static str {
        match act {
            Act::Advance => "advance",
            Act::SubmitAction => "submitAction",
        }
    }

    async fn prepare(
        location: DatabaseLocation<'_>,
        callers: usize,
        slices: usize,
    ) -> Result<Self> {
        Ok(Self(World::new(location, callers, slices).await?))
    }

    fn databases(&self) -> &Databases {
        &self.0.databases
    }

    async fn service_slice(&self, act: Act, round: usize, limit: Limit) -> Result<Slice> {
        let World { player, callers, slices, .. } = &self.0;
        let matches = share(self.0.matches(act), round, *slices);
        clients::slice(matches.chunks(matches.len() / callers), limit, |matches, watch| {
            service::client(player.clone(), act, matches.to_vec(), watch)
        })
        .await
    }

    /// Makes the transactions again that the service made in this round.
    async fn engine_slice(&self, act: Act, round: usize, limit: Limit) -> Result<Slice> {
        let World { databases, callers, slices, .. } = &self.0;
        let matches = share(self.0.matches(act), round, *slices);
        let mut clients = Vec::new();
        for matches in matches.chunks(matches.len() / callers) {
            let mut played = Vec::new();
            for one in matches {
                played.push(Played::by_service(&self.0, one).await?);
            }
            clients.push(played);
        }
        clients::slice(clients, limit, |played, watch| {
            engine::client(databases.engine.clone(), played, watch)
        })
        .await
    }
}
