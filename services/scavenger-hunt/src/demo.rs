//! Sample data: a hunt of three teams that is played now. It is written by the operations, as people would have done it.

use std::time::Duration;

use monotable::model::time::{EpochSeconds, Timestamp};
use monotable_kit::demo::{body_of, person, request};
use monotable_kit::{Answer, BoxFuture, Call, Principal, Problem};
use serde_json::{Value, json};

use crate::api::games::{control, create, links};
use crate::api::play::{join, level, message, ping, scan};
use crate::api::{photos, routes};
use crate::app::App;
use crate::table::{
    CoordinateSnapshot, Degrees, GameId, ScavengerHuntReads as _, Stamps, TeamId, UserId,
};
use crate::tokens::Bearer;

/// The game.
const GAME: &str = "00000000-0000-4000-8000-000000000001";
/// Its configuration.
const CONFIG: &str = include_str!("demo/hunt.json");
/// The players of its teams, and how many levels each team has found.
const TEAMS: [(&[&str], usize); 3] = [(&["Milo", "Nell"], 2), (&["Pia"], 1), (&["Gus"], 0)];
/// How long the game has been played.
const PLAYED: Duration = Duration::from_secs(40 * 60);
/// How long the last team has looked for its first level: long enough for clues.
const LOOKING: Duration = Duration::from_secs(12 * 60);
/// Positions of each player, one in half a minute.
const POSITIONS: u32 = 12;
/// A drawing of a duck, as a data URL.
const PHOTO: &str = include_str!("demo/duck.txt");

/// Returns the people with accounts: an organiser and an observer. Players have none.
pub(crate) fn people() -> Vec<Principal> {
    let role = |name, role: &str| Principal { roles: vec![role.to_owned()], ..person(name) };
    vec![role("olga", "organiser"), role("obi", "observer")]
}

/// Loads what is missing, and returns links to it. Players get new tokens.
///
/// # Errors
/// Returns the errors of the operations.
pub(crate) fn load<'a>(app: &'a App, url: &'a str) -> BoxFuture<'a, String> {
    Box::pin(async move {
        let [olga, _] = &people()[..] else { return Ok(String::new()) };
        let world = World { app, olga, game_id: id(GAME)? };
        let is_new = app.db.control(&world.game_id).await?.is_none();
        world.set_up().await?;
        let mut text = format!(
            "A hunt that is played now: {url}/manage/{GAME}\n\
             Its leaderboard for a screen: {url}/screen/{GAME}\n\
             Tokens of its players (paste the lines into a shell):\n"
        );
        for (team, (players, found)) in TEAMS.iter().enumerate() {
            for (number, name) in players.iter().enumerate() {
                let (player, token) = world.join(team, name).await?;
                text += &format!("  export {}={token}\n", name.to_uppercase());
                if is_new {
                    world.walk(&player, team + number).await?;
                }
                if is_new && number == 0 {
                    world.play(&player, *found).await?;
                }
            }
        }
        text += &world.codes(url).await?;
        Ok(text)
    })
}

/// A player who has joined.
struct Player {
    principal: Principal,
    team_id: TeamId,
    user_id: UserId,
}

struct World<'a> {
    app: &'a App,
    olga: &'a Principal,
    game_id: GameId,
}

