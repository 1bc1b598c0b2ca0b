//! Two matches, and everybody who may want something of the first one.

use http::Method;
use monotable_btl_run::rules::state::Alliance;
use monotable_btl_run::table::AllianceId;
use monotable_kit::{Principal, Route};
use monotable_testkit::service::{Stage, Subject as _, example_body};
use serde_json::{Value, json};

use crate::players::{Play as _, Player};
use crate::world::{Actor, Arena, Opened, World};

/// The actors, in the order of the table's marks.
pub(super) const ACTORS: &[&str] = &[
    "nobody",
    "made-up token",
    "forged identity",
    "zoe",
    "ann, the host",
    "bob, the player",
    "host",
    "player",
    "dead player",
    "other host",
    "other player",
    "removed player",
    "kv:read",
    "kv:write",
    "kv:admin",
];

/// The matches, and the tokens of the actors.
pub(super) struct MatrixMatches {
    own: Opened,
    bob: Player,
    dan: Player,
    rex: Player,
    other: Opened,
    stranger: Player,
    made_up: String,
}

/// Returns the first match in this state, which is its lobby unless it is active or ended.
pub(super) async fn matches(at: &str) -> (World, MatrixMatches) {
    let world = World::new().await;
    let own = world.open_match(json!({})).await;
    let bob = world.join_as(Actor::User("bob"), &own, "Bob").await;
    let dan = world.join(&own, "Dan").await;
    let rex = world.join_as(Actor::User("rex"), &own, "Rex").await;
    assert_eq!(world.remove(own.actor(), &own, &rex.tribute).await.status, 200);
    let other = world.post(Actor::User("eve"), "/match", json!({ "mode": "quick" })).await;
    let other = Opened::of(&other);
    let stranger = world.join(&other, "Stranger").await;
    let secret = stranger.token.rsplit('/').next().unwrap();
    let made_up = format!("btl1/host/{}/{secret}", own.id);
    for path in ["/kv/settings%23u1/theme", "/kv1/settings"] {
        assert_eq!(world.put(Actor::User("kv:admin"), path, json!({})).await.status, 200);
    }
    let matches = MatrixMatches { own, bob, dan, rex, other, stranger, made_up };
    if at == "active" || at == "ended" {
        matches.play(&world).await;
    }
    if at == "ended" {
        world.host(&matches.own, "end", json!({})).await;
    }
    (world, matches)
}

impl MatrixMatches {
    /// Starts the match; dan is dead, and bob has an ally.
    async fn play(&self, world: &World) {
        world.host(&self.own, "start", json!({})).await;
        let row = world.app.match_row(&self.own.id.parse().unwrap()).await.unwrap();
        let alliance = AllianceId::new("a1").unwrap();
        let edited = world.app.db.edit(row, |row| {
            let members = vec![self.bob.tribute.parse().unwrap(), "ai-1".parse().unwrap()];
            for tribute in &mut row.state.roster {
                if tribute.id.as_str() == self.dan.tribute {
                    (tribute.alive, tribute.hp) = (false, 0);
                }
                if members.contains(&tribute.id) {
                    tribute.alliance_id = Some(alliance.clone());
                }
            }
            row.state.alliances.push(Alliance { id: alliance.clone(), members });
            row.state.version = row.stamps.version + 1;
        });
        edited.await.unwrap();
    }
}

impl Stage<Arena> for MatrixMatches {
    fn path_value(&self, route: &Route, name: &str, at: &str) -> String {
        let is_missing = at == "missing";
        match name {
            "id" if is_missing => "none".to_owned(),
            "id" => self.own.id.clone(),
            "code" if is_missing => "ZZZZZZ".to_owned(),
            "code" => self.own.code.clone(),
            "tributeId" => self.bob.tribute.clone(),
            "day" => "1".to_owned(),
            "pk" if at == "owned" => format!("match%23{}", self.own.id),
            "sk" if at == "owned" => "secret".to_owned(),
            "pk" => "settings%23u1".to_owned(),
            "sk" | "key" if route.method == Method::POST => "other".to_owned(),
            "sk" => "theme".to_owned(),
            "key" => "settings".to_owned(),
            other => panic!("the matrix has no value for {{{other}}} of {}", route.path),
        }
    }

    fn body(&self, route: &Route, _at: &str) -> Value {
        match route.operation {
            "joinMatch" => json!({ "code": self.own.code, "name": "Nova" }),
            "advance" => json!({ "turnId": "d1t1", "force": true }),
            "changeRules" => json!({ "items": false }),
            "inject" => json!({ "kind": "weather", "weather": "fog" }),
            _ => example_body(route, &|_| None),
        }
    }

    fn token(&self, world: &World, actor: &str) -> Option<String> {
        let token: &str = match actor {
            "nobody" => return None,
            "made-up token" => &self.made_up,
            "forged identity" => {
                let roles = vec!["kv:admin".to_owned(), "btl-run:match-token".to_owned()];
                return Some(world.forged_token(&Principal { roles, ..Arena::principal("ann") }));
            }
            "host" => &self.own.host,
            "player" => &self.bob.token,
            "dead player" => &self.dan.token,
            "other host" => &self.other.host,
            "other player" => &self.stranger.token,
            "removed player" => &self.rex.token,
            user => {
                let (name, _) = user.split_once(',').unwrap_or((user, ""));
                return world.token(Actor::User(name));
            }
        };
        Some(token.to_owned())
    }

    /// Requests are counted and remembered, also those that are refused.
    fn is_compared(&self, row: &str) -> bool {
        !row.contains("\"rate#") && !row.contains("\"idem#")
    }

    /// Ten may join in a minute from one address.
    fn before_request(&self, world: &World) {
        world.clock.advance_ms(60 * 1000);
    }
}
