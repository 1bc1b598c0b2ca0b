//! 3FC: envelopes with a version beside them, mirrors that follow, slots and addresses taken once.

use std::slice;
use std::time::Duration;

use monotable::model::{DriftKind, Entity as _};
use monotable::{AttributeValue, Item, item, map};

use super::{NOW, NOW_SECONDS, Random, World, all, id};
use crate::designs::three_fc::*;
use crate::support::literal;
use monotable::prelude::*;

type League3 = World<ThreeFc>;

/// A row as printed, in its envelope.
fn envelope(key: [&str; 2], entity_type: &str, data: &str) -> String {
    let [partition, sort] = key;
    format!(
        r#"{{ "pk": "{partition}", "sk": "{sort}", "entityType": "{entity_type}",
            "createdAt": "NOW", "updatedAt": "NOW", "ver": 1, "data": '{data}' }}"#
    )
}

/// A row that expires, as printed.
fn expiring(key: [&str; 2], entity_type: &str, data: &str) -> String {
    envelope(key, entity_type, data).replace(r#""ver": 1"#, r#""ver": 1, "ttlEpoch": 1799999999"#)
}

/// The JSON text in a row's envelope.
fn data_of(row: &Item) -> &str {
    row["data"].as_s().unwrap()
}

async fn written_season(world: &League3) -> Season {
    let data = r#"{"leagueId":"l1","seasonId":"s1","name":"Fall","slug":"fall","startsOn":"2025-09-01","endsOn":null}"#;
    let row = envelope(["LEAGUE#l1", "SEASON#s1"], "season", data);
    world.written(&row, |db| db.seasons(&id("l1"))).await
}

async fn written_game(world: &League3) -> Game {
    let data = r#"{"gameId":"g1","leagueId":"l1","seasonId":"s1","sessionId":"x1","gameStartTs":"NOW","teamIds":["red","blue","yellow"],"result":null}"#;
    let row = envelope(["GAME#g1", "METADATA"], "game", data);
    let row = row.replace(r#""ver": 1"#, r#""ver": 1, "status": "scheduled""#);
    world.written(&row, |db| db.game(&id("g1"))).await
}

async fn written_goal(world: &League3) -> Goal {
    let data = r#"{"gameId":"g1","third":1,"gameMinute":9,"eventId":"e1","scoringTeamId":"red","concedingTeamId":"blue","scorerPlayerId":"p1","assistPlayerIds":["p2"],"ownGoal":false}"#;
    let row = envelope(["GAME#g1", "GOAL#1#0009#e1"], "goal", data);
    world.written(&row, |db| db.goals(&id("g1"))).await
}

async fn written_roster(world: &League3) -> RosterEntry {
    let data = r#"{"gameId":"g1","teamId":"red","playerId":"p1"}"#;
    let row = envelope(["GAME#g1", "ROSTER#red#p1"], "roster", data);
    world.written(&row, |db| db.roster(&id("g1"))).await
}

async fn written_grant(world: &League3) -> Acl {
    let data = r#"{"leagueId":"l1","userId":"u1","role":"admin","grantedByUserId":"u1"}"#;
    let row = envelope(["LEAGUE#l1", "ACL#USER#u1"], "acl", data);
    world.written(&row, |db| db.grant(&id("l1"), &id("u1"))).await
}

#[tokio::test]
async fn leagues_seasons_and_sessions_are_written_as_printed_and_found() {
    let world = League3::new().await;
    let data = r#"{"leagueId":"l1","name":"One","slug":null,"createdByUserId":"u1"}"#;
    let league = envelope(["LEAGUE#l1", "METADATA"], "league", data);
    let _: League = world.written(&league, |db| db.league(&id("l1"))).await;
    let (season, grant) = (written_season(&world).await, written_grant(&world).await);
    let data = r#"{"seasonId":"s1","teamId":"red","name":"Red","color":"red"}"#;
    let team = envelope(["SEASON#s1", "TEAM#red"], "team", data);
    let team: Team = world.written(&team, |db| db.teams(&id("s1"))).await;
    let data = r#"{"seasonId":"s1","sessionId":"x1","sessionDate":"2026-03-01"}"#;
    let session = envelope(["SEASON#s1", "SESSION#x1"], "session", data);
    let session: Session = world.written(&session, |db| db.sessions(&id("s1"))).await;
    let data = r#"{"leagueId":"l1","playerId":"p1","lastPlayed":"NOW"}"#;
    let pool = envelope(["LEAGUE#l1", "POOL#p1"], "pool", data);
    let _: PoolEntry = world.written(&pool, |db| db.pool(&id("l1"))).await;
    let data = r#"{"slug":"one","leagueId":"l1"}"#;
    let slug = envelope(["SLUG#LEAGUE#one", "METADATA"], "leagueSlug", data);
    let _: LeagueSlug = world.written(&slug, |db| db.league_by_slug(&id("one"))).await;
    let data = r#"{"leagueId":"l1","slug":"fall","seasonId":"s1"}"#;
    let slug = envelope(["LEAGUE#l1", "SLUG#fall"], "seasonSlug", data);
    let question = |db: &Store<ThreeFc>| db.season_by_slug(&id("l1"), &id("fall"));
    let _: SeasonSlug = world.written(&slug, question).await;
    let data = r#"{"leagueId":"l1","at":"NOW","auditId":"a1","actor":"u1","action":"grant"}"#;
    let audit = envelope(["LEAGUE#l1", &format!("AUDIT#{NOW}#a1")], "leagueAudit", data);
    let _: LeagueAudit = world.written(&audit, |db| db.league_audit(&id("l1"))).await;

    let season2 = world.create(&season, |next| next.season_id = id("s2")).await;
    let blue = world.create(&team, |next| next.team_id = id("blue")).await;
    let session2 = world.create(&session, |next| next.session_id = id("x2")).await;
    let grant2 = world.create(&grant, |next| next.user_id = id("u2")).await;
    let elsewhere = world.create(&grant, |next| next.league_id = id("l2")).await;
    let db = &world.db;
    assert_eq!(all(db.seasons(&id("l1"))).await, [season.clone(), season2]);
    assert_eq!(db.season(&id("s1")).await.unwrap(), Some(season));
    assert_eq!(all(db.teams(&id("s1"))).await, [blue, team]);
    assert_eq!(all(db.sessions(&id("s1"))).await, [session.clone(), session2]);
    assert_eq!(db.session(&id("x1")).await.unwrap(), Some(session));
    assert_eq!(all(db.grants(&id("l1"))).await, [grant.clone(), grant2]);
    assert_eq!(all(db.leagues_of(&id("u1"))).await, [grant, elsewhere]);
}

#[tokio::test]
async fn games_are_written_as_printed_and_found() {
    let world = League3::new().await;
    let (game, goal) = (written_game(&world).await, written_goal(&world).await);
    let entry = written_roster(&world).await;
    let data = r#"{"gameId":"g1","teamId":"red","name":"Foxes","color":null}"#;
    let team = envelope(["GAME#g1", "TEAM#red"], "gameTeam", data);
    let _: GameTeam = world.written(&team, |db| db.game_teams(&id("g1"))).await;
    let data = r#"{"gameId":"g1","at":"NOW","auditId":"a1","actor":"u1","action":"undo"}"#;
    let audit = envelope(["GAME#g1", &format!("AUDIT#{NOW}#a1")], "audit", data);
    let _: Audit = world.written(&audit, |db| db.audit(&id("g1"))).await;

    let minute = |third, minute, event: &str| {
        let goal = Goal { third, game_minute: minute, event_id: id(event), ..goal.clone() };
        let world = &world;
        async move { world.db.create(&goal).await.unwrap() }
    };
    let third = minute(2, 3, "e0").await;
    let second = minute(1, 9, "e2").await;
    let last = minute(1, 105, "e3").await;
    let other =
        world.create(&entry, |next| (next.team_id, next.player_id) = (id("blue"), id("p2"))).await;
    let later = Duration::from_secs(3600);
    let game2 = world
        .create(&game, |next| {
            (next.game_id, next.game_start_ts) = (id("g0"), next.game_start_ts + later);
        })
        .await;
    let db = &world.db;
    assert_eq!(all(db.goals(&id("g1"))).await, [goal.clone(), second, last.clone(), third]);
    let question = db.goal(&id("g1"), 1, 9, &id("e1"));
    assert_eq!(question.await.unwrap(), Some(goal));
    let pointer = db.goal_pointer(&id("g1"), &id("e3")).await.unwrap();
    assert_eq!(pointer, <GoalPointer as MirrorOf<Goal>>::mirror_of(&last));
    assert_eq!(all(db.roster(&id("g1"))).await, [other, entry]);
    let ids = |games: &[SessionGame]| -> Vec<GameId> {
        games.iter().map(|game| game.game_id.clone()).collect()
    };
    let games = all(db.games_of(&id("x1"))).await;
    assert_eq!(ids(&games), [game.game_id, game2.game_id], "in the order of their starts");
}

#[tokio::test]
async fn people_and_their_tokens_are_written_as_printed_and_found() {
    let world = League3::new().await;
    let data = r#"{"playerId":"p1","nickname":"Ada","claimedByUserId":null}"#;
    let player = envelope(["PLAYER#p1", "PROFILE"], "player", data);
    let _: Player = world.written(&player, |db| db.player(&id("p1"))).await;
    let data = r#"{"playerId":"p1","seasonId":"s1","gameStartTs":"NOW","gameId":"g1"}"#;
    let sort = format!("APP#s1#{NOW}#g1");
    let appearance = envelope(["PLAYER#p1", &sort], "appearance", data);
    let question = |db: &Store<ThreeFc>| db.appearances(&id("p1"), &id("s1"));
    let appearance: Appearance = world.written(&appearance, question).await;
    world.create(&appearance, |next| next.season_id = id("s10")).await;
    assert_eq!(all(question(&world.db)).await, [appearance]);
    let data = r#"{"userId":"u1","email":"ada@x.org"}"#;
    let user = envelope(["USER#u1", "PROFILE"], "user", data);
    let user: User = world.written(&user, |db| db.user(&id("u1"))).await;
    let data = r#"{"userId":"u1","playerId":"p1"}"#;
    let claim = envelope(["USER#u1", "PLAYER#p1"], "playerClaim", data);
    let _: PlayerClaim = world.written(&claim, |db| db.claims(&id("u1"))).await;
    let join = expiring(["JOIN#AB12", "METADATA"], "joinCode", r#"{"code":"AB12","gameId":"g1"}"#);
    let _: Join = world.written(&join, |db| db.join(&id("AB12"))).await;
    let data = r#"{"tokenId":"k1","tokenHash":"h","usedAt":null}"#;
    let token = expiring(["AUTH_MAGIC#k1", "METADATA"], "magicToken", data);
    let _: MagicToken = world.written(&token, |db| db.magic_token(&id("k1"))).await;
    let data = r#"{"sessionId":"k2","userId":"u1"}"#;
    let session = expiring(["AUTH_SESSION#k2", "METADATA"], "authSession", data);
    let session: AuthSession = world.written(&session, |db| db.auth_session(&id("k2"))).await;
    let data = r#"{"scope":"hash","key":"k3","requestHash":"r","response":"{}"}"#;
    let answer = expiring(["IDEMPOTENCY#hash#k3", "METADATA"], "idempotency", data);
    let question = |db: &Store<ThreeFc>| db.idempotency(&id("hash"), &id("k3"));
    let _: Idempotency = world.written(&answer, question).await;
    let data = r#"{"day":"20260301","outboxId":"o1","recipient":"ada@x.org"}"#;
    let mail = envelope(["OUTBOX#20260301", "o1"], "outbox", data);
    let _: Outbox = world.written(&mail, |db| db.outbox(&id("20260301"))).await;

    let rival = User { user_id: id("u2"), ..user };
    let taken = world.db.create(&rival).await.unwrap_err();
    assert!(matches!(taken, Error::UniqueTaken { constraint: "email", .. }), "{taken}");
    assert!(world.has("EMAIL#ada@x.org", "UNIQUE"));
    let ends = Some(EpochSeconds::new(NOW_SECONDS + 1));
    world.db.edit(session, |session| session.ttl_epoch = ends).await.unwrap();
    world.clock.advance_ms(1000);
    assert_eq!(world.db.auth_session(&id("k2")).await.unwrap(), None, "it is over on the second");
}

#[tokio::test]
async fn a_season_and_its_mirror_are_one_thing() {
    let world = League3::new().await;
    let season = written_season(&world).await;
    let canonical = world.row("LEAGUE#l1", "SEASON#s1").unwrap();
    let mut mirror = canonical.clone();
    mirror.extend(item! { "pk" => "SEASON#s1", "sk" => "METADATA" });
    assert_eq!(world.row("SEASON#s1", "METADATA"), Some(mirror));

    // A season of another league with the same id would redirect who may do what.
    let intruder = Season { league_id: id("l2"), ..season.clone() };
    assert!(world.db.create(&intruder).await.is_err());
    assert!(!world.has("LEAGUE#l2", "SEASON#s1"));

    let season = world.db.edit(season, |season| season.name = "Winter".to_owned()).await.unwrap();
    assert_eq!(world.db.season(&id("s1")).await.unwrap(), Some(season.clone()));
    let mirror = world.row("SEASON#s1", "METADATA").unwrap();
    world.remove(&mirror);
    let drift = world.db.verify(&season).await.unwrap();
    assert_eq!(drift.iter().map(|drift| drift.kind).collect::<Vec<_>>(), [DriftKind::Missing]);
    world.db.repair(&season).await.unwrap();
    assert_eq!(world.row("SEASON#s1", "METADATA"), Some(mirror));
    world.db.delete(&season).await.unwrap();
    assert_eq!(world.rows(), []);
}

#[tokio::test]
async fn a_game_moves_in_its_session_and_its_copy_follows() {
    let world = League3::new().await;
    let game = written_game(&world).await;
    let sort = format!("GAME#{NOW}#g1");
    let copy = world.row("SESSION#x1", &sort).unwrap();
    assert_eq!(
        (&copy["entityType"], &copy["status"]),
        (&"sessionGame".into(), &"scheduled".into())
    );
    let data = format!(r#"{{"sessionId":"x1","gameStartTs":"{NOW}","gameId":"g1","result":null}}"#);
    assert_eq!(data_of(&copy), data);
    let hour = Duration::from_secs(3600);
    let game = world
        .db
        .edit(game, |game| {
            game.game_start_ts = game.game_start_ts + hour;
            game.status = "live".to_owned();
        })
        .await
        .unwrap();
    assert!(!world.has("SESSION#x1", &sort), "the old place is empty");
    let copy = world.row("SESSION#x1", "GAME#2025-10-25T13:00:00.000Z#g1").unwrap();
    assert_eq!((&copy["status"], &copy["ver"]), (&"live".into(), &2.into()));
    // The status is beside the data, so that conditions see it.
    let is_finished = check(&game.key(), game::status().eq("finished"));
    assert!(world.db.run(is_finished).await.is_err());
    let row = world.row("GAME#g1", "METADATA").unwrap();
    assert!(!data_of(&row).contains("status"), "it stands in one place only");
}

#[tokio::test]
async fn a_player_has_one_slot_in_a_game_and_a_goal_one_pointer() {
    let world = League3::new().await;
    let (entry, goal) = (written_roster(&world).await, written_goal(&world).await);
    let data = r#"{"gameId":"g1","eventId":"e1","third":1,"gameMinute":9}"#;
    let pointer = envelope(["GAME#g1", "GOALID#e1"], "goalPointer", data).replace("NOW", NOW);
    assert_eq!(world.row("GAME#g1", "GOALID#e1"), Some(literal::item(&pointer)));
    let slot = item! {
        "pk" => "GAME#g1", "sk" => "SLOT#p1", "entityType" => "UNIQUE",
        "owner" => map! { "pk" => "GAME#g1", "sk" => "ROSTER#red#p1" },
    };
    assert_eq!(world.row("GAME#g1", "SLOT#p1"), Some(slot));
    let moved = RosterEntry { team_id: id("blue"), ..entry.clone() };
    let taken = world.db.create(&moved).await.unwrap_err();
    assert!(matches!(taken, Error::UniqueTaken { constraint: "slot", .. }), "{taken}");
    let again = Goal { game_minute: 10, ..goal.clone() };
    assert!(world.db.create(&again).await.is_err(), "an event is one goal");
    world.db.delete(&entry).await.unwrap();
    world.db.create(&moved).await.unwrap();
    world.db.delete(&goal).await.unwrap();
    assert!(!world.has("GAME#g1", "GOALID#e1"));
    world.db.create(&again).await.unwrap();
    let pointer = world.db.goal_pointer(&id("g1"), &id("e1")).await.unwrap().unwrap();
    assert_eq!(pointer.game_minute, 10);
}

#[tokio::test]
async fn a_goal_moves_in_its_game_and_its_pointer_stays() {
    let world = League3::new().await;
    let goal = written_goal(&world).await;
    let moved = Goal { third: 2, game_minute: 3, own_goal: true, ..goal.clone() };
    let moved = world.db.rekey(&goal, &moved).await.unwrap();
    assert_eq!((moved.stamps.version, moved.stamps.created), (2, goal.stamps.created));
    assert!(!world.has("GAME#g1", "GOAL#1#0009#e1"), "the old place is empty");
    assert_eq!(all(world.db.goals(&id("g1"))).await, slice::from_ref(&moved));
    let pointer = world.db.goal_pointer(&id("g1"), &id("e1")).await.unwrap();
    assert_eq!(pointer, <GoalPointer as MirrorOf<Goal>>::mirror_of(&moved));
    assert_eq!(world.rows().len(), 2);
    // Who still holds the goal as it was changes nothing.
    let stale = world.db.rekey(&goal, &Goal { third: 3, ..goal.clone() }).await.unwrap_err();
    assert!(matches!(stale, Error::NotFound { entity: "Goal" }), "{stale}");
    // Where another goal is, none moves.
    let other = world.create(&goal, |goal| (goal.event_id, goal.third) = (id("e2"), 1)).await;
    let same = Goal { event_id: id("e2"), ..moved.clone() };
    let to = Goal { third: 1, game_minute: 9, ..same };
    let taken = world.db.rekey(&moved, &to).await.unwrap_err();
    assert!(matches!(taken, Error::Exists { .. }), "{taken}");
    assert_eq!(all(world.db.goals(&id("g1"))).await, [other, moved]);
}

#[tokio::test]
async fn a_player_changes_the_team_and_keeps_the_slot() {
    let world = League3::new().await;
    let (entry, goal) = (written_roster(&world).await, written_goal(&world).await);
    let moved = RosterEntry { team_id: id("blue"), ..entry.clone() };
    let mut tx = world.db.transact().with(edit(&goal, |goal| goal.own_goal = true));
    let moved = tx.add(rekey(&entry, &moved));
    let moved = tx.commit().await.unwrap()[moved].clone();
    assert_eq!((moved.stamps.version, &moved.team_id), (2, &id("blue")));
    assert_eq!(all(world.db.roster(&id("g1"))).await, slice::from_ref(&moved));
    let slot = world.row("GAME#g1", "SLOT#p1").unwrap();
    let owner = map! { "pk" => "GAME#g1", "sk" => "ROSTER#blue#p1" };
    assert_eq!(slot["owner"], owner);
    let again = world.db.create(&entry).await.unwrap_err();
    assert!(matches!(again, Error::UniqueTaken { constraint: "slot", .. }), "{again}");
    world.db.delete(&moved).await.unwrap();
    assert!(!world.has("GAME#g1", "SLOT#p1"));
}

/// Rows as the seed's repository writes them: an envelope without version, `data` with more in it than
/// the model knows.
#[tokio::test]
async fn rows_of_the_seeds_envelope_are_read_and_what_the_model_does_not_know_survives() {
    let world = League3::new().await;
    let data = r#"{"leagueId":"l1","theme":{"a":1.10},"name":"One","createdByUserId":"u1"}"#;
    world.put(item! {
        "pk" => "LEAGUE#l1", "sk" => "METADATA", "entityType" => "league",
        "createdAt" => "2026-02-23T09:00:00.000Z", "updatedAt" => "2026-02-23T09:00:00.000Z",
        "data" => data, "adminCount" => 2,
    });
    let league = world.db.league(&id("l1")).await.unwrap().unwrap();
    assert_eq!((league.stamps.version, league.slug.clone()), (0, None));
    world.db.edit(league, |league| league.name = "Two".to_owned()).await.unwrap();
    let row = world.row("LEAGUE#l1", "METADATA").unwrap();
    let kept =
        r#"{"leagueId":"l1","name":"Two","slug":null,"createdByUserId":"u1","theme":{"a":1.10}}"#;
    assert_eq!(data_of(&row), kept);
    assert_eq!((&row["adminCount"], &row["ver"]), (&2.into(), &1.into()));
    assert_eq!(row["createdAt"], AttributeValue::from("2026-02-23T09:00:00.000Z"));
    assert_eq!(row["updatedAt"], NOW.into());
}

#[tokio::test]
async fn sessions_agree_with_their_games_whatever_happens() {
    let world = League3::new().await;
    let first = written_game(&world).await;
    let mut games = vec![first.clone()];
    let mut random = Random::new(4);
    for step in 0..150 {
        let session = id(random.pick(&["x1", "x2"]));
        let start = first.game_start_ts + Duration::from_secs(60 * random.below(9) as u64);
        let status = random.pick(&["scheduled", "live", "finished"]);
        if games.is_empty() || random.below(3) == 0 {
            let game = Game { game_id: id(&format!("g{step}x")), ..first.clone() };
            games.push(world.db.create(&game).await.unwrap());
        } else {
            let game = games.swap_remove(random.below(games.len()));
            if random.below(4) == 0 {
                world.db.delete(&game).await.unwrap();
            } else {
                let edit = world.db.edit(game, |game| {
                    game.session_id = session;
                    game.game_start_ts = start;
                    game.status = status.to_owned();
                });
                games.push(edit.await.unwrap());
            }
        }
        assert_eq!(world.rows().len(), 2 * games.len());
        games.sort_by_key(|game| (game.game_start_ts, game.game_id.clone()));
        for session in ["x1", "x2"] {
            let of_session = games.iter().filter(|game| game.session_id == id(session));
            let copies: Vec<SessionGame> =
                of_session.filter_map(<SessionGame as MirrorOf<Game>>::mirror_of).collect();
            assert_eq!(all(world.db.games_of(&id(session))).await, copies);
        }
    }
}
