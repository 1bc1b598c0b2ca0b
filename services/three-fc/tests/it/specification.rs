//! What the specification says of single requests, one test for each sentence.

use std::sync::Arc;

use monotable_testkit::service::Request;
use monotable_three_fc::table::{GameStatus, ThreeFcReads as _};
use serde_json::{Value, json};

use crate::legacy::{old_season, row};
use crate::matchday::{MatchDay as _, goal_body};
use crate::world::{Setup, World, at_once, done, id};

#[tokio::test]
async fn a_goal_is_corrected_only_into_thirds_that_have_begun_and_have_room() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let goal = world.goal(&game, "red>blue", 1, 0).await;
    let path = format!("PATCH /v1/games/{game}/goals/{goal}");
    assert_eq!(
        world.outcome_of("sam", &path, json!({ "third": 2 })).await,
        "409 third_not_running"
    );
    for act in ["1/finish", "2/start"] {
        world.done("sam", &format!("POST /v1/games/{game}/thirds/{act}"), Value::Null).await;
    }
    for _ in 0..60 {
        world.goal(&game, "red>blue", 2, 0).await;
    }
    assert_eq!(world.outcome_of("sam", &path, json!({ "third": 2 })).await, "409 conflict");
    world.done("sam", &path, json!({ "concedingTeamId": "yellow" })).await;
}

#[tokio::test]
async fn null_is_the_same_as_no_value_where_a_row_can_have_none() {
    let world = World::league().await;
    let league = json!({ "leagueId": "l3", "name": "Three", "slug": null });
    assert_eq!(done(world.post("ann", "/v1/leagues", league).await, 201)["slug"], json!(null));
    let season = json!({
        "seasonId": "s3", "name": "Three", "slug": null, "startsOn": null, "endsOn": null,
        "teams": [{ "name": "A", "color": null }, { "name": "B" }, { "name": "C" }],
    });
    done(world.post("ann", "/v1/leagues/l3/seasons", season).await, 201);
    let session = json!({ "sessionId": "x3", "sessionDate": "2027-01-15" });
    done(world.post("ann", "/v1/seasons/s3/sessions", session).await, 201);
    let game = json!({ "gameId": "g3", "gameStartTs": "2027-01-15T09:00:00Z", "location": null });
    done(world.post("ann", "/v1/sessions/x3/games", game).await, 201);
    done(
        world.put("ann", "/v1/games/g3/teams/a", json!({ "name": "Z", "color": null })).await,
        200,
    );
}

#[tokio::test]
async fn a_colour_is_a_number_or_a_name_of_css() {
    let world = World::league().await;
    let team = |color: &str| json!({ "color": color });
    let path = "/v1/seasons/s1/teams/red";
    assert_eq!(world.patch("ann", path, team("banana")).await.outcome(), "400 validation");
    done(world.patch("ann", path, team("rebeccapurple")).await, 200);
}

#[tokio::test]
async fn a_user_who_never_called_gets_a_role() {
    let world = World::league().await;
    let role = json!({ "role": "viewer" });
    let path = "/v1/leagues/l1/acl/new";
    assert_eq!(done(world.put("ann", path, role.clone()).await, 200)["userId"], "new");
    assert_eq!(done(world.get("new", "/v1/leagues").await, 200)["leagues"][0]["leagueId"], "l1");
    done(world.delete("zoe", "/v1/me").await, 204);
    let deleted = world.put("ann", "/v1/leagues/l1/acl/zoe", role).await;
    assert_eq!(deleted.outcome(), "404 not_found");
    world.check_quiet("a grant without an account").await;
}

