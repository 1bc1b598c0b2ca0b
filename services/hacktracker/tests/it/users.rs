//! Accounts: how they are created, who sees what of them, and what can be changed.

use std::sync::Arc;

use http::Method;
use monotable_hacktracker::table::{HackTrackerReads as _, Role, TeamType, UserId};
use serde_json::{Value, json};

use crate::world::{Rows as _, Setup as _, World};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_account_comes_with_the_first_question_and_once() {
    let world = Arc::new(World::new().await);
    let asked: Vec<_> = (0..8)
        .map(|_| {
            let world = Arc::clone(&world);
            tokio::spawn(async move { world.get("ann", "/users/context").await.outcome() })
        })
        .collect();
    for answer in asked {
        assert_eq!(answer.await.unwrap(), "200 -");
    }
    let user = world.get("ann", "/users/ann").await;
    assert_eq!((user.status, user.header("etag")), (200, "\"1\""));
    let user = user.json();
    assert_eq!(user["email"], "ann@example.org");
    assert_eq!((&user["firstName"], &user["lastName"]), (&json!("ann"), &json!("User")));
    let context = world.get("ann", "/users/context").await.json();
    assert_eq!(context["has_personal_context"], false);
    assert_eq!(context["teams"], json!([]));
    // Reading another account does not make one.
    assert_eq!(world.get("bob", "/users/bob").await.outcome(), "404 USER_NOT_FOUND");
}

