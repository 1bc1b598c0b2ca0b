//! `update`: changes single attributes of a row without reading it.
//!
//! Generated code offers only safe setters, and sets fields that share an index key together; this
//! module derives the index keys from them and from the row's key.

mod keys;
mod range;
mod target;

use std::fmt;

use monotable_design::meta::{EntityMeta, WireType};
use monotable_expression as expression;
use monotable_expression::SetOperand;
use monotable_types::{AttributeValue, Item};
use serde::Serialize;

use self::keys::part_texts;
use self::range::{Limit, limited};
use self::target::Target;
use super::change::{has_derived_rows, own_row};
use super::erased::ErasedKey;
use super::operation::{self, Conditional, Leaves, When, left_or_returned};
use super::outcome::Outcome;
use super::plan::{Label, Plan, Planned};
use super::presence::{self, Presence, conflict_if_gone};
use super::send::refused;
use super::{index_keys, row};
use crate::backend::request::{Action, Returns};
use crate::codec;
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::key::KeyPart;

/// A change of single attributes. Generated builders wrap it:
/// `Player::update(&key).number(Some(9))`. Alone it returns the entity after the change.
pub type Update<E> = operation::Change<E, UpdatePlan>;

/// Plans an [`Update`].
#[derive(Clone)]
pub struct UpdatePlan {
    key: ErasedKey,
    changes: Vec<(u16, Change)>,
    parts: Vec<(u16, Option<PartTexts>)>,
    when: When,
    creates: bool,
    error: Option<Error>,
}

#[derive(Clone, Debug)]
enum Change {
    Set(AttributeValue),
    Remove,
    Add(i64),
}

/// The text of a key part in every padding that a template uses.
type PartTexts = Vec<(u8, String)>;

/// Generated builders of updates. They are operations themselves: `tx.add(Player::update(&key).number(7))`.
pub trait IntoUpdate: Send + 'static {
    /// The entity.
    type Entity: Entity;

    /// Returns the update.
    fn into_update(self) -> Update<Self::Entity>;
}

impl<E: Entity> Update<E> {
    /// Starts an update of the row with this key, without changes.
    pub fn new(key: &E::Key) -> Self {
        Self::planned(UpdatePlan {
            key: ErasedKey::new(key),
            changes: Vec::new(),
            parts: Vec::new(),
            when: When::default(),
            creates: false,
            error: None,
        })
    }

    /// Sets the field at a position, or removes it for `None`.
    pub fn set(mut self, position: u16, value: &(impl Serialize + ?Sized)) -> Self {
        self.plan.set(position, row::value(E::META, value));
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
        let texts = value.map(|value| part_texts(E::META, position, value)).transpose();
        self.plan.set_part(position, texts);
        self.set(position, &value)
    }

    /// Adds to a number.
    pub fn add(mut self, position: u16, by: i64) -> Self {
        self.plan.change(position, Change::Add(by));
        self
    }

    /// Creates the row if it does not exist. Generated builders require that the entity is
    /// [`Upsertable`](crate::Upsertable); the bound is not here, because one without a parameter
    /// cannot be false.
    pub fn or_create(mut self) -> Self {
        self.plan.creates = true;
        self
    }
}

impl Conditional for UpdatePlan {
    fn when(&mut self) -> &mut When {
        &mut self.when
    }
}

impl fmt::Debug for UpdatePlan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let meta = self.meta();
        let name = |position: &u16| meta.fields[usize::from(*position)].name;
        let changes: Vec<_> = self.changes.iter().map(|(field, to)| (name(field), to)).collect();
        formatter
            .debug_struct("Update")
            .field("entity", &meta.name)
            .field("changes", &changes)
            .field("when", &self.when)
            .field("or_create", &self.creates)
            .finish_non_exhaustive()
    }
}

