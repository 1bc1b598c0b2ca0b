//! The settings of the event.

use monotable_codekurukshetra::CodeKurukshetraService;
use monotable_host::Service as _;
use monotable_testkit::service::{Request, Setting, World};
use serde_json::{Value, json};

use super::listed;
use crate::world::{Event, Hackathon, done, team_body};

const CONFIG: &str = "/hackathon/admin/config";

/// The settings of the design document, a year and a half later.
fn settings() -> Value {
    json!({
        "event_name": "CodeKurukshetra", "registration_open": true,
        "registration_start": "2027-01-01T00:00:00Z", "registration_end": "2027-02-15T23:59:59Z",
        "event_start": "2027-02-20T10:00:00Z", "event_end": "2027-02-22T18:00:00Z", "team_fee": 99900,
        "max_team_size": 4, "min_team_size": 2, "max_teams": 500,
        "tracks": ["ai-ml", "web-mobile", "blockchain", "iot-hardware", "social-impact", "open-innovation"],
    })
}

fn with(name: &str, value: Value) -> Value {
    let mut settings = settings();
    settings[name] = value;
    settings
}

#[tokio::test]
async fn an_administrator_configures_an_event_that_has_no_settings() {
    let event = Event::empty().await;
    assert_eq!(event.get("admin", CONFIG).await.outcome(), "503 NOT_CONFIGURED");
    let config = done(event.put("admin", CONFIG, settings()).await, 200);
    assert_eq!((&config["ver"], &config["currency"]), (&json!(1), &json!("INR")));
    assert_eq!((&config["timezone"], &config["hold_hours"]), (&json!("Asia/Kolkata"), &json!(24)));
    event.register("ann", "Team ann", &["al"]).await;
    let row = event.row("CONFIG", "HACKATHON").unwrap();
    assert_eq!(
        (row["entity_type"].clone(), row["team_fee"].clone()),
        ("config".into(), 99_900.into())
    );
    let shown = done(event.get("", "/hackathon/config").await, 200);
    assert_eq!(shown["places_left"], 499);
}

#[tokio::test]
async fn settings_that_contradict_themselves_are_refused_by_field() {
    let event = Event::empty().await;
    for (field, value) in [
        ("registration_end", json!("2026-12-31T00:00:00Z")),
        ("event_start", json!("2027-02-01T00:00:00Z")),
        ("event_end", json!("2027-02-20T09:00:00Z")),
        ("max_team_size", json!(1)),
        ("max_team_size", json!(11)),
        ("min_team_size", json!(0)),
        ("tracks", json!([])),
        ("tracks", json!(["ai-ml", "ai-ml"])),
        ("tracks", json!(["AI"])),
        ("team_fee", json!(-1)),
        ("timezone", json!("Delhi")),
        ("currency", json!("inr")),
        ("page", json!(1)),
        ("ver", json!(7)),
    ] {
        let refused = event.put("admin", CONFIG, with(field, value)).await;
        assert_eq!(refused.outcome(), "400 INVALID_REQUEST", "{field}");
        assert!(refused.text.contains(field), "{field}: {}", refused.text);
    }
    assert!(!event.has("CONFIG", "HACKATHON"));
}

#[tokio::test]
async fn a_track_that_teams_have_stays() {
    let event = Event::new().await;
    event.register("ann", "Team ann", &["al"]).await;
    let without = |gone: &str| {
        let tracks = ["ai-ml", "web-mobile", "blockchain", "open-innovation"];
        let tracks: Vec<&str> = tracks.into_iter().filter(|track| *track != gone).collect();
        with("tracks", json!(tracks))
    };
    let refused = event.put("admin", CONFIG, without("ai-ml")).await;
    assert_eq!(refused.outcome(), "409 TRACK_IN_USE");
    done(event.put("admin", CONFIG, without("blockchain")).await, 200);
    // The hold ends, and with it the use of the track.
    event.work_after(25).await;
    done(event.put("admin", CONFIG, without("ai-ml")).await, 200);
}