#[tokio::test]
async fn a_grant_is_found_by_id_and_by_address() {
    let world = World::league().await;
    let address = "/v1/leagues/l1/acl/Vic@Example.org";
    assert_eq!(done(world.get("ann", address).await, 200)["userId"], "vic");
    assert_eq!(done(world.get("vic", address).await, 200)["role"], "viewer");
    assert_eq!(world.get("sam", address).await.outcome(), "403 admin_required");
    done(world.delete("ann", address).await, 204);
    assert!(!world.has("LEAGUE#l1", "ACL#USER#vic"));
    // An older program has written the grant under the address.
    world.put_rows([grant("l1", "zoe@example.org", "admin")]);
    assert_eq!(done(world.get("ann", "/v1/leagues/l1/acl/zoe").await, 200)["role"], "admin");
    // A weaker role is the one that counts when the grant moves.
    let league = world.app.db.league(&id("l1")).await.unwrap().unwrap();
    world.app.db.edit(league, |league| league.admin_count = Some(2)).await.unwrap();
    let weaker = json!({ "role": "viewer" });
    done(world.put("ann", "/v1/leagues/l1/acl/zoe", weaker).await, 200);
    assert_eq!(done(world.get("zoe", "/v1/leagues/l1").await, 200)["role"], "viewer");
    world.check_quiet("grants by address").await;
}

/// A grant as older programs wrote it, without a mirror under the user.
fn grant(league: &str, user: &str, role: &str) -> monotable::Item {
    let data =
        json!({ "leagueId": league, "userId": user, "role": role, "grantedByUserId": "ann" });
    let (partition, sort) = (format!("LEAGUE#{league}"), format!("ACL#USER#{user}"));
    row([&partition, &sort], "acl", &data)
}

#[tokio::test]
async fn a_grant_under_an_address_moves_when_it_is_used() {
    let world = World::league().await;
    world.put_rows([grant("l2", "sam@example.org", "viewer")]);
    done(world.get("sam", "/v1/leagues/l2").await, 200);
    assert!(world.has("LEAGUE#l2", "ACL#USER#sam") && world.has("USER#sam", "LEAGUE#l2"));
    assert!(!world.has("LEAGUE#l2", "ACL#USER#sam@example.org"));
    assert_eq!(done(world.get("sam", "/v1/leagues").await, 200)["leagues"][1]["leagueId"], "l2");
    world.check_quiet("a grant that moved").await;
}

#[tokio::test]
async fn a_flag_without_a_value_is_true() {
    let world = World::league().await;
    let player = json!({ "leagueId": "l1", "nickname": "Ada" });
    done(world.post("sam", "/v1/players", player).await, 201);
    done(world.get("vic", "/v1/leagues/l1/players?recent").await, 200);
}

#[tokio::test]
async fn a_missing_row_of_a_season_is_written_by_either_list() {
    for (user, path) in [("vic", "/v1/leagues/l1/seasons"), ("", "/v1/public/leagues/one/seasons")]
    {
        let world = World::league().await;
        world.remove("SEASON#s1", "METADATA");
        done(world.get(user, path).await, 200);
        done(world.get("vic", "/v1/seasons/s1").await, 200);
        world.remove("SESSION#x1", "METADATA");
        done(world.get("vic", "/v1/seasons/s1/sessions").await, 200);
        assert!(world.has("SESSION#x1", "METADATA"));
        world.check_quiet("repaired rows").await;
    }
}

#[tokio::test]
async fn what_other_programs_wrote_keeps_things_from_being_deleted_as_empty() {
    let world = World::league().await;
    let [mut season, mut session] = old_season();
    let entry = json!({ "sessionId": "x1", "gameStartTs": "2026-02-22T10:00:00Z", "gameId": "g9" });
    let sort = "GAME#2026-02-22T10:00:00Z#g9";
    world.put_rows([row(["SESSION#x1", sort], "sessionGame", &entry)]);
    assert_eq!(world.delete("ann", "/v1/sessions/x1").await.outcome(), "409 conflict");
    world.remove("SESSION#x1", sort);
    done(world.delete("ann", "/v1/sessions/x1").await, 204);
    session["seasonId"] = json!("s1");
    world.put_rows([row(["SEASON#s1", "SESSION#20260222"], "session", &session)]);
    assert_eq!(world.delete("ann", "/v1/seasons/s1").await.outcome(), "409 has_sessions");
    world.remove("SEASON#s1", "SESSION#20260222");
    done(world.delete("ann", "/v1/seasons/s1").await, 204);
    season["leagueId"] = json!("l1");
    world.put_rows([row(["LEAGUE#l1", "SEASON#old"], "season", &season)]);
    assert_eq!(world.delete("ann", "/v1/leagues/l1").await.outcome(), "409 has_seasons");
}

