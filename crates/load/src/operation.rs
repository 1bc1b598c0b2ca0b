//! The operations that can be measured: their names and what one request touches.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::sample::PARTITION_ITEMS;

/// What every request of a measurement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// `GetItem` of a random item.
    Get,
    /// `Query` for the 50 items of a random partition.
    Query,
    /// `UpdateItem` that adds 1 to a number of a random item.
    Update,
    /// `PutItem` of a new item.
    Put,
    /// `TransactWriteItems` with 4 puts of new items.
    Transaction,
    /// `BatchWriteItem` with 25 puts of new items.
    Batch,
}

impl Operation {
    /// Every operation, readers first, so that a table is read before it grows.
    pub const ALL: [Self; 6] =
        [Self::Get, Self::Query, Self::Update, Self::Put, Self::Transaction, Self::Batch];

    /// Returns the name in flags and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Query => "query",
            Self::Update => "update",
            Self::Put => "put",
            Self::Transaction => "transaction",
            Self::Batch => "batch",
        }
    }

    /// DynamoDB's name.
    pub const fn dynamodb_name(self) -> &'static str {
        match self {
            Self::Get => "GetItem",
            Self::Query => "Query",
            Self::Update => "UpdateItem",
            Self::Put => "PutItem",
            Self::Transaction => "TransactWriteItems",
            Self::Batch => "BatchWriteItem",
        }
    }

    /// Returns how many items one request reads or writes.
    pub const fn items(self) -> u64 {
        match self {
            Self::Get | Self::Update | Self::Put => 1,
            Self::Query => PARTITION_ITEMS,
            Self::Transaction => 4,
            Self::Batch => 25,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Operation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|operation| operation.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            format!("unknown operation '{text}'; use one of: {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back_by_flags_and_json() {
        for operation in Operation::ALL {
            assert_eq!(operation.name().parse(), Ok(operation));
            let json = serde_json::to_string(&operation).unwrap();
            assert_eq!(json, format!("\"{operation}\""));
        }
        let error = "scan".parse::<Operation>().unwrap_err();
        assert_eq!(
            error,
            "unknown operation 'scan'; use one of: get, query, update, put, transaction, batch"
        );
    }
}
