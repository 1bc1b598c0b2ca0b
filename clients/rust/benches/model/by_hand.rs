//! The same table and the same operations, written by hand with AWS's SDK: builders, maps of
//! attributes, and the struct filled field by field.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
    KeyType, Projection, ProjectionType, Put, PutRequest, ReturnConsumedCapacity, ReturnValue,
    ReturnValuesOnConditionCheckFailure, ScalarAttributeType, TransactWriteItem, WriteRequest,
};
use monotable_bench::sample::{INDEXES, PARTITION_ITEMS};
use monotable_bench::{Result, Subject, Workload, load};

use crate::connection::Connection;
use crate::player::Player;

/// The name in tables.
pub(crate) const NAME: &str = "by hand";

const TABLE: &str = "league-by-hand";
const IS_NEW: &str = "attribute_not_exists(PK)";
/// A row whose count leaves the field's range could never be read again.
const IN_RANGE: &str = "attribute_exists(PK) AND (attribute_not_exists(games) OR games <= :most)";

type Item = HashMap<String, AttributeValue>;

/// A table made and used by hand.
pub(crate) struct ByHand {
    connection: Connection,
}

impl ByHand {
    pub(crate) fn filled(connection: &Connection, items: u64) -> Result<Self> {
        connection.delete_table(TABLE)?;
        let by_hand = Self { connection: connection.clone() };
        by_hand.create_table()?;
        load(&by_hand, NAME, items)?;
        Ok(by_hand)
    }

    fn create_table(&self) -> Result<()> {
        let mut create = self.connection.client.create_table().table_name(TABLE);
        for name in
            ["PK", "SK"].into_iter().chain(INDEXES.iter().flat_map(|index| [index.1, index.2]))
        {
            let definition = AttributeDefinition::builder().attribute_name(name);
            let definition = definition.attribute_type(ScalarAttributeType::S).build()?;
            create = create.attribute_definitions(definition);
        }
        for (name, partition, sort) in INDEXES {
            let projection = Projection::builder().projection_type(ProjectionType::All).build();
            let index = GlobalSecondaryIndex::builder()
                .index_name(name)
                .key_schema(key_part(partition, KeyType::Hash)?)
                .key_schema(key_part(sort, KeyType::Range)?)
                .projection(projection);
            create = create.global_secondary_indexes(index.build()?);
        }
        let create = create
            .key_schema(key_part("PK", KeyType::Hash)?)
            .key_schema(key_part("SK", KeyType::Range)?)
            .billing_mode(BillingMode::PayPerRequest);
        self.connection.wait(create.send())?;
        Ok(())
    }

    /// The first page of a query. It asks for one row more, so that no next page is promised where there
    /// is none.
    fn page(&self, query: QueryFluentBuilder, key: &[&str]) -> Result<Page> {
        let query = query
            .table_name(TABLE)
            .limit(PARTITION_ITEMS as i32 + 1)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let output = self.connection.wait(query.send())?;
        let mut rows = output.items.unwrap_or_default();
        let has_more = rows.len() > PARTITION_ITEMS as usize;
        rows.truncate(PARTITION_ITEMS as usize);
        let last = rows.last().filter(|_| has_more);
        Ok(Page {
            next: last.map(|row| cursor(row, key)).transpose()?,
            players: rows.into_iter().map(from_item).collect::<Result<_>>()?,
            units: output.consumed_capacity.and_then(|consumed| consumed.capacity_units),
        })
    }
}

/// What a page of the model says, too: the players, where to go on, and what it cost.
struct Page {
    players: Vec<Player>,
    next: Option<String>,
    units: Option<f64>,
}

impl Page {
    /// How many players it has, if it is one.
    fn items(&self) -> u64 {
        let is_told = self.units.is_some() && self.next.as_ref().is_none_or(|next| next.len() > 2);
        if is_told { self.players.len() as u64 } else { 0 }
    }
}

/// The key of the last row as text, for who asks for the next page.
fn cursor(row: &Item, key: &[&str]) -> Result<String> {
    let mut texts = Vec::with_capacity(key.len());
    for name in key {
        match row.get(*name) {
            Some(AttributeValue::S(text)) => texts.push((name, text)),
            _ => return Err(format!("{name} is no text").into()),
        }
    }
    Ok(serde_json::to_string(&texts)?)
}

fn key_part(name: &str, kind: KeyType) -> Result<KeySchemaElement> {
    Ok(KeySchemaElement::builder().attribute_name(name).key_type(kind).build()?)
}

fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

