//! The syntax tree of a statement. Nothing here has been checked against a table, and parameters
//! are still question marks.

use monotable_expression::{Comparator, Path};

use super::lexer::Position;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Statement {
    pub(super) body: Body,
    /// The number of question marks.
    pub(super) parameters: usize,
}

/// The kind and the parts of a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Body {
    /// `SELECT … FROM …`
    Select(Select),
    /// `EXISTS(SELECT …)`, a condition of a transaction.
    Exists(Select),
    /// `INSERT INTO … VALUE …`
    Insert(Insert),
    /// `UPDATE … SET …` or `FROM … SET …`
    Update(Update),
    /// `DELETE FROM …`
    Delete(Delete),
}

/// The table or index that a statement reads or writes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    /// The names between the dots: the table, an index, and any excess ones.
    pub(super) components: Vec<String>,
    /// The position of the first name.
    pub(super) position: Position,
    /// Whether it has an alias, which DynamoDB does not support.
    pub(super) is_aliased: bool,
}

/// `SELECT`
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Select {
    pub(super) columns: Columns,
    pub(super) source: Source,
    pub(super) condition: Option<Expression>,
    pub(super) order: Vec<OrderTerm>,
    /// The position of the number of a `LIMIT`.
    pub(super) limit: Option<Position>,
}

/// What a `SELECT` returns.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Columns {
    All,
    Some(Vec<Column>),
}

/// One expression of a `SELECT`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) expression: Expression,
    pub(super) is_aliased: bool,
}

/// One term of an `ORDER BY`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OrderTerm {
    pub(super) expression: Expression,
    pub(super) descending: bool,
}

/// `INSERT`
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Insert {
    pub(super) source: Source,
    pub(super) item: Expression,
    /// Whether there is a `RETURNING` clause, which an `INSERT` does not support.
    pub(super) returns: bool,
}

/// `UPDATE`
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Update {
    pub(super) source: Source,
    pub(super) actions: Vec<Action>,
    pub(super) condition: Option<Expression>,
    pub(super) returning: Option<Returning>,
}

/// One action of an `UPDATE`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    Set(Path, Expression),
    Remove(Path),
}

/// `DELETE`
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Delete {
    pub(super) source: Source,
    pub(super) condition: Option<Expression>,
    pub(super) returning: Option<Returning>,
}

/// `RETURNING … *`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returning {
    AllOld,
    ModifiedOld,
    AllNew,
    ModifiedNew,
}

/// An expression and its position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expression {
    pub(super) position: Position,
    pub(super) node: Node,
}

/// An expression of any kind; later checks decide which kinds are allowed where.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Path(Path),
    Text(String),
    Number(String),
    Bool(bool),
    Null,
    Missing,
    /// A question mark, counted from 0.
    Parameter(usize),
    List(Vec<Expression>),
    Bag(Vec<Expression>),
    Map(Vec<(Expression, Expression)>),
    /// A function by its name in lower case.
    Call(String, Vec<Expression>),
    /// `*` as an argument.
    Star,
    Signed(Sign, Box<Expression>),
    Arithmetic(&'static str, Box<Expression>, Box<Expression>),
    Compare(Comparator, Box<Expression>, Box<Expression>),
    Like,
    Between(Box<[Expression; 3]>),
    In(Box<Expression>, Box<Expression>),
    /// `IS` and the name of a type, in lower case.
    Is(Box<Expression>, String),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
}

/// A sign before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

impl Statement {
    pub(super) fn source(&self) -> &Source {
        match &self.body {
            Body::Select(select) | Body::Exists(select) => &select.source,
            Body::Insert(insert) => &insert.source,
            Body::Update(update) => &update.source,
            Body::Delete(delete) => &delete.source,
        }
    }

    /// Returns the table, which is known even if the rest of the statement is invalid.
    pub(crate) fn table(&self) -> &str {
        self.source().components.first().map_or("", String::as_str)
    }

    /// Returns the index, if the statement names one.
    pub(crate) fn index(&self) -> Option<&str> {
        self.source().components.get(1).map(String::as_str)
    }

    /// Returns the name of the statement's action in AWS's policies.
    pub(crate) fn action(&self) -> &'static str {
        match self.body {
            Body::Select(_) | Body::Exists(_) => "PartiQLSelect",
            Body::Insert(_) => "PartiQLInsert",
            Body::Update(_) => "PartiQLUpdate",
            Body::Delete(_) => "PartiQLDelete",
        }
    }
}

impl Returning {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::AllOld => "ALL OLD",
            Self::ModifiedOld => "MODIFIED OLD",
            Self::AllNew => "ALL NEW",
            Self::ModifiedNew => "MODIFIED NEW",
        }
    }
}
