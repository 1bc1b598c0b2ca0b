//! The table itself: rows that follow from others move with them, and a session always agrees with its games.

use std::slice;
use std::time::Duration;

use monotable::model::MirrorOf;
use monotable::model::{Entity as _, Error, RowSet, Rows, edit, rekey};
use monotable::prelude::check;
use monotable_three_fc::table::{
    Game, GameStatus, Goal, GoalPointer, RosterEntry, SessionGame, Stamps, ThreeFcReads as _, game,
};

use crate::world::{Setup as _, World, id};

async fn all<E: RowSet>(rows: Rows<E>) -> Vec<E> {
    rows.consistent().all().await.unwrap()
}

async fn goal(world: &World) -> Goal {
    let goal = Goal {
        game_id: id("g1"),
        third: 1,
        game_minute: 9,
        event_id: id("e1"),
        scoring_team_id: Some(id("red")),
        conceding_team_id: id("blue"),
        scorer_player_id: id("p1"),
        assist_player_ids: Vec::new(),
        own_goal: false,
        third_minute: None,
        stoppage_minute: None,
        display_time: None,
        recorded_by: None,
        stamps: Stamps::default(),
    };
    world.app.db.create(&goal).await.unwrap()
}

async fn entry(world: &World) -> RosterEntry {
    let (game_id, team_id, player_id) = (id("g1"), id("red"), id("p1"));
    let entry = RosterEntry { game_id, team_id, player_id, stamps: Stamps::default() };
    world.app.db.create(&entry).await.unwrap()
}

#[tokio::test]
async fn a_goal_moves_in_its_game_and_its_pointer_stays() {
    let world = World::new().await;
    let (db, goal) = (&world.app.db, goal(&world).await);
    let again = db.create(&Goal { game_minute: 10, ..goal.clone() }).await;
    assert!(again.is_err(), "an event is one goal");
    let moved = Goal { third: 2, game_minute: 3, own_goal: true, ..goal.clone() };
    let moved = db.rekey(&goal, &moved).await.unwrap();
    assert_eq!((moved.stamps.version, moved.stamps.created), (2, goal.stamps.created));
    assert!(!world.has("GAME#g1", "GOAL#1#0009#e1"), "the old key is free");
    assert_eq!(all(db.goals(&id("g1"))).await, slice::from_ref(&moved));
    let pointer = db.goal_pointer(&id("g1"), &id("e1")).await.unwrap();
    assert_eq!(pointer, <GoalPointer as MirrorOf<Goal>>::mirror_of(&moved));
    assert_eq!(world.rows().len(), 2);
    // An edit of the goal as it was changes nothing.
    let stale = db.rekey(&goal, &Goal { third: 3, ..goal.clone() }).await.unwrap_err();
    assert!(matches!(stale, Error::NotFound { entity: "Goal" }), "{stale}");
}

/// A roster's key begins with the team: a player could be in two teams of a game.
#[tokio::test]
async fn a_player_changes_the_team_and_keeps_the_slot() {
    let world = World::new().await;
    let (db, goal, entry) = (&world.app.db, goal(&world).await, entry(&world).await);
    let moved = RosterEntry { team_id: id("blue"), ..entry.clone() };
    let taken = db.create(&moved).await.unwrap_err();
    assert!(matches!(taken, Error::UniqueTaken { constraint: "slot", .. }), "{taken}");
    let mut tx = db.transact().with(edit(&goal, |goal| goal.own_goal = true));
    let moved = tx.add(rekey(&entry, &moved));
    let moved = tx.commit().await.unwrap()[moved].clone();
    assert_eq!((moved.stamps.version, &moved.team_id), (2, &id("blue")));
    assert_eq!(all(db.roster(&id("g1"))).await, slice::from_ref(&moved));
    assert_eq!(db.roster_of(&id("g1"), &id("p1")).await.unwrap(), Some(moved.clone()));
    assert!(db.create(&entry).await.is_err());
    db.delete(&moved).await.unwrap();
    assert!(!world.has("GAME#g1", "SLOT#p1"));
}

#[tokio::test]
async fn conditions_see_the_status_of_a_game() {
    let world = World::league().await;
    let game = world.game("g1", GameStatus::Live).await;
    let is_finished = check(&game.key(), game::status().eq(GameStatus::Finished));
    assert!(world.app.db.run(is_finished).await.is_err());
    let row = world.row("GAME#g1", "METADATA").unwrap();
    assert_eq!(row["status"], "live".into());
    assert!(!row["data"].as_s().unwrap().contains("status"), "it is in one place only");
}

#[tokio::test]
async fn sessions_agree_with_their_games_whatever_happens() {
    let world = World::league().await;
    let first = world.game("g0", GameStatus::Scheduled).await;
    let db = &world.app.db;
    let mut games = vec![first.clone()];
    let mut random = Random::new(4);
    for step in 0..150 {
        let session = id(random.pick(&["x1", "x2"]));
        let start = first.starts_at() + Duration::from_secs(60 * random.below(9) as u64);
        let status = random.pick(&[GameStatus::Scheduled, GameStatus::Live, GameStatus::Finished]);
        if games.is_empty() || random.below(3) == 0 {
            let game = Game { game_id: id(&format!("g{step}x")), ..first.clone() };
            games.push(db.create(&game).await.unwrap());
        } else {
            let game = games.swap_remove(random.below(games.len()));
            if random.below(4) == 0 {
                db.delete(&game).await.unwrap();
            } else {
                let edit = db.edit(game, |game| {
                    (game.session_id, game.game_start_ts, game.status) =
                        (session, start.into(), status);
                });
                games.push(edit.await.unwrap());
            }
        }
        games.sort_by_key(|game| (game.game_start_ts.clone(), game.game_id.clone()));
        for session in ["x1", "x2"] {
            let of_session = games.iter().filter(|game| game.session_id == id(session));
            let copies: Vec<SessionGame> =
                of_session.filter_map(<SessionGame as MirrorOf<Game>>::mirror_of).collect();
            assert_eq!(all(db.games_of(&id(session))).await, copies);
        }
    }
}

/// Random numbers that a failing test can be repeated with.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        println!("seed: {seed}");
        Self(seed)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
