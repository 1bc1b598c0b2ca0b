//! The pages: what they show, and that nothing in a text becomes part of them.

use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::world::{Setup as _, World, done};

/// What somebody could have called themselves.
const SCRIPT: &str = "<script>x</script>";

/// A game in its first third, with a player in each team.
async fn live_game() -> World {
    let world = World::league().await;
    let game = json!({ "gameId": "g1", "gameStartTs": "2027-01-15T09:00:00Z" });
    done(world.post("sam", "/v1/sessions/x1/games", game).await, 201);
    for team in ["red", "blue", "yellow"] {
        let nickname = format!("{team} {SCRIPT}");
        let player = json!({ "leagueId": "l1", "playerId": team, "nickname": nickname });
        done(world.post("sam", "/v1/players", player).await, 201);
        let entry = json!({ "teamId": team, "playerId": team });
        done(world.post("sam", "/v1/games/g1/roster", entry).await, 201);
    }
    let name = json!({ "name": format!("Foxes {SCRIPT}") });
    assert!(world.put("sam", "/v1/games/g1/teams/red", name).await.is_success());
    third(&world, "1/start").await;
    world
}

async fn third(world: &World, what: &str) {
    let path = format!("/v1/games/g1/thirds/{what}");
    assert!(world.post("sam", &path, Value::Null).await.is_success(), "{what}");
}

async fn page(world: &World, actor: &str, path: &str) -> String {
    let shown = world.get(actor, path).await;
    assert_eq!(shown.status, 200, "{path}: {}", shown.text);
    assert!(!shown.text.contains(SCRIPT), "{path}");
    shown.text
}

#[tokio::test]
async fn a_quick_goal_knows_team_third_and_minute() {
    let world = live_game().await;
    world.clock.advance_ms(125 * 1000);
    let goal = json!({ "concedingTeamId": "blue", "scorerPlayerId": "red", "assistPlayerIds": ["yellow"] });
    let goal = done(world.post("sam", "/v1/games/g1/goals/quick", goal).await, 201);
    assert_eq!((&goal["scoringTeamId"], &goal["third"]), (&json!("red"), &json!(1)));
    assert_eq!((&goal["displayTime"], &goal["ownGoal"]), (&json!("3'"), &json!(false)));
    let own = json!({ "concedingTeamId": "blue", "scorerPlayerId": "blue", "ownGoal": true });
    let own = done(world.post("sam", "/v1/games/g1/goals/quick", own).await, 201);
    assert_eq!(own["scoringTeamId"], Value::Null);

    // A phone that was offline sends it after the third, and even in the next one.
    let scored_at = world.now();
    world.clock.advance_ms(60 * 1000);
    third(&world, "1/finish").await;
    world.clock.advance_ms(60 * 1000);
    third(&world, "2/start").await;
    world.clock.advance_ms(60 * 1000);
    let late = json!({ "concedingTeamId": "red", "scorerPlayerId": "yellow", "at": scored_at });
    let late = done(world.post("sam", "/v1/games/g1/goals/quick", late).await, 201);
    assert_eq!((&late["third"], &late["gameMinute"]), (&json!(1), &json!(2)));
    // The clock of a phone may be ahead.
    let ahead = json!({ "concedingTeamId": "red", "scorerPlayerId": "yellow", "at": "2099-01-01T00:00:00Z" });
    let ahead = done(world.post("sam", "/v1/games/g1/goals/quick", ahead).await, 201);
    assert_eq!((&ahead["third"], &ahead["gameMinute"]), (&json!(2), &json!(1)));

    for (body, code) in [
        (json!({ "concedingTeamId": "red", "scorerPlayerId": "red" }), "400 invalid_goal_teams"),
        (json!({ "concedingTeamId": "red", "scorerPlayerId": "nobody" }), "400 not_rostered"),
        (
            json!({ "concedingTeamId": "red", "scorerPlayerId": "blue", "at": "2020-01-01T00:00:00Z" }),
            "409 third_not_running",
        ),
    ] {
        let refused = world.post("sam", "/v1/games/g1/goals/quick", body).await;
        assert_eq!(refused.outcome(), code, "{}", refused.text);
    }
}

