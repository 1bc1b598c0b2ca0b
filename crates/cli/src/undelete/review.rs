//! A preview: the items to put back, compared with the current ones.

use std::collections::BTreeMap;

use monotable_engine::{AttributeValue, Item, ReadItem};
use monotable_lifecycle::ItemCodec as _;
use monotable_wire::ItemLines;

/// The number of shown characters of an item.
const SHOWN_CHARACTERS: usize = 100;

/// The items of a partition at a time, compared with the current ones.
pub(super) struct Review {
    names: Vec<String>,
    /// Items that do not exist now.
    pub(super) missing: Vec<Item>,
    /// Items as they were, and the current ones.
    pub(super) differing: Vec<(Item, Item)>,
    /// The number of unchanged items.
    pub(super) same: usize,
    /// The number of items that did not exist at the time.
    pub(super) newer: usize,
}

impl Review {
    pub(super) fn new(names: &[String], past: Vec<Item>, live: &[Item]) -> Self {
        let mut live: BTreeMap<String, &Item> =
            live.iter().map(|item| (key_text(names, item), item)).collect();
        let (mut missing, mut differing, mut same) = (Vec::new(), Vec::new(), 0);
        for item in past {
            match live.remove(&key_text(names, &item)) {
                None => missing.push(item),
                Some(known) if *known == item => same += 1,
                Some(known) => differing.push((item, known.clone())),
            }
        }
        Self { names: names.to_vec(), missing, differing, same, newer: live.len() }
    }

    /// Prints the table of the planned writes.
    pub(super) fn print(&self, overwrites: bool) {
        for item in &self.missing {
            self.line("put back", item);
        }
        for (item, _) in &self.differing {
            self.line(if overwrites { "replace" } else { "differs" }, item);
        }
        println!(
            "{} items are missing, {} differ{}, {} are as they were, {} are newer and stay",
            self.missing.len(),
            self.differing.len(),
            if overwrites { " and are replaced" } else { " and stay (--overwrite replaces them)" },
            self.same,
            self.newer
        );
    }

    fn line(&self, what: &str, item: &Item) {
        let mut json = Vec::new();
        ItemLines.write(&ReadItem::from(item.clone()), &mut json);
        let json = String::from_utf8_lossy(&json);
        let shown: String = json.chars().take(SHOWN_CHARACTERS).collect();
        let more = if shown.len() < json.len() { "…" } else { "" };
        println!("{what:<9} {:<24} {shown}{more}", key_text(&self.names, item));
    }
}

/// Returns the sort key of an item as text, or nothing if the table has none.
pub(super) fn key_text(names: &[String], item: &Item) -> String {
    match names.get(1).and_then(|name| item.get(name)) {
        Some(AttributeValue::S(text)) => text.clone(),
        Some(AttributeValue::N(number)) => number.to_string(),
        Some(AttributeValue::B(bytes)) => base64_simd::STANDARD.encode_to_string(bytes),
        _ => String::new(),
    }
}
