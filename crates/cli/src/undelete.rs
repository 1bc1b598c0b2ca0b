//! `monotable undelete`: puts items of one partition, as they were at a time, back into the table
//! that is in use.

mod review;

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use monotable::expression::{Condition, key, path, value};
use monotable::model::backend::request::{Action, Query, Returns, TableShape, Transaction, Write};
use monotable::model::backend::{Backend, BackendError};
use monotable_engine::{AttributeValue, History, Item, Options};
use monotable_lifecycle::BackupSet;
use monotable_types::limits::TRANSACT_MAX;
use monotable_types::{ScalarType, item_size_bytes};

use self::review::Review;
use crate::copy::place::{self, OpenPlace, Place};
use crate::moment::Moment;
use crate::progress;
use crate::serve::{DATA_DEFAULT, REGION_DEFAULT, block_on, region};

const AFTER_HELP: &str = "\
What would be written is shown first; without --yes it is written only if the question on the terminal is answered with y. Items \
that exist in the table stay as they are unless --overwrite is given, and items that did not exist at that time always stay. \
Items are written in transactions of up to 100 items, each of which fails as a whole if one of its items has changed since \
it was shown.

The server must keep its log (`monotable serve --keep-log`). While it runs, give its address with --to. An address needs a \
program with the feature `cloud`, and takes credentials as AWS's tools do.";

/// The limit of a transaction's bytes; DynamoDB allows 4 MB.
const TRANSACTION_BYTES_MAX: usize = 3_500_000;
/// The limit of an item's attributes that are compared again when it is replaced: a condition has
/// up to 4 KB.
const COMPARED_MAX: usize = 100;

/// The arguments of `monotable undelete`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The table
    #[arg(value_name = "TABLE")]
    table: String,
    /// The partition key: text, a number, or bytes in Base64, depending on the table's key
    #[arg(long, value_name = "KEY")]
    partition: String,
    /// Only the item with this sort key
    #[arg(long, value_name = "KEY")]
    sort: Option<String>,
    /// The time: 2026-11-19T03:00:00Z, or seconds since 1970
    #[arg(long, value_name = "TIME")]
    at: Moment,
    /// A backup of all tables from before that time, or a directory with backups
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// The directory of the database, whose log is read
    #[arg(long, value_name = "DIR", default_value = DATA_DEFAULT)]
    data: PathBuf,
    /// Where to put the items back: the address of the server that uses the database [default: the
    /// directory of --data]
    #[arg(long, value_name = "DIR|URL", value_parser = place::parse)]
    to: Option<Place>,
    /// Also replace items that exist and differ
    #[arg(long)]
    overwrite: bool,
    /// Write without confirmation
    #[arg(long)]
    yes: bool,
    /// The region of the server's tables
    #[arg(long, value_name = "NAME", default_value = REGION_DEFAULT, value_parser = region)]
    region: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if !History::is_kept(&arguments.data) {
        bail!(
            "the database in {} does not keep its log (`monotable serve --keep-log`), so it is not known what there was at that \
             time; `monotable restore --at` restores the newest backup before it",
            arguments.data.display()
        );
    }
    let to = arguments.to.clone().unwrap_or_else(|| Place::Directory(arguments.data.clone()));
    let opened = OpenPlace::source(&to, Some(&arguments.region)).map_err(|error| match &to {
        Place::Directory(_) => error.context(
            "if a server uses the database, give its address, such as --to http://127.0.0.1:8000",
        ),
        Place::Address(_) => error,
    })?;
    let backend = opened.backend();
    let shape = block_on(backend.describe_table(&arguments.table))??;
    let shape = shape.with_context(|| format!("{to} has no table {}", arguments.table))?;
    let wanted = Wanted::of(arguments, &shape)?;
    let past = wanted.items_at(arguments)?;
    let live = block_on(wanted.live_items(&*backend))??;
    let review = Review::new(&wanted.keys, past, &live);
    review.print(arguments.overwrite);
    let writes = wanted.writes(&review, arguments.overwrite);
    if writes.is_empty() {
        println!("There is nothing to put back.");
        return Ok(());
    }
    if !arguments.yes && !confirmed(writes.len())? {
        println!("Nothing was written. Give --yes to write.");
        return Ok(());
    }
    let count = writes.len();
    block_on(write(&*backend, writes))??;
    println!("{}: {count} items put back", arguments.table);
    Ok(())
}

/// Asks for confirmation on the terminal, if there is one.
fn confirmed(items: usize) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    print!("Write {items} items? [y/N] ");
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// The items to put back.
struct Wanted {
    table: String,
    /// The names of the key attributes, the partition key first.
    keys: Vec<String>,
    partition: AttributeValue,
    sort: Option<AttributeValue>,
}

impl Wanted {
    fn of(arguments: &Arguments, shape: &TableShape) -> Result<Self> {
        let keys: Vec<String> = shape.key.iter().map(|key| key.attribute_name.clone()).collect();
        let parsed = |at: usize, text: &str| {
            let name = keys.get(at).with_context(|| {
                format!("the table {} has no sort key; leave out --sort", arguments.table)
            })?;
            let attribute = shape.attributes.iter().find(|attribute| attribute.name == *name);
            let kind = attribute.map_or(ScalarType::S, |attribute| attribute.scalar_type);
            key_value(kind, text).with_context(|| format!("{text:?} can't be the key {name}"))
        };
        Ok(Self {
            table: arguments.table.clone(),
            partition: parsed(0, &arguments.partition)?,
            sort: arguments.sort.as_deref().map(|sort| parsed(1, sort)).transpose()?,
            keys,
        })
    }

    fn has(&self, item: &Item) -> bool {
        let mut keys = self.keys.iter().map(|name| item.get(name));
        keys.next().flatten() == Some(&self.partition)
            && self.sort.as_ref().is_none_or(|sort| keys.next().flatten() == Some(sort))
    }