/// A finished game of an older program in the session `x1`.
fn old_game() -> Vec<monotable::Item> {
    let start = "2027-01-15T09:00:00Z";
    let game = json!({
        "gameId": "old", "leagueId": "l1", "seasonId": "s1", "sessionId": "x1", "status": "finished",
        "gameStartTs": start,
    });
    let entry = json!({ "sessionId": "x1", "gameStartTs": start, "gameId": "old" });
    let goal = json!({
        "gameId": "old", "eventId": "e1", "third": 1, "gameMinute": 9, "scoringTeamId": "red",
        "concedingTeamId": "blue", "scorerPlayerId": "p1", "assistPlayerIds": [], "ownGoal": false,
    });
    let entry_of_p1 = json!({ "gameId": "old", "teamId": "red", "playerId": "p1" });
    vec![
        row(["GAME#old", "METADATA"], "game", &game),
        row(["SESSION#x1", &format!("GAME#{start}#old")], "sessionGame", &entry),
        row(["GAME#old", "GOAL#1#0009#e1"], "goal", &goal),
        row(["GAME#old", "ROSTER#red#p1"], "roster", &entry_of_p1),
    ]
}

#[tokio::test]
async fn games_of_older_programs_are_complete_for_members_too() {
    let world = World::league().await;
    world.put_rows(old_game());
    let game = done(world.get("vic", "/v1/games/old").await, 200);
    assert_eq!(game["teams"].as_array().unwrap().len(), 3, "{game}");
    for path in ["/v1/sessions/x1/games", "/v1/seasons/s1/games"] {
        let listed = done(world.get("vic", path).await, 200)["games"][0].clone();
        assert_eq!(listed["status"], "finished", "{path}");
        assert_eq!(listed["teams"].as_array().unwrap().len(), 3, "{path}");
        assert_eq!(listed["result"]["winnerTeamId"], "red", "{path}");
    }
    for path in ["/games/old", "/games/old/result.svg", "/manage/sessions/x1"] {
        let page = world.get("ann", path).await;
        assert!(page.text.contains("Yellow"), "{path}: {}", page.text);
    }
    // Older programs did not note when thirds began: an admin corrects goals all the same.
    let moved = world.patch("ann", "/v1/games/old/goals/e1", json!({ "third": 2 })).await;
    assert_eq!(done(moved, 200)["third"], 2);
}

#[tokio::test]
async fn tf_d22_a_name_that_another_program_gave_a_team_in_a_game_wins() {
    let world = World::league().await;
    Setup::game(&world, "g1", GameStatus::Live).await;
    let team = json!({ "gameId": "g1", "teamId": "red", "name": "Foxes", "color": "orange" });
    world.put_rows([row(["GAME#g1", "TEAM#red"], "gameTeam", &team)]);
    for (user, path) in [("vic", "/v1/games/g1"), ("", "/v1/public/games/g1")] {
        let game = done(world.get(user, path).await, 200);
        assert_eq!(game["teams"][0]["name"], "Foxes", "{path}");
        assert_eq!(game["teams"][0]["color"], "orange", "{path}");
    }
}

#[tokio::test]
async fn goals_of_other_programs_are_shown_at_once() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let first = world.goal(&game, "red>blue", 1, 0).await;
    let lists = [("vic", "goals", "goals"), ("", "timeline", "goals"), ("vic", "roster", "roster")];
    let count = async |(user, what, list): (&str, &str, &str)| {
        let public = if user.is_empty() { "public/" } else { "" };
        let path = format!("GET /v1/{public}games/{game}/{what}");
        world.done(user, &path, Value::Null).await[list].as_array().unwrap().len()
    };
    let mut before = Vec::new();
    for list in lists {
        before.push(count(list).await);
    }
    world.remove(&format!("GAME#{game}"), &format!("GOAL#1#0000#{first}"));
    world.remove(&format!("GAME#{game}"), "ROSTER#red#red-3");
    for (list, before) in lists.into_iter().zip(before) {
        assert_eq!(count(list).await, before - 1, "{list:?}");
    }
}

