//! Routes of teams and their members.

use monotable_kit::{Field, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use crate::commands::{members, teams};

const CHAPTER: &str = "Teams";
const MEMBERS: &str = "Members";
const TYPES: &[&str] = &["MANAGED", "PERSONAL"];
/// The roles that can be given.
pub(super) const ROLES: &[&str] = &["manager", "player", "scorekeeper"];
const READ_ONLY: [&str; 9] = [
    "teamId",
    "ownerId",
    "status",
    "deletedAt",
    "purgeAfter",
    "createdAt",
    "updatedAt",
    "ver",
    "role",
];

pub(super) fn routes() -> Vec<Route> {
    vec![
        create(),
        list(),
        get(),
        update(),
        delete(),
        restore(),
        transfer(),
        list_members(),
        change_role(),
        remove_member(),
    ]
}

fn name() -> Field {
    Field::text("name", 3..=50)
        .about("Letters and digits of any script, spaces and -'.&.")
        .example("Seattle Sluggers")
}

fn description() -> Field {
    Field::text("description", 0..=500).nullable().about("Nothing removes it.").example("Fridays")
}

fn create() -> Route {
    let kind = Field::word("team_type", TYPES)
        .aliases(&["teamType"])
        .about("MANAGED unless said.")
        .example("MANAGED");
    let body = Schema::object("NewTeam", [name().required(), description(), kind]);
    command!(POST "/teams", "createTeam", teams::create)
        .about(CHAPTER, "Makes a team. You are its owner and its first player.")
        .body(body.read_only(READ_ONLY))
        .answers(201, "The team.", Some(example()))
        .refuses(&[(409, "LIMIT_REACHED")])
        .once()
}

fn list() -> Route {
    let query = Schema::object(
        "Teams",
        [
            Field::id("userId").about("Those of this user: you, unless you are an administrator."),
            Field::id("ownerId").about("Those of this owner only."),
            Field::word("teamType", TYPES).aliases(&["team_type"]),
        ],
    );
    let page = json!({ "teams": [example()], "count": 1 });
    command!(GET "/teams", "listTeams", teams::list)
        .about(CHAPTER, "Your teams. Administrators of the platform see all, or those of a user.")
        .query(query.paged())
        .answers(200, "A page of teams.", Some(page))
        .refuses(&[(400, "INVALID_CURSOR"), (403, "NOT_SELF")])
}

fn get() -> Route {
    command!(GET "/teams/{teamId}", "getTeam", teams::get)
        .about(CHAPTER, "A team that you are in.")
        .answers(200, "The team.", Some(example()))
        .refuses(&[(403, "NOT_A_MEMBER"), (404, "TEAM_NOT_FOUND")])
}

fn update() -> Route {
    let mut read_only = READ_ONLY.to_vec();
    read_only.extend(["team_type", "teamType"]);
    let body = Schema::object("TeamChanges", [name(), description()]);
    command!(PUT "/teams/{teamId}", "updateTeam", teams::update)
        .about(CHAPTER, "Renames or describes a team. A personal team can be renamed only.")
        .body(body.read_only(read_only).must_say_something())
        .answers(200, "The team as it is then.", Some(example()))
        .refuses(&MANAGING)
        .once()
        .if_match()
}

/// How a change of a team may be refused, whatever it is.
pub(super) const MANAGING: [(u16, &str); 5] = [
    (403, "NOT_A_MEMBER"),
    (403, "INSUFFICIENT_ROLE"),
    (403, "PERSONAL_TEAM_RESTRICTED"),
    (404, "TEAM_NOT_FOUND"),
    (409, "TEAM_DELETED"),
];

fn delete() -> Route {
    let deleted = json!({
        "teamId": "t1",
        "deletedAt": "2026-06-01T09:30:00.000Z",
        "purgeAfter": "2026-07-01T09:30:00.000Z",
        "recoveryToken": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
    });
    command!(DELETE "/teams/{teamId}", "deleteTeam", teams::delete)
        .about(CHAPTER, "Deletes a team. It can be brought back for 30 days.")
        .answers(
            200,
            "It is deleted. Only this response has the token that brings it back.",
            Some(deleted),
        )
        .refuses(&MANAGING)
        .once()
        .if_match()
}

fn restore() -> Route {
    let token = Field::text("recoveryToken", 1..=100).about("For everybody but the owner.");
    command!(POST "/teams/{teamId}/restore", "restoreTeam", teams::restore)
        .about(CHAPTER, "Brings a deleted team back, with everything that it had.")
        .optional_body(Schema::object("Recovery", [token]))
        .answers(200, "The team.", Some(example()))
        .refuses(&[(404, "TEAM_NOT_FOUND")])
        .once()
        .if_match()
}

fn transfer() -> Route {
    let heir = Field::id("userId").required().about("A member of the team.").example("u2");
    command!(POST "/teams/{teamId}/transfer", "transferTeam", teams::transfer)
        .about(CHAPTER, "Makes another member the owner, and you a manager.")
        .body(Schema::object("Heir", [heir]))
        .answers(200, "The team as it is then.", Some(example()))
        .refuses(&MANAGING)
        .refuses(&[(404, "USER_NOT_FOUND")])
        .once()
        .if_match()
}

fn list_members() -> Route {
    let page = json!({ "members": [member()], "count": 1 });
    command!(GET "/teams/{teamId}/members", "listMembers", members::list)
        .about(MEMBERS, "Who is in a team.")
        .query(Schema::object("Members", []).paged())
        .answers(200, "A page of members.", Some(page))
        .refuses(&[(400, "INVALID_CURSOR"), (403, "NOT_A_MEMBER"), (404, "TEAM_NOT_FOUND")])
}

fn change_role() -> Route {
    let role = Field::word("role", ROLES).required().example("scorekeeper");
    command!(PUT "/teams/{teamId}/members/{userId}", "changeRole", members::change_role)
        .about(MEMBERS, "Gives a member another role. The owner's goes by transfer only.")
        .body(Schema::object("NewRole", [role]))
        .answers(200, "The membership as it is then.", Some(member()))
        .refuses(&MANAGING)
        .refuses(&[(403, "ROLE_CEILING"), (404, "USER_NOT_FOUND")])
        .once()
        .if_match()
}

fn remove_member() -> Route {
    command!(DELETE "/teams/{teamId}/members/{userId}", "removeMember", members::remove)
        .about(MEMBERS, "Removes a member, or leaves the team. The roster slot becomes a ghost.")
        .answers(204, "They are no longer in the team.", None)
        .refuses(&MANAGING)
        .refuses(&[(403, "ROLE_CEILING"), (404, "USER_NOT_FOUND"), (409, "OWNER_CANNOT_LEAVE")])
        .once()
        .if_match()
}

fn example() -> Value {
    json!({
        "teamId": "t1",
        "name": "Seattle Sluggers",
        "description": "Fridays",
        "ownerId": "u1",
        "team_type": "MANAGED",
        "status": "active",
        "role": "owner",
        "joinedAt": "2026-06-01T09:30:00.000Z",
        "createdAt": "2026-06-01T09:30:00.000Z",
        "updatedAt": "2026-06-01T09:30:00.000Z",
        "ver": 1,
    })
}

fn member() -> Value {
    json!({
        "userId": "u2",
        "teamId": "t1",
        "role": "player",
        "status": "active",
        "joinedAt": "2026-06-01T09:30:00.000Z",
        "invitedBy": "u1",
        "firstName": "Bob",
        "lastName": "Jones",
    })
}
