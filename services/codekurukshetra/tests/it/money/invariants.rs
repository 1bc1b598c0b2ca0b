//! What holds of money and places, by the rows of the table and by the gateway's own books.

use std::collections::{BTreeMap, BTreeSet};

use monotable::prelude::Date;
use monotable_codekurukshetra::table::{
    CodeKurukshetraReads as _, Config, DailyStats, Participant, Payment, PaymentStatus,
    RegistrationStatus, Team, TotalStats,
};
use monotable_kit::payment_gateway::{GatewayPayment, GatewayPaymentStatus};
use monotable_testkit::service::oracle;
use serde_json::json;

use crate::world::{Event, done};

/// The rows that money is about.
struct Books {
    config: Config,
    teams: Vec<Team>,
    participants: Vec<Participant>,
    payments: Vec<Payment>,
    totals: TotalStats,
    days: Vec<DailyStats>,
    /// What the gateway has charged, whether it was returned or not.
    charged: Vec<GatewayPayment>,
}

impl Books {
    async fn of(event: &Event) -> Self {
        let db = &event.app.db;
        let (first, last) = ("2026-01-01".parse().unwrap(), "2029-01-01".parse().unwrap());
        let totals = db.totals().await.unwrap();
        let is_charged = |payment: &GatewayPayment| match payment.status {
            GatewayPaymentStatus::Captured | GatewayPaymentStatus::Refunded => true,
            GatewayPaymentStatus::Created
            | GatewayPaymentStatus::Authorized
            | GatewayPaymentStatus::Failed => false,
        };
        let orders = event.gateway.orders();
        Self {
            config: db.config().await.unwrap().unwrap(),
            teams: db.every_team().all().await.unwrap(),
            participants: db.every_participant().all().await.unwrap(),
            payments: db.every_payment().all().await.unwrap(),
            totals: totals.unwrap_or_else(|| serde_json::from_value(json!({})).unwrap()),
            days: db.daily_stats(first, last).all().await.unwrap(),
            charged: orders.into_iter().flat_map(|it| it.payments).filter(is_charged).collect(),
        }
    }

    /// Payments of the service that stand for one of the gateway.
    fn payments_of<'a>(&'a self, of: &'a GatewayPayment) -> impl Iterator<Item = &'a Payment> {
        let is_it =
            |payment: &&Payment| payment.razorpay_payment_id.as_ref() == Some(&of.payment_id);
        self.payments.iter().filter(is_it)
    }

    /// Teams that are confirmed by a payment of the gateway.
    fn confirmed_by<'a>(&'a self, of: &'a GatewayPayment) -> impl Iterator<Item = &'a Team> {
        self.confirmed().filter(|team| team.payment_id.as_ref() == Some(&of.payment_id))
    }

    fn confirmed(&self) -> impl Iterator<Item = &Team> {
        self.teams.iter().filter(|team| team.registration() == RegistrationStatus::Confirmed)
    }
}

/// Returns what does not hold, though it must at every moment.
pub(super) async fn always(event: &Event) -> Vec<String> {
    let books = Books::of(event).await;
    let mut wrong = Vec::new();
    places(&books, &mut wrong);
    addresses(event, &books, &mut wrong);
    counters(&books, &mut wrong);
    confirmations(&books, &mut wrong);
    wrong
}

/// Returns what does not hold, though it must when all work is done.
pub(super) async fn quiet(event: &Event) -> Vec<String> {
    let mut wrong = always(event).await;
    let books = Books::of(event).await;
    charges(&books, &mut wrong);
    holds(event, &books, &mut wrong);
    wrong.extend(oracle::index_differences(&event.world));
    // The service's own audit, which looks at everything else.
    let audit = event.post("admin", "/hackathon/admin/check", json!({})).await;
    for finding in done(audit, 200)["findings"].as_array().unwrap() {
        wrong.push(format!("the audit finds {finding}"));
    }
    wrong
}

/// Returns how much is left to do: refunds, and holds that are over.
pub(super) async fn open_work(event: &Event) -> usize {
    let books = Books::of(event).await;
    let overdue = books.teams.iter().filter(|team| is_overdue(event, team)).count();
    overdue
        + event.gateway.waiting_webhooks()
        + event.app.db.job_tickets().all().await.unwrap().len()
}

fn is_overdue(event: &Event, team: &Team) -> bool {
    team.held_until().is_some_and(|until| until <= event.now())
}

/// Slots that are used are those of teams that hold one, and no more than there are.
fn places(books: &Books, wrong: &mut Vec<String>) {
    let used = books.teams.iter().filter(|team| team.registration().has_slot()).count() as u64;
    if books.totals.slots_used != used {
        wrong.push(format!("{} slots are counted, {used} are used", books.totals.slots_used));
    }
    if used > u64::from(books.config.max_teams) {
        wrong.push(format!("{used} slots of {} are used", books.config.max_teams));
    }
    let confirmed = books.confirmed().count() as u64;
    if books.totals.teams_confirmed != confirmed {
        let counted = books.totals.teams_confirmed;
        wrong.push(format!("{counted} confirmed teams are counted, there are {confirmed}"));
    }
}

