//! dynoxide as a subject: typed requests in, typed answers out, no JSON text and no HTTP.

use std::collections::HashMap;
use std::path::Path;

use dynoxide::actions::batch_write_item::{BatchWriteItemRequest, PutRequest, WriteRequest};
use dynoxide::actions::create_table::CreateTableRequest;
use dynoxide::actions::get_item::GetItemRequest;
use dynoxide::actions::put_item::PutItemRequest;
use dynoxide::actions::query::QueryRequest;
use dynoxide::actions::transact_write_items::{
    TransactPut, TransactWriteItem, TransactWriteItemsRequest,
};
use dynoxide::actions::update_item::UpdateItemRequest;
use dynoxide::types::{
    AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};
use dynoxide::{AttributeValue, Database, ImportOptions, Item};
use monotable_bench::sample::{self, COUNTER, INDEXES, TABLE, Value};
use monotable_bench::{Mode, Progress, Result, Scratch, Subject, Workload};

/// Items in one transaction while loading.
const IMPORT_ITEMS: u64 = 2_000;

/// A loaded database.
pub struct Dynoxide {
    database: Database,
    _directory: Option<Scratch>,
}

/// A typed request.
pub enum Request {
    Get(GetItemRequest),
    Query(QueryRequest),
    Update(UpdateItemRequest),
    Put(PutItemRequest),
    Transaction(TransactWriteItemsRequest),
    Batch(BatchWriteItemRequest),
}

impl Dynoxide {
    /// Makes a database with `items` items.
    pub fn load(mode: Mode, items: u64, directory: &Path) -> Result<Self> {
        match mode {
            Mode::Memory => {
                let database = Database::memory()?;
                fill(&database, items)?;
                Ok(Self { database, _directory: None })
            }
            Mode::Durable => {
                let directory = Scratch::new(directory, "dynoxide")?;
                let file = directory.path().join("dynoxide.db");
                let file = file.to_str().ok_or("the directory is no UTF-8 text")?;
                let database = Database::new(file)?;
                database.enable_bulk_loading()?;
                fill(&database, items)?;
                drop(database);
                Ok(Self { database: Database::new(file)?, _directory: Some(directory) })
            }
        }
    }
}

fn fill(database: &Database, items: u64) -> Result<()> {
    database.create_table(create_table())?;
    let mut progress = Progress::start("loading dynoxide", items);
    let mut first = 0;
    while first < items {
        let end = items.min(first + IMPORT_ITEMS);
        let batch: Vec<Item> = (first..end).map(item).collect();
        database.import_items(TABLE, batch, ImportOptions::default())?;
        progress.tell(end);
        first = end;
    }
    Ok(())
}

fn create_table() -> CreateTableRequest {
    let schema = |partition: &str, sort: &str| {
        vec![
            KeySchemaElement { attribute_name: partition.to_owned(), key_type: KeyType::HASH },
            KeySchemaElement { attribute_name: sort.to_owned(), key_type: KeyType::RANGE },
        ]
    };
    let names = INDEXES.iter().flat_map(|(_, partition, sort)| [*partition, *sort]);
    CreateTableRequest {
        table_name: TABLE.to_owned(),
        key_schema: schema("PK", "SK"),
        attribute_definitions: ["PK", "SK"]
            .into_iter()
            .chain(names)
            .map(|name| AttributeDefinition {
                attribute_name: name.to_owned(),
                attribute_type: ScalarAttributeType::S,
            })
            .collect(),
        global_secondary_indexes: Some(
            INDEXES
                .iter()
                .map(|(name, partition, sort)| GlobalSecondaryIndex {
                    index_name: (*name).to_owned(),
                    key_schema: schema(partition, sort),
                    projection: Projection {
                        projection_type: Some(ProjectionType::ALL),
                        ..Projection::default()
                    },
                    provisioned_throughput: None,
                })
                .collect(),
        ),
        billing_mode: Some("PAY_PER_REQUEST".to_owned()),
        ..CreateTableRequest::default()
    }
}

