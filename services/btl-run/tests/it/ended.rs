//! Ended matches: what they mean for profiles, when they are forgotten, and how a host keeps one.

use monotable_btl_run::log::all_events;
use monotable_btl_run::rules::events::EventBody;
use serde_json::{Value, json};

use crate::players::Play as _;
use crate::world::{Actor, Opened, World};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Returns a match of ann, bob and nobody's tributes that was played to its end.
pub(crate) async fn ended(world: &World, fields: Value) -> Opened {
    let opened = world.open_match(fields).await;
    world.join_as(Actor::User("bob"), &opened, "Bobby").await;
    world.join_as(Actor::User("ann"), &opened, "Annika").await;
    world.host(&opened, "start", json!({})).await;
    for _ in 0..30 {
        let told = world.host(&opened, "advance", json!({ "force": true })).await;
        if told["match"]["status"] == "ended" {
            return opened;
        }
    }
    panic!("the match goes on")
}

/// Returns every row of a match, with when it ends.
fn ends(world: &World, opened: &Opened) -> Vec<(String, Option<i64>)> {
    let rows = world.rows();
    let of_match = rows.iter().filter(|row| {
        let (pk, sk) = (row["pk"].as_s().unwrap(), row["sk"].as_s().unwrap());
        let is_own =
            pk.starts_with("match#") || pk.starts_with("budget#") || pk.starts_with("user#");
        is_own && (pk.contains(&opened.id) || sk.contains(&opened.id))
    });
    let end =
        |row: &monotable::Item| row.get("ttl").and_then(|ttl| ttl.as_n()?.to_string().parse().ok());
    of_match.map(|row| (row["sk"].as_s().unwrap().to_owned(), end(row))).collect()
}

async fn ended_at(world: &World, opened: &Opened) -> i64 {
    let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    let events = all_events(&world.app, &row.state).await.unwrap();
    let is_end = |body: &EventBody| matches!(body, EventBody::MatchEnded(_));
    events.iter().find(|event| is_end(&event.body)).unwrap().timestamp
}

#[tokio::test]
async fn all_rows_of_an_ended_match_are_forgotten_together() {
    for fields in [json!({}), json!({ "shardedLog": true })] {
        let world = World::new().await;
        let opened = ended(&world, fields).await;
        world.clock.advance_ms(DAY_MS);
        assert!(ends(&world, &opened).iter().all(|(_, end)| end.is_none()));
        let work = world.app.work().await.unwrap();
        assert_eq!((work.archived.done, work.archived.failed), (1, 0));
        let end = ended_at(&world, &opened).await / 1000 + 90 * 24 * 3600;
        let rows = ends(&world, &opened);
        for name in ["state", "secret", "log#000001", "summary#1", "tokens", "settled"] {
            assert!(rows.iter().any(|(sk, _)| sk == name), "{name}: {rows:?}");
        }
        assert_eq!(rows.iter().filter(|(sk, _)| sk.starts_with("match#")).count(), 2);
        assert!(rows.iter().all(|(_, ttl)| *ttl == Some(end)), "{rows:?}");
        assert!(world.keys_of("task#archive").is_empty());
        let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
        let raw = world.rows();
        let state = raw.iter().find(|row| row["sk"].as_s() == Some("state")).unwrap();
        let value: Value = serde_json::from_str(state["v"].as_s().unwrap()).unwrap();
        assert_eq!(
            value["version"],
            json!(row.stamps.version),
            "the state tells the version of its row"
        );
        let path = format!("/match/{}", opened.id);
        world.clock.set_ms(u64::try_from(end).unwrap() * 1000 - 1);
        assert_eq!(world.get(Actor::Nobody, &path).await.status, 200);
        assert_eq!(
            world.get(Actor::User("bob"), "/me/matches").await.json()["items"][0]["matchId"],
            opened.id
        );
        world.clock.advance_ms(1);
        assert_eq!(world.get(Actor::Nobody, &path).await.outcome(), "404 MATCH_NOT_FOUND");
        assert_eq!(world.get(Actor::User("bob"), "/me/matches").await.json()["items"], json!([]));
    }
}

