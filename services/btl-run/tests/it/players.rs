//! Players of a served match, and what they and its host do.

use http::Method;
use serde_json::{Value, json};

use crate::served::{Answer, Opened, Served, Who};

/// Somebody who has joined a match.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) tribute: String,
    pub(crate) token: String,
}

impl Player {
    pub(crate) fn who(&self) -> Who<'_> {
        Who::Token(&self.token)
    }
}

impl Opened {
    pub(crate) fn who(&self) -> Who<'_> {
        Who::Token(&self.host)
    }

    /// A path of the match, such as `start`.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/match/{}/{rest}", self.id)
    }
}

impl Served {
    /// What comes of joining with the match's code and these further fields.
    pub(crate) async fn try_join(
        &self,
        who: Who<'_>,
        opened: &Opened,
        name: &str,
        fields: Value,
    ) -> Answer {
        let mut body = json!({ "code": opened.code, "name": name });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.post(who, &opened.path("join"), body).await
    }

    /// Somebody without an identity joins.
    pub(crate) async fn join(&self, opened: &Opened, name: &str) -> Player {
        self.join_as(Who::Nobody, opened, name).await
    }

    pub(crate) async fn join_as(&self, who: Who<'_>, opened: &Opened, name: &str) -> Player {
        // Ten may join in a minute from one address.
        self.clock.advance_ms(60 * 1000);
        let joined = self.try_join(who, opened, name, json!({})).await;
        assert_eq!(joined.status, 201, "{}", joined.text);
        let told = joined.json();
        let text = |name: &str| told[name].as_str().unwrap().to_owned();
        Player { tribute: text("tributeId"), token: text("playerToken") }
    }

    /// The host does something that works. An advance that names no turn is for the open one.
    pub(crate) async fn host(&self, opened: &Opened, what: &str, mut body: Value) -> Value {
        if what == "advance" && body.get("turnId").is_none() {
            body["turnId"] = self.look(opened).await["turnId"].clone();
        }
        let answer = self.post(opened.who(), &opened.path(what), body).await;
        assert!((200..300).contains(&answer.status), "{what}: {}", answer.text);
        answer.json()
    }

    /// A player's tribute shall do something in a turn.
    pub(crate) async fn act(
        &self,
        opened: &Opened,
        player: &Player,
        turn: &str,
        action: &str,
    ) -> Answer {
        let body = json!({ "turnId": turn, "action": action });
        self.post(player.who(), &opened.path("action"), body).await
    }

    /// The match as its host sees it.
    pub(crate) async fn look(&self, opened: &Opened) -> Value {
        self.get(opened.who(), &format!("/match/{}", opened.id)).await.json()
    }

    pub(crate) async fn remove(&self, who: Who<'_>, opened: &Opened, tribute: &str) -> Answer {
        let path = opened.path(&format!("tribute/{tribute}"));
        self.ask(who, Method::DELETE, &path, Value::Null, &[]).await
    }

    /// The keys of the rows in a partition, in order.
    pub(crate) fn keys_of(&self, partition: &str) -> Vec<String> {
        let text = |row: &monotable::Item, name: &str| {
            row.get(name).and_then(|value| value.as_s()).unwrap_or_default().to_owned()
        };
        let rows = self.rows();
        let of_it = rows.iter().filter(|row| text(row, "pk") == partition);
        let mut keys: Vec<String> = of_it.map(|row| text(row, "sk")).collect();
        keys.sort();
        keys
    }

    /// The log and the state agree: events are numbered without gaps and fold to the state.
    pub(crate) async fn check_log(&self, opened: &Opened) {
        let row = self.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
        let events = monotable_btl_run::log::all_events(&self.app, &row.state).await.unwrap();
        let state = monotable_btl_run::rules::events::replay(&events, row.stamps.version).unwrap();
        assert_eq!(state, row.state);
        let shards = (0..row.state.shard_count).map(|shard| format!("#shard{shard}"));
        let parts = shards.chain([String::new()]);
        let keys = parts.flat_map(|part| self.keys_of(&format!("match#{}{part}", opened.id)));
        assert_eq!(keys.filter(|key| key.starts_with("log#")).count(), events.len());
    }
}
