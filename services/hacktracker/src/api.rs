//! The operations of the service, one file each, in folders by chapter, and their list, from which
//! routes and documentation are generated.

pub(crate) mod announce;
pub(crate) mod at_bats;
pub(crate) mod audit;
pub(crate) mod availability;
pub(crate) mod counts;
pub(crate) mod everything;
pub(crate) mod games;
pub(crate) mod invites;
pub(crate) mod links;
pub(crate) mod logbook;
pub(crate) mod members;
pub(crate) mod players;
pub(crate) mod prelude;
pub(crate) mod scope;
pub(crate) mod seasons;
pub(crate) mod shares;
pub(crate) mod statistics;
pub(crate) mod teams;
pub(crate) mod users;

use monotable_kit::{Body, Problem, Service, operations, paths};
use serde_json::{Map, Value};

use crate::pages;
use crate::table::{AtBatId, GameId, InviteId, PlayerId, ShareId, TeamId, UserId};

paths! {
    /// The team that a path names.
    TeamPath { team_id: TeamId }
    /// The user that a path names.
    UserPath { user_id: UserId }
    /// The member that a path names.
    MemberPath { team_id: TeamId, user_id: UserId }
    /// The player that a path names.
    PlayerPath { team_id: TeamId, player_id: PlayerId }
    /// The invitation that a path names.
    InvitePath { team_id: TeamId, invite_id: InviteId }
    /// The game that a path names.
    GamePath { game_id: GameId }
    /// The at-bat that a path names.
    AtBatPath { game_id: GameId, at_bat_id: AtBatId }
    /// The game and the player that a path names.
    RsvpPath { game_id: GameId, player_id: PlayerId }
    /// The share link that a path names.
    SharePath { game_id: GameId, share_id: ShareId }
}

/// The body of an operation that needs none: an object without fields, or nothing at all.
#[derive(Debug, Body)]
pub(crate) struct Nothing {}

/// Returns the service.
pub fn service() -> Service {
    Service::new(
        "hacktracker",
        "HackTracker",
        "Softball teams, rosters, games and batting statistics.",
        problem_form,
    )
    .home("/my-games")
    .chapter(
        "Users",
        operations![
            users::context,
            users::list,
            users::get,
            users::update,
            users::delete,
            users::export,
        ],
    )
    .chapter(
        "Teams",
        operations![
            teams::create,
            teams::list,
            teams::get,
            teams::update,
            teams::delete,
            teams::restore,
            teams::transfer,
        ],
    )
    .chapter("Members", operations![members::list, members::change_role, members::remove])
    .chapter(
        "Players",
        operations![
            players::add,
            players::add_several,
            players::list,
            players::get,
            players::update,
            players::remove,
            players::link,
            players::unlink,
        ],
    )
    .chapter(
        "Invitations",
        operations![invites::create, invites::list, invites::revoke, invites::accept],
    )
    .chapter("Seasons", operations![seasons::create, seasons::list])
    .chapter("Teams", operations![audit::list])
    .chapter(
        "Games",
        operations![
            games::create,
            games::list_all,
            games::get,
            games::update,
            games::delete,
            games::list,
            games::start,
            games::finish,
            games::suspend,
            games::reschedule,
            games::reopen,
        ],
    )
    .chapter(
        "At-bats",
        operations![
            at_bats::record,
            at_bats::list,
            at_bats::get,
            at_bats::update,
            at_bats::delete,
            at_bats::undo,
            at_bats::end_inning,
        ],
    )
    .chapter("Games", operations![availability::set, availability::list, availability::propose])
    .chapter(
        "Statistics",
        operations![
            statistics::live,
            statistics::events,
            statistics::box_score,
            statistics::team,
            statistics::record,
            statistics::leaders,
            statistics::player,
            statistics::spray,
            statistics::career,
        ],
    )
    .chapter(
        "Sharing",
        operations![
            shares::create,
            shares::list,
            shares::revoke,
            shares::follow,
            shares::plays,
            shares::events,
        ],
    )
    .chapter("Pages", operations![pages::my_games, pages::live, pages::score])
}

