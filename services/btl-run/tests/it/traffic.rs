//! Everything that a match tells, to everybody who asks, from its lobby to its end: scenario 8.
//!
//! Two proofs that no action is known before its turn is resolved. Nothing that is told holds a word of
//! it; and whatever somebody chooses, everybody else is told the very same bytes.

#[path = "traffic/listening.rs"]
mod listening;

use std::collections::BTreeSet;

use monotable_btl_run::rules::state::{Alliance, MatchState};
use monotable_btl_run::table::{AllianceId, TributeId};
use serde_json::{Value, json};

use self::listening::{Listener, Told};
use crate::invariants::rows;
use crate::players::{Play as _, Player};
use crate::world::{Actor, Opened, World};

/// Identities that are like nothing else in an answer.
const HOST: &str = "uid-host-q7";
const PEOPLE: [&str; 3] = ["uid-bob-q7", "uid-cleo-q7", "uid-dan-q7"];
const KINDS: [&str; 7] = ["hunt", "scavenge", "explore", "seek_alliance", "craft", "hide", "rest"];

/// A match whose host and players have identities.
struct Play {
    world: World,
    opened: Opened,
    players: Vec<Player>,
    /// What nobody may ever be told: identities, hashes, tokens.
    secrets: Vec<String>,
    seed: String,
}

impl Play {
    async fn lobby() -> Self {
        let world = World::new().await;
        let rules = json!({ "crafting": true, "sponsors": true });
        let body = json!({ "mode": "quick", "aiCount": 5, "rules": rules });
        let opened = Opened::of(&world.post(Actor::User(HOST), "/match", body).await);
        let mut players = Vec::new();
        for (number, user) in PEOPLE.iter().enumerate() {
            players.push(world.join_as(Actor::User(user), &opened, &format!("P{number}")).await);
        }
        let of_match = rows::matches(&rows::stored(&world)).remove(&opened.id).unwrap();
        let secret = of_match.secret.unwrap().value;
        let hashes = secret["tokenHashes"]["players"].as_object().unwrap().values();
        let hashes = hashes.chain([&secret["tokenHashes"]["admin"]]);
        let mut secrets: Vec<String> =
            hashes.map(|hash| hash.as_str().unwrap().to_owned()).collect();
        let tokens = players.iter().map(|player| &player.token).chain([&opened.host]);
        secrets.extend(tokens.map(|token| token.rsplit('/').next().unwrap().to_owned()));
        secrets.extend(PEOPLE.iter().chain([&HOST]).map(|user| (*user).to_owned()));
        let seed = secret["seed"].as_str().unwrap().to_owned();
        Self { world, opened, players, secrets, seed }
    }

    async fn copy(&self) -> Self {
        Self {
            world: self.world.copy().await,
            opened: self.opened.clone(),
            players: self.players.clone(),
            secrets: self.secrets.clone(),
            seed: self.seed.clone(),
        }
    }

    /// Everybody who looks: nobody, a stranger, the host with and without the token, and the players.
    fn listeners(&self) -> Vec<Listener<'_>> {
        let mut all = vec![
            Listener::new("nobody", Actor::Nobody, None),
            Listener::new("stranger", Actor::User("uid-zoe-q7"), None),
            Listener::new("the host's identity", Actor::User(HOST), None),
            Listener::new("host", self.opened.actor(), None),
        ];
        for (number, player) in self.players.iter().enumerate() {
            all.push(Listener::new(PEOPLE[number], player.actor(), Some(&player.tribute)));
        }
        all
    }

    async fn choose(&self, number: usize, turn: &str, action: &Value) -> u16 {
        let mut body = action.clone();
        body["turnId"] = turn.into();
        let player = &self.players[number];
        self.world.post(player.actor(), &self.opened.path("action"), body).await.status
    }

    /// Returns the open turn, if the match is played.
    async fn turn(&self) -> Option<String> {
        let look = self.world.look(&self.opened).await;
        let turn = look["turnId"].as_str().filter(|_| look["status"] == "active");
        turn.map(str::to_owned)
    }

    async fn state(&self) -> MatchState {
        self.world.app.match_row(&self.opened.id.parse().unwrap()).await.unwrap().state
    }
}

