//! The configuration of a game, as organisers send it: everything that is wrong with it is reported at once.

use std::collections::BTreeSet;

use monotable_kit::FieldProblem;
use serde_json::{Map, Value};

use crate::api::prelude::*;

/// Bytes of a configuration at most.
pub(crate) const BYTES_MAX: usize = 2 * 1024 * 1024;

/// A game to set up.
#[derive(Debug, Body)]
#[body(case = "snake", check = together)]
pub(crate) struct NewGame {
    /// Made by the server unless given; a UUID.
    #[body(check = uuid)]
    pub(crate) id: Option<GameId>,
    #[body(length = 1..=100, example = "Ducks of the old town")]
    pub(crate) name: Option<String>,
    #[body(length = 1..=2000)]
    pub(crate) description: Option<String>,
    #[body(items = 1..=100)]
    pub(crate) teams: Vec<NewTeam>,
    /// How many levels each team walks; all of them unless given.
    #[body(name = "levelsInGame", range = 1..=100)]
    pub(crate) levels_in_game: Option<u32>,
    /// In their order. The last one is the last level of every team.
    #[body(items = 1..=100)]
    pub(crate) levels: Vec<NewLevel>,
    #[body(flatten)]
    pub(crate) settings: Settings,
}

/// How a game is played.
#[derive(Debug, Body)]
#[body(case = "snake", applies_to = Game)]
pub(crate) struct Settings {
    /// Minutes at a level until easy clues; 10 unless set.
    #[body(range = 0..=1440, example = 10, label = "Minutes until clues")]
    hint_after_min: Option<u32>,
    /// Minutes at a level until the map; 15 unless set.
    #[body(range = 0..=1440, example = 15, label = "Minutes until the map")]
    map_after_min: Option<u32>,
    /// Whether a level must be photographed before the next one.
    #[body(label = "Photos are required")]
    photo_required: Option<bool>,
    /// Whether a player must be at a level to clear it, by the positions that phones report.
    #[body(label = "Positions are required")]
    geofence_required: Option<bool>,
    route_mode: Option<RouteMode>,
    starts_at: Option<Timestamp>,
    pub(crate) ends_at: Option<Timestamp>,
    /// Days after the end of the game until personal data is removed; 30 unless set.
    #[body(range = 1..=3650, example = 30, label = "Days until personal data is removed")]
    retention_days: Option<u32>,
    /// Whether players see how the teams stand.
    #[body(label = "Players see the leaderboard")]
    leaderboard_public: Option<bool>,
    /// Points that each easy clue costs.
    #[body(range = 0..=1000, label = "Points for a clue")]
    clue_penalty: Option<u32>,
    /// Points that the map of a level costs.
    #[body(range = 0..=1000, label = "Points for a map")]
    map_penalty: Option<u32>,
    /// Trusts the headers `user-id` and `team-id` of older programs. Anyone who knows a team can then play for it.
    #[body(label = "Older programs play by headers")]
    header_identity: Option<bool>,
}

/// A team to set up.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct NewTeam {
    #[body(check = uuid)]
    pub(crate) id: Option<TeamId>,
    #[body(length = 1..=60, example = "Mallards")]
    pub(crate) name: String,
    pub(crate) difficulty_level: Option<Difficulty>,
    #[body(length = 4..=7, check = color, example = "#c0392b")]
    pub(crate) color: Option<String>,
}

/// A level to set up.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct NewLevel {
    #[body(check = uuid)]
    pub(crate) id: Option<LevelId>,
    #[body(name = "levelName", length = 1..=100, example = "The old fountain")]
    pub(crate) level_name: String,
    pub(crate) character: NewCharacter,
    pub(crate) location: NewLocation,
    #[body(items = 3..=50, length = 1..=1000, example = ["It is older than the town.", "It never stops.", "It is wet."])]
    pub(crate) clues: Vec<String>,
    #[body(
        name = "easyClues", items = 2..=50, length = 1..=1000,
        example = ["Look at the market square.", "Throw a coin into it."]
    )]
    pub(crate) easy_clues: Vec<String>,
    #[body(name = "mapLink", length = 9..=1000, check = https, example = "https://maps.example/abc")]
    pub(crate) map_link: String,
    #[body(range = 1..=4000)]
    pub(crate) max_tokens: Option<u32>,
    #[body(range = 10..=500)]
    pub(crate) radius_m: Option<u32>,
    #[body(range = 0..=10_000)]
    pub(crate) points: Option<u32>,
}

/// The character of a level.
#[derive(Debug, Body)]
pub(crate) struct NewCharacter {
    #[body(length = 1..=100, example = "Sir Quackalot")]
    pub(crate) name: String,
    #[body(length = 1..=8000, example = "You are a proud duck.")]
    pub(crate) system_prompt: String,
}

/// The place of a level.
#[derive(Debug, Body)]
pub(crate) struct NewLocation {
    #[body(length = 1..=1000, example = "On the market square")]
    pub(crate) description: String,
    #[body(range = -90.0..=90.0, example = 48.2082)]
    pub(crate) latitude: f64,
    #[body(range = -180.0..=180.0, example = 16.3738)]
    pub(crate) longitude: f64,
}

/// Checks what concerns several fields, and returns all errors.
fn together(config: &Map<String, Value>) -> Vec<FieldProblem> {
    let mut wrong = Vec::new();
    let list =
        |name: &str| config.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let (count, levels) =
        (config.get("levelsInGame").and_then(Value::as_u64), list("levels").len());
    if count.is_some_and(|count| count > levels as u64) {
        let text = format!("must be at most {levels}, the number of levels");
        wrong.push(FieldProblem::new("levelsInGame", text));
    }
    let mut seen = BTreeSet::new();
    for name in ["teams", "levels"] {
        for (place, id) in list(name).iter().enumerate().map(|(place, row)| (place, &row["id"])) {
            if id.as_str().is_some_and(|id| !seen.insert(id.to_lowercase())) {
                let field = format!("{name}[{place}].id");
                wrong.push(FieldProblem::new(field, "is the id of another team or level"));
            }
        }
    }
    wrong
}

/// Accepts a UUID.
fn uuid(text: &str) -> Result<String, String> {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    let is_hex = text.chars().all(|one| one == '-' || one.is_ascii_hexdigit());
    if is_hex && lengths == [8, 4, 4, 4, 12] {
        Ok(text.to_owned())
    } else {
        Err("must be a UUID, such as 0199a5c2-6f1e-7c3a-8d2b-4e5f6a7b8c9d".to_owned())
    }
}

/// Accepts the address of a page that is sent encrypted.
fn https(text: &str) -> Result<String, String> {
    let is_one = text.starts_with("https://") && !text.contains(char::is_whitespace);
    if is_one { Ok(text.to_owned()) } else { Err("must begin with https://".to_owned()) }
}

/// Accepts a colour.
fn color(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix('#').unwrap_or_default();
    let is_one = matches!(digits.len(), 3 | 6) && digits.chars().all(|one| one.is_ascii_hexdigit());
    if is_one { Ok(text.to_owned()) } else { Err("must be like #c0392b".to_owned()) }
}
