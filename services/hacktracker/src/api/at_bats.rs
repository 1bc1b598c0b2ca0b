//! Plate appearances: recorded while a game is played, corrected later.
//!
//! Every change of one also changes the version of its game. So two of them never happen in the same
//! state of a game, and everything derived from all of them, such as the situation and a counted
//! score, is right.

pub(crate) mod correction;
pub(crate) mod delete;
pub(crate) mod end_inning;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod record;
pub(crate) mod undo;
pub(crate) mod update;

use monotable_kit::{Field, Schema};

use crate::api::prelude::*;
use crate::rules::results::HitType;

/// The play of a plate appearance, in a new one and in a correction.
#[derive(Clone, Debug, Default, Body)]
pub(crate) struct PlayFields {
    #[body(range = 1..=99)]
    pub(crate) inning: Option<u8>,
    /// Outs before the play.
    #[body(range = 0..=2)]
    pub(crate) outs: Option<u8>,
    #[body(kind = requested_location())]
    pub(crate) hit_location: Patch<HitLocation>,
    #[body(words = HitType::ACCEPTED, example = "line_drive")]
    pub(crate) hit_type: Patch<String>,
    #[body(range = 0..=4, label = "Runs batted in")]
    pub(crate) rbis: Patch<u8>,
    /// By default as many as the result makes.
    #[body(range = 0..=3)]
    pub(crate) outs_on_play: Patch<u8>,
    /// The players who scored. The batter of a home run scores without being named.
    #[body(items = 0..=4)]
    pub(crate) runs_scored: Patch<Vec<PlayerId>>,
    /// true ends the inning before the third out; false continues it after the run limit.
    pub(crate) ends_inning: Patch<bool>,
}

/// Older clients send coordinates as texts.
fn requested_location() -> Kind {
    let coordinate =
        || Kind::OneOf(vec![Kind::Number { range: 0.0..=1.0 }, Kind::Text { length: 1..=32 }]);
    location("HitLocation", coordinate)
}

impl FieldType for HitLocation {
    fn kind() -> Kind {
        location("HitLocationView", || Kind::Number { range: 0.0..=1.0 })
    }
}

fn location(name: &'static str, coordinate: impl Fn() -> Kind) -> Kind {
    Kind::Object(Schema::object(
        name,
        [
            Field::new("x", coordinate()).required().about("From left to right, 0 to 1."),
            Field::new("y", coordinate()).required().about("From top to bottom, 0 to 1."),
        ],
    ))
}

/// The last at-bat, from the caller's point of view.
#[derive(Debug, Body)]
pub(crate) struct LastAtBat {
    at_bat_id: Option<AtBatId>,
}

impl LastAtBat {
    /// Checks that the last at-bat is the one that the caller means.
    ///
    /// # Errors
    /// Returns 412 if it is another one.
    fn check(&self, last: &AtBat) -> Result<(), Problem> {
        match &self.at_bat_id {
            Some(meant) if *meant != last.at_bat_id => Err(Refusal::NotTheLastAtBat.into()),
            _ => Ok(()),
        }
    }
}

/// An at-bat.
#[derive(Clone, View)]
#[view(of = AtBat, list = "atBats")]
pub(crate) struct AtBatView {
    at_bat_id: AtBatId,
    game_id: GameId,
    /// The batter.
    player_id: PlayerId,
    team_id: TeamId,
    /// An unknown result of older programs is shown as it is stored.
    #[view(from = shown_result(), example = "1B")]
    result: String,
    /// Whether the result is unknown.
    #[view(from = is_unrecognised())]
    unrecognised: Option<bool>,
    inning: u8,
    /// Outs before the play.
    outs: u8,
    batting_order: u8,
    hit_location: Option<HitLocation>,
    #[view(from = shown_hit_type())]
    hit_type: Option<String>,
    rbis: Option<u8>,
    /// Outs that the play made.
    #[view(from = outs_made())]
    outs_on_play: u8,
    /// The players who scored.
    runs_scored: Option<Vec<PlayerId>>,
    /// Whether the inning ends with the play before the third out, or continues after the run limit.
    ends_inning: Option<bool>,
    /// Whether the recorded inning or outs differ from those of the game.
    situation_mismatch: Option<bool>,
    /// When it happened, if it was inserted later.
    happened_at: Option<Timestamp>,
    #[view(stamps)]
    stamps: Stamps,
}

impl AtBat {
    /// Returns the current word of the result, or the stored one if it is unknown.
    pub(crate) fn shown_result(&self) -> String {
        self.outcome().map_or_else(|| self.result.clone(), |outcome| outcome.word().to_owned())
    }

    fn is_unrecognised(&self) -> Option<bool> {
        self.outcome().is_none().then_some(true)
    }

    fn shown_hit_type(&self) -> Option<String> {
        self.ball().map(|ball| ball.word().to_owned()).or_else(|| self.hit_type.clone())
    }
}

/// 200 with an at-bat in the situation that results from replaying its game.
pub(crate) struct Replayed {
    pub(crate) at_bat: AtBatView,
    /// Whether its row has the same situation: only then the row's version is that of the response.
    pub(crate) is_as_stored: bool,
}

impl Response for Replayed {
    fn describe() -> Answered {
        Json::<AtBatView>::describe()
    }

    fn into_reply(self) -> Reply {
        let mut reply = Json(self.at_bat).into_reply();
        reply.version = reply.version.filter(|_| self.is_as_stored);
        reply
    }
}

/// Returns the audit entry for a change of a final game.
fn audited(
    app: &App,
    call: &Request,
    game: &Game,
    action: &str,
    at_bat: &AtBat,
) -> Result<Option<Audit>, Problem> {
    if game.status != GameStatus::Final {
        return Ok(None);
    }
    let entity = format!("GAME#{}/ATBAT#{}", game.game_id, at_bat.at_bat_id);
    audit::entry(app, call, &game.team_id, action, entity).map(Some)
}

/// Returns the change of a game's row for a change of its at-bats: the game must be unchanged since
/// it was read, and a counted score is set.
fn counted(game: &Game, score: u16) -> GameUpdate {
    let update = Game::update(&game.key()).when(game.unchanged());
    match game.score_mode {
        ScoreMode::Auto => update.team_score(score),
        ScoreMode::Manual => update,
    }
}
