//! Teams and their members: what leaders change, and what moves with it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use monotable_codekurukshetra::table::{
    Assignment, CodeKurukshetraReads as _, Email, JudgeId, ParticipantId, PaymentStatus,
    RegistrationStatus, Score, Stamps, TeamId,
};
use monotable_testkit::service::{Act, Crash};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::world::{Event, done, id, person};

/// Returns the path of a team, or of something below it.
fn path(team_id: &TeamId, below: &str) -> String {
    format!("/hackathon/team/{team_id}{below}")
}

/// Registers a team, and returns its id.
async fn team(event: &Event, name: &str, members: &[&str]) -> TeamId {
    let team = event.register(members[0], name, &members[1..]).await;
    id(team["team_id"].as_str().unwrap())
}

/// Returns the id of the member with a first name.
fn member(team: &Value, first_name: &str) -> String {
    let members = team["members"].as_array().unwrap();
    let found = members.iter().find(|it| it["first_name"] == first_name);
    found.unwrap_or_else(|| panic!("{first_name} in {team}"))["participant_id"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn shown(event: &Event, user: &str, team_id: &TeamId) -> Value {
    done(event.get(user, &path(team_id, "")).await, 200)
}

/// The names of the members of a team, as a user sees them.
async fn names(event: &Event, user: &str, team_id: &TeamId) -> Vec<String> {
    let team = shown(event, user, team_id).await;
    let members = team["members"].as_array().unwrap();
    members.iter().map(|it| it["first_name"].as_str().unwrap().to_owned()).collect()
}

fn code(response: monotable_testkit::service::Response, status: u16) -> Value {
    done(response, status)["code"].clone()
}

#[tokio::test]
async fn a_team_is_read_with_its_members_right_after_a_write() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    assert_eq!(names(&event, "ann", &team_id).await, ["ann", "bo"]);
    let added = event.post("ann", &path(&team_id, "/members"), person("cy")).await;
    let added = done(added, 201);
    assert_eq!((&added["first_name"], &added["phone"]), (&json!("cy"), &json!("+91-9876543210")));
    assert_eq!(names(&event, "cy", &team_id).await, ["ann", "bo", "cy"]);
    let stored = event.team(&team_id).await;
    assert_eq!((stored.member_count, stored.member_ids.len()), (3, 3));
    assert!(event.has("EMAIL#cy@example.org", "UNIQUE"));
    assert_eq!(event.totals().await.participants, 3);
}

#[tokio::test]
async fn each_sees_as_much_of_a_team_as_the_role_allows() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let emails = |team: &Value| -> Vec<bool> {
        team["members"].as_array().unwrap().iter().map(|it| it["email"].is_string()).collect()
    };
    let leader = shown(&event, "ann", &team_id).await;
    assert_eq!((emails(&leader), &leader["amount"]), (vec![true, true], &json!(99_900)));
    let member = shown(&event, "bo", &team_id).await;
    assert_eq!((emails(&member), &member["amount"]), (vec![false, true], &json!(99_900)));
    assert_eq!(event.get("zoe", &path(&team_id, "")).await.status, 404);
    assert_eq!(event.get("judge-1", &path(&team_id, "")).await.status, 404);
    let teams = json!({ "team_ids": [team_id] });
    let assigned = event.post("admin", "/hackathon/admin/judges/judge-1/teams", teams).await;
    assert!(assigned.status < 300, "{}", assigned.text);
    let judge = shown(&event, "judge-1", &team_id).await;
    assert_eq!((emails(&judge), &judge["amount"]), (vec![false, false], &json!(null)));
}

