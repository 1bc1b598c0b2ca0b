//! A match day: a league with its people, a season of three teams, players, and games played by requests.

use std::time::Duration;

use monotable_testkit::service::{Request, Response};
use monotable_three_fc::table::{
    Acl, League, Player, PlayerId, Ranking, Role, Season, Session, Stamps, Team, ThreeFcReads as _,
    User,
};
use serde_json::{Value, json};

use crate::world::{World, id};

/// The teams of the season.
pub(crate) const TEAMS: [&str; 3] = ["red", "blue", "yellow"];
/// Players of each team.
pub(crate) const PLAYERS: usize = 3;

/// What tests of games begin with.
pub(crate) trait MatchDay: Sized {
    /// Returns the league `lg` of admin ann, scorekeeper sam and viewer vic, with the season `s1`, its session
    /// `d1`, and players such as `red-1`.
    async fn match_day() -> Self;

    /// Adds what `match_day` has to a world.
    async fn add_league(&self);

    /// Adds a session.
    async fn add_session(&self, session: &str, date: &str);

    /// Creates a game of a session with the line-ups of all players, by the scorekeeper.
    async fn game(&self, session: &str, game: &str) -> String;

    /// Creates a game whose first third runs.
    async fn live_game(&self) -> String;

    /// Sends a request that must succeed; returns its body.
    async fn done(&self, user: &str, route: &str, body: Value) -> Value;

    /// Sends a request; returns status and code.
    async fn outcome_of(&self, user: &str, route: &str, body: Value) -> String;

    /// Sends a request.
    async fn send_to(&self, user: &str, route: &str, body: Value) -> Response;

    /// Lets time pass until a third of a game is in a minute.
    async fn play_until(&self, game: &str, third: u8, minute: u16);

    /// Records a goal such as `red>blue` or `>blue` in a third and a minute; returns its id.
    async fn goal(&self, game: &str, goal: &str, third: u8, minute: u16) -> String;

    /// Plays all thirds that are left and finishes the game.
    async fn finish(&self, game: &str);
}

/// Returns the body of a goal such as `red>blue`, or of an own goal such as `>blue`, by the first player.
pub(crate) fn goal_body(goal: &str) -> Value {
    match goal.split_once('>').unwrap() {
        ("", team) => json!({
            "concedingTeamId": team, "scorerPlayerId": format!("{team}-1"), "ownGoal": true,
        }),
        (scoring, conceding) => json!({
            "scoringTeamId": scoring, "concedingTeamId": conceding,
            "scorerPlayerId": format!("{scoring}-1"),
        }),
    }
}

impl MatchDay for World {
    async fn match_day() -> Self {
        let world = Self::new().await;
        world.add_league().await;
        world
    }

    async fn add_league(&self) {
        let db = &self.app.db;
        let stamps = Stamps::default();
        let (league_id, season_id) = (id("lg"), id("s1"));
        let league = League {
            league_id,
            name: "Triangle".to_owned(),
            slug: Some(id("triangle")),
            created_by_user_id: id("ann"),
            admin_count: Some(1),
            season_count: Some(1),
            deleted_at: None,
            stamps,
        };
        db.create(&league).await.unwrap();
        let people = [("ann", Role::Admin), ("sam", Role::Scorekeeper), ("vic", Role::Viewer)];
        for (user, role) in people {
            let (user_id, granted_by_user_id) = (id(user), id("ann"));
            let league_id = league.league_id.clone();
            let grant = Acl { league_id, user_id, role, granted_by_user_id, stamps };
            db.create(&grant).await.unwrap();
        }
        let season = Season {
            league_id: league.league_id.clone(),
            season_id,
            name: "Summer".to_owned(),
            slug: Some(id("summer")),
            starts_on: None,
            ends_on: None,
            third_length_minutes: 20,
            ranking: Ranking::usual(),
            team_count: Some(3),
            session_count: Some(0),
            stamps,
        };
        db.create(&season).await.unwrap();
        self.add_session("d1", "2026-02-22").await;
        for team in TEAMS {
            let (season_id, team_id) = (season.season_id.clone(), id(team));
            let (name, color) = (team.to_uppercase(), Some(team.to_owned()));
            db.create(&Team { season_id, team_id, name, color, stamps }).await.unwrap();
            for number in 1..=PLAYERS {
                let player_id: PlayerId = id(&format!("{team}-{number}"));
                let player = Player {
                    nickname: format!("Nick {player_id}"),
                    claimed_by_user_id: (number == 1).then(|| id(&format!("user-of-{team}"))),
                    avatar: None,
                    avatar_key: None,
                    league_id: Some(league.league_id.clone()),
                    player_id,
                    stamps,
                };
                db.create(&player).await.unwrap();
            }
            let user_id = id(&format!("user-of-{team}"));
            let email = Some(format!("{team}@example.org"));
            db.create(&User { user_id, email, deleted_at: None, stamps }).await.unwrap();
        }
    }