/// No address is in two teams that take part, and each has its guard.
fn addresses(event: &Event, books: &Books, wrong: &mut Vec<String>) {
    let is_live = |team: &&Team| match team.registration() {
        RegistrationStatus::PendingPayment
        | RegistrationStatus::Confirmed
        | RegistrationStatus::Waitlisted => true,
        RegistrationStatus::Expired
        | RegistrationStatus::Cancelled
        | RegistrationStatus::Refunded => false,
    };
    let live: BTreeSet<_> =
        books.teams.iter().filter(is_live).map(|team| team.team_id.to_string()).collect();
    let mut seen = BTreeSet::new();
    for participant in books.participants.iter().filter(|one| one.erased_at.is_none()) {
        if !live.contains(participant.team_id.as_str()) {
            continue;
        }
        let email = &participant.email.0;
        if !seen.insert(email) {
            wrong.push(format!("{email} is in two teams"));
        }
        let guard = event.row(&format!("EMAIL#{email}"), "UNIQUE");
        let held = guard.map(|row| row["participant_id"].as_s().unwrap().to_owned());
        if held.as_deref() != Some(participant.participant_id.as_str()) {
            wrong.push(format!("the guard of {email} is held by {held:?}"));
        }
    }
}

/// The figures of money, in the order in which they are compared.
type Figures = [u64; 6];

fn figures_of_payments(payments: &[Payment], config: &Config) -> BTreeMap<Date, Figures> {
    let mut days: BTreeMap<Date, Figures> = BTreeMap::new();
    let mut count = |at: Option<_>, position: usize, figure: u64| {
        if let Some(at) = at {
            days.entry(config.day_of(at).unwrap()).or_default()[position] += figure;
        }
    };
    for payment in payments {
        count(payment.attempted_at, 0, 1);
        count(payment.failed_at, 1, 1);
        count(payment.paid_at, 2, 1);
        count(payment.paid_at, 3, payment.amount);
        count(payment.refunded_at, 4, 1);
        count(payment.refunded_at, 5, payment.amount);
    }
    days
}

/// The counters of days and of the event are what a recount of the payments gives.
fn counters(books: &Books, wrong: &mut Vec<String>) {
    let recounted = figures_of_payments(&books.payments, &books.config);
    let counted = books.days.iter().map(|day| {
        let figures: Figures = [
            day.payments_attempted,
            day.payments_failed,
            day.payments_paid,
            day.revenue_minor,
            day.refunds,
            day.refunded_minor,
        ];
        (day.day, figures)
    });
    let counted: BTreeMap<Date, Figures> =
        counted.filter(|(_, figures)| *figures != Figures::default()).collect();
    if counted != recounted {
        wrong.push(format!("the days count {counted:?}, a recount gives {recounted:?}"));
    }
    let totals = &books.totals;
    let counted: Figures = [
        totals.payments_attempted,
        totals.payments_failed,
        totals.payments_paid,
        totals.revenue_minor,
        totals.refunds,
        totals.refunded_minor,
    ];
    let recounted = recounted.values().fold(Figures::default(), |mut sum, day| {
        sum.iter_mut().zip(day).for_each(|(sum, figure)| *sum += figure);
        sum
    });
    if counted != recounted {
        wrong.push(format!("the totals count {counted:?}, a recount gives {recounted:?}"));
    }
    let teams = books.teams.len() as u64;
    if totals.registrations != teams {
        wrong.push(format!("{} registrations are counted, {teams} exist", totals.registrations));
    }
}

/// A team that is confirmed has paid, and what it has paid is not returned to it as well.
fn confirmations(books: &Books, wrong: &mut Vec<String>) {
    for team in books.confirmed().filter(|team| team.amount > 0) {
        let payment =
            books.charged.iter().find(|one| Some(&one.payment_id) == team.payment_id.as_ref());
        match payment {
            None => wrong.push(format!("team {} is confirmed without a payment", team.team_id)),
            Some(payment) if payment.price.amount_minor != team.amount => {
                wrong.push(format!("team {} has paid {:?}", team.team_id, payment.price));
            }
            Some(_) => {}
        }
    }
    for payment in &books.charged {
        let teams: Vec<_> = books.confirmed_by(payment).map(|team| &team.team_id).collect();
        if teams.len() > 1 {
            wrong.push(format!("{} confirms {teams:?}", payment.payment_id));
        }
        let rows = books.payments_of(payment).count();
        if rows > 1 {
            wrong.push(format!("{} is noted {rows} times", payment.payment_id));
        }
    }
}

/// Every charge belongs to one confirmed team, or was returned, or is marked for it. What was returned confirms nobody.
fn charges(books: &Books, wrong: &mut Vec<String>) {
    let mut kept: BTreeMap<&str, usize> = BTreeMap::new();
    for payment in &books.charged {
        let id = &payment.payment_id;
        let confirms = books.confirmed_by(payment).count() == 1;
        let row = books.payments_of(payment).next();
        let is_marked = row.is_some_and(|row| row.needs_refund == Some(true));
        let was_returned = payment.status == GatewayPaymentStatus::Refunded;
        if [confirms, was_returned, is_marked].iter().filter(|it| **it).count() != 1 {
            wrong.push(format!(
                "{id}: confirms a team: {confirms}, returned: {was_returned}, marked: {is_marked}"
            ));
        }
        match row {
            None => wrong.push(format!("{id} was charged, and the service does not know it")),
            Some(row) => {
                let expected =
                    if was_returned { PaymentStatus::Refunded } else { PaymentStatus::Paid };
                if row.status != expected {
                    wrong.push(format!(
                        "{id} is {:?} at the gateway, {:?} here",
                        payment.status, row.status
                    ));
                }
                if !was_returned && !is_marked {
                    *kept.entry(row.team_id.as_str()).or_default() += 1;
                }
            }
        }
    }
    for (team_id, payments) in kept.into_iter().filter(|(_, payments)| *payments > 1) {
        wrong.push(format!("team {team_id} was charged {payments} times"));
    }
}

/// No hold is over, and no refund waits.
fn holds(event: &Event, books: &Books, wrong: &mut Vec<String>) {
    for team in books.teams.iter().filter(|team| is_overdue(event, team)) {
        wrong.push(format!("the hold of team {} is over", team.team_id));
    }
}
