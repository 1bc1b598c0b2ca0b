//! The acts by the engine's own requests: they read and write the rows that the service would.

use std::hint::black_box;

use monotable::dynamodb::{BatchGetItem, PutItem, TransactWriteItems};
use monotable::expression::{attribute_exists, attribute_not_exists, path};
use monotable::{AttributeValue, Database, Item, item};
use monotable_bench::Result;

use super::world::{Act, Game, LEAGUE, PLAYERS, TABLE, USER, goal, player_id};
use crate::clients::Stopwatch;
use crate::subject::{count, row};

/// Returns a client with games of its own.
pub(super) async fn client(
    database: Database,
    act: Act,
    games: Vec<Game>,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    for (game, number) in act.turns(&games) {
        match act {
            Act::RecordGoal => watch.measure(record_goal(&database, game, number)).await?,
            Act::GamePage => watch.measure(async { game_page(&database, game) }).await?,
        }
        if watch.is_over() {
            break;
        }
    }
    Ok(watch)
}

async fn record_goal(database: &Database, game: &Game, number: usize) -> Result<()> {
    let game_id = &game.game_id;
    let partition = format!("GAME#{game_id}");
    let record = row_key(&format!("IDEMPOTENCY#{game_id}#{number}"), "METADATA");
    if row(database, TABLE, &record)?.is_some() {
        return Err("the request was completed before".into());
    }
    let stored = read(database, &partition, "METADATA")?;
    read(database, &format!("LEAGUE#{LEAGUE}"), "METADATA")?;
    read(database, &format!("LEAGUE#{LEAGUE}"), &format!("ACL#USER#{USER}"))?;
    count(database, TABLE, ("pk", &partition), ("sk", "GOAL#"))?;
    count(database, TABLE, ("pk", &partition), ("sk", "ROSTER#"))?;
    let listed = read(
        database,
        &format!("SESSION#{}", game.session_id),
        &format!("GAME#{}#{game_id}", game.start),
    )?;
    let data = goal(number).to_string();
    let new = |partition: &str, sort: String| {
        let mut row = row_key(partition, &sort);
        for (name, text) in [
            ("entityType", "goal"),
            ("createdAt", "2026-06-01T18:00:00.000Z"),
            ("updatedAt", "2026-06-01T18:00:00.000Z"),
            ("data", data.as_str()),
        ] {
            row.insert(name.to_owned(), text.into());
        }
        row.insert("ver".to_owned(), 1.into());
        PutItem::new(TABLE, row).condition(attribute_not_exists("pk"))
    };
    let event = format!("{number:026}");
    let version = stored.get("ver").cloned().unwrap_or(AttributeValue::Null);
    let unchanged = path("ver").eq(version);
    let transaction = TransactWriteItems::new()
        .action(PutItem::new(TABLE, stored).condition(unchanged))
        .action(PutItem::new(TABLE, listed).condition(attribute_exists("pk")))
        .action(new(&partition, format!("GOAL#1#{:04}#{event}", number / 3)))
        .action(new(&partition, format!("GOALID#{event}")))
        .action(new(&partition, format!("AUDIT#{event}")))
        .action(new(&format!("IDEMPOTENCY#{game_id}#{number}"), "METADATA".to_owned()));
    database.submit(transaction).await?;
    Ok(())
}

fn game_page(database: &Database, game: &Game) -> Result<()> {
    let partition = format!("GAME#{}", game.game_id);
    read(database, &partition, "METADATA")?;
    count(database, TABLE, ("pk", &partition), ("sk", "GOAL#"))?;
    count(database, TABLE, ("pk", &partition), ("sk", "ROSTER#"))?;
    let players = (0..PLAYERS).map(|number| format!("PLAYER#{}", player_id(number)));
    let players = players
        .fold(BatchGetItem::new(), |batch, player| batch.key(TABLE, row_key(&player, "PROFILE")));
    black_box(database.batch_get_item(players)?);
    Ok(())
}

fn row_key(partition: &str, sort: &str) -> Item {
    item! { "pk" => partition, "sk" => sort }
}

/// Reads and decodes a row that must be there.
fn read(database: &Database, partition: &str, sort: &str) -> Result<Item> {
    let found = row(database, TABLE, &row_key(partition, sort))?;
    found.ok_or_else(|| format!("the row {partition} {sort} does not exist").into())
}
