//! `POST /match/{id}/export`: exports an ended match.

use serde::Deserialize;
use serde_json::Value;

use super::HtmlPage;
use crate::api::log::{SummaryView, all_summaries};
use crate::api::prelude::*;
use crate::log::all_events;
use crate::rules::rng::Seed;
use crate::rules::story::{Story, Untold, story_of, to_html, to_markdown};

/// The format of a story.
#[derive(Clone, Copy, Debug, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
enum Format {
    Json,
    Markdown,
    Html,
}

/// The export to create.
#[derive(Debug, Body)]
pub(crate) struct Export {
    /// The format; JSON by default, from which the match can be replayed.
    format: Option<Format>,
}

/// The story of a match.
#[derive(View)]
pub(crate) struct StoryView {
    /// The final state of the match, without data that only the service may know.
    #[view(name = "match", example = json!({}))]
    state: Value,
    /// All events, without the users.
    #[view(example = json!([]))]
    events: Vec<Value>,
    summaries: Vec<SummaryView>,
    /// The secret seed of the match. Matches of older programs have none.
    #[view(example = "5f0c…")]
    seed: Option<String>,
}

impl StoryView {
    fn of(story: &Story) -> Self {
        Self {
            state: json!(story.state),
            events: story.events.iter().map(|event| json!(event)).collect(),
            summaries: story.summaries.iter().map(SummaryView::of).collect(),
            seed: story.seed.as_ref().map(Seed::reveal),
        }
    }
}

/// 200 with a story in the requested format.
pub(crate) enum Exported {
    Json(StoryView),
    Markdown(String),
    Html(HtmlPage),
}

impl Response for Exported {
    const MEDIA_TYPES: &'static [&'static str] =
        &["application/json", "text/markdown", "text/html"];

    fn describe() -> Answered {
        Json::<StoryView>::describe()
    }

    fn into_reply(self) -> Reply {
        match self {
            Self::Json(story) => Json(story).into_reply(),
            Self::Markdown(text) => Reply::text("text/markdown; charset=utf-8", text),
            Self::Html(page) => page.into_reply(),
        }
    }
}

/// Returns the story of an ended match, with its seed.
#[operation(POST "/match/{id}/export", public, reads_only, refuses(MatchNotFound, NotEnded))]
pub(crate) async fn export_match(
    app: &App,
    call: &Call<MatchPath, Option<Export>>,
) -> Answer<Exported> {
    let story = story(app, &call.path.id).await?;
    let format = call.body.as_ref().and_then(|export| export.format);
    Ok(match format.unwrap_or(Format::Json) {
        Format::Json => Exported::Json(StoryView::of(&story)),
        Format::Markdown => Exported::Markdown(to_markdown(&story)),
        Format::Html => Exported::Html(HtmlPage(to_html(&story))),
    }
    .into())
}

/// Returns the story of a match that has ended.
///
/// # Errors
///
/// Returns 404, 409 if the match is still running.
pub(crate) async fn story(app: &App, match_id: &MatchId) -> Result<Story, Problem> {
    let row = turn::seen(app, match_id).await?;
    if row.state.status != Status::Ended {
        return Err(Refusal::NotEnded.into());
    }
    let seed = app.db.secret(match_id).await?.map(|secret| secret.seed);
    let events = all_events(app, &row.state).await?;
    let (stored, _) = all_summaries(app, match_id).await?;
    match story_of(&events, seed.clone(), row.stamps.version) {
        Ok(mut story) => {
            // A language model may have reworded the summaries.
            for summary in &mut story.summaries {
                let retold = stored.iter().find(|retold| retold.day == summary.day);
                retold.into_iter().for_each(|retold| summary.clone_from(retold));
            }
            Ok(story)
        }
        // The logs of older programs do not result in the stored state, but they contain the story.
        Err(Untold::NotEnded | Untold::Unsound(_)) => {
            Ok(Story::as_stored(&row.state, &events, stored, seed))
        }
    }
}
