//! Rows as clients see them: the attributes of the seed under their own names, words of older programs
//! in today's spelling, and nothing that is secret or only for the table.
//!
//! Who may see what is decided before: here is only what a thing looks like.

use monotable::design::stamp::Stamp;
use monotable::model::Entity;
use monotable::model::time::Timestamp;
use serde_json::{Map, Value, json};

use crate::api::at_bats::AtBatView;
use crate::api::availability::AvailabilityView;
use crate::api::games::GameView;
use crate::api::players::PlayerView;
use crate::entities::{
    AtBat, Audit, Availability, Game, Invite, Liveness, Membership, Player, PlayerLink, Season,
    Share, Team, User,
};

/// A user, as the user sees it.
pub fn user(user: &User) -> Value {
    Value::Object(fields(user, &["listShard"]))
}

/// A user, as others of a team see it: the names, and nothing else.
pub fn name_of(user: &User) -> Value {
    json!({ "userId": user.user_id, "firstName": user.first_name, "lastName": user.last_name })
}

/// A team.
pub fn team(team: &Team) -> Value {
    let mut shown = fields(team, &["isPersonal", "recoveryToken", "listShard"]);
    shown.insert("team_type".to_owned(), json!(team.kind()));
    shown.insert("status".to_owned(), json!(team.status.unwrap_or(Liveness::Active)));
    Value::Object(shown)
}

/// A membership. That nobody invited a team's creator is said, as the seed does.
pub fn membership(membership: &Membership) -> Value {
    let mut shown = fields(membership, &[]);
    shown.insert("invitedBy".to_owned(), json!(membership.invited_by));
    Value::Object(shown)
}

/// A member of a team, with the names if the account is still there.
pub fn member(row: &Membership, account: Option<&User>) -> Value {
    let mut shown = membership(row);
    if let (Value::Object(shown), Some(account)) = (&mut shown, account) {
        shown.insert("firstName".to_owned(), json!(account.first_name));
        shown.insert("lastName".to_owned(), json!(account.last_name));
    }
    shown
}

/// A team of a user, with what the user is there.
pub fn team_of(row: &Team, membership: &Membership) -> Value {
    let mut shown = team(row);
    if let Value::Object(shown) = &mut shown {
        shown.insert("role".to_owned(), json!(membership.role));
        shown.insert("joinedAt".to_owned(), json!(membership.joined_at));
    }
    shown
}

/// A player.
pub fn player(player: &Player) -> Value {
    json!(PlayerView::of(player))
}

/// A game.
pub fn game(game: &Game) -> Value {
    json!(GameView::of(game))
}

/// A plate appearance.
pub fn at_bat(at_bat: &AtBat) -> Value {
    json!(AtBatView::of(at_bat))
}

/// An invitation at a time, without what its secret could be told by.
pub fn invite(invite: &Invite, now: Timestamp) -> Value {
    let mut shown = fields(invite, &["tokenHash"]);
    if invite.is_open() && !invite.is_pending(now) {
        shown.insert("status".to_owned(), json!("expired"));
    }
    Value::Object(shown)
}

/// A season.
pub fn season(season: &Season) -> Value {
    Value::Object(fields(season, &[]))
}

/// Whether a player comes to a game.
pub fn availability(availability: &Availability) -> Value {
    json!(AvailabilityView::of(availability))
}

/// A share link, without what its secret could be told by.
pub fn share(share: &Share) -> Value {
    Value::Object(fields(share, &["tokenHash"]))
}

/// A career link.
pub fn player_link(link: &PlayerLink) -> Value {
    Value::Object(fields(link, &[]))
}

/// A line of a team's audit.
pub fn audit(audit: &Audit) -> Value {
    Value::Object(fields(audit, &[]))
}

