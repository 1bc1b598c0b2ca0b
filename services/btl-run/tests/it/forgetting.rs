//! Users who want to be forgotten, in matches that others play on.

use http::Method;
use monotable::dynamodb::PutItem;
use monotable::model::backend::Embedded;
use monotable_btl_run::log::all_events;
use monotable_btl_run::rules::events::{Event, EventBody, replay};
use monotable_btl_run::rules::narration::{Asked, Narrator, Prompt, Purpose, Reply};
use monotable_btl_run::rules::state::Status;
use monotable_btl_run::rules::story::verify;
use monotable_btl_run::table::BtlRunReads as _;
use monotable_testkit::failing::{Failing, MOMENTS};
use monotable_testkit::service::sign_in;
use serde_json::{Value, json};
use std::sync::Arc;

use crate::players::{Play as _, Player};
use crate::world::{Actor, Opened, Response, TABLE, World, narrating_later, world_of};

/// More storage calls than an erasure here makes.
const CALLS_MAX: usize = 400;

/// What must not be left of bob.
const TRACES: [&str; 6] = ["\"bob\"", "user:bob", "user#bob", "Bobby", "Roberta", "my own words"];

async fn forget(world: &World, user: &str) -> Response {
    world.request(Actor::User(user), Method::DELETE, "/me", Value::Null, &[]).await
}

async fn say(world: &World, opened: &Opened, player: &Player, turn: &str) {
    let body = json!({ "turnId": turn, "action": "hide", "freeText": "my own words" });
    let told = world.post(player.actor(), &opened.path("action"), body).await;
    assert_eq!(told.status, 200, "{}", told.text);
}

async fn are_alive(world: &World, opened: &Opened, players: &[&Player]) -> bool {
    let view = world.look(opened).await;
    let living = view["roster"].as_array().unwrap().iter().filter(|one| one["alive"] == true);
    let living: Vec<&str> = living.filter_map(|one| one["id"].as_str()).collect();
    players.iter().all(|player| living.contains(&player.tribute.as_str()))
}

/// Bob left a lobby, hosts one, and plays with cyd in a match of ann: two turns with his words in them,
/// a third that is open, and messages among allies.
async fn crowd(fields: Value) -> (World, Opened, Player) {
    // Once in some thousand matches, the other tributes kill one of the two before the third turn.
    for _ in 0..10 {
        if let Some(crowd) = crowd_if_alive(fields.clone()).await {
            return crowd;
        }
    }
    panic!("bob or cyd died in each of ten matches");
}

async fn crowd_if_alive(fields: Value) -> Option<(World, Opened, Player)> {
    let world = World::new().await;
    let profile = json!({ "displayName": "Bobby" });
    world.request(Actor::User("bob"), Method::PUT, "/me", profile, &[]).await;
    let lobby = world.open_match(json!({})).await;
    let left = world.join_as(Actor::User("bob"), &lobby, "Roberta").await;
    world.remove(left.actor(), &lobby, &left.tribute).await;
    world.post(Actor::User("bob"), "/match", json!({ "mode": "quick" })).await;
    let opened = world.open_match(fields).await;
    let early = world.join_as(Actor::User("bob"), &opened, "Roberta").await;
    world.remove(early.actor(), &opened, &early.tribute).await;
    let bob = world.join_as(Actor::User("bob"), &opened, "Bobby").await;
    let cyd = world.join_as(Actor::User("cyd"), &opened, "Cyd").await;
    world.host(&opened, "start", json!({})).await;
    for turn in ["d1t1", "d1t2"] {
        if !are_alive(&world, &opened, &[&bob, &cyd]).await {
            return None;
        }
        say(&world, &opened, &bob, turn).await;
        say(&world, &opened, &bob, turn).await;
        world.act(&opened, &cyd, turn, "hide").await;
        world.app.work().await.unwrap();
    }
    if !are_alive(&world, &opened, &[&bob, &cyd]).await {
        return None;
    }
    world.host(&opened, "gm/announce", json!({ "text": "Well done, Bobby!" })).await;
    say(&world, &opened, &bob, "d1t3").await;
    for (seq, tribute, text) in [(1, &bob.tribute, "I am Bobby"), (2, &cyd.tribute, "Hi Bobby")] {
        let message = json!({ "allianceId": "a1", "seq": seq, "tributeId": tribute, "text": text, "timestamp": 1 });
        let row = monotable::item! {
            "pk" => format!("match#{}", opened.id), "sk" => format!("ally#a1#{seq:06}"),
            "v" => message.to_string(), "ct" => "application/json",
        };
        world.database.put_item(PutItem::new(TABLE, row)).unwrap();
    }
    Some((world, opened, bob))
}

