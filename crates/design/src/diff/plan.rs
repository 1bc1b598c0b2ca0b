//! Orders the steps of changes so that a live table stays readable: first decisions, then
//! additions, then backfills, then readers, and removals last.

use std::fmt::Write as _;

use super::change::{Change, EntityChange, FieldChange, FieldLocation, OldName};
use super::step::Step;
use super::words::{codes, mirror_text, wire_word};
use crate::ir::{EntityIndex, Index, IndexKind, WireType};

/// Steps in the order in which they are to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The steps; none if nothing needs to be done.
    pub steps: Vec<Step>,
}

impl Plan {
    /// Returns the plan as a numbered list, with a newline at the end of each step.
    pub fn to_markdown(&self) -> String {
        let mut document = String::new();
        for (number, step) in (1..).zip(&self.steps) {
            // Writing to a `String` does not fail.
            let _ = writeln!(document, "{number}. {step}");
        }
        document
    }
}

/// Returns what to do about changes.
pub fn plan(changes: &[Change]) -> Plan {
    let mut draft = Draft::default();
    for change in changes {
        draft.table(change, changes);
    }
    draft.plan()
}

/// Texts about entities, each entity once.
type ByEntity = Vec<(String, Vec<String>)>;

/// Steps by their position in the plan.
#[derive(Default)]
struct Draft {
    migrations: Vec<Step>,
    tolerated: ByEntity,
    created: Vec<Step>,
    rewritten: ByEntity,
    backfilled: ByEntity,
    verified: ByEntity,
    expiry: Vec<Step>,
    deleted_indexes: Vec<Step>,
    deleted_rows: Vec<Step>,
    removed: ByEntity,
}

impl Draft {
    fn plan(mut self) -> Plan {
        for (entity, _) in &self.backfilled {
            let claim =
                "a second backfill repairs nothing, finds no conflict and passes over no row"
                    .to_owned();
            note(&mut self.verified, entity, claim);
        }
        let is_filled = !self.rewritten.is_empty() || !self.backfilled.is_empty();
        let is_cleaned = !self.deleted_indexes.is_empty()
            || !self.deleted_rows.is_empty()
            || !self.removed.is_empty();
        let is_waited_for = is_filled || !self.created.is_empty() || !self.verified.is_empty();
        let mut steps = self.migrations;
        let tolerated = self.tolerated.into_iter();
        steps.extend(tolerated.map(|(entity, reasons)| Step::Tolerate { entity, reasons }));
        steps.extend(self.created);
        steps.extend(is_filled.then_some(Step::DeployWriters));
        let rewritten = self.rewritten.into_iter();
        steps.extend(rewritten.map(|(entity, reasons)| Step::Rewrite { entity, reasons }));
        let backfilled = self.backfilled.into_iter();
        steps.extend(backfilled.map(|(entity, writes)| Step::Backfill { entity, writes }));
        let verified = self.verified.into_iter();
        steps.extend(verified.map(|(entity, claims)| Step::Verify { entity, claims }));
        steps.extend(self.expiry);
        steps.extend((is_waited_for || is_cleaned).then_some(Step::DeployReaders));
        steps.extend(self.deleted_indexes);
        steps.extend(self.deleted_rows);
        let removed = self.removed.into_iter();
        steps.extend(
            removed.map(|(entity, attributes)| Step::RemoveAttributes { entity, attributes }),
        );
        Plan { steps }
    }

    fn migrate(&mut self, what: &Change, why: &str, instead: &str) {
        let (what, why, instead) = (what.to_string(), why.to_owned(), instead.to_owned());
        self.migrations.push(Step::Migrate { what, why, instead });
    }

    fn rewrite(&mut self, entity: &str, reason: String, claim: String) {
        note(&mut self.rewritten, entity, reason);
        note(&mut self.verified, entity, claim);
    }

    fn backfill(&mut self, entity: &str, what: String) {
        note(&mut self.backfilled, entity, what);
    }