/// The fields of a row that it has, but for the hidden ones, and its stamps.
fn fields<E: Entity>(row: &E, hidden: &[&str]) -> Map<String, Value> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(row) else {
        unreachable!("a row is an object of texts, numbers and lists")
    };
    let stamps = row.stamps().unwrap_or_default();
    for field in E::META.fields {
        let value = match field.stamp {
            None => continue,
            Some(Stamp::Version) => json!(stamps.version),
            Some(Stamp::Created) => json!(stamps.created),
            Some(Stamp::Updated) => json!(stamps.updated),
            Some(Stamp::Expires) => json!(stamps.expires),
        };
        fields.insert(field.attribute.to_owned(), value);
    }
    fields.retain(|name, value| !value.is_null() && !hidden.contains(&name.as_str()));
    fields
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use monotable::model::StampValues;

    use super::*;

    fn check<E: Entity>(row: &str, show: impl Fn(&E) -> Value, expected: Expect) {
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
        expected.assert_eq(&show(&row).to_string().replace("2025-10-25T12:00:00.000Z", "NOW"));
    }

    #[test]
    fn what_is_secret_is_not_shown() {
        check(
            r#"{"teamId":"t","name":"Sluggers","ownerId":"u","isPersonal":true,
                "recoveryToken":"secret","createdAt":"NOW","updatedAt":"NOW"}"#,
            team,
            expect![[
                r#"{"createdAt":"NOW","name":"Sluggers","ownerId":"u","status":"active","teamId":"t","team_type":"PERSONAL","updatedAt":"NOW","ver":0}"#
            ]],
        );
        check(
            r#"{"inviteId":"i","teamId":"t","role":"player","tokenHash":"secret","status":"pending",
                "expiresAt":"NOW","createdBy":"u","createdAt":"NOW","updatedAt":"NOW","ver":1}"#,
            |row| invite(row, Timestamp::EPOCH),
            expect![[
                r#"{"createdAt":"NOW","createdBy":"u","expiresAt":"NOW","inviteId":"i","role":"player","status":"pending","teamId":"t","updatedAt":"NOW","ver":1}"#
            ]],
        );
        check(
            r#"{"gameId":"g","shareId":"s","teamId":"t","tokenHash":"secret","createdBy":"u",
                "createdAt":"NOW","updatedAt":"NOW","ver":1}"#,
            share,
            expect![[
                r#"{"createdAt":"NOW","createdBy":"u","gameId":"g","shareId":"s","teamId":"t","updatedAt":"NOW","ver":1}"#
            ]],
        );
    }

    #[test]
    fn others_see_the_names_of_a_user_only() {
        let row = r#"{"userId":"u","email":"u@x.org","firstName":"U","lastName":"One",
            "phoneNumber":"+15550100","createdAt":"NOW","updatedAt":"NOW"}"#;
        check(row, name_of, expect![[r#"{"firstName":"U","lastName":"One","userId":"u"}"#]]);
        check(
            row,
            user,
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
            at_bat,
            expect![[
                r#"{"atBatId":"a","battingOrder":1,"createdAt":"NOW","gameId":"g","hitLocation":{"x":0.25,"y":1.0},"hitType":"fly_ball","inning":1,"outs":0,"outsOnPlay":1,"playerId":"p","result":"OUT","teamId":"t","updatedAt":"NOW","ver":0}"#
            ]],
        );
        check(
            r#"{"userId":"u","teamId":"t","role":"team-coach","status":"active","joinedAt":"NOW",
                "createdAt":"NOW","updatedAt":"NOW"}"#,
            membership,
            expect![[
                r#"{"createdAt":"NOW","invitedBy":null,"joinedAt":"NOW","role":"manager","status":"active","teamId":"t","updatedAt":"NOW","userId":"u","ver":0}"#
            ]],
        );
        check(
            r#"{"gameId":"g","teamId":"t","status":"in_progress","createdAt":"NOW","updatedAt":"NOW",
                "lineup":[{"playerId":"b","battingOrder":2},{"playerId":"a","battingOrder":1}]}"#,
            game,
            expect![[
                r#"{"createdAt":"NOW","gameId":"g","innings":7,"lineup":[{"battingOrder":1,"playerId":"a"},{"battingOrder":2,"playerId":"b"}],"opponentScore":0,"scoreMode":"manual","status":"IN_PROGRESS","teamId":"t","teamScore":0,"updatedAt":"NOW","ver":0}"#
            ]],
        );
    }
}
