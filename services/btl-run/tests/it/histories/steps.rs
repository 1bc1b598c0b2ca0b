//! What people do, and to which match.

use http::Method;
use serde_json::{Value, json};

use super::World;
use crate::players::Player;
use crate::served::{Answer, Opened, Served, Who};

const USERS: [&str; 6] = ["ann", "bob", "cleo", "dan", "eve", "finn"];
const KINDS: [&str; 7] = ["hunt", "scavenge", "explore", "seek_alliance", "craft", "hide", "rest"];
const MINUTE_MS: u64 = 60 * 1000;

/// A match and the tokens of its players, as somebody knows them.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) opened: Opened,
    pub(crate) players: Vec<Player>,
}

/// Numbers that follow from a seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64, stream: usize) -> Self {
        Self(seed ^ (stream as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % sides as u64) as usize
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        (!list.is_empty()).then(|| &list[self.roll(list.len())])
    }

    fn user(&mut self) -> &'static str {
        USERS[self.roll(USERS.len())]
    }
}

/// Does something, and tells what and how it was answered.
pub(crate) async fn take(world: &World, dice: &mut Dice) -> (String, Option<Answer>) {
    let served = &world.processes[dice.roll(2)];
    let known = dice.of(&world.matches()).cloned();
    let what = dice.roll(40);
    let Some(known) = known.filter(|_| what > 2) else {
        return ("open".to_owned(), open(world, served, dice).await);
    };
    match what {
        3..=9 => ("join".to_owned(), join(world, served, &known, dice).await),
        10..=20 => ("act".to_owned(), act(served, &known, dice).await),
        21 => {
            let _ = served.app.work().await;
            ("work".to_owned(), None)
        }
        22 => {
            let hours = [0, 0, 1, 13][dice.roll(4)];
            served.clock.advance_ms(hours * 60 * MINUTE_MS + 20 * 1000);
            ("wait".to_owned(), None)
        }
        23 => ("renew".to_owned(), renew(world, served, &known, dice).await),
        24 | 25 => ("leave".to_owned(), leave(served, &known, dice).await),
        26 | 27 => ("write".to_owned(), write(served, &known, dice).await),
        28..=30 => ("look".to_owned(), look(served, &known, dice).await),
        _ => command(served, &known, dice).await,
    }
}

async fn open(world: &World, served: &Served, dice: &mut Dice) -> Option<Answer> {
    let mode = ["quick", "quick", "standard", "long"][dice.roll(4)];
    let rules = json!({ "crafting": dice.roll(2) == 0, "sponsors": true });
    let body = json!({
        "mode": mode, "aiCount": dice.roll(7), "rules": rules, "shardedLog": dice.roll(3) == 0,
    });
    let answer = served.post(Who::User(dice.user()), "/match", body).await;
    if answer.status == 201 {
        let told = answer.json();
        let text = |name: &str| told[name].as_str().unwrap().to_owned();
        let opened =
            Opened { id: text("matchId"), host: text("adminToken"), code: text("inviteCode") };
        world.matches.lock().unwrap().push(Known { opened, players: Vec::new() });
    }
    Some(answer)
}

/// Changes what everybody knows of a match.
fn learn(world: &World, known: &Known, learn: impl FnOnce(&mut Known)) {
    let mut matches = world.matches.lock().unwrap();
    let found = matches.iter_mut().find(|one| one.opened.id == known.opened.id);
    learn(found.unwrap());
}

async fn join(world: &World, served: &Served, known: &Known, dice: &mut Dice) -> Option<Answer> {
    let name = format!("N{}", dice.roll(30));
    let user = dice.user();
    let who = if dice.roll(3) == 0 { Who::Nobody } else { Who::User(user) };
    let answer = served.try_join(who, &known.opened, &name, json!({})).await;
    if answer.status == 201 {
        let told = answer.json();
        let text = |name: &str| told[name].as_str().unwrap().to_owned();
        let player = Player { tribute: text("tributeId"), token: text("playerToken") };
        learn(world, known, |known| known.players.push(player));
    }
    served.clock.advance_ms(10 * 1000);
    Some(answer)
}