    fn table(&mut self, change: &Change, all: &[Change]) {
        match change {
            Change::TableName { .. } => self.migrate(
                change,
                "a table can't be renamed",
                "keep the name, or create the other table and copy every row",
            ),
            Change::TableKey { .. } => self.migrate(
                change,
                "the key of a table is fixed when it is created",
                "keep the names, or create another table and copy every row",
            ),
            Change::TypeAttribute { from, to, entities } => {
                for entity in entities {
                    if let Some(to) = to {
                        self.backfill(entity, format!("the type of the row to `{to}`"));
                    }
                    if let Some(from) = from {
                        note(&mut self.removed, entity, from.clone());
                    }
                }
            }
            Change::TtlAttribute { from, to } => {
                self.expiry.extend(expiry(from.clone(), to.clone()));
            }
            Change::IndexAdded(index) => self.index_added(change, index),
            Change::IndexChanged { to, .. } => {
                let instead = match to.kind {
                    IndexKind::Global => {
                        "declare it under another name and leave the old one until nothing reads it"
                    }
                    IndexKind::Local => "create another table and copy every row",
                };
                self.migrate(change, "an index is never changed after it is created", instead);
            }
            Change::IndexRemoved(index) => match index.kind {
                IndexKind::Global => {
                    self.deleted_indexes.push(Step::DeleteIndex { index: index.name.clone() });
                }
                IndexKind::Local => self.migrate(
                    change,
                    "a local index goes with its table only",
                    "leave it, or create another table and copy every row",
                ),
            },
            Change::EntityRemoved { entity, has_more_rows } => {
                let more = if *has_more_rows {
                    ", and the rows of its unique constraints and mirrors"
                } else {
                    ""
                };
                let rows = format!("every {entity} row{more}");
                self.deleted_rows.push(Step::DeleteRows { rows });
            }
            Change::RuleRemoved(rule) => {
                let rows = format!("every row of the rule key {rule}");
                self.deleted_rows.push(Step::DeleteRows { rows });
            }
            Change::RuleChanged(_) => self.migrate(
                change,
                "a rule finds its rows only as it writes them",
                "keep keys and attributes, or move the rows while nothing runs the rule",
            ),
            Change::Entity { entity, change: what } => self.entity(entity, what, change, all),
            Change::EntityAdded(_)
            | Change::EntityRenamed { .. }
            | Change::RuleAdded(_)
            | Change::PatternAdded(_)
            | Change::PatternRemoved(_)
            | Change::PatternChanged(_) => {}
        }
    }

    fn index_added(&mut self, change: &Change, index: &Index) {
        match index.kind {
            IndexKind::Global => self.created.push(Step::CreateIndex(index.clone())),
            IndexKind::Local => self.migrate(
                change,
                "a local index is created with its table only",
                "declare a global index, or create another table and copy every row",
            ),
        }
    }

    fn entity(&mut self, entity: &str, what: &EntityChange, change: &Change, all: &[Change]) {
        match what {
            EntityChange::TypeName { is_stored: true, .. } => self.migrate(
                change,
                "rows with the old type are no longer read",
                "keep the old type with `#[entity(type = \"…\")]`, or write the new one into every \
                 row before readers ask for it",
            ),
            EntityChange::Codec { .. } => self.migrate(
                change,
                "rows of the old form can't be read in the new one",
                "declare a new entity in addition to this one, copy every row, and then remove this one",
            ),
            EntityChange::Key { .. } => self.migrate(
                change,
                "the key of a row can't be changed",
                "declare a new entity with the new key beside this one, write both, copy every row, \
                 and remove this one then",
            ),
            EntityChange::IndexKeysAdded { index, is_derived: true }
            | EntityChange::IndexKeysChanged { to: EntityIndex { index, .. }, .. } => {
                self.backfill(entity, format!("the keys of index {index}"));
            }
            EntityChange::IndexKeysRemoved { attributes, .. } => {
                for attribute in attributes {
                    note(&mut self.removed, entity, attribute.clone());
                }
            }
            EntityChange::UniqueAdded(name) => self.sentinels(entity, name),
            EntityChange::UniqueChanged { from, to, is_moved: true } => {
                self.sentinels(entity, &to.name);
                if (&from.partition, &from.sort) != (&to.partition, &to.sort) {
                    let which = format!(" under `{}` / `{}`", from.partition, from.sort);
                    self.delete_sentinels(entity, &from.name, &which);
                }
            }
            EntityChange::UniqueRemoved(name) => self.delete_sentinels(entity, name, ""),
            EntityChange::MirrorAdded(mirror) => {
                self.backfill(entity, format!("the row written {}", mirror_text(mirror)));
            }
            EntityChange::MirrorRemoved(mirror) => {
                // Its rows go with the entity.
                let is_gone = |change: &Change| {
                    matches!(change, Change::EntityRemoved { entity, .. } if *entity == mirror.entity)
                };
                if !all.iter().any(is_gone) {
                    let rows = format!("the rows of {entity} written {}", mirror_text(mirror));
                    self.deleted_rows.push(Step::DeleteRows { rows });
                }
            }
            EntityChange::Field { field, change: what } => self.field(entity, field, what, change),
            EntityChange::TypeName { is_stored: false, .. }
            | EntityChange::IndexKeysAdded { is_derived: false, .. }
            | EntityChange::UniqueChanged { is_moved: false, .. }
            | EntityChange::Role { .. } => {}
        }
    }

    fn tolerate_absence(&mut self, entity: &str, field: &str) {
        note(&mut self.tolerated, entity, format!("give `{field}` a `#[serde(default)]`"));
    }

    fn sentinels(&mut self, entity: &str, constraint: &str) {
        self.backfill(entity, format!("the rows of the unique constraint `{constraint}`"));
    }

