//! The stories that the service is accepted by, with several processes on one table. Those that need only
//! one are elsewhere: killed processes in `crash`, locks in `kv/lock`, what spectators see in `traffic`,
//! clocks that change in `schedule` and `long_play`.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::Method;
use monotable_btl_run::table::{BtlRunReads as _, MatchRowKey};
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::invariants::rows;
use crate::players::{Play as _, Player};
use crate::world::{Actor, Opened, Response, World};

const PROCESSES: usize = 4;

/// Processes on one table.
async fn processes() -> Vec<Arc<World>> {
    let first = World::new().await;
    let mut all = Vec::new();
    for _ in 1..PROCESSES {
        all.push(Arc::new(first.another_process().await));
    }
    all.insert(0, Arc::new(first));
    all
}

/// Returns a started match with so many players.
async fn started(world: &World, fields: Value, players: usize) -> (Opened, Vec<Player>) {
    let opened = world.open_match(fields).await;
    let mut joined = Vec::new();
    for number in 0..players {
        joined.push(world.join(&opened, &format!("P{number}")).await);
    }
    world.host(&opened, "start", json!({})).await;
    (opened, joined)
}

/// A request: who asks (the bearer of this token, or nobody), for which path, what, and with which key.
#[derive(Clone)]
struct Request {
    token: Option<String>,
    path: String,
    body: Value,
    key: Option<&'static str>,
}

impl Request {
    fn of(token: &str, path: String, body: Value) -> Self {
        Self { token: Some(token.to_owned()), path, body, key: None }
    }
}

/// Asks for everything at the same moment, each of another process than the one before.
async fn at_once(processes: &[Arc<World>], requests: Vec<Request>) -> Vec<Response> {
    let barrier = Arc::new(Barrier::new(requests.len()));
    let ask = |(number, request): (usize, Request)| {
        let world = Arc::clone(&processes[number % processes.len()]);
        let barrier = Arc::clone(&barrier);
        tokio::spawn(async move {
            let Request { token, path, body, key } = request;
            let who = token.as_ref().map_or(Actor::Nobody, |token| Actor::Token(token));
            let headers: Vec<_> = key.iter().map(|key| ("idempotency-key", *key)).collect();
            barrier.wait().await;
            world.request(who, Method::POST, &path, body, &headers).await
        })
    };
    let mut answers = Vec::new();
    for asking in requests.into_iter().enumerate().map(ask).collect::<Vec<_>>() {
        answers.push(asking.await.unwrap());
    }
    answers
}

/// Returns how often each answer was told; `replay` for those that were told before.
fn counted(answers: &[Response]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for answer in answers {
        let is_replay = answer.headers.contains_key("idempotent-replay");
        let told = if is_replay { "replay".to_owned() } else { answer.outcome() };
        *counts.entry(told).or_default() += 1;
    }
    counts
}

/// Scenario 1: of fifty requests for one turn, half with one key, one resolves it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_advances_in_four_processes_resolve_a_turn_once() {
    let processes = processes().await;
    let (opened, _) = started(&processes[0], json!({}), 0).await;
    for turn in ["d1t1", "d1t2", "d1t3"] {
        let advance = |number: usize| Request {
            key: number.is_multiple_of(2).then_some(turn),
            ..Request::of(&opened.host, opened.path("advance"), json!({ "turnId": turn }))
        };
        let counts = counted(&at_once(&processes, (0..50).map(advance).collect()).await);
        assert_eq!(counts["200 -"], 1, "{counts:?}");
        let others = ["replay", "409 CONFLICT", "409 MATCH_ENDED"];
        let others: usize = others.iter().filter_map(|told| counts.get(*told)).sum();
        assert_eq!(others, 49, "{counts:?}");
        let look = processes[1].look(&opened).await;
        assert_ne!(look["turnId"], turn);
        processes[0].check(turn).await;
        if look["status"] == "ended" {
            break;
        }
    }
}

/// When the last players choose at the same moment, the turn is resolved once, with all that they chose.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_last_choices_resolve_a_turn_once() {
    let processes = processes().await;
    for round in 0..5 {
        let (opened, players) = started(&processes[0], json!({ "aiCount": 2 }), 6).await;
        let choose = |player: &Player| {
            let body = json!({ "turnId": "d1t1", "action": "hide" });
            Request::of(&player.token, opened.path("action"), body)
        };
        let answers = at_once(&processes, players.iter().map(choose).collect()).await;
        assert_eq!(counted(&answers), [("200 -".to_owned(), 6)].into(), "round {round}");
        let last = answers.iter().filter(|answer| answer.json()["resolved"] == true);
        assert_eq!(last.count(), 1, "round {round}");
        let look = processes[0].look(&opened).await;
        assert_eq!(look["turnId"], "d1t2", "round {round}");
        processes[0].check(&format!("round {round}")).await;
        processes[0].host(&opened, "end", json!({})).await;
        processes[0].clock.advance_ms(60 * 60 * 1000);
    }
}

