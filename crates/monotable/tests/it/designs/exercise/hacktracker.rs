//! HackTracker: rosters with numbers, links that come and go, games and their at-bats.

use std::collections::BTreeMap;
use std::slice;

use monotable::model::{Entity as _, Error};
use monotable::{Item, item};

use super::{NOW, Random, World, all, id};
use crate::designs::hacktracker::*;
use crate::hacktracker as printed;
use crate::support::literal;

type Hacks = World<HackTracker>;

async fn written_user(world: &Hacks) -> User {
    let user = r#"{
        "PK": "USER#u1", "SK": "METADATA", "userId": "u1", "email": "u@x.org", "firstName": "U",
        "lastName": "One", "phoneNumber": "+15550100", "createdAt": "NOW", "updatedAt": "NOW",
        "ver": 1, "GSI1PK": "COGNITO#u1", "GSI1SK": "USER", "GSI2PK": "ENTITY#USER",
        "GSI2SK": "METADATA#u1" }"#;
    world.written(user, |db| db.user(&id("u1"))).await
}

async fn written_membership(world: &Hacks) -> Membership {
    let membership = r#"{
        "PK": "USER#u1", "SK": "TEAM#t1", "userId": "u1", "teamId": "t1", "role": "owner",
        "status": "active", "joinedAt": "NOW", "invitedBy": "u9", "createdAt": "NOW",
        "updatedAt": "NOW", "ver": 1, "GSI3PK": "TEAM#t1", "GSI3SK": "MEMBER#u1" }"#;
    world.written(membership, |db| db.membership(&id("u1"), &id("t1"))).await
}

async fn written_team(world: &Hacks) -> Team {
    let team = r#"{
        "PK": "TEAM#t1", "SK": "METADATA", "teamId": "t1", "name": "Sluggers",
        "description": "Best", "ownerId": "u1", "team_type": "MANAGED", "status": "active",
        "createdAt": "NOW", "updatedAt": "NOW", "ver": 1, "GSI2PK": "ENTITY#TEAM",
        "GSI2SK": "METADATA#t1" }"#;
    world.written(team, |db| db.team(&id("t1"))).await
}

async fn written_player(world: &Hacks) -> Player {
    let player = r#"{
        "PK": "TEAM#t1", "SK": "PLAYER#p1", "playerId": "p1", "teamId": "t1", "userId": "u1",
        "firstName": "John", "lastName": "Doe", "playerNumber": 7, "positions": ["SS", "2B"],
        "status": "active", "isGhost": false, "linkedAt": "NOW", "paCount": 0, "createdAt": "NOW",
        "updatedAt": "NOW", "ver": 1, "GSI4PK": "USER#u1", "GSI4SK": "PLAYER#p1" }"#;
    world.written(player, |db| db.roster(&id("t1"))).await
}

async fn written_game(world: &Hacks) -> Game {
    let game = r#"{
        "PK": "GAME#g1", "SK": "METADATA", "gameId": "g1", "teamId": "t1", "status": "SCHEDULED",
        "scheduledStart": "NOW", "opponentName": "Pioneers", "location": "Field 3", "teamScore": 0,
        "opponentScore": 0, "lineup": ["p1"], "createdAt": "NOW", "updatedAt": "NOW", "ver": 1,
        "GSI2PK": "ENTITY#GAME", "GSI2SK": "METADATA#g1", "GSI3PK": "TEAM#t1",
        "GSI3SK": "GAME#g1" }"#;
    world.written(game, |db| db.game(&id("g1"))).await
}

async fn written_at_bat(world: &Hacks) -> AtBat {
    let at_bat = r#"{
        "PK": "GAME#g1", "SK": "ATBAT#a1", "gameId": "g1", "atBatId": "a1", "playerId": "p1",
        "teamId": "t1", "result": "HR", "inning": 1, "outs": 0, "battingOrder": 1, "rbis": 2,
        "createdAt": "NOW", "updatedAt": "NOW", "ver": 1, "GSI5PK": "PLAYER#p1",
        "GSI5SK": "ATBAT#a1" }"#;
    world.written(at_bat, |db| db.at_bats(&id("g1"))).await
}

