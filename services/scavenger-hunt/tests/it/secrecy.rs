//! What players must not see: recorded traffic of whole hunts has no id of a level, no code, no clue before its time, no
//! position, and nothing of another team.

use std::collections::BTreeSet;

use monotable::model::backend::Embedded;
use monotable_scavenger_hunt::table::ScavengerHuntReads as _;
use monotable_testkit::failing::Failing;
use monotable_testkit::service::Actor;
use serde_json::{Value, json};

use crate::world::{Hunt, MINUTE_MS, config_with, done};

/// A team that plays, with what it has been told.
struct Walker {
    team: usize,
    tokens: Vec<String>,
    granted: BTreeSet<String>,
}

/// Returns everything that no player may see before it is granted, with what grants it.
fn secrets(hunt: &Hunt) -> Vec<String> {
    let mut secrets = Vec::new();
    for (number, (level_id, code)) in hunt.levels.iter().enumerate() {
        secrets.extend([level_id.clone(), code.clone(), format!("secret place number {number}")]);
        secrets.extend([format!("Place{number}"), format!("statue no. {number}")]);
        secrets.extend((0..3).map(|clue| format!("Talk{number}x{clue}")));
        secrets.extend((0..2).map(|clue| format!("Easy{number}x{clue}")));
        secrets.push(format!("link{number}"));
        if number > 0 {
            secrets.push(format!("{:.4}", 48.0 + number as f64 / 7.0));
            secrets.push(format!("{:.4}", 16.0 + number as f64 / 7.0));
        }
    }
    secrets
}

/// Checks what a team was sent since the last check.
fn check(hunt: &Hunt, walkers: &[Walker], checked: &mut usize) {
    let exchanges = hunt.world.traffic.exchanges();
    for exchange in &exchanges[*checked..] {
        let is_own = |walker: &&Walker| {
            exchange.token.as_ref().is_some_and(|token| walker.tokens.contains(token))
        };
        let Some(walker) = walkers.iter().find(is_own) else { continue };
        for secret in secrets(hunt) {
            let is_shown = exchange.text.contains(&secret) && !walker.granted.contains(&secret);
            assert!(!is_shown, "{secret} is in {exchange:?}");
        }
        for other in walkers.iter().filter(|other| other.team != walker.team) {
            let said = format!("Words of team {}", other.team);
            assert!(!exchange.text.contains(&said), "{exchange:?}");
            assert!(!exchange.text.contains(&hunt.teams[other.team].0), "{exchange:?}");
        }
    }
    *checked = exchanges.len();
}

async fn walk(route_mode: &str, levels_in_game: usize) {
    let settings = json!({ "route_mode": route_mode, "levelsInGame": levels_in_game });
    let hunt = Hunt::live_with(config_with(3, 5, settings)).await;
    let mut walkers = Vec::new();
    for team in 0..3 {
        let tokens = vec![hunt.join(team).await, hunt.join(team).await];
        walkers.push(Walker { team, tokens, granted: BTreeSet::new() });
    }
    let mut checked = 0;
    for step in 0..levels_in_game {
        for (place, walker) in walkers.iter_mut().enumerate() {
            let route = hunt.route(walker.team).await;
            let level = hunt.levels.iter().position(|(id, _)| route[step].level_id.as_str() == id);
            let level = level.unwrap();
            let (one, two) = (walker.tokens[0].clone(), walker.tokens[1].clone());
            walker.granted.extend((0..3).map(|clue| format!("Talk{level}x{clue}")));
            hunt.state(&one).await;
            let words = format!("Words of team {}", walker.team);
            for _ in 0..4 {
                done(hunt.say(&one, &words).await, 200);
            }
            done(hunt.ping(&two, 1.0 + place as f64, 2.0).await, 200);
            // Everything else that a player can ask for, and what is refused.
            for path in ["/api/me", "/api/photos", "/api/leaderboard"] {
                hunt.world.get(Actor::Token(&two), path).await;
            }
            for other in 0..hunt.levels.len() {
                if other != level {
                    hunt.scan(&two, other).await;
                }
            }
            hunt.act(&two, "/api/scan", json!({ "code": "0123456789ABCDEFGHJKMNPQRS" })).await;
        }
        check(&hunt, &walkers, &mut checked);
        hunt.world.clock.advance_ms(10 * MINUTE_MS);
        for (place, walker) in walkers.iter_mut().enumerate() {
            let route = hunt.route(walker.team).await;
            let level = hunt.levels.iter().position(|(id, _)| route[step].level_id.as_str() == id);
            walker.granted.extend((0..2).map(|clue| format!("Easy{}x{clue}", level.unwrap())));
            let token = walker.tokens[1].clone();
            done(hunt.say(&token, &format!("Words of team {place}")).await, 200);
        }
        check(&hunt, &walkers, &mut checked);
        hunt.world.clock.advance_ms(5 * MINUTE_MS);
        for (place, walker) in walkers.iter_mut().enumerate() {
            let route = hunt.route(walker.team).await;
            let level = hunt.levels.iter().position(|(id, _)| route[step].level_id.as_str() == id);
            let level = level.unwrap();
            walker.granted.insert(format!("link{level}"));
            let token = walker.tokens[0].clone();
            hunt.state(&token).await;
            done(hunt.say(&token, &format!("Words of team {place}")).await, 200);
            hunt.clear(&token, level).await;
        }
        check(&hunt, &walkers, &mut checked);
    }
    for walker in &walkers {
        let state = hunt.state(&walker.tokens[0]).await;
        assert!(state["endScreen"].is_string(), "{state}");
    }
    check(&hunt, &walkers, &mut checked);
}

