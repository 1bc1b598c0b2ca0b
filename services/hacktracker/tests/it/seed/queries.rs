//! The queries and writes that the seed prints, on what the model writes.

use monotable::dynamodb::{PutItem, Query, TransactWriteItems};
use monotable::item;
use monotable::model::Error;
use monotable::model::create;
use monotable_hacktracker::table::{
    Game, HackTrackerReads, Invite, Membership, Player, Team, User,
};

use super::{Raw, TABLE, id, printed_item, rows};

/// "GSI1: User Lookup by Cognito Sub".
fn user_by_cognito_sub(cognito_sub: &str) -> Query {
    Query::new(TABLE)
        .index("GSI1")
        .key_condition("GSI1PK = :pk AND GSI1SK = :sk")
        .value(":pk", format!("COGNITO#{cognito_sub}"))
        .value(":sk", "USER")
}

/// "GSI2: Entity Listing": list all teams.
fn all_teams() -> Query {
    let query = Query::new(TABLE).index("GSI2").key_condition("GSI2PK = :pk");
    query.value(":pk", "ENTITY#TEAM").limit(50_u32)
}

/// "GSI3: Games by Team": get all games for a team.
fn games_of_team(team_id: &str) -> Query {
    Query::new(TABLE)
        .index("GSI3")
        .key_condition("GSI3PK = :pk AND begins_with(GSI3SK, :sk_prefix)")
        .value(":pk", format!("TEAM#{team_id}"))
        .value(":sk_prefix", "GAME#")
}

/// "Direct PK/SK Queries".
fn direct(partition: String, prefix: &str) -> Query {
    Query::new(TABLE)
        .key_condition("PK = :pk AND begins_with(SK, :sk_prefix)")
        .value(":pk", partition)
        .value(":sk_prefix", prefix)
}

fn sort_keys(raw: &Raw, query: Query) -> Vec<String> {
    let (items, next) = raw.query(query);
    assert_eq!(next, None);
    items.iter().map(|item| item["SK"].as_s().unwrap().to_owned()).collect()
}

/// Returns the rows of the original design, and what the service writes into the same partitions.
async fn table() -> Raw {
    let raw = Raw::new().await;
    raw.put_all(rows::ALL);
    let db = &raw.db;
    let (user_id, team_id) = (id(rows::USER_ID), id(rows::TEAM_ID));
    let membership = db.membership(&user_id, &team_id).await.unwrap().unwrap();
    db.create(&Membership { user_id: id("u2"), ..membership.clone() }).await.unwrap();
    db.create(&Membership { team_id: id("t2"), ..membership }).await.unwrap();
    let game = db.game(&id(rows::GAME_ID)).await.unwrap().unwrap();
    db.create(&Game { game_id: id("g2"), ..game.clone() }).await.unwrap();
    db.create(&Game { game_id: id("g3"), team_id: id("t2"), ..game }).await.unwrap();
    let player = db.player(&team_id, &id(rows::PLAYER_ID)).await.unwrap().unwrap();
    db.create(&Player { player_id: id("p2"), ..player.clone() }).await.unwrap();
    db.create(&Player { team_id: id("t2"), ..player }).await.unwrap();
    let invite = r#"{ "inviteId": "i1", "teamId": "TEAM", "role": "player", "tokenHash": "h",
        "status": "pending", "expiresAt": "2026-01-08T00:00:00Z", "createdBy": "u2",
        "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z", "ver": 1 }"#;
    let invite: Invite = serde_json::from_str(&invite.replace("TEAM", rows::TEAM_ID)).unwrap();
    db.create(&invite).await.unwrap();
    let beside = ["ACTIVE_GAME", "NUMBER#12", "SEASON#s1", "AUDIT#2026-01-01T00:00:00.000Z#a1"];
    for sort in beside {
        let row = item! { "PK" => format!("TEAM#{}", rows::TEAM_ID), "SK" => sort };
        raw.database.put_item(PutItem::new(TABLE, row)).unwrap();
    }
    let row = item! { "PK" => format!("USER#{}", rows::USER_ID), "SK" => "PLAYERLINK#p2" };
    raw.database.put_item(PutItem::new(TABLE, row)).unwrap();
    raw
}

#[tokio::test]
async fn gsi1_finds_exactly_the_user_and_no_row_after_the_purge() {
    let raw = table().await;
    let user = raw.db.user(&id(rows::USER_ID)).await.unwrap().unwrap();
    raw.db.create(&User { user_id: id("u2"), ..user.clone() }).await.unwrap();
    assert_eq!(raw.query(user_by_cognito_sub(rows::USER_ID)).0, [printed_item(rows::USER)]);
    assert_eq!(raw.query(user_by_cognito_sub("u2")).0.len(), 1);
    raw.db.delete(&user).await.unwrap();
    assert_eq!(raw.query(user_by_cognito_sub(rows::USER_ID)).0, []);
}

