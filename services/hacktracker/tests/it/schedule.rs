//! The schedule of a team: its order, its pages, and how many games it takes.

use http::Method;
use monotable::model::rows::CounterKey as _;
use monotable_hacktracker::table::{SeasonGames, SeasonId};
use serde_json::{Value, json};

use crate::world::{Rows as _, Setup as _, World, id};

#[tokio::test]
async fn ht_d2_the_schedule_is_sorted_by_date_and_paged_in_that_order() {
    let world = World::red().await;
    for day in [3, 1, 4, 2] {
        world.game(json!({ "scheduledStart": format!("2027-03-0{day}T10:00:00Z") })).await;
    }
    world.game(json!({})).await;
    let mut days = Vec::new();
    let mut path = "/teams/red/games?limit=2".to_owned();
    loop {
        let page = world.get("pat", &path).await.json();
        for game in page["games"].as_array().unwrap() {
            days.push(game["scheduledStart"].as_str().map_or("-", |text| &text[9..10]).to_owned());
        }
        let Some(token) = page["nextToken"].as_str() else { break };
        path = format!("/teams/red/games?limit=2&nextToken={token}");
    }
    assert_eq!(days, ["4", "3", "2", "1", "-"]);
    // A cursor is good for its list only.
    let other = world.get("pat", &path.replace("limit", "status=FINAL&limit")).await;
    assert_eq!(other.outcome(), "400 INVALID_CURSOR");
    let headers = [("accept-version", "1")];
    let all = world.request("pat", Method::GET, "/teams/red/games", Value::Null, &headers).await;
    assert_eq!(all.json().as_array().unwrap().len(), 5);
    assert_eq!(world.get("pat", "/teams/red/games?status=final").await.json()["count"], 0);
}

#[tokio::test]
async fn ht_d22_games_of_older_programs_are_sorted_by_time_and_not_by_text() {
    let world = World::red().await;
    for (game, start) in [
        ("g1", "2027-03-01T23:30:00-05:00"),
        ("g2", "2027-03-02T01:00:00.000000+00:00"),
        ("g3", "2027-03-02T03:00:00Z"),
    ] {
        world.old_game(game, "SCHEDULED", start);
    }
    world.game(json!({ "scheduledStart": "2027-03-02T02:00:00Z" })).await;
    let listed = world.get("pat", "/teams/red/games").await.json();
    let starts: Vec<&str> = listed["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| &game["scheduledStart"].as_str().unwrap()[..16])
        .collect();
    let sorted = ["2027-03-02T04:30", "2027-03-02T03:00", "2027-03-02T02:00", "2027-03-02T01:00"];
    assert_eq!(starts, sorted);
}

#[tokio::test]
async fn a_team_has_five_hundred_games_in_a_season_at_most() {
    let world = World::red().await;
    let game = world.game(json!({})).await;
    let places = SeasonGames { team_id: id("red"), season_id: SeasonId::none() }.counter();
    assert_eq!(world.app.db.run(places.add(499)).await.unwrap(), 500);
    let full = world.post("sam", "/games", json!({ "teamId": "red" })).await;
    assert_eq!(full.outcome(), "409 LIMIT_REACHED");
    world.delete("sam", &format!("/games/{game}")).await;
    let free = world.post("sam", "/games", json!({ "teamId": "red" })).await;
    assert_eq!(free.outcome(), "201 -");
}