#[tokio::test]
async fn a_finished_game_can_be_finished_again() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    world.finish(&game).await;
    let path = format!("POST /v1/games/{game}/finish");
    let before = world.stored();
    for user in ["sam", "ann"] {
        assert_eq!(world.done(user, &path, Value::Null).await["status"], "finished");
    }
    assert_eq!(world.stored(), before);
    let stale = Request::new(&path, Value::Null).headers(&[("if-match", "\"1\"")]);
    assert_eq!(world.send("sam", stale).await.outcome(), "412 precondition_failed");
}

#[tokio::test]
async fn an_unknown_code_is_missing_and_an_old_one_is_closed() {
    let world = World::league().await;
    Setup::game(&world, "g1", GameStatus::Scheduled).await;
    let code = done(world.post("sam", "/v1/games/g1/join-code", Value::Null).await, 201);
    let path = format!("/v1/join/{}", code["code"].as_str().unwrap());
    let name = json!({ "nickname": "Ada" });
    world.clock.advance_ms(12 * 60 * 60 * 1000);
    assert_eq!(world.post("", &path, name.clone()).await.outcome(), "409 join_closed");
    assert_eq!(world.post("", "/v1/join/NOSUCH00", name).await.outcome(), "404 not_found");
    assert_eq!(world.get("", "/join/NOSUCH00").await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_games_take_a_new_player_at_once() {
    for _ in 0..8 {
        let world = World::match_day().await;
        for game in ["a", "b", "c", "d"] {
            let body = json!({ "gameId": game, "gameStartTs": "2026-02-22T09:00:00Z" });
            world.done("sam", "POST /v1/sessions/d1/games", body).await;
        }
        assert!(!world.has("LEAGUE#lg", "POOL#red-1"));
        let world = Arc::new(world);
        let body = json!({ "playerId": "red-1", "teamId": "red" });
        let requests = ["a", "b", "c", "d"]
            .map(|game| ("sam", format!("POST /v1/games/{game}/roster"), body.clone()));
        let told = at_once(&world, requests, None).await;
        assert!(told.iter().all(|told| told.status == 201), "{told:?}");
    }
}

#[tokio::test]
async fn an_admin_approves_a_claim_of_a_player_that_names_no_league() {
    let world = World::league().await;
    let player = json!({ "playerId": "p9", "nickname": "Old", "claimedByUserId": null });
    let pool = json!({ "leagueId": "l1", "playerId": "p9" });
    world.put_rows([
        row(["PLAYER#p9", "PROFILE"], "player", &player),
        row(["LEAGUE#l1", "POOL#p9"], "pool", &pool),
    ]);
    let body = json!({ "userId": "zoe" });
    let unnamed = world.post("ann", "/v1/players/p9/claim", body.clone()).await;
    assert_eq!(unnamed.outcome(), "404 acl_scope_not_found");
    done(world.post("ann", "/v1/players/p9/claim?leagueId=l1", body).await, 200);
    assert_eq!(audited(&world).await, ["claimPlayer"]);
}

/// Returns the actions in the audit of the league `l1` but those about roles.
async fn audited(world: &World) -> Vec<String> {
    let lines = done(world.get("ann", "/v1/leagues/l1/audit").await, 200);
    let lines = lines["entries"].as_array().unwrap().iter();
    let actions = lines.map(|line| line["action"].as_str().unwrap().to_owned());
    actions.filter(|action| action != "putGrant").collect()
}

#[tokio::test]
async fn a_league_cannot_take_the_address_of_another() {
    let world = World::league().await;
    let shadow = json!({ "leagueId": "one", "name": "Mine" });
    assert_eq!(world.post("eve", "/v1/leagues", shadow).await.outcome(), "409 id_taken");
    let shadow = json!({ "name": "Mine", "slug": "l1" });
    assert_eq!(world.post("eve", "/v1/leagues", shadow).await.outcome(), "409 slug_taken");
    let shadow = json!({ "slug": "l1" });
    assert_eq!(world.patch("eve", "/v1/leagues/l2", shadow).await.outcome(), "409 slug_taken");
    done(world.patch("eve", "/v1/leagues/l2", json!({ "slug": "l2" })).await, 200);
    done(world.patch("eve", "/v1/leagues/l2", json!({ "name": "Zwei" })).await, 200);
}

#[tokio::test]
async fn deletions_are_in_the_audit() {
    let world = World::league().await;
    done(world.delete("ann", "/v1/seasons/s1/teams/red").await, 204);
    done(world.delete("ann", "/v1/sessions/x1").await, 204);
    done(world.delete("ann", "/v1/seasons/s1").await, 204);
    assert_eq!(audited(&world).await, ["deleteSeason", "deleteSession", "deleteTeam"]);
    let world = World::match_day().await;
    let game = world.live_game().await;
    world.done("sam", &format!("DELETE /v1/games/{game}/roster/red-3"), Value::Null).await;
    world.finish(&game).await;
    let path = format!("PUT /v1/games/{game}/teams/red");
    world.done("ann", &path, json!({ "name": "Foxes", "color": "orange" })).await;
    let lines = world.app.db.audit(&id(&game)).all().await.unwrap();
    let line = |action: &str| lines.iter().find(|line| line.action == action).unwrap();
    assert_eq!(line("removeRoster").before["teamId"], "red");
    let renamed = line("setGameTeam");
    assert_eq!((&*renamed.before["name"], &*renamed.after["name"]), ("RED", "Foxes"));
}

#[tokio::test]
async fn a_season_can_be_deleted_right_after_its_last_game() {
    let world = World::match_day().await;
    world.live_game().await;
    world.done("ann", "DELETE /v1/games/g1", Value::Null).await;
    assert!(!world.has("SESSION#d1", "METADATA") && !world.has("GAME#g1", "METADATA"));
    world.done("ann", "DELETE /v1/seasons/s1", Value::Null).await;
    world.check_quiet("a deleted season").await;
}

#[tokio::test]
async fn roles_and_claims_are_gone_with_the_account() {
    let world = World::league().await;
    done(world.put("ann", "/v1/leagues/l1/acl/zoe", json!({ "role": "viewer" })).await, 200);
    let player = json!({ "leagueId": "l1", "playerId": "p1", "nickname": "Zoe" });
    done(world.post("sam", "/v1/players", player).await, 201);
    done(world.post("ann", "/v1/players/p1/claim", json!({ "userId": "zoe" })).await, 200);
    done(world.delete("zoe", "/v1/me").await, 204);
    assert!(!world.has("LEAGUE#l1", "ACL#USER#zoe") && !world.has("USER#zoe", "PLAYER#p1"));
    assert_eq!(done(world.get("vic", "/v1/players/p1").await, 200)["claimed"], false);
    world.finish_work("an erasure").await;
    world.check_quiet("an erasure").await;
}

#[tokio::test]
async fn if_match_is_optional_on_every_write_of_a_game() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    world.goal(&game, "red>blue", 1, 0).await;
    let writes = [
        ("thirds/1/finish", Value::Null),
        ("goals", goal_body("red>blue")),
        ("goals/quick", json!({ "concedingTeamId": "blue", "scorerPlayerId": "red-1" })),
        ("roster", json!({ "playerId": "red-3", "teamId": "red" })),
        ("goals/undo", Value::Null),
        ("join-code", Value::Null),
    ];
    for (path, body) in writes {
        let path = format!("POST /v1/games/{game}/{path}");
        let stale = Request::new(&path, body.clone()).headers(&[("if-match", "\"1\"")]);
        assert_eq!(world.send("sam", stale).await.outcome(), "412 precondition_failed", "{path}");
        let version = world.app.db.game(&id(&game)).await.unwrap().unwrap().stamps.version;
        let tag = format!("\"{version}\"");
        let headers = [("if-match", tag.as_str())];
        let mut body = body;
        if path.ends_with("/goals") {
            (body["third"], body["gameMinute"]) = (json!(1), json!(0));
        } else if path.ends_with("/quick") {
            body["at"] = json!(world.now());
        }
        let response = world.send("sam", Request::new(&path, body).headers(&headers)).await;
        assert!(response.is_success(), "{path}: {}", response.text);
    }
    let path = format!("DELETE /v1/games/{game}/roster/red-3");
    let stale = Request::new(&path, Value::Null).headers(&[("if-match", "\"1\"")]);
    assert_eq!(world.send("sam", stale).await.outcome(), "412 precondition_failed");
    let claim = Request::new("POST /v1/players/red-2/claim", json!({ "code": "7K3M9QWX" }));
    let stale = world.send("zoe", claim.headers(&[("if-match", "\"9\"")])).await;
    assert_eq!(stale.outcome(), "412 precondition_failed");
}

#[tokio::test]
async fn a_stated_minute_is_past() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    world.clock.advance_ms(60_000);
    let goal = |minute: u16| {
        let mut body = goal_body("red>blue");
        body["gameMinute"] = minute.into();
        body
    };
    let path = format!("POST /v1/games/{game}/goals");
    assert_eq!(world.outcome_of("sam", &path, goal(150)).await, "400 validation");
    assert_eq!(world.outcome_of("sam", &path, goal(2)).await, "400 validation");
    world.done("sam", &path, goal(1)).await;
}

