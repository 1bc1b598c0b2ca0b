//! Messages among allies, which nobody else sees.

use monotable::model::edit;
use std::sync::Arc;

use monotable_btl_run::table::MatchId;
use serde_json::{Value, json};

use crate::players::Player;
use crate::served::{Answer, Opened, Served, Who};

async fn allied(players: usize) -> (Served, Opened, Vec<Player>) {
    let served = Served::new().await;
    let (opened, players) = served.begun(json!({}), players).await;
    served.ally(&opened, &[&players[0], &players[1]]).await;
    (served, opened, players)
}

async fn say(served: &Served, opened: &Opened, who: Who<'_>, text: &str) -> Answer {
    served.post(who, &opened.path("alliance/messages"), json!({ "text": text })).await
}

async fn heard(served: &Served, opened: &Opened, who: Who<'_>, query: &str) -> Value {
    let answer = served.get(who, &opened.path(&format!("alliance/messages{query}"))).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

fn texts(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn allies_hear_each_other_and_nobody_else_does() {
    let (served, opened, players) = allied(3).await;
    let first = say(&served, &opened, players[0].who(), "to the mill").await;
    assert_eq!(first.status, 201, "{}", first.text);
    assert_eq!(first.json()["seq"], 1);
    assert_eq!(first.json()["tributeId"], json!(players[0].tribute));
    assert_eq!(say(&served, &opened, players[1].who(), "at dawn").await.json()["seq"], 2);
    for ally in &players[..2] {
        let page = heard(&served, &opened, ally.who(), "").await;
        assert_eq!(texts(&page), ["to the mill", "at dawn"]);
    }
    assert_eq!(texts(&heard(&served, &opened, players[0].who(), "?after=1").await), ["at dawn"]);
    assert_eq!(heard(&served, &opened, players[2].who(), "").await["items"], json!([]));
    let path = opened.path("alliance/messages");
    assert_eq!(served.get(Who::Nobody, &path).await.told(), "401 INVALID_TOKEN");
    assert_eq!(served.get(Who::User("ann"), &path).await.told(), "403 NOT_YOUR_MATCH");
    assert_eq!(served.get(opened.who(), &path).await.told(), "403 NOT_YOUR_TRIBUTE");
    for who in [Who::Nobody, opened.who(), players[0].who(), players[2].who()] {
        let public = json!(served.log(who, &opened).await).to_string();
        assert!(!public.contains("mill"));
    }
    let keys = served.keys_of(&format!("match#{}", opened.id));
    assert_eq!(keys[..2], ["ally#a-test#000001", "ally#a-test#000002"]);
}

#[tokio::test]
async fn messages_come_in_pages() {
    let (served, opened, players) = allied(2).await;
    for number in 0..5 {
        say(&served, &opened, players[number % 2].who(), &format!("m{number}")).await;
    }
    let first = heard(&served, &opened, players[0].who(), "?limit=3").await;
    assert_eq!((texts(&first), &first["hasMore"]), (vec!["m0", "m1", "m2"], &json!(true)));
    let query = format!("?limit=3&nextToken={}", first["nextToken"].as_str().unwrap());
    let rest = heard(&served, &opened, players[0].who(), &query).await;
    assert_eq!((texts(&rest), &rest["hasMore"]), (vec!["m3", "m4"], &json!(false)));
}

#[tokio::test]
async fn messages_that_nobody_can_read_are_in_nobodys_way() {
    let (served, opened, players) = allied(2).await;
    for number in 0..4 {
        say(&served, &opened, players[0].who(), &format!("m{number}")).await;
    }
    for seq in [1, 2, 4] {
        let row = monotable::item! {
            "pk" => format!("match#{}", opened.id),
            "sk" => format!("ally#a-test#{seq:06}"),
            "v" => "{broken",
        };
        let put = monotable::dynamodb::PutItem::new(crate::served::TABLE, row);
        served.database.put_item(put).unwrap();
    }
    let said = say(&served, &opened, players[1].who(), "m4").await;
    assert_eq!((said.status, &said.json()["seq"]), (201, &json!(5)), "{}", said.text);
    let first = heard(&served, &opened, players[0].who(), "?limit=1").await;
    assert_eq!((texts(&first), &first["hasMore"]), (vec!["m2"], &json!(true)));
    assert_eq!(texts(&heard(&served, &opened, players[0].who(), "?after=3").await), ["m4"]);
}

#[tokio::test]
async fn only_the_living_with_allies_write_and_only_what_can_be_shown() {
    let (served, opened, players) = allied(3).await;
    let told = async |who, text: &str| say(&served, &opened, who, text).await.told();
    assert_eq!(told(Who::Nobody, "x").await, "401 INVALID_TOKEN");
    assert_eq!(told(opened.who(), "x").await, "403 NOT_YOUR_TRIBUTE");
    assert_eq!(told(players[2].who(), "x").await, "409 NO_ALLIANCE");
    for text in ["", &"x".repeat(281)] {
        assert_eq!(told(players[0].who(), text).await, "400 VALIDATION");
    }
    assert_eq!(told(players[0].who(), &"é".repeat(280)).await, "201 -");
    for text in ["see https://x.example", "\u{202e}backwards"] {
        assert_eq!(told(players[0].who(), text).await, "400 CONTENT_VIOLATION");
    }
    let match_id: MatchId = opened.id.parse().unwrap();
    let row = served.app.match_row(&match_id).await.unwrap();
    let id = players[1].tribute.parse().unwrap();
    let dies = served.app.db.transact().with(edit(&row, |row| {
        row.state.roster.iter_mut().find(|one| one.id == id).unwrap().alive = false;
        row.state.version += 1;
    }));
    dies.await.unwrap();
    assert_eq!(told(players[1].who(), "x").await, "409 TRIBUTE_DEAD");
    // There is nobody left to read it.
    assert_eq!(told(players[0].who(), "x").await, "409 NO_ALLIANCE");
    served.host(&opened, "end", json!({})).await;
    assert_eq!(told(players[0].who(), "x").await, "409 MATCH_ENDED");
}

#[tokio::test]
async fn twenty_messages_a_minute_are_enough() {
    let (served, opened, players) = allied(2).await;
    for number in 0..20 {
        let said = say(&served, &opened, players[0].who(), &format!("m{number}")).await;
        assert_eq!(said.status, 201, "{}", said.text);
    }
    let refused = say(&served, &opened, players[0].who(), "more").await;
    assert_eq!(refused.told(), "429 RATE_LIMIT");
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(say(&served, &opened, players[1].who(), "less").await.status, 201);
    served.clock.advance_ms(60_000);
    assert_eq!(say(&served, &opened, players[0].who(), "more").await.status, 201);
}

#[tokio::test]
async fn a_repeated_message_is_written_once() {
    let (served, opened, players) = allied(2).await;
    let ask = async || {
        let (path, body) = (opened.path("alliance/messages"), json!({ "text": "once" }));
        let key = [("idempotency-key", "k1")];
        served.ask(players[0].who(), http::Method::POST, &path, body, &key).await
    };
    let (first, again) = (ask().await, ask().await);
    assert_eq!((first.status, first.json()), (201, again.json()));
    assert_eq!(texts(&heard(&served, &opened, players[1].who(), "").await), ["once"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn messages_written_at_once_have_numbers_without_gaps() {
    let (served, opened, players) = allied(2).await;
    let (served, opened, players) = (Arc::new(served), Arc::new(opened), Arc::new(players));
    let tasks: Vec<_> = (0..30)
        .map(|number| {
            let (served, opened) = (Arc::clone(&served), Arc::clone(&opened));
            let players = Arc::clone(&players);
            tokio::spawn(async move {
                say(&served, &opened, players[number % 2].who(), &format!("m{number}")).await
            })
        })
        .collect();
    for task in tasks {
        let said = task.await.unwrap();
        assert_eq!(said.status, 201, "{}", said.text);
    }
    let page = heard(&served, &opened, players[0].who(), "").await;
    let numbers: Vec<_> =
        page["items"].as_array().unwrap().iter().map(|one| one["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=30).collect::<Vec<_>>());
}
