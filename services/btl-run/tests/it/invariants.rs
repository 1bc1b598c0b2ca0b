//! What holds whatever was done, by however many at once, and wherever the process was killed: read from
//! the rows as they are stored, and told in one line for each thing that does not hold.

#[path = "invariants/quiet.rs"]
mod quiet;
#[path = "invariants/rows.rs"]
pub(crate) mod rows;

use std::collections::{BTreeMap, BTreeSet};

use monotable_btl_run::rules::events::{Event, EventBody, replay};
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::rules::schedule::due_hour;
use monotable_btl_run::rules::state::{MatchState, Mode, Status, TributeKind};
use monotable_btl_run::rules::story::verify;

pub(crate) use self::quiet::{finish_work, wrong_when_quiet};
use self::rows::{Stored, StoredMatch, matches, stored};
use crate::world::World;

/// The tokens of a match at most, unless a test says otherwise.
const TOKENS_MAX: u64 = 50_000;
/// What tokens of matches begin with.
const TOKEN: &str = "btl1/";

/// Everything that does not hold now, though there may be work to do.
pub(crate) fn wrong(world: &World) -> Vec<String> {
    let (mut wrong, now) = (Vec::new(), world.app.now_ms());
    let rows = stored(world);
    let matches = matches(&rows);
    for (id, one) in &matches {
        if one.state.is_none() || one.secret.is_none() {
            wrong.push(format!("{id} is not whole: {:?}", one.rows));
            continue;
        }
        log_and_state(id, one, &mut wrong);
        summaries(id, one, &mut wrong);
        tokens(id, one, &mut wrong);
        seed(id, one, &mut wrong);
        budget(id, &rows, &mut wrong);
    }
    let matches = matches.iter().filter(|(_, one)| one.state.is_some() && one.secret.is_some());
    let matches: BTreeMap<&str, &StoredMatch> =
        matches.map(|(id, one)| (id.as_str(), one)).collect();
    due(&matches, &rows, &mut wrong);
    invites(&matches, &rows, now, &mut wrong);
    people(&matches, &rows, &mut wrong);
    let told = rows.iter().filter(|row| row.value.to_string().contains(TOKEN));
    wrong.extend(told.map(|row| format!("{} {} holds a token", row.pk, row.sk)));
    wrong
}

/// The log is numbered without gaps up to the state's number, and its fold is the state.
fn log_and_state(id: &str, one: &StoredMatch, wrong: &mut Vec<String>) {
    let Some(row) = &one.state else { return };
    let (state, log) = (one.state(), one.log());
    if row.ver != Some(state.version) {
        wrong.push(format!("{id} has version {:?}, says {}", row.ver, state.version));
    }
    if !one.events.keys().copied().eq(1..=state.log_seq) {
        let numbers: Vec<_> = one.events.keys().collect();
        wrong.push(format!("{id} is at {}, its log has {numbers:?}", state.log_seq));
        return;
    }
    if let Some(event) = one.events.keys().zip(&log).find(|(number, event)| **number != event.seq) {
        wrong.push(format!("{id} has event {} under {}", event.1.seq, event.0));
    }
    match replay(&log, state.version) {
        Ok(fold) if serde_json::to_value(&fold).unwrap() == row.value => {}
        Ok(fold) => wrong.push(format!("{id} is\n{:?}, its log gives\n{fold:?}", state)),
        Err(error) => wrong.push(format!("{id}: {error}")),
    }
}

/// Every day that is over has its story, and no other has one.
fn summaries(id: &str, one: &StoredMatch, wrong: &mut Vec<String>) {
    let state = one.state();
    let days = match (state.status, state.started_at) {
        (Status::Ended, Some(_)) => 1..=state.day,
        _ => 1..=state.day - 1,
    };
    if !one.summaries.iter().copied().eq(days.clone()) {
        wrong.push(format!("{id} has stories of {:?}, not of {days:?}", one.summaries));
    }
}

/// Players have a token, and nobody else.
fn tokens(id: &str, one: &StoredMatch, wrong: &mut Vec<String>) {
    let Some(secret) = &one.secret else { return };
    let hashes = secret.value["tokenHashes"]["players"].as_object().cloned().unwrap_or_default();
    let state = one.state();
    let players = state.roster.iter().filter(|tribute| tribute.kind != TributeKind::Ai);
    // Who was forgotten has no token any more, and a name that says nothing.
    let is_known = |name: &str| !name.starts_with("Tribute ");
    let with: BTreeSet<&str> = hashes.keys().map(String::as_str).collect();
    let all: BTreeSet<&str> = players.clone().map(|tribute| tribute.id.as_str()).collect();
    let known: BTreeSet<&str> =
        players.filter(|one| is_known(&one.name)).map(|one| one.id.as_str()).collect();
    if !with.is_subset(&all) || !known.is_subset(&with) {
        wrong.push(format!("{id} has tokens of {with:?}, players {all:?}"));
    }
}

/// The seed is the one that was promised, and whatever was played came from it.
fn seed(id: &str, one: &StoredMatch, wrong: &mut Vec<String>) {
    let Some(secret) = &one.secret else { return };
    let seed: Seed = serde_json::from_value(secret.value["seed"].clone()).unwrap();
    match verify(&seed, &one.log()) {
        Ok(verified) => {
            let state = MatchState { version: 0, ..one.state() };
            if (MatchState { version: 0, ..verified.state }) != state {
                wrong.push(format!("{id} comes out differently"));
            }
        }
        Err(forged) => wrong.push(format!("{id}: {forged}")),
    }
}

