//! Checks: conditions on rows that a transaction does not write.

use monotable_types::Item;

use super::change::own_row;
use super::plan::{Operation, Plan};
use super::presence::{self, Presence};
use crate::backend::request::{Action, Returns};
use crate::condition::Condition;
use crate::context::Context;
use crate::entity::{Entity, EntityKey};
use crate::error::Result;

/// The row of a key must be there and fulfil a condition.
pub(super) struct Check<K: EntityKey> {
    pub(super) key: K,
    pub(super) condition: Condition<K::Entity>,
}

impl<K: EntityKey> Operation for Check<K> {
    fn label(&self) -> String {
        format!("check {}", K::Entity::META.name)
    }

    fn plan(&self, context: &Context, _: Option<Item>) -> Result<Plan> {
        let entity = K::Entity::META;
        let key = context.primary_key(entity, &self.key)?;
        let condition = self.condition.clone().into_tree()?;
        let failure = presence::changed(context, entity, Some(condition.clone()));
        let condition = Presence::of(context, entity).present().and(condition);
        let action = Action::Check(key);
        let write = own_row(context, action, Some(condition), Returns::Nothing, failure);
        Ok(Plan::new(vec![write]))
    }
}

/// There must be no row of a key.
pub(super) struct CheckAbsent<K>(pub(super) K);

impl<K: EntityKey> Operation for CheckAbsent<K> {
    fn label(&self) -> String {
        format!("check that there is no {}", K::Entity::META.name)
    }

    fn plan(&self, context: &Context, _: Option<Item>) -> Result<Plan> {
        let entity = K::Entity::META;
        let action = Action::Check(context.primary_key(entity, &self.0)?);
        let condition = Some(Presence::of(context, entity).absent());
        let failure = presence::exists(entity.name);
        let write = own_row(context, action, condition, Returns::Nothing, failure);
        Ok(Plan::new(vec![write]))
    }
}
