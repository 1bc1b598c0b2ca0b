//! `GET /hackathon/admin/participants`: lists the participants of a college.

use super::disclosure::Disclosure;
use super::export::teams_of;
use super::person::{PersonView, is_shown};
use super::{merges, page_of, scoped};
use crate::api::prelude::*;

/// The participants that are listed.
#[derive(Body, Debug)]
#[body(case = "snake", paged)]
pub(crate) struct ParticipantQuery {
    /// Any spelling of the college.
    #[body(length = 1..=120, example = "Example University")]
    college: String,
    #[body(flatten)]
    disclosure: Disclosure,
}

/// Lists the participants of a college. Personal data is masked unless it is asked for with a reason.
#[operation(GET "/hackathon/admin/participants", refuses(InvalidRequest, Forbidden))]
pub(crate) async fn list_participants(
    app: &App,
    call: &Call<(), (), ParticipantQuery>,
) -> Answer<Page<PersonView>> {
    policy::administer(call)?;
    let slug = merges::canonical(app, &call.query.college).await?;
    let (scope, entity) = (format!("participants of {slug}"), format!("COLLEGE#{slug}"));
    let college = College(slug);
    let page = page_of(app, call, &scope)?;
    let masking = call.query.disclosure.decide(app, call, "listParticipants", &entity).await?;
    let page = page.fill(
        || app.db.participants_by_college(&college),
        |people| async move {
            let teams = teams_of(&app.db, &people).await?;
            let now = app.db.now();
            let shown = people.iter().filter_map(|person| {
                let team = teams.get(&person.team_id).filter(|team| is_shown(person, team, now))?;
                Some(PersonView::of(person, team, masking, &app.field_keys))
            });
            shown.collect()
        },
    );
    Ok(scoped(app, &scope, page.await?).into())
}
