//! Sample data: an event that is open, with teams in every state but that of waiting, because places are free. It is
//! written by the operations, as people would have done it.

use std::time::Duration;

use monotable_kit::demo::{person, request};
use monotable_kit::{BoxFuture, Call, Principal, Problem};
use serde_json::{Value, json};

use crate::api::{admin, judging, participants, register};
use crate::app::App;
use crate::money::unavailable;
use crate::table::{CodeKurukshetraReads as _, Team};
use monotable_kit::payment_gateway::Attempt;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What has become of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Pending,
    Failed,
    Confirmed,
    Refunded,
    Expired,
    Cancelled,
}

/// Leaders, the names of their teams, the tracks, the other members, and what has become of the team. The last
/// one says whether the sample data is there.
const TEAMS: [(&str, &str, &str, &[&str], State); 7] = [
    ("tara", "Night Owls", "web-mobile", &["uma"], State::Expired),
    ("kabir", "Early Birds", "blockchain", &["lata", "mohan"], State::Refunded),
    ("nila", "Loose Ends", "ai-ml", &["om"], State::Cancelled),
    ("meera", "Stack Smashers", "iot-hardware", &["nikhil"], State::Failed),
    ("ravi", "Null Pointers", "web-mobile", &["sana", "tej"], State::Pending),
    ("zoya", "Green Grid", "social-impact", &["arjun", "bina", "chand"], State::Confirmed),
    ("asha", "Code Warriors", "ai-ml", &["dev", "esha"], State::Confirmed),
];

/// Returns the people: an organiser, a judge, and the leaders of teams.
pub(crate) fn people() -> Vec<Principal> {
    let role = |name, role: &str| Principal { roles: vec![role.to_owned()], ..person(name) };
    let leaders = TEAMS.iter().rev().map(|(leader, ..)| person(leader));
    [role("desk", "admin"), role("jaya", "judge")].into_iter().chain(leaders).collect()
}

/// Loads what is missing.
///
/// # Errors
/// Returns the errors of the table and the gateway.
pub(crate) fn load(app: &App) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let [.., (last, ..)] = TEAMS;
        if team_of(app, last).await?.is_some() {
            return Ok(());
        }
        let people = people();
        let [desk, ..] = &people[..] else { return Ok(()) };
        let world = World { app, desk };
        world.settings().await?;
        for (leader, name, track, members, state) in TEAMS {
            world.register(leader, name, track, members).await?;
            if let Some(team) = team_of(app, leader).await? {
                world.bring(&team, leader, state).await?;
            }
        }
        world.judge().await
    })
}

/// Returns the team that somebody leads.
async fn team_of(app: &App, leader: &str) -> Result<Option<Team>, Problem> {
    let account_id = person(leader).id.parse();
    let account_id =
        account_id.map_err(|error: monotable::model::key::KeyError| Problem::internal(error))?;
    let Some(account) = app.db.account(&account_id).await? else { return Ok(None) };
    let Some(participant) = app.db.participant(&account.participant_id).await? else {
        return Ok(None);
    };
    Ok(app.db.team(&participant.team_id).await?)
}

/// Accepts what was done, now or at an earlier start.
fn done<R>(answer: Result<R, Problem>) -> Result<(), Problem> {
    match answer {
        Err(problem) if problem.status() != 409 => Err(problem),
        _ => Ok(()),
    }
}

struct World<'a> {
    app: &'a App,
    desk: &'a Principal,
}