#[tokio::test]
async fn gsi2_lists_every_live_team_once_page_by_page() {
    let raw = table().await;
    let team = raw.db.team(&id(rows::TEAM_ID)).await.unwrap().unwrap();
    let mut expected = vec![rows::TEAM_ID.to_owned()];
    for number in 0..119 {
        let name = format!("t{number:03}");
        raw.db.create(&Team { team_id: id(&name), ..team.clone() }).await.unwrap();
        expected.push(name);
    }
    let gone = raw.db.team(&id("t050")).await.unwrap().unwrap();
    raw.db.delete(&gone).await.unwrap();
    expected.retain(|name| name != "t050");
    let (mut found, mut sizes, mut next) = (Vec::new(), Vec::new(), Some(all_teams()));
    while let Some(query) = next {
        let (items, last) = raw.query(query);
        sizes.push(items.len());
        found.extend(items.iter().map(|item| item["teamId"].as_s().unwrap().to_owned()));
        next = last.map(|last| all_teams().exclusive_start_key(last));
    }
    assert_eq!((found, sizes), (expected, vec![50, 50, 19]));
}

#[tokio::test]
async fn gsi3_finds_every_game_of_the_team_and_nothing_else() {
    let raw = table().await;
    let (found, _) = raw.query(games_of_team(rows::TEAM_ID));
    let ids: Vec<&str> = found.iter().map(|item| item["gameId"].as_s().unwrap()).collect();
    assert_eq!(ids, [rows::GAME_ID, "g2"]);
    assert_eq!(found[0], printed_item(rows::GAME));
    // Members and invites are in the same partition.
    let all = Query::new(TABLE).index("GSI3").key_condition("GSI3PK = :pk");
    let all = all.value(":pk", format!("TEAM#{}", rows::TEAM_ID));
    assert_eq!(raw.query(all).0.len(), 4);
}

#[tokio::test]
async fn the_roster_and_the_memberships_are_found_among_their_neighbours() {
    let raw = table().await;
    let roster = direct(format!("TEAM#{}", rows::TEAM_ID), "PLAYER#");
    let first = format!("PLAYER#{}", rows::PLAYER_ID);
    assert_eq!(sort_keys(&raw, roster), [first.as_str(), "PLAYER#p2"]);
    let memberships = direct(format!("USER#{}", rows::USER_ID), "TEAM#");
    let first = format!("TEAM#{}", rows::TEAM_ID);
    assert_eq!(sort_keys(&raw, memberships), [first.as_str(), "TEAM#t2"]);
}

#[tokio::test]
async fn a_put_with_both_conditions_creates_and_never_replaces() {
    let raw = table().await;
    let put = |name: &str| {
        let mut row = printed_item(rows::USER);
        row.insert("PK".to_owned(), name.into());
        PutItem::new(TABLE, row).condition("attribute_not_exists(PK) AND attribute_not_exists(SK)")
    };
    assert!(raw.database.put_item(put("USER#new")).is_ok());
    assert!(raw.database.put_item(put("USER#new")).is_err());
    // What the model writes is protected by it, and the model by what it wrote.
    let user = raw.db.user(&id(rows::USER_ID)).await.unwrap().unwrap();
    let again = raw.db.create(&user).await;
    assert!(matches!(again, Err(Error::Exists { entity: "User" })), "{again:?}");
}

#[tokio::test]
async fn team_and_membership_are_written_together_or_not_at_all() {
    let raw = Raw::new().await;
    let put =
        |printed| PutItem::new(TABLE, printed_item(printed)).condition("attribute_not_exists(PK)");
    let both = || TransactWriteItems::new().action(put(rows::TEAM)).action(put(rows::MEMBERSHIP));
    raw.put(rows::MEMBERSHIP);
    assert!(raw.database.transact_write_items(both()).is_err());
    assert_eq!(raw.rows().len(), 1);

    let (user_id, team_id) = (id(rows::USER_ID), id(rows::TEAM_ID));
    let membership = raw.db.membership(&user_id, &team_id).await.unwrap().unwrap();
    raw.db.delete(&membership).await.unwrap();
    raw.database.transact_write_items(both()).unwrap();
    let team = raw.db.team(&team_id).await.unwrap().unwrap();

    // The model's own does the same.
    let refused = raw
        .db
        .transact()
        .with(create(Team { team_id: id("t2"), ..team }))
        .with(create(membership.clone()))
        .await;
    assert!(matches!(refused, Err(Error::Transaction { .. })));
    assert_eq!(raw.rows().len(), 2);
}
