//! Routes of a user's own things, and of what a host keeps.

use monotable_kit::{Field, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use crate::commands::{archive, me};
use crate::refusal::HOST_ONLY;

const CHAPTER: &str = "Me";
/// Characters of a picture's name or address.
const AVATAR_CHARACTERS_MAX: usize = 300;

pub(crate) fn routes() -> Vec<Route> {
    vec![show(), put(), delete(), matches(), pin()]
}

fn show() -> Route {
    command!(GET "/me", "getProfile", me::show)
        .about(CHAPTER, "Your profile.")
        .answers(200, "The profile.", Some(example()))
        .refuses(&[(403, "USER_REQUIRED"), (404, "PROFILE_NOT_FOUND")])
}

fn put() -> Route {
    let body = Schema::object(
        "NewProfile",
        [
            Field::text("displayName", 1..=30).required().example("Zoë"),
            Field::text("avatar", 1..=AVATAR_CHARACTERS_MAX)
                .nullable()
                .about("A picture, by its name or https address; null removes it.")
                .example("fox"),
        ],
    );
    command!(PUT "/me", "putProfile", me::put_profile)
        .about(CHAPTER, "Makes or changes your profile.")
        .body(body.read_only(["userId", "stats", "createdAt"]))
        .answers(200, "The profile as it is then.", Some(example()))
        .answers(201, "The profile, which is new.", Some(example()))
        .refuses(&[(403, "USER_REQUIRED"), (409, "CONFLICT"), (409, "ERASURE_PENDING")])
        .once()
        .if_match()
}

fn delete() -> Route {
    command!(DELETE "/me", "deleteProfile", me::delete_profile)
        .about(
            CHAPTER,
            "Forgets you: your profile and your list of matches go, your name and your words in \
             matches are replaced, and your players' tokens end. The matches stay.",
        )
        .answers(204, "You are forgotten, or will be soon.", None)
        .refuses(&[(403, "USER_REQUIRED"), (409, "CONFLICT")])
        .once()
        .if_match()
}

fn matches() -> Route {
    let page = json!({
        "items": [{
            "matchId": "m1",
            "createdAt": 1_800_000_000_000_i64,
            "role": "host_and_player",
            "result": { "rank": 1, "won": true, "kills": 3 },
            "mode": "quick",
            "status": "ended",
            "arena": "the old forest",
            "day": 4,
            "turn": 2,
        }],
        "nextToken": null,
        "hasMore": false,
    });
    command!(GET "/me/matches", "listMyMatches", me::matches)
        .about(CHAPTER, "The matches that you host, play or left, newest first.")
        .query(Schema::object("MyMatches", []).paged())
        .answers(200, "A page of matches.", Some(page))
        .refuses(&[(400, "INVALID_CURSOR"), (403, "USER_REQUIRED")])
}

fn pin() -> Route {
    let body = Schema::object("Pin", [Field::flag("pinned").required().example(true)]);
    command!(POST "/match/{id}/pin", "pinMatch", archive::pin)
        .about(
            "Matches",
            "Keeps a match for good, or lets it be forgotten ninety days after its end: at once, \
             if they are over.",
        )
        .body(body)
        .answers(200, "Whether it is kept.", Some(json!({ "matchId": "m1", "pinned": true })))
        .refuses_with(HOST_ONLY)
        .refuses(&[(409, "CONFLICT")])
        .once()
}

fn example() -> Value {
    json!({
        "userId": "u1",
        "displayName": "Zoë",
        "avatar": "fox",
        "stats": { "played": 4, "won": 1, "kills": 3, "bestRank": 1 },
        "createdAt": 1_800_000_000_000_i64,
    })
}
