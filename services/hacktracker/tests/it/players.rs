//! Rosters: players, their numbers, and the users of slots.

use std::sync::Arc;

use monotable_hacktracker::table::{HackTrackerReads as _, Player, PlayerId, TeamId};
use serde_json::{Value, json};

use crate::world::{Setup as _, World};

pub(crate) const ROSTER: &str = "/teams/red/players";

pub(crate) async fn added(world: &World, body: Value) -> String {
    let added = world.post("meg", ROSTER, body).await;
    assert_eq!(added.status, 201, "{}", added.text);
    format!("{ROSTER}/{}", added.json()["playerId"].as_str().unwrap())
}

async fn stored(world: &World, player: &str) -> Player {
    let (team, player) = (TeamId::new("red").unwrap(), PlayerId::new(player).unwrap());
    world.app.db.player(&team, &player).await.unwrap().unwrap()
}

#[tokio::test]
async fn players_are_added_by_owners_and_managers() {
    let world = World::red().await;
    let body = json!({
        "firstName": "Mary Ann", "lastName": "O'Neil", "playerNumber": 0,
        "positions": ["ss", "SS", "2b"], "status": "SUB",
    });
    let player = world.post("meg", ROSTER, body).await.json();
    assert_eq!((&player["positions"], &player["status"]), (&json!(["SS", "2B"]), &json!("sub")));
    assert_eq!((&player["isGhost"], &player["userId"]), (&json!(true), &Value::Null));
    for (user, body, told) in [
        ("sam", json!({ "firstName": "A" }), "403 INSUFFICIENT_ROLE"),
        ("pat", json!({ "firstName": "A" }), "403 INSUFFICIENT_ROLE"),
        ("eve", json!({ "firstName": "A" }), "404 TEAM_NOT_FOUND"),
        ("meg", json!({ "lastName": "A" }), "400 VALIDATION"),
        ("meg", json!({ "firstName": "A", "playerNumber": 100 }), "400 VALIDATION"),
        ("meg", json!({ "firstName": "A", "playerNumber": 1.5 }), "400 VALIDATION"),
        ("meg", json!({ "firstName": "A", "positions": ["SS", "2B", "P"] }), "400 VALIDATION"),
        ("meg", json!({ "firstName": "A", "positions": ["XX"] }), "400 VALIDATION"),
        ("meg", json!({ "firstName": "R2" }), "400 VALIDATION"),
        ("meg", json!({ "firstName": "A", "userId": "pat" }), "400 READ_ONLY_FIELD"),
        ("meg", json!({ "firstName": "A", "playerNumber": 0 }), "409 NUMBER_TAKEN"),
        ("meg", json!({ "firstName": "José María" }), "201 -"),
    ] {
        assert_eq!(world.post(user, ROSTER, body.clone()).await.outcome(), told, "{user} {body}");
    }
}

