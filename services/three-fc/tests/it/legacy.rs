//! Rows of older programs: what is missing of them is written when they are read, and nothing of them is lost.

use monotable::{Item, item};
use monotable_three_fc::table::{GameStatus, ThreeFcReads as _};
use serde_json::{Value, json};

use crate::world::{Setup as _, World, done, id};

const THEN: &str = "2026-02-23T09:00:00.000Z";

/// A row as older programs wrote it: without a version.
pub(crate) fn row(key: [&str; 2], kind: &str, data: &Value) -> Item {
    item! {
        "pk" => key[0], "sk" => key[1], "entityType" => kind, "data" => data.to_string(),
        "createdAt" => THEN, "updatedAt" => THEN,
    }
}

/// The season `old` of the league `l1`, and its session `20260222`.
pub(crate) fn old_season() -> [Value; 2] {
    [
        json!({ "leagueId": "l1", "seasonId": "old", "name": "Old", "slug": null, "startsOn": null, "endsOn": null }),
        json!({ "seasonId": "old", "sessionId": "20260222", "sessionDate": "2026-02-22" }),
    ]
}

/// One of the two rows of a season or a session is missing, because they were written one after the other.
#[tokio::test]
async fn tf_d1_a_row_that_is_missing_is_written_when_the_other_is_read() {
    let [season, session] = old_season();
    let rows = [
        (
            row(["LEAGUE#l1", "SEASON#old"], "season", &season),
            row(["SEASON#old", "METADATA"], "season", &season),
        ),
        (
            row(["SEASON#old", "SESSION#20260222"], "session", &session),
            row(["SESSION#20260222", "METADATA"], "session", &session),
        ),
    ];
    // Only the rows under their own ids.
    let world = World::league().await;
    world.put_rows(rows.iter().map(|(_, mirror)| mirror.clone()));
    done(world.get("vic", "/v1/seasons/old").await, 200);
    assert!(world.has("LEAGUE#l1", "SEASON#old"));
    done(world.delete("ann", "/v1/sessions/20260222").await, 204);
    assert!(
        !world.has("SESSION#20260222", "METADATA") && !world.has("SEASON#old", "SESSION#20260222")
    );
    // Only the rows in what they belong to.
    let world = World::league().await;
    world.put_rows(rows.iter().map(|(own, _)| own.clone()));
    assert_eq!(world.get("vic", "/v1/seasons/old").await.outcome(), "404 acl_scope_not_found");
    done(world.get("vic", "/v1/leagues/l1/seasons").await, 200);
    assert_eq!(done(world.get("vic", "/v1/seasons/old").await, 200)["name"], "Old");
    done(world.get("vic", "/v1/seasons/old/sessions").await, 200);
    assert!(world.has("SESSION#20260222", "METADATA"));
}

/// The row under a season's id belongs to one league: a second season of the same id never gets it.
#[tokio::test]
async fn tf_d2_a_season_whose_id_another_league_has_stays_in_its_league() {
    let world = World::league().await;
    let mut twin = old_season()[0].clone();
    (twin["leagueId"], twin["seasonId"]) = (json!("l2"), json!("s1"));
    world.put_rows([row(["LEAGUE#l2", "SEASON#s1"], "season", &twin)]);
    let mirror = world.row("SEASON#s1", "METADATA");
    let seasons = done(world.get("eve", "/v1/leagues/l2/seasons").await, 200);
    assert_eq!(seasons["seasons"][0]["name"], "Old");
    assert_eq!(world.get("eve", "/v1/seasons/s1").await.outcome(), "403 league_access_required");
    world.running.backfill().await.unwrap();
    assert_eq!(world.row("SEASON#s1", "METADATA"), mirror);
    let changed = world.patch("eve", "/v1/seasons/s1", json!({ "name": "Mine" })).await;
    assert_eq!(changed.outcome(), "403 league_access_required");
}