/// What is told to one listener holds nothing that is not theirs.
async fn check(
    play: &Play,
    told: &[Told],
    listener: &Listener<'_>,
    is_ended: bool,
    hidden: &[String],
) {
    let state = play.state().await;
    for one in told {
        let about = format!("{} of {} is told: {}", listener.name, one.path, one.text);
        for secret in play.secrets.iter().chain(hidden) {
            assert!(!one.text.contains(secret.as_str()), "{secret}: {about}");
        }
        for name in ["memoryBlob", "tokenHashes", "userId", "hostUserId", "pendingActions"] {
            let is_export = is_ended && one.path.ends_with("export");
            assert!(is_export || !one.text.contains(&format!("\"{name}\"")), "{name}: {about}");
        }
        let memory = state.memory_blob.trim();
        assert!(memory.is_empty() || is_ended || !one.text.contains(memory), "{about}");
        assert!(is_ended || !one.text.contains(&play.seed), "{about}");
        for value in &one.values {
            if !(is_ended && one.path.ends_with("export")) {
                own_affairs(value, listener.tribute, &about);
            }
        }
        for tribute in &state.roster {
            let is_own = listener.tribute == Some(tribute.id.as_str());
            for item in tribute.inventory.iter().filter(|_| !is_own && !is_ended) {
                assert!(!one.text.contains(&format!("\"{}\"", item.id)), "{}: {about}", item.id);
            }
        }
    }
}

/// Stats, inventories and choices are those of the listener's own tribute.
fn own_affairs(value: &Value, own: Option<&str>, about: &str) {
    match value {
        Value::Array(list) => list.iter().for_each(|one| own_affairs(one, own, about)),
        Value::Object(fields) => {
            let is_own =
                |name: &str| fields.get(name).and_then(Value::as_str) == own && own.is_some();
            for name in ["stats", "inventory", "playstyle"] {
                assert!(!fields.contains_key(name) || is_own("id"), "{name} in {about}");
            }
            for name in ["item", "costs"] {
                assert!(!fields.contains_key(name) || is_own("tributeId"), "{name} in {about}");
            }
            if fields.contains_key("pendingAction") {
                assert!(own.is_some(), "{about}");
            }
            fields.values().for_each(|one| own_affairs(one, own, about));
        }
        _ => {}
    }
}

/// No marker of an open turn is told, and all of a turn that was resolved.
#[tokio::test]
async fn actions_are_not_revealed_before_their_turn_is_resolved() {
    let play = Play::lobby().await;
    let (mut number, mut known) = (0, BTreeSet::new());
    for listener in play.listeners() {
        let told = listener.look(&play.world, &play.opened).await;
        check(&play, &told, &listener, false, &[]).await;
    }
    play.world.host(&play.opened, "start", json!({})).await;
    while let Some(turn) = play.turn().await {
        play.world.clock.advance_ms(60 * 1000);
        let mut hidden: Vec<Vec<String>> = vec![Vec::new(); PEOPLE.len()];
        for player in 0..PEOPLE.len() {
            // The last choice of those who live resolves the turn, and then all of it is told.
            if play.turn().await.as_ref() != Some(&turn) {
                break;
            }
            // Later turns are like the first ones, but for what lies behind them.
            let is_listened_to = number < 9 || number % 11 == 0;
            for listener in play.listeners().into_iter().filter(|_| is_listened_to) {
                let told = listener.look(&play.world, &play.opened).await;
                // A listener's own words are no secret to it.
                let others = hidden.iter().zip(PEOPLE).filter(|(_, name)| *name != listener.name);
                let words: Vec<String> = others.flat_map(|(words, _)| words.clone()).collect();
                check(&play, &told, &listener, false, &words).await;
                open_actions(&told, &turn, &listener);
            }
            number += 1;
            let marker = format!("zorble{number}x");
            let text = format!("with {marker} in hand");
            let action = json!({ "action": KINDS[number % 7], "freeText": text });
            if play.choose(player, &turn, &action).await == 200 {
                hidden[player].push(marker);
            }
        }
        if play.turn().await.as_ref() == Some(&turn) {
            play.world
                .host(&play.opened, "advance", json!({ "turnId": turn, "force": true }))
                .await;
        }
        known.extend(hidden.into_iter().flatten());
        monotable_btl_run::jobs::narrate::narrate_due(&play.world.app).await.unwrap();
    }
    let nobody = &play.listeners()[0];
    let told = nobody.look(&play.world, &play.opened).await;
    check(&play, &told, nobody, true, &[]).await;
    let all: String = told.iter().map(|one| one.text.as_str()).collect();
    let untold: Vec<_> = known.iter().filter(|word| !all.contains(word.as_str())).collect();
    assert!(untold.is_empty(), "after the end nobody knows {untold:?}");
    for path in ["verify", "export", &*play.opened.id] {
        let one = told.iter().rfind(|one| one.path.ends_with(path)).unwrap();
        assert!(one.text.contains(&play.seed), "{path} keeps the seed a secret");
    }
}

