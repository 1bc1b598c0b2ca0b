//! Matches whose rows another program wrote, or somebody by hand.

use http::Method;
use monotable_btl_run::table::{BtlRunReads as _, SecretRow};
use serde_json::{Value, json};

use crate::players::Play as _;
use crate::turns::started;
use crate::world::{Opened, TABLE, World};

/// Changes what the row of the state says.
fn rewrite(world: &World, opened: &Opened, change: impl FnOnce(&mut Value)) {
    let partition = format!("match#{}", opened.id);
    let rows = world.rows();
    let is_state = |row: &&monotable::Item| {
        row["pk"].as_s() == Some(&partition) && row["sk"].as_s() == Some("state")
    };
    let mut row = rows.iter().find(is_state).unwrap().clone();
    let mut state = serde_json::from_str(row["v"].as_s().unwrap()).unwrap();
    change(&mut state);
    row.insert("v".to_owned(), monotable::AttributeValue::from(state.to_string()));
    world.database.put_item(monotable::dynamodb::PutItem::new(TABLE, row)).unwrap();
}

#[tokio::test]
async fn events_that_an_older_program_left_are_removed_when_they_are_met() {
    let world = World::new().await;
    let (opened, _) = started(&world, "quick", 0).await;
    let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    let key = format!("log#{:06}", row.state.log_seq + 1);
    let orphan = monotable::item! {
        "pk" => format!("match#{}", opened.id), "sk" => key.clone(), "v" => "{}",
    };
    world.database.put_item(monotable::dynamodb::PutItem::new(TABLE, orphan)).unwrap();
    // The version of the match is not theirs: If-Match holds all the same.
    let version = format!("\"{}\"", row.stamps.version);
    let headers = [("if-match", version.as_str())];
    let path = opened.path("advance");
    let done = world.request(opened.actor(), Method::POST, &path, json!({}), &headers).await;
    assert_eq!(done.outcome(), "200 -", "{}", done.text);
    assert_eq!(world.look(&opened).await["turnId"], "d1t2");
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_row_of_an_older_program_is_continued_and_keeps_its_attributes() {
    let world = World::new().await;
    let (opened, _) = started(&world, "quick", 0).await;
    let rows = world.rows();
    let state = rows.iter().find(|row| row["sk"].as_s() == Some("state")).unwrap();
    let mut old = state.clone();
    old.remove("ver");
    old.remove("ct");
    old.insert("ttl".to_owned(), monotable::AttributeValue::from(4_000_000_000_i64));
    let meta = monotable::item! { "note" => "kept" };
    old.insert("meta".to_owned(), monotable::AttributeValue::M(meta));
    world.database.put_item(monotable::dynamodb::PutItem::new(TABLE, old)).unwrap();
    for turn in ["d1t1", "d1t2"] {
        world.host(&opened, "advance", json!({ "turnId": turn })).await;
    }
    let rows = world.rows();
    let state = rows.iter().find(|row| row["sk"].as_s() == Some("state")).unwrap();
    let number = |name: &str| state[name].as_n().map(ToString::to_string);
    assert_eq!((number("ver"), number("ttl")), (Some("2".into()), Some("4000000000".into())));
    assert!(format!("{:?}", state["meta"]).contains("kept"), "{state:?}");
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_dead_tribute_does_nothing() {
    let world = World::new().await;
    let (opened, players) = started(&world, "quick", 2).await;
    rewrite(&world, &opened, |state| {
        let roster = state["roster"].as_array_mut().unwrap();
        let dead = roster.iter_mut().find(|one| one["id"] == players[0].tribute.as_str()).unwrap();
        dead["alive"] = json!(false);
    });
    let refused = world.act(&opened, &players[0], "d1t1", "rest").await;
    assert_eq!(refused.outcome(), "409 TRIBUTE_DEAD");
    let at_dead = json!({ "turnId": "d1t1", "action": "hunt", "targetId": players[0].tribute });
    let refused = world.post(players[1].actor(), &opened.path("action"), at_dead).await;
    assert_eq!(refused.outcome(), "400 VALIDATION");
    // Nobody waits for the dead.
    let last = world.act(&opened, &players[1], "d1t1", "rest").await;
    assert_eq!(last.json()["resolved"], true);
}

#[tokio::test]
async fn a_version_inside_that_drifted_away_does_not_stop_a_match() {
    let world = World::new().await;
    let (opened, players) = started(&world, "quick", 1).await;
    rewrite(&world, &opened, |state| state["version"] = json!(99));
    let look = world.look(&opened).await;
    let told = world.act(&opened, &players[0], "d1t1", "rest").await;
    assert_eq!(told.status, 200, "{}", told.text);
    assert_eq!(told.json()["match"]["version"].as_u64(), look["version"].as_u64().map(|n| n + 1));
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_log_that_is_nearly_full_ends_with_its_match() {
    let world = World::new().await;
    let (opened, players) = started(&world, "quick", 1).await;
    rewrite(&world, &opened, |state| state["logSeq"] = json!(999_908));
    let late = world.act(&opened, &players[0], "d1t1", "rest").await;
    assert_eq!(late.outcome(), "409 NOT_COLLECTING");
    let path = opened.path("gm/announce");
    let announced = world.post(opened.actor(), &path, json!({ "text": "?" })).await;
    assert_eq!(announced.outcome(), "409 NOT_COLLECTING");
    let last = world.host(&opened, "advance", json!({ "force": true })).await;
    assert_eq!(last["match"]["status"], "ended");
    assert!(last["match"]["logSeq"].as_u64().unwrap() <= 999_999);
}

#[tokio::test]
async fn a_lobby_in_which_too_much_happened_can_only_be_ended() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    rewrite(&world, &opened, |state| state["logSeq"] = json!(500_000));
    let refused = world.post(opened.actor(), &opened.path("ai"), json!({})).await;
    assert_eq!(refused.outcome(), "409 INVALID_TRANSITION");
    assert_eq!(world.host(&opened, "end", json!({})).await["status"], "ended");
}

#[tokio::test]
async fn an_unreadable_lobby_does_not_block_new_ones() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let spoil = |partition: &str, sort: &str| {
        let row =
            monotable::item! { "pk" => partition, "sk" => sort, "v" => "{broken", "ver" => 1 };
        world.database.put_item(monotable::dynamodb::PutItem::new(TABLE, row)).unwrap();
    };
    spoil(&format!("match#{}", opened.id), "state");
    world.open_match(json!({})).await;
    spoil("user#ann", "lobbies");
    let third = world.open_match(json!({})).await;
    let lobbies = world.app.db.lobbies(&"ann".parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(lobbies.open, [third.id.parse().unwrap()]);
}

#[tokio::test]
async fn tributes_of_players_without_a_token_are_not_waited_for() {
    let world = World::new().await;
    let (opened, players) = started(&world, "quick", 2).await;
    let secret = world.app.db.secret(&opened.id.parse().unwrap()).await.unwrap().unwrap();
    let gone = players[1].tribute.parse().unwrap();
    let forget = |row: &mut SecretRow| drop(row.token_hashes.players.remove(&gone));
    world.app.db.edit(secret, forget).await.unwrap();
    let told = world.act(&opened, &players[0], "d1t1", "rest").await;
    assert_eq!(told.json()["resolved"], true, "{}", told.text);
}
