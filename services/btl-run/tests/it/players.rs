//! Players of a match, and what they and its host do.

use serde_json::{Value, json};

use crate::world::{Actor, Opened, Response, World};

/// Somebody who has joined a match.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) tribute: String,
    pub(crate) token: String,
}

impl Player {
    /// Returns the player that a response to joining shows.
    pub(crate) fn of(joined: &Response) -> Self {
        assert_eq!(joined.status, 201, "{}", joined.text);
        let body = joined.json();
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        Self { tribute: text("tributeId"), token: text("playerToken") }
    }

    pub(crate) fn actor(&self) -> Actor<'_> {
        Actor::Token(&self.token)
    }
}

impl Play for World {
    fn world(&self) -> &World {
        self
    }
}

/// What players and hosts do.
pub(crate) trait Play {
    /// Returns the process that is played on.
    fn world(&self) -> &World;

    /// Opens a match of `ann` with tributes that nobody plays.
    async fn open_match(&self, fields: Value) -> Opened {
        let mut body = json!({ "mode": "quick" });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        Opened::of(&self.world().post(Actor::User("ann"), "/match", body).await)
    }

    /// Returns what comes of joining with the match's code and these further fields.
    async fn try_join(
        &self,
        who: Actor<'_>,
        opened: &Opened,
        name: &str,
        fields: Value,
    ) -> Response {
        let mut body = json!({ "code": opened.code, "name": name });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.world().post(who, &opened.path("join"), body).await
    }

    /// Somebody without an identity joins.
    async fn join(&self, opened: &Opened, name: &str) -> Player {
        self.join_as(Actor::Nobody, opened, name).await
    }

    /// Somebody joins.
    async fn join_as(&self, who: Actor<'_>, opened: &Opened, name: &str) -> Player {
        // Ten may join in a minute from one address.
        self.world().clock.advance_ms(60 * 1000);
        let joined = self.try_join(who, opened, name, json!({})).await;
        Player::of(&joined)
    }

    /// Returns the host does something that works. An advance that names no turn is for the open one.
    async fn host(&self, opened: &Opened, what: &str, mut body: Value) -> Value {
        if what == "advance" && body.get("turnId").is_none() {
            body["turnId"] = self.look(opened).await["turnId"].clone();
        }
        let answer = self.world().post(opened.actor(), &opened.path(what), body).await;
        assert!(answer.is_success(), "{what}: {}", answer.text);
        answer.json()
    }

    /// Returns a player's tribute shall do something in a turn.
    async fn act(&self, opened: &Opened, player: &Player, turn: &str, action: &str) -> Response {
        let body = json!({ "turnId": turn, "action": action });
        self.world().post(player.actor(), &opened.path("action"), body).await
    }

    /// Returns the match as its host sees it.
    async fn look(&self, opened: &Opened) -> Value {
        self.world().get(opened.actor(), &format!("/match/{}", opened.id)).await.json()
    }

    /// Somebody removes a tribute.
    async fn remove(&self, who: Actor<'_>, opened: &Opened, tribute: &str) -> Response {
        let path = opened.path(&format!("tribute/{tribute}"));
        self.world().delete(who, &path).await
    }

    /// Returns the keys of the rows in a partition, in order.
    fn keys_of(&self, partition: &str) -> Vec<String> {
        let text = |row: &monotable::Item, name: &str| {
            row.get(name).and_then(|value| value.as_s()).unwrap_or_default().to_owned()
        };
        let rows = self.world().rows();
        let of_it = rows.iter().filter(|row| text(row, "pk") == partition);
        let mut keys: Vec<String> = of_it.map(|row| text(row, "sk")).collect();
        keys.sort();
        keys
    }

    /// The log and the state agree: events are numbered without gaps and fold to the state.
    async fn check_log(&self, opened: &Opened) {
        let row = self.world().app.match_row(&opened.id.parse().unwrap()).await.unwrap();
        let events =
            monotable_btl_run::log::all_events(&self.world().app, &row.state).await.unwrap();
        let state = monotable_btl_run::rules::events::replay(&events, row.stamps.version).unwrap();
        assert_eq!(state, row.state);
        let shards = (0..row.state.shard_count).map(|shard| format!("#shard{shard}"));
        let parts = shards.chain([String::new()]);
        let keys = parts.flat_map(|part| self.keys_of(&format!("match#{}{part}", opened.id)));
        assert_eq!(keys.filter(|key| key.starts_with("log#")).count(), events.len());
    }
}
