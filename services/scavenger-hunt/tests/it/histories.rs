//! Random histories of players and organisers at once. Whatever happened, everything holds: nobody but the first team has won,
//! and hints come by the time at a level without pauses, to the second.

use std::sync::{Arc, Mutex};

use monotable_scavenger_hunt::ScavengerHuntService;
use monotable_scavenger_hunt::table::ScavengerHuntReads as _;
use monotable_testkit::service::histories::Step;
use monotable_testkit::service::{
    Actor, Dice, Histories, History, Response, Setting, Testing, oracle,
};
use serde_json::{Value, json};

use crate::world::{Hunt, MINUTE_MS, PHOTO, World, config_with, done};

/// A hunt that is played, and who has won it as far as anybody has seen.
struct Playing {
    hunt: Hunt,
    tokens: Mutex<Vec<(usize, String)>>,
    winner: Mutex<Option<String>>,
}

impl Playing {
    fn token(&self, dice: &mut Dice) -> (usize, String) {
        dice.of(&self.tokens.lock().unwrap()).cloned().unwrap()
    }

    async fn organise(&self, dice: &mut Dice) -> (String, Response) {
        let (hunt, team) = (&self.hunt, dice.roll(3));
        let game = format!("/api/games/{}", hunt.game_id);
        let levels = hunt.route(team).await;
        let (path, body) = match dice.roll(7) {
            0 | 1 => {
                let action = ["pause", "unpause", "start", "reset"][dice.roll(4)];
                (format!("{game}/control"), json!({ "action": action }))
            }
            2 => {
                let body = json!({ "teamId": hunt.teams[team].0, "points": 5, "reason": "r" });
                (format!("{game}/adjust"), body)
            }
            3 => (format!("{game}/broadcast"), json!({ "text": "Hello" })),
            4 => {
                let act = ["skip", "reopen"][dice.roll(2)];
                let level = &levels[dice.roll(levels.len())].id;
                (format!("/api/teams/{}/levels/{level}/{act}", hunt.teams[team].0), Value::Null)
            }
            5 => {
                let photos = hunt.world.app.db.photos_of_game(&hunt.id()).all().await.unwrap();
                let Some(photo) = dice.of(&photos) else {
                    return ("nothing".to_owned(), hunt.world.get("olga", &game).await);
                };
                let review = ["approved", "rejected", "pending"][dice.roll(3)];
                let path = format!("/api/users/{}/photos/{}/review", photo.user_id, photo.id);
                (path, json!({ "review": review, "points": dice.roll(20) }))
            }
            _ => {
                let users = hunt.world.app.db.users(&hunt.team_id(team)).all().await.unwrap();
                let Some(user) = dice.of(&users).filter(|_| users.len() > 1) else {
                    return ("nothing".to_owned(), hunt.world.get("olga", &game).await);
                };
                let to = &hunt.teams[dice.roll(3)].0;
                (format!("{game}/users/{}/move", user.id), json!({ "teamId": to }))
            }
        };
        let told = hunt.world.post("olga", &path, body.clone()).await;
        (format!("olga {path} {body}"), told)
    }

    async fn play(&self, dice: &mut Dice) -> (String, Response) {
        let (hunt, (team, token)) = (&self.hunt, self.token(dice));
        let code = hunt.levels[dice.roll(hunt.levels.len())].1.clone();
        let current = hunt.route(team).await.into_iter().find(|level| level.completed_at.is_none());
        let current = current.and_then(|level| {
            hunt.levels
                .iter()
                .find(|(id, _)| *id == level.level_id.as_str())
                .map(|(_, code)| code.clone())
        });
        let (path, body) = match dice.roll(8) {
            0 => ("/api/level", json!({})),
            1 | 2 => ("/api/scan", json!({ "code": current.unwrap_or(code) })),
            3 => ("/api/scan", json!({ "code": code })),
            4 => ("/api/upload-photo", json!({ "photo": PHOTO })),
            5 => ("/api/message", json!({ "message": { "text": "Where?" } })),
            6 => ("/api/clear-chat", Value::Null),
            _ => ("/api/ping-coordinates", json!({ "latitude": dice.roll(90), "longitude": 0 })),
        };
        let told = hunt.act(&token, path, body.clone()).await;
        (format!("team {team} {path} {body}"), told)
    }
}

impl History for Playing {
    fn begin(change: fn(Setting) -> Setting) -> Testing<'static, Self> {
        Box::pin(async move {
            let world = World::set(change(Setting::new(ScavengerHuntService::default()))).await;
            let hunt = Hunt::in_world(Arc::new(world), config_with(3, 4, json!({}))).await;
            hunt.control("start").await;
            let mut tokens = Vec::new();
            for team in [0, 0, 1, 1, 2] {
                tokens.push((team, hunt.join(team).await));
            }
            Self { hunt, tokens: Mutex::new(tokens), winner: Mutex::default() }
        })
    }

    fn step<'a>(&'a self, dice: &'a mut Dice) -> Testing<'a, Step> {
        Box::pin(async {
            let (step, response) = match dice.roll(20) {
                0..=2 => self.organise(dice).await,
                3 => {
                    drop(self.hunt.world.app.work().await);
                    return ("work".to_owned(), None);
                }
                4 => {
                    let team = dice.roll(3);
                    let code = json!({ "code": self.hunt.teams[team].1 });
                    let told = self.hunt.world.post("", "/api/join", code).await;
                    if let Some(token) = told.value()["token"].as_str() {
                        self.tokens.lock().unwrap().push((team, token.to_owned()));
                    }
                    ("join".to_owned(), told)
                }
                _ => self.play(dice).await,
            };
            self.hunt.world.clock.advance_ms(20_000);
            (step, Some(response))
        })
    }

    fn settle<'a>(&'a self, when: &'a str) -> Testing<'a, ()> {
        Box::pin(async move {
            let world = &self.hunt.world;
            world.finish_work(when).await;
            world.check_quiet(when).await;
            let game = world.app.db.game(&self.hunt.id()).await.unwrap().unwrap();
            let winner = game.winner_team_id.map(|winner| winner.to_string());
            let mut known = self.winner.lock().unwrap();
            assert!(known.is_none() || *known == winner, "{when}: {known:?} and then {winner:?}");
            *known = winner;
        })
    }
}

