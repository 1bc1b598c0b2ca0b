//! `PUT /hackathon/team/{teamId}/submission`: hands in what a team has built.

use monotable_kit::Saved;

use super::{SubmissionView, web_address};
use crate::api::checkin::{require_confirmed, require_track};
use crate::api::prelude::*;

/// What a team has built.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct NewSubmission {
    #[body(length = 3..=80, example = "Monsoon Watch")]
    title: String,
    /// What it does, and for whom.
    #[body(length = 10..=2_000, example = "Warns farmers of floods by text message.")]
    description: String,
    /// Where the work is, such as a repository.
    #[body(length = 8..=200, check = web_address, label = "Link to the work", example = "https://github.com/example/monsoon-watch")]
    url: String,
    /// Where it can be tried or seen.
    #[body(length = 8..=200, check = web_address, label = "Link to a demo", example = "https://example.org/demo")]
    demo_url: Option<String>,
}

/// Hands in what a team has built, or changes it, until the event ends.
#[operation(
    PUT "/hackathon/team/{teamId}/submission", once, if_match,
    refuses(NotFound, Forbidden, InvalidState, TrackRequired, SubmissionsClosed, NotConfigured)
)]
pub(crate) async fn put_submission(
    app: &App,
    call: &Call<TeamPath, NewSubmission>,
) -> Answer<Saved<SubmissionView>> {
    let granted = policy::team(app, call, &call.path.team_id, Action::Submit).await?;
    require_confirmed(&granted.team)?;
    require_track(&granted.team)?;
    let (config, now) = (app.config().await?, app.db.now());
    Refusal::SubmissionsClosed.unless(now <= config.event_end)?;
    let before = app.db.submission(&call.path.team_id).await?;
    call.check_version(before.as_ref().map_or(0, |one| one.stamps.version))?;
    let participant_id = granted.participant.ok_or(Refusal::Forbidden)?.participant_id;
    let NewSubmission { title, description, url, demo_url } = &call.body;
    let next = Submission {
        team_id: granted.team.team_id.clone(),
        title: title.clone(),
        description: description.clone(),
        url: url.clone(),
        demo_url: demo_url.clone(),
        submitted_at: now,
        submitted_by: participant_id,
        stamps: before.as_ref().map_or_else(Stamps::default, |one| one.stamps),
    };
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(check(&granted.team.key(), granted.team.unchanged()));
    // The deadline may have been moved.
    tx.add(check(&config.key(), config.unchanged()));
    if let Some(before) = before {
        let submission = tx.add(edit(&before, move |one| *one = next));
        return tx.respond(move |done| Saved::Changed(SubmissionView::of(&done[submission]))).await;
    }
    let submission = tx.expect(create(next));
    tx.respond(move |done| Saved::Created(SubmissionView::of(&done[submission]))).await
}