#[tokio::test]
async fn every_list_comes_in_pages() {
    let world = World::match_day().await;
    world.add_session("d2", "2026-02-15").await;
    let game = world.live_game().await;
    for minute in [0, 0, 1] {
        world.goal(&game, "red>blue", 1, minute).await;
    }
    for (session, game) in [("d1", "g2"), ("d2", "g3"), ("d1", "g4")] {
        let body = json!({ "gameId": game, "gameStartTs": "2026-02-22T09:00:00Z" });
        world.done("sam", &format!("POST /v1/sessions/{session}/games"), body).await;
    }
    let lists = [
        ("vic", format!("/v1/games/{game}/goals"), "goals", "eventId", 3),
        ("vic", format!("/v1/games/{game}/roster"), "roster", "playerId", 9),
        ("", format!("/v1/public/games/{game}/timeline"), "goals", "eventId", 3),
        ("vic", "/v1/sessions/d1/games".to_owned(), "games", "gameId", 3),
        ("vic", "/v1/seasons/s1/games".to_owned(), "games", "gameId", 4),
        ("", "/v1/public/seasons/s1/games".to_owned(), "games", "gameId", 4),
    ];
    for (user, path, list, field, count) in lists {
        let ids = |page: &Value| -> Vec<String> {
            let rows = page[list].as_array().unwrap().iter();
            rows.map(|row| row[field].as_str().unwrap().to_owned()).collect()
        };
        let all = ids(&world.done(user, &format!("GET {path}"), Value::Null).await);
        assert_eq!(all.len(), count, "{path}");
        let (mut seen, mut next) = (Vec::new(), String::new());
        loop {
            let route = format!("GET {path}?limit=2{next}");
            let page = world.done(user, &route, Value::Null).await;
            assert!(page[list].as_array().unwrap().len() <= 2, "{path}");
            seen.extend(ids(&page));
            let Some(token) = page["nextToken"].as_str() else { break };
            next = format!("&nextToken={token}");
        }
        assert_eq!(seen, all, "{path}");
        let wrong = format!("GET {path}?limit=101");
        assert_eq!(world.outcome_of(user, &wrong, Value::Null).await, "400 validation", "{path}");
    }
}