#[tokio::test]
async fn several_players_are_added_together_or_not_at_all() {
    let world = World::red().await;
    let bulk = "/teams/red/players/bulk";
    let players = |numbers: std::ops::Range<u8>| -> Value {
        numbers.map(|number| json!({ "firstName": "Bob", "playerNumber": number })).collect()
    };
    let added = world.post("ann", bulk, json!({ "players": players(0..25) })).await;
    assert_eq!((added.status, &added.json()["count"]), (201, &json!(25)));
    let taken = world.post("ann", bulk, json!({ "players": players(24..30) })).await;
    assert_eq!(
        (taken.outcome().as_str(), &taken.json()["playerNumber"]),
        ("409 NUMBER_TAKEN", &json!(24))
    );
    let twice = json!({ "players": [{ "firstName": "A", "playerNumber": 50 }, { "firstName": "B", "playerNumber": 50 }] });
    assert_eq!(world.post("ann", bulk, twice).await.outcome(), "409 NUMBER_TAKEN");
    let wrong = json!({ "players": [{ "firstName": "A" }, { "firstName": "4" }] });
    let wrong = world.post("ann", bulk, wrong).await.json();
    assert_eq!(wrong["fields"][0]["field"], "players[1].firstName");
    let many = world.post("ann", bulk, json!({ "players": players(25..51) })).await;
    assert_eq!(many.outcome(), "400 VALIDATION");
    assert_eq!(world.get("pat", ROSTER).await.json()["count"], 34);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_team_has_a_hundred_players_at_most_however_they_come() {
    let world = Arc::new(World::red().await);
    let players =
        |count: usize| -> Value { (0..count).map(|_| json!({ "firstName": "B" })).collect() };
    for _ in 0..3 {
        let body = json!({ "players": players(25) });
        assert_eq!(world.post("ann", "/teams/red/players/bulk", body).await.status, 201);
    }
    let asked: Vec<_> = (0..3)
        .map(|_| {
            let (world, body) = (Arc::clone(&world), json!({ "players": players(16) }));
            tokio::spawn(async move {
                world.post("ann", "/teams/red/players/bulk", body).await.outcome()
            })
        })
        .collect();
    let mut told = Vec::new();
    for answer in asked {
        told.push(answer.await.unwrap());
    }
    told.sort();
    assert_eq!(told, ["201 -", "409 LIMIT_REACHED", "409 LIMIT_REACHED"]);
    assert_eq!(world.get("pat", ROSTER).await.json()["count"], 100);
    let full = world.post("ann", "/teams/red/players", json!({ "firstName": "B" })).await;
    assert_eq!(
        (full.outcome().as_str(), &full.json()["limit"]),
        ("409 LIMIT_REACHED", &json!(100))
    );
}

#[tokio::test]
async fn the_roster_is_sorted_and_filtered() {
    let world = World::red().await;
    for (first, last, number, status) in [
        ("Zoe", Some("Adams"), Some(9), "active"),
        ("Bea", Some("Young"), None, "active"),
        ("Al", Some("young"), None, "sub"),
        ("Cy", None, Some(3), "inactive"),
    ] {
        let body = json!({ "firstName": first, "lastName": last, "playerNumber": number, "status": status });
        added(&world, body).await;
    }
    let names = async |path: &str| -> Vec<String> {
        let page = world.get("pat", path).await.json();
        let players = page["players"].as_array().unwrap().iter();
        players.map(|player| player["firstName"].as_str().unwrap().to_owned()).collect()
    };
    let sorted = names(ROSTER).await;
    assert_eq!(
        (&sorted[..2], &sorted[11..]),
        (&["Cy".to_owned(), "Zoe".to_owned()][..], &["Al".to_owned(), "Bea".to_owned()][..])
    );
    assert_eq!(names(&format!("{ROSTER}?status=sub")).await, ["Al"]);
    assert_eq!(names(&format!("{ROSTER}?isGhost=false")).await, ["red-1"]);
    assert_eq!(names(&format!("{ROSTER}?isGhost=true&status=inactive")).await, ["Cy"]);
    let page = world.get("pat", &format!("{ROSTER}?isGhost=false&includeRoles=true")).await.json();
    assert_eq!(page["players"][0]["role"], "owner");
    assert_eq!(
        world.get("pat", &format!("{ROSTER}?color=red")).await.outcome(),
        "400 UNKNOWN_FIELD"
    );
}

#[tokio::test]
async fn ht_d19_null_removes_any_number_of_fields_at_once() {
    let world = World::red().await;
    let path = added(
        &world,
        json!({ "firstName": "A", "lastName": "B", "playerNumber": 1, "positions": ["P"] }),
    )
    .await;
    let body = json!({ "lastName": null, "playerNumber": null, "positions": null });
    let changed = world.put("meg", &path, body).await.json();
    assert_eq!((changed.get("lastName"), changed.get("playerNumber")), (None, None));
    assert_eq!((&changed["positions"], &changed["firstName"]), (&json!([]), &json!("A")));
    assert_eq!(
        world.put("meg", &path, json!({ "firstName": null })).await.outcome(),
        "400 VALIDATION"
    );
    added(&world, json!({ "firstName": "C", "playerNumber": 1 })).await;
}

#[tokio::test]
async fn a_player_edits_the_own_profile_and_nothing_else() {
    let world = World::red().await;
    world.post("ann", &format!("{ROSTER}/red-2/link"), json!({ "userId": "pat" })).await;
    let own = format!("{ROSTER}/red-2");
    let changed = world.put("pat", &own, json!({ "firstName": "Pat", "positions": ["C"] })).await;
    assert_eq!((changed.status, &changed.json()["firstName"]), (200, &json!("Pat")));
    for body in [json!({ "playerNumber": 5 }), json!({ "firstName": "P", "status": "sub" })] {
        assert_eq!(world.put("pat", &own, body).await.outcome(), "403 INSUFFICIENT_ROLE");
    }
    let other = world.put("pat", &format!("{ROSTER}/red-3"), json!({ "firstName": "P" })).await;
    assert_eq!(other.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(
        world.put("ann", &format!("{ROSTER}/x"), json!({ "firstName": "P" })).await.outcome(),
        "404 PLAYER_NOT_FOUND"
    );
}

#[tokio::test]
async fn a_player_who_only_scored_cannot_be_removed() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS", "lineup": ["red-2", "red-3"] })).await;
    world.at_bat(&game, 2, json!({ "result": "1B", "runsScored": ["red-3"] })).await;
    world.post("meg", &format!("/games/{game}/finish"), Value::Null).await;
    let removed = world.delete("meg", &format!("{ROSTER}/red-3")).await;
    assert_eq!(removed.outcome(), "409 PLAYER_HAS_STATS");
    // Games that are being deleted do not count.
    assert_eq!(world.delete("ann", &format!("/games/{game}")).await.status, 204);
    assert_eq!(world.delete("meg", &format!("{ROSTER}/red-3")).await.status, 204);
}

#[tokio::test]
async fn ht_d12_a_player_with_statistics_or_in_a_lineup_stays() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS", "lineup": ["red-2", "red-3"] })).await;
    world.at_bat(&game, 2, json!({})).await;
    let delete = |player: &str| {
        let path = format!("{ROSTER}/{player}");
        let world = &world;
        async move { world.delete("meg", &path).await }
    };
    assert_eq!(delete("red-1").await.outcome(), "409 PLAYER_LINKED");
    assert_eq!(delete("red-2").await.outcome(), "409 PLAYER_HAS_STATS");
    let in_lineup = delete("red-3").await;
    assert_eq!(
        (in_lineup.outcome().as_str(), &in_lineup.json()["gameIds"]),
        ("409 PLAYER_HAS_STATS", &json!([game]))
    );
    assert_eq!(
        world.delete("sam", &format!("{ROSTER}/red-4")).await.outcome(),
        "403 INSUFFICIENT_ROLE"
    );
    assert_eq!(delete("red-4").await.status, 204);
    assert_eq!(delete("red-4").await.outcome(), "404 PLAYER_NOT_FOUND");
    // Rows of older programs do not count plate appearances.
    for player in ["red-2", "red-5"] {
        world
            .app
            .db
            .edit(stored(&world, player).await, |player| player.pa_count = None)
            .await
            .unwrap();
    }
    world.post("meg", &format!("/games/{game}/finish"), Value::Null).await;
    assert_eq!(delete("red-2").await.outcome(), "409 PLAYER_HAS_STATS");
    assert_eq!(delete("red-5").await.status, 204);
    assert_eq!(delete("red-3").await.status, 204);
}