async fn act(served: &Served, known: &Known, dice: &mut Dice) -> Option<Answer> {
    let look = served.look(&known.opened).await;
    let turn = look["turnId"].as_str().unwrap_or("d1t1").to_owned();
    let player = dice.of(&known.players)?;
    let mut body = json!({ "turnId": turn, "action": KINDS[dice.roll(7)] });
    match dice.roll(3) {
        0 => body["freeText"] = "through the tall grass".into(),
        1 => body["targetId"] = look["roster"][dice.roll(4)]["id"].clone(),
        _ => {}
    }
    if body["targetId"].is_null() {
        body.as_object_mut()?.remove("targetId");
    }
    let path = known.opened.path("action");
    // The same request may come twice.
    let key = format!("act-{}", dice.roll(1_000_000));
    let headers = [("idempotency-key", key.as_str())];
    let first = served.ask(player.who(), Method::POST, &path, body.clone(), &headers).await;
    if first.status == 200 && dice.roll(3) == 0 {
        let again = served.ask(player.who(), Method::POST, &path, body, &headers).await;
        // A token may have been renewed meanwhile.
        assert!(again.status == 401 || again.text == first.text, "{first:?} {again:?}");
    }
    Some(first)
}

async fn renew(world: &World, served: &Served, known: &Known, dice: &mut Dice) -> Option<Answer> {
    let path = known.opened.path("token");
    let answer = served.post(Who::User(dice.user()), &path, json!({})).await;
    if answer.status == 201 {
        let told = answer.json();
        let text = |name: &str| told[name].as_str().map(str::to_owned);
        learn(world, known, |known| {
            if let Some(token) = text("adminToken") {
                known.opened.host = token;
            }
            let tribute = text("tributeId").unwrap_or_default();
            if let Some(token) = text("playerToken") {
                known.players.retain(|player| player.tribute != tribute);
                known.players.push(Player { tribute, token });
            }
        });
    }
    Some(answer)
}

async fn leave(served: &Served, known: &Known, dice: &mut Dice) -> Option<Answer> {
    let player = dice.of(&known.players)?;
    let who = if dice.roll(2) == 0 { player.who() } else { known.opened.who() };
    Some(served.remove(who, &known.opened, &player.tribute).await)
}

async fn write(served: &Served, known: &Known, dice: &mut Dice) -> Option<Answer> {
    let (player, path) = (dice.of(&known.players)?, known.opened.path("alliance/messages"));
    Some(served.post(player.who(), &path, json!({ "text": "at the mill" })).await)
}

async fn look(served: &Served, known: &Known, dice: &mut Dice) -> Option<Answer> {
    let rest = ["log?limit=200", "summaries", "verify", "summary/1", "alliance/messages"];
    let path = known.opened.path(rest[dice.roll(5)]);
    let who = dice.of(&known.players).map_or(Who::Nobody, Player::who);
    Some(served.get(who, &path).await)
}

/// The turn that is open, or the first one where there is none.
async fn open_turn(served: &Served, known: &Known) -> Value {
    let turn = served.look(&known.opened).await["turnId"].take();
    if turn.is_null() { json!("d1t1") } else { turn }
}

/// What a host does.
async fn command(served: &Served, known: &Known, dice: &mut Dice) -> (String, Option<Answer>) {
    let inject = [
        json!({ "kind": "hazard", "zone": 1 + dice.roll(4), "damage": 1 + dice.roll(2) }),
        json!({ "kind": "item_drop", "tributeId": "ai-1" }),
        json!({ "kind": "weather", "weather": "thick fog" }),
    ];
    let (what, body): (&str, Value) = match dice.roll(14) {
        0 => ("ai", json!({})),
        1..=3 => ("start", json!({})),
        4 => ("advance", json!({ "turnId": open_turn(served, known).await })),
        5..=8 => ("advance", json!({ "turnId": open_turn(served, known).await, "force": true })),
        9 => ("gm/rules", json!({ "items": dice.roll(3) > 0 })),
        10 => ("gm/announce", json!({ "text": "The river rises." })),
        11 => ("gm/inject", inject[dice.roll(3)].clone()),
        12 => ("invite", json!({})),
        _ if dice.roll(3) == 0 => ("end", json!({})),
        _ => ("export", json!({})),
    };
    let answer = served.post(known.opened.who(), &known.opened.path(what), body).await;
    (what.to_owned(), Some(answer))
}
