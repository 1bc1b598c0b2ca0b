//! Operators, from the weakest to the strongest binding.

use monotable_expression::Comparator;

use super::Cursor;
use crate::error::Result;
use crate::partiql::lexer::Kind;
use crate::partiql::problem::malformed;
use crate::partiql::syntax::{Expression, Node, Sign};

impl Cursor {
    pub(super) fn expression(&mut self) -> Result<Expression> {
        self.deeper(Self::disjunction)
    }

    fn disjunction(&mut self) -> Result<Expression> {
        self.chain("or", Self::conjunction, Node::Or)
    }

    fn conjunction(&mut self) -> Result<Expression> {
        self.chain("and", Self::negation, Node::And)
    }

    /// Reads operands with the same keyword between them into one flat list.
    fn chain(
        &mut self,
        keyword: &str,
        operand: fn(&mut Self) -> Result<Expression>,
        node: fn(Vec<Expression>) -> Node,
    ) -> Result<Expression> {
        let first = operand(self)?;
        let position = first.position;
        let mut operands = vec![first];
        while self.eat_keyword(keyword) {
            self.need_right_side()?;
            operands.push(operand(self)?);
        }
        Ok(match <[Expression; 1]>::try_from(operands) {
            Ok([only]) => only,
            Err(operands) => Expression { position, node: node(operands) },
        })
    }

    fn need_right_side(&self) -> Result<()> {
        match self.peek() {
            Kind::End => Err(malformed("Missing right-hand side expression of infix operator")),
            _ => Ok(()),
        }
    }

    fn negation(&mut self) -> Result<Expression> {
        let position = self.position();
        if !self.eat_keyword("not") {
            return self.equality();
        }
        let operand = self.deeper(Self::negation)?;
        Ok(Expression { position, node: Node::Not(Box::new(operand)) })
    }

    /// Reads `=`, `<>`, `IS` and `IN` from left to right.
    fn equality(&mut self) -> Result<Expression> {
        let mut left = self.comparison()?;
        for levels in 1.. {
            self.check_depth(levels)?;
            let negated = self.eat_not_before("in");
            let comparator = match self.peek() {
                Kind::Symbol("=") => Some(Comparator::Eq),
                Kind::Symbol("<>" | "!=") => Some(Comparator::Ne),
                _ => None,
            };
            let position = left.position;
            let node = if let Some(comparator) = comparator {
                self.skip(1);
                self.need_right_side()?;
                Node::Compare(comparator, Box::new(left), Box::new(self.comparison()?))
            } else if self.eat_keyword("in") {
                self.need_right_side()?;
                Node::In(Box::new(left), Box::new(self.in_list()?))
            } else if self.eat_keyword("is") {
                let negated = self.eat_keyword("not");
                negate(negated, position, Node::Is(Box::new(left), self.type_name()?))
            } else {
                return Ok(left);
            };
            left = Expression { position, node: negate(negated, position, node) };
        }
        Ok(left)
    }

    /// Reads the orders and `BETWEEN`.
    fn comparison(&mut self) -> Result<Expression> {
        let mut left = self.sum()?;
        for levels in 1.. {
            self.check_depth(levels)?;
            let negated = self.eat_not_before("between") || self.eat_not_before("like");
            let comparator = match self.peek() {
                Kind::Symbol("<") => Some(Comparator::Lt),
                Kind::Symbol("<=") => Some(Comparator::Le),
                Kind::Symbol(">") => Some(Comparator::Gt),
                Kind::Symbol(">=") => Some(Comparator::Ge),
                _ => None,
            };
            let position = left.position;
            let node = if let Some(comparator) = comparator {
                self.skip(1);
                self.need_right_side()?;
                Node::Compare(comparator, Box::new(left), Box::new(self.sum()?))
            } else if self.eat_keyword("between") {
                self.need_right_side()?;
                let low = self.sum()?;
                self.expect_keyword("and")?;
                self.need_right_side()?;
                Node::Between(Box::new([left, low, self.sum()?]))
            } else if self.eat_keyword("like") {
                self.need_right_side()?;
                self.sum()?;
                Node::Like
            } else {
                return Ok(left);
            };
            left = Expression { position, node: negate(negated, position, node) };
        }
        Ok(left)
    }

    /// Reads `NOT` if the keyword follows it.
    fn eat_not_before(&mut self, keyword: &str) -> bool {
        let found = self.peek() == &Kind::Keyword("not")
            && matches!(self.peek_at(1), Kind::Keyword(next) if *next == keyword);
        self.skip(usize::from(found));
        found
    }

    fn sum(&mut self) -> Result<Expression> {
        self.arithmetic(&["+", "-", "||"], Self::product)
    }

    fn product(&mut self) -> Result<Expression> {
        self.arithmetic(&["*", "/", "%"], Self::signed)
    }

    fn arithmetic(
        &mut self,
        operators: &[&str],
        operand: fn(&mut Self) -> Result<Expression>,
    ) -> Result<Expression> {
        let mut left = operand(self)?;
        for levels in 1.. {
            self.check_depth(levels)?;
            let operator = match *self.peek() {
                Kind::Symbol(symbol) if operators.contains(&symbol) => symbol,
                _ => return Ok(left),
            };
            self.skip(1);
            self.need_right_side()?;
            let position = left.position;
            let node = Node::Arithmetic(operator, Box::new(left), Box::new(operand(self)?));
            left = Expression { position, node };
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Expression> {
        let position = self.position();
        let sign = match self.peek() {
            Kind::Symbol("-") => Sign::Minus,
            Kind::Symbol("+") => Sign::Plus,
            _ => return self.term(),
        };
        self.skip(1);
        let operand = self.deeper(Self::signed)?;
        Ok(Expression { position, node: Node::Signed(sign, Box::new(operand)) })
    }
}

fn negate(negated: bool, position: crate::partiql::lexer::Position, node: Node) -> Node {
    if negated { Node::Not(Box::new(Expression { position, node })) } else { node }
}
