//! Personal data: who sees it, how it is stored, and where it must never be.

use monotable_codekurukshetra::table::CodeKurukshetraReads as _;
use monotable_testkit::service::{Setting, World};
use serde_json::json;

use crate::world::{Event, Hackathon, done};

/// What nobody but the person, the leader and administrators may see.
const SECRETS: [&str; 4] =
    ["9876543210", "linkedin.com/in/bo", "bo@example.org", "Example University"];

/// Registers ann and bo, and returns the path of the team and that of bo.
async fn pair(event: &Event) -> (String, String) {
    let team = event.register("ann", "Code Warriors", &["bo"]).await;
    let bo = format!("/hackathon/participant/{}", team["member_ids"][1].as_str().unwrap());
    done(event.put("ann", &bo, json!({ "linkedin": "https://linkedin.com/in/bo" })).await, 200);
    (format!("/hackathon/team/{}", team["team_id"].as_str().unwrap()), bo)
}

#[tokio::test]
async fn phones_and_links_are_stored_encrypted() {
    let event = Event::new().await;
    pair(&event).await;
    let rows = format!("{:?}", event.rows());
    assert!(rows.contains("aes256gcm:"), "{rows}");
    for secret in &SECRETS[..2] {
        assert!(!rows.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn ck_d17_addresses_are_in_keys_and_nowhere_in_the_log() {
    let event = Event::new().await;
    let (team, bo) = pair(&event).await;
    for user in ["ann", "bo", "zoe", "admin"] {
        event.get(user, &team).await;
        event.get(user, &bo).await;
        event.put(user, &bo, json!({ "email": "not an address", "phone": "12345" })).await;
    }
    assert!(event.has("EMAIL#bo@example.org", "UNIQUE"));
    let log = event.log_text();
    assert!(log.lines().count() > 10, "{log}");
    // The tests of this service search each line and each refusal for what is the same for everybody.
    for secret in SECRETS {
        assert!(!log.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn error_texts_repeat_no_personal_data() {
    let event = Event::new().await;
    let (team, bo) = pair(&event).await;
    let mut refused = Vec::new();
    let changes = json!({ "email": "ann@example.org" });
    refused.push(event.put("bo", &bo, changes).await);
    refused.push(event.put("bo", &bo, json!({ "phone": "0000 98765" })).await);
    refused.push(
        event.put("bo", &bo, json!({ "linkedin": "https://example.org/in/bo-private" })).await,
    );
    refused.push(event.post("ann", &format!("{team}/members"), crate::world::person("ann")).await);
    for response in refused {
        assert!(response.status >= 400);
        for secret in ["ann@example.org", "98765", "bo-private", "9876543210"] {
            assert!(!response.text.contains(secret), "{}", response.text);
        }
    }
}

#[tokio::test]
async fn every_reading_of_an_administrator_is_recorded() {
    let event = Event::new().await;
    let (team, bo) = pair(&event).await;
    let reads = async || {
        let lines = event.app.db.audit(&"202701".parse().unwrap()).all().await.unwrap();
        let lines = lines.into_iter().filter(|it| it.action == "readPersonalData");
        lines.map(|it| (it.actor.unwrap().to_string(), it.entity)).collect::<Vec<_>>()
    };
    for user in ["ann", "bo"] {
        event.get(user, &team).await;
        event.get("bo", &bo).await;
    }
    assert_eq!(reads().await, []);
    done(event.get("admin", &team).await, 200);
    done(event.get("admin", &bo).await, 200);
    let name = |path: &str| path.trim_start_matches("/hackathon/").replace('/', "#").to_uppercase();
    let mut seen: Vec<_> = reads()
        .await
        .into_iter()
        .map(|(actor, entity)| {
            assert_eq!(actor, "admin");
            entity.to_uppercase()
        })
        .collect();
    seen.sort();
    assert_eq!(seen, [name(&bo), name(&team)]);
}

#[tokio::test]
async fn tickets_and_arrivals_that_an_administrator_reads_are_recorded() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let bo = event.team(&team_id).await.member_ids[1].clone();
    let ticket = format!("/hackathon/participant/{bo}/ticket");
    let reads = async || {
        let lines = event.app.db.audit(&"202701".parse().unwrap()).all().await.unwrap();
        let lines = lines.into_iter().filter(|it| it.action == "readPersonalData");
        lines.map(|it| it.entity).collect::<Vec<_>>()
    };
    done(event.get("ann", &ticket).await, 200);
    done(event.get("bo", &ticket).await, 200);
    done(event.get("admin", "/hackathon/admin/checkin").await, 200);
    assert!(reads().await.is_empty());
    let code = done(event.get("admin", &ticket).await, 200)["code"].clone();
    done(event.post("admin", "/hackathon/admin/checkin", json!({ "code": code })).await, 201);
    done(event.get("admin", "/hackathon/admin/checkin").await, 200);
    let mut seen = reads().await;
    seen.sort();
    assert_eq!(seen, ["CHECKIN".to_owned(), format!("PARTICIPANT#{bo}")]);
}

#[tokio::test]
async fn own_data_is_exported_and_nobody_elses() {
    let event = Event::new().await;
    pair(&event).await;
    let export = done(event.get("bo", "/hackathon/me/export").await, 200);
    assert_eq!(export["participant"]["phone"], "+91-9876543210");
    assert_eq!(export["participant"]["linkedin"], "https://linkedin.com/in/bo");
    assert_eq!(export["team"]["name"], "Code Warriors");
    assert_eq!(export["payments"], json!([]), "bo does not lead the team");
    assert!(!export.to_string().contains("ann@example.org"), "{export}");
    let export = done(event.get("ann", "/hackathon/me/export").await, 200);
    assert_eq!(export["payments"].as_array().unwrap().len(), 1);
    assert_eq!(event.get("zoe", "/hackathon/me/export").await.status, 404);
}

#[tokio::test]
async fn a_new_key_reads_what_the_old_one_has_written() {
    let event = Event::new().await;
    let (_, bo) = pair(&event).await;
    let old = [b'5'; 32];
    let new = *b"0123456789abcdef0123456789abcdef";
    let with = async |field_secrets: Vec<u8>| -> World<Hackathon> {
        let setting = Setting { field_secrets, ..event.setting().clone() };
        event.another_process_with(setting).await
    };
    let both = with([&new[..], b"\n", &old].concat()).await;
    assert_eq!(done(both.get("bo", &bo).await, 200)["phone"], "+91-9876543210");
    let lost = with(new.to_vec()).await;
    let failed = lost.get("bo", &bo).await;
    assert_eq!(failed.status, 500);
    assert!(!failed.text.contains("aes256gcm"), "{}", failed.text);
    done(both.put("bo", &bo, json!({ "phone": "9876500001", "linkedin": null })).await, 200);
    assert_eq!(done(lost.get("bo", &bo).await, 200)["phone"], "+91-9876500001");
    assert_eq!(event.get("bo", &bo).await.status, 500, "the old process lacks the new key");
}

#[tokio::test]
async fn recorded_responses_keep_personal_data_encrypted() {
    let event = Event::new().await;
    let (team, _) = pair(&event).await;
    let headers = [("idempotency-key", "once")];
    let post = async || {
        event
            .request(
                "ann",
                http::Method::POST,
                &format!("{team}/members"),
                crate::world::person("cy"),
                &headers,
            )
            .await
    };
    let (first, again) = (done(post().await, 201), done(post().await, 201));
    assert_eq!(first, again);
    assert_eq!(first["phone"], "+91-9876543210");
    let rows = format!("{:?}", event.rows());
    assert!(!rows.contains("9876543210"), "the record shows a phone number");
}

#[tokio::test]
async fn strangers_learn_nothing_from_any_response() {
    let event = Event::new().await;
    let (team, bo) = pair(&event).await;
    let before = event.traffic.exchanges().len();
    for path in [&team, &bo, "/hackathon/me", "/hackathon/me/export", &format!("{team}/invites")] {
        for user in ["zoe", "judge-1"] {
            event.get(user, path).await;
        }
    }
    for exchange in &event.traffic.exchanges()[before..] {
        for secret in SECRETS.iter().chain(&["Code Warriors"]) {
            assert!(!exchange.text.contains(secret), "{exchange:?}");
        }
    }
}

/// Where a registration came from is personal data of who was the leader then.
#[tokio::test]
async fn a_new_leader_does_not_learn_where_the_old_one_registered() {
    let event = Event::new().await;
    let headers = [("user-agent", "Anns Browser")];
    let body = crate::world::team_body("Code Warriors", &["ann", "bo"]);
    let route = "/hackathon/register/team";
    let team = done(event.request("ann", http::Method::POST, route, body, &headers).await, 201);
    let exported = async |user: &str| {
        done(event.get(user, "/hackathon/me/export").await, 200)["payments"].to_string()
    };
    assert!(exported("ann").await.contains("Anns Browser"));
    done(event.get("bo", "/hackathon/me").await, 200);
    let path = format!("/hackathon/team/{}/leader", team["team_id"].as_str().unwrap());
    let heir = json!({ "participant_id": team["member_ids"][1] });
    done(event.post("ann", &path, heir).await, 200);
    let payments = exported("bo").await;
    assert!(payments.contains("pending") && !payments.contains("Anns Browser"), "{payments}");
}

/// A team that has ended has no guards, but its rows still have personal data.
#[tokio::test]
async fn people_of_teams_that_have_ended_get_and_erase_their_data() {
    let event = Event::new().await;
    let team = event.register("ann", "Code Warriors", &["bo", "cy"]).await;
    let path = |position: usize| {
        format!("/hackathon/participant/{}", team["member_ids"][position].as_str().unwrap())
    };
    // Ann and bo have signed in, cy never has.
    done(event.get("bo", "/hackathon/me").await, 200);
    event.work_after(25).await;
    for (user, position) in [("ann", 0), ("bo", 1), ("cy", 2)] {
        let export = done(event.get(user, "/hackathon/me/export").await, 200);
        assert_eq!(export["participant"]["phone"], "+91-9876543210", "{user}");
        assert_eq!(export["team"]["registration_status"], "expired", "{user}");
        assert_eq!(done(event.get(user, &path(position)).await, 200)["last_name"], "Iyer");
        let page = event.get(user, "/profile").await;
        assert!(page.text.contains("Erase my data"), "{}", page.text);
        for other in ["zoe", "judge-1"] {
            assert_eq!(event.delete(other, &path(position)).await.outcome(), "404 NOT_FOUND");
        }
        assert_eq!(event.delete(user, &path(position)).await.status, 204, "{user}");
        assert_eq!(event.get(user, "/hackathon/me/export").await.outcome(), "404 NOT_FOUND");
    }
    let rows = format!("{:?}", event.rows());
    assert!(!rows.contains("Iyer"), "{rows}");
    // Nothing of it keeps anybody from registering again.
    event.register("bo", "Code Warriors", &["cy"]).await;
}

/// Who has registered again gets the data of both registrations.
#[tokio::test]
async fn data_of_earlier_registrations_is_exported_too() {
    let event = Event::new().await;
    let first = event.register("ann", "Code Warriors", &["bo"]).await;
    event.work_after(25).await;
    event.register("ann", "Second Wind", &["cy"]).await;
    let export = done(event.get("ann", "/hackathon/me/export").await, 200);
    assert_eq!(export["team"]["name"], "Second Wind");
    assert_eq!(export["earlier"][0]["participant_id"], first["member_ids"][0]);
    let bo = done(event.get("bo", "/hackathon/me/export").await, 200);
    assert_eq!((&bo["team"]["name"], &bo["earlier"]), (&json!("Code Warriors"), &json!([])));
}
