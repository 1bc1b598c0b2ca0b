//! Games as organisers set them up and change them, and what reports and the audit contain.

use http::Method;
use monotable_scavenger_hunt::table::ScavengerHuntReads as _;
use monotable_testkit::service::Actor;
use serde_json::{Value, json};

use crate::world::{DAY_MS, Hunt, MINUTE_MS, World, config, config_with, done};

/// Returns the fields that a refusal names, in their order.
fn wrong(problem: &Value) -> Vec<String> {
    let fields = problem["fields"].as_array().unwrap().iter();
    let mut fields: Vec<String> =
        fields.map(|field| field["field"].as_str().unwrap().to_owned()).collect();
    fields.sort();
    fields
}

/// All of it is reported at once, also what concerns several fields.
#[tokio::test]
async fn everything_that_is_wrong_with_a_configuration_is_reported() {
    let world = World::new().await;
    let mut game = config_with(2, 2, json!({ "levelsInGame": 3, "hint_after_min": -1 }));
    let id = "aaaaaaaa-0000-4000-8000-000000000001";
    game["teams"][0]["id"] = json!(id);
    game["teams"][1]["name"] = json!("  ");
    game["levels"][0]["id"] = json!(id.to_uppercase());
    game["levels"][0]["mapLink"] = json!("http://maps.example/");
    game["levels"][1]["clues"] = json!(["One.", "", "Three."]);
    game["levels"][1]["location"]["longitude"] = json!(180.5);
    let refused = world.post("olga", "/api/games", game).await;
    assert_eq!(refused.outcome(), "400 VALIDATION");
    let expected = [
        "hint_after_min",
        "levelsInGame",
        "levels[0].id",
        "levels[0].mapLink",
        "levels[1].clues[1]",
        "levels[1].location.longitude",
        "teams[1].name",
    ];
    assert_eq!(wrong(&refused.value()), expected);
    let empty = world.post("olga", "/api/games", json!({ "teams": [], "levelsInGame": 1 })).await;
    assert_eq!(wrong(&empty.value()), ["levels", "levelsInGame", "teams"]);
    assert_eq!(world.rows(), []);
}

/// Days that are changed after the end count from the end.
#[tokio::test]
async fn personal_data_goes_earlier_if_an_organiser_says_so() {
    let hunt = Hunt::live_with(config_with(1, 2, json!({ "retention_days": 30 }))).await;
    let token = hunt.join(0).await;
    done(hunt.say(&token, "Where is it?").await, 200);
    done(hunt.organise(Method::POST, "/api/games/{game}/end", Value::Null).await, 200);
    let sooner = json!({ "retention_days": 2 });
    done(hunt.organise(Method::PATCH, "/api/games/{game}", sooner).await, 200);
    let users = async || {
        hunt.world.app.work().await.unwrap();
        hunt.world.app.db.users(&hunt.team_id(0)).count().await.unwrap()
    };
    hunt.world.clock.advance_ms(2 * DAY_MS - MINUTE_MS);
    assert_eq!(users().await, 1);
    hunt.world.clock.advance_ms(2 * MINUTE_MS);
    assert_eq!(users().await, 0);
    let messages = hunt.world.app.db.messages_of_game(&hunt.id()).count().await.unwrap();
    assert_eq!(messages, 0);
    let game = done(hunt.organise(Method::GET, "/api/games/{game}", Value::Null).await, 200);
    assert_eq!(game["state"], "archived");
    // The first promise finds nothing to do.
    hunt.world.clock.advance_ms(30 * DAY_MS);
    assert_eq!(users().await, 0);
}

/// The audit contains what an act has changed.
#[tokio::test]
async fn the_audit_has_values_from_before_and_after() {
    let hunt = Hunt::live().await;
    hunt.control("pause").await;
    let settings = json!({ "hint_after_min": 5, "name": "Ducks" });
    done(hunt.organise(Method::PATCH, "/api/games/{game}", settings).await, 200);
    let audit = done(hunt.organise(Method::GET, "/api/games/{game}/audit", Value::Null).await, 200);
    let of = |action: &str| {
        let rows = audit["audit"].as_array().unwrap();
        let row = rows.iter().find(|row| row["action"] == action).unwrap();
        (row["before"].clone(), row["after"].clone())
    };
    assert_eq!(of("clock.pause"), (json!({ "state": "live" }), json!({ "state": "paused" })));
    let before = json!({ "hint_after_min": "null", "name": "\"Ducks of the old town\"" });
    let after = json!({ "hint_after_min": "5", "name": "\"Ducks\"" });
    assert_eq!(of("updateGame"), (before, after));
}

/// The median of an even number of teams is between the two in the middle.
#[tokio::test]
async fn a_report_has_the_median_of_all_teams() {
    let hunt = Hunt::live_with(config(4, 2)).await;
    for (team, minutes) in [1, 2, 3, 10].into_iter().enumerate() {
        let token = hunt.join(team).await;
        hunt.state(&token).await;
        let passed = hunt.world.now().epoch_seconds().as_seconds() - 1_800_000_000;
        hunt.world.clock.advance_ms(minutes * MINUTE_MS - passed as u64 * 1_000);
        done(hunt.scan(&token, 0).await, 200);
    }
    let report =
        done(hunt.organise(Method::GET, "/api/games/{game}/report", Value::Null).await, 200);
    let level = &report["levels"][0];
    assert_eq!((&level["medianMinutes"], &level["cleared"]), (&json!(2.5), &json!(4)));
}

/// What a player sends while the player is erased is erased, too, or refused.
#[tokio::test]
async fn nothing_is_written_for_a_player_who_is_erased_meanwhile() {
    for body in [
        ("/api/message", json!({ "message": { "text": "Where is it?" } })),
        ("/api/upload-photo", json!({ "photo": crate::world::PHOTO })),
        ("/api/ping-coordinates", json!({ "latitude": 1, "longitude": 2 })),
    ] {
        let hunt = Hunt::live().await;
        let token = hunt.join(0).await;
        done(hunt.scan(&token, 0).await, 200);
        let user = hunt.world.app.db.users(&hunt.team_id(0)).first().await.unwrap().unwrap();
        let embedded = monotable::model::backend::Embedded::new(hunt.world.database.clone());
        // Others take a turn behind each read: the erasure comes between the first read and the write.
        let polite = monotable_testkit::failing::Failing::never(&embedded).polite();
        let slow = hunt.world.over(polite).await;
        let erase = async {
            tokio::task::yield_now().await;
            hunt.world.delete(Actor::Token(&token), "/api/me").await
        };
        let (sent, erased) = tokio::join!(slow.post(Actor::Token(&token), body.0, body.1), erase);
        assert_eq!((sent.status, erased.status), (401, 204), "{}: {}", body.0, sent.text);
        hunt.world.finish_work("an erasure").await;
        let left = hunt.world.app.db.rows_of_user(&user.id).count().await.unwrap();
        assert_eq!(left, 0, "{}", body.0);
    }
}
