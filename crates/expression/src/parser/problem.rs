//! Selects the problem to report when an expression has several.
//!
//! A syntax error ends parsing and is always reported. Other problems are noted while parsing
//! continues. AWS ranks them: each grammar lists its ranks from the first reported to the last. Within a
//! rank, the problem that comes first in the text is reported. dynalite's tests recorded these orders
//! from the service.

use crate::Reason;

/// The kinds of problems that are ranked.
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
    /// A problem of the first invalid comparison or function of a condition.
    Leaf,
}

/// Ranks that are reported in this order; those in one group are equal.
pub(super) type Order = &'static [&'static [Rank]];

/// Conditions and filters: problems of the whole text first, then comparison by comparison.
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

/// The problem to report, of the text that has been read.
#[derive(Debug)]
pub(super) struct Problems {
    order: Order,
    found: Option<(usize, Reason)>,
}

impl Problems {
    pub(super) fn new(order: Order) -> Self {
        Self { order, found: None }
    }

    /// Keeps a problem if it ranks before the current one. A rank that the order does not list comes last.
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
