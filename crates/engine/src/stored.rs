//! Items as reads return them: stored bytes, decoded on demand, or an item created by a projection.

use std::borrow::Cow;

use bytes::Bytes;
use monotable_expression::Attributes;
use monotable_types::{AttributeValue, Item, item_size_bytes};

use crate::layout::item::Encoded;
use crate::layout::{self, Malformed};
use crate::visit::{ItemVisitor, visit_item};

/// An item as the store holds it. Its checksum was verified when it was read.
#[derive(Clone, Debug)]
pub(crate) struct StoredItem {
    bytes: Bytes,
    size_bytes: usize,
}

impl StoredItem {
    pub(crate) fn new(bytes: Bytes) -> Result<Self, Malformed> {
        let size_bytes = Encoded::parse(&bytes)?.size_bytes;
        Ok(Self { bytes, size_bytes })
    }

    /// Creates an item in its stored form; `size_bytes` is its size by AWS's rule.
    pub(crate) fn encode(item: &Item, size_bytes: usize) -> Self {
        Self { bytes: layout::item::encode_sized(item, size_bytes).into(), size_bytes }
    }

    /// Returns the item with the attributes in `replaced` replaced by those of `part`.
    pub(crate) fn splice(
        &self,
        replaced: impl Fn(&str) -> bool,
        part: &Item,
        size_bytes: usize,
    ) -> Result<Self, Malformed> {
        let bytes = self.encoded()?.splice(replaced, part, size_bytes)?.into();
        Ok(Self { bytes, size_bytes })
    }

    /// Returns the size by AWS's rule, which is stored with the item.
    pub(crate) fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    pub(crate) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    pub(crate) fn encoded(&self) -> Result<Encoded<'_>, Malformed> {
        Encoded::parse(&self.bytes)
    }

    pub(crate) fn decode(&self) -> Result<Item, Malformed> {
        self.encoded()?.decode()
    }

    pub(crate) fn attribute(&self, name: &str) -> Result<Option<AttributeValue>, Malformed> {
        self.encoded()?.attribute(name)
    }
}

/// Returns decoded bytes. Bytes with a valid checksum were written by this code, so they decode.
fn written_by_us<T>(result: Result<T, Malformed>) -> T {
    match result {
        Ok(value) => value,
        Err(malformed) => unreachable!("a stored item passed its checksum: {malformed}"),
    }
}

impl Attributes for StoredItem {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        written_by_us(Self::attribute(self, name)).map(Cow::Owned)
    }

    fn has_attribute(&self, name: &str) -> bool {
        written_by_us(self.encoded().and_then(|encoded| encoded.has(name)))
    }
}

/// An item as a read returns it, decoded on demand.
///
/// ```
/// use monotable_engine::{Database, GetItem, item};
/// # use monotable_engine::{CreateTable, PutItem};
/// # let db = Database::memory();
/// # db.create_table(CreateTable::new("league").partition_key("PK", "S")?)?;
/// # db.put_item(PutItem::new("league", item! { "PK" => "TEAM#1", "name" => "Sluggers" }))?;
/// let team = db.get_item(GetItem::new("league", item! { "PK" => "TEAM#1" }))?.item;
/// assert_eq!(team.and_then(|team| team.get("name")), Some("Sluggers".into()));
/// # Ok::<(), monotable_engine::Error>(())
/// ```
#[derive(Clone)]
pub struct ReadItem(Form);

#[derive(Clone)]
enum Form {
    Stored(StoredItem),
    Made(Item),
}

impl ReadItem {
    pub(crate) fn stored(item: StoredItem) -> Self {
        Self(Form::Stored(item))
    }

    pub(crate) fn made(item: Item) -> Self {
        Self(Form::Made(item))
    }

    /// Returns one attribute, if the item has it.
    pub fn get(&self, name: &str) -> Option<AttributeValue> {
        match &self.0 {
            Form::Stored(item) => written_by_us(item.attribute(name)),
            Form::Made(item) => item.get(name).cloned(),
        }
    }

    /// Returns all attributes.
    pub fn to_item(&self) -> Item {
        match &self.0 {
            Form::Stored(item) => written_by_us(item.decode()),
            Form::Made(item) => item.clone(),
        }
    }

    /// Passes the attributes to a visitor, directly from the stored bytes if possible.
    pub fn visit(&self, visitor: &mut impl ItemVisitor) {
        match &self.0 {
            Form::Stored(item) => {
                written_by_us(item.encoded().and_then(|encoded| encoded.visit(visitor)));
            }
            Form::Made(item) => visit_item(item, visitor),
        }
    }

    /// Returns whether there is no attribute, as when a projection matched none.
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Form::Stored(item) => item.size_bytes() == 0,
            Form::Made(item) => item.is_empty(),
        }
    }

    /// Returns the size by AWS's rule.
    pub fn size_bytes(&self) -> usize {
        match &self.0 {
            Form::Stored(item) => item.size_bytes(),
            Form::Made(item) => item_size_bytes(item),
        }
    }
}

impl From<Item> for ReadItem {
    fn from(item: Item) -> Self {
        Self::made(item)
    }
}

impl From<ReadItem> for Item {
    fn from(read: ReadItem) -> Self {
        match read.0 {
            Form::Stored(item) => written_by_us(item.decode()),
            Form::Made(item) => item,
        }
    }
}

impl std::fmt::Debug for ReadItem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_item().fmt(formatter)
    }
}

impl PartialEq for ReadItem {
    fn eq(&self, other: &Self) -> bool {
        self.to_item() == other.to_item()
    }
}
