//! Entities that deliberately share primary keys, because K01 is allowed. A key does not determine
//! the entity of such a row, so reads and writes compare its type.

use super::report::permission;
use super::rows::{table_row, table_row_count};
use crate::meta::{Allow, EntityMeta, RuleMeta};
use crate::rules;

/// Those of a table's `N` entities that can have the primary key of another row.
#[derive(Clone, Copy, Debug)]
pub struct SharedKeys<const N: usize> {
    entities: [&'static EntityMeta; N],
    count: usize,
}

impl<const N: usize> SharedKeys<N> {
    /// Finds them among the entities of a table. Without a permission there are none: two entities
    /// with one key do not compile, nor do an entity and a rule.
    pub const fn of(
        entities: &[&'static EntityMeta],
        rule_keys: &[&'static RuleMeta],
        table_allows: &'static [Allow],
    ) -> Self {
        const NONE: &EntityMeta = &EntityMeta::unreadable("");
        let mut shared = Self { entities: [NONE; N], count: 0 };
        let is_with_entities = is_allowed(entities, table_allows);
        let mut at = 0;
        while at < entities.len() {
            if (is_with_entities && shares_key(entities, at))
                || shares_key_with_rule(entities[at], rule_keys, table_allows)
            {
                shared.entities[shared.count] = entities[at];
                shared.count += 1;
            }
            at += 1;
        }
        shared
    }

    /// Returns the entities.
    pub const fn entities(&self) -> &[&'static EntityMeta] {
        self.entities.split_at(self.count).0
    }
}

const fn is_allowed(entities: &[&'static EntityMeta], table_allows: &'static [Allow]) -> bool {
    let mut entities = entities;
    while let [entity, rest @ ..] = entities {
        if permission(&rules::K01, &[entity.allows]).is_some() {
            return true;
        }
        entities = rest;
    }
    permission(&rules::K01, &[table_allows]).is_some()
}

/// Returns whether some row of an entity can have the key of a rule that is permitted to.
const fn shares_key_with_rule(
    entity: &EntityMeta,
    rule_keys: &[&'static RuleMeta],
    table_allows: &'static [Allow],
) -> bool {
    let mut rule_keys = rule_keys;
    while let [rule, rest @ ..] = rule_keys {
        let is_permitted =
            permission(&rules::K01, &[rule.row.allows, entity.allows, table_allows]).is_some();
        if is_permitted && !entity.reads_rule(&rule.row) && share_key(entity, &rule.row) {
            return true;
        }
        rule_keys = rest;
    }
    false
}

/// Returns whether a row of one and a row of the other can have the same key.
const fn share_key(entity: &EntityMeta, other: &EntityMeta) -> bool {
    let mut mine = 0;
    while mine < table_row_count(entity) {
        let mut theirs = 0;
        while theirs < table_row_count(other) {
            if let Some(row) = table_row(entity, mine)
                && let Some(other) = table_row(other, theirs)
                && row.shares_key(other)
            {
                return true;
            }
            theirs += 1;
        }
        mine += 1;
    }
    false
}

/// Returns whether some row of the entity at a position can have the key of another row of the table.
const fn shares_key(entities: &[&'static EntityMeta], position: usize) -> bool {
    let mut at = 0;
    while at < entities.len() {
        let mut mine = 0;
        while mine < table_row_count(entities[position]) {
            let mut theirs = 0;
            while theirs < table_row_count(entities[at]) {
                if let Some(row) = table_row(entities[position], mine)
                    && let Some(other) = table_row(entities[at], theirs)
                    && !(at == position && mine == theirs)
                    && row.shares_key(other)
                {
                    return true;
                }
                theirs += 1;
            }
            mine += 1;
        }
        at += 1;
    }
    false
}
