//! Rows of one entity and of several: gets, queries, pages, batches and scans.

use monotable::design::Design;
use monotable::item;
use monotable::model::Table as _;

use super::*;

#[tokio::test]
async fn one_row_is_found_by_its_key() {
    let db = league().await;
    let created = db.create(&team("t1")).await.unwrap();
    assert_eq!(created.ver, 1);
    assert_eq!(db.team(&created.team_id).await.unwrap(), Some(created));
    assert_eq!(db.team(&TeamId::new("t2").unwrap()).await.unwrap(), None);
}

#[tokio::test]
async fn a_mixed_result_is_an_enum_in_the_order_of_the_keys() {
    let db = league().await;
    let red = db.create(&team("red")).await.unwrap();
    let first = db.create(&player("red", "p1")).await.unwrap();
    let second = db.create(&player("red", "p2")).await.unwrap();
    db.create(&player("blue", "p3")).await.unwrap();
    let page = db.team_page(&red.team_id).page().await.unwrap();
    let expected: Vec<TeamPage> = vec![red.clone().into(), first.into(), second.clone().into()];
    assert_eq!(page.rows, expected);
    assert_eq!(page.pattern, "team_page");
    assert_eq!(page.rows[0].as_team(), Some(&red));
    assert_eq!(page.rows[0].as_player(), None);
    assert_eq!(page.rows[2].clone().into_player(), Some(second));
}

#[tokio::test]
async fn pages_follow_each_other_by_their_cursors() {
    let db = league().await;
    for id in ["a", "b", "c", "d", "e"] {
        db.create(&player("red", id)).await.unwrap();
    }
    let red = TeamId::new("red").unwrap();
    let mut found = Vec::new();
    let mut cursor: Option<Cursor> = None;
    loop {
        let mut request = db.roster(&red).take(2);
        if let Some(cursor) = &cursor {
            request = request.after(cursor);
        }
        let page = request.page().await.unwrap();
        found.push(page.rows.iter().map(|row| row.player_id.to_string()).collect::<String>());
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(found, ["ab", "cd", "e"]);
}

#[tokio::test]
async fn a_sparse_index_has_only_rows_with_its_keys() {
    let db = league().await;
    let ann = UserId::new("ann").unwrap();
    let linked = Player { user_id: Some(ann.clone()), ..player("red", "p1") };
    let linked = db.create(&linked).await.unwrap();
    db.create(&player("red", "p2")).await.unwrap();
    assert_eq!(db.players_of(&ann).first().await.unwrap().as_ref(), Some(&linked));
    db.edit(linked, |player| player.user_id = None).await.unwrap();
    assert_eq!(db.players_of(&ann).page().await.unwrap().rows, []);
}

#[tokio::test]
async fn a_local_index_sorts_a_partition_otherwise() {
    let db = league().await;
    for (id, number) in [("a", Some(10)), ("b", Some(9)), ("c", None), ("d", Some(100))] {
        db.create(&Player { number, ..player("red", id) }).await.unwrap();
    }
    let rows = db.numbers(&TeamId::new("red").unwrap()).page().await.unwrap().rows;
    let numbers: Vec<Option<u8>> = rows.iter().map(|row| row.number).collect();
    assert_eq!(numbers, [Some(9), Some(10), Some(100)]);
}

#[tokio::test]
async fn a_batch_returns_rows_in_the_order_of_its_keys() {
    let db = league().await;
    let one = db.create(&team("one")).await.unwrap();
    let two = db.create(&team("two")).await.unwrap();
    let keys = ["two", "none", "one", "two"].map(|id| TeamKey::new(TeamId::new(id).unwrap()));
    let teams = db.teams(&keys).await.unwrap();
    assert_eq!(teams, [Some(two.clone()), None, Some(one), Some(two)]);
}

#[tokio::test]
async fn a_scan_gives_every_row_of_an_entity_and_no_other() {
    let db = league().await;
    db.create(&team("red")).await.unwrap();
    db.create(&player("red", "p1")).await.unwrap();
    db.create(&game("g1", "2026-05-01")).await.unwrap();
    let mut rows = db.dump().stream();
    let mut found = [0; 4];
    while let Some(row) = rows.next().await {
        match row.unwrap() {
            LeagueRow::Team(_) => found[0] += 1,
            LeagueRow::Player(_) => found[1] += 1,
            LeagueRow::Game(_) => found[2] += 1,
            LeagueRow::Event(_) => found[3] += 1,
        }
    }
    // The row that keeps the team's name unique belongs to no entity.
    assert_eq!(found, [1, 1, 1, 0]);
}

#[test]
fn an_image_of_a_stream_becomes_a_row() {
    let image = item! {
        "PK" => "GAME#g1", "SK" => "EVENT#00007", "ItemType" => "EVENT",
        "gameId" => "g1", "number" => 7, "text" => "Goal",
    };
    let event = Event { game_id: GameId::new("g1").unwrap(), number: 7, text: "Goal".to_owned() };
    assert_eq!(League::decode(image).unwrap(), Some(LeagueRow::Event(event)));
    let other = item! { "PK" => "X", "SK" => "Y", "ItemType" => "INVOICE" };
    assert_eq!(League::decode(other).unwrap(), None);
}

#[test]
fn the_declaration_is_data() {
    let meta = League::META;
    assert_eq!((meta.name, meta.doc), ("League", "One table for the whole league."));
    assert_eq!(meta.indexes.len(), 5);
    let names: Vec<&str> = meta.entities.iter().map(|entity| entity.name).collect();
    assert_eq!(names, ["Team", "Player", "Game", "Event"]);
    let sets: Vec<(&str, usize)> =
        meta.pattern_sets.iter().map(|set| (set.name, set.patterns.len())).collect();
    assert_eq!(sets, [("LeagueReads", 9), ("GameReads", 10)]);
    let page = &meta.pattern_sets[0].patterns[1];
    assert_eq!(page.doc, "The team page: team and roster in one query.");
    assert!(page.location.file.ends_with("league/model.rs"));
    let filtered = &meta.pattern_sets[1].patterns[4];
    let filters: Vec<Option<&str>> =
        filtered.arguments.iter().map(|argument| argument.filter).collect();
    assert_eq!(filters, [None, Some("status"), Some("venue")]);
}

#[test]
fn the_design_is_written_and_read_back() {
    let design = League::design();
    let read = Design::from_json(&design.to_json()).unwrap();
    assert_eq!(read, design);
    assert_eq!(read.entity("Player").map(|entity| entity.type_name.as_str()), Some("PLAYER"));
}