/// The log gives the snapshot, whatever is under way.
async fn check_fold(world: &World, opened: &Opened) {
    let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    let events = all_events(&world.app, &row.state).await.unwrap();
    assert_eq!(replay(&events, row.stamps.version).unwrap(), row.state);
    // So far as it was played, the match is fair.
    let secret = world.app.db.secret(&row.match_id).await.unwrap().unwrap();
    verify(&secret.seed, &events).unwrap();
}

/// Returns every row as text, the compressed ones too.
fn texts(world: &World) -> Vec<String> {
    world.rows().iter().map(|row| format!("{row:?}").replace("\\\"", "\"")).collect()
}

async fn check_forgotten(world: &World, opened: &Opened) {
    // What others were answered about a match expires by itself, a day later.
    let rows = texts(world);
    let rows: Vec<_> =
        rows.iter().filter(|row| !row.contains(&format!("idem#{}", opened.id))).collect();
    for trace in TRACES {
        let left: Vec<_> = rows
            .iter()
            .filter(|row| {
                row.contains(trace) && !row.contains("rate#") && !row.contains("\"idem#0")
            })
            .collect();
        assert!(left.is_empty(), "{trace} is left in {left:#?}");
    }
    check_fold(world, opened).await;
}

/// Returns how many answers about a match are kept for bob, and for others.
fn answers_to(world: &World, opened: &Opened, bob: &Player) -> (usize, usize) {
    let partition = format!("idem#{}", opened.id);
    let rows = world.rows();
    let of_match = rows.iter().filter(|row| row["pk"].as_s() == Some(&partition));
    let (his, others): (Vec<_>, Vec<_>) = of_match.partition(|row| {
        let answer: Value = serde_json::from_str(row["v"].as_s().unwrap()).unwrap();
        let asked = answer["scope"].as_str().unwrap().split(' ').next().unwrap();
        asked == "bob" || asked.contains(&bob.tribute)
    });
    (his.len(), others.len())
}

/// A narrator who makes the words of players its own.
struct Echo;

impl Narrator for Echo {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Asked<'a> {
        let said: Vec<_> = prompt.quotes.iter().map(|(_, text)| text.to_uppercase()).collect();
        let told = match prompt.purpose {
            Purpose::Moderation => json!({ "refused": [] }),
            _ => json!({ "narration": format!("All night long one hears: {said:?}"), "tags": [] }),
        };
        Box::pin(std::future::ready(Ok(Reply { text: told.to_string(), tokens_used: 1 })))
    }
}

#[tokio::test]
async fn stories_with_texts_of_the_user_are_written_again() {
    let world = world_of(narrating_later().narrator(Arc::new(Echo))).await;
    // Four players who all hide: nobody is hunted.
    let opened = world.open_match(json!({ "aiCount": 0 })).await;
    let mut players = Vec::new();
    for (user, name) in [("bob", "Bobby"), ("cyd", "Cyd"), ("dan", "Dan"), ("eve", "Eve")] {
        players.push(world.join_as(Actor::User(user), &opened, name).await);
    }
    world.host(&opened, "start", json!({})).await;
    for (turn, talker) in [("d1t1", 0), ("d1t2", 1)] {
        say(&world, &opened, &players[talker], turn).await;
        for (number, player) in players.iter().enumerate() {
            if number != talker {
                world.act(&opened, player, turn, "hide").await;
            }
        }
        world.app.work().await.unwrap();
    }
    let stories = async || {
        let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
        let events = all_events(&world.app, &row.state).await.unwrap();
        let story = |event: &Event| match &event.body {
            EventBody::NarrationAttached(story) => {
                Some((story.narration.contains("MY OWN WORDS"), story.fallback))
            }
            _ => None,
        };
        events.iter().filter_map(story).collect::<Vec<_>>()
    };
    assert_eq!(stories().await, [(true, false), (true, false)]);
    assert_eq!(forget(&world, "bob").await.status, 204);
    assert_eq!(stories().await, [(false, true), (true, false)]);
    check_fold(&world, &opened).await;
    assert!(world.keys_of("task#erase").is_empty());
}

