//! `update`: single attributes of a row that nobody read.
//!
//! Generated code offers only the setters that are safe, and sets fields that share an index key
//! together; here the index keys are made of them and of the row's key.

mod keys;
mod range;
mod target;

use std::fmt;
use std::sync::Arc;

use monotable_design::meta::WireType;
use monotable_expression as expression;
use monotable_expression::SetOperand;
use monotable_types::{AttributeValue, Item};
use serde::Serialize;

use self::keys::part_texts;
use self::range::{Limit, limited};
use self::target::Target;
use super::change::{has_rows_beside, own_row};
use super::execute::Planned;
use super::plan::{Operation, Plan};
use super::presence::{self, Presence, outrun};
use super::send::refused;
use super::{index_keys, row};
use crate::backend::request::{Action, Returns};
use crate::codec;
use crate::condition::Condition;
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::key::KeyPart;

/// A change of single attributes. Generated builders wrap it: `Player::update(&key).number(Some(9))`.
#[must_use = "an update does nothing until it is handed to a store or a transaction"]
pub struct Update<E: Entity> {
    key: E::Key,
    changes: Vec<(u16, Change)>,
    parts: Vec<(u16, Option<PartTexts>)>,
    condition: Option<Condition<E>>,
    creates: bool,
    error: Option<Error>,
}

#[derive(Clone, Debug)]
enum Change {
    Set(AttributeValue),
    Remove,
    Add(i64),
}

/// The text of a key part in every padding that a template asks for.
type PartTexts = Vec<(u8, String)>;

/// Generated builders of updates.
pub trait IntoUpdate {
    /// The entity.
    type Entity: Entity;

    /// The update.
    fn into_update(self) -> Update<Self::Entity>;
}

impl<E: Entity> IntoUpdate for Update<E> {
    type Entity = E;

    fn into_update(self) -> Self {
        self
    }
}

impl<E: Entity> fmt::Debug for Update<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |position: &u16| E::META.fields[usize::from(*position)].name;
        let changes: Vec<_> = self.changes.iter().map(|(field, to)| (name(field), to)).collect();
        formatter
            .debug_struct("Update")
            .field("entity", &E::META.name)
            .field("changes", &changes)
            .field("when", &self.condition)
            .field("or_create", &self.creates)
            .finish_non_exhaustive()
    }
}

impl<E: Entity> Clone for Update<E> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            changes: self.changes.clone(),
            parts: self.parts.clone(),
            condition: self.condition.clone(),
            creates: self.creates,
            error: self.error.clone(),
        }
    }
}

impl<E: Entity> Update<E> {
    /// An update of the row of this key that changes nothing yet.
    pub fn new(key: &E::Key) -> Self {
        Self {
            key: key.clone(),
            changes: Vec::new(),
            parts: Vec::new(),
            condition: None,
            creates: false,
            error: None,
        }
    }

    /// Sets the field at a position, or removes it for `None`.
    pub fn set(mut self, position: u16, value: &(impl Serialize + ?Sized)) -> Self {
        match row::value(E::META, value) {
            Ok(AttributeValue::Null) => self.change(position, Change::Remove),
            Ok(value) => self.change(position, Change::Set(value)),
            Err(error) => self.fail(error),
        }
        self
    }

    /// Sets a field that is part of index keys.
    pub fn set_part<V: KeyPart + Serialize>(self, position: u16, value: &V) -> Self {
        self.set_part_optional(position, Some(value))
    }

    /// Sets or removes a field that is part of index keys.
    pub fn set_part_optional<V: KeyPart + Serialize>(
        mut self,
        position: u16,
        value: Option<&V>,
    ) -> Self {
        let texts = value.map(|value| part_texts::<E, V>(position, value)).transpose();
        match texts {
            Ok(texts) => {
                self.parts.retain(|(known, _)| *known != position);
                self.parts.push((position, texts));
            }
            Err(error) => self.fail(Error::Key { entity: E::META.name, error }),
        }
        self.set(position, &value)
    }

    /// Adds to a number.
    pub fn add(mut self, position: u16, by: i64) -> Self {
        self.change(position, Change::Add(by));
        self
    }

    /// Only if this holds of the row; every condition that was added must hold.
    pub fn when(mut self, condition: Condition<E>) -> Self {
        self.condition = Some(match self.condition.take() {
            Some(known) => known.and(condition),
            None => condition,
        });
        self
    }

    /// Creates the row if there is none. Generated builders ask that the entity is
    /// [`Upsertable`](crate::Upsertable): a bound without a parameter can't be false, so that it is not
    /// here.
    pub fn or_create(mut self) -> Self {
        self.creates = true;
        self
    }

