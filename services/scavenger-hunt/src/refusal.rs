//! How the service refuses: one variant for each code, with a text for programs, and one for players.

use monotable_kit::{Problem, Refusal};
use serde_json::{Map, Value};

/// A refusal of the service. Texts that depend on the request are given where it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Refusal)]
pub enum Refusal {
    /// There is no such code in this game.
    #[refusal(invalid)]
    UnknownCode,
    /// The code belongs to a level that the team is not looking for.
    #[refusal(invalid)]
    WrongLocation,
    /// The file is no JPEG, PNG, GIF or WebP image that can be used.
    #[refusal(invalid)]
    BadImage,
    /// The action is only for players of a team of this game.
    #[refusal(forbidden)]
    NotYourTeam,
    /// The action is only for organisers of this game.
    #[refusal(forbidden)]
    ControlRequired,
    /// There is no such game.
    #[refusal(not_found)]
    GameNotFound,
    /// There is no such team.
    #[refusal(not_found)]
    TeamNotFound,
    /// There is no such level.
    #[refusal(not_found)]
    LevelNotFound,
    /// There is no such user.
    #[refusal(not_found)]
    UserNotFound,
    /// There is no such photo.
    #[refusal(not_found)]
    PhotoNotFound,
    /// The game is not running.
    #[refusal(conflict)]
    GameNotLive,
    /// The game is paused.
    #[refusal(conflict)]
    GamePaused,
    /// The game is over.
    #[refusal(conflict)]
    GameEnded,
    /// The team must upload a photo of its last level first.
    #[refusal(conflict)]
    PhotoRequired,
    /// No player of the team has reported a position at the level within the last two minutes.
    #[refusal(conflict)]
    NotAtLocation,
    /// The user is in another team of the game.
    #[refusal(conflict)]
    AlreadyInTeam,
    /// The team has completed the level.
    #[refusal(conflict)]
    LevelCompleted,
    /// The clock is in a state that does not allow this.
    #[refusal(conflict)]
    ClockConflict,
    /// The clock is running. Pause it first, or use force.
    #[refusal(conflict)]
    ClockRunning,
    /// The game is still being set up.
    #[refusal(conflict)]
    Provisioning,
    /// The team has as many players as it can have.
    #[refusal(conflict)]
    TeamFull,
    /// The team has taken as many photos as it can.
    #[refusal(conflict)]
    TooManyPhotos,
    /// Another game has an id of this configuration. Choose others, or leave them out.
    #[refusal(conflict)]
    IdTaken,
    /// The photo is too large.
    #[refusal(too_large)]
    PhotoTooLarge,
}

/// What can refuse somebody who is no player of a game.
pub(crate) const PLAYING: &[Refusal] =
    &[Refusal::NotYourTeam, Refusal::Provisioning, Refusal::GameNotFound];

/// What can refuse somebody who does something in a game as a player.
pub(crate) const ACTING: &[Refusal] = &[
    Refusal::NotYourTeam,
    Refusal::Provisioning,
    Refusal::GameNotFound,
    Refusal::GameNotLive,
    Refusal::GamePaused,
    Refusal::GameEnded,
];

/// What can refuse a scan, besides what refuses everything that players do.
pub(crate) const SCANNING: &[Refusal] = &[
    Refusal::UnknownCode,
    Refusal::WrongLocation,
    Refusal::PhotoRequired,
    Refusal::NotAtLocation,
    Refusal::LevelNotFound,
    Refusal::TeamNotFound,
];

/// What can refuse somebody who is neither an organiser nor an observer of a game.
pub(crate) const WATCHING: &[Refusal] = &[Refusal::ControlRequired, Refusal::GameNotFound];

/// What can refuse somebody who is no organiser of a game.
pub(crate) const CONTROLLING: &[Refusal] = &[Refusal::ControlRequired, Refusal::GameNotFound];

/// The detail that replaces the text for players.
pub(crate) const DISPLAY: &str = "displayMessage";

/// Returns what players read about a problem.
fn display(problem: &Problem) -> &'static str {
    match problem.code {
        "UNKNOWN_CODE" => "That code is not part of this hunt.",
        "WRONG_LOCATION" => {
            "Nice find, but this is not the place you are looking for. Read your clues again!"
        }
        "BAD_IMAGE" => "This photo cannot be used. Please take another one.",
        "PHOTO_TOO_LARGE" | "BODY_TOO_LARGE" => {
            "This photo is too large. Please take a smaller one."
        }
        "UNSUPPORTED_MEDIA_TYPE" => "This kind of file cannot be used. Please take a photo.",
        "NOT_YOUR_TEAM" => "You are not a player of this hunt. Join a team first.",
        "GAME_NOT_FOUND" => "This hunt does not exist any more.",
        "TEAM_NOT_FOUND" => "There is no such team. Check the code that you were given.",
        "LEVEL_NOT_FOUND" => "There is no such place in this hunt.",
        "USER_NOT_FOUND" => "You are not in this team any more. Join it again.",
        "GAME_NOT_LIVE" => "The hunt has not started yet. Wait for the start!",
        "GAME_PAUSED" => "The hunt is paused. Your time stands still, too.",
        "GAME_ENDED" => "The hunt is over. Thank you for playing!",
        "PHOTO_REQUIRED" => "Take a photo of the place that you have just found first.",
        "NOT_AT_LOCATION" => {
            "You do not seem to be at the place yet. Turn on your location and come closer."
        }
        "ALREADY_IN_TEAM" => "You are in another team of this hunt already.",
        "LEVEL_COMPLETED" => "You have completed this place already.",
        "PROVISIONING" => "The hunt is still being prepared. Try again in a minute.",
        "TOO_MANY_PHOTOS" => "Your team has taken very many photos. No more can be kept.",
        "TEAM_FULL" => "This team is full.",
        "UNAUTHENTICATED" => "Please join the hunt again with your team's code.",
        "RATE_LIMITED" => "Not so fast! Wait a moment and try again.",
        "VALIDATION" | "UNKNOWN_FIELD" | "READ_ONLY_FIELD" | "EMPTY_BODY" | "MALFORMED_JSON" => {
            "Something about this is not right. Check it and try again."
        }
        "CONTROL_REQUIRED" => "Only organisers of the hunt can do this.",
        _ => "That did not work. Please try again.",
    }
}

/// Writes a problem as clients of this service know it.
pub(crate) fn form(problem: &Problem, _request_id: &str) -> Value {
    let mut form: Map<String, Value> = problem.details.clone();
    form.insert("error".to_owned(), problem.message.clone().into());
    form.insert("details".to_owned(), problem.message.clone().into());
    form.insert("code".to_owned(), problem.code.into());
    form.entry(DISPLAY).or_insert_with(|| display(problem).into());
    Value::Object(form)
}