fn item(number: u64) -> Item {
    let value = |value| match value {
        Value::Text(text) => AttributeValue::S(text),
        Value::Number(number) => AttributeValue::N(number.to_string()),
    };
    let attributes = sample::attributes(number);
    attributes.into_iter().map(|(name, of)| (name.to_owned(), value(of))).collect()
}

fn key(number: u64) -> HashMap<String, AttributeValue> {
    let (partition, sort) = sample::key(number);
    HashMap::from([
        ("PK".to_owned(), AttributeValue::S(partition)),
        ("SK".to_owned(), AttributeValue::S(sort)),
    ])
}

fn query(partition_name: &str, partition: String) -> QueryRequest {
    QueryRequest {
        table_name: TABLE.to_owned(),
        key_condition_expression: Some(format!("{partition_name} = :partition")),
        expression_attribute_values: Some(HashMap::from([(
            ":partition".to_owned(),
            AttributeValue::S(partition),
        )])),
        scan_index_forward: true,
        ..QueryRequest::default()
    }
}

impl Subject for Dynoxide {
    type Request = Request;

    fn prepare(&self, workload: Workload, number: u64) -> Request {
        let items = (number..number + workload.items()).map(item);
        match workload {
            Workload::Get | Workload::GetDecoded => Request::Get(GetItemRequest {
                table_name: TABLE.to_owned(),
                key: key(number),
                ..GetItemRequest::default()
            }),
            Workload::Query | Workload::QueryDecoded => {
                Request::Query(query("PK", sample::partition_key(number)))
            }
            Workload::QueryIndex => Request::Query(QueryRequest {
                index_name: Some(INDEXES[0].0.to_owned()),
                limit: Some(workload.items() as usize),
                ..query(INDEXES[0].1, sample::group_key(0, number))
            }),
            Workload::Update => Request::Update(UpdateItemRequest {
                table_name: TABLE.to_owned(),
                key: key(number),
                update_expression: Some(format!("ADD {COUNTER} :one")),
                expression_attribute_values: Some(HashMap::from([(
                    ":one".to_owned(),
                    AttributeValue::N("1".to_owned()),
                )])),
                ..UpdateItemRequest::default()
            }),
            Workload::Put => Request::Put(PutItemRequest {
                table_name: TABLE.to_owned(),
                item: item(number),
                ..PutItemRequest::default()
            }),
            Workload::Transaction => Request::Transaction(TransactWriteItemsRequest {
                transact_items: items
                    .map(|item| TransactWriteItem {
                        put: Some(TransactPut {
                            table_name: TABLE.to_owned(),
                            item,
                            ..TransactPut::default()
                        }),
                        ..TransactWriteItem::default()
                    })
                    .collect(),
                ..TransactWriteItemsRequest::default()
            }),
            Workload::Batch => Request::Batch(BatchWriteItemRequest {
                request_items: HashMap::from([(
                    TABLE.to_owned(),
                    items
                        .map(|item| WriteRequest {
                            put_request: Some(PutRequest { item }),
                            delete_request: None,
                        })
                        .collect(),
                )]),
                ..BatchWriteItemRequest::default()
            }),
        }
    }

    fn perform(&self, workload: Workload, request: Request) -> Result<u64> {
        let database = &self.database;
        match request {
            Request::Get(get) => return Ok(u64::from(database.get_item(get)?.item.is_some())),
            Request::Query(query) => {
                let items = database.query(query)?.items.unwrap_or_default();
                return Ok(items.len() as u64);
            }
            Request::Update(update) => drop(database.update_item(update)?),
            Request::Put(put) => drop(database.put_item(put)?),
            Request::Transaction(transaction) => {
                drop(database.transact_write_items(transaction)?);
            }
            Request::Batch(batch) => {
                let left = database.batch_write_item(batch)?.unprocessed_items;
                return Ok(if left.is_empty() { workload.items() } else { 0 });
            }
        }
        Ok(workload.items())
    }
}