impl UpdatePlan {
    fn meta(&self) -> &'static EntityMeta {
        self.key.entity.meta
    }

    fn set(&mut self, position: u16, value: Result<AttributeValue>) {
        match value {
            Ok(AttributeValue::Null) => self.change(position, Change::Remove),
            Ok(value) => self.change(position, Change::Set(value)),
            Err(error) => self.fail(error),
        }
    }

    fn set_part(&mut self, position: u16, texts: Result<Option<PartTexts>>) {
        match texts {
            Ok(texts) => {
                self.parts.retain(|(known, _)| *known != position);
                self.parts.push((position, texts));
            }
            Err(error) => self.fail(error),
        }
    }

    fn change(&mut self, position: u16, change: Change) {
        self.changes.retain(|(known, _)| *known != position);
        self.changes.push((position, change));
    }

    fn fail(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }

    /// Returns whether the row must be read first: because it has derived rows, because it may have
    /// expired and must be replaced, because only the row shows whether a key attribute stays, or
    /// because a new row is in an index by the default of a field.
    pub(super) fn reads_first(&self, context: &Context) -> bool {
        let meta = self.meta();
        let changes_expiry = self.changes.iter().any(|(position, _)| Some(*position) == meta.ttl);
        !meta.mirrors.is_empty()
            || has_derived_rows(meta) && (changes_expiry || self.creates)
            || self.creates && (Presence::of(context, meta).may_expire() || self.leaves_default())
            || self.leaves_shared_key(context)
    }

    /// Returns the writes, with the entity after the update if that is known before the response.
    fn plan_stamped(&self, context: &Context, seen: Option<Item>) -> Result<Plan> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let meta = self.meta();
        let key = self.key.item(context)?;
        let update = self.expression(context)?;
        let keys = self.index_keys(context)?;
        let when = self.when.tree()?;
        let presence = Presence::of(context, meta);
        let limits = self.limits();
        if self.reads_first(context) {
            let seen = seen.filter(|seen| presence.holds(Some(seen)));
            let row = seen.clone().unwrap_or_default();
            let refusal = limits.iter().find_map(|limit| limit.refusal(&row));
            if let Some(refusal) = refusal.filter(|_| seen.is_some() || self.creates) {
                return Err(refusal);
            }
            let target = Target { context, entity: self.key.entity, key, update, keys, when };
            return match seen {
                Some(seen) => {
                    let mut plan = target.over(seen)?;
                    // A row that is gone is created.
                    if let Some(own) = plan.writes.first_mut().filter(|_| self.creates) {
                        conflict_if_gone(meta, own);
                    }
                    Ok(plan)
                }
                None if self.creates => target.fresh(),
                None => Err(Error::NotFound { entity: meta.name }),
            };
        }
        let failure = presence::changed(context, meta, when.clone());
        let presence = if self.creates { presence.not_other() } else { Some(presence.present()) };
        let within = limits.iter().map(Limit::condition);
        let conditions = presence.into_iter().chain(when).chain(within);
        let condition = conditions.reduce(expression::Condition::and);
        let mut failure = limited(limits, self.creates, failure);
        if self.creates {
            failure = presence::not_replaced(context, meta, failure);
        }
        let action = Action::Update(key, index_keys::add(update, keys));
        Ok(Plan::new(vec![own_row(context, action, condition, Returns::New, failure)]))
    }

    /// Returns the limits that keep numbers in the ranges of their fields.
    fn limits(&self) -> Vec<Limit> {
        let meta = self.meta();
        let limit = |(position, change): &(u16, Change)| match change {
            Change::Add(by) => {
                let field = &meta.fields[usize::from(*position)];
                Limit::new(meta, field, row::attribute_of(meta, *position)?, *by)
            }
            Change::Set(_) | Change::Remove => None,
        };
        self.changes.iter().filter_map(limit).collect()
    }

    /// Returns the update of the entity's own row, without its keys in indexes.
    fn expression(&self, context: &Context) -> Result<expression::Update> {
        let meta = self.meta();
        let mut update = expression::Update::new();
        for (position, change) in &self.changes {
            let attribute = row::attribute_of(meta, *position).ok_or_else(|| {
                let field = meta.fields[usize::from(*position)].name;
                refused(format!(
                    "`{field}` of {} has no attribute of its own, so that only an edit can change it",
                    meta.name
                ))
            })?;
            update = match change {
                Change::Set(value) => update.set(attribute, value.clone()),
                Change::Remove => update.remove(attribute),
                Change::Add(by) => update.add(attribute, *by),
            };
            for alias in codec::aliases_of(meta, *position) {
                update = update.remove(*alias);
            }
        }
        let stored = |position: Option<u16>| row::attribute_of(meta, position?);
        if let Some(version) = stored(meta.version) {
            update = counted(meta, update, version);
        }
        if let Some(updated) = stored(meta.updated) {
            update = update.set(updated, now(context, meta, meta.updated)?);
        }
        if self.creates {
            if let Some(created) = stored(meta.created) {
                let now = now(context, meta, meta.created)?;
                update = update.set(created, SetOperand::if_not_exists(created, now));
            }
            for (attribute, value) in self.key_fields(context)? {
                update = update.set(attribute, value);
            }
            if let Some((attribute, name)) = row::type_attribute(context, meta.type_name) {
                update = update.set(attribute, name);
            }
        }
        Ok(update)
    }
}

/// Increments the version. If the row has it under a previous name, it continues from there.
fn counted(
    entity: &'static EntityMeta,
    update: expression::Update,
    attribute: &'static str,
) -> expression::Update {
    let aliases = entity.version.map_or(&[][..], |version| codec::aliases_of(entity, version));
    if aliases.is_empty() {
        return update.add(attribute, 1);
    }
    let none = SetOperand::from(AttributeValue::from(0));
    let old = |count, alias: &&'static str| SetOperand::if_not_exists(*alias, count);
    let count = SetOperand::if_not_exists(attribute, aliases.iter().rev().fold(none, old));
    let update = update.set(attribute, count.plus(AttributeValue::from(1)));
    aliases.iter().fold(update, |update, alias| update.remove(*alias))
}

/// Returns the current time as the field at a position stores it.
fn now(
    context: &Context,
    entity: &'static EntityMeta,
    position: Option<u16>,
) -> Result<AttributeValue> {
    let field = position.map(|position| &entity.fields[usize::from(position)]);
    match field.map(|field| field.wire_type) {
        Some(WireType::N) => row::value(entity, &context.now_seconds()),
        _ => row::value(entity, &context.now()),
    }
}

impl Planned for UpdatePlan {
    fn label(&self) -> Label {
        Label::new("update", self.meta().name)
    }

    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        self.reads_first(context).then(|| self.key.item(context)).transpose()
    }

    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan> {
        match self.stamped(context)? {
            Some(stamped) => stamped.plan_stamped(context, row),
            None => self.plan_stamped(context, row),
        }
    }

    fn is_blind(&self) -> bool {
        true
    }
}

impl Leaves for UpdatePlan {
    type Together<E: Entity> = ();
    type Alone<E: Entity> = E;

    fn alone<E: Entity>(context: &Context, outcome: Result<Outcome>) -> Result<E> {
        left_or_returned(context, outcome)
    }
}
