//! The end of accounts and teams, at once and after a month.

use monotable_hacktracker::table::{
    GameId, HackTrackerReads as _, MembershipStatus, PlayerId, Role, TeamId, TeamType, UserId,
};
use serde_json::{Value, json};

use crate::teams::{DAY, pass};
use crate::world::{Rows as _, Setup as _, World};

pub(crate) fn id<I: std::str::FromStr>(text: &str) -> I
where
    I::Err: std::fmt::Debug,
{
    text.parse().unwrap()
}

/// Everything that is stored, as text.
pub(crate) fn everything(world: &World) -> String {
    let scan = monotable::dynamodb::Scan::new("hacktracker-dev");
    format!("{:?}", world.database.scan(scan).unwrap())
}

/// Pat plays in red with a slot that ann had named, and has a team of the own.
pub(crate) async fn world_of_pat() -> (World, String) {
    let world = World::red().await;
    world
        .put("pat", "/users/pat", json!({ "firstName": "Patricia", "phoneNumber": "+12065550199" }))
        .await;
    let slot = json!({ "firstName": "Lefty", "lastName": "Grove", "playerNumber": 3 });
    let slot = world.post("ann", "/teams/red/players", slot).await.json();
    let slot = slot["playerId"].as_str().unwrap().to_owned();
    let path = format!("/teams/red/players/{slot}/link");
    assert_eq!(world.post("ann", &path, json!({ "userId": "pat" })).await.outcome(), "200 -");
    world.team("own", TeamType::Personal, &[("pat", Role::Owner)], 1).await;
    (world, slot)
}

#[tokio::test]
async fn ht_d14_a_deleted_user_is_out_of_everything_at_once() {
    let (world, slot) = world_of_pat().await;
    let game = world.game(json!({ "status": "IN_PROGRESS", "lineup": [slot] })).await;
    let at_bat = json!({ "playerId": slot, "result": "HR" });
    world.post("sam", &format!("/games/{game}/atbats"), at_bat).await;
    assert_eq!(world.delete("pat", "/users/pat").await.status, 204);
    for path in ["/users/context", "/teams/red", "/teams", "/users", "/users/pat", "/users/ann"] {
        assert_eq!(world.get("pat", path).await.outcome(), "401 UNAUTHENTICATED", "{path}");
    }
    let team = json!({ "name": "Another" });
    assert_eq!(world.post("pat", "/teams", team).await.outcome(), "401 UNAUTHENTICATED");
    assert_eq!(world.get("ann", "/users/pat").await.outcome(), "404 USER_NOT_FOUND");
    let db = &world.app.db;
    let user = db.user(&id("pat")).await.unwrap().unwrap();
    assert_eq!(
        (user.first_name.as_str(), user.last_name.as_str(), user.phone_number),
        ("", "", None)
    );
    let memberships = db.memberships(&id("pat")).page().await.unwrap().rows;
    assert!(memberships.iter().all(|row| row.status == MembershipStatus::Removed));
    assert_eq!(db.players_of(&id("pat")).count().await.unwrap(), 0);
    // Ann had given the first name; in the own team it was the user's.
    let ghost = world.get("ann", &format!("/teams/red/players/{slot}")).await.json();
    assert_eq!((&ghost["firstName"], ghost.get("lastName")), (&json!("Lefty"), None));
    let own = db.player(&id("own"), &id("own-1")).await.unwrap().unwrap();
    assert_eq!((own.first_name.as_str(), own.is_ghost), ("Former player", true));
    assert!(!db.team(&id("own")).await.unwrap().unwrap().is_active());
    // The at-bats stay.
    assert_eq!(world.get("ann", &format!("/games/{game}/atbats")).await.json()["count"], 1);
    assert_eq!(world.app.work().await.unwrap().jobs.failed, 0);
}

