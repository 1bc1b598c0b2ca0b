//! Writing a record: where there is none, over a version, or over whatever there is.
//!
//! The writes know the row before only as far as they must. A row whose `meta` is its own affair is
//! looked at first, because one attribute holds that and how the value is compressed.

use std::sync::Arc;

use monotable_design::meta::Codec;
use monotable_expression::{Condition, SetOperand, Update, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item, item_size_bytes};
use serde::Serialize;

use super::{KIND, Record, stored};
use crate::backend::request::{Action, Returns};
use crate::codec::{COMPRESSED, META};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::retry::Retry;
use crate::rows::place::{Place, insert_expiry};
use crate::rows::run::Run;
use crate::rows::value;
use crate::time::EpochSeconds;
use crate::write::{self, Operation, Plan, PlannedWrite};

/// A record that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its version.
    pub version: u64,
    /// The size of its key and value in the table.
    pub bytes: usize,
}

/// The row has this version, or none.
pub(super) fn is_version(place: &Place, version: Option<u64>) -> Condition {
    match version {
        Some(version) => path(place.layout.version).eq(version),
        None => attribute_not_exists(place.layout.version),
    }
}

/// The first row of a record.
fn first_row(
    context: &Context,
    place: &Place,
    encoded: Item,
    expires: Option<EpochSeconds>,
    meta: Option<&Item>,
) -> Result<Item> {
    let mut row = place.row(context)?;
    row.extend(encoded);
    if let Some(meta) = meta.filter(|meta| !meta.is_empty()) {
        let mut meta = meta.clone();
        if let Some(AttributeValue::M(form)) = row.remove(META) {
            meta.extend(form);
        }
        row.insert(META.to_owned(), AttributeValue::M(meta));
    }
    row.insert(place.layout.version.to_owned(), 1.into());
    insert_expiry(&mut row, place.expiry(context), expires);
    Ok(row)
}

/// Writes a record where there is none. Made by [`Record::create`].
#[derive(Debug)]
pub struct CreateRecord<T> {
    place: Place,
    value: T,
    expires: Option<EpochSeconds>,
    meta: Option<Item>,
}

impl<T: Serialize + Send + Sync + 'static> CreateRecord<T> {
    pub(super) fn new(place: Place, value: T) -> Self {
        Self { place, value, expires: None, meta: None }
    }

    /// Lets the record end at this time.
    #[must_use]
    pub fn expires(mut self, at: EpochSeconds) -> Self {
        self.expires = Some(at);
        self
    }

    /// What else is to be known of the value.
    #[must_use]
    pub fn meta(mut self, meta: Item) -> Self {
        self.meta = Some(meta);
        self
    }

    fn planned(&self, context: &Context) -> Result<(PlannedWrite, Written)> {
        let encoded = value::encode(context.table, &self.place, &self.value)?;
        let row = first_row(context, &self.place, encoded, self.expires, self.meta.as_ref())?;
        let written = Written { version: 1, bytes: item_size_bytes(&row) };
        let failure = Box::new(|_| Error::Exists { entity: KIND });
        let condition = self.place.absent(context);
        Ok((self.place.write(context, Action::Put(row), condition, failure), written))
    }
}

impl<T: Serialize + Send + Sync + 'static> Operation for CreateRecord<T> {
    fn label(&self) -> String {
        format!("create {}", self.place.name())
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        let (planned, written) = self.planned(context)?;
        Ok(Plan::new(vec![planned]).of(written))
    }
}

impl<T: Serialize + Send + Sync + 'static> Run for CreateRecord<T> {
    type Output = Written;

    async fn run(self, context: &Context) -> Result<Written> {
        let (planned, written) = self.planned(context)?;
        write::single(context, vec![planned]).await?;
        Ok(written)
    }
}

/// What must be there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Anything,
    Version(Option<u64>),
}

/// What becomes of a record's expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expiry {
    Kept,
    Set(Option<EpochSeconds>),
}

