//! A league as a typed model: every kind of access pattern, on the engine in the same process.

mod generated;
mod mocks;
mod model;
mod ranges;
mod results;
mod rows;

use model::*;
use monotable::prelude::*;

/// Returns an empty league.
async fn league() -> Store<League> {
    League::open(Embedded::memory()).await.unwrap()
}

fn team(id: &str) -> Team {
    let name = format!("Team {id}");
    Team { team_id: TeamId::new(id).unwrap(), name, players: 0, ver: 0 }
}

fn player(team: &str, id: &str) -> Player {
    Player {
        team_id: TeamId::new(team).unwrap(),
        player_id: PlayerId::new(id).unwrap(),
        user_id: None,
        number: None,
        ver: 0,
    }
}

fn game(id: &str, date: &str) -> Game {
    Game {
        game_id: GameId::new(id).unwrap(),
        home_id: TeamId::new("home").unwrap(),
        date: date.parse().unwrap(),
        venue: Venue::new("arena").unwrap(),
        status: Status::Scheduled,
        ver: 0,
    }
}

/// Creates the games with these ids on these days, all of the team `home`.
async fn with_games(games: &[(&str, &str)]) -> Store<League> {
    let db = league().await;
    for (id, date) in games {
        db.create(&game(id, date)).await.unwrap();
    }
    db
}

fn ids(games: &[Game]) -> Vec<&str> {
    games.iter().map(|game| game.game_id.as_ref()).collect()
}