impl World<'_> {
    /// An event that begins in four weeks.
    async fn settings(&self) -> Result<(), Problem> {
        if self.app.db.config().await?.is_some() {
            return Ok(());
        }
        let now = self.app.db.now();
        let in_days = |days: u32| (now + DAY * days).to_string();
        let tracks = [
            "ai-ml",
            "web-mobile",
            "blockchain",
            "iot-hardware",
            "social-impact",
            "open-innovation",
        ];
        let settings = json!({
            "event_name": "CodeKurukshetra", "registration_open": true,
            "registration_start": (now - DAY).to_string(), "registration_end": in_days(21),
            "event_start": in_days(28), "event_end": in_days(30), "team_fee": 99_900,
            "max_team_size": 4, "min_team_size": 2, "max_teams": 500, "tracks": tracks,
            "contact_email": "desk@demo.example",
        });
        let call = Call::of(request(self.desk, &[], settings))?;
        admin::config_put::put_settings(self.app, &call).await.map(drop)
    }

    async fn register(
        &self,
        leader: &str,
        name: &str,
        track: &str,
        members: &[&str],
    ) -> Result<(), Problem> {
        let member = |name: &&str| -> Value {
            let mut first_name = (*name).to_owned();
            first_name[..1].make_ascii_uppercase();
            json!({
                "first_name": first_name, "last_name": "Rao", "email": format!("{name}@demo.example"),
                "phone": "+91-9876543210", "college": "Example University", "year": "3rd Year",
                "student_status": true, "is_leader": *name == leader,
            })
        };
        let members: Vec<Value> = [leader].iter().chain(members).map(member).collect();
        let team = json!({ "name": name, "track": track, "members": members });
        let call = Call::of(request(&person(leader), &[], team))?;
        done(register::team::register_team(self.app, &call).await)
    }

    /// Brings a new team into its state.
    async fn bring(&self, team: &Team, leader: &str, state: State) -> Result<(), Problem> {
        match state {
            State::Pending => Ok(()),
            State::Failed => self.pay(team, Attempt::Fails).await,
            State::Confirmed => self.pay(team, Attempt::Succeeds).await,
            State::Refunded => {
                self.pay(team, Attempt::Succeeds).await?;
                self.refund(team).await
            }
            State::Expired => self.expire(team).await,
            State::Cancelled => self.cancel(team, leader).await,
        }
    }

    /// Lets a team try to pay. Only the simulated gateway lets a program do that.
    async fn pay(&self, team: &Team, attempt: Attempt) -> Result<(), Problem> {
        let cashier = &self.app.cashier;
        let Some(simulator) = cashier.gateway.simulator() else { return Ok(()) };
        let (_, payment) = match cashier.open_order(&team.team_id).await {
            Err(problem) if problem.status() == 409 => return Ok(()),
            open => open?,
        };
        if let Some(order_id) = &payment.razorpay_order_id {
            simulator.attempt(order_id, attempt).map_err(unavailable)?;
            cashier.reconcile_team(&team.team_id).await?;
        }
        Ok(())
    }

    async fn refund(&self, team: &Team) -> Result<(), Problem> {
        let path = [("teamId", team.team_id.as_str())];
        let body = json!({ "reason": "The team has withdrawn." });
        let call = Call::of(request(self.desk, &path, body))?;
        done(admin::refund::refund_team(self.app, &call).await)
    }

    /// Ends the hold of a team as if its time were over.
    async fn expire(&self, team: &Team) -> Result<(), Problem> {
        let over = self.app.db.now() - Duration::from_secs(1);
        if team.held_until().is_some() {
            self.app.db.edit(team.clone(), |team| team.hold_until = Some(over)).await?;
            self.app.cashier.expire_holds().await?;
        }
        Ok(())
    }

    /// The leader of a team wants to be forgotten, and nobody else leads it.
    async fn cancel(&self, team: &Team, leader: &str) -> Result<(), Problem> {
        let path = [("participantId", team.leader_participant_id.as_str())];
        let mut erase = request(&person(leader), &path, Value::Null);
        erase.query.insert("cancel_team".to_owned(), true.into());
        done(participants::erase::erase_participant(self.app, &Call::of(erase)?).await)
    }

    /// Lets the judge score the confirmed teams.
    async fn judge(&self) -> Result<(), Problem> {
        let mut team_ids = Vec::new();
        for (leader, .., state) in TEAMS {
            let team = team_of(self.app, leader).await?;
            team_ids.extend(team.filter(|_| state == State::Confirmed).map(|team| team.team_id));
        }
        let path = [("judgeId", "demo-jaya")];
        let call = Call::of(request(self.desk, &path, json!({ "team_ids": team_ids })))?;
        done(judging::assign::assign_teams(self.app, &call).await)
    }
}
