//! Matches that have begun, made through the service.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use http::{Method, Request};
use monotable::model::Table as _;
use monotable::prelude::Embedded;
use monotable::{Clock, ManualClock};
use monotable_bench::Result;
use monotable_btl_run::table::BtlRun;
use monotable_btl_run::tokens::MatchTokens;
use monotable_btl_run::{App, service};
use monotable_kit::{LocalIssuer, SystemRandomness};
use serde_json::{Value, json};

use crate::subject::{
    DatabaseLocation, Databases, ServiceClient, host, issuer, request, text, token,
};

/// The table's name.
pub(super) const TABLE: &str = BtlRun::META.table_name;
/// When the matches begin: 2027-01-15T08:00:00Z.
const START_MS: u64 = 1_800_000_000_000;
/// How far every request moves the clock. A player has twenty actions a minute, and acts again when
/// the other matches of the client have been.
const STEP_MS: u64 = 1_000;
/// Ten may join in a minute from one address.
const JOIN_STEP_MS: u64 = 6_001;
/// Matches of each client in a slice that its player acts in.
const SUBMITTED_EACH: usize = 4;
/// Matches of each client in a slice whose turns are resolved, some of which end early. Tests play all of
/// them to the end.
const ADVANCED_EACH: usize = if cfg!(test) { 2 } else { 12 };
/// The tributes of a match without players.
const AI_COUNT: usize = 12;
/// The days of a match, so that they are not what ends it.
const DAYS: usize = 30;

/// What every call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// The host advances the open turn. There are no players to wait for.
    Advance,
    /// A player submits an action. Another player has not, so the turn is not resolved.
    SubmitAction,
}

/// A match in its first turn.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) match_id: String,
    /// Who acts, unless it is the host.
    pub(super) tribute_id: Option<String>,
    /// The token of the caller.
    token: String,
    /// The open turn.
    pub(super) turn_id: String,
    /// How often it was written.
    pub(super) version: u64,
    /// The last event.
    pub(super) log_seq: u64,
}

/// A caller of the service: each request has a later time than the previous one, and a new key.
#[derive(Clone)]
pub(super) struct Player {
    pub(super) service: ServiceClient,
    clock: Arc<ManualClock>,
    keys: Arc<AtomicU64>,
}

impl Player {
    fn post(&self, path: &str, token: &str, body: &Value) -> Result<Request<Body>> {
        self.clock.advance_ms(STEP_MS);
        // Keys of later requests sort after those of earlier ones.
        let key = format!("bench-{:012}", self.keys.fetch_add(1, Ordering::Relaxed));
        request(Method::POST, path, token, Some(&key), body.to_string())
    }

    /// Returns the request of an act.
    pub(super) fn prepared(&self, act: Act, one: &Match) -> Result<Request<Body>> {
        let (what, body) = match act {
            Act::Advance => ("advance", json!({ "turnId": one.turn_id, "force": true })),
            Act::SubmitAction => {
                let words = "keeps low behind the waterfall until dusk";
                ("action", json!({ "turnId": one.turn_id, "action": "hide", "freeText": words }))
            }
        };
        self.post(&format!("/match/{}/{what}", one.match_id), &one.token, &body)
    }
}

/// The service with its matches.
pub(super) struct World {
    pub(super) app: Arc<App>,
    pub(super) player: Player,
    pub(super) databases: Databases,
    advanced: Vec<Match>,
    submitted: Vec<Match>,
    pub(super) callers: usize,
    pub(super) slices: usize,
}

impl World {
    pub(super) async fn new(
        location: DatabaseLocation<'_>,
        callers: usize,
        slices: usize,
    ) -> Result<Self> {
        let clock = Arc::new(ManualClock::new(START_MS));
        let databases = location.databases(&(Arc::clone(&clock) as Arc<dyn Clock>))?;
        let db = BtlRun::open(databases.backend()).await?;
        let app = Arc::new(App::new(db.clone(), Arc::new(SystemRandomness)));
        let issuer = issuer()?;
        let identity = MatchTokens::before(db.clone(), Arc::new(issuer.authenticator()));
        let service =
            ServiceClient(service().router(Arc::clone(&app), host(identity, Arc::new(db))));
        let player = Player { service, clock, keys: Arc::default() };
        let (advanced, submitted) = (Vec::new(), Vec::new());
        let mut world = Self { app, player, databases, advanced, submitted, callers, slices };
        for _ in 0..callers * ADVANCED_EACH * slices {
            let one = world.new_match(&issuer, 0).await?;
            world.advanced.push(one);
        }
        for _ in 0..callers * SUBMITTED_EACH * slices {
            let one = world.new_match(&issuer, 2).await?;
            world.submitted.push(one);
        }
        BtlRun::open(Embedded::new(world.databases.engine.clone())).await?;
        world.databases.copy(TABLE)?;
        Ok(world)
    }

    /// Returns the matches of an act.
    pub(super) fn matches(&self, act: Act) -> &[Match] {
        match act {
            Act::Advance => &self.advanced,
            Act::SubmitAction => &self.submitted,
        }
    }

    /// Makes a match with this many players. Every match has its own host, who may open five per
    /// hour.
    async fn new_match(&self, issuer: &LocalIssuer, players: usize) -> Result<Match> {
        let user_id = format!("user-{}", self.advanced.len() + self.submitted.len());
        let user = token(issuer, &user_id, self.app.db.now());
        let body = json!({ "mode": "quick", "aiCount": AI_COUNT, "maxDays": DAYS });
        let created = self.posted("/match", &user, &body).await?;
        let (match_id, host) = (text(&created, "matchId")?, text(&created, "adminToken")?);
        let (mut tribute_id, mut bearer) = (None, host.clone());
        for number in 0..players {
            self.player.clock.advance_ms(JOIN_STEP_MS);
            let joiner = token(issuer, &format!("{user_id}-{number}"), self.app.db.now());
            let body = json!({
                "code": text(&created, "inviteCode")?, "name": format!("Tribute {number}"),
            });
            let joined = self.posted(&format!("/match/{match_id}/join"), &joiner, &body).await?;
            tribute_id = Some(text(&joined, "tributeId")?);
            bearer = text(&joined, "playerToken")?;
        }
        let started = self.posted(&format!("/match/{match_id}/start"), &host, &json!({})).await?;
        let number = |name: &str| -> Result<u64> {
            Ok(started[name].as_u64().ok_or_else(|| format!("a match without {name}"))?)
        };
        let (version, log_seq) = (number("version")?, number("logSeq")?);
        let turn_id = text(&started, "turnId")?;
        Ok(Match { match_id, tribute_id, token: bearer, turn_id, version, log_seq })
    }

    async fn posted(&self, path: &str, token: &str, body: &Value) -> Result<Value> {
        self.player.service.json(self.player.post(path, token, body)?).await
    }
}