#[tokio::test]
async fn a_phone_that_was_offline_reports_thirds_at_their_times() {
    let world = live_game().await;
    let at = |minutes: u64| world.now() + std::time::Duration::from_secs(60 * minutes);
    let (ended, started, scored) = (at(20), at(25), at(28));
    world.clock.advance_ms(60 * 60 * 1000);
    let send = async |what: &str, body: Value| {
        let path = format!("/v1/games/g1/{what}");
        let sent = world.post("sam", &path, body).await;
        assert!(sent.is_success(), "{what}: {}", sent.text);
        sent.json()
    };
    send("thirds/1/finish", json!({ "at": ended })).await;
    send("thirds/2/start", json!({ "at": started })).await;
    let goal = json!({ "concedingTeamId": "red", "scorerPlayerId": "blue", "at": scored });
    let goal = send("goals/quick", goal).await;
    assert_eq!((&goal["third"], &goal["gameMinute"]), (&json!(2), &json!(3)));
    // A clock that is ahead reports now; one that is behind does not turn the order round.
    let now = world.now();
    let game =
        send("thirds/2/finish", json!({ "at": now + std::time::Duration::from_secs(900) })).await;
    let third = |n: usize| game["thirds"][n].clone();
    assert_eq!(third(0)["finishedAt"], json!(ended));
    assert_eq!((&third(1)["startedAt"], &third(1)["finishedAt"]), (&json!(started), &json!(now)));
    let game = send("thirds/3/start", json!({ "at": started })).await;
    assert_eq!(game["thirds"][2]["startedAt"], json!(now));
    let long_ago = json!({ "at": "2020-01-01T00:00:00Z" });
    let refused = world.post("sam", "/v1/games/g1/thirds/3/finish", long_ago).await;
    assert_eq!(refused.outcome(), "400 validation", "{}", refused.text);
}

#[tokio::test]
async fn a_goal_is_corrected_by_taps() {
    let world = live_game().await;
    let goal = json!({ "eventId": "e1", "concedingTeamId": "blue", "scoringTeamId": "red", "scorerPlayerId": "red", "assistPlayerIds": ["yellow"] });
    done(world.post("sam", "/v1/games/g1/goals", goal).await, 201);
    let edit = page(&world, "sam", "/score/g1/goals/e1").await;
    assert!(edit.contains("name=\"scorerPlayerId\" value=\"red\" checked"), "{edit}");
    assert!(edit.contains("name=\"assistPlayerIds\" value=\"yellow\" checked"), "{edit}");
    assert!(page(&world, "sam", "/score/g1").await.contains("/3fc/score/g1/goals/e1"));
    let path = "/v1/games/g1/goals/e1/quick";
    // The team that scored follows from the line-ups.
    let change = json!({ "scorerPlayerId": "yellow", "assistPlayerIds": [], "gameMinute": 7 });
    let changed = done(world.patch("sam", path, change).await, 200);
    assert_eq!(
        (&changed["scoringTeamId"], &changed["displayTime"]),
        (&json!("yellow"), &json!("8'"))
    );
    let own = json!({ "scorerPlayerId": "blue", "ownGoal": true, "assistPlayerIds": ["red"] });
    let own = done(world.patch("sam", path, own).await, 200);
    assert_eq!((&own["scoringTeamId"], &own["assistPlayerIds"]), (&Value::Null, &json!([])));
    let refused = world.patch("sam", path, json!({ "ownGoal": false })).await;
    assert_eq!(refused.outcome(), "400 invalid_goal_teams", "{}", refused.text);
    assert_eq!(world.get("sam", "/score/g1/goals/e2").await.status, 404);
}