#[tokio::test]
async fn a_claimed_player_has_its_appearances_of_a_season() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    world.goal(&game, "red>blue", 1, 0).await;
    world.finish(&game).await;
    let path = "GET /v1/players/red-1/seasons/s1/appearances";
    let list = world.done("user-of-red", path, Value::Null).await;
    let appearance = &list["appearances"][0];
    assert_eq!((&appearance["gameId"], &appearance["goals"]), (&json!(game), &json!(1)));
    assert_eq!(appearance["outcome"], "W");
    let other = "GET /v1/players/red-1/seasons/s9/appearances";
    assert_eq!(world.done("user-of-red", other, Value::Null).await["count"], 0);
    assert_eq!(world.outcome_of("ann", path, Value::Null).await, "403 not_claim_owner");
}

#[tokio::test]
async fn a_start_without_an_offset_is_a_time_of_melbourne() {
    let world = World::league().await;
    let start = "2026-02-22T09:00:00";
    let game = json!({
        "gameId": "old", "leagueId": "l1", "seasonId": "s1", "sessionId": "x1", "status": "scheduled",
        "gameStartTs": start,
    });
    let entry = json!({ "sessionId": "x1", "gameStartTs": start, "gameId": "old" });
    world.put_rows([
        row(["GAME#old", "METADATA"], "game", &game),
        row(["SESSION#x1", &format!("GAME#{start}#old")], "sessionGame", &entry),
    ]);
    let shown = done(world.get("vic", "/v1/games/old").await, 200);
    assert_eq!(shown["gameStartTs"], "2026-02-21T22:00:00.000Z");
    let listed = done(world.get("vic", "/v1/sessions/x1/games").await, 200);
    assert_eq!(listed["games"][0]["gameStartTs"], "2026-02-21T22:00:00.000Z");
}

