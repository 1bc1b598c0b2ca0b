//! Compares everything derived from an entity with what it should be: the index keys and the type
//! in its own row, and its derived rows.

use std::fmt;

use monotable_design::meta::EntityMeta;
use monotable_expression::Update;
use monotable_types::{AttributeValue, Item};

use super::change::{Unfit, own_row};
use super::erased::{EntityType, ErasedEntity, SharedEntity};
use super::mirror::{self, MirrorRow};
use super::presence::{self, Presence};
use super::unique::{self, Sentinel};
use super::{change, execute, index_keys, read_rows, row, unchanged};
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};

/// A row that differs from what its entity requires: a derived row, or the derived attributes of
/// its own row.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// The name of the row: `keys of Team`, `mirror Team`, or `unique name`.
    pub what: String,
    /// Its primary key.
    pub key: Item,
    /// The primary key of the entity's own row.
    pub of: Item,
    /// The kind of difference.
    pub kind: DriftKind,
}

/// The kind of difference of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriftKind {
    /// The row is missing.
    Missing,
    /// The row has other contents.
    Differs,
    /// The row belongs to another entity: it keeps the value of a unique constraint for that one,
    /// or mirrors that one.
    Taken,
}

impl fmt::Display for Drift {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            DriftKind::Missing => "missing",
            DriftKind::Differs => "different",
            DriftKind::Taken => "held by another entity",
        };
        write!(formatter, "{}: {kind}", self.what)
    }
}

/// A row as it should be.
enum Expected {
    /// The entity's own row, with the update that corrects its index keys and its type.
    Own {
        entity: &'static EntityMeta,
        key: Item,
        update: Update,
    },
    Mirror(MirrorRow),
    Sentinel(Sentinel),
}

impl Expected {
    /// Returns whether anything must change.
    fn is_change(&self) -> bool {
        !matches!(self, Self::Own { update, .. } if update.is_empty())
    }

    fn key(&self) -> &Item {
        match self {
            Self::Own { key, .. } => key,
            Self::Mirror(mirror) => &mirror.key,
            Self::Sentinel(sentinel) => &sentinel.key,
        }
    }

    /// Returns the difference of the existing row.
    fn drift(&self, of: &Item, row: Option<&Item>, presence: Presence) -> Option<Drift> {
        let (what, kind) = match self {
            Self::Own { entity, .. } => (format!("keys of {}", entity.name), DriftKind::Differs),
            Self::Mirror(mirror) => {
                let kind = match row {
                    None => Some(DriftKind::Missing),
                    Some(row) if mirror.is_own(row) => {
                        (*row != mirror.row).then_some(DriftKind::Differs)
                    }
                    Some(row) if presence.is_expired(row) => Some(DriftKind::Missing),
                    Some(_) => Some(DriftKind::Taken),
                };
                (format!("mirror {}", mirror.entity.name), kind?)
            }
            Self::Sentinel(sentinel) => {
                let kind = match row {
                    None => Some(DriftKind::Missing),
                    Some(row) if sentinel.is_owned(row) => {
                        (*row != sentinel.row).then_some(DriftKind::Differs)
                    }
                    Some(row) if presence.is_expired(row) => Some(DriftKind::Missing),
                    Some(_) => Some(DriftKind::Taken),
                };
                (format!("unique {}", sentinel.constraint()), kind?)
            }
        };
        Some(Drift { what, key: self.key().clone(), of: of.clone(), kind })
    }
}

/// An entity as stored, with the rows that differ.
struct Compared {
    entity: SharedEntity,
    stored: Item,
    wrong: Vec<(Expected, Drift)>,
}

/// Compares the row under the key of an entity with what it should be.
async fn compare(context: &Context, entity: EntityType, key: Item) -> Result<Compared> {
    let meta = entity.meta;
    let presence = Presence::of(context, meta);
    let stored = read_rows::read(context, key.clone()).await?;
    let Some(stored) = stored.filter(|stored| presence.holds(Some(stored))) else {
        return Err(Error::NotFound { entity: meta.name });
    };
    let entity = change::stored(context, entity, &key, stored.clone())?;
    let update = derived(context, &*entity, &stored)?;
    let own = Expected::Own { entity: meta, key: key.clone(), update };
    let own = own.is_change().then_some(own);
    let sentinels = unique::sentinels(context, &*entity, Unfit::Error)?;
    let sentinels = sentinels.into_iter().map(Expected::Sentinel);
    let mirrors = mirror::mirrors(context, &*entity, Unfit::Error)?;
    let mirrors = mirrors.into_iter().map(Expected::Mirror);
    let expected: Vec<Expected> = own.into_iter().chain(sentinels).chain(mirrors).collect();
    let keys = expected.iter().map(|expected| Some(expected.key().clone())).collect();
    let rows = read_rows::read_all(context, keys).await?;
    let wrong = expected.into_iter().zip(rows).filter_map(|(expected, row)| {
        let drift = expected.drift(&key, row.as_ref(), presence)?;
        Some((expected, drift))
    });
    let wrong = wrong.collect();
    Ok(Compared { entity, stored, wrong })
}

