//! Seasons of a team.

use monotable_hacktracker::table::{Role, TeamType};
use serde_json::json;

use crate::world::{Rows as _, Setup as _, World};

#[tokio::test]
async fn seasons_are_created_by_managers_and_visible_to_members() {
    let world = World::red().await;
    world.team("own", TeamType::Personal, &[("ann", Role::Owner)], 1).await;
    let post = |user, path: &'static str, body| world.post(user, path, body);
    let red = "/teams/red/seasons";
    let spring = json!({ "name": "Spring", "startsOn": "2026-03-01", "endsOn": "2026-05-31" });
    for (user, path, body, told) in [
        ("meg", red, spring.clone(), "201 -"),
        ("ann", "/teams/own/seasons", spring.clone(), "201 -"),
        ("sam", red, spring.clone(), "403 INSUFFICIENT_ROLE"),
        ("eve", red, spring, "404 TEAM_NOT_FOUND"),
        (
            "ann",
            red,
            json!({ "name": "S", "startsOn": "2026-03-01", "endsOn": "2026-02-01" }),
            "400 VALIDATION",
        ),
        ("ann", red, json!({ "name": "S", "startsOn": "March" }), "400 VALIDATION"),
        ("ann", red, json!({}), "400 VALIDATION"),
        ("ann", red, json!({ "name": "Fall" }), "201 -"),
    ] {
        assert_eq!(post(user, path, body.clone()).await.outcome(), told, "{user} {body}");
    }
    let listed = world.get("pat", red).await.json();
    assert_eq!(listed["count"], 2);
    assert_eq!(
        (&listed["seasons"][0]["name"], &listed["seasons"][1]["name"]),
        (&json!("Spring"), &json!("Fall"))
    );
    assert_eq!(listed["seasons"][0]["startsOn"], "2026-03-01");
}
