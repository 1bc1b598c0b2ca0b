//! The sample data.

use monotable_scavenger_hunt::table::ScavengerHuntReads as _;
use monotable_testkit::service::Actor;
use serde_json::json;

use crate::world::{World, done, id};

const GAME: &str = "00000000-0000-4000-8000-000000000001";

/// Returns the token that a greeting prints for a player.
fn token(greeting: &str, name: &str) -> String {
    let start = format!("export {name}=");
    let line = greeting.lines().find_map(|line| line.trim().strip_prefix(start.as_str()));
    line.unwrap_or_else(|| panic!("no token of {name} in {greeting}")).to_owned()
}

#[tokio::test]
async fn a_hunt_is_played_by_three_teams_and_loaded_once() {
    let world = World::new().await;
    let url = "http://test/scavenger-hunt";
    let first = world.running.demo(url).await.unwrap();
    assert!(first.contains(&format!("{url}/manage/{GAME}")), "{first}");
    let board = async || {
        let path = format!("/api/leaderboard?gameId={GAME}");
        let board = done(world.get("obi", &path).await, 200);
        let teams = board["teams"].as_array().unwrap().iter();
        teams.map(|team| (team["teamName"].clone(), team["completed"].clone())).collect::<Vec<_>>()
    };
    let expected = [("Mallards", 2), ("Puffins", 1), ("Gulls", 0)];
    let expected = expected.map(|(name, found)| (json!(name), json!(found)));
    assert_eq!(board().await, expected);
    let count =
        async || world.app.db.users(&id("00000000-0000-4000-8000-000000000020")).count().await;
    assert_eq!(count().await.unwrap(), 2);
    world.check_quiet("the sample data").await;
    let milo = token(&first, "MILO");
    assert_eq!(
        done(world.post(Actor::Token(&milo), "/api/level", json!({})).await, 200)["completed"],
        2
    );
    // Another start adds nobody. Players get new tokens, because only their hashes are stored.
    let second = world.running.demo(url).await.unwrap();
    assert_eq!(board().await, expected);
    assert_eq!(count().await.unwrap(), 2);
    for (name, kind) in [("MILO", "chat"), ("GUS", "clue")] {
        let body = json!({ "message": { "text": "And now?" } });
        let said = world.post(Actor::Token(&token(&second, name)), "/api/message", body).await;
        assert_eq!(done(said, 200)["kind"], kind, "{name}");
    }
    let old = world.post(Actor::Token(&milo), "/api/level", json!({})).await;
    assert_eq!(old.status, 401);
    world.check_quiet("the sample data, loaded again").await;
}
