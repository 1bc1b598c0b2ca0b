//! Teams: how they are created, seen, deleted and restored.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use monotable_hacktracker::table::{HackTrackerReads as _, Role, TeamId, TeamType, UserId};
use serde_json::{Value, json};

use crate::world::{Rows as _, Setup as _, World};

pub(crate) const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub(crate) fn pass(world: &World, time: Duration) {
    world.clock.advance_ms(u64::try_from(time.as_millis()).unwrap());
}

#[tokio::test]
async fn a_team_comes_with_its_owner_and_the_owners_player() {
    let world = World::new().await;
    for (kind, name) in [("managed", "Sluggers"), ("PERSONAL", "Default")] {
        let created = world.post("ann", "/teams", json!({ "name": name, "teamType": kind })).await;
        assert_eq!((created.status, created.header("etag")), (201, "\"1\""), "{}", created.text);
        let team = created.json();
        assert_eq!(team["team_type"], kind.to_uppercase());
        assert_eq!((&team["ownerId"], &team["role"]), (&json!("ann"), &json!("owner")));
        let id = TeamId::new(team["teamId"].as_str().unwrap()).unwrap();
        let ann = UserId::new("ann").unwrap();
        let membership = world.app.db.membership(&ann, &id).await.unwrap().unwrap();
        assert_eq!((membership.role, membership.invited_by), (Role::Owner, None));
        let roster = world.app.db.roster(&id).page().await.unwrap().rows;
        assert_eq!((roster.len(), roster[0].user_id.as_ref()), (1, Some(&ann)));
        assert!(!roster[0].is_ghost && roster[0].linked_at.is_some());
        let link = world.app.db.player_link(&ann, &roster[0].player_id).await.unwrap().unwrap();
        assert_eq!((link.team_name.as_str(), link.periods.len()), (name, 1));
    }
    let linked = world.app.db.players_of(&UserId::new("ann").unwrap()).count().await.unwrap();
    assert_eq!(linked, 2);
}

#[tokio::test]
async fn invalid_teams_are_refused() {
    let world = World::new().await;
    for (body, told) in [
        (json!({}), "400 VALIDATION"),
        (json!({ "name": "ab" }), "400 VALIDATION"),
        (json!({ "name": "a     b" }), "201 -"),
        (json!({ "name": "Sox!" }), "400 VALIDATION"),
        (json!({ "name": "東京 巨人 & Co." }), "201 -"),
        (json!({ "name": "Sox", "team_type": "ODD" }), "400 VALIDATION"),
        (json!({ "name": "Sox", "description": "x".repeat(501) }), "400 VALIDATION"),
        (json!({ "name": "Sox", "ownerId": "eve" }), "400 READ_ONLY_FIELD"),
        (json!({ "name": "Sox", "color": "red" }), "400 UNKNOWN_FIELD"),
    ] {
        assert_eq!(world.post("ann", "/teams", body.clone()).await.outcome(), told, "{body}");
    }
}

#[tokio::test]
async fn ht_d7_ht_d20_teams_are_for_members_and_ids_are_opaque() {
    let world = World::red().await;
    let sample = "a6f27724-7042-4816-94d3-a2184fg61b1a";
    world.team(sample, TeamType::Managed, &[("ann", Role::Owner)], 1).await;
    assert_eq!(world.get("ann", &format!("/teams/{sample}")).await.json()["teamId"], sample);
    assert_eq!(world.get("pat", "/teams/red").await.json()["role"], "player");
    let foreign = world.get("eve", "/teams/red").await;
    let missing = world.get("eve", "/teams/nothing").await;
    assert_eq!((foreign.outcome().as_str(), &foreign.text), ("404 TEAM_NOT_FOUND", &missing.text));
    for path in ["members", "players", "invites", "seasons"] {
        let foreign = world.get("eve", &format!("/teams/red/{path}")).await;
        assert_eq!((foreign.status, &foreign.text), (404, &missing.text), "{path}");
    }
}

