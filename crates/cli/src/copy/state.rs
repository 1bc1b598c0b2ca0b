//! The file that records the progress of a copy.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use monotable_types::{AttributeValue, Item, Number};
use serde_json::{Map, Value, json};

use super::digest::TableDigest;
use super::place::Place;

/// The progress of a copy.
pub(crate) struct State {
    file: PathBuf,
    from: String,
    to: String,
    tables: BTreeMap<String, Progress>,
}

/// The progress of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Progress {
    /// The rows that were read and written.
    pub(crate) copied: TableDigest,
    /// The last key that was read; `None` before the first page.
    pub(crate) last_key: Option<Item>,
    /// Whether there are no more rows.
    pub(crate) is_complete: bool,
    /// Whether both ends were found to have the same rows.
    pub(crate) is_verified: bool,
}

impl State {
    /// Reads the file, if there is one.
    ///
    /// # Errors
    /// Fails if it can't be read, or belongs to a copy between other places.
    pub(crate) fn read(file: &Path, from: &Place, to: &Place) -> Result<Self> {
        let (from, to) = (from.to_string(), to.to_string());
        let mut state = Self { file: file.to_owned(), from, to, tables: BTreeMap::new() };
        if !file.exists() {
            return Ok(state);
        }
        let shown = file.display();
        let text = fs::read_to_string(file).with_context(|| format!("{shown} can't be read"))?;
        let found: Value =
            serde_json::from_str(&text).with_context(|| format!("{shown} is damaged"))?;
        if (&found["from"], &found["to"]) != (&json!(state.from), &json!(state.to)) {
            bail!(
                "{shown} records a copy between other places, from {} to {}; delete it, or name another \
                 file with --state",
                found["from"],
                found["to"]
            );
        }
        let tables = found["tables"].as_object();
        for (name, table) in tables.into_iter().flatten() {
            let progress = Progress::read(table).with_context(|| format!("{shown} is damaged"))?;
            state.tables.insert(name.clone(), progress);
        }
        Ok(state)
    }

    /// Returns the progress of a table, if it was started.
    pub(crate) fn of(&self, table: &str) -> Option<Progress> {
        self.tables.get(table).cloned()
    }

    /// Records the progress of a table. The file is replaced atomically, so that it is never half
    /// written.
    pub(crate) fn record(&mut self, table: &str, progress: &Progress) -> Result<()> {
        self.tables.insert(table.to_owned(), progress.clone());
        let tables: Map<String, Value> =
            self.tables.iter().map(|(name, it)| (name.clone(), it.json())).collect();
        let text = json!({ "from": self.from, "to": self.to, "tables": tables }).to_string();
        let draft = self.file.with_extension("writing");
        let write = || -> std::io::Result<()> {
            let mut file = fs::File::create(&draft)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&draft, &self.file)
        };
        write().with_context(|| format!("{} can't be written", self.file.display()))
    }

    /// Deletes the file, because nothing is left to do.
    pub(crate) fn remove(&self) -> Result<()> {
        fs::remove_file(&self.file)
            .with_context(|| format!("{} can't be deleted", self.file.display()))
    }
}

impl Progress {
    fn json(&self) -> Value {
        let last_key = self.last_key.as_ref().map(|key| -> Map<String, Value> {
            key.iter().map(|(name, value)| (name.clone(), key_json(value))).collect()
        });
        json!({
            "rows": self.copied.rows,
            "bytes": self.copied.bytes,
            "digest": format!("{:032x}", self.copied.sum),
            "lastKey": last_key,
            "isComplete": self.is_complete,
            "isVerified": self.is_verified,
        })
    }

    fn read(table: &Value) -> Result<Self> {
        let number = |name: &str| table[name].as_u64().ok_or_else(|| anyhow!("no {name}"));
        let digest = table["digest"].as_str().ok_or_else(|| anyhow!("no digest"))?;
        let key = table["lastKey"].as_object();
        let key = key.map(|key| {
            key.iter()
                .map(|(name, value)| Some((name.clone(), key_value(value)?)))
                .collect::<Option<Item>>()
                .ok_or_else(|| anyhow!("the last key is invalid"))
        });
        Ok(Self {
            copied: TableDigest {
                rows: number("rows")?,
                bytes: number("bytes")?,
                sum: u128::from_str_radix(digest, 16)?,
            },
            last_key: key.transpose()?,
            is_complete: table["isComplete"] == true,
            is_verified: table["isVerified"] == true,
        })
    }
}

/// Writes the value of a key: a text, a number or bytes.
fn key_json(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => json!({ "S": text }),
        AttributeValue::N(number) => json!({ "N": number.to_string() }),
        AttributeValue::B(bytes) => json!({ "B": bytes }),
        // No other type can be a key.
        _ => Value::Null,
    }
}

fn key_value(value: &Value) -> Option<AttributeValue> {
    if let Some(text) = value["S"].as_str() {
        return Some(AttributeValue::S(text.to_owned()));
    }
    if let Some(number) = value["N"].as_str() {
        return number.parse::<Number>().ok().map(AttributeValue::N);
    }
    let bytes = value["B"].as_array()?.iter();
    let bytes = bytes.map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok()));
    bytes.collect::<Option<_>>().map(AttributeValue::B)
}

#[cfg(test)]
mod tests {
    use monotable_engine::item;

    use super::*;

    #[test]
    fn progress_is_read_as_it_was_written() {
        let key = item! { "PK" => "a\"é", "SK" => 12, "b" => AttributeValue::B(vec![0, 255]) };
        let copied = TableDigest { rows: 3, bytes: 100, sum: u128::MAX - 5 };
        let progress =
            Progress { copied, last_key: Some(key), is_complete: true, is_verified: false };
        assert_eq!(Progress::read(&progress.json()).unwrap(), progress);
        let begun = Progress::default();
        assert_eq!(Progress::read(&begun.json()).unwrap(), begun);
        assert!(Progress::read(&json!({ "rows": 3 })).is_err());
    }
}
