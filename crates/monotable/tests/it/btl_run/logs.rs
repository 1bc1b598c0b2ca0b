//! Event logs: append, page, and the sharded form.

use std::collections::BTreeMap;

use monotable::dynamodb::{Error, PutItem, Query, Result};
use monotable::{Database, Item, item};

use super::{TABLE, create, update_match_state};
use crate::support::literal::Literal;
use crate::support::reading::{items, lower_key, put_all, strings};
use crate::support::stores::on_both_stores;
use crate::support::tables::values;

fn padded(seq: u32) -> String {
    format!("{seq:06}")
}

/// "Append Event Log": the row as printed.
fn log_row(match_id: &str, seq: u32, event: &str) -> Item {
    let printed = "{
      pk: `match#${matchId}`,
      sk: `log#${seq.toString().padStart(6, '0')}`,
      v: JSON.stringify(event),
      ct: 'application/json',
    }";
    Literal::new(printed)
        .bind("matchId", match_id)
        .bind("seq.toString().padStart(6, '0')", padded(seq))
        .bind("JSON.stringify(event)", event)
        .item()
}

/// The append that the design needs: no event is ever replaced.
fn append_event_log(db: &Database, match_id: &str, seq: u32, event: &str) -> Result<()> {
    let put = PutItem::new(TABLE, log_row(match_id, seq, event));
    db.put_item(put.condition("attribute_not_exists(pk)")).map(drop)
}

/// "Query Event Logs (Pagination)", as printed: bounded below only.
fn event_logs_as_printed(match_id: &str, after_seq: Option<u32>, limit: u32) -> Query {
    let start = after_seq.map_or("log#".to_owned(), |seq| format!("log#{}", padded(seq + 1)));
    let printed = "{
      ':pk': `match#${matchId}`,
      ':sk': start,
    }";
    let printed = Literal::new(printed).bind("matchId", match_id).bind("start", start);
    Query {
        substitutions: values(printed),
        ..Query::new(TABLE).key_condition("pk = :pk AND sk >= :sk").limit(limit)
    }
}

/// Returns the same with the upper bound that keeps other rows of the match out.
fn event_logs(match_id: &str, after_seq: Option<u32>, limit: u32) -> Query {
    event_logs_as_printed(match_id, after_seq, limit)
        .key_condition("pk = :pk AND sk BETWEEN :sk AND :end")
        .value(":end", "log#~")
}

fn sequence_numbers(rows: &[Item]) -> Vec<u32> {
    let seq = |sort: &String| sort.strip_prefix("log#").unwrap().parse().unwrap();
    strings(rows, "sk").iter().map(seq).collect()
}

/// A match with state, three summaries and 120 events.
fn load_match(db: &Database) {
    create(db);
    update_match_state(db, "m1", "{}", None).unwrap();
    put_all(db, TABLE, [1, 2, 10].map(|day| lower_key("match#m1", format!("summary#{day}"))));
    for seq in 1..=120 {
        append_event_log(db, "m1", seq, "{}").unwrap();
    }
    append_event_log(db, "m2", 1, "{}").unwrap();
}