/// SH-D6, SH-D12.
#[tokio::test]
async fn sh_d12_no_player_sees_what_only_a_place_shows() {
    for (route_mode, levels) in [("ordered", 5), ("random", 3), ("rotated", 4)] {
        walk(route_mode, levels).await;
    }
}

/// The id of a level is no code, unless the level has none.
#[tokio::test]
async fn sh_d12_the_id_of_a_level_is_no_code() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    for body in [json!({ "levelId": hunt.levels[0].0 })] {
        let told = hunt.act(&token, "/api/level", body).await;
        assert_eq!(told.outcome(), "400 UNKNOWN_CODE");
    }
    let route = hunt.route(0).await;
    let told = hunt.act(&token, "/api/scan", json!({ "code": route[0].id })).await;
    assert_eq!(told.outcome(), "400 UNKNOWN_CODE");
}

/// SH-D6: feeds of levels and games are not for players.
#[tokio::test]
async fn sh_d06_players_read_no_feed() {
    let hunt = Hunt::live().await;
    let (token, game) = (hunt.join(0).await, format!("/api/games/{}", hunt.game_id));
    let own_team = format!("/api/teams/{}", hunt.teams[0].0);
    for path in ["/photos", "/report", "/links", "/dashboard", "/audit", "/photos.zip", "/stream"] {
        let told = hunt.world.get(Actor::Token(&token), &format!("{game}{path}")).await;
        assert_eq!(told.outcome(), "403 CONTROL_REQUIRED", "{path}");
    }
    for path in ["/messages", "/coords", "/progress", "/photos"] {
        let told = hunt.world.get(Actor::Token(&token), &format!("{own_team}{path}")).await;
        assert_eq!(told.outcome(), "403 CONTROL_REQUIRED", "{path}");
    }
    assert_eq!(hunt.world.get(Actor::Token(&token), "/api/events").await.status, 403);
    assert_eq!(hunt.world.get(Actor::Token(&token), "/api/games").await.status, 403);
}

/// Codes can't be enumerated: attempts are counted, and every code that is none gets the same response after the same calls
/// of the table.
#[tokio::test]
async fn codes_cannot_be_enumerated() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    let other = Hunt::in_world(
        std::sync::Arc::clone(&hunt.world),
        config_with(1, 2, json!({ "name": "Other" })),
    )
    .await;
    let counted = Failing::never(&Embedded::new(hunt.world.database.clone()));
    let world = hunt.world.over(counted.clone()).await;
    let mut seen = BTreeSet::new();
    let code = &hunt.levels[0].1;
    let mut typo = code.clone();
    typo.replace_range(25..26, if code.ends_with('0') { "1" } else { "0" });
    for code in [
        "0".repeat(26),
        other.levels[0].1.clone(),
        typo,
        code[..25].to_owned(),
        other.levels[0].0.clone(),
    ] {
        let before = counted.calls();
        let told = world.post(Actor::Token(&token), "/api/scan", json!({ "code": code })).await;
        assert_eq!(told.outcome(), "400 UNKNOWN_CODE", "{code}");
        seen.insert((told.text, counted.calls() - before));
    }
    assert_eq!(seen.len(), 1, "{seen:?}");
    let mut limited = None;
    for number in 0..40 {
        let code = json!({ "code": format!("{number:026}") });
        let told = world.post(Actor::Token(&token), "/api/scan", code).await;
        if told.status == 429 {
            limited.get_or_insert(number);
            assert!(told.header("retry-after").parse::<u64>().unwrap() <= 60);
        }
    }
    assert_eq!(limited, Some(25));
    // The next minute is another one, and a teammate has a count of its own.
    done(
        hunt.world
            .post(
                Actor::Token(&hunt.join(0).await),
                "/api/scan",
                json!({ "code": hunt.levels[0].1 }),
            )
            .await,
        200,
    );
    hunt.world.clock.advance_ms(MINUTE_MS);
    let told = world.post(Actor::Token(&token), "/api/scan", json!({ "code": "x" })).await;
    assert_eq!(told.outcome(), "400 UNKNOWN_CODE");
}