fn n(number: u64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

fn key_of(number: u64) -> Item {
    HashMap::from([
        ("PK".to_owned(), s(format!("TEAM#{:012}", number / PARTITION_ITEMS))),
        ("SK".to_owned(), s(format!("PLAYER#{number:012}"))),
    ])
}

fn to_item(player: &Player) -> Item {
    let sort = format!("PLAYER#{:012}", player.number);
    HashMap::from([
        ("PK".to_owned(), s(format!("TEAM#{:012}", player.team))),
        ("SK".to_owned(), s(sort.clone())),
        ("GSI1PK".to_owned(), s(format!("LEAGUE#{:012}", player.league))),
        ("GSI1SK".to_owned(), s(sort.clone())),
        ("GSI2PK".to_owned(), s(format!("POSITION#{:012}", player.position))),
        ("GSI2SK".to_owned(), s(sort)),
        ("kind".to_owned(), s("Player")),
        ("team".to_owned(), n(player.team)),
        ("number".to_owned(), n(player.number)),
        ("league".to_owned(), n(player.league)),
        ("position".to_owned(), n(player.position)),
        ("name".to_owned(), s(&player.name)),
        ("joined".to_owned(), s(&player.joined)),
        ("games".to_owned(), n(player.games)),
        ("notes".to_owned(), s(&player.notes)),
    ])
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
    match item.get(name) {
        Some(AttributeValue::N(digits)) => Ok(digits.parse()?),
        _ => Err(format!("{name} is no number").into()),
    }
}

fn text(item: &mut Item, name: &str) -> Result<String> {
    match item.remove(name) {
        Some(AttributeValue::S(text)) => Ok(text),
        _ => Err(format!("{name} is no text").into()),
    }
}

impl Subject for ByHand {
    type Request = (u64, Vec<Player>);

    fn prepare(&self, workload: Workload, number: u64) -> Self::Request {
        (number, crate::players_to_write(workload, number))
    }

    fn perform(&self, workload: Workload, (number, players): Self::Request) -> Result<u64> {
        let Connection { client, .. } = &self.connection;
        let connection = &self.connection;
        match workload {
            Workload::Get | Workload::GetDecoded => {
                let get = client.get_item().table_name(TABLE).set_key(Some(key_of(number)));
                let player = connection.wait(get.send())?.item.map(from_item).transpose()?;
                return Ok(player.map_or(0, |player| u64::from(player.number == number)));
            }
            Workload::Query | Workload::QueryDecoded => {
                let team = s(format!("TEAM#{number:012}"));
                let query = client.query().key_condition_expression("PK = :team");
                let query = query.expression_attribute_values(":team", team);
                return Ok(self.page(query, &["PK", "SK"])?.items());
            }
            Workload::QueryIndex => {
                let league = s(format!("LEAGUE#{number:012}"));
                let query = client.query().index_name("GSI1");
                let query = query.key_condition_expression("GSI1PK = :league");
                let query = query.expression_attribute_values(":league", league);
                let key = ["PK", "SK", "GSI1PK", "GSI1SK"];
                return Ok(self.page(query, &key)?.items());
            }
            Workload::Update => {
                let update = client
                    .update_item()
                    .table_name(TABLE)
                    .set_key(Some(key_of(number)))
                    .update_expression("ADD games :one")
                    .condition_expression(IN_RANGE)
                    .expression_attribute_values(":one", n(1))
                    .expression_attribute_values(":most", n(u64::MAX - 1))
                    // A player that is missing is another failure than a count that is full.
                    .return_values_on_condition_check_failure(
                        ReturnValuesOnConditionCheckFailure::AllOld,
                    )
                    .return_values(ReturnValue::AllNew);
                let row = connection.wait(update.send())?.attributes.ok_or("nothing came back")?;
                from_item(row)?;
            }
            Workload::Put => {
                for player in &players {
                    let put = client.put_item().table_name(TABLE).condition_expression(IS_NEW);
                    connection.wait(put.set_item(Some(to_item(player))).send())?;
                }
            }
            Workload::Transaction => {
                let mut all = client
                    .transact_write_items()
                    .return_consumed_capacity(ReturnConsumedCapacity::Total);
                for player in &players {
                    let put = Put::builder().table_name(TABLE).condition_expression(IS_NEW);
                    let put = put.set_item(Some(to_item(player))).build()?;
                    all = all.transact_items(TransactWriteItem::builder().put(put).build());
                }
                let consumed = connection.wait(all.send())?.consumed_capacity.unwrap_or_default();
                let units = consumed.iter().filter_map(|table| table.capacity_units).sum::<f64>();
                return Ok(if units > 0.0 { workload.items() } else { 0 });
            }
            Workload::Batch => {
                let mut puts = Vec::with_capacity(players.len());
                for player in &players {
                    let put = PutRequest::builder().set_item(Some(to_item(player))).build()?;
                    puts.push(WriteRequest::builder().put_request(put).build());
                }
                let all = client.batch_write_item().request_items(TABLE, puts);
                let left = connection.wait(all.send())?.unprocessed_items.unwrap_or_default();
                return Ok(if left.is_empty() { workload.items() } else { 0 });
            }
        }
        Ok(workload.items())
    }
}
