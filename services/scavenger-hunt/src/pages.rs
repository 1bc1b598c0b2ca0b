//! What people see: the hunt on a player's phone, and the board, the codes and the report of organisers.

pub(crate) mod enter;
pub(crate) mod home;
pub(crate) mod join;
pub(crate) mod leaderboard;
pub(crate) mod manage;
pub(crate) mod map;
pub(crate) mod me;
pub(crate) mod photos;
pub(crate) mod play;
pub(crate) mod scan;
pub(crate) mod screen;

use askama::Template;
use http::HeaderValue;
use monotable_kit::{Html, Principal, ProblemKind, Route, Zone, operations};

use crate::api::prelude::*;
use crate::rules::clock;

/// Returns the pages.
pub(crate) fn operations() -> Vec<Route> {
    operations![
        home,
        join,
        join::enter,
        enter,
        enter::use_token,
        play,
        scan,
        photos,
        leaderboard,
        me,
        screen,
        manage::games,
        manage::new,
        manage::board,
        manage::team,
        manage::photos,
        manage::codes,
        manage::report,
        manage::settings,
        manage::token,
        manage::log,
    ]
}

/// The code that a link contains.
#[derive(Debug, Body)]
pub(crate) struct LinkedCode {
    #[body(length = 1..=200)]
    code: Option<String>,
}

/// A page in a new session.
pub(crate) struct Entered {
    page: Html,
    cookies: Vec<HeaderValue>,
}

/// The content of the page that a new session begins with.
#[derive(Template)]
#[template(path = "entered.html")]
struct EnteredPage {
    title: String,
    text: String,
    /// What comes next: a path of the service, and its name.
    next: (&'static str, &'static str),
}

impl Response for Entered {
    const MEDIA_TYPES: &'static [&'static str] = &["text/html"];
    const IS_PAGE: bool = true;

    fn describe() -> Answered {
        Html::describe()
    }

    fn into_reply(self) -> Reply {
        self.page.into_reply().cookies(self.cookies)
    }
}

/// Begins a session of somebody who has shown a code or a token.
///
/// # Errors
/// Returns 503 if sign-in is not configured.
async fn entered(
    app: &App,
    call: &Request,
    person: &Principal,
    content: EnteredPage,
) -> Answer<Entered> {
    let sign_in = app.sign_in.as_ref();
    let sign_in = sign_in.ok_or_else(|| Problem::unavailable("Nobody can sign in here."))?;
    let page = Html::new(call, content.title.clone(), &content)?;
    let session = sign_in.begin(call, person).await?;
    Ok(Entered { page, cookies: session.cookies }.into())
}

/// Returns the player who looks at a page, if it is one. Players who were removed, or whose game is long over, are none.
///
/// # Errors
/// Returns the errors of the table.
async fn player(app: &App, call: &Request) -> Result<Option<Playing>, Problem> {
    if call.principal.is_none() {
        return Ok(None);
    }
    match policy::player(app, call).await {
        Ok(playing) => Ok(Some(playing)),
        Err(problem)
            if matches!(
                problem.kind,
                ProblemKind::Unauthenticated | ProblemKind::Forbidden | ProblemKind::NotFound
            ) =>
        {
            Ok(None)
        }
        Err(problem) => Err(problem),
    }
}

/// Shows the name of a player instead of an id.
fn named(page: Html, playing: &Playing) -> Html {
    let name = playing.user.display_name.as_deref().unwrap_or("Your data");
    page.viewer(name, "/me")
}

/// The clock of a game, as pages show it.
struct Clock {
    state: GameState,
    /// The moment from which a running clock counts: its start, later by all pauses.
    since: Option<Timestamp>,
    /// What it shows.
    text: String,
}

impl Clock {
    fn of(game: &Game, control: Option<&DashboardControl>, now: Timestamp) -> Self {
        let state = GameState::of(game, control, now);
        // The clock of a game that is over stands still at its end.
        let at = clock::ended_at(game, now).unwrap_or(now);
        let elapsed_ms = control.and_then(|control| clock::elapsed_ms(control, at)).unwrap_or(0);
        let since = Timestamp::from_ms(now.as_ms() - i64::try_from(elapsed_ms).unwrap_or(0)).ok();
        Self {
            state,
            since: since.filter(|_| state == GameState::Live),
            text: duration(&elapsed_ms),
        }
    }

    /// Returns what the game is doing.
    fn words(&self) -> &'static str {
        match self.state {
            GameState::Provisioning => "Being prepared",
            GameState::Ready => "Not started yet",
            GameState::Live => "Running",
            GameState::Paused => "Paused",
            GameState::Ended => "Over",
            GameState::Archived => "Over, personal data removed",
        }
    }
}

/// Returns a time span as clocks show it.
fn duration(ms: &u64) -> String {
    let seconds = ms / 1_000;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours:02}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes:02}:{seconds:02}")
    }
}

/// Returns minutes with one decimal.
fn minutes(minutes: &Option<f64>) -> String {
    minutes.map_or_else(|| "–".to_owned(), |minutes| format!("{minutes:.1}"))
}

/// Returns the time of a day, as people write it.
fn time(zone: &Zone, at: &Timestamp) -> String {
    zone.clock(*at)
}

/// Returns the day and the time, as people write them.
fn moment(zone: &Zone, at: &Timestamp) -> String {
    zone.text(*at)
}

/// Colours of teams that have none, apart from each other for people who see few colours.
const COLORS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6f5ba7", "#8a6d3b"];

/// Returns the colour of a team: its own, or one by its place in the configuration.
fn color(color: Option<&str>, position: Option<u32>) -> String {
    let position = usize::try_from(position.unwrap_or(0)).unwrap_or(0);
    color.unwrap_or(COLORS[position % COLORS.len()]).to_owned()
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn time_spans_are_shown_as_by_clocks() {
        for (ms, shown) in
            [(0, "00:00"), (59_999, "00:59"), (3_599_000, "59:59"), (36_061_000, "10:01:01")]
        {
            assert_eq!(duration(&ms), shown);
        }
    }
}
