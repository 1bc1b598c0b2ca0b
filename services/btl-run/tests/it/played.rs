//! Matches that are on, or over, for tests of what is told about them.

use monotable::model::edit;
use monotable_btl_run::rules::state::Alliance;
use monotable_btl_run::table::{AllianceId, MatchId};
use serde_json::{Value, json};

use crate::players::{Play, Player};
use crate::world::{Actor, Opened, World};

impl Played for World {}

/// What is done with whole matches.
pub(crate) trait Played: Play {
    /// Returns a match that has begun, with six tributes that nobody plays and so many that somebody does.
    async fn begun(&self, fields: Value, players: usize) -> (Opened, Vec<Player>) {
        let opened = self.open_match(fields).await;
        let mut joined = Vec::new();
        for number in 0..players {
            joined.push(self.join(&opened, &format!("P{number}")).await);
        }
        self.host(&opened, "start", json!({})).await;
        (opened, joined)
    }

    /// Returns the host resolves the open turn.
    async fn advance(&self, opened: &Opened) -> Value {
        self.host(opened, "advance", json!({ "force": true })).await
    }

    /// The host resolves turns until the match is over.
    async fn play_out(&self, opened: &Opened) {
        while self.look(opened).await["status"] == "active" {
            self.advance(opened).await;
        }
    }

    /// Returns all events as somebody sees them.
    async fn log(&self, who: Actor<'_>, opened: &Opened) -> Vec<Value> {
        let (mut events, mut query) = (Vec::new(), "limit=200".to_owned());
        loop {
            let page = self.world().get(who, &opened.path(&format!("log?{query}"))).await.json();
            events.extend(page["items"].as_array().unwrap().iter().cloned());
            match page["nextToken"].as_str() {
                Some(next) => query = format!("limit=200&nextToken={next}"),
                None => return events,
            }
        }
    }

    /// Returns the stories that were told.
    async fn stories(&self, opened: &Opened) -> Vec<Value> {
        let events = self.log(Actor::Nobody, opened).await;
        let is_story = |event: &Value| event["type"] == "NARRATION_ATTACHED";
        events.into_iter().filter(is_story).map(|event| event["data"].clone()).collect()
    }

    /// Makes players allies, whatever the log says.
    async fn ally(&self, opened: &Opened, players: &[&Player]) {
        let match_id: MatchId = opened.id.parse().unwrap();
        let row = self.world().app.match_row(&match_id).await.unwrap();
        let id = AllianceId::new("a-test").unwrap();
        let members = players.iter().map(|player| player.tribute.parse().unwrap()).collect();
        let alliance = Alliance { id: id.clone(), members };
        let edited = self.world().app.db.transact().with(edit(&row, |row| {
            for tribute in &mut row.state.roster {
                if alliance.members.contains(&tribute.id) {
                    tribute.alliance_id = Some(id.clone());
                }
            }
            row.state.alliances.push(alliance);
            row.state.version += 1;
        }));
        edited.await.unwrap();
    }
}