/// Events of the open turn say who has chosen, and what to nobody but who did.
fn open_actions(told: &[Told], turn: &str, listener: &Listener<'_>) {
    let events = told.iter().flat_map(|one| &one.values).flat_map(|value| match &value["items"] {
        Value::Array(items) => items.clone(),
        _ => vec![value.clone()],
    });
    for event in events {
        let is_choice = event["type"] == "TRIBUTE_ACTION_SUBMITTED" && event["turnId"] == turn;
        let is_own = event["data"]["tributeId"].as_str() == listener.tribute;
        if is_choice && !is_own {
            assert_eq!(event["data"].as_object().unwrap().len(), 1, "{event}");
        }
    }
}

/// Whatever a player chooses, everybody else is told the same bytes, until the turn is resolved.
#[tokio::test]
async fn choices_do_not_change_what_others_see() {
    let play = Play::lobby().await;
    play.world.host(&play.opened, "start", json!({})).await;
    play.world.host(&play.opened, "advance", json!({ "force": true })).await;
    let Some(turn) = play.turn().await else { return };
    let chooser =
        play.state().await.living().find(|one| one.user_id.is_some()).map(|one| one.id.clone());
    let Some(chooser) = chooser else { return };
    let number = play.players.iter().position(|player| player.tribute == chooser.as_str()).unwrap();
    let choices = [
        json!({ "action": "rest" }),
        json!({ "action": "hunt", "targetId": "ai-1", "freeText": "a knife for Brakka, long and sharp" }),
        json!({ "action": "seek_alliance", "freeText": "ζῷα" }),
    ];
    let mut heard: Vec<Vec<String>> = Vec::new();
    for choice in choices {
        let copy = play.copy().await;
        // One who lies dead could not choose, and nothing could be learnt.
        if copy.choose(number, &turn, &choice).await != 200 {
            continue;
        }
        let mut all = Vec::new();
        for listener in copy.listeners() {
            if listener.tribute == Some(chooser.as_str()) {
                continue;
            }
            for told in listener.look(&copy.world, &copy.opened).await {
                all.push(format!(
                    "{} {} {:?} {}",
                    listener.name, told.path, told.headers, told.text
                ));
            }
        }
        heard.push(all);
    }
    assert!(heard.len() >= 2);
    for other in &heard[1..] {
        for (one, other) in heard[0].iter().zip(other) {
            assert_eq!(one, other);
        }
        assert_eq!(heard[0].len(), other.len());
    }
}

/// What allies tell each other is for them alone, also among the dead and after the end.
#[tokio::test]
async fn messages_are_for_allies() {
    let play = Play::lobby().await;
    play.world.host(&play.opened, "start", json!({})).await;
    let row = play.world.app.match_row(&play.opened.id.parse().unwrap()).await.unwrap();
    let alliance = AllianceId::new("a1").unwrap();
    let members = [&play.players[0].tribute, &play.players[1].tribute];
    let members: Vec<TributeId> = members.iter().map(|id| id.parse().unwrap()).collect();
    let edited = play.world.app.db.edit(row, |row| {
        for tribute in row.state.roster.iter_mut().filter(|one| members.contains(&one.id)) {
            tribute.alliance_id = Some(alliance.clone());
        }
        row.state.alliances.push(Alliance { id: alliance, members });
        row.state.version = row.stamps.version + 1;
    });
    edited.await.unwrap();
    let body = json!({ "text": "zorble at the mill" });
    let path = play.opened.path("alliance/messages");
    let sent = play.world.post(play.players[0].actor(), &path, body).await;
    assert_eq!(sent.status, 201, "{}", sent.text);
    for is_ended in [false, true] {
        for listener in play.listeners() {
            let is_ally = PEOPLE[..2].contains(&listener.name);
            let told = listener.look(&play.world, &play.opened).await;
            let hears = told.iter().any(|one| one.text.contains("zorble"));
            assert_eq!(hears, is_ally, "{} {is_ended}", listener.name);
        }
        play.world.post(play.opened.actor(), &play.opened.path("end"), json!({})).await;
    }
}