#[tokio::test]
async fn ck_d05_a_new_track_moves_index_keys_facets_and_counters() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let changed = event.put("ann", &path(&team_id, ""), json!({ "track": "blockchain" })).await;
    assert_eq!(done(changed, 200)["track"], "blockchain");
    let db = &event.app.db;
    for (track, teams) in [("ai-ml", vec![]), ("blockchain", vec![team_id.clone()])] {
        let rows = db.teams_by_track(&id(track)).all().await.unwrap();
        assert_eq!(rows.into_iter().map(|it| it.team_id).collect::<Vec<_>>(), teams, "{track}");
        let facets = db.track_facets(&id(track)).all().await.unwrap();
        assert_eq!(facets.into_iter().map(|it| it.team_id).collect::<Vec<_>>(), teams, "{track}");
    }
    let counts = db.track_stats().all().await.unwrap();
    let counts: Vec<_> = counts.iter().map(|it| (it.track.as_str(), it.teams)).collect();
    assert_eq!(counts, [("ai-ml", 0), ("blockchain", 1)]);
    let unknown = event.put("ann", &path(&team_id, ""), json!({ "track": "chess" })).await;
    assert_eq!(code(unknown, 400), "INVALID_REQUEST");
}

#[tokio::test]
async fn a_name_moves_with_its_guard_and_facets() {
    let event = Event::new().await;
    let one = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let two = team(&event, "Bit Benders", &["cy", "di"]).await;
    let rename = async |user: &str, team_id: &TeamId, name: &str| {
        event.put(user, &path(team_id, ""), json!({ "name": name })).await
    };
    assert_eq!(code(rename("cy", &two, "code  WARRIORS").await, 409), "TEAM_NAME_TAKEN");
    assert_eq!(done(rename("ann", &one, "CODE Warriors").await, 200)["name"], "CODE Warriors");
    done(rename("ann", &one, "Byte Knights").await, 200);
    assert!(!event.has("TEAMNAME#code%20warriors", "UNIQUE"));
    assert!(event.has("TEAMNAME#byte%20knights", "UNIQUE"));
    let facets = event.app.db.status_facets(PaymentStatus::Pending).all().await.unwrap();
    let mut facets: Vec<_> = facets.into_iter().map(|it| it.name.0).collect();
    facets.sort();
    assert_eq!(facets, ["Bit Benders", "Byte Knights"]);
    done(rename("cy", &two, "Code Warriors").await, 200);
}

#[tokio::test]
async fn a_confirmed_team_changes_its_track_until_the_event_starts() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let put = async |body: Value| event.put("ann", &path(&team_id, ""), body).await;
    assert_eq!(code(put(json!({ "name": "Byte Knights" })).await, 409), "INVALID_STATE");
    assert_eq!(done(put(json!({ "track": "blockchain" })).await, 200)["track"], "blockchain");
    event.clock.advance_ms(40 * 24 * 60 * 60 * 1_000);
    assert_eq!(code(put(json!({ "track": "ai-ml" })).await, 409), "INVALID_STATE");
}

#[tokio::test]
async fn only_leaders_and_administrators_change_a_team() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let put = async |user: &str| {
        event.put(user, &path(&team_id, ""), json!({ "track": "blockchain" })).await.status
    };
    assert_eq!(
        [put("bo").await, put("zoe").await, put("ann").await, put("admin").await],
        [403, 404, 200, 200]
    );
}

#[tokio::test]
async fn teams_stay_within_their_size() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo", "cy", "di"]).await;
    let members = path(&team_id, "/members");
    assert_eq!(code(event.post("ann", &members, person("ed")).await, 400), "INVALID_TEAM_SIZE");
    let team = shown(&event, "ann", &team_id).await;
    let remove = async |name: &str| {
        let path = format!("{members}/{}", member(&team, name));
        event.delete("ann", &path).await
    };
    assert_eq!(remove("di").await.status, 204);
    assert_eq!(remove("cy").await.status, 204);
    assert_eq!(code(remove("bo").await, 400), "INVALID_TEAM_SIZE");
    assert_eq!(code(remove("ann").await, 409), "INVALID_STATE");
    assert_eq!(code(remove("cy").await, 404), "NOT_FOUND");
    assert!(!event.has("EMAIL#di@example.org", "UNIQUE"));
    assert_eq!(event.totals().await.participants, 2);
    assert_eq!(names(&event, "ann", &team_id).await, ["ann", "bo"]);
    // Whoever has left can join another team.
    self::team(&event, "Bit Benders", &["di", "cy"]).await;
}

