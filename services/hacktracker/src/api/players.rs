//! The roster of a team: its players and their numbers.

pub(crate) mod add;
pub(crate) mod add_several;
mod addition;
pub(crate) mod get;
pub(crate) mod link;
pub(crate) mod list;
mod numbers;
pub(crate) mod remove;
pub(crate) mod unlink;
pub(crate) mod update;

use crate::api::prelude::*;

const POSITIONS: &[&str] = &["1B", "2B", "3B", "SS", "OF", "C", "P", "DH", "UTIL"];
const STATUSES: &[&str] = &["active", "inactive", "sub"];

/// A player, for new players and for changes.
#[derive(Clone, Debug, Body)]
#[body(applies_to = Player)]
pub(crate) struct PlayerFields {
    #[body(length = 1..=50, check = names::player, example = "O'Neil")]
    last_name: Patch<String>,
    /// The number on the shirt, unique among the active players of a team.
    #[body(range = 0..=99, example = 12)]
    player_number: Patch<u8>,
    /// At most two.
    #[body(kind = positions_kind(), check = distinct_positions, example = json!(["SS", "2B"]))]
    positions: Patch<Vec<String>>,
    #[body(words = STATUSES, example = "active")]
    status: Option<PlayerStatus>,
}

fn positions_kind() -> Kind {
    Kind::List { of: Box::new(Kind::Word(POSITIONS)), length: 0..=18, is_unique: false }
}

/// Returns distinct positions, at most two.
fn distinct_positions(positions: &[String]) -> Result<Vec<String>, String> {
    let mut distinct: Vec<String> = Vec::new();
    for position in positions {
        if !distinct.contains(position) {
            distinct.push(position.clone());
        }
    }
    if distinct.len() <= 2 { Ok(distinct) } else { Err("may be two at most".to_owned()) }
}

/// A player.
#[derive(View)]
#[view(of = Player, list = "players")]
pub(crate) struct PlayerView {
    player_id: PlayerId,
    team_id: TeamId,
    /// Absent for a ghost.
    #[view(null, example = json!(null))]
    user_id: Option<UserId>,
    #[view(example = "Mary Ann")]
    first_name: String,
    #[view(example = "O'Neil")]
    last_name: Option<String>,
    #[view(example = 12)]
    player_number: Option<u8>,
    #[view(kind = positions_kind(), example = json!(["SS", "2B"]))]
    positions: Vec<String>,
    status: PlayerStatus,
    /// Whether no user is linked.
    is_ghost: bool,
    linked_at: Option<Timestamp>,
    last_unlinked_at: Option<Timestamp>,
    /// Plate appearances in all games.
    #[view(example = 0)]
    pa_count: Option<u64>,
    #[view(stamps)]
    stamps: Stamps,
}