#[test]
fn an_event_is_appended_once_for_each_sequence_number() {
    on_both_stores(|db| {
        create(db);
        append_event_log(db, "m1", 1, r#"{"type":"MATCH_CREATED"}"#).unwrap();
        let again = append_event_log(db, "m1", 1, r#"{"type":"FORGED"}"#);
        assert_eq!(again, Err(Error::ConditionalCheckFailed { item: None }));
        let rows = items(db.query(event_logs("m1", None, 50)).unwrap());
        assert_eq!(rows, [log_row("m1", 1, r#"{"type":"MATCH_CREATED"}"#)]);
    });
}

#[test]
fn the_append_as_printed_replaces_silently() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, [log_row("m1", 1, "first"), log_row("m1", 1, "second")]);
        let rows = items(db.query(event_logs("m1", None, 50)).unwrap());
        assert_eq!(rows, [log_row("m1", 1, "second")]);
    });
}

#[test]
fn event_logs_hold_no_state_and_no_summaries() {
    on_both_stores(|db| {
        load_match(db);
        let first = items(db.query(event_logs("m1", None, 50)).unwrap());
        assert_eq!(sequence_numbers(&first), Vec::from_iter(1..=50));
        let second = items(db.query(event_logs("m1", Some(50), 50)).unwrap());
        assert_eq!(sequence_numbers(&second), Vec::from_iter(51..=100));
        let page = db.query(event_logs("m1", Some(100), 50)).unwrap();
        assert_eq!(page.last_evaluated_key, None);
        assert_eq!(sequence_numbers(&items(page)), Vec::from_iter(101..=120));
        assert_eq!(db.query(event_logs("m1", Some(120), 50)).unwrap().count, 0);
    });
}

#[test]
fn the_query_as_printed_runs_on_into_state_and_summaries() {
    on_both_stores(|db| {
        load_match(db);
        let rows = items(db.query(event_logs_as_printed("m1", Some(119), 50)).unwrap());
        let sorts = strings(&rows, "sk");
        assert_eq!(sorts, ["log#000120", "state", "summary#1", "summary#10", "summary#2"]);
    });
}

#[test]
fn a_page_continues_by_its_last_key() {
    on_both_stores(|db| {
        load_match(db);
        let first = db.query(event_logs("m1", None, 50)).unwrap();
        let last = first.last_evaluated_key.unwrap();
        assert_eq!(last, lower_key("match#m1", "log#000050"));
        let second = db.query(event_logs("m1", None, 50).exclusive_start_key(last)).unwrap();
        assert_eq!(sequence_numbers(&items(second)), Vec::from_iter(51..=100));
    });
}

const SHARD_COUNT: u32 = 4;

/// "Hot Partition Prevention": `getShardedLogKey`.
fn sharded_log_key(match_id: &str, seq: u32) -> Item {
    let printed = "{
    pk: `match#${matchId}#shard${shard}`,
    sk: `log#${seq.toString().padStart(6, '0')}`,
  }";
    Literal::new(printed)
        .bind("matchId", match_id)
        .bind("shard", seq % SHARD_COUNT)
        .bind("seq.toString().padStart(6, '0')", padded(seq))
        .item()
}

/// `getAllEventLogs`: every shard, merged by sequence number.
fn all_event_logs(db: &Database, match_id: &str) -> BTreeMap<u32, Item> {
    let shard_ids = (0..SHARD_COUNT).map(|shard| format!("{match_id}#shard{shard}"));
    let rows = shard_ids.flat_map(|id| items(db.query(event_logs(&id, None, 1000)).unwrap()));
    rows.map(|row| (sequence_numbers(std::slice::from_ref(&row))[0], row)).collect()
}

#[test]
fn sharded_events_merge_in_the_order_of_their_sequence_numbers() {
    on_both_stores(|db| {
        create(db);
        // Appended backwards, so that only the keys can restore the order.
        for seq in (1..=22).rev() {
            let mut row = sharded_log_key("m1", seq);
            row.extend(item! { "v" => format!("event {seq}"), "ct" => "application/json" });
            let put = PutItem::new(TABLE, row).condition("attribute_not_exists(pk)");
            db.put_item(put).unwrap();
        }
        let shard = items(db.query(event_logs("m1#shard1", None, 50)).unwrap());
        assert_eq!(sequence_numbers(&shard), [1, 5, 9, 13, 17, 21]);
        let merged = all_event_logs(db, "m1");
        let expected = (1..=22).map(|seq| (seq, format!("event {seq}")));
        let texts = merged.iter().map(|(seq, row)| (*seq, row["v"].as_s().unwrap().to_owned()));
        assert!(texts.eq(expected));
        assert_eq!(db.query(event_logs("m1", None, 50)).unwrap().count, 0);
    });
}