#[tokio::test]
async fn a_member_is_replaced_in_one_transaction() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let team = shown(&event, "ann", &team_id).await;
    event.clock.advance_ms(24 * 60 * 60 * 1_000);
    let path = path(&team_id, &format!("/members/{}", member(&team, "bo")));
    done(event.put("ann", &path, person("cy")).await, 201);
    assert_eq!(names(&event, "ann", &team_id).await, ["ann", "cy"]);
    assert!(!event.has("EMAIL#bo@example.org", "UNIQUE"));
    assert!(event.has("EMAIL#cy@example.org", "UNIQUE"));
    assert_eq!(event.get("bo", &self::path(&team_id, "")).await.status, 404);
    assert_eq!(event.totals().await.participants, 2);
    let days =
        event.app.db.daily_stats("2027-01-15".parse().unwrap(), "2027-01-16".parse().unwrap());
    let days: Vec<_> = days.all().await.unwrap().iter().map(|it| it.participants).collect();
    assert_eq!(days, [1, 1], "they came on different days");
}

#[tokio::test]
async fn members_change_until_registration_ends_and_by_administrators_afterwards() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    event.clock.advance_ms(33 * 24 * 60 * 60 * 1_000);
    let members = path(&team_id, "/members");
    assert_eq!(code(event.post("ann", &members, person("cy")).await, 409), "REGISTRATION_CLOSED");
    done(event.post("admin", &members, person("cy")).await, 201);
}

#[tokio::test]
async fn a_team_whose_hold_is_over_changes_no_more() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    event.clock.advance_ms(24 * 60 * 60 * 1_000);
    let members = path(&team_id, "/members");
    assert_eq!(code(event.post("ann", &members, person("cy")).await, 409), "HOLD_EXPIRED");
}

#[tokio::test]
async fn an_address_joins_one_team_only() {
    let event = Event::new().await;
    let one = team(&event, "Code Warriors", &["ann", "bo"]).await;
    team(&event, "Bit Benders", &["cy", "di"]).await;
    let members = path(&one, "/members");
    for taken in ["cy", "bo"] {
        let response = event.post("ann", &members, person(taken)).await;
        assert_eq!(code(response, 409), "DUPLICATE_EMAIL");
    }
    let mut shouted = person("cy");
    shouted["email"] = "CY@Example.ORG".into();
    assert_eq!(code(event.post("ann", &members, shouted).await, 409), "DUPLICATE_EMAIL");
}

#[tokio::test]
async fn the_lead_moves_with_its_index_key() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let team = shown(&event, "ann", &team_id).await;
    let (ann, bo): (ParticipantId, ParticipantId) =
        (id(&member(&team, "ann")), id(&member(&team, "bo")));
    let leader = path(&team_id, "/leader");
    let body = json!({ "participant_id": bo });
    assert_eq!(event.post("bo", &leader, body.clone()).await.status, 403);
    assert_eq!(
        done(event.post("ann", &leader, body).await, 200)["leader_participant_id"],
        json!(bo)
    );
    let led_by =
        async |id: &ParticipantId| event.app.db.teams_led_by(id).all().await.unwrap().len();
    assert_eq!((led_by(&ann).await, led_by(&bo).await), (0, 1));
    let members = event.app.db.members(&team_id).all().await.unwrap();
    let leaders: Vec<_> = members.into_iter().filter(|it| it.is_leader).collect();
    assert_eq!(leaders.iter().map(|it| &it.participant_id).collect::<Vec<_>>(), [&bo]);
    assert_eq!(event.post("ann", &path(&team_id, "/members"), person("cy")).await.status, 403);
    done(event.post("bo", &path(&team_id, "/members"), person("cy")).await, 201);
}

