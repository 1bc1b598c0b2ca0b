//! `GET /play`: the hunt on a player's phone.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{Clock, duration, join};
use crate::api::photos::upload;
use crate::api::play::state::{StateView, state};
use crate::api::play::{clear_chat, message, scan, scan_photo, talk};
use crate::api::prelude::*;
use crate::api::routes;
use crate::rules::progress::EndScreen;

/// The content of the page.
#[derive(Template)]
#[template(path = "play.html")]
struct PlayPage {
    state: StateView,
    clock: Clock,
    /// What the character says to a team that arrives.
    greeting: Option<String>,
    /// Until the clue and until the map, while there is a place to find.
    waits: Option<[Wait; 2]>,
    /// What players can do, until the team has finished or the game is over.
    forms: Option<Forms>,
    /// Where photos are sent, also that of the last place.
    photo: Option<Form>,
}

/// How long a hint is still away.
struct Wait {
    /// When it comes; not while the clock stands still.
    until: Option<Timestamp>,
    left: String,
    is_over: bool,
}

/// What players can do.
struct Forms {
    message: Form,
    clear: Form,
    scan: Form,
    scan_photo: Form,
    csrf: String,
}

impl PlayPage {
    /// Returns the name of the character, or another word for it.
    fn character(&self) -> &str {
        self.state.character.as_deref().unwrap_or("the character")
    }

    /// Who says something.
    fn speaker(&self, role: &Speaker) -> &str {
        match role {
            Speaker::User => "You",
            Speaker::Assistant => self.character(),
            Speaker::System => "Organisers",
        }
    }
}

/// Shows the hunt to a player: the talk with the character, the hints, and where codes and photos are sent.
#[operation(GET "/play", public, refuses(Provisioning, TeamNotFound, LevelNotFound))]
async fn play_page(app: &App, call: &Call) -> Answer<Html> {
    let Some(playing) = super::player(app, call).await? else {
        return Ok(join::page(call, None, true)?.into());
    };
    let now = app.db.now();
    let mut state = state(app, &playing, None).await?;
    // A page that is only looked at changes nothing: the map is given, and paid for, when somebody asks for it.
    let route = routes::route(app, playing.team_id()).await?;
    let is_given = route.current().is_some_and(|level| level.map_at.is_some());
    state.map_link = state.map_link.filter(|_| is_given);
    let is_open = state.end_screen.is_none() && !playing.state.is_over();
    let takes_photos = is_open || state.requires_photo && !playing.state.is_over();
    let photo = || Form::of(call, &upload::route()).submit("Send the photo").then("/play").queued();
    let page = PlayPage {
        clock: Clock::of(&playing.game, playing.control.as_ref(), now),
        greeting: state.character.as_deref().filter(|_| is_open).map(talk::greeting_of),
        waits: state.on_level_ms.filter(|_| is_open).map(|on_level_ms| {
            let is_live = playing.state == GameState::Live;
            [state.clue_after_ms, state.map_after_ms].map(|after_ms| {
                let left_ms = after_ms.saturating_sub(on_level_ms);
                let until = now + std::time::Duration::from_millis(left_ms);
                Wait {
                    until: is_live.then_some(until),
                    left: duration(&left_ms),
                    is_over: left_ms == 0,
                }
            })
        }),
        forms: is_open.then(|| forms(call)),
        photo: takes_photos.then(photo),
        state,
    };
    let title = format!("{} – {}", page.state.team_name, page.state.game_name);
    let html = super::named(Html::new(call, title, &page)?, &playing);
    Ok(html.queued(call).live("/api/stream").into())
}

fn forms(call: &Request) -> Forms {
    let csrf = call.viewer.session().map(|(csrf, _)| csrf.to_owned()).unwrap_or_default();
    Forms {
        message: Form::of(call, &message::route()).submit("Ask").then("/play").queued(),
        clear: Form::of(call, &clear_chat::route()).submit("Clear the talk").then("/play"),
        scan: Form::of(call, &scan::route())
            .submit("Check the code")
            .then("/play")
            .queued_offline(),
        scan_photo: Form::of(call, &scan_photo::route()).submit("Read the photo").then("/play"),
        csrf,
    }
}
