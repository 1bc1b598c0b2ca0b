//! The days of the event: arrivals, submissions, judging and certificates.

use monotable_codekurukshetra::table::{
    Account, CodeKurukshetraReads as _, College, Email, EmailGuard, Participant, PaymentStatus,
    RegistrationStatus, Stamps, Team, TeamName,
};
use serde_json::{Value, json};

use crate::world::{Event, done, id};

/// Writes a team that has paid; the first member leads it. Their accounts have the names of the participants.
pub(crate) async fn paid_team(event: &Event, team_id: &str, members: &[&str]) {
    let db = &event.app.db;
    for member in members {
        let email = Email(format!("{member}@example.org"));
        let participant = Participant {
            participant_id: id(member),
            first_name: member.to_uppercase(),
            last_name: "Rao".to_owned(),
            email: email.clone(),
            phone: None,
            college: Some(College("Example University".to_owned())),
            year: Some("3rd Year".to_owned()),
            github_username: None,
            linkedin: None,
            student_status: Some(true),
            registration_type: Some("team_member".to_owned()),
            team_id: id(team_id),
            payment_status: PaymentStatus::Paid,
            is_leader: *member == members[0],
            firebase_uid: Some(id(member)),
            ttl: None,
            erased_at: None,
            day: None,
            stamps: Stamps::default(),
        };
        db.create(&participant).await.unwrap();
        let (participant_id, stamps) = (id(member), Stamps::default());
        db.create(&EmailGuard { email, participant_id, stamps }).await.unwrap();
        let account = Account { account_id: id(member), participant_id: id(member), stamps };
        db.create(&account).await.unwrap();
    }
    let team = Team {
        team_id: id(team_id),
        name: TeamName(format!("Team {team_id}")),
        track: Some(id("ai-ml")),
        leader_participant_id: id(members[0]),
        payment_status: PaymentStatus::Paid,
        payment_order_id: None,
        payment_id: None,
        amount: 99_900,
        currency: "INR".to_owned(),
        member_count: members.len() as u8,
        max_members: 4,
        registration_complete: true,
        registration_status: Some(RegistrationStatus::Confirmed),
        hold_until: None,
        payment_uuid: None,
        member_ids: members.iter().map(|member| id(member)).collect(),
        day: None,
        stamps: Stamps::default(),
    };
    db.create(&team).await.unwrap();
}

/// An event with the team `t1` of ann and bo.
async fn event() -> Event {
    let event = Event::new().await;
    paid_team(&event, "t1", &["ann", "bo"]).await;
    event
}

/// Returns the code that a participant shows.
pub(crate) async fn code(event: &Event, participant: &str) -> String {
    let path = format!("/hackathon/participant/{participant}/ticket");
    let ticket = done(event.get("admin", &path).await, 200);
    ticket["code"].as_str().unwrap().to_owned()
}

/// A team without a track takes part in nothing. Its leader chooses one until the event starts, and the desk afterwards.
#[tokio::test]
async fn a_team_needs_a_track_to_take_part() {
    let event = event().await;
    let team = event.app.db.team(&id("t1")).await.unwrap().unwrap();
    event.app.db.edit(team, |team| team.track = None).await.unwrap();
    let code = code(&event, "ann").await;
    let (path, submission) = ("/hackathon/team/t1", "/hackathon/team/t1/submission");
    let start = event.app.db.config().await.unwrap().unwrap().event_start;
    event.clock.set_ms(start.as_ms() as u64);
    let arrival = json!({ "code": code });
    assert_eq!(
        event.post("admin", CHECK_IN, arrival.clone()).await.outcome(),
        "409 TRACK_REQUIRED"
    );
    assert_eq!(event.put("ann", submission, work("Watch")).await.outcome(), "409 TRACK_REQUIRED");
    let track = json!({ "track": "ai-ml" });
    assert_eq!(event.put("ann", path, track.clone()).await.outcome(), "409 INVALID_STATE");
    done(event.put("admin", path, track).await, 200);
    let other = json!({ "track": "blockchain" });
    assert_eq!(event.put("admin", path, other).await.outcome(), "409 INVALID_STATE");
    done(event.post("admin", CHECK_IN, arrival).await, 201);
    done(event.put("ann", submission, work("Watch")).await, 201);
}

