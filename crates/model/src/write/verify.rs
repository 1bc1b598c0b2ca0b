//! Rows that exist because of an entity, compared with what they should be.

use std::fmt;
use std::sync::Arc;

use monotable_types::Item;

use super::change::own_row;
use super::mirror::{self, MirrorRow};
use super::presence::{self, Presence};
use super::unique::{self, Sentinel};
use super::{execute, look, row, unchanged};
use crate::backend::request::{Action, Returns};
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};

/// A row that is not what the entity that it belongs to says.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// What it is: `mirror Team`, or `unique name`.
    pub what: String,
    /// Its primary key.
    pub key: Item,
    /// What is wrong with it.
    pub kind: DriftKind,
}

/// What is wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriftKind {
    /// There is none.
    Missing,
    /// It says something else.
    Differs,
    /// It keeps the value of a unique constraint for another entity.
    Taken,
}

impl fmt::Display for Drift {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            DriftKind::Missing => "is missing",
            DriftKind::Differs => "differs",
            DriftKind::Taken => "belongs to another entity",
        };
        write!(formatter, "{} {kind}", self.what)
    }
}

/// A row as it should be.
enum Expected {
    Mirror(MirrorRow),
    Sentinel(Sentinel),
}

impl Expected {
    fn key(&self) -> &Item {
        match self {
            Self::Mirror(mirror) => &mirror.key,
            Self::Sentinel(sentinel) => &sentinel.key,
        }
    }

    /// What is wrong with the row that is there.
    fn drift(&self, row: Option<&Item>, presence: Presence) -> Option<Drift> {
        let (what, kind) = match self {
            Self::Mirror(mirror) => {
                let kind = match row {
                    None => Some(DriftKind::Missing),
                    Some(row) => (*row != mirror.row).then_some(DriftKind::Differs),
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
        Some(Drift { what, key: self.key().clone(), kind })
    }
}

/// The entity as it is stored, with the rows that are wrong.
async fn compare<E: Entity>(context: &Context, entity: &E) -> Result<(E, Vec<(Expected, Drift)>)> {
    let presence = Presence::of(context, E::META);
    let stored = look::read(context, context.primary_key(E::META, entity)?).await?;
    let Some(stored) = stored.filter(|stored| presence.holds(Some(stored))) else {
        return Err(Error::NotFound { entity: E::META.name });
    };
    let current: E = row::decode(context, stored.into())?;
    let sentinels = unique::sentinels(context, &current)?.into_iter().map(Expected::Sentinel);
    let mirrors = mirror::mirrors(context, &current)?.into_iter().map(Expected::Mirror);
    let expected: Vec<Expected> = sentinels.chain(mirrors).collect();
    let keys = expected.iter().map(|expected| Some(expected.key().clone())).collect();
    let rows = look::read_all(context, keys).await?;
    let wrong = expected.into_iter().zip(rows).filter_map(|(expected, row)| {
        let drift = expected.drift(row.as_ref(), presence)?;
        Some((expected, drift))
    });
    Ok((current, wrong.collect()))
}

pub(super) async fn verify<E: Entity>(context: &Arc<Context>, entity: &E) -> Result<Vec<Drift>> {
    let (_, wrong) = compare(context, entity).await?;
    Ok(wrong.into_iter().map(|(_, drift)| drift).collect())
}

pub(super) async fn repair<E: Entity>(context: &Arc<Context>, entity: &E) -> Result<Vec<Drift>> {
    let (current, wrong) = compare(context, entity).await?;
    if wrong.is_empty() {
        return Ok(Vec::new());
    }
    let key = context.primary_key(E::META, &current)?;
    let fields = row::fields(&current)?;
    let replaced = fields.keys().map(String::as_str);
    let condition = unchanged::condition(context, &current, &fields, replaced, []);
    let failure = presence::changed(context, E::META, None);
    let check = own_row(context, Action::Check(key), Some(condition), Returns::Nothing, failure);
    let mut writes = vec![check];
    let mut drifts = Vec::with_capacity(wrong.len());
    for (expected, drift) in wrong {
        writes.push(match expected {
            Expected::Mirror(mirror) => mirror.put(context),
            Expected::Sentinel(sentinel) => sentinel.claim(context),
        });
        drifts.push(drift);
    }
    execute::single(context, writes).await?;
    Ok(drifts)
}