#[tokio::test]
async fn ck_d25_people_join_by_themselves_with_a_code() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let invites = path(&team_id, "/invites");
    let invite = done(event.post("ann", &invites, json!({})).await, 201);
    let join = async |user: &str, code: &Value| {
        let mut body = person(user);
        body.as_object_mut().unwrap().remove("email");
        body["code"] = code.clone();
        event.post(user, "/hackathon/invites/accept", body).await
    };
    let joined = done(join("cy", &invite["code"]).await, 201);
    assert_eq!(
        (&joined["email"], &joined["has_account"]),
        (&json!("cy@example.org"), &json!(true))
    );
    assert!(event.has("UID#cy", "UNIQUE"));
    assert_eq!(code(join("cy", &invite["code"]).await, 409), "ALREADY_REGISTERED");
    assert_eq!(names(&event, "cy", &team_id).await, ["ann", "bo", "cy"]);
    done(join("di", &invite["code"]).await, 201);
    assert_eq!(code(join("ed", &invite["code"]).await, 400), "INVALID_TEAM_SIZE");
    let mut forged = invite["code"].as_str().unwrap().to_owned();
    forged.pop();
    assert_eq!(code(join("ed", &json!(forged)).await, 404), "NOT_FOUND");
    let list = done(event.get("ann", &invites).await, 200);
    assert_eq!((&list["count"], &list["invites"][0]["status"]), (&json!(1), &json!("open")));
    assert!(!list.to_string().contains(invite["code"].as_str().unwrap()));
}

#[tokio::test]
async fn an_invitation_to_an_address_is_for_its_owner_and_good_once() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let invites = path(&team_id, "/invites");
    let invite =
        async |email: &str| done(event.post("ann", &invites, json!({ "email": email })).await, 201);
    let join = async |user: &str, code: &Value| {
        let mut body = person(user);
        body.as_object_mut().unwrap().remove("email");
        body["code"] = code.clone();
        event.post(user, "/hackathon/invites/accept", body).await
    };
    let (for_cy, for_di) = (invite("cy@example.org").await, invite("di@example.org").await);
    assert_eq!(code(join("zoe", &for_cy["code"]).await, 403), "FORBIDDEN");
    done(join("cy", &for_cy["code"]).await, 201);
    assert_eq!(code(join("ed", &for_cy["code"]).await, 409), "INVITE_CLOSED");
    let revoke = format!("{invites}/{}", for_di["invite_id"].as_str().unwrap());
    assert_eq!(event.delete("bo", &revoke).await.status, 403);
    assert_eq!(event.delete("ann", &revoke).await.status, 204);
    assert_eq!(code(join("di", &for_di["code"]).await, 404), "NOT_FOUND");
    let late = invite("ed@example.org").await;
    event.clock.advance_ms(8 * 24 * 60 * 60 * 1_000);
    assert!(matches!(join("ed", &late["code"]).await.status, 404 | 409));
}

#[tokio::test]
async fn a_deleted_team_leaves_only_its_payment() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let payment_id = event.team(&team_id).await.payment_uuid.unwrap();
    assert_eq!(event.delete("ann", &path(&team_id, "")).await.status, 403);
    assert_eq!(event.delete("admin", &path(&team_id, "")).await.status, 204);
    let left = event.app.db.every_participant().all().await.unwrap();
    assert!(left.is_empty(), "{left:?}");
    for (partition, sort) in [
        ("EMAIL#ann@example.org", "UNIQUE"),
        ("EMAIL#bo@example.org", "UNIQUE"),
        ("UID#ann", "UNIQUE"),
        ("TEAMNAME#code%20warriors", "UNIQUE"),
        (&format!("TEAM#{team_id}"), "PROFILE"),
        (&format!("TEAM#{team_id}"), "IDX#PAYMENT_STATUS"),
        (&format!("TEAM#{team_id}"), "IDX#TRACK"),
    ] {
        assert!(!event.has(partition, sort), "{partition} {sort}");
    }
    assert!(event.has(&format!("PAYMENT#{payment_id}"), "TRANSACTION"));
    let totals = event.totals().await;
    assert_eq!((totals.slots_used, totals.registrations, totals.participants), (0, 0, 0));
    team(&event, "Code Warriors", &["ann", "bo"]).await;
}

