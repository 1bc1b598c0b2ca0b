//! The attributes that a Query or Scan returns, from Select, projection and index.

use monotable_expression::Projection;
use monotable_types::Projection as IndexProjection;

use crate::error::{Error, Result};
use crate::op::query::Select;
use crate::stored::{ReadItem, StoredItem};
use crate::table::{Index, IndexKind, Table};

/// What is returned of an item that passed the filter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Output {
    /// All its attributes.
    Whole,
    /// The attributes that the index projects.
    Projected,
    /// The attributes of the projection.
    Paths(Projection),
    /// It is only counted.
    Count,
}

impl Output {
    /// Checks Select against the projection, before the table is looked up; `projection` is the
    /// parameter that contains it. The message is not wrapped, because Query and Scan wrap it
    /// differently.
    pub(crate) fn check_select(
        select: Option<Select>,
        projection: Option<&str>,
        has_index: bool,
    ) -> Result<(), String> {
        let choice = match select {
            None => return Ok(()),
            Some(Select::SpecificAttributes) if projection.is_some() => return Ok(()),
            Some(Select::SpecificAttributes) => {
                return Err("Must specify the AttributesToGet or ProjectionExpression when \
                            choosing to get SPECIFIC_ATTRIBUTES"
                    .to_owned());
            }
            Some(Select::AllAttributes) => "ALL_ATTRIBUTES",
            Some(Select::AllProjectedAttributes) => "ALL_PROJECTED_ATTRIBUTES",
            Some(Select::Count) => "only the Count",
        };
        match projection {
            Some(parameter) => {
                Err(format!("Cannot specify the {parameter} when choosing to get {choice}"))
            }
            None if select == Some(Select::AllProjectedAttributes) && !has_index => {
                Err(format!("{choice} can be used only when Querying using an IndexName"))
            }
            None => Ok(()),
        }
    }

    /// Resolves what to return of a table or index.
    pub(crate) fn resolve(
        table: &Table,
        index: Option<&Index>,
        select: Option<Select>,
        projection: Option<Projection>,
    ) -> Result<Self> {
        if select == Some(Select::AllAttributes)
            && let Some(index) = index
            && index.kind == IndexKind::Global
            && index.projection != IndexProjection::All
        {
            return Err(Error::validation(format!(
                "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not \
                 supported for global secondary index {} because its projection type is not ALL",
                index.name
            )));
        }
        if let (Some(index), Some(projection)) = (index, &projection) {
            check_projected(table, index, projection)?;
        }
        Ok(match (select, projection) {
            (Some(Select::Count), _) => Self::Count,
            (_, Some(projection)) => Self::Paths(projection),
            (Some(Select::AllAttributes), None) => Self::Whole,
            (_, None) if index.is_some() => Self::Projected,
            (_, None) => Self::Whole,
        })
    }

    /// Returns whether an index read also needs attributes that only the table has.
    pub(crate) fn fetches_from_table(&self, table: &Table, index: &Index) -> bool {
        match self {
            Self::Whole => index.projection != IndexProjection::All,
            Self::Paths(projection) => {
                projection.paths.iter().any(|path| !table.is_projected(index, &path.root))
            }
            Self::Projected | Self::Count => false,
        }
    }

    /// Returns the item to return, if any. `entry` is what the index projects of it.
    pub(crate) fn make(&self, stored: StoredItem, entry: Option<ReadItem>) -> Option<ReadItem> {
        match self {
            Self::Whole => Some(ReadItem::stored(stored)),
            Self::Projected => Some(entry.unwrap_or_else(|| ReadItem::stored(stored))),
            Self::Paths(projection) => Some(ReadItem::made(projection.apply(&stored))),
            Self::Count => None,
        }
    }
}

/// Checks that a global index projects all requested attributes; a local one fetches the rest from
/// the table.
fn check_projected(table: &Table, index: &Index, projection: &Projection) -> Result<()> {
    if index.kind == IndexKind::Local {
        return Ok(());
    }
    let missing: Vec<&str> = projection
        .paths
        .iter()
        .map(|path| path.root.as_str())
        .filter(|name| !table.is_projected(index, name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::validation(format!(
        "One or more parameter values were invalid: Global secondary index {} does not project [{}]",
        index.name,
        missing.join(", ")
    )))
}
