//! The acceptance scenarios of the specification.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::world::{Hunt, MINUTE_MS, config, config_with, done, text};

/// Does the same at the same time for several players.
async fn at_once(hunt: &Arc<Hunt>, scans: &[(String, usize)]) -> Vec<Value> {
    let mut running = tokio::task::JoinSet::new();
    for (token, level) in scans.iter().cloned() {
        let hunt = Arc::clone(hunt);
        running.spawn(async move { done(hunt.scan(&token, level).await, 200) });
    }
    running.join_all().await
}

/// Scenario 1.
#[tokio::test(flavor = "multi_thread")]
async fn two_teammates_scan_the_same_duck() {
    let hunt = Arc::new(Hunt::live().await);
    let (one, two) = (hunt.join(0).await, hunt.join(0).await);
    hunt.state(&one).await;
    let states = at_once(&hunt, &[(one.clone(), 0), (two.clone(), 0)]).await;
    let route = hunt.route(0).await;
    assert!(route[0].completed_at.is_some());
    assert!(route[1].completed_at.is_none() && route[1].started_at == route[0].completed_at);
    for state in &states {
        assert_eq!(state["currentTeamLevel"], route[1].id.as_str());
        assert_eq!(state["completed"], 1);
        assert_eq!(state["requiresPhoto"], true);
    }
    hunt.world.check("two scans at once").await;
}

/// Scenario 2.
#[tokio::test(flavor = "multi_thread")]
async fn two_teams_finish_and_one_wins() {
    for _ in 0..10 {
        let hunt =
            Arc::new(Hunt::live_with(config_with(2, 2, json!({ "photo_required": false }))).await);
        let (one, two) = (hunt.join(0).await, hunt.join(1).await);
        for token in [&one, &two] {
            done(hunt.scan(token, 0).await, 200);
        }
        let ends = at_once(&hunt, &[(one.clone(), 1), (two.clone(), 1)]).await;
        let screens: Vec<&str> =
            ends.iter().map(|end| end["endScreen"].as_str().unwrap()).collect();
        assert_eq!(screens.iter().filter(|screen| **screen == "win").count(), 1, "{screens:?}");
        let winner = async || {
            let path = format!("/api/games/{}", hunt.game_id);
            done(hunt.world.get("olga", &path).await, 200)["winnerTeamId"].clone()
        };
        let first = winner().await;
        hunt.world.clock.advance_ms(MINUTE_MS);
        for token in [&one, &two] {
            done(hunt.scan(token, 1).await, 200);
        }
        assert_eq!(winner().await, first);
        hunt.world.check("the end").await;
    }
}

/// Scenario 3.
#[tokio::test]
async fn clearing_a_chat_concerns_nobody_else() {
    let hunt = Hunt::live().await;
    let (own, mate, other) = (hunt.join(0).await, hunt.join(0).await, hunt.join(1).await);
    for token in [&own, &mate, &other] {
        done(hunt.say(token, "Where is it?").await, 200);
    }
    let history = async |token: &str| hunt.state(token).await["messageHistory"].clone();
    let (of_mate, of_other) = (history(&mate).await, history(&other).await);
    assert_eq!(of_mate.as_array().unwrap().len(), 2);
    hunt.world.clock.advance_ms(9 * MINUTE_MS + 59_000);
    let cleared = done(hunt.act(&own, "/api/clear-chat", Value::Null).await, 200);
    assert_eq!(cleared["cleared"], 2);
    assert_eq!(history(&own).await, json!([]));
    assert_eq!((history(&mate).await, history(&other).await), (of_mate, of_other));
    assert_eq!(done(hunt.say(&own, "Hello?").await, 200)["kind"], "chat");
    hunt.world.clock.advance_ms(1_000);
    assert_eq!(done(hunt.say(&own, "Hello?").await, 200)["kind"], "clue");
}

/// Scenario 4.
#[tokio::test]
async fn the_time_at_a_level_decides_what_is_said() {
    for pause_min in [0, 5] {
        for difficulty in [None, Some("easy"), Some("normal"), Some("hard")] {
            let factor = match difficulty {
                Some("easy") => MINUTE_MS / 2,
                Some("hard") => MINUTE_MS * 2,
                _ => MINUTE_MS,
            };
            let mut game = config(1, 2);
            game["teams"][0]["difficulty_level"] = json!(difficulty);
            if difficulty.is_none() {
                game["teams"][0].as_object_mut().unwrap().remove("difficulty_level");
            }
            let hunt = Hunt::live_with(game).await;
            let token = hunt.join(0).await;
            hunt.state(&token).await;
            let start = hunt.world.now();
            if pause_min > 0 {
                hunt.world.clock.advance_ms(MINUTE_MS);
                hunt.control("pause").await;
                hunt.world.clock.advance_ms(pause_min * MINUTE_MS);
                hunt.control("unpause").await;
            }
            let kind_at = async |at_ms: u64| {
                let passed = hunt.world.now().since(start).as_millis() as u64;
                let target = at_ms + pause_min * MINUTE_MS;
                hunt.world.clock.advance_ms(target - passed);
                let state = hunt.state(&token).await;
                let said = done(hunt.say(&token, "And now?").await, 200);
                assert_eq!(state["mapLink"].is_null(), said["kind"] != "map", "{at_ms}");
                text(&said["kind"])
            };
            assert_eq!(kind_at(10 * factor - 1_000).await, "chat");
            assert_eq!(kind_at(10 * factor).await, "clue");
            assert_eq!(kind_at(15 * factor - 1_000).await, "clue");
            assert_eq!(kind_at(15 * factor).await, "map");
        }
    }
}
