//! Share links: created, followed, revoked.

use http::Method;
use monotable_hacktracker::table::{HackTrackerReads as _, Liveness, TeamId};
use serde_json::{Value, json};

use crate::world::{Setup as _, World};

#[tokio::test]
async fn anyone_with_the_link_sees_the_box_score_until_it_is_revoked() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS", "scoreMode": "auto" })).await;
    world.at_bat(&game, 1, json!({ "result": "HR", "runsScored": ["red-1"] })).await;
    let path = format!("/games/{game}/shares");
    for (user, told) in [("pat", "403 INSUFFICIENT_ROLE"), ("eve", "404 GAME_NOT_FOUND")] {
        assert_eq!(world.post(user, &path, Value::Null).await.outcome(), told);
    }
    let share = world.post("sam", &path, Value::Null).await;
    assert_eq!(share.status, 201, "{}", share.text);
    let share = share.json();
    let token = share["token"].as_str().unwrap();
    let followed = world.get("", &format!("/share/{token}")).await;
    assert_eq!((followed.status, &followed.json()["teamScore"]), (200, &json!(1)));
    assert_eq!(followed.json()["live"]["batter"]["playerId"], "red-2");

    // The list does not contain the token, and neither does the table.
    let listed = world.get("sam", &path).await;
    assert_eq!(listed.json()["count"], 1);
    let secret = token.rsplit('.').next().unwrap();
    assert!(!listed.text.contains(secret) && !listed.text.contains("tokenHash"));
    let rows = world.app.db.shares(&game.parse().unwrap()).page().await.unwrap().rows;
    assert!(!format!("{rows:?}").contains(secret));

    let (rest, last) = token.split_at(token.len() - 1);
    let other = format!("{rest}{}", if last == "A" { "B" } else { "A" });
    for wrong in [token[1..].to_owned(), other, "x".to_owned()] {
        let told = world.get("", &format!("/share/{wrong}")).await.outcome();
        assert_eq!(told, "404 SHARE_NOT_FOUND", "{wrong}");
    }
    let revoke = format!("{path}/{}", share["shareId"].as_str().unwrap());
    assert_eq!(world.delete("pat", &revoke).await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(world.delete("meg", &revoke).await.status, 204);
    assert_eq!(world.get("", &format!("/share/{token}")).await.outcome(), "404 SHARE_NOT_FOUND");
    assert_eq!(world.delete("meg", &revoke).await.outcome(), "404 SHARE_NOT_FOUND");
}

#[tokio::test]
async fn a_link_leads_to_a_page_on_which_no_text_becomes_html() {
    let world = World::red().await;
    let hostile = "<script>x</script>";
    let game = json!({ "status": "IN_PROGRESS", "scoreMode": "auto", "opponentName": hostile });
    let game = world.game(game).await;
    world.at_bat(&game, 1, json!({ "result": "1B" })).await;
    world.at_bat(&game, 2, json!({ "result": "2B", "runsScored": ["red-1"] })).await;
    let share = world.post("sam", &format!("/games/{game}/shares"), Value::Null).await.json();
    let token = share["token"].as_str().unwrap();
    let page = world.get("", &format!("/live/{token}")).await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(!page.text.contains(hostile), "{}", page.text);
    assert!(page.text.contains("Inning 1, 0 outs"), "{}", page.text);
    assert!(page.text.contains("Second base: "), "{}", page.text);
    assert!(page.text.contains(" doubles; "), "{}", page.text);
    let events = format!("data-live=\"/hacktracker/share/{token}/events\"");
    assert!(page.text.contains(&events), "{}", page.text);

    let plays = world.get("", &format!("/share/{token}/plays")).await.json();
    assert_eq!(plays["plays"].as_array().unwrap().len(), 2);
    assert_eq!(plays["plays"][1]["scored"][0]["playerId"], "red-1");
    assert_eq!(plays["onBase"]["second"]["playerId"], "red-2");
    assert_eq!(plays["onBase"].get("first"), None);

    let wrong = world.get("", "/live/x.y.z").await;
    assert_eq!((wrong.status, wrong.header("content-type")), (404, "text/html; charset=utf-8"));
}

#[tokio::test]
async fn links_to_deleted_games_are_missing() {
    let world = World::red().await;
    let game = world.game(json!({})).await;
    let share = world.post("sam", &format!("/games/{game}/shares"), Value::Null).await.json();
    let path = format!("/share/{}", share["token"].as_str().unwrap());
    let team_id = TeamId::new("red").unwrap();
    let team = world.app.db.team(&team_id).await.unwrap().unwrap();
    let deleted =
        world.app.db.edit(team, |team| team.status = Some(Liveness::Deleted)).await.unwrap();
    assert_eq!(world.get("", &path).await.outcome(), "404 SHARE_NOT_FOUND");
    world.app.db.edit(deleted, |team| team.status = None).await.unwrap();
    assert_eq!(world.request("", Method::GET, &path, Value::Null, &[]).await.status, 200);
    world.delete("sam", &format!("/games/{game}")).await;
    assert_eq!(world.get("", &path).await.outcome(), "404 SHARE_NOT_FOUND");
}

#[tokio::test]
async fn a_link_whose_response_was_lost_is_there_again_with_the_same_key() {
    let world = World::red().await;
    let game = world.game(json!({})).await;
    let path = format!("/games/{game}/shares");
    let headers = [("idempotency-key", "once")];
    let share =
        async |user: &str| world.request(user, Method::POST, &path, Value::Null, &headers).await;
    let (lost, again) = (share("sam").await, share("sam").await);
    assert_eq!((lost.status, &lost.text), (201, &again.text));
    assert_eq!(again.header("idempotent-replay"), "true");
    // Nobody else gets it by that key.
    assert_ne!(share("meg").await.json()["token"], lost.json()["token"]);
    assert_eq!(world.get("sam", &path).await.json()["count"], 2);
}

#[test]
fn every_post_takes_an_idempotency_key() {
    for route in monotable_hacktracker::service().routes {
        let takes_key = route.takes_idempotency_key || route.changes_nothing;
        assert!(takes_key || route.method != Method::POST, "{}", route.operation);
    }
}