/// Writes another value into a record. Made by [`Record::replace`] and [`Record::put`].
#[derive(Debug)]
pub struct WriteRecord<T> {
    record: Record<T>,
    expected: Expected,
    value: Arc<T>,
    expiry: Expiry,
    meta: Option<Item>,
    looks: bool,
}

/// What is known of the row before.
#[derive(Debug)]
enum Seen {
    /// Nothing yet.
    Unknown,
    /// It is this one, or there is none.
    Row(Option<Item>),
}

impl<T: Serialize + Send + Sync + 'static> WriteRecord<T> {
    pub(super) fn new(record: Record<T>, expected: Expected, value: Arc<T>) -> Self {
        Self { record, expected, value, expiry: Expiry::Kept, meta: None, looks: false }
    }

    /// Lets the record end at this time, or never.
    #[must_use]
    pub fn expires(mut self, at: Option<EpochSeconds>) -> Self {
        self.expiry = Expiry::Set(at);
        self
    }

    /// What else is to be known of the value from now on.
    #[must_use]
    pub fn meta(mut self, meta: Item) -> Self {
        self.meta = Some(meta);
        self
    }

    /// The write, and the version that it leaves if that is known.
    fn planned(&self, context: &Context, seen: &Seen) -> Result<(PlannedWrite, Written)> {
        let place = &self.record.place;
        let encoded = value::encode(context.table, place, &*self.value)?;
        let bytes = item_size_bytes(&encoded) + item_size_bytes(&place.key_item(context)?);
        let present = match seen {
            Seen::Unknown => None,
            Seen::Row(row) => {
                let row = row.as_ref().filter(|row| place.is_present(context, row));
                match (self.expected, row) {
                    (Expected::Version(_), None) => return Err(Error::NotFound { entity: KIND }),
                    (Expected::Version(version), Some(row))
                        if stored::version(place, row)? != version =>
                    {
                        return Err(place.changed());
                    }
                    (Expected::Anything, None) => return self.first(context, encoded, bytes),
                    (_, Some(row)) => Some(row),
                }
            }
        };
        let version = match (self.expected, present) {
            (Expected::Version(version), _) => version.unwrap_or(0) + 1,
            (Expected::Anything, Some(row)) => stored::version(place, row)?.unwrap_or(0) + 1,
            (Expected::Anything, None) => 0,
        };
        let (update, is_meta) = self.update(context, encoded, present);
        let is_expected = match self.expected {
            Expected::Anything => !place.expired(context),
            Expected::Version(version) => place.present(context).and(is_version(place, version)),
        };
        let condition = match is_meta {
            Some(is_meta) => is_expected.and(is_meta),
            None => is_expected,
        };
        let action = Action::Update(place.key_item(context)?, update);
        let mut planned = self.write(context, action, condition);
        planned.write.returns = Returns::New;
        Ok((planned, Written { version, bytes }))
    }

    /// The write of a record where there is none, or one that has expired.
    fn first(
        &self,
        context: &Context,
        encoded: Item,
        bytes: usize,
    ) -> Result<(PlannedWrite, Written)> {
        let place = &self.record.place;
        let expires = match self.expiry {
            Expiry::Kept => None,
            Expiry::Set(at) => at,
        };
        let row = first_row(context, place, encoded, expires, self.meta.as_ref())?;
        let planned = self.write(context, Action::Put(row), place.absent(context));
        Ok((planned, Written { version: 1, bytes }))
    }

    /// The update, and what must hold of the `meta` that it writes over.
    fn update(
        &self,
        context: &Context,
        encoded: Item,
        row: Option<&Item>,
    ) -> (Update, Option<Condition>) {
        let place = &self.record.place;
        let version = place.layout.version;
        let next = SetOperand::if_not_exists(version, 0).plus(1);
        let mut update = Update::new().set(version, next);
        let mut form = Item::new();
        for (attribute, value) in encoded {
            match value {
                AttributeValue::M(entries) if attribute == META => form = entries,
                value => update = update.set(path(attribute), value),
            }
        }
        match self.expiry {
            Expiry::Kept => {}
            Expiry::Set(Some(at)) => update = update.set(place.expiry(context), at.as_seconds()),
            Expiry::Set(None) => update = update.remove(place.expiry(context)),
        }
        if let Some((attribute, name)) = place.type_attribute(context) {
            update = update.set(path(attribute), name);
        }
        if let Some(former) = self.record.former {
            update = update.remove(former);
        }
        if !matches!(context.table.codec, Some(Codec::ValueRow)) && self.meta.is_none() {
            return (update, None);
        }
        let is_meta = match (&self.meta, row) {
            (Some(_), _) => None,
            (None, Some(row)) => Some(match row.get(META) {
                Some(meta) => path(META).eq(meta.clone()),
                None => attribute_not_exists(META),
            }),
            (None, None) => Some(attribute_not_exists(META).or(path(META).eq(compressed_only()))),
        };
        let mut meta = self.meta.clone().or_else(|| row.map(stored::meta)).unwrap_or_default();
        meta.extend(form);
        let update = match meta.is_empty() {
            true => update.remove(META),
            false => update.set(META, AttributeValue::M(meta)),
        };
        (update, is_meta)
    }

    fn write(&self, context: &Context, action: Action, condition: Condition) -> PlannedWrite {
        let place = &self.record.place;
        // Whether it was changed, is gone or only has a `meta` is found out by who looks.
        let changed = place.changed();
        place.write(context, action, condition, Box::new(move |_| changed))
    }
}