/// Codes to join have 60 bits, and their attempts are counted by address.
#[tokio::test]
async fn codes_to_join_cannot_be_enumerated() {
    let hunt = Hunt::live().await;
    let mut outcomes = BTreeSet::new();
    for number in 0..70 {
        let code = json!({ "code": format!("{number:012}") });
        outcomes.insert(hunt.world.post("", "/api/join", code).await.outcome());
    }
    let expected = ["404 TEAM_NOT_FOUND", "429 RATE_LIMITED"].map(str::to_owned);
    assert_eq!(outcomes, BTreeSet::from(expected));
    // The id of a team that has a code is none.
    hunt.world.clock.advance_ms(MINUTE_MS);
    let by_id = hunt.world.post("", "/api/join", json!({ "code": hunt.teams[0].0 })).await;
    assert_eq!(by_id.outcome(), "404 TEAM_NOT_FOUND");
}

/// Rows have no token and no code to join in plain text, and the log has no words of players.
#[tokio::test]
async fn secrets_are_stored_as_hashes() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    done(hunt.say(&token, "Words that nobody logs").await, 200);
    let stored = hunt.world.stored().join("\n");
    assert!(!stored.contains(&token) && !stored.contains(&hunt.teams[0].1));
    let log = hunt.world.log_text();
    for secret in [&token, &hunt.teams[0].1, "Words that nobody logs"] {
        assert!(!log.contains(secret), "{log}");
    }
    let user = hunt.world.app.db.users(&hunt.team_id(0)).first().await.unwrap().unwrap();
    assert!(user.token_hash.is_some());
}

/// A token says who its bearer is to one game. It ends with the game, with the user, and when organisers withdraw it.
#[tokio::test]
async fn tokens_are_good_for_one_game_and_end() {
    let hunt = Hunt::live().await;
    let game = format!("/api/games/{}", hunt.game_id);
    let path = format!("{game}/tokens");
    let make = async |role: &str| {
        let made = hunt.world.post("olga", &path, json!({ "role": role })).await;
        crate::world::text(&done(made, 201)["token"])
    };
    let (organiser, observer) = (make("organiser").await, make("observer").await);
    for (token, can_control) in [(&organiser, true), (&observer, false)] {
        let told = hunt.world.post(Actor::Token(token), "/api/verify", Value::Null).await;
        let told = done(told, 200);
        assert_eq!((&told["canWatch"], &told["canControl"]), (&json!(true), &json!(can_control)));
    }
    let other = Hunt::in_world(
        std::sync::Arc::clone(&hunt.world),
        config_with(1, 1, json!({ "name": "Other" })),
    )
    .await;
    let foreign = format!("/api/games/{}", other.game_id);
    assert_eq!(hunt.world.get(Actor::Token(&organiser), &foreign).await.status, 403);
    assert_eq!(hunt.world.get(Actor::Token(&observer), &game).await.status, 200);
    done(hunt.world.delete("olga", &path).await, 204);
    assert_eq!(hunt.world.get(Actor::Token(&observer), &game).await.status, 401);
    let later = make("observer").await;
    hunt.world.clock.advance_ms(1);
    assert_eq!(
        hunt.world.get(Actor::Token(&later), &game).await.status,
        401,
        "of this millisecond"
    );
    hunt.world.clock.advance_ms(10);
    assert_eq!(hunt.world.get(Actor::Token(&make("observer").await), &game).await.status, 200);
    let token = hunt.join(0).await;
    done(hunt.world.delete(Actor::Token(&token), "/api/me").await, 204);
    assert_eq!(hunt.act(&token, "/api/level", json!({})).await.status, 401);
}
