//! Rows of older programs: every form of them is read, and a change of one attribute leaves the others
//! as they are, byte for byte.

use std::collections::BTreeSet;

use monotable::Item;
use monotable_hacktracker::rules::results::{HitType, Outcome, sort_by_time};
use monotable_hacktracker::table::{GameStatus, HackTrackerReads, PlayerStatus, Role, TeamType};

use crate::seed::{Raw, id, rows};

const TEAM_WITHOUT_TYPE: &str = r#"{
    "PK": "TEAM#old", "SK": "METADATA", "teamId": "old", "name": "Old Timers", "ownerId": "u",
    "createdAt": "2024-04-01T10:00:00.123456+00:00", "updatedAt": "2024-04-01T10:00:00Z",
    "colour": "red", "GSI2PK": "ENTITY#TEAM", "GSI2SK": "METADATA#old" }"#;
const PERSONAL_TEAM: &str = r#"{
    "PK": "TEAM#own", "SK": "METADATA", "teamId": "own", "name": "Default", "ownerId": "u",
    "isPersonal": true, "createdAt": "2024-04-01T10:00:00Z", "updatedAt": "2024-04-01T10:00:00Z",
    "GSI2PK": "ENTITY#TEAM", "GSI2SK": "METADATA#own" }"#;
const GAME: &str = r#"{
    "PK": "GAME#g", "SK": "METADATA", "gameId": "g", "teamId": "old", "status": "in_progress",
    "scheduledStart": "2024-05-01T20:00:00+02:00", "location": null, "weather": { "wind": 3.50 },
    "lineup": [
        { "playerId": "p3", "battingOrder": 3 },
        { "playerId": "p1", "battingOrder": 1 },
        { "playerId": "p2", "battingOrder": 2 } ],
    "createdAt": "2024-04-01T10:00:00.123456+00:00", "updatedAt": "2024-05-01T18:00:00+00:00",
    "GSI2PK": "ENTITY#GAME", "GSI2SK": "METADATA#g", "GSI3PK": "TEAM#old", "GSI3SK": "GAME#g" }"#;
const GAME_WITHOUT_LINEUP: &str = r#"{
    "PK": "GAME#h", "SK": "METADATA", "gameId": "h", "teamId": "old", "status": "SCHEDULED",
    "lineup": null, "createdAt": "2024-04-01T10:00:00Z", "updatedAt": "2024-04-01T10:00:00Z" }"#;
const PLAYER: &str = r#"{
    "PK": "TEAM#old", "SK": "PLAYER#p1", "playerId": "p1", "teamId": "old", "firstName": "Ann",
    "status": "sub", "isGhost": true, "userId": null, "linkedAt": null, "shoeSize": 42,
    "createdAt": "2024-04-01T10:00:00.123456+00:00", "updatedAt": "2024-04-01T10:00:00Z" }"#;
const AT_BAT: &str = r#"{
    "PK": "GAME#g", "SK": "ATBAT#ffff", "gameId": "g", "atBatId": "ffff", "playerId": "p1",
    "teamId": "old", "result": "FO", "inning": 1, "outs": 0, "battingOrder": 1,
    "hitLocation": { "x": "0.250", "y": 0.5 }, "hitType": "ground_out",
    "createdAt": "2024-05-01T18:05:00.123456+00:00", "updatedAt": "2024-05-01T18:05:00Z",
    "GSI5PK": "PLAYER#p1", "GSI5SK": "ATBAT#2024-05-01T18:05:00.123456+00:00" }"#;
const LATER_AT_BAT: &str = r#"{
    "PK": "GAME#g", "SK": "ATBAT#0000", "gameId": "g", "atBatId": "0000", "playerId": "p1",
    "teamId": "old", "result": "GIDP", "inning": 1, "outs": 1, "battingOrder": 1,
    "createdAt": "2024-05-01T14:09:00-04:00", "updatedAt": "2024-05-01T18:09:00Z",
    "GSI5PK": "PLAYER#p1", "GSI5SK": "ATBAT#2024-05-01T18:09:00Z" }"#;

/// Returns all forms, and the rows of the seed.
async fn table() -> Raw {
    let raw = Raw::new().await;
    raw.put_all([TEAM_WITHOUT_TYPE, PERSONAL_TEAM, GAME, GAME_WITHOUT_LINEUP, PLAYER]);
    raw.put_all([AT_BAT, LATER_AT_BAT]);
    raw.put_all(rows::ALL);
    let words = ["team-owner", "team-coach", "team-scorekeeper", "team-player"];
    for (number, word) in words.into_iter().enumerate() {
        raw.put(&format!(
            r#"{{ "PK": "USER#u{number}", "SK": "TEAM#old", "userId": "u{number}",
                "teamId": "old", "role": "{word}", "status": "active", "invitedBy": null,
                "joinedAt": "2024-04-01T10:00:00.5Z" }}"#
        ));
    }
    raw
}

#[tokio::test]
async fn teams_without_status_or_type_are_active_and_have_a_type() {
    let raw = table().await;
    for (name, kind) in [("old", TeamType::Managed), ("own", TeamType::Personal)] {
        let team = raw.db.team(&id(name)).await.unwrap().unwrap();
        assert_eq!((team.is_active(), team.kind(), team.stamps.version), (true, kind, 0));
    }
}

#[tokio::test]
async fn older_words_for_roles_are_read() {
    let raw = table().await;
    let roles = [Role::Owner, Role::Manager, Role::Scorekeeper, Role::Player];
    for (number, role) in roles.into_iter().enumerate() {
        let user = id(&format!("u{number}"));
        let membership = raw.db.membership(&user, &id("old")).await.unwrap().unwrap();
        assert_eq!((membership.role, membership.is_active()), (role, true));
    }
}