/// The page is fetched again after each arrival.
#[tokio::test]
async fn a_desk_that_stays_open_is_one_line_of_the_audit_per_hour() {
    let event = event().await;
    let code = code(&event, "ann").await;
    done(event.post("admin", CHECK_IN, json!({ "code": code })).await, 201);
    let reads = async || {
        let lines = event.app.db.audit(&id("202701")).all().await.unwrap();
        lines.iter().filter(|line| line.entity == "CHECKIN").count()
    };
    for (minutes, expected) in [(0, 1), (1, 1), (30, 1), (60, 2), (1, 2)] {
        event.clock.advance_ms(minutes * 60_000);
        let page = event.get("admin", "/check-in").await;
        assert!(page.text.contains("ANN Rao"), "{}", page.text);
        assert_eq!(reads().await, expected, "after {minutes} minutes more");
    }
}

/// Returns how many participants have arrived.
async fn arrivals(event: &Event) -> u64 {
    event.app.db.arrivals().await.unwrap().map_or(0, |row| row.arrived)
}

const CHECK_IN: &str = "/hackathon/admin/checkin";

#[tokio::test]
async fn a_double_scan_shows_the_time_of_the_first() {
    let event = event().await;
    let code = code(&event, "ann").await;
    let first = done(event.post("admin", CHECK_IN, json!({ "code": code })).await, 201);
    assert_eq!(first["name"], "ANN Rao");
    assert_eq!((&first["team_arrived"], &first["team_members"]), (&json!(1), &json!(2)));
    event.clock.advance_ms(60_000);
    // Typed without dashes, in small letters.
    let typed = code.replace('-', "").to_lowercase();
    let again = done(event.post("admin", CHECK_IN, json!({ "code": typed })).await, 409);
    assert_eq!(again["code"], "ALREADY_CHECKED_IN");
    assert_eq!(again["details"]["checked_in_at"], first["checked_in_at"]);
    let text = again["message"].as_str().unwrap();
    assert!(text.contains("ANN Rao of Team t1 arrived already, on 15 January 2027"), "{text}");
    let list = done(event.get("admin", CHECK_IN).await, 200);
    assert_eq!((&list["count"], &list["arrivals"][0]["name"]), (&json!(1), &json!("ANN Rao")));
    assert_eq!(arrivals(&event).await, 1);
}

#[tokio::test]
async fn arrivals_that_were_scanned_without_a_network_keep_their_time() {
    let event = event().await;
    let (ann, bo) = (code(&event, "ann").await, code(&event, "bo").await);
    let scanned_at = event.now();
    event.clock.advance_ms(10 * 60_000);
    let late = json!({ "code": ann, "at": scanned_at });
    let late = done(event.post("admin", CHECK_IN, late).await, 201);
    assert_eq!(late["checked_in_at"], json!(scanned_at));
    // The clock of a phone may be ahead.
    let ahead = json!({ "code": bo, "at": "2099-01-01T00:00:00Z" });
    let ahead = done(event.post("admin", CHECK_IN, ahead).await, 201);
    assert_eq!(ahead["checked_in_at"], json!(event.now()));
}

#[tokio::test]
async fn an_arrival_that_was_a_mistake_is_taken_back_and_audited() {
    let event = event().await;
    let code = code(&event, "bo").await;
    done(event.post("admin", CHECK_IN, json!({ "code": code })).await, 201);
    let path = format!("{CHECK_IN}/bo");
    assert_eq!(event.delete("admin", &path).await.status, 204);
    assert_eq!(arrivals(&event).await, 0);
    let audit = event.app.db.audit(&id("202701")).all().await.unwrap();
    assert_eq!(audit[0].action, "undoCheckIn");
    assert_eq!(event.delete("admin", &path).await.outcome(), "404 NOT_FOUND");
    done(event.post("admin", CHECK_IN, json!({ "code": code })).await, 201);
}

