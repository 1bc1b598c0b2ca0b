//! What people do, and to which match.

use http::Method;
use monotable_testkit::service::Dice;
use monotable_testkit::service::histories::Step;
use serde_json::{Value, json};

use super::Matches;
use crate::players::{Play as _, Player};
use crate::world::{Actor, Opened, Response, World};

const USERS: [&str; 6] = ["ann", "bob", "cleo", "dan", "eve", "finn"];
const KINDS: [&str; 7] = ["hunt", "scavenge", "explore", "seek_alliance", "craft", "hide", "rest"];
const MINUTE_MS: u64 = 60 * 1000;

/// A match and the tokens of its players, as somebody knows them.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) opened: Opened,
    pub(crate) players: Vec<Player>,
}

fn user(dice: &mut Dice) -> &'static str {
    USERS[dice.roll(USERS.len())]
}

/// Does something; returns what, and the response.
pub(crate) async fn take(matches: &Matches, dice: &mut Dice) -> Step {
    let world = &matches.processes[dice.roll(matches.processes.len())];
    let known = dice.of(&matches.known()).cloned();
    let what = dice.roll(40);
    let Some(known) = known.filter(|_| what > 2) else {
        return ("open".to_owned(), open(matches, world, dice).await);
    };
    match what {
        3..=9 => ("join".to_owned(), join(matches, world, &known, dice).await),
        10..=20 => ("act".to_owned(), act(world, &known, dice).await),
        21 => {
            let _ = world.app.work().await;
            ("work".to_owned(), None)
        }
        22 => {
            let hours = [0, 0, 1, 13][dice.roll(4)];
            world.clock.advance_ms(hours * 60 * MINUTE_MS + 20 * 1000);
            ("wait".to_owned(), None)
        }
        23 => ("renew".to_owned(), renew(matches, world, &known, dice).await),
        24 | 25 => ("leave".to_owned(), leave(world, &known, dice).await),
        26 | 27 => ("write".to_owned(), write(world, &known, dice).await),
        28..=30 => ("look".to_owned(), look(world, &known, dice).await),
        _ => command(world, &known, dice).await,
    }
}

async fn open(matches: &Matches, world: &World, dice: &mut Dice) -> Option<Response> {
    let mode = ["quick", "quick", "standard", "long"][dice.roll(4)];
    let rules = json!({ "crafting": dice.roll(2) == 0, "sponsors": true });
    let body = json!({
        "mode": mode, "aiCount": dice.roll(7), "rules": rules, "shardedLog": dice.roll(3) == 0,
    });
    let answer = world.post(Actor::User(user(dice)), "/match", body).await;
    if answer.status == 201 {
        let opened = Opened::of(&answer);
        matches.known.lock().unwrap().push(Known { opened, players: Vec::new() });
    }
    Some(answer)
}

/// Changes what everybody knows of a match.
fn learn(matches: &Matches, known: &Known, learn: impl FnOnce(&mut Known)) {
    let mut all = matches.known.lock().unwrap();
    let found = all.iter_mut().find(|one| one.opened.id == known.opened.id);
    learn(found.unwrap());
}

async fn join(
    matches: &Matches,
    world: &World,
    known: &Known,
    dice: &mut Dice,
) -> Option<Response> {
    let name = format!("N{}", dice.roll(30));
    let user = user(dice);
    let who = if dice.roll(3) == 0 { Actor::Nobody } else { Actor::User(user) };
    let answer = world.try_join(who, &known.opened, &name, json!({})).await;
    if answer.status == 201 {
        let player = Player::of(&answer);
        learn(matches, known, |known| known.players.push(player));
    }
    world.clock.advance_ms(10 * 1000);
    Some(answer)
}

async fn act(world: &World, known: &Known, dice: &mut Dice) -> Option<Response> {
    let look = world.look(&known.opened).await;
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
    let first = world.request(player.actor(), Method::POST, &path, body.clone(), &headers).await;
    if first.status == 200 && dice.roll(3) == 0 {
        let again = world.request(player.actor(), Method::POST, &path, body, &headers).await;
        // A token may have been renewed meanwhile.
        let is_other = again.status == 401 || again.is_unavailable();
        assert!(is_other || again.text == first.text, "{first:?} {again:?}");
    }
    Some(first)
}

async fn renew(
    matches: &Matches,
    world: &World,
    known: &Known,
    dice: &mut Dice,
) -> Option<Response> {
    let path = known.opened.path("token");
    let answer = world.post(Actor::User(user(dice)), &path, json!({})).await;
    if answer.status == 201 {
        let told = answer.json();
        let text = |name: &str| told[name].as_str().map(str::to_owned);
        learn(matches, known, |known| {
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

async fn leave(world: &World, known: &Known, dice: &mut Dice) -> Option<Response> {
    let player = dice.of(&known.players)?;
    let who = if dice.roll(2) == 0 { player.actor() } else { known.opened.actor() };
    Some(world.remove(who, &known.opened, &player.tribute).await)
}

async fn write(world: &World, known: &Known, dice: &mut Dice) -> Option<Response> {
    let (player, path) = (dice.of(&known.players)?, known.opened.path("alliance/messages"));
    Some(world.post(player.actor(), &path, json!({ "text": "at the mill" })).await)
}

async fn look(world: &World, known: &Known, dice: &mut Dice) -> Option<Response> {
    let rest = ["log?limit=200", "summaries", "verify", "summary/1", "alliance/messages"];
    let path = known.opened.path(rest[dice.roll(5)]);
    let who = dice.of(&known.players).map_or(Actor::Nobody, Player::actor);
    Some(world.get(who, &path).await)
}

/// Returns the turn that is open, or the first one where there is none.
async fn open_turn(world: &World, known: &Known) -> Value {
    let turn = world.look(&known.opened).await["turnId"].take();
    if turn.is_null() { json!("d1t1") } else { turn }
}

/// Returns what a host does.
async fn command(world: &World, known: &Known, dice: &mut Dice) -> Step {
    let inject = [
        json!({ "kind": "hazard", "zone": 1 + dice.roll(4), "damage": 1 + dice.roll(2) }),
        json!({ "kind": "item_drop", "tributeId": "ai-1" }),
        json!({ "kind": "weather", "weather": "thick fog" }),
    ];
    let (what, body): (&str, Value) = match dice.roll(14) {
        0 => ("ai", json!({})),
        1..=3 => ("start", json!({})),
        4 => ("advance", json!({ "turnId": open_turn(world, known).await })),
        5..=8 => ("advance", json!({ "turnId": open_turn(world, known).await, "force": true })),
        9 => ("gm/rules", json!({ "items": dice.roll(3) > 0 })),
        10 => ("gm/announce", json!({ "text": "The river rises." })),
        11 => ("gm/inject", inject[dice.roll(3)].clone()),
        12 => ("invite", json!({})),
        _ if dice.roll(3) == 0 => ("end", json!({})),
        _ => ("export", json!({})),
    };
    let answer = world.post(known.opened.actor(), &known.opened.path(what), body).await;
    (what.to_owned(), Some(answer))
}
