//! Binds a statement to its parameters and checks everything that needs no table.

use std::collections::BTreeSet;

use monotable_expression::{Condition, Path, Step, Update};
use monotable_types::{AttributeValue, Item};

use super::condition::Conditions;
use super::literal::{Parameters, mismatch};
use super::problem::refused;
use super::syntax::{
    Body, Column, Columns, Delete, Expression, Insert, Node, Returning, Select, Source, Statement,
    Update as UpdateStatement,
};
use super::update::update;
use crate::error::{Failure, Result};

/// A statement with its parameters, ready to run on a table.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Select(BoundSelect),
    Exists(BoundSelect),
    Insert(BoundInsert),
    Update(BoundUpdate),
    Delete(BoundDelete),
}

/// `SELECT`
#[derive(Clone, Debug)]
pub(crate) struct BoundSelect {
    pub(crate) table: String,
    pub(crate) index: Option<String>,
    /// What is returned. AWS checks the index before it reports an error here.
    pub(crate) columns: Result<Selection>,
    pub(crate) condition: Option<Condition>,
    pub(crate) order: Vec<Order>,
}

/// What a `SELECT` returns of each item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Selection {
    /// The whole item.
    Item,
    /// Some parts, each under its own name.
    Parts(Vec<(String, Path)>),
}

/// One term of an `ORDER BY`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Order {
    pub(crate) attribute: String,
    pub(crate) descending: bool,
}

/// `INSERT`
#[derive(Clone, Debug)]
pub(crate) struct BoundInsert {
    pub(crate) table: String,
    pub(crate) item: Item,
}

/// `UPDATE`
#[derive(Clone, Debug)]
pub(crate) struct BoundUpdate {
    pub(crate) table: String,
    pub(crate) update: Update,
    pub(crate) condition: Option<Condition>,
    pub(crate) returning: Option<Returning>,
}

/// `DELETE`
#[derive(Clone, Debug)]
pub(crate) struct BoundDelete {
    pub(crate) table: String,
    pub(crate) condition: Option<Condition>,
    pub(crate) returning: Option<Returning>,
}

impl Statement {
    /// Binds the parameters to the statement.
    pub(crate) fn bind(&self, parameters: &[AttributeValue]) -> Result<Bound> {
        if self.parameters != parameters.len() {
            return Err(mismatch());
        }
        let binder = Binder { conditions: Conditions { parameters: Parameters(parameters) } };
        match &self.body {
            Body::Select(select) => binder.select(select).map(Bound::Select),
            Body::Exists(select) => binder.select(select).map(Bound::Exists),
            Body::Insert(insert) => binder.insert(insert).map(Bound::Insert),
            Body::Update(update) => binder.update(update).map(Bound::Update),
            Body::Delete(delete) => binder.delete(delete).map(Bound::Delete),
        }
    }
}

impl Bound {
    /// Returns the name of the table.
    pub(crate) fn table(&self) -> &str {
        match self {
            Self::Select(select) | Self::Exists(select) => &select.table,
            Self::Insert(insert) => &insert.table,
            Self::Update(update) => &update.table,
            Self::Delete(delete) => &delete.table,
        }
    }

    /// Returns whether the statement has a `RETURNING` clause.
    pub(crate) fn returns(&self) -> bool {
        match self {
            Self::Select(_) | Self::Exists(_) | Self::Insert(_) => false,
            Self::Update(update) => update.returning.is_some(),
            Self::Delete(delete) => delete.returning.is_some(),
        }
    }
}

struct Binder<'a> {
    conditions: Conditions<'a>,
}

