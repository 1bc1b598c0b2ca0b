//! The operations of the service, one file each, in folders by chapter, and the list of them from which routes and
//! documentation are made.

/// Declares the response of an operation that reports something as server-sent events: 200, and what the events are.
macro_rules! event_stream {
    ($(#[$about:meta])* $Stream:ident, $meaning:literal) => {
        $(#[$about])*
        pub(crate) struct $Stream(pub(crate) monotable_kit::EventStream);

        impl Response for $Stream {
            const MEDIA_TYPES: &'static [&'static str] = &["text/event-stream"];

            fn describe() -> Answered {
                Answered { status: 200, meaning: $meaning, example: None, schema: None }
            }

            fn into_reply(self) -> Reply {
                Reply::new(200, monotable_kit::ReplyBody::Events(Box::pin(self.0)))
            }
        }
    };
}

pub(crate) mod announce;
pub(crate) mod dashboard;
pub(crate) mod games;
pub(crate) mod people;
pub(crate) mod photos;
pub(crate) mod play;
pub(crate) mod prelude;
pub(crate) mod routes;
pub(crate) mod teams;

use monotable_kit::{Service, TokenScheme, operations, paths};

use crate::pages;
use crate::refusal;
use crate::table::{GameId, RowId, TeamId, UserId};

paths! {
    /// The game that a path names.
    GamePath { game_id: GameId }
    /// The team that a path names.
    TeamPath { team_id: TeamId }
    /// The place in a team's route that a path names.
    TeamLevelPath { team_id: TeamId, team_level_id: RowId }
    /// The user in a game that a path names.
    UserPath { game_id: GameId, user_id: UserId }
    /// The photo of a user that a path names.
    PhotoPath { user_id: UserId, photo_id: RowId }
}

/// The tokens of games.
const TOKENS: TokenScheme = TokenScheme {
    name: "gameToken",
    format: "hunt1_…",
    about: "The token of a player, an observer or an organiser of one game. Players get one when they join.",
};

/// Returns the service.
pub fn service() -> Service {
    let about = "Team hunts with clue characters, scans, photos and positions.";
    Service::new("scavenger-hunt", "ScavengerHunt", about, refusal::form)
        .tokens(TOKENS)
        .home("/hunt")
        .chapter(
            "Playing",
            operations![
                play::join,
                play::level,
                play::scan,
                play::scan_photo,
                play::message,
                play::clear_chat,
                play::ping,
                photos::upload,
                photos::own,
                play::leaderboard,
                play::follow,
                play::me,
                play::me_zip,
                play::erase_me,
            ],
        )
        .chapter(
            "Games",
            operations![
                games::create,
                games::create_from_file,
                games::list,
                games::get,
                games::update,
                games::delete,
                games::links,
                games::control,
                games::end,
                games::tokens,
                games::withdraw_tokens,
                games::verify,
                games::adjust,
                games::broadcast,
                games::audit,
            ],
        )
        .chapter(
            "Dashboard",
            operations![
                games::dashboard,
                games::follow,
                games::events,
                games::report,
                games::report_csv,
                teams::list,
                teams::progress,
                teams::coords,
                teams::messages,
                photos::of_game,
                photos::of_team,
                photos::link,
                photos::get,
                photos::zip,
            ],
        )
        .chapter(
            "Teams and people",
            operations![
                teams::skip,
                teams::reopen,
                people::move_user,
                people::erase,
                people::export,
                people::export_zip,
                photos::review,
            ],
        )
        .chapter("Pages", pages::operations())
}
