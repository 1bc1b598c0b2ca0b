//! Messages among allies, which nobody else sees.

use monotable::model::edit;
use std::sync::Arc;

use monotable_btl_run::table::MatchId;
use serde_json::{Value, json};

use crate::played::Played as _;
use crate::players::{Play as _, Player};
use crate::world::{Actor, Opened, Response, World};

async fn allied(players: usize) -> (World, Opened, Vec<Player>) {
    let world = World::new().await;
    let (opened, players) = world.begun(json!({}), players).await;
    world.ally(&opened, &[&players[0], &players[1]]).await;
    (world, opened, players)
}

async fn say(world: &World, opened: &Opened, who: Actor<'_>, text: &str) -> Response {
    world.post(who, &opened.path("alliance/messages"), json!({ "text": text })).await
}

async fn heard(world: &World, opened: &Opened, who: Actor<'_>, query: &str) -> Value {
    let answer = world.get(who, &opened.path(&format!("alliance/messages{query}"))).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

fn texts(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn messages_are_visible_only_to_allies() {
    let (world, opened, players) = allied(3).await;
    let first = say(&world, &opened, players[0].actor(), "to the mill").await;
    assert_eq!(first.status, 201, "{}", first.text);
    assert_eq!(first.json()["seq"], 1);
    assert_eq!(first.json()["tributeId"], json!(players[0].tribute));
    assert_eq!(say(&world, &opened, players[1].actor(), "at dawn").await.json()["seq"], 2);
    for ally in &players[..2] {
        let page = heard(&world, &opened, ally.actor(), "").await;
        assert_eq!(texts(&page), ["to the mill", "at dawn"]);
    }
    assert_eq!(texts(&heard(&world, &opened, players[0].actor(), "?after=1").await), ["at dawn"]);
    assert_eq!(heard(&world, &opened, players[2].actor(), "").await["items"], json!([]));
    let path = opened.path("alliance/messages");
    assert_eq!(world.get(Actor::Nobody, &path).await.outcome(), "401 INVALID_TOKEN");
    assert_eq!(world.get(Actor::User("ann"), &path).await.outcome(), "403 NOT_YOUR_MATCH");
    assert_eq!(world.get(opened.actor(), &path).await.outcome(), "403 NOT_YOUR_TRIBUTE");
    for who in [Actor::Nobody, opened.actor(), players[0].actor(), players[2].actor()] {
        let public = json!(world.log(who, &opened).await).to_string();
        assert!(!public.contains("mill"));
    }
    let keys = world.keys_of(&format!("match#{}", opened.id));
    assert_eq!(keys[..2], ["ally#a-test#000001", "ally#a-test#000002"]);
}

#[tokio::test]
async fn messages_come_in_pages() {
    let (world, opened, players) = allied(2).await;
    for number in 0..5 {
        say(&world, &opened, players[number % 2].actor(), &format!("m{number}")).await;
    }
    let first = heard(&world, &opened, players[0].actor(), "?limit=3").await;
    assert_eq!((texts(&first), &first["hasMore"]), (vec!["m0", "m1", "m2"], &json!(true)));
    let query = format!("?limit=3&nextToken={}", first["nextToken"].as_str().unwrap());
    let rest = heard(&world, &opened, players[0].actor(), &query).await;
    assert_eq!((texts(&rest), &rest["hasMore"]), (vec!["m3", "m4"], &json!(false)));
}

#[tokio::test]
async fn unreadable_messages_do_not_block_others() {
    let (world, opened, players) = allied(2).await;
    for number in 0..4 {
        say(&world, &opened, players[0].actor(), &format!("m{number}")).await;
    }
    for seq in [1, 2, 4] {
        let row = monotable::item! {
            "pk" => format!("match#{}", opened.id),
            "sk" => format!("ally#a-test#{seq:06}"),
            "v" => "{broken",
        };
        let put = monotable::dynamodb::PutItem::new(crate::world::TABLE, row);
        world.database.put_item(put).unwrap();
    }
    let said = say(&world, &opened, players[1].actor(), "m4").await;
    assert_eq!((said.status, &said.json()["seq"]), (201, &json!(5)), "{}", said.text);
    let first = heard(&world, &opened, players[0].actor(), "?limit=1").await;
    assert_eq!((texts(&first), &first["hasMore"]), (vec!["m2"], &json!(true)));
    assert_eq!(texts(&heard(&world, &opened, players[0].actor(), "?after=3").await), ["m4"]);
}

#[tokio::test]
async fn only_living_allies_write_and_only_acceptable_texts() {
    let (world, opened, players) = allied(3).await;
    let told = async |who, text: &str| say(&world, &opened, who, text).await.outcome();
    assert_eq!(told(Actor::Nobody, "x").await, "401 INVALID_TOKEN");
    assert_eq!(told(opened.actor(), "x").await, "403 NOT_YOUR_TRIBUTE");
    assert_eq!(told(players[2].actor(), "x").await, "409 NO_ALLIANCE");
    for text in ["", &"x".repeat(281)] {
        assert_eq!(told(players[0].actor(), text).await, "400 VALIDATION");
    }
    assert_eq!(told(players[0].actor(), &"é".repeat(280)).await, "201 -");
    for text in ["see https://x.example", "\u{202e}backwards"] {
        assert_eq!(told(players[0].actor(), text).await, "400 CONTENT_VIOLATION");
    }
    let match_id: MatchId = opened.id.parse().unwrap();
    let row = world.app.match_row(&match_id).await.unwrap();
    let id = players[1].tribute.parse().unwrap();
    let dies = world.app.db.transact().with(edit(&row, |row| {
        row.state.roster.iter_mut().find(|one| one.id == id).unwrap().alive = false;
        row.state.version += 1;
    }));
    dies.await.unwrap();
    assert_eq!(told(players[1].actor(), "x").await, "409 TRIBUTE_DEAD");
    // There is nobody left to read it.
    assert_eq!(told(players[0].actor(), "x").await, "409 NO_ALLIANCE");
    world.host(&opened, "end", json!({})).await;
    assert_eq!(told(players[0].actor(), "x").await, "409 MATCH_ENDED");
}

#[tokio::test]
async fn twenty_messages_a_minute_are_enough() {
    let (world, opened, players) = allied(2).await;
    for number in 0..20 {
        let said = say(&world, &opened, players[0].actor(), &format!("m{number}")).await;
        assert_eq!(said.status, 201, "{}", said.text);
    }
    let refused = say(&world, &opened, players[0].actor(), "more").await;
    assert_eq!(refused.outcome(), "429 RATE_LIMIT");
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(say(&world, &opened, players[1].actor(), "less").await.status, 201);
    world.clock.advance_ms(60_000);
    assert_eq!(say(&world, &opened, players[0].actor(), "more").await.status, 201);
}

#[tokio::test]
async fn a_repeated_message_is_written_once() {
    let (world, opened, players) = allied(2).await;
    let ask = async || {
        let (path, body) = (opened.path("alliance/messages"), json!({ "text": "once" }));
        let key = [("idempotency-key", "k1")];
        world.request(players[0].actor(), http::Method::POST, &path, body, &key).await
    };
    let (first, again) = (ask().await, ask().await);
    assert_eq!((first.status, first.json()), (201, again.json()));
    assert_eq!(texts(&heard(&world, &opened, players[1].actor(), "").await), ["once"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn messages_written_at_once_have_numbers_without_gaps() {
    let (world, opened, players) = allied(2).await;
    let (world, opened, players) = (Arc::new(world), Arc::new(opened), Arc::new(players));
    let tasks: Vec<_> = (0..30)
        .map(|number| {
            let (world, opened) = (Arc::clone(&world), Arc::clone(&opened));
            let players = Arc::clone(&players);
            tokio::spawn(async move {
                say(&world, &opened, players[number % 2].actor(), &format!("m{number}")).await
            })
        })
        .collect();
    for task in tasks {
        let said = task.await.unwrap();
        assert_eq!(said.status, 201, "{}", said.text);
    }
    let page = heard(&world, &opened, players[0].actor(), "").await;
    let numbers: Vec<_> =
        page["items"].as_array().unwrap().iter().map(|one| one["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=30).collect::<Vec<_>>());
}