    /// Reads the items as they were.
    fn items_at(&self, arguments: &Arguments) -> Result<Vec<Item>> {
        let Moment(at_ms) = arguments.at;
        let set = BackupSet::open(&arguments.from, Some(at_ms))?;
        let history = History::open(&arguments.data)?;
        let options = Options { region: arguments.region.clone(), ..Options::default() };
        let mut items = Vec::new();
        progress::watch("undelete", "read", |control| {
            set.items_at(&history, &self.table, at_ms, &options, control, &mut |item| {
                if item.get(&self.keys[0]).as_ref() == Some(&self.partition) {
                    let item = item.to_item();
                    items.extend(self.has(&item).then_some(item));
                }
                Ok(())
            })
        })
        .map_err(|error| anyhow!("{error}"))?;
        Ok(items)
    }

    /// Reads the current items.
    async fn live_items(&self, backend: &dyn Backend) -> Result<Vec<Item>> {
        let (mut items, mut start_key) = (Vec::new(), None);
        loop {
            let query = Query {
                table: self.table.as_str().into(),
                index: None,
                key_condition: key(self.keys[0].as_str()).eq(self.partition.clone()),
                filter: None,
                forward: true,
                consistent: true,
                limit: None,
                start_key,
            };
            let page = backend.query(query).await?;
            for row in page.rows {
                items.extend(Some(row.into_item()?).filter(|item| self.has(item)));
            }
            start_key = page.last_key;
            if start_key.is_none() {
                return Ok(items);
            }
        }
    }

    /// Returns the writes, which fail if an item was written since it was read.
    fn writes(&self, review: &Review, overwrites: bool) -> Vec<Write> {
        let absent = || path(self.keys[0].as_str()).not_exists();
        let missing = review.missing.iter().map(|item| (item, absent()));
        let differing = review.differing.iter().filter(|_| overwrites);
        let differing = differing.filter_map(|(past, live)| Some((past, unchanged(live)?)));
        let write = |(item, condition): (&Item, Condition)| Write {
            table: self.table.as_str().into(),
            action: Action::Put(item.clone()),
            condition: Some(condition),
            return_on_failure: false,
            returns: Returns::Nothing,
            returns_units: false,
        };
        missing.chain(differing).map(write).collect()
    }
}

/// Returns the condition that an item is still as it was read.
fn unchanged(item: &Item) -> Option<Condition> {
    let equal =
        |(name, known): (&String, &AttributeValue)| path(name.as_str()).eq(value(known.clone()));
    item.iter().take(COMPARED_MAX).map(equal).reduce(Condition::and)
}

/// Parses a key from the command line.
fn key_value(kind: ScalarType, text: &str) -> Result<AttributeValue> {
    Ok(match kind {
        ScalarType::S => AttributeValue::S(text.to_owned()),
        ScalarType::N => AttributeValue::N(text.parse().map_err(|error| anyhow!("{error}"))?),
        ScalarType::B => {
            let bytes = base64_simd::STANDARD.decode_to_vec(text);
            AttributeValue::B(bytes.map_err(|_| anyhow!("it is not Base64"))?)
        }
    })
}

/// Writes all items in as few transactions as possible.
async fn write(backend: &dyn Backend, writes: Vec<Write>) -> Result<()> {
    let (count, mut written) = (writes.len(), 0);
    let mut rest = writes.into_iter().peekable();
    while rest.peek().is_some() {
        let (mut writes, mut bytes) = (Vec::new(), 0);
        while let Some(write) = rest.next_if(|write| {
            bytes += put_bytes(write);
            writes.is_empty() || (writes.len() < TRANSACT_MAX && bytes <= TRANSACTION_BYTES_MAX)
        }) {
            writes.push(write);
        }
        let size = writes.len();
        match backend.transact(Transaction { writes, token: None }).await {
            Ok(_) => written += size,
            Err(BackendError::Cancelled { .. } | BackendError::ConditionFailed { .. }) => bail!(
                "an item was written since it was shown; {written} of {count} items were put back. Give the command again"
            ),
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("{written} of {count} items were put back"));
            }
        }
    }
    Ok(())
}

fn put_bytes(write: &Write) -> usize {
    match &write.action {
        Action::Put(item) => item_size_bytes(item),
        Action::Update(..) | Action::Delete(_) | Action::Check(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use monotable_engine::item;

    use super::review::key_text;
    use super::*;

    #[test]
    fn keys_are_read_as_the_table_has_them() {
        for (kind, text, expected) in [
            (ScalarType::S, "12", Some(AttributeValue::S("12".to_owned()))),
            (ScalarType::N, "12", Some(AttributeValue::N("12".parse().unwrap()))),
            (ScalarType::B, "AP8=", Some(AttributeValue::B(vec![0, 255]))),
            (ScalarType::N, "twelve", None),
            (ScalarType::B, "?", None),
        ] {
            assert_eq!(key_value(kind, text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn a_review_tells_missing_differing_and_new_items_apart() {
        let item = |sort: &str, score: u64| item! { "pk" => "a", "sk" => sort, "score" => score };
        let keys = ["pk".to_owned(), "sk".to_owned()];
        let past = vec![item("gone", 1), item("changed", 1), item("same", 1)];
        let live = [item("changed", 2), item("same", 1), item("new", 1)];
        let review = Review::new(&keys, past, &live);
        assert_eq!(review.missing, [item("gone", 1)]);
        assert_eq!(review.differing, [(item("changed", 1), item("changed", 2))]);
        assert_eq!((review.same, review.newer), (1, 1));
        assert_eq!(key_text(&keys, &item("gone", 1)), "gone");
    }
}
