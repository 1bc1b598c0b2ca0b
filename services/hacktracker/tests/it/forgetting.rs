//! What an account that is deleted takes with it, and what it may not.

use std::sync::Arc;

use http::Method;
use monotable_hacktracker::table::{HackTrackerReads as _, Role, TeamId, TeamType};
use monotable_testkit::service::{link_of, sign_in};
use serde_json::json;

use crate::erasure::{everything, id, world_of_pat};
use crate::teams::{DAY, pass};
use crate::world::{Rows as _, Setup as _, World};

#[tokio::test]
async fn the_members_of_a_team_are_not_decided_by_an_index() {
    let world = World::new().await;
    let team = world.post("ann", "/teams", json!({ "name": "Sluggers" })).await.json();
    let path = format!("/teams/{}", team["teamId"].as_str().unwrap());
    let invite = world.post("ann", &format!("{path}/invites"), json!({ "role": "player" })).await;
    let token = json!({ "token": invite.json()["token"] });
    assert_eq!(world.post("bob", "/invites/accept", token).await.outcome(), "200 -");
    // The index does not know the new member.
    let team_id: TeamId = id(team["teamId"].as_str().unwrap());
    let row = world.app.db.membership(&id("bob"), &team_id).await.unwrap().unwrap();
    let key = monotable::item! { "PK" => "USER#bob", "SK" => format!("TEAM#{team_id}") };
    let forgotten = monotable::dynamodb::UpdateItem::new("hacktracker-dev", key)
        .update("REMOVE GSI3PK, GSI3SK");
    world.database.update_item(forgotten).unwrap();
    assert_eq!(world.app.db.members(&team_id).count().await.unwrap(), 1);
    assert_eq!(world.delete("ann", "/users/ann").await.outcome(), "409 OWNS_TEAMS");
    assert!(row.is_active());
    world.delete("bob", &format!("{path}/members/bob")).await;
    assert_eq!(world.delete("ann", "/users/ann").await.status, 204);
}