#[tokio::test]
async fn a_team_that_has_paid_is_not_deleted() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    assert_eq!(code(event.delete("admin", &path(&team_id, "")).await, 409), "INVALID_STATE");
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Confirmed);
}

#[tokio::test]
async fn members_are_read_and_added_while_the_indexes_lag() {
    let event = Event::lagging(Duration::from_secs(60)).await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let members = path(&team_id, "/members");
    let cy = done(event.post("ann", &members, person("cy")).await, 201);
    assert_eq!(names(&event, "ann", &team_id).await, ["ann", "bo", "cy"]);
    let cy = format!("{members}/{}", cy["participant_id"].as_str().unwrap());
    event.clock.advance_ms(61_000);
    assert_eq!(event.delete("ann", &cy).await.status, 204);
    let found = event.app.db.participants_by_email(&Email("cy@example.org".to_owned()));
    assert_eq!(found.all().await.unwrap().len(), 1, "the index still has the member");
    done(event.post("ann", &members, person("cy")).await, 201);
    assert_eq!(names(&event, "ann", &team_id).await, ["ann", "bo", "cy"]);
}

#[tokio::test]
async fn of_many_who_join_at_once_only_as_many_get_in_as_there_is_room() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    let invite = done(event.post("ann", &path(&team_id, "/invites"), json!({})).await, 201);
    let mut joining = JoinSet::new();
    for user in ["cy", "di", "ed", "flo", "gus", "hal"] {
        let (world, code) = (Arc::clone(&event.world), invite["code"].clone());
        joining.spawn(async move {
            let mut body = person(user);
            body.as_object_mut().unwrap().remove("email");
            body["code"] = code;
            world.post(user, "/hackathon/invites/accept", body).await
        });
    }
    let responses = joining.join_all().await;
    let joined = responses.iter().filter(|it| it.status == 201).count();
    for response in responses.into_iter().filter(|it| it.status != 201) {
        let code = response.value()["error"]["code"].clone();
        assert!(code == "INVALID_TEAM_SIZE" || code == "VERSION_CONFLICT", "{}", response.text);
    }
    let stored = event.team(&team_id).await;
    assert_eq!(
        (stored.member_ids.len(), usize::from(stored.member_count)),
        (2 + joined, 2 + joined)
    );
    assert!((1..=2).contains(&joined), "{joined} joined");
    assert_eq!(event.totals().await.participants, 2 + joined as u64);
    let guards = event
        .rows()
        .into_iter()
        .filter(|row| row["PK"].as_s().is_some_and(|key| key.starts_with("EMAIL#")));
    assert_eq!(guards.count(), 2 + joined);
}

/// Kills the process at every storage call of a request.
async fn kill(event: &Event, user: &str, route: &str, body: Value) {
    Crash::of(event).at_every_call(Act::request(user, route, &body)).await;
}

#[tokio::test]
async fn changes_of_members_survive_a_crash_at_every_storage_call() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    let ids = event.team(&team_id).await.member_ids;
    let team = format!("/hackathon/team/{team_id}");
    kill(&event, "ann", &format!("POST {team}/members"), person("cy")).await;
    kill(&event, "ann", &format!("PUT {team}/members/{}", ids[1]), person("cy")).await;
    let heir = json!({ "participant_id": ids[1] });
    kill(&event, "ann", &format!("POST {team}/leader"), heir).await;
    kill(&event, "ann", &format!("PUT {team}"), json!({ "track": "blockchain" })).await;
}