    fn delete_sentinels(&mut self, entity: &str, constraint: &str, which: &str) {
        let rows = format!("the rows of the unique constraint `{constraint}` of {entity}{which}");
        self.deleted_rows.push(Step::DeleteRows { rows });
    }

    fn field(&mut self, entity: &str, field: &str, what: &FieldChange, change: &Change) {
        match what {
            FieldChange::Added { is_required: true } | FieldChange::Required => {
                let reason = format!(
                    "rows may lack `{field}`, so let it have a `#[serde(default)]` until all have it"
                );
                self.rewrite(entity, reason, format!("every row has `{field}`"));
            }
            FieldChange::Removed { attribute: Some(attribute), renamed_to, .. }
                if !renamed_to.is_empty() =>
            {
                self.migrate(
                    change,
                    "a value under the old name is not found",
                    &format!(
                        "if this is a rename, declare `#[serde(alias = \"{attribute}\")]` on {}; if not, \
                         remove `{attribute}` from every {entity} row when nobody needs it any more",
                        codes(renamed_to).replace(", ", " or ")
                    ),
                );
            }
            FieldChange::Removed { attribute, was_required, .. } => {
                if *was_required {
                    self.tolerate_absence(entity, field);
                }
                if let Some(attribute) = attribute {
                    note(&mut self.removed, entity, attribute.clone());
                }
            }
            FieldChange::Optional => self.tolerate_absence(entity, field),
            FieldChange::Attribute { from, old_name: OldName::Unread, .. } => self.migrate(
                change,
                "a value under the old name is not found",
                &format!("declare `#[serde(alias = \"{from}\")]` on the field"),
            ),
            FieldChange::Attribute { from, to, old_name, was_required } => {
                if *was_required {
                    let alias = format!("give `{field}` a `#[serde(alias = \"{to}\")]`");
                    note(&mut self.tolerated, entity, alias);
                }
                if *old_name == OldName::Unseen {
                    let reason =
                        format!("filters and indexes see `{to}` only, and rows have `{from}`");
                    self.rewrite(entity, reason, format!("no row has `{from}`"));
                }
            }
            FieldChange::AliasRemoved(alias) => {
                let reason = format!(
                    "rows may still have `{field}` as `{alias}`, so keep the alias until none has"
                );
                self.rewrite(entity, reason, format!("no row has `{alias}`"));
            }
            FieldChange::Type { from, to } => self.field_type(entity, field, (from, to), change),
            // Rows have it in the key already.
            FieldChange::Location { to: FieldLocation::Key, attribute, .. } => {
                self.tolerate_absence(entity, field);
                note(&mut self.removed, entity, attribute.clone());
            }
            FieldChange::Location { .. } => self.migrate(
                change,
                "rows have it where the newer design does not look",
                "add a field in the new location, fill it, and then remove this one",
            ),
            FieldChange::KeyText { is_in_primary_key: true, .. } => self.migrate(
                change,
                "it is part of the primary key, and the key of a row can't be changed",
                "declare a new entity with the new key beside this one, write both, copy every row, \
                 and remove this one then",
            ),
            FieldChange::KeyText { is_in_primary_key: false, constraints, .. } => {
                self.backfill(entity, format!("every key that holds `{field}`"));
                for constraint in constraints {
                    let which = format!(" that hold the old text of `{field}`");
                    self.delete_sentinels(entity, constraint, &which);
                }
            }
            FieldChange::Added { is_required: false }
            | FieldChange::Renamed { .. }
            | FieldChange::AliasAdded(_)
            | FieldChange::Copy { .. } => {}
        }
    }

    fn field_type(
        &mut self,
        entity: &str,
        field: &str,
        (from, to): (&(String, WireType), &(String, WireType)),
        change: &Change,
    ) {
        match (wire_word(from.1), wire_word(to.1)) {
            (Some(before), Some(now)) if before != now => self.migrate(
                change,
                &format!("rows have {before} there, and the newer design reads {now}"),
                "add a field of the new type, fill it, and then remove this one",
            ),
            _ => {
                let claim = format!("every row can be read with `{field}` as `{}`", to.0);
                note(&mut self.verified, entity, claim);
            }
        }
    }
}

fn expiry(from: Option<String>, to: Option<String>) -> Option<Step> {
    match (from, to) {
        (None, Some(attribute)) => Some(Step::StartExpiry { attribute }),
        (Some(from), Some(to)) => Some(Step::MoveExpiry { from, to }),
        (Some(attribute), None) => Some(Step::StopExpiry { attribute }),
        (None, None) => None,
    }
}

/// Adds a text about an entity, once.
fn note(texts: &mut ByEntity, entity: &str, text: String) {
    match texts.iter_mut().find(|(name, _)| name == entity) {
        Some((_, texts)) if texts.contains(&text) => {}
        Some((_, texts)) => texts.push(text),
        None => texts.push((entity.to_owned(), vec![text])),
    }
}
