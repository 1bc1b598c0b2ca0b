//! The workloads: what one call does, which numbers it draws and what it must find.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::sample::{GROUP_ITEMS, PARTITION_ITEMS};

/// What every call of a measurement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// Read a random item.
    Get,
    /// Read a random item and decode all its attributes.
    GetDecoded,
    /// Read the 50 items of a random partition.
    Query,
    /// Read the 50 items of a random partition and decode all their attributes.
    QueryDecoded,
    /// Read the first 50 items of a random partition of a global index.
    QueryIndex,
    /// Add 1 to an attribute of a random item.
    Update,
    /// Write a new item.
    Put,
    /// Write 4 new items in one transaction.
    Transaction,
    /// Write 25 new items in one batch.
    Batch,
}

/// Where a workload's numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draw {
    /// A random loaded item, partition or group, each with this many items.
    Loaded { items_each: u64 },
    /// This many items that have not been written yet.
    New { items: u64 },
}

impl Workload {
    /// Every workload, readers first, so that a table is read before it grows.
    pub const ALL: [Self; 9] = [
        Self::Get,
        Self::GetDecoded,
        Self::Query,
        Self::QueryDecoded,
        Self::QueryIndex,
        Self::Update,
        Self::Put,
        Self::Transaction,
        Self::Batch,
    ];

    /// Returns the name in flags and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::GetDecoded => "get-decoded",
            Self::Query => "query",
            Self::QueryDecoded => "query-decoded",
            Self::QueryIndex => "query-index",
            Self::Update => "update",
            Self::Put => "put",
            Self::Transaction => "transaction",
            Self::Batch => "batch",
        }
    }

    pub(crate) const fn draw(self) -> Draw {
        match self {
            Self::Get | Self::GetDecoded | Self::Update => Draw::Loaded { items_each: 1 },
            Self::Query | Self::QueryDecoded => Draw::Loaded { items_each: PARTITION_ITEMS },
            Self::QueryIndex => Draw::Loaded { items_each: GROUP_ITEMS },
            Self::Put | Self::Transaction | Self::Batch => Draw::New { items: self.items() },
        }
    }

    /// Returns how many items one call reads or writes.
    pub const fn items(self) -> u64 {
        match self {
            Self::Get | Self::GetDecoded | Self::Update | Self::Put => 1,
            Self::Query | Self::QueryDecoded | Self::QueryIndex => PARTITION_ITEMS,
            Self::Transaction => 4,
            Self::Batch => 25,
        }
    }

    /// Returns whether a call changes the table.
    pub const fn writes(self) -> bool {
        matches!(self, Self::Update | Self::Put | Self::Transaction | Self::Batch)
    }
}

impl FromStr for Workload {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|workload| workload.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|workload| workload.name()).collect();
            format!("unknown workload '{text}'; use one of: {}", names.join(", "))
        })
    }
}
