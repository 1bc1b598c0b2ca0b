//! The acts by the engine's own requests: they read and write the rows that the service would.

use monotable::dynamodb::{ConditionCheck, PutItem, TransactWriteItems, UpdateItem};
use monotable::expression::{Update, attribute_exists, attribute_not_exists, path};
use monotable::{Database, Item, item};
use monotable_bench::Result;

use super::world::{Act, Game, TABLE};
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
        let rows = Rows::of(game, number);
        match act {
            Act::RecordAtBat => watch.measure(rows.record_at_bat(&database)).await?,
            Act::BoxScore => watch.measure(async { rows.box_score(&database) }).await?,
        }
        if watch.is_over() {
            break;
        }
    }
    Ok(watch)
}

/// The rows of one call.
struct Rows {
    game: Item,
    team: Item,
    membership: Item,
    player: Item,
    at_bat: Item,
    game_partition: String,
    team_partition: String,
}

impl Rows {
    fn of(game: &Game, number: usize) -> Self {
        let player_id = &game.lineup[number % game.lineup.len()];
        let game_partition = format!("GAME#{}", game.game_id);
        let team_partition = format!("TEAM#{}", game.team_id);
        let sort = format!("ATBAT#{:036}", number);
        Self {
            game: item! { "PK" => game_partition.clone(), "SK" => "METADATA" },
            team: item! { "PK" => team_partition.clone(), "SK" => "METADATA" },
            membership: item! { "PK" => format!("USER#{}", game.user_id), "SK" => team_partition.clone() },
            player: item! { "PK" => team_partition.clone(), "SK" => format!("PLAYER#{player_id}") },
            at_bat: item! {
                "PK" => game_partition.clone(),
                "SK" => sort.clone(),
                "GSI5PK" => format!("PLAYER#{player_id}"),
                "GSI5SK" => sort,
                "gameId" => game.game_id.clone(),
                "atBatId" => format!("{number:036}"),
                "playerId" => player_id.clone(),
                "teamId" => game.team_id.clone(),
                "result" => "1B",
                "inning" => 1,
                "outs" => 0,
                "battingOrder" => 1,
                "hitType" => "line_drive",
                "hitLocation" => item! { "x" => "0.25", "y" => "0.5" },
                "rbis" => 0,
                "createdAt" => "2026-06-01T18:00:00.000Z",
                "updatedAt" => "2026-06-01T18:00:00.000Z",
                "ver" => 1,
            },
            game_partition,
            team_partition,
        }
    }

    async fn record_at_bat(&self, database: &Database) -> Result<()> {
        self.get(database, &self.game)?;
        self.get(database, &self.team)?;
        self.get(database, &self.membership)?;
        self.get(database, &self.player)?;
        let at_bats = self.query(database, &self.game_partition, "ATBAT#")?;
        let game = Update::new()
            .set("updatedAt", "2026-06-01T18:00:00.000Z")
            .set("teamScore", i64::try_from(at_bats)?)
            .add("ver", 1);
        let player = Update::new().add("paCount", 1).add("ver", 1);
        let put = PutItem::new(TABLE, self.at_bat.clone()).condition(attribute_not_exists("PK"));
        let game = UpdateItem::new(TABLE, self.game.clone())
            .update(game)
            .condition(path("status").eq("IN_PROGRESS"));
        let player = UpdateItem::new(TABLE, self.player.clone())
            .update(player)
            .condition(attribute_exists("PK"));
        let team = ConditionCheck::new(TABLE, self.team.clone(), attribute_exists("PK"));
        let transaction =
            TransactWriteItems::new().action(team).action(put).action(game).action(player);
        database.submit(transaction).await?;
        Ok(())
    }

    fn box_score(&self, database: &Database) -> Result<()> {
        self.get(database, &self.game)?;
        self.get(database, &self.team)?;
        self.get(database, &self.membership)?;
        self.query(database, &self.game_partition, "ATBAT#")?;
        self.query(database, &self.team_partition, "PLAYER#")?;
        Ok(())
    }

    fn get(&self, database: &Database, key: &Item) -> Result<()> {
        match row(database, TABLE, key)? {
            Some(_) => Ok(()),
            None => Err(format!("the row {key:?} does not exist").into()),
        }
    }

    fn query(&self, database: &Database, partition: &str, prefix: &str) -> Result<usize> {
        count(database, TABLE, ("PK", partition), ("SK", prefix))
    }
}