/// Scenario 3: the same lobby on two machines, played by the same actions.
#[tokio::test]
async fn the_same_seed_and_actions_give_the_same_events_on_two_machines() {
    let one = World::new().await;
    let rules = json!({ "crafting": true, "maxCraftingSlots": 2 });
    let opened = one.open_match(json!({ "aiCount": 8, "rules": rules })).await;
    let players = [one.join(&opened, "Bob").await, one.join(&opened, "Cleo").await];
    let other = one.copy().await;
    let kinds = ["scavenge", "seek_alliance", "explore", "craft", "hide", "rest", "hunt"];
    let mut logs = Vec::new();
    for machine in [&one, &other] {
        machine.host(&opened, "start", json!({})).await;
        for number in 0.. {
            let look = machine.look(&opened).await;
            let Some(turn) = look["turnId"].as_str().filter(|_| look["status"] == "active") else {
                break;
            };
            for (place, player) in players.iter().enumerate() {
                machine.clock.advance_ms(60 * 1000);
                machine.act(&opened, player, turn, kinds[(number * 3 + place) % 7]).await;
            }
            machine.clock.advance_ms(1000);
            let body = json!({ "turnId": turn, "force": true });
            machine.post(opened.actor(), &opened.path("advance"), body).await;
        }
        let of_match = rows::matches(&rows::stored(machine)).remove(&opened.id).unwrap();
        // Narrators may come sooner or later.
        let events = of_match.log().into_iter().map(|event| {
            json!({
                "body": event.body, "turn": event.turn_id, "at": event.timestamp,
            })
        });
        let is_story = |event: &Value| event["body"]["type"] == "NARRATION_ATTACHED";
        logs.push(events.filter(|event| !is_story(event)).collect::<Vec<_>>());
        machine.check("at the end").await;
    }
    assert!(logs[0].len() > 20);
    assert_eq!(logs[0], logs[1]);
}

/// Scenario 5.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_a_hundred_actions_in_four_processes_twenty_pass() {
    let processes = processes().await;
    let (opened, players) = started(&processes[0], json!({}), 2).await;
    let act = |_| {
        let body = json!({ "turnId": "d1t1", "action": "rest" });
        Request::of(&players[0].token, opened.path("action"), body)
    };
    let counts = counted(&at_once(&processes, (0..100).map(act).collect()).await);
    // Somebody may have been faster too often; such a request is refused and not counted.
    let conflicts = counts.get("409 CONFLICT").copied().unwrap_or_default();
    let passed = counts["200 -"];
    assert!(passed <= 20 && passed + conflicts >= 20, "{counts:?}");
    assert_eq!(passed + conflicts + counts["429 RATE_LIMIT"], 100, "{counts:?}");
    let subject = format!("rate#{}:{}", opened.id, players[0].tribute);
    let rows = rows::stored(&processes[0]);
    let counted = rows.iter().find(|row| row.pk == subject).map(|row| row.number());
    assert_eq!(counted, u64::try_from(passed).ok(), "{counts:?}");
    processes[0].check("at the end").await;
}

/// A match starts with whoever has joined, and who was told to be in is in.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn joins_during_the_start_succeed_or_are_refused() {
    let processes = processes().await;
    for round in 0..5 {
        let opened = processes[0].open_match(json!({ "aiCount": 4 })).await;
        let mut requests: Vec<Request> = (0..7)
            .map(|number| Request {
                token: None,
                path: opened.path("join"),
                body: json!({ "code": opened.code, "name": format!("P{number}") }),
                key: None,
            })
            .collect();
        requests.insert(3, Request::of(&opened.host, opened.path("start"), json!({})));
        let answers = at_once(&processes, requests).await;
        let counts = counted(&answers);
        assert_eq!(counts.get("200 -"), Some(&1), "round {round}: {counts:?}");
        let joined = counts.get("201 -").copied().unwrap_or_default();
        let late: usize =
            ["409 MATCH_IN_PROGRESS", "404 INVITE_NOT_FOUND", "409 INVITE_EXPIRED", "409 CONFLICT"]
                .iter()
                .filter_map(|told| counts.get(*told))
                .sum();
        assert_eq!(joined + late, 7, "round {round}: {counts:?}");
        let roster = processes[0].look(&opened).await["roster"].as_array().unwrap().len();
        assert_eq!(roster, 4 + joined, "round {round}");
        processes[0].check(&format!("round {round}")).await;
        processes[0].host(&opened, "end", json!({})).await;
        processes[0].clock.advance_ms(60 * 60 * 1000);
    }
}

