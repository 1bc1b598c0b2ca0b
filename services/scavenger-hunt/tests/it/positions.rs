//! Positions: what is accepted, how often it is kept, and what proves that a team is at a level.

use monotable_scavenger_hunt::table::{CoordinateSnapshot, ScavengerHuntReads as _};
use serde_json::{Value, json};

use crate::world::{Hunt, config_with, done};

/// The place of the first level of a test's configuration.
const PLACE: (f64, f64) = (48.0, 16.0);
const SECOND_MS: u64 = 1_000;

async fn fenced() -> (Hunt, String) {
    let settings = json!({ "geofence_required": true, "photo_required": false });
    let hunt = Hunt::live_with(config_with(2, 2, settings)).await;
    let token = hunt.join(0).await;
    (hunt, token)
}

async fn track(hunt: &Hunt) -> Vec<CoordinateSnapshot> {
    hunt.world.app.db.track_of_team(&hunt.team_id(0)).all().await.unwrap()
}

#[tokio::test]
async fn a_team_is_at_a_level_if_one_of_its_players_was_there_just_now() {
    let (hunt, token) = fenced().await;
    let refused = async |band: &str| {
        let told = hunt.scan(&token, 0).await;
        assert_eq!(told.outcome(), "409 NOT_AT_LOCATION", "{}", told.text);
        assert_eq!(told.value()["distance"], band);
        for text in ["48", "16."] {
            assert!(!told.text.contains(text), "{}", told.text);
        }
    };
    refused("unknown").await;
    // A position of another team proves nothing.
    let other = hunt.join(1).await;
    done(hunt.ping(&other, PLACE.0, PLACE.1).await, 200);
    refused("unknown").await;
    done(hunt.ping(&token, PLACE.0 + 0.001, PLACE.1).await, 200);
    refused("near").await;
    let mate = hunt.join(0).await;
    done(hunt.ping(&mate, PLACE.0 + 0.0004, PLACE.1).await, 200);
    hunt.world.clock.advance_ms(121 * SECOND_MS);
    refused("unknown").await;
    done(hunt.ping(&mate, PLACE.0 + 0.0004, PLACE.1).await, 200);
    hunt.world.clock.advance_ms(120 * SECOND_MS);
    done(hunt.scan(&token, 0).await, 200);
}

/// Nobody is in another town five seconds later. Such a position is kept, and proves nothing.
#[tokio::test]
async fn a_position_that_nobody_can_have_reached_proves_nothing() {
    let (hunt, token) = fenced().await;
    done(hunt.ping(&token, PLACE.0 + 1.0, PLACE.1).await, 200);
    hunt.world.clock.advance_ms(5 * SECOND_MS);
    assert_eq!(done(hunt.ping(&token, PLACE.0, PLACE.1).await, 200)["accepted"], true);
    assert_eq!(track(&hunt).await[1].implausible, Some(true));
    assert_eq!(hunt.scan(&token, 0).await.outcome(), "409 NOT_AT_LOCATION");
    // The next one is compared with the last one that counts.
    hunt.world.clock.advance_ms(5 * SECOND_MS);
    done(hunt.ping(&token, PLACE.0, PLACE.1).await, 200);
    assert_eq!(hunt.scan(&token, 0).await.outcome(), "409 NOT_AT_LOCATION");
    // An hour is enough for the way.
    hunt.world.clock.advance_ms(3_600 * SECOND_MS);
    done(hunt.ping(&token, PLACE.0, PLACE.1).await, 200);
    done(hunt.scan(&token, 0).await, 200);
}

#[tokio::test]
async fn numbers_that_are_no_position_are_refused() {
    let (hunt, token) = fenced().await;
    for (latitude, longitude) in [
        (json!(90.000_001), json!(0)),
        (json!(-90.1), json!(0)),
        (json!(0), json!(180.5)),
        (json!(0), json!(-1e300)),
        (json!("NaN"), json!(0)),
        (json!("48.2"), json!(16)),
        (json!(null), json!(16)),
        (json!([48]), json!(16)),
        (json!(true), json!(16)),
    ] {
        let body = json!({ "latitude": latitude, "longitude": longitude });
        let told = hunt.act(&token, "/api/ping-coordinates", body.clone()).await;
        assert_eq!(told.status, 400, "{body}: {}", told.text);
    }
    for text in [
        r#"{"latitude":NaN,"longitude":0}"#,
        r#"{"latitude":1e999,"longitude":0}"#,
        r#"{"latitude":-Infinity,"longitude":0}"#,
        r#"{"latitude":0}"#,
    ] {
        let bearer = format!("Bearer {token}");
        let headers = [("authorization", bearer.as_str())];
        let told = hunt.world.post_text("/api/ping-coordinates", text, &headers).await;
        assert_eq!(told.status, 400, "{text}: {}", told.text);
    }
    for (accuracy, heading) in [(-1.0, 0.0), (0.0, 361.0)] {
        let body =
            json!({ "latitude": 1, "longitude": 1, "accuracyM": accuracy, "heading": heading });
        assert_eq!(hunt.act(&token, "/api/ping-coordinates", body).await.status, 400);
    }
    assert_eq!(track(&hunt).await, []);
}

/// One position is kept in five seconds, whatever is sent; others are accepted and dropped.
#[tokio::test]
async fn positions_are_kept_every_five_seconds() {
    let (hunt, token) = fenced().await;
    let mut kept = 0;
    for _ in 0..20 {
        let told = done(hunt.ping(&token, 1.0, 1.0).await, 200);
        kept += usize::from(told["accepted"] == true);
        hunt.world.clock.advance_ms(SECOND_MS);
    }
    assert_eq!(kept, 4);
    assert_eq!(track(&hunt).await.len(), 4);
    // Each ends some days later, independently of the game.
    let days = 30 * 24 * 3_600;
    for row in track(&hunt).await {
        assert_eq!(row.stamps.expires.unwrap().as_seconds(), row.ts.as_seconds() + days);
    }
}

/// Organisers see where everybody was, also since a moment.
#[tokio::test]
async fn tracks_are_for_those_who_watch() {
    let (hunt, token) = fenced().await;
    let path = format!("/api/teams/{}/coords", hunt.teams[0].0);
    for number in 0..3 {
        done(hunt.ping(&token, f64::from(number) / 1_000.0, 0.0).await, 200);
        hunt.world.clock.advance_ms(10 * SECOND_MS);
    }
    let since = hunt.world.now().epoch_seconds().as_seconds() - 20;
    for user in ["olga", "obi"] {
        let count = async |query: String| {
            let told = done(hunt.world.get(user, &format!("{path}{query}")).await, 200);
            told["positions"].as_array().unwrap().len()
        };
        assert_eq!((count(String::new()).await, count(format!("?since={since}")).await), (3, 2));
    }
    let by_player = hunt.world.get(monotable_testkit::service::Actor::Token(&token), &path).await;
    assert_eq!(by_player.status, 403);
    let told: Value = hunt.world.get("stranger", &path).await.value();
    assert!(!told.to_string().contains("latitude"), "{told}");
}
