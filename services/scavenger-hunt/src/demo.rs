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
/// A place: its name and its character, degrees north and east, clues, easy clues.
type Place = (&'static str, &'static str, [f64; 2], [&'static str; 3], [&'static str; 2]);
const LEVELS: [Place; 4] = [
    (
        "The old fountain",
        "Sir Quackalot",
        [48.2085, 16.3731],
        ["It is older than the town hall.", "It never stops talking.", "Pigeons bathe here."],
        ["Look on the market square.", "Throw a coin into it."],
    ),
    (
        "The clock tower",
        "Lady Mallard",
        [48.2102, 16.3706],
        [
            "It has a face and no mouth.",
            "It counts to twelve, twice.",
            "It stands above everybody.",
        ],
        ["Listen at the full hour.", "It is next to the church."],
    ),
    (
        "The iron bridge",
        "Captain Pintail",
        [48.2119, 16.3768],
        ["It lies on its back all day.", "Ships bow to it.", "It is made of many rivets."],
        ["Follow the water.", "It connects the two parks."],
    ),
    (
        "The lime tree",
        "Grandmother Eider",
        [48.2071, 16.3789],
        ["It wears green in summer.", "Emperors rested under it.", "Bees love it."],
        ["It is in the botanical garden.", "There is a round bench around it."],
    ),
];
/// Teams: name, colour, the players, and how many levels the team has found.
const TEAMS: [(&str, &str, &[&str], usize); 3] = [
    ("Mallards", "#009e73", &["Milo", "Nell"], 2),
    ("Puffins", "#d55e00", &["Pia"], 1),
    ("Gulls", "#0072b2", &["Gus"], 0),
];
/// How long the game has been played.
const PLAYED: Duration = Duration::from_secs(40 * 60);
/// How long the last team has looked for its first level: long enough for clues.
const LOOKING: Duration = Duration::from_secs(12 * 60);
/// Positions of each player, one in half a minute.
const POSITIONS: u32 = 12;
/// A drawing of a duck.
const PHOTO: &str = "data:image/gif;base64,\
    R0lGODlhgABwAIIAAMji8HhUCvrMKBQUFPB4FChuqgAAAAAAACwAAAAAgABwAAAD/wi63P4wykmrvTjrzbv/YCiOZGmeaKqubOu+cCzPdN0GeK\
    7vfG7/k55wCCw+hsidcblIOgNM5jMZXU6RVeOVmAVuhV2YUEAum8/oMjhsGqff7zWb5Ibb1b15qX63y/UhfH1xeYAigoNof4YeiIlmi4wcjo9k\
    kZIalAObnJuEPAShoqOkBJhHPW+dnZ87pa+ipw6aq55pQrCwsg20ta06ua+7DL2rvznBpcNNqWm1too9yaTLCsWst9LTsdXXnMc429zLlJXiwd\
    UA5Y/nuenrie263c2VaPLC9Dz2afjK+jv43fM36l09gWQIFgSoA6EZhePS8TqIUOIHeIMsNqIoUP9jB4x9PE7iyE/kBpB3TGYiaU9lBpR2ulwK\
    xLLSTDGF2tR8dPNFz437HFrKWePnx52JjLJQehLpIKYqoL502kcqCqsXYMLBqpPHVap3uO65gkGr0KFefZLNCvYsnrQutpRt61aA2JFT5gat+5\
    To0rUWzJ692zQv2718w/pdIfdwwMRVF0cFXEGwUMIrEUO6Ahky5giUtnRO/BlCaM6j65ZGpfntk9SqJdNsjfY17MGyQZyechs33LG07aLujXD1\
    LJaiiRfPfZGucs/MgT5+Tt21jq/Bq982PjG79tTciTn/fjn6Ue/kof+mMz69wPDM0LuPvZ5x+/ngoKiVjz+pefa5/PUXWX2TBSigH/+NYNmBmx\
    GYwoIM1nbdftNFyA98EkAYIYZTGfgdh7rdpxyIzXmoHYnSNWShdT5koWFvKJ5XoYUx4jXjhgnK8OJ2OWZQwI9ABinkkEQG+cWRSOJQ5JJMNunk\
    k0smKeUVUFZp5ZVMTqllElh26WWVW4bZw5dkljmkmGjmYOaaZaaZJptwdukmmnHWCeacYdqp55589unnn4AGKuighBZq6KGIJqrooow26uijkE\
    YKZQIAOw==";

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
        for (team, (_, _, players, found)) in TEAMS.iter().enumerate() {
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
        let levels = (0..).zip(LEVELS).map(|(place, (name, character, [north, east], clues, easy))| {
            json!({
                "id": row_id(10 + place),
                "levelName": name,
                "character": {
                    "name": character,
                    "systemPrompt": format!("You are {character}, a friendly duck of few words."),
                },
                "location": { "description": name, "latitude": north, "longitude": east },
                "clues": clues,
                "easyClues": easy,
                "mapLink": format!("https://www.openstreetmap.org/?mlat={north}&mlon={east}"),
            })
        });
        let teams = (0..).zip(TEAMS).map(|(place, (name, color, ..))| {
            json!({ "id": row_id(20 + place), "name": name, "color": color })
        });
        let game = json!({
            "id": GAME, "name": "Ducks of the old town",
            "description": "Four places, three teams, one afternoon.",
            "levels": levels.collect::<Vec<_>>(), "teams": teams.collect::<Vec<_>>(),
        });
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
            let photo = Call::of(send(json!({ "photo": PHOTO })))?;
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
        let (_, _, [north, east], ..) = LEVELS[0];
        let (_, _, [to_north, to_east], ..) = LEVELS[1 + number % (LEVELS.len() - 1)];
        let along = |part: f64| (north + (to_north - north) * part, east + (to_east - east) * part);
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
