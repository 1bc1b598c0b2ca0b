//! Writes a record: a new one, over a known version, or unconditionally.
//!
//! The writes read the previous row only if necessary: a row with its own `meta` is read first,
//! because that attribute also contains the mark of compression.

use std::sync::Arc;

use monotable_design::meta::Codec;
use monotable_expression::{Condition, SetOperand, Update, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item, item_size_bytes};
use serde::Serialize;

use super::{KIND, RecordRow, stored};
use crate::backend::request::{Action, Returns};
use crate::codec::{COMPRESSED, META};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::retry::{Cause, Retry};
use crate::rows::key::RuleKey;
use crate::rows::operation::{InTransaction, RuleOperation};
use crate::rows::row::{RuleRow, insert_expiry};
use crate::rows::run::RunRule;
use crate::rows::value;
use crate::time::EpochSeconds;
use crate::write::{self, Label, Plan, Planned, PlannedWrite};

/// The result of writing a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The version of the record.
    pub version: u64,
    /// The size of its key and value in the table.
    pub bytes: usize,
}

/// Tests that the row has this version, or none.
pub(super) fn is_version(rule: &RuleRow, version: Option<u64>) -> Condition {
    match version {
        Some(version) => path(rule.attributes.version).eq(version),
        None => attribute_not_exists(rule.attributes.version),
    }
}

/// Returns the row of a new record.
fn first_row(
    context: &Context,
    rule: &RuleRow,
    encoded: Item,
    expires: Option<EpochSeconds>,
    meta: Option<&Item>,
) -> Result<Item> {
    let mut row = rule.row(context)?;
    row.extend(encoded);
    if let Some(meta) = meta.filter(|meta| !meta.is_empty()) {
        let mut meta = meta.clone();
        if let Some(AttributeValue::M(form)) = row.remove(META) {
            meta.extend(form);
        }
        row.insert(META.to_owned(), AttributeValue::M(meta));
    }
    row.insert(rule.attributes.version.to_owned(), 1.into());
    insert_expiry(&mut row, rule.expiry(context), expires);
    Ok(row)
}

/// Writes a new record. Made by [`Record::create`](super::Record::create).
#[derive(Debug)]
pub struct CreateRecord<T> {
    rule: RuleRow,
    value: T,
    expires: Option<EpochSeconds>,
    meta: Option<Item>,
}

impl<T: Serialize + Send + Sync + 'static> CreateRecord<T> {
    pub(super) fn new(rule: RuleRow, value: T) -> Self {
        Self { rule, value, expires: None, meta: None }
    }

    fn planned(&self, context: &Context) -> Result<(PlannedWrite, Written)> {
        let encoded = value::encode(context.table, &self.rule, &self.value)?;
        let row = first_row(context, &self.rule, encoded, self.expires, self.meta.as_ref())?;
        let written = Written { version: 1, bytes: item_size_bytes(&row) };
        let failure = Box::new(|_| Error::Exists { entity: KIND });
        let condition = self.rule.absent(context);
        Ok((self.rule.write(context, Action::Put(row), condition, failure), written))
    }
}

impl<T: Serialize + Send + Sync + 'static> InTransaction for CreateRecord<T> {
    type Output = Written;
}

impl<T: Serialize + Send + Sync + 'static> Planned for CreateRecord<T> {
    fn label(&self) -> Label {
        Label::new("create", self.rule.kind)
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        let (planned, written) = self.planned(context)?;
        Ok(Plan::new(vec![planned]).of(written))
    }
}

impl<T: Serialize + Send + Sync + 'static> RunRule for CreateRecord<T> {
    type Output = Written;

    async fn run(self, context: &Context) -> Result<Written> {
        let (planned, written) = self.planned(context)?;
        write::single(context, vec![planned]).await?;
        Ok(written)
    }
}

impl<K: RuleKey, T> RuleOperation<K, CreateRecord<T>> {
    /// Sets when the record expires.
    pub fn expires(mut self, at: EpochSeconds) -> Self {
        self.operation.expires = Some(at);
        self
    }

