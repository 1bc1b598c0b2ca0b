//! Writing items: one [`Write`] for every operation that changes or checks an item, and one
//! function that converts (before, after) to rows. Nothing else writes items.

mod change;
mod collection;
mod cost;
mod plan;

pub(crate) use change::{After, Change, ChangeRequest};
pub(crate) use collection::collection_metrics;
pub(crate) use cost::{Isolation, WriteCost, read_units};
pub(crate) use plan::{Effect, Planned, Write};
