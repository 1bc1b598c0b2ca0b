//! Routes of invitations.

use monotable_kit::{Field, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use super::teams::{MANAGING, ROLES};
use crate::commands::invites;

const CHAPTER: &str = "Invitations";

pub(super) fn routes() -> Vec<Route> {
    vec![create(), list(), revoke(), accept()]
}

fn create() -> Route {
    let body = Schema::object(
        "NewInvite",
        [
            Field::word("role", ROLES).required().example("player"),
            Field::id("playerId").about("The ghost that comes with it.").example("p1"),
            Field::text("email", 3..=254).about("Where to send it.").example("bob@example.org"),
        ],
    );
    let mut told = example();
    told["token"] = json!("i1.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
    command!(POST "/teams/{teamId}/invites", "invite", invites::create)
        .about(CHAPTER, "Invites somebody for a week. Managers invite players and scorekeepers.")
        .body(body)
        .answers(201, "The invitation. Only this response has its token.", Some(told))
        .refuses(&MANAGING)
        .refuses(&[
            (403, "ROLE_CEILING"),
            (404, "PLAYER_NOT_FOUND"),
            (409, "PLAYER_ALREADY_LINKED"),
            (409, "LIMIT_REACHED"),
        ])
        .once()
}

fn list() -> Route {
    let page = json!({ "invites": [example()], "count": 1 });
    command!(GET "/teams/{teamId}/invites", "listInvites", invites::list)
        .about(CHAPTER, "The invitations of a team: pending, accepted, revoked or expired.")
        .query(Schema::object("Invites", []).paged())
        .answers(200, "A page of invitations.", Some(page))
        .refuses(&[(400, "INVALID_CURSOR")])
        .refuses(&MANAGING)
}

fn revoke() -> Route {
    command!(DELETE "/teams/{teamId}/invites/{inviteId}", "revokeInvite", invites::revoke)
        .about(CHAPTER, "Takes an invitation back.")
        .answers(204, "Nobody can accept it any more.", None)
        .refuses(&MANAGING)
        .refuses(&[(403, "ROLE_CEILING"), (404, "INVITE_NOT_FOUND"), (409, "INVITE_NOT_PENDING")])
        .once()
        .if_match()
}

fn accept() -> Route {
    let token = Field::text("token", 1..=300).required().about("As the invitation says.");
    let team = json!({ "teamId": "t1", "name": "Seattle Sluggers", "role": "player" });
    command!(POST "/invites/accept", "acceptInvite", invites::accept)
        .about(CHAPTER, "Makes you a member of the team, with the roster slot that comes with it.")
        .body(Schema::object("Acceptance", [token]))
        .answers(200, "The team, and what you are there.", Some(team))
        .refuses(&[
            (404, "INVITE_NOT_FOUND"),
            (404, "PLAYER_NOT_FOUND"),
            (409, "INVITE_NOT_PENDING"),
            (409, "ALREADY_MEMBER"),
            (409, "PLAYER_ALREADY_LINKED"),
            (409, "LIMIT_REACHED"),
            (409, "TEAM_DELETED"),
        ])
        .once()
}

fn example() -> Value {
    json!({
        "inviteId": "i1",
        "teamId": "t1",
        "role": "player",
        "playerId": "p1",
        "email": "bob@example.org",
        "status": "pending",
        "expiresAt": "2026-06-08T09:30:00.000Z",
        "createdBy": "u1",
        "createdAt": "2026-06-01T09:30:00.000Z",
        "updatedAt": "2026-06-01T09:30:00.000Z",
        "ver": 1,
    })
}
