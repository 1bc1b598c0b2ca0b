//! The registration of a team.

pub(crate) mod team;

use std::time::Duration;

use monotable_kit::{CallLimit, repeat_for};

use crate::api::admin::{counts, merges};
use crate::api::participants::{NewMember, must_be_free};
use crate::api::prelude::*;
use crate::money::promote::hold;
use crate::money::{guards, tally::Tally};
use crate::rules::registration::Window;
use crate::rules::statistics::Happening;
use crate::rules::teams::{self, Sizes};

/// Registrations from an address in a minute.
pub(crate) const REGISTRATIONS: CallLimit = CallLimit::per_minute("registerTeam", 5);
/// How long a registration goes on while others change the same counters.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// Members that a request can name; the event has its own limit.
const MEMBERS_MAX: usize = 50;

/// A member of a team that registers.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct RegisteredMember {
    /// Whether the member leads the team. Exactly one does.
    #[body(default)]
    is_leader: bool,
    #[body(flatten)]
    member: NewMember,
}

/// A team that registers.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct RegisterTeam {
    #[body(length = 3..=60, check = teams::name, example = "Code Warriors")]
    name: String,
    /// One of the tracks of the event; it can be chosen later.
    #[body(example = "ai-ml")]
    track: Option<Track>,
    #[body(items = 1..=MEMBERS_MAX)]
    members: Vec<RegisteredMember>,
    /// Whether the team waits for a place if all are taken.
    #[body(default)]
    waitlist: bool,
}

/// A registration.
#[derive(View)]
#[view(of = Team, case = "snake")]
pub(crate) struct RegistrationView {
    team_id: TeamId,
    #[view(from = name.0, example = "Code Warriors")]
    name: String,
    #[view(example = "ai-ml")]
    track: Option<Track>,
    #[view(from = registration())]
    registration_status: RegistrationStatus,
    payment_status: PaymentStatus,
    /// The payment of the service.
    #[view(name = "paymentId", from = payment_uuid)]
    payment_id: Option<PaymentId>,
    /// In the smallest unit of the currency.
    #[view(example = 99_900)]
    amount: u64,
    #[view(example = "INR")]
    currency: String,
    /// Until when the place is held for the payment.
    hold_until: Option<Timestamp>,
    leader_participant_id: ParticipantId,
    /// The members, in the order of the request.
    member_ids: Vec<ParticipantId>,
}

/// Names the client whose registrations are limited: its address, or the account where the address is unknown.
///
/// # Errors
/// Returns 401 if the caller is not signed in.
pub(crate) fn client(call: &Call<(), RegisterTeam>) -> Result<String, Problem> {
    match call.client {
        Some(address) => Ok(address.to_string()),
        None => Ok(call.principal()?.id.clone()),
    }
}

/// Refuses what no state of the event could allow.
fn check(call: &Call<(), RegisterTeam>, config: &Config, now: Timestamp) -> Result<(), Problem> {
    let window = Window::at(config, now);
    if window != Window::Open {
        return Err(Refusal::RegistrationClosed.text(window.text()));
    }
    let body = &call.body;
    let sizes = Sizes { min: config.min_team_size, max: config.max_team_size };
    if !sizes.contains(body.members.len()) {
        return Err(Refusal::InvalidTeamSize.text(sizes.text()));
    }
    if body.track.as_ref().is_some_and(|track| !config.tracks.contains(track)) {
        return Err(Problem::field("track", "is not a track of the event"));
    }
    let mut leaders = body.members.iter().filter(|member| member.is_leader);
    let (Some(leader), None) = (leaders.next(), leaders.next()) else {
        return Err(Refusal::InvalidRequest.text("Exactly one member leads the team."));
    };
    for (position, member) in body.members.iter().enumerate() {
        let earlier = &body.members[..position];
        let email = &member.member.email;
        if earlier.iter().any(|other| other.member.email == *email) {
            return Err(Refusal::RepeatedEmail.with("position", position));
        }
    }
    if policy::verified_email(call)?.0 != leader.member.email {
        let text = "The leader must have your own verified e-mail address.";
        return Err(Refusal::Forbidden.text(text));
    }
    Ok(())
}

