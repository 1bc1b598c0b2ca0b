#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Aggregate)]
pub struct TeamView {
    pub home: Team,
    pub away: Team,
    pub players: (Player, Player),
}

#[derive(Aggregate)]
pub enum View {
    Team(Team),
}

fn main() {}