#[tokio::test]
async fn codes_are_for_members_of_teams_that_take_part() {
    let event = event().await;
    paid_team(&event, "t2", &["cy", "di"]).await;
    let code = code(&event, "cy").await;
    let wrong = json!({ "code": "0000-0000-0000" });
    assert_eq!(event.post("admin", CHECK_IN, wrong).await.outcome(), "404 NOT_FOUND");
    let mut team = event.app.db.team(&id("t2")).await.unwrap().unwrap();
    team = event
        .app
        .db
        .edit(team, |team| team.set_registration(RegistrationStatus::Refunded))
        .await
        .unwrap();
    let refused = event.post("admin", CHECK_IN, json!({ "code": code })).await;
    assert_eq!(refused.outcome(), "409 INVALID_STATE");
    event.app.db.edit(team, |team| team.payment_status = PaymentStatus::Refunded).await.unwrap();
    let refused = event.post("admin", CHECK_IN, json!({ "code": code })).await;
    assert_eq!(refused.outcome(), "404 NOT_FOUND");
    // Members see their own code; the leader prints those of the team.
    for (actor, participant, expected) in [
        ("bo", "bo", "200 -"),
        ("ann", "bo", "200 -"),
        ("bo", "ann", "403 FORBIDDEN"),
        ("cy", "ann", "404 NOT_FOUND"),
    ] {
        let path = format!("/hackathon/participant/{participant}/ticket");
        assert_eq!(event.get(actor, &path).await.outcome(), expected, "{actor} {participant}");
    }
}

fn work(title: &str) -> Value {
    json!({
        "title": title, "description": "Warns farmers of floods.",
        "url": "https://github.com/example/work",
    })
}

#[tokio::test]
async fn work_is_handed_in_until_the_event_ends() {
    let event = event().await;
    let path = "/hackathon/team/t1/submission";
    assert_eq!(event.get("ann", path).await.outcome(), "404 NOT_FOUND");
    let first = done(event.put("bo", path, work("Monsoon Watch")).await, 201);
    assert_eq!((&first["submitted_by"], &first["ver"]), (&json!("bo"), &json!(1)));
    let changed = done(event.put("ann", path, work("Flood Watch")).await, 200);
    assert_eq!((&changed["title"], &changed["ver"]), (&json!("Flood Watch"), &json!(2)));
    for url in ["javascript:alert(1)", "https://a.b/\"><script>"] {
        let mut wrong = work("Flood Watch");
        wrong["url"] = json!(url);
        assert_eq!(event.put("ann", path, wrong).await.outcome(), "400 INVALID_REQUEST", "{url}");
    }
    let end = event.app.db.config().await.unwrap().unwrap().event_end;
    event.clock.set_ms(end.as_ms() as u64);
    done(event.put("ann", path, work("Last Minute")).await, 200);
    event.clock.advance_ms(1);
    let late = event.put("ann", path, work("Too Late")).await;
    assert_eq!(late.outcome(), "409 SUBMISSIONS_CLOSED");
    assert_eq!(done(event.get("ann", path).await, 200)["title"], "Last Minute");
}

fn score(points: [u8; 4]) -> Value {
    let names = ["Innovation", "Execution", "Impact", "Presentation"];
    let scores = names.iter().zip(points);
    let scores: Vec<Value> =
        scores.map(|(name, points)| json!({ "criterion": name, "points": points })).collect();
    json!({ "scores": scores })
}

/// Lets a judge score teams, by points that are the same for all criteria.
async fn judge(event: &Event, judge: &str, points: &[(&str, u8)]) {
    let ids: Vec<&str> = points.iter().map(|(team, _)| *team).collect();
    let path = format!("/hackathon/admin/judges/{judge}/teams");
    let assigned = event.post("admin", &path, json!({ "team_ids": ids })).await;
    assert_eq!(assigned.status, 204, "{}", assigned.text);
    for (team, points) in points {
        let path = format!("/hackathon/team/{team}/score");
        done(event.put(judge, &path, score([*points; 4])).await, 201);
    }
}

