//! `GET /hackathon/me/export`: everything that is kept of the caller.

use std::collections::VecDeque;

use crate::api::invites::InviteView;
use crate::api::participants::{ParticipantView, linked};
use crate::api::prelude::*;
use crate::api::teams::{Sight, TeamView};

/// All rows of a participant, and those of others that name the participant.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct ExportView {
    participant: ParticipantView,
    /// Those of earlier registrations, which have expired or were withdrawn.
    earlier: Vec<ParticipantView>,
    team: Option<TeamView>,
    /// Those of the team, if the participant leads it.
    payments: Vec<OwnPaymentView>,
    /// Those that the participant has made or accepted, or that were sent to the address.
    invites: Vec<InviteView>,
    check_in: Option<OwnCheckInView>,
    submission: Option<OwnSubmissionView>,
}

/// A payment of the team, as its leader sees it.
#[derive(View)]
#[view(of = Payment, case = "snake")]
pub(crate) struct OwnPaymentView {
    #[view(name = "paymentId")]
    payment_id: PaymentId,
    #[view(name = "gatewayPaymentId", from = razorpay_payment_id)]
    gateway_payment_id: Option<GatewayPaymentId>,
    status: PaymentStatus,
    #[view(example = 99_900)]
    amount: u64,
    #[view(example = "INR")]
    currency: String,
    #[view(example = "card")]
    payment_method: Option<String>,
    paid_at: Option<Timestamp>,
    refunded_at: Option<Timestamp>,
    #[view(from = metadata.user_agent, example = "Mozilla/5.0")]
    user_agent: Option<String>,
    #[view(absent, example = "192.0.2.1")]
    ip_address: Option<String>,
    #[view(stamps)]
    stamps: Stamps,
}

/// The participant's arrival.
#[derive(View)]
#[view(of = CheckIn, case = "snake")]
pub(crate) struct OwnCheckInView {
    checked_in_at: Timestamp,
}

/// The work of the team, if the participant has submitted it.
#[derive(View)]
#[view(of = Submission, case = "snake")]
pub(crate) struct OwnSubmissionView {
    #[view(example = "Crop Doctor")]
    title: String,
    #[view(example = "Finds diseases of plants in pictures.")]
    description: String,
    #[view(example = "https://example.org/crop-doctor")]
    url: String,
    submitted_at: Timestamp,
}

impl OwnPaymentView {
    /// Shows a payment with what is encrypted in it.
    fn decrypted(app: &App, payment: &Payment, own: &ParticipantId) -> Result<Self, Problem> {
        if payment.metadata.participant_id.as_ref() != Some(own) {
            // Another person led the team then.
            return Ok(Self { user_agent: None, ..Self::of(payment) });
        }
        let row = Payment::row_name(&payment.payment_id);
        let address = payment.metadata.ip_address.as_ref();
        let address = address.map(|it| app.field_keys.decrypt(Payment::ip_address(&row), it));
        Ok(Self { ip_address: address.transpose()?, ..Self::of(payment) })
    }
}

/// Returns everything that is kept of you.
#[operation(GET "/hackathon/me/export", refuses(NotFound))]
pub(crate) async fn export_me(app: &App, call: &Call) -> Answer<Json<ExportView>> {
    let mut rows: VecDeque<Participant> = linked(app, call).await?.into_iter().collect();
    rows.extend(policy::earlier_participants(app, call).await?);
    let own = rows.pop_front().ok_or(Refusal::NotFound)?;
    let team_id = &own.team_id;
    let granted = match app.db.team(team_id).await? {
        Some(_) => Some(policy::roles(app, call, team_id).await?),
        None => None,
    };
    let mut export = ExportView {
        participant: ParticipantView::to_confidant(app, &own)?,
        earlier: rows
            .iter()
            .map(|row| ParticipantView::to_confidant(app, row))
            .collect::<Result<_, Problem>>()?,
        team: None,
        payments: Vec::new(),
        invites: Vec::new(),
        check_in: app.db.check_in(&own.participant_id).await?.as_ref().map(OwnCheckInView::of),
        submission: None,
    };
    let submission = app.db.submission(team_id).await?;
    let submission = submission.filter(|it| it.submitted_by == own.participant_id);
    export.submission = submission.as_ref().map(OwnSubmissionView::of);
    if let Some(granted) = granted {
        // Other members are not the caller's own data.
        let members = std::slice::from_ref(&own);
        let sight = Sight::of(&granted).with_own(&own.participant_id);
        export.team = Some(TeamView::to(&sight, &granted.team, members));
        if policy::is_leader(&granted.team, &own.participant_id) {
            let payments = app.db.payments_of(team_id).all().await?;
            let payments =
                payments.iter().map(|it| OwnPaymentView::decrypted(app, it, &own.participant_id));
            export.payments = payments.collect::<Result<_, Problem>>()?;
        }
    }
    let (invites, now) = (app.db.invites_of(team_id).all().await?, app.db.now());
    let is_own = |it: &&Invite| {
        it.invited_by == own.participant_id
            || it.accepted_by.as_ref() == Some(&own.participant_id)
            || it.email.as_ref().is_some_and(|email| email.normal() == own.email.normal())
    };
    export.invites = invites.iter().filter(is_own).map(|it| InviteView::at(it, now)).collect();
    Ok(Json(export).into())
}
