//! `GET /hackathon/admin/registrations`: lists teams.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{page_of, scoped};
use crate::api::prelude::*;
use crate::rules::college;

/// The index by which teams are found. Both return the same ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FoundBy {
    /// The keys of the teams themselves.
    #[default]
    Rows,
    /// The facets of the teams, on GSI3.
    Facets,
}

/// The teams that are listed. Without a filter, all are.
#[derive(Body, Clone, Debug)]
#[body(case = "snake", paged)]
pub(crate) struct RegistrationQuery {
    /// The status of the payment.
    pub(crate) payment_status: Option<PaymentStatus>,
    /// The track.
    pub(crate) track: Option<Track>,
    /// The college of at least one member.
    #[body(length = 1..=120)]
    pub(crate) college: Option<String>,
    /// The index by which teams with a status or a track are found.
    #[body(default)]
    index: FoundBy,
}

/// A team, as organisers see it.
#[derive(View)]
#[view(of = Team, case = "snake", list = "registrations")]
pub(crate) struct RegistrationView {
    pub(crate) team_id: TeamId,
    #[view(from = name.0.clone(), example = "Code Warriors")]
    pub(crate) name: String,
    pub(crate) track: Option<Track>,
    leader_participant_id: ParticipantId,
    member_ids: Vec<ParticipantId>,
    pub(crate) member_count: u8,
    pub(crate) payment_status: PaymentStatus,
    #[view(from = registration())]
    pub(crate) registration_status: RegistrationStatus,
    registration_complete: bool,
    #[view(from = held_until())]
    pub(crate) hold_until: Option<Timestamp>,
    payment_order_id: Option<OrderId>,
    /// The payment of the gateway.
    #[view(name = "gatewayPaymentId", from = payment_id.clone())]
    gateway_payment_id: Option<GatewayPaymentId>,
    /// The payment of the service.
    #[view(name = "paymentId", from = payment_uuid.clone())]
    own_payment_id: Option<PaymentId>,
    /// In the smallest unit of the currency.
    #[view(example = 99_900)]
    amount: u64,
    #[view(example = "INR")]
    currency: String,
    #[view(stamps)]
    stamps: Stamps,
}

impl RegistrationQuery {
    fn matches(&self, team: &Team) -> bool {
        self.payment_status.is_none_or(|status| team.payment_status == status)
            && self.track.as_ref().is_none_or(|track| team.track.as_ref() == Some(track))
    }

    /// Shows those of some teams that match.
    fn shown(&self, teams: impl IntoIterator<Item = Team>) -> Vec<RegistrationView> {
        let matching = teams.into_iter().filter(|team| self.matches(team));
        matching.map(|team| RegistrationView::of(&team)).collect()
    }
}

/// Lists teams, by the status of their payment, by track or by college.
#[operation(GET "/hackathon/admin/registrations", refuses(Forbidden))]
pub(crate) async fn list_registrations(
    app: &App,
    call: &Call<(), (), RegistrationQuery>,
) -> Answer<Page<RegistrationView>> {
    Ok(registrations(app, call).await?.into())
}

/// Returns a page of teams to an administrator.
///
/// # Errors
/// Returns 403 for other callers.
pub(crate) async fn registrations(
    app: &App,
    call: &Call<(), (), RegistrationQuery>,
) -> Result<Page<RegistrationView>, Problem> {
    policy::administer(call)?;
    let (db, query) = (&app.db, &call.query);
    let scope = format!("{query:?}");
    let page = page_of(app, call, &scope)?;
    let rows = |teams: Vec<Team>| async { Ok(query.shown(teams)) };
    let keys = |ids: Vec<TeamId>| async move {
        let keys: Vec<TeamKey> = ids.into_iter().map(TeamKey::new).collect();
        Ok::<_, Problem>(query.shown(db.teams_by_key(&keys).await?.into_iter().flatten()))
    };
    let is_by_rows = query.index == FoundBy::Rows;
    let page = if let Some(college) = &query.college {
        let college = College(super::merges::canonical(app, college).await?);
        let of_college =
            |people: Vec<Participant>| async { Ok(query.shown(teams_of(app, people).await?)) };
        page.fill(|| db.participants_by_college(&college), of_college).await
    } else if let Some(track) = &query.track {
        if is_by_rows {
            page.fill(|| db.teams_by_track(track), rows).await
        } else {
            let facets = |facets: Vec<TrackFacet>| {
                keys(facets.into_iter().map(|facet| facet.team_id).collect())
            };
            page.fill(|| db.track_facets(track), facets).await
        }
    } else if let Some(status) = query.payment_status {
        if is_by_rows {
            page.fill(|| db.teams_by_status(status), rows).await
        } else {
            let facets = |facets: Vec<StatusFacet>| {
                keys(facets.into_iter().map(|facet| facet.team_id).collect())
            };
            page.fill(|| db.status_facets(status), facets).await
        }
    } else {
        page.fill(|| db.every_team(), rows).await
    };
    Ok(scoped(app, &scope, page?))
}

/// Returns the teams of participants of a college: each with the first of its members who is of the college, so that
/// no team is on two pages.
async fn teams_of(app: &App, people: Vec<Participant>) -> Result<Vec<Team>, Problem> {
    let ids: BTreeSet<&TeamId> = people.iter().map(|person| &person.team_id).collect();
    let keys: Vec<TeamKey> = ids.into_iter().cloned().map(TeamKey::new).collect();
    let teams = app.db.teams_by_key(&keys).await?.into_iter().flatten();
    let mut teams: BTreeMap<TeamId, Team> =
        teams.map(|team| (team.team_id.clone(), team)).collect();
    let mut found = Vec::new();
    for person in people {
        let Some(team) = teams.remove(&person.team_id) else { continue };
        let members = app.cashier.members(&team).await?;
        let slug =
            |person: &Participant| person.college.as_ref().map(|college| college::slug(&college.0));
        let of_college = members.iter().filter(|member| slug(member) == slug(&person));
        if of_college.map(|member| &member.participant_id).min() == Some(&person.participant_id) {
            found.push(team);
        }
    }
    Ok(found)
}