#[tokio::test]
async fn the_context_contains_the_teams_and_the_roles() {
    let world = World::red().await;
    world.team("own", TeamType::Personal, &[("sam", Role::Owner)], 1).await;
    let context = world.get("sam", "/users/context").await.json();
    assert_eq!(context["has_personal_context"], true);
    assert_eq!(context["has_managed_context"], true);
    let told: Vec<String> = context["teams"]
        .as_array()
        .unwrap()
        .iter()
        .map(|team| format!("{} {}", team["teamId"], team["role"]))
        .collect();
    assert_eq!(told, [r#""own" "owner""#, r#""red" "scorekeeper""#]);
}

#[tokio::test]
async fn ht_d7_accounts_are_visible_to_their_users_and_names_to_teammates() {
    let world = World::red().await;
    for user in ["ann", "pat", "eve"] {
        world.get(user, "/users/context").await;
    }
    assert_eq!(world.get("ann", "/users/ann").await.json()["email"], "ann@example.org");
    let seen = world.get("pat", "/users/ann").await.json();
    assert_eq!(seen, json!({ "userId": "ann", "firstName": "ann", "lastName": "User" }));
    let (foreign, missing) =
        (world.get("eve", "/users/ann").await, world.get("eve", "/users/x").await);
    assert_eq!((foreign.status, &foreign.text), (404, &missing.text));
    assert_eq!(world.get("admin", "/users/ann").await.json()["email"], "ann@example.org");
    for path in ["/users/ann", "/users/nobody"] {
        let body = json!({ "firstName": "Eve" });
        assert_eq!(world.put("eve", path, body).await.outcome(), "403 NOT_SELF");
        assert_eq!(world.delete("eve", path).await.outcome(), "403 NOT_SELF");
        assert_eq!(world.get("eve", &format!("{path}/export")).await.outcome(), "403 NOT_SELF");
    }
    assert_eq!(world.get("ann", "/users").await.outcome(), "403 INSUFFICIENT_ROLE");
    let page = world.get("admin", "/users?limit=2").await.json();
    assert_eq!(page["count"], 2);
    let next = page["nextToken"].as_str().unwrap();
    let rest = world.get("admin", &format!("/users?limit=2&nextToken={next}")).await.json();
    assert_eq!((&rest["count"], rest.get("nextToken")), (&json!(1), None));
    // A team that is deleted is not shared any more.
    assert_eq!(world.delete("ann", "/teams/red").await.status, 200);
    assert_eq!(world.get("pat", "/users/ann").await.outcome(), "404 USER_NOT_FOUND");
}

#[tokio::test]
async fn ht_d23_a_header_does_not_identify_callers() {
    let world = World::red().await;
    for name in ["x-user-id", "user-id"] {
        let headers = [(name, "ann")];
        let answer = world.request("", Method::GET, "/teams/red", Value::Null, &headers).await;
        assert_eq!(answer.outcome(), "401 UNAUTHENTICATED");
    }
}

#[tokio::test]
async fn names_and_the_telephone_number_are_the_users_to_change() {
    let world = World::new().await;
    let put = |body| world.put("ann", "/users/ann", body);
    let changed = put(json!({ "firstName": " Zoë ", "phoneNumber": "+12065550100" })).await.json();
    assert_eq!(
        (&changed["firstName"], &changed["phoneNumber"]),
        (&json!("Zoë"), &json!("+12065550100"))
    );
    let changed = put(json!({ "phoneNumber": null, "lastName": "Łuk" })).await.json();
    assert_eq!((changed.get("phoneNumber"), &changed["lastName"]), (None, &json!("Łuk")));
    for (body, told) in [
        (json!({ "phoneNumber": "555" }), "400 VALIDATION"),
        (json!({ "firstName": "  " }), "400 VALIDATION"),
        (json!({ "firstName": null }), "400 VALIDATION"),
        (json!({ "firstName": "x".repeat(51) }), "400 VALIDATION"),
        (json!({ "email": "eve@example.org" }), "400 READ_ONLY_FIELD"),
        (json!({ "nickname": "A" }), "400 UNKNOWN_FIELD"),
        (json!({}), "400 EMPTY_BODY"),
    ] {
        assert_eq!(put(body.clone()).await.outcome(), told, "{body}");
    }
    // What the schema refuses and what the rules of names refuse are reported together.
    let both = put(json!({ "firstName": "", "phoneNumber": "1" })).await.json();
    assert_eq!(both["fields"].as_array().unwrap().len(), 2, "{both}");
    let stale = [("if-match", "\"1\"")];
    let body = json!({ "firstName": "A" });
    let refused = world.request("ann", Method::PUT, "/users/ann", body, &stale).await;
    assert_eq!(refused.outcome(), "412 PRECONDITION_FAILED");
}

#[tokio::test]
async fn an_account_keeps_its_version_when_the_user_joins_teams() {
    let world = World::red().await;
    for user in ["eve", "sam"] {
        assert_eq!(world.get(user, "/users/context").await.status, 200);
    }
    let account = async |user: &str| {
        let shown = world.get(user, &format!("/users/{user}")).await;
        (shown.header("etag").to_owned(), shown.text)
    };
    let (eve, sam) = (account("eve").await, account("sam").await);
    for name in ["Sox", "Cubs"] {
        let created = world.post("eve", "/teams", json!({ "name": name })).await;
        assert_eq!(created.status, 201, "{}", created.text);
        assert_eq!(account("eve").await, eve);
    }
    let invite = world.post("ann", "/teams/red/invites", json!({ "role": "player" })).await.json();
    let token = json!({ "token": invite["token"] });
    assert_eq!(world.post("eve", "/invites/accept", token).await.outcome(), "200 -");
    assert_eq!(account("eve").await, eve);
    let heir = json!({ "userId": "sam" });
    assert_eq!(world.post("ann", "/teams/red/transfer", heir).await.outcome(), "200 -");
    assert_eq!(account("sam").await, sam);
    let (etag, body) = ([("if-match", &*eve.0)], json!({ "firstName": "Eva" }));
    let changed = world.request("eve", Method::PUT, "/users/eve", body, &etag).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
}

#[tokio::test]
async fn the_export_has_everything_of_a_user() {
    let world = World::red().await;
    world.get("ann", "/users/context").await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    world.at_bat(&game, 1, json!({})).await;
    world.at_bat(&game, 2, json!({})).await;
    for (user, player) in [("ann", "red-1"), ("meg", "red-2")] {
        let path = format!("/games/{game}/rsvp/{player}");
        assert_eq!(world.put(user, &path, json!({ "answer": "yes" })).await.status, 200);
    }
    for user in ["ann", "meg"] {
        let invite = world.post(user, "/teams/red/invites", json!({ "role": "player" })).await;
        assert_eq!(invite.status, 201, "{}", invite.text);
        let share = world.post(user, &format!("/games/{game}/shares"), Value::Null).await;
        assert_eq!(share.status, 201, "{}", share.text);
    }
    let role = json!({ "role": "scorekeeper" });
    assert_eq!(world.put("ann", "/teams/red/members/pat", role).await.status, 200);
    let export = world.get("ann", "/users/ann/export").await.json();
    assert_eq!(export["user"]["email"], "ann@example.org");
    for rows in
        ["memberships", "playerLinks", "players", "atBats", "availability", "invites", "shares"]
    {
        assert_eq!(export[rows].as_array().unwrap().len(), 1, "{rows}: {}", export[rows]);
    }
    assert!(!export["audit"].as_array().unwrap().is_empty());
    assert!(!export.to_string().to_lowercase().contains("tokenhash"));
    assert_eq!(export["atBats"][0]["playerId"], "red-1");
    let ann = UserId::new("ann").unwrap();
    assert_eq!(world.app.db.user_rows(&ann).count().await.unwrap(), 3);
}
