//! The resources of the matrix: a team with a role for every actor, a foreign one, a deleted one,
//! and one that does not exist. Their rows have the same names except for the team's.

use std::time::Duration;

use monotable_hacktracker::HackTrackerService;
use monotable_hacktracker::table::{
    ActiveGame, Answer, AtBat, Availability, Game, GameStatus, HackTrackerReads as _, Invite,
    InviteStatus, Liveness, MembershipStatus, Role, ScoreMode, Season, Share, Stamps, Team,
    TeamCounts, TeamType, Times, User,
};
use monotable_kit::Secret;
use monotable_testkit::service::Setting;

use crate::world::{Rows as _, World, id};

/// The team of the actors.
pub(crate) const OWN: &str = "red";
/// A foreign team.
pub(crate) const FOREIGN: &str = "blue";
/// A team like the own one that its owner has deleted.
pub(crate) const DELETED: &str = "gone";
/// A team that is not there.
pub(crate) const MISSING: &str = "none";
/// All that is hidden.
pub(crate) const HIDDEN: [&str; 3] = [FOREIGN, DELETED, MISSING];

const MEMBERS: [(&str, Role); 5] = [
    ("ann", Role::Owner),
    ("meg", Role::Manager),
    ("sam", Role::Scorekeeper),
    ("pat", Role::Player),
    ("rex", Role::Player),
];

/// Returns a world of the own team alone, which has a game of this status.
pub(crate) async fn own_team(status: GameStatus) -> World {
    own_team_set(status, |setting| setting).await
}

/// Returns the same, with a setting of the service.
pub(crate) async fn own_team_set(status: GameStatus, change: fn(Setting) -> Setting) -> World {
    let world = World::set(change(Setting::new(HackTrackerService::default()))).await;
    for user in ["zoe", "admin", "bob", "gus", "ann", "meg", "sam", "pat", "rex"] {
        account(&world, user).await;
    }
    world.team(OWN, TeamType::Managed, &MEMBERS, 9).await;
    rows(&world, OWN, status).await;
    let db = &world.app.db;
    let rex = db.membership(&id("rex"), &id(OWN)).await.unwrap().unwrap();
    db.edit(rex, |rex| rex.status = MembershipStatus::Removed).await.unwrap();
    let counts = TeamCounts {
        members: 4,
        members_counted: Some(true),
        open_invites: 1,
        ..TeamCounts::uncounted(id(OWN))
    };
    db.create(&counts).await.unwrap();
    world
}

/// Returns a world in which every team has a game of this status.
pub(crate) async fn place(status: GameStatus) -> World {
    let world = own_team(status).await;
    let db = &world.app.db;
    world.team(FOREIGN, TeamType::Managed, &[("bob", Role::Owner)], 9).await;
    world.team(DELETED, TeamType::Managed, &MEMBERS, 9).await;
    for team in [FOREIGN, DELETED] {
        rows(&world, team, status).await;
    }
    let gone = db.team(&id(DELETED)).await.unwrap().unwrap();
    let now = db.now();
    let delete = |team: &mut Team| {
        team.status = Some(Liveness::Deleted);
        team.deleted_at = Some(now);
        team.purge_after = Some(now + Duration::from_secs(30 * 24 * 60 * 60));
        team.recovery_token = Some(secret(DELETED).hash());
    };
    db.edit(gone, delete).await.unwrap();
    world
}

/// Returns the secret of whatever of a team has one.
fn secret(team: &str) -> Secret {
    let text: String = team.chars().cycle().take(43).collect();
    Secret::parse(&text).unwrap()
}

/// Returns the token of a team's invitation.
pub(crate) fn invite_token(team: &str) -> String {
    format!("{team}-invite.{}", secret(team).reveal())
}

/// Returns the token of a link to a team's game.
pub(crate) fn share_token(team: &str) -> String {
    format!("{team}-game.{team}-share.{}", secret(team).reveal())
}