#[tokio::test]
async fn pages_show_the_game_and_texts_stay_texts() {
    let world = live_game().await;
    let score = page(&world, "sam", "/score/g1").await;
    assert!(score.contains("End third 1") && score.contains("value=\"yellow\""), "{score}");
    assert!(!score.contains("Undo"), "{score}");
    let goal = json!({ "concedingTeamId": "blue", "scorerPlayerId": "red" });
    done(world.post("sam", "/v1/games/g1/goals/quick", goal).await, 201);
    assert!(page(&world, "sam", "/score/g1").await.contains("Undo the last goal"));
    let board = page(&world, "nobody", "/games/g1").await;
    assert!(board.contains("data-live=\"/3fc/v1/public/games/g1/stream\""), "{board}");
    assert!(board.contains("against Blue") && board.contains("class=\"leads\""), "{board}");
    for what in ["1/finish", "2/start", "2/finish", "3/start", "3/finish"] {
        third(&world, what).await;
    }
    assert!(page(&world, "sam", "/score/g1").await.contains("Finish the game"));
    assert!(world.post("sam", "/v1/games/g1/finish", Value::Null).await.is_success());
    let season = page(&world, "nobody", "/seasons/s1").await;
    assert!(season.contains("Ranked by wins, then draws, then fewest goals conceded"), "{season}");
    assert!(season.contains("<td>1 – 0 – 0</td><td>"), "the score of the game: {season}");
    assert!(season.contains("/3fc/sessions/x1"), "{season}");
    let day = page(&world, "nobody", "/sessions/x1").await;
    assert!(
        day.contains("Match day of 15 January 2027") && day.contains("Table of the day"),
        "{day}"
    );
    assert!(day.contains("/3fc/games/g1") && day.contains(" wins</td>"), "{day}");
    assert!(page(&world, "nobody", "/leagues").await.contains("/3fc/leagues/one"));
    let picture = page(&world, "nobody", "/games/g1/result.svg").await;
    assert!(picture.contains(" wins</text>"), "{picture}");
    assert!(page(&world, "nobody", "/leagues/one").await.contains("/3fc/seasons/s1"));
}

#[tokio::test]
async fn those_who_run_a_league_get_there_by_links_and_forms() {
    let world = live_game().await;
    assert!(page(&world, "ann", "/manage").await.contains("/3fc/manage/leagues/l1"));
    let league = page(&world, "ann", "/manage/leagues/l1").await;
    assert!(league.contains("/3fc/manage/seasons/s1") && league.contains("New season"), "{league}");
    assert!(league.contains("Give a role") && league.contains("sam@example.org"), "{league}");
    let viewed = page(&world, "vic", "/manage/leagues/l1").await;
    assert!(!viewed.contains("New season") && !viewed.contains("@example.org"), "{viewed}");
    assert!(page(&world, "ann", "/manage/seasons/s1/teams/red").await.contains("value=\"Red\""));
    assert!(page(&world, "ann", "/manage/seasons/s1").await.contains("/3fc/manage/sessions/x1"));
    assert!(page(&world, "ann", "/manage/sessions/x1").await.contains("/3fc/manage/games/g1"));
    let player = json!({ "leagueId": "l1", "playerId": "free", "nickname": "Free" });
    done(world.post("sam", "/v1/players", player).await, 201);
    let line_ups = page(&world, "sam", "/manage/games/g1").await;
    assert!(line_ups.contains("Take out"), "{line_ups}");
    assert_eq!(line_ups.matches("Name and colour in this game").count(), 3, "{line_ups}");
    // Teams and the length of thirds are settled once the first third has begun.
    let (teams, length) = ("name=\"teamIds\"", "name=\"thirdLengthMinutes\"");
    assert!(!line_ups.contains(teams) && !line_ups.contains(length), "{line_ups}");
    let game = json!({ "gameId": "g2", "gameStartTs": "2027-01-15T22:00:00Z" });
    done(world.post("sam", "/v1/sessions/x1/games", game).await, 201);
    let scheduled = page(&world, "sam", "/manage/games/g2").await;
    assert!(scheduled.contains(teams) && scheduled.contains(length), "{scheduled}");
    // A team that has left the season stays in its game, also when the form is sent as it is.
    done(world.post("ann", "/v1/seasons/s1/teams", json!({ "name": "Green" })).await, 201);
    assert!(world.delete("ann", "/v1/seasons/s1/teams/red").await.is_success());
    let scheduled = page(&world, "sam", "/manage/games/g2").await;
    assert!(scheduled.contains("value=\"red\" checked"), "{scheduled}");
    assert!(scheduled.contains("value=\"green\">"), "{scheduled}");
    let game = done(world.get("sam", "/v1/games/g2").await, 200);
    let kept = json!({ "teamIds": game["teamIds"], "location": "North" });
    done(world.patch("sam", "/v1/games/g2", kept).await, 200);
    let others = json!({ "teamIds": ["red", "green", "blue"] });
    assert_eq!(world.patch("sam", "/v1/games/g2", others).await.outcome(), "400 validation");
    assert!(line_ups.contains("<button name=\"teamId\" value=\"yellow\">"), "{line_ups}");
    let code = done(world.post("sam", "/v1/games/g1/join-code", Value::Null).await, 201);
    let join = page(&world, "nobody", &format!("/join/{}", code["code"].as_str().unwrap())).await;
    assert!(join.contains("class=\"qr\"") && join.contains("Nickname"), "{join}");
    // Anyone who is signed in can claim one of the players of the game.
    assert_eq!(join.matches("This is me").count(), 3, "{join}");
}

