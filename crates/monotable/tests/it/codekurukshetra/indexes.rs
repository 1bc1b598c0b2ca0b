//! The queries that the seed prints, on rows as printed and on rows with complete index keys.

use monotable::dynamodb::{BatchGetItem, Query};
use monotable::{Database, Item, item};

use super::{EXAMPLES, PARTICIPANT, PAYMENT, TABLE, TEAM};
use super::{create, indexed, participant, primary_key, team};
use crate::support::literal::{self, Literal};
use crate::support::reading::{get, items, put_all, strings};
use crate::support::stores::on_both_stores;
use crate::support::tables::values;

/// "Check if email exists".
fn by_email(email: &str) -> Query {
    let printed = Literal::new("{ ':email': 'EMAIL#' + email }").bind("email", email);
    Query {
        substitutions: values(printed),
        ..Query::new(TABLE).index("GSI1").key_condition("GSI1PK = :email")
    }
}

/// "Get team with all members", second half.
fn members(team_id: &str) -> Query {
    let printed = "{
        ':team': 'TEAM#' + team_id
    }";
    Query {
        substitutions: values(Literal::new(printed).bind("team_id", team_id)),
        ..Query::new(TABLE).index("GSI2").key_condition("GSI2PK = :team")
    }
}

/// "Get all paid teams".
fn paid_teams() -> Query {
    let printed = "{
        ':status': 'PAYMENT_STATUS#paid'
    }";
    Query {
        substitutions: values(Literal::new(printed)),
        ..Query::new(TABLE).index("GSI3").key_condition("GSI3PK = :status")
    }
}

/// "Get statistics by track".
fn teams_of_track() -> Query {
    let printed = "{
        ':track': 'TRACK#ai-ml'
    }";
    Query {
        substitutions: values(Literal::new(printed)),
        ..Query::new(TABLE).index("GSI3").key_condition("GSI3PK = :track")
    }
}

/// Returns one partition of an index.
fn partition(index: &str, partition: &str) -> Query {
    Query::new(TABLE)
        .index(index)
        .key_condition("#pk = :pk")
        .name("#pk", format!("{index}PK"))
        .value(":pk", partition)
}

/// Returns the rows that put a team into GSI3 by status and by track: GSI3 holds its leader already.
fn facets(team: &Item) -> [Item; 2] {
    let facet = |sort: &str, index_partition: &str| {
        item! {
            "PK" => team["PK"].clone(),
            "SK" => sort,
            "entity_type" => "team_facet",
            "team_id" => team["team_id"].clone(),
            "GSI3PK" => team[index_partition].clone(),
            "GSI3SK" => team["PK"].clone(),
        }
    };
    [facet("IDX#PAYMENT_STATUS", "GSI1PK"), facet("IDX#TRACK", "GSI2PK")]
}

/// Four teams and their facets.
fn load_teams(db: &Database) {
    create(db);
    let teams = [
        team("t1", "ai-ml", "paid"),
        team("t2", "ai-ml", "pending"),
        team("t3", "blockchain", "paid"),
        team("t4", "ai-ml", "paid"),
    ];
    for team in teams {
        put_all(db, TABLE, facets(&team));
        put_all(db, TABLE, [team]);
    }
}

/// Returns the teams of the facets that a query finds.
fn resolve(db: &Database, facets: Query) -> Vec<Item> {
    let keys = strings(&items(db.query(facets).unwrap()), "PK");
    let batch = keys.iter().fold(BatchGetItem::new(), |batch, key| {
        batch.key(TABLE, item! { "PK" => key.clone(), "SK" => "PROFILE" })
    });
    let mut teams: Vec<Item> = db
        .batch_get_item(batch)
        .unwrap()
        .responses
        .remove(TABLE)
        .unwrap()
        .into_iter()
        .map(Item::from)
        .collect();
    // A batch has no order of its own.
    teams.sort_by_key(|team| team["PK"].as_s().unwrap().to_owned());
    teams
}

#[test]
fn the_email_of_a_participant_as_printed_is_not_found() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, EXAMPLES.map(literal::item));
        assert_eq!(db.query(by_email("john.doe@example.com")).unwrap().count, 0);
        assert_eq!(db.query(members("team-uuid")).unwrap().count, 0);
        assert_eq!(db.query(paid_teams()).unwrap().count, 0);
    });
}

#[test]
fn a_participant_created_as_printed_is_not_found_either() {
    on_both_stores(|db| {
        create(db);
        let printed = "{
        'PK': 'PARTICIPANT#' + participant_id,
        'SK': 'PROFILE',
        'GSI1PK': 'EMAIL#' + email,
        # ... other attributes
    }";
        let row = Literal::new(printed)
            .bind("participant_id", "p1")
            .bind("email", "user@example.com")
            .item();
        put_all(db, TABLE, [row.clone()]);
        assert_eq!(db.query(by_email("user@example.com")).unwrap().count, 0);
        put_all(db, TABLE, [indexed(row.clone(), "PARTICIPANT#p1")]);
        let found = items(db.query(by_email("user@example.com")).unwrap());
        assert_eq!(found, [indexed(row, "PARTICIPANT#p1")]);
    });
}