async fn written_invite(world: &Hacks) -> Invite {
    let invite = r#"{
        "PK": "INVITE#i1", "SK": "METADATA", "inviteId": "i1", "teamId": "t1", "role": "player",
        "tokenHash": "h", "status": "pending", "expiresAt": "NOW", "createdBy": "u1", "ver": 1,
        "GSI3PK": "TEAM#t1", "GSI3SK": "INVITE#i1" }"#;
    world.written(invite, |db| db.invite(&id("i1"))).await
}

/// The rows that are in no index.
async fn written_others(world: &Hacks) -> (ActiveGame, PlayerLink, Season, Availability, Audit) {
    let active = r#"{ "PK": "TEAM#t1", "SK": "ACTIVE_GAME", "teamId": "t1", "gameId": "g1" }"#;
    let link = r#"{
        "PK": "USER#u1", "SK": "PLAYERLINK#p1", "userId": "u1", "playerId": "p1", "teamId": "t1",
        "teamName": "Sluggers", "periods": [{ "from": "NOW" }], "ver": 1 }"#;
    let season = r#"{
        "PK": "TEAM#t1", "SK": "SEASON#s1", "teamId": "t1", "seasonId": "s1", "name": "Fall",
        "ver": 1 }"#;
    let answer = r#"{
        "PK": "GAME#g1", "SK": "RSVP#p1", "gameId": "g1", "playerId": "p1", "answer": "yes" }"#;
    let audit = r#"{
        "PK": "TEAM#t1", "SK": "AUDIT#NOW#x1", "teamId": "t1", "at": "NOW", "auditId": "x1",
        "actor": "u1", "action": "rename" }"#;
    (
        world.written(active, |db| db.active_game(&id("t1"))).await,
        world.written(link, |db| db.career(&id("u1"))).await,
        world.written(season, |db| db.seasons(&id("t1"))).await,
        world.written(answer, |db| db.availability(&id("g1"))).await,
        world.written(audit, |db| db.audit(&id("t1"))).await,
    )
}

#[tokio::test]
async fn people_and_teams_are_written_as_printed_and_found() {
    let world = Hacks::new().await;
    let (_, link, season, _, audit) = written_others(&world).await;
    let (user, membership) = (written_user(&world).await, written_membership(&world).await);
    let (team, player) = (written_team(&world).await, written_player(&world).await);
    let invite = written_invite(&world).await;
    let user2 = world.create(&user, |user| user.user_id = id("u2")).await;
    let team2 = world.create(&team, |team| team.team_id = id("t2")).await;
    let other = world
        .create(&membership, |other| (other.team_id, other.role) = (id("t2"), Role::Player))
        .await;
    let member2 = world.create(&membership, |member| member.user_id = id("u2")).await;
    let ghost = world
        .create(&player, |ghost| {
            (ghost.player_id, ghost.user_id, ghost.player_number) = (id("p2"), None, None);
        })
        .await;
    let elsewhere = world.create(&player, |player| player.team_id = id("t2")).await;
    let invite2 = world.create(&invite, |invite| invite.invite_id = id("i2")).await;
    let later = world.create(&audit, |audit| audit.audit_id = id("x2")).await;

    let db = &world.db;
    let u1 = id("u1");
    assert_eq!(db.user_by_subject(&u1).await.unwrap(), Some(user.clone()));
    assert_eq!(all(db.users()).await, [user, user2]);
    assert_eq!(all(db.teams()).await, [team.clone(), team2.clone()]);
    assert_eq!(all(db.roster(&id("t1"))).await, [player.clone(), ghost]);
    assert_eq!(all(db.memberships(&u1)).await, [membership.clone(), other.clone()]);
    assert_eq!(all(db.memberships_by_role(&u1, Role::Owner)).await, slice::from_ref(&membership));
    assert_eq!(all(db.members(&id("t1"))).await, [membership.clone(), member2]);
    assert_eq!(all(db.players_of(&u1)).await, [player, elsewhere]);
    assert_eq!(all(db.invites(&id("t1"))).await, [invite, invite2]);
    assert_eq!(all(db.career(&u1)).await, [link]);
    assert_eq!(all(db.seasons(&id("t1"))).await, [season]);
    assert_eq!(all(db.audit(&id("t1"))).await, [later, audit]);
    let keys = [other.team_id, id("t9"), membership.team_id].map(TeamKey::new);
    assert_eq!(db.teams_by_key(&keys).await.unwrap(), [Some(team2), None, Some(team)]);
}

