//! ScavengerHunt: 500 players who report positions, scan codes and write to characters; alone, a large game that is
//! set up, and the dashboard of a game with many positions.

mod alone;
mod service;
#[cfg(test)]
mod tests;
mod world;

use monotable::prelude::Embedded;
use monotable_bench::Result;

use self::world::{Act, Calls, World};
use crate::clients::{self, Limit, Stopwatch};
use crate::measured::{Alone, Slice};
use crate::subject::{DatabaseLocation, Databases, Subject};

/// The service with its players, and the same rows for the engine.
pub(crate) struct ScavengerHunt(World);

impl Subject for ScavengerHunt {
    const NAME: &'static str = "scavenger-hunt";
    const IS_BY_HAND: bool = false;
    const ACTS: &'static [Act] = &[Act::Ping, Act::Scan];
    type Act = Act;

    fn act_name(act: Act) -> &'static str {
        match act {
            Act::Ping => "ping",
            Act::Scan => "scan",
            Act::Write => "write",
        }
    }

    async fn prepare(location: DatabaseLocation<'_>, callers: usize, _: usize) -> Result<Self> {
        Ok(Self(World::new(location, callers).await?))
    }

    fn databases(&self) -> &Databases {
        &self.0.databases
    }

    async fn service_slice(&self, act: Act, _round: usize, limit: Limit) -> Result<Slice> {
        let World { desk, teams, callers, .. } = &self.0;
        let teams_of = |caller| teams.iter().skip(caller).step_by(*callers).cloned().collect();
        clients::slice((0..*callers).map(teams_of), limit, |teams, watch| {
            service::client(desk.clone(), act, teams, watch)
        })
        .await
    }

    /// Sends the requests again that the service has sent in the round before this one.
    async fn engine_slice(&self, act: Act, _round: usize, limit: Limit) -> Result<Slice> {
        let clients = std::mem::take(&mut *self.0.desk.sent());
        let engine = Embedded::new(self.0.databases.engine.clone());
        clients::slice(clients, limit, |calls, watch| repeat(engine.clone(), act, calls, watch))
            .await
    }

    async fn alone(&self) -> Result<Vec<Alone>> {
        let mut measured = vec![alone::provisioning(&self.0).await?];
        measured.extend(alone::dashboard(&self.0).await?);
        Ok(measured)
    }
}

/// Repeats the requests of one of the service's clients, and measures those of an act.
async fn repeat(
    engine: Embedded,
    act: Act,
    calls: Calls,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    for (called, requests) in calls {
        let call = async {
            for sent in requests {
                sent.repeat(&engine).await?;
            }
            Ok(())
        };
        watch.measure_if(called == act, call).await?;
    }
    Ok(watch)
}
