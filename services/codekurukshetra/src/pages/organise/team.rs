//! `GET /organise/teams/{teamId}`: a team, as organisers see it.

use askama::Template;
use monotable_kit::{Form, Html};

use super::super::{money, status, time, tracks};
use crate::api::admin::{refund, release};
use crate::api::checkin::{arrived, undo};
use crate::api::participants::note_read;
use crate::api::prelude::*;
use crate::api::submissions::SubmissionView;
use crate::api::teams;

/// The content of the page.
#[derive(Template)]
#[template(path = "organise/team.html")]
struct TeamPage {
    team: Team,
    fee: String,
    registered_at: String,
    held_until: Option<String>,
    members: Vec<Member>,
    payments: Vec<(Payment, String)>,
    submission: Option<SubmissionView>,
    /// What can be done, with a title.
    forms: Vec<(&'static str, Form)>,
}

struct Member {
    row: Participant,
    is_leader: bool,
    /// When the member arrived, and the form that takes it back.
    arrival: Option<(String, Form)>,
}

/// Shows a team to organisers. That they read personal data is recorded.
#[operation(GET "/organise/teams/{teamId}", refuses(NotFound, Forbidden, NotConfigured))]
async fn team_page(app: &App, call: &Call<TeamPath>) -> Answer<Html> {
    policy::administer(call)?;
    let team_id = &call.path.team_id;
    let team = app.db.team(team_id).await?.ok_or(Refusal::NotFound)?;
    let config = app.config().await?;
    note_read(app, call, format!("TEAM#{team_id}")).await?;
    let (members, check_ins) = (app.cashier.members(&team).await?, arrived(app, &team).await?);
    let member = |row: Participant| {
        let known = check_ins.iter().find(|one| one.participant_id == row.participant_id);
        let arrival = known.map(|known| {
            let form = Form::of(call, &undo::route()).path("participantId", &row.participant_id);
            let then = format!("/organise/teams/{team_id}");
            (time(&config, known.checked_in_at), form.submit("Take back").then(then))
        });
        Member { is_leader: policy::is_leader(&team, &row.participant_id), arrival, row }
    };
    let payments = app.db.payments_of(team_id).all().await?;
    let page = TeamPage {
        fee: money(team.amount, &team.currency),
        registered_at: time(&config, team.stamps.created),
        held_until: team.held_until().map(|until| time(&config, until)),
        members: members.into_iter().map(member).collect(),
        submission: app.db.submission(team_id).await?.as_ref().map(SubmissionView::of),
        forms: forms(call, &config, &team, &payments),
        payments: payments
            .into_iter()
            .map(|payment| {
                let at = time(&config, payment.stamps.updated);
                (payment, at)
            })
            .collect(),
        team,
    };
    Ok(Html::new(call, page.team.name.0.clone(), &page)?.into())
}

/// Returns what organisers can do with a team.
fn forms(
    call: &Call<TeamPath>,
    config: &Config,
    team: &Team,
    payments: &[Payment],
) -> Vec<(&'static str, Form)> {
    let then = format!("/organise/teams/{}", team.team_id);
    let mut forms = Vec::new();
    let status = team.registration();
    if crate::api::participants::is_live(team) {
        let change = Form::of(call, &teams::update::route()).options("track", tracks(config));
        let change = change.value("track", &team.track).submit("Save").then(&then);
        forms.push(match status {
            RegistrationStatus::Confirmed => ("Track", change.without(&["name"])),
            _ => ("Name and track", change.value("name", &team.name)),
        });
    }
    if status == RegistrationStatus::Confirmed && team.amount > 0 {
        let refund = Form::of(call, &refund::route()).required("reason").without(&["paymentId"]);
        let refund = refund.submit("Return the money").then(&then);
        forms.push(("Refund", refund));
    }
    let is_owed = |it: &&Payment| it.status == PaymentStatus::Paid && it.needs_refund == Some(true);
    for payment in payments.iter().filter(is_owed) {
        let refund = Form::of(call, &refund::route()).required("reason");
        let refund = refund.fixed("paymentId", &payment.payment_id);
        let refund = refund.submit("Ask the gateway").then(&then);
        forms.push(("Money that is to be returned", refund));
    }
    if status == RegistrationStatus::Refunded {
        let release = Form::of(call, &release::route()).submit("Release").then(&then);
        forms.push(("Let the members register again", release));
    }
    if team.payment_status != PaymentStatus::Paid || team.amount == 0 {
        let delete = Form::of(call, &teams::delete::route()).submit("Delete the team");
        forms.push(("Delete", delete.then("/organise")));
    }
    forms
}