/// The `meta` of a row that says nothing but how its value is kept.
fn compressed_only() -> AttributeValue {
    AttributeValue::M(Item::from([(COMPRESSED.to_owned(), AttributeValue::Bool(true))]))
}

impl<T: Serialize + Send + Sync + 'static> Operation for WriteRecord<T> {
    fn label(&self) -> String {
        match self.expected {
            Expected::Anything => format!("put {}", self.record.place.name()),
            Expected::Version(_) => format!("replace {}", self.record.place.name()),
        }
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.looks.then(|| self.record.place.key_item(context)).transpose()
    }

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let seen = if self.looks { Seen::Row(row) } else { Seen::Unknown };
        let (mut planned, written) = self.planned(context, &seen)?;
        planned.write.returns = Returns::Nothing;
        let plan = Plan::new(vec![planned]);
        Ok(if written.version > 0 { plan.of(written) } else { plan })
    }

    fn looking(&self) -> Option<Box<dyn Operation>> {
        let looking = || Self {
            record: self.record.clone(),
            expected: self.expected,
            value: Arc::clone(&self.value),
            expiry: self.expiry,
            meta: self.meta.clone(),
            looks: true,
        };
        (!self.looks).then(|| Box::new(looking()) as Box<dyn Operation>)
    }
}

impl<T: Serialize + Send + Sync + 'static> Run for WriteRecord<T> {
    type Output = Written;

    async fn run(self, context: &Context) -> Result<Written> {
        let place = &self.record.place;
        let mut retry = Retry::new();
        let mut seen = Seen::Unknown;
        loop {
            let (mut planned, written) = self.planned(context, &seen)?;
            planned.failure = Box::new(|row| Error::ConditionFailed { entity: KIND, row });
            let row = match write::single(context, vec![planned]).await {
                Ok(answer) if written.version == 0 => {
                    let row = answer.into_item()?.unwrap_or_default();
                    let version = place.count(&row, place.layout.version)?;
                    return Ok(Written { version, ..written });
                }
                Ok(_) => return Ok(written),
                Err(Error::ConditionFailed { row, .. }) => row,
                Err(error) => return Err(error),
            };
            if matches!(seen, Seen::Row(_)) && !retry.pause(context, false).await? {
                return Err(place.changed());
            }
            seen = Seen::Row(match row {
                Some(row) => Some(*row),
                // Not every backend tells the row that a condition saw.
                None => write::read(context, place.key_item(context)?).await?,
            });
        }
    }
}
