//! ScavengerHunt: what players send is found by player, team, game and level alike.

use std::slice;
use std::time::Duration;

use monotable::model::Entity as _;

use super::{NOW_SECONDS, Random, World, all, id};
use crate::designs::scavenger_hunt::*;
use monotable::prelude::*;

type Hunt = World<ScavengerHunt>;

/// The attributes that every row has.
const COMMON: &str = r##""created_at": "NOW", "updated_at": "NOW", "ver": 1"##;

/// A row with the attributes that every row has.
fn row(printed: &str) -> String {
    printed.replace("COMMON", COMMON)
}

async fn written_level(world: &Hunt) -> Level {
    let level = r##"{
        "PK": "GAME#g1", "SK": "LEVEL#l1", "GSI1PK": "LEVEL#l1", "GSI1SK": "GAME#g1",
        "ItemType": "LEVEL", "id": "l1", "game_id": "g1", "levelName": "Pier", COMMON }"##;
    world.written(&row(level), |db| db.level_of(&id("g1"), &id("l1"))).await
}

async fn written_team(world: &Hunt) -> Team {
    let team = r##"{
        "PK": "GAME#g1", "SK": "TEAM#t1", "GSI1PK": "TEAM#t1", "GSI1SK": "#METADATA",
        "ItemType": "TEAM", "id": "t1", "game_id": "g1", "name": "Ducks",
        "difficulty_level": "easy", COMMON }"##;
    world.written(&row(team), |db| db.team_of(&id("g1"), &id("t1"))).await
}

async fn written_team_level(world: &Hunt) -> TeamLevel {
    let team_level = r##"{
        "PK": "TEAM#t1", "SK": "LEVEL#l1", "GSI1PK": "LEVEL#l1", "GSI1SK": "TEAM#t1",
        "ItemType": "TEAM_LEVEL", "id": "tl1", "team_id": "t1", "level_id": "l1", "game_id": "g1",
        "index": 0, "started_at": "NOW", "completed_at": "NOW", COMMON }"##;
    world.written(&row(team_level), |db| db.route(&id("t1"))).await
}

async fn written_message(world: &Hunt) -> Message {
    let message = r##"{
        "PK": "USER#u1", "SK": "MESSAGE#1753293600#m1", "GSI1PK": "TEAM#t1",
        "GSI1SK": "MESSAGE#1753293600#m1", "GSI2PK": "GAME#g1", "GSI2SK": "MESSAGE#1753293600#m1",
        "GSI3PK": "LEVEL#l1", "GSI3SK": "MESSAGE#1753293600#m1", "ItemType": "MESSAGE", "id": "m1",
        "user_id": "u1", "team_id": "t1", "game_id": "g1", "level_id": "l1", "role": "user",
        "text": "Where?", COMMON }"##;
    world.written(&row(message), |db| db.messages_of_user(&id("u1"))).await
}

async fn written_photo(world: &Hunt) -> Photo {
    let photo = r##"{
        "PK": "USER#u1", "SK": "PHOTO#1753293600#m1", "GSI1PK": "TEAM#t1",
        "GSI1SK": "PHOTO#1753293600#m1", "GSI2PK": "GAME#g1", "GSI2SK": "PHOTO#1753293600#m1",
        "GSI3PK": "LEVEL#l1", "GSI3SK": "PHOTO#1753293600#m1", "ItemType": "PHOTO", "id": "m1",
        "user_id": "u1", "team_id": "t1", "game_id": "g1", "level_id": "l1",
        "url": "s3", COMMON }"##;
    world.written(&row(photo), |db| db.photos_of_user(&id("u1"))).await
}

async fn written_position(world: &Hunt) -> CoordinateSnapshot {
    let position = r##"{
        "PK": "USER#u1", "SK": "COORDINATE_SNAPSHOT#1753293600#c1", "GSI1PK": "TEAM#t1",
        "GSI1SK": "COORDINATE_SNAPSHOT#1753293600#c1", "ItemType": "COORDINATE_SNAPSHOT",
        "id": "c1", "user_id": "u1", "team_id": "t1", "latitude": 35.30509,
        "longitude": -120.662496, "deleted_at": 1799999999, COMMON }"##;
    world.written(&row(position), |db| db.track_of_user(&id("u1"))).await
}

async fn written_checkpoint(world: &Hunt) -> CheckpointEvent {
    let checkpoint = r##"{
        "PK": "TEAM#t1", "SK": "CHECKPOINT_EVENT#1753293600#l1", "GSI1PK": "CHECKPOINT_EVENTS",
        "GSI1SK": "1753293600#t1#l1", "GSI2PK": "GAME#g1",
        "GSI2SK": "CHECKPOINT_EVENT#1753293600#e1", "ItemType": "CHECKPOINT_EVENT", "id": "e1",
        "team_id": "t1", "level_id": "l1", "game_id": "g1", COMMON }"##;
    world.written(&row(checkpoint), |db| db.checkpoints()).await
}

