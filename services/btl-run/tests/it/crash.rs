//! The process is killed at every storage call of a command and of the work behind it.

mod commands;

use monotable::Clock as _;
use monotable_btl_run::jobs::narrate::narrate_due;
use monotable_testkit::service::{Act, Crash, Setting};
use serde_json::{Value, json};

use crate::costly::COSTLY;
use crate::players::{Play as _, Player};
use crate::world::{Actor, Arena, Opened, World};

/// A match and its players.
struct Stage {
    world: World,
    opened: Opened,
    players: Vec<Player>,
}

impl Stage {
    /// Returns a lobby with these users as players, in processes with a narrator that costs.
    async fn lobby(fields: Value, users: &[&'static str]) -> Self {
        let world = World::set(Setting::new(COSTLY)).await;
        let opened = world.open_match(fields).await;
        let mut players = Vec::new();
        for user in users {
            players.push(world.join_as(Actor::User(user), &opened, user).await);
        }
        Self { world, opened, players }
    }

    /// Returns the same, started.
    async fn started(fields: Value, users: &[&'static str]) -> Self {
        let stage = Self::lobby(fields, users).await;
        stage.world.host(&stage.opened, "start", json!({})).await;
        stage
    }

    /// Kills the process at every call of a request and of the story behind it.
    async fn kill(&self, actor: Actor<'_>, route: &str, body: &Value) {
        let route = route.replace("{m}", &self.opened.id);
        self.telling().at_every_call(Act::request(actor, &route, body)).await;
    }

    /// Kills the process at every call of a request of the host.
    async fn kill_host(&self, route: &str, body: &Value) {
        self.kill(self.opened.actor(), route, body).await;
    }

    /// Processes that do nothing but tell stories behind a request.
    fn telling(&self) -> Crash<'_, Arena> {
        Crash::of(&self.world).work(|world| Box::pin(async { drop(narrate_due(&world.app).await) }))
    }

    /// Processes that do all work, after their first round.
    fn working(&self) -> Crash<'_, Arena> {
        Crash::of(&self.world).warm_up(|world| Box::pin(look_around(world)))
    }
}

/// The first round of a process, which looks for turns everywhere, half an hour ago.
async fn look_around(world: &World) {
    let now = world.clock.now_ms();
    world.clock.set_ms(now - 30 * 60 * 1000);
    world.app.work().await.unwrap();
    world.clock.set_ms(now);
}