#[tokio::test]
async fn names_and_deletions_survive_a_crash_at_every_storage_call() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo", "cy"]).await;
    let ids = event.team(&team_id).await.member_ids;
    let team = format!("/hackathon/team/{team_id}");
    kill(&event, "ann", &format!("PUT {team}"), json!({ "name": "Byte Knights" })).await;
    kill(&event, "ann", &format!("DELETE {team}/members/{}", ids[1]), Value::Null).await;
    kill(&event, "ann", &format!("POST {team}/invites"), json!({ "email": "di@example.org" }))
        .await;
    kill(&event, "admin", &format!("DELETE {team}"), Value::Null).await;
}

/// Deleting a team deletes its invitations in one transaction.
#[tokio::test]
async fn a_team_has_only_so_many_open_invitations() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "bo"]).await;
    for number in 0..20 {
        let user = if number < 15 { "ann" } else { "admin" };
        done(event.post(user, &path(&team_id, "/invites"), json!({})).await, 201);
    }
    let refused = event.post("admin", &path(&team_id, "/invites"), json!({})).await;
    assert_eq!(code(refused, 409), "INVALID_STATE");
    assert_eq!(event.delete("admin", &path(&team_id, "")).await.status, 204);
}

/// A team that a whole jury has scored does not fit into one transaction.
#[tokio::test]
async fn a_team_with_many_scores_is_deleted() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "al"]).await;
    let (db, stamps) = (&event.app.db, Stamps::default());
    for number in 0..70 {
        let judge_id: JudgeId = id(&format!("judge-{number}"));
        let assignment = Assignment {
            judge_id: judge_id.clone(),
            team_id: team_id.clone(),
            assigned_by: id("admin"),
            stamps,
        };
        db.create(&assignment).await.unwrap();
        if number < 60 {
            let team_id = team_id.clone();
            let score =
                Score { team_id, judge_id, criteria: BTreeMap::new(), comment: None, stamps };
            db.create(&score).await.unwrap();
        }
    }
    assert_eq!(event.delete("admin", &path(&team_id, "")).await.status, 204);
    event.finish_work("after the deletion").await;
    assert!(db.scores(&team_id).all().await.unwrap().is_empty());
    assert!(db.every_assignment().all().await.unwrap().is_empty());
    assert!(!event.has(&format!("TEAM#{team_id}"), "PROFILE"));
    event.check_quiet("after the deletion").await;
}

#[tokio::test]
async fn the_audit_has_what_an_administrator_has_changed() {
    let event = Event::new().await;
    let team_id = team(&event, "Code Warriors", &["ann", "al"]).await;
    let change = json!({ "name": "Renamed", "track": "blockchain" });
    done(event.put("admin", &path(&team_id, ""), change).await, 200);
    let bo = event.team(&team_id).await.member_ids[1].clone();
    let change = json!({ "phone": "9876500001", "year": "4th Year", "github_username": "al" });
    done(event.put("admin", &format!("/hackathon/participant/{bo}"), change).await, 200);
    let audit = done(event.get("admin", "/hackathon/admin/audit").await, 200);
    let line = |action: &str| {
        let lines = audit["entries"].as_array().unwrap();
        lines.iter().find(|line| line["action"] == action).unwrap().clone()
    };
    let line_of_team = line("updateTeam");
    assert_eq!(line_of_team["before"], json!({ "name": "Code Warriors", "track": "ai-ml" }));
    assert_eq!(line_of_team["after"], json!({ "name": "Renamed", "track": "blockchain" }));
    let line_of_person = line("updateParticipant");
    assert_eq!(
        line_of_person["before"],
        json!({ "phone": "(set)", "year": "3rd Year", "github_username": "(none)" })
    );
    assert_eq!(
        line_of_person["after"],
        json!({ "phone": "(changed)", "year": "4th Year", "github_username": "(set)" })
    );
}