#[tokio::test]
async fn games_with_levels_teams_and_users_are_written_as_printed_and_found() {
    let world = Hunt::new().await;
    let game = r##"{
        "PK": "GAME#g1", "SK": "#METADATA", "GSI1PK": "GAMES", "GSI1SK": "NOW#g1",
        "ItemType": "GAME", "id": "g1", "name": "Hunt", "description": "Ducks", "status": "ready",
        "winner_team_id": "t1", COMMON }"##;
    let game: Game = world.written(&row(game), |db| db.game(&id("g1"))).await;
    let user = r##"{
        "PK": "TEAM#t1", "SK": "USER#u1", "GSI1PK": "USER#u1", "GSI1SK": "#METADATA",
        "ItemType": "USER", "id": "u1", "team_id": "t1", "display_name": "U", COMMON }"##;
    let user: User = world.written(&row(user), |db| db.users(&id("t1"))).await;
    let (level, team) = (written_level(&world).await, written_team(&world).await);
    let team_level = written_team_level(&world).await;
    written_message(&world).await;
    written_photo(&world).await;
    written_position(&world).await;
    written_checkpoint(&world).await;
    let game2 = world.create(&game, |game| game.id = id("g2")).await;
    let level2 = world.create(&level, |level| level.id = id("l2")).await;
    let team2 = world.create(&team, |team| team.id = id("t2")).await;
    let user2 = world.create(&user, |user| user.id = id("u2")).await;
    let team_level2 = world.create(&team_level, |next| next.team_id = id("t2")).await;
    let next = world.create(&team_level, |next| next.level_id = id("l2")).await;

    let db = &world.db;
    assert_eq!(all(db.games()).await, [game, game2]);
    assert_eq!(all(db.levels(&id("g1"))).await, [level.clone(), level2]);
    assert_eq!(db.level(&id("l1")).await.unwrap(), Some(level));
    assert_eq!(all(db.teams(&id("g1"))).await, [team.clone(), team2]);
    assert_eq!(db.team(&id("t1")).await.unwrap(), Some(team));
    assert_eq!(all(db.users(&id("t1"))).await, [user.clone(), user2]);
    assert_eq!(db.user(&id("u1")).await.unwrap(), Some(user));
    assert_eq!(all(db.route(&id("t1"))).await, [team_level.clone(), next]);
    assert_eq!(all(db.teams_at(&id("l1"))).await, [team_level, team_level2]);
}

#[tokio::test]
async fn teams_are_at_a_level_between_their_start_and_their_end() {
    let world = Hunt::new().await;
    let entry = written_team_level(&world).await;
    let db = &world.db;
    let entry = db.edit(entry, |entry| entry.started_at = None).await.unwrap();
    assert_eq!(all(db.teams_now_at(&id("l1"))).await, []);
    let now = entry.stamps.created;
    let entry = db.edit(entry, |entry| entry.started_at = Some(now)).await.unwrap();
    let entry = db.edit(entry, |entry| entry.completed_at = None).await.unwrap();
    assert_eq!(all(db.teams_now_at(&id("l1"))).await, slice::from_ref(&entry));
    db.edit(entry, |entry| entry.completed_at = Some(now)).await.unwrap();
    assert_eq!(all(db.teams_now_at(&id("l1"))).await, []);
}

