//! Exports: one row per participant, masked unless asked for, and safe in spreadsheets.

use http_body_util::BodyExt as _;
use monotable::model::backend::Embedded;
use monotable_codekurukshetra::table::CodeKurukshetraReads as _;
use monotable_testkit::failing::{Failing, Moment};
use serde_json::{Value, json};

use crate::world::{Event, done, id, person, team_body};

const CSV: &str = "/hackathon/admin/export/csv";
const JSON: &str = "/hackathon/admin/export/json";

/// An event with the team of ann, who has paid, and that of bo, who has not.
async fn teams() -> Event {
    let event = Event::new().await;
    event.paid("ann", &["al"]).await;
    event.order("bo", &["bob"]).await;
    event
}

async fn csv(event: &Event, query: &str) -> Vec<String> {
    let response = event.get("admin", &format!("{CSV}{query}")).await;
    assert_eq!(response.status, 200, "{}", response.text);
    let text = response.text.strip_prefix('\u{feff}').unwrap().to_owned();
    assert!(response.header("content-type").starts_with("text/csv; charset=utf-8"));
    assert!(response.header("content-disposition").contains("participants.csv"));
    text.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn personal_data_is_masked_unless_it_is_asked_for_with_a_reason() {
    let event = teams().await;
    let masked = csv(&event, "").await;
    assert_eq!(masked.len(), 5, "a head and four participants");
    assert!(masked[0].starts_with("participant_id,team_id,team_name,track,registration_status,"));
    let text = masked.join("\n");
    for secret in ["ann@example.org", "9876543210", "Iyer"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    assert!(text.contains("a***@example.org") && text.contains("**********3210"), "{text}");
    let refused = event.get("admin", &format!("{CSV}?pii=true")).await;
    assert_eq!(refused.outcome(), "400 INVALID_REQUEST");
    assert!(
        !event
            .app
            .db
            .audit(&id("202701"))
            .all()
            .await
            .unwrap()
            .iter()
            .any(|it| it.action == "export")
    );
    let plain = csv(&event, "?pii=true&reason=badges").await.join("\n");
    for secret in ["ann@example.org", "'+91-9876543210", "Iyer", "Example University"] {
        assert!(plain.contains(secret), "{secret}: {plain}");
    }
    let audit = event.app.db.audit(&id("202701")).all().await.unwrap();
    let entry = audit.iter().find(|entry| entry.action == "export").unwrap();
    assert_eq!(entry.after["reason"], "badges");
    assert_eq!(entry.actor.as_ref().unwrap().as_str(), "admin");
    let log = event.log_text();
    assert!(!log.contains("ann@example.org") && !log.contains("9876543210"), "{log}");
}

#[tokio::test]
async fn json_has_the_same_rows() {
    let event = teams().await;
    let masked = done(event.get("admin", JSON).await, 200);
    assert_eq!(masked["participants"].as_array().unwrap().len(), 4);
    assert!(!masked.to_string().contains("9876543210"));
    let plain = done(event.get("admin", &format!("{JSON}?pii=true&reason=badges")).await, 200);
    let ann = plain["participants"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["email"] == "ann@example.org");
    let ann = ann.unwrap();
    assert_eq!((&ann["phone"], &ann["is_leader"]), (&json!("+91-9876543210"), &json!(true)));
    assert_eq!(
        (&ann["payment_status"], &ann["registration_status"]),
        (&json!("paid"), &json!("confirmed"))
    );
    for secret in ["razorpay_signature", "firebase_uid", "GSI1PK"] {
        assert!(!plain.to_string().contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn exports_are_filtered_by_status_and_track() {
    let event = teams().await;
    for (query, rows) in [
        ("?payment_status=paid", 2),
        ("?payment_status=pending", 2),
        ("?payment_status=refunded", 0),
        ("?track=ai-ml", 4),
        ("?track=blockchain", 0),
    ] {
        assert_eq!(csv(&event, query).await.len(), rows + 1, "{query}");
        let shown = done(event.get("admin", &format!("{JSON}{query}")).await, 200);
        assert_eq!(shown["participants"].as_array().unwrap().len(), rows, "{query}");
    }
    let refused = event.get("admin", &format!("{CSV}?page=2")).await;
    assert_eq!(refused.outcome(), "400 INVALID_REQUEST");
}

/// A spreadsheet calculates what begins with one of these signs.
#[tokio::test]
async fn no_cell_is_a_formula() {
    let event = Event::new().await;
    let mut body = team_body("@SUM(A1)", &["ann", "al"]);
    body["members"][0]["college"] = json!("=HYPERLINK(\"https://evil.example\",\"MIT\")");
    body["members"][1]["college"] = json!("+1-800 \"College\", the\u{2009}best");
    done(event.post("ann", "/hackathon/register/team", body).await, 201);
    for line in csv(&event, "?pii=true&reason=badges").await {
        for cell in cells(&line) {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t']), "{cell} in {line}");
        }
    }
}

/// Reads the cells of a line, as RFC 4180 has them.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut rest = line.chars().peekable();
    while let Some(one) = rest.next() {
        match one {
            '"' if is_quoted && rest.peek() == Some(&'"') => {
                rest.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            one => cell.push(one),
        }
    }
    cells.push(cell);
    cells
}

#[tokio::test]
async fn erased_participants_are_in_no_export_and_the_figures_stay() {
    let event = teams().await;
    let people = done(event.get("admin", &format!("{JSON}?pii=true&reason=badges")).await, 200);
    let al = people["participants"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["email"] == "al@example.org");
    let al = al.unwrap()["participant_id"].as_str().unwrap().to_owned();
    let before = done(event.get("admin", "/hackathon/admin/statistics").await, 200);
    done(event.delete("admin", &format!("/hackathon/participant/{al}")).await, 204);
    assert_eq!(csv(&event, "").await.len(), 4);
    let exported = done(event.get("admin", JSON).await, 200).to_string();
    assert!(!exported.contains(&al), "{exported}");
    let college = "/hackathon/admin/participants?college=Example%20University";
    assert_eq!(done(event.get("admin", college).await, 200)["count"], 3);
    assert_eq!(done(event.get("admin", "/hackathon/admin/statistics").await, 200), before);
    let report = done(event.post("admin", "/hackathon/admin/check", json!({})).await, 200);
    assert_eq!(report["findings"], json!([]));
}

#[tokio::test]
async fn participants_of_a_college_are_masked_alike() {
    let event = teams().await;
    let path = "/hackathon/admin/participants?college=example%20university";
    let masked = done(event.get("admin", path).await, 200);
    assert_eq!((masked["count"].clone(), masked.to_string().contains("ann@")), (json!(4), false));
    let refused = event.get("admin", &format!("{path}&pii=true")).await;
    assert_eq!(refused.outcome(), "400 INVALID_REQUEST");
    let plain = done(event.get("admin", &format!("{path}&pii=true&reason=badges")).await, 200);
    assert!(plain.to_string().contains("ann@example.org"));
    let audit = event.app.db.audit(&id("202701")).all().await.unwrap();
    let entry = audit.iter().find(|entry| entry.action == "listParticipants").unwrap();
    assert_eq!(entry.entity, "COLLEGE#example-university");
}

/// The response comes in pieces of some hundred rows, each made when the one before was taken.
#[tokio::test]
async fn a_long_export_comes_in_pieces() {
    let event = Event::with(|config| config.max_teams = 1_000).await;
    let mut rows = Vec::new();
    event.register("ann", "First", &["al", "ab", "ac"]).await;
    let (template, team) = {
        let team = event.app.db.every_team().first().await.unwrap().unwrap();
        (event.app.db.members(&team.team_id).all().await.unwrap().remove(0), team)
    };
    for number in 0..1_000 {
        let mut row =
            event.row(&format!("PARTICIPANT#{}", template.participant_id), "PROFILE").unwrap();
        let name = format!("copy-{number:04}");
        for (attribute, value) in [
            ("PK", format!("PARTICIPANT#{name}")),
            ("participant_id", name.clone()),
            ("first_name", person(&name)["first_name"].as_str().unwrap().to_owned()),
        ] {
            row.insert(attribute.to_owned(), value.into());
        }
        row.remove("phone");
        rows.push(row);
    }
    event.put_rows(rows);
    assert_eq!(team.name.0, "First");
    let mut body = event.follow("admin", CSV).await.into_body();
    let (mut pieces, mut lines, mut longest) = (0, 0, 0);
    while let Some(frame) = body.frame().await {
        let piece = frame.unwrap().into_data().unwrap();
        pieces += 1;
        longest = longest.max(piece.len());
        lines += piece.iter().filter(|byte| **byte == b'\n').count();
    }
    assert_eq!(lines, 1 + 4 + 1_000);
    assert!(pieces > 10 && longest < 32 * 1_024, "{pieces} pieces, the longest of {longest} bytes");
    let all = done(event.get("admin", JSON).await, 200);
    assert_eq!(all["participants"].as_array().map(Vec::len), Some(1_004));
    assert_eq!(all["participants"][0].get("razorpay_signature"), None::<&Value>);
}

/// Without its end nobody takes an export for a complete one.
#[tokio::test]
async fn an_export_that_can_not_be_read_to_its_end_breaks_off() {
    let event = teams().await;
    let embedded = Embedded::new(event.database.clone());
    let mut broken = 0;
    for path in [CSV, JSON] {
        for call in 0.. {
            let failing = Failing::at(&embedded, call, Moment::Before);
            let process = event.over(failing.clone()).await;
            let response = process.follow("admin", path).await;
            if response.status() != 200 {
                continue;
            }
            let mut body = response.into_body();
            let mut is_whole = true;
            while let Some(frame) = body.frame().await {
                is_whole &= frame.is_ok();
            }
            assert_eq!(is_whole, !failing.has_died(), "{path} {call}");
            broken += usize::from(!is_whole);
            if is_whole {
                break;
            }
        }
    }
    assert!(broken >= 2);
}
