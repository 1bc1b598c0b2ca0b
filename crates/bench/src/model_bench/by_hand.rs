//! The same table and operations, written by hand against the engine, including the struct, as a
//! program without the modelling layer would do it.

use monotable::dynamodb::{
    BatchWriteItem, CreateTable, GetItem, IndexDefinition, PutItem, Query, ReturnValues,
    TransactWriteItems, UpdateItem,
};
use monotable::expression::{Update, attribute_exists, attribute_not_exists, key, path};
use monotable::{AttributeValue, Database, Item, item};
use monotable_bench::sample::PARTITION_ITEMS;
use monotable_bench::{Result, Scratch, Subject, Workload, load};

use crate::player::Player;

/// The name in tables.
pub(crate) const NAME: &str = "by hand";

const TABLE: &str = "league";

/// A table made and used by hand.
pub(crate) struct ByHand {
    database: Database,
    _directory: Option<Scratch>,
}

impl ByHand {
    pub(crate) fn filled(
        database: Database,
        directory: Option<Scratch>,
        items: u64,
    ) -> Result<Self> {
        let mut table = CreateTable::new(TABLE).partition_key("PK", "S")?.sort_key("SK", "S")?;
        for index in ["GSI1", "GSI2", "GSI3"] {
            let (partition, sort) = (format!("{index}PK"), format!("{index}SK"));
            table = table
                .attribute(partition.as_str(), "S")?
                .attribute(sort.as_str(), "S")?
                .global_index(IndexDefinition::new(index, &[&partition], &[&sort]));
        }
        database.create_table(table)?;
        let by_hand = Self { database, _directory: directory };
        load(&by_hand, NAME, items)?;
        Ok(by_hand)
    }
}

fn key_of(number: u64) -> Item {
    item! {
        "PK" => format!("TEAM#{:012}", number / PARTITION_ITEMS),
        "SK" => format!("PLAYER#{number:012}"),
    }
}

fn to_item(player: &Player) -> Item {
    let sort = format!("PLAYER#{:012}", player.number);
    item! {
        "PK" => format!("TEAM#{:012}", player.team),
        "SK" => sort.clone(),
        "GSI1PK" => format!("LEAGUE#{:012}", player.league),
        "GSI1SK" => sort.clone(),
        "GSI2PK" => format!("POSITION#{:012}", player.position),
        "GSI2SK" => sort,
        "kind" => "Player",
        "team" => player.team,
        "number" => player.number,
        "league" => player.league,
        "position" => player.position,
        "name" => player.name.clone(),
        "joined" => player.joined.clone(),
        "games" => player.games,
        "notes" => player.notes.clone(),
    }
}

fn from_item(mut item: Item) -> Result<Player> {
    Ok(Player {
        team: number(&item, "team")?,
        number: number(&item, "number")?,
        league: number(&item, "league")?,
        position: number(&item, "position")?,
        games: number(&item, "games")?,
        name: text(&mut item, "name")?,
        joined: text(&mut item, "joined")?,
        notes: text(&mut item, "notes")?,
    })
}

fn number(item: &Item, name: &str) -> Result<u64> {
    let number = item.get(name).and_then(AttributeValue::as_n).and_then(|number| number.to_i64());
    Ok(number.ok_or_else(|| format!("{name} is not a number"))?.try_into()?)
}

fn text(item: &mut Item, name: &str) -> Result<String> {
    match item.remove(name) {
        Some(AttributeValue::S(text)) => Ok(text),
        _ => Err(format!("{name} is not a text").into()),
    }
}

fn create(player: &Player) -> PutItem {
    PutItem::new(TABLE, to_item(player)).condition(attribute_not_exists("PK"))
}

impl ByHand {
    /// Reads the first players of a query, and returns their number.
    fn players(&self, query: Query) -> Result<u64> {
        let rows = self.database.query(query.limit(PARTITION_ITEMS as u32))?.items;
        let players: Vec<Player> =
            rows.into_iter().map(|row| from_item(row.into())).collect::<Result<_>>()?;
        Ok(players.len() as u64)
    }
}

impl Subject for ByHand {
    type Request = (u64, Vec<Player>);

    fn prepare(&self, workload: Workload, number: u64) -> Self::Request {
        let players = match workload {
            Workload::Put | Workload::Transaction | Workload::Batch => {
                (number..number + workload.items()).map(Player::numbered).collect()
            }
            _ => Vec::new(),
        };
        (number, players)
    }

    fn perform(&self, workload: Workload, (number, players): Self::Request) -> Result<u64> {
        let database = &self.database;
        match workload {
            Workload::Get | Workload::GetDecoded => {
                let row = database.get_item(GetItem::new(TABLE, key_of(number)))?.item;
                let player = row.map(|row| from_item(row.into())).transpose()?;
                return Ok(player.map_or(0, |player| u64::from(player.number == number)));
            }
            Workload::Query | Workload::QueryDecoded => {
                let team = key("PK").eq(format!("TEAM#{number:012}"));
                return self.players(Query::new(TABLE).key_condition(team));
            }
            Workload::QueryIndex => {
                let league = key("GSI1PK").eq(format!("LEAGUE#{number:012}"));
                return self.players(Query::new(TABLE).index("GSI1").key_condition(league));
            }
            Workload::Update => {
                // A row whose count leaves the field's range could never be read again.
                let fits = attribute_not_exists("games").or(path("games").le(u64::MAX - 1));
                let update = UpdateItem::new(TABLE, key_of(number))
                    .update(Update::new().add("games", 1))
                    .condition(attribute_exists("PK").and(fits))
                    .return_values(ReturnValues::AllNew);
                let row = database.update_item(update)?.attributes.ok_or("nothing came back")?;
                from_item(row)?;
            }
            Workload::Put => {
                for player in &players {
                    database.put_item(create(player))?;
                }
            }
            Workload::Transaction => {
                let all = players
                    .iter()
                    .fold(TransactWriteItems::new(), |all, player| all.action(create(player)));
                database.transact_write_items(all)?;
            }
            Workload::Batch => {
                let all = players
                    .iter()
                    .fold(BatchWriteItem::new(), |all, player| all.put(TABLE, to_item(player)));
                let left = database.batch_write_item(all)?.unprocessed_items;
                return Ok(if left.is_empty() { workload.items() } else { 0 });
            }
        }
        Ok(workload.items())
    }
}
