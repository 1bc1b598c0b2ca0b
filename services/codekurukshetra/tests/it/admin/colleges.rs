//! Colleges: their ranking, and spellings that count as others.

use monotable_codekurukshetra::table::CodeKurukshetraReads as _;
use serde_json::{Value, json};

use super::{check, listed};
use crate::world::{Event, done, id, person, team_body};

const MERGES: &str = "/hackathon/admin/colleges/merges";

/// Registers a team whose members are of these colleges.
async fn of_colleges(event: &Event, name: &str, colleges: &[&str]) {
    let people: Vec<String> = (0..colleges.len())
        .map(|number| format!("{name}{}", ["a", "b", "c", "d"][number]))
        .collect();
    let names: Vec<&str> = people.iter().map(String::as_str).collect();
    let mut body = team_body(name, &names);
    for (member, college) in body["members"].as_array_mut().unwrap().iter_mut().zip(colleges) {
        member["college"] = json!(college);
    }
    done(event.post(names[0], "/hackathon/register/team", body).await, 201);
}

async fn ranked(event: &Event) -> Vec<String> {
    let page = listed(event, "/hackathon/admin/colleges").await;
    let college = |row: &Value| {
        format!("{} {} {}", row["rank"], row["slug"].as_str().unwrap(), row["participants"])
    };
    page["colleges"].as_array().unwrap().iter().map(college).collect()
}

/// One college has many spellings, and every spelling would have a partition of its own.
#[tokio::test]
async fn ck_d24_spellings_of_a_college_are_merged_and_keys_with_them() {
    let event = Event::new().await;
    of_colleges(&event, "red", &["IIT Bombay", "I.I.T. Bombay", "IITB"]).await;
    of_colleges(&event, "blue", &["iitb", "MIT"]).await;
    assert_eq!(ranked(&event).await, ["1 iitb 2", "2 i-i-t-bombay 1", "2 iit-bombay 1", "2 mit 1"]);
    for spelling in ["IITB", "I.I.T. Bombay"] {
        let merge = json!({ "college": spelling, "into": "IIT Bombay" });
        done(event.put("admin", MERGES, merge).await, 200);
    }
    // The ranking follows the table at once, and the keys behind it.
    assert_eq!(ranked(&event).await, ["1 iit-bombay 4", "2 mit 1"]);
    event.app.work().await.unwrap();
    let college = monotable_codekurukshetra::table::College("IIT Bombay".to_owned());
    let people = event.app.db.participants_by_college(&college).all().await.unwrap();
    assert_eq!(people.len(), 4);
    assert!(people.iter().all(|person| person.college.as_ref() == Some(&college)));
    for spelling in ["iitb", "I.I.T.%20Bombay", "iit-bombay"] {
        let path = format!("/hackathon/admin/participants?college={spelling}");
        assert_eq!(listed(&event, &path).await["count"], 4, "{spelling}");
    }
    assert_eq!(listed(&event, MERGES).await["count"], 2);
    assert_eq!(check(&event).await, json!([]));
}

#[tokio::test]
async fn what_people_enter_after_a_merge_is_merged_too() {
    let event = Event::new().await;
    let merge = json!({ "college": "IITB", "into": "IIT Bombay" });
    done(event.put("admin", MERGES, merge).await, 200);
    event.app.work().await.unwrap();
    of_colleges(&event, "red", &["iitb", "MIT"]).await;
    assert_eq!(ranked(&event).await, ["1 iit-bombay 1", "1 mit 1"]);
    let team = &listed(&event, "/hackathon/admin/registrations").await["registrations"][0];
    let (team_id, mit) =
        (team["team_id"].as_str().unwrap(), team["member_ids"][1].as_str().unwrap());
    let path = format!("/hackathon/participant/{mit}");
    done(event.put("reda", &path, json!({ "college": "I I T B" })).await, 200);
    done(event.put("reda", &path, json!({ "college": "IITB" })).await, 200);
    let mut member = person("redc");
    member["college"] = json!("IITB");
    done(event.post("reda", &format!("/hackathon/team/{team_id}/members"), member).await, 201);
    let college = monotable_codekurukshetra::table::College("IIT Bombay".to_owned());
    let people = event.app.db.participants_by_college(&college).all().await.unwrap();
    assert_eq!(people.len(), 3);
    assert_eq!(check(&event).await, json!([]));
}

#[tokio::test]
async fn a_merge_can_be_changed_and_removed_but_not_circular() {
    let event = Event::new().await;
    of_colleges(&event, "red", &["IITB", "MIT"]).await;
    let put = |college: &str, into: &str| {
        let body = json!({ "college": college, "into": into });
        let event = &event;
        async move { event.put("admin", MERGES, body).await }
    };
    done(put("IITB", "IIT Bombay").await, 200);
    assert_eq!(put("IIT Bombay", "IITB").await.outcome(), "400 INVALID_REQUEST");
    assert_eq!(put("IITB", "i i t b").await.status, 200, "another spelling is another college");
    assert_eq!(put("IITB", "iitb!").await.outcome(), "400 INVALID_REQUEST");
    // A merge into a merged one leads to its college.
    done(put("IITB", "IIT Bombay").await, 200);
    let chained = done(put("Indian Institute", "IITB").await, 200);
    assert_eq!(chained["into"], "IIT Bombay");
    done(event.delete("admin", &format!("{MERGES}?college=IITB")).await, 204);
    let gone = event.delete("admin", &format!("{MERGES}?college=IITB")).await;
    assert_eq!(gone.outcome(), "404 NOT_FOUND");
    let actions: Vec<String> = event
        .app
        .db
        .audit(&id("202701"))
        .all()
        .await
        .unwrap()
        .into_iter()
        .map(|entry| entry.action)
        .collect();
    assert_eq!(actions.iter().filter(|action| *action == "mergeCollege").count(), 4);
    assert_eq!(actions[0], "unmergeCollege");
}
