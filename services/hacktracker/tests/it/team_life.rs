//! How teams are deleted and restored, and who owns them.

use std::sync::Arc;

use http::Method;
use monotable_hacktracker::table::{HackTrackerReads as _, Role, TeamId, UserId};
use serde_json::{Value, json};

use crate::teams::{DAY, pass};
use crate::world::{Setup as _, World};

#[tokio::test]
async fn ht_d15_scenario_6_a_deleted_team_is_missing_and_can_be_restored() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    let at_bat = world.at_bat(&game, 1, json!({})).await;
    let refused = world.delete("meg", "/teams/red").await;
    assert_eq!(refused.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(refused.json()["error"], "Your role in the team is manager; this requires owner.");
    assert_eq!(refused.json()["roles"], json!(["owner"]));
    let deleted = world.delete("ann", "/teams/red").await.json();
    let token = deleted["recoveryToken"].as_str().unwrap().to_owned();
    assert_eq!(deleted["purgeAfter"], "2027-02-14T08:00:00.000Z");
    for user in ["ann", "sam"] {
        assert_eq!(world.get(user, "/teams/red").await.outcome(), "404 TEAM_NOT_FOUND");
        let path = format!("/games/{game}");
        assert_eq!(world.get(user, &path).await.outcome(), "404 GAME_NOT_FOUND");
        let body = json!({ "playerId": "red-1", "result": "1B" });
        assert_eq!(
            world.post(user, &format!("{path}/atbats"), body).await.outcome(),
            "404 GAME_NOT_FOUND"
        );
        let player = json!({ "firstName": "Bob" });
        let added = world.post(user, "/teams/red/players", player).await;
        assert_eq!(added.outcome(), "404 TEAM_NOT_FOUND");
    }
    assert_eq!(world.delete("ann", "/teams/red").await.outcome(), "404 TEAM_NOT_FOUND");
    let restore = |user, body| world.post(user, "/teams/red/restore", body);
    assert_eq!(restore("meg", Value::Null).await.outcome(), "404 TEAM_NOT_FOUND");
    let wrong = json!({ "recoveryToken": token.replace(|c: char| c.is_ascii_lowercase(), "x") });
    assert_eq!(restore("meg", wrong).await.outcome(), "404 TEAM_NOT_FOUND");
    pass(&world, 29 * DAY);
    world.app.work().await.unwrap();
    assert_eq!(restore("meg", json!({ "recoveryToken": token })).await.outcome(), "200 -");
    // What is promised about the deleted team is promised no more.
    pass(&world, 2 * DAY);
    world.app.work().await.unwrap();
    let path = format!("/games/{game}/atbats/{at_bat}");
    assert_eq!(world.get("pat", &path).await.json()["playerId"], "red-1");
    assert_eq!(world.get("pat", "/teams/red/players").await.json()["count"], 9);
    // The token was for once.
    assert_eq!(
        restore("meg", json!({ "recoveryToken": token })).await.outcome(),
        "404 TEAM_NOT_FOUND"
    );
    // The owner needs none, and has thirty days.
    world.delete("ann", "/teams/red").await;
    assert_eq!(restore("ann", Value::Null).await.json()["status"], "active");
    world.delete("ann", "/teams/red").await;
    pass(&world, 30 * DAY);
    assert_eq!(restore("ann", Value::Null).await.outcome(), "404 TEAM_NOT_FOUND");
    let audit = world.app.db.audit(&TeamId::new("red").unwrap()).page().await.unwrap().rows;
    assert_eq!(audit.len(), 5);
}

#[tokio::test]
async fn a_repeated_deletion_gets_the_same_token() {
    let world = World::red().await;
    let headers = [("idempotency-key", "once")];
    let delete = || world.request("ann", Method::DELETE, "/teams/red", Value::Null, &headers);
    let first = delete().await.json();
    assert!(first["recoveryToken"].is_string());
    let again = delete().await;
    assert_eq!((again.status, again.header("idempotent-replay")), (200, "true"));
    assert_eq!(again.json(), first);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_team_has_one_owner_however_many_transfers_race() {
    let world = Arc::new(World::red().await);
    for user in ["meg", "sam", "pat"] {
        world.get(user, "/users/context").await;
    }
    let transfer = |user: &'static str| {
        let world = Arc::clone(&world);
        let body = json!({ "userId": user });
        tokio::spawn(async move { world.post("ann", "/teams/red/transfer", body).await.outcome() })
    };
    let asked = ["meg", "sam", "pat"].map(transfer);
    let mut told = Vec::new();
    for answer in asked {
        told.push(answer.await.unwrap());
    }
    told.sort();
    assert_eq!(told, ["200 -", "403 INSUFFICIENT_ROLE", "403 INSUFFICIENT_ROLE"]);
    let red = TeamId::new("red").unwrap();
    let team = world.app.db.team(&red).await.unwrap().unwrap();
    let members = world.app.db.members(&red).page().await.unwrap().rows;
    let owners: Vec<_> = members.iter().filter(|member| member.role == Role::Owner).collect();
    assert_eq!((owners.len(), &owners[0].user_id), (1, &team.owner_id));
    assert_ne!(team.owner_id, UserId::new("ann").unwrap());
}

#[tokio::test]
async fn ownership_is_transferred_only_to_members() {
    let world = World::red().await;
    let transfer = |user, heir| world.post(user, "/teams/red/transfer", json!({ "userId": heir }));
    world.get("eve", "/users/context").await;
    assert_eq!(transfer("ann", "eve").await.outcome(), "404 USER_NOT_FOUND");
    assert_eq!(transfer("ann", "ann").await.outcome(), "400 VALIDATION");
    assert_eq!(transfer("meg", "meg").await.outcome(), "403 INSUFFICIENT_ROLE");
    world.get("meg", "/users/context").await;
    let transferred = transfer("ann", "meg").await.json();
    assert_eq!((&transferred["ownerId"], &transferred["role"]), (&json!("meg"), &json!("manager")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ht_d15_nothing_is_written_to_a_team_after_its_deletion() {
    let world = Arc::new(World::red().await);
    let adding: Vec<_> = (0..4)
        .map(|_| {
            let world = Arc::clone(&world);
            tokio::spawn(async move {
                loop {
                    let body = json!({ "firstName": "Bob" });
                    match world.post("meg", "/teams/red/players", body).await.outcome().as_str() {
                        "201 -" => {}
                        "409 LIMIT_REACHED" | "409 VERSION_CONFLICT" => {
                            tokio::task::yield_now().await
                        }
                        told => return told.to_owned(),
                    }
                }
            })
        })
        .collect();
    tokio::task::yield_now().await;
    assert_eq!(world.delete("ann", "/teams/red").await.status, 200);
    let red = TeamId::new("red").unwrap();
    let then = world.app.db.roster(&red).count().await.unwrap();
    for added in adding {
        let told = added.await.unwrap();
        assert!(["404 TEAM_NOT_FOUND", "409 TEAM_DELETED"].contains(&told.as_str()), "{told}");
    }
    assert_eq!(world.app.db.roster(&red).count().await.unwrap(), then);
}