#[test]
fn an_email_with_its_sort_key_finds_exactly_its_participant() {
    on_both_stores(|db| {
        create(db);
        let john = participant("p1", "john.doe@example.com", "t1");
        put_all(db, TABLE, [john.clone(), participant("p2", "jane@example.com", "t1")]);
        assert_eq!(items(db.query(by_email("john.doe@example.com")).unwrap()), [john]);
        assert_eq!(db.query(by_email("user@example.com")).unwrap().count, 0);
    });
}

#[test]
fn a_team_is_got_with_all_its_members() {
    on_both_stores(|db| {
        create(db);
        let team = team("t1", "ai-ml", "paid");
        put_all(db, TABLE, [team.clone()]);
        for (id, of_team) in [("p3", "t1"), ("p1", "t1"), ("p2", "t2")] {
            put_all(db, TABLE, [participant(id, &format!("{id}@example.com"), of_team)]);
        }
        let printed = "{
        'PK': 'TEAM#' + team_id,
        'SK': 'PROFILE'
    }";
        let key = Literal::new(printed).bind("team_id", "t1").item();
        assert_eq!(get(db, TABLE, key), Some(team));
        let found = items(db.query(members("t1")).unwrap());
        assert_eq!(strings(&found, "participant_id"), ["p1", "p3"]);
    });
}

#[test]
fn paid_teams_come_from_facets_and_equal_those_of_gsi1() {
    on_both_stores(|db| {
        load_teams(db);
        let through_facets = resolve(db, paid_teams());
        assert_eq!(strings(&through_facets, "team_id"), ["t1", "t3", "t4"]);
        let direct = items(db.query(partition("GSI1", "PAYMENT_STATUS#paid")).unwrap());
        assert_eq!(through_facets, direct);
    });
}

#[test]
fn teams_of_a_track_come_from_facets_and_equal_those_of_gsi2() {
    on_both_stores(|db| {
        load_teams(db);
        let through_facets = resolve(db, teams_of_track());
        assert_eq!(strings(&through_facets, "team_id"), ["t1", "t2", "t4"]);
        let direct = items(db.query(partition("GSI2", "TRACK#ai-ml")).unwrap());
        assert_eq!(through_facets, direct);
    });
}

#[test]
fn without_facets_gsi3_knows_teams_by_their_leader_only() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, [team("t1", "ai-ml", "paid")]);
        assert_eq!(db.query(paid_teams()).unwrap().count, 0);
        assert_eq!(db.query(partition("GSI3", "LEADER#participant-uuid")).unwrap().count, 1);
    });
}

#[test]
fn participants_of_a_college_and_payments_of_a_day_are_in_gsi3() {
    on_both_stores(|db| {
        create(db);
        let payment = indexed(literal::item(PAYMENT), "PAYMENT#payment-uuid");
        let student = indexed(literal::item(PARTICIPANT), "PARTICIPANT#p1");
        put_all(db, TABLE, [payment.clone(), student.clone()]);
        let of = |index, key| items(db.query(partition(index, key)).unwrap());
        assert_eq!(of("GSI3", "COLLEGE#example-university"), [student]);
        for (index, key) in
            [("GSI3", "DATE#2025-08-27"), ("GSI2", "STATUS#paid"), ("GSI1", "TEAM#team-uuid")]
        {
            assert_eq!(of(index, key), std::slice::from_ref(&payment), "{key}");
        }
        assert!(of("GSI3", "COLLEGE#mit").is_empty());
    });
}

#[test]
fn daily_statistics_are_read_by_a_range_of_days() {
    on_both_stores(|db| {
        create(db);
        let day = |day: u32| item! { "PK" => "STATS", "SK" => format!("DAILY#2025-08-{day:02}") };
        put_all(db, TABLE, (1..=31).map(day));
        put_all(db, TABLE, [item! { "PK" => "STATS", "SK" => "TOTALS" }]);
        let range = Query::new(TABLE)
            .key_condition("PK = :pk AND SK BETWEEN :first AND :last")
            .value(":pk", "STATS")
            .value(":first", "DAILY#2025-08-09")
            .value(":last", "DAILY#2025-08-11");
        let found = strings(&items(db.query(range).unwrap()), "SK");
        assert_eq!(found, ["DAILY#2025-08-09", "DAILY#2025-08-10", "DAILY#2025-08-11"]);
    });
}

#[test]
fn a_team_read_by_its_key_needs_no_index() {
    on_both_stores(|db| {
        create(db);
        put_all(db, TABLE, [literal::item(TEAM)]);
        let key = primary_key(&literal::item(TEAM));
        assert_eq!(get(db, TABLE, key), Some(literal::item(TEAM)));
    });
}