#[tokio::test]
async fn what_players_send_is_written_as_printed_and_found_from_four_sides() {
    let world = Hunt::new().await;
    written_level(&world).await;
    written_team(&world).await;
    written_team_level(&world).await;
    let (message, photo) = (written_message(&world).await, written_photo(&world).await);
    let (position, checkpoint) = (written_position(&world).await, written_checkpoint(&world).await);
    let answer = world.create(&message, |next| next.id = id("m2")).await;
    let elsewhere = world
        .create(&message, |next| {
            (next.ts, next.level_id) = (EpochSeconds::new(1_753_293_700), id("l2"))
        })
        .await;
    let photo2 = world.create(&photo, |next| (next.user_id, next.id) = (id("u2"), id("m3"))).await;
    let later = world.create(&position, |next| next.ts = EpochSeconds::new(1_753_293_660)).await;
    let team2 = world.create(&checkpoint, |next| next.team_id = id("t2")).await;
    let game2 = world
        .create(&checkpoint, |next| (next.level_id, next.game_id) = (id("l9"), id("g2")))
        .await;

    let db = &world.db;
    let (u1, t1, g1, l1) = (id("u1"), id("t1"), id("g1"), id("l1"));
    let messages = [message.clone(), answer.clone(), elsewhere];
    assert_eq!(all(db.messages_of_user(&u1)).await, messages);
    assert_eq!(all(db.messages_of_team(&t1)).await, messages);
    assert_eq!(all(db.messages_of_game(&g1)).await, messages);
    assert_eq!(all(db.messages_at(&l1)).await, [message.clone(), answer.clone()]);
    assert_eq!(all(db.chat(&u1, &l1)).await, [message, answer]);
    assert_eq!(all(db.photos_of_user(&u1)).await, slice::from_ref(&photo));
    let photos = [photo, photo2];
    assert_eq!(all(db.photos_of_team(&t1)).await, photos);
    assert_eq!(all(db.photos_of_game(&g1)).await, photos);
    assert_eq!(all(db.photos_at(&l1)).await, photos);
    let since = EpochSeconds::new(1_753_293_601);
    assert_eq!(all(db.positions_of_user(&u1, since)).await, slice::from_ref(&later));
    assert_eq!(all(db.positions_of_team(&t1, since)).await, slice::from_ref(&later));
    assert_eq!(all(db.track_of_team(&t1)).await, [position, later]);
    assert_eq!(all(db.checkpoints()).await, [team2.clone(), game2, checkpoint.clone()]);
    // One second and one id: the order of the two is that of their primary keys, backwards or not.
    let mut feed = all(db.checkpoints_of(&g1)).await;
    feed.sort_by(|one, other| one.team_id.cmp(&other.team_id));
    assert_eq!(feed, [checkpoint, team2]);
}

#[tokio::test]
async fn the_rows_of_organisers_are_written_as_printed() {
    let world = Hunt::new().await;
    let control = r##"{
        "PK": "GAME#g1", "SK": "DASHBOARD#CONTROL", "ItemType": "DASHBOARD_CONTROL", "id": "d1",
        "game_id": "g1", "started_at": "NOW", COMMON }"##;
    let code = r##"{
        "PK": "SCAN#abc", "SK": "#METADATA", "ItemType": "SCAN_CODE", "id": "s1", "game_id": "g1",
        "level_id": "l1", COMMON }"##;
    let member = r##"{
        "PK": "USER#u1", "SK": "MEMBER#g1", "ItemType": "GAME_MEMBERSHIP", "id": "x1",
        "user_id": "u1", "game_id": "g1", "team_id": "t1", COMMON }"##;
    let adjustment = r##"{
        "PK": "GAME#g1", "SK": "ADJUST#1753293600#j1", "ItemType": "ADJUSTMENT", "id": "j1",
        "game_id": "g1", "team_id": "t1", "points": -25, COMMON }"##;
    let audit = r##"{
        "PK": "GAME#g1", "SK": "AUDIT#1753293600#a1", "ItemType": "AUDIT", "id": "a1",
        "game_id": "g1", "action": "start", COMMON }"##;
    let control: DashboardControl = world.written(&row(control), |db| db.control(&id("g1"))).await;
    let _: ScanCode = world.written(&row(code), |db| db.scan_code(&id("abc"))).await;
    let question = |db: &Store<ScavengerHunt>| db.game_membership(&id("u1"), &id("g1"));
    let member: GameMembership = world.written(&row(member), question).await;
    let _: Adjustment = world.written(&row(adjustment), |db| db.adjustments(&id("g1"))).await;
    let _: Audit = world.written(&row(audit), |db| db.audit(&id("g1"))).await;

    let other_team = GameMembership { team_id: id("t2"), ..member };
    let refused = world.db.create(&other_team).await.unwrap_err();
    assert!(matches!(refused, Error::Exists { entity: "GameMembership", .. }), "{refused}");
    let is_running = dashboard_control::started_at().exists();
    let is_running = is_running.and(dashboard_control::paused_at().absent());
    let pause = || {
        let update =
            DashboardControl::update(&control.key()).paused_at(Some(control.stamps.created));
        world.db.update(update.when(is_running.clone()))
    };
    assert!(pause().await.unwrap().paused_at.is_some());
    let again = pause().await.unwrap_err();
    assert!(matches!(again, Error::ConditionFailed { .. }), "{again}");
}