/// What is counted is what was used and what is reserved.
fn budget(id: &str, rows: &[Stored], wrong: &mut Vec<String>) {
    let of_it: Vec<&Stored> = rows.iter().filter(|row| row.pk == format!("budget#{id}")).collect();
    let sum = |name: &str| -> u64 {
        of_it.iter().filter(|row| row.sk.starts_with(name)).map(|row| row.number()).sum()
    };
    let (counted, settled, reserved) = (sum("tokens"), sum("settled"), sum("res#"));
    if counted != settled + reserved || counted > TOKENS_MAX {
        wrong.push(format!("{id} counts {counted}, used {settled}, reserved {reserved}"));
    }
}

/// A long match that is played is found when its time comes, and nothing else is.
fn due(matches: &BTreeMap<&str, &StoredMatch>, rows: &[Stored], wrong: &mut Vec<String>) {
    let expected: BTreeSet<(String, String)> = matches
        .iter()
        .map(|(id, one)| (id, one.state()))
        .filter(|(_, state)| state.status == Status::Active && state.mode == Mode::Long)
        .map(|(id, state)| {
            let cutoff = state.day_cutoff_at.unwrap();
            (format!("due#{}", due_hour(cutoff).unwrap()), format!("{cutoff:013}#{id}"))
        })
        .collect();
    let due = rows.iter().filter(|row| row.pk.starts_with("due#"));
    let found: BTreeSet<(String, String)> =
        due.map(|row| (row.pk.clone(), row.sk.clone())).collect();
    if expected != found {
        wrong.push(format!("due is {expected:?}, but rows say {found:?}"));
    }
}

/// A lobby has its code and nobody else has one.
fn invites(
    matches: &BTreeMap<&str, &StoredMatch>,
    rows: &[Stored],
    now: i64,
    wrong: &mut Vec<String>,
) {
    let is_open = |row: &&Stored| row.ttl.is_none_or(|ttl| ttl * 1000 > now);
    let invites: Vec<&Stored> = rows.iter().filter(|row| row.pk.starts_with("invite#")).collect();
    let code_of = |one: &StoredMatch| {
        let code = &one.secret.as_ref().unwrap().value["inviteCode"];
        code.as_str().map(|code| format!("invite#{code}"))
    };
    for (id, one) in matches {
        let code = code_of(one);
        if code.is_some() != (one.state().status == Status::Lobby) {
            wrong.push(format!("{id} has {code:?}"));
        }
        let is_there = |code: &String| invites.iter().any(|row| row.pk == *code);
        if code.as_ref().is_some_and(|code| !is_there(code)) {
            wrong.push(format!("{id} has the code {code:?}, which is not there"));
        }
    }
    for invite in invites.iter().copied().filter(is_open) {
        let of_match = invite.value["matchId"].as_str().and_then(|id| matches.get(id));
        if of_match.and_then(|one| code_of(one)).as_ref() != Some(&invite.pk) {
            wrong.push(format!("{} leads to {}", invite.pk, invite.value));
        }
    }
}

/// Users find their matches, by what they are in them. Whoever is being forgotten is in between.
fn people(matches: &BTreeMap<&str, &StoredMatch>, rows: &[Stored], wrong: &mut Vec<String>) {
    let mut expected: BTreeSet<(String, &str, &str)> = BTreeSet::new();
    for (id, one) in matches {
        let state = one.state();
        let host = state.host_user_id.as_ref();
        let mut users: BTreeSet<_> = one.log().iter().filter_map(joined).collect();
        users.extend(host.cloned());
        for user in users {
            let plays = state.roster.iter().any(|tribute| tribute.user_id.as_ref() == Some(&user));
            let role = match (host == Some(&user), plays) {
                (true, true) => "host_and_player",
                (true, false) => "host",
                (false, true) => "player",
                (false, false) => "left",
            };
            expected.insert((format!("user#{user}"), *id, role));
        }
    }
    let mine =
        rows.iter().filter(|row| row.pk.starts_with("user#") && row.sk.starts_with("match#"));
    let mut found: BTreeSet<(String, &str, &str)> = mine
        .map(|row| {
            let id = row.sk.rsplit('#').next().unwrap();
            (row.pk.clone(), id, row.value["role"].as_str().unwrap_or_default())
        })
        .collect();
    let is_going = |user: &str| {
        let id = user.trim_start_matches("user#");
        rows.iter().any(|row| row.pk == "task#erase" && row.sk == id)
    };
    expected.retain(|(user, ..)| !is_going(user));
    found.retain(|(user, ..)| !is_going(user));
    if expected != found {
        wrong.push(format!("users are {expected:?}, but rows say {found:?}"));
    }
    for (id, one) in matches.iter().filter(|(_, one)| one.state().status == Status::Lobby) {
        let host = one.state().host_user_id;
        let Some(host) = host.filter(|host| !is_going(host.as_str())) else { continue };
        let is_it = |row: &&Stored| row.pk == format!("user#{host}") && row.sk == "lobbies";
        let open = rows.iter().find(is_it).map(|row| row.value["open"].clone());
        let is_listed = open.iter().flat_map(|open| open.as_array()).flatten().any(|one| one == id);
        if !is_listed {
            wrong.push(format!("{id} is not among the lobbies of {host}"));
        }
    }
}

fn joined(event: &Event) -> Option<monotable_btl_run::table::UserId> {
    match &event.body {
        EventBody::TributeJoined { tribute, .. } => tribute.user_id.clone(),
        _ => None,
    }
}