#[tokio::test]
async fn games_players_and_at_bats_of_older_programs_are_read() {
    let raw = table().await;
    let game = raw.db.game(&id("g")).await.unwrap().unwrap();
    assert_eq!(game.status, GameStatus::InProgress);
    assert_eq!(game.lineup, [id("p1"), id("p2"), id("p3")]);
    assert_eq!(game.scheduled_start, Some(id("2024-05-01T18:00:00Z")));
    assert!(raw.db.game(&id("h")).await.unwrap().unwrap().lineup.is_empty());

    let player = raw.db.player(&id("old"), &id("p1")).await.unwrap().unwrap();
    assert_eq!((player.positions.len(), player.status), (0, PlayerStatus::Sub));
    assert_eq!((player.user_id, player.pa_count), (None, None));

    // The index has the times of at-bats instead of their ids, and is in the order of those texts.
    let mut at_bats = raw.db.at_bats_of(&id("p1")).page().await.unwrap().rows;
    sort_by_time(&mut at_bats);
    let (first, second) = (&at_bats[0], &at_bats[1]);
    assert_eq!((first.outcome(), first.ball()), (Some(Outcome::Out), Some(HitType::GroundBall)));
    assert_eq!(first.hit_location.map(|at| (at.x, at.y)), Some((0.25, 0.5)));
    assert_eq!((second.outcome(), second.outs_made()), (None, 0));
    let mut of_game = raw.db.at_bats(&id("g")).page().await.unwrap().rows;
    sort_by_time(&mut of_game);
    assert_eq!(of_game, at_bats);
}

/// Returns the attributes in which two rows differ.
fn differences(one: &Item, other: &Item) -> BTreeSet<String> {
    let names = one.keys().chain(other.keys());
    names.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

#[tokio::test]
async fn an_unrelated_change_leaves_everything_else_as_it_was() {
    let raw = table().await;
    let db = &raw.db;
    let before = raw.rows();
    let old = id("old");

    let team = db.team(&old).await.unwrap().unwrap();
    db.edit(team, |team| team.description = Some("Since 1999".to_owned())).await.unwrap();
    let own = db.team(&id("own")).await.unwrap().unwrap();
    db.edit(own, |team| team.name = "Mine".to_owned()).await.unwrap();
    let game = db.game(&id("g")).await.unwrap().unwrap();
    db.edit(game, |game| game.team_score = 3).await.unwrap();
    let player = db.player(&old, &id("p1")).await.unwrap().unwrap();
    db.edit(player, |player| player.player_number = Some(7)).await.unwrap();
    let at_bat = db.at_bat(&id("g"), &id("ffff")).await.unwrap().unwrap();
    db.edit(at_bat, |at_bat| at_bat.rbis = Some(1)).await.unwrap();
    let member = db.membership(&id("u1"), &old).await.unwrap().unwrap();
    db.edit(member, |member| member.invited_by = Some(id("u0"))).await.unwrap();
    let user = db.user(&id(rows::USER_ID)).await.unwrap().unwrap();
    db.edit(user, |user| user.first_name = "Jane".to_owned()).await.unwrap();

    let changed: BTreeSet<(String, String)> = before
        .iter()
        .flat_map(|was| {
            let (partition, sort) = (was["PK"].as_s().unwrap(), was["SK"].as_s().unwrap());
            let is = raw.row(partition, sort).unwrap();
            let key = format!("{partition} {sort}");
            differences(was, &is).into_iter().map(move |name| (key.clone(), name))
        })
        .filter(|(_, name)| name != "ver" && name != "updatedAt")
        .collect();
    let user = format!("USER#{} METADATA", rows::USER_ID);
    let expected = [
        ("TEAM#old METADATA", "description"),
        ("TEAM#own METADATA", "name"),
        ("GAME#g METADATA", "teamScore"),
        ("TEAM#old PLAYER#p1", "playerNumber"),
        ("GAME#g ATBAT#ffff", "rbis"),
        ("USER#u1 TEAM#old", "invitedBy"),
        (user.as_str(), "firstName"),
    ];
    let expected = expected.map(|(key, name)| (key.to_owned(), name.to_owned()));
    assert_eq!(changed, BTreeSet::from(expected));
    assert_eq!(raw.rows().len(), before.len());

    // A concurrent write is not lost, although the rows had no version.
    let stale = db.team(&old).await.unwrap().unwrap();
    db.edit(stale.clone(), |team| team.name = "New Timers".to_owned()).await.unwrap();
    assert!(db.edit(stale, |team| team.name = "Older".to_owned()).await.is_err());
}

#[tokio::test]
async fn players_without_a_count_are_not_counted_wrongly() {
    let raw = table().await;
    let player = raw.db.player(&id("old"), &id("p1")).await.unwrap().unwrap();
    let changed = raw.db.update(player.count_plate_appearances(1)).await.unwrap();
    assert_eq!((changed.pa_count, changed.stamps.version), (None, 1));

    let counted = raw.db.edit(changed, |player| player.pa_count = Some(2)).await.unwrap();
    let more = raw.db.update(counted.count_plate_appearances(1)).await.unwrap();
    assert_eq!(more.pa_count, Some(3));
    assert!(raw.db.update(counted.count_plate_appearances(1)).await.is_err());
    assert!(raw.db.update(player.count_plate_appearances(1)).await.is_err());
    let fewer = raw.db.update(more.count_plate_appearances(-5)).await.unwrap();
    assert_eq!(fewer.pa_count, Some(0));
}