#[tokio::test]
async fn a_team_is_renamed_and_described_by_its_managers() {
    let world = World::red().await;
    world.team("own", TeamType::Personal, &[("ann", Role::Owner)], 1).await;
    let put = |user, path, body| world.put(user, path, body);
    let changed =
        put("meg", "/teams/red", json!({ "name": " New   Name ", "description": "d" })).await;
    assert_eq!(
        (&changed.json()["name"], &changed.json()["description"]),
        (&json!("New Name"), &json!("d"))
    );
    let blank = put("ann", "/teams/red", json!({ "description": " " })).await.json();
    assert_eq!((blank.get("description"), &blank["ver"]), (None, &json!(3)));
    for (user, path, body, told) in [
        ("sam", "/teams/red", json!({ "name": "Sox" }), "403 INSUFFICIENT_ROLE"),
        ("ann", "/teams/red", json!({ "team_type": "PERSONAL" }), "400 READ_ONLY_FIELD"),
        ("ann", "/teams/own", json!({ "name": "Mine" }), "200 -"),
        ("ann", "/teams/own", json!({ "description": "d" }), "403 PERSONAL_TEAM_RESTRICTED"),
    ] {
        assert_eq!(put(user, path, body.clone()).await.outcome(), told, "{user} {body}");
    }
    let stale = [("if-match", "\"1\"")];
    let body = json!({ "name": "Sox" });
    let refused = world.request("ann", Method::PUT, "/teams/red", body, &stale).await;
    assert_eq!(refused.outcome(), "412 PRECONDITION_FAILED");
}

#[tokio::test]
async fn ht_d25_a_personal_team_stays_one_persons_own() {
    let world = World::new().await;
    world.team("own", TeamType::Personal, &[("ann", Role::Owner)], 1).await;
    let refused = "403 PERSONAL_TEAM_RESTRICTED";
    assert_eq!(world.delete("ann", "/teams/own").await.outcome(), refused);
    let player = json!({ "firstName": "Bob" });
    assert_eq!(world.post("ann", "/teams/own/players", player).await.outcome(), refused);
    assert_eq!(world.delete("ann", "/teams/own/players/own-1").await.outcome(), refused);
    assert_eq!(world.delete("ann", "/teams/own/players/own-1/link").await.outcome(), refused);
    let invite = json!({ "role": "player" });
    assert_eq!(world.post("ann", "/teams/own/invites", invite).await.outcome(), refused);
    let heir = json!({ "userId": "bob" });
    assert_eq!(world.post("ann", "/teams/own/transfer", heir).await.outcome(), refused);
    let own = json!({ "firstName": "Anna", "positions": ["ss"] });
    let changed = world.put("ann", "/teams/own/players/own-1", own).await.json();
    assert_eq!((&changed["firstName"], &changed["positions"]), (&json!("Anna"), &json!(["SS"])));
}

#[tokio::test]
async fn ht_d6_the_teams_of_an_owner_are_all_of_them() {
    let world = World::new().await;
    for number in 0..60 {
        let owner = if number % 20 == 0 { "ann" } else { "bob" };
        let mut members = vec![(owner, Role::Owner)];
        if number < 30 && owner != "ann" {
            members.push(("ann", Role::Player));
        }
        world.team(&format!("t{number:02}"), TeamType::Managed, &members, 1).await;
    }
    let ids = |page: Value| -> Vec<String> {
        let teams = page["teams"].as_array().unwrap().iter();
        teams.map(|team| team["teamId"].as_str().unwrap().to_owned()).collect()
    };
    let owned = world.get("ann", "/teams?ownerId=ann&limit=2").await.json();
    assert_eq!(ids(owned.clone()), ["t00", "t20"]);
    let next = owned["nextToken"].as_str().unwrap();
    let path = format!("/teams?ownerId=ann&limit=2&nextToken={next}");
    assert_eq!(ids(world.get("ann", &path).await.json()), ["t40"]);
    let of_owner = world.get("admin", "/teams?ownerId=ann").await.json();
    assert_eq!(ids(of_owner), ["t00", "t20", "t40"]);
    assert_eq!(ids(world.get("admin", "/teams?limit=100").await.json()).len(), 60);
    assert_eq!(ids(world.get("ann", "/teams?ownerId=bob&limit=100").await.json()).len(), 28);
    assert_eq!(world.get("ann", "/teams?userId=bob").await.outcome(), "403 NOT_SELF");
    assert_eq!(ids(world.get("ann", "/teams?teamType=personal").await.json()).len(), 0);
}