    /// Sets additional information about the value.
    pub fn meta(mut self, meta: Item) -> Self {
        self.operation.meta = Some(meta);
        self
    }
}

/// The expected state of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Anything,
    Version(Option<u64>),
}

/// What happens to the expiry of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expiry {
    Kept,
    Set(Option<EpochSeconds>),
}

/// Writes another value into a record. Made by [`Record::replace`](super::Record::replace) and [`Record::put`](super::Record::put).
#[derive(Debug)]
pub struct WriteRecord<T> {
    record: RecordRow<T>,
    expected: Expected,
    value: Arc<T>,
    expiry: Expiry,
    meta: Option<Item>,
    looks: bool,
}

impl<K: RuleKey, T> RuleOperation<K, WriteRecord<T>> {
    /// Sets when the record expires, or that it never does.
    pub fn expires(mut self, at: Option<EpochSeconds>) -> Self {
        self.operation.expiry = Expiry::Set(at);
        self
    }

    /// Replaces the additional information about the value.
    pub fn meta(mut self, meta: Item) -> Self {
        self.operation.meta = Some(meta);
        self
    }
}

/// What is known of the previous row.
#[derive(Debug)]
enum Seen {
    /// It has not been read.
    Unknown,
    /// It is this one, or absent.
    Row(Option<Item>),
}

impl<T: Serialize + Send + Sync + 'static> WriteRecord<T> {
    pub(super) fn new(record: RecordRow<T>, expected: Expected, value: Arc<T>) -> Self {
        Self { record, expected, value, expiry: Expiry::Kept, meta: None, looks: false }
    }

    /// Returns the write, and the version after it if that is known.
    fn planned(&self, context: &Context, seen: &Seen) -> Result<(PlannedWrite, Written)> {
        let rule = &self.record.rule;
        let encoded = value::encode(context.table, rule, &*self.value)?;
        let bytes = item_size_bytes(&encoded) + item_size_bytes(&rule.key_item(context)?);
        let present = match seen {
            Seen::Unknown => None,
            Seen::Row(row) => {
                let row = row.as_ref().filter(|row| rule.is_present(context, row));
                match (self.expected, row) {
                    (Expected::Version(_), None) => return Err(Error::NotFound { entity: KIND }),
                    (Expected::Version(version), Some(row))
                        if stored::version(rule, row)? != version =>
                    {
                        return Err(rule.changed());
                    }
                    (Expected::Anything, None) => return self.first(context, encoded, bytes),
                    (_, Some(row)) => Some(row),
                }
            }
        };
        let version = match (self.expected, present) {
            (Expected::Version(version), _) => version.unwrap_or(0) + 1,
            (Expected::Anything, Some(row)) => stored::version(rule, row)?.unwrap_or(0) + 1,
            (Expected::Anything, None) => 0,
        };
        let (update, is_meta) = self.update(context, encoded, present);
        let is_expected = match self.expected {
            Expected::Anything => !rule.expired(context),
            Expected::Version(version) => rule.present(context).and(is_version(rule, version)),
        };
        let condition = match is_meta {
            Some(is_meta) => is_expected.and(is_meta),
            None => is_expected,
        };
        let action = Action::Update(rule.key_item(context)?, update);
        let mut planned = self.write(context, action, condition);
        planned.write.returns = Returns::New;
        Ok((planned, Written { version, bytes }))
    }

    /// Returns the write of a record that does not exist or has expired.
    fn first(
        &self,
        context: &Context,
        encoded: Item,
        bytes: usize,
    ) -> Result<(PlannedWrite, Written)> {
        let rule = &self.record.rule;
        let expires = match self.expiry {
            Expiry::Kept => None,
            Expiry::Set(at) => at,
        };
        let row = first_row(context, rule, encoded, expires, self.meta.as_ref())?;
        let planned = self.write(context, Action::Put(row), rule.absent(context));
        Ok((planned, Written { version: 1, bytes }))
    }

    /// Returns the update, and the condition on the `meta` that it replaces.
    fn update(
        &self,
        context: &Context,
        encoded: Item,
        row: Option<&Item>,
    ) -> (Update, Option<Condition>) {
        let rule = &self.record.rule;
        let version = rule.attributes.version;
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
            Expiry::Set(Some(at)) => update = update.set(rule.expiry(context), at.as_seconds()),
            Expiry::Set(None) => update = update.remove(rule.expiry(context)),
        }
        if let Some((attribute, name)) = rule.type_attribute(context) {
            update = update.set(path(attribute), name);
        }
        if let Some(former) = rule.attributes.former_value {
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
        let update = if meta.is_empty() {
            update.remove(META)
        } else {
            update.set(META, AttributeValue::M(meta))
        };
        (update, is_meta)
    }

    fn write(&self, context: &Context, action: Action, condition: Condition) -> PlannedWrite {
        let rule = &self.record.rule;
        // The caller finds out whether the row was changed, was removed, or only has its own
        // `meta`.
        let changed = rule.changed();
        rule.write(context, action, condition, Box::new(move |_| changed))
    }
}

