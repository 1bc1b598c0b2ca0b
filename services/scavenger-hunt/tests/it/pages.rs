//! The pages of players, in sessions without an account.

use http::Method;
use monotable_testkit::service::Response;
use serde_json::{Value, json};

use crate::world::{Hunt, MINUTE_MS, config, done, text};

/// Joins a team on its page, and returns the cookies of the session.
async fn enter(hunt: &Hunt, team: usize) -> String {
    let body = json!({ "code": hunt.teams[team].1, "displayName": "Ada" });
    let response = hunt.world.post("", "/join", body).await;
    assert_eq!(response.status, 200, "{}", response.text);
    let cookies = response.headers.get_all("set-cookie").iter();
    let pairs = cookies.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap());
    pairs.collect::<Vec<_>>().join("; ")
}

/// Opens a page in a session.
async fn open(hunt: &Hunt, cookie: &str, path: &str) -> Response {
    let headers = [("cookie", cookie)];
    let response = hunt.world.request("", Method::GET, path, Value::Null, &headers).await;
    assert_eq!(response.status, 200, "{path}: {}", response.text);
    response
}

/// Returns the id of the only player.
async fn player(hunt: &Hunt, team: usize) -> String {
    let path = format!("/api/teams/{}/progress", hunt.teams[team].0);
    text(&done(hunt.world.get("olga", &path).await, 200)["users"][0]["id"])
}

#[tokio::test]
async fn pages_of_players_tell_nothing_before_its_time() {
    let hunt = Hunt::live().await;
    let cookie = enter(&hunt, 0).await;
    let teammate = hunt.join(0).await;
    for place in 0..3 {
        let before = hunt.world.stored();
        for path in ["/play", "/scan", "/photos", "/leaderboard", "/me"] {
            let page = open(&hunt, &cookie, path).await.text;
            let is_named = !matches!(path, "/photos" | "/scan");
            assert_eq!(page.contains("Team 0"), is_named, "{path}");
            let hidden =
                ["Easy0x", "Easy1x", "Easy2x", "maps.example", "secret place", "Behind the statue"];
            let ids = hunt.levels.iter().flat_map(|(id, code)| [id.as_str(), code.as_str()]);
            for secret in hidden.into_iter().chain(ids).chain([hunt.teams[1].0.as_str()]) {
                assert!(!page.contains(secret), "{path} contains {secret}");
            }
        }
        // Browsers and programs that read links in advance change nothing.
        assert_eq!(hunt.world.stored(), before);
        hunt.clear(&teammate, place).await;
    }
    assert!(open(&hunt, &cookie, "/play").await.text.contains("You have won!"));
}

#[tokio::test]
async fn the_map_is_on_the_page_once_somebody_has_asked_for_it() {
    let hunt = Hunt::live().await;
    let cookie = enter(&hunt, 0).await;
    let teammate = hunt.join(0).await;
    hunt.world.clock.advance_ms(15 * MINUTE_MS);
    assert!(!open(&hunt, &cookie, "/play").await.text.contains("https://maps.example"));
    done(hunt.say(&teammate, "Where is it?").await, 200);
    assert!(open(&hunt, &cookie, "/play").await.text.contains("https://maps.example/link0"));
}

#[tokio::test]
async fn the_time_of_the_first_place_counts_from_the_start_of_the_game() {
    let hunt = Hunt::set_up(config(2, 3)).await;
    enter(&hunt, 0).await;
    hunt.world.clock.advance_ms(30 * MINUTE_MS);
    hunt.control("start").await;
    hunt.world.clock.advance_ms(MINUTE_MS);
    let teammate = hunt.join(0).await;
    assert_eq!(hunt.state(&teammate).await["onLevelMs"], MINUTE_MS);
}

#[tokio::test]
async fn a_session_follows_its_player_to_another_team_and_ends_with_the_player() {
    let hunt = Hunt::live().await;
    let cookie = enter(&hunt, 0).await;
    let user = player(&hunt, 0).await;
    let path = format!("/api/games/{}/users/{user}", hunt.game_id);
    let to = json!({ "teamId": hunt.teams[1].0 });
    done(hunt.world.post("olga", &format!("{path}/move"), to).await, 204);
    assert!(open(&hunt, &cookie, "/play").await.text.contains("<h1>Team 1</h1>"));
    done(hunt.world.delete("olga", &path).await, 204);
    let page = open(&hunt, &cookie, "/play").await.text;
    assert!(page.contains("Join your team first.") && !page.contains("Team 1"), "{page}");
}