#[tokio::test]
async fn judges_score_the_teams_that_they_were_given() {
    let event = event().await;
    let path = "/hackathon/team/t1/score";
    assert_eq!(event.put("judge1", path, score([5; 4])).await.outcome(), "404 NOT_FOUND");
    assert_eq!(
        event.get("judge1", "/hackathon/team/t1/submission").await.outcome(),
        "404 NOT_FOUND"
    );
    let teams = json!({ "team_ids": ["t1"] });
    let assign = "/hackathon/admin/judges/judge1/teams";
    assert_eq!(event.post("admin", assign, teams.clone()).await.status, 204);
    assert_eq!(event.post("admin", assign, teams).await.status, 204, "again");
    let early = event.put("judge1", path, score([5; 4])).await;
    assert_eq!(early.outcome(), "409 INVALID_STATE", "nothing is handed in yet");
    done(event.put("ann", "/hackathon/team/t1/submission", work("Watch")).await, 201);
    let mine = done(event.get("judge1", "/hackathon/judging/teams").await, 200);
    assert_eq!(mine["teams"][0]["submission"]["title"], "Watch");
    let given = done(event.put("judge1", path, score([9, 8, 7, 6])).await, 201);
    assert_eq!(given["points"]["Innovation"], 9);
    let changed = done(event.put("judge1", path, score([1, 2, 3, 4])).await, 200);
    assert_eq!((&changed["points"]["Impact"], &changed["ver"]), (&json!(3), &json!(2)));
    let mut missing = score([5; 4]);
    missing["scores"].as_array_mut().unwrap().pop();
    let mut twice = score([5; 4]);
    twice["scores"][1]["criterion"] = json!("Innovation");
    for wrong in [missing, twice, score([11, 0, 0, 0])] {
        assert_eq!(event.put("judge1", path, wrong).await.outcome(), "400 INVALID_REQUEST");
    }
    assert_eq!(event.delete("admin", &format!("{assign}/t1")).await.status, 204);
    assert_eq!(event.put("judge1", path, score([5; 4])).await.outcome(), "404 NOT_FOUND");
    for actor in ["ann", "bo"] {
        assert_eq!(event.put(actor, path, score([10; 4])).await.outcome(), "403 FORBIDDEN");
    }
}

#[tokio::test]
async fn the_leaderboard_does_not_depend_on_how_strict_judges_are() {
    let event = event().await;
    paid_team(&event, "t2", &["cy", "di"]).await;
    paid_team(&event, "t3", &["ed", "fi"]).await;
    for (leader, team) in [("ann", "t1"), ("cy", "t2"), ("ed", "t3")] {
        let path = format!("/hackathon/team/{team}/submission");
        done(event.put(leader, &path, work("Watch")).await, 201);
    }
    judge(&event, "judge1", &[("t1", 2), ("t2", 1)]).await;
    judge(&event, "judge2", &[("t1", 8), ("t2", 10), ("t3", 9)]).await;
    judge(&event, "judge3", &[("t1", 5), ("t2", 3)]).await;
    let board = done(event.get("admin", "/hackathon/admin/leaderboard").await, 200);
    let places: Vec<(&Value, &Value)> = board["teams"]
        .as_array()
        .unwrap()
        .iter()
        .map(|team| (&team["team_id"], &team["rank"]))
        .collect();
    // By plain means t1 and t2 have 5 and 4.67; only one judge has scored t3.
    let expected =
        [(&json!("t1"), &json!(1)), (&json!("t2"), &json!(2)), (&json!("t3"), &Value::Null)];
    assert_eq!(places, expected);
    for actor in ["ann", "judge1"] {
        let refused = event.get(actor, "/hackathon/admin/leaderboard").await;
        assert_eq!(refused.outcome(), "403 FORBIDDEN", "{actor}");
    }
}