/// The seed prints no rows but their formats; a program that follows them writes no versions and, in
/// teams and games, no index keys.
#[tokio::test]
async fn rows_of_the_seeds_formats_are_read_and_what_the_model_does_not_know_survives() {
    let world = Hunt::new().await;
    let common = r##""created_at": "2025-07-23T18:00:00Z", "updated_at": "2025-07-23T18:00:00Z""##;
    let rows = [
        r##"{ "PK": "GAME#g1", "SK": "#METADATA", "ItemType": "GAME", "id": "g1", COMMON }"##,
        r##"{ "PK": "GAME#g1", "SK": "TEAM#t1", "ItemType": "TEAM", "id": "t1", "game_id": "g1",
            "name": "Ducks", "difficulty_level": "hard", COMMON }"##,
        r##"{ "PK": "TEAM#t1", "SK": "LEVEL#l1", "GSI1PK": "LEVEL#l1", "GSI1SK": "TEAM#t1",
            "ItemType": "TEAM_LEVEL", "id": "tl1", "team_id": "t1", "level_id": "l1", "index": 3,
            "mood": { "happy": true }, COMMON }"##,
    ];
    for row in rows {
        world.put(crate::support::literal::item(&row.replace("COMMON", common)));
    }
    let db = &world.db;
    assert_eq!(db.game(&id("g1")).await.unwrap().unwrap().name, None);
    assert_eq!(all(db.teams(&id("g1"))).await.len(), 1);
    let in_no_index = (all(db.games()).await, db.team(&id("t1")).await.unwrap());
    assert_eq!(in_no_index, (Vec::new(), None));
    let entry = all(db.teams_at(&id("l1"))).await.remove(0);
    assert_eq!(
        (entry.stamps.version, entry.stamps.created.to_string().as_str()),
        (0, "2025-07-23T18:00:00.000Z")
    );
    let now = entry.stamps.created + Duration::from_secs(60);
    db.edit(entry, |entry| entry.completed_at = Some(now)).await.unwrap();
    let row = world.row("TEAM#t1", "LEVEL#l1").unwrap();
    assert_eq!(row["mood"], monotable::map! { "happy" => true });
    assert_eq!(row["completed_at"], "2025-07-23T18:01:00.000Z".into());
    assert_eq!((&row["ver"], &row["created_at"]), (&1.into(), &"2025-07-23T18:00:00Z".into()));
}

#[tokio::test]
async fn rows_past_deleted_at_are_gone_before_they_are_swept() {
    let world = Hunt::new().await;
    let message = written_message(&world).await;
    let gone = EpochSeconds::new(NOW_SECONDS + 60);
    let message =
        world.db.edit(message, |message| message.stamps.expires = Some(gone)).await.unwrap();
    assert_eq!(all(world.db.messages_of_team(&id("t1"))).await, slice::from_ref(&message));
    world.clock.advance_ms(60_000);
    assert_eq!(all(world.db.messages_of_team(&id("t1"))).await, []);
    assert_eq!(all(world.db.messages_at(&id("l1")).including_expired()).await, [message]);
}

#[tokio::test]
async fn every_side_of_a_message_agrees_with_the_rows_whatever_happens() {
    let world = Hunt::new().await;
    let first = written_message(&world).await;
    let mut messages = vec![first.clone()];
    let mut random = Random::new(2);
    for step in 0..200_i64 {
        if messages.is_empty() || random.below(2) == 0 {
            let message = Message {
                id: id(&format!("m{step}")),
                ts: EpochSeconds::new(1_753_293_600 + random.below(50) as i64),
                user_id: id(random.pick(&["u1", "u2"])),
                team_id: id(random.pick(&["t1", "t2"])),
                level_id: id(random.pick(&["l1", "l2", "l3"])),
                ..first.clone()
            };
            messages.push(world.db.create(&message).await.unwrap());
        } else {
            let message = messages.swap_remove(random.below(messages.len()));
            match random.below(2) {
                0 => world.db.delete(&message).await.unwrap(),
                _ => {
                    let edit = world.db.edit(message, |message| message.text.push('!'));
                    messages.push(edit.await.unwrap());
                }
            }
        }
        messages.sort_by_key(|message| (message.ts, message.id.clone()));
        let such = |is_such: &dyn Fn(&Message) -> bool| -> Vec<Message> {
            messages.iter().filter(|message| is_such(message)).cloned().collect()
        };
        let (u2, t1, l3): (UserId, TeamId, LevelId) = (id("u2"), id("t1"), id("l3"));
        let of_user = such(&|message| message.user_id == u2);
        assert_eq!(all(world.db.messages_of_user(&u2)).await, of_user);
        let of_team = such(&|message| message.team_id == t1);
        assert_eq!(all(world.db.messages_of_team(&t1)).await, of_team);
        assert_eq!(all(world.db.messages_at(&l3)).await, such(&|message| message.level_id == l3));
        assert_eq!(all(world.db.messages_of_game(&id("g1"))).await, such(&|_| true));
    }
}