#[tokio::test]
async fn people_run_their_players_and_their_account_on_a_page() {
    let world = live_game().await;
    let code = done(world.post("sam", "/v1/games/g1/join-code", Value::Null).await, 201);
    let path = format!("/v1/join/{}", code["code"].as_str().unwrap());
    let zoe = json!({ "nickname": "Zoe", "claim": true });
    let zoe = done(world.post("zoe", &path, zoe).await, 201);
    let player = zoe["playerId"].as_str().unwrap();
    let mine = page(&world, "zoe", "/me").await;
    assert!(mine.contains(&format!("action=\"/3fc/v1/players/{player}\"")), "{mine}");
    assert!(mine.contains("value=\"Zoe\"") && mine.contains("action=\"/3fc/v1/me\""), "{mine}");
    // A short avatar is shown before the nickname.
    let looks = json!({ "avatar": "🦊" });
    done(world.patch("zoe", &format!("/v1/players/{player}"), looks).await, 200);
    let entry = json!({ "teamId": "red", "playerId": player });
    done(world.post("sam", "/v1/games/g1/roster", entry).await, 201);
    let goal = json!({ "concedingTeamId": "blue", "scorerPlayerId": player });
    done(world.post("sam", "/v1/games/g1/goals/quick", goal).await, 201);
    assert!(page(&world, "nobody", "/games/g1").await.contains("🦊 Zoe ("));
}

#[tokio::test]
async fn the_first_page_leads_to_all_leagues() {
    let world = World::league().await;
    for number in 0..51 {
        let league = json!({ "leagueId": format!("many-{number}"), "name": "Many" });
        done(world.post("ann", "/v1/leagues", league).await, 201);
    }
    let (mut path, mut seen) = ("/leagues".to_owned(), 0);
    loop {
        let shown = page(&world, "nobody", &path).await;
        seen += shown.matches("<li><a href=\"/3fc/leagues/").count();
        let Some((_, next)) = shown.split_once("href=\"/3fc/leagues?nextToken=") else { break };
        path = format!("/leagues?nextToken={}", next.split('"').next().unwrap());
    }
    assert_eq!(seen, 53);
}

#[tokio::test]
async fn players_who_joined_the_game_come_first() {
    let world = live_game().await;
    for nickname in ["Abe", "Bea"] {
        let player = json!({ "leagueId": "l1", "nickname": nickname });
        done(world.post("sam", "/v1/players", player).await, 201);
    }
    let code = done(world.post("sam", "/v1/games/g1/join-code", Value::Null).await, 201);
    let path = format!("/v1/join/{}", code["code"].as_str().unwrap());
    done(world.post("", &path, json!({ "nickname": "Zed" })).await, 201);
    let page = page(&world, "sam", "/manage/games/g1").await;
    let at = |name: &str| page.find(&format!("<span>{name}</span>")).unwrap();
    assert!(at("Zed") < at("Abe") && at("Abe") < at("Bea"));
}

