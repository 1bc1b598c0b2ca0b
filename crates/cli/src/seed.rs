//! `monotable seed`: the tables and items that a new database begins with.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use monotable_engine::UpdateContinuousBackups;
use monotable_wire::{Endpoint, Operation};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use crate::database::DatabaseArguments;
use crate::endpoint_call::call;
use crate::serve::block_on;

const AFTER_HELP: &str = "\
The file is JSON: {\"tables\": […], \"items\": {\"TABLE\": […]}}. A table is a CreateTable request, which can have a \
TimeToLiveSpecification and a PointInTimeRecoverySpecification too, as in CloudFormation. An item is in DynamoDB's JSON: {\"id\": {\"S\": \"a\"}}.

Existing tables and items are not changed, so the command can be repeated.";

/// Concurrent puts.
const PUTS_MAX: usize = 64;

/// The arguments of `monotable seed`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The tables and items
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseArguments,
}

/// The contents of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seed {
    #[serde(default)]
    tables: Vec<Map<String, Value>>,
    #[serde(default)]
    items: BTreeMap<String, Vec<Value>>,
}

/// `PointInTimeRecoverySpecification`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recovery {
    #[serde(rename = "PointInTimeRecoveryEnabled")]
    enabled: bool,
    #[serde(rename = "RecoveryPeriodInDays", default = "days_max")]
    days: u64,
}

/// How many days back a table can be restored at most, which is also the default.
const DAYS_MAX: u64 = 35;

fn days_max() -> u64 {
    DAYS_MAX
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let shown = arguments.file.display();
    let text = std::fs::read_to_string(&arguments.file)
        .with_context(|| format!("{shown} can't be read"))?;
    let seed: Seed =
        serde_json::from_str(&text).with_context(|| format!("{shown} can't be used"))?;
    let endpoint = Endpoint::new(arguments.database.open_or_create()?);
    block_on(plant(&endpoint, seed))?
}

async fn plant(endpoint: &Endpoint, seed: Seed) -> Result<()> {
    for table in seed.tables {
        create(endpoint, table).await?;
    }
    for (table, items) in seed.items {
        put_all(endpoint, &table, items).await?;
    }
    Ok(())
}

/// Creates a table, unless it exists with the same keys.
async fn create(endpoint: &Endpoint, mut table: Map<String, Value>) -> Result<()> {
    let expiry = table.remove("TimeToLiveSpecification");
    let recovery = table.remove("PointInTimeRecoverySpecification");
    let Some(name) = table.get("TableName").and_then(Value::as_str).map(str::to_owned) else {
        bail!("a table of the file has no TableName");
    };
    if let Some(known) = key_schema(endpoint, &name).await? {
        if Some(&known) != table.get("KeySchema") {
            bail!("there is a table {name} with other keys: {known}");
        }
        println!("{name}: exists");
    } else {
        let created = call(endpoint, Operation::CreateTable, &Value::Object(table)).await;
        created.with_context(|| format!("the table {name} can't be created"))?;
        println!("{name}: created");
    }
    if let Some(recovery) = recovery {
        let recovery: Recovery = serde_json::from_value(recovery)
            .with_context(|| format!("the PointInTimeRecoverySpecification of {name}"))?;
        if !(1..=DAYS_MAX).contains(&recovery.days) {
            bail!("the RecoveryPeriodInDays of {name} is not in 1 to {DAYS_MAX}");
        }
        let update = UpdateContinuousBackups {
            table_name: name.clone(),
            recovery_days: recovery.enabled.then_some(recovery.days),
        };
        endpoint.database().submit(update).await?;
    }
    let Some(expiry) = expiry else { return Ok(()) };
    let describe = json!({ "TableName": name });
    let known = call(endpoint, Operation::DescribeTimeToLive, &describe).await?;
    if known["TimeToLiveDescription"]["AttributeName"].is_null() {
        let body = json!({ "TableName": name, "TimeToLiveSpecification": expiry });
        call(endpoint, Operation::UpdateTimeToLive, &body).await?;
    }
    Ok(())
}

/// Returns the keys of a table, if it exists.
async fn key_schema(endpoint: &Endpoint, table: &str) -> Result<Option<Value>> {
    let listed = call(endpoint, Operation::DescribeTable, &json!({ "TableName": table })).await;
    match listed {
        Ok(mut described) => Ok(Some(described["Table"]["KeySchema"].take())),
        Err(error) if error.to_string().starts_with("ResourceNotFoundException") => Ok(None),
        Err(error) => Err(error),
    }
}

/// Puts the items that do not exist yet.
async fn put_all(endpoint: &Endpoint, table: &str, items: Vec<Value>) -> Result<()> {
    let keys = key_schema(endpoint, table).await?;
    let keys = keys.with_context(|| format!("there is no table {table} for the items"))?;
    let partition_key = keys[0]["AttributeName"].clone();
    let (mut puts, mut put) = (JoinSet::new(), 0);
    let total = items.len();
    for (number, item) in items.into_iter().enumerate() {
        if puts.len() >= PUTS_MAX
            && let Some(done) = puts.join_next().await
        {
            put += usize::from(done??);
        }
        let body = json!({
            "TableName": table, "Item": item, "ConditionExpression": "attribute_not_exists(#key)",
            "ExpressionAttributeNames": { "#key": partition_key },
        });
        puts.spawn(put_new(endpoint.clone(), body, format!("item {} of {table}", number + 1)));
    }
    while let Some(done) = puts.join_next().await {
        put += usize::from(done??);
    }
    println!("{table}: {put} items put, {} exist", total - put);
    Ok(())
}

/// Puts an item. Returns whether it was missing.
async fn put_new(endpoint: Endpoint, body: Value, what: String) -> Result<bool> {
    match call(&endpoint, Operation::PutItem, &body).await {
        Ok(_) => Ok(true),
        Err(error) if error.to_string().starts_with("ConditionalCheckFailedException") => Ok(false),
        Err(error) => Err(error.context(format!("{what} can't be put"))),
    }
}
