//! The reasons why there is no order.

use std::fmt;

use super::{Key, Transaction};

/// Why one transaction must precede another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// It had ended when the other was sent.
    Time,
    /// Its value precedes the other's.
    Append {
        /// In this list.
        key: Key,
    },
    /// The other has read its value.
    Read {
        /// In this list.
        key: Key,
    },
    /// It has not read the other's value.
    Missed {
        /// In this list.
        key: Key,
    },
}

impl fmt::Display for Before {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time => write!(formatter, "had ended when this was sent"),
            Self::Append { key } => write!(formatter, "stands in list {key} before this"),
            Self::Read { key } => write!(formatter, "was read in list {key} by this"),
            Self::Missed { key } => {
                write!(formatter, "has not read the result of this in list {key}")
            }
        }
    }
}

/// A result that is impossible for a correct database.
#[derive(Debug, PartialEq, Eq)]
pub enum Violation {
    /// A value was read that was never appended.
    Invented {
        /// The list it was in.
        key: Key,
        /// The value.
        value: u64,
    },
    /// A value that was appended once was read twice.
    Doubled {
        /// The list it was in.
        key: Key,
        /// The value.
        value: u64,
    },
    /// A value was read of a transaction that, by its response, was not executed.
    Dirty(String),
    /// Two readers saw different orders of one list.
    Diverged(String),
    /// Transactions of which each must come before the next, and the last before the first.
    Cycle {
        /// Why each comes before the next.
        edges: Vec<Before>,
        /// The transactions with the edges between them.
        text: String,
    },
}

impl Violation {
    pub(super) fn dirty(key: Key, value: u64, writer: &Transaction) -> Self {
        Self::Dirty(format!("{value} was read in list {key}, but was refused: {writer}"))
    }

    pub(super) fn diverged(reader: &Transaction, key: Key, longest: &[u64]) -> Self {
        Self::Diverged(format!("list {key} was also read as {longest:?}: {reader}"))
    }

    pub(super) fn cycle(history: &[Transaction], cycle: &[(usize, Before)]) -> Self {
        let mut text = String::new();
        for (index, before) in cycle {
            text.push_str(&format!("\n  {}\n    {before}:", history[*index]));
        }
        if let Some((first, _)) = cycle.first() {
            text.push_str(&format!("\n  {}", history[*first]));
        }
        Self::Cycle { edges: cycle.iter().map(|(_, before)| *before).collect(), text }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invented { key, value } => {
                write!(formatter, "{value} was read in list {key}, and nobody has appended it")
            }
            Self::Doubled { key, value } => {
                write!(formatter, "{value} was appended once and is in list {key} twice")
            }
            Self::Dirty(text) | Self::Diverged(text) => formatter.write_str(text),
            Self::Cycle { text, .. } => {
                write!(formatter, "no order explains these transactions:{text}")
            }
        }
    }
}
