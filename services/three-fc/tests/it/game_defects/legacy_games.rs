//! Games as older programs wrote them: without version, status beside the data, teams, pointers and results.

use monotable::{Item, item};
use serde_json::{Value, json};

use crate::game_rows::{games, wrong};
use crate::matchday::MatchDay as _;
use crate::world::World;

fn row(pk: &str, sk: &str, entity: &str, data: Value) -> Item {
    item! {
        "pk" => pk, "sk" => sk, "entityType" => entity, "createdAt" => "2026-02-22T08:00:00Z",
        "updatedAt" => "2026-02-22T08:00:00Z", "data" => data.to_string(),
    }
}

/// Writes a game with three players and two goals, as older programs did.
fn put_game(world: &World, game: &str, status: &str, start: &str) {
    let ids = json!({ "gameId": game, "leagueId": "lg", "seasonId": "s1", "sessionId": "d1" });
    let mut data = ids.clone();
    data["status"] = status.into();
    data["gameStartTs"] = start.into();
    data["weather"] = "rain".into();
    let pk = format!("GAME#{game}");
    let mut rows = vec![
        row(&pk, "METADATA", "game", data),
        row(
            "SESSION#d1",
            &format!("GAME#{start}#{game}"),
            "sessionGame",
            json!({
                "sessionId": "d1", "gameId": game, "gameStartTs": start,
            }),
        ),
    ];
    for team in ["red", "blue", "green"] {
        let player = format!("{}-1", team.replace("green", "yellow"));
        let data = json!({ "gameId": game, "teamId": team, "playerId": player });
        rows.push(row(&pk, &format!("ROSTER#{team}#{player}"), "roster", data));
    }
    for (event, minute) in [("zz", 4), ("aa", 12)] {
        let data = json!({
            "gameId": game, "eventId": event, "third": 1, "gameMinute": minute,
            "scoringTeamId": "red", "concedingTeamId": "blue", "scorerPlayerId": "red-1",
            "assistPlayerIds": [], "ownGoal": false,
        });
        rows.push(row(&pk, &format!("GOAL#1#{minute:04}#{event}"), "goal", data));
    }
    world.put_rows(rows);
}

#[tokio::test]
async fn a_finished_game_counts_before_the_backfill_and_after_it() {
    let world = World::match_day().await;
    put_game(&world, "old", "finished", "2026-02-22T09:00:00+11:00");
    put_game(&world, "older", "scheduled", "2026-02-21T21:30:00Z");
    let check = async |when: &str| {
        let table = world.done("", "GET /v1/public/seasons/s1/standings", Value::Null).await;
        let rows: Vec<String> = table["standings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                format!("{} {} {}", row["teamId"].as_str().unwrap(), row["wins"], row["played"])
            })
            .collect();
        assert_eq!(rows, ["red 1 1", "yellow 0 0", "green 0 1", "blue 0 1"], "{when}");
        let path = "GET /v1/public/seasons/s1/leaderboards/players";
        let leaders = world.done("", path, Value::Null).await;
        assert_eq!(leaders["players"][0]["goals"], 2, "{when}");
        // The order is that of the instants, not of the texts.
        let listed = world.done("vic", "GET /v1/sessions/d1/games", Value::Null).await;
        assert_eq!(listed["games"][0]["gameId"], "older", "{when}");
        let shown = world.done("", "GET /v1/public/games/old", Value::Null).await;
        assert_eq!(shown["teams"].as_array().unwrap().len(), 3, "{when}");
        assert_eq!(shown["status"], "finished", "{when}");
    };
    check("before").await;
    for round in 0..2 {
        let report = world.running.backfill().await.unwrap();
        assert_eq!(report.contains("\"completedGames\": 2"), round == 0, "{report}");
    }
    check("after").await;
    assert_eq!(wrong(&world), [] as [String; 0]);
    let stored = games(&world);
    let old = stored.iter().find(|game| game.game_id == "old").unwrap();
    assert_eq!(old.appearances.len(), 3);
    assert_eq!(old.row.as_ref().unwrap().data["weather"], "rain", "unknown fields survive");
    assert_eq!(old.row.as_ref().unwrap().data["gameStartTs"], "2026-02-22T09:00:00+11:00");
}

#[tokio::test]
async fn a_game_of_an_older_program_is_played_to_its_end() {
    let world = World::match_day().await;
    put_game(&world, "old", "scheduled", "2026-02-22T09:00:00Z");
    let shown = world.done("sam", "POST /v1/games/old/thirds/1/start", Value::Null).await;
    assert_eq!(shown["status"], "live");
    assert_eq!(shown["teamIds"], json!(["blue", "green", "red"]));
    let body = json!({
        "scoringTeamId": "green", "concedingTeamId": "red", "scorerPlayerId": "yellow-1",
    });
    world.done("sam", "POST /v1/games/old/goals", body).await;
    world.done("sam", "PATCH /v1/games/old/goals/zz", json!({ "gameMinute": 15 })).await;
    let moved = json!({ "playerId": "yellow-1", "teamId": "blue", "fromTeamId": "green" });
    assert_eq!(
        world.outcome_of("sam", "POST /v1/games/old/roster", moved).await,
        "409 player_has_events"
    );
    world.finish("old").await;
    let stored = &games(&world)[0];
    assert_eq!((stored.outcome("green"), stored.score("blue")), ('W', (2, 0)));
    assert_eq!(stored.appearances.len(), 3);
    assert_eq!(stored.row.as_ref().unwrap().data["weather"], "rain", "unknown fields survive");
    world.done("ann", "DELETE /v1/games/old", Value::Null).await;
    world.finish_work("after the deletion").await;
    assert!(games(&world).is_empty());
}
