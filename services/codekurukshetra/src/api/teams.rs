//! Teams: what members, judges and administrators see of them, and how they change.

pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod transfer;
pub(crate) mod update;

use crate::api::prelude::*;
use crate::policy::Role;

/// A team.
#[derive(View)]
#[view(of = Team, case = "snake", differs_by_viewer)]
pub(crate) struct TeamView {
    team_id: TeamId,
    #[view(from = name.0, example = "Code Warriors")]
    name: String,
    #[view(example = "ai-ml")]
    track: Option<Track>,
    leader_participant_id: ParticipantId,
    #[view(from = registration())]
    registration_status: RegistrationStatus,
    #[view(example = 3)]
    member_count: u8,
    #[view(example = 4)]
    max_members: u8,
    #[view(absent, flatten)]
    payment: Option<TeamPaymentView>,
    #[view(absent)]
    members: Vec<MemberView>,
    #[view(stamps)]
    stamps: Stamps,
}

/// What members of a team and administrators see of its payment.
#[derive(View)]
#[view(of = Team, case = "snake")]
pub(crate) struct TeamPaymentView {
    payment_status: PaymentStatus,
    payment_order_id: Option<OrderId>,
    /// The payment of the service.
    #[view(name = "paymentId", from = payment_uuid)]
    payment_id: Option<PaymentId>,
    /// The payment of the gateway.
    #[view(name = "gatewayPaymentId", from = payment_id)]
    gateway_payment_id: Option<GatewayPaymentId>,
    /// In the smallest unit of the currency.
    #[view(example = 99_900)]
    amount: u64,
    #[view(example = "INR")]
    currency: String,
    registration_complete: bool,
    /// Until when the place is held for the payment.
    #[view(from = held_until())]
    hold_until: Option<Timestamp>,
}

/// A member of a team.
#[derive(View)]
#[view(of = Participant, case = "snake")]
pub(crate) struct MemberView {
    participant_id: ParticipantId,
    #[view(example = "Ananya")]
    first_name: String,
    #[view(example = "Iyer")]
    last_name: String,
    is_leader: bool,
    #[view(absent, flatten)]
    contact: Option<ContactView>,
}

/// What only the member, the leader of the team and administrators see.
#[derive(View)]
#[view(of = Participant, case = "snake")]
pub(crate) struct ContactView {
    #[view(from = email.0, example = "ananya@example.org")]
    email: String,
    #[view(from = college_name(), example = "Example University")]
    college: Option<String>,
    #[view(example = "3rd Year")]
    year: Option<String>,
    #[view(example = "ananya")]
    github_username: Option<String>,
}

/// How much somebody sees of a team.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    sees_payment: bool,
    sees_contacts: bool,
    own: Option<ParticipantId>,
}

impl Sight {
    /// Returns how much a caller sees who may see the team.
    pub(crate) fn of(granted: &Granted) -> Self {
        let is = |role| granted.roles.contains(&role);
        let own = granted.participant.as_ref().map(|it| it.participant_id.clone());
        Self {
            sees_payment: is(Role::Member) || is(Role::Admin),
            sees_contacts: is(Role::Leader) || is(Role::Admin),
            own: own.filter(|_| is(Role::Member)),
        }
    }

    /// Shows members what they have entered themselves, also of a team that has ended.
    pub(crate) fn with_own(self, participant_id: &ParticipantId) -> Self {
        Self { own: Some(participant_id.clone()), ..self }
    }
}

impl TeamView {
    /// Shows a team and its members.
    pub(crate) fn to(sight: &Sight, team: &Team, members: &[Participant]) -> Self {
        let member = |member: &Participant| {
            let is_own = sight.own.as_ref() == Some(&member.participant_id);
            let contact = (sight.sees_contacts || is_own).then(|| ContactView::of(member));
            MemberView { contact, ..MemberView::of(member) }
        };
        Self {
            payment: sight.sees_payment.then(|| TeamPaymentView::of(team)),
            members: members.iter().map(member).collect(),
            ..Self::of(team)
        }
    }
}

/// Returns whether reading a team is the business of an administrator only, so that it is recorded.
pub(crate) fn is_foreign(granted: &Granted) -> bool {
    !granted.roles.contains(&Role::Member) && granted.roles.contains(&Role::Admin)
}