impl World<'_> {
    /// The game, which has begun some time ago.
    async fn set_up(&self) -> Result<(), Problem> {
        let (app, db) = (self.app, &self.app.db);
        if db.control(&self.game_id).await?.is_some() {
            return Ok(());
        }
        let game = serde_json::from_str(CONFIG).map_err(Problem::internal)?;
        create::create_game(app, &Call::of(self.organiser(game))?).await?;
        let start = Call::of(self.organiser(json!({ "action": "start" })))?;
        control::control_game(app, &start).await?;
        if let Some(clock) = db.control(&self.game_id).await? {
            let started_at = Some(db.now() - PLAYED);
            db.edit(clock, |clock| clock.started_at = started_at).await?;
        }
        Ok(())
    }

    fn organiser(&self, body: Value) -> monotable_kit::Request {
        request(self.olga, &[("gameId", GAME)], body)
    }

    /// Returns a player, who joins or comes back, and the player's new token.
    async fn join(&self, team: usize, name: &str) -> Result<(Player, String), Problem> {
        let (app, team_id) = (self.app, id::<TeamId>(&row_id(20 + team))?);
        let users = app.db.users(&team_id).all().await?;
        let known = users.iter().find(|user| user.display_name.as_deref() == Some(name));
        let as_player = |user_id: &UserId| {
            let bearer = Bearer::Player(self.game_id.clone(), team_id.clone(), user_id.clone());
            bearer.principal(app.db.now())
        };
        let codes = self.links().await?;
        let body = json!({ "code": codes["teams"][team]["code"], "displayName": name });
        let mut joining = self.organiser(body);
        joining.principal = known.map(|user| as_player(&user.id));
        let joined = value(join::join_team(app, &Call::of(joining)?).await)?;
        let user_id: UserId = id(joined["userId"].as_str().unwrap_or_default())?;
        let token = joined["token"].as_str().unwrap_or_default().to_owned();
        Ok((Player { principal: as_player(&user_id), team_id, user_id }, token))
    }

    /// Lets a player find levels and photograph them, and then ask for the next one.
    async fn play(&self, player: &Player, found: usize) -> Result<(), Problem> {
        let app = self.app;
        let send = |body: Value| request(&player.principal, &[], body);
        level::level(app, &Call::of(send(json!({})))?).await?;
        for _ in 0..found {
            let route = routes::route(app, &player.team_id).await?;
            let Some(current) = route.current() else { break };
            let place = app.db.level_of(&self.game_id, &current.level_id).await?;
            let code = json!({ "code": place.and_then(|place| place.scan_code) });
            scan::scan(app, &Call::of(send(code))?).await?;
            let photo = Call::of(send(json!({ "photo": PHOTO.trim_end() })))?;
            photos::upload::upload_photo(app, &photo).await?;
        }
        if found == 0
            && let Some(first) = routes::route(app, &player.team_id).await?.current()
        {
            let arrived_at = Some(app.db.now() - LOOKING);
            app.db.edit(first.clone(), |first| first.started_at = arrived_at).await?;
        }
        let said = json!({ "message": { "text": "Where should we look?" } });
        message::send_message(app, &Call::of(send(said))?).await?;
        Ok(())
    }

    /// Lets a player come from the first place to where the player is now.
    async fn walk(&self, player: &Player, number: usize) -> Result<(), Problem> {
        let (app, now) = (self.app, self.app.db.now());
        let places = app.db.levels(&self.game_id).all().await?;
        let [first, others @ ..] = &places[..] else { return Ok(()) };
        let (from, to) = (&first.location, &others[number % others.len()].location);
        let between = |from: Degrees, to: Degrees, part: f64| from.0 + (to.0 - from.0) * part;
        let along = |part: f64| {
            let north = between(from.latitude, to.latitude, part);
            (north, between(from.longitude, to.longitude, part))
        };
        for step in 1..POSITIONS {
            let (latitude, longitude) = along(f64::from(step) / f64::from(POSITIONS));
            let snapshot = CoordinateSnapshot {
                id: app.new_id()?,
                ts: seconds_before(now, 30 * i64::from(POSITIONS - step)),
                user_id: player.user_id.clone(),
                team_id: player.team_id.clone(),
                latitude: Degrees(latitude),
                longitude: Degrees(longitude),
                accuracy_m: None,
                heading: None,
                implausible: None,
                ttl: None,
                stamps: Stamps::default(),
            };
            app.db.create(&snapshot).await?;
        }
        let (latitude, longitude) = along(1.0);
        let here = json!({ "latitude": latitude, "longitude": longitude, "accuracyM": 8.0 });
        ping::ping(app, &Call::of(request(&player.principal, &[], here))?).await?;
        Ok(())
    }

    async fn links(&self) -> Result<Value, Problem> {
        value(links::show_links(self.app, &Call::of(self.organiser(json!({})))?).await)
    }

    /// Returns how to join, and what to scan next.
    async fn codes(&self, url: &str) -> Result<String, Problem> {
        let codes = self.links().await?;
        let mut text = String::new();
        for team in codes["teams"].as_array().into_iter().flatten() {
            let word = |name: &str| team[name].as_str().unwrap_or_default();
            let page = word("url").rsplit("/join").next().unwrap_or_default();
            text += &format!("Play for the {}: {url}/join{page}\n", word("teamName"));
        }
        Ok(text)
    }
}

/// Returns the body of a response.
fn value<R>(answer: Answer<R>) -> Result<Value, Problem> {
    Ok(body_of(answer?.into_reply()))
}

fn seconds_before(now: Timestamp, seconds: i64) -> EpochSeconds {
    EpochSeconds::new(now.epoch_seconds().as_seconds() - seconds)
}

fn row_id(number: usize) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

fn id<I: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<I, Problem> {
    text.parse().map_err(|error: I::Err| Problem::internal(error.to_string()))
}
