//! Reading: several types in one result, full pages, expiry, and the metadata of a response.

use std::time::Duration;

use monotable::dynamodb::{
    DescribeStream, DescribeTable, GetRecords, GetShardIterator, ShardIteratorType, StreamUpdate,
    StreamViewType, UpdateTable,
};
use monotable::model::Error;

use super::*;

/// Complaint 2: item collections of several types are returned as untyped maps.
#[tokio::test]
async fn mixed_collections_are_typed() {
    let db = World::new().await.db;
    let red = db.create(&team("red", "Red Sox")).await.unwrap();
    let first = db.create(&player("p1")).await.unwrap();
    let second = db.create(&player("p2")).await.unwrap();
    let page = db.team_page(&red.team_id).page().await.unwrap();
    let mut names = Vec::new();
    for row in &page.rows {
        // Exhaustive: another entity in the range does not compile.
        match row {
            TeamPage::Team(team) => names.push(team.name.as_str()),
            TeamPage::Player(player) => names.push(player.name.as_str()),
            TeamPage::Invite(_) => names.push("an invite"),
        }
    }
    assert_eq!(names, ["Red Sox", "Player p1", "Player p2"]);
    let view = db.team_view(&red.team_id).await.unwrap();
    assert_eq!(view, Some(TeamView { team: red, players: vec![first, second], invites: vec![] }));
    reported_by_the_compiler("patterns/p03_reads_other_entities", "P03");
    reported_by_the_compiler("patterns/p04_never_found", "P04");
}

/// Complaint 6: a limit with a filter returns short or empty pages.
#[tokio::test]
async fn a_filtered_page_is_full() {
    let db = World::new().await.db;
    for number in 0..60 {
        let status = if number % 10 == 9 { Status::Final } else { Status::Scheduled };
        let game = game(&format!("g{number:02}"), "2026-05-01");
        db.create(&Game { status, ..game }).await.unwrap();
    }
    let red = TeamId::new("red").unwrap();
    let first = db.games_by_status(&red, Status::Final).take(4).page().await.unwrap();
    let ids =
        |games: &[Game]| games.iter().map(|game| game.game_id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(&first.rows), ["g09", "g19", "g29", "g39"]);
    let next = first.next.unwrap();
    let rest = db.games_by_status(&red, Status::Final).take(4).after(&next).page().await.unwrap();
    assert_eq!((ids(&rest.rows), rest.next), (vec!["g49".to_owned(), "g59".to_owned()], None));

    // The cursor belongs to its query.
    let other = db.games_by_status(&red, Status::Scheduled).after(&next).page().await;
    assert!(matches!(other, Err(Error::InvalidCursor)), "{other:?}");
    reported_by_the_compiler("patterns/p10_limit_and_filter", "P10");
}

/// Complaint 7: expired rows are still returned, and expiries are in the wrong unit.
#[tokio::test]
async fn expired_rows_are_absent() {
    let world = World::new().await;
    let db = &world.db;
    let expires = EpochSeconds::new(START_SECONDS) + Duration::from_secs(60);
    let team_id = TeamId::new("red").unwrap();
    let code = PlayerId::new("x7").unwrap();
    let invite = Invite { team_id: team_id.clone(), code, expires: Some(expires) };
    db.create(&invite).await.unwrap();
    let row = world.row("TEAM#red", "INVITE#x7").unwrap();
    assert_eq!(row["ttl"], (START_SECONDS + 60).into());

    world.clock.advance_ms(59_999);
    assert_eq!(db.invites(&team_id).count().await.unwrap(), 1);
    assert!(matches!(db.create(&invite).await, Err(Error::Exists { .. })));
    world.clock.advance_ms(1);
    assert!(world.row("TEAM#red", "INVITE#x7").is_some(), "nobody has swept it yet");
    assert_eq!(db.invites(&team_id).count().await.unwrap(), 0);
    let delete = db.delete(&invite).await;
    assert!(matches!(delete, Err(Error::NotFound { .. })), "{delete:?}");
    assert_eq!(db.invites(&team_id).including_expired().count().await.unwrap(), 1);
    db.create(&invite).await.unwrap();
    reported_by_the_compiler("entity/l01_expiry_type", "L01");
    reported_by_the_compiler("table/l01_other_ttl_attribute", "L01");
}

/// Complaint 15: stream records, write sharding and the cost of a call are left to the user.
#[tokio::test]
async fn streams_shards_and_costs_are_typed() {
    let world = World::new().await;
    let stream = StreamUpdate::Enable(StreamViewType::NewAndOldImages);
    world.database.update_table(UpdateTable::new("league-dev").stream(stream)).unwrap();
    let days: Vec<String> = (1..=20).map(|day| format!("2026-05-{day:02}")).collect();
    for day in days.iter().rev() {
        world.db.create(&game(&format!("g-{day}"), day)).await.unwrap();
    }

    // One list over all shards, in order, with one cursor.
    let page = world.db.all_games().take(15).page().await.unwrap();
    let rest = world.db.all_games().after(page.next.as_ref().unwrap()).page().await.unwrap();
    let read = page.rows.iter().chain(&rest.rows).map(|game| game.date.to_string());
    assert_eq!(read.collect::<Vec<_>>(), days);
    let stored = world.row("GAME#g-2026-05-01", "METADATA").unwrap();
    assert!(text(&stored, "GSI2PK").unwrap().starts_with("GAMES#"));

    // Every response contains the name of its pattern and its cost.
    assert_eq!(page.pattern, "all_games");
    assert!(page.units > 0.0);
    let response = world.db.game(&GameId::new("g-2026-05-01").unwrap()).response().await.unwrap();
    assert_eq!((response.pattern, response.units), ("game", 0.5));
    let done = world.db.transact().with(create(game("g-cost", "2026-06-01"))).await.unwrap();
    assert!(done.units > 0.0);

    // An image of a stream is the same enum as a row.
    let table = world.database.describe_table(DescribeTable::new("league-dev")).unwrap().table;
    let stream_arn = table.stream.unwrap().stream_arn;
    let described =
        world.database.describe_stream(DescribeStream::new(stream_arn.clone())).unwrap();
    let shard_id = described.shards[0].shard_id.clone();
    let iterator_type = ShardIteratorType::TrimHorizon;
    let request = GetShardIterator { stream_arn, shard_id, iterator_type };
    let iterator = world.database.get_shard_iterator(request).unwrap().shard_iterator;
    let records = world.database.get_records(GetRecords::new(iterator)).unwrap().records;
    assert_eq!(records.len(), 21);
    let image = records[0].new_image.clone().unwrap();
    let Some(LeagueRow::Game(first)) = League::decode(image).unwrap() else { panic!("no game") };
    assert_eq!(first.date.to_string(), "2026-05-20");
}