#[tokio::test]
async fn changes_have_a_version_and_are_audited() {
    let event = Event::new().await;
    let stale = Request::new("PUT /hackathon/admin/config", with("max_teams", json!(1)))
        .headers(&[("if-match", "\"7\"")]);
    assert_eq!(event.send("admin", stale).await.status, 412);
    let current = Request::new("PUT /hackathon/admin/config", with("max_teams", json!(3)))
        .headers(&[("if-match", "\"1\"")]);
    let changed = event.send("admin", current).await;
    assert_eq!(changed.header("etag"), "\"2\"");
    let entry = &listed(&event, "/hackathon/admin/audit").await["entries"][0];
    assert_eq!(entry["action"], "putConfig");
    assert_eq!(
        (&entry["before"]["max_teams"], &entry["after"]["max_teams"]),
        (&json!("500"), &json!("3"))
    );
    assert!(entry["before"].get("team_fee").is_none(), "{entry}");
}

/// The flag and the dates may disagree; a change takes effect also for requests that are on their way.
#[tokio::test]
async fn ck_d11_a_closed_event_takes_no_team_whatever_its_dates() {
    let event = Event::new().await;
    done(event.put("admin", CONFIG, with("registration_open", json!(false))).await, 200);
    let refused =
        event.post("ann", "/hackathon/register/team", team_body("Team", &["ann", "al"])).await;
    assert_eq!(refused.outcome(), "409 REGISTRATION_CLOSED");
    let over = with("registration_end", json!("2027-01-10T00:00:00Z"));
    done(event.put("admin", CONFIG, over).await, 200);
    let refused =
        event.post("ann", "/hackathon/register/team", team_body("Team", &["ann", "al"])).await;
    assert_eq!(refused.outcome(), "409 REGISTRATION_CLOSED");
}

#[tokio::test]
async fn months_of_the_audit_are_named_or_refused() {
    let event = Event::new().await;
    done(event.put("admin", CONFIG, settings()).await, 200);
    assert_eq!(listed(&event, "/hackathon/admin/audit?month=202701").await["count"], 1);
    assert_eq!(listed(&event, "/hackathon/admin/audit?month=202612").await["count"], 0);
    assert_eq!(listed(&event, "/hackathon/admin/alerts").await["count"], 0);
    for month in ["2027-01", "202713", "abcdef"] {
        let refused = event.get("admin", &format!("/hackathon/admin/audit?month={month}")).await;
        assert_eq!(refused.outcome(), "400 INVALID_REQUEST", "{month}");
    }
}

/// The design document has a script that seeds the configuration.
#[tokio::test]
async fn a_file_configures_an_event_that_has_no_settings() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/hackathon.json");
    let opened = |file: &str| {
        let mut service = CodeKurukshetraService::default();
        let values = [("hackathon-config", file)].into_iter().collect();
        service.configure(&values).map(|()| service)
    };
    let world = World::<Hackathon>::set(Setting::new(opened(file).unwrap())).await;
    let shown = done(world.get("", "/hackathon/config").await, 200);
    assert_eq!((&shown["team_fee"], &shown["tracks"][0]), (&json!(99_900), &json!("ai-ml")));
    // Settings that are there stay.
    done(world.put("admin", CONFIG, with("max_teams", json!(3))).await, 200);
    let again = world.another_process_with(Setting::new(opened(file).unwrap())).await;
    assert_eq!(done(again.get("", "/hackathon/config").await, 200)["max_teams"], 3);
    let directory = std::env::temp_dir().join(format!("hackathon-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for (text, wrong) in [
        ("{}", "missing field"),
        (&with("min_team_size", json!(5)).to_string(), "max_team_size must not be less"),
        ("no JSON", "expected"),
    ] {
        let file = directory.join("wrong.json");
        std::fs::write(&file, text).unwrap();
        let error = opened(file.to_str().unwrap()).err().unwrap().to_string();
        assert!(error.contains(wrong) && error.contains("wrong.json"), "{error}");
    }
    std::fs::remove_dir_all(directory).unwrap();
    assert!(opened("/nowhere/hackathon.json").is_err());
}

/// Figures of one currency can't be added to those of another one, and a day that was counted stays a day.
#[tokio::test]
async fn currency_and_time_zone_stay_after_the_first_registration() {
    for (field, value) in [("currency", "USD"), ("timezone", "Pacific/Pago_Pago")] {
        let event = Event::new().await;
        let mut changed = settings();
        changed[field] = value.into();
        done(event.put("admin", "/hackathon/admin/config", changed).await, 200);
        event.paid("ann", &["bo"]).await;
        let usual = event.put("admin", "/hackathon/admin/config", settings()).await;
        assert_eq!(done(usual, 409)["code"], "INVALID_STATE", "{field}");
    }
}
