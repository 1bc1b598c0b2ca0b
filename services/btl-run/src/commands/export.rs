//! A finished match to keep and to share.

use http::HeaderValue;
use http::header::CONTENT_SECURITY_POLICY;
use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;

use super::{summaries, turn};
use crate::app::App;
use crate::log::all_events;
use crate::rules::state::Status;
use crate::story::{PAGE_POLICY, Story, Untold, story_of, to_html, to_markdown};
use crate::table::{BtlRunReads as _, MatchId};

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Format {
    #[default]
    Json,
    Markdown,
    Html,
}

#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    format: Format,
}

/// `POST /match/{id}/export`.
///
/// # Errors
/// 404 if there is no such match, 409 `INVALID_TRANSITION` before it has ended.
pub async fn export(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let wanted: Wanted = call.read()?;
    let story = story(app, &match_id).await?;
    Ok(match wanted.format {
        Format::Json => Reply::ok(&story),
        Format::Markdown => Reply::text("text/markdown; charset=utf-8", to_markdown(&story)),
        Format::Html => page(to_html(&story)),
    })
}

/// A page that loads nothing and runs nothing, whatever stands in it.
pub(super) fn page(html: String) -> Reply {
    let policy = HeaderValue::from_static(PAGE_POLICY);
    Reply::text("text/html; charset=utf-8", html).header(CONTENT_SECURITY_POLICY, policy)
}

/// The story of a match that has ended.
async fn story(app: &App, match_id: &MatchId) -> Result<Story, Problem> {
    let row = turn::seen(app, match_id).await?;
    if row.state.status != Status::Ended {
        let text = "The match is not over, and its seed a secret.";
        return Err(Problem::conflict("INVALID_TRANSITION", text));
    }
    let seed = app.db.secret(match_id).await?.map(|secret| secret.seed);
    let events = all_events(app, &row.state).await?;
    let (stored, _) = summaries::all(app, match_id).await?;
    match story_of(&events, seed.clone(), row.stamps.version) {
        Ok(mut story) => {
            // A language model may have told the days in its own words.
            for summary in &mut story.summaries {
                let told = stored.iter().find(|told| told.day == summary.day);
                told.into_iter().for_each(|told| summary.clone_from(told));
            }
            Ok(story)
        }
        // The logs of older programs do not amount to the state, but they tell what happened.
        Err(Untold::NotEnded | Untold::Unsound(_)) => {
            Ok(Story::as_stored(&row.state, &events, stored, seed))
        }
    }
}
