//! Rows of older programs and of accidents, brought up to date while others play.

use monotable::Item;
use monotable::dynamodb::{DeleteItem, PutItem};
use monotable_btl_run::legacy::{Conflict, Report, backfill, rebuild};
use serde_json::{Value, json};

use crate::served::{Opened, Served, TABLE, Who};

const HOUR_MS: u64 = 60 * 60 * 1000;

fn put(served: &Served, row: Item) {
    served.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

fn remove(served: &Served, pk: String, sk: &str) {
    let key = monotable::item! { "pk" => pk, "sk" => sk };
    served.database.delete_item(DeleteItem::new(TABLE, key)).unwrap();
}

/// The row of a match's state, with its value changed.
fn change_state(served: &Served, opened: &Opened, change: impl FnOnce(&mut Value)) {
    let pk = format!("match#{}", opened.id);
    let rows = served.rows();
    let is_state = |row: &&Item| row["pk"].as_s() == Some(&pk) && row["sk"].as_s() == Some("state");
    let mut row = rows.iter().find(is_state).unwrap().clone();
    let mut value: Value = serde_json::from_str(row["v"].as_s().unwrap()).unwrap();
    change(&mut value);
    row.insert("v".to_owned(), value.to_string().into());
    put(served, row);
}

async fn mend(served: &Served) -> Report {
    let report = backfill(&served.app).await.unwrap();
    let again = backfill(&served.app).await.unwrap();
    let nothing = Report {
        matches: report.matches,
        conflicts: report.conflicts.clone(),
        ..Report::default()
    };
    assert_eq!(again, nothing, "done again, it changes nothing");
    report
}

async fn started(served: &Served, fields: Value) -> Opened {
    let opened = served.open_match(fields).await;
    served.join_as(Who::User("bob"), &opened, "Bob").await;
    served.host(&opened, "start", json!({})).await;
    opened
}

#[tokio::test]
async fn a_table_that_is_up_to_date_stays_as_it_is() {
    let served = Served::new().await;
    started(&served, json!({})).await;
    started(&served, json!({ "mode": "long", "shardedLog": true })).await;
    let before = served.rows();
    let report = mend(&served).await;
    assert_eq!(report, Report { matches: 2, ..Report::default() });
    assert_eq!(served.rows(), before);
}

#[tokio::test]
async fn events_behind_the_state_are_reported_and_removed() {
    for fields in [json!({}), json!({ "shardedLog": true })] {
        let served = Served::new().await;
        let opened = started(&served, fields).await;
        let state = served.app.match_row(&opened.id.parse().unwrap()).await.unwrap().state;
        for seq in [state.log_seq + 1, state.log_seq + 2, state.log_seq + 9] {
            let pk = match state.shard_count {
                0 => format!("match#{}", opened.id),
                shards => format!("match#{}#shard{}", opened.id, seq % shards),
            };
            put(
                &served,
                monotable::item! { "pk" => pk, "sk" => format!("log#{seq:06}"), "v" => r#"{"odd":1}"# },
            );
        }
        let report = mend(&served).await;
        let mut told: Vec<_> =
            report.orphans.iter().map(|orphan| orphan.seq - state.log_seq).collect();
        told.sort_unstable();
        assert_eq!(told, [1, 2, 9]);
        assert!(report.orphans.iter().all(|orphan| orphan.event == r#"{"odd":1}"#));
        served.host(&opened, "advance", json!({ "force": true })).await;
        served.check_log_of(&opened).await;
    }
}

#[tokio::test]
async fn a_state_that_differs_from_its_log_is_made_anew() {
    let served = Served::new().await;
    let opened = started(&served, json!({})).await;
    let before = served.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    change_state(&served, &opened, |state| {
        state["day"] = json!(7);
        state["ofOthers"] = json!("kept");
        state["version"] = json!(99);
    });
    let report = mend(&served).await;
    assert_eq!(report.rebuilt, std::slice::from_ref(&before.match_id));
    let after = served.app.match_row(&before.match_id).await.unwrap();
    assert_eq!(
        (after.state.day, after.stamps.version),
        (before.state.day, before.stamps.version + 1)
    );
    assert_eq!(after.state.unknown["ofOthers"], json!("kept"));
    // The version alone.
    change_state(&served, &opened, |state| state["version"] = json!(99));
    assert_eq!(mend(&served).await.versions, 1);
    // By hand, for one match.
    change_state(&served, &opened, |state| state["turn"] = json!(3));
    assert_eq!(rebuild(&served.app, &before.match_id).await.unwrap().turn, 1);
    // A state that is gone.
    remove(&served, format!("match#{}", opened.id), "state");
    assert_eq!(mend(&served).await.rebuilt, std::slice::from_ref(&before.match_id));
    assert_eq!(served.look(&opened).await["turnId"], "d1t1");
}

#[tokio::test]
async fn rows_that_older_programs_did_not_write_are_added() {
    let served = Served::new().await;
    let opened = started(&served, json!({ "mode": "long" })).await;
    let lobby = served.open_match(json!({})).await;
    let missing: Vec<Item> = served
        .rows()
        .into_iter()
        .filter(|row| {
            let pk = row["pk"].as_s().unwrap();
            ["budget#", "due#", "user#"].iter().any(|prefix| pk.starts_with(prefix))
        })
        .collect();
    for row in &missing {
        remove(&served, row["pk"].as_s().unwrap().to_owned(), row["sk"].as_s().unwrap());
    }
    let report = mend(&served).await;
    let counts = (report.budgets, report.due_rows, report.my_matches, report.lobbies);
    assert_eq!(counts, (2, 1, 3, 1));
    assert_eq!(report.conflicts, []);
    let rows = served.rows();
    for row in missing {
        let same = rows.iter().find(|one| one["pk"] == row["pk"] && one["sk"] == row["sk"]);
        let found = same.unwrap_or_else(|| panic!("{row:?} is missing"));
        if row["sk"].as_s() != Some("lobbies") {
            assert_eq!(found.get("v"), row.get("v"));
        }
    }
    // A turn whose time was over so long ago that nobody looks for it.
    served.clock.advance_ms(100 * HOUR_MS);
    assert_eq!(mend(&served).await.resolved, 1);
    assert_eq!(served.look(&opened).await["day"], 2);
    remove(&served, format!("match#{}", lobby.id), "secret");
    let conflict = Conflict::SecretMissing { match_id: lobby.id.parse().unwrap() };
    assert_eq!(mend(&served).await.conflicts, [conflict]);
}

#[tokio::test]
async fn what_needs_a_decision_is_told_and_left() {
    let served = Served::new().await;
    let opened = started(&served, json!({})).await;
    let odd = monotable::item! { "pk" => "match#odd", "sk" => "state", "v" => r#"{"matchId":7}"# };
    put(&served, odd.clone());
    remove(&served, format!("match#{}", opened.id), "log#000002");
    let before = served.rows();
    let report = mend(&served).await;
    assert_eq!(served.rows(), before);
    assert_eq!((report.matches, report.conflicts.len()), (1, 2));
    assert!(report.conflicts.iter().any(|one| matches!(one, Conflict::LogUnsound { .. })));
    assert!(report.conflicts.iter().any(|one| matches!(one, Conflict::Unreadable { .. })));
}

#[tokio::test]
async fn ended_matches_that_nobody_archived_are() {
    let served = Served::new().await;
    let opened = started(&served, json!({})).await;
    served.host(&opened, "end", json!({})).await;
    remove(&served, "task#archive".to_owned(), &opened.id);
    assert_eq!(mend(&served).await.archives, 1);
    assert_eq!(served.app.work().await.unwrap().archived.done, 1);
    assert_eq!(mend(&served).await.archives, 0);
    let pinned = started(&served, json!({})).await;
    served.host(&pinned, "pin", json!({ "pinned": true })).await;
    served.host(&pinned, "end", json!({})).await;
    served.app.work().await.unwrap();
    assert_eq!(mend(&served).await.archives, 0);
}

/// Turns go on while the table is looked at, again and again.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn it_can_run_while_matches_are_played() {
    let served = Served::new().await;
    let opened = started(&served, json!({ "mode": "standard", "aiCount": 20 })).await;
    let play = async {
        for _ in 0..8 {
            let path = opened.path("advance");
            let turn = served.look(&opened).await["turnId"].take();
            if turn.is_null() {
                break;
            }
            let body = json!({ "turnId": turn, "force": true });
            let told = served.post(opened.who(), &path, body).await;
            assert!(told.status == 200 || told.json()["code"] == "MATCH_ENDED", "{}", told.text);
        }
    };
    let other = served.beside().await;
    let mending = async {
        let mut reports = Vec::new();
        for _ in 0..8 {
            reports.push(backfill(&other.app).await.unwrap());
        }
        reports
    };
    let ((), reports) = tokio::join!(play, mending);
    for report in reports {
        assert_eq!((report.rebuilt, report.orphans), (vec![], vec![]));
    }
    served.check_log_of(&opened).await;
}

impl Served {
    /// The log gives the state, also where it is spread.
    async fn check_log_of(&self, opened: &Opened) {
        let row = self.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
        let events = monotable_btl_run::log::all_events(&self.app, &row.state).await.unwrap();
        assert_eq!(
            monotable_btl_run::rules::events::replay(&events, row.stamps.version).unwrap(),
            row.state
        );
    }
}

#[tokio::test]
async fn a_match_that_can_not_be_read_keeps_no_other_from_its_repair() {
    let served = Served::new().await;
    let broken = started(&served, json!({})).await;
    let drifted = started(&served, json!({})).await;
    let pk = format!("match#{}", broken.id);
    let row = |sk: &str| {
        monotable::item! { "pk" => pk.clone(), "sk" => sk, "v" => "{broken", "ver" => 1 }
    };
    put(&served, row("state"));
    // Nor can it be rebuilt.
    put(&served, row("log#000002"));
    change_state(&served, &drifted, |state| state["version"] = 77.into());
    let report = mend(&served).await;
    assert_eq!(report.versions, 1, "{report:?}");
    let is_told = |conflict: &Conflict| matches!(conflict, Conflict::Unreadable { reason } if reason.contains(&broken.id));
    assert!(report.conflicts.iter().any(is_told), "{report:?}");
}