#[tokio::test]
async fn owners_of_teams_with_members_cannot_leave() {
    let world = World::red().await;
    world.get("ann", "/users/context").await;
    let refused = world.delete("ann", "/users/ann").await;
    assert_eq!(
        (refused.outcome().as_str(), &refused.json()["teamIds"]),
        ("409 OWNS_TEAMS", &json!(["red"]))
    );
    for user in ["meg", "sam", "pat"] {
        world.delete("ann", &format!("/teams/red/members/{user}")).await;
    }
    assert_eq!(world.delete("ann", "/users/ann").await.status, 204);
    let red = world.app.db.team(&id("red")).await.unwrap().unwrap();
    assert!(!red.is_active() && red.recovery_token.is_none());
    let restored = world.post("meg", "/teams/red/restore", Value::Null).await;
    assert_eq!(restored.outcome(), "404 TEAM_NOT_FOUND");
    let actions = world.app.db.audit(&id("red")).page().await.unwrap().rows;
    assert!(actions.iter().any(|entry| entry.action == "deleteUser"));
}

#[tokio::test]
async fn after_thirty_days_nothing_of_a_user_is_left() {
    let (world, slot) = world_of_pat().await;
    let invite = json!({ "role": "player", "email": "pat@example.org" });
    world.post("ann", "/teams/red/invites", invite).await;
    world.delete("pat", "/users/pat").await;
    pass(&world, 30 * DAY - DAY / 24);
    world.app.work().await.unwrap();
    assert!(world.app.db.user(&id("pat")).await.unwrap().is_some());
    pass(&world, DAY / 24);
    let report = world.app.work().await.unwrap();
    assert_eq!(report.jobs.failed, 0, "{report:?}");
    let pat: UserId = id("pat");
    assert_eq!(world.app.db.user_rows(&pat).count().await.unwrap(), 0);
    assert_eq!(world.app.db.invites(&id("red")).count().await.unwrap(), 0);
    // The subject may come again, and starts from nothing.
    assert_eq!(world.get("pat", "/teams/red").await.outcome(), "404 TEAM_NOT_FOUND");
    let context = world.get("pat", "/users/context").await.json();
    assert_eq!(context["teams"], json!([]));
    let slot: PlayerId = id(&slot);
    assert!(world.app.db.player(&id("red"), &slot).await.unwrap().unwrap().is_ghost);
}

#[tokio::test]
async fn ht_d16_careers_survive_the_purge_of_a_team_and_nothing_else_does() {
    let (world, slot) = world_of_pat().await;
    let played = world.game(json!({ "status": "IN_PROGRESS", "lineup": [slot, "red-2"] })).await;
    for player in [slot.as_str(), "red-2"] {
        let at_bat = json!({ "playerId": player, "result": "1B" });
        world.post("sam", &format!("/games/{played}/atbats"), at_bat).await;
    }
    world.post("sam", &format!("/games/{played}/finish"), Value::Null).await;
    let ghosts = world.game(json!({ "status": "IN_PROGRESS", "lineup": ["red-2"] })).await;
    for _ in 0..120 {
        world.at_bat(&ghosts, 2, json!({})).await;
    }
    world.post("meg", "/teams/red/seasons", json!({ "name": "Spring" })).await;
    world.post("meg", "/teams/red/invites", json!({ "role": "player" })).await;
    world.put("ann", "/teams/red/members/sam", json!({ "role": "manager" })).await;
    assert_eq!(world.delete("ann", "/teams/red").await.status, 200);
    pass(&world, 30 * DAY);
    for _ in 0..3 {
        assert_eq!(world.app.work().await.unwrap().jobs.failed, 0);
    }
    let (db, red): (_, TeamId) = (&world.app.db, id("red"));
    assert_eq!(db.team(&red).await.unwrap(), None);
    assert_eq!(db.roster(&red).count().await.unwrap(), 0);
    assert_eq!(db.seasons(&red).count().await.unwrap(), 0);
    assert_eq!(db.invites(&red).count().await.unwrap(), 0);
    assert_eq!(db.members(&red).count().await.unwrap(), 0);
    assert_eq!(db.number(&red, 3).await.unwrap(), None);
    let (played, ghosts): (GameId, GameId) = (id(&played), id(&ghosts));
    assert!(db.game(&ghosts).await.unwrap().is_none());
    assert_eq!(db.game_rows(&ghosts).count().await.unwrap(), 0);
    assert!(db.game(&played).await.unwrap().is_some());
    assert_eq!(db.at_bats(&played).count().await.unwrap(), 1);
    let export = world.get("pat", "/users/pat/export").await.json();
    assert_eq!(export["atBats"].as_array().unwrap().len(), 1);
    let career = world.get("pat", "/users/pat/career").await;
    assert_eq!(career.status, 200, "{}", career.text);
    let audit = db.audit(&red).page().await.unwrap().rows;
    assert!(audit.len() >= 2 && audit.iter().all(|entry| entry.actor.as_str() == "anonymous"));
    for gone in ["Lefty", "GAMES#", "COUNTS"] {
        assert!(!everything(&world).contains(gone), "{gone}");
    }
}

