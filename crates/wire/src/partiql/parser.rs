//! The grammar, from tokens to a statement. Messages are those of AWS's parser; recursion is
//! bounded, so that no text can overflow the stack.

mod cursor;
mod expression;
mod path;
mod term;

use super::lexer::{Kind, tokens};
use super::problem::{TERM_MISSING, TOKEN_LEFT, malformed, refused};
use super::syntax::{
    Action, Body, Column, Columns, Delete, Insert, Node, OrderTerm, Returning, Select, Source,
    Statement, Update,
};
use crate::error::Result;
use cursor::Cursor;

/// The message for a statement that does not start with a verb.
const VERB_MISSING: &str = "Expected data manipulation";

/// Parses one statement.
pub(crate) fn parse(statement: &str) -> Result<Statement> {
    let mut cursor = Cursor::new(tokens(statement)?);
    let body = cursor.body()?;
    cursor.eat_symbol(";");
    if cursor.peek() != &Kind::End {
        return Err(malformed(TOKEN_LEFT));
    }
    Ok(Statement { body, parameters: cursor.parameters() })
}

impl Cursor {
    fn body(&mut self) -> Result<Body> {
        match self.peek() {
            Kind::Keyword("select") => Ok(Body::Select(self.select()?)),
            Kind::Keyword("insert") => Ok(Body::Insert(self.insert()?)),
            Kind::Keyword("update") => Ok(Body::Update(self.update()?)),
            Kind::Keyword("delete") => Ok(Body::Delete(self.delete()?)),
            Kind::Keyword("from") => Ok(Body::Update(self.update_from()?)),
            Kind::Keyword("exists") if self.begins_subquery() => {
                self.skip(2);
                let select = self.select()?;
                self.expect_symbol(")")?;
                Ok(Body::Exists(select))
            }
            _ => self.no_verb(),
        }
    }

    fn begins_subquery(&self) -> bool {
        self.peek_at(1) == &Kind::Symbol("(") && self.peek_at(2) == &Kind::Keyword("select")
    }

    /// Parses an expression without a verb, and then refuses it.
    fn no_verb<T>(&mut self) -> Result<T> {
        let expression = self.expression()?;
        self.eat_symbol(";");
        Err(match (self.peek(), expression.node) {
            (Kind::End, Node::Is(..)) => refused("Unsupported operation: IsType"),
            (Kind::End, _) => malformed(VERB_MISSING),
            _ => malformed(TOKEN_LEFT),
        })
    }

    fn select(&mut self) -> Result<Select> {
        self.skip(1);
        let columns = self.columns()?;
        self.expect_keyword("from")?;
        if !matches!(self.peek(), Kind::Name(_) | Kind::QuotedName(_)) {
            // It is not a name; parsing it as an expression gives the right error.
            self.expression()?;
            return Err(malformed(TERM_MISSING));
        }
        let source = self.source()?;
        let condition = self.condition()?;
        let order = self.order()?;
        let limit =
            if self.eat_keyword("limit") { Some(self.expression()?.position) } else { None };
        Ok(Select { columns, source, condition, order, limit })
    }

    fn columns(&mut self) -> Result<Columns> {
        if self.eat_symbol("*") {
            return match self.peek() {
                Kind::Symbol(",") => Err(refused(
                    "Other attributes should not be present in the projection when '*' is used.",
                )),
                _ => Ok(Columns::All),
            };
        }
        let mut columns = Vec::new();
        loop {
            let expression = self.expression()?;
            columns.push(Column { expression, is_aliased: self.alias() });
            if !self.eat_symbol(",") {
                return Ok(Columns::Some(columns));
            }
        }
    }

    /// Skips an alias, and returns whether there was one.
    fn alias(&mut self) -> bool {
        let marked = self.eat_keyword("as");
        let named = matches!(self.peek(), Kind::Name(_) | Kind::QuotedName(_));
        if named {
            self.skip(1);
        }
        marked || named
    }

    /// Reads the names of a table and an index, and an alias, which is not allowed.
    fn source(&mut self) -> Result<Source> {
        let mut source = self.plain_source()?;
        source.is_aliased = self.alias();
        Ok(source)
    }