#[tokio::test]
async fn former_members_leave_no_name_and_no_responses() {
    let (world, slot) = world_of_pat().await;
    let path = format!("/teams/red/players/{slot}");
    let names = json!({ "firstName": "Realname", "lastName": "Secretson" });
    assert_eq!(world.put("pat", &path, names).await.outcome(), "200 -");
    let phone = json!({ "phoneNumber": "+12065550177" });
    let key = [("idempotency-key", "k1")];
    world.request("pat", Method::PUT, "/users/pat", phone, &key).await;
    assert_eq!(world.delete("pat", "/teams/red/members/pat").await.status, 204);
    assert_eq!(world.get("ann", &path).await.json()["firstName"], "Realname");
    assert!(everything(&world).contains("+12065550177"));
    assert_eq!(world.delete("pat", "/users/pat").await.status, 204);
    let ghost = world.get("ann", &path).await.json();
    assert_eq!((&ghost["firstName"], ghost.get("lastName")), (&json!("Former player"), None));
    for secret in ["+12065550177", "Realname", "Secretson", "Patricia"] {
        assert!(!everything(&world).contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn members_written_by_older_programs_are_members() {
    let world = World::red().await;
    world.get("ann", "/users/context").await;
    for user in ["meg", "sam", "pat"] {
        let key = monotable::item! { "PK" => format!("USER#{user}"), "SK" => "TEAM#red" };
        let forgotten = monotable::dynamodb::UpdateItem::new("hacktracker-dev", key);
        world.database.update_item(forgotten.update("REMOVE GSI3PK, GSI3SK")).unwrap();
    }
    assert_eq!(world.delete("ann", "/users/ann").await.outcome(), "409 OWNS_TEAMS");
}

#[tokio::test]
async fn an_account_with_the_maximum_of_teams_can_be_deleted() {
    let world = World::new().await;
    for number in 0..50 {
        let kind = if number < 48 { TeamType::Managed } else { TeamType::Personal };
        world.team(&format!("t{number:02}"), kind, &[("ann", Role::Owner)], 1).await;
    }
    world.get("ann", "/users/context").await;
    let key = [("idempotency-key", "gone")];
    let gone =
        world.request("ann", Method::DELETE, "/users/ann", serde_json::Value::Null, &key).await;
    assert_eq!(gone.outcome(), "204 -");
    assert_eq!(world.app.db.players_of(&id("ann")).count().await.unwrap(), 0);
}

#[tokio::test]
async fn names_are_erased_with_the_user_who_gave_them() {
    let (world, slot) = world_of_pat().await;
    let path = format!("/teams/red/players/{slot}");
    // The first name is the manager's, the last one becomes pat's own.
    world.put("pat", &path, json!({ "lastName": "Secretson" })).await;
    world.delete("pat", &format!("{path}/link")).await;
    pass(&world, DAY);
    world.post("ann", &format!("{path}/link"), json!({ "userId": "sam" })).await;
    world.delete("pat", "/users/pat").await;
    let player = world.get("ann", &path).await.json();
    assert_eq!((&player["firstName"], player.get("lastName")), (&json!("Lefty"), None));
    assert_eq!(player["userId"], "sam");
    // Names that a manager writes afterwards are not personal data of the user.
    world.put("ann", &path, json!({ "lastName": "Grove" })).await;
    world.delete("sam", &format!("{path}/link")).await;
    assert_eq!(world.get("ann", &path).await.json()["lastName"], "Grove");
}

#[tokio::test]
async fn members_and_open_invitations_are_counted_whatever_happens() {
    let world = World::new().await;
    let team = world.post("ann", "/teams", json!({ "name": "Sluggers" })).await.json();
    let team_id: TeamId = id(team["teamId"].as_str().unwrap());
    let path = format!("/teams/{team_id}");
    let counts = async || {
        let counts = world.app.db.team_counts(&team_id).await.unwrap().unwrap();
        (counts.members, counts.open_invites)
    };
    let invite = async || {
        let body = json!({ "role": "player" });
        world.post("ann", &format!("{path}/invites"), body).await.json()
    };
    for user in ["bob", "cleo", "dora"] {
        let token = json!({ "token": invite().await["token"] });
        assert_eq!(world.post(user, "/invites/accept", token).await.outcome(), "200 -");
    }
    let open = invite().await;
    assert_eq!(counts().await, (4, 1));
    let open = format!("{path}/invites/{}", open["inviteId"].as_str().unwrap());
    world.delete("ann", &open).await;
    world.delete("ann", &format!("{path}/members/bob")).await;
    world.delete("cleo", &format!("{path}/members/cleo")).await;
    world.delete("dora", "/users/dora").await;
    assert_eq!(counts().await, (1, 0));
    assert_eq!(world.delete("ann", "/users/ann").await.status, 204);
}

/// Returns how many rows sign-in keeps.
fn auth_rows(world: &World) -> usize {
    let rows = world.rows();
    rows.iter().filter(|row| row["PK"].as_s().unwrap().starts_with("AUTH_")).count()
}

#[tokio::test]
async fn an_account_that_is_deleted_is_signed_out_and_its_address_is_free() {
    let (world, _) = world_of_pat().await;
    let db = &world.app.db;
    for person in ["pat", "ann"] {
        sign_in(Arc::new(db.clone()), person).await;
    }
    // A session, an address and a subject of each.
    assert_eq!(auth_rows(&world), 6);
    assert_eq!(world.delete("pat", "/users/pat").await.status, 204);
    assert_eq!(auth_rows(&world), 3);
}

#[tokio::test]
async fn unused_links_are_removed_after_their_expiry() {
    let world = World::new().await;
    link_of(Arc::new(world.app.db.clone()), "ann").await;
    assert_eq!(world.app.sweep().await.unwrap(), 0);
    assert_eq!(auth_rows(&world), 1);
    pass(&world, 2 * DAY);
    assert_eq!(world.app.sweep().await.unwrap(), 1);
    assert_eq!(auth_rows(&world), 0);
}

#[tokio::test]
async fn stored_responses_are_removed_after_their_expiry() {
    let world = World::new().await;
    let key = [("idempotency-key", "a#b/c")];
    let body = json!({ "firstName": "Zoe" });
    world.request("ann", Method::PUT, "/users/ann", body, &key).await;
    assert_eq!(world.app.sweep().await.unwrap(), 0);
    assert_eq!(world.app.db.request_records(&id("ann")).count().await.unwrap(), 1);
    pass(&world, 2 * DAY);
    assert_eq!(world.app.sweep().await.unwrap(), 1);
    assert_eq!(world.app.db.request_records(&id("ann")).count().await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_account_deleted_while_it_gets_teams_leaves_none_without_an_owner() {
    for round in 0..10 {
        let world = Arc::new(World::red().await);
        for user in ["ann", "sam"] {
            world.get(user, "/users/context").await;
        }
        let asked = [
            (Method::POST, "sam", "/teams", json!({ "name": "Sox" })),
            (Method::POST, "ann", "/teams/red/transfer", json!({ "userId": "sam" })),
            (Method::DELETE, "sam", "/users/sam", serde_json::Value::Null),
        ];
        let asked = asked.map(|(method, user, path, body)| {
            let world = Arc::clone(&world);
            tokio::spawn(
                async move { world.request(user, method, path, body, &[]).await.outcome() },
            )
        });
        let mut told = Vec::new();
        for answer in asked {
            told.push(answer.await.unwrap());
        }
        // Who owns red with others in it stays.
        assert!(["204 -", "409 OWNS_TEAMS"].contains(&&*told[2]), "{told:?}");
        world.check_quiet(&format!("round {round}: {told:?}")).await;
    }
}