#[tokio::test]
async fn ht_d24_a_cursor_is_opaque_and_valid_for_one_list() {
    let world = World::new().await;
    for number in 0..3 {
        let members = [("ann", Role::Owner), ("bob", Role::Player)];
        world.team(&format!("t{number}"), TeamType::Managed, &members, 1).await;
    }
    let page = world.get("ann", "/teams?limit=2").await.json();
    let next = page["nextToken"].as_str().unwrap();
    let raw = "eyJQSyI6IlVTRVIjYm9iIiwiU0siOiJURUFNI3QwIn0";
    let mut altered = next.to_owned();
    let last = altered.pop().unwrap();
    altered.push(if last == 'A' { 'B' } else { 'A' });
    for (user, token) in [("bob", next), ("ann", raw), ("ann", &altered), ("ann", "x")] {
        let answer = world.get(user, &format!("/teams?limit=2&nextToken={token}")).await;
        assert_eq!(answer.outcome(), "400 INVALID_CURSOR", "{user} {token}");
    }
    for filter in ["teamType=MANAGED", "ownerId=ann"] {
        let other = world.get("ann", &format!("/teams?limit=2&{filter}&nextToken={next}")).await;
        assert_eq!(other.outcome(), "400 INVALID_CURSOR", "{filter}");
    }
    let rest = world.get("ann", &format!("/teams?limit=2&nextToken={next}")).await.json();
    assert_eq!((&rest["count"], rest.get("nextToken")), (&json!(1), None));
    pass(&world, 2 * DAY);
    let late = world.get("ann", &format!("/teams?limit=2&nextToken={next}")).await;
    assert_eq!(late.outcome(), "400 INVALID_CURSOR");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_user_is_in_fifty_teams_at_most() {
    let world = Arc::new(World::new().await);
    for number in 0..49 {
        world.team(&format!("t{number}"), TeamType::Managed, &[("ann", Role::Owner)], 1).await;
    }
    world.get("ann", "/users/context").await;
    let asked: Vec<_> = (0..4)
        .map(|number| {
            let world = Arc::clone(&world);
            let body = json!({ "name": format!("Team {number}") });
            tokio::spawn(async move { world.post("ann", "/teams", body).await.outcome() })
        })
        .collect();
    let mut told = Vec::new();
    for answer in asked {
        told.push(answer.await.unwrap());
    }
    told.sort();
    let full = "409 LIMIT_REACHED";
    assert_eq!(told, ["201 -", full, full, full]);
    // A deleted team does not count towards the limit.
    assert_eq!(world.delete("ann", "/teams/t0").await.status, 200);
    assert_eq!(world.post("ann", "/teams", json!({ "name": "Sox" })).await.outcome(), "201 -");
}

#[tokio::test]
async fn members_who_see_a_team_differently_have_different_etags() {
    let world = World::red().await;
    let (of_ann, of_pat) =
        (world.get("ann", "/teams/red").await, world.get("pat", "/teams/red").await);
    assert_ne!(of_ann.text, of_pat.text);
    assert_ne!(of_ann.header("etag"), of_pat.header("etag"));
    let headers = [("if-match", of_ann.header("etag"))];
    let body = json!({ "name": "Scarlet" });
    let renamed = world.request("ann", Method::PUT, "/teams/red", body.clone(), &headers).await;
    assert_eq!(renamed.status, 200, "{}", renamed.text);
    let stale = world.request("ann", Method::PUT, "/teams/red", body, &headers).await;
    assert_eq!(stale.outcome(), "412 PRECONDITION_FAILED");
}