#[tokio::test]
async fn no_data_of_a_user_is_left_and_the_match_continues() {
    for fields in [json!({}), json!({ "shardedLog": true })] {
        let (world, opened, bob) = crowd(fields).await;
        assert!(
            texts(&world)
                .iter()
                .any(|row| row.contains("Bobby") && row.contains("NARRATION_ATTACHED"))
        );
        sign_in(Arc::new(world.app.db.clone()), "bob").await;
        sign_in(Arc::new(world.app.db.clone()), "ann").await;
        let auth_rows = || texts(&world).iter().filter(|row| row.contains("AUTH_")).count();
        assert_eq!(auth_rows(), 6, "a session, an address and a subject of each");
        let answers = answers_to(&world, &opened, &bob);
        assert!(answers.0 > 3 && answers.1 > 3, "{answers:?}");
        assert_eq!(forget(&world, "bob").await.status, 204);
        check_forgotten(&world, &opened).await;
        assert_eq!(auth_rows(), 3, "those of ann");
        assert_eq!(answers_to(&world, &opened, &bob), (0, answers.1), "others may still repeat");
        assert!(world.keys_of("task#erase").is_empty());
        assert_eq!(world.act(&opened, &bob, "d1t3", "rest").await.outcome(), "401 INVALID_TOKEN");
        let messages = world.keys_of(&format!("match#{}", opened.id));
        let messages: Vec<_> = messages.iter().filter(|key| key.starts_with("ally#")).collect();
        assert_eq!(messages, ["ally#a1#000002"]);
        assert!(texts(&world).iter().any(|row| row.contains("Hi Tribute ")));
        assert!(world.look(&opened).await["roster"].to_string().contains("Tribute "));
        // Asked again, it is as it was; and the user may come back as somebody new.
        assert_eq!(forget(&world, "bob").await.status, 204);
        assert_eq!(world.get(Actor::User("bob"), "/me/matches").await.json()["items"], json!([]));
        let back = json!({ "displayName": "New" });
        let back = world.request(Actor::User("bob"), Method::PUT, "/me", back, &[]).await;
        assert_eq!(back.json()["stats"]["played"], 0);
        for _ in 0..20 {
            let told = world.host(&opened, "advance", json!({ "force": true })).await;
            world.app.work().await.unwrap();
            if told["match"]["status"] == "ended" {
                break;
            }
        }
        check_fold(&world, &opened).await;
        let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
        assert_eq!(row.state.status, Status::Ended);
    }
}

#[tokio::test]
async fn a_host_is_forgotten_and_may_still_use_the_token() {
    let (world, opened, _) = crowd(json!({})).await;
    assert_eq!(forget(&world, "ann").await.status, 204);
    let rows = texts(&world);
    let rows: Vec<_> =
        rows.iter().filter(|row| row.contains("\"ann\"") || row.contains("user#ann")).collect();
    assert!(rows.is_empty(), "{rows:#?}");
    check_fold(&world, &opened).await;
    world.host(&opened, "advance", json!({ "force": true })).await;
    check_fold(&world, &opened).await;
}

/// The process dies at any of its calls, on the way there or back; another goes on.
#[tokio::test]
async fn an_erasure_that_is_interrupted_comes_to_its_end() {
    for moment in MOMENTS {
        for call in (0..CALLS_MAX).step_by(3) {
            let (world, opened, _) = crowd(json!({})).await;
            let embedded = Embedded::new(world.database.clone());
            let failing = Failing::at(&embedded, call, moment);
            let dying = world.over(failing.clone()).await;
            let told = forget(&dying, "bob").await.status;
            check_fold(&world, &opened).await;
            if !failing.has_died() {
                assert!(told == 204 && call > 30, "{call} calls were enough");
                break;
            }
            let other = world.another_process().await;
            if told != 204 {
                assert_eq!(forget(&other, "bob").await.status, 204);
            }
            other.app.work().await.unwrap();
            other.app.work().await.unwrap();
            check_forgotten(&other, &opened).await;
            assert!(other.keys_of("task#erase").is_empty(), "{moment:?} {call}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_match_is_played_while_two_of_its_players_are_forgotten() {
    let (world, opened, _) = crowd(json!({ "aiCount": 8 })).await;
    let other = world.another_process().await;
    let play = async {
        for _ in 0..6 {
            let path = opened.path("advance");
            let turn = world.look(&opened).await["turnId"].take();
            let body = json!({ "turnId": turn, "force": true });
            let told = world.post(opened.actor(), &path, body).await;
            assert!(told.status == 200 || told.status == 409, "{}", told.text);
            world.app.work().await.unwrap();
        }
    };
    let forgotten =
        async { (forget(&other, "bob").await.status, forget(&other, "cyd").await.status) };
    let ((), forgotten) = tokio::join!(play, forgotten);
    assert_eq!(forgotten, (204, 204));
    world.app.work().await.unwrap();
    world.app.work().await.unwrap();
    check_forgotten(&world, &opened).await;
    assert!(!texts(&world).iter().any(|row| row.contains("\"Cyd\"") && row.contains("\"match#")));
}

#[tokio::test]
async fn a_user_being_erased_gets_no_profile() {
    let world = World::new().await;
    let task = monotable::item! {
        "pk" => "task#erase", "sk" => "bob", "v" => r#"{"createdAt":1}"#, "ct" => "application/json",
        "ver" => 1,
    };
    world.database.put_item(PutItem::new(TABLE, task)).unwrap();
    let profile = json!({ "displayName": "Bob" });
    let put = world.request(Actor::User("bob"), Method::PUT, "/me", profile.clone(), &[]).await;
    assert_eq!(put.outcome(), "409 ERASURE_PENDING");
    assert_eq!(world.app.work().await.unwrap().erased.done, 1);
    let put = world.request(Actor::User("bob"), Method::PUT, "/me", profile, &[]).await;
    assert_eq!(put.status, 201);
}
