//! Two servers on one endpoint: what one changes is seen by followers of the other, and kills lose nothing.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};
use std::thread;

use serde_json::{Value, json};

use super::Cloud;
use super::request::{Events, Method, send, send_once};
use crate::process::Server;

const CLIENTS: usize = 3;
const PLAYS_OF_ONE: usize = 8;
const KILLS: usize = 2;
/// More than a start of a server takes.
const ATTEMPTS_MAX: usize = 1_000;

/// A team with a game that is played.
struct Game {
    team: String,
    player: String,
    path: String,
}

impl Game {
    fn start(url: &str) -> Self {
        let post = |path: &str, body: &Value| {
            let answer = send(url, Method::Post, path, "ann", Some(body)).unwrap();
            assert!(matches!(answer.status, 200 | 201), "{path}: {}", answer.body);
            answer.json()
        };
        let team = post("/hacktracker/teams", &json!({ "name": "Gulls", "teamType": "MANAGED" }));
        let team = team["teamId"].as_str().unwrap().to_owned();
        let player = json!({ "firstName": "Ann", "playerNumber": 7 });
        let player = post(&format!("/hacktracker/teams/{team}/players"), &player);
        let player = player["playerId"].as_str().unwrap().to_owned();
        let game = json!({
            "teamId": team,
            "opponentName": "Owls",
            "lineup": [player],
            "scoreMode": "auto",
        });
        let game = post("/hacktracker/games", &game);
        let path = format!("/hacktracker/games/{}", game["gameId"].as_str().unwrap());
        post(&format!("{path}/start"), &json!({}));
        Self { team, player, path }
    }

    fn play(&self) -> Value {
        json!({ "playerId": self.player, "result": "K" })
    }

    fn at_bats(&self) -> String {
        format!("{}/atbats", self.path)
    }

    fn live(&self, url: &str) -> Value {
        let answer = send(url, Method::Get, &format!("{}/live", self.path), "ann", None).unwrap();
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()
    }
}

#[test]
fn followers_of_one_server_see_what_another_changes() {
    let cloud = Cloud::new();
    let (one, other) = (cloud.start(&["--create-tables"]), cloud.start(&[]));
    let game = Game::start(one.url());
    let mut events = Events::follow(other.url(), &format!("{}/events", game.path), "ann");
    assert_eq!(events.next()["atBats"], 0);
    for expected in 1..=3 {
        let played = send(one.url(), Method::Post, &game.at_bats(), "ann", Some(&game.play()));
        assert_eq!(played.unwrap().status, 201);
        // How it stood may come once more before it.
        let mut seen = events.next();
        while seen["atBats"] == expected - 1 {
            seen = events.next();
        }
        assert_eq!(seen["atBats"], expected);
    }
    one.kill();
    other.kill();
    cloud.end();
}

/// Two servers, of which the first is killed and started again.
struct Pair<'c> {
    cloud: &'c Cloud,
    urls: RwLock<[String; 2]>,
    first: Mutex<Option<Server>>,
    _second: Server,
}

impl<'c> Pair<'c> {
    fn start(cloud: &'c Cloud) -> Self {
        let (first, second) = (cloud.start(&["--create-tables"]), cloud.start(&[]));
        let urls = RwLock::new([first.url().to_owned(), second.url().to_owned()]);
        Self { cloud, urls, first: Mutex::new(Some(first)), _second: second }
    }

    fn url(&self, number: usize) -> String {
        self.urls.read().unwrap()[number % 2].clone()
    }

    fn replace_first(&self) {
        let mut first = self.first.lock().unwrap();
        drop(first.take());
        let started = self.cloud.start(&[]);
        self.urls.write().unwrap()[0] = started.url().to_owned();
        *first = Some(started);
    }

    /// Repeats a command with its key, at one server and at the other, until one of them confirms it.
    fn confirm(&self, number: usize, path: &str, body: &Value, key: &str) -> Value {
        let mut last = None;
        for attempt in number..number + ATTEMPTS_MAX {
            let header = format!("Idempotency-Key: {key}\r\n");
            let url = self.url(attempt);
            let answer = send_once(&url, Method::Post, path, "ann", Some(body), &header);
            match answer {
                Some(answer) if answer.status == 201 => return answer.json(),
                // Others were faster, or the server has been killed.
                Some(answer) if !matches!(answer.status, 409 | 412 | 429 | 503) => {
                    panic!("{key}: {answer:?}")
                }
                refused => {
                    last = refused;
                    thread::sleep(std::time::Duration::from_millis(20));
                }
            }
        }
        panic!("{key} was not confirmed in {ATTEMPTS_MAX} attempts: {last:?}")
    }
}