#[tokio::test]
async fn a_pinned_match_is_kept_until_it_is_let_go() {
    let world = World::new().await;
    let opened = ended(&world, json!({})).await;
    let pin = async |pinned: bool| {
        let told = world.host(&opened, "pin", json!({ "pinned": pinned })).await;
        assert_eq!(told, json!({ "matchId": opened.id, "pinned": pinned }));
        assert_eq!(world.app.work().await.unwrap().archived.done, 1);
        ends(&world, &opened)
    };
    assert!(pin(true).await.iter().all(|(_, end)| end.is_none()));
    world.clock.advance_ms(30 * DAY_MS);
    let end = Some(ended_at(&world, &opened).await / 1000 + 90 * 24 * 3600);
    assert!(pin(false).await.iter().all(|(_, ttl)| *ttl == end));
    assert!(pin(true).await.iter().all(|(_, ttl)| ttl.is_none()));
    world.clock.advance_ms(100 * DAY_MS);
    assert_eq!(world.look(&opened).await["status"], "ended");
    // The ninety days are over.
    world.host(&opened, "pin", json!({ "pinned": false })).await;
    world.app.work().await.unwrap();
    let path = format!("/match/{}", opened.id);
    assert_eq!(world.get(Actor::Nobody, &path).await.outcome(), "404 MATCH_NOT_FOUND");
    assert!(ends(&world, &opened).iter().all(|(_, ttl)| *ttl == end));
}

#[tokio::test]
async fn a_pin_is_set_by_the_host_at_any_time() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let bob = world.join(&opened, "Bob").await;
    let pin = async |who: Actor<'_>, body: Value| {
        world.post(who, &opened.path("pin"), body).await.outcome()
    };
    assert_eq!(pin(Actor::Nobody, json!({ "pinned": true })).await, "401 INVALID_TOKEN");
    assert_eq!(pin(bob.actor(), json!({ "pinned": true })).await, "403 GM_REQUIRED");
    assert_eq!(pin(opened.actor(), json!({})).await, "400 VALIDATION");
    assert_eq!(pin(opened.actor(), json!({ "pinned": true })).await, "200 -");
    world.host(&opened, "end", json!({})).await;
    world.app.work().await.unwrap();
    assert!(ends(&world, &opened).iter().all(|(_, end)| end.is_none()));
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_match_is_counted_once_by_any_number_of_workers() {
    let world = World::new().await;
    world
        .request(Actor::User("bob"), http::Method::PUT, "/me", json!({ "displayName": "Bob" }), &[])
        .await;
    let opened = ended(&world, json!({})).await;
    let other = world.another_process().await;
    let (one, two) = tokio::join!(world.app.work(), other.app.work());
    one.unwrap();
    two.unwrap();
    world.host(&opened, "pin", json!({ "pinned": true })).await;
    for _ in 0..3 {
        world.app.work().await.unwrap();
    }
    let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    for (user, tribute, shown) in [("bob", "Bobby", "Bob"), ("ann", "Annika", "Annika")] {
        let tribute = row.state.roster.iter().find(|one| one.name == tribute).unwrap();
        let won = row.state.winner_id.as_ref() == Some(&tribute.id);
        let killed = |one: &&monotable_btl_run::rules::state::Tribute| {
            one.killed_by.as_ref() == Some(&tribute.id)
        };
        let kills = row.state.roster.iter().filter(killed).count();
        let profile = world.get(Actor::User(user), "/me").await.json();
        let stats =
            json!({ "played": 1, "won": u32::from(won), "kills": kills, "bestRank": tribute.rank });
        assert_eq!((&profile["displayName"], &profile["stats"]), (&json!(shown), &stats));
        let mine = world.get(Actor::User(user), "/me/matches").await.json();
        let result = json!({ "rank": tribute.rank, "won": won, "kills": kills });
        assert_eq!(mine["items"][0]["result"], result);
    }
}

#[tokio::test]
async fn a_match_that_its_host_broke_off_was_not_played() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    world.join_as(Actor::User("bob"), &opened, "Bobby").await;
    world.host(&opened, "start", json!({})).await;
    world.host(&opened, "end", json!({})).await;
    assert_eq!(world.app.work().await.unwrap().archived.done, 1);
    assert_eq!(world.get(Actor::User("bob"), "/me").await.outcome(), "404 PROFILE_NOT_FOUND");
}
