//! Which problem to report when an expression has several.
//!
//! A syntax error ends parsing and always wins. Everything else is noted while parsing goes on,
//! and AWS ranks it: each grammar lists its ranks from the first reported to the last. Within a
//! rank the problem that is written first wins. The orders are those that dynalite's tests record
//! from the service.

use crate::Reason;

/// The kinds of problems that are ranked against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    Parentheses,
    UnknownFunction,
    MisusedFunction,
    ReservedWord,
    /// A list index or a path beyond the limits.
    PathLimit,
    OperatorCount,
    Section,
    UndefinedName,
    UndefinedValue,
    Overlap,
    Conflict,
    SectionOperand,
    OperandCount,
    Distinct,
    Operand,
    /// Whatever the first faulty comparison or function of a condition has.
    Leaf,
}

/// Ranks that are reported in this order; those in one group are equal.
pub(super) type Order = &'static [&'static [Rank]];

/// Conditions and filters: what concerns the whole text first, then comparison by comparison.
pub(super) const CONDITION: Order = &[
    &[Rank::Parentheses],
    &[Rank::UnknownFunction],
    &[Rank::MisusedFunction],
    &[Rank::ReservedWord],
    &[Rank::PathLimit],
    &[Rank::OperatorCount],
    &[Rank::Leaf],
];

/// Within one comparison or function of a condition.
pub(super) const LEAF: Order = &[
    &[Rank::UndefinedName, Rank::UndefinedValue],
    &[Rank::OperandCount],
    &[Rank::Distinct],
    &[Rank::Operand],
];

pub(super) const UPDATE: Order = &[
    &[Rank::Parentheses],
    &[Rank::ReservedWord],
    &[Rank::UnknownFunction],
    &[Rank::MisusedFunction],
    &[Rank::PathLimit],
    &[Rank::OperatorCount],
    &[Rank::Section],
    &[Rank::UndefinedName],
    &[Rank::UndefinedValue],
    &[Rank::Overlap],
    &[Rank::Conflict],
    &[Rank::SectionOperand],
    &[Rank::OperandCount, Rank::Operand],
];

pub(super) const PROJECTION: Order = &[
    &[Rank::ReservedWord],
    &[Rank::PathLimit],
    &[Rank::UndefinedName],
    &[Rank::Overlap],
    &[Rank::Conflict],
];

/// The problem to report, as far as the text has been read.
#[derive(Debug)]
pub(super) struct Problems {
    order: Order,
    found: Option<(usize, Reason)>,
}

impl Problems {
    pub(super) fn new(order: Order) -> Self {
        Self { order, found: None }
    }

    /// Remembers a problem if it goes before the one already found. A rank that the order does not
    /// list goes last.
    pub(super) fn note(&mut self, rank: Rank, reason: Reason) {
        let position = self.position(rank);
        if self.found.as_ref().is_none_or(|(best, _)| position < *best) {
            self.found = Some((position, reason));
        }
    }

    pub(super) fn lists(&self, rank: Rank) -> bool {
        self.position(rank) < self.order.len()
    }

    pub(super) fn take(&mut self) -> Option<Reason> {
        self.found.take().map(|(_, reason)| reason)
    }

    fn position(&self, rank: Rank) -> usize {
        self.order.iter().position(|group| group.contains(&rank)).unwrap_or(self.order.len())
    }
}