    async fn add_session(&self, session: &str, date: &str) {
        let session = Session {
            season_id: id("s1"),
            session_id: id(session),
            session_date: date.parse().unwrap(),
            game_count: Some(0),
            stamps: Stamps::default(),
        };
        let db = &self.app.db;
        db.create(&session).await.unwrap();
        let season = db.season_in(&id("lg"), &session.season_id).await.unwrap().unwrap();
        let count = season.session_count.unwrap();
        db.edit(season, |season| season.session_count = Some(count + 1)).await.unwrap();
    }

    async fn game(&self, session: &str, game: &str) -> String {
        let start = "2026-02-22T09:00:00+11:00";
        let body = json!({ "gameId": game, "gameStartTs": start, "teamIds": TEAMS });
        self.done("sam", &format!("POST /v1/sessions/{session}/games"), body).await;
        for team in TEAMS {
            for number in 1..=PLAYERS {
                let body = json!({ "teamId": team, "playerId": format!("{team}-{number}") });
                self.done("sam", &format!("POST /v1/games/{game}/roster"), body).await;
            }
        }
        game.to_owned()
    }

    async fn live_game(&self) -> String {
        let game = self.game("d1", "g1").await;
        self.done("sam", &format!("POST /v1/games/{game}/thirds/1/start"), Value::Null).await;
        game
    }

    async fn done(&self, user: &str, route: &str, body: Value) -> Value {
        let response = self.send_to(user, route, body).await;
        assert!(response.is_success(), "{user} {route}: {} {}", response.status, response.text);
        response.value()
    }

    async fn outcome_of(&self, user: &str, route: &str, body: Value) -> String {
        self.send_to(user, route, body).await.outcome()
    }

    async fn send_to(&self, user: &str, route: &str, body: Value) -> Response {
        self.send(user, Request::new(route, body)).await
    }

    async fn play_until(&self, game: &str, third: u8, minute: u16) {
        let thirds = self.app.db.game(&id(game)).await.unwrap().unwrap().thirds;
        let Some(third) = thirds.iter().find(|one| one.n == third) else { return };
        let then = third.started_at + Duration::from_secs(60 * u64::from(minute));
        let wait = then.since(self.now());
        self.clock.advance_ms(wait.as_millis().try_into().unwrap());
    }

    async fn goal(&self, game: &str, goal: &str, third: u8, minute: u16) -> String {
        self.play_until(game, third, minute).await;
        let mut body = goal_body(goal);
        body["third"] = third.into();
        body["gameMinute"] = minute.into();
        let recorded = self.done("sam", &format!("POST /v1/games/{game}/goals"), body).await;
        recorded["eventId"].as_str().unwrap().to_owned()
    }

    async fn finish(&self, game: &str) {
        let thirds = self.app.db.game(&id(game)).await.unwrap().unwrap().thirds;
        for n in 1..=3 {
            let known = thirds.iter().find(|third| third.n == n);
            if known.is_none() {
                self.done("sam", &format!("POST /v1/games/{game}/thirds/{n}/start"), Value::Null)
                    .await;
            }
            if known.is_none_or(|third| third.finished_at.is_none()) {
                self.done("sam", &format!("POST /v1/games/{game}/thirds/{n}/finish"), Value::Null)
                    .await;
            }
        }
        self.done("sam", &format!("POST /v1/games/{game}/finish"), Value::Null).await;
    }
}