/// Returns the update that corrects the index keys and the type of a stored row.
fn derived(context: &Context, entity: &dyn ErasedEntity, stored: &Item) -> Result<Update> {
    let meta = entity.meta();
    let mut keys = index_keys::all(context, meta, entity)?;
    keys.retain(|attribute, text| {
        stored.get(*attribute) != text.clone().map(AttributeValue::S).as_ref()
    });
    let update = index_keys::add(Update::new(), keys);
    Ok(match row::type_attribute(context, meta.type_name) {
        Some((attribute, name)) if stored.get(&attribute) != Some(&name) => {
            update.set(attribute, name)
        }
        _ => update,
    })
}

pub(super) async fn verify(context: &Context, entity: EntityType, key: Item) -> Result<Vec<Drift>> {
    let compared = compare(context, entity, key).await?;
    Ok(compared.wrong.into_iter().map(|(_, drift)| drift).collect())
}

pub(super) async fn repair(context: &Context, entity: EntityType, key: Item) -> Result<Vec<Drift>> {
    write(context, compare(context, entity, key).await?).await
}

/// Restores an entity's own row from its mirror: a copy of the mirror under the entity's own key.
pub(super) async fn restore(context: &Context, entity: &dyn ErasedEntity) -> Result<()> {
    let meta = entity.meta();
    let missing = || Error::NotFound { entity: meta.name };
    let mirrors = mirror::mirrors(context, entity, Unfit::Error)?;
    let mirror = mirrors.into_iter().find(|mirror| mirror.entity.name == meta.name);
    let mirror = mirror.ok_or_else(missing)?;
    let mut row = read_rows::read(context, mirror.key.clone()).await?.ok_or_else(missing)?;
    row.extend(context.primary_key(meta, entity)?);
    for (attribute, text) in index_keys::all(context, meta, entity)? {
        row.extend(text.map(|text| (attribute.to_owned(), text.into())));
    }
    let presence = Presence::of(context, meta);
    let (own, check) = (Action::Put(row), Action::Check(mirror.key));
    let exists = presence::exists(context, meta);
    let changed = presence::changed(context, meta, None);
    let writes = vec![
        own_row(context, own, Some(presence.absent()), Returns::Nothing, exists),
        own_row(context, check, Some(presence.present()), Returns::Nothing, changed),
    ];
    execute::single(context, writes).await.map(drop)
}

/// Repairs the rows that do not belong to another entity. Returns the repaired differences, and the
/// remaining ones.
pub(crate) async fn repair_own<E: Entity>(
    context: &Context,
    entity: &E,
) -> Result<(Vec<Drift>, Vec<Drift>)> {
    let key = context.primary_key(E::META, entity)?;
    repair_untaken(context, EntityType::of::<E>(), key).await
}

async fn repair_untaken(
    context: &Context,
    entity: EntityType,
    key: Item,
) -> Result<(Vec<Drift>, Vec<Drift>)> {
    let mut compared = compare(context, entity, key).await?;
    let is_taken = |(_, drift): &(Expected, Drift)| drift.kind == DriftKind::Taken;
    let (taken, wrong) = compared.wrong.into_iter().partition(is_taken);
    compared.wrong = wrong;
    let taken: Vec<(Expected, Drift)> = taken;
    let conflicts = taken.into_iter().map(|(_, drift)| drift).collect();
    Ok((write(context, compared).await?, conflicts))
}

/// Writes the corrections, and returns the repaired differences.
async fn write(context: &Context, compared: Compared) -> Result<Vec<Drift>> {
    let Compared { entity, stored, wrong } = compared;
    if wrong.is_empty() {
        return Ok(Vec::new());
    }
    let (entity, meta) = (&*entity, entity.meta());
    let fields = entity.fields()?;
    let replaced: Vec<&str> = fields.keys().map(String::as_str).collect();
    let condition = unchanged::condition(context, entity, &stored, &replaced, meta.indexes);
    let failure = presence::changed(context, meta, None);
    let mut own = Action::Check(context.primary_key(meta, entity)?);
    let mut derived = Vec::with_capacity(wrong.len());
    let mut drifts = Vec::with_capacity(wrong.len());
    for (expected, drift) in wrong {
        match expected {
            Expected::Own { key, update, .. } => own = Action::Update(key, update),
            // It fails if the row belongs to another entity, or does so in the meantime.
            Expected::Mirror(mirror) => derived.push(match drift.kind {
                DriftKind::Missing | DriftKind::Taken => mirror.create(context),
                DriftKind::Differs => mirror.put(context),
            }),
            Expected::Sentinel(sentinel) => derived.push(sentinel.claim(context)),
        }
        drifts.push(drift);
    }
    let mut writes = vec![own_row(context, own, Some(condition), Returns::Nothing, failure)];
    writes.extend(derived);
    execute::single(context, writes).await?;
    Ok(drifts)
}