#[test]
fn kills_of_one_of_two_servers_lose_and_repeat_nothing() {
    let cloud = Cloud::new();
    let pair = Pair::start(&cloud);
    let game = Game::start(&pair.url(0));
    let (ids, confirmed, is_done) =
        (Mutex::new(BTreeSet::new()), AtomicUsize::new(0), AtomicBool::new(false));
    let winners = AtomicUsize::new(0);
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (pair, game, ids, confirmed, winners) =
                    (&pair, &game, &ids, &confirmed, &winners);
                scope.spawn(move || {
                    for play in 0..PLAYS_OF_ONE {
                        let key = format!("client-{client}-play-{play}");
                        let made = pair.confirm(client, &game.at_bats(), &game.play(), &key);
                        let id = made["atBatId"].as_str().unwrap().to_owned();
                        assert!(ids.lock().unwrap().insert(id), "{key} is another's");
                        confirmed.fetch_add(1, Ordering::Relaxed);
                    }
                    // All of them want the same number, at different servers.
                    let player = json!({ "firstName": "Bob", "playerNumber": 99 });
                    let path = format!("/hacktracker/teams/{}/players", game.team);
                    for attempt in client..client + ATTEMPTS_MAX {
                        let url = pair.url(attempt);
                        match send(&url, Method::Post, &path, "ann", Some(&player)) {
                            Some(made) if made.status == 201 => {
                                winners.fetch_add(1, Ordering::Relaxed);
                                return;
                            }
                            Some(taken) if taken.body.contains("NUMBER_TAKEN") => return,
                            Some(busy) if !matches!(busy.status, 409 | 429 | 503) => {
                                panic!("{busy:?}")
                            }
                            Some(_) | None => {}
                        }
                    }
                    panic!("the number was neither given nor refused");
                })
            })
            .collect();
        scope.spawn(|| {
            for kill in 1..=KILLS {
                let enough = CLIENTS * PLAYS_OF_ONE * kill / (KILLS + 1);
                while confirmed.load(Ordering::Relaxed) < enough && !is_done.load(Ordering::Relaxed)
                {
                    thread::yield_now();
                }
                pair.replace_first();
            }
        });
        for client in clients {
            // A panic of a client must end the other thread, too.
            let result = client.join();
            if result.is_err() {
                is_done.store(true, Ordering::Relaxed);
            }
            result.unwrap();
        }
        is_done.store(true, Ordering::Relaxed);
    });
    let plays = CLIENTS * PLAYS_OF_ONE;
    for number in 0..2 {
        assert_eq!(game.live(&pair.url(number))["atBats"], plays);
    }
    let ids = ids.into_inner().unwrap();
    assert_eq!(ids.len(), plays);
    // A player whose creation was cut off is there, but nobody was told.
    assert!(winners.into_inner() <= 1);
    let url = pair.url(1);
    let path = format!("/hacktracker/teams/{}/players", game.team);
    let players = send(&url, Method::Get, &path, "ann", None).unwrap().body;
    assert_eq!(players.matches("\"playerNumber\":99").count(), 1, "{players}");
    // The rows of a deleted game are removed by background work, which either server does.
    let finish = format!("{}/finish", game.path);
    assert_eq!(send(&url, Method::Post, &finish, "ann", Some(&json!({}))).unwrap().status, 200);
    let deleted = send(&url, Method::Delete, &game.path, "ann", None).unwrap();
    assert_eq!(deleted.status, 204, "{}", deleted.body);
    let id = game.path.rsplit('/').next().unwrap();
    let rows = json!({
        "TableName": "hacktracker-dev",
        "KeyConditionExpression": "PK = :pk AND begins_with(SK, :sk)",
        "ExpressionAttributeValues": {
            ":pk": { "S": format!("GAME#{id}") }, ":sk": { "S": "ATBAT#" },
        },
        "Select": "COUNT",
    });
    let mut client = cloud.endpoint.client();
    while client.done("Query", &rows)["Count"] != 0 {
        thread::sleep(std::time::Duration::from_millis(50));
    }
    drop(pair);
    cloud.end();
}