#[tokio::test]
async fn games_are_written_as_printed_and_found() {
    let world = Hacks::new().await;
    let (active, _, _, answer, _) = written_others(&world).await;
    let (game, at_bat) = (written_game(&world).await, written_at_bat(&world).await);
    written_invite(&world).await;
    written_membership(&world).await;
    let game2 = world.create(&game, |game| game.game_id = id("g2")).await;
    let other =
        world.create(&game, |game| (game.game_id, game.team_id) = (id("g3"), id("t2"))).await;
    let at_bat2 = world.create(&at_bat, |next| next.at_bat_id = id("a2")).await;
    let elsewhere =
        world.create(&at_bat, |next| (next.game_id, next.at_bat_id) = (id("g2"), id("a3"))).await;
    let others =
        world.create(&at_bat, |next| (next.player_id, next.at_bat_id) = (id("p2"), id("a4"))).await;

    let db = &world.db;
    assert_eq!(all(db.games()).await, [game.clone(), game2.clone(), other]);
    assert_eq!(all(db.games_of(&id("t1"))).await, [game, game2]);
    assert_eq!(all(db.at_bats(&id("g1"))).await, [at_bat.clone(), at_bat2.clone(), others]);
    assert_eq!(all(db.at_bats_of(&id("p1"))).await, [at_bat, at_bat2, elsewhere]);
    assert_eq!(all(db.availability(&id("g1"))).await, slice::from_ref(&answer));
    assert_eq!(db.active_game(&id("t1")).await.unwrap(), Some(active.clone()));

    // The guard lets one game in, and answers are replaced as they come.
    let second = ActiveGame { game_id: id("g2"), ..active };
    let refused = db.create(&second).await.unwrap_err();
    assert!(matches!(refused, Error::Exists { entity: "ActiveGame", .. }), "{refused}");
    let changed = Availability { answer: "no".to_owned(), ..answer };
    db.put(&changed).await.unwrap();
    assert_eq!(all(db.availability(&id("g1"))).await, [changed]);
}

#[tokio::test]
async fn a_number_is_worn_once_in_a_team_and_moves_with_its_player() {
    let world = Hacks::new().await;
    let player = written_player(&world).await;
    let owner = monotable::map! { "PK" => "TEAM#t1", "SK" => "PLAYER#p1" };
    let guard = item! { "PK" => "TEAM#t1", "SK" => "NUMBER#07", "owner" => owner };
    assert_eq!(world.row("TEAM#t1", "NUMBER#07"), Some(guard));
    let rival = Player { player_id: id("p2"), ..player.clone() };
    let taken = world.db.create(&rival).await.unwrap_err();
    assert!(matches!(taken, Error::UniqueTaken { constraint: "number", .. }), "{taken}");

    let player = world.db.edit(player, |player| player.player_number = Some(8)).await.unwrap();
    assert!(world.has("TEAM#t1", "NUMBER#08") && !world.has("TEAM#t1", "NUMBER#07"));
    world.db.create(&rival).await.unwrap();
    let player = world.db.edit(player, |player| player.player_number = None).await.unwrap();
    assert!(!world.has("TEAM#t1", "NUMBER#08"));
    world.db.delete(&player).await.unwrap();
    assert!(world.has("TEAM#t1", "NUMBER#07"), "it is the other one's");
}

#[tokio::test]
async fn a_player_is_in_the_index_of_users_while_linked() {
    let world = Hacks::new().await;
    let player = written_player(&world).await;
    let unlinked = world
        .db
        .edit(player, |player| {
            (player.user_id, player.is_ghost, player.linked_at) = (None, true, None);
            player.last_unlinked_at = Some(id(NOW));
        })
        .await
        .unwrap();
    let row = world.row("TEAM#t1", "PLAYER#p1").unwrap();
    assert!(!row.keys().any(|name| name.starts_with("GSI") || name == "userId"), "{row:?}");
    assert_eq!(all(world.db.players_of(&id("u1"))).await, []);
    let update = Player::update(&unlinked.key()).user_id(Some(id("u2")));
    let linked = world.db.update(update).await.unwrap();
    assert_eq!(all(world.db.players_of(&id("u2"))).await, [linked]);
    let update = Player::update(&unlinked.key()).add_pa_count(3);
    assert_eq!(world.db.update(update).await.unwrap().pa_count, 3);
}

