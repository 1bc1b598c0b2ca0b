//! Roles in a league.

use std::sync::Arc;

use monotable_three_fc::table::ThreeFcReads as _;
use serde_json::json;

use crate::world::{Setup as _, World, at_once, done, id};

#[tokio::test]
async fn admins_give_and_take_roles() {
    let world = World::league().await;
    let role = |role: &str| json!({ "role": role });
    let path = "/v1/leagues/l1/acl/zoe";
    assert_eq!(world.get("zoe", "/v1/leagues/l1").await.outcome(), "403 league_access_required");
    let grant = done(world.put("ann", path, role("viewer")).await, 200);
    assert_eq!((&grant["role"], &grant["grantedByUserId"]), (&json!("viewer"), &json!("ann")));
    done(world.get("zoe", "/v1/leagues/l1").await, 200);
    assert_eq!(done(world.get("zoe", path).await, 200)["role"], "viewer");
    let others = world.get("zoe", "/v1/leagues/l1/acl/ann").await;
    assert_eq!(others.outcome(), "403 admin_required");
    done(world.put("ann", path, role("admin")).await, 200);
    let grants = done(world.get("zoe", "/v1/leagues/l1/acl").await, 200);
    assert_eq!(grants["grants"].as_array().unwrap().len(), 4);
    done(world.delete("zoe", "/v1/leagues/l1/acl/ann").await, 204);
    assert_eq!(world.get("ann", "/v1/leagues/l1").await.outcome(), "403 league_access_required");
    let missing = world.delete("zoe", "/v1/leagues/l1/acl/ann").await;
    assert_eq!(missing.outcome(), "404 not_found");
    let stranger = world.put("zoe", "/v1/leagues/l1/acl/nil@example.org", role("viewer")).await;
    assert_eq!(stranger.outcome(), "404 not_found", "a new grant never has an address in its key");
    let lines = done(world.get("zoe", "/v1/leagues/l1/audit").await, 200);
    let lines: Vec<_> =
        lines["entries"].as_array().unwrap().iter().map(|line| &line["action"]).collect();
    assert_eq!(lines[0], "revokeGrant");
    assert_eq!(lines.len(), 5);
    world.check_quiet("roles").await;
}

#[tokio::test]
async fn admins_give_roles_by_e_mail_address() {
    let world = World::league().await;
    let path = "/v1/leagues/l1/acl";
    let member = |email: &str| json!({ "email": email, "role": "scorekeeper" });
    let grant = done(world.post("ann", path, member(" Zoe@Example.org ")).await, 200);
    assert_eq!((&grant["userId"], &grant["role"]), (&json!("zoe"), &json!("scorekeeper")));
    for (email, told) in [("nil@example.org", "404 not_found"), ("zoe", "400 invalid_email")] {
        assert_eq!(world.post("ann", path, member(email)).await.outcome(), told, "{email}");
    }
    // Not every address can be part of an id.
    let account = monotable_three_fc::table::User {
        user_id: id("sinead"),
        email: Some("sinead.o'connor@example.org".to_owned()),
        deleted_at: None,
        stamps: Default::default(),
    };
    world.app.db.create(&account).await.unwrap();
    let grant = done(world.post("ann", path, member("Sinead.O'Connor@example.org")).await, 200);
    assert_eq!(grant["userId"], "sinead");
    done(world.delete("ann", "/v1/leagues/l1/acl/sinead").await, 204);
    let last = json!({ "email": "ann@example.org", "role": "viewer" });
    assert_eq!(world.post("ann", path, last).await.outcome(), "409 last_admin");
    // Admins see the addresses, so that they know who is who.
    let grants = done(world.get("ann", path).await, 200);
    let emails: Vec<&str> = grants["grants"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["email"].as_str())
        .collect();
    assert_eq!(
        emails,
        ["ann@example.org", "sam@example.org", "vic@example.org", "zoe@example.org"]
    );
    world.check_quiet("roles by address").await;
}

/// The last admin of a league goes, and nobody can do anything about it any more.
#[tokio::test]
async fn tf_d23_a_league_keeps_an_admin() {
    let world = World::league().await;
    let own = "/v1/leagues/l1/acl/ann";
    assert_eq!(world.delete("ann", own).await.outcome(), "409 last_admin");
    let demoted = world.put("ann", own, json!({ "role": "viewer" })).await;
    assert_eq!(demoted.outcome(), "409 last_admin");
    // Of two admins who take each other's role away at the same time, one stays.
    done(world.put("ann", "/v1/leagues/l1/acl/zoe", json!({ "role": "admin" })).await, 200);
    let world = Arc::new(world);
    let requests = [
        ("ann", "DELETE /v1/leagues/l1/acl/zoe".to_owned(), json!(null)),
        ("zoe", "DELETE /v1/leagues/l1/acl/ann".to_owned(), json!(null)),
        ("ann", "PUT /v1/leagues/l1/acl/ann".to_owned(), json!({ "role": "viewer" })),
    ];
    at_once(&world, requests, None).await;
    let league = world.app.db.league(&id("l1")).await.unwrap().unwrap();
    assert_eq!(league.admin_count, Some(1));
    world.check_quiet("a fight").await;
}