async fn account(world: &World, user: &str) {
    let now = world.app.db.now();
    // gus has deleted the account.
    let is_deleted = user == "gus";
    let user = User {
        user_id: id(user),
        email: format!("{user}@example.org"),
        first_name: user.to_owned(),
        last_name: "User".to_owned(),
        phone_number: None,
        status: is_deleted.then_some(Liveness::Deleted),
        deleted_at: is_deleted.then_some(now),
        purge_after: is_deleted.then_some(now),
        list_shard: Default::default(),
        stamps: Stamps::default(),
    };
    world.app.db.create(&user).await.unwrap();
}

/// What a team has besides its members and players.
async fn rows(world: &World, team: &str, status: GameStatus) {
    let db = &world.app.db;
    let game = game(world, team, status);
    if status == GameStatus::InProgress {
        let guard = ActiveGame { team_id: id(team), game_id: game.game_id.clone() };
        db.create(&guard).await.unwrap();
    }
    db.create(&game).await.unwrap();
    db.create(&at_bat(team)).await.unwrap();
    let batter = db.player(&id(team), &id(&format!("{team}-1"))).await.unwrap().unwrap();
    db.edit(batter, |batter| batter.pa_count = Some(1)).await.unwrap();
    if status != GameStatus::Final {
        for player_id in &game.lineup {
            let player = db.player(&id(team), player_id).await.unwrap().unwrap();
            db.edit(player, |player| player.lineups = 1).await.unwrap();
        }
    }
    let now = db.now();
    let answer = Availability {
        game_id: id(&format!("{team}-game")),
        player_id: id(&format!("{team}-2")),
        answer: Answer::Yes,
        answered_by: id("ann"),
        stamps: Times::default(),
    };
    db.put(&answer).await.unwrap();
    let share = Share {
        game_id: id(&format!("{team}-game")),
        share_id: id(&format!("{team}-share")),
        team_id: id(team),
        token_hash: secret(team).hash(),
        created_by: id("ann"),
        stamps: Stamps::default(),
    };
    db.create(&share).await.unwrap();
    let invite = Invite {
        invite_id: id(&format!("{team}-invite")),
        team_id: id(team),
        role: Role::Player,
        player_id: None,
        email: None,
        token_hash: secret(team).hash(),
        status: InviteStatus::Pending,
        expires_at: now + Duration::from_secs(7 * 24 * 60 * 60),
        created_by: id("ann"),
        accepted_by: None,
        stamps: Stamps::default(),
    };
    db.create(&invite).await.unwrap();
    let season = Season {
        team_id: id(team),
        season_id: id(&format!("{team}-season")),
        name: "Spring".to_owned(),
        starts_on: None,
        ends_on: None,
        stamps: Stamps::default(),
    };
    db.create(&season).await.unwrap();
}

fn game(world: &World, team: &str, status: GameStatus) -> Game {
    let now = world.app.db.now();
    Game {
        game_id: id(&format!("{team}-game")),
        team_id: id(team),
        status,
        scheduled_start: None,
        opponent_name: None,
        location: None,
        season_id: None,
        team_score: 0,
        opponent_score: 0,
        lineup: (1..=8).map(|number| id(&format!("{team}-{number}"))).collect(),
        lineup_changed: None,
        lineup_counted: Some(true),
        innings: None,
        inning_run_limit: None,
        score_mode: ScoreMode::Auto,
        started_at: (status != GameStatus::Scheduled).then_some(now),
        finished_at: (status == GameStatus::Final).then_some(now),
        deleting: None,
        list_shard: Default::default(),
        stamps: Stamps::default(),
    }
}

fn at_bat(team: &str) -> AtBat {
    AtBat {
        game_id: id(&format!("{team}-game")),
        at_bat_id: id(&format!("{team}-atbat")),
        player_id: id(&format!("{team}-1")),
        team_id: id(team),
        result: "1B".to_owned(),
        inning: 1,
        outs: 0,
        batting_order: 1,
        hit_location: None,
        hit_type: None,
        rbis: None,
        outs_on_play: None,
        runs_scored: None,
        ends_inning: None,
        situation_mismatch: None,
        happened_at: None,
        stamps: Stamps::default(),
    }
}