impl Binder<'_> {
    fn condition(&self, expression: Option<&Expression>) -> Result<Option<Condition>> {
        expression.map(|expression| self.conditions.condition(expression)).transpose()
    }

    fn select(&self, select: &Select) -> Result<BoundSelect> {
        let (table, index) = names(&select.source)?;
        if let Some(position) = select.limit {
            return Err(refused(format!("Unsupported clause: LIMIT at {position}")));
        }
        Ok(BoundSelect {
            table,
            index,
            columns: selection(&select.columns),
            condition: self.condition(select.condition.as_ref())?,
            order: select
                .order
                .iter()
                .map(|term| {
                    let attribute = match &term.expression.node {
                        Node::Path(path) if path.is_attribute() => path.root.clone(),
                        _ => return Err(refused("Argument to ORDER BY must be an attribute")),
                    };
                    Ok(Order { attribute, descending: term.descending })
                })
                .collect::<Result<_>>()?,
        })
    }

    fn insert(&self, insert: &Insert) -> Result<BoundInsert> {
        if insert.source.components.len() > 1 {
            return Err(refused(format!(
                "FROM clause may only contain a single table name in data manipulation statements \
                 at {}",
                insert.source.position
            )));
        }
        let (table, _) = names(&insert.source)?;
        if insert.returns {
            return Err(refused("RETURNING is not supported in INSERT"));
        }
        Ok(BoundInsert { table, item: self.conditions.parameters.item(&insert.item)? })
    }

    fn update(&self, statement: &UpdateStatement) -> Result<BoundUpdate> {
        let table = written_table(&statement.source)?;
        Ok(BoundUpdate {
            table,
            update: update(&statement.actions, self.conditions.parameters)?,
            condition: self.condition(statement.condition.as_ref())?,
            returning: statement.returning,
        })
    }

    fn delete(&self, statement: &Delete) -> Result<BoundDelete> {
        let table = written_table(&statement.source)?;
        match statement.returning {
            None | Some(Returning::AllOld) => {}
            Some(other) => {
                return Err(refused(format!(
                    "Invalid returning clause: RETURNING {} *. Only RETURNING ALL OLD * is allowed \
                     in DELETE statements.",
                    other.as_str()
                )));
            }
        }
        Ok(BoundDelete {
            table,
            condition: self.condition(statement.condition.as_ref())?,
            returning: statement.returning,
        })
    }
}

/// Returns the table that a statement changes.
///
/// # Errors
///
/// The statement names an index.
fn written_table(source: &Source) -> Result<String> {
    match names(source)? {
        (table, None) => Ok(table),
        (_, Some(_)) => Err(refused("This operation is not supported on an index")),
    }
}

/// Returns the names of the table and the index.
fn names(source: &Source) -> Result<(String, Option<String>)> {
    if source.components.iter().any(String::is_empty) {
        return Err(refused("Path component cannot be an empty string"));
    }
    let names = match source.components.as_slice() {
        [table] => (table.clone(), None),
        [table, index] => (table.clone(), Some(index.clone())),
        _ => return Err(refused("A path may contain at most 2 components in the FROM clause")),
    };
    if source.is_aliased {
        return Err(aliased());
    }
    Ok(names)
}

fn aliased() -> Failure {
    refused("Aliasing is not supported")
}

fn selection(columns: &Columns) -> Result<Selection> {
    let Columns::Some(columns) = columns else {
        return Ok(Selection::Item);
    };
    let mut taken = BTreeSet::new();
    let mut parts = Vec::new();
    for Column { expression, is_aliased } in columns {
        if *is_aliased {
            return Err(aliased());
        }
        let Node::Path(path) = &expression.node else {
            return Err(refused(format!("Unexpected path component at {}", expression.position)));
        };
        let name = column_name(path);
        if !taken.insert(name.clone()) {
            return Err(refused(format!("Duplicate identifiers in select clause: {name}")));
        }
        parts.push((name, path.clone()));
    }
    Ok(Selection::Parts(parts))
}

/// Returns the name of a column: the last name of its path and the indexes after it.
fn column_name(path: &Path) -> String {
    let mut name = path.root.clone();
    for step in &path.steps {
        match step {
            Step::Key(key) => name.clone_from(key),
            Step::Index(index) => name.push_str(&format!("[{index}]")),
        }
    }
    name
}