/// People read and write times of Melbourne, unless the host says another zone; programs UTC.
#[tokio::test]
async fn times_on_pages_are_those_of_the_people() {
    let world = live_game().await;
    let game = json!({ "gameId": "g2", "gameStartTs": "2027-01-15T22:00:00Z" });
    done(world.post("sam", "/v1/sessions/x1/games", game).await, 201);
    let board = page(&world, "nobody", "/games/g2").await;
    assert!(board.contains("16 January 2027, 09:00"), "{board}");
    let day = page(&world, "nobody", "/sessions/x1").await;
    assert!(day.contains("<td>Starts at 09:00</td>"), "{day}");
    assert!(page(&world, "nobody", "/seasons/s1").await.contains("<td>Starts at 09:00</td>"));
    let settings = page(&world, "sam", "/manage/games/g2").await;
    assert!(settings.contains("Start (Australia/Melbourne)"), "{settings}");
    assert!(settings.contains("value=\"2027-01-16T09:00:00\""), "{settings}");
    let form = "_method=PATCH&gameStartTs=2027-01-16T10:30&_then=/3fc/manage/games/g2";
    let token = world.token("sam".into()).unwrap();
    let sent = http::Request::post("/v1/games/g2")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/x-www-form-urlencoded")
        .header("sec-fetch-site", "same-origin")
        .body(axum::body::Body::from(form))
        .unwrap();
    assert_eq!(world.router.clone().oneshot(sent).await.unwrap().status(), 303);
    let game = done(world.get("sam", "/v1/games/g2").await, 200);
    assert_eq!(game["gameStartTs"], "2027-01-15T23:30:00.000Z");
}

#[tokio::test]
async fn admins_change_players_and_make_them_anonymous_on_a_page() {
    let world = live_game().await;
    let league = page(&world, "ann", "/manage/leagues/l1").await;
    assert!(league.contains("/3fc/manage/leagues/l1/players/red"), "{league}");
    let player = page(&world, "ann", "/manage/leagues/l1/players/red").await;
    assert!(player.contains("action=\"/3fc/v1/players/red/anonymise\""), "{player}");
    assert!(player.contains("action=\"/3fc/v1/players/red\""), "{player}");
    let scored = page(&world, "sam", "/manage/leagues/l1/players/red").await;
    assert!(!scored.contains("anonymise"), "only admins do that: {scored}");
    let other = json!({ "leagueId": "l2", "playerId": "far", "nickname": "Far" });
    done(world.post("eve", "/v1/players", other).await, 201);
    assert_eq!(world.get("ann", "/manage/leagues/l1/players/far").await.status, 404);
}

#[tokio::test]
async fn a_game_shows_what_was_done_to_it() {
    let world = live_game().await;
    let goal = json!({ "eventId": "e1", "concedingTeamId": "blue", "scoringTeamId": "red", "scorerPlayerId": "red" });
    done(world.post("sam", "/v1/games/g1/goals", goal).await, 201);
    let change = json!({ "assistPlayerIds": ["yellow"] });
    done(world.patch("sam", "/v1/games/g1/goals/e1", change).await, 200);
    let shown = page(&world, "sam", "/manage/games/g1").await;
    assert!(shown.contains("15 January 2027, 19:00") && shown.contains("Edit goal"), "{shown}");
    assert!(shown.contains("Edit goal · assist player: yellow &#60;script"), "{shown}");
    assert!(shown.contains(" · scoring team: red · time: 1/0"), "{shown}");
    assert!(!shown.contains("sam@example.org"), "addresses are for admins: {shown}");
    assert!(page(&world, "ann", "/manage/games/g1").await.contains("by sam@example.org"));
}
