//! Routes of accounts.

use monotable_kit::{Field, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use crate::commands::{erasure, export, users};

const CHAPTER: &str = "Users";
const READ_ONLY: [&str; 7] =
    ["userId", "email", "createdAt", "updatedAt", "ver", "status", "deletedAt"];

pub(super) fn routes() -> Vec<Route> {
    vec![context(), list(), get(), update(), delete(), export()]
}

fn context() -> Route {
    let context = json!({
        "userId": "u1",
        "has_personal_context": false,
        "has_managed_context": true,
        "teams": [{ "teamId": "t1", "name": "Seattle Sluggers", "team_type": "MANAGED", "role": "owner" }],
        "count": 1,
    });
    command!(GET "/users/context", "getContext", users::context)
        .about(CHAPTER, "What you have. Creates your account on first use.")
        .answers(200, "Your teams, and what you are there.", Some(context))
}

fn list() -> Route {
    let page = json!({ "users": [example()], "count": 1 });
    command!(GET "/users", "listUsers", users::list)
        .about(CHAPTER, "All users. For administrators of the platform.")
        .query(Schema::object("Users", []).paged())
        .answers(200, "A page of users.", Some(page))
        .refuses(&[(400, "INVALID_CURSOR"), (403, "INSUFFICIENT_ROLE")])
}

fn get() -> Route {
    command!(GET "/users/{userId}", "getUser", users::get)
        .about(CHAPTER, "A user: everything for the user, the names for others of a team.")
        .answers(200, "The user.", Some(example()))
        .refuses(&[(404, "USER_NOT_FOUND")])
}

fn update() -> Route {
    let body = Schema::object(
        "UserChanges",
        [
            Field::text("firstName", 1..=50).example("Ann"),
            Field::text("lastName", 1..=50).example("Smith"),
            Field::text("phoneNumber", 1..=64)
                .nullable()
                .about("+ and 8 to 15 digits.")
                .example("+12065550100"),
        ],
    );
    command!(PUT "/users/{userId}", "updateUser", users::update)
        .about(CHAPTER, "Changes your names and your telephone number.")
        .body(body.read_only(READ_ONLY).must_say_something())
        .answers(200, "The user as it is then.", Some(example()))
        .refuses(&[(403, "NOT_SELF")])
        .once()
        .if_match()
}

fn delete() -> Route {
    command!(DELETE "/users/{userId}", "deleteUser", erasure::delete)
        .about(
            CHAPTER,
            "Deletes your account. Teams that only you are in go with it; your at-bats stay, \
             without your name. What is left goes after 30 days.",
        )
        .answers(204, "It is deleted.", None)
        .refuses(&[(403, "NOT_SELF"), (404, "USER_NOT_FOUND"), (409, "OWNS_TEAMS")])
        .once()
        .if_match()
}

fn export() -> Route {
    let rows = json!({
        "user": example(), "memberships": [], "playerLinks": [], "players": [], "atBats": [],
        "availability": [], "invites": [], "shares": [], "audit": [],
    });
    command!(GET "/users/{userId}/export", "exportUser", export::export)
        .about(CHAPTER, "Everything that is kept of you.")
        .answers(200, "All rows.", Some(rows))
        .refuses(&[(403, "NOT_SELF"), (404, "USER_NOT_FOUND")])
}

fn example() -> Value {
    json!({
        "userId": "u1",
        "email": "ann@example.org",
        "firstName": "Ann",
        "lastName": "Smith",
        "phoneNumber": "+12065550100",
        "createdAt": "2026-06-01T09:30:00.000Z",
        "updatedAt": "2026-06-01T09:30:00.000Z",
        "ver": 1,
    })
}