/// Returns the `meta` of a row that contains only the mark of compression.
fn compressed_only() -> AttributeValue {
    AttributeValue::M(Item::from([(COMPRESSED.to_owned(), AttributeValue::Bool(true))]))
}

impl<T: Serialize + Send + Sync + 'static> InTransaction for WriteRecord<T> {
    type Output = Option<Written>;
}

impl<T: Serialize + Send + Sync + 'static> Planned for WriteRecord<T> {
    fn label(&self) -> Label {
        let operation = match self.expected {
            Expected::Anything => "put",
            Expected::Version(_) => "replace",
        };
        Label::new(operation, self.record.rule.kind)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.looks.then(|| self.record.rule.key_item(context)).transpose()
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let seen = if self.looks { Seen::Row(row) } else { Seen::Unknown };
        let (mut planned, written) = self.planned(context, &seen)?;
        planned.write.returns = Returns::Nothing;
        let plan = Plan::new(vec![planned]);
        Ok(plan.of((written.version > 0).then_some(written)))
    }

    fn reading_first(&self) -> Option<Box<dyn Planned>> {
        let looking = || Self {
            record: self.record.clone(),
            expected: self.expected,
            value: Arc::clone(&self.value),
            expiry: self.expiry,
            meta: self.meta.clone(),
            looks: true,
        };
        (!self.looks).then(|| Box::new(looking()) as Box<dyn Planned>)
    }
}

impl<T: Serialize + Send + Sync + 'static> RunRule for WriteRecord<T> {
    type Output = Written;

    async fn run(self, context: &Context) -> Result<Written> {
        let rule = &self.record.rule;
        let mut retry = Retry::new();
        let mut seen = Seen::Unknown;
        loop {
            let (mut planned, written) = self.planned(context, &seen)?;
            planned.failure = Box::new(|row| Error::ConditionFailed { entity: KIND, row });
            let row = match write::single(context, vec![planned]).await {
                Ok(response) if written.version == 0 => {
                    let row = response.into_item()?.unwrap_or_default();
                    let version = rule.count(&row, rule.attributes.version)?;
                    return Ok(Written { version, ..written });
                }
                Ok(_) => return Ok(written),
                Err(Error::ConditionFailed { row, .. }) => row,
                Err(error) => return Err(error),
            };
            if matches!(seen, Seen::Row(_))
                && !retry.pause(&*context.backend, Cause::Contended).await?
            {
                return Err(rule.changed());
            }
            seen = Seen::Row(match row {
                Some(row) => Some(*row),
                // Not every backend returns the row that a condition was evaluated on.
                None => write::read(context, rule.key_item(context)?).await?,
            });
        }
    }
}