/// Nobody opens more lobbies than five, in however many processes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn five_lobbies_are_opened_by_a_user_at_once() {
    let processes = processes().await;
    let barrier = Arc::new(Barrier::new(12));
    let open = |number: usize| {
        let world = Arc::clone(&processes[number % PROCESSES]);
        let barrier = Arc::clone(&barrier);
        tokio::spawn(async move {
            barrier.wait().await;
            world.post(Actor::User("ann"), "/match", json!({ "mode": "quick" })).await
        })
    };
    let mut answers = Vec::new();
    for opening in (0..12).map(open).collect::<Vec<_>>() {
        answers.push(opening.await.unwrap());
    }
    let counts = counted(&answers);
    assert!(counts["201 -"] <= 5, "{counts:?}");
    let matches = rows::matches(&rows::stored(&processes[0])).len();
    assert_eq!(matches, counts["201 -"], "{counts:?}");
    processes[0].check("at the end").await;
}

/// Scenario 7: a state that is compressed is played, guarded by its version, and read with others.
#[tokio::test]
async fn a_large_state_is_played_like_any_other() {
    let world = World::new().await;
    let opened = world.open_match(json!({ "aiCount": 0 })).await;
    let mut players = Vec::new();
    for number in 0..24 {
        world.clock.advance_ms(60 * 1000);
        let quirk = |word: &str| format!("{word} {number} ").repeat(8);
        let persona = json!({
            "archetype": quirk("wanders"),
            "quirks": [quirk("sings"), quirk("ποιεῖ"), quirk("naps")],
            "catchphrase": quirk("onward"),
        });
        let fields = json!({ "persona": persona });
        let joined = world.try_join(Actor::Nobody, &opened, &format!("P{number}"), fields).await;
        assert_eq!(joined.status, 201, "{}", joined.text);
        let told = joined.json();
        let text = |name: &str| told[name].as_str().unwrap().to_owned();
        players.push(Player { tribute: text("tributeId"), token: text("playerToken") });
    }
    world.host(&opened, "start", json!({})).await;
    let small = world.open_match(json!({})).await;
    let state_of = |id: &str| {
        let is_it = |row: &monotable::Item| {
            let text = |name: &str| row.get(name).and_then(|value| value.as_s());
            text("pk") == Some(&format!("match#{id}")) && text("sk") == Some("state")
        };
        world.rows().into_iter().find(is_it).unwrap()
    };
    assert!(state_of(&opened.id)["v"].as_b().is_some(), "the state is not compressed");
    assert!(state_of(&small.id)["v"].as_s().is_some());
    let version = world.look(&opened).await["version"].as_u64().unwrap();
    let advance = async |version: u64| {
        let (path, body) = (opened.path("advance"), json!({ "force": true }));
        let version = format!("\"{version}\"");
        let headers = [("if-match", version.as_str())];
        world.request(opened.actor(), Method::POST, &path, body, &headers).await.outcome()
    };
    assert_eq!(advance(version - 1).await, "412 PRECONDITION_FAILED");
    world.act(&opened, &players[0], "d1t1", "hide").await;
    assert_eq!(advance(version).await, "412 PRECONDITION_FAILED");
    assert_eq!(advance(version + 1).await, "200 -");
    assert!(state_of(&opened.id)["v"].as_b().is_some());
    let keys: Vec<MatchRowKey> = [&opened.id, "none", &small.id, &opened.id]
        .map(|id| MatchRowKey::new(id.parse().unwrap()))
        .to_vec();
    let found = world.app.db.match_states(&keys).consistent().await.unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|row| row.as_ref().map(|row| (row.match_id.to_string(), row.state.roster.len())))
        .collect();
    let (large, few) = (Some((opened.id.clone(), 24)), Some((small.id.clone(), 6)));
    assert_eq!(found, [large.clone(), None, few, large]);
    world.check("at the end").await;
}
