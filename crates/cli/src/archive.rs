//! `monotable archive`: old items of a table are exported, verified, and removed from it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use monotable::prelude::Timestamp;
use monotable_engine::{BatchWriteItem, Consistency, Database, DescribeTable, GetItem, Item};
use monotable_lifecycle::{Control, ExportFolder};
use monotable_types::limits::BATCH_WRITE_MAX;
use monotable_wire::ItemLines;
use serde_json::json;

use crate::database::DatabaseArguments;
use crate::moment::Moment;
use crate::{duration, export, progress};

const AFTER_HELP: &str = "\
Items are removed only after all of them were read back from the files and compared with the table. An interrupted run can be repeated: items that were not removed are exported again. `monotable import TABLE --from DIR` puts them back.";

/// The arguments of `monotable archive`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The table
    #[arg(value_name = "TABLE")]
    table: String,
    #[command(flatten)]
    database: DatabaseArguments,
    /// Write below this directory, which is created
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// The attribute with the age of an item: seconds since 1970 as a number, or a time in ISO 8601
    /// as text. Items without it stay
    #[arg(long, value_name = "NAME")]
    attribute: String,
    /// Archive items that are older than this, such as 730d
    #[arg(long, value_name = "TIME", value_parser = duration::parse, required_unless_present = "before")]
    older_than: Option<Duration>,
    /// Archive items from before this time: 2026-01-01T00:00:00Z, or seconds since 1970
    #[arg(long, value_name = "TIME", conflicts_with = "older_than")]
    before: Option<Moment>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (bucket, lifecycle) = export::open(&arguments.database, &arguments.to)?;
    let database = lifecycle.database();
    let now_ms = database.now_ms();
    let before_ms = match (arguments.before, arguments.older_than) {
        (Some(Moment(ms)), _) => ms,
        (None, Some(age)) => now_ms.saturating_sub(age.as_millis() as u64),
        (None, None) => bail!("give --older-than or --before"),
    };
    let before = Timestamp::from_ms(i64::try_from(before_ms)?)?;
    let filter = json!({
        "FilterExpression": "#age < :seconds OR #age < :text",
        "ExpressionAttributeNames": { "#age": arguments.attribute },
        "ExpressionAttributeValues": {
            ":seconds": { "N": (before_ms / 1_000).to_string() },
            ":text": { "S": before.to_string() },
        },
    });
    let more = json!({ "FilterSpecification": filter });
    let exported = export::export(&lifecycle, &bucket, &arguments.table, &more)?;
    let folder = ExportFolder::open(&exported.directory, Arc::new(ItemLines))?;
    let archive = Archive { database, table: &arguments.table, keys: keys(database, arguments)? };
    progress::watch("archive", "verified", |control| archive.verify(&folder, control))?;
    progress::watch("archive", "removed", |control| archive.remove(&folder, control))?;
    println!(
        "{}: {} items archived in {}",
        arguments.table,
        exported.items,
        exported.directory.display()
    );
    Ok(())
}

/// Returns the names of the key attributes.
fn keys(database: &Database, arguments: &Arguments) -> Result<Vec<String>> {
    let table = database.describe_table(DescribeTable::new(arguments.table.as_str()))?.table;
    Ok(table.key_schema.into_iter().map(|key| key.attribute_name).collect())
}

/// A table whose items are archived.
struct Archive<'a> {
    database: &'a Database,
    table: &'a str,
    keys: Vec<String>,
}

impl Archive<'_> {
    fn key_of(&self, item: &Item) -> Item {
        item.iter()
            .filter(|(name, _)| self.keys.contains(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Compares the files with their checksums, and every item in them with the one in the table.
    fn verify(&self, folder: &ExportFolder, control: &Control) -> Result<()> {
        folder.verify(control)?;
        folder.read(control, |item| {
            let key = self.key_of(&item);
            let get = GetItem::new(self.table, key).consistency(Consistency::Strong);
            let live = self.database.get_item(get)?.item.map(Item::from);
            if live.as_ref() != Some(&item) {
                bail!(
                    "an archived item differs from the one in {}; nothing was removed",
                    self.table
                );
            }
            Ok(())
        })
    }

    fn remove(&self, folder: &ExportFolder, control: &Control) -> Result<()> {
        let (mut batch, mut count) = (BatchWriteItem::new(), 0);
        folder.read(control, |item| {
            batch = std::mem::take(&mut batch).delete(self.table, self.key_of(&item));
            count += 1;
            if count % BATCH_WRITE_MAX == 0 {
                self.database.batch_write_item(std::mem::take(&mut batch))?;
            }
            Ok::<(), anyhow::Error>(())
        })?;
        if count % BATCH_WRITE_MAX > 0 {
            self.database.batch_write_item(batch)?;
        }
        Ok(())
    }
}