/// The rows of a new team, apart from counters and e-mails.
struct NewTeam {
    team: Team,
    members: Vec<Participant>,
    payment: Option<Payment>,
}

impl NewTeam {
    /// Makes the rows of a team that has a slot, or waits for one.
    fn of(
        app: &App,
        call: &Call<(), RegisterTeam>,
        config: &Config,
        has_slot: bool,
    ) -> Result<Self, Problem> {
        let body = &call.body;
        let now = app.db.now();
        let today = config.day_of(now)?;
        let is_free = config.team_fee == 0;
        let mut ids = Vec::new();
        for _ in &body.members {
            ids.push(app.new_id::<ParticipantId>()?);
        }
        let leader = body.members.iter().position(|member| member.is_leader);
        let leader = leader.and_then(|at| ids.get(at)).ok_or(Refusal::InvalidRequest)?.clone();
        let mut team = Team {
            team_id: app.new_id()?,
            name: TeamName(body.name.clone()),
            track: body.track.clone(),
            leader_participant_id: leader,
            payment_status: if is_free && has_slot {
                PaymentStatus::Paid
            } else {
                PaymentStatus::Pending
            },
            payment_order_id: None,
            payment_id: None,
            amount: config.team_fee,
            currency: config.currency.clone(),
            member_count: u8::try_from(ids.len()).unwrap_or(u8::MAX),
            max_members: config.max_team_size,
            registration_complete: false,
            registration_status: None,
            hold_until: None,
            payment_uuid: None,
            member_ids: ids.clone(),
            day: Some(today),
            stamps: Stamps::default(),
        };
        team.set_registration(match (has_slot, is_free) {
            (false, _) => RegistrationStatus::Waitlisted,
            (true, true) => RegistrationStatus::Confirmed,
            (true, false) => RegistrationStatus::PendingPayment,
        });
        let mut payment = None;
        if has_slot && !is_free {
            let mut new = Payment::of(&team, app.new_id()?, today);
            new.metadata = metadata(app, call, &new.payment_id, &team);
            hold(&mut team, config, &new, now);
            payment = Some(new);
        }
        let account_id = policy::account(call)?;
        let member = |(id, entered): (ParticipantId, &RegisteredMember)| {
            let email = Email(entered.member.email.clone());
            let row = entered.member.profile.participant(app, id, email, &team, config, today)?;
            let firebase_uid = entered.is_leader.then(|| account_id.clone());
            Ok(Participant { is_leader: entered.is_leader, firebase_uid, ..row })
        };
        let members = ids.into_iter().zip(&body.members).map(member);
        Ok(Self { members: members.collect::<Result<_, Problem>>()?, team, payment })
    }

    fn leader(&self) -> Option<&Participant> {
        self.members.iter().find(|member| member.is_leader)
    }
}

/// Returns what is known of the client that registers.
fn metadata(app: &App, call: &Request, payment_id: &PaymentId, team: &Team) -> PaymentMetadata {
    let row = Payment::row_name(payment_id);
    let encrypt = |address: std::net::IpAddr| {
        app.field_keys.encrypt(Payment::ip_address(&row), &address.to_string())
    };
    PaymentMetadata {
        user_agent: call.header("user-agent").map(|agent| agent.chars().take(200).collect()),
        ip_address: call.client.map(encrypt),
        payment_timestamp: None,
        participant_id: Some(team.leader_participant_id.clone()),
    }
}

/// Registers a team, again while others change the same counters. What needs no turn is done outside of it.
async fn register(app: &App, call: &Call<(), RegisterTeam>) -> Answer<Created<RegistrationView>> {
    check(call, &app.config().await?, app.db.now())?;
    for member in &call.body.members {
        must_be_free(app, &Email(member.member.email.clone())).await?;
    }
    let turn = call.queues.turn("registerTeam").await;
    let registered = repeat_for(PATIENCE, || attempt(app, call)).await?;
    drop(turn);
    if !registered.is_replay() {
        counts::announce(app).await;
        // If the gateway can't be asked now, the order is created when the team wants to pay.
        if let Ok(Some(leader)) = policy::own_participant(app, call).await {
            _ = app.cashier.open_order(&leader.team_id).await;
        }
    }
    Ok(registered)
}