#[test]
fn whatever_happens_to_hunts_everything_holds() {
    let histories = Histories { count: 6, phases: 2, actors: 4, steps: 20 };
    histories.run::<Playing>("ScavengerHunt's histories");
}

/// Rows that are expired are absent, whether they were removed or not.
#[tokio::test]
async fn expired_rows_are_absent() {
    oracle::expired_is_absent::<Playing>("ScavengerHunt's expired rows", 60).await;
}

/// Each command may be sent by many at once, through two processes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn commands_at_once_keep_the_rules() {
    let hunt = Hunt::live_with(config_with(2, 2, json!({ "photo_required": false }))).await;
    let token = hunt.join(0).await;
    done(hunt.scan(&token, 0).await, 200);
    let route = hunt.route(0).await;
    let game = format!("POST /api/games/{}", hunt.game_id);
    let (control, end) = (format!("{game}/control"), format!("{game}/end"));
    let skip = format!("POST /api/teams/{}/levels/{}/skip", hunt.teams[0].0, route[1].id);
    let player = Actor::Token(&token);
    let commands = [
        (Actor::User("olga"), control.as_str(), json!({ "action": "pause" }), 1..=1),
        (Actor::User("olga"), end.as_str(), Value::Null, 1..=1),
        (Actor::User("olga"), skip.as_str(), Value::Null, 1..=1),
        (player, "POST /api/scan", json!({ "code": hunt.levels[1].1 }), 8..=8),
        (player, "POST /api/upload-photo", json!({ "photo": PHOTO }), 8..=8),
        (Actor::Nobody, "POST /api/join", json!({ "code": hunt.teams[1].1 }), 8..=8),
        (player, "POST /api/message", json!({ "message": { "text": "Where?" } }), 8..=8),
        (player, "POST /api/ping-coordinates", json!({ "latitude": 1, "longitude": 1 }), 8..=8),
    ];
    let sent = commands.clone().map(|(actor, route, body, _)| (actor, route, body));
    let done = oracle::all_at_once(&hunt.world, 8, &sent).await;
    for ((_, route, _, expected), done) in commands.iter().zip(done) {
        assert!(expected.contains(&done), "{route} was done {done} times of {expected:?}");
    }
}

/// The kind of each reply follows from a count of the seconds at the level without pauses, which only this test keeps.
#[tokio::test]
async fn hints_come_at_the_exact_second_whatever_is_paused() {
    let seed = monotable_testkit::crash::seed::announce("hints of ScavengerHunt");
    for part in 0..6 {
        let mut dice = Dice::new(seed, part);
        let settings = json!({ "photo_required": false, "hint_after_min": 2, "map_after_min": 3 });
        let hunt = Hunt::live_with(config_with(1, 6, settings)).await;
        let token = hunt.join(0).await;
        hunt.state(&token).await;
        let (mut at_level_s, mut is_paused, mut level) = (0_u64, false, 0);
        for _ in 0..60 {
            match dice.roll(6) {
                0 => {
                    hunt.control(if is_paused { "unpause" } else { "pause" }).await;
                    is_paused = !is_paused;
                }
                1 if !is_paused && level < 5 && dice.roll(3) == 0 => {
                    done(hunt.scan(&token, level).await, 200);
                    (level, at_level_s) = (level + 1, 0);
                }
                2 => drop(done(hunt.act(&token, "/api/clear-chat", Value::Null).await, 200)),
                _ => {
                    let until = |end: u64| end.saturating_sub(at_level_s);
                    let seconds =
                        [1, 7, 59, 60, 61, until(119), until(120), until(180)][dice.roll(8)];
                    hunt.world.clock.advance_ms(seconds * 1_000);
                    at_level_s += if is_paused { 0 } else { seconds };
                }
            }
            let expected = match at_level_s {
                0..120 => "chat",
                120..180 => "clue",
                _ => "map",
            };
            let said = hunt.say(&token, "And now?").await;
            if said.status == 429 {
                // Ten messages in a minute: the clock stands still for the rest of it.
                if !is_paused {
                    hunt.control("pause").await;
                }
                hunt.world.clock.advance_ms(MINUTE_MS);
                if !is_paused {
                    hunt.control("unpause").await;
                }
                continue;
            }
            assert_eq!(done(said, 200)["kind"], expected, "seed {seed}, {part}: {at_level_s} s");
        }
    }
}

/// Two processes on a backend with faults, which die.
#[test]
fn faults_of_the_backend_leave_nothing_half_done() {
    let histories = Histories { count: 3, phases: 2, actors: 4, steps: 12 };
    histories.run_with_faults::<Playing>("ScavengerHunt's histories with faults");
}
