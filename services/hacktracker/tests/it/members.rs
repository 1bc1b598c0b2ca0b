//! Members: their list, their roles, and how they leave.

use http_body_util::BodyExt as _;
use monotable_hacktracker::table::{HackTrackerReads as _, TeamId};
use serde_json::{Value, json};

use crate::world::{Setup as _, World};

#[tokio::test]
async fn ht_d3_a_team_lists_its_members_whether_they_play_or_not() {
    let world = World::red().await;
    world.get("meg", "/users/context").await;
    let page = world.get("pat", "/teams/red/members?limit=3").await.json();
    let told = |page: &Value| -> Vec<String> {
        let members = page["members"].as_array().unwrap().iter();
        members.map(|member| format!("{} {}", member["userId"], member["role"])).collect()
    };
    assert_eq!(told(&page), [r#""ann" "owner""#, r#""meg" "manager""#, r#""pat" "player""#]);
    assert_eq!(page["members"][1]["lastName"], "User");
    assert_eq!(page["members"][1].get("email"), None);
    let next = page["nextToken"].as_str().unwrap();
    let rest = world.get("pat", &format!("/teams/red/members?limit=3&nextToken={next}")).await;
    assert_eq!(told(&rest.json()), [r#""sam" "scorekeeper""#]);
}

#[tokio::test]
async fn roles_are_given_by_the_owner() {
    let world = World::red().await;
    let put = |user, of, role| {
        world.put(
            user,
            if of == "pat" { "/teams/red/members/pat" } else { "/teams/red/members/ann" },
            json!({ "role": role }),
        )
    };
    assert_eq!(put("meg", "pat", "scorekeeper").await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(put("ann", "pat", "Scorekeeper").await.json()["role"], "scorekeeper");
    assert_eq!(put("ann", "pat", "owner").await.outcome(), "400 VALIDATION");
    assert_eq!(put("ann", "ann", "manager").await.outcome(), "403 ROLE_CEILING");
    let nobody = world.put("ann", "/teams/red/members/eve", json!({ "role": "player" })).await;
    assert_eq!(nobody.outcome(), "404 USER_NOT_FOUND");
    let audit = world.app.db.audit(&TeamId::new("red").unwrap()).page().await.unwrap().rows;
    assert_eq!((audit.len(), audit[0].action.as_str()), (1, "changeRole"));
    assert_eq!(
        (&audit[0].before["role"], &audit[0].after["role"]),
        (&"player".to_owned(), &"scorekeeper".to_owned())
    );
}

#[tokio::test]
async fn members_are_removed_and_leave() {
    let world = World::red().await;
    let delete = |user, path: &'static str| world.delete(user, path);
    assert_eq!(delete("sam", "/teams/red/members/pat").await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(delete("meg", "/teams/red/members/ann").await.outcome(), "403 ROLE_CEILING");
    assert_eq!(delete("ann", "/teams/red/members/ann").await.outcome(), "409 OWNER_CANNOT_LEAVE");
    assert_eq!(delete("ann", "/teams/red/members/eve").await.outcome(), "404 USER_NOT_FOUND");
    // Pat plays; the slot is a ghost again when pat goes.
    let link = json!({ "userId": "pat" });
    assert_eq!(world.post("meg", "/teams/red/players/red-2/link", link).await.outcome(), "200 -");
    assert_eq!(delete("meg", "/teams/red/members/pat").await.status, 204);
    let player = world.get("ann", "/teams/red/players/red-2").await.json();
    assert_eq!((&player["userId"], &player["isGhost"]), (&Value::Null, &json!(true)));
    assert_eq!(world.get("pat", "/teams/red").await.outcome(), "403 NOT_A_MEMBER");
    assert_eq!(delete("sam", "/teams/red/members/sam").await.status, 204);
    assert_eq!(world.get("sam", "/teams/red/players").await.outcome(), "403 NOT_A_MEMBER");
    assert_eq!(world.get("ann", "/teams/red/members").await.json()["count"], 2);
}

#[tokio::test]
async fn removed_members_cannot_follow_games() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    let followed = world.follow("pat", &format!("/games/{game}/events")).await;
    assert_eq!(followed.status(), 200);
    assert_eq!(world.delete("ann", "/teams/red/members/pat").await.status, 204);
    world.at_bat(&game, 1, json!({ "result": "K" })).await;
    // The stream has come to its end, so that there is a whole body, without the out.
    let body = followed.into_body().collect().await.unwrap().to_bytes();
    let body = String::from_utf8_lossy(&body);
    assert!(body.contains(r#""outs":0"#) && !body.contains(r#""outs":1"#), "{body}");
}
