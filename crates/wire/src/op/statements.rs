//! What BatchExecuteStatement and ExecuteTransaction share: their list of statements, read and
//! checked.

use monotable_engine::ReturnOnConditionFailure;
use monotable_types::{Constraints, limits};

use crate::error::Result;
use crate::field::Holder;
use crate::json::Reader;
use crate::parameters::return_on_condition_failure;
use crate::partiql::StatementRequest;
use crate::touch::Touch;

/// A batch has 1 to 25 statements.
const BATCH_STATEMENTS_MAX: usize = 25;

/// The operation that contains the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    InBatch,
    InTransaction,
}

/// One statement of the list.
#[derive(Default)]
pub(super) struct ListedStatement {
    pub(super) statement: StatementRequest,
    /// Only in batches.
    pub(super) consistent_read: Option<bool>,
    return_on_condition_failure: Option<String>,
}

impl Listed {
    const fn class(self) -> &'static str {
        match self {
            Self::InBatch => "BatchStatementRequest",
            Self::InTransaction => "ParameterizedStatement",
        }
    }

    const fn path(self) -> &'static str {
        match self {
            Self::InBatch => "statements",
            Self::InTransaction => "transactStatements",
        }
    }

    /// Returns the most statements.
    const fn length_max(self) -> usize {
        match self {
            Self::InBatch => BATCH_STATEMENTS_MAX,
            Self::InTransaction => limits::TRANSACT_MAX,
        }
    }

    /// Reads the list, if it is there.
    pub(super) fn read(self, reader: &mut Reader<'_>) -> Result<Option<Vec<ListedStatement>>> {
        reader.list(|reader| {
            let mut listed = ListedStatement::default();
            reader.structure(self.class(), Holder::Collection, |reader, name| {
                match name {
                    "ConsistentRead" if self == Self::InBatch => {
                        listed.consistent_read = reader.truth()?;
                    }
                    "ReturnValuesOnConditionCheckFailure" => {
                        listed.return_on_condition_failure = reader.text()?;
                    }
                    _ if listed.statement.member(name, reader)? => {}
                    _ => reader.ignore()?,
                }
                Ok(())
            })?;
            Ok(listed)
        })
    }

    /// Checks the list and its statements, and returns what each statement returns if its condition
    /// fails.
    pub(super) fn check(
        self,
        constraints: &mut Constraints,
        statements: Option<&[ListedStatement]>,
    ) -> Vec<ReturnOnConditionFailure> {
        let (path, max) = (self.path(), self.length_max());
        match statements {
            None => constraints.null(path),
            Some([]) => constraints.length(0, "[]", path, 1..=max),
            Some(statements) => constraints.length(statements.len(), "[...]", path, 1..=max),
        }
        let numbered = (1..=max).zip(statements.unwrap_or_default());
        numbered
            .map(|(position, listed)| {
                let path = format!("{path}.{position}.member.");
                listed.statement.check_constraints(constraints, &path);
                return_on_condition_failure(
                    constraints,
                    &format!("{path}returnValuesOnConditionCheckFailure"),
                    listed.return_on_condition_failure.as_deref(),
                )
            })
            .collect()
    }
}

/// Returns what the statements touch.
pub(super) fn touches(statements: Option<&[ListedStatement]>) -> Vec<Touch<'_>> {
    let statements = statements.unwrap_or_default().iter();
    statements.filter_map(|listed| listed.statement.touch()).collect()
}