async fn attempt(app: &App, call: &Call<(), RegisterTeam>) -> Answer<Created<RegistrationView>> {
    let config = app.config().await?;
    check(call, &config, app.db.now())?;
    let has_slot = app.cashier.has_free_slot(&config).await?
        && app.db.waitlist().take(1).page().await?.rows.is_empty();
    if !(has_slot || call.body.waitlist) {
        return Err(Refusal::EventFull.into());
    }
    let mut new = NewTeam::of(app, call, &config, has_slot)?;
    for member in &mut new.members {
        merges::apply(app, member).await?;
    }
    let mut tx = call.transact(&app.db).or_retry();
    let is_open = config::registration_open().eq(true).and(config.unchanged());
    tx.expect(monotable::prelude::check(&config.key(), is_open));
    count(call, &mut tx, &config, &new);
    write(app, &mut tx, &config, &new)?;
    guard(&mut tx, &new);
    let NewTeam { team, members, payment } = new;
    members.into_iter().for_each(|member| _ = tx.add(create(member)));
    payment.into_iter().for_each(|payment| _ = tx.add(create(payment)));
    let team = tx.add(create(team));
    tx.respond(move |done| Created(RegistrationView::of(&done[team]))).await
}

/// Counts the team, and takes its slot.
fn count(
    call: &Call<(), RegisterTeam>,
    tx: &mut Commit<'_, CodeKurukshetra>,
    config: &Config,
    NewTeam { team, members, .. }: &NewTeam,
) {
    let status = team.registration();
    let mut tally = Tally {
        slots: i64::from(status.has_slot()),
        confirmed: i64::from(status == RegistrationStatus::Confirmed),
        ..Tally::default()
    };
    let track = team.track.as_ref().map(Track::as_str);
    tally.count(Happening::Registered { members: members.len() as u64, track });
    team.day.iter().for_each(|day| tally.add_day(tx, *day));
    let totals = tally.totals(config.max_teams);
    if call.body.waitlist {
        // The last slot went to another team: this one waits.
        tx.expect(totals);
    } else {
        tx.require(totals, Refusal::EventFull);
    }
}

/// Promises the e-mails, and a place on the waiting list.
fn write(
    app: &App,
    tx: &mut Commit<'_, CodeKurukshetra>,
    config: &Config,
    new: &NewTeam,
) -> Result<(), Problem> {
    let (team, leader) = (&new.team, new.leader().ok_or(Refusal::InvalidRequest)?);
    match team.registration() {
        RegistrationStatus::Waitlisted => {
            let (waiting_since, team_id) = (app.db.now(), team.team_id.clone());
            tx.add(create(WaitlistEntry { waiting_since, team_id, stamps: Stamps::default() }));
            app.cashier.write_waitlisted(tx, config, team, leader)
        }
        RegistrationStatus::Confirmed => {
            app.cashier.write_confirmed(tx, config, team, &new.members)
        }
        RegistrationStatus::PendingPayment
        | RegistrationStatus::Expired
        | RegistrationStatus::Cancelled
        | RegistrationStatus::Refunded => app.cashier.write_held(tx, config, team, leader),
    }
}

/// Takes the name, the account and the addresses.
fn guard(tx: &mut Commit<'_, CodeKurukshetra>, NewTeam { team, members, .. }: &NewTeam) {
    for member in members {
        tx.require(create(guards::of_email(member)), Refusal::DuplicateEmail);
        if let Some(account) = guards::of_account(member) {
            tx.require(create(account), Refusal::AlreadyRegistered);
        }
    }
    tx.require(create(guards::of_name(team)), Refusal::TeamNameTaken);
}