#[tokio::test]
async fn criteria_are_set_before_the_first_score() {
    let event = event().await;
    let usual = done(event.get("", "/hackathon/criteria").await, 200);
    assert_eq!(usual["criteria"][0], json!({ "name": "Innovation", "weight": 3 }));
    let one = json!({ "criteria": [{ "name": "Joy", "weight": 1 }] });
    let path = "/hackathon/admin/criteria";
    done(event.put("admin", path, one.clone()).await, 200);
    let twice =
        json!({ "criteria": [{ "name": "Joy", "weight": 1 }, { "name": "joy", "weight": 2 }] });
    assert_eq!(event.put("admin", path, twice).await.outcome(), "400 INVALID_REQUEST");
    done(event.put("ann", "/hackathon/team/t1/submission", work("Watch")).await, 201);
    let joy = json!({ "scores": [{ "criterion": "Joy", "points": 10 }] });
    // An organiser scores without an assignment.
    done(event.put("admin", "/hackathon/team/t1/score", joy).await, 201);
    assert_eq!(event.put("admin", path, one).await.outcome(), "409 INVALID_STATE");
}

/// Criteria that are set while the first score is on its way must not become those of another score.
#[tokio::test]
async fn the_first_score_and_new_criteria_exclude_each_other() {
    for has_criteria in [false, true] {
        let event = event().await;
        if has_criteria {
            let one = json!({ "criteria": [{ "name": "Innovation", "weight": 3 }] });
            done(event.put("admin", "/hackathon/admin/criteria", one).await, 200);
        }
        done(event.put("ann", "/hackathon/team/t1/submission", work("Watch")).await, 201);
        let before = event.app.db.judging_rules().await.unwrap();
        let points = if has_criteria {
            json!({ "scores": [{ "criterion": "Innovation", "points": 5 }] })
        } else {
            score([5; 4])
        };
        done(event.put("admin", "/hackathon/team/t1/score", points).await, 201);
        let after = event.app.db.judging_rules().await.unwrap();
        assert_ne!(
            before.map(|rules| rules.stamps.version),
            after.map(|rules| rules.stamps.version),
            "criteria that were read before the score can't be replaced"
        );
        let shown = event.get("admin", "/organise/judging").await;
        assert!(!shown.text.contains("Save the criteria"), "{}", shown.text);
    }
}

#[tokio::test]
async fn certificates_are_verified_by_their_links() {
    let event = event().await;
    let ticket = "/hackathon/participant/ann/ticket";
    assert_eq!(done(event.get("ann", ticket).await, 200)["certificate_url"], Value::Null);
    let code = code(&event, "ann").await;
    done(event.post("admin", CHECK_IN, json!({ "code": code })).await, 201);
    let ticket = done(event.get("ann", ticket).await, 200);
    let certificate = ticket["certificate_url"].as_str().unwrap().rsplit('/').next().unwrap();
    let path = format!("/hackathon/certificates/{certificate}");
    let shown = event.get("", &path).await;
    assert!(!shown.text.contains("ann@") && !shown.text.contains("University"), "{}", shown.text);
    let shown = done(shown, 200);
    assert_eq!((&shown["name"], &shown["team_name"]), (&json!("ANN Rao"), &json!("Team t1")));
    // Another participant, another signature, or another form of it.
    let (_, signature) = certificate.rsplit_once('.').unwrap();
    for forged in [
        format!("bo.{signature}"),
        certificate.replace(signature, &signature[2..]),
        format!("ann.{}", "0".repeat(signature.len())),
        "ann".to_owned(),
    ] {
        let path = format!("/hackathon/certificates/{forged}");
        assert_eq!(event.get("", &path).await.outcome(), "404 NOT_FOUND", "{forged}");
    }
    let ann = event.app.db.participant(&id("ann")).await.unwrap().unwrap();
    let now = event.now();
    event.app.db.edit(ann, |ann| ann.erased_at = Some(now)).await.unwrap();
    assert_eq!(event.get("", &path).await.outcome(), "404 NOT_FOUND", "erased");
}