/// Returns a problem in the form of this service: the text, the code, and the details next to them.
fn problem_form(problem: &Problem, _request_id: &str) -> Value {
    let mut form: Map<String, Value> = problem.details.clone();
    form.insert("error".to_owned(), problem.message.clone().into());
    form.insert("code".to_owned(), problem.code.into());
    Value::Object(form)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use monotable::model::time::Timestamp;
    use monotable::model::{Entity, StampValues};
    use serde::Serialize;
    use serde_json::Value;

    use super::at_bats::AtBatView;
    use super::games::GameView;
    use super::invites::InviteView;
    use super::members::MembershipView;
    use super::shares::ShareView;
    use super::teams::TeamView;
    use super::users::{UserName, UserView};

    fn check<E: Entity, V: Serialize>(row: &str, show: impl Fn(&E) -> V, expected: Expect) {
        let row: Value = serde_json::from_str(&row.replace("NOW", "2025-10-25T12:00:00Z")).unwrap();
        let time = |name: &str| row[name].as_str().map(|time| time.parse().unwrap());
        let stamps = StampValues {
            version: row["ver"].as_u64().unwrap_or_default(),
            created: time("createdAt").unwrap_or_default(),
            updated: time("updatedAt").unwrap_or_default(),
            expires: None,
        };
        let mut row: E = serde_json::from_value(row).unwrap();
        row.set_stamps(stamps);
        // As a value, the fields are sorted by name.
        let shown = serde_json::to_value(show(&row)).unwrap().to_string();
        expected.assert_eq(&shown.replace("2025-10-25T12:00:00.000Z", "NOW"));
    }

    #[test]
    fn secrets_are_not_shown() {
        check(
            r#"{"teamId":"t","name":"Sluggers","ownerId":"u","isPersonal":true,
                "recoveryToken":"secret","createdAt":"NOW","updatedAt":"NOW"}"#,
            TeamView::of,
            expect![[
                r#"{"createdAt":"NOW","name":"Sluggers","ownerId":"u","status":"active","teamId":"t","team_type":"PERSONAL","updatedAt":"NOW","ver":0}"#
            ]],
        );
        check(
            r#"{"inviteId":"i","teamId":"t","role":"player","tokenHash":"secret","status":"pending",
                "expiresAt":"NOW","createdBy":"u","createdAt":"NOW","updatedAt":"NOW","ver":1}"#,
            |row| InviteView::at(row, Timestamp::EPOCH),
            expect![[
                r#"{"createdAt":"NOW","createdBy":"u","expiresAt":"NOW","inviteId":"i","role":"player","status":"pending","teamId":"t","updatedAt":"NOW","ver":1}"#
            ]],
        );
        check(
            r#"{"gameId":"g","shareId":"s","teamId":"t","tokenHash":"secret","createdBy":"u",
                "createdAt":"NOW","updatedAt":"NOW","ver":1}"#,
            ShareView::of,
            expect![[
                r#"{"createdAt":"NOW","createdBy":"u","gameId":"g","shareId":"s","teamId":"t","updatedAt":"NOW","ver":1}"#
            ]],
        );
    }

    #[test]
    fn other_users_see_only_the_names_of_a_user() {
        let row = r#"{"userId":"u","email":"u@x.org","firstName":"U","lastName":"One",
            "phoneNumber":"+15550100","createdAt":"NOW","updatedAt":"NOW"}"#;
        check(row, UserName::of, expect![[r#"{"firstName":"U","lastName":"One","userId":"u"}"#]]);
        check(
            row,
            UserView::of,
            expect![[
                r#"{"createdAt":"NOW","email":"u@x.org","firstName":"U","lastName":"One","phoneNumber":"+15550100","updatedAt":"NOW","userId":"u","ver":0}"#
            ]],
        );
    }

    #[test]
    fn words_of_older_programs_are_shown_as_those_of_today() {
        check(
            r#"{"gameId":"g","atBatId":"a","playerId":"p","teamId":"t","result":"FO","inning":1,
                "outs":0,"battingOrder":1,"hitLocation":{"x":"0.25","y":1},"createdAt":"NOW",
                "updatedAt":"NOW"}"#,
            AtBatView::of,
            expect![[
                r#"{"atBatId":"a","battingOrder":1,"createdAt":"NOW","gameId":"g","hitLocation":{"x":0.25,"y":1.0},"hitType":"fly_ball","inning":1,"outs":0,"outsOnPlay":1,"playerId":"p","result":"OUT","teamId":"t","updatedAt":"NOW","ver":0}"#
            ]],
        );
        check(
            r#"{"gameId":"g","teamId":"t","status":"in_progress","createdAt":"NOW","updatedAt":"NOW",
                "lineup":[{"playerId":"b","battingOrder":2},{"playerId":"a","battingOrder":1}]}"#,
            GameView::of,
            expect![[
                r#"{"createdAt":"NOW","gameId":"g","innings":7,"lineup":[{"battingOrder":1,"playerId":"a"},{"battingOrder":2,"playerId":"b"}],"opponentScore":0,"scoreMode":"manual","status":"IN_PROGRESS","teamId":"t","teamScore":0,"updatedAt":"NOW","ver":0}"#
            ]],
        );
        check(
            r#"{"userId":"u","teamId":"t","role":"team-coach","status":"active","joinedAt":"NOW",
                "createdAt":"NOW","updatedAt":"NOW"}"#,
            MembershipView::of,
            expect![[
                r#"{"createdAt":"NOW","invitedBy":null,"joinedAt":"NOW","role":"manager","status":"active","teamId":"t","updatedAt":"NOW","userId":"u","ver":0}"#
            ]],
        );
    }
}