#[tokio::test]
async fn names_and_places_are_not_empty() {
    let world = World::league().await;
    Setup::game(&world, "g1", GameStatus::Scheduled).await;
    let name = json!({ "name": "  " });
    assert_eq!(world.put("ann", "/v1/games/g1/teams/red", name).await.outcome(), "400 validation");
    let place = json!({ "location": " " });
    assert_eq!(world.patch("ann", "/v1/games/g1", place).await.outcome(), "400 validation");
    let game = json!({ "gameStartTs": "2027-01-15T09:00:00Z", "location": " " });
    assert_eq!(world.post("ann", "/v1/sessions/x1/games", game).await.outcome(), "400 validation");
}

#[tokio::test]
async fn a_season_has_500_sessions_at_most() {
    let world = World::league().await;
    let season = world.app.db.season_in(&id("l1"), &id("s1")).await.unwrap().unwrap();
    world.app.db.edit(season, |season| season.session_count = Some(499)).await.unwrap();
    let session = json!({ "sessionDate": "2027-01-16" });
    done(world.post("sam", "/v1/seasons/s1/sessions", session.clone()).await, 201);
    let refused = world.post("sam", "/v1/seasons/s1/sessions", session).await;
    assert_eq!(refused.outcome(), "409 conflict");
}

/// The teams of an old game are those that its line-ups name: there may be two.
#[tokio::test]
async fn a_game_of_two_teams_does_not_start() {
    let world = World::league().await;
    for team in ["red", "blue", "yellow"] {
        done(world.delete("ann", &format!("/v1/seasons/s1/teams/{team}")).await, 204);
    }
    world.put_rows(old_game());
    let game = world.app.db.game(&id("old")).await.unwrap().unwrap();
    world.app.db.edit(game, |game| game.status = GameStatus::Scheduled).await.unwrap();
    let entry = json!({ "gameId": "old", "teamId": "blue", "playerId": "p2" });
    world.put_rows([row(["GAME#old", "ROSTER#blue#p2"], "roster", &entry)]);
    let told = world.post("ann", "/v1/games/old/thirds/1/start", Value::Null).await;
    assert_eq!(told.outcome(), "409 invalid_transition", "{}", told.text);
}