    fn plain_source(&mut self) -> Result<Source> {
        let position = self.position();
        let mut components = vec![self.simple_name()?];
        while self.eat_symbol(".") {
            components.push(self.name_after_dot()?);
        }
        Ok(Source { components, position, is_aliased: false })
    }

    fn condition(&mut self) -> Result<Option<super::syntax::Expression>> {
        if self.eat_keyword("where") { Ok(Some(self.expression()?)) } else { Ok(None) }
    }

    fn order(&mut self) -> Result<Vec<OrderTerm>> {
        let mut terms = Vec::new();
        if !self.eat_keyword("order") {
            return Ok(terms);
        }
        self.expect_keyword("by")?;
        loop {
            let expression = self.expression()?;
            let descending = self.eat_keyword("desc");
            if !descending {
                self.eat_keyword("asc");
            }
            terms.push(OrderTerm { expression, descending });
            if !self.eat_symbol(",") {
                return Ok(terms);
            }
        }
    }

    fn insert(&mut self) -> Result<Insert> {
        self.skip(1);
        self.expect_keyword("into")?;
        let source = self.plain_source()?;
        if !self.eat_keyword("value") {
            // Other databases allow lists of columns here; their errors are reported first.
            self.expression()?;
            return Err(malformed(TOKEN_LEFT));
        }
        let item = self.expression()?;
        let returns = self.returning()?.is_some();
        Ok(Insert { source, item, returns })
    }

    fn update(&mut self) -> Result<Update> {
        self.skip(1);
        let source = self.source()?;
        let actions = self.actions()?;
        let condition = self.condition()?;
        let returning = self.returning()?;
        Ok(Update { source, actions, condition, returning })
    }

    fn update_from(&mut self) -> Result<Update> {
        self.skip(1);
        let source = self.source()?;
        let condition = self.condition()?;
        let actions = self.actions()?;
        let returning = self.returning()?;
        Ok(Update { source, actions, condition, returning })
    }

    /// Refuses an update in place of a term, after reporting the errors inside it.
    fn misplaced_update<T>(&mut self) -> Result<T> {
        self.update_from()?;
        Err(malformed(VERB_MISSING))
    }

    fn actions(&mut self) -> Result<Vec<Action>> {
        let mut actions = Vec::new();
        loop {
            if self.eat_keyword("set") {
                self.repeated(|cursor| {
                    let path = cursor.simple_path()?;
                    cursor.expect_symbol("=")?;
                    actions.push(Action::Set(path, cursor.expression()?));
                    Ok(())
                })?;
            } else if self.eat_keyword("remove") {
                self.repeated(|cursor| {
                    actions.push(Action::Remove(cursor.simple_path()?));
                    Ok(())
                })?;
            } else if actions.is_empty() {
                return Err(malformed(VERB_MISSING));
            } else {
                return Ok(actions);
            }
        }
    }

    /// Runs `each` once, and again after each comma.
    fn repeated(&mut self, mut each: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        loop {
            each(self)?;
            if !self.eat_symbol(",") {
                return Ok(());
            }
        }
    }

    fn delete(&mut self) -> Result<Delete> {
        self.skip(1);
        self.expect_keyword("from")?;
        let source = self.source()?;
        let condition = self.condition()?;
        let returning = self.returning()?;
        Ok(Delete { source, condition, returning })
    }

    fn returning(&mut self) -> Result<Option<Returning>> {
        if !self.eat_keyword("returning") {
            return Ok(None);
        }
        let (extent, age) = (self.word()?, self.word()?);
        self.expect_symbol("*")?;
        match (extent.as_str(), age.as_str()) {
            ("all", "old") => Ok(Some(Returning::AllOld)),
            ("modified", "old") => Ok(Some(Returning::ModifiedOld)),
            ("all", "new") => Ok(Some(Returning::AllNew)),
            ("modified", "new") => Ok(Some(Returning::ModifiedNew)),
            _ => Err(malformed(TERM_MISSING)),
        }
    }
}

#[cfg(test)]
mod tests;