#[tokio::test]
async fn runs_that_were_scored_in_a_ghosts_at_bat_survive_the_purge_of_a_team() {
    let (world, slot) = world_of_pat().await;
    let game = world.game(json!({ "status": "IN_PROGRESS", "lineup": [slot, "red-2"] })).await;
    let path = format!("/games/{game}/atbats");
    let double = json!({ "playerId": slot, "result": "2B" });
    assert_eq!(world.post("sam", &path, double).await.status, 201);
    let home_run =
        json!({ "playerId": "red-2", "result": "HR", "rbis": 2, "runsScored": [slot, "red-2"] });
    assert_eq!(world.post("sam", &path, home_run).await.status, 201);
    world.at_bat(&game, 2, json!({ "result": "K" })).await;
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    // In the second game pat only scores.
    let ran = world.game(json!({ "status": "IN_PROGRESS", "lineup": [slot, "red-2"] })).await;
    world.at_bat(&ran, 2, json!({ "result": "1B", "runsScored": [slot] })).await;
    world.post("sam", &format!("/games/{ran}/finish"), Value::Null).await;
    let career = async || world.get("pat", "/users/pat/career").await.json();
    let before = career().await;
    assert_eq!((&before["totals"]["PA"], &before["totals"]["R"]), (&json!(1), &json!(2)));
    assert_eq!(world.delete("ann", "/teams/red").await.status, 200);
    assert_eq!(career().await, before);
    pass(&world, 30 * DAY);
    for _ in 0..3 {
        assert_eq!(world.app.work().await.unwrap().jobs.failed, 0);
    }
    assert_eq!(world.app.db.team(&id("red")).await.unwrap(), None);
    assert_eq!(career().await, before);
    // Rows that belong to no career are gone.
    assert_eq!(world.app.db.at_bats(&id(&game)).count().await.unwrap(), 2);
}

#[tokio::test]
async fn runs_of_a_former_player_survive_the_purge_of_a_team() {
    let (world, slot) = world_of_pat().await;
    let game = world.game(json!({ "status": "IN_PROGRESS", "lineup": [slot, "red-2"] })).await;
    world.at_bat(&game, 2, json!({ "result": "1B", "runsScored": [slot] })).await;
    world.at_bat(&game, 2, json!({ "result": "K" })).await;
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    let career = async || world.get("pat", "/users/pat/career").await.json();
    let before = career().await;
    assert_eq!(before["totals"]["R"], 1);
    // As a program would do it that only checks plate appearances.
    let player = world.app.db.player(&id("red"), &id(&slot)).await.unwrap().unwrap();
    world.app.db.delete(&player).await.unwrap();
    world.delete("ann", "/teams/red").await;
    pass(&world, 30 * DAY);
    for _ in 0..3 {
        assert_eq!(world.app.work().await.unwrap().jobs.failed, 0);
    }
    assert_eq!(world.app.db.team(&id("red")).await.unwrap(), None);
    assert_eq!(career().await["totals"], before["totals"]);
    assert_eq!(world.app.db.at_bats(&id(&game)).count().await.unwrap(), 1);
}