/// "My leagues" reads the whole table, and only its first page.
#[tokio::test]
async fn tf_d9_the_leagues_of_a_user_are_listed_under_the_user() {
    let world = World::league().await;
    assert!(world.has("USER#sam", "LEAGUE#l1"));
    done(world.put("eve", "/v1/leagues/l2/acl/sam", json!({ "role": "viewer" })).await, 200);
    let mine = done(world.get("sam", "/v1/leagues?limit=1").await, 200);
    assert_eq!(
        (&mine["leagues"][0]["leagueId"], mine["leagues"].as_array().unwrap().len()),
        (&json!("l1"), 1)
    );
    let next = mine["nextToken"].as_str().unwrap();
    let mine = done(world.get("sam", &format!("/v1/leagues?limit=1&nextToken={next}")).await, 200);
    assert_eq!(
        (&mine["leagues"][0]["leagueId"], &mine["leagues"][0]["role"]),
        (&json!("l2"), &json!("viewer"))
    );
    done(world.delete("ann", "/v1/leagues/l1/acl/sam").await, 204);
    assert!(!world.has("USER#sam", "LEAGUE#l1"));
}

/// Grants under e-mail addresses put them into keys, and end when an address changes.
#[tokio::test]
async fn tf_d10_grants_under_addresses_count_and_move_to_the_user() {
    let world = World::league().await;
    let grant = |user: &str, role: &str| {
        monotable::item! {
            "pk" => "LEAGUE#l2", "sk" => format!("ACL#USER#{user}"), "entityType" => "acl",
            "createdAt" => "2026-02-23T09:00:00.000Z", "updatedAt" => "2026-02-23T09:00:00.000Z",
            "data" => format!(
                r#"{{"leagueId":"l2","userId":"{user}","role":"{role}","grantedByUserId":"eve@example.org"}}"#
            ),
        }
    };
    world.put_rows([grant("sam@example.org", "scorekeeper"), grant("new@example.org", "viewer")]);
    // They count at once, for those who have proven the address.
    assert_eq!(done(world.get("sam", "/v1/leagues/l2").await, 200)["role"], "scorekeeper");
    let forged = world.get("zoe", "/v1/leagues/l2").await;
    assert_eq!(forged.outcome(), "403 league_access_required");
    // The backfill lists them under the user, and moves that of a known user.
    world.running.backfill().await.unwrap();
    assert!(world.has("LEAGUE#l2", "ACL#USER#sam") && world.has("USER#sam", "LEAGUE#l2"));
    assert!(!world.has("LEAGUE#l2", "ACL#USER#sam@example.org"));
    assert!(world.has("USER#new@example.org", "LEAGUE#l2"), "nobody has signed in with it");
    // Signing in moves the other one.
    done(world.get("new", "/v1/auth/session").await, 200);
    assert!(world.has("LEAGUE#l2", "ACL#USER#new") && world.has("USER#new", "LEAGUE#l2"));
    assert!(
        !world
            .stored()
            .iter()
            .any(|row| row.contains("ACL#USER#new@") || row.contains("USER#new@"))
    );
    assert_eq!(done(world.get("new", "/v1/leagues").await, 200)["leagues"][0]["leagueId"], "l2");
    // New grants never have an address in their keys.
    done(
        world.put("eve", "/v1/leagues/l2/acl/Zoe@Example.org", json!({ "role": "viewer" })).await,
        200,
    );
    assert!(world.has("LEAGUE#l2", "ACL#USER#zoe"));
    world.check_quiet("moved grants").await;
}

/// Roles could be kept per season and game; they are kept per league, and a season, a session and a game name
/// theirs.
#[tokio::test]
async fn tf_d19_the_league_decides_about_everything_in_it() {
    let world = World::league().await;
    world.game("g1", monotable_three_fc::table::GameStatus::Scheduled).await;
    for path in ["/v1/seasons/s1", "/v1/seasons/s1/sessions", "/v1/seasons/s1/teams"] {
        done(world.get("vic", path).await, 200);
        assert_eq!(world.get("eve", path).await.outcome(), "403 league_access_required", "{path}");
    }
    assert_eq!(
        world.get("eve", "/v1/games/g1/audit").await.outcome(),
        "403 league_access_required"
    );
    assert_eq!(world.get("ann", "/v1/seasons/s9").await.outcome(), "404 acl_scope_not_found");
    assert_eq!(world.get("ann", "/v1/games/g9/audit").await.outcome(), "404 acl_scope_not_found");
    // A session whose season is gone leads to no league.
    world.remove("SEASON#s1", "METADATA");
    world.remove("LEAGUE#l1", "SEASON#s1");
    assert_eq!(world.delete("ann", "/v1/sessions/x1").await.outcome(), "404 acl_scope_not_found");
}