/// The examples of the seed, as another program wrote them: without versions, and the player and the
/// membership without keys of their indexes.
#[tokio::test]
async fn the_printed_rows_are_read_and_what_the_model_does_not_know_survives() {
    let world = Hacks::new().await;
    let examples =
        [printed::USER, printed::TEAM, printed::MEMBERSHIP, printed::PLAYER, printed::GAME];
    for example in examples.map(literal::item) {
        let mut row = example;
        row.insert("legacy".to_owned(), "kept".into());
        world.put(row);
    }
    let db = &world.db;
    let (user, team) = (&id("12345678-1234-1234-1234-123456789012"), &id(TEAM));
    let of_user = db.user_by_subject(user).await.unwrap().unwrap();
    assert_eq!((all(db.users()).await.len(), of_user.stamps.version), (1, 0));
    assert_eq!(db.team(team).await.unwrap().unwrap().name, "Seattle Sluggers");
    let membership = db.membership(user, team).await.unwrap().unwrap();
    assert_eq!((membership.invited_by.clone(), membership.role), (None, Role::Owner));
    let player = all(db.roster(team)).await.remove(0);
    let game = all(db.games_of(team)).await.remove(0);
    assert_eq!((player.player_number, game.lineup.clone()), (Some(12), Some(Vec::new())));
    assert_eq!((all(db.members(team)).await, all(db.players_of(user)).await), (vec![], vec![]));

    db.edit(of_user, |user| user.first_name = "Jane".to_owned()).await.unwrap();
    db.edit(membership, |membership| membership.role = Role::Manager).await.unwrap();
    db.edit(player, |player| player.status = "inactive".to_owned()).await.unwrap();
    let game = db.edit(game, |game| game.team_score = 3).await.unwrap();
    assert_eq!(game.stamps.version, 1);
    assert!(world.rows().iter().all(|row| row["legacy"] == "kept".into()));
    let score = |row: &Item| row.get("teamScore").cloned();
    assert_eq!(world.rows().iter().find_map(score), Some(3.into()));
}

const TEAM: &str = "a6f27724-7042-4816-94d3-a2183ef50a09";

#[tokio::test]
async fn every_index_agrees_with_the_rows_whatever_happens() {
    let world = Hacks::new().await;
    let first = written_player(&world).await;
    let mut players = BTreeMap::from([(first.player_id.clone(), first.clone())]);
    let mut random = Random::new(1);
    for _ in 0..300 {
        let player_id: PlayerId = id(&format!("p{}", random.below(6)));
        let user_id = random.pick(&[None, Some("u1"), Some("u2")]);
        let number = random.pick(&[None, Some(1), Some(2), Some(3)]);
        let change = |player: &mut Player| {
            (player.user_id, player.player_number) = (user_id.map(id), number);
        };
        let outcome = match players.get(&player_id) {
            None => {
                let mut player = Player { player_id: player_id.clone(), ..first.clone() };
                change(&mut player);
                world.db.create(&player).await
            }
            Some(player) if random.below(3) == 0 => {
                world.db.delete(player).await.unwrap();
                players.remove(&player_id);
                continue;
            }
            Some(player) => world.db.edit(player.clone(), change).await,
        };
        let is_worn = players.values().any(|other| {
            other.player_id != player_id && number.is_some() && other.player_number == number
        });
        match outcome {
            Ok(player) => {
                assert!(!is_worn);
                players.insert(player_id, player);
            }
            Err(error) => assert!(is_worn, "{error}"),
        }
        let living: Vec<Player> = players.values().cloned().collect();
        assert_eq!(all(world.db.roster(&id("t1"))).await, living);
        for user in ["u1", "u2"] {
            let linked = living.iter().filter(|player| player.user_id == Some(id(user)));
            let linked: Vec<Player> = linked.cloned().collect();
            assert_eq!(all(world.db.players_of(&id(user))).await, linked);
        }
        let guards = living.iter().filter(|player| player.player_number.is_some()).count();
        assert_eq!(world.rows().len(), living.len() + guards);
    }
}