    fn change(&mut self, position: u16, change: Change) {
        self.changes.retain(|(known, _)| *known != position);
        self.changes.push((position, change));
    }

    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }

    /// Whether the row must be seen first: because other rows change with it, because it may have
    /// expired and is to be created anew, because only the row tells whether a key attribute stays, or
    /// because a new row is in an index by the default of a field.
    pub(super) fn reads_first(&self, context: &Context) -> bool {
        let changes_expiry =
            self.changes.iter().any(|(position, _)| Some(*position) == E::META.ttl);
        !E::META.mirrors.is_empty()
            || has_rows_beside(E::META) && (changes_expiry || self.creates)
            || self.creates && (E::META.ttl.is_some() || self.leaves_default())
            || self.leaves_shared_key(context)
    }

    pub(super) fn key(&self, context: &Context) -> Result<Item> {
        context.primary_key(E::META, &self.key)
    }

    /// The writes; with the entity as it is then, if that is known before the answer.
    pub(super) fn plan(&self, context: &Context, seen: Option<Item>) -> Result<Planned<Option<E>>> {
        match self.stamped(context)? {
            Some(stamped) => stamped.plan_stamped(context, seen),
            None => self.plan_stamped(context, seen),
        }
    }

    fn plan_stamped(&self, context: &Context, seen: Option<Item>) -> Result<Planned<Option<E>>> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let key = self.key(context)?;
        let update = self.expression(context)?;
        let keys = self.index_keys(context)?;
        let when = self.condition.clone().map(Condition::into_tree).transpose()?;
        let presence = Presence::of(context, E::META);
        let limits = self.limits();
        if self.reads_first(context) {
            let seen = seen.filter(|seen| presence.holds(Some(seen)));
            let row = seen.clone().unwrap_or_default();
            let refusal = limits.iter().find_map(|limit| limit.refusal(&row));
            if let Some(refusal) = refusal.filter(|_| seen.is_some() || self.creates) {
                return Err(refusal);
            }
            let target = Target { context, key, update, keys, when };
            return match seen {
                Some(seen) => {
                    let mut planned = target.over(seen)?;
                    // A row that is gone is one that is created.
                    if let Some(own) = planned.0.first_mut().filter(|_| self.creates) {
                        outrun(E::META, own);
                    }
                    Ok(planned)
                }
                None if self.creates => target.fresh(),
                None => Err(Error::NotFound { entity: E::META.name }),
            }
            .map(|(writes, entity)| (writes, Some(entity)));
        }
        let failure = presence::changed(context, E::META, when.clone());
        let presence = if self.creates { presence.not_expired() } else { Some(presence.present()) };
        let within = limits.iter().map(Limit::condition);
        let conditions = presence.into_iter().chain(when).chain(within);
        let condition = conditions.reduce(expression::Condition::and);
        let failure = limited(limits, self.creates, failure);
        let action = Action::Update(key, index_keys::add(update, keys));
        Ok((vec![own_row(context, action, condition, Returns::New, failure)], None))
    }

    /// What keeps the numbers that are added to in the ranges of their fields.
    fn limits(&self) -> Vec<Limit> {
        let limit = |(position, change): &(u16, Change)| match change {
            Change::Add(by) => {
                let field = &E::META.fields[usize::from(*position)];
                Limit::new(E::META, field, row::attribute_of(E::META, *position)?, *by)
            }
            Change::Set(_) | Change::Remove => None,
        };
        self.changes.iter().filter_map(limit).collect()
    }

    /// The update of the entity's own row, but for its keys in indexes.
    fn expression(&self, context: &Context) -> Result<expression::Update> {
        let mut update = expression::Update::new();
        for (position, change) in &self.changes {
            let attribute = row::attribute_of(E::META, *position).ok_or_else(|| {
                let field = E::META.fields[usize::from(*position)].name;
                refused(format!(
                    "`{field}` of {} has no attribute of its own, so that only an edit can change it",
                    E::META.name
                ))
            })?;
            update = match change {
                Change::Set(value) => update.set(attribute, value.clone()),
                Change::Remove => update.remove(attribute),
                Change::Add(by) => update.add(attribute, *by),
            };
            for alias in codec::aliases_of(E::META, *position) {
                update = update.remove(*alias);
            }
        }
        let stored = |position: Option<u16>| row::attribute_of(E::META, position?);
        if let Some(version) = stored(E::META.version) {
            update = counted::<E>(update, version);
        }
        if let Some(updated) = stored(E::META.updated) {
            update = update.set(updated, now::<E>(context, E::META.updated)?);
        }
        if self.creates {
            if let Some(created) = stored(E::META.created) {
                let now = now::<E>(context, E::META.created)?;
                update = update.set(created, SetOperand::if_not_exists(created, now));
            }
            for (attribute, value) in self.key_fields(context)? {
                update = update.set(attribute, value);
            }
            if let Some((attribute, name)) = row::type_attribute(context, E::META.type_name) {
                update = update.set(attribute, name);
            }
        }
        Ok(update)
    }
}

/// Counts a change. A row in which the version has an old name counts on from there.
fn counted<E: Entity>(update: expression::Update, attribute: &'static str) -> expression::Update {
    let aliases = E::META.version.map_or(&[][..], |version| codec::aliases_of(E::META, version));
    if aliases.is_empty() {
        return update.add(attribute, 1);
    }
    let none = SetOperand::from(AttributeValue::from(0));
    let old = |count, alias: &&'static str| SetOperand::if_not_exists(*alias, count);
    let count = SetOperand::if_not_exists(attribute, aliases.iter().rev().fold(none, old));
    let update = update.set(attribute, count.plus(AttributeValue::from(1)));
    aliases.iter().fold(update, |update, alias| update.remove(*alias))
}

/// The time as the field at a position holds it.
fn now<E: Entity>(context: &Context, position: Option<u16>) -> Result<AttributeValue> {
    let field = position.map(|position| &E::META.fields[usize::from(position)]);
    match field.map(|field| field.wire_type) {
        Some(WireType::N) => row::value(E::META, &context.now_seconds()),
        _ => row::value(E::META, &context.now()),
    }
}

impl<E: Entity> Operation for Update<E> {
    fn label(&self) -> String {
        format!("update {}", E::META.name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        match self.reads_first(context) {
            true => self.key(context).map(Some),
            false => Ok(None),
        }
    }

    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan> {
        let (writes, entity) = Self::plan(self, context, row)?;
        let entity = entity.map(|entity| Arc::new(entity) as Arc<_>);
        Ok(Plan { writes, entity })
    }

    fn is_blind(&self) -> bool {
        true
    }
}