/// Conditions can't see into the text of an envelope: changes of rows without a version are lost.
#[tokio::test]
async fn tf_d4_rows_without_a_version_are_changed_by_one_of_two() {
    let world = World::league().await;
    let league = json!({ "leagueId": "l9", "name": "Nine", "slug": null, "createdByUserId": "ann", "theme": { "a": 1.10 } });
    let grant =
        json!({ "leagueId": "l9", "userId": "ann", "role": "admin", "grantedByUserId": "ann" });
    world.put_rows([
        row(["LEAGUE#l9", "METADATA"], "league", &league),
        row(["LEAGUE#l9", "ACL#USER#ann"], "acl", &grant),
    ]);
    let db = &world.app.db;
    let seen = db.league(&id("l9")).await.unwrap().unwrap();
    done(world.patch("ann", "/v1/leagues/l9", json!({ "name": "Neuf" })).await, 200);
    let lost = db.edit(seen, |league| league.name = "Neun".to_owned()).await;
    assert!(lost.unwrap_err().is_conflict());
    let stored = world.row("LEAGUE#l9", "METADATA").unwrap();
    assert_eq!(stored["ver"], 1.into());
    // What the service does not know stays, and so does the time of creation.
    assert!(stored["data"].as_s().unwrap().contains(r#""theme":{"a":1.1"#), "{stored:?}");
    assert_eq!(stored["createdAt"], THEN.into());
}

/// The time of creation is set again with every change.
#[tokio::test]
async fn tf_d25_the_time_of_creation_never_changes() {
    let world = World::league().await;
    let created = world.row("LEAGUE#l1", "METADATA").unwrap()["createdAt"].clone();
    world.clock.advance_ms(60_000);
    done(world.patch("ann", "/v1/leagues/l1", json!({ "name": "Uno" })).await, 200);
    let stored = world.row("LEAGUE#l1", "METADATA").unwrap();
    assert_eq!(stored["createdAt"], created);
    assert_eq!(stored["updatedAt"], "2027-01-15T08:01:00.000Z".into());
}

/// A league whose admins nobody counted.
#[tokio::test]
async fn admins_of_older_programs_are_counted_before_one_goes() {
    let world = World::league().await;
    let league =
        json!({ "leagueId": "l9", "name": "Nine", "slug": null, "createdByUserId": "ann" });
    let grant = |user: &str| json!({ "leagueId": "l9", "userId": user, "role": "admin", "grantedByUserId": "ann" });
    world.put_rows([
        row(["LEAGUE#l9", "METADATA"], "league", &league),
        row(["LEAGUE#l9", "ACL#USER#ann"], "acl", &grant("ann")),
        row(["LEAGUE#l9", "ACL#USER#sam"], "acl", &grant("sam")),
    ]);
    done(world.delete("ann", "/v1/leagues/l9/acl/sam").await, 204);
    assert_eq!(world.row("LEAGUE#l9", "METADATA").unwrap()["adminCount"], 1.into());
    assert_eq!(world.delete("ann", "/v1/leagues/l9/acl/ann").await.outcome(), "409 last_admin");
}

/// Starts of games were written in several forms, and are part of keys.
#[tokio::test]
async fn tf_d7_starts_in_other_forms_keep_their_keys_until_the_game_moves() {
    let world = World::league().await;
    let start = "2027-01-15T19:00:00+11:00";
    let game = json!({
        "gameId": "old", "leagueId": "l1", "seasonId": "s1", "sessionId": "x1", "status": "scheduled",
        "gameStartTs": start,
    });
    let entry = json!({ "sessionId": "x1", "gameStartTs": start, "gameId": "old" });
    let sort = format!("GAME#{start}#old");
    world.put_rows([
        row(["GAME#old", "METADATA"], "game", &game),
        row(["SESSION#x1", &sort], "sessionGame", &entry),
    ]);
    let db = &world.app.db;
    let game = db.game(&id("old")).await.unwrap().unwrap();
    assert_eq!(game.starts_at(), world.now(), "08:00 in UTC");
    assert_eq!(game.status, GameStatus::Scheduled, "from the text of the envelope");
    let game = db.edit(game, |game| game.location = Some("Park".to_owned())).await.unwrap();
    let copy = world.row("SESSION#x1", &sort).unwrap();
    assert!(copy["data"].as_s().unwrap().contains("Park"), "the copy follows under its old key");
    let later = world.now() + std::time::Duration::from_secs(3600);
    db.edit(game, |game| game.game_start_ts = later.into()).await.unwrap();
    assert!(
        !world.has("SESSION#x1", &sort)
            && world.has("SESSION#x1", "GAME#2027-01-15T09:00:00.000Z#old")
    );
}

/// The season that a league shows first has no row under its own id yet.
#[tokio::test]
async fn pages_show_seasons_and_sessions_whose_own_rows_are_missing() {
    let [season, session] = old_season();
    for (user, first) in [("", "/leagues/l1"), ("ann", "/manage/leagues/l1")] {
        let world = World::league().await;
        let mut season = season.clone();
        season["startsOn"] = json!("2027-02-01");
        world.put_rows([
            row(["LEAGUE#l1", "SEASON#old"], "season", &season),
            row(["SEASON#old", "SESSION#20260222"], "session", &session),
        ]);
        let page = world.get(user, first).await;
        assert_eq!(page.status, 200, "{first}: {}", page.text);
        assert!(page.text.contains("/seasons/old"), "{first}");
        let second = if user.is_empty() { "/seasons/old" } else { "/manage/seasons/old" };
        let page = world.get(user, second).await;
        assert!(page.text.contains("/sessions/20260222"), "{second}: {}", page.text);
        let third = second.replace("seasons/old", "sessions/20260222");
        assert_eq!(world.get(user, &third).await.status, 200, "{third}");
    }
}

/// An older program has written a grant under an address. Its user signs in on a page, and looks for the league.
#[tokio::test]
async fn leagues_are_listed_for_users_of_old_grants_after_signing_in() {
    for path in ["/v1/leagues", "/manage"] {
        let world = World::league().await;
        let data = json!({
            "leagueId": "l1", "userId": "new@example.org", "role": "viewer", "grantedByUserId": "ann",
        });
        world.put_rows([row(["LEAGUE#l1", "ACL#USER#new@example.org"], "acl", &data)]);
        world.running.backfill().await.unwrap();
        let listed = world.get("new", path).await;
        assert!(listed.text.contains("One"), "{path}: {}", listed.text);
        assert!(world.has("LEAGUE#l1", "ACL#USER#new"), "{path}");
    }
}

/// Grants and claims of older programs are not listed under their users.
#[tokio::test]
async fn old_grants_and_claims_go_with_the_account() {
    let world = World::league().await;
    let grant = |user: &str| {
        let data = json!({
            "leagueId": "l1", "userId": user, "role": "admin", "grantedByUserId": "ann",
        });
        row(["LEAGUE#l1", &format!("ACL#USER#{user}")], "acl", &data)
    };
    let player = json!({ "playerId": "p8", "nickname": "Z", "claimedByUserId": "zoe@example.org" });
    let player = row(["PLAYER#p8", "PROFILE"], "player", &player);
    world.put_rows([grant("zoe"), grant("zoe@example.org"), player]);
    let league = world.app.db.league(&id("l1")).await.unwrap().unwrap();
    world.app.db.edit(league, |league| league.admin_count = Some(3)).await.unwrap();
    done(world.delete("zoe", "/v1/me").await, 204);
    world.finish_work("an erasure").await;
    let rows = world.stored();
    let named = rows.iter().filter(|row| row.contains("ACL#USER#zoe") || row.contains("zoe@"));
    assert_eq!(named.collect::<Vec<_>>(), [] as [&String; 0]);
    let league = world.app.db.league(&id("l1")).await.unwrap().unwrap();
    assert_eq!(league.admin_count, Some(1));
    world.check_quiet("an erasure").await;
}

/// Users of older programs were their addresses, also where a player is claimed.
#[tokio::test]
async fn players_that_are_claimed_under_an_address_move_to_the_user() {
    let world = World::league().await;
    let player = |id: &str, user: &str| {
        let data = json!({ "playerId": id, "nickname": id, "claimedByUserId": user });
        row([&format!("PLAYER#{id}"), "PROFILE"], "player", &data)
    };
    world.put_rows([player("p8", "zoe@example.org"), player("p9", "new@example.org")]);
    for _ in 0..2 {
        let report = world.running.backfill().await.unwrap();
        assert!(report.contains("\"conflicts\": []"), "{report}");
        assert!(world.has("USER#zoe", "PLAYER#p8"));
        assert!(world.has("USER#new@example.org", "PLAYER#p9"), "nobody has signed in with it");
    }
    assert_eq!(done(world.get("zoe", "/v1/players/p8").await, 200)["mine"], true);
    // Signing in moves the other one.
    assert_eq!(done(world.get("new", "/v1/me").await, 200)["players"][0]["mine"], true);
    assert!(world.has("USER#new", "PLAYER#p9") && !world.has("USER#new@example.org", "PLAYER#p9"));
    done(world.patch("new", "/v1/players/p9", json!({ "nickname": "Nine" })).await, 200);
    world.check_quiet("moved claims").await;
}
