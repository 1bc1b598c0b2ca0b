//! CodeKurukshetra: teams that register, and payments that are reported more than once; alone, an export.

mod alone;
mod service;
#[cfg(test)]
mod tests;
mod till;
mod world;

use monotable::prelude::Embedded;
use monotable_bench::Result;

use self::world::{Act, World};
use crate::clients::{self, Limit, Stopwatch};
use crate::measured::{Alone, Slice};
use crate::recorded::Sent;
use crate::subject::{DatabaseLocation, Databases, Subject, share};

/// The service with its teams, and the same rows for the engine.
pub(crate) struct CodeKurukshetra(World);

impl Subject for CodeKurukshetra {
    const NAME: &'static str = "codekurukshetra";
    const IS_BY_HAND: bool = false;
    const ACTS: &'static [Act] = &[Act::Register, Act::Capture];
    type Act = Act;

    fn act_name(act: Act) -> &'static str {
        match act {
            Act::Register => "register",
            Act::Capture => "capture",
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
        let World { desk, teams, callers, slices, .. } = &self.0;
        let teams = share(teams, round, *slices);
        clients::slice(teams.chunks(teams.len() / callers), limit, |teams, watch| {
            service::client(desk.clone(), act, teams.to_vec(), watch)
        })
        .await
    }

    /// Sends the requests again that the service has sent in the round before this one.
    async fn engine_slice(&self, _act: Act, _round: usize, limit: Limit) -> Result<Slice> {
        let clients = std::mem::take(&mut *self.0.desk.sent());
        let engine = Embedded::new(self.0.databases.engine.clone());
        clients::slice(clients, limit, |calls, watch| repeat(engine.clone(), calls, watch)).await
    }

    async fn alone(&self) -> Result<Vec<Alone>> {
        Ok(vec![alone::delivered_at_once(&self.0).await?, alone::export(&self.0).await?])
    }
}

/// Repeats a request of one of the service's clients. Later rounds add rows to those of earlier
/// ones.
async fn repeat(
    engine: Embedded,
    calls: Vec<Vec<Sent>>,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    for call in calls {
        let call = async {
            for sent in call {
                sent.repeat(&engine).await?;
            }
            Ok(())
        };
        watch.measure(call).await?;
    }
    Ok(watch)
}
