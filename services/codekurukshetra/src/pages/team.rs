//! `GET /team`: the caller's team: its members, its codes to join, its work.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{Mine, registration, status, tracks};
use crate::api::invites::{self, InviteView};
use crate::api::prelude::*;
use crate::api::{members, teams};

/// The content of the page.
#[derive(Template)]
#[template(path = "team.html")]
struct TeamPage {
    mine: Mine,
    members: Vec<Member>,
    /// For the leader.
    lead: Option<Lead>,
}

/// A member, and what the leader can do.
struct Member {
    row: Participant,
    is_leader: bool,
    is_own: bool,
    transfer: Option<Form>,
    remove: Option<Form>,
}

/// What only the leader sees.
struct Lead {
    invites: Vec<(InviteView, Option<Form>)>,
    invite: Option<Form>,
    add: Option<Form>,
    change: Form,
}

/// The page of people without a team.
#[derive(Template)]
#[template(path = "no_team.html")]
struct NoTeamPage {}

/// Shows your team: who is in it, how others join, and what comes next.
#[operation(GET "/team", refuses(NotConfigured))]
async fn team_page(app: &App, call: &Call) -> Answer<Html> {
    let Some(mine) = registration(app, call).await? else {
        return Ok(Html::new(call, "Your team", &NoTeamPage {})?.into());
    };
    let leads = mine.leads();
    let rows = app.cashier.members(&mine.team).await?;
    let is_open = app.db.now() <= mine.config.registration_end && is_live(&mine.team);
    let can_shrink = rows.len() > usize::from(mine.config.min_team_size);
    let members = rows.into_iter().map(|row| {
        let is_leader = policy::is_leader(&mine.team, &row.participant_id);
        let can_change = leads && is_open && !is_leader && row.erased_at.is_none();
        let form = |route| mine.form(call, &route).path("participantId", &row.participant_id);
        Member {
            is_leader,
            is_own: row.participant_id == mine.participant.participant_id,
            transfer: can_change.then(|| {
                mine.form(call, &teams::transfer::route())
                    .fixed("participant_id", &row.participant_id)
                    .submit("Make leader")
                    .then("/team")
            }),
            remove: (can_change && can_shrink)
                .then(|| form(members::remove::route()).submit("Remove").then("/team")),
            row,
        }
    });
    let members = members.collect();
    let lead = if leads { Some(lead(app, call, &mine, is_open).await?) } else { None };
    let page = TeamPage { mine, members, lead };
    Ok(Html::new(call, page.mine.team.name.0.clone(), &page)?.into())
}

fn is_live(team: &Team) -> bool {
    crate::api::participants::is_live(team)
}

async fn lead(app: &App, call: &Request, mine: &Mine, is_open: bool) -> Result<Lead, Problem> {
    let now = app.db.now();
    let rows = app.db.invites_of(&mine.team.team_id).all().await?;
    let invites = rows.into_iter().map(|row| {
        let form = row.accepted_by.is_none().then(|| {
            mine.form(call, &invites::revoke::route())
                .path("inviteId", &row.invite_id)
                .submit("Withdraw")
                .then("/team")
        });
        (InviteView::at(&row, now), form)
    });
    let has_room = is_open && mine.team.member_count < mine.team.max_members;
    let change = mine
        .form(call, &teams::update::route())
        .options("track", tracks(&mine.config))
        .value("track", &mine.team.track)
        .submit("Save")
        .then("/team");
    let is_confirmed = mine.team.registration() == RegistrationStatus::Confirmed;
    Ok(Lead {
        invites: invites.collect(),
        invite: has_room.then(|| {
            mine.form(call, &invites::create::route())
                .submit("Make an invitation")
                .then("/team/invite?code={code}")
        }),
        add: has_room.then(|| {
            mine.form(call, &members::add::route()).submit("Add the member").then("/team")
        }),
        change: if is_confirmed {
            change.without(&["name"])
        } else {
            change.value("name", &mine.team.name)
        },
    })
}
