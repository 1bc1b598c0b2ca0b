//! The backfill of rows of older programs.

use monotable_testkit::service::{Act, Crash};
use monotable_three_fc::table::ThreeFcReads as _;
use serde_json::{Value, json};

use crate::legacy::{old_season, row};
use crate::world::{Setup as _, World, done, id};

/// What an older program left: a league, a season and a session without the rows under their own ids, a game with
/// a goal and a line-up, a player in two teams, an admin without a mirror, and a claimed player.
fn old_rows() -> Vec<monotable::Item> {
    let [mut season, session] = old_season();
    season["leagueId"] = json!("l9");
    let league =
        json!({ "leagueId": "l9", "name": "Nine", "slug": "nine", "createdByUserId": "ann" });
    let grant =
        json!({ "leagueId": "l9", "userId": "ann", "role": "admin", "grantedByUserId": "ann" });
    let start = "2026-02-22T10:00:00Z";
    let game = json!({
        "gameId": "g9", "leagueId": "l9", "seasonId": "old", "sessionId": "20260222", "status": "scheduled",
        "gameStartTs": start, "result": null,
    });
    let goal = json!({
        "gameId": "g9", "eventId": "e1", "third": 1, "gameMinute": 9, "scoringTeamId": "red",
        "concedingTeamId": "blue", "scorerPlayerId": "p1", "assistPlayerIds": [], "ownGoal": false,
    });
    let in_team = |team: &str| json!({ "gameId": "g9", "teamId": team, "playerId": "p1" });
    let player = json!({ "playerId": "p1", "nickname": "Ada", "claimedByUserId": "zoe" });
    let mut game = row(["GAME#g9", "METADATA"], "game", &game);
    game.insert("status".to_owned(), "scheduled".into());
    vec![
        game,
        row(["LEAGUE#l9", "METADATA"], "league", &league),
        row(["LEAGUE#l9", "ACL#USER#ann"], "acl", &grant),
        row(["LEAGUE#l9", "SEASON#old"], "season", &season),
        row(["SESSION#20260222", "METADATA"], "session", &session),
        row(
            ["SESSION#20260222", &format!("GAME#{start}#g9")],
            "sessionGame",
            &json!({ "sessionId": "20260222", "gameStartTs": start, "gameId": "g9" }),
        ),
        row(["GAME#g9", "GOAL#1#0009#e1"], "goal", &goal),
        row(["GAME#g9", "ROSTER#red#p1"], "roster", &in_team("red")),
        row(["PLAYER#p1", "PROFILE"], "player", &player),
    ]
}

async fn report(world: &World) -> Value {
    serde_json::from_str(&world.running.backfill().await.unwrap()).unwrap()
}

#[tokio::test]
async fn it_writes_what_older_programs_did_not() {
    let world = World::league().await;
    world.put_rows(old_rows());
    let first = report(&world).await;
    assert_eq!(first["conflicts"], json!([]), "{first}");
    for (partition, sort) in [
        ("LEAGUES", "LEAGUE#l9"),
        ("SLUG#LEAGUE#nine", "METADATA"),
        ("USER#ann", "LEAGUE#l9"),
        ("SEASON#old", "METADATA"),
        ("SEASON#old", "SESSION#20260222"),
        ("GAME#g9", "GOALID#e1"),
        ("GAME#g9", "SLOT#p1"),
        ("USER#zoe", "PLAYER#p1"),
        ("LEAGUE#l9", "POOL#p1"),
    ] {
        assert!(world.has(partition, sort), "{partition} / {sort}");
    }
    assert_eq!(world.row("LEAGUE#l9", "METADATA").unwrap()["adminCount"], 1.into());
    assert!(done(world.get("ann", "/v1/leagues").await, 200).to_string().contains("l9"));
    world.check_quiet("a backfill").await;
    // Once more, nothing changes.
    let before = world.stored();
    let second = report(&world).await;
    assert_eq!(world.stored(), before);
    for name in ["derivedRows", "countedAdmins", "movedGrants", "claims", "pooledPlayers"] {
        assert_eq!(second[name], 0, "{second}");
    }
}

#[tokio::test]
async fn it_reports_what_needs_a_decision() {
    let world = World::league().await;
    world.put_rows(old_rows());
    let twin = json!({ "leagueId": "l2", "seasonId": "s1", "name": "Twin", "slug": null, "startsOn": null, "endsOn": null });
    let second = json!({ "gameId": "g9", "teamId": "blue", "playerId": "p1" });
    let stale =
        json!({ "sessionId": "x1", "gameStartTs": "2026-02-22T09:00:00.000Z", "gameId": "g9" });
    world.put_rows([
        row(["LEAGUE#l2", "SEASON#s1"], "season", &twin),
        row(["GAME#g9", "ROSTER#blue#p1"], "roster", &second),
        row(["SESSION#x1", "GAME#2026-02-22T09:00:00.000Z#g9"], "sessionGame", &stale),
        row(
            ["PLAYER#p2", "PROFILE"],
            "player",
            &json!({ "playerId": "p2", "nickname": "B", "claimedByUserId": "nil" }),
        ),
    ]);
    let report = report(&world).await;
    let mut kinds: Vec<_> = report["conflicts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"].as_str().unwrap())
        .collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["seasonIdTwice", "staleSessionGame", "taken", "userMissing"], "{report}");
    assert_eq!(world.app.db.season(&id("s1")).await.unwrap().unwrap().league_id, id("l1"));
}

#[tokio::test]
async fn it_may_be_killed_at_any_call() {
    let world = World::league().await;
    world.put_rows(old_rows());
    Crash::of(&world).at_every_call(Act::Backfill).await;
}

/// Older programs did not list who plays in a league.
#[tokio::test]
async fn players_of_old_line_ups_are_in_the_pool_of_their_league() {
    let world = World::league().await;
    world.put_rows(old_rows());
    let later = "2026-03-01T10:00:00Z";
    let game = json!({
        "gameId": "later", "leagueId": "l9", "seasonId": "old", "sessionId": "20260222",
        "status": "scheduled", "gameStartTs": later,
    });
    let entry = json!({ "gameId": "later", "teamId": "red", "playerId": "p1" });
    world.put_rows([
        row(["GAME#later", "METADATA"], "game", &game),
        row(["GAME#later", "ROSTER#red#p1"], "roster", &entry),
        row(
            ["GAME#gone", "ROSTER#red#p1"],
            "roster",
            &json!({ "gameId": "gone", "teamId": "red", "playerId": "p1" }),
        ),
    ]);
    report(&world).await;
    let pool = done(world.get("ann", "/v1/leagues/l9/players?recent").await, 200);
    assert_eq!(pool["players"][0]["playerId"], "p1");
    assert_eq!(pool["players"][0]["lastPlayed"], "2026-03-01T10:00:00.000Z");
    // The league decides about the player from now on.
    let renamed = world.patch("zoe", "/v1/players/p1", json!({ "nickname": "Ada L." })).await;
    done(renamed, 200);
    done(world.post("ann", "/v1/players/p1/anonymise", json!(null)).await, 200);
}
